"""Runs built from hand-made events, for pages and pictures: a story told hop by hop, with every kind of event."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from adaq_core.events import (
    AnswerWritten,
    AspectsPlanned,
    CoverageAssessed,
    Decided,
    Event,
    EvidenceAssembled,
    FindingsRead,
    HopStarted,
    LinksFollowed,
    PassagesRetrieved,
    Record,
    RunFailed,
    RunFinished,
    RunStarted,
)
from adaq_core.model import (
    Answer,
    AspectScore,
    Budget,
    Citation,
    CorpusCard,
    Decision,
    Finding,
    Link,
    Passage,
    Provenance,
    QueryAspect,
    RankedPassage,
    Replacement,
    ScoredPassage,
    Settings,
    Statement,
    StopReason,
    Subquery,
)

CORPUS = CorpusCard("sample", "v1", 124, 1_900)
QUESTION = (
    "How did Acme's 2023 purchase of Borealis affect revenue and headcount, and what did the CFO say it would cost?"
)


@dataclass(frozen=True)
class Turn:
    """One hop of a story: the aspect it goes after, what it newly covers, and how it came."""

    query: str
    target: str
    covers: tuple[str, ...] = ()
    by_link: bool = False
    replaces: bool = False


@dataclass
class Story:
    """A run to be built: its aspects, its hops, and how it ends."""

    aspects: Sequence[QueryAspect]
    turns: Sequence[Turn]
    question: str = QUESTION
    stop: StopReason | None = "all_covered"
    error: str = ""
    unfinished: tuple[str, str] | None = None
    method: str = "adaptive"
    settings: Settings = field(default_factory=Settings)


def aspect(name: str, *, importance: float = 1.0) -> QueryAspect:
    return QueryAspect(name, "facet", importance, keywords=tuple(name.lower().split()), subject="Acme")


ASPECTS = (
    aspect("Date and price"),
    aspect("Revenue impact"),
    aspect("Headcount change"),
    aspect("Regulatory exposure in Europe and the conditions of the Commission", importance=0.6),
)
TURNS = (
    Turn("Acme Borealis purchase 2023 price closing date", "Date and price", ("Date and price",)),
    Turn(
        "Acme revenue by segment after Borealis",
        "Revenue impact",
        ("Revenue impact", "Headcount change"),
        replaces=True,
    ),
    Turn("European Commission conditions Acme Borealis", ASPECTS[3].aspect),
    Turn("Acme Borealis merger remedies Brussels", ASPECTS[3].aspect, (ASPECTS[3].aspect,), by_link=True),
)


def finished() -> Story:
    return Story(ASPECTS, TURNS)


def failed() -> Story:
    return Story(ASPECTS, TURNS[:2], stop=None, error="ModelError", unfinished=(TURNS[2].query, TURNS[2].target))


def running() -> Story:
    return Story(ASPECTS, TURNS[:2], stop=None, unfinished=(TURNS[2].query, TURNS[2].target))


def partial() -> Story:
    return Story(ASPECTS, TURNS[:3], stop="max_hops")


def long() -> Story:
    names = [f"Aspect {i}: {n}" for i, n in enumerate(_names(), 1)]
    aspects = tuple(aspect(n, importance=1.0 if i < 9 else 0.5) for i, n in enumerate(names))
    turns = []
    for i in range(12):
        covers = (names[i],) if i not in (5, 10) else ()
        turns.append(Turn(f"sub-query {i + 1} about {names[i].lower()} in annual reports", names[i], covers))
    return Story(aspects, turns, question="A long question with fourteen aspects", stop="max_hops")


def huge() -> Story:
    """Fifty hops and thirty aspects: the most that a page has to bear."""
    aspects = tuple(aspect(f"Aspect {i} of a long brief", importance=1.0 if i <= 20 else 0.5) for i in range(1, 31))
    turns = [
        Turn(f"sub-query {i + 1}", aspects[i % 30].aspect, (aspects[i].aspect,) if i < 28 and i % 7 else ())
        for i in range(50)
    ]
    return Story(aspects, turns, question="A brief with thirty aspects", stop="max_hops")


def _names() -> Iterable[str]:
    base = ("budget owner", "supplier risk in Asia and its mitigation", "data residency", "rollback plan", "timeline")
    return (base[i % len(base)] for i in range(14))


def events(story: Story) -> Iterator[Event]:
    """The stream of a story; without `stop` and `error` it is one that is still running, or was interrupted."""
    yield RunStarted(story.question, story.method, CORPUS, story.settings, Budget(), ranker="formula")
    yield AspectsPlanned(tuple(story.aspects), lost=("2023",))
    covered: dict[str, int] = {}
    evidence: list[RankedPassage] = []
    for number, turn in enumerate(story.turns, 1):
        covered.update(dict.fromkeys(turn.covers, number))
        yield from _hop(story, turn, number, covered, evidence)
    if story.unfinished:
        query = Subquery(*story.unfinished)
        yield HopStarted(len(story.turns) + 1, (query,), f"{query.aspect} is the most important open aspect.")
    if story.error:
        yield RunFailed(story.error, "The model gave no usable reply.\nTraceback: not for people")
    elif story.stop:
        yield AnswerWritten(_answer(evidence))
        yield RunFinished(story.stop, "Every core aspect is covered and the weighted coverage is 0.91.")


def _hop(
    story: Story, turn: Turn, number: int, covered: dict[str, int], evidence: list[RankedPassage]
) -> Iterator[Event]:
    query = Subquery(turn.query, turn.target, "template: facet")
    open_before = tuple(a.aspect for a in story.aspects if covered.get(a.aspect, number) == number)
    yield HopStarted(
        number, (query,), f"{turn.target} is the most important open aspect.", open_before, (f"{turn.query} again",)
    )
    brought = [_passage(number, i, turn) for i in range(4)]
    scored = tuple(ScoredPassage(p, 9.5 - i, i + 1) for i, p in enumerate(brought))
    yield PassagesRetrieved(number, query, "lexical", scored, read=3)
    links = _links(turn, evidence, brought)
    if links:
        yield LinksFollowed(number, links, (brought[0],))
    findings = tuple(_finding(name, brought[0]) for name in turn.covers)
    yield FindingsRead(number, findings, read=tuple(p.passage_id for p in brought[:3]))
    yield _assessed(story, number, covered, findings)
    yield from _assembled(turn, number, evidence, brought[0], query, links)
    yield Decided(number, _decision(story, number, covered))


def _passage(number: int, i: int, turn: Turn) -> Passage:
    text = (
        f"Passage {i + 1} of hop {number}. It speaks of {turn.target.lower()}: the figure is {number}{i} million. "
        + ("More words follow, so that the passage is as long as real ones are. " * 6)
    )
    return Passage(
        f"d{number}-{i}#0", f"d{number}-{i}", f"Acme report {number}.{i}", text, "annual report", "2024-02-01"
    )


def _finding(name: str, passage: Passage) -> Finding:
    start = passage.text.index("It speaks")
    end = passage.text.index(" More words")
    return Finding(name, passage.passage_id, passage.text[start:end], start, end, 0.86, ("figure", "million"))


def _links(turn: Turn, evidence: Sequence[RankedPassage], brought: Sequence[Passage]) -> tuple[Link, ...]:
    if not (turn.by_link and evidence):
        return ()
    parent = evidence[-1].passage
    return (
        Link(parent.passage_id, "The Commission named Borealis in its decision.", "Borealis", brought[0].passage_id),
    )


def _assessed(story: Story, number: int, covered: dict[str, int], findings: Sequence[Finding]) -> CoverageAssessed:
    found = {f.aspect: f for f in findings}
    scores = tuple(
        AspectScore(a.aspect, 0.86 if a.aspect in covered else 0.2, found.get(a.aspect), (("lexical", 0.7),))
        for a in story.aspects
    )
    newly = tuple(name for name, hop in covered.items() if hop == number)
    share = len(covered) / len(story.aspects)
    return CoverageAssessed(number, scores, newly, share, round(share * 0.9, 3), None)


def _assembled(
    turn: Turn, number: int, evidence: list[RankedPassage], best: Passage, query: Subquery, links: Sequence[Link]
) -> Iterator[Event]:
    dropped = evidence.pop(0) if turn.replaces and evidence else None
    provenance = Provenance(number, query.text, query.aspect, links[0] if links else None)
    evidence.append(
        RankedPassage(best, len(evidence) + 1, 0.9 - number / 20, provenance, turn.covers, (), "Speaks to it.")
    )
    ranked = tuple(
        RankedPassage(e.passage, i, e.score, e.provenance, e.covers, e.parts, e.reason)
        for i, e in enumerate(evidence, 1)
    )
    change = Replacement(best.passage_id, dropped.passage.passage_id if dropped else "", "It covers an open aspect.")
    yield EvidenceAssembled(number, ranked, tuple(r.passage.passage_id for r in ranked), (change,))


def _decision(story: Story, number: int, covered: dict[str, int]) -> Decision:
    still = next((a.aspect for a in story.aspects if a.aspect not in covered), None)
    if number < len(story.turns) or story.stop is None:
        return Decision(
            stop=False, reason=f"{still or 'An aspect'} is still open and hops are left.", next_aspect=still
        )
    return Decision(
        stop=True,
        reason="Nothing core is open.",
        stop_reason=story.stop,
        next_aspect=still,
        next_query="one more query",
    )


def _answer(evidence: Sequence[RankedPassage]) -> Answer:
    cited = [
        Citation(n, r.passage.passage_id, r.passage.document_id, r.passage.title, r.passage.text[:19], 0, 19)
        for n, r in enumerate(evidence, 1)
    ]
    said = tuple(Statement(c.quote, "Date and price", (c.n,)) for c in cited)
    return Answer(" ".join(f"{c.quote} [{c.n}]" for c in cited), said, tuple(cited))


def records(story: Story, *, step: float = 0.08) -> list[Record]:
    """The stream in envelopes, one every `step` seconds."""
    begin = datetime(2026, 1, 2, 9, 30, tzinfo=UTC)
    return [
        Record(n, (begin + timedelta(seconds=n * step)).isoformat(), round(n * step, 3), event)
        for n, event in enumerate(events(story), 1)
    ]
