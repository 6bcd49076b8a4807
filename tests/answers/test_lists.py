"""Lists: every item names what the question names."""

import re

import pytest

from adaq_core.answers import of_aspects, of_fact
from adaq_core.answers.aspect_scores import leads, opens_a_part, says_little, speaks_of
from adaq_core.answers.choose import wanted_of
from adaq_core.answers.evidence_sentences import sentences_of, with_antecedents, with_items
from adaq_core.answers.form import heading_of
from adaq_core.events import AnswerWritten, Record, of_kind
from adaq_core.matching.answer_shapes import announced
from adaq_core.matching.lexicon import side_told
from adaq_core.model import Finding, Passage, QueryAspect, Settings
from adaq_core.stages.brief import each_with_its_list
from adaq_core.stages.synthesise import as_quoted
from adaq_core.text.tokens import terms_of, uniform
from adaq_core.trace import view
from tests.asking import execute


def test_every_item_of_a_list_names_what_was_asked_about(sample):
    question = "Which of the eight companies depend on TSMC?"
    (written,) = of_kind(execute("adaptive", question, retriever=sample), AnswerWritten)
    items = [statement.text for statement in written.answer.statements]
    assert len(items) >= 3
    assert all("TSMC" in item for item in items)
    assert all(any(name in item for item in items) for name in ("NVIDIA", "Apple", "Amazon"))


def test_beside_an_item_of_a_list_over_several_documents_stands_only_what_may_be_one(sample):
    question = "Which of the eight companies have had strikes or fights with trade unions?"
    (written,) = of_kind(execute("adaptive", question, retriever=sample), AnswerWritten)
    items = [statement.text.lower() for statement in written.answer.statements]
    assert all("strike" in item or "union" in item for item in items)
    assert all(any(name in item for item in items) for name in ("tesla", "amazon", "boeing"))


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("Which documents mention TSMC?", "tsmc"),
        ("Where is CoWoS mentioned?", "cowos"),
        ("Which companies talk about tariffs?", "tariff"),
        ("What documents talk about hybrid search?", "hybrid"),  # one of the sentences hangs on the one before
    ],
)
def test_what_documents_mention_is_told_and_not_what_mentions_are(sample, question: str, word: str) -> None:
    (written,) = of_kind(execute("adaptive", question, retriever=sample), AnswerWritten)
    texts = [statement.text.lower() for statement in written.answer.statements]
    assert len(texts) >= 2
    assert sum(word in text for text in texts) >= 2
    assert not any("coreference" in text or "mentions" in text for text in texts)


def test_a_line_that_says_little_is_no_item_of_a_list(sample):
    question = "Which regulatory risks does Apple face outside the United States?"
    (written,) = of_kind(execute("adaptive", question, retriever=sample), AnswerWritten)
    items = [statement.text for statement in written.answer.statements]
    assert len(items) > 5
    assert not any("Regulators elsewhere are following" in item for item in items)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Regulators elsewhere are following.", True),
        ("Financing is a third factor.", True),
        ("The fine was 3 million dollars.", False),
        ("In May the regulator fined Acme.", False),
        ("Tariffs on imported chips raise the cost of every finished server.", False),
    ],
)
def test_a_sentence_of_a_few_words_that_names_nothing_says_little(text, expected):
    (sentence,) = sentences_of(Passage("a#0", "a", "Acme", text), 0)
    assert says_little(sentence) == expected


def test_what_speaks_of_the_thing_comes_first_in_a_passage_about_something_wider(sample):
    question = "What happened to Boeing's Starliner programme?"
    (written,) = of_kind(execute("adaptive", question, retriever=sample), AnswerWritten)
    assert "Starliner" in written.answer.statements[0].text


def test_a_timeline_tells_the_dated_sentences_in_their_order(sample):
    question = "Give me a timeline of the criminal case against Boeing"
    (written,) = of_kind(execute("adaptive", question, retriever=sample), AnswerWritten)
    text = " ".join(statement.text for statement in written.answer.statements)
    places = [text.find(date) for date in ("In January 2021", "July 2024", "December 2024", "in November 2025")]
    assert -1 not in places
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("question", "dates", "without"),
    [
        ("How did US export controls on AI chips develop?",
         ["October 2022", "October 2023", "December 2024", "April 2025", "December 2025"], "has effects along"),
        ("Timeline of Tesla's robotaxi launch", ["October 2024", "June 2025"], "Cybertruck"),
    ],
)  # fmt: skip
def test_a_course_is_told_by_what_is_dated_and_of_the_thing_in_order_of_time(sample, question, dates, without):
    (written,) = of_kind(execute("adaptive", question, retriever=sample), AnswerWritten)
    text = " ".join(statement.text for statement in written.answer.statements)
    places = [text.find(date) for date in dates]
    assert -1 not in places
    assert places == sorted(places)
    assert without not in text


def test_a_sentence_that_announces_how_many_counts_those_that_follow():
    assert announced("CRAG takes one of three actions.") == (3, terms_of("actions"))
    assert announced("Three approaches are distinguished.") == (3, terms_of("approaches"))
    assert announced("MinHash and SimHash are the two best-known methods.") == (0, frozenset())
    assert announced("Correct keeps.") == announced("It has questions of two to four hops.") == (0, frozenset())


def test_a_list_that_a_text_announces_is_told_whole_and_alone(sample):
    question = "Name the four kinds of questions in 2WikiMultiHopQA"
    (written,) = of_kind(execute("adaptive", question, retriever=sample), AnswerWritten)
    items = [statement.text for statement in written.answer.statements]
    begins = ("2WikiMultiHopQA has four", "Comparison", "Inference", "Compositional", "Bridge-comparison")
    assert len(items) == len(begins)
    assert all(item.startswith(begin) for item, begin in zip(items, begins, strict=True))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("It announced:\n•\nKettle One, in red;\n•\nKettle Two.\nSales fell.",
         ["It announced: • Kettle One, in red; • Kettle Two.", "Sales fell."]),
        ("It announced:\n• Kettle One.\nSales fell.", ["It announced:", "• Kettle One.", "Sales fell."]),
        ("It announced:\n- Kettle One.\n- Kettle Two.\n\nSales fell.",
         ["It announced: - Kettle One. - Kettle Two.", "Sales fell."]),
        ("It announced:\nKettle One.\nKettle Two.", ["It announced:", "Kettle One.", "Kettle Two."]),
        ("Sales fell.\n• Kettle One.\n• Kettle Two.", ["Sales fell.", "• Kettle One.", "• Kettle Two."]),
        ("It makes two new kettles.\n\n- One: It is red. It sings.\n- Two: It is blue.\n\nSales fell.",
         ["It makes two new kettles. - One: It is red. It sings. - Two: It is blue.", "Sales fell."]),
        ("It makes two new kettles. These are:\n\n(a) One.\nIt is red.\n(b) Two is blue.\n\nSales fell.",
         ["It makes two new kettles. These are: (a) One. It is red. (b) Two is blue.", "Sales fell."]),
        ("It makes three kettles.\n- One is red.\n- Two is blue.\nSales fell.",
         ["It makes three kettles.", "One is red.", "Two is blue.", "Sales fell."]),
    ],
)  # fmt: skip
def test_what_announces_bullets_is_said_with_them(text: str, said: list[str]) -> None:
    read = with_items(sentences_of(Passage("a#0", "a", "Kettles", text), 0))
    assert [sentence.text for sentence in read] == said
    assert [sentence.order for sentence in read] == list(range(len(said)))


def test_a_sentence_at_the_border_of_two_passages_is_told_with_its_list():
    text = "It rained.\nIt makes two kettles.\n- One is red.\n- Two is blue."
    at = text.index("It makes")
    ahead = Passage("a#0", "a", "Kettles", text[: text.index("\n- One")], start=0)
    behind = Passage("a#1", "a", "Kettles", text[at:], start=at)
    groups = each_with_its_list([with_items(sentences_of(each, rank)) for rank, each in enumerate((ahead, behind))])
    assert [[sentence.text for sentence in group] for group in groups] == [
        ["It rained."],
        ["It makes two kettles. - One is red. - Two is blue."],
    ]


def test_a_list_holds_only_sentences_that_answer(sample):
    question = "Who are the candidates to succeed Jamie Dimon?"
    (written,) = of_kind(execute("adaptive", question, retriever=sample), AnswerWritten)
    (item,) = [statement.text for statement in written.answer.statements]
    assert item.startswith("Marianne Lake, Troy Rohrbaugh and Doug Petno")


def test_a_member_of_a_list_is_said_in_whatever_words_and_no_lawsuit_of_another(sample):
    (written,) = of_kind(execute("adaptive", "List all lawsuits against Amazon", retriever=sample), AnswerWritten)
    text = " ".join(statement.text for statement in written.answer.statements)
    assert all(each in text for each in ("accused Amazon", "class actions", "joint employer", "without clear consent"))
    assert "Miami" not in text


@pytest.mark.parametrize(
    ("question", "says", "never"),
    [
        ("Which acquisitions did Pfizer make in 2023?", "Seagen", "tornado"),
        ("Which US curbs on selling advanced chips to China were in place before 2024?", "October 2022", "H20"),
        ("Who sued Apple in 2024?", "Department of Justice and a group of states", "stayed legal"),
        ("Which firms sell battery cells to Tesla?", "LG Energy Solution", "registrations fell"),
    ],
)
def test_what_is_far_less_likely_a_member_than_another_is_none(sample, question, says, never):
    (written,) = of_kind(execute("adaptive", question, retriever=sample), AnswerWritten)
    text = " ".join(statement.text for statement in written.answer.statements)
    assert says in text
    assert never not in text


def test_what_a_firm_does_about_a_thing_is_told_from_the_paragraphs_on_that(sample):
    (written,) = of_kind(execute("adaptive", "What is Apple doing about AI?", retriever=sample), AnswerWritten)
    text = " ".join(statement.text for statement in written.answer.statements)
    assert "slow start in artificial intelligence" in text
    assert "smartphones" not in text
    assert written.answer.short is None


def test_a_timeline_of_what_befell_a_thing_is_told_in_time(sample):
    (written,) = of_kind(execute("adaptive", "Timeline of the Boeing 737 MAX crisis", retriever=sample), AnswerWritten)
    first = [
        int(re.search(r"20[12]\d", s.text)[0]) for s in written.answer.statements if re.search(r"20[12]\d", s.text)
    ]
    assert len(first) > 3
    assert first == sorted(first)


@pytest.mark.parametrize(
    ("question", "says", "never"),
    [
        ("What caused the door plug accident?", ("four bolts", "door plug blew out"), "MCAS"),
        ("What caused the MCAS crashes?", ("wrong sensor signal",), "fastener"),
        (
            "Compare Tesla's and Boeing's deliveries in 2024",
            ("fell slightly in 2024",),
            "headquarters|Federal Aviation",
        ),
        ("Pfizer vs Boeing litigation", ("Zantac", "28 million"), "recession"),
        ("Amazon vs Apple antitrust", ("17 states", "the trial against Amazon is planned"), "stayed legal"),
    ],
)
def test_beside_what_answers_only_what_speaks_of_the_thing_is_said(sample, question, says, never):
    (written,) = of_kind(execute("adaptive", question, retriever=sample), AnswerWritten)
    text = " ".join(statement.text for statement in written.answer.statements)
    assert all(each.casefold() in text.casefold() for each in says)
    assert not re.search(never, text)


def test_a_list_takes_what_we_say_for_what_the_issuer_says():
    text = "We closed plants in Delhi, Perth and Oslo. Customers of Acme may close plants, stores and offices too."
    said = Passage("q#0", "q", "2023 Q1 ACM 10-Q", text, metadata=(("issuer", "Acme Corp"),))
    aspect = QueryAspect("Which plants did Acme close?", "entity", answer_kind="list")
    assert [speaks_of(aspect, sentence) for sentence in sentences_of(said, 0)] == [True, True]
    other = Passage("q#0", "q", "2023 Q1 ZET 10-Q", text, metadata=(("issuer", "Zeta Corp"),))
    assert [speaks_of(aspect, sentence) for sentence in sentences_of(other, 0)] == [False, True]


@pytest.mark.parametrize(
    ("question", "heading"),
    [
        ("Which of the eight companies depend on TSMC?", "Companies that depend on TSMC"),
        ("Which database was developed at CWI", "Database that was developed at CWI"),
        ("Which town was the plant in", "Which town was the plant in?"),
        (
            "Which companies are sued by the Department of Justice?",
            "Companies that are sued by the Department of Justice",
        ),
        ("Which companies did Pfizer acquire?", "Which companies did Pfizer acquire?"),
        ("What risks does Tesla face?", "What risks does Tesla face?"),
    ],
)
def test_the_heading_of_a_list_is_what_is_listed(question, heading):
    assert heading_of(QueryAspect(question, "entity", answer_kind="list")) == heading


def test_a_sentence_leads_by_the_terms_that_the_next_three_take_up():
    text = "Acme paid a fine. The port closed. The fine was high. It rained. Rain closed the port."
    group = sentences_of(Passage("a#0", "a", "Acme", text), 0)
    assert [leads(group, frozenset(), uniform)[s.key] for s in group] == [1.0, 2.0, 0.0, 1.0, 0.0]
    assert [leads(group, frozenset({"fine"}), uniform)[s.key] for s in group] == [0.0, 2.0, 0.0, 1.0, 0.0]


@pytest.mark.parametrize(
    ("text", "opens"),
    [
        ("The supply chain of Acme is built around cells.", True),
        ("Acme leads the market for batteries by a wide margin, but competition is growing on three sides.", True),
        ("Acme buys cells from Panasonic.", False),
        ("The chain broke in 2024.", False),
        ("The chain of Acme is long, costly, slow and open to every strike in every port.", False),
    ],
)
def test_what_opens_a_part_is_short_and_says_no_figure_and_no_other_name(text, opens):
    (sentence,) = sentences_of(Passage("a#0", "a", "Acme: supply chain", text), 0)
    assert opens_a_part(sentence) is opens


def test_a_facet_is_told_from_the_passage_that_answers_it_best(sample):
    (written,) = of_kind(execute("adaptive", "Top risks facing Tesla in 2025", retriever=sample), AnswerWritten)
    documents = {citation.n: citation.passage_id for citation in written.answer.citations}
    told = {(s.aspect.split()[0].lower(), documents[n]) for s in written.answer.statements for n in s.citations}
    facets = ("regulation", "supply", "competition", "macro", "legal")
    assert told == {(facet, f"companies/tesla-{facet}.md#0") for facet in facets}


@pytest.mark.parametrize(
    ("question", "says", "never"),
    [
        ("Which regulation risks does Boeing face?", ("still not certified", "3.1 million"), "commercial airliners"),
        ("Main governance risks at NVIDIA?", ("circular financing", "Israel", "no successor"), "A100"),
        ("Amazon: economic and trade headwinds?", ("inflation", "Tariffs", "Currency"), "Trainium2"),
    ],
)
def test_a_facet_is_told_from_its_own_passage_and_beside_it_what_speaks_of_the_facet(sample, question, says, never):
    (written,) = of_kind(execute("adaptive", question, retriever=sample), AnswerWritten)
    text = " ".join(statement.text for statement in written.answer.statements)
    assert all(each in text for each in says)
    assert never not in text


def test_of_a_passage_on_several_matters_the_paragraphs_on_the_one_asked_are_told(sample):
    question = "Pfizer and vaccines: what do the documents tell us?"
    (written,) = of_kind(execute("adaptive", question, retriever=sample), AnswerWritten)
    text = " ".join(statement.text for statement in written.answer.statements)
    assert "vaccine advisory committee" in text
    assert "Medicare negotiates" not in text


def test_a_last_step_is_told_behind_the_steps_before_it(sample):
    (written,) = of_kind(execute("adaptive", "How is nDCG calculated?", retriever=sample), AnswerWritten)
    texts = [statement.text for statement in written.answer.statements]
    last = next(n for n, text in enumerate(texts) if "Finally the sum is divided" in text)
    assert "logarithm of the rank" in texts[last - 1]


def test_a_facet_is_told_from_all_the_passages_of_the_document_that_is_about_it():
    texts = (
        ("q", "Export controls may cut the demand for Zeta chips."),
        ("z", "Export controls of Zeta are rules of states."),
        ("q", "Export controls of Zeta help all its rivals."),
    )
    passages = [Passage(f"{d}#{n}", d, f"Zeta {d}", text) for n, (d, text) in enumerate(texts)]
    groups = [sentences_of(passage, place) for place, passage in enumerate(passages)]
    aspect = QueryAspect("Export controls of Zeta", "facet", keywords=("export controls",), subject="Zeta")
    findings = [
        Finding(aspect.aspect, p.passage_id, p.text, 0, len(p.text), 1.0 - n / 9) for n, p in enumerate(passages)
    ]
    (section,) = of_aspects([aspect], groups, findings, uniform, most=17)
    assert [s.passage.passage_id for s in section.sentences] == ["q#0", "q#2"]


def test_every_aspect_that_is_covered_is_told_however_many_there_are(sample):
    """Over an answer on twelve stood that all 25 are covered."""
    risks = "regulation risks, supply chain risks, legal risks, competition risks and macro risks"
    question = f"Compare the {risks} of Tesla, Apple, Boeing, NVIDIA and Pfizer"
    events = list(execute("adaptive", question, retriever=sample, settings=Settings(k=25)))
    run = view([Record(n, "", n / 10, event) for n, event in enumerate(events, 1)])
    assert run.answer is not None
    assert len(run.covered_at) > 20
    assert {statement.aspect for statement in run.answer.statements} >= set(run.covered_at)


def test_what_happened_in_a_time_may_be_several_things_and_has_no_outcome(sample):
    (written,) = of_kind(
        execute("adaptive", "What happened to Apple in September 2025?", retriever=sample), AnswerWritten
    )
    assert written.answer.short is None
    assert len(written.answer.statements) > 1


def test_beside_who_made_a_thing_nothing_is_said_that_does_not_speak_of_that(sample):
    (written,) = of_kind(execute("adaptive", "What is BM25 and who developed it?", retriever=sample), AnswerWritten)
    makers = [s.text for s in written.answer.statements if s.aspect == "Who developed BM25"]
    assert makers[0].startswith("Stephen Robertson and colleagues at City University London developed BM25")
    assert all("developed" in text for text in makers)


def test_only_the_first_of_the_sentences_of_a_passage_has_its_title_in_front():
    text = "It opened in 1901. The roof is of glass."
    passage = Passage("a#0", "a", "Acme Hall: a history", text)
    _, second = sentences_of(passage, 0)
    assert (as_quoted(second), as_quoted(second, passage)) == (
        "Acme Hall: a history: The roof is of glass.",
        second.text,
    )
    assert as_quoted(second, Passage("b#0", "b", "Other", text)) == "Acme Hall: a history: The roof is of glass."


@pytest.mark.parametrize(
    ("question", "heading"),
    [
        ("How did Apple respond", "How did Apple respond?"),
        ("How does Apple work", "Apple: how it works"),
        (f"How did Apple respond {'in one of the many courts ' * 3}", "Apple"),
    ],
)
def test_the_heading_of_a_way_says_how_a_thing_works_only_where_that_is_asked(question, heading):
    assert heading_of(QueryAspect(question, "process", subject="Apple", answer_kind="way")) == heading


def test_where_merits_and_drawbacks_are_asked_for_neither_tells_the_other(sample):
    question = "Why is self-attention important and what are its disadvantages?"
    (written,) = of_kind(execute("adaptive", question, retriever=sample), AnswerWritten)
    importance, against = (
        " ".join(s.text for s in written.answer.statements if s.aspect.startswith(side))
        for side in ("Importance", "Disadvantages")
    )
    assert "connects any two tokens" in importance
    assert "grow with the square of the sequence length" in against
    for drawback in ("no built-in sense of order", "key-value cache", "over-interpret"):
        assert drawback not in importance, "it stands below “Self-attention has several disadvantages”"
    alone = "Why is self-attention important?"
    (written,) = of_kind(execute("adaptive", alone, retriever=sample), AnswerWritten)
    assert "connects any two tokens" in written.answer.text


@pytest.mark.parametrize(
    ("sentence", "side"),
    [
        ("Kettles have several disadvantages.", -1),
        ("A strength of kettles is that they are cheap.", 1),
        ("Kettles hold two litres.", 0),
        ("An advantage and a drawback of kettles", 0),
    ],
)
def test_a_sentence_tells_the_side_of_which_it_has_more_words(sentence, side):
    assert side_told(terms_of(sentence)) == side


FILED = (("issuer", "Acme Inc."), ("form", "10-Q"))


@pytest.mark.parametrize(
    ("metadata", "told"),
    [
        (FILED, True),
        ((), False),
    ],
)
def test_what_follows_in_a_filing_is_told_behind_what_answers(metadata, told):
    text = (
        "Rivals Ltd filed complaints over fees against Acme. Pricing committees met with lawyers in New Jersey. "
        "Complaints over fees against Acme came from Ohio too, and we defend them."
    )
    passage = Passage("a#0", "a", "2023 Q3 ACME 10-Q", text, metadata=metadata)
    aspect = QueryAspect("Complaints over fees against Acme", "entity", subject="Acme", answer_kind="fact")
    group = sentences_of(passage, 0)
    found = [Finding(aspect.aspect, "a#0", s.text, s.start, s.end, 0.9 - s.order / 10) for s in group if s.order != 1]
    (section,) = of_aspects([aspect], [group], found, uniform, most=25)
    assert ("Pricing committees" in " ".join(s.text for s in section.sentences)) == told


@pytest.mark.parametrize(
    ("kind", "following", "metadata", "told"),
    [
        ("amount", "This resulted in a gain of $33 million.", FILED, True),  # leans on it
        ("amount", "Net proceeds were $33 million.", FILED, True),  # shows the kind that is asked for
        ("amount", "Lawyers met in New Jersey.", FILED, False),
        ("amount", "This resulted in a gain of $33 million.", (), False),
        ("fact", "Lawyers met in New Jersey.", FILED, True),  # a matter is told in several sentences
        ("fact", "Lawyers met in New Jersey.", (), False),
    ],
)
def test_behind_a_fact_of_a_filing_stands_what_leans_on_it_or_shows_what_is_asked(kind, following, metadata, told):
    passage = Passage("a#0", "a", "2023 Q3 ACME 10-Q", f"Acme sold its mill in Ohio. {following}", metadata=metadata)
    group = sentences_of(passage, 0)
    question = "How much did Acme get for its mill in Ohio?"
    wanted = wanted_of(question, kind, matches={group[0].key: 0.9})
    said = of_fact([group], wanted, uniform, most=80, use_all=False, only_sure=True)
    assert [sentence.text for sentence in said] == [sentence.text for sentence in group[: 1 + told]]


def test_what_began_before_a_time_is_told_by_what_happened_then(sample):
    question = "What regulation of Amazon started before 2023?"
    (written,) = of_kind(execute("adaptive", question, retriever=sample), AnswerWritten)
    told = [statement.text for statement in written.answer.statements]
    assert any("in July 2021" in text for text in told)
    assert any("in December 2022" in text for text in told)
    assert not any("In May 2023" in text for text in told)


def test_how_a_thing_works_is_told_by_its_own_document_and_first_by_the_steps_that_it_announces(sample):
    question = "What is RAG, how does it work, and what are its weaknesses?"
    (written,) = of_kind(execute("adaptive", question, retriever=sample), AnswerWritten)
    told = [s.text for s in written.answer.statements if s.aspect == "Process/mechanism of RAG"]
    begins = ("The retriever searches", "The prompt builder", "The generator writes")
    assert all(text.startswith(begin) for text, begin in zip(told, begins, strict=False))
    assert len(told) >= len(begins)


def test_an_item_that_is_no_sentence_is_said_after_what_announces_it():
    text = "You may not offer:\n\n- tobacco;\n- lotteries and gambling; and,\n- We add to this list.\n\nAsk us."
    read = sentences_of(Passage("a#0", "a", "Rules", text), 0)
    assert [(s.text, s.listed) for s in read][2:] == [
        ("lotteries and gambling; and,", True),
        ("We add to this list.", False),
        ("Ask us.", False),
    ]
    assert [s.text for s in with_antecedents(read[2], read)] == ["You may not offer:", "lotteries and gambling; and,"]


@pytest.mark.parametrize(
    ("line", "is_heading"),
    [("Taking time off before your very last day here", True), ("Taking time off ends on 31 March here", False)],
)
def test_a_line_of_its_own_above_a_paragraph_is_no_answer(line, is_heading):
    text = f"{line}\n\nWhoever leaves the company hands over the work at least two weeks before the last day of work."
    assert sentences_of(Passage("a#0", "a", "Leave", text), 0)[0].empty == is_heading


def test_which_of_several_is_told_of_each(run_of):
    events = run_of("adaptive", "Which of Apple, Amazon, Microsoft and NVIDIA face antitrust cases?")
    answer = next(of_kind(events, AnswerWritten)).answer
    told = {statement.aspect.split(":")[0] for statement in answer.statements}
    assert told == {"Apple", "Amazon", "Microsoft", "NVIDIA"}


def test_an_item_is_quoted_without_its_bullet():
    text = "• The roof is of glass."
    (only,) = sentences_of(Passage("a#0", "a", "Acme Hall", text), 1)
    assert as_quoted(only) == "Acme Hall: The roof is of glass."


LABELS = (
    "Change in foreign currency translation, net of tax\n(1,204)\nSee accompanying notes to the statements.\n"
    "(in millions, except per share data)\nLower product margin primarily from notebook revenue\n"
    "Sales of kilns rose because bowls were asked for."
)


def test_labels_of_the_rows_of_a_report_are_no_sentences_and_what_tells_a_change_is():
    report = Passage("a#0", "a", "Acme 10-Q", LABELS, metadata=(("period", "2023-Q3"),))
    told = [sentence.text for sentence in sentences_of(report, 0) if not sentence.empty]
    assert told == [
        "Lower product margin primarily from notebook revenue",
        "Sales of kilns rose because bowls were asked for.",
    ]
    note = Passage("a#0", "a", "Notes", "Sales of kilns, net of tax and of returns\nThey rose.")
    assert not sentences_of(note, 0)[0].empty
