"""The half of the exam that steers development, answered by the product: it may not fall below what holds.

Floors are raised when the answers get better, and never lowered to get green. The other half is read by nobody.
"""

from dataclasses import dataclass
from statistics import fmean

import pytest

from adaq_core.datasets.beir import load_set
from adaq_core.evaluation.answered import answer_measures, exam_measures, stated_by
from adaq_core.evaluation.working import recorded
from adaq_core.trace import view


@dataclass(frozen=True)
class Floor:
    """What a mean may not fall below, or rise above where `most`."""

    measure: str
    value: float
    most: bool = False


FLOORS = (
    Floor("facts_asserted", 0.86),
    Floor("facts_all_right", 0.82),
    Floor("facts_wrong", 0.03, most=True),
    Floor("short_first", 0.78),
    Floor("claimed_unanswered", 0.08, most=True),
    Floor("null_recognised", 0.80),
    Floor("refused_answerable", 0.05, most=True),
)


@pytest.fixture(scope="module")
def means(run_of) -> dict[str, float]:
    """What an experiment makes of the answers; what does not apply to a question is left out of the mean."""
    marked = [measures_of(run_of("adaptive", question.text), question) for question in load_set("exam")]
    return {floor.measure: fmean(values_of(floor.measure, marked)) for floor in FLOORS}


def measures_of(events, question):
    run = view(recorded(events))
    answer = stated_by(run)
    return {**answer_measures(answer, question, run.evidence), **exam_measures(answer, question)}


def values_of(measure, marked):
    return [each[measure] for each in marked if each.get(measure) is not None]


@pytest.mark.parametrize("floor", FLOORS, ids=lambda floor: floor.measure)
def test_the_exam_is_passed_at_least_as_well_as_before(means, floor):
    value = means[floor.measure]
    assert value <= floor.value if floor.most else value >= floor.value
