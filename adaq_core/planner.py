"""QueryPlanner: the adaptive method's policy: which aspects, which query next, what is covered, when to stop."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from adaq_core.errors import InputError
from adaq_core.events import Event
from adaq_core.llm.chats import as_chat
from adaq_core.model import (
    COVERAGE_THRESHOLD,
    AspectCoverage,
    Budget,
    Decision,
    Finding,
    Passage,
    QueryAspect,
    ScoredPassage,
    Subquery,
)
from adaq_core.question.aspects import Plan, plan
from adaq_core.question.query_templates import FacetProfile, TemplateGains, Wording, profiles, template
from adaq_core.stages.critique import critique
from adaq_core.stages.plan import plan_by_model
from adaq_core.stages.read import read
from adaq_core.stages.refine import Choose, as_they_come, refine, refine_by_model, targets
from adaq_core.stages.services import BudgetMeter, ModelGateway, Similar
from adaq_core.stages.stop_policy import Standing, StopPolicy, stop
from adaq_core.text.tokens import Weigh, uniform

_LOW_COVERAGE = 0.5  # share of the aspects; below it, late in a run, only core ones are asked for
_ENOUGH_DOCUMENTS = 3  # good ones


class QueryPlanner:
    """Plans aspects, words subqueries for the open ones, tracks coverage and decides when to stop.

    Below `min_hops` only full coverage stops a run; at `max_hops` it always stops. Without aspect coverage the quality
    of the retrieved documents decides. Where a language model is given, `told` holds what was asked of it and where the
    rules had to do.
    """

    def __init__(
        self,
        min_hops: int = 3,
        max_hops: int = 10,
        enable_aspect_coverage: bool = True,
        *,
        weighted_threshold: float = 0.7,
        min_gain: float = 0.02,
        patience: int = 2,
        facet_profiles: dict[str, FacetProfile] | None = None,
        weigh: Weigh = uniform,
        similar: Similar | None = None,
        gains: TemplateGains | None = None,
    ) -> None:
        if not 1 <= min_hops <= max_hops:
            raise ValueError(f"need 1 <= min_hops <= max_hops, not min_hops={min_hops}, max_hops={max_hops}")
        self.policy = StopPolicy(min_hops, max_hops, weighted_threshold, min_gain, patience)
        self.enable_aspect_coverage = enable_aspect_coverage
        self._profiles = facet_profiles
        self._weigh = weigh
        self._similar = similar
        self._gains = gains
        self.events: list[Event] = []

    def extract_aspects(self, question: str, llm_client: Any = None) -> AspectCoverage:
        """Return the aspects of `question`, none covered yet; empty if aspect coverage is off.

        `llm_client` is asked where there is one; what it gets wrong is mended or left to the rules.
        """
        if not self.enable_aspect_coverage:
            return AspectCoverage([])
        made = self.plan(question)
        if llm_client is not None:
            gateway = ModelGateway(as_chat(llm_client), BudgetMeter(Budget()))
            made = plan_by_model(question, made, gateway, profiles=self._known_profiles()) or made
            self.events += gateway.drain()
        return AspectCoverage(list(made.aspects))

    def plan(self, question: str, *, profile: str | None = None) -> Plan:
        """Return the aspects with the words that none of them carries."""
        return plan(question, profiles=self._known_profiles(), profile=profile)

    def _known_profiles(self) -> dict[str, FacetProfile]:
        return self._profiles if self._profiles is not None else profiles()

    def generate_subqueries_for_aspects(
        self,
        main_question: str,
        uncovered_aspects: Sequence[QueryAspect],
        llm_client: Any = None,
        max_subqueries: int = 3,
    ) -> list[tuple[str, str]]:
        """Return (subquery, aspect name) for the most important of `uncovered_aspects`, core first.

        A query of `llm_client` for several aspects gives a pair for each of them; aspects that it leaves out get their
        template while there is room.
        """
        ordered = sorted(uncovered_aspects, key=lambda aspect: -aspect.importance)
        worded: list[Subquery] = []
        if llm_client is not None and max_subqueries > 0:
            gateway = ModelGateway(as_chat(llm_client), BudgetMeter(Budget()))
            worded = refine_by_model(main_question, ordered, gateway, limit=max_subqueries)
            self.events += gateway.drain()
        served = {name for query in worded for name in (query.aspect, *query.also)}
        left = [aspect for aspect in ordered if aspect.aspect not in served]
        asked = [query.text for query in worded]
        rest, _ = refine(main_question, left, asked=asked, findings={}, limit=max_subqueries - len(worded))
        return [(query.text, name) for query in (*worded, *rest) for name in (query.aspect, *query.also)]

    def _aspect_to_subquery_template(self, aspect: QueryAspect, main_question: str) -> str:
        return template(aspect, main_question)

    def next_subqueries(
        self,
        question: str,
        coverage: AspectCoverage,
        *,
        hop: int,
        asked: Collection[str],
        tried: Mapping[str, int],
        findings: Mapping[str, Finding],
        threshold: float = COVERAGE_THRESHOLD,
        limit: int = 1,
    ) -> tuple[list[Subquery], list[str]]:
        """Return the queries of `hop` and the wordings passed over; low coverage makes late hops ask for core ones."""
        late = hop > self.min_hops and coverage.get_coverage_percentage(threshold) < _LOW_COVERAGE
        open_aspects = targets(coverage, threshold=threshold, tried=tried, core_only=late)
        choose = self._by_gain(coverage, tried)
        return refine(question, open_aspects, asked=asked, findings=findings, limit=limit, choose=choose)

    def _by_gain(self, coverage: AspectCoverage, tried: Mapping[str, int]) -> Choose:
        """Return the wordings worth a hop by what earlier runs gained; all of them if nothing is known."""
        gains = self._gains
        total = sum(aspect.importance for aspect in coverage.aspects)
        if gains is None:
            return as_they_come

        def choose(aspect: QueryAspect, templates: Sequence[Wording]) -> Sequence[Wording]:
            if aspect.importance:
                least = self.policy.min_gain * total / aspect.importance
            else:
                least = 1.0  # nothing gains that much: an aspect of no importance is worth no hop
            again = tried.get(aspect.aspect, 0) > 0
            return gains.chosen(templates, aspect.aspect_type, again=again, least=least)

        return choose

    def update_aspect_coverage(
        self,
        aspect_coverage: AspectCoverage,
        retrieved_docs: Sequence[Any],
        current_hop: int = 1,
        coverage_threshold: float = COVERAGE_THRESHOLD,
    ) -> AspectCoverage:
        """Raise `aspect_coverage` by what `retrieved_docs` say and return it; a score never falls.

        A document is a passage, a scored passage, or a mapping with `content` (or `text`), `title` and a score.
        """
        passages = received_passages(retrieved_docs)
        result = read(aspect_coverage.aspects, passages, weigh=self._weigh, similar=self._similar)
        critique(aspect_coverage, result, hop=current_hop, threshold=coverage_threshold)
        return aspect_coverage

    def should_continue_retrieval(
        self,
        retrieved_docs: Sequence[Any],
        current_hop: int,
        aspect_coverage: AspectCoverage | None = None,
        coverage_threshold: float = COVERAGE_THRESHOLD,
        min_confidence_threshold: float = 0.5,
    ) -> tuple[bool, str]:
        """Return whether another hop is wanted, and why, in one sentence."""
        if aspect_coverage is None or not aspect_coverage.aspects or not self.enable_aspect_coverage:
            decision = self.decide_by_quality(retrieved_docs, current_hop, min_confidence=min_confidence_threshold)
        else:
            decision = self.policy.decide(aspect_coverage, current_hop, Standing(coverage_threshold))
        return not decision.stop, decision.reason

    @property
    def min_hops(self) -> int:
        """Return the number of hops below which only full coverage stops a run."""
        return self.policy.min_hops

    @property
    def max_hops(self) -> int:
        """Return the number of hops at which a run always stops."""
        return self.policy.max_hops

    def decide_by_quality(self, retrieved_docs: Sequence[Any], hop: int, *, min_confidence: float) -> Decision:
        """Decide by document quality: stop with enough good ones, not before `min_hops`, always at `max_hops`."""
        if hop >= self.max_hops:
            return stop("max_hops", f"Reached the maximum of {self.max_hops} hops")
        if hop < self.min_hops:
            return Decision(stop=False, reason=f"Below the minimum of {self.min_hops} hops")
        good = [quality for quality in received_quality(retrieved_docs) if quality >= min_confidence]
        if len(good) >= _ENOUGH_DOCUMENTS:
            return stop("no_gain", f"{len(good)} documents score {min_confidence:.2f} or more")
        return Decision(stop=False, reason=f"Only {len(good)} documents score {min_confidence:.2f} or more")


TEXTS = ("content", "text", "page_content", "snippet")


def received_passages(documents: Sequence[Any]) -> list[tuple[Passage, float]]:
    """Return passages with their relevance in [0, 1]; InputError for what is not a document."""
    passages = [passage_of(document, number) for number, document in enumerate(documents)]
    return list(zip(passages, received_quality(documents), strict=True))


def received_quality(documents: Sequence[Any]) -> list[float]:
    """Return each document's relevance in [0, 1]: scores above 1 count relative to the best, none counts as 1."""
    scores = [_score(document) for document in documents]
    top = max((score for score in scores if score is not None), default=1.0)
    scale = top if top > 1 else 1.0
    return [1.0 if score is None else max(0.0, score / scale) for score in scores]


def passage_of(document: Any, number: int) -> Passage:
    """Return a document that another program hands over as a passage; InputError for what is no document."""
    if isinstance(document, ScoredPassage):
        return document.passage
    if isinstance(document, Passage):
        return document
    text = field_of(document, *TEXTS)
    if text is None:
        raise InputError(
            f"document {number} is a {type(document).__name__}: expected a Passage, a ScoredPassage, or a mapping with "
            "'content' (or 'text'), 'title' and 'score'"
        )
    key = str(field_of(document, "id", "passage_id", "doc_id") or number)
    return Passage(key, key, str(field_of(document, "title") or ""), str(text))


def _score(document: Any) -> float | None:
    if isinstance(document, ScoredPassage):
        return document.score
    value = field_of(document, "relevance_score", "score", "relevance", "similarity")
    return float(value) if isinstance(value, int | float) else None


def field_of(document: Any, *names: str) -> Any:
    """Return the first of these fields or attributes that exists."""
    for name in names:
        if isinstance(document, Mapping):
            value = document.get(name)
        else:
            value = getattr(document, name, None)
        if value is not None:
            return value
    return None
