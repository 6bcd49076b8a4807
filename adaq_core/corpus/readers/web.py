"""Web pages and e-books: the words without their marks.

The main text of a web page, without menus and footers, is found by trafilatura.
"""

from __future__ import annotations

import html
import json
import logging
import posixpath
import re
import zipfile
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from itertools import chain, islice, pairwise
from typing import Any
from urllib.parse import unquote, urlsplit

from adaq_core.corpus.readers import Reading, SourceFile, archive_in, clean, day, decode, one_line, outline_of
from adaq_core.corpus.readers.records import with_named_rows
from adaq_core.errors import FileReadError
from adaq_core.model import Document
from adaq_core.text.values import MONTH_NAMES

Heading = tuple[int, str]  # its level and its words

_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?([\w-]{1,40})", re.IGNORECASE)
_BLOCKS = ("p", "div", "li", "tr", "h1", "h2", "h3", "h4", "h5", "h6", "br", "table", "section", "dt", "dd", "pre")
_HEADS = ("h1", "h2", "h3", "h4", "h5", "h6")
_IN_SENTENCES = ("b", "strong", "i", "em", "code", "kbd", "span", "var", "tt")
_SENTENCES = ("p", "li", "dd", "dt", "td", "th", *_HEADS)
_DROPPED = "dropped"
_UNREAD = ("script", "style", "noscript", "template", "title")
_LONGEST_MARK, _LONGEST_TERM, _LONGEST_CELL = 5, 80, 400  # characters
_SPAN = re.compile(r"[1-9]\d?(?!\d)")  # rows or columns of a cell
_MOST_FILLED, _MOST_INSIDE = 4, 8  # times the cells of a table; elements of a cell that spans several
_FEWEST_LABELS = 2  # rows
_LINE = "\n"
_SPACES = re.compile(r"[ \t\r\n\f]+")
_LINE_BORDERS = re.compile(r"(?m)^ (?=\S)|(?<![ \t])[ \t]+$")
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
    stated = _stated_title(facts.title or "", headings)
    title = one_line(html.unescape(stated or _title(page) or file.stem))
    thing = _thing_of(page)
    own = list(_properties_of(thing))
    inner = list(_inner_properties_of(thing))
    text = _with_properties(text, own, inner, list(_lists_of(thing)))
    author = _without_addresses(facts.author or "")
    authors = [("author", author)] if author else []
    kind = _CAMEL.sub(" ", _kind(thing))
    kinds = [("kind", kind)] if kind else []
    document = Document(
        document_id=file.key,
        title=_without_site(title, facts.sitename or "", facts.url or ""),
        text=text,
        source=one_line(facts.sitename or ""),
        date=day(facts.date or ""),
        url=one_line(facts.url or ""),
        metadata=(*authors, *kinds, *own, *inner),
        outline=outline_of(text, headings),
    )
    return Reading((document,), notices)


_SITE_BEHIND = re.compile(r"(.{3,300}?)\s[|–—•·-]\s+([^|–—•·]{2,60})")
_SHORTEST_SITE = 4  # letters


def _without_site(title: str, site: str, url: str) -> str:
    """A title without the name of its site behind a bar or dash: "Gingerbread - Zenbelly"."""
    parts = _SITE_BEHIND.fullmatch(title)
    if parts is None:
        return title
    host = (urlsplit(url).hostname or "").removeprefix("www.")
    last = _letters(parts[2])
    if len(last) < _SHORTEST_SITE:
        return title
    names = map(_letters, (site, host))
    is_site = any(_is_beginning_of(name, last) for name in names)
    return parts[1].strip() if is_site else title


def _is_beginning_of(name: str, last: str) -> bool:
    """Whether one of two names begins as the whole of the other does: CDKitchen and cdkitchen.com."""
    shorter, longer = sorted((name, last), key=len)
    return len(shorter) >= _SHORTEST_SITE and longer.startswith(shorter)


# What a page states of the thing that it is about, for machines (JSON-LD in the words of schema.org).
_STATED = re.compile(r"(?is)<script[^<>]{0,300}ld\+json[^<>]{0,300}>(.*?)</script")
_THINGS = frozenset(
    ("Recipe", "Product", "Event", "JobPosting", "Book", "Movie", "Course", "SoftwareApplication", "HowTo", "Hotel")
)
_INSIDE = ("nutrition", "offers", "brand", "location", "address", "organizer", "hiringOrganization")
_OF_PAGES = """
name headline description image url video thumbnailUrl mainEntityOfPage keywords review author publisher inLanguage
datePublished dateModified dateCreated identifier articleBody servingSize
"""
_NO_PROPERTIES = frozenset(_OF_PAGES.split())
_TAG = re.compile(r"</?[a-z][^<>]{0,200}>")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_LENGTH = re.compile(r"P(?:(\d{1,4})D)?(?:T(?:(\d{1,4})H)?(?:(\d{1,5})M)?(?:(\d{1,5}(?:\.\d{1,9})?)S)?)?")
_LENGTH_OF_DAYS = re.compile(r"P\d{1,4}[A-Z]")  # "P30M", thirty months, where thirty minutes are meant
_MOST_PROPERTIES, _LONGEST_PROPERTY, _MOST_NODES, _MOST_THINGS = 24, 160, 20_000, 2
_FEWEST_LISTED, _OF_LIST = 2, 0.5  # items; share of them that the text lacks


def _thing_of(page: str) -> Mapping[str, Any]:
    """The thing that a page is about (a recipe, product, event …) as it states it; empty for none or for many."""
    nodes: deque[Any] = deque()
    for stated in _STATED.finditer(page):
        try:
            nodes.append(json.loads(stated[1], strict=False))
        except (ValueError, RecursionError):
            continue
    found = filter(_kind, _walked(nodes))
    things = list(islice(found, _MOST_THINGS + 1))
    return things[0] if 0 < len(things) <= _MOST_THINGS else {}


def _walked(nodes: deque[Any]) -> Iterator[Mapping[str, Any]]:
    """The objects in JSON values, the outer ones first."""
    for _ in range(_MOST_NODES):
        if not nodes:
            return
        node = nodes.popleft()
        if isinstance(node, dict):
            yield node
            nodes += node.values()
        elif isinstance(node, list):
            nodes += node


def _kind(node: Mapping[str, Any]) -> str:
    stated = node.get("@type")
    kinds = stated if isinstance(stated, list) else [stated]
    named = (kind for kind in kinds if isinstance(kind, str))
    return next((kind for kind in named if kind in _THINGS), "")


def _properties_of(thing: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The short properties of a thing by names in words: ("total time", "40 minutes")."""
    inside = [name for name in _INSIDE if _is_named(thing.get(name))]
    named = ((name, thing[name]["name"]) for name in inside)
    yield from _told_properties(chain(thing.items(), named), _kind(thing))


def _inner_properties_of(thing: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Those of what belongs to a thing and has no name: its nutrition, offer or rating."""
    inside = map(thing.get, _INSIDE)
    nodes = [node for node in inside if isinstance(node, dict) and not _is_named(node)]
    pairs = chain.from_iterable(node.items() for node in nodes)
    yield from _told_properties(pairs, _kind(thing))


def _told_properties(pairs: Iterable[tuple[str, Any]], kind: str) -> Iterator[tuple[str, str]]:
    told: dict[str, str] = {}
    for name, value in pairs:
        short = _short(value)
        is_told = not name.startswith("@") and name not in _NO_PROPERTIES
        if is_told and short and len(short) <= _LONGEST_PROPERTY:
            # A recipe that yields a number without a unit, or for so many people, yields servings.
            is_of_servings = name == "recipeYield" and _SERVINGS.fullmatch(short) is not None
            called = "servings" if is_of_servings else _in_words(name, kind)
            told.setdefault(called, short)
    yield from islice(told.items(), _MOST_PROPERTIES)


_SERVINGS = re.compile(r"(?i)\d{1,4}(?: (?:servings?|portions?|people|persons))?")


def _without_addresses(authors: str) -> str:
    """The authors that were found in a page, without those that are addresses ("Www Facebook Com")."""
    parts = map(one_line, authors.split(";"))
    return "; ".join(part for part in parts if part and not _is_address(part))


def _is_address(author: str) -> bool:
    words = author.lower().split()
    return words[0] == "www" or words[-1] == "com"


def _is_named(node: Any) -> bool:
    return isinstance(node, dict) and isinstance(node.get("name"), str)


def _in_words(name: str, kind: str) -> str:
    """The name of a property in words, without that of the kind of thing: "recipeYield" is its yield."""
    words = _CAMEL.sub(" ", name).lower()
    return words.removeprefix(f"{kind.lower()} ")


def _short(value: Any) -> str:
    """A stated value on a line: of a list all, of a number and its unit the words; lengths of time in words."""
    values = value if isinstance(value, list) else [value]
    if any(isinstance(each, dict | list) or each is None for each in values):
        return ""
    texts = dict.fromkeys(map(_plain, map(str, values)))
    # Not "8" beside "8 servings", which is the same with more behind it.
    longest = [text for text in texts if not any(other.startswith(f"{text} ") for other in texts)]
    told = ", ".join(filter(None, longest))
    length = _LENGTH.fullmatch(told)
    if length:
        return _length_in_words(length)
    return "" if _LENGTH_OF_DAYS.fullmatch(told) else told


def _plain(stated: str) -> str:
    """A stated text without tags; what is named by its address at schema.org in words ("Vegetarian Diet")."""
    _, of_schema, name = stated.partition("schema.org/")
    if of_schema:
        return _CAMEL.sub(" ", name)
    return one_line(_TAG.sub("", html.unescape(stated)))


def _length_in_words(length: re.Match[str]) -> str:
    """A length of time ("PT90M") in words ("1 hour 30 minutes"); empty for none."""
    days, hours, minutes, seconds = (float(part or 0) for part in length.groups())
    whole = int(days * 1440 + hours * 60 + minutes)
    rest, minute = divmod(whole, 60)
    day, hour = divmod(rest, 24)
    counts = {"day": day, "hour": hour, "minute": minute, "second": int(seconds)}
    return " ".join(_counted(count, unit) for unit, count in counts.items() if count)


def _counted(count: int, unit: str) -> str:
    return f"{count} {unit}" if count == 1 else f"{count} {unit}s"


def _lists_of(thing: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """The lists of lines that a thing states (what it takes, its steps), by their names in words."""
    for name, value in thing.items():
        if not isinstance(value, list) or name in _NO_PROPERTIES:
            continue
        items = list(map(_line_of, value))
        if len(items) >= _FEWEST_LISTED and all(items):
            yield _in_words(name, _kind(thing)), items


def _line_of(item: Any) -> str:
    """An item of a stated list on a line: itself, or the text of a step; empty for anything else."""
    text = item.get("text") if isinstance(item, dict) else item
    return _plain(text) if isinstance(text, str) else ""


def _with_properties(
    text: str,
    own: Iterable[tuple[str, str]],
    inner: Iterable[tuple[str, str]],
    lists: Iterable[tuple[str, Sequence[str]]],
) -> str:
    """The text of a page between what it states of its thing, a property on a line, with the lists that it lacks."""
    folded = _letters(text)
    above = _lines_lacking(own, folded)
    below = _lines_lacking(inner, folded)
    parts = ["\n".join(above), text]
    for name, items in lists:
        lacking = sum(_letters(item) not in folded for item in items)
        is_long = len("".join(items)) > _LONGEST_PROPERTY
        if is_long and lacking > _OF_LIST * len(items):
            named = name if name.endswith("s") else f"{name}s"
            listed = [f"- {item}" for item in items]
            parts.append("\n".join([named.capitalize(), *listed]))
    parts.append("\n".join(below))
    return "\n\n".join(filter(None, parts))


def _lines_lacking(properties: Iterable[tuple[str, str]], folded: str) -> list[str]:
    """The properties as lines, without those that a text of these letters says."""
    lines = (f"{name.capitalize()}: {value}" for name, value in properties)
    return [line for line in lines if _letters(line) not in folded]


def _stated_title(title: str, headings: Sequence[Heading]) -> str:
    """The title that was found in a page; none where it is one of several headings, which are of its parts."""
    title = title.strip().rstrip("¶").strip()
    return "" if is_of_part(title, headings) else title


_TIME_ALONE = re.compile(rf"(?i)(?:\W{{0,3}}(?:\d{{1,4}}|{MONTH_NAMES})\b){{1,4}}\W?")


def is_of_part(title: str, headings: Sequence[Heading]) -> bool:
    """Whether a title is one of several headings of its level, the highest, and that is not the first; or a time."""
    highest = min((level for level, _ in headings), default=1)
    parts = [heading for level, heading in headings if level == highest]
    is_low = highest > 1 or _TIME_ALONE.fullmatch(title) is not None
    return is_low and title in parts and len(parts) > 1


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
    for menu in [node for node in frame.iter("ul", "ol", "dl") if _is_menu(node)]:
        menu.drop_tree()
    return tree


def _is_menu(menu: Any) -> bool:
    links = [one_line(link.text_content()) for link in menu.iter("a")]
    return len(links) > 1 and len("".join(links)) >= _OF_LINKS * len(one_line(menu.text_content()))


def _sections(text: str, headings: Sequence[Heading]) -> int:
    """How many of the headings stand in a text with a section below them."""
    starts = [start for start, _ in outline_of(text, headings)]
    return sum(len(text[start:end].split()) > _SECTION_WORDS for start, end in pairwise([*starts, len(text)]))


_CORNER = "| |"
_FEWEST_NAMED = 2  # columns of a table with an empty corner


def _mark_corner(row: Any) -> None:
    """Write a bar where the first head of a row is empty, so that the others keep their places; none within cells."""
    heads = row.findall("th")
    for cell in (*heads, *row.findall("td")):
        for node in cell.iter():
            node.text = (node.text or "").replace("|", "/")
            node.tail = (node.tail or "").replace("|", "/")
    is_of_heads = row.find("td") is None
    told = [one_line(cell.text_content()) for cell in heads]
    named = list(filter(None, told))
    if is_of_heads and len(named) >= _FEWEST_NAMED and not told[0]:
        heads[0].text = "|"


def _line_of_page(line: str) -> str:
    line = one_line(line)
    plain = line.strip(" |")
    return f"{_CORNER} {plain}" if plain and line.startswith(_CORNER) else plain


def headings_and_text(page: str) -> tuple[list[Heading], str]:
    """The headings of a page, each with its level, and all of its text, a block on a line."""
    tree = _tree(page)
    if tree is None:
        return [], ""
    heads = tree.iter("h1", "h2", "h3", "h4")
    headings = [(int(node.tag[1]), one_line(node.text_content())) for node in heads]
    for listing in tree.iter("ul", "ol"):
        _mark_items(listing)
    in_cells = {node for cell in tree.iter("td", "th") if _is_of_data(cell) for node in cell.iter(*_BLOCKS)}
    for node in tree.iter(*_BLOCKS):
        node.tail = f"{' ' if node in in_cells else _LINE}{node.tail or ''}"
    for row in tree.iter("tr"):
        _mark_corner(row)
    for cell in tree.iter("td", "th"):
        cell.tail = f" | {cell.tail or ''}"
    lines = map(_line_of_page, tree.text_content().split("\n"))
    return headings, with_named_rows("\n".join(line for line in lines if line))


def _mark_items(listing: Any) -> None:
    """Put a dash or its number in front of each item of a list that opens with words of its own."""
    items = [item for item in listing if item.tag == "li"]
    start = _SPAN.fullmatch(listing.get("start", ""))
    for number, item in enumerate(items, int(start[0]) if start else 1):
        inner = item if (item.text or "").strip() or not len(item) or item[0].tag != "p" else item[0]
        if (inner.text or "").strip() or (len(inner) and inner[0].tag in _IN_SENTENCES):
            mark = "- " if listing.tag == "ul" else f"{number}. "
            inner.text = f"{mark}{(inner.text or '').lstrip()}"


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
    _drop(_turners(tree))
    in_headings = chain.from_iterable(heading.iter("a", "span") for heading in tree.iter(*_HEADS))
    _drop(filter(_is_sign, in_headings))
    _drop(filter(_is_mark, tree.iter("sup")))
    _tell_notes(tree)
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


_NEWER = """
article aside audio bdi canvas data details dialog figcaption figure footer header hgroup main mark math meter nav
output picture progress rp rt ruby search section slot source summary svg template time track video wbr
"""
_NEWER_TAGS = frozenset(_NEWER.split())


_NEIGHBOURS = frozenset(("prev", "previous", "next", "up", "home", "start", "contents", "index"))
_LONGEST_TURNER = 400  # characters


def _turners(tree: Any) -> Iterator[Any]:
    """The tables and blocks that lead to the pages that a page declares to stand before, behind and above it."""
    declared = {link.get("href") for link in tree.iter("link") if (link.get("rel") or "").lower() in _NEIGHBOURS}
    leading = [anchor for anchor in tree.iter("a") if anchor.get("href") and anchor.get("href") in declared]
    blocks = (next(anchor.iterancestors("table", "nav", "div", "ul", "p"), None) for anchor in leading)
    for block, count in Counter(block for block in blocks if block is not None).items():
        if count > 1 and len(one_line(block.text_content())) <= _LONGEST_TURNER:
            yield block


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


_WORDS_OF_LABEL, _WORDS_TOLD = 4, 6


def _tell_labels(table: Any) -> None:
    """Put a colon after the heads of rows where each row is one with its value, as in a box of facts.

    Without a cell that is marked as a head they are so where half of the values are sentences.
    """
    rows = [cells for cells in map(_cells_in, table.iter("tr")) if len(cells) > 1]
    kinds = [[cell.tag for cell in row] for row in rows]
    are_marked = all(kind == ["th", "td"] for kind in kinds)
    are_pairs = all(kind == ["td", "td"] for kind in kinds)
    if len(rows) < _FEWEST_LABELS or not (are_marked or are_pairs):
        return
    if are_pairs and not _are_told(rows):
        return
    for head, _ in rows:
        if one_line(head.text_content())[-1:].isalnum():
            _put_colon(head)


def _are_told(rows: Sequence[Sequence[Any]]) -> bool:
    """Whether of two cells the first is short and the second, in half of the rows at least, a sentence."""
    words = [[len(cell.text_content().split()) for cell in row] for row in rows]
    sentences = sum(told >= _WORDS_TOLD for _, told in words)
    are_labels = all(0 < label <= _WORDS_OF_LABEL for label, _ in words)
    return are_labels and 2 * sentences >= len(words)


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
    above = raised.getparent()  # in e-books the link stands around what is raised
    if above is not None and above.tag == "a" and "#" in above.get("href", ""):
        return len(text) < _LONGEST_MARK
    return len(text) < _LONGEST_MARK and any(link.get("href", "").startswith("#") for link in raised.iter("a"))


def _tell_notes(tree: Any) -> None:
    """Set off what is raised for a note on the same page, which begins with it: "Eskeby 1)" and "1) Two points …"."""
    raised = [each for each in tree.iter("sup") if len(_mark_of(each)) < _LONGEST_MARK]
    notes = set(map(_mark_of, filter(_opens, raised)))
    for each in raised:
        mark = _mark_of(each)
        if mark in notes and mark.isalnum():
            each.text = f"{mark}) " if _opens(each) else f" {mark})"


def _mark_of(raised: Any) -> str:
    """What is raised, where it holds no elements."""
    text: str = raised.text or ""
    return "" if len(raised) else text.strip()


def _opens(raised: Any) -> bool:
    """Whether what is raised is the first that its paragraph, item or cell says."""
    above = raised.getparent()
    if above is None or above.tag not in _HOLDS_NOTES:
        return False
    before, after = (above.text or "").strip(), (raised.tail or "").strip()
    return above.index(raised) == 0 and not before and bool(after)


_HOLDS_NOTES = frozenset(("p", "li", "td", "div", "small"))


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


READERS = {
    **dict.fromkeys((".html", ".htm", ".xhtml"), read_html),
    ".epub": read_epub,
}
