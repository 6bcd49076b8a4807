"""`doctor`: what is installed, what is there, what is wrong and how to mend it."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer

from adaq_core.cli._leaving import UNUSABLE, show
from adaq_core.cli._options import JsonOption

_SIGNS = {"ok": "ok     ", "warn": "warn   ", "problem": "problem"}

HELP = """Check the installation and say how to mend it.

\b
Examples:
  python -m adaq_core doctor
  python -m adaq_core doctor --json | jq '.checks[] | select(.state != "ok")'

Looks at Python, packages, weights, Ollama, live sources, corpora, the run store and the disk. Leaves with 0 when
nothing is a problem, with 3 otherwise. A warning is something that ADAQ works without.
"""


def command(
    as_json: JsonOption = False,
    quick: Annotated[bool, typer.Option("--quick", help="Leave out what takes more than a moment.")] = False,
) -> None:
    """Print what `doctor.checks` found."""
    from adaq_core.cli._diagnosis import checks

    found = list(checks(quick=quick))
    no_problem = all(check.state != "problem" for check in found)
    if as_json:
        print(json.dumps({"ok": no_problem, "checks": [asdict(check) for check in found]}, indent=2))
    else:
        for check in found:
            show(f"{_SIGNS[check.state]}  {check.name}: {check.message}")
            if check.fix:
                show(f"         → {check.fix}")
    if not no_problem:
        raise typer.Exit(UNUSABLE)
