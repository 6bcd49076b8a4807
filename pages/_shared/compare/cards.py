"""What a comparison comes to in a sentence, a card for each method, and coverage against budget as step lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from adaq_core.question.parse import is_english
from adaq_core.text.tokens import upper_first
from adaq_core.trace import RunView
from pages._shared.common import backend
from pages._shared.common.chrome import objecting, row_height
from pages._shared.common.text import coded, full_stop, literal, short
from pages._shared.common.words import count, listed, seconds, signed
from pages._shared.components.coverage_lanes.lanes import lanes_data, lanes_thumbnail, thumbnail_height
from pages._shared.run.comparison import AXES, Axis, Card, Column, cards, curve
from pages._shared.run.data import covered_count, open_aspects
from pages._shared.run.model_calls import doing, fell_line, fell_reasons, model_use
from pages._shared.run.verdict import ICONS, Verdict, before_first_hop, verdict, verdict_help

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

    from adaq_core.store.rows import RunRow

# Streamlit puts the theme's first chart colour in the place of this, in light and dark; the grey is seen on both.
_OWN, _OTHERS = "#000001", "rgba(128,128,128,.4)"
# Lines run on flat beyond the last step of the longest, so that the last step is a step.
_BEYOND = 1.12


def conclusion(columns: Sequence[Column]) -> str:
    """Return the comparison's result as one sentence; "" before two methods have finished or failed.

    It speaks of ADAQ where that is compared, else of the method that covers most for the fewest passages.
    """
    over = [column for column in columns if not column.running and column.view.last_assessed]
    done = [column for column in over if not column.failed]
    if not done or len(over) < 2:
        return ""
    if not any(covered_count(column.view) for column in done):
        return f"{_nothing_covered(done[0].view)}{_rest(columns)}"
    if len(done) > 1 and len({covered_count(column.view) for column in done}) == 1:
        return f"{_all_alike(done)}{_rest(columns)}"
    lead = next((column for column in done if column.method == "adaptive"), None) or min(done, key=_rank)
    others = sorted((column for column in done if column is not lead), key=_rank)
    whole = f"{lead.label} covers {covered_count(lead.view)} of {count(len(lead.view.aspects), 'aspect')}"
    against = "; ".join(_comparisons(lead, others))
    return f"{whole}: {against}.{_rest(columns)}" if against else f"{whole}.{_rest(columns)}"


def _nothing_covered(run: RunView) -> str:
    """Return the sentence for when no method covers anything, so that none is better."""
    if not is_english(run.question):
        return "No answer was judged: only questions in English are judged."
    return "None of the methods covers any aspect of this question."


def _all_alike(columns: Sequence[Column]) -> str:
    """Return the sentence for when all methods cover equally many aspects: in how many hops each did."""
    run = columns[0].view
    every = "Both" if len(columns) == 2 else f"All {len(columns)}"
    aspects = {1: "the only aspect", 2: "both aspects"}.get(len(run.aspects), f"all {len(run.aspects)} aspects")
    part = f"{covered_count(run)} of {count(len(run.aspects), 'aspect')}"
    ways: dict[str, list[Column]] = {}
    for column in sorted(columns, key=_rank):
        cost = column.view.cost
        way = f"in {count(cost.hops, 'hop')} with {count(cost.passages_read, 'passage')} read"
        ways.setdefault(way, []).append(column)
    told = "; ".join(f"{listed([column.label for column in those])} {way}" for way, those in ways.items())
    how = f", {next(iter(ways))}" if len(ways) == 1 else f": {told}"
    what = "runs" if any(column.mark for column in columns) else "methods"
    return f"{every} {what} cover {part if open_aspects(run) else aspects}{how}.{_who_states(columns)}"


def _who_states(columns: Sequence[Column]) -> str:
    """Return which of the equally good methods state a short answer while the others only quote."""
    stating = [column for column in columns if column.view.answer and column.view.answer.short]
    if not stating or len(stating) == len(columns):
        return ""
    names, s = listed([column.label for column in stating]), "s" if len(stating) == 1 else ""
    return f" Only {names} state{s} a short answer."


def _rest(columns: Sequence[Column]) -> str:
    """Return sentences on the methods that were stopped, that failed, or that have not ended."""
    stopped = [column.label for column in columns if column.view.stop_reason == "user_stop"]
    broken = [column.label for column in columns if column.failed]
    going = [column.label for column in columns if column.running]
    be, were = ("is" if len(going) == 1 else "are"), ("it was" if len(stopped) == 1 else "they were")
    told = (
        f" You stopped {listed(stopped)} before {were} done." if stopped else "",
        f" {listed(broken)} did not finish." if broken else "",
        f" {listed(going)} {be} still running." if going else "",
    )
    return "".join(told)


_CONCLUDED = 3


def _rank(column: Column) -> tuple[int, int, str]:
    return -covered_count(column.view), column.view.cost.passages_read, column.method


def _comparisons(lead: Column, others: Sequence[Column]) -> list[str]:
    """Return what `lead` does better or worse than the others, who are grouped where the same holds for them."""
    alike: dict[tuple[str, str], list[Column]] = {}
    for other in others:
        alike.setdefault(_against(lead, other), []).append(other)
    groups = list(alike.items())
    sentences = [f"{gain} {listed([c.label for c in those])}{how}" for (gain, how), those in groups[:_CONCLUDED]]
    behind = [column for _, those in groups[_CONCLUDED:] for column in those]
    gains = {column.label: covered_count(lead.view) - covered_count(column.view) for column in behind}
    fewer = {name: gain for name, gain in gains.items() if gain > 0}
    if not fewer:
        return sentences
    same = f"{min(fewer.values())} " if len(set(fewer.values())) == 1 else ""
    return [*sentences, f"and {same}more than {listed([*fewer])}"]


def _against(lead: Column, other: Column) -> tuple[str, str]:
    """Return the words before and after the name of `other` when `lead` is compared with it."""
    gain = covered_count(lead.view) - covered_count(other.view)
    read = lead.view.cost.passages_read - other.view.cost.passages_read
    passages = "passage" if abs(read) == 1 else "passages"
    more_or_fewer = (
        f"{abs(read):,} {'more' if read > 0 else 'fewer'} {passages} read" if read else "as many passages read"
    )
    if gain:
        return f"{abs(gain)} {'more' if gain > 0 else 'fewer'} than", f", with {more_or_fewer}"
    hops, its = lead.view.cost.hops, other.view.cost.hops
    if hops != its:
        return "as many as", f", in {count(hops, 'hop')} instead of {its}"
    return "as many as", f", with {more_or_fewer}" if read else ""


def curve_figure(columns: Sequence[Column], axis: Axis, *, of: Sequence[Column]) -> Figure:
    """The one step line of some columns before those of the others in grey: many on top of each other hide each other.

    Columns that are drawn together have the same steps.
    """
    from plotly.graph_objects import Figure, Scatter

    most = max((len(column.view.aspects) for column in columns), default=1)
    end = _BEYOND * max((curve(column, axis)[0][-1] for column in columns), default=1.0)
    figure = Figure()
    for column in [*(each for each in columns if each not in of), of[0]]:
        xs, ys = curve(column, axis, end=end)
        own = column is of[0]
        line = {"shape": "hv", "width": 3 if own else 1.5, "color": _OWN if own else _OTHERS}
        label = listed([each.label for each in of]) if own else column.label
        hover = f"{label}: %{{y}} of {most} aspects at %{{x}} {AXES[axis].lower()}<extra></extra>"
        figure.add_trace(Scatter(x=xs, y=ys, mode="lines", line=line, hovertemplate=hover))
    figure.update_layout(
        height=150,
        margin={"l": 30, "r": 6, "t": 6, "b": 40},
        xaxis={"title": AXES[axis], "range": [0, end], "dtick": _tick(end) if axis == "hops" else None},
        yaxis={"range": [-0.15, most + 0.3], "dtick": _tick(most)},
        showlegend=False,
        hovermode="closest",
    )
    return figure


def _tick(end: float) -> int:
    """Return the distance of whole-number ticks that puts at most six on an axis."""
    return max(1, round(end / 6))


def curve_words(columns: Sequence[Column], axis: Axis, *, of: Sequence[Column]) -> str:
    """Return the chart in words, for those who cannot see it."""
    xs, ys = curve(of[0], axis)
    others = len(columns) - len(of)
    grey = f", the other {count(others, 'method')} in grey" if others else ""
    reach = "reaches" if len(of) == 1 else "reach"
    names = listed([column.label for column in of])
    return f"Aspects covered against {AXES[axis].lower()}: {names} {reach} {ys[-1]} at {xs[-1]:g}{grey}."


TICK_SECONDS = 0.6
TABLE_FROM = 5
# As wide as what stands in them; what a method came to has the rest, in lines of about so many letters.
_FIGURES = {"Covered": 72, "Difference": 84, "Read": 60, "Hops": 56, "Time": 72, "Tokens": 72}
_RESULT, _LETTERS = 560, 92
_HOPS = re.compile(r"\AStopped after [\d,]+ hops?: ")
_LONGEST_WHY = 240  # characters; an error of a server may go on for lines
_TRACE, _LANES = "trace_explorer.py", "compare_lanes_"


def show_cards(columns: Sequence[Column], reference: str | None) -> None:
    """Draw the cards, refreshed in place while a run goes on."""
    marks = tuple((column.run_id, column.mark) for column in columns)
    running = sum(column.running for column in columns)
    st.fragment(_live, run_every=TICK_SECONDS if running else None)(marks, reference, running)


def _live(marks: tuple[tuple[str, str], ...], reference: str | None, were_running: int) -> None:
    known = ((backend.row(run_id), mark) for run_id, mark in marks)
    rows = [(row, mark) for row, mark in known if row is not None]
    running = sum(not row.over for row, _ in rows)
    if running != were_running:
        st.rerun()
    _draw([column_of(row, mark) for row, mark in rows], reference)


def column_of(row: RunRow, mark: str = "") -> Column:
    """Return the comparison column of a stored run."""
    stored = backend.stored_run(row.run_id)
    run, records = (stored.run, stored.records) if stored else (RunView(), ())
    now = "" if row.over else doing(records, row.model, off=row.settings.ablate)
    return Column(row.run_id, row.method, run, row.status, mark, row.reason, model_use(records), now)


def _draw(columns: Sequence[Column], reference: str | None) -> None:
    if len(columns) >= TABLE_FROM:
        _table(columns, reference)
        return
    base = next((column for column in columns if column.name == reference), None)
    axis = max((len(column.view.hops) for column in columns), default=0)
    rows = max((len(column.view.aspects) for column in columns), default=0)
    # The lanes keep their place while their script is loaded: what is below them would stand there, and jump away.
    st.html(f"<style>[class*='st-key-{_LANES}'] {{min-height: {thumbnail_height(rows)}px}}</style>")
    for place, card in zip(st.columns(max(1, len(columns))), cards(columns, reference), strict=False):
        with place, st.container(border=True, height="stretch", gap="xsmall"):
            _card(card, base, axis=axis)


def _table(columns: Sequence[Column], reference: str | None) -> None:
    """Draw a row for each method with a link to its trace; for more methods than cards have room for."""
    rows = table_rows(columns, reference)
    figures = {
        name: width for name, width in _FIGURES.items() if name != "Tokens" or any(c.view.calls for c in columns)
    }
    lines = max(-(-len(row["Result"]) // _LETTERS) for row in rows)
    if common := waited_for(columns):
        st.caption(f":shimmer[{literal(common)}]")
    traces = [f"/trace_explorer?run={column.run_id}" for column in columns]
    st.dataframe(
        [{**row, "Trace": trace} for row, trace in zip(rows, traces, strict=True)],
        hide_index=True,
        height="content",
        row_height=row_height(lines),
        column_order=("Method", *figures, "Trace", "Result"),  # what a narrow window cuts is the end of a sentence
        alt="The methods, their figures and their results",
        column_config={
            "Method": st.column_config.TextColumn(width=100),
            **{name: st.column_config.TextColumn(width=width, alignment="right") for name, width in figures.items()},
            "Result": st.column_config.TextColumn(width=_RESULT),
            "Trace": st.column_config.LinkColumn(width=64, display_text="Open"),
        },
    )
    with st.container(horizontal=True, gap="small"):
        for column in columns:
            if column.failed:
                _failed(column, label=f"Retry {column.label}")


def table_rows(columns: Sequence[Column], reference: str | None) -> list[dict[str, str]]:
    """Return the figures of each column as a row of words; what all of them wait for is said above, once."""
    common = waited_for(columns)
    rows = [_table_row(card) for card in cards(columns, reference)]
    return [{**row, "Result": _WAITING if common and row["Result"] == common else row["Result"]} for row in rows]


def waited_for(columns: Sequence[Column]) -> str:
    """Return what several methods that have not begun wait for, where that is the same; "" otherwise."""
    words = [_doing(card) for card in cards(columns, None) if card.column.running and not card.hops]
    alike = len(words) > 1 and len({*words}) == 1
    return words[0] if alike and words[0] != _WAITING else ""


_WAITING = "Waiting to start"


def _table_row(card: Card) -> dict[str, str]:
    outcome = verdict(card.column.view, interrupted=card.column.failed, reason=card.column.reason)
    covered = "–" if card.covered is None else f"{card.covered} / {card.of}"
    delta = "reference" if card.reference else "–" if card.delta is None else signed(card.delta)
    return {
        "Method": card.column.label,
        "Covered": covered,
        "Difference": delta,
        "Read": f"{card.passages_read:,}" if card.hops else "–",
        "Hops": str(card.hops or "–"),
        "Time": seconds(card.seconds if card.hops and not card.column.running else None),
        "Tokens": "–" if card.tokens is None else f"{card.tokens:,}",
        "Result": _doing(card) if card.column.running else f"{_why(outcome)} {replaced(card.column)}".strip(),
    }


def _why(outcome: Verdict) -> str:
    """Return why a run ended, without repeating its number of hops."""
    return upper_first(_HOPS.sub("", _came_to(outcome)))


def _card(card: Card, base: Column | None, *, axis: int) -> None:
    which = f" :gray[:small[{literal(card.column.run_id)}]]" if card.column.mark else ""
    st.markdown(f"**{card.column.label}**{which}")
    if card.column.running:
        st.caption(f":shimmer[{literal(_doing(card))}]")
    covered = "–" if card.covered is None else str(card.covered)
    st.metric(
        "Aspects covered",
        f"{covered} / {card.of or '–'}",
        delta=delta_words(card, base),
        delta_color="off",
        delta_arrow="off",
    )
    if card.hops:
        st.caption(" · ".join(figures(card)))
    if card.column.view.last_assessed and not card.column.running:
        lanes_thumbnail(lanes_data(card.column.view, thumbnail=True, axis=axis), key=f"{_LANES}{card.column.run_id}")
    if not card.column.running:
        _verdict(card.column)
    if card.column.failed:
        _failed(card.column)
    st.page_link(_TRACE, label="Open trace", icon=":material/timeline:", query_params={"run": card.column.run_id})


def figures(card: Card) -> list[str]:
    """Return what a method used; its time only once it has ended."""
    return [
        f"{count(card.passages_read, 'passage')} read",
        count(card.hops, "hop"),
        *([] if card.column.running else [seconds(card.seconds)]),
        "no model" if card.tokens is None else f"{card.tokens:,} tokens",
    ]


def _verdict(column: Column) -> None:
    shown = verdict(column.view, interrupted=column.failed, reason=column.reason)
    st.markdown(f":small[{ICONS[shown.outcome]} {literal(_came_to(shown))}]", help=verdict_help(shown))
    if shown.unchecked:
        st.markdown(f":small[**Could not be checked:** {literal(shown.unchecked)}]")
    if told := by_rules(column):
        st.markdown(f":small[:material/rule: {coded(told)}]")


def by_rules(column: Column) -> str:
    """Return, as sentences, which replies of a model were not used and why."""
    return f"{replaced(column)} {short(fell_reasons(column.use), _LONGEST_WHY)}".strip()


def replaced(column: Column) -> str:
    """Return how many replies of a model were not used, as a sentence."""
    told = fell_line(column.use)
    return full_stop(upper_first(told)) if told else ""


def _came_to(outcome: Verdict) -> str:
    """Return what a run came to, without repeating its covered aspects."""
    return outcome.why if outcome.outcome in ("answered", "partly") else f"{outcome.title}. {outcome.why}"


def _doing(card: Card) -> str:
    if card.hops:
        return card.column.now or "Running"
    row = backend.row(card.column.run_id)
    if row is None or (row.status == "queued" and backend.is_at_work()):
        return _WAITING
    return before_first_hop(row, card.column.view)


def delta_words(card: Card, base: Column | None) -> str | None:
    """Return a card's difference to `base`, or what it waits for; None without a reference."""
    if base is None:
        return None
    if card.reference:
        return "reference"
    if card.delta is not None:
        return f"{signed(card.delta)} vs {base.label}"
    if base.running and not card.column.running:
        return f"waiting for {base.label}"
    return "not measured" if card.column.failed else "–"


def _failed(column: Column, label: str = "Retry") -> None:
    key = f"compare_retry_{column.run_id}"
    if st.button(label, icon=":material/restart_alt:", key=key, on_click=_retry, args=(column,)):
        st.rerun()  # the whole page, not the cards alone: what stops it is said above them


def _retry(column: Column) -> None:
    """Run a failed method again; the address then names the new run."""
    group = st.query_params.get("group") or st.query_params.get("run", "")
    compared = [row.run_id for row in backend.group_rows(group)]
    with objecting():
        made = backend.runner().resume(column.run_id)
        if column.run_id in group.split(","):
            st.query_params["group"] = ",".join(made if each == column.run_id else each for each in compared)
