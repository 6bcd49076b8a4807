"""Search by meaning: the vectors of each corpus, and the work of making them, shared by all sessions."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import streamlit as st

from adaq_core.corpus.library import CorpusLibrary
from adaq_core.errors import AdaqError
from adaq_core.model import CorpusCard
from pages._shared.literal_text import seconds
from pages._shared.plain import plain

if TYPE_CHECKING:
    from adaq_core.retrieval.dense import EmbeddingJob, MiniLM, PassageVectors

TICK_SECONDS = 0.7

_lock = threading.Lock()
_encoders: list[MiniLM] = []
_vectors: dict[str, tuple[str, PassageVectors]] = {}
_jobs: dict[str, EmbeddingJob] = {}


def passage_vectors(library: CorpusLibrary, name: str) -> PassageVectors:
    """The vectors of the present version of a corpus, those that there are; the model is loaded when first needed."""
    from adaq_core.retrieval.dense import MiniLM, PassageVectors

    index = library.open(name)
    with _lock:
        version, held = _vectors.get(name, ("", None))
        if held is None or version != index.card.version:
            _encoders[:] = _encoders or [MiniLM()]
            held = PassageVectors(index, _encoders[0])
            _vectors[name] = (index.card.version, held)
        return held


def making(name: str) -> str:
    """A line for when the vectors of a corpus are being made right now; else empty."""
    job = _jobs.get(name)
    if job is None or not job.running:
        return ""
    return f"Vectors are being made: {job.done:,} of {job.total:,} passages. Until then it is searched by words."


def show_meaning(library: CorpusLibrary, card: CorpusCard) -> None:
    """How far the vectors of a corpus are; a button that makes them, progress, a way to stop."""
    job = _jobs.get(card.name)
    if job is not None and job.running:
        _progress(card.name)
        return
    if job is not None and job.error:
        st.warning(plain(job.error), title="The vectors could not be made", icon=":material/error:")
    try:
        ready = passage_vectors(library, card.name).ready
    except AdaqError as error:
        st.warning(plain(str(error)), title="Search by meaning does not work here", icon=":material/error:")
        return
    if ready >= 1:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        missing = round((1 - ready) * card.passages)
        st.caption(
            f":material/neurology: Search by meaning needs a vector for each passage; {missing:,} are missing. "
            "They are made on this computer, once.",
            width="content",
        )
        st.button(
            "Make the vectors", icon=":material/bolt:", key="make_vectors", on_click=_start, args=(library, card.name)
        )


def _start(library: CorpusLibrary, name: str) -> None:
    from adaq_core.retrieval.dense import start_embedding

    job = _jobs.get(name)
    if job is None or not job.running:
        _jobs[name] = start_embedding(passage_vectors(library, name))


@st.fragment(run_every=TICK_SECONDS)
def _progress(name: str) -> None:
    job = _jobs[name]
    if not job.running:
        st.rerun()
    left = f", about {seconds(job.seconds_left)} left" if job.seconds_left else ", loading the model"
    with st.container(horizontal=True, vertical_alignment="center"):
        share = min(1.0, job.done / job.total) if job.total else 0.0
        st.progress(
            share, text=f"Making vectors: {job.done:,} of {job.total:,} passages{left}. You can leave this page."
        )
        st.button("Cancel", icon=":material/stop_circle:", key="cancel_vectors", on_click=job.cancel)
