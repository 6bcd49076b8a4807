"""A home folder with a corpus of three drinks, and commands in this process."""

import pytest
from typer.testing import CliRunner

from adaq_core.cli import build
from tests.drinks import DOCUMENTS


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("drinks")
    for name, text in DOCUMENTS.items():
        (place / name).write_text(text, encoding="utf-8")
    return place


@pytest.fixture
def adaq(home, folder, monkeypatch):
    """Calls a command in this process, in a home folder with the corpus `drinks`."""
    monkeypatch.setenv("ADAQ_HOME", str(home))

    def call(*arguments: str, code: int = 0, stdin: str | None = None):
        done = CliRunner().invoke(build(), arguments, input=stdin)
        assert done.exit_code == code, done.output
        return done

    if not (home / "corpora" / "drinks").exists():
        call("index", str(folder), "--corpus", "drinks")
    return call
