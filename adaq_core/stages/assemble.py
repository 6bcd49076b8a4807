"""Assemble: the fixed-size set of passages that the answer may cite. Replace, do not expand."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from functools import cache

from adaq_core.answers.evidence_sentences import changes_of, clause_of, sentences_of
from adaq_core.model import (
    AspectCoverage,
    Finding,
    Provenance,
    QueryAspect,
    RankedPassage,
    Replacement,
    ScoredPassage,
    Subquery,
)
from adaq_core.ranking.rerankers import EntityFirstRanker

_CANDIDATES = 25  # passages behind the set that may come in for an entity of the question
_PLANNED_TYPES = frozenset(("definition", "comparison", "process", "causal", "evaluation", "application", "facet"))


def reserved(aspects: Sequence[QueryAspect]) -> frozenset[str]:
    """The names of the aspects that keep a place in the set for a passage that covers them.

    A fact keeps none: the order of the candidates knows more of it than the matcher. Of lists asked for side by side
    each does, since one passage rarely holds members of two.
    """
    lists = [aspect.aspect for aspect in aspects if aspect.aspect_type == "entity" and aspect.answer_kind == "list"]
    planned = [aspect.aspect for aspect in aspects if aspect.aspect_type in _PLANNED_TYPES]
    return frozenset((*planned, *lists) if len(lists) > 1 else planned)


def covering(findings: Iterable[Finding], threshold: float) -> dict[str, dict[str, float]]:
    """Per passage, the aspects that its findings cover and how well."""
    results: dict[str, dict[str, float]] = {}
    for finding in findings:
        if finding.score >= threshold:
            aspects = results.setdefault(finding.passage_id, {})
            aspects[finding.aspect] = max(aspects.get(finding.aspect, 0.0), finding.score)
    return results


def assemble(
    ranked: Sequence[RankedPassage],
    findings: Sequence[Finding],
    coverage: AspectCoverage,
    *,
    k: int,
    threshold: float,
    hold_aspects: bool = True,
    entities: Sequence[str] = (),
) -> tuple[RankedPassage, ...]:
    """The first `k` of `ranked`, in which each covered aspect keeps a passage that covers it, where `k` allows.

    A passage that covers an aspect nobody in the set covers takes the place of the lowest-ranked one that no aspect
    depends on. `hold_aspects=False` is the plain ranking. In the same way each of `entities` that a candidate names is
    named in the set (entity-first), without losing the only passage that names another.
    """
    covers = covering(findings, threshold)
    chosen = list(ranked[:k])
    if hold_aspects:
        rest = {r.passage.passage_id: r for r in ranked[k:]}
        kept_aspects = reserved(coverage.aspects)
        for aspect in sorted(coverage.aspects, key=lambda a: (-a.importance, coverage.aspects.index(a))):
            if aspect.aspect in kept_aspects:
                _hold(aspect.aspect, chosen, rest, covers, k)
    if entities and len(chosen) == k:
        _hold_entities(entities, chosen, ranked[k : k + _CANDIDATES])
    return _numbered(chosen, covers)


_FEWEST = 2  # passages of a set that a pool has sized
_MOST_MORE = 4  # passages that the next best may bring such a set to
_NEARLY = 0.7  # of the score before it


Retrieve = Callable[[Subquery], Sequence[ScoredPassage]]


def with_amendments(
    kept: Sequence[RankedPassage], findings: Iterable[Finding], retrieve: Retrieve, *, hop: int
) -> tuple[RankedPassage, ...]:
    """The set with the passages that change the clause which answers best, in place of its last that does not.

    A clause is asked for by its number and the title of its document, for what changes it says nothing else of it.
    """
    known = {each.passage.passage_id: each for each in kept}
    best: dict[str, Finding] = {}
    for finding in (each for each in findings if each.passage_id in known):
        if finding.aspect not in best or finding.score > best[finding.aspect].score:
            best[finding.aspect] = finding
    chosen = list(kept)
    needed = {finding.passage_id for finding in best.values()}
    for finding in best.values():
        told = sentences_of(known[finding.passage_id].passage, 0)
        base = next((each for each in told if each.start == finding.start), None)
        number = clause_of(base) if base else ""
        if base is None or not number:
            continue
        query = f"clause {number} {base.passage.title}"
        sought = Subquery(query, finding.aspect, "what changes the clause that answers")
        for hit in retrieve(sought):
            if not changes_of(base, [sentences_of(hit.passage, 0)]):
                continue
            needed.add(hit.passage.passage_id)
            if all(each.passage.passage_id != hit.passage.passage_id for each in chosen):
                _take_in_place(chosen, needed, top_ranked([hit], hop=hop, query=query)[0])
    return tuple(chosen)


def _take_in_place(chosen: list[RankedPassage], needed: Collection[str], new: RankedPassage) -> None:
    """Put a passage in the place of the last that is not needed, if there is one."""
    spare = next((each for each in reversed(chosen) if each.passage.passage_id not in needed), None)
    if spare is not None:
        taken = _taken(new, "changes the clause that answers")
        chosen[chosen.index(spare)] = replace(taken, rank=spare.rank, score=spare.score)


def wide_enough(chosen: Sequence[RankedPassage], size: int) -> int:
    """How many to keep where `size` were thought enough: two, and those nearly as good as the last, up to four.

    Of questions that need two documents a third had a set of one, chosen for its expected F1; with this the answer
    stands in .57 of the sets of musique instead of .42, and set F1 is level (docs/experiments.md, “Short answers, and
    the set that lost its second link”).
    """
    count = max(size, min(_FEWEST, len(chosen)))
    most = min(_MOST_MORE, len(chosen))
    while count < most and chosen[count].score >= _NEARLY * chosen[count - 1].score:
        count += 1
    return count


def _hold_entities(entities: Sequence[str], chosen: list[RankedPassage], waiting: Sequence[RankedPassage]) -> None:
    ranker = EntityFirstRanker()

    def named(ranked: RankedPassage, wanted: Sequence[str]) -> set[str]:
        return set(ranker.compute_entity_coverage(_chunk(ranked), wanted)[1])

    per_passage = [named(ranked, entities) for ranked in chosen]
    missing = [entity for entity in entities if not any(entity in own for own in per_passage)]
    brings = cache(lambda place: named(waiting[place], missing))
    for entity in missing:
        if any(entity in own for own in per_passage):
            continue
        bringing = (r for place, r in enumerate(waiting) if entity in brings(place))
        result = next((r for r in bringing if r not in chosen), None)
        if result is None:
            continue
        last_first = reversed(range(len(chosen)))
        place = next((at for at in last_first if per_passage[at] <= _besides(at, per_passage)), None)
        if place is not None:
            reason = f"names “{entity}”, which no other passage of the evidence names"
            chosen[place] = _taken(result, reason)
            per_passage[place] = named(result, entities)


def _chunk(ranked: RankedPassage) -> dict[str, str]:
    return {"title": ranked.passage.title, "content": ranked.passage.text}


def _hold(
    aspect: str,
    chosen: list[RankedPassage],
    rest: dict[str, RankedPassage],
    covers: dict[str, dict[str, float]],
    k: int,
) -> None:
    covered = max((covers.get(r.passage.passage_id, {}).get(aspect, 0.0) for r in chosen), default=0.0)
    own = {key: scores[aspect] for key, scores in covers.items() if aspect in scores}
    waiting = [(own[key], r) for key, r in rest.items() if key in own]
    if covered or not waiting:
        return
    score, best = max(waiting, key=lambda w: (w[0], -w[1].rank))
    if len(chosen) >= k:
        place = _dispensable(chosen, covers)
    else:
        place = len(chosen)
    if place is None:
        return
    del rest[best.passage.passage_id]
    reason = f"covers “{aspect}” ({score:.2f}), which no other passage of the evidence covers"
    if place < len(chosen):
        dropped = chosen.pop(place)
        rest[dropped.passage.passage_id] = dropped
    chosen.append(_taken(best, reason))


def _taken(ranked: RankedPassage, reason: str) -> RankedPassage:
    """A passage that is taken for one more reason."""
    return replace(ranked, reason=f"{ranked.reason}; {reason}" if ranked.reason else reason)


def _dispensable(chosen: Sequence[RankedPassage], covers: dict[str, dict[str, float]]) -> int | None:
    """The lowest-ranked passage that covers nothing, else the lowest whose aspects others cover too; None without."""
    own = [set(covers.get(ranked.passage.passage_id, {})) for ranked in chosen]
    free = [place for place, aspects in enumerate(own) if aspects <= _besides(place, own)]
    # The best passage stays as long as another may go.
    return max(free, key=lambda place: (place > 0 and not own[place], place), default=None)


def _besides(place: int, own: Sequence[set[str]]) -> set[str]:
    """What all but one have."""
    return set[str]().union(*own[:place], *own[place + 1 :])


def _numbered(chosen: Sequence[RankedPassage], covers: dict[str, dict[str, float]]) -> tuple[RankedPassage, ...]:
    return tuple(
        replace(r, rank=rank, covers=tuple(covers.get(r.passage.passage_id, {})))
        for rank, r in enumerate(chosen, start=1)
    )


def top_ranked(hits: Sequence[ScoredPassage], *, hop: int, query: str) -> list[RankedPassage]:
    """A retriever's own order as evidence, for the methods that do not rank again; scores relative to the best."""
    best = max((hit.score for hit in hits), default=0.0) or 1.0
    return [
        RankedPassage(
            passage=hit.passage,
            rank=hit.rank,
            score=max(0.0, min(1.0, hit.score / best)),
            provenance=Provenance(hop=hop, query=query),
            parts=(("retriever", hit.score),),
            reason=f"rank {hit.rank} for “{query}”",
        )
        for hit in hits
    ]


def replacements(before: Sequence[RankedPassage], after: Sequence[RankedPassage]) -> tuple[Replacement, ...]:
    """What came into the set and what went out, paired by rank; a taken passage without a pair filled a free slot."""
    old = [ranked.passage.passage_id for ranked in before]
    new = {ranked.passage.passage_id for ranked in after}
    gone = (passage_id for passage_id in old if passage_id not in new)
    results = []
    for ranked in after:
        taken = ranked.passage.passage_id
        if taken not in old:
            results.append(Replacement(taken=taken, dropped=next(gone, ""), reason=ranked.reason))
    return tuple(results)
