"""A lexical hop at 10k, 100k and 1M passages, beside the bare engine and rank-bm25 on the same queries."""

from __future__ import annotations

import gc
import statistics
from collections import Counter
from functools import partial

from adaq_core.retrieval.index import DocumentRetriever, PassageIndex
from adaq_core.retrieval.lexical import best
from adaq_core.text.tokens import tokens
from benchmarks.figure import Figure, peak_megabytes, seconds
from benchmarks.zipf import LENGTH, ZipfPassages, index_of, queries

BUDGETS_MS = {10_000: None, 100_000: 50.0, 1_000_000: 200.0}
TOP_K = 30


def figures(*, quick: bool) -> list[Figure]:
    """All sizes; `quick` leaves out the last."""
    sizes = list(BUDGETS_MS)[: 2 if quick else 3]
    rows: list[Figure] = []
    for size in sizes:
        rows += _at(size)
        gc.collect()
    return rows


def _at(size: int) -> list[Figure]:
    passages = ZipfPassages(size)
    index = index_of(passages)
    asked = queries(passages, 60)
    retriever = DocumentRetriever(index)
    retriever.retrieve(asked[0], top_k=TOP_K)
    hop = [seconds(partial(retriever.retrieve, q, top_k=TOP_K)) * 1e3 for q in asked]
    bare = [seconds(partial(_bare, index, q)) * 1e3 for q in asked]
    memory = peak_megabytes()
    other = _rank_bm25(passages, asked[: 10 if size < 1_000_000 else 3])
    name = f"{size:,} passages"
    return [
        Figure(f"{name}: retrieval of a hop, median", statistics.median(hop), "ms", BUDGETS_MS[size]),
        Figure(f"{name}: retrieval of a hop, 95 %", statistics.quantiles(hop, n=20)[-1], "ms"),
        Figure(f"{name}: bare engine, median", statistics.median(bare), "ms"),
        Figure(
            f"{name}: rank-bm25, median", other * 1e3, "ms", None, f"{other * 1e3 / statistics.median(hop):.0f} x ours"
        ),
        Figure(f"{name}: peak memory before rank-bm25", memory, "MB"),
    ]


def _bare(index: PassageIndex, query: str) -> object:
    return best(index.lexical.term_scores(Counter(tokens(query))), TOP_K)


def _rank_bm25(passages: ZipfPassages, asked: list[str]) -> float:
    from rank_bm25 import BM25Okapi

    words = passages.words
    engine = BM25Okapi([[words[i] for i in row] for row in passages.ids.reshape(-1, LENGTH).tolist()])
    return statistics.median(seconds(partial(engine.get_top_n, q.split(), range(len(passages)), TOP_K)) for q in asked)
