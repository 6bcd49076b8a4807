"""Files added to a corpus in the background: the choice, the progress, the report."""

from __future__ import annotations

import threading
from functools import partial
from pathlib import Path

import streamlit as st

from adaq_core.corpus.changed import CorpusChange, changed_apart
from adaq_core.corpus.holdings import IngestReport
from adaq_core.corpus.readers import readers
from adaq_core.model import CorpusCard
from adaq_core.runs.jobs import Job, Work
from pages._shared.common import backend
from pages._shared.common.chrome import object_to
from pages._shared.common.text import literal
from pages._shared.common.words import count
from pages._shared.corpus.data import corpus_name, same_computer

# What is done: it tells its progress, asks whether to stop, and returns the report of an ingest, or None.
Change = Work[IngestReport | None]


class CorpusJob(Job[IngestReport | None]):
    """A change of a corpus that goes on or is over, as people are told of it."""

    def __init__(self, corpus: str, title: str, change: Change) -> None:
        super().__init__(f"change of corpus {corpus}", change)
        self.corpus = corpus
        self.title = title


_jobs: dict[str, CorpusJob] = {}
_lock = threading.Lock()


def start_job(corpus: str, title: str, change: Change) -> CorpusJob | None:
    """Start a change of a corpus and return its job; None if another change of that corpus goes on."""
    with _lock:
        there = _jobs.get(corpus)
        if there is not None and not there.over:
            return None
        _jobs.pop(corpus, None)
        job = _jobs[corpus] = CorpusJob(corpus, title, change)
        job.start()
    return job


def begin_job(corpus: str, title: str, change: Change) -> bool:
    """Start a change and return whether it began; that another one goes on is said on the page."""
    if start_job(corpus, title, change) is None:
        object_to("This corpus is already being changed. Wait until that is done.")
        return False
    object_to(None)
    return True


def jobs() -> tuple[CorpusJob, ...]:
    """Return all changes that go on or were not dismissed, the last begun first."""
    return tuple(reversed(_jobs.values()))


def dismiss_job(corpus: str) -> None:
    """Forget a change that is over."""
    with _lock:
        job = _jobs.get(corpus)
        if job is not None and job.over:
            del _jobs[corpus]


_SUGGESTED = "my-documents"
# The corpus to which documents are being added from this page.
BEGUN = "corpus_begun"


def show(card: CorpusCard | None) -> None:
    """Draw the form for adding documents: the corpus they go into, and the two ways to give them."""
    own = [name for name in backend.library().names() if name != backend.SAMPLE_CORPUS]
    suggestion = card.name if card and card.name in own else None
    typed = st.selectbox(
        "Add to",
        own or [_SUGGESTED],
        index=(own.index(suggestion) if suggestion else 0),
        key="add_to",
        accept_new_options=True,
        width=360,
        help="Choose one of your corpora, or type the name of a new one.",
    )
    name = corpus_name(typed or "")
    if not name or name == backend.SAMPLE_CORPUS:
        st.warning("Give the corpus a name of its own: letters, digits, - and _.", icon=":material/edit_note:")
        return
    if typed and name != typed:
        st.caption(f"It {'is' if name in own else 'will be'} called {literal(name)}.")
    left, right = st.columns(2, gap="large")
    with left:
        _upload(name)
    with right:
        _folder(name)


def _upload(name: str) -> None:
    st.markdown("**Files**")
    # Of any kind: the report says of a file that is not read what to do.
    files = st.file_uploader(
        "Files to add",
        accept_multiple_files=True,
        key=f"add_files_{st.session_state.get('add_round', 0)}",
        label_visibility="collapsed",
    )
    endings = [suffix.removeprefix(".") for suffix in readers()]
    st.caption(f"Can be read: {', '.join(endings)}, also compressed as .gz.")
    if st.button(
        f"Add {count(len(files), 'file')}" if files else "Add files",
        type="primary",
        icon=":material/upload_file:",
        disabled=not files,
        key="add_upload",
    ):
        uploads = tuple((file.name, file.getvalue()) for file in files)
        change = CorpusChange("add", name, uploads=uploads)
        _begin(name, f"Adding {count(len(uploads), 'file')} to {name}", partial(changed_apart, change))


def _folder(name: str) -> None:
    st.markdown("**A folder on this computer**")
    if not same_computer(server=st.get_option("server.address"), browser=st.context.ip_address):
        st.caption("Folders can be added only from the computer on which ADAQ runs. Upload the files instead.")
        return
    typed = st.text_input(
        "Path of the folder",
        key="add_folder",
        placeholder="/home/me/reports",
        help="A folder in BEIR format (a set of judged questions with its documents) is read as such.",
    )
    st.caption("Every readable file goes in, subfolders included. Add it again later to pick up changes.")
    path = Path(typed).expanduser() if typed else None
    if path and not path.is_dir():
        st.caption(":orange[:material/warning: There is no folder at this path that ADAQ can read.]")
    if st.button("Add folder", icon=":material/create_new_folder:", disabled=not (path and path.is_dir())) and path:
        change = CorpusChange("add", name, {"paths": [str(path)]})
        _begin(name, f"Adding the folder {path.name} to {name}", partial(changed_apart, change))


def _begin(name: str, title: str, change: Change) -> None:
    if begin_job(name, title, change):
        st.session_state[BEGUN] = name
        st.session_state.add_round = st.session_state.get("add_round", 0) + 1
    st.rerun()
