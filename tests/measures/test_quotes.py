from adaq_core.measures import Quotes, plain


def test_white_space_unicode_forms_and_invisible_characters_make_no_difference():
    assert plain("ﬁn\u00adance\u00a0 is\n\u200bfun") == "finance is fun"


def test_a_quote_is_held_whatever_the_line_breaks():
    assert Quotes().contains("the first\nline", "Here is the first line, and more.")


def test_other_words_and_an_empty_quote_are_not_held():
    quotes = Quotes()
    assert not quotes.contains("the first line", "the last line")
    assert not quotes.contains("", "anything")
