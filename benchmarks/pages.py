"""What a person waits for in a browser: the first hop on screen, and the run list with 10,000 stored runs."""

from __future__ import annotations

import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from adaq_core.store.store import Store
from benchmarks.figure import Figure, seconds
from benchmarks.served import browsing, served
from benchmarks.store import RUNS, events_of_a_run, record

_SLOW = 60_000
# The most milliseconds that any interaction may take on a machine that is otherwise idle.
_INTERACTION = 500.0


def figures(*, quick: bool) -> list[Figure]:
    """Nothing where there is no browser; a tenth of the runs when `quick`."""
    with browsing() as page:
        if page is None:
            return []
        return [*_first_hop(page), *_run_list(page, RUNS // 10 if quick else RUNS)]


def _start_and_wait(start: Any, shown: Any) -> None:
    start.click()
    shown.wait_for(timeout=_SLOW)


def _first_hop(page: Any) -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="adaq-benchmark-") as home, served(Path(home)) as address:
        found = []
        for name in ("first run of a server", "second run"):
            page.goto(address)
            page.get_by_role("button", name="Top risks facing Tesla in 2025").click(timeout=_SLOW)
            start = page.get_by_role("button", name="Start with")
            start.wait_for(timeout=_SLOW)
            shown = page.get_by_text("hop 1").first
            took = seconds(partial(_start_and_wait, start, shown))
            found.append(Figure(f"from the start button to the first hop on screen, {name}", took, "s"))
    return found


def _run_list(page: Any, number: int) -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="adaq-benchmark-") as home:
        _fill(Path(home), number)
        with served(Path(home)) as address:
            page.goto(f"{address}/trace_explorer")
            shown = page.get_by_text(f"{number:,} runs").first
            shown.wait_for(timeout=_SLOW)
            again = min(seconds(lambda: (page.reload(), shown.wait_for(timeout=_SLOW))) for _ in range(3))
            search = page.get_by_placeholder("Question, id, note or tag")

            def searched() -> None:
                search.fill("(77)")
                search.press("Enter")
                page.get_by_text(f"1 of {number:,} runs").first.wait_for(timeout=_SLOW)

            filtered = seconds(searched) * 1e3
            page.goto(f"{address}/trace_explorer")
            shown.wait_for(timeout=_SLOW)
            by_outcome = min(_by_outcome(page, number) for _ in range(3)) * 1e3
    budget = _INTERACTION if number >= RUNS else None
    return [
        Figure(f"run list of {number:,}: the whole page again", again, "s"),
        Figure("  a search in it, until its result shows", filtered, "ms", budget),
        Figure("  those of one outcome, until they show", by_outcome, "ms", budget),
    ]


def _by_outcome(page: Any, number: int) -> float:
    """Seconds until the runs of one outcome are listed; all are listed again afterwards."""
    outcome = page.get_by_role("button", name="Partly answered", exact=True).first
    all_of_them = page.get_by_text(f"{number:,} runs", exact=True).first

    def chosen() -> None:
        outcome.click()
        page.wait_for_url("**t_outcome=Partly**", timeout=_SLOW)
        page.wait_for_function("() => !document.querySelector('[data-stale=true]')", timeout=_SLOW)

    took = seconds(chosen)
    outcome.click()
    all_of_them.wait_for(timeout=_SLOW)
    return took


def _fill(home: Path, number: int) -> None:
    store, events = Store(home / "runs.duckdb"), events_of_a_run()
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: record(store, events, n), range(number)))
    store.close()
