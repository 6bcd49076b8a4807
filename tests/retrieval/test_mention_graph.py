import numpy as np

from adaq_core.model import Passage
from adaq_core.retrieval.mention_graph import MentionGraph

TEXTS = {
    "Citizen Kane": "Citizen Kane is a 1941 film directed by Orson Welles. It was made in the United States.",
    "Orson Welles": "George Orson Welles (May 6, 1915 – October 10, 1985) was a director, born in Kenosha, Wisconsin.",
    "Kenosha, Wisconsin": "Kenosha is a city. Its paper is the Daily Bugle.",
    "United": "United is an airline.",
    "Joseph De Grasse": "Joseph De Grasse (May 4, 1873 – May 25, 1940) was a film director.",
    "The Hidden Hour": "The Hidden Hour is a film by Joe De Grasse. The Daily Bugle liked it.",
}
PASSAGES = [Passage(f"{n}#0", str(n), title, text) for n, (title, text) in enumerate(TEXTS.items())]


def graph():
    return MentionGraph.build(PASSAGES)


def named(found, title):
    """(sentence, title) of the documents that the passage of `title` names."""
    position = list(TEXTS).index(title)
    return [
        (sentence, list(TEXTS)[document])
        for sentence, entity in found.mentions_of(np.array([position])).pairs(0)
        for document, _ in found.documents_named(entity)
        if document != position
    ]


def test_titles_are_found_in_sentences():
    assert named(graph(), "Citizen Kane") == [(0, "Orson Welles")]


def test_a_title_is_known_without_what_follows_its_comma():
    assert (0, "Kenosha, Wisconsin") in named(graph(), "Orson Welles")


def test_one_word_does_not_match_inside_a_longer_name():
    assert "United" not in [title for _, title in named(graph(), "Citizen Kane")]


def test_a_short_first_name_finds_its_person():
    assert named(graph(), "The Hidden Hour") == [(0, "Joseph De Grasse")]


def test_names_without_a_document_tie_passages_together():
    found = graph()
    assert found.holders_of(found.entities["daily bugle"]).tolist() == [2, 5]


def test_a_saved_graph_is_the_same_graph(tmp_path):
    graph().save(tmp_path)
    loaded = MentionGraph.load(tmp_path)
    before, after = (each.mentions_of(np.arange(len(PASSAGES))) for each in (graph(), loaded))
    assert [after.pairs(p) for p in range(len(PASSAGES))] == [before.pairs(p) for p in range(len(PASSAGES))]
    assert loaded.density == graph().density


def test_an_empty_corpus_has_an_empty_graph():
    empty = MentionGraph.build([])
    assert (empty.density, empty.is_dense, empty.keys) == (0.0, False, ())
