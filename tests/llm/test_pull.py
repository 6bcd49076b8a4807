import threading
from itertools import count

from adaq_core.llm.ollama_server import PullJob, PullStatus


def job(server, quick, model="llama3.2", **rest):
    return PullJob(model, quick.model_copy(update={"ollama_host": server.url, "silence_seconds": 5}), **rest)


LINES = [
    {"status": "pulling manifest"},
    {"status": "pulling a80c", "digest": "sha256:a80c", "total": 200},
    {"status": "pulling a80c", "digest": "sha256:a80c", "total": 200, "completed": 150},
    {"status": "pulling b11d", "digest": "sha256:b11d", "total": 100, "completed": 100},
    {"status": "verifying sha256 digest"},
]


def test_bytes_are_summed_over_the_parts_of_a_model(server, quick):
    server.answers["/api/pull"] = lambda call: call.lines([*LINES, {"status": "success"}])
    pull = job(server, quick)
    pull.start()
    over = pull.wait(5)
    assert (over.state, over.completed, over.total, over.error) == ("done", 250, 300, "")
    assert over.share == 250 / 300
    assert server.bodies("/api/pull")[0]["model"] == "llama3.2"


def test_speed_counts_from_the_first_number_that_came(server, quick):
    seconds = count(0.0, 2.0)
    stop = threading.Event()

    def half(call):
        call.begin()
        for done in (1000, 1000, 1100):
            call.line({"status": "pulling a80c", "total": 2100, "completed": done})
        stop.wait(5)
        call.die()

    server.answers["/api/pull"] = half
    pull = job(server, quick, clock=lambda: next(seconds))
    pull.start()
    while (pull.status.completed or 0) < 1100:
        threading.Event().wait(0.01)
    now = pull.status
    stop.set()
    assert now.bytes_per_second is not None
    assert now.seconds_left == 1000 / now.bytes_per_second
    assert 10 < now.bytes_per_second < 100
    assert pull.wait(5).state == "failed"


def test_it_stops_when_cancelled_and_the_server_hears_of_it(server, quick):
    cancelled, cut = threading.Event(), threading.Event()

    def slow(call):
        call.begin()
        call.line({"status": "pulling a80c", "total": 200, "completed": 20})
        cancelled.wait(5)
        try:
            for _ in range(2000):
                call.line({"status": "pulling a80c", "total": 200, "completed": 30})
        except OSError:
            cut.set()
            raise

    server.answers["/api/pull"] = slow
    pull = job(server, quick)
    pull.start()
    while pull.status.completed != 20:
        threading.Event().wait(0.01)
    pull.cancel()
    assert (pull.running, pull.status.state, pull.status.completed) == (False, "stopped", 20)
    cancelled.set()
    assert pull.wait(5).state == "stopped"
    assert cut.wait(5)


def test_what_goes_wrong_is_said(server, quick):
    error = {"error": "pull model manifest: file does not exist"}
    server.answers["/api/pull"] = lambda call: call.lines([{"status": "pulling manifest"}, error])
    pull = job(server, quick, model="nope")
    pull.start()
    over = pull.wait(5)
    assert over.state == "failed"
    assert "pull model manifest: file does not exist" in over.error


def test_a_server_that_goes_away_in_the_middle(server, quick):
    def dies(call):
        call.begin()
        call.line(LINES[2])
        call.die()

    server.answers["/api/pull"] = dies
    pull = job(server, quick)
    pull.start()
    over = pull.wait(5)
    assert (over.state, over.completed) == ("failed", 150)
    assert "went away" in over.error


def test_nothing_known_is_no_share():
    assert PullStatus().share is None
