"""Lint the scripts as a browser gets them, with oxlint: `python -m benchmarks.javascript`.

A script is `dom.js`, its parts and its own file in one: only there is it known which names are defined and used. What
is wrong is told at its place in the file of its own.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from adaq_core.export.page import FILES, joined, lanes_parts
from pages._shared.components.component_files import script_parts

ROOT = Path(__file__).parents[1]
RULES = ROOT / ".oxlintrc.json"
OXLINT = Path(sys.executable).with_name("oxlint")
_COMPONENTS = ROOT / "pages" / "_shared" / "components"
_ALONE = (_COMPONENTS / "coverage_lanes" / "lanes_choice.js", ROOT / "tests" / "pages" / "small_dom.js")
_FUNCTION = re.compile(r"^function (\w+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Finding:
    """What oxlint says of a line of a file."""

    file: str
    line: int
    rule: str
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message} [{self.rule}]"


def scripts() -> dict[str, tuple[Path, ...]]:
    """The files of each script, in the order in which a browser gets them in one."""
    names = sorted(path.stem for path in _COMPONENTS.glob("*/*.js") if path.stem == path.parent.name)
    alone = {path.stem: (path,) for path in _ALONE}
    return {"coverage_lanes": lanes_parts(), **{name: script_parts(name) for name in names}, **alone}


def shared_names() -> list[str]:
    """The functions of dom.js, of which a script may use some only."""
    return _FUNCTION.findall((FILES / "dom.js").read_text(encoding="utf-8"))


def lint(folder: Path) -> list[Finding]:
    """Write the scripts to `folder` and return what is wrong with them, each once."""
    for name, parts in scripts().items():
        used = f"\nexport const shared = {{ {', '.join(shared_names())} }}\n" if len(parts) > 1 else ""
        (folder / f"{name}.js").write_text(joined(*parts) + used, encoding="utf-8")
    command = (OXLINT, "--config", RULES, "--format", "json", folder)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if not done.stdout.startswith("{"):
        raise SystemExit(f"oxlint failed: {done.stderr or done.stdout}")
    return sorted({_finding(each) for each in json.loads(done.stdout)["diagnostics"]}, key=str)


def place(parts: Sequence[Path], line: int) -> tuple[Path, int]:
    """The file, and the line in it, of a line of the script that they are in one."""
    for part in parts[:-1]:
        lines = part.read_text(encoding="utf-8").count("\n") + 1
        if line <= lines:
            return part, line
        line -= lines
    return parts[-1], line


def main() -> None:
    """Print what is wrong, and leave with 1 where anything is."""
    if not OXLINT.exists():
        raise SystemExit("expected oxlint beside this Python, which is not there; pip install -r requirements-dev.txt")
    with tempfile.TemporaryDirectory() as folder:
        findings = lint(Path(folder))
    print("\n".join(map(str, findings)) or f"oxlint: nothing wrong in {len(scripts())} scripts")
    sys.exit(bool(findings))


def _finding(given: dict[str, object]) -> Finding:
    path = Path(str(given["filename"]))
    labels = given["labels"]
    line = labels[0]["span"]["line"] if isinstance(labels, list) and labels else 1
    file, line = place(scripts()[path.stem], line)
    return Finding(str(file.relative_to(ROOT)), line, str(given.get("code", "syntax")), str(given["message"]))


if __name__ == "__main__":
    main()
