"""CRAG: the retrieved passages are graded; good ones are kept, doubtful ones refined, bad ones searched for again.

Yan and others, Corrective Retrieval Augmented Generation, 2024. Changed: the trained evaluator is the reader's best
finding of a passage, with the paper's two thresholds (upper 0.6, lower 0.25); the corrective search goes to the same
corpus in place of the web, since every method here searches the same passages, with a model's query where there is one,
else with key words; knowledge refinement orders passages by their best sentences.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from adaq_core.events import Decided, Event
from adaq_core.methods import searched_and_read
from adaq_core.model import Decision, QueryAspect, RankedPassage, ScoredPassage, Subquery
from adaq_core.question.aspect_patterns import content
from adaq_core.retrieval.index import fuse
from adaq_core.stages.assemble import top_ranked
from adaq_core.stages.plan import plan_aspects
from adaq_core.stages.services import Services
from adaq_core.stages.state import DEPTH, State, begin
from adaq_core.stages.stop_policy import concluded, limit_reached, stop

_UPPER, _LOWER = 0.6, 0.25


def run(question: str, services: Services, *, aspects: Sequence[QueryAspect] | None = None) -> Iterator[Event]:
    """Search, grade, and where the grade asks for it search once more; write."""
    planned = plan_aspects(question, services, aspects)
    yield planned
    state = begin(question, services, planned)
    query, why = Subquery(question, "", "the question itself"), "The question is searched as it is worded"
    rankings: list[list[ScoredPassage]] = []
    for hop in (1, 2):
        hits, results = yield from searched_and_read(state, query, why, hop=hop)
        grade = _grade(state, hits[: services.settings.k])
        if grade == "incorrect" or not rankings:
            rankings = [hits]
        else:
            rankings = [*rankings, hits]
        if len(rankings) > 1:
            fused = fuse(rankings, top_k=DEPTH)
        else:
            fused = hits
        yield from state.judge(results.findings, _refined(state, fused, hop=hop, query=query), hop=hop)
        decision = _decide(state, grade, hop)
        yield Decided(hop, decision)
        if decision.stop:
            break
        query, why = _corrective(state), _GRADED[grade]
    yield state.write()


_GRADED = {
    "correct": "At least one passage speaks clearly to the question",
    "ambiguous": "The passages speak to the question only in part",
    "incorrect": "No passage speaks to the question",
}


def _corrective(state: State) -> Subquery:
    """The second query: the model's, as the paper rewrites it, or the key words of the question."""
    worded = state.worded(state.coverage.get_uncovered_aspects(state.threshold), limit=1)
    if worded:
        return worded[0]
    return Subquery(" ".join(content(state.question)), "", "key words")


def _confidence(state: State, hit: ScoredPassage) -> float:
    """The reader's best finding of a passage, in [0, 1]: the stand-in for the trained evaluator."""
    return max((f.score for f in state.findings if f.passage_id == hit.passage.passage_id), default=0.0)


def _grade(state: State, hits: Sequence[ScoredPassage]) -> str:
    """The paper's three actions: correct when one passage is good, incorrect when all are bad, else ambiguous."""
    grades = [_confidence(state, hit) for hit in hits]
    if any(grade >= _UPPER for grade in grades):
        return "correct"
    return "incorrect" if all(grade < _LOWER for grade in grades) else "ambiguous"


def _refined(state: State, hits: Sequence[ScoredPassage], *, hop: int, query: Subquery) -> list[RankedPassage]:
    """Passages in the order of their grades, those that say nothing last; ties keep the retriever's order."""
    ranked = top_ranked(hits, hop=hop, query=query.text)
    grades = {hit.passage.passage_id: _confidence(state, hit) for hit in hits}
    return sorted(ranked, key=lambda r: (grades[r.passage.passage_id] < _LOWER, r.rank))


def _decide(state: State, grade: str, hop: int) -> Decision:
    limit = limit_reached(state.services.meter)
    if limit is not None:
        return limit
    if grade == "correct" or hop > 1:
        graded = _GRADED[grade]
        return concluded(state, covered=graded, otherwise=stop("no_gain", graded))
    return Decision(stop=False, reason=f"{_GRADED[grade]}: search once more")
