"""What a person waits for in a browser: the first hop on screen, 10,000 runs in the list, a run of 50 hops."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from adaq_core.store import Store
from benchmarks.figure import Figure, seconds
from benchmarks.served import browsing, served
from benchmarks.store import RUNS, events_of_a_run, fill, record

_SLOW = 60_000
# The most milliseconds that any interaction may take on a machine that is otherwise idle.
_INTERACTION = 500.0


def figures(*, quick: bool) -> list[Figure]:
    """Nothing where there is no browser; a tenth of the runs when `quick`."""
    with browsing() as page:
        if page is None:
            return []
        return [*_first_hop(page), *_run_list(page, RUNS // 10 if quick else RUNS), *_long_run(page)]


def _start_and_wait(start: Any, shown: Any) -> None:
    start.click()
    shown.wait_for(timeout=_SLOW)


def _first_hop(page: Any) -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="adaq-benchmark-") as home, served(Path(home)) as address:
        figures = []
        for name in ("first run of a server", "second run"):
            page.goto(address)
            page.get_by_role("button", name="Top risks facing Tesla in 2025", exact=True).click(timeout=_SLOW)
            start = page.get_by_role("button", name="Start with")
            start.wait_for(timeout=_SLOW)
            shown = page.get_by_text("hop 1").first
            took = seconds(partial(_start_and_wait, start, shown))
            figures.append(Figure(f"from the start button to the first hop on screen, {name}", took, "s"))
    return figures


def _run_list(page: Any, number: int) -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="adaq-benchmark-") as home:
        run_ids = _fill(Path(home), number)
        with served(Path(home)) as address:
            page.goto(f"{address}/trace_explorer")
            shown = page.get_by_text(f"{number:,} runs").first
            shown.wait_for(timeout=_SLOW)
            again = min(seconds(lambda: (page.reload(), shown.wait_for(timeout=_SLOW))) for _ in range(3))
            filtered = median(_search(page, f"({each})", number) for each in (77, 123, 456)) * 1e3
            page.goto(f"{address}/trace_explorer")
            shown.wait_for(timeout=_SLOW)
            by_outcome = min(_by_outcome(page, number) for _ in range(3)) * 1e3
            further = _clicks(page, "button", ["Next page"] * 5)
            page.goto(f"{address}/trace_explorer?run={run_ids[number // 2]}")
            page.get_by_role("button", name="Next").wait_for(timeout=_SLOW)
            page.wait_for_timeout(2000)
            stepped = _clicks(page, "button", [*["keyboard_arrow_down"] * 4, *["keyboard_arrow_up"] * 4])
    budget = _INTERACTION if number >= RUNS else None
    return [
        Figure(f"run list of {number:,}: the whole page again", again, "s"),
        Figure("  a search in it, until its result shows (median of three)", filtered, "ms", budget),
        Figure("  those of one outcome, until they show", by_outcome, "ms", budget),
        Figure("  the next page of it (median of five)", median(further), "ms", budget),
        Figure("  from one run to the next or back (median of eight)", median(stepped), "ms", budget),
    ]


# Click in the page, and wait until its script has ended, nothing old is left of before and nothing is drawn any more:
# the time of the last change counts. What the driver of the browser takes to find and reach a button is not measured.
# A script that runs for less than a frame is not always told to have run, so a second without a change is an end too.
_CLICKED = """async ([role, label]) => {
  const all = (root, found = []) => {
    for (const each of root.querySelectorAll("*")) {
      if (each.shadowRoot) all(each.shadowRoot, found)
      found.push(each)
    }
    return found
  }
  const name = (each) => each.getAttribute("aria-label") || each.innerText || ""
  const isOne = (each) => each.tagName === role.toUpperCase() || each.getAttribute("role") === role
  const one = all(document).find((each) => isOne(each) && name(each).startsWith(label))
  const app = document.querySelector("[data-testid=stApp]")
  const stands = () => app.dataset.testScriptState === "notRunning" && !document.querySelector("[data-stale=true]")
  const began = performance.now()
  let [ran, last] = [false, began]
  const watch = new MutationObserver((changes) => {
    last = performance.now()
    ran ||= changes.some((each) => each.attributeName === "data-test-script-state")
  })
  watch.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true })
  one.click()
  for (let quiet = 0; !(stands() && quiet > (ran ? 150 : 1000)); quiet = performance.now() - last) {
    await new Promise((drawn) => requestAnimationFrame(drawn))
  }
  watch.disconnect()
  return last - began
}"""


def _long_run(page: Any) -> list[Figure]:
    from tests.pages.built_runs import events, huge  # the longest run that the tests of the pages know

    with tempfile.TemporaryDirectory(prefix="adaq-benchmark-") as home:
        store = Store(Path(home) / "runs.duckdb")
        run_id = record(store, list(events(huge())), wait=True)
        store.close()
        with served(Path(home)) as address:
            page.goto(f"{address}/trace_explorer?run={run_id}")
            page.get_by_text("Hop 50 of 50").first.wait_for(timeout=_SLOW)
            page.wait_for_timeout(2000)
            hops = _clicks(page, "button", [f"Hop {number}," for number in (49, 40, 33, 25, 12, 5, 1, 30)])
            tabs = _clicks(page, "tab", ["Passages", "Decision", "Timing", "Stop here?", "JSON", "Evidence"])
            [story] = _clicks(page, "radio", ["Story"])
    return [
        Figure("run of 50 hops by 30 aspects: a hop, until its detail shows (median)", median(hops), "ms"),
        Figure("  the slowest of eight", max(hops), "ms", _INTERACTION),
        Figure("  a tab of its detail, until it shows (median)", median(tabs), "ms"),
        Figure("  the slowest of six", max(tabs), "ms", _INTERACTION),
        Figure("  its story, the first twelve hops drawn", story, "ms", _INTERACTION),
    ]


def _clicks(page: Any, role: str, labels: Sequence[str]) -> list[float]:
    """The milliseconds that one click each takes."""
    took = []
    for label in labels:
        took.append(float(page.evaluate(_CLICKED, [role, label])))
        page.wait_for_timeout(500)
    return took


def _search(page: Any, words: str, number: int) -> float:
    """Seconds until the one run with these words is listed alone; all are listed again afterwards."""
    search = page.get_by_placeholder("Question, id, note or tag")
    alone = page.get_by_text(f"1 of {number:,} runs", exact=True).first
    page.wait_for_timeout(2000)  # what is drawn after a page was loaded is no part of the search

    def searched() -> None:
        search.fill(words)
        search.press("Enter")
        alone.wait_for(timeout=_SLOW)

    took = seconds(searched)
    search.fill("")
    search.press("Enter")
    page.get_by_text(f"{number:,} runs", exact=True).first.wait_for(timeout=_SLOW)
    return took


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


def _fill(home: Path, number: int) -> list[str]:
    """Store so many runs; their ids."""
    store = Store(home / "runs.duckdb")
    run_ids = fill(store, events_of_a_run(), number)
    store.close()
    return run_ids
