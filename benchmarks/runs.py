"""Whole runs: five hops on the bundled corpus, questions of the bundled sets, who spends the time at 100k passages."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from adaq_core.corpus.library import CorpusLibrary
from adaq_core.datasets.beir import has_corpus, known_sets, load_set
from adaq_core.evaluation.variants import ensure_index
from adaq_core.events import Decided, Event, RunFailed
from adaq_core.model import QueryAspect, Settings
from adaq_core.retrieval.index import DocumentRetriever, PassageIndex
from adaq_core.runs import execute as run
from adaq_core.runs.execute import RunSpec
from adaq_core.runs.runner import Runner
from adaq_core.runs.work import exempt_what_is_loaded
from adaq_core.store import open_store
from benchmarks.figure import Figure, median_seconds, peak_megabytes, seconds
from benchmarks.zipf import ZipfPassages, index_of

QUESTION = (
    "What is self-attention, how does it work, how does it differ from an RNN, why is it expensive, and where is "
    "zirconium mined?"
)
FIVE_HOPS = Settings(min_hops=5, max_hops=5, patience=99)


def figures(*, quick: bool) -> list[Figure]:
    """On the bundled corpora and on a large made-up one."""
    return [*_bundled(), *_questions(quick=quick), *_shares(10_000 if quick else 100_000)]


def _bundled() -> Iterator[Figure]:
    library = CorpusLibrary()
    index = library.open("sample")
    first = seconds(lambda: execute(index, QUESTION, FIVE_HOPS))
    hops = sum(isinstance(event, Decided) for event in execute(index, QUESTION, FIVE_HOPS))
    yield Figure("run on the bundled corpus, the first of a process", first, "s", None, f"{hops} hops")
    bare = median_seconds(lambda: execute(index, QUESTION, FIVE_HOPS), times=9)
    yield Figure(f"run of {hops} hops on the bundled corpus", bare, "s", 1.0)
    yield Figure("a hop of it", bare / max(hops, 1) * 1e3, "ms")
    runner = Runner(open_store(), library)
    spec = RunSpec("adaptive", QUESTION, FIVE_HOPS)
    stored = median_seconds(lambda: runner.wait(runner.submit(spec, corpus="sample")), times=9)
    yield Figure("the same in the background, recorded", stored, "s", 1.0, f"{(stored - bare) * 1e3:.0f} ms to record")
    runner.close()
    yield Figure("peak memory", peak_megabytes(), "MB")


_BUNDLED = ("general", "finance", "policy", "exam")
_SLOWEST = ("exam-report-briefs", "mrag-aspects", "financebench")
_ASKED = 60
_NINETEEN_OF_TWENTY_MS = 150.0


def _questions(*, quick: bool) -> Iterator[Figure]:
    """Processor time of all hops of a question; the budgets are that of five BM25 runs and 20 ms, and 150 ms.

    Of the sets that do not come with ADAQ, the slowest ones are asked where they are there.
    """
    there = [name for name, folder in known_sets().items() if name in _SLOWEST and has_corpus(folder)]
    for name in (*_BUNDLED, *(there if not quick else ())):
        questions = load_set(name)
        index = PassageIndex.load(ensure_index(questions))
        asked = [question.text for question in questions][:_ASKED]
        bm25, adaptive = (_times(index, asked, method) for method in ("bm25", "adaptive"))
        usual = statistics.median(bm25)
        budget = round(5 * usual + 20, 1) if name in _BUNDLED else None
        yield Figure(f"a question of {name}", statistics.median(adaptive), "ms", budget, f"BM25 alone {usual:.1f} ms")
        slow = statistics.quantiles(adaptive, n=20)[-1]
        yield Figure("  nineteen of twenty", slow, "ms", _NINETEEN_OF_TWENTY_MS, f"of {len(adaptive)}")


def _times(index: PassageIndex, asked: Sequence[str], method: str) -> list[float]:
    """The ms of each question but the first, which loads what all of them need."""
    times = []
    for question in asked:
        begun = time.process_time()
        execute(index, question, Settings(), method=method)
        times.append((time.process_time() - begun) * 1e3)
        exempt_what_is_loaded()
    return times[1:]


def execute(
    index: PassageIndex, question: str, settings: Settings, *, method: str = "adaptive", **more: Any
) -> list[Event]:
    spec = RunSpec(method, question, settings, **more)
    events = list(run.execute(spec, retriever=DocumentRetriever(index)))
    if isinstance(events[-1], RunFailed):
        raise RuntimeError(f"there is nothing to measure: the run failed ({events[-1].message})")
    return events


def _shares(size: int) -> Iterator[Figure]:
    """Time in retrieval, in the other stages, and in what remains: the controller with its events."""
    passages = ZipfPassages(size)
    index = index_of(passages)
    aspects = _aspects(passages)
    question = " and ".join(aspect.subject for aspect in aspects)
    settings = Settings(min_hops=5, max_hops=5, patience=99, use_dense=False)
    first = seconds(lambda: execute(index, question, settings, aspects=aspects))
    yield Figure(f"run at {size:,} passages, the first of a process", first, "s")
    whole, retrieval, stages = zip(*(_timed(index, question, settings, aspects) for _ in range(5)), strict=True)
    total = statistics.median(whole)
    own = statistics.median(1 - (r + s) / w for w, r, s in zip(whole, retrieval, stages, strict=True))
    yield Figure(f"run of 5 hops at {size:,} passages", total, "s")
    yield Figure("  of it in retrieval", 100 * statistics.median(retrieval) / total, "%")
    yield Figure("  of it in reading, ranking, coverage and writing", 100 * statistics.median(stages) / total, "%")
    yield Figure("  the controller's own", 100 * own, "%", 10.0)


def _aspects(passages: ZipfPassages) -> tuple[QueryAspect, ...]:
    """Six aspects of three rarer words each."""
    words = [passages.words[2_000 + 997 * number] for number in range(18)]
    triples = [words[at : at + 3] for at in range(0, 18, 3)]
    return tuple(
        QueryAspect(f"Definition of {' '.join(t)}", "definition", 1.0, tuple(t), subject=" ".join(t)) for t in triples
    )


def _timed(
    index: PassageIndex, question: str, settings: Settings, aspects: tuple[QueryAspect, ...]
) -> tuple[float, float, float]:
    """Seconds of a run: all, in retrieval, in the other stages."""
    from adaq_core.methods import adaptive
    from adaq_core.planner import QueryPlanner
    from adaq_core.ranking.linked_pool import LinkedPool
    from adaq_core.ranking.topic_pool import TopicPool
    from adaq_core.stages.state import State
    from adaq_core.stages.stop_policy import StopPolicy

    clock = _Clock()
    searches = [(DocumentRetriever, ("retrieve",)), (PassageIndex, ("search", "passage"))]
    with clock.watch_all("retrieval", searches):
        stages = [
            (State, ("read_passages", "judge", "write")),
            (TopicPool, ("__init__", "add", "select", "seed", "expand")),
            (LinkedPool, ("__init__", "add", "select", "seed", "expand", "sufficiency")),
            (QueryPlanner, ("next_subqueries",)),
            (StopPolicy, ("decide",)),
            (adaptive, ("plan_aspects", "begin", "pool_for", "next_hop", "features_for", "estimated")),
        ]
        with clock.watch_all("stages", stages):
            whole = seconds(lambda: execute(index, question, settings, aspects=aspects))
    return whole, clock.spent["retrieval"], clock.spent["stages"]


class _Clock:
    """Adds up the time inside functions; what one of them calls among the others is counted once, in the inner."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}
        self._inner: list[float] = []

    @contextmanager
    def watch_all(self, label: str, places: list[tuple[Any, tuple[str, ...]]]) -> Iterator[None]:
        originals = [(place, name, getattr(place, name)) for place, names in places for name in names]
        for place, name, original in originals:
            setattr(place, name, self._timed(label, original))
        try:
            yield
        finally:
            for place, name, original in originals:
                setattr(place, name, original)

    def _timed(self, label: str, original: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*given: Any, **named: Any) -> Any:
            self._inner.append(0.0)
            begun = time.perf_counter()
            try:
                return original(*given, **named)
            finally:
                took = time.perf_counter() - begun
                self.spent[label] = self.spent.get(label, 0.0) + took - self._inner.pop()
                if self._inner:
                    self._inner[-1] += took

        return timed
