"""A folder of twenty PDF reports, asked as an analyst asks."""

from dataclasses import replace

import pytest

from adaq_core.corpus.library import CorpusLibrary
from adaq_core.filings import figure_of
from adaq_core.filings.compared import figures_of
from adaq_core.filings.conditions import conditions_of
from adaq_core.filings.formula import line_items
from adaq_core.filings.register import register_of
from adaq_core.filings.search import search_of
from adaq_core.retrieval.index import PassageIndex
from tests.reports import write


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> PassageIndex:
    folder = tmp_path_factory.mktemp("reports")
    write(folder)
    library = CorpusLibrary(tmp_path_factory.mktemp("home"))
    library.add("reports", paths=[folder])
    return library.open("reports")


@pytest.mark.parametrize(
    ("question", "figure"),
    [
        ("What was Northwind's revenue in 2022?", "$1,200 million ($1.2 billion)"),
        ("What is the gross margin of Contoso Foods in FY2023?", "40.0%"),
        ("What was Tailspin Airways' revenue growth from 2020 to 2023?", "7.5%"),
        ("What is Northwind's 3 year revenue CAGR from 2020 to 2023?", "9.1%"),
        ("How much did Fabrikam spend on R&D in 2022?", None),
        ("What was Initech's revenue in 2022?", None),
    ],
)
def test_figures_of_reports(question: str, figure: str | None, index: PassageIndex) -> None:
    made = figure_of(question, index)
    assert (made.text if made else None) == figure


@pytest.mark.parametrize(
    ("question", "passage"),
    [
        ("How many people did Fabrikam employ at the end of 2021?", "Fabrikam Steel Annual Report 2021.pdf#1"),
        ("What export controls does Northwind face?", "Northwind Chips Annual Report 2023.pdf#1"),
        ("What did Fabrikam say of the carbon levy in its latest report?", "Fabrikam Steel Annual Report 2023.pdf#1"),
    ],
)  # fmt: skip
def test_the_right_page_of_the_right_report_comes_first(question: str, passage: str, index: PassageIndex) -> None:
    search = search_of(question, index)
    assert search is not None
    assert index.passages[search.results()[0].place].passage_id == passage


def test_a_figure_under_a_companys_own_name_says_that_name(index: PassageIndex) -> None:
    register = register_of(index)
    assert register is not None
    question = "Chip takings of Northwind in 2022"
    conditions = conditions_of(question, register)
    assert conditions is not None
    register.profile = replace(line_items(), own_names=(("Northwind", (("chip takings",), "Revenue")),))
    ((name, figure),) = figures_of(question, [("Northwind", "Chip takings of Northwind")], conditions, register)
    assert figure is not None
    assert (name, figure.text) == ("Northwind (Revenue)", "$1,200 million ($1.2 billion)")
