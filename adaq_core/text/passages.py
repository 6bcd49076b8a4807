"""Text to sentences, documents to passages cut at sentence borders, and texts that say almost the same.

Near-duplicates: Broder, “On the resemblance and containment of documents” (1997). 64 hashes in 16 bands of 4: a pair of
resemblance 0.8 is met with probability 0.9998, one of 0.3 with 0.12 (and is then thrown out by the exact check).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise, takewhile
from operator import itemgetter
from typing import NamedTuple

from adaq_core.model import Document, Passage

_SHORT = """
mr mrs ms dr prof sr jr st gen col lt sgt capt maj adm gov sen rep rev hon pres vs v etc al inc ltd co corp
plc llc
no nos vol vols fig figs eq sec ch pp p ed eds approx ca cf dept est min max jan feb mar apr jun jul aug sep sept oct
nov dec mt ft ave blvd hwy rd bros e.g i.e u.s u.k u.n a.m p.m ph.d b.a m.a d.c l.a b.sc m.sc
"""
_ABBREVIATIONS = frozenset(_SHORT.split())
# Words or endings of sentences too, unless a number stands behind: "cl. 14", "ext. 2119", but "It is art. 14 came."
_OF_A_NUMBER = re.compile(r"(?i)\b(?:art|cl|ext|nr|paras?|pos|ref|rn|sect|sub|tab|tel)$")
# A line break, wide stops, or stops in front of white space. A pattern that begins with a set of characters is searched
# for five times as fast as one that begins with alternatives.
_BREAK = re.compile(r"[.!?…。！？\n](?:(?<=\n)\s{0,200}|(?<=[。！？])[。！？]{0,7}|[.!?…]{0,7}[\"'”’)\]]{0,8}(?=\s))")
_WIDE = frozenset("。！？")
_INITIALS = re.compile(r"[^\W\d_a-z](?:\.[^\W\d_a-z]){0,4}")
# Month names that English shares count only before a year: "It holds 30. September was cold." ends after 30.
_GERMAN_MONTH = re.compile(
    r"\s{1,4}(?:(?:Januar|Jänner|Februar|März|Mai|Juni|Juli|Oktober|Dezember)\b"
    r"|(?:April|August|September|November) \d{4}\b)"
)
# An English month behind "On Monday 20. ", "since the 3. ": of a day, which other languages write with a stop.
_MONTH = re.compile(
    r"\s{1,4}(?:January|February|March|April|May|June|July|August|September|October|November|December)\b"
)
_OF_A_DAY = re.compile(r"(?i)(?:\b(?:on|since|until|the)|day,?) \d{1,2}$")
_NUMBERS_AN_ITEM = re.compile(r"(?:^|\n)[ \t]{0,2}\d{1,2}$")  # "1. Open the form"
_MARKS = frozenset("-*–")
_MARKS_AN_ITEM = re.compile(r"[-*–] {1,3}(?=\w)")  # "- Open the form"
# "git commit: Records the changes", a line of its own in a list of terms.
_ENTRY = re.compile(r"\s{0,8}[a-z][\w./+-]{0,30}(?: [\w./+-]{1,20}){0,3}: (?=[A-Z])")
_LAST_WORD = re.compile(r"([^\W_]{1,24}(?:\.[^\W_]{1,24}){0,8})$")


def sentences(text: str) -> list[tuple[int, int]]:
    """Half-open character ranges of the sentences, in order, without surrounding white space; none for blank text.

    A full stop after an abbreviation or an initial does not end a sentence; a line break does unless the line goes on
    in lower case, and is no entry of a list of terms ("git commit: Records …").
    """
    results: list[tuple[int, int]] = []
    start = 0
    for match in _BREAK.finditer(text):
        if _ends(text, match):
            _keep(text, start, match.end(), results)
            start = match.end()
    _keep(text, start, len(text), results)
    return results


def sentence_texts(text: str) -> list[str]:
    """The sentences of a text as it writes them."""
    return [text[start:end] for start, end in sentences(text)]


class Turn(NamedTuple):
    """What somebody says in a conversation: where it begins, who says it, and the question that it answers."""

    start: int
    who: str
    asked: str


# Who speaks in front of what is said: "Ann Lee: So when did you start?", "Q: Why?", "P3 (Kofi): At six."
_WHO = r"[A-Z][\w.'’-]{0,24}(?: [\w.'’-]{1,24}){0,4}(?: \([^()\n]{2,40}\))?"
_TURN = re.compile(rf"(?m)^(?P<who>{_WHO}): {{1,4}}(?P<said>\S[^\n]*)")
_FEWEST_TURNS = 3


@lru_cache(maxsize=1 << 10)
def turns(text: str) -> tuple[Turn, ...]:
    """The turns of a conversation, in which two speak at least, one of them again, and one asks; else none."""
    found = list(_TURN.finditer(text))
    speakers = {turn["who"] for turn in found}
    is_talk = len(found) >= _FEWEST_TURNS and 1 < len(speakers) < len(found)
    if not is_talk or not any(_question_of(turn) for turn in found):
        return ()
    first, *others = found
    made = [Turn(first.start(), first["who"], "")]
    for before, turn in zip(found, others, strict=False):
        is_answer = before["who"] != turn["who"]
        asked = _question_of(before) if is_answer else ""
        made.append(Turn(turn.start(), turn["who"], asked))
    return tuple(made)


def _question_of(turn: re.Match[str]) -> str:
    """The question with which a turn ends; empty where it ends with none."""
    said = turn["said"].rstrip()
    if not said.endswith("?"):
        return ""
    start, end = sentences(said)[-1]
    return said[start:end]


def turn_at(text: str, place: int) -> Turn | None:
    """The turn of a conversation in which a place of its text stands."""
    found = turns(text)
    at = bisect_right([turn.start for turn in found], place) - 1
    return found[at] if at >= 0 else None


def overlaps(span: tuple[int, int], others: Iterable[tuple[int, int]]) -> bool:
    """Whether a range shares a character with one of some others."""
    start, end = span
    return any(begin < end and start < stop for begin, stop in others)


def _ends(text: str, match: re.Match[str]) -> bool:
    stop = match.start()
    first = text[stop]
    if first in _WIDE:
        return True
    following = text[match.end() : match.end() + 64].lstrip()[:1]
    if first == "\n":
        goes_on = following.islower() and _ENTRY.match(text, match.end()) is None
        return text.count("\n", stop, match.end()) > 1 or not goes_on
    if following.islower():
        return False
    if first != "." or text.startswith("..", stop):
        return True
    if _is_abbreviated(text, stop) or _is_ordinal(text, match):
        return False
    if following.isdigit() and _OF_A_NUMBER.search(text, max(0, stop - 12), stop):
        return False
    return _NUMBERS_AN_ITEM.search(text, max(0, stop - 6), stop) is None


def _is_ordinal(text: str, match: re.Match[str]) -> bool:
    """Whether the stop belongs to the day of a date ("am 30. September 2024", "12. März", "On Monday 20. January")."""
    before = text[max(0, match.start() - 3) : match.start()].split()
    if not before or not before[-1].isdigit():
        return False
    if _GERMAN_MONTH.match(text, match.end()):
        return True
    is_of_a_day = _OF_A_DAY.search(text, max(0, match.start() - 12), match.start())
    return is_of_a_day is not None and _MONTH.match(text, match.end()) is not None


def _is_abbreviated(text: str, stop: int) -> bool:
    plain = text[max(0, stop - 24) : stop].rpartition(" ")[2]
    if not plain:  # "Yes ." of a transcript
        return False
    if len(plain) > 1 and plain.isalpha():
        is_name = _IN_CAPITALS.search(text, max(0, stop - 24), stop) is not None
        return plain.lower() in _ABBREVIATIONS and not is_name
    word = _LAST_WORD.search(text, max(0, stop - 24), stop)
    if word is None:
        return False
    last = word.group()
    if _INITIALS.fullmatch(last) is not None:
        return not _is_of_a_thing(text, word.start(), stop)
    return last.lower() in _ABBREVIATIONS


# A short word in capitals where nothing else is: "… of the 737 MAX. Boeing …".
_IN_CAPITALS = re.compile(r"(?:[a-z\d]\W{1,3}|^)(?!(?:INC|LTD|CORP|LLC|PLC|BROS)$)[A-Z]{3,12}$")
_WORD_BEFORE = re.compile(r"\b[A-Z][a-z]{1,20} $")
_MOST_BEFORE = 24  # characters of the word before it
_AROUND = 1_000  # characters on either side that are looked at


def _is_of_a_thing(text: str, start: int, stop: int) -> bool:
    """Whether a lone letter ends the name of a thing, for that is said with an article: "… of the Model Y. It …"."""
    before = _WORD_BEFORE.search(text, max(0, start - _MOST_BEFORE), start)
    if before is None or stop - start > 1:
        return False
    near = text[max(0, start - _AROUND) : stop + _AROUND]
    return f" the {before[0]}{text[start:stop]}" in near


def _keep(text: str, start: int, end: int, spans: list[tuple[int, int]]) -> None:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    if piece[left : left + 1] in _MARKS and (mark := _MARKS_AN_ITEM.match(piece, left)):
        left = mark.end()
    right = len(piece.rstrip())
    if right > left:
        spans.append((start + left, start + right))


Span = tuple[int, int]

_WORDS = re.compile(r"\S+")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af]")
_CJK_PER_WORD = 2  # characters of Chinese or Japanese that count as a word
_LONGEST_WORD = 40  # characters; a longer run is cut like several words
_HEADING = 40  # characters: a passage may begin with the heading of its section
_SECTION = 40  # words of a section that is a passage of its own; a shorter one goes with what comes next


def cut(
    document: Document, *, max_words: int = 190, whole_up_to: int = 320, overlap_sentences: int = 1
) -> list[Passage]:
    """The passages of `document`, in order; none when its text is blank.

    A document of up to `whole_up_to` words is one passage. Otherwise a passage takes whole sentences up to `max_words`,
    and the next one begins with the last `overlap_sentences` of it, as long as it still brings something new; a
    sentence longer than a passage is split between words. `passage.text == document.text[passage.start:passage.end]`.
    No passage goes over the end of a page, and each knows its page and section where the document does. In a document
    without pages a passage ends with its section, but for sections of fewer than 40 words (docs/experiments.md,
    “Sections of long files”).
    """
    if max_words < 1 or overlap_sentences < 0:
        raise ValueError(f"need max_words >= 1 and overlap_sentences >= 0, not {max_words} and {overlap_sentences}")
    text = document.text
    if len(document.pages) > 1:
        pages = [*document.pages, len(text)]
        borders, most = _section_borders(document, pages), whole_up_to
    elif count_words(text) <= whole_up_to:
        borders, most = [0, len(text)], whole_up_to
    else:
        borders, most = _section_borders(document, [0, len(text)]), max_words
    spans = [span for part in pairwise(borders) for span in _within(text, part, most, max_words, overlap_sentences)]
    return [_passage(document, number, span) for number, span in enumerate(spans)]


def _section_borders(document: Document, pages: list[int]) -> list[int]:
    """Where the pages begin, their sections do that have a passage of their own, and where the text ends."""
    text, outline = document.text, document.outline
    starts = [start for start, _ in outline]
    borders = pages[:1]
    for page in pairwise(pages):
        last, end = page
        within = range(bisect_left(starts, last), bisect_left(starts, end))
        for at in within:
            start, path = outline[at]
            if count_words(text[last:start]) >= _SECTION:
                borders.append(last := start)
            elif last > page[0] and not document.pages and _depth(path) < _depth(section_at(outline, last)):
                borders[-1] = last = start  # what closes a section, as its conclusion, is no part of the next
        if last > page[0] and count_words(text[last:end]) < _SECTION:
            borders.pop()
        borders.append(end)
    return borders


def _depth(path: str) -> int:
    return path.count(BELOW)


def _within(text: str, part: Span, whole_up_to: int, max_words: int, overlap: int) -> Iterator[Span]:
    """The ranges of one part of `text`; none where it is blank."""
    begin, end = part
    inside = text[begin:end]
    short = count_words(inside) <= whole_up_to
    for left, right in [_stripped(inside)] if short else _grouped(inside, max_words, overlap):
        if left < right:
            yield begin + left, begin + right


def count_words(text: str) -> int:
    """The length of `text` in words: white-space runs; two CJK characters, or 40 of an endless word, count as one."""
    words = text.split()
    if text.isascii() and max(map(len, words), default=0) <= _LONGEST_WORD:
        return len(words)
    return sum(map(_weigh, words))


def _weigh(word: str) -> int:
    if word.isascii():
        if len(word) <= _LONGEST_WORD:
            return 1
        return -(-len(word) // _LONGEST_WORD)
    cjk = len(_CJK.findall(word))
    return max(1, -(-cjk // _CJK_PER_WORD) + (len(word) - cjk) // _LONGEST_WORD)


def _stripped(text: str) -> Span:
    start = len(text) - len(text.lstrip())
    return start, max(start, len(text.rstrip()))


def _grouped(text: str, max_words: int, overlap: int) -> list[Span]:
    """Ranges of sentences; each ends where the next makes it too long, or before a list that the next holds whole."""
    pieces = [piece for sentence in sentences(text) for piece in _pieces(text, sentence, max_words)]
    sizes = [count_words(text[start:end]) for start, end in pieces]
    lists = _lists(text, pieces)
    groups: list[Span] = []
    first = fresh = 0
    while fresh < len(pieces):
        after = _reach(sizes, first, fresh, max_words)
        parted = (each for each in lists if fresh < each[0] < after < each[1])
        cut_list = next(parted, None)
        is_moved = cut_list is not None and _is_better_whole(sizes, first, cut_list, max_words)
        if cut_list is not None and is_moved:
            after = cut_list[0]
        groups.append((pieces[first][0], pieces[after - 1][1]))
        first = max(first + 1, after if is_moved else after - overlap)
        fresh = after
        while first < fresh and fresh < len(pieces) and sum(sizes[first : fresh + 1]) > max_words:
            first += 1
    return groups


def _is_better_whole(sizes: list[int], first: int, of_list: Span, max_words: int) -> bool:
    """Whether a list has room in a passage of its own, and what stands before it is enough for one."""
    start, end = of_list
    is_enough = sum(sizes[first:start]) >= _SECTION
    return is_enough and sum(sizes[start:end]) <= max_words


_MARK_AHEAD = re.compile(r"(?:^|\n)[ \t]{0,4}[-*–•] {1,3}$")  # of an item, up to its first letter
_OPENS_ITEM = re.compile(r"[•▪●◦‣·]|\d{1,2}[.)] |\((?:[A-Za-z]|[ivx\d]{2,4}|\d)\) ")
_MARK = 8  # characters
_FEWEST_ITEMS = 2


def opens_item(text: str, start: int) -> bool:
    """Whether a sentence that begins there stands behind the mark of an item of a list, or begins with it."""
    if _MARK_AHEAD.search(text, max(0, start - _MARK), start):
        return True
    return _OPENS_ITEM.match(text, start) is not None and opens_line(text, start)


NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
COUNTED = re.compile(rf"(?i)\b(?P<number>{'|'.join(NUMBERS)}) (?:[\w-]{{1,30}} ){{0,4}}[\w-]{{2,30}}s\b")


def opens_line(text: str, start: int) -> bool:
    """Whether what begins there stands at the beginning of a line."""
    ahead = text[max(0, start - _MARK) : start]
    return ahead.rstrip(" \t")[-1:] in ("", "\n")


def _lists(text: str, pieces: list[Span]) -> list[Span]:
    """The lists that a sentence announces ("… five ways. 1. …"): from it on, one past the last sentence of the list."""
    found: list[Span] = []
    opened, items = 0, 0
    for at, (start, _) in enumerate([*pieces, (len(text), len(text))]):
        if at < len(pieces) and opens_item(text, start):
            opened, items = (opened if items else at - 1), items + 1
        elif items and (at == len(pieces) or opens_line(text, start)):
            first, last = pieces[max(0, opened)]
            is_list = items >= _FEWEST_ITEMS and opened >= 0
            if is_list and _announces(text[first:last]):
                found.append((opened, at))
            items = 0
    return found


def _announces(sentence: str) -> bool:
    return sentence.endswith(":") or COUNTED.search(sentence) is not None


def _reach(sizes: list[int], first: int, fresh: int, max_words: int) -> int:
    """One past the last piece that fits when the passage starts at `first`; it always takes the piece `fresh`."""
    total = sum(sizes[first : fresh + 1])
    after = fresh + 1
    while after < len(sizes) and total + sizes[after] <= max_words:
        total += sizes[after]
        after += 1
    return after


def _pieces(text: str, sentence: Span, max_words: int) -> list[Span]:
    """The sentence itself, or its parts of at most `max_words` words when it is longer."""
    start, end = sentence
    if count_words(text[start:end]) <= max_words:
        return [sentence]
    parts: list[Span] = []
    open_at, last, size = -1, start, 0
    for left, right in _short_words(text, start, end):
        weight = _weigh(text[left:right])
        if open_at >= 0 and size + weight > max_words:
            parts.append((open_at, last))
            open_at, size = -1, 0
        open_at = left if open_at < 0 else open_at
        last, size = right, size + weight
    return [*parts, (open_at, last)]


def _short_words(text: str, start: int, end: int) -> list[Span]:
    """Yield the words of a range; a very long one, and CJK text, in pieces of a word's length."""
    spans: list[Span] = []
    for match in _WORDS.finditer(text, start, end):
        left, right = match.span()
        step = _LONGEST_WORD if match.group().isascii() else _CJK_PER_WORD
        if _weigh(match.group()) == 1:
            spans.append((left, right))
        else:
            spans.extend((i, min(i + step, right)) for i in range(left, right, step))
    return spans


def _passage(document: Document, number: int, span: Span) -> Passage:
    return Passage(
        passage_id=f"{document.document_id}#{number}",
        document_id=document.document_id,
        title=document.title,
        text=document.text[span[0] : span[1]],
        source=document.source,
        date=document.date,
        url=document.url,
        position=number,
        start=span[0],
        end=span[1],
        metadata=(*document.metadata, *_place(document, span)),
    )


def subject_of(passage: Passage) -> str:
    """What stands before a colon in the title; empty without one."""
    head, colon, _ = passage.title.partition(": ")
    return head if colon else ""


def _place(document: Document, span: Span) -> tuple[tuple[str, str], ...]:
    """The page on which a passage stands and the section around its first words, where they are known."""
    place: list[tuple[str, str]] = []
    if document.pages:
        place.append(("page", str(bisect_right(document.pages, span[0]))))
    section = _common_section(document, span)
    if section:
        place.append(("section", section))
    return tuple(place)


BELOW = " › "  # between the headings of a path


def section_at(outline: Sequence[tuple[int, str]], place: int) -> str:
    """The path of the section in which a place of a text stands; empty in front of the first."""
    at = bisect_right(outline, place, key=itemgetter(0))
    return outline[at - 1][1] if at else ""


def _common_section(document: Document, span: Span) -> str:
    """The section around the first words of a passage; of sections that it holds from their headings on, what is above.

    A section without a word but its heading is above the next. A passage of a page, and of sections with nothing above
    them, is of the one it begins with.
    """
    start, end = span
    outline = document.outline
    path = section_at(outline, start + _HEADING)
    first = bisect_left(outline, start, key=itemgetter(0))
    others = outline[first : bisect_left(outline, end, key=itemgetter(0))]
    if document.pages or not others or others[0][0] > start + _HEADING:
        return path
    told = list[str]()
    for one, (to, _) in pairwise([*others, (end, "")]):
        begin, other = one
        if _tells(document.text[begin:to], other):
            told.append(other)
    path, *more = told or [path]
    parts = path.split(BELOW)
    for other in more:
        pairs = zip(parts, other.split(BELOW), strict=False)
        parts = [one for one, _ in takewhile(_are_equal, pairs)]
    return BELOW.join(parts) or path


def _are_equal(pair: tuple[str, str]) -> bool:
    return pair[0] == pair[1]


def _tells(section: str, path: str) -> bool:
    """Whether there is more in a section than its heading."""
    *_, heading = path.split(BELOW)
    return len(section.split()) > len(heading.split())
