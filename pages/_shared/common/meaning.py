"""Search by meaning: how far the vectors of a corpus are, and the work of making them."""

from __future__ import annotations

import threading

import streamlit as st

from adaq_core.corpus.library import CorpusLibrary
from adaq_core.errors import AdaqError
from adaq_core.model import CorpusCard
from adaq_core.retrieval.dense import PassageVectors
from adaq_core.runs.jobs import Job
from adaq_core.runs.work import WARM_UP, corpus_vectors
from pages._shared.common.text import literal
from pages._shared.common.words import count, seconds

TICK_SECONDS = 0.7


def whole_vectors(library: CorpusLibrary, name: str) -> PassageVectors | None:
    """Return the vectors of a corpus; None unless every passage has one."""
    return corpus_vectors().whole(library.open(name))


_ready: set[str] = set()


def get_ready(library: CorpusLibrary, card: CorpusCard) -> None:
    """Load the embedding model while the user still reads, once, and only where there are vectors."""
    key = f"{card.name}/{card.version}"
    whole = None if key in _ready else whole_vectors(library, card.name)
    if whole is not None:
        _ready.add(key)
        threading.Thread(target=whole.search, args=(WARM_UP, 1), name="adaq-get-ready", daemon=True).start()


def _job(library: CorpusLibrary, name: str) -> Job[None] | None:
    return corpus_vectors().job(library.open(name))


def making(library: CorpusLibrary, name: str) -> str:
    """Say how far the vectors of a corpus are while they are made; "" otherwise."""
    job = _job(library, name)
    if job is None or not job.running:
        return ""
    return f"Preparing search by meaning: {job.done:,} of {job.total:,} passages."


def show_meaning(library: CorpusLibrary, card: CorpusCard) -> None:
    """Draw how far the vectors of a corpus are, with a button that makes them, progress, and a way to stop."""
    job = _job(library, card.name)
    if job is not None and job.running:
        _progress(library, card.name)
        return
    if job is not None and job.error:
        st.warning(literal(job.error), title="Search by meaning could not be prepared", icon=":material/error:")
    try:
        ready = corpus_vectors().vectors(library.open(card.name)).ready
    except AdaqError as error:
        st.warning(literal(str(error)), title="Search by meaning does not work here", icon=":material/error:")
        return
    if ready >= 1:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        missing = round((1 - ready) * card.passages)
        st.caption(
            ":material/neurology: Search by meaning has to be prepared once, on this computer: "
            f"{count(missing, 'passage')} to go.",
            width="content",
        )
        st.button("Prepare it", icon=":material/bolt:", key="make_vectors", on_click=_start, args=(library, card.name))


def _start(library: CorpusLibrary, name: str) -> None:
    corpus_vectors().start(library.open(name))


@st.fragment(run_every=TICK_SECONDS)
def _progress(library: CorpusLibrary, name: str) -> None:
    job = _job(library, name)
    if job is None or not job.running:
        st.rerun()
    left = f", about {seconds(job.seconds_left)} left" if job.seconds_left else ", loading the model"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(job.share, text=f"{making(library, name).removesuffix('.')}{left}. You can leave this page.")
        st.button("Cancel", icon=":material/stop_circle:", key="cancel_vectors", on_click=job.cancel)
