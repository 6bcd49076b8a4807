"""What query templates brought in earlier runs: for each, how often it was used and the mean rise of coverage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import cast

from adaq_core.events import AspectsPlanned, CoverageAssessed, Decided, Event, HopStarted, WordingsLearned
from adaq_core.model import ASPECT_TYPES, AspectType, WordingGain
from adaq_core.store.documents import Database
from adaq_core.store.history import Line, wording_lines


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
    """What the runs that people asked of `corpus` tell about wordings, as the store stands now."""
    return summed(uses(lines) for lines in wording_lines(store, corpus=corpus, model=model, sources=sources))


def summed(runs: Iterable[Iterable[Use]]) -> WordingsLearned:
    """The uses of several runs by type of aspect, first or further try, and wording; runs without any do not count."""
    counted = [tuple(run) for run in runs]
    times: Counter[tuple[AspectType, bool, str]] = Counter()
    total: Counter[tuple[AspectType, bool, str]] = Counter()
    for use in chain.from_iterable(counted):
        key = (use.aspect_type, use.again, use.template)
        times[key] += 1
        total[key] += round(use.gain * 1_000_000)
    gains = tuple(WordingGain(*key, times[key], round(total[key] / times[key] / 1_000_000, 6)) for key in sorted(times))
    return WordingsLearned(sum(bool(run) for run in counted), gains)


def uses_of(events: Iterable[Event]) -> tuple[Use, ...]:
    """The wordings that a run used and what each gained."""
    return tuple(uses(_lines(events)))


def uses(lines: Iterable[Line]) -> Iterator[Use]:
    """The wordings that a run used and what each gained; a query without a template is a try all the same."""
    types: dict[str, str] = {}
    before: dict[str, float] = {}
    now: dict[str, float] = {}
    tried: Counter[str] = Counter()
    asked: list[tuple[str, str]] = []
    for kind, names, values in lines:
        if kind == "aspects_planned":
            types = dict(zip(names, values, strict=True))
        elif kind == "hop_started":
            before, asked = now, list(zip(names, values, strict=False))
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
    """The events as `wording_lines` gives them."""
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
