"""What every method is given to work with: the services, the meter that says when to stop, and the language model.

A stage asks the model through the gateway: within the budget, in the open, and never so that a run could die of it.
Every call becomes a ModelCalled, and whatever a stage could not use of a reply a FellBack with the raw text. A stage
gets a value or None, and goes by its rules then. After the server has gone nobody is asked again in this run.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from adaq_core.errors import ModelError, ModelMissing, ModelServerDown, in_words
from adaq_core.events import Event, FellBack, ModelCalled, Noticed, WordingsLearned
from adaq_core.llm import (
    Chat,
    Prompt,
    Reply,
    Schema,
    as_prompt,
    estimate_tokens,
    fit,
    model_called,
    most_usd,
    passage_block,
    prompt_hash,
    without_orders,
)
from adaq_core.llm.json_reply import Parsed
from adaq_core.model import Branch, Budget, Passage, QueryAspect, Settings, StopReason
from adaq_core.question.query_templates import FacetProfile
from adaq_core.ranking.rerankers import Reranker
from adaq_core.retrieval.index import DocumentRetriever
from adaq_core.text.tokens import Weigh

T = TypeVar("T")

# The cosine of an aspect and a passage; None where the passage has no vector.
Similar = Callable[[QueryAspect, Passage], float | None]

REPLY_ROOM = 1024  # tokens kept free for a reply
_ANSWERED = ("synthesise", "entail")
_FRAME = 500  # tokens of an answer's prompt besides the passages
_USUAL_PASSAGE = 300  # tokens, before it is known which passages there will be
_FAILURES = 3  # calls in a row: then the model is not asked again in this run
_SHOWN = 300  # characters of an error
_NO_PRICE = "there is a cap in dollars, and the price of the model is not known (set ADAQ_PRICES)"
_NO_ROOM: dict[StopReason, str] = {
    "user_stop": "the run was stopped",
    "budget_time": "the time budget has no room for it",
    "budget_tokens": "the budget of tokens and calls has no room for it",
    "budget_cost": "the cost budget has no room for it",
}


def never() -> bool:
    """Not cancelled."""
    return False


def no_long_form(_: str) -> str | None:
    """No acronym is known."""
    return None


@dataclass(slots=True)
class BudgetMeter:
    """What a run has used, against its budget; `limit` names the bound that is reached.

    Tokens and calls of kept replies count as the first time, so that a run that is made again stops where it did.
    `slowest` is the longest call so far in seconds: as much is left for the answer. `refused` is the bound for which a
    call could not be made.
    """

    budget: Budget
    cancelled: Callable[[], bool] = never
    tokens: int = 0
    usd: float = 0.0
    calls: int = 0
    clock: Callable[[], float] = time.monotonic
    began: float = field(default=0.0)
    slowest: float = 0.0
    refused: StopReason | None = None

    def __post_init__(self) -> None:
        """Start the clock."""
        self.began = self.clock()

    @property
    def seconds(self) -> float:
        """How long the run has taken."""
        return self.clock() - self.began

    def seconds_left(self) -> float | None:
        """How much of the budget's time is left for searching; None when it has no bound."""
        most = self.budget.max_seconds
        if most is None:
            return None
        return max(0.0, most - self.seconds - self.slowest)

    def limit(self) -> StopReason | None:
        """The stop reason that holds now, None while there is room."""
        b = self.budget
        if self.cancelled():
            return "user_stop"
        if self.refused is not None:
            return self.refused
        if b.max_seconds is not None and self.seconds + self.slowest >= b.max_seconds:
            return "budget_time"
        if b.max_usd is not None and self.usd >= b.max_usd and self.usd > 0:
            return "budget_cost"
        over_tokens = b.max_tokens is not None and self.tokens >= b.max_tokens
        over_calls = b.max_calls is not None and self.calls >= b.max_calls > 0
        return "budget_tokens" if over_tokens or over_calls else None

    def refusal(self, tokens: int, *, kept: int = 0, usd: float | None = 0.0) -> StopReason | None:
        """Why a model may not be asked for about `tokens`, with `kept` of them left for the answer; None when it may.

        With `kept` one call and as long as the slowest one took are left too. `usd` is what the call and the answer
        cost at most, None when nobody knows: under a cap in dollars that is a reason too.
        """
        b, answers = self.budget, 1 if kept else 0
        if self.cancelled():
            return "user_stop"
        if b.max_seconds is not None and self.seconds + answers * self.slowest >= b.max_seconds:
            return "budget_time"
        most = None if usd is None else self.usd + max(usd, self._usual(tokens + kept))
        if b.max_usd is not None and (most is None or most > b.max_usd):
            return "budget_cost"
        over_tokens = b.max_tokens is not None and self.tokens + tokens + kept > b.max_tokens
        over_calls = b.max_calls is not None and self.calls + 1 + answers > b.max_calls > 0
        return "budget_tokens" if over_tokens or over_calls else None

    def _usual(self, tokens: int) -> float:
        """Return what `tokens` cost at the price of those so far."""
        if self.usd and self.tokens:
            return self.usd / self.tokens * tokens
        return 0.0

    def count(self, *, tokens: int, usd: float, seconds: float) -> None:
        """Count a call."""
        self.calls += 1
        self.tokens += tokens
        self.usd += usd
        self.slowest = max(self.slowest, seconds)


class ModelGateway:
    """Asks `chat` for the stages of one run, but not for those in `off`; `events` wait there until they are drained."""

    def __init__(self, chat: Chat, meter: BudgetMeter, *, k: int = 5, off: Collection[str] = ()) -> None:
        self.chat = chat
        self.meter = meter
        self.events: list[Event] = []
        self._off = frozenset(off)
        self._answer = _USUAL_PASSAGE * k + _FRAME
        self._gone = ""
        self._failed = 0
        self._noticed: set[tuple[str, str]] = set()

    def asks(self, stage: str) -> bool:
        """Whether `stage` is one that asks."""
        return stage not in self._off

    def drain(self) -> list[Event]:
        """What happened since the last time."""
        events, self.events = self.events, []
        return events

    def expect_answer(self, evidence: Sequence[Passage]) -> None:
        """Keep enough of the budget to write an answer from `evidence`."""
        self._answer = sum(estimate_tokens(passage.text) for passage in evidence) + _FRAME

    def shown(self, passages: Sequence[Passage], *, stage: str) -> tuple[str, ...]:
        """The passages as blocks, numbered from 1, without sentences that speak to a model."""
        return tuple(self._block(n, passage, stage) for n, passage in enumerate(passages, start=1))

    def notice(self, stage: str, message: str) -> None:
        """Tell a reader of the run something, once."""
        if (stage, message) not in self._noticed:
            self._noticed.add((stage, message))
            self.events.append(Noticed(stage, message))

    def fell_back(self, stage: str, problem: str, *, used: str, raw: str = "") -> None:
        """Tell that `stage` could not use what it hoped for."""
        self.events.append(FellBack(stage, problem, used, raw))

    def ask(
        self,
        stage: str,
        prompt: str | Prompt,
        read: Callable[[str], Parsed[T]],
        *,
        system: str,
        instead: str,
        schema: Schema | None = None,
    ) -> T | None:
        """What the model says to `prompt`, as `read` understands it; None when `instead` has to be used.

        A value that is empty without a problem is a value.
        """
        asked = self._within_budget(stage, prompt, system=system, instead=instead)
        if asked is None:
            reply = None
        else:
            reply = self._reply(stage, asked, system=system, schema=schema, instead=instead)
        if reply is None:
            return None
        try:
            parsed = read(reply.text)
        except Exception as error:
            problem = f"the reply could not be read ({type(error).__name__}: {error})"
            self.fell_back(stage, problem, used=instead, raw=reply.text)
            return None
        if not parsed.problems:
            return parsed.value
        used = "the rest of the reply" if parsed.value else instead
        self.fell_back(stage, "; ".join(parsed.problems), used=used, raw=reply.text)
        return parsed.value or None

    def _within_budget(self, stage: str, prompt: str | Prompt, *, system: str, instead: str) -> str | Prompt | None:
        """The prompt, of which the answer's may lose passages to the budget; None when nobody may be asked."""
        if self._gone:
            self._once(stage, f"not asked: {self._gone}", instead)
            return None
        writing = stage == "synthesise"
        sent = estimate_tokens(as_prompt(prompt).text()) + estimate_tokens(system)
        tokens = sent + REPLY_ROOM
        answer = 0 if stage in _ANSWERED else self._answer
        usd = self._most_usd(stage, sent, answer)
        refused = self.meter.refusal(tokens, kept=answer and answer + REPLY_ROOM, usd=usd)
        if refused is None:
            return prompt
        if writing and refused == "budget_tokens" and (shorter := self._shortened(prompt, system)) is not None:
            self.notice(stage, "The token budget left no room for all passages: the last ones were left out")
            return shorter
        self.meter.refused = self.meter.refused or refused
        self._once(
            stage, f"not asked: {_NO_PRICE if refused == 'budget_cost' and usd is None else _NO_ROOM[refused]}", instead
        )
        return None

    def _most_usd(self, stage: str, sent: int, answer: int) -> float | None:
        """Return what a call and the answer after it cost at most, in US dollars; None when no price is known."""
        if self.meter.budget.max_usd is None:
            return 0.0
        first = most_usd(self.chat, sent, stage=stage)
        last = most_usd(self.chat, answer, stage="synthesise") if answer else 0.0
        return None if first is None or last is None else first + last

    def _shortened(self, prompt: str | Prompt, system: str) -> str | None:
        b = self.meter.budget
        if b.max_tokens is None or self.meter.refusal(0) is not None:
            return None
        try:
            return fit(prompt, system=system, num_ctx=b.max_tokens - self.meter.tokens, reserve=REPLY_ROOM).text
        except ModelError:
            return None

    def _once(self, stage: str, problem: str, instead: str) -> None:
        if (stage, problem) not in self._noticed:
            self._noticed.add((stage, problem))
            self.fell_back(stage, problem, used=instead)

    def _reply(
        self, stage: str, prompt: str | Prompt, *, system: str, schema: Schema | None, instead: str
    ) -> Reply | None:
        began = self.meter.clock()
        try:
            reply = self.chat.ask(prompt, system=system, schema=schema, stage=stage)
        except Exception as error:  # a client may be anybody's: whatever it raises is told and costs only this reply
            self._lost(stage, prompt, error, system=system, schema=schema, seconds=self.meter.clock() - began)
            self.fell_back(stage, in_words(error), used=instead, raw=getattr(error, "raw", ""))
            return None
        self._failed = 0
        self._count(reply, seconds=self.meter.clock() - began)
        self.events.append(model_called(reply, stage=stage))
        for note in reply.notes:
            self.notice(stage, note)
        return reply

    def _count(self, reply: Reply, *, seconds: float) -> None:
        read, wrote = reply.prompt_tokens, reply.reply_tokens
        if read is None:
            tokens = estimate_tokens(reply.system + reply.prompt)
        else:
            tokens = read
        tokens += estimate_tokens(reply.text) if wrote is None else wrote
        self.meter.count(tokens=tokens, usd=reply.usd, seconds=0.0 if reply.cached else seconds)

    def _lost(
        self,
        stage: str,
        prompt: str | Prompt,
        error: Exception,
        *,
        system: str,
        schema: Schema | None,
        seconds: float,
    ) -> None:
        """A call without a reply: it counts, with what was heard; nobody is asked again where that is of no use."""
        text = as_prompt(prompt).text()
        raw = getattr(error, "raw", "")
        self.meter.count(tokens=estimate_tokens(text) + estimate_tokens(raw) if raw else 0, usd=0.0, seconds=seconds)
        called = ModelCalled(
            stage=stage,
            model=self.chat.model,
            prompt_hash=prompt_hash(text, system=system, schema=schema),
            prompt=f"{system}\n\n{text}" if system else text,
            reply=raw,
        )
        self.events.append(called)
        self._failed += 1
        if isinstance(error, ModelServerDown | ModelMissing):
            self._gone = f"the model could not be used in {stage}"
        elif self._failed >= _FAILURES:
            self._gone = f"the model failed {self._failed} times in a row"

    def _block(self, n: int, passage: Passage, stage: str) -> str:
        title, in_title = without_orders(passage.title)
        text, removed = without_orders(passage.text)
        if removed + in_title:
            self.notice(
                stage, f"{passage.passage_id} contains sentences that address a model; they were not shown to it"
            )
        return passage_block(n, title, text, date=passage.date)


def short(text: str) -> str:
    """`text` on one line, as long as a line of a trace may be."""
    line = " ".join(text.split())
    if len(line) <= _SHOWN:
        return line
    return f"{line[: _SHOWN - 1]}…"


@dataclass(frozen=True, slots=True)
class Services:
    """The same retriever, settings, budget and stages for every method, so that comparisons are fair.

    `gateway` asks the language model; None means that every stage goes by its rules. `learned` is what the wordings
    gained in earlier runs; None means that nobody looked. `reranker` ranks candidates again, where there is one.
    `watch` is told the signs of every set of evidence: what estimates are trained on. `branches` are what a person
    changes on the way, in order.
    """

    retriever: DocumentRetriever
    settings: Settings
    meter: BudgetMeter
    profiles: dict[str, FacetProfile]
    weigh: Weigh
    long_form: Callable[[str], str | None] = no_long_form
    similar: Similar | None = None
    vectors: Any = None
    gateway: ModelGateway | None = None
    learned: WordingsLearned | None = None
    reranker: Reranker | None = None
    watch: Callable[[Mapping[str, float]], None] | None = None
    branches: tuple[Branch, ...] = ()

    def ablated(self, part: str) -> bool:
        """Whether an ablation switched `part` off."""
        return part in self.settings.ablate
