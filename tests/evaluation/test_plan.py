from dataclasses import replace

import pytest

from adaq_core.datasets.beir import read_question_set
from adaq_core.errors import InputError
from adaq_core.evaluation import ExperimentPlan
from adaq_core.evaluation.request import Request
from adaq_core.evaluation.variants import variants
from adaq_core.model import Budget, Settings


def plan(folder, methods=("bm25", "adaptive"), ablate=(), **given):
    return ExperimentPlan(
        read_question_set(folder), variants(methods, ablate, given.pop("settings", Settings())), **given
    )


@pytest.mark.parametrize(
    ("methods", "ablate", "reference"),
    [
        (("adaptive", "bm25", "static"), (), "static"),
        (("adaptive", "dense", "bm25"), (), "bm25"),
        (("adaptive", "dense"), (), "dense"),
        (("adaptive",), ("coverage_map",), "adaptive"),
    ],
)
def test_the_reference_is_the_plain_single_shot_where_there_is_one(rivers, methods, ablate, reference):
    assert plan(rivers, methods, ablate).compared_to == reference


def test_a_sample_depends_on_the_seed_alone_and_keeps_the_order(rivers):
    chosen = [question.question_id for question in plan(rivers, limit=4, seed=1).chosen]
    every = [question.question_id for question in plan(rivers).chosen]
    assert chosen == [question.question_id for question in plan(rivers, limit=4, seed=1).chosen]
    assert chosen == [name for name in every if name in chosen]
    assert len(chosen) == 4
    assert chosen != [question.question_id for question in plan(rivers, limit=4, seed=5).chosen]


def test_whatever_shapes_a_run_is_in_its_configuration(rivers):
    given = plan(rivers)
    others = [
        plan(rivers, settings=Settings(k=3)),
        plan(rivers, model="m"),
        plan(rivers, budget=Budget(max_seconds=1)),
    ]
    configurations = {each.configuration(each.variants[0]) for each in (given, *others)}
    assert len(configurations) == 4
    assert plan(rivers, limit=2, seed=9).configuration(given.variants[0]) == given.configuration(given.variants[0])


def test_a_changed_corpus_is_another_configuration(rivers):
    before = plan(rivers).configuration(plan(rivers).variants[0])
    with (rivers / "corpus.jsonl").open("a") as file:
        file.write('{"_id": "new", "text": "Something new."}\n')
    assert plan(rivers).configuration(plan(rivers).variants[0]) != before


def test_a_plan_that_cannot_be_run_is_refused(rivers):
    with pytest.raises(InputError, match="at least one method"):
        plan(rivers, methods=())
    with pytest.raises(InputError, match="expected a reference out of bm25, adaptive, got 'dense'"):
        plan(rivers, reference="dense")
    with pytest.raises(InputError, match="--limit of at least 1"):
        plan(rivers, limit=0)
    with pytest.raises(InputError, match=r"expected methods out of adaptive, .*got 'bm52'"):
        Request(str(rivers), methods=("bm52",)).plan()


def test_a_request_says_the_command_that_repeats_it(rivers):
    request = Request("my set", methods=("bm25", "adaptive"), limit=3, dense=False)
    assert request.as_command() == (
        "python -m adaq_core evaluate --dataset 'my set' --split dev --methods bm25,adaptive --k 5 --limit 3 --seed 0"
        " --no-dense"
    )
    assert request.folder() != replace(request, limit=4).folder()
