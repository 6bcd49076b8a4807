"""ADAQ for other programs: a REST service and an MCP server over the same runner, store and corpora as the pages.

`uvicorn adaq_core.service:app` serves it alone; app.py mounts the same `app` under `/api`.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    """Serve one request; the service itself is made at the first one, so that importing costs nothing."""
    await _made()(scope, receive, send)


@cache
def _made() -> ASGIApp:
    from adaq_core.service.api import build

    return build()
