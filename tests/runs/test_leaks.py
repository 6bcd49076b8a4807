"""A server that makes runs for months holds no more after them than after the first few."""

import gc
import importlib
import inspect
import pkgutil
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import adaq_core
from adaq_core.runs.execute import RunSpec
from adaq_core.runs.runner import Runner
from adaq_core.store import Store
from tests.runs.test_runner import COMPARE, GatedCorpora

RUNS = 30
# Without a bound, because what they are asked with is ours: a family of models, modules of our code, whether it is TLS.
OURS = {
    "adaq_core.ranking.learned.load",
    "adaq_core.matching.likelihood._model",
    "adaq_core.evaluation.variants.of_code",
    "adaq_core.llm.transport._checked",
}


@pytest.fixture
def runner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Runner]:
    monkeypatch.setenv("ADAQ_HOME", str(tmp_path))
    store = Store(tmp_path / "runs.duckdb")
    runner = Runner(store, GatedCorpora(), workers=2)
    yield runner
    runner.close()
    store.close()


def make_runs(runner: Runner, count: int) -> None:
    for number in range(count):
        method = ("adaptive", "bm25")[number % 2]
        assert runner.wait(runner.submit(RunSpec(method, COMPARE), corpus="drinks"), 60).status == "finished"


def alive() -> Counter[str]:
    """How many objects of each class there are, threads and open files beside them."""
    gc.collect()
    counts = Counter(f"{type(one).__module__}.{type(one).__qualname__}" for one in gc.get_objects())
    counts["threads"] = threading.active_count()
    counts["open files"] = sum(1 for _ in Path("/proc/self/fd").iterdir())
    return counts


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="this system does not say which files are open")
def test_nothing_is_left_of_a_run_that_is_over(runner: Runner) -> None:
    make_runs(runner, 10)
    leaks = grown_by_runs(runner)
    for _ in range(3):  # a leak grows each time; a thread that is new, or what another test left running, does not
        leaks &= grown_by_runs(runner) if leaks else set()
    assert leaks == set()


def grown_by_runs(runner: Runner) -> set[str]:
    """The classes of which there are more after some runs, by half as many as there were runs or more."""
    before = alive()
    make_runs(runner, RUNS)
    after = alive()
    return {kind for kind in after if after[kind] - before[kind] >= RUNS // 2}


def caches() -> Iterator[tuple[str, object]]:
    for info in pkgutil.walk_packages(adaq_core.__path__, "adaq_core."):
        if info.name.endswith("__main__"):
            continue
        module = importlib.import_module(info.name)
        classes = [value for value in vars(module).values() if inspect.isclass(value)]
        for owner in (module, *classes):
            for name, value in vars(owner).items():
                if hasattr(value, "cache_parameters") and value.__module__ == info.name:
                    yield f"{info.name}.{name}", value


def test_what_is_kept_by_a_text_from_outside_has_a_bound() -> None:
    kept = {
        name: value.cache_parameters()["maxsize"]  # type: ignore[attr-defined]
        for name, value in caches()
        if inspect.signature(value).parameters  # type: ignore[arg-type]
    }
    assert len(kept) > 3
    assert {name for name, most in kept.items() if most is None} == OURS
