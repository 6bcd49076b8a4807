"""Documents that a run fetched from live sources, kept in a corpus of the user's, at once or much later."""

from __future__ import annotations

from collections.abc import Sequence

from adaq_core.corpus.library import CorpusLibrary
from adaq_core.corpus.report import IngestReport
from adaq_core.errors import InputError
from adaq_core.sources.collection import kept_documents, uploads_of
from adaq_core.store import Store
from adaq_core.store_documents import FetchedDocuments


def keep_in_corpus(
    run_id: str, corpus: str, *, store: Store, library: CorpusLibrary, document_ids: Sequence[str] | None = None
) -> IngestReport:
    """Put what a run fetched into `corpus`, which is made when it is new; all of it, or the chosen documents.

    Kept again, a document takes the place of its older text.

    Raises:
        InputError: the run fetched nothing that is still there.
        CorpusError: a document was not fetched in this run, or the corpus cannot be changed.
    """
    fetched = FetchedDocuments(store, run_id).documents()
    if not fetched:
        raise InputError(f"Run {run_id} has no documents of live sources to keep.")
    wanted = [document.document_id for document in fetched] if document_ids is None else document_ids
    return library.add(corpus, uploads=uploads_of(kept_documents(fetched, wanted)))
