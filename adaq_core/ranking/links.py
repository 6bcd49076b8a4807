"""Steps from the best passages to the passages that their sentences name, and what is known of each step."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adaq_core.ranking.features import Candidates
from adaq_core.ranking.signals import Signals
from adaq_core.retrieval import Floats, Name, Places

Ints = NDArray[np.int64]

PARENTS = 6  # candidates whose names are followed
MAX_TARGETS = 4  # passages that one name leads to
MAX_STEPS = 400  # from all candidates together

LINK_FEATURES = (
    "parent_score", "parent_rank", "sentence_residual", "sentence_coverage", "coverage", "uncovered",
    "uncovered_sentence", "uncovered_where_named", "bm25", "residual_bm25", "left", "named_by", "mentions",
    "title_sureness", "one_of", "held_by", "first_sentence", "entity_in_question", "target_score", "first",
    "own_name", "page_rank", "together", "outer_clause", "sentence_clause", "chain_uncovered", "chain_left", "density",
    "position_in_parent", "gain", "kin_residual", "kin_uncovered", "kin_sentence",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Step:
    """Passage `parent` names `entity` in its sentence `sentence`; `target` is about it (sureness) or names it too."""

    parent: int
    sentence: int
    entity: int
    target: int
    sureness: float
    choices: int


def steps_from(signals: Signals, parent: int, contained: NDArray[np.bool_]) -> list[Step]:
    """The steps from the passage at `parent`; `contained` are the question's terms that it holds."""
    names = dict.fromkeys(signals.index.mentions([parent]).pairs(0))
    known = {number: signals.name(number) for _, number in names}
    own = int(signals.documents([parent])[0])
    reached = _Reached(signals, own, known.values(), contained)
    results: dict[tuple[int, int, bool], Step] = {}
    for sentence, number in names:
        for target, sureness, choices in reached.by(known[number]):
            step = Step(parent, sentence, number, target, sureness, choices)
            results.setdefault((number, target, sureness > 0), step)
    return list(results.values())


class _Reached:
    """What the names in one passage lead to: the passages that speak most to the question and to what it leaves open.

    The corpus is asked once for all of them.
    """

    def __init__(self, signals: Signals, own: int, names: Collection[Name], contained: NDArray[np.bool_]) -> None:
        self._signals, self._own = signals, own
        self._open = tuple(np.flatnonzero(~contained).tolist())
        named = {document for name in names if self._leads_on(name) for document, _ in name.documents}
        documents = sorted(named)
        units = signals.best_of(documents, self._wish).tolist()
        self._unit = dict(zip(documents, units, strict=True))
        holders = {int(place) for name in names for place in name.holders}
        places = sorted(holders | set(units))
        self._utility = dict(zip(places, self._wish(places).tolist(), strict=True))
        self._document = dict(zip(places, signals.documents(places).tolist(), strict=True))

    def _wish(self, places: Places) -> Floats:
        """BM25 of the question, and of its terms that the passage does not hold, as shares of the best."""
        signals = self._signals
        return signals.bm25.of(places) / signals.top + signals.residual_bm25(self._open, places)

    def _leads_on(self, name: Name) -> bool:
        return bool(name.documents) and all(document != self._own for document, _ in name.documents)

    def by(self, name: Name) -> list[tuple[int, float, int]]:
        """Place, sureness and number of choices: documents of that name first, then passages that mention it too."""
        steps = []
        if self._leads_on(name):
            units = [(self._unit[document], sure) for document, sure in name.documents]
            units.sort(key=lambda pair: (-self._utility[pair[0]], pair[0]))
            steps = [(unit, sure, len(units)) for unit, sure in units[:MAX_TARGETS]]
        near = [place for place in name.holders.tolist() if self._document[place] != self._own]
        near.sort(key=lambda place: -self._utility[place])
        steps += [(place, 0.0, len(near)) for place in near[:MAX_TARGETS]]
        return steps


def ends_of(steps: Sequence[Step], positions: Sequence[int]) -> tuple[Ints, Ints]:
    """The candidate numbers of the parents and of the targets."""
    number_of = {position: number for number, position in enumerate(positions)}
    parents = np.array([number_of[step.parent] for step in steps], dtype=np.int64)
    targets = np.array([number_of[step.target] for step in steps], dtype=np.int64)
    return parents, targets


def link_features(
    pool: Candidates, steps: Sequence[Step], scores: Floats, chain: NDArray[np.bool_], parents: Sequence[int]
) -> Floats:
    """The matrix [steps x LINK_FEATURES].

    `scores` are the candidates' present scores; `chain` the question's terms that each candidate and the passages that
    led to it hold; `parents` the positions that were stepped from, best first.
    """
    if not steps:
        return np.zeros((0, len(LINK_FEATURES)), dtype=np.float32)
    parent, target = ends_of(steps, pool.positions.tolist())
    columns = {
        **_step_columns(pool, steps, parents),
        "parent_score": scores[parent],
        "target_score": scores[target],
        **_term_columns(pool, steps, parent, target, chain),
    }
    return np.stack([columns[name] for name in LINK_FEATURES], axis=1).astype(np.float32)


def _step_columns(pool: Candidates, steps: Sequence[Step], parents: Sequence[int]) -> dict[str, Floats]:
    signals = pool.signals
    index = signals.index
    targets = np.array([step.target for step in steps], dtype=np.int64)
    sentence = np.array([step.sentence for step in steps])
    order = {position: rank for rank, position in enumerate(parents)}
    shares = {entity: _share_asked(signals.name(entity).key, signals.words) for entity in {s.entity for s in steps}}
    mentions = dict(zip(parents, np.diff(index.mentions(parents).starts).tolist(), strict=True))
    named_here = {p: signals.own_names(p) for p in parents}
    return {
        "parent_rank": np.array([1.0 / (1 + order[step.parent]) for step in steps]),
        "bm25": signals.bm25.of(targets) / signals.top,
        "named_by": np.log1p(index.naming(targets)),
        "mentions": np.log1p([mentions[step.parent] for step in steps]),
        "title_sureness": np.array([step.sureness for step in steps]),
        "one_of": np.array([1.0 / max(step.choices, 1) for step in steps]),
        "held_by": np.log1p([signals.name(step.entity).held_by for step in steps]),
        "first_sentence": (sentence == 0).astype(np.float32),
        "position_in_parent": sentence / 8.0,
        "entity_in_question": np.array([shares[step.entity] for step in steps]),
        "first": (targets == index.firsts_of(index.documents_of(targets))).astype(np.float32),
        "own_name": np.array([float(step.entity in named_here[step.parent]) for step in steps]),
        "page_rank": signals.page_rank.of(targets) / signals.page_rank_top,
        "density": np.full(len(steps), min(index.link_density, 3.0)),
    }


def _share_asked(key: str, asked: Collection[str]) -> float:
    """The share of a name's words that the question says."""
    words = key.split(" ")
    return sum(word in asked for word in words) / len(words)


def _term_columns(
    pool: Candidates, steps: Sequence[Step], parent: Ints, target: Ints, chain: NDArray[np.bool_]
) -> dict[str, Floats]:
    starts = pool.matches.starts
    number = np.array([step.sentence for step in steps])
    rows = np.minimum(starts[parent] + 1 + number, starts[parent + 1] - 1)
    sentence = pool.matches.contained[rows]
    idf = pool.idf
    total = pool.total
    contained, reached = pool.unit[parent], pool.unit[target]
    open_terms, open_chain = ~contained, ~chain[parent]
    left = np.maximum(open_terms @ idf, 1e-9)
    residual = ~pool.header[parent]
    residual_left = np.maximum(residual @ idf, 1e-9)
    new = (reached & open_terms) @ idf
    own, which = np.unique(parent, return_inverse=True)
    utility = (pool.matches.contained @ (~pool.unit[own] * idf).T).astype(np.float32)
    kin_utility = (pool.kin @ (~pool.kin_unit[own] * idf).T).astype(np.float32)
    return {
        "sentence_residual": ((sentence & residual) @ idf) / residual_left,
        "sentence_coverage": (sentence @ idf) / total,
        "coverage": (reached @ idf) / total,
        "uncovered": new / left,
        "gain": new / total,
        "left": left / total,
        "uncovered_sentence": pool.best_piece(utility)[target, which] / left,
        "uncovered_where_named": _where_named(pool, steps, target, utility=utility, which=which) / left,
        "residual_bm25": _residual_column(pool, steps, parent),
        "kin_residual": ((pool.kin[rows] & residual) @ idf) / residual_left,
        "kin_uncovered": ((pool.kin_unit[target] & ~pool.kin_unit[parent]) @ idf) / total,
        "kin_sentence": pool.best_piece(kin_utility)[target, which] / total,
        "together": ((contained | reached) @ idf) / total,
        "chain_uncovered": ((reached & open_chain) @ idf) / np.maximum(open_chain @ idf, 1e-9),
        "chain_left": (open_chain @ idf) / total,
        **_clause_columns(pool, sentence, contained, reached),
    }


def _where_named(pool: Candidates, steps: Sequence[Step], target: Ints, *, utility: Floats, which: Ints) -> Floats:
    """Per step, the most worth of a sentence of the target that mentions the entity; 0 where the target is about it.

    `worth` is [pieces x parents], `which` the parent of each step among them.
    """
    starts = pool.matches.starts
    mention = np.flatnonzero([step.sureness == 0 for step in steps])
    mentions = pool.signals.index.mentions(pool.positions[target[mention]])
    step = np.repeat(mention, np.diff(mentions.starts))
    same = mentions.names == np.array([s.entity for s in steps])[step]
    step, sentences = step[same], mentions.sentences[same]
    unit = target[step]
    rows = np.minimum(starts[unit] + 1 + sentences, starts[unit + 1] - 1)
    best = np.zeros(len(steps), dtype=np.float32)
    np.maximum.at(best, step, utility[rows, which[step]])
    return best


def _residual_column(pool: Candidates, steps: Sequence[Step], parent: Ints) -> Floats:
    targets = np.array([step.target for step in steps], dtype=np.int64)
    results = np.zeros(len(steps), dtype=np.float32)
    for number in set(parent.tolist()):
        own = parent == number
        left = np.flatnonzero(~pool.unit[number])
        results[own] = pool.signals.residual_bm25(tuple(left.tolist()), targets[own])
    return results


def _clause_columns(
    pool: Candidates, sentence: NDArray[np.bool_], contained: NDArray[np.bool_], reached: NDArray[np.bool_]
) -> dict[str, Floats]:
    outer = np.zeros(len(sentence), dtype=np.float32)
    inner = np.zeros(len(sentence), dtype=np.float32)
    for mask in pool.relative_masks:
        weights = pool.idf * mask
        total = max(float(weights.sum()), 1e-9)
        outer = np.maximum(outer, (reached @ weights) / total * (1 - (contained @ weights) / total))
        inner = np.maximum(inner, (sentence @ weights) / total)
    return {"outer_clause": outer, "sentence_clause": inner}
