import numpy as np
import pytest

from adaq_core import searchable
from adaq_core.model import Passage
from adaq_core.retrieval.dense import MiniLM, VectorCache, embedded_text
from adaq_core.retrieval.index import PassageIndex
from adaq_core.retrieval.vector_cache import content_keys

PASSAGES = [Passage(f"p{n}", f"d{n}", f"Title {n}", f"Text number {n}.") for n in range(3)]


@pytest.fixture
def index(tmp_path, monkeypatch):
    monkeypatch.setenv("ADAQ_HOME", str(tmp_path))
    return PassageIndex.build(PASSAGES, name="three")


def store_vectors(passages: list[Passage]) -> None:
    rows = np.eye(384, dtype=np.float32)[: len(passages)]
    VectorCache(MiniLM().key, 384).add(content_keys([embedded_text(passage) for passage in passages]), rows)


def test_without_vectors_the_search_is_by_words(index):
    assert searchable.vectors_of(index) is None
    assert searchable.retriever_for(index, use_dense=True).vectors is None


def test_vectors_are_at_hand_once_every_passage_has_one(index):
    store_vectors(PASSAGES[:2])
    assert searchable.vectors_of(index) is None
    store_vectors(PASSAGES[2:])
    found = searchable.vectors_of(index)
    assert found is not None
    assert found.ready == 1.0
    assert searchable.vectors_of(index) is found
    assert searchable.retriever_for(index, use_dense=True).vectors is found


def test_vectors_are_left_out_when_not_wanted(index):
    store_vectors(PASSAGES)
    assert searchable.retriever_for(index, use_dense=False).vectors is None


def test_new_version_of_a_corpus_has_vectors_of_its_own(index):
    store_vectors(PASSAGES)
    first = searchable.vectors_of(index)
    newer = PassageIndex.build(PASSAGES[:2], name="three")
    assert searchable.vectors_of(newer) is not first
    assert searchable.vectors_of(newer).index is newer
