"""Copying an indexed corpus into Milvus: in batches, each of which may come twice, so that a broken copy goes on.

A corpus is entered as complete when all of it is there; until then the version before answers.
"""

from __future__ import annotations

import json
import logging
import re
import zlib
from base64 import b64encode
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from adaq_core.errors import CorpusError
from adaq_core.model import Passage
from adaq_core.retrieval import DAY, Links
from adaq_core.retrieval.dense import PassageVectors, Progress
from adaq_core.retrieval.fetched_rows import About, Row, Step, as_words, mark, packed, term_number
from adaq_core.retrieval.index import PassageIndex
from adaq_core.retrieval.lexical import K1, KIN_LETTERS, B, has_kin, idf, length_norm, weight
from adaq_core.retrieval.milvus import CORPORA, FORMAT, LOAD, TIMEOUT, Address, connect, corpora, in_words_of

if TYPE_CHECKING:
    from pymilvus import MilvusClient

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
    about = _about(index, name, vectors, counts_words=counts_words)
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


def _about(index: PassageIndex, name: str, vectors: PassageVectors | None, *, counts_words: bool) -> About:
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
