"""What sentences of a report say: causes, segments, amounts of ranges and of companies."""

from dataclasses import replace

import pytest

from adaq_core.filings.disclosures.contents import segments_told
from adaq_core.filings.sentences import Quarter, amounts_said, causes_said
from adaq_core.retrieval.index import PassageIndex
from adaq_core.text.values import Date
from tests.filings.conftest import CONTOSO, NORTHWIND, assert_told, filed

PERIOD = "For the quarterly period ended June 30, 2023\n"
BODY = """
We manage our business through the following operating segments:
•
Kilns
•
Table Ware (TW)
Three Months Ended June 30, 2023 Compared with Three Months Ended June 30, 2022
Kiln revenue decreased $90 million or 12% driven by a decline in kiln parts. Kiln parts revenue decreased 20% \
driven by lower volume of bricks sold.
Studio revenue was up 9% from a year ago and down 4% sequentially. The year-on-year increase primarily reflects more \
lessons. The sequential decrease primarily reflects the summer break.
The increase in Table Ware operating income in the three months ended June 30, 2023, compared to the prior \
year, is primarily due to lower cost of clay.
Jar revenue was up 40% from a year ago. Strong sales of lidded jars were driven by demand for jam.
Lid revenue was up 5% from a year ago. Kilns were driven by gas.
Operating expenses increased 8% driven by higher rents, partially offset by fewer staff.
Tray revenue of $40 million was down $3 million or 7% from Q2 2022, as several cafes closed.
Tile revenue was down on lower volume in homes, though prices were higher due to a change in mix.
Table Ware
Operating expenses decreased 2% driven by fewer staff.
We had an operating loss of $14 million, compared to operating income of $3 million in Q2 2022, primarily due to a \
burst pipe.
(In Millions)
$
(25) Q1 2024 Plate Operating Income (Loss)
(60) Lower product margin from lower plate
sales
(20) Other
30
Lower rents
$
25
Q1 2023 Plate Operating Income (Loss)
$
(40) YTD 2023 Plate Operating Income (Loss)
(80) Higher cost of gas
$
40
YTD 2022 Plate Operating Income (Loss)
As of June 30, 2023, we had additional operating and finance leases, primarily for shops, that had not yet \
commenced of $15 million and $70 million, respectively.
As of June 30, 2023, we had $25 million of commercial paper outstanding.
In June 2023, Kiwi Glaze alleged in its report that Northwind could be subject to $17 million to $30 million in damages.
We have accrued a charge of $12 million related to litigation involving GLZ, described below.
GLZ Works LLC (GLZ) filed a complaint.
Six Months Ended June 30, 2023 Compared with Six Months Ended June 30, 2022
Operating expenses increased 11% driven by the strike.
"""
PAPER = "As of June 30, 2023, we had $4 million of commercial paper outstanding."


@pytest.fixture(scope="module")
def index() -> PassageIndex:
    northwind = f"{NORTHWIND}{PERIOD}{'We sell kettles. ' * 20}\n{BODY}"
    return filed({"2023 Q2 NWC 10-Q": northwind, "2023 Q2 CONT 10-Q": f"{CONTOSO}{PERIOD}{PAPER}"})


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Why did Northwind's studio revenue rise in Q2 2023?", "Due to more lessons"),
        ("Why was Northwind's studio revenue down sequentially in Q2 2023?", "Due to the summer break"),
        (
            "What made the jar side of Northwind explode in Q2 2023?",
            "Due to strong sales of lidded jars, driven by demand for jam",
        ),
        (
            "Northwind jar revenue went up in Q2 2023 (June). What was behind it?",
            "Due to strong sales of lidded jars, driven by demand for jam",
        ),
        ("Why did Northwind's lid revenue rise in Q2 2023?", None),
        ("What drove the improvement in Northwind's Table Ware profit in Q2 2023?", "Due to lower cost of clay"),
        ("What made up Northwind's jar revenue in Q2 2023?", None),
        ("Northwind's Table Ware profit rose in Q2 2023. How come?", "Due to lower cost of clay"),
        ("Why did Northwind's kiln revenue rise in Q2 2023?", "It did not rise: down 12%"),
        ("Why did Northwind's brick revenue fall in Q2 2023?", None),
        ("Why did Northwind's Table Ware revenue rise in Q2 2023?", None),  # its profit did
        ("Why did Northwind's kiln revenue fall in Q2 2023, and who bought bricks?", None),
        (
            "Why did Northwind's operating expenses rise in Q2 2023?",
            "Due to higher rents, partially offset by fewer staff",
        ),
        ("What partially offset the increase in Northwind's operating expenses in Q2 2023?", "fewer staff"),
        ("What held back the rise in Northwind's opex in Q2 2023?", "fewer staff"),
        ("What partially offset the decrease in Northwind's kiln revenue in Q2 2023?", None),
        ("Why did Northwind's operating expenses fall in Q2 2023?", None),  # those of a segment did
        ("Why did Northwind's Table Ware lose money in Q2 2023?", "Due to a burst pipe"),
        (
            "Why did Northwind's plate operating income fall in Q2 2023?",
            "Due to lower product margin from lower plate sales",
        ),
        (
            "Why did Northwind's plate operating loss widen in Q2 2023?",
            "Due to lower product margin from lower plate sales",
        ),
        ("Why did Northwind's plate operating income fall in the first half of 2023?", "Due to higher cost of gas"),
        ("Why did Northwind's plate operating income rise in Q2 2023?", None),
        ("Why did Northwind's operating expenses rise in the first half of 2023?", "Due to the strike"),
        ("Why did Northwind's kiln revenue fall in the first half of 2023?", None),
        (
            "What hurt Northwind's tile revenue in Q2 2023?",
            "Due to lower volume in homes, though prices were higher due to a change in mix",
        ),
        ("Why did Northwind's tray revenue fall in Q2 2023?", "As several cafes closed"),
        ("Why did Northwind's Table Ware operating expenses fall in Q2 2023?", "Due to fewer staff"),
        ("Why did Northwind's Kilns operating expenses fall in Q2 2023?", None),
        ("What helped Northwind's studio revenue in Q2 2023?", "Due to more lessons"),
        ("Why did Northwind's kiln costs fall in Q2 2023?", None),
        ("What did longer useful lives add to Northwind's gross margin in Q2 2023?", None),
        ("What was Northwind's depreciation of kilns in Q2 2023?", None),
        ("Name Northwind's operating segments.", "Kilns; Table Ware (TW)"),
        ("Into what parts does Northwind split its business?", "Kilns; Table Ware (TW)"),
        ("Which parts did Northwind sell in Q2 2023?", None),
        ("CP balances at June 30, 2023, Northwind against Contoso?", "Northwind: $25 million; Contoso: $4 million"),
        (
            "Which had more commercial paper at June 30, 2023, Northwind or Contoso?",
            "Northwind: $25 million; Contoso: $4 million",
        ),
        ("Glaze balances at June 30, 2023, Northwind against Contoso?", None),
        ("How much has Northwind put aside for the GLZ patent row as of June 30, 2023?", "$12 million"),
    ],
)
def test_sentences_are_read_for_what_they_say_and_no_more(question: str, said: str | None, index: PassageIndex) -> None:
    assert_told(index, question, said)


QUARTER = Quarter(2023, 2, 2023, 6)


def test_a_cause_is_of_what_its_sentence_or_the_one_before_is_about() -> None:
    told = [(cause.of, cause.way, cause.is_sequential) for cause in causes_said(BODY, QUARTER)]
    assert told == [
        ("Kiln revenue", "down", False),
        ("Kiln parts revenue", "down", False),
        ("Studio revenue", "up", False),
        ("Studio revenue", "down", True),
        ("Table Ware operating income", "up", False),
        ("Jar revenue", "up", False),
        ("Operating expenses", "up", False),
        ("Tray revenue", "down", False),
        ("Tile revenue", "down", False),
        ("Operating expenses", "down", False),
        ("operating loss", "down", False),
    ]
    bridged = causes_said(BODY, replace(QUARTER, year=2024, number=1))[-1]
    assert (bridged.of, bridged.way) == ("Plate Operating Income", "down")
    of_half = [(cause.of, cause.cause) for cause in causes_said(BODY, replace(QUARTER, months=6))]
    assert of_half == [("Operating expenses", "the strike"), ("Plate Operating Income", "higher cost of gas")]
    of_another = BODY.replace("2023", "2024")
    assert "Table Ware operating income" not in [cause.of for cause in causes_said(of_another, QUARTER)]


def test_a_range_is_one_amount() -> None:
    said = "The fine was $3 million. Damages could be $17 million to $30 million."
    assert [amount for amount, _ in amounts_said(said, "money", QUARTER, Date(2023, 6, 30))] == [
        "$3 million",
        "$17 million to $30 million",
    ]


def test_segments_are_points_below_a_sentence_too() -> None:
    assert [are for _, are, _ in segments_told(BODY)] == ["Kilns; Table Ware (TW)"]
    assert [
        *segments_told("We describe the following segments:\nKilns are hot, and we sell many of them to our customers.")
    ] == []


def test_the_sentences_of_a_report_are_read_once_for_each_quarter():
    said = "Cloud revenue was $5 billion during the second quarter of 2023."
    read = amounts_said(said, "money", QUARTER, Date(2023, 6, 30))
    assert read == (("$5 billion", said),)
    assert amounts_said(said, "money", QUARTER, Date(2023, 6, 30)) is read
    assert amounts_said(said, "money", replace(QUARTER, number=1), Date(2023, 3, 31)) == ()
