"""Laws of a plan over real questions: those that come with ADAQ, and those of the folder that ADAQ_DATASETS names."""

import gzip
import json
import os
import re
from functools import cache
from pathlib import Path

import pytest

from adaq_core.datasets.beir import has_corpus, known_sets, load_set
from adaq_core.question.answer_kinds import CONJUNCTIONS, dangles
from adaq_core.question.aspects import plan
from adaq_core.question.query_templates import profiles
from adaq_core.text.tokens import items_of, terms_of, tokens, words

PROFILES = profiles()
DATASETS = os.environ.get("ADAQ_DATASETS", "")
MOST = 400
# Of a thousand aspects so many may break a law; of a question written by a machine no pattern is always right.
ALLOWED = 0.006


@cache
def planned(question):
    """The aspects of the question; two laws look at most of them."""
    return plan(question, profiles=PROFILES).aspects


def questions_of(name):
    return [question.text for question in load_set(name).questions][:MOST]


def is_said(part, question):
    """Whether the part is a phrase of the question, or made of its words where it shares a head with others."""
    return is_phrase(part, question) or terms_of(part) <= terms_of(question)


def is_phrase(part, question):
    wanted, said = words(part), words(question)
    return any(said[at : at + len(wanted)] == wanted for at in range(len(said) - len(wanted) + 1))


def broken(aspect, question):
    """Which law an aspect breaks; empty where it keeps all."""
    subject = aspect.subject.strip("… ")
    if subject and aspect.aspect_type not in ("comparison", "process") and not is_said(subject, question):
        return "its subject is no phrase of the question"
    if aspect.aspect_type == "comparison" and not all(item <= terms_of(question) for item in items_of(aspect)):
        return "it compares what the question does not name"
    if subject and aspect.aspect_type not in ("relation", "entity") and dangles(subject):
        return "its subject wants another word"
    if not aspect.aspect.endswith("…") and dangles(aspect.aspect) and not dangles(question.rstrip("?. ")):
        return "it wants another word" if aspect.subject != aspect.aspect.split(" of ", 1)[-1] else ""
    return "it begins with a joint" if re.match(r"(?:and|or|but|of)\b", aspect.aspect, re.IGNORECASE) else ""


NAMES = sorted(name for name, folder in known_sets().items() if "exam" not in name and has_corpus(folder))


@pytest.mark.parametrize("name", NAMES)
def test_an_aspect_asks_in_a_phrase_of_the_question_and_no_side_of_a_split_hangs(name):
    faults, count = [], 0
    for question in questions_of(name):
        for aspect in planned(question):
            count += 1
            if why := broken(aspect, question):
                faults.append((why, aspect.aspect, question))
    assert len(faults) <= max(1, ALLOWED * count), faults


TEMPLATE_WORDS = (
    "definition process mechanism of reasons why how strengths weaknesses applications kinds comparison between effect "
    "effects causes consequences importance influence purpose role historical context date place fact when where was "
    "to much many timeline said about head"
)


def dev_questions():
    for path in sorted(Path(DATASETS).glob("*/queries.jsonl.gz")) if DATASETS else ():
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            yield from ((path.parent.name, json.loads(line)["text"]) for line in lines)


@pytest.mark.skipif(not DATASETS, reason="ADAQ_DATASETS names no folder of question sets")
def test_every_aspect_of_a_real_question_speaks_of_the_question_and_ends_well():
    templates = {*tokens("regulation supply competition macro legal risk"), *tokens(TEMPLATE_WORDS)}
    ends = re.compile(rf"\b(?:{'|'.join(CONJUNCTIONS)})$")
    broken = []
    for name, question in dev_questions():
        asked = set(tokens(question)) | templates
        for aspect in planned(question):
            new = [
                term
                for term in tokens(aspect.aspect.replace("…", ""))
                if term not in asked and term not in question.lower()
            ]
            if new or ends.search(aspect.aspect):
                broken.append((name, aspect.aspect, new))
    assert broken == []
