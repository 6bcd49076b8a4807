"""Jobs: how far they are, how they end, and that nothing that goes wrong in one stays unsaid."""

import threading

import pytest

from adaq_core.errors import InputError
from adaq_core.runs.jobs import Job, JobQueue


def test_a_job_tells_its_progress_and_keeps_its_result():
    seen = threading.Event()

    def work(progress, _):
        progress(1, 4, "files")
        seen.wait(60)
        progress(4, 4, "files")
        return "a report"

    job = Job("reading", work)
    assert (job.state, job.share, job.rate, job.seconds_left) == ("waiting", 0.0, None, None)
    job.start()
    while job.done == 0:
        pass
    assert (job.running, job.share, job.what) == (True, 0.25, "files")
    seen.set()
    assert job.wait(60)
    assert (job.state, job.result, job.error, job.seconds_left) == ("done", "a report", "", 0.0)
    assert (job.rate or 0) > 0


def fails(error):
    def work(*_):
        raise error

    return work


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (InputError("expected a folder"), "expected a folder"),
        (OSError("the disk is gone"), "It ended early (OSError: the disk is gone). The log has the details."),
    ],
)
def test_what_goes_wrong_is_the_error_of_the_job(error, words):
    job = Job("reading", fails(error)).start()
    assert job.wait(60)
    assert (job.state, job.error, job.result) == ("failed", words, None)


def test_a_job_that_is_cancelled_ends_with_what_it_has():
    def work(_, cancelled):
        while not cancelled():
            pass
        return "half"

    job = Job("reading", work).start()
    job.cancel()
    assert job.wait(60)
    assert (job.state, job.cancelled, job.result) == ("done", True, "half")


def test_a_queue_keeps_the_order_and_lets_go_of_what_waits():
    gate, order = threading.Event(), []

    def work(name):
        def note(*_):
            gate.wait(60)
            order.append(name)

        return note

    queue = JobQueue("test", workers=1)
    jobs = [Job(name, work(name)) for name in "abc"]
    for job in jobs:
        queue.put(job)
    while not jobs[0].running:
        pass
    assert queue.drop(jobs[0]) is False
    assert queue.drop(jobs[1]) is True
    gate.set()
    assert all(job.wait(60) for job in jobs)
    assert order == ["a", "c"]
    assert [job.state for job in jobs] == ["done", "dropped", "done"]
    queue.close()
    late = Job("late", work("late"))
    queue.put(late)
    assert not late.wait(0.05)
