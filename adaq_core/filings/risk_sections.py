"""The section of a filing that tells its risks: where it stands, and the risks that it states under headings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from adaq_core.filings.register import Filing, Register, joined, once
from adaq_core.text.passages import sentence_texts

_RISKS_BEGIN = re.compile(
    r"(?i)(?:part ii,? *)?(?:item *1a[.:]? *)?(?:risk factors|principal risks(?: and uncertainties)?)[ .:]*"
)
_RISKS_END = re.compile(
    r"(?i)^(?:part ii,? *)?item *(?:1[bc]|[2-9]|1\d)[.:]? *(?:[A-Z]|$)|\bitem *2\. *unregistered"
    r"|^controls and procedures$"
)
_HARM = re.compile(
    r"(?i)\b(?:may|could|might|risks?|adverse(?:ly)?|harm(?:ed|s)?|expos(?:e|es|ed)|subject (?:us )?to|intense"
    r"|volatile)\b"
)
_OF_HARM = re.compile(  # in a heading, beside these
    r"(?i)\b(?:harming|fail(?:s|ure)?|unable|depend(?:s|ent|ency|ence)?|disrupt(?:s|ions?)?|concentrat(?:ed|ion)"
    r"|uncertain(?:ty|ties)?|volatility)\b"
)
_GOES_ON = re.compile(
    r"(?i)^(?:in addition|additionally|further|furthermore|moreover|for example|for instance|as a result|these"
    r"|this|such|"
    r"those|they|also|likewise|similarly|accordingly|finally|however|although|while)\b"
)
_TELLS_MORE = re.compile(  # of what was said before, which no heading does
    r"(?i)^(?:some|other|any|it)\b|\b(?:described|discussed|listed|set forth) (?:above|below)\b|\b(?:also|these"
    r"|those)\b"
)
_REFERS = re.compile(r"(?i)\b(?:10-?K|20-?F|10-?Q|annual report|quarterly report)\b|\bno (?:material )?changes?\b")
_OF_RISKS = re.compile(r"(?i)\brisks?\b")
_NUMBERED = re.compile(r"\b(?:19|20)\d\d\b|[$€£]\d")  # what happened in a year, or cost a sum, is no standing risk
_IS_TOLD = re.compile(r"\.[\"”’]?$")
_FEWEST_PASSAGES = 4
_SHARE_OF_HARM = 0.5
_HEADLINE_WORDS = (3, 50)
_RUN_IN_WORDS = 25
_FEWEST_ALIKE = 3  # headings that make a style
_TITLE_WORDS, _SMALL_WORD = 8, 4
_OF_EVERY_PAGE = "Table of Contents"
_BODY_WORDS = 20  # a line above a paragraph of so many words is its heading
BULLETS = tuple("•●▪◦■*")


@dataclass(frozen=True, slots=True)
class StatedRisk:
    """A risk as the heading of its own states it, the place of the passage that holds it, and its group's title."""

    place: int
    text: str
    group: str = ""


@dataclass(frozen=True, slots=True)
class RiskSection:
    """The section of a filing that tells its risks: its places, and the statements of risks that each place holds.

    A statement is a heading ("We Face Intense Competition"), or what a paragraph begins with where that speaks of harm.
    The first of a group comes with the title of the group ("Business and Industry Risks"). `headings` are the risks
    that have a heading of their own, in order; in a filing that refers to another, the points in which what it foresees
    may come otherwise. `refers` are the sentences, by place, that send to another report.
    """

    places: tuple[int, ...] = ()
    statements: Mapping[int, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    headings: tuple[StatedRisk, ...] = ()
    refers: tuple[StatedRisk, ...] = ()


@once
def risk_section(filing: Filing, register: Register) -> RiskSection:
    """The longest stretch under "Risk Factors"; without places where a filing only refers to those of another."""
    passages = register.passages(filing.places)
    text, starts = joined(passages)
    begin, end = max(_risk_spans(text), key=lambda span: span[1] - span[0], default=(0, 0))
    after = [*starts[1:], len(text)]
    inside = [n for n, start in enumerate(starts) if start < end and after[n] > begin]
    harmful = sum(bool(_HARM.search(passages[n].text)) for n in inside)
    held = [(filing.places[n], passages[n].text) for n in inside]
    refers = _placed([(each, "") for each in _sent_elsewhere(text[begin:end])], held)
    if len(inside) < _FEWEST_PASSAGES or harmful < _SHARE_OF_HARM * len(inside):
        every = [(place, passage.text) for place, passage in zip(filing.places, passages, strict=True)]
        named = [(each, "") for each in risks_in_a_list(text)]
        return RiskSection(headings=_placed(named, every), refers=refers)
    statements = list(risk_statements(text[begin:end]))
    texts = {place: tuple(each for each in statements if each[0] in own) for place, own in held}
    headings = _placed(risk_headings(text[begin:end]), held)
    return RiskSection(tuple(texts), texts, headings, refers)


def _placed(stated: Sequence[tuple[str, str]], held: Sequence[tuple[int, str]]) -> tuple[StatedRisk, ...]:
    """What is stated with a passage that holds it, in order: of two that overlap the one that holds more of them."""
    results, at = [], 0
    count = cache(lambda n: sum(text in held[n][1] for text, _ in stated))
    for text, group in stated:
        holders = [n for n in range(at, len(held)) if text in held[n][1]][:2]
        if len(holders) > 1:
            at = max(holders, key=lambda n: (count(n), -n))
        elif holders:
            at = holders[0]
        else:
            continue
        results.append(StatedRisk(held[at][0], text, group))
    return tuple(results)


def _sent_elsewhere(section: str) -> list[str]:
    """The sentences a section begins with that send to the risks of another report, or say that none changed."""
    head = section[:_LONGEST_INTRODUCTION]
    signs = (_OF_RISKS, _REFERS, _IS_TOLD)
    return [each for each in sentence_texts(head) if all(sign.search(each) for sign in signs)]


def risks_in_a_list(text: str) -> list[str]:
    """The points of the list of what may come otherwise than is foreseen, as forward-looking statements have it."""
    points: list[str] = []
    is_point = is_open = False
    for line in map(str.strip, text.split("\n")):
        if is_open and (is_point or line[:1] in BULLETS):
            point = line.lstrip("".join(BULLETS)).strip()
            is_point = not point
            if point:
                points.append(_END_OF_POINT.sub("", point))
        elif is_open and line and not line.isdigit() and line != _OF_EVERY_PAGE:
            break
        elif not is_open:
            is_open = line.endswith(":") and _OPENS_RISKS.search(line) is not None
    return points if len(points) >= _FEWEST_ALIKE else []


_OPENS_RISKS = re.compile(
    r"(?i)\b(?:risks|uncertainties|factors)\b.{0,200}\b(?:differ materially|materially different)\b.{0,200}:$"
    r"|\bdiffer materially\b.{0,200}\b(?:risks|uncertainties|factors)\b.{0,200}:$"
)
_END_OF_POINT = re.compile(r"[;,.](?: (?:and|or))?$")
_LONGEST_INTRODUCTION = 2_500  # characters


def _risk_spans(text: str) -> Iterator[tuple[int, int]]:
    """From each line that is the heading of risks to the next item of the report."""
    begin, at = -1, 0
    for line in text.split("\n"):
        bare = line.strip()
        if _RISKS_BEGIN.fullmatch(bare):
            begin = at if begin < 0 else begin
        elif begin >= 0 and (match := _RISKS_END.search(bare)) and not _RISKS_BEGIN.fullmatch(bare):
            yield begin, at + match.start()
            begin = -1
        at += len(line) + 1
    if begin >= 0:
        yield begin, len(text)


def risk_statements(text: str) -> Iterator[tuple[str, str]]:
    """What the paragraphs of a section of risks state first; the first of a group comes with the group's title."""
    group = ""
    for _, line, below in _with_neighbours(text):
        if _is_group(line, below):
            group = line
            continue
        first = _first_sentence(line)
        if not first:
            continue
        is_heading = first == line and len(below.split()) >= _BODY_WORDS
        if is_heading or (_HARM.search(first) and not _GOES_ON.match(first)):
            yield first, group
            group = ""


def risk_headings(text: str) -> list[tuple[str, str]]:
    """The risks that a section states as headings, each with the title of its group; in the one style that it keeps.

    Headings are titles ("We Face Intense Competition"); or sentences on lines of their own; or sentences on which the
    paragraph goes on in the same line, as bold type leaves them in a text.
    """
    styles: dict[str, list[tuple[int, str, str]]] = {"title": [], "alone": [], "run in": []}
    group = ""
    for number, (before, line, below) in enumerate(_with_neighbours(text)):
        if _is_group(line, below):
            group = line
        elif not before.endswith(BULLETS) and (style := _style_of(first := _first_sentence(line), line, below)):
            styles[style].append((number, first, group))
    titles, alone, run_in = styles.values()
    if len(titles) >= _FEWEST_ALIKE:
        kept = titles
    elif len(alone) >= max(_FEWEST_ALIKE, len(run_in)):
        kept = alone
    else:
        kept = sorted((*alone, *run_in))
    return [(first, of) for _, first, of in kept]


def _style_of(first: str, line: str, below: str) -> str:
    """How a line states a risk as a heading: as a "title", "alone", "run in"; empty where it states none."""
    if not first:
        return ""
    is_above_body = len(below.split()) >= _BODY_WORDS
    if first == line and first[-1] not in ".!?" and is_above_body and _is_title(first.split()):
        return "title"
    if not _is_of_harm(first) or first[-1] != ".":
        return ""
    if first == line:
        return "alone" if is_above_body or _is_plain_title(below) else ""
    return "run in" if len(first.split()) <= _RUN_IN_WORDS else ""


def _is_plain_title(line: str) -> bool:
    """Whether a line may be a title below the heading of a risk; not that of a group, which ends what is above."""
    return line[:1].isalpha() and line[-1] not in ".:;" and not _is_group(line, "")


def _with_neighbours(text: str) -> Iterator[tuple[str, str, str]]:
    """The lines of a text with those before and below, without blank ones, page numbers and what every page says."""
    stripped = (line.strip() for line in text.split("\n"))
    lines = [line for line in stripped if line and not line.isdigit() and line != _OF_EVERY_PAGE]
    yield from zip(["", *lines], lines, [*lines[1:], ""], strict=False)


def _first_sentence(line: str) -> str:
    """The sentence that a line begins with, where it may state a risk: neither too short nor announcing a list."""
    first = next(iter(sentence_texts(line)), "")
    least, most = _HEADLINE_WORDS
    if not first or first[-1] in ":;," or not first[0].isupper():
        return ""
    return first if least <= len(first.split()) <= most else ""


def tells_harm(sentence: str) -> bool:
    """Whether a sentence tells what may come, or what does harm."""
    return _HARM.search(sentence) is not None


def _is_of_harm(sentence: str) -> bool:
    """Whether a sentence may be the heading of a risk: it names a harm, nothing said before, and no year or sum."""
    if _GOES_ON.match(sentence) or _TELLS_MORE.search(sentence):
        return False
    if _NUMBERED.search(sentence):
        return False
    return any(pattern.search(sentence) for pattern in (_HARM, _OF_HARM))


def _is_group(line: str, below: str) -> bool:
    """Whether a line is the title of several risks: "Legal and Regulatory Risks", above the heading of the first."""
    all_words = line.split()
    if "risks" not in line.lower().split() or line[-1:] in ".:;" or len(all_words) > _TITLE_WORDS:
        return False
    return line.isupper() or (_is_title(all_words) and len(below.split()) < _BODY_WORDS)


def _is_title(all_words: Sequence[str]) -> bool:
    """Whether a line is written as a title: all words but the small ones, of up to four letters, with a capital."""
    long = [word for word in all_words if len(word) > _SMALL_WORD]
    return all(word[0].isupper() or not word[0].isalpha() for word in long)
