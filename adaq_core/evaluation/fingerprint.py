"""Fingerprints: which data, which code, which settings. Results are only joined when all of it is equal."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).resolve().parents[1]
LENGTH = 16


def of_files(paths: Iterable[Path], *, root: Path) -> str:
    """The names below `root` and the bytes of the files, in order of name."""
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0")
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:LENGTH]


@cache
def of_code(*parts: str) -> str:
    """The files of these parts of adaq_core, or of all of it: code, and what was learned."""
    roots = [PACKAGE / part for part in parts] or [PACKAGE]
    found = (path for root in roots for path in root.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return of_files(found, root=PACKAGE)


def of_values(values: Any) -> str:
    """Anything that JSON can hold; what it cannot hold as its text."""
    text = json.dumps(values, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:LENGTH]
