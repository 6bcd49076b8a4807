"""What a reader wants of a run, computed from its events alone: hops, coverage, evidence, cost, the fold at a hop."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import takewhile
from typing import Literal

from adaq_core.events import (
    AnswerWritten,
    AspectRestated,
    AspectsPlanned,
    Branched,
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
    Record,
    RunFailed,
    RunFinished,
    RunStarted,
    SourcesSearched,
    WordingsLearned,
)
from adaq_core.model import (
    COVERAGE_THRESHOLD,
    Answer,
    AspectScore,
    CitationsCheck,
    Decision,
    Finding,
    Link,
    Passage,
    Provenance,
    QueryAspect,
    RankedPassage,
    Replacement,
    Settings,
    StopReason,
    Subquery,
    as_tuple,
)

# A stream without an end is of a run that goes on; who knows that it does not says "interrupted".
RunStatus = Literal["running", "finished", "failed", "interrupted"]
CellState = Literal["new", "kept", "missed", "open", "not_run"]


@dataclass(slots=True)
class HopView:
    """One hop as it stands; what has not happened yet is empty or None. Times are seconds since the run began."""

    hop: int
    queries: tuple[Subquery, ...] = ()
    why: str = ""
    searched: list[SourcesSearched] = field(default_factory=list)
    open_aspects: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()
    retrieved: list[PassagesRetrieved] = field(default_factory=list)
    links: tuple[Link, ...] = ()
    linked: tuple[Passage, ...] = ()
    read: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    restated: tuple[AspectRestated, ...] = ()
    scores: tuple[AspectScore, ...] = ()
    newly_covered: tuple[str, ...] = ()
    percentage: float | None = None
    weighted: float | None = None
    sufficiency: float | None = None
    answerable: float | None = None
    evidence: tuple[RankedPassage, ...] = ()
    ranking: tuple[str, ...] = ()
    replacements: tuple[Replacement, ...] = ()
    decision: Decision | None = None
    stages: list[tuple[str, float, float]] = field(default_factory=list)
    started: float = 0.0
    ended: float = 0.0

    @property
    def done(self) -> bool:
        """Whether the hop came to its decision."""
        return self.decision is not None

    @property
    def brought_nothing(self) -> bool:
        """Whether the hop came to its decision without a passage that could be judged."""
        if self.linked or not self.done:
            return False
        return not any(event.passages for event in self.retrieved)

    @property
    def targets(self) -> tuple[str, ...]:
        """Return the aspects that its queries were for."""
        return tuple(dict.fromkeys(name for query in self.queries for name in (query.aspect, *query.also) if name))

    @property
    def passages_read(self) -> int:
        """Return how many passages it read."""
        return len(self.read)

    def score(self, aspect: str) -> AspectScore | None:
        """Coverage of `aspect` after this hop, None before it was assessed."""
        return next((score for score in self.scores if score.aspect == aspect), None)


@dataclass(frozen=True, slots=True)
class Covering:
    """What covered an aspect first: the hop, and the score with the finding that earned it (None in old runs)."""

    hop: int
    score: AspectScore
    finding: Finding | None = None


@dataclass(frozen=True, slots=True)
class Cost:
    """What a run used; `usd` is 0.0 without a priced model, tokens are 0 without a model."""

    seconds: float
    hops: int
    queries: int
    passages_read: int
    passages_seen: int
    model_calls: int
    fell_back: int
    prompt_tokens: int
    reply_tokens: int
    usd: float


@dataclass(frozen=True, slots=True)
class SourceUse:
    """What one live source did in a run. `error` is the newest one, None when every search worked.

    `failed` of its `searches` brought nothing for a fault; `cached` were answered from earlier ones.
    """

    name: str
    searches: int = 0
    failed: int = 0
    cached: int = 0
    requests: int = 0
    documents: int = 0
    passages: int = 0
    error: str | None = None
    notes: tuple[str, ...] = ()
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Turn:
    """What a person changed at the end of `hop`: aspects, thresholds by name with the value before and after, a query.

    `query` is what was asked next for the aspect `target`, empty where the run chose the words itself.
    """

    hop: int
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    thresholds: tuple[tuple[str, float, float], ...] = ()
    query: str = ""
    target: str = ""


@dataclass(slots=True)
class RunView:
    """One run as a reader sees it."""

    started: RunStarted | None = None
    planned: AspectsPlanned | None = None
    learned: WordingsLearned | None = None
    hops: list[HopView] = field(default_factory=list)
    evidence: tuple[RankedPassage, ...] = ()
    ranking: tuple[str, ...] = ()
    answer: Answer | None = None
    answer_by: str = "extractive"
    citations_check: CitationsCheck | None = None
    stop_reason: StopReason | None = None
    reason: str = ""
    error: str = ""
    status: RunStatus = "running"
    calls: list[ModelCalled] = field(default_factory=list)
    fell_back: list[FellBack] = field(default_factory=list)
    noticed: list[Noticed] = field(default_factory=list)
    passages: dict[str, Passage] = field(default_factory=dict)
    covered_by: dict[str, Covering] = field(default_factory=dict)
    turns: list[Turn] = field(default_factory=list)
    settings: list[tuple[int, Settings]] = field(default_factory=list)
    elapsed: float = 0.0

    @property
    def question(self) -> str:
        """Return what was asked; "" before the run has started."""
        return self.started.question if self.started else ""

    @property
    def aspects(self) -> tuple[QueryAspect, ...]:
        """Return the planned aspects, in order; empty before planning."""
        return self.planned.aspects if self.planned else ()

    def hop(self, number: int | None) -> HopView | None:
        """The hop of this number; None for one that the run does not have."""
        return next((hop for hop in reversed(self.hops) if hop.hop == number), None)

    @property
    def last_assessed(self) -> HopView | None:
        """Return the newest hop whose coverage is known."""
        return next((hop for hop in reversed(self.hops) if hop.percentage is not None), None)

    @property
    def covered_at(self) -> dict[str, int]:
        """Return the hop that first covered each aspect that the set covers now."""
        removed = {name for turn in self.turns for name in turn.removed}
        gone = removed - {aspect.aspect for aspect in self.aspects}
        first = self.first_covered.items()
        return {name: hop for name, hop in first if name not in gone and self._is_covered(name)}

    @property
    def first_covered(self) -> dict[str, int]:
        """Return the hop that newly covered each aspect, even if its passage has left the set since.

        That is the first one, unless a person raised the threshold on the way: then the one that covered it anew.
        """
        return {name: hop.hop for hop in self.hops for name in hop.newly_covered}

    @property
    def restated(self) -> dict[str, AspectRestated]:
        """Return, by planned name, how the aspects of a chain are worded now that the link before is answered."""
        return {event.aspect: event for hop in self.hops for event in hop.restated}

    @property
    def threshold(self) -> float:
        """Return the score from which an aspect counts as covered now."""
        return self.threshold_at(None)

    def threshold_at(self, hop: int | None) -> float:
        """Return the score from which an aspect counted as covered at the end of `hop`; None means now."""
        known = [settings for begun, settings in self.settings if hop is None or begun <= hop]
        return known[-1].coverage_threshold if known else COVERAGE_THRESHOLD

    def _is_covered(self, aspect: str) -> bool:
        score = self.coverage_score(aspect)
        return score is None or score >= self.threshold

    @property
    def unchecked(self) -> dict[str, tuple[str, ...]]:
        """Return, by covered aspect, the conditions that nobody could check on what the set says of it."""
        hop = self.last_assessed
        if hop:
            return {score.aspect: score.unchecked for score in hop.scores if score.unchecked}
        return {}

    @property
    def cost(self) -> Cost:
        """Return what the run has used so far."""
        seen = {s.passage.passage_id for hop in self.hops for r in hop.retrieved for s in r.passages}
        return Cost(
            seconds=self.elapsed,
            hops=len(self.hops),
            queries=sum(len(hop.retrieved) for hop in self.hops),
            passages_read=sum(hop.passages_read for hop in self.hops),
            passages_seen=len(seen | {p.passage_id for hop in self.hops for p in hop.linked}),
            model_calls=len(self.calls),
            fell_back=len(self.fell_back),
            prompt_tokens=sum(call.prompt_tokens or 0 for call in self.calls),
            reply_tokens=sum(call.reply_tokens or 0 for call in self.calls),
            usd=sum((call.usd for call in self.calls), 0.0),
        )

    @property
    def sources_failed(self) -> bool:
        """Whether it asked live sources and all of them failed."""
        used = self.sources
        failed = [use for use in used if use.failed and not use.documents]
        return bool(used) and len(failed) == len(used)

    @property
    def searched(self) -> tuple[SourcesSearched, ...]:
        """Return every query that the live sources were asked, in order."""
        return tuple(event for hop in self.hops for event in hop.searched)

    @property
    def sources(self) -> tuple[SourceUse, ...]:
        """Return what each live source did so far, in the order of the settings; empty without sources."""
        names = self.started.settings.sources if self.started else ()
        return tuple(_use(name, self.searched) for name in names)

    def coverage_score(self, aspect: str) -> float | None:
        """Return the newest coverage of `aspect`; None before the first assessment."""
        hop = self.last_assessed
        score = hop.score(aspect) if hop else None
        return score.score if score else None

    def proof(self, aspect: str, *, upto: int | None = None) -> Covering | None:
        """Return what covered `aspect`, or the best finding for it while it is open, up to a hop.

        The one answer to "what covered it" for every page: the finding of the hop that covered the aspect, however
        well a later hop scored another passage, as long as its passage is in the set. None where no finding speaks to
        the aspect.
        """
        covering = self.covered_by.get(aspect)
        if covering and (upto is None or covering.hop <= upto):
            return covering
        hops = [hop for hop in self.hops if upto is None or hop.hop <= upto]
        scores = ((h.hop, h.score(aspect)) for h in hops)
        tries = [Covering(hop, score, score.finding) for hop, score in scores if score and score.finding]
        return max(tries, key=lambda each: (each.score.score, -each.hop), default=None)

    def arrival(self, passage_id: str) -> Provenance | None:
        """Return how a passage came into the run; None for one that the run does not know."""
        for hop in self.hops:
            for event in hop.retrieved:
                if any(scored.passage.passage_id == passage_id for scored in event.passages):
                    return Provenance(hop.hop, query=event.query.text)
            link = next((link for link in hop.links if link.target_id == passage_id), None)
            if link is not None:
                return Provenance(hop.hop, link=link)
            # A search shows its first passages only; one from further down is known by where the set has it from.
            kept = next((each for each in hop.evidence if each.passage.passage_id == passage_id), None)
            if kept is not None:
                return replace(kept.provenance, hop=hop.hop)
            if passage_id in hop.read:
                return Provenance(hop.hop)
        return None

    def queries_for(self, aspect: str) -> tuple[Subquery, ...]:
        """Return every query that was tried for `aspect`, in order."""
        return tuple(query for hop in self.hops for query in hop.queries if aspect in (query.aspect, *query.also))


def _use(name: str, searched: Sequence[SourcesSearched]) -> SourceUse:
    reports = [report for event in searched for report in event.reports if report.name == name]
    errors = [report.error for report in reports if report.error]
    return SourceUse(
        name,
        searches=len(reports),
        failed=len(errors),
        cached=sum(report.cached for report in reports),
        requests=sum(report.requests for report in reports),
        documents=sum(report.documents for report in reports),
        passages=sum(report.passages for report in reports),
        error=errors[-1] if errors else None,
        notes=as_tuple(note for report in reports for note in report.notes),
        seconds=round(sum(report.seconds for report in reports), 3),
    )


_STAGE = {
    AspectsPlanned: "plan",
    HopStarted: "refine",
    SourcesSearched: "ask live sources",
    PassagesRetrieved: "retrieve",
    LinksFollowed: "follow links",
    FindingsRead: "read",
    CoverageAssessed: "critique",
    EvidenceAssembled: "assemble",
    Decided: "decide",
    AnswerWritten: "synthesise",
}


def view(records: Iterable[Record]) -> RunView:
    """Fold the records of one run, in order, into what a reader sees."""
    run = RunView()
    before = 0.0
    for record in records:
        _apply(run, record.event)
        run.elapsed = record.elapsed
        _time(run, record, before)
        # Calls of a model, and what is noted on the way, are part of the stage of a hop that they come before.
        if type(record.event) in _STAGE or not run.hops:
            before = record.elapsed
    return run


def view_at(records: Sequence[Record], hop: int) -> RunView:
    """Return the run as it stood when `hop` was decided."""
    return view(until_hop(records, hop))


def until_hop(records: Sequence[Record], hop: int) -> list[Record]:
    """Return the records up to the decision of `hop`, inclusive; all of them if it was never decided.

    Hop 0 is the plan: everything before the first hop began.
    """
    if hop < 1:
        return list(takewhile(lambda record: not isinstance(record.event, HopStarted), records))
    for i, record in enumerate(records):
        if isinstance(record.event, Decided) and record.event.hop == hop:
            return list(records[: i + 1])
    return list(records)


def last_complete_hop(events: Iterable[Event]) -> int:
    """Return the number of the newest decided hop; 0 if there is none."""
    return max((event.hop for event in events if isinstance(event, Decided)), default=0)


def _time(run: RunView, record: Record, before: float) -> None:
    stage = _STAGE.get(type(record.event))
    hop = getattr(record.event, "hop", None)
    if stage is None or hop is None or not run.hops:
        return
    here = _hop(run, hop)
    if isinstance(record.event, HopStarted):
        here.started = before
    here.stages.append((stage, before, record.elapsed))
    here.ended = record.elapsed


def _hop(run: RunView, number: int) -> HopView:
    hop = run.hop(number)
    if hop is None:
        hop = HopView(number)
        run.hops.append(hop)
    return hop


def _apply(run: RunView, event: Event) -> None:
    match event:
        case RunStarted():
            run.started, run.settings = event, [(0, event.settings)]
        case AspectsPlanned():
            run.planned = event
        case WordingsLearned():
            run.learned = event
        case AnswerWritten():
            run.answer, run.answer_by, run.citations_check = event.answer, event.by, event.check
        case RunFinished():
            run.status, run.stop_reason, run.reason = "finished", event.stop_reason, event.reason
        case RunFailed():
            run.status, run.stop_reason, run.error, run.reason = "failed", "error", event.error, event.message
        case ModelCalled():
            run.calls.append(event)
        case FellBack():
            run.fell_back.append(event)
        case Noticed():
            run.noticed.append(event)
        case _:
            _apply_to_hop(run, _hop(run, event.hop), event)


def _apply_to_hop(run: RunView, hop: HopView, event: Event) -> None:
    match event:
        case HopStarted():
            hop.queries, hop.why = event.queries, event.why
            hop.open_aspects, hop.rejected = event.open_aspects, event.rejected
        case SourcesSearched():
            hop.searched.append(event)
        case PassagesRetrieved():
            hop.retrieved.append(event)
            run.passages.update({s.passage.passage_id: s.passage for s in event.passages})
        case LinksFollowed():
            hop.links, hop.linked = event.links, event.passages
            run.passages.update({p.passage_id: p for p in event.passages})
        case FindingsRead():
            hop.findings, hop.read = hop.findings + event.findings, hop.read + event.read
        case AspectRestated():
            hop.restated += (event,)
        case CoverageAssessed():
            hop.scores, hop.newly_covered = event.scores, hop.newly_covered + event.newly_covered
            hop.percentage, hop.weighted = event.percentage, event.weighted
            hop.sufficiency, hop.answerable = event.sufficiency, event.answerable
            for name in event.newly_covered:
                run.covered_by.setdefault(name, _covering(hop, name))
            for score in event.scores:
                _left_behind(run, hop, score)
        case EvidenceAssembled():
            hop.evidence, hop.replacements = event.evidence, hop.replacements + event.replacements
            run.evidence, run.ranking, hop.ranking = event.evidence, event.ranking, event.ranking
            run.passages.update({r.passage.passage_id: r.passage for r in event.evidence})
        case Decided():
            hop.decision = event.decision
        case Branched():
            _turn(run, event)


def _turn(run: RunView, event: Branched) -> None:
    """Apply a branch: use its aspects and thresholds from now on, and remember the earlier ones."""
    before = {aspect.aspect: aspect for aspect in run.aspects}
    after = {aspect.aspect: aspect for aspect in event.aspects}
    new = tuple(name for name, aspect in after.items() if before.get(name) != aspect)
    gone = tuple(name for name in before if name not in after)
    settings = run.settings[-1][1] if run.settings else Settings()
    thresholds = _differing(settings, event.settings)
    run.turns.append(Turn(event.hop, new, gone, thresholds, event.query, event.target))
    run.planned = replace(run.planned or AspectsPlanned(()), aspects=event.aspects)
    run.settings.append((event.hop, event.settings))
    for name, covering in list(run.covered_by.items()):
        if name in (*new, *gone) or covering.score.score < run.threshold:
            del run.covered_by[name]


def _differing(old: Settings, new: Settings) -> tuple[tuple[str, float, float], ...]:
    changed = []
    for each in fields(Settings):
        before = getattr(old, each.name)
        now = getattr(new, each.name)
        if before != now:
            changed.append((each.name, before, now))
    return tuple(changed)


def _left_behind(run: RunView, hop: HopView, score: AspectScore) -> None:
    """Forget what covered an aspect once its passage has left the set: the set then scores less than it did."""
    known = run.covered_by.get(score.aspect)
    if known is None or score.score >= known.score.score:
        return
    if score.score < run.threshold:
        del run.covered_by[score.aspect]
    elif score.finding is not None:
        run.covered_by[score.aspect] = Covering(hop.hop, score, score.finding)


def _covering(hop: HopView, aspect: str) -> Covering:
    """Return what the newest assessment of `hop` credits with covering `aspect`."""
    score = hop.score(aspect) or AspectScore(aspect, 0.0)
    quoted = [finding for finding in hop.findings if finding.aspect == aspect]
    best = max(quoted, key=lambda finding: (finding.score, finding.passage_id), default=None)
    return Covering(hop.hop, score, score.finding or best)


@dataclass(frozen=True, slots=True)
class Cell:
    """What one hop did for one aspect."""

    state: CellState
    targeted: bool
    score: float | None


def cell(run: RunView, hop: HopView, aspect: str) -> Cell:
    """Return the state of `aspect` in `hop`: newly covered, kept, tried and missed, still open, or not run."""
    targeted = aspect in hop.targets
    score = hop.score(aspect)
    value = score.score if score else None
    if aspect in hop.newly_covered:
        return Cell("new", targeted, value)
    before = any(aspect in earlier.newly_covered for earlier in run.hops if earlier.hop < hop.hop)
    if before and (value is None or value >= run.threshold_at(hop.hop)):
        return Cell("kept", targeted, value)
    if hop.percentage is None and not hop.brought_nothing:
        return Cell("open" if run.status == "running" else "not_run", targeted, value)
    return Cell("missed" if targeted else "open", targeted, value)


def covered_after(run: RunView, hop: HopView) -> tuple[str, ...]:
    """Return the aspects that the evidence of `hop` covers; not those whose passage was replaced."""
    names = (aspect.aspect for aspect in run.aspects)
    return tuple(name for name in names if cell(run, hop, name).state in ("new", "kept"))


def swings(run: RunView, hop: HopView) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the aspects whose passage left the evidence in `hop`, and those lost earlier that it covers again."""
    earlier = [each for each in run.hops if each.hop < hop.hop]
    known = {name for each in earlier for name in each.newly_covered}
    lost: list[str] = []
    again: list[str] = []
    for name in (aspect.aspect for aspect in run.aspects if aspect.aspect in known):
        was_covered = cell(run, earlier[-1], name).state in ("new", "kept")
        state = cell(run, hop, name).state
        if was_covered and state not in ("new", "kept"):
            lost.append(name)
        if not was_covered and state == "kept":
            again.append(name)
    return tuple(lost), tuple(again)


@dataclass(frozen=True, slots=True)
class Gain:
    """What one hop added to coverage, and for how much: shares before and after it, passages read, seconds."""

    before: float
    after: float
    weighted: float
    passages: int
    seconds: float


def gain(run: RunView, number: int) -> Gain | None:
    """Return the marginal gain of hop `number`; None if it was not assessed."""
    hop = run.hop(number)
    if hop is None or hop.percentage is None or hop.weighted is None:
        return None
    earlier = [h for h in run.hops if h.hop < number and h.percentage is not None]
    last = earlier[-1] if earlier else HopView(0)
    before = last.percentage or 0.0
    weighted = last.weighted or 0.0
    return Gain(before, hop.percentage, hop.weighted - weighted, hop.passages_read, max(0.0, hop.ended - hop.started))


@dataclass(frozen=True, slots=True)
class AspectLife:
    """An aspect over the hops: the cells, the queries tried, and what covered it or came nearest."""

    aspect: QueryAspect
    cells: tuple[tuple[int, Cell], ...]
    queries: tuple[tuple[int, Subquery], ...]
    covered_at: int | None
    proof: Covering | None


def aspect_life(run: RunView, name: str) -> AspectLife | None:
    """Return the life of the aspect called `name`; None if it was not planned."""
    aspect = next((a for a in run.aspects if a.aspect == name), None)
    if aspect is None:
        return None
    asked = ((hop.hop, query) for hop in run.hops for query in hop.queries)
    return AspectLife(
        aspect=aspect,
        cells=tuple((hop.hop, cell(run, hop, name)) for hop in run.hops),
        queries=tuple((hop, query) for hop, query in asked if name in (query.aspect, *query.also)),
        covered_at=run.covered_at.get(name),
        proof=run.proof(name),
    )
