"""The exams that come with ADAQ are sound: their gold stands in the corpus, and no question gives itself away."""

import re
from functools import cache
from pathlib import Path

import pytest

from adaq_core.datasets import datasets_folder, read_documents, read_objects
from adaq_core.datasets.beir import BUNDLED, load_set
from adaq_core.datasets.judged import FINAL, STEER, JudgedQuestion, QuestionSet

UNANSWERABLE = 0.2
FEWER_UNANSWERABLE = {
    "exam-desk": 0.12,
    "exam-reports": 1 / 6,
    "exam-everyday": 0.15,
    "exam-plain": 0.17,
    "exam-voices": 0.17,
    "exam-memos": 0.17,
    "exam-quarters": 0.14,
    "exam-briefs": 0.1,
    "exam-report-briefs": 0.12,
    "exam-round": 0.18,
}
REPORTS = (
    "exam-filings",
    "exam-reports",
    "exam-everyday-reports",
    "exam-analysts-reports",
    "exam-mixed-reports",
    "exam-quarters",
    "exam-credit",
    "exam-press",
    "exam-sellside",
    "exam-shareholders",
    "exam-diligence",
    "exam-report-briefs",
    "exam-round-reports",
    "exam-second-round-reports",
    "exam-third-round-reports",
)
NEEDS_DATASETS = dict.fromkeys(REPORTS, "sec10q-files")
EXAMS = sorted(each.name for each in BUNDLED.iterdir() if each.name.startswith("exam"))


def loaded(name: str) -> QuestionSet:
    needed, outside = NEEDS_DATASETS.get(name), datasets_folder()
    if needed and not (outside and (outside / needed).is_dir()):
        pytest.skip(f"{name} asks about the documents of {needed}, and ADAQ_DATASETS does not hold them")
    return load_set(name, "all")


def plain(text: str) -> str:
    return " ".join(text.split())


@pytest.fixture(scope="module", params=EXAMS)
def exam(request, tmp_path_factory):
    patch = pytest.MonkeyPatch()
    patch.setenv("ADAQ_HOME", str(tmp_path_factory.mktemp("home")))
    yield loaded(request.param)
    patch.undo()


@pytest.fixture(scope="module")
def texts(exam) -> dict[str, str]:
    return texts_of(exam.corpus)


@cache
def texts_of(corpus: Path) -> dict[str, str]:
    """The documents by their ids; most exams ask about one of two corpora, which are read once."""
    return {each.document_id: plain(each.text) for each in read_documents(corpus)}


def gold(question: JudgedQuestion, texts: dict[str, str]) -> str:
    """The quotes; where none may be committed, the documents."""
    quotes = dict.fromkeys(plain(each.quote) for each in question.subtopics)
    return " ".join(quotes or (texts[document] for document in question.gold_documents))


def holds(pattern: str, text: str) -> bool:
    return re.search(pattern, text, re.IGNORECASE | re.DOTALL) is not None


def test_every_quote_stands_in_one_of_its_documents(exam, texts):
    lost = [
        (question.question_id, each.quote)
        for question in exam
        for each in question.subtopics
        if not any(plain(each.quote) in texts[document] for document in question.gold_documents)
    ]
    assert lost == []


def test_every_fact_matches_its_gold_and_none_matches_the_question(exam, texts):
    missing = [
        (question.question_id, fact)
        for question in exam
        for fact in (question.facts.must if question.facts else ())
        if not any(holds(pattern, gold(question, texts)) for pattern in fact)
    ]
    given_away = [
        (question.question_id, pattern)
        for question in exam
        for fact in (question.facts.must if question.facts else ())
        for pattern in fact
        if holds(pattern, question.text)
    ]
    assert (missing, given_away) == ([], [])


def test_nothing_that_is_called_wrong_matches_the_gold(exam, texts):
    matches = [
        (question.question_id, pattern)
        for question in exam
        if question.facts and question.subtopics
        for pattern in question.facts.must_not
        if holds(pattern, gold(question, texts))
    ]
    assert matches == []


def test_what_is_called_absent_is_not_in_the_corpus(exam, texts):
    whole = "\n".join(texts.values())
    lines = [line for _, line in read_objects(Path(exam.folder) / "questions.jsonl", required=("question",))]
    there = [(line["id"], pattern) for line in lines for pattern in line["absent"] if holds(pattern, whole)]
    assert there == []


def test_enough_questions_have_no_answer_and_every_one_is_in_a_half(exam):
    unanswerable = sum(question.is_unanswerable for question in exam)
    assert unanswerable >= FEWER_UNANSWERABLE.get(exam.name, UNANSWERABLE) * len(exam)
    halves = [question.metadata["half"] for question in exam]
    assert set(halves) <= {STEER, FINAL}


def test_answerable_questions_say_where_their_answer_stands(exam):
    bare = [each.question_id for each in exam if not each.is_unanswerable and not (each.gold and each.facts)]
    assert bare == []
