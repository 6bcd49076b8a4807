"""Documents to passages: cut at sentence borders, so that a citation never starts in mid-sentence."""

from __future__ import annotations

import re
from bisect import bisect_right

from adaq_core.model import Document, Passage
from adaq_core.text.sentences import sentences

Span = tuple[int, int]

_WORDS = re.compile(r"\S+")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af]")
_CJK_PER_WORD = 2
_LONGEST_WORD = 40
_HEADING = 40


def cut(
    document: Document, *, max_words: int = 190, whole_up_to: int = 320, overlap_sentences: int = 1
) -> list[Passage]:
    """The passages of `document`, in order; none when its text is blank.

    A document of up to `whole_up_to` words is one passage. Otherwise a passage takes whole sentences up to `max_words`,
    and the next one begins with the last `overlap_sentences` of it, as long as it still brings something new; a
    sentence longer than a passage is split between words. `passage.text == document.text[passage.start:passage.end]`.
    No passage goes over the end of a page, and each knows its page and section where the document does.
    """
    if max_words < 1 or overlap_sentences < 0:
        raise ValueError(f"need max_words >= 1 and overlap_sentences >= 0, not {max_words} and {overlap_sentences}")
    whole = _stripped(document.text)
    if whole[0] == whole[1]:
        return []
    if len(document.pages) > 1:
        spans = _by_page(document, max_words, whole_up_to, overlap_sentences)
    elif count_words(document.text) <= whole_up_to:
        spans = [whole]
    else:
        spans = _grouped(document.text, max_words, overlap_sentences)
    return [_passage(document, number, span) for number, span in enumerate(spans)]


def _by_page(document: Document, max_words: int, whole_up_to: int, overlap: int) -> list[Span]:
    spans: list[Span] = []
    for begin, end in zip(document.pages, [*document.pages[1:], len(document.text)], strict=True):
        text = document.text[begin:end]
        start, after = _stripped(text)
        short = count_words(text) <= whole_up_to
        inside = [(start, after)] if short else _grouped(text, max_words, overlap)
        spans += [(begin + left, begin + right) for left, right in inside if left < right]
    return spans


def count_words(text: str) -> int:
    """The length of `text` in words: white-space runs; two CJK characters, or 40 of an endless word, count as one."""
    words = text.split()
    if text.isascii() and max(map(len, words), default=0) <= _LONGEST_WORD:
        return len(words)
    return sum(map(_weigh, words))


def _weigh(word: str) -> int:
    if word.isascii():
        return 1 if len(word) <= _LONGEST_WORD else -(-len(word) // _LONGEST_WORD)
    cjk = len(_CJK.findall(word))
    return max(1, -(-cjk // _CJK_PER_WORD) + (len(word) - cjk) // _LONGEST_WORD)


def _stripped(text: str) -> Span:
    start = len(text) - len(text.lstrip())
    return start, max(start, len(text.rstrip()))


def _grouped(text: str, max_words: int, overlap: int) -> list[Span]:
    """Ranges of sentences; each ends where the next sentence would make it too long."""
    pieces = [piece for sentence in sentences(text) for piece in _pieces(text, sentence, max_words)]
    sizes = [count_words(text[start:end]) for start, end in pieces]
    groups: list[Span] = []
    first = fresh = 0
    while fresh < len(pieces):
        after = _reach(sizes, first, fresh, max_words)
        groups.append((pieces[first][0], pieces[after - 1][1]))
        first, fresh = max(first + 1, after - overlap), after
        while first < fresh and fresh < len(pieces) and sum(sizes[first : fresh + 1]) > max_words:
            first += 1
    return groups


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
    """The words of a range; one that is very long, or that is CJK text, in steps of a word's length."""
    found: list[Span] = []
    for match in _WORDS.finditer(text, start, end):
        left, right = match.span()
        step = _LONGEST_WORD if match.group().isascii() else _CJK_PER_WORD
        if _weigh(match.group()) == 1:
            found.append((left, right))
        else:
            found.extend((i, min(i + step, right)) for i in range(left, right, step))
    return found


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


def _place(document: Document, span: Span) -> tuple[tuple[str, str], ...]:
    """The page on which a passage stands and the section around its first words, where they are known."""
    place: list[tuple[str, str]] = []
    if document.pages:
        place.append(("page", str(bisect_right(document.pages, span[0]))))
    section = bisect_right([start for start, _ in document.outline], span[0] + _HEADING)
    if section:
        place.append(("section", document.outline[section - 1][1]))
    return tuple(place)
