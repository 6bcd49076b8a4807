import os

import pytest

from adaq_core.datasets import VARIABLE, datasets_folder
from adaq_core.datasets.beir import (
    BUNDLED,
    bundled_names,
    find_set,
    has_corpus,
    known_sets,
    load_set,
)
from adaq_core.errors import DatasetError

SIZES = {"multihop-rag": 1291, "2wiki-union": 393, "hotpotqa-300": 139, "musique-499": 254, "sec10q-docugami": 95}


def test_a_set_is_found_by_folder_or_by_name(make_set, monkeypatch):
    folder = make_set("tiny")
    monkeypatch.delenv(VARIABLE, raising=False)
    assert find_set(str(folder)) == folder
    monkeypatch.setenv(VARIABLE, str(folder.parent))
    assert find_set("tiny") == folder
    assert known_sets()["tiny"] == folder


def test_an_unknown_set_names_the_public_ones_and_their_authors(monkeypatch, tmp_path):
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DatasetError) as raised:
        find_set("nosuch")
    for words in ("'nosuch'", VARIABLE, "BEIR", "https://hotpotqa.github.io", "MuSiQue", "MultiHop-RAG", "FanOutQA"):
        assert words in str(raised.value)


def test_a_variable_that_names_no_folder_is_refused(monkeypatch, tmp_path):
    monkeypatch.setenv(VARIABLE, str(tmp_path / "gone"))
    with pytest.raises(DatasetError, match="expected a folder of question sets in ADAQ_DATASETS"):
        datasets_folder()


@pytest.mark.parametrize("name", bundled_names())
def test_the_bundled_sets_are_sound(name, monkeypatch, tmp_path):
    if not has_corpus(BUNDLED / name):
        pytest.skip(f"{name} asks about documents that are not on this machine")
    monkeypatch.setenv("ADAQ_HOME", str(tmp_path))
    loaded = load_set(name)
    assert loaded.remarks == ()
    assert all(question.gold or question.is_unanswerable for question in loaded)


@pytest.mark.parametrize("name", SIZES)
def test_the_public_sets_are_sound(name):
    if not os.environ.get(VARIABLE):
        pytest.skip(f"{VARIABLE} is not set: the public question sets are not on this machine")
    loaded = load_set(name)
    assert (len(loaded), loaded.remarks) == (SIZES[name], ())
