"""The documents of a corpus that this machine does not hold: metadata, names and links, and the filings among them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from adaq_core.model import CorpusCard, Passage
from adaq_core.retrieval import Filed, Floats, Links, Mentions, Name, NamedSpan, Places
from adaq_core.retrieval.facets import NONE, Facets, SentenceTerms, starts_of
from adaq_core.retrieval.fetched_rows import About, Engine, Longs, Read, flat, numbers_of, term_number
from adaq_core.retrieval.fetching import LONGEST_NAME, Fetching, name_keys
from adaq_core.retrieval.mention_graph import DENSE_ENOUGH, named_spans
from adaq_core.text.tokens import spans

FOLLOWED = 12  # passages whose names are followed; where more are asked about, names are only counted
MOST_HOLDING = 16_384  # passages that a query of an engine gives at most


class DocumentView:
    """What one run sees of the documents of a corpus that an engine holds."""

    def __init__(self, engine: Engine, about: About, *, shared: Read | None = None) -> None:
        self.about = about
        self._fetching = Fetching(engine, about.card.passages, shared or Read())
        self._rows = self._fetching.rows
        self._entries = self._fetching.entries

    @property
    def engine(self) -> Engine:
        """Where the rows are."""
        return self._fetching.engine

    @property
    def trips(self) -> int:
        """How often the engine was waited for."""
        return self._fetching.trips

    @property
    def shared(self) -> Read:
        """What was read of filings, the same for all runs."""
        return self._fetching.shared

    @property
    def card(self) -> CorpusCard:
        """What the corpus is called, and its version."""
        return self.about.card

    @property
    def size(self) -> int:
        """How many passages there are."""
        return self.about.card.passages

    # Metadata

    @property
    def documents(self) -> int:
        """How many documents have passages."""
        return self.about.card.documents

    @cached_property
    def facets(self) -> Facets:
        """The values of the documents' metadata."""
        none = np.zeros(0, dtype=np.int32)
        return Facets(self.about.values, {}, none, none)

    @property
    def of_dated_sources(self) -> bool:
        """Whether several sources published the passages at known days, as news is."""
        return self.about.of_dated_sources

    @property
    def weighs_meaning(self) -> bool:
        """Whether meaning counts beside words wherever there are vectors."""
        return not self.of_dated_sources

    def _number_of(self, facet: str) -> int | None:
        names = ["", *sorted(self.about.values)]
        return names.index(facet) if facet in names else None

    def documents_of(self, places: Places) -> NDArray[np.int32]:
        """The document of each place."""
        self._fetching.need(places)
        rows = self._rows.at(places).tolist()
        return np.array([self._rows.rows[row].document for row in rows], dtype=np.int32)

    def _about(self, documents: Places) -> list[Sequence[int]]:
        self._fetching.need_documents(documents)
        return [self._rows.documents[int(document)].about for document in documents]

    def _column(self, documents: Places, number: int) -> Longs:
        rows = self._about(documents)
        return np.array([about[number] for about in rows], dtype=np.int64)

    def firsts_of(self, documents: Places) -> Longs:
        """The place of the first passage of each document."""
        return self._column(documents, 0)

    def sizes_of(self, documents: Places) -> Longs:
        """How many passages each document has."""
        return self._column(documents, 1)

    def codes_of(self, facet: str, documents: Places) -> NDArray[np.int32]:
        """The code of each document's value of a facet (its day as yyyymmdd for DAY); -1 without one."""
        number = self._number_of(facet)
        if number is None:
            return np.full(len(documents), NONE, dtype=np.int32)
        return self._column(documents, 4 + number).astype(np.int32)

    def works_of(self, documents: Places) -> NDArray[np.int32]:
        """The work (report, transcript, article) that each document is a part of."""
        return self._column(documents, 2).astype(np.int32)

    def work_size(self, work: int) -> int:
        """How many passages a work has, one whose passages were fetched."""
        return self._rows.works[work]

    def value_counts(self, facet: str, term: str | None = None) -> Longs:
        """By code of a facet's values, how many passages have the value; of those that hold `term`, if given."""
        if term is None:
            return np.array(self.about.counts[facet], dtype=np.int64)
        counts = np.zeros(len(self.about.values[facet]), dtype=np.int64)
        entry = self._fetching.entry(f"term:{term}")
        for code, count in (entry or {"values": {}})["values"].get(facet, ()):
            counts[code] = count
        return counts

    def held_in(self, terms: Sequence[str], documents: Places) -> Floats:
        """[terms x documents]: how many passages of each document hold each term."""
        numbers = [term_number(term) for term in terms]
        results = np.zeros((len(terms), len(documents)), dtype=np.float32)
        for place, (first, size, *_) in enumerate(self._about(documents)):
            within = range(first, first + size)
            self._fetching.need(within)
            slots = self._rows.at(within)
            columns = [self._rows.column(number)[slots] for number in numbers]
            results[:, place] = list(map(np.count_nonzero, columns))
        return results

    # Filings

    @property
    def filed(self) -> Sequence[Filed]:
        """The documents that are filings or reports, ascending."""
        if self.shared.filed is None:
            parts = [f"cards:{number}" for number in range(self.about.cards)]
            if parts:
                self._fetching.bring(keys=parts)
            self.shared.filed = [Filed(*row) for part in parts for row in self._entries[part]]
        return self.shared.filed

    @property
    def vocabulary(self) -> Mapping[str, int]:
        """The numbers of terms, as far as they were given out."""
        return self.shared.vocabulary

    def will_read(self, places: Places) -> None:
        """Bring these passages with the next one that is read."""
        self._fetching.will_read(places)

    def read(self, places: Places) -> list[Passage]:
        """The passages at these places."""
        return self._fetching.read(places)

    def sentences_of(self, places: Places) -> SentenceTerms:
        """The terms of each sentence of some passages."""
        self.read(places)
        return SentenceTerms.of([self.shared.sentences_of(int(place)) for place in places])

    def all_holding(self, groups: Sequence[Sequence[str]]) -> list[Longs]:
        """For each group of terms the places that hold all of them, ascending; 16,384 at most."""
        numbers = [numbers_of(group) for group in groups]
        known = self.shared.holding
        if asked := sorted(set(numbers) - known.keys()):
            brought = self._fetching.holding(asked, most=MOST_HOLDING)
            known.update((key, sorted(places)) for key, places in zip(asked, brought, strict=True))
        return [np.array(known[each], dtype=np.int64) for each in numbers]

    # Names and links

    @property
    def link_density(self) -> float:
        """Distinct documents that a passage names, on average: whether titles are names at all."""
        return self.about.link_density

    @property
    def is_linked(self) -> bool:
        """Whether steps along names are worth taking (a density of at least 0.2)."""
        return self.about.link_density >= DENSE_ENOUGH

    @property
    def named_titles(self) -> float:
        """The share of titles written as proper names, of some documents."""
        return self.about.named_titles

    def named(self, text: str) -> list[NamedSpan]:
        """The names of documents in a text, in order; the longest at each place."""
        keys = name_keys([word.word for word in spans(text)])
        if keys - self._entries.keys():
            self._fetching.bring(keys=keys)
        return named_spans(text, lambda _: range(LONGEST_NAME, 0, -1), self._documents_named)

    def _documents_named(self, key: str) -> tuple[tuple[int, float], ...]:
        entry = self._entries[f"key:{key}"]
        return _documents(entry) if entry else ()

    def name(self, number: int) -> Name:
        """What is known of a name."""
        entry = self._fetching.entry(f"name:{number}")
        holders = np.array(entry["holders"], dtype=np.int32)
        return Name(entry["key"], _documents(entry), entry["count"], holders)

    def mentions(self, places: Places) -> Mentions:
        """The names that passages mention; those of a few passages are brought with what is next."""
        self._fetching.need(places)
        rows = [self._rows.of(int(place)) for place in places]
        if len(rows) <= FOLLOWED:
            self._fetching.look_up(f"name:{number}" for row in rows for number in row.names)
        return Mentions(
            starts_of([len(row.names) for row in rows]),
            flat(row.sentences for row in rows),
            flat(row.names for row in rows),
        )

    def links(self, places: Places) -> Links:
        """The passages that each passage names, as far as two steps from what was found; none for others."""
        steps = self._fetching.steps_of(places)
        return _as_links([(step.links, step.link_weights) for step in steps])

    def linked_from(self, places: Places) -> Links:
        """The passages that name each passage, likewise."""
        steps = self._fetching.steps_of(places)
        return _as_links([(step.back, step.back_weights) for step in steps])

    def naming(self, places: Places) -> Floats:
        """How many passages name the document of each place."""
        self._fetching.need(places)
        rows = self._rows.at(places).tolist()
        return np.array([self._rows.rows[row].naming for row in rows], dtype=np.float32)


def _documents(entry: Mapping[str, Any]) -> tuple[tuple[int, float], ...]:
    return tuple((int(document), float(sure)) for document, sure, *_ in entry["documents"])


def _as_links(parts: Sequence[tuple[Sequence[int], Sequence[float]]]) -> Links:
    starts = starts_of([len(places) for places, _ in parts])
    places = flat(places for places, _ in parts)
    weights = np.array([weight for _, own in parts for weight in own], dtype=np.float32)
    return Links(starts, places, weights)
