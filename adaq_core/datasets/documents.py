"""The documents of a question set's corpus: a BEIR file, or a folder of Markdown documents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from adaq_core.datasets.lines import either, read_objects, text_of
from adaq_core.errors import DatasetError
from adaq_core.model import Document

DATES = ("date", "published_at", "published", "period")
KNOWN = frozenset({"source", "url", *DATES})


def read_documents(corpus: Path) -> Iterator[Document]:
    """The documents of `corpus.jsonl[.gz]` in the folder or, without one, of its Markdown files, in order of id."""
    path = either(corpus / "corpus.jsonl")
    if path is not None:
        return (_document(line) for _, line in read_objects(path, required=("_id", "text")))
    files = sorted(each for each in corpus.rglob("*.md") if each.stem.upper() != "README")
    if not files:
        raise DatasetError(f"expected corpus.jsonl[.gz] or Markdown files in {corpus}, found neither")
    return (_markdown(corpus, each) for each in files)


def _document(line: dict[str, Any]) -> Document:
    metadata = line.get("metadata") or {}
    rest = tuple((key, str(value)) for key, value in metadata.items() if key not in KNOWN and value is not None)
    date = next((text_of(metadata, key) for key in DATES if metadata.get(key)), "")
    return Document(
        text_of(line, "_id"),
        text_of(line, "title"),
        str(line["text"]),
        source=text_of(metadata, "source"),
        date=date,
        url=text_of(metadata, "url") or text_of(line, "url"),
        metadata=rest,
    )


def _markdown(corpus: Path, file: Path) -> Document:
    from adaq_core.corpus.readers import read

    key = file.relative_to(corpus).as_posix()
    document = read(key, file.read_bytes()).documents[0]
    return replace(document, document_id=key.removesuffix(".md"))
