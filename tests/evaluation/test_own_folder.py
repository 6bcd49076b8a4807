"""A folder of a user's own files with questions, evaluated as a set, on the command line as a user types it."""

import json

import pytest
from typer.testing import CliRunner

from adaq_core.cli import build
from adaq_core.evaluation import read_outcomes
from adaq_core.evaluation.request import Request, evaluate

FILES = {
    "alpha.md": "# Alpha\n\nAlpha was founded in 1901 in Rome by Ada Rossi.",
    "sub/beta.txt": "Beta was founded in 1950 in Paris. Beta bought Gamma in 1960.",
    "gamma.html": "<html><title>Gamma</title><body><p>Gamma makes clocks in Vienna.</p></body></html>",
}
QUESTIONS = [
    {
        "id": "a",
        "question": "When was Alpha founded?",
        "gold_documents": ["alpha"],
        "short": ["1901"],
        "must": ["1901"],
    },
    {"id": "b", "question": "Where was Beta founded?", "gold_documents": ["sub/beta.txt"], "gold_quotes": ["in Paris"]},
    {"id": "c", "question": "What does Gamma make?"},
    {"id": "d", "question": "Who is the president of Peru?", "answerable": False},
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("ADAQ_HOME", str(tmp_path / "home"))
    own = tmp_path / "own"
    for name, text in FILES.items():
        path = own / "documents" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    lines = "".join(f"{json.dumps(line)}\n" for line in QUESTIONS)
    (own / "questions.jsonl").write_text(lines, encoding="utf-8")
    return own


def adaq(*words):
    return CliRunner().invoke(build(), ["evaluate", *map(str, words)])


def test_a_folder_of_files_with_questions_is_evaluated(folder, tmp_path):
    out = tmp_path / "out"
    words = ("--dataset", folder, "--methods", "bm25", "--no-dense", "--no-store", "--out", out, "--failures")
    left = adaq(*words)
    assert left.exit_code == 0
    measures = {each.question_id: each.measures for each in read_outcomes(out / "per_question.jsonl")}
    assert (measures["a"]["Recall@5"], measures["a"]["facts_asserted"]) == (1.0, 1.0)
    assert (measures["b"]["passage_Recall@5"], measures["b"]["nugget_recall"]) == (1.0, 1.0)
    assert (measures["c"]["Recall@5"], measures["c"].get("facts_asserted")) == (None, None)
    assert "null_recognised" in measures["d"]


def test_files_below_folders_keep_their_names(folder, tmp_path):
    ran = evaluate(Request(str(folder), methods=("bm25",), dense=False), out=tmp_path / "out", workers=1)
    documents = {document for outcome in ran.outcomes for _, document in outcome.ranking}
    assert documents == set(FILES)


def test_a_changed_file_is_indexed_again(folder, tmp_path):
    request = Request(str(folder), methods=("bm25",), dense=False)
    before = evaluate(request, out=tmp_path / "out", workers=1).outcomes[0]
    (folder / "documents" / "alpha.md").write_text("# Alpha\n\nAlpha was founded in 1902.", encoding="utf-8")
    after = evaluate(request, out=tmp_path / "out", workers=1).outcomes[0]
    assert (before.measures["facts_asserted"], after.measures["facts_asserted"]) == (1.0, 0.0)


def test_what_is_missing_is_named(folder):
    (folder / "questions.jsonl").write_text('{"question": "Who?", "gold_documents": ["gone.pdf"]}\n', encoding="utf-8")
    left = adaq("--dataset", folder, "--methods", "bm25")
    assert left.exit_code == 3
    assert "'gone.pdf' is not among the 3 documents of the corpus" in left.stderr


def test_as_many_passages_as_a_question_has_subtopics(rivers, tmp_path):
    request = Request(str(rivers), methods=("bm25",), dense=False, k_of_subtopics=True)
    ran = evaluate(request, out=tmp_path / "out", workers=1)
    sizes = {outcome.subtopics: len(outcome.evidence) for outcome in ran.outcomes}
    assert sizes[2] == 2
    assert all(outcome.measures["StRecall@n"] is not None for outcome in ran.outcomes if outcome.subtopics)


def test_with_the_gold_taken_out_every_question_is_unanswerable(rivers, folder, tmp_path):
    """Of a judged corpus and of a folder of files alike; what is left is searched."""
    for name, dataset in (("rivers", rivers), ("own", folder)):
        request = Request(str(dataset), methods=("bm25",), dense=False, gold_removed=True)
        ran = evaluate(request, out=tmp_path / name, workers=1)
        gold = {"alpha.md", "sub/beta.txt"} if name == "own" else {"heron", "Avon"}
        assert all(outcome.unanswerable for outcome in ran.outcomes)
        assert not gold & {document for outcome in ran.outcomes for _, document in outcome.ranking}
        assert {outcome.measures.get("Recall@5") for outcome in ran.outcomes} == {None}
        assert all(
            outcome.measures["declined_unanswerable"] is not None for outcome in ran.outcomes if outcome.measures
        )
