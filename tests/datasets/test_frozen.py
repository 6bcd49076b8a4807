"""The frozen question sets: what a version stands for does not change, and their gold is in the documents."""

import hashlib
import json
import re
from collections import Counter

import pytest

from adaq_core.datasets import read_texts
from adaq_core.datasets.beir import BUNDLED, load_set

# Version, questions, and a checksum with judgments and documents: whoever changes one raises the version.
FROZEN = {
    "finance": ("1.0", 40, "2545c8e13add7f56"),
    "general": ("1.0", 60, "ca2f677013ccf735"),
    "policy": ("1.0", 40, "e3f4ec86588b58ed"),
}
FILES = ("queries.jsonl", "qrels/dev.tsv", "subtopics/dev.jsonl")


def checksum(name):
    digest = hashlib.sha256()
    for file in FILES:
        digest.update((BUNDLED / name / file).read_bytes())
    for document, text in sorted(read_texts(load_set(name).corpus)):
        digest.update(json.dumps([document, text]).encode())
    return digest.hexdigest()[:16]


@pytest.fixture(scope="module")
def policy():
    loaded = load_set("policy")
    return loaded, dict(read_texts(loaded.corpus))


@pytest.mark.parametrize("name", FROZEN)
def test_a_version_stands_for_the_same_questions_judgments_and_documents(name):
    assert (load_set(name).version, len(load_set(name)), checksum(name)) == FROZEN[name]


@pytest.mark.parametrize("name", FROZEN)
def test_a_set_is_described_without_the_word_null_of_its_files(name):
    assert " null" not in json.loads((BUNDLED / name / "dataset.json").read_text(encoding="utf-8"))["description"]


def test_every_quote_stands_word_for_word_in_its_document(policy):
    questions, texts = policy
    quoted = [(each.document_id, each.quote) for question in questions for each in question.subtopics]
    assert len(quoted) == 56
    assert [(name, quote) for name, quote in quoted if not quote or quote not in texts[name]] == []


def test_every_fact_that_an_answer_has_to_state_stands_in_the_judged_documents(policy):
    questions, texts = policy
    missing = []
    for question in questions:
        judged = " ".join(texts[name] for name in question.gold_documents)
        for fact in question.facts.must if question.facts else ():
            if not any(re.search(pattern, judged, re.IGNORECASE | re.DOTALL) for pattern in fact):
                missing.append((question.question_id, fact))
    assert missing == []


def test_what_would_be_wrong_is_not_in_the_quotes_that_answer(policy):
    questions, _ = policy
    wrong = []
    for question in questions:
        quotes = " ".join(each.quote for each in question.subtopics)
        patterns = question.facts.must_not if question.facts else ()
        wrong += [
            (question.question_id, pattern)
            for pattern in patterns
            if re.search(pattern, quotes, re.IGNORECASE | re.DOTALL)
        ]
    assert wrong == []


def test_gold_answers_are_those_of_the_documents_or_a_yes_or_no(policy):
    questions, texts = policy
    absent = []
    for question in questions:
        judged = " ".join(texts[name] for name in question.gold_documents).casefold()
        for answer in question.answers:
            words = re.findall(r"\w+", answer.casefold())
            if words[0] not in ("yes", "no") and not all(word in judged for word in words):
                absent.append((question.question_id, answer))
    assert absent == []


def test_the_policy_set_asks_in_eight_ways():
    kinds = Counter(question.kind for question in load_set("policy"))
    assert kinds == {
        "condition": 7,
        "version": 7,
        "yes_no": 6,
        "comparison": 5,
        "list": 4,
        "chain": 4,
        "null": 4,
        "single": 3,
    }
