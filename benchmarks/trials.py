"""Trials counted: what was tried, what survived, how that is printed as a table; the process it is tried on."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from adaq_core.home import PROJECT


@dataclass(slots=True)
class Trial:
    """One kind of attack or accident: how often it was tried and survived, and what else was seen."""

    name: str
    tried: int = 0
    survived: int = 0
    note: str = ""
    failures: list[str] = field(default_factory=list)

    def count(self, what: str, *, held: bool, why: str = "") -> None:
        """Count one try; `why` says what did not hold."""
        self.tried += 1
        self.survived += held
        if not held:
            self.failures.append(f"{what}: {why}"[:300])


def python(code: str, *arguments: str, home: str = "", merge: bool = False) -> subprocess.Popen[str]:
    """Start Python on some code in the project, over a home folder of its own; its output can be read line by line."""
    environment = {**os.environ, **({"ADAQ_HOME": home} if home else {})}
    return subprocess.Popen(
        [sys.executable, "-u", "-c", code, *arguments],
        cwd=PROJECT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if merge else subprocess.DEVNULL,
        text=True,
    )


def table(trials: list[Trial]) -> str:
    """Return the table of docs/speed-and-reliability.md as Markdown."""
    rows = [f"| {one.name} | {one.tried:,} | {one.survived:,} | {one.note} |" for one in trials]
    return "\n".join(["| What | tried | survived | seen |", "|---|--:|--:|---|", *rows])


def show(trials: list[Trial]) -> None:
    """Print the table and every failure; exit code 1 when there was one."""
    print(table(trials))
    print(f"\nLoad of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores.")
    failures = [f"{one.name}: {failure}" for one in trials for failure in one.failures]
    print("\n".join(failures))
    raise SystemExit(1 if failures else 0)


def run_chosen(trials: Mapping[str, Callable[[float], Trial]], about: str | None) -> None:
    """Parse the arguments of the command line, run the trials that they name and show them."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", choices=sorted(trials), help="only this one; may be given again")
    parser.add_argument("--scale", type=float, default=1.0, help="how many tries, beside the usual number")
    given = parser.parse_args()
    show([_made(name, trials[name], given.scale) for name in given.only or trials])


def _made(name: str, work: Callable[[float], Trial], scale: float) -> Trial:
    """The trial; one that breaks off itself counts as not survived, and takes no other down."""
    try:
        return work(scale)
    except Exception as error:
        trial = Trial(name)
        trial.count("the trial itself", held=False, why=repr(error)[-300:])
        return trial
