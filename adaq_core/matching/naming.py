"""What a text names: what a passage is about, by title, issuer and headings; whether it means a name or a like one."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

from adaq_core.matching.lexicon import is_common_word, is_said
from adaq_core.model import Passage
from adaq_core.text.entities import CAPITALISED, COUNTRY_OF, UNIONS, countries_in, names
from adaq_core.text.passages import BELOW, sentence_texts
from adaq_core.text.tokens import (
    STOP_WORDS,
    Weigh,
    fold,
    initials,
    read_sentences,
    small_terms,
    spans,
    stem,
    terms_of,
)

_ISSUER_FIELDS = frozenset(("issuer", "company", "ticker", "author", "publisher", "speaker"))
TITLE_PARTS = re.compile(r"[^()]+")
_OPENS_WITH_TITLE = 300  # characters
_OR_SHORT = re.compile(r"(?:,? or |,? (?:also )?(?:known|abbreviated) (?:as|to) | ?\()(?P<short>[A-Z][\w-]{1,20})\b")
_SHORTEST_INITIALS = 2


# "A: tariffs, demand and currency exposure" has some sentences on each of them, and none on all.
_SEVERAL = re.compile(
    r": (?:[\w -]{2,40} (?:in|from|for|over|of|on|with|by) )?"
    r"(?P<several>[\w -]{2,40}, (?:[\w -]{2,40}, ){0,4}[\w -]{2,40}? and )(?P<last>[\w-]{2,40})(?: [\w -]{2,40})?$"
)


@lru_cache(maxsize=1 << 12)
def several_in(title: str) -> frozenset[str]:
    """The terms of the things that the second half of a title lists: each sentence below it tells of some of them."""
    listed = _SEVERAL.search(title)
    return terms_of(listed["several"] + listed["last"]) if listed else frozenset()


@lru_cache(maxsize=1 << 12)
def subject_terms(passage: Passage) -> frozenset[str]:
    """The terms of what a passage is about whether its sentences say so or not: its title and who speaks in it."""
    return terms_of(passage.title) | issuer_terms(passage) | _short_title(passage.title, passage.text)


_NOT_OF_ITS_SECTION = frozenset(("page", "form"))


@lru_cache(maxsize=1 << 12)
def headings_of(passage: Passage) -> str:
    """The title of a passage and the path of headings above all of it.

    Not on a page, which may hold parts of other sections; those of filings are the same in all.
    """
    place = dict(passage.metadata)
    section = "" if place.keys() & _NOT_OF_ITS_SECTION else place.get("section", "")
    return f"{passage.title}\n{section}" if section else passage.title


@lru_cache(maxsize=1 << 12)
def terms_above(passage: Passage) -> frozenset[str]:
    """The terms of the title of a passage and of the headings above all of it."""
    return terms_of(headings_of(passage))


def _short_title(title: str, text: str) -> frozenset[str]:
    """The terms of what a text also calls the thing of its title: "Long short-term memory, or LSTM", its initials."""
    letters = initials(title)
    if len(letters) > _SHORTEST_INITIALS and letters in text and re.search(rf"\b{letters}s?\b", text):
        return terms_of(letters)
    at = fold(text[:_OPENS_WITH_TITLE]).find(fold(title)) if title else -1
    other = _OR_SHORT.match(text, at + len(title)) if at >= 0 else None
    return terms_of(other["short"]) if other else frozenset()


_FIRST_PERSON = re.compile(r"\b(?:[Ww]e|[Oo]urs?|us|I|[Mm]y|[Tt]he (?:[Cc]ompany|[Ff]irm|[Gg]roup))\b")

_TALKS = re.compile(r"\b(?:I|[Mm]y|[Yy]ou|[Yy]our)\b")


def issuers_of(passage: Passage) -> list[str]:
    """Who speaks in the passage, as its fields name them."""
    return [value for key, value in passage.metadata if key in _ISSUER_FIELDS]


def issuer_terms(passage: Passage) -> frozenset[str]:
    """The terms of who speaks in the passage, where its text says only "we" or "the company"; always of who files it.

    "Server volume decreased" in a report is the issuer's, though the passage says "we" nowhere.
    """
    is_filed = any(key == "form" for key, _ in passage.metadata)
    if not is_filed and not _is_in_first_person(passage.text):
        return frozenset()
    return frozenset().union(*map(terms_of, issuers_of(passage)))


@lru_cache(maxsize=1 << 12)
def _is_in_first_person(text: str) -> bool:
    return _FIRST_PERSON.search(text) is not None


@lru_cache(maxsize=1 << 12)
def may_speak(passage: Passage) -> bool:
    """Whether whom the question names may be the one who speaks: a text in the first person that nothing else names.

    Who says "I" or "you" is a person that talks to others, and no firm that reports.
    """
    if not _is_in_first_person(passage.text) or issuers_of(passage) or _TALKS.search(passage.text):
        return False
    subject = subject_terms(passage)
    return all(subject.isdisjoint(sentence.terms) for sentence in read_sentences(passage.text))


# "This policy, version 1.2, says how …": what the document is about, and no answer in it.
PRESENTS = re.compile(
    r"(?:This|It|The present)\b(?: [a-z]+){0,3}?(?:, version [\d.]{1,8},)? (?:says|describes|explains|covers"
    r"|sets out|lays down|outlines|summari[sz]es|deals with|is about|tells|discusses)"
    r" (?:how|when|what|who|which|where|whether|the|all)\b"
    r"|(?:The|In the) following (?:table|chart|tables|charts)\b|The table below\b"
)
# "Words such as “anticipate”, “believe”, “expect” are intended to identify …" lists words and tells nothing.
_QUOTED_WORD = re.compile(r"[\"“][^\"“”]{2,30}[\"”]")
_MANY_QUOTED = 6


def lists_words(text: str) -> bool:
    """Whether a sentence is a list of quoted words."""
    return len(_QUOTED_WORD.findall(text)) >= _MANY_QUOTED


# Examples: "Refer to Note 12 for further discussion.", "Section 4 describes how A uses B.", "In Section 3 we …".
# Counter-examples: "See how sales rose.", "Section 4 provides that the lease ends."
_ELSEWHERE = re.compile(
    r"(?:Please )?(?:[Rr]efer (?:also )?to|[Ss]ee(?: also)?) (?:the |our )?(?:preceding |following |above |caption|“|\""
    r"|[Nn]otes? |[Ii]tem |[Pp]art |[Ss]ection |[Ee]xhibit |[Tt]able |[Dd]iscussion )"
    r"|For (?:an? )?(?:(?:further|additional|more|detailed) )?(?:information|discussion|details?|description)\b"
    r"[^.]{1,160}?,? (?:see|refer to)\b"
    r"|(?:In )?(?:Section|Chapter|Appendix) [\dA-Z][\d.]{0,8},? (?:we |then |also |first ){0,3}"
    r"(?:(?:describe|present|explain|outline|review|introduce|summari[sz]e|conclude|survey|detail|illustrate)s?"
    r"|(?:discuss|sketch)(?:es)?)\b"
    r"|(?:The (?:rest|remainder) of )?[Tt]his (?:paper|article|report|chapter|document|section) "
    r"(?:is (?:organi[sz]ed|structured|divided)|proceeds as)\b"
)


def points_elsewhere(text: str) -> bool:
    """Whether a sentence only says where something is told: "Refer to Note 12 for further discussion."."""
    return _ELSEWHERE.match(text) is not None


# An item of what statements look forward to: "projections of our future revenue, gross margins and expenses;".
AN_ITEM = re.compile(r"(?:[•▪■]\s?)?[a-z][^.]{20,600};(?: and| or)?\s*$")
# Example: "In addition, any statements that refer to Acme's plans …". Counter-example: "Statements refer to 2023."
OF_STATEMENTS = re.compile(r"(?:In addition, )?(?:any |[Oo]ther )?[Ss]tatements that (?:refer|relate) to ")
_AHEAD = re.compile(r"\b(?:future|expect(?:ed|ations)|anticipated|plans|planned|project(?:ed|ions)|goals|potential)\b")
_FEWEST_ITEMS = 3


@lru_cache(maxsize=1 << 12)
def looks_forward(text: str) -> bool:
    """Whether a passage lists what statements look forward to: by its name, or by most of its items."""
    fewest = 1 if "forward-looking" in text else _FEWEST_ITEMS
    if text.count(";") < fewest or (fewest > 1 and _AHEAD.search(text) is None):
        return False
    items = [sentence for sentence in sentence_texts(text) if AN_ITEM.match(sentence)]
    if fewest == 1:
        return bool(items)
    ahead = [item for item in items if _AHEAD.search(item)]
    return len(items) >= fewest and 2 * len(ahead) > len(items)


_OF_WORKS = re.compile(r"(?i)(?:\d{1,2}\.? )?(?:references|bibliography|works cited|literature cited)")
_YEAR_OF_WORK = re.compile(r"(?<![\w-])(?:19|20)\d\d(?![\w-])")
_FEWEST_WORKS = 3


@lru_cache(maxsize=1 << 12)
def lists_works(passage: Passage) -> bool:
    """Whether a passage lists the works that a paper cites: what others wrote about, and nothing that it says."""
    section = dict(passage.metadata).get("section", "").rpartition(" › ")[2]
    if _OF_WORKS.fullmatch(section) is None:
        return False
    return len(_YEAR_OF_WORK.findall(passage.text)) >= _FEWEST_WORKS


# Example: "A. Lind and B. Berg provided helpful comments on this paper." Counter-example: "A. Lind wrote this paper."
_THANKS = re.compile(
    r"(?i)\b(?:we|I|authors?) (?:(?:also|would|like|wish|to|are|am|gratefully) ){0,4}(?:thank|acknowledge|grateful)\b"
    r"|\b(?:helpful|useful|valuable|insightful|thoughtful) (?:comments|feedback|suggestions|discussions|advice)\b"
)


def gives_thanks(text: str) -> bool:
    """Whether a sentence thanks people, who did not do what it is about: "B. Berg provided helpful comments"."""
    return _THANKS.search(text) is not None


def is_signature(text: str) -> bool:
    """Whether a piece is the name of who signed a report: "/s/ Ann Lee"."""
    return text.startswith("/s/")


_PRESENTED = 4


@lru_cache(maxsize=1 << 12)
def presented_terms(passage: Passage) -> frozenset[str]:
    """The terms of the sentences that say what the document is about ("This policy says how …"): as good as a title."""
    opening = read_sentences(passage.text)[:_PRESENTED]
    return frozenset().union(*(s.terms for s in opening if PRESENTS.match(passage.text[s.start : s.end])))


# A picture or a link target of reStructuredText, an entry of BibTeX: what stands there is said to no reader.
_SET_IN_TYPE = re.compile(r"\|? ?image:: ?\S|^:target: |^\.\. _|@[a-z]{3,20}\{[\w:-]{1,60},")


def is_markup(text: str) -> bool:
    """Whether a sentence is an instruction to a typesetter, or lists what is not so: options of a quiz."""
    if text.startswith("Other options: "):
        return True
    may_be = "image::" in text or "@" in text or text.startswith((":target: ", ".. _"))
    return may_be and _SET_IN_TYPE.search(text) is not None


# What opens a line of a program or of a dialogue with one, and words that only such a line holds.
_OPENS_CODE = re.compile(
    r"(?:>>>|[.]{3}|#) |[─-╿]|\"{3}|[$] (?=[a-z])|#! ?/|@\w[\w.]{0,80}(?:\(|$)"
    r"|(?:sudo )?(?:apt(?:-get)?|brew|cargo|conda|curl|docker|git|npm|pip3?|poetry|python3?|uv|yarn)"
    r" (?:add|build|clone|get|install|pull|run|sync|-\w)"
    r"|(?:from [\w.]{1,80} )?import [\w., ()*]{1,200}$"
    r"|(?:async )?(?:def|class|for|while|with|if|elif|except|return)\b(?=.{0,80}?(?:\w[(\[.]\w|[=_])).{0,100}:$"
)
_CODE_WORD = re.compile(
    r"""\w\(|[{}=<>\\_`]|^--?[a-z][\w-]*$|\w\[|^[\[\](){}]+$|^//|[a-z_]\.[a-z_]\w{0,40}\.[a-z_]|::|^["'][^"']*["'][,:]$"""
)
_CODE_SIGNS = frozenset("(){}=<>\\_`[]$@")
_OPENINGS_OF_CODE = (
    "import ", "...", "# ", '"', "apt", "brew", "cargo", "conda", "curl", "docker", "git", "npm", "pip", "poetry",
    "python", "sudo", "uv", "yarn",
)  # fmt: skip
_MOSTLY_CODE = 0.4  # of its words


def is_code(text: str) -> bool:
    """Whether a sentence is a line of a program: by how it opens, or by two in five of its words."""
    line = text.strip()
    if line.isascii() and _CODE_SIGNS.isdisjoint(line) and not line.startswith(_OPENINGS_OF_CODE):
        return False
    if _OPENS_CODE.match(line.partition("\n")[0].rstrip()):
        return True
    said = [word for word in line.split() if "://" not in word]
    of_code = list(filter(_CODE_WORD.search, said))
    return len(of_code) > _MOSTLY_CODE * len(said)


_HEADING_WORDS = 6
_NO_HEADING = re.compile(r"[\d:;,.!?…。]|^[^\w(]|^[a-z]")
_NUMBERED = re.compile(r"\d{1,2}(?:[.)]|(?:\.\d{1,2}){1,3}\.?)\s{1,4}")


# Of what changed in a version: "3.4.2 (2025-03-20)", "[1.10.0] - 2024-01-02".
_VERSION_HEADING = re.compile(r"\[?v?\d{1,4}(?:\.\d{1,4}){1,3}\]?(?: ?[-–(] ?\d{4}-\d\d-\d\d\)?)?")


# "Version 1.0.9 (April 24th, 2025)", "0.10.0 - 2020-08-07", and what stands above all such.
_OF_A_VERSION = re.compile(
    r"(?i)(?:version |release |v)\d{1,4}(?:\.\d{1,4}){1,3}\b"
    r"|\d{1,4}(?:\.\d{1,4}){1,3}\b[^\w\n]{1,6}.{0,30}\b(?:19|20)\d\d\b"
    r"|(?:change ?log|changes|release notes|release history|version history|history of changes)$"
)
_OF_CHANGES = terms_of("change new version release fix add remove deprecate update upgrade support drop since when")


@lru_cache(maxsize=1 << 12)
def lists_changes(passage: Passage) -> bool:
    """Whether a passage is part of a list of what changed from version to version."""
    _, _, section = headings_of(passage).partition("\n")
    return any(_OF_A_VERSION.match(part) or _VERSION_HEADING.fullmatch(part) for part in section.split(BELOW))


def asks_for_changes(asked: frozenset[str]) -> bool:
    """Whether a question with these terms may ask what changed, or when."""
    return not _OF_CHANGES.isdisjoint(asked)


def is_heading(text: str) -> bool:
    """Whether a line is a heading: a version, or a few words without a stop (and with a capital), numbered or not."""
    plain = text.strip()
    if _VERSION_HEADING.fullmatch(plain):
        return True
    if text[:1].isdigit():
        plain = _NUMBERED.sub("", plain, count=1)
    is_short = len(plain.split()) <= _HEADING_WORDS
    return is_short and _NO_HEADING.search(plain) is None


# A line of a form or of what stands before a text: "Author: Ann Lee", "Job title: Fitter"; no "Note 3: Debt".
_FORM_LINE = re.compile(r"[A-Z][A-Za-z-]{1,30}(?: [A-Za-z-]{1,30}){0,2}: {1,4}\w")


def is_form_line(text: str) -> bool:
    """Whether a sentence is a label with its value."""
    return _FORM_LINE.match(text) is not None


# In a title each word has a capital but the small ones, and numbers only count its parts; it has no stop.
_TITLE_WORD = re.compile(r"[(“\"]?[A-Z][\w’'&/-]*[)”\",:]?|and|or|of|the|for|in|to|on|with|an?|[–—&-]|\d{1,3}[A-Z]?")
_LONGEST_TITLE = 12  # words


def is_title_line(text: str) -> bool:
    """Whether a sentence is the title of what follows: "Note 10 – Segment Information and Geographic Data"."""
    words_in = text.split()
    if is_form_line(text):
        return False
    return 1 < len(words_in) <= _LONGEST_TITLE and all(map(_TITLE_WORD.fullmatch, words_in))


def is_numbered_title(text: str) -> bool:
    """Whether a piece is the title of a numbered clause, which may end in a stop: "8. Limitation of Liability."."""
    number = _NUMBERED.match(text)
    if number is None:
        return False
    title = text[number.end() :].replace(".", "")
    return (title[:1].isupper() and title.isalpha()) or is_title_line(title)


def share_of_name(name: frozenset[str], terms: frozenset[str], weigh: Weigh) -> float:
    """Which share of a name, by rarity, is among `terms`; all of it where another form of the name is."""
    if name <= terms:
        return 1.0
    if len(name) == 1:
        return float(is_said(min(name), terms))
    total = sum(weigh(term) for term in name) or 1.0
    return sum(weigh(term) for term in name if term in terms) / total


_POINTS = frozenset(("the", "this", "that", "these", "those"))


def common_words(name: frozenset[str], text: str, asked: str) -> frozenset[str]:
    """The terms of a name that a text says as common words only: "its card customers", no Apple Card; "set", no SET.

    Beside another word of the name, or behind "the", they are of the name.
    """
    if len(name) == 1:
        only_small = small_terms(text) - _capital_terms(text)
        return name & _shouted_terms(asked) & only_small
    capital = name & _capital_terms(asked)
    if not capital or small_terms(text).isdisjoint(capital):
        return frozenset()
    read = spans(text)
    terms = [stem(word.word) for word in read]
    of_name = set[str]()
    for place, (word, term) in enumerate(zip(read, terms, strict=True)):
        beside = {*terms[max(0, place - 1) : place], *terms[place + 1 : place + 2]} - {term}
        is_pointed_at = place > 0 and read[place - 1].word in _POINTS
        if term in name and (not text[word.start].islower() or is_pointed_at or beside & name):
            of_name.add(term)
    return (small_terms(text) & capital) - of_name


@lru_cache(maxsize=1 << 10)
def _capital_terms(text: str) -> frozenset[str]:
    return frozenset(stem(word.word) for word in spans(text) if text[word.start].isupper())


@lru_cache(maxsize=1 << 10)
def _shouted_terms(text: str) -> frozenset[str]:
    """The index terms of common words that a text, not itself in capitals, writes in capitals: the command SET."""
    if text.isupper():
        return frozenset()
    written = [text[word.start : word.end] for word in spans(text)]
    shouted = [word for word in written if len(word) > 1 and word.isupper()]
    return frozenset(stem(word.lower()) for word in shouted if is_common_word(word))


def lands_in(text: str) -> frozenset[str]:
    """The countries and parts of the world that a text names."""
    return frozenset(land for land, _, _ in countries_in(text)).union(UNIONS.findall(text))


def tells_land(land: str, text: str) -> bool:
    """Whether a text names a country by any of its words, but not in a longer name: no American Airlines."""
    alone = {name.start for name in names(text) if name.text in COUNTRY_OF}
    return any(told == land and start in alone for told, start, _ in countries_in(text))


_YEAR = 4  # digits


def numbers_only_dates(said: frozenset[str], passage: Passage) -> bool:
    """Whether a number of a name that a passage says is but part of dates and longer numbers: 12 of 12/17/2014."""
    numbers = [term for term in said if term.isdigit() and len(term) < _YEAR]
    text = f"{headings_of(passage)}\n{passage.text}" if numbers else ""
    return any(not re.search(rf"(?<!\d)(?<!\d[./,-]){number}(?!\d|[/,]\d|-\d{{1,2}}-\d)", text) for number in numbers)


def numbers_a_sibling(name: frozenset[str], text: str) -> bool:
    """Whether a text names another number of the same series: "PEP 612: …", where PEP 484 is asked about."""
    series = _series_of(name)
    return series is not None and any(match[1] not in name for match in series.finditer(text))


@lru_cache(maxsize=1 << 10)
def _series_of(name: frozenset[str]) -> re.Pattern[str] | None:
    """How the numbers of a series are written of which a name is one; None where it is none."""
    words = [term for term in name if not term.isdigit()]
    if len(words) != 1 or len(name) != 2:
        return None
    return re.compile(rf"(?i)\b{re.escape(words[0])}[a-z]{{0,3}}[ -]?(\d{{1,4}})\b")


def names_a_sibling(name: frozenset[str], text: str) -> bool:
    """Whether a text names another of the same series: GPT-2, where GPT-3 is asked about."""
    if _may_share(name, text) and any(_is_sibling(name, terms_of(other.text)) for other in names(text)):
        return True
    size = name & _SIZES
    told = _sized(name - size, text) if size else size
    if told and told.isdisjoint(size):
        return True
    return numbers_a_sibling(name, text)


# Part of such a word is another word: of "U.S." and "2.5", and where no blanks stand between words.
_OF_PARTS = re.compile(r"[^\W_][.,][^\W_]|[\u0300-\u1fff\u2e80-\uffff]")


def _may_share(name: frozenset[str], text: str) -> bool:
    """Whether a text may say another name that shares two terms of a name."""
    return len(name) > 1 and (len(name & terms_of(text)) > 1 or _OF_PARTS.search(text) is not None)


def _is_sibling(name: frozenset[str], other: frozenset[str]) -> bool:
    """Whether another name shares most of a name and goes on differently: one court of a state and another."""
    return len(name & other) > 1 and bool(name - other) and bool(other - name)


# "BERT base" is not "BERT large".
_SIZES = terms_of("base large small tiny mini medium xl")


def _sized(series: frozenset[str], text: str) -> frozenset[str]:
    """The sizes with which a text names a series: base of "BERT base has twelve layers"."""
    pairs = pairwise(spans(text))
    return frozenset(stem(size.word) for one, size in pairs if stem(one.word) in series) & _SIZES


_OPENS = re.compile(rf"{CAPITALISED}(?: {CAPITALISED}){{0,3}}(?!['’])")


@lru_cache(maxsize=1 << 12)
def opening_name(sentence: str, passage: Passage) -> frozenset[str]:
    """The terms of the name that a sentence opens with; none of a word that the passage has nowhere else as a name.

    Every sentence opens with a capital: "Customer concentration" names nobody, nor does "Boeing's rivals" Boeing.
    """
    opens = _OPENS.match(sentence)
    if opens is None or opens[0].split()[0].casefold() in STOP_WORDS:
        return frozenset()
    inside = [text for text in (passage.title, passage.text) if f" {opens[0]}" in text]
    is_name = opens[0].isupper() or any(re.search(rf"[\w,;:)] {re.escape(opens[0])}\b", text) for text in inside)
    return terms_of(opens[0]) if is_name else frozenset()
