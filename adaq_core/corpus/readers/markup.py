"""Text that is marked up: web pages and e-books, Markdown and reStructuredText; the words without their marks.

The main text of a web page, without menus and footers, is found by trafilatura.
"""

from __future__ import annotations

import logging
import posixpath
import re
import tomllib
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import replace
from functools import cache
from itertools import chain, count, islice, pairwise, repeat
from typing import Any
from urllib.parse import unquote

from adaq_core.corpus.readers import Reading, SourceFile, archive_in, clean, day, decode, one_line, outline_of
from adaq_core.corpus.readers.records import Fields, guess_fields, text_of_table, to_document, with_named_rows
from adaq_core.errors import FileReadError
from adaq_core.model import Document

Heading = tuple[int, str]  # its level and its words

_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?([\w-]{1,40})", re.IGNORECASE)
_BLOCKS = ("p", "div", "li", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "br", "table", "section", "dt", "dd", "pre")
_HEADS = ("h1", "h2", "h3", "h4", "h5", "h6")
_SENTENCES = ("p", "li", "dd", "dt", "td", "th", *_HEADS)
_DROPPED = "dropped"
_UNREAD = ("script", "style", "noscript", "template", "title")
_LONGEST_MARK, _LONGEST_TERM, _LONGEST_CELL = 5, 80, 400  # characters
_SPAN = re.compile(r"[1-9]\d?(?!\d)")  # rows or columns of a cell
_MOST_FILLED, _MOST_INSIDE = 4, 8  # times the cells of a table; elements of a cell that spans several
_FEWEST_LABELS = 2  # rows
_LINE = "\n"
_SPACES = re.compile(r"[ \t\r\n\f]+")
_LINE_BORDERS = re.compile(r"^ (?=\S)|(?<![ \t])[ \t]+$", re.MULTILINE)
_OF_LINKS = 0.9  # of the characters of a menu
_SECTION_WORDS = 25  # of a section that counts; boxes of news pages have fewer
_SECTIONS_LOST = 2
_MOST_FRAMED = 30_000  # elements: trafilatura takes time by the square of those in a frame, 1 s for 10,000
_DATES = {"extensive_search": False, "original_date": True}


def read_html(file: SourceFile) -> Reading:
    """The main text, with the title, site, date and address it states; all of its text when there is no main part."""
    from trafilatura import extract_metadata

    page, notices = _decode(file.data)
    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)
    facts: Any = extract_metadata(page, date_config=_DATES)
    headings, whole = headings_and_text(page)
    text = _main_text(page, headings)
    if not text:
        text = whole
        notices = (*notices, "no main part was found: all the text of the page was taken")
    document = Document(
        document_id=file.key,
        title=one_line(_stated_title(facts.title or "", headings) or _title(page) or file.stem),
        text=text,
        source=one_line(facts.sitename or ""),
        date=day(facts.date or ""),
        url=one_line(facts.url or ""),
        metadata=(("author", one_line(facts.author)),) if facts.author else (),
        outline=outline_of(text, headings),
    )
    return Reading((document,), notices)


def _stated_title(title: str, headings: Sequence[Heading]) -> str:
    """The title that was found in a page; none where it is one of several headings, which are of its parts."""
    title = _without_sign(title)
    levels = [level for level, _ in headings]
    parts = [heading for level, heading in headings if level == min(levels)]
    is_of_part = title in parts and len(parts) > 1
    return "" if is_of_part and min(levels) > 1 else title


def _is_of_data(cell: Any) -> bool:
    """Whether a cell stands in a row of several and holds little, so that it is none of a layout."""
    return not _is_alone(cell) and cell.find(".//table") is None and len(cell.text_content()) < _LONGEST_CELL


def _is_alone(node: Any) -> bool:
    return node.getprevious() is None and node.getnext() is None


def _main_text(page: str, headings: Sequence[Heading]) -> str:
    """What trafilatura takes for the main text; where it sees no frame and loses sections, of all the page in one.

    A piece of a page without a body ("<h1>…</h1><p>…") has no menus to leave out: it is one main part.
    """
    from trafilatura import load_html
    from trafilatura.xpaths import BODY_XPATH

    tree = load_html(page)
    if tree is None:
        return ""
    _unname_text(_cleaned(tree))
    _drop(filter(_is_empty, tree.iter("span")))
    if is_piece := tree.tag != "html":
        tree = _in_body(tree)
    text = _extracted(tree)
    if (
        tree.find("body") is None
        or any(frame(tree) for frame in BODY_XPATH)
        or sum(1 for _ in tree.iter()) > _MOST_FRAMED
    ):
        return text
    whole = _extracted(_framed(tree))
    gained = _sections(whole, headings) - _sections(text, headings)
    return whole if is_piece or gained >= _SECTIONS_LOST else text


def _in_body(piece: Any) -> Any:
    """A page with nothing but a piece of one."""
    page = piece.makeelement("html")
    page.append(page.makeelement("body"))
    page[0].append(piece)
    return page


def _extracted(tree: Any) -> str:
    from trafilatura import bare_extraction

    result: Any = bare_extraction(tree, include_comments=False)
    text = _LINE_BORDERS.sub("", result.text or "") if result else ""
    return with_named_rows(clean(text).strip())


def _framed(tree: Any) -> Any:
    """The elements of a page with all that it holds in one main part, but lists of links alone, which are menus."""
    body = tree.find("body")
    frame = body.makeelement("main")
    frame.text, body.text = body.text, None
    frame.extend(list(body))
    body.append(frame)
    for menu in [node for node in frame.iter("ul", "ol") if _is_menu(node)]:
        menu.drop_tree()
    return tree


def _is_menu(menu: Any) -> bool:
    links = [one_line(link.text_content()) for link in menu.iter("a")]
    return len(links) > 1 and len("".join(links)) >= _OF_LINKS * len(one_line(menu.text_content()))


def _sections(text: str, headings: Sequence[Heading]) -> int:
    """How many of the headings stand in a text with a section below them."""
    starts = [start for start, _ in outline_of(text, headings)]
    return sum(len(text[start:end].split()) > _SECTION_WORDS for start, end in pairwise([*starts, len(text)]))


def headings_and_text(page: str) -> tuple[list[Heading], str]:
    """The headings of a page, each with its level, and all of its text, a block on a line."""
    tree = _tree(page)
    if tree is None:
        return [], ""
    heads = tree.iter("h1", "h2", "h3", "h4")
    headings = [(int(node.tag[1]), one_line(node.text_content())) for node in heads]
    in_cells = {node for cell in tree.iter("td", "th") if _is_of_data(cell) for node in cell.iter(*_BLOCKS)}
    for node in tree.iter(*_BLOCKS):
        node.tail = f"{' ' if node in in_cells else _LINE}{node.tail or ''}"
    for cell in tree.iter("td", "th"):
        cell.tail = f" | {cell.tail or ''}"
    lines = (one_line(line).strip(" |") for line in tree.text_content().split("\n"))
    return headings, with_named_rows("\n".join(line for line in lines if line))


def _unname_text(tree: Any) -> None:
    """Take the names off what is none of a layout, for trafilatura leaves out what is called like a menu or a button.

    That is what stands in a sentence ("guibutton"), around a heading, and a section that is named after its heading.
    """
    for node in tree.iter("span"):
        if any(above.tag in _SENTENCES for above in node.iterancestors()):
            _unname(node)
    for node in tree.iter(*_HEADS):
        _unname_around(node)


def _unname(node: Any) -> None:
    for name in ("class", "id"):
        node.attrib.pop(name, None)


def _unname_around(heading: Any) -> None:
    """Take the names off what holds a heading alone, and the id off the section that it opens, if it repeats it."""
    inner, around = heading, heading.getparent()
    while around is not None and _is_alone(inner) and around.tag != "body" and not (around.text or "").strip():
        _unname(around)
        inner, around = around, around.getparent()
    words = _letters(heading.text_content())
    if around is not None and _letters(around.get("id", "")) in words:
        around.attrib.pop("id", None)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))


def _decode(data: bytes) -> tuple[str, tuple[str, ...]]:
    """The page in the encoding it declares, else as any text."""
    declared = _CHARSET.search(data[:4096])
    if declared and not data.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")):
        try:
            return clean(data.decode(declared.group(1).decode())), ()
        except (LookupError, UnicodeError):
            text, notices = decode(data)
            return text, (*notices, f"declares the encoding {declared.group(1).decode()!r}, which it is not in")
    return decode(data)


def _tree(page: str) -> Any:
    """The elements of a page that are read; None where there are none."""
    from lxml import etree  # type: ignore[import-untyped]
    from lxml.html import HTMLParser, document_fromstring  # type: ignore[import-untyped]

    try:
        tree = document_fromstring(page.encode("utf-8"), parser=HTMLParser(encoding="utf-8"))
    except (etree.ParserError, ValueError):
        return None
    etree.strip_elements(tree, *_UNREAD, etree.Comment, with_tail=False)
    return _cleaned(tree)


def _cleaned(tree: Any) -> Any:
    """The elements of a page without signs in headings and marks of notes, anchors as spans, terms before meanings.

    The lines of the source are none of the text, unless it is preformatted.
    """
    _tell_unknown(tree)
    in_headings = chain.from_iterable(heading.iter("a", "span") for heading in tree.iter(*_HEADS))
    _drop(filter(_is_sign, in_headings))
    _drop(filter(_is_mark, tree.iter("sup")))
    for anchor in tree.iter("a"):
        if not anchor.get("href"):
            anchor.tag = "span"
    for term in list(tree.iter("dt")):
        _tell_term(term)
    for table in tree.iter("table"):
        if _is_of_one_column(table):
            _tell_head(table)
        elif table.find(".//table") is None:
            _fill_spans(table)
            _tell_labels(table)
    kept = {node for block in tree.iter("pre", "textarea", "script", "style") for node in block.iter()}
    for node in tree.iter():
        if node.text and node not in kept:
            node.text = _SPACES.sub(" ", node.text)
        if node.tail and node.getparent() not in kept:
            node.tail = _SPACES.sub(" ", node.tail)
    return tree


_NEWER_TAGS = frozenset(
    (
        "article",
        "aside",
        "audio",
        "bdi",
        "canvas",
        "data",
        "details",
        "dialog",
        "figcaption",
        "figure",
        "footer",
        "header",
        "hgroup",
        "main",
        "mark",
        "math",
        "meter",
        "nav",
        "output",
        "picture",
        "progress",
        "rp",
        "rt",
        "ruby",
        "search",
        "section",
        "slot",
        "source",
        "summary",
        "svg",
        "template",
        "time",
        "track",
        "video",
        "wbr",
    )
)


def _tell_unknown(tree: Any) -> None:
    """Make elements that no browser knows plain ones ("<notr>Berm</notr>"): trafilatura leaves out their text."""
    from lxml.html import defs

    known = defs.tags | _NEWER_TAGS
    for node in [node for node in tree.iter() if isinstance(node.tag, str) and node.tag not in known]:
        if next(node.iterancestors("svg", "math"), None) is None:
            node.tag = "div" if any(child.tag in _BLOCKS for child in node) else "span"


def _drop(nodes: Iterable[Any]) -> None:
    """Take parts out of a page in one go, each but the text behind it: one by one, that text is copied for each."""
    from lxml import etree

    dropped = list(nodes)
    for node in dropped:
        node.tag = _DROPPED
    if dropped:
        etree.strip_elements(dropped[0].getroottree(), _DROPPED, with_tail=False)


def _is_empty(node: Any) -> bool:
    return not len(node) and not node.text


def _is_of_one_column(table: Any) -> bool:
    """Whether no row of a table has two cells that hold text: it is a box around a note."""
    if table.find(".//table") is not None:
        return False
    return all(sum(bool(cell.text_content().strip()) for cell in row.iter("td", "th")) < 2 for row in table.iter("tr"))


def _tell_head(box: Any) -> None:
    """Put a colon after the head of a box ("Note"), which stands on one line with its text where an item holds it."""
    heads = [cell for cell in box.iter("th") if one_line(cell.text_content())[-1:].isalnum()]
    for head in heads[:1]:
        _put_colon(head)


def _put_colon(head: Any) -> None:
    last = head[-1] if len(head) else None
    if last is None:
        head.text = f"{(head.text or '').rstrip()}:"
    else:
        last.tail = f"{(last.tail or '').rstrip()}:"


def _cells_in(row: Any) -> list[Any]:
    return [cell for cell in row if cell.tag in ("td", "th")]


def _tell_labels(table: Any) -> None:
    """Put a colon after the heads of rows where each row is one with its value, as in a box of facts."""
    rows = [cells for cells in map(_cells_in, table.iter("tr")) if len(cells) > 1]
    kinds = [[cell.tag for cell in row] for row in rows]
    if len(rows) < _FEWEST_LABELS or any(kind != ["th", "td"] for kind in kinds):
        return
    for head, _ in rows:
        if one_line(head.text_content())[-1:].isalnum():
            _put_colon(head)


def _fill_spans(table: Any) -> None:
    """Let a short cell that spans several rows or columns stand in each; one that is alone in its row stands once."""
    left = _MOST_FILLED * sum(1 for _ in table.iter("td", "th"))
    above: dict[int, tuple[int, Any]] = {}  # for how many rows more a cell counts in a column
    for row in table.iter("tr"):
        own = _cells_in(row)
        cells: list[Any] = []
        while own or len(cells) in above:
            column = len(cells)
            if column in above:
                rows, cell = above.pop(column)
                wide, filled = 1, [_copied(cell)]
            else:
                cell = own.pop(0)
                rows, wide = _spans(cell, alone=not own and not cells)
                filled = [cell, *(_copied(cell) for _ in range(wide - 1))]
            left -= len(filled)
            if left < 0:
                return
            if rows > 1:
                over = range(column, column + wide)
                above.update(dict.fromkeys(over, (rows - 1, cell)))
            cells += filled
        row[:] = cells


def _spans(cell: Any, *, alone: bool) -> tuple[int, int]:
    """How many rows and columns a cell stands in; 1 for what is no short label."""
    is_rich = next(islice(cell.iter(), _MOST_INSIDE, None), None) is not None
    if alone or is_rich or len(cell.text_content()) > _LONGEST_TERM:
        return 1, 1
    return _count_of(cell, "rowspan"), _count_of(cell, "colspan")


def _count_of(cell: Any, name: str) -> int:
    told = _SPAN.match(cell.attrib.pop(name, ""))
    return int(told[0]) if told else 1


def _copied(cell: Any) -> Any:
    copy = deepcopy(cell)
    copy.tail = None
    return copy


def _without_sign(title: str) -> str:
    return title.strip().rstrip("¶").strip()


def _is_sign(node: Any) -> bool:
    """Whether a part of a heading is no word of it: "¶", "#", "[edit]"."""
    if "editsection" in node.get("class", ""):
        return True
    text = node.text_content().strip()
    return node.tag == "a" and len(text) == 1 and not text.isalnum()


def _is_mark(raised: Any) -> bool:
    """Whether what is raised leads to a note: "[1]", or a number or sign that is a link within the page."""
    text = raised.text_content().strip()
    if text.startswith("[") and text.endswith("]"):
        return True
    return len(text) < _LONGEST_MARK and any(link.get("href", "").startswith("#") for link in raised.iter("a"))


def _tell_term(term: Any) -> None:
    """Put a short term of a list in front of its description: "Date: the day of the split"."""
    said, words = term.getnext(), one_line(term.text_content())
    if said is None or said.tag != "dd" or not words or len(words) > _LONGEST_TERM or words[-1] in ".?!":
        return
    if said.find(".//dl") is not None:
        return
    inner = said if (said.text or "").strip() or not len(said) or said[0].tag != "p" else said[0]
    inner.text = f"{words.rstrip(':')}: {(inner.text or '').lstrip()}"
    term.getparent().remove(term)


def _title(page: str) -> str:
    match = re.search(r"<title[^>]{0,200}>([^<]{1,500})", page, re.IGNORECASE)
    return match.group(1) if match else ""


_CORE = "{http://purl.org/dc/elements/1.1/}"
_PACKAGE = "{http://www.idpf.org/2007/opf}"
_NO_EPUB = "is not an .epub, or a damaged one; get a fresh copy"
_CONTAINER = "{urn:oasis:names:tc:opendocument:xmlns:container}"


def read_epub(file: SourceFile) -> Reading:
    """The text of all chapters, with the title, author and date that the book states."""
    from defusedxml.ElementTree import fromstring  # type: ignore[import-untyped]

    archive = archive_in(file, _NO_EPUB)
    try:
        root = fromstring(archive.read("META-INF/container.xml")).find(f".//{_CONTAINER}rootfile")
        place = root.get("full-path") if root is not None else None
        if place is None:
            raise FileReadError("is not a whole .epub, as it names no contents; get a fresh copy")
    except (zipfile.BadZipFile, KeyError) as error:
        raise FileReadError(_NO_EPUB) from error
    package = fromstring(archive.read(place))
    chapters, problems = _chapters(archive, package, posixpath.dirname(place))
    text = clean("\n\n".join(text for _, text in chapters if text))
    author = _element_text(package, "creator")
    document = Document(
        file.key,
        _element_text(package, "title") or file.stem,
        text,
        source=_element_text(package, "publisher"),
        date=day(_element_text(package, "date")),
        metadata=(("author", author),) if author else (),
        outline=outline_of(text, [heading for headings, _ in chapters for heading in headings]),
    )
    return Reading((document,), (), tuple(problems))


def _chapters(archive: zipfile.ZipFile, package: Any, folder: str) -> tuple[list[tuple[list[Heading], str]], list[str]]:
    """Headings and text of each chapter in reading order, without the contents, and the chapters that are missing."""
    items = {item.get("id"): item for item in package.iter(f"{_PACKAGE}item")}
    spine = [items.get(item.get("idref")) for item in package.iter(f"{_PACKAGE}itemref")]
    read = [item for item in spine if item is not None and "nav" not in item.get("properties", "").split()]
    chapters, problems = [], ["a chapter that its list of files lacks"] * spine.count(None)
    for href in dict.fromkeys(unquote(item.get("href", "")).partition("#")[0] for item in read):
        try:
            page = archive.read(posixpath.normpath(posixpath.join(folder, href)))
        except KeyError:
            problems.append(f"the chapter {href[:80]!r} is missing")
            continue
        chapters.append(headings_and_text(page.decode("utf-8", errors="replace")))
    return chapters, problems


def _element_text(package: Any, name: str) -> str:
    node = package.find(f".//{_CORE}{name}")
    return one_line(node.text or "") if node is not None else ""


_FRONT = re.compile(r"---[ \t]*\n(.*?)\n?(?:---|\.\.\.)[ \t]*(?:\n|$)", re.DOTALL)
_TOML = re.compile(r"\+\+\+[ \t]*\n(.*?)\n?\+\+\+[ \t]*(?:\n|$)", re.DOTALL)
_DAY_OF_LINK = re.compile(r"(?<!\d)((?:19|20)\d\d)/([01]\d)/([0-3]\d)(?!\d)")
_FIELD = re.compile(r"^([A-Za-z_][\w -]{0,60}?)[ \t]*:[ \t]*(.*)")
# Fields that nothing fences off, as proposals and saved mails begin: "Title: …", ":Author: …".
_TOP_FIELD = re.compile(r":?([A-Za-z][\w-]{0,40}):[ \t]+(\S.*)")

Front = dict[str, str]


def read_markdown(file: SourceFile) -> Reading:
    """The prose without its marks; fields of the front matter that have no part of their own become metadata."""
    text, notices = decode(file.data)
    front, body, strange = _split(text.strip())
    headings, plain = _rendered(_TEMPLATE_LINK.sub("](#)", _with_summary(front, body)))
    problems = tuple(f"front matter line not understood: {line[:80]!r}" for line in strange)
    return Reading((_document(file, front, headings, plain),), notices, problems)


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
    headings = [(level, _without_marks(heading)) for level, heading in _underlined(body)]
    return Reading((_document(file, front, headings, _prose(body)),), notices)


def _document(file: SourceFile, front: Front, headings: Sequence[Heading], text: str) -> Document:
    """The document of a file; a heading that opens it is its title, unless its fields say another."""
    opening, _, rest = text.partition("\n")
    if headings and headings[0][1] == opening == front.get("title", opening):
        front["title"] = opening
        text, headings = rest.strip(), headings[1:]
    number = _number(front, file.stem)
    if number:
        front["title"] = f"{number}: {front['title']}" if "title" in front else number
    date = guess_fields([*front], []).date
    fields = Fields(text="text", title="title", source="source", date=date, url="url")
    document = to_document({**front, "text": text}, fields, document_id=file.key, title=file.stem)
    return replace(document, outline=outline_of(document.text, headings))


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
_LABELLED = re.compile(r"[A-Z][^\W_][\w ()/'’-]{0,40}: {1,4}\S")


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
    r"^[ \t]{0,12}\.\. (?:\|[^|\n]{1,80}\| )?"
    r"(?:image|figure|raw|contents|toctree|include|highlight|role|currentmodule|auto\w{1,20})::"
    r"[^\n]{0,2000}\n?(?:[ \t]{1,12}:[\w-]{1,40}:[^\n]{0,2000}\n?){0,20}",
    re.MULTILINE,
)
_TARGET = re.compile(r"^[ \t]{0,12}\.\. _[^\n]{1,300}:[^\n]{0,2000}$\n?", re.MULTILINE)
_ONLY_PICTURES = re.compile(r"^(?:\|(?=\S)[\w -]{1,60}\|_{0,2}[ \t]{0,4}){1,20}$\n?", re.MULTILINE)
_OPENS = re.compile(r"\.\. (?:[\w:-]{1,40}::|\[#?[\w.-]{1,40}\])[ \t]{0,8}")
_OPENS_CODE = re.compile(r"\.\. (?:code|code-block|sourcecode|math|parsed-literal|doctest|productionlist)::")
_ITEM = re.compile(r"(?:[-*+•]|\(?(?:#|\d{1,3}|[a-zA-Z])[.)])[ \t]{1,8}(?=\S)|:[\w ./*-]{1,60}:(?:[ \t]{1,40}|$)")
_OF_A_TABLE = re.compile(r"[+|]|[=-]{2,120}[ \t]+[=-]{2}|>>> |\.\.\. ")
_RULE = re.compile(r"^[ \t]{0,40}(?:([-=~^\"'*+#`:.])\1{2,119}|=[= ]{2,200}=)[ \t]*$\n?", re.MULTILINE)
_UNDERLINED = re.compile(r"^(?=\S.{0,200}\w)(.{1,120})\n([-=~^\"'*+#`:.])\2{2,119}$", re.MULTILINE)
_ROLE = re.compile(r":(?:[a-z][\w.+-]{0,30}:)?([a-z][\w.+-]{0,30}):`([^`\n]{1,300})`")
_SERIES = frozenset(("pep", "rfc"))
_LINK = re.compile(r"`([^`<\n]{1,300}?)\s?<[^<>\n]{1,2000}>`_{0,2}")
_FOOTNOTE = re.compile(r"\s?\[#?[\w.-]{0,40}\]_(?!\w)")
_CODE = re.compile(r"`{1,2}([^`\n]{1,1000})`{1,2}_{0,2}")
_STRONG = re.compile(r"(?<![\w*])(\*{1,2})(?=\S)([^*\n]{1,1000}?)(?<=\S)\1(?![\w*])")


def _underlined(body: str) -> list[Heading]:
    """The headings; the kind of line under the first is the first level, the next kind the second."""
    found = [match.groups() for match in _UNDERLINED.finditer(body)]
    kinds = list(dict.fromkeys(kind for _, kind in found))
    return [(kinds.index(kind) + 1, heading) for heading, kind in found]


def _prose(body: str) -> str:
    """The paragraphs of reStructuredText, each on a line; code and tables keep their lines."""
    for built in (_DIRECTIVE, _TARGET, _ONLY_PICTURES):
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
        marked = _ITEM.match(bare) or _OPENS.match(bare)
        is_set = _is_set(bare)
        if indent == goes_on and not marked and not is_set:
            lines[-1].append(bare)
        else:
            lines.append([_OPENS.sub("", bare)])
            goes_on = -1 if is_set else indent + _inside(marked)
        code = indent if bare.endswith("::") or _OPENS_CODE.match(bare) else -1
    joined = (" ".join(parts) for parts in lines)
    text = _RULE.sub("", "\n".join(joined))
    return re.sub(r"\n{3,}", "\n\n", _without_marks(text)).strip()


# Of lines of "=" with gaps between, one above and one below; a third may stand below the header.
_BORDER = r"[ ]{0,12}={2,120}(?: {1,20}={2,120}){1,40} {0,8}"
_SIMPLE_TABLE = re.compile(
    rf"^(?P<border>{_BORDER})\n(?P<head>(?:(?! *=)[^\n]{{0,400}}\n){{1,8}})(?P<named>{_BORDER}\n(?!\n))?"
    rf"(?P<rows>(?:(?! *=)[^\n]{{1,400}}\n|\n(?!\n)){{0,400}}){_BORDER}$",
    re.MULTILINE,
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
    text = _STRONG.sub(r"\2", text)
    return re.sub(r"::$", ":", text, flags=re.MULTILINE)


def _meant(role: re.Match[str]) -> str:
    """The words of a role: those before its target; a document of a series keeps the series ("PEP 8")."""
    name, text = role.groups()
    words, _, _ = text.partition(" <")
    plain = words.lstrip("~!")
    return f"{name.upper()} {plain}" if name in _SERIES else plain


READERS = {
    **dict.fromkeys((".html", ".htm", ".xhtml"), read_html),
    ".epub": read_epub,
    **dict.fromkeys((".md", ".markdown"), read_markdown),
    ".rst": read_rst,
}
