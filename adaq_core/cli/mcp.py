"""`mcp`: ADAQ as a server of tools for assistants."""

from __future__ import annotations

import threading
from types import FrameType
from typing import Annotated

import typer

from adaq_core.errors import InputError

HELP = """Serve assistants over the Model Context Protocol, on stdin and stdout or over HTTP.

\b
Examples:
  python -m adaq_core mcp
  python -m adaq_core mcp --http 8002
  npx @modelcontextprotocol/inspector python -m adaq_core mcp

Tools: research, get_trace, search_corpus, coverage; runs are resources (adaq://runs).
Needs the package: pip install "mcp>=2.3,<3".
Over HTTP it is http://127.0.0.1:PORT/mcp. Beyond this machine ADAQ_API_KEY has to be set, and ADAQ_HOSTS names it.
"""


def command(
    http: Annotated[int | None, typer.Option("--http", min=1, max=65535, help="Serve HTTP on this port.")] = None,
    host: Annotated[str, typer.Option("--host", help="The address to listen on.")] = "127.0.0.1",
) -> None:
    """Serve assistants over the Model Context Protocol."""
    try:
        from adaq_core.service.mcp_server import build_server, over_http
    except ModuleNotFoundError as error:
        raise InputError(f'expected the package {error.name}, which is not there; pip install "mcp>=2.3,<3"') from error
    server = build_server()
    if http is None:
        server.run("stdio")
        return
    import uvicorn

    from adaq_core.runs.runner import close_runners

    class Server(uvicorn.Server):
        """Closes the runners at the signal itself: the server waits for the clients that wait for a run."""

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            threading.Thread(target=close_runners, name="adaq-closing").start()
            super().handle_exit(sig, frame)

    Server(uvicorn.Config(over_http(server), host=host, port=http, log_level="warning")).run()
