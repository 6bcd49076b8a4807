"""What the REST service takes and gives, as OpenAPI says it."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, WithJsonSchema

from adaq_core import methods, sources
from adaq_core.store import RUN_STATUSES
from adaq_core.store.recording import RUN_ID

Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$")]
RunId = Annotated[str, StringConstraints(pattern=rf"^{RUN_ID.pattern}$")]
Text = Annotated[str, StringConstraints(min_length=1, max_length=120, pattern=r"^\w[^\x00-\x1f\x7f]*$")]
_NAMED = r"[A-Za-z0-9][A-Za-z0-9_.:/-]{0,99}"
Model = Annotated[str, StringConstraints(pattern=rf"^{_NAMED}(,{_NAMED})?$")]
VERSION = "1.0"  # of the interface, over HTTP and for assistants
MOST = 100
PROBLEM = "application/problem+json"


def _out_of(names: Collection[str]) -> AfterValidator:
    def checked(name: str) -> str:
        if name not in names:
            raise ValueError(f"expected one of {', '.join(names)}")
        return name

    return AfterValidator(checked)


def _listed(names: Collection[str]) -> WithJsonSchema:
    return WithJsonSchema({"type": "string", "enum": list(names)})


Method = Annotated[str, _out_of(methods.names()), _listed(methods.names())]
Source = Annotated[str, _out_of(sources.names()), _listed(sources.names())]
Status = Annotated[str, _out_of(RUN_STATUSES), _listed(RUN_STATUSES)]


def _whole(value: object) -> object:
    """Accept 5.0 as a count: JSON has one kind of number."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


WHOLE = BeforeValidator(_whole)


class StrictBody(BaseModel):
    """A request body that refuses unknown fields and other types."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False, strict=True)


class ResearchRequest(StrictBody):
    """A question and what shapes its run; everything but the question has a default."""

    question: Annotated[str, StringConstraints(min_length=1, max_length=4_000, pattern=r"\w")] = Field(
        examples=["Compare self-attention and multi-head attention"]
    )
    company: Text | None = Field(
        None, description="Asked about it, where the question does not name it.", examples=["Tesla"]
    )
    year: Annotated[int, Field(ge=1900, le=2100), WHOLE] | None = Field(
        None, description="Asked for it, where the question does not name it.", examples=[2025]
    )
    corpus: Name = Field("sample", description="One of /corpora.")
    method: Method = Field("adaptive", description="One of /methods.")
    k: Annotated[int, Field(ge=1, le=MOST), WHOLE] = Field(5, description="How many passages the answer may cite.")
    step_cap: Annotated[int, Field(ge=1, le=MOST), WHOLE] | None = Field(None, description="At most this many hops.")
    budget_seconds: float | None = Field(None, ge=0, le=3_600)
    budget_tokens: Annotated[int, Field(ge=1, le=10_000_000), WHOLE] | None = Field(None)
    budget_usd: float | None = Field(None, ge=0, le=1_000)
    model: Model | None = Field(None, description="A language model; none is asked unless it is named.")
    sources: list[Source] = Field(default_factory=list, max_length=20, description="Live sources to ask as well.")
    wait_seconds: float = Field(60, ge=0, le=300, description="Wait so long for the answer; 0 returns at once.")


class RunSummary(BaseModel):
    """A run as the list shows it; `coverage` is the share of aspects covered."""

    run_id: str
    question: str
    method: str
    corpus: str
    k: int
    status: Status
    stop_reason: str | None
    reason: str
    hops: int
    coverage: float | None
    sufficiency: float | None
    elapsed: float
    created_at: datetime
    model: str | None


class RunDocument(BaseModel):
    """A run as one object, as `ask --json` prints it; what is not known is null."""

    model_config = ConfigDict(extra="allow")

    run: RunSummary
    answer: dict[str, Any] | None
    sufficiency: float | None
    answerable: float | None
    calibrated: bool
    aspects: list[dict[str, Any]]
    hops: list[dict[str, Any]]
    evidence: list[str]
    cost: dict[str, Any]


class StoredEvent(BaseModel):
    """An event in its envelope: `seq` from 1, `elapsed` in seconds since the run began."""

    seq: int
    at: str
    elapsed: float
    event: dict[str, Any]


class Trace(RunDocument):
    """A run with every event that it recorded."""

    events: list[StoredEvent]


class Entered(BaseModel):
    """A run that was entered and is not over yet; `trace` and `events` say where it can be followed."""

    run_id: str = Field(examples=["r-7f3a2c"])
    status: Status
    trace: str = Field(examples=["/trace/r-7f3a2c"])
    events: str = Field(examples=["/trace/r-7f3a2c/events"])


class Runs(BaseModel):
    """Stored runs, newest first; `total` counts all that meet the criteria."""

    runs: list[RunSummary]
    total: int


class Corpus(BaseModel):
    """A corpus that can be searched."""

    name: str
    version: str
    documents: int
    passages: int


class MethodInfo(BaseModel):
    """A method, and what it does in one line."""

    name: str
    summary: str
    needs_vectors: bool


class EvaluateRequest(StrictBody):
    """An experiment: methods on the judged questions of a set; no methods means all of them."""

    dataset: Name = Field(examples=["finance"], description="A set that comes with ADAQ or lies in ADAQ_DATASETS.")
    split: Name = "dev"
    methods: list[Method] = Field(default_factory=list, max_length=20, examples=[["bm25"]])
    k: Annotated[int, Field(ge=1, le=MOST), WHOLE] = Field(5)
    limit: Annotated[int, Field(ge=1, le=100_000), WHOLE] | None = Field(
        None, examples=[2], description="Only so many questions."
    )
    seed: Annotated[int, Field(ge=0, le=2**31), WHOLE] = Field(0)


class Experiment(BaseModel):
    """An experiment: where it stands and, when it is finished, what was measured; `error` says why it ended early."""

    job_id: str
    status: Literal["running", "finished", "stopped"]
    request: dict[str, Any]
    progress: dict[str, Any] | None
    results: dict[str, Any] | None
    error: str


class Health(BaseModel):
    """That the service answers and can read its store."""

    status: Literal["ok"]
    runs: int


class Problem(BaseModel):
    """What went wrong, after RFC 9457."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    instance: str = ""
    errors: list[dict[str, Any]] = Field(default_factory=list)


def problems(**why: str) -> dict[int | str, dict[str, Any]]:
    """Document the errors of a route: `s404="there is no such run"` and the like."""
    schema = Problem.model_json_schema()
    return {
        int(status[1:]): {"description": f"A problem: {words}.", "content": {PROBLEM: {"schema": schema}}}
        for status, words in why.items()
    }


UNEXPECTED = "what was sent is not what is expected"
TOO_LARGE = "the body is too large"
