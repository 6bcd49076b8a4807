"""ADAQ for other programs: a REST service and an MCP server over the same runner, store and corpora as the pages.

`uvicorn adaq_core.service:app` serves it alone; app.py mounts the same `app` under `/api`.
"""

from __future__ import annotations

import threading
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

_making = threading.Lock()


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    """Serve one request; the service itself is built at the first one, so that importing costs nothing.

    In a thread: it takes a second or more, in which the pages beside it could not be served.
    """
    if not _made.cache_info().currsize:
        from anyio.to_thread import run_sync

        await run_sync(_make_once)
    await _made()(scope, receive, send)


def _make_once() -> None:
    with _making:
        _made()


@cache
def _made() -> ASGIApp:
    from adaq_core.service.api import build

    return build()
