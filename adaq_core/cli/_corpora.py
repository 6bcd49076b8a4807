"""From what `--corpus` says to the name of a corpus that is there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from adaq_core.cli._leaving import say
from adaq_core.cli._progress import Bar
from adaq_core.errors import InputError

if TYPE_CHECKING:
    from adaq_core.corpus.library import CorpusLibrary
    from adaq_core.corpus.report import IngestReport

_PROBLEMS_SHOWN = 10


def corpus_name(library: CorpusLibrary, given: str) -> str:
    """The corpus of that name, or the one made of that folder, which is indexed first when it changed.

    Raises:
        InputError: there is neither.
    """
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
    """Say which files were left out or only partly read, and why."""
    problems = (*report.errors, *report.notices)
    for problem in problems[:_PROBLEMS_SHOWN]:
        say(f"  {problem.file}: {problem.reason}")
    if len(problems) > _PROBLEMS_SHOWN:
        say(f"  … and {len(problems) - _PROBLEMS_SHOWN} more")
