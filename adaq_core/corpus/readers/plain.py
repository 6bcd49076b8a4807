"""Plain text: a file is a document."""

from __future__ import annotations

from adaq_core.corpus.reading import Reading, SourceFile, decode, with_whole_lines
from adaq_core.model import Document

SUFFIXES = (".txt", ".text")


def read(file: SourceFile) -> Reading:
    """The text with a paragraph on a line; a short first line that stands alone is the title."""
    text, notices = decode(file.data)
    text = text.strip()
    first, _, rest = text.partition("\n")
    heading = first.strip() if rest.startswith(("\n", " \n")) and len(first) <= 120 else ""
    title = heading if heading and heading[-1] not in ".!?:;," else file.stem
    return Reading((Document(file.key, title, with_whole_lines(text)),), notices)
