import numpy as np

from adaq_core.model import Passage, ScoredPassage
from adaq_core.retrieval.facets import ForwardIndex, header
from adaq_core.retrieval.index import PassageIndex, fuse

PASSAGES = [Passage("a#0", "a", "Kane", "Welles directed Kane. Kane won."), Passage("b#0", "b", "", "")]


def build():
    vocabulary: dict[str, int] = {}
    return ForwardIndex.build(PASSAGES, vocabulary), vocabulary


def test_pieces_are_the_header_and_the_sentences():
    forward, vocabulary = build()
    assert list(vocabulary) == ["kane", "well", "direct", "won"]
    assert [np.diff(forward.pieces).tolist(), forward.passages.tolist()] == [[1, 3, 2, 0], [0, 3, 4]]
    assert forward.lengths.tolist() == [6, 0]


def test_the_path_of_headings_is_searched_beside_the_title():
    passage = Passage("a#1", "a", "Streamlit", "Stable.", metadata=(("page", "2"), ("section", "State › Widget keys")))
    assert header(passage) == "Streamlit | State › Widget keys"
    index = PassageIndex.build([*PASSAGES, passage], name="t")
    assert [hit.passage.passage_id for hit in index.search("widget keys")] == ["a#1"]


def test_matches_say_which_piece_holds_which_term():
    forward, vocabulary = build()
    matches, kin = forward.matches([0, 1], [[vocabulary["kane"]], [-1, vocabulary["direct"]]])
    assert matches.contained.tolist() == [[True, False], [True, False], [True, False], [False, False]]
    assert kin.tolist() == [[True, False], [True, True], [True, False], [False, False]]
    assert matches.starts.tolist() == [0, 3, 4]


def test_no_passages_no_pieces():
    forward, _ = build()
    assert forward.matches([], [[0]])[0].contained.shape == (0, 1)


def test_fusion_rewards_agreement_and_breaks_ties_by_id():
    a, b, c = (Passage(f"{x}#0", x, x, x) for x in "abc")
    one = [ScoredPassage(b, 9.0, 1), ScoredPassage(a, 8.0, 2)]
    two = [ScoredPassage(a, 0.9, 1), ScoredPassage(c, 0.8, 2)]
    assert [hit.passage.passage_id for hit in fuse((one, two), top_k=3)] == ["a#0", "b#0", "c#0"]
    assert fuse((), top_k=3) == []
