"""Which wordings are worth a hop, by what they gained in earlier runs on the same corpus.

A template's gain is estimated as its own mean, drawn to the mean of all templates for that type of aspect, the plainer
ones a little ahead; until a type has been asked often enough nothing changes. The first try for an aspect is always
made. A further one is made where it can be expected to raise weighted coverage by what a hop has to gain (`min_gain`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from adaq_core.loop.wordings import Wording
from adaq_core.model import AspectType, WordingGain

ENOUGH = 20
HOPED_GAIN, HOPED_USES = 0.1, 5
OWN_USES = 10
PLAINER = 0.02

Kind = tuple[AspectType, bool]


class Worth:
    """Estimates from the gains of earlier runs."""

    def __init__(self, gains: Iterable[WordingGain]) -> None:
        self._by_kind: dict[Kind, dict[str, WordingGain]] = {}
        for gain in gains:
            self._by_kind.setdefault((gain.aspect_type, gain.again), {})[gain.template] = gain

    def chosen(
        self, found: Sequence[Wording], aspect_type: AspectType, *, again: bool, least: float
    ) -> Sequence[Wording]:
        """The wordings that are worth a hop, those first that gain most; each says what it gained.

        `least` is the gain of the aspect from which another try is worth it.
        """
        known = self._by_kind.get((aspect_type, again), {})
        if sum(gain.uses for gain in known.values()) < ENOUGH:
            return found
        usual = expected(known.values())
        worth = [drawn(known.get(wording.name), usual - PLAINER * place) for place, wording in enumerate(found)]
        order = sorted(range(len(found)), key=lambda place: (-worth[place], place))
        kept = [place for place in order if not again or worth[place] >= least]
        return [_told(found[place], known.get(found[place].name)) for place in kept]


def expected(known: Iterable[WordingGain]) -> float:
    """What a try gains on average: the mean of all uses and of a few hopeful ones, which many failures outweigh."""
    gains = tuple(known)
    uses = sum(gain.uses for gain in gains)
    total = sum(gain.uses * gain.gain for gain in gains)
    return (total + HOPED_USES * HOPED_GAIN) / (uses + HOPED_USES)


def drawn(own: WordingGain | None, usual: float) -> float:
    """The mean gain of a wording, drawn to `usual` as if that had been seen `OWN_USES` times."""
    uses, gain = (own.uses, own.gain) if own else (0, 0.0)
    return (uses * gain + OWN_USES * usual) / (uses + OWN_USES)


def _told(wording: Wording, own: WordingGain | None) -> Wording:
    if own is None:
        return wording
    times = "once" if own.uses == 1 else f"in {own.uses} uses"
    return replace(
        wording,
        angle=f"{wording.angle} (gained {own.gain:.2f} on average {times} before)",
        template=wording.name,
    )
