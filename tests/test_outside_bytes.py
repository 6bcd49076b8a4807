"""Every parser of bytes and texts from outside, with anything at all: errors on purpose only, and little time each."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from adaq_core import coverage_node
from adaq_core.corpus.readers import MIB, Limits, gunzip, read, readers
from adaq_core.errors import AdaqError
from adaq_core.events import loads
from adaq_core.export.run_json import read_runs
from adaq_core.llm.json_reply import read_json
from adaq_core.llm.replies import (
    read_advice,
    read_aspects,
    read_claims,
    read_coverage,
    read_scores,
    read_subqueries,
)
from adaq_core.llm.settings import read_settings as read_models
from adaq_core.question.query_templates import read_profiles
from adaq_core.service.schemas import EvaluateRequest, ResearchRequest
from adaq_core.sources import read_settings as read_sources
from adaq_core.sources import web
from adaq_core.sources.guard import Robots, seconds_to_wait
from adaq_core.sources.guard.replies import Fetched, message_in, plain, read_bounded, records

CPU_SECONDS = 1.0
LIMITS = Limits(file_bytes=MIB, unpacked_bytes=MIB, pages=5, seconds=2.0)
KNOWN = ("Definition of tea", "Definition of coffee")


PLACE = "https://a.example"


def _of_file(parse: Callable[[Path], Any]) -> Callable[[bytes], Any]:
    """What reads a file of a person's own, given bytes that stand in one."""

    def of_bytes(data: bytes) -> Any:
        with TemporaryDirectory() as folder:
            path = Path(folder) / ".env"
            path.write_bytes(data)
            return parse(path)

    return of_bytes


def _feed(data: bytes) -> Any:
    root = web._parsed(b"<rss>" + data + b"</rss>" if data[:1] != b"<" else data, PLACE)
    return [(web._link(item), web._first(item, "title"), web._first(item, "date")) for item in root.iter()]


def _state(data: bytes) -> Any:
    value = read_json(data.decode("utf-8", "replace")).value
    return {"user_query": data.decode("utf-8", "replace"), "tool_results": value}


def _documents(suffix: str) -> Callable[[bytes], Any]:
    return lambda data: read(f"name{suffix}", data, LIMITS)


PARSERS: dict[str, Callable[[bytes], Any]] = {
    **{f"file {suffix}": _documents(suffix) for suffix in readers()},
    "gzip": lambda data: gunzip(b"\x1f\x8b" + data, LIMITS),
    "body": lambda data: read_bounded([data], encoding="gzip", limit=MIB),
    "error body": message_in,
    "json": lambda data: Fetched("https://a.example", "application/json", data).json(),
    "robots.txt": lambda data: Robots(data.decode("utf-8", "replace")).allows("/x"),
    "pause": lambda data: seconds_to_wait(data.decode("latin-1"), now=0.0),
    "event": loads,
    "export": lambda data: list(read_runs(data.decode("utf-8", "replace").splitlines())),
    "reply": lambda data: read_json(data.decode("utf-8", "replace")),
    "aspects": lambda data: read_aspects(data.decode("utf-8", "replace")),
    "claims": lambda data: read_claims(data.decode("utf-8", "replace"), KNOWN, passages=3),
    "scores": lambda data: read_scores(data.decode("utf-8", "replace"), KNOWN),
    "subqueries": lambda data: read_subqueries(data.decode("utf-8", "replace"), KNOWN),
    "coverage": lambda data: read_coverage(data.decode("utf-8", "replace")),
    "feed": lambda data: _feed(data),
    "a day of a feed": lambda data: web._day(data.decode("latin-1")),
    "markup of a service": lambda data: plain(data.decode("utf-8", "replace")),
    "records of a service": lambda data: records(Fetched(PLACE, "application/json", data).json(), "data", "children"),
    "a question over REST": ResearchRequest.model_validate_json,
    "an experiment over REST": EvaluateRequest.model_validate_json,
    "settings of models": _of_file(lambda path: read_models(env_file=path)),
    "settings of sources": _of_file(read_sources),
    "facet profiles": _of_file(read_profiles),
    "a state of an agent": lambda data: coverage_node(_state(data)),
    "advice": lambda data: read_advice(data.decode("utf-8", "replace")),
}
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
MARKS = st.sampled_from(
    [b"<!--", b"<p ", b"**", b"[", b"{", b'"', b",", b"\n", b"---\n", b"%PDF-", b"PK\x03\x04", b"\xff", b"\0"]
)
BYTES = (
    st.binary(max_size=300)
    | VALUES.map(lambda value: json.dumps(value).encode())
    | st.lists(MARKS | st.binary(max_size=6), max_size=60).map(b"".join)
    | st.tuples(MARKS, st.integers(1, 3000)).map(lambda pair: pair[0] * pair[1])
)


@pytest.mark.parametrize("name", PARSERS)
def test_any_bytes_end_soon_and_in_words(name: str) -> None:
    @settings(max_examples=25, deadline=None)
    @given(BYTES)
    @example(b"[" * 20_000)
    @example(b'{"a":' * 20_000)
    @example(b"\x80")
    def check(data: bytes) -> None:
        def seconds() -> float:
            began = time.thread_time()
            with suppress(AdaqError, ValidationError):
                PARSERS[name](data)
            return time.thread_time() - began

        assert any(seconds() < CPU_SECONDS for _ in range(3))

    with suppress(AdaqError, ValidationError):
        PARSERS[name](b"what is imported when first needed")
    check()
