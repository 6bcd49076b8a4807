from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adaq_core.sources.guard import ALL_CLOSED, ALL_OPEN, Robots

RULES = """
# a comment
User-agent: *
Disallow: /private
Allow: /private/open   # said twice
Crawl-delay: 2

User-agent: Other
User-agent: ADAQ/0.1
Disallow: /
Allow: /$
Allow: /news/*.html$
Crawl-delay: 90

Sitemap: https://example.org/map.xml
"""


def test_its_own_group_counts_and_not_the_one_for_all() -> None:
    rules = Robots(RULES)
    allowed = [rules.allows(path) for path in ("/", "/news/a.html", "/news/a.html?x=1", "/private/open", "")]
    assert (allowed, rules.delay) == ([True, True, False, False, True], 60.0)


def test_the_group_for_all_counts_for_agents_without_their_own() -> None:
    rules = Robots(RULES, agent="somebody")
    allowed = [rules.allows(path) for path in ("/private", "/privately", "/private/open/x", "/x")]
    assert (allowed, rules.delay) == ([False, False, True, True], 2.0)


def test_the_longest_rule_wins_and_allow_wins_a_tie() -> None:
    rules = Robots("User-agent: *\nDisallow: /a\nAllow: /a\nDisallow: /a/b\nAllow: /a/b/c\nDisallow:")
    assert [rules.allows(path) for path in ("/a", "/a/b", "/a/b/c")] == [True, False, True]


def test_percent_signs_make_no_difference() -> None:
    rules = Robots("User-agent: *\nDisallow: /a%20b/ü")
    assert not rules.allows("/a%20b/%C3%BC")


@pytest.mark.parametrize("text", ["", "no rules here", "Disallow: /", "<html>404</html>", "User-agent: *"])
def test_a_file_without_rules_leaves_all_open(text: str) -> None:
    assert Robots(text).allows("/x")
    assert ALL_OPEN.allows("/x")
    assert not ALL_CLOSED.allows("/x")


@pytest.mark.parametrize(
    ("pattern", "path", "fits"),
    [("/a", "/abc", True), ("/a$", "/a", True), ("/a$", "/ab", False), ("/*.pdf$", "/x/y.pdf", True),
     ("/*.pdf$", "/x.pdf?y", False), ("/a*b*c", "/a1b2c3", True), ("/a*b$", "/ab", True), ("/a*bb$", "/ab", False),
     ("*", "/x", True), ("/a*", "/a", True)],
)  # fmt: skip
def test_stars_and_dollars(pattern: str, path: str, fits: bool) -> None:
    assert Robots(f"User-agent: *\nDisallow: {pattern}").allows(path) is not fits


def test_a_hostile_pattern_takes_no_time() -> None:
    def seconds() -> float:
        began = time.thread_time()
        rules = Robots("User-agent: *\nDisallow: /" + "*a" * 2000 + "$")
        assert rules.allows("/" + "a" * 4000 + "b")
        return time.thread_time() - began

    assert any(seconds() < 1.0 for _ in range(3))


@given(st.text(max_size=400))
def test_any_text_can_be_read(text: str) -> None:
    assert Robots(f"User-agent: *\n{text}").allows("/x") in (True, False)
