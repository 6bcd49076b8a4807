"""A corpus and fetched passages in one ranking, on the corpus's own scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from adaq_core.errors import CorpusError, SourceError
from adaq_core.model import Document, Passage, ScoredPassage
from adaq_core.retrieval.dense import PassageVectors
from adaq_core.retrieval.index import DocumentRetriever, PassageIndex, score_of
from adaq_core.sources.documents import document_found
from adaq_core.sources.live import JoinedIndex, JoinedVectors, Live, TextSimilarity
from adaq_core.sources.live import joined as joined_to

HERE = {
    "tesla#0": "Tesla faces a recall of cars.",
    "boeing#0": "Boeing faces a strike of workers.",
    "tea#0": "Tea is a drink made of leaves.",
}
THERE = {"rivian": "Rivian faces a recall of vans.", "drink": "A drink of water."}


@dataclass
class LetterEncoder:
    """A unit vector that counts letters; it remembers what it was asked."""

    key: str = "letters"
    dimension: int = 26
    asked: list[str] = field(default_factory=list)

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        self.asked.extend(texts)
        rows = np.full((len(texts), self.dimension), 1e-3, np.float32)
        for row, text in zip(rows, texts, strict=True):
            for letter in text.lower():
                if "a" <= letter <= "z":
                    row[ord(letter) - ord("a")] += 1
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def live(*names: str, similarity: TextSimilarity | None = None) -> Live:
    """The collection of a run whose one source cannot be reached, with chosen documents in it."""
    made = Live(("searxng",), SourceError("not here"), similarity=similarity)
    documents = [
        document_found("searxng", url=f"https://{n}.example", title=n, text=THERE[n], whole=True) for n in names
    ]
    made.collection.add(documents)
    return made


def corpus(**texts: str) -> PassageIndex:
    return PassageIndex.build(
        [Passage(key, key.partition("#")[0], key.partition("#")[0], text) for key, text in texts.items()], name="c"
    )


def titles(hits: Sequence[ScoredPassage]) -> list[str]:
    return [hit.passage.title for hit in hits]


def test_a_fetched_passage_has_the_score_that_it_would_have_in_the_corpus() -> None:
    """The same text in a corpus of the same idf: equal words, equal scores."""
    index = corpus(**HERE)
    twin: Document = document_found(
        "searxng", url="https://twin.example", title="tesla", text=HERE["tesla#0"], whole=True
    )
    run = live()
    run.collection.add([Document("searxng:twin", "tesla", twin.text)])
    first, second = JoinedIndex(index, run).search("a recall of cars")[:2]
    assert {first.passage.document_id, second.passage.document_id} == {"tesla", "searxng:twin"}
    assert first.score == pytest.approx(second.score, abs=1e-5)


def test_a_name_that_the_corpus_does_not_know_counts_as_its_rarest_word() -> None:
    joined = JoinedIndex(corpus(**HERE), live("rivian", "drink"))
    assert titles(joined.search("What recall does Rivian face?")) == ["rivian", "tesla", "boeing"]


def test_what_was_fetched_for_something_else_comes_last() -> None:
    joined = JoinedIndex(corpus(**HERE), live("drink", "rivian"))
    assert titles(joined.search("tea leaves as a drink"))[0] == "tea"


def test_an_empty_corpus_leaves_the_fetched_passages() -> None:
    joined = JoinedIndex(corpus(), live("rivian", "drink"))
    assert titles(joined.search("recall of vans")) == ["rivian"]
    assert joined.search("") == []
    assert score_of("of the", joined.live.collection.passages[0], joined.stored) == 0.0


def test_all_else_is_the_corpus() -> None:
    index = corpus(**HERE)
    joined = JoinedIndex(index, live("rivian"))
    fetched = joined.live.collection.passages[0]
    assert joined.card == index.card
    assert (joined.passage("tea#0"), joined.passage(fetched.passage_id)) == (index.passage("tea#0"), fetched)
    assert (joined.graph, joined.facets, joined.acronyms) == (index.graph, index.facets, index.acronyms)
    with pytest.raises(CorpusError, match="no passage"):
        joined.position(fetched.passage_id)
    assert DocumentRetriever(joined_to(index, joined.live)).name == "bm25 + live sources"


def test_meaning_compares_both_by_the_corpus_embedder_and_encodes_a_text_once() -> None:
    index, encoder = corpus(**HERE), LetterEncoder()
    vectors = PassageVectors(index, encoder)
    vectors.compute()
    compare = TextSimilarity(vectors)
    joined = JoinedVectors(vectors, live("rivian", "drink", similarity=compare), compare)
    hits = joined.search("Rivian recalls vans", 3)
    assert titles(hits)[0] == "rivian"
    assert [hit.rank for hit in hits] == [1, 2, 3]
    ids = [hits[0].passage.passage_id, "tea#0"]
    assert joined.similarity("Rivian recalls vans", ids)[0] == pytest.approx(hits[0].score)
    assert joined.similarity("Rivian recalls vans", ["tea#0"]) == vectors.similarity("Rivian recalls vans", ["tea#0"])
    assert len(encoder.asked) == len(set(encoder.asked))


def test_what_cannot_be_reached_is_told_for_every_query_once() -> None:
    run = live("rivian")
    joined = JoinedIndex(corpus(**HERE), run)
    for query in ("recall of vans", "Recall of vans?", "tea"):
        joined.search(query)
    assert [(event.hop, event.query, event.reports[0].error) for event in run.drain(2)] == [
        (2, "recall of vans", "not here"),
        (2, "tea", "not here"),
    ]
    assert run.drain(2) == []
