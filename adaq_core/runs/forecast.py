"""What earlier runs tell: the forecast of what a run will take, and what query templates brought."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from typing import cast

from adaq_core.events import AspectsPlanned, CoverageAssessed, Decided, Event, HopStarted, WordingsLearned
from adaq_core.model import ASPECT_TYPES, AspectType, Settings, WordingGain
from adaq_core.store.database import Database
from adaq_core.store.history import Line, PastRun, past_runs, wording_lines

FEWEST = 3  # past runs that a forecast is made from
NO_RUN = "no run like this yet"


@dataclass(frozen=True, slots=True)
class MiddleRange:
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
    seconds: MiddleRange | None
    hops: MiddleRange | None
    model_calls: MiddleRange | None
    tokens: MiddleRange | None
    usd: MiddleRange | None

    @property
    def words(self) -> str:
        """Return the forecast in one line."""
        parts = [_seconds(self.seconds), _counts(self.hops, "hop")]
        parts += [_counts(self.model_calls, "model call"), _counts(self.tokens, "token"), _dollars(self.usd)]
        ended = f", {self.limited} of which ran out of budget" if self.limited else ""
        return f"{', '.join(part for part in parts if part)}, going by {self.n} past runs {self.like}{ended}"


def forecast(
    store: Database,
    *,
    corpus: str,
    method: str = "adaptive",
    model: str | None = None,
    settings: Settings | None = None,
) -> Forecast | None:
    """Return what a run will take; None if fewer than three similar runs are stored.

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
    """Return the most similar runs, adding less similar ones until there are enough; empty if there are not."""
    chosen: list[PastRun] = []
    for _, group in groupby(runs, _alike):
        chosen += group
        if len(chosen) >= FEWEST:
            return chosen
    return []


def _alike(run: PastRun) -> tuple[bool, bool, int]:
    return run.same_model, run.same_corpus, run.differing


def _like(least: PastRun, *, with_model: bool) -> str:
    """Return how similar the least similar of the runs used is to the one to come."""
    settings = "with these settings" if least.differing == 0 else "with other settings"
    if not least.same_model:
        return "with other models"
    model = "with this model" if with_model else "without a model"
    place = "on this corpus" if least.same_corpus else "on other corpora too"
    return f"{place}, {model} and {settings}"


def _spread(values: Iterable[float | None]) -> MiddleRange | None:
    known = [value for value in values if value is not None]
    if len(known) < FEWEST:
        return None
    from statistics import quantiles  # which brings fractions and decimals along: no command needs them to start

    tenths = quantiles(known, n=10, method="inclusive")
    return MiddleRange(median=tenths[4], low=tenths[0], high=tenths[8], n=len(known))


def _seconds(spread: MiddleRange | None) -> str:
    if spread is None:
        return ""
    return _range(spread, lambda value: f"{value:.{2 if value < 1 else int(value < 10)}f}", " s")


def _counts(spread: MiddleRange | None, what: str) -> str:
    if spread is None or spread.high == 0:
        return ""
    many = "" if round(spread.median) == 1 else "s"
    return _range(spread, lambda value: f"{value:,.0f}", f" {what}{many}")


def _dollars(spread: MiddleRange | None) -> str:
    if spread is None or spread.high == 0:
        return ""
    return "$" + _range(spread, lambda value: f"{value:.4f}", "")


def _range(spread: MiddleRange, shown: Callable[[float], str], unit: str) -> str:
    low, high = shown(spread.low), shown(spread.high)
    between = f" ({low}–{high})" if low != high else ""
    return f"{shown(spread.median)}{unit}{between}"


@dataclass(frozen=True, slots=True)
class Use:
    """A wording once used: for which type of aspect, whether after another one, and the rise of coverage in its hop."""

    aspect_type: AspectType
    again: bool
    template: str
    gain: float


def learned_wordings(
    store: Database, *, corpus: str, model: str | None = None, sources: Sequence[str] = ()
) -> WordingsLearned:
    """Return what the runs that people asked of `corpus` tell about wordings, as the store stands now."""
    return summed(uses(lines) for lines in wording_lines(store, corpus=corpus, model=model, sources=sources))


def summed(runs: Iterable[Iterable[Use]]) -> WordingsLearned:
    """Sum uses over several runs by type of aspect, first or further try, and wording; empty runs do not count."""
    counted = [tuple(run) for run in runs]
    times: Counter[tuple[AspectType, bool, str]] = Counter()
    total: Counter[tuple[AspectType, bool, str]] = Counter()
    for use in chain.from_iterable(counted):
        key = (use.aspect_type, use.again, use.template)
        times[key] += 1
        total[key] += round(use.gain * 1_000_000)
    means = {key: total[key] / count / 1_000_000 for key, count in times.items()}
    rounded = {key: round(mean, 6) for key, mean in means.items()}
    gains = tuple(WordingGain(*key, times[key], rounded[key]) for key in sorted(times))
    return WordingsLearned(sum(bool(run) for run in counted), gains)


def uses_of(events: Iterable[Event]) -> tuple[Use, ...]:
    """Return the wordings that a run used and what each gained."""
    return tuple(uses(_lines(events)))


def uses(lines: Iterable[Line]) -> Iterator[Use]:
    """Return the wordings that a run used and their gains; a query without a template counts as a try all the same."""
    types: dict[str, str] = {}
    before: dict[str, float] = {}
    now: dict[str, float] = {}
    tried: Counter[str] = Counter()
    asked: list[tuple[str, str]] = []
    for kind, names, values in lines:
        if kind == "aspects_planned":
            types = dict(zip(names, values, strict=True))
        elif kind == "hop_started":
            before = now
            asked = list(zip(names, values, strict=False))
        elif kind == "coverage_assessed":
            now = {name: float(score) for name, score in zip(names, values, strict=True)}
        else:
            for aspect, template in asked:
                if template and types.get(aspect) in ASPECT_TYPES:
                    kind_of_aspect = cast("AspectType", types[aspect])
                    yield Use(
                        kind_of_aspect, tried[aspect] > 0, template, now.get(aspect, 0.0) - before.get(aspect, 0.0)
                    )
                tried[aspect] += 1
            asked = []


def _lines(events: Iterable[Event]) -> Iterator[Line]:
    """Return the events as `wording_lines` gives them."""
    for event in events:
        match event:
            case AspectsPlanned():
                yield event.kind, [a.aspect for a in event.aspects], [a.aspect_type for a in event.aspects]
            case HopStarted():
                yield event.kind, [q.aspect for q in event.queries], [q.template for q in event.queries]
            case CoverageAssessed():
                yield event.kind, [s.aspect for s in event.scores], [str(s.score) for s in event.scores]
            case Decided():
                yield event.kind, [], []
