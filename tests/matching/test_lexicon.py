"""The words that say the same, as data."""

import json

from adaq_core.matching.lexicon import (
    PATH,
    defined_terms,
    is_said,
    may_take_turns,
    opposite,
    said_among,
    same_sense,
    similarity,
)
from adaq_core.text.tokens import tokens


def test_every_line_of_senses_has_words_that_the_index_knows():
    data = json.loads(PATH.read_text(encoding="utf-8"))
    for line in data["senses"]:
        assert len(line) > 1, line
        assert all(tokens(text) for text in line), line


def test_every_other_line_has_words_that_the_index_knows():
    data = json.loads(PATH.read_text(encoding="utf-8"))
    texts = [text for key in ("answers", "apart") for line in data[key] for side in line for text in side]
    texts += [text for line in data["forms"] for text in line]
    assert [text for text in texts if not tokens(text)] == []


def test_a_form_of_a_verb_says_what_the_verb_says():
    assert frozenset(tokens("left")) in same_sense(*tokens("leave"))
    assert frozenset(tokens("fell")) in same_sense(*tokens("decline"))


def test_of_many_terms_those_are_said_that_are_said_each():
    data = json.loads(PATH.read_text(encoding="utf-8"))
    texts = [frozenset(tokens(text)) for line in data["senses"] for text in line]
    terms = frozenset().union(*texts)
    for said in texts:
        assert said_among(terms, said) == {term for term in terms if is_said(term, said)}


def test_every_turn_of_speech_is_found_wherever_it_stands():
    data = json.loads(PATH.read_text(encoding="utf-8"))
    turns = [turn for of_word, _ in data["turns"] for turn in of_word]
    texts = [text for turn in turns for text in (turn, f"They {turn.upper()}, it said.", f"({turn})")]
    assert [text for text in texts if not may_take_turns(text)] == []
    assert not may_take_turns("The rate was raised in May.")


def test_what_answers_a_word_does_not_ask_for_it():
    assert frozenset(tokens("bought")) in same_sense(*tokens("pay"))
    assert frozenset(tokens("price")) not in same_sense(*tokens("buy"))
    assert frozenset(tokens("reject")) in same_sense(*tokens("decision"))
    assert frozenset(tokens("reject")) not in same_sense(*tokens("founded"))


def test_words_of_one_line_say_the_same_and_a_word_always_says_itself():
    assert frozenset(tokens("develop")) in same_sense(*tokens("created"))
    assert frozenset(tokens("chief executive")) in same_sense(*tokens("CEO"))
    assert same_sense("zebra") == {frozenset(("zebra",))}


def test_a_lawsuit_is_a_class_action_and_no_other_action_or_charge():
    lawsuit = same_sense(*tokens("lawsuit"))
    assert frozenset(tokens("class action")) in lawsuit
    assert not {frozenset(tokens("sympathy action")), frozenset(tokens("charging"))} & lawsuit
    assert not any(phrase <= frozenset(tokens("a sympathy action and import charges")) for phrase in lawsuit)


def test_people_are_laid_off_where_staff_is_dismissed_and_not_a_claim():
    laid_off = same_sense(*tokens("layoff"))
    assert any(phrase <= frozenset(tokens("they dismissed staff")) for phrase in laid_off)
    assert not any(phrase <= frozenset(tokens("the court dismissed all claims")) for phrase in laid_off)


def test_opposites_say_no_such_thing():
    assert set(tokens("fell")) <= opposite(*tokens("rise"))
    assert set(tokens("unpaid")) <= opposite(*tokens("paid"))
    assert set(tokens("paid")) <= opposite(*tokens("unpaid"))
    assert opposite("zebra") == frozenset()


def test_a_loss_says_that_there_is_no_profit_and_a_profit_that_fell_says_nothing_of_a_loss():
    assert opposite(*tokens("profit")) == frozenset(tokens("loss unprofitable"))
    assert opposite(*tokens("loss")) == frozenset(tokens("win won"))


def test_a_word_near_in_meaning_says_part_of_another():
    takeover, bought = tokens("takeover")[0], frozenset(tokens("the merger with a rival"))
    assert 0.5 < similarity(takeover, bought) < 1.0
    assert similarity(takeover, frozenset(tokens("a mild winter"))) == 0.0
    assert similarity(tokens("death")[0], frozenset(tokens("346 people died"))) > 0.9


def test_a_word_does_not_say_its_opposite_nor_a_name_another():
    assert similarity(tokens("increase")[0], frozenset(tokens("decreased"))) == 0.0
    assert similarity(tokens("Tesla")[0], frozenset(tokens("Ford Toyota Rivian"))) == 0.0
    assert similarity("qwzx", frozenset(("qwzx",))) == 0.0


def test_a_name_defined_in_quotes_stands_for_the_phrase_before_it():
    text = (
        "As of June we had $66.5 billion of unsecured senior notes outstanding (the “Notes”). We have a $1.5 billion "
        "secured revolving credit facility with a lender, which we increased in August (the “Credit Facility”). The "
        "Italian Competition Authority (the “ICA”) fined us. We acquired 1Life, Inc. (“One Medical”). The Court of "
        "Appeals for the Ninth Circuit (the “Circuit Court”) affirmed."
    )
    defined = {each.name: each.terms for each in defined_terms(text)}
    assert set(defined) == {"Notes", "Credit Facility", "ICA"}
    assert set(tokens("secured revolving credit facility lender")) <= defined["Credit Facility"]
    assert not set(tokens("increased August")) & defined["Credit Facility"]
    assert defined["ICA"] == frozenset(tokens("Italian Competition Authority"))
    assert not set(tokens("June")) & defined["Notes"]


def test_a_defined_name_is_said_as_a_whole_and_with_its_capitals():
    (kilns,) = defined_terms("We use automatic kilns (“AK”), and gas ovens (“GH”).")
    assert (kilns.name, kilns.terms) == ("AK", frozenset(tokens("automatic kilns")))
    (facility,) = defined_terms("We have a loan facility with banks (the “Loan Facility”).")
    assert facility.is_in("The Loan Facility ends in May.")
    assert not facility.is_in("Our loan facility, and all Loan Facilityes, end in May.")
