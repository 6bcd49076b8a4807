"""All chosen sources at once: searched side by side, pages fetched, repeats dropped; a failure costs only itself."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from adaq_core.corpus.holdings import NearDuplicate
from adaq_core.errors import AdaqError
from adaq_core.home import home
from adaq_core.model import Document, SourceReport, of_fields
from adaq_core.sources import Source, SourceSettings, read_settings
from adaq_core.sources.documents import address_key, completed, distinct, found_by, is_whole, read_page
from adaq_core.sources.guard.replies import MIB
from adaq_core.sources.http import FileCache, Http, Web

STOPPED = "was not waited for: the run was stopped"

_QUERIES_BYTES = 50 * MIB
_LOOK_AGAIN = 0.1
_AT_ONCE = 8

_Page = Document | str


@dataclass(frozen=True, slots=True)
class Gathered:
    """The documents, by source in the order asked and then by rank; a report for each source; the repeats dropped.

    `notes` are remarks that concern no single source.
    """

    documents: tuple[Document, ...]
    reports: tuple[SourceReport, ...]
    repeats: tuple[NearDuplicate, ...] = ()
    notes: tuple[str, ...] = ()


def web_for(settings: SourceSettings) -> Web:
    """Return the web client for the user's settings, with a page cache in the home folder."""
    return Web(
        contact=settings.contact,
        private_places=settings.private_places,
        hide=settings.hidden,
        pages=FileCache(home() / "sources" / "pages", ttl=settings.cache_seconds),
    )


def query_cache(settings: SourceSettings, *, folder: Path | None = None) -> FileCache:
    """Return the cache of searches in `folder`, by default in the home folder."""
    return FileCache((folder or home() / "sources") / "queries", ttl=settings.cache_seconds, most_bytes=_QUERIES_BYTES)


def gather(
    query: str,
    sources: Sequence[Source],
    web: Web,
    *,
    limit: int = 5,
    seconds: float = 25.0,
    queries: FileCache | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Gathered:
    """Ask the `sources` for `query`: at most `limit` documents each, in about `seconds` at most.

    Never raises for a source: what failed is in its report. Snippets become whole documents where their page can be
    read within the time; where not, the snippet stays and a note says why. Once `cancelled`, nothing more is asked and
    what is there comes back.
    """
    work = _Work(query, [_Task(source, web.http(seconds=seconds)) for source in sources], web, limit, queries)
    work.run(seconds=seconds, cancelled=cancelled)
    offered = [work.completed(task, document) for task in work.tasks for document in task.documents]
    documents, repeats = distinct(offered)
    return Gathered(
        tuple(documents),
        tuple(work.report(task, documents) for task in work.tasks),
        repeats,
        tuple(cache.problem for cache in (web.pages, queries) if cache is not None and cache.problem),
    )


@dataclass(slots=True)
class _Task:
    """The work of one source; only the gathering thread writes to it."""

    source: Source
    http: Http
    documents: Sequence[Document] = ()
    error: str | None = None
    cached: bool = False
    ended: float | None = None
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Searched:
    documents: tuple[Document, ...] = ()
    error: str | None = None
    cached: bool = False


class _Work:
    """One gathering: searches and pages in one bounded thread pool."""

    def __init__(self, query: str, tasks: list[_Task], web: Web, limit: int, queries: FileCache | None) -> None:
        self.tasks = tasks
        self._query = query
        self._web = web
        self._limit = limit
        self._queries = queries
        self._began = web.clock()
        self._pages: dict[str, _Page] = {}

    def run(self, *, seconds: float, cancelled: Callable[[], bool]) -> None:
        """Search everywhere, and read each page that is known by a snippet only, until all is done or time is up."""
        pool = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="adaq-source")
        until = self._began + seconds
        owners: dict[Future[Any], tuple[_Task, str | None]] = {
            pool.submit(_searched, task, self._query, self._limit, self._queries): (task, None) for task in self.tasks
        }
        pending, asked = set(owners), set[str]()
        try:
            while pending and (left := until - self._web.clock()) > 0 and not cancelled():
                done, pending = wait(pending, timeout=min(left, _LOOK_AGAIN), return_when=FIRST_COMPLETED)
                for future in done:
                    task, page = owners[future]
                    for url in self._taken(task, page, future):
                        if (key := address_key(url)) not in asked:
                            asked.add(key)
                            reading = pool.submit(_read, url, task.http)
                            owners[reading] = (task, key)
                            pending.add(reading)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            for task in self.tasks:
                task.http.end()
        late = STOPPED if cancelled() else f"did not answer within {seconds:.1f} s; ask again later"
        for task, page in (owners[future] for future in pending):
            if page is None:
                task.error = f"it {late}"

    def _taken(self, task: _Task, page: str | None, future: Future[Any]) -> list[str]:
        """Store what a thread brought; return the addresses of pages to read next."""
        task.ended = self._web.clock()
        if page is not None:
            self._pages[page] = future.result()
            return []
        searched: _Searched = future.result()
        task.documents, task.error, task.cached = searched.documents, searched.error, searched.cached
        return [document.url for document in searched.documents if document.url and not is_whole(document)]

    def completed(self, task: _Task, document: Document) -> Document:
        """Return the document with its page's text; the snippet if the page could not be read."""
        if is_whole(document):
            return document
        page = self._pages.get(address_key(document.url), "its page was not read in time")
        if isinstance(page, Document):
            return completed(document, page)
        task.notes.append(f"only a snippet of {document.title!r}: {page}")
        return document

    def report(self, task: _Task, kept: Sequence[Document]) -> SourceReport:
        """Return what a source did, with every key hidden."""
        count = sum(found_by(document) == task.source.name for document in kept)
        notes = (*task.http.notes, *task.notes, *_repeats(task, count))
        return SourceReport(
            task.source.name,
            requests=task.http.requests,
            documents=count,
            error=None if task.error is None else self._web.hidden(task.error),
            notes=tuple(self._web.hidden(note) for note in notes),
            seconds=round((task.ended or self._web.clock()) - self._began, 3),
            cached=task.cached,
        )


def _repeats(task: _Task, kept: int) -> tuple[str, ...]:
    """Return a note on how much of a source's results was left out as repeats."""
    count = len(task.documents) - kept
    words = "1 document repeats another" if count == 1 else f"{count} documents repeat others"
    return (
        (f"{words}, by address or almost word for word, and {'is' if count == 1 else 'are'} left out",) if count else ()
    )


def _searched(task: _Task, query: str, limit: int, queries: FileCache | None) -> _Searched:
    """Return what a source finds, from the cache while that is fresh; or why it finds nothing."""
    key = json.dumps([repr(task.source), query, limit])
    try:
        kept = queries.get(key) if queries is not None else None
        if kept is not None:
            documents = tuple(of_fields(Document, each) for each in json.loads(kept[1]))
            return _Searched(documents, cached=True)
        results = tuple(task.source.search(query, limit=limit, http=task.http))
    except AdaqError as error:
        return _Searched(error=str(error))
    except Exception as error:  # a source that stumbles over an unexpected reply costs only itself: it is reported
        return _Searched(error=f"its reply could not be read ({type(error).__name__}: {error})")
    if queries is not None and results and not task.http.notes:
        queries.put(key, head={}, body=json.dumps([asdict(document) for document in results]).encode())
    return _Searched(results)


def _read(url: str, http: Http) -> _Page:
    """Return the page, or why it could not be read."""
    try:
        return read_page(url, http)
    except AdaqError as error:
        return str(error)
    except Exception as error:  # whatever a parser throws at a hostile page becomes a note, and the snippet stays
        return f"its page could not be read ({type(error).__name__}: {error})"


@dataclass(frozen=True, slots=True)
class Access:
    """The settings that sources are made from, the web they ask through, and the cache of searches."""

    settings: SourceSettings
    web: Web
    queries: FileCache | None = None


_shared: dict[tuple[Path, frozenset[tuple[str, str]]], Access] = {}
_lock = threading.Lock()


def shared_access() -> Access:
    """Return the access for the settings as they are now; concurrent runs share the pace of each host.

    Raises:
        InputError: a setting is not written as it should be.
    """
    settings = read_settings()
    key = home(), frozenset(settings.values.items())
    with _lock:
        if key not in _shared:
            _shared.clear()
            _shared[key] = Access(settings, web_for(settings), query_cache(settings))
        return _shared[key]
