import pytest

from adaq_core.errors import InputError
from adaq_core.evaluation.variants import Variant, ablation, variants
from adaq_core.model import Settings


def test_every_method_has_the_same_settings():
    settings = Settings(k=3)
    assert variants(["bm25", "adaptive", "bm25"], [], settings) == (
        Variant("bm25", "bm25", settings),
        Variant("adaptive", "adaptive", settings),
    )


def test_an_ablation_changes_one_thing_of_adaq():
    given = ablation("coverage_map", Settings())
    assert (given.label, given.method, given.settings) == (
        "adaptive--no-coverage_map",
        "adaptive",
        Settings(ablate=("coverage_map",)),
    )
    assert ablation("learned", Settings()).settings == Settings(learned=False)
    assert ablation("vectors", Settings()) == Variant(
        "adaptive--no-vectors", "adaptive", Settings(use_dense=False), "without the passage vectors, by words alone"
    )
    assert ablation("k3", Settings()).settings == Settings(k=3)


def test_vectors_go_to_the_methods_that_need_them():
    given = variants(["bm25", "dense", "adaptive"], ["vectors"], Settings())
    assert [variant.vectors for variant in given] == [False, True, False, False]
    assert not any(variant.vectors for variant in variants(["bm25", "dense"], [], Settings(use_dense=False)))


def test_vectors_may_go_to_adaq_and_to_no_other_that_does_without():
    given = variants(["bm25", "iterative", "adaptive"], ["hops2", "learned"], Settings())
    assert [variant.may_use_vectors for variant in given] == [False, False, True, True, True]
    assert not variants(["adaptive"], [], Settings(use_dense=False))[0].may_use_vectors


def test_a_cap_on_hops_lowers_the_least_number_too():
    assert ablation("hops2", Settings()).settings == Settings(max_hops=2, min_hops=2)
    assert ablation("hops6", Settings()).settings == Settings(max_hops=6, min_hops=3)


def test_a_sweep_stands_for_its_members():
    labels = [variant.label for variant in variants([], ["hops", "threshold0.35"], Settings())]
    assert labels == ["adaptive--hops2", "adaptive--hops4", "adaptive--hops6", "adaptive--threshold0.35"]


def test_only_the_oracle_is_an_oracle():
    assert ablation("oracle_aspects", Settings()).oracle
    assert not ablation("constraints", Settings()).oracle


def test_an_unknown_ablation_names_those_there_are():
    with pytest.raises(InputError, match=r"coverage_map, entity_first.*got 'nonsense'"):
        ablation("nonsense", Settings())


def test_each_stage_of_a_model_can_be_switched_off():
    given = variants([], ["model"], Settings())
    assert [variant.settings.ablate for variant in given] == [
        ("model_plan",),
        ("model_refine",),
        ("model_read",),
        ("model_critique",),
        ("model_synthesise",),
    ]
