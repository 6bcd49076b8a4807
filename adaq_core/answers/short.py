"""The short answer that a sentence of the evidence states: a name, a date, a number, yes or no, a reason.

It is stated where the sentence is sure to answer and one part of it is the answer; else up to three parts are likely.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

from adaq_core.answers.choose import (
    TypedSpan,
    Wanted,
    asked_share,
    is_called_one,
    measured_in,
    reason_in,
    spans_for,
    telling,
    typed_spans,
)
from adaq_core.answers.evidence_sentences import EvidenceSentence, last_reversal, reversals_of, stands_after
from adaq_core.answers.polarity import Stance, asks_for_a_rule, asks_for_most, holds_count, stance_of
from adaq_core.matching.lexicon import forms_of, opposite, same_sense
from adaq_core.matching.sentences import presented_terms, subject_terms
from adaq_core.model import AnswerKind
from adaq_core.question.answer_kinds import AUXILIARIES, class_named
from adaq_core.text.entities import countries_in, names
from adaq_core.text.tokens import STOP_WORDS, share, terms_of, uniform, words
from adaq_core.text.values import BEGINS, ENDS, spans_of_time

_SPANS: frozenset[AnswerKind] = frozenset(("person", "date", "number", "amount", "place", "organisation", "fact"))
# A question for all of several, or for the most of something, has no yes in a sentence that says its other words.
_COMPARES = frozenset(("or", "than", "all", "every", "only", "always", "most", "both", "same"))
_IS_OR_DOES = re.compile(rf"(?:{'|'.join(AUXILIARIES)})\b", re.IGNORECASE)
_COMPARISON = re.compile(
    r"\b(?P<how>more|less|fewer|[a-z]{2,10}er)\b[^.;,?]{0,60}?\bthan "
    r"(?P<other>(?:the )?\w[\w.-]{0,30}(?: [A-Z]\w{0,30}){0,3})",
    re.IGNORECASE,
)
_ALL = frozenset(("all", "every"))
_NARROWS = frozenset(("all", "every", "only", "both", "same"))
_TITLE = re.compile(
    r"(?:judge|president|chair(?:man|woman)|professor|senator|minister|mr|mrs|ms|dr|governor)\.? ", re.I
)
_MOST_LIKELY = 3
_ONE_IN = 5
_ENDING = 3
_OF_NOW = re.compile(
    r"how (?:many|much|large|big|high|long)\b.{1,80}?\b(?:is|are|may|can|must|does|do|has|have|currently|now)\b",
    re.IGNORECASE,
)
_WHAT_HAPPENED = re.compile(
    r"what (?:has )?(?:happened|happens|became|has become) (?:to|of|with)\b"
    r"|what(?: is|['’]s) the (?:current |present |latest )?(?:state|status|fate) of\b",
    re.IGNORECASE,
)
_STANDS = re.compile(r"\b(?:in force|in effect|still|valid|active|pending|standing)\b", re.IGNORECASE)
_LONGEST_OUTCOME = 25
_JOINT = re.compile(
    r"; |, (?:so|which|but|while|whereas|although)\b|, and (?=[a-z]+ (?:agreed|paid|said|was|were|had|has))"
)
# The last is a row of what somebody did: "was founded in 2003, sold its first shares in 2010".
_PARTS = re.compile(
    r"; |: |, (?:and|but|so|which|while|whereas|although|though) "
    r"|, (?!(?:after|before|from|with|under|during|into|over|when|who|all|both|then)\b)"
    r"(?=[a-z]{3,12}(?<!ing) (?:its|his|her|their|the|an?)\b)"
)
_SIDES = re.compile(r"; |, (?:but|while|whereas|although|though) ")
_MEASURED = frozenset(("number", "amount", "date"))
_DOERS = frozenset(("person", "organisation"))
_BEHIND = 40
_NUMBERED = re.compile(r"\b([A-Z][A-Za-z]{1,12})[- ](\d{1,4})\b")
_PHRASAL = re.compile(r"\b([a-z]{2,12}) (up|off|out|down|away)\b(?! (?:to|of|in|from|the|a)\b)")
_NO_PERSON = re.compile(r" of (?:the )?|^[A-Z]{2,6}$")
# What is left of how sure a sentence of a replaced version is.
_OLD = 0.5
# Who does it, where that is no name: "are approved by the treasurer", "needs the approval of the line manager".
_AGENT = re.compile(
    r"\b(?P<done>\w{3,20}) (?:by|of) (?P<who>the [a-z][a-z' ]{2,40}?)(?=[.,;:]|$"
    r"| (?:and|or|who|which|for|before|after|within|only"
    r"|at|in|on|when|if|up|to)\b)(?!, [A-Z])"
)
_ASKS_ROLE = re.compile(
    r"(?:who|what|which \w{1,20})(?:['’]s| (?:is|was|are|were)) (?:now |currently |still )?(?:the|an?) ", re.I
)
_HOLDER = re.compile(r"\b(?:the|its|their) ([a-z][a-z ]{2,40}), $", re.IGNORECASE)
_LOOK_BACK = 48
_WHO_DID = re.compile(
    r"(?:who|which (?:person|man|woman|executive|manager|company|firm|bank|regulator)) "
    r"(?!(?:is|are|was|were|has|have|had|did|do|does|can|may|will|would|should|could|must)\b)(?P<verb>[a-z]{3,20}) ",
    re.IGNORECASE,
)
_PASSIVE = re.compile(r"\b(?:is|are|was|were|been|being|be) (?:[a-z]+ly )?$")
_BY = re.compile(r"\bby (?:the )?|\bby .{1,80}(?:, | and )$")
_AND = re.compile(r",? and |, ")
_STANDS_FOR = re.compile(
    r"what (?:does|do|did) (?:the )?(?:acronym |abbreviation |letters |name )?(?P<name>[A-Za-z][\w-]{1,11}) stand for",
    re.IGNORECASE,
)
_SPELLED_OUT = re.compile(
    r"\b(?P<name>[A-Za-z][\w-]{1,11})(?:,| is| \()? ?(?:short|stands?|stood) for (?:the )?"
    r"(?P<words>[A-Za-z][\w-]*(?: [\w-]+){0,6}?)(?=[,.;:)]| and [A-Z]| is | which | that )"
)
_MORE = re.compile(r",? and |, [A-Z]")
_LOWER = re.compile(r"[a-z]+")
_ARTICLE = re.compile(r"\b(?:an?|the|his|her|its|their) (?:[a-z]+ )?$")
# A clause with a name of its own: "A leads the bank, and B has led the fund since".
_OWN_CLAUSE = re.compile(
    r"; |: |, (?:but|while|whereas|although|though) | (?:so that|because|whereas) "
    r"|,(?: and)? (?=[A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*){0,3}"
    r" (?:is|are|was|were|has|have|had|leads?|runs?|[a-z]{2,14}(?:ed|es|s)) )"
)
_GOAL = re.compile(r" (?:to|for|from|against) ((?:[\w'’]+ ?){1,5})")
_HAD = re.compile(r" had \w")
_IN_THE_PAST = re.compile(
    r"\b(?:was|were|did|had|before|then|first|former(?:ly)?|previous(?:ly)?|until|in (?:19|20)\d\d)\b", re.I
)
_ASKS_TOWN = re.compile(r"\b(?:city|town|village)\b", re.IGNORECASE)
_ASKS_TWICE = re.compile(r",? and (?:what|which|who|when|where|how|why)\b", re.IGNORECASE)
_PEOPLES = ("an", "ese", "ish", "ch", "i", "k")
Siblings = Sequence[Sequence[EvidenceSentence]]


@dataclass(frozen=True, slots=True)
class Certainty:
    """From which shares a short answer is stated; chosen on the dev halves so that nine in ten stated ones are right.

    `span` and `named`: strength and share of the question's terms for a name, a date or a number (58 of 308 questions
    read of five exams, 56 right; with .8 and .85 48 and 47);
    `asked`: share of the question's terms that the sentence or its title says; `strength`: of that, of the terms said
    word for word and of what the matcher says; `loose`: the same for a reason only put in time ("when", "after");
    `clear`: by how much the next sentence with another candidate is behind; `sentence`: from
    which match on a sentence stands beside a stated answer; `clause`: the share of the question that the clause of a
    number says; `rule` and `case`: strength and share for a rule, which need not repeat every word of the case it is
    asked of; `likely`: from which strength on a part is marked as one that may answer. All in [0, 1].
    """

    span: float = 0.5
    named: float = 0.8
    asked: float = 0.85
    strength: float = 0.8
    loose: float = 0.9
    clear: float = 0.2
    sentence: float = 0.5
    clause: float = 0.75
    rule: float = 0.5
    case: float = 0.6
    likely: float = 0.2


CERTAINTY = Certainty()


@dataclass(frozen=True, slots=True)
class Proposal:
    """A short answer with the sentence that states it and `also` one that agrees; without a text what is `likely`."""

    text: str = ""
    kind: AnswerKind = "fact"
    sentence: EvidenceSentence | None = None
    step: str = ""
    likely: tuple[str, ...] = ()
    also: EvidenceSentence | None = None

    @property
    def sentences(self) -> tuple[EvidenceSentence, ...]:
        """The sentences that it is taken from."""
        return tuple(s for s in (self.sentence, self.also) if s is not None)


@dataclass(frozen=True, slots=True)
class Rated:
    """A sentence of the answer with what the matcher says of it, in [0, 1]."""

    sentence: EvidenceSentence
    match: float

    def said(self, wanted: Wanted) -> frozenset[str]:
        """The terms that it or its title says."""
        passage = self.sentence.passage
        return wanted.said_by(self.sentence) | subject_terms(passage) | presented_terms(passage)

    def asked(self, wanted: Wanted) -> float:
        """The share of the question's terms that it says, also in words of the same sense."""
        return asked_share(wanted.terms, self.said(wanted), telling)

    def strength(self, wanted: Wanted) -> float:
        """How sure it is to answer: what the matcher says, times the terms said, half of it word for word."""
        if wanted.terms:
            literal = share(wanted.terms, self.said(wanted), telling)
        else:
            literal = 1.0
        current = _OLD if self.sentence.passage.passage_id in wanted.replaced else 1.0
        return current * self.match * (self.asked(wanted) + literal) / 2

    def is_sure(self, wanted: Wanted, *, strength: float) -> bool:
        """Whether it answers for certain."""
        sure = self.strength(wanted) >= strength and self.asked(wanted) >= CERTAINTY.asked
        return sure and _says_phrasal_verbs(wanted, self.sentence.text)


def _says_phrasal_verbs(wanted: Wanted, text: str) -> bool:
    """Whether a verb that the question says with a particle is no other word there: "set up" is not "data set"."""
    pairs = {(term, after) for word, after in pairwise(words(text)) for term in terms_of(word)}
    terms = terms_of(text)
    asked = [(verb, m[2]) for m in _PHRASAL.finditer(wanted.question) for verb in terms_of(m[1]) & wanted.terms]
    return all(
        pair in pairs
        or pair[0] not in terms
        or any(phrase <= terms for phrase in same_sense(pair[0]) - {frozenset((pair[0],))})
        for pair in asked
    )


def propose(wanted: Wanted, rated: Sequence[Rated], siblings: Siblings) -> Proposal:
    """The short answer from the sentences chosen for it."""
    ordered = sorted(rated, key=lambda r: -r.strength(wanted))
    if wanted.kind == "yes_no":
        return _verdict(wanted, ordered, siblings)
    if wanted.kind == "choice" and _IS_OR_DOES.match(wanted.question):
        return _compared(wanted, ordered)
    if wanted.kind == "reason":
        return _reason(wanted, ordered)
    if spelled := _STANDS_FOR.match(wanted.question):
        return _spelled_out(spelled["name"], ordered)
    if _WHAT_HAPPENED.match(wanted.question):
        return _outcome(wanted, ordered, siblings)
    if wanted.kind in _SPANS:
        return _span(wanted, ordered)
    return Proposal(kind=wanted.kind)


def _span(wanted: Wanted, rated: Sequence[Rated]) -> Proposal:
    """The candidate of the kind in the surest sentence that is nearest to the words asked for."""
    candidates = [(r, spans) for r in rated if (spans := _candidates(wanted, r.sentence))]
    if not candidates:
        return Proposal(kind=wanted.kind)
    candidates = _those_counted(wanted, candidates)
    near = (spans[0].text for r, spans in candidates if r.strength(wanted) >= CERTAINTY.likely)
    likely = tuple(dict.fromkeys(near))[:_MOST_LIKELY]
    best = candidates[0][0]
    text = candidates[0][1][0].text
    if newer := _newer(wanted, best, text, rated):
        now, explanation = newer
        of_now = _OF_NOW.match(wanted.question) is not None and wanted.conditions == ()
        step = f"the later of two dated statements; before it was {text}"
        return (
            Proposal(now, wanted.kind, explanation, step, also=best.sentence)
            if of_now
            else Proposal(kind=wanted.kind, likely=(now, text))
        )
    rivals = [r.strength(wanted) for r, others in candidates[1:] if not _is_same(others[0].text, text)]
    clear = best.strength(wanted) - max(rivals, default=0.0) >= CERTAINTY.clear
    clear = clear and not any(_is_what_is_asked(wanted, r) for r, _ in candidates if not _is_about(wanted, best))
    parts = _is_one_of_several(wanted, candidates[0][1]) and not _is_told_apart(wanted, best, candidates[0][1])
    several = len(candidates[0][1]) > 1 and (wanted.several or parts)
    sure = _is_sure_of_span(wanted, best) and _is_counted_there(wanted, best, candidates[0][1][0])
    sure = sure and (best is rated[0] or rated[0].strength(wanted) <= best.strength(wanted))
    if sure and clear and not several:
        return Proposal(text, wanted.kind, best.sentence)
    stated = None if several else _agreed(wanted, candidates)
    return stated or Proposal(kind=wanted.kind, likely=likely)


def _is_sure_of_span(wanted: Wanted, rated: Rated) -> bool:
    """Whether a sentence is sure to answer a question for a name, a date or a number: a span of that kind is a sign."""
    sure = rated.strength(wanted) >= CERTAINTY.span and rated.asked(wanted) >= CERTAINTY.named
    asks_one = len(wanted.terms) > 1 and _ASKS_TWICE.search(wanted.question) is None
    sure = sure and (asks_one or wanted.kind != "fact")
    return sure and _says_phrasal_verbs(wanted, rated.sentence.text)


def agreed(wanted: Wanted, sentences: Iterable[EvidenceSentence]) -> tuple[EvidenceSentence, ...]:
    """The two sentences of the evidence that together answer with one number; none where no two do."""
    rated = [Rated(sentence, wanted.matches.get(sentence.key, 0.0)) for sentence in sentences]
    candidates = [(r, spans) for r in rated if (spans := _candidates(wanted, r.sentence))]
    proposal = _agreed(wanted, candidates)
    return proposal.sentences if proposal else ()


def _those_counted(
    wanted: Wanted, candidates: list[tuple[Rated, list[TypedSpan]]]
) -> list[tuple[Rated, list[TypedSpan]]]:
    """Those sentences whose number stands before what is counted ("113,000 questions"), where a sure one does."""
    if not wanted.counted or wanted.kind != "number":
        return candidates
    own = [(r, spans) for r, spans in candidates if _is_before_counted(wanted, r, spans[0])]
    return own if own and _is_sure_of_span(wanted, own[0][0]) else candidates


def _is_before_counted(wanted: Wanted, rated: Rated, span: TypedSpan) -> bool:
    behind = words(rated.sentence.text[span.end : span.end + _BEHIND])[:3]
    near = takewhile(lambda word: word not in STOP_WORDS, behind)
    return any(terms_of(word) & wanted.counted for word in (*words(span.text), *near))


def _is_about(wanted: Wanted, rated: Rated) -> bool:
    """Whether the title of its passage names any of what is asked about."""
    return bool(subject_terms(rated.sentence.passage) & wanted.terms)


def _is_what_is_asked(wanted: Wanted, rated: Rated) -> bool:
    """Whether the question names its passage in full: of "TREC" the passage TREC speaks, not one on its tracks."""
    title = set(words(rated.sentence.passage.title))
    return bool(title) and title <= wanted.words


def _is_counted_there(wanted: Wanted, rated: Rated, span: TypedSpan) -> bool:
    """Whether a number stands in the clause that says most of what is asked: orders are not what was delivered."""
    if wanted.kind not in ("number", "amount", "place"):
        return True
    terms = wanted.terms - subject_terms(rated.sentence.passage)
    return asked_share(terms, terms_of(_clause_of(rated.sentence.text, span, _JOINT)), telling) >= CERTAINTY.clause


def _clause_of(text: str, span: TypedSpan, joints: re.Pattern[str]) -> str:
    """The part of a sentence between the joints around a span."""
    starts = [joint.end() for joint in joints.finditer(text, 0, span.start)]
    end = joints.search(text, span.end)
    return text[starts[-1] if starts else 0 : end.start() if end else len(text)]


def _agreed(wanted: Wanted, candidates: Sequence[tuple[Rated, list[TypedSpan]]]) -> Proposal | None:
    """The number of which two documents say the same, where one sentence or both together say all that is asked.

    "The base model has eight attention heads" and "the original Transformer used eight heads of 64 dimensions".
    """
    if wanted.kind not in ("number", "amount"):
        return None
    for n, (one, spans) in enumerate(candidates):
        for other, others in candidates[n + 1 :]:
            apart = one.sentence.passage.document_id != other.sentence.passage.document_id
            if apart and wanted.terms <= one.said(wanted) | other.said(wanted):
                counts = _counts(wanted, other, others)
                same = next((s for s in spans if _counts(wanted, one, [s]) & counts), None)
                if same is not None:
                    step = f"two documents that both say {words(same.text)[0]}"
                    return Proposal(words(same.text)[0], wanted.kind, one.sentence, step, also=other.sentence)
    return None


def _counts(wanted: Wanted, rated: Rated, spans: Sequence[TypedSpan]) -> frozenset[tuple[str, str]]:
    """How many of what is asked: ("eight", "head") of "eight attention heads"."""
    made = set()
    for span in spans:
        behind = words(rated.sentence.text[span.start : span.start + _BEHIND])
        made |= {(behind[0], term) for word in behind[1:4] for term in terms_of(word) & wanted.terms}
    return frozenset(made)


def _is_one_of_several(wanted: Wanted, spans: Sequence[TypedSpan]) -> bool:
    """Whether a sentence gives the number in parts: "about 6,000 in May and about 9,000 in July"."""
    forms = [re.sub(r"\d[\d.,]*", "#", span.text.casefold()) for span in spans]
    return wanted.kind in ("number", "amount") and forms.count(forms[0]) > 1


def _goes_to(wanted: Wanted, text: str, span: TypedSpan) -> bool:
    """Whether a sum goes to whom the question names: the 4 million of "4 million to the heirs"."""
    goal = _GOAL.match(text, span.end) if wanted.kind in ("number", "amount") else None
    return goal is not None and bool(terms_of(goal[1]) & wanted.terms)


def _is_told_apart(wanted: Wanted, rated: Rated, spans: Sequence[TypedSpan]) -> bool:
    """Whether each of several numbers goes to somebody, and the first to whom is asked: 4 to A and 7 to B."""
    goals = [_GOAL.match(rated.sentence.text, span.end) for span in spans]
    if any(goal is None for goal in goals):
        return False
    first, *others = (terms_of(goal[1]) for goal in goals if goal is not None)
    return bool(first & wanted.terms) and not any(other & wanted.terms for other in others)


def _is_same(one: str, other: str) -> bool:
    return set(words(one)) <= set(words(other)) or set(words(other)) <= set(words(one))


def _newer(wanted: Wanted, best: Rated, text: str, rated: Sequence[Rated]) -> tuple[str, EvidenceSentence] | None:
    """Another number of the same thing that a sentence of a later date says; a question for now has to ask which."""
    thing = text.split()[-1].casefold()
    if wanted.kind not in ("number", "amount") or not thing.isalpha() or not best.sentence.dates:
        return None
    then = _last(best.sentence)
    later = [r for r in rated if r.match >= CERTAINTY.sentence and r.sentence.dates and _last(r.sentence) > then]
    later = [r for r in later if not _is_of_another(wanted.question, r.sentence.text)]
    others = ((c.text, r.sentence) for r in later for c in _candidates(wanted, r.sentence))
    return next((o for o in others if o[0].split()[-1].casefold() == thing and o[0] != text), None)


def _is_of_another(question: str, text: str) -> bool:
    """Whether a text speaks of another number of what the question names: of GPT-3, and not of GPT-2."""
    numbered = set(_NUMBERED.findall(text))
    others = {name for name, _ in numbered - set(_NUMBERED.findall(question))}
    return any(name in others and (name, number) not in numbered for name, number in _NUMBERED.findall(question))


def _last(sentence: EvidenceSentence) -> str:
    return max(date.key for date in sentence.dates)


def _candidates(wanted: Wanted, sentence: EvidenceSentence) -> list[TypedSpan]:
    """The parts of the kind asked for that the question does not hold, those nearest to its words first."""
    text = sentence.text
    title = set(words(sentence.passage.title))
    # Who a passage about the thing asked names in its title is known; who one about something else does may be it.
    about_it = wanted.kind in ("person", "organisation") and not terms_of(sentence.passage.title).isdisjoint(
        wanted.terms
    )
    known = wanted.words | (title if about_it else set())
    spans = [_trimmed(s, wanted) for s in spans_for(wanted, sentence)]
    spans = [s for s in spans if not set(words(s.text)) - STOP_WORDS <= known]
    if wanted.kind == "date":
        spans = _of_the_end_asked(wanted, text, spans)
    if wanted.kind == "fact":
        spans = [s for s in spans if is_called_one(s, text, class_named(wanted.question))]
    if wanted.kind == "place":
        spans = _whole_places(
            [s for s in spans if not _is_adjective(s, text)], text, _ASKS_TOWN.search(wanted.question)
        )
    if wanted.kind == "person":
        places = {text[s:e] for _, s, e in countries_in(text)}
        spans = [s for s in spans if not _NO_PERSON.search(s.text)]
        spans = _who_still_does(wanted, spans, text)
        people = [s for s in spans if s.text not in places and not text[: s.start].endswith((" in ", " at "))]
        people = _doing(wanted, text, [s for s in people if not _holds_a_role(wanted, s, text)])
        spans = [*_agents(wanted, text), *_joined(people, text)]
    order = {
        span: (-_clause_share(wanted, sentence, span), not _goes_to(wanted, text, span), _gap(wanted, sentence, span))
        for span in sorted(spans, key=lambda s: s.start)
    }
    return sorted(spans, key=lambda span: order[span])


def _whole_places(spans: Sequence[TypedSpan], text: str, asks_town: re.Match[str] | None) -> list[TypedSpan]:
    """Places with the region that stands behind a comma: "Towson, Maryland"; without it where a town is asked for."""
    made: list[TypedSpan] = []
    for span in sorted(spans, key=lambda s: s.start):
        if made and text[made[-1].end : span.start] == ", " and not _MORE.match(text, span.end):
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
    kept = [s for s in spans if not any(start < s.end and s.start < end for start, end in other)]
    return [TypedSpan(s.text[5:], s.start + 5, s.end) if s.text.lower().startswith("from ") else s for s in kept]


def _agents(wanted: Wanted, text: str) -> list[TypedSpan]:
    """The roles that do what is asked: the treasurer of "are approved by the treasurer"."""
    alike = frozenset(min(phrase) for term in wanted.terms for phrase in same_sense(term) if len(phrase) == 1)
    done = (agent for agent in _AGENT.finditer(text) if terms_of(agent["done"]) & alike)
    roles = (TypedSpan(agent["who"], *agent.span("who")) for agent in done)
    return [role for role in roles if not terms_of(role.text) <= wanted.terms]


def _who_still_does(wanted: Wanted, spans: list[TypedSpan], text: str) -> list[TypedSpan]:
    """Without who only had done it, where it is asked who does: "A had led B before, and C has led B since"."""
    if _IN_THE_PAST.search(wanted.question):
        return spans
    return [s for s in spans if _HAD.match(text, s.end) is None]


def _holds_a_role(wanted: Wanted, span: TypedSpan, text: str) -> bool:
    """Whether a name only says who holds a role that the question names for another reason."""
    role = _HOLDER.search(text[max(0, span.start - _LOOK_BACK) : span.start])
    if role is None or _ASKS_ROLE.match(wanted.question):
        return False
    return terms_of(role[1]) <= wanted.terms


def _clause_share(wanted: Wanted, sentence: EvidenceSentence, span: TypedSpan) -> int:
    """How many of the terms asked for the clause of a span says, also in words of the same sense."""
    joints = _PARTS if wanted.kind in _MEASURED else _OWN_CLAUSE if wanted.kind in _DOERS else _SIDES
    own = terms_of(_clause_of(sentence.text, span, joints))
    asked = wanted.terms
    if wanted.kind == "date":  # what the passage is about is said of every date in it
        asked = asked - subject_terms(sentence.passage) or asked
    return sum(any(phrase <= own for phrase in same_sense(term)) for term in asked)


def _gap(wanted: Wanted, sentence: EvidenceSentence, span: TypedSpan) -> int:
    """How far a span stands from the nearest word asked for besides the title's, else from one of its sense."""
    terms = wanted.terms - subject_terms(sentence.passage) or wanted.terms
    if wanted.kind == "date":
        terms = _told_of_names(wanted, sentence) or terms
    focus = measured_in(wanted.question) if wanted.kind in ("number", "amount") else frozenset[str]()
    terms = focus if focus and focus <= sentence.terms else terms
    alike = frozenset(t for term in terms for phrase in same_sense(term) if phrase <= sentence.terms for t in phrase)
    written = [(word.span(), terms_of(word.group())) for word in re.finditer(r"\w+", sentence.text)]
    places = [at for at, own in written if own & terms] or [at for at, own in written if own & alike]
    return min((max(start - span.end, span.start - end, 0) for start, end in places), default=span.start)


def _told_of_names(wanted: Wanted, sentence: EvidenceSentence) -> frozenset[str]:
    """What is asked of the names of a question, where the sentence says any of it: "completed" of "A completed B"."""
    named = frozenset().union(*(terms_of(name.text) for name in names(wanted.question) if name.start > 0))
    asked = wanted.terms - named
    literal = asked & sentence.terms
    return literal or frozenset(t for t in asked if any(phrase <= sentence.terms for phrase in same_sense(t)))


def _trimmed(span: TypedSpan, wanted: Wanted) -> TypedSpan:
    """A name without the office in front of it, or the owner behind it: "Judge A" is A."""
    office = _TITLE.match(span.text) if wanted.kind == "person" else None
    if office:
        return TypedSpan(span.text[office.end() :], span.start + office.end(), span.end)
    head, _, owner = span.text.partition(" of ")
    if owner and wanted.kind in ("fact", "organisation") and terms_of(owner) <= wanted.terms:
        return TypedSpan(head, span.start, span.start + len(head))
    return span


def _doing(wanted: Wanted, text: str, people: list[TypedSpan]) -> list[TypedSpan]:
    """Of a sentence that says what the question asks of somebody, the names in the place of who does it.

    "Who sued A?": of "B sued C and A" only B, be it a person or not; behind a passive the name after "by".
    """
    asked = _WHO_DID.match(wanted.question)
    done = {min(p) for t in terms_of(asked["verb"]) for p in same_sense(t) if len(p) == 1} if asked else set[str]()
    first, last = _telling_clause(wanted, text)
    verbs = (m for m in _LOWER.finditer(text, first, last) if not terms_of(m.group()).isdisjoint(done))
    verb = next((m for m in verbs if _ARTICLE.search(text[: m.start()]) is None), None)
    if verb is None:
        return people
    named = [s for s in typed_spans("organisation", text) if not set(words(s.text)) <= wanted.words]
    named = _who_still_does(wanted, named, text)
    if _PASSIVE.search(text[: verb.start()]):
        doing = [s for s in named if _BY.search(text[verb.end() : s.start])]
    else:
        doing = [s for s in named if first <= s.start and s.end < verb.start()]
    return [s for s in people if s in doing] or doing


def _telling_clause(wanted: Wanted, text: str) -> tuple[int, int]:
    """Where the clause stands that alone says most of what is asked; the whole text where two say as much."""
    joints = list(_OWN_CLAUSE.finditer(text))
    ends = [*(joint.start() for joint in joints), len(text)]
    clauses = list(zip((0, *(joint.end() for joint in joints)), ends, strict=True))
    asks_now = _IN_THE_PAST.search(wanted.question) is None
    shares = [
        0.0
        if asks_now and _HAD.search(text[start:end])
        else asked_share(wanted.terms, terms_of(text[start:end]), telling)
        for start, end in clauses
    ]
    if shares.count(max(shares)) > 1:
        return 0, len(text)
    return clauses[shares.index(max(shares))]


def _joined(spans: Sequence[TypedSpan], text: str) -> list[TypedSpan]:
    """Names that an "and" or a comma joins, as one: "A, B and C founded it".

    An "and" closes a list: behind it the next name begins a clause ("founded by A, B and C, and A has led it since").
    """
    made: list[TypedSpan] = []
    is_closed = False
    for span in sorted(spans, key=lambda s: s.start):
        if made:
            joint = text[made[-1].end : span.start]
        else:
            joint = ""
        if not is_closed and _AND.fullmatch(joint):
            made[-1] = TypedSpan(text[made[-1].start : span.end], made[-1].start, span.end)
            is_closed = "and" in joint
        else:
            made.append(span)
            is_closed = False
    return made


def _verdict(wanted: Wanted, rated: Sequence[Rated], siblings: Siblings) -> Proposal:
    """By the last of the dated events that took back what was asked about, else by the sentence that says it."""
    for each in rated:
        chain = reversals_of(each.sentence, siblings[each.sentence.rank])
        if chain and each.match >= CERTAINTY.sentence:
            stands = stands_after(chain[-1].text)
        else:
            stands = None
        if stands is not None:
            step = f"the last of {len(chain) + 1} dated statements: {last_reversal(chain[-1].text)}"
            return Proposal("Yes" if stands else "No", "yes_no", chain[-1], step)
    best = next((r for r in rated if not r.sentence.empty), None)
    stood = stands_after(best.sentence.text) if best else None
    if best and stood is not None and best.match >= CERTAINTY.sentence and _STANDS.search(wanted.question):
        told = last_reversal(best.sentence.text)
        step = "" if told == best.sentence.text.rstrip(".") else f"what happened: {told}"  # it is quoted below anyway
        return Proposal("Yes" if stood else "No", "yes_no", best.sentence, step)
    stances = ((r, _stance(wanted, r)) for r in rated if not r.sentence.empty)
    return next((Proposal(s.text, "yes_no", r.sentence) for r, s in stances if s), Proposal(kind="yes_no"))


def _stance(wanted: Wanted, rated: Rated) -> Stance | None:
    """The yes or no of a sentence that is sure to answer; a rule need not repeat every word of the case."""
    text = rated.sentence.text
    if asks_for_a_rule(wanted.question):
        repeated = set(words(text)) & _NARROWS
    else:
        repeated = {"most"} if asks_for_most(wanted.question) else set(words(text)) & _ALL
    if rated.strength(wanted) < CERTAINTY.rule or wanted.words & _COMPARES - repeated:
        return None
    terms = wanted.terms - subject_terms(rated.sentence.passage) or wanted.terms
    stance = stance_of(wanted.question, text, terms)
    counted = None if asks_for_a_rule(wanted.question) else holds_count(wanted.question, text)
    if stance is not None and counted is not None:
        stance = Stance(counted == stance.yes)
    if stance is None or (stance.rule and rated.asked(wanted) >= CERTAINTY.case):
        return stance
    if _says_both(wanted, rated.sentence.terms):
        return None
    sure = rated.is_sure(wanted, strength=CERTAINTY.strength) and _says_each_word(wanted, rated)
    return stance if sure and rated.sentence.terms & wanted.terms else None


def _compared(wanted: Wanted, rated: Sequence[Rated]) -> Proposal:
    """By a sentence that compares the same two: "A sold more cars than B" is a yes to that, and a no to the reverse."""
    for each in rated:
        text = each.sentence.text
        counted = holds_count(wanted.question, text)
        if counted is not None and each.is_sure(wanted, strength=CERTAINTY.strength):
            return Proposal("Yes" if counted else "No", "yes_no", each.sentence)
        order = _same_order(wanted.question, text)
        stance = stance_of(wanted.question, text, wanted.terms) if order is not None else None
        if stance and each.is_sure(wanted, strength=CERTAINTY.strength):
            return Proposal("Yes" if stance.yes == order else "No", "yes_no", each.sentence)
    return Proposal(kind=wanted.kind)


def _same_order(question: str, text: str) -> bool | None:
    """Whether a text compares two things in the order of the question; None where it compares others."""
    asked, compared = _COMPARISON.search(question), _COMPARISON.search(text)
    if asked is None or compared is None or asked["how"].lower() != compared["how"].lower():
        return None
    sides = terms_of(question[: asked.start()]), terms_of(asked["other"])
    others = terms_of(text[: compared.start()].split(": ")[-1]), terms_of(compared["other"])
    if sides[1] & others[1] and sides[0] & others[0]:
        return True
    return False if sides[0] & others[1] and sides[1] & others[0] else None


def _says_both(wanted: Wanted, terms: frozenset[str]) -> bool:
    """Whether a sentence tells of what is asked and of its opposite: "blocked in April and allowed in October"."""
    return any(term in terms and not opposite(term).isdisjoint(terms) for term in wanted.terms)


def _outcome(wanted: Wanted, rated: Sequence[Rated], siblings: Siblings) -> Proposal:
    """What the last reversal says that the surest sentence, or a later one on the same matter, tells of."""
    for each in rated[:1]:
        chain = (each.sentence, *reversals_of(each.sentence, siblings[each.sentence.rank]))
        text = last_reversal(chain[-1].text, of=wanted.terms)
        about = bool(terms_of(text) & wanted.terms) or len(chain) > 1
        sure = each.match >= CERTAINTY.sentence and stands_after(chain[-1].text) is not None
        if sure and about and len(text.split()) <= _LONGEST_OUTCOME:
            return Proposal(text[:1].upper() + text[1:], wanted.kind, chain[-1])
    return Proposal(kind=wanted.kind)


def _says_each_word(wanted: Wanted, rated: Rated) -> bool:
    """Whether it says each word of the question in a form of that word, but for one of five.

    "Profit margins" do not make a firm profitable, and who buys from a plant does not own factories.
    """
    written = words(f"{rated.sentence.text} {rated.sentence.passage.title}")
    asked = [word for word in wanted.words if any(telling(term) == 1.0 for term in terms_of(word) & wanted.terms)]
    other = [word for word in asked if not any(_is_form(word, each) for each in written)]
    return len(other) <= len(asked) // _ONE_IN


def _is_form(word: str, other: str) -> bool:
    """Whether two words differ by an ending of at most three letters, or are irregular forms of one verb."""
    near = bool(terms_of(word) & terms_of(other)) and abs(len(word) - len(other)) <= _ENDING
    return word == other or near or any((forms_of(term) - {term}) & terms_of(other) for term in terms_of(word))


def _spelled_out(name: str, rated: Sequence[Rated]) -> Proposal:
    """What an abbreviation stands for: "LoRA, short for low-rank adaptation, is …"."""
    for each in rated:
        for match in _SPELLED_OUT.finditer(each.sentence.text):
            if match["name"].casefold() == name.casefold():
                return Proposal(match["words"], "definition", each.sentence)
    return Proposal(kind="definition")


def _tells_why(wanted: Wanted, rated: Rated, clause: str) -> bool:
    """Whether what is asked stands outside of the reason: what sales fell by, "due to A", tells nothing of why A."""
    outside = terms_of(rated.sentence.text.replace(clause, " ")) | subject_terms(rated.sentence.passage)
    return asked_share(wanted.terms, outside, uniform) >= CERTAINTY.case


def _reason(wanted: Wanted, rated: Sequence[Rated]) -> Proposal:
    """The clause of the surest sentence that gives a reason."""
    for each in rated[:1]:
        clause = reason_in(each.sentence.text)
        in_time = clause[:5].casefold() in ("when ", "after")
        if (
            clause
            and _tells_why(wanted, each, clause)
            and each.is_sure(wanted, strength=CERTAINTY.loose if in_time else CERTAINTY.strength)
        ):
            text = clause.rstrip(" .,;")
            return Proposal(text[:1].upper() + text[1:], "reason", each.sentence)
    return Proposal(kind="reason")
