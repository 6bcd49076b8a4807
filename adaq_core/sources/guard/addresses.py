"""Web addresses: which may be asked at all, how they are shown, and which machines they may lead to."""

from __future__ import annotations

import socket
from collections.abc import Callable, Collection
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import SplitResult, urljoin, urlsplit

from adaq_core.errors import SourceError

Resolve = Callable[[str, int], list[str]]

LONGEST_URL = 4000

_DEFAULT_PORTS = {"http": 80, "https": 443}
_NAT64 = IPv6Network("64:ff9b::/96")


def checked(url: str) -> SplitResult:
    """The parts of a web address; SourceError when it is of another kind, or carries a password."""
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError as error:
        raise SourceError(f"expected a web address, got {shown(url)!r} ({error}); correct it") from error
    if parts.scheme not in _DEFAULT_PORTS or not parts.hostname:
        raise SourceError(f"expected an address that begins with http:// or https://, got {shown(url)!r}; not fetched")
    if parts.username is not None or parts.password is not None:
        raise SourceError(f"the address of {parts.hostname} holds a user name or password; give it without")
    has_controls = any(ord(letter) <= 32 or ord(letter) == 127 for letter in url.strip())
    if port == 0 or len(url) > LONGEST_URL or has_controls:
        raise SourceError(f"expected a web address of up to {LONGEST_URL} characters, got {shown(url)!r}; not fetched")
    return parts


def place(url: str) -> str:
    """The "host:port" of a web address, the port always written out."""
    parts = checked(url)
    host = (parts.hostname or "").rstrip(".")
    return f"{host}:{parts.port or _DEFAULT_PORTS[parts.scheme]}"


def joined(base: str, link: str) -> str:
    """Where `link` on the page `base` leads, without fragment; the link itself when it cannot be read."""
    try:
        return urljoin(base, link.strip()).partition("#")[0]
    except ValueError:
        return link.strip()


def shown(url: str) -> str:
    """An address as it may be shown: without user name, password, query and fragment, and not too long."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return "an address that cannot be read"
    if host:
        plain = f"{parts.scheme}://{host}{port}{parts.path}"
    else:
        plain = url.partition("?")[0]
    return "".join(letter for letter in plain if letter.isprintable())[:200]


def system_resolve(host: str, port: int) -> list[str]:
    """The addresses of `host` as the machine resolves them, without repeats; OSError when it has none."""
    result = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in result))


def public_addresses(place: str, addresses: Collection[str], *, private_places: Collection[str] = ()) -> list[str]:
    """The addresses to connect to; SourceError when any of them is not public, unless `place` is allowed to be."""
    if place in private_places:
        return list(addresses)
    for address in addresses:
        if reason := not_public(address):
            raise SourceError(
                f"{place} leads to {address}, which is {reason}: only public addresses are fetched. "
                "If it is yours, name this host and port in ADAQ_PRIVATE_HOSTS"
            )
    return list(addresses)


def not_public(address: str) -> str:
    """Why an address is not on the public internet; empty when it is. Addresses inside IPv6 ones are judged too."""
    try:
        result = ip_address(address)
    except ValueError:
        return "no address"
    inner = _inside(result)
    if inner is not None:
        return not_public(str(inner))
    reasons = (
        (result.is_unspecified, "the unspecified address"),
        (result.is_loopback, "this machine"),
        (result.is_link_local, "link-local"),
        (result.is_multicast, "multicast"),
        (isinstance(result, IPv6Address) and result.is_site_local, "private"),
        (isinstance(result, IPv6Address) and result.sixtofour is not None, "a tunnel to any address (6to4)"),
        (result.is_private, "private"),
        (result.is_reserved or not result.is_global, "reserved"),
    )
    return next((reason for holds, reason in reasons if holds), "")


def _inside(address: IPv4Address | IPv6Address) -> IPv4Address | None:
    """The IPv4 address that an IPv6 address stands for (mapped, NAT64)."""
    if isinstance(address, IPv4Address):
        return None
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped
