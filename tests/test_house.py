"""The code as a stranger meets it: not too many rooms, a short way for the question, one thought a line."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from benchmarks.density import lines, quantile, tree_of
from benchmarks.journey import Code, journey

ROOT = Path(__file__).parents[1]
CORE = ROOT / "adaq_core"


def test_the_core_has_some_two_hundred_files_and_twenty_in_a_folder() -> None:
    folders = Counter(path.parent for path in CORE.rglob("*.py"))
    assert folders.total() <= 210
    assert [folder for folder, size in folders.items() if size > 20] == []


def test_no_imports_go_in_a_circle_not_even_those_for_types_alone_or_inside_functions() -> None:
    files = {_name_of(path): path for path in CORE.rglob("*.py")}
    imports = {name: {each for each in _imported(path, files) if each in files} for name, path in files.items()}
    assert len(list(TopologicalSorter(imports).static_order())) == len(files)  # CycleError names a circle


def _name_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def _imported(path: Path, modules: Collection[str]) -> Iterator[str]:
    """What a module imports of the core, wherever in it the import stands."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.ImportFrom):
            named = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from (name if name in modules else f"{node.module}" for name in named)


def test_the_question_goes_through_fewer_than_eighty_functions_in_twenty_five_files() -> None:
    stays = journey(Code())
    assert ("adaq_core.methods.adaptive", "run") in stays
    assert len(stays) < 80
    assert len({module for module, _ in stays}) <= 25


@pytest.mark.parametrize("folder", [CORE, ROOT / "pages"], ids=["core", "pages"])
def test_nine_lines_in_ten_hold_fewer_than_fourteen_syntax_nodes(folder: Path) -> None:
    counted = lines(folder)
    assert quantile(counted, 0.9) < 14
    assert sum(line.nodes >= 24 for line in counted) < len(counted) / 250


def test_syntax_nodes_are_counted_where_they_begin(tmp_path: Path) -> None:
    file = tmp_path / "code.py"
    file.write_text(
        '"""A docstring."""\n'
        "def add(one: int, other: int) -> int:\n"  # the function and two parameters
        '    """Another."""\n'
        "    return one + other\n"  # return, +, one, other
        'text = f"{add(1, 2):>4} of {3}"\n',  # =, text, the f-string, the call, add, 1, 2, 3
        encoding="utf-8",
    )
    assert [(line.number, line.nodes) for line in lines(tmp_path)] == [(2, 3), (4, 4), (5, 8)]


def test_a_setting_by_itself_is_read_in_one_place() -> None:
    """A setting for itself in `home.setting`; those of models and of sources, which a file may hold, in their readers.

    Elsewhere it is only written for libraries, or handed on to a process.
    """
    readers = {path.relative_to(ROOT).as_posix() for path in CORE.rglob("*.py") if _reads_environment(path)}
    assert readers == {"adaq_core/home.py"}


def _reads_environment(path: Path) -> bool:
    calls = (node for node in ast.walk(tree_of(path)) if isinstance(node, ast.Call))
    return any(ast.unparse(call.func) in ("os.environ.get", "os.getenv") for call in calls)
