"""What yes or no a sentence says to a question, by its words for leave, duty and denial; and which one stands.

In a fact "may" is a doubt; in a rule it is the rule: "May staff buy homes?" is answered by "Staff may not buy homes",
and "Programmers may use assistants, if …" is a yes with a condition. What the words measure is weighed in `short.py`,
where what was learned may be used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from adaq_core.answers.candidates import CERTAINTY, PASSIVE, Proposal, Rated
from adaq_core.answers.choose import Wanted, telling
from adaq_core.answers.evidence_sentences import EvidenceSentence, last_reversal, reversals_of, stands_after
from adaq_core.matching.lexicon import contrary, forms_of, is_said, opposite, single_words
from adaq_core.matching.naming import subject_terms
from adaq_core.text.entities import Name, names
from adaq_core.text.tokens import Word, spans, stem, terms_of, words
from adaq_core.text.values import SPELLED_NUMBER, Amount, amounts, dates, ranges

_LEAVE = (
    r"(?-i:may)|can|could|allowed|permitted|permissible|possible|accepted|acceptable|approved|entitled|permission"
    r"|free to|eligible"
)
_DUTY = (
    r"must|shall|have to|has to|had to|needs?|needed|required|requires?|obliged|obligatory|mandatory|compulsory"
    r"|necessary"
)
_ASKS_LEAVE = re.compile(
    r"(?:may|can|could)\b|(?:is|are|was|were|will)\b.{1,160}?\b(?:allowed|permitted|permissible|possible|accepted|acceptable"
    r"|entitled|free to|eligible|forbidden|prohibited|banned|excluded)\b",
    re.IGNORECASE,
)
_ASKS_DUTY = re.compile(
    r"(?:must|shall|should|need)\b|(?:is|are|was|were|do|does|did|will)\b.{1,160}?\b(?:have to|need|needed|required"
    r"|require|obliged|obligatory|mandatory|compulsory|necessary)\b",
    re.IGNORECASE,
)
_CASE = re.compile(
    r"if [^?]{1,200}?, (?=(?:may|can|could|must|shall|should|need|is|are|was|were|do|does|did|will)\b)", re.IGNORECASE
)
_GRANTS = re.compile(rf"\b(?:{_LEAVE})\b", re.IGNORECASE)
_BINDS = re.compile(rf"\b(?:{_DUTY})\b", re.IGNORECASE)
_DENIES = re.compile(
    r"\b(?:not|no|never|neither|nor|cannot|none|nobody|nothing|nowhere)\b|n['’]t\b"
    r"|\b(?:(?:refus|declin|fail)\w{0,4} to|refused|rejected|excluded|exempt(?:ed)?|forbidden|prohibited|banned|barred"
    r"|disallowed|ruled out|voluntary)\b",
    re.IGNORECASE,
)
# What was banned or rejected may be another thing than the fact that is asked for.
_DENIES_A_FACT = re.compile(
    r"\b(?:not|no|never|neither|nor|cannot|none|nobody|nothing|nowhere|without)\b|n['’]t\b"
    r"|\b(?:refus|declin|fail)\w{0,4} to\b",
    re.IGNORECASE,
)
_HEDGES = re.compile(
    r"\b(?:(?-i:may)|might|could|if|whether|would|should|plans?|planned|propos(?:e[sd]?|ing)"
    r"|sought|threaten\w*|possibly|perhaps|unless|alleged\w*|claims?|claimed)\b",
    re.IGNORECASE,
)
_DOUBTS = re.compile(
    r"\b(?:might|whether|would|plans? to|planned|possibly|perhaps|alleged\w*|claimed)\b", re.IGNORECASE
)
_CONDITION = re.compile(
    r",? ?\b((?:if|unless|provided that|so long as|as long as|as far as|subject to"
    r"|only (?:if|when|after|with|by|on|into|to|for|where|while)"
    r"|(?:only )?with (?:the )?(?:prior )?(?:written )?(?:approval|consent|permission|agreement)"
    r"|except|apart from|other than|save)\b[^;.]{2,160})",
    re.IGNORECASE,
)
_EXCEPTS = re.compile(r"(?:except|apart|other than|save|unless)", re.IGNORECASE)
_WITHOUT = re.compile(r"\bwithout (?:an? |the |any |prior )*([^,?]{3,60})", re.IGNORECASE)
_LIMIT_AHEAD = re.compile(
    r"\b(?:up to|at most|not more than|no more than|not longer than|maximum of|only(?: on| for)?) $", re.IGNORECASE
)
_LIMIT_BEHIND = re.compile(r"[^.;,]{0,24}?\b(?:at most|only|at the most|or less)\b", re.IGNORECASE)
_MOST_OF = re.compile(r"\b(?:most|the majority|more than half|the bulk) of\b", re.IGNORECASE)
_MINOR = re.compile(
    r"\b(?:minority|less than half|fewer than half|an? (?:small|minor) (?:part|share)"
    r"|a (?:third|quarter|fifth|tenth)) of\b",
    re.IGNORECASE,
)
_MAJOR = re.compile(r"\b(?:majority|more than half|over half|most) of\b", re.IGNORECASE)
_AHEAD = 20
_LONGEST = 24
_WORDS_AHEAD = 24  # characters
# A denial that is said once more takes nothing back ("never paid, also not at dinners"), and a limit denies nothing.
_AGAIN = re.compile(
    r"\b(?:also|even|and|or) not\b|\bnot even\b|\bnor\b|\b(?:not|no) (?:more|less|fewer|[a-z]{3,8}er) than\b",
    re.IGNORECASE,
)
_CLAUSES = re.compile(r"; |: |, (?:and|so|while|whereas|although|though) |,? but (?:also )?(?!not |for )")


@dataclass(frozen=True, slots=True)
class Stance:
    """Yes or no, and under which condition or with which exception ("if the assistant is in the register")."""

    yes: bool
    condition: str = ""
    rule: bool = False

    @property
    def text(self) -> str:
        """As the short answer says it."""
        return f"{'Yes' if self.yes else 'No'}{', ' if self.condition else ''}{self.condition}"


def asks_for_a_rule(question: str) -> bool:
    """Whether it asks what is allowed or what has to be done."""
    asked = _CASE.sub("", question)
    return _ASKS_LEAVE.match(asked) is not None or _ASKS_DUTY.match(asked) is not None


def asks_for_most(question: str) -> bool:
    """Whether it asks if something is the greater part of a whole."""
    return _MOST_OF.search(question) is not None


def stance_of(question: str, text: str, terms: frozenset[str]) -> Stance | None:
    """What `text` says to the question, of which it says the `terms`; None where it does not say."""
    clauses = _CLAUSES.split(text)
    either = terms.union(*map(contrary, terms), *map(_alike, terms))
    clause = _clause_on(text, either)
    others = [part for part in clauses if part is not clause and (terms_of(part) - terms_of(clause)) & terms]
    if any(_is_denied(question, part) != _is_denied(question, clause) for part in others):
        return None
    if asks_for_most(question):
        minor, major = _MINOR.search(clause), _MAJOR.search(clause)
        return Stance(major is not None) if (minor is None) != (major is None) else None
    if asks_for_a_rule(question):
        return None if _DOUBTS.search(clause) else _of_rule(question, clause, terms)
    if _HEDGES.search(clause):
        return None
    stopped = _STOPPED.search(clause) is not None and _STOPS.search(question) is None
    if stopped and not _OF_NOW.match(question):
        return None
    denied = _is_denied(question, _part_on(clause, either))
    if _is_opposed(terms, terms_of(clause)):
        return None if denied or _BEGAN.search(clause) else Stance(stopped)
    return Stance(denied == stopped)


# "The losses began after the crash" says nothing of the time before.
_BEGAN = re.compile(r"\b(?:beg[au]n|started)\b", re.IGNORECASE)


def _is_opposed(asked: frozenset[str], told: frozenset[str]) -> bool:
    """Whether the contrary of something asked is told, and not itself: "fell" to "Did it rise?".

    What did not fall need not have risen.
    """
    turned = (term for term in asked if contrary(term) & told)
    return any(told.isdisjoint(_alike(term)) for term in turned)


def _alike(term: str) -> frozenset[str]:
    """The terms that alone say the same."""
    return single_words([term]) - contrary(term)


def _clause_on(text: str, terms: frozenset[str]) -> str:
    """The clause of a text that says most of the terms."""
    return max(_CLAUSES.split(text), key=lambda part: (len(terms_of(part) & terms), _GRANTS.search(part) is not None))


def _part_on(text: str, terms: frozenset[str]) -> str:
    """The part of a clause from the first to the last of the terms, and the words before it."""
    places = [word for word in re.finditer(r"\w+", text) if terms_of(word.group()) & terms]
    if places:
        return text[max(0, places[0].start() - _WORDS_AHEAD) : places[-1].end()]
    return text


def _of_rule(question: str, text: str, terms: frozenset[str]) -> Stance | None:
    """By the words for leave and duty, outside of what the rule excepts; a case outside of its range is another."""
    bound = _CONDITION.search(text)
    rule, condition = (text[: bound.start()] + text[bound.end() :], bound[1]) if bound else (text, "")
    if without := _WITHOUT.search(question):
        same = terms_of(without[1]) & terms_of(condition)
        if same:
            return Stance(False, _short(condition), rule=True)
        return _plainly(question, rule)
    denied = _is_denied(question, rule)
    limited = None if denied else _within_limit(question, rule)
    if limited is False or (limited is None and _is_out_of_range(question, text)):
        return Stance(False, rule=True) if limited is False else None
    excepts = _EXCEPTS.match(condition) is not None
    if excepts and terms_of(condition) & (terms - terms_of(rule)):
        return None
    made = _plainly(question, rule)
    if made and (made.yes or excepts):
        return replace(made, condition=_short(condition))
    return made


def _plainly(question: str, rule: str) -> Stance | None:
    """What a rule without its condition says; a duty is not told by leave."""
    duty = _ASKS_DUTY.match(_CASE.sub("", question)) is not None
    denied = _is_denied(question, rule)
    if _BANS.search(question):
        banned = _BANS.search(rule) is not None
        return Stance(banned, rule=True) if banned or _GRANTS.search(rule) else None
    binds = _BINDS.search(rule) is not None
    grants = _GRANTS.search(rule) is not None
    if duty and grants and not (denied or binds):
        return None
    return Stance(not denied, rule=denied or (binds if duty else grants))


def _is_denied(question: str, text: str) -> bool:
    """Whether the words that deny are odd in number, those aside that the question says as well."""
    denying = _DENIES if asks_for_a_rule(question) else _DENIES_A_FACT
    asked = terms_of(question)
    asked_denials = [word.group().casefold() for word in denying.finditer(question)]
    denials = [word.group().casefold() for word in denying.finditer(_AGAIN.sub(" ", text))]
    return len([each for each in denials if each not in asked_denials and not (terms_of(each) & asked)]) % 2 == 1


_BANS = re.compile(
    r"\b(?:forbidden|prohibited|banned|barred|disallowed|ruled out|excluded|not allowed)\b", re.IGNORECASE
)

# What one has stopped doing one does no more; whether one did it once is another question.
_STOPPED = re.compile(r"\b(?:stopped|ceased|quit) (?=\w+ing\b)", re.IGNORECASE)
_STOPS = re.compile(r"\b(?:stop|cease|quit)", re.IGNORECASE)
_OF_NOW = re.compile(r"(?:do|does|is|are|can)\b", re.IGNORECASE)


def _short(condition: str) -> str:
    short = condition.strip(" ,.")
    return short if len(short.split()) <= _LONGEST else ""


def _within_limit(question: str, text: str) -> bool | None:
    """Whether an amount of the question keeps the limit that a rule sets for its unit; None where none is set."""
    asked = [amount for amount in amounts(question) if amount.unit]
    for limit in amounts(text):
        same = next((amount for amount in asked if amount.unit == limit.unit), None)
        if same is not None and _is_limit(text, limit):
            return same.value <= limit.value
    return None


def _is_limit(text: str, amount: Amount) -> bool:
    ahead = text[max(0, amount.start - _AHEAD) : amount.start].rstrip("$€£¥")
    return _LIMIT_AHEAD.search(ahead) is not None or _LIMIT_BEHIND.match(text, amount.end) is not None


def _is_out_of_range(question: str, text: str) -> bool:
    """Whether the rule is for another range of what the question counts."""
    asked = [amount for amount in amounts(question) if amount.unit]
    same = [(each, amount) for each in ranges(text) for amount in asked if each.unit == amount.unit]
    return bool(same) and not any(each.holds(amount) for each, amount in same)


_BOUND = re.compile(
    r"\b(?:(?P<more>more than|over|above|at least)"
    r"|(?P<less>fewer than|less than|under|below|at most|no more than|up to)) $",
    re.IGNORECASE,
)
_STRICT = ("more than", "over", "above", "fewer than", "less than", "under", "below")


def holds_count(question: str, text: str) -> bool | None:
    """Whether the one count of a text keeps the bound of the question: one supplier is not "more than one supplier".

    None where the question sets no bound, and where the text counts nothing, or several, of the same.
    """
    bounded = [(amount, bound) for amount in amounts(question) if amount.unit and (bound := _bound(question, amount))]
    if len(bounded) != 1:
        return None
    asked, bound = bounded[0]
    same_unit = [amount for amount in amounts(text) if amount.unit == asked.unit]
    if len({amount.value for amount in same_unit}) != 1:
        return None
    value, own = same_unit[0].value, _bound(text, same_unit[0])
    upwards = bound["more"] is not None
    if own is not None:
        reaches = value >= asked.value if upwards else value <= asked.value
        return True if reaches and (own["more"] is not None) == upwards else None
    if value == asked.value:
        return bound[0].strip().lower() not in _STRICT
    return (value > asked.value) == upwards


def _bound(text: str, amount: Amount) -> re.Match[str] | None:
    return _BOUND.search(text[max(0, amount.start - _AHEAD) : amount.start].rstrip("$€£¥"))


# A question for all of several, or for the most of something, has no yes in a sentence that says its other words.
_COMPARES = frozenset(("or", "than", "all", "every", "only", "always", "most", "both", "same"))
_COMPARISON = re.compile(
    r"\b(?P<how>more|less|fewer|[a-z]{2,10}er)\b[^.;,?]{0,60}?\bthan "
    r"(?P<other>(?:the )?\w[\w.-]{0,30}(?: [A-Z]\w{0,30}){0,3})",
    re.IGNORECASE,
)
_ALL = frozenset(("all", "every"))
_NARROWS = frozenset(("all", "every", "only", "both", "same"))
_ONE_IN = 5
_ENDING = 3
_STANDS = re.compile(r"\b(?:in force|in effect|still|valid|active|pending|standing)\b", re.IGNORECASE)
Siblings = Sequence[Sequence[EvidenceSentence]]


def verdict(wanted: Wanted, rated: Sequence[Rated], siblings: Siblings) -> Proposal:
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
        return stance if stance is None or not stance.yes or may_be_yes(wanted, rated) else None
    if (stance.yes and not may_be_yes(wanted, rated)) or says_both(wanted, rated.sentence.terms):
        return None
    sure = rated.is_sure(wanted, strength=CERTAINTY.strength) and _says_each_word(wanted, rated)
    return stance if sure and rated.sentence.terms & wanted.terms else None


def compared(wanted: Wanted, rated: Sequence[Rated]) -> Proposal:
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


def says_both(wanted: Wanted, terms: frozenset[str]) -> bool:
    """Whether a sentence tells of what is asked and of its opposite: "blocked in April and allowed in October"."""
    return any(term in terms and not opposite(term).isdisjoint(terms) for term in wanted.terms)


def may_be_yes(wanted: Wanted, rated: Rated) -> bool:
    """Whether nothing speaks against a yes: a fact is said in all its words, of the one who is asked about."""
    question, text = wanted.question, rated.sentence.text
    if _lacks_own(question, text):
        return False
    if asks_for_most(question):
        return True
    asked, said = _words_said(wanted, rated, _is_said_in_sense)
    of_whom = next((word for word in words(question) if word in asked), "")
    if asks_for_a_rule(question):
        return of_whom in said and 2 * len(said) >= len(asked)
    another = (_is_not_told_its_kind, _goes_back, _counts_another, _leaves_out, _is_done_by_another)
    if any(is_another(question, text) for is_another in another) or _is_of_another_time(wanted, text):
        return False
    tells_all = len(asked) - len(said) <= len(asked) // _ONE_IN and _USE.isdisjoint(asked - said)
    tells_of_it = _TAKES_UP.match(text) or any(_is_said_in_sense(of_whom, word) for word in words(text))
    return tells_all and bool(tells_of_it)


_UP_OR_DOWN = re.compile(r"\b(?:go|goes|gone|going|went|move[sd]?) (up|down)\b", re.IGNORECASE)
_FROM_TO = re.compile(r"\bfrom (?:the )?(?P<start>\w{2,24}) to (?:the )?(?P<end>\w{2,24})", re.IGNORECASE)


def _goes_back(question: str, text: str) -> bool:
    """Whether a text tells of the opposite way: from A to B, where it is asked of from B to A; "fell" of "go up"."""
    asks, told = _FROM_TO.search(question), _FROM_TO.search(text)
    if asks and told and asks["start"].lower() == told["end"].lower():
        return True
    way = _UP_OR_DOWN.search(question)
    return way is not None and not contrary("rise" if way[1].lower() == "up" else "fall").isdisjoint(terms_of(text))


_COUNTED = re.compile(rf"\b(?P<count>\d{{1,4}}|{SPELLED_NUMBER}) (?P<what>[a-z]{{3,24}})\b")
_NEAR_COUNT = 3  # words


def _counts_another(question: str, text: str) -> bool:
    """Whether a text does not say a count of the question of the same: "three quarters" are no three gates."""
    asked = _COUNTED.search(question.lower())
    if asked is None:
        return False
    written, what = words(text), terms_of(asked["what"])
    behind = (
        written[place + 1 : place + 1 + _NEAR_COUNT] for place, word in enumerate(written) if word == asked["count"]
    )
    return bool(what) and all(terms_of(" ".join(each)).isdisjoint(what) for each in behind)


_LEFT_OUT = re.compile(r"\b(?:and|but|or) not (?P<what>[^,;.]{3,80})", re.IGNORECASE)


def _leaves_out(question: str, text: str) -> bool:
    """Whether a text says of what is asked that it is not so after all: "by the new list and not by the old one".

    Or does so in another clause: "an update of B failed; the error was not made by A".
    """
    asked = terms_of(question)
    out = _LEFT_OUT.search(text)
    if out and not (terms_of(out["what"]) - terms_of(text[: out.start()])).isdisjoint(asked):
        return True
    clause = _clause_on(text, asked)
    others = (part for part in _CLAUSES.split(text) if part is not clause and not terms_of(part).isdisjoint(asked))
    return not _is_denied(question, clause) and any(_is_denied(question, part) for part in others)


def may_be_no(wanted: Wanted, rated: Rated) -> bool:
    """Whether anything speaks for a no: the clause that tells of it is no plain yes."""
    stance = stance_of(wanted.question, rated.sentence.text, wanted.terms - subject_terms(rated.sentence.passage))
    return stance is None or not stance.yes or not may_be_yes(wanted, rated)


_TAKES_UP = re.compile(r"(?:It|They|He|She|This|These|Its|Their|The)\b")
_IS_A = re.compile(
    r"(?:is|are|was|were) (?P<thing>[^?]{1,80}?) (?:still )?(?:an?|the) "
    r"(?P<how>(?:[\w-]{2,24} ){0,3}?)(?P<head>[\w-]{3,24})(?: (?:of|for|in|on|by|to|that|which)\b|\?|$)",
    re.IGNORECASE,
)
_IS = frozenset(("is", "are", "was", "were", "as", "becomes", "became", "remains", "remained"))
_SUCH = frozenset(("such", "like", "including", "called", "named"))
_BETWEEN = 10  # words between a thing and its kind
_AHEAD_OF_HEAD = 3


def _is_not_told_its_kind(question: str, text: str) -> bool:
    """Whether a text does not say of a thing that it is of the kind asked for: "a sparse method such as A", "B is one".

    It says so by "A is a dense method", "A, a dense method", "dense methods such as A".
    """
    asks = _IS_A.match(question)
    if asks is None:
        return False
    thing, head, how = (terms_of(asks[part]) for part in ("thing", "head", "how"))
    written = words(text)
    terms = [terms_of(word) for word in written]
    things = [place for place, each in enumerate(terms) if each & thing] or [0]
    for place, each in enumerate(terms):
        ahead = frozenset[str]().union(*terms[max(0, place - _AHEAD_OF_HEAD) : place + 1])
        if each & head and how <= ahead and any(_links(written, of, place) for of in things):
            return False
    return True


def _links(written: Sequence[str], thing: int, kind: int) -> bool:
    """Whether the words between a thing and a kind say that it is one."""
    between = written[min(thing, kind) + 1 : max(thing, kind)]
    if len(between) > _BETWEEN or "than" in between:
        return False
    if thing < kind:
        return not _IS.isdisjoint(between) or between[:1] in (["a"], ["an"], ["the"])
    return not _SUCH.isdisjoint(between)


def _lacks_own(question: str, text: str) -> bool:
    """Whether it is asked if one does something oneself, and a text does not say that: who sells chips may buy them."""
    asks_own, says_own = map(_OF_ITS_OWN.search, (question, text))
    return bool(asks_own and not says_own)


_OF_ITS_OWN = re.compile(
    r"\b(?:its|their|his|her) own\b|\b(?:it|them|him|her)sel(?:f|ves)\b|\bin-house\b", re.IGNORECASE
)


def _says_each_word(wanted: Wanted, rated: Rated) -> bool:
    """Whether one clause says each word of the question in a form of that word, but for one of five.

    "Profit margins" do not make a firm profitable, and who buys from a plant does not own factories.
    """
    asked, said = _words_said(wanted, rated, _is_form)
    told = [word for word in asked if any(telling(term) == 1.0 for term in terms_of(word) & wanted.terms)]
    return len([word for word in told if word not in said]) <= len(told) // _ONE_IN


def _is_said_in_sense(word: str, other: str) -> bool:
    """Whether a word says another in any of its forms, or in the same sense."""
    return _is_form(word, other) or any(is_said(term, terms_of(other)) for term in terms_of(word))


def _words_said(
    wanted: Wanted, rated: Rated, says: Callable[[str, str], bool]
) -> tuple[frozenset[str], frozenset[str]]:
    """The words of the question that tell, and those of them that one clause says, or the contrary of.

    Of "banned A, but allowed B" no clause says that B was banned. Whom it tells of may stand ahead, or in the title.
    """
    text = rated.sentence.text
    clause = _clause_on(text, wanted.terms.union(*map(contrary, wanted.terms)))
    ahead = " ".join(name.text for name in names(text[: text.find(clause)]))
    told = f"{ahead} {clause}"
    terms, written, title = terms_of(told), words(told), words(rated.sentence.passage.title)
    asked = frozenset(word for word in wanted.words if terms_of(word) & wanted.terms and word not in _ANY_VERB)
    subject = set(_subject_words(wanted.question, asked))

    def is_said_by(word: str) -> bool:
        near = [*written, *title] if word in subject else written
        return any(says(word, each) for each in near) or _is_opposed(terms_of(word), terms)

    return asked, frozenset(filter(is_said_by, asked))


def _subject_words(question: str, asked: frozenset[str]) -> list[str]:
    """The words of whom or what a question asks about: of its first name, or the first that tells."""
    first = next((word for word in words(question) if word in asked), "")
    named = next((words(name.text) for name in names(question) if first in words(name.text)), [])
    return [first, *named]


_ANY_VERB = frozenset(words("get gets got happen happened have has had make made take took"))
_USE = frozenset(("use", "uses", "used"))


def _is_form(word: str, other: str) -> bool:
    """Whether two words differ by an ending of at most three letters, or are irregular forms of one verb."""
    near = bool(terms_of(word) & terms_of(other)) and abs(len(word) - len(other)) <= _ENDING
    return word == other or near or any((forms_of(term) - {term}) & terms_of(other) for term in terms_of(word))


# What of a sentence tells for yes or for no, each as a number.
OF_VERDICTS = (
    "strength", "lead", "denied", "turned", "taken_back", "still", "narrow", "by_subject", "other_time",
    "says_yes", "says_no", "sure_yes", "sure_no",
)  # fmt: skip
# "Apple ended its car project": words by which a sentence says no without denying.
_TURNS = re.compile(
    r"\b(?:refus|declin|fail|reject|drop|cancel|withdr|abandon|end(?:ed|s|ing)|stopp|ceas|g[ai]ven? up|left|lost|repeal"
    r"|block|dismiss|revok|postpon|delay|instead|rather|but|only|less|fewer|fell|limit)\w{0,8}",
    re.IGNORECASE,
)
_STILL = re.compile(r"\b(?:still|yet|already|now|currently|again)\b", re.IGNORECASE)
_NARROW = re.compile(
    r"\b(?:all|every|always|only|any|ever|never|entirely|completely|whole|itself|alone|for good|majority|most|first"
    r"|still|yet|already)\b",
    re.IGNORECASE,
)
_ASKS_IF = re.compile(
    r"(?:so |and |but |is it (?:true|the case) that )?"
    r"(?:is|are|was|were|do|does|did|has|have|had|can|could|may|will|would|should|must)\b",
    re.IGNORECASE,
)
_OF_WHOM = re.compile(r" of (?:the )?(?=[A-Z])")
_DOER = re.compile(r"\bby (?:the )?")


def tells_verdict(wanted: Wanted, rated: Rated, among: Sequence[Rated]) -> dict[str, float]:
    """What a sentence tells for yes or for no, by the names OF_VERDICTS."""
    question, text = wanted.question, rated.sentence.text
    terms = wanted.terms - subject_terms(rated.sentence.passage) or wanted.terms
    stance = stance_of(question, text, terms)
    sure = _stance(wanted, rated)
    clause = _clause_on(text, terms)
    return {
        "strength": rated.strength(wanted),
        "lead": rated.lead(wanted, among),
        "denied": float(_denials(clause) % 2 != _denials(question) % 2),
        "turned": float(_TURNS.search(_part_on(clause, terms)) is not None and _TURNS.search(question) is None),
        "taken_back": float(stands_after(text) is False and _TURNS.search(question) is None),
        "still": float(_STILL.search(question) is not None),
        "narrow": float(_NARROW.search(question) is not None),
        "by_subject": float(_is_done_by_subject(question, text)),
        "other_time": float(_is_of_another_time(wanted, text)),
        "says_yes": float(stance is not None and stance.yes),
        "says_no": float(stance is not None and not stance.yes),
        "sure_yes": float(sure is not None and sure.yes),
        "sure_no": float(sure is not None and not sure.yes),
    }


def _denials(text: str) -> int:
    """How often a text denies; what is said once more counts where nothing else denies: "on A and not on B"."""
    return len(_DENIES_A_FACT.findall(_AGAIN.sub(" ", text))) or int(_AND_NOT.search(text) is not None)


_AND_NOT = re.compile(r"\b(?:and|or) not\b", re.IGNORECASE)


def _is_done_by_another(question: str, text: str) -> bool:
    """Whether it is asked if one does something, and a text says it of another: "GPT uses masks, while BERT …".

    Of two names who did it to whom has to be said by the verb: "the case of A against B" sues nobody.
    """
    if _ASKS_OF_DOER.match(question) is None:
        return False
    doer, subject = _doer_and_subject(question, text)
    named = [name for name in names(question) if name.kind in _NAMES]
    of_two = len(named) > 1 and terms_of(named[0].text) == subject
    behind = any(other.start > 0 and terms_of(other.text) == subject for other in names(text))
    return bool(subject) and (bool(doer) or of_two or behind) and doer.isdisjoint(subject)


# Not "Was A sued?", of which A does nothing.
_ASKS_OF_DOER = re.compile(r"(?:do|does|did|has|have|had|can|could|will|would)\b(?!.{1,160}?\bbe(?:en)? )", re.I)


def _is_done_by_subject(question: str, text: str) -> bool:
    """Whether the name that a question opens with stands in the place of who does what is asked: "Did A buy B?"."""
    doer, subject = _doer_and_subject(question, text)
    return not doer.isdisjoint(subject)


def _doer_and_subject(question: str, text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The terms of who does in a text what is asked, and of the name that the question opens with."""
    nobody = frozenset[str]()
    asks = _ASKS_IF.match(question)
    opening = asks.end() if asks else 0
    named = [name for name in names(question) if name.start >= opening and name.kind in _NAMES]
    subject = next((name for name in named if name.start <= opening + len(" the ")), None)
    behind = (word for word in spans(question) if subject and word.start >= subject.end)
    said = next((stem(word.word) for word in behind if question[word.start].islower() and stem(word.word)), "")
    alike = _alike(said) if said else frozenset[str]()
    if subject is None:
        return nobody, nobody
    verbs = [word for word in spans(text) if stem(word.word) in alike and _may_be_verb(text, word)]
    verb = min(verbs, key=lambda word: stem(word.word) != said, default=None)  # itself before one like it
    things = frozenset[str]().union(*(terms_of(name.text) for name in named if name is not subject))
    doer = _doer(text, verb, things) if verb else None
    return (terms_of(doer.text) if doer else nobody), terms_of(subject.text)


def _may_be_verb(text: str, word: Word) -> bool:
    """Whether a word of a text may be a verb, or an act like one: not "the payments", but "the purchase of A"."""
    is_act = _OF_WHOM.match(text, word.end) is not None
    return text[word.start].islower() and (is_act or _ARTICLE.search(text[: word.start]) is None)


_ARTICLE = re.compile(r"\b(?:the|an?|its|their|his|her|this|that|these|those|of) $", re.IGNORECASE)


_NAMES = frozenset(("name", "acronym", "quoted"))


def _doer(text: str, verb: Word, things: frozenset[str]) -> Name | None:
    """The name ahead of a verb, or behind "by" where the verb is passive; of "the failure of A" it is A.

    Not where A is among the `things` to which it is done: "completed the purchase of A".
    """
    named = [name for name in names(text) if name.kind in _NAMES]
    of = _OF_WHOM.match(text, verb.end)
    whose = next((name for name in named if of and name.start >= of.end()), None)
    if whose is not None and things.isdisjoint(terms_of(whose.text)):
        return whose
    by = _DOER.search(text, verb.end) if PASSIVE.search(text[: verb.start]) else None
    behind = next((name for name in named if by and name.start >= by.end()), None)
    return behind or next((name for name in named[::-1] if name.end <= verb.start), None)


def _is_of_another_time(wanted: Wanted, text: str) -> bool:
    """Whether the date of a text nearest to what is asked, with those beside it, is of another year than the question.

    "In 2022 and 2023" speaks of both.
    """
    asked, told = {date.year for date in dates(wanted.question)}, dates(text)
    places = [word.start for word in spans(text) if word.word.isalpha() and stem(word.word) in wanted.terms]
    if not asked or not told or not places:
        return False
    start, end = min(told, key=lambda date: min(abs(date.span[0] - place) for place in places)).span
    beside = (date for date in told if date.span[0] - end <= _BESIDE and start - date.span[1] <= _BESIDE)
    return asked.isdisjoint(date.year for date in beside)


_BESIDE = len(" and ")  # characters between dates that are said together
