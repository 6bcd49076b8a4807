"""What was fetched, kept for a while: one file per key, written whole or not at all, the oldest dropped first."""

from __future__ import annotations

import json
import logging
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from adaq_core.sources.guard.answers import MIB

_LEFT_BEHIND_SECONDS = 3600.0
_log = logging.getLogger(__name__)


class FileCache:
    """Keys to (head, body) for `ttl` seconds, `most_bytes` in all. Threads and processes may share the folder.

    A file that is damaged, or that cannot be read or written, is as one that is not there; `problem` says so.
    """

    def __init__(
        self, folder: Path, *, ttl: float, most_bytes: int = 200 * MIB, now: Callable[[], float] = time.time
    ) -> None:
        self._folder = folder
        self._ttl = ttl
        self._most_bytes = most_bytes
        self._now = now
        self.problem = ""

    def get(self, key: str) -> tuple[dict[str, Any], bytes] | None:
        """What is kept under `key`, None when there is nothing, or nothing fresh and whole."""
        path = self._path(key)
        try:
            first, _, body = path.read_bytes().partition(b"\n")
            envelope = json.loads(first)
            fresh = 0 <= self._now() - envelope["at"] < self._ttl
            if fresh and envelope["sum"] == sha256(body).hexdigest():
                return dict(envelope["head"]), body
            path.unlink(missing_ok=True)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError) as error:
            self._note(f"a kept answer could not be read ({type(error).__name__}) and is fetched again")
            _remove(path)
        return None

    def put(self, key: str, *, head: dict[str, Any], body: bytes) -> None:
        """Keep `head` and `body` under `key`; a full or read-only disk is noted, and nothing is kept."""
        envelope = {"at": self._now(), "sum": sha256(body).hexdigest(), "head": head}
        path = self._path(key)
        draft = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}.draft")
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            draft.write_bytes(json.dumps(envelope).encode() + b"\n" + body)
            draft.replace(path)
            self._drop_oldest()
        except OSError as error:
            _remove(draft)
            self._note(f"answers cannot be kept in {self._folder} ({error.strerror}); they are fetched again next time")

    def clear(self) -> None:
        """Forget everything."""
        for path in self._files():
            path.unlink(missing_ok=True)

    def _path(self, key: str) -> Path:
        return self._folder / sha256(key.encode("utf-8", "surrogatepass")).hexdigest()

    def _files(self) -> list[Path]:
        return [path for path in self._folder.iterdir() if path.is_file()] if self._folder.is_dir() else []

    def _drop_oldest(self) -> None:
        """Make room; drafts that a killed process left behind go first."""
        found = []
        for path in self._files():
            try:
                state = path.stat()
            except FileNotFoundError:
                continue
            if path.suffix == ".draft":
                if time.time() - state.st_mtime > _LEFT_BEHIND_SECONDS:
                    path.unlink(missing_ok=True)
            else:
                found.append((state.st_mtime, path.name, state.st_size, path))
        total = sum(size for _, _, size, _ in found)
        for _, _, size, path in sorted(found):
            if total <= self._most_bytes:
                return
            path.unlink(missing_ok=True)
            total -= size

    def _note(self, problem: str) -> None:
        if not self.problem:
            _log.warning("%s", problem)
        self.problem = problem


def _remove(path: Path) -> None:
    """Remove a file that is of no use; one that cannot be removed is overwritten or ignored later."""
    with suppress(OSError):
        path.unlink()
