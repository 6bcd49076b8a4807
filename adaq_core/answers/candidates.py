"""Which parts of a sentence may be the short answer, the likeliest first."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence, Set
from functools import lru_cache, partial
from itertools import chain, pairwise

from adaq_core.answers.choose import (
    CURRENCY,
    DOERS,
    Rated,
    TypedSpan,
    Wanted,
    is_called_one,
    measured_in,
    spans_for,
)
from adaq_core.answers.doers import (
    AND,
    LOWER,
    OWN_CLAUSE,
    joined,
    organisations,
    people,
    terms_in_place,
    terms_said,
    word_behind,
)
from adaq_core.answers.evidence_sentences import NAMED_CELLS, EvidenceSentence
from adaq_core.matching.answer_shapes import ASKS_LENGTH, EVERY_SO_OFTEN, UNIT_OF_LENGTH, began_when
from adaq_core.matching.conditions import keeping
from adaq_core.matching.lexicon import (
    LIGHT_VERBS,
    forms_of,
    in_plain_words,
    is_common_word,
    is_said,
    same_sense,
    single_words,
    tells_the_contrary,
)
from adaq_core.matching.sentences import ASKS_WHEN_DONE
from adaq_core.model import AnswerKind
from adaq_core.question.answer_kinds import AUXILIARIES, class_named, in_question
from adaq_core.text.entities import countries_in, names
from adaq_core.text.passages import overlaps
from adaq_core.text.tokens import STOP_WORDS, terms_of, words
from adaq_core.text.values import BEGINS, ENDS, SPELLED_NUMBER, dates, range_in_cell, spans_of_time

_TITLE = re.compile(r"(?i)(?:judge|president|chair(?:man|woman)|professor|senator|minister|mr|mrs|ms|dr|governor)\.? ")
# The last is a row of what somebody did: "was founded in 2003, sold its first shares in 2010".
_PARTS = re.compile(
    r"; |: | ?, (?:and|but|so|which|while|whereas|although|though) | and (?=(?:in|on) )"
    r"|, (?=(?:of (?:which|whom)|(?:an? |up |down )?(?:increase|decrease|rise|drop|decline|gain)) )"
    # "$200 domestic, $300 abroad"; "Kessler asks 9,800, Maro asks 8,900"
    r"| - (?=[A-Z])|, (?=(?:and )?(?:up to |at most )?[$€£¥]\d)"
    r"|, (?=[A-Z][\w.’'-]{1,20} [a-z]{2,12}s (?:for )?[$€£¥]?\d)"
    r"|, (?!(?:after|before|from|with|under|during|into|over|when|who|all|both|then)\b)"
    r"(?=[a-z]{3,12}(?<!ing) (?:its|his|her|their|the|an?)\b)"
)
_SIDES = re.compile(r"; |, (?:but|while|whereas|although|though) ")
_MEASURED = frozenset(("number", "amount", "date"))
_SEVERAL = 2
_FIGURE = re.compile(rf"\b(?:{SPELLED_NUMBER}|\d[\d.,]{{0,12}})\b")
_MORE = re.compile(r",? and |, [A-Z]")
_GOAL = re.compile(r" (?:to|for|from|against) ((?:[\w'’]+ ?){1,5})")
_ASKS_TOWN = re.compile(r"(?i)\b(?:city|town|village)\b")
_INSTITUTION = re.compile(
    r"\b(?:College|University|Institute|Cent(?:re|er)|School|Laborator(?:y|ies)|Academy|Hospital)\b"
)
_PEOPLES = ("an", "ese", "ish", "ch", "i", "k")


def candidates_in(wanted: Wanted, sentence: EvidenceSentence) -> list[TypedSpan]:
    """The parts of the kind asked for that the question does not hold, those nearest to its words first."""
    known = wanted.words | _known_by_title(wanted, sentence)
    if tells_the_contrary(wanted.question, sentence.text):
        return []
    found = spans_for(wanted, sentence)
    named = _behind_labels(sentence, [span for span in found if not _names_a_cell(span, sentence.text)])
    spans = [_trimmed(s, wanted) for s in named]
    spans = [s for s in spans if not set(words(s.text)) - STOP_WORDS <= known]
    spans = _on_the_side_asked(wanted, sentence.text, spans)
    if not _PART_ASKED.match(wanted.question):
        spans = _outside_asides(wanted, sentence.text, spans)
    if wanted.kind in ("number", "amount"):
        spans = _of_the_cell_asked(wanted, sentence.text, spans)
    if wanted.kind in _FITTING:
        spans = _FITTING[wanted.kind](wanted, sentence, spans)
    if wanted.kind == "person":
        spans = _beside_the_role(wanted, sentence, spans)
    if wanted.kind in ("person", "organisation"):
        spans = [_with_group(span, sentence.text) for span in spans]

    def turn(span: TypedSpan) -> tuple[int, bool, int]:
        is_beside = not _goes_to(wanted, sentence.text, span)
        return -_clause_share(wanted, sentence, span), is_beside, _gap(wanted, sentence, span)

    return sorted(spans, key=turn)


# Who is behind a name: "Tesla shareholders" approved it, not Tesla.
_GROUP = re.compile(
    r" (?:(?:share|stock)holders|investors|workers|employees|customers|users|staff|owners|executives|managers|engineers"
    r"|directors|voters|drivers|pilots|lawmakers|regulators|officials|prosecutors|researchers|scientists|lawyers|creditors)\b"
)


def _with_group(span: TypedSpan, text: str) -> TypedSpan:
    """A name with the people of it that stand right behind."""
    group = _GROUP.match(text, span.end)
    return TypedSpan(text[span.start : group.end()], span.start, group.end()) if group else span


_OPENS_WORDS = re.compile(r"[A-Z][a-z]* [a-z]")  # "Order silencers" in a cell names nobody
_OPENS_CELL = re.compile(r"(?:^|[;:]) $|^$")


def _names_a_cell(span: TypedSpan, text: str) -> bool:
    """Whether a part is the name of a cell of a row, or a common word that opens what it says: "Rank: Rank by size"."""
    ahead = text[max(0, span.start - 2) : span.start]
    if ahead == ": " and _OPENS_WORDS.match(text, span.start) and is_common_word(span.text.lower()):
        return True
    is_first = _OPENS_CELL.fullmatch(ahead) is not None and text.startswith(": ", span.end)
    return is_first and NAMED_CELLS.match(text) is not None


def _of_the_cell_asked(wanted: Wanted, text: str, spans: list[TypedSpan]) -> list[TypedSpan]:
    """The numbers of a row in the cells of which the question says most; all where it says none of their names."""
    if not spans or NAMED_CELLS.match(text) is None:
        return spans
    asked = terms_of(wanted.question)
    said = [len(asked & terms_of(_name_of_cell(text, span.start))) for span in spans]
    most = max(said)
    return [span for span, count in zip(spans, said, strict=True) if count == most]


def _name_of_cell(text: str, at: int) -> str:
    """What a row calls the cell that stands at a place."""
    start = max(text.rfind("; ", 0, at), text.rfind("\n", 0, at))
    name, _, _ = text[start + 1 : at].partition(": ")
    return name.replace("_", " ")


def _behind_labels(sentence: EvidenceSentence, spans: Sequence[TypedSpan]) -> list[TypedSpan]:
    """The spans without the names of columns that a row says in front of its cells: "Cemre", of "; Yard Cemre"."""
    text, labels = sentence.text, column_names(sentence.passage.text)
    if not labels or not ("; " in text or ": " in text):
        return list(spans)
    kept = []
    for span in spans:
        ahead = text[max(0, span.start - 2) : span.start]
        label = _label_of(span.text, labels) if _OPENS_CELL.fullmatch(ahead) else ""
        if _is_within_label(span, text, labels):
            continue
        if label:
            start = span.start + len(label) + 1
        else:
            start = span.start
        opens = bool(label) and _OPENS_WORDS.match(text, start) is not None
        rest = text[start : span.end]
        is_name = not label or any(map(str.isalpha, rest))
        if start < span.end and is_name and not opens:
            kept.append(TypedSpan(rest, start, span.end))
    return kept


# Example: "Who is the CFO?" Counter-example: "Who is the deputy of Ann Lee?"
_ASKS_WHO_HAS_A_ROLE = re.compile(
    r"(?i)^who(?:['’]s| (?:is|was|are|were)) (?:the|our|your) (?P<role>[\w-]{2,20}(?: (?!of|for)[\w-]{2,20}){0,2})\W*$"
)


def _beside_the_role(wanted: Wanted, sentence: EvidenceSentence, spans: list[TypedSpan]) -> list[TypedSpan]:
    """The people of a row, where a whole cell is the role of which it is asked who has it: no "CFO + Procurement"."""
    asked = _ASKS_WHO_HAS_A_ROLE.match(wanted.question)
    labels = column_names(sentence.passage.text) if asked and spans else ()
    if asked is None or not labels or ": " not in sentence.text:
        return spans
    cells = re.split(r"; |: ", sentence.text)
    told = (cell.removeprefix(_label_of(cell, labels)) for cell in cells)
    role = terms_of(asked["role"])
    return spans if any(terms_of(cell) == role for cell in told) else []


def _is_within_label(span: TypedSpan, text: str, labels: Sequence[str]) -> bool:
    """Whether a part is the end of the name of a column: "Item Limit", of "; Daily/Per Item Limit $50"."""
    ends = (text.rfind(sign, 0, span.start) for sign in ("; ", ": "))
    opening = max(ends) + 2
    label = _label_of(text[opening:], labels)
    return opening < span.start <= span.end <= opening + len(label)


def _label_of(text: str, labels: Sequence[str]) -> str:
    return next((label for label in labels if f"{text} ".startswith(f"{label} ")), "")


@lru_cache(maxsize=1 << 10)
def column_names(text: str) -> tuple[str, ...]:
    """The names of the columns of the tables in a text, whose headers have bars between them; the longest first."""
    lines = text.split("\n")
    headers = [line.split(" | ") for line in lines if " | " in line]
    cells = set(chain.from_iterable(headers)) - {""}
    return tuple(sorted(cells, key=len, reverse=True))


def _known_by_title(wanted: Wanted, sentence: EvidenceSentence) -> set[str]:
    """The words of a title that names the thing asked: whom it names too is known, and may else be the answer."""
    if wanted.kind not in DOERS or terms_of(sentence.passage.title).isdisjoint(wanted.terms):
        return set()
    return set(words(sentence.passage.title))


_NO_PLACE = re.compile(r"(?:Inc|Corp|LLC|Ltd|Co)\.?|(?:YTD|Q[1-4]|FY|Form|Note|Item|Section)\b.*")


# "When was the rule withdrawn?" is not told by when it was proposed.
_WAS_DONE = re.compile(r"(?i)^when (?:was|were) .{2,160} (?P<done>[a-z]{3,20})\W*$")


def _is_not_what_was_done(wanted: Wanted, sentence: EvidenceSentence) -> bool:
    """Whether a question ends in what was done, and a sentence says nothing of it in any word."""
    asked = _WAS_DONE.match(wanted.question)
    if asked is None or not _is_past(asked["done"]):
        return False
    return not any(is_said(term, sentence.terms) for term in terms_of(asked["done"]))


def _days(wanted: Wanted, sentence: EvidenceSentence, spans: list[TypedSpan]) -> list[TypedSpan]:
    text = sentence.text
    if _is_not_what_was_done(wanted, sentence):
        return []
    spans = [s for s in spans if not _BETWEEN.search(text, 0, s.start)]
    spans = _of_the_number_asked(wanted, text, _of_the_end_asked(wanted, text, spans))
    spans = _of_the_act_asked(wanted, text, _of_the_thing_asked(wanted, text, spans))
    spans = [s for s in spans if not (_is_only_beside_it(wanted, text, s) or _is_of_one_of_two_sums(text, s))]
    spans = [s for s in spans if not _is_when_told(wanted, text, s)]
    if _UNTIL_WHEN.match(wanted.question):
        return [s for s in spans if _UNTIL.search(text, 0, s.start)]
    spans = [s for s in spans if not _PROMISED.search(text, 0, s.start)] or spans
    if _ASKS_WHEN_TO_BE.match(wanted.question) is None:
        return spans
    return _latest([s for s in spans if not _is_over(text, s)])


# "It launched A in May, and B will follow in July": May is no answer to when something will be.
_TO_COME = re.compile(
    r"(?i)\b(?:will|would|shall|(?-i:may)|could|by|until|from|due|to|for|(?:expect|plan|schedul|aim|target|postpon|delay)\w*)\b"
)


def _is_over(text: str, span: TypedSpan) -> bool:
    """Whether the clause of a date tells what was done, and of nothing to come."""
    clause = clause_of(text, span, _PARTS)
    ahead, _, _ = clause.partition(span.text)
    return _TO_COME.search(clause) is None and any(map(_is_past, LOWER.findall(ahead)))


_UNTIL_WHEN = re.compile(r"(?i)(?:until|till|up to) when\b")
_UNTIL = re.compile(
    r"(?i)\b(?:until|till|to|through|by|end(?:s|ed)?(?: on| in)?|expires?(?: on| in)?) (?:the end of )?$"
)
_TELLS = re.compile(r"\b(?P<tells>said|told|[a-z]{3,14}ed) (?:(?:in|on|at) )?$")
_WHAT_IS_TOLD = re.compile(r",? (?:that|to) (?P<what>[^,;]{3,200})")
_HAD_BEEN = re.compile(r"\bhad [a-z]")


def _is_when_told(wanted: Wanted, text: str, span: TypedSpan) -> bool:
    """Whether a date is when somebody told what is asked: "said in May that it would move", "that it had moved"."""
    tells, told = _TELLS.search(text, 0, span.start), _WHAT_IS_TOLD.match(text, span.end)
    if tells is None or told is None or terms_of(tells["tells"]) & wanted.terms:
        return False
    is_to_come = _ASKS_WHEN_TO_BE.match(wanted.question) is not None
    return is_to_come or _HAD_BEEN.search(told["what"]) is not None


# "Agreed in July to buy A and completed it in May": A was bought in May.
_PROMISED = re.compile(r"\b(?:agreed|offered|planned|promised|decided|intended|proposed) (?:in|on) $")
_BESIDE_IN_TIME = re.compile(r"(?i)\b(?:after|before|since|until|following) (?=[^,;]{3,80})")


def _is_only_beside_it(wanted: Wanted, text: str, span: TypedSpan) -> bool:
    """Whether a date is of what came after or before the act asked for: "in July, shortly after the failure"."""
    beside = _BESIDE_IN_TIME.search(text, span.end)
    if beside is None or _BESIDE_IN_TIME.search(wanted.question):
        return False
    before = terms_said(wanted.deeds, text[: beside.start()])
    behind = terms_said(wanted.deeds, text[beside.end() :])
    return bool(behind) and not before


_TWO_SUMS = re.compile(r"[$€£]\d[\d.,]*(?: (?:million|billion))? and [$€£]\d")


def _is_of_one_of_two_sums(text: str, span: TypedSpan) -> bool:
    """Whether a date is one of two of which two sums are told: "debt of $12 and $2 million for Q3 2022 and Q3 2023"."""
    if _TWO_SUMS.search(text) is None:
        return False
    told = (date.span for date in dates(text))
    beside = [pair for pair in pairwise(told) if text[pair[0][1] : pair[1][0]].strip(" ,") == "and"]
    return any(overlaps((span.start, span.end), pair) for pair in beside)


# "Once planned for 2020, it was postponed again in 2025 to 2027": what is still to come is the latest of them.
_ASKS_WHEN_TO_BE = re.compile(
    r"(?i)(?:by |until |from )?when (?:will|shall|would|is .{2,80}?\b(?:due|expected|planned|scheduled|to be)\b"
    r"|(?:does|do) .{2,80}\b(?:begin|start|end|expire|lose|want|plan|intend|expect|aim|hope)\b)"
)


def _latest(spans: list[TypedSpan]) -> list[TypedSpan]:
    """The span with the latest date; all where one holds no full date."""
    keys = [[date.key for date in dates(span.text)] for span in spans]
    if not spans or not all(keys):
        return spans
    last = max(keys)
    return [span for span, key in zip(spans, keys, strict=True) if key == last]


# "A, B and C expire between 2026 and 2028": neither is when B does.
_BETWEEN = re.compile(r"\bbetween (?:[\w,]{2,12} ){0,3}$|\bbetween [\w, ]{4,24} and (?:[\w,]{2,12} ){0,2}$")


_THING_AHEAD = re.compile(r"\b(?P<thing>[A-Z][\w-]{1,30}(?: [A-Z][\w-]{1,30}){0,3}) (?:in|on) $")


def _of_the_thing_asked(wanted: Wanted, text: str, spans: list[TypedSpan]) -> list[TypedSpan]:
    """The dates of the thing asked about, where one has another ahead: "bought A in 2016, B in 2018"."""
    own, others = list[TypedSpan](), list[TypedSpan]()
    for span in spans:
        ahead = _THING_AHEAD.search(text, 0, span.start)
        if ahead:
            is_own = not wanted.terms.isdisjoint(terms_of(ahead["thing"]))
            (own if is_own else others).append(span)
    return own if own and others else spans


# "42 aircraft a month" is not how many were delivered.
_HOW_MANY_WERE = re.compile(
    r"(?i)\bhow many (?!.{0,120}\b(?:an?|per|each|every) (?:day|week|month|quarter|year)\b)"
    r".{1,80}?\b(?:did|was|were|has|have|had)\b"
)
_A_RATE = re.compile(
    r"(?: [\w-]{1,20}){0,3} (?:an?|per|each|every) (?:second|minute|hour|day|week|month|quarter|year)\b"
)


_WHAT_NUMBER = re.compile(r"(?i)\bwhat (?!number|share|percentage|proportion)")


_CURRENCY_SIGNS = ("$", "€", "£", "¥")


def _counts_who_is_asked_about(wanted: Wanted, span: TypedSpan, text: str) -> bool:
    """Whether a number only says how many there are of whom the question names: "what raise did the machinists get".

    A sum of money counts nobody: "$300 international".
    """
    if span.text.startswith(_CURRENCY_SIGNS):
        return False
    behind = word_behind(text, span)
    terms = terms_of(behind)  # none of "for", which a question may say too
    return bool(terms) and behind in wanted.words and wanted.counted.isdisjoint(terms)


# "Competition grows on three sides" is not how fast anything grows.
_HOW_MUCH_SO = re.compile(r"(?i)\bhow (?:fast|quickly|high|low|large|big|deep|far|heavy|hard|strong(?:ly)?)\b")


_HOW_FAST = re.compile(r"(?i)\bhow (?:fast|quickly|soon)\b")  # no sum of money is


def _counts_other_things(wanted: Wanted, span: TypedSpan, text: str) -> bool:
    """Whether a number without a unit says how many there are of what is not asked about."""
    behind = word_behind(text, span)
    if not span.text.isalnum() or not behind.endswith("s"):
        return False
    return terms_of(behind).isdisjoint(wanted.terms)


# Who has led a firm for twenty years is older than that.
_HOW_OLD = re.compile(r"(?i)\bhow old (?:is|was)\b")
_YEARS_OLD = re.compile(r"[ -](?:years?[ -])?old\b")
_AGED = re.compile(r"\b(?:aged|turn(?:ed|s)|age of|was|is|were|died at) $")


def _is_an_age(text: str, span: TypedSpan) -> bool:
    says = _YEARS_OLD.match(text, span.end) or _AGED.search(text, 0, span.start)
    return says is not None


_ASKS_TO_CALL = re.compile(r"(?i)\b(?:(?:tele)?phone|fax|hotline)\b|\bnumber\b.{1,40}\b(?:call|dial|ring)\b")
_TO_CALL = re.compile(r"(?<![\d.,$€£-])(?:\+\d{1,3}[ -])?\(?\d{2,5}\)?(?:[ -]\d{2,5}){1,4}(?![\d.,]\d|%)")


# "What was the surplus" is not told by how much of it is set aside: "60 percent of the surplus".
_SIZE_ASKED = re.compile(
    r"(?i)^what (?:is|was|are|were) (?:the|our|its|their)\b(?!.*\b(?:per ?cent|share|proportion|portion|rate|part"
    r"|margin))"
)
# How much money is no percentage; how much interest may be.
_SUM_ASKED = re.compile(rf"(?i)\bhow much (?:cash|capital|credit|debt|funding|money) (?:{'|'.join(AUXILIARIES)})\b")
_A_PART_OF = re.compile(r" of (?:the |our |its |this |their |all )?(?P<whole>[\w-]{1,30}(?: [\w-]{1,30})?)")
_PERCENTAGE = re.compile(r"(?i)(?:%|\bper ?cent)$")


def _is_a_part(wanted: Wanted, span: TypedSpan, text: str) -> bool:
    whole = _A_PART_OF.match(text, span.end) if _PERCENTAGE.search(span.text) else None
    return whole is not None and terms_of(whole["whole"]) <= wanted.terms


def _numbers(wanted: Wanted, sentence: EvidenceSentence, spans: list[TypedSpan]) -> list[TypedSpan]:
    text = sentence.text
    if in_question(_ASKS_TO_CALL, wanted.question):
        return [TypedSpan(match[0], *match.span()) for match in _TO_CALL.finditer(text)]
    if began_when(wanted.question, text):
        return spans
    if in_question(ASKS_LENGTH, wanted.question):
        often = [each.span() for each in EVERY_SO_OFTEN.finditer(text)]
        spans = [s for s in spans if not overlaps((s.start, s.end), often)]
        spans = [s for s in spans if _OF_A_LENGTH.search(text[s.start : s.end + _UNIT_BEHIND])]
        spans = [s for s in spans if not (s.text.startswith("over ") and _SPREAD.search(text[: s.start]))]
    if in_question(_HOW_MANY_WERE, wanted.question):
        spans = [s for s in spans if not _A_RATE.match(text, s.end)]
    if in_question(_WHAT_NUMBER, wanted.question):
        spans = [s for s in spans if not _counts_who_is_asked_about(wanted, s, text)]
    if in_question(_HOW_OLD, wanted.question):
        spans = [s for s in spans if _is_an_age(text, s)]
    if in_question(_HOW_MUCH_SO, wanted.question):
        spans = [s for s in spans if not _counts_other_things(wanted, s, text)]
    if in_question(_HOW_FAST, wanted.question):
        spans = [s for s in spans if not s.text.startswith(_CURRENCY_SIGNS)]
    spans = [s for s in spans if not (s.text.isdigit() and _IN_A_NAME.match(text, s.end))]
    spans = [s for s in spans if not _OUT_OF.search(text, 0, s.start)]
    return _amounts(wanted, sentence, spans)


def is_in_the_case(text: str, span: TypedSpan) -> bool:
    """Whether a number is of the case that something is so in: "More than 5 days: 4 weeks in advance"."""
    case, _, told = text.partition(": ")
    is_case = _FIGURE.search(told) is not None and range_in_cell(case) is not None
    return is_case and span.start < len(case)


# Of "nine out of the ten counts" nine were won, and "eleven of the 46" died.
_OUT_OF = re.compile(rf"(?i)\b(?:\d{{1,4}}|{SPELLED_NUMBER}|one)(?: out)? of (?:the |its |our |their |all )?$")
_IN_A_NAME = re.compile(r" [A-Z]{2}")  # "two 737 MAX crashes": the model, and no number of anything
_LATEST = re.compile(r"(?i)\b(?:latest|most recent(?:ly)?|newest|current(?:ly)?|now)\b")
_CHANGED_TO = re.compile(r"\b(?:raised|increased|lifted|cut|lowered|reduced|revised)\b[^,;]{0,40}\bto (?:about )?$")


_HOW_MUCH = re.compile(r"(?i)\bhow much(?! time)\b")
_MONEY = re.compile(rf"[$€£¥%]|\b{CURRENCY}\b|\b(?:dollars|euros|pounds)\b")
_TIME_AT_END = re.compile(r"\b(?:second|minute|hour|day|week|month|year)s?$")


def _money_before_time(spans: list[TypedSpan]) -> list[TypedSpan]:
    """The spans without how long something was, where one is a sum: "credit you with five days, i.e. £ 3,312"."""
    if not any(_MONEY.search(s.text) for s in spans):
        return spans
    return [s for s in spans if not _TIME_AT_END.search(s.text)]


# "How much of A would change B": "A was $34.8 million, of which $29.2 million, if recognized, would change it".
_PART_ASKED = re.compile(r"(?i)^how much of\b")
_PART_TOLD = re.compile(r"(?i)\bof which (?:approximately |about )?$")
# What somebody did is no limit: "authorized to borrow up to $10 billion" tells nothing of what was borrowed.
_SUM_DONE = re.compile(
    r"(?i)^(?:how much|what) (?:[a-z-]{2,20} ){0,2}(?:did|has|have|had) "
    r"(?:(?!agree|commit|promise|pledge|plan|authori|approve|offer|allow)[^? ]{1,30} ){1,4}?"
    r"(?:borrow|pay|invest|spend|buy|repurchase|raise|issue|lend|draw)(?:ed|s)?\b"
)
# A further sum is no total.
_IN_ALL = re.compile(r"(?i)\b(?:in (?:total|all|sum)|altogether|combined|together|overall)\b")
_ON_TOP = re.compile(r"(?i)\b(?:further|another|additional|extra)(?: of)?(?: about| around)? $")
UP_TO = re.compile(r"(?i)\bup to (?:an additional )?(?:about |approximately )?$")


# "Shares worth up to a billion" say what the shares are worth, and not their firm.
_WORTH = re.compile(r"\bworth\b")
_OTHERS_WORTH = re.compile(r"\b(?!was\b|is\b)[a-z]{2,20}s worth (?:up to |about |around |more than |over )?$")
# Example: "How much is Acme worth?" Counter-example: "How much were the shares that it sold worth?"
_ASKS_WORTH = re.compile(r"(?i)^how much (?:is|was) (?!the\b)[^?]{2,60} worth\W*$")
_TELLS_WORTH = re.compile(
    r"\b(?:(?:is|was|be|been|became|company|firm|bank|first) worth|valued at"
    r"|(?:market value|valuation|capitali[sz]ation) of)(?: (?:about|around|over|nearly|more than|up to))? $"
)
OF_NOW = re.compile(
    r"(?i)how (?:many|much|large|big|high|long)\b.{1,80}?"
    r"\b(?:is|are|may|can|must|does|do|has|have|will|currently|now)\b"
)


# "One billion of it was a penalty and the rest was set aside for refunds": each clause is of a sum of its own.
_OWN_SUM = re.compile(r"; |, (?:but|while|whereas) |,? and (?=(?:the )?(?:rest|remainder|other|balance)\b)")


def _of_what_is_measured(wanted: Wanted, text: str, spans: list[TypedSpan]) -> list[TypedSpan]:
    """The sums of the clause that says what is measured, where the sentence says it: the penalty's."""
    measured = measured_in(wanted.question)
    if not measured or not measured <= terms_of(text):
        return spans
    clauses = [(span, terms_of(clause_of(text, span, _OWN_SUM))) for span in spans]
    return [span for span, clause in clauses if not measured.isdisjoint(clause)]


def _amounts(wanted: Wanted, sentence: EvidenceSentence, spans: list[TypedSpan]) -> list[TypedSpan]:
    spans = _of_what_is_measured(wanted, sentence.text, spans)
    if in_question(_SUM_ASKED, wanted.question):
        spans = [s for s in spans if not _PERCENTAGE.search(s.text)]
    if _SIZE_ASKED.match(wanted.question) and any(_is_a_part(wanted, s, sentence.text) for s in spans):
        spans = [s for s in spans if not (_PERCENTAGE.search(s.text) or _TIME_AT_END.search(s.text))]
    if _PART_ASKED.match(wanted.question):
        spans = [s for s in spans if _PART_TOLD.search(sentence.text, 0, s.start)] or spans
    if _SUM_DONE.match(wanted.question):
        spans = [s for s in spans if not UP_TO.search(sentence.text, 0, s.start) and not s.text.startswith("up to ")]
    if in_question(_IN_ALL, wanted.question):
        spans = [s for s in spans if not _ON_TOP.search(sentence.text, 0, s.start)]
    if in_question(_HOW_MUCH, wanted.question):
        spans = [s for s in spans if not _counts_who_is_asked_about(wanted, s, sentence.text)]
        spans = _money_before_time(spans)
    of_now = not wanted.conditions and OF_NOW.match(wanted.question)
    if of_now or _LATEST.search(wanted.question):
        newest = [s for s in spans if _CHANGED_TO.search(sentence.text, 0, s.start)]
        spans = newest or spans
    if _WORTH.search(wanted.question):
        spans = [s for s in spans if not _OTHERS_WORTH.search(sentence.text, 0, s.start)]
    if in_question(_ASKS_WORTH, wanted.question):
        tells_worth = any(_TELLS_WORTH.search(sentence.text, 0, s.start) for s in spans)
        spans = spans if tells_worth else []
    if not wanted.conditions:
        return _of_the_last_time(sentence.text, spans) if OF_NOW.match(wanted.question) else spans
    return _of_the_time_asked(wanted, sentence, _in_order_of_time(wanted, sentence, spans))


def _called(wanted: Wanted, sentence: EvidenceSentence, spans: list[TypedSpan]) -> list[TypedSpan]:
    called = class_named(wanted.question)
    several = {f"{word}s" for word in words(wanted.question) if terms_of(word) <= called}
    one = [s for s in spans if word_behind(sentence.text, s) not in several]  # "GNU tools" names no tool
    one = [s for s in one if not sentence.text.endswith(" for ", 0, s.start)]  # a drug for A is not A
    one = [s for s in one if not _is_of_another_owner(wanted, sentence.text, s)]
    return [s for s in one if is_called_one(s, sentence.text, called)]


# "To which state did it move?", "What was it renamed to?" Counter-example: "What is it used to do?"
_ASKS_SIDE = re.compile(r"(?i)^(?P<ahead>to|into|from) (?:which|what|whom|where)\b|\b(?P<behind>to|into|from)\W*$")
_STANDS_ON = re.compile(r"\b(?P<side>to|into|from) (?:(?:the|about|its|an?) )?$")


def _on_the_side_asked(wanted: Wanted, text: str, spans: list[TypedSpan]) -> list[TypedSpan]:
    """Without what stands on the other side: of "from A to B" only B, where it is asked to which something went."""
    asked = _ASKS_SIDE.search(wanted.question)
    if asked is None:
        return spans
    is_from = "from" in asked[0].lower()

    def is_there(span: TypedSpan) -> bool:
        stands = _STANDS_ON.search(text, 0, span.start)
        return stands is None or is_from == (stands["side"] == "from")

    return [span for span in spans if is_there(span)]


_OWNER = re.compile(r"\b(?P<owner>[A-Z][\w&-]{1,24})(?:['’]s|, whose) (?:[a-z-]{2,20} ){0,2}$")
_OWNED = re.compile(r"['’]s?\b|\bof [A-Z]")


def _is_of_another_owner(wanted: Wanted, text: str, span: TypedSpan) -> bool:
    """Whether a name is that of a thing of another: of "SpaceX, whose Starlink network" Starlink is not Amazon's."""
    owner = _OWNER.search(text, 0, span.start) if in_question(_OWNED, wanted.question) else None
    return owner is not None and wanted.terms.isdisjoint(terms_of(owner["owner"]))


# What moved from A to B is not at A.
_WHERE_NOW = re.compile(r"(?i)\b(?:where|which|what)\b[^?]{0,40}?\b(?:is|are|does|do|has|have)\b")
_FROM = re.compile(r"\bfrom (?:the )?$")
_TO = re.compile(r" to (?:the )?[A-Z]")


def _is_left_behind(span: TypedSpan, text: str) -> bool:
    return _TO.match(text, span.end) is not None and _FROM.search(text, 0, span.start) is not None


_WHERE_FROM = re.compile(r"(?i)^where (?:is|was|are|were)\b.{2,80}\bfrom\W*$")
_COMES_FROM = re.compile(r"\b(?:from|born (?:in|at|near)|native of) (?:the )?(?:[A-Z][\w’'-]*,? (?:and )?){0,3}$")


def _places(wanted: Wanted, sentence: EvidenceSentence, spans: list[TypedSpan]) -> list[TypedSpan]:
    text = sentence.text
    spans = [s for s in spans if not (_is_adjective(s, text) or _NO_PLACE.fullmatch(s.text))]
    if in_question(_WHERE_NOW, wanted.question):
        spans = [span for span in spans if not _is_left_behind(span, text)]
    if in_question(_WHERE_FROM, wanted.question):  # who moved to a place is not from there
        spans = [span for span in spans if _COMES_FROM.search(text, 0, span.start)]
    asks_town = in_question(_ASKS_TOWN, wanted.question)
    if asks_town:
        spans = [span for span in spans if not _INSTITUTION.search(span.text)]
    return joined(_whole_places(spans, text, asks_town), text)


# Which parts of a kind fit the question, and as what they are said.
_FITTING: Mapping[AnswerKind, Callable[[Wanted, EvidenceSentence, list[TypedSpan]], list[TypedSpan]]] = {
    "organisation": organisations,
    "person": people,
    "date": _days,
    "number": _numbers,
    "amount": _amounts,
    "fact": _called,
    "place": _places,
}


# "Kelly Ortberg, an engineer who had led Rockwell Collins, became chief executive".
_ASIDE = re.compile(r", (?:[a-z]+ ){0,6}(?:who|which|whose|where) [^,;]{2,160}(?=,)")


def _outside_asides(wanted: Wanted, text: str, spans: list[TypedSpan]) -> list[TypedSpan]:
    """Without what stands in an aside that says nothing of what is asked beyond the rest; names where others are left.

    "A, who turned 65 in November, had led it for fourteen years" does not tell since when.
    """
    asides = [aside.span() for aside in _ASIDE.finditer(text)]
    asides = [
        (start, end)
        for start, end in asides
        if terms_said(wanted.terms, text[start:end]) <= terms_said(wanted.terms, text[:start] + text[end:])
    ]
    kept = [s for s in spans if not any(start <= s.start and s.end <= end for start, end in asides)]
    return kept if wanted.kind in _MEASURED else kept or spans


# "38 percent over four years" does not say how long anything was.
_SPREAD = re.compile(r"(?:per ?cent|%|[mb]illion|dollars) (?:more |each )?$")
_OF_A_LENGTH = re.compile(UNIT_OF_LENGTH)
_UNIT_BEHIND = 24  # characters


def _of_the_act_asked(wanted: Wanted, text: str, spans: list[TypedSpan]) -> list[TypedSpan]:
    """The dates of the act asked for, where each stands behind one: "formed a union in May and voted in July"."""
    how = ASKS_WHEN_DONE.match(wanted.question)
    if how is None:
        return spans
    written = set(words(wanted.question)) if how["how"].lower() == "did" else set[str]()

    def is_of_it(part: str, asked: Set[str]) -> bool | None:
        acts = [word for word in LOWER.findall(part) if _is_past(word) and word not in written]
        if not acts:
            return None
        return any(not asked.isdisjoint(terms_of(word)) for word in acts)

    said = {form for term in wanted.terms for form in forms_of(term)}
    own = _of_the_one_asked(text, spans, partial(is_of_it, asked=said), ahead=True)
    if len(own) < len(spans):
        return own
    alike = single_words(wanted.terms | terms_of(in_plain_words(wanted.question)))
    near = {form for term in alike for form in forms_of(term)}
    return _of_the_one_asked(text, spans, partial(is_of_it, asked=near), ahead=True)


_DONE = r"(?-i:(?P<done>[a-z]{2,14}(?:ed|en|wn|ght|ld|lt|pt|rn|un|won|made|sung)))"
_WHEN_IN = r"(?:when|(?:in|on) (?:which|what) (?:year|date|day|month))"
_WHAT_WAS_DONE = re.compile(
    rf"(?i){_WHEN_IN} did [^?]*? (?P<deed>[a-z]{{3,16}})(?: (?:its|the|his|her|their|an?)\b| up\b| down\b|\W*$)"
    rf"|{_WHEN_IN} (?:was|were) [^?]*? {_DONE}\W*$"
)
# Example: "How many shares did Acme issue in May?" Counter-example: "How much did Acme spend on kilns?"
_CAPITAL = r"(?-i:[A-Z])[\w.&’'-]{0,20}"
_WHAT_SUM_WAS_DONE = re.compile(
    rf"(?i)how (?:much|many)\b[^?]*? did (?:the (?:company|firm|group|bank)|{_CAPITAL}(?: {_CAPITAL}){{0,3}})"
    r" (?:(?:still|also|already|ever|actually) )?(?P<deed>[a-z]{3,16})\b"
)
# A sum that was booked, spent or held is told in any of these words, and what happened in any.
_SUMS_ANYHOW = terms_of(
    "spend pay cost earn make get raise hold own keep receive report book record recognize incur take generate have owe"
    " lose bring post see charge accrue come amount total reach rise fall increase decrease grow decline go change use"
    " need"
)
_HAPPENS = terms_of("happen occur")


def tells_another_act(wanted: Wanted, text: str, span: TypedSpan) -> bool:
    """Whether the one date of a clause is of another act than is asked: of "dropped its challenge of A in May".

    A sum too: the shares that were bought back are not those that were issued.
    """
    if wanted.kind in ("number", "amount"):
        return _sums_another_act(wanted, text, span)
    asked = _WHAT_WAS_DONE.match(wanted.question) if wanted.kind == "date" else None
    if asked is None:
        return False
    clause = clause_of(text, span, _PARTS)
    deed = terms_of(asked["deed"] or asked["done"])
    ahead, _, behind = clause.partition(span.text)
    is_ahead = len(ahead.split()) <= 1  # "On 3 May we sold A"
    acts = [word for word in LOWER.findall(behind if is_ahead else ahead) if _is_past(word)]
    told = terms_of(clause)
    is_told = bool(terms_said(deed, clause)) or not deed.isdisjoint(LIGHT_VERBS | _HAPPENS)
    # What was founded was also opened; a battle that was fought was not.
    is_told = is_told or any(deed & turn and (asked["deed"] or told & turn) for turn in (BEGINS, ENDS))
    return bool(acts and deed) and not is_told


def _sums_another_act(wanted: Wanted, text: str, span: TypedSpan) -> bool:
    asked = _WHAT_SUM_WAS_DONE.match(wanted.question)
    deed = terms_of(asked["deed"]) if asked else frozenset[str]()
    if not deed or not deed.isdisjoint(_SUMS_ANYHOW):
        return False
    ahead, _, _ = clause_of(text, span, _PARTS).partition(span.text)
    acts = [word for word in LOWER.findall(ahead) if _is_past(word)]
    return bool(acts) and not terms_said(deed, text)


_WHERE_DONE = re.compile(
    r"(?i)(?:where|in (?:what|which) (?:place|city|town|country)) (?:is|are|was|were)\b"
    rf"[^?]*?(?: {_DONE})?\W*$"
)
_DONE_IN = re.compile(r"(?P<act>[a-z]{3,16}) (?:in|at|on|near|off)(?: the)? $")
_LIES = terms_of("located situated based headquartered found set housed held kept hosted built placed")


def tells_where_else(wanted: Wanted, text: str, span: TypedSpan) -> bool:
    """Whether a place is where something else was done than is asked: "born in B" tells not where somebody is."""
    asked = _WHERE_DONE.match(wanted.question) if wanted.kind == "place" else None
    act = _DONE_IN.search(text, 0, span.start)
    if asked is None or act is None or not _is_past(act["act"]):
        return False
    deed = single_words(terms_of(asked["done"])) if asked["done"] else _LIES
    return bool(deed) and deed.isdisjoint(terms_of(act["act"]))


def _is_past(word: str) -> bool:
    """Whether a word may be a verb in the past."""
    if word.endswith("ed") or word == "born":
        return True
    return any(len(forms_of(term)) > 1 for term in terms_of(word))


def _in_order_of_time(wanted: Wanted, sentence: EvidenceSentence, spans: list[TypedSpan]) -> list[TypedSpan]:
    """Of figures in a row before as many times the one of the time asked: "were 6 and 9 in Q1 2022 and Q1 2023"."""
    ordered = sorted(spans, key=lambda span: span.start)
    text = sentence.text
    joints = (text[one.end : other.start] for one, other in pairwise(ordered))
    if len(ordered) < _SEVERAL or not all(AND.fullmatch(joint) for joint in joints):
        return spans
    behind = text[ordered[-1].end :]
    times = [behind[slice(*date.span)] for date in dates(behind)]
    if len(times) != len(ordered):
        return spans
    kept = [
        span
        for span, time in zip(ordered, times, strict=True)
        if all(keeping(condition, sentence.passage, time) == "held" for condition in wanted.conditions)
    ]
    return kept or spans


def clause_of(text: str, span: TypedSpan, joints: re.Pattern[str]) -> str:
    """The part of a sentence between the joints around a span."""
    # A joint of parts is known by the figure behind it, which may be the span; one of names only by what goes ahead.
    seen = len(text) if joints is _PARTS else span.start
    ends = (joint.end() for joint in joints.finditer(text, 0, seen))
    starts = [end for end in ends if end <= span.start]
    end = joints.search(text, span.end)
    return text[starts[-1] if starts else 0 : end.start() if end else len(text)]


def _goes_to(wanted: Wanted, text: str, span: TypedSpan) -> bool:
    """Whether a sum goes to whom the question names: the 4 million of "4 million to the heirs"."""
    goal = _GOAL.match(text, span.end) if wanted.kind in ("number", "amount") else None
    return goal is not None and bool(terms_of(goal[1]) & wanted.terms)


def are_told_apart(wanted: Wanted, rated: Rated, spans: Sequence[TypedSpan]) -> bool:
    """Whether each of several numbers goes to somebody, and the first to whom is asked: 4 to A and 7 to B."""
    goals = [_GOAL.match(rated.sentence.text, span.end) for span in spans]
    if any(goal is None for goal in goals):
        return False
    first, *others = (terms_of(goal[1]) for goal in goals if goal is not None)
    return bool(first & wanted.terms) and not any(other & wanted.terms for other in others)


def _whole_places(spans: Sequence[TypedSpan], text: str, asks_town: re.Match[str] | None) -> list[TypedSpan]:
    """Places with their region: "Towson, Maryland", "Lathrop in California"; without it where a town is asked for."""
    made: list[TypedSpan] = []
    for span in sorted(spans, key=lambda s: s.start):
        joint = text[made[-1].end : span.start] if made else ""
        if joint == " in " or (joint == ", " and not _MORE.match(text, span.end)):
            whole = TypedSpan(text[made[-1].start : span.end], made[-1].start, span.end)
            made[-1] = made[-1] if asks_town else whole
        else:
            made.append(span)
    return made


def _is_adjective(span: TypedSpan, text: str) -> bool:
    """Whether the name of a country only says where something else comes from: "in American hospitals"."""
    country = next(iter(countries_in(span.text)), None)
    return country is not None and re.match(r" [a-z]", text[span.end :]) is not None and span.text.endswith(_PEOPLES)


def _of_the_end_asked(wanted: Wanted, text: str, spans: list[TypedSpan]) -> list[TypedSpan]:
    """The dates without the other end of a time that something lasted: of "from May to July" July is its end."""
    wants_begin, wants_end = bool(wanted.terms & BEGINS), bool(wanted.terms & ENDS)
    if wants_begin == wants_end:
        return spans
    other = [begin if wants_end else end for begin, end in spans_of_time(text)]
    kept = [s for s in spans if not overlaps((s.start, s.end), other)]
    return [_without_from(span) for span in kept]


def _without_from(span: TypedSpan) -> TypedSpan:
    """A date without the "from" in front of it."""
    if span.text.lower().startswith("from "):
        ahead = len("from ")
    else:
        ahead = 0
    return TypedSpan(span.text[ahead:], span.start + ahead, span.end)


def _of_the_number_asked(wanted: Wanted, text: str, spans: list[TypedSpan]) -> list[TypedSpan]:
    """The dates of the number that a question says, where each has one ahead: "four in July and five in May"."""
    asked = set(_FIGURE.findall(wanted.question.lower()))

    def is_of_it(part: str) -> bool | None:
        said = set(_FIGURE.findall(part.lower()))
        return asked <= said if said else None

    return _of_the_one_asked(text, spans, is_of_it, ahead=True) if asked else spans


def _of_the_time_asked(wanted: Wanted, sentence: EvidenceSentence, spans: list[TypedSpan]) -> list[TypedSpan]:
    """The figures of the time that a question binds, where each has a time of its own: "6 in May and 9 in July"."""

    def is_of_it(part: str) -> bool | None:
        if not dates(part):
            return None
        return all(keeping(condition, sentence.passage, part) == "held" for condition in wanted.conditions)

    return _of_the_one_asked(sentence.text, spans, is_of_it, ahead=False)


def _of_the_last_time(text: str, spans: list[TypedSpan]) -> list[TypedSpan]:
    """Of figures that each have a time of their own the one of the last: what holds now."""
    last = max((date.key for date in dates(text)), default="")

    def is_of_it(part: str) -> bool | None:
        keys = [date.key for date in dates(part)]
        return last in keys if keys else None

    return _of_the_one_asked(text, spans, is_of_it, ahead=False)


def _of_the_one_asked(
    text: str, spans: list[TypedSpan], is_of_it: Callable[[str], bool | None], *, ahead: bool
) -> list[TypedSpan]:
    """Those of several spans that are of what is asked, by the part of the text ahead of each, or from each on.

    All of them where none is, or where of one the text does not say (`is_of_it` gives None).
    """
    ordered = sorted(spans, key=lambda span: span.start)
    if ahead:
        begins = (0, *(span.end for span in ordered))
        parts = [text[begin : span.start] for begin, span in zip(begins, ordered, strict=False)]
    else:
        ends = (*(span.start for span in ordered[1:]), len(text))
        parts = [text[span.start : end] for span, end in zip(ordered, ends, strict=False)]
    told = [is_of_it(part) for part in parts] if len(spans) >= _SEVERAL else [None]
    if None in told:
        return spans
    return [span for span, is_so in zip(ordered, told, strict=True) if is_so] or spans


def _clause_share(wanted: Wanted, sentence: EvidenceSentence, span: TypedSpan) -> int:
    """How many of the terms asked for the clause of a span says: twice as many in the same words as in others."""
    if wanted.kind in _MEASURED:
        joints = _PARTS
    else:
        joints = OWN_CLAUSE if wanted.kind in DOERS else _SIDES
    # What the passage is about is said of every date in it.
    asked = wanted.beside_title(sentence) if wanted.kind == "date" else wanted.terms
    clause = clause_of(sentence.text, span, joints)
    if clause.startswith(_OF_WHICH):
        clause = sentence.text.partition(clause)[0] + clause
    literal = asked & terms_of(clause)
    return len(literal) + len(terms_said(asked, clause))


_OF_WHICH = ("of which ", "of whom ")  # what they are is said before: "14 reports, of which five were confirmed"


def _gap(wanted: Wanted, sentence: EvidenceSentence, span: TypedSpan) -> int:
    """How far a span stands from the nearest word that an answer stands by, else from one of its sense."""
    terms = _stood_by(wanted, sentence)
    phrases = (phrase for term in terms for phrase in same_sense(term) if phrase <= sentence.terms)
    alike = frozenset[str]().union(*phrases)
    written = terms_in_place(sentence.text)
    places = [place for place, own in written if own & terms] or [place for place, own in written if own & alike]
    gaps = (max(start - span.end, span.start - end, 0) for start, end in places)
    return min(gaps, default=span.start)


def _stood_by(wanted: Wanted, sentence: EvidenceSentence) -> frozenset[str]:
    """The terms that an answer stands by: what is measured, of a date what was done, else what no title says."""
    focus = measured_in(wanted.question) if wanted.kind in ("number", "amount") else frozenset[str]()
    if focus and focus <= sentence.terms:
        return focus
    done = _told_of_names(wanted, sentence) if wanted.kind in _MEASURED else frozenset[str]()
    return done or wanted.beside_title(sentence)


def _told_of_names(wanted: Wanted, sentence: EvidenceSentence) -> frozenset[str]:
    """What is asked of the names of a question, where the sentence says any of it: "completed" of "A completed B"."""
    named = frozenset().union(*(terms_of(name.text) for name in names(wanted.question) if name.start > 0))
    asked = wanted.terms - named
    literal = asked & sentence.terms
    return literal or frozenset(term for term in asked if is_said(term, sentence.terms))


def _trimmed(span: TypedSpan, wanted: Wanted) -> TypedSpan:
    """A name without the office in front of it, or the owner behind it: "Judge A" is A."""
    office = _TITLE.match(span.text) if wanted.kind == "person" else None
    if office:
        return TypedSpan(span.text[office.end() :], span.start + office.end(), span.end)
    head, _, owner = span.text.partition(" of ")
    if owner and wanted.kind in ("fact", "organisation") and terms_of(owner) <= wanted.terms:
        return TypedSpan(head, span.start, span.start + len(head))
    return span
