"""What happens to the store when the world is not kind: killed, locked, too new, damaged, read-only, full."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pytest

from adaq_core.corpus.library import CorpusLibrary
from adaq_core.errors import StoreError, StoreLocked, StoreTooNew
from adaq_core.events import AnswerWritten, Record, RunStarted
from adaq_core.model import Answer, Budget, Settings
from adaq_core.store import Store
from adaq_core.store.open import MIGRATIONS
from adaq_core.store.upkeep import salvage
from tests.recorded import CARD, QUESTION, record, started, whole_run

PROJECT = Path(__file__).resolve().parents[2]

RECORD_FOREVER = """
import sys
from pathlib import Path
from adaq_core.store import Store
from tests.recorded import hop_events, planned, started
store = Store(Path(sys.argv[1]))
run_id = store.begin(started())
print(run_id, flush=True)
events = [started(), planned(), *(event for hop in range(1, 400) for event in hop_events(hop))]
for event in events:
    print(store.append(run_id, event).seq, flush=True)
"""
HOLD = """
import sys, time
from pathlib import Path
from adaq_core.store import Store
store = Store(Path(sys.argv[1]))
print("open", flush=True)
time.sleep(float(sys.argv[2]))
store.close()
"""


def python(code: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments], cwd=PROJECT, stdout=subprocess.PIPE, text=True, env=os.environ
    )


def begin(store: Store) -> str:
    return store.begin(RunStarted(QUESTION, "adaptive", CARD, Settings(), Budget()))


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.parametrize("acknowledged", [1, 2, 11, 60])
def test_killed_process_loses_no_event_that_was_acknowledged(tmp_path, acknowledged):
    with python(RECORD_FOREVER, str(tmp_path / "runs.duckdb")) as process:
        run_id = process.stdout.readline().strip()
        for _ in range(acknowledged):
            last = int(process.stdout.readline())
        process.send_signal(signal.SIGKILL)
        last = max([last, *(int(line) for line in process.stdout.read().split())])

    store = Store(tmp_path / "runs.duckdb")
    numbers = [record.seq for record in store.records(run_id)]
    row = store.run(run_id)
    store.close()
    assert numbers in (list(range(1, last + 1)), list(range(1, last + 2)))
    assert (row.status, row.last_seq) == ("interrupted", numbers[-1])
    assert row.reason == "ADAQ ended before the run did."


def test_locked_store_names_the_process_and_the_way_on(tmp_path):
    path = tmp_path / "runs.duckdb"
    with python(HOLD, str(path), "60") as process:
        process.stdout.readline()
        with pytest.raises(StoreLocked) as caught:
            Store(path)
        process.kill()
    assert f"(PID {process.pid})" in str(caught.value)
    assert "ADAQ_HOME" in str(caught.value)
    Store(path).close()


def test_waiting_outlasts_a_short_command(tmp_path):
    path = tmp_path / "runs.duckdb"
    with python(HOLD, str(path), "0.5") as process:
        process.stdout.readline()
        Store(path, wait_seconds=180).close()
    assert process.returncode == 0


def test_store_of_a_later_version_is_refused_and_not_touched(tmp_path):
    path = tmp_path / "runs.duckdb"
    Store(path).close()
    with duckdb.connect(str(path)) as connection:
        connection.execute("INSERT INTO adaq_migrations VALUES ('m999_from_the_future', TIMESTAMP '2030-01-01')")
    before = files(tmp_path)
    with pytest.raises(StoreTooNew, match=r"m999_from_the_future.*Update ADAQ"):
        Store(path)
    assert files(tmp_path) == before


def old_store(path: Path, *, steps: int, runs_of: Path) -> None:
    """A store as the version wrote it that knew so many steps, with the runs of another one."""
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE adaq_migrations (name VARCHAR NOT NULL, applied_at TIMESTAMP NOT NULL)")
        for step in MIGRATIONS[:steps]:
            step(connection)
            connection.execute("INSERT INTO adaq_migrations VALUES (?, now()::TIMESTAMP)", [step.__name__])
        connection.execute(f"ATTACH '{runs_of}' AS new")
        for table in ("runs", "events", "passages"):
            columns = connection.execute(f"SELECT column_name FROM (DESCRIBE {table})").fetchall()
            own = ", ".join(name for (name,) in columns)
            connection.execute(f"INSERT INTO {table} ({own}) SELECT {own} FROM new.{table}")


def content(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Every table of a store with its columns and rows."""
    with duckdb.connect(str(path), read_only=True) as connection:
        tables = [
            name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables() ORDER BY 1").fetchall()
        ]
        kept: dict[str, list[tuple[object, ...]]] = {}
        for table in tables:
            kept[table] = connection.execute(f"DESCRIBE {table}").fetchall()
            kept[table] += connection.execute(f"SELECT * FROM {table} ORDER BY ALL").fetchall()
    return kept


def test_a_step_that_fails_half_way_leaves_the_old_store_as_it_was_and_says_what_to_do(tmp_path):
    """The last step makes a table that somebody has made by hand; those before it have worked by then."""
    new = Store(tmp_path / "new.duckdb")
    run_id = record(new, whole_run())
    new.close()
    path = tmp_path / "runs.duckdb"
    old_store(path, steps=3, runs_of=tmp_path / "new.duckdb")
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE remarks (mine VARCHAR)")
        connection.execute("INSERT INTO remarks VALUES ('by hand')")
    before = content(path)
    for _ in range(2):
        with pytest.raises(StoreError, match=r"step m007_remarks failed .*taken back.*still opens it.*runs salvage"):
            Store(path)
        assert content(path) == before
    assert salvage(path).runs == 1
    store = Store(path)
    assert (store.version(), store.run(run_id).question) == (MIGRATIONS[-1].__name__, QUESTION)
    store.close()


def test_older_store_is_brought_up_to_date_and_keeps_what_it_has(tmp_path):
    new = Store(tmp_path / "new.duckdb")
    run_id = begin(new)
    new.close()
    path = tmp_path / "runs.duckdb"
    old_store(path, steps=1, runs_of=tmp_path / "new.duckdb")
    store = Store(path)
    store.save_view("a", "?b")
    assert store.version() == MIGRATIONS[-1].__name__
    assert (store.run(run_id).question, store.run(run_id).given_aspects) == (QUESTION, None)
    store.close()


def _garbage(path: Path) -> None:
    path.write_bytes(b"this is not a database" * 500)


def _sqlite(path: Path) -> None:
    path.write_bytes(b"SQLite format 3\0" + bytes(8000))


def _overwritten(path: Path) -> None:
    _filled(path)
    data = bytearray(path.read_bytes())
    data[4096:12288] = b"\xff" * 8192
    path.write_bytes(data)


def _cut_short(path: Path) -> None:
    _filled(path)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 3])


def _filled(path: Path) -> None:
    store = Store(path)
    for _ in range(3):
        run_id = begin(store)
        for event in whole_run(hops=8):
            store.append(run_id, event, wait=False)
        store.flush(run_id)
    store.close()


@pytest.mark.parametrize("damage", [_garbage, _sqlite, _overwritten, _cut_short])
def test_damaged_store_is_refused_in_words_and_kept(tmp_path, damage):
    path = tmp_path / "runs.duckdb"
    damage(path)
    before = files(tmp_path)
    with pytest.raises(StoreError, match=r"damaged or not a run store.*Move it"):
        Store(path)
    assert files(tmp_path) == before


def _stump(path: Path, size: int) -> None:
    Store(path).close()
    data = path.read_bytes()
    path.write_bytes(data[:size])


@pytest.mark.parametrize("size", [0, 4096, 8192])
def test_stump_of_a_first_start_that_was_killed_is_an_empty_store(tmp_path, size):
    path = tmp_path / "runs.duckdb"
    _stump(path, size)
    store = Store(path)
    run_id = begin(store)
    store.close()
    assert [row.run_id for row in Store(path).runs()] == [run_id]


def test_stump_with_a_log_beside_it_is_not_thrown_away(tmp_path):
    path = tmp_path / "runs.duckdb"
    _stump(path, 4096)
    (tmp_path / "runs.duckdb.wal").write_bytes(b"what was written")
    before = files(tmp_path)
    with pytest.raises(StoreError, match="damaged"):
        Store(path)
    assert files(tmp_path) == before


OPEN = """
import sys
from pathlib import Path
from adaq_core.store import Store
print("ready", flush=True)
Store(Path(sys.argv[1]))
"""


def test_first_start_that_is_killed_leaves_a_store_that_opens(tmp_path):
    for number in range(12):
        path = tmp_path / f"{number}" / "runs.duckdb"
        with python(OPEN, str(path)) as process:
            process.stdout.readline()
            time.sleep(0.008 * number)
            process.kill()
        store = Store(path)
        assert store.count() == 0
        store.close()
        assert [left.name for left in path.parent.iterdir() if left.name.endswith(".new")] == []


def test_first_start_on_a_full_disk_leaves_nothing_behind(small_disk):
    path, ballast = small_disk / "runs.duckdb", small_disk / "ballast"
    with pytest.raises(OSError), ballast.open("wb") as file:  # noqa: PT011
        file.write(bytes(10_000_000))
    with pytest.raises(StoreError, match="is full"):
        Store(path)
    assert [left.name for left in small_disk.iterdir() if "duckdb" in left.name] == []
    ballast.unlink()
    Store(path).close()


def test_nobody_else_may_read_the_store_or_a_corpus(tmp_path):
    home = tmp_path / "home"
    store = Store(home / "runs.duckdb")
    begin(store)
    log = home / "runs.duckdb.wal"
    assert [mode(place) for place in (home, home / "runs.duckdb", log)] == [0o700, 0o600, 0o600]
    store.close()
    CorpusLibrary(home).add("mine", uploads=[("a.txt", b"A text.")])
    assert mode(home / "corpora") == 0o700
    kept = [path for path in (home / "corpora" / "mine").rglob("*") if path.is_file()]
    assert {mode(path) for path in kept} == {0o600}


def test_store_that_an_earlier_version_left_open_to_others_is_closed_to_them(tmp_path):
    Store(tmp_path / "runs.duckdb").close()
    tmp_path.chmod(0o755)
    (tmp_path / "runs.duckdb").chmod(0o644)
    Store(tmp_path / "runs.duckdb").close()
    assert (mode(tmp_path), mode(tmp_path / "runs.duckdb")) == (0o700, 0o600)


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_database_of_something_else_is_refused_and_kept(tmp_path):
    path = tmp_path / "runs.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE recipes AS SELECT 'soup' AS name")
    before = files(tmp_path)
    with pytest.raises(StoreError, match="something else"):
        Store(path)
    assert files(tmp_path) == before


def test_file_in_the_place_of_the_folder_is_named(tmp_path):
    (tmp_path / "home").write_text("a file")
    with pytest.raises(StoreError, match="a file is in its place"):
        Store(tmp_path / "home" / "runs.duckdb")


@pytest.fixture
def small_disk(tmp_path):
    """A disk of its own of 6 MB; it takes root to make one."""
    if os.geteuid() != 0 or shutil.which("mount") is None:
        pytest.skip("a disk that can be filled needs root and mount(8)")
    place = tmp_path / "disk"
    place.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", str(place)], capture_output=True)
    if made.returncode != 0:
        pytest.skip(f"a disk that can be filled could not be mounted: {made.stderr.decode().strip()}")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def test_full_disk_is_said_and_what_was_recorded_is_kept(small_disk):
    path = small_disk / "runs.duckdb"
    store = Store(path)
    run_id = begin(store)
    written: list[Record] = []

    def fill() -> None:
        while len(written) < 2000:
            written.append(store.append(run_id, AnswerWritten(Answer(os.urandom(20_000).hex()))))

    with pytest.raises(StoreError, match=r"is full.*Free some space"):
        fill()
    assert len(written) > 5
    assert store.records(run_id) == written
    with pytest.raises(StoreError):
        store.append(run_id, started())

    subprocess.run(["mount", "-o", "remount,size=60m", str(small_disk)], check=True)
    with pytest.raises(StoreError, match="takes no more events"):
        store.append(run_id, started())
    other = begin(store)
    store.append(other, started())
    store.close()
    store = Store(path)
    assert store.records(run_id) == written
    assert [store.run(one).status for one in (run_id, other)] == ["interrupted", "interrupted"]
    store.close()


FILL_UP = """
import os, resource, sys
from pathlib import Path
from adaq_core.errors import StoreError
from adaq_core.events import AnswerWritten
from adaq_core.model import Answer
from adaq_core.store import Store
from tests.recorded import started
store = Store(Path(sys.argv[1]))
run_id = store.begin(started())
resource.setrlimit(resource.RLIMIT_FSIZE, (2_000_000, resource.RLIM_INFINITY))
try:
    while True:
        print(run_id, store.append(run_id, AnswerWritten(Answer(os.urandom(20_000).hex()))).seq, flush=True)
except StoreError as error:
    print("error", error)
os._exit(0)
"""


def test_file_that_may_not_grow_is_said_and_what_was_recorded_is_kept(tmp_path):
    path = tmp_path / "runs.duckdb"
    *written, error = python(FILL_UP, str(path)).communicate()[0].splitlines()
    assert error.startswith("error")
    assert "is full" in error
    run_id, last = written[-1].split()
    store = Store(path)
    assert [record.seq for record in store.records(run_id)] == list(range(1, int(last) + 1))
    store.close()


@pytest.fixture
def unwritable(request, tmp_path):
    """A folder with a store in it that cannot be written; root gets a read-only disk, as it may write anywhere else."""
    if os.geteuid() == 0:
        place = request.getfixturevalue("small_disk")
        Store(place / "runs.duckdb").close()
        subprocess.run(["mount", "-o", "remount,ro", str(place)], check=True)
        yield place
        return
    Store(tmp_path / "runs.duckdb").close()
    (tmp_path / "runs.duckdb").chmod(0o400)
    tmp_path.chmod(0o500)
    yield tmp_path
    tmp_path.chmod(0o700)


@pytest.mark.parametrize("name", ["runs.duckdb", "new.duckdb", "sub/new.duckdb"])
def test_read_only_folder_is_said(unwritable, name):
    with pytest.raises(StoreError, match=r"read-only.*ADAQ_HOME"):
        Store(unwritable / name)
