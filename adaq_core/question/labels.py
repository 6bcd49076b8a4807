"""What is asked of a label or of each of several names: "A: sales and EPS", "for each of A and B …"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from adaq_core.question.answer_kinds import (
    AHEAD,
    AUXILIARY,
    ONE_NAME,
    QUESTION_WORD,
    asked_ahead,
    begins_to_ask,
    linear,
)
from adaq_core.text.passages import sentences
from adaq_core.text.tokens import terms_of

Span = tuple[int, int]
EDGE = " ,.;:?!—–\n\t"
# A part that only asks: of what is asked behind it, or was asked before it.
ONLY_ASKS = (
    r"when|where|why|how|who|what|how\s+(?:much|many|often|long)|(?:by|with|to|for|from)\s+(?:whom|what|how\s+(?:much|long))|"
    r"(?:since|until)\s+when|what\s+for|(?:in|at|on|since|from)\s+(?:which|what)\s+[a-z]{3,20}"
)
ASKS_AHEAD = linear(rf"(?i)^(?:{ONLY_ASKS})$")
# … and "for which years", "on what grounds", "for how much cash", which only ask of what was asked before.
ELLIPSIS = linear(
    rf"(?i)^(?:{ONLY_ASKS}|(?:by|until|till|since)\s+when|(?:for\s+)?how\s+much\s+(?:cash|money|each)|by\s+how\s+(?:much|many\s+[a-z]{{3,20}})(?:\s+each)?|(?:which|what)\s+(?:years?|months?|dates?|days?)|"
    rf"{AHEAD}\s+(?:which|what)(?:\s+(?!{AUXILIARY}\b)[a-z-]{{2,20}}){{1,3}})$"
)


@dataclass(frozen=True, slots=True)
class AskedPart:
    """A piece of a sentence that asks (or states) something: its completed text and its place in the question."""

    text: str
    span: Span


# "For each of A, B and C give me …", "For each of the three I need, first, …"
_FOR_EACH = linear(
    r"(?i)^(?:(?:and|also|then),?\s)?for\s+each(?:\s+(?:one\s+)?of)?\s+(?P<things>[^?;:]{2,160}?),?\s+"
    r"(?:(?:please\s+)?(?:give|tell|show)\s+(?:me|us)|(?:please\s+)?(?:list|state|say|name)|(?:i|we)\s+(?:need|want)(?:\s+to\s+know)?|what\s+(?:i|we)\s+need\s+is)"
    r"[,:]?\s+(?P<asked>[^?]{3,600})$"
)
_SAID_BEFORE = linear(
    r"(?i)^(?:the|these|those|them|both)(?:\s(?:two|three|four|five|six|seven|eight))?(?:\s[a-z]{3,16})?$|^(?:firm|company|bank|one)$"
)
_NTH_OF_A_LIST = linear(
    r"(?i)(?:^|,?\s+(?:and\s+)?)(?:first|second|third|fourth|fifth|sixth|lastly|finally)(?:ly)?,\s+"
)
_ASKS_ON = linear(rf"(?i),?\s+and\s+(?={QUESTION_WORD}\s)|,\s+(?={QUESTION_WORD}\s)")
_SEVERAL_NAMES = linear(rf"{ONE_NAME}(?:,\s{ONE_NAME}){{0,8}},?\s(?:and|or|&)\s{ONE_NAME}")
_A_NAME = linear(ONE_NAME)
_THE_ONE = linear(r"(?i)\b(?:the\s+(?:company|firm|bank|business)|it|they)\b")
_WHAT_IT_IS = linear(r"(?i)^what\s+(?P<what>the\s.{2,80}?)\s+(?P<be>is|was|are|were)$")
_MOST_OF_EACH = 24


def of_each(question: str, start: int, end: int) -> list[AskedPart]:
    """What a sentence asks of each of several names, each of one; [] where it asks nothing so."""
    found = _FOR_EACH.match(question[start:end].rstrip(EDGE))
    if found is None:
        return []
    is_named = _SAID_BEFORE.match(found["things"]) is None
    listed = [*_SEVERAL_NAMES.finditer(found["things"] if is_named else question[:start])][-1:]
    names = _A_NAME.findall(listed[0].group()) if listed else []
    asked = [each for each in _NTH_OF_A_LIST.split(found["asked"]) if each.strip()]
    asked = asked if len(asked) > 1 else _ASKS_ON.split(found["asked"])
    asked = asked if len(asked) > 1 else _listed(found["asked"])
    if len(names) < 2 or len(names) * len(asked) > _MOST_OF_EACH:
        return []
    whose = [name.strip(EDGE) for name in names]
    return [AskedPart(_of_the_one(each.strip(EDGE), name), (start, end)) for name in whose for each in asked]


_FRAME = terms_of(
    "need want know give tell show first second third fourth fifth sixth lastly finally company firm bank"
)


def frame_of_each(text: str) -> frozenset[str]:
    """The terms that only say that something is asked of each of several; none where a text does not ask so."""
    asks = any(_FOR_EACH.match(text[start:end].rstrip(EDGE)) for start, end in sentences(text))
    return _FRAME if asks else frozenset()


def _of_the_one(asked: str, name: str) -> str:
    """What is asked, of one name: "who leads the company" as "who leads A", "the main risk" as "main risk of A"."""
    if told := _WHAT_IT_IS.match(asked):
        return f"what {told['be']} {told['what']} of {name}"
    if not begins_to_ask(asked):
        return f"{_DETERMINED.sub('', asked)} of {name}"
    if _THE_ONE.search(asked):
        return _THE_ONE.sub(name, asked, count=1)
    return _asked_of_one(asked, name)


_DETERMINED = linear(r"(?i)^(?:the|an?|its|their)\s+")

EMPTY_IT = linear(
    r"(?i)\bit\s+(?:(?:cost|take|takes|took)\b(?=.{0,80}\b(?:to|if|when)\b)|(?:rain|seem|seems)\b)|\b(?:is|was|does|did|be)\s+it\s+(?:that|possible|true|important|mean)\b|"
    r"\bit\s+(?:is|was)\s+(?:possible|true|important|said)\b|\bit\s+(?:(?:backfire|hurt|help|pay)\s+(?:to|if|when|that)|matter\s+(?:if|when|that|how|whether|which))\b|"
    r"\b(?:is|was|be)\s+it\s+(?:so\s+)?(?:hard|easy|difficult|worth|better|best|wise|safe|dangerous|risky|legal|illegal|necessary"
    r"|useful|harmful|good|bad|normal|common|cheaper|wrong|right|acceptable|appropriate|fine|ok|okay|sensible|enough|usual"
    r"|rude|polite)\s+(?:to|for|that|if)\b"
    r"|^(?:is|was)\s+it\s+(?:allowed|permitted|forbidden|prohibited|mandatory|compulsory|required|recommended)\s+to\b"
)
# Words for what was named before: things and persons, and what they own.
THINGS, PERSONS = "it|they|them", "he|she|him"
OF_THINGS, OF_PERSONS = "its|their", "his|her"
_IT = linear(rf"(?i)\b(?:{THINGS}|{PERSONS})\b")
_ITS = linear(rf"(?i)\b(?:{OF_THINGS}|{OF_PERSONS})\b")
_THAT = linear(r"(?i)\b(?:that|this)$")  # "A - whose work is that"
# "Question:" and "Note:" name nothing that is asked about.
_NO_THING = linear(
    r"(?i)^(?:(?:my|a|the|next|quick|short|follow-up)\s){0,2}(?:questions?|query|q|task|notes?|fyi|re|ps|hello|hi|hey|urgent)$"
)
# "Spirit Aero timeline please" is Spirit Aero, and how to tell of it.
LABEL_AT_MOST = 6  # words
_SAID_ABOUT = linear(
    r"(?i)^(?:please\s+)?(?:[a-z]{3,14}\s){0,2}?what\s+(?:the|these|our|your)\s+(?:documents?|files?|corpus|papers?|sources?|texts?|reports?)\s+(?:say|tell|hold|have)\s+(?:about|on)\s+(?:the\s+)?(?P<topic>.{2,60})$"
)
SAID_OF = linear(r"(?i)^(?:about|on|regarding|concerning|re|as\s+(?:to|for)|with\s+regard\s+to)\s+(?=\S)")
_FORM = linear(
    r"(?i)(?:\s(?:timeline|please|summary|overview|updates?|status|recap|details|facts|questions?|brief)){1,3}$"
)
_LABEL_WORDS = r"[^\s,:;?]{1,40}(?:\s[^\s,:;?]{1,40}){0,9}"
_LABEL = linear(rf"^{_LABEL_WORDS}(?:,\s{_LABEL_WORDS}){{0,2}}$")  # "A, June 2022 quarter"
LABELLED = linear(r"^(?P<name>[^\s,:;?]{1,40}(?:\s[^\s,:;?]{1,40}){0,3}?)(?:\s[-–—]|:)\s(?P<asks>\S.{1,400})$")
_NAME_IN_IT = linear(r"\b[A-Z][a-z]|\b\w{1,20}\d")
_TWO_THINGS = linear(
    r"(?i)^(?P<a>[^\s,:;?]{1,40}(?:\s[^\s,:;?]{1,40}){0,5}?)\s(?:and|or|vs\.?|versus|against)\s"
    r"(?P<b>[^\s,:;?]{1,40}(?:\s[^\s,:;?]{1,40}){0,5}?)(?P<of>\s(?:in|of|for|under|on|about)\s[^,:;?]{1,60})?$"
)
_BOTH = linear(r"(?i)\s(?:and|or|vs\.?|versus)\s")
_WHICH_IS_MORE = linear(
    r"(?i)^which\sone\b|^(?:which|who)\b.{1,160}\b(?:\w{2,16}er|more|less|most|better|worse|first|last|ahead|\w{2,16}est)\b"
)
_DIFFERENCE = linear(
    r"(?i)^(?:what|where)(?:['’]s|\s+is|\s+are|\s+lies)\s+the\s+(?:main\s+|key\s+)?(?:differences?|distinction)(?P<within>\sin\s.{2,60})?$"
)
_AND_A_TOPIC = linear(r"^[A-Z][\w.&’'-]{1,30}(?:\s[A-Z][\w.&’'-]{1,30}){0,3} and [a-z]{3,20}$")
_SHARED_OR_NOT = linear(
    r"(?i)^(?:what\s+do\s+(?:they|the\s+two)\s+(?:share|have\s+in\s+common)|(?:where|how|in\s+what)\s+do\s+(?:they|the\s+two)\s+(?:differ|compare)(?P<on>\s+(?:in|on|by)\s.{2,80})?)$"
)
_TOPIC_AHEAD = linear(r"(?i)^\s(?:under|on|about)\s(?P<topic>.{2,60})$")
_EACH = linear(r"(?i)\beach(?:\s+of\s+(?:them|these|the\s+two))?\b")


def of_label(question: str, parts: Sequence[AskedPart]) -> list[AskedPart]:
    """The parts with what stands in front of a colon or dash put in: "A and B: which is older", "A - who made it"."""
    is_cut = len(parts) > 1 and question[parts[0].span[1] :].lstrip().startswith(":")
    label, asking = _label_apart(parts, is_cut=is_cut)
    told = _SAID_ABOUT.match(label)
    label = told["topic"] if told else SAID_OF.sub("", label)
    two = _TWO_THINGS.match(label)
    if _AND_A_TOPIC.match(label) and not (asking and _SAID.match(asking[0].text)):  # "Tesla and trade" is Tesla
        label, two = label.split(" and ")[0], None
    made = [AskedPart(text, part.span) for part in asking for text in _asked_of_two(part.text, two)] if two else []
    is_used = any(one.text != part.text for one, part in zip(made, asking, strict=False))
    # "A against B: in which court" is one thing; "A and B: what did C say" are two that are said beside it.
    is_pair = two is not None and _BOTH.search(label) is not None
    if not is_used and asking and not is_pair:
        is_taken_up = _LABEL.match(label) is not None and _IT.search(asking[0].text) is not None
        is_used = (is_label(label) or is_taken_up) and begins_to_ask(asking[0].text)
        made = _of_one(asking, label) if is_used else []
    if not is_used:
        return list(parts)
    first = replace(made[0], span=(parts[0].span[0], made[0].span[1]))
    return [first, *made[1:]]


def _label_apart(parts: Sequence[AskedPart], *, is_cut: bool) -> tuple[str, Sequence[AskedPart]]:
    """What stands in front of a colon or dash, and the parts without it; "" where nothing does.

    With `is_cut` the question was cut at a colon behind the first part.
    """
    labelled = LABELLED.match(parts[0].text) if parts else None
    if labelled and is_label(labelled["name"]) and begins_to_ask(labelled["asks"]):
        return labelled["name"], [replace(parts[0], text=labelled["asks"]), *parts[1:]]
    return (parts[0].text, parts[1:]) if is_cut and not begins_to_ask(parts[0].text) else ("", parts)


def is_label(text: str) -> bool:
    """Whether a text in front of a question can be what it is asked about: it has a capital or a number in it."""
    is_name = any(char.isupper() or char.isdigit() for char in text) and not begins_to_ask(text)
    return _LABEL.match(text) is not None and (is_name or _NO_THING.match(text) is not None)


_SAID = linear(
    r"(?i)^what\s+(?:do|does|can)\s+(?:the|these|our|your)\s+(?:documents?|files?|corpus|papers?|sources?|texts?|reports?)\s+(?:say|tell|show|hold|contain|have)"
    r"(?:\s+(?:me|us))?(?:\s+(?:about|on)\s+(?:it|this|that|them))?$"
)


# "A's second quarter: what was revenue, and how fast did it grow?": it is revenue.
_WHAT_WAS = linear(
    r"^what\s(?:was|were|is|are)\s(?P<thing>(?!it\b|they\b|said$|[a-z]+ed$)[a-z][a-z-]{2,20}(?:\s[a-z-]{3,20}){0,2})$"
)


def _of_one(parts: Sequence[AskedPart], name: str) -> list[AskedPart]:
    """The parts asked of a name: the first, and those behind it that name nothing themselves."""
    if _NO_THING.match(name):
        return list(parts)
    name = _FORM.sub("", name)
    first, *others = parts
    made = [replace(first, text=_asked_of_one(first.text, name))]
    names_another = _NAME_IN_IT.search(first.text, 1) is not None
    asked = _WHAT_WAS.match(first.text)
    for part in others:
        if asked and _IT.search(part.text) and not EMPTY_IT.search(part.text):
            of_thing = _IT.sub(asked["thing"], part.text, count=1)
            made.append(replace(part, text=f"{of_thing} for {name}"))
            continue
        is_closed = ELLIPSIS.match(part.text) or any(p.search(part.text) for p in (_NAME_IN_IT, _IT, _ITS))
        is_open = begins_to_ask(part.text) and not is_closed
        # Behind "A: who made B", "it" may be B; behind "Deal of A: who made B" it is the deal.
        is_of_it = _IT.search(part.text) is not None and (name != name.title() or not names_another)
        made.append(replace(part, text=_asked_of_one(part.text, name)) if is_open or is_of_it else part)
    return made


_OF_A_TIME = linear(r"^([^,]{1,60})(,\s[^,]{0,40}\d[^,]{0,20})$")


def _asked_of_one(text: str, name: str) -> str:
    """What is asked, with the name in place of "it" or "its", or behind it: "who leads it" of A is "who leads A"."""
    if _SAID.match(text):
        return f"what is said about {name}"
    if name.lower() in text.lower():
        return text
    referring = None if EMPTY_IT.search(text) else _ITS.search(text) or _IT.search(text) or _THAT.search(text)
    if referring is not None:
        is_owning = _ITS.fullmatch(referring.group())
        if is_owning and _NAME_IN_IT.search(text, 1, referring.start()):
            return text  # "how much did A book in its first year" says whose
        timed = _OF_A_TIME.match(name)  # "A, end of May 2022: how large was its debt"
        owner, when = timed.groups() if timed else (name, "")
        meant = f"{owner}'s" if is_owning else owner
        return f"{text[: referring.start()]}{meant}{text[referring.end() :]}{when}"
    return f"{text} for {name}"


def _asked_of_two(text: str, two: re.Match[str]) -> list[str]:
    """What is asked of the two things of a label, with their names; the text as it stands where it names its own."""
    of = two["of"] or ""
    if _SAID.match(text):
        return [f"what is said about {two[0]}"]
    if shared := _SHARED_OR_NOT.match(text):
        if shared["on"]:
            return [f"how do {two['a']} and {two['b']}{of} differ{shared['on']}"]
        topic = _TOPIC_AHEAD.match(of)
        return [
            f"compare {topic['topic']} of {two['a']} and {two['b']}"
            if topic
            else f"compare {two['a']} and {two['b']}{of}"
        ]
    if difference := _DIFFERENCE.match(text):
        return [f"what is the difference{difference['within'] or ''} between {two['a']} and {two['b']}{of}"]
    if _WHICH_IS_MORE.match(text):
        return [f"{text}, {two['a']} or {two['b']}{of}"]
    if _EACH.search(text):
        before, behind = _EACH.split(text, maxsplit=1)
        return [f"{before}{two[side]}{behind}{of}" for side in ("a", "b")]
    return [f"{text} for {two['a']} and {two['b']}{of}"] if _NAMES_NOTHING.match(text) else [text]


# "What values are normal", with no name and no pronoun.
_NAMES_NOTHING = linear(
    rf"^{QUESTION_WORD}(?:\s(?!(?:it|its|they|them|their|he|she|each|both|one)\b)[a-z'’-]{{1,24}}){{1,4}}$"
)


# What several things are asked of: "A in Q2 2023: net sales, gross margin and EPS".
_THINGS_OF = linear(r"^(?P<label>[^:;?]{3,160}?)(?:\s[-–—]|:)\s(?P<things>[^:;?]{3,300})$")
# A label may end in a period: "Intel Q2 2023".
_BARE_PERIOD = linear(
    r"^(?P<who>[A-Z][\w.&’'-]{1,30}(?:\s[A-Z][\w.&’'-]{1,30}){0,3}?),?\s"
    r"(?P<when>(?:[QH][1-4]|[1-4]Q|FY)(?:\s|['’/-])?(?:20)?\d\d|20\d\d)$"
)
# … and so may the last of the things: "revenue and net income in Q3 2023".
_TIMED_END = linear(r"(?P<when>\s(?:in|for|during|at|as\sof|on)\s[^,:;]{0,40}\d[^,:;]{0,20})$")
_JOINS = linear(r"(?i)^(?:and|as\s+well\s+as|plus|or|&)\s+")
_AND = linear(r"(?i)\s(?:and|as\s+well\s+as|plus|&)\s")
_PLAIN_THING = linear(
    r"^(?!(?:when|where|why|how|who|what|which|since)\b)[\w’'/&-]{2,30}(?:\s(?!(?:of|by|that|which|who|from|in|on|at|for|with|to|it|they|we|you)\b)[\w’'/&-]{2,30}){0,3}$"
)
_LONGEST_THING = 10  # words
_MOST_THINGS = 8


def things_of_label(text: str) -> list[str]:
    """What is asked of a label: "sales and EPS of A in Q2" of "A in Q2: sales and EPS"; what asks by itself apart."""
    found = _THINGS_OF.match(text)
    if found is None or not is_label(found["label"]) or _NO_THING.match(found["label"]):
        return [text]
    label, told = _BARE_PERIOD.sub(r"\g<who> in \g<when>", found["label"]), found["things"]
    if timed := _TIMED_END.search(told):
        label, told = f"{label}{timed['when']}", told[: timed.start()]
    things = _listed(told)
    names_only = all(thing[:1].isupper() and not thing[1:2].isupper() for thing in things)
    if not 2 <= len(things) <= _MOST_THINGS or names_only or any(len(t.split()) > _LONGEST_THING for t in things):
        return [text]
    plain = [thing for thing in things if _PLAIN_THING.match(thing) and not _DONE_WHEN.match(thing)]
    plain = [thing for thing in plain if not _asks_ahead(f"{thing} of {label}")]
    asking = [_asked_of_label(thing, label) for thing in things if thing not in plain]
    if len(plain) > 1:
        asking.append(f"{', '.join(plain[:-1])} and {plain[-1]} of {label}")
    elif plain:
        asking.append(f"{plain[0]} of {label}")
    return asking


def _listed(things: str) -> list[str]:
    """The members of "a, b and c"; with a comma before "and" the last is one: "a, b, and c and d"."""
    *listed, last = [piece.strip() for piece in things.split(",") if piece.strip()]
    if ahead := _JOINS.match(last):
        return [*listed, last[ahead.end() :]]
    both = _AND.split(last)
    return [*listed, *both] if all(map(_PLAIN_THING.match, both)) else [*listed, last]


def _asks_ahead(text: str) -> bool:
    return asked_ahead(text) != text


_DONE_WHEN = linear(r"(?i)^(?P<done>[a-z]{2,16}(?:ed|n|d|t))\s+(?P<when>when|where|why)$")


def _asked_of_label(thing: str, label: str) -> str:
    whole = f"{thing} of {label}"
    if _asks_ahead(whole):
        return whole
    if done := _DONE_WHEN.match(thing):  # "The deal: signed when, closed when"
        return f"{done['when']} was {label} {done['done']}"
    return _asked_of_one(thing if begins_to_ask(thing) else f"what is {thing}", label)
