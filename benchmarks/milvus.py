"""A corpus in Milvus against the embedded index: what is found, how often and how long the engine is waited for.

python -m benchmarks.milvus recall 2wiki-union hotpotqa-300     100 questions of each dev set, as in docs/scale.md
python -m benchmarks.milvus recall 40 mtrag qmsum               the first 40 of each set behind the number
python -m benchmarks.milvus dense chunkeval                     the same with the vectors of the corpus (MiniLM)
python -m benchmarks.milvus own chunkeval                       the same, found by the engine's own BM25 function
python -m benchmarks.milvus scale 100000                        made-up passages, searches only

Copies are kept in the folder that ADAQ_MILVUS_FOLDER names (by default a temporary one); a copy that broke off goes on.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice, pairwise
from pathlib import Path

from adaq_core.datasets.beir import find_set, read_question_set
from adaq_core.datasets.judged import JudgedQuestion
from adaq_core.errors import CorpusError
from adaq_core.evaluation.measuring import Judge, outcome_of
from adaq_core.evaluation.variants import ensure_index
from adaq_core.events import HopStarted, Record
from adaq_core.retrieval.dense import FetchedVectors, MiniLM, PassageVectors
from adaq_core.retrieval.fetched import FetchedCorpus
from adaq_core.retrieval.fetching import DEEP, Search, Wanted
from adaq_core.retrieval.index import DocumentRetriever, PassageIndex
from adaq_core.retrieval.milvus import copy, open_corpus
from adaq_core.runs.execute import RunSpec, execute
from adaq_core.text.tokens import tokens
from benchmarks.figure import peak_megabytes
from benchmarks.zipf import ZipfPassages, index_of, queries

QUESTIONS, SEARCHES, TOP_K = 100, 40, 30
MOST_TRIPS = 4  # of a hop; questions that take more are named


@dataclass
class Seen:
    """What runs came to: Recall@5 and AllGold@5, seconds of each hop, and how often the engine was waited for in it."""

    recall: list[float] = field(default_factory=list)
    all_gold: list[float] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    planning: list[int] = field(default_factory=list)
    trips: list[int] = field(default_factory=list)
    rankings: list[tuple[str, ...]] = field(default_factory=list)


def main(given: list[str]) -> None:
    """Do what is asked."""
    if given[0] == "fill":
        fill(int(given[1]), Path(given[2]))
        return
    with tempfile.TemporaryDirectory(prefix="adaq-milvus-") as scratch:
        folder = Path(os.environ.get("ADAQ_MILVUS_FOLDER", scratch))
        count = QUESTIONS
        for name in given[1:]:
            if given[0] == "scale":
                scale(int(name), folder)
            elif name.isdecimal():
                count = int(name)
            else:
                recall(name, folder, count, dense=given[0] == "dense", own=given[0] == "own")


def recall(name: str, folder: Path, count: int, *, dense: bool = False, own: bool = False) -> None:
    """The first questions of a dev set by both, `dense` with vectors, `own` by the BM25 function of the engine."""
    questions = read_question_set(find_set(name))
    index = PassageIndex.load(Path(given) if (given := os.environ.get("ADAQ_INDEX")) else ensure_index(questions))
    vectors = _vectors(index) if dense else None
    path = folder / f"{name}{'-dense' if dense else ''}{'-own' if own else ''}.db"
    corpus = _copied(index, path, vectors, own=own)
    judge, asked = Judge(index), list(islice(questions, count))
    here, there = Seen(), Seen()
    for question in asked:
        _ask(question, DocumentRetriever(index, vectors=vectors), judge, here)
        view = corpus.for_run()
        apart = FetchedVectors(view, vectors.queries) if vectors else None
        hops = len(there.trips)
        _ask(question, DocumentRetriever(view, vectors=apart), judge, there)
        if max(trips := there.trips[hops:], default=0) > MOST_TRIPS:
            print(f"  {question.question_id}: round trips {trips} ({question.text[:200]})", flush=True)
    print(f"{name}: n = {len(asked)}, {index.size:,} passages")
    for what, seen in (("embedded", here), ("Milvus", there)):
        hop = statistics.median(seen.seconds) * 1e3
        shares = [statistics.mean(values) if values else float("nan") for values in (seen.recall, seen.all_gold)]
        found = f"Recall@5 {shares[0]:.4f}, AllGold@5 {shares[1]:.4f} (n = {len(seen.recall)})"
        print(f"  {what}: {found}, {len(seen.seconds)} hops, p50 {hop:.0f} ms", flush=True)
    same = sum(a == b for a, b in zip(here.rankings, there.rankings, strict=True))
    most = max(there.trips)
    spread = {n: there.trips.count(n) for n in range(most + 1)}
    print(
        f"  the same five passages: {same}; round trips of a hop {spread}; before the first hop {max(there.planning)}"
    )


def _vectors(index: PassageIndex) -> PassageVectors:
    vectors = PassageVectors(index, MiniLM())
    vectors.compute()
    return vectors


def _copied(
    index: PassageIndex, path: Path, vectors: PassageVectors | None = None, *, own: bool = False
) -> FetchedCorpus:
    try:
        return open_corpus(f"milvus:{path}")
    except CorpusError:
        begun = time.perf_counter()
        copy(index, f"milvus:{path}", vectors=vectors, counts_words=own, progress=_say)
        print(f"copied {index.size:,} passages in {time.perf_counter() - begun:.0f} s", flush=True)
        return open_corpus(f"milvus:{path}")


def _say(done: int, total: int, what: str) -> None:
    """One line for each hundred thousand."""
    if done % 100_000 == 0:
        print(f"{done:,} of {total:,} {what} at {time.strftime('%H:%M:%S')}", flush=True)


def _ask(question: JudgedQuestion, retriever: DocumentRetriever, judge: Judge, seen: Seen) -> None:
    records = tuple(_records(question, retriever, seen))
    outcome = outcome_of(records, question, judge=judge, method="adaptive", configuration="", chats=())
    for name, values in (("Recall@5", seen.recall), ("AllGold@5", seen.all_gold)):
        value = outcome.measures.get(name)
        if value is not None:
            values.append(value)
    seen.rankings.append(tuple(each.passage.passage_id for r in records for each in getattr(r.event, "evidence", ())))


def _records(question: JudgedQuestion, retriever: DocumentRetriever, seen: Seen) -> Iterator[Record]:
    """The events of a run; its hops are timed and their round trips counted."""
    marks: list[tuple[float, int]] = []
    stream, corpus = execute(RunSpec("adaptive", question.text), retriever=retriever), retriever.index
    for seq, event in enumerate(stream, start=1):
        if isinstance(event, HopStarted):
            marks.append((time.perf_counter(), getattr(corpus, "trips", 0)))
        yield Record(seq, "2026-01-01T00:00:00", 0.0, event)
    marks.append((time.perf_counter(), getattr(corpus, "trips", 0)))
    seen.planning.append(marks[0][1])
    for before, after in pairwise(marks):
        seen.seconds.append(after[0] - before[0])
        seen.trips.append(after[1] - before[1])


def scale(size: int, folder: Path) -> None:
    """Search made-up passages, and let ADAQ ask of them: each hop is timed.

    They are copied by a process that ends, so that opening and memory are those of one that only asks.
    """
    path = folder / f"zipf{size}.db"
    if not (whole := path.with_suffix(".whole")).exists():
        subprocess.run([sys.executable, "-m", "benchmarks.milvus", "fill", str(size), str(path)], check=True)
        whole.touch()
    begun = time.perf_counter()
    corpus = open_corpus(f"milvus:{path}")
    opening = time.perf_counter() - begun
    passages = ZipfPassages(min(size, 100_000))
    print(f"{size:,}: opened in {opening:.0f} s, {_disk(path):.2f} GB, load {os.getloadavg()[0]:.1f}", flush=True)
    for seed, count in enumerate((TOP_K, DEEP), start=1):
        asked = queries(passages, SEARCHES, seed=seed)
        first = _searched(corpus, asked[0], count)
        before = _spent()
        took = [_searched(corpus, words, count) for words in asked[1:]]
        spent = _since(before, len(took))
        print(
            f"  a search with the rows of its {count} best {_spread(took)}, the first {first:.0f} ms; {spent}",
            flush=True,
        )
    seen, before = Seen(), _spent()
    for words in queries(passages, SEARCHES):
        list(_records(JudgedQuestion("", f"What is said of {words}?"), DocumentRetriever(corpus.for_run()), seen))
    hops = [seconds * 1e3 for seconds in seen.seconds]
    print(
        f"  a run of ADAQ, {len(hops) / SEARCHES:.2f} hops: {_since(before, SEARCHES)}\n"
        f"  a hop of ADAQ {_spread(hops)}, at most {max(seen.trips)} trips, {max(seen.planning)} before the first\n"
        f"  memory {peak_megabytes() / 1e3:.1f} GB, of the engine's own processes {_of_children() / 1e9:.1f} GB, "
        f"load {os.getloadavg()[0]:.1f}"
    )


def fill(size: int, path: Path) -> None:
    """Copy made-up passages, from where a copy broke off, and say how it goes."""
    begun = time.perf_counter()
    copy(index_of(ZipfPassages(size)), f"milvus:{path}", progress=_say)
    print(f"copied {size:,} passages in {time.perf_counter() - begun:.0f} s", flush=True)


def _searched(corpus: FetchedCorpus, words: str, count: int) -> float:
    """Milliseconds on the clock for one request: the best passages for some words, and what ranking asks of them."""
    wanted = Wanted(searches=[Search(corpus.vector_of(Counter(tokens(words))), count)])
    begun = time.perf_counter()
    corpus.engine.bring(wanted)
    return (time.perf_counter() - begun) * 1e3


def _disk(path: Path) -> float:
    """Gigabytes of a file, or of a folder with what is in it."""
    return sum(each.stat().st_size for each in (path, *path.rglob("*")) if each.is_file()) / 1e9


def _spread(took: list[float]) -> str:
    return f"p50 {statistics.median(took):.0f} ms, p95 {statistics.quantiles(took, n=20)[-1]:.0f} ms (n = {len(took)})"


def _children() -> Iterator[tuple[Path, list[str]]]:
    """The processes that this one started: milvus-lite before version 3 is a program of its own."""
    for status in Path("/proc").glob("[0-9]*/stat"):
        told = status.read_text().rpartition(")")[2].split()
        if int(told[1]) == os.getpid():
            yield status.parent, told


def _of_children() -> int:
    """Bytes of their memory."""
    pages = sum(int((process / "statm").read_text().split()[1]) for process, _ in _children())
    return pages * os.sysconf("SC_PAGE_SIZE")


def _since(before: tuple[float, float], times: int) -> str:
    """What was spent since then, for each of `times`, in words."""
    own, engine = ((after - start) / times * 1e3 for start, after in zip(before, _spent(), strict=True))
    return f"of the processor {own:.0f} ms ours and {engine:.0f} ms the engine's, on average"


def _spent() -> tuple[float, float]:
    """Seconds of the processor, of this process and of those that it started."""
    ticks = sum(int(told[11]) + int(told[12]) for _, told in _children())
    return time.process_time(), ticks / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main(sys.argv[1:])
