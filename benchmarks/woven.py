"""Why, how, lists, definitions, comparisons and chains, made from sentences: python -m benchmarks.woven [SET ...].

As `benchmarks.cloze`, for what is no single part of a sentence: a reason, a way, the items of a list, what a thing is,
what two sentences of one form say of two things, and the end of a chain over two sentences that share a name. What was
taken out is the gold: most of its words for a text, each item of a list, both values of a comparison. Then a year, a
place or a relation is put in that no sentence holds; what is claimed of those is wrong. Words only, no model.
"""

from __future__ import annotations

import calendar
import logging
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from adaq_core.evaluation.answered import stated_by
from adaq_core.evaluation.working import recorded
from adaq_core.measures import answer_tokens, contains_answer, without_marks
from adaq_core.model import Passage
from adaq_core.retrieval.index import DocumentRetriever
from adaq_core.runs.execute import RunSpec, execute
from adaq_core.text.passages import sentence_texts
from adaq_core.text.tokens import STOP_WORDS
from adaq_core.trace import RunView, view
from benchmarks.cloze import (
    ASIDE,
    BASE,
    CUT,
    END,
    LONGEST,
    NAME,
    NO_SUBJECT,
    ONLY_COUNTED,
    READ,
    THING,
    Cloze,
    corpus_of,
    is_asked_of,
    is_right,
    made_from,
    options,
    tidy,
    within,
    write,
)

MOST_WORDS = 0.7  # of the words of a text that was taken out have to be said
LEAST = 2  # words of what is done
LONG_TITLE = 4  # words of a title that is a sentence and no name

_BE = r"(?P<be>is|are|was|were|can|could|must|should|will|may)"
_STOPS = r"(?:because|that|which|who|and|but|due|owing|in|by|as|where|when|although|while|so)"
_REST = rf"(?P<o>(?: (?!{_STOPS}\b)[\w'’-]+){{1,9}})"
_WHY = r",? (?:mainly |mostly |largely |partly |simply |precisely )?"
_WHYS = "because|due to|owing to|as a result of|in order to"
_BECAUSE = rf"{_WHY}(?:{_WHYS}) (?P<g>[^.;:()]{{14,150}}){END}"
_ITEM = r"(?!(?:and|or|which|that|as)\b)[\w'’&/-]+(?: (?!(?:and|or|which|that|as|is|are|was)\b)[\w'’&/-]+){0,5}"
_LIST = rf"(?P<g>{_ITEM}(?:, {_ITEM}){{1,7}},? (?:and|or) {_ITEM}){END}"
_DID = r"(?P<p>[a-z]{2,14})"
_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_CLASS = (
    r"film|album|song|single|novel|book|band|actor|actress|singer|writer|politician|footballer|painter|composer|company|"
    r"magazine|newspaper|village|town|city|river|lake|mountain|university|college|school|museum|airport|game|"
    r"opera|play|poet|director|musician|district|county|airline|station|bridge|framework|model"
)
_IS_A = re.compile(
    rf"^(?P<s>{NAME}){ASIDE} (?:is|was) an? (?P<all>(?:(?!of|in|by|that|who|which|and|or|with)[\w'’-]+ ){{0,5}}"
    rf"(?P<c>{_CLASS}))"
    r"(?= (?:in|of|by|from|that|which|who|based|located|directed|released|written|founded|and)\b|[.,;])"
)
_ROLES = {
    "directed": "director",
    "written": "author",
    "wrote": "author",
    "founded": "founder",
    "composed": "composer",
    "designed": "designer",
    "produced": "producer",
    "created": "creator",
    "discovered": "discoverer",
    "invented": "inventor",
    "painted": "painter",
}
_ENDS = {
    "when born": ("When was {} born?", "What is the date of birth of {}?"),
    "when died": ("When did {} die?", "On what date did {} die?"),
    "where done": ("Where was {} born?", "In which place was {} born?"),
}
_UNTOLD = (
    ("buried", "Where is {} buried?"),
    ("divorc", "When did {} get divorced?"),
    ("siblin", "Who is a sibling of {}?"),
)
_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_IS_BAD = re.compile(
    r"[a-z][A-Z]|(?:ly|and|or|of)$|^(?:Sometimes|Whether|Much|Often|For) |^[A-Z][a-z]+ly |\b(?:lot|reason|priority)\b"
)
_NO_ITEM = re.compile(r"\b(?:including|such|with|from|based)\b|^(?:in|on|at|by|of|for|to|even|other|many|others)\b")
_LEANS = re.compile(
    r"(?i)\b(?:its?|his|her|hers|their|they|them|he|she|him|this|these|those|such|"
    r"the (?:latter|former|above|following))\b"
)


@dataclass(frozen=True, slots=True)
class Woven:
    """A question made from one or two sentences; `gold` has to be said, `short` stated; both empty for a turned one."""

    form: str
    wording: str
    question: str
    gold: tuple[str, ...]
    short: str
    passages: tuple[str, ...]
    sentence: str

    @property
    def is_turned(self) -> bool:
        """Whether nothing in the corpus tells it."""
        return self.wording.startswith("turned")


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape of sentence with its questions: `s` is asked of, `g` is taken out, `p` a verb, `o` what goes with it."""

    form: str
    needs: re.Pattern[str]
    pattern: re.Pattern[str]
    questions: tuple[str, ...]


def _shape(form: str, needs: str, pattern: str, *questions: str) -> Shape:
    return Shape(form, re.compile(rf"\b(?:{needs})\b"), re.compile(rf"^{pattern}"), questions)


_SUBJECT = rf"(?P<s>{NAME}|{THING}){ASIDE}"
SHAPES = (
    _shape(
        "reason",
        _WHYS,
        rf"{_SUBJECT} {_BE}{_REST}{_BECAUSE}",
        "Why {be} {s}{o}?",
        "What is the reason that {s} {be}{o}?",
    ),
    _shape(
        "reason",
        _WHYS,
        rf"{_SUBJECT} {_DID}{_REST}{_BECAUSE}",
        "Why {do} {s} {base}{o}?",
        "For what reason {do} {s} {base}{o}?",
    ),
    _shape(
        "reason",
        "Because",
        rf"Because (?P<g>[^.;:,()]{{14,120}}), (?P<s>(?:the )?[\w'’-]+(?: [\w'’-]+){{0,3}}) {_BE}{_REST}{END}",
        "Why {be} {s}{o}?",
        "What is the reason that {s} {be}{o}?",
    ),
    _shape(
        "cause",
        "caused by",
        rf"{_SUBJECT} (?P<be>is|are|was|were) (?:often |mainly |usually )?caused by (?P<g>[^.;:()]{{8,120}}){END}",
        "What {be} {s} caused by?",
        "What is the cause of {s}?",
    ),
    _shape(
        "way",
        "To",
        rf"To (?P<p>[a-z]{{2,14}})(?P<o>(?: (?!(?:and|or|that|which)\b)[\w'’/-]+){{1,8}}), "
        rf"(?P<g>(?:you (?:can|must|should|need to|will need to|have to) )?(?P<q>[a-z]+) [^.;:()]{{10,170}}){END}",
        "How do I {base}{o}?",
        "What do I have to do to {base}{o}?",
    ),
    _shape(
        "way",
        "by",
        r"(?:You can|Users can|Customers can) (?P<p>[a-z]{2,14})"
        r"(?P<o>(?: (?!(?:and|or|that|which|by)\b)[\w'’/-]+){1,8})"
        rf" by (?P<g>[a-z]+ing [^.;:()]{{8,150}}){END}",
        "How can I {base}{o}?",
        "How do I {base}{o}?",
    ),
    _shape(
        "by doing",
        "by",
        rf"{_SUBJECT} {_DID}{_REST} by (?P<g>[a-z]{{2,}}ing [^.;:()]{{10,150}}){END}",
        "How {do} {s} {base}{o}?",
        "In what way {do} {s} {base}{o}?",
    ),
    _shape(
        "list",
        "and|or",
        rf"{_SUBJECT} (?P<p>includes?|included|contains?|comprises?|covers?|consists? of|supports?) {_LIST}",
        "What {do} {s} {base}?",
        "List what {s} {p}.",
    ),
    _shape(
        "list",
        "are",
        rf"The (?P<n>two|three|four|five|six) (?P<o>[a-z][\w -]{{3,50}}s(?: of [\w ’'-]{{3,40}})?) are:? {_LIST}",
        "What are the {n} {o}?",
        "List the {o}.",
    ),
    _shape(
        "list such as",
        "such as|including|like",
        rf"(?P<s>{NAME}) {_DID} (?P<o>(?:[a-z-]+ )?[a-z-]+s),? (?:such as|including|like) {_LIST}",
        "Which {o} {do} {s} {base}?",
        "What {o} {do} {s} {base}?",
    ),
    _shape(
        "definition",
        "an?|the",
        rf"{_SUBJECT} (?P<be>is|are|was) (?P<g>(?:an?|the)(?: [\w'’-]+){{4,16}}){END}",
        "What {be} {s}?",
        "Define {s}.",
        "{s}",
    ),
    _shape(
        "definition",
        "refers to|means",
        rf"{_SUBJECT} (?:refers to|means) (?P<g>[\w'’-]+(?: [\w'’-]+){{4,15}}){END}",
        "What does {s} mean?",
        "Define {s}.",
        "{s}",
    ),
)


_BEHIND = re.compile(r"\b(?:can|will|must|should|may|could|cannot) ([a-z]{2,14})\b")
_NO_VERBS = {"the", "be", "a", "an", "only", "also", "all", "not", "often", "each", "date", "then", "in", "of", "still"}


class Verbs:
    """The base of a verb, as far as the texts use it: behind "can", "will" or "must", or in a list of verbs."""

    def __init__(self, texts: Iterable[str]) -> None:
        seen = Counter(word for text in texts for word in _BEHIND.findall(text))
        known = {word for word, times in seen.items() if times > 1 and not word.endswith("ly")} - _NO_VERBS
        self.known = known.union(BASE.values())

    def asked(self, verb: str) -> tuple[str, str] | None:
        """The word that asks and the base: "raised" is "did" and "raise"; None where they are not known."""
        if verb in BASE:
            return "did", BASE[verb]
        bases = {
            "did": (verb[:-1], verb[:-2], f"{verb[:-3]}y", verb[:-3]) if verb.endswith("ed") else (),
            "does": (verb[:-1], verb[:-2], f"{verb[:-3]}y") if verb.endswith("s") and not verb.endswith("ss") else (),
            "do": (verb,),
        }
        for how, forms in bases.items():
            if base := next((form for form in forms if form in self.known), ""):
                return how, base
        return None


def single(passage: Passage, verbs: Verbs) -> Iterator[Woven]:
    """The questions that single sentences of a passage allow."""
    for raw in sentence_texts(passage.text):
        sentence = re.sub(r"\s+", " ", raw).strip()
        if not sentence[:1].isupper() or len(sentence.split()) > LONGEST:
            continue
        for shape in SHAPES:
            match = shape.pattern.match(sentence) if shape.needs.search(sentence) else None
            if match and (made := list(_asked(shape, match, passage, verbs))):
                yield from made
                break


def _asked(shape: Shape, match: re.Match[str], passage: Passage, verbs: Verbs) -> Iterator[Woven]:
    given = {name: text or "" for name, text in match.groupdict().items()}
    words = _filled(shape, given, passage, verbs)
    if words is None:
        return
    text = re.split(r", (?:and|but|which|with) ", given["g"])[0] if shape.form in {"reason", "cause"} else given["g"]
    items = _items(given["g"]) if shape.form.startswith("list") else (text.strip(" ,"),)
    if "n" in given and len(items) != _NUMBERS[given["n"]]:
        return
    if shape.form.startswith("list") and any(_NO_ITEM.search(item) for item in items):
        return
    for number, template in enumerate(shape.questions, start=1):
        if shape.form == "definition" and number == 1 and _is_a_person(match.string):
            template = "Who {be} {s}?"
        question = tidy(template.format_map(words))
        yield Woven(shape.form, f"wording {number}", question, items, "", (passage.passage_id,), match.string)


def _filled(shape: Shape, given: Mapping[str, str], passage: Passage, verbs: Verbs) -> dict[str, str] | None:
    """What the templates are filled with; None where a part leans on another sentence or a verb is not known."""
    subject, asked = given.get("s", ""), " ".join(given.get(part, "") for part in "so")
    if (
        _LEANS.search(f"{asked} {given['g']}")
        or _IS_BAD.search(asked.strip())
        or (subject and (NO_SUBJECT.match(subject) or CUT.search(subject)))
    ):
        return None
    if subject and not _is_told_of(shape, subject, passage):
        return None
    if shape.form == "definition" and subject[:1].isupper() and not passage.text.startswith(subject):
        return None
    if shape.form == "way" and len(asked.split()) < LEAST:
        return None
    if given["g"].split()[0] in {"of", "it", "they", "this", "these", "he", "she"} or "you" in asked.split():
        return None
    do, base = "", ""
    if verb := given.get("p", ""):
        head, _, rest = verb.partition(" ")
        if (found := verbs.asked(head)) is None:
            return None
        do, base = found[0], f"{found[1]} {rest}".strip()
        if shape.form == "way" and (do != "do" or not _is_done(given, verbs)):
            return None
        if do == "do" and not (shape.form == "way" or (shape.form == "list" and subject.endswith("s"))):
            return None
    mine = re.sub(r"\byour\b", "my", given.get("o", ""))
    return {**given, "s": _called(subject, passage) if subject else "", "o": mine, "do": do, "base": base}


def _called(subject: str, passage: Passage) -> str:
    is_title = subject.casefold() == passage.title.casefold() and len(re.findall(r"\b[A-Z]", subject)) > 1
    return subject if is_title and not subject.startswith("The ") else within(subject, passage)


def _is_done(given: Mapping[str, str], verbs: Verbs) -> bool:
    return given["g"].startswith("you ") or "q" not in given or given["q"] in verbs.known


def _is_told_of(shape: Shape, subject: str, passage: Passage) -> bool:
    """Whether the subject can be asked of alone: a name, or words of the title, where that is short."""
    if is_asked_of(subject, passage, named=True):
        return True
    title = set(answer_tokens(passage.title)) - STOP_WORDS
    of_title = bool(title.intersection(answer_tokens(subject)))
    if subject.startswith("The ") or shape.form == "definition":
        return of_title and len(subject.split()) in {2, 3}
    return (of_title or len(title) > LONG_TITLE) and len(subject.split()) > 1


def _is_a_person(sentence: str) -> bool:
    return bool(re.search(r"\((?:born|b\.|[^()]*\d{4} ?[–-])", sentence[:90]))


def _items(text: str) -> tuple[str, ...]:
    items = re.split(r", (?:and |or )?| (?:and|or) ", text)
    return tuple(re.sub(r"^(?:an?|the|its|their) ", "", item.strip()) for item in items)


def compared(facts: Sequence[Cloze], things: Sequence[tuple[str, str, str, Passage]], seed: int) -> Iterator[Woven]:
    """Questions on two things of which sentences of one form tell a time, or of what class they are."""
    chance = random.Random(f"{seed} pairs")
    dated = defaultdict[tuple[str, str], list[Cloze]](list)
    for fact in facts:
        if fact.form == "when born" or (fact.form == "when done" and fact.deed in _ROLES | {"established": ""}):
            dated[fact.form, fact.deed].append(fact)
    for (form, deed), group in sorted(dated.items()):
        chance.shuffle(group)
        for one, other in list(pairwise(group))[::2]:
            yield from _in_time(one, other, "born" if form == "when born" else deed)
    yield from _in_class(things, chance)


def _in_time(one: Cloze, other: Cloze, deed: str) -> Iterator[Woven]:
    years = [int(_YEAR.findall(fact.gold)[-1]) for fact in (one, other)]
    if abs(years[0] - years[1]) < 2 or one.subject == other.subject:
        return
    first, later = (one, other) if years[0] < years[1] else (other, one)
    passages, both = (one.passage, other.passage), (str(years[0]), str(years[1]))
    which = "Who" if deed == "born" else "Which"
    told = f"{one.sentence} | {other.sentence}"
    asked = {
        "which first": (f"{which} was {deed} first, {one.subject} or {other.subject}?", first.subject),
        "before": (f"Was {one.subject} {deed} before {other.subject}?", "Yes" if first is one else "No"),
        "years after": (
            f"How many years after {first.subject} was {later.subject} {deed}?",
            str(abs(years[0] - years[1])),
        ),
    }
    for form, (question, short) in asked.items():
        yield Woven(form, deed if deed == "born" else "done", question, both, short, passages, told)


def _in_class(things: Sequence[tuple[str, str, str, Passage]], chance: random.Random) -> Iterator[Woven]:
    by_class = defaultdict[str, list[tuple[str, str, str, Passage]]](list)
    for thing in things:
        by_class[thing[1]].append(thing)
    for kind, group in sorted(by_class.items()):
        chance.shuffle(group)
        many = f"{kind[:-1]}ies" if kind.endswith("y") and kind[-2] not in "aeiou" else f"{kind}s"
        many = re.sub(r"sss$", "sses", many)
        for one, other in list(pairwise(group))[::2][:6]:
            ids, told = (one[3].passage_id, other[3].passage_id), f"{one[2]} | {other[2]}"
            question = f"Are {one[0]} and {other[0]} both {many}?"
            yield Woven("both", "are", question, (kind,), "Yes", ids, told)
            heads = tuple(re.split(r" (?:is|was) an? ", each[2], maxsplit=1)[1][:80] for each in (one, other))
            difference = f"What is the difference between {one[0]} and {other[0]}?"
            yield Woven("difference", "two of a class", difference, heads, "", ids, told)
        strange = [each for each in things if each[1] != kind and not re.search(rf"\b{kind}", each[3].text)]
        for one, other in zip(group[:3], chance.sample(strange, min(3, len(strange))), strict=False):
            ids, told = (one[3].passage_id, other[3].passage_id), f"{one[2]} | {other[2]}"
            yield Woven("both", "are not", f"Are {one[0]} and {other[0]} both {many}?", (kind,), "No", ids, told)


def ages(facts: Iterable[Cloze]) -> Iterator[Woven]:
    """At what age somebody died of whom a sentence tells both days."""
    for fact in facts:
        years = [int(year) for year in _YEAR.findall(fact.sentence.partition(")")[0])]
        days = re.findall(
            r"(\d{1,2}) ([A-Z][a-z]+) \d{4}|([A-Z][a-z]+) (\d{1,2}), \d{4}", fact.sentence.partition(")")[0]
        )
        if fact.form != "when died" or len(years) != 2 or len(days) != 2:
            continue
        born, died = ((_MONTHS.get(day[1] or day[2], 0), int(day[0] or day[3])) for day in days)
        age = years[1] - years[0] - (died < born)
        for number, asked in enumerate(("How old was {} when they died?", "At what age did {} die?"), start=1):
            question = asked.format(fact.subject)
            both = (str(years[0]), str(years[1]))
            yield Woven("age", f"wording {number}", question, both, str(age), (fact.passage,), fact.sentence)


_MONTHS = {name: number for number, name in enumerate(calendar.month_name)}


def chained(facts: Sequence[Cloze], texts: Mapping[str, str]) -> Iterator[Woven]:
    """Questions over two sentences that share the name of a person, and some on what nothing is told of."""
    ends = defaultdict[str, list[Cloze]](list)
    for fact in facts:
        if fact.form in _ENDS and (fact.form != "where done" or fact.deed == "born"):
            ends[fact.subject].append(fact)
    for link in facts:
        if link.form not in {"by whom", "a thing by whom", "who did"} or link.deed not in _ROLES:
            continue
        for end in ends.get(link.gold, ()):
            if end.passage != link.passage:
                yield from _chain(link, end, texts[link.gold])


def _chain(link: Cloze, end: Cloze, text: str) -> Iterator[Woven]:
    thing, told = link.subject, f"{link.sentence} | {end.sentence}"
    role = f"the {_ROLES[link.deed]} of {thing}"
    past = {"written": "wrote"}.get(link.deed, link.deed)
    ids = (link.passage, end.passage)
    first, second = _ENDS[end.form]
    asked = (first.format(role), first.format(f"the person who {past} {thing}"), second.format(role))
    for number, question in enumerate(asked, start=1):
        yield Woven("chain", f"wording {number}", question, (end.gold,), end.gold, ids, told)
    for stem, untold in _UNTOLD:
        if stem not in text:
            yield Woven("chain", "turned: a relation", untold.format(role), (), "", ids, told)
            break


def sample(passages: Sequence[Passage], *, seed: int, of_a_form: int) -> list[Woven]:
    """So many of each form, one a passage and form, with all their wordings and turned ones."""
    verbs = Verbs(passage.text for passage in passages)
    whole = {passage.passage_id: passage for passage in passages}
    facts = [fact for passage in passages for fact in made_from(passage)]
    texts = defaultdict[str, str](str)
    for fact in facts:
        texts[fact.subject] += whole[fact.passage].text
    by_form = defaultdict[str, dict[tuple[str, ...], list[Woven]]](dict)
    made = [each for passage in passages for each in single(passage, verbs)]
    times = Counter((each.sentence, each.wording) for each in made)
    made = [each for each in made if times[each.sentence, each.wording] == 1]
    made += [*compared(facts, list(_things(passages)), seed), *ages(facts), *chained(facts, texts)]
    for each in made:
        group = by_form[each.form].setdefault((*each.passages, each.form), [])
        if all(each.wording != other.wording for other in group):
            group.append(each)
    drawn: list[Woven] = []
    places = sorted({fact.gold for fact in facts if fact.form == "where is" and "," not in fact.gold})
    for form, groups in sorted(by_form.items()):
        chance = random.Random(f"{seed} {form}")
        chosen = chance.sample(sorted(groups), min(of_a_form, len(groups)))
        for key in chosen:
            drawn += groups[key]
            drawn += _turned(groups[key][0], whole[key[0]], places, chance)
    return drawn


def _things(passages: Iterable[Passage]) -> Iterator[tuple[str, str, str, Passage]]:
    """Each title with the class that the first sentence below it names."""
    for passage in passages:
        sentence = re.sub(r"\s+", " ", next(iter(sentence_texts(passage.text)), ""))
        if (match := _IS_A.match(sentence)) and match["s"] == passage.title and "and" not in match["all"].split():
            yield passage.title, match["c"], sentence, passage


def _turned(made: Woven, passage: Passage, places: Sequence[str], chance: random.Random) -> Iterator[Woven]:
    """The question with a year, a place or a source more that its passage does not hold."""
    if made.form not in {"reason", "cause", "by doing", "list such as", "list"} or not made.question.endswith("?"):
        return
    text = f"{passage.title} {passage.text}"
    year = str(chance.randint(1901, 1979))
    more = [("a year", f" in {year}?", year)]
    if strange := [place for place in places if place not in text]:
        place = chance.choice(strange)
        more.append(("a place", f" in {place}?", place))
    for kind, added, word in more:
        if word not in text:
            question = made.question.rstrip("?") + added
            yield Woven(made.form, f"turned: {kind}", question, (), "", made.passages, made.sentence)


@dataclass(frozen=True, slots=True)
class Row:
    """What came of asking one question."""

    set_name: str
    form: str
    wording: str
    question: str
    gold: tuple[str, ...]
    wanted: str
    in_five: bool
    said: bool
    first: bool
    short: str
    right: bool
    claims: bool
    text: str
    sentence: str


def ask(made: Woven, *, set_name: str, retriever: DocumentRetriever) -> Row:
    """Ask a question of the whole corpus and compare with what was taken out."""
    run = view(recorded(execute(RunSpec("adaptive", made.question), retriever=retriever)))
    answer = stated_by(run)
    first = _first_sentence(run)
    held = {each.passage.passage_id for each in run.evidence}
    return Row(
        set_name,
        made.form,
        made.wording,
        made.question,
        made.gold,
        made.short,
        held.issuperset(made.passages),
        all(says(answer.text, gold) for gold in made.gold),
        all(says(first, gold) for gold in made.gold),
        answer.short,
        _is_stated(answer.short, made),
        answer.claims if made.is_turned else bool(answer.text) and not answer.doubts,
        first,
        made.sentence,
    )


def _first_sentence(run: RunView) -> str:
    statements = run.answer.statements if run.answer else ()
    return without_marks(statements[0].text) if statements else ""


def says(text: str, gold: str) -> bool:
    """Whether a text holds a name or an item, or most of the words of a longer text."""
    wanted = set(answer_tokens(gold)) - STOP_WORDS
    if len(answer_tokens(gold)) <= 3:
        return contains_answer(text, [gold]) > 0
    return len(wanted & set(answer_tokens(text))) >= MOST_WORDS * len(wanted)


def _is_stated(short: str, made: Woven) -> bool:
    if not short:
        return False
    if made.short in {"Yes", "No"}:
        return short.split()[0].strip(",.:") == made.short
    if made.form in {"years after", "age"}:
        return made.short in re.findall(r"\d+", short)
    if made.short:
        return is_right(short, made.short)
    golds = {word for gold in made.gold for word in answer_tokens(gold)}
    said = set(answer_tokens(short)) - STOP_WORDS - _OPENS_A_REASON
    if made.form.startswith("list"):
        return all(says(short, gold) for gold in made.gold)
    return len(said & golds) >= MOST_WORDS * len(said) or all(says(short, gold) for gold in made.gold)


_OPENS_A_REASON = {"because", "due", "owing", "result", "order"}
HEAD = (
    "asked | passages in five | gold in the answer | in its first sentence | stated right | stated wrong"
    " | not certain though in five"
)


def counts(rows: Sequence[Row]) -> str:
    """The cells of a line of the table."""
    kinds = Counter[str]()
    for row in rows:
        kinds["in five"] += row.in_five
        kinds["said"] += row.said
        kinds["first"] += row.first
        kinds["right"] += bool(row.short) and row.right
        kinds["wrong"] += bool(row.short) and not row.right
        kinds["uncertain"] += row.in_five and not row.claims
    names = ("in five", "said", "first", "right", "wrong", "uncertain")
    return " | ".join(str(each) for each in (len(rows), *(kinds[name] for name in names)))


def show(rows: Sequence[Row]) -> str:
    """The table of a set: a line a form, then of the turned ones how many were stated or claimed."""
    lines = [f"| {rows[0].set_name} | {HEAD} |", f"|---|{'--:|' * 7}"]
    straight = [row for row in rows if not row.wording.startswith("turned")]
    for form in sorted({row.form for row in straight}):
        lines.append(f"| {form} | {counts([row for row in straight if row.form == form])} |")
    lines.append(f"| all | {counts(straight)} |")
    for kind in sorted({row.wording for row in rows} - {row.wording for row in straight}):
        turned = [row for row in rows if row.wording == kind]
        stated = sum(bool(row.short) for row in turned)
        claimed = sum(row.claims and not row.short for row in turned)
        lines.append(f"{kind}: of {len(turned)} stated {stated}, claimed {claimed} more")
    return "\n".join(lines)


def main() -> None:
    """Print for each set and form how many were answered."""
    logging.disable(logging.CRITICAL)
    given = options(__doc__, [*READ, *ONLY_COUNTED]).parse_args()
    rows: list[Row] = []
    for name in given.sets:
        retriever, passages = corpus_of(name)
        drawn = sample(passages, seed=given.seed, of_a_form=given.each)
        if given.list:
            for made in drawn:
                head = f"{name} [{made.form}, {made.wording}] {made.question}"
                print(f"{head} | {made.gold} {made.short} || {made.sentence}")
            continue
        of_set = [ask(made, set_name=name, retriever=retriever) for made in drawn]
        rows += of_set
        print(f"\n{show(of_set)}" if of_set else f"\n{name}: no sentence of such a form", flush=True)
    write(given.out, rows)


if __name__ == "__main__":
    main()
