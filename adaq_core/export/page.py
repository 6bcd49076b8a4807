"""A run as one HTML file: a dossier with the lanes of the app, which opens from a disk, asks for nothing and prints."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Literal, TypedDict

from adaq_core.answerability import Recalibration
from adaq_core.export.dossier import (
    IN_TEXT_MARKS,
    by_aspect,
    by_source,
    covers_nothing,
    facts,
    gained,
    nearest,
    numbers,
    program_in,
    program_lines,
    source_parts,
    table_rows,
    title_of,
    worked_out,
)
from adaq_core.export.verdict import (
    Verdict,
    count,
    fates,
    first_line,
    lead,
    plain_reason,
    proof_of,
    unreached,
    verdict,
)
from adaq_core.model import Citation, Finding, QueryAspect, ShortAnswer, Statement
from adaq_core.question.parse import is_english
from adaq_core.trace import CellState, HopView, RunStatus, RunView, cell, covered_after

FILES = Path(__file__).parent / "lanes"
"""The script and the style of the lanes, which the app draws with too."""

LaneState = Literal["new", "kept", "missed", "open", "searching", "not_run"]
HopState = Literal["done", "running", "failed", "interrupted"]

STAGE_ORDER = (
    "refine",
    "ask live sources",
    "retrieve",
    "follow links",
    "read",
    "critique",
    "assemble",
    "decide",
    "synthesise",
)
MANY_HOPS = 6
MANY_ASPECTS = 6


class LaneCell(TypedDict):
    """What one hop did for one aspect; `score` is the coverage after the hop, None when it was not assessed.

    `proof` names the passage that newly covered it and how that came into the run; else empty.
    """

    state: LaneState
    targeted: bool
    score: float | None
    proof: str


class LaneAspect(TypedDict):
    """One row: its number from 1, its name, whether it is core, its newest score, the hop that covered it.

    `fate` is the word for what became of it where no hop did.
    """

    n: int
    name: str
    core: bool
    score: float | None
    covered_at: int | None
    fate: str


class LaneHop(TypedDict):
    """One column; times are seconds since the run began, `stages` are (name, seconds) in order of first use.

    `sure` is the run's own estimate, in percent, that all the evidence was there after the hop; None without one.
    `gain` is None where coverage is not judged.
    """

    n: int
    query: str
    more_queries: int
    state: HopState
    start: float
    seconds: float
    stages: list[tuple[str, float]]
    found: int
    gain: int | None
    covered: int
    sure: int | None
    cells: list[LaneCell]


class Lanes(TypedDict):
    """Everything the component needs; `hop` and `aspect` are the selected numbers, for who draws them to set."""

    status: RunStatus
    aspects: list[LaneAspect]
    hops: list[LaneHop]
    stage_names: list[str]
    seconds: float
    hop: int | None
    aspect: int | None
    narrow: bool
    dense: bool
    thumbnail: bool
    pad: int


def lanes_data(
    run: RunView,
    *,
    interrupted: bool = False,
    thumbnail: bool = False,
    axis: int = 0,
    planned: Sequence[QueryAspect] = (),
) -> Lanes:
    """Return the data of the lanes of `run`; `interrupted` means no longer going on, `thumbnail` a small picture.

    `axis` is the number of hops that the columns leave room for, so that runs beside each other have one scale.
    `planned` are the aspects to draw while the run has not planned its own.
    """
    status: RunStatus = "interrupted" if interrupted and run.status == "running" else run.status
    hops = _hops(run, status)
    return Lanes(
        status=status,
        aspects=_aspects(run, run.aspects or planned),
        hops=hops,
        stage_names=_in_order({name for h in hops for name, _ in h["stages"]}),
        seconds=round(run.elapsed, 4),
        hop=None,
        aspect=None,
        narrow=thumbnail or len(hops) > MANY_HOPS,
        dense=thumbnail or len(run.aspects) > MANY_ASPECTS,
        thumbnail=thumbnail,
        pad=max(0, axis - len(hops)),
    )


def stage_seconds(hop: HopView) -> list[tuple[str, float]]:
    """Return the seconds of each stage of a hop in order of first use; a stage used twice is added up."""
    total: dict[str, float] = {}
    for name, start, end in hop.stages:
        took = max(0.0, end - start)
        total[name] = total.get(name, 0.0) + took
    return [(name, round(value, 4)) for name, value in total.items()]


def _in_order(names: set[str]) -> list[str]:
    known = [name for name in STAGE_ORDER if name in names]
    return known + sorted(names - set(STAGE_ORDER))


def _aspects(run: RunView, planned: Sequence[QueryAspect]) -> list[LaneAspect]:
    covered, left = run.covered_at, fates(run)
    return [
        LaneAspect(
            n=n,
            name=aspect.aspect,
            core=aspect.is_core,
            score=run.coverage_score(aspect.aspect) if is_english(run.question) else None,
            covered_at=covered.get(aspect.aspect),
            fate=left.get(aspect.aspect, ""),
        )
        for n, aspect in enumerate(planned, 1)
    ]


def _hops(run: RunView, status: RunStatus) -> list[LaneHop]:
    planned = {aspect.aspect for aspect in run.aspects}
    judged = is_english(run.question)
    hops: list[LaneHop] = []
    for hop in run.hops:
        gain = len(planned & set(hop.newly_covered)) if judged else None
        hops.append(_hop(run, hop, status, gain=gain, covered=len(covered_after(run, hop))))
    return hops


def _hop(run: RunView, hop: HopView, status: RunStatus, *, gain: int | None, covered: int) -> LaneHop:
    return LaneHop(
        n=hop.hop,
        query=hop.queries[0].text if hop.queries else "",
        more_queries=max(0, len(hop.queries) - 1),
        state=_hop_state(run, hop, status),
        start=round(hop.started, 4),
        seconds=round(max(0.0, hop.ended - hop.started), 4),
        stages=stage_seconds(hop),
        found=hop.passages_read,
        gain=gain,
        covered=covered,
        sure=None if hop.sufficiency is None else round(100 * hop.sufficiency),
        cells=[_cell(run, hop, aspect.aspect, status) for aspect in run.aspects],
    )


def _hop_state(run: RunView, hop: HopView, status: RunStatus) -> HopState:
    if hop.done or status == "finished":
        return "done"
    if hop is not run.hops[-1]:
        return "done"
    return status


def _cell(run: RunView, hop: HopView, name: str, status: RunStatus) -> LaneCell:
    seen = cell(run, hop, name)
    state = _lane_state(seen.state, status, targeted=seen.targeted, hop=hop)
    proof = proof_of(run, name, upto=hop.hop) if state == "new" else None
    words = f"{proof.title}, {proof.came}" if proof else ""
    score = seen.score if is_english(run.question) else None  # what nobody judged has none
    return LaneCell(state=state, targeted=seen.targeted, score=score, proof=words)


def _lane_state(state: str, status: RunStatus, *, targeted: bool, hop: HopView) -> LaneState:
    if state in ("new", "kept", "missed"):
        return state  # type: ignore[return-value]
    if hop.percentage is not None or not targeted:
        return "open"
    return "searching" if status == "running" else "not_run"


_LIGHT = {
    "text": "#0F172A", "background": "#FFFFFF", "secondary-background": "#F1F5F9", "border": "#CBD5E1",
    "primary": "#1D4ED8", "link": "#1D4ED8", "blue-text": "#1D4ED8", "orange-text": "#C2410C", "red-text": "#B91C1C",
    "orange-background": "#FFF1E7", "green": "#047857", "green-text": "#047857", "orange": "#C2410C", "red": "#B91C1C",
    "blue": "#1D4ED8", "violet": "#7C3AED", "yellow": "#A16207", "gray": "#64748B", "gray-text": "#475569",
}  # fmt: skip
_DARK = {
    "text": "#F1F5F9", "background": "#0F172A", "secondary-background": "#1E293B", "border": "#334155",
    "primary": "#60A5FA", "link": "#60A5FA", "blue-text": "#60A5FA", "orange-text": "#FB923C", "red-text": "#F87171",
    "orange-background": "#3B2618", "green": "#34D399", "green-text": "#34D399", "orange": "#FB923C", "red": "#F87171",
    "blue": "#60A5FA", "violet": "#A78BFA", "yellow": "#FACC15", "gray": "#94A3B8", "gray-text": "#CBD5E1",
}  # fmt: skip
_COLOURS = """
:root {{ --st-font: system-ui, sans-serif; {light} }}
@media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}
@media print {{ :root {{ {light} }} }}
body {{ color: var(--st-text-color); background: var(--st-background-color); max-width: 75rem; }}
"""
_SCRIPT = """<script type="module">
{script}
const host = document.getElementById("lanes").attachShadow({{ mode: "open" }})
const sheet = document.createElement("style")
sheet.textContent = {style}
const root = document.createElement("div")
root.className = "root"
host.append(sheet, root)
const data = {data}
component({{ data, parentElement: host, setStateValue() {{}}, setTriggerValue() {{}} }})
</script>"""


# Nothing is fetched and nothing is sent: what the file does not hold does not exist for it.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
_STYLE = """
:root { color-scheme: light dark; --line: #CBD5E1; --new: #047857; --missed: #C2410C; --faint: #475569; }
@media (prefers-color-scheme: dark) { :root { --line: #334155; --new: #34D399; --missed: #FB923C; --faint: #CBD5E1; } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; } h3 { font-size: 1rem; margin: 1rem 0 .3rem; }
pre { margin: .2rem 0 .8rem; padding: .4rem .8rem; border: 1px solid var(--line); border-radius: 6px; tab-size: 4; }
pre { font: .85em/1.5 ui-monospace, monospace; white-space: pre-wrap; word-break: break-all; }
pre span { float: right; margin-left: 1rem; user-select: none; font-family: system-ui, sans-serif; }
blockquote { margin: .2rem 0 .8rem; padding-left: .8rem; border-left: 3px solid var(--line); }
table { border-collapse: collapse; } td, th { border: 1px solid var(--line); padding: .3rem .6rem; text-align: left; }
.wide { overflow-x: auto; }
.answer td, .answer th { vertical-align: top; overflow-wrap: anywhere; } .answer p { margin: 0 0 .4rem; }
.answer tbody > tr > * { min-width: 6.5rem; }
.short { margin-bottom: 0; font-size: 1.2rem; } .short + .faint { margin-top: 0; }
.new { color: var(--new); font-weight: 700; } .missed { color: var(--missed); } .faint { color: var(--faint); }
@page { margin: 15mm; }
@media print {
  :root { color-scheme: light; --line: #CBD5E1; --new: #047857; --missed: #C2410C; --faint: #475569; }
  /* The lanes are told by their colours, which browsers leave out on paper. */
  body { max-width: none; margin: 0; -webkit-print-color-adjust: exact; print-color-adjust: exact; }
  h2, h3 { break-after: avoid; } li, tr, blockquote { break-inside: avoid; }
  blockquote:first-of-type { break-before: avoid; }
  .wide { overflow-x: visible; } .answer tbody > tr > td { min-width: 0; }
  .answer tr { break-inside: auto; } .answer p { break-inside: avoid; }
}
"""
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title}</title><style>{style}</style></head><body><main>
<h1>{title}</h1>
{parts}
</main>{script}</body></html>
"""
_CELLS: dict[CellState, str] = {
    "new": "✓ new",
    "kept": "✓",
    "missed": "not found",
    "open": "",
    "not_run": "not run",
}


def run_page(run_id: str, run: RunView, *, judged: Recalibration | None = None, asked: str = "") -> str:
    """Return the page; a reader without scripts gets a table in the place of the lanes. `asked` is when, in words."""
    parts = (
        f"<p>{_lead(verdict(run, interrupted=True, judged=judged))}</p>",
        f"<div id='lanes'></div><noscript>{_table(run)}</noscript>",
        *_answer_html(run),
        *_aspects_html(run),
        *_hops_html(run),
        *_sources_html(run),
        f"<p class='faint'>{' · '.join(escape(line) for line in facts(run_id, run, asked))}</p>",
    )
    return _PAGE.format(
        policy=_POLICY,
        title=escape(run.question or run_id),
        style=_STYLE + _COLOURS.format(light=_variables(_LIGHT), dark=_variables(_DARK)),
        parts="\n".join(parts),
        script=_lanes(run),
    )


def _lead(told: Verdict) -> str:
    """Return the verdict in one paragraph, its title in bold."""
    rest = lead(told).removeprefix(f"{told.title}.")
    return f"<strong>{escape(told.title)}.</strong>{escape(rest)}"


def _lanes(run: RunView) -> str:
    """Return the script element that draws the lanes."""
    data = {**lanes_data(run, interrupted=True), "heard": 0}
    script = lanes_script().replace("export default function", "const component = function")
    return _SCRIPT.format(script=script, style=_embedded(lanes_style()), data=_embedded(data))


def lanes_script() -> str:
    """Return the script of the lanes: an ES module with one default export."""
    return joined(*lanes_parts())


def lanes_parts() -> tuple[Path, ...]:
    """Return the files of the lanes' script, in their order in it."""
    return (FILES / "dom.js", *sorted(FILES.glob("coverage_lanes_*.js")), FILES / "coverage_lanes.js")


def lanes_style() -> str:
    """Return the style of the lanes."""
    return joined(FILES / "base.css", FILES / "coverage_lanes.css")


def joined(*files: Path) -> str:
    """Return the texts of the files, one after the other."""
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def _variables(colours: dict[str, str]) -> str:
    return " ".join(f"--st-{name}-color: {value};" for name, value in colours.items())


def _embedded(value: object) -> str:
    """Return JSON that cannot end the script it stands in."""
    text = json.dumps(value, ensure_ascii=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _table(run: RunView) -> str:
    head = "".join(f"<th scope='col'>hop {hop.hop}</th>" for hop in run.hops)
    rows = "".join(
        f"<tr><th scope='row'>{escape(aspect.aspect)}</th>{_cells(run, aspect.aspect)}</tr>" for aspect in run.aspects
    )
    return f"<table><thead><tr><th scope='col'>aspect</th>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _cells(run: RunView, aspect: str) -> str:
    states = [cell(run, hop, aspect).state for hop in run.hops]
    return "".join(f"<td class='{state}'>{_CELLS[state]}</td>" for state in states)


def _short_html(short: ShortAnswer) -> Iterator[str]:
    yield f"<p class='short'><strong>{escape(first_line(short))}</strong>{numbers(short.citations)}</p>"
    if short.derivation:
        yield f"<p class='faint'>{escape(worked_out(short))}</p>"


def _answer_html(run: RunView) -> Iterator[str]:
    yield "<h2>Answer</h2>"
    if run.answer is None or not (run.answer.statements or run.answer.short):
        yield "<p>The run came to no answer.</p>"
        return
    if run.answer.abstained:
        yield f"<p>{nearest(run)}</p>"
    elif run.answer.short:
        yield from _short_html(run.answer.short)
    elif lacking := unreached(run):
        yield f"<p><strong>{escape(lacking)}</strong></p>"
    yield from _answer_table(run)
    for heading, sentences in by_aspect(run):
        if heading:
            yield f"<h3>{escape(heading)}</h3>"
        yield "<ul>"
        yield from (f"<li>{_item(run, each)}</li>" for each in sentences)
        yield "</ul>"


def _answer_table(run: RunView) -> Iterator[str]:
    """Yield the answer's table as HTML: a column for each thing compared, a row for each aspect."""
    if run.answer is None or run.answer.table is None:
        return
    heads = "".join(f"<th scope='col'>{escape(column)}</th>" for column in run.answer.table.columns)
    yield "<div class='wide' role='region' aria-label='Answer' tabindex='0'><table class='answer'>"
    yield f"<thead><tr><td></td>{heads}</tr></thead><tbody>"
    for label, cells in table_rows(run):
        row = "".join(f"<td>{_cell_html(run, cell)}</td>" for cell in cells)
        yield f"<tr><th scope='row'>{escape(label)}</th>{row}</tr>"
    yield "</tbody></table></div>"


def _cell_html(run: RunView, sentences: Sequence[Statement]) -> str:
    missed = "<p class='missed'>does not cover it</p>" if covers_nothing(run, sentences) else ""
    return missed + ("".join(f"<p>{_sentence(each)}</p>" for each in sentences) or "–")


def _item(run: RunView, statement: Statement) -> str:
    before, program = program_in(run, statement.text)
    if not program:
        return _sentence(statement)
    cited = numbers(statement.citations)
    if before:
        return f"{escape(before)}{cited}<pre><code>{escape(program)}</code></pre>"
    return f"<pre><span>{cited.strip()}</span><code>{escape(program)}</code></pre>"  # no line of its own


def _sentence(statement: Statement) -> str:
    doubt = "" if statement.supported else " <span class='missed'>(no passage backs this sentence)</span>"
    return f"{escape(IN_TEXT_MARKS.sub('', statement.text))}{numbers(statement.citations)}{doubt}"


def _aspects_html(run: RunView) -> Iterator[str]:
    left = fates(run)
    yield "<h2>What covered each aspect</h2><ul>"
    for aspect in run.aspects:
        name = escape(aspect.aspect)
        hop = run.covered_at.get(aspect.aspect)
        proof = run.proof(aspect.aspect)
        if not hop or proof is None or proof.finding is None:
            yield f"<li><strong>{name}</strong>: <span class='missed'>{left[aspect.aspect] or 'covered'}</span></li>"
            continue
        title = escape(title_of(run, proof.finding.passage_id))
        yield f"<li><strong>{name}</strong>: <span class='new'>hop {hop}</span>, {title}"
        yield f"{_quote_html(run, proof.finding)}</li>"
    yield "</ul>"


def _quote_html(run: RunView, quoted: Citation | Finding) -> str:
    program = program_lines(run, quoted)
    told = f"<pre><code>{escape(program)}</code></pre>" if program else escape(quoted.quote)
    return f"<blockquote>{told}</blockquote>"


def _hops_html(run: RunView) -> Iterator[str]:
    yield "<h2>Hops</h2>"
    for hop in run.hops:
        queries = "; ".join(f"“{escape(query.text)}”" for query in hop.queries) or "no query"
        why = f" {escape(plain_reason(hop.decision.reason).rstrip('.'))}." if hop.decision else ""
        yield f"<p><strong>{hop.hop}.</strong> Asked {queries}. Read {count(hop.passages_read, 'passage')}."
        yield f"{escape(gained(run, hop))}{why}</p>"


def _sources_html(run: RunView) -> Iterator[str]:
    if run.answer is None or not run.answer.citations:
        return
    yield "<h2>Sources</h2>"
    for citation, quotes in by_source(run):
        line = escape(", ".join(source_parts(run, citation)))
        quoted = "".join(_quote_html(run, quote) for quote in quotes)
        yield f"<div>[{citation.n}] {line}{quoted}</div>"
