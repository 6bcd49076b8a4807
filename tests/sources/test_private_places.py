"""Attempts to have a source read what lies inside: spellings of a private host, odd addresses, redirects, rebinding.

A server listens on this machine; whatever is tried, it is never asked.
"""

from __future__ import annotations

import pytest

from adaq_core.errors import SourceError
from adaq_core.sources.http import Web
from tests.sources.loopback import QUICK, UNHURRIED, Reply, Server, web_of

INSIDE = (
    "127.0.0.1", "127.1", "127.0.1", "127.127.127.127", "2130706433", "0x7f000001", "0x7f.0.0.1", "0177.0.0.1",
    "017700000001", "0x7f.1", "127.0.0.1.", "localhost", "LOCALHOST", "localhost.", "0", "0.0.0.0", "[::1]", "[::]",
    "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]", "[fe80::1]", "[fe80::1%25lo]", "[fd00::1]", "[fec0::1]", "10.0.0.1", "172.16.0.1", "192.168.0.1",
    "169.254.169.254", "[fd00:ec2::254]", "[::ffff:169.254.169.254]", "100.100.100.200", "192.0.0.192", "198.18.0.1",
    "224.0.0.1", "255.255.255.255", "\uff11\uff12\uff17.0.0.1", "127\u30020\u30020\u30021", "\u24db\u24de\u24d2alhost",
    "%31%32%37.0.0.1", "127.0.0.1%2f", "ip6-localhost",
)  # fmt: skip
ODD = (
    "file:///etc/passwd", "file://127.0.0.1/etc/passwd", "gopher://127.0.0.1:{port}/_GET", "ftp://127.0.0.1:{port}/",
    "dict://127.0.0.1:{port}/", "ldap://127.0.0.1:{port}/", "jar:http://127.0.0.1:{port}/!/", "data:text/html,x",
    "javascript:alert(1)", "//127.0.0.1:{port}/", "http:/127.0.0.1:{port}/", "http:127.0.0.1:{port}/", "http://",
    "http:///127.0.0.1:{port}/", "http://@127.0.0.1:{port}/", "http://example.org@127.0.0.1:{port}/",
    "http://example.org:80@127.0.0.1:{port}/", "http://127.0.0.1:{port}#@example.org/",
    "http://example.org#@127.0.0.1:{port}/", "http://example.org\\@127.0.0.1:{port}/", "http://127.0.0.1:{port}\\",
    "http://[::1", "http://[127.0.0.1]:{port}/", "http://127.0.0.1 :{port}/", "http://127.0.0.1\t:{port}/",
    "http://127.0.0.1\r\n:{port}/", "http://127.0.0.1\x00:{port}/", "http://example.org:{port}:80/",
    "http://127.0.0.1:{port}/\r\nHost: example.org", " http://127.0.0.1:{port}/", "https://127.0.0.1:{port}/",
)  # fmt: skip
ANSWERS: tuple[list[str], ...] = (
    ["127.0.0.1"], ["8.8.8.8", "127.0.0.1"], ["127.0.0.1", "8.8.8.8"], ["::1"], ["::ffff:127.0.0.1"], ["fe80::1%lo"],
    [], ["not an address"], ["10.0.0.1"],
)  # fmt: skip


def outside(**changes: object) -> Web:
    """A web that has no private place."""
    return web_of(**{"limits": QUICK, "pace": UNHURRIED, **changes})


@pytest.mark.parametrize("robots", [True, False])
@pytest.mark.parametrize("host", INSIDE)
def test_no_spelling_of_a_host_inside_is_read(server: Server, host: str, robots: bool) -> None:
    with pytest.raises(SourceError):
        outside().http().page(f"http://{host}:{server.port}/", obey_robots=robots)
    assert server.asked == []


@pytest.mark.parametrize("url", ODD)
def test_no_odd_address_is_read(server: Server, url: str) -> None:
    web = outside(resolve=lambda host, port: ["127.0.0.1"])
    with pytest.raises(SourceError):
        web.http().page(url.format(port=server.port), obey_robots=False)
    assert server.asked == []


@pytest.mark.parametrize("found", ANSWERS, ids=repr)
def test_no_name_that_leads_inside_is_read(server: Server, found: list[str]) -> None:
    web = outside(resolve=lambda host, port: found)
    with pytest.raises(SourceError):
        web.http().page(f"http://rebound.example:{server.port}/", obey_robots=False)
    assert server.asked == []


def test_a_name_is_looked_up_once_for_each_connection_so_that_it_cannot_change_between_check_and_use(
    server: Server,
) -> None:
    answers = [["192.0.2.1"], ["127.0.0.1"]]
    web = outside(resolve=lambda host, port: answers.pop(0) if len(answers) > 1 else answers[0])
    with pytest.raises(SourceError):
        web.http().page(f"http://rebound.example:{server.port}/", obey_robots=False)
    assert server.asked == []


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize(
    "to", ["http://{inside}/", "//{inside}/", "http://x@{inside}/", "http://localhost:{port}/", "file:///etc/passwd"]
)
def test_no_redirect_leads_inside(server: Server, other_server: Server, status: int, to: str) -> None:
    target = to.format(inside=other_server.place, port=other_server.port)
    server.routes["/a"] = Reply(status, b"", headers=(("Location", target),))
    web = outside(private_places=[server.place])
    with pytest.raises(SourceError):
        web.http().page(f"{server.url}/a", obey_robots=False)
    assert (server.paths(), other_server.asked) == (["/a"], [])


def test_the_server_would_be_read_if_it_were_allowed(server: Server) -> None:
    server.routes["/"] = Reply(200, b"inside", "text/plain")
    assert outside(private_places=[server.place]).http().page(f"{server.url}/", obey_robots=False).body == b"inside"
