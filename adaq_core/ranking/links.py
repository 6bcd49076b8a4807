"""Steps from the best passages to the passages that their sentences name, and what is known of each step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from adaq_core.ranking.features import Candidates
from adaq_core.ranking.signals import Signals

Floats = NDArray[np.float32]

PARENTS = 6
MAX_TARGETS = 4
MAX_HOLDERS = 40
MAX_STEPS = 400

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


def steps_from(signals: Signals, parents: Sequence[int], covered: NDArray[np.bool_]) -> list[Step]:
    """The steps from `parents` (positions, best first); `covered[i]` are the question's terms that parent i holds."""
    found: dict[tuple[int, int, int, int], Step] = {}
    for parent, held in zip(parents, covered, strict=True):
        wish = signals.bm25 / signals.top + _residual(signals, held)
        for sentence, entity in dict.fromkeys(signals.index.graph.mentions(parent)):
            for step in _targets(signals, parent, sentence, entity, wish):
                found.setdefault((parent, entity, step.target, int(step.sureness > 0)), step)
    return list(found.values())[:MAX_STEPS]


def _residual(signals: Signals, held: NDArray[np.bool_]) -> Floats:
    """BM25 of the question's terms that are not held, as a share of the best."""
    return signals.residual_bm25(tuple(np.flatnonzero(~held).tolist()))


def _targets(signals: Signals, parent: int, sentence: int, entity: int, wish: Floats) -> list[Step]:
    graph = signals.index.graph
    own = int(graph.document_of[parent])
    named = graph.documents_named(entity)
    steps = []
    if named and all(document != own for document, _ in named):
        units = [(_unit(signals, document, wish), sure) for document, sure in named]
        units.sort(key=lambda pair: (-float(wish[pair[0]]), pair[0]))
        steps = [Step(parent, sentence, entity, unit, sure, len(named)) for unit, sure in units[:MAX_TARGETS]]
    holders = graph.holders_of(entity)
    if len(holders) <= MAX_HOLDERS:
        near = [int(unit) for unit in holders if graph.document_of[unit] != own]
        near.sort(key=lambda unit: (-float(wish[unit]), unit))
        steps += [Step(parent, sentence, entity, unit, 0.0, len(near)) for unit in near[:MAX_TARGETS]]
    return steps


def _unit(signals: Signals, document: int, wish: Floats) -> int:
    places = signals.index.graph.passages_of(document)
    return places.start + int(wish[places.start : places.stop].argmax())


def link_features(
    pool: Candidates, steps: Sequence[Step], scores: Floats, chain: NDArray[np.bool_], parents: Sequence[int]
) -> Floats:
    """The matrix [steps x LINK_FEATURES].

    `scores` are the candidates' present scores; `chain` the question's terms that each candidate and the passages that
    led to it hold; `parents` the positions that were stepped from, best first.
    """
    if not steps:
        return np.zeros((0, len(LINK_FEATURES)), dtype=np.float32)
    columns = {**_step_columns(pool, steps, scores, parents), **_term_columns(pool, steps, chain)}
    return np.stack([columns[name] for name in LINK_FEATURES], axis=1).astype(np.float32)


def _step_columns(pool: Candidates, steps: Sequence[Step], scores: Floats, parents: Sequence[int]) -> dict[str, Floats]:
    graph, signals = pool.signals.index.graph, pool.signals
    place = {int(position): number for number, position in enumerate(pool.positions)}
    parent = np.array([place[step.parent] for step in steps])
    target = np.array([place[step.target] for step in steps])
    order = {position: rank for rank, position in enumerate(parents)}
    targets = pool.positions[target]
    said = set(signals.words)
    keys = [graph.keys[step.entity].split(" ") for step in steps]
    mentions = {p: int(graph.mention_starts[p + 1] - graph.mention_starts[p]) for p in parents}
    named_here = {p: signals.own_entities(p) for p in parents}
    count = len(steps)
    return {
        "parent_score": scores[parent],
        "parent_rank": np.array([1.0 / (1 + order[step.parent]) for step in steps]),
        "bm25": signals.bm25[targets] / signals.top,
        "named_by": np.log1p(graph.in_degree[targets]),
        "mentions": np.log1p([mentions[step.parent] for step in steps]),
        "title_sureness": np.array([step.sureness for step in steps]),
        "one_of": np.array([1.0 / max(step.choices, 1) for step in steps]),
        "held_by": np.log1p([len(graph.holders_of(step.entity)) for step in steps]),
        "first_sentence": np.array([float(step.sentence == 0) for step in steps]),
        "position_in_parent": np.array([step.sentence / 8.0 for step in steps]),
        "entity_in_question": np.array([sum(word in said for word in key) / len(key) for key in keys]),
        "target_score": scores[target],
        "first": (targets == graph.first_of[graph.document_of[targets]]).astype(np.float32),
        "own_name": np.array([float(step.entity in named_here[step.parent]) for step in steps]),
        "page_rank": signals.page_rank[targets] / max(float(signals.page_rank.max(initial=0.0)), 1e-9),
        "density": np.full(count, min(graph.density, 3.0)),
    }


def _term_columns(pool: Candidates, steps: Sequence[Step], chain: NDArray[np.bool_]) -> dict[str, Floats]:
    place = {int(position): number for number, position in enumerate(pool.positions)}
    parent = np.array([place[step.parent] for step in steps])
    target = np.array([place[step.target] for step in steps])
    starts = pool.matches.starts
    rows = np.minimum(starts[parent] + 1 + np.array([s.sentence for s in steps]), starts[parent + 1] - 1)
    sentence, idf, total = pool.matches.held[rows], pool.idf, pool.total
    held, reached = pool.unit[parent], pool.unit[target]
    open_terms, open_chain = ~held, ~chain[parent]
    left = np.maximum(open_terms @ idf, 1e-9)
    residual = ~pool.header[parent]
    held_by = pool.matches.held
    new = (reached & open_terms) @ idf
    return {
        "sentence_residual": ((sentence & residual) @ idf) / np.maximum(residual @ idf, 1e-9),
        "sentence_coverage": (sentence @ idf) / total,
        "coverage": (reached @ idf) / total,
        "uncovered": new / left,
        "gain": new / total,
        "left": left / total,
        "uncovered_sentence": _best_sentences(pool, held_by, target, open_terms) / left,
        "uncovered_where_named": _where_named(pool, steps, target, open_terms) / left,
        "residual_bm25": _residual_column(pool, steps),
        "kin_residual": ((pool.kin[rows] & residual) @ idf) / np.maximum(residual @ idf, 1e-9),
        "kin_uncovered": ((pool.kin_unit[target] & ~pool.kin_unit[parent]) @ idf) / total,
        "kin_sentence": _best_sentences(pool, pool.kin, target, ~pool.kin_unit[parent]) / total,
        "together": ((held | reached) @ idf) / total,
        "chain_uncovered": ((reached & open_chain) @ idf) / np.maximum(open_chain @ idf, 1e-9),
        "chain_left": (open_chain @ idf) / total,
        **_clause_columns(pool, sentence, held, reached),
    }


def _best_sentences(
    pool: Candidates, held: NDArray[np.bool_], target: NDArray[np.int64], mask: NDArray[np.bool_]
) -> Floats:
    """Per step, the most idf of the masked terms that one sentence of the target holds."""
    starts, idf = pool.matches.starts, pool.idf
    best = np.zeros(len(target), dtype=np.float32)
    for number, unit in enumerate(target.tolist()):
        rows = held[starts[unit] + 1 : starts[unit + 1]]
        if len(rows):
            best[number] = float((rows @ (idf * mask[number])).max())
    return best


def _where_named(pool: Candidates, steps: Sequence[Step], target: NDArray[np.int64], mask: NDArray[np.bool_]) -> Floats:
    """The same for the sentences of the target that mention the entity (all of them when it is about it)."""
    graph, starts, held, idf = pool.signals.index.graph, pool.matches.starts, pool.matches.held, pool.idf
    best = np.zeros(len(steps), dtype=np.float32)
    for number, step in enumerate(steps):
        if step.sureness > 0:
            continue
        places = [s for s, entity in graph.mentions(step.target) if entity == step.entity]
        unit = int(target[number])
        rows = np.minimum(starts[unit] + 1 + np.array(places, dtype=np.int64), starts[unit + 1] - 1)
        best[number] = float((held[rows] @ (idf * mask[number])).max()) if places else 0.0
    return best


def _residual_column(pool: Candidates, steps: Sequence[Step]) -> Floats:
    place = {int(position): number for number, position in enumerate(pool.positions)}
    arrays = {p: _residual(pool.signals, pool.unit[place[p]]) for p in {step.parent for step in steps}}
    return np.array([arrays[step.parent][step.target] for step in steps], dtype=np.float32)


def _clause_columns(
    pool: Candidates, sentence: NDArray[np.bool_], held: NDArray[np.bool_], reached: NDArray[np.bool_]
) -> dict[str, Floats]:
    outer = np.zeros(len(sentence), dtype=np.float32)
    inner = np.zeros(len(sentence), dtype=np.float32)
    for mask in pool.relative_masks:
        weights = pool.idf * mask
        total = max(float(weights.sum()), 1e-9)
        outer = np.maximum(outer, (reached @ weights) / total * (1 - (held @ weights) / total))
        inner = np.maximum(inner, (sentence @ weights) / total)
    return {"outer_clause": outer, "sentence_clause": inner}
