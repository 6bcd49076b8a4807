"""What a run came to, in the same words on every page: found, missing, why it stopped, how sure, what next."""

from __future__ import annotations

from functools import lru_cache

import streamlit as st

from adaq_core.answers.form import why_unclear
from adaq_core.export.verdict import ANSWERING, open_aspects
from adaq_core.export.verdict import NO_NEW_ASPECT as NO_NEW_ASPECT
from adaq_core.export.verdict import NOT_JUDGED as NOT_JUDGED
from adaq_core.export.verdict import Proof as Proof
from adaq_core.export.verdict import Verdict as Verdict
from adaq_core.export.verdict import is_unclear as is_unclear
from adaq_core.export.verdict import proof_of as proof_of
from adaq_core.export.verdict import verdict as verdict
from adaq_core.export.verdict import wants_a_name as wants_a_name
from adaq_core.question.parse import is_english
from adaq_core.store.rows import RunOutcome as Outcome
from adaq_core.store.rows import RunRow
from adaq_core.trace import RunView
from pages._shared.common.backend import is_first_question, library, recalibration
from pages._shared.common.meaning import making
from pages._shared.common.text import literal, quoted, short
from pages._shared.common.words import count

OUTCOMES: dict[Outcome, str] = {
    "running": "running",
    "answered": "answered",
    "partly": "partly answered",
    "uncertain": "not certain",
    "nothing": "nothing found",
    "failed": "failed",
    "interrupted": "interrupted",
}
ICONS: dict[Outcome, str] = {
    "running": ":blue[:material/pending:]",
    "answered": ":green[:material/check_circle:]",
    "partly": ":orange[:material/rule:]",
    "uncertain": ":orange[:material/rule:]",
    "nothing": ":orange[:material/search_off:]",
    "failed": ":red[:material/error:]",
    "interrupted": ":orange[:material/pause_circle:]",
}


NOT_CLEAR = "not clear"
# All that `outcome_words` says, by the name that links have for it.
SHOWN_OUTCOMES = {str(name): words for name, words in OUTCOMES.items()}
SHOWN_OUTCOMES |= {words: words for words in (NOT_JUDGED, NOT_CLEAR)}


def outcome_words(row: RunRow) -> str:
    """Return what a stored run came to; "not judged" or "unclear" rather than "nothing" where that is the reason."""
    return unanswered_words(row.question) if row.outcome == "nothing" else OUTCOMES[row.outcome]


@lru_cache(maxsize=4096)
def unanswered_words(question: str) -> str:
    """Return what a run without an answer to `question` came to."""
    if not is_english(question):
        return NOT_JUDGED
    why = why_unclear(question)
    return NOT_CLEAR if why and wants_a_name(why) else OUTCOMES["nothing"]


def before_first_hop(row: RunRow, run: RunView) -> str:
    """Return what a run does before its first hop."""
    if run.started is None:
        first = "; the first question takes longest" if is_first_question() else ""
        return making(library(), row.corpus) or f"Preparing the corpus{first}"
    return "Planning the first hop" if run.planned else "Finding the aspects of the question"


def before_any_hop(run: RunView) -> str:
    """Return how far a finished run without a hop came."""
    if run.started is None:
        return "It never started: nothing was planned and nothing was searched."
    if run.planned is None:
        return "It ended before the question was split into aspects. Nothing was searched."
    return f"{count(len(run.aspects), 'aspect')} had been planned, and no hop was begun: nothing was searched."


def can_go_on(run: RunView) -> bool:
    """Whether a person stopped the run while an aspect was open, so that it can be continued."""
    return run.status != "running" and run.stop_reason == "user_stop" and bool(open_aspects(run))


def resume_label(run: RunView, *, interrupted: bool) -> str:
    """Return the label of the button that resumes a finished run; "" if there is nothing to resume."""
    if can_go_on(run):
        return "Continue from here"
    if run.status not in ("failed", "interrupted") and not interrupted:
        return ""
    return "Resume from the last complete hop" if any(hop.done for hop in run.hops) else "Run it again"


def show_verdict_block(run: RunView, *, interrupted: bool = False, reason: str = "") -> None:
    """Draw the verdict as a block of few lines; the run's own numbers wait behind an (i)."""
    shown = verdict(run, interrupted=interrupted, reason=reason, judged=recalibration(run))
    with st.container(border=True, key="verdict_ask", gap="xxsmall"):
        st.markdown(f"{ICONS[shown.outcome]} **{literal(shown.title)}**", help=verdict_help(shown))
        for line in verdict_lines(shown, missing=False):
            st.markdown(f":small[{line}]")


def show_verdict_line(run: RunView, *, key: str, missing: bool, interrupted: bool = False, reason: str = "") -> None:
    """Draw the same verdict in two lines, where room is scarce: title, why and how sure; then the rest."""
    shown = verdict(run, interrupted=interrupted, reason=reason, judged=recalibration(run))
    sure = literal(shown.sure)
    first = f"{literal(shown.why)} {sure}".strip()
    rest = verdict_lines(shown, missing=missing)
    with st.container(key=f"verdict_{key}", gap="xxsmall"):
        st.markdown(f"{ICONS[shown.outcome]} **{literal(shown.title)}.** {first}", help=verdict_help(shown))
        more = [line for line in rest if line not in (literal(shown.why), f"**How sure:** {sure}")]
        if more:
            st.markdown(f":small[{' '.join(more)}]")


def verdict_lines(shown: Verdict, *, missing: bool = True) -> list[str]:
    """Return the lines under the title as Markdown: what is missing, why it stopped, how sure, what next.

    Where there is no answer the reason comes first. `missing` is for a page that does not list the aspects.
    """
    more = f" One more hop would have tried {quoted(short(shown.next_query, 120))}." if shown.next_query else ""
    lacks = f"**Missing:** {literal(shown.missing)}" if missing and shown.missing else ""
    unchecked = f"**Could not be checked:** {literal(shown.unchecked)}" if shown.unchecked else ""
    why = literal(shown.why)
    answers = shown.outcome in ANSWERING
    lines = (
        *((lacks, unchecked, why) if answers else (why, lacks, unchecked)),
        f"**How sure:** {literal(shown.sure)}" if shown.sure else "",
        f"**Next:** {literal(shown.next)}{more}" if shown.next else more.strip(),
    )
    return [line for line in lines if line]


def verdict_help(shown: Verdict) -> str | None:
    """Return the run's own words and numbers, for the (i) beside the title."""
    return "  \n".join(literal(line) for line in shown.details) or None
