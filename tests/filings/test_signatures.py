"""Who signed a report, in which role, who certified it, and when."""

import pytest

from adaq_core.filings import figure_of
from adaq_core.filings.sentences import signatures, signed_part
from adaq_core.retrieval.index import PassageIndex
from tests.filings.conftest import KETTLES, NORTHWIND, assert_told, filed

SIGNED = """SIGNATURES
Pursuant to the requirements of the Securities Exchange Act of 1934, the registrant has duly caused this report to be
signed on its behalf by the undersigned.
NORTHWIND CHIPS CORPORATION
By: /s/ ANN LEE
Ann Lee
Vice President, Worldwide Controller
(Principal Accounting Officer)
Date: May 2, 2023
By: /s/ Bo Dahl
Bo Dahl
Senior Vice President,
Chief Financial Officer
12
EXHIBIT 31.1
CERTIFICATION
I, Cy Moe, certify that I have reviewed this quarterly report. I signed a lease in June 2021.
/s/ CY MOE
Cy Moe
Chief Executive Officer
May 3, 2023
"""


@pytest.fixture(scope="module")
def index() -> PassageIndex:
    return filed({f"2023 {quarter} NWC 10-Q": f"{NORTHWIND}{KETTLES}{SIGNED}" for quarter in ("Q1", "Q2")})


def test_a_signature_has_the_title_below_the_name_and_no_date() -> None:
    assert [(each.name, each.title) for each in signatures(SIGNED)] == [
        ("Ann Lee", "Vice President, Worldwide Controller (Principal Accounting Officer)"),
        ("Bo Dahl", "Senior Vice President, Chief Financial Officer"),
        ("Cy Moe", "Chief Executive Officer"),
    ]
    assert all(SIGNED[each.start :].startswith(each.quote) for each in signatures(SIGNED))


def test_a_report_is_signed_between_its_heading_and_its_exhibits() -> None:
    start, end = signed_part(SIGNED)
    assert "Ann Lee" in SIGNED[start:end]
    assert "Cy Moe" not in SIGNED[start:end]
    assert signed_part("Signatures\nof many people") == (0, 0)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (
            "Who signed Northwind's 10-Q for Q1 2023?",
            "Ann Lee, Vice President, Worldwide Controller (Principal Accounting Officer); "
            "Bo Dahl, Senior Vice President, Chief Financial Officer",
        ),
        ("Who certified Northwind's quarterly report for Q2 2023?", "Cy Moe, Chief Executive Officer"),
        ("When was Northwind's 10-Q for Q1 2023 signed?", "May 2, 2023"),
        ("When was the Northwind 10-Q for Q1 2023 signed?", "May 2, 2023"),
        (
            "Who certified the 10-Q of Northwind covering Q2 2023, and when?",
            "Cy Moe, Chief Executive Officer; May 3, 2023",
        ),
        ("Who is Northwind's chief accounting officer?", "Ann Lee"),
        ("Who is the CFO of Northwind according to its 10-Q?".replace("CFO", "chief financial officer"), "Bo Dahl"),
        ("Who signed a contract with Northwind in Q1 2023?", None),
        ("Who signed the lease of Northwind in Q1 2023?", None),
    ],
)
def test_who_signed_is_read_from_the_signatures(question: str, said: str | None, index: PassageIndex) -> None:
    assert_told(index, question, said)


AUDITED = """REPORT OF INDEPENDENT REGISTERED PUBLIC ACCOUNTING FIRM
To the Stockholders of Northwind Chips Corporation
We have reviewed the accompanying consolidated balance sheet and the related statements of income.
/s/ MOE & DAHL LLP
Oslo
April 30, 2023
"""


@pytest.fixture(scope="module")
def audited() -> PassageIndex:
    texts = {f"2023 {quarter} NWC 10-Q": f"{NORTHWIND}{KETTLES}{AUDITED}{SIGNED}" for quarter in ("Q1", "Q2")}
    return filed(texts)


@pytest.mark.parametrize(
    "question",
    [
        "Who audits Northwind?",
        "who is Northwind's auditor",
        "Which accounting firm reviewed Northwind's interim statements for Q1 2023?",
    ],
)
def test_the_auditor_is_who_signed_the_report_of_the_accounting_firm(question: str, audited: PassageIndex) -> None:
    assert_told(audited, question, "MOE & DAHL LLP")


@pytest.mark.parametrize(
    "question",
    [
        "Which accounting firm reviewed Northwind's interim statements for Q1 2019?",
        "Who signed Northwind's Q1 2019 10-Q?",
    ],
)
def test_who_signed_the_report_of_another_quarter_is_not_told(question: str, audited: PassageIndex) -> None:
    assert figure_of(question, audited) is None


def test_who_sits_on_a_committee_and_what_is_audited_is_no_auditor(audited: PassageIndex) -> None:
    for question in ("Who chairs Northwind's audit committee?", "Which tax years are audited at Northwind?"):
        assert figure_of(question, audited) is None


def test_without_such_a_report_no_signature_is_the_auditors(index: PassageIndex) -> None:
    assert figure_of("Who audits Northwind?", index) is None
