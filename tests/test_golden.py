"""Whole runs of several questions, as they were judged good by eye; ADAQ_UPDATE_GOLDEN=1 writes them anew."""

import json
import os
from pathlib import Path

import pytest

from adaq_core import trace
from adaq_core.events import Record
from adaq_core.model import Settings
from tests.asking import execute

GOLDEN = Path(__file__).parent / "golden"
QUESTIONS = {
    "comparison": "self-attention vs multi-head attention",
    "scoped-comparison": "Compare transformers and RNNs for NLP",
    "conjunction": "What are neural networks and how do they work?",
    "simple": "What is Python?",
    "parts": "How do query, key, and value vectors work in attention heads?",
    "company-risk": "Top risks facing Tesla in 2025",
    "list": "What are the main legal risks of Boeing, Pfizer and JPMorgan Chase?",
    "no-evidence": "What is the tram network of Basel and how did it start?",
}


def story(events):
    """What a person would check of a run, without passage texts or scores that a better ranker may move."""
    run = trace.view([Record(n, "", 0.0, event) for n, event in enumerate(events, start=1)])
    return {
        "aspects": [f"{a.aspect} ({a.aspect_type}, {'core' if a.is_core else 'optional'})" for a in run.aspects],
        "lost": list(run.planned.lost),
        "hops": [
            {
                "queries": [query.text for query in hop.queries],
                "newly_covered": list(hop.newly_covered),
                "coverage": round(hop.percentage, 2),
                "decision": hop.decision.reason,
            }
            for hop in run.hops
        ],
        "stop_reason": run.stop_reason,
        "evidence": sorted(r.passage.document_id for r in run.evidence),
        "answered": [statement.aspect for statement in run.answer.statements],
        "not_covered": [missing.aspect for missing in run.answer.not_covered],
    }


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_run_is_as_it_was_judged_good(name, sample):
    told = story(execute("adaptive", QUESTIONS[name], retriever=sample, settings=Settings(learned=False)))
    path = GOLDEN / f"{name}.json"
    if os.environ.get("ADAQ_UPDATE_GOLDEN"):
        path.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    assert told == json.loads(path.read_text(encoding="utf-8"))
