from __future__ import annotations

import gzip
import io
import time

import pytest

from adaq_core.corpus.readers import (
    _SAVED_AS,
    MIB,
    Limits,
    SourceFile,
    clean,
    read,
    readers,
    suffix_of,
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
    assert "\n" not in one("log.txt", line.encode() * 80_000).text
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


def test_who_speaks_stands_in_front_of_what_is_said_in_a_transcript():
    call = "Operator\n\nGood morning to you all.\n\nIda de Moll (CFO)\nNet debt fell.\n\nWe are glad.\n\n"
    text = one("a.txt", f"Call\n\n{call}{call}".encode()).text
    turns = "Operator: Good morning to you all.\n\nIda de Moll (CFO): Net debt fell.\n\nWe are glad."
    assert text == f"Call\n\n{turns}\n\n{turns}"
    report = "Report\n\n" + "Net Sales\n\nNet sales rose again.\n\n" + "More was sold to all of them.\n\n" * 6
    assert one("b.txt", (report * 2).encode()).text == (report * 2).strip()


@pytest.mark.parametrize(
    ("key", "text", "date"),
    [
        ("minutes-2019-05-15.md", b"Text.", "2019-05-15"),
        ("2019_05_15.txt", b"Text.", "2019-05-15"),
        ("minutes 5 - 02.04.2026.md", b"Text.", "2026-04-02"),
        ("2019-15-05.txt", b"Text.", ""),
        ("2019-05-15 to 2019-05-16.txt", b"Text.", ""),
        ("2019-05-15.md", b"---\ndate: 2018-01-01\n---\nText.", "2018-01-01"),
        ("2019-05-15.html", b"<p><a href='https://a.example/minutes-2019-04-17'>Minutes</a> before.", "2019-05-15"),
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


# What all readers share: sections, whole lines, forms, quizzes


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


LAW = """CHAPTER I

General provisions

Article 1

Scope

This Act is for boats.

Article 2. Terms

A boat floats.

CHAPTER II

Fines

Article 3

Article 4 applies to ships too.
"""


def test_parts_of_a_law_are_its_sections():
    outline = read("law.txt", LAW.encode()).documents[0].outline
    general, fines = "CHAPTER I General provisions", "CHAPTER II Fines"
    paths = [general, f"{general} › Article 1 Scope", f"{general} › Article 2. Terms", fines, f"{fines} › Article 3"]
    assert [path for _, path in outline] == paths
    assert read("law.md", LAW.encode()).documents[0].outline == outline
    contents = b"Parts\n\nArticle 1\nScope\nArticle 2\nTerms\nArticle 3\nFines\n"
    assert read("list.txt", contents).documents[0].outline == ()


def test_numbers_that_begin_late_in_a_text_are_no_sections():
    late = "1 Aims\nText.\n2 Methods\nText.\n3 Results\nText."
    assert len(read("t.txt", f"Text.\n{late}".encode()).documents[0].outline) == 3
    assert read("t.txt", f"{'Text.' * 9}\n{late}".encode()).documents[0].outline == ()


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


def test_lines_of_a_form_stay_lines_however_wide_they_are():
    wide = "Natural hazards: violent storms from the mountains and frequent landslides in the rainy season"
    page = f"{wide}\nLand boundaries\ntotal: 1,136 km\nGeography - note: landlocked\nCoastline: 0 km"
    assert with_whole_lines(page, fewest=1) == page


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
