"""The log of a run, hop by hop, as the source documents show it: aspects, target, query, found, coverage, decision."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from adaq_core.cli._progress import counted
from adaq_core.events import (
    AspectsPlanned,
    CoverageAssessed,
    Decided,
    Event,
    FellBack,
    HopStarted,
    LinksFollowed,
    Noticed,
    PassagesRetrieved,
    RunFailed,
    RunFinished,
    RunStarted,
    SourcesSearched,
    WordingsLearned,
)
from adaq_core.model import Passage, QueryAspect


@dataclass(slots=True)
class HopLog:
    """Lines for each event as it comes; it remembers the aspects and the documents found so far."""

    max_hops: int = 0
    aspects: tuple[QueryAspect, ...] = ()
    threshold: float = 0.5
    hop: int = 0
    documents: set[str] = field(default_factory=set)
    weighted: float = 0.0

    def lines(self, event: Event) -> Iterator[str]:
        """What to print for `event`; nothing for most."""
        match event:
            case RunStarted():
                self.max_hops, self.threshold = event.settings.max_hops, event.settings.coverage_threshold
            case AspectsPlanned():
                self.aspects = event.aspects
                yield from _planned(event)
            case WordingsLearned():
                yield f"  Learned from {counted(event.runs, 'earlier run')} on this corpus"
            case HopStarted():
                yield from self._started(event)
            case SourcesSearched():
                yield from _searched(event)
            case PassagesRetrieved():
                yield from self._retrieved(event)
            case LinksFollowed():
                yield from (
                    f"  Link: “{link.entity}” named in {link.parent_id} → {link.target_id}" for link in event.links
                )
                yield self._found(event.passages)
            case CoverageAssessed():
                yield from self._assessed(event)
            case Decided():
                yield from self._decided(event)
            case FellBack():
                yield f"  ⚠ {event.stage}: {event.problem}; used {event.used} instead"
            case Noticed():
                yield f"  Note ({event.stage}): {event.message}"
            case RunFinished():
                early = "Stopping early" if self.hop < self.max_hops else "Stopping"
                yield f"\n✓ {early} after {counted(self.hop, 'hop')}: {event.reason}"
            case RunFailed():
                yield f"\n✗ Failed: {event.message}"
            case _:
                pass

    def _started(self, event: HopStarted) -> Iterator[str]:
        self.hop = event.hop
        still = counted(len(event.open_aspects), "uncovered aspect")
        yield f"\n[Hop {event.hop}/{self.max_hops}] Targeting {still}"
        for name in dict.fromkeys(query.aspect for query in event.queries if query.aspect):
            yield f"  🎯 Targeting Aspect: {name}"
        yield f"  Why: {event.why}"

    def _retrieved(self, event: PassagesRetrieved) -> Iterator[str]:
        yield f"  Subquery: {event.query.text}"
        yield self._found([scored.passage for scored in event.passages[: event.read]])

    def _found(self, passages: list[Passage] | tuple[Passage, ...]) -> str:
        found = {passage.document_id for passage in passages}
        self.documents |= found
        return f"  Found {counted(len(found), 'relevant document')} (total: {len(self.documents)})"

    def _assessed(self, event: CoverageAssessed) -> Iterator[str]:
        scores = {score.aspect: score.score for score in event.scores}
        still = [a.aspect for a in self.aspects if scores.get(a.aspect, 0.0) < self.threshold]
        self.weighted = event.weighted
        for name in event.newly_covered:
            yield f"  ⊕ Newly covered: {name}"
        yield f"  📊 Coverage: {event.percentage:.1%} ({counted(len(still), 'aspect')} uncovered)"
        if still:
            yield f"  Uncovered: {still}"
        if event.sufficiency is not None and event.answerable is not None:
            yield f"  Own estimate: all evidence here {event.sufficiency:.0%}, an answer exists {event.answerable:.0%}"

    def _decided(self, event: Decided) -> Iterator[str]:
        verdict = "Stop" if event.decision.stop else "Continue"
        yield f"  Decision: {verdict} - {event.decision.reason}"


def _planned(event: AspectsPlanned) -> Iterator[str]:
    yield f"📋 Identified Aspects ({len(event.aspects)}):"
    for number, aspect in enumerate(event.aspects, 1):
        rank = "CORE" if aspect.is_core else "OPTIONAL"
        yield f"  {number}. [{rank}] {aspect.aspect} ({aspect.aspect_type})"
    yield from (f"  {note}" for note in event.notes)
    if event.lost:
        yield f"  Words that no aspect carries: {', '.join(event.lost)}"


def _searched(event: SourcesSearched) -> Iterator[str]:
    yield f"  Live sources, asked for: {event.query}"
    for report in event.reports:
        brought = f"{counted(report.documents, 'document')}, {counted(report.passages, 'new passage')}"
        how = "from the cache" if report.cached else counted(report.requests, "request")
        yield f"    {report.name}: {report.error or brought} ({how}, {report.seconds:.1f} s)"
        yield from (f"      {note}" for note in report.notes)
    yield from (f"    {note}" for note in event.notes)
