"""`runs`: the stored runs: list, show, keep what they fetched, delete; export, import, back up, salvage."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adaq_core.cli._hop_log import HopLog, counted, say, show
from adaq_core.cli._options import (
    JsonOption,
    everywhere,
    print_run,
    tell_problems,
    the_library,
    the_store,
    the_store_to_read,
)
from adaq_core.errors import InputError
from adaq_core.home import private_file

if TYPE_CHECKING:
    from adaq_core.events import Record
    from adaq_core.model import QueryAspect
    from adaq_core.store import RunRow

HELP = """Look at the stored runs: list, show, keep what one fetched, make question sets, delete, export, salvage.

\b
Examples:
  python -m adaq_core runs list --text tesla --status finished --order -hops
  python -m adaq_core runs show r-7f3a2c -v
  python -m adaq_core runs show r-7f3a2c --json
  python -m adaq_core runs keep r-7f3a2c --corpus mine
  python -m adaq_core runs branch r-7f3a2c --hop 2 --query "Tesla recalls"
  python -m adaq_core runs mark r-7f3a2c report.pdf#3
  python -m adaq_core runs make-set my-questions --corpus contracts
  python -m adaq_core runs delete r-7f3a2c --yes
  python -m adaq_core runs export r-7f3a2c --to tesla.jsonl
  python -m adaq_core runs export r-7f3a2c --format html --to tesla.html
  python -m adaq_core runs import tesla.jsonl --measure
  python -m adaq_core runs backup ~/adaq-2026-11.duckdb
  python -m adaq_core runs salvage

List, show, export and backup work while the app is running, too.
"""

group = typer.Typer(help=HELP, no_args_is_help=True, rich_markup_mode=None)

_ALL = 1_000_000
_FORMATS = """lines (the whole run, for `runs import`), html and markdown (a dossier; the page prints to PDF), json
(answer and hops), evidence and claims (CSV), trec (a TREC run file), otlp (OpenTelemetry spans, one line a run)."""

RunArgument = Annotated[str, typer.Argument(help="Id of the run, such as r-7f3a2c.", metavar="ID")]


@group.command("list")
def list_runs(
    text: Annotated[str, typer.Option("--text", help="Words in question, note, tag or id.")] = "",
    method: Annotated[list[str] | None, typer.Option("--method", "-m", help="Only these methods.")] = None,
    status: Annotated[list[str] | None, typer.Option("--status", help="Only runs in these states.")] = None,
    corpus: Annotated[str, typer.Option("--corpus", "-c", help="Only this corpus.")] = "",
    tag: Annotated[list[str] | None, typer.Option("--tag", help="Only runs with one of these tags.")] = None,
    incomplete: Annotated[bool, typer.Option("--incomplete", help="Only runs that left an aspect open.")] = False,
    order: Annotated[str, typer.Option("--order", help="Column to sort by; -COLUMN: descending.")] = "-created_at",
    limit: Annotated[int, typer.Option("--limit", min=1, max=10_000, help="At most this many.")] = 20,
    as_json: JsonOption = False,
) -> None:
    """List runs, newest first."""
    store = the_store_to_read()
    _known_states(status or [])
    wanted: dict[str, Any] = {
        "text": text,
        "methods": method or (),
        "statuses": status or (),
        "corpus": corpus,
        "tags": tag or (),
        "coverage_below_one": incomplete,
    }
    rows = store.runs(order=order, limit=limit, **wanted)
    if as_json:
        print(json.dumps([as_dict(row) for row in rows], indent=2))
        return
    for row in rows:
        show(_line(row))
    total = store.count(**wanted)
    say(f"{len(rows)} of {counted(total, 'run')}")


@group.command("show")
def show_run(
    run_id: RunArgument,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Print what each hop did and why.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Print a stored run: its answer, or with --json the same object as `ask --json`."""
    store = the_store_to_read()
    row = store.known(run_id)
    records = store.records(run_id)
    if verbose and not as_json:
        log = HopLog()
        for record in records:
            for line in log.lines(record.event):
                show(line)
    print_run(row, records, as_json=as_json)


@group.command("branch")
def branch(
    run_id: RunArgument,
    hop: Annotated[int, typer.Option("--hop", min=1, help="Go on from the end of this hop.")],
    aspect: Annotated[
        list[str] | None, typer.Option("--aspect", help="OLD=NEW rewords one, =NEW adds one, OLD= takes one away.")
    ] = None,
    query: Annotated[str, typer.Option("--query", help="What the next hop asks.")] = "",
    target: Annotated[str, typer.Option("--for", help="The aspect that the next hop goes after.")] = "",
    threshold: Annotated[
        float | None,
        typer.Option("--threshold", min=0.0, max=1.0, help="The score at which an aspect counts as covered."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Go on from a hop of a run with something changed: a new run, which has the hops before it in common."""
    from adaq_core.model import Branch
    from adaq_core.runs.runner import get_runner
    from adaq_core.trace import view

    runner = everywhere(get_runner())
    row = runner.store.known(run_id)
    run = view(runner.store.records(run_id))
    aspects = _edited(run.aspects, aspect) if aspect else None
    if run.settings:
        last = run.settings[-1][1]
    else:
        last = row.settings
    settings = None if threshold is None else replace(last, coverage_threshold=threshold)
    new = runner.wait(runner.branch(run_id, Branch(hop, aspects, query, target, settings)))
    print_run(new, runner.store.records(new.run_id), as_json=as_json)
    say(f"Run {new.run_id}, branched from {run_id} after hop {hop}.")


def _edited(aspects: tuple[QueryAspect, ...], edits: Iterable[str]) -> tuple[QueryAspect, ...]:
    """Return the aspects after the edits, in order; in `OLD=NEW` either side may be empty."""
    from adaq_core.question.aspects import reworded, typed

    result = list(aspects)
    for edit in edits:
        old, sign, new = (part.strip() for part in edit.partition("="))
        at = next((i for i, one in enumerate(result) if one.aspect == old), len(result))
        if not sign or (old and at == len(result)) or not (old or new):
            names = ", ".join(repr(one.aspect) for one in result)
            raise InputError(f"Expected OLD=NEW with OLD out of {names} (or empty), not {edit!r}.")
        if not new:
            del result[at]
        elif old:
            result[at] = reworded(result[at], new)
        else:
            result.append(typed(new))
    return tuple(result)


@group.command("keep")
def keep(
    run_id: RunArgument,
    corpus: Annotated[
        str,
        typer.Option("--corpus", "-c", help="Corpus that they go into, made when it is new; without it: list them."),
    ] = "",
    document: Annotated[
        list[str] | None, typer.Option("--document", "-d", help="Only these documents.", metavar="ID")
    ] = None,
) -> None:
    """Put documents that a run fetched from live sources into a corpus; without --corpus list them."""
    from adaq_core.sources.live import keep_in_corpus
    from adaq_core.store.history import FetchedDocuments

    store = the_store()
    store.known(run_id)
    if not corpus:
        rows = FetchedDocuments(store, run_id).rows()
        for row in rows:
            parts = row.document_id, row.date, row.source, row.title, row.url
            show("  ".join(filter(None, parts)))
        say(f"{counted(len(rows), 'document')} of live sources")
        return
    library = the_library()
    report = keep_in_corpus(run_id, corpus, store=store, library=library, document_ids=document)
    tell_problems(report)
    new = f"{len(report.added)} new, {len(report.updated)} updated, {len(report.unchanged)} there already"
    show(f"{corpus}: {counted(library.card(corpus).documents, 'document')} ({new})")


@group.command("mark")
def mark_passages(
    run_id: RunArgument,
    passages: Annotated[list[str], typer.Argument(help="Passages that answer its question.", metavar="PASSAGE…")],
) -> None:
    """Mark passages that answer a run's question: they are gold in a question set made from the runs."""
    from adaq_core.evaluation.sets_from_runs import mark_evidence

    marked = mark_evidence(the_store(), run_id, passages)
    show(f"{run_id}: {counted(len(marked), 'passage')} marked ({', '.join(marked)})")


@group.command("make-set")
def make_question_set(
    name: Annotated[str, typer.Argument(help="Name of the set; evaluate --dataset NAME finds it.", metavar="NAME")],
    corpus: Annotated[str, typer.Option("--corpus", "-c", help="Only runs on this corpus.")] = "",
    tag: Annotated[list[str] | None, typer.Option("--tag", help="Only runs with one of these tags.")] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Another folder for it.", metavar="DIR")] = None,
) -> None:
    """Make a question set from stored runs: their questions, ratings and marked passages, with the documents."""
    from adaq_core.evaluation.sets_from_runs import corpora_of_runs, make_set

    store = the_store()
    library = the_library()
    known = corpora_of_runs(store, library)
    if not corpus and len(known) != 1:
        raise InputError(f"Expected --corpus out of {', '.join(known) or '(no finished run)'}.")
    made = make_set(store, library, name, corpus=corpus or known[0], tags=tag or (), folder=out)
    show(f"{made.folder}: {counted(made.questions, 'question')}, {made.judged} with a judgment")


@group.command("delete")
def delete(
    run_ids: Annotated[list[str], typer.Argument(help="Ids of the runs.", metavar="ID…")],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Delete without asking.")] = False,
) -> None:
    """Delete runs for good: their text is erased from the file."""
    store = the_store()
    for run_id in run_ids:
        store.known(run_id)
    if not yes:
        typer.confirm(f"Delete {counted(len(run_ids), 'run')}?", abort=True, err=True)
    store.delete_runs(run_ids)
    show(f"Deleted {counted(len(run_ids), 'run')}.")


@group.command("export")
def export(
    run_ids: Annotated[
        list[str] | None, typer.Argument(help="Ids of the runs; all of them if none is given.", metavar="ID…")
    ] = None,
    to: Annotated[Path | None, typer.Option("--to", help="File to write; stdout by default.", metavar="FILE")] = None,
    kind: Annotated[str, typer.Option("--format", "-f", help=_FORMATS, metavar="NAME")] = "lines",
    content: Annotated[bool, typer.Option("--content", help="In otlp: with the texts, not only ids.")] = False,
) -> None:
    """Write runs as files: whole, to take in elsewhere, or for people and tools; what they fetched stays here."""
    from adaq_core.answerability import recalibrated
    from adaq_core.export import BY_NAME, RunToExport
    from adaq_core.export.otlp import otlp
    from adaq_core.store.history import Remarks, judged_runs

    if kind not in BY_NAME:
        raise InputError(f"Expected --format out of {', '.join(BY_NAME)}, not {kind!r}.")
    store = the_store_to_read()
    if run_ids:
        rows = [store.known(run_id) for run_id in run_ids]
    else:
        rows = store.runs(order="created_at", limit=_ALL)
    if len(rows) > 1 and not BY_NAME[kind].joins:
        raise InputError(f"A file of the format {kind} holds one run. Name the run: `runs list` shows those there are.")
    if kind == "otlp" and content:
        spans = (otlp(row.run_id, store.records(row.run_id), content=True) for row in rows)
        texts = (f"{json.dumps(each)}\n" for each in spans)
    else:
        remarks = Remarks(store)
        judged = cache(lambda corpus: recalibrated(judged_runs(store, corpus=corpus)))
        going = (
            RunToExport(row, store.records(row.run_id), remarks.of(row.run_id), judged=judged(row.corpus))
            for row in rows
        )
        texts = (BY_NAME[kind].text(each) for each in going)
    if to is None:
        for text in texts:
            print(text, end="")
    else:
        _write(to, texts)
    say(f"Exported {counted(len(rows), 'run')}.")


@group.command("import")
def import_runs(
    file: Annotated[Path, typer.Argument(help="A file of `runs export`.", metavar="FILE")],
    measure: Annotated[
        bool, typer.Option("--measure", help="Measure each again, where its corpus and judgments are here.")
    ] = False,
) -> None:
    """Take runs of an exported file in, marked as imported; a run that is here already is not taken in again.

    Of each the id here is shown; it is a new one where another run has the one in the file.
    """
    from adaq_core.export import arrival_words, take_in
    from adaq_core.export.run_json import lines_of, read_file

    store, arrivals = the_store(), []
    try:
        with file.open(encoding="utf-8", errors="replace") as opened:
            for run in read_file(lines_of(opened)):
                arrivals.append(take_in(store, run))
                show(arrivals[-1].run_id)
                if measure:
                    _show_measured(run.records)
    except OSError as error:
        raise InputError(f"{file} cannot be read ({error.strerror}). Check the path.") from error
    say(arrival_words(arrivals))


def _show_measured(records: Sequence[Record]) -> None:
    """Print the measures of a run, computed here, a line each; or why there are none."""
    from adaq_core.evaluation.measuring import measured_again

    again = measured_again(records, the_library())
    if again.why_not:
        show(f"  not measured: {again.why_not}")
    else:
        show(f"  measured by the judgments of {again.judged_by}:")
    for name, value in again.measures.items():
        show(f"  {name:<24} {value:.3f}")


@group.command("backup")
def backup(
    file: Annotated[Path, typer.Argument(help="Where the copy goes; an older one of that name is replaced.")],
) -> None:
    """Copy the whole run store, also while the app is running; to go back, put the copy in its place."""
    from adaq_core.store import store_path
    from adaq_core.store.upkeep import back_up

    back_up(store_path(), file.expanduser())
    show(f"Copied {store_path()} to {file}.")


@group.command("salvage")
def salvage_store() -> None:
    """Save what can be read of a damaged run store; the damaged file is moved aside, not deleted."""
    from adaq_core.store import store_path
    from adaq_core.store.upkeep import salvage

    saved = salvage(store_path())
    cut = f", {counted(saved.cut, 'run')} without the end" if saved.cut else ""
    lost = f"; {counted(saved.lost, 'row')} could not be read" if saved.lost else ""
    if saved.log_bytes < saved.log_of:
        log = f"; {saved.log_bytes:,} of {saved.log_of:,} bytes of the log"
    else:
        log = ""
    show(f"Saved {counted(saved.runs, 'whole run')}{cut}{lost}{log}. The damaged file is now {saved.moved}.")


def _write(path: Path, texts: Iterable[str]) -> None:
    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            file.writelines(texts)
        private_file(path)
    except OSError as error:
        raise InputError(f"{path} cannot be written ({error.strerror}). Choose another place.") from error


def _known_states(given: list[str]) -> None:
    from adaq_core.store import RUN_STATUSES

    unknown = [status for status in given if status not in RUN_STATUSES]
    if unknown:
        raise InputError(f"Expected --status out of {', '.join(RUN_STATUSES)}, not {', '.join(unknown)}.")


def _line(row: RunRow) -> str:
    covered = "  –  " if row.percentage is None else f"{row.aspects_covered:>2}/{row.aspects_total:<2}"
    when = row.created_at.astimezone().strftime("%Y-%m-%d %H:%M")
    if len(row.question) <= 60:
        question = row.question
    else:
        question = f"{row.question[:59]}…"
    hops = counted(row.hops, "hop")
    return f"{row.run_id:<10} {when}  {row.method:<12} {row.status:<11} {covered}  {hops:<7}  {question}"


def as_dict(row: RunRow) -> dict[str, Any]:
    """Return what `runs list --json` prints of a run."""
    names = (
        "run_id question method corpus corpus_version k model status stop_reason reason elapsed hops aspects_total "
        "aspects_covered percentage weighted sufficiency coverage_by_hop passages_read model_calls fell_back tokens "
        "usd group_id question_id parent_id imported note tags rating"
    )
    return {"created_at": row.created_at.isoformat()} | {name: getattr(row, name) for name in names.split()}
