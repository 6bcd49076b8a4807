"""The head of a run: the way back and on, the question, the figures, why it stopped."""

from __future__ import annotations

import streamlit as st

from adaq_core.errors import AdaqError
from adaq_core.store import RunRow, open_store
from adaq_core.trace import RunView
from pages._shared.literal_text import seconds
from pages._shared.plain import coded, plain, quoted, short
from pages._shared.run_data import StopCard, covered_count, open_aspects, stop_card
from pages._shared.run_notes import delete_popover, notes_popover
from pages._shared.run_selection import leave_run, open_run
from pages._shared.stored_run import StoredRun
from pages._shared.words import count, method_label

STATUS_BADGES = {
    "queued": ":gray-badge[waiting]",
    "running": ":blue-badge[:shimmer[running]]",
    "finished": ":gray-badge[finished]",
    "cancelled": ":orange-badge[cancelled]",
    "failed": ":red-badge[failed]",
    "interrupted": ":orange-badge[interrupted]",
}


def toolbar(stored: StoredRun) -> None:
    """The way back, the runs before and after, and what can be done with this one."""
    row = stored.row
    earlier, later = _neighbours(row.run_id)
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
        _links(row)
        notes_popover(row)
        delete_popover(row)


def summary(stored: StoredRun) -> None:
    """The question, what the run came to in one row of figures, and why it stopped."""
    row, run = stored.row, stored.run
    st.markdown(f"#### {plain(row.question)}")
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="trace_figures"):
        for text in _figures(row, run):
            st.markdown(text, width="content")
    _ending(stored)


def _figures(row: RunRow, run: RunView) -> list[str]:
    cost = run.cost
    covered = f"**{covered_count(run)} of {len(run.aspects)}** covered" if run.aspects else "no aspects"
    texts = [
        STATUS_BADGES.get(row.status, f":gray-badge[{plain(row.status)}]"),
        covered,
        f"**{cost.hops}** {'hop' if cost.hops == 1 else 'hops'}",
        f"**{seconds(cost.seconds)}**",
        f"**{cost.passages_read}** read, **{len(run.evidence)}** kept",
        f"**{row.tokens:,}** tokens" if run.calls else "no model",
    ]
    if cost.usd:
        texts.append(f"**${cost.usd:.4f}**")
    where = f"{method_label(row.method)} · corpus {row.corpus} ({count(row.corpus_documents, 'document')}) · k {row.k}"
    texts.append(f":gray[{plain(where)}]")
    if row.imported:
        texts.append(":violet-badge[imported]")
    return texts


def _ending(stored: StoredRun) -> None:
    row, run = stored.row, stored.run
    card = stop_card(run)
    if run.status == "failed":
        hop = next((h.hop for h in reversed(run.hops) if not h.done), None)
        where = f"Failed in hop {hop}" if hop else "Failed"
        _banner(row, st.error, where, _first_line(run.reason or row.reason), ":material/error:")
        _warnings(run)
    elif stored.interrupted:
        _banner(row, st.warning, _over_without_end(row), row.reason, ":material/pause_circle:")
        _warnings(run)
    elif card:
        icon = ":material/check_circle:" if card.enough else ":orange[:material/flag:]"
        _stopped(run, icon, card)


def _stopped(run: RunView, icon: str, card: StopCard) -> None:
    with st.container(border=True, key="trace_stop", gap=None):
        st.markdown(f"{icon} **{card.title}** {quoted(run.stop_reason or '')} {plain(card.reason)}")
        still = [row.aspect.aspect for row in open_aspects(run)]
        parts = (
            f"Still open: {plain(', '.join(still))}." if still else "",
            f"{plain(card.opinion)}." if card.opinion else "",
            _one_more(card.next_aspect, card.next_query),
        )
        if said := [part for part in parts if part]:
            st.markdown(f":small[{' '.join(said)}]")
        _warnings(run)


def _one_more(aspect: str, query: str) -> str:
    if query:
        after = f" for {plain(aspect)}" if aspect else ""
        return f"One more hop would have tried {quoted(short(query, 120))}{after}."
    return f"One more hop would have gone after {plain(aspect)}." if aspect else ""


def _banner(row: RunRow, show, title: str, reason: str, icon: str) -> None:  # type: ignore[no-untyped-def]
    text = plain(short(reason, 300)) if reason else "No reason was recorded."
    show(f"{text} What was recorded before is kept.", title=title, icon=icon)
    if trouble := st.session_state.pop("trace_trouble", None):
        st.error(plain(trouble), title="It cannot be resumed", icon=":material/error:")
    if not row.imported:
        st.button(
            "Resume from the last complete hop", icon=":material/restart_alt:", on_click=_resume, args=(row.run_id,)
        )


def _over_without_end(row: RunRow) -> str:
    return {"cancelled": "Cancelled", "failed": "Failed"}.get(
        row.status, "Interrupted: the program ended during the run"
    )


def _resume(run_id: str) -> None:
    from pages._shared import backend

    try:
        open_run(backend.runner().resume(run_id))
    except AdaqError as error:
        st.session_state["trace_trouble"] = str(error)


def _warnings(run: RunView) -> None:
    notes = [f"{fell.stage}: {fell.problem}; used {fell.used} instead" for fell in run.fell_back]
    notes += [f"{notice.stage}: {notice.message}" for notice in run.noticed]
    if run.learned is not None:
        notes.append(
            f"Wordings were chosen by what they gained in {count(run.learned.runs, 'earlier run')} on this corpus"
        )
    lost = run.planned.lost if run.planned else ()
    if lost:
        notes.append(f"No aspect carries these words of the question: {', '.join(lost)}")
    for note in notes[:3]:
        st.caption(f":material/info: {coded(short(note, 220))}")
    if len(notes) > 3:
        with st.popover(f"{len(notes) - 3} more notices", type="tertiary"):
            for note in notes[3:]:
                st.caption(coded(note))


def _links(row: RunRow) -> None:
    st.page_link("ask.py", label="Answer", icon=":material/forum:", query_params={"run": row.run_id})
    st.page_link("compare_baselines.py", label="Compare", icon=":material/compare:", query_params={"group": row.run_id})
    with st.popover("Link", icon=":material/link:", type="tertiary"):
        st.caption("This address opens the run as you see it now, on this computer:")
        params = {
            name: st.query_params[name] for name in ("run", "hop", "aspect", "tab", "call") if name in st.query_params
        }
        base = (st.context.url or "").split("?")[0]
        st.code(f"{base}?{'&'.join(f'{k}={v}' for k, v in params.items())}", language=None, wrap_lines=True)


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


def _neighbours(run_id: str) -> tuple[str | None, str | None]:
    """The runs after and before this one, in the list that was last shown, else by age."""
    ids = st.session_state.get("trace_listed") or []
    if run_id not in ids:
        ids = [row.run_id for row in open_store().runs(limit=200)]
    if run_id not in ids:
        return None, None
    at = ids.index(run_id)
    return (ids[at + 1] if at + 1 < len(ids) else None), (ids[at - 1] if at else None)


def _first_line(text: str) -> str:
    return text.strip().split("\n", 1)[0]
