"""A request: what it may cost, how it is written, and what is left of it after a redirect."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

from adaq_core.errors import SourceError
from adaq_core.sources.guard.addresses import checked, joined, place, shown
from adaq_core.sources.guard.bodies import ACCEPTED, MIB

if TYPE_CHECKING:
    import httpx


@dataclass(frozen=True, slots=True)
class Limits:
    """What one request may cost: seconds for connecting, for each read and in all, bytes, redirects, tries.

    A failed try is repeated after about `backoff` seconds, then twice that …; a server that asks for a longer pause
    than `longest_wait` is left alone for so long instead (an hour at most).
    """

    connect_seconds: float = 5.0
    read_seconds: float = 10.0
    seconds: float = 20.0
    most_bytes: int = 8 * MIB
    redirects: int = 5
    tries: int = 3
    backoff: float = 0.5
    longest_wait: float = 8.0


@dataclass(frozen=True, slots=True)
class Ask:
    """One request. `secrets` are headers that go to the host of `url` only."""

    method: Literal["GET", "POST"]
    url: str
    kinds: tuple[str, ...]
    headers: tuple[tuple[str, str], ...] = ()
    secrets: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    body: bytes | None = field(default=None, repr=False)
    interval: float | None = None
    private_places: frozenset[str] = frozenset()
    obey_robots: bool = False


def written(ask: Ask, *, agent: str, limits: Limits, deadline: float) -> httpx.Request:
    """The request as httpx sends it; SourceError when it holds letters that cannot be sent."""
    import httpx

    timeout = {"connect": limits.connect_seconds, "read": limits.read_seconds, "write": limits.read_seconds}
    headers = {
        "User-Agent": agent,
        "Accept": ", ".join(kind for kind in ask.kinds if "/" in kind) or "*/*",
        "Accept-Encoding": ACCEPTED,
        "Connection": "close",
        **dict(ask.headers),
        **dict(ask.secrets),
    }
    try:
        if not all(value.isprintable() for value in headers.values()):
            raise ValueError("a header with a line end")
        return httpx.Request(
            ask.method,
            ask.url,
            headers=headers,
            content=ask.body,
            extensions={"timeout": timeout, "deadline": deadline, "private_places": ask.private_places},
        )
    except (ValueError, httpx.InvalidURL):  # their own words may hold the key: they are not passed on
        raise SourceError(
            f"a request to {place(ask.url)} could not be written; check the address, the key and the contact for "
            "letters that cannot be sent"
        ) from None


def redirected(ask: Ask, location: str) -> Ask:
    """The request to where the answer points; what is meant for one host is not sent to another."""
    url = joined(ask.url, location)
    checked(url)
    if ask.method != "GET":
        raise SourceError(
            f"{place(ask.url)} redirects to {shown(url)}, where a search is not sent; correct its address"
        )
    if place(url) == place(ask.url) and urlsplit(url).scheme == urlsplit(ask.url).scheme:
        return replace(ask, url=url)
    return replace(ask, url=url, secrets=(), private_places=frozenset())
