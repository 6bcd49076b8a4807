"""Vectors of a corpus: made once, in the background, attached when every passage has one."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from adaq_core.corpus.library import CorpusLibrary
from adaq_core.model import Passage, Settings
from adaq_core.retrieval.dense import PassageVectors, VectorCache, content_keys, embedded_text, stored_keys
from adaq_core.retrieval.index import PassageIndex
from adaq_core.runs import work
from adaq_core.runs.execute import RunSpec
from adaq_core.runs.work import WARM_UP, CorpusVectors, chosen_embedder, corpus_vectors, embedding_job, retriever_of
from tests.retrieval.test_dense import WordEncoder, index_of


class Letters:
    """An encoder of its own: how often each letter occurs. `gate` holds it up."""

    key, dimension = "letters", 26

    def __init__(self):
        self.gate = threading.Event()
        self.gate.set()
        self.texts = []

    def encode(self, texts):
        self.gate.wait(60)
        self.texts.extend(texts)
        rows = np.array([[t.lower().count(chr(97 + i)) + 1e-3 for i in range(26)] for t in texts], dtype=np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.fixture
def index(tmp_path, monkeypatch):
    monkeypatch.setenv("ADAQ_HOME", str(tmp_path))
    texts = {"tea": "Tea is a drink.", "rails": "Trains run on rails."}
    return PassageIndex.build([Passage(f"{n}#0", n, n, t) for n, t in texts.items()], name="drinks")


def test_until_every_passage_has_a_vector_the_search_is_by_words(index):
    vectors = CorpusVectors(Letters())
    assert vectors.whole(index) is None
    assert vectors.retriever(index, needs_vectors=False).vectors is None


def test_a_method_that_needs_vectors_gets_them_made(index):
    every = CorpusVectors(Letters())
    vectors = every.retriever(index, needs_vectors=True).vectors
    assert vectors is not None
    assert [hit.passage.document_id for hit in vectors.search("eat a tea", 1)] == ["tea"]
    assert every.whole(index) is vectors


def test_the_model_is_loaded_before_the_clock_of_a_run_that_uses_it(index):
    encoder = Letters()
    vectors = CorpusVectors(encoder)
    assert vectors.start(index).wait(60)
    vectors.retriever(index, needs_vectors=False)
    assert WARM_UP not in encoder.texts
    vectors.retriever(index, needs_vectors=False, uses_vectors=True)
    assert encoder.texts[-1] == WARM_UP


@pytest.mark.parametrize(("dense", "loaded"), [(True, True), (False, False)])
def test_the_model_that_a_run_reads_with_is_loaded_before_its_clock_too(index, dense, loaded):
    encoder = Letters()
    vectors = CorpusVectors(encoder)
    assert vectors.start(index).wait(60)
    spec = RunSpec("bm25", "What is tea?", Settings(use_dense=dense))
    assert retriever_of(index, spec, lambda: False, vectors=vectors).vectors is not None
    assert (WARM_UP in encoder.texts) is loaded


@pytest.mark.parametrize(("dense", "waits", "made"), [(True, True, True), (True, False, False), (False, True, False)])
def test_a_run_that_is_compared_with_one_that_needs_vectors_waits_for_them_too(index, dense, waits, made):
    spec = RunSpec("bm25", "What is tea?", Settings(use_dense=dense))
    retriever = retriever_of(index, spec, lambda: False, vectors=CorpusVectors(Letters()), waits=waits)
    assert (retriever.vectors is not None) is made


def test_waiting_for_vectors_can_be_cancelled(index):
    encoder = Letters()
    encoder.gate.clear()
    vectors = CorpusVectors(encoder)
    assert vectors.retriever(index, needs_vectors=True, cancelled=lambda: True).vectors is None
    encoder.gate.set()
    assert vectors.job(index).wait(60)


def test_threads_that_ask_first_at_once_have_the_same_vectors():
    work._corpus_vectors.cache_clear()
    together = threading.Barrier(8)

    def first(_: int) -> CorpusVectors:
        together.wait(60)
        return corpus_vectors()

    with ThreadPoolExecutor(8) as threads:
        assert len({id(each) for each in threads.map(first, range(8))}) == 1
    work._corpus_vectors.cache_clear()


def test_the_work_is_started_once(index):
    encoder = Letters()
    encoder.gate.clear()
    vectors = CorpusVectors(encoder)
    assert vectors.start(index) is vectors.start(index)
    encoder.gate.set()
    assert vectors.job(index).wait(60)
    assert vectors.whole(index) is not None


def test_an_empty_corpus_has_no_vectors(tmp_path, monkeypatch):
    monkeypatch.setenv("ADAQ_HOME", str(tmp_path))
    assert CorpusVectors(Letters()).retriever(PassageIndex.build([], name="none"), needs_vectors=True).vectors is None


def test_another_embedding_model_can_be_named(monkeypatch):
    monkeypatch.delenv("ADAQ_EMBEDDING_MODEL", raising=False)
    assert chosen_embedder().key.startswith("minilm-")
    monkeypatch.setenv("ADAQ_EMBEDDING_MODEL", "my/model")
    assert chosen_embedder().key.startswith("my/model-")


@pytest.fixture
def cache(tmp_path) -> VectorCache:
    return VectorCache("words", 64, tmp_path / "vectors")


def started(vectors: PassageVectors):
    return embedding_job(vectors).start()


def test_searching_works_while_vectors_are_made(cache):
    vectors = PassageVectors(index_of(*[f"text number {n}" for n in range(200)]), WordEncoder(pause=0.01), cache)
    job = started(vectors)
    shares = []
    while not job.over:
        shares.append(vectors.ready)
        assert len(vectors.search("number", 5)) in (0, 5)
        time.sleep(0.02)
    assert job.wait(60)
    assert (job.done, job.total, job.error, vectors.ready) == (200, 200, "", 1.0)
    assert (job.rate or 0) > 1
    assert job.seconds_left == 0
    assert len(set(shares)) > 2


def test_a_job_can_be_cancelled_and_tells_its_error(cache):
    many = index_of(*[f"text number {n}" for n in range(200)])
    job = started(PassageVectors(many, WordEncoder(pause=0.01), cache))
    job.cancel()
    assert job.wait(60)
    assert job.done < 200
    failed = started(PassageVectors(many, WordEncoder(fail_after=0), cache))
    assert failed.wait(60)
    assert failed.error == "the model is gone"


def test_two_jobs_on_one_corpus_do_no_harm(cache, tmp_path):
    many = index_of(*[f"text number {n}" for n in range(100)])
    jobs = [
        started(PassageVectors(many, WordEncoder(), VectorCache("words", 64, tmp_path / "vectors"))) for _ in range(2)
    ]
    assert all(job.wait(60) for job in jobs)
    assert [job.error for job in jobs] == ["", ""]
    assert PassageVectors(many, WordEncoder(), cache).ready == 1.0


SECRET, SHARED = "The merger is called off.", "Tea is a drink."


@pytest.fixture
def library(tmp_path, monkeypatch):
    monkeypatch.setenv("ADAQ_HOME", str(tmp_path))
    library = CorpusLibrary(sample=tmp_path / "none")
    (tmp_path / "none").mkdir()
    library.add("mine", uploads=[("secret.txt", SECRET.encode()), ("tea.txt", SHARED.encode())])
    return library


def vectors_of(library, name, encoder):
    """What is stored of a corpus, after its vectors were made: the very bytes of each vector by its text."""
    index = library.open(name)
    PassageVectors(index, encoder).compute()
    texts = [embedded_text(passage) for passage in index.passages]
    return {text: row.tobytes() for text, row in zip(texts, encoder.encode(texts), strict=True)}


def kept_in(home):
    return b"".join(path.read_bytes() for path in sorted((home / "vectors").rglob("*")) if path.is_file())


def test_the_vector_of_a_deleted_document_and_its_hash_are_in_no_file(library, tmp_path):
    rows = vectors_of(library, "mine", Letters())
    [secret] = [text for text in rows if SECRET in text]
    [tea] = [text for text in rows if SHARED in text]
    assert rows[secret] in kept_in(tmp_path)
    library.remove_document("mine", next(row.document_id for row in library.documents("mine") if "secret" in row.file))
    kept = kept_in(tmp_path)
    assert rows[secret] not in kept
    assert content_keys([secret]).tobytes() not in kept
    assert rows[tea] in kept
    assert PassageVectors(library.open("mine"), Letters()).ready == 1.0


def test_a_text_that_another_corpus_holds_keeps_its_vector(library, tmp_path):
    rows = vectors_of(library, "mine", Letters())
    library.add("other", uploads=[("tea.txt", SHARED.encode())])
    library.delete("mine")
    assert [SHARED in text for text, row in rows.items() if row in kept_in(tmp_path)] == [True]
    library.delete("other")
    assert [text for text, row in rows.items() if row in kept_in(tmp_path)] == []


def test_a_changed_file_leaves_no_vector_of_what_it_said(library, tmp_path):
    rows = vectors_of(library, "mine", Letters())
    library.add("mine", uploads=[("secret.txt", b"Nothing is known of a merger.")])
    assert [SHARED in text for text, row in rows.items() if row in kept_in(tmp_path)] == [True]


def test_vectors_in_the_making_do_not_bring_back_what_was_deleted(library, tmp_path):
    encoder = Letters()
    encoder.gate.clear()
    vectors = CorpusVectors(encoder)
    job = vectors.start(library.open("mine"))
    library.delete("mine")
    encoder.gate.set()
    assert job.wait(60)
    assert len(stored_keys(tmp_path / "vectors")) == 0


def test_a_search_that_knows_the_old_rows_takes_no_other_vector_for_a_deleted_one(library):
    index = library.open("mine")
    old = PassageVectors(index, Letters())
    old.compute()
    library.delete("mine")
    assert PassageVectors(index, Letters(), old.cache).ready == 0.0


def test_vectors_whose_length_is_not_noted_are_erased_too(library, tmp_path):
    rows = vectors_of(library, "mine", Letters())
    (tmp_path / "vectors" / "letters" / "dimension").unlink()
    library.delete("mine")
    assert [text for text, row in rows.items() if row in kept_in(tmp_path)] == []


def test_the_shelf_lets_go_of_what_was_deleted(library):
    vectors = CorpusVectors(Letters())
    vectors.vectors(library.open("mine"))
    library.add("other", uploads=[("tea.txt", SHARED.encode())])
    library.delete("mine")
    kept = vectors.vectors(library.open("other"))
    assert list(vectors._vectors.values()) == [kept]
