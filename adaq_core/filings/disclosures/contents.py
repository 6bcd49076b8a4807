"""What a line, a segment or a measure is made of, and which segments a company has, as its filings tell.

Notes of a table tell it, sentences ("X includes …") and lists below them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from adaq_core.filings.conditions import AskedFigure, FilingConditions
from adaq_core.filings.register import Filing, Register, once
from adaq_core.filings.sentences import sentences_with
from adaq_core.filings.statement_figures import Figure, quoted, unexplained
from adaq_core.text.passages import sentence_texts
from adaq_core.text.tokens import terms_of, words

_IS_IN = r"(?:is|are|sits?|goes|go|falls?|belongs?|included|counted)"
_HOLDS = r"(?:includes?|counts?|covers?|comprises?|contains?|consists? of|encompass(?:es)?)"
_HELD_BY = (
    re.compile(
        r"(?i)^what (?:does|do) [^?;]{2,40}? (?:include|count|put|book|record|report|lump|file|show)"
        r" (?:in|into|under|within|as) (?P<of>[^?;]{2,80})"
    ),
    re.compile(rf"(?i)^what (?:exactly )?(?:does|do) (?P<of>[^?;]{{2,80}}?) {_HOLDS}\b"),
    re.compile(rf"(?i)^(?P<of>[^?;]{{2,80}}?)[,:;–-]{{0,2}} what (?:does|do) (?:that|it|this|they) {_HOLDS}\b"),
    re.compile(r"(?i)^what makes? up (?P<of>[^?;]{2,80})"),
    re.compile(r"(?i)^what (?:is|are) (?P<of>[^?;]{2,80}) made (?:up )?of\b"),
)
_OF_CONTENTS = (
    *_HELD_BY,
    re.compile(
        rf"(?i)^(?:what|which)\b(?!.*\b(?:changes?|changed|growth|increase|decrease)\b)[^?,;]{{0,60}}?\b{_IS_IN}"
        r"(?: all| exactly)? (?:in|into|under|within|inside) (?P<of>[^?;]{2,90})"
    ),
)
_SEGMENTS_ASKED = re.compile(
    r"(?i)^(?:what|which|name|list|how many)\b[^?;]{0,60}?\b(?:operating|reportable|reporting|business)? ?segments?\b"
    r"(?! (?:had|has|earn|grew|fell|made|lost|is|was|with|did|profit|result|revenue))"
)
_PARTS_ASKED = re.compile(  # "Into what parts of the world does it split its business?"
    r"(?i)^(?:into |in )?(?:what|which|how many)\b[^?;]{0,30}\b(?:parts|areas|regions|pieces|units|groups)\b[^?;]{0,50}"
    r"\b(?:split|splits|divided?|divides|organi[sz]ed?|organi[sz]es|breaks?|broken)\b"
    r"|^how (?:does|do|is|are) [^?;]{2,40}? (?:split|divide|organi[sz]e|break)d? (?:up |down )?"
    r"(?:itself|(?:its|the|their) (?:business(?:es)?|operations|reporting)|into)\b"
)
_SEGMENTS_TOLD = re.compile(
    r"\b(?:(?:organized|divided|managed?s?) (?:our|its) (?:operations|business(?:es)?) into (?:\w+ )?segments"
    r"|(?:the )?following (?:\w+ )?segments|(?:reportable|operating|business) segments (?:consist of|are|include)):? "
    r"(?P<are>(?:the )?[A-Z][^.]{1,80}(?:, | and )(?:the )?[A-Z].+"
    r"|[“\"][A-Z][^.“”\"]{1,40}[”\"](?:(?:,| and|, and) [“\"][A-Z][^.“”\"]{1,40}[”\"])+)"
)
_LINE_WORDS = """
line segment segments revenue revenues net sales figure figures metric metrics category categories business businesses
item group unit caption bucket its their the our exactly include includes reported reports report filing says according
quarter ended months stream streams product products row all of in and for per now today actually
"""
_OF_LINES = terms_of(_LINE_WORDS)
_SEGMENT_WORDS = """
which what name list many does do have has operating reportable reporting segment segments business after into operates
divide divides split splits organized report reports reported own current its the there under geographic geographical
geographically reorganization reorganisation parts areas regions pieces units groups world itself it when up operations
reports one two three four five six how organize organise break breaks
"""
_OF_SEGMENTS = frozenset(_SEGMENT_WORDS.split())
_MADE_OF = re.compile(
    r"^(?:[•▪] ?)?(?:(?:Our|The|This|Total) )?(?P<name>(?!(?:We|It|They|These|This)\b)[“\"A-Z][^.;:%$]{1,70}?)"
    r"[”\"]?,?(?: which| that)?"
    r"(?: primarily| mainly| principally| generally)? (?:includes?|consists? (?:primarily |mainly |principally )?of"
    r"|comprises?) (?P<parts>[^:]+)"
)
_WITH_PARTS = re.compile(
    r"\b(?:[Oo]ur|[Tt]he) (?P<name>[A-Z][\w&’'-]{1,20}(?: [\w&’'-]{1,20}){0,4}), which includes (?P<parts>[^.;:]+)"
)
_LISTED = re.compile(  # a point of a list: "Kilns and ovens, including gas kilns; muffle ovens; and hearths."
    r"^(?:[•▪●] ?)?(?P<name>[A-Z][\w&’'-]{1,20}(?: [\w&’'-]{2,20}){0,5}), including "
    r"(?P<parts>[^.:$%]{6,600})\.$"
)
_MARKS = ("•", "▪", "●")
_THEN_DID = re.compile(r",? (?:was|were|increased|decreased|grew|rose|fell|declined)\b.*$")
_NOTED = re.compile(r"(?m)^(?P<label>[A-Z][^\n()$|]{1,60}?) \((?P<n>\d{1,2})\)(?=$| )")
_NOTE = re.compile(
    r"(?m)^\((?P<n>\d{1,2})\) ?(?:Primarily )?(?:[Ii]ncludes?|[Cc]omprises?|[Cc]onsists? of) (?P<parts>[^\n]+)"
)
_HOW_MANY = re.compile(r"(?i)(?:in |into )?how many\b")
_FAR = 4_000  # characters from a row to its note
_OTHER = frozenset(("other",))


def asks_for_contents(text: str) -> bool:
    """Whether a question asks what something includes, which is no amount."""
    return any(pattern.match(text) for pattern in _HELD_BY)


def of_contents(asked: AskedFigure, conditions: FilingConditions, register: Register) -> Figure | None:
    """What a line, a segment or a measure is made of, as the note of its row or a sentence about it tells."""
    text = asked.text.strip()
    company = register.companies.labels[conditions.companies[0]]
    asks_for_segments = _SEGMENTS_ASKED.match(text) or _PARTS_ASKED.match(text)
    if asks_for_segments and not asked.named and set(unexplained(asked, register)) <= _OF_SEGMENTS:
        subject, called, read = frozenset[str](), "", segments_told
    else:
        matches = filter(None, (pattern.match(text) for pattern in _OF_CONTENTS))
        called = next((match["of"] for match in matches if _terms(match["of"], company, register)), "")
        subject, read = _terms(called, company, register), contents_told
        if not subject:
            return None
        called = _LINE_BEHIND.sub("", " ".join(words(register.bare(called))))
    for filing in conditions.closest:
        told = list(read(register.text_of(filing)))
        exact = [each for each in told if _terms(each[0], company, register) == subject]
        opened = {each[0]: each for each in told if _opens_with(each[0], called)}
        if not exact and len(opened) == 1:
            exact = list(opened.values())
        if exact:
            _, parts, quotes = exact[0]
            counted = segment_names(filing, register) if asks_for_segments and _HOW_MANY.match(text) else ()
            parts = f"{len(counted)}: {parts}" if counted else parts
            return quoted(filing, register, parts, quotes, unit="list")
    return None


def _terms(text: str, company: str, register: Register) -> frozenset[str]:
    """The terms of the name of a line, without its company, period and words such as "segment"."""
    bare = register.bare(text)
    only_other = frozenset(words(bare)) & _OTHER  # which is no term of an index
    return terms_of(bare) - _OF_LINES - terms_of(company) or only_other


_Contents = Iterator[tuple[str, str, tuple[str, ...]]]  # a name, its parts, what says so


def contents_told(text: str) -> _Contents:
    """What a text says that lines, segments and measures are made of: in notes, in sentences, in lists below them."""
    rows = list(_NOTED.finditer(text))
    for note in _NOTE.finditer(text):
        above = [row for row in rows if 0 < note.start() - row.end() < _FAR]
        labels = [row["label"] for row in above if row["n"] == note["n"]]
        if labels:
            yield labels[-1], note["parts"].strip(" ."), (note.group(),)
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if not any(sign in line for sign in ("includ", "consist", "compris")):
            continue
        below = list(_points_below(lines, number)) if _LISTS_BELOW.search(line) else []
        for sentence in sentence_texts(line):
            made = _MADE_OF.match(sentence) or _WITH_PARTS.search(sentence)
            listed = _LISTED.match(sentence)
            is_point = number > 0 and lines[number - 1].strip() in _MARKS
            if listed and not made and ("," if is_point else ";") in listed["parts"]:
                yield listed["name"], listed["parts"].strip(" ,."), (sentence,)
            if made and below:
                yield made["name"], "; ".join(map(_first_words, below)), (sentence, *below)
            elif made:
                yield made["name"], _THEN_DID.sub("", made["parts"]).strip(" ,."), (sentence,)


_LINE_BEHIND = re.compile(r"(?: (?:line|lines|segment|category|business|products?|services?|unit)){1,3}$|^(?:the|its) ")


def _opens_with(name: str, called: str) -> bool:
    """Whether a name goes on behind what it is called: "Server products and cloud services" behind "server"."""
    ahead = f"{called} ".lower()
    return bool(called) and name.lower().startswith(ahead)


def _first_words(point: str) -> str:
    """What a point of a list is about: what it says in front of a comma or a bracket."""
    return re.split(r",| \(", point, maxsplit=1)[0].rstrip(".")


_LISTS_BELOW = re.compile(r"\b(?:comprises|includes|consists of)(?: the following)?:$")
_SEGMENTS_BELOW = re.compile(r"\bfollowing (?:\w+ )?segments:$")
_POINT = re.compile(r"[•▪●]\s*(?P<point>.*)")
_IS_TEXT = re.compile(r"[.:]$|^.{60}")  # and not the number or the heading of a page
_BETWEEN_POINTS = 3  # lines: the foot of a page and the head of the next


def _points_below(lines: Sequence[str], number: int) -> Iterator[str]:
    """The points of the list below a line, whose marks may stand on lines of their own; a page may end among them."""
    is_marked, since = False, 0
    for line in map(str.strip, lines[number + 1 :]):
        match = _POINT.fullmatch(line)
        point = line if is_marked else match["point"] if match else ""
        if point:
            yield point
        since = 0 if match or is_marked else since + 1
        is_marked = match is not None and not match["point"]
        if since and (since > _BETWEEN_POINTS or _IS_TEXT.search(line)):
            return


def segments_told(text: str) -> _Contents:
    """The segments that a text says a company has: "", their names and the sentence."""
    for sentence in sentences_with(text, "segments"):
        if match := _SEGMENTS_TOLD.search(sentence):
            yield "", match["are"].strip(" .,"), (sentence,)
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if (
            line.endswith("segments:")
            and _SEGMENTS_BELOW.search(line)
            and (below := list(_points_below(lines, number)))
        ):
            yield "", "; ".join(below), (sentence_texts(line)[-1], *below)


@once
def segment_names(filing: Filing, register: Register) -> tuple[str, ...]:
    """The names of the segments that a filing says its company has; empty where it does not say them."""
    told = next((names for _, names, _ in segments_told(register.text_of(filing))), "")
    if quoted_names := _QUOTED.findall(told):
        return tuple(name.strip(" ,") for name in quoted_names)
    *before, last = told.rsplit(", and ", 1)  # names of several words may hold an "and" of their own
    if ";" in told:
        split = told.split("; ")
    elif before:
        split = [*_COMMA.split(before[0]), last]
    else:
        split = _COMMA_OR_AND.split(told)
    names = (_INITIALS_BEHIND.sub("", name).removeprefix("the ").strip() for name in split)
    return tuple(name for name in names if name)


_QUOTED = re.compile(r"[“\"]([^”\"]{2,60})[”\"]")
_INITIALS_BEHIND = re.compile(r" \([A-Z]{2,6}\)$")
_COMMA, _COMMA_OR_AND = re.compile(r", (?:and )?"), re.compile(r", | and ")
