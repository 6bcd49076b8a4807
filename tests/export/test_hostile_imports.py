"""Files of `runs export` that anybody may have written: taken in and shown, or refused in words."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from io import StringIO
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adaq_core.errors import AdaqError, InputError
from adaq_core.events import Record, RunStarted
from adaq_core.export import FORMATS, RunToExport
from adaq_core.export.run_json import lines_of, read_file, read_runs, run_lines
from adaq_core.store import Store
from tests.recorded import whole_run

CPU_SECONDS = 2.0
ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers() | st.sampled_from([-1, 0, 2**31, 2**63, 10**40]),
    st.floats() | st.sampled_from([1e308, -1e308, 5e-324]),
    st.text(max_size=30)
    | st.sampled_from(["", "\x00", "\ud800", "\u202e" * 50, "a" * 5000, "r-'; DROP TABLE runs; --"]),
    st.just([]) | st.just({}) | st.just([[]] * 50),
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    store = Store(tmp_path_factory.mktemp("imports") / "runs.duckdb")
    yield store
    store.close()


@pytest.fixture(scope="module")
def lines(store: Store) -> list[Any]:
    """The lines of a sound run, as values."""
    records = [Record(n, "2026-11-21T00:00:00.000000+00:00", n / 10, one) for n, one in enumerate(whole_run(hops=3), 1)]
    run_id = store.import_run(records)
    row = store.run(run_id)
    assert row is not None
    return [json.loads(line) for line in run_lines(row, store.records(run_id))]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where a value may be put: each field and each place of a list."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inner:
        yield (*path, key)
        yield from places(part, (*path, key))


def with_value(lines: list[Any], path: tuple[Any, ...], value: Any) -> list[str]:
    changed = json.loads(json.dumps(lines))
    *way, last = path
    at = changed
    for key in way:
        at = at[key]
    at[last] = value
    return [json.dumps(line) for line in changed]


def taken_in(store: Store, lines: list[str]) -> None:
    """Import what the lines hold, and make of it all that the product makes of a run."""
    for run in read_runs(lines):
        run_id = store.import_run(run.records, run_id=run.run_id, note=run.note, tags=run.tags, rating=run.rating,
                                  remarks=run.remarks)  # fmt: skip
        row, records = store.run(run_id), store.records(run_id)
        assert row is not None
        assert row.over
        for one in FORMATS:
            one.text(RunToExport(row, records, run.remarks))


def test_one_odd_value_anywhere_is_taken_in_and_shown_or_refused(store: Store, lines: list[Any]) -> None:
    everywhere = list(places(lines))

    @settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(st.sampled_from(everywhere), ODD)
    def check(path: tuple[Any, ...], value: Any) -> None:
        def seconds() -> float:
            began = time.thread_time()
            with suppress(AdaqError):
                taken_in(store, with_value(lines, path, value))
            return time.thread_time() - began

        assert any(seconds() < CPU_SECONDS for _ in range(3))

    check()


@pytest.mark.parametrize("hop", [-1, 10_001, 2_000_000_000, 10**30])
def test_a_hop_of_ten_digits_takes_no_memory(store: Store, lines: list[Any], hop: int) -> None:
    before = store.count()
    changed = [line if "event" not in line or "hop" not in line["event"] else
               {**line, "event": {**line["event"], "hop": hop}} for line in lines]  # fmt: skip
    with pytest.raises(InputError, match="is not an event that this version of ADAQ knows"):
        taken_in(store, [json.dumps(line) for line in changed])
    assert store.count() == before


@pytest.mark.parametrize(
    ("kind", "name", "value"),
    [
        ("run_started", "question", "why, " * 200_000),
        ("aspects_planned", "aspects", 5_000),
        ("aspects_planned", "lost", 200_000),
    ],
    ids=["question", "aspects", "lost"],
)
def test_what_no_run_can_hold_is_refused_before_a_page_looks_through_it(
    store: Store, lines: list[Any], kind: str, name: str, value: Any
) -> None:
    (place,) = (n for n, line in enumerate(lines) if line.get("event", {}).get("kind") == kind)
    had = lines[place]["event"][name]
    changed = with_value(lines, (place, "event", name), had[:1] * value if isinstance(value, int) else value)
    before = store.count()
    with pytest.raises(InputError, match="is not an event that this version of ADAQ knows"):
        taken_in(store, changed)
    assert store.count() == before


@pytest.mark.parametrize("place", [-1, 5_000])
def test_a_table_of_sentences_that_are_not_there_is_refused(store: Store, lines: list[Any], place: int) -> None:
    (written,) = (n for n, line in enumerate(lines) if line.get("event", {}).get("kind") == "answer_written")
    table = {"columns": ["A"], "rows": [{"label": "B", "cells": [[place]]}]}
    with pytest.raises(InputError, match="is not an event that this version of ADAQ knows"):
        taken_in(store, with_value(lines, (written, "event", "answer", "table"), table))


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"a":' * 100_000,
        '{"adaq_run":1}\n' * 5_000,
        '{"adaq_run":NaN}',
        '{"adaq_run":1e999}',
        "9" * 5_000,
        "\x00",
        "\ufeff{}",
        '{"adaq_run":1,"tags":[[[]]],"remarks":{"part":1},"rating":"x","note":[]}',
        '{"adaq_run":true}',
    ],
)
def test_what_is_no_export_is_refused_in_words(store: Store, text: str) -> None:
    before = store.count()
    with pytest.raises(InputError):
        taken_in(store, text.split("\n"))
    assert store.count() == before


@pytest.mark.parametrize("mark", [*"\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029\ufeff", "\r\n", "\r"], ids=ascii)
def test_a_run_whose_words_hold_any_mark_that_ends_a_line_comes_back(store: Store, mark: str) -> None:
    began, *rest = whole_run(hops=1)
    assert isinstance(began, RunStarted)
    asked = [replace(began, question=f"What{mark}is BM25?{mark}"), *rest]
    run_id = store.import_run(
        [Record(n, "2026-11-21T00:00:00.000000+00:00", 0.1, one) for n, one in enumerate(asked, 1)]
    )
    row = store.run(run_id)
    assert row is not None
    text = "\n".join(run_lines(row, store.records(run_id)))
    (back,) = read_file(lines_of(StringIO(text, newline=None)))
    assert [record.event for record in back.records] == asked


@pytest.mark.parametrize("piece", ["\0", "[", "x\n", "{}\n"])
def test_a_file_without_end_is_refused_once_it_is_longer_than_one_may_be(
    monkeypatch: pytest.MonkeyPatch, piece: str
) -> None:
    reading = import_module("adaq_core.export.run_json")
    monkeypatch.setattr(reading, "_LONGEST_LINE", 1_000)
    monkeypatch.setattr(reading, "_LONGEST_FILE", 10_000)
    file = StringIO(piece * 100_000)
    with pytest.raises(InputError, match="One value in it is over"):
        list(read_file(lines_of(file)))
    assert file.tell() < 13_000


def test_what_was_taken_in_is_never_left_running(store: Store) -> None:
    assert [row.run_id for row in store.runs(limit=10_000) if not row.over] == []
