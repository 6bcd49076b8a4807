"""What every corpus behind the port keeps to, whatever holds it."""

import numpy as np
import pytest

from adaq_core.errors import CorpusError, SourceError
from adaq_core.model import Document, Passage
from adaq_core.retrieval import DAY, Blend, Corpus, Demand, Filed, Highest, Preference
from adaq_core.retrieval.index import PassageIndex
from adaq_core.retrieval.milvus import copy, open_corpus
from adaq_core.sources.live import Live, joined

PASSAGES = [
    Passage("film#0", "film", "Citizen Kane", "Citizen Kane was directed by Orson Welles.", "Wire", "2024-05-01"),
    Passage(
        "film#1", "film", "Citizen Kane", "It opened in New York. The film was shown for months.", "Wire", "2024-05-01"
    ),
    Passage(
        "paper#0",
        "paper",
        "Daily Bugle",
        "The Bugle wrote of Orson Welles and his film.",
        "Post",
        "2024-05-02",
        metadata=(("company", "Daily Bugle"), ("form", "10-K")),
    ),
    Passage("town#0", "town", "Kenosha", "Kenosha is a city where Orson Welles was born.", "Post", "2024-05-02"),
    Passage(
        "welles#0", "welles", "Orson Welles", "Orson Welles was a director, born in Kenosha.", "Wire", "2024-05-03"
    ),
]
PLACES = range(len(PASSAGES))
EXTRA = Document("searxng:drink", "Drink", "A drink of water.")


def in_memory(_folder):
    return PassageIndex.build(PASSAGES, name="port")


def stored(folder):
    in_memory(folder).save(folder)
    return PassageIndex.load(folder)


def with_live_sources(folder):
    live = Live(("searxng",), SourceError("not here"))
    live.collection.add([EXTRA])
    return joined(in_memory(folder), live)


def in_milvus(folder, *, counts_words=False):
    pytest.importorskip("milvus_lite", reason="milvus-lite is not installed: pip install .[milvus]")
    path = folder / f"port{counts_words}.db"
    if not path.exists():
        copy(in_memory(folder), f"milvus:{path}", counts_words=counts_words)
    return open_corpus(f"milvus:{path}").for_run()


def by_milvus_own_bm25(folder):
    return in_milvus(folder, counts_words=True)


KINDS = [in_memory, stored, with_live_sources, in_milvus, by_milvus_own_bm25]


COPIED_ONCE = (in_milvus, by_milvus_own_bm25)


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    return tmp_path_factory.mktemp("milvus")


@pytest.fixture(params=KINDS, ids=lambda made: made.__name__)
def corpus(request, tmp_path, copied) -> Corpus:
    return request.param(copied if request.param in COPIED_ONCE else tmp_path)


def places_of(corpus, *ids):
    return [corpus.position(key) for key in ids]


def test_a_passage_is_fetched_by_its_place_and_found_by_its_id(corpus):
    assert corpus.size == len(PASSAGES)
    assert corpus.fetch(PLACES) == PASSAGES
    assert [corpus.position(passage.passage_id) for passage in PASSAGES] == list(PLACES)
    assert corpus.passage("town#0") == PASSAGES[3]


def test_an_id_of_no_passage_has_no_place(corpus):
    assert corpus.place_of("nobody#0") is None
    with pytest.raises(CorpusError, match="no passage"):
        corpus.position("nobody#0")


def test_search_gives_the_best_first_with_the_scores_of_its_terms(corpus):
    hits = corpus.search("directed by Welles", top_k=3)
    scores = corpus.weigh({"direct": 1.0, "well": 1.0})
    assert [hit.rank for hit in hits] == [1, 2, 3]
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert hits[0].passage.passage_id in {"film#0", "welles#0"}
    best = scores.best(3).tolist()
    assert scores.of(best).tolist() == sorted(scores.of(PLACES).tolist(), reverse=True)[:3]
    assert scores.top == scores.of(best)[0]


def test_a_term_that_no_passage_holds_scores_nothing(corpus):
    nothing = corpus.weigh({"zyx": 2.0})
    assert (nothing.top, nothing.best(5).tolist(), nothing.of(PLACES).tolist()) == (0.0, [], [0.0] * 5)
    assert (corpus.term_idf("zyx"), corpus.term_count("zyx"), corpus.kin("zyx")) == (0.0, 0, ["zyx"])


def test_terms_have_their_counts_and_their_kin(corpus):
    assert corpus.term_count("kenosha") == 2
    assert corpus.term_idf("kenosha") > corpus.term_idf("orson") > 0
    assert corpus.kin("director")[0] == "director"
    assert corpus.any_holds(["kenosha", "citi"])
    assert not corpus.any_holds(["kenosha", "bugl"])
    assert not corpus.any_holds([])
    corpus.expect_together([["orson", "kenosha"], ["kenosha", "bugl"], []])
    assert corpus.any_holds(["kenosha", "orson"])
    assert not corpus.any_holds(["bugl", "kenosha"])


def test_in_a_blend_the_best_has_one_a_preference_raises_and_a_demand_lowers(corpus):
    film, paper = places_of(corpus, "film#1", "paper#0")
    film_only = ((("film",), 1.0),)
    post = corpus.facets.values["source"].index("Post")
    preferred = Blend(film_only, (Preference("source", (((post,), 5.0),)),))
    demanded = Blend(film_only, demands=(Demand("source", (post,), 0.1),))
    plain, liked, wanted = corpus.blend([Blend(film_only), preferred, demanded])
    assert plain.top == liked.top == wanted.top == 1.0
    assert liked.best(1).tolist() == wanted.best(1).tolist() == [paper]
    assert liked.of([film])[0] < plain.of([film])[0]
    assert wanted.of(places_of(corpus, "town#0")).tolist() == [0.0]


def test_a_day_is_preferred_as_a_value_is(corpus):
    of_day = Preference(DAY, (((20240503,), 3.0),))
    (scores,) = corpus.blend([Blend(((("orson",), 1.0),), (of_day,))])
    assert scores.best(1).tolist() == places_of(corpus, "welles#0")


def test_the_highest_of_several_scores_is_that_of_every_passage(corpus):
    parts = [corpus.weigh({term: 1.0}) for term in ("film", "kenosha", "well")]
    highest = Highest(parts)
    every = np.max([part.of(PLACES) for part in parts], axis=0)
    assert highest.of(PLACES).tolist() == every.tolist()
    assert highest.best(3).tolist() == np.lexsort((PLACES, -every))[:3].tolist()
    assert highest.top == every.max()
    assert (Highest([]).top, Highest([]).best(3).tolist(), Highest([]).of([0]).tolist()) == (0.0, [], [0.0])


def test_a_document_knows_its_passages_and_its_metadata(corpus):
    documents = corpus.documents_of(PLACES)
    assert corpus.documents == 4
    assert corpus.sizes_of(documents).tolist() == [2, 2, 1, 1, 1]
    assert corpus.firsts_of(documents).tolist() == [0, 0, 2, 3, 4]
    values = corpus.facets.values["source"]
    assert [values[code] for code in corpus.codes_of("source", documents)] == [p.source for p in PASSAGES]
    assert corpus.codes_of(DAY, documents[:1]).tolist() == [20240501]
    assert corpus.codes_of("colour", documents).tolist() == [-1] * 5
    assert dict(zip(values, corpus.value_counts("source").tolist(), strict=True)) == {"Post": 2, "Wire": 3}
    assert dict(zip(values, corpus.value_counts("source", "kenosha").tolist(), strict=True)) == {"Post": 1, "Wire": 1}


def test_terms_are_counted_by_document(corpus):
    documents = np.unique(corpus.documents_of(PLACES))
    assert corpus.held_in(["film", "kenosha"], documents).tolist() == [[1, 1, 0, 0], [0, 0, 1, 1]]
    assert corpus.held_in(["kenosha"], documents[[3, 0, 3]]).tolist() == [[1, 0, 1]]


def test_pieces_that_hold_a_term_are_found_its_kin_apart(corpus):
    matches, with_kin = corpus.matches(places_of(corpus, "welles#0"), [["directed", "director"], ["zyx"]])
    assert matches.starts.tolist() == [0, 2]
    assert matches.contained.tolist() == [[False, False], [False, False]]
    assert with_kin.tolist() == [[False, False], [True, False]]


def test_the_names_of_documents_are_found_in_a_text(corpus):
    spans = corpus.named("When was Orson Welles born in Kenosha?")
    assert [(name.key, name.span) for name in spans] == [("orson welles", (9, 21)), ("kenosha", (30, 37))]
    (document, sure), *rest = spans[0].documents
    assert corpus.fetch(corpus.firsts_of([document])) == [PASSAGES[4]]
    assert (sure, rest) == (1.0, [])


def test_who_mentions_a_name_is_who_holds_it(corpus):
    mentions = corpus.mentions(PLACES)
    for place in PLACES:
        for _, number in mentions.pairs(place):
            name = corpus.name(number)
            assert place in name.holders
            assert name.held_by == len(name.holders)
    welles = {number for _, number in mentions.pairs(0) if corpus.name(number).key == "orson welles"}
    assert [sentence for sentence, number in mentions.pairs(0) if number in welles] == [0]


def test_links_go_both_ways_alike(corpus):
    out, back = corpus.links(PLACES), corpus.linked_from(PLACES)
    forth = set(zip(np.repeat(PLACES, np.diff(out.starts)).tolist(), out.places.tolist(), strict=True))
    again = set(zip(back.places.tolist(), np.repeat(PLACES, np.diff(back.starts)).tolist(), strict=True))
    assert forth == again == {(0, 4), (2, 4), (3, 4), (4, 3)}
    assert sorted(out.weights.tolist()) == sorted(back.weights.tolist())
    assert corpus.naming([3, 4]).tolist() == [1.0, 3.0]
    assert corpus.link_density == pytest.approx(4 / 5)
    assert corpus.is_linked


def test_a_document_whose_card_names_a_form_is_a_filing_and_is_read_whole(corpus):
    [filed] = corpus.filed
    [number] = corpus.documents_of([2]).tolist()
    assert filed == Filed(number, number, 2, 1, dict(PASSAGES[2].metadata))
    corpus.will_read(filed.places)
    assert corpus.read(filed.places) == [PASSAGES[2]]
    sentences = corpus.sentences_of(filed.places)
    terms = {number: term for term, number in corpus.vocabulary.items()}
    assert [terms[number] for number in sentences.terms.tolist()] == ["bugl", "wrote", "orson", "well", "film"]
    assert (sentences.sizes.tolist(), sentences.counts.tolist()) == ([5], [1])


def test_passages_are_scored_and_found_by_all_of_their_terms_without_a_search(corpus):
    terms = {"orson": 1.0, "film": 0.5}
    assert corpus.score_terms(terms, PLACES).tolist() == corpus.weigh(terms).of(PLACES).tolist()
    groups = [["orson", "well"], ["film"], ["film", "kenosha"], []]
    assert [places.tolist() for places in corpus.all_holding(groups)] == [[0, 2, 3, 4], [1, 2], [], []]


def test_what_live_sources_brought_has_no_place_but_is_searched(tmp_path):
    corpus = with_live_sources(tmp_path)
    fetched = corpus.search("a drink of water")[0].passage
    assert (fetched.document_id, corpus.place_of(fetched.passage_id)) == (EXTRA.document_id, None)
    assert corpus.passage(fetched.passage_id) == fetched
    assert (corpus.is_stored, corpus.stored.is_stored, corpus.also) == (False, True, " + live sources")
    assert corpus.stored.search("a drink of water") == []
