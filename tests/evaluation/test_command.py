import json
import shutil

import pytest
from typer.testing import CliRunner

from adaq_core.cli import build


@pytest.fixture
def adaq(rivers, monkeypatch):
    monkeypatch.delenv("ADAQ_DATASETS", raising=False)

    def run(*words):
        return CliRunner().invoke(build(), ["evaluate", *words])

    return run


def test_a_table_on_stdout_and_progress_on_stderr(adaq, rivers, tmp_path):
    out = tmp_path / "out"
    left = adaq(
        "--dataset", str(rivers), "--methods", "bm25,iterative", "--limit", "3", "--no-dense", "--out", str(out)
    )
    assert (left.exit_code, left.stdout.splitlines()[0]) == (0, "| measure | bm25 | iterative |")
    assert "rivers (dev): 3 questions × bm25, iterative" in left.stderr
    assert "finished" in left.stderr
    assert (out / "card.md").is_file()


def test_json_is_the_results_file(adaq, rivers, tmp_path):
    out = tmp_path / "out"
    words = ("--dataset", str(rivers), "--methods", "bm25", "--no-dense", "--no-store", "--out", str(out), "--json")
    assert json.loads(adaq(*words).stdout) == json.loads((out / "results.json").read_text())
    assert json.loads(adaq(*words).stdout)["methods"]["bm25"]["measures"]["Recall@5"]["n"] == 8


def test_several_sets_make_one_report(adaq, rivers, tmp_path, monkeypatch):
    second = tmp_path / "sets" / "streams"
    shutil.copytree(rivers, second)
    monkeypatch.setenv("ADAQ_DATASETS", str(second.parent))
    out, page = tmp_path / "out", tmp_path / "docs" / "results.md"
    words = ("--methods", "bm25,iterative", "--limit", "4", "--no-store", "--out", str(out), "--report", str(page))
    assert adaq("--dataset", f"{rivers},streams", *words).exit_code == 0
    assert {path.parent.name for path in out.glob("*/results.json")} == {"rivers", "streams"}
    text = page.read_text()
    assert "## rivers (dev), 4 questions, k = 5" in text
    assert "## streams (dev), 4 questions, k = 5" in text
    recall = json.loads((out / "streams" / "results.json").read_text())["methods"]["bm25"]["measures"]["Recall@5"]
    assert f"{recall['mean']:.3f}" in text


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--dataset", "nosuch"), 3, "https://hotpotqa.github.io"),
        (("--dataset", "SET", "--split", "test"), 3, "found the splits dev; choose one with --split"),
        (("--dataset", "SET", "--methods", "bm52"), 2, "Expected methods out of adaptive"),
        (("--dataset", "SET", "--ablate", "nonsense"), 2, "Expected an ablation out of coverage_map"),
        (("--dataset", "SET", "--no-llm", "--model", "m"), 2, "Expected either --no-llm or --model m"),
        (("--dataset", "SET", "--k", "0"), 2, "--k"),
    ],
)
def test_what_cannot_be_done_is_said_with_its_exit_code(adaq, rivers, words, code, said):
    left = adaq(*(str(rivers) if word == "SET" else word for word in words))
    assert left.exit_code == code
    assert said in left.stderr
