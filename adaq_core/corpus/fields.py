"""Tables, records and what other programs hand over, as documents and passages: which field is which."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from adaq_core.corpus.reading import clean, day, one_line
from adaq_core.errors import InputError
from adaq_core.model import Document, Passage, ScoredPassage

Record = Mapping[str, str]

_NAMES: dict[str, tuple[str, ...]] = {
    "id": ("_id", "id", "doc_id", "document_id", "docid", "uuid", "key"),
    "text": ("text", "body", "content", "contents", "article", "passage", "paragraph", "full_text", "abstract",
             "summary", "description", "transcript", "message", "comment", "review"),
    "title": ("title", "headline", "name", "subject", "heading", "doc", "document", "file", "filename"),
    "source": ("source", "publisher", "outlet", "site", "site_name", "domain", "journal", "newspaper"),
    "date": ("date", "published_at", "published", "publication_date", "pub_date", "publish_date",
             "created", "created_at", "timestamp", "datetime", "time", "year", "period"),
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
    def notice(self) -> str:
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
    if longest and sizes[longest] >= _PROSE * len(records):
        return longest
    return ""


def to_document(
    record: Record, fields: Fields, *, document_id: str, title: str, metadata: Iterable[tuple[str, str]] | None = None
) -> Document:
    """The document of one record; `title` when it has none. Fields without a part become metadata.

    `metadata`, when given, is kept whole, and fills the source, date and url that the record lacks.
    """
    used = {name for name in (fields.id, fields.text, fields.title, fields.source, fields.date, fields.url) if name}
    others = [(name, value) for name, value in record.items() if name not in used and value]
    more = list(metadata or ())
    results = guess_fields([name for name, _ in more], [])
    extra = dict(more)
    if fields.text:
        text = record.get(fields.text, "")
    else:
        text = "\n".join(f"{name}: {value}" for name, value in record.items() if value and name != fields.id)
        others = []
    return Document(
        document_id=document_id,
        title=one_line(record.get(fields.title, "") or extra.get(results.title, "") or title),
        text=clean(text).strip(),
        source=one_line(record.get(fields.source, "") or extra.get(results.source, "")),
        date=day(clean(record.get(fields.date, "") or extra.get(results.date, ""))),
        url=one_line(record.get(fields.url, "") or extra.get(results.url, "")),
        metadata=tuple((one_line(name), clean(value)) for name, value in [*more, *others] if value),
    )


_NUMBER = re.compile(r"\d")
_RULE = re.compile(r"^[\s|:+=-]+$")
_BAR = "|"
_WIDEST = 60


def text_of_table(rows: Sequence[Sequence[str]]) -> str:
    """Rows as lines: each cell after the name of its column under a header, with " | " between where there is none."""
    if len(rows) < 2 or not _is_header(rows[0], rows[1:]):
        return "\n".join(" | ".join(cell for cell in row if cell) for row in rows)
    header = rows[0]
    lines = [" | ".join(cell for cell in rows[0] if cell)]
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


_TEXTS = ("content", "text", "page_content", "snippet")
_LONGEST_RESULT = 20_000
_MOST_LINES = 400
_VERBS = re.compile(r"^(?:get|fetch|list|search|find|load|query|lookup|read|check|retrieve)\s+(?:user\s+)?")


def received_passages(documents: Sequence[Any]) -> list[tuple[Passage, float]]:
    """Passages with their relevance in [0, 1]; InputError for what is no document."""
    passages = [_passage(document, number) for number, document in enumerate(documents)]
    return list(zip(passages, received_quality(documents), strict=True))


def received_quality(documents: Sequence[Any]) -> list[float]:
    """The relevance of each document in [0, 1]: scores above 1 are taken relative to the best; none counts as 1."""
    scores = [_score(document) for document in documents]
    top = max((score for score in scores if score is not None), default=1.0)
    scale = top if top > 1 else 1.0
    return [1.0 if score is None else max(0.0, score / scale) for score in scores]


def _passage(document: Any, number: int) -> Passage:
    if isinstance(document, ScoredPassage):
        return document.passage
    if isinstance(document, Passage):
        return document
    text = _field(document, *_TEXTS)
    if text is None:
        raise InputError(
            f"document {number} is a {type(document).__name__}: expected a Passage, a ScoredPassage, or a mapping with "
            "'content' (or 'text'), 'title' and 'score'"
        )
    key = str(_field(document, "id", "passage_id", "doc_id") or number)
    return Passage(key, key, str(_field(document, "title") or ""), str(text))


def _score(document: Any) -> float | None:
    if isinstance(document, ScoredPassage):
        return document.score
    value = _field(document, "relevance_score", "score", "relevance", "similarity")
    return float(value) if isinstance(value, int | float) else None


def _field(document: Any, *names: str) -> Any:
    for name in names:
        if isinstance(document, Mapping):
            value = document.get(name)
        else:
            value = getattr(document, name, None)
        if value is not None:
            return value
    return None


def received_results(results: Any) -> tuple[list[Passage], list[str]]:
    """What tools brought, as passages whose documents are named after the tools, and what is wrong with it.

    `results` maps tools to what they returned, or lists such results with their tool's name. A text or a document is
    taken as it is, a record as lines of "field: value".
    """
    passages: list[Passage] = []
    problems: list[str] = []
    for tool, result in _by_tool(results):
        error = _field(result, "error") if isinstance(result, Mapping) else None
        if error:
            pieces = []
        else:
            pieces = [one for one in _as_list(result) if _text_of(one).strip()]
        if not pieces:
            problems.append(f"{tool} brought nothing{f': {str(error)[:200]}' if error else ''}")
        for number, piece in enumerate(pieces):
            text = _text_of(piece)
            if len(text) > _LONGEST_RESULT:
                problems.append(f"a result of {tool} was cut to {_LONGEST_RESULT:,} characters")
            text, title = text[:_LONGEST_RESULT], _field(piece, "title")
            named = title if isinstance(title, str) and title else data_of(tool)
            passages.append(Passage(f"{tool}#{number}", tool, named, text, end=len(text)))
    return passages, problems


def data_of(tool: str) -> str:
    """What a tool brings, by its name: "background status" of `get_user_background_status`."""
    words = _spaced(tool)
    return _VERBS.sub("", words) or words


def _spaced(name: str) -> str:
    return re.sub(r"(?<=[a-z\d])(?=[A-Z])|[_\W]+", " ", name).strip().lower()


def _by_tool(results: Any) -> list[tuple[str, Any]]:
    """Results with the tools that brought them, from a mapping, a list of records, or messages."""
    if isinstance(results, Mapping):
        return [(str(name), result) for name, result in results.items()]
    return [_named(result, n) for n, result in enumerate(results or (), start=1)]


def _named(result: Any, n: int) -> tuple[str, Any]:
    name = _field(result, "tool", "tool_name", "name")
    if not isinstance(name, str) or not name:
        return f"result {n}", result
    brought = _field(result, "result", "output", "data", "content")
    failed = isinstance(result, Mapping) and result.get("error")
    return name, result if brought is None or failed else brought


def _as_list(result: Any) -> Sequence[Any]:
    return result if isinstance(result, list | tuple) else (result,)


def _text_of(piece: Any) -> str:
    if piece is None or isinstance(piece, str):
        return piece or ""
    is_document = isinstance(piece, Passage | ScoredPassage) or isinstance(_field(piece, *_TEXTS), str)
    if is_document:
        return _passage(piece, 0).text
    return "\n".join(_lines(piece))


def _lines(value: Any, path: str = "") -> list[str]:
    if isinstance(value, Mapping):
        inner = [(f"{path} {_spaced(str(key))}".strip(), one) for key, one in value.items()]
    elif isinstance(value, list | tuple):
        inner = [(path, one) for one in value]
    else:
        if value in (None, ""):
            return []
        return [f"{path}: {value}." if path else str(value)]
    return [line for name, one in inner for line in _lines(one, name)][:_MOST_LINES]
