"""Markdown, reStructuredText and notebooks: the words without their marks, and the fields that stand above them."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import count, pairwise, repeat
from typing import Any

from adaq_core.corpus.readers import Reading, SourceFile, decode, outline_of, sections_told
from adaq_core.corpus.readers.records import Fields, guess_fields, text_of_table, to_document
from adaq_core.corpus.readers.web import Heading, headings_and_text, is_of_part
from adaq_core.errors import FileReadError
from adaq_core.matching.lexicon import is_common_word
from adaq_core.model import Document

_FRONT = re.compile(r"(?s)---[ \t]*\n(.*?)\n?(?:---|\.\.\.)[ \t]*(?:\n|$)")
_TOML = re.compile(r"(?s)\+\+\+[ \t]*\n(.*?)\n?\+\+\+[ \t]*(?:\n|$)")
_DAY_OF_LINK = re.compile(r"(?<!\d)((?:19|20)\d\d)/([01]\d)/([0-3]\d)(?!\d)")
_FIELD = re.compile(r"^([A-Za-z_][\w -]{0,60}?)[ \t]*:[ \t]*(.*)")
# Fields that nothing fences off, as proposals and saved mails begin: "Title: …", ":Author: …".
_TOP_FIELD = re.compile(r":?([A-Za-z][\w-]{0,40}):[ \t]+(\S.*)")

Front = dict[str, str]


def read_markdown(file: SourceFile) -> Reading:
    """The prose without its marks; fields of the front matter that have no part of their own become metadata."""
    text, notices = decode(file.data)
    front, body, strange = _split(text.strip())
    headings, plain = _rendered(_TEMPLATE_LINK.sub("](#)", _without_marks_of_notes(_with_summary(front, body))))
    problems = tuple(f"front matter line not understood: {line[:80]!r}" for line in strange)
    return Reading((_document(file, front, headings, plain),), notices, problems)


# What programs for notes add to Markdown: links by names, hidden remarks, marks of blocks, boxes and footnotes.
_CODE_BLOCK = re.compile(r"(?m)^(`{3,20}|~{3,20})[^\n]{0,200}\n(?:(?!\1)[^\n]{0,4000}\n){0,2000}(?:\1[^\n]{0,200})?")
_MARKS_OF_NOTES = (
    (re.compile(r"!\[\[[^\[\]\n]{1,300}\]\]"), ""),
    (re.compile(r"(?<![\w`])\[\[#(?=[^\W\d])([^\[\]|#\n]{1,300})\]\]"), r"\1"),
    (re.compile(r"(?<![\w`])\[\[(?=\S)(?:[^\[\]|\n]{1,300}\|)?([^\[\]|\n]{1,300})\]\]"), r"\1"),
    (re.compile(r"%%[^%\n]{1,2000}%%"), ""),
    (re.compile(r"(?m)[ \t]\^[\w-]{1,40}$"), ""),
    (re.compile(r"(?<![\w=])==(?=\S)([^=\n]{1,500}?)(?<=\S)==(?![\w=])"), r"\1"),
    (re.compile(r"(?m)^(>[ \t]?)\[!\w{1,20}\][+-]?[ \t]{0,4}(\S[^\n]{0,200})?$"), r"\1**\2**\n\1"),
    (re.compile(r"(?m)^([ \t]{0,12}(?:>[ \t]?){1,4})\[!\w{1,20}\][+-]?[ \t]{0,4}"), r"\1"),
    (re.compile(r"(?m)^\[\^[\w-]{1,40}\]:[ \t]{1,8}"), "Note: "),
    (re.compile(r"\[\^[\w-]{1,40}\]"), ""),
)


def _without_marks_of_notes(body: str) -> str:
    """A text without the marks of notes, but in blocks of code, which stay as they are."""
    parts, at = list[str](), 0
    for block in _CODE_BLOCK.finditer(body):
        parts += [_unmarked(body[at : block.start()]), block[0]]
        at = block.end()
    return "".join([*parts, _unmarked(body[at:])])


def _unmarked(text: str) -> str:
    for mark, plain in _MARKS_OF_NOTES:
        text = mark.sub(plain, text)
    return text


_SUMMARIES = ("abstract", "excerpt", "summary", "description")
_FEWEST_OF_SUMMARY = 8  # words
_TITLE_LINE = re.compile(r"#[ \t][^\n]{1,300}\n+|")


def _with_summary(front: Front, body: str) -> str:
    """The body behind the sentences that the fields hold as its summary, which pages show above it."""
    for name in _SUMMARIES:
        told = front.get(name, "")
        is_prose = len(told.split()) >= _FEWEST_OF_SUMMARY and told[-1] in ".!?"
        if is_prose and told not in body:
            del front[name]
            title = _TITLE_LINE.match(body)
            at = title.end() if title else 0
            return f"{body[:at]}{told}\n\n{body[at:]}"
    return body


def read_rst(file: SourceFile) -> Reading:
    """The prose without directives and marks."""
    text, notices = decode(file.data)
    front, body, _ = _split(text.strip())
    title = _TITLE_LINE.match(body)
    if title and title[0]:  # as a description may stand below the name of its package
        front.setdefault("title", title[0].strip("# \n"))
        body = body[title.end() :]
    headings = [(level, _without_marks(heading)) for level, heading in _underlined(body)]
    return Reading((_document(file, front, headings, _prose(body)),), notices)


def _document(file: SourceFile, front: Front, headings: Sequence[Heading], text: str) -> Document:
    """The document of a file; a heading that opens it is its title, unless its fields say another.

    One of several of its level below the first is that of its part, and so is a day. A name of the file that the text
    often says stands before a title without it, and in place of one of several headings of its level.
    """
    opening, _, rest = text.partition("\n")
    is_title = bool(headings) and headings[0][1] == opening == front.get("title", opening)
    name = _name_of_file(file.stem, text, front.get("title") or (opening if is_title else ""))
    alike = [level for level, _ in headings if level == headings[0][0]]
    is_one_of_many = name and len(alike) > 1
    if is_title and not is_of_part(opening, headings) and not is_one_of_many:
        front["title"] = opening
        text, headings = rest.strip(), headings[1:]
    if name:
        front["title"] = f"{name}: {front['title']}" if "title" in front else name
    number = _number(front, file.stem)
    if number:
        front["title"] = f"{number}: {front['title']}" if "title" in front else number
    date = guess_fields([*front], []).date
    fields = Fields(text="text", title="title", source="source", date=date, url="url")
    document = to_document({**front, "text": text}, fields, document_id=file.key, title=file.stem)
    outline = outline_of(document.text, headings) if headings else sections_told(document.text)
    return replace(document, outline=outline)


_LONGEST_NAME, _OFTEN = 3, 3  # words of a file's name; times that its text says it


def _name_of_file(stem: str, text: str, title: str) -> str:
    """The name of the file as its text often says it and the title does not ("psutil" for "Quick links"), or nothing.

    A name of ordinary words ("notes") is that of no thing.
    """
    words = stem.split()
    if len(words) > _LONGEST_NAME or all(map(is_common_word, words)):
        return ""
    written = "[-_ ]?".join(map(re.escape, words))
    name = re.compile(rf"(?<!\w){written}(?!\w)", re.IGNORECASE)
    said = Counter(name.findall(text))
    if name.search(title) or said.total() < _OFTEN:
        return ""
    ((most_often, _),) = said.most_common(1)
    return str(most_often)


def _number(front: Front, stem: str) -> str:
    """What a document of a numbered series is called, where a field and the file's name say the same ("PEP 484")."""
    for name, value in front.items():
        if value.isdigit() and re.fullmatch(rf"{re.escape(name)}[-_ ]?0{{0,8}}{value}", stem, re.IGNORECASE):
            return f"{name.upper()} {value}"
    return ""


def _split(text: str) -> tuple[Front, str, list[str]]:
    """The fields before a text by their names in small letters, the text, and lines among the fields that are none."""
    toml = _TOML.match(text)
    if toml:
        front, strange = _fields_of_toml(toml[1])
        return front, text[toml.end() :].lstrip("\n"), strange
    match = _FRONT.match(text)
    if match is None:
        return *_top_fields(text), []
    front, strange = {}, []
    last, is_open = "", False  # the field before, and whether its value stands on the lines below it
    for line in match.group(1).splitlines():
        field = _FIELD.fullmatch(line.rstrip())
        bare = line.strip()
        if field:
            name, value = field.groups()
            last = name.strip().lower()
            is_open = not value.strip(" |>-+")
            front[last] = "" if is_open else _value(value)
        elif last and (is_open or line[:1].isspace()) and bare:
            between = ", " if is_open and bare.startswith("- ") else " "
            part = _value(bare.removeprefix("- "))
            front[last] = f"{front[last]}{between}{part}".strip(", ")
        elif bare and not bare.startswith("#"):
            strange.append(bare)
    return front, text[match.end() :].lstrip("\n"), strange


_LINKS = ("path", "permalink", "url", "slug")


def _is_table(value: object) -> bool:
    return isinstance(value, dict)


def _fields_of_toml(text: str) -> tuple[Front, list[str]]:
    """The fields of a TOML front matter, those of its tables among them; what is none is told."""
    try:
        read = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return {}, [str(error)]
    front: Front = {}
    for table in (read, *filter(_is_table, read.values())):
        for name, value in table.items():
            if not _is_table(value):
                front[name.lower()] = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    links = (front.get(name, "") for name in _LINKS)
    day = _DAY_OF_LINK.search(" ".join(links))
    if day and "date" not in front:
        front["date"] = "-".join(day.groups())
    return front, []


def _value(text: str) -> str:
    text = text.strip()
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    if text.startswith("[") and text.endswith("]"):
        parts = text[1:-1].split(",")
        return ", ".join(_value(part) for part in parts if part.strip())
    return text


def _top_fields(text: str) -> tuple[Front, str]:
    """The fields that open a text, when one is its title, and the text, which keeps the others."""
    fields: list[list[str]] = []
    lines = text.split("\n")
    for line in lines:
        field = _TOP_FIELD.fullmatch(line.rstrip())
        if field:
            fields.append([field.group(1), field.group(2)])
        elif fields and line.startswith((" ", "\t")) and line.strip():
            fields[-1][1] += f" {line.strip()}"
        else:
            break
    front = {name.lower(): value.strip() for name, value in fields}
    title = front.get("title") or front.get("subject")
    if len(fields) < 2 or not title:
        return {}, text
    kept = [f"{name}: {value}" for name, value in fields if value.strip() != title]
    rest = text.split("\n\n", 1)[1:]
    return {**front, "title": title}, "\n\n".join(["\n\n".join(kept), *rest])


# What a template puts there when a page is built: {% include "x" %}, {{< figure >}}, {{ value }}.
_TEMPLATE = re.compile(r"\{%[^%\n]{0,500}%\}|\{\{[^{}\n]{0,500}\}\}")
_TEMPLATE_LINK = re.compile(r"\]\(\{[{%][^()\n]{0,500}[%}]\}[^()\s]{0,500}\)")
_BRACE = "\0"  # one that stands in code, while templates are taken out
_DEEPEST = 60  # blocks in blocks: a list and its item are two


# "Location: Lyon or Munich", and no "10:30 we met".
_LABELLED = re.compile(r"[A-Z][^\W_][\w ()/'’-]{0,40}::? {1,4}\S")


@cache
def _parser() -> Any:
    """Blocks may stand in blocks, as outlines do; within words a bracket costs a step for each level allowed."""
    from markdown_it import MarkdownIt

    words = MarkdownIt("commonmark").enable("strikethrough")

    def read_words(state: Any) -> None:
        for token in state.tokens:
            if token.type == "inline":
                token.children = []
                words.inline.parse(token.content, words, state.env, token.children)

    blocks = MarkdownIt("commonmark", {"maxNesting": _DEEPEST}).enable("table")
    blocks.core.ruler.at("inline", read_words)
    return blocks


def _rendered(body: str) -> tuple[list[Heading], str]:
    """The headings of a Markdown text and its words, with a mark before each item of a list."""
    headings: list[Heading] = []
    blocks: list[str] = []
    mark, opens = "", False  # what stands before the next words, and whether they open a list
    numbers: list[Iterator[str]] = []
    tokens = iter(_parser().parse(body))
    for token in tokens:
        text = ""
        if token.type == "list_item_open":
            mark = next(numbers[-1])
        elif token.type in ("bullet_list_open", "ordered_list_open"):
            numbers.append(_marks(token))
            opens = len(numbers) == 1
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            numbers.pop()
        elif token.type == "heading_open":
            text = _inline(next(tokens))
            headings.append((int(token.tag[1]), text))
        elif token.type == "paragraph_open":
            text = _inline(next(tokens))
        elif token.type in ("fence", "code_block"):
            text = token.content.rstrip()
        elif token.type == "html_block":
            inside, text = headings_and_text(token.content)
            headings += inside
        elif token.type == "table_open":
            text = text_of_table(_rows(tokens))
        if text:
            blocks.append(("\n" if token.hidden and not opens else "\n\n") + mark + text)
            mark, opens = "", False
    return headings, "".join(blocks).strip()


def _marks(opening: Any) -> Iterator[str]:
    """What stands before the items of a list: a dash, or a number that counts them, however they are written."""
    if opening.type == "bullet_list_open":
        return repeat("- ")
    return (f"{number}. " for number in count(int(opening.attrGet("start") or 1)))


def _rows(tokens: Iterator[Any]) -> list[list[str]]:
    """The cells of a table, whose tokens are used up."""
    rows: list[list[str]] = []
    for token in tokens:
        if token.type == "table_close":
            break
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline":
            rows[-1].append(_inline(token))
    return rows


def _inline(token: Any) -> str:
    """The words of a paragraph of marked text; pictures, tags and what a template fills in are none.

    Lines of which each is a label with its value stay lines.
    """
    lines = [""]
    for child in token.children or ():
        if child.type == "text":
            lines[-1] += child.content
        elif child.type == "code_inline":
            lines[-1] += child.content.replace("{", _BRACE)
        elif child.type == "softbreak":
            lines.append("")
        elif child.type == "hardbreak":
            lines[-1] += "\n"
    are_labelled = len(lines) > 1 and all(map(_LABELLED.match, lines))
    words = _TEMPLATE.sub("", ("\n" if are_labelled else " ").join(lines)).replace(_BRACE, "{")
    return re.sub(r" {2,}", " ", words).strip()


# reStructuredText: what only builds a page with the options below it, pictures, and the targets of links.
_DIRECTIVE = re.compile(
    r"(?m)^[ \t]{0,12}\.\. (?:\|[^|\n]{1,80}\| )?"
    r"(?:image|figure|raw|contents|toctree|include|highlight|role|currentmodule|auto\w{1,20})::"
    r"[^\n]{0,2000}\n?(?:[ \t]{1,12}:[\w-]{1,40}:[^\n]{0,2000}\n?){0,20}"
)
_TARGET = re.compile(r"(?m)^[ \t]{0,12}(?:\.\. _[^\n]{1,300}:[^\n]{0,2000}|__ \S[^\n]{0,2000})$\n?")
_NAMED_TARGET = re.compile(r"(?m)^[ \t]{0,12}\.\. _`?([^\n:`]{1,100})`?:")
_REFERENCE = re.compile(r"(?<![\w`])(\w[\w.+-]{0,60}?)_{1,2}(?!\w)")
_ONLY_PICTURES = re.compile(r"(?m)^[ \t]{0,12}(?:\| {1,4})?(?:\|(?=\S)[\w -]{1,60}\|_{0,2}[ \t]{0,4}){1,20}$\n?")
_OPENS = re.compile(r"\.\. (?:[\w:-]{1,40}::|\[#?[\w.-]{1,40}\])[ \t]{0,8}")
_OPENS_CODE = re.compile(r"\.\. (?:code|code-block|sourcecode|math|parsed-literal|doctest|productionlist)::.{0,80}")
_REMARK = re.compile(
    r"(?m)^(?P<at>[ \t]{0,12})\.\.(?: {1,4}(?![ \[|_]|[\w:-]{1,40}::)[^\n]{0,2000})?[ \t]{0,4}$\n?"
    r"(?:(?P=at)[ \t]{1,40}\S[^\n]{0,2000}\n){0,60}"
)
_ITEM = re.compile(r"(?:[-*+•]|\(?(?:#|\d{1,3}|[a-zA-Z])[.)])[ \t]{1,8}(?=\S)|:[\w ./*-]{1,60}:(?:[ \t]{1,40}|$)")
_OF_A_TABLE = re.compile(r"[+|]|[=-]{2,120}[ \t]+[=-]{2}|>>> |\.\.\. ")
_RULE = re.compile(r"(?m)^[ \t]{0,40}(?:([-=~^\"'*+#`:.])\1{2,399}|=[= ]{2,200}=)[ \t]*$\n?")
_UNDERLINED = re.compile(r"(?m)^(?=\S.{0,400}\w)(.{1,400})\n([-=~^\"'*+#`:.])\2{2,399}$")
_ROLE = re.compile(r":(?:[a-z][\w.+-]{0,30}:)?([a-z][\w.+-]{0,30}):`([^`\n]{1,300})`")
_SERIES = frozenset(("pep", "rfc"))
_LINK = re.compile(r"`([^`<\n]{1,300}?)\s?<[^<>\n]{1,2000}>`_{0,2}")
_FOOTNOTE = re.compile(r"\s?\[#?[\w.-]{0,40}\]_(?!\w)")
_CODE = re.compile(r"`{1,2}([^`\n]{1,1000})`{1,2}_{0,2}")
_STRONG = re.compile(r"(?<![\w*])(\*{1,2})(?=\S)([^*\n]{1,1000}?)(?<=\S)\1(?![\w*])")


_ESCAPED = re.compile(r"\\(?=[:*_`|\\])")


def _underlined(body: str) -> list[Heading]:
    """The headings; the kind of line under the first is the first level, the next kind the second."""
    found = [match.groups() for match in _UNDERLINED.finditer(body)]
    kinds = list(dict.fromkeys(kind for _, kind in found))
    return [(kinds.index(kind) + 1, heading) for heading, kind in found]


def _prose(body: str) -> str:
    """The paragraphs of reStructuredText, each on a line; code and tables keep their lines."""
    targets = {target.lower() for target in _NAMED_TARGET.findall(body)}

    def named(reference: re.Match[str]) -> str:
        return reference[1] if reference[1].lower() in targets else reference[0]

    body = _REFERENCE.sub(named, body)
    for built in (_DIRECTIVE, _TARGET, _ONLY_PICTURES, _REMARK):
        body = built.sub("", body)
    body = _SIMPLE_TABLE.sub(_told_table, body.expandtabs())
    lines: list[list[str]] = []
    goes_on, code = -1, -1  # the indent of lines that go on with the last one; that of what stands before code
    for line in body.split("\n"):
        bare = line.strip()
        indent = len(line) - len(line.lstrip())
        if not bare or 0 <= code < indent:
            lines.append([line.rstrip()])
            goes_on = -1
            continue
        if _OPENS_CODE.fullmatch(bare):
            code, goes_on = indent, -1
            continue
        marked = _ITEM.match(bare) or _OPENS.match(bare)
        is_set = _is_set(bare)
        if indent == goes_on and not marked and not is_set:
            lines[-1].append(bare)
        else:
            lines.append([_OPENS.sub("", bare)])
            goes_on = -1 if is_set else indent + _inside(marked)
        code = indent if bare.endswith("::") else -1
    joined = (" ".join(parts) for parts in lines)
    text = _RULE.sub("", "\n".join(joined))
    return re.sub(r"\n{3,}", "\n\n", _without_marks(text)).strip()


# Of lines of "=" with gaps between, one above and one below; a third may stand below the header.
_BORDER = r"[ ]{0,12}={2,120}(?: {1,20}={2,120}){1,40} {0,8}"
_SIMPLE_TABLE = re.compile(
    rf"(?m)^(?P<border>{_BORDER})\n(?P<head>(?:(?! *=)[^\n]{{0,400}}\n){{1,8}})(?P<named>{_BORDER}\n(?!\n))?"
    rf"(?P<rows>(?:(?! *=)[^\n]{{1,400}}\n|\n(?!\n)){{0,400}}){_BORDER}$"
)


_OF_PAIRS = 2  # columns


def _told_table(table: re.Match[str]) -> str:
    """A simple table with a paragraph a row, which names its columns where they have names."""
    starts = [column.start() for column in re.finditer("=+", table["border"])]
    lines = f"{table['head']}{table['rows']}".split("\n")
    rows: list[list[str]] = []
    for line in lines:
        cells = _cells_at(line, starts)
        is_open = len(rows) > 1 and not cells[0]
        if is_open and any(cells) and len(cells) == len(rows[-1]):
            pairs = zip(rows[-1], cells, strict=True)
            rows[-1] = [" ".join(filter(None, pair)) for pair in pairs]
        elif any(cells) and not set(line) <= set("- "):
            rows.append(cells)
    if table["named"]:
        told = text_of_table(rows).split("\n")
    else:
        between = ": " if len(starts) == _OF_PAIRS else " | "
        told = [between.join(filter(None, row)) for row in rows]
    return "\n{}\n".format("\n\n".join(filter(None, told)))


def _cells_at(line: str, starts: Sequence[int]) -> list[str]:
    """The cells of a row by the places of its columns; by its gaps where words cross those."""
    if any(line[start - 1 : start].strip() for start in starts[1:]):
        cells = re.split(" {2,}", line.strip())
        return ["", *cells] if len(cells) == len(starts) - 1 else cells
    borders = [*starts, len(line) + 1]
    return [line[start:end].strip() for start, end in pairwise(borders)]


def _inside(marked: re.Match[str] | None) -> int:
    """How far the lines below are indented that go on with a line: as its words are, or by three in a directive."""
    if marked is None:
        return 0
    return 3 if marked[0].startswith("..") else marked.end()


def _is_set(line: str) -> bool:
    """Whether a line stands for itself: one of a table, of a dialogue with a program, a rule."""
    return bool(_OF_A_TABLE.match(line) or _RULE.fullmatch(line))


def _without_marks(text: str) -> str:
    text = _LINK.sub(r"\1", _ROLE.sub(_meant, text))
    text = _CODE.sub(r"\1", _FOOTNOTE.sub("", text))
    text = _ESCAPED.sub("", _STRONG.sub(r"\2", text))
    return re.sub(r"::$", ":", text, flags=re.MULTILINE)


def _meant(role: re.Match[str]) -> str:
    """The words of a role: those before its target; a document of a series keeps the series ("PEP 8")."""
    name, text = role.groups()
    words, _, _ = text.partition(" <")
    plain = words.lstrip("~!")
    return f"{name.upper()} {plain}" if name in _SERIES else plain


def read_notebook(file: SourceFile) -> Reading:
    """The prose of a notebook and what its code printed; the code itself is left out, and a notice says so."""
    text, notices = decode(file.data)
    try:
        cells = json.loads(text)["cells"]
        parts = [part for cell in cells for part in _of_cell(cell)]
        of_code = sum(cell["cell_type"] == "code" for cell in cells)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise FileReadError("expected a notebook (JSON with “cells”); save it again with its program") from error
    prose = "\n\n".join(filter(None, parts))
    read = read_markdown(replace(file, data=prose.encode()))
    left = (f"{of_code} of {len(cells)} cells are code: what they printed was read",) if of_code else ()
    return replace(read, notices=(*notices, *left, *read.notices))


def _of_cell(cell: Mapping[str, Any]) -> Iterator[str]:
    if cell["cell_type"] != "code":
        yield _joined(cell["source"])
        return
    for output in cell["outputs"]:
        data = output.get("data", {})
        shown = data.get("text/markdown") or data.get("text/plain", "")
        yield _joined(output.get("text") or shown)


def _joined(lines: str | Sequence[str]) -> str:
    return lines if isinstance(lines, str) else "".join(lines)


READERS = {
    ".ipynb": read_notebook,
    **dict.fromkeys((".md", ".markdown"), read_markdown),
    ".rst": read_rst,
}
