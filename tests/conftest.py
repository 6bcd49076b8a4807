"""The bundled corpus, indexed once per test session in a home of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from adaq_core.corpus.library import CorpusLibrary
from adaq_core.retrieval.index import DocumentRetriever, PassageIndex


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
