import pytest
import Stemmer
from hypothesis import given
from hypothesis import strategies as st

from adaq_core.text.tokens import SPELLINGS, Terms, fold, small_terms, spans, stem, tokens, words


def test_words_are_folded_and_possessives_dropped():
    assert words("Mummy'S Boys, Kaʻumualiʻi’s Straße") == ["mummy", "boys", "kaumualii", "strasse"]


def test_decimals_and_thousands_stay_whole():
    assert words("3.14 of 1,000") == ["3.14", "of", "1000"]


def test_tokens_are_stemmed_without_stop_words():
    assert tokens("The companies were directing U.S. films") == ["compani", "direct", "us", "film"]


def test_small_terms_are_those_of_words_with_a_small_first_letter():
    assert small_terms("Its Card customers pay iPads the Cards’ fees, élan") == {
        "customer",
        "pay",
        "ipad",
        "fee",
        "elan",
    }


def test_cjk_becomes_bigrams():
    assert tokens("東京都") == ["東京", "京都"]


def test_hangul_survives_folding():
    assert fold("한국") == "한국"


@given(st.text())
def test_spans_point_into_the_text(text):
    found = spans(text)
    assert all(0 <= s.start < s.end <= len(text) for s in found)
    assert [s.word for s in found] == words(text)


def test_a_lone_modifier_letter_is_no_word():
    assert words("ʻ a") == ["a"]


def test_scripts_without_spaces_are_cut_into_bigrams():
    assert tokens("กรุงเทพ") == ["กร", "รุ", "ุง", "งเ", "เท", "ทพ"]
    assert tokens("東京タワー") == ["東京", "京タ", "タワ", "ワー"]


def test_vowel_signs_stay_with_their_word():
    assert tokens("हिन्दी भाषा") == ["हिन्दी", "भाषा"]
    assert tokens("مَدرسة") == ["مَدرسة"]


def test_the_terms_of_words_are_kept_up_to_a_bound():
    full = Terms(dict.fromkeys(map(str, range(1 << 18)), "known"))
    assert full["7"] == "known"
    assert full["Running"] == "run"
    assert full == {"Running": "run"}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("several", "severance"),
        ("authors", "authorities"),
        ("imports", "important"),
        ("found", "founded"),
        ("customs", "customers"),
        ("positions", "positive"),
        ("designs", "designated"),
        ("experience", "experiments"),
        ("departing", "departments"),
    ],
)
def test_words_of_one_stem_that_mean_different_things_are_two_terms(one, other):
    assert stem(one) != stem(other)


def test_forms_of_one_word_are_one_term():
    assert stem("authorised") == stem("authorization") == stem("authorities")
    assert stem("customer") == stem("customers")
    assert stem("publications") == stem("published")
    assert stem("indices") == stem("indexes")


@pytest.mark.parametrize(("british", "american"), [pair for _, _, *pair in SPELLINGS])
def test_two_spellings_of_a_word_are_one_term(british, american):
    assert british != american
    assert stem(british) == stem(american)


@pytest.mark.parametrize(
    "word", ["hour", "four", "size", "seize", "prize", "acre", "pfizer", "total", "silence", "paella"]
)
def test_a_word_of_one_spelling_keeps_its_term(word):
    assert stem(word) == Stemmer.Stemmer("english", 0).stemWord(word)
