"""How analysts ask for the figure of a row: in other verbs, by initials, beside the year before."""

from __future__ import annotations

import pytest

from adaq_core.filings import figure_of
from adaq_core.filings.conditions import in_words_of_filings
from adaq_core.filings.formula import line_items
from adaq_core.model import Document, Passage
from adaq_core.retrieval.index import PassageIndex
from adaq_core.text.passages import cut

INCOME = """STATEMENTS OF INCOME
(In millions, except per share amounts)
Three Months Ended
June 30,
2023
June 30,
2022
Net sales
$
2,000
$
1,600
Cost of sales
1,000
960
Research and development
200
180
Operating income
500
300
Net income
$
400
$
250
Diluted earnings per share
2.20
1.37
Cash dividends declared per common share
0.25
0.20
"""
NOTES = """Our segments are the ones below.
Kilns and Ovens (KLO)
Table Ware (TBW)
The operating income of each segment was as follows:
(In millions)
Three Months Ended
June 30,
2023
June 30,
2022
Revenue
Kilns and Ovens
700
600
Table Ware
1,300
1,000
Operating income (loss)
Kilns and Ovens
(45)
12
Table Ware
545
288
Lidded Jars
20
(30)
The components of other income were as follows (in millions):
Three Months Ended
June 30,
2023
June 30,
2022
Interest income
$
31
$
9
Dividend income
4
4
Other rental income
7
6
Change in fair value of leases
(12)
(8)
Net sales by line and their mix were as follows (in millions):
Three Months Ended
June 30,
2023
2022
Net sales:
Products
1,700
1,300
Services
300
300
Net sales mix:
Bowls
17 %
16 %
Year-over-year growth:
Bowls
24 %
9 %
Shares used in computing earnings per share:
Glazing
5,200
5,300
The following table shows changes in accrued warranties (in millions):
Three Months Ended
Six Months Ended
June 30,
2023
June 30,
2022
June 30,
2023
June 30,
2022
Beginning accrued warranty and related costs
$
61
$
70
$
66
$
72
Ending accrued warranty and related costs
$
58
$
69
$
58
$
69
Gross margin by line was as follows (in millions):
Three Months Ended
June 30,
2023
2022
Gross margin:
Saucers
60
50
Gross margin percentage:
Saucers
41.5 %
43.0 %
As of December 31, 2022, our total inventory was $2 million, of which most is far away.
As of June 30, 2023 and December 31, 2022, we had total deferred revenue of $12.6 billion and $12.4 billion.
Cash capital expenditures were $15 million and $11 million during Q2 2022 and Q2 2023.
As of June 30, 2023, we had $18.28 billion in cash, cash equivalents, and marketable securities.
Except for $1.38 billion of cash, cash equivalents, and marketable securities held abroad, it is at home.
We had no borrowings outstanding under the revolving facility, $567 million outstanding under the paper programs, and \
$5.0 billion of borrowings outstanding under the Term Loan as of June 30, 2023.
Balances of equipment and of loans were as follows (in millions):
June 30,
2023
December 31,
2022
Casting equipment
88
80
Total debt
503
420
Deferred revenue
79
71
The following is a reconciliation of free cash flow for the twelve months ended June 30, 2023 (in millions):
Twelve Months Ended
June 30,
2023
2022
Net cash provided by operating activities
1,900
1,700
Free cash flow
$
(87)
$
310
Freight costs, which include packing and customs charges, were $19 million and $23 million in Q2 2022 and Q2 2023.
Our Studio Cloud revenue, which includes Glazes and other paints, increased to $318 million.
Q2 2023 vs. Q2 2022
Bowl ASPs increased 38% primarily due to a higher mix of large bowls. Plate volume decreased 5%.
YTD 2023 vs. YTD 2022
Bowl ASPs increased 17% primarily due to a higher mix of large bowls. Vase ASPs increased 3%.
Third Quarter 2023 Guidance
Operating income is expected to be between $510 million and $530 million, compared with $480 million in Q3 2022.
We expect the Garden Kiln programme to cost $900 million in capital.
For the three months ended June 30, 2023, we recorded $40 million of estimated severance costs for the roles of staff.
These charges were recorded in operating expenses and included approximately $12 million recorded within Table Ware.
During the second quarter of 2023, we repurchased 2 million shares for $80 million.
As of June 30, 2023, we were authorized to repurchase up to $900 million, of which $725 million remained available.
As of July 20, 2023, $710 million remained of this share repurchase program.
During the six months ended June 30, 2023, we repurchased 5 million shares for $190 million.
During the six months ended June 30, 2022, we repurchased 6 million shares for $200 million.
"""
LUMEN = f"""{INCOME.replace("1,000", "1,200")}
We make lamps. No shares were repurchased during the quarter ending June 30, 2023.
"""
BEFORE = """Notes of a year earlier, which no table of this text repeats in any of its rows or columns.
During the second quarter of 2022, we repurchased 3 million shares for $95 million.
"""


def filing(year: int, text: str, name: str = "Brewster") -> list[Passage]:
    """A report of a second quarter, with its card."""
    card = {"issuer": f"{name} Inc.", "ticker": name[:4].upper(), "form": "10-Q", "period": f"{year} Q2"}
    card |= {"fiscal_year": str(year), "fiscal_quarter": "2", "period_end": f"{year}-06-30"}
    title = f"{year} Q2 {name} 10-Q"
    return list(cut(Document(f"{title}.txt", title, text, metadata=tuple(card.items()))))


@pytest.fixture(scope="module")
def index() -> PassageIndex:
    """Two quarters of one issuer, and one of another."""
    filed = [
        *filing(2023, INCOME + NOTES),
        *filing(2022, BEFORE),
        *filing(2023, LUMEN, name="Lumen"),
    ]
    return PassageIndex.build(filed, name="asked")


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What operating income did Brewster's Table Ware segment post in the June 2023 quarter?", "$545 million"),
        ("How much did Brewster book from Table Ware in Q2 2023?", ""),  # revenue or operating income
        ("What revenue did Brewster's Garden Ware segment post in the June 2023 quarter?", ""),
        ("What operating loss did Brewster's KLO segment report for Q2 2023?", "-$45 million"),
        ("How much revenue did TBW bring in at Brewster in Q2 2023?", "$1,300 million ($1.3 billion)"),
        ("how much revenue did TBW bring in at brewster in the jun-23 quarter?", "$1,300 million ($1.3 billion)"),
        ("TBW revenue at Brewster: Q2 2021 vs Q2 2023", ""),  # of which two years lie between
        ("Brewster's Table Ware segment profit for the three months ended June 30, 2023", "$545 million"),
        ("Brewster TBW revenue for the June 2023 quarter vs a year earlier",
         "up 30%, from $1,000 million to $1,300 million"),
        ("Brewster TBW revenue, Q2 2023, and the y/y change please.", "up 30%, from $1,000 million to $1,300 million"),
        ("Who sold more in Q2 2023, Lumen or brewster? Give both numbers.",
         "Lumen: $2,000 million ($2.0 billion); brewster: $2,000 million ($2.0 billion)"),
        ("What operating loss did Brewster's XYZ segment report for Q2 2023?", ""),
        ("What was Brewster's trailing-twelve-month free cash flow as of June 30, 2023?", "-$87 million"),
        ("What was Brewster's trailing-twelve-month capex as of June 30, 2023?", ""),
        ("What was Brewster's diluted EPS in Q2 2023?", "$2.20"),
        ("What interest income did Brewster earn in Q2 2023?", "$31 million"),
        ("How much interest did Brewster earn in Q2 2023?", "$31 million"),
        ("What interest expense did Brewster record in Q2 2023?", ""),
        ("How did Brewster's Table Ware gross margin in Q2 2023 compare with a year earlier?", ""),
        (
            "How did Brewster's Table Ware revenue in Q2 2023 compare with a year earlier?",
            "up 30%, from $1,000 million to $1,300 million",
        ),
        ("Give me Brewster's Table Ware revenue and net income for Q2 2023.", ""),
        ("How much of Brewster's net sales went to research and development in Q2 2023?", "10.0%"),
        ("How much did Brewster spend on freight in the second quarter of 2023?", "$23 million"),
        ("How much did Brewster spend on packing in the second quarter of 2023?", ""),
        ("What was Brewster's Studio Cloud revenue in Q2 2023?", "$318 million"),
        ("What was Brewster's Glazes and paints revenue in Q2 2023?", ""),  # a part of the amount that is told
        ("Did Brewster spend more on buybacks in its second quarter of 2022 or of 2023?",
         "second quarter of 2022: $95 million; second quarter of 2023: $80 million"),
        ("By what percentage did Brewster's bowl ASPs rise in Q2 2023 versus Q2 2022?", "up 38%"),
        ("By what percentage did Brewster's vase ASPs rise in Q2 2023 versus Q2 2022?", ""),  # of six months
        ("Was Brewster's plate volume down in Q2 2023?", "Yes, down 5%"),
        ("Was Brewster's plate volume up in Q2 2023?", "No, down 5%"),
        ("How much did Brewster's Table Ware revenue grow in Q2 2023 versus Q2 2022?",
         "up 30%, from $1,000 million to $1,300 million"),
        ("How much did Brewster's Table Ware revenue grow from Q2 2022 to Q2 2023?",
         "up 30%, from $1,000 million to $1,300 million"),
        ("How much did Brewster's Table Ware revenue grow from Q2 2021 to Q2 2023?", ""),
        ("How much had Brewster's Table Ware growth cooled by Q2 2023 from Q2 2022?", ""),  # of two years
        ("How did Brewster's Table Ware revenue in the June 2023 quarter compare with the June 2022 quarter?",
         "up 30%, from $1,000 million to $1,300 million"),
        ("By how much did Brewster's casting equipment grow in Q2 2023?", ""),  # of half a year
        ("What was Brewster's casting equipment at June 30, 2023?", "$88 million"),
        ("What was Brewster's total debt at June 30, 2023?", "$503 million"),
        ("What was Brewster's total debt at the end of Q2 2023?", "$503 million"),
        ("What was Brewster's total deferred revenue at June 30, 2023?", "$12.6 billion"),
        ("What was Brewster's total unearned revenue at June 30, 2023?", ""),  # a name that the report has not
        ("What was Brewster's total inventory at June 30, 2023?", ""),  # the row tells but what is at hand
        ("Brewster cash capex for Q2 2023 vs a year earlier", "from $15 million to $11 million"),
        ("Brewster cash capex of kilns for Q2 2023 vs a year earlier", ""),
        ("Who had the higher gross margin in Q2 2023, Lumen or Brewster? Please state both numbers.",
         "Brewster: 50.0%; Lumen: 40.0%"),
        ("How much cash, cash equivalents and inventory did Brewster have at June 30, 2023?", ""),
        ("How much was outstanding under Brewster's revolving facility at June 30, 2023?", "none"),
        ("How much was outstanding under Brewster's bridge loan at June 30, 2023?", ""),
        ("What dividends did Brewster declare per share in Q2 2023?", "$0.25"),
        ("What did Brewster's shares cost per share in Q2 2023?", ""),
        ("What was Brewster's net income in Q2 2023, how much did it spend on packing, and what was its diluted EPS?",
         ""),
        ("What was Brewster's glaze in Q2 2023 and how much did it grow?", ""),  # not what Brewster grew by
        ("What does Brewster include in its Freight costs line, Q2 2023?", "packing and customs charges"),
        ("What does Brewster include in its freight and packing, Q2 2023?", ""),  # no amount is asked for
        ("What was Brewster's accrued warranty balance at June 30, 2023?", "$58 million"),
        ("What was Brewster's accrued vacation balance at June 30, 2023?", ""),
        ("What was Brewster's rental income in Q2 2023?", ""),  # other rental income is but a part
        ("What was Brewster's other rental income in Q2 2023?", "$7 million"),
        ("What was Brewster's change in fair value of leases in Q2 2023?", "-$12 million"),
        ("What were Brewster's products net sales in Q2 2023?", "$1,700 million ($1.7 billion)"),
        ("What were Lumen's products net sales in Q2 2023?", ""),
        ("What share of Brewster's net sales did bowls make up in Q2 2023?", "17%"),
        ("What share of Brewster's net sales did vases account for in Q2 2023?", ""),
        ("What was Brewster's Garden Ware operating margin in Q2 2023?", ""),
        ("What was Brewster's glazing in Q2 2023?", ""),  # a count of shares
        ("What did the Garden Kiln programme cost Brewster in Q2 2023?", ""),  # it is expected to
        ("How did Brewster's saucers gross margin percentage change in Q2 2023?", "down from 43% to 41.5%"),
        ("Who had the higher gross margin in Q2 2023, Lumen or Brewster?", "Brewster: 50.0%; Lumen: 40.0%"),
        ("What was Brewster's operating income by segment in Q2 2023?", ""),  # not that of the whole
        ("How did Brewster's Table Ware growth in Q2 2023 compare with a year earlier?", ""),
        ("How many shares did Brewster repurchase in Q2 2023?", "2 million shares"),
        ("How many shares did Brewster repurchase in the first six months of 2023?", "5 million shares"),
        ("How much was left under Brewster's buyback authorization at June 30, 2023?", "$725 million"),
        ("How much was left under Brewster's buyback authorization at March 31, 2023?", ""),
        ("How many shares did Brewster repurchase in Q2 2023 and what did it pay for its kilns?", ""),
        ("Did Brewster buy back any stock in Q2 2023?", "Yes, 2 million shares"),
        ("How much did Brewster hand back to shareholders through share repurchases in Q2 2023?", "$80 million"),
        ("Did Brewster buy back more than $90 million of stock in Q2 2023?", "No, $80 million"),
        ("Did Brewster buy back more than $70 million of stock in Q2 2023?", "Yes, $80 million"),
        ("Did Lumen buy back any stock in Q2 2023?", "No, none"),
        ("How much did Lumen spend on buybacks in Q2 2023?", "none"),
        ("Did Lumen buy back any stock in the first six months of 2023?", ""),  # the quarter alone is told
        ("How many mugs did Brewster repurchase in Q2 2023?", ""),
        ("Did Brewster spend more on kilns in its second quarter of 2022 or of 2023?", ""),
        ("How did Brewster's kilns do in Q2 2023?", ""),
        ("Summary of Brewster's fight over clay in Q2 2023", ""),
        ("Overview of Brewster", ""),
        ("By how much did KLO's operating income at Brewster change in Q2 2023?",
         "down $57 million (475%), from $12 million to -$45 million"),
        ("By how much did Lidded Jars operating income at Brewster change in Q2 2023?",
         "up from -$30 million to $20 million"),
        ("How much of Brewster's severance costs in Q2 2023 fell on Lidded Jars?", ""),
        ("How much of Brewster's lease costs in Q2 2023 fell on Table Ware?", ""),
    ],
)  # fmt: skip
def test_a_figure_is_read_however_an_analyst_asks_for_it(question: str, said: str, index: PassageIndex) -> None:
    made = figure_of(question, index)
    assert (made.text if made else "") == said


@pytest.mark.parametrize(
    ("asked", "means"),
    [
        ("How do sales stack up against a year ago?", "How do sales change?"),
        ("How do sales compare with the same quarter of last year?", "How do sales change?"),
        ("Sales in fiscal 2024 Q3", "Sales in Q3 fiscal 2024"),
        ("How do sales compare with those of Lumen?", "How do sales compare with those of Lumen?"),
        ("Buybacks in the third quarter of 2022 or of 2023",
         "Buybacks in the third quarter of 2022 or third quarter of 2023"),
        ("Buybacks in the third quarter of 2022 and all of 2023",
         "Buybacks in the third quarter of 2022 and all of 2023"),
    ],
)  # fmt: skip
def test_periods_are_spelled_out_where_a_question_shortens_them(asked: str, means: str) -> None:
    assert in_words_of_filings(asked, line_items()) == means
