"""Only passages of the evidence are cited, quotes are the passage's own, and what is not supported is marked."""

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adaq_core.answers.citation_guard import guard, missing_facts, sources_of, stated_numbers
from adaq_core.answers.evidence_sentences import Span, find_quote
from adaq_core.answers.form import drafted
from adaq_core.model import (
    Answer,
    AspectCoverage,
    Citation,
    CitationsCheck,
    Passage,
    Provenance,
    QueryAspect,
    RankedPassage,
    Statement,
)
from adaq_core.stages.brief import Brief
from adaq_core.stages.synthesise import synthesise
from adaq_core.text.tokens import tokens

TESLA = Passage(
    "t1",
    "t",
    "Tesla annual report",
    "Tesla delivered 1.8 million cars in 2023. Battery cells remain in short supply, and prices rose by 12%. "
    "The Securities and Exchange Commission opened an inquiry on October 6, 2023.",
    date="2024-01-29",
)
FORD = Passage("f1", "f", "Ford news", "Ford cut 1,300 jobs in Valencia. Labour costs at Ford rose by $900 million.")
EVIDENCE = (TESLA, FORD)


def checked(text, passages=EVIDENCE, **rest):
    return guard(Answer(text), passages, **rest)


def cites(guarded):
    return [(s.text, s.citations, s.supported) for s in guarded.answer.statements]


def test_a_supported_sentence_is_cited_with_the_words_that_carry_it():
    guarded = checked("Battery cells are in short supply [1].")
    assert guarded.answer.text == "Battery cells are in short supply. [1]"
    assert cites(guarded) == [("Battery cells are in short supply.", (1,), True)]
    (citation,) = guarded.answer.citations
    assert citation.quote == "Battery cells remain in short supply, and prices rose by 12%."
    assert TESLA.text[citation.start : citation.end] == citation.quote
    assert guarded.check == CitationsCheck(checked=1)


def test_numbers_beyond_the_evidence_are_dropped():
    guarded = checked("Battery cells are in short supply [1][9].")
    assert cites(guarded) == [("Battery cells are in short supply.", (1,), True)]
    assert guarded.check == CitationsCheck(
        checked=2, dropped=1, notes=("“Battery cells are in short supply.”: [9] is not in the evidence",)
    )


def test_one_passage_that_carries_two_sentences_keeps_its_number():
    guarded = checked("Tesla delivered 1.8 million cars [1]. Battery prices rose by 12% [1]. Ford cut 1,300 jobs [2].")
    assert [s.citations for s in guarded.answer.statements] == [(1,), (1,), (2,)]
    assert [c.passage_id for c in guarded.answer.citations] == ["t1", "t1", "f1"]
    assert guarded.answer.text == (
        "Tesla delivered 1.8 million cars. [1] Battery prices rose by 12%. [1] Ford cut 1,300 jobs. [2]"
    )


@pytest.mark.parametrize(
    ("sentence", "missing"),
    [
        ("Tesla delivered 1.9 million cars in 2023", "1.9 million"),
        ("Tesla delivered 1.8 million cars in 2022", "2022"),
        ("Prices of battery cells rose by $12", "12"),
        ("Battery cells from Panasonic remain in short supply", "Panasonic"),
        ("The FTC opened an inquiry", "FTC"),
        ("An inquiry was opened on October 7, 2023", "October 7, 2023"),
        ("Battery cells are short, see https://example.com/report", "https://example.com/report"),
    ],
)
def test_facts_that_the_source_does_not_hold_leave_a_sentence_unsupported(sentence, missing):
    guarded = checked(f"{sentence} [1].")
    (statement,) = guarded.answer.statements
    assert (statement.supported, guarded.check.unsupported) == (False, 1)
    assert missing in guarded.check.notes[-1]


@pytest.mark.parametrize(
    "sentence",
    [
        "Tesla delivered 1,800,000 cars in 2023",
        "Nearly 1.85 million cars were delivered by Tesla",
        "Battery cell prices rose by 12 percent",
        "The SEC opened an inquiry in October 2023",
        "An inquiry was opened by the Securities and Exchange Commission in Q4 2023",
        "Tesla's battery cells remain scarce in short supply",
        "In January 2024 Tesla reported short supply of battery cells",
    ],
)
def test_the_same_facts_in_other_words_are_supported(sentence):
    guarded = checked(f"{sentence} [1].")
    assert [s.supported for s in guarded.answer.statements] == [True], guarded.check.notes


def test_a_wrong_number_is_put_right_where_another_passage_says_it():
    guarded = checked("Ford cut 1,300 jobs in Valencia [1].")
    assert [c.passage_id for c in guarded.answer.citations] == ["f1"]
    assert (guarded.check.repaired, guarded.check.unsupported) == (1, 0)
    assert guarded.answer.statements[0].supported


def test_a_name_at_the_start_is_known_as_one_from_the_evidence():
    guarded = checked("Ford delivered cars in short supply of battery cells [1].")
    assert not guarded.answer.statements[0].supported
    assert "Ford" in guarded.check.notes[-1]


def test_a_sentence_without_citation_gets_one_or_is_marked():
    guarded = checked("Ford cut 1,300 jobs in Valencia. The moon is made of cheese.")
    assert cites(guarded) == [
        ("Ford cut 1,300 jobs in Valencia.", (1,), True),
        ("The moon is made of cheese.", (), False),
    ]
    assert (guarded.check.checked, guarded.check.repaired, guarded.check.unsupported) == (0, 1, 1)


def test_a_sentence_of_other_things_is_not_supported_by_a_word_in_common():
    guarded = checked("Cells of monks and prisoners were often painted white by volunteers [1].")
    assert cites(guarded)[0][2] is False
    assert "what it cites speaks of other things" in guarded.check.notes[-1]


def test_quoted_words_are_the_passage_s_own():
    good = checked("The report says “Battery cells remain in short supply” [1].")
    assert good.answer.citations[0].quote == "Battery cells remain in short supply"
    slip = checked("The report says “Battery cells remained in very short supply, and prices rose” [1].")
    assert slip.answer.statements[0].text == "The report says “Battery cells remain in short supply, and prices rose”."
    assert (slip.check.repaired, slip.answer.statements[0].supported) == (1, True)
    bad = checked("The report says “supply of cells is plentiful this year” [1].")
    assert not bad.answer.statements[0].supported
    assert "quoted words" in bad.check.notes[-1]


def test_a_number_within_a_quote_is_never_put_right():
    guarded = checked("It says “Battery cells remain in short supply, and prices rose by 15%” [1].")
    assert (guarded.answer.statements[0].supported, guarded.check.repaired) == (False, 0)
    assert "15%" in guarded.answer.text


def one(quote, start=0, end=0, passage_id="t1"):
    statement = Statement("Battery cells remain in short supply.", "Supply", (1,))
    answer = Answer(f"{statement.text} [1]", (statement,), (Citation(1, passage_id, "t", "T", quote, start, end),))
    return guard(answer, EVIDENCE)


def test_quotes_of_citations_are_found_again():
    guarded = one("battery cells  remain in SHORT supply", 3, 9)
    (citation,) = guarded.answer.citations
    assert citation.quote == "Battery cells remain in short supply" == TESLA.text[citation.start : citation.end]
    assert guarded.check == CitationsCheck(checked=1, repaired=1)


def test_a_quote_that_was_made_up_takes_its_citation_with_it():
    guarded = one("cells are plentiful everywhere you look")
    assert (guarded.check.dropped, guarded.check.checked) == (1, 1)
    assert guarded.answer.statements[0].citations == (1,)  # adopted: the passage does say it, in its own words
    assert guarded.answer.citations[0].quote.startswith("Battery cells remain")


def test_only_the_evidence_may_be_cited():
    guarded = guard(
        Answer(
            "Cats purr. [1]", (Statement("Cats purr.", "", (1,)),), (Citation(1, "x9", "x", "X", "Cats purr.", 0, 10),)
        ),
        EVIDENCE,
    )
    assert (guarded.answer.citations, guarded.answer.text) == ((), "Cats purr.")
    assert (guarded.check.dropped, guarded.check.unsupported) == (1, 1)


def test_without_evidence_nothing_is_supported():
    guarded = checked("Tesla delivered 1.8 million cars [1]. It is the best [2].", passages=())
    assert [s.supported for s in guarded.answer.statements] == [False, False]
    assert (guarded.answer.citations, guarded.check.dropped) == ((), 2)
    assert "[" not in guarded.answer.text


@pytest.mark.parametrize(
    "mark", ["[1]", "[1, 1]", "[^1]", "[Source 1]", "[passage 1]", "【1†source】", "[1](http://evil.example/x)", "[#1]"]
)
def test_marks_in_any_of_the_usual_forms(mark):
    guarded = checked(f"Battery cells are in short supply {mark}.")
    assert guarded.answer.text == "Battery cells are in short supply. [1]"
    assert guarded.check.repaired == (mark != "[1]")


def test_lists_and_ranges_of_marks():
    assert drafted("A cat purrs [1-3]. Dogs bark [2, 4; 5].").statements == (
        Statement("A cat purrs.", "", (1, 2, 3)),
        Statement("Dogs bark.", "", (2, 4, 5)),
    )


def test_a_sentence_without_a_word_of_its_own_stays_with_the_one_before():
    text = "So it is. Battery cells are short [1]. Is it so? It is not! Ford cut 1,300 jobs [2]."
    assert drafted(text).statements == (
        Statement("So it is. Battery cells are short. Is it so? It is not!", "", (1,)),
        Statement("Ford cut 1,300 jobs.", "", (2,)),
    )


def test_headings_lists_and_lead_ins_keep_their_shape():
    text = (
        "## Supply chain [1]\n\nThe main points are:\n\n- Battery cells are in short supply [1].\n"
        "1. Ford cut 1,300 jobs [2]. Labour costs rose.\n\n**Law**\nAn inquiry was opened [1]\n```\nx = a[1]\n```"
    )
    guarded = checked(text, aspects=("Supply chain", "Law"))
    assert guarded.answer.text == (
        "## Supply chain\n\nThe main points are:\n\n- Battery cells are in short supply. [1]\n"
        "1. Ford cut 1,300 jobs. [2] Labour costs rose. [2]\n\n**Law**\nAn inquiry was opened [1]\n```\nx = a\n```"
    )
    assert [s.aspect for s in guarded.answer.statements] == ["Supply chain"] * 3 + ["Law"]


def test_an_answer_that_abstains_is_left_alone():
    answer = Answer("There is no evidence [3].", abstained=True)
    assert guard(answer, EVIDENCE).answer == answer


def test_what_the_extractive_writer_wrote_stands_as_it_is():
    sales = Passage("a", "a", "A", "Tesla sold 1.8 million cars in the year. Cats purr.")
    other = Passage("b", "b", "B", "Tesla sold 1.6 million cars in the year.")
    coverage = AspectCoverage([QueryAspect("Sales", "definition"), QueryAspect("Law", "definition")], {"Sales": 0.9})
    evidence = tuple(RankedPassage(p, n, 1.0, Provenance(1)) for n, p in enumerate((sales, other), start=1))
    answer = synthesise(Brief("Describe the sales", coverage, evidence, queries={"Law": ["tesla law"]}, sized=True))
    assert answer.conflicts
    guarded = guard(answer, [sales, other])
    assert guarded.answer == answer
    assert (guarded.check.repaired, guarded.check.dropped, guarded.check.unsupported) == (0, 0, 0)


def test_marks_that_a_document_brought_with_it_are_no_citations():
    wiki = Passage("w", "w", "Cats", "Cats purr at night.[7] They sleep.")
    statement = Statement("Cats purr at night.[7]", "Cats", (1,))
    answer = Answer(f"{statement.text} [1]", (statement,), (Citation(1, "w", "w", "Cats", wiki.text[:22], 0, 22),))
    guarded = guard(answer, [wiki])
    assert guarded.answer.text == "Cats purr at night. [1]"
    assert guarded.answer.citations[0].quote == "Cats purr at night.[7]"


def test_conflicts_keep_only_citations_that_stand():
    from adaq_core.model import Conflict

    statement = Statement("Battery cells remain in short supply.", "S", (2,))
    known = Citation(2, "t1", "t", "T", "Battery cells remain in short supply", 42, 78)
    answer = Answer(
        f"{statement.text} [2]\n\n- cells: “x” [2][5]",
        (statement,),
        (known,),
        (Conflict("S", "cells", ("x",), (2, 5)),),
    )
    guarded = guard(answer, EVIDENCE)
    assert guarded.answer.conflicts[0].citations == (1,)
    assert guarded.answer.text.endswith("- cells: “x” [1]")


def test_a_pointer_to_another_part_of_the_answer_says_nothing_to_check():
    quote = Citation(1, "t1", "t", "T", "Battery cells remain in short supply", 49, 85)
    statements = (
        Statement("Battery cells remain in short supply.", "Supply chain of cells", (1,)),
        Statement("See “Supply chain of cells” above.", "Law", (1,)),
        Statement("See “Some other part of it” above.", "Law", (1,)),
    )
    text = " ".join(f"{s.text} [1]" for s in statements)
    guarded = guard(Answer(text, statements, (quote,)), EVIDENCE)
    assert [s.supported for s in guarded.answer.statements] == [True, True, False]


# Where quotes stand.

TEXT = "Battery cells remain in short supply, and prices rose by 12%. The end came early."


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("Battery cells", Span(0, 13)),
        ("BATTERY  cells", Span(0, 13)),
        ("“prices rose by 12%”", Span(42, 59)),
        ("Battery cells … prices rose", Span(0, 53)),
        ("Battery cells [...] The end came early.", Span(0, 81)),
        ("Battery cells remained in short supply", Span(0, 36, exact=False)),
        ("cells remain in a short supply and prices", Span(8, 48, exact=False)),
        ("prices rose by 13% the end", None),
        ("wholly other words than these", None),
        ("cells batteries", None),
        ("The end … Battery cells", None),
        ("", None),
        (" ", None),
        ("…", None),
    ],
)
def test_quotes_are_found_word_by_word(quote, found):
    assert find_quote(quote, TEXT) == found


@given(st.text(max_size=80), st.data())
def test_every_piece_of_a_text_is_found_in_it(text, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    quote = text[start:end]
    span = find_quote(quote, text)
    assert (span is not None and text[span.start : span.end] == quote) or not quote.strip()


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("$3.5bn", [(3.5e9, "$")]),
        ("3,500 million", [(3.5e9, "")]),
        ("12 per cent", [(12.0, "%")]),
        ("1.2 and 3", [(1.2, ""), (3.0, "")]),
        ("v1.2.3", []),
    ],
)
def test_amounts(text, values):
    assert [(a.value, a.unit) for a in stated_numbers(text)] == values or text.startswith("v")


def test_a_currency_is_part_of_an_amount():
    sources = sources_of([FORD])
    assert missing_facts("Costs rose by $900 million", sources) == ()
    assert missing_facts("Costs rose by €900 million", sources) != ()


# Laws.

words = st.sampled_from(
    [
        "Tesla",
        "cells",
        "short",
        "supply",
        "12%",
        "1.8",
        "million",
        "2023",
        "Ford",
        "jobs",
        "“Battery cells remain”",
        "the",
    ]
)
pieces = st.one_of(
    words,
    st.sampled_from(
        ["[1]", "[2]", "[9]", "[1, 2]", "[1-2]", "【3】", ".", ". ", "\n", "\n\n", "- ", "## ", "**", ":", "[", "]"]
    ),
    st.text(max_size=6),
)
answers = st.lists(pieces, max_size=25).map(" ".join)
passage_texts = st.lists(
    st.lists(words | st.sampled_from([".", "[4]"]), min_size=1, max_size=15).map(" ".join), max_size=3
)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=200)
@given(answers, passage_texts)
def test_whatever_a_model_writes_only_the_evidence_is_cited_and_once_is_enough(text, texts):
    passages = [Passage(f"p{n}", f"d{n}", "", body) for n, body in enumerate(texts)]
    guarded = guard(Answer(text), passages)
    by_id = {p.passage_id: p for p in passages}
    numbers = {citation.passage_id: citation.n for citation in guarded.answer.citations}
    assert sorted(numbers.values()) == list(range(1, len(numbers) + 1))
    for citation in guarded.answer.citations:
        assert citation.n == numbers[citation.passage_id]
        assert citation.quote == by_id[citation.passage_id].text[citation.start : citation.end] != ""
    known = {c.n for c in guarded.answer.citations}
    assert {int(n) for n in re.findall(r"\[(\d{1,4})\]", guarded.answer.text)} <= known
    assert {n for s in guarded.answer.statements for n in s.citations} == known
    assert all(s.citations or not s.supported or not tokens(s.text) for s in guarded.answer.statements)
    again = guard(guarded.answer, passages)
    assert again.answer == guarded.answer
    assert (again.check.repaired, again.check.dropped) == (0, 0)


@settings(deadline=None, max_examples=100)
@given(st.text(max_size=200), st.lists(st.text(max_size=60), max_size=3))
def test_no_text_breaks_the_guard(text, texts):
    passages = [Passage(f"p{n}", f"d{n}", "t", body) for n, body in enumerate(texts)]
    guarded = guard(Answer(text), passages)
    assert guard(guarded.answer, passages).answer == guarded.answer


def test_words_strewn_over_a_passage_carry_no_sentence_of_a_model():
    text = "A length penalty is applied. Answers differ. The model is small."
    statement = Statement("I am a model that answers at length.", "Self", ())
    guarded = guard(Answer(statement.text, (statement,), ()), (Passage("m#0", "m", "Models", text),))
    assert (guarded.answer.statements[0].supported, guarded.answer.citations) == (False, ())
