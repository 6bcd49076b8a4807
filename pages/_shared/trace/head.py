"""The head of a run: the way back and on, the question, the figures, why it stopped."""

from __future__ import annotations

from urllib.parse import urlencode

import streamlit as st

from adaq_core.errors import AdaqError
from adaq_core.events import FellBack
from adaq_core.export.verdict import uses_no_passage
from adaq_core.store import RunRow
from adaq_core.store.history import Remark, Remarks
from adaq_core.trace import RunView, view_at
from pages._shared.ask.run_view import ends, show_cancel
from pages._shared.common import backend
from pages._shared.common.backend import StoredRun
from pages._shared.common.text import coded, literal, sentence, short
from pages._shared.common.words import count, method_label, seconds
from pages._shared.components.answer.view import sentences
from pages._shared.components.marked_text.passage_view import question_heading
from pages._shared.components.passage_cards.cards import title_of
from pages._shared.run.data import notice_words, seconds_of, taken
from pages._shared.run.model_calls import noun, shown_instead, what_happened
from pages._shared.run.verdict import resume_label, show_verdict_line
from pages._shared.trace.branch import history_popover, show_parent
from pages._shared.trace.export import export_popover, measured_again_popover
from pages._shared.trace.selection import leave_run, neighbours, open_run

THUMBS = {1: 1, -1: 0}
_RATINGS = {1: 1, 0: -1}


def notes_popover(stored: StoredRun) -> None:
    """Draw thumbs, note and tags of a run, stored as soon as they change."""
    row = stored.row
    remarks = Remarks(backend.store()).of(row.run_id)
    marked = bool(row.note or row.tags or row.rating or remarks)
    with st.popover(
        "Notes", icon=":material/edit_note:" if not marked else ":material/sticky_note_2:", type="tertiary"
    ):
        key = f"trace_rating_{row.run_id}"
        st.caption("Was this run useful?")
        st.feedback("thumbs", key=key, default=THUMBS.get(row.rating or 0), on_change=_rate, args=(row.run_id,))
        key = f"trace_tags_{row.run_id}"
        st.multiselect(
            "Tags",
            sorted({*backend.store().choices("tag"), *row.tags}),
            default=list(row.tags),
            key=key,
            accept_new_options=True,
            placeholder="Choose or type a tag",
            on_change=_tag,
            args=(row.run_id,),
        )
        key = f"trace_note_{row.run_id}"
        st.text_area("Note", value=row.note, key=key, on_change=_note, args=(row.run_id,), height=120)
        st.caption("Saved with the run as soon as you leave a field.")
        for remark in remarks:
            st.markdown(f":small[{remark_words(stored.run, remark)}]")


def remark_words(run: RunView, remark: Remark) -> str:
    """Return a remark on a part of the run as one line, which names the part as the page does."""
    thumb = {1: " :material/thumb_up:", -1: " :material/thumb_down:"}.get(remark.rating or 0, "")
    note = f": {literal(short(remark.note, 160))}" if remark.note else ""
    return f"**{remark.part.capitalize()} {literal(_named(run, remark))}**{thumb}{note}"


def _named(run: RunView, remark: Remark) -> str:
    """Return the part of a remark: a passage's title, a sentence's words, a hop's number."""
    if remark.part == "passage" and remark.target in run.passages:
        return f"“{short(title_of(run, remark.target), 80)}”"
    if remark.part == "sentence" and run.answer and remark.target.isdecimal():
        told = sentences(run.answer)[int(remark.target) - 1 :]
        return f"“{short(told[0], 80)}”" if told else remark.target
    return remark.target


def delete_popover(row: RunRow) -> None:
    """Draw the deletion of a run, which asks first."""
    with st.popover("Delete", icon=":material/delete:", type="tertiary", disabled=not row.over):
        st.markdown("Delete this run, its events and its notes? This cannot be undone.")
        st.button(
            "Delete the run", type="primary", icon=":material/delete_forever:", on_click=_delete, args=(row.run_id,)
        )


def _rate(run_id: str) -> None:
    backend.store().annotate(run_id, rating=_RATINGS.get(st.session_state[f"trace_rating_{run_id}"], 0))


def _tag(run_id: str) -> None:
    backend.store().annotate(run_id, tags=st.session_state[f"trace_tags_{run_id}"])


def _note(run_id: str) -> None:
    backend.store().annotate(run_id, note=str(st.session_state[f"trace_note_{run_id}"] or ""))


def _delete(run_id: str) -> None:
    backend.store().delete_run(run_id)
    leave_run()
    st.toast("The run was deleted.", icon=":material/delete:")


_UNDER_WAY = {"queued": ":gray-badge[waiting]", "running": ":blue-badge[:shimmer[running]]"}


def toolbar(stored: StoredRun) -> None:
    """Draw the way back, the runs before and after, and what can be done with this one."""
    row = stored.row
    earlier, later = neighbours(row)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="trace_toolbar"):
        st.button("All runs", icon=":material/arrow_back:", type="tertiary", on_click=leave_run)
        _step("Previous", ":material/keyboard_arrow_up:", later, "k")
        _step("Next", ":material/keyboard_arrow_down:", earlier, "j")
        st.space("stretch")
        st.segmented_control(
            "View",
            ["Lanes", "Story"],
            default="Lanes",
            required=True,
            key="trace_view",
            label_visibility="collapsed",
            help="Lanes: the hops side by side. Story: all hops one after the other, to read or print.",
        )
        history_popover(row)
        _links(row)
        export_popover(stored)
        notes_popover(stored)
        delete_popover(row)


def summary(stored: StoredRun, *, playhead: int | None = None) -> None:
    """Draw the question, a row of figures and the verdict; during a replay, as of the replayed hop."""
    row, run = stored.row, stored.run
    if playhead is not None and run.hops and playhead < run.hops[-1].hop:
        run = view_at(stored.records, playhead)
    with st.container(gap="xxsmall", key="trace_head"):
        question_heading(row.question, level=4, key="trace_question")
        show_parent(row, stored.run)
        _ending(stored, run)
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="trace_figures"):
            _resume_button(stored, run)
            if not row.over:
                show_cancel(row, is_ending=ends(row.run_id), key="trace_cancel")
            took = seconds_of(run) if row.over else taken(stored.records)
            st.markdown(f":small[{' · '.join(_figures(row, run, took))}]", width="content")
            if run.status != "running" or row.over:
                _notes(run)
            if row.imported:
                measured_again_popover(stored)


def _kept(run: RunView) -> str:
    """Return the size of the evidence as Markdown; "none used" if the run only says that its passages do not answer."""
    return "none used" if uses_no_passage(run) else f"**{len(run.evidence)}** kept"


def _figures(row: RunRow, run: RunView, took: float | None) -> list[str]:
    cost = run.cost
    texts = [
        *([_UNDER_WAY[row.status]] if row.status in _UNDER_WAY else []),
        f"**{cost.hops}** {'hop' if cost.hops == 1 else 'hops'}",
        f"**{seconds(took)}**",
        f"**{cost.passages_read}** read, {_kept(run)}",
        f"**{row.tokens:,}** tokens" if run.calls or row.model else "no model",
    ]
    if cost.usd:
        texts.append(f"**${cost.usd:.4f}**")
    corpus = f"corpus {row.corpus} ({count(row.corpus_documents, 'document')})"
    where = f"{method_label(row.method)} · {corpus} · k = {row.k}"
    texts.append(f":gray[{literal(where)}]")
    if row.imported:
        texts.append(":violet-badge[imported, read-only]")
    return texts


def _ending(stored: StoredRun, run: RunView) -> None:
    # The lanes show what is missing, the story does not.
    told = st.session_state.get("trace_view") == "Story"
    show_verdict_line(run, key="trace", missing=told, interrupted=stored.interrupted, reason=stored.row.reason)
    if trouble := st.session_state.pop("trace_trouble", None):
        st.error(sentence(trouble), title="This cannot be done", icon=":material/error:")


def _resume_button(stored: StoredRun, run: RunView) -> None:
    if label := resume_label(run, interrupted=stored.interrupted):
        st.button(
            label,
            icon=":material/restart_alt:",
            type="primary",
            on_click=_resume,
            args=(stored.row.run_id,),
        )


def _resume(run_id: str) -> None:
    try:
        open_run(backend.runner().resume(run_id))
    except AdaqError as error:
        st.session_state["trace_trouble"] = str(error)


def _notes(run: RunView) -> None:
    """Draw everything else known of the run, behind one word."""
    notes = [*(run.planned.notes if run.planned else ())]
    if run.planned and run.planned.lost:
        notes.append(f"No aspect contains these words of the question: {', '.join(run.planned.lost)}")
    notes += [_fell_back(fell) for fell in run.fell_back]
    notes += [notice_words(notice) for notice in run.noticed]
    if run.learned is not None:
        earlier = count(run.learned.runs, "earlier run")
        notes.append(f"Queries were worded by what gained coverage in {earlier} on this corpus")
    if notes:
        icon = ":material/rule:" if run.fell_back else ":material/info:"
        with st.popover(count(len(notes), "notice"), type="tertiary", icon=icon):
            for note in notes:
                st.caption(coded(note))


def _fell_back(fell: FellBack) -> str:
    what = noun(fell.stage)
    return f"{what[:1].upper()}{what[1:]}: {what_happened(fell)} {shown_instead(fell)}"


def _links(row: RunRow) -> None:
    st.page_link("ask.py", label="Answer", icon=":material/forum:", query_params={"run": row.run_id})
    with st.container(key="key_compare", width="content"):
        params = {"group": row.run_id}
        st.page_link("compare_baselines.py", label="Compare", icon=":material/compare:", query_params=params)
    with st.popover("Link", icon=":material/link:", type="tertiary"):
        st.caption("This address opens the run as you see it now, on this computer:")
        params = {
            name: st.query_params[name] for name in ("run", "hop", "aspect", "tab", "call") if name in st.query_params
        }
        base = (st.context.url or "").split("?")[0]
        st.code(f"{base}?{urlencode(params)}", language=None, wrap_lines=True)


def _step(label: str, icon: str, run_id: str | None, key: str) -> None:
    st.button(
        label,
        icon=icon,
        type="tertiary",
        shortcut=key,
        disabled=run_id is None,
        on_click=open_run,
        args=(run_id or "",),
    )
