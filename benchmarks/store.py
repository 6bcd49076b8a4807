"""The run store: recording, reading one run, and the run list with 10,000 stored runs."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from adaq_core.corpus.library import CorpusLibrary
from adaq_core.events import Event, RunStarted
from adaq_core.store import Store
from adaq_core.trace import view
from benchmarks.figure import Figure, median_seconds, peak_megabytes, seconds
from benchmarks.runs import FIVE_HOPS, QUESTION, execute

RUNS = 10_000


def figures(*, quick: bool) -> list[Figure]:
    """With a tenth of the runs when `quick`, and without budgets then."""
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "runs.duckdb")
        rows = [*_recording(store), *_many(store, RUNS // 10 if quick else RUNS)]
        stored = store.count()
        store.close()
        rows.append(Figure("on disk, per run", store.path.stat().st_size / stored / 1e3, "kB"))
        reopened: list[Store] = []
        took = seconds(lambda: reopened.append(Store(Path(folder) / "runs.duckdb")))
        rows.append(Figure("opening it", took * 1e3, "ms"))
        reopened[0].close()
    return [*rows, Figure("peak memory", peak_megabytes(), "MB")]


def events_of_a_run() -> list[Event]:
    """The events of a run of five hops on the bundled corpus."""
    index = CorpusLibrary().open("sample")
    return execute(index, QUESTION, FIVE_HOPS)


def record(store: Store, events: list[Event], number: int = 0, *, wait: bool = False) -> str:
    """Record them as a new run."""
    first = events[0]
    assert first.kind == "run_started"
    run_id = store.begin(
        RunStarted(
            f"{first.question} ({number})",
            ("adaptive", "bm25", "static")[number % 3],
            first.corpus,
            first.settings,
            first.budget,
        )
    )
    for event in events:
        store.append(run_id, event, wait=wait)
    store.flush(run_id)
    return run_id


def fill(store: Store, events: list[Event], number: int) -> list[str]:
    """Record so many runs of these events from 8 threads; their ids."""
    with ThreadPoolExecutor(8) as pool:
        return list(pool.map(lambda each: record(store, events, each), range(number)))


def _recording(store: Store) -> Iterator[Figure]:
    events = events_of_a_run()
    record(store, events)
    each = median_seconds(lambda: record(store, events, wait=True), times=5) / len(events)
    yield Figure("an event, until it is on the disk", each * 1e3, "ms")
    whole = median_seconds(lambda: record(store, events), times=9)
    yield Figure(f"a run of {len(events)} events, as the runner records it", whole * 1e3, "ms")
    run_id = record(store, events)
    yield Figure("reading it", median_seconds(lambda: store.records(run_id), times=9) * 1e3, "ms")
    yield Figure("reading it into a view", median_seconds(lambda: view(store.records(run_id)), times=9) * 1e3, "ms")


def _many(store: Store, number: int) -> Iterator[Figure]:
    events = events_of_a_run()
    took = seconds(lambda: fill(store, events, number))
    yield Figure(f"recording {number:,} runs from 8 threads", number / took, "runs/s", None, f"{took:.0f} s")
    whole = number >= RUNS
    budget = 500.0 if whole else None
    yield Figure(f"run list of {number:,}: newest 50 and the count", _list(store) * 1e3, "ms", budget)
    yield Figure("  searched, filtered, sorted", _list(store, text="RNN", order="-hops") * 1e3, "ms", budget)
    last = number - 50
    deep = median_seconds(lambda: store.runs(offset=last), times=5)
    yield Figure("  the last page of it", deep * 1e3, "ms", budget)
    run_id = store.runs(limit=1, offset=number // 2)[0].run_id
    yield Figure("reading one run among them", median_seconds(lambda: store.records(run_id), times=9) * 1e3, "ms")
    yield Figure("deleting one", seconds(lambda: store.delete_run(run_id)) * 1e3, "ms")


def _list(store: Store, *, order: str = "-created_at", text: str = "") -> float:
    return median_seconds(lambda: (store.runs(order=order, text=text), store.count(text=text)), times=9)
