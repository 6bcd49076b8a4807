"""Every compiled pattern is linear: ten times the repeats of what it repeats or chooses from take ten times as long."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import signal
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as sre_parser  # type: ignore[attr-defined]

import pytest

import adaq_core
from adaq_core.question.answer_kinds import LanguagePattern

PAGES = Path(__file__).resolve().parents[1] / "pages"
REPEATS = 10_000
SECONDS = 3.0  # a search is then broken off; an exponential one never ends
NOTICED = 0.02  # seconds; what takes less may grow as it likes
# Ten times the repeats take so much longer: of all patterns here at most 21 times, in a row of tries, while quadratic
# ones took 60 to 190 times.
GROWN = 30
TRIES = 3
PLAIN = (
    "a",
    "a ",
    "A",
    "A ",
    "Aa ",
    " ",
    "\n",
    ",",
    ", a",
    "and ",
    "1",
    "1 ",
    "1,",
    ".",
    "a.",
    "(",
    '"',
    "'",
    "-",
    "why, ",
    "x's ",
    "the a of ",
    "é",
)
# Patterns that other parts of the product own and that only ever see a short text; each with the reason.
SHORT_TEXTS = {
    "adaq_core.llm.replies._LINE": "a line of a reply is cut to 1,000 characters before it is read",
    r"adaq_core.question.relation_chains: (?:\s+(?:of|the|and|in|on|for|to|&))+$": "a part of a question",
    r"adaq_core.question.comparisons: ^(?:the\s+)?(?P<topic>.{1,100}?)\s+(?:of|at|for)\s+(?P<who>.{1,120})$": (
        "a part of a question, without runs of blanks"
    ),
}


def patterns_of(module) -> Iterator[tuple[str, re.Pattern]]:
    for name, value in sorted(vars(module).items()):
        for place, pattern in inside(value, set()):
            yield f"{module.__name__}.{name}{place}", pattern


def inside(value, seen: set[int], depth: int = 0) -> Iterator[tuple[str, re.Pattern]]:
    if depth > 4 or id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, re.Pattern):
        yield "", value
    elif isinstance(value, LanguagePattern):
        yield "", value.regex
    elif isinstance(value, (tuple, list, frozenset, set)):
        for number, part in enumerate(value):
            yield from ((f"[{number}]{place}", found) for place, found in inside(part, seen, depth + 1))
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from ((f"[{key!r}]{place}", found) for place, found in inside(part, seen, depth + 1))
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from inside(getattr(value, field.name, None), seen, depth + 1)


def modules() -> Iterator:
    for info in pkgutil.walk_packages(adaq_core.__path__, "adaq_core."):
        if not info.name.endswith("__main__"):
            yield importlib.import_module(info.name)
    # The folders of the pages are no packages, and what stands beside them is run, not imported.
    for path in sorted(PAGES.glob("_shared/**/*.py")):
        yield importlib.import_module(".".join(path.relative_to(PAGES.parent).with_suffix("").parts))


def patterns_inside(module) -> Iterator[tuple[str, re.Pattern]]:
    """The patterns that stand in functions, as constants; a module looks for them only when it is asked."""
    known = {pattern.pattern for _, pattern in patterns_of(module)}
    for call in ast.walk(ast.parse(inspect.getsource(module))):
        match call:
            case ast.Call(func=ast.Attribute(value=ast.Name("re")), args=[ast.Constant(str(text)), *_]):
                if text not in known:
                    yield f"{module.__name__}: {text}", re.compile(text, flags_of(call))


def flags_of(call: ast.Call) -> int:
    """The flags that a call names."""
    names = {node.attr for node in ast.walk(call) if isinstance(node, ast.Attribute)} & set(re.RegexFlag.__members__)
    return sum(re.RegexFlag[name] for name in names)


@dataclass(frozen=True)
class Pump:
    """What a pattern accepts, and one of its repeats or alternatives."""

    before: str
    body: str
    end: str = ""

    def text(self, repeats: int) -> str:
        """The text with this many of the repeat, fewer of a long one."""
        return f"{self.before}{self.body * (repeats // max(1, len(self.body) // 8))}{self.end}"


def pumps(pattern: re.Pattern) -> list[Pump]:
    """The pattern's own, and what no pattern is written for."""
    found: list[tuple[str, str]] = []
    if isinstance(pattern.pattern, bytes):
        return []
    written(sre_parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG), "", found)
    own = dict.fromkeys(Pump(before, body, "\x00") for before, body in found if body)
    return [*own, *(Pump("", body) for body in PLAIN)]


def written(nodes: Iterable, before: str, found: list[tuple[str, str]]) -> str:
    """A text that the nodes accept; on the way notes what may be repeated, and the text in front of it."""
    text = ""
    for operator, argument in nodes:
        text += node_text(operator, argument, before + text, found)
    return text


def node_text(operator, argument, before: str, found: list[tuple[str, str]]) -> str:
    if operator is sre.LITERAL:
        return chr(argument)
    if operator in (sre.NOT_LITERAL, sre.ANY):
        return "a" if argument != ord("a") else "b"
    if operator is sre.IN:
        return member(argument)
    if operator in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
        least, _, body = argument
        text = written(body, before, found)
        found.append((before, text))
        return text * max(1, min(least, 4))
    if operator is sre.BRANCH:
        texts = [written(branch, before, found) for branch in argument[1]]
        found.extend((before, text) for text in texts)
        return texts[0]
    if operator is sre.SUBPATTERN:
        return written(argument[-1], before, found)
    if operator is sre.ATOMIC_GROUP:
        return written(argument, before, found)
    return ""


def member(choices) -> str:
    negated = choices[0][0] is sre.NEGATE
    single = [
        chr(value if kind is sre.LITERAL else value[0]) for kind, value in choices if kind in (sre.LITERAL, sre.RANGE)
    ]
    classes = {sre.CATEGORY_SPACE: " ", sre.CATEGORY_DIGIT: "1", sre.CATEGORY_WORD: "a", sre.CATEGORY_NOT_SPACE: "a",
               sre.CATEGORY_NOT_DIGIT: "a", sre.CATEGORY_NOT_WORD: "-"}  # fmt: skip
    named = [classes[value] for kind, value in choices if kind is sre.CATEGORY]
    if not negated:
        return (named or single or ["a"])[0]
    taken = {*single, *named}
    return next(char for char in "a1- ,zQ\n" if char not in taken)


class TooLongError(Exception):
    """A search ran into its limit."""


def seconds(pattern: re.Pattern, text: str, *, at_most: float) -> float:
    """How many seconds of the processor a search of the text takes; broken off, it has taken `at_most`.

    They are this thread's: what else a machine does counts for nothing, and while a timer runs, as here, some systems
    count those of a process in steps of thousandths.
    """

    def stop(*_):
        raise TooLongError

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, at_most)
    started = time.thread_time()
    try:
        try:
            for _ in pattern.finditer(text):
                pass
        finally:  # the signal may still come here
            signal.setitimer(signal.ITIMER_PROF, 0)
    except TooLongError:
        return at_most
    finally:
        signal.signal(signal.SIGPROF, before)
    return time.thread_time() - started


@cache
def is_slow(pattern: re.Pattern, pump: Pump) -> bool:
    """Whether a search of the pumped text is broken off, or takes far more than ten times as long as one of a tenth.

    A tenth of the repeats nearly always tells, with two tenths or five (`EVEN`). What then looks slow has to do so each
    time that it is tried. A pattern that several modules hold is tried once.
    """
    if (tenth := _tenth(pattern, pump, 1)) <= NOTICED / 100:
        return False
    tenth = min(tenth, _tenth(pattern, pump, 1))
    if any(_is_even(pattern, pump, tenth, times) for times in EVEN):
        return False
    return all(_grows(pattern, pump) for _ in range(TRIES))


def _tenth(pattern: re.Pattern, pump: Pump, tries: int) -> float:
    """The time for a tenth of the repeats, the least of some tries: more of it is noise."""
    return min(seconds(pattern, pump.text(REPEATS // 10), at_most=SECONDS / 10) for _ in range(tries))


# A tenth within this share of the limit is believed where so many times the repeats take less than so much longer.
# Work that grows with the length n and in part with its square, a n + c n², then takes all of them less than `GROWN`
# times the tenth: 2 a + 4 c < 2.4 (a + c) means c < a / 4, at most 28 times; 5 a + 25 c < 6 (a + c), at most 14.5.
EVEN = {2: (1 / 100, 2.4), 5: (1 / 25, 6.0)}


def _is_even(pattern: re.Pattern, pump: Pump, tenth: float, times: int) -> bool:
    """Whether so many times the tenth take so little longer that all of them are quick."""
    share, longer = EVEN[times]
    most = longer * tenth
    return tenth < SECONDS * share and seconds(pattern, pump.text(times * REPEATS // 10), at_most=most) < most


def _grows(pattern: re.Pattern, pump: Pump) -> bool:
    """Whether all of the repeats take far more than ten times as long as a tenth, or too long at all."""
    tenth = _tenth(pattern, pump, TRIES)
    whole = seconds(pattern, pump.text(REPEATS), at_most=SECONDS)
    return whole >= SECONDS or (whole > NOTICED and whole > GROWN * tenth)


def slow_patterns(module) -> list[str]:
    slow = []
    for name, pattern in chain(patterns_of(module), patterns_inside(module)):
        if name in SHORT_TEXTS:
            continue
        worst = next((pump for pump in pumps(pattern) if is_slow(pattern, pump)), None)
        if worst is not None:
            slow.append(f"{name}: {worst.text(REPEATS)[:40]!r}…")
    return slow


@pytest.mark.parametrize("bad", [r"(?:a+)+b", r"(?:a|aa)+$", r"(?:\w+,\s*)+and", r"a*a*b", r"(\w+\s+)*x"])
def test_an_exponential_or_cubic_pattern_is_noticed(bad):
    assert any(is_slow(re.compile(bad), pump) for pump in pumps(re.compile(bad)))


@pytest.mark.parametrize("bad", [r"\s+each$", r"\w+ by\b", r"[ \t]+$", r"\([^)]*\)", r"\b[A-Za-z]*[A-Z][A-Za-z]* \d"])
def test_a_quadratic_pattern_is_noticed(bad):
    assert any(is_slow(re.compile(bad), pump) for pump in pumps(re.compile(bad)))


@pytest.mark.parametrize("module", list(modules()), ids=lambda module: module.__name__)
def test_no_pattern_takes_longer_than_its_text(module):
    assert slow_patterns(module) == []
