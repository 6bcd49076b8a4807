"""Follow the question through the adaptive method: `python -m benchmarks.journey`.

A stay is a function that gets the question, or its one reading, as an argument under whatever name. The walk reads
syntax trees: a call is followed where its name is defined or imported in the same module, or where one class alone has
a method of that name.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from benchmarks.density import tree_of

ROOT = Path(__file__).parents[1]
START = ("adaq_core.methods.adaptive", "run")
# What the question is called on its way: the text, and the one reading of it.
CARRIED = frozenset({"question", "parsed"})

Place = tuple[str, str]
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(slots=True)
class Module:
    """The functions of a module, those of its classes as `Class.name`, and what its imports mean."""

    functions: dict[str, Function] = field(default_factory=dict)
    imports: dict[str, Place] = field(default_factory=dict)


class Code:
    """The modules of adaq_core as syntax trees."""

    def __init__(self, root: Path = ROOT) -> None:
        paths = sorted((root / "adaq_core").rglob("*.py"))
        self.modules = {_dotted(path, root): _module(tree_of(path)) for path in paths}

    @cached_property
    def methods(self) -> dict[str, list[Place]]:
        """Where a method of a name is defined."""
        places: dict[str, list[Place]] = defaultdict(list)
        for module, code in self.modules.items():
            for name in code.functions:
                if "." in name:
                    places[name.rpartition(".")[2]].append((module, name))
        return places

    def called(self, module: str, call: ast.Call) -> Place | None:
        """Return the function that `call` calls, if the trees alone say which."""
        code = self.modules[module]
        if isinstance(call.func, ast.Attribute):
            places = self.methods.get(call.func.attr, [])
            return places[0] if len(places) == 1 and call.func.attr not in dir(str) else None
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        if name in code.functions:
            return module, name
        there, original = code.imports.get(name, ("", ""))
        return (there, original) if original in getattr(self.modules.get(there), "functions", {}) else None


def journey(code: Code, start: Place = START) -> list[Place]:
    """Return the stays in the order of the walk, each once."""
    names: dict[Place, frozenset[str]] = {}
    waiting = [(start, CARRIED)]
    while waiting:
        place, carried = waiting.pop(0)
        if not carried <= names.get(place, frozenset()):
            names[place] = names.get(place, frozenset()) | carried
            waiting.extend(_next_stays(code, place, names[place]))
    return list(names)


def main() -> None:
    """Print the stays by file, and their number."""
    stays = journey(Code())
    for module, name in stays:
        print(f"{module.removeprefix('adaq_core.')}: {name}")
    print(f"{len(stays)} functions in {len({module for module, _ in stays})} files")


def _next_stays(code: Code, place: Place, carried: frozenset[str]) -> Iterator[tuple[Place, frozenset[str]]]:
    module, name = place
    for node in ast.walk(code.modules[module].functions[name]):
        if isinstance(node, ast.Call) and (target := code.called(module, node)):
            received = _received(code.modules[target[0]].functions[target[1]], node, carried)
            if received:
                yield target, CARRIED | received


def _received(function: Function, call: ast.Call, carried: frozenset[str]) -> frozenset[str]:
    """Return the parameters of `function` that get the question in `call`."""
    parameters = [each.arg for each in function.args.args if each.arg not in ("self", "cls")]
    by_place = (name for name, value in zip(parameters, call.args, strict=False) if _is_carried(value, carried))
    by_name = (each.arg for each in call.keywords if each.arg and _is_carried(each.value, carried))
    return frozenset((*by_place, *by_name))


def _is_carried(value: ast.expr, carried: frozenset[str]) -> bool:
    if isinstance(value, ast.Attribute):
        return value.attr in CARRIED
    return isinstance(value, ast.Name) and value.id in carried


def _module(tree: ast.Module) -> Module:
    module = Module()
    for node in tree.body:
        if isinstance(node, Function):
            module.functions[node.name] = node
        elif isinstance(node, ast.ClassDef):
            methods = (each for each in node.body if isinstance(each, Function))
            module.functions |= {f"{node.name}.{each.name}": each for each in methods}
    for each in ast.walk(tree):
        if isinstance(each, ast.ImportFrom) and each.module:
            module.imports |= {alias.asname or alias.name: (each.module, alias.name) for alias in each.names}
    return module


def _dotted(path: Path, root: Path) -> str:
    return ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")


if __name__ == "__main__":
    main()
