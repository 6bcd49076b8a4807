from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from adaq_core.sources.http import FileCache


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(st.text(max_size=60), st.binary(max_size=200))
def test_what_is_put_comes_back(tmp_path: Path, key: str, body: bytes) -> None:
    cache = FileCache(tmp_path, ttl=60)
    cache.put(key, head={"url": "ü\n"}, body=body)
    assert cache.get(key) == ({"url": "ü\n"}, body)


def test_it_is_fresh_for_its_time_only(tmp_path: Path) -> None:
    now = [1000.0]
    cache = FileCache(tmp_path, ttl=60, now=lambda: now[0])
    cache.put("a", head={}, body=b"x")
    found = []
    for moment in (1059.9, 1060.0):
        now[0] = moment
        found.append(cache.get("a"))
    assert found == [({}, b"x"), None]
    assert list(tmp_path.iterdir()) == []


def test_a_clock_that_was_set_back_makes_nothing_fresh_for_ever(tmp_path: Path) -> None:
    now = [1000.0]
    cache = FileCache(tmp_path, ttl=60, now=lambda: now[0])
    cache.put("a", head={}, body=b"x")
    now[0] = 10.0
    assert cache.get("a") is None


@pytest.mark.parametrize("damage", [b"", b"no json\nx", b"{}\nx", b'{"at": 1, "sum": 2}\n', b"[]\n", b"\xff"])
def test_a_damaged_file_is_as_none(tmp_path: Path, damage: bytes) -> None:
    cache = FileCache(tmp_path, ttl=60)
    cache.put("a", head={}, body=b"x")
    (path,) = tmp_path.iterdir()
    path.write_bytes(damage)
    assert cache.get("a") is None
    assert list(tmp_path.iterdir()) == []


def test_a_body_that_was_changed_is_not_believed(tmp_path: Path) -> None:
    cache = FileCache(tmp_path, ttl=60)
    cache.put("a", head={}, body=b"right")
    (path,) = tmp_path.iterdir()
    path.write_bytes(path.read_bytes().replace(b"right", b"wrong"))
    assert cache.get("a") is None


def test_the_oldest_makes_room(tmp_path: Path) -> None:
    import os

    cache = FileCache(tmp_path, ttl=1e9, most_bytes=1000)
    for number in range(5):
        cache.put(str(number), head={}, body=b"x" * 200)
        for path in tmp_path.iterdir():
            os.utime(path, (path.stat().st_mtime - 10, path.stat().st_mtime - 10))
    assert [cache.get(str(number)) is not None for number in range(5)] == [False, False, True, True, True]
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 1000


def test_names_of_files_hold_nothing_of_the_key(tmp_path: Path) -> None:
    FileCache(tmp_path, ttl=60).put("https://example.org/../../etc/passwd?q=words", head={}, body=b"")
    (path,) = tmp_path.iterdir()
    assert (len(path.name), path.name.isalnum(), json.loads(path.read_bytes())["head"]) == (64, True, {})


def test_threads_write_the_same_key_without_harm(tmp_path: Path) -> None:
    cache = FileCache(tmp_path, ttl=60)
    seen = []

    def work(number: int) -> None:
        for _ in range(20):
            cache.put("a", head={}, body=bytes([number]) * 5000)
            kept = cache.get("a")
            seen.append(kept is not None and len(set(kept[1])) == 1)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert (all(seen), len(seen), cache.problem, len(list(tmp_path.iterdir()))) == (True, 80, "", 1)


def test_it_can_be_emptied(tmp_path: Path) -> None:
    cache = FileCache(tmp_path / "none", ttl=60)
    cache.clear()
    cache.put("a", head={}, body=b"x")
    cache.clear()
    assert cache.get("a") is None
