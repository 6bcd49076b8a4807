"""The nouns of the runner, and the forecast: what a run will take, from what stored runs like it took."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from adaq_core.errors import AdaqError, InputError, ModelError
from adaq_core.llm import Chat, Prompt, Reply, Schema
from adaq_core.llm.settings import BOTH
from adaq_core.model import Budget, Settings
from adaq_core.store.documents import Database
from adaq_core.store.history import PastRun, past_runs
from adaq_core.store.store import Store

FEWEST = 3
LOW, HIGH = 0.1, 0.9
NO_RUN = "no run like this yet"


@dataclass(frozen=True, slots=True)
class Spread:
    """The middle of `n` values, and between which two the middle 80 % of them lie."""

    median: float
    low: float
    high: float
    n: int


@dataclass(frozen=True, slots=True)
class Forecast:
    """What `n` past runs took, `like` which they are; what none of them tells is None.

    `limited` of them were ended by their budget, so without that they would have taken more.
    """

    n: int
    like: str
    limited: int
    seconds: Spread | None
    hops: Spread | None
    model_calls: Spread | None
    tokens: Spread | None
    usd: Spread | None

    @property
    def words(self) -> str:
        """The forecast in one line."""
        parts = [_seconds(self.seconds), _counts(self.hops, "hop")]
        parts += [_counts(self.model_calls, "model call"), _counts(self.tokens, "token"), _dollars(self.usd)]
        ended = f", {self.limited} of which their budget ended" if self.limited else ""
        return f"{', '.join(part for part in parts if part)} (from {self.n} past runs {self.like}{ended})"


def forecast(
    store: Database,
    *,
    corpus: str,
    method: str = "adaptive",
    model: str | None = None,
    settings: Settings | None = None,
) -> Forecast | None:
    """What a run will take; None when fewer than three runs are like it.

    Asked are the runs of the same method, corpus and model with the nearest settings; where they are too few also those
    on other corpora, then those of other models. Runs with a model (or with live sources) never tell about one without,
    nor the reverse.
    """
    runs = past_runs(store, corpus=corpus, method=method, model=model, settings=settings or Settings())
    chosen = _nearest(runs)
    if not chosen:
        return None
    return Forecast(
        n=len(chosen),
        like=_like(chosen[-1], with_model=model is not None),
        limited=sum(run.limited for run in chosen),
        seconds=_spread(run.seconds for run in chosen),
        hops=_spread(run.hops for run in chosen),
        model_calls=_spread(run.model_calls for run in chosen),
        tokens=_spread(run.tokens for run in chosen),
        usd=_spread(run.usd for run in chosen),
    )


def _nearest(runs: Sequence[PastRun]) -> list[PastRun]:
    """The runs that are most alike, with as many less alike as are needed to be enough; empty when there are not."""
    chosen: list[PastRun] = []
    for _, group in groupby(runs, _alike):
        chosen += group
        if len(chosen) >= FEWEST:
            return chosen
    return []


def _alike(run: PastRun) -> tuple[bool, bool, int]:
    return run.same_model, run.same_corpus, run.differing


def _like(least: PastRun, *, with_model: bool) -> str:
    """How the least alike of the runs that were asked is like the one to come."""
    settings = "these settings" if least.differing == 0 else "other settings"
    if not least.same_model:
        return "with other models"
    model = "with this model" if with_model else "without a model"
    place = "on this corpus" if least.same_corpus else "on other corpora too"
    return f"{place} {model} and {settings}"


def _spread(values: Iterable[float | None]) -> Spread | None:
    known = sorted(value for value in values if value is not None)
    if len(known) < FEWEST:
        return None
    return Spread(quantile(known, 0.5), quantile(known, LOW), quantile(known, HIGH), len(known))


def quantile(ordered: Sequence[float], share: float) -> float:
    """The value below which `share` of the ordered values lie, linear between two of them (Hyndman and Fan, type 7)."""
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def _seconds(spread: Spread | None) -> str:
    return (
        "" if spread is None else _range(spread, lambda value: f"{value:.1f}" if value < 10 else f"{value:.0f}", " s")
    )


def _counts(spread: Spread | None, what: str) -> str:
    if spread is None or spread.high == 0:
        return ""
    many = "" if round(spread.median) == 1 else "s"
    return _range(spread, lambda value: f"{value:,.0f}", f" {what}{many}")


def _dollars(spread: Spread | None) -> str:
    return "" if spread is None or spread.high == 0 else "$" + _range(spread, lambda value: f"{value:.4f}", "")


def _range(spread: Spread, shown: Callable[[float], str], unit: str) -> str:
    low, high = shown(spread.low), shown(spread.high)
    between = f" ({low}–{high})" if low != high else ""
    return f"{shown(spread.median)}{unit}{between}"


def chat_of_run(model: str, *, store: Store, budget: Budget, cancelled: Callable[[], bool]) -> Chat:
    """The chat that `model` names; a wait for it is never longer than the time that the run has.

    `model` is one for all stages, two as a run records them ("small + large", the second writes the answer), or empty
    for those of the settings. What is wrong with the settings is said by every reply, so that the run goes on by rules.
    """
    from adaq_core.llm.settings import chat_for, read_settings
    from adaq_core.store.history import KeptReplies

    try:
        settings = read_settings()
        if (most := budget.max_seconds) is not None:
            waits = {
                name: min(getattr(settings, name), max(1.0, most)) for name in ("silence_seconds", "reply_seconds")
            }
            settings = settings.model_copy(update=waits)
        over = _over(budget, cancelled)
        return chat_for(settings, model=model, shelf=KeptReplies(store), cancelled=over)
    except AdaqError as error:
        return Unusable(model, error)


def checked_model(model: str) -> str:
    """The name as a run records it: "small,large" becomes "small + large"; InputError when it is none."""
    names = [name.strip() for name in model.split(",")]
    if not all(names) or len(names) > 2:
        raise InputError(f"Expected a model's name, or two with a comma (one plans, one writes), not {model!r}.")
    return BOTH.join(dict.fromkeys(names))


class Unusable:
    """Stands where a chat could not be made: every question to it is answered with why."""

    def __init__(self, model: str, error: Exception) -> None:
        self._model = model
        self._error = error

    @property
    def model(self) -> str:
        """The name that was asked for."""
        return self._model or "not chosen"

    def ask(self, prompt: str | Prompt, *, system: str = "", schema: Schema | None = None, stage: str) -> Reply:
        """No reply."""
        raise self._error if isinstance(self._error, ModelError) else ModelError(str(self._error))


def _over(budget: Budget, cancelled: Callable[[], bool]) -> Callable[[], bool]:
    """Whether the run was cancelled or its time is over, so that a reply in the making is not waited for."""
    began = time.monotonic()

    def over() -> bool:
        late = budget.max_seconds is not None and time.monotonic() - began >= budget.max_seconds
        return late or cancelled()

    return over
