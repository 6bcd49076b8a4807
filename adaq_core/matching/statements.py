"""What a sentence states word for word: whether it says just what is asked, and the plain statements that it makes.

"Ann Lee (born 1960), also known as Al, is a painter, poet and critic who won the Prize" states that Ann Lee was born in
1960, is also known as Al, is a painter, is a poet, is a critic, won the Prize. Who is the founder of A founded A; what
is in Oslo, Norway is in Norway. Nothing else is added but "is" or "was" where it was left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice, takewhile
from typing import NamedTuple

from adaq_core.matching.lexicon import forms_of
from adaq_core.question.answer_kinds import AUXILIARIES, DOER, PREPOSITIONS
from adaq_core.text.entities import names
from adaq_core.text.tokens import STOP_WORDS, Word, spans, stem, terms_of, words
from adaq_core.text.values import MONTH_NAMES, SMALL_NUMBERS

# "Was A sold?" is said outright by "In May A was sold to B": in its words and their order.
ASKS_IF = re.compile(
    rf"(?i)(?:so |and |but )?(?P<how>whether|is it true that|{'|'.join(AUXILIARIES)}) (?P<what>[^?]{{4,300}}?)\W*$"
)
# What is asked of a thing and a verb behind it: "What does A contain?"; things that are named: "List the parts of A".
_ASKS_WHAT = (
    re.compile(
        rf"(?i)(?:what|why|how|where|when|(?:what|which)(?: [\w'’-]{{1,30}}){{1,4}}?) (?P<how>{'|'.join(AUXILIARIES)})"
        r" (?P<what>[^?]{4,300}?)\W*$"
    ),
    re.compile(rf"(?i)(?:list|name|state|tell me) what (?!(?:{'|'.join(AUXILIARIES)})\b)(?P<what>[^?]{{4,300}}?)\W*$"),
    re.compile(r"(?i)(?:list|name|state) (?P<are>the [^?]{4,300}?)\W*$"),
)
# Of what is told, words that only number or hedge it may stand between those that are asked.
_MAY_STAND_BETWEEN = frozenset(
    words("usually often mainly mostly generally commonly typically normally primarily largely also chiefly both")
).union(SMALL_NUMBERS)
_ASKS_HOW_TO = re.compile(
    r"(?i)(?:how to|how (?:do|can|should|would) (?:i|you|we|one)"
    r"|(?:what|which steps) (?:do|must|should) (?:i|you|we|one) (?:have to |need to )?(?:do|take) (?:in order )?to)"
    r" (?P<what>[^?]{4,300}?)\W*$"
)
_OF_THE_READER = {"my": "your", "our": "your", "me": "you", "i": "you"}
_IT_SELF = re.compile(r"(?:It|He|She|They) ")
_NOT = re.compile(r"n['’]t\b")
_AMERICA = re.compile(r"\bU\.?S\.?(?:A\b)?(?!\w)")
_SAY_NOTHING = frozenset(("the", "any", "ever"))
_ONE = frozenset(("a", "an"))
_DENYING = frozenset(("not", "never", "no"))
_DO = frozenset(("do", "does", "did"))
_HAS = frozenset(("has", "have", "had"))
_BEFORE_NO = _HAS | {"is", "are", "was", "were"}
_BE = {"is": ("is", "are"), "are": ("is", "are"), "was": ("was", "were", "been"), "were": ("was", "were", "been")}
# By the word that asks, words that may stand in the sentence for it.
_BESIDE = {"was": _HAS | {"been"}, "were": _HAS | {"been"}, "do": {"does"}, "does": {"do"}, "did": _HAS}
_MEANWHILE = ("also", "currently")
# "A Danish film" is a film; what is "a former film" or "a part of a film" is none.
_MAY_DESCRIBE = 5  # words behind "a"
_NO_SUCH = frozenset(
    words(
        "former future proposed planned alleged fake acting deputy vice assistant honorary possible potential failed"
        " aspiring unofficial retired nearly almost or and that which who"
    )
).union(PREPOSITIONS, _DENYING)
# A time in front of a clause without a comma: "On 3 May 2020 Pongo was …".
AT_A_TIME = rf"(?:(?:in|on|by|since) (?:\d{{1,2}} )?(?:(?:{MONTH_NAMES}) )?(?:\d{{1,2}}, )?\d{{4}},? )?"
_BEGINS = re.compile(
    r"(?i)(?:^|[.;:!?] |, (?:and|but|so|while|although|though|whereas) |^(?:although|though|while) )"
    r"(?:(?:in|on|by|since|at|during|as of|from|for|after|before) [^,;]{1,50}, )?"
    rf"{AT_A_TIME}(?:the |an? )?"
    r"(?:(?:two|three|four|five|six|seven|eight|nine|ten) )?$"
)
_BOUNDS = re.compile(
    r"(?i),? ?(?:until|unless|if|except|but not|according|at first|initially|no longer|depending|or|whether|than"
    r"|(?<!\d )when|in (?:theory|principle)|for now|only)\b"
)
# "A car" goes on in "a car company": there it is another thing.
_GOES_ON = re.compile(r"\s?[^\w\s]|\s\w+(?:ed|ing|ly)\b|\s\d")
_ENDS_THERE = STOP_WORDS.union(PREPOSITIONS)
_YEAR_OF_NAME = re.compile(r"(?<=\bthe )\d{4} (?=[A-Z])")
_FAR = 200  # words, and characters
_ROOT = 3  # letters that the forms of most words share


@lru_cache(maxsize=1 << 12)
def said_outright(question: str, text: str, title: str = "", speaker: frozenset[str] = frozenset()) -> bool | None:
    """Whether a sentence says what is asked in its words and their order, or denies it so; None where it does neither.

    "He", "it" may stand for what the title names, and "we" for the `speaker`, given by the terms of its name. What
    bounds it behind ("until May", "if A agrees") leaves it open.
    """
    asks = ASKS_IF.match(question)
    if asks is None:
        return None
    how = asks["how"].lower()
    how = how if how in AUXILIARIES else "did"  # "whether A sold B"
    asked = _words_in(_AMERICA.sub("United States", asks["what"]))
    text = _AMERICA.sub("United States", _NOT.sub(" not", text))
    read = (_said_whole(how, each, text, title) for each in _as_told_by(speaker, asked))
    said = next(filter(None, read), None)
    return said.affirms if said else _stated_in_part(how, asked, text, title)


def _as_told_by(speaker: frozenset[str], asked: Sequence[str]) -> Iterator[Sequence[str]]:
    """What is asked, and the same as it is told by the one that it opens with: "we", "the Company"."""
    yield asked
    own = list(takewhile(lambda word: bool(terms_of(word)) and terms_of(word) <= speaker, asked))
    if own:
        yield ["we", *asked[len(own) :]]
        yield ["company", *asked[len(own) :]]


def told_outright(question: str, text: str, title: str = "") -> bool:
    """Whether a sentence says in its words and their order what a question says of a thing: only the answer is added.

    "What does A contain?" and "A contains bass and pike"; "how do I pay?" and "to pay, ask for a bill".
    """
    if purpose := _ASKS_HOW_TO.match(question):
        asked, told = _to_the_reader(purpose["what"]), f"{_to_the_reader(text)} "
        by_what = (f"you can {asked} {word} " for word in ("by", "using", "with", "through"))
        return told.startswith((f"to {asked} ", *by_what))
    return bool(behind_what_is_asked(question, text, title))


def _to_the_reader(text: str) -> str:
    """The words of a text without articles, with those of who asks as they are told to them: "my" is "your"."""
    return " ".join(_OF_THE_READER.get(word, word) for word in _words_in(text))


def behind_what_is_asked(question: str, text: str, title: str = "") -> str:
    """What a sentence adds behind the words of a question that it says: "bass and pike"; empty where it says others."""
    found = (pattern.match(question) for pattern in _ASKS_WHAT)
    given = next((asks.groupdict() for asks in found if asks), None)
    if given is None:
        return ""
    things, what = given.get("are"), given.get("what")
    how = given.get("how") or ("are" if things else "does")
    text = _NOT.sub(" not", text)
    asked = _words_in(things or what or "")
    said = _said_whole(how.lower(), asked, text, title, ends=False)
    if said is None:
        return _behind_in_part(how.lower(), asked, text, title)
    return text[said.end :] if said.affirms else ""


def _behind_in_part(how: str, asked: Sequence[str], text: str, title: str) -> str:
    """The same of one of the statements that a sentence makes of its subject."""
    named, told = statements(text, title)
    rest = next(filter(None, (_behind(name, asked) for name in map(_words_in, named))), ())
    read = ((each, _read_on(how, rest, _telling(each), each, ends=False)) for each in told) if rest else ()
    return next((each[said.end :] for each, said in read if said and said.affirms), "")


class _Said(NamedTuple):
    """Whether a text affirms what is asked, and where the words end that say so."""

    affirms: bool
    end: int


def _said_whole(how: str, asked: Sequence[str], text: str, title: str, *, ends: bool = True) -> _Said | None:
    """Whether a clause of a sentence says it from its first word on, or from "it" on below its title."""
    if not asked:
        return None
    told = _telling(text)
    itself = _IT_SELF.match(text)
    if itself and (rest := _behind(_words_in(_without_aside(title)), asked)):
        behind = [word for word in told if word.start >= itself.end()]
        return _read_on(how, rest, behind, text, ends=ends)
    for place, word in enumerate(told):
        if word.word == asked[0] and _begins(text, word.start):
            said = _read_on(how, asked, told[place : place + _FAR], text, ends=ends)
            if said is not None:
                return said
    return None


def _behind(name: Sequence[str], asked: Sequence[str]) -> Sequence[str]:
    """What is asked behind a name with which that begins; nothing where it does not."""
    return asked[len(name) :] if name and asked[: len(name)] == name else ()


def _without_aside(title: str) -> str:
    return title.split(" (")[0]


def _telling(text: str) -> list[Word]:
    """The words of a text but those that say nothing here."""
    return [word for word in spans(text) if word.word not in _SAY_NOTHING]


def _words_in(text: str) -> list[str]:
    return [word.word for word in _telling(text)]


def _begins(text: str, start: int) -> bool:
    """Whether a clause begins with the word there, or with a time in front of it."""
    return _BEGINS.search(text, max(0, start - _FAR), start) is not None


def _stated_in_part(how: str, asked: Sequence[str], text: str, title: str) -> bool | None:
    """The same of one of the statements that a sentence makes of its subject, where it has the words asked."""
    near = {word[:_ROOT] for word in words(f"{text} {title}")}
    strange = [word for word in asked if word not in STOP_WORDS and word[:_ROOT] not in near]
    if len(strange) > 1:
        return None
    named, told = statements(text, title)
    for name in map(_words_in, named):
        if rest := _behind(name, asked):
            read = (_read_on(how, rest, _telling(each), each) for each in told)
            said = next(filter(None, read), None)
            return said.affirms if said else None
        turned = _in_other_voice(how, asked, name)
        if turned is not None:
            return any(_says_deed(turned, each) for each in told) or None
    return None


_DONE_BY = re.compile(r"(?:was|were) (?:[a-z]+ly |first )?(?P<did>[a-z]{3,20}) (?:[^,;]{1,60} )?by (?P<what>.+)")
_DID_IT = re.compile(r"(?P<did>[a-z]{3,20}) (?P<what>.+)")


class _Deed(NamedTuple):
    """A deed told from its other side: the form of its statement, its verb, and who or what stands behind that."""

    form: re.Pattern[str]
    verb: str
    what: Sequence[str]


def _in_other_voice(how: str, asked: Sequence[str], name: Sequence[str]) -> _Deed | None:
    """What a statement of `name` has to say for a question of another: "Did A found B?" of B, "Was B founded by A?"."""
    behind = len(asked) - len(name)
    if not name or asked[behind:] != name:
        return None
    match (how, *asked[:behind]):
        case ("did", *who, verb) if who:
            return _Deed(_DONE_BY, verb, [word for word in who if not word.endswith("ly")])
        case ("was" | "were", *what, verb, "by") if what:
            return _Deed(_DID_IT, verb, what)
    return None


def _says_deed(deed: _Deed, told: str) -> bool:
    """Whether a statement says, in its form, that this was done by or to what is asked about."""
    said = deed.form.match(told)
    if said is None or not _is_same_word(deed.verb, said["did"], "did"):
        return False
    behind = _telling(said["what"])
    if not _behind(deed.what, [word.word for word in behind] + [""]):
        return False
    end = behind[len(deed.what) - 1].end
    return _ends(said["what"], end, behind[len(deed.what) :]) and _BOUNDS.match(said["what"], end) is None


def _ends(text: str, end: int, rest: Sequence[Word]) -> bool:
    """Whether what is said ends there, and is no part of a longer name: "a car" of "a car company"."""
    if not rest or rest[0].word in _ENDS_THERE or text[end - 1].isdigit():
        return True
    return _GOES_ON.match(text, end) is not None


def _read_on(how: str, asked: Sequence[str], told: Sequence[Word], text: str, *, ends: bool = True) -> _Said | None:
    """Whether the words told go on as those asked, with nothing between but what asks and what denies.

    What is told may go on behind them, unless it `ends` there.
    """
    saying = _HAS if how in _HAS else frozenset(_BE.get(how, (how,)))
    beside = saying.union(_BESIDE.get(how, ()), ("not", "never"), _MEANWHILE)
    passed: list[str] = []
    left = list(asked)
    last, end, may_describe = "", 0, 0
    for place, word in enumerate(told):
        if not left:
            if ends and not _ends(text, end, told[place:]):
                return None
            if not ends and how == "are" and not passed:  # "the parts of A are"
                passed, end = [word.word], word.end
            break
        may_describe -= 1
        if _is_same_word(left[0], word.word, how):
            left, end = left[1:], word.end
            may_describe = _MAY_DESCRIBE if word.word in _ONE else 0
        elif word.word in beside or (word.word == "no" and last in _BEFORE_NO):
            passed.append(word.word)
        elif _may_be_passed(word, text) or (not ends and word.word in _MAY_STAND_BETWEEN):
            continue
        elif may_describe < 0 or word.word in _NO_SUCH:
            return None
        last = word.word
    is_said = how in _DO or not saying.isdisjoint(passed)
    if left or not is_said or (ends and _BOUNDS.match(text, end)):
        return None
    return _Said(sum(word in _DENYING for word in passed) % 2 == 0, end)


def _may_be_passed(word: Word, text: str) -> bool:
    """Whether a word is the year of a name, which need not be asked: "the 2014 Prize" is the Prize."""
    return _YEAR_OF_NAME.match(text, word.start) is not None


def _is_same_word(asked: str, told: str, how: str) -> bool:
    """Whether two words are the same, or forms of one verb in the time that the question asks of."""
    if asked == told or {asked, told} == _ONE or (asked, told) == ("its", "our"):
        return True
    if how != "did":
        return how in _DO and told in (f"{asked}s", f"{asked}es", f"{asked[:-1]}ies", asked.replace("have", "has"))
    if asked in _HAS or told.endswith("ing"):
        return told in _HAS
    if told in (f"{asked}ed", f"{asked}d"):  # "founded" is no form of "find"
        return True
    return bool(stem(asked)) and not terms_of(told).isdisjoint(forms_of(stem(asked)))


_MOST_OF_ALL = r"(?:[a-z]{2,14}est|(?:most|least) [a-z]{3,16}|first|last|only|main)"
# A question for a part of what is said, and the one whether it is said of some part.
_WITH_PART = (
    (r"(?:when|in (?:what|which) year|on (?:what|which) (?:date|day)) (?P<rest>.+?)", "{rest} {at} {part}"),
    (r"(?:where|in (?:what|which) (?:place|town|city|state|country)) (?P<rest>.+?)", "{rest} {at} {part}"),
    (
        r"(?:how many|what number of) (?P<what>[a-z][\w -]{1,50}?) (?P<how>do|does|did) (?P<rest>.+?)",
        "{how} {rest} {part} {what}",
    ),
    (r"by (?:whom|what|which \w+) (?P<rest>(?:was|were) .+?)", "{rest} by {part}"),
    (r"who (?P<how>is|was) (?P<rest>the .+?)", "{how} {part} {rest}"),
    (rf"(?:what|which) (?P<how>is|was) (?P<rest>the {_MOST_OF_ALL} .+?)", "{how} {part} {rest}"),
    (
        rf"which (?P<what>[a-z][a-z -]{{1,40}}?) (?P<how>is|was) the (?P<most>{_MOST_OF_ALL})(?P<rest>(?: .+?)?)",
        "{how} {part} the {most} {what}{rest}",
    ),
    (rf"which [a-z]{{3,20}} (?P<how>is|was) (?P<rest>the {_MOST_OF_ALL} .+?)", "{how} {part} {rest}"),
    (
        rf"(?:who|(?:which|what) (?:[a-z-]{{2,20}} )?{DOER})"
        r" (?P<rest>(?!is |was |were |did |do |does )[a-z]{3,16} .+?)",
        "did {part} {rest}",
    ),
)
_ASKS_FOR_PART = tuple((re.compile(rf"(?i){asks}\W*$"), said) for asks, said in _WITH_PART)
_GOES_ON_WITH = re.compile(
    r",? (?:and|or|to|until|as well as|through) (?:(?:in|on|at|by) )?(?:the )?[A-Z\d]|[-–—]\w"
    r"|(?:, (?:the )?[A-Z][^,.;]{1,40}){1,8},? and (?:the )?[A-Z]"
)


def says_with_part(question: str, text: str, start: int, end: int, title: str = "") -> bool:
    """Whether a sentence says outright what is asked, with its part from `start` to `end` for the answer.

    "When was Acme founded?" with "1990" of "Acme was founded in 1990 by Ann Lee"; not where others stand beside it.
    """
    if _GOES_ON_WITH.match(text, end):
        return False
    before = text[:start].split()
    parts = {"part": text[start:end], "at": before[-1] if before else ""}
    for asks, said in _ASKS_FOR_PART:
        if form := asks.match(question):
            whole = said.format(**parts, **form.groupdict())
            if said_outright(f"{whole}?", text, title):
                return True
    return False


_ASKS_FOR_ONE = re.compile(rf"(?i)(?:what|which)(?: [a-z][a-z -]{{1,40}}?)? (?:is|was) the {_MOST_OF_ALL}\b(?! of\b)")


_WHICH_ONE = re.compile(rf"(?i)(?:what|which) (?:is|was) (?P<one>the {_MOST_OF_ALL} [^?]{{3,120}}?)\W*$")


def asks_for_one(question: str) -> bool:
    """Whether the only or most such thing is asked for: "Which bank is the largest in the US?"."""
    return _ASKS_FOR_ONE.match(question) is not None


def named_as_the_one(question: str, text: str, title: str = "") -> str:
    """What a sentence says outright to be the only or most such thing that is asked for; empty where it does not.

    A of "A is the largest bank in the United States by assets" for "Which bank is the largest in the US?", and its
    backlog of "The greatest opportunity of Boeing is its backlog".
    """
    if asked := _WHICH_ONE.match(question):
        inverted = re.compile(rf"(?i){re.escape(asked['one'])} (?:is|are|was|were) (?P<is>[^,.;:]{{3,120}})")
        if found := inverted.match(text):
            return found["is"].strip()
    parts = [(name.start, name.end) for name in names(text)[:_MOST]]
    subjects, _ = statements(text, title)
    if subjects and text.startswith(subjects[0]):
        parts.append((0, len(subjects[0])))
    return next((text[a:b] for a, b in parts if says_with_part(question, text, a, b, title)), "")


_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
# What happens to a thing once.
_ONCE = re.compile(
    r"(?i)\b(?:born|die|founded|established|incorporated|formed|created|invented|discovered|built|constructed|completed"
    r"|published|released|premiered|launched|introduced|opened|inaugurated|started|installed|enacted|ratified|fought"
    r"|dissolved|abolished|demolished|signed|killed|buried)\b"
)


def told_of_another_year(question: str, text: str, title: str = "") -> bool:
    """Whether what happens once is asked about for a year, and a sentence says it of another: "born in 1959"."""
    asked = _YEAR.findall(question)
    if len(asked) != 1 or _ONCE.search(question) is None or asked[0] in text:
        return False
    others = {question.replace(asked[0], year) for year in _YEAR.findall(text)}
    return any(said_outright(other, text, title) for other in others)


def says_whether(asked: str, text: str, title: str = "", speaker: frozenset[str] = frozenset()) -> bool:
    """Whether a sentence says outright that what is asked is so, or not so, or tells it of another year."""
    return said_outright(asked, text, title, speaker) is not None or told_of_another_year(asked, text, title)


_BRACKETS = re.compile(r" ?\([^()]{0,200}\)| ?\[[^\[\]]{0,80}\]")
_AHEAD = re.compile(r"(?:In|On|At|By|Since|During|From|For|After|Before|As of) [^,;]{1,60}, ")
_TO_BE = r"(?:is|are|was|were)"
_FINITE = rf"(?:{_TO_BE}|has|have|had|can|will|may)\b"
_PAST = r"(?:[a-z]{3,16}ed|won|wrote|made|built|led|held|sold|took|became)\b"
_DONE = r"(?:[a-z]{2,15}(?<!e)ed|known|built|made|written|sung|drawn|sold|led|held|shot|born|set)"
# "Formerly known as A, B is …"
_OPENER = re.compile(
    r"(?:[A-Z][a-z]{3,12}ly |Also |Better )?[A-Za-z][a-z]{1,14}(?:ed|own|ilt|orn) (?:as|in|by|on|at|for) [^,;]{1,80}, "
    # "A sequel to A, it stars …"
    r"|An? (?:\"[^\"]{1,60}\"|[^,;\"]){3,100}, (?=(?:he|she|it|they) )"
)
_OFTEN = r"(?:(?:also|later|originally) )?"
_BESIDE_DONE = "by|in|at|on|as|for|from|to|of|near|after"
# Its name, what is told of it between commas, and its verb.
_SUBJECT = re.compile(
    r"(?P<who>[^,;:]{2,90}?)(?P<asides>(?:, (?!(?:and|but|or|so)\b)[^,;:]{2,120}){0,5}?)"
    rf"(?:,? (?={_OFTEN}{_FINITE})| (?={_OFTEN}{_PAST})|, (?={_OFTEN}{_PAST} (?!(?:{_BESIDE_DONE})\b)))"
)
_IT_DOES = re.compile(r"(?i)(?P<who>he|she|it)(?P<asides>) (?=[a-z]{3,16}s )")
_PRONOUN = re.compile(r"(?i)he|she|it|they")
_A_KIND = re.compile(r"(?:an?|the) ")
_TELLS_MORE = re.compile(rf"(?:an? |the |(?:(?:also|formerly|originally|better|generally|commonly) ){{0,3}}{_DONE}\b)")
# "…, founded in 900 and known for A, but was sold": each is told of the subject too.
_JOINT = re.compile(
    rf",? (?:and|but) (?:(?:then|also|later|now) )?(?=(?:never )?(?:{_FINITE}|{_PAST}|{_DONE}\b))|, (?={_DONE} )"
)
_WHERE_OR_BY = rf"(?={_DONE} (?:{_BESIDE_DONE})\b)"
_DOING = re.compile(r"(?P<does>[a-z]{3,14})ing(?= (?:to|in|from|on|with)\b)")
# "A genus of conifer tree belonging to B" belongs to B; of "a member of a band founded in 1990" nothing is read.
_OF_BARE = re.compile(
    r" of (?!(?:an?|the|his|her|its|their|two|three|several|many|some|other)\b)(?:[\w-]{2,24} ){1,5}?"
    rf"(?={_DONE} (?:{_BESIDE_DONE})\b|{_DOING.pattern}|in the )"
)
_IN_CLASS = re.compile(r"is in the (?=(?:[\w-]{2,24} ){1,3}(?:family|genus|class|order|tribe|group)\b)")
_IS_A = re.compile(rf"(?P<be>{_TO_BE}) (?P<what>(?:an?|the) .+)")
_IN_LIST = re.compile(r",? (?:and|or) (?:later |(?:an?|the) )?|, (?:(?:an?|the) )?")
_NO_NOUN = re.compile(rf"\b(?:{'|'.join((*AUXILIARIES, *PREPOSITIONS))}|who|which|that|whose|where|when|while|than)\b")
_RELATIVE = re.compile(r",? (?:who|which|that) (?:(?:in|since|from|until|on) (?:[a-z]+ )?\d{4} )?")
_OF_OTHERS = re.compile(
    r"(?<!\bnamed),? (?:who|whom|whose|which|that|where|when|while|although|because|after|before|until|if)\b"
)
_LONGEST, _MOST = 1_000, 32  # characters of a sentence, statements
# A life in brackets behind a name.
_DAY = rf"(?:\d{{1,2}} )?(?:{MONTH_NAMES}) (?:\d{{1,2}}, )?\d{{4}}|\d{{4}}"
_LIFE = re.compile(
    rf"[^()]{{2,80}} \((?:[^();]{{0,120}}; ?){{0,2}}(?:born |b\. |c\. ?)?(?P<born>{_DAY})"
    rf"(?:\)|,| ?[–-] ?(?P<died>{_DAY})?)"
)
# "On 5 May 2017" is in May 2017 and in 2017, "in Oslo in 2017" too; "in the city of Oslo, Norway" in Oslo, in Norway.
_ON_DAY = re.compile(rf"\b(?:on|in) (?:\d{{1,2}} )?(?P<month>{MONTH_NAMES}) (?:\d{{1,2}}, )?(?P<year>\d{{4}})\b")
_PLACE_AHEAD = re.compile(r"\b(?:in|at) (?:the )?[A-Z][\w’'-]{0,30}(?:,? [A-Z][\w’'-]{0,30}){0,4} (?=in \d{4}\b)")
_LOCATED = re.compile(rf"(?P<be>{_TO_BE}) (?:located|situated|based|headquartered) (?=(?:in|near|at|on)\b)")
_PART_OF_PLACE = re.compile(
    r"(?<=\bin )(?:the )?(?:[\w.]{1,16} ){0,2}(?:city|town|village|state|province|county|region|district|centre|center"
    r"|heart|capital|municipality|island)(?: of|,)? (?=[A-Z])"
)
_SMALLER_PLACE = re.compile(r"(?<=\bin )(?:[A-Z][\w.’'-]{0,30} ?){1,4}, (?=[A-Z])")
# Who does it did it: "the founder of A".
_DOER_OF = re.compile(
    rf"{_TO_BE} (?:an?|the|one of the|joint|sole) (?:original )?(?P<doer>[a-z]{{3,14}}[eo]r|recipient)s? of "
)
_DID = {"author": "wrote", "writer": "wrote", "winner": "received", "recipient": "received", "maker": "made"}
# "A 2017 American film" was released in that year.
_OF_YEAR = re.compile(
    rf"{_TO_BE} an? (?P<year>\d{{4}}) (?:[\w/-]{{1,20}} ){{0,6}}(?:film|movie|album|song|single|game)\b"
)
_AWARDED = re.compile(
    r"(?:was|were) (?:also )?awarded (?=(?:an?|the|his|her) |\d{4} )"
    r"|received (?=[^,;]{0,60}\b(?:Prize|Award|Medal)\b)"
)


def statements(text: str, title: str = "") -> tuple[list[str], Iterator[str]]:
    """The names of the subject of a sentence, and what it states of that, each from its verb on.

    At most so many statements; none of a sentence that does not begin with its subject.
    """
    plain = _BRACKETS.sub("", text[:_LONGEST]).strip().rstrip(".")
    if ahead := _AHEAD.match(plain):
        plain = plain[ahead.end() :]
    opener = _OPENER.match(plain)
    start = opener.end() if opener else 0
    told = _SUBJECT.match(plain, start) or _IT_DOES.match(plain, start)
    if told is None or _NO_NOUN.match(told["who"]):
        return [], iter(())
    asides = told["asides"].split(", ")[1:]
    if opener:
        aside = opener[0].rstrip(", ")
        asides.insert(0, aside[0].lower() + aside[1:])
    behind = plain[told.end() :]
    made = chain(_life(text[:_LONGEST]), _predicates(asides, behind))
    forms = chain.from_iterable(map(_forms, made))
    return _names_of(told["who"], title), islice(forms, _MOST)


_SUFFIX = re.compile(r",? (?:Jr|Sr|I{2,3})\.?$")


def _names_of(who: str, title: str) -> list[str]:
    """The subject, and the title where it is another name of it, in full or in part, or "it" stands for it."""
    named = _without_aside(title)
    said, full = words(_SUFFIX.sub("", who)), words(named)
    if not full or not said:
        return [who]
    if _PRONOUN.fullmatch(who):
        return [named]
    if said[-1] != full[-1]:
        return [who]
    rest = (word for word in full if word not in said)
    is_in_full = len(full) > 1 and all(len(word) == 1 and _begins_one(word, said) for word in rest)
    is_in_short = set(said) <= set(full)
    is_plain = _NO_NOUN.search(who) is None
    return [who, named] if is_in_short or (is_in_full and is_plain) else [who]


def _begins_one(initial: str, said: Sequence[str]) -> bool:
    return any(word.startswith(initial) for word in said)


def _life(text: str) -> Iterator[str]:
    """When somebody was born and died, as told in the brackets behind a name."""
    life = _LIFE.match(text)
    told = {"was born": life["born"], "died": life["died"]} if life else {}
    for did, day in told.items():
        if day:
            when = "on" if " " in day else "in"
            yield f"{did} {when} {day}"


def _predicates(asides: Iterable[str], rest: str) -> Iterator[str]:
    """What is told of the subject: between commas ahead of the verb, by the verb, and by each verb joined to it."""
    first = re.match(_TO_BE, rest)
    be = first[0] if first else "is"
    for aside in asides:
        if _TELLS_MORE.match(aside) is None:
            break
        yield from _with_be(be, aside)
        if _A_KIND.match(aside):
            break  # what follows may be told of what it names
    ends = _kind_ends(rest)
    other = _OF_OTHERS.search(rest, ends + 1)
    near = rest[: other.start()] if other else rest
    places = [joint.end() for joint in _JOINT.finditer(near)]
    for place in (0, *places):
        part = near[place:]
        if re.match(_WHERE_OR_BY, part):
            yield from _with_be(be, part)
        else:
            yield part
        if is_a := _IS_A.match(part):
            yield from _of_a_kind(is_a["be"], is_a["what"])


def _with_be(be: str, told: str) -> Iterator[str]:
    """A statement that leaves "is" out: of what was done it may be "was" too."""
    yield f"{be} {told}"
    if be in ("is", "are") and re.match(_WHERE_OR_BY, told):
        yield f"{'was' if be == 'is' else 'were'} {told}"


def _kind_ends(rest: str) -> int:
    """Where what is said by the verb goes on behind its first noun: "is a film | about", "was sold | to"."""
    first = re.match(rf"{_FINITE} (?:(?:an?|the) )?", rest)
    noun = _NO_NOUN.search(rest, first.end() if first else 0)
    return noun.start() if noun else len(rest)


def _of_a_kind(be: str, what: str) -> Iterator[str]:
    """What is told by the kind that something is: each of a list of kinds, where it is, what was done, what it does."""
    noun = _NO_NOUN.search(what)
    behind = noun.start() if noun else len(what)
    for joint in _IN_LIST.finditer(what[:behind].rstrip()):
        yield f"{be} a {what[joint.end() :]}"
    done = re.search(rf" {_WHERE_OR_BY}", what[: behind + len("from ")]) or _OF_BARE.match(what, max(0, behind - 1))
    if done:
        yield from _with_be(be, what[done.end() :])
        if doing := _DOING.match(what, done.end()):
            yield f"{doing['does']}s{what[doing.end() :]}"
            yield f"{doing['does']}es{what[doing.end() :]}"
    if relative := _RELATIVE.match(what, max(0, behind - 1)):
        yield what[relative.end() :]
    elif noun and noun[0] in ("in", "near", "on", "at") and not done:
        yield f"{be} {what[behind:]}"


def _forms(predicate: str) -> Iterator[str]:
    """A statement, and what it says in other words: where and when, in the larger place, what was done or won."""
    yield predicate
    near = _PART_OF_PLACE.sub("", _LOCATED.sub(r"\g<be> ", predicate))
    if near != predicate:
        yield near
    while (larger := _SMALLER_PLACE.sub("", near, count=1)) != near:
        near = larger
        yield near
    if _IN_CLASS.match(predicate):
        yield _IN_CLASS.sub("belongs to the ", predicate, count=1)
    if _ON_DAY.search(predicate):
        yield _ON_DAY.sub(r"in \g<month> \g<year>", predicate, count=1)
        yield _ON_DAY.sub(r"in \g<year>", predicate, count=1)
    if (timed := _PLACE_AHEAD.sub("", predicate)) != predicate:
        yield timed
    if does := _DOER_OF.match(predicate):
        doer, what = does["doer"], predicate[does.end() :]
        did = _DID.get(doer, f"{doer[:-2]}ed")
        yield f"{did} {what}"
        if did == "received":
            yield f"won {what}"
    if came := _OF_YEAR.match(predicate):
        yield f"was released in {came['year']}"
    if awarded := _AWARDED.match(predicate):
        what = predicate[awarded.end() :]
        yield f"won {what}"
        yield f"received {what}"
