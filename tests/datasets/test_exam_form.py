import json

import pytest

from adaq_core.datasets.beir import read_question_set
from adaq_core.datasets.judged import Facts
from adaq_core.errors import DatasetError


def folder(tmp_path, lines, *, files=None):
    (tmp_path / "documents").mkdir()
    for name, text in (files or {"firm/report.txt": "Alpha was founded in 1901."}).items():
        path = tmp_path / "documents" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    text = "".join(f"{json.dumps(line)}\n" for line in lines)
    (tmp_path / "questions.jsonl").write_text(text, encoding="utf-8")
    return tmp_path


def test_a_question_alone_is_enough(tmp_path):
    questions = read_question_set(folder(tmp_path, [{"question": "When was Alpha founded?"}]))
    assert [each.question_id for each in questions] == ["when-was-alpha-founded"]
    assert questions.corpus == tmp_path / "documents"
    assert (questions.questions[0].gold, questions.questions[0].facts) == ({}, None)


def test_gold_files_are_named_with_or_without_their_ending(tmp_path):
    lines = [
        {"id": "a", "question": "When?", "gold_documents": ["firm/report"], "gold_quotes": ["founded in 1901"]},
        {"id": "b", "question": "Where?", "gold_documents": ["firm/report.txt"], "short": ["Rome"], "must": ["Rome"]},
    ]
    first, second = read_question_set(folder(tmp_path, lines))
    assert (first.gold, first.subtopics[0].quote) == ({"firm/report.txt": 1}, "founded in 1901")
    assert (second.facts, second.answers) == (Facts((("Rome",),), (), ("Rome",)), ("Rome",))


def test_the_final_half_is_read_only_when_it_is_asked_for(tmp_path):
    lines = [{"id": str(n), "question": f"Q{n}?", "half": half} for n, half in enumerate(("steer", "final", ""))]
    made = folder(tmp_path, lines)
    ids = {split: [each.question_id for each in read_question_set(made, split)] for split in ("dev", "final", "all")}
    assert ids == {"dev": ["0", "2"], "final": ["1"], "all": ["0", "1", "2"]}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"id": "a"}, "expected the field question, without question it cannot be used"),
        ({"question": "Who?", "gold_documents": ["other.txt"]}, "'other.txt' is not among the 1 documents"),
        ({"question": "Who?", "gold_quotes": ["founded"]}, "expected gold_documents beside gold_quotes"),
        ({"question": "Who?", "must": [["("]]}, "expected a pattern, got"),
        ({"question": "Who?", "short": "Rome"}, "expected a list in 'short'"),
    ],
)
def test_what_is_wrong_with_a_line_is_said(tmp_path, line, message):
    with pytest.raises(DatasetError, match=message.replace("(", r"\(")):
        read_question_set(folder(tmp_path, [line]))


def test_an_unanswerable_question_has_no_gold_answer(tmp_path):
    line = {"question": "Who?", "answerable": False, "short": ["x"]}
    question = read_question_set(folder(tmp_path, [line])).questions[0]
    assert (question.is_unanswerable, question.answers) == (True, ())


def test_a_set_may_take_the_documents_of_another(tmp_path, monkeypatch):
    (tmp_path / "other" / "documents").mkdir(parents=True)
    (tmp_path / "other" / "documents" / "a.txt").write_text("Alpha.", encoding="utf-8")
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "questions.jsonl").write_text('{"question": "What?"}\n', encoding="utf-8")
    (mine / "dataset.json").write_text('{"set": "other"}', encoding="utf-8")
    with pytest.raises(DatasetError, match="takes its documents from the set 'other', which is not there"):
        read_question_set(mine)
    monkeypatch.setenv("ADAQ_DATASETS", str(tmp_path))
    assert read_question_set(mine).corpus == tmp_path / "other" / "documents"


def test_the_documentation_of_installed_packages_is_a_corpus(tmp_path, monkeypatch):
    monkeypatch.setenv("ADAQ_HOME", str(tmp_path / "home"))
    (tmp_path / "questions.jsonl").write_text('{"question": "What is pytest?"}\n', encoding="utf-8")
    (tmp_path / "dataset.json").write_text('{"packages": ["pytest", "numpy"]}', encoding="utf-8")
    corpus = read_question_set(tmp_path).corpus
    assert sorted(each.name for each in corpus.iterdir()) == ["numpy.md", "pytest.md"]
    assert (corpus / "pytest.md").read_text(encoding="utf-8").startswith("# pytest\n\nSummary: ")
