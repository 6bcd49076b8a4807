"""Files made to hurt are read in a process that can be killed: each costs itself a reason, and never the others."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import asdict, replace
from itertools import count
from pathlib import Path

import pytest

from adaq_core.corpus import isolated
from adaq_core.corpus.library import CorpusLibrary
from adaq_core.corpus.readers import MIB, Limits, Reading
from adaq_core.corpus.readers import read as read_here
from adaq_core.errors import FileReadError
from adaq_core.model import Document, fields_of
from benchmarks.hostile_files import hostile_files

TIGHT = Limits(seconds=4.0, cpu_seconds=0.3, per_mib=0.1, memory_bytes=512 * MIB)
PROJECT = Path(__file__).resolve().parents[2]
# Seconds that no test takes, and a machine with much else to do may.
A_BUSY_MACHINE = 60.0


def test_a_hundred_hostile_files_end_in_time_and_leave_the_good_one_whole(tmp_path):
    files = [(name, make()) for name, make in hostile_files(count=104)]
    assert len(files) >= 100
    cpu, late = time.thread_time(), []
    for name, data in files:
        start = time.monotonic()
        with suppress(FileReadError):
            isolated.read(name, data, TIGHT)
        if time.monotonic() - start > TIGHT.seconds_for(len(data)) + isolated._START_SECONDS + A_BUSY_MACHINE:
            late.append(name)
    assert late == []
    assert time.thread_time() - cpu < 20
    assert isolated.read("good.txt", b"Trains run to Vienna.").documents[0].text == "Trains run to Vienna."


def test_a_limit_of_a_fifth_of_a_second_is_kept_to_the_fifth():
    """What the system counts in whole seconds would let it take one."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with pytest.raises(FileReadError, match="took more than"):
        isolated._Pool(1).read("lines.md", b"a\n" * 40_000, replace(TIGHT, cpu_seconds=0.2), lambda: False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert 0.2 < after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 0.8


def test_what_is_read_in_the_other_process_is_what_is_read_here():
    sample = sorted(path for path in (PROJECT / "data" / "corpus").rglob("*") if path.is_file())[:20]
    for path in sample:
        assert isolated.read(path.name, path.read_bytes()) == read_here(path.name, path.read_bytes())


def test_a_hostile_file_in_a_folder_is_listed_and_the_others_go_in(tmp_path):
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "good.txt").write_text("Trains run to Vienna.")
    (folder / "lines.md").write_bytes(b"a\n" * 40_000)
    report = CorpusLibrary(tmp_path / "home", limits=TIGHT).index_folder(folder)[1]
    assert report.added == ("good.txt",)
    assert [(problem.file, "took more than" in problem.reason) for problem in report.errors] == [("lines.md", True)]


def test_whoever_waits_no_longer_is_let_go_at_once():
    looks = count()
    with pytest.raises(FileReadError, match="nobody waits for it"):
        isolated.read("lines.md", b"a\n" * 60_000, Limits(), cancelled=lambda: next(looks) > 3)
    assert next(looks) < 10


def test_a_reader_that_is_shot_costs_one_file_a_reason():
    pool = isolated._Pool(1)
    process = isolated._Process()
    pool._idle.append(process)

    def shoot() -> bool:
        """Kill the reader while it is waited for; nobody has stopped waiting."""
        with suppress(ProcessLookupError):
            os.kill(process._child.pid, signal.SIGSEGV)
        return False

    with pytest.raises(FileReadError, match="signal 11"):
        pool.read("lines.md", b"a\n" * 60_000, Limits(), shoot)
    assert pool.read("a.txt", b"A text.", Limits(), lambda: False).documents[0].text == "A text."
    pool.close()


def test_a_large_process_is_served_by_one_reader_too(monkeypatch):
    monkeypatch.setattr(isolated, "_MOST_GROWN_BYTES", 250 * MIB)
    much = b"x" * (300 * MIB)
    pool = isolated._Pool(1)
    for name in ("a.txt", "b.txt"):
        assert pool.read(name, b"A text.", Limits(), lambda: False).documents[0].text == "A text."
    assert (len(much), [process.usable for process in pool._idle]) == (300 * MIB, [True])
    pool.close()


def test_keys_of_the_environment_stay_here(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    assert not [name for name in isolated._environment() if "KEY" in name]


PARENT = """
import sys, time
from adaq_core.corpus import isolated
isolated.read("a.txt", b"A text.")
print(isolated._pool()._idle[0]._child.pid, flush=True)
time.sleep(60)
"""


def test_the_reader_ends_when_its_parent_is_killed():
    command = [sys.executable, "-c", PARENT]
    with subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        parent.kill()
    until = time.monotonic() + A_BUSY_MACHINE
    while time.monotonic() < until and _runs(child):
        time.sleep(0.05)
    assert not _runs(child)


def _runs(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False


def test_what_is_written_of_a_reading_is_what_dataclasses_would_copy():
    document = Document("a.md", "Ä", "Text", metadata=(("k", "v"),), pages=(0, 9), outline=((3, "Results › Europe"),))
    reading = Reading((document,), notices=("guessed",), judged=True)
    assert json.dumps(reading, default=fields_of) == json.dumps(asdict(reading))
    with pytest.raises(TypeError):
        json.dumps({"a": object()}, default=fields_of)
