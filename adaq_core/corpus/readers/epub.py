"""Books (.epub): a file is a document; its chapters follow in reading order, and their titles are its sections."""

from __future__ import annotations

import io
import posixpath
import zipfile
from typing import Any
from urllib.parse import unquote

from adaq_core.corpus.fields import one_line
from adaq_core.corpus.readers.html import headings_and_text
from adaq_core.corpus.reading import Reading, SourceFile, clean, day, outline_of, refuse_bomb
from adaq_core.errors import FileReadError
from adaq_core.model import Document

SUFFIXES = (".epub",)

_CORE = "{http://purl.org/dc/elements/1.1/}"
_PACKAGE = "{http://www.idpf.org/2007/opf}"
_CONTAINER = "{urn:oasis:names:tc:opendocument:xmlns:container}"


def read(file: SourceFile) -> Reading:
    """The text of all chapters, with the title, author and date that the book states."""
    from defusedxml.ElementTree import fromstring  # type: ignore[import-untyped]

    try:
        archive = zipfile.ZipFile(io.BytesIO(file.data))
        root = fromstring(archive.read("META-INF/container.xml")).find(f".//{_CONTAINER}rootfile")
        place = root.get("full-path") if root is not None else None
        if place is None:
            raise FileReadError("is not a sound .epub (it names no contents); get a fresh copy")
    except (zipfile.BadZipFile, KeyError) as error:
        raise FileReadError(f"is not a sound .epub ({error}); get a fresh copy") from error
    entries = archive.infolist()
    refuse_bomb(unpacked=sum(entry.file_size for entry in entries), packed=len(file.data), limits=file.limits)
    package = fromstring(archive.read(place))
    chapters, problems = _chapters(archive, package, posixpath.dirname(place))
    text = clean("\n\n".join(text for _, text in chapters if text))
    author = _said(package, "creator")
    document = Document(
        file.key,
        _said(package, "title") or file.stem,
        text,
        source=_said(package, "publisher"),
        date=day(_said(package, "date")),
        metadata=(("author", author),) if author else (),
        outline=outline_of(text, [heading for headings, _ in chapters for heading in headings]),
    )
    return Reading((document,), (), tuple(problems))


def _chapters(
    archive: zipfile.ZipFile, package: Any, folder: str
) -> tuple[list[tuple[list[tuple[int, str]], str]], list[str]]:
    """Headings and text of each chapter in reading order, and the chapters that are missing."""
    files = {item.get("id"): item.get("href") for item in package.iter(f"{_PACKAGE}item")}
    chapters, problems = [], []
    for item in package.iter(f"{_PACKAGE}itemref"):
        href = files.get(item.get("idref")) or ""
        try:
            page = archive.read(posixpath.normpath(posixpath.join(folder, unquote(href))))
        except KeyError:
            problems.append(f"the chapter {href[:80]!r} is missing")
            continue
        chapters.append(headings_and_text(page.decode("utf-8", errors="replace")))
    return chapters, problems


def _said(package: Any, name: str) -> str:
    node = package.find(f".//{_CORE}{name}")
    return one_line(node.text or "") if node is not None else ""
