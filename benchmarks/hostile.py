"""Attacks from outside: files, questions, model servers and web pages made to freeze, flood or crash the product.

python -m benchmarks.hostile                 all of them, with counts tried and survived (about five minutes)
python -m benchmarks.hostile --only files    one of them
"""

from __future__ import annotations

import gzip
import random
import resource
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress

from adaq_core.corpus import isolated
from adaq_core.corpus.readers import MIB, Limits
from adaq_core.errors import AdaqError, FileReadError, ModelError
from adaq_core.llm.ollama import OllamaClient
from adaq_core.llm.openai_compatible import OpenAICompatible
from adaq_core.llm.settings import ModelSettings
from adaq_core.planner import QueryPlanner
from adaq_core.sources.documents import page_document
from adaq_core.sources.guard.replies import Fetched
from benchmarks.hostile_files import hostile_files
from benchmarks.trials import Trial, run_chosen

TIGHT = Limits(seconds=8.0, cpu_seconds=2.0, per_mib=0.5, memory_bytes=1024 * MIB)
_SECONDS = 1.5


def files(scale: float) -> Trial:
    """Read every hostile file in the process for that; each ends in time, in words or with its text."""
    trial, killed = Trial("hostile files"), 0
    for name, make in hostile_files(count=round(110 * scale)):
        data, began = make(), time.monotonic()
        try:
            isolated.read(name, data, TIGHT)
        except FileReadError as error:
            killed += "took more than" in str(error)
        seconds = time.monotonic() - began
        most = TIGHT.seconds_for(len(data)) + isolated._START_SECONDS
        trial.count(name, held=seconds < most, why=f"{seconds:.1f} s")
    trial.note = f"{killed} stopped at their limits"
    return trial


def questions(scale: float) -> Trial:
    """Plan random, long and repeating questions; none takes a second of processor time."""
    trial, planner, slowest = Trial("hostile questions"), QueryPlanner(), 0.0
    for question in _questions(round(300 * scale)):
        began = time.process_time()
        try:
            planner.extract_aspects(question)
            why = ""
        except AdaqError:
            why = ""
        except Exception as error:
            why = repr(error)
        seconds = time.process_time() - began
        slowest = max(slowest, seconds)
        trial.count(question[:60], held=not why and seconds < 1.0, why=why or f"{seconds:.2f} s")
    trial.note = f"slowest {slowest:.2f} s of processor time"
    return trial


def _questions(count: int) -> Iterator[str]:
    pieces = (
        "why, ",
        "and ",
        "A.",
        "A&A ",
        "a or b ",
        "compare ",
        "the risk of ",
        "1990, ",
        "1990, why, ",
        "(",
        "'",
        "— ",
        "? ",
        "of ",
    )
    for piece in pieces:
        yield f"{piece * 40}x?"
        yield f"{piece * (4000 // len(piece))}x?"
    draw = random.Random(7)
    words = (
        *pieces,
        "How did ",
        "Tesla's ",
        "revenue, ",
        "margins ",
        "change ",
        "after the merger",
        "\u202e",
        "ß",
        "日本",
        "\n",
    )
    for _ in range(count - 2 * len(pieces)):
        yield "".join(draw.choice(words) for _ in range(draw.randrange(1, 120)))


def pages(scale: float) -> Trial:
    """Read hostile web pages as a live source does."""
    trial = Trial("hostile pages of live sources")
    chosen = [(name, make) for name, make in hostile_files(count=130) if name.endswith((".html", ".pdf", ".txt"))]
    for name, make in chosen[: max(1, round(40 * scale))]:
        kind = {"html": "text/html", "pdf": "application/pdf", "txt": "text/plain"}[name.rsplit(".", 1)[1]]
        began = time.monotonic()
        with suppress(AdaqError):
            page_document(Fetched("https://a.example/p", kind, make()[: 8 * MIB]), seconds=5.0)
        seconds = time.monotonic() - began
        trial.count(name, held=seconds < 5.0 + 8 + isolated._START_SECONDS, why=f"{seconds:.1f} s")
    trial.note = "read, or given up in time"
    return trial


Behave = Callable[[socket.socket, threading.Event], None]
_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\nConnection: close\r\n"


def _drip(head: bytes, piece: bytes, pause: float) -> Behave:
    def behave(peer: socket.socket, over: threading.Event) -> None:
        peer.sendall(head)
        while not over.wait(pause):
            peer.sendall(piece)

    return behave


def _behaviours(kind: bytes) -> dict[str, Behave]:
    head = _HEAD % kind + b"\r\n"
    chunked = _HEAD % kind + b"Transfer-Encoding: chunked\r\n\r\n"
    bomb = gzip.compress(bytes(200_000_000), 1)
    return {
        "silence": lambda peer, over: over.wait(30) and None,
        "headers without end": _drip(b"HTTP/1.1 200 OK\r\n", b"X-A: b\r\n", 0.02),
        "one endless header": _drip(b"HTTP/1.1 200 OK\r\nX-A: ", b"b" * 100, 0.02),
        "100 Continue for ever": _drip(b"", b"HTTP/1.1 100 Continue\r\n\r\n", 0.02),
        "a byte at a time": _drip(head, b"x", 0.05),
        "blank lines": _drip(head, b"\n", 0.05),
        "comments": _drip(head, b": ping\n\n", 0.05),
        "flood without a line": _drip(head, b"x" * 65_536, 0.0),
        "flood of lines": _drip(head, b"{}\n" * 20_000, 0.0),
        "gzip bomb": lambda peer, over: peer.sendall(_HEAD % kind + b"Content-Encoding: gzip\r\n\r\n" + bomb),
        "unknown packing": lambda peer, over: peer.sendall(_HEAD % kind + b"Content-Encoding: br\r\n\r\nxx"),
        "chunks that drip": _drip(chunked, b"1\r\n \r\n", 0.05),
        "a chunk's note without end": _drip(chunked + b"1;", b"a", 0.05),
        "trailers without end": _drip(chunked + b"0\r\n", b"A: b\r\n", 0.05),
        "a chunk without end": _drip(chunked + b"F" * 15 + b"\r\n", b"a" * 65_536, 0.0),
        "deep lists": lambda peer, over: peer.sendall(head + b"[" * 200_000),
        "cut": lambda peer, over: peer.sendall(_HEAD % kind + b"Content-Length: 999\r\n\r\n{"),
        "garbage": lambda peer, over: peer.sendall(b"\x00\xff" * 4000),
        "endless error": _drip(b"HTTP/1.1 500 Oh\r\n\r\n", b"e", 0.02),
        "redirect to itself": lambda peer, over: peer.sendall(b"HTTP/1.1 307 T\r\nLocation: /\r\n\r\n"),
        "wait long": lambda peer, over: peer.sendall(b"HTTP/1.1 429 T\r\nRetry-After: 19\r\nContent-Length: 0\r\n\r\n"),
    }


def servers(scale: float) -> Trial:
    """Ask both model clients at servers that misbehave, for one and a half seconds each."""
    trial, slowest = Trial("hostile model servers"), 0.0
    settings = ModelSettings(
        _env_file=None, silence_seconds=1.0, connect_seconds=1.0, reply_seconds=_SECONDS, max_reply_tokens=64
    )  # type: ignore[call-arg]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for kind in (b"application/x-ndjson", b"text/event-stream"):
        for name, behave in _behaviours(kind).items():
            seconds, why = _asked(behave, settings, openai=kind == b"text/event-stream")
            slowest = max(slowest, seconds)
            trial.count(
                f"{name} ({kind.decode()})", held=not why and seconds < _SECONDS + 2, why=why or f"{seconds:.1f} s"
            )
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    trial.note = f"limit {_SECONDS} s, slowest {slowest:.1f} s; {grown:.0f} MB more at most, the servers' own included"
    return trial


def _asked(behave: Behave, settings: ModelSettings, *, openai: bool) -> tuple[float, str]:
    """Return how long one question took, and what was wrong with how it ended."""
    over = threading.Event()
    with closing(socket.create_server(("127.0.0.1", 0))) as door:
        threading.Thread(target=_serve, args=(door, behave, over), daemon=True).start()
        address = f"http://127.0.0.1:{door.getsockname()[1]}"
        began = time.monotonic()
        cancelled = lambda: time.monotonic() - began > _SECONDS  # noqa: E731
        given = settings.model_copy(update={"openai_base_url": f"{address}/v1"})
        chat = (
            OpenAICompatible("m", settings=given, cancelled=cancelled)
            if openai
            else OllamaClient("m", address, settings=given, cancelled=cancelled)
        )
        try:
            chat.ask("Hello", stage="plan")
            why = "it answered"
        except ModelError:
            why = ""
        except Exception as error:
            why = repr(error)
        over.set()
        return time.monotonic() - began, why


def _serve(door: socket.socket, behave: Behave, over: threading.Event) -> None:
    while not over.is_set():
        try:
            peer, _ = door.accept()
        except OSError:
            return
        threading.Thread(target=_answer, args=(peer, behave, over), daemon=True).start()


def _answer(peer: socket.socket, behave: Behave, over: threading.Event) -> None:
    try:
        with peer:
            peer.recv(65_536)
            behave(peer, over)
    except OSError:
        return


TRIALS: dict[str, Callable[[float], Trial]] = {
    "files": files, "pages": pages, "servers": servers, "questions": questions,
}  # fmt: skip


def main() -> None:
    """Parse the arguments and do what they say."""
    run_chosen(TRIALS, __doc__)


if __name__ == "__main__":
    main()
