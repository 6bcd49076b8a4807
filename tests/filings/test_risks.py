"""Where a filing tells its risks, what each of them is, and which passages a question about risks brings."""

from dataclasses import replace

import pytest

from adaq_core.events import AnswerWritten
from adaq_core.filings.conditions import conditions_of
from adaq_core.filings.register import Register, register_of
from adaq_core.filings.risk_lists import risks_listed
from adaq_core.filings.risk_sections import risk_headings, risk_section, risk_statements, risks_in_a_list
from adaq_core.filings.search import search_of
from adaq_core.model import Answer, Settings
from adaq_core.question.parse import parse
from adaq_core.retrieval.index import DocumentRetriever, PassageIndex
from adaq_core.runs.execute import RunSpec, execute
from tests.filings.conftest import NORTHWIND, filed

BODY = "We {0} every quarter, and our plants, our people and our dealers all depend on how well {0} goes for us there."
SECTION = f"""Business Risks
We Face Intense Competition
{BODY.format("competition")} For example, dealers may leave.
Furthermore, competition may harm our sales. It has before.
Our results may suffer where a single dealer defaults. {BODY.format("credit")}
The office of the company is in Oslo. {BODY.format("travel")}
Legal Risks
We Could Be Sued over Glue
We could be sued over the glue that we use in kettles. {BODY.format("litigation")}
"""
FILLER = "\n".join(
    f"{BODY.format(word)} Prices could rise, which might harm us." * 6 for word in ("steel", "ore", "gas", "oil")
)


def reports(**risks: str) -> PassageIndex:
    """A report of each quarter of 2023 that is named, with its risks."""
    texts = {
        f"2023 {quarter} NWC 10-Q": f"{NORTHWIND}Item 1A.\nRisk Factors\nItem 2.\n"
        f"We sell kettles and talk of competition, dealers and glue here, for 2023 {quarter}.\n"
        f"ITEM 1A. RISK FACTORS\n{told}\nItem 2. Unregistered Sales of Equity\nNone was sold by us."
        for quarter, told in risks.items()
    }
    return filed(texts)


@pytest.fixture(scope="module")
def index() -> PassageIndex:
    short = "There were no changes to the risk factors of our annual report."
    return reports(Q1=f"{SECTION}{FILLER}", Q2=f"{SECTION}{FILLER}", Q3=short)


@pytest.fixture(scope="module")
def register(index: PassageIndex) -> Register:
    found = register_of(index)
    assert found is not None
    return found


def test_a_risk_is_a_heading_or_what_a_paragraph_of_harm_begins_with() -> None:
    assert list(risk_statements(SECTION)) == [
        ("We Face Intense Competition", "Business Risks"),
        ("Our results may suffer where a single dealer defaults.", ""),
        ("We Could Be Sued over Glue", "Legal Risks"),
        ("We could be sued over the glue that we use in kettles.", ""),
    ]


def test_the_section_is_the_text_under_its_heading_and_not_the_line_of_the_contents(
    register: Register, index: PassageIndex
) -> None:
    section = risk_section(register.filings[0], register)
    texts = [index.passages[place].text for place in section.places]
    assert len(texts) >= 4
    assert "We Face Intense Competition" in texts[0]
    assert "Exact name" not in " ".join(texts[1:])


def test_a_filing_that_refers_to_another_has_no_section(register: Register) -> None:
    assert risk_section(register.filings[2], register).places == ()


def labels(question: str, register: Register) -> list[str]:
    conditions = conditions_of(question, register)
    assert conditions is not None
    best = max(weight for _, weight in conditions.weights)
    return [filing.label for filing, weight in conditions.weights if weight == best]


def test_risks_are_those_of_the_newest_filing_unless_their_course_is_asked_for(register: Register) -> None:
    assert labels("What risks does Northwind face in 2023?", register) == ["2023 Q3"]
    assert labels("What did Northwind sell in 2023?", register) == ["2023 Q3", "2023 Q2", "2023 Q1"]
    several = conditions_of("How have the risks of Northwind changed over the reported quarters?", register)
    assert several is not None
    assert several.spread


def test_what_is_stated_as_a_risk_comes_before_what_only_says_the_words(index: PassageIndex) -> None:
    search = search_of("What risks does Northwind face from glue in Q2 2023?", index)
    assert search is not None
    assert "sued over the glue" in index.passages[search.results()[0].place].text
    plain = search_of("What kettles and glue does Northwind talk of in Q2 2023?", index)
    assert plain is not None
    assert "Exact name" in index.passages[plain.results()[0].place].text


TITLES = f"""Business Risks
We Face Intense Competition
{BODY.format("competition")}
Kettles may rust. {BODY.format("rust")}
Our Plants Could Burn
12
{BODY.format("fire")}
Legal Risks
We Could Be Sued over Glue from Oslo
{BODY.format("litigation")}
"""
PLAIN = "We {0} every quarter, and our plants, our people and our dealers all know how well {0} goes for us here."
SENTENCES = f"""Our operations are subject to risks.
OPERATING RISKS
Fire could stop our plants.
{PLAIN.format("fire")} It is so.
These plants may not be insured.
{PLAIN.format("insurance")} It is so.
Rust may harm our sales.
{PLAIN.format("rust")} It is so.
•
Loss of licences may hurt us.
{PLAIN.format("licences")} It is so.
We depend on a single dealer in Bergen.
{PLAIN.format("credit")} It is so.
In 2021, a fire harmed our plant.
{PLAIN.format("fire")} It is so.
"""
RUN_IN = f"""We may lose dealers. {BODY.format("dealers")}
It also could rain. {BODY.format("rain")}
Our taxes may rise. {BODY.format("taxes")}
The office of the company is in Oslo. {BODY.format("travel")}
Floods could reach our plants. {BODY.format("floods")}
"""


def test_headings_are_titles_or_sentences_alone_or_run_in_whichever_a_section_keeps_to() -> None:
    assert risk_headings(TITLES) == [
        ("We Face Intense Competition", "Business Risks"),
        ("Our Plants Could Burn", "Business Risks"),
        ("We Could Be Sued over Glue from Oslo", "Legal Risks"),
    ]
    assert risk_headings(SENTENCES) == [
        ("Fire could stop our plants.", "OPERATING RISKS"),
        ("Rust may harm our sales.", "OPERATING RISKS"),
        ("We depend on a single dealer in Bergen.", "OPERATING RISKS"),
    ]
    assert [risk for risk, _ in risk_headings(RUN_IN)] == [
        "We may lose dealers.", "Our taxes may rise.", "Floods could reach our plants."
    ]  # fmt: skip


FORESEEN = """Such statements involve many risks that could cause our results to differ materially, including:
•
changes in demand;
• fires in our plants; and
12
Table of Contents
•
other risks of our annual report.
We undertake no duty to update them.
"""


def test_what_may_come_otherwise_is_a_list_of_risks_where_points_follow() -> None:
    assert risks_in_a_list(FORESEEN) == ["changes in demand", "fires in our plants", "other risks of our annual report"]
    assert risks_in_a_list(FORESEEN.replace("differ materially", "be better")) == []
    assert risks_in_a_list("Risks and uncertainties may make results differ materially:\nSee Item 1A.") == []


@pytest.fixture(scope="module")
def listing() -> PassageIndex:
    short = "There have been no material changes to our risk factors since the annual report on Form 10-K. " * 2
    titles = TITLES.replace("Kettles may rust.", "Kettles may rust. " + f"{BODY} ".format("rust") * 9)
    return reports(Q1=short, Q2=f"{titles}{FILLER}", Q3=short)


@pytest.mark.parametrize(
    ("question", "risks"),
    [
        ("What are the main risks of Northwind in Q2 2023?", ["We Face Intense Competition", "Our Plants Could Burn",
                                                              "We Could Be Sued over Glue from Oslo"]),
        ("Which legal risks does Northwind list in Q2 2023?", ["We Could Be Sued over Glue from Oslo"]),
        ("What risks does Northwind face from patents in Q2 2023?", None),
        ("Does Northwind face risks in Q2 2023?", None),
        ("What did Northwind sell in Q2 2023?", None),
        ("How have the risks of Northwind changed over the quarters?", None),
    ],
)  # fmt: skip
def test_a_broad_question_about_risks_has_the_list_of_the_report(
    question: str, risks: list[str] | None, listing: PassageIndex
) -> None:
    listed = risks_listed(parse(question), listing)
    assert (listed and [risk.text for risk in listed.risks]) == risks


def test_a_report_that_only_sends_to_another_brings_the_newest_list_before_it(listing: PassageIndex) -> None:
    listed = risks_listed(parse("What are the main risks of Northwind?"), listing)
    assert listed is not None
    assert [risk.is_own for risk in listed.risks] == [False, True, True, True]
    assert listed.risks[0].text.startswith("There have been no material changes")
    assert {aspect.aspect for aspect in listed.aspects} == {
        "Business Risks of Northwind, 2023 Q2",
        "Legal Risks of Northwind, 2023 Q2",
    }


def test_where_a_report_lists_risks_what_sends_to_another_stands_behind_them(listing: PassageIndex) -> None:
    sends = "Other than the risk factors listed below, nothing changed from the risk factors in our Form 10-K."
    titles = TITLES.replace("Kettles may rust.", "Kettles may rust. " + f"{BODY} ".format("rust") * 9)
    index = reports(Q1=sends, Q2=f"{sends}\n{titles}{FILLER}")
    listed = risks_listed(parse("What are the main risks of Northwind in Q2 2023?"), index)
    assert listed is not None
    assert [risk.is_own for risk in listed.risks] == [True, True, True, False]
    apart = replace(listed, risks=(*listed.risks[:3], replace(listed.risks[3], passage_id="apart")))
    assert apart.passage_ids[-1] == "apart"
    only_sent = risks_listed(parse("What are the main risks of Northwind?"), listing)
    assert only_sent is not None
    assert only_sent.passage_ids[0] == only_sent.risks[0].passage_id


def answered(question: str, index: PassageIndex, *, k: int = 5) -> Answer:
    events = execute(RunSpec("adaptive", question, settings=Settings(k=k)), retriever=DocumentRetriever(index))
    return next(event.answer for event in events if isinstance(event, AnswerWritten))


def test_the_answer_is_the_list_under_its_groups_and_says_what_it_leaves_out(listing: PassageIndex) -> None:
    whole = answered("What risk factors does Northwind list in Q2 2023?", listing)
    assert whole.status == "answered"
    assert whole.text.startswith("**Business Risks of Northwind, 2023 Q2**\n\n- We Face Intense Competition [1]")
    assert [statement.citations for statement in whole.statements if "Glue" in statement.text] == [(2,)]
    short = answered("What risk factors does Northwind list in Q2 2023?", listing, k=1)
    assert short.status == "partly"
    assert "more that the report lists: outside of the 1 passages kept" in short.text


def test_a_report_without_risks_of_its_own_is_quoted_and_not_taken_for_a_list(listing: PassageIndex) -> None:
    told = answered("What are the main risks of Northwind in Q1 2023?", listing)
    assert told.status == "partly"
    assert "There have been no material changes to our risk factors" in told.text
    assert "the report lists none itself" in told.text


KILNS = """Operating Risks
Our Overseas Workshops Expose Us to a Number of Risks
Our workshops abroad bring in a third of what we sell, and we plan more of them in the years to come there.
They are subject to a number of risks, including:
• local strikes and wages;
•
duties on clay;
• slower payment by dealers.
We Depend on a Few Dealers
We sell most kettles through a limited number of dealers, and one of them took 12% of all in the last quarter of it.
Our dealers may buy less, or sell kettles of others. Our office stands in a park by the river, with trees around it.
We Face Significant Clay Risk
We are exposed to clay risks as a result of seasons, new patterns and breakage, and we may have to write clay down.
Our Plants Could Burn
Our plants hold ovens, wood and oil, and we have had to leave two of them in the night since the year began for us.
"""


@pytest.fixture(scope="module")
def topics() -> PassageIndex:
    return reports(Q1=f"{KILNS}{FILLER}", Q2=f"{KILNS}{FILLER}")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        (
            "Which factors does Northwind name as sources of clay risk?",
            [
                "We Face Significant Clay Risk",
                "We are exposed to clay risks as a result of seasons, new patterns and breakage, and we may have to "
                "write clay down.",
            ],
        ),
        (
            "What does Northwind warn about depending on few dealers?",
            [
                "We Depend on a Few Dealers",
                "We sell most kettles through a limited number of dealers, and one of them took 12% of all in the "
                "last quarter of it.",
                "Our dealers may buy less, or sell kettles of others.",
                "Our office stands in a park by the river, with trees around it.",
            ],
        ),
        (
            "What are the risks of Northwind's workshops overseas in Q1 2023?",
            [
                "Our Overseas Workshops Expose Us to a Number of Risks",
                "local strikes and wages;",
                "duties on clay;",
                "slower payment by dealers.",
            ],
        ),
        ("What are the risks of Northwind's patents?", []),
        ("How does Northwind limit its clay risk?", []),
        ("Does Northwind warn about few dealers?", []),
        ("Which clay does Northwind sell?", []),
    ],
)
def test_a_risk_that_is_asked_for_is_told_with_what_stands_below_its_heading(
    topics: PassageIndex, question: str, told: list[str]
) -> None:
    found = risks_listed(parse(question), topics)
    assert [risk.text for risk in (found.risks if found else ())] == told
    assert found is None or found.is_of_topic
