"""The one folder for everything that changes: corpora, vectors, runs."""

from __future__ import annotations

import os
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]


def home() -> Path:
    """`ADAQ_HOME`, or `.adaq` in the project folder; whoever writes first makes it."""
    chosen = os.environ.get("ADAQ_HOME", "").strip()
    return Path(chosen).expanduser().resolve() if chosen else PROJECT / ".adaq"
