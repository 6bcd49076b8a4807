"""In twelve languages the passage that answers comes first and is quoted; texts and questions: languages.json."""

import json
from pathlib import Path

import pytest

from adaq_core.events import AnswerWritten, EvidenceAssembled, of_kind
from adaq_core.model import Passage, Settings
from adaq_core.retrieval.index import DocumentRetriever, PassageIndex
from tests.asking import execute

LANGUAGES = json.loads((Path(__file__).parent / "languages.json").read_text(encoding="utf-8"))
QUESTIONS = [(f"{name}{n}", text) for name, each in LANGUAGES.items() for text, n in each["questions"]]


@pytest.fixture(scope="module")
def library_of_languages():
    texts = {f"{name}{n}": text for name, each in LANGUAGES.items() for n, text in enumerate(each["texts"])}
    passages = [Passage(f"{key}#0", key, "", text) for key, text in texts.items()]
    return DocumentRetriever(PassageIndex.build(passages, name="languages"))


@pytest.mark.parametrize(("wanted", "question"), QUESTIONS, ids=[question for _, question in QUESTIONS])
def test_the_passage_that_answers_is_first_and_quoted(library_of_languages, wanted, question):
    events = list(execute("adaptive", question, retriever=library_of_languages, settings=Settings(k=2)))
    evidence = list(of_kind(events, EvidenceAssembled))[-1].evidence
    answer = next(of_kind(events, AnswerWritten)).answer
    assert evidence[0].passage.document_id == wanted
    assert answer.status in ("answered", "partly", "unclear")
    assert wanted in {citation.document_id for citation in answer.citations}
