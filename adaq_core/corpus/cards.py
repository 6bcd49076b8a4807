"""A card for each file: issuer, ticker, form and period of a filing or report, each with where it was read.

Cards become metadata of the documents and so of their passages: whoever reads metadata reads cards. Metadata that a
document brings overrules its card, and the label of a period in the file name overrules what the text says, because a
person who names files "2023 Q1" knows which calendar is meant. Measured on 84 filings and 20 plain 10-Qs:
docs/decisions/files.md.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import PurePosixPath

from adaq_core.corpus.readers import DAY_IN_NAME
from adaq_core.filings.register import key_of
from adaq_core.filings.rows import YEARS
from adaq_core.model import Document
from adaq_core.retrieval.facets import PART_NUMBER
from adaq_core.text.values import Date, dates

FIELDS = (
    "issuer", "issuer_in_name", "ticker", "form", "period", "period_end", "fiscal_year", "fiscal_quarter",
    "fiscal_period",
)  # fmt: skip

_COVER = 6_000
_FORM_IN_NAME = re.compile(
    r"(?i)(?<![0-9a-z])(10-?[kq](?:t|/a)?|8-?k|20-?f|6-?k|earnings(?: release)?|annual report|quarterly report|"
    r"interim report|half[- ]year(?:ly)? report)(?![0-9a-z])"
)
_QUARTER_IN_NAME = re.compile(
    r"(?i)(?<![0-9])(?:(?P<y1>20\d\d) ?-? ?q(?P<q1>[1-4])|q(?P<q2>[1-4])[ -]?(?:fy ?)?(?P<y2>20\d\d))(?![0-9])"
)
_YEAR_IN_NAME = re.compile(
    r"(?i)(?<![0-9])(?:fy ?(?P<s>\d\d)|(?:fy ?)?(?P<y>20\d\d)(?:[-–/](?P<e>\d\d)(?![-0-9]))?)(?![0-9])"
)
_NOT_OF_ISSUERS = """
dated form report reports final the of and for filing q pdf inc corp company annual quarterly interim financial
strategic sustainability integrated budget review accounts statement statements draft version copy signed web english
results ar
"""
_NO_ISSUER = frozenset(_NOT_OF_ISSUERS.split())
_FORM_LINE = re.compile(r"(?im)^\W{0,6}form\s{1,4}(10-[kq]|8-k|20-f|6-k)\b")
_FORM_IN_COVER = re.compile(r"(?i)exchange commission[^§]{0,200}?\bform (10-[kq]|8-k|20-f|6-k)\b")
_REPORT_LINE = re.compile(
    r"(?im)^\W{0,6}(?:(?:19|20)\d\d )?(annual|quarterly|interim|half-year(?:ly)?|sustainability|integrated"
    r"|strategic|impact)"
    r" (?:financial |integrated )?(?:report|review|accounts)(?: and accounts)?"
    r"(?: (?:19|20)\d\d(?:[-–/]\d\d)?)?\W{0,6}$"
)
_RESULTS = re.compile(
    r"(?i)\b(?:reports|announces|reported)\b[^.]{0,80}\b(?:quarter|year|earnings)\b[^.]{0,60}\b(?:results|earnings)\b"
)
_ENDED = re.compile(
    r"(?i)\bfor the (?:fiscal |transition )?(?:year|quarterly period|quarter|period|three months) ended:?\s"
)
_EVENT = re.compile(r"(?i)\bdate of (?:earliest event reported|report)\b")
_ANY_END = re.compile(r"\b(?:ended|as of|as at) (?=[A-Z][a-z]{2,8} \d)")
_SPANS = (
    (3, re.compile(r"(?i)\b(?:nine months|39 weeks|thirty-nine weeks)\b")),
    (2, re.compile(r"(?i)\b(?:six months|26 weeks|twenty-six weeks)\b")),
)
_EXACT_NAME = re.compile(r"(?i)\(?\s{0,8}exact\s{1,8}name\s{1,8}of\s{1,8}(?:the\s{1,8})?registrant")
_NO_NAME_LINE = re.compile(
    r"(?i)^(?:[\W\d_]*|\w|or|\(mark one\)|commission file.*|form .*|.*\b(?:19|20)\d\d\b.*|i\.?r\.?s.*|"
    r"table of contents|.*transition period.*)$"
)
_SUFFIX = (
    r"(?:Inc|Incorporated|Corp|Corporation|Company|Co|plc|PLC|Ltd|Limited|LLC|AG|SE|N\.?V|S\.?A|Group|Holdings|ASA|AB|Oyj"
    r"|GmbH|S\.?p\.?A)"
)
_SUFFIXED = re.compile(rf"\b((?:[A-Z0-9][\w&'’.-]{{0,40}},? (?:& )?){{1,5}}{_SUFFIX})\b")
_SUBSIDIARIES = re.compile(
    r"\b((?:[A-Z0-9&][\w&'’.-]{0,40},? ){1,5})(?:and|AND) (?:its )?(?:[Ss]ubsidiaries|SUBSIDIARIES)\b"
)
_ANNOUNCES = re.compile(r"\b((?:[A-Z0-9&][\w&'’.-]{0,40} ){1,5})(?:[Rr]eports|[Aa]nnounces|REPORTS|ANNOUNCES)\b")
_LISTED = re.compile(r"\b((?:[A-Z0-9][\w&'’.-]{0,40},? ){1,5})\((?:NYSE|NASDAQ|Nasdaq|LSE)[^:)]{0,30}:")
_NO_ISSUER_NAME = re.compile(
    r"(?i)\b(?:exchange|stock market|nasdaq|bank of new york|trust company|trustee|the company|total|deloitte"
    r"|kpmg|ernst|"
    r"pricewaterhouse\w*|securities|commission|emerging growth|reporting company|accelerated filer|shell company|"
    r"quarterly|annual|consolidated)\b|^(?:company|current|report|corporation|inc|group|registrant|item|part|note|we)$"
)
_REPORT_WORDS = re.compile(
    r"(?i)\b(?:reports?|review|accounts|statements?|budget|contents|letter|chair\w*|chief|directors?|page)\b"
)
_SMALL = frozenset(("of", "the", "and", "for", "de", "la", "der", "van", "von", "e.V.", "without", "in"))
_MOST_NAME_WORDS, _COVER_LINES, _REPEATED, _SHORTEST_ALIAS = 8, 6, 3, 2
_TICKER = (
    re.compile(r"\((?:NYSE|NASDAQ|Nasdaq|LSE)[^:)]{0,30}:\s?([A-Z]{1,5})\b"),
    re.compile(r"\bsymbols?,?\s[“\"']([A-Z]{1,5})[”\"',.]"),
    re.compile(r"\b([A-Z]{1,5})\s+(?:The\s+)?(?:New York Stock Exchange|N(?:ASDAQ|asdaq)\b|NYSE)"),
)


@dataclass(frozen=True, slots=True)
class CardField:
    """One thing that a file says about itself, and where: "file name", a quoted line, "metadata", or "you"."""

    name: str
    value: str
    origin: str


Card = tuple[CardField, ...]


def objection(fields: Mapping[str, str]) -> str:
    """What is wrong with fields that a person sets, in words; empty where each can be read, or is empty.

    A period that nobody can read would be kept, and answer no question.
    """
    for name, value in fields.items():
        is_read, what, example = _TYPED.get(name, (bool, "", ""))
        if value and not is_read(value):
            return f"{what} is written like {example}; “{value[:60]}” cannot be read as that"
    return ""


def _is_day(text: str) -> bool:
    return any(date.is_day for date in dates(text))


def _is_year(text: str) -> bool:
    return text.isdecimal() and int(text) in YEARS


_PERIOD = "2023 Q1 or FY2023"
_TYPED: dict[str, tuple[Callable[[str], bool], str, str]] = {
    "period": (lambda text: bool(dates(text)), "a period", _PERIOD),
    "period_end": (_is_day, "the last day of a period", "2023-06-30"),
    "fiscal_year": (_is_year, "a fiscal year", "2023"),
    "fiscal_quarter": (("1", "2", "3", "4").__contains__, "a fiscal quarter", "1, 2, 3 or 4"),
    "fiscal_period": (lambda text: bool(dates(text)), "a period in the company's own calendar", _PERIOD),
}


def carded(documents: Sequence[Document]) -> list[Document]:
    """The documents with what their cards say as metadata; fields that a document brings stay."""
    cards = cards_of(documents)
    return [with_card(document, cards[document.document_id]) for document in documents]


def cards_of(documents: Sequence[Document], edits: Mapping[str, Mapping[str, str]] | None = None) -> dict[str, Card]:
    """The card of each document, by its id; the pages of one work share what the work says.

    `edits` gives what a person set, by document id: it overrules everything, and an empty value takes a field away.
    """
    cards = {}
    for name, pages in groupby(documents, key=_work_name):
        parts = list(pages)
        read = {field.name: field for field in _read_card(name, parts)}
        for document in parts:
            cards[document.document_id] = _overruled(read, document, (edits or {}).get(document.document_id, {}))
    return cards


def with_card(document: Document, card: Card) -> Document:
    """The document with the fields of its card as metadata."""
    named = {field.name for field in card}
    own = [(key, value) for key, value in document.metadata if key not in FIELDS and key not in named]
    own += [(field.name, field.value) for field in card if field.value]
    return replace(document, metadata=tuple(own))


def _overruled(read: Mapping[str, CardField], document: Document, edits: Mapping[str, str]) -> Card:
    fields = dict(read)
    for key, value in document.metadata:
        if key in FIELDS and value:
            fields[key] = CardField(key, value, "metadata")
    for key, value in edits.items():
        fields[key] = CardField(key, value, "you")
    own = sorted(set(fields) - set(FIELDS))
    return tuple(fields[key] for key in (*FIELDS, *own) if key in fields)


def _work_name(document: Document) -> str:
    """What the file of a document is called: the title without its page number, or the file's name."""
    stem = PART_NUMBER.sub("", document.title)
    if stem and stem != document.title:
        return stem
    if ":" in document.document_id:  # a record of a table or JSON file speaks for itself
        return document.title or document.document_id
    return PurePosixPath(document.document_id).name


def _read_card(name: str, pages: Sequence[Document]) -> list[CardField]:
    stem = " ".join(re.split(r"[_\s]+", re.sub(r"\.(?:[a-z]{2,5})(?:\.gz)?$", "", name, flags=re.IGNORECASE)))
    cover = "\n".join(page.text for page in pages[:4])[:_COVER]
    form = _form(stem, cover)
    if form is None:
        return []
    issuer = _issuer_of_report if form.value.endswith("report") else _issuer
    fields = [form, *issuer(stem, cover, pages), *_ticker(cover)]
    return [*fields, *_period(stem, form.value, cover, pages)]


def _form(stem: str, cover: str) -> CardField | None:
    named = _FORM_IN_NAME.search(stem)
    if named:
        return CardField("form", _form_name(named.group(1)), "file name")
    line = _FORM_LINE.search(cover) or _FORM_IN_COVER.search(cover)
    if line:
        return CardField("form", _form_name(line.group(1)), _quoted(line.group()))
    if _LISTED.search(cover[:3_000]) and (results := _RESULTS.search(cover[:600])):
        return CardField("form", "earnings", _quoted(results.group()))
    if report := _REPORT_LINE.search(cover[:1_500]):
        return CardField("form", f"{report.group(1).lower()} report", _quoted(report.group()))
    return None


def _form_name(text: str) -> str:
    low = text.lower()
    squeezed = low.replace("-", "").replace(" ", "").removesuffix("/a")
    known = {"10k": "10-K", "10q": "10-Q", "8k": "8-K", "20f": "20-F", "6k": "6-K", "10kt": "10-K", "10qt": "10-Q"}
    if squeezed in known:
        return known[squeezed]
    return " ".join(low.replace(" release", "").split())


def _issuer(stem: str, cover: str, pages: Sequence[Document]) -> Iterator[CardField]:
    if named := _issuer_in_name(stem):
        yield CardField("issuer_in_name", named, "file name")
    if line := _registrant(cover):
        yield CardField("issuer", line, "the line before “(Exact name of registrant”")
    elif name := _voted_issuer(pages, named):
        yield CardField("issuer", name, "the name that its first pages repeat")


def _issuer_of_report(stem: str, cover: str, pages: Sequence[Document]) -> Iterator[CardField]:
    """The issuer of a report that no authority has a form for: the line above its title, else the name it repeats.

    Files of reports are called anything ("AR23_final_v2"): of such a name only what the issuer's name explains counts.
    """
    named = _issuer_in_name(stem)
    line = _headed_issuer(cover, pages)
    if name := line or _voted_issuer(pages, named):
        origin = "a line above its title" if line else "the name that its first pages repeat"
        yield CardField("issuer", name, origin)
        named = " ".join(word for word in named.split() if _is_of_name(word, name))
    if named:
        yield CardField("issuer_in_name", named, "file name")


def _is_of_name(word: str, name: str) -> bool:
    """Whether a word of a file name stands for a name: its beginning, one of its words, or its initials."""
    key = key_of(word)
    parts = [key_of(part) for part in name.split()]
    if len(key) < _SHORTEST_ALIAS:
        return False
    initials = "".join(part[:1] for part in parts)
    return key in (*parts, initials) or key_of(name).startswith(key)


def _headed_issuer(cover: str, pages: Sequence[Document]) -> str:
    """The first line of the cover that looks like a name and that the text repeats; empty where none does."""
    text = "\n".join(page.text for page in pages[:40])
    lines = [bare for each in cover.split("\n") if (bare := each.strip(" _\t*#"))][:_COVER_LINES]
    for place, line in enumerate(lines):
        if _is_named(line) and text.count(line) >= _REPEATED - (place == 0):
            return line
    return ""


def _is_named(line: str) -> bool:
    """Whether a line may be the name of an organisation: two to eight words, all with capitals but the small ones."""
    words = [word for word in re.split(r"[\s/]+", line) if word]
    if not 1 < len(words) <= _MOST_NAME_WORDS:
        return False
    if line[-1:] in ":;,?!" or any(map(str.isdigit, line)):
        return False
    if _REPORT_WORDS.search(line) or _NO_ISSUER_NAME.search(line):
        return False
    return all(word[:1].isupper() or word in _SMALL or not word[0].isalpha() for word in words)


def _issuer_in_name(stem: str) -> str:
    """What a file name says beside form and period; empty where that has no letters."""
    rest = _YEAR_IN_NAME.sub(" ", _QUARTER_IN_NAME.sub(" ", DAY_IN_NAME.sub(" ", _FORM_IN_NAME.sub(" ", stem))))
    words = [word for word in re.split(r"[\s,;()\[\]-]+", rest) if word and word.lower() not in _NO_ISSUER]
    if any(c.isalpha() for c in "".join(words)):
        return " ".join(words)
    return ""


def _registrant(cover: str) -> str:
    """The line before "(Exact name of registrant"; a short one is joined with the line above ("AMCOR / PLC")."""
    place = _EXACT_NAME.search(cover)
    if place is None:
        return ""
    lines = [line.strip(" _\t*") for line in cover[: place.start()].split("\n")]
    names = [line for line in lines[-8:] if line and not _NO_NAME_LINE.match(line)]
    if not names or len(names[-1]) > 80:
        return ""
    if len(names[-1]) <= 6 and len(names) > 1:
        return f"{names[-2]} {names[-1]}"
    return names[-1]


def _voted_issuer(pages: Sequence[Document], named: str) -> str:
    """The capitalised name that the text speaks of most, in the ways in which issuers are spoken of."""
    head = re.sub(r"[ \t]+", " ", "\n".join(page.text for page in pages[:6])[:60_000])
    votes: Counter[str] = Counter()
    for pattern, weight in ((_SUFFIXED, 1), (_SUBSIDIARIES, 5), (_ANNOUNCES, 20), (_LISTED, 20)):
        for match in pattern.finditer(head):
            name = match.group(1).strip(" ,").removeprefix("The ")
            if 1 < len(name) <= 60 and not _NO_ISSUER_NAME.search(name):
                votes[name] += weight
    scores = {
        name: min(40, count)
        + 0.5 * min(200, head.count(name.split(",")[0]))
        + 100 * bool(named and key_of(name).startswith(key_of(named)))
        for name, count in votes.items()
    }
    return min(scores, key=lambda name: (-scores[name], name), default="")


def _ticker(cover: str) -> Iterator[CardField]:
    for pattern in _TICKER:
        if match := pattern.search(cover):
            yield CardField("ticker", match.group(1), _quoted(match.group()))
            return


def _period(stem: str, form: str, cover: str, pages: Sequence[Document]) -> Iterator[CardField]:
    end, origin = _period_end(cover, pages)
    day = DAY_IN_NAME.search(stem)
    if day:
        end = Date(int(day["y"]), int(day["m"]), int(day["d"]))
        origin = "file name"
    if end is not None:
        yield CardField("period_end", end.key, origin)
    if quarter := _QUARTER_IN_NAME.search(stem):
        year = int(quarter["y1"] or quarter["y2"])
        number = int(quarter["q1"] or quarter["q2"])
        yield from _fiscal(year, number, "file name")
        yield from _own_period(end, form, pages)
    elif (named := _YEAR_IN_NAME.search(stem)) and not day:
        yield from _fiscal(_year_named(named), None, "file name")
    elif end is not None:
        yield from _fiscal_of(end, form, pages)


def _year_named(match: re.Match[str]) -> int:
    """The year that a file name says; of "2022-23" the one in which it ends."""
    year = int(match["y"] or 2000 + int(match["s"]))
    if match["e"] and int(match["e"]) == (year + 1) % 100:
        return year + 1
    return year


def _fiscal(year: int, quarter: int | None, origin: str) -> Iterator[CardField]:
    yield CardField("period", f"{year} Q{quarter}" if quarter else f"FY{year}", origin)
    yield CardField("fiscal_year", str(year), origin)
    if quarter:
        yield CardField("fiscal_quarter", str(quarter), origin)


def _own_period(end: Date | None, form: str, pages: Sequence[Document]) -> Iterator[CardField]:
    """What the issuer itself calls a quarter that the file name calls otherwise: "third quarter of fiscal 2024"."""
    if end is not None and form == "10-Q":
        own = next(_fiscal_of(end, form, pages), None)
    else:
        own = None
    if own is not None:
        yield CardField("fiscal_period", own.value, own.origin)


def _fiscal_of(end: Date, form: str, pages: Sequence[Document]) -> Iterator[CardField]:
    """The fiscal period that ends on `end`: from the spans that a 10-Q speaks of, or the year that a 10-K repeats."""
    if form == "10-Q":
        spans = ((quarter, _times(pattern, pages)) for quarter, pattern in _SPANS)
        quarter = next((number for number, times in spans if times >= 3), 1)
        # A quarter that ends in the first days of a month is that of the month before.
        last_month = (end.month or 12) - ((end.day or 28) <= 7)
        month = last_month + (4 - quarter) * 3
        yield from _fiscal(end.year + (month - 1) // 12, quarter, f"the spans of months that it reports to {end.key}")
    elif form in ("10-K", "20-F", "annual report"):
        yield from _fiscal(_fiscal_year(end.year, pages), None, f"the period that ends on {end.key}")


def _fiscal_year(year: int, pages: Sequence[Document]) -> int:
    counts = {
        other: _times(re.compile(rf"\bfiscal (?:year )?{other}\b"), pages) for other in (year, year - 1, year + 1)
    }
    most = max(counts, key=lambda other: counts[other])
    return most if counts[most] >= 5 else year


def _times(pattern: re.Pattern[str], pages: Sequence[Document]) -> int:
    return sum(1 for page in pages[:80] for _ in pattern.finditer(page.text))


def _period_end(cover: str, pages: Sequence[Document]) -> tuple[Date | None, str]:
    flat = " ".join(cover.split())
    for pattern in (_ENDED, _EVENT):
        for match in pattern.finditer(flat):
            behind = flat[match.end() : match.end() + 60]
            date = next((date for date in dates(behind) if date.is_day), None)
            if date is not None and date.year in YEARS:
                return date, _quoted(flat[match.start() : match.end() + date.span[1]])
    heads = (page.text[:20_000].split() for page in pages[:3])
    return _commonest_end(" ".join(" ".join(words) for words in heads))


def _commonest_end(text: str) -> tuple[Date | None, str]:
    ends = Counter(_days_after(text, _ANY_END.finditer(text)))
    if not ends:
        return None, ""
    key = min(ends, key=lambda each: (-ends[each], each))
    return dates(key)[0], f"the day that it names most often ({ends[key]} times)"


def _days_after(text: str, matches: Iterable[re.Match[str]]) -> Iterator[str]:
    for match in matches:
        near = dates(text[match.end() : match.end() + 24])
        if near and near[0].is_day:
            yield near[0].key


def _quoted(text: str) -> str:
    return f"“{' '.join(text.split())[:80]}”"
