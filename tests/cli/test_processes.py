"""Commands as processes of their own: exit codes, signals, and a store that another process holds."""

import json
import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from adaq_core.cli import build
from tests.drinks import QUESTION

PROJECT = Path(__file__).resolve().parents[2]


def python_m(*arguments: str, home: Path, program=("-m", "adaq_core"), **more) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *program, *arguments],
        cwd=PROJECT,
        env={**os.environ, "ADAQ_HOME": str(home), **more},
        capture_output=True,
        text=True,
        timeout=600,
        encoding="utf-8",
    )


@pytest.fixture(scope="module")
def asked(tmp_path_factory, folder):
    """A home, and what a process said that was asked in it."""
    home = tmp_path_factory.mktemp("asked")
    return home, python_m("ask", QUESTION, "--corpus", str(folder), "--json", home=home)


def test_process_leaves_with_clean_stdout_and_code(asked):
    home, done = asked
    assert (done.returncode, json.loads(done.stdout)["stop_reason"]) == (0, "all_covered")
    assert "nanobind" not in done.stderr
    again = python_m("runs", "list", "--json", home=home)
    assert [run["status"] for run in json.loads(again.stdout)] == ["finished"]
    assert python_m("ask", "", home=home).returncode == 2


def test_terminal_that_knows_no_unicode_is_no_reason_to_fail(tmp_path, folder):
    done = python_m("ask", QUESTION, "-v", "--corpus", str(folder), home=tmp_path, PYTHONIOENCODING="ascii")
    assert (done.returncode, "[Hop 1/10]" in done.stdout) == (0, True)


HOLD = """
import sys, time
from adaq_core.store import open_store
store = open_store()
print("open", flush=True)
time.sleep(600)
"""


@contextmanager
def holding(home: Path):
    """Another process that has the store of this home open."""
    environment = {**os.environ, "ADAQ_HOME": str(home)}
    command = [sys.executable, "-c", HOLD]
    with subprocess.Popen(command, cwd=PROJECT, env=environment, stdout=subprocess.PIPE) as holder:
        holder.stdout.readline()
        try:
            yield holder
        finally:
            holder.kill()


@pytest.fixture
def here(monkeypatch):
    """Calls a command in this process, in any home folder."""

    def call(*arguments: str, home: Path) -> Result:
        monkeypatch.setenv("ADAQ_HOME", str(home))
        done = CliRunner().invoke(build(), arguments)
        assert done.exit_code == 0, done.output
        return done

    return call


def test_runs_are_read_beside_the_process_that_writes_them(tmp_path, asked, here):
    writing, done = asked
    told = json.loads(done.stdout)
    run_id = told["run_id"]
    with holding(writing):
        listed = python_m("runs", "list", "--json", home=writing)
        shown = here("runs", "show", run_id, "--json", home=writing)
        exported = here("runs", "export", run_id, home=writing)
        here("runs", "backup", str(tmp_path / "copy" / "runs.duckdb"), home=writing)
    assert [run["run_id"] for run in json.loads(listed.stdout)] == [run_id]
    assert json.loads(shown.stdout) == told
    (tmp_path / "run.jsonl").write_text(exported.stdout)
    taken_in = here("runs", "import", str(tmp_path / "run.jsonl"), home=tmp_path / "other")
    again = here("runs", "import", str(tmp_path / "run.jsonl"), home=tmp_path / "other")
    assert (taken_in.stdout.split(), again.stdout.split()) == ([run_id], [run_id])
    assert "1 run imported." in taken_in.stderr
    assert "This run is here already, so nothing was imported." in again.stderr
    for home in (tmp_path / "other", tmp_path / "copy"):
        again = json.loads(here("runs", "show", run_id, "--json", home=home).stdout)
        assert again["answer"] == told["answer"]


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"adaq_run": 99}', '{"adaq_run": 1}\n{"seq": 1}', "\0\n"])
def test_a_file_that_is_no_export_is_refused_in_words(adaq, tmp_path, text):
    (tmp_path / "runs.jsonl").write_text(text)
    done = adaq("runs", "import", str(tmp_path / "runs.jsonl"), code=2 if text else 0)
    assert "Traceback" not in done.output


def test_a_command_that_is_told_to_end_leaves_runs_that_can_be_resumed(indexed):
    environment = {**os.environ, "ADAQ_HOME": str(indexed)}
    command = [sys.executable, "-u", "-c", SLOW]
    with subprocess.Popen(command, cwd=PROJECT, env=environment, stdout=subprocess.PIPE, text=True) as process:
        run_id = process.stdout.readline().strip()
        process.stdout.readline()
        process.terminate()
        # The model takes its time; what ends the process does not wait for it.
        assert process.wait(60) == 128 + 15
    (row,) = json.loads(python_m("runs", "list", "--json", home=indexed).stdout)
    assert (row["run_id"], row["status"]) == (run_id, "interrupted")


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_command_that_is_told_to_end_in_the_middle_of_a_query_ends_as_at_any_time(number, code):
    command = [sys.executable, "-c", END_IN_A_QUERY, str(int(number))]
    assert subprocess.run(command, cwd=PROJECT, timeout=300, check=False).returncode == code


TOLD_TO_END = """
import atexit, os, signal, time
from adaq_core import cli
from adaq_core.runs.jobs import Job

class Loaded:
    def __del__(self):
        print("taken down", flush=True)

loaded = Loaded()
Job("a model that loads", lambda *_: time.sleep(600), exit_seconds=600).start()
atexit.register(print, "in order", flush=True)
cli.build = lambda: lambda **_: os.kill(os.getpid(), signal.SIGTERM)
cli.main()
"""


def test_a_command_that_is_told_to_end_closes_in_order_and_does_not_take_down_what_is_loaded():
    """A model of vectors that loads hears of no cancel, and had held up the end for ten seconds."""
    command = [sys.executable, "-c", TOLD_TO_END]
    done = subprocess.run(command, cwd=PROJECT, timeout=300, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (143, "in order\n")


TOLD_TWICE = """
import atexit, os, signal
from adaq_core import cli

def close():
    os.kill(os.getpid(), signal.SIGTERM)
    print("closed", flush=True)

atexit.register(close)
cli.build = lambda: lambda **_: os.kill(os.getpid(), signal.SIGTERM)
cli.main()
"""


def test_a_command_that_is_told_twice_to_end_closes_all_the_same():
    done = subprocess.run(
        [sys.executable, "-c", TOLD_TWICE], cwd=PROJECT, timeout=300, check=False, capture_output=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (143, b"closed\n", b"")


END_IN_A_QUERY = """
import os, signal, sys, threading, duckdb
from adaq_core import cli

# A shell starts what runs in its background with interrupts ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)

def command():
    connection = duckdb.connect()
    threading.Timer(0.5, os.kill, (os.getpid(), int(sys.argv[1]))).start()
    try:
        # One after the other: where the main thread itself does the work of a query, a signal waits for its end.
        while True:
            connection.execute("SELECT count(*) FROM range(1000) a(x), range(200000) b(y) WHERE x * y % 7 = 3")
    except KeyboardInterrupt:  # between two queries
        raise SystemExit(130)

cli.build = lambda: lambda **_: command()
cli.main()
"""


SLOW = """
import sys, time
from adaq_core import cli
from adaq_core.cli._options import Follower, the_runner
from adaq_core.runs.execute import RunSpec
from tests.scripted import Scripted

def command():
    runner = the_runner()
    slow = Scripted({stage: lambda prompt: print("asked", flush=True) or time.sleep(300) for stage in ("plan", "read")})
    run_id = runner.submit(RunSpec("adaptive", "Compare tea and coffee"), corpus="sample", chat=slow)
    print(run_id, flush=True)
    Follower(runner, run_id, lambda record: None).follow()

cli.build = lambda: lambda **_: command()
cli.main()
"""


# The command as it is, but for the ten seconds that it gives another one to finish.
SOON = """
from adaq_core import cli
from adaq_core.cli import _options
_options.WAIT_FOR_STORE_SECONDS = 0.2
cli.main()
"""


def test_store_in_use_is_said_with_exit_code_3(tmp_path):
    with holding(tmp_path) as holder:
        done = python_m("runs", "delete", "r-1234", "--yes", home=tmp_path, program=("-c", SOON))
    assert done.returncode == 3
    assert f"(PID {holder.pid})" in done.stderr
    assert "ADAQ_HOME" in done.stderr
    assert done.stdout == ""


def test_damaged_store_is_said_with_exit_code_3(tmp_path):
    (tmp_path / "runs.duckdb").write_bytes(b"not a database")
    done = python_m("runs", "list", home=tmp_path)
    assert (done.returncode, "Move it" in done.stderr, "Traceback" in done.stderr) == (3, True, False)
