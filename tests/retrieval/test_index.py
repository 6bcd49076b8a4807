import gc
import weakref

import pytest

from adaq_core.errors import CorpusError
from adaq_core.model import Passage, ScoredPassage
from adaq_core.retrieval.index import DocumentRetriever, PassageIndex, StoredPassages

PASSAGES = [
    Passage("b#10", "b", "Pear", "A pear is a fruit.", position=10),
    Passage("b#2", "b", "Pear", "Pears grow on trees.", position=2),
    Passage("a#0", "a", "Apple", "Äpfel are sold. Apple grew.", source="The Verge", date="2023-10-06"),
]


@pytest.fixture
def index():
    return PassageIndex.build(PASSAGES, name="fruit")


def ids(hits):
    return [hit.passage.passage_id for hit in hits]


def test_title_source_and_date_are_searched(index):
    assert [ids(index.search(query, top_k=5)) for query in ("Apple", "verge", "October 6", "2023-10-06")] == [
        ["a#0"]
    ] * 4


def test_passages_of_a_document_lie_in_reading_order(index):
    assert [passage.passage_id for passage in index.passages] == ["a#0", "b#2", "b#10"]


def test_ranks_start_at_one_and_only_matches_are_returned(index):
    hits = index.search("pear tree", top_k=5)
    assert [(hit.passage.passage_id, hit.rank) for hit in hits] == [("b#2", 1), ("b#10", 2)]
    assert index.search("", top_k=5) == []


def test_a_saved_index_is_the_same_index(index, tmp_path):
    index.save(tmp_path)
    loaded = PassageIndex.load(tmp_path)
    assert loaded.card == index.card
    assert list(loaded.passages) == list(index.passages)
    assert loaded.passages[-1] == index.passages[-1]
    assert loaded.search("äpfel pear", top_k=5) == index.search("äpfel pear", top_k=5)
    assert loaded.graph.keys == index.graph.keys
    assert loaded.position("b#10") == 2


def test_the_passages_that_say_a_text_are_found_in_the_file(index, tmp_path):
    index.save(tmp_path)
    stored = StoredPassages(tmp_path)
    assert [p.passage_id for p in stored.saying(["Pears", "fruit", "Pear"], most=3)] == ["b#2", "b#10"]
    assert [p.passage_id for p in stored.saying(["Pear"], most=2)] == ["b#2"]
    assert [p.passage_id for p in stored.saying(["Pear"], most=3, then="[a-z]")] == ["b#2"]
    assert list(stored.saying(["plum"], most=3)) == list(stored.saying([], most=3)) == []


def test_the_passages_of_an_index_go_with_it_though_memory_is_not_collected(index, tmp_path):
    index.save(tmp_path)
    loaded = PassageIndex.load(tmp_path)
    passages = weakref.ref(loaded.passages)
    assert loaded.passages[0] == index.passages[0]
    gc.disable()  # of what a process has exempted from collection nothing is found by it
    try:
        del loaded
        assert passages() is None
    finally:
        gc.enable()


def test_the_version_is_the_content(index):
    assert PassageIndex.build(reversed(PASSAGES), name="other").card.version == index.card.version
    assert PassageIndex.build(PASSAGES[1:], name="fruit").card.version != index.card.version


def test_unknown_and_repeated_ids_are_errors_in_words(index, tmp_path):
    with pytest.raises(CorpusError, match="no passage 'x'"):
        index.passage("x")
    with pytest.raises(CorpusError, match="make the ids unique"):
        PassageIndex.build([PASSAGES[0], PASSAGES[0]], name="twice")
    with pytest.raises(CorpusError, match="build the index again"):
        PassageIndex.load(tmp_path / "nowhere")


def test_an_empty_corpus_can_be_saved_and_searched(tmp_path):
    PassageIndex.build([], name="empty").save(tmp_path)
    loaded = PassageIndex.load(tmp_path)
    assert (loaded.card.passages, loaded.search("a", top_k=3), len(loaded.passages)) == (0, [], 0)


def test_without_vectors_the_retriever_searches_by_words_and_says_so(index):
    retriever = DocumentRetriever(index, "hybrid")
    assert retriever.name == "bm25 (for hybrid)"
    assert ids(retriever.retrieve("pear", top_k=1)) == ["b#10"]


def test_hybrid_fuses_words_and_vectors(index):
    class Near:
        def search(self, query, top_k):
            return index.search("apple", top_k=top_k)

    assert ids(DocumentRetriever(index, "hybrid", vectors=Near()).retrieve("pear", top_k=3)) == ["a#0", "b#10", "b#2"]
    assert ids(DocumentRetriever(index, "dense", vectors=Near()).retrieve("pear", top_k=3)) == ["a#0"]


class Nearest:
    """Vectors of its own: every passage, in corpus order."""

    def __init__(self, index):
        self.index = index

    def search(self, query, top_k):
        found = enumerate(self.index.passages, start=1)
        return [ScoredPassage(passage, 1 / rank, rank) for rank, passage in found][:top_k]


def news(sources):
    def story(i):
        text, source = f"Story {i} about the budget.", sources[i % len(sources)]
        return Passage(f"n{i}#0", f"n{i}", f"Story {i}", text, source=source, date=f"2023-10-0{i + 1}")

    return [story(i) for i in range(8)]


def test_on_dated_sources_hybrid_searches_by_words_and_says_why():
    of_news = PassageIndex.build(news(["A Post", "B Times", "C Herald", "D Wire", "E Globe"]), name="news")
    of_notes = PassageIndex.build(news(["Notes"]), name="notes")
    assert (of_news.of_dated_sources, of_notes.of_dated_sources) == (True, False)
    assert (of_news.weighs_meaning, of_notes.weighs_meaning) == (False, True)
    on_news = DocumentRetriever(of_news, "hybrid", vectors=Nearest(of_news))
    assert on_news.retrieve("story 3", 5) == of_news.search("story 3", top_k=5)
    assert "words alone find more" in on_news.degraded
    assert DocumentRetriever(of_notes, "hybrid", vectors=Nearest(of_notes)).degraded == ""
