"""Which files of a folder, or of an upload, are there to read."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from adaq_core.corpus.holdings import FileProblem
from adaq_core.corpus.readers import readers, suffix_of
from adaq_core.corpus.readers.records import BEIR_NAMES
from adaq_core.corpus.reading import clean
from adaq_core.errors import CorpusError, FileReadError

MOST_FILES = 200_000


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file on disk: `key` is its name in the corpus, `size` and `mtime` (ns) tell whether it was touched."""

    key: str
    path: Path
    size: int
    mtime: int


def scan(folder: Path) -> tuple[list[FoundFile], list[FileProblem]]:
    """The readable files below `folder`, by name, and those left out with the reason; hidden ones are passed over.

    Links that lead out of the folder are refused. A BEIR folder is its corpus.jsonl alone: questions and judgments
    are not documents.
    """
    root = _resolved(folder)
    if not root.is_dir():
        raise CorpusError(f"expected a folder with documents, but {folder} {_why_not(folder)}")
    for name in BEIR_NAMES:
        if (root / name).is_file():
            return [_found(root, root / name)], []
    found: list[FoundFile] = []
    problems: list[FileProblem] = []

    def unread(error: OSError) -> None:
        problems.append(FileProblem(_key(root, Path(error.filename)), f"is a folder that cannot be read ({error})"))

    for place, folders, names in os.walk(root, onerror=unread):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        linked = [name for name in folders if (Path(place) / name).is_symlink()]
        for path in (Path(place) / name for name in sorted([*names, *linked]) if not name.startswith(".")):
            try:
                found.append(_check(root, path))
            except Exception as error:  # whatever is odd about one file, the others go in
                problems.append(FileProblem(_key(root, path), reason(error)))
        if len(found) + len(problems) > MOST_FILES:
            raise CorpusError(f"{folder} holds more than {MOST_FILES} files; name a smaller folder")
    return found, problems


def one_file(path: Path) -> FoundFile:
    """The file that a user named; FileReadError when it is none."""
    real = _resolved(path)
    if not real.is_file():
        raise FileReadError(f"expected a file, but it {_why_not(path)}")
    return _found(real.parent, real)


def reason(error: Exception) -> str:
    """Return why a file was left out, in words that can be shown and stored whatever its name holds."""
    text = str(error) if isinstance(error, FileReadError | OSError) else f"{type(error).__name__}: {error}"
    return clean(text)


def upload_key(name: str) -> str:
    """The name of an uploaded file without any folders; FileReadError when nothing is left of it."""
    last = clean(name).replace("\\", "/").rpartition("/")[2]
    kept = " ".join(last.split()).lstrip(".")[-120:]
    if not kept:
        raise FileReadError(f"expected the name of a file, got {name[:80]!r}; give it a name")
    return kept


def _check(root: Path, path: Path) -> FoundFile:
    if path.is_symlink() and not path.resolve().is_relative_to(root):
        raise FileReadError("is a link that leads out of the folder; copy the file itself")
    if path.is_dir():
        raise FileReadError("is a link to another folder; name that folder itself")
    if not stat.S_ISREG(path.stat().st_mode):
        raise FileReadError("is no ordinary file")
    if suffix_of(path.name) not in readers():
        ending = suffix_of(path.name) or "files without an ending"
        raise FileReadError(f"cannot read {ending}; can read {' '.join(readers())}")
    return _found(root, path)


def _found(root: Path, path: Path) -> FoundFile:
    state = path.stat()
    return FoundFile(_key(root, path), path, state.st_size, state.st_mtime_ns)


def _key(root: Path, path: Path) -> str:
    return clean(path.relative_to(root).as_posix())


def _resolved(path: Path) -> Path:
    """Return the path behind all links; CorpusError when nobody would see the end of it."""
    try:
        real = path.resolve()
    except (OSError, RuntimeError) as error:  # RuntimeError: links in a circle, up to Python 3.12
        raise CorpusError(f"expected a folder with documents, but {path} cannot be followed ({error})") from error
    if real.is_relative_to("/proc") or real.is_relative_to("/sys"):
        raise CorpusError(f"expected a folder with documents, but {path} is the system's own and has no end")
    return real


def _why_not(path: Path) -> str:
    return "is none" if path.exists() else "does not exist"
