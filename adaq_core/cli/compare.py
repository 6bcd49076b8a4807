"""`compare`: one question, several methods, side by side."""

from __future__ import annotations

import json
import secrets
from typing import TYPE_CHECKING, Annotated

import typer

from adaq_core.cli._hop_log import RUN_FAILED, STOPPED, say, show
from adaq_core.cli._options import (
    CorpusOption,
    Follower,
    JsonOption,
    KOption,
    MaxHopsOption,
    ModelOption,
    NoModelOption,
    ProfileOption,
    QuestionArgument,
    SecondsOption,
    SourceOption,
    TokensOption,
    UsdOption,
    budget_from,
    corpus_name,
    methods_from,
    model_from,
    read_question,
    settings_from,
    source_line,
    the_runner,
)

if TYPE_CHECKING:
    from adaq_core.events import Record
    from adaq_core.store import RunRow

DEFAULT_METHODS = "adaptive,bm25,static"

HELP = """Run several methods on one question, side by side.

\b
Examples:
  python -m adaq_core compare "Compare RAG, Self-RAG and CRAG"
  python -m adaq_core compare "Top risks facing Boeing" --methods all --k 8
  python -m adaq_core compare "What is BM25?" --methods adaptive,static --json

All get the same corpus, live sources, k and budget. A method that fails does not affect the others. The runs are kept
as one group, which the app's Compare page opens.
"""


def command(
    question: QuestionArgument,
    methods: Annotated[
        str, typer.Option("--methods", "-m", help="Methods with commas between them, or `all`.")
    ] = DEFAULT_METHODS,
    corpus: CorpusOption = "sample",
    k: KOption = 5,
    max_hops: MaxHopsOption = None,
    budget_seconds: SecondsOption = None,
    budget_tokens: TokensOption = None,
    budget_usd: UsdOption = None,
    profile: ProfileOption = None,
    source: SourceOption = None,
    model: ModelOption = None,
    no_llm: NoModelOption = False,
    as_json: JsonOption = False,
) -> None:
    """Run several methods on one question, with the same corpus, k and budget."""
    from adaq_core.methods import method as find_method
    from adaq_core.methods import needs_vectors
    from adaq_core.runs.execute import RunSpec

    chosen = methods_from(methods)
    for name in chosen:
        find_method(name)
    asked = read_question(question)
    settings = settings_from(k=k, max_hops=max_hops, profile=profile, sources=source)
    runner, group = the_runner(), f"c-{secrets.token_hex(3)}"
    searched = corpus_name(corpus)
    named = model_from(model, no_llm=no_llm)
    budget = budget_from(seconds=budget_seconds, tokens=budget_tokens, usd=budget_usd, model=named)
    by_meaning = any(map(needs_vectors, chosen))  # then for all: with some it would be no fair comparison
    ids = [
        runner.submit(
            RunSpec(name, asked, settings=settings, budget=budget),
            corpus=searched,
            model=named,
            group=group,
            waits_for_vectors=by_meaning,
        )
        for name in chosen
    ]
    followers = [Follower(runner, run_id, lambda _: None) for run_id in ids]  # nothing is shown before all are done
    rows = [follower.follow() for follower in followers]
    _print(rows, [runner.store.records(run_id) for run_id in ids], group=group, as_json=as_json)
    if any(follower.stopped for follower in followers):
        raise typer.Exit(STOPPED)
    if any(row.status != "finished" for row in rows):
        raise typer.Exit(RUN_FAILED)


def _print(rows: list[RunRow], records: list[list[Record]], *, group: str, as_json: bool) -> None:
    from adaq_core.export.run_json import comparison_json
    from adaq_core.trace import view

    for row in rows:
        if row.status != "finished":
            say(f"{row.method}: {row.status}. {row.reason}")
    for row, events in zip(rows, records, strict=True):
        for use in view(events).sources:
            say(f"{row.method}: {source_line(use)}")
    first = rows[0]
    if as_json:
        print(json.dumps(comparison_json(group, rows, records), indent=2))
        return
    show(first.question)
    show(f"corpus {first.corpus} ({first.corpus_version}), k = {first.k}, group {group}\n")
    show(f"{'method':<14} {'covered':>8} {'weighted':>9} {'hops':>5} {'passages':>9} {'seconds':>8}  run")
    for row in rows:
        show(_line(row))
    _print_matrix(rows, records)


def _line(row: RunRow) -> str:
    covered = "–" if row.percentage is None else f"{row.aspects_covered}/{row.aspects_total}"
    weighted = "–" if row.weighted is None else f"{row.weighted:.0%}"
    work = f"{row.hops:>5} {row.passages_read:>9} {row.elapsed:>8.2f}"
    figures = f"{covered:>8} {weighted:>9} {work}"
    return f"{row.method:<14} {figures}  {row.run_id}"


def _print_matrix(rows: list[RunRow], records: list[list[Record]]) -> None:
    """Aspect by method: the hop that covered it first."""
    from adaq_core.trace import view

    runs = [view(events) for events in records]
    aspects = list(dict.fromkeys(aspect.aspect for run in runs for aspect in run.aspects))
    if not aspects:
        return
    width = min(48, max(len(name) for name in ("aspect", *aspects)))
    show(f"\n{'aspect':<{width}}  " + " ".join(f"{row.method:>12}" for row in rows))
    for name in aspects:
        hops = [run.covered_at.get(name) for run in runs]
        cells = ("missed" if hop is None else f"hop {hop}" for hop in hops)
        show(f"{name[:width]:<{width}}  " + " ".join(f"{cell:>12}" for cell in cells))
