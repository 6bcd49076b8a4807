"""The folders of the pages are layers, and the store has one door."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SHARED = Path(__file__).parents[2] / "pages" / "_shared"
# From the bottom: a folder imports those before it, and itself.
LAYERS = ("common", "settings", "run", "components", "ask", "compare", "trace", "corpus", "evaluation")
STORE_OPENERS = frozenset({"open_store", "get_runner"})


def imports(tree: ast.AST) -> Iterator[ast.ImportFrom]:
    """Every import that runs: those for the type checker alone tie nothing."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.ImportFrom):
            yield node
        yield from imports(node)


def files() -> list[Path]:
    return sorted(SHARED.rglob("*.py"))


def named(path: Path) -> str:
    return path.relative_to(SHARED).as_posix()


def test_the_pages_stay_a_house_that_one_can_walk_through() -> None:
    everything = sorted(SHARED.parent.rglob("*.py"))
    crowded = [path for path in SHARED.rglob("*") if path.is_dir() and len(list(path.glob("*.py"))) > 20]
    assert (len(everything) <= 65, crowded) == (True, [])


def test_every_folder_is_a_layer() -> None:
    assert {path.name for path in SHARED.iterdir() if any(path.glob("*.py"))} == set(LAYERS)


@pytest.mark.parametrize("path", files(), ids=named)
def test_a_file_imports_its_own_layer_and_those_below(path: Path) -> None:
    own = LAYERS.index(path.relative_to(SHARED).parts[0])
    wanted = [node.module.split(".")[2] for node in imports(ast.parse(path.read_text(encoding="utf-8")))
              if node.module and node.module.startswith("pages._shared.")]  # fmt: skip
    assert [layer for layer in wanted if LAYERS.index(layer) > own] == []


@pytest.mark.parametrize("path", [path for path in files() if named(path) != "common/backend.py"], ids=named)
def test_the_store_is_opened_in_one_place(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert not [node.module for node in imports(tree) if STORE_OPENERS & {alias.name for alias in node.names}]


def test_nobody_clears_the_address_while_a_control_may_stand_in_it() -> None:
    """Streamlit raises where a bound parameter is cleared; `from_dict` and `switch_page(..., query_params=)` do not."""
    found = []
    for path in sorted(SHARED.parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                said = {keyword.arg for keyword in node.keywords}
                clears = ast.unparse(node.func) == "st.query_params.clear"
                if clears or (node.func.attr == "switch_page" and "query_params" not in said):
                    found.append(f"{path.name}:{node.lineno}")
    assert found == []
