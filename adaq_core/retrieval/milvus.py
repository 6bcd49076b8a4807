"""Milvus behind the corpus port: a server, a cluster, or the engine in a file (milvus-lite); nothing is loaded unasked.

A corpus is two collections: passages by place (words as sparse vectors of our own BM25 weights, or as the engine's BM25
function counts them; a dense vector where the corpus has them; terms, names and links as arrays, and once more in one
text, which is what is fetched), and entries by key (what is known of a term, a name, an acronym; the cards of filings).
A third says which corpora are complete.

An indexed corpus is copied there in batches, each of which may come twice, so that a broken copy goes on. It is entered
as complete when all of it is there; until then the version before answers.
"""

from __future__ import annotations

import json
import logging
import re
import zlib
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from functools import cached_property, partial
from itertools import groupby, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from adaq_core.errors import CorpusError, InputError
from adaq_core.home import setting
from adaq_core.model import CorpusCard, Passage
from adaq_core.retrieval import DAY, Links
from adaq_core.retrieval.dense import PassageVectors, Progress
from adaq_core.retrieval.fetched import FetchedCorpus
from adaq_core.retrieval.fetching import (
    About,
    Brought,
    Near,
    Row,
    Search,
    Step,
    Vector,
    Wanted,
    as_words,
    mark,
    packed,
    term_number,
)
from adaq_core.retrieval.index import PassageIndex
from adaq_core.retrieval.lexical import K1, KIN_LETTERS, B, has_kin, idf, length_norm, weight

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


Rows = Iterator[dict[str, Any]]

PASSAGES_AT_ONCE, ENTRIES_AT_ONCE = 500, 4_000
MOST_IN_ARRAY = 4_096  # the engine's own limit
LONGEST_TEXT = 65_535  # bytes of one field, likewise
FIRST_HOLDERS = 20  # passages kept with each term
MOST_COUNTED = 500  # values of a facet that a term is counted by
NO_TERM = 0xFFFFFFFD  # stands in a passage without terms, for a sparse vector may not be empty
KEYWORDS = ("passage_id", "marks", "terms", "names")
_PART = 40_000  # characters of a part, below LONGEST_TEXT
_PROGRESS = "progress"


def copy(
    index: PassageIndex,
    given: str,
    *,
    vectors: PassageVectors | None = None,
    counts_words: bool = False,
    progress: Progress | None = None,
) -> About:
    """Copy `index` to the address, from where an earlier copy of the same version broke off; what is there then.

    The `vectors` of all its passages go with it. With `counts_words` the engine finds passages by its own BM25
    function, over our terms; what it found is scored by our weights all the same.
    """
    address = Address.read(given)
    client = connect(address, new=True)
    name = address.corpus or index.card.name
    about = _about_copy(index, name, vectors, counts_words=counts_words)
    entry = _collections(about)
    with in_words_of(address):
        check_version(version := _version(client), counts_words=counts_words)
        _make_collections(client, entry, vectors, lite="lite" in version, counts_words=counts_words)
        _copy_all(client, index, entry, vectors, counts_words=counts_words, progress=progress)
        before = corpora(client, address).get(name, {})
        whole = {**entry, "format": FORMAT, "about": asdict(about)}
        client.upsert(CORPORA, [_entry(name, whole)], timeout=TIMEOUT)
        client.flush(CORPORA, timeout=TIMEOUT)
        for kind in entry:
            if before and before[kind] != entry[kind]:
                client.drop_collection(before[kind], timeout=TIMEOUT)
    return about


def _collections(about: About) -> dict[str, str]:
    """The names of the collections: another version, format or embedder has others."""
    stem = re.sub(r"[^A-Za-z0-9]", "_", f"adaq{FORMAT}_{about.card.name}_{about.card.version}_{about.vectors}")
    stem += "_own" if about.counts_words else ""
    return {"passages": f"{stem}_passages", "entries": f"{stem}_entries"}


def _make_collections(
    client: MilvusClient, entry: dict[str, str], vectors: PassageVectors | None, *, lite: bool, counts_words: bool
) -> None:
    for name in (CORPORA, entry["entries"]):
        if not client.has_collection(name, timeout=TIMEOUT):
            _make_entries(client, name)
    if not client.has_collection(entry["passages"], timeout=TIMEOUT):
        dimension = vectors.embedder.dimension if vectors else 0
        _make_passages(client, entry["passages"], dimension=dimension, lite=lite, counts_words=counts_words)
    for name in (CORPORA, *entry.values()):
        client.load_collection(name, timeout=LOAD)


def _version(client: MilvusClient) -> str:
    """What the engine says it is; milvus-lite before version 3 says nothing, and other engines do."""
    from grpc import RpcError

    logging.getLogger("pymilvus.decorators").setLevel(logging.CRITICAL)
    try:
        return str(client.get_server_version(timeout=TIMEOUT)).lower()
    except RpcError:
        return "lite"


def check_version(version: str, *, counts_words: bool) -> None:
    """Refuse an engine that is too old: before 2.4 there are no sparse vectors, before 2.5 no BM25 function."""
    numbers = re.search(r"(?<!\d)(\d+)\.(\d+)", version)
    least = (2, 5) if counts_words else (2, 4)
    if numbers and (int(numbers[1]), int(numbers[2])) < least:
        raise CorpusError(
            f"expected Milvus {least[0]}.{least[1]} or later, found {version}: it cannot search by words; "
            "use a newer server, or a file (milvus:NAME.db)"
        )


def _make_entries(client: MilvusClient, name: str) -> None:
    from pymilvus import DataType

    schema = client.create_schema(auto_id=False, enable_dynamic_field=False)
    schema.add_field("key", DataType.VARCHAR, is_primary=True, max_length=1024)
    schema.add_field("entry", DataType.VARCHAR, max_length=LONGEST_TEXT)
    schema.add_field("none", DataType.FLOAT_VECTOR, dim=2)  # every collection must have a vector
    indexes = client.prepare_index_params()
    indexes.add_index("none", index_type="FLAT", metric_type="L2")
    _make(client, name, schema, indexes)


def _make_passages(client: MilvusClient, name: str, *, dimension: int, lite: bool, counts_words: bool) -> None:
    """Make the collection of passages; `lite` has no index of arrays."""
    from pymilvus import DataType

    schema = client.create_schema(auto_id=False, enable_dynamic_field=False)
    schema.add_field("place", DataType.INT64, is_primary=True)
    schema.add_field("passage_id", DataType.VARCHAR, max_length=4_096)
    for field in ("record", "row", "steps"):
        schema.add_field(field, DataType.VARCHAR, max_length=LONGEST_TEXT)
    schema.add_field("words", DataType.SPARSE_FLOAT_VECTOR)
    for field in ("marks", "terms", "names", "links", "back"):
        schema.add_field(field, DataType.ARRAY, element_type=DataType.INT64, max_capacity=MOST_IN_ARRAY)
    indexes = client.prepare_index_params()
    if counts_words:
        _count_words(schema, indexes)
    else:
        indexes.add_index("words", index_type="SPARSE_INVERTED_INDEX", metric_type="IP")
    if dimension:
        schema.add_field("vector", DataType.FLOAT_VECTOR, dim=dimension)
        indexes.add_index("vector", index_type="FLAT" if lite else "AUTOINDEX", metric_type="IP")
    for field in ("passage_id",) if lite else KEYWORDS:
        indexes.add_index(field, index_type="INVERTED")
    _make(client, name, schema, indexes)


def _make(client: MilvusClient, name: str, schema: Any, indexes: Any) -> None:
    """Make an empty collection with its indexes; to wait for those of nothing takes the client half a second each."""
    client.create_collection(name, schema=schema, timeout=TIMEOUT)
    client.create_index(name, indexes, timeout=TIMEOUT, sync=False)


def _count_words(schema: Any, indexes: Any) -> None:
    """Have the engine make the field of words from a text of them, by its BM25 function."""
    from pymilvus import DataType, Function, FunctionType

    plain = {"tokenizer": "standard"}
    schema.add_field("said", DataType.VARCHAR, max_length=LONGEST_TEXT, enable_analyzer=True, analyzer_params=plain)
    own = Function("bm25", FunctionType.BM25, input_field_names=["said"], output_field_names=["words"])
    schema.add_function(own)
    parameters = {"bm25_k1": K1, "bm25_b": B}
    indexes.add_index("words", index_type="SPARSE_INVERTED_INDEX", metric_type="BM25", params=parameters)


def _copy_all(
    client: MilvusClient,
    index: PassageIndex,
    entry: dict[str, str],
    vectors: PassageVectors | None,
    *,
    counts_words: bool,
    progress: Progress | None,
) -> None:
    """Send the batches after the last one that was noted."""
    noted = client.get(entry["entries"], ids=[_PROGRESS], output_fields=["entry"], timeout=TIMEOUT)
    done = json.loads(noted[0]["entry"]) if noted else 0
    total = index.size
    weights = _Weights(index)
    starts = range(0, index.size, PASSAGES_AT_ONCE)
    for number, start in enumerate(starts):
        if number < done:
            continue
        rows = list(_passages(index, start, weights, vectors, counts_words=counts_words))
        client.upsert(entry["passages"], rows, timeout=TIMEOUT)
        _note(client, entry["entries"], number + 1)
        if progress is not None:
            progress(min(start + PASSAGES_AT_ONCE, total), total, "passages copied")
    for number, batch in enumerate(_batches(_entries(index)), start=len(starts)):
        if number >= done:
            client.upsert(entry["entries"], batch, timeout=TIMEOUT)
            _note(client, entry["entries"], number + 1)
    for collection in entry.values():
        client.flush(collection, timeout=TIMEOUT)


def _note(client: MilvusClient, entries: str, done: int) -> None:
    client.upsert(entries, [_entry(_PROGRESS, done)], timeout=TIMEOUT)


def _batches(rows: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    left = iter(rows)
    while batch := list(islice(left, ENTRIES_AT_ONCE)):
        yield batch


def _entry(key: str, entry: Any) -> dict[str, Any]:
    text = json.dumps(entry, ensure_ascii=False, separators=(",", ":"))
    return {"key": key[:1024], "entry": text, "none": [0.0, 0.0]}


# Passages


def _passages(
    index: PassageIndex, start: int, weights: _Weights, vectors: PassageVectors | None, *, counts_words: bool
) -> Rows:
    places = np.arange(start, min(start + PASSAGES_AT_ONCE, index.size))
    passages = index.fetch(places)
    documents = index.documents_of(places)
    mentions = index.mentions(places)
    out, back = index.links(places), index.linked_from(places)
    about, naming = _about_documents(index, documents), index.naming(places)
    dense = vectors.of(places) if vectors else None
    for row, (place, passage) in enumerate(zip(places.tolist(), passages, strict=True)):
        own = slice(int(mentions.starts[row]), int(mentions.starts[row + 1]))
        names, sentences = mentions.names[own][:MOST_IN_ARRAY], mentions.sentences[own][:MOST_IN_ARRAY]
        terms, pieces = _terms(index, place)
        record = json.dumps(asdict(passage), ensure_ascii=False)
        if len(record.encode()) > LONGEST_TEXT or len(terms) > MOST_IN_ARRAY:
            raise _too_long(passage)
        words, own_terms = weights.of(terms), weights.numbers[terms]
        numbered = as_words(own_terms.tolist() or [NO_TERM]) if counts_words else ""
        if len(numbered) > LONGEST_TEXT:
            raise _too_long(passage)
        head = [int(documents[row]), int(naming[row]), *about[row]]
        values = [words[number] for number in sorted(words)] if len(terms) else []
        yield {
            "place": place,
            "passage_id": passage.passage_id,
            "record": record,
            "row": packed(Row.KINDS, [head, own_terms, pieces, names, sentences, values]),
            "steps": _packed_steps([*_of(out, row), *_of(back, row)]),
            **({"said": numbered} if counts_words else {"words": words}),
            "marks": [mark(number, code) for number, code in enumerate(about[row][4:]) if code >= 0],
            "terms": np.unique(own_terms).tolist(),
            "names": np.unique(names).tolist(),
            "links": _of(out, row)[0],
            "back": _of(back, row)[0],
            **({} if dense is None else {"vector": dense[row].tolist()}),
        }


def _too_long(passage: Passage) -> CorpusError:
    return CorpusError(f"passage {passage.passage_id!r} is too long for Milvus: 65,535 bytes and 4,096 words")


def _of(links: Links, row: int) -> tuple[list[int], list[float]]:
    """The strongest links of a passage, as many as fit."""
    start = int(links.starts[row])
    end = min(int(links.starts[row + 1]), start + MOST_IN_ARRAY)
    return links.places[start:end].tolist(), links.weights[start:end].tolist()


def _packed_steps(steps: list[Any]) -> str:
    """Where a passage leads as one text, with fewer of the weaker links where all would be too long for a field."""
    most = MOST_IN_ARRAY
    while len(text := packed(Step.KINDS, [part[:most] for part in steps])) > LONGEST_TEXT:
        most //= 2
    return text


def _about_documents(index: PassageIndex, documents: NDArray[np.int32]) -> list[list[int]]:
    """First place, size, work, size of the work, day and codes of each document."""
    works = index.works_of(documents)
    facets = (DAY, *sorted(index.facets.values))
    columns: list[NDArray[Any]] = [
        index.firsts_of(documents),
        index.sizes_of(documents),
        works,
        np.array([index.work_size(int(work)) for work in works]),
        *(index.codes_of(facet, documents) for facet in facets),
    ]
    rows: list[list[int]] = np.stack([column.astype(np.int64) for column in columns], axis=1).tolist()
    return rows


def _terms(index: PassageIndex, place: int) -> tuple[NDArray[np.int32], list[int]]:
    """The terms of a passage in order, and how many each of its pieces has."""
    forward = index.forward
    bounds = forward.pieces[forward.passages[place] : forward.passages[place + 1] + 1]
    return forward.terms[bounds[0] : bounds[-1]], np.diff(bounds).tolist()


class _Weights:
    """The BM25 weights of the terms of passages, as the lexical index computes them."""

    def __init__(self, index: PassageIndex) -> None:
        self.numbers = np.fromiter(map(term_number, index.lexical.vocabulary), dtype=np.int64)
        self._idf = idf(index.size, np.diff(index.lexical.starts))
        self._mean_length = max(index.mean_length, 1e-9)

    def of(self, terms: NDArray[np.int32]) -> dict[int, float]:
        """The weight of each term of a passage, by its number."""
        distinct, counts = np.unique(terms, return_counts=True)
        weights = weight(self._idf[distinct], counts, length_norm(len(terms), self._mean_length))
        numbers = self.numbers[distinct].tolist()
        by_number = zip(numbers, weights.astype(np.float32).tolist(), strict=True)
        return dict(by_number) or {NO_TERM: 1e-6}


# Entries


def _entries(index: PassageIndex) -> Rows:
    """What is known of terms, beginnings, names, acronyms, and letters in a row."""
    yield from _term_entries(index)
    words = sorted(term for term in index.lexical.vocabulary if has_kin(term))
    for beginning, kin in groupby(words, key=lambda term: term[:KIN_LETTERS]):
        yield _entry(f"kin:{beginning}", list(kin))
    yield from _name_entries(index)
    for acronym, long in index.acronyms.items():
        yield _entry(f"acronym:{acronym}", long)
    for number, part in enumerate(_grams(index)):
        yield _entry(f"grams:{number}", part)
    for number, rows in enumerate(_cards(index)):
        yield _entry(f"cards:{number}", rows)


def _term_entries(index: PassageIndex) -> Rows:
    """How many passages hold each term, the first of them, and how many have each value of a facet."""
    lexical = index.lexical
    facets = [facet for facet, values in index.facets.values.items() if len(values) <= MOST_COUNTED]
    for term, number in lexical.vocabulary.items():
        begin = int(lexical.starts[number])
        end = int(lexical.starts[number + 1])
        values = {facet: _counts(index, facet, term) for facet in facets}
        first = lexical.rows[begin : min(end, begin + FIRST_HOLDERS)].tolist()
        yield _entry(f"term:{term}", {"count": end - begin, "first": first, "values": values})


def _counts(index: PassageIndex, facet: str, term: str) -> list[tuple[int, int]]:
    counts = index.value_counts(facet, term)
    there = np.flatnonzero(counts)
    return list(zip(there.tolist(), counts[there].tolist(), strict=True))


def _name_entries(index: PassageIndex) -> Rows:
    """Each name with the documents that it names and who mentions it; by its key where it names any."""
    for number, key in enumerate(index.graph.keys):
        name = index.name(number)
        own = np.array([document for document, _ in name.documents], dtype=np.int64)
        sure = [weight for _, weight in name.documents]
        documents = _extents(index, own, sure)
        if documents:
            yield _entry(f"key:{key}", {"documents": documents})
        holding = np.unique(index.documents_of(name.holders)) if len(name.holders) else own[:0]
        entry = {"key": key, "documents": documents, "count": name.held_by, "holders": name.holders.tolist()}
        yield _entry(f"name:{number}", {**entry, "holding": _extents(index, holding, [1.0] * len(holding))})


def _extents(index: PassageIndex, documents: NDArray[Any], sure: list[float]) -> list[tuple[int, float, int, int]]:
    firsts = index.firsts_of(documents).tolist()
    sizes = index.sizes_of(documents).tolist()
    return list(zip(documents.tolist(), sure, firsts, sizes, strict=True))


def _grams(index: PassageIndex) -> list[str]:
    bits = np.packbits(index.lexical.shared_grams)
    packed = b64encode(zlib.compress(bits.tobytes(), 9)).decode()
    return [packed[start : start + _PART] for start in range(0, len(packed), _PART)]


def _cards(index: PassageIndex) -> list[list[Any]]:
    """The cards of filings in parts that a field holds."""
    parts: list[list[Any]] = []
    left = 0
    for each in index.filed:
        row = [each.document, each.work, each.first, each.size, dict(each.card)]
        length = len(json.dumps(row, ensure_ascii=False).encode())
        if length > left:
            parts.append([])
            left = _PART
        parts[-1].append(row)
        left -= length + 1
    return parts


def _about_copy(index: PassageIndex, name: str, vectors: PassageVectors | None, *, counts_words: bool) -> About:
    card = asdict(index.card) | {"name": name}
    return About(
        card=type(index.card)(**card),
        mean_length=index.mean_length,
        values=dict(index.facets.values),
        counts={facet: index.value_counts(facet).tolist() for facet in index.facets.values},
        of_dated_sources=index.of_dated_sources,
        link_density=index.link_density,
        named_titles=index.named_titles,
        grams=len(_grams(index)),
        cards=len(_cards(index)),
        vectors=vectors.embedder.key if vectors else "",
        counts_words=counts_words,
    )
