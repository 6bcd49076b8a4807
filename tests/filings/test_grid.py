"""Figures that a question asks for together: each is looked up by itself and stands in a cell of a table."""

from __future__ import annotations

import pytest

from adaq_core.events import AnswerWritten
from adaq_core.filings.grid import figures_asked
from adaq_core.model import Answer, QueryAspect, Settings
from adaq_core.retrieval.index import DocumentRetriever, PassageIndex
from adaq_core.runs.execute import RunSpec, execute
from tests.filings.conftest import CONTOSO, NORTHWIND, assert_told, filed, statement

STATEMENTS = """{statement}We report the following segments: Kilns and Ovens, and Bowls.
(In millions)
Three Months Ended
{day},
2023
{day},
2022
Net sales:
Kilns and Ovens
Large
700
650
Small
{small}
50
{kilns}
700
Bowls
200
100
Glazes
60
80
Operating income (loss):
Kilns and Ovens
{kiln_income}
120
Bowls
40
20
Kilns and Ovens net sales increased 14% in the three months ended {day}, 2023 primarily due to demand for large kilns.
Net sales increased in the three months ended {day}, 2023 primarily due to higher sales of bowls.
"""


def report(day: str, *, sales: int = 2000, income: int = 500, small: int = 100) -> str:
    """A quarterly report with a statement and a note of its parts."""
    kilns = 700 + small
    head = statement(day, sales=sales, income=income, net=income - 100)
    return STATEMENTS.format(statement=head, day=day, small=small, kilns=kilns, kiln_income=income // 2)


@pytest.fixture(scope="module")
def index() -> PassageIndex:
    return filed(
        {
            "2023 Q1 NWC 10-Q": NORTHWIND + report("March 31", sales=1800, income=400, small=60),
            "2023 Q2 NWC 10-Q": NORTHWIND + report("June 30"),
            "2023 Q2 CTS 10-Q": CONTOSO + report("June 30", sales=3000, income=900),
        }
    )


def told(question: str, index: PassageIndex) -> dict[tuple[str, str], str]:
    """The cells of the grid of a question, by row and column; empty where there is none."""
    grid = figures_asked(question, index)
    return {(c.row, c.column): c.figure.text if c.figure else "" for c in grid.cells} if grid else {}


def test_a_figure_of_several_quarters_has_a_column_for_each(index: PassageIndex) -> None:
    both = {
        ("net sales", "Q1 2023"): "$1,800 million ($1.8 billion)",
        ("net sales", "Q2 2023"): "$2,000 million ($2.0 billion)",
    }
    assert told("What were Northwind's net sales in Q1 and Q2 2023?", index) == both
    assert told("Northwind: net sales in each quarter of 2023", index) == both
    assert told("Northwind's net sales over the last two quarters", index) == both
    assert told("Trend in Northwind's net sales", index) == both
    for words in ("by quarter", "per quarter", "in each quarter", "by quarter in 2023"):
        assert told(f"Northwind's net sales {words}", index) == both


def test_what_no_report_is_of_stays_open(index: PassageIndex) -> None:
    made = told("Northwind's net sales over the last three quarters", index)
    assert made[("net sales", "Q4 2022")] == ""
    assert len(made) == 3


def test_several_figures_have_a_row_each_and_a_head_in_front_is_that_of_all(index: PassageIndex) -> None:
    made = told("Northwind Q2 2023: net sales, operating income and diluted EPS", index)
    assert made == {
        ("net sales", "Q2 2023"): "$2,000 million ($2.0 billion)",
        ("operating income", "Q2 2023"): "$500 million",
        ("diluted EPS", "Q2 2023"): "$2.20",
    }
    shown = told("Could you show Northwind's net sales, operating income and diluted EPS in Q2 2023?", index)
    assert shown == made
    of_bowls = told("Northwind's Bowls in Q2 2023: what were net sales, and how fast did they grow?", index)
    assert of_bowls == {
        ("Bowls net sales", "Q2 2023"): "$200 million",
        ("Bowls net sales growth", "Q2 2023"): "up 100%, from $100 million to $200 million",
    }


def test_parts_that_stand_side_by_side_share_what_is_asked_of_them(index: PassageIndex) -> None:
    shared = {("Bowls net sales", "Q2 2023"): "$200 million", ("Glazes net sales", "Q2 2023"): "$60 million"}
    assert told("Northwind Bowls and Glazes net sales in Q2 2023", index) == shared
    assert told("Northwind net sales by product in Q2 2023: Bowls, Glazes", index) == shared


def test_a_name_with_an_and_is_one_thing_where_it_has_a_figure(index: PassageIndex) -> None:
    made = told("Northwind's Kilns and Ovens and Bowls net sales in Q2 2023", index)
    assert made == {
        ("Kilns and Ovens net sales", "Q2 2023"): "$800 million",
        ("Bowls net sales", "Q2 2023"): "$200 million",
    }


def test_what_stands_behind_several_figures_is_that_of_each(index: PassageIndex) -> None:
    assert told("Net sales and operating income of Northwind's Bowls in Q2 2023", index) == {
        ("Bowls Net sales", "Q2 2023"): "$200 million",
        ("Bowls operating income", "Q2 2023"): "$40 million",
    }


def test_the_margin_of_a_segment_is_worked_out_from_both(index: PassageIndex) -> None:
    asked = "What was the operating margin of Northwind's Bowls in Q2 2023?"
    assert_told(index, asked, "20.0%, $40 million of $200 million")
    assert_told(index, "What was the operating margin of Northwind's Spoons in Q2 2023?", None)


def test_a_figure_by_segment_has_a_row_for_each_segment_that_the_report_names(index: PassageIndex) -> None:
    made = told("What was Northwind's operating income by segment in Q2 2023?", index)
    assert made == {
        ("Kilns and Ovens operating income", "Q2 2023"): "$250 million",
        ("Bowls operating income", "Q2 2023"): "$40 million",
    }


def test_segments_that_the_latest_report_does_not_name_are_those_of_the_one_before() -> None:
    silent = report("June 30").replace("We report the following segments: Kilns and Ovens, and Bowls.\n", "")
    index = filed(
        {
            "2023 Q1 NWC 10-Q": NORTHWIND + report("March 31", sales=1800, income=400, small=60),
            "2023 Q2 NWC 10-Q": NORTHWIND + silent,
            "2023 Q2 CTS 10-Q": CONTOSO + silent,
        }
    )
    made = told("What was Northwind's operating income by segment in Q1 and Q2 2023?", index)
    assert made["Kilns and Ovens operating income", "Q2 2023"] == "$250 million"
    assert made["Bowls operating income", "Q1 2023"] == "$40 million"
    assert figures_asked("What was Contoso's net sales by segment in Q1 and Q2 2023?", index) is None
    assert figures_asked("Net sales and operating income of each of Contoso's segments in Q2 2023", index) is None


def test_the_reports_between_two_quarters_have_a_column_each(index: PassageIndex) -> None:
    made = told("Show the trend of Northwind's net sales from Q1 2023 to Q2 2023", index)
    assert [column for _, column in made] == ["Q1 2023", "Q2 2023"]


def test_the_quarter_after_one_is_that_of_the_next_report(index: PassageIndex) -> None:
    both = ["$1,800 million ($1.8 billion)", "$2,000 million ($2.0 billion)"]
    for question in (
        "What were Northwind's net sales in the quarter ended March 31, 2023 and in the quarter after that?",
        "Northwind's net sales in Q1 2023 and the following quarter",
    ):
        assert list(told(question, index).values()) == both
    assert told("Net sales of Northwind in Q2 2023 and the next quarter", index) == {}


def test_all_companies_may_be_asked_for_at_once(index: PassageIndex) -> None:
    made = told("Net sales growth of all companies in Q2 2023", index)
    assert sorted(made.values()) == [
        "up 25%, from $1,600 million to $2,000 million",
        "up 88%, from $1,600 million to $3,000 million",
    ]


def test_companies_side_by_side_have_a_column_each(index: PassageIndex) -> None:
    made = told("Compare operating income and net sales of Northwind and Contoso in Q2 2023", index)
    assert made[("operating income", "Contoso")] == "$900 million"
    assert made[("net sales", "Northwind")] == "$2,000 million ($2.0 billion)"
    own = told("Net sales of Northwind in Q1 2023 and Contoso in Q2 2023", index)
    assert [column for _, column in own] == ["Northwind", "Contoso"]
    assert own[("Net sales", "Northwind")] == "$1,800 million ($1.8 billion)"


def test_how_a_company_did_is_told_by_its_results_and_what_drove_them(index: PassageIndex) -> None:
    made = told("How did Northwind do in Q2 2023?", index)
    assert [row for row, _ in made] == [
        "revenue", "revenue growth", "operating income", "net income", "diluted EPS", "why revenue changed",
    ]  # fmt: skip
    assert made[("why revenue changed", "Q2 2023")] == "Due to higher sales of bowls"
    grid = figures_asked("How did Northwind do in Q2 2023?", index)
    assert grid is not None
    assert [aspect.answer_kind for aspect in grid.aspects] == ["amount"] * 5 + ["reason"]


@pytest.mark.parametrize(
    "question",
    [
        "What were Northwind's net sales in Q2 2023?",
        "Did Northwind's net sales and operating income rise in Q2 2023?",
        "Which of Northwind and Contoso had the higher net sales and operating income in Q2 2023?",
        "How much did Northwind's net sales grow from Q1 2023 to Q2 2023?",
        "What did Northwind spend between March 31, 2023 and June 30, 2023?",
        "Why did net sales and operating income of Northwind rise in Q2 2023?",
        "How much goodwill did Northwind record when it closed the purchase of Glazeco in Q2 2023?",
        "How much did thicker glazing of bowls help Northwind's operating income and diluted EPS in Q2 2023?",
        "What share of net sales came from Northwind's Bowls and Glazes in Q2 2023?",
        "Northwind's average net sales and operating income in Q1 and Q2 2023",
        "What are the plates and the risks of Northwind in Q2 2023?",
        "net sales, operating income and net income in Q2 2023",
    ],
)
def test_one_figure_and_what_is_no_figure_make_no_grid(question: str, index: PassageIndex) -> None:
    assert told(question, index) == {}


@pytest.mark.parametrize(
    ("question", "columns"),
    [
        ("How are Northwind's Bowls doing?", {"Q2 2023"}),
        ("What does Northwind say about the performance of its Bowls in 2023?", {"Q1 2023", "Q2 2023"}),
        ("How could the weather hurt Northwind's results?", set()),
    ],
)
def test_how_something_does_is_told_by_the_last_quarter_or_those_of_the_year_said(
    question: str, columns: set[str], index: PassageIndex
) -> None:
    made = told(question, index)
    assert {column for _, column in made} == columns
    assert all(made[("Bowls revenue", column)] == "$200 million" for column in columns)


def test_what_is_asked_beside_figures_stays_an_aspect_of_its_own(index: PassageIndex) -> None:
    question = "Northwind Q2 2023: net sales, operating income, and who signed the report?"
    grid = figures_asked(question, index)
    assert grid is not None
    assert [a.aspect for a in grid.aspects_beside([QueryAspect(question, "entity")])] == [
        "Net sales of Northwind, Q2 2023", "Operating income of Northwind, Q2 2023", "Who signed the report",
    ]  # fmt: skip


def test_a_quarter_of_which_no_report_is_here_is_told_by_that_of_a_year_later(index: PassageIndex) -> None:
    assert told("Compare Northwind's Bowls and Glazes net sales in Q2 2023 with Q2 2022", index) == {
        ("Bowls net sales", "Q2 2023"): "$200 million",
        ("Glazes net sales", "Q2 2023"): "$60 million",
        ("Bowls net sales", "Q2 2022"): "$100 million",
        ("Glazes net sales", "Q2 2022"): "$80 million",
    }


def test_the_total_of_a_group_without_a_label_is_that_of_its_head(index: PassageIndex) -> None:
    made = told("Northwind's Kilns and Ovens net sales in Q1 and Q2 2023", index)
    assert list(made.values()) == ["$760 million", "$800 million"]


def test_by_how_much_something_rose_is_not_what_it_was() -> None:
    said = "Mug revenue increased $14 million or 5% in the three months ended June 30, 2023.\n"
    index = filed(
        {"2023 Q2 NWC 10-Q": NORTHWIND + report("June 30") + said, "2023 Q2 CTS 10-Q": CONTOSO + report("June 30")}
    )
    assert_told(index, "What was Northwind's mug revenue in Q2 2023?", None)


def test_what_grew_is_named_by_its_cause() -> None:
    said = "The increased frequency of recalls may hurt us due to long lead times.\n"
    index = filed({"2023 Q2 NWC 10-Q": NORTHWIND + said, "2023 Q2 CTS 10-Q": CONTOSO + report("June 30")})
    assert_told(index, "Why did Northwind's revenue change in Q2 2023?", None)


def answered(question: str, index: PassageIndex, *, k: int = 5, k_auto: bool = False) -> Answer:
    settings = Settings(k=k, k_auto=k_auto)
    events = execute(RunSpec("adaptive", question, settings=settings), retriever=DocumentRetriever(index))
    return next(event.answer for event in events if isinstance(event, AnswerWritten))


def test_few_figures_are_a_line_and_more_are_a_table_of_cited_cells(index: PassageIndex) -> None:
    few = answered("What were Northwind's net sales in Q1 and Q2 2023?", index)
    assert few.short is not None
    assert few.short.text == "Q1 2023: $1,800 million ($1.8 billion); Q2 2023: $2,000 million ($2.0 billion)"
    more = answered("Northwind's net sales and operating income in Q1 and Q2 2023", index)
    assert more.status == "answered"
    assert more.table is not None
    assert more.table.columns == ("Q1 2023", "Q2 2023")
    assert "| **Operating income** | $400 million [1] | $500 million [2] |" in more.text


def test_a_cell_whose_passage_is_not_kept_is_said_to_be_missing(index: PassageIndex) -> None:
    made = answered("Northwind's net sales in Q1 and Q2 2023", index, k=1)
    assert made.status == "partly"
    assert [missing.aspect for missing in made.not_covered] == ["Net sales of Northwind, Q1 2023"]


def test_a_table_has_as_many_passages_as_its_rows_need_where_their_number_is_left_to_the_question(
    index: PassageIndex,
) -> None:
    made = answered("Northwind's net sales in Q1 and Q2 2023", index, k=1, k_auto=True)
    assert made.status == "answered"
    assert made.not_covered == ()


def test_the_rows_of_a_table_are_kept_where_a_period_is_named_by_its_months() -> None:
    head, row, cause = report("June 30").rpartition("Kilns and Ovens net sales increased")
    said = "Net sales changed and did change in the quarter ended June 2023, and why they change is reviewed.\n" * 120
    index = filed(
        {
            "2023 Q2 NWC 10-Q": NORTHWIND + head + said + row + cause,
            "2023 Q2 CTS 10-Q": CONTOSO + report("June 30", sales=3000, income=900),
        }
    )
    made = answered("How did Northwind do in April-June 2023?", index, k=2)
    assert "| **Why revenue changed** | Due to higher sales of bowls [2] |" in made.text


def test_an_aspect_that_is_taken_away_or_reworded_leaves_the_figures_of_the_others(index: PassageIndex) -> None:
    grid = figures_asked("What were Northwind's net sales and operating income by quarter?", index)
    assert grid is not None
    first, *others = grid.aspects
    kept = grid.of([QueryAspect("Main customers of Northwind", "facet"), *others])
    assert kept is not None
    assert kept.aspects == tuple(others)
    alone = grid.of([first])
    assert alone is not None
    assert alone.figure.text == "Q1 2023: $1,800 million ($1.8 billion)"
    assert grid.of([QueryAspect("Main customers of Northwind", "facet")]) is None
