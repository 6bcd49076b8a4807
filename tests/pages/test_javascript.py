"""The scripts of the components parse, write text and never markup, and compute as Python does."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from pages._shared.common.words import seconds
from pages._shared.components.component_files import script

COMPONENTS = Path(__file__).parents[2] / "pages" / "_shared" / "components"
NAMES = sorted(path.parent.name for path in COMPONENTS.glob("*/*.js") if path.stem == path.parent.name)
DURATIONS = (0.0, 0.0004, 0.0994, 0.0995, 0.5, 1.0, 9.994, 9.995, 42.0, 59.9)
# Ways for text of others to become markup, and names that a page of ours never asks for.
_MARKUP = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|\bvar\b|[^=!]==[^=]"
)

node = pytest.mark.skipif(shutil.which("node") is None, reason="no node: Debian's `nodejs` checks the scripts")


def run(source: str) -> str:
    done = subprocess.run(
        ["node", "--input-type=module", "-"], input=source, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@node
@pytest.mark.parametrize("name", NAMES)
def test_a_script_is_a_module_with_one_function(name: str) -> None:
    source = script(name).replace("export default function", "const component = function")
    assert run(source + "\nconsole.log(typeof component)").strip() == "function"


@pytest.mark.parametrize("name", NAMES)
def test_a_script_writes_text_and_never_markup(name: str) -> None:
    assert _MARKUP.findall(script(name)) == []


@node
def test_durations_read_alike_in_python_and_in_the_browser() -> None:
    dom = (COMPONENTS / "dom.js").read_text(encoding="utf-8")
    shown = json.loads(run(f"{dom}\nconsole.log(JSON.stringify({json.dumps(DURATIONS)}.map(seconds)))"))
    assert shown == [seconds(value) for value in DURATIONS]


@node
@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", "ftp://a.example", "", "//a.example"])
def test_only_addresses_of_the_web_become_links(url: str) -> None:
    dom = (COMPONENTS / "dom.js").read_text(encoding="utf-8")
    assert run(f"{dom}\nconsole.log(webLink({json.dumps(url)}, 'a.example', ''))").strip() == "null"


@node
def test_a_cell_of_the_lanes_says_what_covered_it() -> None:
    source = script("coverage_lanes").replace("export default function", "const component = function")
    cell = {"state": "new", "targeted": True, "score": 0.9, "proof": "Annual report, brought by “price” in this hop"}
    call = f"cellTitle({{n: 2}}, {json.dumps(cell)}, {{name: 'Price'}}, 'newly covered')"
    title = run(f"{source}\nconsole.log({call})").strip()
    assert title == ("Hop 2: Price: newly covered, coverage 0.90\nAnnual report, brought by “price” in this hop")
