import pytest

from adaq_core.corpus.cards import carded, cards_of
from adaq_core.model import Document

COVER = """UNITED STATES
SECURITIES AND EXCHANGE COMMISSION
Washington, D.C. 20549
FORM 10-Q
(Mark One)
QUARTERLY REPORT PURSUANT TO SECTION 13 OR 15(d) OF THE SECURITIES EXCHANGE ACT OF 1934
For the quarterly period ended October 29, 2023
Commission file number: 0-23985
NORTHWIND CHIPS CORPORATION
(Exact name of registrant as specified in its charter)
Title of each class Trading Symbol(s) Name of each exchange on which registered
Common Stock NWC The Nasdaq Global Select Market
"""


def fields(document_id: str, text: str, **given: object) -> dict[str, str]:
    document = Document(document_id, document_id, text, **given)  # type: ignore[arg-type]
    return {field.name: field.value for field in cards_of([document])[document_id]}


def test_a_filing_says_whose_it_is_and_of_which_period() -> None:
    text = COVER + "nine months ended. " * 3
    assert fields("report.txt", text) == {
        "issuer": "NORTHWIND CHIPS CORPORATION",
        "ticker": "NWC",
        "form": "10-Q",
        "period_end": "2023-10-29",
        "period": "2024 Q3",
        "fiscal_year": "2024",
        "fiscal_quarter": "3",
    }


def test_the_fiscal_year_of_a_quarter_follows_from_the_months_that_are_left() -> None:
    ends_in_january = COVER.replace("October 29, 2023", "July 30, 2023") + "six months ended. " * 3
    assert fields("report.txt", ends_in_january)["period"] == "2024 Q2"


def test_the_label_in_the_file_name_overrules_what_the_text_says_of_the_period() -> None:
    text = COVER + "nine months ended. " * 3
    card = fields("2024 Q1 NWC 10-Q.txt", text)
    assert (card["period"], card["period_end"], card["issuer_in_name"]) == ("2024 Q1", "2023-10-29", "NWC")


def test_metadata_overrules_the_card_and_a_person_overrules_both() -> None:
    document = Document("a.txt", "a", COVER, metadata=(("ticker", "OWN"), ("author", "Ann")))
    card = {field.name: field for field in cards_of([document], {"a.txt": {"issuer": "Northwind"}})["a.txt"]}
    assert (card["ticker"].value, card["ticker"].origin) == ("OWN", "metadata")
    assert (card["issuer"].value, card["issuer"].origin) == ("Northwind", "you")
    assert dict(carded([document])[0].metadata)["author"] == "Ann"


def test_a_field_says_where_it_was_read() -> None:
    card = {field.name: field.origin for field in cards_of([Document("a.txt", "a", COVER)])["a.txt"]}
    assert card["issuer"] == "the line before “(Exact name of registrant”"
    assert card["period_end"].startswith("“For the quarterly period ended October 29, 2023")


def test_the_pages_of_a_work_share_its_card() -> None:
    pages = [Document(f"p{n}", f"NORTHWIND 2018 10K, page {n}", "text" if n > 1 else "cover") for n in (1, 2, 3)]
    cards = cards_of(pages)
    assert cards["p1"] == cards["p3"]
    assert {field.name: field.value for field in cards["p3"]}["period"] == "FY2018"


def test_a_text_that_is_no_filing_has_no_card() -> None:
    assert fields("notes.txt", "Northwind Corporation filed its Form 10-K in March. The company grew.") == {}


def test_an_annual_report_in_a_folder_of_reports_has_a_card() -> None:
    card = fields("Acme_Annual_Report_2023.pdf", "Acme Industries plc\nAnnual Report 2023\nAcme Industries plc and its")
    assert (card["form"], card["period"], card["issuer_in_name"]) == ("annual report", "FY2023", "Acme")


REPORT = """Northmoor Water Authority
Annual report 2024
Perth, Scotland
Letter from the chief executive
Northmoor Water Authority repaired 14,300 leaks.
Northmoor Water Authority | Annual report 2024 | 2
"""


@pytest.mark.parametrize(
    ("name", "named"),
    [("NWA_AR_2023-24_final_v2.pdf", "NWA"), ("northmoor.pdf", "northmoor"), ("report (3).pdf", ""), ("Neu.pdf", "")],
)
def test_a_report_is_of_the_name_above_its_title_whatever_its_file_is_called(name: str, named: str) -> None:
    card = fields(name, REPORT)
    assert (card["issuer"], card["form"]) == ("Northmoor Water Authority", "annual report")
    assert card.get("issuer_in_name", "") == named


@pytest.mark.parametrize(
    ("name", "period"), [("NWA annual report 2023-24.pdf", "FY2024"), ("NWA annual report 2023-11.pdf", "FY2023")]
)
def test_two_years_in_a_file_name_are_the_year_that_ends_in_the_second(name: str, period: str) -> None:
    assert fields(name, REPORT)["period"] == period


def test_an_ampersand_is_part_of_a_name() -> None:
    text = "Annual report 2023\nMarlowe & Tate Brewing plc makes beer. " + "Marlowe & Tate Brewing plc grew. " * 3
    assert fields("annual report.pdf", text)["issuer"] == "Marlowe & Tate Brewing plc"
