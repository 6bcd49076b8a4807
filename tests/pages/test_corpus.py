"""Corpus: its figures as pure functions, its background changes, and the page over a real library."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from adaq_core.corpus.holdings import DocumentRow, FileProblem, IngestReport
from adaq_core.corpus.library import CorpusLibrary
from adaq_core.errors import CorpusError
from adaq_core.model import Passage
from pages._shared.corpus.add import dismiss_job, jobs, start_job
from pages._shared.corpus.data import (
    column_widths,
    corpus_name,
    document_values,
    matching,
    overlaps,
    report_line,
    same_computer,
    share_done,
    stage_line,
    what_goes,
    what_stays,
)
from pages._shared.corpus.head import ended_title
from tests.pages.conftest import MAIN
from tests.pages.test_ask import pressed, shown, unescaped

ROWS = [
    DocumentRow("a", "Annual report", "Acme", "2024-01-02", 3, 900, "reports/a.pdf"),
    DocumentRow("b", "", "", "", 0, 900, "reports/b.txt", duplicate_of="a"),
]


def opened(**params: str) -> AppTest:
    app = AppTest.from_file(MAIN, default_timeout=180).run()
    app.switch_page("corpus.py")
    for name, value in params.items():
        app.query_params[name] = value
    return app.run()


def test_the_bar_of_an_upload_only_grows_and_names_each_stage(tmp_path: Path) -> None:
    told: list[tuple[int, int, str]] = []
    uploads = [(f"{name}.txt", f"{name.capitalize()} sells pumps.".encode()) for name in ("acme", "globex", "initech")]
    CorpusLibrary(tmp_path).add("mine", uploads=uploads, progress=lambda *at: told.append(at))
    shares = [share_done(what, done, total) for done, total, what in told]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)
    assert [stage_line(what, done, total) for done, total, what in told] == [
        "reading acme.txt (file 1 of 3)",
        "reading globex.txt (file 2 of 3)",
        "reading initech.txt (file 3 of 3)",
        "looking for duplicates (3 documents)",
        "cutting into passages (3 documents)",
        "looking for near duplicates (3 documents)",
        "indexing (3 passages)",
        "finding which passage names which document (3 passages)",
        "writing (3 passages)",
    ]
    assert stage_line("cutting into passages", 200, 1204) == "cutting into passages (200 of 1,204 documents)"


@pytest.mark.parametrize(
    ("text", "ids"), [("", ["a", "b"]), ("ANNUAL acme", ["a"]), ("reports .txt", ["b"]), ("zz", [])]
)
def test_documents_are_found_by_all_their_words(text: str, ids: list[str]) -> None:
    assert [row.document_id for row in matching(ROWS, text)] == ids


def test_a_document_without_a_title_shows_its_id_and_a_duplicate_says_so() -> None:
    values = document_values(ROWS)
    assert (values[1]["Title"], values[1]["Note"]) == ("b", "duplicate")


def test_the_table_of_documents_fits_beside_a_document_with_what_tells_them_apart() -> None:
    alike = [replace(ROWS[0], document_id=name, passages=1, words=words) for name, words in (("a", 9), ("b", 8))]
    assert list(column_widths(document_values(alike))) == ["Title", "Words", "File"]
    unlike = column_widths(document_values(ROWS))
    assert (set(unlike), sum(unlike.values())) == (set(document_values(ROWS)[0]), 622)
    dated = [replace(alike[0], date=date) for date in ("2024-01-02", "2025-01-02")]
    widths = column_widths(document_values(dated))
    assert (list(widths), sum(widths.values())) == (["Title", "Date", "Words", "File"], 622)


def test_the_overlap_of_passages_counts_characters_that_the_one_before_holds_too() -> None:
    def passage(start: int, end: int) -> Passage:
        return Passage("p", "d", "t", "x" * (end - start), start=start, end=end)

    assert overlaps([passage(0, 100), passage(80, 180), passage(180, 200)]) == [0, 20, 0]
    assert overlaps([]) == []


def test_a_report_says_only_what_happened() -> None:
    report = IngestReport(added=("a", "b"), errors=(FileProblem("c", "is empty"),), passages=7)
    assert report_line(report) == "2 documents added, 1 file could not be read."
    assert report_line(IngestReport(cancelled=True)) == "The corpus is as it was."


@pytest.mark.parametrize(
    ("typed", "name"),
    [("My Reports 2024", "my-reports-2024"), ("../../etc", "etc"), ("___", ""), ("ÄÖ", ""), ("a" * 99, "a" * 64)],
)
def test_a_typed_name_becomes_one_that_a_corpus_can_have(typed: str, name: str) -> None:
    assert corpus_name(typed) == name


@pytest.mark.parametrize(
    ("server", "browser", "same"),
    [
        ("127.0.0.1", None, True),
        ("localhost", "127.0.0.1", True),
        ("::1", "::1", True),
        ("127.0.0.1", "10.0.0.4", False),
        ("0.0.0.0", None, False),
        (None, None, False),
        ("example.org", None, False),
    ],
)
def test_folders_are_offered_only_when_server_and_browser_are_one_computer(
    server: str | None, browser: str | None, same: bool
) -> None:
    assert same_computer(server=server, browser=browser) is same


def test_one_corpus_is_changed_by_one_job_at_a_time_and_can_be_stopped() -> None:
    begun, go_on = threading.Event(), threading.Event()

    def change(progress: Callable[[int, int, str], None], cancelled: Callable[[], bool]) -> IngestReport:
        progress(1, 4, "a.txt")
        begun.set()
        go_on.wait(60)
        return IngestReport(cancelled=cancelled())

    job = start_job("one", "Adding a file to one", change)
    assert job is not None
    assert begun.wait(60)
    assert start_job("one", "Adding again", change) is None
    assert (job.share, job.what) == (0.25, "a.txt")
    job.cancel()
    go_on.set()
    job.wait(60)
    assert job.result == IngestReport(cancelled=True)
    assert ended_title(job) == "Adding a file to one: cancelled"
    later = start_job("two", "Adding a file to two", lambda *_: IngestReport())
    assert later is not None
    later.wait(60)
    assert [each.corpus for each in jobs()][:2] == ["two", "one"]
    dismiss_job("two")
    dismiss_job("one")
    assert "one" not in [each.corpus for each in jobs()]


def test_what_is_added_to_a_corpus_that_is_being_changed_is_refused_in_words_that_stay(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pages._shared.corpus.add.same_computer", lambda **_: True)
    go_on = threading.Event()

    def change(progress: Callable[[int, int, str], None], cancelled: Callable[[], bool]) -> IngestReport:
        go_on.wait(60)
        return IngestReport(cancelled=True)

    job = start_job("my-documents", "Adding a file", change)
    assert job is not None
    app = opened(view="Add documents")
    app.text_input(key="add_folder").set_value(str(tmp_path)).run()
    app = pressed(app, "Add folder")
    assert "already being changed" in shown(app)
    assert "already being changed" in shown(app.run())
    go_on.set()
    job.wait(60)
    dismiss_job("my-documents")


def test_the_page_goes_on_with_the_corpus_to_which_documents_were_added(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pages._shared.corpus.add.same_computer", lambda **_: True)
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.txt").write_text("It rains in Aarhus.", encoding="utf-8")
    (tmp_path / "notes" / "b.pdf").write_bytes(b"no pdf at all")
    app = opened(view="Add documents")
    app.text_input(key="add_folder").set_value(str(tmp_path / "notes")).run()
    app = pressed(app, "Add folder")
    [job] = jobs()
    job.wait(60)
    app = app.run()
    assert app.selectbox(key="corpus").value == "my-documents"
    assert "1 document · 1 passage · your own" in shown(app)
    assert list(app.table[0].value.columns) == ["Could not be read", "Reason"]
    app.selectbox(key="corpus").set_value("sample").run()
    assert app.selectbox(key="corpus").value == "sample", "only once"
    dismiss_job("my-documents")


@pytest.mark.parametrize(("name", "height"), [("a.exe", 64), ("a.zip", 0)])
def test_a_long_reason_why_a_file_was_not_read_stands_in_whole_words(home: Path, name: str, height: int) -> None:
    library = CorpusLibrary(home)
    uploads = [("a.txt", b"It rains."), *((f"{number}{name}", b"no text") for number in range(11))]
    job = start_job("mixed", "Adding 12 files to mixed", lambda *_: library.add("mixed", uploads=uploads))
    assert job is not None
    job.wait(60)
    [report] = opened(corpus="mixed").dataframe[:1]
    assert report.proto.row_height == height
    dismiss_job("mixed")


@pytest.mark.parametrize(("view", "is_open"), [("Add documents", True), ("Documents", False), ("Try a search", False)])
def test_what_became_of_each_file_is_folded_where_documents_are_looked_at(home: Path, view: str, is_open: bool) -> None:
    library = CorpusLibrary(home)
    uploads = [("a.txt", b"It rains."), ("b.pdf", b"no pdf at all")]
    job = start_job("mixed", "Adding 2 files to mixed", lambda *_: library.add("mixed", uploads=uploads))
    assert job is not None
    job.wait(60)
    app = opened(corpus="mixed", view=view)
    assert "1 document added, 1 file could not be read" in shown(app)
    assert [each.proto.expanded for each in app.expander if each.label == "File by file"] == [is_open]
    dismiss_job("mixed")


def test_a_change_that_fails_says_why_and_no_traceback() -> None:
    def change(progress: Callable[[int, int, str], None], cancelled: Callable[[], bool]) -> None:
        raise CorpusError("the disk is full")

    job = start_job("two", "Adding a file to two", change)
    assert job is not None
    job.wait(60)
    assert (job.over, job.error, ended_title(job)) == (True, "the disk is full", "Adding a file to two: failed")
    dismiss_job("two")


def test_where_no_file_could_be_read_nothing_is_said_to_be_added(home: Path) -> None:
    library = CorpusLibrary(home)
    job = start_job("bad", "Adding 1 file to bad", lambda *_: library.add("bad", uploads=[("a.pdf", b"no pdf at all")]))
    assert job is not None
    job.wait(60)
    assert ended_title(job) == "Nothing was added to bad"
    dismiss_job("bad")


def test_an_empty_folder_is_not_said_to_be_added(home: Path, tmp_path: Path) -> None:
    (tmp_path / "bare").mkdir()
    library = CorpusLibrary(home)
    job = start_job("some", "Adding the folder bare to some", lambda *_: library.add("some", paths=[tmp_path / "bare"]))
    assert job is not None
    job.wait(60)
    assert ended_title(job) == "Nothing was added to some"
    assert report_line(job.result) == "No file was found."
    dismiss_job("some")


def test_where_some_files_could_not_be_read_the_others_are_said_to_be_added(home: Path) -> None:
    library = CorpusLibrary(home)
    uploads = [("a.txt", b"It rains."), ("b.pdf", b"no pdf at all")]
    job = start_job("mixed", "Adding 2 files to mixed", lambda *_: library.add("mixed", uploads=uploads))
    assert job is not None
    job.wait(60)
    assert ended_title(job) == "Added 1 of 2 files to mixed"
    again = start_job("mixed", "Adding 2 files to mixed", lambda *_: library.add("mixed", uploads=uploads))
    assert again is not None
    again.wait(60)
    assert ended_title(again) == "Nothing new was added to mixed"
    dismiss_job("mixed")


def test_what_is_over_is_named_as_done_and_leads_to_a_first_question(home: Path) -> None:
    library = CorpusLibrary(home)
    job = start_job("mine", "Adding 1 file to mine", lambda *_: library.add("mine", uploads=[("a.txt", b"It rains.")]))
    assert job is not None
    job.wait(60)
    app = opened()
    assert "**Added 1 file to mine**" in shown(app)
    app.button(key="ask_mine").click().run()
    assert app.session_state["ask_corpus"] == "mine"
    dismiss_job("mine")


def test_the_page_shows_the_bundled_corpus_and_the_passages_of_its_first_document(home: Path) -> None:
    app = opened()
    card = CorpusLibrary(home).card("sample")
    assert f"{card.documents} documents · {card.passages} passages" in shown(app)
    assert f"{card.documents} of {card.documents} documents" in shown(app)
    assert not app.exception


def test_a_corpus_that_cannot_be_read_takes_no_other_with_it(home: Path) -> None:
    library = CorpusLibrary(home)
    library.add("mine", uploads=[("a.txt", b"It rains.")])
    for file in (home / "corpora" / "mine").rglob("*"):
        if file.is_file():
            file.write_bytes(b"not what was written")
    app = opened()
    assert not app.exception
    assert [each.title for each in app.warning] == ["The corpus “mine” cannot be used"]
    assert "There is no corpus" not in shown(opened(corpus="mine"))
    app.button(key="delete_damaged_mine").click().run()
    app.button(key="delete_corpus_yes").click().run()
    assert "“mine” was deleted." in shown(app)
    assert (library.names(), app.warning.len) == (["sample"], 0)
    assert "bundled, cannot be changed" in shown(app)


def test_words_that_match_no_document_are_answered_in_words(home: Path) -> None:
    app = opened()
    app = app.text_input(key="corpus_find").set_value("zzzz").run()
    assert "No document matches" in shown(app)


def test_a_search_is_tried_without_a_run(home: Path) -> None:
    app = opened(view="Try a search", try_query="supply chain risk of Apple")
    assert "10 passages by words" in shown(app)
    assert "Apple: supply chain" in shown(app)
    assert "search by meaning" not in shown(app).lower()


def test_of_a_pasted_page_the_first_words_are_searched_for_and_that_is_said(home: Path) -> None:
    app = opened(view="Try a search")
    app.text_input(key="try_query").set_value("supply chain risk of Apple " * 20).run()
    assert "Only the first 400 of its 540 characters" in shown(app)
    assert "10 passages by words" in shown(app)


def test_a_result_is_shown_from_the_words_it_was_found_by(home: Path) -> None:
    text = f"{'It rains on the hills of the north. ' * 40}Levees and a *levee* held."
    CorpusLibrary(home).add("mine", uploads=[("a.txt", text.encode())])
    app = opened(view="Try a search", try_query="levee", corpus="mine")
    assert "**Levees** and a" in shown(app)


def test_a_search_by_meaning_without_vectors_says_that_it_searched_by_words(home: Path) -> None:
    CorpusLibrary(home).add("mine", uploads=[("a.txt", b"A supply chain has many links.")])
    app = opened(view="Try a search", try_query="supply chain", corpus="mine")
    app.get("button_group")[-1].set_value("dense").run()
    assert "1 passage by words, until search by meaning is prepared" in shown(app)


@pytest.mark.parametrize("view", ["Documents", "Try a search"])
def test_a_corpus_without_documents_says_so_where_they_would_be_looked_at(home: Path, view: str) -> None:
    library = CorpusLibrary(home)
    library.add("mine", uploads=[("a.txt", b"It rains.")])
    job = start_job("mine", "Removing a", lambda *_: library.remove_document("mine", "a.txt"))
    assert job is not None
    job.wait(60)
    app = opened(view=view, try_query="rain", corpus="mine")
    assert "This corpus has no documents yet" in shown(app)
    assert "No passage matches" not in shown(app)
    keys = [button.key for button in app.button]
    assert not {"ask_mine", "look_mine"} & set(keys), "there is nothing to ask, and nothing to see"
    assert "dismiss_mine" in keys
    dismiss_job("mine")


def test_the_title_of_a_long_change_leaves_room_for_what_can_be_done_next(home: Path) -> None:
    job = start_job("long", f"Removing {'Quarterly report ' * 9}", lambda *_: IngestReport())
    assert job is not None
    job.wait(60)
    assert "**Removed Quarterly report Quarterly report Quarterly report Quarterly report…**" in shown(opened())
    dismiss_job("long")


def test_a_title_of_a_thousand_letters_leaves_the_document_in_the_window(home: Path) -> None:
    text = f"# {'Long title ' * 90}\n\nOne two three four."
    CorpusLibrary(home).add("mine", uploads=[("a.md", text.encode())])
    heading = next(each.value for each in opened(corpus="mine").markdown if each.value.startswith("**Long title"))
    assert len(heading) < 170


def test_a_day_that_is_none_is_not_kept_as_the_last_of_a_period(home: Path) -> None:
    CorpusLibrary(home).add("mine", uploads=[("a.txt", b"One two three four.")])
    app = opened(corpus="mine")
    for label, typed in (("Last day of the period", "not a date"), ("Company", "Northwind")):
        next(box for box in app.text_input if box.label == label).set_value(typed)
    app = pressed(app, "Save")
    assert [unescaped(each.value) for each in app.error] == [
        "Not saved. The last day of a period is written like 2023-06-30; “not a date” cannot be read as that."
    ]
    assert not CorpusLibrary(home).documents("mine")[0].card


def test_the_bundled_corpus_offers_no_deletion(home: Path) -> None:
    CorpusLibrary(home).add("mine", uploads=[("a.txt", b"One two three four.")])
    app = opened(view="Delete", corpus="mine")
    views = app.get("button_group")[0]
    assert "Delete" in str(views.proto.options)
    app.selectbox(key="corpus").set_value("sample").run()
    assert "Delete" not in str(app.get("button_group")[0].proto.options)
    assert "232 of 232 documents" in shown(app)
    assert "232 of 232 documents" in shown(opened(view="Delete"))


def test_an_own_corpus_is_deleted_after_a_question(home: Path) -> None:
    CorpusLibrary(home).add("mine", uploads=[("a.txt", b"One two three four.")])
    app = opened(view="Delete", corpus="mine")
    assert "The text of 1 document and 1 passage" in shown(app)
    assert "1 uploaded file: of it this text is all that ADAQ keeps." in shown(app)
    app = pressed(app, "Delete this corpus")
    assert "cannot be undone" in shown(app)
    assert "mine" in CorpusLibrary(home).names()
    app.button(key="delete_corpus_yes").click().run()
    assert "mine" not in CorpusLibrary(home).names()
    assert "“mine” was deleted." in shown(app)
    assert "There is no corpus" not in shown(app)


def test_what_goes_with_a_corpus_and_what_stays_is_counted(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "reports"
    folder.mkdir()
    for name in ("a.txt", "b.txt"):
        (folder / name).write_text(f"The report {name} is about rivers.", encoding="utf-8")
    library = CorpusLibrary(home)
    library.add("mine", paths=[folder], uploads=[("c.txt", b"One two three four.")])
    library.edit_card("mine", "a.txt", {"issuer": "Contoso"})
    files = library.files("mine")
    assert what_goes(library.card("mine"), files)[1:] == [
        "1 uploaded file: of it this text is all that ADAQ keeps.",
        "The details that you corrected for 1 file.",
    ]
    assert what_stays(files, runs=2) == [
        "2 files in folders of this computer: add the folders again to search them.",
        "2 stored runs with what they found: to be read and compared, not continued.",
    ]
    assert what_stays([file for file in files if file.key.endswith("c.txt")], runs=0) == []


def test_a_link_to_a_corpus_that_is_being_made_does_not_say_that_there_is_none(home: Path) -> None:
    made = threading.Event()
    job = start_job("mine", "Adding a file to mine", lambda *_: IngestReport(cancelled=made.wait(60)))
    assert job is not None
    assert "There is no corpus" not in shown(opened(corpus="mine"))
    made.set()
    job.wait(60)
    dismiss_job("mine")


def test_the_column_of_words_has_room_for_its_longest_number() -> None:
    few, many = (document_values([replace(ROWS[0], words=words)]) for words in (900, 13_600_000))
    assert column_widths(few)["Words"] == 64
    assert column_widths(many)["Words"] >= 8 * len("13,600,000")


def test_a_link_to_a_corpus_that_is_not_there_says_so(home: Path) -> None:
    app = opened(corpus="gone")
    assert "There is no corpus “gone” on this computer." in shown(app)
    assert "bundled, cannot be changed" in shown(app)
    assert "There is no corpus" not in shown(app.run())
