from __future__ import annotations

import gzip
import time
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adaq_core.errors import SourceError
from adaq_core.sources.guard.replies import MIB, TooLarge, message_in, plain, read_bounded


@given(st.binary(max_size=3000), st.integers(1, 700))
def test_any_body_comes_back_however_it_is_cut(body: bytes, size: int) -> None:
    packed = gzip.compress(body, mtime=0)
    chunks = [packed[start : start + size] for start in range(0, len(packed), size)]
    assert read_bounded(chunks, encoding="gzip", limit=4000) == body
    assert read_bounded([body], encoding="", limit=4000) == body


def test_several_gzip_members_are_one_body() -> None:
    assert (
        read_bounded([gzip.compress(b"one ", mtime=0) + gzip.compress(b"two", mtime=0)], encoding="gzip", limit=100)
        == b"one two"
    )


def test_a_gzip_bomb_is_refused_before_it_fills_the_memory() -> None:
    bomb = gzip.compress(b"\0" * (64 * MIB), compresslevel=1)
    tracemalloc.start()
    with pytest.raises(TooLarge, match="expected an answer of up to 1 MiB, got more"):
        read_bounded([bomb], encoding="gzip", limit=MIB)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(bomb) < MIB
    assert peak < 4 * MIB


@pytest.mark.parametrize("encoding", ["br", "zstd", "deflate", "gzip, gzip", "compress"])
def test_other_packings_are_refused_unread(encoding: str) -> None:
    def never() -> object:
        raise AssertionError("the body was read")
        yield b""

    with pytest.raises(SourceError, match="expected an answer packed with gzip or not at all"):
        read_bounded(never(), encoding=encoding, limit=100)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("packed", "words"), [(gzip.compress(b"x" * 5000, mtime=0)[:-9], "cut short"), (b"no gzip at all", "damaged data")]
)
def test_damaged_gzip_is_said_to_be_so(packed: bytes, words: str) -> None:
    with pytest.raises(SourceError, match=words):
        read_bounded([packed], encoding="gzip", limit=10_000)


def test_a_plain_body_past_the_limit_is_refused() -> None:
    with pytest.raises(TooLarge):
        read_bounded([b"x" * 60, b"x" * 60], encoding="identity", limit=100)


@pytest.mark.parametrize("opening", ["", "<", "<a b='", '<a "'])
@pytest.mark.parametrize(
    "piece", ["<a ", "<a", "<!--", "<?", "<!", "</", "<a b='", '<a b="x', "<![x[", "a", '"', "<script>"]
)
def test_markup_without_end_takes_no_longer_than_its_length(opening: str, piece: str) -> None:
    page = opening + piece * 20_000

    def seconds() -> float:
        began = time.thread_time()
        plain(page)
        message_in(page.encode())
        return time.thread_time() - began

    assert any(seconds() < 1 for _ in range(3))


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<![foo[x", "<![foo[x"),
        ("<b>1</b> <![ [2]]> 3", "1 3"),
        ("a<b and c", "a<b and c"),
        ("<p title='a > b'>one</P><br/>two<BR >three", "one\ntwo\nthree"),
        ("<p title=don't>one</p>", "one"),
        ("one<!-- <p>no</p> > -->two<!--three", "onetwo"),
        ("<script>if (a < b) x('</p>')</script >one<STYLE>no</style>two<template>no", "onetwo"),
        ("<x>&#" + "9" * 5000 + "; &amp;lt; &#x41;", "\ufffd &lt; A"),
        ("&#" + "9" * 5000 + ";", "\ufffd"),
    ],
    ids=range(9),
)
def test_odd_markup_is_read_as_a_browser_would(markup: str, text: str) -> None:
    assert plain(markup) == text
