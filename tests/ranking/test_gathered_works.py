"""Where the evidence lies in one long document, its passages are not held back and lend each other weight."""

import numpy as np
import pytest

from adaq_core.model import Passage, QueryAspect
from adaq_core.ranking.topic_pool import TopicPool, Works, gathered, lent_by_neighbours, same_work_factors
from adaq_core.retrieval.index import PassageIndex

PARTS = 12


@pytest.fixture
def index():
    long = [Passage(f"minutes#{n}", "minutes", "Minutes", f"Item {n} of the meeting.") for n in range(PARTS)]
    short = [Passage(f"note#{n}", "note", "Note", f"Note {n}.") for n in range(2)]
    return PassageIndex.build(long + short, name="minutes")


def test_a_work_with_three_of_the_ten_best_is_where_the_evidence_is_gathered():
    utility = np.array([0.9, 0.8, 0.7, 0.6, *[0.5] * 6, 0.1, 0.1])
    assert gathered(utility, ["a", "a", "a", "b", "b", *"cdefg", "b", "b"]) == {"a": 0.3}


def test_further_passages_are_held_back_only_of_works_that_hold_less():
    utility = np.array([0.9, 0.8, 0.7, 0.6])
    assert same_work_factors(utility, ["a", "a", "a", "b"]).tolist() == [1.0, 1.0, 1.0, 0.7]


class Silent:
    """Reads passages that say nothing."""

    def at_most(self, _passage):
        return 1.0

    def best(self, _passage):
        return 0.0


def test_neighbours_are_the_passages_before_and_after_in_a_long_work(index):
    works = Works(index)
    assert works.neighbours("minutes#4") == ["minutes#3", "minutes#5"]
    assert works.neighbours("minutes#0") == ["minutes#1"]
    assert works.neighbours(f"minutes#{PARTS - 1}") == [f"minutes#{PARTS - 2}"]
    assert works.neighbours("note#0") == []


def test_the_better_neighbour_lends_by_the_share_that_the_work_has_of_the_best(index):
    keys = ["minutes#3", "minutes#4", "minutes#5", "note#0"]
    lent = lent_by_neighbours(np.array([1.0, 0.2, 0.5, 0.9]), keys, Works(index))
    assert lent == pytest.approx([0.8 * 0.3 * 0.2, 0.8 * 0.3 * 1.0, 0.8 * 0.3 * 0.2, 0.0])


def test_a_passage_between_two_good_ones_becomes_a_candidate_though_no_word_of_it_was_asked():
    texts = ["Budget plans of the council."] * 3 + ["Thank you."] + ["Budget plans of the council."] * 3
    parts = [Passage(f"m#{n}", "m", "Minutes", text) for n, text in enumerate(texts + ["Other things."] * 6)]
    pool = TopicPool(PassageIndex.build(parts, name="council"), "budget plans", Silent)
    pool.seed()
    assert "m#3" in {ranked.passage.passage_id for ranked in pool.select(10).ranked}


@pytest.mark.parametrize(
    ("question", "works"), [("Which contracts allow early termination?", 3), ("early termination", 1)]
)
def test_a_question_that_chooses_among_documents_gets_a_passage_of_each(question: str, works: int) -> None:
    clause = "The tenant may ask for early termination of the contract"
    parts = [Passage(f"a#{n}", "a", "Lease A", f"{clause} on early termination notice {n}.") for n in range(6)]
    parts += [Passage(f"{x}#0", x, f"Lease {x.upper()}", f"{clause} by letter.") for x in "bc"]
    parts += [Passage(f"d#{n}", "d", "Lease D", f"Rent is due on day {n} of each month.") for n in range(9)]
    pool = TopicPool(PassageIndex.build(parts, name="leases"), question, Silent)
    pool.seed()
    assert len({ranked.passage.document_id for ranked in pool.select(3).ranked}) == works


def test_the_opening_of_a_long_document_that_says_what_the_subject_is_is_as_near_as_any_of_it():
    texts = ["We present Kiln, a store for potters.", *["Kiln, Kiln and Kiln."] * 40]
    parts = [Passage(f"kiln#{n}", "kiln", "Stores", text, position=n) for n, text in enumerate(texts)]
    asked = QueryAspect("Definition of Kiln", "definition", keywords=("Kiln",), subject="Kiln")
    pool = TopicPool(PassageIndex.build(parts, name="stores"), "What is Kiln?", Silent, aspects=[asked])
    pool.seed()
    assert pool.select(5).ranked[0].passage.passage_id == "kiln#0"
