"""Which passages of filings come into the set."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from adaq_core.filings.register import Filing
from adaq_core.filings.search import FilingResult
from adaq_core.matching.likelihood import FEATURES
from adaq_core.model import Passage
from adaq_core.ranking import ORDER_FEATURES, Measured, order_features, with_likeliest


def _pairs(count: int) -> list[tuple[Passage, FilingResult]]:
    filing = Filing(0, 0, "10-Q", "", None, None, None, ())
    passages = [Passage(f"r#{n}", "r", "A report", f"Passage {n}.") for n in range(count)]
    return [(passage, FilingResult(n, 0.5 - n / 100, filing, ())) for n, passage in enumerate(passages)]


def _saying(shares: dict[int, float]) -> Measured:
    """Passages of which some, by their places, have a sentence that says this share of what is asked."""
    said = ("about", "own", "kind", "score", "said")
    features = {f"r#{n}": tuple(share * (name in said) for name in FEATURES) for n, share in shares.items()}
    return lambda passages: features


def _places(pairs: Sequence[tuple[Passage, FilingResult]]) -> list[int]:
    return [int(passage.passage_id[2:]) for passage, _ in pairs]


@pytest.mark.parametrize(
    ("shares", "first"),
    [
        ({7: 1.0}, [0, 1, 2, 3, 7, 4]),
        ({7: 0.4, 9: 1.0}, [0, 1, 2, 3, 9, 4]),
        ({2: 1.0}, [0, 1, 2, 3, 4, 5]),  # is there already
        ({4: 1.0, 7: 1.0}, [0, 1, 2, 3, 4, 5]),  # of equals the one that the search ranked better
        ({}, [0, 1, 2, 3, 4, 5]),
    ],
)
def test_the_last_place_of_the_set_is_of_the_passage_that_is_likeliest_to_answer(
    shares: dict[int, float], first: list[int]
) -> None:
    results = with_likeliest(_pairs(12), 5, _saying(shares))

    assert _places(results)[:6] == first
    assert sorted(_places(results)) == list(range(12))


@pytest.mark.parametrize("count", [0, 3, 4])
def test_a_set_that_is_all_there_is_stays(count: int) -> None:
    pairs = _pairs(count)

    assert with_likeliest(pairs, 5, _saying({2: 1.0})) == pairs


def test_a_passage_is_measured_by_its_place_its_score_beside_the_best_and_its_sentence() -> None:
    rows = order_features(_pairs(2), _saying({1: 1.0}))

    assert [len(row) for row in rows] == [len(ORDER_FEATURES)] * 2
    assert rows[0] == (1.0, 0.0, 1.0, 0.0, *(0.0 for _ in FEATURES))
    assert rows[1][:4] == (0.5, 1 / 25, 0.49 / 0.5, 1.0)
    assert sum(rows[1][4:]) == 5
