"""A walk along names from some passages, by local push."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adaq_core.model import Passage
from adaq_core.ranking.signals import Push, Walk
from adaq_core.retrieval import Links
from adaq_core.retrieval.index import PassageIndex

TEXTS = {
    "Citizen Kane": "Citizen Kane is a 1941 film directed by Orson Welles.",
    "Kenosha": "Kenosha is a city. Its paper is dull.",
    "Orson Welles": "Orson Welles was a director, born in Kenosha.",
    "United": "Planes fly.",
}
KANE, KENOSHA, WELLES, UNITED = range(4)
EXACT = Push(least=0.0, rounds=60)


class Graph:
    """Links alone, and how many passages were asked for."""

    def __init__(self, size, edges):
        self.size, self.edges, self.asked = size, edges, 0

    def _rows(self, places, ends):
        rows = [[(b, w) for a, b, w in ends if a == place] for place in places]
        flat = [pair for row in rows for pair in row]
        starts = np.cumsum([0, *map(len, rows)])
        return Links(starts, np.array([b for b, _ in flat], np.int64), np.array([w for _, w in flat], np.float32))

    def links(self, places):
        self.asked += len(places)
        return self._rows(places, self.edges)

    def linked_from(self, places):
        return self._rows(places, [(b, a, w) for a, b, w in self.edges])


def page_rank(graph, seeds, *, damping=0.5):
    """The same by solving for it: (1 - d) (I - d W)⁻¹ s, a column of W for what a passage passes on."""
    both = np.zeros((graph.size, graph.size))
    for a, b, weight in graph.edges:
        both[b, a] += weight
        both[a, b] += weight
    passed = both / np.maximum(both.sum(axis=0), 1e-12)
    start = np.zeros(graph.size)
    start[list(seeds)] = np.array(list(seeds.values())) / sum(seeds.values())
    return (1 - damping) * np.linalg.solve(np.eye(graph.size) - damping * passed, start)


def test_a_walk_reaches_what_is_two_steps_away_and_nothing_that_no_name_leads_to():
    index = PassageIndex.build([Passage(f"{t}#0", t, t, text) for t, text in TEXTS.items()], name="c")
    ranks = Walk(index, {KANE: 1.0}).of(range(4))
    assert ranks.sum() == pytest.approx(1.0, abs=0.02)
    assert ranks[KANE] > ranks[WELLES] > ranks[KENOSHA] > 0 == ranks[UNITED]


def test_no_seed_no_rank():
    graph = Graph(2, [(0, 1, 1.0)])
    for seeds in ({}, {0: 0.0}):
        walk = Walk(graph, seeds)
        assert (walk.of([0, 1]).tolist(), walk.best(3).tolist(), walk.top) == ([0.0, 0.0], [], 0.0)


def test_a_passage_without_links_keeps_its_half():
    assert Walk(Graph(1, []), {0: 3.0}).of([0]).tolist() == [0.5]


GRAPHS = st.integers(2, 12).flatmap(
    lambda size: st.tuples(
        st.just(size),
        st.dictionaries(
            st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)).filter(lambda pair: pair[0] != pair[1]),
            st.sampled_from([0.25, 0.5, 1.0]),
            max_size=30,
        ),
        st.dictionaries(st.integers(0, size - 1), st.floats(0.1, 4.0), min_size=1, max_size=4),
    )
)


@given(GRAPHS)
def test_pushed_to_the_end_it_is_page_rank(drawn):
    size, edges, seeds = drawn
    graph = Graph(size, [(a, b, w) for (a, b), w in edges.items()])
    walk = Walk(graph, seeds, EXACT)
    np.testing.assert_allclose(walk.of(range(size)), page_rank(graph, seeds), atol=1e-6)
    ranks = walk.of(walk.best(size))
    assert ranks.tolist() == sorted(ranks.tolist(), reverse=True)
    assert walk.top == pytest.approx(float(ranks[0]))


def test_how_far_it_looks_depends_on_how_little_still_counts_and_not_on_the_corpus():
    asked = []
    for size in (500, 5000):
        ring = Graph(size, [(a, (a + 1) % size, 1.0) for a in range(size)])
        Walk(ring, {0: 1.0}, Push(least=1e-3))
        asked.append(ring.asked)
    assert asked[0] == asked[1] < 100
