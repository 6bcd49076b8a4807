"""Files of others are read in a process of their own: limited in time and memory, and killed when late.

A parser that meets a hostile file, or crashes in native code, costs that file a reason in words and nothing else. The
process waits for the next file, so that plain files stay quick; it may write no file and sees none of the keys in the
environment. It ends when its pipe closes, whatever ended us.
"""

from __future__ import annotations

import atexit
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict
from functools import cache
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import IO, Any

from adaq_core.corpus import readers
from adaq_core.corpus.readers import MIB, Limits, Reading, refuse_large
from adaq_core.errors import FileReadError
from adaq_core.home import PROJECT
from adaq_core.model import fields_of

MOST_AT_ONCE = 2
_LOOK_SECONDS = 0.05
_START_SECONDS = 30.0
_SIZE_BYTES = 8
# SIGKILL, SIGXCPU and SIGPROF, of which Windows knows the first at most.
_OUT_OF_TIME = (9, 24, 27)
# A process that has grown so much is replaced: what a parser does not give back would stay for good.
_MOST_GROWN_BYTES = 700 * MIB
_KEPT_VARIABLES = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT", "TEMP", "TMP")


def read(
    key: str, data: bytes, limits: Limits | None = None, *, cancelled: Callable[[], bool] = lambda: False
) -> Reading:
    """Return the documents in the file `key`, read in another process.

    Raises:
        FileReadError: what is wrong with it, or that it took too much time or memory.
    """
    chosen = limits or Limits()
    refuse_large(len(data), chosen)
    return _pool().read(key, data, chosen, cancelled)


class _Pool:
    """Up to so many processes; a file waits until one is free."""

    def __init__(self, most: int = MOST_AT_ONCE) -> None:
        self._places = threading.BoundedSemaphore(most)
        self._idle: list[_Process] = []
        self._lock = threading.Lock()

    def read(self, key: str, data: bytes, limits: Limits, cancelled: Callable[[], bool]) -> Reading:
        until = time.monotonic() + limits.seconds_for(len(data))
        if not self._places.acquire(timeout=max(0.0, until - time.monotonic())):
            raise FileReadError("was not read: other files took all the time")
        try:
            process = self._take()
            try:
                return process.read(key, data, limits, cancelled)
            finally:
                # A file that cannot be read costs itself only: the process has said so and is there for the next one.
                self._give_back(process)
        finally:
            self._places.release()

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for process in idle:
            process.end()

    def _take(self) -> _Process:
        with self._lock:
            return self._idle.pop() if self._idle else _Process()

    def _give_back(self, process: _Process) -> None:
        with self._lock:
            if process.usable:
                self._idle.append(process)


class _Process:
    """One process that reads files, one after the other; not `usable` any more once it failed or grew too much."""

    def __init__(self) -> None:
        self.usable = True
        self._started = False
        self._child = begun(__name__, _environment(), errors=subprocess.DEVNULL)

    def read(self, key: str, data: bytes, limits: Limits, cancelled: Callable[[], bool]) -> Reading:
        seconds = limits.seconds_for(len(data))
        answers: SimpleQueue[dict[str, Any] | None] = SimpleQueue()
        thread = threading.Thread(target=self._exchange, args=(key, data, limits, answers), daemon=True)
        thread.start()
        start, self._started = 0.0 if self._started else _START_SECONDS, True
        answer = _first(answers, seconds + start, cancelled)
        if answer is None:
            self.end()
            raise FileReadError(self._why(seconds, limits, cancelled))
        self.usable = answer.get("grown", 0) < _MOST_GROWN_BYTES
        if not self.usable:
            self.end()
        if "error" in answer:
            raise FileReadError(str(answer["error"]))
        return _reading().validate_python(answer["reading"])  # type: ignore[no-any-return]

    def end(self) -> None:
        """Kill the process, wherever it is in its work."""
        self.usable = False
        ended(self._child)

    def _exchange(self, key: str, data: bytes, limits: Limits, answers: SimpleQueue[dict[str, Any] | None]) -> None:
        """Send the file and wait for the answer; None when the process dies on it."""
        pipe_in, pipe_out = self._child.stdin, self._child.stdout
        assert pipe_in is not None
        assert pipe_out is not None
        try:
            head = json.dumps({"key": key, "size": len(data), "limits": asdict(limits)}).encode()
            pipe_in.write(sized(head))
            pipe_in.write(data)
            pipe_in.flush()
            answers.put(json.loads(one_sized(pipe_out)))
        except (OSError, ValueError, EOFError, MemoryError):
            answers.put(None)

    def _why(self, seconds: float, limits: Limits, cancelled: Callable[[], bool]) -> str:
        if cancelled():
            return "was not read to its end: nobody waits for it"
        code = self._child.returncode
        if code is not None and code < 0 and -code not in _OUT_OF_TIME:
            return f"crashed its reader (signal {-code}); it is damaged or hostile, and was not read"
        return (
            f"took more than {seconds:.0f} s or {limits.memory_bytes // MIB:,} MiB to read, far more than its size "
            "explains; it was not read"
        )


def _first(
    answers: SimpleQueue[dict[str, Any] | None], seconds: float, cancelled: Callable[[], bool]
) -> dict[str, Any] | None:
    """Wait for the answer; None when it does not come in time or nobody waits for it."""
    until = time.monotonic() + seconds
    while time.monotonic() < until and not cancelled():
        try:
            return answers.get(timeout=_LOOK_SECONDS)
        except Empty:
            continue
    return None


def _environment() -> dict[str, str]:
    kept = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    return {**kept, "OMP_NUM_THREADS": "1"}


def begun(module: str, environment: Mapping[str, str], *, errors: int | None = None) -> subprocess.Popen[bytes]:
    """Start `module` in a process of its own, which finds what this one finds; `errors` is where its stderr goes."""
    path = os.pathsep.join([str(PROJECT), *filter(None, sys.path)])
    return subprocess.Popen(
        [sys.executable, "-B", "-m", module],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        env={**environment, "PYTHONPATH": path},
    )


def ended(child: subprocess.Popen[bytes]) -> None:
    """Kill a process that was begun here, wherever it is in its work, and let go of its pipes."""
    child.kill()
    child.wait()
    for pipe in (child.stdin, child.stdout):
        with suppress(OSError):  # what it still held for the dead process is lost, as it should be
            assert pipe is not None
            pipe.close()


def sized(body: bytes) -> bytes:
    """What goes through a pipe between the two: its length in 8 bytes, then itself."""
    return len(body).to_bytes(_SIZE_BYTES, "big") + body


def one_sized(pipe: IO[bytes]) -> bytes:
    """What the other one put into the pipe with `sized`; EOFError when it ends before that does."""
    return exactly(pipe, int.from_bytes(exactly(pipe, _SIZE_BYTES), "big"))


def exactly(pipe: IO[bytes], size: int) -> bytes:
    """So many bytes of the pipe; EOFError when it ends before that."""
    data = pipe.read(size)
    if len(data) < size:
        raise EOFError
    return data


def own_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """Where the process that was begun reads and answers; what a parser prints to stdout is no answer and vanishes."""
    sink = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return sys.stdin.buffer, sink


@cache
def _reading() -> Any:
    from pydantic import TypeAdapter

    return TypeAdapter(Reading)


@cache
def _pool() -> _Pool:
    pool = _Pool()
    atexit.register(pool.close)
    return pool


def serve() -> None:
    """Serve files from stdin, one after the other, until it ends: the other process."""
    source, sink = own_pipes()
    _write_no_files()
    with suppress(EOFError):
        while True:
            head = json.loads(one_sized(source))
            answer = _answer(head["key"], exactly(source, head["size"]), Limits(**head["limits"]))
            sink.write(sized(json.dumps({**answer, "grown": _grown()}, default=fields_of).encode()))
            sink.flush()


def _answer(key: str, data: bytes, limits: Limits) -> dict[str, Any]:
    _limit(limits, limits.cpu_seconds_for(len(data), pdf=readers.suffix_of(key) == ".pdf"))
    try:
        return {"reading": readers.read(key, data, limits)}
    except FileReadError as error:
        return {"error": str(error)}
    except MemoryError:
        return {"error": "needs more memory than one file may take; it was not read"}


def _limit(limits: Limits, cpu_seconds: float) -> None:
    """Bound the processor time of this file and the memory of this process; where the system can do that."""
    try:
        import resource
    except ImportError:  # Windows: the time is watched from outside
        return
    # The timer ends it to the moment; the limit behind it counts in whole seconds, and nothing can set it back.
    signal.setitimer(signal.ITIMER_PROF, cpu_seconds)
    used = resource.getrusage(resource.RUSAGE_SELF)
    seconds = int(used.ru_utime + used.ru_stime + cpu_seconds) + 1
    for kind, most in ((resource.RLIMIT_CPU, seconds), (resource.RLIMIT_AS, limits.memory_bytes)):
        hard = resource.getrlimit(kind)[1]
        bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
        try:
            resource.setrlimit(kind, (bound, hard))
        except (ValueError, OSError):  # macOS knows no limit of the address space
            continue


def _write_no_files() -> None:
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    except (ImportError, ValueError, OSError):
        return


def _grown() -> int:
    """Return how many bytes this process held at most; 0 where the system does not say."""
    try:
        # Not ru_maxrss: Linux hands that on from the process that started this one, which may hold much more.
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
        return int(status.partition("VmHWM:")[2].split()[0]) * 1024
    except (OSError, IndexError, ValueError):
        return _grown_elsewhere()


def _grown_elsewhere() -> int:
    try:
        import resource
    except ImportError:
        return 0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


if __name__ == "__main__":
    serve()
