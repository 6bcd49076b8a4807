"""Runs for the tests of store, runner and command line: small, whole, and without a corpus."""

from __future__ import annotations

from collections.abc import Iterator

from adaq_core.events import (
    AnswerWritten,
    AspectsPlanned,
    CoverageAssessed,
    Decided,
    Event,
    EvidenceAssembled,
    FellBack,
    FindingsRead,
    HopStarted,
    LinksFollowed,
    ModelCalled,
    Noticed,
    PassagesRetrieved,
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
    NotCovered,
    Passage,
    Provenance,
    QueryAspect,
    RankedPassage,
    ScoredPassage,
    Settings,
    Statement,
    StopReason,
    Subquery,
)
from adaq_core.store import RunRow, Store

CARD = CorpusCard(name="sample", version="v1", documents=2, passages=4)
QUESTION = "What is self-attention and why does it matter?"
ASPECTS = (
    QueryAspect("Definition of self-attention", "definition", 1.0, ("self-attention",), span=(8, 22)),
    QueryAspect("Why self-attention matters", "causal", 0.6, ("matter",)),
)


def passage(number: int, text: str | None = None) -> Passage:
    body = f"Passage {number} speaks of self-attention. It has a second sentence." if text is None else text
    return Passage(
        passage_id=f"d{number}#0",
        document_id=f"d{number}",
        title=f"Document {number}",
        text=body,
        source="Sample",
        date="2026-01-02",
        end=len(body),
        metadata=(("kind", "article"),),
    )


def started(*, question: str = QUESTION, method: str = "adaptive", card: CorpusCard = CARD) -> RunStarted:
    return RunStarted(question, method, card, Settings(), Budget(max_seconds=30.0))


def planned() -> AspectsPlanned:
    return AspectsPlanned(ASPECTS, lost=("matter",))


def hop_events(number: int, *, stop: bool = False) -> Iterator[Event]:
    """One whole hop: it reads two passages by a query and one by a link, and covers one aspect."""
    aspect = ASPECTS[(number - 1) % 2].aspect
    query = Subquery(f"query {number}", aspect, "template")
    found = tuple(ScoredPassage(passage(number + i), 9.5 - i, i + 1) for i in range(3))
    finding = Finding(aspect, found[0].passage.passage_id, "Passage", 0, 7, 0.9, ("passage",))
    covered = min(1.0, number / 2)
    yield HopStarted(number, (query,), f"{aspect} is open", (aspect,))
    yield PassagesRetrieved(number, query, "bm25", found, read=2)
    yield LinksFollowed(number, (Link("d1#0", "It names X.", "X", "d9#0", 0.5),), (passage(9),))
    yield FindingsRead(number, (finding,))
    yield CoverageAssessed(number, (AspectScore(aspect, 0.9, finding),), (aspect,), covered, covered * 0.9, 0.7)
    yield EvidenceAssembled(number, (RankedPassage(found[0].passage, 1, 0.8, Provenance(number, query.text)),))
    reason: StopReason | None = "core_covered" if stop else None
    yield Decided(number, Decision(stop, "core aspects are covered" if stop else "aspects are open", reason))


def answered() -> AnswerWritten:
    text = passage(1).text
    citation = Citation(1, "d1#0", "d1", "Document 1", text[:7], 0, 7)
    statement = Statement("Passage [1]", ASPECTS[0].aspect, (1,))
    return AnswerWritten(Answer("Passage [1]", (statement,), (citation,), not_covered=(NotCovered("x", ("query 1",)),)))


def whole_run(*, question: str = QUESTION, method: str = "adaptive", hops: int = 2) -> list[Event]:
    """A run of `hops` hops that ends well, with a model call and a fallback in it."""
    events: list[Event] = [started(question=question, method=method), planned()]
    for number in range(1, hops + 1):
        events += hop_events(number, stop=number == hops)
    events += [
        ModelCalled("synthesise", "tiny", "p-1", "prompt", "reply", 100, 20, 4096, usd=0.25),
        FellBack("synthesise", "reply was no JSON", "extractive", "reply"),
        Noticed("read", "one document was empty"),
        answered(),
        RunFinished("core_covered", "All core aspects are covered."),
    ]
    return events


def failed_run() -> list[Event]:
    return [started(), planned(), *hop_events(1), RunFailed("CorpusError", "the corpus went away")]


def begin(store: Store, *, question: str = QUESTION, method: str = "adaptive", **rest) -> str:
    return store.begin(RunStarted(question, method, CARD, Settings(), Budget()), **rest)


def record(store: Store, events: list[Event], **rest) -> str:
    run_id = begin(store, **rest)
    for event in events:
        store.append(run_id, event, wait=False)
    store.flush(run_id)
    return run_id


def row(store: Store, run_id: str) -> RunRow:
    found = store.run(run_id)
    assert found is not None
    return found
