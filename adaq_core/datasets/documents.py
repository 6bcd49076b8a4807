"""The documents of a question set's corpus: a BEIR file, or a folder of Markdown documents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from adaq_core.datasets.lines import either, read_objects, text_of
from adaq_core.errors import DatasetError
from adaq_core.model import Document

NOT_A_DOCUMENT = "README"


def read_texts(corpus: Path) -> Iterator[tuple[str, str]]:
    """Ids and texts as they stand in the files, for checking: nothing is repaired, renamed or left out."""
    path = either(corpus / "corpus.jsonl")
    if path is None:
        return ((document.document_id, document.text) for document in read_documents(corpus))
    return ((text_of(line, "_id"), str(line["text"])) for _, line in read_objects(path, required=("_id", "text")))


def read_documents(corpus: Path) -> Iterator[Document]:
    """The documents as every corpus is read, in order: of `corpus.jsonl[.gz]` or, without one, of Markdown files.

    The id of a Markdown document is its path in the corpus, without its ending.
    """
    from adaq_core.corpus.readers import read

    path = either(corpus / "corpus.jsonl")
    if path is not None:
        yield from read(path.name, path.read_bytes()).documents
        return
    files = sorted(each for each in corpus.rglob("*.md") if each.stem.upper() != NOT_A_DOCUMENT)
    if not files:
        raise DatasetError(f"expected corpus.jsonl[.gz] or Markdown files in {corpus}, found neither")
    for file in files:
        key = file.relative_to(corpus).as_posix()
        for document in read(key, file.read_bytes()).documents:
            yield replace(document, document_id=key.removesuffix(".md"))
