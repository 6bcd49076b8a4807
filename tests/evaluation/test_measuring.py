from dataclasses import replace

import pytest

from adaq_core.datasets.judged import Facts, JudgedQuestion, Subtopic
from adaq_core.evaluation.measuring import Judge, outcome_of
from adaq_core.events import (
    AnswerWritten,
    CoverageAssessed,
    Decided,
    EvidenceAssembled,
    FindingsRead,
    HopStarted,
    PassagesRetrieved,
    Record,
    RunFailed,
    RunFinished,
    RunStarted,
)
from adaq_core.model import (
    Answer,
    Budget,
    Citation,
    CorpusCard,
    Decision,
    Passage,
    Provenance,
    RankedPassage,
    ScoredPassage,
    Settings,
    Statement,
    Subquery,
)
from adaq_core.retrieval.index import PassageIndex

TEXTS = {
    "a#0": "Alpha was founded in 1901.",
    "a#1": "Alpha moved to Rome.",
    "b#0": "Beta bought Alpha in 1950.",
    "c#0": "Gamma is a letter.",
    "d#0": "Delta is a river mouth.",
    "e#0": "Epsilon is small.",
}
PASSAGES = {key: Passage(key, key[0], key[0].upper(), text) for key, text in TEXTS.items()}
PASSAGES |= {key: Passage(key, key[0], "Report", "A page.", metadata=(("doc", "report"),)) for key in ("p#0", "r#0")}
QUESTION = JudgedQuestion(
    "q1",
    "Who bought the firm founded in 1901?",
    {"type": "bridge", "answer": "Beta"},
    {"a": 1, "b": 1, "c": 0},
    (Subtopic("1", "a", "founded in 1901"), Subtopic("2", "b", "bought Alpha")),
)
QUERY = Subquery("q", "x")


def evidence(hop, ids, *, ranking=()):
    ranked = [RankedPassage(PASSAGES[key], i, 0.5, Provenance(hop)) for i, key in enumerate(ids, start=1)]
    return EvidenceAssembled(hop, tuple(ranked), tuple(ranking))


def hop(number, ids, *, ranking=(), sufficiency=None):
    hits = tuple(ScoredPassage(PASSAGES[key], 1.0, i) for i, key in enumerate(ids, start=1))
    return [
        HopStarted(number, (QUERY,), "why"),
        PassagesRetrieved(number, QUERY, "bm25", hits, read=2),
        FindingsRead(number, (), tuple(ids)),
        CoverageAssessed(number, (), (), 0.5, 0.4, sufficiency),
        evidence(number, ids, ranking=ranking),
        Decided(number, Decision(stop=False, reason="on")),
    ]


def outcome(events, question=QUESTION, *, k=5):
    started = RunStarted(question.text, "adaptive", CorpusCard("c", "1", 5, 6), Settings(k=k), Budget())
    every = [started, *events]
    records = [Record(seq, "2026-01-01T00:00:00+00:00", 0.01 * seq, event) for seq, event in enumerate(every, start=1)]
    judge = Judge(PassageIndex.build(PASSAGES.values(), name="c"))
    return outcome_of(records, question, judge=judge, method="adaptive", configuration="c")


FINISHED = RunFinished("all_covered", "done")


def test_a_run_is_measured_by_its_last_evidence_and_ranking():
    order = ("a#1", "a#0", "c#0", "b#0", "d#0", "e#0")
    given = outcome([*hop(1, ["c#0"]), *hop(2, ["a#1", "a#0"], ranking=order, sufficiency=0.3), FINISHED])
    wanted = {"Recall@2": 0.5, "Recall@5": 1.0, "P@5": 0.4, "AllGold@5": 1.0, "StRecall@5": 1.0, "AllSubtopics@5": 1.0}
    sets = {"set_precision": 1.0, "set_recall": 0.5, "set_F1": pytest.approx(2 / 3), "set_size": 2.0}
    cost = {"hops": 2.0, "queries": 2.0, "passages_read": 3.0, "ms": pytest.approx(140.0)}
    for name, value in {**wanted, **sets, **cost}.items():
        assert given.measures[name] == value, name
    assert (given.complete, given.sufficiency, given.strength) == (True, 0.3, 1.0)
    assert given.evidence == (("a#1", "a"), ("a#0", "a"))


def test_a_quote_in_another_passage_of_the_document_does_not_count():
    given = outcome([*hop(1, ["a#1", "b#0"]), FINISHED])
    assert given.measures["Recall@5"] == 1.0
    assert given.measures["StRecall@5"] == 0.5


def test_completeness_is_asked_of_the_first_k_of_the_ranking():
    order = ("a#0", "c#0", "d#0", "b#0")
    assert outcome([*hop(1, ["a#0"], ranking=order), FINISHED], k=3).complete is False
    assert outcome([*hop(1, ["a#0"], ranking=order), FINISHED], k=4).complete is True


def test_hops_keep_what_they_had_found_and_read():
    given = outcome([*hop(1, ["c#0"]), *hop(2, ["a#0", "b#0"], sufficiency=0.9), FINISHED])
    assert [(each.recall, each.complete, each.passages_read, each.queries) for each in given.hops] == [
        (0.0, False, 1, 1),
        (1.0, True, 3, 2),
    ]
    assert [each.sufficiency for each in given.hops] == [None, 0.9]
    assert given.first_complete_hop == 2


def test_an_unanswerable_question_has_no_document_measures_but_costs():
    question = JudgedQuestion("q2", "Who?", {"type": "null", "answer": "None."})
    given = outcome([*hop(1, ["c#0"]), FINISHED], question)
    assert given.measures["Recall@5"] is None
    assert given.measures["StRecall@5"] is None
    assert "answer_F1" not in given.measures
    assert given.measures["hops"] == 1.0
    assert (given.complete, given.unanswerable) == (None, True)


def test_without_judged_documents_completeness_is_that_of_the_subtopics():
    question = replace(QUESTION, gold={})
    assert outcome([*hop(1, ["a#0"]), FINISHED], question).complete is False
    assert outcome([*hop(1, ["a#0", "b#0"]), FINISHED], question).complete is True


def test_own_estimates_are_held_against_what_was_marked_in_the_documents():
    by_documents = outcome([*hop(1, ["a#1", "b#0"]), FINISHED])
    assert (by_documents.complete, by_documents.reached, by_documents.has_all) == (True, False, False)
    assert outcome([*hop(1, ["a#0", "b#0"]), FINISHED]).has_all is True
    assert replace(by_documents, reached=None).has_all is True, "of an older file, which does not say it"


def test_facts_that_were_written_down_stand_in_the_passages():
    facts = Facts(must=(("nowhere", r"in\s+1901"), ("bought alpha",)))
    question = replace(QUESTION, facts=facts)
    assert outcome([*hop(1, ["a#0", "b#0"]), FINISHED], question).reached is True
    assert outcome([*hop(1, ["c#0"]), FINISHED], replace(QUESTION, facts=Facts(must=(("nowhere",),)))).reached is False


def test_a_failed_run_has_an_error_and_no_measures():
    given = outcome([*hop(1, ["a#0"]), RunFailed("ValueError", "broken")])
    assert (given.error, given.measures, given.strength) == ("ValueError: broken", {}, None)


def test_an_answer_is_compared_without_its_marks_and_by_what_it_cites():
    citations = tuple(Citation(n, key, key[0], "", "", 0, 0) for n, key in ((1, "b#0"), (2, "c#0")))
    answer = Answer("…", (Statement("**Beta** [1][2]", "x", (1, 2)),), citations)
    given = outcome([*hop(1, ["b#0"]), AnswerWritten(answer), FINISHED])
    names = ("answer_F1", "answer_contains", "citation_precision", "citation_recall", "answer_in_evidence")
    assert [given.measures[name] for name in names] == [1.0, 1.0, 0.5, 0.5, 1.0]
    assert (given.said, given.short, given.status) == ("Beta", "", None)


def test_a_run_that_found_nothing_scores_zero():
    given = outcome([HopStarted(1, (QUERY,), "why"), RunFinished("no_evidence", "nothing")])
    assert (given.measures["Recall@5"], given.measures["set_size"], given.strength) == (0.0, 0.0, 0)


def test_stopping_is_held_against_the_first_hop_that_had_everything():
    measures = outcome([*hop(1, ["a#0"]), *hop(2, ["a#0", "b#0"]), *hop(3, ["b#0", "a#0"]), FINISHED]).measures
    assert (measures["stop_gap"], measures["wasted_hops"]) == (1.0, 1.0)


def test_a_run_that_never_had_everything_did_not_stop_late_but_may_have_wasted_hops():
    measures = outcome([*hop(1, ["c#0"]), *hop(2, ["a#0"]), *hop(3, ["d#0"]), FINISHED]).measures
    assert (measures["stop_gap"], measures["wasted_hops"]) == (0.0, 2.0)


def test_stopping_cannot_be_judged_where_there_is_nothing_to_find():
    measures = outcome([*hop(1, ["a#0"]), FINISHED], replace(QUESTION, gold={}, subtopics=())).measures
    assert (measures["stop_gap"], measures["wasted_hops"]) == (None, None)


def test_what_the_later_hops_add_is_told_apart_from_the_first():
    order = ("a#0", "c#0", "d#0", "e#0", "a#1", "b#0")
    measures = outcome([*hop(1, ["a#0"], ranking=order), *hop(2, ["a#0", "b#0"]), FINISHED]).measures
    assert (measures["Recall@5_hop1"], measures["recall_gain"], measures["Recall@5"]) == (0.5, 0.5, 1.0)
    assert outcome([*hop(1, ["a#0", "b#0"]), FINISHED]).measures["recall_gain"] == 0.0


def test_passages_are_judged_by_the_quotes_they_hold():
    measures = outcome([*hop(1, ["a#1", "c#0", "b#0"]), FINISHED]).measures
    assert (measures["passage_Recall@5"], measures["Recall@5"]) == (0.5, 1.0)
    assert measures["passage_P@5"] == pytest.approx(2 / 3)


def test_a_gold_document_without_a_quote_is_held_by_any_of_its_passages():
    question = replace(QUESTION, subtopics=())
    assert outcome([*hop(1, ["a#1"]), FINISHED], question).measures["passage_Recall@5"] == 0.5


def test_whole_files_are_judged_where_documents_are_pages():
    question = replace(QUESTION, gold={"p": 1}, subtopics=())
    measures = outcome([*hop(1, ["r#0"]), FINISHED], question).measures
    assert (measures["Recall@5"], measures["file_Recall@5"]) == (0.0, 1.0)
    assert outcome([*hop(1, ["c#0"]), FINISHED]).measures["file_Recall@5"] is None
