"""A home folder for each test of a page, with the bundled corpus already indexed in it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from streamlit.components.v2 import manifest_scanner

from adaq_core.runs.runner import _runners
from adaq_core.store import _open, store_path

MAIN = str(Path(__file__).parents[2] / "pages" / "main.py")


@pytest.fixture(scope="session", autouse=True)
def installed_components() -> Iterator[None]:
    """Which installed packages bring components, asked once: every AppTest asks it anew, nine tenths of its time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
        yield


@pytest.fixture
def home(tmp_path: Path, indexed_home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The home of this test alone; runner and store are closed when it ends."""
    shutil.copytree(indexed_home, tmp_path / "home")
    monkeypatch.setenv("ADAQ_HOME", str(tmp_path / "home"))
    yield tmp_path / "home"
    _close(store_path().resolve())


def _close(path: Path) -> None:
    """Close the runner and the store of this file; to open them only to close them takes as long as a test."""
    if runner := _runners.get(str(path)):
        runner.close()
    if store := _open.get(path):
        store.close()
