"""Options that several commands share, and a run over them: started, followed on the terminal, left in order."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adaq_core.cli._hop_log import Bar, counted, say, show
from adaq_core.errors import InputError
from adaq_core.events import Record
from adaq_core.model import Budget, Settings

if TYPE_CHECKING:
    from adaq_core.corpus.holdings import IngestReport
    from adaq_core.corpus.library import CorpusLibrary
    from adaq_core.runs.runner import Runner
    from adaq_core.store import RunRow, Store
    from adaq_core.store.recording import Reading
    from adaq_core.trace import RunView, SourceUse


_AT_MOST = 100


def _finite(value: float | None) -> float | None:
    """Check that a number is finite; who wants no bound leaves the option out."""
    if value is not None and not math.isfinite(value):
        raise typer.BadParameter("Expected a number; leave the option out for no bound.")
    return value


QuestionArgument = Annotated[
    str, typer.Argument(help="What you want to know; - reads it from stdin.", metavar="QUESTION")
]
CorpusOption = Annotated[
    str,
    typer.Option(
        "--corpus",
        "-c",
        help="Name of a corpus, a folder with documents, or milvus://HOST/NAME or milvus:FILE.db.",
        metavar="NAME|FOLDER|ADDRESS",
    ),
]
AUTO = 0  # stands for --k auto
BY_ASPECTS: Any = "auto"  # the default of --k, as a user would type it


def _passages(value: str | int) -> int:
    """Parse the number of passages, or `auto`."""
    text = str(value).strip()
    if text.lower() == "auto":
        return AUTO
    if text.isdecimal() and 1 <= int(text) <= _AT_MOST:
        return int(text)
    raise typer.BadParameter(f"Expected a number from 1 to {_AT_MOST}, or auto, got {text!r}.")


KOption = Annotated[
    int,
    typer.Option(
        "--k",
        parser=_passages,
        metavar="NUMBER|auto",
        help="How many passages the answer may cite; auto: 5, or one for each aspect (four for a list), at most 25.",
    ),
]
MaxHopsOption = Annotated[int | None, typer.Option("--max-hops", min=1, max=_AT_MOST, help="At most this many hops.")]
SecondsOption = Annotated[
    float | None,
    typer.Option(
        "--budget-seconds", min=0.0, callback=_finite, help="Stop searching after this many seconds and answer."
    ),
]
TokensOption = Annotated[
    int | None, typer.Option("--budget-tokens", min=1, help="At most this many tokens for the model.")
]
UsdOption = Annotated[
    float | None,
    typer.Option("--budget-usd", min=0.0, callback=_finite, help="At most this many US dollars for the model."),
]
ModelOption = Annotated[
    str | None,
    typer.Option(
        "--model", help="Language model for the stages that can use one (Ollama at OLLAMA_HOST).", metavar="NAME"
    ),
]
SourceOption = Annotated[
    list[str] | None,
    typer.Option(
        "--source",
        "-s",
        help="Live sources to ask in addition to the corpus, with commas between them; `doctor` lists them.",
        metavar="NAME,…",
    ),
]
ProfileOption = Annotated[
    str | None, typer.Option("--profile", help="Facet profile whose facets become aspects too.", metavar="NAME")
]
CrossEncoderOption = Annotated[
    str,
    typer.Option(
        "--cross-encoder",
        help="Cross-encoder that ranks ADAQ's candidates again: a folder, or a name in the local cache.",
        metavar="DIR|NAME",
    ),
]
LearnOption = Annotated[
    bool, typer.Option("--learn/--no-learn", help="Choose wordings by what they gained in earlier runs on the corpus.")
]
NoModelOption = Annotated[
    bool, typer.Option("--no-llm", help="Use no language model, which is the default until one is named.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object; everything else goes to stderr.")]


def read_question(given: str) -> str:
    """Return the question as text; InputError if it is not valid Unicode."""
    question = sys.stdin.read() if given == "-" else given
    try:
        question.encode()
    except UnicodeEncodeError:
        raise InputError("The question is not valid UTF-8 text. Check the encoding of your terminal.") from None
    return question


def methods_from(given: str) -> tuple[str, ...]:
    """Return the methods that are named with commas between them, each once; all of them for `all`."""
    from adaq_core.methods import names

    named = (name.strip() for name in given.split(","))
    chosen = tuple(dict.fromkeys(filter(None, named)))
    if not chosen:
        known = ", ".join(names())
        raise InputError(f"--methods names none; the methods are {known}, or all.")
    if chosen == ("all",):
        return names()
    return chosen


def settings_from(
    *, k: int, max_hops: int | None, profile: str | None, sources: Sequence[str] | None = None
) -> Settings:
    """Return the settings; fewer hops than the usual minimum lower that too. InputError for an unknown source."""
    usual = Settings()
    most = max_hops or usual.max_hops
    return Settings(
        k=k or usual.k,
        max_hops=most,
        min_hops=min(usual.min_hops, most),
        facet_profile=profile,
        sources=sources_from(sources),
        k_auto=k == AUTO,
    )


def sources_from(given: Sequence[str] | None) -> tuple[str, ...]:
    """Return the named live sources, each once; InputError if one does not exist or none is named."""
    if not given:
        return ()
    from adaq_core.sources import checked, names

    chosen = [name.strip() for one in given for name in one.split(",") if name.strip()]
    if not chosen:
        raise InputError(f"Expected names of live sources after --source, such as {', '.join(names())}.")
    return checked(chosen)


def model_from(model: str | None, *, no_llm: bool) -> str | None:
    """Return the language model as a run records it, None without one; InputError for a bad name or a contradiction."""
    if model is None:
        return None
    if no_llm:
        raise InputError(f"expected either --no-llm or --model {model}, got both; leave one of them out")
    from adaq_core.llm.chats import checked_model

    return checked_model(model)


def budget_from(
    *,
    seconds: float | None,
    tokens: int | None = None,
    usd: float | None = None,
    model: str | None = None,
) -> Budget:
    """Return the budget; missing limits come from the settings if a model is asked, else there are none."""
    if model is None:
        return Budget(max_seconds=seconds, max_tokens=tokens, max_usd=usd)
    from adaq_core.llm.settings import read_settings

    usual = read_settings().budget
    return Budget(
        max_tokens=usual.max_tokens if tokens is None else tokens,
        max_seconds=usual.max_seconds if seconds is None else seconds,
        max_usd=usual.max_usd if usd is None else usd,
        max_calls=usual.max_calls,
    )


_PROBLEMS_SHOWN = 10


def corpus_name(given: str) -> str:
    """Return the corpus of that name or address; a folder is indexed first if it changed.

    Raises:
        InputError: there is neither.
    """
    from adaq_core.retrieval.milvus import Address, is_address

    if is_address(given):
        return Address.read(given).given
    library = the_library()
    if given in library.names():
        return given
    folder = Path(given).expanduser()
    if folder.is_dir():
        with Bar(f"Indexing {folder}") as bar:
            name, report = library.index_folder(folder, progress=bar)
        tell_problems(report)
        return name
    raise InputError(
        f"There is no corpus and no folder {given!r}; the corpora are {', '.join(library.names())}. "
        "`index FOLDER --corpus NAME` makes one."
    )


def tell_problems(report: IngestReport) -> None:
    """Print which files were left out or only partly read, and why."""
    problems = (*report.errors, *report.notices)
    for problem in problems[:_PROBLEMS_SHOWN]:
        say(f"  {problem.file}: {problem.reason}")
    if len(problems) > _PROBLEMS_SHOWN:
        say(f"  … and {len(problems) - _PROBLEMS_SHOWN} more; --json tells all")


WAIT_FOR_STORE_SECONDS = 10.0
_LOOK_EVERY_SECONDS = 0.05


def the_runner() -> Runner:
    """Return the runner on the home folder's store, waiting for another command to finish."""
    from adaq_core.runs.runner import get_runner
    from adaq_core.store import open_store

    open_store(wait_seconds=WAIT_FOR_STORE_SECONDS)
    return everywhere(get_runner())


def everywhere(runner: Runner) -> Runner:
    """Return the runner that also finds corpora by address: a command's user may reach what this machine may."""
    from adaq_core.corpus.library import CorpusLibrary, Everywhere

    runner.corpora = Everywhere(CorpusLibrary())
    return runner


def the_library() -> CorpusLibrary:
    """Return the corpora of the home folder; warnings go to stderr."""
    from adaq_core.corpus.library import CorpusLibrary

    return CorpusLibrary(notice=say)


def the_store() -> Store:
    """Return the store of the home folder, waiting for another command to finish."""
    from adaq_core.store import open_store

    return open_store(wait_seconds=WAIT_FOR_STORE_SECONDS)


def the_store_to_read() -> Reading:
    """Return the store of the home folder to read from, also while the app writes to it."""
    from adaq_core.store import open_to_read

    return open_to_read()


@dataclass(slots=True)
class Follower:
    """Passes on each record of a run once, until the run is over. `stopped`: Ctrl-C ended it."""

    runner: Runner
    run_id: str
    on_record: Callable[[Record], None]
    stopped: bool = False
    _seen: int = 0
    _has_said: bool = False

    def follow(self) -> RunRow:
        """Follow the run to its end and return its row.

        The first Ctrl-C asks the run to stop, which still writes its answer; the second leaves at once.
        """
        while True:
            try:
                row = self.runner.wait(self.run_id, _LOOK_EVERY_SECONDS)
                self._hand_on()
                self._say_what_it_waits_for()
            except KeyboardInterrupt:
                if self.stopped:
                    raise
                self.stopped = True
                self.runner.cancel(self.run_id)
                say("Stopping after this stage; press Ctrl-C again to leave at once.")
                continue
            if row.over:
                return row

    def _say_what_it_waits_for(self) -> None:
        """Once, as long as nothing has happened yet: the vectors of a corpus take a minute the first time."""
        from adaq_core.runs.work import corpus_vectors

        job = None if self._seen or self._has_said else corpus_vectors().at_work()
        if job is not None:
            self._has_said = True
            say(f"Preparing search by meaning, once for this corpus: {counted(job.total, 'passage')}")

    def _hand_on(self) -> None:
        for record in self.runner.store.records(self.run_id, after=self._seen):
            self._seen = record.seq
            self.on_record(record)


def print_run(row: RunRow, records: list[Record], *, as_json: bool, indent: int | None = 2) -> None:
    """Print a run that is over: as JSON (one line without `indent`), or its answer with sources and a line about it."""
    from adaq_core.export.dossier import answer_in_lines
    from adaq_core.export.run_json import run_json
    from adaq_core.trace import view

    if row.status in ("failed", "interrupted"):
        say(f"Error: run {row.run_id} {row.status}. {row.reason}")
    run = view(records)
    for use in run.sources:
        say(source_line(use))
    for warning in warnings(run):
        say(f"Warning: {warning}")
    if as_json:
        print(json.dumps(run_json(row.run_id, records), ensure_ascii=True, indent=indent))
        return
    if run.answer is not None:
        show(f"\n{answer_in_lines(run)}")
        _print_sources(run)
    show(f"\n{summary(row)}")


def warnings(run: RunView) -> Iterator[str]:
    """Yield what to know before the answer: where a model could not be used, and unsupported sentences."""
    if run.fell_back:
        name = run.started.model if run.started else None
        times = counted(len(run.fell_back), "time")
        calls = counted(len(run.calls), "call")
        first = run.fell_back[0]
        yield (
            f"{name or 'the model'} could not be used as hoped {times} ({calls}). "
            f"First in {first.stage}: {first.problem.removesuffix('.')}. Used instead: {first.used}."
        )
    if run.sources_failed:
        yield "no live source could be used; the answer rests on the corpus alone."
    from adaq_core.ranking.rerankers import UNUSED
    from adaq_core.retrieval.index import WITHOUT_VECTORS

    for notice in run.noticed:
        message = notice.message
        if message.startswith(UNUSED) or message.endswith(WITHOUT_VECTORS):
            yield message
    if run.citations_check is not None and run.citations_check.unsupported:
        yield f"{counted(run.citations_check.unsupported, 'sentence')} of the answer without support in the evidence."
    if run.citations_check is not None and run.citations_check.doubted:
        judged, doubted = run.citations_check.judged, run.citations_check.doubted
        yield f"The model doubts that what is cited entails {doubted} of {counted(judged, 'sentence')} of the answer."


def source_line(use: SourceUse) -> str:
    """Return what a live source did in a run as one line; a fault is a warning."""
    asked = f"{counted(use.requests, 'request')}{f', {use.cached} from the cache' if use.cached else ''}"
    brought = f"{counted(use.passages, 'passage')} ({asked})"
    if use.error is None:
        return f"{use.name}: {brought}"
    return f"Warning: {use.name}: {brought}; failed {use.failed} of {counted(use.searches, 'time')}: {use.error}"


def _print_sources(run: RunView) -> None:
    """Print each source once, however many of its sentences are quoted."""
    sources = {(one.n, one.passage_id): one for one in (run.answer.citations if run.answer else ())}
    if sources:
        show("\nSources")
    for citation in sources.values():
        passage = run.passages.get(citation.passage_id)
        parts = [citation.title or citation.document_id]
        parts += [part for part in (passage.source, passage.date, passage.place) if part] if passage else []
        show(f"  [{citation.n}] {' · '.join(parts)} ({citation.passage_id})")
        if passage is not None and passage.url:
            show(f"      {passage.url}")


def summary(row: RunRow) -> str:
    """Return the run as one line."""
    from adaq_core.export.verdict import plain_reason

    covered = f"{row.aspects_covered} of {counted(row.aspects_total, 'aspect')} covered"
    return " · ".join(
        [
            f"{covered} in {counted(row.hops, 'hop')}",
            f"{row.elapsed:.2f} s",
            plain_reason(row.reason) or row.status,
            f"run {row.run_id}",
        ]
    )
