"""The Ask page when the run is over: the answer, the verdict, what covered each aspect, and what one can do next."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from math import ceil
from typing import TYPE_CHECKING

import streamlit as st

from adaq_core.events import Record
from adaq_core.export.dossier import plain_answer
from adaq_core.export.verdict import is_whole
from adaq_core.question.parse import is_english
from adaq_core.trace import RunView
from pages._shared.ask.live_view import show_check, show_coverage, show_steps, show_use, state_badge
from pages._shared.ask.start import again, follow, leave_run
from pages._shared.common import backend
from pages._shared.common.backend import stored_run
from pages._shared.common.chrome import objecting, row_height, show_downloads
from pages._shared.common.text import literal, quoted, short
from pages._shared.common.words import count, method_label
from pages._shared.components.answer.view import show_answer, show_conflicts, support_line
from pages._shared.components.marked_text.passage_view import show_passage
from pages._shared.run.claims import STAGES, Whereabouts, not_used, whereabouts
from pages._shared.run.data import (
    CoverageRow,
    files,
    headline,
    notice_words,
    only_looked_at,
    open_aspects,
    sent_for,
    untried,
)
from pages._shared.run.model_calls import fell_line, model_use
from pages._shared.run.sources import show_sources
from pages._shared.run.verdict import before_any_hop, is_unclear, proof_of, resume_label, show_verdict_block

if TYPE_CHECKING:
    from adaq_core.store.rows import RunRow


def actions(row: RunRow) -> None:
    """Draw the buttons for what can be done next with a finished run, in one row."""
    with st.container(horizontal=True, vertical_alignment="center", key="ask_actions"):
        _link("trace_explorer.py", "Open trace", ":material/timeline:", {"run": row.run_id})
        _link("compare_baselines.py", "Compare with baselines", ":material/compare:", {"group": row.run_id})
        st.button("Edit aspects and ask again", icon=":material/edit:", on_click=again, args=(row.question,))
        st.button("New question", icon=":material/add:", on_click=leave_run, key="ask_new")
        _share(row)


# What a colleague can read without ADAQ; the Trace explorer offers every kind of file.
_TO_READ = ("html", "markdown")


def _share(row: RunRow) -> None:
    """Offer the answer as text to copy, as a page to send, and as the address that opens it here."""
    menu = st.popover("Share", icon=":material/ios_share:", key="ask_share", on_change="rerun")
    stored = stored_run(row.run_id) if menu.open else None
    if stored is None:
        return  # the files are made when somebody looks at them
    with menu:
        if text := plain_answer(stored.run):
            st.caption("The answer with its sources, to copy:")
            # A box that scrolls needs a stop of the Tab key in it, which the button to copy is.
            with st.container(height=180, border=False):
                st.code(text, language=None, wrap_lines=True)
        st.caption("A file that opens without ADAQ:")
        show_downloads(files(stored, only=_TO_READ))
        st.caption("This address opens the run again, on this computer:")
        st.code(f"{(st.context.url or '').split('?')[0]}?run={row.run_id}", language=None, wrap_lines=True)


def _link(page: str, label: str, icon: str, params: dict[str, str]) -> None:
    # In a callback, so that the page is not drawn once more before it is left.
    st.button(label, icon=icon, key=f"ask_to_{page}", on_click=lambda: st.switch_page(page, query_params=params))


def search_aspect(row: RunRow, aspect: str, number: int, *, help: str) -> None:
    """Draw a button that continues the run with one more hop for `aspect`."""
    st.button(
        "Search again",
        key=f"ask_more_{number}",
        icon=":material/travel_explore:",
        help=help,
        type="tertiary",
        wrap=True,
        on_click=_follow,
        args=(lambda: backend.runner().continue_with(row.run_id, aspect),),
    )


def resume_button(row: RunRow, label: str) -> None:
    """Draw a button that resumes the run from its last complete hop."""
    st.button(
        label,
        key="ask_resume",
        icon=":material/restart_alt:",
        on_click=_follow,
        args=(lambda: backend.runner().resume(row.run_id),),
    )


def _follow(submit: Callable[[], str]) -> None:
    with objecting():
        follow(submit())


def opinion(row: RunRow, *, answered: bool) -> None:
    """Draw thumbs and a note, which are stored with the run."""
    with st.container(horizontal=True, vertical_alignment="center", key="ask_opinion"):
        st.caption(f"Was this {'answer' if answered else 'run'} useful?", width="content")
        rated = {1: 1, -1: 0}.get(row.rating or 0)
        st.feedback("thumbs", key=f"ask_rating_{row.run_id}", default=rated, on_change=_rate, args=(row.run_id,))
        with st.popover("Note", icon=":material/edit_note:"):
            key = f"ask_note_{row.run_id}"
            st.text_area("Your note on this run", value=row.note, key=key, on_change=_note, args=(row.run_id,))
            st.caption("Saved with the run when you leave the field.")


def _rate(run_id: str) -> None:
    thumb = st.session_state[f"ask_rating_{run_id}"]
    backend.store().annotate(run_id, rating={1: 1, 0: -1}.get(thumb, 0))


def _note(run_id: str) -> None:
    backend.store().annotate(run_id, note=str(st.session_state[f"ask_note_{run_id}"] or ""))


def show_done(row: RunRow, run: RunView, records: Sequence[Record]) -> None:
    """Draw a finished run: the answer first, then all that led to it."""
    figures = [method_label(row.method), *headline(run, model=row.model), f"corpus {row.corpus}"]
    st.caption(" · ".join(literal(figure) for figure in figures))
    actions(row)
    left, right = st.columns([3, 2], gap="large")
    asked = is_english(run.question) and not is_unclear(run)
    says_nothing = run.answer is not None and run.answer.abstained and not run.answer.statements
    fell = bool(fell_line(model_use(records)))
    with left:
        if fell:  # that rules took over is read before what they made
            show_use(row, records)
        _answer(row, run)
        if not fell:
            show_use(row, records)
    with left if says_nothing else right:  # there is nothing that could stand beside the verdict
        show_verdict_block(run, interrupted=row.over, reason=row.reason)
        _resume(row, run)
        if asked or not says_nothing:
            show_coverage(run, offered=_not_covered(row, run))
    with right:
        show_sources(row, run, key="ask")
        if run.answer:
            _hops(run)
        opinion(row, answered=run.answer is not None and not run.answer.abstained)
    _not_used(row, run)


def _resume(row: RunRow, run: RunView) -> None:
    if label := resume_label(run, interrupted=row.status == "interrupted"):
        resume_button(row, label)


def _spelling(run: RunView) -> None:
    """Say which words no passage has, and which were searched in their place."""
    for notice in run.noticed:
        if notice.stage == "spelling":
            st.info(literal(notice_words(notice)), icon=":material/spellcheck:")


def _answer(row: RunRow, run: RunView) -> None:
    _spelling(run)
    if run.answer is None:
        st.markdown("**How far it got**" if run.hops else f"**How far it got**  \n{literal(before_any_hop(run))}")
        show_steps(run, open_last=True)
    elif run.answer.statements or not run.answer.abstained:
        show_answer(run, key=f"answer_{row.run_id}", run_id=row.run_id)
        show_conflicts(run.answer, key="ask")
        _support(run)


def _support(run: RunView) -> None:
    if run.answer is None or run.answer.abstained:
        return
    if line := support_line(run):
        st.caption(f":material/verified: {line}")
    show_check(run)


# More are folded away: the ways on and the question box are read for too.
MOST_MISSING = 6


def _not_covered(row: RunRow, run: RunView) -> Collection[str]:
    """List the aspects that are not covered, each with a button to search again, and return their names."""
    still = open_aspects(run)
    asked = is_english(run.question) and not is_unclear(run)
    if not still or not asked or row.status not in ("finished", "cancelled"):
        return ()
    with st.container(key="ask_missing", gap="xsmall"):
        first = (
            MOST_MISSING if len(still) > MOST_MISSING + 1 else len(still)
        )  # one alone takes no more room than a fold
        for number, missed in enumerate(still[:first]):
            _offer(row, run, missed, number)
        if rest := still[first:]:
            with st.expander(f"{len(rest)} more not covered", icon=":material/rule:"):
                for number, missed in enumerate(rest, first):
                    _offer(row, run, missed, number)
    return [missed.aspect.aspect for missed in still]


def _offer(row: RunRow, run: RunView, missed: CoverageRow, number: int) -> None:
    """Draw an uncovered aspect, its nearest passage and a button to search again; of a whole question the button."""
    how = how_searched(run, missed.aspect.aspect)
    if is_whole(run):
        search_aspect(row, missed.aspect.aspect, number, help=how)
        return
    words, button = st.columns([5, 2], vertical_alignment="center", gap="small")
    with words:
        st.markdown(missed_words(run, missed))
    with button:
        search_aspect(row, missed.aspect.aspect, number, help=how)


def missed_words(run: RunView, missed: CoverageRow) -> str:
    """Return an uncovered aspect as Markdown: name, state, and its nearest passage unless the answer quotes it."""
    name = missed.aspect.aspect
    is_quoted = run.answer is not None and name in {statement.aspect for statement in run.answer.statements}
    proof = None if is_quoted else proof_of(run, name)
    near = f"  \n:small[:gray[Nearest passage: {literal(short(proof.title, 80))}]]" if proof else ""
    return f":small[{literal(name)}] {state_badge(run, missed)}{near}"


def how_searched(run: RunView, aspect: str) -> str:
    """Return, as Markdown, which queries were sent for an uncovered aspect, and what one more hop would do."""
    queries, others = _quoted(sent_for(run, aspect)), _quoted(only_looked_at(run, aspect))
    ways = [f"Tried {queries}." if queries else f"{untried(run).capitalize()}."]
    ways += [f"Not sent, as nothing new was expected: {others}."] if others else []
    return " ".join([*ways, "One more hop goes on from this run."])


def _quoted(queries: Sequence[str]) -> str:
    return "  ".join(quoted(short(text, 70)) for text in queries[:3])


def _hops(run: RunView) -> None:
    if not run.hops:
        return
    with st.expander(f"How it went: {count(len(run.hops), 'hop')}", icon=":material/route:"):
        show_steps(run)
        for notice in run.noticed:
            st.caption(f":material/info: {literal(notice_words(notice))}")


def _not_used(row: RunRow, run: RunView) -> None:
    """List every retrieved passage that the answer does not quote, how far it came, and why it was dropped."""
    result = not_used(run)
    if not result or run.answer is None:
        return
    label = f"Retrieved, not used: {count(len(result), 'passage')}"
    clicked = f"ask_unused_{row.run_id}"
    box = st.expander(label, icon=":material/filter_alt:", key=f"ask_unused_box_{row.run_id}", on_change="rerun")
    if not box.open:
        return

    def read() -> None:
        st.session_state[_UNUSED] = result[st.session_state[clicked].row].passage_id

    rows = [_unused_row(each) for each in result]
    with box:
        st.dataframe(
            rows,
            hide_index=True,
            row_height=row_height(lines_of(rows)),
            height="content" if len(rows) <= _SHOWN else 600,
            alt="Passages that were retrieved but not used, how far each one got and why it went no further",
            column_config={
                "read": st.column_config.ButtonColumn("", width=64, on_click=read, key=clicked),
                **{name: st.column_config.TextColumn(_HEADS[name], width=width) for name, width in _WIDTHS.items()},
            },
        )
    passage = run.passages.get(st.session_state.pop(_UNUSED, ""))
    if passage:
        wanted = whereabouts(run, passage.passage_id)
        show_passage(passage, about=[literal(wanted.why)] if wanted else [], trace={"run": row.run_id})


_UNUSED = "ask_unused_passage"
_HEADS = {"title": "Passage", "stage": "How far it got", "why": "Why it went no further", "came": "Found in"}
# In pixels, as is a letter; together with the button they are as wide as the page at 1280.
_WIDTHS = {"title": 320, "stage": 130, "why": 370, "came": 210}
_LETTER, _PADDING, _MOST_LINES = 5.9, 18, 5
# What is broken between words takes more room than its letters.
_BROKEN = 1.15
# More passages scroll; fewer than that would end at the line of a row, as if there were no more.
_SHOWN = 20


def lines_of(rows: Sequence[Mapping[str, str]]) -> int:
    """Return how many lines the tallest cell of the table needs, five at most."""
    full = {name: (width - _PADDING) / _LETTER for name, width in _WIDTHS.items()}
    most = max(len(row[name]) / letters for row in rows for name, letters in full.items())
    return min(ceil(_BROKEN * most), _MOST_LINES) if most > 1 else 1


def _unused_row(each: Whereabouts) -> dict[str, str]:
    came = each.came[:1].upper() + each.came[1:]
    return {"read": "Read", "title": each.title, "stage": STAGES[each.stage], "why": each.why, "came": came}
