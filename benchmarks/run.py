"""Run the benchmarks, each in a process of its own, and print their figures beside the budgets.

python -m benchmarks.run                 everything (some minutes; 1M passages need 8 GB of memory)
python -m benchmarks.run --quick         without what takes more than a minute
python -m benchmarks.run --only store    one of them
python -m benchmarks.run --json          one JSON object on stdout

A benchmark is a file of this folder with a function `figures(*, quick)`; its docstring's first line is shown.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from adaq_core.home import PROJECT

_FIGURES = "FIGURES "


def names() -> list[str]:
    """The benchmarks there are."""
    files = Path(__file__).parent.glob("*.py")
    return sorted(path.stem for path in files if "\ndef figures(" in path.read_text(encoding="utf-8"))


def main() -> None:
    """Parse the arguments and do what they say."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", choices=names(), help="only this one; may be given several times")
    parser.add_argument("--quick", action="store_true", help="leave out what takes more than a minute")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--child", choices=names(), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        figures = importlib.import_module(f"benchmarks.{given.child}").figures(quick=given.quick)
        print(_FIGURES + json.dumps([figure.as_dict() for figure in figures]))
        return
    measured = {name: _measure(name, quick=given.quick, quiet=given.json) for name in given.only or names()}
    if given.json:
        print(json.dumps({"machine": machine(), "benchmarks": measured}, indent=2))
    if any(isinstance(result, str) for result in measured.values()):
        raise SystemExit(1)


def machine() -> dict[str, Any]:
    """What the figures depend on."""
    return {"python": platform.python_version(), "system": platform.platform(), "cores": os.cpu_count()}


def _measure(name: str, *, quick: bool, quiet: bool) -> list[dict[str, Any]] | str:
    """The figures of one benchmark, or what went wrong."""
    command = [sys.executable, "-m", "benchmarks.run", "--child", name, *(["--quick"] if quick else [])]
    with tempfile.TemporaryDirectory(prefix="adaq-benchmark-") as home:
        environment = {**os.environ, "ADAQ_HOME": home, "PYTHONHASHSEED": "0"}
        done = subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, text=True, check=False)
    lines = [line for line in done.stdout.splitlines() if line.startswith(_FIGURES)]
    if done.returncode != 0 or not lines:
        problem = (done.stderr or done.stdout).strip()[-2000:]
        print(f"\n{name}: failed\n{problem}", file=sys.stderr)
        return problem or f"it ended with code {done.returncode}"
    figures: list[dict[str, Any]] = json.loads(lines[-1][len(_FIGURES) :])
    if not quiet:
        _print(name, figures)
    return figures


def _print(name: str, figures: list[dict[str, Any]]) -> None:
    about = (importlib.import_module(f"benchmarks.{name}").__doc__ or "").strip().splitlines()[0]
    print(f"\n{name}: {about}")
    for figure in figures:
        line = f"  {figure['name']:<58} {figure['value']:>12,.4g} {figure['unit']:<6}"
        if figure["budget"] is not None:
            verdict = "ok" if figure["ratio"] <= 1 else "TOO MUCH"
            line += f" {figure['ratio']:>7.2f} x of {figure['budget']:g} {figure['unit']}  {verdict}"
        print(f"{line}  {figure['note']}".rstrip(), flush=True)


if __name__ == "__main__":
    main()
