"""Accidents of a machine, made on purpose: kills, torn files, full disks, a loaded server, a thousand runs.

python -m benchmarks.faults                 all of them, with counts tried and survived (about ten minutes)
python -m benchmarks.faults --only kills    one of them
python -m benchmarks.faults --scale 0.2     fewer tries
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from adaq_core.errors import StoreError
from adaq_core.store import Store
from adaq_core.store.open import log_of
from adaq_core.store.recording import Reading
from adaq_core.store.upkeep import salvage, snapshot
from benchmarks.load import clients, indexing, served
from benchmarks.trials import Trial, python, run_chosen

RECORD = """
import sys
from pathlib import Path
from adaq_core.events import Noticed, RunStarted
from adaq_core.model import Budget, CorpusCard, Settings
from adaq_core.store import Store
store = Store(Path(sys.argv[1]))
card = CorpusCard("c", "v", 1, 1)
while True:
    run = store.begin(RunStarted("q", "bm25", card, Settings(), Budget()))
    for number in range(40):
        print(run, store.append(run, Noticed("s", "words " * 200)).seq, flush=True)
"""

ASK = """
from adaq_core.runs.runner import get_runner
from adaq_core.cli import main
import sys
sys.argv = ["adaq", "compare", "Compare self-attention and multi-head attention in three ways", "--methods",
            "adaptive,iterative,static,multi_query,crag,bm25"]
print("begun", flush=True)
main()
"""

THOUSAND = """
import sys, time
from adaq_core.runs.execute import RunSpec
from adaq_core.runs.runner import get_runner
runner = get_runner()
questions = ("What is BM25?", "Compare self-attention and multi-head attention", "Why did Boeing lose orders?")
for number in range(int(sys.argv[1])):
    run = runner.submit(RunSpec(("bm25", "adaptive")[number % 2], questions[number % 3]), corpus="sample")
    row = runner.wait(run, 60)
    with open("/proc/self/statm") as state:
        print(row.status, int(state.read().split()[1]) * 4096 // 1000, flush=True)
"""

CLOCKS = """
import random, sys, time
from datetime import datetime, timedelta
import adaq_core.store.recording as recording, adaq_core.store.rows as rows, adaq_core.store.history as history
from adaq_core.model import Budget
from adaq_core.runs.execute import RunSpec
from adaq_core.runs.forecast import forecast
from adaq_core.runs.runner import get_runner
draw, real, speed = random.Random(7), time.monotonic, float(sys.argv[2])
class Jumping(datetime):
    @classmethod
    def now(cls, tz=None):
        return datetime.now(tz) + timedelta(hours=draw.uniform(-30_000, 30_000))
recording.datetime = rows.datetime = history.datetime = Jumping
wall = time.time
time.time = lambda: wall() + draw.uniform(-1e8, 1e8)
time.monotonic = lambda: real() * speed
runner, ids = get_runner(), []
for number in range(int(sys.argv[1])):
    method = ("adaptive", "bm25")[number % 2]
    spec = RunSpec(method, "Compare self-attention and multi-head attention", budget=Budget(max_seconds=60))
    ids.append(runner.submit(spec, corpus="sample"))
    runner.wait(ids[-1], 60)
for run in ids:
    records, row = runner.store.records(run), runner.store.run(run)
    times = [record.elapsed for record in records]
    whole = [record.seq for record in records] == list(range(1, len(records) + 1)) and times == sorted(times)
    ahead = forecast(runner.store, corpus="sample", method=row.method)
    seconds = ahead.seconds.low if ahead and ahead.seconds else 0.0
    sound = whole and times[0] >= 0 and row.elapsed >= 0 and seconds >= 0
    print(row.status, int(sound), len(runner.store.runs(limit=1000)) == len(ids), flush=True)
"""


def kills(scale: float) -> Trial:
    """Kill a process that records, at any moment from its start on; nothing acknowledged may be lost."""
    trial, draw = Trial("kill -9 of a recording process, in its first second or later"), random.Random(7)
    events = 0
    for number in range(round(50 * scale)):
        with tempfile.TemporaryDirectory(prefix="adaq-faults-") as folder:
            path = Path(folder) / "runs.duckdb"
            process = python(RECORD, str(path))
            first = process.stdout.readline() if number % 2 and process.stdout is not None else ""
            time.sleep(draw.uniform(0.0, 1.0))
            process.kill()
            lines = [line.split() for line in (first + process.communicate()[0]).splitlines()]
            events += len(lines)
            trial.count(f"kill {number}", held=not (why := _lost(path, lines)), why=why)
    trial.note = f"{events:,} acknowledged events, none lost" if not trial.failures else "events lost"
    return trial


def _lost(path: Path, lines: list[list[str]]) -> str:
    """Return what is missing of the acknowledged events; empty when nothing is."""
    try:
        store = Store(path)
    except StoreError as error:
        return str(error)
    try:
        for run_id in {line[0] for line in lines if len(line) == 2}:
            last = max(int(line[1]) for line in lines if line[0] == run_id and len(line) == 2)
            seqs = [record.seq for record in store.records(run_id)]
            if seqs != list(range(1, len(seqs) + 1)) or len(seqs) < last:
                return f"run {run_id} has {len(seqs)} events of {last}"
        return "" if all(row.over for row in store.runs(limit=1000)) else "a run is shown as still running"
    finally:
        store.close()


def torn_log(scale: float) -> Trial:
    """Cut, zero and flip parts of the log of a killed store; it opens with all, or is refused and salvaged."""
    trial = Trial("torn, zeroed or flipped bytes in the store's log: opened or salvaged")
    for number, why in enumerate(_torn(round(60 * scale), log=True)):
        trial.count(f"tear {number}", held=not why, why=why)
    return trial


def torn_file(scale: float) -> Trial:
    """Cut, zero and flip parts of the file of a killed store; it opens, is salvaged, or is refused in words."""
    trial, refused = Trial("torn, zeroed or flipped bytes in the store's file: never other data"), 0
    for number, why in enumerate(_torn(round(20 * scale), log=False)):
        refused += "Nothing of the run store" in why
        trial.count(f"tear {number}", held=not why or "Nothing of the run store" in why, why=why)
    trial.note = f"{trial.tried - refused} opened or salvaged, {refused} refused in words: those need a backup"
    return trial


def _torn(count: int, *, log: bool) -> Iterator[str]:
    """Yield what was wrong with each of `count` torn copies of a store; empty when nothing was."""
    draw = random.Random(7)
    with tempfile.TemporaryDirectory(prefix="adaq-faults-") as folder:
        whole = Path(folder) / "whole" / "runs.duckdb"
        process = python(RECORD, str(whole))
        assert process.stdout is not None
        for _ in range(150):
            process.stdout.readline()
        process.kill()
        process.wait()
        events = _count(whole)
        for number in range(count):
            path = Path(folder) / f"{number}" / "runs.duckdb"
            shutil.copytree(whole.parent, path.parent)
            if log and number % 3 == 2:
                _flip_in_head(log_of(path), draw)
                kept = events
            else:
                kind = _tear(log_of(path) if log else path, draw, first=0 if log else 3 * 4096)
                kept = events if log and kind != "cut" else 0
            yield _opened_or_salvaged(path, kept)
            shutil.rmtree(path.parent)


def _count(path: Path) -> int:
    """How many events a store has; it is looked at in a copy, so that its log stays as it is."""
    with snapshot(path) as copy, closing(Reading(copy)) as store:
        return sum(len(store.records(row.run_id)) for row in store.runs(limit=10_000))


def _flip_in_head(victim: Path, draw: random.Random) -> None:
    data = bytearray(victim.read_bytes())
    data[draw.randrange(80)] ^= 1 << draw.randrange(8)
    victim.write_bytes(data)


def _tear(victim: Path, draw: random.Random, *, first: int) -> str:
    data = bytearray(victim.read_bytes())
    place = draw.randrange(min(first, len(data) - 1), len(data))
    kind = draw.choice(("cut", "zero", "flip"))
    match kind:
        case "cut":
            del data[place:]
        case "zero":
            data[place : place + 512] = bytes(len(data[place : place + 512]))
        case _:
            data[place] ^= 1 << draw.randrange(8)
    victim.write_bytes(data)
    return kind


def _opened_or_salvaged(path: Path, kept: int) -> str:
    """What is wrong with a torn store; one that opens without a word has to have the `kept` events."""
    try:
        store = Store(path)
    except StoreError:
        try:
            salvage(path)
            store, kept = Store(path), 0
        except StoreError as error:
            return str(error)
    events = 0
    try:
        for row in store.runs(limit=10_000):
            try:
                seqs = [record.seq for record in store.records(row.run_id)]
            except StoreError as error:
                return "" if "salvage" in str(error) else str(error)  # said in words when it is read
            if seqs != list(range(1, len(seqs) + 1)):
                return f"run {row.run_id} has a gap"
            events += len(seqs)
    finally:
        store.close()
    return "" if events >= kept else f"{kept - events} of {kept} events are gone without a word"


def full_disk(scale: float) -> Trial:
    """Start and record on a file system of a few megabytes that is full."""
    trial = Trial("full disk, at the first start and while recording")
    if os.geteuid() != 0 or not shutil.which("mount"):
        trial.note = "not tried: a small file system needs root"
        return trial
    for number in range(max(1, round(6 * scale))):
        with tempfile.TemporaryDirectory(prefix="adaq-faults-") as folder:
            place = Path(folder) / "disk"
            place.mkdir()
            subprocess.run(["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", str(place)], check=True)
            try:
                trial.count(f"disk {number}", held=not (why := _on_full_disk(place, first=number % 2 == 0)), why=why)
            finally:
                subprocess.run(["umount", "-l", str(place)], check=True)
    trial.note = "said in words; opens once there is room, with all that was acknowledged"
    return trial


def _on_full_disk(place: Path, *, first: bool) -> str:
    path, lines = place / "runs.duckdb", list[list[str]]()
    ballast = place / "ballast"
    if first:
        _fill(ballast)
        try:
            Store(path).close()
            return "it started on a full disk"
        except StoreError as error:
            if "is full" not in str(error):
                return str(error)
    else:
        process = python(RECORD, str(path))
        lines = [line.split() for line in process.communicate(timeout=600)[0].splitlines()]
    subprocess.run(["mount", "-o", "remount,size=60m", str(place)], check=True)
    ballast.unlink(missing_ok=True)
    return _lost(path, [line for line in lines if len(line) == 2])


def _fill(ballast: Path) -> None:
    try:
        with ballast.open("wb") as file:
            file.write(bytes(10_000_000))
    except OSError:
        return


def terminated(scale: float) -> Trial:
    """End a command with SIGTERM while runs are at work; they are interrupted, and it is quick."""
    trial, draw, longest = Trial("SIGTERM to a command with runs at work"), random.Random(7), 0.0
    for number in range(max(1, round(8 * scale))):
        with tempfile.TemporaryDirectory(prefix="adaq-faults-") as folder:
            process = python(ASK, home=folder)
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(draw.uniform(1.0, 6.0))
            began = time.monotonic()
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=60)
            seconds = time.monotonic() - began
            longest = max(longest, seconds)
            why = _lost(Path(folder) / "runs.duckdb", [])
            trial.count(f"end {number}", held=seconds < 5 and not why, why=why or f"it took {seconds:.1f} s")
    trial.note = f"at most {longest:.1f} s; every run finished or interrupted"
    return trial


def clocks(scale: float) -> Trial:
    """Make runs while the wall clock jumps by years at each look, and the other clock is slow, right or fast."""
    trial, each = (
        Trial("runs while the clock of the day jumps by years and the other is slow or fast"),
        round(10 * scale),
    )
    for speed in ("0.05", "1", "20"):
        with tempfile.TemporaryDirectory(prefix="adaq-faults-") as home:
            lines = python(CLOCKS, str(max(4, each)), speed, home=home).communicate(timeout=600)[0].splitlines()
        for line in lines:
            trial.count(f"speed {speed}", held=line == "finished 1 True", why=line)
        missing = max(4, each) - len(lines)
        trial.count(f"speed {speed}, all told", held=not missing, why=f"{missing} runs are not told")
    trial.note = "no event lost, no time below zero, every run ends, forecasts stand"
    return trial


def memory(scale: float) -> Trial:
    """Make a thousand runs in one process; after the first fifth its memory stays where it is."""
    trial = Trial("runs in one process, memory flat")
    with tempfile.TemporaryDirectory(prefix="adaq-faults-") as home:
        lines = python(THOUSAND, str(round(1000 * scale)), home=home).communicate()[0].split("\n")
    states = [line.split() for line in lines if line.count(" ") == 1]
    sizes = [int(size) / 1000 for _, size in states]
    warm, end = max(sizes[: len(sizes) // 5]), max(sizes[-20:])
    for status, _ in states:
        trial.count("run", held=status == "finished", why=status)
    trial.count("memory", held=end < warm * 1.1, why=f"{warm:.0f} MB grew to {end:.0f} MB")
    trial.note = f"{warm:.0f} MB after a fifth of them, {end:.0f} MB at the end"
    return trial


TRIALS: dict[str, Callable[[float], Trial]] = {
    "kills": kills,
    "log": torn_log,
    "file": torn_file,
    "full": full_disk,
    "terminated": terminated,
    "clocks": clocks,
    "served": served,
    "clients": clients,
    "indexing": indexing,
    "memory": memory,
}


def main() -> None:
    """Parse the arguments and do what they say."""
    run_chosen(TRIALS, __doc__)


if __name__ == "__main__":
    main()
