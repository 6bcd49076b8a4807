"""Which patterns of language decide how a question is read: python -m benchmarks.patterns [SET ...].

Each is switched off by itself. A line for each that decides little: in how many questions it matches, how many of these
are read in another way without it, and whether its own example is. Without names, all written exams, both halves. What
decides nothing here may still be needed: read how its example, and others like it, are planned without it before it
goes (docs/experiments.md, “What is never needed”).
"""

from __future__ import annotations

import importlib
import pkgutil
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import adaq_core.question
from adaq_core.datasets.beir import load_set
from adaq_core.errors import InputError
from adaq_core.question.answer_kinds import LanguagePattern
from adaq_core.question.aspects import plan
from adaq_core.question.parse import parse
from adaq_core.question.query_templates import profiles
from benchmarks.exams import SETS

NOTHING = re.compile(r"(?!)")
FEW = 3  # questions
MOST = 60  # questions of a pattern that are read without it


@dataclass(frozen=True, slots=True)
class Use:
    """In how many questions a pattern matches, in how many it decides, and whether it decides its own example."""

    matched: int
    decided: int
    decides_example: bool


def modules() -> list[ModuleType]:
    """The modules of the reading of a question."""
    path = adaq_core.question.__path__
    return [importlib.import_module(f"adaq_core.question.{info.name}") for info in pkgutil.iter_modules(path)]


def patterns() -> Iterator[tuple[str, LanguagePattern[str]]]:
    """All patterns that stand in tables, each once, with the place where it stands."""
    seen = set[int]()
    for module in modules():
        for name, value in vars(module).items():
            for number, row in enumerate(value if isinstance(value, tuple) else ()):
                if isinstance(row, LanguagePattern) and id(row) not in seen:
                    seen.add(id(row))
                    yield f"{module.__name__.rpartition('.')[2]}.{name}[{number}]", row


def reading(question: str) -> str:
    """All that is read in a question, read anew; the error where it is refused."""
    for module in modules():
        for value in vars(module).values():
            if hasattr(value, "cache_clear"):
                value.cache_clear()
    try:
        return repr((parse(question), plan(question, profiles=profiles())))
    except InputError as error:
        return str(error)


@contextmanager
def replaced(row: LanguagePattern[str], regex: object) -> Iterator[None]:
    """Meanwhile the pattern searches with `regex`."""
    own = row.regex
    row.__dict__["regex"] = regex
    try:
        yield
    finally:
        row.__dict__["regex"] = own


class Noting:
    """A compiled pattern that notes whether it matched."""

    def __init__(self, regex: re.Pattern[str]) -> None:
        self.regex, self.matched = regex, False

    def __getattr__(self, name: str) -> Callable[[str], Any]:
        """The method of the pattern, which notes a match as well."""

        def noted(text: str) -> Any:
            self.matched = self.matched or self.regex.search(text) is not None
            return getattr(self.regex, name)(text)

        return noted


def use_of(row: LanguagePattern[str], questions: Sequence[str], readings: Sequence[str]) -> Use:
    """What the pattern does in questions in which it matches, of at most `MOST`."""
    with replaced(row, NOTHING):
        decided = sum(reading(q) != own for q, own in zip(questions[:MOST], readings, strict=False))
        without = reading(row.example)
    return Use(len(questions), decided, without != reading(row.example))


def uses(questions: Iterable[str]) -> Iterator[tuple[str, LanguagePattern[str], Use]]:
    """What each pattern does in these questions."""
    rows = list(patterns())
    matched: dict[str, dict[str, str]] = {place: {} for place, _ in rows}
    noting = {place: Noting(row.regex) for place, row in rows}
    with ExitStack() as meanwhile:
        for place, row in rows:
            meanwhile.enter_context(replaced(row, noting[place]))
        for question in dict.fromkeys(questions):
            read = reading(question)
            for place, each in noting.items():
                if each.matched:
                    matched[place][question] = read
                each.matched = False
    for place, row in rows:
        yield place, row, use_of(row, list(matched[place]), list(matched[place].values()))


def main() -> None:
    """Print the patterns that decide in fewer than `FEW` questions, and how many there are of all."""
    names = sys.argv[1:] or SETS
    asked = [q.text for name in names for half in ("dev", "final") for q in load_set(name, half)]
    made = list(uses(asked))
    for place, row, use in made:
        if use.decided < FEW:
            example = "" if use.decides_example else ", not its example either"
            print(f"{place}: matches {use.matched}, decides {use.decided}{example}: {row.example}")
    never, nothing = (sum(test) for test in zip(*((not u.matched, not u.decided) for _, _, u in made), strict=True))
    print(f"{len(made)} patterns, {len(set(asked))} questions: {never} match none, {nothing} decide none")


if __name__ == "__main__":
    main()
