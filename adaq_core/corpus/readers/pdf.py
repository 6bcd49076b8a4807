"""PDF files with their pages, sections by their bookmarks; passages know their page.

pypdfium2 reads a page; one on which the numbers are detached from their labels (a table drawn column by column) is read
again in pypdf's layout mode. Why these two: docs/decisions/files.md.
"""

from __future__ import annotations

import io
import logging
import math
import re
import time
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, product
from operator import itemgetter
from statistics import median
from typing import Any

from adaq_core.corpus.readers import (
    Reading,
    SourceFile,
    clean,
    is_printed_title,
    joined_pages,
    numbered_sections,
    one_line,
    section_paths,
    with_whole_lines,
    words_of,
)
from adaq_core.errors import FileReadError
from adaq_core.model import Document

_NUMBER = re.compile(r"^[($€£-]{0,4}\d[\d,.]{0,30}[)%]{0,3}$|^[—–-]$")
_JOINED_HYPHEN = re.compile("[\ufffe\x02]\n?")  # where pdfium joined a word that was parted at the end of a line
_RUN, _SHARE = 8, 0.4
_MOSTLY_NUMBERS = 0.3
_NO_TEXT = "{pages} no text, only pictures perhaps; run text recognition (OCR) first"
_NO_LETTERS = "{pages} signs that its fonts give no letters for; run text recognition (OCR) first"


def read_pdf(file: SourceFile) -> Reading:
    """The text of all pages; FileReadError when it is locked, damaged, too long, or made of pictures only."""
    pdf = _opened(file.data)
    try:
        count = len(pdf)
        if count > file.limits.pages:
            raise FileReadError(f"has {count} pages; the limit is {file.limits.pages}: split it")
        read = _pages(pdf, file.data, file.limits.seconds)
        bookmarks = [(mark.level, *_bookmark(mark)) for mark in pdf.get_toc(max_depth=4)]
        headings = [] if bookmarks else _printed_headings(pdf)
        title, author = _stated(pdf.get_metadata_dict(skip_empty=True), read.printed)
        if not title:
            printed = _largest_line(pdf[0])
            is_named = _says_little(file.stem) or _spells(file.stem, printed)
            title = printed if is_named or _ABSTRACT.search(read.printed) else ""
    finally:
        pdf.close()
    text, starts = joined_pages(read.pages)
    if not text:
        whole = "its page holds" if count == 1 else f"its {count} pages hold"
        raise FileReadError((_NO_LETTERS if read.unlettered else _NO_TEXT).format(pages=whole))
    sections = _outline(bookmarks, starts, text) or numbered_sections(text)
    outline = sections or _outline(headings, starts, text)
    document = Document(
        file.key,
        file.titled(title),
        text,
        metadata=(("pages", str(count)), *((("author", author),) if author else ())),
        pages=starts,
        outline=_with_references(outline, text),
    )
    blank = sum(not page for page in read.pages) - read.unlettered
    verb = "holds" if blank == 1 else "hold"
    notices = (f"{blank} of {count} pages {verb} no text",) if blank else ()
    if read.unlettered:
        notices = (*notices, f"{read.unlettered} of {count} {_NO_LETTERS.format(pages='pages hold')}")
    return Reading((document,), notices, tuple(read.problems))


# A paper prints its title in the largest letters; its file has a number or the names of its authors.
_ABSTRACT = re.compile(r"(?im)^[ \t]{0,20}abstract\b")
_OPENING = 40  # words, on whose page a document has said what it is called, and by whom it is


def _stated(info: Mapping[str, Any], first_pages: str) -> tuple[str, str]:
    """The title and the author that a PDF states, empty where its first pages tell that a template stated them.

    They do where they say enough, and not half of the title's words; an author of one word has to be printed too.
    """
    title, author = one_line(str(info.get("Title", ""))), one_line(str(info.get("Author", "")))
    author = "" if author.strip("()").lower() == "anonymous" else author  # which a library writes
    printed = _WORD.findall(first_pages.lower())
    says_little = len(printed) < _OPENING
    is_told = says_little or is_printed_title(title, first_pages)
    is_printed = says_little or len(author.split()) > 1 or author.lower() in printed
    return (title if is_told else ""), (author if is_told and is_printed else "")


_WORD = re.compile(r"[^\W_]{1,60}")


def _opened(data: bytes) -> Any:
    import pypdfium2
    from pypdfium2 import PdfiumError

    try:
        return pypdfium2.PdfDocument(data)
    except PdfiumError as error:
        if "assword" in str(error):
            raise FileReadError("is locked with a password; save it without one") from error
        raise FileReadError("is not a PDF, or a damaged one; open it in a viewer and save it again") from error


@dataclass(frozen=True, slots=True)
class _Pages:
    """The text of each page, empty for one that cannot be read, and what was wrong with those.

    `printed` is all that the first pages hold, `unlettered` how many hold signs that are no letters.
    """

    pages: list[str]
    problems: Sequence[str]
    printed: str
    unlettered: int


def _pages(pdf: Any, data: bytes, seconds: float) -> _Pages:
    begun = time.monotonic()
    layout = _Layout(data)
    texts: list[str] = []
    shares: list[float] = []
    problems: list[str] = []
    for number in range(len(pdf)):
        if time.monotonic() - begun > seconds:
            raise FileReadError(f"took more than {seconds:.0f} s up to page {number} of {len(pdf)}; split it")
        try:
            text, share = _text_of(pdf[number])
            texts.append(layout.page(number) if _is_detached(text) else text)
        except Exception as error:  # a damaged page costs itself only, and is listed
            problems.append(f"page {number + 1}: {type(error).__name__}: {error}")
            texts.append("")
            share = 1.0
        shares.append(share)
    least = _LEAST_AMONG_OTHERS if shares and median(shares) < _LEAST_READABLE else _LEAST_READABLE
    unlettered = sum(share < least for share in shares)
    pages = [text if share >= least else "" for text, share in zip(texts, shares, strict=True)]
    known, printed = words_of("\n".join(pages)), _opening(pages)
    told = [_unwrap(page, known) for page in _without_heads([_without_contents(page) for page in pages])]
    return _Pages(told, problems, printed, unlettered)


def _opening(pages: Sequence[str]) -> str:
    """The first pages, up to the one by which forty words are said: before it stand covers."""
    told = ""
    for page in pages:
        told = f"{told}\n{page}"
        if len(told.split()) >= _OPENING:
            break
    return told


# A word or a number, with what stands around it.
_READABLE = re.compile(
    r"[\"'“‘(\[$€]{0,3}(?:[^\W\d_]{1,40}(?:[-'’/][^\W\d_]{1,40}){0,8}|\d[\d.,:/%-]{0,40})[\"'”’)\].,;:!?%]{0,4}"
)
_OTHER_SCRIPT = re.compile(r"[\u0370-\u1fff\u2e80-\ud7ff]")  # letters of others than the Latin one
# Measured: at most .03 of a page of drawn letters, at least .18 of one of code; beside the former .63 of other pages.
_LEAST_READABLE, _LEAST_AMONG_OTHERS = 0.1, 0.6


def _readable_share(page: str) -> float:
    """The share of words and numbers in what a page holds: small where its letters are drawn (Type 3 fonts of old TeX).

    Such fonts do not say which letters they are. 1.0 of an empty page.
    """
    pieces = page.split()
    readable = sum(bool(_READABLE.fullmatch(piece) or _OTHER_SCRIPT.search(piece)) for piece in pieces)
    return readable / len(pieces) if pieces else 1.0


_LEADS_TO = re.compile(r"(?<!\.)(?<!\.[ \t])(?:[ \t]?\.){5,4000}[ \t]{0,4}(\d{1,4})$")
_ENDS_IN_PAGE = re.compile(r"[^\W\d_].{0,300}[ \t](\d{1,4})$")
_CONTENTS = re.compile(r"(?i)(?:table of )?contents")
_FEWEST_ENTRIES, _FEWEST_BELOW_HEADING = 5, 3


def _without_contents(page: str) -> str:
    """A page without the lines of a table of contents: dots that lead to numbers, none smaller than the one before.

    Below a line that calls them the contents they need no dots, and end where a number is smaller.
    """
    lines = page.split("\n")
    heading = next((at for at, line in enumerate(lines) if _CONTENTS.fullmatch(line.strip())), None)
    if heading is not None:
        entries = _entries_below(lines, heading)
        return "\n".join(line for at, line in enumerate(lines) if at not in entries)
    leads = [_LEADS_TO.search(line.rstrip()[-500:]) for line in lines]
    numbers = [int(lead[1]) for lead in leads if lead]
    if len(numbers) < _FEWEST_ENTRIES or numbers != sorted(numbers):
        return page
    return "\n".join(line for line, lead in zip(lines, leads, strict=True) if lead is None)


def _entries_below(lines: Sequence[str], heading: int) -> set[int]:
    """The lines below a heading that end in the number of a page, none smaller than the one before."""
    entries: set[int] = set()
    last = 0
    for at, line in enumerate(lines[heading + 1 :], heading + 1):
        lead = _ENDS_IN_PAGE.search(line.rstrip()[-400:])
        if lead and int(lead[1]) < last:
            break
        if lead:
            entries.add(at)
            last = int(lead[1])
    return entries if len(entries) >= _FEWEST_BELOW_HEADING else set()


_DIGITS = re.compile(r"\d+")
_FEWEST_PAGES, _OF_PAGES = 3, 0.3  # left and right pages may have heads of their own
_MOST_OF_HEAD = 3  # lines: a page may end in a name and then in its number
# What a browser prints above and below a page, its numbers as "#": "11/29/26, 5:31 PM Title", "https://… 1/2".
_PRINTED = re.compile(r"^#/#/#, #:# (?:[AP]M )?\S|\b(?:https?|file)://\S{1,300} #/#$")
_NAMES_PAGES = re.compile(r"(?=.{0,200}[^\W\d_]).{0,200}[^.!?:,;]")


def _without_heads(pages: Sequence[str]) -> list[str]:
    """The pages without the first and last lines that many of them share, whatever the numbers in them.

    Two pages share what a browser prints around them, its day and the number of pages, as surely as three do others.
    """
    kept = [page.strip().split("\n") for page in pages]
    for n, at in product(range(_MOST_OF_HEAD), (0, -1)):
        ends = [_DIGITS.sub("#", lines[at].strip()) for lines in kept]
        named = ends if n == 0 else filter(_NAMES_PAGES.fullmatch, ends)
        counts = Counter(filter(None, named))
        least = max(_FEWEST_PAGES, _OF_PAGES * len(pages))
        for lines, end in zip(kept, ends, strict=True):
            fewest = len(pages) if _PRINTED.search(end) else least
            if counts[end] >= fewest and len(lines) > 1:
                del lines[at]
    return ["\n".join(lines).strip() for lines in kept]


# Fonts of TeX that do not tell which letters they hold give the places of these in them (the encodings T1 and TS1).
_OF_TEX = {
    "\x10": "“", "\x11": "”", "\x12": "„", "\x13": "«", "\x14": "»", "\x15": "–", "\x16": "—",
    "\x1b": "ff", "\x1c": "fi", "\x1d": "fl", "\x1e": "ffi", "\x1f": "ffl", "\x88": "•",
}  # fmt: skip
_PLACE_IN_TEX = re.compile("[" + "".join(_OF_TEX) + "]")
# An accent that is drawn before its letter: "Universit¨at". An acute before s or t is an apostrophe.
_ACCENTS = {"¨": "\u0308", "´": "\u0301", "ˇ": "\u030c"}
_ACCENTED = re.compile(r"¨(?=[^\W\d_])(.)|´([aeiouycnzıAEIOUYCNZ])|ˇ(?=[^\W\d_])(.)")


def _with_letters(text: str) -> str:
    """The text with the letters that its fonts hold in place of their numbers, and with accents on their letters."""
    text = _PLACE_IN_TEX.sub(lambda match: _OF_TEX[match[0]], text)
    return _ACCENTED.sub(_one_letter, text)


def _one_letter(match: re.Match[str]) -> str:
    """A letter with its accent; both as they stand where there is no such letter."""
    drawn = match[0].replace("ı", "i")
    joined = unicodedata.normalize("NFC", drawn[1] + _ACCENTS[drawn[0]])
    return joined if len(joined) == 1 else match[0]


_LONGEST_OF_TABLE, _WIDE = 90, 1.5  # characters of a row; times the size of its letters, of what parts two columns
_FEWEST_OF_TABLE = 4  # rows


def _with_labels(text: str, reader: Any) -> str:
    """The text of a page in which a table of two columns has lines "label: value", but for those of figures."""
    rows = dict[str, str]()
    for _, run in groupby(sorted(_parted_lines(reader)), key=itemgetter(0)):
        pairs = [(label.rstrip(": "), value) for _, label, value in run]
        told = [value for _, value in pairs if any(map(str.isalpha, value))]
        if len(pairs) >= _FEWEST_OF_TABLE and 2 * len(told) > len(pairs):
            rows.update((f"{label} {value}", f"{label}: {value}") for label, value in pairs)
    return "\n".join(rows.get(" ".join(line.split()), line) for line in text.split("\n")) if rows else text


def _parted_lines(reader: Any) -> Iterator[tuple[int, str, str]]:
    """Yield what stands left and right of the only wide gap of a line, behind where the right part begins."""
    at = 0
    for line in _LINES.findall(reader.get_text_range()):
        is_short = len(line) <= _LONGEST_OF_TABLE and " " in line.strip()
        gaps = list(_gaps(reader, line, at)) if is_short else []
        if len(gaps) == 1:
            ((place, split),) = gaps
            yield place, " ".join(line[:split].split()), " ".join(line[split:].split())
        at += len(line)


def _gaps(reader: Any, line: str, at: int) -> Iterator[tuple[int, int]]:
    """Yield where on the page each wide gap of a line ends, in points, and the place of its space in the line."""
    from pypdfium2.raw import FPDFText_GetFontSize

    for space in re.finditer(r"(?<=\S) (?=\S)", line):
        *_, right, _ = reader.get_charbox(at + space.start() - 1)
        left, *_ = reader.get_charbox(at + space.end(), loose=True)
        if left - right > _WIDE * FPDFText_GetFontSize(reader, at + space.end()):
            yield round(left), space.start()


_LOOKED_AT = 40  # characters of a page that tell which way its text runs


def _text_of(page: Any) -> tuple[str, float]:
    """The text of a page, and the share of it that can be read.

    The page is turned so that its lines run across: of others pdfium tells the lines in another order.
    """
    reader = page.get_textpage()
    try:
        turns = _quarter_turns(reader)
        if page.get_rotation() != 90 * turns:
            reader.close()
            page.set_rotation(90 * turns)
            reader = page.get_textpage()
        if turns % 2 == 0:
            text = reader.get_text_bounded()
        else:
            text = reader.get_text_range()
        text = _JOINED_HYPHEN.sub("-\n", text.replace("\r\n", "\n").replace("\u00ad", ""))
        text = _with_labels(text, reader)
        return clean(_with_letters(text)), _readable_share(text)
    finally:
        reader.close()
        page.close()


_FEW_WORDS = 2  # of a file's name that say little of what is in it
_SPELT = 0.8  # of the words of a name and of a title
_LARGER = 1.15  # times the size of most lines of the page
_LINES_OF_TITLE, _WORDS_OF_TITLE = 20, (2, 25)  # within the first lines of a page; how many words


_LINES = re.compile(r"[^\n]*\n?")


def _says_little(stem: str) -> bool:
    """Whether a file's name is a word or two without figures: "survival", "intro"."""
    has_figures = any(map(str.isdigit, stem))
    return len(stem.split()) <= _FEW_WORDS and not has_figures


def _spells(stem: str, title: str) -> bool:
    """Whether a file's name is the title that is printed, without its capitals and stops."""
    named, printed = _WORD.findall(stem.lower()), _WORD.findall(title.lower())
    shared = len(set(named) & set(printed))
    return not title.isupper() and shared >= _SPELT * max(len(named), len(printed), 1)


def _largest_line(page: Any) -> str:
    """The line in the largest letters at the head of a page, with those of its size below it; empty where none is."""
    lines = _sized_lines(page)
    head = lines[:_LINES_OF_TITLE]
    largest = max((size for _, size in head), default=0.0)
    usual = median(size for _, size in lines) if lines else 0.0
    if not head or largest < _LARGER * usual:
        return ""
    groups = groupby(head, key=lambda each: each[1] == largest)
    title = next(" ".join(line for line, _ in group) for is_largest, group in groups if is_largest)
    least, most = _WORDS_OF_TITLE
    return title if least <= len(title.split()) <= most else ""


def _lines_with_sizes(reader: Any) -> list[tuple[str, float]]:
    """The lines of a page that hold anything, with the size of their first letter, in points."""
    from pypdfium2.raw import FPDFText_GetFontSize

    lines = list[tuple[str, float]]()
    at = 0
    for line in _LINES.findall(reader.get_text_range()):
        if words := _with_letters(line).split():
            first = at + len(line) - len(line.lstrip())
            size = FPDFText_GetFontSize(reader, first)
            lines.append((" ".join(words), round(size, 1)))
        at += len(line)
    return lines


_FEWEST_HEADINGS, _MOST_HEADINGS = 3, 0.3  # the latter of all lines
_WORDS_OF_HEADING = 14
_MAY_HEAD = re.compile(r"(?=.{0,40}[^\W\d_]{3}).{3,120}(?<![.,;:])")


def _printed_headings(pdf: Any) -> list[tuple[int, str, int]]:
    """The level, words and page of each heading: what stands in larger letters than most of the text does.

    What stands so on several pages is the name of the document or of a chapter; one line in the largest is the title.
    """
    found, signs = list[tuple[float, str, int]](), Counter[float]()
    lines = 0
    for number in range(len(pdf)):
        page = _sized_lines(pdf[number])
        lines += len(page)
        for size, group in groupby(page, key=itemgetter(1)):
            told = [line for line, _ in group]
            signs[size] += sum(map(len, told))
            found.append((size, " ".join(told), number))
    usual = max(signs, key=signs.__getitem__, default=0.0)
    counts = Counter(text for _, text, _ in found)
    larger = [each for each in found if each[0] >= _LARGER * usual and counts[each[1]] < _FEWEST_PAGES]
    headings = [each for each in larger if _may_head(each[1])]
    if not _FEWEST_HEADINGS <= len(headings) <= _MOST_HEADINGS * lines:
        return []
    sizes = sorted({size for size, _, _ in headings}, reverse=True)
    levels = [(sizes.index(size), text, number) for size, text, number in headings]
    is_titled = [level for level, *_ in levels].count(0) == 1
    return [each for each in levels if each[0] >= is_titled]


def _may_head(text: str) -> bool:
    return len(text.split()) <= _WORDS_OF_HEADING and _MAY_HEAD.fullmatch(text) is not None


def _sized_lines(page: Any) -> list[tuple[str, float]]:
    reader = page.get_textpage()
    try:
        return _lines_with_sizes(reader)
    finally:
        reader.close()
        page.close()


def _quarter_turns(reader: Any) -> int:
    """How many quarters of a turn to the right, 0 to 3, put most of the text of a page upright."""
    from pypdfium2.raw import FPDFText_GetCharAngle

    count = reader.count_chars()
    angles = [FPDFText_GetCharAngle(reader, at) for at in range(0, count, count // _LOOKED_AT + 1)]
    turns = Counter(-round(angle / (math.pi / 2)) % 4 for angle in angles)
    return max(turns, key=turns.__getitem__, default=0)


class _Layout:
    """The same file read by pypdf in layout mode, opened when a page needs it."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._reader: Any = None

    def page(self, number: int) -> str:
        """The lines of a page as they stand beside each other."""
        if self._reader is None:
            from pypdf import PdfReader

            logging.getLogger("pypdf").setLevel(logging.CRITICAL)
            self._reader = PdfReader(io.BytesIO(self._data))
        page = self._reader.pages[number]
        text = clean(_with_letters(page.extract_text(extraction_mode="layout")))
        return "\n".join(" ".join(line.split()) for line in text.split("\n"))


def _is_detached(text: str) -> bool:
    """Whether numbers stand apart from their labels: a run of eight lines of numbers alone, and many such lines."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    bare = [all(_NUMBER.match(word) for word in line.split()) for line in lines]
    longest = run = 0
    for is_bare in bare:
        run = run + 1 if is_bare else 0
        longest = max(longest, run)
    return longest >= _RUN and sum(bare) >= _SHARE * len(lines)


def _bookmark(mark: Any) -> tuple[str, int]:
    target = mark.get_dest()
    index = target.get_index() if target is not None else None
    return one_line(mark.get_title()), -1 if index is None else int(index)


def _outline(bookmarks: list[tuple[int, str, int]], starts: tuple[int, ...], text: str) -> tuple[tuple[int, str], ...]:
    """The sections that the bookmarks name, from their headings on; the first of a page else from the page on."""
    paths = section_paths((level, title) for level, title, _ in bookmarks)
    borders = (*starts, len(text))
    leads_to: dict[int, str] = {}
    last = 0  # where the section before begins
    for (_, title, page), path in zip(bookmarks, paths, strict=True):
        if not title or not 0 <= page < len(starts):
            continue
        start = max(borders[page], last)
        heading = _heading_in(text[start : borders[page + 1]], title)
        if heading is not None:
            last = start + heading.start()
            leads_to[last] = path
        elif start == borders[page]:
            leads_to[start] = path
    return tuple(sorted(leads_to.items()))


_REFERENCES = re.compile(r"(?im)^(?:references|bibliography|works cited|literature cited)$")
_REFERENCES_BEHIND = 0.5  # of the text


def _with_references(outline: tuple[tuple[int, str], ...], text: str) -> tuple[tuple[int, str], ...]:
    """The sections with that of the references, which has no number and no bookmark in many papers."""
    found = [match.start() for match in _REFERENCES.finditer(text, int(_REFERENCES_BEHIND * len(text)))]
    known = {start for start, _ in outline}
    if not found or not known.isdisjoint(found):
        return outline
    return tuple(sorted((*outline, (found[-1], "References"))))


def _heading_in(page: str, title: str) -> re.Match[str] | None:
    """The line of a page that a title stands on, with or without its number."""
    words = r"\s{1,3}".join(map(re.escape, title.split()[:_MOST_WORDS]))
    return re.search(rf"^(?:[\dA-Z][\d.]{{0,12}}[ \t]{{1,3}})?{words}", page, re.MULTILINE | re.IGNORECASE)


_MOST_WORDS = 12  # of a title that a page is searched for


def _unwrap(page: str, known: frozenset[str]) -> str:
    """A paragraph on a line; the lines of a page that is mostly numbers stay as they are: they are rows."""
    words = page.split()
    if sum(_NUMBER.match(word) is not None for word in words) > _MOSTLY_NUMBERS * len(words):
        lines = "\n".join(line.strip() for line in page.strip().split("\n"))
        return re.sub(r"\n{3,}", "\n\n", lines)
    return with_whole_lines(page, fewest=1, known=known)


READERS = {".pdf": read_pdf}
