"""Plain files: text, where a file is a document; JSON Lines, JSON and tables, where a record is one.

Which field of a record is which, and how a table is written as lines, the other readers ask here too.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby, islice, pairwise, zip_longest
from pathlib import PurePosixPath
from typing import Any, ClassVar

from adaq_core.corpus.readers import (
    MIB,
    Reading,
    SourceFile,
    clean,
    day,
    decode,
    few,
    one_line,
    sections_told,
    unique_ids,
    with_whole_lines,
)
from adaq_core.errors import FileReadError
from adaq_core.model import Document

BEIR_NAMES = ("corpus.jsonl", "corpus.jsonl.gz")
Record = Mapping[str, str]

_NAMES: dict[str, tuple[str, ...]] = {
    "id": ("_id", "id", "doc_id", "document_id", "docid", "uuid", "key"),
    "text": ("text", "body", "content", "contents", "article", "passage", "paragraph", "full_text", "abstract",
             "summary", "description", "transcript", "message", "msg", "comment", "review"),
    "title": ("title", "headline", "name", "subject", "heading", "doc", "document", "file", "filename"),
    "source": ("source", "publisher", "outlet", "site", "site_name", "domain", "journal", "newspaper"),
    "date": ("date", "published_at", "published", "publication_date", "pub_date", "publish_date",
             "created", "created_at", "announced", "issued", "posted", "posted_at", "timestamp",
             "datetime", "time", "ts",
             "year", "period"),
    "url": ("url", "link", "href", "uri", "permalink"),
}  # fmt: skip
_PROSE, _PROSE_WORDS = 40, 6
_STAMP = re.compile(r"(?:1[5-9]|20)\d\d(?:[.-]?\d\d){0,2}|\d{9,13}(?:\.\d+)?")
_OF_DOCUMENTS = frozenset(("text", "body", "content", "contents", "article", "passage", "paragraph", "full_text",
                           "abstract", "transcript"))  # fmt: skip
_LONGEST_RECORD = 600  # characters of all fields of a row; longer ones are documents


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
        named = {part: getattr(self, part) for part in ("title", "text", "source", "date", "url")}
        parts = [f"{part} from “{name}”" for part, name in named.items() if name]
        parts += [] if self.text else ["text from all fields"]
        return f"each record is a document; {', '.join(parts)}"


def is_known(name: str) -> bool:
    """Whether a field of this name has a part to play."""
    return any(_plain(name) in names for names in _NAMES.values())


def guess_fields(names: Sequence[str], records: Sequence[Record]) -> Fields:
    """The parts of the fields `names`, by their names, and for the text by what the first `records` hold."""
    chosen: dict[str, str] = {}
    by_name = {_plain(name): name for name in reversed(names)}
    for part, known in _NAMES.items():
        fitting = (by_name[name] for name in known if name in by_name)
        chosen[part] = next((name for name in fitting if _can_be(part, name, records)), "")
    chosen["text"] = chosen["text"] or _longest(names, records, taken=set(chosen.values()))
    return Fields(**chosen)


def _can_be(part: str, name: str, records: Sequence[Record]) -> bool:
    """Whether the values of a field may play a part: figures are no text, and no dates but as years or seconds."""
    values = [value for record in records if (value := record.get(name, ""))]
    are_figures = bool(values) and all(map(_FIGURE.fullmatch, values))
    if part == "date":
        return not are_figures or all(map(_STAMP.fullmatch, values))
    return part != "text" or not are_figures


def _plain(name: str) -> str:
    return "_".join(name.strip().lower().replace("-", " ").split())


def _longest(names: Sequence[str], records: Sequence[Record], *, taken: set[str]) -> str:
    """The field that is not taken and holds the longest values, when they are long enough to be prose."""
    if not records:
        return ""
    sizes = {name: sum(len(record.get(name, "")) for record in records) for name in names if name not in taken}
    longest = max(sizes, key=lambda name: sizes[name], default="")
    told = [record.get(longest, "") for record in records]
    count = sum(len(text.split()) for text in told)
    is_long = sum(map(len, told)) >= _PROSE * len(told)
    is_prose = count >= _PROSE_WORDS * len(told)
    return longest if is_long and is_prose else ""


def to_document(
    record: Record,
    fields: Fields,
    *,
    document_id: str,
    title: str,
    metadata: Iterable[tuple[str, str]] | None = None,
    is_row: bool = False,
) -> Document:
    """The document of one record; `title` when it has none. Fields without a part become metadata.

    `metadata`, when given, is kept whole, and fills the source, date and url that the record lacks. Of the row of a
    table the text says all: what it is about may stand in any column.
    """
    used = {name for name in (fields.id, fields.text, fields.title, fields.source, fields.date, fields.url) if name}
    others = [(name, value) for name, value in record.items() if name not in used and value]
    more = list(metadata or ())
    results = guess_fields([name for name, _ in more], [])
    extra = dict(more)
    if fields.text:
        text = record.get(fields.text, "")
        if is_row and others:
            between = "\n" if _ENDS.search(text) else "; " if text else ""
            text += between + _as_a_sentence(others)
    else:
        text = _as_a_sentence([(name, value) for name, value in record.items() if value and name != fields.id])
        others = others if len(text) > _LONGEST_RECORD else []  # what one passage does not hold
    return Document(
        document_id=document_id,
        title=one_line(record.get(fields.title, "") or extra.get(results.title, "") or title),
        text=clean(text).strip(),
        source=one_line(record.get(fields.source, "") or extra.get(results.source, "")),
        date=day(clean(record.get(fields.date, "") or extra.get(results.date, ""))),
        url=one_line(record.get(fields.url, "") or extra.get(results.url, "")),
        metadata=tuple((one_line(name), clean(value)) for name, value in [*more, *others] if value),
    )


_ENDS = re.compile(r"[.!?…。！？][\"'”’)\]]*\s*$")


def _as_a_sentence(cells: Iterable[tuple[str, str]]) -> str:
    """Named cells as one sentence; one that holds sentences itself stands on a line of its own."""
    short, long = list[str](), list[str]()
    cells = list(cells)
    if len(cells) == 1 and _ENDS.search(cells[0][1]) and " " in cells[0][1]:
        return cells[0][1]  # a remark in a row of its own
    for name, value in cells:
        (long if _ENDS.search(value) else short).append(f"{name}: {value}")
    return "\n".join(filter(None, ["; ".join(short), *long]))


_SAMPLE = 200
_NUMBER = re.compile(r"\d")
_RULE = re.compile(r"^[\s|:+=-]+$")
_YEAR = re.compile(r"(?:19|20)\d\d\b")
_FIGURE = re.compile(r"[\d.,]{1,40}")
_BAR = "|"
_WIDEST = 60
_FEWEST_NAMES, _MOST_ABOVE = 3, 10  # columns of a table below a title; rows of that title
_FEWEST_OF_FORM, _FEWEST_OF_TWO_HEADERS = 2, 3  # rows
_OF_FORMS = (2, 4)  # columns
# What no header says: a day, an address, the number of a telephone.
_TELLS = re.compile(
    r"\b\d{1,2}(?:\. ?\d{1,2}\. ?|/\d{1,2}/| [A-Z][a-z]{2,8} )(?:19|20)\d\d\b|\b\d{4}-\d\d-\d\d\b|\w@\w|\+\d"
)
# Who a form names first; a header calls a column of names otherwise ("Manager | Name").
_ROLE = re.compile(
    r"(?i)(?:(?:project|process|document|policy|team|product) )?(?:owner|author|chair(?:man|woman|person)?"
    r"|contact|deputy"
    r"|editor|manager|director|secretary|treasurer|sponsor|lead(?:er)?|head|tenant|landlord|client|customer|supplier"
    r"|prepared by|written by|approved by|responsible)"
)
_PERSON = re.compile(
    r"^(?!.{0,120}\b(?:Names?|Date|Title|Number|Team|E-?[Mm]ail|Phone)\b)"
    r"[A-Z][\w.’'-]{0,30}(?: [A-Z][\w.’'-]{0,30}){1,3}$"
)
_KINDS_OF_FORM = 3
_IN_BUILT = re.compile(r"[^\W\d_]|[\[\]()]|\.$")  # beside the figures of cells that are built alike: "S3", "[,2]", "4."
_RUN_OF_DIGITS = re.compile(r"\d{1,40}")


def text_of_table(rows: Sequence[Sequence[str]]) -> str:
    """Rows as lines: each cell after the name of its column under a header, with " | " between where there is none.

    A row that begins with a small letter stands apart by an empty line, or it would go on with the sentence before it.
    """
    lines = _lines_of(rows)
    apart = [f"\n{line}" if line[:1].islower() else line for line in lines[1:]]
    return "\n".join([*lines[:1], *apart])


def _lines_of(rows: Sequence[Sequence[str]]) -> list[str]:
    if _is_form(rows):
        return list(map(_line_of_form, rows))
    rows = _with_one_header(rows)
    at = header_at(rows)
    if len(rows) < at + 2 or not _is_header(rows[at], rows[at + 1 :]):
        return [" | ".join(filter(None, row)) for row in rows]
    header = rows[at]
    lines = [" | ".join(filter(None, row)) for row in rows[: at + 1]]
    body = rows[at + 1 :]
    names = [""] if _are_of_events(body) or _is_of_glosses(header) else header[1:]
    for row in body:
        label = row[0].removesuffix(":")
        named = zip(names, row[1:], strict=False)
        if _is_number(label) and header[0]:
            label, named = "", zip(header, row, strict=False)
        cells = "; ".join(f"{name} {cell}".strip() for name, cell in named if cell)
        lines.append(f"{label}: {cells}" if label and cells else cells or label)
    return lines


_GLOSS = re.compile(
    r"(?i)(?:definition|description|meaning|explanation|value|particular|detail|entry|content|information)s?"
)


def _is_of_glosses(header: Sequence[str]) -> bool:
    """Whether a table says of each name what it is, which needs no word before it: "bpm: beats per minute"."""
    return len(header) == 2 and _GLOSS.fullmatch(header[1]) is not None


_TIME_OF_EVENT = re.compile(r"[~≈]?\d{1,4}[-./:][\d?][\w?./: ~≈-]{1,25}")
_WORDS_OF_EVENT = 4


def _are_of_events(rows: Sequence[Sequence[str]]) -> bool:
    """Whether each row is a time with what happened then, in words that need no name of a column before them."""
    if any(len(row) != 2 for row in rows):
        return False
    times, events = zip(*rows, strict=True)
    if not all(map(_TIME_OF_EVENT.fullmatch, times)):
        return False
    told = [event for event in events if len(event.split()) >= _WORDS_OF_EVENT]
    return 2 * len(told) > len(rows)


def _is_form(rows: Sequence[Sequence[str]]) -> bool:
    """Whether each row is a label with its value, or two: with colons, or values that are under no header.

    Those are a day, an address or who has a role in the first row, or days, figures and words below one another.
    """
    pairs = [pair for row in rows for pair in _pairs(row)]
    labels = [label for label, _ in pairs]
    if len(rows) < _FEWEST_OF_FORM or not pairs:
        return False
    if all(label.endswith(":") for label in labels):
        return True
    are_pairs = all(len(row) in _OF_FORMS for row in rows)
    if not are_pairs or not all(map(_is_label, labels)) or len(set(labels)) < len(labels):
        return False
    at = len(_pairs(rows[0]))
    values = [value for _, value in pairs]
    told = [value for value in values[at:] if value]
    if any(map(_TELLS.search, values[:at])) or (_ROLE.fullmatch(labels[0]) and _PERSON.fullmatch(values[0])):
        return not all(map(_FIGURE.fullmatch, told))
    return at == 1 and len(set(map(_kind, told))) >= _KINDS_OF_FORM


def _kind(value: str) -> str:
    """What a value of a form is: a day or an address, a figure, or words. A column of a table is of one or two."""
    if _TELLS.search(value):
        return "address"
    return "figure" if _NUMBER.match(value) else "words"


def _is_label(cell: str) -> bool:
    return cell != "" and _is_name(cell) and _NUMBER.search(cell) is None


def _pairs(row: Sequence[str]) -> list[tuple[str, str]]:
    """The labels of a row of a form with their values; none where a cell stands alone."""
    if sum(map(bool, row)) < 2:
        return []
    return list(zip(row[::2], row[1::2], strict=False))


def _line_of_form(row: Sequence[str]) -> str:
    told = [f"{label.rstrip(': ')}: {value}" for label, value in _pairs(row) if label and value]
    return "; ".join(told) or " ".join(filter(None, row))


def _with_one_header(rows: Sequence[Sequence[str]]) -> Sequence[Sequence[str]]:
    """The rows with one header, where a second one parts the columns of the first: "Flow", "required", "measured".

    What parts them may be years, under a first column that the second does not name anew.
    """
    at = header_at(rows)
    if len(rows) < at + _FEWEST_OF_TWO_HEADERS:
        return rows
    above, below, *others = rows[at:]
    is_parted = any(one and one == other for one, other in pairwise(above))
    are_alike = len(set(above)) == 1 or len(set(below)) == 1
    first_goes_on = bool(below) and below[0] in ("", above[0])
    names = [cell for cell in below if not (first_goes_on and _YEAR.fullmatch(cell))]
    if not is_parted or are_alike or len(above) != len(below):
        return rows
    again = [one for one, other in zip(above, below, strict=True) if one and one == other]
    has_numbers = any(map(_NUMBER.search, names))
    if has_numbers and 2 * len(again) < len(above):  # cells that go over both rows
        return rows
    pairs = zip(above, below, strict=True)
    joined = [" ".join(filter(None, dict.fromkeys(pair))) for pair in pairs]
    if len(set(joined)) < len(joined):
        return rows
    return [*rows[:at], joined, *others]


def header_at(rows: Sequence[Sequence[str]]) -> int:
    """Return which row names the columns: the first, or below a title and remarks the first that is as full as most."""
    widths = [sum(map(bool, row)) for row in rows[:_SAMPLE]]
    usual = max(widths, key=lambda width: (widths.count(width), width), default=0)
    at = next((at for at, width in enumerate(widths) if width >= usual), 0)
    if usual < _FEWEST_NAMES or at > _MOST_ABOVE:
        return 0
    above, below = rows[: at + 1], rows[at + 1 :]
    widest = max(widths[0], widths[at - 1])
    is_apart = 2 * widest <= usual or _stands_over_figures(above, below)
    names = filter(None, rows[at])
    return at if is_apart and all(map(_is_name, names)) else 0


def _stands_over_figures(above: Sequence[Sequence[str]], below: Sequence[Sequence[str]]) -> bool:
    """Whether rows without a figure stand over others of which most have some: remarks and heads over a table."""
    width = _width(above[-1])
    body = [row for row in below[:_SAMPLE] if _width(row) >= width]
    heads = [cell for row in above for cell in row]
    if len(body) < _FEWEST_NAMED or any(map(_NUMBER.search, heads)):
        return False
    return all(any(map(_NUMBER.search, row)) for row in body)


def _width(row: Sequence[str]) -> int:
    return sum(map(bool, row))


def opens_table(rows: Sequence[Sequence[str]]) -> bool:
    """Whether rows after an empty one have a header of their own, full of names above figures."""
    header, *others = rows[header_at(rows) :]
    names = [cell for cell in header if cell]
    if len(names) < max(2, *(sum(map(bool, row)) for row in others), 0) or not all(map(_is_name, names)):
        return False
    return any(_NUMBER.search(cell) for row in others for cell in row)


def _is_name(cell: str) -> bool:
    return len(cell) <= _WIDEST and (not cell[0].isdigit() or _YEAR.match(cell) is not None)


def _is_number(cell: str) -> bool:
    return _FIGURE.fullmatch(cell) is not None and _YEAR.fullmatch(cell) is None


def with_named_rows(text: str, *, fewest: int = 1) -> str:
    """The text with the columns named in each row of its tables, which are lines with bars between their cells.

    Fewer rows than `fewest` stay as they are.
    """
    done: list[str] = []
    for lines in _tables_apart(text.split("\n")):
        is_table = len(_cells(lines[0])) > 1
        rows = [line for line in lines if is_table and not _RULE.match(line)]
        is_told = len(rows) >= max(1, fewest)
        if is_told:
            cells = list(map(_cells, rows))
            done.append(text_of_table(cells))
        else:
            done += lines
    return "\n".join(done)


def _tables_apart(lines: Sequence[str]) -> Iterator[list[str]]:
    """Each table of a text as its lines, and each other line alone.

    A rule stands below a header: the line above a further one begins another table.
    """
    table: list[str] = []
    behind_rule, is_ruled = 0, False
    for line in lines:
        is_rule = _RULE.match(line) is not None
        is_row = is_rule or len(_cells(line)) > 1
        if _BAR not in line or not is_row:
            yield from filter(None, [table])
            yield [line]
            table, behind_rule, is_ruled = [], 0, False
            continue
        if is_rule and is_ruled and behind_rule > 1 and "+" not in line:
            yield table[:-1]
            table = table[-1:]
        table.append(line)
        is_ruled = is_ruled or is_rule
        behind_rule = 0 if is_rule else behind_rule + 1
    yield from filter(None, [table])


def _cells(line: str) -> list[str]:
    return [" ".join(cell.split()) for cell in line.strip().strip(_BAR).split(_BAR)]


def _is_header(first: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row names the columns: short names, nearly one for each, over figures or beside a blank."""
    names = [cell for cell in first if cell]
    widest = max(sum(bool(cell) for cell in row) for row in rows)
    if len(names) < max(2, widest - 1) or max(map(len, names)) > _WIDEST:
        return False
    if first[0] and all(row[0] == first[0] for row in rows):  # bullets
        return False
    if _is_like_others(first, rows):
        return False
    has_corner = not first[0] and all(row[0] for row in rows)
    return has_corner or widest == len(names) or any(_NUMBER.search(cell) for row in rows for cell in row[1:])


def _is_like_others(first: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row is one of many: its label is a year as theirs are, or a cell is built as those below."""
    labels = [row[0] for row in rows]
    if _YEAR.match(first[0]) and all(map(_YEAR.match, labels)):
        return True
    for cell, column in zip(first, zip_longest(*rows, fillvalue=""), strict=False):
        built = _built(cell)
        has_both = "#" in built and _IN_BUILT.search(built) is not None
        if has_both and {built} == set(map(_built, filter(None, column))):
            return True
    return False


def _built(cell: str) -> str:
    return _RUN_OF_DIGITS.sub("#", cell).replace(" ", "")


_SPLIT = re.compile(r"(?i)(?:^|,\s*)(?:train|dev|test|valid(?:ation)?)[-_]\S*\d")
_OF_SPLITS = 0.2


def read_json(file: SourceFile) -> Reading:
    """The records as documents; lines that are no record are listed as problems."""
    text, notices = decode(file.data)
    problems: list[str] = []
    lines = file.key.lower().removesuffix(".gz").endswith((".jsonl", ".ndjson"))
    if lines:
        return _of_records(file, [("", list(_lines(text, problems)))], notices, problems)
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FileReadError(f"is not JSON ({error}); one record a line is read from .jsonl files") from error
    return _of_records(file, _lists_of([whole], is_answer=True), notices, problems)


def read_yaml(file: SourceFile) -> Reading:
    """The records as documents, their values as they are written: "7.10" is no 7.1, and "no" is a word."""
    import yaml

    text, notices = decode(file.data)
    try:
        _count_values(text)
        parts = [part for part in yaml.load_all(text, _yaml_as_written()) if part]
    except (yaml.YAMLError, RecursionError) as error:
        reading = read_plain(file)
        reason = one_line(str(error))[:_LONGEST_REASON]
        return replace(reading, notices=(*reading.notices, f"is not YAML ({reason}): read as plain text"))
    reading = _of_records(file, _lists_of(parts), notices, [])
    comments = "\n".join(_comments_in(text.split("\n")))
    if comments:
        document = Document(f"{file.key}:comments", f"{file.stem}, comments", comments)
        reading = replace(reading, documents=(*reading.documents, document))
    return reading


def _comments_in(lines: Sequence[str]) -> Iterator[str]:
    """What comments say, each with the line beside it or, of those on lines of their own, the line below."""
    said: list[str] = []
    for line in lines:
        told, comment = _parted(line)
        if comment:
            said.append(comment)
        if comment and not told:
            continue
        if said:
            parts = (" ".join(said), told)
            yield ": ".join(filter(None, parts))
        said = []
    if said:
        yield " ".join(said)


def _parted(line: str) -> tuple[str, str]:
    """What a line says and its comment, which nothing quoted stands before."""
    told, _, comment = line.partition("#")
    is_apart = not told or told[-1].isspace()
    if not is_apart or not {"'", '"'}.isdisjoint(told):
        told, comment = line, ""
    return told.strip(" -:\t"), comment.lstrip("#").strip()


_LONGEST_REASON = 160
_MOST_VALUES = 1_000_000  # of one YAML file
_DEEPEST_OF_YAML = 60  # lists and objects in one another


@cache
def _yaml_as_written() -> Any:
    """The safe loader of YAML, that makes no number, day, or yes and no of what is written; it follows "<<" only."""
    import yaml

    class AsWritten(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
        yaml_implicit_resolvers: ClassVar[dict[str, Any]] = {
            "<": [("tag:yaml.org,2002:merge", re.compile("<<"))],
            **{sign: [("tag:yaml.org,2002:null", re.compile("~|null|Null|NULL"))] for sign in "~nN"},
        }

    return AsWritten


def _count_values(text: str) -> None:
    """Raise a YAMLError where a text is too deep, or its aliases stand for too much: nine lines can for 387 million."""
    import yaml

    values = 0
    values_of: dict[str | None, int] = {}
    opened: list[tuple[str | None, int]] = []
    for event in yaml.parse(text, Loader=_yaml_as_written()):
        if isinstance(event, yaml.AliasEvent):
            values += values_of.get(event.anchor, 0)
        elif isinstance(event, yaml.CollectionStartEvent):
            opened.append((event.anchor, values))
        elif isinstance(event, yaml.CollectionEndEvent):
            anchor, before = opened.pop()
            values_of[anchor] = values - before
        elif isinstance(event, yaml.ScalarEvent):
            values += 1
            values_of[event.anchor] = 1
        if values > _MOST_VALUES:
            raise yaml.YAMLError(f"with what its aliases stand for it has more than {_MOST_VALUES:,} values")
        if len(opened) > _DEEPEST_OF_YAML:
            raise yaml.YAMLError(f"lists in lists go down more than {_DEEPEST_OF_YAML} levels")


Listed = Sequence[tuple[str, Any]]  # records with where each stands


def _of_records(
    file: SourceFile, lists: Sequence[tuple[str, Listed]], notices: tuple[str, ...], problems: list[str]
) -> Reading:
    """The documents of a file with some lists of records; the second and further lists go by their names."""
    documents: list[Document] = []
    told: dict[str, None] = {}
    judged = False
    for name, listed in lists:
        key = f"{file.key}:{name}" if name else file.key
        stem = f"{file.stem}, {name}" if name else file.stem
        fields, made, judged = _documents_of(key, stem, listed, problems)
        documents += made
        told.update({} if judged else {fields.notice: None})
    if judged and _names_splits(documents):
        documents = [replace(document, source="") for document in documents]
        notices = (*notices, "the sources name the splits of question sets, not who published: they are not used")
    return Reading(tuple(documents), (*notices, *told), few(problems), judged=judged)


def _documents_of(file: str, stem: str, listed: Listed, problems: list[str]) -> tuple[Fields, list[Document], bool]:
    """The documents of a list of records, which fields are what, and whether they are of a judged set (BEIR)."""
    places = [place for place, _ in listed]
    flat = [_flat(value) for _, value in listed]
    records = [record for record, _ in flat]
    fields = _fields(records)
    beir = _is_beir(file, fields)
    ids = unique_ids(
        [record.get(fields.id, "") or place for record, place in zip(records, places, strict=True)], problems
    )
    if not beir and _are_rows(fields, records):
        fields, records = replace(fields, id="", text=""), list(map(_in_words, records))
    documents = [
        to_document(
            record,
            _fitting(fields, record),
            document_id=key if beir else f"{file}:{key}",
            title="" if beir else f"{stem}, {key}",  # titles are searched, and BEIR's have none
            metadata=more,
        )
        for record, (_, more), key in zip(records, flat, ids, strict=True)
    ]
    return fields, documents, beir


def _names_splits(documents: Sequence[Document]) -> bool:
    """Whether the sources say which split of a question set a document was pooled from ("train-first200").

    All evidence of a question comes from one split, so that such a source tells something of the judgments.
    """
    named = sum(_SPLIT.search(document.source) is not None for document in documents)
    return named > _OF_SPLITS * len(documents)


def _fields(records: list[dict[str, str]]) -> Fields:
    sample = [record for record in records[:_SAMPLE] if list(record) != ["text"]] or records[:1]
    names = dict.fromkeys(name for record in sample for name in record)
    return guess_fields(list(names), sample)


def _are_rows(fields: Fields, records: Sequence[Record]) -> bool:
    """Whether records are rows of a table: none has a field that is the text of a document, and most are short."""
    if _plain(fields.text) in _OF_DOCUMENTS:
        return False
    sizes = sorted(sum(map(len, record.values())) for record in records)
    return bool(sizes) and sizes[len(sizes) // 2] < _LONGEST_RECORD


def _in_words(record: Record) -> dict[str, str]:
    """A record with the names of its fields as words: "unit_price" is asked for as the unit price."""
    return {name.replace("_", " "): value for name, value in record.items()}


def _fitting(fields: Fields, record: dict[str, str]) -> Fields:
    """The same fields, or those of this record when it lacks the one that holds the text."""
    if fields.text in record or not fields.text:
        return fields
    return guess_fields(list(record), [record])


def _is_beir(key: str, fields: Fields) -> bool:
    return PurePosixPath(key).name.lower() in BEIR_NAMES and fields.id == "_id" and fields.text == "text"


def _lines(text: str, problems: list[str]) -> Iterator[tuple[str, Any]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            problems.append(f"line {number} is not JSON ({error})")
            continue
        if isinstance(value, dict | str):
            yield f"line {number}", value
        else:
            problems.append(f"line {number}: expected an object, got {type(value).__name__}")


def _lists_of(parts: Sequence[Any], *, is_answer: bool = False) -> list[tuple[str, Listed]]:
    """The lists of records in the parts of a file, by name but for the longest; what is in none is a record too.

    The answer of a service has a status and counts beside its list, of which nobody asks.
    """
    found: list[tuple[str, list[Any]]] = []
    only = parts[0] if len(parts) == 1 else list(parts)
    if isinstance(only, dict):
        found += _lists_in(only, is_answer=is_answer)
    elif isinstance(only, list):
        found.append(("", only))
    else:
        found.append(("", [only]))
    every = [values for _, values in found]
    longest = max(every, key=len, default=None)
    lists: list[tuple[str, Listed]] = []
    for name, values in found:
        placed = ((f"record {n}", value) for n, value in enumerate(values, 1))
        listed = [each for each in placed if _is_record(each[1])]
        name = "" if values is longest else name
        lists.append((name, listed))
    return lists


def _is_record(value: Any) -> bool:
    return isinstance(value, dict | str)


def _lists_in(whole: Mapping[str, Any], *, is_answer: bool) -> Iterator[tuple[str, list[Any]]]:
    """The lists of objects in an object by their names, then what else it holds as one record."""
    others: dict[str, Any] = {}
    is_listed = False
    named = _named_in(whole, "name")
    if named:
        yield "", named
        return
    for name, value in whole.items():
        if isinstance(value, list) and value and isinstance(value[0], dict):
            is_listed = True
            yield str(name), value
            continue
        named = _named_in(value, _one_of(str(name)))
        if named:
            yield str(name), named
        else:
            others[name] = value
    is_flat = not any(map(_is_nested, others.values()))
    is_envelope = is_answer and is_listed and is_flat
    if others and not is_envelope:
        yield "others", [others]


def _one_of(name: str) -> str:
    """What one of several is called: "environment", of "environments"."""
    return name if name.endswith("ss") else name.removesuffix("s")


def _is_nested(value: Any) -> bool:
    return isinstance(value, dict | list)


def _named_in(value: Any, called: str) -> list[dict[str, Any]]:
    """The objects that an object holds by name, where nothing else is in it and they are alike; else none."""
    inner = list(value.values()) if isinstance(value, dict) else []
    are_objects = all(isinstance(each, dict) for each in inner)
    if len(inner) < _FEWEST_NAMED or not are_objects:
        return []
    first, *others = inner
    shared = set(first).intersection(*others)
    are_alike = 2 * len(shared) >= max(map(len, inner))
    if not shared or called in shared or not are_alike:
        return []
    return [{called: str(key), **each} for key, each in value.items()]


_DEEPEST = 3  # objects in objects that are read by field


def _flat(value: Any) -> tuple[dict[str, str], list[tuple[str, str]]]:
    """The fields of a record as text, and the pairs of its `metadata`."""
    if isinstance(value, str):
        return {"text": value}, []
    inner = value.get("metadata")
    if isinstance(inner, dict):
        more = [(str(name), _text(part)) for name, part in inner.items()]
    else:
        more = []
    own = {name: part for name, part in value.items() if name != "metadata" or not isinstance(inner, dict)}
    return dict(_fields_within(own)), more


def _fields_within(value: Mapping[str, Any], above: str = "", *, depth: int = 0) -> Iterator[tuple[str, str]]:
    """The fields of a record by name; those of an object in it are called after both: "owner team"."""
    for name, part in value.items():
        full = f"{above} {name}".strip()
        if isinstance(part, Mapping) and part and "name" not in part and depth < _DEEPEST:
            yield from _fields_within(part, full, depth=depth + 1)
        else:
            yield full, _text(part)


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, list) and all(isinstance(part, str | int | float) for part in value):
        return ", ".join(str(part) for part in value)
    if isinstance(value, Mapping) and set(value) >= {"name"}:
        return _text(value["name"])
    if isinstance(value, list) and all(isinstance(part, Mapping) for part in value):
        return ", ".join(" ".join(text for _, text in _fields_within(part, depth=_DEEPEST)) for part in value)
    return json.dumps(value, ensure_ascii=False)


_CELL = 64 * MIB
_FEWEST_NAMED = 2  # rows that a first column may name
_LONGEST_TITLE = 200
_LONGEST_OVER_FIGURES = 120  # characters of a column's name: "Share of drivers who had not been in an accident before"


def read_table(file: SourceFile) -> Reading:
    """The rows as documents, called after what stands above the header; the notices say which columns are what."""
    text, notices = decode(file.data)
    csv.field_size_limit(max(csv.field_size_limit(), _CELL))
    rows = list(_rows(text))
    if not rows:
        return Reading(())
    at = header_at([row for _, row in rows[:_SAMPLE]])
    title = ", ".join(cell for _, row in rows[:at] for cell in row if cell)[:_LONGEST_TITLE] or file.stem
    names, notice = _header(*(row for _, row in rows[at : at + _SAMPLE]))
    if not notice and not rows[at][1][0]:
        names, rows = _with_first_named(names, rows, at)
    body = rows[at:] if notice else rows[at + 1 :]
    problems = list(_open_quote(text, body))
    records = [_record(names, row, line, problems) for line, row in body]
    fields = guess_fields(names, records[:_SAMPLE])
    ids = unique_ids(
        [record.get(fields.id, "") or f"row {line}" for record, (line, _) in zip(records, body, strict=True)]
    )
    firsts = [record.get(names[0], "") for record in records]
    called = firsts if _name_rows(firsts) else ids
    documents = tuple(
        to_document(record, fields, document_id=f"{file.key}:{key}", title=f"{title}, {name}", is_row=True)
        for record, key, name in zip(records, ids, called, strict=True)
    )
    return Reading(documents, (*notices, *notice, fields.notice), few(problems))


def _open_quote(text: str, rows: Sequence[tuple[int, list[str]]]) -> Iterator[str]:
    """What is wrong where a quote is never closed: all that follows it is read as one cell of several lines."""
    if text.count('"') % 2 == 0 or not rows:
        return
    line, row = rows[-1]
    if any("\n" in cell for cell in row):
        yield f"row {line} opens a quote that is never closed, so all behind it is one cell; close it"


def _name_rows(cells: Sequence[str]) -> bool:
    """Whether each row has a short cell of a column, which is no figure, and no two have the same."""
    if len(cells) < _FEWEST_NAMED or "" in cells or max(map(len, cells)) > _WIDEST:
        return False
    return len(set(cells)) == len(cells) and not any(map(_FIGURE.fullmatch, cells))


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """The rows that hold anything, without white space around their cells, with the number of the row, from 1."""
    stated = _STATED_DELIMITER.match(text)  # Excel's own first line
    mark = stated[1] if stated else _delimiter(text)
    table = csv.reader(io.StringIO(text[stated.end() if stated else 0 :], newline=""), delimiter=mark)
    for line, row in enumerate(table, start=2 if stated else 1):
        cells = [cell.strip() for cell in row]
        if any(cells):
            yield line, cells


_STATED_DELIMITER = re.compile(r'(?i)"?sep=(.)"?\n')


def _delimiter(text: str) -> str:
    """Of , ; tab and | the one that cuts the first rows into the same number of cells, the most of them."""

    def score(mark: str) -> tuple[int, int]:
        try:
            widths = [len(row) for row in islice(csv.reader(io.StringIO(text, newline=""), delimiter=mark), 20) if row]
        except csv.Error:
            return 0, 0
        common = max(set(widths), key=widths.count) if widths else 0
        return (widths.count(common) if common > 1 else 0), common

    return max(",;\t|", key=score)


def _header(first: Sequence[str], *rows: Sequence[str]) -> tuple[list[str], tuple[str, ...]]:
    """The names of the columns, and a notice when the first row is data and the columns have no names.

    A column may lack its name where others hold figures under theirs.
    """
    names = [one_line(cell) for cell in first]
    numbered = [f"column {number}" for number in range(1, len(first) + 1)]
    given = [name for name in names if name]
    has_figures = _has_figures(names, rows)
    longest = _LONGEST_OVER_FIGURES if has_figures else _WIDEST
    are_names = len(set(given)) == len(given) > 1 and all(_could_be_a_name(name, longest) for name in given)
    is_complete = len(given) == len(names) or has_figures
    if any(map(is_known, names)) or (are_names and is_complete):
        named = [name or number for name, number in zip(names, numbered, strict=True)]
        return unique_ids(named), ()
    return numbered, ("no header row: the columns are numbered",)


def _with_first_named(
    names: Sequence[str], rows: Sequence[tuple[int, list[str]]], at: int
) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """The columns and rows of a table whose first column has no name: it numbers the rows, or says their names.

    Numbers of rows go; R and pandas write them so.
    """
    body = rows[at + 1 :]
    cells = [row[0] for _, row in body]
    if _count_rows(cells):
        return list(names[1:]), [(line, row[1:]) for line, row in rows]
    known = _NAMES["title"]
    has_title = any(_plain(name) in known for name in names)
    named = ["name", *names[1:]] if _name_rows(cells) and not has_title else names
    return list(named), list(rows)


def _count_rows(cells: Sequence[str]) -> bool:
    """Whether the cells of a column are the numbers of rows, from any on."""
    if len(cells) < _FEWEST_NAMED or not cells[0].isdigit():
        return False
    first = int(cells[0])
    return all(cell == str(number) for number, cell in enumerate(cells, first))


def _has_figures(names: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Whether under some of the names most cells are figures."""
    columns = zip_longest(*rows, fillvalue="")
    for name, column in zip(names, columns, strict=False):
        cells = [cell for cell in column if cell]
        if name and 2 * sum(_FIGURE.fullmatch(cell) is not None for cell in cells) > len(cells):
            return True
    return False


def _could_be_a_name(cell: str, longest: int) -> bool:
    return 0 < len(cell) <= longest and not cell.replace(".", "").isdigit()


def _record(names: Sequence[str], row: Sequence[str], line: int, problems: list[str]) -> dict[str, str]:
    """The cells by the names of their columns; a problem is noted where a row is longer than the header."""
    cells, columns = len(row), len(names)
    more = [f"column {number}" for number in range(columns + 1, cells + 1)]
    if any(row[columns:]):
        problems.append(f"row {line} has {cells} cells, the header {columns}: the rest has no names")
    return dict(zip([*names, *more], row, strict=False))


def read_plain(file: SourceFile) -> Reading:
    """The text with a paragraph on a line; a short first line that stands alone, or is underlined, is the title."""
    text, notices = decode(file.data)
    head, text = _parted_from_head(text)
    is_spoken = text.startswith("WEBVTT") or len(_CUE.findall(text, 0, _HEAD_OF_FILE)) > 1
    if is_spoken:
        text = _without_cues(text)
    heading = "" if is_spoken else _first_heading(text)
    text = text.strip()
    is_remark = heading.startswith(("[", "(")) and heading.endswith(("]", ")"))
    if heading and heading[-1] not in ".!?:;," and not is_remark:
        title = heading
    else:
        title = file.stem
    title = head.get("Title", title)
    text = _with_turns(with_whole_lines(text))
    text = with_named_rows(_with_bars(text), fewest=_FEWEST_ALIKE)
    author = (("author", head["Author"]),) if "Author" in head else ()
    document = Document(file.key, title, text, metadata=author, outline=sections_told(text))
    return Reading((document,), notices)


# Most free books in plain files come from Project Gutenberg, between a head and a licence.
_OF_BOOK = re.compile(r"(?m)^\*{3} ?(START|END) OF (?:THE|THIS) PROJECT GUTENBERG EBOOK\b[^\n]{0,200}$")
_FIELD_OF_BOOK = re.compile(r"(?m)^(Title|Author): ([^\n]{1,200})$")


def _parted_from_head(text: str) -> tuple[dict[str, str], str]:
    """The title and the author that the head of a book states, and the book between its head and its licence."""
    marks = list(_OF_BOOK.finditer(text))
    if [mark[1] for mark in marks] != ["START", "END"]:
        return {}, text
    start, end = marks
    head = {name: value.strip() for name, value in _FIELD_OF_BOOK.findall(text, 0, start.start())}
    return head, text[start.end() : end.start()].strip("\n")


# Captions (WebVTT, SubRip): "00:00:01.000 --> 00:00:04.000", and below it what is said then.
_CUE = re.compile(r"(?m)^(?:\d{1,3}:)?\d\d:\d\d[.,]\d{1,3} --> ")
_VOICE = re.compile(r"<v(?:\.[\w.]{1,40})? ([^<>\n]{1,80})>")
# A line of captions with which another speaks: "- Where?", "- ANN: Here.", "ANN: Here."
_DASH = re.compile(r"^(?:[-–—]|>>) ?(?=\w)")
_ANOTHER = re.compile(r"(?:[-–—]|>>) ?\w|[A-Z][\w.'’-]{0,24}(?: [A-Z][\w.'’-]{0,24}){0,3}: \S")
_OF_CUES = re.compile(r"(?i)</?[a-z\d][\w:.]{0,20}[^<>\n]{0,80}>|\{\\[^{}\n]{0,40}\}")
_HEAD_OF_FILE = 20_000  # characters
_LONGEST_TURN = 90  # words of one voice, after which a sentence ends a paragraph


def _without_cues(text: str) -> str:
    """What captions say, without their times: a paragraph for each voice that takes its turn, and of a long turn."""
    paragraphs: list[list[str]] = []
    voice, last = "", ""
    for block in _BLANK_BETWEEN.split(text):
        time = _CUE.search(block)
        if time is None:
            continue
        _, _, said = block[time.start() :].partition("\n")
        for line in filter(None, said.split("\n")):
            named = _VOICE.search(line)
            plain = one_line(_OF_CUES.sub("", line))
            if not plain or plain == last:  # rolling captions say a line twice
                continue
            another = _ANOTHER.match(plain)
            plain = _DASH.sub("", plain)
            is_new = (named is not None and named[1] != voice) or another is not None
            if is_new or not paragraphs or _is_full(paragraphs[-1]):
                paragraphs.append([])
            if named and is_new:
                voice = named[1]
                paragraphs[-1].append(f"{voice}:")
            paragraphs[-1].append(plain)
            last = plain
    return "\n\n".join(" ".join(parts) for parts in paragraphs)


def _is_full(parts: Sequence[str]) -> bool:
    count = len(" ".join(parts).split())
    return count >= _LONGEST_TURN and _ENDS.search(parts[-1]) is not None


_BLANK_BETWEEN = re.compile(r"\n[ \t]{0,8}\n")
_UNDERLINE = re.compile(r"([=*~-])\1{2,200}")
_CENTRED, _LONGEST_HEADING = 8, 120  # spaces before a line; characters


def _first_heading(text: str) -> str:
    """The first line where a blank line or an underline follows it, or where it is centred; empty where it is long."""
    first, _, rest = text.lstrip("\n").partition("\n")
    heading = first.strip()
    below, _, _ = rest.partition("\n")
    is_underlined = _UNDERLINE.fullmatch(below.strip()) is not None
    is_apart = rest.startswith(("\n", " \n")) or is_underlined
    is_centred = len(first) - len(first.lstrip()) >= _CENTRED
    is_short = len(heading) <= _LONGEST_HEADING
    return heading if is_short and (is_apart or is_centred) else ""


# Who speaks, on a line of its own: "Helen Marsh", "Anneke de Vries (Executives)", "Ann Lee  00:41".
_SPEAKER = re.compile(
    r"(?P<who>[A-Z][\w.'’-]{0,24}(?: (?:[A-Z][\w.'’-]{0,24}|de|der|di|da|la|van|von|\d{1,2})){0,4}"
    r"(?: \([A-Z][^()\n]{2,40}\))?):?(?:[ \t]{1,8}[\[(]?(?:\d{1,2}:)?\d{1,2}:\d\d[\])]?)?"
)
_FEWEST_SPEAKERS, _OF_TURNS = 2, 0.2  # who speak twice; share of their lines in those of a transcript


def _with_turns(text: str) -> str:
    """A transcript with who speaks in front of what is said, where that stands on a line of its own."""
    lines = text.split("\n")
    filled = [number for number, line in enumerate(lines) if line.strip()]
    speakers = {number: _SPEAKER.fullmatch(lines[number].strip()) for number in filled}
    turns = {
        first: (second, who["who"])
        for first, second in pairwise(filled)
        if (who := speakers[first]) and _is_said(lines[second])
    }
    counts = Counter(who for _, who in turns.values())
    again = [count for count in counts.values() if count > 1]
    if len(again) < _FEWEST_SPEAKERS or sum(again) < _OF_TURNS * len(filled):
        return text
    for first, (second, name) in turns.items():
        lines[second] = f"{name}: {lines[second]}"
        lines[first:second] = [""] * (second - first)
    return _BLANKS.sub("\n\n", "\n".join(lines))


def _is_said(line: str) -> bool:
    """Whether a line holds a sentence of three words at least."""
    return len(line.split()) > 2 and not set(".?!…").isdisjoint(line)


_BLANKS = re.compile(r"\n{3,}")
_GAP = re.compile(r"(?<=\S)(?:[ \t]{2,80}|\t)(?=\S)")
_FEWEST_CELLS, _FEWEST_ALIKE = 3, 3  # of a row; rows of as many cells, one below the other


def _with_bars(text: str) -> str:
    """The text with a bar between the cells of its tables: lines below one another with as many gaps, under names."""
    done: list[str] = []
    for count, group in groupby(text.split("\n"), key=lambda line: len(_GAP.findall(line.strip())) + 1):
        lines = list(group)
        rows = [_GAP.split(line.strip()) for line in lines]
        if count >= _FEWEST_CELLS and len(lines) >= _FEWEST_ALIKE and _heads(*rows):
            lines = [f" {_BAR} ".join(row) for row in rows]
        done += lines
    return "\n".join(done)


def _heads(first: Sequence[str], *rows: Sequence[str]) -> bool:
    """Whether cells are names above figures: in most columns the others are figures."""
    columns = list(zip(*rows, strict=True))[1:]
    filled = [column for column in columns if all(map(_FIGURE.fullmatch, column))]
    return all(map(_is_name, first)) and 2 * len(filled) > len(columns)


READERS = {
    **dict.fromkeys((".jsonl", ".ndjson", ".json"), read_json),
    **dict.fromkeys((".yaml", ".yml"), read_yaml),
    **dict.fromkeys((".csv", ".tsv"), read_table),
    **dict.fromkeys((".txt", ".text", ".vtt", ".srt"), read_plain),
}
