"""From a typed question to a submitted run: what the Ask page keeps between its reruns.

The question being composed is `?q=`, the run is `?run=`; the edited aspects are in the session.
"""

from __future__ import annotations

import streamlit as st

from adaq_core.errors import AdaqError
from pages._shared.ask.draft import Draft, objection, planned
from pages._shared.ask.next_run import chosen
from pages._shared.common import backend

AUTOMATIC = "As the question asks"
# Many runs are over by then, and their answer is drawn at once instead of after a flash of the live view.
_A_MOMENT = 0.25


def begin(key: str) -> None:
    """Callback of an input: take up the question in it, or say what is wrong with it."""
    take_up(str(st.session_state.get(key) or ""))


def take_up(question: str) -> None:
    """Show the aspects of `question` next; or start at once when the user set that."""
    state = st.session_state
    state.ask_objection = objection(question)
    if state.ask_objection:
        state.ask_rejected = question[:400]
        return
    leave_run()
    st.query_params["q"] = " ".join(question.split())
    if state.get("ask_at_once"):
        start(fresh_draft(question))


def pending() -> str | None:
    """The question in the address, when it can be asked."""
    question = st.query_params.get("q")
    if not question:
        return None
    wrong = objection(question)
    if wrong:
        st.session_state.ask_objection = wrong
        return None
    return question


def leave_run() -> None:
    """Forget the run or the draft that is shown; the run itself goes on."""
    for name in ("run", "q"):
        st.query_params.pop(name, None)
    st.session_state.pop("ask_draft", None)


def draft_of(question: str) -> Draft:
    """The draft of `question` as the user left it."""
    kept = st.session_state.get("ask_draft")
    if isinstance(kept, Draft) and kept.question == " ".join(question.split()):
        return kept
    draft = fresh_draft(question)
    keep(draft)
    return draft


def fresh_draft(question: str) -> Draft:
    """The draft of `question` as planned, with the facet profile that is chosen."""
    profile = st.session_state.get("ask_profile", AUTOMATIC)
    return planned(question, profiles=backend.facet_profiles(), profile=None if profile == AUTOMATIC else profile)


def keep(draft: Draft) -> None:
    """Keep the draft for the next rerun."""
    st.session_state.ask_draft = draft


def start(draft: Draft) -> None:
    """Submit the draft and show its run; what stops it is said on the page."""
    wanted = chosen()
    try:
        runner = backend.runner()
        run_id = runner.submit(
            draft.question,
            method=wanted.method,
            corpus=st.session_state.get("ask_corpus") or backend.SAMPLE_CORPUS,
            settings=wanted.settings(facet_profile=draft.profile),
            budget=wanted.budget(),
            model=wanted.model,
            aspects=draft.aspects if draft.edited else None,
        )
        runner.wait(run_id, timeout=_A_MOMENT)
    except AdaqError as error:
        st.session_state.ask_objection = str(error)
        return
    leave_run()
    st.query_params["run"] = run_id


def again(question: str) -> None:
    """Go back to composing `question`."""
    leave_run()
    st.query_params["q"] = question
