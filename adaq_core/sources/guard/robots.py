"""robots.txt as RFC 9309 reads it: the groups for this agent, the longest rule wins, "*" and "$" in paths."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote, unquote

AGENT = "adaq"

_LONGEST_DELAY = 60.0
_LINE = re.compile(r"^\s*([A-Za-z-]+)\s*:\s*([^#]*)")


@dataclass(frozen=True, slots=True)
class Rule:
    """Paths that match `pattern` are allowed, or not."""

    pattern: str
    allow: bool


@dataclass(frozen=True, slots=True)
class Robots:
    """The rules of one site for one agent. `delay` is the pause in seconds that it asks for between requests."""

    rules: tuple[Rule, ...] = ()
    delay: float = 0.0

    def allows(self, path: str) -> bool:
        """Whether `path` (with its query) may be fetched; of equally long rules the allowing one counts."""
        plain = _plain(path or "/")
        fitting = [rule for rule in self.rules if matches(rule.pattern, plain)]
        best = max(fitting, key=lambda rule: (len(rule.pattern), rule.allow), default=None)
        return best is None or best.allow


ALL_OPEN = Robots()
ALL_CLOSED = Robots((Rule("/", allow=False),))


def parse(text: str, *, agent: str = AGENT) -> Robots:
    """The rules for `agent`: those of its own groups, or else of the groups for "*"."""
    groups: dict[str, list[tuple[Literal["allow", "disallow", "crawl-delay"], str]]] = {}
    named: list[str] = []
    in_header = False
    for key, value in _lines(text):
        if key == "user-agent":
            named = [*named, value.lower()] if in_header else [value.lower()]
            for name in named:
                groups.setdefault(name, [])
            in_header = True
        elif key in ("allow", "disallow", "crawl-delay"):
            in_header = False
            for name in named:
                groups[name].append((key, value))  # type: ignore[arg-type]
    own = [entries for name, entries in groups.items() if _product(name) == agent]
    entries = [entry for group in own for entry in group] if own else groups.get("*", [])
    rules = tuple(Rule(_plain(value), key == "allow") for key, value in entries if key != "crawl-delay" and value)
    delays = [delay for key, value in entries if key == "crawl-delay" if (delay := _seconds(value)) is not None]
    return Robots(rules, max(delays, default=0.0))


def matches(pattern: str, path: str) -> bool:
    """Whether a path begins as `pattern` says; "*" stands for any characters, a last "$" for the end."""
    ends = pattern.endswith("$")
    first, *others = (pattern[:-1] if ends else pattern).split("*")
    if not path.startswith(first):
        return False
    at = len(first)
    last = others.pop() if ends and others else None
    for part in others:
        found = path.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    if last is not None:
        return path.endswith(last) and len(path) - len(last) >= at
    return not ends or at == len(path)


def _lines(text: str) -> list[tuple[str, str]]:
    found = (_LINE.match(line) for line in text.lstrip("\ufeff").splitlines())
    return [(match.group(1).lower(), match.group(2).strip()) for match in found if match is not None]


def _product(name: str) -> str:
    """The product token of a User-agent line: "ADAQ/0.1" speaks of "adaq"."""
    return re.split(r"[^a-z_-]", name, maxsplit=1)[0]


def _plain(path: str) -> str:
    """The same text for paths that are spelled with and without percent signs."""
    return quote(unquote(path, errors="replace"), safe="/?&=*$:@!+,;'()~#[]")


def _seconds(value: str) -> float | None:
    return min(float(value), _LONGEST_DELAY) if re.fullmatch(r"\d{1,6}(\.\d{1,3})?", value) else None
