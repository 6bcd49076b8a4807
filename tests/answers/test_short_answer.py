"""A short answer is stated where one sentence says it; below that its candidates are marked."""

import pytest

from adaq_core.answers.candidates import candidates_in
from adaq_core.answers.choose import Rated, score, spans_for, typed_spans, wanted_of
from adaq_core.answers.evidence_sentences import (
    replaced_among,
    sentences_of,
)
from adaq_core.answers.short import propose
from adaq_core.model import Passage
from adaq_core.text.tokens import uniform

PAY = Passage(
    "t#0",
    "t",
    "Tesla: legal risk",
    "In January 2024 a judge cancelled the 2018 Tesla pay package. The Supreme Court reversed that outcome in December "
    "2025 and reinstated the 2018 package.",
)


SIRI = Passage(
    "a#0", "a", "Apple", "Apple agreed in January 2025 to pay 95 million dollars to settle the Siri lawsuit."
)


def proposed(question, kind, passage, match=0.9):
    group = sentences_of(passage, 0)
    return propose(wanted_of(question, kind), [Rated(sentence, match) for sentence in group], [group])


def test_yes_or_no_by_the_last_of_dated_events():
    made = proposed("Is the 2018 Tesla pay package valid?", "yes_no", PAY)
    assert made.text == "Yes"
    assert "reinstated the 2018 package" in made.step


def one(text, title="Boeing"):
    return Passage("b#0", "b", title, text)


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("Did Apple settle the Siri lawsuit?", SIRI.text, "Yes"),
        ("Is the 737 MAX 7 certified?", "The 737 MAX 7 was still not certified at the end of 2025.", "No"),
        ("Does FLARE need additional training?", "FLARE needs no additional training.", "No"),
        ("Is the 737 MAX 7 certified?", "The 737 MAX 7 may be certified in 2026.", ""),
        ("Is the 737 MAX 7 larger than the 737 MAX 10?", "The 737 MAX 7 is larger than no 737 MAX 10.", ""),
        ("Does Apple own chip factories?", "Apple opened its own stores in Mumbai.", ""),
        ("Does Apple own chip factories?", "Apple is buying some chips from the TSMC plant in Arizona.", ""),
        ("Was the Activision purchase blocked?", "It was blocked in April and allowed in October.", ""),
        ("Was the Activision purchase blocked?", "The regulator blocked the Activision purchase.", "Yes"),
        ("Did Tesla leave Delaware?", "Tesla left Delaware in June 2024.", "Yes"),
        ("Was the Texas lawsuit against Pfizer dismissed?", "A judge dismissed the Texas lawsuit of Pfizer.", "Yes"),
        ("Does Apple make its own chips?", "Apple sells chips that TSMC makes in Taiwan.", ""),
        ("Does Apple make its own chips?", "Apple makes its own chips.", "Yes"),
        ("Is Tesla profitable?", "Lower prices reduced the profit margin that Tesla earns on each car.", ""),
    ],
)
def test_yes_or_no_by_the_sentence_that_says_the_words_of_the_question(question, text, answer):
    assert proposed(question, "yes_no", one(text, "t"), match=1.0).text == answer


@pytest.mark.parametrize(
    ("question", "kind", "text", "answer"),
    [
        (
            "Which judge rejected the plea deal?",
            "person",
            "Judge Reed O'Connor in Texas rejected the plea deal.",
            "Reed O'Connor",
        ),
        (
            "Who founded Pfizer?",
            "person",
            "Charles Pfizer and Charles Erhart founded Pfizer in Brooklyn.",
            "Charles Pfizer and Charles Erhart",
        ),
        (
            "How many job cuts did Microsoft announce?",
            "number",
            "Microsoft announced about 6,000 job cuts in May and about 9,000 in July.",
            "",
        ),
        (
            "When did Microsoft buy LinkedIn, GitHub and Mojang?",
            "date",
            "Microsoft bought LinkedIn in 2016, GitHub in 2018 and Mojang in 2014.",
            "",
        ),
        (
            "Why did Pfizer stop danuglipron?",
            "reason",
            "Pfizer stopped danuglipron because of signals in the liver.",
            "Because of signals in the liver",
        ),
        (
            "How old was Joel when he died?",
            "number",
            "Joel was 21 when he died, far from a ripe age.",
            "21",
        ),
        (
            "How old was Joel when he died?",
            "number",
            "Joel was one of 40 people there when he died.",
            "",
        ),
        (
            "What does the Xhosa word iQhawe mean?",
            "definition",
            "Sirius is known as “iQhawe” in Xhosa, which means “the champion”, probably because it is bright.",
            "“the champion”",
        ),
        (
            "Which architecture was dropped when mips64el came?",
            "fact",
            "Support for the powerpc architecture was dropped, and the mips64el architecture was added.",
            "powerpc",
        ),
        (
            "Which tool reads the pages?",
            "fact",
            "The pages are read by many a kind of tool, GNU tools among them.",
            "",
        ),
        (
            "What was Rex named after?",
            "definition",
            "Rex (December 1996): Named for the plastic dinosaur in the films.",
            "the plastic dinosaur in the films",
        ),
        (
            "Who pays for repairs?",
            "person",
            "SHOULD IT PROVE FAULTY, YOU WILL HAVE TO PAY THE WHOLE COST OF ALL NECESSARY REPAIRS OR CORRECTION.",
            "",
        ),
        (
            "Why did Microsoft sell LinkedIn?",
            "reason",
            "Microsoft was named for LinkedIn, while Bing was left out after a review.",
            "",
        ),
    ],
)
def test_one_part_of_the_sentence_is_the_answer_or_none(question, kind, text, answer):
    assert proposed(question, kind, one(text), match=1.0).text == answer


def test_how_many_now_is_the_later_of_two_dated_numbers_and_how_many_then_is_not_stated():
    rates = one("In January 2024 the FAA limited Boeing to 38 aircraft. In October 2025 it allowed 42 aircraft.")
    group = sentences_of(rates, 0)
    rated = [Rated(group[0], 1.0), Rated(group[1], 0.8)]
    made = propose(wanted_of("How many aircraft is Boeing limited to?", "number"), rated, [group])
    assert (made.text, made.step) == ("42 aircraft", "the later of two dated statements; before it was 38 aircraft")
    made = propose(wanted_of("How many aircraft was Boeing limited to?", "number"), rated, [group])
    assert (made.text, made.likely) == ("", ("42 aircraft", "38 aircraft"))


@pytest.mark.parametrize(
    ("kind", "sentence", "spans"),
    [
        ("date", "It ended on 30 September 2025.", ["30 September 2025"]),
        ("amount", "Apple paid about 95 million dollars in 2025.", ["about 95 million dollars"]),
        ("person", "Stephen Robertson developed BM25 at City University.", ["Stephen Robertson"]),
        ("reason", "It fell because of demand.", []),
        ("amount", "Cyclists receive 20 pence a mile.", ["20 pence"]),
        (
            "number",
            "BERT large has twenty-four layers, and Emirates ordered 65 more 777X aircraft.",
            ["twenty-four layers", "65"],
        ),
        (
            "number",
            "It stays open for 20 working days at about minus 70 degrees.",
            ["20 working days", "about minus 70 degrees"],
        ),
        ("number", "Do not take more than three tablets in 24 hours.", ["three", "24 hours"]),
        ("number", "It holds no more than 20 people and has more than three floors.", ["20 people", "more than three"]),
        (
            "amount",
            "It owes tens of billions of dollars and saved several million.",
            ["tens of billions of dollars", "several million"],
        ),
        ("amount", "The plan is worth up to about one trillion dollars.", ["up to about one trillion dollars"]),
        ("number", "A third of the cars and a third plant stand still.", ["A third"]),
        ("number", "A list can hold 2^32 elements.", ["2^32"]),
        ("number", "(3) Includes rents of 20 shops.", ["20"]),  # the mark of a note
        ("number", "It must be used within a year of the birth, in a year of change.", ["a year"]),
        ("date", "Claims of March are due not later than 10 April.", ["10 April"]),
        ("date", "The plan of 2025 is exercised in May and in November.", ["2025", "in May and in November"]),
    ],
)
def test_what_a_sentence_holds_of_a_kind(kind, sentence, spans):
    assert [span.text for span in typed_spans(kind, sentence)] == spans


FEES = one(
    "A rule that would have cut credit card late fees to 8 dollars was cancelled by a court in April 2025, and "
    "Congress repealed a limit on overdraft fees in 2025.",
    "Bank: rules",
)


ZELLE = one(
    "The bureau sued the bank over fraud on the payment service Zelle, and it dropped the lawsuit in March 2025."
)


EXPORTS = one("Biden issued a worldwide framework, and the next administration withdrew this framework in May 2025.")


def test_what_happened_is_the_clause_of_the_reversal_that_says_most_of_the_question():
    made = proposed("What happened to the rule on credit card late fees?", "report", FEES)
    assert made.text.endswith("late fees to 8 dollars was cancelled by a court in April 2025")
    made = proposed("What happened to the lawsuit of the bureau against the bank over Zelle?", "report", ZELLE)
    assert made.text == "It dropped the lawsuit in March 2025"


def test_the_people_behind_a_name_do_what_is_told_and_not_the_firm():
    told = one("In November 2025 Acme shareholders approved a new pay plan for its chief executive.")
    assert proposed("Who approved the pay plan?", "person", told).text == "Acme shareholders"


def test_a_date_in_another_clause_than_what_is_asked_is_not_stated():
    apart = one("On 19 July 2024 a fault stopped Orbis computers; the error was not made by Acme.")
    assert proposed("When was Orbis made?", "date", apart).text == ""
    together = one("On 19 July 2024 Orbis was made; the error was found later.")
    assert proposed("When was Orbis made?", "date", together).text == "19 July 2024"


def test_a_particle_behind_a_name_is_no_thing_that_the_name_tells_apart():
    told = one("Acme agreed in July 2024 to buy Spirit Works back, while Borealis took over the plants of Borealis.")
    assert proposed("Which supplier did Acme buy back?", "organisation", told).text == "Spirit Works"


def test_what_happened_is_told_of_all_that_the_question_names():
    assert proposed("What happened to the rule on credit card late fees in Europe?", "report", FEES).text == ""


def test_what_was_withdrawn_is_not_in_force():
    made = proposed("Is the worldwide framework in force?", "yes_no", EXPORTS)
    assert (made.text, made.step) == (
        "No", "what happened: the next administration withdrew this framework in May 2025"
    )  # fmt: skip


def test_a_sentence_that_is_nothing_but_the_reversal_is_not_told_twice():
    made = proposed(
        "Is the framework still in force?", "yes_no", one("The administration withdrew this framework in May.")
    )
    assert (made.text, made.step) == ("No", "")


def test_what_one_is_sued_over_is_why():
    assert proposed("Why did the bureau sue the bank?", "reason", ZELLE, match=1.0).text == (
        "Over fraud on the payment service Zelle"
    )


def test_a_number_of_another_clause_is_not_stated():
    orders = one("Boeing had orders for more than 5,500 aircraft during 2025, so the outlook depends on delivery.")
    assert proposed("How many aircraft did Boeing deliver in 2025?", "number", orders, match=1.0).text == ""


def test_a_number_that_two_documents_state_together_is_stated():
    first = Passage("a#0", "a", "Paper", "The base model has six layers and eight attention heads.")
    second = Passage("b#0", "b", "Transformer", "The original Transformer used eight heads of 64 dimensions.")
    groups = [sentences_of(first, 0), sentences_of(second, 1)]
    wanted = wanted_of("How many heads does the base Transformer use?", "number")
    made = propose(wanted, [Rated(sentence, 0.5) for group in groups for sentence in group], groups)
    assert (made.text, made.step) == ("eight", "two documents that both say eight")
    assert [s.passage.document_id for s in made.sentences] == ["b", "a"]


@pytest.mark.parametrize(("other", "text"), [("about 9", ""), ("about 8", "8")])
def test_two_documents_agree_in_a_number_and_not_in_how_rough_it_is(other, text):
    first = Passage("a#0", "a", "Paper", "The base model has six layers and about 8 attention heads.")
    second = Passage("b#0", "b", "Transformer", f"The original Transformer used {other} heads of 64 dimensions.")
    groups = [sentences_of(first, 0), sentences_of(second, 1)]
    wanted = wanted_of("How many heads does the base Transformer use?", "number")
    assert propose(wanted, [Rated(sentence, 0.5) for group in groups for sentence in group], groups).text == text


def test_a_rate_of_which_two_documents_tell_is_no_count():
    first = Passage("a#0", "a", "Acme", "Acme may raise the rate to 42 cars a month.")
    second = Passage(
        "b#0", "b", "Acme: outlook", "To build 42 cars a month was a step, and Acme delivered more than ever."
    )
    groups = [sentences_of(first, 0), sentences_of(second, 1)]
    rated = [Rated(sentence, 0.5) for group in groups for sentence in group]
    assert propose(wanted_of("How many cars did Acme deliver?", "number"), rated, groups).text == ""
    assert propose(wanted_of("How many cars a month did Acme deliver?", "number"), rated, groups).text == "42 cars"


RULES = Passage(
    "r#0",
    "r",
    "Corvane: procurement policy",
    "This policy, version 5.2, governs how Corvane buys goods. Purchases below 5,000 pounds need one offer. "
    "Purchases from 5,000 pounds to 50,000 pounds need three written offers. The K series is bought by the head of "
    "purchasing, Ines Calloway. Employees ask her within two working days.",
)


def test_a_lone_letter_and_a_word_that_opens_a_sentence_are_no_names():
    wanted = wanted_of("Who is the head of purchasing of Corvane?", "person")
    spans = [s.text for sentence in sentences_of(RULES, 0) for s in spans_for(wanted, sentence)]
    assert spans == ["Ines Calloway"]


def test_a_number_is_no_label_and_counts_what_is_asked_for():
    wanted = wanted_of("How many offers does a purchase of 30,000 pounds need?", "number")
    spans = [s.text for sentence in sentences_of(RULES, 0) for s in spans_for(wanted, sentence)]
    assert spans == ["three"]


def test_the_rule_for_the_range_that_holds_the_amount_comes_first():
    wanted = wanted_of("How many offers does a purchase of 30,000 pounds need?", "number")
    best = max(sentences_of(RULES, 0), key=lambda sentence: score(sentence, wanted, uniform))
    assert best.text == "Purchases from 5,000 pounds to 50,000 pounds need three written offers."


def test_a_sentence_about_its_own_document_is_told_from_one_about_the_matter():
    assert [sentence.presents for sentence in sentences_of(RULES, 0)] == [True, False, False, False, False]


@pytest.mark.parametrize(
    ("question", "kind", "text", "answer"),
    [
        (
            "When did Jeff Bezos start Amazon?",
            "date",
            "Jeff Bezos founded Amazon in 1994 as a shop, and Andy Jassy led it from July 2021 beside Jeff Bezos.",
            "1994",
        ),
        (
            "Who published the stemmer?",
            "person",
            "Martin Porter published the stemmer, but Ann Lee used it.",
            "Martin Porter",
        ),
        (
            "Who chairs the board?",
            "person",
            "Critics of the Tesla board, which Robyn Denholm chairs, doubt it.",
            "Robyn Denholm",
        ),
        (
            "When was the soccer team of the US formed?",
            "date",
            "In 1985 , the US soccer team was formed and in 1989 , Japan got a football league .",
            "1985",
        ),
        ("How many reports were confirmed?", "number", "There were 14 reports, of which five were confirmed.", "five"),
        ("How many reports were there?", "number", "There were 14 reports, of which five were confirmed.", "14"),
        ("What percentage find it ugly?", "number", "Some seventy five percent find it ugly.", "seventy five percent"),
    ],
)
def test_the_part_that_stands_in_the_clause_of_the_question_comes_first(question, kind, text, answer):
    made = proposed(question, kind, one(text, "Amazon"), match=1.0)
    assert (made.text or made.likely[0]).removeprefix("Some ") == answer


def test_how_often_is_answered_by_how_often_something_is_done():
    text = "Rights are checked every six months; for the finance system they are checked every three months."
    wanted = wanted_of("How often are rights to the finance system checked?", "number")
    spans = [span.text for sentence in sentences_of(one(text), 0) for span in spans_for(wanted, sentence)]
    assert spans == ["every six months", "every three months"]
    assert proposed(wanted.question, "number", one(text)).text == "every three months"


STRIKE = one("About 3,200 workers of Boeing in Missouri went on strike from August to November 2025.")


def test_what_lasted_from_one_month_to_another_began_in_the_one_and_ended_in_the_other():
    assert proposed("When did the strike at Boeing in Missouri end?", "date", STRIKE).text == "November 2025"
    assert proposed("When did the strike at Boeing in Missouri begin?", "date", STRIKE).text == "August 2025"


def test_the_number_nearest_to_what_is_measured_is_the_answer():
    text = "About 33,000 machinists of Boeing stopped work until 2024, when they accepted pay rises of 38 percent."
    assert proposed("What pay rise did the Boeing machinists accept?", "number", one(text)).text == "38 percent"


def test_a_reason_for_another_thing_that_names_what_is_asked_is_none():
    text = "Cash decreased due to tax payments and the termination cost of the Arm purchase."
    assert proposed("Why did NVIDIA close the purchase of Arm?", "reason", one(text, "NVIDIA")).text == ""


BYD = one("BYD is the main rival of Tesla: BYD sold more electric cars than Tesla in 2025.", "Competition")


def test_a_comparison_of_the_same_two_answers_in_either_order():
    assert proposed("Did BYD sell more electric cars than Tesla in 2025?", "choice", BYD).text == "Yes"
    assert proposed("Did Tesla sell more electric cars than BYD in 2025?", "choice", BYD).text == "No"
    assert proposed("Did BYD sell more electric cars than Ford in 2025?", "choice", BYD).text == ""


def test_a_minority_is_not_most_of_it():
    share = one("AWS earns a minority of Amazon revenue but supplies more than half of Amazon profit.", "Amazon")
    assert proposed("Does AWS earn most of Amazon's revenue?", "yes_no", share).text == "No"
    assert proposed("Does AWS supply most of Amazon's profit?", "yes_no", share).text == "Yes"


CLAIMS = one("Claims of the chief executive, Agnes Thornby, are approved by the treasurer.", "Trust: travel")


def test_who_does_it_may_be_a_role_and_not_who_is_named_beside_another():
    made = proposed("Who approves the claims of the chief executive?", "person", CLAIMS)
    assert (made.text, made.likely) == ("the treasurer", ())


OLD = Passage(
    "o#0", "o", "Travel policy, version 2.1", "This is version 2.1. It applied to all. Meals were paid up to 35 pounds."
)


NEW = Passage(
    "n#0",
    "n",
    "Travel policy, version 3.0",
    "This is version 3.0. It applies to staff. Meals are paid up to 42 pounds.",
)


GONE = Passage(
    "g#0", "g", "Gifts", "This is the first edition. Edition two replaced it on 1 July 2025. Gifts were allowed."
)


def test_documents_with_one_title_are_versions_by_what_their_heads_or_file_names_state():
    heads = [Passage(f"{n}#0", n, "Leave policy", f"Version: {n}\n\nLeave is kept.") for n in ("1.3", "2.0")]
    named = [Passage(f"fees-v{n}.docx#0", f"fees-v{n}.docx", "Fees", "A fee is due.") for n in (1, 2)]
    alone = Passage("x#0", "x", "Leave policy", "Leave is kept.")  # states none, and may be the newest
    assert replaced_among([*heads, *named, alone]) == {"1.3#0", "fees-v1.docx#0"}


def test_the_end_of_the_name_of_a_column_is_nobody():
    rows = "Item | Daily/Per Item Limit | Approval\nHotel: Daily/Per Item Limit $200; Approval Over $250"
    hotel = sentences_of(Passage("h#0", "h", "Expenses", rows), 0)[-1]
    assert candidates_in(wanted_of("Who approves a hotel?", "person"), hotel) == []


def test_an_old_version_counts_less_where_it_is_asked_what_holds_now():
    assert replaced_among([OLD, NEW, GONE, SIRI]) == {"o#0", "g#0"}
    now = wanted_of("What is paid for meals?", "amount", passages=[OLD, NEW])
    then = wanted_of("What was paid for meals before?", "amount", passages=[OLD, NEW])
    assert (now.replaced, then.replaced) == (frozenset({"o#0"}), frozenset())
    sentences = [sentences_of(passage, rank)[-1] for rank, passage in enumerate((OLD, NEW))]
    assert [Rated(each, 1.0).strength(now) for each in sentences] == [0.5, 1.0]


def sure(question, kind, *passages):
    groups = [sentences_of(passage, place) for place, passage in enumerate(passages)]
    return propose(wanted_of(question, kind), [Rated(s, 1.0) for group in groups for s in group], groups).text


def test_a_verb_with_its_particle_is_no_other_word():
    suit = Passage("n#0", "n", "NVIDIA", "In March 2024 authors sued NVIDIA for using a data set of books.")
    begun = Passage("n#1", "n", "NVIDIA", "NVIDIA was set up in 1993.")
    assert sure("In what year was NVIDIA set up?", "date", suit) == ""
    assert sure("In what year was NVIDIA set up?", "date", begun) == "1993"


def test_what_the_question_names_in_full_speaks_for_itself():
    track = Passage("m#0", "m", "MS MARCO", "The deep learning track of TREC, which started in 2019, uses MS MARCO.")
    trec = Passage("t#0", "t", "TREC", "NIST has organised TREC since 1992.")
    assert sure("In which year was TREC started?", "date", track, trec) == ""
    assert sure("In which year was TREC started?", "date", track) == "2019"


def test_initials_are_nobody():
    bart = Passage("b#0", "b", "BART", "The first author of the RAG paper wrote with Mike Lewis, first author of BART.")
    assert sure("Who is the first author of BART?", "person", bart) == "Mike Lewis"


def test_what_is_said_later_of_another_number_is_nothing_newer():
    text = "GPT-2 came in 2019 with up to 1.5 billion parameters. GPT-3 came in 2020 with 175 billion parameters."
    gpt = Passage("g#0", "g", "GPT", text)
    assert "175" not in sure("How many parameters does GPT-2 have?", "number", gpt)


def test_what_is_counted_stands_behind_its_number():
    text = "Atlas and Nova are three sets with questions. Nova contains 113,000 questions by people."
    assert proposed("How many questions are in Nova?", "number", one(text, title="Nova"), match=1.0).text == "113,000"


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("Does Nova still buy titanium?", "Nova stopped buying titanium in March 2022.", "No"),
        ("Did Nova buy titanium?", "Nova stopped buying titanium in March 2022.", ""),
        ("Did Nova stop buying titanium?", "Nova stopped buying titanium in March 2022.", "Yes"),
        ("Did all banks pass the test of June?", "All 22 banks passed the test of June.", "Yes"),
        ("Did all banks pass the test of June?", "Some banks passed the test of June.", ""),
        ("Does Nova use lidar?", "Nova relies on cameras without lidar.", "No"),
        ("Does the jet of Nova have more than one supplier?", "The jet of Nova has only one supplier.", "No"),
    ],
)
def test_a_verdict_by_what_has_stopped_by_all_and_by_a_count(question, text, answer):
    kind = "choice" if " than " in question else "yes_no"
    assert proposed(question, kind, one(text, title="Nova"), match=1.0).text == answer


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("Does Nova use masks?", "Nova uses masks and reads from left to right.", "Yes"),
        ("Does Nova use masks?", "Orbit uses masks, while Nova reads both ways.", ""),
        ("Does Nova use masks?", "Nova ignores the masks.", "No"),
        ("Does Nova pay Orbit?", "Nova pays Orbit for maps.", "Yes"),
        ("Does Nova pay Orbit?", "Nova lives on the payments that Orbit makes.", ""),
        ("Did Nova sue Orbit?", "Nova sued Orbit in May.", "Yes"),
        ("Did Nova sue Orbit?", "The lawsuit against Nova is the case of Orbit.", ""),
        ("Is Nova a dense method?", "Nova is a dense method.", "Yes"),
        ("Is Nova a dense method?", "It joins a sparse method such as Nova and a dense method.", ""),
        ("Is Nova a compiled language?", "Programs of Nova are slower than a compiled language.", ""),
        ("Does Nova have three gates?", "Nova has three gates.", "Yes"),
        ("Does Nova have three gates?", "Nova has three quarters of the gates.", ""),
        ("Did Nova move from Oslo to Turin?", "Nova moved from Oslo to Turin.", "Yes"),
        ("Did Nova move from Oslo to Turin?", "Nova moved from Turin to Oslo.", ""),
        ("Did the update of Nova fail?", "An update of Orbit failed; the error was not made by Nova.", ""),
        ("Did sales of Nova go up?", "Sales of Nova fell.", ""),
        ("Are payments to Nova banned?", "Payments to Nova are banned.", "Yes"),
        ("Are payments to Nova banned?", "The court banned contracts but allowed payments to Nova.", "No"),
    ],
)
def test_a_yes_is_stated_of_who_does_it_and_of_what_is_asked(question, text, answer):
    assert proposed(question, "yes_no", one(text, title="Nova"), match=1.0).text == answer


def of_text(question, kind, text, title="Acme: letters"):
    passage = Passage("l#0", "l", title, text)
    group = sentences_of(passage, 0)
    return propose(wanted_of(question, kind), [Rated(sentence, 0.9) for sentence in group], [group])


def test_what_is_credited_is_a_sum_and_not_how_long_it_was_for():
    text = "We will credit Acme with five days at the engineer rate, i.e. £ 3,312.00."
    assert of_text("How much will we credit Acme?", "amount", text).text == "£ 3,312.00"


@pytest.mark.parametrize("sum_", ["GBP 2,000,000", "EUR 25 000", "16 950 GBP", "£ 18,400"])
def test_a_sum_may_have_a_code_or_a_space(sum_):
    assert [span.text for span in typed_spans("amount", f"The offer of Acme is {sum_}.")] == [sum_]


def test_the_day_on_which_something_begins_is_not_when_it_ends():
    text = "The agreement commences on 1 July 2024 and continues for three years."
    assert of_text("When does the agreement end?", "date", text).text == ""
    assert of_text("When did the agreement commence?", "date", text).text == "1 July 2024"


@pytest.mark.parametrize(
    ("question", "kind", "text", "answer"),
    [
        (
            "When did Acme sign an agreement to buy Beats?",
            "date",
            "In May 2022, Acme signed an agreement to buy Beats.",
            "May 2022",
        ),
        (
            "When did Acme terminate an agreement to buy Beats?",
            "date",
            "In May 2022, Acme signed an agreement to buy Beats.",
            "",
        ),
        ("How many shares did Acme repurchase?", "number", "Acme repurchased 15 million shares.", "15 million"),
        ("How many shares did Acme issue?", "number", "Acme repurchased 15 million shares.", ""),
        ("How much did Acme pay for Beats?", "amount", "Acme acquired Beats for $15 million.", "$15 million"),
    ],
)
def test_a_day_or_a_sum_is_of_what_is_asked_to_have_been_done(question, kind, text, answer):
    assert of_text(question, kind, text).text == answer


_TWO_SUMS = "Acme had inflows from loans of $12 billion and $2 billion for Q3 2022 and Q3 2023."


@pytest.mark.parametrize(
    ("question", "kind", "text", "spans"),
    [
        ("When do the loans of Acme come due?", "date", _TWO_SUMS, []),
        ("When do the loans of Acme come due?", "date", "The loans of Acme come due in Q3 2022.", ["Q3 2022"]),
        ("How fast will Acme expense its awards?", "number", "Acme has awards of $23 billion to expense.", []),
        ("How fast will Acme expense its awards?", "number", "Acme expenses its awards in 9 months.", ["9 months"]),
        ("How much debt does Acme have?", "amount", "Acme has debt of $8 million that bears 5%.", ["$8 million"]),
        ("How much interest does Acme pay?", "amount", "Acme pays interest of 5%.", ["5%"]),
    ],
)
def test_a_period_of_two_sums_is_no_day_and_a_sum_is_no_pace_and_a_rate_no_debt(question, kind, text, spans):
    (sentence,) = sentences_of(Passage("a#0", "a", "Acme", text), 0)
    assert [each.text for each in candidates_in(wanted_of(question, kind), sentence)] == spans


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Acme's equity has a value of $11 million.", ""),
        ("Acme's equity grew by $11 million.", "$11 million"),
    ],
)
def test_by_how_much_something_grew_is_told_where_a_text_says_that_it_did(text, answer):
    assert of_text("By how much did Acme's equity grow?", "amount", text).text == answer


def test_the_name_of_a_column_is_no_part_of_a_name():
    table = "Ship | Built | Yard | Cars\nEllery Spirit: Built 2024; Yard Van Cemre; Cars 64"
    row = sentences_of(Passage("t#0", "t", "Ships", table), 0)[-1]
    wanted = wanted_of("Which yard built the Ellery Spirit?", "organisation")
    assert [span.text for span in candidates_in(wanted, row)] == ["Van Cemre"]


def test_a_word_that_opens_a_cell_is_no_name():
    table = "No. | Action | Who\nNo. 5.1; Action Order silencers at Hahn; Who JPM"
    row = sentences_of(Passage("t#0", "t", "Actions", table), 0)[-1]
    spans = candidates_in(wanted_of("Who pays for the silencers?", "organisation"), row)
    assert "Order" not in [span.text for span in spans]


def test_a_part_stands_behind_of_which():
    text = "Acme had gross benefits of $34 million , of which $29 million , if recognized, would affect the tax rate."
    wanted = wanted_of("How much of the gross benefits would affect the tax rate?", "amount")
    (sentence,) = sentences_of(Passage("a#0", "a", "Acme", text), 0)
    assert [each.text for each in candidates_in(wanted, sentence)] == ["$29 million"]


def test_a_limit_is_nothing_that_was_done():
    text = "Acme was authorized to borrow up to $10 billion."
    (sentence,) = sentences_of(Passage("a#0", "a", "Acme", text), 0)
    assert candidates_in(wanted_of("How much did Acme borrow?", "amount"), sentence) == []
    assert candidates_in(wanted_of("How much may Acme borrow?", "amount"), sentence)


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        ("Member: Bo Packer; Resignation Date: 1995; Reason: Harassment of others", ["Bo Packer"]),
        ("Rank: Rank by median earnings", []),
        ("Author: Berg by name", ["Berg"]),
        ("Helen Marsh: I resigned.", ["Helen Marsh"]),
    ],
)
def test_the_name_of_a_cell_and_the_word_that_opens_it_are_nobody(sentence: str, names: list[str]) -> None:
    (read,) = sentences_of(Passage("a#0", "a", "Rows", sentence), 0)
    found = candidates_in(wanted_of("Who resigned?", "person"), read)
    assert [span.text for span in found if span.text != "Author"] == names


def test_of_a_row_the_number_is_told_that_its_cell_is_asked_for() -> None:
    row = "Major: Glazing; Total: 783292; Employed: 656372; Unemployed: 34196; Unemployment_rate: 0.0495; Median: 78000"
    (read,) = sentences_of(Passage("a#0", "a", "Majors", row), 0)
    found = candidates_in(wanted_of("What is the unemployment rate of glazing?", "number"), read)
    assert [span.text for span in found] == ["0.0495"]


def test_the_day_of_a_death_is_not_that_of_the_birth_before_it():
    text = "He was born at Hof in January 1880 and died there in 1968, and of those years he spent six at sea."
    (_, sentence) = sentences_of(Passage("h#0", "h", "Hannes Jonsson", f"Hannes Jonsson was a postman. {text}"), 0)
    spans = candidates_in(wanted_of("When did Hannes die", "date"), sentence)
    assert [span.text for span in spans] == ["1968"]


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("What does Long Lake contain?", "Long Lake contains bass, pike and perch.", "bass, pike and perch"),
        ("What does Long Lake contain?", "Long Lake contains bass, pike and eel, which bite.", "bass, pike and eel"),
        ("List what Long Lake contains.", "Long Lake contains bass, pike and perch.", "bass, pike and perch"),
        ("What are the parts of a mill?", "The parts of a mill are: sail, wheel, and mole.", "sail, wheel, and mole"),
        ("What does Long Lake contain?", "Long Lake contains fish such as bass, pike and perch.", ""),
        ("What does Long Lake contain?", "Long Lake contains bass.", ""),
        ("What does Acme sell?", "Acme sells saws to mills, ropes to ships and nets to farms.", ""),
        ("What does Long Lake contain?", "Lake Durant contains bass, pike and perch.", ""),
    ],
)  # fmt: skip
def test_the_items_behind_the_words_of_the_question_are_the_answer(question, text, answer):
    assert proposed(question, "fact", one(text, "Lakes")).text == answer
