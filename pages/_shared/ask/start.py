"""From a typed question to a submitted run: the draft with its aspects, and what the Ask page keeps between reruns.

The question being composed is `?q=`, the run is `?run=`; the edited aspects are in the session.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from adaq_core.errors import InputError
from adaq_core.model import CorpusCard, QueryAspect
from adaq_core.question.aspects import checked, plan, reworded
from adaq_core.question.query_templates import FacetProfile
from adaq_core.runs.execute import RunSpec
from adaq_core.stages.plan import profile_fits
from pages._shared.ask.next_run import chosen
from pages._shared.common import backend
from pages._shared.common.chrome import object_to, objecting
from pages._shared.common.words import count

if TYPE_CHECKING:
    from adaq_core.filings.grid import FigureGrid
    from adaq_core.store.rows import RunRow

LONGEST_QUESTION = 4_000
OPTIONAL_IMPORTANCE = 0.5


@dataclass(frozen=True, slots=True)
class Draft:
    """The question with its planned aspects (`proposed`) and as the user left them (`aspects`)."""

    question: str
    proposed: tuple[QueryAspect, ...]
    aspects: tuple[QueryAspect, ...]
    lost: tuple[str, ...] = ()
    profile: str | None = None
    corpus: str = ""

    @property
    def edited(self) -> bool:
        """Whether the user changed what was planned."""
        return self.aspects != self.proposed


def objection(question: str) -> str | None:
    """Return why the question cannot be asked, in words for its author; None if it can."""
    if not any(character.isalnum() for character in question):
        return "Type a question in words, for example “Top risks facing Tesla in 2025”."
    if len(question) > LONGEST_QUESTION:
        return (
            f"This question has {count(len(question.split()), 'word')} and {len(question):,} characters; "
            f"the limit is {LONGEST_QUESTION:,} characters. "
            "Ask it in a few sentences, and add long background text on the Corpus page."
        )
    try:
        checked(question)
    except InputError as error:
        return str(error)
    return None


def planned(question: str, *, profiles: dict[str, FacetProfile], profile: str | None, corpus: str = "") -> Draft:
    """Plan the aspects of the question; a facet profile that it calls for must fit `corpus`, if one is given."""
    result = plan(question, profiles=profiles, profile=profile)
    if result.profile != profile and corpus in {card.name for card in backend.corpora() if card.passages}:
        fits = partial(profile_fits, backend.library().open(corpus))
        result = plan(question, profiles=profiles, profile=profile, fits=fits)
    return Draft(" ".join(question.split()), result.aspects, result.aspects, result.lost, result.profile, corpus)


def without_aspect(draft: Draft, name: str) -> Draft:
    """The draft without the aspect called `name`."""
    return replace(draft, aspects=tuple(a for a in draft.aspects if a.aspect != name))


def with_core(draft: Draft, name: str, *, core: bool) -> Draft:
    """Return the draft with the aspect `name` made core or optional; importance changes only if it must."""
    return replace(draft, aspects=tuple(_set_core(a, core=core) if a.aspect == name else a for a in draft.aspects))


def _set_core(aspect: QueryAspect, *, core: bool) -> QueryAspect:
    if aspect.is_core == core:
        return aspect
    return replace(aspect, importance=1.0 if core else OPTIONAL_IMPORTANCE)


LONGEST_ASPECT = 200  # characters


def may_be_aspect(text: str) -> bool:
    """Whether something can be searched for by these words."""
    return len(text) <= LONGEST_ASPECT and any(character.isalnum() for character in text)


def with_name(draft: Draft, name: str, wording: str) -> Draft:
    """Return the draft with the aspect `name` reworded; unchanged if the new name is empty or taken."""
    text = " ".join(wording.split())
    others = {a.aspect.casefold() for a in draft.aspects if a.aspect != name}
    if not may_be_aspect(text) or text.casefold() in others or text == name:
        return draft
    return replace(draft, aspects=tuple(reworded(a, text) if a.aspect == name else a for a in draft.aspects))


def with_added(draft: Draft, added: Iterable[QueryAspect]) -> Draft:
    """The draft with more aspects at its end; one that is there already is not added twice."""
    known = {a.aspect.casefold() for a in draft.aspects}
    return replace(draft, aspects=draft.aspects + tuple(a for a in added if a.aspect.casefold() not in known))


def with_figures(draft: Draft, figures: FigureGrid | None) -> Draft:
    """Return the draft with an aspect for each figure that its corpus has; unchanged once the user has edited it."""
    if draft.edited:
        return draft
    made = fresh_draft(draft.question)
    aspects = figures.aspects_beside(made.aspects) if figures else made.aspects
    return replace(made, proposed=aspects, aspects=aspects)


def as_found(draft: Draft) -> Draft:
    """Return the draft without the user's edits."""
    return replace(draft, aspects=draft.proposed)


AUTOMATIC = "As the question asks"
_REVEAL, _REFUSED = "ask_reveal", "ask_refused"
# The browser says when all hops were shown. Should it not, as in a tab in the background, the answer comes after this.
_PATIENCE, _PATIENCE_PER_HOP = 6.0, 1.5
_HAND_OVER_SECONDS = 0.3


def begin(key: str) -> None:
    """Take up the question in the input `key`, or say what is wrong with it and leave it there to be changed."""
    question = str(st.session_state.get(key) or "")
    wrong = objection(question)
    if not wrong:
        take_up(question)
        return
    object_to(wrong, at=key)
    if question.strip():
        st.session_state[key] = question


def take_up(question: str) -> None:
    """Show the aspects of `question`; start the run at once if the user chose that and the corpus can be searched."""
    again(" ".join(question.split()))
    if st.session_state.get("ask_at_once"):
        cards = (card for card in backend.corpora() if card.name == _corpus())
        if is_searchable(next(cards, None)):
            start(fresh_draft(question))


def is_searchable(card: CorpusCard | None) -> bool:
    """Whether a run would find anything to read: the corpus has passages, or live sources are on."""
    return card is not None and bool(card.passages or chosen().choice.sources)


def _corpus() -> str:
    return st.session_state.get("ask_corpus") or backend.last_corpus()


def pending() -> str | None:
    """Return the question in the page's address; None if there is none or it cannot be asked, which is said once."""
    question = st.query_params.get("q")
    if not question:
        return None
    wrong = objection(question)
    if not wrong:
        return question
    if st.session_state.get(_REFUSED) != question:  # said once, so that it can be closed
        st.session_state[_REFUSED] = question
        object_to(wrong, at="ask_question")
    return None


def leave_run(**place: str) -> None:
    """Stop showing the current run or draft and set the address to `place`; the run itself goes on.

    In one step: the browser goes back by each change of the address.
    """
    others = {name: value for name, value in st.query_params.items() if name not in ("run", "q")}
    st.query_params.from_dict(others | place)
    st.session_state.pop("ask_draft", None)
    object_to(None)


def draft_of(question: str) -> Draft:
    """Return the draft of `question` as the user left it; an unedited one is planned again for another corpus."""
    kept = st.session_state.get("ask_draft")
    if (
        isinstance(kept, Draft)
        and kept.question == " ".join(question.split())
        and (kept.edited or kept.corpus == _corpus())
    ):
        return kept
    draft = fresh_draft(question)
    keep(draft)
    return draft


def fresh_draft(question: str) -> Draft:
    """Plan `question` with the chosen facet profile."""
    profile = st.session_state.get("ask_profile", AUTOMATIC)
    asked = None if profile == AUTOMATIC else profile
    return planned(question, profiles=backend.facet_profiles(), profile=asked, corpus=_corpus())


def keep(draft: Draft) -> None:
    """Store the draft in the session, for the next rerun of the page."""
    st.session_state.ask_draft = draft


def start(draft: Draft) -> None:
    """Submit the draft and show its run; an error is said on the page."""
    wanted = chosen()
    with objecting():
        run_id = backend.runner().submit(
            RunSpec(
                wanted.method,
                draft.question,
                settings=wanted.settings(facet_profile=draft.profile),
                budget=wanted.budget(),
                aspects=draft.aspects if draft.edited else None,
            ),
            corpus=_corpus(),
            model=wanted.model,
        )
        follow(run_id)


def follow(run_id: str) -> None:
    """Show a run that was just submitted, hop by hop unless the user turned that off."""
    leave_run(run=run_id)
    st.session_state.pop("ask_corpus_gone", None)
    if st.session_state.get("ask_paced", True):
        st.session_state[_REVEAL] = Reveal(run_id)


@dataclass(slots=True)
class Reveal:
    """A run whose hops are shown one by one; `over_since` is when the page first saw that it was over.

    One that `is_short` lasts only until the answer below is drawn: nobody wants to watch it.
    """

    run_id: str
    over_since: float | None = None
    is_short: bool = False


def reveal_of(row: RunRow) -> Reveal | None:
    """Return the reveal of this run; None when it is finished, there is nothing to show, or it took too long."""
    reveal = st.session_state.get(_REVEAL)
    if not isinstance(reveal, Reveal) or reveal.run_id != row.run_id:
        return None
    if not row.over:
        return reveal
    reveal.over_since = reveal.over_since or time.monotonic()
    patience = _HAND_OVER_SECONDS if reveal.is_short else _PATIENCE + _PATIENCE_PER_HOP * row.hops
    if row.hops and time.monotonic() - reveal.over_since < patience:
        return reveal
    return None


def hand_over(row: RunRow) -> None:
    """Keep showing the lanes of a run that has just ended until its answer is drawn."""
    if reveal_of(row) is None:
        st.session_state[_REVEAL] = Reveal(row.run_id, is_short=True)


def end_reveal() -> None:
    """Show the answer of the run from now on."""
    st.session_state.pop(_REVEAL, None)


def again(question: str) -> None:
    """Compose `question`, keeping the corpus of the run that is shown."""
    if row := backend.row(st.query_params.get("run", "")):
        st.session_state.ask_corpus = row.corpus
    leave_run(q=question)
