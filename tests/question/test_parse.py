"""A question is read once: clauses, conditions, instructions, kinds of answer."""

import pytest

from adaq_core.question.answer_kinds import KINDS, kind_of_answer
from adaq_core.question.conditions import INSIDE, OPENINGS, SENTENCES
from adaq_core.question.parse import is_english, parse


def asked(question):
    return [(clause.kind, clause.text) for clause in parse(question).clauses]


def bound(question):
    return [(c.kind, c.text, c.value) for c in parse(question).conditions]


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What is a cash budget?", "definition"),
        ("What is a loan fee?", "definition"),
        ("Where does the name Debian come from?", "fact"),
        ("What is a typical salary?", "amount"),
        ("What is the budget?", "amount"),
        ("What is a fair price for the shares?", "amount"),
        ("What is the Beam Store commission?", "fact"),
        ("What is the store that sells Beam?", "place"),
        ("Who is chief at the beam maker?", "person"),
        ("Who opposed the Beam deal?", "organisation"),
        ("Which seller got compensation?", "fact"),
        ("What compensation did the seller get?", "amount"),
    ],
)
def test_a_term_with_an_article_asks_what_it_means(question, kind):
    assert kind_of_answer(question) == kind


def test_a_source_in_front_binds_both_questions():
    question = "Per Reuters, why did Boeing lose orders, and what does the FAA demand?"
    parsed = parse(question)
    assert asked(question) == [("reason", "why did Boeing lose orders"), ("fact", "what does the FAA demand")]
    assert bound(question) == [("source", "Reuters", "Reuters")]
    assert all(parsed.binds(condition, clause) for condition in parsed.conditions for clause in parsed.clauses)
    assert [name for name, _ in parsed.names] == ["Reuters", "Boeing", "FAA"]


def test_sources_in_the_middle_of_a_sentence_are_two():
    question = "Which company, covered by Forbes and in a story from Bloomberg, lost orders?"
    assert [c[1] for c in bound(question)] == ["Forbes", "Bloomberg"]
    assert [kind for kind, _ in asked(question)] == ["organisation"]


@pytest.mark.parametrize(
    ("question", "clause"),
    [
        ("What risks does Apple Inc. face in China?", "What risks does Apple Inc. face in China"),
        ("Compare the U.S. and U.K. inflation outlook", "Compare the U.S. and U.K. inflation outlook"),
        ("What did Mr. Cook say about iPhone demand?", "What did Mr. Cook say about iPhone demand"),
        ("How does E. coli resist antibiotics?", "How does E. coli resist antibiotics"),
        ("What did Roe v. Wade decide?", "What did Roe v. Wade decide"),
        ("What helps people for which it is important?", "What helps people for which it is important"),
    ],
)
def test_full_stops_and_relative_clauses_tear_nothing(question, clause):
    assert [text for _, text in asked(question)] == [clause]


@pytest.mark.parametrize(
    ("question", "condition"),
    [
        ("In fiscal 2023, how did Apple's services revenue change?", ("period", "In fiscal 2023", "2023")),
        ("Under the GDPR, what must companies do?", ("scope", "Under the GDPR", "")),
        ("At the board meeting in May, what was said?", ("scope", "At the board meeting in May", "")),
        ("Which risks does Tesla NOT face?", ("negation", "NOT face", "")),
        ("What is the FY2018 - FY2020 average for Walmart?", ("period", "FY2018 - FY2020", "2018/2020")),
        ("What did Pfizer earn in Q22023?", ("period", "in Q22023", "2023-Q2")),
        ("What did Apple say in its 10-K?", ("form", "10-K", "10-K")),
        ("Who sells outside the United States?", ("negation", "outside the United States", "United States")),
        ("Which products make more than 20% of sales?", ("number", "more than 20%", ">20%")),
    ],
)  # fmt: skip
def test_conditions_have_values_that_compare(question, condition):
    assert condition in bound(question)


def test_instructions_and_definitions_are_told_apart_from_what_is_asked():
    parsed = parse(
        "Assume that you are an analyst. Answer by using the balance sheet: what is the FY2018 net PPNE for 3M? "
        "PPNE is defined as: property less depreciation. Round your answer to two decimals."
    )
    assert [clause.text for clause in parsed.clauses] == ["what is the FY2018 net PPNE for 3M"]
    assert len(parsed.instructions) == 4
    assert [(c.kind, c.value) for c in parsed.conditions] == [("statement", "balance sheet"), ("period", "2018")]
    assert parsed.unused == ()


def test_what_a_short_second_question_leaves_out_is_filled_in():
    assert asked("Who created BM25 and when?") == [("person", "Who created BM25"), ("date", "when was BM25 created")]
    assert asked("Who proposed Acme, and in which year?")[1] == ("date", "in which year was Acme proposed")
    assert (
        asked("Which maker will build the chip, and at what site?")[1][1]
        == "at what site will the maker build the chip"
    )
    assert [text for _, text in asked("In which year did it sink?")] == ["In which year did it sink"]
    assert [kind for kind, _ in asked("When and where was Guido van Rossum born?")] == ["date", "place"]
    assert [
        text for _, text in asked("Which of the firms depend on TSMC, which are sued, and which had a strike?")
    ] == [
        "Which of the firms depend on TSMC",
        "Which of the firms are sued",
        "Which of the firms had a strike",
    ]


@pytest.mark.parametrize("row", [*SENTENCES, *OPENINGS, *INSIDE, *KINDS], ids=lambda row: f"{row.kind}: {row.example}")
def test_every_pattern_matches_its_example_and_not_its_counter_example(row):
    assert row.search(row.example.rstrip("?!."))
    assert not row.search(row.counter_example.rstrip("?!."))


@pytest.mark.parametrize("row", KINDS, ids=lambda row: f"{row.kind}: {row.example}")
def test_no_earlier_pattern_takes_the_example_of_a_kind(row):
    assert kind_of_answer(row.example) == row.kind


@pytest.mark.parametrize(
    ("question", "english"),
    [
        ("What is BM25?", True),
        ("Wie funktioniert BM25?", False),
        ("¿Qué es la atención?", False),
        ("北京的人口是多少?", False),
        ("Кто написал роман?", False),
        ("Bhanwarey or Harlem Nights", True),
        ("northwind dividend per share", True),
    ],
)
def test_another_language_is_recognised(question, english):
    assert is_english(question) is english


def test_a_case_that_the_question_points_back_to_is_part_of_what_is_asked():
    asked = parse("If staff hold three per cent of a supplier, does this have to be declared?")
    assert [(clause.text, clause.kind) for clause in asked.clauses] == [
        ("If staff hold three per cent of a supplier, does this have to be declared", "yes_no")
    ]
    other = parse("If rates rise, what happens to banks?")
    assert [clause.text for clause in other.clauses] == ["what happens to banks"]


@pytest.mark.parametrize(
    ("question", "unclear"),
    [
        ("Why can it backfire to throw away small words?", False),
        ("Is it safe to store the keys in a file?", False),
        ("Is it forbidden to post a password?", False),
        ("Was it grounded in May?", True),
        ("Why can it fail?", True),
        ("What would it cost if users reject the new screen?", False),
    ],
)
def test_an_it_that_only_opens_a_clause_means_nothing(question, unclear):
    assert bool(parse(question).unclear) is unclear


def test_who_would_not_do_something_is_asked_as_an_act():
    assert parse("Which judge would not order the sale of Chrome?").conditions == ()
    assert parse("Which team would you not see play in the old arena?").conditions == ()
    assert parse("Which firms do not pay dividends?").conditions != ()


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Can you tell me who founded Acme?", "who founded Acme"),
        ("Does anyone know who founded Acme?", "who founded Acme"),
        ("I wonder when Acme was founded", "when Acme was founded"),
        ("Just curious, when was Acme founded?", "when was Acme founded"),
        ("Could someone tell me whether Acme was sold?", "was Acme sold"),
        ("Could someone sell Acme?", "Could someone sell Acme?"),
        ("What I'd like to know is who founded Acme.", "who founded Acme"),
        ("A hits 5tn, month", "A hits 5tn, month"),
        ("List what the kits include.", "List what the kits include."),
        ("Is it true that Acme was founded in 1990?", "was Acme founded in 1990"),
        ("Acme owner", "who owns Acme"),
        ("Who founded Acme?", "Who founded Acme?"),
        ("In fiscal 2023, who led Acme and what did it cost?", "In fiscal 2023, who led Acme and what did it cost?"),
    ],
)
def test_what_is_asked_is_without_the_talk_around_it(question, asked):
    read = parse(question)
    assert read.asked == asked
    assert read.unused == ()


def test_a_not_within_a_title_denies_nothing():
    assert parse("Which studio produced Don't Fence Me In?").conditions == ()
    assert parse("Which studios don't pay actors?").conditions != ()


def test_what_goes_on_at_the_same_time_is_no_second_question():
    question = "Whose idea was switching off units while it learns, and what share did the first model switch off?"
    assert len(parse(question).clauses) == 2
