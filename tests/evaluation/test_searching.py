import numpy as np
import pytest

from adaq_core.datasets.beir import read_question_set
from adaq_core.errors import DatasetError
from adaq_core.evaluation.variants import KEPT, build_index, ensure_index, has_vectors, index_folder, makes_vectors
from adaq_core.model import Passage
from adaq_core.retrieval.dense import MiniLM, VectorCache, content_keys, embedded_text
from adaq_core.retrieval.index import PassageIndex


def test_an_index_is_built_once_and_serves_again(rivers):
    questions = read_question_set(rivers)
    folder = ensure_index(questions)
    touched = (folder / "index.json").stat().st_mtime_ns
    assert ensure_index(questions) == folder == index_folder(questions)
    assert (folder / "index.json").stat().st_mtime_ns == touched
    assert PassageIndex.load(folder).card == build_index(questions).card


def test_only_the_last_few_indexes_of_a_corpus_are_kept(rivers):
    place = index_folder(read_question_set(rivers)).parent
    others = [place / f"rivers-{number:016x}" for number in range(5)] + [place / "rivers-and-lakes-0000000000000000"]
    for folder in others:
        folder.mkdir(parents=True)
    newest = ensure_index(read_question_set(rivers))
    kept = {each.name for each in place.iterdir()}
    assert {newest.name, others[-1].name} <= kept
    assert len(kept & {folder.name for folder in others[:-1]}) == KEPT - 1


def test_questions_without_a_corpus_cannot_be_searched_for(rivers):
    (rivers / "corpus.jsonl").unlink()
    with pytest.raises(DatasetError, match="these questions can be planned but not searched for; add a corpus"):
        ensure_index(read_question_set(rivers))


def test_a_quote_is_held_by_one_passage(rivers):
    long = " ".join(f"Sentence number {i} of a long text about rivers and the sea." for i in range(120))
    with (rivers / "corpus.jsonl").open("a") as file:
        file.write('{"_id": "long", "text": "' + long + '"}\n')
    index = build_index(read_question_set(rivers))
    texts = [passage.text for passage in index.passages if passage.document_id == "long"]
    assert len(texts) > 2
    assert all(sum(f"number {i} " in text for text in texts) == 1 for i in range(120))


def saved(folder, *, size, title="about item {n}", **fields):
    texts = [Passage(f"{n}#0", str(n), title.format(n=n), f"some words on thing {n}", **fields) for n in range(size)]
    PassageIndex.build(texts, name="some").save(folder)
    return folder


def test_vectors_are_worth_it_on_a_small_corpus_without_names_sources_or_values(rivers, tmp_path):
    assert makes_vectors(saved(tmp_path / "notes", size=9))
    assert makes_vectors(saved(tmp_path / "many", size=2_001))
    assert not makes_vectors(saved(tmp_path / "none", size=0))
    assert not makes_vectors(ensure_index(read_question_set(rivers)))


def test_vectors_that_exist_are_used_but_for_passages_of_dated_sources(tmp_path):
    notes = saved(tmp_path / "notes", size=3)
    assert not has_vectors(notes)
    texts = [embedded_text(each) for each in PassageIndex.load(notes).passages]
    model = MiniLM()
    rows = np.eye(len(texts), model.dimension, dtype=np.float32)
    VectorCache(model.key, model.dimension).add(content_keys(texts), rows)
    assert has_vectors(notes)
    dated = [
        Passage(f"{n}#0", str(n), f"News {n}", f"some words on thing {n}", source=f"paper {n}", date="2024-05-01")
        for n in range(6)
    ]
    PassageIndex.build(dated, name="dated").save(tmp_path / "dated")
    rows = np.eye(len(dated), model.dimension, dtype=np.float32)
    VectorCache(model.key, model.dimension).add(content_keys([embedded_text(each) for each in dated]), rows)
    assert not has_vectors(tmp_path / "dated")
