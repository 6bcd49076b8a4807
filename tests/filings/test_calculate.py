"""Figures that are computed from statement pages, and the cases in which none is given."""

import pytest

from adaq_core.corpus.cards import carded
from adaq_core.filings import figure_of
from adaq_core.filings.formula import FormulaError, LineItem, computed, line_items, read_formula
from adaq_core.model import Document
from adaq_core.retrieval.index import PassageIndex
from adaq_core.text.passages import cut

COVER = "FORM 10-K\nFor the fiscal year ended December 31, 2022\nNORTHWIND CHIPS, INC.\n(Exact name of registrant)\n"
INCOME = """Northwind Chips, Inc.
Consolidated Statements of Income
(In millions, except per share data)
Years Ended December 31,
2022
2021
2020
Revenue
$
1,000
$
900
$
800
Cost of revenue
600
500
480
Gross profit
400
400
320
Operating income
200
180
160
Interest expense
10
10
10
Income taxes
40
36
32
Net income
$
150
$
134
$
118
Basic earnings per share
1.50
1.34
1.18
"""
BALANCE = """Northwind Chips, Inc.
Consolidated Balance Sheets
(In millions)
December 31,
2022
2021
Cash and cash equivalents
100
90
Inventories
50
40
Total current assets
400
350
Total assets
2,000
1,800
Accounts payable
80
70
Total current liabilities
200
160
Long-term debt
300
300
Retained earnings
700
600
Total equity
1,500
1,340
Total liabilities and equity
2,000
1,800
"""


def corpus(balance: str = BALANCE, income: str = INCOME, *more: str) -> PassageIndex:
    texts = [COVER, income, balance, "Our Cloud segment revenue was 300 million in 2022. We employ people.", *more]
    pages = [Document(f"n-p{n}", f"NORTHWIND 2022 10K, page {n}", text) for n, text in enumerate(texts)]
    other = Document("c-p0", "CONTOSO 2022 10K, page 0", COVER.replace("NORTHWIND CHIPS", "CONTOSO"))
    passages = [p for document in carded([*pages, other]) for p in cut(document, overlap_sentences=0)]
    return PassageIndex.build(passages, name="reports")


@pytest.fixture(scope="module")
def index() -> PassageIndex:
    return corpus()


def figure(question: str, index: PassageIndex) -> str | None:
    made = figure_of(question, index)
    return made.text if made else None


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What was Northwind's revenue in FY2022?", "$1,000 million ($1.0 billion)"),
        ("What is the FY2021 COGS for Northwind? Answer in USD billions.", "$0.50 billion"),
        ("What is Northwind's FY2022 gross margin?", "40.0%"),
        ("What is Northwind's FY2022 operating income % margin?", "20.0%"),
        ("What was Northwind's year-over-year change in revenue from FY2021 to FY2022?", "11.1%"),
        ("What is the 3 year average net income % margin for Northwind in FY2022?", "14.9%"),
        ("What is Northwind's 2 year revenue CAGR from FY2020 to FY2022?", "11.8%"),
        ("What is Northwind's FY2022 return on assets? Round to three decimal places.", "0.079"),
        (
            "What is Northwind's FY2022 inventory turnover ratio? Inventory turnover ratio is defined as: "
            "(FY2022 COGS) / (average inventory between FY2021 and FY2022).",
            "13.33",
        ),
        ("What is the FY2022 net working capital of Northwind?", "$200 million"),
        ("What were Northwind's total current assets at the end of FY2022?", "$400 million"),  # a row that is a total
        ("What share of Northwind's FY2022 revenue went into COGS?", "60.0%"),
        ("What was COGS as a share of revenue at Northwind in FY2022?", "60.0%"),
        ("What share of FY2022 revenue did Northwind pay?", None),
        ("How much did Northwind make in FY2022?", "$150 million"),
        ("How much did Northwind make on kilns in FY2022?", None),
        (
            "How much did Northwind's revenue grow in FY2022 compared with a year ago?",
            "up 11%, from $900 million to $1,000 million",
        ),
        ("What happened to Northwind's revenue in FY2022?", "up 11%, from $900 million to $1,000 million"),
        ("What happened to Northwind in FY2022?", None),
    ],
)
def test_figures_are_read_and_computed(question: str, text: str | None, index: PassageIndex) -> None:
    assert figure(question, index) == text


@pytest.mark.parametrize(
    "question",
    [
        "What was Northwind's Cloud revenue in FY2022?",
        "Why did Northwind's revenue grow in FY2022?",
        "What was Northwind's revenue in FY2015?",
        "What was Contoso's revenue in FY2022?",
        "What was Northwind's FY2022 goodwill?",
        "What drove the gross margin of Northwind in FY2022?",
        "Does Northwind have positive working capital in FY2022?",
    ],
)
def test_no_figure_is_better_than_a_wrong_one(question: str, index: PassageIndex) -> None:
    assert figure(question, index) is None


def test_a_balance_sheet_that_does_not_balance_gives_no_figure() -> None:
    broken = corpus(BALANCE.replace("Total liabilities and equity\n2,000", "Total liabilities and equity\n2,900"))
    assert figure("What were Northwind's total assets in FY2022?", broken) is None


@pytest.mark.parametrize(
    "label", ["Benefit (provision) for income taxes\n(40)", "Provision (benefit) for income taxes\n40"]
)
def test_a_provision_in_brackets_behind_a_benefit_is_an_expense(label: str) -> None:
    turned = "(36)\n(32)" if "(40)" in label else "36\n32"
    taxes = f"Income before income taxes\n190\n170\n150\n{label}\n{turned}"
    index = corpus(income=INCOME.replace("Income taxes\n40\n36\n32", taxes))
    assert figure("What was Northwind's effective tax rate in FY2022?", index) == "21.1%"
    assert figure("What were Northwind's income taxes in FY2022?", index) == "$40 million"


def test_an_item_with_two_values_under_one_label_is_not_asserted() -> None:
    twice = corpus(BALANCE.replace("Total current assets", "Inventories\n51\n41\nTotal current assets"))
    assert figure("What was the inventory of Northwind in FY2022?", twice) is None


def test_a_figure_quotes_its_operands(index: PassageIndex) -> None:
    made = figure_of("What is Northwind's FY2022 gross margin?", index)
    assert made is not None
    assert [(operand.item, operand.year, operand.quote) for operand in made.operands] == [
        ("cost of sales", 2022, "Cost of revenue\n600\n500\n480"),
        ("revenue", 2022, "Revenue\n$\n1,000\n$\n900\n$\n800"),
    ]
    assert all(operand.quote in index.passage(operand.passage_id).text for operand in made.operands)
    assert "Cost of revenue 2022: 600; Revenue 2022: 1,000" in made.derivation


def test_formulas_compute_averages_changes_and_brackets() -> None:
    known = {("inventory", 2021): 40.0, ("inventory", 2022): 50.0, ("cost of sales", 2022): 600.0}

    def value(item: LineItem, year: int) -> float | None:
        return known.get((item.name, year))

    text = "365 * (average inventory between FY2021 and FY2022) / (FY2022 COGS + change in inventory between 2021 and 2022)"  # noqa: E501
    assert computed(read_formula(text, line_items()), value, year=2022) == pytest.approx(365 * 45 / 610)


@pytest.mark.parametrize("text", ["revenue /", "(revenue", "revenue of the widgets", "revenue revenue", "revenue / 0"])
def test_a_formula_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(FormulaError):
        computed(read_formula(text, line_items()), lambda item, year: 1.0, year=2022)


SEGMENTS = """Results of each of our businesses were as follows (in millions):
2022
2021
2020
Revenue
Kilns
700
610
540
Bowls
300
290
260
Total revenue
1,000
900
800
Operating profit
Kilns
150
130
110
Bowls
50
50
50
Total operating profit
200
180
160
Sales between our businesses were as follows (in millions):
2022
2021
2020
Intersegment revenue
Kilns
20
10
10
Bowls
5
5
5
"""
CAPITAL = """Our capital was as follows (in millions, except ratios):
December 31,
2022
2021
Tier one capital
$
125
$
120
Tier one capital ratio
12.5
%
12.0
%
"""
LEASES = """The balance sheet of leases is as follows (in millions):
December 31,
2022
2021
Liabilities
Long-term debt
7
6
Short-term borrowings
2
2
"""


@pytest.fixture(scope="module")
def pages() -> PassageIndex:
    borrowed = "Total current liabilities\n200\n160\n"
    balance = BALANCE.replace(
        "Accounts payable", "Liabilities\nDebt maturing within one year\n20\n10\nAccounts payable"
    )
    assert borrowed in balance
    return corpus(balance, INCOME, f"{'We sell kilns to potters. ' * 60}", SEGMENTS, CAPITAL, LEASES)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Which segment of Northwind had the highest revenue in FY2022?", "Kilns: $700 million"),
        ("What was Northwind's Kilns revenue in FY2022?", "$700 million"),
        ("What was Northwind's total debt at the end of 2022?", "$320 million"),
        ("How much did Northwind lose in FY2022?", "no loss, an income of $150 million"),
        ("What was Northwind's tier one capital ratio at the end of 2022?", "12.5%"),
    ],
)
def test_tables_are_read_on_each_page_of_a_report_of_which_each_page_is_a_document(
    question: str, text: str, pages: PassageIndex
) -> None:
    assert figure(question, pages) == text


def test_costs_and_profit_are_no_parts_of_revenue(pages: PassageIndex) -> None:
    assert figure("Which product of Northwind had the highest revenue in FY2022?", pages) is None
