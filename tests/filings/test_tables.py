"""Rows of any table in the text of a filing: which column is of which period, and what a row is of."""

from __future__ import annotations

from pathlib import Path

import pytest

from adaq_core.filings import figure_of, parts_of, why_no_figure
from adaq_core.filings.rows import Column, TableRow, rows_of
from adaq_core.model import Document, Passage, QueryAspect
from adaq_core.question.aspects import plan
from adaq_core.question.parse import parse
from adaq_core.question.query_templates import profiles
from adaq_core.retrieval.index import PassageIndex
from adaq_core.text.passages import cut

CELLS_ON_LINES = """The following table shows net sales by product (in millions):
Three Months Ended
Six Months Ended
June 30,
2023
June 30,
2022
Change
June 30,
2023
June 30,
2022
Change
Net sales by product:
Kettles (1)
$
1,210
$
1,100
10 %
$
2,300
$
2,400
(4)%
Toasters
90
100
(10)%
190
200
(5)%
The table ends with this sentence.
"""
ROWS_ON_LINES = """(In millions)   Three Months Ended June 30,   Percentage Change
2023 2022
Kettles
Revenue 1,210 1,100 10%
Operating income 300 250 20%
"""


def first(text: str, label: str) -> TableRow:
    """The first row of `text` with this label."""
    return next(row for row in rows_of(text) if row.label == label)


def test_each_cell_stands_under_its_months_and_year() -> None:
    kettles = first(CELLS_ON_LINES, "Kettles")
    change = Column()
    assert kettles.columns == (Column(3, 2023), Column(3, 2022), change, Column(6, 2023), Column(6, 2022), change)
    assert (kettles.at(3, 2023), kettles.at(6, 2022), kettles.unit) == ((1210.0, False), (2400.0, False), "million")


def test_a_row_says_how_it_changed_in_each_span() -> None:
    toasters = first(CELLS_ON_LINES, "Toasters")
    assert (toasters.change(3, 2023), toasters.change(6, 2023)) == (-10.0, -5.0)


def test_a_head_above_rows_holds_for_all_of_them() -> None:
    assert [row.heads for row in rows_of(CELLS_ON_LINES)] == [("Net sales by product:",)] * 2


def test_a_change_that_is_wrapped_above_the_years_stands_behind_them() -> None:
    row = first(ROWS_ON_LINES, "Operating income")
    assert row.columns == (Column(3, 2023), Column(3, 2022), Column())
    assert (row.heads, row.at(3, 2022), row.change(3, 2023)) == (("Kettles",), (250.0, False), 20.0)


def test_a_row_whose_cells_do_not_fit_the_columns_is_left_out() -> None:
    assert rows_of(ROWS_ON_LINES.replace("1,210 1,100 10%", "1,210"))[0].label == "Operating income"


def test_shares_of_a_whole_are_no_amounts() -> None:
    text = ROWS_ON_LINES.replace("Kettles\n", "As a percentage of revenue:\n")
    assert first(text, "Revenue").at(3, 2023) == (1210.0, True)


def filing(name: str, ends: str, text: str, *, quarter: int = 2) -> list[Passage]:
    """A quarterly report, with its card."""
    card = {"issuer": f"{name} Inc.", "ticker": name[:4].upper(), "form": "10-Q", "period": f"2023 Q{quarter}"}
    card |= {"fiscal_year": "2023", "fiscal_quarter": str(quarter), "period_end": ends}
    if quarter > 1:
        card["fiscal_period"] = f"2024 Q{quarter - 1}"
    title = f"2023 Q{quarter} {name} 10-Q"
    return list(cut(Document(f"{title}.txt", title, text, metadata=tuple(card.items()))))


@pytest.fixture(scope="module")
def index() -> PassageIndex:
    """Two issuers with a quarter each."""
    other = ROWS_ON_LINES.replace("1,210", "2,420").replace("Kettles", "Lamps").replace("10%", "")
    return PassageIndex.build(
        [*filing("Brewster", "2023-06-30", CELLS_ON_LINES), *filing("Lumen", "2023-06-30", other)], name="kettles"
    )


def figure(question: str, index: PassageIndex) -> str:
    """The figure of a question as it is said; empty where there is none."""
    aspects: tuple[QueryAspect, ...] = plan(question, profiles=profiles(home=Path("/nowhere"))).aspects
    made = figure_of(question, index, parts=parts_of(aspects))
    return made.text if made else ""


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Net sales of Brewster's Kettles in Q2 2023 and Q1 2023",
         "Q2 2023: $1,210 million ($1.21 billion); Q1 2023: $990 million"),
        ("Revenue of Brewster's Kettles in Q1 2023 and Lumen's Lamps in Q2 2023",
         "Brewster's Kettles in Q1 2023: $990 million; Lumen's Lamps: $2,420 million ($2.42 billion)"),
        ("Revenue of Lumen's Lamps in Q2 2023 and Brewster's Kettles in Q1 2023",
         "Lumen's Lamps in Q2 2023: $2,420 million ($2.42 billion); Brewster's Kettles: $990 million"),
    ],
)  # fmt: skip
def test_each_of_two_figures_is_of_its_own_quarter(question: str, said: str) -> None:
    before = CELLS_ON_LINES.replace("June 30", "March 31").replace("1,210", "990")
    other = ROWS_ON_LINES.replace("1,210", "2,420").replace("Kettles", "Lamps").replace("10%", "")
    quarters = [*filing("Brewster", "2023-03-31", before, quarter=1), *filing("Brewster", "2023-06-30", CELLS_ON_LINES)]
    index = PassageIndex.build([*quarters, *filing("Lumen", "2023-06-30", other)], name="quarters")
    assert figure(question, index) == said


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What were Brewster's Kettles net sales in the quarter ended June 30, 2023?",
         "$1,210 million ($1.21 billion)"),
        ("What were Brewster's Kettles net sales in the quarter that ended 30 june 2023?",
         "$1,210 million ($1.21 billion)"),
        ("What were Brewster's Kettles net sales in the quarter to 30 June 2023?", "$1,210 million ($1.21 billion)"),
        ("What were Brewster's Kettles net sales in the first six months ended June 30, 2023?",
         "$2,300 million ($2.3 billion)"),
        ("How much did Brewster's Kettles sales grow in Q2 2023?", "up 10%, from $1,100 million to $1,210 million"),
        ("What were Brewster's Kettles net sales in the first quarter of fiscal 2024?",
         "$1,210 million ($1.21 billion)"),
        ("Brewster Kettles net sales Q2 2023", "$1,210 million ($1.21 billion)"),
        ("Brewster's Kettles net sales in calendar Q2 2023", "$1,210 million ($1.21 billion)"),
        ("Brewster's Kettles net sales in calendar Q3 2023", ""),
        ("Lumen's Lamps in Q2 2023: revenue and operating income",
         "Revenue of Lumen's Lamps: $2,420 million ($2.42 billion); Operating income of Lumen's Lamps: $300 million"),
        ("Brewster net sales risks in Q2 2023", ""),
        ("How did Brewster's Kettles sales move in Q2 2023 against the year before?",
         "up 10%, from $1,100 million to $1,210 million"),
        ("Did Brewster's Kettles sales fall in Q2 2023?", "No, up 10%, from $1,100 million to $1,210 million"),
        ("How much did Brewster's Kettles turn over in Q2 2023?", "$1,210 million ($1.21 billion)"),
        ("Did Brewster's Kettles or Toasters sell more in Q2 2023?",
         "Brewster's Kettles: $1,210 million ($1.21 billion); Toasters: $90 million"),
        ("Was Toasters revenue higher than Kettles revenue at Brewster in Q2 2023?",
         "No, Kettles: $1,210 million ($1.21 billion); Toasters: $90 million"),
        ("Did Brewster's Kettles or Irons sell more in Q2 2023?", ""),
        ("Did Brewster's Kettles or Toasters sell more abroad in Q2 2023?", ""),
        ("What were Brewster's Kettles net sales in the second quarter of fiscal 2023?", ""),
        ("What were Brewster's Irons net sales in Q2 2023?", ""),
        ("What were Brewster's Kettles 11 net sales in Q2 2023?", ""),
        ("What did Brewster's Kettles cost in Q2 2023?", ""),
        ("How much did Brewster spend on Kettles in Q2 2023?", ""),
        ("What were Brewster's Kettles net sales in Q2 2019?", ""),
        ("What was Lumen's Lamps operating income in Q2 2023?", "$300 million"),
        ("Compare the revenue of Brewster's Kettles and of Lumen's Lamps in Q2 2023",
         "Brewster's Kettles: $1,210 million ($1.21 billion); Lumen's Lamps: $2,420 million ($2.42 billion)"),
    ],
)  # fmt: skip
def test_a_figure_of_a_part_is_read_from_its_row(question: str, said: str, index: PassageIndex) -> None:
    assert figure(question, index) == said


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Why did Brewster's Kettles sales fall in Q2 2023?",
         "It did not fall: up 10%, from $1,100 million to $1,210 million"),
        ("What caused the drop in Brewster's Kettles net sales in the quarter ended June 30, 2023?",
         "It did not fall: up 10%, from $1,100 million to $1,210 million"),
        ("What drove the growth of Brewster's Toasters sales in Q2 2023?",
         "It did not rise: down 10%, from $100 million to $90 million"),
        ("Why did Brewster's Kettles sales grow in Q2 2023?", ""),
        ("Why did Brewster's Kettles sales fall from the previous quarter in Q2 2023?", ""),
        ("Why did Brewster's Kettles loss grow in Q2 2023?", ""),
        ("Why did Brewster's Irons sales fall in Q2 2023?", ""),
        ("Why did Brewster's Kettles 11 sales fall in Q2 2023?", ""),
    ],
)  # fmt: skip
def test_a_question_why_takes_no_change_for_true_that_the_rows_deny(
    question: str, said: str, index: PassageIndex
) -> None:
    assert figure(question, index) == said


@pytest.mark.parametrize(
    ("question", "is_of_none"),
    [
        ("What was the revenue in Q2 2023?", True),
        ("Capex in Q2 2023?", True),
        ("What was Brewster's revenue in Q2 2023?", False),
        ("What was AMD's revenue in Q2 2023?", False),
        ("Which company had the highest revenue in Q2 2023?", False),
        ("What was Brewster's revenue in the fourth quarter of 2024?", True),  # the newest report is of Q2 2023
        ("What was Brewster's revenue in the fourth quarter of 2022?", True),
        ("What was Brewster's revenue in the second quarter of 2022?", False),  # which that of 2023 repeats
        ("What were Brewster's total assets in the fourth quarter of 2022?", False),
        ("What was Brewster's total debt at December 31, 2023?", True),
        ("What was Brewster's total debt at December 31, 2022?", False),
        ("What was Brewster's revenue in the December 2023 quarter?", True),
        ("What revenue does Brewster expect in the fourth quarter of 2024?", False),
        ("When does the trial about Brewster's revenue begin in the fourth quarter of 2024?", False),
        ("Who led Brewster in the fourth quarter of 2024?", False),
        ("What are kettles made of?", False),
    ],
)
def test_a_figure_of_no_company_or_of_a_quarter_of_no_report_is_unclear(
    question: str, is_of_none: bool, index: PassageIndex
) -> None:
    assert bool(why_no_figure(parse(question), index)) is is_of_none


def test_rows_that_disagree_give_no_figure() -> None:
    twice = CELLS_ON_LINES + CELLS_ON_LINES.replace("1,210", "1,311")
    index = PassageIndex.build(
        [*filing("Brewster", "2023-06-30", twice), *filing("Lumen", "2023-06-30", ROWS_ON_LINES)], name="kettles"
    )
    assert figure("What were Brewster's Kettles net sales in Q2 2023?", index) == ""


CHARGES = """Restructuring and Other Charges
(In millions)
Three Months Ended
June 30,
2023
June 30,
2022
Employee severance
$
607
$
21
Total restructuring charges
$
664
$
42
Net income per share before special items is shown below.
(In millions)
Three Months Ended
June 30,
2023
June 30,
2022
Restructuring charges
0.16
0.01
Restructuring charges
57
21
"""


def beside_lumen(text: str) -> PassageIndex:
    """A corpus of two issuers, one of which says `text`."""
    filed = [*filing("Brewster", "2023-06-30", text), *filing("Lumen", "2023-06-30", ROWS_ON_LINES)]
    return PassageIndex.build(filed, name="kettles")


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What were Brewster's total restructuring charges in Q2 2023?", "$664 million"),
        ("What were Brewster's restructuring charges in Q2 2023?", ""),
    ],
)
def test_of_rows_that_disagree_the_total_is_meant_where_a_total_is_asked_for(question: str, said: str) -> None:
    index = beside_lumen(CHARGES)
    assert figure(question, index) == said


def test_amounts_for_one_share_are_not_those_of_the_company() -> None:
    text = CHARGES.removesuffix("Restructuring charges\n57\n21\n").replace("Total r", "R")
    index = beside_lumen(text)
    assert figure("What were Brewster's restructuring charges in Q2 2023?", index) == "$664 million"


REPORT = """Revenue by segment
NOK millions 2023 2022 Change
Passenger services 2,388 2,140 +11.6%
Freight 1,302 1,385 -6.0%
Total revenue 3,690 3,525 +4.7%
Key figures
€m 2023 2022
Net result 160.4 (9.8)
Employees at year end 5,065 5,230
"""


def annual(name: str, text: str) -> list[Passage]:
    """An annual report, with its card."""
    card = {"issuer": f"{name} ASA", "form": "annual report", "period": "FY2023", "fiscal_year": "2023"}
    return list(cut(Document(f"{name} 2023.pdf", f"{name} 2023", text, metadata=tuple(card.items()))))


def test_currency_and_unit_may_stand_in_front_of_the_years() -> None:
    total, net = first(REPORT, "Total revenue"), first(REPORT, "Net result")
    assert (total.mark, total.unit, total.cells[2]) == ("NOK ", "million", (4.7, True))
    assert (net.mark, net.unit, net.cells) == ("€", "million", ((160.4, False), (-9.8, False)))


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What was Halden's total revenue in 2023?", "NOK 3,690 million (NOK 3.69 billion)"),
        (
            "How did Halden's freight revenue change in 2023?",
            "down 6%, from NOK 1,385 million to NOK 1,302 million",
        ),
        ("What was Halden's net result in 2023?", "€160.4 million"),
        ("Why did Halden's freight revenue fall in 2023?", ""),
        ("How many employees does Halden have in 2023?", ""),
        ("What were Halden's employees in 2023?", ""),
    ],
)
def test_a_figure_of_a_report_has_the_currency_of_its_table(question: str, said: str) -> None:
    both = [*annual("Halden", REPORT), *annual("Verrano", REPORT.replace("2023 2022", "2022 2021"))]
    assert figure(question, PassageIndex.build(both, name="reports")) == said


def test_a_report_without_statements_is_searched_as_any_other() -> None:
    prose = "\n".join(f"In 2023 we sailed route number {n} each day of the year, in all weathers." for n in range(200))
    both = [*annual("Halden", prose), *annual("Verrano", prose)]
    assert figure("What was Halden's total revenue in 2023?", PassageIndex.build(both, name="reports")) == ""


OF_A_YEAR = """
The increase in ferry revenue in 2023 was primarily due to higher fares.
The increase in ferry revenue in 2022 was primarily due to the new pier.
Bus revenue decreased 7% in 2023 due to road works at the port.
Bus revenue decreased due to a strike.
Train revenue increased 9% in 2023 primarily due to incurred
costs of the tunnel.
Bridge tolls were $14 million and $11 million in 2023 and 2022, respectively.
We withheld 6 million shares in 2023.
We withheld 5 million shares in 2022.
Dock fees were $4 million in the third quarter of 2023.
"""


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Why did Halden's ferry revenue increase in 2023?", "Due to higher fares"),
        ("By how much did Halden's bus revenue fall in 2023?", "down 7%"),
        ("Why did Halden's bus revenue fall in 2023?", ""),  # of which there are two causes
        ("Why did Halden's train revenue increase in 2023?", ""),  # the sentence goes on in the next line
        ("How much were Halden's bridge tolls in 2023?", "$14 million"),
        ("How many shares did Halden withhold in 2023?", "6 million"),
        ("How many shares did Halden grant in 2023?", ""),
        ("How much were Halden's dock fees in 2023?", ""),  # those of a quarter
    ],
)
def test_the_sentences_of_a_year_are_those_of_its_report(question: str, said: str) -> None:
    both = [*annual("Halden", REPORT + OF_A_YEAR), *annual("Verrano", REPORT.replace("2023 2022", "2022 2021"))]
    assert figure(question, PassageIndex.build(both, name="reports")) == said


SAID = """Highlights of the first quarter of fiscal year 2024 compared with the first quarter of fiscal year 2023:
• Urns revenue decreased 12% to $31 million.
• Pots and urns revenue increased 40%.
Pans sales increased 7% in the first quarter of fiscal year 2024, and 13% for the six months.
Lids sales increased 21% for the six months ended June 30, 2023.
Spouts sales were up 3% from Q2 2022 and up 9% from YTD 2022.
During the first quarter of fiscal year 2024, we repurchased 2 million shares for $80 million.
During the first quarter of fiscal year 2023, we repurchased 5 million shares for $70 million.
We paid dividends of $9 million during the six months ended June 30, 2023.
Jugs products revenue declined 17% driven by a shift to cups.
Vases sales increased 4% in the first nine months of fiscal year 2023, and much else besides.
Segment operating income was also hit by jar inventory provisions which were $12 million.
We withheld approximately 6 million shares in the first quarter of fiscal year 2024.
The remaining kiln tax of $10 million is payable over the next three years.
We paid moor tax of $3 million.
Of the mill we and Contoso own 51% and 49%, respectively.
Sales outside of the United States were 55% and 59% of total revenue for the first quarter and first half of fiscal \
year 2024, respectively, and 70% and 74% for the first quarter and first half of fiscal year 2023, respectively.
Third Quarter 2023 Guidance
• Net sales are expected to be between $1.3 billion and $1.4 billion.
"""


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Kettles growth at Brewster in Q2 2023", "up 10%, from $1,100 million to $1,210 million"),
        ("By how much did Brewster's Urns revenue fall in Q2 2023?", "down 12%"),
        ("how badly did Brewster's Urns business shrink in Q2 2023?", "down 12%"),
        ("Did Brewster's Urns revenue grow in Q2 2023?", "No, down 12%"),
        ("Brewster Pots revenue growth in Q2 2023", ""),
        ("Brewster Pans sales growth in Q2 2023", "up 7%"),
        ("Brewster Lids sales growth in Q2 2023", ""),
        ("Brewster Spouts sales growth in Q2 2023", "up 3%"),
        ("How much did Brewster spend on buybacks in Q2 2023?", "$80 million"),
        ("How many shares did Brewster buy back in Q2 2023?", "2 million shares"),
        ("By how much did Brewster's Jugs products revenue fall in Q2 2023?", "down 17%"),
        ("By how much did Brewster's Jugs and Cups products revenue fall in Q2 2023?", ""),
        ("How many shares did Brewster withhold in Q2 2023?", "6 million"),
        ("What number of shares did Brewster withhold in Q2 2023?", "6 million"),
        ("How many shares did Brewster grant in Q2 2023?", ""),
        ("How much moor tax did Brewster pay in Q2 2023?", "$3 million"),
        ("What was the amount of the moor tax that Brewster paid in Q2 2023?", "$3 million"),
        ("How much kiln tax did Brewster pay in Q2 2023?", ""),
        ("What share of the mill belongs to Contoso in Brewster's report for Q2 2023?", "49%"),
        ("How much of the mill does Brewster still own in Q2 2023?", "51%"),
        ("What share of the mill belongs to Fabrikam in Brewster's report for Q2 2023?", ""),
        ("How much of Brewster's revenue came from abroad in Q2 2023?", "55%"),
        ("How much of Brewster's revenue came from rural Utah in Q2 2023?", ""),
        ("What were Brewster's jar inventory provisions in Q2 2023?", ""),
        ("How much is left for buybacks at Brewster in Q2 2023?", ""),
        ("What dividends did Brewster pay in Q2 2023?", ""),
        ("What net sales does Brewster expect for the third quarter of 2024?", ""),
        ("What operating income does Brewster expect for the third quarter of 2023?", ""),
    ],
)
def test_what_the_sentences_of_the_quarter_say_is_a_figure(question: str, said: str) -> None:
    index = PassageIndex.build(
        [
            *filing("Brewster", "2023-06-30", CELLS_ON_LINES + SAID),
            *filing("Lumen", "2023-06-30", ROWS_ON_LINES),
        ],
        name="kettles",
    )
    assert figure(question, index) == said


def test_quarters_set_side_by_side_have_a_figure_each_and_a_change_from_one_to_the_other() -> None:
    before = CELLS_ON_LINES.replace("1,210", "1,155").replace("June", "March")
    first = filing("Brewster", "2023-03-31", before, quarter=1)
    second = filing("Brewster", "2023-06-30", CELLS_ON_LINES)
    index = PassageIndex.build([*first, *second], name="kettles")
    assert figure("Compare Brewster's Kettles net sales in Q1 2023 and Q2 2023", index) == (
        "Q1 2023: $1,155 million ($1.2 billion); Q2 2023: $1,210 million ($1.21 billion)"
    )
    assert figure("How did Brewster's Kettles net sales change from Q1 2023 to Q2 2023?", index) == (
        "up 4.8%, from $1,155 million ($1.2 billion) to $1,210 million ($1.21 billion)"
    )


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Which company had the highest revenue in Q2 2023?", "Lumen Inc.: $2,420 million ($2.42 billion)"),
        ("Which company had the smallest revenue in Q2 2023?", "Brewster Inc.: $1,300 million ($1.3 billion)"),
        ("Whose revenue more than doubled in Q2 2023?", "Lumen Inc.: up 120%, from $1,100 million to $2,420 million"),
        ("Which company's Lamps revenue doubled in Q2 2023?", ""),
        ("Which company had the highest revenue in Q2 2019?", ""),
        ("Which company sold lamps in Q2 2023?", ""),
    ],
)
def test_which_company_has_the_most_is_read_from_all_of_them(question: str, said: str) -> None:
    lumen = ROWS_ON_LINES.replace("Kettles\n", "").replace("1,210 1,100 10%", "2,420 1,100 120%")
    brewster = ROWS_ON_LINES.replace("Kettles\n", "").replace("1,210 1,100 10%", "1,300 1,250 4%")
    statement = "Condensed Consolidated Statements of Operations\n"
    index = PassageIndex.build(
        [
            *filing("Brewster", "2023-06-30", statement + brewster),
            *filing("Lumen", "2023-06-30", statement + lumen),
        ],
        name="kettles",
    )
    assert figure(question, index) == said


QUARTER_IN_PROSE = """CONSOLIDATED STATEMENTS OF INCOME
(In millions, except per share amounts)
Three Months Ended
June 30,
2023
2022
Net income
130
120
Earnings per share:
Basic
1.30
1.20
Diluted
1.26
1.15
CONSOLIDATED BALANCE SHEETS
(In millions)
June 30,
2023
January 29,
2023
Lease deposits
31
44
CONSOLIDATED STATEMENTS OF CASH FLOWS
(In millions)
Three Months Ended
June 30,
2023
2022
Changes in operating assets and liabilities:
Customer prepayments
(41)
17
For the three months ended June 30, 2023, we recorded approximately $47 million of estimated severance costs.
Cash outlays for kilns were $15 million and $11 million during Q1 2023 and Q1 2024, and $29 million for other things.
Tool outlays were $25 million and $21 million during Q1 2023 and Q1 2024.
As of June 30, 2023, we had outstanding inventory purchase obligations totaling $717 million.
By June 30, 2023 the kilns fund stood higher. Studio revenue was $45 million, up $9 million from Q1 2023.
In June 2023 the TO imposed a €376 million ($401 million) fine on our traders, as the Trade Office had said.
In 2009, the TO imposed a €12 million fine on our traders.
We had no outstanding tea notes as of June 30, 2023 ($3.9 billion as of December 31, 2022).
As of January 29, 2023, we had outstanding fuel purchase options totaling $12 million.
Date: July 20, 2023
/s/ ADA B. POTTER
Ada B. Potter
Senior Vice President and
Chief Financial Officer
"""


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What were Brewster's diluted earnings per share in Q2 2023?", "$1.26"),
        ("What was Brewster's EPS in Q2 2023?", "$1.26"),
        ("What were Brewster's dividends per share in Q2 2023?", ""),
        ("What were Brewster's lease deposits at the end of June 2023?", "$31 million"),
        ("What were Brewster's customer prepayments at the end of June 2023?", ""),  # only how they changed
        ("redundancy bill at Brewster in Q2 2023", "$47 million"),
        ("redundancy bill at Lumen in Q2 2023", ""),
        ("What were Brewster's tool outlays in Q2 2023?", "$21 million"),
        ("What were Brewster's kiln outlays in Q2 2023?", ""),  # which of three amounts?
        ("How much had Brewster promised its suppliers at the end of June 2023?", "$717 million"),
        ("What were Brewster's fuel purchase options at the end of June 2023?", ""),  # told as of another day
        ("How deep in the red was Brewster in Q2 2023?", "no loss, an income of $130 million"),
        ("What was Brewster's profit in Q2 2023?", "$130 million"),
        ("Did Brewster make a profit in Q2 2023?", "Yes, net income: $130 million"),
        ("Was Brewster in the red in Q2 2023?", "No, net income: $130 million"),
        ("Did Brewster report positive net income in Q2 2023?", "Yes, net income: $130 million"),
        ("Did Brewster report negative net income in Q2 2023?", "No, net income: $130 million"),
        ("Did Brewster make an operating profit in Q2 2023?", ""),
        ("What did Brewster make on the bottom line in Apr-Jun 2023?", "$130 million"),
        ("What was left over after tax at Brewster, April through June 2023?", "$130 million"),
        ("What was Brewster's net income between May and June 2023?", ""),
        ("Who is Brewster's finance chief?", "Ada B. Potter"),
        ("Who signed Brewster's report for Q2 2023 as chief financial officer?", "Ada B. Potter"),
        ("Who is Brewster's boss?", ""),
        ("Who will follow Brewster's finance chief?", ""),
        ("Was Brewster's studio profitable in Q2 2023?", ""),
        ("What was Brewster's other net income in Q2 2023?", ""),
        ("How much did Brewster's other net income fall in Q2 2023?", ""),
        ("How much in tea bonds did Brewster have outstanding as of June 30, 2023?", "none"),
        ("How much in coal bonds did Brewster have outstanding as of June 30, 2023?", ""),
        ("What was Brewster's studio revenue in Q2 2023?", "$45 million"),
        ("What fine did the Trade Office impose on traders of Brewster in June 2023?", "€376 million"),
        ("What fine did the Trade Board impose on traders of Brewster in June 2023?", ""),
        ("Brewster Q2 2023: tool outlays against lease deposits", ""),  # of three months and of a day
    ],
)
def test_what_a_question_calls_otherwise_is_found_in_the_words_of_statements(question: str, said: str) -> None:
    assert figure(question, beside_lumen(QUARTER_IN_PROSE)) == said


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (
            "Brewster's Q2 2023 against Lumen's quarter to June 2023: who sold more?",
            "Lumen: $5,000 million ($5.0 billion); Brewster: $2,400 million ($2.4 billion)",
        ),
        ("Who sold more kettles in Q2 2023, Brewster or Lumen?", ""),
        ("Who earned more interest income in Q2 2023, Brewster or Lumen?", ""),
    ],
)
def test_the_one_with_more_stands_first_where_each_has_the_figure(question: str, said: str) -> None:
    sheet = "STATEMENTS OF INCOME\n(In millions)\nThree Months Ended\nJune 30,\n2023\n2022\nNet sales\n{}\n1,000\n"
    sales = {"Brewster": "2,400", "Lumen": "5,000"}
    filed = [each for name, sold in sales.items() for each in filing(name, "2023-06-30", sheet.format(sold))]
    assert figure(question, PassageIndex.build(filed, name="two")) == said


def test_a_long_line_that_begins_with_a_word_is_running_text_whatever_stands_at_its_end() -> None:
    head = "Year Ended June 30,\n2023 2022\n"
    sold = f"Kettles {'that we sold to all of our customers ' * 3}"
    (row,) = rows_of(f"{head}{sold[:100]} 1,210 1,100\n")
    assert [value for value, _ in row.cells] == [1210.0, 1100.0]
    assert rows_of(f"{head}{sold} 1,210 1,100\n") == []
