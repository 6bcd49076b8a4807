"""Draw who imports whom in adaq_core: `python -m benchmarks.architecture` rewrites docs/architecture.md.

The picture holds each arrow that no longer way implies (the transitive reduction), so that it stays readable; the
import contract in pyproject.toml checks all of them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import grimp

PAGE = Path(__file__).parents[1] / "docs" / "architecture.md"
_BLOCK = re.compile(r"(?s)(?<=<!-- picture -->\n).*?(?=\n<!-- end of picture -->)")
_ROOM_DEPTH = 2
# The nouns are imported by every folder: arrows to them would say nothing.
_EVERYWHERE = frozenset({"errors", "model", "events", "home"})

Arrows = dict[str, frozenset[str]]


def arrows() -> Arrows:
    """Return, for each folder or root module of adaq_core, those that it imports."""
    graph = grimp.build_graph("adaq_core")
    below: dict[str, set[str]] = defaultdict(set)
    for importer in graph.modules:
        for imported in graph.find_modules_directly_imported_by(importer):
            below[_room(importer)].add(_room(imported))
    ignored = {*_EVERYWHERE, ""}
    return {room: frozenset(rooms - {room} - ignored) for room, rooms in below.items() if room not in ignored}


def reduced(arrows: Arrows) -> Arrows:
    """Return `arrows` without those that a longer way implies."""
    return {room: frozenset(_needed(arrows, room)) for room in arrows}


def mermaid(arrows: Arrows) -> str:
    """Return the picture in Mermaid's language, which GitHub draws."""
    lines = [f"    {room} --> {target}" for room in sorted(arrows) for target in sorted(arrows[room])]
    return "\n".join(("```mermaid", "graph TD", *lines, "```"))


def main() -> None:
    """Write the picture into the page."""
    text = PAGE.read_text(encoding="utf-8")
    picture = mermaid(reduced(arrows()))
    PAGE.write_text(_BLOCK.sub(lambda _: picture, text), encoding="utf-8")


def _room(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) >= _ROOM_DEPTH else ""


def _needed(arrows: Arrows, room: str) -> set[str]:
    targets = arrows[room]
    implied = {far for near in targets for far in _reached(arrows, near, avoiding=room)}
    return set(targets - implied)


def _reached(arrows: Arrows, start: str, *, avoiding: str) -> set[str]:
    """Return what can be reached from `start`, itself left out; two folders may import each other."""
    reached: set[str] = set()
    waiting = [start]
    while waiting:
        for target in arrows.get(waiting.pop(), frozenset()) - {avoiding, start}:
            if target not in reached:
                reached.add(target)
                waiting.append(target)
    return reached


if __name__ == "__main__":
    main()
