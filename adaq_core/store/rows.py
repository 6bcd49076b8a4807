"""The row of a run: what lists show, filter and sort by, kept up to date event by event.

Nothing in it is known from elsewhere than the events, except where the run belongs (group, parent, question id) and
what a person added (note, tags, rating).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from functools import cache, lru_cache
from hashlib import blake2b
from typing import Any, Literal, TypeVar, get_args

from adaq_core.errors import StoreError
from adaq_core.events import (
    AnswerWritten,
    AspectsPlanned,
    Branched,
    CoverageAssessed,
    Event,
    FellBack,
    FindingsRead,
    ModelCalled,
    Noticed,
    PassagesRetrieved,
    Record,
    RunFailed,
    RunFinished,
    RunStarted,
    dump,
    loads,
)
from adaq_core.model import Budget, CorpusCard, Passage, QueryAspect, Settings, StopReason, fields_of

_FIELDS = frozenset(field.name for field in fields(Passage))
_REFERENCE = re.compile(r'\{"\$passage":"([0-9a-f]{32})"\}')


def encode(event: Event) -> tuple[str, dict[str, str]]:
    """Return the event's payload with references, and the passages they refer to, by hash.

    Half of a surrogate pair is not text and cannot be stored: it becomes U+FFFD.
    """
    bodies: dict[str, str] = {}
    return as_json(_strip(dump(event), bodies)), bodies


def notice_instead(event_kind: str, error: Exception) -> Noticed:
    """Return the notice that stands for an event that cannot be written: the run goes on, and says what it lacks."""
    return Noticed("store", f"What happened here ({event_kind}) could not be stored: {str(error)[:200]}")


def references(payload: str) -> set[str]:
    """Return the hashes of the passages that a payload refers to."""
    return set(_REFERENCE.findall(payload))


def decode(payload: str, bodies: Mapping[str, str]) -> Event:
    """Return the event that `encode` took apart.

    Raises:
        StoreError: a body is missing.
    """

    def body(match: re.Match[str]) -> str:
        try:
            return bodies[match[1]]
        except KeyError:
            raise StoreError(
                f"The run store has lost the text of passage {match[1]}; export or delete this run."
            ) from None

    return loads(_REFERENCE.sub(body, payload))


def as_json(value: object) -> str:
    """Return `value` as compact JSON that holds valid Unicode only."""
    return clean(json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")))


def clean(text: str) -> str:
    """Return `text` with every lone surrogate replaced by U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return re.sub("[\ud800-\udfff]", "\ufffd", text)
    return text


def _strip(value: Any, bodies: dict[str, str]) -> Any:
    if isinstance(value, dict):
        if value.keys() == _FIELDS:
            return {"$passage": _keep(value, bodies)}
        return {key: _strip(item, bodies) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_strip(item, bodies) for item in value]
    return value


def _keep(passage: dict[str, Any], bodies: dict[str, str]) -> str:
    body = as_json(passage)
    digest = blake2b(body.encode(), digest_size=16).hexdigest()
    bodies[digest] = body
    return digest


T = TypeVar("T", Settings, Budget)
RunStatus = Literal["queued", "running", "finished", "cancelled", "failed", "interrupted"]
RUN_STATUSES: tuple[RunStatus, ...] = get_args(RunStatus)
# The columns are 64 bit wide: whatever servers count, a sum stays inside them.
_MOST_TOKENS = 10**18
OVER: tuple[RunStatus, ...] = ("finished", "cancelled", "failed", "interrupted")
RunOutcome = Literal["running", "answered", "partly", "uncertain", "nothing", "failed", "interrupted"]


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run as the run list shows it.

    `status` is `cancelled` when the user stopped it, `interrupted` when its process ended first. Shares and scores lie
    in [0, 1] and are None before they are known; `coverage_by_hop[i]` is the share of aspects covered after hop i + 1.
    `elapsed` is in seconds, `rating` whatever the person gave, `group_id` a comparison or an experiment, `parent_id`
    the run that this one goes on from; `given_aspects` are those that the user chose in place of planned ones.
    """

    run_id: str
    question: str
    method: str
    corpus: str
    corpus_version: str
    corpus_documents: int
    corpus_passages: int
    k: int
    settings: Settings
    budget: Budget
    created_at: datetime
    model: str | None = None
    status: RunStatus = "running"
    stop_reason: StopReason | None = None
    reason: str = ""
    elapsed: float = 0.0
    hops: int = 0
    aspects_total: int = 0
    aspects_covered: int = 0
    percentage: float | None = None
    weighted: float | None = None
    sufficiency: float | None = None
    coverage_by_hop: tuple[float, ...] = ()
    queries: int = 0
    passages_read: int = 0
    model_calls: int = 0
    fell_back: int = 0
    prompt_tokens: int = 0
    reply_tokens: int = 0
    usd: float = 0.0
    abstained: bool | None = None
    group_id: str | None = None
    question_id: str | None = None
    parent_id: str | None = None
    given_aspects: tuple[QueryAspect, ...] | None = None
    imported: bool = False
    note: str = ""
    tags: tuple[str, ...] = ()
    rating: int | None = None
    last_seq: int = 0
    owner: str = ""

    @property
    def tokens(self) -> int:
        """Prompt and reply tokens that the servers counted."""
        return self.prompt_tokens + self.reply_tokens

    @property
    def over(self) -> bool:
        """Whether nothing more will be recorded for it."""
        return self.status in OVER

    @property
    def outcome(self) -> RunOutcome:
        """What it came to, in one word; lists filter by the same rule in SQL."""
        match self.status:
            case "queued" | "running":
                return "running"
            case "failed" | "interrupted":
                return self.status
        if self.abstained is not False:
            return "nothing"
        if self.aspects_covered >= self.aspects_total:
            return "answered"
        return "partly" if self.aspects_covered else "uncertain"

    @property
    def card(self) -> CorpusCard:
        """The corpus it searched."""
        return CorpusCard(self.corpus, self.corpus_version, self.corpus_documents, self.corpus_passages)


COLUMNS: tuple[str, ...] = tuple(field.name for field in fields(RunRow))
_BY_PEOPLE = ("note", "tags", "rating")
_FIXED = ("run_id", "created_at", "group_id", "question_id", "parent_id", "given_aspects", "imported")
LIVE_COLUMNS: tuple[str, ...] = tuple(name for name in COLUMNS if name not in (*_BY_PEOPLE, *_FIXED))


def new_row(run_id: str, first: RunStarted, **rest: Any) -> RunRow:
    """Return the row of a run that will begin with `first`; `rest` are further columns by name."""
    card = first.corpus
    return RunRow(
        run_id=run_id,
        question=clean(first.question),
        method=first.method,
        corpus=card.name,
        corpus_version=card.version,
        corpus_documents=card.documents,
        corpus_passages=card.passages,
        k=first.settings.k,
        settings=first.settings,
        budget=first.budget,
        created_at=datetime.now(UTC),
        model=first.model,
        **rest,
    )


def after(row: RunRow, record: Record) -> RunRow:
    """Return the row once `record` has happened."""
    event = record.event
    hop = max(row.hops, getattr(event, "hop", 0))
    row = replace(row, hops=hop, last_seq=record.seq, elapsed=record.elapsed)
    match event:
        case RunStarted():
            card = event.corpus
            return replace(
                row,
                status="running",
                model=event.model,
                k=event.settings.k,
                settings=event.settings,
                budget=event.budget,
                corpus=card.name,
                corpus_version=card.version,
                corpus_documents=card.documents,
                corpus_passages=card.passages,
            )
        case RunFinished():
            status: RunStatus = "cancelled" if event.stop_reason == "user_stop" else "finished"
            return replace(row, status=status, stop_reason=event.stop_reason, reason=clean(event.reason))
        case RunFailed():
            return replace(row, status="failed", stop_reason="error", reason=clean(f"{event.error}: {event.message}"))
        case _:
            return _counted(row, event)


def _counted(row: RunRow, event: Event) -> RunRow:
    match event:
        case AspectsPlanned() | Branched():
            return replace(row, aspects_total=len(event.aspects))
        case PassagesRetrieved():
            return replace(row, queries=row.queries + 1)
        case FindingsRead():
            return replace(row, passages_read=row.passages_read + len(event.read))
        case CoverageAssessed():
            return _assessed(row, event)
        case ModelCalled():
            return _charged(row, event)
        case FellBack():
            return replace(row, fell_back=row.fell_back + 1)
        case AnswerWritten():
            return replace(row, abstained=event.answer.abstained)
        case _:
            return row


def _assessed(row: RunRow, event: CoverageAssessed) -> RunRow:
    before = row.coverage_by_hop[: event.hop - 1]
    gap = (before[-1] if before else 0.0,) * (event.hop - 1 - len(before))
    return replace(
        row,
        percentage=event.percentage,
        weighted=event.weighted,
        sufficiency=event.sufficiency,
        aspects_covered=round(event.percentage * row.aspects_total),
        coverage_by_hop=(*before, *gap, event.percentage),
    )


def _charged(row: RunRow, event: ModelCalled) -> RunRow:
    return replace(
        row,
        model_calls=row.model_calls + 1,
        prompt_tokens=_sum(row.prompt_tokens, event.prompt_tokens),
        reply_tokens=_sum(row.reply_tokens, event.reply_tokens),
        usd=row.usd + event.usd,
    )


def _sum(before: int, counted: int | None) -> int:
    return max(0, min(before + (counted or 0), _MOST_TOKENS))


def to_database(row: RunRow, columns: tuple[str, ...] = COLUMNS) -> list[Any]:
    """Return the values of `columns` as the database takes them."""
    return [_to_database(name, getattr(row, name)) for name in columns]


def in_utc(moment: datetime) -> datetime:
    """Return a time in UTC without its zone, as the database stores it."""
    return moment.astimezone(UTC).replace(tzinfo=None)


def _to_database(name: str, value: Any) -> Any:
    if name in ("settings", "budget"):
        return as_json(fields_of(value))
    if name == "given_aspects":
        if value is None:
            return None
        return as_json(_aspects().dump_python(value, mode="json"))
    if name == "created_at":
        return in_utc(value)
    if isinstance(value, tuple):
        return list(value)
    return value


def from_database(values: tuple[Any, ...]) -> RunRow:
    """Build the row from `values` in the order of `COLUMNS`."""
    known = dict(zip(COLUMNS, values, strict=True))
    known["settings"] = _read(Settings, known["settings"])
    known["budget"] = _read(Budget, known["budget"])
    known["given_aspects"] = _given(known["given_aspects"])
    known["created_at"] = known["created_at"].replace(tzinfo=UTC)
    known["coverage_by_hop"] = tuple(known["coverage_by_hop"])
    known["tags"] = tuple(known["tags"])
    return RunRow(**known)


@cache
def _aspects() -> Any:
    from pydantic import TypeAdapter

    return TypeAdapter(tuple[QueryAspect, ...])


def _given(text: str | None) -> tuple[QueryAspect, ...] | None:
    return None if text is None else _aspects().validate_json(text)


@lru_cache(maxsize=1024)
def _read(kind: type[T], text: str) -> T:
    """Read the settings or budget in `text`; fields unknown to this version are left out."""
    names = {field.name for field in fields(kind)}
    return kind(**{name: value for name, value in json.loads(text).items() if name in names})
