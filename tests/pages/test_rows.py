"""An answer that was worked out from all rows of a table: what pages and exports say of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adaq_core.corpus.library import CorpusLibrary
from adaq_core.events import Record
from adaq_core.export.dossier import dossier, file_of, plain_answer
from adaq_core.export.verdict import rows_counted
from adaq_core.model import Passage, Settings
from adaq_core.retrieval.index import DocumentRetriever, PassageIndex
from adaq_core.runs.execute import RunSpec, execute
from adaq_core.trace import RunView, view
from pages._shared.compare.cards import conclusion
from pages._shared.components.answer.view import short_value, source_values, support_line
from pages._shared.run.comparison import Column
from pages._shared.run.verdict import verdict
from tests.pages.built_runs import records, running

TICKETS = """Ticket,Title,Priority,Status,Owner,Hours
T-1,Login fails after a reset,high,open,Ida Berg,3
T-2,The export is empty,low,closed,Jon Falk,5
T-3,The reading drifts,high,closed,Ida Berg,8
T-4,The battery drains,critical,open,Jon Falk,2
T-5,It reboots at night,critical,waiting,Ida Berg,1
T-6,The dashboard is slow,low,open,Mara Quist,13
"""


@pytest.fixture(scope="module")
def tickets(tmp_path_factory: pytest.TempPathFactory) -> PassageIndex:
    """A corpus of one CSV file."""
    library = CorpusLibrary(tmp_path_factory.mktemp("firm"))
    library.add("firm", uploads=[("tickets.csv", TICKETS.encode())])
    return library.open("firm")


def run_of(tickets: PassageIndex, question: str, method: str = "adaptive") -> RunView:
    happened = execute(RunSpec(method, question, Settings(k=3)), retriever=DocumentRetriever(tickets))
    return view([Record(n, "2026-01-01T00:00:00Z", n / 10, event) for n, event in enumerate(happened, 1)])


def test_how_sure_an_answer_from_all_rows_is_does_not_speak_of_the_few_passages_quoted(tickets: PassageIndex) -> None:
    run = run_of(tickets, "Total hours by owner")
    assert rows_counted(run) == "All 6 rows of “tickets”"
    assert run.answer is not None
    assert run.answer.short is not None
    assert run.answer.short.derivation.startswith("“Hours” in all 6 rows of “tickets”")
    said = verdict(run)
    assert said.sure == (
        "All 6 rows of “tickets” were looked through, not only those quoted. What the table lacks is not counted."
    )
    assert not any("estimate" in line for line in said.details)


def test_the_rows_quoted_are_no_sentences(tickets: PassageIndex) -> None:
    words = support_line(run_of(tickets, "Which tickets are critical?"))
    assert words == "Every row quoted here cites its passage. Click a number to see the words quoted."


def test_figures_by_a_column_stand_below_each_other(tickets: PassageIndex) -> None:
    by_owner = short_value(run_of(tickets, "Total hours by owner"))
    assert by_owner
    assert sorted(by_owner["parts"]) == [("Ida Berg", "12"), ("Jon Falk", "7"), ("Mara Quist", "13")]
    for question in ("Which tickets are critical?", "How many tickets are open?"):
        told = short_value(run_of(tickets, question))
        assert told
        assert told["parts"] == []


def test_a_comparison_says_who_covers_more_and_where_all_cover_as_much_who_states_an_answer(
    tickets: PassageIndex,
) -> None:
    question = "Total hours by owner"
    columns = [Column(name, name, run_of(tickets, question, name), "finished") for name in ("adaptive", "bm25")]
    assert conclusion(columns).startswith("ADAQ covers 1 of 1 aspect: 1 more than BM25")
    other = run_of(tickets, question)
    assert other.answer is not None
    other.answer = replace(other.answer, short=None)
    told = conclusion([columns[0], Column("bm25", "bm25", other, "finished")])
    assert told.startswith("Both methods cover the only aspect")
    assert told.endswith("Only ADAQ states a short answer.")


def test_a_source_names_its_file_and_its_row(tickets: PassageIndex) -> None:
    run = run_of(tickets, "Which tickets are critical?")
    assert [value["origin"] for value in source_values(run)] == ["tickets.csv, row 5", "tickets.csv, row 6"]
    assert ", tickets.csv, row 5" in dossier("r-1", run)


def test_an_answer_is_pasted_as_plain_text_with_its_sources(tickets: PassageIndex) -> None:
    assert plain_answer(run_of(tickets, "Which tickets are critical?")).splitlines() == [
        "Which tickets are critical?",
        "",
        "T-4, T-5 [1] [2]",
        "Worked out from 2 of the 6 rows of “tickets” where Priority: critical.",
        "",
        "- Ticket: T-4; Title: The battery drains; Priority: critical; Status: open; Owner: Jon Falk; Hours: 2 [1]",
        "- Ticket: T-5; Title: It reboots at night; Priority: critical; Status: waiting; Owner: Ida Berg; Hours: 1 [2]",
        "",
        "Sources:",
        "[1] The battery drains, tickets.csv, row 5",
        "[2] It reboots at night, tickets.csv, row 6",
    ]
    assert plain_answer(view(records(running()))) == ""


def test_a_file_that_the_title_names_and_a_document_of_no_file_are_not_named() -> None:
    for name, told in (
        ("in/Plan.txt", ""),
        ("in/plan.md", "in/plan.md"),
        ("12", ""),
        ("Plan.csv:row 2", "Plan.csv, row 2"),
        ("a.eml:b.pdf", "a.eml, b.pdf"),
    ):
        assert file_of(Passage(f"{name}#0", name, "Plan", "It ends.")) == told
    assert file_of(Passage("t.csv:row 2#0", "t.csv:row 2", "t, row 2", "It ends.")) == ""
