"""Progress of long work, on stderr."""

from __future__ import annotations

import sys
import time
from types import TracebackType

from adaq_core.cli._leaving import harmless


def counted(number: int, noun: str) -> str:
    """`number` and the noun, in the plural where it has to be."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


_WIDTH = 30
_EVERY_SECONDS = 0.1


class Bar:
    """A line that is drawn over again; on what is no terminal, a line at every tenth of the way."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._terminal = sys.stderr.isatty()
        self._drawn = 0.0
        self._tenth = -1
        self._shown = False

    def __enter__(self) -> Bar:
        """Begin; nothing is drawn before the first step."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the line as it is and go on below it."""
        if self._shown and self._terminal:
            print(file=sys.stderr)

    def __call__(self, done: int, total: int, what: str) -> None:
        """Say that `done` of `total` are done, and what comes next."""
        share = done / total if total else 1.0
        if self._terminal:
            self._draw(share, done, total, what)
        elif int(share * 10) != self._tenth:
            self._tenth = int(share * 10)
            print(f"{self._title}: {done}/{total}", file=sys.stderr, flush=True)

    def _draw(self, share: float, done: int, total: int, what: str) -> None:
        now = time.monotonic()
        if share < 1 and now - self._drawn < _EVERY_SECONDS:
            return
        self._drawn, self._shown = now, True
        full = round(share * _WIDTH)
        line = f"{self._title} [{'#' * full}{'.' * (_WIDTH - full)}] {done}/{total} {harmless(what)[:40]}"
        print(f"\r\033[K{line}", end="", file=sys.stderr, flush=True)
