"""Copies beside a writer, and what is saved of a store that is damaged."""

from __future__ import annotations

import random
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from adaq_core.errors import StoreError
from adaq_core.events import RunStarted
from adaq_core.model import Budget, Settings
from adaq_core.store import Store
from adaq_core.store.open import is_damaged, log_of, mended
from adaq_core.store.recording import Reading
from adaq_core.store.upkeep import back_up, salvage, snapshot
from tests.recorded import CARD, QUESTION, whole_run

PROJECT = Path(__file__).resolve().parents[2]


def record(store: Store, count: int) -> list[str]:
    ids = []
    for _ in range(count):
        run_id = store.begin(RunStarted(QUESTION, "adaptive", CARD, Settings(), Budget()))
        for event in whole_run(hops=4):
            store.append(run_id, event, wait=False)
        store.flush(run_id)
        ids.append(run_id)
    return ids


WRITE = """
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
sys.path.insert(0, ".")
from adaq_core.store import Store
from tests.store.test_upkeep import record
store = Store(Path(sys.argv[1]))
while True:
    print(record(store, 1)[0], flush=True)
"""


def test_a_snapshot_beside_a_writer_holds_every_run_that_was_done_before_it(tmp_path):
    path = tmp_path / "runs.duckdb"
    command = [sys.executable, "-c", WRITE, str(path)]
    done: list[str] = []
    with subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        try:
            for _ in range(5):
                done += [writer.stdout.readline().strip() for _ in range(4)]
                with snapshot(path) as copy:
                    reading = Reading(copy)
                    assert {run.run_id for run in reading.runs(limit=1000)} >= set(done)
                    assert all(len(reading.records(run_id)) == len(whole_run(hops=4)) for run_id in done)
                    reading.close()
            back_up(path, tmp_path / "copies" / "runs.duckdb")
        finally:
            writer.kill()
    copied = Store(tmp_path / "copies" / "runs.duckdb")
    assert {run.run_id for run in copied.runs(limit=1000)} >= set(done)
    copied.close()


def test_nothing_is_backed_up_or_salvaged_where_nothing_is(tmp_path):
    for work in (lambda: back_up(tmp_path / "no.duckdb", tmp_path / "copy"), lambda: salvage(tmp_path / "no.duckdb")):
        with pytest.raises(StoreError, match="There is no run store"):
            work()


def _with_log(folder: Path, *, before: int, after: int) -> tuple[Path, list[str]]:
    """A store with runs in the file and later ones in its log, as a kill leaves it."""
    data, log, ids = _killed(before, after)
    path = folder / "runs.duckdb"
    path.write_bytes(data)
    log_of(path).write_bytes(log)
    return path, list(ids)


@cache
def _killed(before: int, after: int) -> tuple[bytes, bytes, tuple[str, ...]]:
    """The file, its log and the runs in both; made once, for many a test damages a copy in its own place."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "runs.duckdb"
        store = Store(path)
        ids = record(store, before)
        store.execute("CHECKPOINT")
        ids += record(store, after)
        data, log = path.read_bytes(), log_of(path).read_bytes()
        store.close()
    return data, log, tuple(ids)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_flipped_bit_in_the_log_costs_only_what_came_after_it(tmp_path, share):
    path, ids = _with_log(tmp_path, before=3, after=6)
    log = bytearray(log_of(path).read_bytes())
    log[int(share * len(log))] ^= 4
    log_of(path).write_bytes(log)
    with pytest.raises(StoreError, match="runs salvage"):
        Store(path)
    saved = salvage(path)
    store = Store(path)
    there = {run.run_id: run for run in store.runs(limit=100)}
    assert set(ids[: 3 + int(6 * share) - 1]) <= set(there)
    assert all(len(store.records(run_id)) == run.last_seq for run_id, run in there.items())
    assert saved.runs + saved.cut == len(there)
    assert saved.moved.exists()
    record(store, 1)
    store.close()


def _parts(log: bytes) -> list[int]:
    """Where the parts of a log begin, behind its head."""
    at = log.index(b"\xff\xff") + 2
    begins = []
    while at < len(log):
        begins.append(at)
        at += 16 + int.from_bytes(log[at : at + 8], "little")
    return begins


@pytest.mark.parametrize("part", [0, 1, -2, -1, "middle"])
@pytest.mark.parametrize("bit", [3 * 8 + 1, 7 * 8 + 7])
def test_a_wrong_length_in_the_log_is_noticed_and_costs_no_run(tmp_path, part, bit):
    path, ids = _with_log(tmp_path, before=1, after=4)
    log = bytearray(log_of(path).read_bytes())
    begins = _parts(bytes(log))
    at = begins[len(begins) // 2 if part == "middle" else part]
    log[at + bit // 8] ^= 1 << bit % 8
    _saves_all(path, bytes(log), ids)


@pytest.mark.parametrize("byte", [0, 1, 3, 6, 7, 8])
def test_a_wrong_bit_in_the_head_of_the_log_is_noticed_and_costs_no_run(tmp_path, byte):
    path, ids = _with_log(tmp_path, before=1, after=4)
    log = bytearray(log_of(path).read_bytes())
    log[byte] ^= 16
    _saves_all(path, bytes(log), ids)


def _saves_all(path: Path, log: bytes, ids: list[str]) -> None:
    log_of(path).write_bytes(log)
    for use in (Store, lambda path: back_up(path, path.with_name("copy.duckdb"))):
        with pytest.raises(StoreError, match="runs salvage"):
            use(path)
    saved = salvage(path)
    store = Store(path)
    there = {run.run_id: run for run in store.runs(limit=100)}
    assert set(there) == set(ids)
    assert all(len(store.records(run_id)) == run.last_seq for run_id, run in there.items())
    assert saved.log_bytes == saved.log_of == len(log)
    store.close()


@example(data=b"d\0b\xff\xff", cut=5, head=False)
@given(data=st.binary(max_size=400), cut=st.integers(0, 400), head=st.booleans())
def test_whatever_the_log_holds_it_is_looked_at_and_mended_without_an_error(data, cut, head):
    known = bytes.fromhex("640062650002660010") + bytes(16) + bytes.fromhex("670001ffff")
    done = bytes.fromhex("05") + bytes(15) + bytes.fromhex("640064ffff")
    log = (known if head else b"") + data + done + data[:cut]
    assert not is_damaged(mended(log))


def test_a_log_that_a_kill_cut_off_is_not_called_damaged(tmp_path):
    path, _ = _with_log(tmp_path, before=1, after=3)
    log = log_of(path).read_bytes()
    assert not any(is_damaged(log[:size]) for size in range(0, len(log), 7))


def test_a_damaged_block_in_the_file_costs_only_what_is_in_it(tmp_path):
    path = tmp_path / "runs.duckdb"
    store = Store(path)
    ids = record(store, 30)
    store.close()
    data = bytearray(path.read_bytes())
    place = len(data) // 2
    data[place : place + 64] = random.Random(7).randbytes(64)
    path.write_bytes(data)
    saved = salvage(path)
    store = Store(path)
    there = {run.run_id: run for run in store.runs(limit=100)}
    assert set(there) <= set(ids)
    assert all(len(store.records(run_id)) == run.last_seq for run_id, run in there.items())
    assert saved.runs + saved.cut == len(there)
    store.close()


def test_of_what_is_no_store_nothing_is_touched(tmp_path):
    path = tmp_path / "runs.duckdb"
    path.write_bytes(b"this is not a database" * 500)
    with pytest.raises(StoreError, match="Nothing of the run store"):
        salvage(path)
    assert [one.name for one in tmp_path.iterdir()] == ["runs.duckdb"]
