"""The process in which files of others are read: takes them from stdin one after the other, answers on stdout."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

from adaq_core.corpus.readers import read, suffix_of
from adaq_core.corpus.reading import Limits
from adaq_core.errors import FileReadError

_SIZE_BYTES = 8


def main() -> None:
    """Serve files until stdin ends."""
    source, sink = sys.stdin.buffer, os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what a parser prints is no answer
    _write_no_files()
    while size := _exactly(source, _SIZE_BYTES):
        head = json.loads(_exactly(source, int.from_bytes(size, "big")))
        data = _exactly(source, head["size"])
        answer = _answer(head["key"], data, Limits(**head["limits"]))
        del data
        body = json.dumps({**answer, "grown": _grown()}).encode()
        sink.write(len(body).to_bytes(_SIZE_BYTES, "big") + body)
        sink.flush()


def _answer(key: str, data: bytes, limits: Limits) -> dict[str, Any]:
    _limit(limits, limits.cpu_seconds_for(len(data), pdf=suffix_of(key) == ".pdf"))
    try:
        return {"reading": asdict(read(key, data, limits))}
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


def _exactly(source: IO[bytes], size: int) -> bytes:
    data = source.read(size)
    if len(data) < size:
        raise SystemExit(0)
    return data


if __name__ == "__main__":
    main()
