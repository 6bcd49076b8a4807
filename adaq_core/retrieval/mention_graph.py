"""Which passage names which document: titles as a dictionary of names, found in the sentences of all passages.

The links follow HippoRAG's idea (Gutiérrez et al., NeurIPS 2024) that personalised PageRank over a graph of names finds
what lies two steps away, but the nodes are passages and the edges are title mentions: no model extracts them.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from adaq_core.model import Passage
from adaq_core.retrieval import Links, Mentions, NamedSpan, name_forms
from adaq_core.retrieval.facets import load_arrays, ranges, reading, save_arrays, starts_of
from adaq_core.retrieval.name_forms import LOOSE, NameForms, PersonFinder, capitalised, usable
from adaq_core.text.passages import sentences
from adaq_core.text.tokens import STOP_WORDS, spans, stem

_ARRAYS = (
    "document_of", "first_of", "target_starts", "targets", "target_weights",
    "mention_starts", "mention_entities", "mention_sentences", "holder_starts", "holders",
    "edge_rows", "edge_columns", "edge_weights",
)  # fmt: skip
_MIN_HOLDERS, _MAX_HOLDERS = 2, 200
_MAX_NAME_WORDS = 12  # of a name
_MAX_DOCUMENTS = 60  # that a name may lead to
DENSE_ENOUGH = 0.2  # documents that a passage names, on average, where steps along names pay

Ints = NDArray[np.int32]


@dataclass(frozen=True)
class MentionGraph:
    """Entities, the documents they name (`targets`), and the sentences that mention them.

    Entity `e` names the documents `targets[target_starts[e]:target_starts[e + 1]]` (none for a name that only occurs in
    texts) and is held by the passages `holders[holder_starts[e]:…]`. Passage `p` mentions
    `mention_entities[mention_starts[p]:…]` in its sentences `mention_sentences[…]` (from 0).
    """

    keys: tuple[str, ...]
    plain: frozenset[str]
    document_of: Ints
    first_of: Ints
    target_starts: NDArray[np.int64]
    targets: Ints
    target_weights: NDArray[np.float32]
    mention_starts: NDArray[np.int64]
    mention_entities: Ints
    mention_sentences: Ints
    holder_starts: NDArray[np.int64]
    holders: Ints
    edge_rows: Ints
    edge_columns: Ints
    edge_weights: NDArray[np.float32]

    @classmethod
    def build(cls, passages: Sequence[Passage]) -> MentionGraph:
        """Learn the names of all documents and find them, and other recurring names, in all passages."""
        document_of, first_of = _documents(passages)
        forms = name_forms.learn((number, passages[int(first)]) for number, first in enumerate(first_of))
        scanner = _Scanner(forms)
        results = [scanner.scan(passage.text) for passage in passages]
        keys, rows = _number(results, forms)
        _resolve_persons(keys, forms)
        return _assemble(keys, rows, forms, document_of, first_of)

    @cached_property
    def entities(self) -> dict[str, int]:
        """Key → entity number."""
        return {key: number for number, key in enumerate(self.keys)}

    @cached_property
    def name_lengths(self) -> dict[str, tuple[int, ...]]:
        """First word → the lengths in words of the names of documents that begin with it, longest first."""
        return _lengths(key for number, key in enumerate(self.keys) if self.names_document(number))

    def names_document(self, entity: int) -> bool:
        """Whether an entity is the name of at least one document."""
        return bool(self.target_starts[entity + 1] > self.target_starts[entity])

    def documents_named(self, entity: int) -> list[tuple[int, float]]:
        """The documents that an entity names, with how sure that is."""
        begin = self.target_starts[entity]
        end = self.target_starts[entity + 1]
        targets, weights = self.targets[begin:end], self.target_weights[begin:end]
        return list(zip(targets.tolist(), weights.tolist(), strict=True))

    def holders_of(self, entity: int) -> Ints:
        """The passages that mention an entity, ascending."""
        return self.holders[self.holder_starts[entity] : self.holder_starts[entity + 1]]

    def passages_of(self, document: int) -> range:
        """The positions of a document's passages."""
        if document + 1 == len(self.first_of):
            last = len(self.document_of)
        else:
            last = int(self.first_of[document + 1])
        return range(int(self.first_of[document]), last)

    @cached_property
    def _incoming(self) -> NDArray[np.int64]:
        return np.argsort(self.edge_columns, kind="stable")

    def mentions_of(self, places: NDArray[np.int64]) -> Mentions:
        """The names that some passages mention, in reading order."""
        begins = self.mention_starts[places]
        counts = self.mention_starts[places + 1] - begins
        flat = ranges(begins, counts)
        sentences, entities = (
            array[flat].astype(np.int64) for array in (self.mention_sentences, self.mention_entities)
        )
        return Mentions(starts_of(counts), sentences, entities)

    def links_of(self, places: NDArray[np.int64]) -> Links:
        """The passages that each passage names."""
        begins, counts = _equal(self.edge_rows, places)
        flat = ranges(begins, counts)
        return Links(starts_of(counts), self.edge_columns[flat].astype(np.int64), self.edge_weights[flat])

    def linked_from(self, places: NDArray[np.int64]) -> Links:
        """The passages that name each passage that begins a document."""
        begins, counts = _equal(self._columns, places)
        back = self._incoming[ranges(begins, counts)]
        return Links(starts_of(counts), self.edge_rows[back].astype(np.int64), self.edge_weights[back])

    @cached_property
    def _columns(self) -> Ints:
        return self.edge_columns[self._incoming]

    @cached_property
    def density(self) -> float:
        """Mean number of distinct documents that a passage names: whether titles are names at all."""
        return len(self.edge_rows) / max(len(self.document_of), 1)

    @property
    def is_dense(self) -> bool:
        """Whether steps over the graph are worth taking (`density` of at least 0.2)."""
        return self.density >= DENSE_ENOUGH

    @cached_property
    def in_degree(self) -> NDArray[np.float32]:
        """How many passages name the document of each passage."""
        counts = np.bincount(self.edge_columns, minlength=len(self.document_of)).astype(np.float32)
        if len(self.first_of):
            return counts[self.first_of[self.document_of]]
        return counts

    def save(self, folder: Path) -> None:
        """Write the graph into `folder`."""
        save_arrays(self, folder, _ARRAYS)
        names = {"keys": list(self.keys), "plain": sorted(self.plain)}
        (folder / "names.json").write_text(json.dumps(names, ensure_ascii=False), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> MentionGraph:
        """The graph that `save` wrote, its arrays memory-mapped."""
        with reading("a mention graph", folder):
            names = json.loads((folder / "names.json").read_text(encoding="utf-8"))
            arrays = load_arrays(folder, _ARRAYS)
        return cls(keys=tuple(names["keys"]), plain=frozenset(names["plain"]), **arrays)


def _documents(passages: Sequence[Passage]) -> tuple[Ints, Ints]:
    """The document number of each passage, and where each document begins; a document's passages lie together."""
    numbers: dict[str, int] = {}
    of = [numbers.setdefault(passage.document_id, len(numbers)) for passage in passages]
    array = np.array(of, dtype=np.int32)
    first = np.unique(array, return_index=True)[1]
    return array, first.astype(np.int32)


def _lengths(keys: Iterator[str]) -> dict[str, tuple[int, ...]]:
    results: dict[str, set[int]] = {}
    for key in keys:
        parts = key.split(" ")
        if len(parts) <= _MAX_NAME_WORDS:
            results.setdefault(parts[0], set()).add(len(parts))
    return {word: tuple(sorted(sizes, reverse=True)) for word, sizes in results.items()}


class _Scanner:
    """Finds names in a text: the longest known one at each place, and other capitalised spans."""

    def __init__(self, forms: NameForms) -> None:
        self._known = forms.targets
        self._plain = forms.plain
        self._lengths = _lengths(iter(forms.targets))

    def scan(self, text: str) -> list[tuple[int, str]]:
        """(sentence, key) pairs in reading order."""
        starts = [start for start, _ in sentences(text)]
        result = capitalised(text)
        pairs: list[tuple[int, str]] = []
        number = 0
        while number < len(result):
            size = self._match(text, result, number) or self._span(text, result, number)
            if size:
                key = " ".join(word for word, *_ in result[number : number + size])
                pairs.append((bisect_right(starts, result[number][1]) - 1, key))
            number += max(size, 1)
        return pairs

    def _match(self, text: str, words: list[tuple[str, int, int, bool]], at: int) -> int:
        """How many words the longest document name that begins here has; 0 when none does."""
        word, _, _, capital = words[at]
        for size in self._lengths.get(word, ()):
            if at + size > len(words) or (size == 1 and not (capital and _alone(text, words, at))):
                continue
            if size == 1:
                key = word
            else:
                key = " ".join(piece for piece, *_ in words[at : at + size])
            if key not in self._known:
                continue
            capitals = capital and words[at + size - 1][3]
            if size == 1 or capitals or key in self._plain:
                return size
        return 0

    def _span(self, text: str, words: list[tuple[str, int, int, bool]], at: int) -> int:
        """How many words the run of capitalised words that begins here has, up to a known name."""
        if words[at][0] in STOP_WORDS:
            return 0
        size = 0
        while (
            at + size < len(words)
            and words[at + size][3]
            and size < _MAX_NAME_WORDS
            and (size == 0 or _touch(text, words[at + size - 1], words[at + size]))
            and (size == 0 or not self._match(text, words, at + size))
        ):
            size += 1
        word = words[at][0]
        if size == 1 and (not usable(word) or word[0].isdigit()):
            return 0
        return size


def _touch(text: str, left: tuple[str, int, int, bool], right: tuple[str, int, int, bool]) -> bool:
    """Whether only a space, a hyphen or the dot of an initial ("J. Smith") stands between two words."""
    word, _, end, _ = left
    between = text[end : right[1]]
    if between == ". ":
        return len(word) == 1
    return between in (" ", "-")


def _alone(text: str, words: list[tuple[str, int, int, bool]], at: int) -> bool:
    """Whether no other capitalised word stands next to this one: "United" is not in "United States"."""
    for left, right in ((at - 1, at), (at, at + 1)):
        if left < 0 or right == len(words):
            continue
        other = words[left + right - at]
        if other[3] and _touch(text, words[left], words[right]):
            return False
    return True


def _number(mentions: list[list[tuple[int, str]]], forms: NameForms) -> tuple[list[str], list[list[tuple[int, int]]]]:
    """Number the keys that are worth keeping: names of documents, and others held by 2 to 200 passages."""
    counts: Counter[str] = Counter()
    for pairs in mentions:
        counts.update({key for _, key in pairs if key not in forms.targets})
    finder = PersonFinder(forms.persons)
    alias = {key for key in counts if finder.find(key) is not None}
    recurring = {key for key, count in counts.items() if _MIN_HOLDERS <= count <= _MAX_HOLDERS}
    keys = sorted({*forms.targets, *recurring, *alias})
    numbers = {key: number for number, key in enumerate(keys)}
    return keys, [[(s, numbers[key]) for s, key in pairs if key in numbers] for pairs in mentions]


def _resolve_persons(keys: list[str], forms: NameForms) -> None:
    """Let names that are no title stand for the one person they fit."""
    finder = PersonFinder(forms.persons)
    for key in keys:
        if key not in forms.targets and (document := finder.find(key)) is not None:
            forms.add(key, document, LOOSE)


def _assemble(
    keys: list[str], rows: list[list[tuple[int, int]]], forms: NameForms, document_of: Ints, first_of: Ints
) -> MentionGraph:
    named = [sorted(forms.targets.get(key, {}).items()) for key in keys]
    holders: list[list[int]] = [[] for _ in keys]
    for position, pairs in enumerate(rows):
        for entity in {entity for _, entity in pairs}:
            holders[entity].append(position)
    edges = _edges(rows, named, document_of, first_of)
    return MentionGraph(
        keys=tuple(keys),
        plain=frozenset(forms.plain),
        document_of=document_of,
        first_of=first_of,
        target_starts=starts_of([len(row) for row in named]),
        targets=np.array([document for row in named for document, _ in row], dtype=np.int32),
        target_weights=np.array([weight for row in named for _, weight in row], dtype=np.float32),
        mention_starts=starts_of([len(row) for row in rows]),
        mention_entities=np.array([entity for row in rows for _, entity in row], dtype=np.int32),
        mention_sentences=np.array([sentence for row in rows for sentence, _ in row], dtype=np.int32),
        holder_starts=starts_of([len(row) for row in holders]),
        holders=np.array([position for row in holders for position in row], dtype=np.int32),
        edge_rows=np.array([row for row, _ in edges], dtype=np.int32),
        edge_columns=np.array([column for _, column in edges], dtype=np.int32),
        edge_weights=np.array(list(edges.values()), dtype=np.float32),
    )


def _equal(ordered: Ints, places: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where each place begins in `ordered`, and how often it stands there."""
    same = places.astype(ordered.dtype)  # with another type numpy would copy all of `ordered`
    begins = np.searchsorted(ordered, same)
    return begins, np.searchsorted(ordered, same, side="right") - begins


def _edges(
    rows: list[list[tuple[int, int]]], named: list[list[tuple[int, float]]], document_of: Ints, first_of: Ints
) -> dict[tuple[int, int], float]:
    """Passage → first passage of a document it names, each pair once, with weights that namesakes share."""
    best: dict[tuple[int, int], float] = {}
    for position, pairs in enumerate(rows):
        own = int(document_of[position])
        for entity in {entity for _, entity in pairs}:
            documents = named[entity]
            if not 0 < len(documents) <= _MAX_DOCUMENTS or any(document == own for document, _ in documents):
                continue
            for document, weight in documents:
                pair = (position, int(first_of[document]))
                best[pair] = max(best.get(pair, 0.0), weight / len(documents))
    return {pair: best[pair] for pair in sorted(best)}


def named_spans(
    text: str, lengths: Callable[[str], Iterable[int]], documents: Callable[[str], Sequence[tuple[int, float]]]
) -> list[NamedSpan]:
    """The names of documents in a text, in order; the longest at each place.

    `lengths` are how many words the names have that may begin with a word, longest first; `documents` are those that a
    key names, with how sure that is. A word alone is a name only where it is written large, and one that begins a text
    only where it says something.
    """
    read = spans(text)
    results = list[NamedSpan]()
    at = 0
    while at < len(read):
        begins_text = at == 0 and len(read) > 1 and not stem(read[at].word)
        fewest = 1 if text[read[at].start].isupper() and not begins_text else 2
        sizes = (size for size in lengths(read[at].word) if fewest <= size <= len(read) - at)
        keys = (" ".join(word.word for word in read[at : at + size]) for size in sizes)
        key = next((key for key in keys if documents(key)), "")
        size = len(key.split(" "))  # 1 where no name begins
        if key:
            span = read[at].start, read[at + size - 1].end
            results.append(NamedSpan(key, span, tuple(documents(key))))
        at += size
    return results
