"""Start ADAQ: `streamlit run app.py`. The pages at `/`, the REST service under `/api`, in one process."""

from __future__ import annotations

import logging
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import streamlit as st
from starlette.routing import Mount

from adaq_core import service
from adaq_core.home import setting
from pages._shared.common.served_safely import answer_at_once, before_pages

log = logging.getLogger("adaq.app")
_SWITCH_SECONDS = 0.001
# Who serves it to others says so: ADAQ_HOSTS="adaq.example.org, 10.0.0.5".
HOSTS = ["127.0.0.1", "localhost", *setting("ADAQ_HOSTS").replace(",", " ").split()]


@asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[dict[str, object]]:
    """End the background runs in order when the server stops."""
    from adaq_core.runs.jobs import close_when_told_to_end
    from adaq_core.runs.runner import close_runners
    from pages._shared.common import backend

    # Runs compute in threads of this process: these hand the interpreter over more often, so that pages are served.
    sys.setswitchinterval(_SWITCH_SECONDS)
    answer_at_once()
    backend.preparing()  # before the first page asks for it
    backend.load_ahead()
    close_when_told_to_end(close_runners)  # before the server waits for clients, which wait for the runs
    yield {}
    backend.close()


def on_script_error(error: Exception) -> bool:
    """Say that something went wrong; the traceback goes to the log only."""
    from pages._shared.common.chrome import show_unexpected

    log.error("a page failed", exc_info=error)
    show_unexpected()
    return True


app = st.App(
    "pages/main.py",
    lifespan=lifespan,
    routes=[Mount("/api", app=service.app)],  # over the same runs and corpora
    middleware=before_pages(Path(__file__).parent / "pages", hosts=HOSTS),
    on_script_error=on_script_error,
)

if __name__ == "__main__":
    app.run()
