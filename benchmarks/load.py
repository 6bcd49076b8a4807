"""The server under load: sessions that ask without a pause, and clients of the service beside pages that are open."""

from __future__ import annotations

import http.client
import re
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, cast

import httpx

from benchmarks.trials import Trial, python

ITEMS = ", ".join(f"item {number} of the list" for number in range(40))
# None that waits until the vectors of the corpus are made, which would be a pause of a minute.
METHODS = ("adaptive", "bm25", "iterative", "multi_query", "seal_rag")
SESSIONS, CLIENTS = 20, 50
_COMPILE_ERROR = 1

SERVE = """
import sys, threading
sys.path.insert(0, ".")
import app
from adaq_core.runs.execute import RunSpec
from adaq_core.runs.runner import get_runner
from benchmarks.load import ITEMS, METHODS
def ask(session):
    runner = get_runner()
    number = 0
    while True:
        number += 1
        question = f"How did {ITEMS} and session {session} change after merger {number}?"
        run = runner.submit(RunSpec(METHODS[number % 5], question), corpus="sample")
        runner.wait(run, 60)
def add():
    from adaq_core.corpus.changed import CorpusChange, changed_apart
    texts = (b"x" * 20_000_000, b"revenue of the quarter grew " * 400_000, b"Revenue of the quarter grew.\\n" * 400_000)
    number = 0
    while True:
        change = CorpusChange("add", "own", uploads=((f"{number % 3}.txt", texts[number % 3] + b"%d" % number),))
        print("added", len(changed_apart(change, lambda *_: None, lambda: False).added), flush=True)
        number += 1
for session in range(int(sys.argv[1])):
    threading.Thread(target=ask, args=(session,), daemon=True).start()
if sys.argv[2] == "adding":
    threading.Thread(target=add, daemon=True).start()
app.app.run()
"""


def served(scale: float) -> Trial:
    """Ask the health and a page of the server while 20 sessions ask questions of 40 items without a pause."""
    trial = Trial("the server asked while 20 sessions ask without a pause (health in 1 s, page in 2 s)")
    with server(sessions=SESSIONS) as address:
        _look(trial, address, seconds=60 * scale)
        ended = httpx.get(f"{address}/api/runs", params={"status": "finished"}, timeout=60, trust_env=False).json()
    trial.note += f"; {ended['total']} runs ended meanwhile"
    return trial


def indexing(scale: float) -> Trial:
    """Ask the health and a page of the server while files of 11 to 20 MB go into a corpus, one after the other."""
    trial = Trial("the server asked while files of 11 to 20 MB go into a corpus (health in 1 s, page in 2 s)")
    with server(sessions=0, adding=True) as address:
        _look(trial, address, seconds=120 * scale)
    return trial


def clients(scale: float) -> Trial:
    """Ask the service with 50 clients while 20 sessions have pages open and look at runs of these clients."""
    trial = Trial("50 clients of the service beside 20 open pages: each answered, with its own run and no other event")
    over, asked, counting = threading.Event(), list[str](), threading.Lock()

    def count(what: str, why: str) -> None:
        with counting:
            trial.count(what, held=not why, why=why)

    with server(sessions=0) as address:
        work = [(_client, address, number, asked, count, over) for number in range(CLIENTS)]
        work += [(_pages, address, number, asked, count, over) for number in range(SESSIONS)]
        threads = [threading.Thread(target=_guarded, args=(*one,)) for one in work]
        for thread in threads:
            thread.start()
        looked = Trial("looks")
        _look(looked, address, seconds=60 * scale)
        over.set()
        for thread in threads:
            thread.join(180)
    count("threads", "a client never came back" if any(thread.is_alive() for thread in threads) else "")
    trial.note = f"{len(asked)} runs; beside them {looked.survived} of {looked.tried} looks in time: {looked.note}"
    return trial


@contextmanager
def server(*, sessions: int, adding: bool = False) -> Iterator[str]:
    """The address of the app in a process of its own; so many sessions ask there, and files go in, without a pause."""
    with tempfile.TemporaryDirectory(prefix="adaq-faults-", ignore_cleanup_errors=True) as home:
        process = python(SERVE, str(sessions), "adding" if adding else "", home=home, merge=True)
        try:
            address = _told_by(process)
            threading.Thread(
                target=lambda: list(process.stdout or ()), daemon=True
            ).start()  # a full pipe would stop it
            answered(f"{address}/_stcore/health")  # the first answer builds the app
            yield address
        finally:
            process.kill()
            process.wait()


def _told_by(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    for line in process.stdout:
        if match := re.search(r"http://127\.0\.0\.1:\d+", line):
            return match[0]
    raise RuntimeError("the app did not start")


def _look(trial: Trial, address: str, *, seconds: float) -> None:
    """Count how the health and a page are answered meanwhile."""
    worst = dict.fromkeys(("/_stcore/health", "/"), 0.0)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        for path, most in (("/_stcore/health", 1.0), ("/", 2.0)):
            taken, why = answered(address + path)
            worst[path] = max(worst[path], taken)
            trial.count(path, held=not why and taken <= most, why=why or f"{taken:.2f} s")
        time.sleep(0.1)
    trial.note = f"health at most {worst['/_stcore/health']:.2f} s, page {worst['/']:.2f} s"


def answered(url: str) -> tuple[float, str]:
    """How long an answer took, and why it is none; an error of the server is no answer, however soon it comes."""
    began, why = time.monotonic(), ""
    try:
        with urllib.request.urlopen(url, timeout=30) as answer:
            answer.read()
    except urllib.error.HTTPError as error:
        why = f"HTTP {error.code}"
    except (OSError, http.client.HTTPException) as error:
        why = f"no answer: {error}"
    return time.monotonic() - began, why


Count = Callable[[str, str], None]


def _guarded(work: Callable[..., None], address: str, number: int, asked: list[str], count: Count, over: Any) -> None:
    try:
        work(address, number, asked, count, over)
    except Exception as error:
        count(f"{work.__name__} {number}", repr(error))


def _client(address: str, number: int, asked: list[str], count: Count, over: threading.Event) -> None:
    """Ask, wait, read the trace: each answer is of this client's own run, with the events of that run alone."""
    turn = 0
    with httpx.Client(base_url=f"{address}/api", timeout=120, trust_env=False) as client:
        while not over.is_set():
            turn += 1
            question = f"How did {ITEMS if turn % 2 else 'BM25'} and client {number} change after merger {turn}?"
            given = {"question": question, "method": METHODS[turn % 5], "wait_seconds": 30}
            answer = client.post("/research", json=given)
            count("question", _refusal(answer, (200, 202)))
            if answer.status_code in (200, 202):
                run_id = answer.json().get("run_id") or answer.json()["run"]["run_id"]
                asked.append(run_id)
                count("trace", _mixed(client, run_id, question))
            elif over.wait(float(answer.headers.get("Retry-After", "2"))):
                return
            count("list", _refusal(client.get("/runs", params={"text": f"client {number} change"}), (200,)))


def _refusal(answer: httpx.Response, wanted: tuple[int, ...]) -> str:
    """Why this is no good answer; one that says in the agreed form that too much is going on is one."""
    busy = answer.status_code == 429 and "Retry-After" in answer.headers
    return "" if answer.status_code in wanted or busy else f"HTTP {answer.status_code}: {answer.text[:200]}"


def _mixed(client: httpx.Client, run_id: str, question: str) -> str:
    """What in the trace of a run is not its own; empty when all is."""
    answer = client.get(f"/trace/{run_id}", params={"events": "true"})
    if answer.status_code != 200:
        return _refusal(answer, (200,))
    trace = answer.json()
    events = trace.get("events", [])
    if trace["run"]["question"] != question:
        return f"{run_id} has another question"
    if [event["seq"] for event in events] != list(range(1, len(events) + 1)):
        return f"{run_id} has a gap"
    started = [event["event"].get("question") for event in events if event["event"]["kind"] == "run_started"]
    return "" if started in ([], [question]) else f"{run_id} has the events of another run"


def _pages(address: str, number: int, asked: list[str], count: Count, over: threading.Event) -> None:
    """Hold a page open as a browser does, over its websocket: look at the start, a question and runs being made."""
    from streamlit.proto.BackMsg_pb2 import BackMsg
    from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
    from websockets.sync.client import connect

    stream = f"{address.replace('http', 'ws', 1)}/_stcore/stream"
    given: Any = {"subprotocols": ["streamlit"], "origin": address, "max_size": None, "open_timeout": 60}
    with connect(stream, **given) as line:
        while not over.is_set():
            asking = f"q=What+is+BM25+to+{number}%3F"
            for query in ("", asking, f"run={asked[-1]}" if asked else ""):
                message = BackMsg()
                message.rerun_script.query_string = query
                line.send(message.SerializeToString())
                finished, why = None, ""
                while finished is None:
                    data = bytes(cast(bytes, line.recv(timeout=120)))
                    why = why or ("it says that it failed" if b"Something went wrong on this page" in data else "")
                    forward = ForwardMsg.FromString(data)
                    if forward.WhichOneof("type") == "script_finished":
                        finished = forward.script_finished
                count("page", why or ("" if finished != _COMPILE_ERROR else "it could not be compiled"))
                over.wait(1.0)
