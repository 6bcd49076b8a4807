"""Runs that come from a file: one that the store has all of is not added again, one that says more is another run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from adaq_core.events import Noticed, Record
from adaq_core.export import ImportedRun, arrival_words, take_in
from adaq_core.export.run_json import ExportedRun, read_file, run_lines
from adaq_core.store import Store
from adaq_core.store.history import Remark, Remarks
from tests.recorded import record, whole_run


def exported(store: Store, run_id: str) -> ExportedRun:
    """What is in the file of a run, as another store reads it."""
    row = store.run(run_id)
    assert row is not None
    (run,) = read_file(run_lines(row, store.records(run_id), Remarks(store).of(run_id)))
    return run


def test_a_file_that_is_imported_twice_makes_one_run(store: Store, tmp_path: Path) -> None:
    run_id = record(store, whole_run())
    file = exported(store, run_id)
    other = Store(tmp_path / "other.duckdb")
    try:
        assert take_in(other, file) == ImportedRun(run_id, added=True)
        assert take_in(other, file) == ImportedRun(run_id, added=False)
        assert other.count() == 1
    finally:
        other.close()


def test_the_run_that_was_exported_here_is_the_one_that_its_file_holds(store: Store) -> None:
    run_id = record(store, whole_run())
    file = exported(store, run_id)
    store.annotate(run_id, note="noted since", tags=["new"], rating=1)
    assert take_in(store, file) == ImportedRun(run_id, added=False)
    assert take_in(store, replace(file, run_id="r-elsewhere")) == ImportedRun(run_id, added=False)


@pytest.mark.parametrize(
    "more",
    [
        {"note": "of a friend"},
        {"tags": ("gift",)},
        {"rating": -1},
        {"remarks": (Remark("hop", "1", "why this query?"),)},
    ],
)
def test_a_file_with_notes_that_are_not_here_is_another_run(store: Store, more: dict[str, object]) -> None:
    run_id = record(store, whole_run())
    file = replace(exported(store, run_id), **more)  # type: ignore[arg-type]
    first = take_in(store, file)
    assert (first.added, first.run_id != run_id) == (True, True)
    assert take_in(store, file) == replace(first, added=False)


def test_a_run_with_other_events_is_another_run(store: Store) -> None:
    run_id = record(store, whole_run())
    file = exported(store, run_id)
    late = replace(file.records[-1], elapsed=file.records[-1].elapsed + 1)
    noticed = replace(file.records[1], event=Noticed("read", "something else"))
    changed: list[tuple[Record, ...]] = [
        file.records[:-1],
        (*file.records[:-1], late),
        (file.records[0], noticed, *file.records[2:]),
    ]
    added = [take_in(store, replace(file, records=records)) for records in changed]
    assert [arrival.added for arrival in added] == [True, True, True]
    assert store.count() == 4


@pytest.mark.parametrize(
    ("added", "words"),
    [
        ("", "The file holds no run."),
        ("y", "1 run imported."),
        ("yy", "2 runs imported."),
        ("n", "This run is here already, so nothing was imported."),
        ("nn", "These 2 runs are here already, so nothing was imported."),
        ("yny", "2 runs imported. 1 run of the file was here already."),
        ("nny", "1 run imported. 2 runs of the file were here already."),
    ],
)
def test_what_became_of_a_file_is_said_in_a_sentence(added: str, words: str) -> None:
    assert arrival_words([ImportedRun(f"r-{n}", added=one == "y") for n, one in enumerate(added)]) == words
