from __future__ import annotations

from collections.abc import Sequence

import pytest

from adaq_core.errors import CorpusError
from adaq_core.model import Document, SourceReport
from adaq_core.sources.documents import document_found
from adaq_core.sources.live import LiveCollection

TEXTS = {
    "recall": "Tesla recalled two million cars after the regulator objected to its driver assistance.",
    "prices": "Tesla cut the prices of its cars in China.",
    "union": "The union of metal workers in Sweden went on strike against Tesla.",
    "weather": "It will rain in the north tomorrow.",
}


def documents(name: str = "news_api", texts: dict[str, str] = TEXTS) -> list[Document]:
    return [
        document_found(
            name, url=f"https://{key}.example/", title=key, text=text, whole=True, source="Daily", date="2024-04-26"
        )
        for key, text in texts.items()
    ]


def titles(collection: LiveCollection, query: str, top_k: int = 10) -> list[str]:
    return [hit.passage.title for hit in collection.retrieve(query, top_k=top_k)]


def test_it_retrieves_best_first_from_rank_one() -> None:
    collection = LiveCollection()
    collection.add(documents())
    hits = collection.retrieve("regulator and the Tesla recall", top_k=2)
    assert [(hit.passage.title, hit.rank) for hit in hits] == [("recall", 1), ("prices", 2)]
    assert hits[0].score > hits[1].score > 0


def test_only_passages_that_share_a_word_are_found() -> None:
    collection = LiveCollection()
    collection.add(documents())
    assert titles(collection, "strike in Sweden") == ["union"]
    assert titles(collection, "football") == []
    assert titles(collection, "the of and") == []
    assert titles(collection, "") == []
    assert titles(collection, "Tesla", top_k=0) == []


def test_a_word_of_every_passage_still_counts() -> None:
    """BM25Okapi would give such a word a negative worth, and nothing at all in a collection of two."""
    collection = LiveCollection()
    collection.add(documents(texts={key: TEXTS[key] for key in ("recall", "prices")}))
    assert set(titles(collection, "Tesla")) == {"recall", "prices"}
    assert titles(collection, "China") == ["prices"]
    one = LiveCollection()
    one.add(documents(texts={"recall": TEXTS["recall"]}))
    assert titles(one, "Tesla") == ["recall"]


def test_scores_are_bm25_as_in_a_corpus() -> None:
    """By hand: one passage of 4 index terms (title, source, date 5, text 1) among two of equal length."""
    from math import log

    collection = LiveCollection()
    collection.add(
        [document_found("a", url=f"https://{n}.example/", title="t", text=text, whole=True, source="s") for n, text in
         (("1", "zebra lion"), ("2", "tiger bear"))]
    )  # fmt: skip
    (hit,) = collection.retrieve("zebra")
    assert hit.score == pytest.approx(log(1 + 1.5 / 1.5) * (1 * 2.2) / (1.2 + 1), abs=1e-6)


def test_titles_sources_and_dates_are_searched_too() -> None:
    collection = LiveCollection()
    collection.add(documents())
    assert titles(collection, "weather") == ["weather"]
    assert len(titles(collection, "Daily")) == 4
    assert len(titles(collection, "April 26, 2024")) == 4


@pytest.mark.parametrize("texts", [{}, {"empty": "   "}])
def test_an_empty_collection_finds_nothing(texts: dict[str, str]) -> None:
    collection = LiveCollection()
    assert collection.add(documents(texts=texts)) == []
    assert titles(collection, "Tesla") == []


def test_passages_without_words_find_nothing() -> None:
    collection = LiveCollection()
    collection.add([document_found("a", url="https://x.example/", title="!", text="… – …", whole=True, source="?")])
    assert (len(collection.passages), titles(collection, "Tesla")) == (1, [])


def test_it_grows_and_knows_what_is_new() -> None:
    collection = LiveCollection()
    first, second = documents()[:2], documents()
    assert [passage.title for passage in collection.add(first)] == ["recall", "prices"]
    assert titles(collection, "rain") == []
    assert [passage.title for passage in collection.add(second)] == ["union", "weather"]
    assert titles(collection, "rain") == ["weather"]
    assert [passage.title for passage in collection.passages] == list(TEXTS)
    assert collection.passage(collection.passages[0].passage_id).title == "recall"
    with pytest.raises(CorpusError, match="was fetched in this run"):
        collection.passage("none#0")


def test_what_was_found_before_by_another_source_stays_out() -> None:
    collection = LiveCollection()
    collection.add(documents("gdelt"))
    reports = (SourceReport("news_api", documents=4), SourceReport("feeds", error="down"))
    more = document_found("news_api", url="https://new.example/", title="new", text="Something new.", whole=True)
    taken = collection.take((*documents("news_api"), more), reports)
    assert [(report.name, report.documents, report.passages, report.error) for report in taken] == [
        ("news_api", 4, 1, None),
        ("feeds", 0, 0, "down"),
    ]


def test_a_long_document_becomes_several_passages_that_lie_in_it() -> None:
    text = " ".join(f"Sentence number {number} speaks of the recall." for number in range(200))
    collection = LiveCollection()
    passages = collection.add(documents(texts={"long": text}))
    assert len(passages) > 3
    assert all(text[passage.start : passage.end] == passage.text for passage in passages)
    assert all(dict(passage.metadata)["found_by"] == "news_api" for passage in passages)


def test_similarity_moves_what_is_near_in_meaning_up() -> None:
    asked: list[tuple[str, int]] = []

    def similarity(query: str, texts: Sequence[str]) -> list[float]:
        asked.append((query, len(texts)))
        return [1.0 if "strike" in text else 0.0 for text in texts]

    collection = LiveCollection(similarity=similarity)
    collection.add(documents())
    plain = LiveCollection()
    plain.add(documents())
    order = titles(plain, "Tesla cars")
    assert order.index("union") == 2
    assert titles(collection, "Tesla cars").index("union") < 2
    assert asked[0] == ("Tesla cars", 3)
    assert collection.retrieve("football") == []
