"""The one folder for everything that changes, and who may write to a part of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from adaq_core.errors import AdaqError

PROJECT = Path(__file__).resolve().parents[1]


def home() -> Path:
    """`ADAQ_HOME`, or `.adaq` in the project folder; whoever writes first makes it."""
    chosen = os.environ.get("ADAQ_HOME", "").strip()
    return Path(chosen).expanduser().resolve() if chosen else PROJECT / ".adaq"


@contextmanager
def writing(path: Path, *, what: str, wait: float, error: type[AdaqError]) -> Iterator[None]:
    """Hold the lock file `path` meanwhile; `error` names the holder when it is not free within `wait` s.

    The system frees the lock when its holder dies.
    """
    from filelock import FileLock, Timeout

    holder = path.with_suffix(".holder")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(path, timeout=wait)
        lock.acquire()
    except Timeout as cause:
        raise error(
            f"{what} is being changed by another task ({_read(holder)}); wait until it is done and try again"
        ) from cause
    except OSError as cause:
        raise error(f"{what} cannot be changed: {path.parent} is not writable ({cause})") from cause
    try:
        _note(holder)
        yield
    finally:
        lock.release()


def _note(holder: Path) -> None:
    """Say who holds the lock; on a full disk the message of others is poorer, nothing more."""
    try:
        holder.write_text(f"process {os.getpid()}, since {datetime.now():%H:%M:%S}", encoding="utf-8")
    except OSError:
        return


def _read(holder: Path) -> str:
    try:
        return holder.read_text(encoding="utf-8")[:80] or "unknown"
    except OSError:
        return "unknown"
