"""What every method is given to work with, and the meter that says when to stop."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adaq_core.events import WordingsLearned
from adaq_core.model import Branch, Budget, Passage, QueryAspect, Settings, StopReason
from adaq_core.question.query_templates import FacetProfile
from adaq_core.ranking.entity_first import Reranker
from adaq_core.retrieval.index import DocumentRetriever
from adaq_core.text.tokens import Weigh

if TYPE_CHECKING:
    from adaq_core.stages.model_calls import ModelGateway

# The cosine of an aspect and a passage; None where the passage has no vector.
Similar = Callable[[QueryAspect, Passage], float | None]


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
        if b.max_usd is not None and (usd is None or self.usd + max(usd, self._usual(tokens + kept)) > b.max_usd):
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
