"""Questions for the rows of tables: read against cells and columns, worked out from all rows, or left to the search."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest
from openpyxl import Workbook

from adaq_core.corpus.library import CorpusLibrary
from adaq_core.events import AnswerWritten, CoverageAssessed, HopStarted, of_kind
from adaq_core.filings.statement_figures import Figure
from adaq_core.model import Answer, Passage, Settings
from adaq_core.question.parse import parse
from adaq_core.records import figure_in_rows
from adaq_core.records.tables import Column, day_of, number_of, tables_of
from adaq_core.retrieval.index import DocumentRetriever, PassageIndex
from adaq_core.runs.execute import RunSpec, execute

TICKETS = """Ticket,Customer,Product,Summary,Priority,Status,Opened,Closed,Owner,Hours
T-1,Blue Fjord,Portal,Login fails after a reset of the password,high,open,2026-01-10,,Ida Berg,3
T-2,Halden Mills,Portal,The export of a page is empty,low,closed,2026-01-12,2026-02-08,Jon Falk,5
T-3,Blue Fjord,Sensor S2,The reading drifts by two degrees,high,closed,2026-02-01,2026-05-04,Ida Berg,8
T-4,Castell Labs,Sensor S2,The battery drains in two days,critical,open,2026-04-02,,Jon Falk,2
T-5,Halden Mills,Gateway,It reboots at night,critical,waiting,2026-04-20,,Ida Berg,1
T-6,Blue Fjord,Portal,The dashboard is slow on Mondays,low,open,2026-05-20,,Mara Quist,13
T-7,Halden Mills,Sensor S2,It does not pair,medium,waiting,2026-05-21,,Ida Berg,1
"""
PENGUINS = """species,island,body_mass_g,sex
Adelie,Dream,3700,MALE
Adelie,Dream,3700,MALE
Adelie,Biscoe,3400,FEMALE
Gentoo,Biscoe,5000,MALE
Gentoo,Biscoe,4600,FEMALE
"""
SALES = """City,Region,Year,Sales,Fee
Ystad,north,2019,10,5 EUR
Malmo,south,2020,20,6 USD
Ystad,south,2021,40,7 EUR
Total,,,70,
"""
HERDS = """,country,year,popTotal,lifeExp,wheels,carb
1,Norway,2007,4627926,80.2,4,1
2,Norway,1997,4405672,NA,4,2
3,Chad,2007,10238807,50.7,2,2
"""
WIDE = "\n".join(
    ["land,seat," + ",".join(f"name {n}" for n in range(60)) + ",acres"]
    + [f"{land},{seat}," + ",".join(f"{land} as it is called in {n}" for n in range(60)) + f",{acres}"
       for land, seat, acres in (("Aland", "Avik", 1580), ("Bland", "Bvik", 910))]
)  # fmt: skip
CAPITALS = """lon,lat,state,city
-72.5,44.2,Vermont,Montpelier
-119.7,39.1,Nevada,Carson City
"""
PLANS = """# Plans

Our plans, as of May 2026, are below.

| Plan | Price per month | Support |
|---|---|---|
| Basic | 9 EUR | mail |
| Team | 29 EUR | mail, phone |
| Firm | 99 EUR | phone |

Prices exclude VAT.
"""
FAULTS = """fault,started,ended,keeper,source
F-1,2024-03-12T09:14,2024-03-12T10:50,Ann Lee,an expired certificate
F-2,2024-06-03T02:10,2024-06-06T11:02,Bo Reid,a full disk
F-3,2024-09-10T14:20,,Bo Reid,
"""
REVIEW = """Review of the second quarter

Ida Berg, Jon Falk and Mara Quist met on 3 July 2026. A credit of 5 % is offered to Blue Fjord.
"""


def accounts() -> bytes:
    book = Workbook()
    book.remove(book.worksheets[0])
    invoices = book.create_sheet("Invoices")
    invoices.append(["Invoice", "Customer", "Net amount (EUR)", "VAT (EUR)", "Paid"])
    for number in range(40):  # more than one passage holds
        name = ("Blue Fjord", "Halden Mills", "Castell Labs", "Meridian Foods")[number % 4]
        invoices.append([f"INV-{300 + number}", name, 1000 + number, 190, "no" if number % 10 == 3 else "yes"])
    customers = book.create_sheet("Customers")
    customers.append(["Customer", "Country", "Contract until", "Account manager", "Annual value (EUR)"])
    customers.append(["Blue Fjord", "Norway", "2026-09-30", "Mara Quist", 27400])
    customers.append(["Halden Mills", "Germany", "2026-12-31", "Jon Falk", 36500])
    customers.append(["Castell Labs", "Spain", "2027-01-31", "Jon Falk", 61000])
    customers.append(["Orrin & Sons", "Norway", "2028-06-30", "Ida Berg", 12000])
    arrests = book.create_sheet("Arrests")
    arrests.append(["", "Assaults", "Thefts"])
    for name, assaults, thefts in (("Ohio", 120, 7), ("Texas", 201, 12), ("Utah", 80, 3)):
        arrests.append([name, assaults, thefts])
    held = io.BytesIO()
    book.save(held)
    return held.getvalue()


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> PassageIndex:
    files = {
        "tickets.csv": TICKETS.encode(),
        "penguins.csv": PENGUINS.encode(),
        "sales.csv": SALES.encode(),
        "herds.csv": HERDS.encode(),
        "wide.csv": WIDE.encode(),
        "state-capitals.csv": CAPITALS.encode(),
        "plans.md": PLANS.encode(),
        "review.txt": REVIEW.encode(),
        "faults.csv": FAULTS.encode(),
        "accounts.xlsx": accounts(),
    }
    library = CorpusLibrary(Path(tmp_path_factory.mktemp("rows")))
    library.add("office", uploads=list(files.items()))
    return library.open("office")


def told(corpus: PassageIndex, question: str, most: int = 5) -> Figure | None:
    return figure_in_rows(parse(question), corpus, most=most)


def answered(corpus: PassageIndex, question: str, method: str = "adaptive", *, k_auto: bool = False) -> Answer:
    events = list(execute(RunSpec(method, question, Settings(k_auto=k_auto)), retriever=DocumentRetriever(corpus)))
    return next(of_kind(events, AnswerWritten)).answer


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How many tickets are open?", "3"),
        ("How many tickets are not closed?", "5"),
        ("What was the population of Chad in 2007?", "10238807"),
        ("What was the life expectancy in Norway in 2007?", "80.2"),
        ("What is the average life expectancy in Norway?", "80.2"),
        ("Which country has 2 wheels?", "Chad"),
        ("What is the capital of Vermont?", "Montpelier"),
        ("What is the largest number of thefts?", "Texas (Thefts: 12)"),
        ("How many assaults are there in Ohio?", "120"),
        ("How many Gentoos are there?", "2"),
        ("How many open tickets does Blue Fjord have?", "2"),
        ("How many customers have open tickets?", "2: Blue Fjord, Castell Labs"),
        ("How many hours were spent on the Portal?", "21"),
        ("How many tickets were opened in April 2026?", "2"),
        ("How many customers do we have?", "4"),
        ("How many unpaid invoices are there?", "4"),
        ("Number of tickets by status", "open: 3; closed: 2; waiting: 2"),
        ("Total hours per owner", "Ida Berg: 13; Mara Quist: 13; Jon Falk: 7"),
        ("How many tickets does each customer have?", "Blue Fjord: 3; Halden Mills: 3; Castell Labs: 1"),
        ("What share of tickets is closed?", "29 % (2 of 7)"),
        ("How many hours did each ticket of Jon Falk take?", "T-2: 5; T-4: 2"),
        ("What is the average number of hours per ticket?", "4.71"),
        ("What is the total annual value of the customers in Norway?", "39,400 EUR"),
        ("Which tickets are critical and still open?", "T-4"),
        ("Which high priority tickets are closed?", "T-3"),
        ("How many tickets are open or waiting?", "5"),
        ("Which customers are in Germany and Spain?", "Halden Mills, Castell Labs"),
        ("Which plans have mail and phone support?", "Team"),
        ("Which tickets belong to Ida Berg?", "T-1, T-3, T-5, T-7"),
        ("Which tickets did Blue Fjord open for the Portal?", "T-1, T-6"),
        ("Which tickets were closed in May 2026?", "T-3"),
        ("Which tickets were opened before 1 February 2026?", "T-1, T-2"),
        ("Which tickets were opened between 1 February and 30 April 2026?", "T-3, T-4, T-5"),
        ("How many tickets were opened from February 2026 to April 2026?", "3"),
        ("Which tickets took more than 5 hours?", "T-3, T-6"),
        ("Which tickets took at least 5 hours?", "T-2, T-3, T-6"),
        ("Which tickets took less than 2 hours?", "T-5, T-7"),
        ("Which customers are not in Norway?", "Halden Mills, Castell Labs"),
        ("Which contracts end in 2026?", "Blue Fjord, Halden Mills"),
        ("List all plans and their support", "Basic: mail; Team: mail, phone; Firm: phone"),
        ("Who owns ticket T-5?", "Ida Berg"),
        ("What is the status of T-5?", "waiting"),
        ("When was T-3 closed?", "2026-05-04"),
        ("When does the contract of Castell Labs end?", "2027-01-31"),
        ("Who is the account manager of Castell Labs?", "Jon Falk"),
        ("What is the VAT of INV-310?", "190 EUR"),
        ("How much is the Team plan?", "29 EUR"),
        ("What does the Firm plan cost?", "99 EUR"),
        ("Which plans have phone support?", "Team, Firm"),
        ("Which customer has the most tickets?", "Blue Fjord and Halden Mills (3 each)"),
        ("Which product has the fewest tickets?", "Gateway (1)"),
        ("Which account manager has the highest annual value?", "Jon Falk (97,500 EUR)"),
        ("Which customer has the highest annual value?", "Castell Labs (Annual value: 61000 EUR)"),
        ("Which contract runs out first?", "Blue Fjord (Contract until: 2026-09-30)"),
        ("Which ticket was opened last?", "T-7 (Opened: 2026-05-21)"),
        ("What is the most common status?", "open (3)"),
        ("How many Adelie penguins are there?", "3"),  # two rows say the same
        ("What is the average body mass of Gentoo penguins?", "4,800"),
        ("Which species has the highest average body mass?", "Gentoo (4,800)"),
        ("Which species has the highest total body mass?", "Adelie (10,800)"),
        ("What are the total sales?", "70"),  # the row of the total is none
        ("What are the sales of Ystad?", "row 2: 10; row 4: 40"),
        ("Is INV-303 paid?", "No (Paid: no)"),
        ("Is T-2 closed?", "Yes (Status: closed)"),
        ("Does Castell Labs have open tickets?", "Yes (1)"),
        ("How much VAT did Halden Mills pay for INV-300?", "None: INV-300 has Customer: Blue Fjord"),
    ],
)  # fmt: skip
def test_what_rows_say_is_worked_out(corpus: PassageIndex, question: str, text: str) -> None:
    figure = told(corpus, question)
    assert figure is not None
    assert figure.text == text


@pytest.mark.parametrize(
    "question",
    [
        "What credit is offered to Blue Fjord?",  # told in words: "credit" is no word of a table
        "Why are there so many tickets for the Portal?",  # rows are no reason
        "How do I open a ticket?",
        "How many cars have 4 wheels?",  # no herds, and no carb
        "Which tickets mention firmware?",
        "Which customer paid the most?",  # the most of what
        "Who closed the most tickets?",
        "What are the tickets about?",
        "What happened to Blue Fjord?",
        "Which are the largest hours?",
        "What are the total fees?",  # of two currencies
        "What is the average year?",
        "How many tickets were closed in each month?",
        "How many plans are there?",  # a table in a text may show some
        "Who is Ida Berg?",
        "When was T-1 closed?",  # it was not
    ],
)
def test_what_a_table_does_not_explain_is_left_to_the_search(corpus: PassageIndex, question: str) -> None:
    assert told(corpus, question) is None


def test_every_row_is_counted_and_those_that_fit_are_cited(corpus: PassageIndex) -> None:
    figure = told(corpus, "How many invoices are paid?", most=1)
    assert figure is not None
    assert figure.text == "36"
    assert re.match(r"36 of the 40 rows of “Invoices” where Paid: yes: INV-300, .* and 24 more", figure.derivation)
    assert len({operand.passage_id for operand in figure.operands}) == 1
    assert f"the first {len(figure.operands)} are cited" in figure.derivation


def test_the_sum_of_all_rows_is_that_of_a_hand(corpus: PassageIndex) -> None:
    figure = told(corpus, "What is the total net amount of the invoices for Blue Fjord?")
    assert figure is not None
    assert figure.text == f"{sum(1000 + number for number in range(0, 40, 4)):,} EUR"
    assert figure.derivation.startswith("“Net amount (EUR)” in 10 of the 40 rows of “Invoices” where ")


def test_a_row_at_the_border_of_passages_is_one_row(corpus: PassageIndex) -> None:
    invoices = next(table for table in tables_of(corpus) if table.name == "Invoices")
    assert [row.cells["Invoice"] for row in invoices.rows] == [f"INV-{300 + number}" for number in range(40)]
    assert len({row.passage.passage_id for row in invoices.rows}) > 1


def test_an_answer_from_rows_says_how_it_came_about_and_cites_them(corpus: PassageIndex) -> None:
    answer = answered(corpus, "Which tickets are not closed?")
    assert answer.short is not None
    assert answer.short.text == "T-1, T-4, T-5, T-6, T-7"
    assert answer.short.derivation == "5 of the 7 rows of “tickets” where Status: not closed"
    assert len(answer.citations) == 5
    assert answer.status == "answered"
    assert all("Ticket: " in statement.text for statement in answer.statements)


def test_rows_take_one_hop(corpus: PassageIndex) -> None:
    spec = RunSpec("adaptive", "How many tickets are open?", Settings())
    assert len([*of_kind(execute(spec, retriever=DocumentRetriever(corpus)), HopStarted)]) == 1


def test_where_the_size_of_the_evidence_is_left_to_the_question_every_row_of_a_list_is_cited(
    corpus: PassageIndex,
) -> None:
    question = "Which tickets were opened in 2026?"
    assert len(answered(corpus, question).citations) == 5
    assert len(answered(corpus, question, k_auto=True).citations) == 7


def test_what_rows_add_up_to_cites_no_more_of_them_than_any_answer(corpus: PassageIndex) -> None:
    answer = answered(corpus, "Total hours per owner", k_auto=True)
    assert len(answer.citations) == 5
    assert answer.short is not None
    assert answer.short.kind == "list"


def test_a_method_that_did_not_find_the_rows_tells_no_figure_of_theirs(corpus: PassageIndex) -> None:
    answer = answered(corpus, "What is the average number of hours per ticket?", "bm25")
    assert answer.short is None or answer.short.text != "4.71"


def test_rows_other_than_those_that_answer_cover_nothing(corpus: PassageIndex) -> None:
    for question in ("Which ticket has the most hours?", "What is the total of hours of Ida Berg?"):
        spec = RunSpec("bm25", question, Settings(k=2))
        events = list(execute(spec, retriever=DocumentRetriever(corpus)))
        assert next(of_kind(events, AnswerWritten)).answer.status == "not_covered"
        assert [*of_kind(events, CoverageAssessed)][-1].newly_covered == ()


STAFF = """<html><body><table><tr><th>Name</th><th>Department</th><th>Office</th></tr>
<tr><td>Ella Brandt</td><td>Sales</td><td>Ystad</td></tr>
<tr><td>Murat Aydin</td><td>Finance</td><td>Ystad</td></tr>
<tr><td>Kofi A. Mensah</td><td>Finance</td><td>Malmo</td></tr></table></body></html>"""
MACHINES = [
    {"id": f"M-{n}", "unit_price": 10 * n, "stock": n % 3, "place": {"town": town, "aisle": n}, "leased": n > 2}
    for n, town in enumerate(("Oslo", "Bergen", "Oslo", "Oslo"), start=1)
]


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> PassageIndex:
    folder = tmp_path_factory.mktemp("records")
    (folder / "staff.html").write_text(STAFF)
    (folder / "machines_export.json").write_text(json.dumps({"exported": "2026-05-01", "machines": MACHINES}))
    (folder / "incidents.jsonl").write_text("\n".join(map(json.dumps, INCIDENTS)))
    library = CorpusLibrary(tmp_path_factory.mktemp("home"))
    library.add("records", paths=[folder])
    return library.open("records")


INCIDENTS = [
    {"id": n, "severity": severity, "summary": "it broke"} for n, severity in enumerate(("low", "high", "low"))
]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Which machines are in Oslo?", "M-1, M-3, M-4"),  # a field of an object in the record
        ("What is the average unit price of the machines in Oslo?", "26.67"),
        ("Which machines are not leased?", "M-1, M-2"),
        ("Which machines are out of stock?", "M-3"),
        ("How many incidents were low?", "2"),  # they say the same, and one field has the name of a text
        ("Who in Finance works in Ystad?", "Murat Aydin"),
        ("Who works in Ystad?", "Ella Brandt, Murat Aydin"),
    ],
)
def test_records_of_json_and_pages_of_a_table_are_rows(records: PassageIndex, question: str, text: str) -> None:
    figure = told(records, question)
    assert figure is not None
    assert figure.text == text


@pytest.mark.parametrize(
    "question", ["Who in Oslo is leased?", "Who left Finance?", "Which machines are out of order?"]
)
def test_what_records_do_not_explain_is_left_to_the_search(records: PassageIndex, question: str) -> None:
    assert told(records, question) is None


@pytest.mark.parametrize(
    ("cell", "number"), [("48000", 48000), ("$1,200.50", 1200.5), ("9 EUR", 9), ("12 %", 12), ("-3", -3), ("T-1", None)]
)
def test_numbers_of_cells(cell: str, number: float | None) -> None:
    assert number_of(cell) == number


def test_days_of_cells() -> None:
    day = day_of("2026-05-04")
    assert day is not None
    assert day.key == "2026-05-04"
    assert day_of("in May 2026") is None


SHOWN = """episode,guest,barn,lake,lakes,anna_berg
S1E1,Jo Hill,1,0,1,0
S1E2,,1,1,0,1
S1E3,,0,1,0,0
"""
LONG = """State,Share of the drivers involved in collisions who had not been in any accident before (%),Premium (EUR)
Ohio,88,784.55
Utah,94,1053.48
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> PassageIndex:
    folder = tmp_path_factory.mktemp("project")
    for name, text in (("anna-lind/parts-by-episode.csv", SHOWN), ("roads/worst-drivers.csv", LONG)):
        (folder / name).parent.mkdir()
        (folder / name).write_text(text)
    library = CorpusLibrary(tmp_path_factory.mktemp("home"))
    library.add("project", paths=[folder])
    return library.open("project")


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How many Anna Lind episodes have a barn?", "2"),  # of the folder, and no anna_berg
        ("How many episodes have a lake?", "2"),  # and not lakes
        ("Which episodes have a barn and a lake?", "S1E2"),
        ("Which episodes have no barn?", "S1E3"),
        ("Which episodes don't have lakes?", "S1E2, S1E3"),
        ("Which drivers have a barn?", None),
        ("What is the premium in Utah?", "1053.48 EUR"),
        ("Which of the roads have a barn?", None),  # another folder's
    ],
)
def test_columns_of_0_and_1_and_names_of_files_are_asked_for(
    project: PassageIndex, question: str, text: str | None
) -> None:
    figure = told(project, question)
    assert (figure and figure.text) == text


BILLS = """Bill;Client;Net GBP;Due;Paid on
26-01;Arden plc;100.00;14.02.2026;12.02.2026
26-02;Arden plc;250.00;15.03.2026;
26-03;Bell Hotels;40.00;05.04.2026;
"""


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Which bills are unpaid?", "26-02, 26-03"),
        ("Which bills of Arden are not paid yet?", "26-02"),
        ("Total net of the unpaid bills?", "290"),
        ("When was bill 26-01 paid?", "12.02.2026"),
        ("Which bills are due before March 2026?", "26-01"),
    ],
)
def test_what_has_no_day_on_which_it_was_done_is_not_done(tmp_path: Path, question: str, text: str) -> None:
    library = CorpusLibrary(tmp_path)
    library.add("bills", uploads=[("bills.csv", BILLS.encode())])
    figure = told(library.open("bills"), question)
    assert figure is not None
    assert figure.text == text


def note(title: str, **properties: str) -> bytes:
    head = "\n".join(f"{name}: {value}" for name, value in {"title": title, **properties}.items())
    return f"---\n{head}\n---\n\n{title} is one of the things that the pilot plant works on.\n".encode()


def test_a_document_is_quoted_by_a_line_that_says_something_and_dated_by_when_it_was_announced(tmp_path: Path) -> None:
    head = "title: Kiln {0}\nannounced: March {0}, 2025\nimpact: low"
    text = "---\n" + head + "\n---\n\n## Description\n\nThe door of kiln {0} does not close.\n"
    library = CorpusLibrary(tmp_path)
    library.add("kilns", uploads=[(f"k-{n}.md", text.format(n).encode()) for n in (1, 2)])
    figure = told(library.open("kilns"), "Which advisories were published on 2 March 2025?")
    assert figure is not None
    assert figure.text == "Kiln 2"
    assert figure.operands[0].quote == "The door of kiln 2 does not close."


def decision(number: int, title: str, author: str, status: str) -> bytes:
    head = f"ADR: {number}\nTitle: {title}\nAuthor: {author}\nStatus: {status}\nCreated: 2026-03-0{number}\n"
    return f"{head}\nContext\n=======\n\nThe plant sends its readings every second, and some get lost.\n".encode()


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> PassageIndex:
    files = {
        "apollo.md": note("Apollo", status="active", owner="Ida Berg", author="Jon Falk"),
        "zephyr.md": note("Zephyr", status="done", owner="Mara Quist", author="Jon Falk"),
        "atlas.md": note("Atlas", status="active", owner="Mara Quist", author="Ida Berg"),
        "adr-0007.rst": decision(7, "Queues between plants", "Mara Quist <m@quist.example>, Jon Falk", "Accepted"),
        "adr-0008.rst": decision(8, "One clock", "Ida Berg", "Rejected"),
    }
    library = CorpusLibrary(Path(tmp_path_factory.mktemp("papers")))
    library.add("papers", uploads=list(files.items()))
    return library.open("papers")


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Which notes are active?", "Apollo, Atlas"),
        ("Which bulletins are active?", "Apollo, Atlas"),
        ("What is the status of Zephyr?", "done"),
        ("Who owns Apollo?", "Ida Berg"),
        ("Is Zephyr done?", "Yes (status: done)"),
        ("How many documents were written by Jon Falk?", "3"),
        ("Which notes did Ida Berg write?", "ADR 8: One clock, Atlas"),
        ("Who wrote ADR 7?", "Mara Quist, Jon Falk"),
        ("Who is the author of One clock?", "Ida Berg"),
        ("When was ADR 8 created?", "2026-03-08"),
        ("Which ADRs were rejected?", "ADR 8: One clock"),
    ],
)
def test_documents_with_properties_are_rows_of_a_table(papers: PassageIndex, question: str, text: str) -> None:
    figure = told(papers, question)
    assert figure is not None
    assert figure.text == text
    answer = answered(papers, question)
    assert answer.short is not None
    assert answer.short.text == text


@pytest.mark.parametrize(
    "question",
    [
        "Who wrote Apollo?",  # the note, or what it is about?
        "When was Apollo released?",
        "Was ADR 8 accepted?",  # its status now does not say so of before
        "Who wrote ADR 9?",
        "Why was ADR 8 rejected?",
        "What does Apollo cost?",
        "What did ADR 7 propose?",
        "What is Jon Falk doing about Atlas?",  # names neither documents nor a property of theirs
    ],
)
def test_properties_of_a_document_are_not_taken_for_what_it_is_about(papers: PassageIndex, question: str) -> None:
    assert told(papers, question) is None


def test_documents_of_one_title_are_told_by_it(tmp_path: Path) -> None:
    library = CorpusLibrary(tmp_path)
    drafts = [(f"{each}.md", note("Plan: roof", status=each) + each.encode()) for each in ("open", "done", "late")]
    library.add("plans", uploads=[*drafts, ("b.md", note("Budget", status="done"))])
    figure = told(library.open("plans"), "Which notes are done?")
    assert figure is not None
    assert sorted(figure.text.split(", ")) == ["Budget", "Plan: roof"]


def test_documents_with_properties_are_counted_as_all_only_where_all_have_some(
    papers: PassageIndex, tmp_path: Path
) -> None:
    assert told(papers, "How many documents are there?").text == "5"
    library = CorpusLibrary(tmp_path)
    library.add(
        "some", uploads=[("a.md", note("A", status="open")), ("b.md", note("B", status="open")), ("c.txt", b"C.")]
    )
    assert told(library.open("some"), "How many documents are there?") is None


def test_a_property_that_no_text_tells_is_said_to_be_one(papers: PassageIndex) -> None:
    said = told(papers, "What is the status of Zephyr?"), told(papers, "What is the status of ADR 8?")
    assert [figure and "in the properties, not in the text" in figure.derivation for figure in said] == [True, False]


def test_a_property_is_cited_by_the_line_that_tells_it(papers: PassageIndex) -> None:
    answer = answered(papers, "Who wrote ADR 8?")
    assert [citation.quote for citation in answer.citations] == ["Author: Ida Berg"]


def test_a_row_that_one_passage_does_not_hold_is_quoted_where_it_tells_what_is_asked(corpus):
    figure = told(corpus, "How many acres has Bland?")
    assert figure is not None
    (operand,) = figure.operands
    assert (figure.text, operand.quote) == ("910", "acres: 910")
    assert operand.passage_id != "wide.csv:row 3#0"


LEADERS = """leader_id,leader,party,start
ann-lee,Ann Lee,Democratic,1990
bo-ek,Bo Ek,Whig,1994
cy-oak,Cy Oak,Democratic,1998
di-moss,Di Moss,Democratic,2002
"""


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How many leaders were Democrats?", "3"),
        ("Which leaders belonged to the Whig party?", "Bo Ek"),
    ],
)
def test_rows_go_by_names_and_not_by_keys_and_a_cell_by_a_word_of_its_stem(
    tmp_path: Path, question: str, text: str
) -> None:
    library = CorpusLibrary(tmp_path)
    library.add("leaders", uploads=[("leaders.csv", LEADERS.encode())])
    figure = told(library.open("leaders"), question)
    assert figure is not None
    assert figure.text == text


@pytest.fixture(scope="module")
def cakes(tmp_path_factory: pytest.TempPathFactory) -> PassageIndex:
    files = {
        "a.md": note(
            "Grandmother's plum cake", author="Ida Berg", kind="Recipe", category="Desserts", calories="310 kcal"
        ),
        "b.md": note(
            "Onion soup with bread", author="Jon Falk", kind="Recipe", category="Main, Lunch", calories="200 kcal"
        ),
        "c.md": note("Pear cake", author="Mara Quist", kind="Recipe", category="Snack, Dessert", calories="290 kcal"),
        "d.md": note("Plum trees", author="Bo Ek", kind="Article", category="Garden", calories=""),
    }
    library = CorpusLibrary(Path(tmp_path_factory.mktemp("cakes")))
    library.add("cakes", uploads=list(files.items()))
    return library.open("cakes")


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who wrote the onion soup recipe?", "Jon Falk"),
        ("Who wrote the pear recipe?", "Mara Quist"),
        ("How many calories are in the plum cake?", "310 kcal"),
        ("Which recipes are desserts?", "Grandmother's plum cake, Pear cake"),
    ],
)
def test_a_document_is_named_by_half_of_its_title_where_a_property_is_asked_for(
    cakes: PassageIndex, question: str, text: str
) -> None:
    figure = told(cakes, question)
    assert figure is not None
    assert figure.text == text


@pytest.mark.parametrize(
    "question",
    [
        "How many calories are in the cake?",  # of two
        "How many calories are in bread?",  # a word of a title alone
        "How many calories are in the apple cake?",
        "Who wrote the plum recipe of the garden?",
        "Which recipes use snacks?",  # what they are called is not what they use
    ],
)
def test_what_names_no_document_or_several_is_left_to_the_search(cakes: PassageIndex, question: str) -> None:
    assert told(cakes, question) is None


def country(name: str, capital: str, people: str, age: str, coast: str, note: str, dual: str = "yes") -> bytes:
    return f"""{name}

Introduction

{name} lies in the north, and most of its people live in the valleys, where the winters are mild and the soil is deep.

Country name

short form: {name}

Capital

name: {capital}

etymology: {capital} is an old word for a ford

Population

total: {people} (2025 est.)

male: 12

Median age

total: {age} years (2025 est.)

male: 30 years

Coastline: {coast} km

Dual citizenship recognized: {dual}

Religions: Moon 81.2%, Sun 8.2%

Major towns: {capital}

Note: {note}
""".encode()


@pytest.fixture(scope="module")
def countries(tmp_path_factory: pytest.TempPathFactory) -> PassageIndex:
    far = "a long way from the sea, with valleys that are as fertile as any, and winters that are long"
    files = {
        "norland.txt": country("Norland", "Avik", "892,877", "31.2", "120", "low; sandy", "no"),
        "osten.txt": country("Osten", "Brod", "45,300", "40.5", "0", "landlocked; hilly"),
        "suden.txt": country("Suden", "Carn", "7,100", "28.0", "0", "landlocked; flat", "no, but it is tolerated"),
        "westen.txt": country("Westen", "Dorn", "99,000", "35.0", "0", f"the largest landlocked country, {far}"),
        "ister.txt": country("Ister", "Elm", "50,000", "33.0", "26", f"almost landlocked, {far}"),
    } | {
        f"land{n}.txt": country(f"Land{n}", f"Town{n}", f"{n}00", f"2{n}.5", f"{n}", "low; sandy") for n in range(1, 7)
    }
    library = CorpusLibrary(Path(tmp_path_factory.mktemp("countries")))
    library.add("countries", uploads=list(files.items()))
    return library.open("countries")


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What is the capital of Osten?", "Brod"),
        ("capital of Norland", "Avik"),
        ("How many people live in Norland?", "892,877"),
        ("What is the median age in Osten?", "40.5 years"),
        ("Which country has the highest median age?", "Osten (Median age – total: 40.5 years)"),
        ("Does Norland or Osten have the longer coastline?", "Norland (Coastline: 120 km; Osten: 0 km)"),
        ("Compare the median age of Norland and Osten", "Norland: 31.2 years; Osten: 40.5 years"),
        ("Which countries are landlocked?", "Osten, Suden, Westen"),
        ("Is Westen landlocked?", "Yes (Note: landlocked)"),
        ("Does Osten recognise dual citizenship?", "Yes (Dual citizenship recognized: yes)"),
        ("What are the major religions of Suden?", "Moon 81.2%, Sun 8.2%"),
    ],
)
def test_documents_that_are_filled_in_like_forms_are_rows(countries: PassageIndex, question: str, text: str) -> None:
    figure = told(countries, question)
    assert figure is not None
    assert figure.text == text


@pytest.mark.parametrize(
    "question",
    [
        "What is the capital of Finland?",
        "What does the name Brod mean?",
        "Is Ister landlocked?",  # its long note does not deny it
        "Why is the capital of Osten called Brod?",
        "Which countries have a king?",
    ],
)
def test_what_no_form_fills_in_is_left_to_the_search(countries: PassageIndex, question: str) -> None:
    assert told(countries, question) is None


def test_a_form_is_cited_where_it_tells_what_is_asked(countries: PassageIndex) -> None:
    figure = told(countries, "What is the capital of Osten?")
    assert figure is not None
    assert [operand.quote for operand in figure.operands] == ["Capital – name: Brod"]


def module(name: str, width: str, depth: str, maker: str) -> bytes:
    prose = " ".join(f"Knob {n} of {name} turns the tone of voice {n} down." for n in range(60))
    table = f"Width: {width}\n\nDepth: {depth}\n\n+12V current: 80 mA\n\n-12V current: 20 mA\n\nMaker: {maker}"
    return f"# {name}\n\n{prose}\n\n## Key data\n\n{table}\n\n## Manual\n\n{prose}\n".encode()


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What is the width of Alder?", "14 HP"),
        ("How wide is Alder?", "14 HP"),
        ("How deep is Birch?", "30 mm"),
        ("What is the +12V current of Cedar?", "80 mA"),
    ],
)
def test_a_block_of_labels_in_long_texts_makes_rows_of_them(tmp_path: Path, question: str, text: str) -> None:
    files = {
        "alder.md": module("Alder", "14 HP", "25 mm", "Berg"),
        "birch.md": module("Birch", "8 HP", "30 mm", "Falk"),
        "cedar.md": module("Cedar", "4 HP", "25 mm", "Reyes"),
    }
    library = CorpusLibrary(tmp_path)
    library.add("modules", uploads=list(files.items()))
    figure = told(library.open("modules"), question)
    assert figure is not None
    assert figure.text == text


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Which fault took longest?", "F-2 (3 days 8 h 52 min; started 2024-06-03T02:10, ended 2024-06-06T11:02)"),
        ("Which fault took the shortest?", "F-1 (1 h 36 min; started 2024-03-12T09:14, ended 2024-03-12T10:50)"),
        ("What are the source and the keeper of F-2?", "keeper: Bo Reid; source: a full disk"),
    ],
)
def test_a_time_between_two_columns_and_several_cells_of_a_row_are_told(corpus, question, text):
    figure = told(corpus, question)
    assert figure is not None
    assert figure.text == text


TARIFF_2025 = (
    "Category;Island single;Island return\nAdult;18,50;33,00\nCar up to 5 m;42,00;79,00\nMotorcycle;19,00;35,00\n"
)
TARIFF_2026 = (
    "Category;Island single;Island return\nAdult;19,50;35,00\nCar up to 5 m;46,00;86,00\nMotorcycle;19,00;35,00\n"
)
RISKS_MARCH = """ID;Risk;Probability (%);Impact (kEUR);Status
R-1;Data incomplete;60;120,0;open
R-2;Analyst leaves;30;80,0;open
R-3;Supplier insolvent;5;900,0;open
"""
RISKS_MAY = """ID;Risk;Probability (%);Impact (kEUR);Status
R-1;Data incomplete;70;120,0;open
R-2;Analyst leaves;30;80,0;closed
R-3;Supplier insolvent;5;900,0;open
R-4;Scanners not delivered;45;35,5;open
"""
MATCHES = """Date;Home;Away;Spectators
14.09.2024;Solberg;Lindmark;2.094
28.09.2024;Tarnby;Solberg;858
12.10.2024;Solberg;Tarnby;1.700
"""
HALLS = """[{"hall": "North Hall", "opened": 1987, "floor": "parquet"},
 {"hall": "Quay Hall", "opened": 1976, "floor": "parquet"},
 {"hall": "Station Arena", "opened": 2011, "floor": "synthetic"}]"""
HOSTS = """environments:
  test: {database: {version: "15.10"}, backup: daily}
  production: {database: {version: "15.4"}, backup: hourly}
maintenance_window: Sunday 02:00-05:00
"""


def season() -> bytes:
    book = Workbook()
    sheet = book.worksheets[0]
    sheet.title = "Squad"
    rows = [
        ["No.", "Name", "Height (cm)", "Goals", None],
        [None, None, None, "field", "7 m"],
        [1, "Ida Krogh", 181, 3, 0],
        [9, "Tove Ahl", 183, 47, 2],
        [11, "Nora Feld", 178, 29, 31],
    ]
    for row in rows:
        sheet.append(row)
    for merged in ("A1:A2", "B1:B2", "C1:C2", "D1:E1"):
        sheet.merge_cells(merged)
    fees = book.create_sheet("Transfers")
    for row in (
        ["Player", "From", "To", "Fee (EUR)"],
        ["Hanna Roth", "Vikenes", "Ravnsholt", 4500],
        ["Tove Ahl", "Havnstad", "Solberg", 12000],
        ["Ane Solli", "Solberg", "Eskeby", "free"],
    ):
        fees.append(row)
    plan = book.create_sheet("Milestones")
    plan.append(["ID", "Milestone", "Baseline", "Forecast", "Effort (days)"])
    plan.append(["M1", "Requirements frozen", "2026-01-30", "2026-02-13", 12])
    plan.append(["M2", "Go-live St. Anne", "2026-09-21", "2026-10-05", 30])
    held = io.BytesIO()
    book.save(held)
    return held.getvalue()


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> PassageIndex:
    files = {
        "tariff_2025.csv": TARIFF_2025.encode(),
        "tariff_2026.csv": TARIFF_2026.encode(),
        "risk_register_2026-03.csv": RISKS_MARCH.encode(),
        "risk_register_2026-05.csv": RISKS_MAY.encode(),
        "matches.csv": MATCHES.encode(),
        "halls.json": HALLS.encode(),
        "hosts.yaml": HOSTS.encode(),
        "season.xlsx": season(),
    }
    library = CorpusLibrary(Path(tmp_path_factory.mktemp("mixed")))
    library.add("club", uploads=list(files.items()))
    return library.open("club")


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How much is a return ticket for a car to the island in 2026?", "86,00"),  # of a version, by its year
        ("How much is a return ticket for a car to the island in 2025?", "79,00"),
        ("How much dearer has a single for a car become?", "4 (tariff 2025: 42,00, tariff 2026: 46,00)"),
        ("Which prices did not change from 2025 to 2026?", "Motorcycle"),
        ("Which risk has the highest impact in the register of May?", "Supplier insolvent (900 kEUR)"),
        ("How many risks are open in the March register?", "3: Data incomplete, Analyst leaves, Supplier insolvent"),
        (
            "What changed in the risk register between March and May?",
            "R-1: Probability (%) 60 → 70; R-2: Status open → closed; new: R-4 Scanners not delivered",
        ),
        ("How many spectators had Solberg in total?", "4,652"),  # "2.094" beside "858", at home or away
        ("Which hall is the oldest?", "Quay Hall (opened: 1976)"),
        ("Which hall is the newest?", "Station Arena (opened: 2011)"),
        ("Which version of the database runs in production?", "15.4"),
        ("Who is the tallest player of the squad?", "Tove Ahl (Height: 183 cm)"),
        ("How much did Solberg pay for Tove Ahl?", "12000 EUR"),
        ("How much was paid in transfer fees together?", "16,500 EUR"),  # one is free
        ("How many more field goals than Nora Feld has Tove Ahl?", "18 (Tove Ahl: 47, Nora Feld: 29)"),
        ("By how many days is the go-live at St. Anne late?", "14 days (Baseline: 2026-09-21, Forecast: 2026-10-05)"),
        ("How many days do the milestones take together?", "42 days"),
    ],
)
def test_tables_of_a_mixed_folder_answer(mixed: PassageIndex, question: str, text: str) -> None:
    figure = told(mixed, question)
    assert figure is not None
    assert figure.text == text


@pytest.mark.parametrize(
    "question",
    [
        "Who is the tallest player in the transfers?",  # no column says how tall
        "How much dearer has a single for a bus become?",
        "What changed in the halls?",  # of which there is one version
        "Which hall is the heaviest?",
    ],
)
def test_what_no_version_and_no_column_says_is_left_to_the_search(mixed: PassageIndex, question: str) -> None:
    assert told(mixed, question) is None


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (("1.204", "858"), [1204, 858]),
        (("1.204", "0.858"), [1.204, 0.858]),
        (("18,50", "1.204,00"), [18.5, 1204]),
        (("1,204", "858"), [1204, 858]),
        (("12 1)", "7*"), [12, 7]),
        (("free", "4.50"), [0, 4.5]),
    ],
)
def test_figures_of_a_column_are_read_as_all_are_written(cells: tuple[str, ...], numbers: list[float]) -> None:
    column = Column("Price", cells)
    assert [column.number(cell) for cell in cells] == numbers


ORDERS = """OrderID,EmployeeID,OrderDate,RequiredDate,ShippedDate,Country,Freight
101,4,1997-01-05 00:00:00.000,1997-01-08,1997-01-09,Norway,12.5
102,4,1997-02-11 00:00:00.000,1997-02-20,1997-02-14,Chile,30
103,2,1997-04-20 00:00:00.000,1997-04-30,,Norway,8
104,4,1998-01-02 00:00:00.000,1998-01-09,1998-01-05,Chile,40
105,3,1998-02-02 00:00:00.000,1998-02-03,1998-02-05,Kenya,2
"""
PEOPLE = """Name,Role,Start date,Manager
Ann Lee*,Director,3 May 2016,
Tom Hill,Head of shops,14 Sept 2009,Ann Lee
Eva Roth,Clerk,9 December 2024,Tom Hill
Ida Brand,Clerk,1 June 2020,Tom Hill
"""
MONTHS = """Month,Adults,Income,Rain days
January,2140,"£21,480",17
February,2380,"£24,960",14
March,2950,"£31,300",13
April,4310,"£47,950",11
"""
CLERKS = """EmployeeID,LastName,ReportsTo,City
2,Aas,4.0,Oslo
3,Lund,4.0,Bergen
4,Berg,,Oslo
"""
GRANTS = """Funder,Amount (£),Awarded,Ends
Heritage Fund,"£75,000",12/03/2025,31/12/2026
City Council,"£18,500",01/04/2025,31/03/2026
Rowan Trust,"£6,200",15/01/2024,14/01/2025
"""
BUDGET = """Department,First half Budget,First half Actual,Second half Budget,Second half Actual
Collections,48000,45250,52000,57900
Education,31000,33400,35000,34100
Buildings,64000,61800,70000,88350
"""
STOCK = """SKU;Item;In stock;Unit price;Weight;Last ordered
P-1;Tide table;1,240 pcs;£4.50;120 g;2025-08-12
P-2;Brass compass;58 pcs;£38.00;140 g;2025-05-05
P-3;Canvas bag;0 pcs;£12.50;180 g;2024-11-14
Prices include VAT and are set each spring.;;;;;
"""
REPAIRS = """{"id": "R-1", "opened": "2025-01-14", "resolved": "2025-01-15", "grade": "high", "assignee": "Kofi Mensah"}
{"id": "R-2", "opened": "2025-02-03", "resolved": "2025-02-05", "grade": "low", "assignee": "Tom Bradley"}
{"id": "R-3", "opened": "2025-04-02", "grade": "high", "assignee": "Kofi Mensah"}
"""
FLEET = """carrier,faults_85_99,faults_00_14
Aldair*,3,1
Borealis,0,0
Cirrus,0,2
"""
POSTS = """post,zone,windspeed,bought
Ash,2,7,2019-05-12
Birch,2,4,2020-01-02
Cedar,3,9,2022-02-21
"""
PORTS = """port,country,zone,fare,total
Callao,Peru,1,75,30
Paita,Peru,2,60,20
Ilo,Peru,2,55,25
Suva,Fiji,3,40,10
"""
MODELS = """# Models

| name | size | accuracy |
|---|---|---|
| A-1 | 20 | 82.1 |
| A-2 | 30 | 83.1 |

## Larger ones

| name | size | accuracy | note |
|---|---|---|---|
| B-1 | 70 | 85.1 | slow |
| B-2 | 90 | 86.0 | slow |

| host | GPU | memory (GB) |
|---|---|---|
| oak | A100 | 80 |
| elm | none | 16 |

<table><thead><tr><th></th><th>backbone</th><th>speed</th></tr></thead><tbody>
<tr><th>0</th><td>R50</td><td>31</td></tr><tr><th>1</th><td>R101</td><td>33</td></tr></tbody></table>
"""


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> PassageIndex:
    files = {
        "orders.csv": ORDERS,
        "staff.csv": PEOPLE,
        "clerks.csv": CLERKS,
        "visitors.csv": MONTHS,
        "grants.csv": GRANTS,
        "stock.csv": STOCK,
        "budget.csv": BUDGET,
        "repairs.jsonl": REPAIRS,
        "fleet.csv": FLEET,
        "posts.csv": POSTS,
        "ports.csv": PORTS,
        "models.md": MODELS,
    }
    library = CorpusLibrary(Path(tmp_path_factory.mktemp("desk")))
    library.add("desk", uploads=[(name, text.encode()) for name, text in files.items()])
    return library.open("desk")


@pytest.mark.parametrize(
    ("question", "text"),
    [
        # A key is no number to be added up: it names a row, of its own table or of another.
        ("Which clerk took order 105?", "Lund"),
        ("How many orders did Berg take?", "3"),
        ("Who does Lund report to?", "Berg"),
        ("Which employee took the most orders?", "Berg (3)"),
        ("When was order 102 shipped?", "1997-02-14"),
        ("How many orders were placed in 1997?", "3"),
        ("Which orders have not been shipped yet?", "103"),
        ("Which two countries received the most freight?", "Chile: 70; Norway: 20.5"),
        ("Which order had the second highest freight?", "102: 30"),
        ("How many orders went to Kenya?", "1"),
        ("Which orders were shipped late?", "101, 105"),
        ("How long did order 102 take to be shipped?", "3 days (OrderDate: 1997-02-11, ShippedDate: 1997-02-14)"),
        ("Which orders have no shipped date?", "103"),
        # A manager's name is that of a row too.
        ("When did Tom Hill start?", "14 Sept 2009"),
        ("Who reports to Tom Hill?", "Eva Roth, Ida Brand"),
        ("Who is not managed by Tom Hill?", "Tom Hill"),
        ("Who has been with us the longest?", "Tom Hill (Start date: 14 Sept 2009)"),
        ("Who is the newest member of staff?", "Eva Roth (Start date: 9 December 2024)"),
        # Months have an order.
        ("What was the total income up to March?", "£77,740"),
        ("What was the total income from February to April?", "£104,210"),
        ("How much did income rise from January to April?", "£26,470 (January: £21,480, April: £47,950)"),
        ("Which months had more than 13 rain days?", "January, February"),
        # 31/12 says how 12/03 is meant.
        ("Which grants were awarded before April 2025?", "Heritage Fund, Rowan Trust"),
        ("What is the total of all grants?", "£99,700"),
        ("Which departments overspent in the second half?", "Collections, Buildings"),
        ("Which departments stayed within budget in the second half?", "Education"),
        (
            "By how much did Buildings exceed its budget in the second half?",
            "18,350 (Second half Budget: 70000, Second half Actual: 88350)",
        ),
        ("How much did Education spend in the first half?", "33400"),
        # A remark below is no row.
        ("How many items are there?", "3"),
        ("How many brass compasses are in stock?", "58 pcs"),
        ("Is the brass compass heavier than the canvas bag?", "No (Brass compass: 140 g, Canvas bag: 180 g)"),
        ("Which item is the most expensive?", "Brass compass (Unit price: £38.00)"),
        ("Which repairs are still open?", "R-3"),
        ("Who handled the most repairs?", "Kofi Mensah (2)"),
        ("Were there any repairs in March?", "No (opened, nearest: R-2: 2025-02-03, R-3: 2025-04-02)"),
        ("How many repairs were opened in January?", "1"),
        ("Did Borealis have any faults?", "No (faults_85_99: 0, faults_00_14: 0)"),
        ("Which carriers had no faults at all?", "Borealis"),
        ("Which carrier had the most faults between 1985 and 1999?", "Aldair* (faults_85_99: 3)"),
        ("How many faults did Aldair have from 2000 to 2014?", "1"),
        ("How many faults did Aldair have?", "faults_85_99: 3; faults_00_14: 1"),
        ("What is the total freight per employee?", "Berg: 82.5; Aas: 8; Lund: 2"),
        ("Which zone has the most posts?", "2 (2)"),
        ("Which post has the highest wind speed?", "Cedar (windspeed: 9)"),
        ("Is post Ash older than post Cedar?", "Yes (Ash: 2019-05-12, Cedar: 2022-02-21)"),
        ("How much better is B-2 than B-1?", "0.9 (B-1: 85.1, B-2: 86.0)"),
        ("Which host has no GPU?", "elm"),
        ("Which zone has the lowest total?", "3 (10)"),
        ("Which country has the cheapest fare?", "Fiji (fare: 40)"),
        ("Which country has the most ports?", "Peru (3)"),
        ("Did any port have a fare above 90?", "No (fare, nearest: Callao: 75)"),
        ("What is the accuracy of B-1?", "85.1"),
        ("What is the speed of R101?", "33"),
    ],
)
def test_tables_of_an_office_answer(desk: PassageIndex, question: str, text: str) -> None:
    figure = told(desk, question)
    assert figure is not None
    assert figure.text == text


@pytest.mark.parametrize(
    "question",
    [
        "Which departments overspent?",  # in which half
        "Which orders did not go to Norway or Chile and cost more?",
        "Which repair was the longest?",  # no column says how long, though the grants have one of numbers
        "Were there any repairs in 2023?",  # before all rows
        "How many orders were there before Norway?",
        "Which three orders had the highest weight?",
    ],
)
def test_what_the_rows_of_an_office_cannot_tell_is_left(desk: PassageIndex, question: str) -> None:
    assert told(desk, question) is None


def test_a_name_from_another_table_is_cited_there(desk: PassageIndex) -> None:
    figure = told(desk, "Which employee took the most orders?")
    assert figure is not None
    assert figure.derivation.startswith("3 of the 5 rows of “orders” (“Employee” from “clerks”)")
    assert [operand.quote.partition(";")[0] for operand in figure.operands] == [
        "OrderID: 101",
        "OrderID: 102",
        "OrderID: 104",
        "EmployeeID: 4",
    ]


ACTIONS = """Action items

No. | Action | Owner | Due | Status
No. 1; Action Send the offer to the landlord; Owner Lukas Brandt; Due 7 March 2025; Status done
No. 2; Action Sign with Nordwall Removals; Owner Amara Osei; Due 14 March 2025; Status open
No. 3; Action Count the desks on floor 2; Owner Tom Whitfield; Due 11 March 2025; Status open
No. 4; Action Ask the fire officer about the stairs; Owner Helen Croft; Due 21 March 2025; Status open
"""


def test_a_row_that_is_called_by_a_text_is_nobody() -> None:
    minutes = Passage(
        "minutes-2025-03-04.docx#0",
        "minutes-2025-03-04.docx",
        "Minutes of the Harbour project meeting, 4 March 2025",
        ACTIONS,
    )
    corpus = PassageIndex.build((minutes,), name="m")
    assert "Worked out" not in answered(corpus, "Who took the minutes on 4 March?").text


LIMITS = """# Delegation of authority

| Level | Expense approval | Contract signing |
|---|---|---|
| Board | Unlimited | >$10M |
| Finance head | <$1M | <$5M |
| Director | <$100K | <$250K |

| Trip type | Approval required |
|---|---|
| Domestic, under $1,000 | Manager |
| Domestic, $1,000-$5,000 | Manager + Director |
| Domestic, over $5,000 | Manager + Head |
| Day trip | No |

| Years of service | Days of leave |
|---|---|
| 0-2 years | 15 days |
| 3-5 years | 20 days |
| 6+ years | 25 days |

| Category | Limit per person |
|---|---|
| Team lunch | $40/person |
| Client dinner | $100/person |
"""
RULES = """# Gifts and expenses

Employees may accept gifts of small value (under $75) from a supplier.

Hotels: Up to $200/night for domestic trips, up to $300/night for international trips.

All business expenses must be:

- Reasonable and necessary
- Pre-approved by your manager for amounts exceeding $100

Software subscriptions over $25 a month require approval by the IT head.

## Notice of leave

- 1-2 days: one week in advance
- 3-5 days: two weeks in advance
- More than 5 days: four weeks in advance
"""


@pytest.fixture(scope="module")
def policies(tmp_path_factory: pytest.TempPathFactory) -> PassageIndex:
    library = CorpusLibrary(Path(tmp_path_factory.mktemp("policies")))
    library.add("policies", uploads=[("limits.md", LIMITS.encode()), ("gifts.md", RULES.encode())])
    return library.open("policies")


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who approves a domestic trip that costs 3,000 dollars?", "Manager + Director"),
        ("Who has to approve a domestic trip of $6,000?", "Manager + Head"),
        ("How many days of leave do I get after 4 years?", "20 days"),
        ("How many days of leave does an employee with 11 years of service get?", "25 days"),
        ("Who may sign a contract for 2 million dollars?", "Finance head"),
        ("Can a director approve an expense of 150,000 dollars?", "No (Expense approval: <$100K)"),
        ("Can the finance head approve an expense of 150,000 dollars?", "Yes (Expense approval: <$1M)"),
        ("Can the board approve an expense of 20 million dollars?", "Yes (Expense approval: Unlimited)"),
        ("May I spend 120 dollars per person on a client dinner?", "No (Limit per person: $100/person)"),
        ("Do I need approval for a domestic trip of 800 dollars?", "Yes (Approval required: Manager)"),
        ("Do I need approval for a day trip?", "No (Approval required: No)"),
        ("Is the limit of the director 150,000 dollars?", None),
        ("Can a director approve an expense?", None),
        ("Can I accept a gift of 100 dollars?", "No"),
        ("Can I accept a gift of 50 dollars?", "Yes"),
        ("May I book a hotel for 250 dollars a night on a domestic trip?", "No"),
        ("May I book a hotel for 250 dollars a night on an international trip?", "Yes"),
        ("Do I need my manager's approval for an expense of 80 dollars?", "No"),
        ("Do I need my manager's approval for an expense of 180 dollars?", "Yes"),
        ("Does a software subscription of 40 dollars need approval?", "Yes"),
        ("How much notice of leave do I have to give for 2 days?", "one week in advance"),
        ("How much notice do I need for 6 days of leave?", "four weeks in advance"),
        ("Can I accept a bonsai for 100 dollars?", None),
        ("Can I still accept the $50 gift?", None),  # which names it, and asks for no limit
        ("What share of the gifts gets a 5?", None),
        ("How much notice do I need for 6 months of leave?", None),
        ("Does a battery of 80 dollars last?", None),
    ],
)
def test_an_amount_is_read_against_ranges_and_limits(policies: PassageIndex, question: str, text: str | None) -> None:
    figure = told(policies, question)
    assert (figure.text if figure else None) == text


def test_a_limit_that_a_rule_states_is_quoted_with_the_step(policies: PassageIndex) -> None:
    figure = told(policies, "Can I accept a gift of 100 dollars?")
    assert figure is not None
    (operand,) = figure.operands
    assert operand.quote.startswith("Employees may accept gifts")
    assert figure.derivation.endswith("which does not hold 100 dollars")
