"""What filings tell in forms that they keep to: what a line is made of, plans to sell, how a purchase stands."""

import pytest

from adaq_core.filings import figure_of
from adaq_core.filings.disclosures import plans_told, state_of_purchase
from adaq_core.filings.disclosures.contents import contents_told, segments_told
from adaq_core.filings.sentences import certifying
from adaq_core.retrieval.index import PassageIndex
from tests.filings.conftest import CONTOSO, KETTLES, NORTHWIND, assert_told, filed

COVER = """FORM 10-Q
NORTHWIND CHIPS CORPORATION
(Exact name of registrant as specified in its charter)
Delaware
12-3456789
(State or other jurisdiction of incorporation)
(I.R.S. Employer Identification No.)
One Kiln Way
Trenton, New Jersey
08601
(Address of principal executive offices)
(609) 555-0100
Common Stock, $0.001 par value per share
NWC
The Nasdaq Stock Market LLC
"""
BODY = """We have organized our operations into two segments: Kilns and Table Ware.
The Table Ware segment primarily consists of sales of plates and cups. This segment includes export sales.
Our Northwind Studio revenue, which includes lessons, glazes, and rented wheels, was $31 million and grew 4%.
Net sales by groups of similar products were as follows (in millions):
Online stores (1)
120
Studio services (2)
45
(1) Includes product sales and downloads.
(2) Includes monthly fees for lessons, as well as rented wheels and glazes.
Brick products and wall services, including red bricks; grey bricks; and walls.
There have been no material changes to our critical accounting estimates since our last annual report.
There have been no material changes to the Company’s risk factors since the 2022 Form 10-K.
On May 5, 2023, Ann Lee, President and Chief Executive Officer, adopted a trading plan intended to satisfy \
Rule 10b5-1(c) to sell up to 900 shares between August 15, 2023 and July 18, 2024, subject to certain conditions.
Bo Dahl, our Chief Financial Officer, adopted a new written trading plan on May 9, 2023. The plan’s maximum duration \
is until May 8, 2024. The first trade will not occur until September 1, 2023, at the earliest.
Results of the review
/s/ KUMAR & VOSS LLP
"""


@pytest.fixture(scope="module")
def index() -> PassageIndex:
    texts = {f"2023 {quarter} NWC 10-Q": f"{COVER}{KETTLES}{BODY}" for quarter in ("Q1", "Q2")}
    none = "During the quarter no such plans or arrangements were adopted."
    return filed({**texts, "2023 Q2 CONT 10-Q": f"{CONTOSO}{none}"})


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (
            "What does Northwind's Studio services line include in Q2 2023?",
            "monthly fees for lessons, as well as rented wheels and glazes",
        ),
        ("What is in Northwind's online stores line?", "product sales and downloads"),
        ("What does Northwind's Table Ware segment include?", "sales of plates and cups"),
        ("What goes into the Northwind Studio revenue figure?", "lessons, glazes, and rented wheels"),
        ("What makes up the Table Ware segment of Northwind?", "sales of plates and cups"),
        ('Northwind\'s "online stores", what does that count?', "product sales and downloads"),
        ("What does Northwind's Kilns segment include?", None),  # nothing says so
        ("What is in store for Northwind in Q2 2023?", None),
        ("What growth is in Northwind's online stores line?", None),
        ("What does Northwind book under online stores?", "product sales and downloads"),
        ("What sits inside Northwind's brick products line?", "red bricks; grey bricks; and walls"),
        ("What sits inside Northwind's wall line?", None),
        ("Where is Northwind incorporated?", "Delaware"),
        ("Which state is Northwind incorporated in?", "Delaware"),
        ("When was Northwind incorporated?", None),
        ("Where is Northwind headquartered?", "One Kiln Way, Trenton, New Jersey, 08601"),
        ("Where are Northwind's kilns located?", None),
        ("What is Northwind's ticker?", "NWC"),
        ("Where are Northwind's shares listed?", "The Nasdaq Stock Market LLC"),
        ("Where are Northwind's bonds listed?", None),
        ("Which segments does Northwind report?", "Kilns and Table Ware"),
        ("Which segment of Northwind grew most in Q2 2023?", None),
        ("Where is the rent of Northwind's headquarters told?", None),
        ("Who is the auditor of Northwind's landlord?", None),
        ("Have Northwind's kilns changed?", None),
        (
            "Which Northwind officers adopted trading plans in Q2 2023?",
            "Ann Lee, President and Chief Executive Officer; Bo Dahl, Chief Financial Officer",
        ),
        ("Until when does Ann Lee's trading plan at Northwind run?", "July 18, 2024"),
        ("When does the trading plan of Northwind's chief financial officer end?", "May 8, 2024"),
        ("What is the earliest that Bo Dahl may sell under his trading plan at Northwind?", "September 1, 2023"),
        ("Until when does Cy Moe's trading plan at Northwind run?", None),
        ("Until when do the trading plans at Northwind run?", None),  # two, of two days
        ("Did any officer of Northwind adopt a trading plan in Q2 2023?", "Yes: Ann Lee; Bo Dahl"),
        ("Did any officer of Contoso adopt a trading plan in Q2 2023?", "No, none"),
    ],
)
def test_what_a_filing_tells_is_read_where_it_keeps_to_a_form(
    question: str, said: str | None, index: PassageIndex
) -> None:
    assert_told(index, question, said)


def test_what_a_line_is_made_of_stands_in_its_note_or_in_a_sentence() -> None:
    told = {name: parts for name, parts, _ in contents_told(BODY)}
    assert told["Studio services"] == "monthly fees for lessons, as well as rented wheels and glazes"
    assert told["Table Ware segment"] == "sales of plates and cups"
    points = "•\nPlates, including saucers.\n12\nPART I\n•\nCups\nOther matters\nWe sell much else.\n•\nOvens"
    listed = f"Our Ware segment consists of what is laid on tables. This segment comprises:\n{points}"
    said = ("Our Ware segment consists of what is laid on tables.", "Plates, including saucers.", "Cups")
    assert list(contents_told(listed)) == [("Ware segment", "Plates; Cups", said)]
    assert list(contents_told("(2) Includes fees.\nFees (2)\n12\n")) == []  # a note stands behind its row
    assert list(contents_told("We may lose customers, which includes some of our largest.")) == []


def test_segments_are_named_behind_what_says_that_there_are_some() -> None:
    assert [parts for _, parts, _ in segments_told(BODY)] == ["Kilns and Table Ware"]
    assert list(segments_told("Our segments grew.")) == []
    assert list(segments_told("Our reportable segments are described below.")) == []
    following = "We report on the following segments: Kilns, Studio, and Table Ware."
    assert [parts for _, parts, _ in segments_told(following)] == ["Kilns, Studio, and Table Ware"]


def test_a_plan_is_adopted_by_someone_with_a_role() -> None:
    assert [(plan.name, plan.role) for plan in plans_told(BODY)] == [
        ("Ann Lee", "President and Chief Executive Officer"),
        ("Bo Dahl", "Chief Financial Officer"),
    ]
    assert list(plans_told("The Board adopted a trading policy. We adopted a new plan.")) == []


def test_only_what_is_certified_behind_the_signatures_is_a_certification() -> None:
    signed = "SIGNATURES\nPursuant to the requirements of the Act the registrant has signed this.\nEXHIBIT 31\n"
    assert list(certifying(["We certify our kilns.", signed, "I, Ann Lee, certify that", "An award"])) == [2]
    assert list(certifying(["I, Ann Lee, certify that"])) == []


PURCHASES = """Share repurchases during the quarter were as follows ({unit}):
Period
Total Number
of Shares
Purchased
Average Price
Paid Per Share
Approximate Dollar Value
April 2, 2023 to May 6, 2023:
38,121
$
165.46
May 7, 2023 to June 3, 2023:
21,876
174.91
June 4, 2023 to July 1, 2023:
42,676
184.34
Total
{total}
$
94,569
"""


EQUITY = """Balance as of July 1, 2023
4,188
Cash dividends declared ($0.13 per share)
(525)
Balance as of September 30, 2023
4,216
Balance as of July 2, 2022
Cash dividends declared ($0.73 per share)
Balance as of October 1, 2022
Balances, December 31, 2022
Cash dividends declared and paid ($0.62 per common share)
(2,561)
Balances, September 30, 2023
"""


AGREED = "In May 2022, we entered into an agreement to acquire Glaze Works, Inc. for $3 billion, subject to approval."
CLOSED = "On March 3, 2023, we completed our acquisition of Glaze Works, Inc. for cash of $3.1 billion."
LONG_AGO = CLOSED.replace("2023", "2021")
ENDED = "We mutually agreed with Glaze to terminate the agreement to acquire Glaze, due to a lack of approval."
MAY_END = "If our agreement to acquire Glaze Works is terminated, we may be obligated to pay a fee of $90 million."


def purchases(*told: str) -> PassageIndex:
    return filed({f"2023 Q{n} NWC 10-Q": f"{NORTHWIND}{KETTLES}{said}" for n, said in enumerate(told, start=1)})


@pytest.mark.parametrize(
    ("told", "asked", "text"),
    [
        ((AGREED, ENDED), "Is Northwind about to buy Glaze Works?", "No: the agreement was terminated"),
        ((AGREED, CLOSED), "Is Northwind still going to acquire Glaze Works?", "No: it is completed"),
        ((AGREED, "We sell kilns."), "Is Northwind buying Glaze Works?", "Yes: agreed and not yet completed"),
        ((AGREED, MAY_END), "Did Northwind buy Glaze Works?", "No, agreed and not yet completed"),
        ((AGREED, CLOSED), "Has Northwind completed its acquisition of Glaze Works?", "Yes, it is completed"),
        ((AGREED, ENDED), "What became of Northwind's deal to buy Glaze Works?", "terminated"),
        ((AGREED, ENDED), "Was Northwind going to buy Glaze Works in Q1 2023?", "Yes: agreed and not yet completed"),
        (
            ("We sell kilns.", LONG_AGO),
            "Did Northwind buy Glaze Works in Q2 2023?",
            "No, it was completed on March 3, 2021",
        ),
        ((AGREED, CLOSED), "When did Northwind close its purchase of Glaze Works?", "March 3, 2023"),
        ((AGREED, ENDED), "When did Northwind buy Glaze Works?", "It did not: the agreement was terminated"),
        (
            (AGREED, "We sell kilns."),
            "How did Northwind fund its kilns when it closed the purchase of Glaze Works?",
            "It did not yet: agreed and not yet completed",
        ),
        ((AGREED, CLOSED), "How did Northwind fund its kilns when it closed the purchase of Glaze Works?", None),
        ((AGREED, CLOSED), "Why did Northwind close the purchase of Glaze Works?", None),
        ((AGREED, ENDED), "When did Northwind buy back shares?", None),
        ((AGREED, CLOSED), "When did Northwind sign an agreement to acquire Glaze Works?", None),
        ((AGREED, ENDED), "Is Northwind about to buy Glaze Kilns?", None),
        ((AGREED, ENDED), "Is Northwind going to buy back shares?", None),
        ((AGREED, ENDED), "Why is Northwind about to buy Glaze Works?", None),
    ],
)
def test_the_newest_report_tells_how_a_purchase_stands(told: tuple[str, ...], asked: str, text: str | None) -> None:
    figure = figure_of(asked, purchases(*told))
    assert (figure.text if figure else None) == text


def test_what_may_happen_is_no_state_of_a_purchase() -> None:
    assert state_of_purchase(MAY_END, ["Glaze", "Works"]) is None
    assert state_of_purchase(f"{AGREED} {MAY_END}", ["glaze", "works"]) == ("agreed", AGREED)
    assert state_of_purchase(AGREED, ["Glaze", "Kilns"]) is None
