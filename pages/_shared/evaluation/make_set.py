"""A question set made from the user's own runs, to be chosen in the form above it."""

from __future__ import annotations

import streamlit as st

from adaq_core.errors import AdaqError
from adaq_core.evaluation.exam import MadeSet, corpora_of_runs, make_set
from pages._shared.common import backend
from pages._shared.common.text import literal
from pages._shared.common.words import count
from pages._shared.evaluation.page import object_to

_MADE = "e_made_set"


def show_make_set() -> None:
    """A popover with a name and a corpus; nothing while there is no finished run."""
    corpora = corpora_of_runs(backend.store())
    if not corpora:
        return
    with st.popover(
        "Make a set from my runs", icon=":material/playlist_add_check:", type="tertiary", key="n_from_runs"
    ):
        st.markdown(
            "The questions of your finished runs become a question set. What a run cites that you rated 👍 is gold; "
            "other questions come without judgments. The documents are copied beside them."
        )
        name = st.text_input("Name", value="my runs", key="n_set_name")
        corpus = st.selectbox("Runs on the corpus", corpora, key="n_set_corpus")
        st.button("Make it", icon=":material/add:", key="n_make_set", on_click=_make, args=(name.strip(), corpus))
        made: MadeSet | None = st.session_state.get(_MADE)
        if made is not None:
            judged = f"{made.judged:,} with a judgment"
            st.caption(
                f":green[:material/check:] {literal(made.folder.name)}: {count(made.questions, 'question')}, {judged}."
            )


def _make(name: str, corpus: str) -> None:
    """Make it and say so; what is wrong with it is said instead."""
    try:
        st.session_state[_MADE] = make_set(backend.store(), backend.library(), name, corpus=corpus)
    except AdaqError as error:
        object_to(error)
