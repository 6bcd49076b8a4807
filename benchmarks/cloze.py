"""Questions made from sentences, so that the answer is known: python -m benchmarks.cloze [SET ...] [--show].

A sentence of plain shape ("X was founded in 1989 by Y.") loses one part and is asked for it ("When was X founded?"), in
two wordings. Asked of the whole corpus of its set, it should be answered by that part. Then it is turned: another deed,
another name of the corpus, the other end; what is stated to those is wrong, unless another passage tells it. Nothing
is typed or judged by hand, so it can be asked of any corpus. The same seed makes the same questions. Words only.
"""

from __future__ import annotations

import argparse
import json
import logging
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from adaq_core.evaluation.answered import stated_by
from adaq_core.evaluation.working import recorded
from adaq_core.measures import answer_tokens, contains_answer
from adaq_core.model import Passage
from adaq_core.retrieval.index import DocumentRetriever, PassageIndex
from adaq_core.runs.execute import RunSpec, execute
from adaq_core.text.passages import sentence_texts
from adaq_core.text.values import MONTH_NAMES
from adaq_core.trace import view
from benchmarks.covering import opened

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

READ = ("hotpotqa-300", "mtrag", "policy", "general", "mrag-aspects")
ONLY_COUNTED = ("2wiki-union", "musique-499", "chunkeval", "multihop-rag", "qmsum")
OF_A_FORM = 8
LONGEST = 45

# Irregular verbs: base, past, participle. Regular ones are told by their ending, their base by the list below.
_IRREGULAR = """build built built|buy bought bought|sell sold sold|write wrote written|win won won|make made made
begin began begun|take took taken|give gave given|lead led led|hold held held|leave left left|lose lost lost
find found found|set set set|become became become|pay paid paid|spend spent spent|draw drew drawn|choose chose chosen
bear bore born|speak spoke spoken|sing sang sung|run ran run|shoot shot shot|teach taught taught|get got got
meet met met|send sent sent|put put put|grow grew grown|rise rose risen|fall fell fallen|break broke broken
keep kept kept|bring brought brought|strike struck struck|cut cut cut|lay laid laid|fight fought fought"""
_REGULAR = """found release direct create invent discover design acquire compose produce develop establish paint publish
launch introduce marry open close dissolve join sign announce receive record move graduate retire die start finish
complete host play appear adopt approve record defeat succeed employ contain operate include cover change appoint elect
raise invest earn donate report collect ban premiere return name rename introduce ratify charter organize incorporate
organise film locate situate base headquarter bury educate perform review convert own manage file settle agree charge
arrest convict execute kill inspire edit construct purchase replace abolish merge star serve"""
_FORMS = tuple(tuple(each.split()) for each in re.split(r"[|\n]", _IRREGULAR))


def _past_of(base: str) -> str:
    if base.endswith("e"):
        return f"{base}d"
    if base in {"ban", "star"}:
        return f"{base}{base[-1]}ed"
    return f"{base[:-1]}ied" if base[-1] == "y" and base[-2] not in "aeiou" else f"{base}ed"


BASE = {_past_of(base): base for base in _REGULAR.split()} | {past: base for base, past, _ in _FORMS}
_DONE = {_past_of(base): base for base in _REGULAR.split()} | {done: base for base, _, done in _FORMS}
_PARTICIPLE = {_past_of(base): _past_of(base) for base in _REGULAR.split()} | {past: done for _, past, done in _FORMS}

_PAST_OF = {done: past for _, past, done in _FORMS}

_WORD = r"[A-Z][\w'’&-]*\.?"
NAME = rf"(?:[Tt]he )?{_WORD}(?: (?:(?:of|de|von|van|for|&) (?:the )?)?(?:[A-Z][\w'’&-]*|[A-Z]\.|\d+)){{0,6}}"
_NAMES = rf"{NAME}(?:(?:, and|,| and) {NAME}){{0,2}}"
_PLACE = rf"{NAME}(?:, {NAME}){{0,2}}"
_YEAR = r"(?:1[5-9]|20)\d\d"
_DAY = rf"(?:\d{{1,2}} )?(?:{MONTH_NAMES})(?: \d{{1,2}},)? {_YEAR}"
_DATE = rf"(?:(?:\d{{1,2}} )?(?:{MONTH_NAMES})(?: \d{{1,2}})?,? )?{_YEAR}(?![\d–-]| (?:to|and|or|until) |s\b)"
_SMALL = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen twenty thirty forty fifty"
)
_NUMBER = rf"\d[\d,.]*(?: (?:million|billion))?|{_SMALL.replace(' ', '|')}"
_MONEY = r"(?:US)?[$€£]\d[\d,.]*(?: (?:million|billion|trillion))?"
ASIDE = r"(?: \([^()]{1,80}\))?"
_NO_VERB = (
    r"(?!(?:is|are|was|were|has|have|had|because|that|which|who|can|must|may|will|do|does|arises?|as|all|also)\b)"
)
THING = rf"[A-Z][\w'’-]*(?: {_NO_VERB}[\w'’-]+){{0,5}}"
END = r"(?=[.;,]? ?$|[.;,] [a-z]|[.;])"
_PART = rf"[a-z]{{2,}}ed|{'|'.join(sorted(done for _, _, done in _FORMS))}"
_PAST = "|".join(sorted(BASE))
_ADVERB = r"(?:(?:originally|first|officially|formally|later|initially|also|subsequently) )?"
_BE = r"(?P<be>was|were)"
_ROLE = (
    r"(?:(?:first|second|third|current|former|founding|chief|executive|managing|vice|deputy|head|general|lead|prime) )"
    r"{0,3}"
    r"(?:executive|executive officer|president|director|founder|author|coach|owner|mayor|governor|leader|secretary|"
    r"minister|editor|manager|captain|son|daughter|wife|husband|brother|sister|mother|father|creator|composer|chairman|"
    r"chair|inventor|producer|commander|bishop|designer|architect|CEO|king|queen|emperor|capital|county seat)"
)
_SITES = (
    "village town city commune river lake mountain school college university museum park church station airport "
    "hospital building stadium district municipality community island bridge castle theatre theater mall hotel library"
)


@dataclass(frozen=True, slots=True)
class Form:
    """A shape of sentence, and its two questions; `s` is what is asked of, `g` what is taken out.

    `alone`: the thing asked of has to be named; else a noun will do ("Expenses above 500 pounds").
    """

    name: str
    pattern: str
    first: str
    second: str
    named: bool = True


def _form(name: str, shape: str, first: str, second: str, *, named: bool = True) -> Form:
    subject = NAME if named else THING
    return Form(name, rf"(?P<s>{subject}){ASIDE} {shape}", first, second, named)


FORMS = (
    _form(
        "when done",
        rf"{_BE} {_ADVERB}(?P<v>{_PART})(?: by {_NAMES}| in {NAME}| at {NAME})? (?:in|on) (?P<g>{_DATE})",
        "When {be} {s} {v}?",
        "{in_time} {be} {s} {v}?",
    ),
    _form(
        "when did",
        rf"{_ADVERB}(?P<p>{_PAST})(?P<o>(?: (?!(?:that|which|who|and|but|in|on|by)\b)[\w'’-]+){{1,5}})"
        rf" (?:in|on) (?P<g>{_DATE})",
        "When did {s} {base}{o}?",
        "{in_time} did {s} {base}{o}?",
    ),
    Form(
        "when born",
        rf"(?P<s>{NAME}) \((?:born |b\. )?(?P<g>{_DAY})(?:\)| [–-] )",
        "When was {s} born?",
        "What is the date of birth of {s}?",
    ),
    Form(
        "when died",
        rf"(?P<s>{NAME}) \([^()]{{3,60}} [–-] (?P<g>{_DAY})\) was",
        "When did {s} die?",
        "On what date did {s} die?",
    ),
    _form(
        "by whom",
        rf"{_BE} {_ADVERB}(?P<v>{_PART})(?: in {_DATE})? by (?P<g>{_NAMES})(?=[.;]|,? (?:in|on|at|who|which|as)\b)",
        "{who} {past} {s}?",
        "By whom {be} {s} {v}?",
    ),
    _form(
        "a thing by whom",
        rf"(?:is|was) an? (?:(?!of|on|from|in|by|with|and|for|about|the|or)[\w'’-]+,? ){{1,7}}(?:and )?(?P<v>{_PART})"
        rf" by (?P<g>{_NAMES})(?=[.;]|,? (?:in|on|at|who|which|as|and [a-z])\b)",
        "{who} {past} {s}?",
        "By whom was {s} {v}?",
    ),
    _form(
        "where done",
        rf"(?P<be>was|were|is|are) {_ADVERB}(?P<v>born|located|situated|based|headquartered|held|raised|educated|"
        rf"buried|filmed|shot|built|founded|established)(?: (?:on )?{_DATE})? (?:in|at) (?P<g>{_PLACE}){END}",
        "Where {be} {s} {v}?",
        "In what place {be} {s} {v}?",
    ),
    _form(
        "where is",
        rf"(?:is|was) an? (?:(?!of|on|from|in|by|with|and|for|the|or)[\w'’-]+ ){{0,4}}(?:{_SITES.replace(' ', '|')})"
        rf"(?: located| situated)? in (?P<g>{_PLACE}){END}",
        "Where is {s}?",
        "Where is {s} located?",
    ),
    _form(
        "how many",
        rf"(?P<p>has|had|have|contains|contained|operates|operated|employs|employed|includes|included) "
        rf"(?:about |over |around |nearly |more than |approximately )?(?P<g>{_NUMBER}) "
        r"(?P<o>(?:[a-z-]+ )?(?!(?:as|is|was|has)\b)[a-z-]+s|people)"
        r"(?=[.;,]| and| in| with| of| at| on)",
        "How many {o} {does} {s} {base}?",
        "What number of {o} {does} {s} {base}?",
        named=False,
    ),
    Form(
        "what is",
        rf"(?P<s>{THING}){ASIDE} (?:is|was) (?P<g>(?:an?|the)(?: [\w'’-]+){{3,14}}){END}",
        "What is {s}?",
        "Who or what is {s}?",
        named=False,
    ),
    _form(
        "who did",
        r"(?P<p>founded|directed|wrote|created|invented|discovered|designed|acquired|bought|built|composed|produced|"
        rf"developed|established|published|launched|introduced) (?P<o>{NAME}){END}",
        "{who_s} {p} {o}?",
        "By whom was {o} {done}?",
    ),
    _form(
        "what did",
        r"(?P<p>acquired|bought|founded|defeated|succeeded|married|joined|replaced|invented|discovered|announced|"
        rf"launched|introduced|published|signed) (?P<g>{NAME}){END}",
        "{whom} did {s} {base}?",
        "{whom} was {done} by {s}?",
    ),
    Form(
        "whose role",
        rf"(?P<g>{NAME}){ASIDE},? (?P<be>is|was|became) the (?P<o>{_ROLE}) of (?P<s>{NAME}){END}",
        "{who_g} {is_} the {o} of {s}?",
        "What {is_} the name of the {o} of {s}?",
    ),
    _form(
        "how much",
        rf"(?P<p>paid|raised|invested|earned|lost|spent|donated|received|reported|sold) "
        rf"(?:about |over |around |nearly |more than |approximately )?(?P<g>{_MONEY})(?P<o>(?: (?:for|in|on|to|of|from)"
        rf"(?: [\w'’-]+){{1,6}})?){END}",
        "How much did {s} {base}{o}?",
        "What amount did {s} {base}{o}?",
    ),
    Form(
        "must by",
        rf"(?P<s>{THING}) (?P<m>must|should|shall|will|may|can|has to|have to) be (?P<v>{_PART}) by "
        r"(?P<g>(?:the|an?|your|[A-Z]\w+)(?: [\w'’-]+){0,4}?)(?=[.;,]|$| (?:before|within|in|for|and|at|on|if|when)\b)",
        "By whom {m} {s} be {v}?",
        "Who {m} {vbase} {s}?",
        named=False,
    ),
    Form(
        "within",
        rf"(?P<s>{THING}) (?P<m>must|should|shall|will|may|can|has to|have to|is|are) (?P<v>(?:be )?(?:{_PART})) "
        rf"(?P<o>within|after|every|for) (?P<g>(?:{_NUMBER}) (?:\w+ )?(?:minutes|hours|days|weeks|months|years)){END}",
        "{how_long} {m} {s} {v}?",
        "{what_time} {m} {s} {v}?",
        named=False,
    ),
    Form(
        "why is",
        rf"(?P<s>{THING}) (?P<be>is|are|was|were)(?P<o>(?: (?!because|which|that|and|but)[\w'’-]+){{1,7}}),? because "
        r"(?P<g>(?!of )[^.;]{12,160})",
        "Why {be} {s}{o}?",
        "What is the reason that {s} {be}{o}?",
        named=False,
    ),
    Form(
        "also called",
        rf"(?P<s>{NAME}) (?:is|was|are) (?:also |commonly |often |formerly )?(?:known as|called) “?\"?(?P<g>{NAME})"
        rf"\"?”?{END}",
        "What is {s} also known as?",
        "What other name does {s} have?",
    ),
    Form(
        "named after",
        rf"(?P<s>{NAME}),? (?:is|was|are|were) named (?:after|for|in honou?r of) (?P<g>{NAME})(?=[.,;])",
        "Who or what is {s} named after?",
        "After whom or what was {s} named?",
    ),
    Form(
        "used for",
        rf"(?P<s>{THING}) (?P<be>is|are) (?:often |commonly |mainly |widely )?used (?P<o>for|to) "
        r"(?P<g>[^.;,]{8,120})",
        "What {be} {s} used for?",
        "What is the use of {s}?",
        named=False,
    ),
    Form(
        "consists of",
        rf"(?P<s>{THING}) (?P<p>consists|consist|consisted) of (?P<g>[^.;]{{8,140}})",
        "What {does} {s} consist of?",
        "What is {s} made up of?",
        named=False,
    ),
)
_PATTERNS = {form.name: re.compile(rf"^{form.pattern}") for form in FORMS}
NO_SUBJECT = re.compile(
    r"(?:He|She|It|They|We|You|I|This|That|These|Those|There|Here|In|On|At|By|From|As|If|When|While|After|Before|However|"
    r"Although|But|And|Or|So|Some|Many|Most|Several|Both|One|Such|Its|His|Her|Their|My|Our|Your|What|Who|Which|Where|How|"
    r"Why|Since|For|With|To|All|Each|Other|Another|Then|Also|Not|No|Yes|Today|Now|Only|Because|Later|Until|During|Of|"
    r"Anyone|Everyone|Someone|Anything|Everything|Nothing|Something|More|Less|Once|Through|Under|Over|Note|Under)\b"
)
CUT = re.compile(
    r"(?:^|[ .])[A-Z]$|\b(?:all|alone|now|also|both|partly|mostly|usually|Mrs?\.?|the)$"
    r"|^(?:Suppose|Previously|Similar|Mrs?\.) |\b(?:its|their|his|her) "
)
_NOT_TOLD = re.compile(r" (?:the|this|his|her|their|its|that) [a-z]+$")
_COMPANY = re.compile(
    r"\b(?:Inc|Corporation|Company|Corp|Ltd|Group|Studios|Pictures|Entertainment|Records|Motors|Bank)\b"
)
_A_DAY = re.compile(rf"\d{{1,2}} (?:{MONTH_NAMES})|(?:{MONTH_NAMES}) \d{{1,2}}\b(?!\d)")
_WITH_DEED = frozenset({"when done", "by whom", "a thing by whom", "where done", "who did"})
_LONG = frozenset({"what is", "why is", "used for", "consists of"})

_HOW_LONG = {
    "for": ("How long", "For how much time"),
    "within": ("How soon", "Within what time"),
    "after": ("After how long", "After what time"),
    "every": ("How often", "At what intervals"),
}
_OTHER_END = {
    "founded": "dissolved",
    "established": "abolished",
    "opened": "closed",
    "built": "demolished",
    "born": "buried",
    "launched": "discontinued",
    "introduced": "withdrawn",
    "acquired": "sold",
    "bought": "sold",
    "started": "ended",
    "began": "ended",
    "created": "destroyed",
    "released": "banned",
    "published": "withdrawn",
    "appointed": "dismissed",
    "married": "divorced",
    "joined": "left",
    "constructed": "demolished",
    "completed": "abandoned",
}
_DEEDS = ("insured", "repainted", "audited", "photographed", "leased", "sued", "translated", "restored")


@dataclass(frozen=True, slots=True)
class Cloze:
    """A question made from a sentence: its two wordings, its turned ones, and the part that was taken out."""

    form: str
    first: str
    second: str
    gold: str
    subject: str
    deed: str
    sentence: str
    passage: str
    turned: tuple[tuple[str, str], ...] = ()


def made_from(passage: Passage) -> Iterator[Cloze]:
    """All questions that the sentences of a passage allow."""
    for raw in sentence_texts(passage.text):
        sentence = re.sub(r"\s+", " ", raw).strip()
        if not sentence[:1].isupper() or NO_SUBJECT.match(sentence) or len(sentence.split()) > LONGEST:
            continue
        for form in FORMS:
            match = _PATTERNS[form.name].match(sentence)
            if match and (made := _question(form, match, passage)):
                yield made


def _question(form: Form, match: re.Match[str], passage: Passage) -> Cloze | None:
    given = {name: text or "" for name, text in match.groupdict().items()}
    subject, gold = given["s"], given.get("g", "").strip(" ,.")
    asked_of = given["o"] if form.name == "who did" else subject
    if not is_asked_of(asked_of, passage, named=form.named) or (gold and contains_answer(subject, [gold])):
        return None
    if any(CUT.search(each) for each in (subject, gold)):
        return None
    if form.name == "when did" and _NOT_TOLD.fullmatch(given["o"]):
        return None
    if NO_SUBJECT.match(gold) or (form.name == "whose role" and not is_asked_of(gold, passage, named=True)):
        return None
    words = _words(given, passage)
    if words is None:
        return None
    first, second = (tidy(template.format_map(words)) for template in (form.first, form.second))
    if form.name.startswith("where") and re.search(rf"\b(?:{MONTH_NAMES})\b|\d", gold):
        return None
    if form.name.endswith("by whom"):
        gold = gold.partition(" for ")[0]
    deed = given.get("v") or given.get("p") or ""
    gold = subject if form.name == "who did" else gold
    return Cloze(
        form.name,
        first,
        second,
        gold,
        words["o" if form.name == "who did" else "s"],
        deed,
        match.string,
        passage.passage_id,
    )


def _words(given: Mapping[str, str], passage: Passage) -> dict[str, str] | None:
    """What the templates are filled with; None where a verb's base is not known."""
    past, gold = given.get("p", ""), given.get("g", "")
    base = {"has": "have", "had": "have", "have": "have"}.get(past) or BASE.get(past) or past.removesuffix("s")
    if past.endswith("ed") and past not in BASE:
        return None
    if (done := given.get("v", "")) and given.get("m") and done.removeprefix("be ") not in _DONE:
        return None
    plural = past in {"have", "contain", "operate", "consist"}
    company = bool(_COMPANY.search(gold))
    return {
        **given,
        "s": within(given["s"], passage),
        "o": given.get("o", ""),
        "base": base,
        "done": _PARTICIPLE.get(past, past),
        "past": _PAST_OF.get(given.get("v", ""), given.get("v", "")),
        "vbase": _DONE.get(given.get("v", ""), ""),
        "does": "do"
        if plural and given["s"].endswith("s")
        else "did"
        if past.endswith("ed") or past == "had"
        else "does",
        "in_time": "On what date" if _A_DAY.search(gold) else "In which year",
        "how_long": _HOW_LONG.get(given.get("o", ""), ("", ""))[0],
        "what_time": _HOW_LONG.get(given.get("o", ""), ("", ""))[1],
        "who": "Which company" if company else "Who",
        "who_s": "Which company" if _COMPANY.search(given["s"]) else "Who",
        "who_g": "What" if "capital" in given.get("o", "") or "seat" in given.get("o", "") else "Who",
        "is_": "was" if given.get("be") in {"was", "became"} else "is",
        "whom": "Who" if past in {"defeated", "succeeded", "married", "replaced"} else "What",
    }


def within(subject: str, passage: Passage) -> str:
    """The subject as it stands within a sentence: a noun and its article in small letters."""
    head, _, rest = subject.partition(" ")
    if head in {"The", "A", "An", "Every", "Each"}:
        return subject[0].lower() + subject[1:]
    is_noun = rest[:1].islower() and rest.split()[0] not in {"of", "de", "von", "van", "for", "in", "the", "and"}
    is_noun = is_noun and not re.search(rf"[a-z,] {re.escape(head)}\b", passage.text)
    seen_small = re.search(rf"[a-z,] {re.escape(head.lower())}\b", passage.text) is not None
    is_small = head.isalpha() and head[1:].islower() and (is_noun or (seen_small and not rest[:1].isupper()))
    return subject[0].lower() + subject[1:] if is_small else subject


def is_asked_of(subject: str, passage: Passage, *, named: bool) -> bool:
    """Whether one thing is meant outside of its passage: a name of two words, the title, or a word of it."""
    title = passage.title
    if "(" in title or NO_SUBJECT.match(subject) or re.search(rf"\b(?:{MONTH_NAMES})\b|\d{{4}}$", subject):
        return False
    core = subject.removeprefix("The ").removeprefix("the ")
    if core.casefold() == title.casefold():
        return True
    if not named and subject[0].islower():
        return True
    if not named:
        return len(core.split()) >= 2 and not subject.startswith(("The ", "A ", "An "))
    capitals = [word for word in core.split() if word[0].isupper()]
    of_title = not title or bool(set(capitals) & set(title.split()))
    return of_title and (len(capitals) >= 2 or core in title.split()[:1])


def tidy(question: str) -> str:
    question = re.sub(r"\s+", " ", question).replace(" ?", "?")
    return question[0].upper() + question[1:]


def _turned(made: Cloze, names: Sequence[str], texts: Mapping[str, str], chance: random.Random) -> Cloze:
    """The question with what was turned: nothing that the corpus tells, as far as its words show."""
    turned = []
    if made.form in _WITH_DEED and re.search(rf"\b{made.deed}\b", made.first):
        if other := _OTHER_END.get(made.deed):
            turned.append(("the other end", re.sub(rf"\b{made.deed}\b", other, made.first)))
        deed = chance.choice(_DEEDS)
        turned.append(("another deed", re.sub(rf"\b{made.deed}\b", deed, made.first)))
    if made.form not in _LONG and made.form != "where is":
        stem = made.deed[:4]
        for name in chance.sample(names, min(20, len(names))):
            if name != made.subject and stem not in texts[name] and made.gold not in texts[name]:
                turned.append(("another name", made.first.replace(made.subject, name)))
                break
    return replace(made, turned=tuple((kind, other) for kind, other in turned if other != made.first))


def sample(passages: Iterable[Passage], *, seed: int, of_a_form: int) -> list[Cloze]:
    """So many questions of each form, drawn from all that the passages allow, one a passage and form."""
    by_form = defaultdict[str, dict[str, Cloze]](dict)
    texts = defaultdict[str, str](str)
    for passage in passages:
        for made in made_from(passage):
            by_form[made.form].setdefault(made.first, made)
            if made.form not in _LONG:
                texts[made.subject] += passage.text
    drawn = []
    for form in FORMS:
        chance = random.Random(f"{seed} {form.name}")
        all_of_form = sorted(by_form[form.name].values(), key=lambda made: (made.passage, made.first))
        chosen = chance.sample(all_of_form, min(of_a_form, len(all_of_form)))
        names = sorted({made.subject for made in all_of_form})
        drawn += [_turned(made, names, texts, chance) for made in chosen]
    return drawn


@dataclass(frozen=True, slots=True)
class Row:
    """What came of asking one wording."""

    set_name: str
    form: str
    wording: str
    question: str
    gold: str
    in_five: bool
    quoted: bool
    short: str
    right: bool
    claims: bool
    text: str
    sentence: str


def ask(made: Cloze, wording: str, question: str, *, set_name: str, retriever: DocumentRetriever) -> Row:
    """Ask one wording of the whole corpus and compare with what was taken out."""
    run = view(recorded(execute(RunSpec("adaptive", question), retriever=retriever)))
    answer = stated_by(run)
    return Row(
        set_name,
        made.form,
        wording,
        question,
        made.gold,
        any(each.passage.passage_id == made.passage for each in run.evidence),
        contains_answer(answer.text, [made.gold]) > 0,
        answer.short,
        is_right(answer.short, made.gold),
        bool(answer.text) and not answer.doubts,
        answer.lead,
        made.sentence,
    )


def is_right(short: str, gold: str) -> bool:
    """Whether a short answer is the gold or a part of it that says something, or holds it."""
    small = {"in", "on", "at", "by", "of", "and", "is"}
    said, wanted = (set(answer_tokens(each)) - small for each in (short, gold))
    return bool(said and wanted) and (said <= wanted or wanted <= said)


def counts(rows: Sequence[Row]) -> str:
    """The cells of a line of the table."""
    of = len(rows)
    kinds = Counter[str]()
    for row in rows:
        kinds["in five"] += row.in_five
        kinds["quoted"] += row.quoted
        kinds["right"] += bool(row.short) and row.right
        kinds["wrong"] += bool(row.short) and not row.right
        kinds["uncertain"] += row.in_five and not row.claims
    return " | ".join(
        str(each) for each in (of, *(kinds[kind] for kind in ("in five", "quoted", "right", "wrong", "uncertain")))
    )


HEAD = "asked | passage in five | gold in the answer | stated right | stated wrong | not certain though in five"


def options(description: str | None, sets: Sequence[str], of_a_form: int = OF_A_FORM) -> argparse.ArgumentParser:
    """The options of a command that asks questions made from the sentences of question sets."""
    made = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("sets", nargs="*", default=list(sets))
    made.add_argument("--each", type=int, default=of_a_form, help="how many questions of each form and set")
    made.add_argument("--seed", type=int, default=1)
    made.add_argument("--list", action="store_true", help="print the questions with their sentences, ask none")
    made.add_argument("--out", type=Path, help="write every answer as a line of JSON")
    return made


def corpus_of(name: str) -> tuple[DocumentRetriever, list[Passage]]:
    """The corpus of a question set, and its passages."""
    _, retriever = opened(name, "dev")
    assert isinstance(retriever.index, PassageIndex)
    return retriever, [retriever.index.passages[place] for place in range(len(retriever.index.passages))]


def write(path: Path | None, rows: Iterable[DataclassInstance]) -> None:
    """Write what came of each question as a line of JSON, where a path is given."""
    if path:
        path.write_text("".join(json.dumps(asdict(row), ensure_ascii=False) + "\n" for row in rows))


def main() -> None:
    """Print for each set, each form and each turn how many were answered, and with --show what was stated wrong."""
    logging.disable(logging.CRITICAL)
    parser = options(__doc__, [*READ, *ONLY_COUNTED])
    parser.add_argument("--show", action="store_true", help="print what is stated and wrong, of the sets that are read")
    given = parser.parse_args()
    rows: list[Row] = []
    for name in given.sets:
        retriever, passages = corpus_of(name)
        drawn = sample(passages, seed=given.seed, of_a_form=given.each)
        if given.list:
            for made in drawn:
                print(f"{name} [{made.form}] {made.first} | {made.second} | {made.gold} || {made.sentence}")
                for kind, other in made.turned:
                    print(f"      {kind}: {other}")
            continue
        for made in drawn:
            wordings = (("first", made.first), ("second", made.second), *made.turned)
            rows += [ask(made, kind, text, set_name=name, retriever=retriever) for kind, text in wordings]
        _print(name, [row for row in rows if row.set_name == name], show=given.show and name in READ)
    write(given.out, rows)


def _print(name: str, rows: Sequence[Row], *, show: bool) -> None:
    straight = [row for row in rows if row.wording in {"first", "second"}]
    print(f"\n| {name} | {HEAD} |\n|---|{'--:|' * 6}")
    for form in FORMS:
        if of_form := [row for row in straight if row.form == form.name]:
            print(f"| {form.name} | {counts(of_form)} |")
    print(f"| all | {counts(straight)} |", flush=True)
    turned = Counter((row.wording, "stated" if row.short else "claimed" if row.claims else "not") for row in rows)
    for kind in ("the other end", "another deed", "another name"):
        of = sum(turned[kind, what] for what in ("stated", "claimed", "not"))
        print(f"turned to {kind}: of {of} stated {turned[kind, 'stated']}, claimed {turned[kind, 'claimed']} more")
    for row in rows:
        wrong = row.short and (row.wording not in {"first", "second"} or not row.right)
        if show and wrong:
            print(f"{row.wording}: {row.question} | stated {row.short} | gold {row.gold} | {row.sentence[:200]}")


if __name__ == "__main__":
    main()
