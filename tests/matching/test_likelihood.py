"""Whether a sentence answers, seen beside the others of the set."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from adaq_core.events import CoverageAssessed, FindingsRead, of_kind
from adaq_core.matching.conditions import BROKEN
from adaq_core.matching.likelihood import BOUNDS, FEATURES, PATH, candidates, weighed_in_set
from adaq_core.model import AnswerKind, AspectScore, Finding, Passage, QueryAspect, Settings
from adaq_core.retrieval.index import DocumentRetriever
from adaq_core.runs.execute import RunSpec, execute
from adaq_core.stages.read import read
from adaq_core.text.tokens import uniform
from benchmarks.likelihood import Read, fit

QUESTION = "Where did Arlo Quist found the harbour museum?"
ASPECT = QueryAspect(QUESTION, "entity", subject="Arlo Quist", answer_kind="place")
ANSWERING = "Arlo Quist kept a museum by the water in Ystad."
SILENT = "Arlo Quist sold boats."


def passage(name: str, text: str) -> Passage:
    return Passage(f"{name}#0", name, name, text)


def in_set(
    passages: list[Passage], score: float | None = None, *, aspect: QueryAspect = ASPECT
) -> dict[Finding, Finding]:
    findings = read([aspect], [(each, 1.0) for each in passages], weigh=uniform)
    if score is not None:
        findings = tuple(replace(finding, score=score) for finding in findings)
    return weighed_in_set(aspect, findings, passages, weigh=uniform)


def final_score(question: str, sample: DocumentRetriever, *, learned: bool | None) -> AspectScore:
    events = list(execute(RunSpec("adaptive", question, Settings(learned=learned)), retriever=sample))
    return [*of_kind(events, CoverageAssessed)][-1].scores[0]


def test_each_feature_has_a_weight_and_no_other_is_kept() -> None:
    kept = json.loads(PATH.read_text(encoding="utf-8"))
    assert all(sorted(kept[learned]["weights"]) == sorted(FEATURES) for learned in BOUNDS)


def test_a_sentence_below_the_bound_of_the_rules_answers_where_no_other_comes_near() -> None:
    alone = [passage("Quist", ANSWERING), passage("Boats", SILENT)]
    changed = in_set(alone)
    assert [(old.quote, old.score < 0.5, new.score >= BOUNDS["topics"].least) for old, new in changed.items()] == [
        (ANSWERING, True, True)
    ]


@pytest.mark.parametrize(
    ("kind", "question"),
    [
        ("number", "How large a fine did the harbour office propose for Arlo Quist?"),
        ("person", "Who led the harbour office when it fined Arlo Quist?"),
        ("amount", "How much did the harbour office fine Arlo Quist?"),
    ],
)
def test_a_sentence_without_the_kind_of_answer_is_not_made_one_by_the_set(kind: AnswerKind, question: str) -> None:
    aspect = QueryAspect(question, "entity", subject="Arlo Quist", answer_kind=kind)
    told = passage("Fines", "In April 2023 the harbour office wrote to Arlo Quist proposing a fine.")
    assert in_set([told, passage("Boats", SILENT)], aspect=aspect) == {}


def test_what_many_sentences_say_a_little_of_none_answers() -> None:
    like = [passage(f"Quist {n}", f"Arlo Quist spoke of the harbour museum in May {1990 + n}.") for n in range(5)]
    assert in_set(like) == {}


def test_a_doubtful_sentence_covers_nothing_whatever_the_rules_say(sample) -> None:
    """What a cancelled rule would have cost is no cost of litigation, though each word of the question is there."""
    question = "How much has litigation cost JPMorgan since 2008?"
    scores = [final_score(question, sample, learned=learned) for learned in (False, None)]
    assert [score.score for score in scores] == [1.0, BOUNDS["topics"].most]
    assert dict(scores[1].parts)["alone"] > 0.9
    assert BOUNDS["topics"].most < Settings().coverage_threshold


def test_what_breaks_a_condition_is_never_looked_at_again() -> None:
    passages = [passage("Quist", ANSWERING)]
    assert in_set(passages, score=BROKEN) == {}


def test_what_was_not_read_as_a_sentence_stays() -> None:
    given = passage("Quist", ANSWERING)
    row = Finding(ASPECT.aspect, given.passage_id, "museum", 20, 26, 0.9)
    assert candidates(ASPECT, [row], [given], weigh=uniform) == ()
    assert weighed_in_set(ASPECT, [row], [given], weigh=uniform) == {}


def test_a_run_says_what_the_sentence_scores_alone_and_in_the_set(sample) -> None:
    question = "What did the SEC say about Tesla's pay package?"
    for text in (question, "Which plant did Boeing close?", "Who runs the cloud unit of Amazon?"):
        events = list(execute(RunSpec("adaptive", text), retriever=sample))
        read_alone = {(f.passage_id, f.start): f.score for e in of_kind(events, FindingsRead) for f in e.findings}
        for score in [*of_kind(events, CoverageAssessed)][-1].scores:
            parts = dict(score.parts)
            if score.finding and "in the set" in parts:
                assert parts["alone"] == read_alone[score.finding.passage_id, score.finding.start]
                assert parts["in the set"] == score.finding.score == score.score


def test_without_what_was_learned_the_rules_alone_decide(sample) -> None:
    for question in ("Who runs the cloud unit of Amazon?", "When was the Merge of Ethereum?"):
        spec = RunSpec("adaptive", question, Settings(learned=False))
        events = list(execute(spec, retriever=sample))
        assert all(
            "in the set" not in dict(score.parts) for e in of_kind(events, CoverageAssessed) for score in e.scores
        )


def test_of_filings_a_question_counts_once_however_many_sentences_speak_to_it() -> None:
    features = (0.5,) * len(FEATURES)
    right = Read(True, False, (0.0, False), ((features, True),))
    wrong = Read(True, False, (0.0, False), ((features, False),) * 19)
    chances = [round(fit([right, wrong], learned).chance(features), 2) for learned in ("filings", "topics")]
    assert chances == [0.5, 0.05]
