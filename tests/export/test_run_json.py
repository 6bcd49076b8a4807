from adaq_core.events import Record
from adaq_core.export.run_json import run_json
from tests.recorded import ASPECTS, QUESTION, failed_run, passage, whole_run


def recorded(events):
    return [Record(n, "2026-11-21T00:00:00.000000+00:00", n / 10, event) for n, event in enumerate(events, 1)]


def test_whole_run():
    found = run_json("r-1", recorded(whole_run(hops=2)))
    hop = found["hops"][1]
    assert (found["run_id"], found["question"], found["method"], found["corpus"]) == (
        "r-1",
        QUESTION,
        "adaptive",
        "sample",
    )
    assert found["stop_reason"] == "core_covered"
    assert found["answer"] == {
        "text": "Passage [1]",
        "short": None,
        "status": None,
        "likely": [],
        "abstained": False,
        "citations": [
            {"n": 1, "passage_id": "d1#0", "document_id": "d1", "title": "Document 1", "quote": passage(1).text[:7]}
        ],
        "unused": [],
    }
    assert found["aspects"][1] == {
        "aspect": ASPECTS[1].aspect,
        "type": "causal",
        "importance": 0.6,
        "coverage": 0.9,
        "covered_at_hop": 2,
    }
    assert hop["queries"] == [{"text": "query 2", "aspect": ASPECTS[1].aspect}]
    assert hop["decision"] == {"stop": True, "reason": "core aspects are covered"}
    assert (hop["n"], hop["newly_covered"], hop["coverage"]) == (2, [ASPECTS[1].aspect], 1.0)
    assert found["evidence"] == ["d2#0"]
    assert (found["cost"]["usd"], found["cost"]["prompt_tokens"], found["cost"]["hops"]) == (0.25, 100, 2)


def test_passages_of_a_hop_are_those_it_read_by_query_then_by_link():
    hop = run_json("r-1", recorded(whole_run(hops=1)))["hops"][0]
    assert [(p["passage_id"], p["score"]) for p in hop["passages"]] == [("d1#0", 9.5), ("d2#0", 8.5), ("d9#0", 0.5)]


def test_failed_run_says_what_it_has():
    found = run_json("r-1", recorded(failed_run()))
    assert (found["stop_reason"], found["answer"]["text"], found["answer"]["abstained"]) == ("error", "", None)
    assert len(found["hops"]) == 1
    assert run_json("r-1", [])["question"] is None
