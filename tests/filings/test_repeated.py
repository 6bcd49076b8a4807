"""Balances of a day that only a later report repeats, changes between two days, and several figures in one question."""

import pytest

from adaq_core.corpus.cards import carded
from adaq_core.filings import figure_of
from adaq_core.filings.rows import days_of, table_of
from adaq_core.filings.said import shares_on_cover
from adaq_core.model import Document
from adaq_core.retrieval.index import PassageIndex
from adaq_core.text.passages import cut

BALANCE = """CONSOLIDATED BALANCE SHEETS
(In millions) (Unaudited)
{head}
ASSETS
Current assets:
Cash and cash equivalents
$
{cash}
Inventories
{inventories}
Goodwill
70
70
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
310
Retained earnings
700
600
Total stockholders' equity
1,500
1,340
Total liabilities and stockholders' equity
2,000
1,800
"""
INCOME = """CONSOLIDATED STATEMENTS OF INCOME
(In millions, except per share data) (Unaudited)
Three Months Ended
{month}
2023
2022
Revenue
$
1,000
$
900
Cost of revenue
600
500
Gross profit
400
400
Research and development
90
80
Operating income
200
180
Interest expense
10
10
Income taxes
40
36
Net income
150
134
"""


def filing(label: str, ended: str, head: str, cash: str, inventories: str) -> list[Document]:
    name = f"{label} NWC 10-Q"
    cover = (
        f"FORM 10-Q\nFor the quarterly period ended {ended}\nNORTHWIND CHIPS CORPORATION\n"
        "(Exact name of registrant as specified in its charter)\nNasdaq: NWC\n"
        "The number of shares of common stock outstanding as of July 12, 2023, was 5,210,000."
    )
    income = INCOME.format(month=ended.split(",")[0])
    texts = [cover, BALANCE.format(head=head, cash=cash, inventories=inventories), income]
    return [Document(f"{name}-p{n}", f"{name}, page {n}", text) for n, text in enumerate(texts)]


@pytest.fixture(scope="module")
def index() -> PassageIndex:
    first = filing("2023 Q1", "March 31, 2023", "March 31, December 31,\n2023 2022", "120\n$\n100", "50\n40")
    second = filing("2023 Q2", "June 30, 2023", "June 30,\n2023\nDecember 31,\n2022", "130\n$\n100", "60\n40")
    documents = carded([*first, *second])
    return PassageIndex.build([p for each in documents for p in cut(each, overlap_sentences=0)], name="filings")


@pytest.mark.parametrize("head", ["October 29, January 29,\n2023 2023", "October 29,\n2023\nJanuary 29,\n2023"])
def test_the_day_of_a_column_is_read_wherever_its_year_stands(head: str) -> None:
    text = BALANCE.format(head=head, cash="120\n$\n100", inventories="50\n40")
    assert days_of(table_of(text), text) == [(2023, 10, 29), (2023, 1, 29)]


def test_a_page_that_names_too_few_days_has_none() -> None:
    text = BALANCE.format(head="2023 2022", cash="120\n$\n100", inventories="50\n40")
    assert days_of(table_of(text), text) == []


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What were Northwind's inventories at December 31, 2022?", "$40 million"),
        ("How much cash did Northwind have at year-end 2022?", "$100 million"),
        ("What was Northwind's working capital as of December 31, 2022?", "$190 million"),
        ("What were Northwind's inventories at June 30, 2023?", "$60 million"),
        ("What were Northwind's inventories at September 30, 2021?", None),
        ("What was Northwind's revenue at December 31, 2022?", None),
        (
            "How did Northwind's inventories change from December 31, 2022 to June 30, 2023?",
            "up 50.0%, from $40 million to $60 million",
        ),
        (
            "How did Northwind's cash move from March 31, 2023 to June 30, 2023?",
            "up 8.3%, from $120 million to $130 million",
        ),
        (
            "How did Northwind's working capital develop from March 31, 2023 to June 30, 2023?",
            "up 0.0%, from $200 million to $200 million",
        ),
        (
            "Did Northwind's cash fall between December 31, 2022 and June 30, 2023?",
            "No, up 30.0%, from $100 million to $130 million",
        ),
        (
            "What were Northwind's inventories as of December 31, 2022 and June 30, 2023?",
            "December 31, 2022: $40 million; June 30, 2023: $60 million",
        ),
    ],
)
def test_a_day_of_no_report_is_read_from_the_one_that_repeats_it(
    question: str, said: str | None, index: PassageIndex
) -> None:
    made = figure_of(question, index)
    assert (made and made.text) == said


def test_a_repeated_balance_says_which_report_it_was_read_from(index: PassageIndex) -> None:
    made = figure_of("What were Northwind's inventories at December 31, 2022?", index)
    assert made is not None
    assert "of December 31, 2022 as 2023 Q1 NWC 10-Q, page 1 repeats it" in made.derivation


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("How many shares did Northwind have outstanding as of its latest 10-Q?", "5,210,000 shares"),
        ("How many shares of Northwind were outstanding on July 12, 2023?", "5,210,000 shares"),
        ("How many shares of Northwind were outstanding on July 20, 2023?", None),
        ("What was the weighted average number of shares outstanding of Northwind in Q2 2023?", None),
    ],
)
def test_shares_outstanding_are_those_of_the_cover(question: str, said: str | None, index: PassageIndex) -> None:
    made = figure_of(question, index)
    assert (made and made.text) == said


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("As of May 1, 2023, there were outstanding 4,216 million shares of stock.", ["4,216 million"]),
        ("Outstanding as of May 1, 2023\nCommon Stock, $0.01 par value\n7,432,262,329 shares", ["7,432,262,329"]),
        ("The number of shares outstanding as of May 1, 2023, was 2.47 billion.", ["2.47 billion"]),
        ("As of May 1, 2023, we had outstanding debt of $4,216 million.", []),
        ("It has 4,216 million shares outstanding.", []),
    ],
)
def test_a_cover_tells_shares_in_a_sentence_or_a_table(text: str, told: list[str]) -> None:
    assert [shares for shares, _ in shares_on_cover(text, ())] == told


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (
            "What were Northwind's gross margin, R&D spending and net income in Q2 2023?",
            "gross margin: 40.0%; R&D spending: $90 million; net income: $150 million",
        ),
        (
            "How much cash, inventory and long-term debt did Northwind have at June 30, 2023?",
            "cash: $130 million; inventory: $60 million; long-term debt: $300 million",
        ),
        (
            "What was Northwind's revenue in Q2 2023, and what was its operating margin?",
            "revenue: $1,000 million ($1.0 billion); operating margin: 20.0%",
        ),
        ("Northwind Q2 2023: revenue, R&D?", "revenue: $1,000 million ($1.0 billion); R&D: $90 million"),
        ("What were Northwind's gross margin, kettles sold and net income in Q2 2023?", None),
        ("What was Northwind's gross margin in Q2 2023, and what drove it?", "40.0%"),
        ("What was Northwind's gross margin in Q2 2023 and why is it so high?", "40.0%"),
    ],
)
def test_each_of_several_figures_is_read_or_none_is_given(question: str, said: str | None, index: PassageIndex) -> None:
    made = figure_of(question, index)
    assert (made and made.text) == said
