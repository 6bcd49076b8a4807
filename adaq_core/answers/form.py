"""The form of an answer: headings that name the thing, and tables for comparisons and grids."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from adaq_core.answers.choose import TypedSpan, Wanted, asked_share, typed_spans
from adaq_core.answers.evidence_sentences import EvidenceSentence, last_reversal, reversals_of, stands_after
from adaq_core.answers.sections import Section
from adaq_core.model import AnswerKind, AnswerTable, QueryAspect, Statement, TableRow
from adaq_core.text.terms import terms_of, uniform
from adaq_core.text.tokens import words

_SPANS: frozenset[AnswerKind] = frozenset(("person", "date", "number", "amount", "place", "organisation"))
_CLAUSE = re.compile(
    r"\b(?:because(?: of)?|due to|owing to|caused by|as a result of|thanks to|since (?!\d|the \d)|(?:when|after) )"
    r"[^;]{8,160}",
    re.IGNORECASE,
)
_MOST_LIKELY = 3
Siblings = Sequence[Sequence[EvidenceSentence]]


@dataclass(frozen=True, slots=True)
class Certainty:
    """From which shares a short answer is stated; chosen on the dev halves so that nine in ten stated ones are right.

    `sentence`: what the matcher says of the sentence, in [0, 1]; `asked`: share of the question's terms that the
    sentence or its title says; `clear`: by how much the next sentence with another candidate is behind.
    """

    sentence: float = 0.5
    asked: float = 0.85
    clear: float = 0.1


CERTAINTY = Certainty()


@dataclass(frozen=True, slots=True)
class Proposal:
    """A short answer with the sentence that states it; without a text only what is `likely`."""

    text: str = ""
    kind: AnswerKind = "fact"
    sentence: EvidenceSentence | None = None
    step: str = ""
    likely: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rated:
    """A sentence of the answer with what the matcher says of it, in [0, 1]."""

    sentence: EvidenceSentence
    match: float


def propose(wanted: Wanted, rated: Sequence[Rated], siblings: Siblings) -> Proposal:
    """The short answer from the sentences chosen for it, best first."""
    if wanted.kind == "yes_no":
        return _verdict(rated, siblings)
    if wanted.kind == "reason":
        return _reason(wanted, rated)
    if wanted.kind in _SPANS:
        return _span(wanted, rated)
    return Proposal(kind=wanted.kind)


def _is_sure(wanted: Wanted, rated: Rated) -> bool:
    held = rated.sentence.terms | terms_of(rated.sentence.passage.title)
    return rated.match >= CERTAINTY.sentence and asked_share(wanted.terms, held, uniform) >= CERTAINTY.asked


def _span(wanted: Wanted, rated: Sequence[Rated]) -> Proposal:
    """The one candidate of the kind in the surest sentence, or that nearest to the words asked for."""
    held = [(r, spans) for r in rated if (spans := _candidates(wanted, r.sentence))]
    likely = tuple(dict.fromkeys(spans[0].text for _, spans in held))[:_MOST_LIKELY]
    if not held:
        return Proposal(kind=wanted.kind)
    (best, spans), sentence = held[0], held[0][0].sentence
    rivals = [r.match for r, others in held[1:] if others[0].text != spans[0].text]
    clear = not rivals or best.match - max(rivals) >= CERTAINTY.clear
    if _is_sure(wanted, best) and clear and (len(spans) == 1 or wanted.kind == "date"):
        return Proposal(spans[0].text, wanted.kind, sentence)
    return Proposal(kind=wanted.kind, likely=likely)


def _candidates(wanted: Wanted, sentence: EvidenceSentence) -> list[TypedSpan]:
    """The parts of the kind asked for that the question does not hold, those nearest to its words first."""
    text, title = sentence.text, set(words(sentence.passage.title))
    known = wanted.words | (title if wanted.kind in ("person", "organisation") else set())
    spans = [s for s in typed_spans(wanted.kind, text) if not set(words(s.text)) <= known]
    terms = wanted.terms - terms_of(sentence.passage.title)
    asked = [m.start() for m in re.finditer(r"\w+", text) if terms_of(m.group()) & terms]
    return sorted(spans, key=lambda s: (min((abs(s.start - at) for at in asked), default=s.start), s.start))


def _verdict(rated: Sequence[Rated], siblings: Siblings) -> Proposal:
    """No or yes by the last of the dated events that took back what was asked about; nothing where there are none."""
    for each in rated:
        chain = reversals_of(each.sentence, siblings[each.sentence.rank])
        if chain and each.match >= CERTAINTY.sentence:
            stands = stands_after(chain[-1].text)
            if stands is not None:
                step = f"the last of {len(chain) + 1} dated statements: {last_reversal(chain[-1].text)}"
                return Proposal("Yes" if stands else "No", "yes_no", chain[-1], step)
    return Proposal(kind="yes_no")


def _reason(wanted: Wanted, rated: Sequence[Rated]) -> Proposal:
    """The clause of the surest sentence that gives a reason."""
    for each in rated[:1]:
        clause = _CLAUSE.search(each.sentence.text)
        if clause and _is_sure(wanted, each):
            text = clause.group().rstrip(" .,;")
            return Proposal(text[:1].upper() + text[1:], "reason", each.sentence)
    return Proposal(kind="reason")


_MOST_COLUMNS = 4
_ASKS = re.compile(
    r"^(?:who|whom|whose|what|which|when|where|why|how|is|are|was|were|do|does|did|has|have|can|could|will)\b", re.I
)
_LONGEST_HEADING = 12
# What a section says of its thing, by kind of answer or type of aspect, where the aspect's name is a question.
_WHAT = {
    "reason": ": reasons", "causal": ": reasons", "way": ": how it works", "process": ": how it works",
    "date": ": dates",
    "person": ": people", "amount": ": amounts", "number": ": numbers", "place": ": places", "list": ": list",
}  # fmt: skip


def heading_of(aspect: QueryAspect) -> str:
    """The name of the aspect as a heading; empty where it only repeats a question."""
    name = aspect.aspect.strip().rstrip("?")
    if _ASKS.match(name) or len(name.split()) > _LONGEST_HEADING:
        thing = aspect.subject if aspect.subject and not _ASKS.match(aspect.subject) else ""
        what = _WHAT.get(aspect.answer_kind, _WHAT.get(aspect.aspect_type, ""))
        return f"{thing[:1].upper()}{thing[1:]}{what}" if thing else what.removeprefix(": ").capitalize()
    return name[:1].upper() + name[1:]


def table_of(
    question: str, kind: AnswerKind, sections: Sequence[Section], statements: Sequence[Statement]
) -> AnswerTable | None:
    """Aspects that ask the same of several things as a table; None where they do not, or only one thing has cells."""
    cells: dict[tuple[str, str], str] = {}
    for section in sections:
        thing, label = _thing_and_label(section.aspect)
        if thing and label:
            cells[label, thing] = section.aspect.aspect
    things = list(dict.fromkeys(thing for _, thing in cells))
    labels = [x for x in dict.fromkeys(label for label, _ in cells) if sum((x, t) in cells for t in things) > 1]
    if not 2 <= len(things) <= _MOST_COLUMNS or not labels:
        return None
    rows = tuple(
        TableRow(label, tuple(_places(cells.get((label, thing)), statements) for thing in things)) for label in labels
    )
    full = [row for row in rows if sum(bool(cell) for cell in row.cells) > 1]
    return AnswerTable(tuple(things), rows) if full else None


def _thing_and_label(aspect: QueryAspect) -> tuple[str, str]:
    """What an aspect is about and what it asks of that: “Supply risks of Apple” is supply risks, of Apple."""
    thing = aspect.subject.strip()
    if not thing or aspect.aspect_type == "comparison":
        return "", ""
    name = aspect.aspect
    match = re.fullmatch(
        rf"(?P<label>.+?)\s+(?:of|for|at|in|role of)\s+(?:the\s+)?{re.escape(thing)}", name, re.IGNORECASE
    )
    if match:
        return thing, match["label"]
    match = re.fullmatch(rf"{re.escape(thing)}:\s+(?P<label>.+)", name, re.IGNORECASE)
    return (thing, match["label"][:1].upper() + match["label"][1:]) if match else ("", "")


def _places(aspect: str | None, statements: Sequence[Statement]) -> tuple[int, ...]:
    return tuple(n for n, s in enumerate(statements) if aspect is not None and s.aspect == aspect)
