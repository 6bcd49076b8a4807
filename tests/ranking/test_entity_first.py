"""The entity document's criteria, and what users of names expect."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adaq_core import EntityFirstRanker

ranker = EntityFirstRanker(replacement_threshold=0.1)


def chunk(content, number=0):
    return {"content": content, "id": number}


def test_a_chunk_with_two_of_three_entities_scores_two_thirds():
    score, found = ranker.compute_entity_coverage(chunk("SEAL-RAG uses DPR for retrieval"), ["SEAL-RAG", "DPR", "BM25"])
    assert (score, set(found)) == (pytest.approx(2 / 3), {"SEAL-RAG", "DPR"})


def test_case_does_not_matter():
    assert ranker.compute_entity_coverage(chunk("seal-rag outperforms crag"), ["SEAL-RAG", "CRAG"])[0] == 1.0


@pytest.mark.parametrize(
    ("text", "entity", "named"),
    [
        ("The aircraft landed", "CRAG", False),
        ("CRAG's evaluator", "CRAG", True),
        ("The United States imposed it", "U.S.", True),
        ("U.S. rules", "United States", True),
        ("The rules of the US agency", "United States", True),
        ("He told us so", "United States", False),
        ("Amélie is a film", "Amelie", True),
        ("query expansion", "query", True),
        ("", "CRAG", False),
        ("CRAG", "", False),
    ],
)
def test_names_are_whole_words_under_any_of_their_names(text, entity, named):
    assert (ranker.compute_entity_coverage(chunk(text), [entity])[0] == 1.0) is named


def test_aliases_can_be_given():
    aware = EntityFirstRanker(aliases={"Corrective RAG": ["CRAG"]})
    assert aware.compute_entity_coverage(chunk("CRAG grades passages"), ["Corrective RAG"])[0] == 1.0


def test_a_new_chunk_with_more_missing_entities_is_a_candidate():
    new = [chunk("SEAL-RAG specifically uses entity extraction", 2)]
    candidates = ranker.find_replacement_candidates(
        [chunk("Generic RAG info", 1)], new, ["SEAL-RAG", "entity extraction"]
    )
    assert candidates == [(0, new[0], 1.0)]


def test_a_chunk_that_is_not_better_is_no_candidate():
    current = [chunk("SEAL-RAG uses entity extraction for gap detection")]
    assert (
        ranker.find_replacement_candidates(current, [chunk("Machine learning")], ["SEAL-RAG", "entity extraction"])
        == []
    )


def test_the_budget_is_never_exceeded():
    current = [chunk(f"chunk {i}", i) for i in range(5)]
    result, missing = ranker.replace_chunks(current, [chunk("SEAL-RAG info", 100)], ["SEAL-RAG"], budget=5)
    assert (len(result), missing) == (5, [])
    assert 100 in [c["id"] for c in result]


def test_gaps_are_filled_one_after_the_other():
    new = [chunk("SEAL-RAG is a method", 2), chunk("CRAG uses correction", 3)]
    result, missing = ranker.replace_chunks([chunk("Generic", 1)], new, ["SEAL-RAG", "CRAG", "Self-RAG"], budget=3)
    assert ([c["id"] for c in result], missing) == ([1, 2, 3], ["Self-RAG"])


def test_precision_of_the_first_three_is_above_eighty_percent():
    texts = [
        ("SEAL-RAG achieves 96% precision on HotpotQA", True),
        ("Machine learning is popular", False),
        ("HotpotQA is a multi-hop benchmark", True),
        ("Python is a programming language", False),
        ("Precision measures retrieval quality", True),
    ]
    chunks = [{"content": text, "relevant": relevant} for text, relevant in texts]
    top = ranker.rank_by_entity_coverage(chunks, ["SEAL-RAG", "HotpotQA", "precision"], top_k=3)
    assert [c["relevant"] for c in top] == [True, True, True]


def test_an_entity_held_by_one_chunk_only_is_never_thrown_out():
    current = [chunk("CRAG", 1), chunk("SEAL-RAG and DPR", 2)]
    result, missing = ranker.replace_chunks(
        current, [chunk("DPR and BM25 and SEAL-RAG", 3)], ["CRAG", "SEAL-RAG", "DPR", "BM25"], budget=2
    )
    assert ([c["id"] for c in result], missing) == ([1, 3], [])


def test_ties_keep_the_order_given():
    chunks = [chunk("CRAG one", 1), chunk("CRAG two", 2), chunk("none", 3)]
    assert [c["id"] for c in ranker.rank_by_entity_coverage(chunks, ["CRAG"])] == [1, 2, 3]


def test_empty_inputs_are_defined():
    assert ranker.compute_entity_coverage({}, []) == (0.0, [])
    assert ranker.rank_by_entity_coverage([], ["CRAG"], top_k=3) == []
    assert ranker.find_replacement_candidates([], [], []) == []
    assert ranker.replace_chunks([], [], ["CRAG"], budget=2) == ([], ["CRAG"])
    assert ranker.replace_chunks([chunk("CRAG")], [], ["CRAG"], budget=0) == ([], ["CRAG"])


entities = st.lists(st.sampled_from(["ant", "bee", "cow", "dog"]), unique=True)


@given(st.lists(entities, max_size=5), st.lists(entities, max_size=5), entities, st.integers(0, 5))
def test_replacing_never_loses_an_entity_and_never_exceeds_the_budget(current, new, wanted, budget):
    def named(groups):
        return [chunk(" ".join(group), i) for i, group in enumerate(groups)]

    kept = named(current)[:budget]
    result, missing = ranker.replace_chunks(named(current), named(new), wanted, budget=budget)
    before = {e for c in kept for e in wanted if e in c["content"]}
    after = {e for c in result for e in wanted if e in c["content"]}
    assert len(result) <= budget
    assert before <= after
    assert set(missing) == set(wanted) - after


def test_ranking_a_hundred_chunks_is_quick_and_linear():
    def seconds(count):
        chunks = [chunk(f"content {i} " * 40, i) for i in range(count)]
        began = time.thread_time()
        for _ in range(3):
            ranker.rank_by_entity_coverage(chunks, ["SEAL-RAG", "CRAG", "DPR"], top_k=10)
        return (time.thread_time() - began) / 3

    hundred, thousand = min(seconds(100) for _ in range(3)), min(seconds(1000) for _ in range(3))
    assert hundred < 0.25
    assert thousand < 40 * hundred
