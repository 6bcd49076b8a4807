"""The notebooks run from their first cell to their last, as somebody would who opens them anew."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
SAYS = {
    "evaluation": ["8 runs", "evaluate --dataset finance", "Recall@5", "verdict"],
    "runs": ["['finished', 'finished', 'finished']", "all_covered", "passages_retrieved"],
}


def cells(path: Path) -> list[dict[str, Any]]:
    return list(json.loads(path.read_text(encoding="utf-8"))["cells"])


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_from_its_first_cell_to_its_last(path, tmp_path):
    code = ["".join(cell["source"]) for cell in cells(path) if cell["cell_type"] == "code"]
    script = tmp_path / f"{path.stem}.py"
    script.write_text('if __name__ == "__main__":\n    names = {"__name__": "notebook"}\n'
                      f"    for cell in {code!r}:\n        exec(cell, names)\n", encoding="utf-8")  # fmt: skip
    environment = {**os.environ, "ADAQ_HOME": str(tmp_path / "home"), "TMPDIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    out = subprocess.run([sys.executable, str(script)], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert out.returncode == 0, out.stderr[-2000:]
    assert [words for words in SAYS[path.stem] if words not in out.stdout] == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_stored_without_outputs_in_the_format_of_jupyter(path):
    stored = json.loads(path.read_text(encoding="utf-8"))
    assert (stored["nbformat"], stored["metadata"]["kernelspec"]["name"]) == (4, "python3")
    assert len({cell["id"] for cell in cells(path)}) == len(cells(path))
    assert [cell["id"] for cell in cells(path) if cell["cell_type"] == "code" and cell["outputs"]] == []


def test_every_notebook_is_tried():
    assert [path.stem for path in NOTEBOOKS] == sorted(SAYS)
