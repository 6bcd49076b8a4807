import threading
from typing import Any

import pytest

from adaq_core.errors import ModelError
from pages._shared.settings.pull import pull

LINES = [
    {"status": "pulling manifest"},
    {"status": "pulling a80c", "digest": "sha256:a80c", "total": 200},
    {"status": "pulling a80c", "digest": "sha256:a80c", "total": 200, "completed": 150},
    {"status": "pulling b11d", "digest": "sha256:b11d", "total": 100, "completed": 100},
    {"status": "verifying sha256 digest"},
]


def pulled(server, quick, model="llama3.2", *, cancelled=lambda: False, heard=None):
    told = [] if heard is None else heard
    settings = quick.model_copy(update={"ollama_host": server.url, "silence_seconds": 5})
    pull(model, settings, progress=lambda *numbers: told.append(numbers), cancelled=cancelled)
    return told


def test_bytes_are_summed_over_the_parts_of_a_model(server, quick):
    server.answers["/api/pull"] = lambda call: call.lines([*LINES, {"status": "success"}])
    assert pulled(server, quick) == [
        (0, 0, "pulling manifest"),
        (0, 200, "pulling a80c"),
        (150, 200, "pulling a80c"),
        (250, 300, "pulling b11d"),
        (250, 300, "verifying sha256 digest"),
        (250, 300, "success"),
    ]
    assert server.bodies("/api/pull")[0]["model"] == "llama3.2"


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

    class Heard(list):
        def append(self, numbers):
            super().append(numbers)
            cancelled.set()

    server.answers["/api/pull"] = slow
    heard = Heard()
    pulled(server, quick, cancelled=cancelled.is_set, heard=heard)
    assert heard == [(20, 200, "pulling a80c")]
    assert cut.wait(5)


def test_what_goes_wrong_is_said(server, quick):
    error = {"error": "pull model manifest: file does not exist"}
    server.answers["/api/pull"] = lambda call: call.lines([{"status": "pulling manifest"}, error])
    with pytest.raises(ModelError, match="pull model manifest: file does not exist"):
        pulled(server, quick, model="nope")


def test_a_server_that_goes_away_in_the_middle(server, quick):
    def dies(call):
        call.begin()
        call.line(LINES[2])
        call.die()

    server.answers["/api/pull"] = dies
    heard: list[Any] = []
    with pytest.raises(ModelError, match="went away"):
        pulled(server, quick, heard=heard)
    assert heard == [(150, 200, "pulling a80c")]
