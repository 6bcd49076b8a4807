"""Question sets with judgments. Judgments, types and ids stay here and in the evaluation: no method sees them.

Here are the documents of a set: a BEIR file, a folder of files as people have them, or the bundled texts.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from tempfile import mkdtemp
from typing import IO, Any

from adaq_core.errors import DatasetError
from adaq_core.home import home, setting
from adaq_core.model import Document


def either(path: Path) -> Path | None:
    """Return the file itself or its gzipped form, whichever exists; None if neither does."""
    return next((each for each in (path, path.with_name(f"{path.name}.gz")) if each.is_file()), None)


def read_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield line numbers from 1 and the lines that are not blank."""
    try:
        with _open(path) as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield number, line.rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise DatasetError(f"expected UTF-8 text in {path}, got other bytes; fetch the file again") from error
    except (OSError, EOFError, zlib.error) as error:
        raise DatasetError(f"expected UTF-8 text in {path}, got: {error}; fetch the file again") from error


def read_objects(path: Path, *, required: tuple[str, ...]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield line numbers and JSON objects; DatasetError unless each has the `required` fields."""
    for number, line in read_lines(path):
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise DatasetError(f"{path} line {number}: expected a JSON object, got {line[:60]!r} ({error})") from error
        if not isinstance(value, dict):
            raise DatasetError(f"{path} line {number}: expected a JSON object, got {line[:60]!r}")
        if missing := [name for name in required if value.get(name) is None]:
            fields = "the field" if len(required) == 1 else "the fields"
            raise DatasetError(
                f"{path} line {number}: expected {fields} {', '.join(required)}, without {', '.join(missing)} it "
                f"cannot be used; the line has {', '.join(value) or 'none'}"
            )
        yield number, value


def text_of(value: Mapping[str, Any], name: str) -> str:
    """Return the field as text without white space around it; "" if it is absent or null."""
    given = value.get(name)
    return "" if given is None else str(given).strip()


def _open(path: Path) -> IO[str]:
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8")
    return path.open(encoding="utf-8")


def documentation_of(packages: Iterable[str]) -> Path:
    """Write a folder with one file per installed package, holding its own description, and return it.

    It is written under the home folder once for each combination of versions.
    """
    texts = {f"{name}.md": _text(_installed(name)) for name in sorted(set(packages))}
    content = "".join(f"{name}\0{text}" for name, text in texts.items())
    key = hashlib.sha256(content.encode()).hexdigest()[:12]
    folder = home() / "evaluation" / "packages" / key / FILES
    if not folder.is_dir():
        _publish(texts, folder)
    return folder


def _publish(texts: Mapping[str, str], folder: Path) -> None:
    """Write the files under a temporary name, then rename it; another process may have been faster."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(mkdtemp(prefix=f"{FILES}.", dir=folder.parent))
    for name, text in texts.items():
        (draft / name).write_text(text, encoding="utf-8")
    try:
        draft.rename(folder)
    except OSError:
        shutil.rmtree(draft, ignore_errors=True)
        if not folder.is_dir():
            raise


def _installed(name: str) -> Distribution:
    try:
        return distribution(name)
    except PackageNotFoundError as error:
        raise DatasetError(f"expected the package {name} to be installed; install requirements-dev.txt") from error


def _text(package: Distribution) -> str:
    """Return the description in its METADATA file, below the name and the summary."""
    metadata = package.metadata
    _, _, description = (package.read_text("METADATA") or "").partition("\n\n")
    fields = ("Summary", "License", "Requires-Python")
    facts = [f"{field}: {value}" for field in fields for value in (metadata.get_all(field) or [])[:1] if value]
    return "\n\n".join((f"# {metadata['Name']}", *facts, description.strip())) + "\n"


NOT_A_DOCUMENT = "README"
FILES = "documents"
VARIABLE = "ADAQ_DATASETS"


def datasets_folder() -> Path | None:
    """Return the folder that ADAQ_DATASETS names, None if it is not set; DatasetError if it does not exist."""
    given = setting(VARIABLE)
    if not given:
        return None
    folder = Path(given).expanduser()
    if not folder.is_dir():
        raise DatasetError(f"expected a folder of question sets in {VARIABLE}={given}, but there is none; set it anew")
    return folder


def is_folder_of_files(corpus: Path) -> bool:
    """Whether the corpus is a folder of files of any kind, to be indexed as a user's own folder is."""
    return corpus.name == FILES and either(corpus / "corpus.jsonl") is None


def document_ids(corpus: Path) -> tuple[str, ...]:
    """Return the ids of the documents; of a folder of files, their relative names, without opening them."""
    from adaq_core.corpus.ingest import scan

    if is_folder_of_files(corpus):
        return tuple(file.key for file in scan(corpus)[0])
    return tuple(name for name, _ in read_texts(corpus))


def read_texts(corpus: Path) -> Iterator[tuple[str, str]]:
    """Yield ids and texts as they stand in the files, for checking: nothing is repaired, renamed or left out."""
    path = either(corpus / "corpus.jsonl")
    if path is None:
        return ((document.document_id, document.text) for document in read_documents(corpus))
    lines = read_objects(path, required=("_id", "text"))
    return ((text_of(line, "_id"), str(line["text"])) for _, line in lines)


def read_documents(corpus: Path) -> Iterator[Document]:
    """Yield the documents in order, from `corpus.jsonl[.gz]` or, without one, from Markdown files.

    The id of a Markdown document is its path in the corpus, without its ending.
    """
    from adaq_core.corpus.readers import read

    path = either(corpus / "corpus.jsonl")
    if path is not None:
        yield from read(path.name, path.read_bytes()).documents
        return
    if is_folder_of_files(corpus):
        yield from _of_files(corpus)
        return
    files = sorted(each for each in corpus.rglob("*.md") if each.stem.upper() != NOT_A_DOCUMENT)
    if not files:
        raise DatasetError(f"expected corpus.jsonl[.gz] or Markdown files in {corpus}, found neither")
    for file in files:
        key = file.relative_to(corpus).as_posix()
        for document in read(key, file.read_bytes()).documents:
            yield replace(document, document_id=key.removesuffix(".md"))


def _of_files(corpus: Path) -> Iterator[Document]:
    from adaq_core.corpus.ingest import scan
    from adaq_core.corpus.readers import read

    for file in scan(corpus)[0]:
        yield from read(file.key, file.path.read_bytes()).documents
