"""A run as OpenTelemetry spans, stored in OTLP's JSON or live: the tree of a run with the true times of its events.

Names are of OpenInference, and beside them of the GenAI conventions of OpenTelemetry (status: development); what
neither has stands under `adaq.`. Ids come from the run's own, so that exporting twice gives the same spans. Texts of
the question, of documents and of a model are in it only when they are asked for.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Literal

from adaq_core.events import (
    AnswerWritten,
    AspectsPlanned,
    CoverageAssessed,
    Decided,
    Event,
    EvidenceAssembled,
    HopStarted,
    ModelCalled,
    PassagesRetrieved,
    Record,
    RunFailed,
    RunFinished,
    RunStarted,
)
from adaq_core.home import setting
from adaq_core.model import Passage

if TYPE_CHECKING:
    from opentelemetry import trace

log = logging.getLogger(__name__)

Value = str | bool | int | float | Sequence[str] | None
Kind = Literal["AGENT", "CHAIN", "LLM", "RETRIEVER", "RERANKER", "EVALUATOR"]
SCOPE = "adaq_core.export.otlp"
AGENT = "adaq"
_INTERNAL, _CLIENT = 1, 3
_ERROR = 2
_LONGEST = 8_000


@dataclass(slots=True)
class Span:
    """One span; times are nanoseconds since 1970."""

    name: str
    kind: Kind
    span_id: str
    parent_id: str = ""
    start: int = 0
    end: int = 0
    attributes: dict[str, Value] = field(init=False)
    calls: bool = False
    failure: RunFailed | None = None

    def __post_init__(self) -> None:
        self.attributes = {"openinference.span.kind": self.kind}


def otlp(run_id: str, records: Sequence[Record], *, content: bool = False) -> dict[str, Any]:
    """Return the run as one OTLP/JSON request: `resourceSpans` with its spans, the root first; none without records."""
    trace_id = sha256(f"adaq run {run_id}".encode()).hexdigest()[:32]
    walk = _Spans(run_id, content=content)
    for record in records:
        walk.take(record)
    walk.close()
    spans = walk.made
    scope = {"scope": {"name": SCOPE}, "spans": [_as_json(span, trace_id, content=content) for span in spans]}
    resource = {"attributes": _pairs({"service.name": AGENT})}
    return {"resourceSpans": [{"resource": resource, "scopeSpans": [scope]}]}


class _Spans:
    """The spans of a run, made in one walk over its records: an event ends what began with the one before it.

    `made` holds them, each after its parent. All but the root and the hop at hand have come to their end.
    """

    def __init__(self, run_id: str, *, content: bool) -> None:
        self.made: list[Span] = []
        self._run_id = run_id
        self._content = content
        self._root = Span(f"invoke_agent {AGENT}", "AGENT", self._id_of("run"))
        self._before = 0
        self._hop: Span | None = None
        self._corpus = ""
        self._k = 0
        self._waiting: list[tuple[Record, int]] = []

    @property
    def open(self) -> tuple[Span, ...]:
        """Return the spans that may still change."""
        return (self._root, self._hop) if self._hop else (self._root,)

    def take(self, record: Record) -> None:
        """Go on with the next record."""
        now = _nanos(record)
        if not self.made:
            self.made.append(self._root)
            self._root.start = self._before = now
        self._take(record.event, record, self._before)
        self._root.end = self._before = now

    def close(self) -> None:
        """Give the calls that nothing came of to what they were made in."""
        self._calls_of(self._hop or self._root)

    def _take(self, event: Event, record: Record, began: int) -> None:
        first_call = self._waiting[0][1] if self._waiting else began
        match event:
            case ModelCalled():
                self._waiting.append((record, began))
            case RunStarted():
                self._corpus, self._k = event.corpus.name, event.settings.k
                self._root.attributes |= self._started(event)
            case RunFinished():
                self._root.attributes["adaq.stop_reason"] = event.stop_reason
            case RunFailed():
                self._root.attributes["error.type"] = event.error
                self._root.failure = event
            case AspectsPlanned():
                self._planned(event, record, first_call)
            case HopStarted():
                self._hop_started(event, record, first_call)
            case AnswerWritten():
                self._answered(event, record, first_call)
            case _:
                self._in_hop(event, record, began)

    def _in_hop(self, event: Event, record: Record, began: int) -> None:
        hop = self._hop or self._root
        hop.end = max(hop.end, _nanos(record))
        match event:
            case PassagesRetrieved():
                name, found = f"retrieval {self._corpus}", self._retrieved(event)
                self._add(record, name, "RETRIEVER", hop, began, found, calls=True)
            case EvidenceAssembled():
                self._add(record, "rerank", "RERANKER", hop, began, self._assembled(event))
            case CoverageAssessed():
                self._add(record, "coverage.judge", "EVALUATOR", hop, began, _judged(event))
                hop.attributes["adaq.coverage.ratio"] = float(event.percentage)
                hop.attributes["adaq.aspects.covered.count"] = len(event.newly_covered)
            case Decided():
                self._calls_of(hop)
                hop.attributes["adaq.decision.stop"] = event.decision.stop
                hop.attributes["adaq.decision.reason"] = event.decision.reason if self._content else None

    def _started(self, event: RunStarted) -> dict[str, Value]:
        known = {"k": event.settings.k, "max_hops": event.settings.max_hops, "corpus": event.corpus.name}
        return {
            "agent.name": AGENT,
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.name": AGENT,
            "gen_ai.conversation.id": self._run_id,
            "session.id": self._run_id,
            "metadata": json.dumps(known),
            "adaq.run.id": self._run_id,
            "adaq.system": AGENT if event.method == "adaptive" else event.method,
            "adaq.corpus.version": event.corpus.version,
            **self._text("input", event.question),
        }

    def _planned(self, event: AspectsPlanned, record: Record, began: int) -> None:
        attributes: dict[str, Value] = {"gen_ai.operation.name": "plan", "adaq.aspects.count": len(event.aspects)}
        if self._content:
            attributes["adaq.aspects.new"] = [aspect.aspect for aspect in event.aspects]
        self._calls_of(self._add(record, f"plan {AGENT}", "CHAIN", self._root, began, attributes))

    def _hop_started(self, event: HopStarted, record: Record, began: int) -> None:
        attributes: dict[str, Value] = {"adaq.hop.index": event.hop, "graph.node.id": f"hop_{event.hop}"}
        if event.hop > 1:
            attributes["graph.node.parent_id"] = f"hop_{event.hop - 1}"
        if self._content:
            attributes["adaq.aspects.targeted"] = [query.aspect for query in event.queries if query.aspect]
            attributes["adaq.aspects.open"] = list(event.open_aspects)
        self._hop = self._add(record, f"hop.{event.hop}", "CHAIN", self._root, began, attributes)
        self._calls_of(self._hop)

    def _answered(self, event: AnswerWritten, record: Record, began: int) -> None:
        attributes: dict[str, Value] = {
            "adaq.answer.status": event.answer.status,
            "adaq.answer.citations": len(event.answer.citations),
        }
        attributes |= self._text("output", event.answer.text)
        self._root.attributes |= self._text("output", event.answer.text)
        self._calls_of(self._add(record, "answer", "CHAIN", self._root, began, attributes))

    def _retrieved(self, event: PassagesRetrieved) -> dict[str, Value]:
        passages = [(scored.passage, scored.score) for scored in event.passages]
        ids = [{"id": passage.passage_id, "score": score} for passage, score in passages]
        return {
            "gen_ai.operation.name": "retrieval",
            "gen_ai.data_source.id": self._corpus,
            "gen_ai.request.top_k": float(event.read),
            "gen_ai.retrieval.documents": json.dumps(ids),
            "gen_ai.retrieval.query.text": event.query.text if self._content else None,
            **self._text("input", event.query.text),
            **self._documents("retrieval.documents", passages),
        }

    def _assembled(self, event: EvidenceAssembled) -> dict[str, Value]:
        ranked = [(each.passage, each.score) for each in event.evidence]
        taken = [replacement.taken for replacement in event.replacements]
        return {
            "reranker.model_name": AGENT,
            "reranker.top_k": self._k,
            "adaq.evidence.taken": taken,
            **self._documents("reranker.output_documents", ranked),
        }

    def _documents(self, name: str, passages: Sequence[tuple[Passage, float]]) -> dict[str, Value]:
        made: dict[str, Value] = {}
        for n, (passage, score) in enumerate(passages):
            made[f"{name}.{n}.document.id"] = passage.passage_id
            made[f"{name}.{n}.document.score"] = float(score)
            made[f"{name}.{n}.document.content"] = passage.text[:_LONGEST] if self._content else None
        return made

    def _calls_of(self, parent: Span) -> None:
        """Return the spans of model calls that waited for the span they belong to."""
        for record, began in self._waiting:
            assert isinstance(record.event, ModelCalled)
            name, called = f"chat {record.event.model}", self._called(record.event)
            self._add(record, name, "LLM", parent, began, called, calls=True)
        self._waiting.clear()

    def _called(self, event: ModelCalled) -> dict[str, Value]:
        sent, replied = event.prompt_tokens, event.reply_tokens
        return {
            "gen_ai.operation.name": "chat",
            "gen_ai.request.model": event.model,
            "gen_ai.usage.input_tokens": sent,
            "gen_ai.usage.output_tokens": replied,
            "llm.model_name": event.model,
            "llm.token_count.prompt": sent,
            "llm.token_count.completion": replied,
            "llm.token_count.total": None if sent is None or replied is None else sent + replied,
            "llm.cost.total": event.usd or None,
            "adaq.stage": event.stage,
            "adaq.reply.cached": event.cached,
            "adaq.prompt.hash": event.prompt_hash,
            **self._message("llm.input_messages.0", "user", event.prompt),
            **self._message("llm.output_messages.0", "assistant", event.reply),
        }

    def _message(self, name: str, role: str, text: str) -> dict[str, Value]:
        if not self._content:
            return {}
        return {f"{name}.message.role": role, f"{name}.message.content": text[:_LONGEST]}

    def _text(self, side: str, text: str) -> dict[str, Value]:
        if self._content:
            return {f"{side}.value": text[:_LONGEST], f"{side}.mime_type": "text/plain"}
        return {}

    def _add(
        self,
        record: Record,
        name: str,
        kind: Kind,
        parent: Span,
        began: int,
        attributes: Mapping[str, Value],
        *,
        calls: bool = False,
    ) -> Span:
        span = Span(name, kind, self._id_of(record.seq), parent.span_id, began, _nanos(record), calls=calls)
        span.attributes |= attributes
        self.made.append(span)
        return span

    def _id_of(self, key: str | int) -> str:
        return sha256(f"adaq run {self._run_id} span {key}".encode()).hexdigest()[:16]


class LiveSpans:
    """Hands the spans of a run to OpenTelemetry while it goes on: the same names and attributes as in an export."""

    def __init__(self, run_id: str, tracer: trace.Tracer, *, content: bool = False) -> None:
        self._walk = _Spans(run_id, content=content)
        self._tracer = tracer
        self._content = content
        self._begun: dict[str, trace.Span] = {}
        self._unfinished: list[Span] = []

    def take(self, record: Record) -> None:
        """Go on with the next record: begin what it begins, and end what it ends."""
        known = len(self._begun)
        self._walk.take(record)
        self._begin(known)
        self._end(but=self._walk.open)

    def close(self) -> None:
        """End all that is open; for a run that is over, or is left as it is."""
        known = len(self._begun)
        self._walk.close()
        self._begin(known)
        self._end(but=())

    def _begin(self, known: int) -> None:
        from opentelemetry import trace

        for span in self._walk.made[known:]:
            above = self._begun.get(span.parent_id)
            self._begun[span.span_id] = self._tracer.start_span(
                span.name,
                context=trace.set_span_in_context(above) if above else None,
                kind=trace.SpanKind.CLIENT if span.calls else trace.SpanKind.INTERNAL,
                attributes=_known(span.attributes),
                start_time=span.start,
            )
            self._unfinished.append(span)

    def _end(self, *, but: Sequence[Span]) -> None:
        from opentelemetry import trace

        keep = {span.span_id for span in but}
        for span in reversed([span for span in self._unfinished if span.span_id not in keep]):
            begun = self._begun[span.span_id]
            begun.set_attributes(_known(span.attributes))
            if span.failure is not None:
                begun.set_status(trace.StatusCode.ERROR)
                begun.add_event("exception", _known(_exception(span.failure, content=self._content)), span.end)
            begun.end(max(span.start, span.end))
        self._unfinished = [span for span in self._unfinished if span.span_id in keep]


VARIABLE = "ADAQ_SPANS"
_MOST_ATTRIBUTES = 4_000


def live_spans(run_id: str) -> LiveSpans | None:
    """Return the spans for a run that begins now; None unless ADAQ_SPANS is `on`, or `content` (with texts)."""
    wanted = setting(VARIABLE).lower()
    tracer = _tracer() if wanted in ("on", "content") else None
    return LiveSpans(run_id, tracer, content=wanted == "content") if tracer else None


@cache
def _tracer() -> trace.Tracer | None:
    """Return the tracer of the process's own provider, else of one that sends to where OTEL_ variables say.

    A retrieval has several attributes for each passage, which are more than the 128 that are the default limit.
    """
    try:
        from opentelemetry import trace
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import SpanLimits, TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as error:
        log.warning("%s is set, but no span is sent: install adaq[otel] (%s)", VARIABLE, error)
        return None
    provider = trace.get_tracer_provider()
    if not isinstance(provider, TracerProvider):
        limits = SpanLimits(max_span_attributes=_MOST_ATTRIBUTES)
        provider = TracerProvider(resource=Resource.create({"service.name": AGENT}), span_limits=limits)
        provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return provider.get_tracer(SCOPE)


def _known(attributes: Mapping[str, Value]) -> dict[str, Any]:
    return {name: value for name, value in attributes.items() if value is not None}


def _exception(failure: RunFailed, *, content: bool) -> dict[str, Value]:
    return {"exception.type": failure.error, "exception.message": failure.message if content else None}


def _judged(event: CoverageAssessed) -> dict[str, Value]:
    known = {"aspect_coverage": event.percentage, "weighted_coverage": event.weighted, "sufficiency": event.sufficiency}
    made: dict[str, Value] = {}
    for n, (name, score) in enumerate((name, score) for name, score in known.items() if score is not None):
        made[f"evaluations.{n}.evaluation.name"] = name
        made[f"evaluations.{n}.evaluation.score"] = float(score)
        made[f"evaluations.{n}.evaluation.annotator_kind"] = "CODE"
    return made


def _nanos(record: Record) -> int:
    at = datetime.fromisoformat(record.at)
    whole = int(at.replace(microsecond=0).timestamp())
    return whole * 1_000_000_000 + at.microsecond * 1_000


def _as_json(span: Span, trace_id: str, *, content: bool) -> dict[str, Any]:
    made: dict[str, Any] = {
        "traceId": trace_id,
        "spanId": span.span_id,
        "parentSpanId": span.parent_id,
        "name": span.name,
        "kind": _CLIENT if span.calls else _INTERNAL,
        "startTimeUnixNano": str(span.start),
        "endTimeUnixNano": str(max(span.start, span.end)),
        "attributes": _pairs(span.attributes),
        "status": {},
    }
    if span.failure is not None:
        made["status"] = {"code": _ERROR}
        attributes = _pairs(_exception(span.failure, content=content))
        made["events"] = [{"timeUnixNano": str(span.end), "name": "exception", "attributes": attributes}]
    return made


def _pairs(attributes: Mapping[str, Value]) -> list[dict[str, Any]]:
    """Return the attributes as OTLP's JSON has them, unknown values left out."""
    return [{"key": key, "value": _value(value)} for key, value in attributes.items() if value is not None]


def _value(value: Value) -> dict[str, Any]:
    match value:
        case bool():
            return {"boolValue": value}
        case int():
            return {"intValue": str(value)}
        case float():
            return {"doubleValue": value}
        case str():
            return {"stringValue": value}
        case _:
            return {"arrayValue": {"values": [_value(each) for each in value or ()]}}
