import json
from pathlib import Path

import numpy as np

from adaq_core.training.ranker import among_all, by_family, examples_of, fit_logistic, fit_trees, lessons

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


def _set(folder: Path, documents: dict[str, str], question: str, gold: str) -> Path:
    (folder / "qrels").mkdir(parents=True)
    rows = [json.dumps({"_id": name, "title": name.upper(), "text": text}) for name, text in documents.items()]
    (folder / "corpus.jsonl").write_text("\n".join(rows) + "\n")
    (folder / "queries.jsonl").write_text(json.dumps({"_id": "q", "text": question}) + "\n")
    (folder / "qrels" / "dev.tsv").write_text(f"query-id\tcorpus-id\tscore\nq\t{gold}\t1\n")
    return folder


def test_questions_of_several_sets_are_asked_among_the_documents_of_all_a_title_once(tmp_path):
    one = _set(tmp_path / "one", {"a": "Kilns fire bowls.", "b": "Glaze melts."}, "What do kilns fire?", "a")
    two = _set(tmp_path / "two", {"a": "Kilns are hot.", "c": "Clay dries."}, "What dries?", "c")
    first, second = among_all([one, two], "dev")
    assert {p.document_id for p in first.index.passages} == {"one/a", "one/b", "two/c"}
    assert first.index is second.index
    assert first.question.gold_documents == ("one/a",)
    assert second.question.gold_documents == ("two/c",)
    assert first.wanted(first.scoring.positions).sum() == 1


def test_a_family_with_one_set_is_trained_on_it_alone(tmp_path):
    own = examples_of(_set(tmp_path / "one", {"b": "Kilns fire bowls."}, "What do kilns fire?", "b"))
    assert lessons(own, "linked", datasets=tmp_path, split="dev") == own
    two = examples_of(_set(tmp_path / "two", {"c": "Clay dries."}, "What dries?", "c"))
    taught = lessons([*own, *two], "linked", datasets=tmp_path, split="dev")
    assert [each.fold for each in taught] == [own[0].fold, two[0].fold] * 2
    assert len(lessons([*own, *two], "sourced", datasets=tmp_path, split="dev")) == 2
