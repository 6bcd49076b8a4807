import numpy as np

from adaq_core.model import Passage
from adaq_core.question.reading import read_question
from adaq_core.ranking.features import ARTICLE_FEATURES, Candidates, article_columns, product
from adaq_core.ranking.signals import Signals
from adaq_core.retrieval.index import PassageIndex

ARTICLE = ["Bankman went to court.", "Bankman was accused of fraud.", "Bankman spoke to reporters."]
OTHER = ["The harbour is small.", "Ships come to the harbour."]
QUESTION = "When was Bankman accused of fraud?"


def columns(question=QUESTION):
    passages = [Passage(f"a#{n}", "a", "Trial", text, position=n) for n, text in enumerate(ARTICLE)]
    passages += [Passage(f"b#{n}", "b", "Harbour", text, position=n) for n, text in enumerate(OTHER)]
    index = PassageIndex.build(passages, name="news")
    pool = Candidates(Signals(index, read_question(index, question)), range(5))
    return article_columns(pool)


def test_a_product_in_parts_is_the_product():
    rows = np.arange(20_000).reshape(400, 50) % 3 == 0
    weights = np.arange(50, dtype=np.float32)
    assert product(rows, weights).tolist() == [sum(n for n in range(50) if row[n]) for row in rows]
    assert product(rows[:0], weights).tolist() == []


def test_a_word_that_is_in_every_passage_of_an_article_tells_less_than_one_that_is_in_one():
    found = columns()
    assert found["local"].argmax() == 1
    assert found["own_words"][0] / found["own_words"][1] > found["own_local"][0] / found["own_local"][1] > 0


def test_the_passages_of_a_document_share_what_is_said_of_the_document():
    found = columns()
    for name in ("document_clause", "document_clause_rank", "document_words", "parts"):
        assert len(set(found[name][:3].tolist())) == 1
    assert found["document_words"][0] > found["document_words"][4]
    assert found["own_rank"].tolist()[:3] == [0.5, 1.0, 0.5]
    np.testing.assert_allclose(found["place_in_document"], [0, 1 / 3, 2 / 3, 0, 0.5], rtol=1e-6)


def test_every_feature_is_a_finite_number_for_each_candidate_even_when_no_word_is_known():
    for question in (QUESTION, "Zyx?", ""):
        found = columns(question)
        assert set(found) == set(ARTICLE_FEATURES)
        assert all(values.shape == (5,) and np.isfinite(values).all() for values in found.values())
