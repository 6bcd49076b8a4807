from typing import Any

import pytest

from adaq_core.evaluation import PER_QUESTION, Clock, Progress, duration, in_words, read_progress


@pytest.mark.parametrize(("seconds", "words"), [(0.4, "0 s"), (59, "59 s"), (200, "3 min 20 s"), (7500, "2 h 5 min")])
def test_durations_in_two_units(seconds, words):
    assert duration(seconds) == words


def test_a_line_says_how_far_how_long_and_what_failed():
    progress = Progress("running", done=30, total=120, failed=1, seconds=60.0, eta=180.0)
    assert in_words(progress) == "30/120 runs · 25% · 1 min 0 s · 3 min 0 s left · 1 failed"
    assert in_words(Progress("embedding", message="5/9 passages")) == "embedding: 5/9 passages"


def test_what_was_told_last_is_on_the_disk(tmp_path):
    told: list[Any] = []
    clock = Clock(tmp_path, total=3, reused=1, watch=told.append)
    clock.tell("running")
    clock.count(failed=True)
    clock.count(failed=False)
    clock.tell("running")
    assert (told[0].done, told[0].eta) == (1, None)
    assert (told[-1].done, told[-1].failed, told[-1].eta) == (3, 1, 0.0)
    assert read_progress(tmp_path) == told[-1]


def test_what_a_killed_experiment_kept_and_had_no_time_to_say_counts(tmp_path):
    clock = Clock(tmp_path, total=3, reused=0, watch=lambda _: None)
    clock.tell("running")
    (tmp_path / PER_QUESTION).write_text("{}\n{}\n{")
    assert read_progress(tmp_path) == Progress("running", done=2, total=3)


def test_nothing_told_is_no_progress(tmp_path):
    assert read_progress(tmp_path) is None
