"""`ask`: one question, one run, its cited answer."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from adaq_core.cli._hop_log import RUN_FAILED, STOPPED, HopLog, say, show
from adaq_core.cli._options import (
    CorpusOption,
    CrossEncoderOption,
    Follower,
    JsonOption,
    KOption,
    LearnOption,
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
    model_from,
    print_run,
    read_question,
    settings_from,
    the_runner,
)
from adaq_core.runs.forecast import NO_RUN, forecast

if TYPE_CHECKING:
    from adaq_core.corpus.library import CorpusLibrary
    from adaq_core.events import Record

HELP = """Answer a question from a corpus, with citations.

\b
Examples:
  python -m adaq_core ask "Compare self-attention and multi-head attention"
  python -m adaq_core ask "Top risks facing Tesla in 2025" -v --max-hops 4
  python -m adaq_core ask "What changed in the lease?" --corpus ./contracts
  python -m adaq_core ask "What is BM25?" --method static --json | jq .answer.text
  python -m adaq_core ask "What changed in the lease?" --corpus milvus://db.example.org/contracts
  python -m adaq_core ask "Why did Boeing lose orders?" --model llama3.2 --budget-seconds 120
  python -m adaq_core ask "Top risks facing Tesla in 2025" --source wikipedia,gdelt --budget-seconds 60

The run is kept: `runs show ID` prints it again, the app's Trace explorer opens it. With --json one object is
printed: run_id, question, method, corpus, stop_reason, answer, sufficiency, answerable, aspects, hops, evidence, cost,
model, citations_check, sources. Where the corpus does not seem to hold an answer, answer.abstained is true and
stop_reason no_evidence; the text then says what is missing and quotes the nearest that was found.

--model takes one model for all stages, or two with a comma: the first plans and reads, the second writes the answer.
Where a model cannot be used the rules go on in its place, which is said on stderr and in the run. With a model or
live sources a forecast from past runs like this one stands on stderr before it begins.

--source asks services on the web besides the corpus; keys and addresses are settings (.env.example). What each brought
is said on stderr. A source that fails costs only itself. `runs keep` puts what was fetched into a corpus.
"""


def command(
    question: QuestionArgument,
    corpus: CorpusOption = "sample",
    method: Annotated[str, typer.Option("--method", "-m", help="How to search; `adaptive` is ADAQ.")] = "adaptive",
    k: KOption = 5,
    max_hops: MaxHopsOption = None,
    budget_seconds: SecondsOption = None,
    budget_tokens: TokensOption = None,
    budget_usd: UsdOption = None,
    profile: ProfileOption = None,
    source: SourceOption = None,
    model: ModelOption = None,
    no_llm: NoModelOption = False,
    cross_encoder: CrossEncoderOption = "",
    entailment: Annotated[
        bool, typer.Option("--entailment", help="Have the model check that what each sentence cites entails it.")
    ] = False,
    learn: LearnOption = False,
    as_json: JsonOption = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Print what each hop does and why.")] = False,
) -> None:
    """Answer a question from a corpus, with citations."""
    asked, named = read_question(question), model_from(model, no_llm=no_llm)
    settings = settings_from(k=k, max_hops=max_hops, profile=profile, sources=source)
    settings = replace(settings, learn=learn, entailment=entailment, cross_encoder=cross_encoder.strip())
    runner, searched = the_runner(), corpus_name(_library(), corpus)
    if named or settings.sources:
        expected = forecast(runner.store, corpus=searched, method=method, model=named, settings=settings)
        say(f"Forecast: {expected.words if expected else NO_RUN}.")
    run_id = runner.submit(
        asked,
        corpus=searched,
        method=method,
        settings=settings,
        budget=budget_from(seconds=budget_seconds, tokens=budget_tokens, usd=budget_usd, model=named),
        model=named,
    )
    follower = Follower(runner, run_id, _reporter(verbose=verbose, as_json=as_json))
    row = follower.follow()
    print_run(row, runner.store.records(run_id), as_json=as_json)
    if follower.stopped:
        raise typer.Exit(STOPPED)
    if row.status != "finished":
        raise typer.Exit(RUN_FAILED)


def _library() -> CorpusLibrary:
    from adaq_core.corpus.library import CorpusLibrary

    return CorpusLibrary(notice=say)


def _reporter(*, verbose: bool, as_json: bool) -> Callable[[Record], None]:
    """What to do with each record: the log of the hops, or a line on a terminal, or nothing."""
    log, write = HopLog(), say if as_json else show

    def report(record: Record) -> None:
        for line in log.lines(record.event):
            if verbose:
                write(line)
            elif record.event.kind == "noticed" and record.event.stage == "spelling":
                say(record.event.message)
            elif line.startswith("\n[Hop") and sys.stderr.isatty():
                say(line.strip())

    return report
