"""Word documents: the paragraphs and tables in their order."""

from __future__ import annotations

import io
import zipfile
from typing import Any

from adaq_core.corpus.fields import one_line
from adaq_core.corpus.reading import Limits, Reading, SourceFile, clean, outline_of, refuse_bomb
from adaq_core.corpus.tables import text_of_table
from adaq_core.errors import FileReadError
from adaq_core.model import Document

SUFFIXES = (".docx",)

_OLD_OR_LOCKED = b"\xd0\xcf\x11\xe0"


def read(file: SourceFile) -> Reading:
    """The text of the body; a row of a table is a line that names its columns."""
    try:
        import docx
    except ImportError as error:
        raise FileReadError("reading Word files needs python-docx: pip install python-docx") from error
    if file.data.startswith(_OLD_OR_LOCKED):
        raise FileReadError("is locked with a password, or an old .doc; save it as .docx without a password")
    _check_zip(file.data, file.limits)
    content = docx.Document(io.BytesIO(file.data))
    inner = list(content.iter_inner_content())
    text = clean("\n\n".join(block for block in map(_block, inner) if block))
    properties = content.core_properties
    author = one_line(properties.author or "")
    document = Document(
        file.key,
        one_line(properties.title or "") or file.stem,
        text,
        metadata=(("author", author),) if author and author != "python-docx" else (),
        outline=outline_of(text, [heading for block in inner if (heading := _heading(block))]),
    )
    return Reading((document,))


def _check_zip(data: bytes, limits: Limits) -> None:
    try:
        entries = zipfile.ZipFile(io.BytesIO(data)).infolist()
    except zipfile.BadZipFile as error:
        raise FileReadError(f"is not a sound .docx ({error}); open it in Word and save it again") from error
    refuse_bomb(unpacked=sum(entry.file_size for entry in entries), packed=len(data), limits=limits)


def _block(block: Any) -> str:
    if hasattr(block, "rows"):
        return text_of_table([[one_line(cell.text) for cell in row.cells] for row in block.rows])
    return str(block.text).strip()


def _heading(block: Any) -> tuple[int, str] | None:
    """Level and text of a paragraph that Word calls a heading."""
    style = "" if hasattr(block, "rows") else str(getattr(block.style, "name", "") or "")
    level = style.removeprefix("Heading ")
    return (int(level), one_line(block.text)) if level.isdigit() and style != level else None
