"""The page over several experiments, from results written by hand."""

import json

from typer.testing import CliRunner

from adaq_core.cli import build
from adaq_core.evaluation.report import leaderboard, report

CONFIG = {"reference": "static", "corpus_hash": "c", "code_hash": "d", "model": None, "seed": 0, "remarks": []}


def value(mean, *, low=None, high=None, **more):
    return {"mean": mean, "ci_low": low, "ci_high": high, "n": 0 if mean is None else 10, **more}


def results(dataset, **methods):
    config = {**CONFIG, "failed": {}}
    measured = {
        label: {"measures": {name: value(mean) for name, mean in each.items()}} for label, each in methods.items()
    }
    head = {"dataset": dataset, "split": "dev", "k": 5, "n_questions": 10, "config": config, "comparisons": []}
    return {**head, "methods": measured}


def test_the_overview_has_a_row_for_each_set_with_recall_after_the_first_hop():
    one = results("wiki", adaptive={"answer_contains": 0.5, "Recall@5": 0.9, "Recall@5_hop1": 0.8, "ms_p50": 9.0})
    one["methods"]["adaptive"]["measures"]["recall_gain"] = value(0.1, low=0.05, high=0.15, up=3, down=1)
    line = next(line for line in report([one], command="x").splitlines() if line.startswith("| wiki"))
    assert line == "| wiki | 10 | 0.500 | 0.900 | 0.800 | 0.100 [.05, .15] | 3 / 1 | 9.0 / – |"


def test_the_target_says_what_is_not_reached():
    static = {"StRecall@5": 0.8, "nDCG@5": 0.5, "hops": 1.0, "passages_read": 5.0, "ms": 2.0}
    adaptive = {"StRecall@5": 0.88, "nDCG@5": 0.6, "hops": 2.0, "passages_read": 10.0, "ms": 40.0}
    lines = report([results("finance", static=static, adaptive=adaptive)], command="x").splitlines()
    assert "| StRecall@5 | 0.800 | 0.880 | +10% | +15% | no |" in lines
    assert "| nDCG@5 | 0.500 | 0.600 | +20% | +15% | yes |" in lines
    assert "| ms | 2.0 | 40.0 | 20.0× | ≤ 3× | no |" in lines
    assert "| hops | 1.00 | 2.00 | 2.0× | ≤ 3× | yes |" in lines


def test_a_baseline_that_is_bm25_by_another_name_is_named():
    same = {"Recall@5": 0.7231, "nDCG@5": 0.81}
    page = report(
        [results("finance", bm25=same, crag={**same, "Recall@5": 0.7229}, dense={**same, "nDCG@5": 0.7})], command="x"
    )
    assert "`crag` on finance" in page
    assert "`dense` on" not in page


def test_answers_come_before_evidence_and_what_was_not_computed_is_left_out():
    page = report(
        [results("wiki", bm25={"ms": 3.0, "Recall@5": 0.5, "answer_contains": 0.2, "nugget_recall": None})], command="x"
    )
    assert page.index("**Answers**") < page.index("**Evidence**") < page.index("**Own estimate and cost**")
    assert "nugget_recall" not in page


def test_the_leaderboard_ranks_the_methods_of_each_set():
    wiki = results("wiki", bm25={"nDCG@5": 0.5, "hops": 1.0}, adaptive={"nDCG@5": 0.7}, crag={"nDCG@5": 0.5}, dense={})
    rows = [line for line in leaderboard([wiki], command="x").splitlines() if line.startswith("| ")]
    assert rows == [
        "| place | method | nDCG@5 | hops |",
        "| 1 | adaptive | 0.700 | – |",
        "| 2 | bm25 | 0.500 | 1.00 |",
        "| 2 | crag | 0.500 | – |",
        "| 4 | dense | – | – |",
    ]


def test_the_leaderboard_names_the_version_of_a_frozen_set():
    frozen = results("wiki", bm25={"nDCG@5": 0.5})
    frozen["config"]["version"] = "1.0"
    headings = [line for line in leaderboard([frozen], command="x").splitlines() if line.startswith("## ")]
    assert headings == [f"## wiki 1.0 (dev), {frozen['n_questions']} questions, k = 5"]


def test_over_several_sets_only_methods_that_all_of_them_have_are_ranked():
    one = results("a", bm25={"nDCG@5": 0.5}, adaptive={"nDCG@5": 0.7}, crag={"nDCG@5": 0.9})
    other = results("b", bm25={"nDCG@5": 0.6}, adaptive={"nDCG@5": 0.5})
    page = leaderboard([one, other], command="x").split("## a")[0]
    rows = [line for line in page.splitlines() if line.startswith("| ")]
    assert rows == ["| method | mean place | a | b |", "| adaptive | 1.5 | 1 | 2 |", "| bm25 | 1.5 | 2 | 1 |"]


def test_one_command_makes_it_of_any_folder(tmp_path):
    for name in ("a", "b"):
        folder = tmp_path / "deep" / name
        folder.mkdir(parents=True)
        (folder / "results.json").write_text(json.dumps(results(name, bm25={"nDCG@5": 0.5})), encoding="utf-8")
    page = tmp_path / "out" / "leaderboard.md"
    made = CliRunner().invoke(build(), ["evaluate", "--leaderboard", str(page), "--out", str(tmp_path / "deep")])
    assert made.exit_code == 0
    text = page.read_text(encoding="utf-8")
    assert "`python -m adaq_core evaluate --leaderboard leaderboard.md --out DIR`" in text
    assert text.index("## a (dev)") < text.index("## b (dev)")


def test_without_results_it_says_what_it_looked_for(tmp_path):
    made = CliRunner().invoke(build(), ["evaluate", "--leaderboard", str(tmp_path / "x.md"), "--out", str(tmp_path)])
    assert made.exit_code == 2
    assert "results.json" in made.output
    assert CliRunner().invoke(build(), ["evaluate"]).exit_code == 2
