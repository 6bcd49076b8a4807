from collections import Counter

import numpy as np
import pytest
from rank_bm25 import BM25Okapi

from adaq_core.errors import CorpusError
from adaq_core.retrieval.facets import ascending
from adaq_core.retrieval.lexical import LexicalIndex, best
from adaq_core.text.tokens import tokens

TEXTS = [
    "The director of the film was born in Oslo",
    "A film directed by the painter",
    "Oslo is the capital of Norway and Oslo has a port",
    "Trade unions in Norway",
    "The port of Rotterdam handles trade",
    "Painting in the nineteenth century",
]


def index():
    return LexicalIndex.build([tokens(text) for text in TEXTS])


@pytest.mark.parametrize("query", ["Oslo port", "film director", "trade in Norway", "Oslo Oslo painter"])
def test_scores_equal_rank_bm25_with_the_idf_of_lucene(query):
    reference = BM25Okapi([tokens(text) for text in TEXTS], k1=1.2, b=0.75)
    reference.idf = {term: index().term_idf(term) for term in reference.idf}
    np.testing.assert_allclose(index().scores(query), reference.get_scores(tokens(query)), rtol=1e-4, atol=1e-5)


def test_a_weight_worked_by_hand():
    tiny = LexicalIndex.build([["a", "b"], ["b"]])
    idf = np.log(1 + 1.5 / 1.5)
    expected = idf * 2.2 / (1 + 1.2 * (0.25 + 0.75 * 2 / 1.5))
    np.testing.assert_allclose(tiny.term_scores(Counter(["a"])), [expected, 0.0], rtol=1e-6)


def test_no_text_finds_nothing():
    assert LexicalIndex.build([]).scores("anything").tolist() == []
    assert index().scores("").tolist() == [0.0] * len(TEXTS)


def test_saved_and_loaded_scores_are_equal(tmp_path):
    index().save(tmp_path)
    np.testing.assert_array_equal(LexicalIndex.load(tmp_path).scores("Oslo film"), index().scores("Oslo film"))


def test_a_folder_without_an_index_is_an_error_in_words(tmp_path):
    with pytest.raises(CorpusError, match="build the index again"):
        LexicalIndex.load(tmp_path)


def test_best_breaks_ties_by_position_and_leaves_out_zeros():
    scores = np.array([1, 0, 2, 2, 1, 2, 2, 2, 2], dtype=np.float32)
    assert best(scores, 3).tolist() == [2, 3, 5]
    assert best(scores, 99).tolist() == [2, 3, 5, 6, 7, 8, 0, 4]
    assert best(scores, 0).tolist() == []


def test_kin_share_their_first_letters():
    lexical = LexicalIndex.build([["director", "direct", "dire", "directorial"]])
    assert lexical.kin("director") == ["director", "direct", "directorial"]
    assert lexical.kin("dire") == ["dire"]
    assert lexical.kin("directing") == ["directing", "direct", "director", "directorial"]


@pytest.mark.parametrize("top_k", [1, 3, 60, 10_000])
def test_the_best_of_many_scores_are_those_of_a_full_sort(top_k):
    """Four levels, so that the edge is among ties; the last thousand scores fill no block."""
    scores = np.random.default_rng(5).choice([0, 0, 1, 2, 4], 9_000).astype(np.float32)
    expected = [place for place in np.lexsort((np.arange(9_000), -scores)).tolist() if scores[place] > 0]
    assert best(scores, top_k).tolist() == expected[:top_k]


@pytest.mark.parametrize("highest", [3, 1 << 16, (1 << 32) - 1])
def test_numbers_of_two_or_four_bytes_are_put_in_order_and_equals_stay_as_they_come(highest):
    numbers = np.array([highest, 2, highest - 1, 2, 0, highest, 1], dtype=np.int64)
    assert ascending(numbers).tolist() == np.argsort(numbers, kind="stable").tolist()


def test_term_ids_are_counted_in_each_text():
    flat = np.array([7, 0, 7, 7, 1, 0], dtype=np.int64)
    made = LexicalIndex.from_ids(flat, np.array([3, 0, 3]), {str(number): number for number in range(8)})
    assert made.starts.tolist() == [0, 2, 3, 3, 3, 3, 3, 3, 5]
    assert made.rows.tolist() == [0, 2, 2, 0, 2]
    first, _, _, twice, once = made.weights.tolist()
    assert twice > once == first
