"""An empty store."""

from pathlib import Path

import pytest

from adaq_core.store import Store


@pytest.fixture
def store(tmp_path: Path):
    store = Store(tmp_path / "runs.duckdb")
    yield store
    store.close()
