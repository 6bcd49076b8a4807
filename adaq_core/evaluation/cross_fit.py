"""Learning measured honestly: each half of the questions is run with what the runs of the other half taught."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

from adaq_core.evaluation.outcome import Outcome
from adaq_core.events import WordingsLearned
from adaq_core.runs.template_gains import Use, summed


def half(question_id: str) -> int:
    """0 or 1, the same for a question whatever others there are."""
    return blake2b(question_id.encode(), digest_size=1).digest()[0] % 2


def taught(outcomes: Iterable[Outcome]) -> tuple[WordingsLearned, WordingsLearned]:
    """What each half is given: the uses of wordings in the runs of the other one."""
    runs: tuple[list[list[Use]], list[list[Use]]] = ([], [])
    for outcome in outcomes:
        runs[1 - half(outcome.question_id)].append([Use(*use) for use in outcome.wordings])
    return summed(runs[0]), summed(runs[1])
