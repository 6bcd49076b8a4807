"""Milvus behind the corpus port: a server, a cluster, or the engine in a file (milvus-lite); nothing is loaded unasked.

A corpus is two collections: passages by place (words as sparse vectors of our own BM25 weights, or as the engine's BM25
function counts them; a dense vector where the corpus has them; terms, names and links as arrays, and once more in one
text, which is what is fetched), and entries by key (what is known of a term, a name, an acronym; the cards of filings).
A third says which corpora are complete.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adaq_core.errors import CorpusError, InputError
from adaq_core.home import setting
from adaq_core.model import CorpusCard
from adaq_core.retrieval.fetched import FetchedCorpus
from adaq_core.retrieval.fetched_rows import About, Brought, Near, Row, Search, Step, Vector, Wanted, as_words

if TYPE_CHECKING:
    from pymilvus import MilvusClient

SCHEME = re.compile(r"milvus(\+tls)?:")
TOKEN = "ADAQ_MILVUS_TOKEN"
CORPORA = "adaq_corpora"
TIMEOUT = 60.0  # seconds for an answer
CONNECT = 10.0  # seconds
LOAD = 3_600.0  # seconds until a corpus can be searched: half a million passages in a file took 300
# pymilvus asks every ten seconds whether the server is there, which milvus-lite takes for an attack: it hung up on a
# client that had asked nothing for half a minute ("Too many pings").
PINGS = {"grpc.keepalive_time_ms": 300_000, "grpc.keepalive_permit_without_calls": False}
AT_ONCE, KEYS_AT_ONCE = 2_000, 4_000
ROW_FIELDS = ("place", "passage_id", "record", "row", "steps")
FORMAT = 4  # of the rows and their terms; those of another one are refused


@dataclass(frozen=True, slots=True)
class Address:
    """Where a corpus is: a server or a file, and the name of the corpus there ("" for the only one)."""

    given: str
    uri: str
    corpus: str = ""

    @classmethod
    def read(cls, given: str) -> Address:
        """The address in `milvus://host:19530/corpus` or `milvus:path.db#corpus`; InputError says what is wrong."""
        scheme = SCHEME.match(given)
        rest = given[scheme.end() :] if scheme else ""
        if scheme and rest.startswith("//"):
            return cls(given, *_server(given, rest.removeprefix("//"), tls=bool(scheme[1])))
        path, _, corpus = rest.partition("#")
        if not scheme or scheme[1] or not path.endswith(".db"):
            raise InputError(
                f"Expected milvus://HOST:19530/CORPUS or milvus:FILE.db, optionally with #CORPUS, got {given!r}."
            )
        return cls(given, str(Path(path).expanduser()), corpus)

    @property
    def is_file(self) -> bool:
        """Whether it is the engine in a file."""
        return not self.uri.startswith("http")


def _server(given: str, rest: str, *, tls: bool) -> tuple[str, str]:
    host, _, corpus = rest.partition("/")
    if "@" in host:
        raise InputError(f"Expected no user or password in the address of a corpus; put them into {TOKEN}.")
    if not re.fullmatch(r"[\w.-]+(:\d{1,5})?|\[[0-9a-fA-F:]+\](:\d{1,5})?", host):
        raise InputError(f"Expected milvus://HOST:19530/CORPUS, got {given!r}.")
    port = "" if re.search(r":\d+$", host) else ":19530"
    return f"{'https' if tls else 'http'}://{host}{port}", corpus


def is_address(given: str) -> bool:
    """Whether the name of a corpus is the address of one in Milvus."""
    return SCHEME.match(given) is not None


@contextmanager
def in_words_of(address: Address) -> Iterator[None]:
    """Say what went wrong with the engine in words of ADAQ."""
    from grpc import RpcError
    from pymilvus import MilvusException

    try:
        yield
    except (MilvusException, RpcError, OSError, ConnectionError) as error:
        what = "file" if address.is_file else "server"
        whole = str(getattr(error, "message", "") or error)
        reason = " ".join(whole.split())[:300]
        raise CorpusError(
            f"the Milvus {what} at {address.uri} did not do what was asked ({reason}); check that it is there and runs"
        ) from error


def connect(address: Address, *, new: bool = False) -> MilvusClient:
    """A client; CorpusError where the package, the file or the server is missing. A `new` file may be made."""
    try:
        from pymilvus import MilvusClient

        if address.is_file:
            import milvus_lite  # noqa: F401  # pymilvus' own message names a package without a version
    except ImportError as error:
        raise CorpusError(f"{error.name} is not installed; `pip install .[milvus]` brings it") from error
    if address.is_file and not new and not Path(address.uri).exists():
        raise CorpusError(f"there is no file {address.uri}; `index copy NAME --to {address.given}` makes it")
    logging.getLogger("grpc._server").setLevel(logging.CRITICAL)  # milvus-lite has no clock to ask, and says so
    with in_words_of(address):
        return MilvusClient(address.uri, token=setting(TOKEN), timeout=CONNECT, grpc_options=PINGS)


class MilvusEngine:
    """The rows of one corpus, asked by several requests at a time. `requests` counts them."""

    def __init__(self, client: MilvusClient, address: Address, entry: dict[str, Any]) -> None:
        self.requests = 0
        self._client, self._address = client, address
        self._passages, self._entries = entry["passages"], entry["entries"]
        self._counts_words = bool(entry["about"].get("counts_words"))

    @cached_property
    def _threads(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(8, thread_name_prefix="adaq-milvus")

    def bring(self, wanted: Wanted) -> Brought:
        """All that is wanted, by requests that do not wait for each other."""
        brought = Brought(
            searches=[[] for _ in wanted.searches],
            near=[[] for _ in wanted.near],
            holding=[[] for _ in wanted.holding],
        )
        requests = self._searches(wanted, brought) + self._gets(wanted, brought)
        requests += self._questions(wanted, brought)
        self.requests += len(requests)
        with in_words_of(self._address):
            list(self._threads.map(lambda request: request(), requests))
        brought.rows.sort(key=lambda row: row.place)
        return brought

    def _searches(self, wanted: Wanted, brought: Brought) -> list[Callable[[], None]]:
        fields = _fields(wanted)
        groups: dict[tuple[int, ...], list[tuple[int, Search]]] = {}
        for number, search in enumerate(wanted.searches):
            groups.setdefault(search.marks, []).append((number, search))
        requests: list[Callable[[], None]] = []
        requests += [partial(self._search, group, fields, brought) for group in groups.values()]
        if wanted.near:
            requests.append(partial(self._near, wanted.near, fields, brought))
        return requests

    def _search(self, group: Sequence[tuple[int, Search]], fields: Sequence[str], brought: Brought) -> None:
        """Search for several vectors of words in one request: milvus-lite goes over all passages once for each."""
        marks = group[0][1].marks
        condition = f"ARRAY_CONTAINS_ANY(marks, {list(marks)})" if marks else ""
        data = [self._asked(search.vector) for _, search in group]
        most = max(search.limit for _, search in group)
        results = self._found("words", data, most, fields, condition)
        for (number, search), hits in zip(group, results, strict=True):
            kept = hits[: search.limit]
            brought.searches[number] = [(hit["place"], float(hit["distance"])) for hit in kept]
            brought.rows += [Row.read(hit["entity"]) for hit in kept]

    def _asked(self, vector: Vector) -> dict[int, float] | str:
        """The words of a search as the engine takes them: with their weights, or as a text where it counts itself."""
        if not self._counts_words:
            return dict(vector)
        return as_words(number for number, weight in vector for _ in range(max(1, round(weight))))

    def _near(self, near: Sequence[Near], fields: Sequence[str], brought: Brought) -> None:
        data = [list(each.vector) for each in near]
        most = max(each.limit for each in near)
        results = self._found("vector", data, most, fields, "")
        for number, hits in enumerate(results):
            kept = hits[: near[number].limit]
            brought.near[number] = [hit["place"] for hit in kept]
            brought.rows += [Row.read(hit["entity"]) for hit in kept]

    def _found(self, field: str, data: list[Any], limit: int, fields: Sequence[str], condition: str) -> Any:
        metric = "BM25" if field == "words" and self._counts_words else "IP"
        return self._client.search(
            self._passages,
            data=data,
            anns_field=field,
            limit=limit,
            filter=condition,
            output_fields=list(fields),
            search_params={"metric_type": metric},
            timeout=TIMEOUT,
        )

    def _gets(self, wanted: Wanted, brought: Brought) -> list[Callable[[], None]]:
        places = sorted(wanted.places)
        parts: list[Callable[[], None]] = []
        parts += [partial(self._rows, part, _fields(wanted), brought) for part in _cut(places, AT_ONCE)]
        parts += [partial(self._steps, part, brought) for part in _cut(sorted(wanted.steps), AT_ONCE)]
        parts += [partial(self._texts, part, brought) for part in _cut(sorted(wanted.texts), AT_ONCE)]
        parts += [partial(self._keys, part, brought) for part in _cut(sorted(wanted.keys), KEYS_AT_ONCE)]
        return parts

    def _get(self, collection: str, ids: Sequence[Any], fields: Sequence[str]) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = self._client.get(
            collection, ids=list(ids), output_fields=list(fields), timeout=TIMEOUT
        )
        return rows

    def _rows(self, places: Sequence[int], fields: Sequence[str], brought: Brought) -> None:
        brought.rows += map(Row.read, self._get(self._passages, places, fields))

    def _steps(self, places: Sequence[int], brought: Brought) -> None:
        rows = self._get(self._passages, places, ("place", "steps"))
        brought.steps.update({row["place"]: Step.read(row["steps"]) for row in rows})

    def _texts(self, places: Sequence[int], brought: Brought) -> None:
        rows = self._get(self._passages, places, ("place", "record"))
        brought.texts.update({row["place"]: row["record"] for row in rows})

    def _keys(self, keys: Sequence[str], brought: Brought) -> None:
        rows = self._get(self._entries, keys, ("key", "entry"))
        brought.entries.update({row["key"]: json.loads(row["entry"]) for row in rows})

    def _questions(self, wanted: Wanted, brought: Brought) -> list[Callable[[], None]]:
        questions: list[Callable[[], None]] = []
        if wanted.ids:
            questions.append(partial(self._named, wanted.ids, _fields(wanted), brought))
        for number, terms in enumerate(wanted.holding):
            questions.append(partial(self._holding, number, terms, wanted.most_holding, brought))
        return questions

    def _named(self, ids: Iterable[str], fields: Sequence[str], brought: Brought) -> None:
        chosen = json.dumps(sorted(ids), ensure_ascii=False)
        rows = self._client.query(
            self._passages, filter=f"passage_id in {chosen}", output_fields=list(fields), timeout=TIMEOUT
        )
        brought.rows += map(Row.read, rows)

    def _holding(self, number: int, terms: Sequence[int], most: int, brought: Brought) -> None:
        condition = f"ARRAY_CONTAINS_ALL(terms, {list(terms)})"
        rows = self._client.query(
            self._passages, filter=condition, output_fields=["place"], limit=most, timeout=TIMEOUT
        )
        brought.holding[number] = [row["place"] for row in rows]


def _cut(values: Sequence[Any], size: int) -> list[Sequence[Any]]:
    return [values[start : start + size] for start in range(0, len(values), size)]


def _fields(wanted: Wanted) -> Sequence[str]:
    return (*ROW_FIELDS, "vector") if wanted.with_vectors else ROW_FIELDS


def corpora(client: MilvusClient, address: Address) -> dict[str, dict[str, Any]]:
    """The complete corpora there, by name, as they were entered."""
    with in_words_of(address):
        if not client.has_collection(CORPORA, timeout=CONNECT):
            return {}
        client.load_collection(CORPORA, timeout=LOAD)
        rows = client.query(CORPORA, filter='key != ""', output_fields=["key", "entry"], timeout=TIMEOUT)
    return {row["key"]: json.loads(row["entry"]) for row in rows}


def open_corpus(given: str) -> FetchedCorpus:
    """The corpus at an address; CorpusError where there is none, or several and none is named."""
    address = Address.read(given)
    client = connect(address)
    there = corpora(client, address)
    names = ", ".join(sorted(there)) or "none"
    if not address.corpus and len(there) != 1:
        raise CorpusError(f"expected one corpus at {address.given}, found: {names}; name one, as in {_named(address)}")
    entry = there.get(address.corpus or next(iter(there)))
    if entry is None:
        raise CorpusError(f"there is no corpus {address.corpus!r} at {address.uri}; known: {names}")
    if entry.get("format") != FORMAT:
        raise CorpusError(f"the corpus at {address.given} was copied by another version of ADAQ; copy it again")
    with in_words_of(address):
        for collection in (entry["passages"], entry["entries"]):
            client.load_collection(collection, timeout=LOAD)
    about = _about(entry["about"])
    card = replace(about.card, name=given)  # a run that goes on opens the corpus by this name
    return FetchedCorpus(MilvusEngine(client, address, entry), replace(about, card=card))


def _named(address: Address) -> str:
    return f"{address.given}#CORPUS" if address.is_file else f"{address.given.rstrip('/')}/CORPUS"


def _about(raw: dict[str, Any]) -> About:
    values = {facet: tuple(known) for facet, known in raw["values"].items()}
    return About(**{**raw, "card": CorpusCard(**raw["card"]), "values": values})
