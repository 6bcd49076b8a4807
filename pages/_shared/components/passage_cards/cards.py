"""The evidence of a run for people: cards with quotes, where a passage is from, and what became of each."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypedDict

import streamlit as st

from adaq_core.model import Finding, Link, Passage, RankedPassage, ScoredPassage
from adaq_core.trace import HopView, RunView
from pages._shared.common.text import Part, Span, host, short, snippet_parts, visible, web_link
from pages._shared.components.component_files import component


class CardValue(TypedDict):
    """One passage of the evidence; `parts` are (text, kind) of its snippet, `score` its estimated worth in [0, 1].

    `url` is the page that it is from when it can be offered as a link, `host` where that leads; else both are empty.
    """

    id: str
    rank: int
    score: float
    title: str
    origin: str
    url: str
    host: str
    covers: list[str]
    fresh: bool
    came: str
    link: str
    replaced: str
    reason: str
    parts: list[Part]


def evidence_cards(run: RunView, hop: HopView) -> list[CardValue]:
    """Return a card for each passage of the evidence after `hop`, best first; `fresh` marks those the hop added."""
    earlier = [each.evidence for each in run.hops if each.hop < hop.hop and each.evidence]
    before = {ranked.passage.passage_id for ranked in earlier[-1]} if earlier else set()
    return [_card(run, hop, ranked, fresh=ranked.passage.passage_id not in before) for ranked in hop.evidence]


def findings_in(run: RunView, passage_id: str, *, upto: int | None = None) -> tuple[Finding, ...]:
    """Return what was quoted from a passage up to a hop, each span once."""
    hops = [hop for hop in run.hops if upto is None or hop.hop <= upto]
    findings = [finding for hop in hops for finding in hop.findings]
    findings += [score.finding for hop in hops for score in hop.scores if score.finding]
    spans = {}
    for finding in findings:
        if finding.passage_id == passage_id:
            spans[finding.start, finding.end, finding.aspect] = finding
    return tuple(spans.values())


def spans_of(findings: Iterable[Finding]) -> tuple[Span, ...]:
    """Return the quoted character ranges, each once."""
    return tuple(dict.fromkeys((f.start, f.end) for f in findings))


def words_of(findings: Iterable[Finding]) -> tuple[str, ...]:
    """Return the matched words, each once."""
    return tuple(dict.fromkeys(word for f in findings for word in f.words))


def title_of(run: RunView, passage_id: str) -> str:
    """Return the title of a passage of the run, or its id."""
    passage = run.passages.get(passage_id)
    return visible(passage.title or passage.passage_id) if passage else passage_id


def origin_of(passage: Passage) -> str:
    """Return source and date, as far as known."""
    return visible(" · ".join(part for part in (passage.source, passage.date) if part))


def link_sentence(run: RunView, link: Link) -> str:
    """Return how a link led to a passage, as a sentence."""
    sentence = f": “{short(link.sentence, 180)}”" if link.sentence else ""
    return f"“{title_of(run, link.parent_id)}” names {visible(link.entity)}{sentence}"


@dataclass(frozen=True, slots=True)
class Fate:
    """A retrieved passage and what became of it in this hop."""

    scored: ScoredPassage
    fate: str
    aspects: tuple[str, ...]


def fates(run: RunView, hop: HopView, passages: Sequence[ScoredPassage]) -> tuple[Fate, ...]:
    """Return each passage that one query brought with its fate: kept as evidence, read, read earlier, or not read."""
    read_in = {passage_id: each.hop for each in reversed(run.hops) if each.hop <= hop.hop for passage_id in each.read}
    ranks = {ranked.passage.passage_id: ranked.rank for ranked in hop.evidence}
    speaks: dict[str, tuple[str, ...]] = {}
    for finding in hop.findings:
        speaks[finding.passage_id] = tuple(dict.fromkeys((*speaks.get(finding.passage_id, ()), finding.aspect)))
    results = []
    for scored in passages:
        passage_id = scored.passage.passage_id
        fate = _fate(ranks.get(passage_id), hop, read_in.get(passage_id))
        results.append(Fate(scored, fate, speaks.get(passage_id, ())))
    return tuple(results)


def _fate(rank: int | None, hop: HopView, read_in: int | None) -> str:
    if rank is not None:
        return f"in the evidence, rank {rank}"
    if read_in is None:
        return "candidate, not read"
    return "read, not kept" if read_in == hop.hop else f"read in hop {read_in}, not kept"


def _card(run: RunView, hop: HopView, ranked: RankedPassage, *, fresh: bool) -> CardValue:
    passage, came = ranked.passage, ranked.provenance
    first = run.arrival(passage.passage_id) or came
    result = findings_in(run, passage.passage_id, upto=hop.hop)
    swap = next((r for r in hop.replacements if r.taken == passage.passage_id), None)
    return CardValue(
        id=passage.passage_id,
        rank=ranked.rank,
        score=round(ranked.score, 4),
        title=visible(passage.title or passage.document_id),
        origin=origin_of(passage),
        url=web_link(passage.url),
        host=host(passage.url),
        covers=[visible(name) for name in ranked.covers],
        fresh=fresh,
        came=f"Hop {first.hop}{_asked(run, first.query)}",
        link=link_sentence(run, came.link) if came.link else "",
        replaced=_replaced(run, swap.dropped) if swap else "",
        reason=visible(_SAID.sub("", (swap.reason if swap else "") or ranked.reason)),
        parts=snippet_parts(passage.text, quotes=spans_of(result), words=words_of(result)),
    )


# What the line above the reason says already.
_SAID = re.compile(r"^brought by (?:“[^”]*”|the question itself|a name in a passage); ")


def _asked(run: RunView, query: str) -> str:
    if query == run.question:
        return ", by the question itself" if query else ""
    return f", query “{short(query, 140)}”" if query else ""


def _replaced(run: RunView, dropped: str) -> str:
    return f"In place of “{title_of(run, dropped)}”" if dropped else ""


_CARDS = component("passage_cards")


def passage_cards(cards: Sequence[CardValue], *, key: str, on_read: Callable[[str], None]) -> None:
    """Draw the cards; `on_read` gets the passage id when a reader asks for the whole passage."""

    def asked() -> None:
        passage_id = st.session_state[key].get("read")
        if passage_id:
            on_read(str(passage_id))

    _CARDS(key=key, data={"cards": list(cards)}, on_read_change=asked)
