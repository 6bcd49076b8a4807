from __future__ import annotations

import gc
import time
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adaq_core.model import Document, Passage
from adaq_core.text.passages import count_words, cut, opens_item, sentences, turn_at, turns


def document(text: str) -> Document:
    return Document("d", "Title", text, source="S", date="2024-01-02", url="u", metadata=(("topic", "t"),))


def numbered(count: int, words: int = 10) -> str:
    return " ".join(f"Sentence {n} " + "word " * (words - 3) + "end." for n in range(count))


def test_a_short_document_is_one_passage_that_carries_its_document():
    text = "  One. Two.\n"
    assert cut(document(text)) == [
        Passage("d#0", "d", "Title", "One. Two.", "S", "2024-01-02", "u", 0, 2, 11, (("topic", "t"),))
    ]


def test_a_document_of_320_words_is_whole_and_of_330_is_cut():
    assert len(cut(document(numbered(32)))) == 1
    assert len(cut(document(numbered(33)))) == 2


def test_passages_hold_whole_sentences_up_to_190_words_and_overlap_by_one():
    passages = cut(document(numbered(40)))
    assert [count_words(passage.text) for passage in passages] == [190, 190, 40]
    assert [passage.text.split()[1] for passage in passages] == ["0", "18", "36"]
    assert all(passage.text.startswith("Sentence ") and passage.text.endswith("end.") for passage in passages)
    assert [passage.passage_id for passage in passages] == ["d#0", "d#1", "d#2"]


def test_without_overlap_the_passages_share_nothing():
    passages = cut(document(numbered(40)), overlap_sentences=0)
    assert [passage.text.split()[1] for passage in passages] == ["0", "19", "38"]
    assert " ".join(passage.text for passage in passages) == numbered(40)


def test_an_overlap_that_leaves_no_room_for_news_is_dropped():
    text = "A " + "a " * 150 + "end. B " + "b " * 150 + "end. C " + "c " * 150 + "end."
    assert [passage.text[0] for passage in cut(document(text))] == ["A", "B", "C"]


def test_a_giant_sentence_is_split_between_words():
    passages = cut(document("word " * 1000))
    assert [count_words(passage.text) for passage in passages] == [190, 190, 190, 190, 190, 50]
    assert all(set(passage.text.split()) == {"word"} for passage in passages)


def test_an_endless_word_is_split_too():
    passages = cut(document("x" * 40_000), overlap_sentences=0)
    assert max(len(passage.text) for passage in passages) == 190 * 40
    assert "".join(passage.text for passage in passages) == "x" * 40_000


def with_sections(*words: int) -> Document:
    """A document whose sections have so many words, each with a heading of its own."""
    parts = [f"S{n}\n" + "word " * (count - 2) + "end.\n" for n, count in enumerate(words)]
    starts = [sum(map(len, parts[:n])) for n in range(len(parts))]
    outline = tuple((start, f"S{n}") for n, start in enumerate(starts))
    return replace(document("".join(parts)), outline=outline)


def test_a_long_document_is_cut_where_its_sections_begin():
    passages = cut(with_sections(100, 90, 250, 60))
    assert [passage.place for passage in passages] == ["S0", "S1", "S2", "S2", "S3"]
    assert [passage.text[:2] for passage in passages if passage.text[0] == "S"] == ["S0", "S1", "S2", "S3"]
    assert max(count_words(passage.text) for passage in passages) <= 190


def test_a_short_section_goes_with_the_next_one_and_the_last_with_the_one_before():
    passages = cut(with_sections(10, 120, 20, 20, 170, 15))
    assert [passage.place for passage in passages] == ["S0", "S2", "S4"]
    assert passages[-1].text.count("S5") == 1


def sections_at(*parts: tuple[str, int]) -> Document:
    """A document with a section of so many words for each path."""
    texts = [path.rpartition(" › ")[2] + "\n" + "word " * count + "\n" for path, count in parts]
    starts = [sum(map(len, texts[:n])) for n in range(len(texts))]
    outline = tuple((start, path) for start, (path, _) in zip(starts, parts, strict=True))
    return replace(document("".join(texts)), outline=outline)


def test_what_closes_a_section_is_no_part_of_the_next():
    passages = cut(sections_at(("Talk", 170), ("Talk › Conclusion", 8), ("Lunch", 170)))
    assert [passage.place for passage in passages] == ["Talk", "Lunch"]
    assert "Conclusion" in passages[0].text


def test_a_passage_of_several_sections_is_of_what_is_above_them_all():
    passages = cut(sections_at(("II", 0), ("II › Art 5", 150), ("II › Art 6", 180)))
    assert [passage.place for passage in passages] == ["II › Art 5", "II › Art 6"]
    passages = cut(sections_at(("II", 180), ("II › Art 5", 20), ("II › Art 6", 150)))
    assert [passage.place for passage in passages] == ["II", "II"]


def test_sections_of_a_document_that_is_one_passage_do_not_part_it():
    assert len(cut(with_sections(100, 100, 100))) == 1


def test_a_text_of_headings_alone_is_cut_in_time_that_grows_with_its_length():
    def once(text: Document) -> float:
        gc.collect()  # what other tests left is not paid for here
        began = time.thread_time()
        assert dict(cut(text)[-1].metadata)["section"] == "a"
        return time.thread_time() - began

    def seconds(count: int) -> float:
        outline = tuple((4 * number, "a") for number in range(count))
        headings = replace(document("# a\n" * count), outline=outline)
        return min(once(headings) for _ in range(3))

    # Four times as many took fourteen times as long, and 300,000 of them (1.2 MB) 8 s.
    assert seconds(120_000) < 8 * seconds(30_000)


def test_chinese_text_is_cut_at_its_own_full_stops():
    passages = cut(document("東京は日本の首都である。" * 100), overlap_sentences=0)
    assert len(passages) == 4
    assert all(passage.text.endswith("。") for passage in passages)


@pytest.mark.parametrize("text", ["", "   \n\t "])
def test_blank_text_gives_no_passage(text):
    assert cut(document(text)) == []


def test_settings_that_cannot_work_are_refused():
    with pytest.raises(ValueError, match="max_words >= 1"):
        cut(document("a"), max_words=0)


@given(
    st.text(alphabet="ab .\n!東。é", max_size=300),
    st.integers(1, 12),
    st.integers(0, 3),
    st.lists(st.integers(0, 300), max_size=4),
)
def test_every_word_is_in_a_passage_at_its_exact_place(text, max_words, overlap, starts):
    outline = tuple((start, "S") for start in sorted(starts) if start < len(text))
    given_document = replace(document(text), outline=outline)
    passages = cut(given_document, max_words=max_words, whole_up_to=3, overlap_sentences=overlap)
    held: set[int] = set()
    for passage in passages:
        assert passage.text == text[passage.start : passage.end]
        assert passage.text == passage.text.strip() != ""
        held.update(range(passage.start, passage.end))
    assert {i for i, character in enumerate(text) if not character.isspace()} <= held
    assert all(first.end < second.end for first, second in pairwise(passages))
    if len(passages) > 1:
        assert all(count_words(passage.text) <= max_words for passage in passages)


def test_a_list_that_a_sentence_announces_is_not_parted_where_a_passage_can_hold_it():
    items = "\n".join(
        f"- Way {n}: people of this kind do the thing in their own way and mean it. They do." for n in range(5)
    )
    text = f"{numbered(15)}\n\nHe defined five ways to respond.\n\n{items}\n\n{numbered(15)}"
    passages = [passage.text for passage in cut(document(text))]
    (told,) = [passage for passage in passages if "He defined" in passage]
    assert told.startswith("He defined five ways to respond.\n\n- Way 0:")
    assert "- Way 4:" in told


def test_a_list_that_nothing_announces_is_cut_as_any_text_is():
    items = "\n".join(f"- {numbered(1, 30)}" for _ in range(5))
    text = f"{numbered(15)}\n\nIt rained.\n\n{items}\n\n{numbered(15)}"
    first, *_ = cut(document(text))
    assert count_words(first.text) > 150


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("Do it:\n1. Open the form.\n2. Close it.", 2),
        ("Do it:\n(a) Open the form.\n(b) Close it.", 2),
        ("Do it:\n(1) Open the form.\n(iv) Close it.", 2),
        ("Do it:\n- Open the form.\n• Close it.", 2),
        ("It is so (see below). (b) is not.\nThis is (a) an end.", 0),
    ],
)
def test_numbers_letters_and_marks_open_the_items_of_a_list(text: str, items: int) -> None:
    assert sum(opens_item(text, start) for start, _ in sentences(text)) == items


TALK = """Ann Lee: Welcome back. So when did you start?

Bo Reid: In October. I was twenty.

Ann Lee: Thank you.

Bo Reid: It ended in March.
"""


def test_a_turn_of_a_conversation_knows_who_speaks_and_which_question_it_answers():
    assert [(turn.who, turn.asked) for turn in turns(TALK)] == [
        ("Ann Lee", ""),
        ("Bo Reid", "So when did you start?"),
        ("Ann Lee", ""),
        ("Bo Reid", ""),
    ]
    inside = turn_at(TALK, TALK.index("twenty"))
    assert inside is not None
    assert inside.who == "Bo Reid"
    assert turn_at("Welcome.\n" + TALK, 0) is None


@pytest.mark.parametrize(
    "text",
    [
        "Author: Ann Lee\nTitle: Who made it?\nYear: 1990\n",  # a form: nobody speaks twice
        "Ann: It is cold.\nBo: It is.\nAnn: Good.\n",  # nobody asks
        "Why: a question?\nWhy: an answer.\nWhy: more.\n",
    ],
)
def test_lines_with_labels_are_no_conversation(text):
    assert turns(text) == ()
