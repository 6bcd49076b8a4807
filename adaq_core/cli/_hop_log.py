"""How the commands show a run on a terminal: its log hop by hop, a line of progress, and an orderly end on Ctrl-C."""

from __future__ import annotations

import io
import logging
import re
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

import typer
from typer.core import TyperGroup

from adaq_core.errors import AdaqError, InputError
from adaq_core.events import (
    AspectsPlanned,
    Branched,
    CoverageAssessed,
    Decided,
    Event,
    FellBack,
    HopStarted,
    LinksFollowed,
    Noticed,
    PassagesRetrieved,
    RunFailed,
    RunFinished,
    RunStarted,
    SourcesSearched,
    WordingsLearned,
)
from adaq_core.model import Passage, QueryAspect
from adaq_core.text.tokens import upper_first

RUN_FAILED = 1
BAD_INPUT = 2
UNUSABLE = 3
STOPPED = 130

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class Commands(TyperGroup):
    """A group of commands whose errors on purpose become a sentence and an exit code."""

    def invoke(self, ctx: Any) -> object:
        """Run the command."""
        logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
        logging.getLogger().handlers[0].setFormatter(_MessageOnly("%(message)s"))
        logging.getLogger("adaq_core.runs.execute").setLevel(logging.CRITICAL)  # the command says why a run failed
        try:
            return super().invoke(ctx)
        except InputError as error:
            say(f"Error: {upper_first(str(error))}")
            raise typer.Exit(BAD_INPUT) from error
        except AdaqError as error:
            say(f"Error: {upper_first(str(error))}")
            raise typer.Exit(UNUSABLE) from error
        except (KeyboardInterrupt, typer.Abort) as error:
            say("Stopped.")
            raise typer.Exit(STOPPED) from error


class _MessageOnly(logging.Formatter):
    """Formats a log record as its message without a traceback: a failed run's is in its events."""

    def format(self, record: logging.LogRecord) -> str:
        return harmless(record.getMessage())


def say(text: str) -> None:
    """Write a line for the person to stderr."""
    typer.echo(harmless(text), err=True)


def show(text: str) -> None:
    """Write a part of the result to stdout."""
    typer.echo(harmless(text))


def harmless(text: str) -> str:
    """Return `text` without control characters, which could steer the terminal."""
    return _CONTROL.sub("", text)


def write_as_the_terminal_can() -> None:
    """Replace characters that the terminal cannot show in place of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def counted(number: int, noun: str) -> str:
    """Return `number` and the noun, in the plural where needed."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


_WIDTH = 30
_EVERY_SECONDS = 0.1


class Bar:
    """A progress line that is redrawn; on anything but a terminal, a line at every tenth."""

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


@dataclass(slots=True)
class HopLog:
    """Turns events into lines as they come; it remembers the aspects and the documents found so far."""

    max_hops: int = 0
    aspects: tuple[QueryAspect, ...] = ()
    threshold: float = 0.5
    hop: int = 0
    documents: set[str] = field(default_factory=set)
    weighted: float = 0.0

    def lines(self, event: Event) -> Iterator[str]:
        """Yield what to print for `event`; nothing for most."""
        match event:
            case RunStarted():
                self.max_hops, self.threshold = event.settings.max_hops, event.settings.coverage_threshold
            case AspectsPlanned() | Branched():
                yield from self._planned(event)
            case WordingsLearned():
                yield f"  Learned from {counted(event.runs, 'earlier run')} on this corpus"
            case HopStarted():
                yield from self._started(event)
            case SourcesSearched():
                yield from _searched(event)
            case PassagesRetrieved():
                yield f"  Subquery: {event.query.text}"
                yield self._found([scored.passage for scored in event.passages[: event.read]])
            case LinksFollowed():
                yield from (
                    f"  Link: “{link.entity}” named in {link.parent_id} → {link.target_id}" for link in event.links
                )
                yield self._found(event.passages)
            case CoverageAssessed():
                yield from self._assessed(event)
            case Decided():
                yield f"  Decision: {'Stop' if event.decision.stop else 'Continue'} - {event.decision.reason}"
            case FellBack():
                yield f"  ⚠ {event.stage}: {event.problem}; used {event.used} instead"
            case Noticed():
                yield f"  Note ({event.stage}): {event.message}"
            case RunFinished():
                early = "Stopping early" if self.hop < self.max_hops else "Stopping"
                yield f"\n✓ {early} after {counted(self.hop, 'hop')}: {event.reason}"
            case RunFailed():
                yield f"\n✗ Failed: {event.message}"
            case _:
                pass

    def _planned(self, event: AspectsPlanned | Branched) -> Iterator[str]:
        self.aspects = event.aspects
        if isinstance(event, AspectsPlanned):
            yield from _planned(event)
            return
        self.max_hops, self.threshold = event.settings.max_hops, event.settings.coverage_threshold
        yield f"\n  Branched here: {counted(len(event.aspects), 'aspect')} from now on"

    def _started(self, event: HopStarted) -> Iterator[str]:
        self.hop = event.hop
        still = counted(len(event.open_aspects), "uncovered aspect")
        yield f"\n[Hop {event.hop}/{self.max_hops}] Targeting {still}"
        for name in dict.fromkeys(query.aspect for query in event.queries if query.aspect):
            yield f"  🎯 Targeting Aspect: {name}"
        yield f"  Why: {event.why}"

    def _found(self, passages: Sequence[Passage]) -> str:
        results = {passage.document_id for passage in passages}
        self.documents |= results
        return f"  Found {counted(len(results), 'relevant document')} (total: {len(self.documents)})"

    def _assessed(self, event: CoverageAssessed) -> Iterator[str]:
        scores = {score.aspect: score.score for score in event.scores}
        still = [a.aspect for a in self.aspects if scores.get(a.aspect, 0.0) < self.threshold]
        self.weighted = event.weighted
        for name in event.newly_covered:
            yield f"  ⊕ Newly covered: {name}"
        yield f"  📊 Coverage: {event.percentage:.1%} ({counted(len(still), 'aspect')} uncovered)"
        if f"{event.weighted:.1%}" != f"{event.percentage:.1%}":
            yield f"  Weighted coverage: {event.weighted:.1%} (the mean of the scores, not the share covered)"
        if still:
            yield f"  Uncovered: {still}"
        from adaq_core.export.verdict import own_estimate

        if estimate := own_estimate(event.sufficiency, event.answerable):
            yield f"  {estimate}"


def _planned(event: AspectsPlanned) -> Iterator[str]:
    yield f"📋 Identified Aspects ({len(event.aspects)}):"
    for number, aspect in enumerate(event.aspects, 1):
        rank = "CORE" if aspect.is_core else "OPTIONAL"
        yield f"  {number}. [{rank}] {aspect.aspect} ({aspect.aspect_type})"
    yield from (f"  {note}" for note in event.notes)
    if event.lost:
        yield f"  Words of the question that no aspect contains: {', '.join(event.lost)}"


def _searched(event: SourcesSearched) -> Iterator[str]:
    yield f"  Live sources, asked for: {event.query}"
    for report in event.reports:
        brought = f"{counted(report.documents, 'document')}, {counted(report.passages, 'new passage')}"
        how = "from the cache" if report.cached else counted(report.requests, "request")
        yield f"    {report.name}: {report.error or brought} ({how}, {report.seconds:.1f} s)"
        yield from (f"      {note}" for note in report.notes)
    yield from (f"    {note}" for note in event.notes)
