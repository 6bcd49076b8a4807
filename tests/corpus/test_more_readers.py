"""Spreadsheets, slides, books, mail, and what readers say of pages, sections and tables."""

from __future__ import annotations

import io
import zipfile
from email.message import EmailMessage

import pytest

from adaq_core.corpus.readers import read, with_whole_lines
from adaq_core.corpus.readers.pdf import _is_detached
from adaq_core.corpus.readers.records import text_of_table, with_named_rows
from adaq_core.errors import FileReadError
from adaq_core.model import Document
from adaq_core.text.passages import cut, sentence_texts


def one(key: str, data: bytes) -> Document:
    (document,) = read(key, data).documents
    return document


def sheet(rows: list[list[object]], *, more: dict[str, list[list[object]]] | None = None) -> bytes:
    from openpyxl import Workbook

    book = Workbook()
    first = book.active
    assert first is not None
    for row in rows:
        first.append(row)
    for name, others in (more or {}).items():
        other = book.create_sheet(name)
        for row in others:
            other.append(row)
    data = io.BytesIO()
    book.save(data)
    return data.getvalue()


def packed(files: dict[str, str]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return data.getvalue()


def test_a_row_of_a_spreadsheet_names_its_columns():
    data = sheet([["Region", "2023", "2022"], ["Europe", 1200, 1100.5], ["Asia", None, 900]])
    assert one("sales.xlsx", data).text == "Region | 2023 | 2022\nEurope: 2023 1200; 2022 1100.5\nAsia: 2022 900"


def test_a_spreadsheet_has_its_header_below_its_title_and_a_table_may_follow_another():
    rows: list[list[object]] = [
        ["Sales of the year"],
        ["Region", "Plan", "Sold"],
        ["Europe", 5, 6],
        [],
        ["Asia", 7, 8],
        [],
        ["Item", "Jan", "Feb"],
        ["Rent", 10, 11],
    ]
    assert one("s.xlsx", sheet(rows)).text.split("\n") == [
        "Sales of the year",
        "Region | Plan | Sold",
        "Europe: Plan 5; Sold 6",
        "Asia: Plan 7; Sold 8",
        "Item | Jan | Feb",
        "Rent: Jan 10; Feb 11",
    ]


def test_a_table_of_words_alone_keeps_the_header_that_lacks_its_corner():
    rows = [["", "Red", "Blue"], ["Apples", "sweet", "sour"], ["Pears", "soft", "hard"]]
    assert text_of_table(rows) == "Red | Blue\nApples: Red sweet; Blue sour\nPears: Red soft; Blue hard"


def test_a_number_at_the_head_of_a_row_keeps_the_name_of_its_column_but_a_year_does_not():
    assert text_of_table([["Order", "Part"], ["1001", "Axle"]]).endswith("Order 1001; Part Axle")
    assert text_of_table([["Year", "Sold"], ["2023", "5"]]).endswith("2023: Sold 5")


def test_what_happened_at_a_time_needs_no_name_of_its_column():
    log = [["Time", "Event"], ["2021-03-31 12:06", "The certificates expire at noon"], ["2021-03-31 12:11", "A report"]]
    log += [["2021-03-31 12:45~", "The team is told by mail"], ["2021-04-?? HH:mm", "All of them are renewed"]]
    assert text_of_table(log).split("\n")[1:3] == [
        "2021-03-31 12:06: The certificates expire at noon",
        "2021-03-31 12:11: A report",
    ]
    assert text_of_table([["Day", "Sold"], ["2021-03-31", "5"], ["2021-04-01", "7"]]).endswith("2021-04-01: Sold 7")


def test_what_a_name_means_stands_behind_it_without_the_word_for_that():
    rows = [["Column", "Description"], ["Tempo", "How fast it is"], ["Key", "In which key it is"]]
    assert text_of_table(rows).split("\n")[1:] == ["Tempo: How fast it is", "Key: In which key it is"]
    rows[0][1] = "Colour"
    assert text_of_table(rows).endswith("Key: Colour In which key it is")


@pytest.mark.parametrize(
    ("form", "line"),
    [
        ([["Owner", "Marta Okafor"], ["Deputy", "Jens Lindqvist"]], "Deputy: Jens Lindqvist"),
        (
            [["What", "Value"], ["Hull", "Oak"], ["Bought", "2 May 2019"], ["Length", "7.9 m"]],
            "Length: 7.9 m",
        ),
    ],
)
def test_values_of_a_form_are_not_named_by_its_first_one(form: list[list[str]], line: str):
    assert line in text_of_table(form).split("\n")


@pytest.mark.parametrize(
    ("table", "line"),
    [
        ([["Country", "Capital"], ["Sweden", "Stockholm"], ["Peru", "Lima"]], "Peru: Capital Lima"),
        ([["Task", "Due"], ["Paint", "3 May 2026"], ["Sweep", "as needed"]], "Sweep: Due as needed"),
        ([["Manager", "Team Name"], ["Ann Lee", "North"], ["Bo Ek", "South"]], "Bo Ek: Team Name South"),
    ],
)
def test_a_table_of_two_columns_keeps_its_header(table: list[list[str]], line: str):
    assert line in text_of_table(table).split("\n")


def test_a_form_of_labels_and_values_has_no_header():
    form = [["Client", "Arden Ltd", "Date of test", "24.03.2026"], ["Tested by", "K. Mensah", "Witness", "S. Okafor"]]
    assert text_of_table(form).split("\n") == [
        "Client: Arden Ltd; Date of test: 24.03.2026",
        "Tested by: K. Mensah; Witness: S. Okafor",
    ]
    assert text_of_table([["Client:", "Arden Ltd"], ["Place:", ""], ["Seal:", "Bath"]]).split("\n") == [
        "Client: Arden Ltd",
        "Place:",
        "Seal: Bath",
    ]


def test_days_over_figures_and_days_of_milestones_keep_their_header():
    assert text_of_table([["Assets", "31.12.2025"], ["Cash", "1,200"]]).endswith("Cash: 31.12.2025 1,200")
    assert text_of_table([["Milestone", "Date"], ["Handover", "30.06.2026"]]).endswith("Handover: Date 30.06.2026")


def test_a_first_row_that_is_built_as_the_others_is_no_header():
    people = [["Director", "Helga Strand", "ext. 2101"], ["Duty officer", "rotating", "ext. 2200"]]
    assert text_of_table(people) == "Director | Helga Strand | ext. 2101\nDuty officer | rotating | ext. 2200"
    assert text_of_table([["2004 – 2010", "Dresden"], ["2003", "Jena"]]) == "2004 – 2010 | Dresden\n2003 | Jena"


def test_a_header_of_two_rows_names_each_column_by_both():
    page = (
        "<p>Pump.</p><table><tr><th rowspan=2>Point</th><th colspan=2>Flow</th><th rowspan=2>Result</th></tr>"
        "<tr><th>asked</th><th>measured</th></tr><tr><td>1</td><td>80</td><td>81</td><td>pass</td></tr></table>"
    )
    assert one("a.html", page.encode()).text.endswith("Point 1; Flow asked 80; Flow measured 81; Result pass")


def test_a_table_of_rst_has_a_paragraph_a_row_with_the_names_of_its_columns():
    border = "======== ==== ====="
    rows = ("           Min   Max", border, "Alcohol: 11.0  14.8", "Hue:     0.48  1.71")
    named = "\n".join(("Wines.", "", border, *rows, border, "", "End."))
    assert one("a.rst", named.encode()).text.split("\n\n") == [
        "Wines.",
        "Min | Max",
        "Alcohol: Min 11.0; Max 14.8",
        "Hue: Min 0.48; Max 1.71",
        "End.",
    ]
    pairs = "Wines.\n\n=======  ===\nClasses  7\nSamples  581\n=======  ===\n"
    assert one("a.rst", pairs.encode()).text == "Wines.\n\nClasses: 7\n\nSamples: 581"


def test_a_box_of_facts_of_a_page_says_each_behind_its_label():
    page = (
        "<p>A town.</p><table><tr><th>County</th><td>Avon</td></tr><tr><th>Mayor</th><td>Gwen Tallis</td></tr></table>"
    )
    assert one("a.html", page.encode()).text.endswith("County: Avon\nMayor: Gwen Tallis")


@pytest.mark.parametrize("told", ["rowspan=9999 colspan=99", "rowspan=-1", "colspan=²", "rowspan=" + "9" * 5_000])
def test_a_cell_that_says_to_span_very_much_is_read_once_or_a_few_times(told):
    page = f"<p>A.</p><table><tr><td {told}>x</td><td>y</td></tr><tr><td>z</td><td>w</td></tr></table>"
    assert len(one("a.html", page.encode()).text) < 1_000


def test_the_first_of_several_parts_is_not_the_title_of_a_page():
    page = "<p>Port Ellery is a town.</p><h2>Geography</h2><p>On a ridge.</p><h2>History</h2><p>Old.</p>"
    assert one("ellery.html", page.encode()).title == "ellery"


def test_numbers_of_a_spreadsheet_are_shown_as_their_formats_show_them():
    from openpyxl import load_workbook

    book = load_workbook(io.BytesIO(sheet([["Id", "Margin", "Sales", "Cost"], [31001, 0.12473, 1234567.5, -20]])))
    page = book.active
    assert page is not None
    for place, shown in (("B2", "0.0%"), ("C2", "#,##0.00"), ("D2", "#,##0 [$€-407]")):
        page[place].number_format = shown
    data = io.BytesIO()
    book.save(data)
    assert one("s.xlsx", data.getvalue()).text.endswith("Id 31001; Margin 12.5%; Sales 1,234,567.5; Cost -20 €")


def merged_sheet(rows: list[list[object]], *ranges: str) -> bytes:
    from openpyxl import load_workbook

    book = load_workbook(io.BytesIO(sheet(rows)))
    page = book.active
    assert page is not None
    for each in ranges:
        page.merge_cells(each)
    data = io.BytesIO()
    book.save(data)
    return data.getvalue()


def test_a_label_that_several_rows_share_is_said_in_each():
    rows: list[list[object]] = [
        ["Region", "Item", "Sold"],
        ["Europe", "Cars", 5],
        [None, "Bikes", 6],
        ["Asia", "Cars", 7],
    ]
    assert "Europe: Item Bikes; Sold 6" in one("s.xlsx", merged_sheet(rows, "A2:A3")).text


def test_a_head_over_several_columns_of_a_sheet_is_part_of_the_name_of_each():
    rows: list[list[object]] = [
        ["Budget 2026"],
        ["Department", "2025", None, "2026", None],
        [None, "Plan", "Actual", "Plan", "Actual"],
        ["Sales", 100, 95, 120, 118],
        ["Legal", 50, 42, 55, 61],
    ]
    text = one("s.xlsx", merged_sheet(rows, "A1:E1", "A2:A3", "B2:C2", "D2:E2")).text
    assert text.split("\n")[0] == "Budget 2026"
    assert "Sales: 2025 Plan 100; 2025 Actual 95; 2026 Plan 120; 2026 Actual 118" in text


def test_years_may_part_the_columns_of_a_head():
    rows: list[list[object]] = [
        ["Model", "Price", None],
        [None, "2025", "2026"],
        ["Aster", 100, 120],
        ["Borea", 90, 95],
    ]
    text = one("s.xlsx", merged_sheet(rows, "A1:A2", "B1:C1")).text
    assert text.split("\n")[1] == "Aster: Price 2025 100; Price 2026 120"


def test_the_separator_that_excel_states_is_no_row():
    first, _ = read("invoices.csv", b"sep=;\nInvoice;Amount\nI-1;12,50\nI-2;8,00\n").documents
    assert (first.document_id, first.text) == ("invoices.csv:row 3", "Invoice: I-1; Amount: 12,50")


def test_the_items_of_a_list_in_the_page_of_a_mail_keep_their_marks():
    steps = "<ol start='3'><li>Make a loop.</li><li><p>Pass the end up.</p></li></ol>"
    page = f"{steps}<ul><li><b>Duplex</b> is on</li><li><a href='/'>Home</a></li></ul>"
    text = one("m.eml", f"Content-Type: text/html; charset=utf-8\n\n<p>Steps:</p>{page}".encode()).text
    assert text.split("\n") == ["Steps:", "3. Make a loop.", "4. Pass the end up.", "- Duplex is on", "Home"]


def test_a_hidden_sheet_is_read_and_named():
    from openpyxl import load_workbook

    book = load_workbook(
        io.BytesIO(sheet([["Item", "Price"], ["Tape", 9]], more={"Old": [["Item", "Price"], ["Disk", 7]]}))
    )
    book["Old"].sheet_state = "hidden"
    data = io.BytesIO()
    book.save(data)
    reading = read("s.xlsx", data.getvalue())
    assert [document.text.split("\n")[-1] for document in reading.documents] == ["Tape: Price 9", "Disk: Price 7"]
    assert reading.notices == ("hidden sheets were read too: Old",)


def test_a_wide_cell_of_a_form_is_said_once():
    rows: list[list[object]] = [["Client", "Arden Works", None, None], ["Place", "Leeds", None, None], ["Sum", 4]]
    assert one("s.xlsx", merged_sheet(rows, "B1:D1", "B2:D2")).text == one("s.xlsx", sheet(rows)).text


def test_formulas_that_no_program_has_computed_are_counted():
    reading = read("s.xlsx", sheet([["a", "b", "sum"], ["x", 2, "=B2+1"], ["y", 3, "=B3+1"]]))
    lost = "formulas whose value the file does not hold: 2; open it in Excel and save it again"
    assert reading.notices == (lost,)
    assert read("s.xlsx", sheet([["a", "b"], ["x", 2]])).notices == ()


def test_a_sheet_that_is_said_to_be_one_cell_large_is_read_whole():
    data = io.BytesIO(sheet([["Region", "Sold"], ["Europe", 5]]))
    written = io.BytesIO()
    with zipfile.ZipFile(data) as before, zipfile.ZipFile(written, "w") as after:
        for name in before.namelist():
            after.writestr(name, before.read(name).replace(b'<dimension ref="A1:B2"', b'<dimension ref="A1"'))
    assert one("s.xlsx", written.getvalue()).text == "Region | Sold\nEurope: Sold 5"


def test_each_sheet_is_a_document():
    documents = read("book.xlsx", sheet([["a", "b"], ["x", 1]], more={"Costs": [["c", "d"], ["y", 2]]})).documents
    assert [document.document_id for document in documents] == ["book.xlsx:Sheet", "book.xlsx:Costs"]


@pytest.mark.parametrize("name", ["book.xlsx", "talk.pptx", "text.docx", "letter.odt", "novel.epub"])
def test_what_is_no_archive_is_refused_in_words_of_its_own_and_not_of_a_library(name):
    with pytest.raises(FileReadError, match=r"^is not an? [\w. ]+, or a damaged one; (open it in|get)"):
        one(name, b"PK\x03\x04rubbish")


ODF = "urn:oasis:names:tc:opendocument:xmlns"
ODT = (
    f'<o:document-content xmlns:o="{ODF}:office:1.0" xmlns:t="{ODF}:text:1.0" xmlns:b="{ODF}:table:1.0">'
    "<o:body><o:text>{}</o:text></o:body></o:document-content>"
)
ODF_TABLE = """<b:table><b:table-header-rows><b:table-row>
<b:table-cell b:number-rows-spanned="2"><t:p>Grade</t:p></b:table-cell>
<b:table-cell b:number-columns-spanned="2"><t:p>Allowance</t:p></b:table-cell><b:covered-table-cell/>
</b:table-row></b:table-header-rows><b:table-row><b:covered-table-cell/>
<b:table-cell><t:p>Germany</t:p></b:table-cell><b:table-cell><t:p>France</t:p></b:table-cell></b:table-row>
<b:table-row><b:table-cell><t:p>Manager</t:p></b:table-cell><b:table-cell><t:p>90</t:p></b:table-cell>
<b:table-cell><t:p>110</t:p></b:table-cell></b:table-row>
<b:table-row><b:table-cell><t:p>Staff</t:p></b:table-cell><b:table-cell><t:p>60</t:p></b:table-cell>
<b:table-cell><t:p>75</t:p></b:table-cell></b:table-row></b:table>"""


def test_an_odt_has_a_title_sections_items_notes_and_tables():
    body = (
        '<t:tracked-changes><t:p>Struck out.</t:p></t:tracked-changes><t:h t:outline-level="1">Lease</t:h>'
        '<t:h t:outline-level="2">Rent</t:h><t:p>The tenant\n pays <t:span>1,200</t:span> euros<t:s/>a month'
        "<t:note><t:note-citation>1</t:note-citation><t:note-body>"
        "<t:p>Heating included.</t:p></t:note-body></t:note>.</t:p>"
        f"<t:list><t:list-item><t:p>by transfer</t:p></t:list-item></t:list>{ODF_TABLE}"
    )
    meta = "<m><title/><initial-creator>Ann</initial-creator></m>"
    document = one("lease.odt", packed({"content.xml": ODT.format(body), "meta.xml": meta}))
    assert (document.title, document.metadata) == ("Lease", (("author", "Ann"),))
    assert document.text.split("\n\n")[:4] == [
        "Rent",
        "The tenant pays 1,200 euros a month.",
        "Note: Heating included.",
        "- by transfer",
    ]
    assert "Manager: Allowance Germany 90; Allowance France 110" in document.text
    assert document.outline == ((0, "Rent"),)


def test_an_odt_that_is_locked_is_refused_with_the_reason():
    manifest = '<m:manifest xmlns:m="m"><m:file-entry><m:encryption-data/></m:file-entry></m:manifest>'
    with pytest.raises(FileReadError, match="is locked with a password"):
        one("lease.odt", packed({"content.xml": "rubbish", "META-INF/manifest.xml": manifest}))


SLIDE = (
    '<p:sld xmlns:p="p" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main">'
    "<a:p><a:r><a:t>{}</a:t></a:r></a:p>"
    "<a:p><a:r><a:t>Cells are </a:t></a:r><a:r><a:t>scarce.</a:t></a:r></a:p></p:sld>"
)


def test_slides_are_pages_in_their_order():
    files = {f"ppt/slides/slide{n}.xml": SLIDE.format(f"Slide {n}") for n in (10, 2, 1)}
    document = one("deck.pptx", packed(files))
    assert document.text.split("\n\n") == [f"Slide {n}\nCells are scarce." for n in (1, 2, 10)]
    assert len(document.pages) == 3


SHOW = (
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
)


def links(**targets: str) -> str:
    parts = (f'<Relationship Id="{key}" Type="x/{key}" Target="{target}"/>' for key, target in targets.items())
    return f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{"".join(parts)}</Relationships>'


def shape(role: str, text: str) -> str:
    return (
        f'<p:sp><p:nvSpPr><p:nvPr><p:ph type="{role}"/></p:nvPr></p:nvSpPr>'
        f"<p:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>"
    )


def test_slides_have_the_order_title_notes_and_charts_that_the_file_says_and_no_feet():
    values = "<c:pt><c:v>5</c:v></c:pt><c:pt><c:v>6</c:v></c:pt>"
    names = "<c:pt><c:v>2022</c:v></c:pt><c:pt><c:v>2023</c:v></c:pt>"
    words = "<a:p><a:r><a:t>Cells</a:t></a:r><a:br/><a:r><a:t>are scarce</a:t></a:r></a:p>"
    broken = f"<p:sp><p:txBody>{words}</p:txBody></p:sp>"
    shown = '<p:sldIdLst><p:sldId r:id="b"/><p:sldId r:id="a"/></p:sldIdLst>'
    files = {
        "ppt/presentation.xml": f"<p:presentation {SHOW}>{shown}</p:presentation>",
        "ppt/_rels/presentation.xml.rels": links(a="slides/slide1.xml", b="slides/slide2.xml"),
        "ppt/slides/slide1.xml": f"<p:sld {SHOW}>{shape('body', 'Thanks')}{shape('ftr', 'Confidential')}</p:sld>",
        "ppt/slides/slide2.xml": f"<p:sld {SHOW}>{broken}{shape('title', 'Supply')}{shape('sldNum', '7')}</p:sld>",
        "ppt/slides/_rels/slide2.xml.rels": links(notesSlide="../notesSlides/n.xml", chart="/ppt/charts/c.xml"),
        "ppt/notesSlides/n.xml": f"<p:notes {SHOW}>{shape('sldNum', '7')}{shape('body', 'Say why.')}</p:notes>",
        "ppt/charts/c.xml": '<c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:ser><c:tx><c:v>Sales'
        f"</c:v></c:tx><c:cat>{names}</c:cat><c:val>{values}</c:val></c:ser></c:chart>",
    }
    document = one("deck.pptx", packed(files))
    assert document.title == "Supply"
    assert document.text == "Supply\nCells are scarce\n2022 | 2023\nSales: 2022 5; 2023 6\nNotes: Say why.\n\nThanks"
    assert document.outline == ((0, "Supply"), (document.text.index("Thanks"), "Thanks"))


def test_a_book_is_read_in_the_order_of_its_spine():
    files = {
        "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="OPS/book.opf"/></rootfiles></container>',
        "OPS/book.opf": '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/">'
        "<metadata><dc:title>Batteries</dc:title><dc:creator>Ann</dc:creator></metadata><manifest>"
        '<item id="a" href="b%20c.xhtml"/><item id="b" href="a.xhtml"/></manifest>'
        '<spine><itemref idref="a"/><itemref idref="b"/></spine></package>',
        "OPS/b c.xhtml": "<html><body><h1>Cells</h1><p>Cells are scarce.</p></body></html>",
        "OPS/a.xhtml": "<html><body><h1>Lithium</h1><p>So is lithium.</p></body></html>",
    }
    document = one("b.epub", packed(files))
    assert (document.title, document.metadata) == ("Batteries", (("author", "Ann"),))
    assert document.text == "Cells\nCells are scarce.\n\nLithium\nSo is lithium."
    assert document.outline == ((0, "Cells"), (25, "Lithium"))


def test_a_message_has_its_subject_sender_and_day():
    data = b"""From: Ann <ann@example.org>
To: Bob <bob@example.org>
Subject: Cells
Date: Fri, 05 May 2023 10:00:00 +0200
Content-Type: text/html; charset=utf-8

<p>Cells are <b>scarce</b>.</p><script>no()</script>
"""
    document = one("m.eml", data)
    assert (document.title, document.source, document.date) == ("Cells", "Ann <ann@example.org>", "2023-05-05")
    assert document.text == "Cells are scarce."


MAIL = b"""From: Ann <ann@example.org>
Subject: Re: Delivery
Date: Fri, 05 May 2023 10:00:00 +0200
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain; charset=utf-8

The delivery of the cells that we had agreed upon in the spring
Plan of Leeds comes on Monday.
Ann

> When do the cells come that you said were on their way when we
> Spoke in Leeds?

--b
Content-Type: text/csv
Content-Disposition: attachment; filename="parts.csv"

Part,Weight
Axle,12.5

--b
Content-Type: application/zip
Content-Disposition: attachment; filename="all.zip"

PK
--b
Content-Type: text/plain; charset=utf-8

And please sign the enclosed list.
--b--
"""


def test_a_mail_has_a_paragraph_on_a_line_and_what_it_quotes_after_a_mark():
    lines = read("m.eml", MAIL).documents[0].text.split("\n")
    assert lines[0] == "The delivery of the cells that we had agreed upon in the spring Plan of Leeds comes on Monday."
    assert lines[1] == "Ann"
    assert "> When do the cells come that you said were on their way when we Spoke in Leeds?" in lines
    assert lines[-1] == "And please sign the enclosed list."


def test_what_is_attached_to_a_mail_is_read_as_documents_of_its_sender_and_day():
    reading = read("m.eml", MAIL)
    attached = reading.documents[1]
    assert (attached.document_id, attached.text) == ("m.eml/parts.csv:row 2", "Part: Axle; Weight: 12.5")
    assert attached.title == "parts, row 2"
    assert (attached.source, attached.date) == ("Ann <ann@example.org>", "2023-05-05")
    told = "parts.csv: each record is a document; text from all fields"
    assert reading.notices == (told, "attachments were not read: all.zip")


def test_a_mail_is_read_in_another_encoding_where_it_is_not_in_the_one_it_states():
    assert one("m.eml", "Content-Type: text/plain; charset=gb2312\n\n你好，世界。\n".encode()).text == "你好，世界。"


def test_a_mail_whose_plain_part_is_empty_is_read_from_its_page_with_the_rows_of_its_tables():
    page = "<table><tr><td><p>Fees</p></td><td><p>Sum</p></td></tr><tr><td><p>5</p></td><td><p>9</p></td></tr></table>"
    head = "MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=b\n\n"
    parts = f"--b\nContent-Type: text/plain\n\n\n--b\nContent-Type: text/html\n\n{page}\n--b--\n"
    assert one("m.eml", (head + parts).encode()).text == "Fees | Sum\nFees 5; Sum 9"


def test_a_chapter_that_the_spine_names_by_its_parts_is_read_once():
    items = (
        '<item id="a" href="c.xhtml#one"/><item id="b" href="c.xhtml#two"/>'
        '<item id="n" href="n.xhtml" properties="nav"/>'
    )
    files = {
        "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="book.opf"/></rootfiles></container>',
        "book.opf": f'<package xmlns="http://www.idpf.org/2007/opf"><manifest>{items}</manifest>'
        '<spine><itemref idref="n"/><itemref idref="a"/><itemref idref="b"/></spine></package>',
        "c.xhtml": "<html><body><h1>Cells</h1><p>Cells are scarce.</p></body></html>",
        "n.xhtml": "<html><body><h1>Contents</h1></body></html>",
    }
    assert one("b.epub", packed(files)).text == "Cells\nCells are scarce."


def test_passages_of_a_pdf_know_their_page_and_never_cross_it(make_pdf):
    pages = [[f"Page {n} says that cells are scarce, in line {line}." for line in range(25)] for n in (1, 2, 3)]
    passages = cut(one("r.pdf", make_pdf(pages)))
    assert [passage.place for passage in passages] == ["page 1", "page 2", "page 3"]
    assert all(passage.text.startswith(f"Page {n}") for n, passage in enumerate(passages, start=1))


def test_the_contents_of_a_pdf_are_no_text_but_rows_with_dots_before_their_figures_are(make_pdf):
    contents = [f"{n}. How are cells of kind {n} made? . . . . . . . . {n * 2}" for n in range(1, 8)]
    figures = [f"Sales of kind {n} ........ {value}" for n, value in enumerate((70, 30, 90, 20, 50, 60, 10))]
    document = one("r.pdf", make_pdf([contents, figures, ["Cells are scarce."]]))
    assert "How are cells" not in document.text
    assert "Sales of kind 3" in document.text


def test_the_contents_of_a_pdf_need_no_dots_below_their_heading(make_pdf):
    contents = ["Plant guide 2031", "Contents", "1 Aims 3", "2 Cells 5", "3 Trucks 9", "A fleet of 2"]
    document = read("c.pdf", make_pdf([contents])).documents[0]
    assert document.text == "Plant guide 2031\nContents\nA fleet of 2"
    few = ["Contents", "Box 1 holds", "cells 5", "trucks 9"]
    assert "cells 5" in read("c.pdf", make_pdf([few])).documents[0].text


def test_letters_that_a_font_of_tex_gives_as_numbers_are_read(make_pdf):
    lines = [r"The \034rst di\033erence \025 e\036cient and in\035uential", r"\020Quoted\021", r"\210 An item"]
    text = read("c.pdf", make_pdf([lines])).documents[0].text
    assert " ".join(text.split()) == "The first difference – efficient and influential “Quoted” • An item"


def test_an_accent_before_its_letter_is_put_on_it(make_pdf):
    lines = ["Universit\xc8at Jos\xc2e", "it\xc2s a box \xc8 here"]
    text = read("c.pdf", make_pdf([lines])).documents[0].text
    assert text == "Universität José\nit´s a box ¨ here"


OF_KILNS = ["We describe a store for kilns", *["Each kiln is written to two of the disks that are free"] * 4]


@pytest.mark.parametrize(("stated", "title"), [
    ("A store for kilns", "A store for kilns"),
    ("Template for the proceedings of 2008", "kilns of 2007"),
    ("The free disks", "kilns of 2007"),  # both words, but not one after the other
])  # fmt: skip
def test_a_title_that_no_first_page_says_is_that_of_a_template(make_pdf, stated, title):
    pages = [["A cover"], OF_KILNS]
    assert read("kilns-of-2007.pdf", make_pdf(pages, title=stated)).documents[0].title == title
    assert read("kilns-of-2007.pdf", make_pdf([["A cover"]], title=stated)).documents[0].title == stated


def test_the_references_of_a_paper_are_a_section_without_a_number(make_pdf):
    pages = [OF_KILNS, [*OF_KILNS, "All is told.", "References", "[1] A. Lind. Why kilns crack. 1993."]]
    document = read("kilns.pdf", make_pdf(pages)).documents[0]
    assert document.outline == ((document.text.index("References"), "References"),)
    assert read("kilns.pdf", make_pdf([["References"], OF_KILNS])).documents[0].outline == ()


DRAWN = [r"\201\202 \203\204\205 \206\207 %$# &*+ <=> \210\211 @[ ]^ {}~"] * 5


def test_pages_whose_fonts_give_no_letters_are_not_read(make_pdf):
    reading = read("kilns.pdf", make_pdf([DRAWN, OF_KILNS]))
    assert reading.documents[0].text.startswith("We describe a store for kilns")
    assert "1 of 2 pages hold signs that its fonts give no letters for; run text recognition (OCR) first" in str(
        reading.notices
    )
    with pytest.raises(FileReadError, match="its page holds signs that its fonts give no letters for"):
        read("kilns.pdf", make_pdf([DRAWN]))


@pytest.mark.parametrize(("name", "sizes", "title"), [
    ("curves.pdf", (17, 12, 10), "Adjusted curves of survival"),
    ("curves.pdf", (10, 10, 10), "curves"),
    ("curves-of-2015.pdf", (17, 12, 10), "curves of 2015"),
    ("adjusted-curves-of-survival.pdf", (17, 12, 10), "Adjusted curves of survival"),  # the name spells it
    ("adjusted-curves-survival-draft-2.pdf", (17, 12, 10), "adjusted curves survival draft 2"),
])  # fmt: skip
def test_a_pdf_whose_name_says_little_is_called_by_the_largest_line_of_its_head(make_pdf, name, sizes, title):
    words = ("Adjusted curves", "of survival", "T. Berg", "One of many lines of text.", "Another line of text.")
    largest, smaller, usual = sizes
    drawn = zip((largest, largest, smaller, usual, usual), words, strict=True)
    shown = [f") Tj /F1 {size} Tf ({line}" for size, line in drawn]
    assert read(name, make_pdf([shown])).documents[0].title == title


def test_a_paper_with_an_abstract_is_called_by_the_title_that_it_prints(make_pdf):
    words = ("Adjusted curves", "of survival", "T. Berg", "Abstract", "One of many lines.", "Another line of text.")
    shown = [f") Tj /F1 {size} Tf ({line}" for size, line in zip((17, 17, 12, 11, 10, 10), words, strict=True)]
    assert read("1908.04417v2.pdf", make_pdf([shown])).documents[0].title == "Adjusted curves of survival"


NUMBERED = """1 Aims
The cells are scarce.
2 Methods
2.1 Sources
We asked the plants. These are the steps:
3. Ask them
4. Write it down
5. Ask again
All was written down.
2.2 Plants and their owners
1) Berg owns one.
3. Results.
The number of plants rose.
5 Thanks"""


def test_numbered_headings_name_the_sections_of_a_text():
    outline = read("t.txt", NUMBERED.encode()).documents[0].outline
    paths = ["Aims", "Methods", "Methods › Sources", "Methods › Plants and their owners", "Results", "Thanks"]
    assert [path for _, path in outline] == paths
    assert [NUMBERED[start:].split("\n")[0] for start, _ in outline][2] == "2.1 Sources"


@pytest.mark.parametrize("text", [
    "1 Aims\nText.\n2 Methods\nText.",
    "1. Cells\n2. Trucks\n3. Plants\n4. Wells",
    "2 Aims\nText.\n4 Methods\nText.\n7 Results\nText.",
    "1 NA NA\nText.\n2 NA NA\nText.\n3 NA NA\nText.",
    "1 cells\nText.\n2 trucks\nText.\n3 wells\nText.",
])  # fmt: skip
def test_lists_and_stray_numbers_are_no_headings(text):
    assert read("t.txt", text.encode()).documents[0].outline == ()


def test_numbers_that_begin_late_in_a_text_are_no_sections():
    late = "1 Aims\nText.\n2 Methods\nText.\n3 Results\nText."
    assert len(read("t.txt", f"Text.\n{late}".encode()).documents[0].outline) == 3
    assert read("t.txt", f"{'Text.' * 9}\n{late}".encode()).documents[0].outline == ()


def test_bookmarks_of_a_pdf_name_sections_from_their_headings_on(make_pdf):
    from pypdf import PdfWriter

    writer = PdfWriter(
        clone_from=io.BytesIO(make_pdf([["Before.", "1.1 Cells", "Scarce.", "1.2 Zinc", "Not so."]] * 2))
    )
    for title in ("Metals", "Cells", "Zinc"):
        writer.add_outline_item(title=title, page_number=1)
    data = io.BytesIO()
    writer.write(data)
    document = one("r.pdf", data.getvalue())
    page = document.pages[1]
    found = {path: document.text[start:].split("\n")[0] for start, path in document.outline}
    assert found == {"Metals": "Before.", "Cells": "1.1 Cells", "Zinc": "1.2 Zinc"}
    assert document.outline[0][0] == page


def test_sections_of_markdown_are_known_by_their_path():
    text = "# Report\n\n" + "Intro words. " * 200 + "\n\n## Risks\n\n### Supply\n\n" + "Cells are scarce. " * 200
    passages = cut(one("r.md", text.encode()))
    assert passages[-1].place == "Risks › Supply"


def test_code_comments_are_no_headings():
    document = one("r.md", b"# T\n\nText.\n\n## Use\n\n```\n# not a heading\n```\n")
    assert [path for _, path in document.outline] == ["Use"]


def test_underlined_headings_are_levels_in_the_order_of_their_lines():
    text = b"T\n=\n\nText.\n\nUsage\n=====\n\nText.\n\nAs a context\n------------\n\nText.\n\nBugs\n====\n\nNone.\n"
    assert [path for _, path in one("r.rst", text).outline] == ["Usage", "Usage › As a context", "Bugs"]


def test_comments_of_code_in_restructured_text_are_no_headings():
    text = b"T\n====\n\nText.\n\nUsage\n-----\n\n::\n\n   # instead do\n   parse()\n\nBugs\n----\n\nNone.\n"
    assert [path for _, path in one("r.rst", text).outline] == ["Usage", "Bugs"]


def test_rules_and_tables_in_code_are_no_headings():
    text = b"# T\n\nText.\n\n---\n\n## Use\n\n```\nName\n----\nCost\n----\n```\n"
    assert [path for _, path in one("r.md", text).outline] == ["Use"]


def test_badges_and_tags_of_markdown_are_no_text():
    text = b'# HTTPX\n\n<p align="center"><strong>HTTPX</strong> - a client</p>\n\n[![Test](https://a.b/c.svg)](https://a.b)\n\nFast.'
    assert one("README.md", text).text == "HTTPX - a client\n\nFast."


def test_a_table_without_a_header_keeps_its_bars():
    assert text_of_table([["Cells", "scarce"]]) == "Cells | scarce"
    assert with_named_rows("Before\nName | 2023\n--- | ---\nCells | 4\n\nAfter") == (
        "Before\nName | 2023\nCells: 2023 4\n\nAfter"
    )


def test_each_row_of_a_table_is_a_sentence_of_its_own():
    table = "| what | limit |\n|---|---|\n| one run | 10 minutes |\n| a machine held | 30 minutes |\n"
    document = one("limits.md", f"# Limits\n\n{table}".encode())
    assert sentence_texts(document.text)[1:] == ["one run: limit 10 minutes", "a machine held: limit 30 minutes"]


def test_a_page_with_columns_of_bare_numbers_is_detached():
    assert _is_detached("Revenue\nCosts\nProfit\n" + "\n".join(f"{n},000" for n in range(10)))
    assert not _is_detached("\n".join(f"Row {n} 1,000 2,000" for n in range(20)))


def test_a_word_that_a_line_parts_is_put_together_as_the_text_has_it_elsewhere():
    wide = "This line is about as wide as the lines of prose in such a file are, so that the next one goes on with it"
    lines = [wide] * 20 + ["by a state-", "sponsored group.", "Of third-", "party proceed-", "ings on-", "premises"]
    text = "\n".join([*lines, "", "State-sponsored proceedings of a third-party."])
    assert with_whole_lines(text).split("\n")[1:-1] == [
        "Of third-party proceedings on-",
        "premises",
        "",
    ]
    assert with_whole_lines(text).split("\n")[0].endswith("goes on with it by a state-sponsored group.")


def test_a_text_of_hard_lines_has_a_paragraph_on_a_line_and_keeps_its_rows():
    prose = "We use third parties to make and to assemble the products that we sell to\npartners around the world.\n"
    rows = "Net sales\n1,000\n900\n"
    text = one("a.txt", (prose * 20 + "Risk Factors\n" + rows).encode()).text
    assert text.startswith(
        "We use third parties to make and to assemble the products that we sell to partners around the"
    )
    assert text.endswith("Risk Factors\nNet sales\n1,000\n900")


def test_a_paragraph_ends_where_the_next_word_would_have_had_room():
    body = "the plants of the company stand in Oslo and in Bergen and make kettles and pans all the year\n" * 20
    law = (
        "and they sell all of the kettles and pans by the good old laws of the U.S.\n"
        "Section 40 is of no matter to a firm of this size that sells pans and, so to say,\n"
    )
    end = "and this goes on for as long as people in Oslo and Bergen drink tea.\n"
    risk = "We may not find glue that holds in time for the orders of the year.\n"
    lines = one("a.txt", f"When it is cold {body}{law}{body}{end}{risk}Our {body}and so on.".encode()).text.split("\n")
    assert lines[1] == "We may not find glue that holds in time for the orders of the year."
    assert lines[0].endswith("drink tea.")
    assert "U.S. Section 40" in lines[0]


def test_a_text_with_a_paragraph_on_a_line_stays_as_it_is():
    text = "\n".join("A long paragraph that stands on one line. " * 8 for _ in range(30))
    assert one("a.txt", text.encode()).text == text.strip()


def forwarded(message: EmailMessage, *, as_file: bool = False) -> EmailMessage:
    outer = EmailMessage()
    outer["From"], outer["Subject"], outer["Date"] = (
        "Marta <m@x.example>",
        "Fwd: Licence",
        "Wed, 20 May 2026 11:00:00 +0200",
    )
    outer.set_content("Please decide by Friday.")
    if as_file:
        outer.add_attachment(message.as_bytes(), maintype="application", subtype="octet-stream", filename="old.eml")
    else:
        outer.add_attachment(message)
    return outer


@pytest.mark.parametrize(("as_file", "key"), [(False, "m.eml/message 1.eml"), (True, "m.eml/old.eml")])
def test_a_forwarded_message_is_a_document_of_its_own_sender_and_day(*, as_file: bool, key: str):
    message = EmailMessage()
    message["From"], message["Subject"], message["Date"] = (
        "Sales <s@y.example>",
        "Licence",
        "Mon, 18 May 2026 10:00:00 +0200",
    )
    message.set_content("The licence ends on 30 June 2026.")
    message.add_attachment(b"GIF", maintype="image", subtype="gif", filename="map.gif")
    reading = read("m.eml", forwarded(message, as_file=as_file).as_bytes())
    _, inner = reading.documents
    assert (inner.document_id, inner.title, inner.text) == (key, "Licence", "The licence ends on 30 June 2026.")
    assert (inner.source, inner.date) == ("Sales <s@y.example>", "2026-05-18")
    name = "old.eml" if as_file else "forwarded"
    assert reading.notices == (f"{name}: attachments were not read: map.gif",)


def test_messages_within_messages_end_somewhere():
    message = EmailMessage()
    message.set_content("The innermost one.")
    for _ in range(30):
        message = forwarded(message)
    assert len(read("m.eml", message.as_bytes()).documents) == 9


def test_labels_before_sentences_are_no_table_with_a_header():
    rows = [("Deck", "Standard deck"), ("Stock", "The rest of the deck is put here, turned down."),
            ("Waste", "To be taken from the stock, one card at a time.")]  # fmt: skip
    page = "".join(f"<tr><td>{label}</td><td>{told}</td></tr>" for label, told in rows)
    text = read("g.html", f"<h1>Golf</h1><table>{page}</table>".encode()).documents[0].text
    assert "Deck: Standard deck\nStock: The rest of the deck" in text
    figures = "<tr><td>Deck</td><td>Cards</td></tr><tr><td>Golf</td><td>52</td></tr><tr><td>Skat</td><td>32</td></tr>"
    assert "Golf: Cards 52" in read("g.html", f"<table>{figures}</table>".encode()).documents[0].text


@pytest.mark.parametrize("label", ["[,{}]", "[, {}]", "{}."])
def test_a_first_row_that_is_numbered_as_the_others_is_no_header(label):
    rows = [(label.format(1), "wt", "Weight (lb)"), (label.format(2), "hp", "Power"), (label.format(3), "am", "Gears")]
    page = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    text = read("g.html", f"<p>Cars</p><table>{page}</table>".encode()).documents[0].text
    assert f"{label.format(2)} | hp | Power" in text


FORM = """Norland

Land boundaries

total: 1,136 km

border countries: Osten 477 km

Climate: mild

Population

total: 892,877 (2025 est.)

0-14 years: 23.1%

Median age

total: 31.2 years
"""


def test_labels_in_small_letters_say_their_heading_in_a_form():
    lines = [line for line in one("norland.txt", FORM.encode()).text.split("\n") if ":" in line]
    assert lines == [
        "Land boundaries – total: 1,136 km",
        "Land boundaries – border countries: Osten 477 km",
        "Climate: mild",
        "Population – total: 892,877 (2025 est.)",
        "Population – 0-14 years: 23.1%",
        "Median age – total: 31.2 years",
    ]


def test_sections_begin_where_they_did_in_a_form():
    names = ("Area", "Births", "Deaths")
    parts = (f"## {name}\n\ntotal: {n}\n\nmale: {n}" for n, name in enumerate(names))
    form = "\n\n".join(("# Norland", *parts))
    document = one("norland.md", form.encode())
    heads = [document.text[start:].partition("\n")[0] for start, _ in document.outline]
    assert heads == [*names]
    assert "Births – male: 1" in document.text


def test_two_headings_make_no_form():
    text = "Options\n\nname: what it is called\n\nModes\n\nfast: it runs\n"
    assert one("o.txt", text.encode()).text.count("–") == 0


def test_rows_below_the_names_of_columns_are_no_form():
    tables = "\n\n".join(f"| {name} | Means |\n|---|---|\n| fast | it runs |\n" for name in ("Mode", "Way", "Kind"))
    assert "–" not in one("t.md", tables.encode()).text


@pytest.mark.parametrize("answer", ["Answer\n\nB", "Answer: B", "Correct answer: (b)"])
def test_the_right_answer_of_a_quiz_stands_beside_its_question(answer: str):
    quiz = (
        f"What is an example of corporate crime?\n\n1. Assault.\n2. Embezzlement.\n3. Arson.\n\n{answer}\n\nRead on.\n"
    )
    text = one("quiz.txt", quiz.encode()).text
    assert text.split("\n\n") == [
        "What is an example of corporate crime?",
        "Answer: Embezzlement",
        "Other options: Assault / Arson",
        "Read on.",
    ]


def test_a_question_without_an_answer_below_it_keeps_its_list():
    text = "What do we need?\n\n- Rope\n- Nails\n\nAnswers come on Monday.\n"
    assert one("q.txt", text.encode()).text == text.strip()


NOTEBOOK = """{"cells": [
{"cell_type": "markdown", "source": ["# Votes of 2025\\n", "Who was *elected*."]},
{"cell_type": "code", "source": "print(rank(votes))", "outputs": [
 {"output_type": "stream", "text": ["1. Ann Lee\\n", "2. Bo Berg\\n"]},
 {"output_type": "display_data", "data": {"image/png": "iVBOR", "text/plain": "<Figure>"}}]}
], "metadata": {}, "nbformat": 4}"""


def test_a_notebook_is_read_as_prose_and_what_its_code_printed():
    reading = read("votes.ipynb", NOTEBOOK.encode())
    (document,) = reading.documents
    assert document.title == "Votes of 2025"
    assert document.text.startswith("Who was elected.\n\n1. Ann Lee\n2. Bo Berg")
    assert "rank(votes)" not in document.text
    assert "iVBOR" not in document.text
    assert reading.notices == ("1 of 2 cells are code: what they printed was read",)


@pytest.mark.parametrize("data", [b"{}", b"[1]", b"not json", b'{"cells": [{}]}'])
def test_what_is_no_notebook_is_refused(data: bytes):
    with pytest.raises(FileReadError, match="expected a notebook"):
        read("votes.ipynb", data)


@pytest.mark.parametrize("rule", ["-- ", "_______________________________________________"])
def test_what_a_mailing_list_puts_below_a_message_is_left_out(rule: str):
    footer = (
        f"{rule}\nUsers' Group: users@example.org\nhttp://example.org/mailman/listinfo/users for (un)subscription\n"
    )
    message = f"Subject: Lilo\n\nUse lilo -u.\n\n-- \nAnn Lee, Marseille\n\n{footer}"
    assert one("m.eml", message.encode()).text == "Use lilo -u.\n\n-- \nAnn Lee, Marseille"


def test_a_signature_that_is_none_of_a_list_stays():
    message = b"Subject: Lilo\n\nUse lilo -u.\n\n-- \nAnn Lee, Marseille\n"
    assert one("m.eml", message).text == "Use lilo -u.\n\n-- \nAnn Lee, Marseille"


def test_lines_of_few_words_on_a_slide_stay_lines():
    head = "Shape Inference Improvements\nPresenter: Calvin Berg\nLightworks"
    slide = f"{head}\n1. Continued progress with propagation\n2. Ranks that are unknown"
    assert with_whole_lines(slide, fewest=1) == slide


def test_lines_of_a_form_stay_lines_however_wide_they_are():
    wide = "Natural hazards: violent storms from the mountains and frequent landslides in the rainy season"
    page = f"{wide}\nLand boundaries\ntotal: 1,136 km\nGeography - note: landlocked\nCoastline: 0 km"
    assert with_whole_lines(page, fewest=1) == page


def drawn(lines):
    """Lines of a page, each with the size of its letters."""
    return [f") Tj /F1 {size} Tf ({line}" for size, line in lines]


def test_what_a_pdf_prints_in_larger_letters_names_its_sections_and_passages_end_with_them(make_pdf):
    prose = [(11, f"The panel of kind {n} has a pump, a valve and a gauge that is read each week.") for n in range(5)]
    page = [(24, "Panel guide"), (18, "Setting up"), *prose, (15, "Wiring"), *prose, (18, "Cleaning"), *prose]
    document = one("r.pdf", make_pdf([drawn(page), drawn([*prose, (18, "Storage"), *prose])]))
    paths = ["Setting up", "Setting up › Wiring", "Cleaning", "Storage"]
    assert [path for _, path in document.outline] == paths
    assert [document.text[start:].split("\n")[0] for start, _ in document.outline] == [
        "Setting up", "Wiring", "Cleaning", "Storage",
    ]  # fmt: skip
    places = [passage.place for passage in cut(document)]
    assert places == [
        "page 1, Setting up",
        *(f"page 1, {path}" for path in paths[1:3]),
        "page 2, Cleaning",
        "page 2, Storage",
    ]


def test_what_stands_large_on_every_page_or_fills_a_slide_is_no_section(make_pdf):
    page = drawn([(18, "Panel guide"), *[(11, f"The panel has a valve of kind {n}.") for n in range(9)]])
    assert one("r.pdf", make_pdf([page] * 4)).outline == ()
    slide = drawn([(30, "Panels"), (18, "Pumps"), (18, "Valves and gauges"), (11, "Berg, 2031")])
    assert one("s.pdf", make_pdf([slide])).outline == ()


def placed(rows):
    """Rows of two cells, the second in a column of its own."""
    return [f") Tj 0 0 Td ({label}) Tj 200 0 Td ({value}) Tj -200 -20 Td (" for label, value in rows]


def test_a_table_of_two_columns_in_a_pdf_has_its_labels(make_pdf):
    rows = [("Width", "14 HP"), ("Depth", "25 mm"), ("Weight", "2 kg"), ("Maker", "Berg")]
    assert one("r.pdf", make_pdf([placed(rows)])).text.split("\n")[:4] == [
        "Width: 14 HP", "Depth: 25 mm", "Weight: 2 kg", "Maker: Berg",
    ]  # fmt: skip
    figures = [("Sales", "14,100"), ("Costs", "12,300"), ("Result", "1,800"), ("Cash", "900")]
    assert "Sales 14,100" in one("f.pdf", make_pdf([placed(figures)])).text


def test_the_value_under_value_needs_no_name_of_its_column():
    table = b"# Pump\n\nText.\n\n| Parameter | Value |\n|---|---|\n| Width | 14 HP |\n| Depth | 25 mm |\n"
    assert "Width: 14 HP\nDepth: 25 mm" in one("pump.md", table).text


def test_lines_that_list_the_parts_of_their_document_are_no_text():
    names = ("Aims", "Licences", "Penalty")
    listed = "".join(f"- {n} {name}\n" for n, name in enumerate(names, start=1))
    parts = "".join(f"\n## {n} {name}\n\nThese are set here.\n" for n, name in enumerate(names, start=1))
    document = one("c.md", f"# Chapter 7\n\n{listed}{parts}".encode())
    assert document.text.count("Licences") == 1
    heads = [document.text[start:].split("\n")[0] for start, _ in document.outline]
    assert heads == ["1 Aims", "2 Licences", "3 Penalty"]


def test_two_lines_that_repeat_headings_are_text():
    text = b"# T\n\nAims\n\nPenalty\n\n## Aims\n\nAll are met.\n\n## Penalty\n\nNone is due.\n"
    assert one("c.md", text).text.startswith("Aims\n\nPenalty\n\nAims")


def test_a_heading_of_several_spaces_is_found():
    import docx

    content = docx.Document()
    content.add_heading("Rules", 1)
    for number in (1, 2):
        content.add_heading(f"7.{number} \u2009 Licences of kind {number}", 2)
        content.add_paragraph("They are granted.")
    data = io.BytesIO()
    content.save(data)
    paths = [path for _, path in one("r.docx", data.getvalue()).outline]
    assert paths == ["7.1 Licences of kind 1", "7.2 Licences of kind 2"]


@pytest.mark.parametrize(("text", "title"), [
    (b"## 2031-01-02\n\n- Pumps were chosen.\n\n## 2031-01-09\n\n- Valves were chosen.\n", "2031-01 board"),
    (b"# May 3\n\n- Pumps were chosen.\n\n# May 10\n\n- Valves were chosen.\n", "2031-01 board"),
    (b"## Pumps\n\nText.\n", "Pumps"),
    (b"# Pumps\n\nText.\n\n# Valves\n\nText.\n", "Pumps"),
])  # fmt: skip
def test_a_heading_that_is_one_of_several_or_a_day_is_no_title(text, title):
    document = one("2031-01-board.md", text)
    assert (document.title, document.date) == (title, "2031-01")
    assert "chosen" not in document.text or len(document.outline) == 2


@pytest.mark.parametrize(("name", "date"), [
    ("board-2031-01.md", "2031-01"), ("AMZN-2022-10-K.txt", ""), ("2031-13-board.md", ""),
    ("2031-01-02 board.md", "2031-01-02"),
])  # fmt: skip
def test_a_month_in_the_name_of_a_file_is_its_time(name, date):
    assert one(name, b"It rained.\nWe stayed in.").date == date


def test_lettered_items_of_a_pdf_begin_lines(make_pdf):
    lines = [
        "A licence may be revoked, after a hearing of all who ask for one, for these reasons:",
        "(a) a statement that is false, whoever has made it in whatever form it was made; or",
        "(b) a conviction.",
    ]
    assert [line[:3] for line in one("r.pdf", make_pdf([lines])).text.split("\n")] == ["A l", "(a)", "(b)"]


def test_a_header_that_says_nothing_stands_before_no_cell():
    rows = [["Term", "Particulars"], ["Rent", "36,000 a year"], ["Deposit", "9,000"]]
    assert text_of_table(rows).split("\n")[1:] == ["Rent: 36,000 a year", "Deposit: 9,000"]
