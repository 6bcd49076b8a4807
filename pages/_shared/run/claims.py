"""From a sentence of the answer to what carries it and back, and what became of every passage that was retrieved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from adaq_core.events import PassagesRetrieved
from adaq_core.export.dossier import carries
from adaq_core.model import Answer, Citation, Passage
from adaq_core.trace import HopView, RunView
from pages._shared.common.text import Span, short, visible
from pages._shared.common.words import count
from pages._shared.run.verdict import proof_of

Stage = Literal["cited", "kept", "replaced", "read", "not_read"]
# From the end of a passage's way back to its beginning: the later it was dropped, the nearer it came.
STAGES: dict[Stage, str] = {
    "cited": "quoted in the answer",
    "kept": "kept, not quoted",
    "replaced": "kept, then replaced",
    "read": "read, not kept",
    "not_read": "found, not read",
}


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence of the answer with one passage that carries it: its words, and how the run came to them.

    `text`, `aspect`, `hop` and `place` are empty where a source was opened and not a sentence. `others` are the spans
    of the same passage that carry other sentences.
    """

    passage: Passage
    quotes: tuple[Span, ...]
    others: tuple[Span, ...]
    text: str = ""
    aspect: str = ""
    hop: int | None = None
    came: str = ""
    place: int | None = None


def claim(run: RunView, place: int | None, n: int) -> Claim | None:
    """Return sentence `place` of the answer (the short answer for -1, none for None) with what citation `n` quotes."""
    answer = run.answer
    cited = [c for c in answer.citations if c.n == n] if answer else []
    passage = run.passages.get(cited[0].passage_id) if cited else None
    if answer is None or passage is None:
        return None
    text, aspect = _sentence(answer, place)
    mine = [c for c in cited if carries(c, text)] if text else cited
    quotes = _spans(mine or cited[:1])
    others = tuple(span for span in _spans(cited) if span not in quotes)
    hop = run.covered_at.get(aspect)
    came = how_it_came(run, passage.passage_id)
    return Claim(passage, quotes, others, visible(text), visible(aspect), hop, came, place if text else None)


def _sentence(answer: Answer, place: int | None) -> tuple[str, str]:
    if place == -1 and answer.short:
        return answer.short.text, ""
    if place is None or not 0 <= place < len(answer.statements):
        return "", ""
    return answer.statements[place].text, answer.statements[place].aspect


def _spans(citations: Sequence[Citation]) -> tuple[Span, ...]:
    return tuple(dict.fromkeys((c.start, c.end) for c in citations))


def how_it_came(run: RunView, passage_id: str) -> str:
    """Return how a passage came into the run: `hop 2, query “…”` or `hop 3, named in “…”`; empty when not known."""
    arrival = run.arrival(passage_id)
    if arrival is None:
        return ""
    if arrival.link is not None:
        return f"hop {arrival.hop}, named in “{_title(run, arrival.link.parent_id)}”"
    if arrival.query and arrival.query == run.question:
        return f"hop {arrival.hop}, by the question itself"
    if arrival.query:
        return f"hop {arrival.hop}, query “{short(arrival.query, 120)}”"
    return f"hop {arrival.hop}"


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """A retrieved passage: how far it came, why no farther, how it came, and its best rank for a query."""

    passage_id: str
    title: str
    stage: Stage
    why: str
    came: str
    rank: int | None


def whereabouts(run: RunView, passage_id: str) -> Whereabouts | None:
    """Return what became of a passage in the run; None for one that it never retrieved."""
    if passage_id not in run.passages:
        return None
    stage, why = _stage(run, passage_id)
    title, came = _title(run, passage_id), how_it_came(run, passage_id)
    return Whereabouts(passage_id, title, stage, why, came, _best_rank(run, passage_id))


def not_used(run: RunView) -> tuple[Whereabouts, ...]:
    """Return every retrieved passage that the answer does not quote, those that came nearest first."""
    passages = [each for passage_id in run.passages if (each := whereabouts(run, passage_id)) and each.stage != "cited"]
    order = list(STAGES)
    return tuple(sorted(passages, key=lambda each: (order.index(each.stage), each.rank or 1_000, each.passage_id)))


def sentences_on(run: RunView, passage_id: str) -> tuple[str, ...]:
    """Return the sentences of the answer that rest on a passage."""
    answer = run.answer
    if answer is None:
        return ()
    numbers = {c.n for c in answer.citations if c.passage_id == passage_id}
    return tuple(visible(s.text) for s in answer.statements if numbers & set(s.citations))


def _stage(run: RunView, passage_id: str) -> tuple[Stage, str]:
    answer = run.answer
    if answer and any(c.passage_id == passage_id for c in answer.citations):
        return "cited", _quoted_for(answer, passage_id)
    if any(ranked.passage.passage_id == passage_id for ranked in run.evidence):
        return "kept", _why_not_quoted(answer, passage_id)
    if gone := _replaced(run, passage_id):
        return "replaced", gone
    if any(passage_id in hop.read for hop in run.hops):
        return "read", _why_not_kept(run, passage_id)
    return "not_read", _why_not_read(run, passage_id)


def _quoted_for(answer: Answer, passage_id: str) -> str:
    numbers = {citation.n for citation in answer.citations if citation.passage_id == passage_id}
    mine = [statement for statement in answer.statements if numbers & set(statement.citations)]
    aspects = dict.fromkeys(visible(statement.aspect) for statement in mine if statement.aspect)
    rest = "rests" if len(mine) == 1 else "rest"
    on_what = f": {'; '.join(aspects)}" if aspects else ""
    return f"{count(len(mine), 'sentence')} of the answer {rest} on it{on_what}."


def _why_not_quoted(answer: Answer | None, passage_id: str) -> str:
    reason = next((u.reason for u in answer.unused if u.passage_id == passage_id), "") if answer else ""
    if reason:
        return f"{reason[:1].upper()}{reason[1:]}."
    return "The answer quotes other passages." if answer else "The run has no answer."


def _replaced(run: RunView, passage_id: str) -> str:
    for hop in reversed(run.hops):
        change = next((change for change in hop.replacements if change.dropped == passage_id), None)
        if change is not None:
            return f"Made room in hop {hop.hop} for “{_title(run, change.taken)}”."
    return ""


def _why_not_kept(run: RunView, passage_id: str) -> str:
    spoke = dict.fromkeys(f.aspect for hop in run.hops for f in hop.findings if f.passage_id == passage_id)
    if not spoke:
        return "Nothing in it answers an aspect."
    first = next(iter(spoke))
    proof = proof_of(run, first)
    better = f"; “{proof.title}” says more" if proof and proof.passage_id != passage_id else ""
    return f"Speaks to {visible(first)}{better}."


def _why_not_read(run: RunView, passage_id: str) -> str:
    ranks = _ranks(run, passage_id)
    if not ranks:
        return "Named by another passage, and not read."
    rank, read = min(ranks)
    return f"Rank {rank} for its query; {read} were read." if read else f"Rank {rank} for its query."


def _ranks(run: RunView, passage_id: str) -> list[tuple[int, str]]:
    """Return the ranks of a passage, each with the passages of that query that were read."""
    events = ((hop, event) for hop in run.hops for event in hop.retrieved)
    return [
        (each.rank, _read_of(hop, event))
        for hop, event in events
        for each in event.passages
        if each.passage.passage_id == passage_id
    ]


def _read_of(hop: HopView, event: PassagesRetrieved) -> str:
    """Return which passages of a query the hop read: the first ones, and any that it kept all the same."""
    read = [each.rank for each in event.passages if each.passage.passage_id in hop.read]
    if not read:
        return ""
    return f"the first {len(read)}" if max(read) == len(read) else f"{len(read)} others"


def _best_rank(run: RunView, passage_id: str) -> int | None:
    return min((rank for rank, _ in _ranks(run, passage_id)), default=None)


def _title(run: RunView, passage_id: str) -> str:
    passage = run.passages.get(passage_id)
    return visible(passage.title or passage.document_id) if passage else passage_id
