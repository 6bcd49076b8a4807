"""Refine: the next query, for the most important aspect that is still open, in words not tried before."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from adaq_core.loop.shapes import content
from adaq_core.loop.wordings import Wording, wordings
from adaq_core.model import AspectCoverage, Finding, QueryAspect, Subquery, as_tuple
from adaq_core.text.entities import names
from adaq_core.text.tokens import fold

Choose = Callable[[QueryAspect, Sequence[Wording]], Sequence[Wording]]


def as_they_come(_: QueryAspect, found: Sequence[Wording]) -> Sequence[Wording]:
    """All wordings, the plainest first."""
    return found


def bridges(aspect: QueryAspect, findings: Mapping[str, Finding], question: str) -> tuple[str, ...]:
    """Names that the finding of the aspect it depends on brought in: who "the director of F" turned out to be."""
    known = findings.get(aspect.depends_on or "")
    if known is None:
        return ()
    asked = fold(question)
    found = (n.text for n in names(known.quote) if n.kind in ("name", "acronym"))
    return as_tuple(name for name in found if fold(name) not in asked)[:3]


def targets(
    coverage: AspectCoverage, *, threshold: float, tried: Mapping[str, int], core_only: bool
) -> list[QueryAspect]:
    """The open aspects in the order in which they are to be tried: core first, least tried, most important."""
    still = coverage.get_uncovered_aspects(threshold)
    if core_only and any(aspect.is_core for aspect in still):
        still = [aspect for aspect in still if aspect.is_core]
    place = {aspect.aspect: i for i, aspect in enumerate(coverage.aspects)}

    def waits(aspect: QueryAspect) -> bool:
        return aspect.depends_on is not None and not coverage.is_aspect_covered(aspect.depends_on, threshold)

    def order(aspect: QueryAspect) -> tuple[bool, int, bool, float, int]:
        return (
            not aspect.is_core,
            tried.get(aspect.aspect, 0),
            waits(aspect),
            -aspect.importance,
            place[aspect.aspect],
        )

    return sorted(still, key=order)


def refine(
    question: str,
    open_aspects: Sequence[QueryAspect],
    *,
    asked: Collection[str],
    findings: Mapping[str, Finding],
    limit: int,
    insist: bool = False,
    choose: Choose = as_they_come,
) -> tuple[list[Subquery], list[str]]:
    """At most `limit` queries, one per aspect in the given order, and the wordings that were passed over.

    Those are what was asked before, and what `choose` leaves out. With `insist` an aspect all of whose wordings were
    asked gets one more with a widening word.
    """
    used = {normal(text) for text in asked}
    chosen: list[Subquery] = []
    passed: list[str] = []
    for aspect in open_aspects:
        if len(chosen) == limit:
            break
        wider = _wider(aspect) if insist else []
        worded = _bridged(aspect, findings, question) + wordings(aspect, question)
        kept = choose(aspect, worded)
        for wording in (*kept, *wider):
            if normal(wording.text) in used:
                passed.append(wording.text)
                continue
            used.add(normal(wording.text))
            chosen.append(Subquery(wording.text, aspect.aspect, wording.angle, template=wording.name))
            break
        else:
            worth_it = {wording.name for wording in kept}
            passed += [wording.text for wording in worded if wording.name not in worth_it]
    return chosen, list(as_tuple(passed))


def _bridged(aspect: QueryAspect, findings: Mapping[str, Finding], question: str) -> list[Wording]:
    relation = aspect.aspect.split(" of the ")[0].split(":")[0]
    named = bridges(aspect, findings, question)
    return [Wording(f"{name} {relation.lower()}", f"through {name}", "through a name") for name in named]


def _wider(aspect: QueryAspect) -> list[Wording]:
    thing = aspect.subject or " ".join(aspect.keywords)
    return [
        Wording(f"{thing} {word}", word, "wider")
        for word in ("details", "background", "evidence", "examples", "history")
    ]


def normal(text: str) -> str:
    """A query as compared with those already asked: case, accents, punctuation and word order aside."""
    return " ".join(sorted(set(content(fold(text)))))
