"""Vectors of a corpus: made once, in the background, attached when every passage has one."""

import threading

import numpy as np
import pytest

from adaq_core.corpus.stored import WARM_UP, VectorShelf, chosen_embedder
from adaq_core.model import Passage
from adaq_core.retrieval.index import PassageIndex


class Letters:
    """An encoder of its own: how often each letter occurs. `gate` holds it up."""

    key, dimension = "letters", 26

    def __init__(self):
        self.gate = threading.Event()
        self.gate.set()
        self.texts = []

    def encode(self, texts):
        self.gate.wait(20)
        self.texts.extend(texts)
        rows = np.array([[t.lower().count(chr(97 + i)) + 1e-3 for i in range(26)] for t in texts], dtype=np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.fixture
def index(tmp_path, monkeypatch):
    monkeypatch.setenv("ADAQ_HOME", str(tmp_path))
    texts = {"tea": "Tea is a drink.", "rails": "Trains run on rails."}
    return PassageIndex.build([Passage(f"{n}#0", n, n, t) for n, t in texts.items()], name="drinks")


def test_until_every_passage_has_a_vector_the_search_is_by_words(index):
    shelf = VectorShelf(Letters())
    assert shelf.whole(index) is None
    assert shelf.retriever(index, needs_vectors=False).vectors is None


def test_a_method_that_needs_vectors_gets_them_made(index):
    shelf = VectorShelf(Letters())
    vectors = shelf.retriever(index, needs_vectors=True).vectors
    assert vectors is not None
    assert [hit.passage.document_id for hit in vectors.search("eat a tea", 1)] == ["tea"]
    assert shelf.whole(index) is vectors


def test_the_model_is_loaded_before_the_clock_of_a_run_that_uses_it(index):
    encoder = Letters()
    shelf = VectorShelf(encoder)
    assert shelf.start(index).wait(20)
    shelf.retriever(index, needs_vectors=False)
    assert WARM_UP not in encoder.texts
    shelf.retriever(index, needs_vectors=False, uses_vectors=True)
    assert encoder.texts[-1] == WARM_UP


def test_waiting_for_vectors_can_be_cancelled(index):
    encoder = Letters()
    encoder.gate.clear()
    shelf = VectorShelf(encoder)
    assert shelf.retriever(index, needs_vectors=True, cancelled=lambda: True).vectors is None
    encoder.gate.set()
    assert shelf.job(index).wait(20)


def test_the_work_is_started_once(index):
    encoder = Letters()
    encoder.gate.clear()
    shelf = VectorShelf(encoder)
    assert shelf.start(index) is shelf.start(index)
    encoder.gate.set()
    assert shelf.job(index).wait(20)
    assert shelf.whole(index) is not None


def test_an_empty_corpus_has_no_vectors(tmp_path, monkeypatch):
    monkeypatch.setenv("ADAQ_HOME", str(tmp_path))
    assert VectorShelf(Letters()).retriever(PassageIndex.build([], name="none"), needs_vectors=True).vectors is None


def test_another_embedding_model_can_be_named(monkeypatch):
    monkeypatch.delenv("ADAQ_EMBEDDING_MODEL", raising=False)
    assert chosen_embedder().key.startswith("minilm-")
    monkeypatch.setenv("ADAQ_EMBEDDING_MODEL", "my/model")
    assert chosen_embedder().key.startswith("my/model-")
