"""Plain text and Markdown: a file is a document, its headings the path of each passage."""

from __future__ import annotations

import re
from dataclasses import replace

from adaq_core.corpus.fields import Fields, to_document
from adaq_core.corpus.reading import Reading, SourceFile, decode, outline_of, with_whole_lines
from adaq_core.model import Document


def read_plain(file: SourceFile) -> Reading:
    """The text with a paragraph on a line; a short first line that stands alone is the title."""
    text, notices = decode(file.data)
    text = text.strip()
    first, _, rest = text.partition("\n")
    heading = first.strip() if rest.startswith(("\n", " \n")) and len(first) <= 120 else ""
    title = heading if heading and heading[-1] not in ".!?:;," else file.stem
    return Reading((Document(file.key, title, with_whole_lines(text)),), notices)


_FRONT = re.compile(r"---[ \t]*\n(.*?)\n?(?:---|\.\.\.)[ \t]*(?:\n|$)", re.DOTALL)
_FIELD = re.compile(r"([A-Za-z_][\w -]{0,60}?)[ \t]*:[ \t]*(.*)")
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]{1,8}(.{0,300}?)[ \t]{0,8}#{0,8}[ \t]{0,8}$", re.MULTILINE)
_TAG = re.compile(r"</?[a-zA-Z][^<>\n]{0,300}>")
_BADGE = re.compile(r"\[?!\[[^\[\]\n]{0,200}\]\([^()\s]{0,500}\)(?:\]\([^()\s]{0,500}\))?")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_FENCE = re.compile(r"^ {0,3}(?:`{3,}|~{3,})[^\n]*$\n?", re.MULTILINE)
_CODE_BLOCK = re.compile(r"^ {0,3}(```|~~~).*?^ {0,3}\1", re.MULTILINE | re.DOTALL)
_RULE = re.compile(r"^ {0,3}(?:[-=*_][ \t]*){3,}$\n?", re.MULTILINE)
_LINK = re.compile(r"!?\[([^\[\]\n]{0,500})\]\([^()\s]{0,2000}(?:[ \t]+\"[^\"\n]{0,500}\")?\)")
_STRONG = re.compile(r"(\*\*|__)(?=\S)([^*_\n]{1,1000}?)(?<=\S)\1")
_EMPHASIS = re.compile(r"(?<![\w*])([*_])(?=\S)([^*_\n]{1,1000}?)(?<=\S)\1(?![\w*])")
_CODE = re.compile(r"`([^`\n]{1,1000})`")
_FIELDS = Fields(text="text", title="title", source="source", date="date", url="url")


def read_markdown(file: SourceFile) -> Reading:
    """The prose without its marks; fields of the front matter that have no part of their own become metadata."""
    text, notices = decode(file.data)
    front, body, strange = _split(text.strip())
    heading = _HEADING.match(body)
    if heading and front.get("title", heading.group(1)).strip() == heading.group(1).strip():
        front.setdefault("title", heading.group(1))
        body = body[heading.end() :]
    record = {**front, "text": _plain(body)}
    document = to_document(record, _FIELDS, document_id=file.key, title=file.stem)
    document = replace(document, outline=outline_of(document.text, _headings(body)))
    return Reading((document,), notices, tuple(f"front matter line not understood: {line[:80]!r}" for line in strange))


def _split(text: str) -> tuple[dict[str, str], str, list[str]]:
    """The front matter, the body, and the lines of the front matter that are no "name: value"."""
    match = _FRONT.match(text)
    if match is None:
        return {}, text, []
    front: dict[str, str] = {}
    strange = []
    for line in match.group(1).splitlines():
        field = _FIELD.fullmatch(line.rstrip())
        if field:
            front[field.group(1).strip().lower()] = _value(field.group(2))
        elif line.strip() and not line.lstrip().startswith("#"):
            strange.append(line.strip())
    return front, text[match.end() :].lstrip("\n"), strange


def _value(text: str) -> str:
    text = text.strip()
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    if text.startswith("[") and text.endswith("]"):
        return ", ".join(_value(part) for part in text[1:-1].split(",") if part.strip())
    return text


def _headings(body: str) -> list[tuple[int, str]]:
    """The headings outside of code, each with its level."""
    return [
        (len(match.group().lstrip()) - len(match.group().lstrip().lstrip("#")), _plain(match.group(1)))
        for match in _HEADING.finditer(_CODE_BLOCK.sub("", body))
    ]


def _plain(body: str) -> str:
    """The words that a reader of the rendered page would see; lists and line breaks stay, pictures and tags go."""
    body = _RULE.sub("", _FENCE.sub("", _COMMENT.sub("", body)))
    body = _TAG.sub("", _BADGE.sub("", body))
    body = _LINK.sub(r"\1", _HEADING.sub(r"\1", body))
    body = _CODE.sub(r"\1", _EMPHASIS.sub(r"\2", _STRONG.sub(r"\2", body)))
    return body.strip()


READERS = {".txt": read_plain, ".text": read_plain, ".md": read_markdown, ".markdown": read_markdown}
