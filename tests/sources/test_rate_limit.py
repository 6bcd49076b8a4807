from __future__ import annotations

import threading

import pytest

from adaq_core.errors import SourceError
from adaq_core.sources.guard import CircuitOpenError, Host, Pace, seconds_to_wait


class Clock:
    """A clock that moves when somebody sleeps."""

    def __init__(self) -> None:
        self.now = 100.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def host(clock: Clock, pace: Pace) -> Host:
    return Host("example.org:443", pace, clock=clock, sleep=clock.sleep)


def take(found: Host, *, interval: float | None = None, deadline: float = 1e9) -> None:
    with found.turn(deadline=deadline, interval=interval):
        pass


def test_requests_keep_their_distance() -> None:
    clock = Clock()
    found = host(clock, Pace(interval=0.5))
    for _ in range(3):
        take(found)
    take(found, interval=5.0)
    take(found)
    assert clock.slept == [0.5, 0.5, 0.5, 5.0]


def test_a_turn_that_would_come_too_late_is_refused_at_once() -> None:
    clock = Clock()
    found = host(clock, Pace())
    take(found, interval=60.0)
    with pytest.raises(SourceError, match="its turn would come too late"):
        take(found, interval=60.0, deadline=clock.now + 20)
    assert clock.slept == []


def test_no_more_requests_at_once_than_allowed() -> None:
    clock = Clock()
    found = host(clock, Pace(at_once=1, interval=0.0))
    inside, leave = threading.Event(), threading.Event()

    def hold() -> None:
        with found.turn(deadline=1e9):
            inside.set()
            leave.wait(60)

    thread = threading.Thread(target=hold)
    thread.start()
    inside.wait(60)
    with pytest.raises(SourceError, match="was busy with other requests for too long"):
        take(found, deadline=clock.now + 0.05)
    leave.set()
    thread.join(5)
    take(found)


def test_a_host_rests_after_failures_in_a_row_and_is_tried_again_after() -> None:
    clock = Clock()
    found = host(clock, Pace(failures=3, rest=60.0))
    for why in ("500", "no answer"):
        found.failed(why)
    found.succeeded()
    for why in ("500", "500", "no answer"):
        take(found)
        found.failed(why)
    with pytest.raises(
        CircuitOpenError, match=r"not asked for another 60 s: it failed 3 times in a row \(last: no answer\)"
    ):
        take(found)
    clock.now += 61
    take(found)
    found.failed("500")
    with pytest.raises(CircuitOpenError):
        take(found)
    clock.now += 61
    found.succeeded()
    found.failed("500")
    take(found)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("120", 120.0),
        (" 0 ", 0.0),
        ("Fri, 06 Oct 2023 12:00:30 GMT", 30.0),
        ("Fri, 06 Oct 2023 11:00:00 GMT", 0.0),
        ("Fri, 06 Oct 2023 12:00:30 -0000", 30.0),
        ("", None),
        ("soon", None),
        ("-5", None),
        ("1e9", None),
        ("99999999999999999999", None),
        ("٣", None),
        ("Mon, 01 Jan 99999999999999 00:00:00 GMT", None),
        ("Mon, 01 Jan 2026 00:00:00 +9999999999999999", None),
        ("Mon, 99999999999999999999 Jan 2026 00:00:00 GMT", None),
    ],
)
def test_retry_after_is_read_as_seconds_or_as_a_date(header: str, seconds: float | None) -> None:
    assert seconds_to_wait(header, now=1_696_593_600.0) == seconds
