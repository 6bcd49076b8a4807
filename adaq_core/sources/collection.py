"""What was fetched for a run, as passages that can be searched: by the BM25 of the corpora, then by similarity.

Its idf is positive even for a word of every passage, which is usual among passages that were all searched for with the
same words; and a score of 0 means that no word is shared.
"""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from adaq_core.corpus.holdings import IngestReport
from adaq_core.corpus.library import CorpusLibrary
from adaq_core.errors import CorpusError, InputError
from adaq_core.model import Document, Passage, ScoredPassage
from adaq_core.retrieval.dense import embedded_text
from adaq_core.retrieval.index import fuse
from adaq_core.retrieval.lexical import LexicalIndex
from adaq_core.sources.documents import Gathered, SourceReport, distinct, found_by
from adaq_core.store.documents import FetchedDocuments
from adaq_core.store.store import Store
from adaq_core.text.passages import cut
from adaq_core.text.tokens import tokens
from adaq_core.text.values import spelled

Similarity = Callable[[str, Sequence[str]], Sequence[float]]

_POOL = 30


class LiveCollection:
    """The documents of one run; implements `Retriever`. Threads may share it.

    `similarity` gives for a query and some texts how near each is, in any unit; with it, the best 30 passages by words
    are ordered by words and meaning together.
    """

    def __init__(self, *, similarity: Similarity | None = None) -> None:
        self._similarity = similarity
        self._documents: dict[str, Document] = {}
        self._passages: dict[str, Passage] = {}
        self._order: list[Passage] = []
        self._words: list[list[str]] = []
        self._lexical: LexicalIndex | None = None
        self._lock = threading.RLock()

    @property
    def name(self) -> str:
        """How it ranks, for the run: "live bm25", or "live bm25 + similarity"."""
        return "live bm25" if self._similarity is None else "live bm25 + similarity"

    @property
    def documents(self) -> tuple[Document, ...]:
        """The documents in it, in the order they came."""
        with self._lock:
            return tuple(self._documents.values())

    @property
    def passages(self) -> tuple[Passage, ...]:
        """The passages in it, by document and place."""
        with self._lock:
            return tuple(self._order)

    def __contains__(self, passage_id: str) -> bool:
        """Whether a passage was fetched."""
        with self._lock:
            return passage_id in self._passages

    def passage(self, passage_id: str) -> Passage:
        """The passage with this id; CorpusError when there is none."""
        with self._lock:
            result = self._passages.get(passage_id)
        if result is None:
            raise CorpusError(f"no passage {passage_id!r} was fetched in this run; it may be of another run")
        return result

    def add(self, documents: Iterable[Document]) -> list[Passage]:
        """Take documents in; the passages that are new. What repeats a document that is there already stays out."""
        with self._lock:
            known = list(self._documents.values())
            kept, _ = distinct([*known, *documents])
            new = [document for document in kept if document.document_id not in self._documents]
            passages = [passage for document in new for passage in cut(document)]
            self._documents.update({document.document_id: document for document in new})
            self._passages.update({passage.passage_id: passage for passage in passages})
            self._order.extend(passages)
            self._words.extend(tokens(indexed(passage)) for passage in passages)
            self._lexical = None if passages else self._lexical
            return passages

    def take(self, gathered: Gathered) -> tuple[SourceReport, ...]:
        """Take in what was gathered; its reports, with the number of new passages that each source brought."""
        with self._lock:
            new = self.add(gathered.documents)
            by_source = Counter(found_by(self._documents[passage.document_id]) for passage in new)
        return tuple(replace(report, passages=by_source[report.name]) for report in gathered.reports)

    def retrieve(self, query: str, *, top_k: int = 10) -> list[ScoredPassage]:
        """At most `top_k` passages that share a word with `query`, best first, ties by id."""
        by_words = self._by_words(query, top_k=top_k if self._similarity is None else max(top_k, _POOL))
        if self._similarity is None or not by_words:
            return by_words
        cosines = self._similarity(query, [embedded_text(hit.passage) for hit in by_words])
        near = best_first((float(cosine), hit.passage) for cosine, hit in zip(cosines, by_words, strict=True))
        return fuse((by_words, near), top_k=top_k)

    def _by_words(self, query: str, *, top_k: int) -> list[ScoredPassage]:
        with self._lock:
            lexical, passages = self._index(), list(self._order)
        scores = [float(score) for score in lexical.scores(query)]
        hits = ((score, passage) for score, passage in zip(scores, passages, strict=True) if score > 0)
        return best_first(hits)[: max(top_k, 0)]

    def _index(self) -> LexicalIndex:
        """The words of what is there, indexed when they are first asked for."""
        if self._lexical is None:
            self._lexical = LexicalIndex.build(self._words)
        return self._lexical


def best_first(scored: Iterable[tuple[float, Passage]]) -> list[ScoredPassage]:
    """The passages by their scores, ties by id, ranked from 1."""
    ordered = sorted(scored, key=lambda each: (-each[0], each[1].passage_id))
    return [ScoredPassage(passage, score, rank) for rank, (score, passage) in enumerate(ordered, start=1)]


def indexed(passage: Passage) -> str:
    """What is searched: the title, the source and the date (in words too) before the text."""
    return " | ".join(part for part in (passage.title, passage.source, spelled(passage.date), passage.text) if part)


def kept_documents(documents: Iterable[Document], document_ids: Iterable[str]) -> list[Document]:
    """The chosen ones of a run's documents, for a corpus of the user's; CorpusError when one is not there."""
    there = {document.document_id: document for document in documents}
    chosen = list(dict.fromkeys(document_ids))
    for document_id in chosen:
        if document_id not in there:
            raise CorpusError(f"no document {document_id!r} was fetched in this run; choose one of {len(there)} others")
    return [there[document_id] for document_id in chosen]


def uploads_of(documents: Iterable[Document]) -> list[tuple[str, bytes]]:
    """The documents as uploads for `CorpusLibrary.add`, one file each, named by the id: kept again, it replaces."""
    return [(f"{document.document_id.replace(':', '-')}.jsonl", _line(document)) for document in documents]


def _line(document: Document) -> bytes:
    fields = {
        "title": document.title,
        "text": document.text,
        "source": document.source,
        "date": document.date,
        "url": document.url,
        **{key: value for key, value in document.metadata if key not in ("title", "text", "source", "date", "url")},
    }
    return json.dumps(fields, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


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
