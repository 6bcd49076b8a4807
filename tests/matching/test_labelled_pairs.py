"""Aspects and bundled passages, labelled by reading them: does the passage answer the aspect?

How they were labelled. A pair `answers` when a reader of this passage alone, title included, could answer what the
aspect asks: the right subject, the thing asked of it, the kind of answer. For a list one right member is enough; for a
facet the passage has to be about it. A passage that only speaks of the matter, tells what followed from it, or speaks
of another firm does not answer. Pairs on which a careful reader may differ were left out. The passages of a question
are the five best by BM25; 416 pairs are of 87 questions (23 without any passage that answers), 124 are firms by facets.
"""

import json
from pathlib import Path

import pytest

from adaq_core.matching import at_most, match
from adaq_core.matching.asked import asked_by
from adaq_core.matching.shown import may_say, read_for
from adaq_core.model import Constraint, QueryAspect
from adaq_core.runs.execute import rarity
from adaq_core.stages.read import read

PAIRS = [json.loads(line) for line in Path(__file__).with_name("labelled_pairs.jsonl").read_text().splitlines()]


@pytest.fixture(scope="module")
def judged(sample_index):
    weigh = rarity(sample_index)
    return [(pair["question"], pair["answers"], covers(pair, sample_index, weigh)) for pair in PAIRS]


def of_pair(pair, index):
    given = dict(pair["aspect"])
    constraints = tuple(Constraint(**each) for each in given.pop("constraints", ()))
    passage = next(p for p in index.passages if p.passage_id.replace(".md", "") == pair["passage"])
    return QueryAspect(**given, constraints=constraints), passage


def covers(pair, index, weigh):
    aspect, passage = of_pair(pair, index)
    return max((f.score for f in read([aspect], [(passage, 1.0)], weigh=weigh)), default=0.0) >= 0.5


def test_most_of_what_is_called_covered_is_answered_and_the_other_way_round(judged):
    right = sum(answers and said for _, answers, said in judged)
    assert right / sum(said for _, _, said in judged) >= 0.78
    assert right / sum(answers for _, answers, _ in judged) >= 0.85


def test_few_questions_without_an_answer_have_a_passage_that_is_said_to_answer(judged):
    answerable = {question for question, answers, _ in judged if answers}
    covered = {question for question, _, said in judged if said}
    every = {question for question, _, _ in judged}
    assert len(covered - answerable) / len(every - answerable) <= 0.20
    assert len(answerable - covered) / len(answerable) <= 0.10


def test_what_a_passage_may_say_holds_all_that_its_sentences_are_read_to_say(sample_index):
    for pair in PAIRS:
        aspect, passage = of_pair(pair, sample_index)
        read_as = frozenset().union(*(sentence.terms for sentence in read_for(asked_by(aspect), passage.text)))
        assert read_as <= may_say(asked_by(aspect), passage.text)


def test_no_sentence_scores_more_than_all_words_of_its_passage_allow(sample_index):
    weigh = rarity(sample_index)
    for pair in PAIRS:
        aspect, passage = of_pair(pair, sample_index)
        here = match(aspect, passage, weigh=weigh)
        most = at_most(aspect, passage, weigh=weigh)
        assert (here.score if here else 0.0) <= most + 1e-9, pair


def test_what_may_score_enough_is_read_as_before_and_what_cannot_is_not_read(sample_index):
    weigh = rarity(sample_index)
    unread = 0
    for pair in PAIRS:
        aspect, passage = of_pair(pair, sample_index)
        here = match(aspect, passage, weigh=weigh)
        enough = match(aspect, passage, weigh=weigh, least=0.5)
        if here and here.score >= 0.5:
            assert enough == here, pair
        else:
            assert enough is None or enough.score < 0.5, pair
            unread += here is not None and enough is None
    assert unread > 0
