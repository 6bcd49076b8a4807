"""`ask`: one question, one run, its cited answer."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from adaq_core.cli._hop_log import RUN_FAILED, STOPPED, HopLog, say, show
from adaq_core.cli._options import (
    BY_ASPECTS,
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
    the_store,
)
from adaq_core.errors import InputError
from adaq_core.model import Settings
from adaq_core.runs.forecast import NO_RUN, forecast, learned_wordings

if TYPE_CHECKING:
    from adaq_core.evaluation.working import QuestionsToAsk
    from adaq_core.events import Record

HELP = """Answer a question from a corpus, with citations.

\b
Examples:
  python -m adaq_core ask "Compare self-attention and multi-head attention"
  python -m adaq_core ask "Top risks facing Tesla in 2025" -v --max-hops 4
  python -m adaq_core ask "What changed in the lease?" --corpus ./contracts
  python -m adaq_core ask "What is BM25?" --method static --json | jq .answer.text
  python -m adaq_core ask "What changed in the lease?" --corpus milvus://db.example.org/contracts
  python -m adaq_core ask "What caused the Boeing door plug accident?" --model llama3.2 --budget-seconds 120
  python -m adaq_core ask "Top risks facing Tesla in 2025" --source wikipedia,gdelt --budget-seconds 60
  python -m adaq_core ask --questions questions.txt --json > answers.jsonl
  python -m adaq_core ask --questions questions.txt --dask tcp://127.0.0.1:8786

The run is kept: `runs show ID` prints it again, the app's Trace explorer opens it. With --json one object is
printed: run_id, question, method, corpus, stop_reason, answer, sufficiency, answerable, calibrated (false:
both are the run's own estimates), aspects, hops, evidence, cost, model, citations_check, sources. Where the corpus
does not seem to hold an answer, answer.abstained is true and stop_reason no_evidence; the text then says what is
missing and quotes the nearest passages.

--model takes one model for all stages, or two with a comma: the first plans and reads, the second writes the answer.
If a model cannot be used, rules take its place; stderr and the run say so. With a model or live sources, stderr
shows a forecast from similar past runs before the run begins.

--source also asks services on the web; keys and addresses are settings (.env.example). stderr says what
each returned. A source that fails does not affect the others. `runs keep` puts what was fetched into a corpus.

--questions FILE asks many: one a line, or lines of JSON with "question" and, if you like, "id". They are divided among
processes here (--workers) or the workers of a Dask cluster (--dask, extra `dask`), answered in their order, and kept
as runs under the name of the file. With --json each answer is one line.
"""


def command(
    question: QuestionArgument = "",
    corpus: CorpusOption = "sample",
    method: Annotated[str, typer.Option("--method", "-m", help="How to search; `adaptive` is ADAQ.")] = "adaptive",
    k: KOption = BY_ASPECTS,
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
    questions: Annotated[
        Path | None, typer.Option("--questions", help="Ask all the questions of a file.", metavar="FILE")
    ] = None,
    workers: Annotated[
        int | None, typer.Option("--workers", min=1, help="With --questions: this many processes at once.")
    ] = None,
    dask: Annotated[
        str, typer.Option("--dask", help="With --questions: the scheduler of a Dask cluster.", metavar="ADDRESS")
    ] = "",
) -> None:
    """Answer a question from a corpus, with citations."""
    named = model_from(model, no_llm=no_llm)
    settings = settings_from(k=k, max_hops=max_hops, profile=profile, sources=source)
    settings = replace(settings, learn=learn, entailment=entailment, cross_encoder=cross_encoder.strip())
    budget = budget_from(seconds=budget_seconds, tokens=budget_tokens, usd=budget_usd, model=named)
    if questions is not None:
        from adaq_core.evaluation.working import QuestionsToAsk

        _must_be_alone(question, settings)
        given = read_questions(questions)
        asking = QuestionsToAsk(tuple(given.values()), corpus_name(corpus), method, settings, budget, named)
        _ask_all(asking, list(given), group=questions.stem, workers=workers, dask=dask, as_json=as_json)
        return
    from adaq_core.runs.execute import RunSpec

    asked = read_question(question)
    runner, searched = the_runner(), corpus_name(corpus)
    if named or settings.sources:
        expected = forecast(runner.store, corpus=searched, method=method, model=named, settings=settings)
        say(f"Forecast: {expected.words if expected else NO_RUN}.")
    run_id = runner.submit(RunSpec(method, asked, settings=settings, budget=budget), corpus=searched, model=named)
    follower = Follower(runner, run_id, _reporter(verbose=verbose, as_json=as_json))
    row = follower.follow()
    print_run(row, runner.store.records(run_id), as_json=as_json)
    if follower.stopped:
        raise typer.Exit(STOPPED)
    if row.status != "finished":
        raise typer.Exit(RUN_FAILED)


def _must_be_alone(question: str, settings: Settings) -> None:
    if question:
        raise InputError("Expected either a question or --questions FILE, got both; leave one of them out.")
    if settings.sources:
        raise InputError("Live sources are asked for one question at a time; leave out --source or --questions.")


def read_questions(file: Path) -> dict[str, str]:
    """Read the questions of a file by id (the line number unless given), in order.

    Raises:
        InputError: the file cannot be read, holds none, or has two questions of one id.
    """
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"Expected a text file with questions, one a line; {file} cannot be read: {error}") from None
    results: dict[str, str] = {}
    for number, line in enumerate(map(str.strip, lines), start=1):
        key, question = _on_line(line, number)
        if question and key in results:
            raise InputError(f"Line {number} of {file} has the id {key!r} of an earlier question; give it another.")
        if question:
            results[key] = question
    if not results:
        raise InputError(f"Expected questions in {file}, one a line, got none.")
    return results


def _on_line(line: str, number: int) -> tuple[str, str]:
    """Read the id and the question from a line; refuse JSON without a question."""
    if not line.startswith("{"):
        return str(number), line
    try:
        record = json.loads(line)
        return str(record.get("id", number)), str(record["question"]).strip()
    except (ValueError, KeyError, RecursionError) as error:
        raise InputError(f'Expected {{"question": …}} on line {number}, got {line[:80]!r} ({error}).') from None


def _ask_all(
    asking: QuestionsToAsk, ids: Sequence[str], *, group: str, workers: int | None, dask: str, as_json: bool
) -> None:
    """Ask the questions, keep the runs, and print each answer when those before it are there."""
    from adaq_core.evaluation.experiment import ask_all
    from adaq_core.evaluation.working import Recorder

    store = the_store()
    if asking.settings.learn:
        learned = learned_wordings(store, corpus=asking.corpus, model=asking.model, sources=())
        asking = replace(asking, learned=learned)
    recorder, failed = Recorder(store, group=group), 0
    with closing(recorder):
        for asked in ask_all(asking, workers=workers, dask=dask):
            run_id = recorder.enter(asked.records, ids[asked.number])
            row = store.run(run_id) if run_id else None
            failed += row is None or row.status != "finished"
            if row is None:
                say(f"Error: question {ids[asked.number]}: {asked.error}")
                continue
            if not as_json:
                show(f"\n{asked.question}")
            print_run(row, list(asked.records), as_json=as_json, indent=None if as_json else 2)
    if failed:
        raise typer.Exit(RUN_FAILED)


def _reporter(*, verbose: bool, as_json: bool) -> Callable[[Record], None]:
    """Return what to do with each record: print the log of the hops, update a line, or nothing."""
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
