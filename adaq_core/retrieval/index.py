"""A stored corpus made searchable: passages, lexical and forward index, mention graph; and its retriever."""

from __future__ import annotations

import hashlib
import json
import mmap
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from functools import cached_property, lru_cache, partial
from itertools import chain, pairwise
from pathlib import Path
from typing import Literal, Protocol, overload

import numpy as np
from numpy.typing import NDArray

from adaq_core.errors import CorpusError, InputError
from adaq_core.model import CorpusCard, Passage, ScoredPassage, fields_of
from adaq_core.retrieval import Corpus
from adaq_core.retrieval.arrays import ArrayCorpus
from adaq_core.retrieval.facets import Facets, ForwardIndex, load_array, reading, save_array
from adaq_core.retrieval.lexical import LexicalIndex, best, length_norm, weight
from adaq_core.retrieval.mention_graph import MentionGraph
from adaq_core.retrieval.name_forms import acronyms_of, is_acronym, long_form
from adaq_core.text.tokens import STOP_WORDS, tokens
from adaq_core.text.values import spelled

_MIN_SOURCES, _MIN_DATED = 5, 0.5
FORMAT = 3
_TITLES = 2_000  # looked at, evenly spread
_ACRONYMS = "acronyms.json"
_IN_MEMORY = 20_000  # passages
_LOOKED_FOR = 1 << 6  # patterns: a question looks twice for what an acronym stands for, and the next one for the same


class StoredPassages(Sequence[Passage]):
    """The passages of a saved index, read from the file when asked for."""

    def __init__(self, folder: Path) -> None:
        self._offsets = load_array(folder / "offsets.npy")
        empty = len(self._offsets) <= 1
        with (folder / "passages.jsonl").open("rb") as file:
            self._bytes = b"" if empty else mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        # Neither knows these passages, so that they go with the index, and not only when memory is next collected.
        self._parse = partial(_parsed, self._offsets, self._bytes)
        self._read = lru_cache(maxsize=_IN_MEMORY)(self._parse)
        self._holding = lru_cache(maxsize=_LOOKED_FOR)(partial(_holding, self._offsets, self._bytes))

    def __len__(self) -> int:
        return len(self._offsets) - 1

    @overload
    def __getitem__(self, number: int) -> Passage: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[Passage]: ...
    def __getitem__(self, number: int | slice) -> Passage | Sequence[Passage]:
        if isinstance(number, slice):
            return [self._read(i) for i in range(*number.indices(len(self)))]
        place = number + len(self) if number < 0 else number
        if not 0 <= place < len(self):
            raise IndexError(f"passage {number} of {len(self)}")
        return self._read(int(place))

    def __iter__(self) -> Iterator[Passage]:
        return map(self._read_once, range(len(self)))

    @property
    def _read_once(self) -> Callable[[int], Passage]:
        """How passages are read one after another: all of a large corpus would push out those that a run reads."""
        return self._read if len(self) <= _IN_MEMORY else self._parse

    def saying(self, parts: Iterable[str], most: int, *, then: str = "") -> Iterator[Passage]:
        """Those of the first `most` passages in whose records one of some texts stands as it is, in whatever field.

        `then` is the pattern of what comes behind it.
        """
        end = int(self._offsets[min(most, len(self))])
        numbers = {number for part in parts for number in self._holding(re.escape(part) + then, end)}
        return map(self._read_once, sorted(numbers))


def _holding(offsets: NDArray[np.int64], records: bytes | mmap.mmap, form: str, end: int) -> tuple[int, ...]:
    """The numbers of the records before `end` that hold a pattern."""
    pattern, numbers, place = re.compile(form.encode()), list[int](), 0
    while match := pattern.search(records, place, end):
        numbers.append(int(offsets.searchsorted(match.start(), side="right")) - 1)
        place = int(offsets[numbers[-1] + 1])
    return tuple(numbers)


_DECODED = json.JSONDecoder().raw_decode  # without a look at the encoding and at what stands around a record


def _parsed(offsets: NDArray[np.int64], records: bytes | mmap.mmap, number: int) -> Passage:
    begin = int(offsets[number])
    end = int(offsets[number + 1])
    known, _ = _DECODED(records[begin:end].decode())
    metadata = known.get("metadata", ())
    known["metadata"] = tuple(map(tuple, metadata))
    return Passage(**known)


class PassageIndex(ArrayCorpus):
    """Everything that a run needs to know of a corpus; built once, saved, and loaded memory-mapped.

    `also` names what else its search asks, for those who tell of a search; `is_stored` says that it asks nothing else.
    """

    also = ""
    is_stored = True

    def __init__(
        self,
        card: CorpusCard,
        passages: Sequence[Passage],
        *,
        lexical: LexicalIndex,
        forward: ForwardIndex,
        graph: MentionGraph | None = None,
        facets: Facets | None = None,
        ids: Sequence[str] | None = None,
        acronyms: dict[str, str] | None = None,
        folder: Path | None = None,
    ) -> None:
        self.card = card
        self.passages = passages
        self.lexical = lexical
        self.forward = forward
        self._graph = graph
        self._facets = facets
        self._acronyms = acronyms
        self._folder = folder
        self._ids = list(ids) if ids is not None else [passage.passage_id for passage in passages]
        self._positions = {key: number for number, key in enumerate(self._ids)}

    @classmethod
    def build(cls, passages: Iterable[Passage], *, name: str, documents: int | None = None) -> PassageIndex:
        """Index `passages`, sorted by id; CorpusError when two share an id.

        `documents` counts documents that gave no passage too; by default those of the passages.
        """
        kept = sorted(passages, key=lambda passage: _natural(passage.passage_id))
        twice = [a.passage_id for a, b in pairwise(kept) if a.passage_id == b.passage_id]
        if twice:
            raise CorpusError(f"expected one passage per id, got several for {twice[0]!r}; make the ids unique")
        vocabulary: dict[str, int] = {}
        forward = ForwardIndex.build(kept, vocabulary)
        lexical = LexicalIndex.from_ids(forward.terms.astype(np.int64), forward.lengths, vocabulary)
        if documents is None:
            count = len({passage.document_id for passage in kept})
        else:
            count = documents
        card = CorpusCard(name=name, version=_version(kept), documents=count, passages=len(kept))
        return cls(card, kept, lexical=lexical, forward=forward)

    @property
    def stored(self) -> PassageIndex:
        """Itself."""
        return self

    @property
    def graph(self) -> MentionGraph:
        """Which passage names which document; built on first use."""
        if self._graph is None:
            self._graph = MentionGraph.build(self.passages)
        return self._graph

    @property
    def facets(self) -> Facets:
        """What the documents' metadata say; read on first use."""
        if self._facets is None:
            self._facets = Facets.build([self.passages[int(first)] for first in self.graph.first_of])
        return self._facets

    @property
    def acronyms(self) -> dict[str, str]:
        """What the acronyms of the corpus stand for; read off its passages on first use, saved with the index."""
        if self._acronyms is None:
            self._acronyms = acronyms_of(self.passages)
        return self._acronyms

    def long_form(self, name: str) -> str | None:
        """What an acronym stands for in this corpus, plural ones too; None for other names."""
        return long_form(name, self.acronyms) if is_acronym(name) else None

    @cached_property
    def named_titles(self) -> float:
        """The share of titles written as proper names, of up to 2,000 documents."""
        firsts = self.graph.first_of
        if len(firsts):
            picked = firsts[:: max(1, len(firsts) // _TITLES)]
        else:
            picked = firsts
        titles = [self.passages[int(first)].title for first in picked]
        return sum(map(is_name, titles)) / max(len(titles), 1)

    @property
    def of_dated_sources(self) -> bool:
        """Whether several sources published the passages at known days, as news is."""
        facets = self.facets
        sources = len(facets.values.get("source", ()))
        if len(facets.day):
            dated = float((facets.day >= 0).mean())
        else:
            dated = 0.0
        return sources >= _MIN_SOURCES and dated >= _MIN_DATED

    @property
    def weighs_meaning(self) -> bool:
        """Whether meaning counts beside words wherever there are vectors: not on passages of dated sources.

        There every weight of it was measured to find less than words alone (docs/decisions/hybrid.md).
        """
        return not self.of_dated_sources

    def passage(self, passage_id: str) -> Passage:
        """The passage with this id; CorpusError for an unknown one."""
        return self.passages[self.position(passage_id)]

    def position(self, passage_id: str) -> int:
        """Where the passage with this id stands in the corpus; CorpusError when it does not."""
        result = self._positions.get(passage_id)
        if result is None:
            raise CorpusError(f"no passage {passage_id!r} in corpus {self.card.name!r}; it may be of another version")
        return result

    def place_of(self, passage_id: str) -> int | None:
        """Where a passage stands in the corpus; None for one that is not part of it."""
        return self._positions.get(passage_id)

    @property
    def ids(self) -> Sequence[str]:
        """The ids of the passages by their places."""
        return self._ids

    def scores(self, query: str) -> NDArray[np.float32]:
        """The BM25 score of every passage for `query`, in corpus order."""
        return self.weigh(Counter(tokens(query))).values

    def search(self, query: str, *, top_k: int = 10) -> list[ScoredPassage]:
        """At most `top_k` passages with a positive score, best first, ties by id."""
        scores = self.scores(query)
        ranked = enumerate(best(scores, top_k), start=1)
        return [ScoredPassage(self.passages[int(place)], float(scores[place]), rank) for rank, place in ranked]

    def save(self, folder: Path) -> None:
        """Write the index into `folder`; `load` reads it back."""
        folder.mkdir(parents=True, exist_ok=True)
        offsets = [0]
        with (folder / "passages.jsonl").open("wb") as file:
            for passage in self.passages:
                line = json.dumps(passage, ensure_ascii=False, default=fields_of)
                offsets.append(offsets[-1] + file.write(line.encode() + b"\n"))
        save_array(folder / "offsets.npy", np.array(offsets, dtype=np.int64))
        (folder / "ids.json").write_text(json.dumps(self._ids, ensure_ascii=False), encoding="utf-8")
        self.lexical.save(folder / "lexical")
        self.forward.save(folder / "forward")
        self.graph.save(folder / "graph")
        self.facets.save(folder / "facets")
        (folder / _ACRONYMS).write_text(json.dumps(self.acronyms, ensure_ascii=False), encoding="utf-8")
        card = {"format": FORMAT, **asdict(self.card)}
        (folder / "index.json").write_text(json.dumps(card, ensure_ascii=False, indent=1), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> PassageIndex:
        """The index that `save` wrote; CorpusError when the folder holds none or one of another format."""
        with reading("a passage index", folder):
            card = json.loads((folder / "index.json").read_text(encoding="utf-8"))
            if card.pop("format", None) != FORMAT:
                raise ValueError("another format")
            ids = json.loads((folder / "ids.json").read_text(encoding="utf-8"))
            stored = StoredPassages(folder)
            acronyms = json.loads((folder / _ACRONYMS).read_text(encoding="utf-8"))
        return cls(
            CorpusCard(**card),
            stored,
            lexical=LexicalIndex.load(folder / "lexical"),
            forward=ForwardIndex.load(folder / "forward"),
            graph=MentionGraph.load(folder / "graph"),
            facets=Facets.load(folder / "facets"),
            ids=ids,
            acronyms=acronyms,
            folder=folder,
        )

    def is_gone(self) -> bool:
        """Whether what it was loaded from is deleted, or replaced by a newer version."""
        return self._folder is not None and not self._folder.is_dir()


def _natural(passage_id: str) -> tuple[str, int, str]:
    """Sort "<document>#<n>" by number, so that a document's passages lie in reading order."""
    document, mark, number = passage_id.rpartition("#")
    if mark and number.isdigit() and number.isascii():
        return document, int(number), passage_id
    return passage_id, -1, passage_id


def is_name(title: str) -> bool:
    """Whether a title is written as a name: no telling word of it begins in lower case."""
    words = title.split(" (")[0].split()
    telling = [word for word in words if word.lower() not in STOP_WORDS]
    return bool(telling) and not any(word[0].islower() for word in telling)


def _version(passages: Iterable[Passage]) -> str:
    digest = hashlib.sha256()
    for passage in passages:
        digest.update(json.dumps(fields_of(passage), ensure_ascii=False, sort_keys=True).encode())
    return digest.hexdigest()[:12]


RRF_K = 60  # of reciprocal rank fusion (Cormack et al., SIGIR 2009)


def indexed(passage: Passage) -> str:
    """The text of a fetched passage to search: title, source and date (also in words) before what it says."""
    return " | ".join(part for part in (passage.title, passage.source, spelled(passage.date), passage.text) if part)


def score_of(query: str, passage: Passage, corpus: Corpus) -> float:
    """The BM25 score that a corpus would give a passage that is not part of it."""
    asked = Counter(tokens(query))
    idf = {term: corpus.term_idf(term) for term in asked}
    rarest = max(idf.values(), default=0.0) or 1.0
    words = tokens(indexed(passage))
    counts = Counter(words)
    norm = length_norm(len(words), corpus.mean_length)
    weights = {term: count * (idf[term] or rarest) for term, count in asked.items()}
    return float(sum(weight(weights[term], counts[term], norm) for term in asked))


def fuse(rankings: Sequence[Sequence[ScoredPassage]], *, top_k: int) -> list[ScoredPassage]:
    """The `top_k` passages by the sum of 1 / (60 + rank); ties by passage id."""
    totals: dict[str, float] = {}
    passages = {}
    for hit in chain.from_iterable(rankings):
        key = hit.passage.passage_id
        passages[key] = hit.passage
        totals[key] = totals.get(key, 0.0) + 1 / (RRF_K + hit.rank)
    order = sorted(totals, key=lambda key: (-totals[key], key))[: max(top_k, 0)]
    return [ScoredPassage(passages[key], totals[key], rank) for rank, key in enumerate(order, start=1)]


Mode = Literal["lexical", "dense", "hybrid"]
_DEEP = 30  # passages of each ranking that is fused
# How what a search by meaning does without vectors ends.
WITHOUT_VECTORS = "which are not ready: searching by words"


class Vectors(Protocol):
    """What dense search needs: passage vectors of the same corpus."""

    def search(self, query: str, top_k: int) -> list[ScoredPassage]:
        """The `top_k` nearest passages, best first."""
        ...


class DocumentRetriever:
    """Search a passage index by words, by meaning, or by both.

    Without `vectors`, "dense" and "hybrid" search by words. So does "hybrid" on passages of dated sources, where the
    fusion was measured to be worse than words alone (docs/decisions/hybrid.md). `name` and `degraded` say so.
    """

    def __init__(self, index: Corpus, mode: Mode = "lexical", *, vectors: Vectors | None = None) -> None:
        if mode not in ("lexical", "dense", "hybrid"):
            raise InputError(f"mode must be lexical, dense or hybrid, not {mode!r}")
        self.index = index
        self.mode = mode
        self.vectors = vectors

    @property
    def degraded(self) -> str:
        """Why the retriever is not what was asked for; empty when it is."""
        if self.mode != "lexical" and self.vectors is None:
            return f"{self.mode} search needs passage vectors, {WITHOUT_VECTORS}"
        if self.mode == "hybrid" and not self.index.weighs_meaning:
            return "on passages of dated sources words alone find more than words and meaning: searching by words"
        return ""

    @property
    def name(self) -> str:
        """The search that really happens: "bm25", "dense", "hybrid", or "bm25" with what was asked for."""
        if self.degraded:
            return f"bm25 (for {self.mode}){self.index.also}"
        return f"{'bm25' if self.mode == 'lexical' else self.mode}{self.index.also}"

    def retrieve(self, query: str, top_k: int = 10) -> list[ScoredPassage]:
        """At most `top_k` passages for `query`, best first."""
        if self.vectors is None or self.mode == "lexical" or self.degraded:
            return self.index.search(query, top_k=top_k)
        near = self.vectors.search(query, top_k if self.mode == "dense" else max(top_k, _DEEP))
        if self.mode == "dense":
            return near[:top_k]
        return fuse((self.index.search(query, top_k=max(top_k, _DEEP)), near), top_k=top_k)
