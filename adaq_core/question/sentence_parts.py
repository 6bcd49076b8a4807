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
    asked_of_both_sides,
    begins_to_ask,
    dangles,
    in_full,
    linear,
)
from adaq_core.question.conditions import inside, is_instruction, is_means
from adaq_core.question.labels import (
    ASKS_AHEAD,
    EDGE,
    ELLIPSIS,
    LABEL_AT_MOST,
    LABELLED,
    SAID_OF,
    AskedPart,
    Span,
    is_label,
    of_each,
    of_label,
    things_of_label,
)
from adaq_core.text.tokens import STOP_WORDS, tokens

# What stands further away from a cut than this is not looked at, so that a sentence of any length is read in one pass.
_LONGEST_PIECE = 800  # characters; bounds the work on a hostile text
_POLITE = linear(
    r"(?i)(?:(?:please|kindly|hey|hi|hello|also|and|so|(?:just\s+)?curious(?=,)|tell\s+me(?=,)|sorry\s[^,?;:]{0,60},\s+but)[,\s]+"
    # "First, who leads A?", but "first airline to fly B" asks for the first.
    r"|(?:then|next|finally|lastly|further|moreover|additionally|secondly|thirdly|first|firstly)"
    rf"(?:,\s*|\s+(?=(?:{QUESTION_WORD}|{AUXILIARY}|{IMPERATIVE})\b))){{0,4}}"
    r"(?:(?:could|would|will)\s+you\s+(?:(?:please|kindly)\s+)?|(?:can|could)\s+(?:any|some)(?:one|body)\s+(?=tell\b)"
    # "Can you list the risks" asks for the list, "Can you delete a vector" whether one can.
    rf"|can\s+you\s+(?:(?:please|kindly)\s+|(?=(?:{IMPERATIVE}|{QUESTION_WORD}|help|walk|talk|run|take|break|bring|fill|clue|catch|brief|remind"
    r"|pull|put|draw|write|make|check|confirm|say|let|look|recap|(?:get|give)\s+(?:me|us)|just|quickly|briefly|also)\b)))?"
    r"(?:(?:(?:i\s+(?:want|would\s+like|['’]d\s+like|need)|i['’]d\s+like)\s+to\s+(?:know|understand|learn)|(?:tell|remind)\s+me(?:\s+again)?|"
    r"let\s+me\s+know|(?:do\s+you|does\s+any(?:one|body))\s+know|any\s+(?:idea|chance\s+(?:you|anyone)\s+knows?)|i\s+wonder|i\s+am\s+wondering|(?:i['’]m|i\s+am|we['’]re|we\s+are)\s+looking\s+for(?=\s)"
    # "Talk me through bank capital rules" asks about them.
    r"|give\s+(?:me|us)(?:\s+(?:an?|the)\s+(?:(?:quick|brief|short|full)\s+)?(?:overview|rundown|run-down|lowdown|gist|recap)\s+(?:of|on))?"
    r"|(?:talk|walk|run|take)\s+(?:me|us)\s+through|(?:(?:what\s+is|give\s+(?:me|us))\s+)?(?:the\s+)?state\s+of\s+play\s+(?:on|in|with|of|for)|(?:fill|clue)\s+(?:me|us)\s+in\s+on|catch\s+(?:me|us)\s+up\s+on|brief\s+(?:me|us)\s+on|(?:a\s+)?(?:quick\s+)?(?:briefing|primer|deep[\s-]dive)\s+(?:on|into)|(?:bring|get)\s+(?:me|us)\s+up\s+to\s+(?:speed|date)\s+on"
    r")\s+(?:about\s+)?)?"
    # "Explain how it works" asks how it works.
    rf"(?:(?:explain|describe|summari[sz]e|outline|clarify|show|say)\s+(?:(?:to\s+)?(?:me|us)\s+)?"
    # … but "how it works" and "what it is" have plans of their own.
    rf"(?!how\b[^?]{{1,80}}?\b(?:works?|functions?|operates?)\b|what\b[^?]{{1,80}}?\b(?:is|are|means?|does)\W{{0,2}}$)"
    rf"(?=(?:{QUESTION_WORD}|whether)\b))?"
)
_PREFACE = linear(
    rf"(?is)(?:(?:from|in|using)\s+(?:the|these|our)\s+(?:documents|files|papers|reports|texts),?\s+)?(?:(?:hey|hi|hello|ok|okay)[,\s]\s*)?"
    rf"(?:i|we|my|our|it|please|can\s+you|could\s+you|would\s+you|tell(?!\s+me,)|help|for)\b.{{0,400}}?"
    rf"\b(?<!\bcan\s)(?:understand|know|learn|hear|see|tell\s+(?:me|us)|find\s+out|figure\s+out|wonder(?:s|ing)?|clarify|determine|ask(?:s|ed|ing)?"
    rf"|put\s+together|set\s+out|work\s+out|pull\s+together|lay\s+out|write\s+up|draw\s+(?:out|up))\b"
    rf"[^?;:]{{0,80}}?\s(?=(?:{QUESTION_WORD}|whether)\b)"
)
# "A is ours and I have to explain …, so please summarise, from its filing, how far …": what is ordered is asked.
_ORDERED = linear(
    rf"(?i)\bplease\s+[a-z]{{2,14}}(?:\s+(?:out|up|together|down|through))?\b[^?;:]{{0,120}}?\s(?=(?:{QUESTION_WORD}|whether)\b)"
)
_BEFORE_ORDER = 400  # characters
_ENDS_EARLIER = re.compile(r"[?;:]")
_POLITELY = linear(r"(?i)(?:can|could|would|will)\s+you\b")
# What stands in front of the first thing asked, and begins as a question does: "What I would like to have is".
_WANTED = linear(
    r"(?i)(?:what\s+(?:i|we)(?:\s+(?:would\s+(?:like|need)|want|need|am\s+after|are\s+after)|\s*['’]d\s+like)\b[^?:;]{0,60}?\s(?:is|are)\s*:?"
    r"|(?:can|could|would|will)\s+you\s+(?:please\s+)?(?:put\s+together|set\s+out|work\s+out|pull\s+together|lay\s+out|write\s+up)\b[^?:;]{0,60}?)"
    rf"\s+(?=(?:{QUESTION_WORD}|whether|the)\b)"
)
_OPENS = (
    r"(?:in|under|per|for|at|during|as\s+of|among|from|since|after|before|until|according\s+to|based\s+on|basing|given|"
    r"considering|with|within|across|on|of|outside|excluding|except\s+for|besides|apart\s+from|regarding|concerning|"
    r"as\s+(?:reported|described|stated|defined|for)|throughout|between|by|using|through|despite|following|unlike|like|"
    r"if|when|while|where|taking|drawing|assuming|relying|compared|relative|due\s+to|because\s+of|to)"
)
_ASK_AHEAD = rf"(?:(?:{ASKS}|{AUXILIARY}|{IMPERATIVE})\b|how['’]s|what['’]s|who['’]s)"
_OPENING = linear(rf"(?i){_OPENS}\b[^?!;]{{1,320}}?[,:]\s+(?=(?:please\s+)?{_ASK_AHEAD})")
# "If a supplier is owned by staff, does this have to be declared?": the case is what is asked about.
_CASE = linear(r"(?i)if\s")
_POINTS_BACK = linear(rf"(?i){AUXILIARY}\s+(?:this|that|it|they|he|she|these|those)\b")
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
_ASKS_WHETHER_TOO = linear(r"(?i:can|do|does|did|will|must)\s[a-z]{3,20}\s[a-z]{3,20}")
_STARTS_ASKING = linear(_STARTS)
_CUT = linear(
    rf"(?P<semi>\s*;\s*(?:(?:and|or|but|also)[,\s]\s*)?|,?\s+(?:and\s+)?\((?:[a-h1-9]|i{{1,3}})\)\s+)"
    rf"|(?P<colon>:\s+)(?={_ASK_AHEAD}\s|(?i:please)\s)"
    rf"|(?P<joined>,?\s+(?i:and|but|or),?\s+(?:(?i:also|finally|then|lastly|if\s+(?:so|not)),?\s+)?)(?={_STARTS}|(?i:can|do|does|did|will|must)\s[a-z]{{3,20}}\s[a-z]{{3,20}})"
    rf"|(?P<comma>,\s*(?:(?i:then|finally)\s+)?)(?=(?i:{ASKS}|whether|(?:do|does|did|is|was|are|were|can|has)\s+(?:it|they|he|she)|(?:by|from|to|with)\s+whom|for\s+how\s+much)\b)"
    rf"|(?P<while>,?\s+(?i:while|whereas)\s+)"
)
_CUT_TO_ASK = linear(rf"(?i)[:;?]\s+(?:please\s+)?{_ASK_AHEAD}\s")
# What is wanted may stand behind the colon of an order: "Write it for a lay person: the amount paid, what …"
_THINGS_WANTED = linear(r"(?i):\s+(?=(?:the|its|their|an?)\s[^:;?]{3,200}?,\s)")
_ASKS_WHEN = re.compile(r"(?i)(?:when|where) (?:is|was|did|does|are|were) (?:it|that|this|they|he|she)\b")
_TITLE = re.compile(r"[A-Z][a-z]{1,20} [A-Z][a-z]")
_RELATIVE = linear(r"(?i)^(?:(?:\w{1,8}\s+)?(?:which|who|whom|whose|where|when))\b")
_WORD = linear(r"\w[\w'’-]{0,40}")
# Behind "while": what goes on at the same time, and no second question.
_DURING = linear(r"(?i)^(?:\w{2,20}ing|it|they|he|she|we|you|one)\b")
_WITH_PREPOSITION = linear(rf"(?i)^{AHEAD}\s")
_BARE_ASK = linear(
    rf"(?i)^(?:(?:by|for|with|to)\s+)?{QUESTION_WORD}(?:\s+(?:much|many|long))?\s*(?:,|$|(?:and|or)\s(?:{AHEAD}\s+)?{QUESTION_WORD}\b)"
)
_ASKS_OF_IT = linear(r"(?i)^(?:who|when|where)\b[^,]{1,60}?\b(?:it|they|them)\b")
_ASKS_SINCE = linear(
    rf"(?i)^{AHEAD}\s+(?:when|where|what|how)\b(?:\s[a-z]{{2,20}}){{0,2}}?\s{AUXILIARY}\s"
)  # "…, since when did it lack it"
_OF_ANOTHER = linear(
    rf"(?i)^{QUESTION_WORD}(?:\s(?:much|many|long|often))?\s(?P<verb>do|does|did|is|are|was|were|can|will)\s(?P<name>{ONE_NAME})$"
)
_OF_ONE = linear(
    rf"(?i)^(?P<asks>{QUESTION_WORD}\b.{{0,80}}?)\s(?P<verb>do|does|did|is|are|was|were|can|will)\s{ONE_NAME}\s(?P<rest>[a-z].{{1,120}})$"
)
# "Where does X get its name from, and who …": the preposition belongs to the question word.
_STRANDED = linear(
    rf"(?i)^(?:what|who|whom|where|which|how\s(?:much|many|long|far))(?:['’]s\s|\b.{{1,160}}\b{AUXILIARY}\s).{{1,160}}\s(?:about|against|at|by|for|from|in|of|on|to|under|with)$"
)
# "… what the research found on that", "without losing what they are about" are whole.
_LONGEST_END = 80  # characters
_ENDS_WELL = linear(
    r"(?i)\b(?:on|of|about|for|to|with|from|by|in|at|behind)\s+that$|(?:^|\s)(?:what|whom|which|who)\s(?:\S{1,20}\s){2,6}(?:about|for|from|of|with|to|by|in|on)$"
)
_BARE_ASK_AGAIN = linear(rf"(?i)^{QUESTION_WORD}\b")
_GOES_ON_ASKING = linear(rf"(?i)^[^,]{{1,120}},\s+(?:and|or)\s+(?:{QUESTION_WORD}|{AUXILIARY})\s")
_BY_WHOM = linear(r"(?i)^who\s+(?P<verb>\w{2,20})\s+(?P<what>.{1,200})$")
_ASKS_WHETHER = linear(rf"(?i)^{AUXILIARY}\s")
_COUNTED = linear(rf"^(?P<what>[a-z-]{{2,20}}(?:\s[a-z-]{{2,20}})?)\s(?P<verb>{AUXILIARY})\s(?P<rest>.{{1,300}})$")
_DOER = linear(
    rf"^(?P<who>{ONE_NAME}|(?:the|its|their)\s\w{{2,20}}|it|they|he|she|we|you)\s(?P<does>[a-z]{{2,20}})(?P<more>\b.{{0,300}})$"
)
_PARTICLE = linear(r"^(.{1,200}?)(\s(?:out|up|down|off|over|together)|)$")
_ASKED_FIRST = linear(
    rf"(?i)^(?:{AHEAD}\s+(?:which|what)(?:\s+[a-z-]{{2,20}}){{1,3}}?\s+(?={AUXILIARY}\b)"
    rf"|(?:which|what)\s+(?:year|month|day|date|time|city|town|country|state)\s+(?={AUXILIARY}\b)"
    rf"|{QUESTION_WORD}(?:\s+(?:much|many|often|long))?\s+)"
)
_WHICH_WILL = linear(
    rf"(?i)^which\s+(?P<who>(?!(?:year|month|day|date)\b)[a-z]{{3,24}})\s+(?P<verb>{AUXILIARY})\s+(?P<rest>.{{1,200}})$"
)
_HAPPENED = linear(
    r"(?i)^(?:when|where|why|how)\s+(?:do|does|did|will)\s+(?P<what>.{1,200})\s+(?:end|start|begin|expire|happen|open|close|occur)$"
)
_PARTICIPLES = {"wrote": "written", "gave": "given", "took": "taken", "began": "begun", "drew": "drawn", "chose": "chosen",
                "sang": "sung", "won": "won", "made": "made", "built": "built", "led": "led", "bought": "bought"}  # fmt: skip
_HEAD = linear(
    r"(?i)^(?P<head>which\s+(?:of\s+(?:the|these|those)\s+)?(?:(?!(?:is|was|has|does)\s)[\w'’-]{1,30}\s+){0,2}?(?!(?:is|was|has|does)\s)[\w'’-]{1,30}s)\s"
)
_BARE_WHICH = linear(
    rf"(?i)^(?:which|who)\s+(?P<verb>(?:{AUXILIARY}|\w{{2,20}}ed|lost|won|made|sold|grew|fell|rose|bought|paid|hold|face|depend|own|use|rely|make)\b.{{1,400}})$"
)


@dataclass(frozen=True, slots=True)
class SentenceParts:
    """What a sentence is made of; all spans are ranges of the question."""

    opening: Span | None
    instructions: tuple[Span, ...]
    asked: tuple[AskedPart, ...]


# "I look after A and want an overview of the following: how …" says why one asks.
_OF_ONESELF = linear(r"(?i)^(?:i|we|my|our)\s")


def read_sentence(question: str, start: int, end: int) -> SentenceParts:
    """Cut the sentence `question[start:end]` into opening phrase, instructions and what it asks."""
    start, end = trimmed(question, start, end)
    if each := of_each(question, start, end):
        return SentenceParts(None, (), tuple(each))
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
    last = question[slice(*pieces[1])] if len(pieces) > 1 else ""
    is_told_first = bool(asks_of_statement(last.strip(EDGE)))
    for span in pieces:
        piece = question[span[0] : span[1]]
        is_first = len(pieces) > 1 and span == pieces[0]
        is_why = (is_first and _OF_ONESELF.match(piece) is not None) or is_instruction(piece)
        (instructions if is_why and not (is_first and is_told_first) else asked).append(span)
    only_polite = (
        preface is not None and _POLITELY.match(question, preface[0]) and _POLITE.fullmatch(question, *preface)
    )
    instructions += [preface] if preface and not only_polite else []
    if opening and is_means(question[opening[0] : opening[1]]):
        instructions, opening = [*instructions, opening], None
    parts = [part for span in asked for part in _completed(question, span, instructions)]
    parts = [replace(part, text=in_full(part.text)) for part in of_label(question, parts)]
    return SentenceParts(opening, tuple(_outermost(instructions)), tuple(_filled(parts)))


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
    left = len(piece) - len(piece.lstrip(EDGE))
    right = len(piece) - len(piece.rstrip(EDGE))
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
    if _OF_TWO_AHEAD.match(match[0]):
        return None  # "Of A and B, which is older" asks which of them it is
    if match[0].rstrip().endswith(":") and SAID_OF.match(match[0]) and len(match[0].split()) <= LABEL_AT_MOST:
        return None  # "Regarding A: when did its strike end" asks of A
    return (start, match.end())


_OF_TWO_AHEAD = linear(rf"(?i)(?:of|between|among)\s+{ONE_NAME}\s+(?:and|or)\s+{ONE_NAME},")


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
    left = left.strip(EDGE)
    labelled = LABELLED.match(left)
    if labelled and is_label(labelled["name"]) and begins_to_ask(labelled["asks"]):
        left = labelled["asks"]  # "A - who runs it, and since when?"
    if ASKS_AHEAD.match(left):
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
    if _ASKS_WHETHER_TOO.match(right) and not _STARTS_ASKING.match(right):
        return _ASKS_WHETHER.match(left) is not None  # "Is breakfast included and can dogs stay?"
    word = _first_word(right)
    if how == "comma":
        return _asks_again(left, right, word)
    if _TITLE.match(right) and any(word.islower() and word not in STOP_WORDS for word in left.split()):
        return False  # "…, All the Marbles or What Ever Happened to Baby Jane"
    if _ASKS_WHEN.match(right):
        return True  # "Who was there when it was signed and when was that?"
    relative = _RELATIVE.match(right)
    # "The man who founded X and who …" goes on with a relative clause.
    return relative is None or re.search(rf"\s{relative[0].split()[-1]}\b", left, re.IGNORECASE) is None


def _first_word(text: str) -> str:
    match = _WORD.match(text)
    return match.group().lower() if match else ""


_AGAIN = frozenset(("what", "how", "why", "do", "does", "did", "is", "was", "are", "were", "can", "has"))


def _asks_again(left: str, right: str, word: str) -> bool:
    """Whether a question word behind a comma asks anew: "what is X, how does it work"; "which" only beside "which"."""
    if (
        word in _AGAIN
        or ELLIPSIS.match(right.split(",")[0].strip(EDGE))
        or any(asks.match(right) for asks in (_BARE_ASK, _ASKS_OF_IT, _ASKS_SINCE))
    ):
        return True
    if begins_to_ask(left) and _GOES_ON_ASKING.search(right):
        return True
    return word == _first_word(left) and re.search(rf",?\s(?:and|or)\s+{word}\b", right) is not None


def _completed(question: str, span: Span, instructions: Sequence[Span]) -> list[AskedPart]:
    """What the piece asks without the instructions in it, of each thing in front of a colon."""
    text = in_full(_without(question, span, instructions))
    each_asked = asked_behind(text) if text else []
    if each_asked == [text]:
        each_asked = [asked for thing in things_of_label(text) for asked in asked_behind(thing)]
    return [AskedPart(asked_ahead(side), span) for each in each_asked for side in asked_of_both_sides(each)]


def _without(question: str, span: Span, instructions: Sequence[Span]) -> str:
    start, end = span
    kept, at = [], start
    for begin, stop in sorted(instructions):
        if start <= begin < end:
            kept.append(question[at : max(at, begin)])
            at = max(at, min(stop, end))
    kept.append(question[at:end])
    return " ".join(" ".join(kept).split()).strip(EDGE).replace(" ?", "?")


def _filled(parts: Sequence[AskedPart]) -> list[AskedPart]:
    """The parts, with what "and when?" or "which had a strike" takes over from the part before."""
    made: list[AskedPart] = []
    whole = ""  # the last part that asked in full
    for part in parts:
        text = part.text
        before = whole or (made[0].text if made else "")
        if tokens(before) and ELLIPSIS.match(text):
            text = _with_predicate(text, before)
        elif made and (left_out := _same_of_another(text, made[-1].text)):
            text = left_out
        elif made and (bare := _BARE_WHICH.match(text)) and (head := _HEAD.match(made[0].text)):
            text = f"{head.group('head')} {bare.group('verb')}"
        made.append(AskedPart(text, part.span))
        if not (ELLIPSIS.match(part.text) or _WITH_PREPOSITION.match(text)):
            whole = text
    return made


def only_asks(text: str) -> bool:
    """Whether a part has nothing of its own to look for: "on what day", "and by how many percent each"."""
    return ELLIPSIS.match(text) is not None


# "Sales of A fell in May. What drove it?" asks why they fell.
_WHY = linear(
    r"(?i)^(?:(?:what|who)\s+(?:drove|caused|explains?|explained|triggered|led\s+to|(?:is|was|lies|lay)\s+behind)\s+(?:it|this|that)|"
    r"how\s+come|(?:what\s+(?:is|was|were)\s+the\s+)?(?:reasons?|causes?))$"
)
_WHICH_ONE = linear(r"(?i)^(?:which(?:\s+ones?)?|who)$")
# "I read that A bought B; when was that?", "Our broker says that A was fined. Is that right?"
_OF_IT_ALL = linear(
    r"(?i)^(?P<asks>when|where|how\s+much|how\s+many|how\s+long\s+ago)\s+(?:is|was|did)\s+(?:it|that|this)(?:\s+happen)?$"
)
_CONFIRMS = linear(
    r"(?i)^(?:(?:is|was)\s+(?:it|that|this)\s+(?:right|true|correct|so|the\s+case|accurate|still\s+true)|right|true|correct|confirmed)$"
)
SAID_BY = linear(
    r"(?i)^(?:i|we|they|people|some(?:one|body)?|(?:my|our|an?|the)\s[\w-]{2,20}(?:\s[\w-]{2,20})?)(?:['’]ve)?(?:\s(?:have|has|had|also|just|am|are|was|were)){0,2}"
    r"\s(?:hears?|heard|reads?|saw|seen|says?|said|claims?|claimed|thinks?|thought|believes?|believed|understands?|know|noticed|assumes?"
    r"|keep\ssaying|(?:told|tells?)(?:\s(?:me|us))?)(?:\s(?:somewhere|online|today|yesterday))?\s(?:that\s)?"
)


def asks_of_statement(text: str) -> str:
    """What a part asks of the statement before it, in words that the statement goes on; empty where it asks its own."""
    if _WHY.match(text):
        return "Why"
    if _CONFIRMS.match(text):
        return "Is it true that"
    if asked := _OF_IT_ALL.match(text):
        return f"{asked['asks']} was it that"
    return text.split()[0] if _WHICH_ONE.match(text) else ""


_COMPARES = linear(
    rf"(?i)^how\s(?:does|do|did)\s(?:that|this|it|they|these|those)\scompare\s(?:with|to|against)\s(?:that\sof\s)?(?P<name>{ONE_NAME})(?:['’]s)?(?:\sfor\sthe\ssame\s[a-z]{{3,12}})?$"
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
    asking = re.sub(r"(?<!\s)\s+each$", "", asking)
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
