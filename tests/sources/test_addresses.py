from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adaq_core.errors import SourceError
from adaq_core.sources.guard import checked, not_public, place, public_addresses, shown


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("127.0.0.1", "this machine"),
        ("127.8.9.1", "this machine"),
        ("::1", "this machine"),
        ("0.0.0.0", "the unspecified address"),
        ("::", "the unspecified address"),
        ("10.0.0.1", "private"),
        ("172.16.5.4", "private"),
        ("192.168.1.1", "private"),
        ("169.254.169.254", "link-local"),
        ("fe80::1%eth0", "link-local"),
        ("fd00::1", "private"),
        ("fec0::1", "private"),
        ("224.0.0.1", "multicast"),
        ("ff02::1", "multicast"),
        ("100.64.0.1", "reserved"),
        ("240.0.0.1", "private"),
        ("255.255.255.255", "private"),
        ("192.0.0.192", "private"),
        ("192.0.2.1", "private"),
        ("198.18.0.1", "private"),
        ("::ffff:127.0.0.1", "this machine"),
        ("::ffff:10.0.0.1", "private"),
        ("64:ff9b::7f00:1", "this machine"),
        ("64:ff9b::a9fe:a9fe", "link-local"),
        ("2002:7f00:1::", "a tunnel to any address (6to4)"),
        ("2001:0:4136:e378:8000:63bf:3fff:fdd2", "private"),
        ("::7f00:1", "reserved"),
        ("2001:db8::1", "private"),
        ("localhost", "no address"),
    ],
)
def test_addresses_that_are_not_public_are_named_as_such(address: str, reason: str) -> None:
    assert not_public(address) == reason


@pytest.mark.parametrize("address", ["93.184.216.34", "8.8.8.8", "2606:2800:220:1::1", "::ffff:8.8.8.8"])
def test_public_addresses_pass(address: str) -> None:
    assert not_public(address) == ""


@given(st.ip_addresses(v=4))
def test_an_ipv4_address_inside_an_ipv6_one_is_judged_the_same(address: object) -> None:
    assert not_public(f"::ffff:{address}") == not_public(str(address))


def test_one_private_address_among_public_ones_refuses_the_host() -> None:
    with pytest.raises(SourceError, match=r"evil\.example:80 leads to 127\.0\.0\.1, which is this machine"):
        public_addresses("evil.example:80", ["8.8.8.8", "127.0.0.1"])


def test_a_private_place_is_allowed_by_host_and_port_exactly() -> None:
    assert public_addresses("127.0.0.1:8888", ["127.0.0.1"], private_places={"127.0.0.1:8888"}) == ["127.0.0.1"]
    with pytest.raises(SourceError, match="ADAQ_PRIVATE_HOSTS"):
        public_addresses("127.0.0.1:8889", ["127.0.0.1"], private_places={"127.0.0.1:8888"})


@pytest.mark.parametrize(
    "url",
    ["http://", "file:///etc/passwd", "ftp://example.org/", "javascript:alert(1)", "example.org", "",
     "http://user:secret@example.org/", "http://example.org:99999/", "http://example.org:0/",
     "http://[::1", "http://a b/", "http://example.org/\r\nHost: other", f"http://example.org/{'a' * 5000}"],
)  # fmt: skip
def test_other_addresses_are_refused_without_showing_secrets(url: str) -> None:
    with pytest.raises(SourceError) as caught:
        checked(url)
    assert "secret" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_a_place_has_its_port_written_out() -> None:
    found = [place("https://Example.org./x"), place("http://example.org"), place("http://[::1]:8080/")]
    assert found == ["example.org:443", "example.org:80", "::1:8080"]


def test_an_address_is_shown_without_its_query_and_password() -> None:
    assert shown("https://me:secret@example.org:8443/a/b?key=secret#x") == "https://example.org:8443/a/b"
