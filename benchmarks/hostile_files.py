"""Files made to hurt a reader: bombs, nests, spans, floods and garbage of every format, made here and never stored."""

from __future__ import annotations

import gzip
import io
import json
import random
import zipfile
from collections.abc import Callable, Iterator
from functools import partial

Made = Callable[[], bytes]

_TYPES = (
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.'
    'wordprocessingml.document.main+xml"/></Types>'
)
_RELATIONS = (
    '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="r" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
    'Target="word/document.xml"/></Relationships>'
)
_WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_PDF = b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"


def docx(body: str, *, prefix: str = "") -> bytes:
    """Return a Word file with this body."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", _TYPES)
        archive.writestr("_rels/.rels", _RELATIONS)
        archive.writestr("word/document.xml", f"{prefix}<w:document {_WORD}><w:body>{body}</w:body></w:document>")
    return packed.getvalue()


def _cell(span: int) -> str:
    text = "<w:p><w:r><w:t>wide</w:t></w:r></w:p>"
    return f"<w:tbl><w:tblGrid/><w:tr><w:tc><w:tcPr><w:gridSpan w:val='{span}'/></w:tcPr>{text}</w:tc></w:tr></w:tbl>"


def _pdf(stream: bytes, *, filters: str = "") -> bytes:
    page = b"3 0 obj<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<<>>>>endobj\n"
    head = f"4 0 obj<</Length {len(stream)}{filters}>>stream\n".encode()
    return _PDF + page + head + stream + b"\nendstream endobj\ntrailer<</Root 1 0 R>>\n%%EOF"


def _entities(levels: int) -> str:
    lines = ['<!ENTITY a0 "lol">', *(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, levels))]
    return f'<?xml version="1.0"?><!DOCTYPE x [{"".join(lines)}]>'


def _html(body: str) -> bytes:
    return f"<html><body>{body}</body></html>".encode()


_SHEET = (
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{}</sheetData></worksheet>'
)
_CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="a.opf"/>'
    "</rootfiles></container>"
)


def _packed(parts: dict[str, str | bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return packed.getvalue()


def _sheet(rows: str) -> bytes:
    import openpyxl

    made = io.BytesIO()
    openpyxl.Workbook().save(made)
    with zipfile.ZipFile(made) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    return _packed({**parts, "xl/worksheets/sheet1.xml": _SHEET.format(rows)})


def _book(chapters: int, words: int) -> bytes:
    """An electronic book whose chapters are all the same file."""
    item = '<item id="a" href="c.xhtml" media-type="application/xhtml+xml"/>'
    spine = '<itemref idref="a"/>' * chapters
    package = (
        f'<package xmlns="http://www.idpf.org/2007/opf"><manifest>{item}</manifest><spine>{spine}</spine></package>'
    )
    chapter = f"<html><body><p>{'word ' * words}</p></body></html>"
    return _packed({"META-INF/container.xml": _CONTAINER, "a.opf": package, "c.xhtml": chapter})


def _cell_at(row: int, column: str) -> str:
    return f'<row r="{row}"><c r="{column}{row}" t="inlineStr"><is><t>far</t></is></c></row>'


def _pages(kids: bytes, *more: bytes, count: int = 1) -> bytes:
    """A PDF with this list of pages, its own objects from 3 on."""
    tree = b"2 0 obj<</Type/Pages/Kids[%s]/Count %d>>endobj" % (kids, count)
    return b"\n".join([b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj", tree, *more, b"trailer<</Root 1 0 R>>"])


def _form(number: int, stream: bytes) -> bytes:
    """A picture of a PDF that draws the next one, as often as its stream says."""
    head = b"%d 0 obj<</Type/XObject/Subtype/Form/BBox[0 0 1 1]/Resources<</XObject<</A %d 0 R>>>>/Length %d>>stream\n"
    return head % (number, number + 1, len(stream)) + stream + b"\nendstream endobj"


def _second() -> dict[str, Made]:
    """Files of a second round of attacks: bombs by reference, mails of many parts, far cells, loops of pages."""
    page = b"3 0 obj<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</XObject<</A 5 0 R>>>>>>endobj"
    stream = b"4 0 obj<</Length 6>>stream\n/A Do \nendstream endobj"
    part = b"--B\nContent-Type: text/plain\n\nhello word\n"
    return {
        "chapters.epub": lambda: _book(200_000, 2_000),
        "far.xlsx": lambda: _sheet(_cell_at(1_048_576, "XFD")),
        "far-rows.xlsx": lambda: _sheet("".join(_cell_at(row, "XFD") for row in range(1, 3_000))),
        "parts.eml": lambda: b"Subject: s\nContent-Type: multipart/mixed; boundary=B\n\n" + part * 200_000 + b"--B--\n",
        "forwards.eml": lambda: b"Content-Type: message/rfc822\n\n" * 50_000 + b"Subject: x\n\nhello",
        "recipients.eml": lambda: b"To: " + b"a@b, " * 200_000 + b"\nSubject: s\n\nhello",
        "words.eml": lambda: b"Subject: " + b"=?utf-8?q?a?= " * 400_000 + b"\n\nhello",
        "scripts.html": lambda: _html("<script>a</script>x" * 200_000),
        "cells.html": lambda: _html(f"<table><tr>{'<td colspan=1000000 rowspan=65534>x</td>' * 2_000}</tr></table>"),
        "tables.docx": lambda: docx("<w:tbl><w:tr><w:tc>" * 3_000),
        "same-page.pdf": lambda: _pages(b"3 0 R " * 4_000, page, stream, count=4_000),
        "page-loop.pdf": lambda: _pages(
            b"2 0 R 3 0 R", b"3 0 obj<</Type/Pages/Parent 2 0 R/Kids[2 0 R]/Count 9>>endobj"
        ),
        "form-loop.pdf": lambda: _pages(b"3 0 R", page, stream, _form(5, b"/A Do " * 2).replace(b"/A 6 0", b"/A 5 0")),
        "form-bomb.pdf": lambda: _pages(b"3 0 R", page, stream, *(_form(5 + n, b"/A Do " * 10) for n in range(12))),
    }


def _heavy() -> dict[str, Made]:
    """Files of which the first version of each reader took minutes, or gigabytes."""
    return {
        "span.docx": lambda: docx(_cell(1_000_000)),
        "spans.docx": lambda: docx(_cell(100_000) * 20),
        "comments.md": lambda: b"<!--" * 40_000,
        "attributes.html": lambda: _html(f"<p {' '.join(f'a{n}=x' for n in range(60_000))}>text</p>"),
        "links.html": lambda: _html("<a href=/x>word</a> " * 300_000),
        "quote.csv": lambda: b'a,b\n"' + b"word, word\n" * 450_000,
        "columns.csv": lambda: b"a," * 1_000_000 + b"\n" + b"1," * 1_000_000,
        "oneword.txt": lambda: b"x" * 30_000_000,
        "stops.txt": lambda: b". " * 1_000_000,
        "deep.html": lambda: _html("<div>" * 100_000),
        "deep.json": lambda: b"[" * 200_000 + b"]" * 200_000,
        "deep.jsonl": lambda: b'{"a":' * 50_000 + b"1" + b"}" * 50_000,
        "bomb.txt.gz": lambda: gzip.compress(bytes(300_000_000), 9),
        "bomb.docx": lambda: docx(f"<w:p><w:r><w:t>{'a' * 200_000_000}</w:t></w:r></w:p>"),
        "entities.docx": lambda: docx("<w:p><w:r><w:t>&a8;</w:t></w:r></w:p>", prefix=_entities(9)),
        "outside.docx": lambda: docx(
            "<w:p><w:r><w:t>&x;</w:t></w:r></w:p>", prefix='<!DOCTYPE x [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
        ),
        "endless.pdf": lambda: _pdf(b"BT /F 12 Tf (word) Tj ET " * 100_000),
        "loop.pdf": lambda: (
            b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 1 0 R/Kids[1 0 R]/Count 9>>endobj\ntrailer<</Root 1 0 R>>"
        ),
        "packed.pdf": lambda: _pdf(gzip.zlib.compress(b"(a) Tj " * 20_000_000, 9), filters="/Filter/FlateDecode"),  # type: ignore[attr-defined]
        "emphasis.md": lambda: b"**a " * 100_000 + b"_" * 100_000,
        "brackets.md": lambda: b"[" * 200_000,
        "front.md": lambda: b"---\n" + b"a: b\n" * 200_000,
        "rows.csv": lambda: b"id,text\n" + b"".join(b"%d,word\n" % n for n in range(200_000)),
        "same-ids.jsonl": lambda: b'{"id":"a","text":"word"}\n' * 100_000,
        "numbers.json": lambda: json.dumps([{"text": "1" * 4000}] * 100).encode() + b"1" * 10_000,
        "huge-number.json": lambda: b'[{"text": ' + b"9" * 100_000 + b"}]",
        "bidi.txt": lambda: ("\u202e\u2066" * 200_000).encode(),
        "combining.txt": lambda: ("a" + "\u0301" * 2_000_000).encode(),
        "nul.txt": lambda: b"a\0" * 100_000,
        "charset.html": lambda: b"<meta charset=punycode><body>text of the page that is long enough</body>",
    }


def hostile_files(*, count: int) -> Iterator[tuple[str, Made]]:
    """Yield names and makers of at least `count` files: the heavy ones, then every format cut, mixed and garbled."""
    heavy = {**_heavy(), **_second()}
    yield from heavy.items()
    draw = random.Random(7)
    suffixes = ("txt", "md", "html", "pdf", "docx", "csv", "json", "jsonl")
    for number in range(max(0, count - len(heavy))):
        suffix = suffixes[number % len(suffixes)]
        yield f"garbled-{number}.{suffix}", partial(_garbled, suffix, draw.randrange(1 << 30))


def _garbled(suffix: str, seed: int) -> bytes:
    """Return a small sound file of a kind with bytes of it changed, cut, doubled or taken from another kind."""
    draw = random.Random(seed)
    sound = {
        "docx": docx("<w:p><w:r><w:t>Some words.</w:t></w:r></w:p>"),
        "pdf": _pdf(b"BT /F 12 Tf (word) Tj ET"),
        "html": _html("<h1>Title</h1><p>Some words of a page.</p>" * 20),
        "csv": b"title,text\nA,Some words\nB,Other words\n" * 20,
        "json": json.dumps([{"title": "A", "text": "Some words."}] * 20).encode(),
        "jsonl": b'{"title": "A", "text": "Some words."}\n' * 20,
        "md": b"---\ntitle: A\n---\n# Title\n\nSome *words* of a [page](http://a.example).\n" * 20,
        "txt": "Title\n\nSome wörds.\n".encode() * 20,
    }
    data = bytearray(sound[suffix if draw.random() < 0.8 else draw.choice(list(sound))])
    for _ in range(draw.randrange(1, 40)):
        place = draw.randrange(len(data))
        data[place : place + draw.randrange(4)] = draw.randbytes(draw.randrange(4))
    return bytes(data[: draw.randrange(1, len(data) + 1)]) if draw.random() < 0.3 else bytes(data)
