"""Live spans: what a collector gets while a run goes on is what an export of the stored run holds."""

import json
import threading
from collections import Counter
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import SpanLimits, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from adaq_core.events import ModelCalled, Record
from adaq_core.export.otlp import LiveSpans, _tracer, live_spans, otlp
from adaq_core.runs.execute import RunSpec
from tests.recorded import QUESTION, failed_run, whole_run

BEGAN = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)
CALL = ModelCalled("plan", "small", "hash", "the prompt", "the reply", prompt_tokens=7, reply_tokens=2)


def recorded(events):
    every = timedelta(milliseconds=250)
    return [Record(n, (BEGAN + n * every).isoformat(), n * 0.25, event) for n, event in enumerate(events)]


def exported(run_id, records, *, content=False):
    """Name, parent, kind, status, attributes, times and events of each span of an export."""
    made = otlp(run_id, records, content=content)["resourceSpans"][0]["scopeSpans"][0]["spans"]
    names = {span["spanId"]: span["name"] for span in made}
    return [
        (
            span["name"],
            names.get(span["parentSpanId"], ""),
            span["kind"],
            span["status"].get("code", 0),
            {pair["key"]: plain(pair["value"]) for pair in span["attributes"]},
            (int(span["startTimeUnixNano"]), int(span["endTimeUnixNano"])),
            [
                (each["name"], {p["key"]: plain(p["value"]) for p in each["attributes"]})
                for each in span.get("events", [])
            ],
        )
        for span in made
    ]


def plain(value):
    ((kind, given),) = value.items()
    if kind == "arrayValue":
        return tuple(plain(each) for each in given["values"])
    return int(given) if kind == "intValue" else given


def live(run_id, records, *, content=False):
    """The same of the spans that OpenTelemetry's own exporter was handed."""
    memory = InMemorySpanExporter()
    provider = TracerProvider(span_limits=SpanLimits(max_span_attributes=4_000))
    provider.add_span_processor(SimpleSpanProcessor(memory))
    sender = LiveSpans(run_id, provider.get_tracer("test"), content=content)
    for record in records:
        sender.take(record)
    sender.close()
    finished = memory.get_finished_spans()
    names = {span.context.span_id: span.name for span in finished}
    return [
        (
            span.name,
            names[span.parent.span_id] if span.parent else "",
            {"INTERNAL": 1, "CLIENT": 3}[span.kind.name],
            {"UNSET": 0, "ERROR": 2}[span.status.status_code.name],
            dict(span.attributes),
            (span.start_time, span.end_time),
            [(each.name, dict(each.attributes)) for each in span.events],
        )
        for span in finished
    ]


def in_order(spans):
    return sorted(spans, key=lambda span: (span[5], span[0], json.dumps(span[4], sort_keys=True)))


@pytest.mark.parametrize("content", [False, True])
@pytest.mark.parametrize("events", [whole_run(hops=2), failed_run(), [whole_run()[0], CALL, *whole_run()[1:]]])
def test_live_spans_are_those_of_the_export(events, content):
    records = recorded(events)
    assert in_order(live("r-1", records, content=content)) == in_order(exported("r-1", records, content=content))


def test_without_being_asked_no_text_is_sent():
    records = recorded([whole_run()[0], CALL, *whole_run()[1:]])
    told = json.dumps(live("r-1", records))
    for text in (QUESTION, "the prompt", "the reply"):
        assert text not in told
        assert text in json.dumps(live("r-1", records, content=True))


def test_a_span_is_handed_over_as_soon_as_it_has_ended():
    memory = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(memory))
    sender = LiveSpans("r-1", provider.get_tracer("test"))
    seen = []
    for record in recorded(whole_run(hops=2)):
        sender.take(record)
        seen.append((record.event.kind, [span.name for span in memory.get_finished_spans()]))
    after_second_hop_began = [names for kind, names in seen if kind == "hop_started"][1]
    assert "hop.1" in after_second_hop_began
    assert Counter(after_second_hop_began)["coverage.judge"] == 1
    assert "invoke_agent adaq" not in seen[-1][1]
    sender.close()
    assert memory.get_finished_spans()[-1].name == "invoke_agent adaq"


def test_a_run_that_is_left_as_it_is_ends_its_spans():
    records = recorded(whole_run(hops=2))[:7]
    assert {name for name, *_ in live("r-1", records)} == {name for name, *_ in exported("r-1", records)}


def test_nothing_is_sent_unless_it_is_asked_for(monkeypatch):
    for value in ("", "off", "no"):
        monkeypatch.setenv("ADAQ_SPANS", value)
        assert live_spans("r-1") is None


@pytest.fixture
def collector(monkeypatch):
    """A collector on this machine that keeps the spans it is sent."""
    kept: list[Any] = []

    class Collector(BaseHTTPRequestHandler):
        def do_POST(self):
            request = ExportTraceServiceRequest.FromString(self.rfile.read(int(self.headers["Content-Length"])))
            kept.extend(s for each in request.resource_spans for scope in each.scope_spans for s in scope.spans)
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Collector) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
        monkeypatch.setenv("ADAQ_SPANS", "on")
        _tracer.cache_clear()
        yield kept
        _tracer.cache_clear()
        server.shutdown()


def test_a_run_of_the_runner_reaches_a_collector(collector, indexed, monkeypatch):
    from adaq_core.corpus.library import CorpusLibrary
    from adaq_core.runs.runner import Runner
    from adaq_core.store import Store

    monkeypatch.setenv("ADAQ_HOME", str(indexed))
    store = Store(indexed / "spans.duckdb")
    runner = Runner(store, CorpusLibrary())
    run_id = runner.submit(RunSpec("adaptive", "What is BM25?"), corpus="sample")
    runner.wait(run_id)
    runner.close()
    _tracer().span_processor.force_flush()  # type: ignore[attr-defined]
    stored = exported(run_id, store.records(run_id))
    store.close()
    assert Counter(span.name for span in collector) == Counter(name for name, *_ in stored)
    most = max(stored, key=lambda span: len(span[4]))
    sent = next(span for span in collector if len(span.attributes) == len(most[4]))
    assert {pair.key for pair in sent.attributes} == set(most[4])
    assert "What is BM25" not in str(collector)
