"""Processes that are killed, run at once, or find the disk full: real ones."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adaq_core.corpus.library import CorpusLibrary
from adaq_core.corpus.stored import Version, current_version, load_holdings, load_table
from adaq_core.errors import CorpusError
from adaq_core.home import PROJECT
from adaq_core.runs.execute import RunSpec

ADD = """
import sys
from pathlib import Path
from adaq_core.corpus.library import CorpusLibrary
library = CorpusLibrary(Path(sys.argv[1]))
print("ready", flush=True)
who, count = sys.argv[2], int(sys.argv[3])
library.add("mine", uploads=[(f"{who}-{n}.txt", f"Text {n} of {who}.".encode()) for n in range(count)])
print("done", flush=True)
"""
ADD_FULL = """
import sys
from pathlib import Path
from adaq_core.corpus.library import CorpusLibrary
from adaq_core.errors import CorpusError
try:
    CorpusLibrary(Path(sys.argv[1])).add("mine", uploads=[("big.txt", b"A sentence of some words. " * 20_000)])
except CorpusError as error:
    print(error)
"""


def start(script: str, *arguments: object, **options: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", script, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=PROJECT, **options)  # type: ignore[call-overload]


@pytest.mark.parametrize("delay", [0.0, 0.02, 0.05, 0.1, 0.2, 0.35])
def test_whoever_kills_an_ingest_leaves_the_old_or_the_new_version_whole(tmp_path, delay):
    library = CorpusLibrary(tmp_path, wait=5)
    library.add("mine", uploads=[("old.txt", b"The old text.")])
    with start(ADD, tmp_path, "new", 400) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
    fresh = CorpusLibrary(tmp_path, wait=5)
    assert fresh.check("mine") == ""
    assert [hit.passage.text for hit in fresh.open("mine").search("old")] == ["The old text."]
    assert len(fresh.documents("mine")) in (1, 401)
    assert fresh.add("mine", uploads=[("next.txt", b"The next text.")]).added == ("next.txt",)
    assert len([path for path in (tmp_path / "corpora" / "mine").iterdir() if path.is_dir()]) == 1


def test_a_home_that_cannot_be_written_is_said_in_words(tmp_path):
    (tmp_path / "home").write_text("A file, where nothing can be made.")
    library = CorpusLibrary(tmp_path / "home")
    with pytest.raises(CorpusError, match=r"cannot be changed.*not writable.*ADAQ_HOME"):
        library.add("mine", uploads=[("a.txt", b"A text.")])


def test_two_processes_that_add_at_once_lose_nothing(tmp_path):
    processes = [start(ADD, tmp_path, name, 5) for name in "ab"]
    for process in processes:
        assert process.communicate(timeout=300)[0] == "ready\ndone\n"
    expected = [f"{name}-{n}.txt" for name in "ab" for n in range(5)]
    assert [row.document_id for row in CorpusLibrary(tmp_path).documents("mine")] == expected


def test_a_reader_is_not_disturbed_by_writers(tmp_path):
    library = CorpusLibrary(tmp_path)
    library.add("mine", uploads=[("old.txt", b"The old text.")])
    with start(ADD, tmp_path, "new", 50) as process:
        while process.poll() is None:
            assert [hit.passage.text for hit in CorpusLibrary(tmp_path).open("mine").search("old")] == ["The old text."]
            assert len(CorpusLibrary(tmp_path).documents("mine")) in (1, 51)
    assert len(library.documents("mine")) == 51


class Swept(Version):
    """A version that a writer sweeps away just after its files were found whole."""

    def damage(self, *, thorough: bool = False, only: str = "") -> str:
        shutil.rmtree(self.folder)
        return ""


@pytest.mark.parametrize("load", [load_table, load_holdings])
def test_a_version_that_is_swept_away_while_it_is_read_is_named_as_damaged(tmp_path, load):
    CorpusLibrary(tmp_path).add("mine", uploads=[("old.txt", b"The old text.")])
    now = current_version(tmp_path / "corpora" / "mine")
    with pytest.raises(CorpusError, match="'mine' is damaged"):
        load(Swept(now.folder, now.card, now.mirrors, now.sums))


def test_a_full_disk_leaves_the_corpus_as_it_was(tmp_path):
    CorpusLibrary(tmp_path).add("mine", uploads=[("old.txt", b"The old text.")])

    def small_files_only() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    said = start(ADD_FULL, tmp_path, preexec_fn=small_files_only).communicate(timeout=300)[0]
    assert said.startswith("corpus 'mine' could not be written to ")
    assert said.endswith("it is as it was: free some space there, or set ADAQ_HOME to another folder\n")
    library = CorpusLibrary(tmp_path)
    assert library.check("mine") == ""
    assert [row.document_id for row in library.documents("mine")] == ["old.txt"]
    assert len(list((tmp_path / "corpora" / "mine").iterdir())) == 2


def test_importing_the_library_makes_no_folder_and_loads_nothing_heavy(tmp_path):
    heavy = {"torch", "pandas", "pypdf", "docx", "lxml", "trafilatura", "filelock"}
    script = f"import sys; import adaq_core.corpus.library; print({heavy!r} & set(sys.modules))"
    process = start(script, env={"ADAQ_HOME": str(tmp_path / "home")})
    assert process.communicate(timeout=300)[0] == "set()\n"
    assert not (tmp_path / "home").exists()


def test_links_in_a_circle_and_names_that_are_no_utf8_cost_only_themselves(tmp_path):
    folder = tmp_path / "old"
    folder.mkdir()
    (folder / "a.txt").symlink_to(folder / "b.txt")
    (folder / "b.txt").symlink_to(folder / "a.txt")
    (folder / "good.txt").write_text("Trains run to Vienna.")
    for name in (b"r\xe9sum\xe9.txt", b"r\xe8sum\xe8.txt"):
        (folder / os.fsdecode(name)).write_bytes(b"Cells of lithium, " + name[1:2] + b".")
    library = CorpusLibrary(tmp_path / "home")
    name, report = library.index_folder(folder)  # type: ignore[assignment]
    assert sorted(report.added) == ["good.txt", "r\ufffdsum\ufffd (2).txt", "r\ufffdsum\ufffd.txt"]
    assert [problem.file for problem in report.errors] == ["a.txt", "b.txt"]
    assert len(library.index_folder(folder)[1].unchanged) == 3
    assert len(CorpusLibrary(tmp_path / "home").documents(name)) == 3  # type: ignore[arg-type]


@settings(max_examples=40, deadline=None)
@given(names=st.lists(st.binary(min_size=1, max_size=40), min_size=1, max_size=6))
def test_any_name_that_a_file_can_have_leaves_the_others_whole(tmp_path_factory, names):
    folder = tmp_path_factory.mktemp("names")
    (folder / "good.txt").write_text("Trains run to Vienna.")
    for name in names:
        with suppress(OSError, ValueError):
            (folder / os.fsdecode(name.replace(b"/", b"_") + b".txt")).write_text("Cells of lithium.")
    library = CorpusLibrary(folder / ".home")
    name, report = library.index_folder(folder)
    assert "good.txt" in report.added
    assert library.check(name) == ""
    assert [hit.passage.document_id for hit in library.open(name).search("Vienna")] == ["good.txt"]


def test_the_system_s_own_folders_are_refused_at_once(tmp_path):
    with pytest.raises(CorpusError, match="has no end"):
        CorpusLibrary(tmp_path).index_folder(Path("/proc"))


def test_the_text_of_a_deleted_document_is_in_no_file_once_the_runs_that_quote_it_are_deleted(tmp_path):
    from adaq_core.runs.runner import Runner
    from adaq_core.store import Store

    library, store = CorpusLibrary(tmp_path), Store(tmp_path / "runs.duckdb")
    texts = [(f"{name}.md", f"# {name}\n\nThe {name} plant makes qzxvw-{name} valves.".encode()) for name in ("a", "b")]
    library.add("own", uploads=texts)
    runner = Runner(store, library)
    run_id = runner.submit(RunSpec("adaptive", "What does the b plant make?"), corpus="own")
    runner.wait(run_id, 60)
    library.remove_document("own", next(row.document_id for row in library.documents("own") if row.title == "b"))
    store.delete_run(run_id)
    runner.close()
    store.close()
    assert [word for word in ("qzxvw-a", "qzxvw-b") if held(tmp_path, word)] == ["qzxvw-a"]
    library.delete("own")
    assert not held(tmp_path, "qzxvw")


def held(folder, word):
    """The files in `folder` that hold `word`."""
    return [path for path in folder.rglob("*") if path.is_file() and word.encode() in path.read_bytes()]
