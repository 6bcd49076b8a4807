"""What one machine holds: a corpus of any size indexed from its texts, saved, opened by a fresh process, and asked.

python -m benchmarks.scale 100000 1000000         a line of Markdown for each size, as in docs/scale.md
python -m benchmarks.scale lists 1000000 10000000 searches by words alone, over lists that are made for them

Times are of the processor, which a busy machine does not lengthen, except where a second figure in brackets gives the
time on the clock. Sizes above FROM_TEXTS are indexed from ready numbers, which says nothing of time and memory; those
above FROM_NUMBERS are a corpus of that size laid on the disk again and again, each time under other ids.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Collection
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np

from adaq_core.model import Settings
from adaq_core.retrieval.facets import ForwardIndex
from adaq_core.retrieval.index import DocumentRetriever, PassageIndex
from adaq_core.retrieval.lexical import LexicalIndex, best
from adaq_core.runs.execute import RunSpec, execute
from adaq_core.text.tokens import tokens
from benchmarks.figure import peak_megabytes, seconds
from benchmarks.zipf import PER_DOCUMENT, ZipfPassages, index_of, no_names, queries

HEADER = (
    *("passages", "indexing", "its peak memory", "on disk", "opening", "memory, opened and asked"),
    *("hop p50 / p95", "ADAQ p50", "BM25 p50"),
)
FROM_TEXTS = 300_000
FROM_NUMBERS = 1_000_000
LISTED = 100_000  # passages whose lists are laid one behind another
QUESTIONS = 40
TOP_K = 30
Measured = dict[str, float]


def main(sizes: list[str]) -> None:
    """Measure each size in two processes, one that indexes and one that asks."""
    if sizes[:1] in (["build"], ["ask"]):
        step, size, folder = sizes
        print(json.dumps((build if step == "build" else ask)(int(size), Path(folder))))
        return
    if sizes[:1] == ["lists"]:
        for size in sizes[1:]:
            print(searched(int(size)), flush=True)
        return
    print(f"| {' | '.join(HEADER)} |\n|{'--:|' * len(HEADER)}")
    for size in sizes:
        with tempfile.TemporaryDirectory(prefix="adaq-scale-") as folder:
            print(row(int(size), _apart("build", size, folder), _apart("ask", size, folder)), flush=True)


def build(size: int, folder: Path) -> Measured:
    """Index the passages from their texts, with the graph of names, and save."""
    passages = ZipfPassages(min(size, FROM_NUMBERS))
    if size > FROM_TEXTS:
        index_of(passages).save(folder)
        if size > FROM_NUMBERS:
            repeat(folder, FROM_NUMBERS, size // FROM_NUMBERS)
        return {"disk": _disk(folder)}
    begun, clock = time.process_time(), time.perf_counter()
    PassageIndex.build(passages, name="zipf").save(folder)
    spent, took = time.process_time() - begun, time.perf_counter() - clock
    return {"spent": spent, "seconds": took, "peak": peak_megabytes(), "disk": _disk(folder)}


def repeat(folder: Path, size: int, times: int) -> None:
    """Make the saved corpus of `size` passages one of `times` as many, part by part, as it would not fit the memory."""
    with (folder / "passages.jsonl").open("r+b") as file:
        own = [line.split(b'", "', 2)[2] for line in file]
        file.truncate(0)
        file.seek(0)
        lengths = np.zeros(size * times, dtype=np.int64)
        for number in range(size * times):
            document = number // PER_DOCUMENT
            head = f'{{"passage_id": "d{document}#{number % PER_DOCUMENT}", "document_id": "d{document}", "'
            lengths[number] = file.write(head.encode() + own[number % size])
    np.save(folder / "offsets.npy", np.concatenate([[0], np.cumsum(lengths)]))
    ids = [f"d{number // PER_DOCUMENT}#{number % PER_DOCUMENT}" for number in range(size * times)]
    (folder / "ids.json").write_text(json.dumps(ids), encoding="utf-8")
    _repeat_lists(folder / "lexical", size, times)
    forward = ForwardIndex.load(folder / "forward")
    for name, shift in (("terms", 0), ("pieces", len(forward.terms)), ("passages", len(forward.pieces) - 1)):
        _repeat_array(folder / "forward" / f"{name}.npy", times, shift, closed=name != "terms")
    no_names(size * times).save(folder / "graph")
    table = np.load(folder / "facets" / "table.npy")
    works = np.arange(times, dtype=table.dtype)[:, None] * (table[1].max() + 1) + table[1]
    np.save(folder / "facets" / "table.npy", np.stack([np.tile(table[0], times), works.reshape(-1)]))
    card = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    card |= {"passages": size * times, "documents": card["documents"] * times, "version": f"zipf-{size * times}"}
    (folder / "index.json").write_text(json.dumps(card), encoding="utf-8")


def _repeat_lists(folder: Path, size: int, times: int) -> None:
    """The lists of words; what is ten times as frequent in ten times as many weighs the same but for the halves."""
    index = LexicalIndex.load(folder)
    shifts = np.arange(times, dtype=np.int32)[:, None] * np.int32(size)
    for name, kind in (("rows", np.int32), ("weights", np.float32)):
        new = np.lib.format.open_memmap(folder / "new.npy", "w+", kind, (len(index.rows) * times,))
        for begin, end in pairwise(index.starts.tolist()):
            part = getattr(index, name)[begin:end]
            new[begin * times : end * times] = (part + shifts if name == "rows" else np.tile(part, times)).reshape(-1)
        new.flush()
        (folder / "new.npy").replace(folder / f"{name}.npy")
    np.save(folder / "starts.npy", index.starts * times)
    terms = [size * times, list(index.vocabulary)]
    (folder / "terms.json").write_text(json.dumps(terms), encoding="utf-8")


def _repeat_array(path: Path, times: int, shift: int, *, closed: bool) -> None:
    """An array again and again, each time higher by `shift`; of one that is `closed` the last number is a bound."""
    old = np.load(path, mmap_mode="r")
    own = len(old) - closed
    new = np.lib.format.open_memmap(path.with_suffix(".new"), "w+", old.dtype, (own * times + closed,))
    for number in range(times):
        new[own * number : own * (number + 1)] = old[:own] + old.dtype.type(number * shift)
    if closed:
        new[-1] = times * shift
    new.flush()
    path.with_suffix(".new").replace(path)


def searched(size: int) -> str:
    """What a search by words takes in `size` passages: the lists of its words, of 100,000 passages again and again."""
    passages = ZipfPassages(LISTED)
    asked = [Counter(tokens(words)) for words in queries(passages, QUESTIONS)]
    index = _repeated(index_of(passages).lexical, {term for terms in asked for term in terms}, size // LISTED)
    best(index.term_scores(asked[0]), TOP_K)
    took = [_spent(partial(_search, index, terms)) for terms in asked]
    own, clock = ([each[place] for each in took] for place in (0, 1))
    spread = f"p50 {statistics.median(own):.1f} ms, p95 {statistics.quantiles(own, n=20)[-1]:.1f} ms"
    return f"{index.size:,} passages: {spread}, on the clock {statistics.median(clock):.1f} ms (n = {len(took)})"


def _search(index: LexicalIndex, terms: Counter[str]) -> object:
    return best(index.term_scores(terms), TOP_K)


def _repeated(index: LexicalIndex, terms: Collection[str], times: int) -> LexicalIndex:
    """The lists of some terms with all passages `times` times over."""
    vocabulary = {term: number for number, term in enumerate(sorted(terms))}
    spans = [slice(*index.starts[[index.vocabulary[term], index.vocabulary[term] + 1]].tolist()) for term in vocabulary]
    shifts = np.arange(times, dtype=np.int32)[:, None] * np.int32(index.size)
    rows = [(index.rows[span] + shifts).reshape(-1) for span in spans]
    weights = [np.tile(index.weights[span], times) for span in spans]
    starts = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    idf = index.idf[[index.vocabulary[term] for term in vocabulary]]
    return LexicalIndex(index.size * times, vocabulary, starts, np.concatenate(rows), np.concatenate(weights), idf)


def _disk(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def ask(size: int, folder: Path) -> Measured:
    """Open the saved index in this process, search it and run whole questions on it."""
    opened: list[PassageIndex] = []
    opening = seconds(lambda: opened.append(PassageIndex.load(folder)))
    retriever = DocumentRetriever(opened[0])
    asked = queries(ZipfPassages(min(size, 100_000)), QUESTIONS)
    retriever.retrieve(asked[0], top_k=TOP_K)
    hops = [_spent(partial(retriever.retrieve, words, top_k=TOP_K)) for words in asked]
    own, clock = ([each[place] for each in hops] for place in (0, 1))
    runs = {method: _runs(method, retriever, asked) for method in ("adaptive", "bm25")}
    spread = {"hop": statistics.median(own), "hop_p95": statistics.quantiles(own, n=20)[-1]}
    return {"opening": opening, "memory": peak_megabytes(), **spread, "hop_clock": statistics.median(clock), **runs}


def _spent(work: Callable[[], object]) -> tuple[float, float]:
    """Milliseconds of the processor and on the clock."""
    begun, clock = time.process_time(), time.perf_counter()
    work()
    return (time.process_time() - begun) * 1e3, (time.perf_counter() - clock) * 1e3


def row(size: int, built: Measured, asked: Measured) -> str:
    """One line of the table."""
    cells = (
        f"{size:,}",
        f"{built['spent']:,.0f} s ({built['seconds']:,.0f} s)" if "spent" in built else "–",
        f"{built['peak'] / 1e3:.1f} GB" if "peak" in built else "–",
        f"{built['disk'] / 1e3:.2f} GB",
        f"{asked['opening']:.2f} s",
        f"{asked['memory'] / 1e3:.2f} GB",
        f"{asked['hop']:.1f} / {asked['hop_p95']:.1f} ms ({asked['hop_clock']:.1f} ms)",
        f"{asked['adaptive']:.0f} ms",
        f"{asked['bm25']:.0f} ms",
    )
    return f"| {' | '.join(cells)} |"


def _runs(method: str, retriever: DocumentRetriever, asked: list[str]) -> float:
    """The median of whole runs, in milliseconds; the first one, which loads what all need, is not counted."""
    specs = [RunSpec(method, f"What is said of {words}?", Settings()) for words in asked[: QUESTIONS // 2]]
    took = [_spent(partial(_run, spec, retriever))[0] for spec in specs]
    return statistics.median(took[1:])


def _run(spec: RunSpec, retriever: DocumentRetriever) -> None:
    for _ in execute(spec, retriever=retriever):
        pass


def _apart(step: str, size: str, folder: str) -> Measured:
    command = [sys.executable, "-m", "benchmarks.scale", step, size, folder]
    done = subprocess.run(command, env=dict(os.environ), capture_output=True, text=True, check=True)
    measured: Measured = json.loads(done.stdout.splitlines()[-1])
    return measured


if __name__ == "__main__":
    main(sys.argv[1:])
