"""A question on its way to becoming a run: checked, split into aspects, and edited before it starts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from adaq_core.errors import InputError
from adaq_core.model import QueryAspect
from adaq_core.question.aspects import checked, plan
from adaq_core.question.facet_profiles import FacetProfile

LONGEST_QUESTION = 4_000
OPTIONAL_IMPORTANCE = 0.5


@dataclass(frozen=True, slots=True)
class Draft:
    """The question with its aspects as planned (`found`) and as the user left them (`aspects`)."""

    question: str
    found: tuple[QueryAspect, ...]
    aspects: tuple[QueryAspect, ...]
    lost: tuple[str, ...] = ()
    profile: str | None = None

    @property
    def edited(self) -> bool:
        """Whether the user changed what was planned."""
        return self.aspects != self.found


def objection(question: str) -> str | None:
    """What is wrong with the question, in words for its author; None when it can be asked."""
    if not question.strip():
        return "Type a question first."
    try:
        checked(question)
    except InputError as error:
        return str(error)
    if len(question) > LONGEST_QUESTION:
        return (
            f"This question has {len(question):,} characters; the limit is {LONGEST_QUESTION:,}. "
            "Ask the question itself here, and put long background text into a corpus (page Corpus)."
        )
    return None


def planned(question: str, *, profiles: dict[str, FacetProfile], profile: str | None) -> Draft:
    """The question split into aspects, not edited yet."""
    found = plan(question, profiles=profiles, profile=profile)
    return Draft(" ".join(question.split()), found.aspects, found.aspects, found.lost, found.profile)


def without_aspect(draft: Draft, name: str) -> Draft:
    """The draft without the aspect called `name`."""
    return replace(draft, aspects=tuple(a for a in draft.aspects if a.aspect != name))


def with_core(draft: Draft, name: str, *, core: bool) -> Draft:
    """The draft with the aspect called `name` made core or optional; its importance stays when it is that already."""
    return replace(draft, aspects=tuple(_set_core(a, core=core) if a.aspect == name else a for a in draft.aspects))


def _set_core(aspect: QueryAspect, *, core: bool) -> QueryAspect:
    if aspect.is_core == core:
        return aspect
    return replace(aspect, importance=1.0 if core else OPTIONAL_IMPORTANCE)


def with_added(draft: Draft, added: Iterable[QueryAspect]) -> Draft:
    """The draft with more aspects at its end; one that is there already is not added twice."""
    known = {a.aspect.casefold() for a in draft.aspects}
    return replace(draft, aspects=draft.aspects + tuple(a for a in added if a.aspect.casefold() not in known))


def as_found(draft: Draft) -> Draft:
    """The draft as it was planned."""
    return replace(draft, aspects=draft.found)


def typed_aspect(text: str, planned: Iterable[QueryAspect]) -> QueryAspect:
    """The aspect that a user typed: worded as typed, with the type and the keywords that planning found in it."""
    name = " ".join(text.split())
    first = next(iter(planned), None)
    if first is None:
        return QueryAspect(aspect=name, aspect_type="facet", keywords=tuple(name.lower().split()), subject=name)
    return replace(first, aspect=name, importance=1.0, span=None, depends_on=None)
