"""The live sources of a run: what each brought, what went wrong, and keeping what was fetched in a corpus."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import streamlit as st

from adaq_core.events import SourcesSearched
from adaq_core.model import SourceReport
from adaq_core.trace import HopView, RunView, SourceUse
from pages._shared.common.text import literal, quoted, short
from pages._shared.common.words import count, seconds
from pages._shared.run.keep import keep_button
from pages._shared.settings.sources import source_name

if TYPE_CHECKING:
    from adaq_core.store.rows import RunRow

_LONGEST_WORDS = 260
_NOTES = 3


def show_sources(row: RunRow, run: RunView, *, key: str, heading: str = "Live sources") -> None:
    """The section on live sources of a run that is over; nothing when the run asked none."""
    if not run.sources:
        return
    st.markdown(f"**{heading}**")
    _table(run.sources)
    keep_button(row, key=f"{key}_keep")


def show_hop_sources(hop: HopView) -> None:
    """What the sources were asked in one hop, query by query."""
    if not hop.searched:
        st.caption("No live source was asked in this hop: its queries had been asked before.")
    for event in hop.searched:
        st.markdown(quoted(short(event.query, 160)))
        _reports(event.reports)
        for note in event.notes:
            st.caption(f":material/info: {literal(short(note, _LONGEST_WORDS))}")


def brought(searched: Iterable[SourcesSearched]) -> tuple[str, ...]:
    """What each source brought by some searches, in a few words each; not escaped."""
    found: dict[str, int] = {}
    failed: dict[str, str] = {}
    for event in searched:
        for report in event.reports:
            found[report.name] = found.get(report.name, 0) + report.passages
            if report.error:
                failed[report.name] = report.error
    return tuple(
        f"{source_name(name)}: {short(failed[name], 120)}" if name in failed and not number else _found(name, number)
        for name, number in found.items()
    )


def _found(name: str, passages: int) -> str:
    return f"{source_name(name)}: {count(passages, 'passage') if passages else 'nothing new'}"


def _table(uses: tuple[SourceUse, ...]) -> None:
    columns = {
        "Source": [literal(source_name(use.name)) for use in uses],
        "Passages": [f"{use.passages:,}" for use in uses],
        "Requests": [f"{use.requests:,}" + (" :gray[:small[cached]]" if use.cached else "") for use in uses],
        "How it went": [_went(use) for use in uses],
    }
    st.table(columns, border="horizontal", hide_index=True, alt="What each live source brought to this run")


def _went(use: SourceUse) -> str:
    """The state of a source as a badge, why it failed, and what was left out."""
    parts = [_badge(use)]
    if use.error:
        parts.append(literal(short(use.error, _LONGEST_WORDS)))
    parts += [f":gray[{literal(short(note, _LONGEST_WORDS))}]" for note in use.notes[:_NOTES]]
    if len(use.notes) > _NOTES:
        parts.append(f":gray[and {count(len(use.notes) - _NOTES, 'more remark')}]")
    return "  ".join(part if part.startswith(":") and "badge" in part else f":small[{part}]" for part in parts)


def _badge(use: SourceUse) -> str:
    if use.failed and use.failed == use.searches:
        return ":red-badge[failed]"
    if use.failed:
        return f":orange-badge[failed {use.failed} of {count(use.searches, 'time')}]"
    if not use.searches:
        return ":gray-badge[not asked]"
    return ":green-badge[answered]" if use.documents else ":gray-badge[nothing new]"


def _reports(reports: tuple[SourceReport, ...]) -> None:
    columns = {
        "Source": [literal(source_name(report.name)) for report in reports],
        "Documents": [f"{report.documents:,}" for report in reports],
        "New passages": [f"{report.passages:,}" for report in reports],
        "Requests": ["from the cache" if report.cached else f"{report.requests:,}" for report in reports],
        "Time": [seconds(report.seconds) for report in reports],
        "Remarks": [_remarks(report) for report in reports],
    }
    st.table(columns, border="horizontal", hide_index=True, alt="What each live source answered to this query")


def _remarks(report: SourceReport) -> str:
    said = [f":red[{literal(short(report.error, _LONGEST_WORDS))}]"] if report.error else []
    said += [literal(short(note, _LONGEST_WORDS)) for note in report.notes]
    return f":small[{'; '.join(said)}]" if said else ""
