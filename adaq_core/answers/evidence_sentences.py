"""The sentences of the evidence as an answer may quote them.

Each with what it hangs on, whether it says anything, and where its quote stands in the passage.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from adaq_core.llm import orders_in
from adaq_core.matching.naming import (
    is_form_line,
    is_heading,
    is_markup,
    is_numbered_title,
    is_title_line,
    lists_works,
    points_elsewhere,
)
from adaq_core.model import Passage
from adaq_core.text.passages import COUNTED, NUMBERS, opens_item, opens_line, overlaps, sentences
from adaq_core.text.tokens import Word, fold, read_sentences, spans, terms_of, tokens
from adaq_core.text.values import Date, dates

# Verb of reversal, whether the matter stands after it (None: neither), an example.
REVERSALS: tuple[tuple[str, bool | None, str], ...] = (
    (r"rejected|refused|denied|declined", False, "The judge rejected that plea deal in December 2024."),
    (r"dismissed|dropped|withdrew|withdrawn|abandoned", False, "In November 2025 the judge dismissed the case."),
    (r"overturned|reversed|annulled|quashed|struck down|vacated|voided", False, "A court overturned the fine in 2024."),
    (r"cancell?ed|revoked|rescinded|repealed|terminated", False, "The plan was cancelled in May 2024."),
    (r"blocked|halted|suspended", False, "A judge blocked the merger in 2024."),
    (r"replaced|superseded", False, "In May 2025 the department replaced it with an agreement."),
    (r"reinstated|restored|revived|upheld|confirmed|resumed", True, "The court reinstated the package in 2025."),
)  # fmt: skip
# What is revoked "also" is another thing than what was told before.
_VERB = re.compile(rf"(?i)(?<!\balso )\b(?:{'|'.join(verbs for verbs, _, _ in REVERSALS)})\b")
_SHARED = 2
_JOINTS = (", and ", "; ", ", ")


def reversals_of(sentence: EvidenceSentence, siblings: Sequence[EvidenceSentence]) -> tuple[EvidenceSentence, ...]:
    """The later sentences of the same passage that change what `sentence` says, in their order.

    Each follows the chain directly, is dated no earlier, and refers back to it or shares two of its terms besides the
    title's.
    """
    chain: list[EvidenceSentence] = []
    own = sentence.terms - terms_of(sentence.passage.title)
    latest = _latest(sentence)
    for later in siblings[sentence.order + 1 :]:
        if later.order - (chain[-1].order if chain else sentence.order) != 1:
            break  # those behind it stand farther away still
        if not later.dates or _latest(later) < latest or not _VERB.search(later.text):
            continue
        if later.hangs or len(own & later.terms) >= _SHARED:
            chain.append(later)
            own, latest = own | later.terms, _latest(later)
    return tuple(chain)


_OF_CLAUSE = re.compile(r"(?m)^(?:(?:[Cc]lause|[Ss]ection|§) ?)?(?P<number>\d{1,2}(?:\.\d{1,2}){1,2})\b")
_NAMES_CLAUSE = re.compile(
    r"(?i)\b(?:clauses?|sections?|paragraphs?|articles?) (?P<number>\d{1,2}(?:\.\d{1,2}){1,2})\b"
)
_CHANGES = re.compile(
    r"(?i)\b(?:replaced|deleted|amended|changed|substituted|varied|increased|raised|reduced|extended|removed|inserted"
    r"|no longer appl(?:y|ies)|ceases? to apply)\b"
)
_OF_TITLE = 0.5  # of the words of a contract's title, by which what amends it names it


def changes_of(
    sentence: EvidenceSentence, groups: Sequence[Sequence[EvidenceSentence]]
) -> tuple[EvidenceSentence, ...]:
    """The sentences of other documents of the set that change the clause in which `sentence` stands, by its number.

    Such a document names the one that it amends, by half of the words of its title.
    """
    number = clause_of(sentence)
    title = terms_of(sentence.passage.title)
    if not number or not title:
        return ()
    found: list[EvidenceSentence] = []
    for group in groups:
        if not group or group[0].passage.document_id == sentence.passage.document_id:
            continue
        named = terms_of(f"{group[0].passage.title} {group[0].passage.text}")
        if len(title & named) >= _OF_TITLE * len(title):
            found += (each for each in group if number in _clauses_changed(each.text))
    return tuple(found)


def clause_of(sentence: EvidenceSentence) -> str:
    """The number of the clause in which a sentence stands; empty without one."""
    numbers = [match["number"] for match in _OF_CLAUSE.finditer(sentence.passage.text, 0, sentence.end)]
    return numbers[-1] if numbers else ""


def _clauses_changed(text: str) -> frozenset[str]:
    if _CHANGES.search(text) is None:
        return frozenset()
    return frozenset(match["number"] for match in _NAMES_CLAUSE.finditer(text))


def stands_after(text: str) -> bool | None:
    """Whether the matter stands after the last reversal that `text` tells of; None when it tells of none."""
    ends = [
        (match.end(), stands)
        for verbs, stands, _ in REVERSALS
        for match in re.finditer(rf"\b(?:{verbs})\b", text, re.IGNORECASE)
    ]
    return max(ends)[1] if ends else None


def _latest(sentence: EvidenceSentence) -> tuple[int, int]:
    return max(((d.year, d.month or 0) for d in sentence.dates), default=(0, 0))


def last_reversal(text: str, *, of: frozenset[str] = frozenset()) -> str:
    """The part of a sentence that tells of its last reversal; with terms, of the one whose part says most of them."""
    parts = [_clause_around(text, verb) for verb in _VERB.finditer(text)]
    return max(reversed(parts), key=lambda part: len(terms_of(part) & of), default=text)


def _clause_around(text: str, verb: re.Match[str]) -> str:
    """From the joint before a verb to the next comma."""
    starts = [at + len(joint) for joint in _JOINTS if (at := text.rfind(joint, 0, verb.start())) >= 0]
    end = text.find(",", verb.end())
    return text[max(starts, default=0) : end if end >= 0 else len(text)].strip(" .,;")


_PRONOUN = re.compile(r"(?:[Hh]e|[Ss]he|[Ii]t|[Tt]hey|[Hh]is|[Hh]er|[Ii]ts|[Tt]heir|We|Our)\b")
_POINTS_BACK = re.compile(
    r"(?:That|This|These|Those|Such|Both|However|But|And|Yet|Instead|Therefore|Thus|Hence|Moreover|Similarly|Likewise|"
    r"Consequently|Otherwise|Still|Then|Next|Finally|Lastly|Later|Afterwards|Nevertheless|Meanwhile|"
    r"Conversely|So|Another|One of them|"
    r"The (?:same|latter|former|other|others|two|three|first|second|third|rest|result)|Neither|Either|Each of|"
    r"Some of them|Most of them|All of them|In addition|As a result|For (?:example|instance|this|that)|"
    r"In (?:the same|that|this|both)|On the other hand|By contrast|In contrast|At the same time|"
    r"After (?:that|this)|Because of (?:that|this)|"
    r"(?:A|One|Two|Three) (?:day|week|month|year)s? later|(?:Second|Third|Fourth|Fifth)(?:ly)?(?=,))\b"
)
_MIDWAY = re.compile(
    r"\b(?:also|too|as well(?! as)"
    r"|(?:that|this) (?:decision|ruling|outcome|verdict|plea|deal|agreement|order|law|rule|limit|gap|year|case))\b"
)
_MIDWAY_WITHIN = 90
EMPTY_END = re.compile(
    r"\b(?:several|many|various|different|two|three|four|five|six|a number of|some)\s(?:[a-z-]+\s)?"
    r"(?:steps|parts|phases|stages|ways|groups|kinds|types|reasons|sides|fronts|cases|main cases|forms|areas|factors|"
    r"problems|differences|courts|(?:dis)?advantages|drawbacks|weaknesses|strengths|benefits|uses|risks|questions|"
    r"tasks|actions|challenges|levels)[.:]?$"
)
_DIGIT = re.compile(r"\d")
_TAGS = (
    "a|abbr|article|aside|b|blockquote|body|br|button|caption|center|cite|code|col|dd|details|div|dl|dt|em|embed|fieldset"
    "|figure|font|footer|form|frame|h[1-6]|head|header|hr|html|i|iframe|img|input|label|legend|li|link|main|map|meta|nav"
    "|noscript|object|ol|option|p|param|pre|q|s|samp|script|section|select|small|source|span|strike|strong|style|sub"
    "|summary|sup|svg|table|tbody|td|textarea|tfoot|th|thead|title|tr|tt|u|ul|var|video"
)
# A tag is markup; an address ("<lists@example.org>") and what a reader is to put in ("<branch>") are text.
_MARKUP = re.compile(rf"!\[|\]\(\w+:|</?(?i:{_TAGS})(?:\s[^<>\n]{{0,200}})?/?>")
_LONG_ADDRESS = re.compile(r"https?://\S{80}")
NAMED_CELLS = re.compile(r"[^\n:;]{1,120}: [^\n;]{1,400}; [^\n:;]{1,120}: ")  # a row: "name: C. Lind; games: 4; "
BARE_ANSWER = re.compile(r"(?:Yes|No)(?:[.!,;:](?= |$)|$)")  # "No such leave is needed" is no bare answer
_LONGEST_OPENER = 16
_LONGEST_ANNOUNCEMENT = 9
_ANNOUNCED = re.compile(r"\b(?:following|follows?|below|these|this|here|steps|as|include[sd]?|are|is):$|\bfollowing\b")
_FULL_STOP = re.compile(r"[.!;。！](?:[\"'”’)\]]|\s?\[\d+\])*$")
_WORD_IN_LOWER_CASE = re.compile(r"(?<![\w-])[^\W\d_A-Z]{3,}")
_FEWEST_WORDS = 3
_BACK = 2


@dataclass(frozen=True)
class EvidenceSentence:
    """A sentence of a passage of the evidence.

    `order` is its number in the passage and `rank` that of the passage, both from 0. `hangs` says that it refers to
    the sentence before it, or, as an item that is no sentence (`listed`), to the line that announces
    its list; `empty` that it only announces what follows; `asks` that it holds a question. "Yes." below a question says
    that question's terms.
    """

    passage: Passage
    rank: int
    order: int
    start: int
    end: int
    terms: frozenset[str]
    hangs: bool = False
    empty: bool = False
    asks: bool = False
    listed: bool = False

    @cached_property
    def text(self) -> str:
        """The sentence on one line."""
        return " ".join(self.passage.text[self.start : self.end].split())

    @property
    def dates(self) -> tuple[Date, ...]:
        """The dates that it says; read when asked for, because reading them costs most of an answer's time."""
        return tuple(dates(self.text))

    @cached_property
    def words(self) -> int:
        """How many words it has."""
        return len(self.text.split())

    @property
    def key(self) -> tuple[str, int]:
        """What tells it from every other sentence."""
        return self.passage.passage_id, self.start

    @property
    def place(self) -> tuple[tuple[str, int], int]:
        """The document that holds it, and where it begins and ends there."""
        at = self.passage.start
        return (self.passage.document_id, at + self.start), at + self.end

    @property
    def is_head(self) -> bool:
        """Whether it is a heading, the title of a clause or another piece that says nothing by itself."""
        is_open = _FULL_STOP.search(self.text) is None and not self.text.endswith(":")
        return self.empty and (is_open or _is_fragment(" ".join(self.text.split())))

    @property
    def paragraph(self) -> int:
        """The number of its paragraph in the passage, from 0."""
        return self.passage.text.count("\n\n", 0, self.start)

    @property
    def presents(self) -> bool:
        """Whether it says what its document is, at its opening ("This policy says when …"), or where that is told."""
        return points_elsewhere(self.text) or (self.order == 0 and speaks_of_its_document(self.text))


_OWN_DOCUMENT = re.compile(
    r"(?:This|These|The present) (?:[a-z]+ ){0,2}?(?:articles?|agreements?|chapters?|documents?|guides?|guidelines?"
    r"|handbooks?|manuals?|memos?|notes?|pages?|papers?|plans?|polic(?:y|ies)|procedures?|reports?|rules|schedules?|sections?"
    r"|standards?|terms)\b|(?:This|It) is (?:the )?(?:[a-z]+ ){0,2}?(?:version|edition|revision|draft)\b"
)


def speaks_of_its_document(text: str) -> bool:
    """Whether a sentence is about the document that it stands in, and not about its matter."""
    return _OWN_DOCUMENT.match(text) is not None


_REPLACED = re.compile(
    r"\b(?:replaced|superseded|repealed) (?:it|them|this [a-z]{3,20})\b"
    r"|\b(?:was|were|has been|have been) (?:replaced|superseded|repealed|withdrawn) by\b"
    r"|\bno longer (?:in force|valid)\b"
)
_THIS = re.compile(r"(?:This|These|The present)\b")
_VERSION = re.compile(r"(?i)\b(?:version|edition|release|v\.?) ?(\d{1,4}(?:\.\d{1,4})*)\b|\b((?:19|20)\d\d)\b")
_STATED_VERSION = re.compile(
    r"(?im)^(?:document )?(?:version|revision)(?: no\.?| number)?: {0,4}v?(\d{1,4}(?:\.\d{1,4}){0,4})\b"
)
_VERSION_IN_NAME = re.compile(r"(?i)[-_ .]v(\d{1,3}(?:\.\d{1,3}){0,4})(?=\.[a-z]{2,5}\b)")
_HEAD, _OPENING = 4, 600  # sentences; characters


def replaced_among(passages: Sequence[Passage]) -> frozenset[str]:
    """The passages of documents that say what replaced them, or of whose title there is a newer version."""
    editions = [_edition(passage) for passage in passages]
    newest: dict[str, tuple[int, ...]] = {}
    for name, version in editions:
        newest[name] = max(newest.get(name, ()), version)
    old = set[str]()
    for passage, (name, version) in zip(passages, editions, strict=True):
        if () < version < newest[name] or _says_it_is_old(passage):
            old.add(passage.document_id)
    return frozenset(p.passage_id for p in passages if p.document_id in old)


def _edition(passage: Passage) -> tuple[str, tuple[int, ...]]:
    """A title without its version, and the version: ("Travel policy, ", (2, 1)); that of its head or file name else."""
    number = _VERSION.search(passage.title)
    if number is not None:
        name = passage.title[: number.start()]
        return name, _parts(number[1] or number[2])
    opening = "" if passage.position else passage.text[:_OPENING]
    stated = _STATED_VERSION.search(opening)
    stated = stated or _VERSION_IN_NAME.search(passage.document_id)
    return passage.title, _parts(stated[1]) if stated else ()


def _parts(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def _says_it_is_old(passage: Passage) -> bool:
    """Whether a text that opens by speaking of itself says soon after what replaced it."""
    if not _THIS.match(passage.text):
        return False
    ends = sentences(passage.text)[:_HEAD]
    return _REPLACED.search(passage.text, 0, ends[-1][1]) is not None


@lru_cache(maxsize=1 << 8)
def sentences_of(passage: Passage, rank: int) -> tuple[EvidenceSentence, ...]:
    """The sentences of a passage in their order."""
    made: list[EvidenceSentence] = []
    about_title = _is_about_its_title(passage)
    orders = orders_in(passage.text)
    heading = dict(passage.metadata).get("section", "").rpartition(" › ")[2]
    fit = (s for s in read_sentences(passage.text) if not _is_unfit(passage.text, s.start, s.end, orders))
    is_announced, is_report, is_cited = False, "period" in dict(passage.metadata), lists_works(passage)
    for order, sentence in enumerate(fit):
        text = passage.text[sentence.start : sentence.end]
        is_item = opens_item(passage.text, sentence.start)
        listed = is_item and is_announced and not _FULL_STOP.search(text.rstrip(";"))
        is_announced = text.endswith(":") or (is_item and is_announced)
        before = made[-1].text if made else None
        names_title = about_title and _PRONOUN.match(text) is not None  # a pronoun there stands for the title
        empty = is_cited or is_empty(text) or " ".join(text.split())[:80] == heading
        is_value = empty and before is not None and not is_report and _is_value(text, before)  # "Licence", "BSD 3"
        answers_it = bool(made) and made[-1].asks and BARE_ANSWER.match(text) is not None
        is_label = is_report and not is_item and _is_label(passage.text, sentence.start, sentence.end)
        made.append(
            EvidenceSentence(
                passage,
                rank,
                order,
                sentence.start,
                sentence.end,
                sentence.terms | made[-1].terms if answers_it else sentence.terms,
                hangs=before is not None and (listed or is_value or _hangs(text, before, names_title=names_title)),
                empty=not (answers_it or is_value)
                and (empty or is_label or _heads_what_follows(passage.text, sentence.start, sentence.end)),
                asks="?" in text,
                listed=listed,
            )
        )
    return tuple(made)


def _is_value(text: str, before: str) -> bool:
    """Whether a piece that is no sentence is what a heading of one or two words right above it is told: "BSD 3"."""
    if not is_heading(before) or len(before.split()) > _LONGEST_LABEL:
        return False
    is_said = re.search(r"[^\W\d_]{2}", text) is not None and not text.endswith(("?", ":"))
    return is_said and not is_heading(text)


_LONGEST_LABEL = 2  # words


def _hangs(text: str, before: str, *, names_title: bool) -> bool:
    """Whether a sentence tells what came of the one before, refers back to it or takes up its thing."""
    if _OUTCOME.match(text) is not None or _takes_up(text, before):
        return True
    return not names_title and refers_back(text)


_DEFINITE = re.compile(
    r"(?:The|Such) (?P<what>[a-z]{4,20}) (?:also )?"
    r"(?:is|was|are|were|ha[sd]|have|will|would|may|can|could|did|does|[a-z]{3,18}(?:s|ed))\b"
)


def _takes_up(text: str, before: str) -> bool:
    """Whether a sentence begins with what the one before it brought in: "filed a complaint … The complaint alleges"."""
    opened = _DEFINITE.match(text)
    if opened is None or opened["what"] not in before:
        return False
    brought_in = rf"\b[Aa]n? (?:[a-z][\w-]{{1,20}} ){{0,2}}{re.escape(opened['what'])}\b"
    return re.search(brought_in, before) is not None


# What came of it is told here, and what it came of in the sentence before.
_OUTCOME = re.compile(r"(?:As a (?:result|consequence)|Consequently|Accordingly|For (?:this|that) reason),? ")
_BULLETS = frozenset("•▪●◦‣·")


def without_bullet(text: str) -> str:
    """A sentence without the mark of the list item that it opens."""
    return text.lstrip("".join(_BULLETS) + " ") or text


_FEWEST_ITEMS, _LONGEST_LIST = 2, 120  # words


def with_items(
    sentences_: Sequence[EvidenceSentence], answering: Collection[tuple[str, int]] | None = None
) -> tuple[EvidenceSentence, ...]:
    """The sentences with each that announces a list of bullets and its items as one: "It announced: • A; • B".

    Where keys are given in `answering`, only the lists that one of these sentences announces.
    """
    made: list[EvidenceSentence] = []
    at = 0
    while at < len(sentences_):
        is_one = answering is None or sentences_[at].key in answering
        end = _end_of_list(sentences_, at) if is_one else at
        if end > at:
            one = sentences_[at : end + 1]
            terms = frozenset().union(*(each.terms for each in one))
            made.append(replace(one[0], end=one[-1].end, terms=terms, empty=False))
        else:
            made.append(sentences_[at])
        at = end + 1
    return tuple(each if each.order == order else replace(each, order=order) for order, each in enumerate(made))


def _end_of_list(sentences_: Sequence[EvidenceSentence], at: int) -> int:
    """The place of the last sentence of the list that a sentence announces; its own where it announces none.

    It ends with a colon, or says how many there are and as many follow: "He defined five ways to respond. 1. …".
    """
    if not sentences_[at].text.endswith(":"):
        return _end_of_counted(sentences_, at)
    end, items, total = at, 0, sentences_[at].words
    while end + 1 < len(sentences_) and _opens_item(sentences_[end + 1]):
        is_alone = sentences_[end + 1].text in _BULLETS and end + 2 < len(sentences_)
        following = end + 1 + is_alone
        total += sentences_[following].words
        if total > _LONGEST_LIST:
            break
        end, items = following, items + 1
    return end if items >= _FEWEST_ITEMS else at


_LONGEST_COUNTED = 180  # words


def _end_of_counted(sentences_: Sequence[EvidenceSentence], at: int) -> int:
    """The same where a number is said, there or in a line with a colon right behind: "… three ways. These are: …"."""
    counted = COUNTED.search(sentences_[at].text)
    behind = at + 1
    behind += any(each.text.endswith(":") for each in sentences_[behind : behind + 1])
    if counted is None or not any(map(_opens_item, sentences_[behind : behind + 1])):
        return at
    number = NUMBERS.index(counted["number"].lower()) + 2
    end, items, total = at, 0, sum(each.words for each in sentences_[at:behind])
    for place in range(behind, len(sentences_)):
        sentence = sentences_[place]
        is_item = _opens_item(sentence)
        if items == number and not is_item and opens_line(sentence.passage.text, sentence.start):
            break  # what stands below an item before the last one belongs to it
        items += is_item
        total += sentence.words
        end = place
    return end if items == number and total <= _LONGEST_COUNTED else at


def _opens_item(sentence: EvidenceSentence) -> bool:
    return opens_item(sentence.passage.text, sentence.start)


def _is_unfit(text: str, start: int, end: int, orders: Sequence[tuple[int, int]]) -> bool:
    """Whether a sentence is markup or names the columns of a table, or speaks to a model: neither is quoted."""
    if " | " in text[start:end] and _names_columns(text, start, end):
        return True
    is_set = _MARKUP.search(text, start, end) is not None or is_markup(text[start:end])
    is_row = NAMED_CELLS.match(text, start, end) is not None
    is_address = not is_row and _LONG_ADDRESS.search(text, start, end) is not None
    return is_set or is_address or overlaps((start, end), orders)


_ROW_BELOW = 400  # characters behind the names of columns, in which the first row begins


def _names_columns(text: str, start: int, end: int) -> bool:
    """Whether a line is the head of the table below it: "Record | Kept for", above "Invoices: Kept for 7 years"."""
    _, second, *_ = text[start:end].split(" | ")
    return f": {second} " in text[end : end + _ROW_BELOW]


def refers_back(text: str) -> bool:
    """Whether a sentence cannot be read without the one before it."""
    if _PRONOUN.match(text) or _POINTS_BACK.match(text):
        return True
    return _MIDWAY.search(text, 0, _MIDWAY_WITHIN) is not None


def is_empty(text: str) -> bool:
    """Whether a sentence only announces what follows ("X has several disadvantages."), or is a head or a cell."""
    plain = " ".join(text.split())
    short = len(plain.split()) <= _LONGEST_OPENER
    opens = short and not _DIGIT.search(plain) and EMPTY_END.search(plain) is not None
    says_little = len(plain.split()) <= _LONGEST_ANNOUNCEMENT or _ANNOUNCED.search(plain) is not None
    announces = plain.endswith(":") and says_little
    return announces or plain.endswith("?") or opens or _is_fragment(plain)


def _is_fragment(plain: str) -> bool:
    """Whether a piece is a heading or says too little: "Three Months Ended", "(15)", "PART I Item 2", "ACME, INC."."""
    if is_heading(plain) or is_numbered_title(plain) or _ADDRESS.fullmatch(plain):
        return True
    if is_form_line(plain) and _DIGIT.search(plain.partition(":")[2]):
        return False  # "Booking Reference Number: B210154"
    said = len(_WORD_IN_LOWER_CASE.findall(plain))
    if _FULL_STOP.search(plain):
        return said == 0 and len(plain.split()) <= _FEWEST_WORDS
    return said < _FEWEST_WORDS or is_title_line(plain)


_ADDRESS = re.compile(r"(?:[A-Z][\w -]{1,40}: )?<?https?://\S+>?")  # "Documentation: https://…"


# Of a heading: "Taking time off before your last day"; a label with its value, a row and a figure are none.
_NO_LINE_ABOVE = re.compile(r"[\d:;|=]|[.!?…,。！？]$|^[^A-Z]")
_PARAGRAPH_BELOW = re.compile(r"\n{1,2}[A-Z][^\n]{60}")
_LONGEST_LINE_ABOVE = 12  # words


_LONGEST_ROW = 600  # characters in which the row below a header says one of its names


def _heads_what_follows(text: str, start: int, end: int) -> bool:
    """Whether a sentence is the heading of a section or the header of a table."""
    return _is_line_above(text, start, end) or _is_line_of_names(text, start, end)


def _is_line_of_names(text: str, start: int, end: int) -> bool:
    """Whether a line names columns, with bars between, and the row below says one of the names before its cell."""
    _, *names = text[start:end].split(" | ")
    behind = text[end : end + _LONGEST_ROW].lstrip("\n")
    below, _, _ = behind.partition("\n")
    told = below.replace("; ", ": ")
    return any(f": {name} " in told for name in names)


def _is_line_above(text: str, start: int, end: int) -> bool:
    """Whether a sentence is the heading of a section: a line of its own, without a stop, above a paragraph."""
    ahead = text[max(0, start - 1) : start]
    if ahead not in ("", "\n") or _PARAGRAPH_BELOW.match(text, end) is None:
        return False
    plain = text[start:end]
    is_short = len(plain.split()) <= _LONGEST_LINE_ABOVE
    return is_short and _NO_LINE_ABOVE.search(plain) is None


# Lines that end, go on as a table, or tell a change ("Lower product margin primarily from notebooks") are no labels.
_NO_LABEL = re.compile(
    r"\A(?:(?:Lower|Higher|Increased?|Decreased?|Reduced|Improved)\b|[•▪●◦‣·])|[|]"
    r"|(?:;\s(?:and|or)|[.!?…;:](?:[\"'”’)\]]|\d{1,3}){0,3})\Z"
)
_ELSEWHERE = re.compile(r"\ASee \w|\A\([^()]{0,80}\)\Z")  # "See accompanying notes.", "(in millions)"


def _is_label(text: str, start: int, end: int) -> bool:
    """Whether a piece of a report is the label of a row, or sends elsewhere: "Change in translation, net of tax"."""
    plain = text[start:end].strip()
    if _ELSEWHERE.search(plain):
        return True
    if _NO_LABEL.search(plain) or is_form_line(plain):
        return False
    return text[max(0, start - 1) : start] in ("", "\n") and text[end : end + 1] in ("", "\n")


def _is_about_its_title(passage: Passage) -> bool:
    """Whether the title names the thing that the text speaks of from its first words, so that "it" means that thing."""
    title = _plain_title(passage)
    return bool(title) and title <= terms_of(passage.text[: 40 + 2 * len(passage.title)])


def _plain_title(passage: Passage) -> frozenset[str]:
    """The terms of a title without what stands in brackets."""
    return terms_of(re.sub(r"\([^)]{0,200}\)", "", passage.title))


def with_antecedents(
    sentence: EvidenceSentence, siblings: Sequence[EvidenceSentence]
) -> tuple[EvidenceSentence, ...] | None:
    """The sentence after those it hangs on, at most two; None when it hangs on more."""
    chain = [sentence]
    while chain[0].hangs:
        if chain[0].order == 0 or len(chain) > _BACK:
            return None
        before = siblings[_antecedent(chain[0], siblings)]
        if before.is_head and not before.hangs:
            break  # a heading tells nothing; "This includes:" goes on with what stands before it
        chain.insert(0, before)
    return tuple(chain)


_OPENING_NAME = re.compile(r"[A-Z][\w&’'-]{1,30}(?: [A-Z][\w&’'-]{0,30}){0,4}(?= (?:is|was|has|had|are|were) also\b)")


def _antecedent(sentence: EvidenceSentence, siblings: Sequence[EvidenceSentence]) -> int:
    """The place of what a sentence hangs on: "A is also …" on the last one that says A, any other on the one before."""
    if sentence.listed:
        before = siblings[: sentence.order]
        announcing = [s.order for s in before if s.text.endswith(":")]
        return max(announcing, default=sentence.order - 1)
    name = _OPENING_NAME.match(sentence.text)
    named = (s.order for s in siblings[sentence.order - 1 :: -1] if name and name[0] in s.text)
    return next(named, sentence.order - 1)


def names_its_subject(sentence: EvidenceSentence) -> bool:
    """Whether the sentence says what its passage is about, or the title is no name that could be put in front."""
    title = _plain_title(sentence.passage)
    return not title or bool(title & sentence.terms) or fold(sentence.passage.title) in fold(sentence.text)


SLIPS = 0.2
_FEWEST = 4
_MOST = 120
_GAP = re.compile(r"\s{0,4}(?:\[\s{0,4}(?:\.{3}|…)\s{0,4}\]|\.{3,40}|…)\s{0,4}")
_CLOSING = re.compile(r"[.!?…。]+[\"'”’)\]]*")


@dataclass(frozen=True, slots=True)
class Span:
    """Characters [start, end) of a passage; `exact` when its words are those of the quote, one by one."""

    start: int
    end: int
    exact: bool = True


def find_quote(quote: str, text: str) -> Span | None:
    """The place in `text` that `quote` repeats; None when it is not there.

    Up to a fifth of the words may differ, of at least four, but never one with a digit in it. A quote with gaps (…)
    reaches from its first part to its last.
    """
    at = text.find(quote) if quote.strip() else -1
    if at >= 0:
        return Span(at, at + len(quote))
    there = spans(text)
    parts = [part for part in _GAP.split(quote) if tokens(part)]
    if not parts:
        return None
    results: list[Span] = []
    for part in parts:
        span = _find_part(spans(part), [w for w in there if not results or w.start >= results[-1].end])
        if span is None:
            return None
        results.append(span)
    end = results[-1].end
    if (closing := _CLOSING.match(text, end)) and quote.rstrip()[-1:] in ".!?…。":
        end = closing.end()
    return Span(results[0].start, end, exact=all(span.exact for span in results))


def _find_part(quote: Sequence[Word], there: Sequence[Word]) -> Span | None:
    wanted = [word.word for word in quote]
    known = [word.word for word in there]
    for place in range(len(known) - len(wanted) + 1):
        if known[place] == wanted[0] and known[place : place + len(wanted)] == wanted:
            return Span(there[place].start, there[place + len(wanted) - 1].end)
    if not _FEWEST <= len(wanted) <= _MOST:
        return None
    slips, first, last = _nearest(wanted, known)
    if last <= first or slips > SLIPS * len(wanted) or _digits(wanted) != _digits(known[first:last]):
        return None
    return Span(there[first].start, there[last - 1].end, exact=False)


def _digits(words: Sequence[str]) -> Counter[str]:
    return Counter(word for word in words if any(char.isdigit() for char in word))


def _nearest(wanted: Sequence[str], known: Sequence[str]) -> tuple[int, int, int]:
    """(slips, first, last) of the run of `known` that takes the fewest changes to become `wanted` (Sellers, 1980)."""
    column = [(row, 0) for row in range(len(wanted) + 1)]
    best = (len(wanted), 0, 0)
    for place, word in enumerate(known):
        before, column = column, [(0, place + 1)]
        for row, wish in enumerate(wanted, start=1):
            kept = (before[row - 1][0] + (wish != word), before[row - 1][1])
            extra = (before[row][0] + 1, before[row][1])
            lost = (column[row - 1][0] + 1, column[row - 1][1])
            column.append(min(kept, extra, lost, key=lambda pair: pair[0]))
        slips, first = column[-1]
        if slips < best[0]:
            best = (slips, first, place + 1)
    return best


def best_sentence(statement: str, text: str) -> Span | None:
    """The sentence of `text` with the most terms of `statement`, the first of equals; None when none has any."""
    wanted = set(tokens(statement))
    scored = [(len(wanted.intersection(tokens(text[s:e]))), -s, e) for s, e in sentences(text)]
    most, start, end = max(scored, default=(0, 0, 0))
    return Span(-start, end) if most else None
