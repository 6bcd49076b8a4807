"""The facts: one frozen class per thing that can happen in a run.

A run is a stream of these, in order. They hold no clock and no random id: the store adds `seq`, `at` and `elapsed`
in the envelope (`Record`), so two equal runs are equal. A finished stream ends in exactly one `RunFinished` or
`RunFailed`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from adaq_core.model import (
    Answer,
    AspectScore,
    Budget,
    CitationsCheck,
    CorpusCard,
    Decision,
    Finding,
    Link,
    Passage,
    QueryAspect,
    RankedPassage,
    Replacement,
    ScoredPassage,
    Settings,
    SourceReport,
    StopReason,
    Subquery,
    WordingGain,
)

if TYPE_CHECKING:
    from pydantic import TypeAdapter

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class RunStarted:
    """A method begins to work on a question."""

    question: str
    method: str
    corpus: CorpusCard
    settings: Settings
    budget: Budget
    model: str | None = None
    ranker: str = ""
    resumed_from: str | None = None
    kind: Literal["run_started"] = "run_started"


@dataclass(frozen=True, slots=True)
class AspectsPlanned:
    """The question was split into aspects; `lost` are words of the question that no aspect carries.

    `notes` are sentences about the question as a whole: it is in another language, or names nothing to look for.
    """

    aspects: tuple[QueryAspect, ...]
    lost: tuple[str, ...] = ()
    profile: str | None = None
    by: Literal["heuristic", "model", "user"] = "heuristic"
    notes: tuple[str, ...] = ()
    kind: Literal["aspects_planned"] = "aspects_planned"


@dataclass(frozen=True, slots=True)
class WordingsLearned:
    """What the wordings gained in `runs` earlier runs on the same corpus; the run chooses by it to its end."""

    runs: int = 0
    gains: tuple[WordingGain, ...] = ()
    kind: Literal["wordings_learned"] = "wordings_learned"


@dataclass(frozen=True, slots=True)
class HopStarted:
    """A hop begins: the queries it will send, why, and the aspects still open, most important first."""

    hop: int
    queries: tuple[Subquery, ...]
    why: str
    open_aspects: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()
    kind: Literal["hop_started"] = "hop_started"


@dataclass(frozen=True, slots=True)
class SourcesSearched:
    """The live sources were asked one query: what each did. `notes` concern no single source.

    The seconds in a report are the one measured time in an event: how long a service took is what is to be known of it.
    """

    hop: int
    query: str
    reports: tuple[SourceReport, ...]
    notes: tuple[str, ...] = ()
    kind: Literal["sources_searched"] = "sources_searched"


@dataclass(frozen=True, slots=True)
class PassagesRetrieved:
    """What one query brought, best first. The first `read` of them were read, the others are candidates only."""

    hop: int
    query: Subquery
    retriever: str
    passages: tuple[ScoredPassage, ...]
    read: int
    kind: Literal["passages_retrieved"] = "passages_retrieved"


@dataclass(frozen=True, slots=True)
class LinksFollowed:
    """Names in passages already found led to other passages; `passages` are the targets, which were read too."""

    hop: int
    links: tuple[Link, ...]
    passages: tuple[Passage, ...]
    kind: Literal["links_followed"] = "links_followed"


@dataclass(frozen=True, slots=True)
class FindingsRead:
    """Passages were read, each once in a run; `findings` are the quoted spans in them that speak to an aspect."""

    hop: int
    findings: tuple[Finding, ...]
    read: tuple[str, ...] = ()
    kind: Literal["findings_read"] = "findings_read"


@dataclass(frozen=True, slots=True)
class AspectRestated:
    """A link of a chain was answered by `name`, so the aspect that waited for it asks `text` from now on.

    `passage_id` is the passage that names it. The aspect keeps its name in all events.
    """

    hop: int
    aspect: str
    text: str
    name: str
    passage_id: str
    kind: Literal["aspect_restated"] = "aspect_restated"


@dataclass(frozen=True, slots=True)
class Branched:
    """Up to here the run is another one made again; from here on a person changed something.

    `aspects` and `settings` hold from now on, all of them. The next hop sends `query` for the aspect `target`; both are
    empty where the run chooses.
    """

    hop: int
    aspects: tuple[QueryAspect, ...]
    settings: Settings
    query: str = ""
    target: str = ""
    kind: Literal["branched"] = "branched"


@dataclass(frozen=True, slots=True)
class CoverageAssessed:
    """Coverage of every aspect after this hop; all values in [0, 1].

    `percentage` is the share of aspects covered, `weighted` the mean score weighted by importance, `sufficiency` the
    calibrated probability that all the evidence needed is in the set, `some` that part of it is, `answerable` that the
    corpus holds an answer at all (None when they cannot be estimated; `some` also in runs stored before it was kept).
    """

    hop: int
    scores: tuple[AspectScore, ...]
    newly_covered: tuple[str, ...]
    percentage: float
    weighted: float
    sufficiency: float | None = None
    answerable: float | None = None
    some: float | None = None
    kind: Literal["coverage_assessed"] = "coverage_assessed"


@dataclass(frozen=True, slots=True)
class EvidenceAssembled:
    """The fixed-size set that the answer may cite, best first; `ranking` goes on past `k` for the measures.

    `replacements` says what changed against the set of the hop before.
    """

    hop: int
    evidence: tuple[RankedPassage, ...]
    ranking: tuple[str, ...] = ()
    replacements: tuple[Replacement, ...] = ()
    kind: Literal["evidence_assembled"] = "evidence_assembled"


@dataclass(frozen=True, slots=True)
class Decided:
    """Go on or stop."""

    hop: int
    decision: Decision
    kind: Literal["decided"] = "decided"


@dataclass(frozen=True, slots=True)
class ModelCalled:
    """A language model was asked by `stage`; tokens are the server's own count, None when it gave none.

    `num_ctx` is how many tokens it could take in; `notes` say what was cut from the prompt and whatever else is odd.
    """

    stage: str
    model: str
    prompt_hash: str
    prompt: str
    reply: str
    prompt_tokens: int | None = None
    reply_tokens: int | None = None
    num_ctx: int | None = None
    cached: bool = False
    usd: float = 0.0
    notes: tuple[str, ...] = ()
    kind: Literal["model_called"] = "model_called"


@dataclass(frozen=True, slots=True)
class FellBack:
    """A stage could not use what it hoped for and used `used` instead; `raw` is what came."""

    stage: str
    problem: str
    used: str
    raw: str = ""
    kind: Literal["fell_back"] = "fell_back"


@dataclass(frozen=True, slots=True)
class Noticed:
    """Something a reader of the run should know: a skipped source, a truncated prompt, a dropped document."""

    stage: str
    message: str
    kind: Literal["noticed"] = "noticed"


@dataclass(frozen=True, slots=True)
class AnswerWritten:
    """The answer, made of the evidence only; `check` is what the citation guard did, None when it was not asked."""

    answer: Answer
    by: Literal["extractive", "model"] = "extractive"
    check: CitationsCheck | None = None
    kind: Literal["answer_written"] = "answer_written"


@dataclass(frozen=True, slots=True)
class RunFinished:
    """The run ended as it should; `reason` says why in one sentence."""

    stop_reason: StopReason
    reason: str
    kind: Literal["run_finished"] = "run_finished"


@dataclass(frozen=True, slots=True)
class RunFailed:
    """The run ended in an error; what came before it holds."""

    error: str
    message: str
    kind: Literal["run_failed"] = "run_failed"


Event = (
    RunStarted
    | AspectsPlanned
    | WordingsLearned
    | HopStarted
    | SourcesSearched
    | PassagesRetrieved
    | LinksFollowed
    | FindingsRead
    | AspectRestated
    | Branched
    | CoverageAssessed
    | EvidenceAssembled
    | Decided
    | ModelCalled
    | FellBack
    | Noticed
    | AnswerWritten
    | RunFinished
    | RunFailed
)


@dataclass(frozen=True, slots=True)
class Record:
    """An event in its envelope: `seq` from 1, `at` in UTC (ISO 8601), `elapsed` in seconds since the run began."""

    seq: int
    at: str
    elapsed: float
    event: Event


@cache
def _adapter() -> TypeAdapter[Event]:
    from pydantic import Field, TypeAdapter

    return TypeAdapter(Annotated[Event, Field(discriminator="kind")])


def dump(event: Event) -> dict[str, Any]:
    """Return the event as JSON-ready values."""
    values: dict[str, Any] = _adapter().dump_python(event, mode="json")
    return values


def enveloped(record: Record) -> dict[str, Any]:
    """Return a record's event with its number and times, as JSON-ready values."""
    return {"seq": record.seq, "at": record.at, "elapsed": record.elapsed, "event": dump(record.event)}


def load(data: dict[str, Any]) -> Event:
    """Return the event that `dump` gave; pydantic's ValidationError for anything else."""
    return _adapter().validate_python(data)


def dumps(event: Event) -> bytes:
    """Return the event as JSON."""
    return _adapter().dump_json(event)


def loads(data: bytes | str) -> Event:
    """Return the event that `dumps` wrote."""
    return _adapter().validate_json(data)


def of_kind(events: Iterable[Event], kind: type[T]) -> Iterator[T]:
    """Yield the events of one class, in order."""
    return (event for event in events if isinstance(event, kind))
