"""One run of the Trace explorer: what it came to, the coverage lanes, and the detail of what is selected in them."""

from __future__ import annotations

import streamlit as st

from adaq_core.export.verdict import NO_NEW_ASPECT, NOT_JUDGED, is_whole, plain_reason
from adaq_core.question.parse import is_english
from adaq_core.trace import HopView, RunView
from pages._shared.ask.live_view import show_live_use
from pages._shared.ask.run_view import lanes_to_come
from pages._shared.common import backend
from pages._shared.common.backend import StoredRun, stored_run
from pages._shared.common.text import full_stop, literal, quoted, short
from pages._shared.common.words import ago, count, method_label, not_here, seconds, stop_title
from pages._shared.components.answer.view import passage_lines, show_answer
from pages._shared.components.coverage_lanes.lanes import (
    Lanes,
    coverage_lanes,
    lanes_data,
    lanes_height,
    lanes_width,
    live_lanes,
)
from pages._shared.components.marked_text.passage_view import show_passage
from pages._shared.components.passage_cards.cards import (
    evidence_cards,
    findings_in,
    passage_cards,
    spans_of,
    title_of,
    words_of,
)
from pages._shared.run.sources import brought
from pages._shared.run.verdict import before_any_hop, before_first_hop, outcome_words
from pages._shared.trace import head as run_head
from pages._shared.trace import hop_detail, reasons
from pages._shared.trace.export import show_imported
from pages._shared.trace.model_io import show_model_io
from pages._shared.trace.selection import (
    close_passage,
    follow_newest,
    follows_newest,
    keep_shown,
    leave_run,
    open_passage,
    open_run,
    picked,
    playhead,
    selected_aspect,
    selected_hop,
    shown_hop,
    wanted_passage,
)

# A long run shows these first: fifty hops at once took a browser 0.6 to 1.5 s, on two cores with a load of 2 to 10.
_STORY_HOPS = 12
_WHOLE_STORY = "trace_whole_story"


def show_story(stored: StoredRun) -> None:
    """Draw the hops of the run (of a long one the first, until all are asked for), then its answer."""
    run = stored.run
    _plan(run)
    shown = len(run.hops) if st.session_state.get(_WHOLE_STORY) == stored.row.run_id else _STORY_HOPS
    for hop in run.hops[:shown]:
        with st.container(border=True, key=f"story_hop_{hop.hop}"):
            _hop(run, hop, key=stored.row.run_id)
    if more := len(run.hops[shown:]):
        label = f"Show {count(more, 'more hop')}"
        st.button(label, key="story_more", icon=":material/expand_more:", on_click=_tell_all, args=(stored.row.run_id,))
    if run.answer is not None:
        st.markdown("##### Answer", anchors=False)
        show_answer(run, key=f"story_answer_{stored.row.run_id}", run_id=stored.row.run_id)


def _tell_all(run_id: str) -> None:
    st.session_state[_WHOLE_STORY] = run_id


def _plan(run: RunView) -> None:
    names = [f"{literal(a.aspect)}{'' if a.is_core else ' :gray[(optional)]'}" for a in run.aspects]
    if is_whole(run):
        st.markdown("The question was searched as one aspect.")
    elif names:
        st.markdown(f"The question was split into {count(len(names), 'aspect')}: {'; '.join(names)}.")


def _hop(run: RunView, hop: HopView, *, key: str) -> None:
    """Draw a hop in at most three elements: a run may have fifty hops, and the browser draws each one by itself."""
    st.markdown("\n\n".join([_asked(hop), *_brought(hop), _outcome(run, hop)]), anchors=False)
    fresh = [card for card in evidence_cards(run, hop) if card["fresh"]]
    if fresh:
        passage_cards(fresh, key=f"story_cards_{key}_{hop.hop}", on_read=open_passage)
    if ending := [*_made_room(run, hop), *_decided(hop)]:
        st.markdown("\n\n".join(ending))


def _asked(hop: HopView) -> str:
    heading = f"##### Hop {hop.hop} :gray[:small[{seconds(hop.ended - hop.started)}]]"
    queries = "  ".join(quoted(query.text) for query in hop.queries)
    why = literal(full_stop(hop.why)) + (f" Asked {queries}" if queries else "")
    return f"{heading}\n\n{why}"


def _brought(hop: HopView) -> list[str]:
    if hop.searched:
        return [f":small[:gray[:material/public: {literal(' · '.join(brought(hop.searched)))}]]"]
    return []


def _made_room(run: RunView, hop: HopView) -> list[str]:
    dropped = [change.dropped for change in hop.replacements if change.dropped]
    return [f":small[:gray[Dropped: {literal(title_of(run, passage_id))}]]" for passage_id in dropped]


def _decided(hop: HopView) -> list[str]:
    if hop.decision is None:
        return []
    word = stop_title(hop.decision.stop_reason) if hop.decision.stop else "Continue"
    return [f"**{word}.** {literal(full_stop(plain_reason(hop.decision.reason)))}"]


def _outcome(run: RunView, hop: HopView) -> str:
    if hop.percentage is None:
        return ":gray[Not finished.]"
    if not is_english(run.question):
        return f":gray-badge[{NOT_JUDGED}]"
    new = " ".join(
        [*(f":green-badge[+ {literal(name)}]" for name in hop.newly_covered), *hop_detail.swing_badges(run, hop)]
    )
    return f"{new or f':gray-badge[{NO_NEW_ASPECT}]'} {hop.percentage:.0%} covered"


LIVE_SECONDS = 0.5
_ANSWER = "trace_answer"
_DETAIL = 440
_LANES = 720
# What is around both boxes in a window, in pixels: the margins of the page and the gap between them.
_AROUND = 170
_FLUID = "min-width: min(100%, {}px); width: auto !important"
_BESIDE = "position: sticky; top: 4.2rem; max-height: calc(100vh - 5rem); overflow-y: auto; align-self: flex-start"
# As tall as most of the window, and its first lines to be seen at once: scrolling the page brings up the rest.
# It begins below the lanes, which say where they end, or where they are too tall shows no more than its first lines;
# in a low window, where these would hide the lanes, its heading.
_LOW = 600
_DRAWER = (
    "--least: 6.5rem; position: sticky; height: 80vh;"
    "bottom: calc(clamp(var(--least), var(--below-lanes, 26vh) - 1rem, 26vh) - 80vh);"
    "overflow-y: auto; z-index: 5; border-radius: 8px;"
    "background: var(--ground); box-shadow: 0 -6px 18px rgb(0 0 0 / 14%)"
)


def show(run_id: str) -> None:
    """Draw the run `run_id`, kept up to date while it goes on; or say that there is none."""
    stored = stored_run(run_id)
    if stored is None:
        _unknown(run_id)
        return
    keep_shown(run_id)
    run_head.toolbar(stored)
    show_imported()
    over = stored.row.over
    st.fragment(_live, run_every=None if over else LIVE_SECONDS)(run_id, over=over)


def _live(run_id: str, *, over: bool) -> None:
    stored = stored_run(run_id)
    if stored is None:
        st.rerun()
        return
    if stored.row.over and not over:
        st.rerun()  # the whole page once more, without the timer
    run_head.summary(stored, playhead=playhead())
    if st.session_state.get("trace_view") == "Story":
        show_story(stored)
    else:
        _lanes_and_detail(stored)
    _drawer(stored)


def _lanes_and_detail(stored: StoredRun) -> None:
    run, row = stored.run, stored.row
    if not run.hops:
        _before_the_first_hop(stored)
        return
    lanes: Lanes = {**_lanes(stored), "hop": selected_hop(run), "aspect": selected_aspect(run)}
    _side_by_side(row.run_id, lanes_width(len(run.hops)), lanes_height(len(run.aspects)))
    with st.container(horizontal=True, vertical_alignment="top", key="trace_split"):
        with st.container(key="trace_lanes"):
            coverage_lanes(lanes, key=f"lanes_{row.run_id}", on_pick=picked)
            if not row.over and not follows_newest():
                icon = ":material/keyboard_double_arrow_right:"
                st.button("Follow the newest hop", icon=icon, on_click=follow_newest)
            _answer(stored)
        with st.container(border=True, key="trace_detail"):
            _detail(stored)


def _answer(stored: StoredRun) -> None:
    """Draw the answer under the lanes, only where the hop's detail stands beside them and leaves room."""
    run = stored.run
    answer = run.answer
    if answer is None or not (answer.statements or answer.short) or playhead() is not None:
        return
    with st.container(key=_ANSWER):
        if not answer.abstained and (run.covered_at or answer.short):  # else there is another heading
            st.markdown("**What the run answered**")
        show_answer(run, key=f"trace_answer_{stored.row.run_id}", run_id=stored.row.run_id, sources=False)


def _lanes(stored: StoredRun) -> Lanes:
    """Return the lanes without a choice; cached for a finished run, as 50 hops take 10 ms."""
    return _lanes_of_ended(stored) if stored.row.over else lanes_data(stored.run)


def _version(stored: StoredRun) -> tuple[str, str, int]:
    return stored.row.run_id, str(stored.row.created_at), stored.row.last_seq


@st.cache_resource(max_entries=16, show_spinner=False, hash_funcs={StoredRun: _version})
def _lanes_of_ended(stored: StoredRun) -> Lanes:
    return lanes_data(stored.run, interrupted=True)


def _detail(stored: StoredRun) -> None:
    aspect = selected_aspect(stored.run) if playhead() is None else None
    if aspect is not None:
        reasons.show_aspect(stored, aspect)
    elif shown_hop(stored.run) is None:
        st.caption("The hops appear one by one.")
    else:
        hop_detail.show(stored, shown_hop(stored.run))


def _side_by_side(run_id: str, width: int, height: str) -> None:
    """Put the detail beside the lanes if the window has room for both, else into a drawer at the bottom.

    The lanes keep their place while their script is loaded: the detail would stand there, and jump away.
    """
    lanes = min(width, _LANES)
    boxes = (("trace_lanes", lanes), ("trace_detail", _DETAIL))
    rules = "".join(
        f"{_box(key)} {{flex: 1 1 {pixels}px !important; {_FLUID.format(pixels)}}}" for key, pixels in boxes
    )
    beside, detail = lanes + _DETAIL + _AROUND, _box("trace_detail")
    # The line goes around the box that scrolls: around what is in it, it would stand beside the scroll bar.
    line = (
        f"{detail} {{border: 1px solid var(--line); border-radius: 8px}}"
        ".st-key-trace_split > * > .st-key-trace_detail {border: 0}"
    )
    st.html(
        f"<style>.st-key-trace_split {{flex-flow: row wrap !important}} {rules} {line}"
        f".st-key-lanes_{run_id} {{min-height: {height}}} .st-key-{_ANSWER} {{display: none}}"
        f"@media screen and (min-width: {beside}px) {{{detail} {{{_BESIDE}}} .st-key-{_ANSWER} {{display: flex}}}}"
        f"@media screen and (min-width: 640px) and (max-width: {beside - 1}px) {{{detail} {{{_DRAWER}}}}}"
        f"@media screen and (max-height: {_LOW}px) {{{detail} {{--least: 3.2rem}}}}</style>"
    )


def _box(key: str) -> str:
    """Return the child of the split that is, or contains, the box with that key."""
    return f".st-key-trace_split > :has(> .st-key-{key}), .st-key-trace_split > .st-key-{key}"


def _before_the_first_hop(stored: StoredRun) -> None:
    """Draw what is going on or how far the run came: what it planned and asked a model."""
    run, row = stored.run, stored.row
    if not row.over:
        show_live_use(row, stored.records)
        key, waiting = f"live_{row.run_id}", before_first_hop(row, run)
        live_lanes(lanes_to_come(row, run), key=key, waiting=waiting, on_shown=lambda: None)
        return
    with st.container(border=True, key="trace_no_hop"):
        st.markdown(f"**How far it got**  \n{literal(before_any_hop(run))} There are no lanes to draw.")
        if not is_whole(run):
            st.markdown("\n".join(f"- {literal(a.aspect)} :gray-badge[not searched]" for a in run.aspects))
        st.caption("The export holds everything that was recorded.")
    if run.calls:
        with st.expander("What the language model was asked", icon=":material/forum:"):
            show_model_io(stored, hop=0)


def _drawer(stored: StoredRun) -> None:
    passage_id = wanted_passage()
    passage = stored.run.passages.get(passage_id) if passage_id else None
    if passage is None:
        return
    result = findings_in(stored.run, passage.passage_id)
    about = passage_lines(stored.run, passage.passage_id)
    show_passage(
        passage,
        spans=spans_of(result),
        words=words_of(result),
        about=about,
        noted=(stored.row.run_id, [("passage", passage.passage_id)]),
        on_close=close_passage,
    )


def _unknown(run_id: str) -> None:
    st.subheader("Run not found", anchor=False)
    st.markdown(
        f"{not_here(f'run {quoted(short(run_id, 60))}')} Look for it by its question, or open the list of all runs."
    )
    st.text_input(
        "Find a run",
        key="trace_find",
        placeholder="Words of the question, an id or a tag",
        on_change=_find,
        type="search",
    )
    with st.container(horizontal=True):
        st.button("All runs", icon=":material/list:", on_click=leave_run)
    newest = backend.store().runs(limit=3, in_experiment=False)
    if newest:
        st.caption("The newest runs")
    for row in newest:
        about = f":gray[:small[{method_label(row.method)} · {outcome_words(row)} · {ago(row.created_at)}]]"
        label, icon = f"{literal(short(row.question, 80))} {about}", ":material/timeline:"
        st.button(label, key=f"newest_{row.run_id}", icon=icon, type="tertiary", on_click=open_run, args=(row.run_id,))


def _find() -> None:
    st.session_state["t_q"] = st.session_state["trace_find"] or ""
    leave_run()
