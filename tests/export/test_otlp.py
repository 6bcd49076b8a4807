"""A run as OpenTelemetry spans: read by OpenTelemetry's own messages, a tree with the run's times, no text unasked."""

from __future__ import annotations

import base64
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span
from typer.testing import CliRunner

from adaq_core.cli import build
from adaq_core.events import ModelCalled, Record
from adaq_core.export.otlp import otlp
from tests.recorded import QUESTION, failed_run, whole_run

BEGAN = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)


def recorded(events: list[Any]) -> list[Record]:
    """The events, a quarter of a second apart."""
    every = timedelta(milliseconds=250)
    return [Record(n, (BEGAN + n * every).isoformat(), n * 0.25, event) for n, event in enumerate(events)]


def sent(events: list[Any], *, content: bool = False, run_id: str = "r-abcdef") -> list[Span]:
    """The spans as a collector reads them; its JSON has ids in hexadecimal where protobuf's own has base64."""
    made = json.loads(json.dumps(otlp(run_id, recorded(events), content=content)))
    for span in (span for scope in made["resourceSpans"][0]["scopeSpans"] for span in scope["spans"]):
        for name in ("traceId", "spanId", "parentSpanId"):
            span[name] = base64.b64encode(bytes.fromhex(span[name])).decode()
    request = json_format.ParseDict(made, ExportTraceServiceRequest(), ignore_unknown_fields=False)
    return list(request.resource_spans[0].scope_spans[0].spans)


def attributes(span: Span) -> dict[str, Any]:
    values = {pair.key: getattr(pair.value, pair.value.WhichOneof("value")) for pair in span.attributes}
    return {
        key: [v.string_value for v in value.values] if hasattr(value, "values") else value
        for key, value in values.items()
    }


def tree(spans: list[Span]) -> list[tuple[str, str]]:
    names = {span.span_id: span.name for span in spans}
    return [(span.name, names.get(span.parent_span_id, "")) for span in spans]


def test_a_run_is_a_tree_of_spans():
    spans = sent(whole_run(hops=2))
    root = "invoke_agent adaq"
    assert len({span.trace_id for span in spans}) == 1
    assert {len(span.span_id) for span in spans} == {8}
    assert len({span.span_id for span in spans}) == len(spans)
    made = tree(spans)
    assert made[:2] == [(root, ""), ("plan adaq", root)]
    hops = [("hop.1", root), ("hop.2", root)]
    assert [each for each in made if each[0].startswith("hop.")] == hops
    for hop in ("hop.1", "hop.2"):
        inside = [name for name, parent in made if parent == hop and not name.startswith("chat")]
        assert inside == [f"retrieval {whole_run()[0].corpus.name}", "coverage.judge", "rerank"]
    assert made[-1][1] == root or made[-1][0].startswith("chat")
    assert ("answer", root) in made


def test_times_are_those_of_the_events_and_lie_within_the_run():
    events = whole_run(hops=2)
    spans = sent(events)
    first = int(BEGAN.timestamp()) * 10**9
    assert spans[0].start_time_unix_nano == first
    assert spans[0].end_time_unix_nano == first + (len(events) - 1) * 250_000_000
    by_id = {span.span_id: span for span in spans}
    for span in spans[1:]:
        parent = by_id[span.parent_span_id]
        assert parent.start_time_unix_nano <= span.start_time_unix_nano <= span.end_time_unix_nano
        assert span.end_time_unix_nano <= parent.end_time_unix_nano


def test_names_are_those_of_the_conventions():
    spans = {span.name: attributes(span) for span in sent(whole_run(hops=2))}
    root = spans["invoke_agent adaq"]
    assert (root["openinference.span.kind"], root["gen_ai.operation.name"]) == ("AGENT", "invoke_agent")
    assert (root["adaq.run.id"], root["session.id"], root["adaq.system"]) == ("r-abcdef", "r-abcdef", "adaq")
    assert (spans["hop.2"]["graph.node.id"], spans["hop.2"]["graph.node.parent_id"]) == ("hop_2", "hop_1")
    assert spans["hop.2"]["adaq.hop.index"] == 2
    found = next(known for name, known in spans.items() if name.startswith("retrieval "))
    assert (found["openinference.span.kind"], found["gen_ai.operation.name"]) == ("RETRIEVER", "retrieval")
    assert json.loads(found["gen_ai.retrieval.documents"])[0]["id"] == found["retrieval.documents.0.document.id"]
    judged = spans["coverage.judge"]
    assert (judged["openinference.span.kind"], judged["evaluations.0.evaluation.name"]) == (
        "EVALUATOR",
        "aspect_coverage",
    )


def test_calls_of_a_model_hang_below_what_they_were_made_for():
    call = ModelCalled("plan", "small", "hash", "the prompt", "the reply", prompt_tokens=7, reply_tokens=2)
    events = whole_run(hops=1)
    events = [event for event in events if not isinstance(event, ModelCalled)]
    spans = sent([events[0], call, *events[1:]])
    chat = next(span for span in spans if span.name == "chat small")
    assert ("chat small", "plan adaq") in tree(spans)
    known = attributes(chat)
    assert (known["openinference.span.kind"], chat.kind) == ("LLM", Span.SPAN_KIND_CLIENT)
    assert [known[f"llm.token_count.{name}"] for name in ("prompt", "completion", "total")] == [7, 2, 9]


def test_texts_are_there_only_when_they_are_asked_for():
    call = ModelCalled("plan", "small", "hash", "the prompt", "the reply")
    events = whole_run()
    events = [events[0], call, *events[1:]]
    without, with_texts = (
        json.dumps(otlp("r-1", recorded(events))),
        json.dumps(otlp("r-1", recorded(events), content=True)),
    )
    answer = next(event for event in events if event.kind == "answer_written").answer.text
    passage = next(event for event in events if event.kind == "passages_retrieved").passages[0].passage.text
    for text in (QUESTION, answer, passage, "the prompt", "the reply"):
        said = json.dumps(text)[1:-1]
        assert said not in without
        assert said in with_texts


def test_exporting_twice_gives_the_same_and_another_run_other_ids():
    assert sent(whole_run()) == sent(whole_run())
    assert sent(whole_run())[0].trace_id != sent(whole_run(), run_id="r-fedcba")[0].trace_id


@pytest.mark.parametrize("content", [False, True])
def test_a_failed_run_says_so(content):
    root = sent(failed_run(), content=content)[0]
    failure = failed_run()[-1]
    said = {pair.key: pair.value.string_value for pair in root.events[0].attributes}
    assert root.status.code == root.status.STATUS_CODE_ERROR
    assert attributes(root)["error.type"] == failure.error
    assert said == {"exception.type": failure.error} | ({"exception.message": failure.message} if content else {})


def test_a_run_that_never_began_has_no_spans():
    assert otlp("r-1", [])["resourceSpans"][0]["scopeSpans"][0]["spans"] == []


def test_the_command_writes_a_line_per_run(indexed, monkeypatch):
    monkeypatch.setenv("ADAQ_HOME", str(indexed))
    asked = CliRunner().invoke(build(), ["ask", "What is BM25?", "--method", "bm25", "--json"])
    run_id = json.loads(asked.stdout)["run_id"]
    plain = CliRunner().invoke(build(), ["runs", "export", run_id, "--format", "otlp"])
    told = json.loads(plain.stdout)["resourceSpans"][0]["scopeSpans"][0]["spans"]
    assert told[0]["name"] == "invoke_agent adaq"
    assert "What is BM25" not in plain.stdout
    assert (
        "What is BM25"
        in CliRunner().invoke(build(), ["runs", "export", run_id, "--format", "otlp", "--content"]).stdout
    )
