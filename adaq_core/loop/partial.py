"""An answer where no aspect is covered for certain although the evidence seems to hold one: the nearest it says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from adaq_core.loop.synthesise import PER_ASPECT, Numbering, appendix, marked
from adaq_core.loop.terms import Weigh, read_sentences, share, terms_of
from adaq_core.model import Answer, Finding, QueryAspect, RankedPassage, Statement

_HEADING = "No aspect of the question is covered for certain. The nearest that was found:"


def partial(
    answer: Answer,
    *,
    question: str,
    aspects: Sequence[QueryAspect],
    evidence: Sequence[RankedPassage],
    findings: Sequence[Finding],
    weigh: Weigh,
) -> Answer:
    """`answer`, which has no statement, with the best findings below the threshold.

    Without any, with the sentences of the first passages that hold most of the question's words. All aspects stay
    listed as not covered.
    """
    numbering = Numbering({r.passage.passage_id: r for r in evidence})
    here = [finding for finding in findings if finding.passage_id in numbering.evidence]
    near = [finding for aspect in aspects for finding in _best(here, aspect.aspect)]
    near = near or _by_words(question, aspects[0].aspect if aspects else "", evidence[:PER_ASPECT], weigh)
    statements = tuple(
        Statement(" ".join(finding.quote.split()), finding.aspect, (numbering.number(finding),)) for finding in near
    )
    if not statements:
        return answer
    lines = "\n".join(f"- {marked(s.text, s.citations)}" for s in statements)
    text = "\n\n".join((f"**{_HEADING}**\n\n{lines}", *appendix((), answer.not_covered)))
    return replace(answer, text=text, statements=statements, citations=tuple(numbering.citations), abstained=False)


def _best(findings: Sequence[Finding], aspect: str) -> list[Finding]:
    """The best sentences for an aspect, one a passage."""
    best: dict[str, Finding] = {}
    for finding in sorted(findings, key=lambda f: (-f.score, f.passage_id, f.start)):
        if finding.aspect == aspect:
            best.setdefault(finding.passage_id, finding)
    return list(best.values())[:PER_ASPECT]


def _by_words(question: str, aspect: str, evidence: Sequence[RankedPassage], weigh: Weigh) -> list[Finding]:
    """The sentence of each passage that holds most of the question's words, by their rarity; none without any."""
    wanted, found = terms_of(question), []
    for passage in (ranked.passage for ranked in evidence):
        rated = [(share(wanted, s.terms, weigh), s) for s in read_sentences(passage.text)]
        worth, best = max(rated, key=lambda each: (each[0], -each[1].start), default=(0.0, None))
        if best is not None and worth > 0:
            quote = passage.text[best.start : best.end]
            found.append(Finding(aspect, passage.passage_id, quote, best.start, best.end, round(worth, 6)))
    return found
