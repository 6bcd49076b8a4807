"""The bundled corpus, indexed once per test session in a home of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from adaq_core.corpus.library import CorpusLibrary
from adaq_core.retrieval.index import DocumentRetriever, PassageIndex

# How long an example takes says what else the machine does. The examples are the same in every run: a new one is found
# by whoever looks for it (`--hypothesis-seed`), not by whoever changes something else.
settings.register_profile("adaq", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("adaq")


@pytest.fixture(scope="session", autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home folder for the tests alone, so that none sees what a user or another run has stored."""
    folder = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ADAQ_HOME", str(folder))
        yield folder


@pytest.fixture(scope="session")
def sample_index(own_home: Path) -> PassageIndex:
    """The bundled corpus."""
    return CorpusLibrary(own_home).open("sample")


@pytest.fixture
def sample(sample_index: PassageIndex) -> DocumentRetriever:
    """A lexical retriever over the bundled corpus."""
    return DocumentRetriever(sample_index)
