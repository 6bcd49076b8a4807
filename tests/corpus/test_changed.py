"""Changes of a corpus in a process of its own: as those that are made here, and never half made."""

import os
import resource
import signal
import threading
from pathlib import Path

import pytest

from adaq_core.corpus.changed import CorpusChange, changed_apart
from adaq_core.corpus.library import CorpusLibrary
from adaq_core.errors import CorpusError


@pytest.fixture
def own_home(tmp_path, monkeypatch):
    monkeypatch.setenv("ADAQ_HOME", str(tmp_path / "home"))
    return CorpusLibrary(tmp_path / "home")


def never():
    return False


def test_a_change_of_a_corpus_takes_its_processor_time_elsewhere(own_home):
    data = b"trains run to vienna on most days of the week and back again " * 30_000
    here = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    report = changed_apart(CorpusChange("add", "mine", uploads=(("a.txt", data),)), lambda *_: None, never)
    spent = resource.getrusage(resource.RUSAGE_SELF).ru_utime - here
    assert (report.added, report.errors, report.cancelled) == (("a.txt",), (), False)
    assert report.seconds > 3 * spent


def test_every_change_of_the_library_is_made_apart_as_it_is_here(own_home, tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "b.txt").write_text("Boats run to Budapest.")
    told = []
    add = CorpusChange("add", "mine", {"paths": [str(tmp_path / "docs")]}, (("a.txt", b"Trains run to Vienna."),))
    assert changed_apart(add, lambda *at: told.append(at), never).added == ("b.txt", "a.txt")
    assert told[-1][2] == "writing"
    edit = CorpusChange("edit_card", "mine", {"document_id": "a.txt", "fields": {"issuer": "Railways"}})
    assert changed_apart(edit, lambda *_: None, never).updated == ("a.txt",)
    take = CorpusChange("remove_document", "mine", {"document_id": "b.txt"})
    assert changed_apart(take, lambda *_: None, never).removed == ("b.txt",)
    assert [(row.document_id, row.card) for row in own_home.documents("mine")] == [
        ("a.txt", (("issuer", "Railways", "you"),))
    ]


def test_a_change_that_cannot_be_is_refused_in_the_words_of_the_library(own_home):
    with pytest.raises(CorpusError, match="there is no corpus 'other'"):
        changed_apart(CorpusChange("remove_document", "other", {"document_id": "a"}), lambda *_: None, never)


def test_a_change_that_nobody_wants_any_more_leaves_the_corpus_as_it_was(own_home):
    called_off = threading.Event()
    uploads = tuple((f"{number}.txt", b"Trains run to Vienna.") for number in range(2_000))
    report = changed_apart(CorpusChange("add", "mine", uploads=uploads), lambda *_: called_off.set(), called_off.is_set)
    assert report.cancelled
    assert own_home.names() == ["sample"]


def test_a_process_that_is_shot_costs_the_change_and_says_so(own_home):
    def shoot(*_):
        for child in Path(f"/proc/{os.getpid()}/task").glob("*/children"):
            for pid in child.read_text().split():
                if b"adaq_core.corpus.changed" in Path(f"/proc/{pid}/cmdline").read_bytes():
                    os.kill(int(pid), signal.SIGKILL)

    with pytest.raises(CorpusError, match="ended from outside; the corpus is as it was"):
        changed_apart(CorpusChange("add", "mine", uploads=(("a.txt", b"Trains."),)), shoot, never)
    assert own_home.names() == ["sample"]
