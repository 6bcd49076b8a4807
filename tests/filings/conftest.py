"""Reports as files, whose cards are read from their names and covers, and what is asked of them."""

from collections.abc import Mapping

from adaq_core.corpus.cards import carded
from adaq_core.filings import figure_of
from adaq_core.model import Document
from adaq_core.retrieval.index import PassageIndex
from adaq_core.text.passages import cut

NORTHWIND = "FORM 10-Q\nNORTHWIND CHIPS CORPORATION\n(Exact name of registrant)\n"
CONTOSO = "FORM 10-Q\nCONTOSO, INC.\n(Exact name of registrant)\n"
KETTLES = f"{'We sell kettles. ' * 150}\n"
STATEMENT = """For the quarterly period ended {day}, 2023
CONSOLIDATED STATEMENTS OF INCOME
(In millions, except per share amounts)
Three Months Ended
{day},
2023
{day},
2022
Net sales
$
{sales}
$
1,600
Cost of sales
1,000
960
{research}Operating income
{income}
300
Net income
$
{net}
$
250
Diluted earnings per share
2.20
1.37
"""


def statement(day: str, *, sales: int, income: int, net: int = 250, research: int | None = None) -> str:
    """What a report of a quarter begins with: its day and income statement, with a line for research where given."""
    line = f"Research and development\n{research}\n150\n" if research else ""
    return STATEMENT.format(day=day, sales=f"{sales:,}", income=income, net=net, research=line)


def filed(texts: Mapping[str, str]) -> PassageIndex:
    """The index of reports by the names of their files."""
    documents = [Document(f"{name}.txt", name, text) for name, text in texts.items()]
    return PassageIndex.build([part for each in carded(documents) for part in cut(each)], name="filings")


def assert_told(index: PassageIndex, question: str, text: str | None) -> None:
    """Assert that a figure says this and that the passages which it names hold its quotes; None: there is none."""
    made = figure_of(question, index)
    assert (made and made.text) == text
    if made is not None:
        assert all(operand.quote in index.passage(operand.passage_id).text for operand in made.operands)
