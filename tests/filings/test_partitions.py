"""What a report adds up to its revenue is its parts: by product, by segment or by region, and the largest of them."""

from __future__ import annotations

import pytest

from adaq_core.events import AnswerWritten, of_kind
from adaq_core.filings import figure_of
from adaq_core.filings.grid import figures_asked
from adaq_core.retrieval.index import DocumentRetriever, PassageIndex
from adaq_core.runs.execute import RunSpec, execute
from tests.filings.conftest import CONTOSO, NORTHWIND, filed, statement

COVER = "Class\nOutstanding as of July 20, 2023\nCommon Stock, par value\n1,234,567,890 shares\n"
REPORT = """{statement}We report the following segments: Studio, and Trade.
(In millions)
Three Months Ended
{day},
2023
{day},
2022
Net sales by product:
Kilns
{kilns}
1,000
Bowls
500
200
Glazes, Brushes and Tools
300
400
Total net sales
{sales}
1,600
(In millions)
Three Months Ended
{day},
2023
{day},
2022
Net sales by region:
Europe
700
900
Japan
{japan}
700
Total
{sales}
1,600
(In millions)
Three Months Ended
{day},
2023
{day},
2022
Operating income (loss):
Studio
{studio}
380
Trade
(80)
(80)
Total operating income
{income}
300
"""


def report(day: str, sales: int, income: int, research: int | None = 200) -> str:
    """A quarterly report of which bowls grow most, kilns are largest and trade loses money."""
    return REPORT.format(
        statement=statement(day, sales=sales, income=income, research=research),
        day=day,
        sales=f"{sales:,}",
        income=income,
        kilns=f"{sales - 800:,}",
        japan=f"{sales - 700:,}",
        studio=income + 80,
    )


@pytest.fixture(scope="module")
def index() -> PassageIndex:
    return filed(
        {
            "2023 Q1 NWC 10-Q": NORTHWIND + report("March 31", 1900, 350),
            "2023 Q2 NWC 10-Q": NORTHWIND + COVER + report("June 30", 2000, 400),
            "2023 Q1 CTS 10-Q": CONTOSO + report("March 31", 2900, 650, research=300),
            "2023 Q2 CTS 10-Q": CONTOSO + report("June 30", 3000, 700, research=300),
        }
    )


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Which Northwind product had the highest net sales in Q2 2023?", "Kilns: $1,200 million ($1.2 billion)"),
        (
            "What was Northwind's fastest-growing product in Q2 2023?",
            "Bowls: up 150%, from $200 million to $500 million",
        ),
        ("Which region brought Northwind the least revenue in Q2 2023?", "Europe: $700 million"),
        ("Which of Northwind's segments lost money in Q2 2023?", "Trade: -$80 million"),
        ("Which Northwind segment lost the most in Q2 2023?", "Trade: -$80 million"),
        ("How big was Trade's loss at Northwind in Q2 2023?", "-$80 million"),
        ("How dependent is Northwind on kilns for its sales in Q2 2023?", "60.0%, $1,200 million ($1.2 billion) of"),
        ("Which of Northwind's segments was the most profitable in Q2 2023?", "Studio: $480 million"),
        ("What share of Northwind's net sales came from kilns in Q2 2023?", "60.0%, $1,200 million ($1.2 billion) of"),
        ("Bowls as a percentage of Northwind's net sales in Q2 2023", "25.0%, $500 million of"),
        ("What percentage of Northwind's revenue did Japan account for in Q2 2023?", "65.0%, $1,300 million"),
        ("How big is Northwind's exposure to Japan?", "65.0%, $1,300 million ($1.3 billion) of $2,000 million"),
        ("In which quarter of 2023 was Northwind's operating income highest?", "Q2 2023: $400 million"),
        (
            "Which company has the highest net sales?",
            "CONTOSO, INC.: $3,000 million ($3.0 billion) in Q2 2023, the newest",
        ),
        ("Which company spent the most on research and development in Q2 2023?", "CONTOSO, INC.: $300 million"),
        ("What are Northwind's net sales?", "$2,000 million ($2.0 billion) in Q2 2023, the newest report here"),
        ("Was Northwind's revenue higher in Q2 2023 than a year before?", "Yes, up 25%, from $1,600 million to $2,000"),
        ("Were Northwind's net sales lower in Q2 2023 than in Q2 2022?", "No, up 25%, from $1,600 million to $2,000"),
        ("Northwind net sales for April-June 2023 (its fiscal Q2)", "$2,000 million ($2.0 billion)"),
        ("Was Northwind's net income positive in Q2 2023?", "Yes, net income: $250 million"),
        ("Is Northwind profitable?", "Yes, net income: $250 million in Q2 2023"),
        ("Did Northwind's revenue double in Q2 2023?", "No, up 25%, from $1,600 million to $2,000 million"),
        ("Is Northwind's revenue growing?", "Yes, up 25%, from $1,600 million to $2,000 million in Q2 2023"),
        ("Did Northwind's net sales grow sequentially in Q2 2023?", "Yes, up 5.3%, from $1,900 million ($1.9 billion)"),
        (
            "Compare the net sales of Northwind and Contoso",
            "Northwind, Q2 2023: $2,000 million ($2.0 billion); Contoso",
        ),
        ("What were the combined net sales of Northwind and Contoso in Q2 2023?", "$5.0 billion, of Northwind: $2,000"),
        ("How much more revenue than Northwind did Contoso have in Q2 2023?", "$1.0 billion, "),
        ("Rank Northwind and Contoso by net sales in Q2 2023", "CONTOSO, INC.: $3,000 million ($3.0 billion); NORTH"),
        ("Northwind Japan revenue share in Q2 2023", "65.0%, $1,300 million ($1.3 billion) of $2,000 million"),
        (
            "Was Northwind's operating income higher in Q2 2023 than in Q1 2023?",
            "Yes, Q2 2023: $400 million; Q1 2023: $350",
        ),
        ("Did Northwind's revenue grow in 2023?", "Yes, in each quarter: Q1 2023: up 19%"),
        ("Did Northwind's revenue fall in 2023?", "No: Q1 2023: up 19%"),
        ("What was Northwind's diluted loss per share in Q2 2023?", "$2.20"),
        ("How did Northwind's diluted earnings per share change in Q2 2023?", "up 61%, from $1.37 to $2.20"),
        ("Which quarter was Northwind's best?", "Q2 2023: $2,000 million ($2.0 billion)"),
        ("What was Northwind's worst quarter in 2023?", "Q1 2023: $1,900 million ($1.9 billion)"),
        ("How many shares does Northwind have outstanding?", "1,234,567,890 shares on July 20, 2023"),
        ("How many Northwind shares were out in July 2023?", "1,234,567,890 shares on July 20, 2023"),
        ("What is the number of Northwind shares outstanding?", "1,234,567,890 shares on July 20, 2023"),
        (
            "Which products does Northwind sell?",
            "Kilns; Bowls; Glazes, Brushes and Tools",
        ),
        ("What markets does Northwind serve?", "Kilns; Bowls; Glazes, Brushes and Tools"),
        ("Which regions does Northwind report in Q2 2023?", "Europe; Japan"),
        ("Which companies grew net sales by more than 50% in Q2 2023?", "CONTOSO, INC.: up 88%"),
        ("Which companies were profitable in Q2 2023?", "CONTOSO, INC.: $250 million; NORTHWIND"),
        ("Which company had net sales above $2.5 billion in Q2 2023?", "CONTOSO, INC.: $3,000 million"),
        ("Is Northwind's growth slowing?", "No, Q2 2023: up 25%"),
        ("Did Northwind's revenue growth accelerate in Q2 2023?", "Yes, Q2 2023: up 25%"),
        ("What is the ratio of Northwind's operating income to its net sales in Q2 2023?", "0.20, operating income"),
        ("Did Northwind's bowls sales double in Q2 2023?", "Yes, up 150%"),
        ("Did Northwind's bowls sales triple in Q2 2023?", "No, up 150%"),
        ("Are Northwind's net sales up or down in Q2 2023?", "up 25%"),
        ("What is the difference between Contoso's and Northwind's net sales in Q2 2023?", "$1.0 billion, Contoso"),
        ("By how much did Contoso's net sales exceed Northwind's in Q2 2023?", "$1.0 billion, Contoso: $3,000"),
        ("What did Northwind lose on Trade in Q2 2023?", "-$80 million"),
        ("Rank the two companies by operating income in Q2 2023", "CONTOSO, INC.: $700 million; NORTHWIND"),
        ("Northwind net sales q2 23", "$2,000 million ($2.0 billion)"),
        ("How many segments does Northwind have?", "2: Studio, and Trade"),
        ("Did Northwind make or lose money in Q2 2023?", "a profit, net income: $250 million"),
        ("Is Northwind's Trade segment profitable or losing money?", "a loss, operating income: -$80 million"),
        ("Is Northwind's Trade segment making money?", "No, operating income: -$80 million in Q2 2023"),
        ("Was Northwind's operating income above $390 million in Q2 2023?", "Yes, $400 million"),
        ("Did Northwind's net sales grow by more than 30% in Q2 2023?", "No, up 25%, from $1,600 million"),
        ("Did Northwind's net sales grow 25% in Q2 2023?", "Yes, up 25%, from $1,600 million"),
        ("Did Northwind's net sales grow 40% in Q2 2023?", "No, up 25%, from $1,600 million"),
        ("Is it true that Northwind's bowls sales fell in Q2 2023?", "No, up 150%, from $200 million"),
        ("Were Northwind's net sales $2 billion in Q2 2023?", "Yes, $2,000 million ($2.0 billion)"),
        ("In which quarter did Northwind's operating income exceed $390 million?", "Q2 2023: $400 million"),
        ("In which quarter was Northwind's loss the smallest?", "Q1 2023: $250 million"),
        (
            "Which of Northwind's products sold less in Q2 2023 than a year before?",
            "Glazes, Brushes and Tools: down 25%",
        ),
        ("Which of Northwind's products grew by more than 50% in Q2 2023?", "Bowls: up 150%, from $200 million"),
        (
            "How much more did Northwind spend on research and development in Q2 2023 than a year before?",
            "up $50 million (33%)",
        ),
        (
            "How much higher were Northwind's net sales in Q2 2023 than in Q1 2023?",
            "$100 million, Q2 2023: $2,000 million",
        ),
        ("How many times bigger are Contoso's net sales than Northwind's in Q2 2023?", "1.5 times, Contoso"),
        ("Is Contoso's operating income higher than Northwind's in Q2 2023?", "Yes, Contoso: $700 million"),
        (
            "Is Northwind's operating income lower than its research and development in Q2 2023?",
            "No, operating income: $400",
        ),
    ],
)
def test_a_figure_of_a_part_or_of_the_whole_is_told(question: str, told: str, index: PassageIndex) -> None:
    figure = figure_of(question, index)
    assert figure is not None
    assert figure.text.startswith(told)


@pytest.mark.parametrize(
    "question",
    [
        "Which Northwind product had the highest margin in Q2 2023?",  # no report adds that up
        "What was the operating margin of Northwind's spoons in Q2 2023?",
        "How many shares did Northwind buy back that were outstanding?",
        "Which product of Northwind is the most popular in Q2 2023?",
        "What share of Northwind's net sales came from spoons in Q2 2023?",
        "What share of Northwind's kilns came from Japan in Q2 2023?",
        "What does Northwind say about its net sales?",
        "Is Northwind profitable in Japan?",
        "When did Northwind's net sales last grow?",
        "Which company lost money in Q2 2023?",
        "Did Northwind's net sales growth slow because of bowls?",
        "Did Northwind's net sales grow sequentially in Q1 2023?",
        "Did Northwind's revenue grow because of bowls in Q2 2023?",
        "Which products did Northwind recall in Q2 2023?",
        "What was Northwind's gross profit by segment in Q2 2023?",  # asks for no names
    ],
)
def test_what_no_table_adds_up_is_not_told(question: str, index: PassageIndex) -> None:
    assert figure_of(question, index) is None


def test_the_names_of_the_parts_are_told_alone(index: PassageIndex) -> None:
    events = execute(RunSpec("adaptive", "Which regions does Northwind sell to?"), retriever=DocumentRetriever(index))
    (written,) = of_kind(list(events), AnswerWritten)
    named, *worked_out = written.answer.text.split("\n\n")
    assert named == "**Europe; Japan** [1]"
    assert worked_out == ["Worked out from what revenue is added up of: Europe 700; Japan 1,300."]


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Northwind's net sales fell in Q2 2023, right?", "No, up 25%, from $1,600 million to $2,000 million"),
        ("I heard that Northwind's net sales grew 40% in Q2 2023. Is that right?", "No, up 25%, from $1,600 million"),
        ("Was Northwind's operating income above $390 million in Q2 2023?", "Yes, $400 million"),
    ],
)
def test_a_figure_is_told_however_the_question_is_dressed(question: str, told: str, index: PassageIndex) -> None:
    events = execute(RunSpec("adaptive", question), retriever=DocumentRetriever(index))
    (written,) = of_kind(list(events), AnswerWritten)
    short = written.answer.short
    assert short is not None
    assert short.text.startswith(told)


SUMMED = """(In millions)
Three Months Ended
June 30,
2023
June 30,
2022
Net sales by region:
Europe
700
900
Japan
1,200
700
Total of the pottery
1,900
1,600
Glass
100
0
Total
2,000
1,600
"""


def test_parts_go_on_behind_a_sum_of_some_of_them() -> None:
    whole = NORTHWIND + COVER + statement("June 30", sales=2000, income=400, research=200) + SUMMED
    other = CONTOSO + report("June 30", 3000, 700, research=300)
    parted = filed({"2023 Q2 NWC 10-Q": whole, "2023 Q2 CTS 10-Q": other})
    figure = figure_of("Which regions does Northwind report in Q2 2023?", parted)
    assert figure is not None
    assert figure.text == "Europe; Japan"  # glass is a part, and no region
    assert figure.derivation == "what revenue is added up of: Europe 700; Japan 1,200"


def cells(question: str, index: PassageIndex) -> dict[str, str]:
    """The figures of a question by their rows and columns; empty where there is no grid."""
    grid = figures_asked(question, index)
    return {f"{c.row}, {c.column}": c.figure.text if c.figure else "" for c in grid.cells} if grid else {}


def test_the_rows_of_a_breakdown_are_those_that_the_report_adds_up(index: PassageIndex) -> None:
    by_product = cells("Break down Northwind's net sales by product in Q2 2023", index)
    assert by_product == {
        "Kilns net sales, Q2 2023": "$1,200 million ($1.2 billion)",
        "Bowls net sales, Q2 2023": "$500 million",
        "Glazes, Brushes and Tools net sales, Q2 2023": "$300 million",
    }
    by_region = cells("How are Northwind's net sales split by region in Q2 2023?", index)
    assert list(by_region.values()) == ["$700 million", "$1,300 million ($1.3 billion)"]
    assert cells("Northwind's net sales by customer in Q2 2023", index) == {}


def test_a_year_of_which_there_are_but_quarters_is_told_by_these(index: PassageIndex) -> None:
    both = ["$1,900 million ($1.9 billion)", "$2,000 million ($2.0 billion)"]
    assert list(cells("What were Northwind's net sales in 2023?", index).values()) == both
