"""The yes or no that a sentence says to a question: leave, duty and denial, with conditions and limits."""

import pytest

from adaq_core.answers.form import why_not_denied
from adaq_core.answers.polarity import asks_for_a_rule, holds_count, stance_of
from adaq_core.text.tokens import terms_of

SAID = [
    ("May staff buy homes?", "Staff may not buy homes.", "No"),
    ("May a report be anonymous?", "Reports may be anonymous.", "Yes"),
    (
        "May staff use assistants?",
        "Staff may use assistants, if they are in the register.",
        "Yes, if they are in the register",
    ),
    ("Is printing at home allowed?", "Printing at home is not allowed.", "No"),
    ("Are text messages accepted?", "Text messages are not accepted as a second factor.", "No"),
    ("May the laptop hold files?", "The laptop holds no files except in an emergency.", "No, except in an emergency"),
    ("Does the firm pay for alcohol?", "Alcohol is never paid by the firm, also not at dinners.", "No"),
    ("Did Acme acquire any firms?", "In May Acme acquired all firms of Bolt not already owned by Acme.", "Yes"),
    ("May the firm pay for it?", "The court banned such contracts but still allowed the firm to pay for it.", "Yes"),
    ("Can it be applied to a closed model?", "It needs training, so it cannot be applied to a closed model.", "No"),
    ("Was the bid paid?", "The bid that a court had rejected was paid in May.", "Yes"),
    ("Is the course mandatory?", "A course of three hours is mandatory before the first use.", "Yes"),
    ("Is a statement needed?", "A statement is needed for such goods, and it may not be older than a year.", "Yes"),
    ("May staff borrow a chair?", "It pays no allowance, but staff may borrow a chair.", "Yes"),
    ("May a budget holder sign 8,000 pounds?", "A budget holder may sign orders up to 5,000 pounds.", "No"),
    ("May a budget holder sign 3,000 pounds?", "A budget holder may sign orders up to 5,000 pounds.", "Yes"),
    ("May staff work at home two days a week?", "Staff may work at home on one day a week only.", "No"),
    (
        "May the Trust accept a gift without a decision of the board?",
        "The Trust accepts such a gift only by a decision of the board.",
        "No, only by a decision of the board",
    ),
    ("May a model reject an applicant?", "Nobody is rejected by a model.", "No"),
    ("Can the tokeniser represent any text?", "It uses bytes, so any text can be represented.", "Yes"),
    ("Can children drink the syrup?", "Children may drink the syrup.", "Yes"),
    ("Did the firm admit it?", "The firm did not admit it.", "No"),
    ("Did sales rise in May?", "Sales fell in May.", "No"),
    ("Was Orbit fined over surveillance?", "It fined Orbit because orders were left without surveillance.", "Yes"),
    ("Was Orbit fined?", "Orbit sells its suite without Chat, which ended the case without a fine.", "No"),
    ("Was Orbit fined?", "The office fined Orbit without a hearing.", "Yes"),
    (
        "May staff fly business class?",
        "Staff may fly business class on long flights, and only with the approval of the head.",
        "Yes, only with the approval of the head",
    ),
    ("Is Orbit a decoder?", "Orbit is encoder-only, Beam is decoder-only, and Ray is both.", "Yes"),
    ("Was the firm profitable?", "The firm reported a net loss.", "No"),
    ("Is the tax credit still available?", "The tax credit of 7,500 dollars ended in September.", "No"),
    ("Is Ann still at the ministry?", "From January to May 2025 Ann also worked at the ministry.", "No"),
    ("Is Acme still allowed to pay?", "The court banned such contracts but still allowed Acme to pay.", "Yes"),
    ("Did Acme buy Bolt?", "In May Acme gave up its purchase of the chip designer Bolt.", "No"),
    ("Did Acme abandon its purchase of Bolt?", "Acme abandoned the purchase of Bolt in May.", "Yes"),
    ("Did Acme grow in Europe?", "In Europe, Acme sales fell even though the market grew.", "No"),
    ("Does Acme need training data?", "Acme needs no training data, while Bolt needs it and can lose quality.", "No"),
    ("Has Acme named a successor to Ann?", "Acme named no successor, so the loss of Ann would be a risk.", "No"),
    ("Did the firm lose money in a net loss?", "The firm reported a net loss.", "Yes"),
    ("Did the firm buy the plant?", "The firm sold the plant it had bought.", "Yes"),
    ("Can I use a public service?", "Public services that are not in the register may no longer be used.", "No"),
    ("Are vouchers ok as gifts?", "Money and vouchers are refused whatever their value.", "No"),
    (
        "Can I get a refund?",
        "Refunding a plan deletes the vaults, which cannot be retrieved even if you pay again.",
        "Yes",
    ),
    ("Did the court overturn Acme's fine?", "Oslo fined Acme in May, and a court there upheld the fine.", "No"),
    ("Did the case end with a fine?", "The promise ended the case without a fine.", "No"),
    ("Did the case end with a fine?", "The case ended with a fine and without a promise.", "Yes"),
    ("Is the seat of Acme in Oslo?", "Acme moved its seat from Oslo to Bergen in June.", "No"),
    ("Is the seat of Acme in Bergen?", "Acme moved its seat from Oslo to Bergen in June.", "Yes"),
    ("Did Acme accept the order?", "The order says that Acme must sell, so it has to move; Acme challenged it.", "No"),
    ("Can Bolt write lists?", "Bolt can write lists, numbers and None.", "Yes"),
    ("Does Bolt ship Rack?", "Bolt ships Rack (instead of installing it).", "Yes"),
    ("Can Bolt write lists?", "None of the lists can be written by Bolt.", "No"),
    ("Does the method need training?", "The method needs no training, but it needs access to the model.", "No"),
]


@pytest.mark.parametrize(("question", "sentence", "text"), SAID)
def test_a_sentence_says_yes_or_no(question, sentence, text):
    stance = stance_of(question, sentence, terms_of(question))
    assert stance is not None
    assert stance.text == text


UNSAID = [
    ("Did the firm buy the plant?", "The firm may buy the plant."),
    (
        "May business class be booked on a flight of five hours?",
        "Business class is allowed on flights of more than eight hours.",
    ),
    ("Does the firm pay for alcohol at dinners with customers?", "The firm might pay for alcohol."),
    ("Is alcohol allowed at dinners?", "Alcohol is not allowed, except at dinners that a director approved."),
    ("Does the firm pay parking fines?", "Parking was paid; fines were not."),
    ("Must staff wear a badge?", "Staff may wear a badge."),
    ("Did sales fall in May?", "Sales did not rise in May."),
    ("Did Acme lose its rating?", "The agencies warned that Acme could lose its rating."),
    ("Can I drive when I take Seralin?", "Seralin may affect your ability to drive."),
    ("Was the firm profitable in 2018?", "The losses began after the crash of October 2018."),
]


@pytest.mark.parametrize(("question", "sentence"), UNSAID)
def test_a_doubt_another_case_or_two_minds_say_neither(question, sentence):
    assert stance_of(question, sentence, terms_of(question)) is None


def test_a_rule_is_asked_for_by_leave_and_duty_only():
    asked = ["May staff leave?", "Is it forbidden to smoke?", "Do staff have to report it?", "Did staff leave?"]
    assert [asks_for_a_rule(each) for each in asked] == [True, True, True, False]


@pytest.mark.parametrize(
    ("question", "sentence", "holds"),
    [
        ("Does the jet have more than one supplier?", "The jet has only one supplier.", False),
        ("Did at least 20 banks pass?", "All 22 banks passed.", True),
        ("Did fewer than 20 banks pass?", "All 22 banks passed.", False),
        ("Did at least 22 banks pass?", "22 banks passed.", True),
        ("Do more than 500 people work there?", "More than 700 people work there.", True),
        ("Do fewer than 500 people work there?", "More than 700 people work there.", None),
        ("Do more than 900 people work there?", "More than 700 people work there.", None),
        ("Do 22 banks pass?", "All 22 banks passed.", None),
        ("Did more than 20 banks pass?", "22 banks passed in May and 19 banks in June.", None),
        ("Did more than 20 banks pass?", "It took 22 days.", None),
    ],
)
def test_a_count_keeps_the_bound_of_a_question_or_breaks_it(question, sentence, holds):
    assert holds_count(question, sentence) is holds


@pytest.mark.parametrize(
    ("question", "is_unclear"),
    [
        ("Who must not take the syrup?", False),
        ("Which firms do not pay dividends?", True),
        ("In 2024, which firms did not pay dividends?", True),
        ("Who led the firm, who did not resign, and was named by the press?", False),
        ("Who pleaded not guilty to the charges?", False),
        ("Which firm was accused of not paying its suppliers?", False),
        ("What does the policy not cover?", True),
    ],
)
def test_what_is_not_the_case_is_unclear_unless_a_rule_says_it_or_it_is_told_as_an_act(question, is_unclear):
    assert bool(why_not_denied(question, [])) is is_unclear


@pytest.mark.parametrize(
    ("sentence", "yes"),
    [
        ("Experimental is used for packages which are still being made.", None),
        ("Use packages from experimental for tests.", True),
        ("Packages from experimental are recommended for use in tests.", True),
        ("Users should not use packages from experimental.", False),
    ],
)
def test_what_one_should_do_is_told_by_advice(sentence, yes):
    stance = stance_of("Should I use packages from experimental?", sentence, terms_of("use packages experimental"))
    assert (stance.yes if stance else None) is yes


def test_what_is_asked_or_hoped_for_is_not_so_yet():
    text = "It is an occasional request to support emoji domains in this library."
    assert stance_of("Are emoji domains supported?", text, frozenset(("emoji", "domain", "support"))) is None


def test_what_falls_beside_the_thing_that_is_asked_about_says_nothing_of_it():
    question = "Did the deliveries of Acme rise?"
    terms = terms_of("deliveries rise Acme")
    assert stance_of(question, "Clients postpone deliveries when traffic falls.", terms) is None
    fell = stance_of(question, "The deliveries of Acme fell when traffic was low.", terms)
    assert fell is not None
    assert fell.text == "No"
