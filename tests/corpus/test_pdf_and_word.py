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
    with_whole_lines,
)
from adaq_core.corpus.readers.pdf import _is_detached
from adaq_core.errors import FileReadError
from adaq_core.model import Document
from adaq_core.text.passages import cut
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


# Pages, titles and sections of PDFs


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


def test_a_page_with_columns_of_bare_numbers_is_detached():
    assert _is_detached("Revenue\nCosts\nProfit\n" + "\n".join(f"{n},000" for n in range(10)))
    assert not _is_detached("\n".join(f"Row {n} 1,000 2,000" for n in range(20)))


def test_lines_of_few_words_on_a_slide_stay_lines():
    head = "Shape Inference Improvements\nPresenter: Calvin Berg\nLightworks"
    slide = f"{head}\n1. Continued progress with propagation\n2. Ranks that are unknown"
    assert with_whole_lines(slide, fewest=1) == slide


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


def test_lettered_items_of_a_pdf_begin_lines(make_pdf):
    lines = [
        "A licence may be revoked, after a hearing of all who ask for one, for these reasons:",
        "(a) a statement that is false, whoever has made it in whatever form it was made; or",
        "(b) a conviction.",
    ]
    assert [line[:3] for line in one("r.pdf", make_pdf([lines])).text.split("\n")] == ["A l", "(a)", "(b)"]
