"""The command line: one file per command, found, not registered.

A file of this folder without a leading underscore is a command of its name. It defines either `command`, a function,
and its help in `HELP`, or `group`, a Typer app with commands of its own.

Exit codes: 0 all is well, 1 a run failed, 2 what was asked cannot be done (bad input), 3 the store, a corpus or a model
cannot be used, 130 stopped with Ctrl-C.
"""

from __future__ import annotations

import atexit
import importlib
import os
import pkgutil
import signal
import sys
from contextlib import suppress

import typer

from adaq_core.cli._hop_log import Commands, write_as_the_terminal_can
from adaq_core.runs.jobs import hurry

HELP = """Ask in hops: each goes after what the evidence does not cover yet.

\b
Examples:
  python -m adaq_core ask "Compare self-attention and multi-head attention"
  python -m adaq_core ask "Top risks facing Tesla in 2025" -v
  python -m adaq_core ask "What changed in the lease?" --corpus ./contracts --json
  python -m adaq_core index ./contracts --corpus contracts
  python -m adaq_core compare "What caused the Boeing door plug accident?" --methods adaptive,bm25,static
  python -m adaq_core runs list --status failed
  python -m adaq_core doctor

\b
Exit codes: 0 all is well; 1 a run failed; 2 what was asked cannot be done; 3 the store, a corpus or a model cannot be
used; 130 stopped with Ctrl-C. Results go to stdout; progress and messages to stderr.
"""


def build() -> typer.Typer:
    """Return the Typer app with every command of this folder."""
    app = typer.Typer(
        name="adaq",
        cls=Commands,
        help=HELP,
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    app.callback()(_nothing)
    for name in sorted(module.name for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_")):
        module = importlib.import_module(f"{__name__}.{name}")
        if hasattr(module, "group"):
            app.add_typer(module.group, name=name)
        else:
            app.command(name, help=module.HELP)(module.command)
    return app


def _nothing() -> None:
    """Do nothing; without a callback, an app with a single command would have no command names."""


_told_to_end: list[int] = []


def _end_in_order(number: int, _: object) -> None:
    """Exit on a signal so that running runs are marked as interrupted and can be resumed."""
    _told_to_end.append(number)
    raise SystemExit(128 + number)


def main() -> None:
    """Run the command that the arguments name, and leave with its exit code."""
    signal.signal(signal.SIGTERM, _end_in_order)
    write_as_the_terminal_can()
    try:
        _run()
    finally:
        if signal.SIGTERM in _told_to_end:
            _leave_at_once()


def _leave_at_once() -> None:
    """Exit as the interpreter would, but without tearing down what is loaded: that takes 8 s on a busy machine."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # `timeout` tells twice: the second must not break the closing off
    hurry()
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # nobody reads it any more
            stream.flush()
    os._exit(128 + signal.SIGTERM)


def _run() -> None:
    try:
        build()(prog_name="python -m adaq_core" if sys.argv[0].endswith("__main__.py") else None)
    except RuntimeError as error:
        # What a signal raises in the middle of a query is lost: DuckDB raises this in its place.
        if str(error) != "Query interrupted":
            raise
        raise SystemExit(128 + (_told_to_end or [signal.SIGINT])[-1]) from error
