"""The live sources of one run: asked once for each query, what they find collected and searched beside the corpus."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, Protocol, cast

import numpy as np

from adaq_core.corpus.holdings import IngestReport
from adaq_core.corpus.ingest import Upload
from adaq_core.corpus.library import CorpusLibrary
from adaq_core.errors import AdaqError, CorpusError, InputError
from adaq_core.events import Event, SourcesSearched, of_kind
from adaq_core.model import Document, Passage, ScoredPassage, SourceReport, as_tuple
from adaq_core.retrieval import Corpus
from adaq_core.retrieval.dense import PassageVectors, Vectors, embedded_text
from adaq_core.retrieval.index import fuse, indexed, score_of
from adaq_core.retrieval.lexical import LexicalIndex
from adaq_core.sources import Source, source
from adaq_core.sources.documents import distinct, found_by
from adaq_core.sources.gather import STOPPED, Access, Gathered, gather
from adaq_core.store import Store
from adaq_core.store.history import FetchedDocuments
from adaq_core.text.passages import cut
from adaq_core.text.tokens import tokens

Similarity = Callable[[str, Sequence[str]], Sequence[float]]

_POOL = 30


class LiveCollection:
    """The documents of one run, searched as those of a corpus are. Threads may share it.

    `similarity` gives for a query and some texts how near each is, in any unit; with it, the best 30 passages by words
    are ordered by words and meaning together.
    """

    def __init__(self, *, similarity: Similarity | None = None) -> None:
        self._similarity = similarity
        self._documents: dict[str, Document] = {}
        self._passages: dict[str, Passage] = {}
        self._words: list[list[str]] = []
        self._lexical: LexicalIndex | None = None
        self._lock = threading.RLock()

    @property
    def passages(self) -> tuple[Passage, ...]:
        """The passages in it, by document and place."""
        with self._lock:
            return tuple(self._passages.values())

    def __contains__(self, passage_id: str) -> bool:
        """Whether a passage was fetched."""
        with self._lock:
            return passage_id in self._passages

    def passage(self, passage_id: str) -> Passage:
        """The passage with this id; CorpusError for an unknown one."""
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
            self._words.extend(tokens(indexed(passage)) for passage in passages)
            self._lexical = None if passages else self._lexical
            return passages

    def take(self, documents: Sequence[Document], reports: Sequence[SourceReport]) -> tuple[SourceReport, ...]:
        """Add what was gathered; return its reports, with the number of new passages from each source."""
        with self._lock:
            new = self.add(documents)
            by_source = Counter(found_by(self._documents[passage.document_id]) for passage in new)
        return tuple(replace(report, passages=by_source[report.name]) for report in reports)

    def retrieve(self, query: str, *, top_k: int = 10) -> list[ScoredPassage]:
        """Return at most `top_k` passages that share a word with `query`, best first, ties by id."""
        by_words = self._by_words(query, top_k=top_k if self._similarity is None else max(top_k, _POOL))
        if self._similarity is None or not by_words:
            return by_words
        cosines = self._similarity(query, [embedded_text(hit.passage) for hit in by_words])
        near = best_first((float(cosine), hit.passage) for cosine, hit in zip(cosines, by_words, strict=True))
        return fuse((by_words, near), top_k=top_k)

    def _by_words(self, query: str, *, top_k: int) -> list[ScoredPassage]:
        with self._lock:
            if self._lexical is None:
                self._lexical = LexicalIndex.build(self._words)
            lexical, passages = self._lexical, self.passages
        scores = [float(score) for score in lexical.scores(query)]
        hits = ((score, passage) for score, passage in zip(scores, passages, strict=True) if score > 0)
        return best_first(hits)[: max(top_k, 0)]


def best_first(scored: Iterable[tuple[float, Passage]]) -> list[ScoredPassage]:
    """Return the passages by score, ties by id, ranked from 1."""
    ordered = sorted(scored, key=lambda each: (-each[0], each[1].passage_id))
    return [ScoredPassage(passage, score, rank) for rank, (score, passage) in enumerate(ordered, start=1)]


def keep_in_corpus(
    run_id: str, corpus: str, *, store: Store, library: CorpusLibrary, document_ids: Sequence[str] | None = None
) -> IngestReport:
    """Put what a run fetched, or the chosen documents of it, into `corpus`, which is created if new.

    Raises:
        InputError: the run fetched nothing that is still there.
        CorpusError: a document was not fetched in this run, or the corpus cannot be changed.
    """
    fetched = {document.document_id: document for document in FetchedDocuments(store, run_id).documents()}
    if not fetched:
        raise InputError(f"Run {run_id} has no documents of live sources to keep.")
    chosen = as_tuple(fetched if document_ids is None else document_ids)
    for unknown in (document_id for document_id in chosen if document_id not in fetched):
        raise CorpusError(f"no document {unknown!r} was fetched in this run; choose one of {len(fetched)} others")
    return library.add(corpus, uploads=[_upload(fetched[document_id]) for document_id in chosen])


def _upload(document: Document) -> Upload:
    """Return the document as a file named by its id, so that a newer text replaces an older one."""
    own = {"title": document.title, "text": document.text, "source": document.source}
    own |= {"date": document.date, "url": document.url}
    fields = own | dict(document.metadata) | own  # what the metadata calls the same does not count
    line = json.dumps(fields, ensure_ascii=False).encode("utf-8", "replace")
    return f"{document.document_id.replace(':', '-')}.jsonl", line + b"\n"


LONGEST_SECONDS = 20.0
LONGEST_TEXT = 400_000
_SHARE_OF_TIME = 0.5
_SHORTEST_SECONDS = 0.1
_MOST_FAILURES = 2
_PER_QUERY = 5


class DocumentSink(Protocol):
    """Where the documents of a run are kept."""

    def keep(self, query: str, documents: Sequence[Document]) -> str:
        """Keep what `query` brought; why not all of it was kept, empty when it was."""
        ...

    def before(self, query: str) -> Sequence[Document] | None:
        """What `query` brought in the run that this one goes on from; None when that is not known in whole."""
        ...


class Live:
    """The sources named `names`, asked within the time that is left, and the collection of what they found.

    A source that failed twice in a row is not asked again. With `past`, the events of the run that this one goes on
    from, a query that was asked there brings the documents that were kept then.
    """

    def __init__(
        self,
        names: Sequence[str],
        access: Access | AdaqError,
        *,
        seconds_left: Callable[[], float | None] = lambda: None,
        cancelled: Callable[[], bool] = lambda: False,
        similarity: Similarity | None = None,
        document_sink: DocumentSink | None = None,
        past: Sequence[Event] = (),
    ) -> None:
        self.names = tuple(names)
        self.similarity = similarity
        self.collection = LiveCollection(similarity=similarity)
        self._access = access
        self._seconds_left = seconds_left
        self._cancelled = cancelled
        self._document_sink = document_sink
        self._past = {_key(event.query): event for event in of_kind(past, SourcesSearched)}
        self._asked: set[tuple[str, ...]] = set()
        self._failed: Counter[str] = Counter()
        self._errors: dict[str, str] = {}
        self._done: list[SourcesSearched] = []

    def ask(self, query: str) -> None:
        """Ask all sources for `query`, once in a run, and add what they find to the collection.

        A query with the same index terms as an earlier one is the same query.
        """
        if _key(query) in self._asked or self._cancelled():
            return
        self._asked.add(_key(query))
        event, documents = self._again(query) or self._now(query)
        reports = self.collection.take(documents, event.reports)
        problem = "" if self._document_sink is None else self._document_sink.keep(event.query, documents)
        if problem and problem not in event.notes:
            event = replace(event, notes=(*event.notes, problem))
        self._done.append(replace(event, reports=reports))

    def drain(self, hop: int) -> list[SourcesSearched]:
        """Return what was asked since the last call, as events of `hop`."""
        done, self._done = self._done, []
        return [replace(event, hop=hop) for event in done]

    def _again(self, query: str) -> tuple[SourcesSearched, tuple[Document, ...]] | None:
        """Return what the previous run got; None if it did not ask, was stopped meanwhile, or did not store it."""
        event = self._past.get(_key(query))
        if event is None or self._document_sink is None:
            return None
        if any(STOPPED in (report.error or "") for report in event.reports):
            return None
        documents = self._document_sink.before(event.query)
        return None if documents is None else (event, tuple(documents))

    def _now(self, query: str) -> tuple[SourcesSearched, tuple[Document, ...]]:
        """Ask those sources that may be asked."""
        left = self._seconds_left()
        seconds = LONGEST_SECONDS if left is None else min(LONGEST_SECONDS, _SHARE_OF_TIME * left)
        refused = {name: why for name in self.names if (why := self._refusal(name, seconds))}
        asked, unusable = self._made([name for name in self.names if name not in refused])
        refused |= unusable
        if isinstance(self._access, AdaqError) or not asked:
            gathered = Gathered((), ())
        else:
            gathered = gather(
                query,
                asked,
                self._access.web,
                limit=_PER_QUERY,
                seconds=seconds,
                queries=self._access.queries,
                cancelled=self._cancelled,
            )
        self._count(gathered.reports)
        by_name = {report.name: report for report in gathered.reports}
        reports = tuple(by_name.get(name) or SourceReport(name, error=refused.get(name)) for name in self.names)
        documents, cut = _trimmed(gathered.documents)
        return SourcesSearched(0, query, reports, (*gathered.notes, *cut)), documents

    def _refusal(self, name: str, seconds: float) -> str:
        """Return why a source is not asked now; "" if it is."""
        if self._failed[name] >= _MOST_FAILURES:
            return f"{self._errors[name]} (failed twice in a row: not asked again in this run)"
        return "not asked: no time was left" if seconds < _SHORTEST_SECONDS else ""

    def _made(self, names: Sequence[str]) -> tuple[list[Source], dict[str, str]]:
        """Return the sources, and those that cannot be made, with why."""
        if isinstance(self._access, AdaqError):
            return [], dict.fromkeys(names, str(self._access))
        made = list[Source]()
        unusable = dict[str, str]()
        for name in names:
            try:
                made.append(source(name, self._access.settings))
            except AdaqError as error:
                unusable[name] = str(error)
        return made, unusable

    def _count(self, reports: Sequence[SourceReport]) -> None:
        for report in reports:
            self._failed[report.name] = self._failed[report.name] + 1 if report.error else 0
            before, error = self._errors.get(report.name, ""), report.error or ""
            # That a host is left alone for a while quotes why, which is all that there is to tell.
            self._errors[report.name] = before if before and before in error else error


def _key(query: str) -> tuple[str, ...]:
    return tuple(tokens(query)) or (query,)


def _trimmed(documents: Sequence[Document]) -> tuple[tuple[Document, ...], tuple[str, ...]]:
    """Return the documents cut to 400,000 characters, and which of them were longer."""
    long = [document.title for document in documents if len(document.text) > LONGEST_TEXT]
    notes = tuple(f"only the first {LONGEST_TEXT:,} characters of {title!r} were taken" for title in long)
    return tuple(replace(document, text=document.text[:LONGEST_TEXT]) for document in documents), notes


class TextSimilarity:
    """Cosines by the embedder of a corpus, for texts that are not in it; each text is encoded once."""

    def __init__(self, corpus: PassageVectors) -> None:
        self._corpus = corpus
        self._known: dict[str, Vectors] = {}

    def __call__(self, query: str, texts: Sequence[str]) -> list[float]:
        """The cosine of `query` and each text."""
        new = list(dict.fromkeys(text for text in texts if text not in self._known))
        if new:
            self._known.update(zip(new, self._corpus.embedder.encode(new), strict=True))
        asked = self._corpus.encode_queries([query])[0]
        return [float(self._known[text] @ asked) for text in texts]


_CANDIDATES = 30


def joined(corpus: Corpus, live: Live) -> Corpus:
    """Return a corpus whose search also asks the live sources of a run."""
    return cast("Corpus", JoinedIndex(corpus, live))


class JoinedIndex:
    """The same corpus port over a corpus and what the live sources brought; what is not said here, the corpus says."""

    also = " + live sources"
    is_stored = False

    def __init__(self, corpus: Corpus, live: Live) -> None:
        self.stored, self.live = corpus, live

    def __getattr__(self, name: str) -> Any:
        """All else is the corpus's own."""
        return getattr(self.__dict__["stored"], name)

    def passage(self, passage_id: str) -> Passage:
        """The passage with this id, of the corpus or fetched; CorpusError when there is none."""
        if passage_id in self.live.collection:
            return self.live.collection.passage(passage_id)
        return self.stored.passage(passage_id)

    def search(self, query: str, *, top_k: int = 10) -> list[ScoredPassage]:
        """At most `top_k` passages of both, best first, ties by id; the live sources are asked for `query` first."""
        self.live.ask(query)
        result = self.live.collection.retrieve(query, top_k=max(top_k, _CANDIDATES))
        fetched = [ScoredPassage(hit.passage, score_of(query, hit.passage, self.stored), hit.rank) for hit in result]
        return _merged(self.stored.search(query, top_k=top_k), fetched, top_k)


class JoinedVectors:
    """The vectors of a corpus, and those of fetched passages as they are needed."""

    def __init__(self, corpus: PassageVectors, live: Live, compare: Similarity) -> None:
        self.corpus, self.live = corpus, live
        self.embedder = corpus.embedder
        self._compare = compare

    def search(self, query: str, top_k: int) -> list[ScoredPassage]:
        """The `top_k` passages nearest to `query`; of the fetched ones those that its words bring near the top."""
        self.live.ask(query)
        result = self.live.collection.retrieve(query, top_k=max(top_k, _CANDIDATES))
        cosines = self._compare(query, [embedded_text(hit.passage) for hit in result])
        fetched = best_first((float(cosine), hit.passage) for hit, cosine in zip(result, cosines, strict=True))
        return _merged(self.corpus.search(query, top_k), fetched, top_k)

    def encode_queries(self, queries: Sequence[str]) -> Vectors:
        """One unit row per query, remembered."""
        return self.corpus.encode_queries(queries)

    def similarity(self, query: str, passage_ids: Sequence[str]) -> Vectors:
        """The cosine of `query` and each passage."""
        there = [passage_id for passage_id in passage_ids if passage_id in self.live.collection]
        texts = [embedded_text(self.live.collection.passage(passage_id)) for passage_id in there]
        known = dict(zip(there, self._compare(query, texts), strict=True))
        rest = [passage_id for passage_id in passage_ids if passage_id not in known]
        if rest:
            known.update(zip(rest, self.corpus.similarity(query, rest), strict=True))
        return np.array([known[passage_id] for passage_id in passage_ids], dtype=np.float32)


def _merged(here: Sequence[ScoredPassage], there: Sequence[ScoredPassage], top_k: int) -> list[ScoredPassage]:
    return best_first((hit.score, hit.passage) for hit in (*here, *there))[: max(top_k, 0)]
