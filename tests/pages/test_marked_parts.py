import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages._shared.common.text import full_stop, marked_parts, short, snippet, snippet_parts
from pages._shared.common.words import seconds
from pages._shared.components.marked_text.passage_view import in_rows


def test_a_quote_and_a_word_are_marked():
    assert marked_parts("A fine car is here", quotes=[(2, 10)], words=["here"]) == [
        ("A ", ""), ("fine car", "quote"), (" is ", ""), ("here", "word"),
    ]  # fmt: skip


def test_the_cells_of_a_row_of_figures_stand_behind_its_label_and_nothing_moves():
    text = "Net sales:\nProducts\n$\n63,355\n(1,2)%\nServices\n19,604\n\n2022\n- milk\n水\n"
    assert in_rows(text) == "Net sales:\nProducts $ 63,355 (1,2)%\nServices 19,604\n\n2022\n- milk\n水\n"
    assert len(in_rows(text)) == len(text)


def test_a_word_inside_a_quote_belongs_to_the_quote():
    assert marked_parts("fine car", quotes=[(0, 8)], words=["car"]) == [("fine car", "quote")]


def test_words_match_whole_words_only_in_any_case():
    assert marked_parts("Car carpet", words=["car"]) == [("Car", "word"), (" carpet", "")]


def test_spans_outside_the_text_are_cut_to_it():
    assert marked_parts("abc", quotes=[(-5, 1), (2, 99), (7, 9), (0, -1)]) == [
        ("a", "quote"),
        ("b", ""),
        ("c", "quote"),
    ]


def test_a_short_text_is_its_own_snippet():
    assert snippet("short", quotes=[(0, 2)]) == ("short", 0)


def test_a_snippet_holds_the_quote_and_shows_what_was_left_out():
    text = "word " * 200 + "THE QUOTE " + "word " * 200
    parts = snippet_parts(text, quotes=[(1000, 1009)], width=100)
    assert ("THE QUOTE", "quote") in parts
    assert (parts[0], parts[-1]) == (("… ", ""), (" …", ""))


@given(st.text(max_size=80), st.lists(st.tuples(st.integers(-5, 90), st.integers(-5, 90)), max_size=4))
def test_the_pieces_joined_give_the_text_back(text: str, quotes: list[tuple[int, int]]):
    assert "".join(piece for piece, _ in marked_parts(text, quotes=quotes, words=["a", "b c"])) == text


@given(st.text(max_size=900), st.integers(0, 900), st.integers(50, 400))
def test_a_snippet_is_a_part_of_the_text_at_its_offset(text: str, at: int, width: int):
    piece, low = snippet(text, quotes=[(at, at + 5)], width=width)
    assert text[low : low + len(piece)] == piece
    assert len(piece) <= max(width, len(text) if len(text) <= width else 0)


def test_durations_read_well():
    assert [seconds(v) for v in (None, 0.0, 0.0123, 0.31, 9.99, 42.0, 65.2)] == [
        "–", "0 ms", "12 ms", "0.31 s", "9.99 s", "42.0 s", "1 min 5 s",
    ]  # fmt: skip


def test_a_line_is_shortened_at_a_word():
    assert short("one two  three four", 12) == "one two…"
    assert short("one\ntwo", 12) == "one two"


@pytest.mark.parametrize(
    ("text", "told"), [("It rains", "It rains."), ("Does it?", "Does it?"), ("On…", "On…"), ("", "")]
)
def test_a_sentence_ends_with_a_full_stop_where_it_has_no_end(text: str, told: str) -> None:
    assert full_stop(text) == told
