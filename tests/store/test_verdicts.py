"""Verdicts on two runs: the last one counts, in any order, and they go with their runs."""

from __future__ import annotations

import pytest

from adaq_core.errors import InputError
from adaq_core.events import RunFinished, RunStarted
from adaq_core.model import Budget, Settings
from adaq_core.store import Store
from adaq_core.store.history import PairVerdict, Verdicts, VerdictTally
from tests.recorded import CARD


def run(store: Store, method: str) -> str:
    run_id = store.begin(RunStarted("q", method, CARD, Settings(), Budget()))
    store.append(run_id, RunFinished("max_hops", "over"))
    return run_id


def test_the_last_verdict_counts_whichever_run_is_named_first(store: Store) -> None:
    one, two, verdicts = run(store, "adaptive"), run(store, "bm25"), Verdicts(store)
    assert verdicts.of(one, two) is None
    verdicts.give(one, two, better=one, blind=False)
    verdicts.give(two, one, better=None, blind=True)
    assert verdicts.of(one, two) == verdicts.of(two, one) == PairVerdict(None, blind=True)
    verdicts.take_back(two, one)
    assert verdicts.of(one, two) is None


def test_the_tally_counts_pairs_of_methods_in_both_orders(store: Store) -> None:
    verdicts = Verdicts(store)
    pairs = [(run(store, "adaptive"), run(store, "bm25")) for _ in range(4)]
    for (ours, theirs), better in zip(pairs, ("ours", "ours", "theirs", "tie"), strict=True):
        verdicts.give(
            theirs, ours, better={"ours": ours, "theirs": theirs, "tie": None}[better], blind=better == "ours"
        )
    assert verdicts.tally("adaptive", "bm25") == VerdictTally(first=2, ties=1, second=1, blind=2)
    assert verdicts.tally("bm25", "adaptive") == VerdictTally(first=1, ties=1, second=2, blind=2)
    assert verdicts.tally("bm25", "dense") == VerdictTally()


def test_a_verdict_goes_with_its_run(store: Store) -> None:
    one, two, verdicts = run(store, "adaptive"), run(store, "bm25"), Verdicts(store)
    verdicts.give(one, two, better=two, blind=False)
    store.delete_run(two)
    assert verdicts.of(one, two) is None
    assert verdicts.tally("adaptive", "bm25") == VerdictTally()


@pytest.mark.parametrize(("other", "better"), [("r-a", "r-a"), ("r-b", "r-c")])
def test_a_verdict_is_on_two_runs_and_names_one_of_them(store: Store, other: str, better: str) -> None:
    with pytest.raises(InputError, match="Expected a verdict on two runs"):
        Verdicts(store).give("r-a", other, better=better, blind=False)
