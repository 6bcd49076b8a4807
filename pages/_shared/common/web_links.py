"""Addresses that documents give of themselves, offered as links only when they lead to a page on the web."""

from __future__ import annotations

from urllib.parse import urlsplit

from pages._shared.common.text import visible

_LONGEST = 2_000


def web_link(url: str) -> str:
    """The address when it can be offered as a link: http or https, a host, no user name, nothing invisible; else ""."""
    return url if host(url) else ""


def host(url: str) -> str:
    """Where a link leads, in letters that cannot be taken for others: `example.org`, `xn--…`; empty for no link."""
    if len(url) > _LONGEST or visible(url) != url or any(letter.isspace() for letter in url):
        return ""
    try:
        parts = urlsplit(url)
        _ = parts.port
        if parts.scheme not in ("http", "https") or parts.username is not None or parts.password is not None:
            return ""
        return (parts.hostname or "").encode("idna").decode("ascii").removeprefix("www.")
    except ValueError:
        return ""
