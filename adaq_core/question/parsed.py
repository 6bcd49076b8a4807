"""The one reading of a question that planner, ranker, coverage, answers and live sources share."""

from __future__ import annotations

from dataclasses import dataclass

from adaq_core.model import AnswerKind, Constraint


@dataclass(frozen=True, slots=True)
class ParsedClause:
    """A part of the question that can be asked alone: its own text and where it stands in the question.

    The text has no opening phrase and no instruction; what the question leaves out ("and when?") is filled in, but a
    pronoun stands as it is. `sentence` is the range of the sentence around it.
    """

    text: str
    span: tuple[int, int]
    kind: AnswerKind = "fact"
    sentence: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class ParsedQuestion:
    """A question, read once: what is asked, under which conditions, and in which form the answer is wanted.

    `clauses` ask; `conditions` bind the evidence (company, period, source, place …); `instructions` speak of the form
    of the answer ("round to two decimals") or how to go about it, and are no part of what is searched; `names` are the
    named things in the order of the text; `unused` are words that have none of these fates. `unclear` says in one
    sentence why the question cannot be answered as it stands: it names nothing, or speaks of an "it" from elsewhere.
    All spans are half-open character ranges of `text`.
    """

    text: str
    kind: AnswerKind = "fact"
    clauses: tuple[ParsedClause, ...] = ()
    names: tuple[tuple[str, tuple[int, int]], ...] = ()
    conditions: tuple[Constraint, ...] = ()
    instructions: tuple[tuple[str, tuple[int, int]], ...] = ()
    unused: tuple[str, ...] = ()
    is_english: bool = True
    unclear: str = ""

    def conditions_of(self, clause: ParsedClause) -> tuple[Constraint, ...]:
        """Return the conditions that bind `clause`: its own, and those that stand outside every clause.

        A phrase in front of a sentence binds the clauses of that sentence; an instruction binds all.
        """
        return tuple(c for c in self.conditions if c.span and self._binds(c.span[0], clause))

    def _binds(self, place: int, clause: ParsedClause) -> bool:
        if _holds(clause.span, place):
            return True
        if any(_holds(other.span, place) for other in self.clauses):
            return False
        own = [other for other in self.clauses if _holds(other.sentence, place)]
        return not own or clause in own


def _holds(span: tuple[int, int], place: int) -> bool:
    return span[0] <= place < span[1]
