"""`runs`: the stored runs: list, show, keep what they fetched, delete."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from adaq_core.cli._corpora import tell_problems
from adaq_core.cli._counted import counted
from adaq_core.cli._following import the_store
from adaq_core.cli._hop_log import HopLog
from adaq_core.cli._leaving import say, show
from adaq_core.cli._options import JsonOption
from adaq_core.cli._run_over import print_run
from adaq_core.errors import InputError

if TYPE_CHECKING:
    from adaq_core.store import RunRow, Store

HELP = """Look at the stored runs: list, show one, keep what it fetched, delete.

\b
Examples:
  python -m adaq_core runs list --text tesla --status finished --order -hops
  python -m adaq_core runs show r-7f3a2c -v
  python -m adaq_core runs show r-7f3a2c --json
  python -m adaq_core runs keep r-7f3a2c --corpus mine
  python -m adaq_core runs delete r-7f3a2c --yes
"""

group = typer.Typer(help=HELP, no_args_is_help=True, rich_markup_mode=None)

RunArgument = Annotated[str, typer.Argument(help="Id of the run, such as r-7f3a2c.", metavar="ID")]


@group.command("list")
def list_runs(
    text: Annotated[str, typer.Option("--text", help="Words in question, note, tag or id.")] = "",
    method: Annotated[list[str] | None, typer.Option("--method", "-m", help="Only these methods.")] = None,
    status: Annotated[list[str] | None, typer.Option("--status", help="Only runs in these states.")] = None,
    corpus: Annotated[str, typer.Option("--corpus", "-c", help="Only this corpus.")] = "",
    tag: Annotated[list[str] | None, typer.Option("--tag", help="Only runs with one of these tags.")] = None,
    incomplete: Annotated[bool, typer.Option("--incomplete", help="Only runs that left an aspect open.")] = False,
    order: Annotated[str, typer.Option("--order", help="Column to sort by; - before it to go down.")] = "-created_at",
    limit: Annotated[int, typer.Option("--limit", min=1, max=10_000, help="At most so many.")] = 20,
    as_json: JsonOption = False,
) -> None:
    """List runs, newest first."""
    store = the_store()
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
    store = the_store()
    row = _known(store, run_id)
    records = store.records(run_id)
    if verbose and not as_json:
        log = HopLog()
        for record in records:
            for line in log.lines(record.event):
                show(line)
    print_run(row, records, as_json=as_json)


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
    from adaq_core.corpus.library import CorpusLibrary
    from adaq_core.keeping import keep_in_corpus
    from adaq_core.store_documents import FetchedDocuments

    store = the_store()
    _known(store, run_id)
    if not corpus:
        rows = FetchedDocuments(store, run_id).rows()
        for row in rows:
            show("  ".join(part for part in (row.document_id, row.date, row.source, row.title, row.url) if part))
        say(f"{counted(len(rows), 'document')} of live sources")
        return
    library = CorpusLibrary(notice=say)
    report = keep_in_corpus(run_id, corpus, store=store, library=library, document_ids=document)
    tell_problems(report)
    new = f"{len(report.added)} new, {len(report.updated)} updated, {len(report.unchanged)} there already"
    show(f"{corpus}: {counted(library.card(corpus).documents, 'document')} ({new})")


@group.command("delete")
def delete(
    run_ids: Annotated[list[str], typer.Argument(help="Ids of the runs.", metavar="ID…")],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Delete runs for good."""
    store = the_store()
    for run_id in run_ids:
        _known(store, run_id)
    if not yes:
        typer.confirm(f"Delete {counted(len(run_ids), 'run')}?", abort=True, err=True)
    store.delete_runs(run_ids)
    show(f"Deleted {counted(len(run_ids), 'run')}.")


def _known(store: Store, run_id: str) -> RunRow:
    row = store.run(run_id)
    if row is None:
        raise InputError(f"There is no run {run_id!r}. `runs list` shows those that there are.")
    return row


def _known_states(given: list[str]) -> None:
    from adaq_core.store import RUN_STATUSES

    unknown = [status for status in given if status not in RUN_STATUSES]
    if unknown:
        raise InputError(f"Expected --status out of {', '.join(RUN_STATUSES)}, not {', '.join(unknown)}.")


def _line(row: RunRow) -> str:
    covered = "  –  " if row.percentage is None else f"{row.aspects_covered:>2}/{row.aspects_total:<2}"
    when = row.created_at.astimezone().strftime("%Y-%m-%d %H:%M")
    question = row.question if len(row.question) <= 60 else f"{row.question[:59]}…"
    return f"{row.run_id:<10} {when}  {row.method:<12} {row.status:<11} {covered}  {row.hops:>2} hops  {question}"


def as_dict(row: RunRow) -> dict[str, Any]:
    """What `runs list --json` prints of a run."""
    names = (
        "run_id question method corpus corpus_version k model status stop_reason reason elapsed hops aspects_total "
        "aspects_covered percentage weighted sufficiency coverage_by_hop passages_read model_calls fell_back tokens "
        "usd group_id question_id parent_id imported note tags rating"
    )
    return {"created_at": row.created_at.isoformat()} | {name: getattr(row, name) for name in names.split()}
