"""What exists is documented: methods, events, stop reasons, commands."""

import dataclasses
import re
import tomllib
from datetime import datetime
from pathlib import Path
from typing import get_args

import pytest

from adaq_core import events, methods
from adaq_core.model import StopReason

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
README = (ROOT / "README.md").read_text(encoding="utf-8")
EVENTS = (ROOT / "docs" / "events.md").read_text(encoding="utf-8")
INDEX = (ROOT / "docs" / "experiments.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", methods.names())
def test_every_method_is_in_the_readme(name):
    assert f"| `{name}` |" in README


@pytest.mark.parametrize("event", get_args(events.Event))
def test_every_event_kind_is_documented(event):
    kind = next(field.default for field in dataclasses.fields(event) if field.name == "kind")
    assert f"| `{kind}` |" in EVENTS


@pytest.mark.parametrize("reason", get_args(StopReason))
def test_every_stop_reason_is_documented(reason):
    assert f"`{reason}`" in EVENTS


def test_every_file_that_the_readme_links_exists():
    links = re.findall(r"\]\((?!http|#)([^)#]+)\)", README)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_every_command_is_in_the_readme():
    from typer.main import get_command

    from adaq_core.cli import build

    commands = get_command(build()).commands  # type: ignore[attr-defined]
    assert commands
    assert [name for name in commands if f"adaq_core {name}" not in README] == []


@pytest.mark.parametrize("head", ["Run", "Test"])
def test_the_two_commands_are_one_line_each(head):
    block = README.split(f"## {head}\n")[1].split("```")[1]
    assert len(block.strip().splitlines()) == 2
    assert "python3 -m venv .venv" in block


def _names(requirements):
    lines = (line.strip() for line in requirements)
    return {re.split(r"[=<>~\[ ]", line)[0] for line in lines if line and not line.startswith(("#", "-"))}


def _pinned(file):
    return _names((ROOT / file).read_text(encoding="utf-8").splitlines())


def test_the_pins_and_the_project_file_name_the_same_packages():
    extras = PROJECT["optional-dependencies"]
    app = _names([*PROJECT["dependencies"], *extras["dense"], *extras["app"], *extras["service"]])
    assert _pinned("requirements.txt") == app | {"pytest"}
    assert _pinned("requirements-dev.txt") | {"pytest"} == (
        _names([line for name in ("dev", "graph", "mcp", "dask", "milvus", "otel") for line in extras[name]]) - app
    )


def test_every_folder_of_the_core_is_explained():
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = page.split("## Folders")[1].split("## Who imports")[0]
    folders = {path.name for path in (ROOT / "adaq_core").iterdir() if (path / "__init__.py").is_file()}
    assert [folder for folder in sorted(folders) if f"`{folder}`" not in table] == []


def test_every_place_where_a_change_goes_is_there():
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = page.split("## Where a change goes")[1].split("\n## ")[0]
    places = re.findall(r"`([\w./]+(?:/|\.py|\.md))`", table)
    assert len(places) > 20
    assert [each for each in places if not any((ROOT / top / each).exists() for top in ("", "adaq_core"))] == []


def test_every_decision_is_listed():
    folder = ROOT / "docs" / "decisions"
    listed = (folder / "README.md").read_text(encoding="utf-8")
    assert [
        path.name for path in folder.glob("*.md") if path.name != "README.md" and f"({path.name})" not in listed
    ] == []


def test_every_decision_says_when_it_was_made_and_what_was_refused():
    pages = [path for path in (ROOT / "docs" / "decisions").glob("*.md") if path.name != "README.md"]
    texts = {path.name: path.read_text(encoding="utf-8") for path in pages}
    dated = re.compile(r"\b\d{1,2} [A-Z][a-z]+ 20\d\d\b")
    assert [name for name, text in texts.items() if not dated.search(text.split("\n## ")[0])] == []
    assert [name for name, text in texts.items() if "\n## Considered and refused\n" not in text] == []


def _log_of_experiments():
    """Return the parts of the log by file name, the oldest first."""
    parts = sorted((ROOT / "docs" / "experiments").glob("20*.md"))
    return {path.name: path.read_text(encoding="utf-8") for path in parts}


def _sections_of_the_log():
    return [
        (name, head)
        for name, text in _log_of_experiments().items()
        for head in re.findall(r"^## (.+)$", text, re.MULTILINE)
    ]


def test_the_index_of_the_log_of_experiments_leads_to_every_section():
    index, in_order = INDEX.split("\n## All sections, in order\n")
    sections = _sections_of_the_log()
    links = [f"experiments/{name}#{_anchor(head)}" for name, head in sections]
    assert len(links) > 100
    assert set(re.findall(r"\]\((experiments/[^)]+#[^)]+)\)", index)) == set(links)
    named = re.findall(r"^- \[(.+)\]\((.+)\)$", in_order, re.MULTILINE)
    assert named == [(head, link) for (_, head), link in zip(sections, links, strict=True)]


def test_no_part_of_the_log_of_experiments_is_too_long_to_be_shown():
    sizes = {name: len(text.encode()) for name, text in _log_of_experiments().items()}
    assert [name for name, size in sizes.items() if size > 60_000] == []


def test_the_log_of_experiments_tells_the_oldest_day_first():
    dated = re.findall(r"\((\d{1,2} [A-Z][a-z]+ 20\d\d)\b", "\n".join(head for _, head in _sections_of_the_log()))
    days = [datetime.strptime(day, "%d %B %Y") for day in dated]
    assert len(days) > 40
    assert days == sorted(days)


def test_every_section_of_the_log_that_code_and_pages_name_is_there():
    heads = re.findall(r"^#{2,} (.+)$", "\n".join(_log_of_experiments().values()), re.MULTILINE)
    files = [*(ROOT / "adaq_core").rglob("*.py"), *(ROOT / "docs" / "decisions").glob("*.md"), ROOT / "README.md"]
    texts = (" ".join(path.read_text(encoding="utf-8").split()) for path in files)
    named = {name for text in texts for name in re.findall(r"experiments\.md\)?, [“\"]([^”\"]+)[”\"]", text)}
    assert len(named) >= 10
    assert [name for name in named if not any(head.startswith(name) for head in heads)] == []


@pytest.mark.parametrize("page", sorted((ROOT / "docs").rglob("*.md")), ids=lambda page: page.name)
def test_every_link_of_a_page_leads_to_a_file_and_a_heading(page):
    links = re.findall(r"\]\((?!http)([^)\s]+)\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not _leads_somewhere(page, link)] == []


def _leads_somewhere(page, link):
    name, _, anchor = link.partition("#")
    target = page.parent / name if name else page
    if not target.exists() or not anchor:
        return target.exists()
    return anchor in map(_anchor, re.findall(r"^#+ (.+)$", target.read_text(encoding="utf-8"), re.MULTILINE))


def _anchor(head):
    return re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-")
