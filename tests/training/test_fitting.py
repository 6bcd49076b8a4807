import numpy as np

from adaq_core.training.ranker import by_family, fit_logistic, fit_trees

RNG = np.random.default_rng(1)
ROWS = RNG.normal(size=(400, 3)).astype(np.float32)
ROWS[:, 2] = 0.1234567
WANTED = ROWS[:, 0] > 0


def test_what_never_varied_weighs_nothing():
    numbers = fit_logistic(ROWS, WANTED, np.ones(400, dtype=np.float32))
    assert (numbers["weights"][2], numbers["scale"][2]) == (0.0, 1.0)
    assert numbers["weights"][0] > 10 * abs(numbers["weights"][1])


def test_trees_as_numbers_equal_the_model_they_came_from():
    from sklearn.ensemble import HistGradientBoostingClassifier

    from adaq_core.training.ranker import _SHAPE

    weights = np.ones(400, dtype=np.float32)
    trees = fit_trees(ROWS, WANTED.astype(np.float32), weights, ("a", "b", "c"))
    model = HistGradientBoostingClassifier(**_SHAPE).fit(ROWS, WANTED.astype(int), sample_weight=weights)
    np.testing.assert_allclose(trees.probability(ROWS), model.predict_proba(ROWS)[:, 1], atol=1e-4)


def test_fitting_twice_gives_the_same_numbers():
    weights = np.ones(400, dtype=np.float32)
    first, second = (fit_trees(ROWS, WANTED, weights, ("a", "b", "c")).to_json() for _ in range(2))  # type: ignore[arg-type]
    assert first == second


def test_an_unused_feature_is_asked_by_no_tree():
    rows = RNG.normal(size=(400, 3)).astype(np.float32)
    trees = fit_trees(rows, rows[:, 2] > 0, np.ones(400, dtype=np.float32), ("a", "b", "c"), unused=("a",))  # type: ignore[arg-type]
    assert trees.names == ("a", "b", "c")
    assert set(trees.feature[np.isfinite(trees.threshold)].tolist()) == {1, 2}
    assert ((trees.probability(rows) > 0.5) == (rows[:, 2] > 0)).mean() > 0.95


def test_a_folder_without_a_question_set_is_left_out_and_the_reason_said(tmp_path, capsys):
    (tmp_path / "empty").mkdir()
    assert by_family(tmp_path, "dev") == {}
    assert capsys.readouterr().err.startswith("empty: left out, ")
