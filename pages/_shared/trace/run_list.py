"""The list of stored runs: search, filters, order and page in the URL, rows to open or to compare."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from adaq_core.export.verdict import first_clause, own_limit, plain_reason
from adaq_core.runs.execute import RunSpec
from adaq_core.store import Criteria, RunRow
from pages._shared.common import backend
from pages._shared.common.chrome import objecting, show_objection
from pages._shared.common.text import literal, short, visible
from pages._shared.common.words import count, method_label, seconds, stop_title
from pages._shared.run.verdict import SHOWN_OUTCOMES, outcome_words
from pages._shared.trace.export import import_popover, show_imported
from pages._shared.trace.run_filters import PAGE_SIZE, RATINGS, clear, filters, take_chosen, take_linked, views_popover
from pages._shared.trace.selection import keep_list, open_run

MOST_COMPARED = 4
# The rows come after the pages below them are drawn, which would stand at the top for a moment and jump away.
_PLACE = f"<style>.st-key-trace_place {{min-height: {33 * (PAGE_SIZE + 1)}px}}</style>"


def show() -> None:
    """Draw the list of runs."""
    take_chosen()
    total = backend.store().count()
    st.title("Trace explorer", anchor=False)
    show_objection()
    show_imported()
    if not total:
        _empty()
        return
    if unknown := take_linked():
        st.info(literal(unknown_words(unknown)), icon=":material/link_off:")
    search = st.container(horizontal=True, vertical_alignment="top", key="trace_filters")
    bar = st.container(horizontal=True, vertical_alignment="center", key="trace_actions")
    criteria, order = filters(search, bar)
    matching = backend.store().count(**criteria)
    if "in_experiment" in criteria:
        total = backend.store().count(in_experiment=False)
    if not matching:
        _nothing_matches(total)
        return
    _list(bar, criteria, order=order, matching=matching, total=total)


def unknown_words(unknown: Sequence[str]) -> str:
    """Return a sentence on the filters of a link that are not known."""
    filters, were = ("filter", "It was") if len(unknown) == 1 else ("filters", "They were")
    return f"Unknown {filters} in this link: {', '.join(short(each, 60) for each in unknown)}. {were} ignored."


def _list(bar: DeltaGenerator, criteria: Criteria, *, order: str, matching: int, total: int) -> None:
    pages = -(-matching // PAGE_SIZE)
    if pages > 1 and "t_page" not in st.query_params:
        st.html(_PLACE)
    table = st.container(key="trace_place")
    page = st.pagination(pages, key="t_page", bind="query-params") if pages > 1 else 1
    before = (min(page, pages) - 1) * PAGE_SIZE
    rows = backend.store().runs(order=order, limit=PAGE_SIZE, offset=before, **criteria)
    keep_list(order, criteria, [row.run_id for row in rows], first=before)
    with table:
        chosen = _table(rows)
    if going_on := [row.run_id for row in rows if not row.over]:
        st.fragment(_follow, run_every=_FOLLOWED_SECONDS)(going_on)
    with bar:
        _actions([rows[i] for i in chosen if i < len(rows)], matching=matching, total=total)


_FOLLOWED_SECONDS = 1.0


def _follow(going_on: Sequence[str]) -> None:
    """Redraw the list as soon as one of these runs has ended."""
    if has_ended(going_on):
        st.rerun()


def has_ended(run_ids: Sequence[str]) -> bool:
    """Whether one of these runs is over or gone."""
    rows = [backend.row(run_id) for run_id in run_ids]
    return any(row is None or row.over for row in rows)


def _actions(chosen: Sequence[RunRow], *, matching: int, total: int) -> None:
    title = count(total, "run") if matching == total else f"{matching:,} of {count(total, 'run')}"
    st.markdown(f"**{title}**" + (f" · {len(chosen)} selected" if chosen else ""), width="content")
    st.space("stretch")
    import_popover()
    views_popover()
    one = chosen[0].run_id if len(chosen) == 1 else ""
    st.button(
        "Open",
        icon=":material/timeline:",
        disabled=not one,
        on_click=open_run,
        args=(one,),
        help="Select one run first.",
    )
    compared = st.button(
        "Compare selected",
        icon=":material/compare:",
        disabled=not comparable(chosen),
        help=f"Select 2 to {MOST_COMPARED} runs of the same question, by other methods or by the same one.",
    )
    if compared:
        st.switch_page("compare_baselines.py", query_params={"group": ",".join(row.run_id for row in chosen)})


def comparable(rows: Sequence[RunRow]) -> bool:
    """Whether these runs can be compared: a few, of one question; two of the same method are shown as a difference."""
    different = len({row.run_id for row in rows}) == len(rows)
    return different and 2 <= len(rows) <= MOST_COMPARED and len({row.question for row in rows}) == 1


def _table(rows: Sequence[RunRow]) -> list[int]:
    def opened() -> None:
        open_run(rows[st.session_state["trace_open_click"].row].run_id)

    event = st.dataframe(
        [_values(row) for row in rows],
        key="trace_table",
        hide_index=True,
        height="content",
        on_select="rerun",
        selection_mode="multi-row",
        alt="Stored runs: question, method, status, coverage by hop, figures",
        column_config=_columns(rows, opened),
    )
    return list(event.selection.rows)


def _columns(rows: Sequence[RunRow], opened: Callable[[], None]) -> dict[str, Any]:
    config = st.column_config
    columns: dict[str, Any] = {
        "open": config.ButtonColumn("", width=70, on_click=opened, key="trace_open_click", pinned=True),
        "question": config.TextColumn("Question", width=328),
        "outcome": config.MultiselectColumn(
            "Outcome",
            width=120,
            options=list(SHOWN_OUTCOMES.values()),
            color=[_COLOURS.get(name, "gray") for name in SHOWN_OUTCOMES],
            help="Answered: every aspect is covered. Partly: some are. Not certain: passages are quoted, and no aspect "
            "is covered. Nothing found: no answer. Not judged: the question is not in English. Not clear: it says too "
            "little.",
        ),
        "stopped": config.TextColumn("Stopped because", width=225),
        "method": config.TextColumn("Method", width=80),
        "covered": config.TextColumn("Covered", width=72, alignment="right"),
        "by_hop": config.BarChartColumn(
            "By hop", width=80, y_min=0.0, y_max=1.0, help="Share of aspects covered after each hop."
        ),
        "hops": config.NumberColumn("Hops", width=56),
        "elapsed": config.TextColumn("Time", width=72, alignment="right"),
        "read": config.NumberColumn("Read", width=56, help="Passages read."),
        "tokens": config.NumberColumn("Tokens", width=72) if any(row.tokens for row in rows) else None,
        "rating": config.TextColumn("Rating", width=80) if any(row.rating for row in rows) else None,
        "tags": config.MultiselectColumn("Tags", width=120) if any(row.tags for row in rows) else None,
        "started": config.DatetimeColumn("Started", format="distance", width=120),
        "corpus": config.TextColumn("Corpus", width=90),
        "id": config.TextColumn("Run", width=100),
    }
    return columns


_COLOURS: dict[str, str] = {
    "running": "blue",
    "answered": "green",
    "partly": "yellow",
    "uncertain": "yellow",
    "nothing": "orange",
    "interrupted": "orange",
    "failed": "red",
}


def _values(row: RunRow) -> dict[str, Any]:
    return {
        "open": "Open",
        "question": visible(row.question),
        "method": method_label(row.method),
        "outcome": [outcome_words(row)],
        "covered": f"{row.aspects_covered} / {row.aspects_total}" if row.percentage is not None else "–",
        "by_hop": _by_hop(row),
        "stopped": stop_words(row),
        "started": row.created_at,
        "hops": row.hops,
        "elapsed": seconds(row.elapsed or None),
        "read": row.passages_read,
        "tokens": row.tokens,
        "rating": next((words for words, rating in RATINGS.items() if rating == row.rating), ""),
        "tags": list(row.tags),
        "corpus": row.corpus,
        "id": row.run_id,
    }


# So many hops stand beside each other, so that a run of one hop is no block of colour and runs can be compared by eye.
_LEAST_HOPS_DRAWN = 6


def _by_hop(row: RunRow) -> list[float]:
    """Return the share of aspects covered after each hop, padded with zeros for hops that a short run did not need."""
    return [*row.coverage_by_hop, *([0.0] * (_LEAST_HOPS_DRAWN - len(row.coverage_by_hop)))]


# The class of an error at the start of its sentence, which is for the log.
_ERROR = re.compile(r"^(?:[A-Z]\w*Error|(?:[A-Z][a-z]{1,20}){2,6}): ")


# The column holds so many characters; it would cut a longer clause within a word.
_LONGEST_CLAUSE = 38


def stop_words(row: RunRow) -> str:
    """Return why the run ended, in a clause that fits its column; "" while it goes on."""
    return short(_clause(row).removesuffix("."), _LONGEST_CLAUSE)


def _clause(row: RunRow) -> str:
    if row.stop_reason is None or row.status == "failed":
        return _ERROR.sub("", row.reason.partition("\n")[0]) if row.over else ""
    if row.stop_reason == "no_gain" and row.reason:
        return first_clause(plain_reason(row.reason))
    if row.stop_reason == "max_hops" and row.hops < row.settings.max_hops:
        return own_limit(row.hops, row.reason).capitalize()
    return stop_title(row.stop_reason).removeprefix("Stopped: ").capitalize()


def _empty() -> None:
    with st.container(border=True):
        st.markdown("**No runs yet**")
        st.markdown(
            "Every question you ask is kept here as a **run**: the aspects it was split into, each hop with its "
            "query and the reason for it, the passages it read, what they covered, and why it stopped. Nothing leaves "
            "this computer."
        )
        with st.container(horizontal=True, vertical_alignment="center"):
            if any(card.name == backend.SAMPLE_CORPUS for card in backend.corpora()):
                st.button("Run 3 sample questions", icon=":material/play_arrow:", type="primary", on_click=_run_samples)
            import_popover()
            st.page_link("ask.py", label="Ask a first question", icon=":material/forum:")


def _run_samples() -> None:
    """Ask three questions: the first sample, one that compares, one that the corpus cannot answer."""
    samples = backend.sample_questions()
    wanted = [samples[0], *samples[2:3], *samples[-1:]]
    with objecting():
        for sample in wanted:
            backend.runner().submit(RunSpec("adaptive", sample.question), corpus=backend.SAMPLE_CORPUS)


def _nothing_matches(total: int) -> None:
    none = f"None of the {total:,} runs matches" if total > 1 else "The only run does not match"
    st.info(f"{none} these filters.", icon=":material/filter_alt_off:")
    st.button("Clear the filters", on_click=clear, icon=":material/close:")
