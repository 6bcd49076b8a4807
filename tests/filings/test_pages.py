"""Which page of a filing holds a statement, and which passage of a page answers."""

from __future__ import annotations

import pytest

from adaq_core.corpus.cards import carded
from adaq_core.filings.formula import line_items
from adaq_core.filings.pages import WEIGHTS, Page, pages_of, score_of, statement_pages, with_many_numbers
from adaq_core.filings.register import Filing, register_of
from adaq_core.filings.search import search_of
from adaq_core.model import Document, Passage
from adaq_core.retrieval.index import PassageIndex
from adaq_core.text.passages import cut
from tests.filings.conftest import CONTOSO, NORTHWIND, filed

INCOME = """CONSOLIDATED STATEMENTS OF INCOME
{also}
(In millions)
Net revenue 2,000 1,600 1,500
Cost of revenue 1,000 960 900
{earnings} income 500 300 280
Income before income taxes 480 290 270
Provision for income taxes 80 40 30
Net income 400 250 240
Diluted 2.20 1.37 1.30
"""
OF_2023 = Filing(0, 0, "10-K", "FY2023", 2023, None, None, (0,))


def score(also: str = "", *, earnings: str = "Operating", name: str = "income statement") -> float:
    """How much a page with a line more below its heading looks like a statement."""
    page = Page(OF_2023, 0, (0,), INCOME.format(also=also, earnings=earnings))
    return score_of(page, line_items().statements[name])


def unlike(line: str) -> str:
    """A line of as many words that say nothing."""
    return " ".join("unaudited" for _ in line.split())


@pytest.mark.parametrize(
    ("also", "earnings", "lost"),
    [
        ("Schedule I: Parent Company Only", "Operating", WEIGHTS.parent_only),
        ("Note on segments", "Operating", WEIGHTS.note),
        ("Index to the statements", "Operating", WEIGHTS.index),
        ("and of comprehensive income", "Operating", 0.0),
    ],
)
def test_a_head_that_speaks_of_something_else_counts_against_a_page(also: str, earnings: str, lost: float) -> None:
    assert score(also, earnings=earnings) == pytest.approx(score(unlike(also), earnings=earnings) - lost)


def test_comprehensive_income_without_earnings_is_no_income_statement() -> None:
    also = "and of comprehensive income"
    bare = score(unlike(also), earnings="Other")
    assert score(also, earnings="Other") == pytest.approx(bare - WEIGHTS.comprehensive)


def test_a_page_with_few_numbers_among_its_terms_is_no_statement_whatever_its_text_says() -> None:
    passages: list[Passage] = []
    for name, cover in (("NWC", NORTHWIND), ("CTS", CONTOSO)):
        income = INCOME.format(also="of the kiln business", earnings="Operating")
        prose = f"We sell {name} kettles in 12 towns. " * 3
        pages = (0, len(cover), len(cover) + len(income))
        document = Document(f"2023 Q2 {name} 10-Q.pdf", name, f"{cover}{income}{prose}", pages=pages)
        passages += [part for each in carded([document]) for part in cut(each)]
    register = register_of(PassageIndex.build(passages, name="filings"))
    assert register is not None
    for filing in register.filings:
        every = pages_of(filing, register, ())
        likely = with_many_numbers(every, filing, register)
        assert [page.text.split("\n")[0] for page in likely] == ["CONSOLIDATED STATEMENTS OF INCOME"]
        assert statement_pages(likely, register.profile) == statement_pages(every, register.profile) != []


def test_of_the_passages_of_a_page_the_one_with_the_words_of_the_question_comes_first() -> None:
    kettles = "Kettles are made of steel in three plants. " * 40
    strike = f"A strike closed the plant in Linz for two weeks. {'Talks go on with the council. ' * 40}"
    passages: list[Passage] = []
    for name, cover in (("NWC", NORTHWIND), ("CTS", CONTOSO)):
        pages = (0, len(cover))
        document = Document(f"2023 Q2 {name} 10-Q.pdf", name, f"{cover}{kettles}\n\n{strike}", pages=pages)
        passages += [part for each in carded([document]) for part in cut(each)]
    assert sum(dict(each.metadata).get("page") == "2" for each in passages) > 2
    index = PassageIndex.build(passages, name="filings")
    search = search_of("Which plant of Northwind was closed by a strike?", index)
    assert search is not None
    first, second, *_ = (index.passages[each.place].text for each in search.results())
    assert "strike" in first
    assert "strike" not in second


def test_of_a_page_the_passage_that_counts_what_is_counted_comes_first() -> None:
    staff = "Our employees matter to us, and at least 50% of the employees work in a shop for employees. " * 12
    count = f"At the end of 2023 we had 2,880 employees in the world. {'Kettles are made of steel here. ' * 30}"
    passages: list[Passage] = []
    for name, cover in (("NWC", NORTHWIND), ("CTS", CONTOSO)):
        document = Document(f"2023 Q2 {name} 10-Q.pdf", name, f"{cover}{staff}\n\n{count}", pages=(0, len(cover)))
        passages += [part for each in carded([document]) for part in cut(each)]
    index = PassageIndex.build(passages, name="filings")
    search = search_of("How many employees does Northwind have?", index)
    assert search is not None
    assert "2,880" in index.passages[search.results()[0].place].text


def test_a_list_of_what_statements_look_forward_to_comes_last() -> None:
    ahead = "These forward-looking statements are on:\n" + "• plans for our kiln business, and future kilns;\n" * 9
    kilns = f"We build two plants to grow the kiln business in Linz. {'Kettles are made of steel. ' * 30}"
    texts = {
        f"2023 Q2 {name} 10-Q": f"{cover}{ahead}\n\n{kilns}" for name, cover in (("NWC", NORTHWIND), ("CTS", CONTOSO))
    }
    index = filed(texts)
    for question, told in (
        ("What are the plans of Northwind for its kiln business?", "Linz"),
        ("Which forward-looking statements on plans for the kiln business does Northwind list?", "forward-looking"),
    ):
        search = search_of(question, index)
        assert search is not None
        assert told in index.passages[search.results()[0].place].text


def test_what_reports_repeat_but_for_its_figures_comes_once_and_in_the_newest() -> None:
    plant = (
        "Our kilns are built in one plant in Linz, where {count} people worked at the end of the {quarter} quarter. "
    )
    gas = "The kilns burn gas, which a supplier in Graz brings by rail. " * 12
    filler = "\n\n" + "Kettles are made of steel in three plants elsewhere. " * 24 + "\n\n"
    texts = {
        f"2023 Q{n} NWC 10-Q": NORTHWIND + filler + plant.format(count=f"{n}10", quarter=quarter) * 9
        for n, quarter in ((1, "first"), (2, "second"), (3, "third"))
    }
    texts["2023 Q1 NWC 10-Q"] += filler + gas
    index = filed(texts | {"2023 Q3 CTS 10-Q": CONTOSO + filler})
    search = search_of("What does Northwind say about its kilns?", index)
    assert search is not None
    told = [index.passages[each.place].text for each in search.results()][:2]
    assert "310 people" in told[0]
    assert "Graz" in told[1]
    several = search_of("How many people worked at Northwind's plant in Linz in Q1 2023 and Q3 2023?", index)
    assert several is not None
    first, second = (index.passages[each.place].text for each in several.results()[:2])
    assert "310 people" in first
    assert "110 people" in second
