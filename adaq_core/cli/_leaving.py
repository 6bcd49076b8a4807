"""How commands speak and leave: errors in words on stderr, an exit code for each family."""

from __future__ import annotations

import io
import logging
import re
import sys
from typing import Any

import typer
from typer.core import TyperGroup

from adaq_core.errors import AdaqError, InputError

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
        logging.getLogger("adaq_core.runs.execute").setLevel(
            logging.CRITICAL
        )  # the command itself says why a run failed
        try:
            return super().invoke(ctx)
        except InputError as error:
            say(f"Error: {error}")
            raise typer.Exit(BAD_INPUT) from error
        except AdaqError as error:
            say(f"Error: {error}")
            raise typer.Exit(UNUSABLE) from error
        except (KeyboardInterrupt, typer.Abort) as error:
            say("Stopped.")
            raise typer.Exit(STOPPED) from error


class _MessageOnly(logging.Formatter):
    """The message without a traceback: that of a failed run is in its events."""

    def format(self, record: logging.LogRecord) -> str:
        return harmless(record.getMessage())


def say(text: str) -> None:
    """Write a line for the person to stderr."""
    typer.echo(harmless(text), err=True)


def show(text: str) -> None:
    """Write a part of the result to stdout."""
    typer.echo(harmless(text))


def harmless(text: str) -> str:
    """`text` without control characters, with which a document could steer the terminal."""
    return _CONTROL.sub("", text)


def write_as_the_terminal_can() -> None:
    """Replace characters that the terminal cannot show in place of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
