"""How long it takes until something is there: import, command line, first page."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from adaq_core.home import PROJECT
from benchmarks.figure import Figure, seconds
from benchmarks.served import browsing, served

IMPORT = "import time; t = time.perf_counter(); import adaq_core; print(time.perf_counter() - t)"
HEAVY = "import sys, adaq_core; print(sum(m in sys.modules for m in ('torch', 'sentence_transformers', 'sklearn')))"


def figures(*, quick: bool) -> list[Figure]:
    """Import, commands and, unless `quick`, the server."""
    imports = [float(_python("-c", IMPORT)) for _ in range(7)]
    heavy = float(_python("-c", HEAVY))
    rows = [
        Figure("import adaq_core", statistics.median(imports), "s", 0.5),
        Figure("heavy modules that this imports", heavy, "", None if heavy == 0 else 0.5),
        Figure("python -m adaq_core --help", _timed("-m", "adaq_core", "--help"), "s"),
        Figure("ask, first time (indexes the bundled corpus)", _timed(*_ASK), "s"),
        Figure("ask, from then on", _timed(*_ASK), "s"),
    ]
    return rows if quick else [*rows, *_server()]


_ASK = ("-m", "adaq_core", "ask", "Compare self-attention and multi-head attention")


def _python(*arguments: str) -> str:
    done = subprocess.run([sys.executable, *arguments], cwd=PROJECT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def _timed(*arguments: str) -> float:
    return seconds(lambda: _python(*arguments))


def _server() -> Iterator[Figure]:
    """The app, cold, until it serves; then, where a browser is there, until the first page shows."""
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="adaq-benchmark-") as home, served(Path(home)) as address:
        yield Figure("cold start until the app serves", time.perf_counter() - begun, "s")
        with browsing() as page:
            if page is None:
                return
            page.goto(address)
            page.get_by_role("textbox").first.wait_for(timeout=60_000)
            yield Figure("cold start until the first page shows (with browser)", time.perf_counter() - begun, "s")
            again = seconds(lambda: (page.reload(), page.get_by_role("textbox").first.wait_for(timeout=60_000)))
            yield Figure("the page again, warm", again, "s")
