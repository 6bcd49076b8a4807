import pytest

from adaq_core.model import Passage
from adaq_core.question.reading import read_question
from adaq_core.retrieval.index import PassageIndex


def news(number, source, date, text):
    return Passage(f"{number}#0", str(number), f"Report {number}", text, source=source, date=date)


@pytest.fixture(scope="module")
def reports():
    return PassageIndex.build(
        [
            news(1, "TechCrunch", "2023-10-06", "Wang and Ellison admitted guilt in the FTX collapse."),
            news(2, "The Verge", "2023-10-07", "The trial of the exchange founder began with a jury."),
            news(3, "Fortune", "2023-10-08", "The Federal Reserve held interest rates."),
        ],
        name="reports",
    )


def filing(number, ticker, period, text):
    key = f"{ticker}{period}{number}"
    metadata = (("page", str(number)), ("period", period), ("ticker", ticker))
    return Passage(f"{key}#0", key, f"{period} {ticker} 10-Q, page {number}", text, metadata=metadata)


@pytest.fixture(scope="module")
def filings():
    return PassageIndex.build(
        [
            filing(n, ticker, period, f"{name} reports revenue and costs of the quarter.")
            for ticker, name in (("AAPL", "Apple"), ("MSFT", "Microsoft"), ("INTC", "Intel"))
            for period in ("2022 Q3", "2023 Q1")
            for n in range(4)
        ],
        name="filings",
    )


def test_a_word_of_every_document_is_no_alias_of_the_value_that_most_of_them_have():
    states = ["Final"] * 7 + ["Draft"] * 3
    proposals = PassageIndex.build(
        [
            Passage(f"{n}#0", str(n), f"PEP {n}: Change {n}", "This PEP changes a rule.", metadata=(("status", state),))
            for n, state in enumerate(states)
        ],
        name="proposals",
    )
    assert demanded(proposals, read_question(proposals, "What did PEP 8 propose?")) == []
    assert demanded(proposals, read_question(proposals, "Which PEP is a Draft?")) == ["Draft"]


def demanded(index, reading):
    return [index.facets.values[facet][code] for facet, code in reading.demands]


def test_each_clause_has_its_own_source(reports):
    question = (
        "Does the TechCrunch article say that Ellison admitted guilt in the FTX collapse, while The Verge article "
        "reports on the jury trial of the exchange founder?"
    )
    reading = read_question(reports, question)
    sources = [[reports.facets.values[f][c] for f, c in clause.demands] for clause in reading.clauses]
    assert sources == [["TechCrunch"], ["The Verge"]]


def test_two_reports_of_one_clause_keep_their_days(reports):
    reading = read_question(
        reports,
        "Did the report by TechCrunch on October 6, 2023 contradict the report by The Verge on October 7, 2023?",
    )
    pairs = [clause.pairs for clause in reading.clauses]
    codes = {value: code for code, value in enumerate(reports.facets.values["source"])}
    assert pairs == [((codes["TechCrunch"], 20231006),), ((codes["The Verge"], 20231007),)]


def test_a_company_is_known_by_the_word_that_only_its_pages_use(filings):
    reading = read_question(filings, "What was Apple's revenue in the first quarter of 2023?")
    assert sorted(demanded(filings, reading)) == ["2023 Q1", "AAPL"]


def test_the_latest_period_is_the_last_one(filings):
    assert demanded(filings, read_question(filings, "What costs are in Intel's latest report?")) == ["INTC", "2023 Q1"]


def test_homonyms_are_told_apart_by_their_parenthesis():
    index = PassageIndex.build(
        [
            Passage("1#0", "1", "Steel (1979 film)", "Steel is a film."),
            Passage("2#0", "2", "Steel (album)", "Steel is an album."),
            Passage("3#0", "3", "Iron", "Iron is a metal."),
        ],
        name="steel",
    )
    found = {link.document: link.sureness for link in read_question(index, "Who directed the film Steel?").links}
    assert found == pytest.approx({0: 1.0, 1: 0.3})
