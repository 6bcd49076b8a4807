"""Word documents: the paragraphs and tables in their order."""

from __future__ import annotations

import io
import zipfile
from typing import Any

from adaq_core.corpus.fields import one_line
from adaq_core.corpus.reading import Limits, Reading, SourceFile, clean, refuse_bomb
from adaq_core.errors import FileReadError
from adaq_core.model import Document

SUFFIXES = (".docx",)

_OLD_OR_LOCKED = b"\xd0\xcf\x11\xe0"


def read(file: SourceFile) -> Reading:
    """The text of the body; a row of a table is a line with " | " between its cells."""
    try:
        import docx
    except ImportError as error:
        raise FileReadError("reading Word files needs python-docx: pip install python-docx") from error
    if file.data.startswith(_OLD_OR_LOCKED):
        raise FileReadError("is locked with a password, or an old .doc; save it as .docx without a password")
    _check_zip(file.data, file.limits)
    content = docx.Document(io.BytesIO(file.data))
    blocks = (_block(block) for block in content.iter_inner_content())
    title = one_line(content.core_properties.title or "") or file.stem
    return Reading((Document(file.key, title, clean("\n\n".join(block for block in blocks if block))),))


def _check_zip(data: bytes, limits: Limits) -> None:
    try:
        entries = zipfile.ZipFile(io.BytesIO(data)).infolist()
    except zipfile.BadZipFile as error:
        raise FileReadError(f"is not a sound .docx ({error}); open it in Word and save it again") from error
    refuse_bomb(unpacked=sum(entry.file_size for entry in entries), packed=len(data), limits=limits)


def _block(block: Any) -> str:
    if hasattr(block, "rows"):
        return "\n".join(" | ".join(one_line(cell.text) for cell in row.cells) for row in block.rows)
    return str(block.text).strip()
