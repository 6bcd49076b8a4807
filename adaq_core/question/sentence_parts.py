"""A sentence of a question, cut into its opening phrase, its instructions and the clauses that ask."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from adaq_core.question.answer_kinds import (
    AHEAD,
    ASKS,
    AUXILIARY,
    IMPERATIVE,
    ONE_NAME,
    QUESTION_WORD,
    asked_ahead,
    asked_behind,
    begins_to_ask,
    dangles,
    in_full,
    linear,
)
from adaq_core.question.conditions import inside, is_instruction, is_means
from adaq_core.text.tokens import tokens

Span = tuple[int, int]

_EDGE = " ,.;:?!—–\n\t"
# What stands further away from a cut than this is not looked at, so that a sentence of any length is read in one pass.
_LONGEST_PIECE = 800  # characters; bounds the work on a hostile text
_POLITE = linear(
    r"(?:(?:please|kindly|hey|hi|hello|also|and|so|sorry\s[^,?;:]{0,60},\s+but)[,\s]+"
    # "First, who leads A?", but "first airline to fly B" asks for the first.
    r"|(?:then|next|finally|lastly|further|moreover|additionally|secondly|thirdly|first|firstly)"
    rf"(?:,\s*|\s+(?=(?:{QUESTION_WORD}|{AUXILIARY}|{IMPERATIVE})\b))){{0,4}}"
    r"(?:(?:can|could|would|will)\s+you\s+(?:(?:please|kindly)\s+)?)?"
    r"(?:(?:(?:i\s+(?:want|would\s+like|['’]d\s+like|need)|i['’]d\s+like)\s+to\s+(?:know|understand|learn)|tell\s+me|"
    r"let\s+me\s+know|do\s+you\s+know|i\s+wonder|i\s+am\s+wondering|(?:i['’]m|i\s+am|we['’]re|we\s+are)\s+looking\s+for(?=\s)"
    # "Talk me through bank capital rules" asks about them.
    r"|give\s+(?:me|us)(?:\s+(?:an?|the)\s+(?:(?:quick|brief|short|full)\s+)?(?:overview|rundown|run-down|lowdown|gist|recap)\s+(?:of|on))?"
    r"|(?:talk|walk|run|take)\s+(?:me|us)\s+through|(?:(?:what\s+is|give\s+(?:me|us))\s+)?(?:the\s+)?state\s+of\s+play\s+(?:on|in|with|of|for)|fill\s+(?:me|us)\s+in\s+on|(?:bring|get)\s+(?:me|us)\s+up\s+to\s+speed\s+on"
    r")\s+(?:about\s+)?)?"
    # "Explain how it works" asks how it works.
    rf"(?:(?:explain|describe|summari[sz]e|outline|clarify|show|say)\s+(?:(?:to\s+)?(?:me|us)\s+)?"
    # … but "how it works" and "what it is" have plans of their own.
    rf"(?!how\b[^?]{{1,80}}?\b(?:works?|functions?|operates?)\b|what\b[^?]{{1,80}}?\b(?:is|are|means?|does)\W{{0,2}}$)"
    rf"(?=(?:{QUESTION_WORD}|whether)\b))?",
    re.IGNORECASE,
)
_PREFACE = linear(
    rf"(?:(?:from|in|using)\s+(?:the|these|our)\s+(?:documents|files|papers|reports|texts),?\s+)?(?:(?:hey|hi|hello|ok|okay)[,\s]\s*)?"
    rf"(?:i|we|my|our|it|please|can\s+you|could\s+you|would\s+you|tell|help|for)\b.{{0,400}}?"
    rf"\b(?<!\bcan\s)(?:understand|know|learn|hear|see|tell\s+(?:me|us)|find\s+out|figure\s+out|wonder(?:ing)?|clarify|determine|ask"
    rf"|put\s+together|set\s+out|work\s+out|pull\s+together|lay\s+out|write\s+up|draw\s+(?:out|up))\b"
    rf"[^?;:]{{0,80}}?\s(?=(?:{QUESTION_WORD}|whether)\b)",
    re.IGNORECASE | re.DOTALL,
)
# "A is ours and I have to explain …, so please summarise, from its filing, how far …": what is ordered is asked.
_ORDERED = linear(
    rf"\bplease\s+[a-z]{{2,14}}(?:\s+(?:out|up|together|down|through))?\b[^?;:]{{0,120}}?\s(?=(?:{QUESTION_WORD}|whether)\b)",
    re.IGNORECASE,
)
_BEFORE_ORDER = 400  # characters
_ENDS_EARLIER = re.compile(r"[?;:]")
_POLITELY = linear(r"(?:can|could|would|will)\s+you\b", re.IGNORECASE)
# What stands in front of the first thing asked, and begins as a question does: "What I would like to have is".
_WANTED = linear(
    r"(?:what\s+(?:i|we)\s+(?:would\s+(?:like|need)|want|need|['’]d\s+like|am\s+after|are\s+after)\b[^?:;]{0,60}?\s(?:is|are)\s*:?"
    r"|(?:can|could|would|will)\s+you\s+(?:please\s+)?(?:put\s+together|set\s+out|work\s+out|pull\s+together|lay\s+out|write\s+up)\b[^?:;]{0,60}?)"
    rf"\s+(?=(?:{QUESTION_WORD}|whether|the)\b)",
    re.IGNORECASE,
)
_OPENS = (
    r"(?:in|under|per|for|at|during|as\s+of|among|from|since|after|before|until|according\s+to|based\s+on|basing|given|"
    r"considering|with|within|across|on|of|outside|excluding|except\s+for|besides|apart\s+from|regarding|concerning|"
    r"as\s+(?:reported|described|stated|defined|for)|throughout|between|by|using|through|despite|following|unlike|like|"
    r"if|when|while|where|taking|drawing|assuming|relying|compared|relative|due\s+to|because\s+of|to)"
)
_ASK_AHEAD = rf"(?:(?:{ASKS}|{AUXILIARY}|{IMPERATIVE})\b|how['’]s|what['’]s|who['’]s)"
_OPENING = linear(rf"{_OPENS}\b[^?!;]{{1,320}}?[,:]\s+(?=(?:please\s+)?{_ASK_AHEAD})", re.IGNORECASE)
# "If a supplier is owned by staff, does this have to be declared?": the case is what is asked about.
_CASE = linear(r"if\s", re.IGNORECASE)
_POINTS_BACK = linear(rf"{AUXILIARY}\s+(?:this|that|it|they|he|she|these|those)\b", re.IGNORECASE)
_PRONOUN = (
    r"(?:either|both|each|anyone|anybody|one|it|they|he|she|we|you|i|there|this|that|these|those|its|their|his|her)"
)
_ORDER = (
    r"(?:explain|describe|summari[sz]e|compare|identify|discuss|analy[sz]e|evaluate|examine|outline|assess|"
    r"(?:list|name|give|state|tell|show)\s+(?:the|all|me|whether|its|their|how|what|which))"
)
_STARTS = (
    rf"(?:(?i:{ASKS}|whether)\b|(?i:do|does|did|can|could|should|will|would)\s+(?:(?i:{_PRONOUN}|the|any)\b|[A-Z])"
    rf"|(?i:is|are|was|were|has|have)\s+(?i:{_PRONOUN})\b|(?i:{_ORDER})\s)"
)
_CUT = linear(
    rf"(?P<semi>\s*;\s*(?:(?:and|or|but|also)[,\s]\s*)?|,?\s+(?:and\s+)?\((?:[a-h1-9]|i{{1,3}})\)\s+)"
    rf"|(?P<colon>:\s+)(?={_ASK_AHEAD}\s|(?i:please)\s)"
    rf"|(?P<joined>,?\s+(?i:and|but|or)\s+(?:(?i:also|finally|then|lastly|if\s+so),?\s+)?)(?={_STARTS})"
    rf"|(?P<comma>,\s*(?:(?i:then|finally)\s+)?)(?=(?i:{ASKS}|whether|(?:do|does|did|is|was|are|were|can|has)\s+(?:it|they|he|she))\b)"
    rf"|(?P<while>,?\s+(?i:while|whereas)\s+)"
)
_CUT_TO_ASK = linear(rf"[:;?]\s+(?:please\s+)?{_ASK_AHEAD}\s", re.IGNORECASE)
# What is wanted may stand behind the colon of an order: "Write it for a lay person: the amount paid, what …"
_THINGS_WANTED = linear(r":\s+(?=(?:the|its|their|an?)\s[^:;?]{3,200}?,\s)", re.IGNORECASE)
_RELATIVE = linear(r"^(?:(?:\w{1,8}\s+)?(?:which|who|whom|whose|where|when))\b", re.IGNORECASE)
_WORD = linear(r"\w[\w'’-]{0,40}")
# Behind "while": what goes on at the same time, and no second question.
_DURING = linear(r"^(?:\w{2,20}ing|it|they|he|she|we|you|one)\b", re.IGNORECASE)
_SHARED = linear(
    rf"^(?P<first>{QUESTION_WORD})(?:\s*,\s*(?P<middle>{QUESTION_WORD})\s*,?)?\s+(?:and|or)\s+(?P<last>{QUESTION_WORD})\s+"
    rf"(?P<rest>(?:{AUXILIARY}|\w{{2,20}}).{{1,400}})$",
    re.IGNORECASE,
)
# A part that only asks: of what is asked behind it, or was asked before it.
_ONLY_ASKS = (
    r"when|where|why|how|who|what|how\s+(?:much|many|often|long)|(?:by|with|to|for|from)\s+(?:whom|what|how\s+(?:much|long))|"
    r"(?:since|until)\s+when|what\s+for|(?:in|at|on|since|from)\s+(?:which|what)\s+[a-z]{3,20}"
)
_ASKS_AHEAD = linear(rf"^(?:{_ONLY_ASKS})$", re.IGNORECASE)
# … and "for which years", "on what grounds", "for how much cash", which only ask of what was asked before.
_ELLIPSIS = linear(
    rf"^(?:{_ONLY_ASKS}|(?:for\s+)?how\s+much\s+(?:cash|money|each)|by\s+how\s+(?:much|many\s+[a-z]{{3,20}})(?:\s+each)?|(?:which|what)\s+(?:years?|months?|dates?|days?)|"
    rf"{AHEAD}\s+(?:which|what)(?:\s+(?!{AUXILIARY}\b)[a-z-]{{2,20}}){{1,3}})$",
    re.IGNORECASE,
)
_WITH_PREPOSITION = linear(rf"^{AHEAD}\s", re.IGNORECASE)
_BARE_ASK = linear(rf"^(?:(?:by|for|with|to)\s+)?{QUESTION_WORD}(?:\s+(?:much|many|long))?\s*(?:,|$)", re.IGNORECASE)
_ASKS_OF_IT = linear(r"^(?:who|when|where)\b[^,]{1,60}?\b(?:it|they|them)\b", re.IGNORECASE)
_OF_ANOTHER = linear(
    rf"^{QUESTION_WORD}(?:\s(?:much|many|long|often))?\s(?P<verb>do|does|did|is|are|was|were|can|will)\s(?P<name>{ONE_NAME})$",
    re.IGNORECASE,
)
_OF_ONE = linear(
    rf"^(?P<asks>{QUESTION_WORD}\b.{{0,80}}?)\s(?P<verb>do|does|did|is|are|was|were|can|will)\s{ONE_NAME}\s(?P<rest>[a-z].{{1,120}})$",
    re.IGNORECASE,
)
# "Where does X get its name from, and who …": the preposition belongs to the question word.
_STRANDED = linear(
    rf"^(?:what|who|whom|where|which)(?:['’]s\s|\b.{{1,160}}\b{AUXILIARY}\s).{{1,160}}\s(?:about|against|at|by|for|from|in|of|on|to|under|with)$",
    re.IGNORECASE,
)
# "… what the research found on that", "without losing what they are about" are whole.
_LONGEST_END = 80  # characters
_ENDS_WELL = linear(
    r"\b(?:on|of|about|for|to|with|from|by|in|at|behind)\s+that$|(?:^|\s)(?:what|whom|which|who)\s(?:\S{1,20}\s){2,6}(?:about|for|from|of|with|to|by|in|on)$",
    re.IGNORECASE,
)
_BARE_ASK_AGAIN = linear(rf"^{QUESTION_WORD}\b", re.IGNORECASE)
# "…, when did it come out": in a relative clause the verb stands behind its subject.
_INVERTED = linear(r"^(?:when|where|who|whom)\s+(?:do|does|did)\s", re.IGNORECASE)
_GOES_ON_ASKING = linear(rf"^[^,]{{1,120}},\s+(?:and|or)\s+(?:{QUESTION_WORD}|{AUXILIARY})\s", re.IGNORECASE)
_BY_WHOM = linear(r"^who\s+(?P<verb>\w{2,20})\s+(?P<what>.{1,200})$", re.IGNORECASE)
_ASKS_WHETHER = linear(rf"^{AUXILIARY}\s", re.IGNORECASE)
_COUNTED = linear(rf"^(?P<what>[a-z-]{{2,20}}(?:\s[a-z-]{{2,20}})?)\s(?P<verb>{AUXILIARY})\s(?P<rest>.{{1,300}})$")
_DOER = linear(
    rf"^(?P<who>{ONE_NAME}|(?:the|its|their)\s\w{{2,20}}|it|they|he|she|we|you)\s(?P<does>[a-z]{{2,20}})(?P<more>\b.{{0,300}})$"
)
_PARTICLE = linear(r"^(.{1,200}?)(\s(?:out|up|down|off|over|together)|)$")
_ASKED_FIRST = linear(
    rf"^(?:{AHEAD}\s+(?:which|what)(?:\s+[a-z-]{{2,20}}){{1,3}}?\s+(?={AUXILIARY}\b)"
    rf"|{QUESTION_WORD}(?:\s+(?:much|many|often|long))?\s+)",
    re.IGNORECASE,
)
_WHICH_WILL = linear(rf"^which\s+(?P<who>[a-z]{{3,24}})\s+(?P<verb>{AUXILIARY})\s+(?P<rest>.{{1,200}})$", re.IGNORECASE)
_HAPPENED = linear(
    r"^(?:when|where|why|how)\s+(?:do|does|did|will)\s+(?P<what>.{1,200})\s+(?:end|start|begin|expire|happen|open|close|occur)$",
    re.IGNORECASE,
)
_PARTICIPLES = {"wrote": "written", "gave": "given", "took": "taken", "began": "begun", "drew": "drawn", "chose": "chosen",
                "sang": "sung", "won": "won", "made": "made", "built": "built", "led": "led", "bought": "bought"}  # fmt: skip
_HEAD = linear(
    r"^(?P<head>which\s+(?:of\s+(?:the|these|those)\s+)?(?:(?!(?:is|was|has|does)\s)[\w'’-]{1,30}\s+){0,2}?(?!(?:is|was|has|does)\s)[\w'’-]{1,30}s)\s",
    re.IGNORECASE,
)
_BARE_WHICH = linear(
    rf"^(?:which|who)\s+(?P<verb>(?:{AUXILIARY}|\w{{2,20}}ed|lost|won|made|sold|grew|fell|rose|bought|paid|hold|face|depend|own|use|rely|make)\b.{{1,400}})$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class AskedPart:
    """A piece of a sentence that asks (or states) something: its completed text and its place in the question."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class SentenceParts:
    """What a sentence is made of; all spans are ranges of the question."""

    opening: Span | None
    instructions: tuple[Span, ...]
    asked: tuple[AskedPart, ...]


# "I look after A and want an overview of the following: how …" says why one asks.
_OF_ONESELF = linear(r"^(?:i|we|my|our)\s", re.IGNORECASE)


def read_sentence(question: str, start: int, end: int) -> SentenceParts:
    """Cut the sentence `question[start:end]` into opening phrase, instructions and what it asks."""
    start, end = trimmed(question, start, end)
    if of_each := _of_each(question, start, end):
        return SentenceParts(None, (), tuple(of_each))
    if _is_all_instruction(question[start:end]):
        return SentenceParts(None, ((start, end),), ())
    begin, preface = _after_preface(question, start, end)
    opening = _opening(question, begin, end, is_indirect=preface is not None)
    body = opening[1] if opening else begin
    if opening and preface is None:  # "From the filings only, could you pull together what …"
        body, preface = _after_preface(question, body, end)
    instructions = [(start + s, start + e) for s, e in inside(question[start:end]) if start + s >= begin]
    pieces = _pieces(question, body, end, is_indirect=preface is not None)
    asked: list[Span] = []
    for span in pieces:
        piece = question[span[0] : span[1]]
        is_why = len(pieces) > 1 and span == pieces[0] and _OF_ONESELF.match(piece) is not None
        (instructions if is_why or is_instruction(piece) else asked).append(span)
    only_polite = (
        preface is not None and _POLITELY.match(question, preface[0]) and _POLITE.fullmatch(question, *preface)
    )
    instructions += [preface] if preface and not only_polite else []
    if opening and is_means(question[opening[0] : opening[1]]):
        instructions, opening = [*instructions, opening], None
    parts = [part for span in asked for part in _completed(question, span, instructions)]
    parts = [replace(part, text=in_full(part.text)) for part in _of_label(question, parts)]
    return SentenceParts(opening, tuple(_outermost(instructions)), tuple(_filled(parts)))


# "For each of A, B and C give me …", "For each of the three I need, first, …"
_FOR_EACH = linear(
    r"^(?:(?:and|also|then),?\s)?for\s+each(?:\s+(?:one\s+)?of)?\s+(?P<things>[^?;:]{2,160}?),?\s+"
    r"(?:(?:please\s+)?(?:give|tell|show)\s+(?:me|us)|(?:please\s+)?(?:list|state|say|name)|(?:i|we)\s+(?:need|want)(?:\s+to\s+know)?|what\s+(?:i|we)\s+need\s+is)"
    r"[,:]?\s+(?P<asked>[^?]{3,600})$",
    re.IGNORECASE,
)
_SAID_BEFORE = linear(
    r"^(?:the|these|those|them|both)(?:\s(?:two|three|four|five|six|seven|eight))?(?:\s[a-z]{3,16})?$|^(?:firm|company|bank|one)$",
    re.IGNORECASE,
)
_NTH_OF_A_LIST = linear(
    r"(?:^|,?\s+(?:and\s+)?)(?:first|second|third|fourth|fifth|sixth|lastly|finally)(?:ly)?,\s+", re.IGNORECASE
)
_ASKS_ON = linear(rf",?\s+and\s+(?={QUESTION_WORD}\s)|,\s+(?={QUESTION_WORD}\s)", re.IGNORECASE)
_SEVERAL_NAMES = linear(rf"{ONE_NAME}(?:,\s{ONE_NAME}){{0,8}},?\s(?:and|or|&)\s{ONE_NAME}")
_A_NAME = linear(ONE_NAME)
_THE_ONE = linear(r"\b(?:the\s+(?:company|firm|bank|business)|it|they)\b", re.IGNORECASE)
_WHAT_IT_IS = linear(r"^what\s+(?P<what>the\s.{2,80}?)\s+(?P<be>is|was|are|were)$", re.IGNORECASE)
_MOST_OF_EACH = 24


def _of_each(question: str, start: int, end: int) -> list[AskedPart]:
    """What a sentence asks of each of several names, each of one; [] where it asks nothing so."""
    found = _FOR_EACH.match(question[start:end].rstrip(_EDGE))
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
    return [AskedPart(_of_the_one(each.strip(_EDGE), name), (start, end)) for name in names for each in asked]


def _of_the_one(asked: str, name: str) -> str:
    """What is asked, of one name: "who leads the company" as "who leads A", "the main risk" as "main risk of A"."""
    if told := _WHAT_IT_IS.match(asked):
        return f"what {told['be']} {told['what']} of {name}"
    if not begins_to_ask(asked):
        return f"{_DETERMINED.sub('', asked)} of {name}"
    if _THE_ONE.search(asked):
        return _THE_ONE.sub(name, asked, count=1)
    return _asked_of_one(asked, name)


_DETERMINED = linear(r"^(?:the|an?|its|their)\s+", re.IGNORECASE)

EMPTY_IT = linear(
    r"\bit\s+(?:(?:cost|take|takes|took)\b(?=.{0,80}\bto\b)|(?:rain|seem|seems)\b)|\b(?:is|was|does|did|be)\s+it\s+(?:that|possible|true|important|mean)\b|"
    r"\bit\s+(?:is|was)\s+(?:possible|true|important|said)\b|\bit\s+(?:backfire|hurt|help|pay|matter)\s+(?:to|if|when|that)\b|"
    r"\b(?:is|was|be)\s+it\s+(?:so\s+)?(?:hard|easy|difficult|worth|better|best|wise|safe|dangerous|risky|legal|illegal|necessary"
    r"|useful|harmful|good|bad|normal|common|cheaper|wrong|right)\s+(?:to|for|that|if)\b",
    re.IGNORECASE,
)
# Words for what was named before: things and persons, and what they own.
THINGS, PERSONS = "it|they|them", "he|she|him"
OF_THINGS, OF_PERSONS = "its|their", "his|her"
_IT = linear(rf"\b(?:{THINGS}|{PERSONS})\b", re.IGNORECASE)
_ITS = linear(rf"\b(?:{OF_THINGS}|{OF_PERSONS})\b", re.IGNORECASE)
_THAT = linear(r"\b(?:that|this)$", re.IGNORECASE)  # "A - whose work is that"
# "Question:" and "Note:" name nothing that is asked about.
_NO_THING = linear(
    r"^(?:(?:my|a|the|next|quick|short|follow-up)\s){0,2}(?:questions?|query|q|task|notes?|fyi|re|ps|hello|hi|hey|urgent)$",
    re.IGNORECASE,
)
# "Spirit Aero timeline please" is Spirit Aero, and how to tell of it.
_LABEL_AT_MOST = 6  # words
_SAID_ABOUT = linear(
    r"^(?:please\s+)?(?:[a-z]{3,14}\s){0,2}?what\s+(?:the|these|our|your)\s+(?:documents?|files?|corpus|papers?|sources?|texts?|reports?)\s+(?:say|tell|hold|have)\s+(?:about|on)\s+(?:the\s+)?(?P<topic>.{2,60})$",
    re.IGNORECASE,
)
_SAID_OF = linear(r"^(?:about|on|regarding|concerning|re|as\s+(?:to|for)|with\s+regard\s+to)\s+(?=\S)", re.IGNORECASE)
_FORM = linear(
    r"(?:\s(?:timeline|please|summary|overview|updates?|status|recap|details|facts|questions?|brief)){1,3}$",
    re.IGNORECASE,
)
_LABEL_WORDS = r"[^\s,:;?]{1,40}(?:\s[^\s,:;?]{1,40}){0,9}"
_LABEL = linear(rf"^{_LABEL_WORDS}(?:,\s{_LABEL_WORDS}){{0,2}}$")  # "A, June 2022 quarter"
_LABELLED = linear(r"^(?P<name>[^\s,:;?]{1,40}(?:\s[^\s,:;?]{1,40}){0,3}?)(?:\s[-–—]|:)\s(?P<asks>\S.{1,400})$")
_NAME_IN_IT = linear(r"\b[A-Z][a-z]|\b\w{1,20}\d")
_TWO_THINGS = linear(
    r"^(?P<a>[^\s,:;?]{1,40}(?:\s[^\s,:;?]{1,40}){0,5}?)\s(?:and|or|vs\.?|versus|against)\s"
    r"(?P<b>[^\s,:;?]{1,40}(?:\s[^\s,:;?]{1,40}){0,5}?)(?P<of>\s(?:in|of|for|under|on|about)\s[^,:;?]{1,60})?$",
    re.IGNORECASE,
)
_BOTH = linear(r"\s(?:and|or|vs\.?|versus)\s", re.IGNORECASE)
_WHICH_IS_MORE = linear(
    r"^which\sone\b|^(?:which|who)\b.{1,160}\b(?:\w{2,16}er|more|less|most|better|worse|first|last|ahead|\w{2,16}est)\b",
    re.IGNORECASE,
)
_DIFFERENCE = linear(
    r"^(?:what|where)(?:['’]s|\s+is|\s+are|\s+lies)\s+the\s+(?:main\s+|key\s+)?(?:differences?|distinction)(?P<within>\sin\s.{2,60})?$",
    re.IGNORECASE,
)
_AND_A_TOPIC = linear(r"^[A-Z][\w.&’'-]{1,30}(?:\s[A-Z][\w.&’'-]{1,30}){0,3} and [a-z]{3,20}$")
_SHARED_OR_NOT = linear(
    r"^(?:what\s+do\s+(?:they|the\s+two)\s+(?:share|have\s+in\s+common)|(?:where|how|in\s+what)\s+do\s+(?:they|the\s+two)\s+(?:differ|compare)(?P<on>\s+(?:in|on|by)\s.{2,80})?)$",
    re.IGNORECASE,
)
_TOPIC_AHEAD = linear(r"^\s(?:under|on|about)\s(?P<topic>.{2,60})$", re.IGNORECASE)
_EACH = linear(r"\beach(?:\s+of\s+(?:them|these|the\s+two))?\b", re.IGNORECASE)


def _of_label(question: str, parts: Sequence[AskedPart]) -> list[AskedPart]:
    """The parts with what stands in front of a colon or dash put in: "A and B: which is older", "A - who made it"."""
    is_cut = len(parts) > 1 and question[parts[0].span[1] :].lstrip().startswith(":")
    label, asking = _label_apart(parts, is_cut=is_cut)
    told = _SAID_ABOUT.match(label)
    label = told["topic"] if told else _SAID_OF.sub("", label)
    two = _TWO_THINGS.match(label)
    if _AND_A_TOPIC.match(label) and not (asking and _SAID.match(asking[0].text)):  # "Tesla and trade" is Tesla
        label, two = label.split(" and ")[0], None
    made = [AskedPart(text, part.span) for part in asking for text in _asked_of_two(part.text, two)] if two else []
    is_used = any(one.text != part.text for one, part in zip(made, asking, strict=False))
    # "A against B: in which court" is one thing; "A and B: what did C say" are two that are said beside it.
    is_pair = two is not None and _BOTH.search(label) is not None
    if not is_used and asking and not is_pair:
        is_taken_up = _LABEL.match(label) is not None and _IT.search(asking[0].text) is not None
        is_used = (_is_label(label) or is_taken_up) and begins_to_ask(asking[0].text)
        made = _of_one(asking, label) if is_used else []
    return [replace(made[0], span=(parts[0].span[0], made[0].span[1])), *made[1:]] if is_used else list(parts)


def _label_apart(parts: Sequence[AskedPart], *, is_cut: bool) -> tuple[str, Sequence[AskedPart]]:
    """What stands in front of a colon or dash, and the parts without it; "" where nothing does.

    With `is_cut` the question was cut at a colon behind the first part.
    """
    labelled = _LABELLED.match(parts[0].text) if parts else None
    if labelled and _is_label(labelled["name"]) and begins_to_ask(labelled["asks"]):
        return labelled["name"], [replace(parts[0], text=labelled["asks"]), *parts[1:]]
    return (parts[0].text, parts[1:]) if is_cut and not begins_to_ask(parts[0].text) else ("", parts)


def _is_label(text: str) -> bool:
    """Whether a text in front of a question can be what it is asked about: it has a capital or a number in it."""
    is_name = any(char.isupper() or char.isdigit() for char in text) and not begins_to_ask(text)
    return _LABEL.match(text) is not None and (is_name or _NO_THING.match(text) is not None)


_SAID = linear(
    r"^what\s+(?:do|does|can)\s+(?:the|these|our|your)\s+(?:documents?|files?|corpus|papers?|sources?|texts?|reports?)\s+(?:say|tell|show|hold|contain|have)"
    r"(?:\s+(?:me|us))?(?:\s+(?:about|on)\s+(?:it|this|that|them))?$",
    re.IGNORECASE,
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
        is_closed = _ELLIPSIS.match(part.text) or any(p.search(part.text) for p in (_NAME_IN_IT, _IT, _ITS))
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


def _outermost(instructions: Sequence[Span]) -> list[Span]:
    """Those that lie in no other, in order; of equal ones each."""
    kept: list[Span] = []
    for span in sorted(instructions, key=lambda span: (span[0], -span[1])):
        if not kept or span[1] > kept[-1][1] or span == kept[-1]:
            kept.append(span)
    return kept


def _is_all_instruction(sentence: str) -> bool:
    asks_later = any(behind.search(sentence) for behind in (_CUT_TO_ASK, _THINGS_WANTED))
    return not (asks_later or _PREFACE.match(sentence)) and is_instruction(sentence)


def trimmed(question: str, start: int, end: int) -> Span:
    """Return the range without white space and punctuation at its edges."""
    piece = question[start:end]
    left = len(piece) - len(piece.lstrip(_EDGE))
    right = len(piece) - len(piece.rstrip(_EDGE))
    if left < len(piece):
        return (start + left, end - right)
    return (end, end)


def _after_preface(question: str, start: int, end: int) -> tuple[int, Span | None]:
    """Where the sentence begins to ask: after polite words, or after "I would like to understand …"."""
    late = _ORDERED.search(question, start + 1, min(end, start + _BEFORE_ORDER))
    if late and _ENDS_EARLIER.search(question, start, late.start()):
        late = None
    preface = _WANTED.match(question, start, end) or late or _PREFACE.match(question, start, end)
    asks_itself = begins_to_ask(question[start : start + 5]) and not _POLITELY.match(question, start)
    if preface and (preface.re is _WANTED or not asks_itself):
        return preface.end(), (start, preface.end())
    wanted = _THINGS_WANTED.search(question, start, end)
    if wanted and is_instruction(question[start : wanted.start()]):
        return wanted.end(), (start, wanted.end())
    polite = _POLITE.match(question, start, end)
    return (polite.end() if polite and polite.end() < end else start), None


def _opening(question: str, start: int, end: int, *, is_indirect: bool) -> Span | None:
    """The phrase in front of what is asked: "In fiscal 2023, how …"; its comma is not part of it.

    Behind "tell me" the first question word asks: "tell me when the patents run out, how …".
    """
    is_adverbial = not is_indirect and _is_adverbial(question[start : start + 12])
    if begins_to_ask(question[start : min(end, start + 60)]) and not is_adverbial:
        return None
    match = _OPENING.match(question, start, end)
    if match is None or (_CASE.match(match[0]) and _POINTS_BACK.match(question, match.end(), end)):
        return None
    if match[0].rstrip().endswith(":") and _SAID_OF.match(match[0]) and len(match[0].split()) <= _LABEL_AT_MOST:
        return None  # "Regarding A: when did its strike end" asks of A
    return (start, match.end())


def _is_adverbial(text: str) -> bool:
    """Whether a question word only opens a clause of time or place: "When using …", "Where possible"."""
    return re.match(rf"(?:when|where)\s+(?!{AUXILIARY}\b)", text, re.IGNORECASE) is not None


def _pieces(question: str, start: int, end: int, *, is_indirect: bool) -> list[Span]:
    """Cut where a new question begins; a cut that leaves half a sentence on either side is not made."""
    spans: list[Span] = []
    begin = start
    for match in _CUT.finditer(question, start, end):
        if _cuts_at(question, begin, match, end, is_indirect=is_indirect):
            spans.append(trimmed(question, begin, match.start()))
            begin = match.end()
    spans.append(trimmed(question, begin, end))
    return [span for span in spans if span[0] < span[1]]


def _cuts_at(question: str, begin: int, match: re.Match[str], end: int, *, is_indirect: bool) -> bool:
    """Whether to cut at `match`. A piece that has grown too long to be a question ends there whatever follows."""
    if match.start() - begin > _LONGEST_PIECE:
        return True
    right = question[match.end() : min(end, match.end() + _LONGEST_PIECE)]
    return _may_cut(question[begin : match.start()], right, match.lastgroup or "", is_indirect=is_indirect)


def _may_cut(left: str, right: str, how: str, *, is_indirect: bool) -> bool:
    left = left.strip(_EDGE)
    labelled = _LABELLED.match(left)
    if labelled and _is_label(labelled["name"]) and begins_to_ask(labelled["asks"]):
        left = labelled["asks"]  # "A - who runs it, and since when?"
    if _ASKS_AHEAD.match(left):
        return True
    is_stranded = _STRANDED.match(left) is not None and _BARE_ASK_AGAIN.match(right) is not None
    is_open = dangles(left) and not _ENDS_WELL.search(left[-_LONGEST_END:])
    if not is_stranded and (is_open or not tokens(left)):
        return False
    if how in ("semi", "colon"):
        return True
    if how == "while":
        return begins_to_ask(left) and _DURING.match(right) is None
    if is_indirect:
        return True
    if not (begins_to_ask(left) or _first_word(left) == "whether"):
        return False
    word = _first_word(right)
    if how == "comma":
        return _asks_again(left, right, word)
    return _RELATIVE.match(right) is None or not _is_relative(left, right)


def _first_word(text: str) -> str:
    match = _WORD.match(text)
    return match.group().lower() if match else ""


_AGAIN = frozenset(("what", "how", "why", "do", "does", "did", "is", "was", "are", "were", "can", "has"))


def _asks_again(left: str, right: str, word: str) -> bool:
    """Whether a question word behind a comma asks anew: "what is X, how does it work"; "which" only beside "which"."""
    if (
        word in _AGAIN
        or _ELLIPSIS.match(right.split(",")[0].strip(_EDGE))
        or any(asks.match(right) for asks in (_BARE_ASK, _ASKS_OF_IT, _INVERTED))
    ):
        return True
    if begins_to_ask(left) and _GOES_ON_ASKING.search(right):
        return True
    return word == _first_word(left) and re.search(rf",?\s(?:and|or)\s+{word}\b", right) is not None


def _is_relative(left: str, right: str) -> bool:
    """Whether "and who …" goes on with a relative clause of `left`: "the man who founded X and who …"."""
    match = _RELATIVE.match(right)
    if match:
        relative = match.group().split()[-1].lower()
    else:
        relative = ""
    return re.search(rf"\s{relative}\b", left, re.IGNORECASE) is not None


def _completed(question: str, span: Span, instructions: Sequence[Span]) -> list[AskedPart]:
    """The piece without the instructions in it; "when and where was X born" is asked twice."""
    text = in_full(_without(question, span, instructions))
    shared = _SHARED.match(text)
    if shared is None:
        each_asked = asked_behind(text) if text else []
        if each_asked == [text]:
            each_asked = [asked for thing in _things_of_label(text) for asked in asked_behind(thing)]
        return [AskedPart(asked_ahead(each), span) for each in each_asked]
    asking = [shared.group(name) for name in ("first", "middle", "last") if shared.group(name)]
    return [AskedPart(f"{word} {shared.group('rest')}", span) for word in asking]


# What several things are asked of: "A in Q2 2023: net sales, gross margin and EPS".
_THINGS_OF = linear(r"^(?P<label>[^:;?]{3,160}?)(?:\s[-–—]|:)\s(?P<things>[^:;?]{3,300})$")
# A label may end in a period: "Intel Q2 2023".
_BARE_PERIOD = linear(
    r"^(?P<who>[A-Z][\w.&’'-]{1,30}(?:\s[A-Z][\w.&’'-]{1,30}){0,3}?),?\s"
    r"(?P<when>(?:[QH][1-4]|[1-4]Q|FY)(?:\s|['’/-])?(?:20)?\d\d|20\d\d)$"
)
# … and so may the last of the things: "revenue and net income in Q3 2023".
_TIMED_END = linear(r"(?P<when>\s(?:in|for|during|at|as\sof|on)\s[^,:;]{0,40}\d[^,:;]{0,20})$")
_JOINS = linear(r"^(?:and|as\s+well\s+as|plus|or|&)\s+", re.IGNORECASE)
_AND = linear(r"\s(?:and|as\s+well\s+as|plus|&)\s", re.IGNORECASE)
_PLAIN_THING = linear(
    r"^(?!(?:when|where|why|how|who|what|which|since)\b)[\w’'/&-]{2,30}(?:\s(?!(?:of|by|that|which|who)\b)[\w’'/&-]{2,30}){0,3}$"
)
_LONGEST_THING = 10  # words
_MOST_THINGS = 8


def _things_of_label(text: str) -> list[str]:
    """What is asked of a label: "sales and EPS of A in Q2" of "A in Q2: sales and EPS"; what asks by itself apart."""
    found = _THINGS_OF.match(text)
    if found is None or not _is_label(found["label"]) or _NO_THING.match(found["label"]):
        return [text]
    label, told = _BARE_PERIOD.sub(r"\g<who> in \g<when>", found["label"]), found["things"]
    if timed := _TIMED_END.search(told):
        label, told = f"{label}{timed['when']}", told[: timed.start()]
    things = _listed(told)
    names_only = all(thing[:1].isupper() and not thing[1:2].isupper() for thing in things)
    if not 2 <= len(things) <= _MOST_THINGS or names_only or any(len(t.split()) > _LONGEST_THING for t in things):
        return [text]
    plain = [thing for thing in things if _PLAIN_THING.match(thing) and not _asks_ahead(f"{thing} of {label}")]
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


def _asked_of_label(thing: str, label: str) -> str:
    whole = f"{thing} of {label}"
    if _asks_ahead(whole):
        return whole
    return _asked_of_one(thing if begins_to_ask(thing) else f"what is {thing}", label)


def _without(question: str, span: Span, instructions: Sequence[Span]) -> str:
    start, end = span
    kept, at = [], start
    for begin, stop in sorted(instructions):
        if start <= begin < end:
            kept.append(question[at : max(at, begin)])
            at = max(at, min(stop, end))
    kept.append(question[at:end])
    return " ".join(" ".join(kept).split()).strip(_EDGE).replace(" ?", "?")


def _filled(parts: Sequence[AskedPart]) -> list[AskedPart]:
    """The parts, with what "and when?" or "which had a strike" takes over from the part before."""
    made: list[AskedPart] = []
    whole = ""  # the last part that asked in full
    for part in parts:
        text = part.text
        before = whole or (made[0].text if made else "")
        if tokens(before) and _ELLIPSIS.match(text):
            text = _with_predicate(text, before)
        elif made and (left_out := _same_of_another(text, made[-1].text)):
            text = left_out
        elif made and (bare := _BARE_WHICH.match(text)) and (head := _HEAD.match(made[0].text)):
            text = f"{head.group('head')} {bare.group('verb')}"
        made.append(AskedPart(text, part.span))
        if not (_ELLIPSIS.match(part.text) or _WITH_PREPOSITION.match(text)):
            whole = text
    return made


def only_asks(text: str) -> bool:
    """Whether a part has nothing of its own to look for: "on what day", "and by how many percent each"."""
    return _ELLIPSIS.match(text) is not None


_COMPARES = linear(
    rf"^how\s(?:does|do|did)\s(?:that|this|it|they|these|those)\scompare\s(?:with|to|against)\s(?:that\sof\s)?(?P<name>{ONE_NAME})(?:['’]s)?(?:\sfor\sthe\ssame\s[a-z]{{3,12}})?$",
    re.IGNORECASE,
)


def _same_of_another(asking: str, before: str) -> str:
    """What is asked before, of another: "what does B" behind "what similarity does A approximate"; empty where not."""
    if (beside := _COMPARES.match(asking)) and (whole := _OF_ONE.match(before)):
        return f"{whole['asks']} {whole['verb']} {beside['name']} {whole['rest']}"
    other, whole = _OF_ANOTHER.match(asking), _OF_ONE.match(before)
    if other is None or whole is None or other["verb"].lower() != whole["verb"].lower():
        return ""
    return f"{whole['asks']} {whole['verb']} {other['name']} {whole['rest']}"


def _with_predicate(asking: str, before: str) -> str:
    """Ask `asking` of what was asked before: "when" after "Who created BM25" → "when was BM25 created"."""
    asking = re.sub(r"\s+each$", "", asking)
    by_whom = None if " or " in before else _BY_WHOM.match(before)
    if by_whom and not re.match(rf"{AUXILIARY}|\w+s$", by_whom.group("verb")):
        verb = by_whom.group("verb").lower()
        participle = _PARTICIPLES.get(verb, verb)
        if by_whom.group("what").lower().endswith(("s", "people")):
            be = "were"
        else:
            be = "was"
        what, out = _PARTICLE.findall(by_whom.group("what"))[0]  # "who brought A out"
        return f"{asking} {be} {what} {participle}{out}"
    happened = _HAPPENED.match(before)
    if happened and asking.lower().startswith(("how much", "how many")):
        return f"{asking} was {happened.group('what')}"
    one = _WHICH_WILL.match(before)
    if one:
        return f"{asking} {one['verb']} the {one['who']} {one['rest']}"
    rest = _ASKED_FIRST.sub("", before)
    if rest == before and _ASKS_WHETHER.match(before):  # "Does it survive, and for how long?"
        rest = f"{rest[:1].lower()}{rest[1:]}"
    counted = _COUNTED.match(rest) if before[:4].lower() == "how " else None
    if counted:  # "how many shares did A buy": shares are bought, and "how many days may be lost": days are
        what, verb, done = counted.groups()
        doing = _DOER.match(done)
        rest = f"{verb} {what} {done}"
        if doing:
            rest = f"{verb} {doing['who']} {doing['does']} {what}{doing['more']}"
    return f"{asking} {rest}"
