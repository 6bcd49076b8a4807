"""A question set made from stored runs, with real runs on a real corpus."""

import json

import pytest

from adaq_core.corpus.library import CorpusLibrary
from adaq_core.datasets.beir import load_set
from adaq_core.errors import InputError
from adaq_core.evaluation.sets_from_runs import corpora_of_runs, make_set, mark_evidence
from adaq_core.events import RunStarted
from adaq_core.model import Budget, Settings
from adaq_core.retrieval.index import DocumentRetriever
from adaq_core.store import open_store
from adaq_core.trace import view
from tests.asking import execute

QUESTION = "When was Alpha founded?"
TEXTS = {"alpha.txt": "Alpha was founded in 1901 in Rome.", "beta.txt": "Beta was founded in 1950 in Paris."}


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("ADAQ_HOME", str(tmp_path / "home"))
    folder = tmp_path / "files"
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    library = CorpusLibrary()
    library.add("mine", paths=[folder], uploads=[("gamma.csv", b"name,year\nGamma,1960\n")])
    store = open_store()
    yield library, store
    store.close()


def stored(home, question):
    library, store = home
    index = library.open("mine")
    settings, budget = Settings(), Budget()
    run_id = store.begin(RunStarted(question, "bm25", index.card, settings, budget))
    for event in execute("bm25", question, retriever=DocumentRetriever(index), settings=settings, budget=budget):
        store.append(run_id, event)
    return run_id


def lines(made):
    text = (made.folder / "questions.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_questions_alone_come_without_judgments(home):
    stored(home, QUESTION)
    made = make_set(home[1], home[0], "first", corpus="mine")
    assert (made.questions, made.judged) == (1, 0)
    assert [(each.text, each.is_answerable) for each in load_set("first")] == [(QUESTION, None)]
    assert lines(made)[0]["answerable"] is None


def test_a_good_rating_makes_gold_of_what_is_cited_and_a_mark_of_any_passage(home):
    _, store = home
    rated, marked = stored(home, QUESTION), stored(home, "Where was Beta founded?")
    store.annotate(rated, rating=1)
    passage = next(each for each in view(store.records(marked)).passages.values() if each.document_id == "beta.txt")
    assert mark_evidence(store, marked, [passage.passage_id]) == (passage.passage_id,)
    made = make_set(store, home[0], "second", corpus="mine")
    by_question = {each.text: each for each in load_set("second")}
    assert made.judged == 2
    assert by_question[QUESTION].gold_documents[0] == "alpha.txt"
    assert by_question["Where was Beta founded?"].gold == {"beta.txt": 1}
    assert by_question["Where was Beta founded?"].subtopics[0].quote == passage.text


def test_a_question_without_an_answer_is_tagged_so(home):
    _, store = home
    store.annotate(stored(home, "Who owns Delta?"), tags=["unanswerable"])
    make_set(store, home[0], "third", corpus="mine")
    assert load_set("third").questions[0].is_unanswerable


def test_documents_that_were_uploaded_are_written_as_texts(home):
    stored(home, QUESTION)
    made = make_set(home[1], home[0], "fourth", corpus="mine")
    names = sorted(each.name for each in (made.folder / "documents").iterdir())
    assert names[:2] == ["alpha.txt", "beta.txt"]
    assert any(name.startswith("gamma") for name in names)


def test_what_cannot_be_made_is_said(home):
    library, store = home
    with pytest.raises(InputError, match="no finished run on the corpus 'mine'"):
        make_set(store, library, "none", corpus="mine")
    with pytest.raises(InputError, match="Expected a name"):
        make_set(store, library, "../x", corpus="mine")
    run_id = stored(home, QUESTION)
    with pytest.raises(InputError, match="Expected passages that"):
        mark_evidence(store, run_id, ["nothing#0"])


def test_runs_on_documents_that_are_not_in_the_library_make_no_set_and_what_fails_takes_no_name(home, tmp_path):
    library, store = home
    stored(home, QUESTION)
    assert corpora_of_runs(store, library) == ("mine",)
    elsewhere = CorpusLibrary(tmp_path / "elsewhere")
    assert corpora_of_runs(store, elsewhere) == ()
    for _ in range(2):
        with pytest.raises(InputError, match=r"no finished run on the corpus 'mine'; runs were made on: none\.$"):
            make_set(store, elsewhere, "fifth", corpus="mine")
    assert make_set(store, library, "fifth", corpus="mine").questions == 1
