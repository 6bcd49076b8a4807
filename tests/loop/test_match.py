"""What covers an aspect, what does not, and why."""

import pytest

from adaq_core.loop.match import match
from adaq_core.loop.read import read
from adaq_core.loop.terms import share, uniform
from adaq_core.model import Constraint, Passage, QueryAspect


def passage(title, text, **kwargs):
    return Passage(f"{title}#0", title, title, text, **kwargs)


DEFINITION = QueryAspect(
    "Definition of self-attention", "definition", keywords=("self-attention",), subject="self-attention"
)


def score(aspect, given, **kwargs):
    found = match(aspect, given, weigh=uniform, **kwargs)
    return 0.0 if found is None else found.score


def test_a_defining_sentence_covers_a_definition():
    given = passage(
        "Transformers", "Much is said. Self-attention is a mechanism that relates the tokens of one sequence."
    )
    assert score(DEFINITION, given) >= 0.9


def test_a_mere_mention_does_not_cover_a_definition():
    given = passage("Hardware", "The chip speeds up self-attention by a factor of two.")
    assert 0 < score(DEFINITION, given) < 0.5


def test_a_shared_common_word_does_not_match_at_all():
    given = passage("Drivers", "Attention is a scarce resource: a driver who pays attention is safe.")
    assert match(DEFINITION, given, weigh=lambda term: 3.0 if term == "self" else 0.2) is None


def test_nothing_matches_an_empty_passage():
    assert match(DEFINITION, passage("", ""), weigh=uniform) is None


def test_the_match_names_its_sentence_and_words():
    text = "An aside. Self-attention is a mechanism of transformers."
    found = match(DEFINITION, passage("T", text), weigh=uniform)
    first = found.sentences[0][1]
    assert text[first.start : first.end] == "Self-attention is a mechanism of transformers."
    assert found.words == ("Self-attention",)


def test_a_comparison_needs_both_things_in_one_passage():
    aspect = QueryAspect("Comparison between BM25 and ColBERT", "comparison", subject="BM25 and ColBERT")
    one = passage("BM25", "BM25 differs from older formulas, whereas those are simpler.")
    both = passage("BM25 and ColBERT", "BM25 matches words, whereas ColBERT compares vectors of tokens.")
    assert score(aspect, one) == 0.0
    assert score(aspect, both) == 1.0


def test_a_facet_is_covered_by_a_passage_about_it_not_by_an_aside():
    aspect = QueryAspect("Legal risks of Tesla", "facet", keywords=("legal", "lawsuit", "court"), subject="Tesla")
    about = passage("Tesla: legal risk", "Tesla faces a lawsuit. A court heard Tesla in May.")
    aside = passage(
        "Tesla: overview", "Tesla makes cars. Tesla has plants. Tesla was in court once. Tesla sells batteries."
    )
    other = passage("Apple: legal risk", "Apple faces a lawsuit. A court heard Apple.")
    assert score(aspect, about) >= 0.9
    assert 0 < score(aspect, aside) < 0.5
    assert score(aspect, other) == 0.0


def test_a_passage_of_another_firm_that_names_the_subject_once_does_not_cover_its_facet():
    aspect = QueryAspect("Supply risks of NVIDIA", "facet", keywords=("supply chain", "supplier"), subject="NVIDIA")
    apple = passage(
        "Apple: supply chain",
        "The supply chain of Apple is long. A supplier of Apple failed. NVIDIA also buys at TSMC.",
    )
    assert score(aspect, apple) < 0.5


def test_asking_for_disadvantages_is_not_answered_by_advantages():
    aspect = QueryAspect("Disadvantages of BM25", "evaluation", keywords=("bm25", "disadvantages"), subject="BM25")
    praise = passage("Praise of BM25", "BM25 is fast and robust.")
    blame = passage("Limits of BM25", "BM25 fails when words differ. A further weakness of BM25 is word order.")
    assert score(aspect, blame) > 0.7
    assert score(aspect, praise) < 0.5


def test_a_title_shows_where_the_subject_of_a_process_ends():
    name = "reciprocal rank fusion merge ranked lists"
    aspect = QueryAspect(f"Process/mechanism of {name}", "process", keywords=tuple(name.split()), subject=name)
    text = "Reciprocal rank fusion adds the reciprocal of each rank. It needs no training."
    merging = "Reciprocal rank fusion combines ranked lists: each document gets a weighted sum of reciprocal ranks."
    assert score(aspect, passage("Reciprocal rank fusion", merging)) == 1.0
    assert score(aspect, passage("Reciprocal rank fusion (RRF)", merging)) == 1.0
    assert score(aspect, passage("Mean reciprocal rank", text)) < 0.5


def test_a_cause_is_found_by_its_own_words_where_no_typical_word_stands():
    name = "door plug accident on the Alaska Airlines 737 MAX 9"
    aspect = QueryAspect("Causes", "causal", keywords=("door", "plug", "accident"), subject=name)
    told = passage(
        "Boeing: safety", "On an Alaska Airlines 737 MAX 9 a door plug blew out; four bolts were missing. An accident."
    )
    other = passage("Boeing: orders", "Alaska Airlines ordered the 737 MAX 9 from Boeing.")
    assert score(aspect, told) >= 0.5
    assert score(aspect, other) == 0.0


def test_an_alias_of_the_subject_is_the_subject():
    aspect = QueryAspect(
        "Definition of RNNs", "definition", keywords=("rnns",), subject="RNNs", aliases=("Recurrent neural network",)
    )
    given = passage("Recurrent neural network", "A recurrent neural network is a network with a memory.")
    assert score(aspect, given) == 1.0


def test_a_named_source_that_differs_lowers_the_score():
    wanted = (Constraint("source", "TechCrunch"),)
    aspect = QueryAspect("Amazon reports a discount", "entity", keywords=("amazon", "discount"), constraints=wanted)
    text = "Amazon announced a discount."
    right, wrong = passage("a", text, source="TechCrunch"), passage("b", text, source="The Verge")
    assert score(aspect, right) == 1.0
    assert score(aspect, wrong) == pytest.approx(0.6)
    assert score(aspect, wrong, constrain=False) == 1.0


def test_share_weighs_rare_words_more():
    weights = {"rare": 3.0, "common": 1.0}
    assert share(["rare", "common"], frozenset(["rare"]), weights.__getitem__) == 0.75
    assert share([], frozenset(), uniform) == 1.0


def test_findings_quote_the_passage_exactly():
    given = passage("Self-attention", "Self-attention is a mechanism. It relates tokens of one sequence to each other.")
    found = read([DEFINITION], [(given, 1.0)], weigh=uniform)
    assert [f.quote for f in found] == ["Self-attention is a mechanism."]
    assert all(given.text[f.start : f.end] == f.quote for f in found)


def test_relevance_and_meaning_move_the_score_but_never_create_it():
    given = passage("Self-attention", "Self-attention is a mechanism.")
    off = passage("Cooking", "Boil the water.")

    def best(given, relevance, meaning=None):
        similar = None if meaning is None else lambda _aspect, _passage: meaning
        return max(
            (f.score for f in read([DEFINITION], [(given, relevance)], weigh=uniform, similar=similar)), default=0.0
        )

    assert best(given, 0.0) == pytest.approx(0.85)
    assert best(given, 1.0) == 1.0
    assert best(given, 0.0, meaning=0.7) == pytest.approx(0.85 * 1.02)
    assert best(given, 0.0, meaning=0.1) == pytest.approx(0.85 * 0.92)
    assert best(off, 1.0, meaning=0.99) == 0.0
