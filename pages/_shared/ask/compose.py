"""The Ask page with a question and no run yet: how it was read, its aspects to be edited or taken as they are."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

import streamlit as st

from adaq_core.answers.form import why_unclear
from adaq_core.export.verdict import unclear_title
from adaq_core.filings.conditions import asked_of_companies
from adaq_core.filings.grid import FigureGrid, figures_asked
from adaq_core.filings.register import register_of
from adaq_core.matching.lexicon import is_common_word
from adaq_core.model import CorpusCard, QueryAspect
from adaq_core.question.aspects import typed
from adaq_core.question.parse import is_english, parse
from adaq_core.retrieval.lexical import corrected
from pages._shared.ask.empty import corpus_picker, no_corpus, show_empty
from pages._shared.ask.live_view import marks_of, show_grid
from pages._shared.ask.next_run import search_popover, server_trouble, show_forecast
from pages._shared.ask.start import (
    AUTOMATIC,
    LONGEST_ASPECT,
    Draft,
    as_found,
    draft_of,
    fresh_draft,
    is_searchable,
    keep,
    leave_run,
    may_be_aspect,
    start,
    take_up,
    with_added,
    with_core,
    with_figures,
    with_name,
    without_aspect,
)
from pages._shared.common import backend
from pages._shared.common.chrome import in_demo, object_to, show_objection
from pages._shared.common.meaning import get_ready
from pages._shared.common.text import Part, Span, literal, visible
from pages._shared.common.words import count, listed
from pages._shared.components.marked_text.passage_view import marked_heading
from pages._shared.run.data import aspect_places, grid_of
from pages._shared.settings.choice import chosen, short_name
from pages._shared.settings.dialog import summary_button

COLOURS = 6
# "Q1, Q2 and ", "Q3 2022 to ", "2023 and ", in front of the last period.
_SERIES = re.compile(r"\b(?:(?:Q[1-4]|20\d\d|Q[1-4] 20\d\d)(?:,? and |,? or |, | to | & |[-–/])){1,8}$", re.IGNORECASE)
_DEMO_SECONDS = 4.0
LEGEND = (
    ("condition", "evidence must match this"),
    ("instruction", "how to answer"),
    ("unused", "not used"),
)


def show_question(question: str, aspects: Sequence[QueryAspect], lost: Iterable[str]) -> None:
    """Draw the question as a heading with its marks, and a legend of the marks that occur."""
    parts = question_parts(question, aspects, lost)
    kinds = {kind for _, marks in parts for kind in marks.split()}
    marked_heading(parts, legend=[(kind, words) for kind, words in LEGEND if kind in kinds], key="ask_reading")


def question_parts(question: str, aspects: Sequence[QueryAspect], lost: Iterable[str] = ()) -> list[Part]:
    """Split the question into (text, CSS classes of its marks); the texts joined are the visible question."""
    parsed = parse(question)
    marks: list[list[str]] = [[] for _ in question]
    for number, places in enumerate(aspect_places(question, aspects).values()):
        for span in places:
            _mark(marks, span, f"a{number % COLOURS + 1}")
    for span in (condition.span for condition in parsed.conditions if condition.span):
        _mark(marks, _with_its_series(question, span), "condition")
    for _, span in parsed.instructions:
        _mark(marks, span, "instruction")
    for word in {*lost, *parsed.unused}:
        for match in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", question):
            _mark(marks, match.span(), "unused")
    return _pieces(question, [" ".join(kinds) for kinds in marks])


def _with_its_series(question: str, span: Span) -> Span:
    """Widen the span of a period to those listed in front of it: "Q1, Q2 and Q3 2023", not "Q3 2023" alone."""
    before = _SERIES.search(question[: span[0]])
    return (before.start(), span[1]) if before else span


def _mark(marks: Sequence[list[str]], span: Span, kind: str) -> None:
    for place in range(max(0, span[0]), min(len(marks), span[1])):
        if kind not in marks[place]:
            marks[place].append(kind)


def _pieces(text: str, kinds: Sequence[str]) -> list[Part]:
    pieces: list[Part] = []
    start = 0
    for kind, run in groupby(kinds):
        end = start + len(list(run))
        if seen := visible(text[start:end]):
            pieces.append((seen, kind))
        start = end
    return pieces


def show(question: str) -> None:
    """Draw the aspects of `question` with fields to edit them, the controls, and the button that starts the run."""
    draft, cards = draft_of(question), backend.corpora()
    heading = st.container()
    show_objection()
    with st.container():
        left, right = st.columns([3, 2], gap="large")
    card, figures = None, None
    with right:  # first: here the corpus is chosen, without which nothing on the left can be started
        _warnings(draft)
        _profile(draft)
        if cards:
            st.markdown("**Search in**")
            card = corpus_picker(cards)
            st.caption(f"{count(card.documents, 'document')}, {count(card.passages, 'passage')}")
            show_empty(card)
        else:
            no_corpus()
        possible = is_searchable(card)
        if card and card.passages and draft.profile is None:
            figures = figures_asked(draft.question, backend.library().open(card.name))
            draft = with_figures(draft, figures)
        with st.container(horizontal=True):
            wanted = search_popover(backend.method_names())
            summary_button("ask_settings")
        if trouble := server_trouble(chosen()):
            st.caption(f":orange[:material/warning:] {trouble}")
        if card and possible:
            _did_you_mean(draft, card)
            if wanted.use_dense:
                get_ready(backend.library(), card)
            show_forecast(wanted, corpus=card.name, facet_profile=draft.profile, by_rules=bool(trouble))
    with heading:
        show_question(draft.question, draft.aspects, draft.lost)
    with left:
        anew = "" if draft.edited or figures else _planned_anew(draft, card)
        _aspects(draft, anew, figures)
        _add(draft)
        _actions(draft, possible=possible, anew=bool(anew))


def _aspects(draft: Draft, anew: str, figures: FigureGrid | None) -> None:
    st.markdown(f"**{count(len(draft.aspects), 'aspect')}**{_how_many_core(draft)}")
    these = "these" if len(draft.aspects) > 1 else "it"
    st.caption(f"You can edit {these}. A core aspect has to be covered; an optional one may stay open.")
    if anew:
        st.caption(f"{anew} when the run starts. Edit any of these to keep them.")
    if kept := figures and figures.of(draft.aspects):
        _figures(draft, kept)
        return
    grid, marks = grid_of(draft.aspects), marks_of(draft.question, draft.aspects)
    if grid is None:
        _fields(draft, draft.aspects, marks)
        return
    show_grid(grid, {a.aspect: "core" if a.is_core else "optional" for a in draft.aspects}, marks)
    _fields(draft, grid.rest, marks)
    inside = [aspect for aspect in draft.aspects if aspect not in grid.rest]
    with st.expander(f"Edit the {len(inside)} aspects in the table", icon=":material/edit:", key="ask_grid_fields"):
        _fields(draft, inside, marks)


_MOST_FIELDS = 6  # of more the button to start would stand below a window of 720 pixels


def _figures(draft: Draft, kept: FigureGrid) -> None:
    """Draw an aspect for each figure of a report that the run will look up, then the other aspects."""
    marks, many = marks_of(draft.question, draft.aspects), len(kept.cells)
    is_one = many == 1
    st.caption(
        f":material/table_chart: {count(many, 'figure')} of reports {'is' if is_one else 'are'} looked up, an aspect "
        "each. One that you reword is searched for in the text instead."
    )
    if len(draft.aspects) <= _MOST_FIELDS:
        _fields(draft, draft.aspects, marks)
        return
    st.markdown("\n".join(f"- {literal(aspect.aspect)}" for aspect in draft.aspects))
    with st.expander(f"Edit the {len(draft.aspects)} aspects", icon=":material/edit:", key="ask_figure_fields"):
        _fields(draft, draft.aspects, marks)


def _fields(draft: Draft, aspects: Sequence[QueryAspect], marks: Mapping[str, str]) -> None:
    with st.container(gap="xxsmall"):
        for number, aspect in enumerate(draft.aspects):
            if aspect in aspects:
                _aspect(draft, aspect, number, marks.get(aspect.aspect) or f":gray[{number + 1}]")


def _how_many_core(draft: Draft) -> str:
    core = sum(aspect.is_core for aspect in draft.aspects)
    if core < len(draft.aspects):
        return f", {core} of them core"
    return {0: "", 1: ""}.get(core, ", both core" if core == 2 else ", all of them core")


def _planned_anew(draft: Draft, card: CorpusCard | None) -> str:
    """Return, as Markdown, that the run will plan other aspects than those shown (by company or model); or ""."""
    index = backend.library().open(card.name) if card and card.passages and draft.profile is None else None
    register = register_of(index) if index is not None and len(draft.aspects) == 1 else None
    companies, _ = asked_of_companies(draft.question, register) if register else ((), "")
    if companies:
        return f":material/table_chart: {count(len(companies), 'company', 'companies')} are asked, an aspect each,"
    choice = chosen()
    if "plan" in choice.off or not choice.model or server_trouble(choice):
        return ""
    return f":material/forum: {literal(short_name(choice.model))} plans its own"


def _aspect(draft: Draft, aspect: QueryAspect, place: int, mark: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(mark, width="content")
        st.text_input(
            f"Aspect {place + 1}",
            value=aspect.aspect,
            key=f"ask_name_{aspect.aspect}",
            label_visibility="collapsed",
            on_change=_rename,
            args=(draft, aspect.aspect),
        )
        st.toggle(
            "Core",
            value=aspect.is_core,
            key=f"ask_core_{aspect.aspect}",
            on_change=_set_core,
            args=(draft, aspect.aspect),
        )
        st.button(
            "Remove",
            key=f"ask_remove_{place}",
            icon=":material/close:",
            type="tertiary",
            help=f"Do not search for: {literal(aspect.aspect)}",
            on_click=keep,
            args=(without_aspect(draft, aspect.aspect),),
            disabled=len(draft.aspects) == 1,
        )


def _rename(draft: Draft, name: str) -> None:
    field = f"ask_name_{name}"
    wording = str(st.session_state[field] or "")
    worded = with_name(draft, name, wording)
    if worded is draft:
        st.session_state[field] = name
    object_to(_not_an_aspect(wording) if worded is draft and wording.strip() != name else None)
    keep(worded)


def _not_an_aspect(wording: str) -> str:
    """Say why this wording cannot become an aspect: too long, there already, or without a word."""
    if len(wording) > LONGEST_ASPECT:  # a field with a limit takes nothing at all of a longer text, and says nothing
        return f"An aspect has at most {LONGEST_ASPECT} characters, this one {len(wording):,}. Say it in fewer words."
    if any(character.isalnum() for character in wording):
        return f"“{wording.strip()}” is among the aspects already."
    return "An aspect needs a word or a number. “Remove” takes one away."


def _set_core(draft: Draft, name: str) -> None:
    keep(with_core(draft, name, core=bool(st.session_state[f"ask_core_{name}"])))


def _add(draft: Draft) -> None:
    with st.form("ask_add", border=False, clear_on_submit=True), st.container(horizontal=True):
        st.text_input(
            "Another aspect",
            key="ask_added",
            placeholder="Another aspect to search for",
            label_visibility="collapsed",
        )
        st.form_submit_button("Add", icon=":material/add:", on_click=_added, args=(draft,))


def _added(draft: Draft) -> None:
    text = str(st.session_state.get("ask_added") or "").strip()
    more = with_added(draft, [typed(text)]) if may_be_aspect(text) else draft
    object_to(_not_an_aspect(text) if more == draft else None)
    keep(more)


def _actions(draft: Draft, *, possible: bool, anew: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Start" if anew else f"Start with {count(len(draft.aspects), 'aspect')}",
            type="primary",
            icon=":material/play_arrow:",
            on_click=start,
            args=(draft,),
            shortcut="Ctrl+Enter",
            key="ask_start",
            disabled=not possible,
        )
        if draft.edited:
            st.button("Undo my changes", icon=":material/undo:", on_click=keep, args=(as_found(draft),))
        st.button("Cancel", type="tertiary", on_click=leave_run, key="ask_cancel_draft")
        st.toggle(
            "Start at once next time",
            key="ask_at_once",
            persist_state="session",
            help="Start searching as soon as you ask, with the planned aspects, without this step.",
        )
    if possible and in_demo() and not draft.edited:
        _start_by_itself(draft)


@st.fragment(run_every=0.5)
def _start_by_itself(draft: Draft) -> None:
    """In the demo, start the run a few seconds after the aspects appeared, unless one is edited before that."""
    key = f"ask_shown_{draft.question}"
    since = st.session_state.setdefault(key, time.monotonic())
    left = _DEMO_SECONDS - (time.monotonic() - since)
    if math.isinf(left):
        return
    if left > 0:
        st.caption(f"Starts by itself in {math.ceil(left)} s")
        return
    st.session_state[key] = math.inf  # once: what stops it is said on the page
    start(draft)
    st.rerun()


def _warnings(draft: Draft) -> None:
    _before_it_is_searched(draft.question)
    if draft.lost:
        words = ", ".join(f"“{literal(word)}”" for word in draft.lost)
        st.warning(
            f"No aspect contains {words}. Add one if it matters.",
            title="Part of the question is not searched for",
            icon=":material/rule:",
        )


def _before_it_is_searched(question: str) -> None:
    """Warn before the run that the question is not in English or says too little to be answered."""
    if not is_english(question):
        st.info(
            "Passages will be found and shown, but not judged: only questions in English are judged.",
            title="Not in English",
            icon=":material/translate:",
        )
    elif vague := why_unclear(question):
        st.warning(literal(vague), title=unclear_title(vague), icon=":material/edit_note:")


def _did_you_mean(draft: Draft, card: CorpusCard) -> None:
    """Offer the question with a likely misspelling corrected; a run would correct it, but not in edited aspects."""
    if chosen().sources:  # they may know the word as it is
        return
    index = backend.library().open(card.name)
    near = [each for each in index.corrections(draft.question) if each.notice and not each.is_sure]
    doubted = [each for each in near if not is_common_word(each.word)]
    if not doubted:
        return
    said = listed([f"“{literal(each.word)}”" for each in doubted])
    meant = listed([f"“{literal(each.meant)}”" for each in doubted])
    st.info(f"No passage says {said}. Did you mean {meant}?", icon=":material/spellcheck:")
    st.button(
        f"Ask with {meant}",
        key="ask_meant",
        icon=":material/edit:",
        on_click=take_up,
        args=(corrected(draft.question, doubted),),
    )


def _profile(draft: Draft) -> None:
    profiles = backend.facet_profiles()
    st.selectbox(
        "How it is split",
        [AUTOMATIC, *profiles],
        key="ask_profile",
        persist_state="session",
        format_func=lambda name: name if name == AUTOMATIC else name.replace("_", " ").capitalize(),
        help="A named list of facets, such as regulation, supply and competition. Each becomes an aspect.",
        on_change=lambda: keep(fresh_draft(draft.question)),
    )
    used = profiles.get(draft.profile or "")
    if used:
        always = [facet.facet for facet in used.facets if not facet.only_asked]
        st.caption(f"{literal(used.about)}: {literal(', '.join(always))}")
