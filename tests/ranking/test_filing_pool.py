"""Which passages of filings come into the set."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adaq_core.filings.register import Filing
from adaq_core.filings.search import FilingResult
from adaq_core.model import Passage
from adaq_core.ranking import with_an_answer

_OF_ANOTHER = 10  # the place of a passage of a report that is not among the first


def _pairs(count: int) -> list[tuple[Passage, FilingResult]]:
    passages = [Passage(f"r#{n}", "r", "A report", f"Passage {n}.") for n in range(count)]
    filings = [Filing(n == _OF_ANOTHER, 0, "10-Q", "", None, None, None, ()) for n in range(count)]
    return [(p, FilingResult(n, 0.5, f, ())) for n, (p, f) in enumerate(zip(passages, filings, strict=True))]


class Scored:
    """A reader of passages whose scores are known by their places."""

    def __init__(self, scores: dict[int, float]) -> None:
        self._scores = scores

    def best(self, passage: Passage) -> float:
        return self._scores.get(int(passage.passage_id[2:]), 0.2)

    at_most = best


@pytest.mark.parametrize(
    ("scores", "first"),
    [
        ({7: 0.95, 9: 0.92}, [0, 1, 2, 3, 7, 4]),
        ({7: 0.92, 9: 0.95}, [0, 1, 2, 3, 9, 4]),
        ({7: 0.92, 9: 0.92}, [0, 1, 2, 3, 7, 4]),
        ({7: 0.85}, [0, 1, 2, 3, 4, 5]),
        ({2: 0.5, 7: 1.0}, [0, 1, 2, 3, 4, 5]),
        ({11: 1.0}, [0, 1, 2, 3, 11, 4]),
        ({_OF_ANOTHER: 1.0}, [0, 1, 2, 3, 4, 5]),
    ],
)
def test_a_passage_behind_the_set_that_says_it_all_takes_its_last_place(
    scores: dict[int, float], first: list[int]
) -> None:
    results = with_an_answer(_pairs(12), 5, Scored(scores))

    places = [int(passage.passage_id[2:]) for passage, _ in results]
    assert places[:6] == first
    assert sorted(places) == list(range(12))


def test_where_the_kind_of_answer_shows_less_is_enough() -> None:
    results = with_an_answer(_pairs(12), 5, Scored({7: 0.75}), least=0.7)

    assert [int(passage.passage_id[2:]) for passage, _ in results[:6]] == [0, 1, 2, 3, 7, 4]


def test_a_report_does_not_lose_its_only_passage_of_the_set() -> None:
    reports = [0, 0, 1, 2, 3, 0, 0]
    pairs = _pairs(len(reports))
    pairs = [
        (passage, replace(result, filing=replace(result.filing, number=number)))
        for (passage, result), number in zip(pairs, reports, strict=True)
    ]

    results = with_an_answer(pairs, 5, Scored({6: 1.0}))

    assert [int(passage.passage_id[2:]) for passage, _ in results] == [0, 2, 3, 4, 6, 1, 5]


def test_a_set_that_is_all_there_is_stays() -> None:
    pairs = _pairs(4)

    assert with_an_answer(pairs, 5, Scored({})) == pairs
