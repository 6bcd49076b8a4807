"""What a run knows so far, and the stage calls that every method makes in the same way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import TypeVar

from adaq_core.answerability import Estimate, abstained
from adaq_core.answers.citation_guard import Guarded, guard
from adaq_core.answers.form import why_not_denied, why_unclear
from adaq_core.answers.operators import compute, of_figure, with_operands
from adaq_core.answers.sides import Computed
from adaq_core.events import (
    AnswerWritten,
    AspectRestated,
    AspectsPlanned,
    Branched,
    CoverageAssessed,
    Event,
    EvidenceAssembled,
    FindingsRead,
    PassagesRetrieved,
)
from adaq_core.filings import figure_of, parts_of, why_no_figure
from adaq_core.filings.grid import FigureGrid, figures_asked
from adaq_core.filings.register import register_of
from adaq_core.filings.risk_lists import RiskList, risks_listed
from adaq_core.filings.statement_figures import EACH, Figure
from adaq_core.matching.conditions import BROKEN, open_conditions
from adaq_core.matching.likelihood import Candidate, Learned, candidates, weighed_in_set
from adaq_core.model import (
    AspectCoverage,
    AspectScore,
    Branch,
    Constraint,
    Finding,
    Passage,
    QueryAspect,
    RankedPassage,
    ScoredPassage,
    Subquery,
)
from adaq_core.question.answer_kinds import begins_to_ask
from adaq_core.question.parse import ParsedQuestion, parse
from adaq_core.ranking.topic_pool import is_topical
from adaq_core.records import figure_in_rows
from adaq_core.stages.assemble import assemble, replacements, reserved, wide_enough, with_amendments
from adaq_core.stages.brief import Brief
from adaq_core.stages.critique import (
    asks_once,
    best_of,
    critique_set,
    entailed,
    judge_by_model,
    of_agreement,
    of_operands,
    of_sides,
    weighed,
    with_parts,
)
from adaq_core.stages.plan import asked_of_each
from adaq_core.stages.read import is_unlabelled, most_found, read, read_by_model, says_otherwise, speaks_of_another
from adaq_core.stages.refine import answer_of, refine_by_model, restated, says_of_link
from adaq_core.stages.services import ModelGateway, Services
from adaq_core.stages.synthesise import synthesise, synthesise_by_model

Value = TypeVar("Value")

DEPTH = 10  # passages of a ranking that a trace keeps
_IN_A_ROW = 0.9  # coverage by the row that states the figure asked for, or by the heading of a risk
_SENT_ELSEWHERE = 0.4  # by a sentence that only sends to another report


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a hop came to, in the order of its events: aspects worded anew, clauses looked up, coverage, the set."""

    before: tuple[Event, ...]
    assessed: CoverageAssessed
    kept: EvidenceAssembled

    def __iter__(self) -> Iterator[Event]:
        """The events."""
        yield from (*self.before, self.assessed, self.kept)


@dataclass(slots=True)
class State:
    """The local variables of one run. Stages are called through it so that methods differ only in their controller."""

    question: str
    services: Services
    coverage: AspectCoverage
    findings: list[Finding] = field(default_factory=list)
    best: dict[str, Finding] = field(default_factory=dict)
    asked: list[Subquery] = field(default_factory=list)
    tried: Counter[str] = field(default_factory=Counter)
    read: dict[str, tuple[Passage, float]] = field(default_factory=dict)
    restated: dict[str, QueryAspect] = field(default_factory=dict)
    gains: dict[int, float] = field(default_factory=dict)
    rankings: list[list[ScoredPassage]] = field(default_factory=list)
    evidence: tuple[RankedPassage, ...] = ()
    is_sized: bool = False  # the evidence was cut to the passages that are needed
    looked_up: dict[str, PassagesRetrieved] = field(default_factory=dict)  # clauses, each once
    offered: set[str] = field(default_factory=set)
    has_followed: bool = False
    estimate: Estimate | None = None
    sufficiency: float = 0.0
    unchecked: dict[str, tuple[str, ...]] = field(default_factory=dict)
    figure: Figure | None = None
    rows: Figure | None = None  # what rows of a table that is no statement answer
    grid: FigureGrid | None = None
    listed: RiskList | None = None
    of_no_company: str = ""

    @property
    def coverage_as_worded(self) -> AspectCoverage:
        """Coverage with aspects that speak of the names found, under the names with which they were planned."""
        known = self.restated
        aspects = [replace(a, subject=known.get(a.aspect, a).subject) for a in self.coverage.aspects]
        return replace(self.coverage, aspects=aspects)

    def _left(self, told: Computed | None) -> int:
        """How many of the things that are told of one by one have no passage in the set."""
        if self.rows is None or told is None:
            return 0
        return len(self.rows.operands) - len(told.values)

    @property
    def _is_of_each(self) -> bool:
        """Whether several things are told of one by one, so that a set without one of them still answers."""
        return self.rows is not None and self.rows.unit == EACH

    @property
    def stated(self) -> Figure | None:
        """The figure that rows of statements, or of another table, state."""
        return self.figure or self.rows

    @property
    def threshold(self) -> float:
        """From which score an aspect counts as covered."""
        return self.services.settings.coverage_threshold

    @property
    def parsed(self) -> ParsedQuestion:
        """The one reading of the question."""
        return parse(self.question)

    @property
    def unclear(self) -> str:
        """Why no passage answers: the question names nothing, asks for advice, for what none denies; else empty."""
        if self.rows:
            return ""
        covered = [a for a in self.coverage.aspects if self.coverage.is_aspect_covered(a, self.threshold)]
        return self._unclear_to_all or why_not_denied(self.question, covered)

    @property
    def _unclear_to_all(self) -> str:
        """Why no passage can answer the question, whatever it says."""
        return "" if self.rows else why_unclear(self.question) or self.of_no_company

    @property
    def is_lookup(self) -> bool:
        """Whether the question asks for a fact about something named, or for a chain of such facts."""
        return any(aspect.is_fact for aspect in self.coverage.aspects)

    @property
    def looks_ahead(self) -> bool:
        """Whether a query may be tried before its hop: nobody outside is asked."""
        return self.services.retriever.index.is_stored

    def ask(self, query: Subquery) -> None:
        """Remember a query, so that it is never asked again."""
        self.asked.append(query)
        self.tried.update((query.aspect, *query.also))

    def worded(self, targets: Sequence[QueryAspect], *, limit: int) -> list[Subquery]:
        """Queries for `targets` in the model's words; empty where the templates must do."""
        if self.services.gateway is None:
            return []
        asked = [query.text for query in self.asked]
        return refine_by_model(
            self.question, targets, self.services.gateway, asked=asked, findings=self.best, limit=limit
        )

    def open_aspects(self) -> tuple[str, ...]:
        """Names of the aspects not covered yet, most important first."""
        still = self.coverage.get_uncovered_aspects(self.threshold)
        return tuple(aspect.aspect for aspect in sorted(still, key=lambda a: -a.importance))

    def unread_evidence(self) -> list[tuple[Passage, float]]:
        """The passages of the set that were not read yet, with full relevance."""
        return [(r.passage, 1.0) for r in self.evidence if r.passage.passage_id not in self.read]

    def reader(self) -> Reader:
        """What reads a passage by the aspects as they are worded and covered now, without counting it as read."""
        known = self.coverage
        coverage = AspectCoverage(list(known.aspects), dict(known.coverage_scores), dict(known.covered_by_hop))
        return Reader(replace(self, coverage=coverage, restated=dict(self.restated)))

    def most_found(self, passage: Passage, aspect: QueryAspect) -> float:
        """The most that a finding on an aspect may score, in [0, 1]; of rows and lists nothing less is known."""
        if self.listed is not None or self.stated is not None:
            return 1.0
        return most_found(
            self._worded(aspect.aspect),
            passage,
            weigh=self.services.weigh,
            similar=self.services.similar,
            constrain=not self.services.ablated("constraints"),
        )

    def score_of(self, passage: Passage, aspect: QueryAspect) -> float:
        """The score of the best finding of a passage on an aspect, in [0, 1]; 0.0 without one."""
        found = self._read([(passage, 1.0)], [aspect])
        return max((finding.score for finding in found), default=0.0)

    def measured(self, passages: Sequence[Passage]) -> dict[str, tuple[float, ...]]:
        """By passage id the features of its sentence that speaks best to an aspect, beside those of the others."""
        findings = self._read([(passage, 1.0) for passage in passages], self.coverage.aspects)
        best: dict[str, Candidate] = {}
        for aspect in self.coverage.aspects:
            mine = [finding for finding in findings if finding.aspect == aspect.aspect]
            for made in candidates(self._worded(aspect.aspect), mine, passages, weigh=self.services.weigh):
                known = best.setdefault(made.finding.passage_id, made)
                if made.finding.score > known.finding.score:
                    best[made.finding.passage_id] = made
        return {passage_id: made.features for passage_id, made in best.items()}

    def _read(self, passages: Sequence[tuple[Passage, float]], aspects: Sequence[QueryAspect]) -> tuple[Finding, ...]:
        """What passages say of aspects as they are worded now, under the names with which they were planned."""
        if self.listed is not None:
            return tuple(self._of_list(passages, aspects))
        worded = {self._worded(aspect.aspect).aspect: aspect for aspect in aspects}
        results = read(
            [self._worded(aspect.aspect) for aspect in aspects],
            passages,
            weigh=self.services.weigh,
            similar=self.services.similar,
            constrain=not self.services.ablated("constraints"),
        )
        by_id = {passage.passage_id: passage for passage, _ in passages}

        bounded = (self._bounded(finding, by_id[finding.passage_id]) for finding in results)
        tempered = [(finding, worded[finding.aspect]) for finding in bounded]
        tempered += [(f, a) for f, a in self._of_figure(passages) if a in aspects and not self.unclear]
        return tuple(
            replace(f, aspect=aspect.aspect)
            for f, aspect in tempered
            if aspect.depends_on is None or says_of_link(self._worded(aspect.aspect), f.quote, self.question)
        )

    def _bounded(self, finding: Finding, passage: Passage) -> Finding:
        """A finding below the threshold where it breaks what the question asks."""
        if not self._breaks(finding, passage):
            return finding
        return replace(finding, score=min(finding.score, BROKEN))

    def _breaks(self, finding: Finding, passage: Passage) -> bool:
        """Whether a sentence cannot answer the question, however much of it it says."""
        denied = self.stated is not None and self.stated.denies  # what never was has no cause
        another = speaks_of_another(self.question, passage, finding.quote)
        broken = self._unclear_to_all or denied or another or is_unlabelled(self.question, passage, finding)
        return bool(broken) or says_otherwise(self.question, finding.quote)

    def _of_figure(self, passages: Sequence[tuple[Passage, float]]) -> Iterator[tuple[Finding, QueryAspect]]:
        """What the rows that hold a computed figure say of the aspects that it answers."""
        by_id = {passage.passage_id: passage for passage, _ in passages}
        for row in self.stated.operands if self.stated else ():
            if row.passage_id in by_id:
                start = by_id[row.passage_id].text.find(row.quote)
            else:
                start = -1
            for aspect in self.coverage.aspects if start >= 0 else ():
                if aspect.answer_kind == "reason" and not (self.stated and self.stated.tells_cause) and not row.of:
                    continue  # a number is no cause
                if row.of in ("", aspect.aspect) or aspect.aspect_type == "comparison":
                    end = start + len(row.quote)
                    yield Finding(aspect.aspect, row.passage_id, row.quote, start, end, _IN_A_ROW), aspect

    def _of_list(self, passages: Sequence[tuple[Passage, float]], aspects: Sequence[QueryAspect]) -> Iterator[Finding]:
        """The risks that a report lists, where a passage states them."""
        names = {aspect.aspect for aspect in aspects}
        for risk in self.listed.risks if self.listed else ():
            score = _IN_A_ROW if risk.is_own else _SENT_ELSEWHERE
            held = [passage for passage, _ in passages if passage.passage_id == risk.passage_id]
            for passage in held if risk.aspect in names else ():
                start = passage.text.find(risk.text)
                end = start + len(risk.text)
                if start >= 0:
                    yield Finding(risk.aspect, passage.passage_id, risk.text, start, end, score)

    def read_passages(self, passages: Sequence[tuple[Passage, float]], *, hop: int) -> FindingsRead:
        """Read what was not read before; each passage comes with its relevance in [0, 1]."""
        fresh = {p.passage_id: (p, r) for p, r in reversed(passages) if p.passage_id not in self.read}
        self.read.update(fresh)
        result = self._read(list(fresh.values())[::-1], self.coverage.aspects)
        if self.services.gateway is not None:
            result = self._read_by_model([passage for passage, _ in fresh.values()][::-1], result)
        self.findings += result
        return FindingsRead(hop, result, tuple(fresh)[::-1])

    def turn(self, branch: Branch) -> list[Event]:
        """Go by what a person changed from now on; what was read so far is read again for new aspects."""
        settings = branch.settings or self.services.settings
        self.services = replace(self.services, settings=settings)
        if branch.aspects is None:
            aspects = tuple(self.coverage.aspects)
        else:
            aspects = branch.aspects
        new = [aspect for aspect in aspects if aspect not in self.coverage.aspects]
        self._go_on_with(aspects, {aspect.aspect for aspect in aspects if aspect not in new})
        events: list[Event] = [Branched(branch.hop, aspects, settings, branch.query, branch.target)]
        if new:
            findings = self._read(list(self.read.values()), new)
            self.findings += findings
            events.append(FindingsRead(branch.hop, findings))
        return events

    def _go_on_with(self, aspects: Sequence[QueryAspect], staying: set[str]) -> None:
        """Forget everything about aspects that are not `staying`, and which ones a higher threshold uncovers."""
        scores = _only(self.coverage.coverage_scores, staying)
        hops = self.coverage.covered_by_hop.items()
        covered = {name: hop for name, hop in hops if scores.get(name, 0.0) >= self.threshold}
        self.coverage = AspectCoverage(list(aspects), scores, covered)
        self.findings = [finding for finding in self.findings if finding.aspect in staying]
        self.best = _only(self.best, staying)
        self.restated = _only(self.restated, staying)

    def judge(
        self,
        findings: Sequence[Finding],
        ranked: Sequence[RankedPassage],
        *,
        hop: int,
        hold_aspects: bool = False,
        size: int | None = None,
        entities: Sequence[str] = (),
    ) -> Judgement:
        """Weigh the findings of this hop, choose the set from `ranked`, and say what that set covers."""
        judged = self._judge_by_model(findings)
        if judged:
            self._weigh(findings, judged)
        before, events = self.evidence, list[Event]()
        known = len(self.looked_up)
        kept = self._keep(ranked, hop=hop, hold_aspects=hold_aspects, size=size, entities=entities)
        while restated := self._restate(hop):
            events += [*restated, self._read_again(restated, hop)]
            self.evidence = before
            kept = self._keep(ranked, hop=hop, hold_aspects=hold_aspects, size=size, entities=entities)
        assessed = self._assess(hop)
        if judged:
            assessed = replace(assessed, scores=with_parts(assessed.scores, findings, judged))
        return Judgement((*events, *islice(self.looked_up.values(), known, None)), assessed, kept)

    def _restate(self, hop: int) -> list[AspectRestated]:
        """Word the aspects anew that waited for a link which the set now answers, each once."""
        evidence = {r.passage.passage_id for r in self.evidence}
        best = best_of(f for f in self.findings if f.passage_id in evidence and f.score >= self.threshold)
        made = []
        for aspect in self.coverage.aspects:
            link = best.get(aspect.depends_on or "")
            if link is not None and aspect.aspect not in self.restated:
                name = answer_of(link, self._worded(link.aspect), self.question)
                if name:
                    self.restated[aspect.aspect] = now = restated(aspect, name)
                    made.append(AspectRestated(hop, aspect.aspect, now.aspect, name, link.passage_id))
        return made

    def _worded(self, name: str) -> QueryAspect:
        return self.restated.get(name) or next(aspect for aspect in self.coverage.aspects if aspect.aspect == name)

    def _read_again(self, made: Sequence[AspectRestated], hop: int) -> FindingsRead:
        """What the passages read so far say of the aspects as they are worded now."""
        names = {event.aspect for event in made}
        aspects = [aspect for aspect in self.coverage.aspects if aspect.aspect in names]
        result = self._read(list(self.read.values()), aspects)
        self.findings = [finding for finding in self.findings if finding.aspect not in names]
        self.findings += result
        return FindingsRead(hop, result)

    def _assess(self, hop: int) -> CoverageAssessed:
        """What the passages of the set cover."""
        before = self.coverage.get_weighted_coverage()
        evidence = {r.passage.passage_id for r in self.evidence}
        findings = (*self._in_set(), *self._worked_out())
        covering = (f for f in findings if f.passage_id in evidence and f.score >= self.threshold)
        findings = (*findings, *of_sides(self.coverage.aspects, covering))
        scores, newly = critique_set(self.coverage, findings, evidence, hop=hop, threshold=self.threshold)
        self.gains[hop] = self.gains.get(hop, 0.0) + self.coverage.get_weighted_coverage() - before
        self.best |= {score.aspect: score.finding for score in scores if score.finding}
        self.unchecked = unchecked = self._unchecked()
        return CoverageAssessed(
            hop=hop,
            scores=tuple(replace(s, unchecked=unchecked.get(s.aspect, ()), parts=self._parts(s)) for s in scores),
            newly_covered=newly,
            percentage=self.coverage.get_coverage_percentage(self.threshold),
            weighted=round(self.coverage.get_weighted_coverage(), 6),
        )

    @property
    def _learned(self) -> Learned | None:
        """Of which documents what was learned of sentences holds for the corpus; None where the rules alone decide.

        Where questions go along names a sentence that leads the set may be but one link (docs/experiments.md,
        “A sentence beside the others of the set”).
        """
        index = self.services.retriever.index
        if self.services.settings.learned is False or not index.is_stored:
            return None
        if is_topical(index, self.question):
            return "topics"
        register = register_of(index)
        return "filings" if register is not None and register.is_all_filings else None

    def _in_set(self) -> Sequence[Finding]:
        """What was read, with the scores that the sentences of the set have beside each other."""
        learned, passages = self._learned, [r.passage for r in self.evidence]
        if self.rows is not None and not self._is_of_each and of_figure(self.rows, passages) is None:
            return ()  # other rows than those that answer
        if self.grid is not None:
            cells = [cell for cell in self.grid.cells if cell.figure is not None]
            left = {cell.asked for cell in cells if of_figure(cell.figure, passages) is None}
            return [finding for finding in self.findings if finding.aspect not in left]
        if learned is None or self.stated or self.listed:  # rows and headings are no sentences
            return self.findings
        by_id = {passage.passage_id: passage for passage in passages}
        changed: dict[Finding, Finding] = {}
        for name in (aspect.aspect for aspect in self.coverage.aspects):
            mine = [finding for finding in self.findings if finding.aspect == name]
            changed |= weighed_in_set(self._worded(name), mine, passages, weigh=self.services.weigh, learned=learned)
        lifted = (finding for finding, weighed in changed.items() if weighed.score > finding.score)
        for finding in [each for each in lifted if self._breaks(each, by_id[each.passage_id])]:
            del changed[finding]
        return tuple(changed.get(finding, finding) for finding in self.findings)

    def _parts(self, score: AspectScore) -> tuple[tuple[str, float], ...]:
        """What its sentence scored alone and scores in the set, where that is not the same."""
        best = score.finding
        if best is None or best in self.findings:
            return score.parts
        alone = [f.score for f in self.findings if replace(f, score=best.score) == best]
        return (*score.parts, *((("alone", alone[0]), ("in the set", best.score)) if alone else ()))

    def _worked_out(self) -> tuple[Finding, ...]:
        """What the values that an answer can be worked out from say, as long as the set holds them."""
        aspects, kind = self.coverage.aspects, self.parsed.kind
        passages = [r.passage for r in self.evidence]
        if asks_once(aspects) and not self.unclear:
            computed = compute(self.parsed.asked, passages, sized=self.is_sized)
        else:
            computed = None
        if computed:
            return tuple(of_operands(computed, aspects))
        if len(aspects) > 1 or kind not in ("number", "amount") or self.unclear:
            return ()
        return tuple(of_agreement(aspects[0], kind, passages, self.findings, self.question))

    def _unchecked(self) -> dict[str, tuple[str, ...]]:
        """Per covered aspect the conditions that none of the findings which cover it lets anyone check.

        A figure is read under all that its question says: a word that has no part in it would have left it unread.
        """
        if self.services.ablated("constraints"):
            return {}
        passages = {r.passage.passage_id: r.passage for r in self.evidence}
        left: dict[str, tuple[str, ...]] = {}
        operands = self.stated.operands if self.stated else ()
        rows = {(row.passage_id, row.quote) for row in operands}
        aspects = {aspect.aspect: aspect for aspect in self.coverage.aspects if aspect.constraints}
        for f in sorted(self._in_set(), key=lambda f: -f.score):
            if f.aspect in aspects and f.score >= self.threshold and f.passage_id in passages:
                is_read = (f.passage_id, f.quote) in rows
                still = () if is_read else open_conditions(aspects[f.aspect], passages[f.passage_id], f.quote)
                left[f.aspect] = tuple(text for text in left.get(f.aspect, still) if text in still)
        return {name: texts for name, texts in left.items() if texts}

    def _read_by_model(self, passages: Sequence[Passage], findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
        """What the model adds about the aspects that are still open."""
        assert self.services.gateway is not None
        return read_by_model(
            self.question,
            self.coverage.get_uncovered_aspects(self.threshold),
            passages,
            findings,
            self.services.gateway,
            weigh=self.services.weigh,
            constrain=not self.services.ablated("constraints"),
        )

    def _judge_by_model(self, findings: Sequence[Finding]) -> dict[str, float]:
        """The model's score of each open aspect that has new findings."""
        if self.services.gateway is None:
            return {}
        still = {aspect.aspect for aspect in self.coverage.get_uncovered_aspects(self.threshold)}
        return judge_by_model(self.question, [f for f in findings if f.aspect in still], self.services.gateway)

    def _weigh(self, findings: Sequence[Finding], judged: dict[str, float]) -> None:
        """Remember the findings as the model's scores leave them."""
        changed = dict(zip(findings, weighed(findings, judged), strict=True))
        self.findings = [changed.get(finding, finding) for finding in self.findings]

    def _of_clause(self, query: Subquery, hop: int) -> Sequence[ScoredPassage]:
        """The passages nearest to the name of a clause, in which what changes it may stand."""
        if query.text not in self.looked_up:
            retriever = self.services.retriever
            hits = tuple(retriever.retrieve(query.text, top_k=DEPTH))
            self.looked_up[query.text] = PassagesRetrieved(hop, query, retriever.name, hits, read=len(hits))
        return self.looked_up[query.text].passages

    def _keep(
        self,
        ranked: Sequence[RankedPassage],
        *,
        hop: int,
        hold_aspects: bool,
        size: int | None,
        entities: Sequence[str],
    ) -> EvidenceAssembled:
        """The evidence after this hop, chosen from `ranked`, and how it differs from the set before."""
        chosen = assemble(
            ranked,
            self.findings,
            self.coverage,
            k=self.services.settings.k,
            threshold=self.threshold,
            hold_aspects=hold_aspects,
            entities=entities,
        )
        order = [r.passage.passage_id for r in chosen]
        order += [r.passage.passage_id for r in ranked if r.passage.passage_id not in set(order)]
        kept_aspects = reserved(self.coverage.aspects) if hold_aspects else frozenset[str]()
        count = len(chosen) if size is None else wide_enough(chosen, size)
        self.is_sized = size is not None and size < min(self.services.settings.k, len(ranked))
        kept = tuple(r for r in chosen if r.rank <= count or not kept_aspects.isdisjoint(r.covers))
        kept = with_operands(self.parsed.asked, kept, ranked[:DEPTH], k=self.services.settings.k)
        kept = with_amendments(kept, self.findings, partial(self._of_clause, hop=hop), hop=hop)
        changes = replacements(self.evidence, kept)
        self.evidence = kept
        if self.services.gateway is not None:
            self.services.gateway.expect_answer([r.passage for r in kept])
        return EvidenceAssembled(hop, kept, tuple(order[: max(DEPTH, self.services.settings.k)]), changes)

    def write(self, *, missing: Sequence[str] | None = None) -> AnswerWritten:
        """The answer, from the evidence; a model writes it only where there is something to write from.

        With `missing` (what the question names and the evidence has not) there is not enough for an answer.
        """
        brief = self._brief(abstains=missing is not None)
        answer = synthesise(brief)
        if brief.abstains and answer.status != "unclear":
            answer = abstained(answer, missing=missing or ())
        if self.services.gateway is None or answer.abstained or brief.rows:
            return AnswerWritten(answer)
        if (written := self._written_by_model(brief, self.services.gateway)) is not None:
            return AnswerWritten(written.answer, by="model", check=written.check)
        guarded = guard(answer, brief.passages, aspects=[aspect.aspect for aspect in self.coverage.aspects])
        return AnswerWritten(answer, check=guarded.check)

    def _brief(self, *, abstains: bool) -> Brief:
        """What the answer is written from; what was looked up is answered, whatever else is missing."""
        passages = [r.passage for r in self.evidence]
        figure, rows = of_figure(self.figure, passages), of_figure(self.rows, passages)
        abstains = abstains and not (figure or rows or self.grid)
        queries: dict[str, list[str]] = {}
        for query in self.asked:
            for name in (query.aspect, *query.also):
                queries.setdefault(name, []).append(query.text)
        return Brief(
            self.question,
            self.coverage_as_worded,
            self.evidence,
            self._in_set(),
            weigh=self.services.weigh,
            threshold=self.threshold,
            queries=queries,
            likely=abstains or (self.estimate is not None and self.estimate.is_answerable),
            abstains=abstains,
            sized=self.is_sized,
            learned=self._learned == "topics",
            figure=figure,
            rows=None if self._is_of_each else rows,
            each=rows if self._is_of_each else None,
            left=self._left(rows),
            listed=self.listed,
            grid=self.grid,
            unchecked=self.unchecked,
            unclear=self.unclear,
        )

    def _written_by_model(self, brief: Brief, gateway: ModelGateway) -> Guarded | None:
        """The answer of the model, with a second look where one is asked for; None where the quotes must do."""
        written = synthesise_by_model(
            self.question,
            self.coverage,
            brief.passages,
            self.findings,
            gateway,
            threshold=self.threshold,
            queries=brief.queries,
        )
        if written is None or not self.services.settings.entailment:
            return written
        return entailed(written, brief.passages, gateway)


class Reader:
    """How well the best sentence of a passage speaks to an aspect of a run: for the pool, which asks no more."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._most: dict[str, list[tuple[float, QueryAspect]]] = {}

    def at_most(self, passage: Passage) -> float:
        """The most that `best` may give, in [0, 1], which is known sooner."""
        in_order = self._in_order(passage)
        return in_order[0][0] if in_order else 0.0

    def best(self, passage: Passage) -> float:
        """The score of its best finding; an aspect is read for only where it may be that of this one."""
        best = 0.0
        for most, aspect in self._in_order(passage):
            if most <= best:
                break
            best = max(best, self._state.score_of(passage, aspect))
        return best

    def measured(self, passages: Sequence[Passage]) -> Mapping[str, Sequence[float]]:
        """By passage id the features of its sentence that speaks best to an aspect; without one it has none."""
        return self._state.measured(passages)

    def _in_order(self, passage: Passage) -> list[tuple[float, QueryAspect]]:
        """The aspects of which most may be found first."""
        if passage.passage_id not in self._most:
            aspects = self._state.coverage.aspects
            each = [(self._state.most_found(passage, aspect), aspect) for aspect in aspects]
            self._most[passage.passage_id] = sorted(each, key=lambda most: -most[0])
        return self._most[passage.passage_id]


def begin(question: str, services: Services, planned: AspectsPlanned) -> State:
    """A run with its aspects and nothing else."""
    parsed = parse(question)
    grid = figures_asked(question, services.retriever.index)
    grid = grid.of(planned.aspects) if grid else None
    parts = parts_of(planned.aspects)
    figure = grid.figure if grid else figure_of(parsed, services.retriever.index, parts=parts)
    plain = _as_planned(planned.aspects, parsed.conditions)
    plain = "" if plain == question.rstrip(" ?") else plain
    if plain and not (grid or figure):
        figure = figure_of(plain, services.retriever.index)
    of_none = why_no_figure(parsed, services.retriever.index)
    listed = risks_listed(parsed, services.retriever.index)
    listed = listed if listed and listed.aspects == planned.aspects else None
    coverage = AspectCoverage(list(planned.aspects))
    index = services.retriever.index
    is_looked_up = figure or listed or not index.is_stored
    if is_looked_up:
        rows = None
    else:
        rows = figure_in_rows(parsed, index, most=services.settings.k)
        if plain and rows is None:
            rows = figure_in_rows(parse(plain), index, most=services.settings.k)
        rows = rows or _told_of_each(planned.aspects, services)
    return State(
        question,
        services,
        coverage,
        figure=figure,
        rows=rows,
        grid=grid,
        listed=listed,
        of_no_company=of_none,
    )


def _as_planned(aspects: Sequence[QueryAspect], conditions: Sequence[Constraint]) -> str:
    """The words of the one aspect, where they ask and say all conditions; else empty.

    Tables are read by how a question begins: "A's sales fell in May, right?" is asked of them as it was planned. What
    only names its matter ("EC fine against A", of whose status it is asked) asks no table.
    """
    text = aspects[0].aspect if len(aspects) == 1 else ""
    is_whole = begins_to_ask(text) and all(condition.text in text for condition in conditions)
    return text if is_whole else ""


def _told_of_each(aspects: Sequence[QueryAspect], services: Services) -> Figure | None:
    """What the documents of each thing of a kind say, where each is asked the same."""
    index = services.retriever.index
    asked = asked_of_each(aspects, index)
    return asked.told(index, services.weigh) if asked else None


def _only(values: Mapping[str, Value], names: set[str]) -> dict[str, Value]:
    return {name: value for name, value in values.items() if name in names}
