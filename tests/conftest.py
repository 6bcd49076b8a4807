"""The bundled corpus, indexed once per test session in a home of its own."""

from __future__ import annotations

import pytest

from adaq_core.corpus.library import CorpusLibrary
from adaq_core.retrieval.index import PassageIndex
from adaq_core.retrieval.retriever import DocumentRetriever


@pytest.fixture(scope="session")
def sample_index(tmp_path_factory: pytest.TempPathFactory) -> PassageIndex:
    """The bundled corpus."""
    return CorpusLibrary(tmp_path_factory.mktemp("home")).open("sample")


@pytest.fixture
def sample(sample_index: PassageIndex) -> DocumentRetriever:
    """A lexical retriever over the bundled corpus."""
    return DocumentRetriever(sample_index)
