from __future__ import annotations

import gzip
import io
import json
import re
import time
import zipfile
from itertools import pairwise

import docx
import pytest
from pypdf import PdfWriter, Transformation

from adaq_core.corpus.readers import (
    _SAVED_AS,
    MIB,
    Limits,
    SourceFile,
    clean,
    day,
    decode,
    read,
    readers,
    suffix_of,
    unique_ids,
    with_whole_lines,
)
from adaq_core.errors import FileReadError
from adaq_core.model import Document


def one(key: str, data: bytes) -> Document:
    (document,) = read(key, data).documents
    return document


def reason(key: str, data: bytes, limits: Limits | None = None) -> str:
    with pytest.raises(FileReadError) as caught:
        read(key, data, limits)
    return str(caught.value)


def test_every_promised_kind_of_file_has_a_reader():
    assert {".txt", ".md", ".html", ".pdf", ".docx", ".csv", ".jsonl", ".json"} <= set(readers())


@pytest.mark.parametrize(
    ("name", "suffix"),
    [("a.TXT", ".txt"), ("b/c.jsonl.gz", ".jsonl"), ("x", ".txt"), ("a.b/c", ".txt"), ("a/.md", ".txt")],
)
def test_the_ending_decides_who_reads(name, suffix):
    assert suffix_of(name) == suffix


# Plain text and encodings


def test_a_text_file_is_a_document_named_by_its_file():
    assert one("notes/supply_chain-risks.txt", b"One line.\r\nTwo.\n") == Document(
        "notes/supply_chain-risks.txt", "supply chain risks", "One line.\nTwo."
    )


def test_a_first_line_that_stands_alone_is_the_title():
    assert one("a.txt", b"Battery supply\n\nCells are scarce.").title == "Battery supply"
    assert one("a.txt", b"A whole sentence.\n\nMore.").title == "a"
    assert one("a.txt", b"Battery supply\n==============\nCells are scarce.").title == "Battery supply"
    assert one("a.txt", b"\n          Battery supply\n        Version 2, 2031\n\nMore.").title == "Battery supply"
    assert one("a.txt", b"Battery supply\nis scarce.").title == "a"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_marked_and_plain_unicode_is_read(encoding):
    assert one("a.txt", "Žluťoučký kůň 東京".encode(encoding)).text == "Žluťoučký kůň 東京"


def test_windows_text_is_read_and_said():
    reading = read("a.txt", "naïve café – “so”".encode("cp1252"))
    assert reading.documents[0].text == "naïve café – “so”"
    assert reading.notices == ("not UTF-8 (byte 2): read as Windows-1252, so some letters may be wrong",)


def test_binary_data_named_txt_is_refused():
    assert "got binary data" in reason("a.txt", bytes(range(256)) * 4)
    assert "got binary data" in reason("a.txt", b"\x89PNG\r\n\x1a\n\x01\x02\x03\x04\xff\xfe" * 40)
    assert "utf-16" in reason("a.txt", b"\xff\xfea")


def test_empty_and_blank_files_are_refused():
    assert reason("a.txt", b"") == "is empty; expected some text"
    assert reason("a.txt", b" \n ") == "holds no text"


VOICES = """WEBVTT

NOTE made by a machine

0
00:00:01.000 --> 00:00:04.200 align:start
<v Ann Lee>Good morning. The budget is</v>

1
00:00:04.200 --> 00:00:06.000
<v Ann Lee><i>70,000 euros</i> this year.</v>

00:00:07.100 --> 00:00:09.000
<v Bo Ek>Thank you.
"""


def test_of_captions_what_is_said_is_read_by_whom_it_is_said():
    meeting = one("board_meeting.vtt", VOICES.encode())
    assert meeting.title == "board meeting"
    assert meeting.text == "Ann Lee: Good morning. The budget is 70,000 euros this year.\n\nBo Ek: Thank you."


def test_in_captions_a_dash_or_a_name_opens_the_turn_of_another():
    lines = "1\n00:00:01,000 --> 00:00:02,500\n- ANN: When did it\n\n2\n00:00:03,000 --> 00:00:04,000\nbegin?\n\n"
    lines += "3\n00:00:05,000 --> 00:00:06,000\n- BO: In May.\n\n4\n00:00:07,000 --> 00:00:08,000\nCEM: In June.\n"
    assert one("talk.srt", lines.encode()).text == "ANN: When did it begin?\n\nBO: In May.\n\nCEM: In June."


def test_who_speaks_and_when_on_a_line_of_its_own_stands_before_what_is_said():
    turns = [
        "Ann Lee  00:04\nWe drop the film then.",
        "Speaker 2  00:11\nWho owns the rights?",
        "Ann Lee  00:19\nYou do, once it is paid.",
        "Speaker 2  1:00:25\nGood, that is all.",
    ]
    assert one("call.txt", "\n\n".join(turns).encode()).text.strip() == "\n\n".join(
        [
            "Ann Lee: We drop the film then.",
            "Speaker 2: Who owns the rights?",
            "Ann Lee: You do, once it is paid.",
            "Speaker 2: Good, that is all.",
        ]
    )


def test_a_log_of_messages_is_read_by_its_fields():
    lines = b'{"ts": "2024-03-12T09:31:10Z", "who": "Ann", "msg": "It is the certificate."}\n'
    lines += b'{"ts": "2024-03-12T09:40:00Z", "who": "Bo", "msg": "It is back."}\n'
    first, _ = read("log.jsonl", lines).documents
    assert first.date == "2024-03-12"
    assert first.text.endswith("msg: It is the certificate.")


def test_a_title_that_a_word_file_does_not_print_is_that_of_a_template(make_docx):
    prose = "The white loaf goes to another price from Monday and the rye loaf stays as it is. " * 3
    assert one("side_letter.docx", make_docx([prose], title="Fax cover")).title == "side letter"
    assert one("side_letter.docx", make_docx([prose], title="The rye loaf")).title == "The rye loaf"
    assert one("side_letter.docx", make_docx(["Dear Ann"], title="Fax cover")).title == "Fax cover"


def test_a_table_that_was_put_together_is_read_line_by_line():
    data = "customer;text\nMüller;Die Pumpe läuft nicht\n".encode() + "Søren;It leaks\n".encode("cp1252")
    reading = read("mixed.csv", data)
    assert [document.text for document in reading.documents] == [
        "Die Pumpe läuft nicht; customer: Müller",
        "It leaks; customer: Søren",
    ]
    assert reading.notices[0].startswith("not all UTF-8 (from byte 46): 1 lines read as Windows-1252")


def test_a_file_under_a_wrong_name_is_said_to_be_what_it_is(make_docx, make_pdf):
    assert reason("a.pdf", make_docx(["Dear Ann"])) == (
        "is called .pdf, but is a Word, Excel, PowerPoint or zip file; rename it"
    )
    assert reason("a.docx", make_pdf([["Dear Ann"]])) == "is called .docx, but is a PDF; rename it"
    assert one("a.txt", b"<html><body><h1>Minutes</h1><p>The board chose blue.</p></body></html>").title == "Minutes"


def test_a_quote_that_is_never_closed_is_told_and_captions_without_cues_are_empty():
    assert read("a.csv", b'a,b\n1,2\n"3,4\n5,6\n').problems == (
        "row 3 opens a quote that is never closed, so all behind it is one cell; close it",
    )
    assert reason("a.vtt", b"WEBVTT\n\n") == "holds no text"


def test_subtitles_are_read_as_text_without_times_whatever_the_file_is_called():
    lines = "1\r\n00:00:01,000 --> 00:00:02,500\r\nThe sea is\r\n{\\an8}very calm.\r\n\r\n"
    lines += "2\r\n00:00:02,500 --> 00:00:04,000\r\nvery calm.\r\nWe sail.\r\n"
    for name in ("film.srt", "film.txt"):
        assert one(name, lines.encode()).text == "The sea is very calm. We sail."


def test_an_unknown_kind_names_the_known_ones():
    assert reason("a.exe", b"MZ").startswith("cannot read .exe; can read .csv .docx")


def test_of_a_kind_that_is_not_read_it_is_said_what_to_save_it_as():
    assert reason("old.doc", b"x") == reason("OLD.DOC", b"x") == "cannot read .doc; save it as .docx"
    assert reason("mail.msg", b"x") == "cannot read .msg; save it as .eml"
    assert reason("run.log", b"x") == "cannot read .log; save it as .txt"
    assert reason("all.zip", b"x") == "cannot read .zip; unpack it and add what is in it"
    assert set(_SAVED_AS) - set(readers()) == {"a PDF whose text was recognised (OCR)"}
    assert not {ending for endings in _SAVED_AS.values() for ending in endings.split()} & set(readers())


def test_a_file_without_an_ending_is_text():
    assert one("METADATA", b"Name: adaq").text == "Name: adaq"
    assert "got binary data" in reason("bin/tool", bytes(range(256)) * 4)


def test_invisible_and_unstorable_characters_are_cleaned_away():
    assert clean("a\x00b\ud800c\r\nd\x0ce\u202ef\ufeff") == "ab\ufffdc\nd\nef"


def test_one_huge_line_is_read():
    assert len(one("a.txt", b"word " * MIB).text) == 5 * MIB - 1


def test_a_paragraph_of_many_lines_is_joined_in_time():
    """Each line was joined to all before it: 33 MB took minutes, and were refused as if they were hostile."""
    line = "The pump was checked by the technician on that day and its pressure was good.\n"
    start = time.process_time()
    assert "\n" not in one("log.txt", line.encode() * 250_000).text
    assert time.process_time() - start < 10


@pytest.mark.parametrize("mark", ["<a name=x></a>", "<sup><a href=#n>1</a></sup>"])
def test_a_page_with_very_many_anchors_or_marks_is_read_in_time(mark):
    """The text behind each was copied to the one before: a page of 60,000 took half a minute, and was refused."""
    page = f"<html><title>t</title><body>{f'word{mark} ' * 60_000}</body></html>"
    start = time.process_time()
    assert one("a.html", page.encode()).text == ("word " * 60_000).strip()
    assert time.process_time() - start < 10


def test_a_file_over_the_limit_is_refused():
    assert reason("a.txt", b"x" * (2 * MIB), Limits(file_bytes=MIB)) == "is 2 MiB; the limit is 1 MiB: split it"


# gzip


def test_a_packed_file_is_unpacked_even_in_several_members():
    assert one("a.txt.gz", gzip.compress(b"First. ") + gzip.compress(b"Second.")).text == "First. Second."


def test_damaged_and_cut_gzip_files_are_refused():
    packed = gzip.compress(b"Some text that is long enough to be cut." * 50)
    assert "cut short" in reason("a.txt.gz", packed[:-12])
    assert "damaged" in reason("a.txt.gz", b"not gzip at all")


def test_a_gzip_bomb_is_refused():
    bomb = gzip.compress(b"\x20" * (80 * MIB))
    assert "like a zip bomb" in reason("a.txt.gz", bomb)
    assert "more than 10 MiB" in reason("a.txt.gz", bomb, Limits(unpacked_bytes=10 * MIB))


# Markdown


def test_markdown_front_matter_says_title_source_date_and_more():
    text = """---
title: "Tesla: supply risk"
source: Sample
topic: tesla
tags: [cells, lithium]
date: 2024-05-01
---
# Tesla: supply risk

Tesla buys **cells** from _Panasonic_ and [CATL](https://catl.com "site").

<!-- not for readers -->
* `lithium` is 2 * 3 of it; snake_case_name stays
"""
    assert one("tesla/supply.md", text.encode()) == Document(
        "tesla/supply.md",
        "Tesla: supply risk",
        "Tesla buys cells from Panasonic and CATL.\n\n- lithium is 2 * 3 of it; snake_case_name stays",
        source="Sample",
        date="2024-05-01",
        metadata=(("topic", "tesla"), ("tags", "cells, lithium")),
    )


def test_without_front_matter_the_first_heading_is_the_title():
    document = one("a.md", b"# Attention\n\nIt weighs.\n\n## Heads\nMany.")
    assert (document.title, document.text) == ("Attention", "It weighs.\n\nHeads\n\nMany.")


def test_another_heading_than_the_title_stays_in_the_text():
    document = one("a.md", b"---\ntitle: T\n---\n# Other\n\nBody.")
    assert (document.title, document.text) == ("T", "Other\n\nBody.")


def test_front_matter_in_toml_says_title_day_and_more():
    fields = (
        'path = "2025/06/26/Acme-1.88"\ntitle = "Announcing Acme 1.88"\nauthors = ["A", "B"]\n[extra]\nrelease = true'
    )
    toml = f"+++\n{fields}\n+++\n"
    post = one("acme.md", f"{toml}\nWe are happy.".encode())
    assert (post.title, post.date, post.text) == ("Announcing Acme 1.88", "2025-06-26", "We are happy.")
    assert {("authors", "A, B"), ("release", "True")} <= set(post.metadata)
    reading = read("acme.md", b"+++\ntitle = \n+++\nWe are happy.")
    assert reading.documents[0].text == "We are happy."
    assert "front matter line not understood" in reading.problems[0]


def test_strange_front_matter_is_listed_and_the_rest_read():
    reading = read("a.md", b"---\ntitle: T\n- oops\n---\nBody.")
    assert reading.documents[0].title == "T"
    assert reading.problems == ("front matter line not understood: '- oops'",)


def test_hostile_markdown_is_read_as_it_stands():
    hostile = "[" * 10_000 + "*" * 10_000 + "_a" * 10_000
    assert one("a.md", hostile.encode()).text == hostile


# HTML


def test_the_main_text_of_a_page_is_read_without_its_menu():
    body = "".join(f"<p>Paragraph {n} speaks at some length about the supply of battery cells.</p>" for n in range(6))
    page = f"""<html><head><title>Cells | Site</title><meta property="og:site_name" content="The Site">
    <meta property="article:published_time" content="2024-03-02T10:00:00Z"></head>
    <body><nav><a href="/">Home</a> <a href="/x">Menu entry</a></nav><article><h1>Cells</h1>{body}</article>
    <script>alert(1)</script><footer>Imprint</footer></body></html>"""
    document = one("p.html", page.encode())
    assert (document.title, document.source, document.date) == ("Cells", "The Site", "2024-03-02")
    assert "Paragraph 5 speaks" in document.text
    assert not {"Menu entry", "alert", "Imprint"} & set(document.text.replace("\n", " ").split(" "))


PROSE = "<p>Shares are split where their price has risen too high for many people, which has to be entered by hand.</p>"


def test_the_sections_of_a_page_that_marks_no_main_part_keep_their_headings():
    parts = "".join(
        f"""<div class="sect"><div class="titlepage"><div><h3 class="title"><a name="s{n}"></a>9.{n}. Part {n}</h3>
        </div></div>{PROSE}<p>Part {n} tells which number of shares is entered there and what it costs.</p></div>"""
        for n in range(1, 4)
    )
    menu = "<ul><li><a href='1'>Home</a></li><li><a href='2'>Contents</a></li></ul>"
    document = one("p.html", f"<html><body>{menu}<h2>9. Splits</h2>{PROSE}{parts}</body></html>".encode())
    assert [path for _, path in document.outline] == [
        "9. Splits",
        *(f"9. Splits › 9.{n}. Part {n}" for n in range(1, 4)),
    ]
    assert "Contents" not in document.text


def test_what_turns_the_pages_of_a_manual_is_no_text_of_it():
    """Manuals in HTML say in their head which page stands before and behind, and lead there at top and bottom."""
    head = "<link rel='prev' href='a.html'><link rel='next' href='c.html'>"
    cells = "<td><a href='a.html'>&lt; Prev</a></td><th>Part III</th><td><a href='c.html'>Next</a></td>"
    turner = f"<table><tr>{cells}</tr></table>"
    toc = "<dl><dt><a href='c.html'>1. Terms</a></dt><dt><a href='d.html'>2. Uses</a></dt></dl>"
    body = f"{turner}<h2>Budgets</h2>{toc}<p>Read <a href='c.html'>on</a>.</p>{PROSE}"
    page = f"<html><head>{head}</head><body>{body}</body></html>"
    text = one("p.html", page.encode()).text
    assert "Prev" not in text
    assert "Part III" not in text
    assert "Uses" not in text
    assert "Read on" in text
    assert "Shares are split" in text


def test_a_piece_of_a_page_without_a_body_is_read_whole():
    """Help texts and descriptions are kept without a head: what hangs in their lists is as much text as the rest."""
    items = "".join(f"<li><i>Star {n}</i>, the bear of tale {n}</li>" for n in range(1, 9))
    document = one("p.html", f"<h1>Stars</h1>{PROSE}<h2>Figures</h2><p>For example, <ul>{items}</ul>{PROSE}".encode())
    assert [n for n in range(1, 9) if f"the bear of tale {n}" not in document.text] == []
    assert "Figures" in document.text


def test_elements_that_no_browser_knows_keep_their_text():
    rows = "<tr><td><notr>Bunya</notr></td><td>Possum</td></tr><tr><td><x-name>Gnowee</x-name></td><td>Sun</td></tr>"
    table = f"<table><tr><th>Name</th><th>Sense</th></tr>{rows}</table>"
    text = one("p.html", f"<html><body><main>{PROSE}{PROSE}{table}</main></body></html>".encode()).text
    assert [name for name in ("Bunya", "Gnowee") if name not in text] == []


def test_what_is_called_like_a_part_of_a_layout_is_read_where_it_is_none():
    page = f"""<html><body><main><h1>About</h1>{PROSE}
    <p>Select the account and click on <span class="guibutton">Forward</span> to go on with it.</p>
    <section id="authors-and-editors"><h2>Authors and editors<a class="headerlink" href="#authors">¶</a></h2>
    <p>The manual was first written by one editor and was later revised by many others.</p></section>{PROSE}
    </main></body></html>"""
    document = one("p.html", page.encode())
    assert "click on Forward to go on" in document.text
    assert "The manual was first written" in document.text
    assert [path for _, path in document.outline] == ["About", "About › Authors and editors"]


def test_lines_of_the_source_end_no_sentence_of_a_page_and_a_term_stands_before_what_it_means():
    page = f"""<html><body><main><h1>Fields</h1>{PROSE}<div>After fifteen years as the Legal
    Director of the firm she took on another role, in which she stayed until the end.</div>
    <dl><dt>New Price</dt><dd>The price of the stock after the split.</dd></dl>{PROSE}</main></body></html>"""
    lines = one("p.html", page.encode()).text.split("\n")
    assert any("the Legal Director of the firm" in line for line in lines)
    assert "- New Price: The price of the stock after the split." in lines


def test_the_marks_of_notes_are_no_words_of_a_page():
    marked = """<p>The method was made by two people.<sup><a href="#n1">[1]</a></sup> It takes n<sup>2</sup>
    steps.<a href="notes.xhtml#n2"><sup>2</sup></a> Others came later.<sup>[citation needed]</sup></p>"""
    text = one("p.html", f"<html><body><main><h1>Method</h1>{PROSE}{marked}</main></body></html>".encode()).text
    assert "made by two people. It takes n2 steps. Others came later." in text


def test_the_head_of_a_note_within_an_item_is_no_part_of_its_first_sentence():
    note = "<table><tr><td></td><th>Note</th></tr><tr><td colspan=2><p>The first balance is zero.</p></td></tr></table>"
    steps = f"<h1>Steps</h1>{PROSE}<ol><li><p>Type the balance in.</p>{note}</li></ol>"
    text = one("p.html", f"<html><body><main>{steps}</main></body></html>".encode()).text
    assert re.search(r"Note:[ \n|]{1,5}The first balance is zero\.", text)


def test_a_page_without_a_main_part_gives_all_its_text_and_says_so():
    reading = read("p.html", b"<p>Short.</p>")
    assert reading.documents[0] == Document("p.html", "p", "Short.")
    assert reading.notices == ("no main part was found: all the text of the page was taken",)


_STATED = """<html><head><title>Plum cake - The Oven Site</title>
<meta property="og:site_name" content="The Oven"><script type="application/ld+json">{"@graph": [{"@type": "WebPage",
"name": "x"}, {"@type": ["Recipe"], "name": "Plum cake", "recipeYield": ["8", "8 slices"], "totalTime": "PT90M",
"recipeCategory": "<p>Cakes</p>", "suitableForDiet": "https://schema.org/VegetarianDiet", "url": "https://a.example",
"nutrition": {"@type": "NutritionInformation", "calories": "310 kcal"},
"recipeIngredient": ["200 g of ripe plums, without their stones", "100 g of flour for the dough and the tin",
"2 eggs of medium size, beaten", "80 g of sugar and a little more to scatter", "some butter"]}]}</script></head>
<body><article><h1>Plum cake</h1><p>This cake is best on the second day, when the plums have given juice to it.</p>
<p>Serve it with cream, or eat it as it is, on a plate or out of your hand.</p></article></body></html>"""


def test_what_a_page_states_of_its_thing_for_machines_is_read():
    page = one("cake.html", _STATED.encode())
    assert page.title == "Plum cake"
    above, *_, listed, below = page.text.split("\n\n")
    assert above.split("\n") == [
        "Yield: 8 slices",
        "Total time: 1 hour 30 minutes",
        "Category: Cakes",
        "Suitable for diet: Vegetarian Diet",
    ]
    assert listed.startswith("Ingredients\n- 200 g of ripe plums, without their stones\n- 100 g of flour")
    assert below == "Calories: 310 kcal"
    assert dict(page.metadata)["total time"] == "1 hour 30 minutes"
    assert dict(page.metadata)["kind"] == "Recipe"


def test_of_a_page_that_lists_many_things_none_is_the_one_that_it_is_about():
    many = _STATED.replace('{"@graph": [', '{"@graph": [' + '{"@type": "Product", "sku": "7"}, ' * 4)
    page = one("cake.html", many.encode())
    assert "sku" not in dict(page.metadata)
    assert "Yield" not in page.text


@pytest.mark.parametrize("stated", ["{", "[" * 100_000, '[[1], {"@type": 5}, {"@type": [[]]}, null]', "[{}]" * 9_000])
def test_what_a_page_states_in_no_sense_costs_nothing_else(stated):
    before, _, rest = _STATED.partition('{"@graph"')
    _, _, behind = rest.partition("</script>")
    assert "second day" in one("cake.html", f"{before}{stated}</script>{behind}".encode()).text


def test_a_page_is_read_in_the_encoding_it_declares():
    page = "<meta charset='iso-8859-2'><p>Žluťoučký kůň.</p>".encode("iso-8859-2")
    assert one("p.html", page).text == "Žluťoučký kůň."


def test_a_page_without_text_is_refused():
    assert reason("p.html", b"<html><body><img src=x></body></html>") == "holds no text"


def test_a_deeply_nested_page_does_no_harm():
    assert reason("p.html", b"<div>" * 20_000 + b"deep" + b"</div>" * 20_000) == "holds no text"


def test_an_outline_keeps_the_words_of_every_level():
    outline = "".join(f"{'  ' * level}- point {level}\n" for level in range(25))
    assert one("o.md", outline.encode()).text.split("\n") == [f"- point {level}" for level in range(25)]


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


def test_the_items_of_a_numbered_list_stay_lines():
    text = "\n".join(
        (
            "Each decision in the project is made by one of the following:",
            "1. The developers, by way of a resolution or of an election;",
            "2. The leader;",
            "3. The technical committee or its chair, who may ask members;",
            "4. The secretary, whose term of office ends with the year",
            "2. of the election, as of old.",
        )
    )
    *items, last = with_whole_lines(text, fewest=1).split("\n")
    assert [item[:2] for item in items] == ["Ea", "1.", "2.", "3."]
    assert last.endswith("ends with the year 2. of the election, as of old.")


def test_a_day_in_the_name_of_a_file_keeps_its_hyphens_in_the_title():
    assert one("Minutes_2026-05-21-final.txt", b"It rained.\nWe stayed in.").title == "Minutes 2026-05-21 final"


@pytest.mark.parametrize(
    ("key", "title"),
    [
        ("Education and non-profit discount.md", "Education and non-profit discount"),
        ("Follow-up - second visit.md", "Follow-up second visit"),
        ("non-profit-discount.md", "non profit discount"),
        ("1790-Washington-1.txt", "1790 Washington 1"),
        ("Form 10-Q.txt", "Form 10-Q"),
    ],
)
def test_the_name_of_a_file_in_words_keeps_the_hyphens_of_its_words(key, title):
    assert SourceFile(key, b"").stem == title


def test_a_first_line_in_brackets_is_no_title():
    text = b"[ As delivered in person before a joint session ]\n\nMy friends, I come to you."
    assert one("1963-Kennedy.txt", text).title == "1963 Kennedy"


def test_the_marks_of_notes_behind_a_block_of_code_are_no_words_either():
    text = b"```\n[[a]]\n```\n\nSee [[b]] and [[#How to apply]].\n\n> > [!tip]+ One [[c]]\n> > more."
    assert one("n.md", text).text == "[[a]]\n\nSee b and How to apply.\n\nOne c more."


def test_a_long_sentence_behind_the_mark_of_a_box_is_its_text():
    told = "It is kept. " * 30
    assert one("n.md", f"> [!Example] {told}".encode()).text == told.strip()


def test_the_marks_of_a_program_for_notes_are_no_words():
    note = """Spoke with [[Paulo Reis]] and [[people/aiko|Aiko]] about the ==mast==.[^1] ^talk

![[mast.jpg]]

> [!warning] Frost
> Cover the seedlings.

%% not for others %%

Test `[[servers]]`, [[ -f x ]] and x==1 or y==2.

```
[[servers]]
```

[^1]: Made in 2011.
"""
    assert one("n.md", note.encode()).text.split("\n\n") == [
        "Spoke with Paulo Reis and Aiko about the mast.",
        "Frost",
        "Cover the seedlings.",
        "Test [[servers]], [[ -f x ]] and x==1 or y==2.",
        "[[servers]]",
        "Note: Made in 2011.",
    ]


def test_a_word_file_made_of_a_page_keeps_its_headings_and_its_links_within():
    content = docx.Document()
    content.add_paragraph("On safety at work.")
    content.add_heading("14.5.\u00a0Ladders", level=2)
    content.add_paragraph("Ladders are checked each spring.")
    buffer = io.BytesIO()
    content.save(buffer)
    page = io.BytesIO()
    with zipfile.ZipFile(buffer) as made, zipfile.ZipFile(page, "w") as linked:
        for name in made.namelist():
            kind = b"http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink"
            link = b'<Relationship Id="r99" Type="%s" Target="#top"/></Relationships>' % kind
            linked.writestr(name, made.read(name).replace(b"</Relationships>", link))
    document = one("ladders.docx", page.getvalue())
    assert document.text.endswith("Ladders are checked each spring.")
    assert document.outline == ((20, "14.5. Ladders"),)


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


# Tables


def test_a_row_is_a_document_and_the_guess_is_said():
    data = 'Headline,Body,Publisher,Published at,Link,Region\n"A, b","Text ""one"".",Times,2024-01-02T03:04:05Z,u,EU\n'
    reading = read("news.csv", data.encode())
    assert reading.documents == (
        Document("news.csv:row 2", "A, b", 'Text "one".\nRegion: EU', "Times", "2024-01-02", "u", (("Region", "EU"),)),
    )
    assert reading.notices == (
        "each record is a document; title from “Headline”, text from “Body”, source from “Publisher”, "
        "date from “Published at”, url from “Link”",
    )


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_the_separator_is_found(mark):
    data = "\n".join(mark.join(row) for row in (("id", "text"), ("7", "First, really; yes"), ("8", "Second")))
    data = data.replace("First, really; yes", '"First, really; yes"')
    assert [(d.document_id, d.text) for d in read("t.csv", data.encode()).documents] == [
        ("t.csv:7", "First, really; yes"),
        ("t.csv:8", "Second"),
    ]


def test_without_a_text_column_the_longest_or_all_columns_are_the_text():
    prose = "A remark of some length, long enough to be taken for prose."
    assert one("t.csv", f"code,remarks\n1,{prose!r}\n".replace("'", '"').encode()).text == f"{prose}\ncode: 1"
    reading = read("t.csv", b"firm,plant\nTesla,Berlin\n")
    assert reading.documents[0].text == "firm: Tesla; plant: Berlin"
    assert reading.notices == ("each record is a document; text from all fields",)


def test_a_row_says_all_its_columns():
    data = (
        "id,customer,status,summary,resolution\n7,Kestrel,open,Export drops a column,\n8,Orbis,closed,It fails.,Done.\n"
    )
    assert [document.text for document in read("tickets.csv", data.encode()).documents] == [
        "Export drops a column; customer: Kestrel; status: open",
        "It fails.\ncustomer: Orbis; status: closed\nresolution: Done.",
    ]


def test_a_table_without_header_is_numbered():
    reading = read("t.csv", b"1,2\n3,4\n")
    assert [document.text for document in reading.documents] == ["column 1: 1; column 2: 2", "column 1: 3; column 2: 4"]
    assert "no header row: the columns are numbered" in reading.notices


BOOK = b"""The Project Gutenberg EBook of Kilns, by Ann Lind

This eBook is for the use of anyone.

Title: On Kilns
Author: Ann Lind

*** START OF THIS PROJECT GUTENBERG EBOOK ON KILNS ***

CHAPTER I.

A kiln is hot.

*** END OF THIS PROJECT GUTENBERG EBOOK ON KILNS ***

Do not copy this licence.
"""


def test_a_book_is_read_without_its_head_and_licence():
    book = one("pg1.txt", BOOK)
    assert (book.title, book.metadata) == ("On Kilns", (("author", "Ann Lind"),))
    assert book.text == "CHAPTER I.\n\nA kiln is hot."
    cut = one("pg1.txt", BOOK.replace(b"*** END OF", b"*** ENDS"))
    assert cut.text.startswith("The Project Gutenberg EBook of Kilns")


def test_long_names_of_columns_head_figures():
    share = "Share of the drivers in collisions who had not been in any accident before"
    assert one("t.csv", f"State,{share}\nOhio,88\n".encode()).text == f"State: Ohio; {share}: 88"
    reading = read("t.csv", f"{share},so\nit is said,yes\n".encode())
    assert "no header row: the columns are numbered" in reading.notices


def test_the_header_of_a_table_stands_below_its_title():
    text = b"Staff of the works,,\n,,\nName,Born in,Town\nAnn,1971,Leeds\nBob,1980,Hull\n"
    documents = read("t.csv", text).documents
    assert documents[0].title == "Ann"
    assert [document.text for document in documents] == [
        "Name: Ann; Born in: 1971; Town: Leeds",
        "Name: Bob; Born in: 1980; Town: Hull",
    ]
    untitled = read("t.csv", text.replace(b"Name", b"Person")).documents
    assert untitled[1].title == "Staff of the works, Bob"
    assert read("t.csv", b"Year,Town\n1971,Leeds\n1980,Leeds\n").documents[1].title == "t, row 3"


def test_a_column_of_a_table_may_lack_its_name():
    assert one("t.csv", b",Part,Weight,\n1,Axle,12.5,\n").text == "column 1: 1; Part: Axle; Weight: 12.5"
    assert one("t.csv", b"Smith,,London\n").text == "column 1: Smith; column 3: London"


def test_a_first_column_without_a_name_numbers_the_rows_or_names_them():
    numbered = read("t.csv", b",Part,Weight\n1,Axle,12.5\n2,Bolt,0.1\n").documents
    assert [document.text for document in numbered] == ["Part: Axle; Weight: 12.5", "Part: Bolt; Weight: 0.1"]
    named = read("t.csv", b",Weight,Cost\nAxle,12.5,9\nBolt,0.1,1\n").documents
    assert [document.title for document in named] == ["Axle", "Bolt"]
    assert named[1].text == "name: Bolt; Weight: 0.1; Cost: 1"


def test_figures_are_no_text_of_a_row_and_no_date_but_as_years():
    assert one("t.csv", b"part,body,time\nAxle,12.5,306\n") == Document(
        "t.csv:row 2", "t, row 2", "part: Axle; body: 12.5; time: 306"
    )
    assert one("t.csv", b"part,time\nAxle,2031\n").date == "2031"


def test_a_list_of_names_is_no_prose():
    many = ",".join(f"Name{number}" for number in range(12))
    assert one("t.csv", f'code,names\nHR,"{many}"\n'.encode()).text == f"code: HR; names: {many}"


def test_a_row_that_no_passage_holds_keeps_its_cells():
    names = [f"measure {number}" for number in range(60)]
    data = "\n".join([",".join(names), ",".join(f"value{number}" for number in range(60))])
    document = one("t.csv", data.encode())
    assert dict(document.metadata)["measure 59"] == "value59"
    assert one("t.csv", b"a,b\nx,y\n").metadata == ()


def test_a_remark_below_a_table_is_no_value_of_its_first_column():
    text = b"Name,Age,Town\nAnn,5,Leeds\nBob,6,Hull\nTotals are not given for towns of this size.,,\n"
    texts = [document.text for document in read("t.csv", text).documents]
    assert texts[2] == "Totals are not given for towns of this size."


def test_ragged_rows_and_rows_without_text_are_listed():
    reading = read("t.csv", b"title,text\na,one,extra\nb\n\nc,three\n")
    assert [document.text for document in reading.documents] == ["one; column 3: extra", "three"]
    assert reading.problems == (
        "row 2 has 3 cells, the header 2: the rest has no names",
        "1 records without text were left out",
    )


def test_a_huge_cell_is_read():
    assert len(one("t.csv", b"title,text\na," + b"x" * (2 * MIB)).text) == 2 * MIB


def test_rows_of_a_table_in_plain_text_name_their_columns():
    text = (
        "Table 1. Yield\n\nTreatment   2018   2019  Mean\nControl     5.9    7.1   6.5\n10 t/ha     6.6    7.5   7.1\n"
    )
    assert one("a.txt", text.encode()).text.split("\n")[2:] == [
        "Treatment | 2018 | 2019 | Mean",
        "Control: 2018 5.9; 2019 7.1; Mean 6.5",
        "10 t/ha: 2018 6.6; 2019 7.5; Mean 7.1",
    ]
    barred = b"Results\n\nModel | F1 | sents/s\nChart | 95.9 | 410\nFolded | 95.6 | 1,680"
    assert one("b.txt", barred).text.endswith("Chart: F1 95.9; sents/s 410\nFolded: F1 95.6; sents/s 1,680")


def test_who_speaks_stands_in_front_of_what_is_said_in_a_transcript():
    call = "Operator\n\nGood morning to you all.\n\nIda de Moll (CFO)\nNet debt fell.\n\nWe are glad.\n\n"
    text = one("a.txt", f"Call\n\n{call}{call}".encode()).text
    turns = "Operator: Good morning to you all.\n\nIda de Moll (CFO): Net debt fell.\n\nWe are glad."
    assert text == f"Call\n\n{turns}\n\n{turns}"
    report = "Report\n\n" + "Net Sales\n\nNet sales rose again.\n\n" + "More was sold to all of them.\n\n" * 6
    assert one("b.txt", (report * 2).encode()).text == (report * 2).strip()


@pytest.mark.parametrize(
    "text",
    [
        "By: /s/ Ann     By: /s/ Bo     Date\nName: Ann     Name: Bo     May\nTitle: MD     Title: VP     2024",
        "Lyon, France | ann@mail.example | +33 6 12",
        "    if x:   y  z\n    if a:   b  c\n    if d:   e  f",
        "1   2   3\n4   5   6\n7   8   9",
    ],
)
def test_gaps_and_bars_that_make_no_table_stay(text):
    assert one("a.txt", f"Heading\n\n{text}".encode()).text == f"Heading\n\n{text}"


# JSON


def test_json_lines_are_documents_and_bad_lines_are_listed():
    lines = [
        json.dumps({"id": 1, "title": "T", "body": "One.", "published": "2024-01-02", "tags": ["a", "b"]}),
        "{broken",
        json.dumps("just text"),
        "[1]",
        "[" * 100_000,
    ]
    reading = read("r.jsonl", "\n".join(lines).encode())
    assert reading.documents[0] == Document("r.jsonl:1", "T", "One.", date="2024-01-02", metadata=(("tags", "a, b"),))
    assert [problem.split("(")[0] for problem in reading.problems] == [
        "line 2 is not JSON ",
        "line 4: expected an object, got list",
        "line 5 is not JSON ",
    ]


@pytest.mark.parametrize(
    "shape", [lambda rows: rows, lambda rows: {"status": "ok", "articles": rows}, lambda rows: {"a": [], "b": rows}]
)
def test_records_are_found_in_a_json_file(shape):
    rows = [{"title": "A", "content": "One."}, {"title": "B", "content": "Two.", "source": {"id": None, "name": "S"}}]
    documents = read("r.json", json.dumps(shape(rows)).encode()).documents
    assert [(d.title, d.text, d.source) for d in documents] == [("A", "One.", ""), ("B", "Two.", "S")]


def test_records_without_the_text_of_a_document_say_all_their_fields():
    rows = [
        {"id": "A-1", "owner": {"team": "Lab", "seat": 4}, "unit_price": 3.5, "summary": "It hums.", "of": [{"n": 1}]},
        {"id": "A-2", "owner": {"name": "Ida Berg"}, "unit_price": 0, "summary": None, "of": []},
    ]
    documents = read("r.jsonl", "\n".join(map(json.dumps, rows)).encode()).documents
    assert [document.document_id for document in documents] == ["r.jsonl:A-1", "r.jsonl:A-2"]
    assert [document.text for document in documents] == [
        "id: A-1; owner team: Lab; owner seat: 4; unit price: 3.5; of: 1\nsummary: It hums.",
        "id: A-2; owner: Ida Berg; unit price: 0",
    ]
    long = json.dumps([{"summary": "It hums. " * 100, "owner": "Lab"}]).encode()
    assert read("r.json", long).documents[0].metadata == (("owner", "Lab"),)


def test_a_json_object_is_one_document_and_bad_json_is_refused():
    assert one("r.json", b'{"title": "A", "text": "One."}').text == "One."
    assert "is not JSON" in reason("r.json", b"{'a': 1}")
    assert reason("r.json", b"[]") == "holds no text"


def test_a_beir_corpus_keeps_its_ids_and_all_its_metadata():
    metadata = {"source": "Times", "published_at": "2023-11-27T08:45:59+00:00", "category": "tech", "page": 3}
    rows = [
        {"_id": "d1", "title": "T", "text": "One.", "metadata": metadata},
        {"_id": "d2", "title": "", "text": "Two."},
    ]
    data = gzip.compress("\n".join(map(json.dumps, rows)).encode())
    reading = read("set/corpus.jsonl.gz", data)
    pairs = (("source", "Times"), ("published_at", metadata["published_at"]), ("category", "tech"), ("page", "3"))
    assert reading.documents == (
        Document("d1", "T", "One.", "Times", "2023-11-27", metadata=pairs),  # type: ignore[arg-type]
        Document("d2", "", "Two."),
    )
    assert reading.judged


@pytest.mark.parametrize(
    ("sources", "kept"),
    [
        (["train-first200", "dev-pool200,train-first200", "hipporag-6119"], ["", "", ""]),
        (["Dev.to", "Test-Magazin", "The Times"], ["Dev.to", "Test-Magazin", "The Times"]),
    ],
)
def test_sources_that_name_the_splits_of_question_sets_are_not_used(sources, kept):
    rows = [{"_id": str(n), "text": "One.", "metadata": {"source": source}} for n, source in enumerate(sources)]
    reading = read("corpus.jsonl", "\n".join(map(json.dumps, rows)).encode())
    assert [document.source for document in reading.documents] == kept
    assert any("splits of question sets" in notice for notice in reading.notices) == (kept[0] == "")


def test_ids_that_come_twice_are_kept_apart_and_listed():
    reading = read("corpus.jsonl", b'{"_id":"a","text":"One."}\n{"_id":"a","text":"Two."}')
    assert [document.document_id for document in reading.documents] == ["a", "a~2"]
    assert reading.problems == ("the id 'a' comes again; this one became a~2",)
    assert unique_ids(["a", "a", "a~2", "a"]) == ["a", "a~2", "a~2~2", "a~3"]


def test_a_number_too_long_to_read_costs_its_line_only():
    reading = read("r.jsonl", b'{"text":"ok"}\n{"text":"x","n":' + b"9" * 5000 + b"}")
    assert len(reading.documents) == 1
    assert len(reading.problems) == 1


def test_many_problems_are_summed_up():
    reading = read("r.jsonl", b'{"text":"ok"}\n' + b"{\n" * 50)
    assert len(reading.problems) == 21
    assert reading.problems[-1] == "and 30 more like these"


@pytest.mark.parametrize(
    ("date", "said"),
    [("2024-01-02T03:04:05Z", "2024-01-02"), ("2024-01-02 03:04", "2024-01-02"), ("May 2024", "May 2024"), ("", "")],
)
def test_a_time_stamp_is_cut_to_its_day(date, said):
    assert day(date) == said


@pytest.mark.parametrize(
    ("given", "title"),
    [
        ("about:blank", "budget 2024"),
        ("PowerPoint Presentation", "budget 2024"),
        ("Microsoft Word - AR23 v7.docx", "budget 2024"),
        ("Book1", "budget 2024"),
        ("", "budget 2024"),
        ("Booking terms", "Booking terms"),
    ],
)
def test_what_a_program_writes_for_want_of_a_title_is_none(given, title):
    assert SourceFile("budget_2024.pdf", b"").titled(given) == title


def test_a_text_with_a_stray_null_is_read_and_one_of_nulls_is_not():
    assert decode(b"a long text " * 200 + b"\x00.")[0].endswith("a long text .")
    with pytest.raises(FileReadError):
        decode(b"a\x00b\x00c\x00")


RST = b"""h11
===

.. image:: https://codecov.io/gh/python-hyper/h11/branch/master/graph/badge.svg
   :target: https://codecov.io/gh/python-hyper/h11
   :alt: Test coverage

.. |Build Status| image:: https://travis-ci.org/python-hyper/h11.svg

|Build Status| |Coverage|

This is a little library, inspired by `hyper-h2 <https://hyper-h2.readthedocs.io/>`_; it has ``no`` IO.

.. _hyper: https://hyper.rtfd.org
"""


def test_of_restructured_text_the_words_of_the_page_are_read():
    (document,) = read("h11.rst", RST).documents
    assert document.title == "h11"
    assert document.text.split("\n")[-1] == "This is a little library, inspired by hyper-h2; it has no IO."
    assert "image" not in document.text
    assert ":target:" not in document.text


def test_a_row_of_a_markdown_table_names_its_columns():
    text = b"# A\n\n|Name|Age|\n|----|---|\n|Ann|31|\n\n.. note that two dots open no directive"
    assert one("a.md", text).text == "Name | Age\nAnn: Age 31\n\n.. note that two dots open no directive"


def test_lines_of_labels_in_markdown_stay_lines():
    labelled = "**Location:** Lyon or Munich\n**Salary**: EUR 82,000\nApply by: 31 August"
    assert one("a.md", labelled.encode()).text == "Location: Lyon or Munich\nSalary: EUR 82,000\nApply by: 31 August"
    prose = "Note: the rate was\nraised in May."
    assert one("a.md", prose.encode()).text == "Note: the rate was raised in May."


def test_lines_of_a_paragraph_of_markdown_are_joined_and_items_are_counted():
    text = b"It is paid\n`monthly` as the\n[Travel rule](/x y) says.\n\n1. Open\n1. Sign\n\n   twice\n- Done\n"
    assert one("a.md", text).text == (
        "It is paid monthly as the [Travel rule](/x y) says.\n\n1. Open\n\n2. Sign\n\ntwice\n\n- Done"
    )


def test_what_a_template_fills_in_is_not_read_but_code_is():
    text = b'{% include "steps.html" a: b_c d_e %}\n\nSee [leave]({% page "/leave" %}) or {{ name }}, `{{ x }}`.\n'
    assert one("a.md", text).text == "See leave or , {{ x }}."


SUMMARY = "An **ark** lets a large number of users share outputs in a tree."


@pytest.mark.parametrize(
    ("front", "body", "text"),
    [
        (f"excerpt: >\n  {SUMMARY}", "They do so in rounds.", f"{SUMMARY.replace('*', '')}\n\nThey do so in rounds."),
        (f"summary: {SUMMARY}", "# Ark\n\nIn rounds.", f"{SUMMARY.replace('*', '')}\n\nIn rounds."),
        ("excerpt: A short tag line", "In rounds.", "In rounds."),
        (f"summary: {SUMMARY}", f"{SUMMARY} In rounds.", f"{SUMMARY.replace('*', '')} In rounds."),
    ],
)
def test_the_summary_in_front_matter_is_text_where_the_body_does_not_say_it(front, body, text):
    assert one("ark.md", f"---\ntitle: Ark\n{front}\n---\n{body}".encode()).text == text


def test_lists_in_front_matter_are_values():
    reading = read("a.md", b"---\ntitle: T\ntags:\n- leave\n  - 'paid'\nnote: >\n  two\n  lines\n---\nBody.")
    assert reading.problems == ()
    assert dict(reading.documents[0].metadata) == {"tags": "leave, paid", "note": "two lines"}


PROPOSAL = b"""PEP: 484
Title: Type Hints
Author: Ann Lee <ann@example.org>,
        Bo Ek
Created: 29-Sep-2014

Abstract
========

:pep:`3107` left the meaning of the
3.0 syntax undefined [#old]_, see :ref:`rules <r>` and `the list`_. It has::

   a *b*
     c

* one item that
  goes on
* ``two``

.. note:: Prose of a note
   goes on.

=====  =====
Name   Age
=====  =====
Ann    31
=====  =====
"""


def test_fields_that_open_a_text_are_read_and_its_lines_joined():
    document = one("pep-0484.rst", PROPOSAL)
    assert (document.title, document.date) == ("PEP 484: Type Hints", "29-Sep-2014")
    assert document.text.split("\n\n") == [
        "PEP: 484",
        "Author: Ann Lee <ann@example.org>, Bo Ek",
        "Created: 29-Sep-2014",
        "Abstract",
        "PEP 3107 left the meaning of the 3.0 syntax undefined, see rules and the list. It has:",
        "   a b\n     c",
        "* one item that goes on\n* two",
        "Prose of a note goes on.",
        "Name | Age",
        "Ann: Age 31",
    ]


@pytest.mark.parametrize("text", [b"Note: read this.\n\nBody.", b"Note: this\nTitles: no\n\nBody."])
def test_a_text_that_only_begins_with_a_colon_has_no_fields(text):
    assert one("a.rst", text).title == "a"


@pytest.mark.parametrize(
    ("key", "text", "date"),
    [
        ("minutes-2019-05-15.md", b"Text.", "2019-05-15"),
        ("2019_05_15.txt", b"Text.", "2019-05-15"),
        ("minutes 5 - 02.04.2026.md", b"Text.", "2026-04-02"),
        ("2019-15-05.txt", b"Text.", ""),
        ("2019-05-15 to 2019-05-16.txt", b"Text.", ""),
        ("2019-05-15.md", b"---\ndate: 2018-01-01\n---\nText.", "2018-01-01"),
    ],
)
def test_the_name_of_a_file_dates_what_states_no_date(key, text, date):
    assert one(key, text).date == date


def test_what_a_browser_prints_around_two_pages_is_no_text_of_them(make_pdf):
    top, foot = "11/29/26, 5:31 PM Harrow v Millbrook", "https://court.example/harrow {}/2"
    pages = [[top, "The claimant was a tree officer.", foot.format(1)], [top, "He was dismissed.", foot.format(2)]]
    text = one("harrow.pdf", make_pdf(pages)).text
    assert "tree officer" in text
    assert "dismissed" in text
    assert "PM" not in text
    assert "court.example" not in text


@pytest.mark.parametrize(
    ("opening", "author"),
    [
        ("# A note\n\n*Law Quarterly, winter 2020. By Ruth Aldous*\n\nI think that she was right.", "Ruth Aldous"),
        ("# A note\n\nWritten by Jan van Dam\n\nI think so.", "Jan van Dam"),
        ("# A note\n\nThe report was read by Ruth Aldous\n\nI think so.", None),
        ("---\nauthor: Ann Lee\n---\n# A note\n\nBy Ruth Aldous\n\nI think so.", "Ann Lee"),
    ],
)
def test_the_line_under_a_title_says_whose_the_text_is(opening, author):
    assert dict(one("note.md", opening.encode()).metadata).get("author") == author


CONFIG = """# who answers at night
environments:
  test: {host: t01, database: {version: "15.10", size: 400}, keep: 010}
  production: {host: p01, database: {version: 15.4, size: 1200}, enabled: no}
contacts:
  - {name: Ida Berg, phone: +47 555 0110}
  - {name: Jon Falk, phone: null}
  - {name: Mara Quist, phone: ~}
maintenance window: Sunday 02:00-05:00
"""


def test_the_lists_and_named_objects_of_a_yaml_file_are_records_and_nothing_else_is_lost():
    reading = read("config.yaml", CONFIG.encode())
    assert [(d.document_id, d.text) for d in reading.documents] == [
        (
            "config.yaml:environments:record 1",
            "environment: test; host: t01; database version: 15.10; database size: 400; keep: 010",
        ),
        (
            "config.yaml:environments:record 2",
            "environment: production; host: p01; database version: 15.4; database size: 1200; enabled: no",
        ),
        ("config.yaml:record 1", "name: Ida Berg; phone: +47 555 0110"),
        ("config.yaml:record 2", "name: Jon Falk"),
        ("config.yaml:record 3", "name: Mara Quist"),
        ("config.yaml:others:record 1", "maintenance window: Sunday 02:00-05:00"),
        ("config.yaml:comments", "who answers at night: environments"),
    ]


def test_a_broken_yaml_file_is_read_as_text_and_says_where_it_breaks():
    reading = read("config.yml", b"retries: [1, 2\nwait: 30 seconds")
    assert [d.text for d in reading.documents] == ["retries: [1, 2\nwait: 30 seconds"]
    assert "is not YAML (while parsing a flow sequence" in reading.notices[0]
    assert reading.notices[0].endswith("read as plain text")


def test_objects_beside_the_list_of_a_json_file_are_read():
    text = json.dumps({"pairs": [{"a": "x", "b": 1}, {"a": "y", "b": 2}], "fees": {"match": 85, "km": 0.35}})
    documents = read("referees.json", text.encode()).documents
    assert [d.text for d in documents] == ["a: x; b: 1", "a: y; b: 2", "fees match: 85; fees km: 0.35"]


def test_a_raised_mark_of_a_note_is_no_letter_of_its_cell():
    page = (
        "<h1>Final table</h1><table><tr><th>Team</th><th>Points</th></tr><tr><td>Eskeby<sup>1</sup></td><td>6</td></tr>"
        "<tr><td>Tarnby</td><td>10</td></tr></table><p><sup>1</sup> Two points deducted for a player without a licence."
        "</p><p>The hall measures 800 m<sup>2</sup> and is heated in winter for all of the home matches.</p>"
    )
    text = read("table.html", page.encode()).documents[0].text
    assert "Eskeby 1): Points 6" in text
    assert "1) Two points deducted" in text
    assert "800 m2" in text


def test_a_table_right_below_another_has_its_own_header():
    page = (
        "<h1>Hours and tickets</h1><table><tr><th>Season</th><th>From</th><th>To</th></tr>"
        "<tr><td>Summer</td><td>10:00</td><td>18:00</td></tr></table>"
        "<table><tr><th>Ticket</th><th>Price</th></tr><tr><td>Family</td><td>22 EUR</td></tr></table>"
    )
    text = read("hours.html", page.encode()).documents[0].text
    assert "Summer: From 10:00; To 18:00" in text
    assert "Family: Price 22 EUR" in text


def test_aliases_in_yaml_that_stand_for_millions_of_values_are_not_followed():
    lines = ["a: &a [lol,lol,lol,lol,lol,lol,lol,lol,lol]"]
    lines += [f"{b}: &{b} [{','.join([f'*{a}'] * 9)}]" for a, b in pairwise("abcdefghi")]
    reading = read("bomb.yaml", "\n".join(lines).encode())
    assert len(reading.documents) == 1
    assert "more than 1,000,000 values" in reading.notices[-1]
    assert [d.text for d in read("same.yaml", b"x: &x\n  name: one\nlist:\n  - *x\n").documents][0] == "name: one"
