"""PDF and Word: pages, headings, tables, notes; what is locked, damaged or too large is refused in words."""

import io
import zipfile

import docx
import pytest
from pypdf import PdfWriter, Transformation

from adaq_core.corpus.readers import (
    MIB,
    Limits,
    read,
)
from adaq_core.errors import FileReadError
from adaq_core.model import Document
from tests.corpus.test_readers import one, reason

# PDF


def test_the_pages_of_a_pdf_become_one_document(make_pdf):
    data = make_pdf([["Cells are scarce.", "Lithium too."], ["Page two."]], title="Supply report")
    assert one("r.pdf", data) == Document(
        "r.pdf",
        "Supply report",
        "Cells are scarce.\nLithium too.\n\nPage two.",
        metadata=(("pages", "2"),),
        pages=(0, 32),
    )


def test_the_heads_and_feet_of_pages_are_no_text(make_pdf):
    pages = [["Supply report", f"Plant {name} makes cells.", "It is new.", str(n)] for n, name in enumerate("ABCD", 1)]
    assert one("r.pdf", make_pdf(pages)).text == "\n\n".join(
        f"Plant {name} makes cells.\nIt is new." for name in "ABCD"
    )


def test_the_head_of_pages_may_have_several_lines(make_pdf):
    pages = [[f"Plant {name} makes cells.", "Agreement FA-3", f"Page {n} of 4"] for n, name in enumerate("ABCD", 1)]
    assert one("r.pdf", make_pdf(pages)).text == "\n\n".join(f"Plant {name} makes cells." for name in "ABCD")


def test_what_two_pages_share_is_text(make_pdf):
    assert one("r.pdf", make_pdf([["Yes.", "One."], ["Yes.", "Two."]])).text == "Yes.\nOne.\n\nYes.\nTwo."


def test_wrapped_lines_and_hyphens_of_a_pdf_are_joined(make_pdf):
    wrapped = [
        "Battery cells are in short supply in the whole of the United",
        "States, and the companies that make them say that their sup-",
        "pliers cannot deliver.",
        "A new line.",
    ]
    assert one("r.pdf", make_pdf([wrapped])).text == (
        "Battery cells are in short supply in the whole of the United States, and the companies that make them say "
        "that their suppliers cannot deliver.\nA new line."
    )


def test_pages_without_text_are_said_and_a_scan_is_refused(make_pdf):
    reading = read("r.pdf", make_pdf([["Text."], []]))
    assert reading.notices == ("1 of 2 pages holds no text",)
    advice = "no text, only pictures perhaps; run text recognition (OCR) first"
    assert reason("r.pdf", make_pdf([[], []])).startswith(f"its 2 pages hold {advice}")
    assert reason("r.pdf", make_pdf([[]])).startswith(f"its page holds {advice}")


def test_locked_damaged_and_overlong_pdfs_are_refused(make_pdf):
    assert "locked with a password" in reason("r.pdf", make_pdf([["Secret."]], password="x"))
    assert "is not a PDF, or a damaged one" in reason("r.pdf", b"%PDF-1.7 rubbish")
    assert "is not a PDF, or a damaged one" in reason("r.pdf", b"no pdf at all")
    assert "has 3 pages; the limit is 2" in reason("r.pdf", make_pdf([["a"], ["b"], ["c"]]), Limits(pages=2))
    assert "took more than 0 s" in reason("r.pdf", make_pdf([["a"], ["b"]]), Limits(seconds=0))


def test_a_pdf_cut_in_half_is_read_or_refused_in_words(make_pdf):
    data = make_pdf([[f"Line {n} of page {p}." for n in range(30)] for p in range(10)])
    for share in range(1, 10):
        try:
            text = one("r.pdf", data[: len(data) * share // 10]).text
        except FileReadError as error:
            text = str(error)
        assert "is not a PDF, or a damaged one" in text or "is damaged" in text or "Line 0 of page 0." in text


# Word


def test_paragraphs_and_tables_of_a_word_file_are_read_in_order(make_docx):
    data = make_docx(["First.", "", "Second."], rows=[["a", "b"], ["1", "2"]], title="Report")
    assert one("w.docx", data) == Document("w.docx", "Report", "First.\n\nSecond.\n\na | b\n\na 1; b 2")


def test_the_heading_that_opens_a_word_file_is_its_title():
    content = docx.Document()
    content.core_properties.title = ""
    content.add_heading("Travel policy", level=1)
    content.add_heading("Trains", level=2)
    content.add_paragraph("Trains go second class.")
    buffer = io.BytesIO()
    content.save(buffer)
    document = one("draft-final-2.docx", buffer.getvalue())
    assert (document.title, document.text) == ("Travel policy", "Trains\n\nTrains go second class.")
    assert document.outline == ((0, "Trains"),)


@pytest.mark.parametrize(("drawn", "shown"), [(0, 90), (90, 0), (270, 0), (270, 90)])
def test_lines_of_a_turned_page_keep_their_order_and_their_ends(make_pdf, drawn: int, shown: int):
    lines = ["Week Watch Cook", "23 Elof Sanna", "24 Sanna Ture", "25 Ture Elof"]
    writer = PdfWriter(clone_from=io.BytesIO(make_pdf([lines])))
    page = writer.pages[0]
    page.add_transformation(Transformation().rotate(drawn).translate(*{90: (792, 0), 270: (0, 612)}.get(drawn, (0, 0))))
    page.rotate(shown)
    turned = io.BytesIO()
    writer.write(turned)
    assert one("r.pdf", turned.getvalue()).text.split("\n") == lines


NAMES = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def run(text: str) -> str:
    return f"<w:r><w:t>{text}</w:t></w:r>"


def test_what_word_keeps_in_fields_changes_boxes_and_notes_is_read_and_what_was_deleted_is_not():
    from docx.oxml import parse_xml

    content = docx.Document()
    kept = (
        f"<w:p>{run('Client: ')}<w:sdt><w:sdtContent>{run('Arden Ltd')}</w:sdtContent></w:sdt></w:p>",
        f"<w:sdt><w:sdtContent><w:p>{run('Cover letter.')}</w:p></w:sdtContent></w:sdt>",
        f"<w:p>{run('Pay in ')}<w:ins>{run('ten')}</w:ins><w:del><w:r><w:delText>five</w:delText></w:r></w:del>"
        f"{run(' days.')}<w:r><w:footnoteReference w:id='2'/></w:r></w:p>",
        f"<w:p>{run('Beside.')}<w:r><w:pict><w:txbxContent><w:p>{run('In a box.')}</w:p></w:txbxContent></w:pict></w:r>"
        "</w:p>",
        "<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val='Table of Contents'/></w:docPartObj></w:sdtPr>"
        f"<w:sdtContent><w:p>{run('Scope 3')}</w:p></w:sdtContent></w:sdt>",
    )
    for part in kept:
        content.element.body.insert(-1, parse_xml(part.replace(">", f" {NAMES}>", 1)))
    content.add_paragraph("Bring a pass", style="List Bullet")
    content.add_paragraph("Sign the list", style="List Bullet")
    buffer = io.BytesIO()
    content.save(buffer)
    with zipfile.ZipFile(buffer, "a") as archive:
        archive.writestr(
            "word/footnotes.xml",
            f"<w:footnotes {NAMES}><w:footnote w:id='2'><w:p>{run('Working days.')}</w:p></w:footnote></w:footnotes>",
        )
    assert one("w.docx", buffer.getvalue()).text.split("\n\n") == [
        "Client: Arden Ltd",
        "Cover letter.",
        "Pay in ten days.",
        "Note: Working days.",
        "Beside.",
        "In a box.",
        "- Bring a pass\n- Sign the list",
    ]


def test_a_cell_of_a_word_table_counts_for_all_its_rows_and_a_title_over_all_columns_once():
    content = docx.Document()
    table = content.add_table(rows=4, cols=3)
    rows = (("Sales", "", ""), ("Region", "Item", "2023"), ("Europe", "Cars", "5"), ("", "Bikes", "6"))
    for row, texts in zip(table.rows, rows, strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    table.cell(0, 0).merge(table.cell(0, 2))
    table.cell(2, 0).merge(table.cell(3, 0))
    buffer = io.BytesIO()
    content.save(buffer)
    assert one("w.docx", buffer.getvalue()).text.split("\n") == [
        "Sales",
        "Region | Item | 2023",
        "Europe: Item Cars; 2023 5",
        "Europe: Item Bikes; 2023 6",
    ]


def test_locked_damaged_and_exploding_word_files_are_refused(make_docx):
    assert "locked with a password, or an old .doc" in reason("w.docx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"x" * 99)
    assert "is not a .docx, or a damaged one" in reason("w.docx", make_docx(["Text."])[:500])
    assert "is damaged or not what its name says" in reason("w.docx", _zip({"other.xml": b"<a/>"}))
    bomb = _zip({"word/document.xml": b"\x20" * (80 * MIB)})
    assert "like a zip bomb" in reason("w.docx", bomb)


def test_entities_that_multiply_are_not_unfolded(make_docx):
    laughs = b'<!DOCTYPE w [<!ENTITY a "ha">' + b"".join(
        f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">'.encode() for n in range(9)
    )
    original = zipfile.ZipFile(io.BytesIO(make_docx(["MARK"])))
    parts = {name: original.read(name) for name in original.namelist()}
    head, body = parts["word/document.xml"].split(b"?>", 1)
    parts["word/document.xml"] = head + b"?>" + laughs + b"]>" + body.replace(b"MARK", b"&j;")
    try:
        text = one("w.docx", _zip(parts)).text
    except FileReadError:
        return
    assert len(text) < 1000


def _zip(parts: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return buffer.getvalue()
