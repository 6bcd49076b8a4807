import os
from collections.abc import Iterator

import pytest

from adaq_core.llm.settings import ModelSettings, read_settings
from tests.llm.loopback import Loopback, OllamaLoopback


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(("ADAQ_", "OLLAMA_", "OPENAI_")) and name != "ADAQ_DATASETS":
            monkeypatch.delenv(name)


@pytest.fixture
def server() -> Iterator[OllamaLoopback]:
    server = OllamaLoopback()
    yield server
    server.close()


@pytest.fixture
def plain_server() -> Iterator[Loopback]:
    server = Loopback()
    yield server
    server.close()


@pytest.fixture
def quick() -> ModelSettings:
    """Settings that read no file and do not wait long."""
    return read_settings(env_file=None, silence_seconds=0.4, connect_seconds=0.4, reply_seconds=5)
