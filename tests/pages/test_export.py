"""Runs that leave the machine: the page asks for nothing, the dossier is literal, imports are exact."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from typer.testing import CliRunner

from adaq_core.cli import build
from adaq_core.corpus.library import CorpusLibrary
from adaq_core.errors import InputError
from adaq_core.evaluation.measuring import measured_again
from adaq_core.events import Event, EvidenceAssembled, Record, RunStarted
from adaq_core.export import FORMATS
from adaq_core.export.dossier import claims_table, dossier
from adaq_core.export.page import run_page
from adaq_core.export.run_json import ExportedRun, read_file, read_runs, run_lines
from adaq_core.export.verdict import verdict
from adaq_core.model import Answer, ShortAnswer
from adaq_core.retrieval.index import DocumentRetriever
from adaq_core.store import open_store
from adaq_core.store.history import Remark, Remarks
from adaq_core.trace import view
from pages._shared.common.backend import stored_run
from pages._shared.common.words import size
from pages._shared.run.data import files
from tests.asking import execute
from tests.pages import built_runs
from tests.pages.test_trace_explorer import stored

HOSTILE = "</script><img src=x onerror=alert(1)> ![p](http://evil.example/p.png) | # *b*"


def test_the_page_holds_the_lanes_and_asks_for_nothing() -> None:
    page = run_page("r-1", view(built_runs.records(built_runs.finished())))
    assert "All 4 aspects are covered." in page
    assert "const component = function" in page
    assert "default-src 'none'" in page
    assert not re.findall(r"""(?:src|href)\s*=\s*["']?https?:""", page)
    data = json.loads(re.search(r"^const data = (.*)$", page, re.MULTILINE)[1])
    assert [aspect["covered_at"] for aspect in data["aspects"]] == [1, 2, 2, 4]


def test_a_short_answer_without_a_sentence_is_an_answer_in_the_page() -> None:
    run = view(built_runs.records(built_runs.finished()))
    run.answer = Answer("**7 million** [1]", short=ShortAnswer("7 million", "number", (1,)))
    page = run_page("r-1", run)
    assert "<strong>7 million</strong>" in page
    assert "came to no answer" not in page


def test_hostile_words_stay_words_in_the_page() -> None:
    page = run_page("r-1", view(built_runs.records(replace(built_runs.finished(), question=HOSTILE))))
    assert "<img" not in page
    assert page.count("</script>") == 1


def test_hostile_words_stay_words_in_the_dossier() -> None:
    text = dossier("r-1", view(built_runs.records(replace(built_runs.finished(), question=HOSTILE))))
    assert "![p]" not in text
    assert not re.search(r"(?<!\\)<img", text)
    assert "http://" not in text
    assert text.startswith("# \\<")


def test_the_dossier_names_what_covered_each_aspect_and_what_is_missing() -> None:
    text = dossier("r-1", view(built_runs.records(built_runs.partial())))
    assert re.search(r"^\| Date and price \| hop 1 \| \d\.\d\d \| Acme report 1\\?\.0 \|$", text, re.MULTILINE)
    assert re.search(r"^\| Regulatory exposure .* \| not found \|", text, re.MULTILINE)


def test_a_run_comes_back_as_it_went(home: Path) -> None:
    run_id = stored(built_runs.finished())
    store = open_store()
    store.annotate(run_id, note="Look again", tags=["board"], rating=-1)
    remarks = (Remark("hop", "2", "The turning point", 1), Remark("sentence", "1", "", -1))
    for remark in remarks:
        Remarks(store).keep(run_id, remark)
    lines = list(run_lines(store.run(run_id), store.records(run_id), Remarks(store).of(run_id)))
    [back] = read_runs(lines)
    assert (back.note, back.tags, back.rating, back.remarks) == ("Look again", ("board",), -1, remarks)
    again = store.import_run(back.records, run_id=back.run_id, remarks=back.remarks)
    assert Remarks(store).of(again) == remarks
    assert [record.event for record in store.records(again)] == [record.event for record in store.records(run_id)]
    assert store.run(again).imported


def _without_evidence(event: Event) -> Event:
    return replace(event, evidence=()) if isinstance(event, EvidenceAssembled) else event


def test_an_imported_run_of_a_judged_question_is_measured_again(
    indexed_home: Path, sample: DocumentRetriever, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ADAQ_DATASETS", raising=False)
    asked, library = "Who chairs the board of Tesla?", CorpusLibrary(indexed_home)
    events = list(execute("adaptive", asked, retriever=sample))
    records = [Record(n, "2026-11-23T00:00:00+00:00", n / 100, event) for n, event in enumerate(events, start=1)]
    again = measured_again(records, library)
    assert (again.judged_by, again.why_not) == ("exam", "")
    assert (again.measures["Recall@5"], again.measures["short_answer_EM"]) == (1.0, 1.0)

    # What the file says of itself counts for nothing, only what it holds as evidence.
    bare = [replace(each, event=_without_evidence(each.event)) for each in records]
    assert measured_again(bare, library).measures["set_recall"] == 0.0

    started = events[0]
    assert isinstance(started, RunStarted)
    other = replace(started, question="Who sings?")
    unjudged = measured_again([replace(records[0], event=other), *records[1:]], library)
    assert unjudged.why_not == "No question set on this computer judges this question over these documents."
    newer = replace(started, corpus=replace(started.corpus, version="another"))
    elsewhere = measured_again([replace(records[0], event=newer), *records[1:]], library)
    assert elsewhere.measures == {}
    assert elsewhere.why_not.startswith("The corpus “sample” as the run searched it (version another) is not on this")
    assert "did not finish" in measured_again(records[:-1], library).why_not


def test_remarks_of_a_hostile_file_that_are_none_are_left_out(home: Path) -> None:
    store = open_store()
    head, *rest = run_lines(store.run(run_id := stored(built_runs.finished())), store.records(run_id))
    given = [3, {"part": "store"}, {"part": "hop", "target": 7, "note": ["x"], "rating": 99}]
    [back] = read_runs([json.dumps({**json.loads(head), "remarks": given}), *rest])
    assert back.remarks == (Remark("hop", "7", "['x']", None),)


def test_sizes_read_as_people_read_them() -> None:
    assert [size(n) for n in (None, 262, 12_400, 1_400_000, 274e6, 2e9)] == [
        "",
        "262 bytes",
        "12 kB",
        "1.4 MB",
        "274 MB",
        "2.0 GB",
    ]


def test_the_command_line_writes_the_very_files_of_the_menu(home: Path, tmp_path: Path) -> None:
    run_id = stored(built_runs.partial())
    kept = stored_run(run_id)
    assert kept is not None
    for label, data, name, _ in files(kept):
        to = tmp_path / name
        kind = next(each.name for each in FORMATS if each.label == label)
        done = CliRunner().invoke(build(), ["runs", "export", run_id, "--format", kind, "--to", str(to)])
        assert done.exit_code == 0, done.output
        assert to.read_bytes() == data, kind


def test_the_dossier_begins_with_the_verdict_in_words() -> None:
    run = view(built_runs.records(built_runs.partial()))
    text = dossier("r-1", run).replace("\\", "")
    assert "**3 of 4 aspects covered.** Missing: Regulatory exposure" in text
    assert "max_hops" not in text
    assert ".." not in text
    assert ".." not in re.sub("(?s)<s(tyle|cript).*?</s(tyle|cript)>", "", run_page("r-1", run))


def read_back(text: str) -> list[ExportedRun]:
    return list(read_file(text.splitlines(keepends=True)))


def test_a_run_comes_back_from_one_json_value_as_well_as_from_lines(home: Path) -> None:
    run_id = stored(built_runs.finished())
    store = open_store()
    lines = list(run_lines(store.run(run_id), store.records(run_id)))
    head, *events = [json.loads(line) for line in lines]
    expected = read_back("\n".join(lines))
    for value in ({**head, "events": events}, events):
        [back] = read_back(json.dumps(value, indent=1))
        assert [record.event for record in back.records] == [record.event for record in expected[0].records]
    assert back.run_id == ""
    assert store.import_run(read_back(json.dumps(events))[0].records, run_id="")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("html", "a page to read and print"),
        ("markdown", "a dossier (Markdown)"),
        ("json", "the answer, aspects and hops of a run (JSON)"),
        ("otlp", "the spans of a run (OTLP)"),
        ("evidence", "a table of evidence (CSV)"),
        ("claims", "a table of sentences (CSV)"),
    ],
)
def test_another_export_of_ours_is_refused_by_its_name(home: Path, name: str, words: str) -> None:
    kept = stored_run(stored(built_runs.finished()))
    assert kept is not None
    label = next(each.label for each in FORMATS if each.name == name)
    text = next(data.decode() for each, data, _, _ in files(kept) if each == label)
    with pytest.raises(InputError, match=re.escape(f"This file holds {words}, but not the run's events.")):
        read_back(text)


NO_RUN = (
    "not a run",
    "[",
    "[1]",
    "{}",
    '{"adaq_run": 1, "events": [{}]}',
    '{"adaq_run": 9, "events": []}',
    "[" * 100_000,
)


@pytest.mark.parametrize("text", NO_RUN, ids=range(len(NO_RUN)))
def test_a_file_that_is_no_run_is_refused_in_words(text: str) -> None:
    with pytest.raises(InputError, match=r"not an exported run|not an event that this version|later version"):
        read_back(text)


def test_a_damaged_file_says_what_became_of_it(home: Path) -> None:
    run_id = stored(built_runs.finished())
    store = open_store()
    lines = list(run_lines(store.run(run_id), store.records(run_id)))
    cut = "\n".join([*lines[:5], lines[5][:100], ""])
    for text, words in (
        (cut, "The file ends early, in line 6, before the run ends. Export or copy it again."),
        ("\n".join([*lines[:4], "garbage", *lines[4:]]), "The file is damaged in line 5. Export or copy it again."),
        ("\n".join([*lines[:2], *lines[3:]]), "Event 2 of the run is missing in the file. Export or copy it again."),
    ):
        with pytest.raises(InputError, match=re.escape(words)):
            read_back(text)
    [marked] = read_back("\ufeff" + "\n".join(lines))
    assert len(marked.records) == len(lines) - 1


def test_a_sentence_of_the_table_stands_beside_its_own_quotes_alone(sample: DocumentRetriever) -> None:
    events = list(execute("adaptive", "Top risks facing Tesla in 2025", retriever=sample))
    records = [Record(n, "2026-11-23T00:00:00+00:00", n / 100, event) for n, event in enumerate(events, start=1)]
    run = view(records)
    assert run.answer is not None
    shared = [n for n, times in Counter(c.n for c in run.answer.citations).items() if times > 1]
    assert shared, "no passage is quoted twice: ask another question"
    rows = list(csv.DictReader(StringIO(claims_table(run))))
    assert [(row["text"], row["quote"]) for row in rows if row["quote"] != row["text"]] == []
    assert len(rows) == len(run.answer.statements)


def test_one_number_of_coverage_stands_in_what_leaves_the_machine(sample: DocumentRetriever) -> None:
    events = list(execute("adaptive", "Top risks facing Tesla in 2025", retriever=sample))
    records = [Record(n, "2026-11-23T00:00:00+00:00", n / 100, event) for n, event in enumerate(events, start=1)]
    run = view(records)
    assert "weighted coverage" in run.reason
    assert "All 5 aspects covered by the first search" in dossier("r-1", run)
    for text in (dossier("r-1", run), run_page("r-1", run), *verdict(run).details):
        assert "weighted coverage" not in text.lower()


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_an_empty_file_holds_no_run(text: str) -> None:
    assert read_back(text) == []
