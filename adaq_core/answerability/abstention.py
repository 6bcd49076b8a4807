"""Withhold: what is said where the evidence is not enough for an answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from adaq_core.answers.marks import marked
from adaq_core.model import Answer
from adaq_core.stages.synthesise import appendix

_LACKING = 4


def withheld(answer: Answer, *, lacking: Sequence[str]) -> Answer:
    """The same evidence without the claim to be an answer: what is missing first, then the nearest that was found."""
    if answer.abstained:
        first, rest = answer.text.split("\n\n", maxsplit=1)
        text = f"{first} What is missing: {_missing(lacking)}.\n\n{rest}" if lacking else answer.text
        return replace(answer, text=text, status="not_in_corpus")
    nearest = [f"- {marked(s.text, s.citations)}" for s in answer.statements]
    parts = (
        f"**Not enough evidence for an answer**\n\n{why_withheld(lacking)}.",
        "**The nearest that was found, which does not answer the question**\n\n" + "\n".join(nearest),
        *appendix((), answer.not_covered),
    )
    text = "\n\n".join(parts)
    return replace(
        answer, text=text, conflicts=(), abstained=True, short=None, likely=(), table=None, status="not_in_corpus"
    )


def why_withheld(lacking: Sequence[str]) -> str:
    """One sentence, without its full stop."""
    return f"The corpus does not seem to hold an answer: {_missing(lacking)}"


def _missing(lacking: Sequence[str]) -> str:
    return "; ".join(lacking[:_LACKING]) or "what was found fits the question only in part"
