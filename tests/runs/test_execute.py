"""Laws of a run: equal runs are equal, one end, replay equals live, limits leave an answer."""

from dataclasses import replace

import pytest

from adaq_core import events as e
from adaq_core import methods, trace
from adaq_core.errors import InputError
from adaq_core.model import Branch, Budget, QueryAspect, Settings
from adaq_core.question.aspects import plan
from adaq_core.question.query_templates import profiles
from tests.asking import execute

RISKS = "Top risks facing Tesla in 2025"


def run(sample, question=RISKS, method="adaptive", **kwargs):
    return list(execute(method, question, retriever=sample, **kwargs))


def records(events):
    return [e.Record(n, "", 0.0, event) for n, event in enumerate(events, start=1)]


@pytest.mark.parametrize("method", methods.names())
def test_equal_runs_have_equal_events(sample, method):
    assert run(sample, method=method) == run(sample, method=method)


@pytest.mark.parametrize("method", methods.names())
def test_events_survive_being_written_and_read(sample, method):
    made = run(sample, method=method)
    assert [e.loads(e.dumps(event)) for event in made] == made


def test_interrupting_after_every_event_and_resuming_gives_the_same_run(sample):
    whole = run(sample)
    for cut in range(1, len(whole)):
        resumed = run(sample, past=whole[:cut])
        assert resumed == whole


def test_a_resumed_run_says_when_the_past_no_longer_holds(sample):
    past = run(sample, "What is Python?")[:6]
    resumed = run(sample, RISKS, past=past)
    assert [event.stage for event in resumed if isinstance(event, e.Noticed)].count("resume") == 1


def test_closing_a_stream_early_is_sound(sample):
    stream = execute("adaptive", RISKS, retriever=sample)
    first = [next(stream) for _ in range(5)]
    stream.close()
    assert first == run(sample)[:5]


def test_cancel_takes_effect_at_the_next_decision_and_still_answers(sample):
    aspects = plan("What is self-attention, what is BM25 and what are neural networks?", profiles={}).aspects
    view = trace.view(records(run(sample, cancelled=lambda: True, aspects=aspects)))
    assert (view.stop_reason, len(view.hops)) == ("user_stop", 1)
    assert view.answer is not None
    assert [missing.aspect for missing in view.answer.not_covered] == [aspect.aspect for aspect in aspects]


def test_a_used_up_time_budget_stops_and_still_answers(sample):
    view = trace.view(records(run(sample, budget=Budget(max_seconds=0.0))))
    assert (view.stop_reason, len(view.hops)) == ("budget_time", 1)
    assert view.answer is not None


def test_max_hops_bounds_the_run(sample):
    aspects = plan("What is self-attention, what is BM25 and what are neural networks?", profiles={}).aspects
    made = run(sample, aspects=aspects, settings=Settings(min_hops=1, max_hops=2, k=2))
    view = trace.view(records(made))
    assert (view.stop_reason, len(view.hops)) == ("max_hops", 2)


def test_the_evidence_never_grows_past_k(sample):
    for k in (1, 3, 8):
        view = trace.view(records(run(sample, settings=Settings(k=k))))
        assert all(len(hop.evidence) <= k for hop in view.hops)


def test_coverage_is_monotone_and_each_aspect_is_newly_covered_once(sample):
    view = trace.view(records(run(sample)))
    weighted = [hop.weighted for hop in view.hops]
    newly = [name for hop in view.hops for name in hop.newly_covered]
    assert weighted == sorted(weighted)
    assert len(newly) == len(set(newly)) == 5


def test_no_query_is_asked_twice(sample):
    view = trace.view(records(run(sample, "What is the tram network of Basel and how did it start?")))
    asked = [query.text for hop in view.hops for query in hop.queries]
    assert len(asked) == len(set(asked))


def test_every_citation_quotes_its_passage_and_lies_in_the_evidence(sample):
    for question in (
        RISKS,
        "Compare transformers and RNNs for NLP",
        "How do query, key, and value vectors work in attention heads?",
    ):
        view = trace.view(records(run(sample, question)))
        texts = {r.passage.passage_id: r.passage.text for r in view.evidence}
        assert view.answer.citations
        assert all(texts[c.passage_id][c.start : c.end] == c.quote for c in view.answer.citations)


def test_aspects_given_by_the_user_are_used_as_they_are(sample):
    planned = next(event for event in run(sample) if isinstance(event, e.AspectsPlanned))
    view = trace.view(records(run(sample, aspects=planned.aspects[:2])))
    assert [a.aspect for a in view.aspects] == ["Regulation risks of Tesla", "Supply risks of Tesla"]
    assert view.planned.by == "user"


def test_an_aspect_can_be_searched_once_more(sample):
    before = trace.view(records(run(sample, "What is Python?")))
    after = trace.view(records(run(sample, "What is Python?", branches=(Branch(1, target="Definition of Python"),))))
    assert len(after.hops) == len(before.hops) + 1
    assert after.hops[-1].queries[0].aspect == "Definition of Python"
    assert after.hops[0].queries == before.hops[0].queries


def branched(sample, branch):
    """A run, and the same one branched; what the second has more than the beginning that it shares with the first."""
    parent, child = run(sample), run(sample, branches=(branch,))
    at = next(i for i, event in enumerate(child) if isinstance(event, e.Branched))
    return trace.view(records(parent)), trace.view(records(child)), parent[:at] == child[:at]


def test_a_branch_reuses_the_hops_before_it_and_sends_the_query_of_a_person(sample):
    query = "Tesla recall of vehicles"
    before, after, same = branched(sample, Branch(1, query=query, target="Legal risks of Tesla"))
    assert same
    assert after.hops[0].queries == before.hops[0].queries
    assert [(q.text, q.aspect) for q in after.hops[1].queries] == [(query, "Legal risks of Tesla")]
    assert after.turns == [trace.Turn(1, query=query, target="Legal risks of Tesla")]
    assert after.stop_reason is not None


def test_an_aspect_put_in_place_of_another_is_read_in_what_was_read_and_searched_for(sample):
    planned = plan(RISKS, profiles=profiles()).aspects
    mine = replace(planned[0], aspect="Recalls of Tesla", keywords=("recall",))
    before, after, same = branched(sample, Branch(1, aspects=(mine, *planned[1:])))
    assert same
    assert [a.aspect for a in after.aspects] == ["Recalls of Tesla", *(a.aspect for a in before.aspects[1:])]
    assert after.turns == [trace.Turn(1, added=("Recalls of Tesla",), removed=(planned[0].aspect,))]
    assert after.hops[0].score("Recalls of Tesla") is not None
    assert planned[0].aspect not in after.covered_at
    assert {s.aspect for s in after.hops[-1].scores} == {a.aspect for a in after.aspects}


def test_a_higher_threshold_uncovers_from_its_hop_on_and_not_before(sample):
    high = Settings(coverage_threshold=0.97)
    before, after, same = branched(sample, Branch(1, settings=high))
    assert same
    assert after.turns == [trace.Turn(1, thresholds=(("coverage_threshold", 0.5, 0.97),))]
    assert (after.threshold_at(0), after.threshold_at(1), after.threshold) == (0.5, 0.97, 0.97)
    assert all(after.coverage_score(name) >= 0.97 for name in after.covered_at)
    assert set(after.covered_at) < set(before.covered_at)
    assert all(after.proof(name).score.score >= 0.97 for name in after.covered_at)


def test_a_branched_run_is_made_again_like_any_other(sample):
    branches = (Branch(1, query="Tesla recall"), Branch(2, query="Tesla union"))
    whole = run(sample, branches=branches)
    assert run(sample, branches=branches, past=whole[:-3]) == whole
    assert [event.hop for event in whole if isinstance(event, e.Branched)] == [1, 2]


def test_bad_input_is_refused_before_anything_is_recorded(sample):
    with pytest.raises(InputError, match="no method 'nonsense'"):
        run(sample, method="nonsense")
    with pytest.raises(InputError, match="empty"):
        run(sample, " ")


class Broken:
    """A retriever whose index is fine and whose search fails."""

    name, degraded, vectors = "broken", "", None

    def __init__(self, index):
        self.index = index

    def retrieve(self, query, top_k=10):
        raise OSError("the disk went away")


def test_a_failure_inside_becomes_the_last_event(sample_index):
    made = run(Broken(sample_index), method="iterative")
    assert isinstance(made[-1], e.RunFailed)
    assert (made[-1].error, "the disk went away" in made[-1].message) == ("OSError", True)
    assert sum(isinstance(event, e.RunFinished | e.RunFailed) for event in made) == 1


def test_sources_are_names_in_a_tuple_each_once():
    assert Settings(sources=["gdelt", "wikipedia", "gdelt"]).sources == ("gdelt", "wikipedia")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="names such as"):
        Settings(sources="gdelt")  # type: ignore[arg-type]


def test_an_unknown_live_source_is_refused_before_the_first_event(sample):
    with pytest.raises(InputError, match="There is no source 'the web'"):
        run(sample, settings=Settings(sources=("the web",)))


@pytest.mark.parametrize(
    ("question", "k"),
    [
        ("Who founded Nvidia?", 5),
        (" ".join(f"What is the outlook of Company{letter}?" for letter in "ABCDEFG"), 7),
        ("Which companies depend on TSMC?", 8),
        ("Which companies depend on TSMC, and which companies had a strike?", 8),
    ],
)
def test_with_k_auto_an_answer_may_cite_a_passage_for_each_aspect(sample, question, k):
    events = run(sample, question, settings=Settings(k_auto=True))
    said = [each.message for each in events if isinstance(each, e.Noticed) and each.stage == "plan"]
    assert events[0].settings == Settings(k=k, k_auto=True)
    assert said == ([f"The question asks for several parts or lists: {k} passages may be cited"] if k > 5 else [])


def test_with_k_auto_no_answer_cites_more_than_25_passages(sample):
    aspects = [QueryAspect(f"part {number}", "facet") for number in range(30)]
    assert run(sample, aspects=aspects, settings=Settings(k_auto=True))[0].settings.k == 25
