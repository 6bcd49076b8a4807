"""Round trips to an engine: one brings what is asked now and, unasked, all that was pointed to by then.

What was found points to what stands beside it, to where it leads, and to the documents of the names that it mentions;
the searches that were begun go along. A run then waits for the engine a few times a hop.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from adaq_core.model import Passage
from adaq_core.retrieval import Floats, Places
from adaq_core.retrieval.fetched_rows import Engine, FetchedRows, Longs, Near, Read, Search, Step, Vector, Wanted
from adaq_core.retrieval.lexical import KIN_LETTERS, READ_FOR_CASE, has_kin
from adaq_core.retrieval.name_forms import is_acronym
from adaq_core.text.tokens import spans, tokens

DEEP = 60  # passages that a search brings with their rows, unless more are asked for
BESIDE = 400  # passages of a document that is fetched as a whole, unasked, with one of them
AROUND = 3  # documents before and behind one that is a part of a work: those beside it, and beside what is taken in
NAMED = 30  # best passages of a search whose names are looked up unasked
MOST_STEPS, MOST_PLACES = 3_000, 3_000  # in one round trip, unasked
FEW_STEPS = 60  # from or to a passage: these are fetched with all that is known of them
LONGEST_NAME = 12  # words


class Fetching:
    """What one run has fetched of a corpus of `size` passages. `trips` counts how often the engine was waited for."""

    def __init__(self, engine: Engine, size: int, shared: Read) -> None:
        self.engine = engine
        self.shared = shared
        self.trips = 0
        self.with_vectors = False
        self.rows = FetchedRows()
        self.entries: dict[str, Any] = {}
        self._size = size
        self._steps: dict[int, Step] = {}
        self._near: set[int] = set()  # found by a search: where they lead is followed
        self._far: set[int] = set()  # more than two steps away: where they lead is not asked
        self._extents: dict[int, tuple[int, int]] = {}
        self._ids: dict[str, int | None] = {}
        self._searched: dict[tuple[Vector, tuple[int, ...]], Weighed] = {}
        self._pending: list[Weighed] = []
        self._next = Wanted()
        self._readable: set[int] = set()
        self._waiting_near: list[Near] = []
        self._nearest: dict[tuple[float, ...], tuple[int, list[int]]] = {}

    def bring(self, **more: Iterable[Any]) -> None:
        """One round trip, for what is asked now and all that was pointed to."""
        wanted, self._next = self._next, Wanted()
        for name, values in more.items():
            getattr(wanted, name).update(values)
        pending, self._pending = self._pending, []
        wanted.searches = [each.wanted for each in pending]
        wanted.near, self._waiting_near = self._waiting_near, []
        wanted.with_vectors = self.with_vectors
        self._leave_known(wanted)
        self.trips += 1
        brought = self.engine.bring(wanted)
        self.rows.add(brought.rows)
        self._steps.update(brought.steps)
        self._take_entries(wanted, brought.entries)
        self.shared.keep(brought.texts)
        self._ids.update({key: self.rows.places.get(key) for key in wanted.ids})
        self._take_searches(pending, brought.searches)
        self._take_nearest(wanted.near, brought.near)

    def _leave_known(self, wanted: Wanted) -> None:
        wanted.places -= self.rows.slots.keys()
        wanted.steps -= self.rows.slots.keys() | self._steps.keys() | wanted.places
        wanted.keys -= self.entries.keys()
        wanted.texts = self.shared.missing(wanted.texts)

    def _take_entries(self, wanted: Wanted, entries: Mapping[str, Any]) -> None:
        """Keep what the entries say, and point to where the names among them lead."""
        self.entries.update(dict.fromkeys(wanted.keys))
        self.entries.update(entries)
        for key, entry in entries.items():
            if key.startswith(("name:", "key:")):
                self._point_to_documents(entry["documents"])
            if key.startswith("name:"):
                self._point_to_documents(entry["holding"])

    def _take_searches(self, pending: Sequence[Weighed], results: Sequence[list[tuple[int, float]]]) -> None:
        """Score what was found by the rows, and point to what stands beside it and where it leads."""
        for search, hits in zip(pending, results, strict=True):
            places = [place for place, _ in hits]
            values = self.rows.weigh(search.vector, self.rows.at(places)).tolist()
            search.hits = [pair for pair in zip(places, values, strict=True) if pair[1] > 0]
            self._point_around(places)
            self._point_to_names(places[:NAMED])

    def _take_nearest(self, asked: Sequence[Near], results: Sequence[list[int]]) -> None:
        for near, places in zip(asked, results, strict=True):
            self._nearest[near.vector] = near.limit, places
            self._point_around(places)

    # What is pointed to

    def _point_to_documents(self, documents: Sequence[Sequence[Any]]) -> None:
        """Keep where documents begin and how many passages they have, and point to these."""
        for document, _, first, size in documents:
            self._extents[document] = first, size
            if self._has_room and size <= BESIDE:
                self._next.places.update(range(first, first + size))

    def _point_to_names(self, places: Sequence[int]) -> None:
        """Look up the names in the best passages of a search: a walk begins there."""
        self.look_up(f"name:{number}" for place in places for number in self.rows.of(place).names)

    def _point_around(self, places: Sequence[int]) -> None:
        for place in places:
            if place in self._near:
                continue
            self._near.add(place)
            self._point_beside(place)
            self._point_to_steps(self.rows.of(place).steps)

    def _point_beside(self, place: int) -> None:
        """Point to the passages of the same document, and of the documents beside it where it is a part of a work."""
        first, size, _, of_work = self.rows.of(place).about[:4]
        if 1 < size <= BESIDE and self._has_room:
            # With the last one before and the first one behind: whether they are of the same work is asked.
            self._point_to_places(first - 1, first + size)
        if size < of_work and self._has_room:
            self._point_to_places(place - AROUND, place + AROUND)

    def _point_to_places(self, first: int, last: int) -> None:
        self._next.places.update(range(max(0, first), min(last + 1, self._size)))

    def _point_to_steps(self, steps: Step) -> None:
        near = (*steps.links, *steps.back)
        if self._has_room and len(near) <= FEW_STEPS:
            self._next.places.update(near)
        elif len(self._next.steps) < MOST_STEPS:
            self._next.steps.update(near)

    @property
    def _has_room(self) -> bool:
        return len(self._next.places) < MOST_PLACES

    # What is asked now

    def need(self, places: Places) -> None:
        """Have the rows of these places here."""
        if any(int(place) not in self.rows.slots for place in places):
            self.bring(places=[int(place) for place in places])

    def need_documents(self, documents: Places) -> None:
        """Have a row of each of these documents here."""
        missing = {int(document) for document in documents} - self.rows.documents.keys()
        self.need([self._extents[document][0] for document in sorted(missing)])

    def entry(self, key: str) -> Any:
        """What the corpus keeps under a key; None where there is nothing."""
        if key not in self.entries:
            self.bring(keys=[key])
        return self.entries[key]

    def place_of(self, passage_id: str) -> int | None:
        """The place of a passage; None for one that is not of the corpus."""
        if passage_id not in self.rows.places and passage_id not in self._ids:
            self.bring(ids=[passage_id])
        return self.rows.places.get(passage_id)

    def steps_of(self, places: Places) -> list[Step]:
        """The links from and to each passage up to two steps from the results; none for others."""
        asked = [int(place) for place in places]
        there = self.rows.slots.keys() | self._steps.keys() | self._far
        if missing := [place for place in asked if place not in there]:
            self.bring(steps=missing)
        results = [self._step(place) for place in asked]
        for place, step in zip(asked, results, strict=True):
            if place not in self._near:
                self._far.update(other for other in (*step.links, *step.back) if not self._has_steps(other))
        return results

    def _has_steps(self, place: int) -> bool:
        return place in self.rows.slots or place in self._steps

    def _step(self, place: int) -> Step:
        if place in self.rows.slots:
            return self.rows.of(place).steps
        return self._steps.get(place, Step())

    def holding(self, groups: Sequence[tuple[int, ...]], *, most: int) -> list[list[int]]:
        """For each group of terms at most so many places that hold all of them, in a round trip of its own."""
        self.trips += 1
        return self.engine.bring(Wanted(holding=list(groups), most_holding=most)).holding

    def will_read(self, places: Places) -> None:
        """Bring these passages with the next one that is read."""
        self._readable.update(int(place) for place in places)

    def read(self, places: Places) -> list[Passage]:
        """The passages at these places."""
        asked = [int(place) for place in places]
        if self.shared.missing(asked):
            self._readable.update(asked)
            wanted, self._readable = self._readable, set()
            self.bring(texts=wanted)
        return self.shared.passages(asked)

    # What goes with the next round trip

    def look_up(self, keys: Iterable[str]) -> None:
        """Look up what the corpus keeps under these keys."""
        self._next.keys.update(keys)

    def note(self, text: str) -> None:
        """Look up the words of a text, and their kin."""
        terms = tokens(text)
        self.look_up(f"term:{term}" for term in terms)
        self.look_up(f"kin:{term[:KIN_LETTERS]}" for term in terms if has_kin(term))

    def note_names(self, text: str) -> None:
        """Look up all that may be the name of a document, and acronyms."""
        self.look_up(name_keys([word.word for word in spans(text)]))
        written = text.replace("?", " ").replace(",", " ").split()
        for word in filter(is_acronym, written):
            self.look_up((f"acronym:{word}", f"acronym:{word.removesuffix('s')}"))

    def note_holders(self, terms: Iterable[str]) -> None:
        """Bring the first passages of terms that were looked up: each is read to see how it writes the term."""
        for term in terms:
            self._next.places.update(self.entries[f"term:{term}"]["first"][:READ_FOR_CASE])

    # Searches

    def weighed(self, vector: Vector, limit: int, *, marks: tuple[int, ...] = ()) -> Weighed:
        """The scores for a vector, the same for all who ask; the search goes with the next round trip."""
        known = self._searched.get((vector, marks))
        if known is None:
            known = self._searched[vector, marks] = Weighed(self, vector, limit, marks=marks)
        elif not known.deepen(limit):
            return known
        if vector and known not in self._pending:
            self._pending.append(known)
        return known

    def is_part(self, vector: Vector) -> bool:
        """Whether a vector is a part of one that was searched before."""
        own = set(vector)
        return any(own < set(known) for known, marks in self._searched if not marks)

    def run(self, search: Weighed) -> None:
        """Search now, with all else that waits."""
        if search not in self._pending:
            self._pending.append(search)
        self.bring()

    def weights(self, vector: Vector, places: Places) -> Floats:
        """The scores of some passages."""
        self.need(places)
        return self.rows.weigh(vector, self.rows.at(places))

    def expect_near(self, vector: tuple[float, ...]) -> None:
        """Look for the passages nearest to a vector with the next round trip."""
        if vector not in self._nearest and all(each.vector != vector for each in self._waiting_near):
            self._waiting_near.append(Near(vector, DEEP))

    def near(self, vector: tuple[float, ...], count: int) -> list[int]:
        """At least `count` places nearest to a vector by the engine's index, unless there are fewer."""
        most, places = self._nearest.get(vector, (0, []))
        if most < count and (not most or len(places) == most):
            self._waiting_near = [each for each in self._waiting_near if each.vector != vector]
            self._waiting_near.append(Near(vector, max(count, DEEP)))
            self.bring()
        return self._nearest[vector][1]


class Weighed:
    """BM25 for index terms with weights, from those in the rows; the engine is searched when the best is asked."""

    def __init__(self, fetching: Fetching, vector: Vector, limit: int, *, marks: tuple[int, ...] = ()) -> None:
        self.vector = vector
        self._fetching = fetching
        self.wanted = Search(vector, limit, marks)
        self.hits: list[tuple[int, float]] | None = None

    def results(self, count: int) -> list[tuple[int, float]]:
        """At least `count` (place, score), best first, unless there are fewer; of all that were found."""
        if not self.vector:
            return []
        if self.hits is None or (count > self.wanted.limit and len(self.hits) == self.wanted.limit):
            most = max(count, self.wanted.limit)
            self.wanted = Search(self.vector, most, self.wanted.marks)
            self._fetching.run(self)
        return self.hits or []

    def deepen(self, limit: int) -> bool:
        """Ask for more than so far; whether there may be more than was found."""
        if limit <= self.wanted.limit:
            return False
        whole = self.hits is not None and len(self.hits) < self.wanted.limit
        self.wanted = Search(self.vector, limit, self.wanted.marks)
        if not whole:
            self.hits = None
        return not whole

    @property
    def top(self) -> float:
        """The highest score; 0 where nothing scores."""
        return max((score for _, score in self.results(1)), default=0.0)

    def of(self, places: Places) -> Floats:
        """The score of each place."""
        return self._fetching.weights(self.vector, places)

    def best(self, count: int) -> Longs:
        """At most `count` places with a positive score, best first, ties by place."""
        ordered = sorted(self.results(count), key=lambda pair: (-pair[1], pair[0]))
        places = [place for place, _ in ordered[: max(count, 0)]]
        return np.array(places, dtype=np.int64)


def name_keys(words: Sequence[str]) -> set[str]:
    """The keys of all runs of up to twelve words, each of which may be the name of a document."""
    keys = set[str]()
    for start in range(len(words)):
        longest = words[start : start + LONGEST_NAME]
        keys.update(f"key:{' '.join(longest[:size])}" for size in range(1, len(longest) + 1))
    return keys
