"""Count the syntax nodes a line: `python -m benchmarks.density [FOLDER] [--over N]`.

A node is an expression, a statement, a parameter, a keyword or a pattern, counted on the line where it begins. An
f-string is one node and those of the expressions in it. Not counted: docstrings, annotations (a type is read at a
glance), and what Python adds by itself (whether a name is read or written, the pieces of an f-string).
"""

from __future__ import annotations

import argparse
import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
_NODES = (ast.expr, ast.stmt, ast.arg, ast.keyword, ast.pattern, ast.excepthandler, ast.alias)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of code and how many nodes begin on it."""

    path: Path
    number: int
    nodes: int

    def text(self) -> str:
        """Return the line as it is written."""
        return self.path.read_text(encoding="utf-8").splitlines()[self.number - 1].strip()


@cache
def tree_of(path: Path) -> ast.Module:
    """Return a file of code as a syntax tree, read once."""
    return ast.parse(path.read_text(encoding="utf-8"))


def lines(folder: Path) -> list[Line]:
    """Return the lines of all modules below `folder` that hold a node."""
    return [line for path in sorted(folder.rglob("*.py")) for line in _lines_of(path)]


def quantile(counted: list[Line], share: float) -> int:
    """Return the number of nodes that `share` of the lines do not pass."""
    nodes = sorted(line.nodes for line in counted)
    return nodes[min(int(len(nodes) * share), len(nodes) - 1)]


def main() -> None:
    """Print the median, the 90th and 99th percentile and the densest lines."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "adaq_core")
    parser.add_argument("--over", type=int, default=24, help="show the lines with more nodes than this")
    given = parser.parse_args()
    counted = lines(given.folder)
    shares = ", ".join(f"{share:.0%} ≤ {quantile(counted, share)}" for share in (0.5, 0.9, 0.99))
    print(f"{len(counted)} lines: {shares}, densest {max(line.nodes for line in counted)}")
    dense = [line for line in counted if line.nodes > given.over]
    for line in sorted(dense, key=lambda line: -line.nodes):
        print(f"{line.nodes:3} {line.path}:{line.number}: {line.text()}")


def _lines_of(path: Path) -> Iterator[Line]:
    every = list(ast.walk(tree_of(path)))
    passed = {*_docstrings(every), *_pieces(every), *_annotations(every)}
    nodes = (node for node in every if isinstance(node, _NODES) and node not in passed)
    for number, count in sorted(Counter(node.lineno for node in nodes).items()):
        yield Line(path, number, count)


def _docstrings(every: Iterable[ast.AST]) -> Iterator[ast.AST]:
    for node in every:
        match node:
            case ast.Expr(value=ast.Constant(value=str()) as text):
                yield from (node, text)


def _pieces(every: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """What an f-string is made of besides its expressions: braces, the text between them, formats."""
    for node in every:
        match node:
            case ast.JoinedStr(values=values):
                yield from values
            case ast.FormattedValue(format_spec=ast.JoinedStr() as spec):
                yield spec


def _annotations(every: Iterable[ast.AST]) -> Iterator[ast.AST]:
    for node in every:
        match node:
            case ast.FunctionDef(returns=ast.expr() as kind):
                yield from ast.walk(kind)
            case ast.arg(annotation=ast.expr() as kind) | ast.AnnAssign(annotation=kind):
                yield from ast.walk(kind)


if __name__ == "__main__":
    main()
