import gzip
import json

import pytest

from adaq_core.datasets.beir import read_question_set, splits
from adaq_core.datasets.judged import Facts, JudgedQuestion, Subtopic
from adaq_core.errors import DatasetError
from adaq_core.model import Document

ROW = {"query-id": "q1", "subtopic": "1", "corpus-id": "d1"}


def test_a_split_has_its_judged_questions_and_the_unanswerable_ones(make_set):
    loaded = read_question_set(make_set())
    assert loaded.questions == (
        JudgedQuestion(
            "q1",
            "Who wrote the first program and who drew the engine?",
            {"type": "bridge"},
            {"d1": 1, "d2": 1, "d3": 0},
            (Subtopic("1", "d1", "Ada wrote the first program. It ran", "Who wrote?"), Subtopic("2", "d2")),
        ),
        JudgedQuestion("q2", "Who landed on Mars?", {"type": "null", "answer": "Insufficient information."}),
    )
    assert loaded.remarks == ("1 questions have no judgment in the split 'dev' and are left out",)


def test_what_a_question_says_of_itself(make_set):
    bridge, null = read_question_set(make_set())
    assert (bridge.kind, bridge.gold_documents, bridge.subtopic_names) == ("bridge", ("d1", "d2"), ("1", "2"))
    assert bridge.subquestions == ("Who wrote?",)
    assert (bridge.is_unanswerable, null.is_unanswerable, null.answers) == (False, True, ())


def test_gzipped_files_are_read_the_same(make_set):
    folder = make_set()
    plain = read_question_set(folder)
    for path in [*folder.glob("*.jsonl"), *folder.glob("subtopics/*.jsonl")]:
        with gzip.open(f"{path}.gz", "wb") as file:
            file.write(path.read_bytes())
        path.unlink()
    assert read_question_set(folder) == plain


def test_documents_keep_their_source_and_date(make_set):
    documents = list(read_question_set(make_set()).documents())
    text = "Ada wrote the first program.\nIt ran on paper."
    assert documents[0] == Document("d1", "Ada", text, "News", metadata=(("source", "News"),))


def test_subtopics_alone_make_a_split(make_set):
    loaded = read_question_set(make_set(qrels=None))
    assert [question.question_id for question in loaded] == ["q1", "q2"]
    assert loaded.questions[0].gold == {}


def test_questions_without_any_judgment_are_kept_for_the_planner(make_set):
    loaded = read_question_set(make_set(corpus=None, qrels=[], subtopics=None, queries=[{"_id": "q", "text": "Why?"}]))
    assert (len(loaded), loaded.corpus, list(loaded.documents())) == (1, None, [])
    assert loaded.remarks == ("no question has a judgment: nothing can be measured against one",)


def test_a_missing_split_names_those_there_are(make_set):
    folder = make_set(split="test")
    assert splits(folder) == ("test",)
    with pytest.raises(DatasetError, match=r"qrels/dev.tsv.*found the splits test; choose one with --split"):
        read_question_set(folder, "dev")


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"queries": None}, "expected queries.jsonl or queries.jsonl.gz in"),
        ({"queries": []}, "the file holds none"),
        ({"queries": [{"_id": "q1", "text": " "}]}, "line 1: expected a question, but the text of 'q1' is empty"),
        ({"queries": [{"_id": "q1", "text": "a"}] * 2}, "line 2: expected one question per id, but 'q1' comes twice"),
        ({"queries": [{"id": "q1", "text": "a"}]}, "expected the fields _id, text, without _id"),
        ({"queries": [["q1"]]}, "line 1: expected a JSON object"),
        ({"qrels": [("q9", "d1", 1)]}, "line 2: judges question 'q9', which queries.jsonl does not have"),
        ({"qrels": [("q1", "d1", 1), ("q1", "d1", 1)]}, "line 3: expected one judgment per pair"),
        ({"qrels": [("q1", "d1", "yes")]}, "expected query-id, corpus-id and a whole number between tabs"),
        ({"qrels": [("q1", "d9", 1)]}, "1 judged documents of tiny are not among the 3 documents"),
        ({"subtopics": [ROW | {"query-id": "q9"}]}, "line 1: judges question 'q9'"),
        ({"subtopics": [ROW | {"corpus-id": "d9"}]}, "1 judged documents of tiny are not among the 3 documents"),
        ({"corpus": [{"_id": "d1", "text": "a"}] * 2}, "expected one document per id, but 'd1' comes twice"),
    ],
)
def test_what_contradicts_itself_is_refused_with_words(make_set, parts, words):
    folder = make_set(**parts)
    with pytest.raises(DatasetError, match=words):
        read_question_set(folder)


def test_a_quote_that_does_not_occur_and_an_empty_document_are_remarked(make_set):
    corpus = [{"_id": "d1", "text": "Something else."}, {"_id": "d2", "text": "a"}, {"_id": "d3", "text": "  "}]
    remarks = read_question_set(make_set(corpus=corpus)).remarks
    assert remarks[0] == "1 documents have no text and can never be found: d3"
    assert remarks[1].startswith(
        "1 quotes do not occur in their document, so their subtopics cannot be found: d1: 'Ada"
    )


@pytest.mark.parametrize(("text", "line"), [('{"_id": "q1", "text": "a"}\n{"_id": ', 2), ("[" * 100_000, 1)])
def test_a_broken_line_names_file_and_line(make_set, text, line):
    folder = make_set()
    (folder / "queries.jsonl").write_text(text)
    with pytest.raises(DatasetError, match=rf"queries.jsonl line {line}: expected a JSON object"):
        read_question_set(folder)


def test_a_cut_gzip_file_is_refused_with_words(make_set):
    folder = make_set()
    whole = gzip.compress((folder / "queries.jsonl").read_bytes())
    (folder / "queries.jsonl").unlink()
    (folder / "queries.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DatasetError, match="fetch the file again"):
        read_question_set(folder)


def test_a_shared_corpus_of_markdown_files_has_paths_as_ids(make_set, tmp_path):
    shared = tmp_path / "corpus" / "people"
    shared.mkdir(parents=True)
    (shared / "ada.md").write_text("---\ntitle: Ada\n---\nAda wrote the first program.")
    (tmp_path / "corpus" / "README.md").write_text("Not a document.")
    folder = make_set(corpus=None, qrels=[("q1", "people/ada", 1)], subtopics=None)
    (folder / "dataset.json").write_text(json.dumps({"corpus": "../corpus"}))
    loaded = read_question_set(folder)
    assert [(each.document_id, each.title) for each in loaded.documents()] == [("people/ada", "Ada")]


def test_a_shared_corpus_that_is_not_there_is_refused(make_set):
    folder = make_set(corpus=None)
    (folder / "dataset.json").write_text(json.dumps({"corpus": "../nowhere"}))
    with pytest.raises(DatasetError, match="there is no such folder"):
        read_question_set(folder)


def test_metadata_may_say_what_an_answer_has_to_state(make_set):
    stated = {"must": ["Ada", ["program", "programme"]], "must_not": ["Babbage wrote"]}
    folder = make_set(queries=[{"_id": "q1", "text": "Who wrote it?", "metadata": stated}], subtopics=None)
    facts = read_question_set(folder).questions[0].facts
    assert facts == Facts(must=(("Ada",), ("program", "programme")), must_not=("Babbage wrote",))


def test_a_fact_that_is_no_pattern_is_named_with_its_line(make_set):
    folder = make_set(queries=[{"_id": "q1", "text": "Who wrote it?", "metadata": {"must": ["("]}}], subtopics=None)
    with pytest.raises(DatasetError, match=r"queries.jsonl line 1: expected a pattern, got '\('"):
        read_question_set(folder)
