"""Files to documents: what all readers share (what they take and give, limits, decoding, cleaning), and who reads what.

A reader is a function in a module of this folder, found by the module's `READERS`, not registered.
"""

from __future__ import annotations

import gzip
import io
import pkgutil
import re
import zipfile
import zlib
from bisect import bisect_left, bisect_right
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE, BOM_UTF32_LE
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from importlib import import_module
from itertools import chain, pairwise
from pathlib import PurePosixPath

from adaq_core.errors import AdaqError, FileReadError
from adaq_core.model import Document

MIB = 1 << 20

_BOMS = (
    (BOM_UTF8, "utf-8-sig"),
    (BOM_UTF32_LE, "utf-32"),
    (BOM_UTF32_BE, "utf-32"),
    (BOM_UTF16_LE, "utf-16"),
    (BOM_UTF16_BE, "utf-16"),
)
_UNSEEN = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f\u202d\u202e\ufeff\ufffe\uffff]")
_LINE_ENDS = re.compile("\r\n?|[\x0c\x85\u2028\u2029]")
_SURROGATES = re.compile("[\ud800-\udfff]")
_ISO_TIME = re.compile(r"(\d{4}-\d\d-\d\d)[T ]\d\d:\d\d.*")
DAY_IN_NAME = re.compile(r"(?<!\d)(?P<y>(?:19|20)\d\d)[-_.](?P<m>\d\d)[-_.](?P<d>\d\d)(?!\d)")  # of a file
_MONTH_IN_NAME = re.compile(r"(?<!\d)(?:19|20)\d\d-(?:0[1-9]|1[0-2])(?![-_.]?\d|-[KQ]\b)")
_DAY_FIRST = re.compile(r"(?<![\d.])(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?P<y>(?:19|20)\d\d)(?!\d)")
# Of the name of a file; the hyphen of "10-Q" is none, that behind a year is.
_WORD_BORDER = re.compile(r"[_\s]+|(?<!\d)-+|-+(?=\d)|(?<=[12]\d\d\d)-+")
# In a name with spaces a hyphen between letters is part of a word.
_WIDE_BORDER = re.compile(r"[_\s]+(?:-+[_\s]+)?|(?<![^\W_])-+|-+(?![^\W\d_])")
_PACKED_TOO_WELL = 200
_PLACEHOLDER = re.compile(
    r"(?i)^(?:untitled|microsoft (?:word|powerpoint|excel)|(?:word|powerpoint|excel) - "
    r"|(?:powerpoint presentation|word document)$"
    r"|(?:document|presentation|slide|book|sheet)\s?\d{0,6}$|about:blank$|(?:https?|file):"
    r"|.{0,120}\.(?:docx?|pptx?|xlsx?|pdf|tex|indd|dvi|html?)$)"
)
_MOST_NULLS = 1 / 1_000  # of the bytes of a text: stray ones come from PDFs, a file in UTF-16 has half
_COMPOUND = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_PARTED_WORD = re.compile(r"[^\W\d_]-$")
_BLANK_LINES = re.compile(r"\n{3,}")
_FEWEST_LINES, _PROSE_WORDS, _WIDEST_LINE = 20, 7, 220
# Where a paragraph goes on, its line had no room for the next word: nearly all such lines with that word are wider than
# this quantile of them. On twenty quarterly reports it parts 313 paragraphs more; of 45 read by eye 44 rightly.
_NARROWEST, _FEWEST_FULL = 0.02, 10
_ENDS = re.compile(r"(?<!\b[A-Z]\.[A-Z])[.!?]$")


@dataclass(frozen=True, slots=True)
class Limits:
    """What a single file may cost: bytes as stored, bytes once unpacked, pages, seconds, processor time and memory.

    The quickest reader takes .02 s a MiB and the slowest for sound files (HTML) about 1 s; `per_mib` is twice that. A
    PDF may take `seconds` whatever its size: its pages are programs.
    """

    file_bytes: int = 256 * MIB
    unpacked_bytes: int = 1024 * MIB
    pages: int = 5_000
    seconds: float = 120.0
    cpu_seconds: float = 20.0
    per_mib: float = 2.0
    memory_bytes: int = 3072 * MIB

    def cpu_seconds_for(self, size: int, *, pdf: bool = False) -> float:
        """Return the processor time that a file of `size` bytes may take."""
        seconds = self.cpu_seconds + self.per_mib * size / MIB
        return max(seconds, self.seconds) if pdf else seconds

    def seconds_for(self, size: int) -> float:
        """Return the seconds after which whoever waits for a file of `size` bytes gives it up."""
        return self.seconds + self.per_mib * size / MIB


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file to read: `key` is its name in the corpus (with "/" between folders), `data` its bytes, unpacked."""

    key: str
    data: bytes
    limits: Limits = Limits()

    @property
    def stem(self) -> str:
        """A title for want of a better one: the file's name without its endings, in words."""
        name = PurePosixPath(self.key).name
        if name.lower().endswith(".gz"):
            name = name[:-3]
        stem = name.rpartition(".")[0] or name
        border = _WIDE_BORDER if " " in stem else _WORD_BORDER
        whole = _MONTH_IN_NAME.sub(_as_a_word, DAY_IN_NAME.sub(_as_a_word, stem))
        return clean(" ".join(border.sub(" ", whole).split()).replace("\0", "-")) or name

    def titled(self, given: str) -> str:
        """Return the title that a file states; its name where a program put a title there that says nothing."""
        title = one_line(given)
        return self.stem if not title or _PLACEHOLDER.match(title) else title


_SHORT_TITLE, _IN_PART = 3, 0.5  # words of a title; the part of a longer one that is printed
_SMALL_WORD = 3  # letters
_WORD = re.compile(r"[^\W_]{1,60}")


def is_printed_title(title: str, text: str) -> bool:
    """Whether a text says the title that its file states: half of its words, of a short one all in their order."""
    named = _WORD.findall(title.lower())
    printed = _WORD.findall(text.lower())
    if len(named) <= _SHORT_TITLE:
        return f" {' '.join(named)} " in f" {' '.join(printed)} "
    long = [word for word in named if len(word) > _SMALL_WORD] or named
    said = [word for word in long if word in printed]
    return len(said) >= _IN_PART * len(long)


def _as_a_word(time: re.Match[str]) -> str:
    """A day or month in a file's name, which keeps its hyphens, as a word of its own."""
    return f" {re.sub(r'[-_.]', chr(0), time[0])} "


@dataclass(frozen=True, slots=True)
class Reading:
    """What a file gave: its documents, remarks on how it was read, and the parts that could not be read.

    A `judged` collection (BEIR) stays as it is: its passages do not overlap, and its duplicates are kept.
    """

    documents: tuple[Document, ...]
    notices: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    judged: bool = False


def decode(data: bytes) -> tuple[str, tuple[str, ...]]:
    """The text of `data`, cleaned, with a notice when its encoding was a guess; FileReadError for binary data."""
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return _decode_marked(data, encoding)
    if data.count(b"\x00") > len(data) * _MOST_NULLS:
        raise FileReadError("expected text, got binary data (or UTF-16 without its mark); save it as UTF-8 text")
    try:
        return clean(data.decode("utf-8")), ()
    except UnicodeDecodeError as error:
        place = error.start
    lines = [_decoded(line) for line in data.split(b"\n")]
    text = "\n".join(line for line, _ in lines)
    if sum(map(text.count, map(chr, range(9)))) > len(text) / 100:
        raise FileReadError("expected text, got binary data; save it as UTF-8 text")
    others = sum(not is_utf8 for _, is_utf8 in lines)
    has_both = any(is_utf8 and not line.isascii() for line, is_utf8 in lines)
    what = f"not all UTF-8 (from byte {place}): {others} lines read" if has_both else f"not UTF-8 (byte {place}): read"
    return clean(text), (f"{what} as Windows-1252, so some letters may be wrong",)


def _decoded(line: bytes) -> tuple[str, bool]:
    """A line by itself, and whether it is UTF-8: files that were put together hold lines of both kinds."""
    try:
        return line.decode("utf-8"), True
    except UnicodeDecodeError:
        return line.decode("cp1252", errors="replace"), False


def _decode_marked(data: bytes, encoding: str) -> tuple[str, tuple[str, ...]]:
    try:
        return clean(data.decode(encoding)), ()
    except UnicodeDecodeError as error:
        raise FileReadError(
            f"its first bytes say {encoding}, but byte {error.start} is not; save it as UTF-8"
        ) from error


def clean(text: str) -> str:
    """`text` with plain line ends and without characters that cannot be seen or stored."""
    return _SURROGATES.sub("\ufffd", _UNSEEN.sub("", _LINE_ENDS.sub("\n", text)))


def one_line(text: str) -> str:
    """`text` cleaned, on one line."""
    return " ".join(clean(text).split())


def day(date: str) -> str:
    """The day of an ISO time stamp; any other date as it is written."""
    date = " ".join(date.split())
    match = _ISO_TIME.fullmatch(date)
    return match.group(1) if match else date


def gunzip(data: bytes, limits: Limits) -> bytes:
    """The content of a gzip file; FileReadError when it is damaged, cut short or grows past the limit."""
    parts: list[bytes] = []
    total = 0
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            while part := file.read(4 * MIB):
                parts.append(part)
                total += len(part)
                refuse_bomb(unpacked=total, packed=len(data), limits=limits)
    except EOFError as error:
        raise FileReadError("the gzip file is cut short; get a complete copy") from error
    except (gzip.BadGzipFile, zlib.error) as error:
        raise FileReadError(f"expected a gzip file, got damaged data ({error}); get a fresh copy") from error
    return b"".join(parts)


def refuse_large(size: int, limits: Limits) -> None:
    """FileReadError for a file that is larger than one may be."""
    if size > limits.file_bytes:
        raise FileReadError(f"is {size // MIB} MiB; the limit is {limits.file_bytes // MIB} MiB: split it")


def refuse_bomb(*, unpacked: int, packed: int, limits: Limits) -> None:
    """FileReadError when content grows past the limit, or out of all proportion to the file."""
    if unpacked > limits.unpacked_bytes:
        raise FileReadError(f"unpacks to more than {limits.unpacked_bytes // MIB} MiB, which is the limit; split it")
    if unpacked > 64 * MIB and unpacked > _PACKED_TOO_WELL * packed:
        raise FileReadError(f"unpacks to more than {_PACKED_TOO_WELL} times its size, like a zip bomb; not read")


def words_of(text: str) -> frozenset[str]:
    """The words of a text in small letters, those with hyphens whole: what a word that a line parts may be."""
    return frozenset(_COMPOUND.findall(text.lower()))


def with_whole_lines(text: str, *, fewest: int = _FEWEST_LINES, known: frozenset[str] | None = None) -> str:
    """The text of a page or file in which paragraphs are cut into lines of one width, with a paragraph on a line.

    A line nearly as wide as lines of prose are goes on in the next; not in a row of numbers, and not from the end of a
    sentence into a short line, which is a heading, or where the next word would have had room. Text with a paragraph on
    a line stays as it is. A word that a line parts is put together as the `known` words have it, which are those of the
    text unless they are given.
    """
    lines = [line.strip() for line in text.strip().split("\n")]
    prose = [line for line in lines if line.count(" ") >= _PROSE_WORDS] or lines
    lengths = sorted(map(len, prose))
    usual = lengths[int(len(lengths) * 0.9)]
    if len(lengths) < fewest or usual > _WIDEST_LINE:
        return text
    width = 0.75 * usual
    full = _full_width(lines, width)
    known = words_of(text) if known is None else known
    parts = [lines[0]]
    items = _items(lines) | _lines_of_form(lines) | _lines_of_slide(lines)
    for number, (before, line) in enumerate(pairwise(lines), 1):
        is_full = len(before) >= width or (line[:1].islower() and _with_next_word(before, line) >= usual)
        flows = bool(before and line) and is_full and width > 20 and not _begins_anew(before, line, width, full)
        flows = flows and number not in items
        if _PARTED_WORD.search(before[-2:]) and line[:1].islower():
            end, between = _whole_word(before, line, known, flows=flows)
            parts[-1] = parts[-1].removesuffix("-") + end
        else:
            between = " " if flows else "\n"
        parts.append(between + line)
    return _BLANK_LINES.sub("\n\n", "".join(parts))


_NUMBERED = re.compile(r"(?:\(?(?P<number>\d{1,2})[.)]|\((?P<letter>[a-z])\)) {1,4}[^\W\d_]")
_BEFORE_ITEM = re.compile(r"(?:[.:;,!?]|[;,] (?:and|or))$|^$")  # how a line ends, the last with the next item


def _items(lines: Sequence[str]) -> set[int]:
    """The lines that open items of numbered lists: a 1 or (a), or the number after that of the item before.

    The line before ends with a sign, but on a page of few lines, as slides are.
    """
    items: set[int] = set()
    is_short = len(lines) <= _MOST_OF_SLIDE
    last = 0
    for at, line in enumerate(lines):
        number = _number_of_item(line)
        if number == 1 or (number and number == last + 1):
            last = number
            if at and (is_short or _BEFORE_ITEM.search(lines[at - 1][-6:])):
                items.add(at)
    return items


def _number_of_item(line: str) -> int:
    """Which item of a list a line opens, by its number or its letter, from 1; 0 where it opens none."""
    item = _NUMBERED.match(line)
    if item is None:
        return 0
    return int(item["number"] or ord(item["letter"]) - ord("a") + 1)


_LABEL = re.compile(r"(?=[^\W_])[^:\n]{1,60}:[ \t]{1,4}\S")
_OF_A_FORM = 0.4  # of the lines


def _lines_of_form(lines: Sequence[str]) -> set[int]:
    """The lines that open with a label where many do, and the headings right above them: no line goes on in these."""
    labelled = {at for at, line in enumerate(lines) if _is_labelled(line, _LABEL)}
    if len(labelled) < _OF_A_FORM * len(lines):
        return set()
    above = {at - 1 for at in labelled if at}
    return labelled | {at for at in above if _HEADS_PARTS.fullmatch(lines[at])}


_MOST_OF_SLIDE = 15  # lines


def _lines_of_slide(lines: Sequence[str]) -> set[int]:
    """The lines of a page with few that begin with a capital below one of few words: they stand below one another."""
    if len(lines) > _MOST_OF_SLIDE:
        return set()
    below = (at for at, line in enumerate(lines) if at and line[:1].isupper())
    return {at for at in below if lines[at - 1].count(" ") < _PROSE_WORDS}


def _whole_word(before: str, line: str, known: frozenset[str], *, flows: bool) -> tuple[str, str]:
    """What stands at the end of a line that parts a word, a hyphen or nothing, and what between it and the next."""
    head, tail = before.split()[-1].lower(), line.split()[0].lower()
    first, second = (_COMPOUND.findall(part) for part in (head, tail))
    if first and second and f"{first[-1]}{second[0]}" in known:
        return "", ""
    if first and second and f"{first[-1]}-{second[0]}" in known:
        return "-", ""
    return ("", "") if flows else ("-", "\n")


def _full_width(lines: Sequence[str], width: float) -> float:
    """How wide the narrowest lines are that had no room for the next word, with that word; 0 where too few tell."""
    full: list[int] = []
    for before, line in pairwise(lines):
        if len(before) < width or before[-1] in ".!?:;":
            continue
        if line[:1].islower():
            full.append(_with_next_word(before, line))
    if len(full) < _FEWEST_FULL:
        return 0.0
    return sorted(full)[int(len(full) * _NARROWEST)]


def _with_next_word(before: str, line: str) -> int:
    word, *_ = line.split(maxsplit=1)
    return len(before) + 1 + len(word)


def _begins_anew(before: str, line: str, width: float, full: float) -> bool:
    """Whether a line begins anew: numbers, a bullet; behind the end of a sentence a short line, or one with room."""
    if line[0] in "•●▪◦■*" or not any(c.isalpha() for c in line):
        return True
    has_room = _with_next_word(before, line) < full
    if has_room and line[0].isupper() and _ENDS.search(before[-5:]):
        return True
    ended = before[-1] in ".!?:"
    return ended and len(line) < width / 2 and line[-1] not in ".!?,;"


def outline_of(text: str, headings: Sequence[tuple[int, str]]) -> tuple[tuple[int, str], ...]:
    """Where the sections of `text` begin, each with its path; `headings` are (level, line) in their order.

    A heading that is not found as a line of its own after the one before is passed over. White space of any kind and
    length is a space, as behind the number of a heading.
    """
    places = defaultdict[str, list[int]](list)
    for told in re.finditer(r"[^\n]+", text):
        places[" ".join(told[0].split())].append(told.start())
    starts: list[int] = []
    found: list[tuple[int, str]] = []
    for level, heading in headings:
        line = " ".join(heading.split())
        last = starts[-1] if starts else -1
        lines = places[line] if line else []
        behind = bisect_right(lines, last)
        if behind < len(lines):
            starts.append(lines[behind])
            found.append((level, line))
    return tuple(zip(starts, section_paths(found), strict=True))


_HEADING = re.compile(
    r"(?P<number>\d{1,2}(?:\.\d{1,2}){0,3})\.?[ \t]{1,8}"
    r"(?P<name>(?=.{0,60}[^\W\d_]{3})[^\W\d_][^\n]{1,80})(?<![;:,])(?<!\d[.)])"
)
_FEWEST_SECTIONS = 3
_LONGEST_WITH_STOP = 8  # words of a heading that ends in a full stop
_BEGIN_WITHIN = 0.25  # of the text
_SKIPPED = 1  # sections between two whose heading is not read as one
_LIST = 3  # such lines below one another: a list, or the contents


def numbered_sections(text: str) -> tuple[tuple[int, str], ...]:
    """Where the sections of `text` begin whose headings are numbered: "2 Data" after "1 Aims", "2.1 Sources" after it.

    Lines below one another are a list, or the contents. Fewer than three headings are none, and so are those of which
    the first stands late in the text.
    """
    found: list[tuple[int, int, str]] = []
    last: tuple[int, ...] = ()
    for start, number, name in _numbered_lines(text):
        if _follows(number, last):
            last = number
            found.append((start, len(number), name))
    return _as_outline(found, text)


def sections_told(text: str) -> tuple[tuple[int, str], ...]:
    """Where the sections of a text begin whose form shows none: by numbered headings, or by parts as laws have them."""
    return numbered_sections(text) or _as_outline(_called_parts(text), text)


def _as_outline(found: Sequence[_Heading], text: str) -> tuple[tuple[int, str], ...]:
    """Where sections begin and their paths, from their places, levels and names; none of few, and none of late ones."""
    starts = [start for start, _, _ in found]
    latest = _BEGIN_WITHIN * len(text)
    if len(found) < _FEWEST_SECTIONS or starts[0] > latest:
        return ()
    paths = section_paths((level, name) for _, level, name in found)
    return tuple(zip(starts, paths, strict=True))


_Heading = tuple[int, int, str]  # where it begins, its level, its name
# "Article 5", "CHAPTER II", a line of its own with a name behind it or in the next line: the parts of a law.
_PART = re.compile(
    r"(?P<kind>(?i:article|chapter|section|part|title|annex|schedule|clause|rule|book))[ \t]{1,4}"
    r"(?P<number>\d{1,3}[A-Za-z]?|[IVXLC]{1,7}|[A-Z])(?P<name>[.:]?(?:[ \t]{1,4}(?:[–—-][ \t])?[^\n]{1,90})?)"
)
_LONGEST_NAME = 110  # characters of the name of a part


def _called_parts(text: str) -> list[_Heading]:
    """The headings that say which part of a text begins there: "Article 5", with its name from the next line.

    The kind of which there are most is the lowest level. Parts with nothing between them but their names are contents.
    """
    lines = _lines_with_places(text)
    found: list[tuple[int, str, str]] = []
    last = -_LIST
    for at, (start, line) in enumerate(lines[:-1]):
        part = _PART.fullmatch(line)
        if part is None or not _is_of_part(part["name"]):
            continue
        kind = part["kind"].lower()
        is_list = at - last < _LIST and kind == found[-1][1]
        if is_list:
            found.pop()
        _, below = lines[at + 1]
        is_bare = not part["name"].strip(".: ")
        if is_bare and _is_name_of_part(below):
            line = f"{line} {below}"
        found.append((start, kind, line))
        last = at
    counted = Counter(kind for _, kind, _ in found)
    from_top = [kind for kind, _ in reversed(counted.most_common())]
    if from_top[-1:] in ([], ["part"]):  # the parts of a report, which each of its pages may repeat
        return []
    return [(start, from_top.index(kind) + 1, name) for start, kind, name in found]


def _lines_with_places(text: str) -> list[tuple[int, str]]:
    """The lines of a text that hold something, with where they begin, and an empty one behind them."""
    lines: list[tuple[int, str]] = []
    start = 0
    for line in text.split("\n"):
        if told := line.strip():
            lines.append((start, told))
        start += len(line) + 1
    return [*lines, (start, "")]


def _is_of_part(name: str) -> bool:
    """Whether what stands behind the number of a part is its name, and no sentence that only begins with a part."""
    own = name.strip(".:–—- \t")
    if not own:
        return True
    return name[-1] not in ";,:" and _is_named(own)


def _is_name_of_part(line: str) -> bool:
    is_short = 0 < len(line) <= _LONGEST_NAME and line[0].isupper()
    return is_short and line[-1] not in ".;:," and _PART.fullmatch(line) is None


def _numbered_lines(text: str) -> Iterator[tuple[int, tuple[int, ...], str]]:
    """The lines that a number and a name fill, with where they begin; not those of lists."""
    run: list[tuple[int, tuple[int, ...], str]] = []
    start = 0
    for line in (*text.split("\n"), "."):
        heading = _HEADING.fullmatch(line.strip())
        if heading and _is_named(heading["name"]):
            number = tuple(map(int, heading["number"].split(".")))
            run.append((start, number, heading["name"].rstrip(".")))
        elif line.strip():
            yield from run if len(run) < _LIST else ()
            run = []
        start += len(line) + 1


def _is_named(name: str) -> bool:
    is_sentence = name.endswith(".") and len(name.split()) > _LONGEST_WITH_STOP
    return name[0].isupper() and not is_sentence


def _follows(number: tuple[int, ...], last: tuple[int, ...]) -> bool:
    """Whether a section may come after another: the first of it, or the next of it or of one around it."""
    if not last:
        return number in ((0,), (1,), (1, 1))
    *around, own = number
    if tuple(around) == last:
        return own in (0, 1)
    above = number[:-1]
    at = len(above)
    if above == last[:at] and len(last) > at:
        ahead = own - last[at]
        return 0 < ahead <= _SKIPPED + 1
    return own == 1 and at > 0 and _follows(above, last)


def archive_in(file: SourceFile, refusal: str) -> zipfile.ZipFile:
    """The zip archive that a file is; FileReadError with `refusal` where it is none, and where it is a bomb."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(file.data))
    except zipfile.BadZipFile as error:
        raise FileReadError(refusal) from error
    unpacked = sum(entry.file_size for entry in archive.infolist())
    refuse_bomb(unpacked=unpacked, packed=len(file.data), limits=file.limits)
    return archive


def section_paths(headings: Iterable[tuple[int, str]]) -> Iterator[str]:
    """Yield the path of each heading (level, name): up to two of those above it, and itself, 80 characters of each."""
    path: list[tuple[int, str]] = []
    for level, name in headings:
        path = [(above, other) for above, other in path if above < level]
        path.append((level, name[:80]))
        yield " › ".join(other for _, other in path[-3:])


_MOST_PROBLEMS = 20


def few(problems: list[str]) -> tuple[str, ...]:
    """The first of many problems, and how many more there are."""
    if len(problems) <= _MOST_PROBLEMS:
        return tuple(problems)
    return (*problems[:_MOST_PROBLEMS], f"and {len(problems) - _MOST_PROBLEMS} more like these")


def unique_ids(ids: list[str], problems: list[str] | None = None) -> list[str]:
    """The ids, each cleaned and on one line; the second "a" becomes "a~2", and is listed as a problem."""
    seen: dict[str, int] = {}
    unique = []
    for raw in ids:
        key = one_line(raw)[:200]
        seen[key] = seen.get(key, 0) + 1
        while seen[key] > 1 and f"{key}~{seen[key]}" in seen:
            seen[key] += 1
        if seen[key] > 1 and problems is not None:
            problems.append(f"the id {key!r} comes again; this one became {key}~{seen[key]}")
        if seen[key] == 1:
            chosen = key
        else:
            chosen = f"{key}~{seen[key]}"
        seen.setdefault(chosen, 1)
        unique.append(chosen)
    return unique


def joined_pages(pages: list[str]) -> tuple[str, tuple[int, ...]]:
    """The pages with a blank line between, and where each begins; one without text begins where the next does."""
    text, starts = "", []
    for page in pages:
        if text and page:
            text += "\n\n"
        starts.append(len(text))
        text += page
    return text, tuple(starts)


Reader = Callable[[SourceFile], Reading]


@cache
def readers() -> dict[str, Reader]:
    """Each suffix (".pdf") with the function that reads such files."""
    results: dict[str, Reader] = {}
    for module in pkgutil.iter_modules(__path__):
        results.update(import_module(f"{__name__}.{module.name}").READERS)
    return dict(sorted(results.items()))


def suffix_of(name: str) -> str:
    """The ending that decides who reads it, in lower case; that of "a.jsonl.gz" is ".jsonl", of "README" ".txt"."""
    lower = name.lower().removesuffix(".gz")
    dot = lower.rfind(".")
    if dot > lower.rfind("/") + 1:
        return lower[dot:]
    return ".txt"


_SAVED_AS = {
    ".docx": ".doc .dot .rtf .wps .wpd .pages .ott .fodt",
    ".xlsx": ".xls .xlsb .xlt .ods .numbers",
    ".pptx": ".ppt .pps .odp .key",
    ".eml": ".msg",
    ".txt": ".bib .log .toml .ini .cfg .conf .tex .adoc .org .sql .py .js",
    "a PDF whose text was recognised (OCR)": ".jpg .jpeg .png .tif .tiff .gif .bmp .webp .heic",
}


def why_unread(suffix: str) -> str:
    """Return that files with this ending are not read, and what to do: another format, or those that are read."""
    for better, endings in _SAVED_AS.items():
        if suffix in endings.split():
            return f"cannot read {suffix}; save it as {better}"
    if suffix in (".zip", ".7z", ".rar", ".tar", ".tgz"):
        return f"cannot read {suffix}; unpack it and add what is in it"
    return f"cannot read {suffix}; can read {' '.join(readers())}"


def read(key: str, data: bytes, limits: Limits | None = None) -> Reading:
    """The documents in the file `key`; FileReadError says what is wrong with it."""
    limits = limits or Limits()
    reader = readers().get(suffix_of(key))
    if reader is None:
        raise FileReadError(why_unread(suffix_of(key)))
    refuse_large(len(data), limits)
    if not data:
        raise FileReadError("is empty; expected some text")
    if key.lower().endswith(".gz"):
        content = gunzip(data, limits)
    else:
        content = data
    other = _called_wrongly(key, content)
    if other in _READ_AS:
        reader = readers()[other]
    try:
        reading = reader(SourceFile(key, content, limits))
    except AdaqError as error:
        if other:
            raise FileReadError(f"is called {suffix_of(key)}, but is {_KINDS[other]}; rename it") from error
        raise
    except Exception as error:  # whatever a parser throws at a damaged or hostile file becomes that file's reason
        raise FileReadError(f"is damaged or not what its name says ({type(error).__name__}: {error})") from error
    return _only_with_text(_told_whole(_signed(_dated_by_name(reading, key))))


_KINDS = {
    ".pdf": "a PDF",
    ".docx": "a Word, Excel, PowerPoint or zip file",
    ".html": "a web page",
    ".rst": "reStructuredText",
}
_READ_AS = (".html", ".rst")  # what a file is read as, whatever its name says
_IN_ZIP = (".docx", ".xlsx", ".xlsm", ".pptx", ".odt", ".epub")
_OF_TEXT = (".txt", ".text")
_OF_MARKED_TEXT = (*_OF_TEXT, ".md", ".markdown")
# Directives, targets and links of reStructuredText; headings, fences and links of Markdown.
_MARK_OF_RST = re.compile(
    rb"(?m)^[ \t]{0,12}\.\. (?:_[^\n:]{1,100}: |\|[^|\n]{1,80}\| [a-z]{1,20}::|[a-z][\w:-]{1,30}::)"
    rb"|`[^`<\n]{1,300} <[^<>\n]{1,500}>`_"
)
_MARK_OF_MARKDOWN = re.compile(rb"(?m)^(?:#{1,6} \S|[ \t]{0,3}```)|\]\([^()\s]{1,500}\)")


def _called_wrongly(key: str, data: bytes) -> str:
    """The ending that a file should have by its first bytes; empty where it may be what its name says."""
    suffix, head = suffix_of(key), data[:200].lstrip().lower()
    if head.startswith(b"%pdf-"):
        return ".pdf" if suffix != ".pdf" else ""
    if head.startswith(b"pk\x03\x04"):
        return ".docx" if suffix not in _IN_ZIP else ""
    if suffix in _OF_TEXT and head.startswith((b"<!doctype html", b"<html")):
        return ".html"
    return ".rst" if suffix in _OF_MARKED_TEXT and _is_rst(data) else ""


def _is_rst(data: bytes) -> bool:
    """Whether a text has more marks of reStructuredText than of Markdown, but for a title that may stand above it."""
    marks = len(_MARK_OF_RST.findall(data))
    return marks > 0 and marks >= len(_MARK_OF_MARKDOWN.findall(data))


_PAGES = (".html", ".htm")
_WHOLE_DAY = 10  # characters


def _dated_by_name(reading: Reading, key: str) -> Reading:
    """The one document of a file that states no date, with the time in the file's name: "minutes-2019-05-15.md".

    That is a day, else a month. A day with stops is read as it is written where stops are: 02.04.2026 is the second of
    April. The day of a page may be guessed from any link in it ("last-minutes-2019-04-17"), so there the name is surer.
    """
    *_, name = key.split("/")
    told = _time_in(name)
    if len(reading.documents) != 1 or not told:
        return reading
    is_guessed = suffix_of(key) in _PAGES and len(told) == _WHOLE_DAY
    if reading.documents[0].date and not is_guessed:
        return reading
    return replace(reading, documents=(replace(reading.documents[0], date=told),))


# A line near the top that says whose the text is: "By Ruth Aldous", "Law Quarterly, winter 2020. By Ruth Aldous".
_BYLINE = re.compile(
    r"(?m)^(?:[^\n]{0,80}[.,;—–|•] ?)?"
    r"(?:(?:[Ww]ords|[Tt]ext|[Ww]ritten|[Ss]poken|[Ss]ermon|[Ss]peech|[Rr]eview(?:ed)?) )?[Bb]y "
    r"(?P<name>[A-Z][\w'’-]{1,20}(?: (?:[A-Z]\.|[A-Z][\w'’-]{1,20}|de|van|von|of)){1,3})\.?$"
)
_OPENING = 600  # characters


def _signed(reading: Reading) -> Reading:
    """The one document of a file that states no author, with the one whose name stands under its title."""
    if len(reading.documents) != 1:
        return reading
    document = reading.documents[0]
    byline = _BYLINE.search(document.text, 0, _OPENING)
    stated = {name.lower() for name, _ in document.metadata}
    if byline is None or not stated.isdisjoint(_STATE_AN_AUTHOR):
        return reading
    metadata = (*document.metadata, ("author", byline["name"]))
    return replace(reading, documents=(replace(document, metadata=metadata),))


_STATE_AN_AUTHOR = frozenset(("author", "authors", "speaker", "from", "issuer"))


def _time_in(name: str) -> str:
    """The one day that a file's name says, else its one month; empty without."""
    found = [*DAY_IN_NAME.finditer(name), *_DAY_FIRST.finditer(name)]
    if not found:
        months = _MONTH_IN_NAME.findall(name)
        return months[0] if len(months) == 1 else ""
    try:
        days = {date(*map(int, each.group("y", "m", "d"))) for each in found}
    except ValueError:
        return ""
    return next(iter(days)).isoformat() if len(found) == 1 else ""


_PART_OF_HEADING = re.compile(r"(?=[a-z]|\d[^:]{0,40}[a-z])[^:\n]{1,60}:[ \t]{1,4}\S")  # "total: 1,136 km"
_HEADS_PARTS = re.compile(r"[A-Z][^:|#=\n]{1,60}(?<![.,;!?])")  # "Land boundaries", and no header of a table
_FEWEST_FORMS, _WORDS_OF_LABEL = 3, 8
_LABELLED = 0.2  # of the lines of a form


def _told_whole(reading: Reading) -> Reading:
    """Documents with lines that say what others around them leave out; a judged collection stays as it is.

    Of a form the headings stand in front of the labels in small letters below them: "total: 1,136 km" says nothing
    without "Land boundaries". Of a quiz the right answer stands beside its question, the other options in a line. What
    only lists the parts of its document is left out.
    """
    if reading.judged:
        return reading
    told = (_with_changes(each, _answers_of_quiz(each.text)) for each in reading.documents)
    told = (_with_changes(each, _lists_of_parts(each)) for each in told)
    return replace(reading, documents=tuple(map(_told_by_headings, told)))


_WORD_OF_LINE = re.compile(r"[^\W\d_]+")
_LETTERS_OF_LINE = 60  # that tell a line; of a heading 80 characters are known


def _lists_of_parts(document: Document) -> list[tuple[int, int, str]]:
    """Three lines or more, one below the other, that repeat headings of their document: its contents."""
    headings = {_letters_of(path.rpartition(" › ")[2]) for _, path in document.outline} - {""}
    starts = {start for start, _ in document.outline}
    found, run = list[tuple[int, int, str]](), list[re.Match[str]]()
    lines = (line for line in re.finditer(r"[^\n]+", document.text) if line[0].strip())
    for line in chain(lines, (None,)):
        if line and line.start() not in starts and _letters_of(line[0]) in headings:
            run.append(line)
            continue
        if len(run) >= _FEWEST_SECTIONS:
            *_, last = run
            end = last.start() + len(last[0].rstrip())
            found.append((run[0].start(), end, ""))
        run = []
    return found


def _letters_of(line: str) -> str:
    return "".join(_WORD_OF_LINE.findall(line.lower()))[:_LETTERS_OF_LINE]


def _told_by_headings(document: Document) -> Document:
    places = list[tuple[int, str]]()
    heading, above, at = "", "", 0
    for line in document.text.split("\n"):
        if is_part := _is_labelled(line, _PART_OF_HEADING):
            heading = above or heading
            places += [(at, f"{heading} – ")] if heading else []
        elif line.strip():
            heading = ""
        if line.strip():
            is_heading = not is_part and _HEADS_PARTS.fullmatch(line.strip())
            above = line.strip() if is_heading else ""
        at += len(line) + 1
    headings = {words for _, words in places}
    lines = len(re.findall(r"\n\s*", document.text)) + 1
    if len(headings) < _FEWEST_FORMS or len(places) < _LABELLED * lines:
        return document
    return _with_changes(document, [(start, start, words) for start, words in places])


def _is_labelled(line: str, pattern: re.Pattern[str]) -> bool:
    label = pattern.match(line.strip())
    said = label[0].split() if label else ()
    return 0 < len(said) <= _WORDS_OF_LABEL


_ASKS = re.compile(r"[^\n]{3,600}(?:\?|_{2,}[^\n]{0,200})")
_ANSWER = re.compile(r"(?i)(?:(?:correct|right) )?answer[:.]?[ \t]{0,4}\(?(?P<letter>[A-Ha-h]?)[.)]?")
_LETTER = re.compile(r"\(?([A-Ha-h])[.)]?")
_MARK_OF_OPTION = re.compile(r"(?:[-*•]|\(?[A-Ha-h\d][.)]) {1,4}")
_OPTIONS = range(2, 9)


def _answers_of_quiz(text: str) -> list[tuple[int, int, str]]:
    """What to write for the options of a quiz whose answer is a letter below them: each alone reads as a statement."""
    every = re.finditer(r"[^\n]+", text)
    lines = [line for line in every if not line[0].isspace()]
    told = [line.group().strip() for line in lines]
    changes = list[tuple[int, int, str]]()
    question = len(lines)
    for at, line in enumerate(told):
        answer = _ANSWER.fullmatch(line)
        if _ASKS.fullmatch(line):
            question = at
        if answer is None:
            continue
        options = told[question + 1 : at]
        below = at if answer["letter"] else at + 1
        letter = answer["letter"] or _letter_in(told[below : below + 1])
        if letter and len(options) in _OPTIONS and (words := _with_answer(options, letter)):
            first = lines[question + 1]
            changes.append((first.start(), lines[below].end(), words))
        question = len(lines)
    return changes


def _with_answer(options: Sequence[str], letter: str) -> str:
    """The options of a question with the right one first; empty where there is none of that letter."""
    plain = [_MARK_OF_OPTION.sub("", option, count=1) for option in options]
    chosen = "abcdefgh".index(letter.lower())
    if chosen >= len(plain):
        return ""
    right = plain.pop(chosen)
    others = " / ".join(option.rstrip(".") for option in plain)
    return f"Answer: {right.rstrip('.')}\n\nOther options: {others}"


def _letter_in(lines: Sequence[str]) -> str:
    letters = (_LETTER.fullmatch(line) for line in lines)
    return next((letter[1] for letter in letters if letter), "")


def _with_changes(document: Document, changes: Sequence[tuple[int, int, str]]) -> Document:
    """A document with other words at some ranges of its text, and its pages and sections where they are then."""
    text, parts, last = document.text, list[str](), 0
    ends, moved_by = list[int](), [0]
    for start, end, words in changes:
        parts += (text[last:start], words)
        ends.append(end)
        longer = len(words) - (end - start)
        moved_by.append(moved_by[-1] + longer)
        last = end

    def moved(place: int) -> int:
        return place + moved_by[bisect_left(ends, place)]

    return replace(
        document,
        text="".join((*parts, text[last:])),
        pages=tuple(map(moved, document.pages)),
        outline=tuple((moved(start), path) for start, path in document.outline),
    )


def _only_with_text(reading: Reading) -> Reading:
    full = tuple(document for document in reading.documents if document.text.strip())
    blank = len(reading.documents) - len(full)
    if not full:
        told = "; ".join(reading.problems[:3])
        raise FileReadError(f"holds no text ({told})" if told else "holds no text")
    problems = (*reading.problems, f"{blank} records without text were left out") if blank else reading.problems
    return Reading(full, reading.notices, problems, reading.judged)
