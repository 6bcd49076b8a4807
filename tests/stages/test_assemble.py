"""A fixed-size set in which each covered aspect keeps a passage: replace, do not expand."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adaq_core.events import PassagesRetrieved
from adaq_core.model import (
    AspectCoverage,
    Document,
    Finding,
    Passage,
    Provenance,
    QueryAspect,
    RankedPassage,
    Replacement,
    ScoredPassage,
)
from adaq_core.retrieval.index import DocumentRetriever, PassageIndex
from adaq_core.stages.assemble import assemble, replacements, top_ranked, wide_enough, with_amendments
from adaq_core.text.passages import cut
from tests.asking import execute


def ranked(*names):
    return [
        RankedPassage(Passage(name, name, name, name), rank, 1 / rank, Provenance(1), reason=f"rank {rank}")
        for rank, name in enumerate(names, start=1)
    ]


def finding(aspect, passage, score=0.9):
    return Finding(aspect, passage, "q", 0, 1, score)


def coverage(*names):
    return AspectCoverage([QueryAspect(name, "definition") for name in names])


def ids(chosen):
    return [r.passage.passage_id for r in chosen]


def test_without_findings_it_is_the_ranking():
    assert ids(assemble(ranked("a", "b", "c"), [], coverage("x"), k=2, threshold=0.5)) == ["a", "b"]


def test_the_only_passage_that_covers_an_aspect_takes_the_place_of_a_dispensable_one():
    chosen = assemble(ranked("a", "b", "c"), [finding("x", "c")], coverage("x"), k=2, threshold=0.5)
    assert ids(chosen) == ["a", "c"]
    assert chosen[1].covers == ("x",)
    assert "which no other passage of the evidence covers" in chosen[1].reason


def test_a_passage_that_alone_covers_another_aspect_is_never_thrown_out():
    findings = [finding("x", "b"), finding("y", "c")]
    chosen = assemble(ranked("a", "b", "c"), findings, coverage("x", "y"), k=2, threshold=0.5)
    assert ids(chosen) == ["b", "c"]


def test_when_every_passage_is_needed_the_set_stays():
    findings = [finding("x", "a"), finding("y", "b")]
    assert ids(assemble(ranked("a", "b"), findings, coverage("x", "y"), k=1, threshold=0.5)) == ["a"]


def test_the_coverage_map_can_be_switched_off():
    chosen = assemble(ranked("a", "b", "c"), [finding("x", "c")], coverage("x"), k=2, threshold=0.5, hold_aspects=False)
    assert ids(chosen) == ["a", "b"]


@settings(max_examples=60)
@given(
    st.integers(1, 6),
    st.lists(st.tuples(st.sampled_from("xyz"), st.sampled_from("abcdefgh"), st.floats(0.5, 1.0)), max_size=12),
)
def test_the_set_never_grows_past_k_and_has_no_passage_twice(k, found):
    findings = [finding(aspect, passage, score) for aspect, passage, score in found]
    chosen = assemble(ranked(*"abcdefgh"), findings, coverage(*"xyz"), k=k, threshold=0.5)
    assert len(chosen) == k
    assert len(set(ids(chosen))) == k
    assert [r.rank for r in chosen] == list(range(1, k + 1))


def test_replacements_pair_what_came_with_what_went():
    assert replacements(ranked("a", "b"), ranked("a", "c")) == (Replacement("c", "b", "rank 2"),)
    assert replacements([], ranked("a")) == (Replacement("a", "", "rank 1"),)


def test_a_retrievers_order_is_kept_as_evidence():
    hits = [
        ScoredPassage(Passage(n, n, n, n), score, rank) for rank, (n, score) in enumerate([("a", 4.0), ("b", 1.0)], 1)
    ]
    assert [(r.passage.passage_id, r.score, r.rank) for r in top_ranked(hits, hop=1, query="q")] == [
        ("a", 1.0, 1),
        ("b", 0.25, 2),
    ]


def test_a_name_of_the_question_that_no_passage_of_the_set_names_comes_in():
    pool = ranked("ant", "bee", "cow", "dog")
    chosen = assemble(pool, [], coverage("x"), k=2, threshold=0.5, entities=["ant", "cow"])
    assert ids(chosen) == ["ant", "cow"]
    assert "names “cow”, which no other passage of the evidence names" in chosen[1].reason


def test_the_only_passage_that_names_another_entity_stays():
    chosen = assemble(
        ranked("ant", "bee", "cow"), [], coverage("x"), k=2, threshold=0.5, entities=["ant", "bee", "cow"]
    )
    assert ids(chosen) == ["ant", "bee"]


@pytest.mark.parametrize(
    ("scores", "size", "kept"),
    [
        ((0.9, 0.1), 1, 2),
        ((0.9, 0.4, 0.3, 0.05), 1, 3),
        ((0.9, 0.4, 0.3, 0.25, 0.2), 2, 4),
        ((0.9, 0.8, 0.7, 0.6, 0.5, 0.4), 5, 5),
        ((0.9,), 1, 1),
    ],
)
def test_a_set_has_two_passages_and_those_nearly_as_good_up_to_four(scores, size, kept):
    chosen = [replace(r, score=score) for r, score in zip(ranked(*"abcdef"), scores, strict=False)]
    assert wide_enough(chosen, size) == kept


BASE = Passage("msa#0", "msa", "Agreement of Brook and Orlin", "6.1 Orlin tells of a breach within 48 hours.")
CHANGE = Passage(
    "change#0",
    "change",
    "Amendment 1",
    "To the agreement of Brook and Orlin. In clause 6.1 “48 hours” is replaced by “24 hours”.",
)
OTHER = Passage("lease#0", "lease", "Deed of variation", "In clause 6.1 of the lease “day” is replaced by “week”.")


def _kept(*passages):
    return [RankedPassage(p, rank, 1 / rank, Provenance(1)) for rank, p in enumerate(passages, start=1)]


def test_what_changes_the_clause_that_answers_takes_the_place_of_the_last_that_does_not():
    asked = []

    def retrieve(query):
        asked.append(query.text)
        return [ScoredPassage(p, 1.0, rank) for rank, p in enumerate((OTHER, CHANGE), start=1)]

    idle = Passage("idle#0", "idle", "Idle", "It says nothing.")
    found = Finding("x", "msa#0", BASE.text, 0, len(BASE.text), 0.4)
    chosen = with_amendments(_kept(BASE, idle), [found], retrieve, hop=1)
    assert (ids(chosen), asked) == (["msa#0", "change#0"], ["clause 6.1 Agreement of Brook and Orlin"])
    assert (chosen[1].rank, chosen[1].reason[-33:]) == (2, "; changes the clause that answers")
    assert ids(with_amendments(_kept(BASE), [found], retrieve, hop=1)) == ["msa#0"]  # no place
    assert ids(with_amendments(_kept(idle), [], retrieve, hop=1)) == ["idle#0"]


def test_that_a_clause_was_looked_up_stands_among_the_events():
    texts = {
        "Agreement of Brook and Orlin": "6.1 Orlin tells Brook of a breach of data within 48 hours.",
        "Amendment 1": "To the agreement of Brook and Orlin. In clause 6.1 “48 hours” is replaced by “24 hours”.",
        "Canteen": "The canteen of Orlin tells its guests of new soups within 48 hours.",
    }
    documents = [Document(title, title, text) for title, text in texts.items()]
    passages = [passage for document in documents for passage in cut(document)]
    corpus = DocumentRetriever(PassageIndex.build(passages, name="contracts"))
    events = list(execute("adaptive", "How fast must Orlin tell of a breach?", retriever=corpus))
    sought = [event.query.text for event in events if isinstance(event, PassagesRetrieved)]
    assert sought.count("clause 6.1 Agreement of Brook and Orlin") == 1
