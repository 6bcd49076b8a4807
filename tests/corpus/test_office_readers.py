"""Spreadsheets, text documents, slides, books and mail, as offices have them."""

from __future__ import annotations

import io
import zipfile
from email.message import EmailMessage

import pytest

from adaq_core.corpus.readers import read
from adaq_core.errors import FileReadError
from tests.corpus.test_readers import one

# Spreadsheets, text documents, slides, books, mail


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


ASKED = "Subject: Re: Lease\nFrom: Ann Lee <ann@x.example>\nTo: Bo <bo@x.example>\n\n"


def test_a_message_quoted_whole_below_another_is_a_document_of_its_own_writer_and_day():
    body = "Seven years.\n\nAnn\n\nOn Wed, 5 Mar 2025 at 09:12, Bo <bo@x.example> wrote:\n> How long?\n>\n> Bo\n"
    own, quoted = read("m.eml", f"{ASKED}{body}".encode()).documents
    assert (own.source, own.text) == ("Ann Lee <ann@x.example>", "Seven years.\n\nAnn")
    assert (quoted.document_id, quoted.title, quoted.source) == ("m.eml/quoted 1", "Lease", "Bo <bo@x.example>")
    assert (quoted.date, quoted.text) == ("2025-03-05", "How long?\n\nBo")


@pytest.mark.parametrize("rule", ["-----Original Message-----\n", "---------- Forwarded message ---------\n", ""])
def test_a_message_below_the_lines_of_its_head_is_a_document_of_its_own_writer_and_day(rule: str):
    head = "From: Cy <cy@y.example>\nSent: Wednesday, 5 March 2025 11:40\nTo: Ann Lee\nSubject: Bill\n"
    _, quoted = read("m.eml", f"{ASKED}Please check.\n\n{rule}{head}\nThe bill is 5 euros.\n".encode()).documents
    assert (quoted.title, quoted.source, quoted.date) == ("Bill", "Cy <cy@y.example>", "2025-03-05")
    assert quoted.text == "The bill is 5 euros."


def test_what_is_answered_between_the_lines_stays_with_them():
    body = "On 5 Mar 2025, Bo wrote:\n> How long?\n\nSeven years.\n\n> Who pays?\n\nWe do.\n"
    assert one("m.eml", f"{ASKED}{body}".encode()).text == body.strip()


def test_messages_within_messages_end_somewhere_and_lose_nothing():
    head = "From: Cy\nSent: Wednesday, 5 March 2025 11:40\nSubject: Bill\n\n"
    documents = read("m.eml", f"{ASKED}Please check.\n\n{f'{head}Please pay.{chr(10)}' * 3_000}".encode()).documents
    assert len(documents) == 51
    assert sum(each.text.count("Please pay.") for each in documents) == 3_000


def test_many_answers_between_quoted_lines_stay_with_them():
    lines = "On Mon, 3 May 2021, Ann Lee wrote:\n> When?\nToday.\n"
    document = one("m.eml", f"{ASKED}{lines * 5_000}".encode())
    assert document.text.count("Today.") == 5_000
