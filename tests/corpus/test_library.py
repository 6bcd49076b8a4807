from __future__ import annotations

import gzip
import json
import os
import threading
from pathlib import Path

import pytest

from adaq_core.corpus.holdings import DocumentRow, Duplicate, FileProblem, numbered
from adaq_core.corpus.library import CorpusLibrary, folder_name
from adaq_core.errors import CorpusError
from adaq_core.model import CorpusCard

CELLS = "Battery cells are scarce. Makers say that lithium is dear."
TRAINS = "Trains between Prague and Vienna run every two hours."


@pytest.fixture
def notices() -> list[str]:
    return []


@pytest.fixture
def library(tmp_path, notices) -> CorpusLibrary:
    sample = tmp_path / "bundled"
    sample.mkdir()
    (sample / "cells.md").write_text(f"---\ntitle: Cells\nsource: Sample\n---\n{CELLS}")
    return CorpusLibrary(tmp_path / "home", sample=sample, notice=notices.append, wait=5)


@pytest.fixture
def folder(tmp_path) -> Path:
    place = tmp_path / "docs"
    (place / "deep").mkdir(parents=True)
    (place / "cells.txt").write_text(CELLS)
    (place / "deep" / "trains.md").write_text(TRAINS)
    return place


def hits(library: CorpusLibrary, name: str, query: str) -> list[str]:
    return [hit.passage.passage_id for hit in library.open(name).search(query)]


# The bundled corpus


def test_the_bundled_corpus_is_built_on_first_use_and_again_when_its_files_change(library, tmp_path):
    assert not (tmp_path / "home").exists()
    assert library.names() == ["sample"]
    index = library.open("sample")
    assert [passage.text for passage in index.passages] == [CELLS]
    assert library.open("sample") is index
    (tmp_path / "bundled" / "trains.md").write_text(TRAINS)
    library = CorpusLibrary(tmp_path / "home", sample=tmp_path / "bundled")
    assert hits(library, "sample", "trains to Vienna") == ["trains.md#0"]


def test_the_real_bundled_corpus_opens(tmp_path):
    card = CorpusLibrary(tmp_path).card("sample")
    assert card.name == "sample"
    assert card.documents >= 150


def test_the_bundled_corpus_cannot_be_changed(library):
    for change in (
        lambda: library.add("sample", uploads=[("a.txt", b"a")]),
        lambda: library.delete("sample"),
        lambda: library.remove_document("sample", "cells.md"),
    ):
        with pytest.raises(CorpusError, match="'sample' cannot be changed; choose another name"):
            change()


# Adding


def test_files_folders_and_uploads_go_in_and_are_found(library, folder, tmp_path):
    (tmp_path / "one.txt").write_text("Planes fly.")
    report = library.add("mine", paths=[folder, tmp_path / "one.txt"], uploads=[("up.txt", b"Ships sail.")])
    assert report.added == ("cells.txt", "deep/trains.md", "one.txt", "up.txt")
    assert (report.unchanged, report.updated, report.removed, report.errors) == ((), (), (), ())
    assert (report.passages, report.cancelled) == (4, False)
    assert library.names() == ["sample", "mine"]
    assert hits(library, "mine", "ships") == ["up.txt#0"]
    assert library.documents("mine")[0] == DocumentRow("cells.txt", "cells", "", "", 1, 10, "cells.txt")
    card = library.card("mine")
    assert card == CorpusCard("mine", card.version, 4, 4)


def test_only_what_changed_is_read_again(library, folder):
    library.add("mine", paths=[folder])
    before = library.open("mine")
    state = (folder / "cells.txt").stat()
    (folder / "cells.txt").write_text(CELLS.upper())
    os.utime(folder / "cells.txt", ns=(state.st_atime_ns, state.st_mtime_ns))
    report = library.add("mine", paths=[folder])
    assert report.unchanged == ("cells.txt", "deep/trains.md")
    assert library.open("mine") is before

    os.utime(folder / "cells.txt")
    (folder / "deep" / "trains.md").unlink()
    (folder / "ships.txt").write_text("Ships sail.")
    report = library.add("mine", paths=[folder])
    assert (report.added, report.updated, report.removed) == (("ships.txt",), ("cells.txt",), ("deep/trains.md",))
    assert [row.document_id for row in library.documents("mine")] == ["cells.txt", "ships.txt"]
    assert before.passage("deep/trains.md#0").text == TRAINS


def test_a_touched_file_with_the_same_content_changes_nothing(library, folder):
    library.add("mine", paths=[folder])
    version = library.card("mine").version
    os.utime(folder / "cells.txt", (1, 1))
    assert library.add("mine", paths=[folder]).unchanged == ("cells.txt", "deep/trains.md")
    assert library.card("mine").version == version
    (folder / "cells.txt").chmod(0o600)
    assert library.add("mine", paths=[folder]).unchanged == ("cells.txt", "deep/trains.md")
    assert hits(library, "mine", "lithium") == ["cells.txt#0"]


def test_an_upload_of_the_same_name_replaces_the_one_before(library):
    library.add("mine", uploads=[("a.txt", b"Old words.")])
    assert library.add("mine", uploads=[("a.txt", b"Old words.")]).unchanged == ("a.txt",)
    report = library.add("mine", uploads=[("a.txt", b"New words.")])
    assert report.updated == ("a.txt",)
    [notice] = report.notices
    assert notice.file == "a.txt"
    assert "took the place of the file of this name" in notice.reason, "another report may have the same name"
    assert library.open("mine").passage("a.txt#0").text == "New words."


def test_a_document_that_was_removed_and_is_added_again_takes_no_place(library):
    library.add("mine", uploads=[("a.txt", b"Old words."), ("b.txt", b"Others.")])
    library.remove_document("mine", "a.txt")
    assert library.add("mine", uploads=[("a.txt", b"New words.")]).notices == ()


def test_files_of_the_same_name_from_different_places_are_kept_apart(library, folder):
    report = library.add("mine", paths=[folder], uploads=[("cells.txt", b"Other cells.")])
    assert report.added == ("cells.txt", "deep/trains.md", "cells (2).txt")


@pytest.mark.parametrize(
    ("key", "another"),
    [
        ("same.txt", "same (2).txt"),
        ("deep/a.b.md", "deep/a.b (2).md"),
        ("rows.jsonl.gz", "rows (2).jsonl.gz"),
        ("README", "README (2)"),
        (".env", ".env (2)"),
    ],
)
def test_another_file_of_a_name_is_numbered_as_people_know_it(key, another):
    assert numbered(key, 2) == another


def test_the_title_of_a_second_file_of_a_name_is_its_name_and_number(library):
    library.add("mine", uploads=[("quarterly_report.txt", b"Old words."), ("quarterly_report.txt", b"New words.")])
    titles = sorted(row.title for row in library.documents("mine"))
    assert titles == ["quarterly report", "quarterly report (2)"]


def test_uploads_of_one_name_that_come_together_are_all_kept(library):
    people = ("people.csv", b"name,city\nAnna,Oslo\n")
    others = ("people.csv", b"name,city\nDora,Bonn\n")
    report = library.add("mine", uploads=[people, others, people])
    assert (report.added, report.removed) == (("people.csv:row 2", "people (2).csv:row 2"), ())
    assert sorted(row.title for row in library.documents("mine")) == ["Anna", "Dora"]


def test_the_same_files_give_the_same_version_in_any_order(library):
    a, b = ("a.txt", b"First."), ("b.txt", b"Second.")
    library.add("one", uploads=[a, b])
    library.add("two", uploads=[b])
    library.add("two", uploads=[a])
    assert library.card("one").version == library.card("two").version


def test_rows_of_a_changed_table_are_told_apart(library):
    library.add("mine", uploads=[("t.csv", b"id,text\n1,one\n2,two\n")])
    report = library.add("mine", uploads=[("t.csv", b"id,text\n1,one\n2,TWO\n3,three\n")])
    assert (report.unchanged, report.updated, report.added) == (("t.csv:1",), ("t.csv:2",), ("t.csv:3",))
    assert report.notices == (FileProblem("t.csv", "each record is a document; text from “text”"),)


def test_files_of_a_kind_that_nothing_reads_are_one_line_behind_those_that_are_damaged(library, folder):
    for name in ("a.png", "b.png", "c.png"):
        (folder / name).write_bytes(b"\x89PNG")
    (folder / "broken.docx").write_bytes(b"PK rubbish")
    report = library.add("mine", paths=[folder])
    assert [problem.file for problem in report.errors] == ["broken.docx", "a.png and 2 more"]


def test_a_file_that_cannot_be_read_is_listed_and_the_rest_goes_in(library, folder, make_pdf):
    (folder / "locked.pdf").write_bytes(make_pdf([["Secret."]], password="x"))
    (folder / "broken.docx").write_bytes(b"PK rubbish")
    (folder / "binary.txt").write_bytes(bytes(range(256)))
    (folder / "empty.md").write_bytes(b"")
    (folder / "photo.png").write_bytes(b"\x89PNG")
    report = library.add("mine", paths=[folder])
    assert report.added == ("cells.txt", "deep/trains.md")
    assert {problem.file: problem.reason.split(";")[0].split(" (")[0] for problem in report.errors} == {
        "photo.png": "cannot read .png",
        "binary.txt": "expected text, got binary data",
        "broken.docx": "is not a .docx, or a damaged one",
        "empty.md": "is empty",
        "locked.pdf": "is locked with a password",
    }


def test_a_file_that_became_unreadable_keeps_its_earlier_version(library, folder):
    library.add("mine", paths=[folder])
    (folder / "cells.txt").write_bytes(b"\x00\x01")
    report = library.add("mine", paths=[folder])
    assert report.errors[0].reason.endswith("; its earlier version is kept")
    assert hits(library, "mine", "lithium") == ["cells.txt#0"]


def test_nothing_readable_makes_no_corpus(library, tmp_path):
    report = library.add("mine", paths=[tmp_path / "missing.txt"], uploads=[("a.exe", b"MZ"), ("../", b"x")])
    assert [problem.file for problem in report.errors] == [str(tmp_path / "missing.txt"), "a.exe", "../"]
    assert report.errors[0].reason == "expected a file, but it does not exist"
    assert library.names() == ["sample"]


def test_an_upload_cannot_name_a_place_outside(library, tmp_path):
    names = ["../../etc/passwd.txt", "..\\..\\windows\\win.txt", "/abs.txt", "a\x00b.txt", ".hidden.txt"]
    report = library.add("mine", uploads=[(name, f"text {n}".encode()) for n, name in enumerate(names)])
    assert report.added == ("passwd.txt", "win.txt", "abs.txt", "ab.txt", "hidden.txt")
    assert {path.name for path in tmp_path.iterdir()} == {"home", "bundled"}


def test_links_that_lead_out_and_things_that_are_no_files_are_refused(library, folder, tmp_path):
    (tmp_path / "secret.txt").write_text("Secret.")
    (folder / "out.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "up").symlink_to(tmp_path)
    (folder / "gone.txt").symlink_to(folder / "nowhere.txt")
    (folder / "gone.png").symlink_to(folder / "nowhere.png")
    os.mkfifo(folder / "pipe.txt")
    report = library.add("mine", paths=[folder])
    assert report.added == ("cells.txt", "deep/trains.md")
    assert [problem.file for problem in report.errors] == ["gone.txt", "out.txt", "pipe.txt", "up", "gone.png"]
    assert report.errors[0].reason == "is a link to a file that is not there; take it away or bring the file back"
    assert report.errors[1].reason == "is a link that leads out of the folder; copy the file itself"
    assert report.errors[2].reason == "is no ordinary file"


def test_of_a_file_that_goes_while_its_folder_is_read_it_is_said_what_to_do(library, folder):
    def take_away(*_):
        (folder / "cells.txt").unlink(missing_ok=True)

    report = library.add("mine", paths=[folder], progress=take_away)
    why = "cannot be read (No such file or directory); see whether it is still there and may be read"
    assert (report.added, report.errors) == (("deep/trains.md",), (FileProblem("cells.txt", why),))


def test_links_in_a_circle_are_refused_in_words(library, folder):
    (folder / "a.txt").symlink_to(folder / "b.txt")
    (folder / "b.txt").symlink_to(folder / "a.txt")
    report = library.add("mine", paths=[folder])
    assert report.added == ("cells.txt", "deep/trains.md")
    told = "is a link that leads back to itself; take it away"
    assert report.errors == (FileProblem("a.txt", told), FileProblem("b.txt", told))


@pytest.mark.parametrize("name", ["", "..", "a/b", "../x", "A", "a b", ".x", "x" * 65, "ä", "a\n"])
def test_a_name_that_could_lead_astray_is_refused(library, name):
    with pytest.raises(CorpusError, match="the name of a corpus is 1 to 64"):
        library.open(name)


def test_an_unknown_corpus_names_the_known_ones(library):
    with pytest.raises(CorpusError, match="there is no corpus 'none'; known: sample"):
        library.open("none")
    with pytest.raises(CorpusError, match="there is no corpus 'none'"):
        library.delete("none")


# Duplicates


def test_exact_duplicates_are_searched_once_and_near_ones_are_reported(library):
    long = " ".join(f"word{n}" for n in range(100))
    uploads = [("a.txt", CELLS), ("b.txt", CELLS + "\n"), ("c.txt", long), ("d.txt", long.replace("word50", "other"))]
    report = library.add("mine", uploads=[(name, text.encode()) for name, text in uploads])
    assert report.duplicates == (Duplicate("b.txt", "a.txt"),)
    assert report.near_duplicates is not None
    assert [(pair.document_id, pair.of) for pair in report.near_duplicates] == [("d.txt", "c.txt")]
    assert report.passages == 3
    assert [row.duplicate_of for row in library.documents("mine")] == ["", "a.txt", "", ""]
    library.remove_document("mine", "a.txt")
    assert hits(library, "mine", "lithium") == ["b.txt#0"]


def test_rows_that_another_table_has_too_are_counted_but_a_copy_of_a_table_is_not(library):
    herds = b"name,legs\nCow,4\nHen,2\n"
    library.add("mine", uploads=[("herds.csv", herds), ("birds.csv", b"name,legs\nHen,2\nOwl,2\n")])
    assert [row.document_id for row in library.documents("mine") if row.duplicate_of] == []
    library.add("mine", uploads=[("herds2.csv", herds)])
    copied = [row.document_id for row in library.documents("mine") if row.duplicate_of]
    assert copied == ["herds2.csv:row 2", "herds2.csv:row 3"]


def test_the_same_text_of_two_sources_is_no_duplicate(library):
    rows = [{"id": n, "text": CELLS, "source": source} for n, source in enumerate(("Times", "Post"))]
    report = library.add("mine", uploads=[("r.jsonl", "\n".join(map(json.dumps, rows)).encode())])
    assert (report.duplicates, report.passages) == ((), 2)


# Taking out


def test_a_document_and_a_corpus_can_be_taken_out(library, folder):
    library.add("mine", paths=[folder])
    held = library.open("mine")
    assert library.remove_document("mine", "cells.txt").removed == ("cells.txt",)
    assert hits(library, "mine", "lithium") == []
    with pytest.raises(CorpusError, match=r"no document 'cells\.txt' in corpus 'mine'"):
        library.remove_document("mine", "cells.txt")
    assert library.add("mine", paths=[folder]).added == ("cells.txt",)
    library.delete("mine")
    assert library.names() == ["sample"]
    assert held.passage("cells.txt#0").text == CELLS


def test_a_corpus_may_become_empty(library):
    library.add("mine", uploads=[("a.txt", b"Text.")])
    library.remove_document("mine", "a.txt")
    assert hits(library, "mine", "text") == []
    assert CorpusLibrary.open(library, "mine").card.passages == 0


# Folders


def test_a_folder_is_a_corpus_of_its_own_that_follows_it(library, folder):
    assert [passage.document_id for passage in library.open_folder(folder).passages] == ["cells.txt", "deep/trains.md"]
    name, report = library.index_folder(folder)
    assert (name, report.unchanged) == (folder_name(folder), ("cells.txt", "deep/trains.md"))
    (folder / "cells.txt").unlink()
    assert [passage.document_id for passage in library.open_folder(folder).passages] == ["deep/trains.md"]
    assert library.names() == ["sample", name]


def test_a_beir_folder_is_its_corpus_with_ids_metadata_and_duplicates_kept_and_no_overlap(library, tmp_path):
    place = tmp_path / "beir"
    (place / "qrels").mkdir(parents=True)
    text = " ".join(f"Sentence {n} has some ten words in it for the test." for n in range(60))
    rows = [
        {"_id": "d1", "title": "T", "text": text, "metadata": {"source": "S", "published_at": "2023-01-02T00:00:00"}},
        {"_id": "d2", "title": "U", "text": "Same.", "metadata": {}},
        {"_id": "d3", "title": "V", "text": "Same.", "metadata": {}},
    ]
    (place / "corpus.jsonl.gz").write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))
    (place / "queries.jsonl").write_text('{"_id": "q1", "text": "A question?"}')
    (place / "qrels" / "test.tsv").write_text("q1\td1\t1\n")
    name, report = library.index_folder(place)
    assert report.added == ("d1", "d2", "d3")
    assert report.duplicates == (Duplicate("d3", "d2", kept=True),)
    passages = list(library.open(name).passages)
    assert " ".join(passage.text for passage in passages if passage.document_id == "d1") == text
    assert (passages[0].date, passages[0].source) == ("2023-01-02", "S")
    assert [passage.passage_id for passage in passages][-2:] == ["d2#0", "d3#0"]


def test_a_folder_with_nothing_to_read_is_refused_in_words(library, tmp_path):
    (tmp_path / "none").mkdir()
    with pytest.raises(CorpusError, match=r"nothing in .* can be read \(it is empty\)"):
        library.open_folder(tmp_path / "none")
    (tmp_path / "none" / "a.png").write_bytes(b"x")
    with pytest.raises(CorpusError, match=r"a\.png: cannot read \.png"):
        library.open_folder(tmp_path / "none")
    with pytest.raises(CorpusError, match="does not exist"):
        library.open_folder(tmp_path / "nowhere")


# Progress and cancelling


def test_progress_comes_with_numbers_and_words(library, folder):
    seen: list[tuple[int, int, str]] = []
    library.add("mine", paths=[folder], progress=lambda done, total, what: seen.append((done, total, what)))
    assert seen == [
        (0, 2, "cells.txt"),
        (1, 2, "deep/trains.md"),
        (0, 2, "looking for duplicates"),
        (0, 2, "cutting into passages"),
        (0, 2, "looking for near duplicates"),
        (0, 2, "indexing"),
        (0, 2, "finding which passage names which document"),
        (2, 2, "writing"),
    ]


@pytest.mark.parametrize("step", range(8))
def test_cancelling_at_any_step_changes_nothing(library, folder, step):
    library.add("mine", uploads=[("a.txt", b"Before.")])
    before = library.card("mine")
    asked = iter(range(100))
    report = library.add("mine", paths=[folder], cancelled=lambda: next(asked) >= step)
    assert (report.cancelled, report.added, report.passages) == (True, (), 1)
    assert library.card("mine") == before


# Several at once


def test_a_second_writer_that_waits_too_long_is_told_who_holds_the_corpus(library, tmp_path, folder):
    impatient = CorpusLibrary(tmp_path / "home", wait=0.05)
    messages: list[str] = []

    def try_to_write(done: int, total: int, what: str) -> None:
        if what == "writing":
            with pytest.raises(CorpusError) as caught:
                impatient.add("mine", uploads=[("b.txt", b"B")])
            messages.append(str(caught.value))

    library.add("mine", paths=[folder], progress=try_to_write)
    assert messages[0].startswith(f"corpus 'mine' is being changed by another task (process {os.getpid()}, since ")


def test_threads_that_add_at_once_lose_nothing(library):
    def add(number: int) -> None:
        library.add("mine", uploads=[(f"{number}.txt", f"Text {number}.".encode())])

    threads = [threading.Thread(target=add, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [row.document_id for row in library.documents("mine")] == [f"{number}.txt" for number in range(6)]


# Damage


def damage_index(tmp_path: Path, file: str, name: str = "mine") -> None:
    (path,) = (tmp_path / "home" / "corpora" / name).rglob(file)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)


@pytest.mark.parametrize("file", ["passages.jsonl", "weights.npy", "terms.json", "index.json", "ids.json"])
def test_a_damaged_index_is_built_again_and_said(library, folder, tmp_path, notices, file):
    library.add("mine", paths=[folder])
    damage_index(tmp_path, file)
    assert library.check("mine").endswith(f"{file} is not what was written")
    assert hits(library, "mine", "lithium") == ["cells.txt#0"]
    assert notices[0].startswith("the index of corpus 'mine' was built again from its documents (index/")
    assert library.check("mine") == ""


def test_a_missing_or_cut_index_file_is_mended_too(library, folder, tmp_path, notices):
    library.add("mine", paths=[folder])
    (path,) = (tmp_path / "home" / "corpora" / "mine").rglob("rows.npy")
    path.unlink()
    assert hits(library, "mine", "lithium") == ["cells.txt#0"]
    (path,) = (tmp_path / "home" / "corpora" / "mine").rglob("rows.npy")
    path.write_bytes(path.read_bytes()[:-1])
    fresh = CorpusLibrary(tmp_path / "home", notice=notices.append)
    assert hits(fresh, "mine", "lithium") == ["cells.txt#0"]
    assert len(notices) == 2


@pytest.mark.parametrize("file", ["documents.jsonl", "files.json", "manifest.json"])
def test_damaged_documents_are_an_error_with_a_way_out(library, folder, tmp_path, file):
    library.add("mine", paths=[folder])
    damage_index(tmp_path, "passages.jsonl")
    (path,) = (tmp_path / "home" / "corpora" / "mine").rglob(file)
    path.write_bytes(b"rubbish")
    with pytest.raises(CorpusError, match=r"is damaged .*; delete it and add its files again"):
        library.open("mine")
    assert library.check("mine") != ""
    library.delete("mine")
    assert library.add("mine", paths=[folder]).added == ("cells.txt", "deep/trains.md")


@pytest.mark.parametrize("file", ["documents.jsonl", "files.json", "table.json", "manifest.json"])
def test_a_mirrored_corpus_mends_itself_from_its_folder(library, folder, tmp_path, notices, file):
    name, _ = library.index_folder(folder)
    (path,) = (tmp_path / "home" / "corpora" / name).rglob(file)
    path.write_bytes(b"rubbish")
    assert [passage.document_id for passage in library.open_folder(folder).passages] == ["cells.txt", "deep/trains.md"]
    assert notices[0].startswith(f"corpus {name!r} is indexed again from its folder (")
    assert library.check(name) == ""


def test_the_cards_of_whole_corpora_are_shown_beside_a_damaged_one(library, folder, tmp_path, notices):
    library.add("good", paths=[folder])
    library.add("bad", paths=[folder])
    (path,) = (tmp_path / "home" / "corpora" / "bad").rglob("manifest.json")
    path.write_bytes(b"rubbish")
    assert [card.name for card in library.cards()] == ["sample", "good"]
    assert notices[0].startswith("corpus 'bad' is damaged (")
    assert library.check("bad") == notices[0]


def test_a_corpus_that_mirrors_a_folder_holds_only_that_folder(tmp_path):
    for place in ("one", "two"):
        (tmp_path / place).mkdir()
        (tmp_path / place / "tea.md").write_text("Tea is a drink made of leaves.", encoding="utf-8")
    CorpusLibrary(tmp_path / "home", sample=tmp_path / "one").open("sample")
    moved = CorpusLibrary(tmp_path / "home", sample=tmp_path / "two")
    assert [p.passage_id for p in moved.open("sample").passages] == ["tea.md#0"]
    assert moved.card("sample").documents == 1


def test_a_field_that_a_person_sets_on_a_card_stays_when_the_file_is_read_again(library):
    text = b"FORM 10-Q\nNORTHWIND CHIPS, INC.\n(Exact name of registrant)\nCells are scarce."
    library.add("own", uploads=[("a.txt", text)])
    library.edit_card("own", "a.txt", {"issuer": "Northwind", "period": "2023 Q1"})
    library.add("own", uploads=[("a.txt", text + b" Lithium too.")])
    (row,) = library.documents("own")
    card = {name: (value, origin) for name, value, origin in row.card}
    assert (card["issuer"], card["period"]) == (("Northwind", "you"), ("2023 Q1", "you"))
    assert dict(library.open("own").passage("a.txt#0").metadata)["issuer"] == "Northwind"


@pytest.mark.parametrize(
    ("field", "wrong", "right"),
    [
        ("period", "spring", "2023 Q1"),
        ("period_end", "June 2023", "June 30, 2023"),
        ("fiscal_year", "23", "2023"),
        ("fiscal_quarter", "Q1", "1"),
        ("fiscal_period", "first", "FY24"),
    ],
)
def test_a_field_of_a_card_that_nobody_can_read_is_refused_with_how_it_is_written(
    library: CorpusLibrary, field: str, wrong: str, right: str
) -> None:
    library.add("own", uploads=[("a.txt", b"Cells are scarce.")])
    with pytest.raises(CorpusError, match=f"is written like .*“{wrong}” cannot be read as that"):
        library.edit_card("own", "a.txt", {"issuer": "Northwind", field: wrong})
    library.edit_card("own", "a.txt", {"issuer": "", field: right})
    assert dict(library.open("own").passage("a.txt#0").metadata)[field] == right


def test_the_name_of_a_file_that_is_too_long_shows_that_it_began_before(tmp_path: Path) -> None:
    long = "Quarterly report " * 9 + ".txt"
    library = CorpusLibrary(tmp_path)
    library.add("mine", uploads=[(long, b"It rains."), ("Quarterly report.txt", b"It snows.")])
    assert {row.file for row in library.documents("mine")} == {"…" + long[-119:], "Quarterly report.txt"}
