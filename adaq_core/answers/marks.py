"""Citation marks: numbered by what they cite, written behind a sentence, read back from a model's text, taken out."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from adaq_core.model import Citation, Passage, Statement
from adaq_core.text.passages import sentences
from adaq_core.text.tokens import tokens, words


@dataclass(slots=True)
class Numbering:
    """The numbers so far; a passage keeps its number, and each of its quotes is a citation with that number."""

    passages: Mapping[str, Passage]
    citations: list[Citation] = field(default_factory=list)
    _numbers: dict[str, int] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """The highest number so far."""
        return len(self._numbers)

    def number(self, passage_id: str, start: int, end: int) -> int:
        """The number of the passage, and its quote [start, end) among the citations."""
        passage = self.passages[passage_id]
        n = self._numbers.setdefault(passage_id, len(self._numbers) + 1)
        if not any((c.n, c.start, c.end) == (n, start, end) for c in self.citations):
            quote = passage.text[start:end]
            self.citations.append(Citation(n, passage_id, passage.document_id, passage.title, quote, start, end))
        return n


def marked(text: str, citations: Sequence[int]) -> str:
    """The text with the marks of what it cites: `text [1][2]`."""
    if citations:
        return f"{text} {''.join(f'[{n}]' for n in citations)}"
    return text


_WIDEST = 20
_MARK = re.compile(
    r"\[\^?(?:(?:sources?|passages?|docs?|documents?|refs?|references?|citations?)\s?)?#?"
    r"(?P<list>\d{1,4}(?:\s?(?:[,;&–-]|and)\s?#?\d{1,4})*)\](?:\([^()\s]*\))?"
    r"|【(?P<wide>\d{1,4})[^【】]{0,40}】",
    re.IGNORECASE,
)
_PLAIN = re.compile(r"\[(\d{1,4})\]")
_PREFIX = re.compile(r"(?:[-*•+>]\s|\d{1,3}[.)]\s|\s)*")
_HEADING = re.compile(r"#{1,6}\s|\*\*[^*]+\*\*:?$|__[^_]+__:?$")


@dataclass(frozen=True, slots=True)
class Drafted:
    """A text as statements: `text` has the marks of each right behind it; `restored` marks were in another form."""

    text: str
    statements: tuple[Statement, ...]
    restored: int = 0


def marks(numbers: Sequence[int]) -> str:
    """Numbers as marks: [1][3]."""
    return "".join(f"[{n}]" for n in numbers)


def rendered(statement: Statement) -> str:
    """A statement with its marks behind it, as it stands in an answer."""
    return f"{statement.text} {marks(statement.citations)}" if statement.citations else statement.text


def without_marks(text: str) -> str:
    """`text` with nothing left in it that reads as a mark."""
    while (bare := _MARK.sub("", text)) != text:
        text = re.sub(r" ([.,;:!?])", r"\1", " ".join(bare.split()))
    return text


def with_numbers(text: str, number: Callable[[int], int | None]) -> str:
    """`text` with each mark [n] as [number(n)], and without those for which that is None."""

    def changed(match: re.Match[str]) -> str:
        new = number(int(match[1]))
        return "" if new is None else f"[{new}]"

    return _PLAIN.sub(changed, text)


def drafted(text: str, *, aspects: Collection[str] = ()) -> Drafted:
    """Read Markdown with marks in any usual form as statements, without its headings and lead-ins.

    A statement belongs to the aspect that the heading above it names, if it does name one of `aspects`.
    """
    by_words = {" ".join(words(name)): name for name in aspects}
    lines: list[str] = []
    statements: list[Statement] = []
    restored, aspect, code = 0, "", False
    for line in text.splitlines():
        code = code != line.lstrip().startswith("```")
        if code or _is_literal(line):
            bare = without_marks(line) if _MARK.search(line) else line
            lines.append(bare)
            if _HEADING.match(line.strip()):
                aspect = by_words.get(" ".join(words(bare)), "")
            continue
        prefix = _PREFIX.match(line)
        start = prefix.end() if prefix else 0
        result, odd = _statements(line[start:], aspect)
        statements += result
        restored += odd
        lines.append(line[:start] + " ".join(rendered(statement) for statement in result))
    return Drafted("\n".join(lines).strip(), tuple(statements), restored)


def _is_literal(line: str) -> bool:
    bare = without_marks(line).strip()
    return not tokens(bare) or bool(_HEADING.match(bare)) or bare.endswith((":", "```")) or bare.startswith("```")


def _statements(line: str, aspect: str) -> tuple[list[Statement], int]:
    """The sentences of a line with the marks in and behind them; marks before the first belong to it."""
    plain, placed, restored = _taken_out(" ".join(line.split()))
    places = _places(plain)
    cited: list[list[int]] = [[] for _ in places]
    for at, number in placed:
        before = [i for i, (start, _) in enumerate(places) if start < at]
        if places:
            cited[before[-1] if before else 0].append(number)
    texts = [without_marks(plain[start:end]) for start, end in places]
    return [Statement(t, aspect, tuple(dict.fromkeys(n))) for t, n in zip(texts, cited, strict=True)], restored


def _places(plain: str) -> list[tuple[int, int]]:
    """Where its statements are: a sentence without a word of its own ("So it is.") belongs to the one before it."""
    results: list[tuple[int, int]] = []
    for start, end in sentences(plain):
        if results and not (tokens(plain[start:end]) and tokens(plain[slice(*results[-1])])):
            results[-1] = (results[-1][0], end)
        else:
            results.append((start, end))
    return results


def _taken_out(line: str) -> tuple[str, list[tuple[int, int]], int]:
    """The line without its marks, each number with the place where it was, and how many marks were in another form."""
    plain, placed, last, restored = "", [], 0, 0
    for match in _MARK.finditer(line):
        plain += line[last : match.start()]
        last = match.end()
        placed += [(len(plain), number) for number in _numbers(match)]
        restored += _PLAIN.fullmatch(match[0]) is None
        if line[last : last + 1] in (" ", "", ".", ",", ";", ":", "!", "?"):
            plain = plain.rstrip()
    return plain + line[last:], placed, restored


def _numbers(match: re.Match[str]) -> list[int]:
    if match["wide"]:
        return [int(match["wide"])]
    results: list[int] = []
    for part in re.split(r"\s?(?:[,;&]|and)\s?", match["list"], flags=re.IGNORECASE):
        ends = [int(end) for end in re.findall(r"\d+", part)]
        whole = len(ends) == 2 and ends[0] < ends[1] <= ends[0] + _WIDEST
        results += range(ends[0], ends[1] + 1) if whole else ends
    return results
