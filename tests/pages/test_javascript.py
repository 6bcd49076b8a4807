"""The scripts of the components parse, write text and never markup, and compute as Python does."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adaq_core.events import (
    AspectsPlanned,
    CoverageAssessed,
    Decided,
    Event,
    HopStarted,
    Record,
    RunFailed,
    RunFinished,
)
from adaq_core.export.page import FILES, LaneState, lanes_data, lanes_script
from adaq_core.model import AspectScore, Decision, Subquery
from adaq_core.trace import view
from benchmarks.javascript import place, scripts, shared_names
from pages._shared.common.words import seconds
from pages._shared.components import component_files
from tests.pages.built_runs import aspect

COMPONENTS = Path(__file__).parents[2] / "pages" / "_shared" / "components"
NAMES = ["coverage_lanes", *sorted(p.parent.name for p in COMPONENTS.glob("*/*.js") if p.stem == p.parent.name)]
DURATIONS = (0.0, 0.0004, 0.0994, 0.0995, 0.5, 1.0, 9.994, 9.995, 42.0, 59.9)
# Ways for text of others to become markup, and names that a page of ours never asks for.
_MARKUP = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|\bvar\b|[^=!]==[^=]"
)

node = pytest.mark.skipif(shutil.which("node") is None, reason="no node: Debian's `nodejs` checks the scripts")


def script(name: str) -> str:
    return lanes_script() if name == "coverage_lanes" else component_files.script(name)


def run(source: str) -> str:
    done = subprocess.run(
        ["node", "--input-type=module", "-"], input=source, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def test_the_legend_of_the_lanes_explains_every_state() -> None:
    listed = re.search(r"for \(const state of (\[.*?\])\)", script("coverage_lanes"))
    assert listed
    assert set(json.loads(listed[1])) == set(get_args(LaneState))


@node
@pytest.mark.parametrize("name", NAMES)
def test_a_script_is_a_module_with_one_function(name: str) -> None:
    source = script(name).replace("export default function", "const component = function")
    assert run(source + "\nconsole.log(typeof component)").strip() == "function"


@pytest.mark.parametrize("name", NAMES)
def test_a_script_writes_text_and_never_markup(name: str) -> None:
    assert _MARKUP.findall(script(name)) == []


def test_every_function_that_the_scripts_share_is_called() -> None:
    texts = [part.read_text(encoding="utf-8") for part in {part for parts in scripts().values() for part in parts}]
    calls = re.findall(r"(?<!function )\b(\w+)\(", "\n".join(texts))
    assert [name for name in shared_names() if name not in calls] == []


def test_what_is_wrong_with_a_script_is_told_at_its_place_in_the_file_of_its_own() -> None:
    parts = scripts()["coverage_lanes"]
    whole = lanes_script().splitlines()
    for number in range(1, len(whole) + 1):
        part, line = place(parts, number)
        assert part.read_text(encoding="utf-8").split("\n")[line - 1] == whole[number - 1]


@node
def test_durations_read_alike_in_python_and_in_the_browser() -> None:
    dom = (FILES / "dom.js").read_text(encoding="utf-8")
    shown = json.loads(run(f"{dom}\nconsole.log(JSON.stringify({json.dumps(DURATIONS)}.map(seconds)))"))
    assert shown == [seconds(value) for value in DURATIONS]


@node
@pytest.mark.parametrize(
    ("key", "to"),
    [("ArrowRight", [1, 3]), ("ArrowLeft", [1, 1]), ("ArrowDown", [3, 1]), ("ArrowUp", [1, 1]), ("End", [1, 3])],
)
def test_a_key_leads_to_the_next_button_of_a_table_over_cells_that_have_none(key: str, to: list[int]) -> None:
    dom = (FILES / "dom.js").read_text(encoding="utf-8")
    filled = [[1, 1], [1, 3], [2, 2], [3, 1], [3, 3]]
    assert json.loads(run(f"{dom}\nconsole.log(JSON.stringify(cellAt({filled}, [1, 1], '{key}')))")) == to


@node
@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", "ftp://a.example", "", "//a.example"])
def test_only_addresses_of_the_web_become_links(url: str) -> None:
    dom = (FILES / "dom.js").read_text(encoding="utf-8")
    assert run(f"{dom}\nconsole.log(webLink({json.dumps(url)}, 'a.example', ''))").strip() == "null"


@node
def test_what_nobody_judged_is_not_called_nothing_new() -> None:
    source = script("coverage_lanes").replace("export default function", "const component = function")
    hops = [{"state": "done", "gain": gain} for gain in (2, 0, None)] + [{"state": "failed", "gain": 0}]
    told = run(f"{source}\nconsole.log(JSON.stringify({json.dumps(hops)}.map(gainWords)))")
    assert json.loads(told) == ["2 newly covered", "no new aspect", "not judged", "failed"]


@node
def test_a_cell_of_the_lanes_says_what_covered_it() -> None:
    source = script("coverage_lanes").replace("export default function", "const component = function")
    cell = {"state": "new", "targeted": True, "score": 0.9, "proof": "Annual report, brought by “price” in this hop"}
    call = f"cellTitle({{n: 2}}, {json.dumps(cell)}, {{name: 'Price'}}, 'newly covered')"
    title = run(f"{source}\nconsole.log({call})").strip()
    assert title == ("Hop 2: Price: newly covered, coverage 0.90\nAnnual report, brought by “price” in this hop")


@node
def test_the_end_of_a_name_that_tells_rows_apart_is_not_cut_with_it() -> None:
    source = script("coverage_lanes").replace("export default function", "const component = function")
    names = ["Net sales of Amazon, Q1 2023", "Legal risks", "Risks, opportunities and leadership"]
    told = json.loads(run(f"{source}\nconsole.log(JSON.stringify({json.dumps(names)}.map(partedName)))"))
    assert told == [["Net sales of Amazon", ", Q1 2023"], *([name, ""] for name in names[1:])]


@node
def test_a_stacked_table_has_a_block_for_each_row_and_a_line_for_each_column() -> None:
    cell = {"missed": False, "statements": [{"text": "It has risks.", "cites": [], "supported": True}]}
    table = {"columns": ["A", "B"], "rows": [["Risks", [cell, {"missed": False, "statements": []}]]]}
    source = script("answer").replace("export default function", "const component = function")
    dom = Path(__file__).with_name("small_dom.js").read_text(encoding="utf-8")
    texts = "map((block) => block.children.map((row) => row.children.map((each) => each.textContent)))"
    call = f"stackedRows({json.dumps(table)}, {{}}, () => {{}}).{texts}"
    drawn = json.loads(run(f"{dom}\n{source}\nconsole.log(JSON.stringify({call}))"))
    assert drawn == [[["Risks"], ["A", "It has risks."], ["B", "–"]]]


@node
def test_columns_of_figures_may_be_narrow() -> None:
    source = script("answer").replace("export default function", "const component = function")
    dom = Path(__file__).with_name("small_dom.js").read_text(encoding="utf-8")
    tables = [{"columns": ["A"], "rows": [], "stacked": False, "figures": figures} for figures in (True, False)]
    drawn = "table(value, {}, () => {}).children[0].className"
    told = run(f"{dom}\n{source}\nfor (const value of {json.dumps(tables)}) console.log(`[${{{drawn}}}]`)")
    assert told.split() == ["[figured]", "[]"]
    assert "@container" in component_files.style("answer")


@node
def test_a_sentence_is_drawn_in_the_direction_of_its_own_writing() -> None:
    said = json.dumps({"text": "חברת אקמי נוסדה בשנת 1971", "cites": [], "supported": True})
    source = script("answer").replace("export default function", "const component = function")
    dom = Path(__file__).with_name("small_dom.js").read_text(encoding="utf-8")
    assert run(f"{dom}\n{source}\nconsole.log(sentence({said}, {{}}, () => {{}}, 'div').dir)").strip() == "auto"


@node
def test_a_program_is_drawn_in_its_lines_below_what_is_said_before_it() -> None:
    said = {"text": "Run it so:", "program": "def go():\n    <b>", "cites": []}
    source = script("answer").replace("export default function", "const component = function")
    dom = Path(__file__).with_name("small_dom.js").read_text(encoding="utf-8")
    parts = "children.map((each) => [each.tag, each.textContent])"
    drawn = f"sentence({json.dumps({**said, 'supported': True})}, {{}}, () => {{}}, 'div')"
    told = json.loads(run(f"{dom}\n{source}\nconsole.log(JSON.stringify({drawn}.{parts}))"))
    assert told == [["span", "Run it so:"], ["pre", "def go():\n    <b>"]]
    assert "white-space: pre-wrap" in component_files.style("answer")


@node
def test_what_may_be_the_short_answer_is_marked_and_the_sentence_stays_whole() -> None:
    said = json.dumps({"text": "It cost 7.", "pieces": [["It cost ", ""], ["7", "quote"], [".", ""]]})
    source = script("answer").replace("export default function", "const component = function")
    dom = Path(__file__).with_name("small_dom.js").read_text(encoding="utf-8")
    marks = 'querySelectorAll("mark").map((each) => each.textContent)'
    told = run(f"{dom}\n{source}\nconst one = marked({said})\nconsole.log(one.textContent, one.{marks})")
    assert told.strip() == "It cost 7. [ '7' ]"


@node
def test_figures_are_drawn_a_line_each_and_an_id_is_not_parted() -> None:
    value = {"text": "Ida: 12; Jon: 7", "parts": [["Ida", "12"], ["Jon", "7"]], "cites": [], "step": "T-1011, T-7"}
    source = script("answer").replace("export default function", "const component = function")
    dom = Path(__file__).with_name("small_dom.js").read_text(encoding="utf-8")
    lines = 'querySelectorAll("tr").map((row) => row.children.map((each) => each.textContent))'
    ids = 'querySelectorAll("span.beside").map((each) => each.textContent)'
    drawn = f'short({json.dumps(value)}, {{step: "from"}}, () => {{}})'
    told = run(f"{dom}\n{source}\nconst drawn = {drawn}\nconsole.log(JSON.stringify([drawn.{lines}, drawn.{ids}]))")
    assert json.loads(told) == [[["Ida", "12"], ["Jon", "7"]], ["T-1011", "T-7"]]


@node
def test_a_hop_that_goes_on_has_no_time_yet() -> None:
    source = script("coverage_lanes").replace("export default function", "const component = function")
    dom = Path(__file__).with_name("small_dom.js").read_text(encoding="utf-8")
    hops = [{"n": 1, "state": state, "seconds": 0.05, "more_queries": 1} for state in ("running", "done")]
    told = run(f"{dom}\n{source}\nfor (const h of {json.dumps(hops)}) console.log(cardTop({{}}, h).textContent)")
    assert told.splitlines() == ["Hop 12 queries", "Hop 150 ms · 2 queries"]


@node
def test_a_hop_that_goes_on_says_what_follows_the_stage_it_has_ended() -> None:
    """A model takes half a minute to read; that is no search."""
    source = script("coverage_lanes").replace("export default function", "const component = function")
    ended = [[], [["refine", 0.1]], [["refine", 0.1], ["retrieve", 0.2]], [["retrieve", 0.2], ["read", 9]]]
    hops = [{"state": "running", "stages": stages} for stages in ended] + [{"state": "failed", "stages": ended[2]}]
    told = run(f"{source}\nfor (const hop of {json.dumps(hops)}) console.log(gainText({{}}, hop))")
    assert told.splitlines() == ["searching…", "searching…", "reading…", "scoring…", "failed"]


@node
def test_only_what_was_tried_and_not_found_is_orange() -> None:
    source = script("coverage_lanes").replace("export default function", "const component = function")
    words = ["not found", "not judged", "not run", "open"]
    told = run(f"{source}\nconsole.log(JSON.stringify({json.dumps(words)}.map(tagClass)))")
    assert json.loads(told) == ["tag missed", "tag", "tag", "tag"]


_HOPS: tuple[dict[str, Any], ...] = (
    {"state": "done", "gain": 1, "covered": 1, "cells": [("new", True, 0.9), ("missed", True, 0.2)]},
    {"state": "done", "gain": 1, "covered": 2, "cells": [("kept", False, 0.9), ("new", True, 0.8)]},
)


def _live_data() -> dict[str, Any]:
    cells = ("state", "targeted", "score")
    hops = [{**hop, "n": n, "cells": [dict(zip(cells, cell, strict=True)) for cell in hop["cells"]]}
            for n, hop in enumerate(_HOPS, 1)]  # fmt: skip
    aspects = [{"n": n, "covered_at": n} for n in (1, 2)]
    return {"status": "finished", "waiting": "Getting ready", "hops": hops, "aspects": aspects}


@node
def test_a_live_run_shows_one_aspect_after_the_other_and_never_what_comes_later() -> None:
    source = script("coverage_lanes").replace("export default function", "const component = function")
    look = (
        "const cells = (hop) => hop.cells.map((cell) => cell.state).join(' ')\n"
        "const seen = [...Array(allBeats(data) + 1).keys()].map((beat) => revealed(data, beat))\n"
        "  .map((shown) => [shown.status, shown.hops.at(-1).covered, shown.hops.map(cells).join(' | ')])\n"
        "console.log(JSON.stringify(seen))"
    )
    told = run(f"{source}\nconst data = {json.dumps(_live_data())}\n{look}")
    assert json.loads(told) == [
        ["running", 0, "open open"],
        ["running", 0, "searching searching"],
        ["running", 1, "new searching"],
        ["running", 1, "new missed"],
        ["running", 1, "new missed | kept searching"],
        ["running", 2, "new missed | kept new"],
        ["finished", 2, "new missed | kept new"],
    ]


@node
def test_a_hop_that_goes_on_shows_no_more_than_it_will_at_the_same_beat_when_it_is_done() -> None:
    source = script("coverage_lanes").replace("export default function", "const component = function")
    done = _live_data()
    *_, last = done["hops"]
    going = {**done, "status": "running", "hops": [done["hops"][0], {**last, "state": "running"}]}
    look = (
        "const states = (hop) => hop.cells.map((cell) => cell.state)\n"
        "const seen = (data, beat) => revealed(data, beat).hops.map((hop) => [hop.covered, states(hop)])\n"
        "const beats = [...Array(allBeats(going) + 1).keys()]\n"
        "console.log(JSON.stringify([going, done].map((data) => beats.map((beat) => seen(data, beat)))))"
    )
    first, second = json.loads(
        run(f"{source}\nconst going = {json.dumps(going)}\nconst done = {json.dumps(done)}\n{look}")
    )
    assert first == second
    assert first[-1][-1] == [2, ["kept", "new"]]


@node
@pytest.mark.parametrize(("hops", "least", "most"), [(1, 2.5, 3.5), (4, 2.5, 4.5), (12, 2.5, 9.0)])
def test_a_run_of_no_time_at_all_is_shown_for_at_least_two_and_a_half_seconds(
    hops: int, least: float, most: float
) -> None:
    source = script("coverage_lanes").replace("export default function", "const component = function")
    data = {**_live_data(), "hops": [_HOPS[1]] * hops}
    loop = (
        f"const data = {json.dumps(data)}\nlet at = 0\n"
        "for (let beat = 0; beat <= allBeats(data); beat += 1) at += pauseBefore(data, beat, at)\n"
        "console.log(at / 1000)"
    )
    assert least - 0.001 <= float(run(f"{source}\n{loop}")) <= most


# ------------------------------------------------------------------ lanes of anything

_HOSTILE = (
    "<img src=x onerror=alert(1)>",
    '"]{}</script><script>alert(1)</script>',
    "__proto__",
    "constructor",
    "\u202egnp.exe",
    "",
    "$& `${x}`",
)
_TEXTS = st.sampled_from(_HOSTILE) | st.text(max_size=20)
_SHARES = st.floats(0, 1)


@st.composite
def _runs(draw: st.DrawFn) -> list[Record]:
    """The records of a run whose events fit together as little as those of a file from a stranger may."""
    names = draw(st.lists(_TEXTS, max_size=5))
    some = st.lists(st.sampled_from([*names, "planned by nobody"]), max_size=4).map(tuple)
    told: list[Event] = [AspectsPlanned(tuple(aspect(name, importance=draw(_SHARES)) for name in names))]
    for hop in draw(st.lists(st.integers(1, 12), max_size=10)):
        queries = [Subquery(draw(_TEXTS), draw(_TEXTS), also=draw(some)) for _ in range(draw(st.integers(0, 2)))]
        told.append(HopStarted(hop, tuple(queries), draw(_TEXTS)))
        if draw(st.booleans()):
            scores = tuple(AspectScore(name, draw(_SHARES)) for name in draw(some))
            sure = draw(st.none() | _SHARES)
            told.append(CoverageAssessed(hop, scores, draw(some), draw(_SHARES), draw(_SHARES), sufficiency=sure))
        if draw(st.booleans()):
            told.append(Decided(hop, Decision(stop=False, reason=draw(_TEXTS))))
    told += draw(st.sampled_from([[], [RunFinished("no_gain", "")], [RunFailed("error", draw(_TEXTS))]]))
    return [Record(n, "", draw(st.floats(0, 1e9)), event) for n, event in enumerate(told, 1)]


_DRIVE = """
const parentElement = new Element("div")
const root = new Element("div")
root.className = "root"
parentElement.append(root)
for (const data of RUNS) {
  const forget = component({ data, parentElement, setTriggerValue() {} })
  pressAll(root)
  goOff(2000)
  const names = data.aspects.map((aspect) => aspect.name)
  const seen = data.live ? names : root.querySelectorAll(".name").map((each) => each.textContent)
  if (JSON.stringify(seen) !== JSON.stringify(names)) throw new Error(`${seen} for ${names}`)
  if (data.leave) forget()
}
"""


@node
@given(st.lists(_runs(), min_size=8, max_size=8))
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
def test_the_lanes_of_any_run_are_drawn_replayed_and_pressed_without_a_fault_or_markup(
    runs: list[list[Record]],
) -> None:
    ways: tuple[dict[str, Any], ...] = ({}, {"interrupted": True}, {"thumbnail": True, "axis": 4})
    drawn: list[dict[str, Any]] = []
    for number, seen in enumerate(map(view, runs)):
        lanes = {**lanes_data(seen, **ways[number % 3]), "heard": 0}
        drawn += [
            {**lanes, "leave": number % 2 == 0},
            {**lanes, "live": True, "waiting": "Getting ready", "leave": True},
        ]
    source = script("coverage_lanes").replace("export default function", "const component = function")
    dom = Path(__file__).with_name("small_dom.js").read_text(encoding="utf-8")
    run(f"{dom}\n{source}\nconst RUNS = {json.dumps(drawn, allow_nan=False)}\n{_DRIVE}")
