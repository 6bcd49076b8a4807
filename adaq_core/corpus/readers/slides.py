"""Presentations (.pptx): a file is a document, a slide is a page."""

from __future__ import annotations

import io
import re
import zipfile
from typing import Any

from adaq_core.corpus.reading import Reading, SourceFile, clean, refuse_bomb
from adaq_core.errors import FileReadError
from adaq_core.model import Document

SUFFIXES = (".pptx",)

_SLIDE = re.compile(r"ppt/slides/slide(\d+)\.xml")
_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"


def read(file: SourceFile) -> Reading:
    """The text of the slides in their order; a row of a table is a line with " | " between its cells."""
    from defusedxml.ElementTree import fromstring  # type: ignore[import-untyped]

    try:
        archive = zipfile.ZipFile(io.BytesIO(file.data))
    except zipfile.BadZipFile as error:
        raise FileReadError(f"is not a sound .pptx ({error}); open it and save it again") from error
    entries = archive.infolist()
    refuse_bomb(unpacked=sum(entry.file_size for entry in entries), packed=len(file.data), limits=file.limits)
    numbered = sorted((int(match[1]), entry) for entry in entries if (match := _SLIDE.fullmatch(entry.filename)))
    slides = [clean("\n".join(_lines(fromstring(archive.read(entry))))).strip() for _, entry in numbered]
    text, starts, outline = "", [], []
    for slide in slides:
        text += "\n\n" if text and slide else ""
        starts.append(len(text))
        outline.append((len(text), slide.split("\n")[0][:80]))
        text += slide
    document = Document(
        file.key,
        file.stem,
        text,
        metadata=(("pages", str(len(slides))),),
        pages=tuple(starts),
        outline=tuple((start, heading) for start, heading in outline if heading),
    )
    return Reading((document,))


def _lines(slide: Any) -> list[str]:
    lines = []
    in_tables = {id(node) for table in slide.iter(f"{_DRAWING}tbl") for node in table.iter(f"{_DRAWING}p")}
    for node in slide.iter():
        if node.tag == f"{_DRAWING}tr":
            lines.append(" | ".join(_text(cell) for cell in node.iter(f"{_DRAWING}tc")))
        elif node.tag == f"{_DRAWING}p" and id(node) not in in_tables:
            lines.append(_text(node))
    return [line for line in lines if line.strip(" |")]


def _text(node: Any) -> str:
    return " ".join("".join(run.text or "" for run in node.iter(f"{_DRAWING}t")).split())
