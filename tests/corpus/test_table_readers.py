"""Tables and JSON become documents, a row or a record each."""

import gzip
import json
from itertools import pairwise

import pytest

from adaq_core.corpus.readers import (
    MIB,
    SourceFile,
    day,
    decode,
    read,
    unique_ids,
)
from adaq_core.corpus.readers.records import text_of_table, with_named_rows
from adaq_core.errors import FileReadError
from adaq_core.model import Document
from adaq_core.text.passages import sentence_texts
from tests.corpus.test_readers import one, reason

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
    assert "name: one" in [d.text for d in read("same.yaml", b"x: &x\n  name: one\nlist:\n  - *x\n").documents]


# Rows of any table as lines


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


def test_a_table_without_a_header_keeps_its_bars():
    assert text_of_table([["Cells", "scarce"]]) == "Cells | scarce"
    assert with_named_rows("Before\nName | 2023\n--- | ---\nCells | 4\n\nAfter") == (
        "Before\nName | 2023\nCells: 2023 4\n\nAfter"
    )


def test_each_row_of_a_table_is_a_sentence_of_its_own():
    table = "| what | limit |\n|---|---|\n| one run | 10 minutes |\n| a machine held | 30 minutes |\n"
    document = one("limits.md", f"# Limits\n\n{table}".encode())
    assert sentence_texts(document.text)[1:] == ["one run: limit 10 minutes", "a machine held: limit 30 minutes"]


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


def test_the_value_under_value_needs_no_name_of_its_column():
    table = b"# Pump\n\nText.\n\n| Parameter | Value |\n|---|---|\n| Width | 14 HP |\n| Depth | 25 mm |\n"
    assert "Width: 14 HP\nDepth: 25 mm" in one("pump.md", table).text


def test_a_header_that_says_nothing_stands_before_no_cell():
    rows = [["Term", "Particulars"], ["Rent", "36,000 a year"], ["Deposit", "9,000"]]
    assert text_of_table(rows).split("\n")[1:] == ["Rent: 36,000 a year", "Deposit: 9,000"]
