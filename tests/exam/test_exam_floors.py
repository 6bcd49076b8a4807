"""The half of the exam that steers development, answered by the product: it may not fall below what holds.

Floors are raised when the answers get better, and never lowered to get green. The other half is read by nobody.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from adaq_core.evaluation.report import RESULTS
from adaq_core.evaluation.request import Request, evaluate


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
def means(tmp_path_factory) -> dict[str, float]:
    patch = pytest.MonkeyPatch()
    patch.setenv("ADAQ_HOME", str(tmp_path_factory.mktemp("home")))
    out: Path = tmp_path_factory.mktemp("exam")
    evaluate(Request("exam", methods=("adaptive",), dense=False), out=out, workers=1)
    patch.undo()
    measures = json.loads((out / RESULTS).read_text(encoding="utf-8"))["methods"]["adaptive"]["measures"]
    return {name: value["mean"] for name, value in measures.items() if value["n"]}


@pytest.mark.parametrize("floor", FLOORS, ids=lambda floor: floor.measure)
def test_the_exam_is_passed_at_least_as_well_as_before(means, floor):
    value = means[floor.measure]
    assert value <= floor.value if floor.most else value >= floor.value
