"""What cash flow statements tell of a quarter, which state months to date; and what a balance sheet has as debt."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from adaq_core.filings import figure_of
from adaq_core.retrieval.index import PassageIndex
from tests.filings.conftest import NORTHWIND, assert_told, filed

REPORT = """For the quarterly period ended {day}, 2023
CONSOLIDATED BALANCE SHEETS
(In millions)
{day},
2023
December 31,
2022
Cash and cash equivalents
1,500
1,400
Marketable securities
700
600
Non-current marketable securities
300
200
Total assets
9,000
8,000
LIABILITIES AND STOCKHOLDERS’ EQUITY
Current liabilities:
Short-term debt
{short}
700
Accounts payable
400
300
Short-term unearned revenue
100
90
Long-term debt
{long}
3,000
Long-term unearned revenue
500
400
Total liabilities and stockholders’ equity
9,000
8,000
CONSOLIDATED STATEMENTS OF CASH FLOWS
(In millions)
{months} Months Ended
{day},
2023
{day},
2022
Cash flows from operating activities:
Net cash provided by (used for) operating activities
{operations}
900
Cash flows from investing activities:
Purchases of property and equipment
({capex})
(200)
Cash flows from financing activities:
Repurchases of common stock
{bought}
(50)
Payment of dividends to stockholders
({dividends})
(110)
Repayments of debt
({repaid})
(40)
"""
SPOKEN_OF = "We baked bowls in the {months} months ended {day}, 2023. " * 3  # by which the fiscal quarter is told


_FIRST = {
    "day": "March 31",
    "months": "Three",
    "short": 650,
    "long": "3,100",
    "operations": "(120)",
    "capex": 100,
    "bought": "—",
    "dividends": 60,
    "repaid": 10,
}
_SECOND = {
    "day": "June 30",
    "months": "Six",
    "short": 600,
    "long": "3,200",
    "operations": "300",
    "capex": 250,
    "bought": "—",
    "dividends": 125,
    "repaid": 30,
}
_THIRD = {"day": "September 30", "months": "Nine", "short": 500, "long": "3,300", "operations": "750", "capex": 420,
          "bought": "(80)", "dividends": 195, "repaid": 30}  # fmt: skip


def reported(*quarters: Mapping[str, object], beside: str = "") -> PassageIndex:
    """The index of the reports of some quarters; each says what stands `beside` its statements too."""
    numbers = {"Three": 1, "Six": 2, "Nine": 3}
    text = f"{NORTHWIND}{REPORT}{SPOKEN_OF}{beside}\n"
    return filed({f"2023 Q{numbers[str(each['months'])]} NWC 10-Q": text.format(**each) for each in quarters})


@pytest.fixture(scope="module")
def index() -> PassageIndex:
    return reported(_FIRST, _SECOND, _THIRD)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How much did Northwind pay in dividends in Q3 2023?", "$70 million"),
        ("What were the capital expenditures of Northwind in Q2 2023?", "$150 million"),
        ("What was Northwind's free cash flow in Q2 2023?", "$270 million"),  # 420 less 150
        ("What was Northwind's free cash flow from kilns in Q2 2023?", None),
        ("What was Northwind's cash from operations in Q2 2023? Please cite both pages.", "$420 million"),
        ("What was Northwind's cash from operations in Q2 2023 and why did it rise?", "$420 million"),
        ("What was Northwind's cash from operations in Q2 2023?", "$420 million"),
        ("What was Northwind's cash from operations in Q3 2023?", "$450 million"),
        ("Did Northwind pay a dividend in Q2 2023?", "Yes, dividends paid: $65 million"),
        ("Did Northwind buy back shares in Q3 2023?", "Yes, share repurchases: $80 million"),
        ("Did Northwind buy back shares in Q2 2023?", "No, no share repurchases"),
        ("Did Northwind pay down debt in Q3 2023?", "No, no debt repayments"),
        (
            "Is Northwind still buying back its own shares?",
            "Yes, share repurchases: $80 million in Q3 2023, the newest report here",
        ),
        ("How much did Northwind pay in dividends in 2023?", "$195 million in the first nine months of fiscal 2023"),
        ("Does Northwind plan to pay a dividend in Q3 2023?", None),
        ("Did Northwind pay a dividend to Contoso in Q3 2023?", None),
        ("How much did Northwind pay in dividends in August 2023?", None),
    ],
)
def test_a_quarter_is_its_months_to_date_less_those_of_the_report_before(
    index: PassageIndex, question: str, text: str | None
) -> None:
    assert_told(index, question, text)


def test_it_names_both_reports(index: PassageIndex) -> None:
    figure = figure_of("Did Northwind pay a dividend in Q3 2023?", index)
    assert figure is not None
    assert "$195 million in the first nine months" in figure.derivation.replace("-$", "$")
    assert {operand.filing for operand in figure.operands} == {"2023 Q3 NWC 10-Q", "2023 Q2 NWC 10-Q"}


def test_what_a_report_says_of_the_quarter_goes_before_what_two_reports_are_apart() -> None:
    said = "In the third quarter and first nine months of fiscal year 2023, we paid $71 million and $195 million, "
    index = reported(_SECOND, _THIRD, beside=f"{said}respectively, in cash dividends.")
    assert_told(index, "Did Northwind pay a dividend in Q3 2023?", "Yes, dividends paid: $71 million")
    newest = "Yes, dividends paid: $71 million in Q3 2023, the newest report here"
    assert_told(index, "Does Northwind pay a dividend?", newest)


def test_without_the_report_before_it_is_told_to_date() -> None:
    index = reported(_FIRST, _THIRD)
    to_date = "$195 million in the first nine months of fiscal 2023"
    assert_told(index, "How much did Northwind pay in dividends in Q3 2023?", to_date)
    assert_told(index, "Did Northwind pay a dividend in Q3 2023?", None)  # it may have been in any of the months


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What was Northwind's total debt in Q3 2023?", "$3,800 million ($3.8 billion)"),
        (
            "How much debt does Northwind have?",
            "$3,800 million ($3.8 billion) in Q3 2023, the newest report here",
        ),
        ("What was Northwind's long-term debt in Q3 2023?", "$3,300 million ($3.3 billion)"),
        ("What was Northwind's net debt in Q3 2023?", None),
    ],
)
def test_debt_is_all_rows_of_it(index: PassageIndex, question: str, text: str | None) -> None:
    assert_told(index, question, text)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What were Northwind's total cash and marketable securities in Q2 2023?", "$2,500 million ($2.5 billion)"),
        ("How much cash and short-term investments did Northwind have in Q2 2023?", None),  # no row is of such
        ("How much did Northwind's cash and marketable securities grow in Q2 2023?", None),
        ("How much deferred revenue did Northwind have in Q2 2023?", "$600 million"),
        ("Does Northwind have any debt in Q2 2023?", "Yes, debt: $3,800 million ($3.8 billion)"),
        ("Does Northwind have debt covenants in Q2 2023?", None),
    ],
)
def test_what_is_held_is_the_rows_of_it(index: PassageIndex, question: str, text: str | None) -> None:
    assert_told(index, question, text)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What was Northwind's accounts payable at December 31, 2022?", "$300 million"),
        ("How much did Northwind have in accounts payable at the end of 2022?", "$300 million"),
        ("What was Northwind's accounts payable at the end of fiscal 2022?", "$300 million"),
        ("What was Northwind's accounts payable at December 31, 2021?", None),
        ("What was Northwind's accounts payable at December 15, 2022 in Rome?", None),
        ("How much did Northwind have in debt at the end of 2022?", None),  # more than one row of it
        (
            "By how much did Northwind's accounts payable grow between December 31, 2022 and September 30, 2023?",
            "up 33.3%, from $300 million to $400 million",
        ),
        (
            "Did Northwind's accounts payable fall between December 2022 and June 2023?",
            "No, up 33.3%, from $300 million to $400 million",
        ),
    ],
)
def test_a_balance_sheet_of_a_quarter_tells_the_end_of_the_year_before_too(
    question: str, text: str | None, index: PassageIndex
) -> None:
    assert_told(index, question, text)
