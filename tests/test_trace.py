"""What a reader sees is a fold over the events."""

from itertools import pairwise

import pytest

from adaq_core import events as e
from adaq_core import trace
from adaq_core.question.aspects import plan
from tests.asking import execute

RISKS = "Top risks facing Tesla in 2025"
# Aspects that the search for the question cannot cover: one hop each.
ELSEWHERE = plan("What is self-attention, what is BM25 and what are neural networks?", profiles={}).aspects


@pytest.fixture(scope="module")
def records(sample_index):
    from adaq_core.retrieval.index import DocumentRetriever

    made = execute("adaptive", RISKS, retriever=DocumentRetriever(sample_index), aspects=ELSEWHERE)
    return [e.Record(n, "2026-01-01T00:00:00Z", n / 10, event) for n, event in enumerate(made, start=1)]


def test_the_fold_at_a_hop_is_the_run_as_it_stood(records):
    whole = trace.view(records)
    for hop in whole.hops:
        then = trace.view_at(records, hop.hop)
        assert then.status == "running"
        assert [h.hop for h in then.hops] == list(range(1, hop.hop + 1))
        assert then.hops[-1].scores == hop.scores
        assert then.evidence == hop.evidence


def test_every_prefix_folds_without_an_error(records):
    for cut in range(len(records) + 1):
        run = trace.view(records[:cut])
        for hop in run.hops:
            for aspect in run.aspects:
                assert trace.cell(run, hop, aspect.aspect).state in ("new", "kept", "missed", "open", "not_run")


def test_cells_say_what_each_hop_did(records):
    run = trace.view(records)
    name = "Definition of self-attention"
    assert run.covered_at[name] == 2
    assert [trace.cell(run, hop, name).state for hop in run.hops] == ["open", "new", "kept", "kept"]
    assert trace.cell(run, run.hops[1], name).targeted


def test_an_aspect_has_a_life(records):
    life = trace.aspect_life(trace.view(records), "Definition of neural networks")
    assert life.covered_at == 4
    assert [hop for hop, _ in life.queries] == [4]
    assert life.proof.score.score >= 0.9
    assert trace.aspect_life(trace.view(records), "nonsense") is None


def test_cost_counts_what_was_read(records):
    cost = trace.view(records).cost
    assert (cost.hops, cost.queries, cost.model_calls, cost.usd) == (4, 4, 0, 0.0)
    read = [name for event in (r.event for r in records) if isinstance(event, e.FindingsRead) for name in event.read]
    assert cost.passages_read == len(read) == len(set(read)) > 7
    assert cost.seconds == pytest.approx(len(records) / 10)


def test_stages_of_a_hop_follow_each_other(records):
    for hop in trace.view(records).hops:
        assert hop.stages[0][0] == "refine"
        assert all(begin <= end for _, begin, end in hop.stages)
        assert all(a[2] == b[1] for a, b in zip(hop.stages, hop.stages[1:], strict=False))


def test_a_stage_took_as_long_as_the_model_that_it_asked(records):
    first = next(place for place, record in enumerate(records) if isinstance(record.event, e.FindingsRead))
    asked = [e.ModelCalled("read", "m", "h", "prompt", "reply"), e.FellBack("read", "no JSON", "rules")]
    events = [r.event for r in records]
    events[first:first] = asked
    hop = trace.view(e.Record(i, "", float(i), event) for i, event in enumerate(events)).hops[0]
    took = [(name, end - start) for name, start, end in hop.stages]
    assert ("read", 3.0) in took
    assert sum(seconds for _, seconds in took) == hop.ended - hop.started


def test_the_last_complete_hop_is_the_last_decision(records):
    events = [record.event for record in records]
    assert trace.last_complete_hop(events) == 4
    assert trace.last_complete_hop(events[:3]) == 0


def test_a_failed_run_shows_its_error():
    run = trace.view([e.Record(1, "", 0.0, e.RunFailed("OSError", "gone"))])
    assert (run.status, run.stop_reason, run.error, run.reason) == ("failed", "error", "OSError", "gone")


def test_the_marginal_gains_of_the_hops_add_up_to_the_coverage(records):
    run = trace.view(records)
    gains = [trace.gain(run, hop.hop) for hop in run.hops]
    assert gains[0].before == 0.0
    assert all(one.after == two.before for one, two in pairwise(gains))
    assert gains[-1].after == run.last_assessed.percentage
    assert sum(each.weighted for each in gains) == pytest.approx(run.last_assessed.weighted)
    assert sum(each.passages for each in gains) == run.cost.passages_read
    assert trace.gain(run, 99) is None
