"""What a run asks of the candidates that it weighs, however they are weighed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from adaq_core.model import Link, RankedPassage, ScoredPassage, Subquery
from adaq_core.ranking.signals import Signals


@dataclass(frozen=True, slots=True)
class Selection:
    """The best candidates together, in the order of choice; `ranked` goes on past the evidence.

    `size` is how many of the first are worth returning, `sufficiency` the calibrated probability that all the evidence
    needed is among the first k (None where it is unknown), `new_candidates` how many the last steps led to.
    """

    ranked: tuple[RankedPassage, ...]
    size: int
    sufficiency: float | None = None
    new_candidates: int = 0


class CandidatePool(Protocol):
    """The candidates of one run: what the question brings, what queries add, where names lead, the best together."""

    @property
    def name(self) -> str:
        """How candidates are weighed, and why so."""
        ...

    @property
    def signals(self) -> Signals:
        """What the question and the corpus say of every passage."""
        ...

    @property
    def weighs_facts(self) -> bool:
        """Whether passages are weighed as links of a fact look-up, and not as passages about a topic."""
        ...

    @property
    def depth(self) -> int:
        """How many candidates an evidence set is chosen from."""
        ...

    @property
    def least_score(self) -> float:
        """Below which score a passage that a further hop could bring is not worth that hop."""
        ...

    @property
    def notices(self) -> tuple[str, ...]:
        """What the question asks for and the corpus has not."""
        ...

    def seed(self) -> Sequence[ScoredPassage]:
        """Take in what the question itself brings; best first."""
        ...

    def add(self, hits: Sequence[ScoredPassage], *, hop: int, query: Subquery) -> None:
        """Take in what a query brought; the first provenance of a passage stays."""
        ...

    def expand(self, *, hop: int, read: Collection[str] = ()) -> tuple[Link, ...]:
        """Take in what the best candidates name; the strongest links to passages that are not in `read`."""
        ...

    def select(self, k: int, *, depth: int = 0) -> Selection:
        """The evidence of size `k`; the order goes on to `depth` candidates."""
        ...

    def sufficiency(self, evidence: Sequence[RankedPassage]) -> float | None:
        """The calibrated probability that all the evidence needed is in `evidence`; None where it is unknown."""
        ...
