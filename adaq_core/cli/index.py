"""`index`: the corpora: add files and folders, list, delete."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from adaq_core.cli._hop_log import Bar, counted, say, show
from adaq_core.cli._options import JsonOption, tell_problems, the_library
from adaq_core.errors import InputError

if TYPE_CHECKING:
    from adaq_core.corpus.holdings import IngestReport
    from adaq_core.corpus.library import CorpusLibrary

HELP = """Make documents searchable; list and delete corpora.

\b
Examples:
  python -m adaq_core index ./contracts --corpus contracts
  python -m adaq_core index add report.pdf notes.md --corpus mine
  python -m adaq_core index list
  python -m adaq_core index delete mine --yes
  python -m adaq_core index copy mine --to milvus://127.0.0.1:19530
  python -m adaq_core index ./contracts --corpus contracts --to milvus:contracts.db

Reads .txt .md .rst .html .ipynb .epub .pdf .docx .odt .pptx .xlsx .eml .vtt .srt .csv .tsv .json .jsonl, BEIR folders.
Files that cannot be read are listed with the reason; the rest are added. Adding a folder again reads only what
changed.

With --to the corpus is also copied into Milvus, a server or a file, and is then named by that address; needs
`pip install .[milvus]`. An interrupted copy resumes where it stopped. A password goes into ADAQ_MILVUS_TOKEN. With
--engine-bm25 Milvus finds passages by its own BM25 function (2.5 or later) in place of the weights that come along.
"""


class _AddUnlessNamed(TyperGroup):
    """`index PATH …` is short for `index add PATH …`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Insert `add` before a first argument that is neither a command nor an option of the group."""
        if args and args[0] not in self.commands and args[0] != "--help":
            args = ["add", *args]
        return super().parse_args(ctx, args)


ToOption = Annotated[
    str,
    typer.Option(
        "--to", help="Copy it into Milvus: milvus://HOST:19530/NAME or milvus:FILE.db#NAME.", metavar="ADDRESS"
    ),
]

EngineBM25Option = Annotated[
    bool, typer.Option("--engine-bm25", help="With --to: let Milvus find passages by its own BM25 function.")
]

group = typer.Typer(cls=_AddUnlessNamed, help=HELP, no_args_is_help=True, rich_markup_mode=None)


@group.command("add")
def add(
    paths: Annotated[list[Path], typer.Argument(help="Files and folders.", metavar="PATH…")],
    corpus: Annotated[
        str,
        typer.Option(
            "--corpus", "-c", help="Name of the corpus, made when it is new; without it one folder gives its name."
        ),
    ] = "",
    to: ToOption = "",
    engine_bm25: EngineBM25Option = False,
    as_json: JsonOption = False,
) -> None:
    """Add files and folders to a corpus."""
    from adaq_core.retrieval.milvus import Address

    _ = Address.read(to) if to else None

    missing = [str(path) for path in paths if not path.expanduser().exists()]
    if missing:
        raise InputError(f"There is nothing at {', '.join(missing)}. Check the path.")
    library = the_library()
    with Bar("Indexing") as bar:
        if corpus:
            name = corpus
            report = library.add(corpus, paths=[p.expanduser() for p in paths], progress=bar)
        elif len(paths) == 1 and paths[0].expanduser().is_dir():
            name, report = library.index_folder(paths[0], progress=bar)
        else:
            raise InputError("Say which corpus the files go to: --corpus NAME.")
    tell_problems(report)
    if name not in library.names():
        raise InputError(_nothing_added(name, paths, report))
    card = library.card(name)
    if to:
        _copy(library, name, to, engine_bm25=engine_bm25)
    if as_json:
        print(json.dumps(asdict(card) | _counts(report), indent=2))
        return
    counts = ", ".join(f"{number} {what}" for what, number in _counts(report).items() if number)
    show(
        f"{name}: {counted(card.documents, 'document')}, {counted(card.passages, 'passage')} ({counts or 'no change'})"
    )


def _nothing_added(name: str, paths: list[Path], report: IngestReport) -> str:
    """Return why a new corpus was not made, and what to do."""
    unread = len(report.errors)
    if unread == 0:
        where = ", ".join(map(str, paths))
        return f"Corpus {name} was not made: there is no file in {where}. Check the path."
    those = f"any of the {unread:,} files"
    if unread == 1:
        those = "the file"
    return f"Corpus {name} was not made: ADAQ could not read {those}. The reasons are above."


@group.command("copy")
def copy_corpus(
    name: Annotated[str, typer.Argument(help="The corpus.", metavar="NAME")],
    to: ToOption = ...,  # type: ignore[assignment]  # typer's way to say that it must be given
    engine_bm25: EngineBM25Option = False,
) -> None:
    """Copy a corpus into Milvus."""
    _copy(the_library(), name, to, engine_bm25=engine_bm25)


def _copy(library: CorpusLibrary, name: str, to: str, *, engine_bm25: bool) -> None:
    from adaq_core.retrieval.milvus import copy
    from adaq_core.runs.work import corpus_vectors

    index = library.open(name)
    vectors = corpus_vectors().whole(index)
    with Bar("Copying") as bar:
        about = copy(index, to, vectors=vectors, counts_words=engine_bm25, progress=bar)
    how = "with their vectors" if vectors else "without vectors, as it has none yet"
    say(f"{about.card.name}: {counted(about.card.passages, 'passage')} at {to}, {how}")


@group.command("list")
def list_corpora(as_json: JsonOption = False) -> None:
    """List the corpora with their sizes."""
    library = the_library()
    cards = [asdict(library.card(name)) for name in library.names()]
    if as_json:
        print(json.dumps(cards, indent=2))
        return
    for card in cards:
        documents, passages = _in_column(card["documents"], "document"), _in_column(card["passages"], "passage")
        show(f"{card['name']:<32} {documents} {passages}  {card['version']}")


def _in_column(number: int, noun: str) -> str:
    """Return a number with its noun, as wide as a larger number with its plural."""
    digits, _, word = counted(number, noun).partition(" ")
    return f"{digits:>10} {word:<{len(noun) + 1}}"


@group.command("delete")
def delete(
    name: Annotated[str, typer.Argument(help="The corpus.", metavar="NAME")],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Delete without asking.")] = False,
) -> None:
    """Delete a corpus; your own files and the stored runs stay."""
    library = the_library()
    if name not in library.names():
        raise InputError(f"There is no corpus {name!r}; the corpora are {', '.join(library.names())}.")
    if not yes:
        typer.confirm(f"Delete corpus {name}?", abort=True, err=True)
    library.delete(name)
    show(f"Deleted corpus {name}.")


def _counts(report: IngestReport) -> dict[str, int]:
    return {
        "added": len(report.added),
        "updated": len(report.updated),
        "removed": len(report.removed),
        "unchanged": len(report.unchanged),
        "duplicates": len(report.duplicates),
        "errors": len(report.errors),
    }
