"""Learn which passages of filings answer, from judged questions: python -m benchmarks.filing_order [--write].

What the search brings for the questions of the exams' first halves (`dev`) is read; a passage answers where it is of a
judged document and holds a fact of the gold. A logistic model of ORDER_FEATURES is fitted. Printed is of how many
questions all facts stand in the first five passages, as the search ranks them and with the likeliest of the others in
the fifth place: for each set of the first halves by a model that has not seen it, and for the second halves (`final`),
from which nothing is learned.
"""

from __future__ import annotations

import argparse
import json
import logging
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from adaq_core.datasets.judged import JudgedQuestion
from adaq_core.matching.likelihood import Likelihood
from adaq_core.model import Budget, Passage, Settings
from adaq_core.question.query_templates import profiles
from adaq_core.ranking import ORDER, ORDER_FEATURES, FilingPool, order_features
from adaq_core.retrieval.index import DocumentRetriever
from adaq_core.runs.execute import rarity
from adaq_core.stages.next_hop import pool_for
from adaq_core.stages.plan import plan_aspects
from adaq_core.stages.services import BudgetMeter, Services
from adaq_core.stages.state import State, begin
from benchmarks.covering import opened
from benchmarks.likelihood import ALL_ON_FILINGS as SETS
from benchmarks.likelihood import logistic

FIRST = 5  # passages of a set


@dataclass(frozen=True, slots=True)
class Searched:
    """What the search brings for a question, best first: the features of each passage, and which facts it holds."""

    rows: tuple[tuple[float, ...], ...]
    holds: tuple[frozenset[int], ...]
    facts: int

    def all_in_first(self, order: Sequence[int]) -> bool:
        """Whether the first passages of an order hold all facts together."""
        held = (self.holds[place] for place in order[:FIRST])
        return len(frozenset().union(*held)) == self.facts


def searched(name: str, split: str) -> Iterator[Searched]:
    """The questions of a half that have facts and are answered by passages and not by rows that were looked up."""
    questions, retriever = opened(name, split)
    for question in questions:
        if question.is_unanswerable or not (question.facts and question.facts.must):
            continue
        state = _begun(question.text, retriever)
        pool = pool_for(state)
        if isinstance(pool, FilingPool) and not pool.is_looked_up:
            pairs = pool.searched()
            rows = tuple(order_features(pairs, state.measured))
            holds = tuple(_held(question, passage) for passage, _ in pairs)
            yield Searched(rows, holds, len(question.facts.must))


def _begun(question: str, retriever: DocumentRetriever) -> State:
    """A run that has its aspects and has searched nothing."""
    index = retriever.index
    services = Services(
        retriever, Settings(), BudgetMeter(Budget()), profiles(), weigh=rarity(index), long_form=index.long_form
    )
    return begin(question, services, plan_aspects(question, services, None))


def _held(question: JudgedQuestion, passage: Passage) -> frozenset[int]:
    """The numbers of the facts of the gold that a passage of a judged document holds."""
    assert question.facts
    if question.gold_documents and passage.document_id not in question.gold_documents:
        return frozenset()
    text = " ".join(passage.text.split())
    return frozenset(
        number
        for number, fact in enumerate(question.facts.must)
        if any(re.search(pattern, text, re.IGNORECASE) for pattern in fact)
    )


def fit(questions: Iterable[Searched]) -> Likelihood:
    """The logistic model of the passages of questions of which the search brings a fact at all."""
    pairs = [(each.rows, each.holds) for each in questions if any(each.holds)]
    return logistic([(row, bool(held)) for rows, holds in pairs for row, held in zip(rows, holds, strict=True)])


def line(name: str, questions: Sequence[Searched], model: Likelihood) -> str:
    """One line of the result."""
    before = after = 0
    for each in questions:
        chances = [model.chance(row) for row in each.rows]
        before += each.all_in_first(range(len(chances)))
        likeliest = max(range(FIRST - 1, len(chances)), key=lambda place: chances[place], default=0)
        after += each.all_in_first([*range(min(FIRST - 1, len(chances))), likeliest])
    return f"{name}: n {len(questions)}; all facts in the first {FIRST}: {before}, with the model {after}"


def main() -> None:
    """Fit, print what it is worth, and with --write keep it."""
    logging.disable(logging.CRITICAL)
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--write", action="store_true", help="keep the model that is fitted")
    given = options.parse_args()
    by_set = {name: list(searched(name, "dev")) for name in SETS}
    for name in SETS:
        others = [each for other in SETS if other != name for each in by_set[other]]
        print(line(f"{name}, not learned from", by_set[name], fit(others)), flush=True)
    model = fit(each for name in SETS for each in by_set[name])
    print(line("second halves", [each for name in SETS for each in searched(name, "final")], model))
    if given.write:
        weights = dict(zip(ORDER_FEATURES, model.weights, strict=True))
        ORDER.write_text(json.dumps({"bias": model.bias, "weights": weights}, indent=1) + "\n", encoding="utf-8")
        print(f"written: {ORDER.name}")


if __name__ == "__main__":
    main()
