"""The loopback server and a web that may reach it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from adaq_core.sources.http import Web
from tests.sources.loopback import QUICK, UNHURRIED, Server, served, web_of


@pytest.fixture
def server() -> Iterator[Server]:
    yield from served()


@pytest.fixture
def other_server() -> Iterator[Server]:
    yield from served()


@pytest.fixture
def make_web(server: Server) -> Callable[..., Web]:
    """A web that may reach the loopback server, quick and with no pauses unless told otherwise."""

    def made(**changes: Any) -> Web:
        usual: dict[str, Any] = {"private_places": [server.place], "limits": QUICK, "pace": UNHURRIED}
        return web_of(**{**usual, **changes})

    return made


@pytest.fixture
def web(make_web: Callable[..., Web]) -> Web:
    return make_web()
