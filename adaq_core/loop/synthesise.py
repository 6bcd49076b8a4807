"""Synthesise without a model: the best sentences of the evidence, grouped by aspect, each cited and quoted exactly."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from adaq_core.loop.terms import terms_of
from adaq_core.model import (
    Answer,
    AspectCoverage,
    Citation,
    Conflict,
    Finding,
    NotCovered,
    QueryAspect,
    RankedPassage,
    Statement,
)

PER_ASPECT = 3
_SAME = 0.75
_WORTH = 0.6
_ALIKE = 0.5
_NUMBER = re.compile(r"[$€£]?\d[\d,]*(?:\.\d+)?\s?%?")


@dataclass(slots=True)
class Numbering:
    """Citation numbers in the order in which the answer needs them; one number per quoted span."""

    evidence: Mapping[str, RankedPassage]
    citations: list[Citation] = field(default_factory=list)

    def number(self, finding: Finding) -> int:
        """The number of the quoted span, a new one when it was not quoted before."""
        for known in self.citations:
            if (known.passage_id, known.start, known.end) == (finding.passage_id, finding.start, finding.end):
                return known.n
        passage = self.evidence[finding.passage_id].passage
        n = len(self.citations) + 1
        quote = passage.text[finding.start : finding.end]
        self.citations.append(
            Citation(n, passage.passage_id, passage.document_id, passage.title, quote, finding.start, finding.end)
        )
        return n


def synthesise(
    coverage: AspectCoverage,
    evidence: Sequence[RankedPassage],
    findings: Sequence[Finding],
    *,
    threshold: float,
    queries: Mapping[str, Sequence[str]],
) -> Answer:
    """Write the answer from `findings` that lie in `evidence`; what has none is listed as not covered."""
    numbering = Numbering({r.passage.passage_id: r for r in evidence})
    statements: list[Statement] = []
    said: dict[tuple[str, int], str] = {}
    for aspect in coverage.aspects:
        mine = [f for f in findings if f.aspect == aspect.aspect and f.passage_id in numbering.evidence]
        if coverage.is_aspect_covered(aspect, threshold):
            statements += _statements(aspect, mine, numbering, said)
    conflicts = conflicts_in(statements)
    missing = not_covered(coverage, statements, threshold=threshold, queries=queries)
    text = _text(coverage.aspects, statements, conflicts, missing)
    return Answer(text, tuple(statements), tuple(numbering.citations), conflicts, missing, abstained=not statements)


def _statements(
    aspect: QueryAspect, findings: Sequence[Finding], numbering: Numbering, said: dict[tuple[str, int], str]
) -> list[Statement]:
    """The best sentences for one aspect; near-duplicates become one statement with several citations.

    A sentence is quoted once: an aspect whose best sentences were all quoted before is pointed to them.
    """
    rank = {key: r.rank for key, r in numbering.evidence.items()}
    ordered = sorted(findings, key=lambda f: (-f.score, rank[f.passage_id], f.start))
    groups: list[list[Finding]] = []
    for finding in ordered:
        group = next((g for g in groups if _overlap(g[0].quote, finding.quote) >= _SAME), None)
        worth = finding.score >= _WORTH * ordered[0].score
        if group is not None:
            group.append(finding)
        elif worth and len(groups) < PER_ASPECT and (finding.passage_id, finding.start) not in said:
            groups.append([finding])
    for group in groups:
        said.update({(f.passage_id, f.start): aspect.aspect for f in group})
    if not groups and ordered:
        return [_pointed(aspect, ordered[0], numbering, said)]
    return [
        Statement(
            _told(aspect, group[0], numbering.evidence[group[0].passage_id].passage.title),
            aspect.aspect,
            tuple(dict.fromkeys(numbering.number(f) for f in group)),
        )
        for group in groups
    ]


def _told(aspect: QueryAspect, finding: Finding, title: str) -> str:
    """The quoted sentence; a fact whose sentence does not say what it is about gets the passage's title in front."""
    text = _sentence(finding.quote)
    lookup = aspect.aspect_type in ("entity", "relation")
    return f"{title}: {text}" if lookup and title and not terms_of(title) & terms_of(text) else text


def _pointed(
    aspect: QueryAspect, finding: Finding, numbering: Numbering, said: Mapping[tuple[str, int], str]
) -> Statement:
    where = said.get((finding.passage_id, finding.start), "")
    return Statement(f"See “{where}” above.", aspect.aspect, (numbering.number(finding),))


def _sentence(quote: str) -> str:
    return " ".join(quote.split())


def _overlap(one: str, other: str) -> float:
    a, b = terms_of(one), terms_of(other)
    return len(a & b) / len(a | b) if a and b else 0.0


def conflicts_in(statements: Sequence[Statement]) -> tuple[Conflict, ...]:
    """Statements that say the same of other numbers: alike without their numbers, and no number in common."""
    found = []
    for i, one in enumerate(statements):
        for other in statements[i + 1 :]:
            first, second = _numbers(one.text), _numbers(other.text)
            if one.citations == other.citations or not first or not second or first & second:
                continue
            if _overlap(_NUMBER.sub(" ", one.text), _NUMBER.sub(" ", other.text)) >= _ALIKE:
                cited = (*one.citations, *other.citations)
                found.append(Conflict(one.aspect, _shared(one.text, other.text), (one.text, other.text), cited))
    return tuple(found)


def _numbers(text: str) -> frozenset[str]:
    return frozenset(re.sub(r"[\s,]", "", n) for n in _NUMBER.findall(text))


def _shared(one: str, other: str) -> str:
    both = terms_of(one) & terms_of(other)
    words = [w.strip(".,;:()") for w in one.split()]
    return " ".join(dict.fromkeys(w for w in words if terms_of(w) and terms_of(w) <= both and not _NUMBER.match(w)))


def not_covered(
    coverage: AspectCoverage,
    statements: Sequence[Statement],
    *,
    threshold: float,
    queries: Mapping[str, Sequence[str]],
) -> tuple[NotCovered, ...]:
    """The aspects that no statement speaks to, why, and what was tried for them."""
    spoken = {statement.aspect for statement in statements}
    missing = []
    for aspect in coverage.aspects:
        if aspect.aspect in spoken:
            continue
        reason = "no passage that was read says enough about it"
        if coverage.is_aspect_covered(aspect, threshold):
            reason = "a passage covers it, but its sentences are already cited or the evidence had no room for it"
        missing.append(NotCovered(aspect.aspect, tuple(queries.get(aspect.aspect, ())), reason))
    return tuple(missing)


def _text(
    aspects: Sequence[QueryAspect],
    statements: Sequence[Statement],
    conflicts: Sequence[Conflict],
    missing: Sequence[NotCovered],
) -> str:
    if not statements:
        return nothing_found(missing)
    parts = []
    for aspect in aspects:
        mine = [s for s in statements if s.aspect == aspect.aspect]
        if mine:
            sentences = " ".join(marked(s.text, s.citations) for s in mine)
            parts.append(f"**{aspect.aspect}**\n\n{sentences}")
    return "\n\n".join((*parts, *appendix(conflicts, missing)))


def marked(text: str, citations: Sequence[int]) -> str:
    """The text with the marks of what it cites: `text [1][2]`."""
    return f"{text} {''.join(f'[{n}]' for n in citations)}"


def appendix(conflicts: Sequence[Conflict], missing: Sequence[NotCovered]) -> list[str]:
    """The parts of an answer that speak of itself: where sources disagree, and what it does not cover."""
    parts = []
    if conflicts:
        parts.append("**Sources disagree**\n\n" + "\n".join(_conflict_line(c) for c in conflicts))
    if missing:
        parts.append("**Not covered**\n\n" + "\n".join(_missing_line(m) for m in missing))
    return parts


def nothing_found(missing: Sequence[NotCovered]) -> str:
    """What is said in place of an answer when no passage speaks to any aspect."""
    lines = "\n".join(_missing_line(m) for m in missing)
    return f"No evidence was found for this question, so there is no answer.\n\n**Not covered**\n\n{lines}"


def _conflict_line(conflict: Conflict) -> str:
    sides = " / ".join(f"“{value}”" for value in conflict.values)
    return f"- {marked(f'{conflict.about}: {sides}', conflict.citations)}"


def _missing_line(missing: NotCovered) -> str:
    tried = f"; tried: {'; '.join(f'“{q}”' for q in missing.queries)}" if missing.queries else "; not searched"
    return f"- {missing.aspect}: {missing.reason}{tried}"
