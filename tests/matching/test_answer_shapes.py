"""What an answer of each kind looks like, and what does not."""

from dataclasses import replace

import pytest

from adaq_core.matching.answer_shapes import (
    PATTERNS,
    TOLD_IN_A_FORM,
    began_when,
    counts_it,
    holds_kind,
    is_one_row_of_many,
    is_only_a_purpose,
    lacks_deed,
    lacks_length,
    lacks_means,
    lacks_order,
    lacks_superlative,
    moves_another,
    offset_in,
    tells_a_role,
    tells_measure,
    tells_no_price,
    tells_purpose,
    tells_version,
)
from adaq_core.matching.asked import asked_by, shares_in
from adaq_core.matching.naming import gives_thanks, lists_works, looks_forward, points_elsewhere, subject_terms
from adaq_core.matching.sentences import read_against
from adaq_core.matching.shown import read_for
from adaq_core.model import Constraint, Passage, QueryAspect
from adaq_core.question.answer_kinds import without_asking
from adaq_core.text.tokens import terms_of, uniform


@pytest.mark.parametrize("row", PATTERNS, ids=lambda row: row.kind)
def test_each_pattern_fits_its_example_and_not_its_counter(row):
    assert row.search(row.example)
    assert not row.search(row.counter_example)


@pytest.mark.parametrize("row", PATTERNS, ids=lambda row: row.kind)
def test_each_pattern_is_linear(row):
    assert row.search("zz " * 10_000) is None


@pytest.mark.parametrize("form", TOLD_IN_A_FORM, ids=lambda form: form.question)
def test_what_only_sentences_of_a_form_answer(form):
    assert form.asks.match(form.question)
    assert form.tells.search(form.answer)
    assert not form.tells.search(form.no_answer)
    assert not form.asks.match("a " * 10_000)
    assert not form.tells.search("zz " * 10_000)


@pytest.mark.parametrize(
    ("question", "sentence", "tells"),
    [
        ("How much memory does it need?", "It needs about fourteen gigabytes.", True),
        ("How much overhead does it have per record?", "It is about 60ns per record.", True),
        ("How much cash does it hold?", "It holds 4 GB.", False),
        ("How much memory does it need?", "It needs two models.", False),
    ],
)
def test_how_much_of_a_thing_is_told_by_a_measure(question, sentence, tells):
    assert tells_measure(question, sentence) is tells


@pytest.mark.parametrize(
    ("kind", "sentence", "holds"),
    [
        ("person", "Ann Lee has led Acme since May.", True),
        ("person", "Acme is led well.", False),
        ("person", "Acme Corp Group was founded.", False),
        ("organisation", "Sentence-Acme was made for it.", False),
        ("date", "It closed in the 1990s.", True),
        ("date", "It closed soon.", False),
        ("date", "It closed by the end of October.", True),
        ("date", "The office is open from eight to six.", True),
        ("date", "On Tuesday the room was half empty.", True),
        ("date", "It may close, for better or worse.", False),
        ("person", "A Dane called Holm brought us in.", True),
        ("person", "A ship called at Oslo.", False),
        ("reason", "We shall not go on, as the port is closed.", True),
        ("reason", "We shall not go on, as well.", False),
        ("reason", "It is deleted after 90 days.", False),
        ("reason", "It is deleted after seven years.", False),
        ("reason", "It is deleted after a breach.", True),
        ("amount", "Of each euro 12 cents went to fundraising.", True),
        ("organisation", "It was bought by Zeta.", True),
        ("place", "It is based in Oslo.", True),
        ("place", "It is based on trust.", False),
        ("number", "It has 12 layers.", True),
        ("number", "Sales fell in the third quarter and the first nine months of 2023.", False),
        ("number", "It must be used within a year of the birth.", True),
        ("number", "1. Fill in the form and sign it.", False),
        ("number", "(4) Includes fees of members.", False),  # the mark of a note
        ("number", "The 18F staff use a tool.", False),
        ("number", "The model has 110M parameters.", True),
        ("place", "Paris, FR: Address 5 Quai Plaza 75001", True),
        ("place", "The address of the staff is not kept.", False),
        ("person", "PEP 684 proposes a lock.", False),
        ("fact", "Anything.", True),
    ],
)
def test_a_kind_is_held_by_what_the_question_does_not_say(kind, sentence, holds):
    assert holds_kind(kind, sentence, asked=frozenset(("acm",))) is holds


def test_a_year_of_the_question_is_no_answer_to_when():
    assert not holds_kind("date", "It closed in 2024.", asked=frozenset(("2024",)))


def test_a_month_of_the_question_is_no_answer_to_when():
    assert not holds_kind("date", "It closed in March.", asked=frozenset(("march",)))


def test_how_much_of_a_thing_is_asked_is_no_word_of_the_answer():
    assert without_asking("How soon must a device be reported?").split() == ["a", "device", "be", "reported?"]
    assert without_asking("How Tesla grew in May").split() == ["How", "Tesla", "grew", "in", "May"]


def test_a_probation_period_is_no_notice_period():
    aspect = QueryAspect("What is the notice period of an employee", "entity", 1.0, answer_kind="number")
    text = "The probation period of an employee lasts six months."
    read = read_for(asked_by(aspect), text)[0]
    assert "period" not in read.terms
    assert "period" in read_for(asked_by(aspect), "The period ends.")[0].terms


def test_a_sentence_on_its_document_answers_nothing_but_says_what_the_others_are_about():
    text = "This policy says how staff can report wrongdoing. Reports may be anonymous."
    aspect = QueryAspect("May a report of wrongdoing be anonymous", "entity", 1.0, answer_kind="yes_no")
    read = read_against(aspect, Passage("p", "d", "Speaking up", text), weigh=uniform)
    assert text[read[0].sentence.start : read[0].sentence.end] == "Reports may be anonymous."
    assert read[0].score > 0.8 > 0.5 > read[1].score


@pytest.mark.parametrize(
    ("question", "sentence", "tells"),
    [
        ("Who can earn credit hours?", "Only people on flexible schedules can earn credit hours.", True),
        ("Who approves travel?", "Travel is approved by your supervisor.", True),
        ("Who can become a member?", "Members can vote.", False),
        ("Who can earn credit hours?", "There is no maximum for earning credit hours.", False),
        ("Who founded Acme?", "The board founded Acme.", False),
    ],
)
def test_a_rule_names_who_may_by_what_they_are(question, sentence, tells):
    assert tells_a_role(question, sentence, asked=terms_of(question)) is tells


def test_who_did_it_may_be_a_house_or_a_board():
    asked = terms_of("Who created the Fellows?")
    assert holds_kind("person", "In 2012, the White House created the Fellows.", asked=asked)
    assert holds_kind("person", "The Fellows were established by the White House.", asked=asked)
    assert not holds_kind("person", "The Fellows met near White House Street.", asked=asked)


def test_when_a_program_got_something_is_told_by_its_version():
    assert tells_version("When was SQL storage added?", "SQL storage was added for the 2.4 release.")
    assert tells_version("When was it deprecated?", "Deprecated since version 3.11.")
    assert not tells_version("When was SQL storage added?", "SQL storage was added with 2.4 million entries.")
    assert not tells_version("When was the program first released?", "Notes came with release 2.6.0.")


def test_a_name_that_half_of_the_corpus_says_need_not_be_said():
    text = "The XML format is stable and recommended for most users."
    aspect = QueryAspect("Which format does Ledgerly recommend for most users", "entity", 1.0)
    passage = Passage("p", "d", "Formats", text)
    everywhere = terms_of("Ledgerly")

    def weigh(term: str) -> float:
        return 0.6 if term in everywhere else 3.0

    assert read_against(aspect, passage, weigh=weigh)[0].score > 0.5
    assert not read_against(aspect, passage, weigh=uniform)


def test_of_many_alike_the_one_of_the_time_asked_for_is_read():
    text = " ".join(f"Person{chr(65 + n)} Lee led Orbis from {2000 + n} until {2001 + n}." for n in range(9))
    condition = Constraint("date", "from 2007 until 2008", (14, 34), "2007/2008")
    aspect = QueryAspect("Who led Orbis from 2007 until 2008", "entity", 1.0, constraints=(condition,))
    aspect = replace(aspect, answer_kind="person")
    read = read_against(aspect, Passage("p", "d", "Leaders of Orbis", text), weigh=uniform)
    assert any("from 2007" in text[each.sentence.start : each.sentence.end] for each in read)


def test_how_often_is_told_by_a_frequency():
    assert not lacks_length("How often is it released?", "It is released every twelve months.")
    assert lacks_length("How often is it released?", "It was released with one new digit.")


def test_what_is_only_the_purpose_of_a_sale_has_no_sum_there():
    asked = asked_by(QueryAspect("How much debt does Acme have", "entity", answer_kind="amount"))
    assert is_only_a_purpose(asked, "To reduce debt, Acme sold its mill for 3 million dollars.")
    assert not is_only_a_purpose(asked, "To reduce debt, Acme repaid 3 of 9 million dollars of debt.")
    assert not is_only_a_purpose(asked, "Acme has 9 million dollars of debt.")


def test_how_long_is_told_by_two_ends_and_not_by_from_alone():
    assert not lacks_length("How long does it last?", "It lasts from May to July.")
    assert lacks_length("How long does it take?", "It can lose quality on domains that differ from its data.")


def test_several_that_are_most_so_need_no_word_for_it():
    asked = asked_by(QueryAspect("Who are the biggest rivals of Acme in Peru", "entity", answer_kind="list"))
    assert not lacks_superlative(asked, asked.wording, "Rivals such as Bolt gain in Peru.")
    asked = asked_by(QueryAspect("Who is the biggest rival of Acme", "entity", answer_kind="organisation"))
    assert lacks_superlative(asked, asked.wording, "Rivals such as Bolt gain in Peru.")


def test_how_long_it_has_been_so_is_told_by_when_it_began():
    began = began_when("How long has Ann Lee led Acme?", "Ann Lee became its head in July 2021.")
    assert [each["when"] for each in began] == ["July 2021"]
    assert not began_when("How long has Ann Lee led Acme?", "Ann Lee was its head in July 2021.")
    assert not began_when("How long did Ann Lee lead Acme?", "Ann Lee became its head in July 2021.")


def test_the_items_of_a_list_are_the_answer_of_the_line_that_announces_them():
    text = "The current council consists of:\n\n- Ann Lee\n- Bo Holm\n\nThe council meets."
    aspect = QueryAspect("Who is on the council", "entity", 1.0, answer_kind="person")
    best = read_against(aspect, Passage("p", "d", "Governance", text), weigh=uniform)[0]
    assert text[best.sentence.start : best.sentence.end] == "The current council consists of:"
    assert best.kind == 1.0


def test_a_common_word_is_no_command_in_capitals():
    aspect = QueryAspect("What does the NX option of SET do", "entity", 1.0, answer_kind="fact")
    text = "The NX option must be set with care."
    of_set, of_other = (
        read_against(aspect, Passage("p", "d", title, text), weigh=uniform) for title in ("SET", "EXPIRE")
    )
    assert of_set[0].names == 1.0 > max((each.names for each in of_other), default=0.0)


@pytest.mark.parametrize(
    ("question", "sentence", "tells_none"),
    [
        ("What did Acme pay for Kiln?", "Costs rose by $1.0 billion, driven by investments in Kiln.", False),
        ("What did Acme pay for Kiln?", "Research rose by $1.0 billion, driven by investments in Kiln.", True),
        ("What did Acme pay for Kiln?", "Acme acquired Kiln for $2 billion.", False),
        ("What did Acme pay in 2022?", "Research rose by $1.0 billion.", False),
        ("What did Acme get for its brick business?", "Brick revenue was $4 million after the exit.", True),
        ("What did Acme pay for Kiln?", "We amortize a $6 million research asset of the acquisition of Kiln.", True),
        ("What did Acme pay for Kiln?", "We paid $9 million for Kiln and have $6 million of goodwill from it.", False),
        ("What did Acme get for the Brick Lane site?", "Acme leases the Brick Lane site from a fund.", True),
        ("What did Acme get for its brick business?", "It sold the brick business for $4 million.", False),
    ],
)
def test_what_is_paid_for_a_thing_is_told_of_its_purchase(question: str, sentence: str, tells_none: bool) -> None:
    assert tells_no_price(question, sentence) is tells_none


def test_half_is_a_share_as_percentages_are() -> None:
    assert shares_in("roughly half of sales") == {"half"}
    assert shares_in("51% of sales") == {"51", "half"}
    assert shares_in("17% and 13% in the first half of 2024") == {"17", "13"}


def test_a_place_may_be_outside_of_a_land_and_a_time_ahead_of_today():
    assert holds_kind("place", "Wafers are made by others located outside of the United States.", asked=frozenset())
    assert holds_kind("date", "The rest is payable over the next three years.", asked=frozenset())
    assert not holds_kind("date", "The rest is payable.", asked=frozenset())


@pytest.mark.parametrize("period", ["fiscal 2022", "fiscal Q3 2022", "the first nine months of fiscal 2022"])
def test_a_period_is_a_condition_and_no_word_that_an_answer_has_to_say(period: str):
    time = Constraint("date", f"in {period}", (0, 0), "2022")
    aspect = QueryAspect(f"Which tablets sold in {period}", "entity", 1.0, answer_kind="list", constraints=(time,))
    assert {unit.term for unit in asked_by(aspect).units} == {"tablet", "sold"}


def test_who_files_a_report_speaks_in_all_of_it():
    filed = Passage("r#1", "r", "Q3", "Volume fell.", metadata=(("issuer", "Acme Inc."), ("form", "10-Q")))
    assert "acm" in subject_terms(filed)
    assert "acm" not in subject_terms(replace(filed, metadata=(("issuer", "Acme Inc."),)))


@pytest.mark.parametrize(
    ("question", "sentence", "tells"),
    [
        ("Why does Acme enter into rate locks?", "We enter into rate locks to mitigate the risk of rates.", True),
        ("Why does Acme enter into rate locks?", "We enter into rate locks from time to time.", False),
        ("Why does Acme enter into rate locks?", "To mitigate risk we sell bricks.", False),
        (
            "When does Acme enter into rate locks?",
            "We enter into rate locks to mitigate our interest rate risk.",
            False,
        ),
    ],
)
def test_what_a_thing_is_done_for_is_why_it_is_done(question: str, sentence: str, tells: bool) -> None:
    asked = asked_by(QueryAspect(question.rstrip("?"), "entity", 1.0, answer_kind="reason"))
    assert tells_purpose(asked, question, sentence) is tells


@pytest.mark.parametrize(
    ("question", "sentence", "moves"),
    [
        ("Why did inventory go up?", "Higher charges were driven by inventory that was written off.", True),
        ("Why did inventory go up?", "Inventory rose due to lower demand for kilns.", False),
        ("Why did device revenue fall?", "Total revenue fell, driven by declines in devices.", True),
        ("Why did device revenue fall?", "Device revenue fell, driven by a weak market.", False),
        (
            "Why did revenue rise?",
            "Revenue passed 3 million, with the increase in the number of shops due to kilns.",
            True,
        ),
        ("Why did revenue rise?", "The increase in revenue was due to kilns.", False),
        ("Why did Acme pay?", "The strike was caused by pay.", False),
    ],
)
def test_what_a_thing_moved_is_not_why_it_moved(question: str, sentence: str, moves: bool) -> None:
    asked = asked_by(QueryAspect(question.rstrip("?"), "causal", 1.0, answer_kind="reason"))
    assert moves_another(asked, sentence) is moves


def test_on_whom_one_relies_is_told_by_what_says_that_one_does() -> None:
    question = "Who does Acme rely on to make kilns?"
    asked = asked_by(QueryAspect(question.rstrip("?"), "entity", 1.0, answer_kind="person"))
    assert lacks_deed(asked, question, terms_of("Licences for tools to make kilns in Macau"))
    assert not lacks_deed(asked, question, terms_of("We depend on foundries to make kilns."))
    assert tells_a_role(question, "We depend on foundries to make kilns.", asked=asked.terms)


ITEMS = "• future kilns, and what they cost;\n• plans for our ovens, including new ones;\n• expected sales of bowls;"


@pytest.mark.parametrize(
    ("text", "forward"),
    [
        (ITEMS, True),
        (ITEMS.replace("future", "cheap").replace("plans for", "sales of"), False),
        ("These are forward-looking statements:\n• sales of kilns in Oslo; and\n• strikes.", True),
        ("We plan new kilns.", False),
    ],
)
def test_a_list_of_what_statements_look_forward_to_tells_nothing(text: str, forward: bool) -> None:
    assert looks_forward(text) is forward
    passage = Passage("a#0", "a", "2023 Q2", text, metadata=(("form", "10-Q"),))
    covered = read_against(QueryAspect("What are the plans for ovens", "entity"), passage, weigh=uniform)
    assert not (forward and any(each.score >= 0.5 for each in covered))


def test_how_something_is_paid_for_is_told_by_where_the_money_comes_from() -> None:
    assert lacks_means("How will Acme pay for Kiln?", "The acquisition of Kiln may be late.")
    assert not lacks_means("How will Acme pay for Kiln?", "We expect to finance Kiln with notes.")
    assert not lacks_means("How did Acme do?", "It did well.")


@pytest.mark.parametrize(
    ("sentence", "tells"),
    [
        ("Refer to Note 12 – Leases for further discussion.", True),
        ("See Item 1A of Part II, “Risk Factors.”", True),
        ("For further information on kilns, see the table.", True),
        ("Section 4 describes how the kiln uses gas.", True),
        ("In Section 3.2 we discuss kilns.", True),
        ("The rest of this paper is organized as follows.", True),
        ("Section 4 provides that the lease of the kiln ends.", False),
        ("This paper describes a kiln.", False),
        ("For the year, kilns sold well.", False),
        ("See how sales rose.", False),
    ],
)
def test_a_pointer_says_only_where_something_is_told(sentence: str, tells: bool) -> None:
    assert points_elsewhere(sentence) is tells


def test_what_is_payable_within_a_time_is_due_then() -> None:
    assert holds_kind("date", "All of it was payable within 12 months.", asked=frozenset())
    assert not holds_kind("date", "It was sold within reason.", asked=frozenset())


def _kind_in_a_report(question: str, text: str) -> float:
    filed = Passage("p", "d", "Acme 10-Q", text, metadata=(("company", "Acme"), ("form", "10-Q")))
    return read_against(QueryAspect(question, "entity", 1.0, answer_kind="yes_no"), filed, weigh=uniform)[0].kind


def test_what_a_report_says_may_be_is_nothing_that_was_done() -> None:
    assert _kind_in_a_report("Has Acme paid a dividend", "We may pay a dividend.") == 0.0
    assert _kind_in_a_report("Has Acme paid a dividend", "We evaluate opportunities to pay a dividend.") == 0.0
    assert _kind_in_a_report("Has Acme paid a dividend", "We paid a dividend.") == 1.0
    assert _kind_in_a_report("Can Acme pay a dividend", "We may pay a dividend.") == 1.0


def test_the_earliest_time_of_something_denies_nothing() -> None:
    text = "The price will be received upon the second closing, expected to be no earlier than March 2025."
    aspect = QueryAspect("Earliest date for the second closing", "entity", 1.0, answer_kind="date")
    assert not read_against(aspect, Passage("p", "d", "Acme", text), weigh=uniform)[0].opposed


def test_a_firm_goes_by_its_name_without_its_trade() -> None:
    aspect = QueryAspect("Why was the purchase of Tower Semiconductor abandoned", "entity", 1.0, answer_kind="reason")
    text = "We agreed with Tower to abandon the purchase because no permit came."
    assert read_against(aspect, Passage("p", "d", "Acme", text), weigh=uniform)[0].names == 1.0
    other = "We abandoned the purchase because Tower Bridge was closed."
    assert not any(each.names == 1.0 for each in read_against(aspect, Passage("p", "d", "Acme", other), weigh=uniform))


def test_what_everybody_writes_short_is_read_in_full() -> None:
    aspect = QueryAspect("How large is the federal NOL", "entity", 1.0, answer_kind="number")
    text = "The federal net operating loss was 226 million."
    assert read_against(aspect, Passage("p", "d", "Acme", text), weigh=uniform)[0].names == 1.0


def test_a_row_of_a_table_says_of_none_that_it_is_the_most():
    row = "Manufacturer: Acme; Model: Q; Price: 36.1; Origin: USA"
    assert is_one_row_of_many("Which car is the most expensive?", row)
    assert not is_one_row_of_many("Which car costs 36.1?", row)
    assert is_one_row_of_many(
        "Which model has the highest score?", "0: name DETR; backbone R50; score 42.0; size 159Mb"
    )
    assert not is_one_row_of_many("Which model has the highest score?", "DETR has the highest score: 42.0 on COCO.")
    assert not is_one_row_of_many("Which car is the most expensive?", "Acme: the Q; the most expensive: the Z")
    assert not is_one_row_of_many("Which car is the most expensive?", "The Q of Acme costs 36.1; few cost more.")


@pytest.mark.parametrize(
    ("sentence", "may_count"),
    [
        ("The maximum number of collaborators on a shared vault is 20 users.", True),
        ("The number of vaults that collaborators share is 20.", False),
        ("The number of collaborators is limited by the plan.", False),
        ("A vault has 20 collaborators.", True),
    ],
)
def test_a_number_of_them_counts_them_however_far_behind_it_stands(sentence, may_count):
    assert (counts_it("How many collaborators can a vault have?", sentence) is None) is may_count


@pytest.mark.parametrize(
    ("sentence", "thanks"),
    [
        ("A. Lind and B. Berg provided helpful comments on drafts of this paper.", True),
        ("We would also like to thank B. Berg.", True),
        ("A. Lind wrote this paper.", False),
        ("Comments are read by B. Berg.", False),
    ],
)
def test_who_is_thanked_did_not_do_it(sentence: str, thanks: bool) -> None:
    assert gives_thanks(sentence) is thanks


WORKS = "[1] A. Lind. Why kilns crack. Fire, 1993.\n[2] B. Berg. Glazes. 2001.\n[3] C. Falk. A history of clay. 1987."


@pytest.mark.parametrize(
    ("section", "text", "lists"),
    [
        ("Kilns › References", WORKS, True),
        ("7. BIBLIOGRAPHY", WORKS, True),
        ("Kilns", WORKS, False),
        ("References", "The kilns of 1993 cracked (CVE-2001-1987), see the page on them.", False),
    ],
)
def test_a_list_of_works_says_nothing_of_its_own(section: str, text: str, lists: bool) -> None:
    assert lists_works(Passage("a#0", "a", "Kilns", text, metadata=(("section", section),))) is lists


def test_a_line_that_repeats_the_title_tells_nobodys_deed() -> None:
    slide = Passage("a#0", "a", "Kiln logs: roadmap presentation", "Kiln logs\nRoadmap presentation\nA. Lind\nMay 2023")
    who = QueryAspect("Who presented the roadmap of kiln logs", "entity", answer_kind="person")
    told = [slide.text[each.sentence.start : each.sentence.end] for each in read_against(who, slide, weigh=uniform)]
    assert "Roadmap presentation" not in told
    assert "Kiln logs" not in told


def test_neither_cited_works_nor_thanks_cover_a_question() -> None:
    works = Passage("a#9", "a", "Kilns", WORKS)
    why = QueryAspect("Why did the kilns crack", "entity")
    assert read_against(why, works, weigh=uniform)
    assert not read_against(why, replace(works, metadata=(("section", "References"),)), weigh=uniform)
    thanks = Passage("a#8", "a", "Kilns", "A. Lind and B. Berg gave helpful comments on the paper on kilns.")
    who = QueryAspect("Who wrote the paper on kilns", "entity", answer_kind="person")
    assert not read_against(who, thanks, weigh=uniform)
    assert read_against(replace(who, aspect="Who commented on the paper on kilns"), thanks, weigh=uniform)


def test_a_line_of_a_timeline_says_when():
    assert holds_kind("date", "09:31 Escalation reaches Dana, who declares it.", asked=frozenset())
    assert not holds_kind("date", "It was declared 4:1 by the board.", asked=frozenset())


def test_what_came_after_the_thing_asked_about_is_no_reason():
    asked = terms_of("Why did maize come up later after rye?")
    assert not holds_kind("reason", "Maize emerged late after rye, and yield fell.", asked=asked)
    assert holds_kind("reason", "Maize emerged late after the topsoil had dried.", asked=asked)


@pytest.mark.parametrize(
    ("question", "text", "lacks"),
    [
        ("Was Acme founded before Bolt Works?", "Acme was founded in 1950 and Bolt Works in 1960.", True),
        ("Was Acme founded before Bolt Works?", "Acme was founded ten years before Bolt Works.", False),
        ("Was Acme founded before May 1950?", "Acme was founded in 1949.", False),
        ("Must a saw be tested before Acme can sell it?", "Acme sells saws without a test.", False),
        ("Who led Acme before Ann Lee?", "Bo Dahl led Acme.", True),
    ],
)
def test_an_order_of_two_is_told_by_a_word_for_it(question, text, lacks):
    assert lacks_order(question, text) is lacks


@pytest.mark.parametrize(
    ("text", "by"),
    [
        (
            "Sales rose 5% due to demand, partially offset by lower prices of $1.5 million.",
            "lower prices of $1.5 million",
        ),
        ("Costs fell, offset in part by higher rents.", "higher rents"),
        ("Sales rose 5% due to demand.", ""),
    ],
)
def test_what_something_was_offset_by_stands_behind_the_word(text, by):
    assert offset_in(text) == by
