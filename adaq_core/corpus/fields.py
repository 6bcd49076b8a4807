"""Tables and records to documents: which field is the title, the text, the source; and tables row by row."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from adaq_core.corpus.reading import clean, day
from adaq_core.model import Document

Record = Mapping[str, str]

_NAMES: dict[str, tuple[str, ...]] = {
    "id": ("_id", "id", "doc_id", "document_id", "docid", "uuid", "key"),
    "text": ("text", "body", "content", "contents", "article", "passage", "paragraph", "full_text", "abstract",
             "summary", "description", "transcript", "message", "comment", "review"),
    "title": ("title", "headline", "name", "subject", "heading", "doc", "document", "file", "filename"),
    "source": ("source", "publisher", "outlet", "site", "site_name", "domain", "journal", "newspaper"),
    "date": ("date", "published_at", "published", "publication_date", "pub_date", "publish_date", "created_at",
             "timestamp", "datetime", "time", "year", "period"),
    "url": ("url", "link", "href", "uri", "permalink"),
}  # fmt: skip
_PROSE = 40


@dataclass(frozen=True, slots=True)
class Fields:
    """Which field plays which part; empty when none does. Without a text field all fields together are the text."""

    id: str = ""
    text: str = ""
    title: str = ""
    source: str = ""
    date: str = ""
    url: str = ""

    @property
    def said(self) -> str:
        """The guess in words."""
        parts = [
            f"{part} = {name!r}" for part in ("title", "text", "source", "date", "url") if (name := getattr(self, part))
        ]
        return "fields taken: " + ", ".join(parts if self.text else [*parts, "text = all fields together"])


def is_known(name: str) -> bool:
    """Whether a field of this name has a part to play."""
    return any(_plain(name) in names for names in _NAMES.values())


def guess_fields(names: Sequence[str], records: Sequence[Record]) -> Fields:
    """The parts of the fields `names`, by their names, and for the text by what the first `records` hold."""
    chosen: dict[str, str] = {}
    for part, known in _NAMES.items():
        by_name = {_plain(name): name for name in reversed(names)}
        chosen[part] = next((by_name[name] for name in known if name in by_name), "")
    chosen["text"] = chosen["text"] or _longest(names, records, taken=set(chosen.values()))
    return Fields(**chosen)


def _plain(name: str) -> str:
    return "_".join(name.strip().lower().replace("-", " ").split())


def _longest(names: Sequence[str], records: Sequence[Record], *, taken: set[str]) -> str:
    """The field that is not taken and holds the longest values, when they are long enough to be prose."""
    if not records:
        return ""
    sizes = {name: sum(len(record.get(name, "")) for record in records) for name in names if name not in taken}
    longest = max(sizes, key=lambda name: sizes[name], default="")
    return longest if longest and sizes[longest] >= _PROSE * len(records) else ""


def to_document(
    record: Record, fields: Fields, *, document_id: str, title: str, metadata: Iterable[tuple[str, str]] | None = None
) -> Document:
    """The document of one record; `title` when it has none. Fields without a part become metadata.

    `metadata`, when given, is kept whole, and fills the source, date and url that the record lacks.
    """
    used = {name for name in (fields.id, fields.text, fields.title, fields.source, fields.date, fields.url) if name}
    others = [(name, value) for name, value in record.items() if name not in used and value]
    more = list(metadata or ())
    found = guess_fields([name for name, _ in more], [])
    extra = dict(more)
    if fields.text:
        text = record.get(fields.text, "")
    else:
        text = "\n".join(f"{name}: {value}" for name, value in record.items() if value and name != fields.id)
        others = []
    return Document(
        document_id=document_id,
        title=one_line(record.get(fields.title, "") or extra.get(found.title, "") or title),
        text=clean(text).strip(),
        source=one_line(record.get(fields.source, "") or extra.get(found.source, "")),
        date=day(clean(record.get(fields.date, "") or extra.get(found.date, ""))),
        url=one_line(record.get(fields.url, "") or extra.get(found.url, "")),
        metadata=tuple((one_line(name), clean(value)) for name, value in [*more, *others] if value),
    )


def one_line(text: str) -> str:
    """`text` cleaned, on one line."""
    return " ".join(clean(text).split())


_NUMBER = re.compile(r"\d")
_RULE = re.compile(r"^[\s|:+=-]+$")
_BAR = "|"
_WIDEST = 60


def text_of_table(rows: Sequence[Sequence[str]]) -> str:
    """Rows as lines: each cell after the name of its column under a header, with " | " between where there is none."""
    if len(rows) < 2 or not _is_header(rows[0], rows[1:]):
        return "\n".join(" | ".join(cell for cell in row if cell) for row in rows)
    header, lines = rows[0], [" | ".join(cell for cell in rows[0] if cell)]
    for row in rows[1:]:
        named = zip(header[1:], row[1:], strict=False)
        cells = "; ".join(f"{name} {cell}".strip() for name, cell in named if cell)
        lines.append(f"{row[0]}: {cells}" if row[0] and cells else cells or row[0])
    return "\n".join(lines)


def with_named_rows(text: str) -> str:
    """The text with the columns named in each row of its tables, which are lines with bars between their cells."""
    done: list[str] = []
    table: list[list[str]] = []
    for line in [*text.split("\n"), ""]:
        if _BAR in line and (len(cells := _cells(line)) > 1 or _RULE.match(line)):
            table += [cells] if not _RULE.match(line) else []
            continue
        if table:
            done.append(text_of_table(table))
            table = []
        done.append(line)
    return "\n".join(done[:-1])


def _cells(line: str) -> list[str]:
    return [" ".join(cell.split()) for cell in line.strip().strip(_BAR).split(_BAR)]


def _is_header(first: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row names the columns: short names, nearly one for each, over cells with figures."""
    names = [cell for cell in first if cell]
    widest = max(sum(bool(cell) for cell in row) for row in rows)
    if len(names) < max(2, widest - 1) or max(map(len, names)) > _WIDEST:
        return False
    return any(_NUMBER.search(cell) for row in rows for cell in row[1:]) or widest == len(names)
