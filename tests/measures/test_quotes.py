from adaq_core.measures import Quotes, plain


def test_white_space_unicode_forms_and_invisible_characters_make_no_difference():
    assert plain("ﬁn\u00adance\u00a0 is\n\u200bfun") == "finance is fun"


def test_a_quote_is_held_whatever_the_line_breaks():
    assert Quotes().contains("the first\nline", "Here is the first line, and more.")


def test_other_words_and_an_empty_quote_are_not_held():
    quotes = Quotes()
    assert not quotes.contains("the first line", "the last line")
    assert not quotes.contains("", "anything")


def test_a_passage_reaches_a_quote_that_it_is_part_of_or_cut_out_of():
    page = " ".join(f"word{n}" for n in range(40))
    head, middle, tail = (" ".join(page.split()[a:b]) for a, b in ((0, 10), (10, 30), (25, 40)))
    quotes = Quotes()
    assert quotes.reaches(page, middle)
    assert quotes.reaches(middle, page)
    assert quotes.reaches(f"{middle} and more", f"said before {middle}")
    assert not quotes.reaches(head, tail)
    assert not quotes.reaches(middle, f"{tail} and what else was said in the meeting about all of it")
    assert not quotes.reaches("", page)
