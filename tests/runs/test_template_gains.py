"""What is learned of past runs: computed from stored events, pooled by corpus, kept in the run that used it."""

import time
from dataclasses import replace

import pytest

from adaq_core.events import (
    AnswerWritten,
    AspectsPlanned,
    CoverageAssessed,
    Decided,
    HopStarted,
    Record,
    RunFinished,
    RunStarted,
    WordingsLearned,
    of_kind,
)
from adaq_core.model import (
    AspectScore,
    Budget,
    CorpusCard,
    Decision,
    QueryAspect,
    Settings,
    Subquery,
    WordingGain,
)
from adaq_core.question.aspects import plan
from adaq_core.runs.forecast import Use, learned_wordings, summed, uses_of
from tests.asking import execute

CARD = CorpusCard("tea", "v1", 2, 4)
TEA = QueryAspect("Definition of tea", "definition", 1.0, ("tea",), subject="tea")
WHY = QueryAspect("Reasons for tea", "causal", 0.6, ("tea",), subject="tea")
# Aspects that the search for a question about risks cannot cover.
ELSEWHERE = plan("What is self-attention, what is BM25 and what are neural networks?", profiles={}).aspects
QUESTION = "What is the tram network of Basel and how did it start?"


def hop(number, *asked, scores, stop=False):
    queries = tuple(Subquery(f"query {number} {a.aspect}", a.aspect, "why", template=t) for a, t in asked)
    yield HopStarted(number, queries, "why")
    for found in scores:
        assessed = tuple(AspectScore(a.aspect, s) for a, s in zip((TEA, WHY), found, strict=True))
        yield CoverageAssessed(number, assessed, (), 0.0, 0.0)
    yield Decided(number, Decision(stop, "why", "no_gain" if stop else None))


def three_hops():
    """Tea is asked for twice, its reasons once; the last hop is assessed twice; a model words one query."""
    yield AspectsPlanned((TEA, WHY))
    yield from hop(1, (TEA, "definition"), scores=[(0.4, 0.1)])
    yield from hop(2, (WHY, "reason"), (TEA, ""), scores=[(0.5, 0.1)])
    yield from hop(3, (TEA, "overview"), scores=[(0.6, 0.1), (0.75, 0.3)], stop=True)


def keep(store, events, *, card=CARD, model=None, stop="no_gain", settings=None, **rest):
    shape = settings or Settings()
    first = RunStarted("What is tea?", "adaptive", card, shape, Budget(), model)
    run_id = store.begin(RunStarted("What is tea?", "adaptive", card, shape, Budget(), model=model), **rest)
    every = [first, *events, RunFinished(stop, "over")]
    at = "2026-11-22T01:00:00+00:00"
    store.copy_records(run_id, [Record(n, at, 0.1, event) for n, event in enumerate(every, start=1)])
    return run_id


def test_gain_is_the_rise_of_the_aspect_in_the_hop_of_its_query():
    assert uses_of(three_hops()) == (
        Use("definition", False, "definition", 0.4),
        Use("causal", False, "reason", 0.0),
        Use("definition", True, "overview", pytest.approx(0.25)),  # type: ignore[arg-type]
    )


def test_uses_of_several_runs_are_counted_and_averaged():
    again = Use("definition", True, "overview", 0.5)
    found = summed([uses_of(three_hops()), (again, again), ()])
    assert found == WordingsLearned(
        2,
        (
            WordingGain("causal", False, "reason", 1, 0.0),
            WordingGain("definition", False, "definition", 1, 0.4),
            WordingGain("definition", True, "overview", 3, pytest.approx(1.25 / 3, abs=1e-6)),  # type: ignore[arg-type]
        ),
    )


def test_store_tells_the_same_as_the_events(store, sample):
    for question in ("Top risks facing Tesla in 2025", "Top risks facing Boeing", "Top risks facing Pfizer"):
        events = list(execute("adaptive", question, retriever=sample, aspects=ELSEWHERE))
        keep(store, [e for e in events if not isinstance(e, RunStarted | RunFinished)])
    told = [uses_of(record.event for record in store.records(row.run_id)) for row in store.runs()]
    assert sum(map(len, told)) > 6
    assert learned_wordings(store, corpus="tea") == summed(told)
    assert learned_wordings(store, corpus="tea") == learned_wordings(store, corpus="tea")


@pytest.mark.parametrize(
    "other",
    [
        {"card": replace(CARD, name="coffee")},
        {"question_id": "q1", "group": "hotpot"},
        {"parent": "r-0000"},
        {"model": "tiny"},
        {"stop": "user_stop"},
        {"settings": Settings(sources=("wikipedia",))},
    ],
    ids=["another corpus", "a run of an experiment", "gone on with", "a model scored it", "broken off", "live sources"],
)
def test_what_is_not_like_the_run_to_come_is_not_pooled(store, other):
    keep(store, three_hops(), **other)
    assert learned_wordings(store, corpus="tea") == WordingsLearned()


def test_runs_with_the_same_model_and_live_sources_are_pooled(store):
    keep(store, three_hops(), model="tiny", settings=Settings(sources=("wikipedia",)))
    assert learned_wordings(store, corpus="tea", model="tiny", sources=("wikipedia",)).runs == 1
    assert learned_wordings(store, corpus="tea", model="tiny", sources=("gdelt",)).runs == 0


def test_runs_recorded_before_wordings_had_names_tell_nothing(store):
    run_id = keep(store, three_hops())
    old = "UPDATE events SET payload = regexp_replace(payload::VARCHAR, ',\"template\":\"[^\"]*\"', '', 'g')"
    store.execute(old)
    assert uses_of(record.event for record in store.records(run_id)) == ()
    assert learned_wordings(store, corpus="tea") == WordingsLearned()


def test_a_run_that_does_not_learn_neither_looks_nor_tells(sample):
    taught = WordingsLearned(50, (WordingGain("process", True, "mechanism", 50, 0.9),))
    plain = list(execute("adaptive", QUESTION, retriever=sample))
    assert list(execute("adaptive", QUESTION, retriever=sample, learned=taught)) == plain
    assert list(of_kind(plain, WordingsLearned)) == []


def test_a_run_that_has_nothing_to_learn_from_says_so_and_goes_as_ever(sample):
    plain = list(execute("adaptive", QUESTION, retriever=sample))
    _, *rest = execute("adaptive", QUESTION, retriever=sample, settings=Settings(learn=True))
    assert [event for event in rest if event != WordingsLearned()] == plain[1:]
    assert list(of_kind(rest, WordingsLearned)) == [WordingsLearned()]


FAILURES = WordingsLearned(
    90, (WordingGain("entity", True, "all its words", 60, 0.0), WordingGain("process", True, "mechanism", 60, 0.0))
)


def test_wordings_that_never_gained_cost_no_further_hop_and_the_decision_says_why(sample):
    settings = Settings(learn=True)
    plain = list(execute("adaptive", QUESTION, retriever=sample))
    taught = list(execute("adaptive", QUESTION, retriever=sample, settings=settings, learned=FAILURES))
    tried, fewer = (
        [len(missing.queries) for missing in next(of_kind(events, AnswerWritten)).answer.not_covered]
        for events in (plain, taught)
    )
    assert sum(fewer) < sum(tried)
    last = list(of_kind(taught, Decided))[-1].decision
    assert "other wordings gained next to nothing in earlier runs" in last.reason
    assert last.stop_reason == "no_evidence"


def test_the_better_wording_is_asked_first_and_says_what_it_gained(sample):
    better = WordingsLearned(40, (WordingGain("definition", False, "overview", 40, 0.9),))
    aspects = plan("What are neural networks?", profiles={}).aspects
    settings = Settings(learn=True)
    question = "Top risks facing Tesla in 2025"
    taught = execute("adaptive", question, retriever=sample, settings=settings, learned=better, aspects=aspects)
    query = list(of_kind(taught, HopStarted))[1].queries[0]
    assert query == Subquery(
        "overview of neural networks",
        "Definition of neural networks",
        "overview (gained 0.90 on average in 40 uses before)",
        template="overview",
    )


def test_many_runs_are_read_in_no_time_the_newest_of_them(store):
    run_id = keep(store, three_hops())
    copied = "SELECT * REPLACE ('r-' || n AS run_id) FROM {} CROSS JOIN range(3000) t(n) WHERE run_id = ?"
    for table in ("runs", "events"):
        store.execute(f"INSERT INTO {table} SELECT * EXCLUDE (n) FROM ({copied.format(table)})", [run_id])
    began = time.process_time()
    assert learned_wordings(store, corpus="tea").runs == 500
    assert time.process_time() - began < 2.0
