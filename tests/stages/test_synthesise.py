"""The answer without a model: cited, exact, in context, honest about what is missing."""

from dataclasses import replace

import pytest

from adaq_core.answerability import abstained
from adaq_core.answers.form import text_of, why_not_denied, why_unclear
from adaq_core.answers.sides import Computed
from adaq_core.matching.lexicon import Value
from adaq_core.model import (
    Answer,
    AspectCoverage,
    Constraint,
    Finding,
    Passage,
    Provenance,
    QueryAspect,
    RankedPassage,
    Statement,
)
from adaq_core.stages.brief import Brief
from adaq_core.stages.synthesise import synthesise

SALES = "Tesla sold 1.8 million cars in the year."
OTHER_SALES = "Tesla sold 1.6 million cars in the year."
PLEA = Passage(
    "boeing#0",
    "boeing",
    "Boeing: criminal case",
    "In May 2024 the department said that Boeing had broken an agreement, and in July 2024 Boeing agreed to plead "
    "guilty. Judge Reed O'Connor rejected that plea deal in December 2024. In November 2025 the judge dismissed the "
    "case that the department had brought. Boeing makes aircraft in Seattle.",
)
FILM = Passage("film#0", "film", "The Zone (film)", "The Zone is a 2017 film directed by Denys Desjardins.")
DIRECTOR = Passage(
    "director#0",
    "director",
    "Denys Desjardins",
    "He studied film. Denys Desjardins (born 1966) is a Canadian director.",
)


def passage(name, text):
    return Passage(name, name, name.title(), text)


def evidence(*passages):
    return tuple(RankedPassage(p, rank, 1.0, Provenance(1)) for rank, p in enumerate(passages, start=1))


def finding(aspect, given, quote, score=0.9):
    start = given.text.index(quote)
    return Finding(aspect, given.passage_id, quote, start, start + len(quote), score)


def write(question, aspects, *passages, covered=None, queries=None, kind="definition", likely=False):
    planned = [a if isinstance(a, QueryAspect) else QueryAspect(a, kind) for a in aspects]
    coverage = AspectCoverage(planned)
    names = [aspect.aspect for aspect in planned]
    coverage.coverage_scores.update(dict.fromkeys(names if covered is None else covered, 0.9))
    brief = Brief(question, coverage, evidence(*passages), queries=queries or {}, likely=likely, sized=True)
    return synthesise(replace(brief, unclear=why_unclear(question) or why_not_denied(question, brief.covered)))


def told(answer):
    return [(s.text, s.citations) for s in answer.statements]


def test_a_report_is_grouped_by_aspect_and_every_sentence_is_cited():
    one, two = passage("cats", "Cats purr at night."), passage("dogs", "Dogs bark at noon.")
    answer = write("Describe cats and dogs", ["Cats", "Dogs"], one, two)
    assert answer.text == "**Cats**\n\nCats purr at night. [1]\n\n**Dogs**\n\nDogs bark at noon. [2]"
    assert (answer.abstained, answer.status) == (False, "answered")


def test_citations_quote_exactly_at_their_offsets():
    one = passage("cats", "A cat  purrs.")
    answer = write("What is a cat?", ["Cats"], one)
    (citation,) = answer.citations
    assert one.text[citation.start : citation.end] == citation.quote == "A cat  purrs."
    assert answer.statements[0].text == "Cats: A cat purrs." or answer.statements[0].text == "A cat purrs."


LONG_ADDRESS = f"https://example.org/{'long-' * 20}"


def test_a_row_with_a_long_address_is_quoted():
    row = f"name: C. Lind; games: 4; category: Late for training; source: {LONG_ADDRESS}"
    answer = write("How many games did Lind miss?", ["Games"], passage("games", row), kind="entity")
    assert [s.text for s in answer.statements] == [row]


def test_what_covers_and_cannot_be_quoted_is_no_answer():
    answer = write("What is a cat?", ["Cats"], passage("cats", f"Read of cats at {LONG_ADDRESS}"))
    assert (answer.status, answer.abstained) == ("not_covered", True)
    assert "there is no answer" in answer.text


def test_a_passage_has_one_number_for_all_its_quotes():
    one = passage("cats", "Cats purr at night. Cats sleep by day.")
    answer = write("Describe cats", ["Cats"], one)
    assert [s.citations for s in answer.statements] == [(1,), (1,)]
    assert [(c.n, c.quote) for c in answer.citations] == [(1, "Cats purr at night."), (1, "Cats sleep by day.")]


def test_what_takes_a_statement_back_is_said_with_it_in_order_of_time():
    answer = write("Did Boeing plead guilty?", ["Boeing plead guilty"], PLEA, kind="entity")
    dated = [s.text for s in answer.statements if "202" in s.text]
    assert [text.rsplit(" 202", 1)[1][0] for text in dated[:3]] == ["4", "4", "5"]
    assert "dismissed the case" in answer.text


def test_a_sentence_that_points_back_comes_with_what_it_points_to():
    one = passage("tesla", "A jury awarded 243 million dollars in Miami. That verdict encouraged lawsuits about Tesla.")
    answer = write("What encouraged lawsuits about Tesla?", ["Encouraged lawsuits about Tesla"], one, kind="entity")
    assert told(answer) == [
        ("Tesla: A jury awarded 243 million dollars in Miami.", (1,)),
        ("That verdict encouraged lawsuits about Tesla.", (1,)),
    ]


def test_every_passage_of_a_set_cut_to_size_has_a_sentence():
    answer = write(
        "Where was the director of the film The Zone born?", ["director", "born"], FILM, DIRECTOR, kind="entity"
    )
    assert {c.passage_id for c in answer.citations} == {"film#0", "director#0"}
    assert answer.unused == ()


def test_a_passage_that_is_not_quoted_is_named_with_a_reason():
    cats = passage("cats", "Cats purr at night.")
    rain = passage("rain", "It rained in Oslo in May.")
    answer = write("Describe cats", ["Cats"], cats, rain)
    assert [(u.passage_id, bool(u.reason)) for u in answer.unused] == [("rain", True)]


def test_a_date_that_one_passage_states_is_the_short_answer_and_comes_first():
    answer = write(
        "When was the director of film The Zone (film) born?", ["director", "born"], FILM, DIRECTOR, kind="entity"
    )
    assert (answer.short.text, answer.short.kind, answer.status) == ("1966", "date", "answered")
    assert answer.text.startswith("**1966** [")
    assert "The Zone (film) → Denys Desjardins: 1966" in answer.short.derivation


def test_a_withheld_answer_says_what_is_missing_and_shows_the_nearest():
    one = passage("cats", "Cats purr at night.")
    answer = abstained(write("Describe cats", ["Cats"], one), missing=["no passage of the corpus names “Rex”"])
    assert answer.text == (
        "**Not enough evidence for an answer**\n\n"
        "The corpus does not seem to hold an answer: no passage of the corpus names “Rex”.\n\n"
        "**The nearest passages found, which do not answer the question**\n\n- Cats purr at night. [1]"
    )
    assert (answer.abstained, answer.status, answer.short) == (True, "not_in_corpus", None)


def test_where_nothing_was_found_it_is_said_what_is_missing():
    answer = abstained(write("Describe cats", ["Cats"], covered=()), missing=["no passage of the corpus names “Rex”"])
    assert answer.text.startswith(
        "No evidence was found for this question, so there is no answer. "
        "What is missing: no passage of the corpus names “Rex”.\n\n**Not covered**\n\n- Cats: "
    )
    assert answer.abstained


def test_sentences_that_say_the_same_become_one_with_both_citations():
    one, two = passage("one", "A grey cat purrs loudly."), passage("two", "A grey cat purrs loudly!")
    answer = write("Describe the grey cat", ["Grey cat"], one, two)
    assert [s.citations for s in answer.statements] == [(1, 2)]


def test_what_a_sentence_says_already_is_not_told_again_in_fewer_words():
    longer = "In September 2021 the northern court ruled in favour of Acme on nine of ten counts of the claim by Rex."
    one, two = passage("one", longer), passage("two", longer.replace("northern ", ""))
    answer = write("Describe the court and Rex", ["Court claim Rex"], one, two)
    assert [s.text for s in answer.statements] == [f"One: {longer}"]
    other = passage("two", longer.replace("northern ", "").replace("nine", "eight"))
    assert len(write("Describe the court and Rex", ["Court claim Rex"], one, other).statements) == 2


def test_numbers_that_disagree_are_shown_side_by_side():
    one, two = passage("one", SALES), passage("two", OTHER_SALES)
    answer = write("Describe sales of Tesla", ["Tesla sold cars"], one, two)
    (conflict,) = answer.conflicts
    assert conflict.citations == (1, 2)
    assert "**Sources disagree**" in answer.text


def test_reports_of_periods_do_not_disagree_but_other_documents_may():
    one, two = passage("one", SALES), replace(passage("two", OTHER_SALES), document_id="one")
    assert write("Describe sales of Tesla", ["Tesla sold cars"], one, two).conflicts
    of_period = [replace(each, metadata=(("period", "2023-Q1"),)) for each in (one, two)]
    assert write("Describe sales of Tesla", ["Tesla sold cars"], *of_period).conflicts == ()
    of_two = [of_period[0], replace(two, document_id="two", metadata=(("period", "2023-Q2"),))]
    assert write("Describe sales of Tesla", ["Tesla sold cars"], *of_two).conflicts == ()


def test_rows_of_one_table_do_not_disagree():
    one, two = (
        replace(passage("one", SALES), document_id="f.csv:1"),
        replace(passage("two", OTHER_SALES), document_id="f.csv:2"),
    )
    assert write("Describe sales of Tesla", ["Tesla sold cars"], one, two).conflicts == ()
    other = replace(two, document_id="g.csv:2")
    assert write("Describe sales of Tesla", ["Tesla sold cars"], one, other).conflicts


def test_numbers_of_two_things_do_not_disagree():
    one = passage("one", "Windows products and services revenue increased 15% in the quarter.")
    two = passage("two", "Server products and services revenue increased 21% in the quarter.")
    assert write("Describe revenue of products", ["Revenue of products"], one, two).conflicts == ()


def test_pages_that_state_each_the_thing_that_it_is_about_do_not_disagree():
    one, two = passage("one", SALES), passage("two", OTHER_SALES)
    stated = [replace(each, metadata=(("kind", "Product"),)) for each in (one, two)]
    assert write("Describe sales of Tesla", ["Tesla sold cars"], *stated).conflicts == ()
    assert write("Describe sales of Tesla", ["Tesla sold cars"], stated[0], two).conflicts


def test_what_is_not_covered_is_listed_with_the_nearest_passage_and_the_queries_tried():
    one = passage("cats", "Cats purr at night.")
    answer = write(
        "Describe cats and old dogs",
        ["Cats", "Dogs at night"],
        one,
        covered=["Cats"],
        queries={"Dogs at night": ["What are dogs?"]},
    )
    assert [(m.aspect, m.queries) for m in answer.not_covered] == [("Dogs at night", ("What are dogs?",))]
    assert answer.text.endswith("- Dogs at night: the nearest, “Cats”, does not say “Dogs”; tried: “What are dogs?”")
    assert answer.status == "partly"


def test_with_nothing_found_it_does_not_answer():
    answer = write("Describe cats", ["Cats"], passage("one", "Rain."), covered=(), queries={"Cats": ["What are cats?"]})
    assert (answer.abstained, answer.statements, answer.citations) == (True, (), ())
    assert answer.text.startswith("Nothing that was found answers the question, so there is no answer.")


def test_where_no_aspect_is_certain_the_best_sentences_are_shown_as_that():
    answer = write("Describe cats", ["Cats"], passage("cats", "Cats purr at night."), covered=(), likely=True)
    assert answer.text.startswith("**Not certain**\n\nCats purr")
    assert (answer.status, answer.abstained) == ("partly", False)


def test_a_comparison_of_things_is_a_table_with_cited_cells():
    apple = passage("apple", "Supply risks of Apple are in China.")
    nvidia = passage("nvidia", "Supply risks of NVIDIA are in Taiwan.")
    aspects = [QueryAspect(f"Supply risks of {name}", "facet", subject=name) for name in ("Apple", "NVIDIA")]
    answer = write("Compare the supply risks of Apple and NVIDIA", aspects, apple, nvidia)
    assert answer.table.columns == ("Apple", "NVIDIA")
    assert answer.text.splitlines()[:2] == ["| | Apple | NVIDIA |", "|---|---|---|"]
    assert "| **Supply risks** | Supply risks of Apple are in China. [1] |" in answer.text


def test_what_is_asked_of_several_things_and_told_of_one_is_a_row_of_their_table_too():
    apple = passage("apple", "Supply risks of Apple are in China. Legal risks of Apple are in Europe.")
    nvidia = passage("nvidia", "Supply risks of NVIDIA are in Taiwan.")
    asked = [(what, name) for what in ("Supply risks", "Legal risks") for name in ("Apple", "NVIDIA")]
    aspects = [QueryAspect(f"{what} of {name}", "facet", subject=name) for what, name in asked]
    covered = [aspect.aspect for aspect in aspects[:3]]
    answer = write("What are the supply and legal risks of Apple and NVIDIA?", aspects, apple, nvidia, covered=covered)
    assert [(row.label, [bool(cell) for cell in row.cells]) for row in answer.table.rows] == [
        ("Supply risks", [True, True]),
        ("Legal risks", [True, False]),
    ]


def test_a_sentence_without_content_is_no_evidence():
    one = passage("attention", "Attention has several disadvantages. Attention is slow on long texts.")
    answer = write("What are the disadvantages of attention?", ["Disadvantages of attention"], one, kind="evaluation")
    assert [s.text for s in answer.statements] == ["Attention is slow on long texts."]


def test_a_condition_of_time_puts_what_keeps_it_first():
    one = passage("tesla", "Tesla recalled cars in December 2023. Tesla paid damages for a crash in August 2025.")
    in_2025 = Constraint("date", "in 2025", value="2025")
    aspect = QueryAspect("Tesla", "definition", constraints=(in_2025,))
    answer = write("Describe what Tesla did in 2025", [aspect], one)
    assert "August 2025" in answer.statements[0].text


def test_advice_other_languages_and_what_is_not_so_are_unclear():
    one = passage("nvidia", "NVIDIA stock rose in May. Tesla faces rivals.")
    for question, word in (
        ("Should I buy NVIDIA stock?", "advice"),
        ("Wie funktioniert der Markt für NVIDIA?", "English"),
        ("Which risks does Tesla NOT face?", "not the case"),
        ("What about their competitors?", "their"),
        ("Which one is better?", "Which one"),
        ("Is NVIDIA a good buy at this price?", "advice"),
    ):
        answer = write(question, ["NVIDIA stock"], one)
        assert (answer.status, answer.abstained, answer.short) == ("unclear", True, None), question
        assert answer.text.startswith("**Unclear**")
        assert word in answer.text
    assert why_unclear("Is NVIDIA an investment of Tesla?") == ""


def test_what_is_not_the_case_is_answered_only_where_what_denies_it_is_covered():
    asks = "Which browsers does Acme not support outside the US, and who leads Acme?"
    one = passage("acme", "Ada Park leads Acme. Acme does not support the Blink browser.")
    outside = Constraint("negation", "outside the US", value="US")
    leads = QueryAspect("Who leads Acme", "entity", answer_kind="person")
    left_out = QueryAspect("Which browsers does Acme support", "entity", constraints=(outside,))
    denied = replace(left_out, constraints=(Constraint("negation", "not support"), outside))
    statuses = {
        each: write(asks, [leads, each], one, covered=covered).status
        for each, covered in ((leads, [leads.aspect]), (left_out, [left_out.aspect]), (denied, [denied.aspect]))
    }
    assert statuses == {leads: "unclear", left_out: "unclear", denied: "partly"}


def test_the_answer_contradicts_itself_nowhere():
    one, two = passage("cats", "Cats purr at night."), passage("dogs", "Dogs bark at noon.")
    for covered in (["Cats"], ["Cats", "Dogs"], []):
        answer = write("Describe cats and dogs", ["Cats", "Dogs"], one, two, covered=covered, likely=True)
        if covered:
            assert not {m.aspect for m in answer.not_covered} & {s.aspect for s in answer.statements}
        assert not (answer.short and answer.not_covered)


def test_a_number_of_other_things_is_no_price():
    one = passage("gamma", "Gamma-4 followed in 2023. Gamma-3 has 175 billion parameters.")
    answer = write("How much did it cost to train Gamma-4?", ["Cost of Gamma-4"], one, covered=[], likely=True)
    assert (answer.status, answer.abstained, answer.short) == ("not_covered", True, None)
    nearest = answer.text.split("The nearest passages found, which do not answer the question", maxsplit=1)[1]
    assert "- Gamma-4 followed in 2023. [1]" in nearest
    assert "175 billion" not in answer.text
    paid = passage("gamma", "Gamma-4 followed in 2023. Gamma-3 was made for 12 million dollars.")
    answer = write("How much did it cost to train Gamma-4?", ["Cost of Gamma-4"], paid, covered=[], likely=True)
    assert answer.statements != ()


def test_a_name_that_is_also_something_hangs_on_the_sentence_that_says_it():
    text = "Ann Lee made Bolt at DC, a centre in Oslo. Bolt is slow. DC is also where Ed Poe made Gamma."
    answer = write("Where was Gamma made?", [QueryAspect("Where was Gamma made", "entity")], passage("bolt", text))
    assert [s.text for s in answer.statements][:1] == ["Ann Lee made Bolt at DC, a centre in Oslo."]


def test_what_is_asked_for_a_weakness_is_no_strength_and_no_other_things_weakness():
    text = (
        "Bolt is a tool. The weakness of Bolt is its price. An advantage of Bolt is its speed. "
        "The weaknesses of Gamma are more delay than Bolt and a high cost."
    )
    aspect = QueryAspect("Weaknesses of Bolt", "evaluation", subject="Bolt", keywords=("bolt", "weaknesses"))
    answer = write("What are the weaknesses of Bolt?", [aspect], passage("bolt", text))
    assert [s.text for s in answer.statements] == ["The weakness of Bolt is its price."]


def test_beside_a_figure_stands_what_tells_it_unless_more_is_asked():
    one = passage(
        "acme", "Revenue 5,200 4,800. Revenue rose by 8%. Revenue is taxed in Austria. The rise came from kilns."
    )
    aspect = QueryAspect("How much did the revenue of Acme rise", "entity", subject="Acme", answer_kind="number")
    coverage = AspectCoverage([aspect])
    coverage.coverage_scores[aspect.aspect] = 0.9
    rated = {"Revenue rose by 8%.": 0.8, "Revenue is taxed in Austria.": 0.8, "The rise came from kilns.": 0.6}
    findings = [finding(aspect.aspect, one, quote, score) for quote, score in rated.items()]
    row = Value(one, "Revenue 5,200 4,800", 0, len("Revenue 5,200 4,800"), "Revenue")
    figure = Computed("up 8.3%, from $4.8 million to $5.2 million", "number", (row,), "the row of revenue")

    def said(question):
        return [
            s.text for s in synthesise(Brief(question, coverage, evidence(one), findings, figure=figure)).statements
        ]

    assert said("How much did the revenue of Acme rise?") == ["Acme: Revenue rose by 8%."]
    assert len(said("How much did the revenue of Acme rise, and why?")) == 3


def test_what_may_be_the_short_answer_is_marked_whatever_letters_it_is_made_of():
    share = r"\\nas\new"
    answer = Answer("", (Statement(f"The files are on {share}.", "A", (1,)),), likely=(share,))
    assert f"on **{share}**." in text_of(answer, (), certain=False, listed=True)


MSA = Passage("msa#0", "msa", "Agreement of Brook and Orlin", "6.1 Orlin tells Brook of a breach within 48 hours.")
CHANGE = Passage(
    "change#0",
    "change",
    "Amendment 1 for Brook and Orlin",
    "It amends the agreement. In clause 6.1 “48 hours” is replaced by “24 hours”. Clause 7.1 stays.",
)


def test_a_clause_is_told_with_what_changes_it_in_another_document():
    aspect = QueryAspect("How fast does Orlin tell of a breach", "entity", answer_kind="number")
    answer = write("How fast does Orlin tell of a breach?", [aspect], MSA, CHANGE)
    assert answer.short is None
    assert [text for text, _ in told(answer)][:2] == [
        "6.1 Orlin tells Brook of a breach within 48 hours.",
        "Amendment 1 for Brook and Orlin: In clause 6.1 “48 hours” is replaced by “24 hours”.",
    ]


TALK = passage(
    "odd jobs 41",
    "Nadia Farouk: So when did you start?\n\nCallum Reid: In October.\n\nNadia Farouk: Why?\n\n"
    "Callum Reid: Because I had been thrown out of the navy for fighting with the cook. I was twenty.",
)


def test_of_a_conversation_it_is_told_who_says_it_and_what_was_asked():
    aspect = QueryAspect("When did Callum Reid start", "entity", answer_kind="report")
    texts = [text for text, _ in told(write("When did Callum Reid start?", [aspect], TALK))]
    assert "Odd Jobs 41: Callum Reid, asked “So when did you start?”: In October." in texts


def test_yes_or_no_about_what_no_document_says_is_not_answered():
    paid = passage("payroll", "In May the salary of each person was paid twice by the bank.")
    aspect = QueryAspect("Was anybody imprisoned for the salary paid twice", "entity", answer_kind="yes_no")
    answer = write("Was anybody imprisoned for the salary paid twice?", [aspect], paid)
    assert answer.short is None


@pytest.mark.parametrize(
    ("question", "short"),
    [
        ("Was the play produced by Nan and Ron Hale?", "Yes"),  # two names, one sentence
        ("Was the play directed by Nan Hale?", None),  # another deed
        ("Was the play produced by Ron Hale in Oslo?", None),  # more than it says
    ],
)
def test_in_a_set_cut_to_size_a_sentence_that_says_all_that_is_asked_states_it(question, short):
    play = passage("play", "The play was produced by Nan and Ron Hale.")
    aspect = QueryAspect(question.strip("?"), "entity", answer_kind="yes_no")
    answer = write(question, [aspect], play, passage("Hale", "Nan Hale is a painter."))
    assert (answer.short.text if answer.short else None) == short


def test_in_a_set_cut_to_size_who_did_it_is_stated_by_a_sentence_that_says_all():
    made = passage("rye", "Rye is a film directed by Bo Dahl.")
    other = passage("bo dahl", "Bo Dahl was born in Kent.")

    def short_of(question):
        aspect = QueryAspect(question, "entity", answer_kind="person")
        seen = [Finding(question, made.passage_id, made.text, 0, len(made.text), 0.9)]
        coverage = AspectCoverage([aspect])
        coverage.coverage_scores[question] = 0.9
        brief = Brief(question, coverage, evidence(made, other), findings=seen, sized=True)
        return synthesise(brief).short

    stated = short_of("Who directed Rye?")
    assert stated is not None
    assert stated.text == "Bo Dahl"
    assert short_of("Who directed the film in which Rye was sung?") is None
