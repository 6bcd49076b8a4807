import json
import os
import subprocess
import sys
import time
from dataclasses import asdict, replace

import pytest

from adaq_core.errors import DatasetError
from adaq_core.evaluation import Progress, write_outcomes
from adaq_core.evaluation.request import Request, default_reference, estimate, experiments_at, summary_of


def written(folder, request, progress=None, outcomes=(), results=None):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "request.json").write_text(json.dumps(asdict(request)))
    write_outcomes(folder / "per_question.jsonl", outcomes)
    if progress:
        (folder / "state.json").write_text(json.dumps(asdict(progress)))
    if results:
        (folder / "results.json").write_text(json.dumps(results))
    return folder


@pytest.mark.parametrize(
    ("phase", "state"), [("finished", "finished"), ("cancelled", "cancelled"), ("failed", "failed")]
)
def test_the_state_is_the_phase_when_nobody_works_on_it(tmp_path, phase, state):
    folder = written(tmp_path / "e", Request("general"), Progress(phase, message="why"))
    found = summary_of(folder)
    assert (found.state, found.error) == (state, "why" if state == "failed" else "")


def test_one_at_work_elsewhere_is_broken_off_when_it_falls_silent(tmp_path):
    folder = written(tmp_path / "e", Request("general"), Progress("running", 3, 9))
    assert summary_of(folder).state == "elsewhere"
    assert summary_of(folder, now=time.time() + 600).state == "interrupted"
    (folder / "state.json").unlink()
    assert summary_of(folder).state == "interrupted"


WORKER = """
import sys, time
from pathlib import Path
from adaq_core.evaluation.request import _at_work
with _at_work(Path(sys.argv[1])):
    print("at work", flush=True)
    time.sleep(60)
"""


def test_one_whose_process_was_killed_is_broken_off_at_once(tmp_path):
    folder = written(tmp_path / "e", Request("general"), Progress("running", 3, 9))
    with subprocess.Popen([sys.executable, "-c", WORKER, str(folder)], stdout=subprocess.PIPE) as worker:
        assert worker.stdout is not None
        assert worker.stdout.readline()
        assert summary_of(folder, now=time.time() + 600).state == "elsewhere"
        worker.kill()
    assert summary_of(folder).state == "interrupted"


def test_results_are_shown_only_when_they_are_of_what_is_finished(tmp_path):
    folder = written(tmp_path / "e", Request("general"), Progress("cancelled"), results={"methods": {}})
    assert summary_of(folder).results is None
    written(folder, Request("general"), Progress("finished"))
    assert summary_of(folder).results == {"methods": {}}


def test_a_folder_without_a_request_is_refused_in_words(tmp_path):
    with pytest.raises(DatasetError, match=r"request\.json, which says what was asked for, is missing or damaged"):
        summary_of(tmp_path)


def test_a_folder_is_one_experiment_or_holds_some(tmp_path):
    one = written(tmp_path / "one", Request("general"))
    two = written(tmp_path / "two", Request("general"))
    os.utime(one / "request.json", (1, 1))
    assert experiments_at(one) == (one,)
    assert experiments_at(tmp_path) == (two, one)
    assert experiments_at(tmp_path / "nothing") == ()


def test_the_reference_is_static_then_bm25_then_what_is_not_adaq():
    assert default_reference(["adaptive", "bm25", "static"]) == "static"
    assert default_reference(["adaptive", "adaptive--hops2", "dense"]) == "dense"
    assert default_reference(["adaptive--hops2", "adaptive"]) == "adaptive--hops2"
    assert default_reference([]) == ""


def test_the_estimate_rests_on_the_same_set_first_and_names_what_it_cannot_know(tmp_path, rivers, outcome):
    request = Request(str(rivers), methods=("bm25", "static"), dense=False)
    slow = [outcome(method, "q", measures={"ms": 4000.0}) for method in ("bm25", "static")]
    other = written(tmp_path / "other", Request("general"), outcomes=slow)
    same = written(tmp_path / "same", request, outcomes=[replace(slow[0], measures={"ms": 1000.0})])
    plan = request.plan()
    assert request.plan(plan.questions).questions is plan.questions
    none = estimate(request, plan, [same])
    assert (none.runs, none.seconds, none.unknown) == (18, None, ("static",))
    from_other = estimate(request, plan, [same, other])
    assert (from_other.same_set, from_other.seconds) == (False, 9 * (1.0 + 4.0) / 2 + 9 * 4.0 + 9 * 0.0)
    bm25 = replace(request, methods=("bm25",))
    assert estimate(bm25, bm25.plan(), [other, same]).seconds == 9.0


def test_the_estimate_rests_on_experiments_with_the_same_model(tmp_path, rivers, outcome):
    request = Request(str(rivers), methods=("bm25",), dense=False)
    asking = replace(request, model="small")
    quick, slow = (outcome("bm25", "q", measures={"ms": ms}) for ms in (10.0, 60_000.0))
    by_rules = written(tmp_path / "rules", request, outcomes=[quick])
    asked = written(tmp_path / "asked", asking, outcomes=[slow])
    plan = request.plan()
    assert estimate(asking, plan, [by_rules]).unknown == ("bm25",)
    assert estimate(asking, plan, [by_rules, asked]).seconds == 9 * 60.0
    assert estimate(request, plan, [asked, by_rules]).seconds == 9 * 0.01
