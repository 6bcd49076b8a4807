"""What an answer of each kind looks like, and whether a sentence holds one: a person, a date, a count, a cause."""

from __future__ import annotations

import re
from itertools import takewhile
from typing import NamedTuple, get_args

from adaq_core.matching.asked import ASKING, Asked
from adaq_core.matching.lexicon import is_common_word
from adaq_core.matching.statements import ASKS_IF
from adaq_core.model import AnswerKind
from adaq_core.question.answer_kinds import AUXILIARIES, PREPOSITIONS, LanguagePattern, in_question
from adaq_core.text.entities import Name, countries_in, names
from adaq_core.text.tokens import STOP_WORDS, spans, stem, terms_of, tokens, words
from adaq_core.text.values import MONTH_NAMES, SMALL_NUMBERS, SPELLED_NUMBER, dates

_SIDE_BY_SIDE = re.compile(r"; |, (?:and|but|so|while|which|although) ")
_NO_PERSON = re.compile(
    r"\b(?:Inc|Corp|Ltd|LLC|plc|Company|Group|Bank|University|Institute|Court|Act|Union|States|Department|Commission"
    r"|Agency|Board|Committee|Services|Systems|Industries|Technologies|City|County|Street|River|January|February|March"
    r"|April|May|June|July|August|September|October|November|December|House|Office|Academy|College|School|AI|TV"
    r"|Officer|Chief|Rule|Form|Section|Exhibit|Certification|Certifications|Agreement|Registrant|Securities|Exchange)\b"
)


# What an answer of some kind looks like.
PATTERNS: tuple[LanguagePattern[AnswerKind], ...] = (
    LanguagePattern(
        "amount",
        r"[$€£¥]\s?\d|\b\d[\d.,]{0,30}\s?(?:million|billion|trillion|thousand|dollars?|euros?|cents?|pence|pounds?|yen"
        rf"|yuan|percent|per cent|%)|\b(?:{SPELLED_NUMBER}|one|half|an?) (?:an? )?(?:million|billion|trillion)\b"
        rf"|\b{SPELLED_NUMBER} (?:dollars|euros|cents|pence|pounds|yen|yuan|percent|per cent)\b"
        r"|\b(?:more than|less than|about|nearly|almost|over|by) half\b"
        r"|\b(?:half|a third|two thirds|three quarters) of\b",
        "Apple agreed to pay 95 million dollars.",
        "Apple paid in 2025.",
    ),
    LanguagePattern(
        "number",
        r"\b(?:one(?!s)|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty"
        r"|hundred|thousand|million|billion|half|third|quarter|dozen|both|no|none)s?\b|\b(?:only )?an? single\b",
        "BERT base has twelve layers.",
        "BERT has layers.",
    ),
    LanguagePattern(
        "number",
        r"\b(?:within|for|after|every|once|twice|per|than|least|most|to) an? (?:second|minute|hour|day|week|month"
        r"|quarter|year|decade)\b",
        "It must be used within a year of the birth.",
        "It was a year of change.",
    ),
    LanguagePattern(
        "reason",
        r"\b(?:because|since|due (?:[a-z]{3,12}ly |in (?:large )?part )?to|owing to"
        r"|caused?|causes|therefore|as a result|result(?:s|ed)? (?:from|in)|led to"
        r"|leads? to|after|when|so that|reasons?|so|thus|hence|forced|driven by|thanks to|blamed?|attribut\w+"
        r"|reflect\w*|hit by|amid|missing|arises?|purpose|helped|hurt|prevents?|disrupted"
        r"|interrupted|triggered|prompted|sparked|(?:made|makes) (?-i:[A-Z])\w+ \w+)\b"
        r"|, as (?:the|an?|it|he|she|they|we|I|there|this|our|my|its|his|her|their)\b"
        r"|\b(?:stayed|delayed|deferred|suspended|postponed|on hold) pending\b"
        r"|\bmeans that\b"
        r"|, (?:a (?:change|move|step|decision|fact) that|which) (?:makes?|made|means?|meant|keeps?|kept|lets?)\b"
        r"|\b(?:sued?|lawsuits?|fined?|accused|criticised|investigated|complaint|settled?)\b[^.;]{0,120} over\b",
        "Sales fell because governments stopped buying.",
        "Sales fell in 2023.",
    ),
    LanguagePattern(
        "way",
        r"^\$ \S|"
        r"\bafter(?= (?:an? |the |its )?[a-z])|\b(?:by \w+ing|by|with|through|using|uses?|first|then|steps?|each|every"
        r"|computes?|adds?|adding|combin\w+|merg\w+|multipl\w+|starts?|moves?|lets?|run|install|builds?|reduc\w+|limits?"
        r"|remed\w+)\b",
        "It merges the lists by adding the ranks.",
        "It was published in 2009.",
    ),
    LanguagePattern(
        "place",
        r"\b(?:in|at|from|near|to|headquarters|based)\b",
        "It was developed in the Netherlands.",
        "It is fast.",
    ),
)


def holds_kind(kind: AnswerKind, sentence: str, *, asked: frozenset[str]) -> bool:
    """Whether `sentence` holds an answer of `kind` that the question, with the terms `asked`, does not say itself.

    Kinds without a shape of their own (a fact, yes or no, a definition …) are always held.
    """
    match kind:
        case "person":
            return _calls_a_person(sentence, asked) or _names_a_person(sentence, asked)
        case "organisation" | "list":
            is_row = kind == "list" and (
                sentence.count(",") > 1 or _ROW.search(sentence) is not None or announced(sentence)[0] > 0
            )
            return is_row or bool(_new_names(sentence, asked))
        case "place":
            return _names_a_place(sentence, asked)
        case "date":
            years = (str(date.year) for date in dates(sentence))
            return (
                any(year not in asked for year in years)
                or bool(_DECADE.search(sentence))
                or _says_when(sentence, asked)
            )
        case "number":
            counting = _PERIODS.sub(" ", _NUMBER_OF_ITEM.sub("", sentence))
            counting = _DURATION.sub(" ", counting) if _MANY in asked and asked.isdisjoint(_TIMES) else counting
            return bool(_new_numbers(counting, asked)) or _patterned(kind, counting)
        case "amount":
            return _patterned(kind, sentence)
        case "reason":
            is_told = any(_is_cause(sentence, match, asked) for match in _REASON.finditer(sentence))
            return is_told or _says_what_it_does(sentence, asked)
        case "way":
            return _patterned(kind, sentence)
    return True


ASKS_LENGTH = re.compile(r"(?i)^(?:for )?how long\b|\bduration\b")
UNIT_OF_LENGTH = (
    r"(?:second|minute|hour|day|week|month|quarter|year|decade|century|metre|meter|mile|kilomet|km|feet|foot|inch|page"
    r"|word|token|character)"
)
_LENGTH = re.compile(
    rf"(?i)(?:\d|\b(?:an?|half|several|few|many|one|{SPELLED_NUMBER})\b)[^.;]{{0,24}}?\b(?:{UNIT_OF_LENGTH}|fortnight)"
    # "Lasts from May to July", but "differs from its training data".
    r"|\bfrom\b[^.;]{0,40}?(?:\d|\b(?:to|on|until|till|through)\b)"
    r"|\b(?:until|till|since|through|always|forever|indefinite|permanent|life)"
)


ASKS_OFTEN = re.compile(r"(?i)\bhow (?:often|frequently)\b")
_OFTEN = re.compile(
    r"(?i)\b(?:every|each|per|once|twice|times?|(?:dai|night|week|fortnight|month|quarter|year|hour)ly|bi-?(?:annual|week|month)\w*"
    r"|annual(?:ly)?|never|rarely|seldom|regular(?:ly)?|periodic(?:ally)?"
    r"|continuous(?:ly)?|percent|an? (?:day|week|month|quarter|year))\b|%"
)
_TIME = r"(?:minute|hour|day|night|week|fortnight|month|quarter|season|term|year|decade|century)"
EVERY_SO_OFTEN = re.compile(
    rf"(?i)\b(?:once|twice|(?:{SPELLED_NUMBER}|\d{{1,3}}) times) (?:an? {_TIME}|(?:per|each|every) [a-z]{{3,10}})\b"
    rf"|\bevery (?:(?:{SPELLED_NUMBER}|\d{{1,3}}|other|second) )?(?:year|month|week|day|hour|minute|quarter)s?\b"
    rf"|\bevery (?:{MONTH_NAMES})\b|\b(?:daily|weekly|fortnightly|monthly|quarterly|yearly|annually)\b"
)


_FEET = re.compile(r"(?i)(?:met(?:re|er)|feet|foot|inch|mile|yard|stor(?:ey|y|ie))|\d ?(?:[ck]?m|ft|mm)\b")
_POUNDS = re.compile(r"(?i)(?:gram|pound|tonn?e?s?|ounce)\b|grams|pounds|\d ?(?:k?g|lbs?)\b")
_DEGREE = re.compile(r"(?i)°|degree|celsius|fahrenheit|kelvin")
_UNITS_OF = {"tall": _FEET, "far": _FEET, "heavy": _POUNDS, "hot": _DEGREE, "cold": _DEGREE, "warm": _DEGREE}
_ASKS_UNITS = re.compile(r"(?i)^how (?P<much>tall|heavy|hot|cold|warm|far(?= (?:is|are|was|were)\b))\b")

# "How long has she been chief?" is told by when it began: "became chief in July 2021", but not "was chief in 2021".
_ASKS_LENGTH_NOW = re.compile(r"(?i)(?:for )?how long (?:has|have)\b")
_BEGAN = re.compile(
    r"(?:\b(?:became|began|begun|started|founded|joined|opened|launched|introduced|appointed|took over|followed"
    r"|succeeded)\b[^.;]{0,80}? (?:in|on)|\bsince) (?P<when>(?:[A-Z\d][\w ,]{0,16} )?(?:19|20)\d\d)\b"
)


def began_when(question: str, sentence: str) -> list[re.Match[str]]:
    """When things began that may last, as the group `when` of each, where it is asked how long one has been so."""
    return list(_BEGAN.finditer(sentence)) if _ASKS_LENGTH_NOW.match(question) else []


def tells_how_often(question: str, sentence: str) -> bool:
    """Whether it is asked how often something is done, and a sentence tells it without a number: "every day"."""
    return in_question(ASKS_OFTEN, question) is not None and EVERY_SO_OFTEN.search(sentence) is not None


# "When was SQL storage added?" is answered by a day or, in the papers of a program, by a version.
_ASKS_VERSION = re.compile(
    r"(?i)^(?:since )?when (?:was|were|did|has|have|is|are) [^?]{2,80}?"
    r"\b(?:add|introduc|remov|deprecat|dropp?|includ|support|chang|renam|fix|replac|enabl|becom|becam)"
)
_VERSION = re.compile(
    r"\b(?:[Vv]ersions?|[Rr]eleases?|[Ss]eries) v?\d{1,4}(?:\.\d{1,4})*\b|\bv\d{1,4}(?:\.\d{1,4})+\b"
    r"|(?<![$€£.\d])\b\d{1,3}(?:\.\d{1,3}){1,3} (?:release|version|series|branch|line)\b"
)


def tells_version(question: str, sentence: str) -> bool:
    """Whether it is asked since when a thing has been so, and a sentence tells the version: "in release 2.4"."""
    return _ASKS_VERSION.match(question) is not None and _VERSION.search(sentence) is not None


def lacks_length(question: str, sentence: str) -> bool:
    """Whether it is asked how long, often, tall, heavy or hot something is, and a sentence tells nothing of it."""
    if ASKS_OFTEN.search(question):
        return _OFTEN.search(sentence) is None
    if measured := _ASKS_UNITS.search(question):
        return _UNITS_OF[measured["much"].lower()].search(sentence) is None
    if ASKS_LENGTH.search(question) is None:
        return False
    return _LENGTH.search(EVERY_SO_OFTEN.sub(" ", sentence)) is None


SUPERLATIVE = r"(?:big|larg|high|low|small|old|new|young|long|strong|fast|deep|tall|costli|wealthi|heavi)(?:g|i)?est"
# "The biggest customer": one that is the biggest. Which risk or problem is, writers seldom say.
_MOST_OF_ALL = re.compile(
    rf"(?i)\b{SUPERLATIVE}"
    r" (?!(?:risk|threat|challenge|problem|issue|concern|worry|danger|weakness|reason|change|part|advantage)\b)"
    r"(?:[\w-]{2,24}(?<!s) ){0,2}?(?P<what>[a-z-]{2,24}(?<!s))\b(?! (?:and|or) )"
)
TELLS_MOST = re.compile(
    r"(?:[a-z]{2,12}est(?<!interest)(?<!request)(?<!invest)(?<!latest)|most|main|leading|leads?|leader|top|record|peak|first"
    r"|ever|key|major|principal|chief|primary|half|majority|dominant|dominates?|maximum|minimum|only|ranks?)"
)
_MOSTLY = re.compile(rf"{TELLS_MOST.pattern}|mostly|mainly|largely|primarily|predominantly|chiefly|bulk|percent")
# Example: "From which country does Acme get most of its oil?" Counter-example: "Where is the most famous kiln?"
_WHERE_MOST = re.compile(
    r"(?i)(?:(?:in|from|to|at|by|on|for) )?(?:where|who|whom|which|what)\b[^?,]{0,80}\bmost(?:ly)?"
    r"(?:\W*$| of (?:its|the|their|his|her|all)\b| [a-z]{2,24}s\b(?<!ous)(?<!ss))"
)
_NEAR_IT = 4  # words


def lacks_superlative(asked: Asked, question: str, sentence: str) -> bool:
    """Whether a question asks for the one that is most so, or where most is, and a sentence says of none that it is."""
    wanted = _MOST_OF_ALL.search(question)
    if wanted is None:
        if _WHERE_MOST.match(question) is None or "%" in sentence:
            return False
        return not any(map(_MOSTLY.fullmatch, words(sentence)))
    term = stem(wanted["what"].lower())
    same = {term}.union(*(unit.words for unit in asked.units if unit.term == term))
    told = [*words(sentence), ""]
    # Among the first ten is not the largest.
    is_most = [word != "first" and TELLS_MOST.fullmatch(word) is not None for word in told]
    most = [place for place, is_so in enumerate(is_most) if is_so]
    if not same.isdisjoint(terms_of(sentence)):
        # Of "medicines is its most delicate part" the part is the most delicate.
        for place in most:
            is_alone = told[place + 1] in ("", *PREPOSITIONS)
            begin = max(0, place - _NEAR_IT) if is_alone else place
            near = " ".join(told[begin : place + _NEAR_IT + 1])
            if same & terms_of(near):
                return False
        return True
    # "Is the largest by assets" leaves the noun to the title; "the closest rival" is another thing.
    behind = {told[place + 1] for place in most}
    return behind.isdisjoint(("", *PREPOSITIONS))


_ASKS_EXTREME = re.compile(
    r"(?i)\b(?:which|what|who)\b[^?]{0,120}"
    r"\b(?:most|least|best|worst|fewest|(?:high|low|larg|small|bigg|old|young|fast|cheap)est)\b"
)
# "name: A; size: 3; price: 4", or "A: size 3; price 4; weight 5".
_ROW_OF_CELLS = re.compile(
    r"(?:[^:;\n]{1,60}: [^;\n]{0,200}(?:; |$)){3}"
    r"|[^:;\n]{1,60}: (?:[^:;.\n]{1,60} [^:; \n]{1,40}; ){2,40}[^:;\n]{1,80}$"
)


def is_one_row_of_many(question: str, sentence: str) -> bool:
    """Whether the one is asked for that is most so, and a sentence is a row of a table, which says that of none."""
    if in_question(_ASKS_EXTREME, question) is None or _ROW_OF_CELLS.match(sentence) is None:
        return False
    return not any(map(TELLS_MOST.fullmatch, words(sentence)))


_REASON = next(row.regex for row in PATTERNS if row.kind == "reason")
# What follows one of these words is the cause: where that is what the question asks about, the sentence tells effects.
_BEFORE_CAUSE = frozenset(("after", "since", "due to", "owing to", "because", "when", "thanks to", "amid", "hit by"))
# "Soon after take-off" says when, not why.
_ONLY_TIME = re.compile(
    r"(?i)\b(?:soon|shortly|immediately|right|just|long|directly|(?:minute|hour|day|week|month|year|decade)s?) $"
)
# Nor is a time behind it a cause: "are deleted after 90 days".
_TIME_BEHIND = re.compile(rf" (?:\d|(?:an?|{SPELLED_NUMBER})\b)[^.;,]{{0,24}}?\b{UNIT_OF_LENGTH}")
_FEW_OF = {word: n for n, word in enumerate(SMALL_NUMBERS[2:11], start=2)}
_ANNOUNCES = re.compile(
    r"(?i)(?:^|\b(?:has|have|are|were|distinguish(?:es|ed)?|into|names|lists|uses|knows|offers|one of|the|these"
    r"|in(?=\s[a-z]+\s(?:steps|stages|phases)\b)) )"
    rf"(?P<count>{'|'.join(_FEW_OF)})\s(?:(?!to\b|or\b|of\b)[a-z-]{{1,24}}\s){{0,2}}"
    r"(?P<what>[a-z]{2,24}s\b(?: of [a-z]{2,24}s\b)?)"
)
_LONGEST_OPENER = 16  # words


def announced(sentence: str) -> tuple[int, frozenset[str]]:
    """How many sentences behind it a sentence announces, and the terms of what they are: "four kinds of goods"."""
    counted = _ANNOUNCES.search(sentence) if len(sentence.split()) <= _LONGEST_OPENER else None
    # "A and B are the two methods" has named them.
    if counted is None or "," in sentence or " and " in sentence[: counted.start()]:
        return 0, frozenset()
    return _FEW_OF[counted["count"].lower()], terms_of(counted["what"])


_ROW = re.compile(r": [^.:;]{3,200} and ")  # "on two fronts: the safety of its software and the incentives"
_CLAUSE = 40
_FEW = 3
# The numbers in the name of a period count nothing.
_PERIODS = re.compile(
    r"(?i)\b(?:first|second|third|fourth|last|same) (?:(?:three|six|nine) months|quarter|half)\b"
    r"|\b(?:three|six|nine|twelve) months (?:ended|of)\b|\bfiscal (?:year )?(?:19|20)\d\d\b"
)
# "How many people" is not answered by how many days something takes.
_DURATION = re.compile(r"(?i)\b[\w.,]{1,12}[ -](?:(?:working|calendar) )?(?:minute|hour|day|week|month|year)s?\b")
(_MANY,) = tokens("many")
# Nor do the number of an item and the mark of a note.
_NUMBER_OF_ITEM = re.compile(r"^\s*\(?\d{1,2}[.)]\s")
_TIMES = terms_of("minute hour day week month year time age decade")
_DECADE = re.compile(r"(?i)\b(?:1[5-9]|20)\d0s\b|\b\d{1,2}th century\b")
_DIGITS = re.compile(r"\d[\d.,]*+(?![AC-JLN-SU-Z]\b)")  # "18F" and "3D" are names, "110M" counts
# A time without a year: letters, minutes and rules seldom say one.
_TIME_OF_YEAR = re.compile(
    rf"\b(?:(?:[Ii]n|[Oo]n|[Bb]y|until|[Ff]rom|since|before|after|of|to|\d{{1,2}}(?:st|nd|rd|th)?)"
    rf" (?:{MONTH_NAMES})"
    r"|(?:[Oo]n|[Ff]rom|until|by|next|[Ee]very|[Ee]ach) (?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|week \d{1,2})\b"
)
_HOURS = r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight|\d{1,2}(?:[.:]\d\d)?)"
_TIME_OF_DAY = re.compile(
    r"(?i)^(?:[-•*] )?\d{1,2}:\d\d(?= )"
    rf"|\b(?:from {_HOURS} (?:to|until) {_HOURS}|at {_HOURS} o.clock|\d{{1,2}}[.:]\d\d in the"
    rf"|(?:half|(?:a )?quarter|{SPELLED_NUMBER})(?: minutes)? (?:past|to) (?:{'|'.join(SMALL_NUMBERS[1:13])})"
    r"|\d{1,2}(?:[.:]\d\d)? ?[ap]\.?m|(?:at|from|by|until|between|before|after) \d{1,2}:\d\d)\b"
)
# Of what is due: "payable over the next three years".
_TIME_AHEAD = re.compile(
    rf"(?i)\b(?:over|within|in|during|for) the (?:next|coming|following) (?:(?:\d{{1,3}}|{SPELLED_NUMBER}) )?"
    r"(?:fiscal )?(?:weeks?|months?|quarters?|years?)\b"
    rf"|\b(?:payable|due|paid|repaid|settled|remitted|expires?|matures?|maturing) (?:in full )?within (?:the next )?"
    rf"(?:\d{{1,3}}|{SPELLED_NUMBER}|an?) (?:business |calendar )?(?:days?|weeks?|months?|quarters?|years?)\b"
)
_CALLED = re.compile(r"\b(?:called|named|Mr|Mrs|Ms|Dr|Miss|Captain|Judge|Professor)\.? ([A-Z][\w'’-]{1,40})")


_OF_KIND = {kind: [row.regex for row in PATTERNS if row.kind == kind] for kind in get_args(AnswerKind)}


# One of which stands in each amount: the pattern tries all its ways to begin at each letter of a sentence.
_MARKS_OF_AMOUNTS = (
    "$", "€", "£", "¥", "%", "illion", "thousand", "dollar", "euro", "cent", "pence", "pound", "yen", "yuan", "half",
    "third", "quarters of",
)  # fmt: skip


def _patterned(kind: AnswerKind, sentence: str) -> bool:
    if kind == "amount" and not any(map(sentence.lower().__contains__, _MARKS_OF_AMOUNTS)):
        return False
    return any(pattern.search(sentence) for pattern in _OF_KIND[kind])


_HOW_MANY = re.compile(r"(?i)\bhow many (?:[\w-]{0,12}\d[\w-]{0,12} )?((?:[a-z-]{2,30} ?){1,3})")
_PLURAL = re.compile(r"[^s]s$|^(?:people|children|men|women|criteria|media)$")
_HOW_LONG = re.compile(r"(?i)\bhow long\b")
_FROM_TO = re.compile(r"(?i)\b(?:from|since|between) [^.;]{3,60} (?:to|until|till|and) ")
HOW_OLD = re.compile(r"(?i)\bhow old\b")
_TELLS_AGE = re.compile(
    r"(?i)\b(?:aged?|born|years?[ -]old)\b"
    rf"|\b(?:was|is|am|turn(?:ed|s)) (?:\d{{1,3}}|{SPELLED_NUMBER})(?=[,.;)]| (?:when|and)\b)"
)
_AGE_OF_A_PERSON = re.compile(r"(?i)\bhow old (?:is|was) s?he\b")
_TELLS_START = re.compile(r"(?i)\b(?:founded|established|opened|built|existed since)\b")
_CLOSING = STOP_WORDS | {*AUXILIARIES}
_COUNT = rf"(?:\d[\d.,]{{0,20}}|{SPELLED_NUMBER}s?|one(?! or more)|an? single|thousands?|millions?|billions?|no|both)"
# "More 737 aircraft" names a type; "more than 737 aircraft" and "737 more aircraft" count.
_COUNTS = re.compile(rf"(?i)(?<![\w.,-])(?<!more )(?<!fewer )(?<!new ){_COUNT}(?=((?:[ -][a-z][\w'’-]*){{1,4}}))")
# "Chapter 57" counts no chapters.
_NAMED_BEFORE = re.compile(
    r"\b(?i:chapter|section|page|figure|table|appendix|article|version|release|paragraph|clause|footnote|rfc) $"
    r"|[A-Za-z#]$|[a-z,] (?:[A-Z][\w.]{0,24}[ -]){1,4}$|[A-Za-z]-$"
)
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_IN_A_WORD = re.compile(r"[A-Z][a-z]")  # 2WikiMultiHopQA counts nothing
# "737 MAX" and "the 737 rate" name a type, "the 22 banks" and "the 15 percent tariff" do not.
_TYPE = re.compile(
    r"\d{2,4}(?= [A-Z]{2,12}\b)"
    r"|(?<=\bthe )\d{2,4}(?= (?!percent\b|(?:hundred|thousand|(?:m|b|tr)illion|people|men|women)\b)[a-z]{2,20}(?<!s)\b)"
)
_OF_A_YEAR = re.compile(r"(?:1[5-9]|20)\d\d [A-Z]")  # "2022 Employee Stock Plan" counts no employees


def counted_noun(question: str) -> frozenset[str]:
    """The term of what a question counts: attempts in "how many failed attempts lock an account"."""
    match = _HOW_MANY.search(question)
    opened = list(takewhile(lambda word: word not in _CLOSING, words(match[1]))) if match else []
    plural = (word for word in opened if _PLURAL.search(word))
    noun = next(plural, opened[-1] if opened else "")
    return frozenset((stem(noun),)) if noun else frozenset()


def counts_it(question: str, sentence: str) -> bool | None:
    """Whether a sentence counts what "how many …" asks for, right behind a number; "how old" wants an age.

    None where it may count it: any number then has to do. Where it does not say the noun, a figure that belongs to no
    name may count it.
    """
    if began_when(question, sentence):
        return True
    if _HOW_LONG.search(question) and _FROM_TO.search(sentence) and dates(sentence):
        return True
    if HOW_OLD.search(question):
        if _TELLS_AGE.search(sentence) or _AGE_OF_A_PERSON.search(question):
            return _TELLS_AGE.search(sentence) is not None
        return _tells_start(terms_of(question) - ASKING - _OLD, sentence)
    noun = counted_noun(question)
    if not noun:
        return None
    if noun <= terms_of(sentence):
        numbers = (match for match in _COUNTS.finditer(sentence) if not _OF_A_YEAR.match(sentence, match.start()))
        counted = [match for match in numbers if not noun.isdisjoint(terms_of(match[1]))]
        adds = _ADDED if _HAS_IN_ALL.search(question) and not _ASKS_ADDED.search(question) else None
        counts = any(adds is None or not adds.search(match[1]) for match in counted)
        told = (terms_of(match["what"]) for match in _NUMBER_OF.finditer(sentence))
        counts = counts or any(map(noun.intersection, told))
    else:
        types = {match.start() for match in _TYPE.finditer(sentence)}
        figures = (n for n in _DIGITS.finditer(sentence) if n.start() not in types and not _is_year(n))
        figures = (
            n for n in figures if not (_IN_A_WORD.match(sentence, n.end()) or _OF_MONEY.match(sentence, n.end()))
        )
        counts = any(not _NAMED_BEFORE.search(sentence[: n.start()]) for n in figures)
    return None if counts else False


# Who were laid off is not counted by "43 billion dollars", nor by "more than ten percent".
_OF_MONEY = re.compile(r"(?i)(?: (?:[mb]|tr)illion)? (?:US )?(?:dollars|euros|pounds|yen|yuan|percent|per cent)\b|%")
# "The maximum number of collaborators on a vault is 20."
_NUMBER_OF = re.compile(
    r"\b(?:number|count|total) of (?P<what>[a-z-]{2,24}(?: (?!that\b|which\b|who\b)[a-z-]{2,24}){0,2})\b"
    rf"[^.;:]{{0,60}}?\b(?:is|was|are|were|at|to) {_COUNT}\b"
)
# "500 new branches" are not how many there are.
_HAS_IN_ALL = re.compile(r"(?i)\b(?:have|has|total|altogether|are there)\b")
_ASKS_ADDED = re.compile(r"(?i)\b(?:new|more|additional|extra|further|added|opened)\b")
_ADDED = re.compile(r"(?i)^[ -](?:new|more|additional|extra|further)\b")
(_OLD_TERM,) = tokens("old")
_OLD = frozenset((_OLD_TERM,))


def _tells_start(subject: frozenset[str], sentence: str) -> bool:
    """Whether a sentence says when the thing asked about began, and not another beside it in the same sentence."""
    clauses = [terms_of(clause) for clause in _SIDE_BY_SIDE.split(sentence) if _TELLS_START.search(clause)]
    is_named = not subject.isdisjoint(terms_of(sentence))
    return any(not is_named or not subject.isdisjoint(clause) for clause in clauses)


def _is_year(number: re.Match[str]) -> bool:
    return _YEAR.fullmatch(number[0].rstrip(".,")) is not None


_OF_ANOTHER = re.compile(r"((?:[A-Z][\w&-]{0,24} ){1,4}(?:\d[\w.]{0,6} )?)(?:with|has|had|having) [^,;.]{1,120}")


def without_what_others_have(asked: Asked, sentence: str) -> str:
    """A sentence that names what is asked about, without what it says another has: "based on B with 7 layers"."""
    own = terms_of(sentence)
    if not any(name <= own for name in asked.names):
        return sentence
    return _OF_ANOTHER.sub(lambda has: has[1] if _is_anothers(asked, has) else has[0], sentence)


def _is_anothers(asked: Asked, has: re.Match[str]) -> bool:
    """Whether what a sentence says that something has is neither the thing asked about nor about it."""
    whole = terms_of(has[0])
    return terms_of(has[1]).isdisjoint(asked.terms) and not any(name <= whole for name in asked.names)


def counts_apart(asked: Asked, question: str, sentence: str) -> bool:
    """Whether what a sentence counts stands apart from what is asked to be done: "orders for 5 cars, so deliveries"."""
    noun = counted_noun(question)
    done = [unit for unit in asked.units if unit.term not in noun and not unit.is_light]
    clauses = [(clause, terms_of(clause)) for clause in _SIDE_BY_SIDE.split(sentence)]
    counting = [terms for clause, terms in clauses if any(noun & terms_of(n[1]) for n in _COUNTS.finditer(clause))]
    if not noun or not done or not counting or not any(unit.is_in(terms_of(sentence)) for unit in done):
        return False
    return not any(unit.is_in(terms) for unit in done for terms in counting)


def pays_for_another(asked: Asked, sentence: str) -> bool:
    """Whether the sum of a sentence belongs to another verb, done in order to do what is asked: "borrowed 3 to pay"."""
    verbs = [verb for verb in _INFINITIVE.finditer(sentence) if _is_asked_verb(asked, verb["verb"])]
    if not verbs or len(verbs) < sum(_is_asked_verb(asked, word.word) for word in spans(sentence)):
        return False
    return not any(_patterned("amount", sentence[verb.end() :]) for verb in verbs)


_PURPOSE = re.compile(r"To [a-z]{3,20} [^,;]{2,80}, ")


def is_only_a_purpose(asked: Asked, sentence: str) -> bool:
    """Whether a sentence says what is asked for only as its purpose: "To reduce debt, Acme sold its mill for 3"."""
    purpose = _PURPOSE.match(sentence)
    if purpose is None:
        return False
    inside, rest = terms_of(purpose[0]), terms_of(sentence[purpose.end() :])
    units = [unit for unit in asked.units if not unit.is_light]
    return any(unit.is_in(inside) for unit in units) and not any(unit.is_in(rest) for unit in units)


# A share is no price: "left with 27 percent" does not say what was paid, nor "about half of revenue" what it was.
_PRICED = re.compile(
    r"(?i)\b(?:pays?|paid|costs?|spend|spent|prices?|earns?|earned|revenues?|sales|turnover|profits?|income|debts?|cash)\b"
)
_IN_SHARES = re.compile(
    r"(?i)\b(?:tax|tariff|duty|duties|interest|commission|fee|share|percent|rate|more|less|margins?|growth|gr[eo]w\w*|rise"
    r"|rose|slices?|portion|part|proportion|fraction|much of|many of"
    r"|f[ae]ll\w*|(?:increas|decreas|chang|declin|drop|jump|climb|slip|shr[iau]nk)\w*)\b"
)
_SHARE = re.compile(
    r"\b\d[\d.,]{0,12} ?(?:percent|per cent|%)|\b(?:more than|less than|about|nearly|almost|over|by) half\b"
    r"|\b(?:half|a third|two thirds|three quarters) of\b"
)


def is_but_a_share(asked: Asked, sentence: str) -> bool:
    """Whether a price is asked for and a sentence holds no other amount than shares."""
    if not _PRICED.search(asked.wording) or _IN_SHARES.search(asked.wording) or not _SHARE.search(sentence):
        return False
    return not _patterned("amount", _SHARE.sub(" ", sentence))


# What is paid for a thing is told of its purchase, and what is got for it of its sale: neither by what was spent on it.
# Example: "What did Acme pay for Kiln?" Counter-example: "What did Acme pay?"
_FOR_A_THING = re.compile(
    r"(?i)^(?:what|how much) (?:did|does|do|has|have|will|must) [^?]{1,60}? (?:(?P<pay>pay|paid)|get|receive"
    r"|fetch) for "
    r"(?=(?:its|the|their) [a-z]|(?:the )?(?-i:[A-Z]))"
)
# What a purchase brought is no price: "a $630 million in-process research asset related to our acquisition of B".
_BROUGHT = re.compile(
    r"(?i)[$€£]\s?\d[\d.,]{0,20}(?: (?:thousand|million|billion))?,? (?:of |in |for )?(?:[a-z-]{2,20} ){0,4}?"
    r"(?:intangible|goodwill|research|liabilit|revenue|sales|losse?s?|income|charges?|impairment|deferred|amorti[sz]ation)"
)
_AT_A_PRICE = (
    r"|\bpa(?:y|ys|id|ying|yment)|\bpric|\bconsideration|\bdeal|\bworth|\bvalu|\bfor (?:about |some )?[$€£]?\d"
)
_IS_BOUGHT = re.compile(
    rf"(?i)\b(?:acqui|purchas|b[uo]y|bought|cost|takeover|t[ao]ok? over|merge|fine|settle|penalt|fee|bills?\b"
    rf"|licen[cs])"
    rf"{_AT_A_PRICE}"
)
_IS_SOLD = re.compile(rf"(?i)\b(?:s[eo]l[dl]|sale(?!s)|proceeds|receiv|divest|dispos|rais|issu|fetch|net){_AT_A_PRICE}")


def tells_no_price(question: str, sentence: str) -> bool:
    """Whether a question asks what was paid, or got, for a thing, and a sentence tells of no purchase, or no sale."""
    asks = _FOR_A_THING.match(question)
    if asks is None:
        return False
    if asks["pay"] and _BROUGHT.search(sentence) and not _patterned("amount", _BROUGHT.sub(" ", sentence)):
        return True
    return (_IS_BOUGHT if asks["pay"] else _IS_SOLD).search(sentence) is None


# How something is paid for is told by where the money comes from.
_ASKS_MEANS = re.compile(r"(?i)^how\b[^?]{2,80}?\b(?:pay(?:ing)? for|paid for|fund(?:ed|ing)?|financ(?:e|ed|ing))\b")
_TELLS_MEANS = re.compile(
    r"(?i)\bfund|\bfinanc(?!ial)|\bcash\b|\bdebt|\bborrow|\bproceeds|\bnotes\b|\bbonds?\b|\bloans?\b|\bcredit\b|\bpaid\b|\bissu"
    r"|\bmoney\b|\bgrants?\b|\btax|\bfees?\b|\bdonat|\bsubscri|\bshares\b|\bstock\b"
)


def lacks_means(question: str, sentence: str) -> bool:
    """Whether it is asked how something is paid for, and a sentence tells of no money for it."""
    return _ASKS_MEANS.match(question) is not None and _TELLS_MEANS.search(sentence) is None


# "How much of Anthropic does Amazon own?" asks for a share of it, not for what was paid.
_PART_OF_NAME = re.compile(r"\b[Hh]ow (?:much|large an? (?:stake|share|part)) (?:of|in) (?:the )?[A-Z]")
_OWNING = re.compile(r"(?i)\b(?:own|possess|hold|have|control|keep)s?\b")


def lacks_share(question: str, sentence: str) -> bool:
    """Whether a question asks how much of something somebody owns, and a sentence tells no share."""
    if _SHARE.search(sentence) or not _OWNING.search(question):
        return False
    return _PART_OF_NAME.search(question) is not None


# "How much memory does it take?" is answered by gigabytes, and by no money.
_ASKS_MEASURE = re.compile(
    r"(?i)\bhow much (?!(?:cash|capital|credit|debt|funding|income|interest|money|profit|revenue|sales|tax)\b)"
    rf"[a-z-]{{3,20}} (?:[a-z-]{{2,20}} )?(?:{'|'.join(AUXILIARIES)}|for|in|of)\b"
)
MEASURE = re.compile(
    rf"\b(?:\d[\d.,]{{0,20}} ?|(?:{SPELLED_NUMBER}|half an?|an?) )(?:[kKMGTP]i?B|[nµum]s|[kMG]?Hz|[kMGT]?Wh?|[kmc]?[gm]"
    r"|(?:kilo|mega|giga|tera|peta)?(?:bytes?|bits?|watts?(?:-hours?)?|gram(?:me)?s?|metres?|meters?|tonnes?|tons?|lit(?:er|re)s?)"
    r"|(?:nano|micro|milli)?seconds?|minutes?|hours?|gallons?|barrels?|acres?|degrees?|words?|tokens?)\b"
)


def tells_measure(question: str, sentence: str) -> bool:
    """Whether it is asked how much there is of something that is no money, and a sentence tells a measure of it."""
    return _ASKS_MEASURE.search(question) is not None and MEASURE.search(sentence) is not None


def _is_asked_verb(asked: Asked, word: str) -> bool:
    term = stem(word.lower())
    return any(term in unit.words for unit in asked.units)


_INFINITIVE = re.compile(r"\b(?:in order )?to (?P<verb>[a-z]{2,20})\b")


def tells_effect(sentence: str, *, asked: frozenset[str]) -> bool:
    """Whether a sentence only says what came of the thing asked about: "lawsuits after the crash"."""
    cues = list(_REASON.finditer(sentence))
    return bool(cues) and not any(_is_cause(sentence, cue, asked) for cue in cues)


def _is_cause(sentence: str, cue: re.Match[str], asked: frozenset[str]) -> bool:
    if cue.group().lower() not in _BEFORE_CAUSE:
        return True
    is_after = cue.group().lower() == "after"
    if is_after and (_TIME_BEHIND.match(sentence, cue.end()) or _ONLY_TIME.search(sentence[: cue.start()])):
        return False
    if is_after and _is_asked(sentence[cue.end() :], asked):
        return False
    following = terms_of(sentence[cue.end() : cue.end() + _CLAUSE])
    return len(following & asked) <= len(asked) // _FEW


def _is_asked(behind: str, asked: frozenset[str]) -> bool:
    """Whether the question names what opens there: "after rye, …" is no reason for what happens after rye."""
    first = terms_of(" ".join(behind.split(maxsplit=2)[:2]))
    return bool(first) and first <= asked


_MOVES = terms_of(
    "rise grow increase improve climb jump expand accelerate recover fall decrease decline drop shrink slow weaken"
    " contract worsen deteriorate slip change move widen narrow"
)
# What stands behind it moved what stands before.
_MOVED_BY = re.compile(
    r"\b(?:due (?:[a-z]{3,12}ly |in (?:large )?part )?to|driven (?:[a-z]{3,12}ly )?by|as a result of|because of"
    r"|attributable to|reflect(?:s|ed|ing)|resulting from|led by|offset (?:[a-z]{3,12}ly )?(?:in part )?by)\b"
)
_MOVE_IN = re.compile(r"\b(?:increase|growth|improvement|decrease|decline|reduction|drop)s? in ")


# Example: "What partially offset the increase in sales?" Counter-example: "What offset did the tax have?"
ASKS_OFFSET = re.compile(
    r"(?i)what (?:(?:has|had) )?(?:in part |partly |partially )?"
    r"(?:offset|softened|cushioned|mitigated|counteracted|held back|tempered|limited) "
    r"(?P<change>(?:the|its|their) (?:\w{3,20} )?"
    r"(?:increase|decrease|decline|growth|drop|fall|rise|improvement|change)s? in [^?]{3,160})\W*$"
)
_OFFSET_BY = re.compile(
    r"\boffset(?:,? in part,?)?(?: (?:primarily|partially|mainly|largely))? by (?P<by>(?:[^.;]|\.(?=\d)){4,300}?)"
    r"(?=\.?$|\. |;|,? (?:and|with|while) (?:the|our|its) [a-z]+ (?:was|were|is|are)\b)"
)


def offset_in(sentence: str) -> str:
    """What a sentence says that something was partially offset by; empty where it says nothing."""
    told = _OFFSET_BY.search(sentence)
    return told["by"].strip(" .") if told else ""


def moves_another(asked: Asked, sentence: str) -> bool:
    """Whether it is asked why a thing rose or fell, and a sentence only says what else that thing moved.

    "Higher charges driven by inventory reserves" does not say why inventory rose.
    """
    by = _MOVED_BY.search(sentence)
    things = [unit for unit in asked.units if not unit.is_light and unit.words.isdisjoint(_MOVES)]
    if by is None or by.start() == 0 or len(things) == len(asked.units):
        return False
    moved = terms_of(sentence[: by.start()])
    mover = terms_of(sentence[by.end() :])
    *_, named = _MOVE_IN.split(sentence[: by.start()])  # "the increase in the number of countries driven by …"
    is_named = any(unit.is_in(terms_of(named)) for unit in things)
    if any(unit.is_in(moved) for unit in things) and not is_named:
        return True
    return any(unit.is_in(mover) and not unit.is_in(moved) for unit in things)


# "Dividing by the length keeps the scores small": what doing so brings is why it is done.
_DOING = re.compile(r"^(?P<doing>[A-Z][a-z]{2,18}ing) (?:by|the|an?|its|each|every|all|only|both|it|them|this|these) ")


def _says_what_it_does(sentence: str, asked: frozenset[str]) -> bool:
    """Whether a sentence opens with the doing of what is asked, and says what it does."""
    told = _DOING.match(sentence)
    return told is not None and stem(told["doing"].lower()) in asked


# Why a thing is done is told by what it is done for: "We enter into rate locks to mitigate our interest rate risk."
_ASKS_WHY_DONE = re.compile(r"(?i)^why (?:do|does|did|has|have|had|is|are|was|were|would|will)\b")
_DONE_FOR = re.compile(
    r"(?i) (?:in order |so as )?to (?:better |further |help |partially )?(?:mitigate|reduce|manage|hedge|protect|limit"
    r"|offset|minimi[sz]e|support|fund|finance|improve|enable|ensure|avoid|prevent|help|align|accelerate|strengthen|simplify"
    r"|streamline|focus|maintain|comply|meet|satisfy|preserve|facilitate|promote|encourage|attract|retain|diversify"
    r"|address|optimi[sz]e|enhance|convert|secure)\b"
)


def tells_purpose(asked: Asked, question: str, sentence: str) -> bool:
    """Whether it is asked why something is done, and a sentence says all of that and, behind it, what for."""
    purpose = _DONE_FOR.search(sentence) if _ASKS_WHY_DONE.match(question) else None
    if purpose is None or not asked.units:
        return False
    ahead = terms_of(sentence[: purpose.start()])
    return all(unit.is_in(ahead) for unit in asked.units)


def _says_when(sentence: str, asked: frozenset[str]) -> bool:
    """Whether a sentence says a month, a day, an hour or a time ahead that the question does not."""
    told = (_TIME_OF_YEAR, _TIME_OF_DAY, _TIME_AHEAD)
    times = [match.group() for pattern in told for match in pattern.finditer(sentence)]
    return any(not terms_of(each) <= asked for each in times)


# "Who can earn credit hours?", "Who approves travel?": rules name those by what they are, not by their names.
_ASKS_A_ROLE = re.compile(
    r"(?i)^(?:by |to |for |from |with )?whom? (?:else )?(?:(?P<may>can|may|must|should|shall|is allowed to"
    r"|has the (?:right|power) to)|has to|have to|needs? to|is (?:responsible|in charge)"
    r"|(?P<whom>do|does) [^?]{2,60} (?:rely|depend|sell|compete|buy|outsource|partner)"
    r"|(?!(?:was|is|has|does|owns|leads|runs|heads|chairs)\b)[a-z]{3,14}s)\b"
)
_ROLE = re.compile(
    r"(?i)\b(?:people|persons?|employees?|staff|members?|anyone|everyone|residents?|citizens?|veterans?|patients?|tenants?"
    r"|landlords?|parents?|students?|teachers?|applicants?|assistants?|accountants?|agents?|clients?|customers?|users?"
    r"|owners?|holders?|authors?|editors?|doctors?|inspectors?|directors?|managers?|supervisors?|leaders?|leads?|heads?"
    r"|officers?|coordinators?|administrators?|admins?|specialists?|analysts?|engineers?|developers?|maintainers?"
    r"|contributors?|reviewers?|approvers?|contractors?|suppliers?|buyers?|sellers?|trustees?|treasurers?|secretary|minister"
    r"|charit(?:y|ies)|organi[sz]ations?|companies|councils|institutions?|clubs?|individuals?|pupils?|volunteers?|farmers?"
    r"|foundr(?:y|ies)|manufacturers?|vendors?|partners?|distributors?|competitors?|retailers?|wholesalers?|carriers?"
    r"|president|chair|committee|board|council|team|department|office|agency|court|judge|party|parties)\b"
)


def tells_a_role(question: str, sentence: str, *, asked: frozenset[str]) -> bool:
    """Whether a question asks who may or does something by a rule, and a sentence says by what they are who does."""
    told = _ASKS_A_ROLE.match(question)
    if told is None:
        return False
    if (told["may"] or told["whom"]) and _new_names(sentence, asked):
        return True  # a body: "shall originate in the House of Representatives"
    return any(terms_of(role[0]).isdisjoint(asked) for role in _ROLE.finditer(sentence))


_ASKS_WHOM = re.compile(r"(?i)(?:[a-z]{2,5} )?whom? (?:do|does|did|has|have|will) ")


def lacks_deed(asked: Asked, question: str, said: frozenset[str]) -> bool:
    """Whether it is asked whom somebody does something with, and a sentence with these terms does not say that deed.

    "Export of equipment to manufacture chips" does not say on whom anybody relies to manufacture chips.
    """
    if _ASKS_WHOM.match(question) is None:
        return False
    deeds = [unit for unit in asked.units if unit.term in asked.verbs and not unit.is_light]
    others = {unit.term for unit in asked.units if unit not in deeds}
    return any(not unit.is_in(said - others) for unit in deeds)


def _calls_a_person(sentence: str, asked: frozenset[str]) -> bool:
    """Whether a sentence calls somebody by one name: "a Dane called Holm"."""
    return any(terms_of(match[1]).isdisjoint(asked) for match in _CALLED.finditer(sentence))


# "A fault in Northern Virginia" names nobody; "confidence in Ann Lee" does.
_IN_A_PLACE = re.compile(r"(?i)(?<!confidence )(?<!trust )(?<!faith )(?<!belief )(?<!interest )\b(?:in|at|near) $")


def _names_a_person(sentence: str, asked: frozenset[str]) -> bool:
    """Whether a sentence says a name of two words or more that may be a person's, and the question does not."""
    full = [name for name in _new_names(sentence, asked) if " " in name.text and not _DIGITS.search(name.text)]
    people = (name for name in full if not _NO_PERSON.search(name.text) or _does_it(sentence, name, asked))
    return any(not _IN_A_PLACE.search(sentence, 0, name.start) for name in people)


def _does_it(sentence: str, name: Name, asked: frozenset[str]) -> bool:
    """Whether what is asked to be done stands right behind a name, or the name behind "by": "the House passed it"."""
    if sentence[: name.start].endswith((" by ", " by the ")):
        return True
    behind = words(sentence[name.end : name.end + _CLAUSE])
    return not asked.isdisjoint(tokens(" ".join(behind[:1])))


def _new_names(sentence: str, asked: frozenset[str]) -> list[Name]:
    """The names of a sentence that the question does not say; a common word that opens it is none."""
    named = [n for n in names(sentence) if n.kind in ("name", "acronym", "quoted")]
    sure = [n for n in named if n.start > 0 or n.text != n.text.capitalize() or not is_common_word(n.text)]
    new = (n for n in sure if not terms_of(n.text) <= asked)
    return [n for n in new if not _is_variant(n.text, asked)]


def _is_variant(name: str, asked: frozenset[str]) -> bool:
    """Whether a name is one asked about with a word tied to it: "Sentence-BERT"."""
    if " " in name or "-" not in name:
        return False
    large = [part for part in name.split("-") if part[:1].isupper()]
    return any(terms_of(part) <= asked for part in large)


_AT_ADDRESS = re.compile(
    r"\b(?:[Aa]ddress|[Ll]ocation)\b[ :|]{1,4}(?=[A-Z\d])"
    r"|\b\d{1,5} (?:[A-Z][\w.]{0,20} ){1,4}(?:Street|St\.|Avenue|Ave\.?|Road|Rd\.?|Plaza|Square|Lane|Drive|Way)(?!\w)"
)
# A month or a year behind "in" is no place: "limited it after the accident of January 2024".
_AT_A_NAME = re.compile(
    r"\b(?:in|at|from|near|to|outside(?:\sof)?|off|across|between|based|headquarters)\s(?:the\s)?(?:(?!of\s)[a-z-]{2,20}\s){0,2}(?=[A-Z])"
    r"|\b(?:in|at|near|on|off|along|behind|below)\s(?:an?|the)\s(?:[a-z-]{2,20}\s){0,2}?(?:banks?|bay|border|cellar|cent(?:er|re)|city"
    r"|coast|corner|district|east|edge|foot|grounds|halls?|heart|hills?|islands?|library|middle|mouth|north|outskirts|parts?|port"
    r"|province|regions?|ruins|shores?|side|slopes?|south|state|suburbs?|top|towns?|valley|villages?|west)\sof\s(?:the\s)?(?=[A-Z])"
    r"|-based\b"
)
_PATH = re.compile(r"(?:^|[\s(\"“'‘])(?P<path>~?/[A-Za-z][\w.+-]{1,60}(?:/[\w.+-]{1,60}){0,8})")


def _names_a_place(sentence: str, asked: frozenset[str]) -> bool:
    """Whether a sentence says a name that the question does not, behind a word of place: "off Portland, Oregon".

    A country is also told by an adjective: "the Swedish union"; where a file is, by a path: "/usr/share".
    """
    if _COUNTRY in asked and any(terms_of(sentence[a:b]).isdisjoint(asked) for _, a, b in countries_in(sentence)):
        return True
    is_path = any(not terms_of(found["path"]) <= asked for found in _PATH.finditer(sentence))
    if is_path or _AT_ADDRESS.search(sentence):
        return True
    places = list(_AT_A_NAME.finditer(sentence))
    named = {n.start for n in _new_names(sentence, asked) if not _MONTH.match(n.text)} if places else set[int]()
    return bool(named) and any(match.end() in named or match[0] == "-based" for match in places)


(_COUNTRY,) = tokens("country")
_MONTH = re.compile(rf"(?i)(?:{MONTH_NAMES})\b")


def _new_numbers(sentence: str, asked: frozenset[str]) -> list[str]:
    years = {str(date.year) for date in dates(sentence)}
    numbers = (number.rstrip(".,") for number in _DIGITS.findall(sentence))
    return [number for number in numbers if number not in years and terms_of(number).isdisjoint(asked)]


class ToldInAForm(NamedTuple):
    """A form of question that only sentences of some form answer, with such a question, its answer and none."""

    asks: re.Pattern[str]
    tells: re.Pattern[str]
    question: str
    answer: str
    no_answer: str


TOLD_IN_A_FORM = (
    ToldInAForm(
        ASKS_OFFSET,
        re.compile(r"(?i)\b(?:offset|softened|cushioned|mitigated|counteracted|held back|tempered|limited)\b"),
        "What partially offset the increase in kiln sales?",
        "Kiln sales rose on demand, partially offset by lower prices.",
        "Kiln sales rose due to demand.",
    ),
    ToldInAForm(
        re.compile(r"(?i)what (?:do|does|did) [^?]{2,60} call (?!(?:for|on|off|in|upon)\b)"),
        re.compile(
            r"(?i)\b(?:call(?:s|ed)?|known|names?|named|refer(?:s|red)? to|termed?|dubbed|nicknamed|means?|meaning|word"
            r"|titled?|labelled)\b|\w (?:—|–|=) \w|[“\"‘]\w"
        ),
        "What do the Xhosa call Canopus?",
        "To the Xhosa Canopus is known as the star of May.",
        "The Xhosa watch Canopus rise.",
    ),
    ToldInAForm(
        re.compile(
            r"(?i)(?:(?:from )?(?:where|what|which)\b[^?]{0,40}\bnames?\b[^?]{0,60}\b(?:come|derive|originate|stem)\b"
            r"|why (?:is|are|was|were|did) [^?]{1,60} (?:called(?! off)|named|get (?:its|their|his|her) name)\b)"
        ),
        re.compile(
            r"(?i)\b(?:deriv(?:es?|ed) from|named (?:after|for|in hono)|stands? for|short for|abbreviation|acronym"
            r"|(?:name|word|term)s? (?:\w{1,20} )?(?:comes?|came|is|was|means?|refers?|stems?|originate[sd]?|goes)"
            r"|(?:called|named|known as) [^.;]{1,80} (?:because|since|as|after|for)|hence (?:the|its|their) name)\b"
        ),
        "Where does the name Acme come from?",
        "Acme derives from a Greek word.",
        "The parts of Acme come from Oslo.",
    ),
    ToldInAForm(
        re.compile(r"(?i)(?:is|are|was|were) [^?]{1,60} (?:the same (?:thing )?as|identical (?:to|with)|equal to) "),
        re.compile(
            r"(?i)\b(?:same|identical|equal|equivalent|also (?:called|known|named)|another (?:name|word|term)"
            r"|synonym\w{0,4}|or|differ\w{0,5}|unlike|whereas|while|not)\b"
        ),
        "Is recall the same as sensitivity?",
        "Recall is also called sensitivity.",
        "Recall rises and makes it less sensitive.",
    ),
)


# Example: "Who led Acme before Ann Lee?" Counter-example: "Who led Acme before May 2020?"
_ASKS_ORDER = re.compile(r"\b(?:before|after|earlier than|later than) (?:the )?[A-Z](?!\w{2,8} \d)")
# "Was A founded before B?", not "Must A be tested before B can be sold?".
_ORDER_OF_TWO = re.compile(
    r"\b(?:before|after|earlier than|later than) (?:the )?[A-Z](?!\w{2,8} \d)[\w'’.&-]{0,30}"
    r"(?: (?:of |the |and |& )?[A-Z\d][\w'’.&-]{0,30}){0,5}(?: (?:was|were|did))?\W*$"
)
_TELLS_ORDER = re.compile(
    r"(?i)\b(?:before|after|then|until|since|left|former\w*|previous\w*|earlier|later|became|named|took over"
    r"|(?:follow|succe|replac|preced|predecess|depart|retir|resign|hand|step)\w*)\b"
)


def lacks_order(asked: str, text: str) -> bool:
    """Whether it is asked what was before or after another thing, and a text tells of no order."""
    asks_order = _ORDER_OF_TWO if ASKS_IF.match(asked) else _ASKS_ORDER
    return asks_order.search(asked) is not None and _TELLS_ORDER.search(text) is None
