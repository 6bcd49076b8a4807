"""A question cut into clauses that can each be asked alone, pronouns filled in."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from adaq_core.text.tokens import tokens

_ASKING = r"(?:what|how|why|when|where|who|whom|whose|which|is|are|do|does|did|should|can|could|was|were|has|have|will)"
_AHEAD = r"(?:with|in|for|by|to|from|at|on|of|under)"
_HARD = re.compile(
    rf"(?<=[?!])\s+(?=\S)|(?<=[.])\s+(?=[A-Z])|\s*;\s*"
    rf"|,?\s+(?:and|but|or)\s+(?:also\s+)?(?={_ASKING}\b|{_AHEAD}\s+(?:which|what|whom|whose)\b)"
    rf"|:\s+(?={_ASKING}\s)"
    rf"|,\s*(?={_ASKING}\s+(?:is|are|do|does|did|it|they|was|were)\b)"
    r"|,?\s+(?:while|whereas)\s+",
    re.IGNORECASE,
)
_SOFT = re.compile(
    r",?\s+(?:and|but)\s+(?=(?:that|which|who|the|has|is|was|were|had|also)\b)|,\s*(?=(?:which|who|that|as|and)\b)|\s+(?=(?:that|which|who)\s)",
    re.IGNORECASE,
)
_POLITE = re.compile(
    r"^\s*(?:(?:please|kindly|hey|hi|hello)[,\s]+)*(?:(?:can|could|would) you\s+(?:please\s+)?)?"
    r"(?:(?:i (?:want|would like|need) to know|tell me|give me(?: an overview of)?|let me know)\s+(?:about\s+)?)?",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"\b(?:they|them|it|its|their|theirs|this|these|those)\b", re.IGNORECASE)
_LONG = 16


@dataclass(frozen=True, slots=True)
class Clause:
    """A piece of the question: `question[start:start + len(raw)] == raw`; `text` has its pronoun replaced."""

    raw: str
    start: int
    text: str

    @property
    def span(self) -> tuple[int, int]:
        """Its place in the question."""
        return self.start, self.start + len(self.raw)


def clauses(question: str) -> list[Clause]:
    """The clauses of `question`, at least one when it has a word; each has a word that a search can use."""
    pieces = [_trimmed(question, start, end) for start, end in _pieces(question, _HARD, 0, len(question))]
    return _joined(question, [p for p in pieces if p.raw])


def soft_clauses(clause: Clause, question: str) -> list[Clause]:
    """A long clause cut at its relative clauses; itself when it is short or no cut leaves two words on both sides."""
    if len(clause.raw.split()) < _LONG:
        return [clause]
    pieces = [_trimmed(question, s, e) for s, e in _pieces(question, _SOFT, *clause.span)]
    return _joined(question, [p for p in pieces if p.raw], minimum=2)


def with_subject(clause: Clause, subject: str) -> Clause:
    """The clause with its first pronoun replaced by `subject`."""
    if not subject:
        return clause

    def named(match: re.Match[str]) -> str:
        return f"{subject}'s" if match.group().lower() in ("its", "their", "theirs") else subject

    return replace(clause, text=_PRONOUN.sub(named, clause.text, count=1))


def has_pronoun(clause: Clause) -> bool:
    """Whether the clause speaks of something named before."""
    return _PRONOUN.search(clause.text) is not None


def _pieces(question: str, border: re.Pattern[str], start: int, end: int) -> list[tuple[int, int]]:
    cuts = [start]
    for match in border.finditer(question, start, end):
        cuts += [match.start(), match.end()]
    cuts.append(end)
    return list(zip(cuts[::2], cuts[1::2], strict=True))


def _trimmed(question: str, start: int, end: int) -> Clause:
    piece = question[start:end]
    polite = _POLITE.match(piece)
    begin = polite.end() if polite else 0
    body = piece[begin:]
    left = len(body) - len(body.lstrip(" ,.;:?!\n\t"))
    raw = body.strip(" ,.;:?!\n\t")
    return Clause(raw, start + begin + left, raw)


def _joined(question: str, pieces: list[Clause], *, minimum: int = 1) -> list[Clause]:
    """Pieces with fewer than `minimum` search terms are put back to the piece before (or after) them."""
    kept: list[Clause] = []
    for piece in pieces:
        if kept and (len(set(tokens(piece.text))) < minimum or len(set(tokens(kept[-1].text))) < minimum):
            first = kept.pop()
            raw = question[first.start : piece.start + len(piece.raw)]
            kept.append(Clause(raw, first.start, raw))
        else:
            kept.append(piece)
    return kept
