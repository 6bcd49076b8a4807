"""Whether a sentence affirms or denies what is asked, by its words for leave, duty and denial.

In a fact "may" is a doubt; in a rule it is the rule: "May staff buy homes?" is answered by "Staff may not buy homes",
and "Programmers may use assistants, if …" is a yes with a condition. What of it is stated, decides `yes_no`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

from adaq_core.matching.lexicon import IN_TIME, contrary, opposite, other_way, single_words
from adaq_core.text.entities import terms_of_names
from adaq_core.text.tokens import STOP_WORDS, spans, terms_of, words
from adaq_core.text.values import Amount, amounts, ranges, spans_of_time

_ALLOWED = r"allowed|permitted|permissible|possible|accepted|acceptable|entitled|free to|eligible|ok|okay"
_OBLIGED = r"needed|required|obliged|obligatory|mandatory|compulsory|necessary"
_BANNED = (
    r"forbidden|prohibited|banned|barred|disallowed|ruled out|excluded|(?:restricted|prevented|blocked|precluded) from"
)
# "None" within a sentence is a value of programs, and "No. 5" denies nothing.
_NOT = (
    r"not|no(?!\. ?\d)|never|neither|nor|cannot|(?-i:none|None(?= (?:of|was|were|is|are|has|have)))|nobody|nothing"
    r"|nowhere"
)
_REFUSES = r"(?:refus|declin|fail)\w{0,4} to"
_KEEPS_FROM = (
    r"(?:prevent|preclud|prohibit|stopp?|keep|kept|block|bar|restrict)(?:s|es|ed|red|ing)?"
    r"(?= [^.;,]{1,60}? from \w{2,20}ing\b)"
)
_ASKS_LEAVE = re.compile(
    r"(?i)(?:may|can|could)\b"
    rf"|(?:is|are|was|were|will)\b.{{1,160}}?\b(?:{_ALLOWED}|forbidden|prohibited|banned|excluded)\b"
)
_ASKS_DUTY = re.compile(
    r"(?i)(?:must|shall|should|need)\b"
    rf"|(?:is|are|was|were|do|does|did|will)\b.{{1,160}}?\b(?:have to|need|require|{_OBLIGED})\b"
)
_CASE = re.compile(
    r"(?i)if [^?]{1,200}?, (?=(?:may|can|could|must|shall|should|need|is|are|was|were|do|does|did|will)\b)"
)
_GRANTS = re.compile(rf"(?i)\b(?:(?-i:may)|can|could|approved|permission|{_ALLOWED})\b")
_BINDS = re.compile(rf"(?i)\b(?:must|shall|(?:have|has|had) to|needs?|requires?|{_OBLIGED})\b")
_BANS = re.compile(rf"(?i)\b(?:{_BANNED}|not allowed)\b")
_DENIES = re.compile(
    rf"(?i)\b(?:{_NOT})\b|n['’]t\b|\b(?:{_REFUSES}|{_KEEPS_FROM}|refused|rejected|exempt(?:ed)?|voluntary|{_BANNED})\b"
)
# What was banned or rejected may be another thing than the fact that is asked for.
_DENIES_A_FACT = re.compile(rf"(?i)\b(?:{_NOT}|without|instead of|rather than|{_REFUSES}|{_KEEPS_FROM})\b|n['’]t\b")
_HEDGES = re.compile(
    r"(?i)\b(?:(?-i:may)|might|could|if|whether|would|should|plans?|planned|propos(?:e[sd]?|ing)"
    r"|sought|threaten\w*|possibly|perhaps|unless|alleged\w*|claims?|claimed)\b"
)
# "Limits which chips A may sell" says of none that A may.
_DOUBTS = re.compile(
    r"(?i)\b(?:might|whether|would|plans? to|planned|possibly|perhaps|alleged\w*|claimed"
    r"|[a-z]{3,14}s (?:which|what|who|where) (?:[\w-]{1,20} ){0,4}(?:may|can|must))\b"
)
_CONDITION = re.compile(
    r"(?i),? ?\b((?:(?<!even )if|unless|provided that|so long as|as long as|as far as|subject to"
    r"|only (?:if|when|after|with|by|on|into|to|for|where|while)"
    r"|(?:only )?with (?:the )?(?:prior )?(?:written )?(?:approval|consent|permission|agreement)"
    r"|except|apart from|other than|save)\b[^;.]{2,160})"
)
_EXCEPTS = re.compile(r"(?i)(?:except|apart|other than|save|unless)")
_WITHOUT = re.compile(r"(?i)\bwithout (?:an? |the |any |prior )*([^,?]{3,60})")
_LIMIT_AHEAD = re.compile(
    r"(?i)\b(?:up to|at most|not more than|no more than|not longer than|maximum of|only(?: on| for)?) $"
)
_LIMIT_BEHIND = re.compile(r"(?i)[^.;,]{0,24}?\b(?:at most|only|at the most|or less)\b")
_IN_BRACKETS = re.compile(r" ?\([^()]{0,200}\)")
_MOST_OF = re.compile(r"(?i)\b(?:most|majority|more than half|over half|the bulk) of\b")
_MINOR = re.compile(
    r"(?i)\b(?:minority|less than half|fewer than half|an? (?:small|minor) (?:part|share)"
    r"|a (?:third|quarter|fifth|tenth)) of\b"
)
_AHEAD = 20
_LONGEST = 24
_WORDS_AHEAD = 24  # characters
# A denial that is said once more takes nothing back ("never paid, also not at dinners"), and a limit denies nothing;
# nor does what only says which ("acquired all shares not already owned by Acme").
_AGAIN = re.compile(
    r"(?i)\b(?:also|even|and|or) not\b|\bnot even\b|\bnor\b|\b(?:not|no) (?:more|less|fewer|[a-z]{3,8}er) than\b"
    r"|\b[a-z]{3,20}s? not (?:already|previously|otherwise) [a-z]{2,12}(?:ed|ld|wn) (?:by|in|at)\b"
)
CLAUSES = re.compile(
    r"; |: |, (?:and(?! only\b)|so|that|while|whereas|although|though) | even though |,? but (?:also )?(?!not |for )"
    r"|, (?=[A-Z][\w-]*(?: [A-Z][\w-]*){0,3} (?:is|are|was|were|has|have|had) )"
)


_AGAINST = re.compile(r", (?:although|though|while|whereas) ([^,;]{3,200})")
# "Guests may attend, but do not vote": whom it tells of stands in the clause before.
GOES_ON = re.compile(r"(?:do|does|did|is|are|was|were|has|have|may|can|could|must|shall|will)(?: not|n['’]t)? |cannot ")


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


def _without_asides(question: str, text: str, terms: frozenset[str]) -> str:
    """A sentence without what denies something else: "fined because orders were left without surveillance".

    Nor does it deny what its brackets do: "has vendored A (instead of installing A)".
    """
    deed, _, reason = text.partition(" because ")
    says = not terms_of(deed).isdisjoint(terms - terms_of_names(question))
    if says and is_denied(question, reason) and not is_denied(question, deed):
        text = deed
    bare = _IN_BRACKETS.sub("", text)
    return bare if terms & terms_of(bare) == terms & terms_of(text) else text


def stance_of(question: str, text: str, terms: frozenset[str]) -> Stance | None:
    """What `text` says to the question, of which it says the `terms`; None where it does not say."""
    text = _without_asides(question, text, terms)
    clauses = CLAUSES.split(text)
    either = terms.union(*map(contrary, terms), *map(terms_alike, terms))
    clause = clause_on(text, either | terms_of(question))
    clauses.remove(clause)
    told = terms - terms_of_names(question) - terms_of(clause)
    others = [part for part in clauses if told & terms_of(part)]
    goes_on = (part for part in others if GOES_ON.match(part))
    if continued := next(goes_on, ""):
        clause, others = continued, []
    if against := _clause_against(text, terms):
        clause, others = against, []
    if any(is_denied(question, part) != is_denied(question, clause) for part in others):
        return None
    opposing = terms_of(" ".join(_AGAINST.findall(text)))
    # "A agreed with the department, although the families objected" tells of no agreement with them.
    if (told and told <= opposing) or _stops_another(clause, terms):
        return None
    if asks_for_most(question):
        minor, major = _MINOR.search(clause), _MOST_OF.search(clause)
        return Stance(major is not None) if (minor is None) != (major is None) else None
    if side := other_way(question, clause):  # who left a town may have come there before
        return Stance(is_denied(question, clause)) if side in IN_TIME else None
    if terms_alone(question, clause) and _says_opposite(terms, terms_of(clause)):
        return Stance(False, rule=asks_for_a_rule(question))
    if asks_for_a_rule(question):
        return None if _DOUBTS.search(clause) else _of_rule(question, clause, terms)
    if is_turned_down(question, clause, terms) or _is_not_so(question, clause):
        return Stance(False)
    part = part_on(clause, either)
    hedges = {word.lower() for word in _HEDGES.findall(part)}
    if hedges.difference(words(question)) or _is_wished_for(question, part):
        return None
    stopped = _STOPPED.search(clause) is not None and _STOPS.search(question) is None
    if stopped and not _OF_NOW.match(question):
        return None
    denied = is_denied(question, part_on(clause, either))
    if is_opposed(terms, terms_of(clause)):
        if denied or _tells_of_others(question, clause) or _moves_another(question, clause):
            return None
        return None if _BEGAN.search(clause) else Stance(stopped)
    return Stance(denied == stopped)


def _is_not_so(question: str, clause: str) -> bool:
    """Whether what is asked is over, was given up, went without it or has left the place."""
    left = any(_turns_round(asks, tells, question, clause) for asks, tells in _THE_OTHER_WAY)
    return left or is_over(question, clause) or was_given_up(question, clause)


# What is asked of something, and what tells of the same that it is not so: "with a fine" and "without a fine", "in
# Delaware" and "moved from Delaware to Texas".
_THE_OTHER_WAY = (
    (re.compile(r"(?i)\bwith (?:an?|the|any) (?P<what>[a-z]{3,20})\b"), r"(?i)\bwithout (?:an?|the|any) {what}\b"),
    (
        re.compile(r"(?:Is|Are)\b[^?]{3,120}? in (?:the )?(?P<what>[A-Z][\w’'-]+(?: [A-Z][\w’'-]+){0,2})\W*$"),
        r"\bmov(?:ed|es)\b.{{1,60}} from (?:the )?{what} to (?:the )?[A-Z]",
    ),
)


def _turns_round(asks: re.Pattern[str], tells: str, question: str, clause: str) -> bool:
    asked = asks.search(question)
    if asked is None:
        return False
    told = tells.format(what=re.escape(asked["what"]))
    return re.search(told, clause) is not None


def _clause_against(text: str, terms: frozenset[str]) -> str:
    """The one clause with the contrary of what is asked, where none says that: "…, and a court upheld the fine"."""
    if not is_opposed(terms, terms_of(text)):
        return ""
    parts = CLAUSES.split(text)
    told = [part for part in parts if is_opposed(terms, terms_of(part))]
    return told[0] if len(told) == 1 else ""


_FAR, _MOST_TOLD = 200, 8  # characters ahead of a word; words that tell a move
_JOINS = re.compile(r"[,;]|\b(?:when|as|while|if|because|since|where|although|though|and|but|that|which|until)\b")


def _moves_another(question: str, clause: str) -> bool:
    """Whether what rises or falls in a clause is something else than is asked: "as traffic falls" of deliveries."""
    asked = terms_of(question)
    moving = (contrary("rise") | contrary("fall")) - asked
    told = [word for word in spans(clause) if terms_of(word.word) & moving]
    before = (clause[max(0, word.start - _FAR) : word.start] for word in told[:_MOST_TOLD])
    ahead = [terms_of(_JOINS.split(text)[-1]) for text in before]
    elsewhere = (terms and terms.isdisjoint(asked) for terms in ahead)
    return bool(ahead) and all(elsewhere)


def _stops_another(clause: str, terms: frozenset[str]) -> bool:
    """Whether a clause tells that somebody stopped to do something else: "clinics stopped buying it", is it sold."""
    ended = _STOPPED.search(clause)
    return ended is not None and terms_of(ended["deed"]).isdisjoint(terms.union(*map(terms_alike, terms)))


_ONLY = re.compile(r"(?i)\b(?:only|solely|exclusively)\b")


def terms_alone(question: str, text: str) -> frozenset[str]:
    """The terms that a text sets beside what is asked, of which alone it speaks: "only post to *public* channels".

    Asked is of private channels; empty where the text says that too, or speaks of them alone no more than the question.
    """
    only = _ONLY.search(text)
    if only is None or _ONLY.search(question):
        return frozenset()
    said = terms_of(text)
    unsaid = (head for how, head in _pairs(question) if not terms_of(how) <= said)
    heads = frozenset(unsaid)
    beside = [terms_of(how) for how, head in _pairs(text[only.end() :]) if head in heads]
    return frozenset[str]().union(*beside) - terms_of(question)


def _pairs(text: str) -> list[tuple[str, str]]:
    """Each word that tells with the one behind it."""
    return [(how, head) for how, head in pairwise(words(text)) if how not in STOP_WORDS]


# "It is an occasional request to support emoji": nothing is supported yet.
_WISHED = re.compile(
    r"(?i)\b(?:requests?|requested|asks?|asked|wants?|wanted|hopes?|hoped|wish(?:es|ed)?|promis(?:es?|ed)) (?:to|for)\b"
)


def _is_wished_for(question: str, part: str) -> bool:
    """Whether a part of a clause says that something is asked or hoped for, which the question does not say."""
    wished = _WISHED.search(part)
    return wished is not None and terms_of(wished[0]).isdisjoint(terms_of(question))


# What was proposed and rejected was not done: "rejected a proposal to end the programme".
_TURNED_DOWN = re.compile(
    r"(?i)\b(?:rejected|refused|turned down|voted (?:down|against)|blocked|defeated|vetoed) (?:[\w’'-]{1,20} ){0,8}?"
    r"(?:proposals?|plans?|motions?|bids?|resolutions?|calls?|demands?|attempts?) (?P<what>(?:to|for|that) .{3,200})"
)
_PROPOSED = re.compile(
    r"(?i)\b(?:proposals?|plans?|plann\w*|propos\w*|motions?|bids?|resolutions?|reject\w*|refus\w*|attempt\w*)\b"
)


def is_turned_down(question: str, clause: str, terms: frozenset[str]) -> bool:
    """Whether a clause says that what a question asks for was proposed, and the proposal rejected."""
    told = _TURNED_DOWN.search(clause) if not _PROPOSED.search(question) else None
    if told is None:
        return False
    said, proposed = terms & terms_of(clause), terms & terms_of(told["what"])
    return 2 * len(proposed) > len(said)


_ASKS_IF_STILL = re.compile(r"(?i)\b(?:still|any ?more|any longer)\b")
_ENDED = re.compile(
    r"(?i)\b(?:ended|stopped|ceased|left|quit|sold|g[ai]ven? up|dropped|removed|lifted|withdr[ae]wn?|abandoned"
    r"|disbanded"
    r"|dissolved|replaced|followed|succeeded|retired|expired|repealed|cancelled|closed|former|formerly|until|collapsed"
    r"|no longer)\b"
)


def is_over(question: str, clause: str) -> bool:
    """Whether it is asked if something is still so, and a clause tells that it ended."""
    if _ASKS_IF_STILL.search(question) is None or _ASKS_IF_STILL.search(clause):
        return False
    ended = _ENDED.search(clause) is not None or bool(spans_of_time(clause))
    return ended and _ENDED.search(question) is None


_DEAL = r"purchase|acquisition|takeover|merger|deal|bid"
_ASKS_OF_DEAL = re.compile(rf"(?i)\b(?:buys?|bought|acquired?|own(?:s|ed)?|take over|took over|{_DEAL})\b")
_GIVES_UP = re.compile(
    r"(?i)\b(?:abandon|g[ai]v\w{0,3} up|drop|call\w{0,2} off|cancel|scrap|walk\w{0,2} away|withdr[ae]w)"
)
_GAVE_UP = re.compile(
    rf"(?i)\b(?:abandon(?:ed|s)|g[ai]ven? up|dropped|called off|cancelled|scrapped|walked away from|withdrew from)"
    rf" (?:[\w’'-]{{1,20}} ){{0,4}}?(?:{_DEAL})\b"
)


def was_given_up(question: str, clause: str) -> bool:
    """Whether it is asked if one bought another, and a clause tells that the purchase was given up."""
    if _GIVES_UP.search(question) or _ASKS_OF_DEAL.search(question) is None:
        return False
    return _GAVE_UP.search(clause) is not None


# "The losses began after the crash" says nothing of the time before.
_BEGAN = re.compile(r"(?i)\b(?:beg[au]n|started)\b")


# "It had won most earlier cases": not the one that is asked about.
_OTHERS = re.compile(r"(?i)\b(?:other|earlier|previous|similar|further) [a-z]")


def _tells_of_others(question: str, clause: str) -> bool:
    return _OTHERS.search(clause) is not None and _OTHERS.search(question) is None


def _says_opposite(asked: frozenset[str], told: frozenset[str]) -> bool:
    """Whether of something asked that is not told the opposite is."""
    opposites = map(opposite, asked - told)
    return any(not told.isdisjoint(each) for each in opposites)


def is_opposed(asked: frozenset[str], told: frozenset[str]) -> bool:
    """Whether the contrary of something asked is told, and not itself: "fell" to "Did it rise?".

    What did not fall need not have risen.
    """
    turned = (term for term in asked if contrary(term) & told)
    return any(told.isdisjoint(terms_alike(term)) for term in turned)


def terms_alike(term: str) -> frozenset[str]:
    """The terms that alone say the same."""
    return single_words([term]) - contrary(term)


def clause_on(text: str, terms: frozenset[str]) -> str:
    """The clause of a text that says most of the terms."""
    return max(CLAUSES.split(text), key=lambda part: (len(terms_of(part) & terms), _GRANTS.search(part) is not None))


def part_on(text: str, terms: frozenset[str]) -> str:
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
    denied = is_denied(question, rule)
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
    denied = is_denied(question, rule)
    if _BANS.search(question):
        banned = _BANS.search(rule) is not None
        return Stance(banned, rule=True) if banned or _GRANTS.search(rule) else None
    binds = _BINDS.search(rule) is not None
    grants = _GRANTS.search(rule) is not None
    if grants and not (denied or binds) and (duty or _is_of_another(question, rule)):
        return None
    if _ASKS_ADVICE.match(question) and not denied and not _advises(question, rule):
        return None
    return Stance(not denied, rule=denied or (binds if duty else grants))


_ASKS_ADVICE = re.compile(r"(?i)should\b")
_ADVICE = re.compile(
    r"(?i)\b(?:should|must|shall|ought|ha(?:ve|s|d) to|needs?|require[sd]?|recommend\w*|advis\w*|advice|encourage[sd]?"
    r"|best|better|always|never|please|expect(?:s|ed)|obliged|mandatory|necessary|important)\b"
)
_DEED = slice(2, 6)  # the words of "Should I use …" of which one is what is to be done


def _advises(question: str, rule: str) -> bool:
    """Whether a sentence says what is to be done, also by "Use …"; what only is so ("A is used for B") advises none."""
    opening = words(rule)[:2]
    is_told_to = bool(opening) and opening[0] in words(question)[_DEED] and opening[-1] not in ("is", "are")
    return is_told_to or _ADVICE.search(rule) is not None


_WHO_MAY = re.compile(r"\b(?P<who>\w[\w-]{1,30}) (?:may|can|could) (?!be\b)")  # who "can be" something is done to
_SUBJECT = 4  # words: "can", and who


def _is_of_another(question: str, rule: str) -> bool:
    """Whether the only leave is no leave of who asks: "Can I drive with A?" is not told by what "A may affect"."""
    found = _WHO_MAY.findall(rule)
    if len(found) != 1 or len(_GRANTS.findall(rule)) != 1:
        return False
    asked = words(question)
    who = found[0].lower()
    return who in asked[_SUBJECT:] and who not in asked[:_SUBJECT]


def is_denied(question: str, text: str) -> bool:
    """Whether the words that deny are odd in number, those aside that the question says as well."""
    denying = _DENIES if asks_for_a_rule(question) else _DENIES_A_FACT
    asked = terms_of(question)
    asked_denials = [word.group().casefold() for word in denying.finditer(question)]
    if denying is _DENIES:
        told = _WHICH_ARE_NOT.sub(" ", text)
    else:
        told = _WITHOUT.sub(partial(_only_asked, asked), text)
    denials = [word.group().casefold() for word in denying.finditer(_AGAIN.sub(" ", told))]
    own = [each for each in denials if each not in asked_denials and not (terms_of(each) & asked)]
    is_odd = len(own) % 2 == 1
    if _AVOIDS.search(question) is None or _AVOIDS.search(text):
        return is_odd
    return not is_odd


# "Did A avoid a trial?" asks whether there was none.
_AVOIDS = re.compile(r"(?i)\b(?:avoid|evad|avert|dodg|escap)(?:e|es|ed|s|ing)?\b")


def _only_asked(asked: frozenset[str], without: re.Match[str]) -> str:
    """What somebody is without, where it is asked for: "sold without Teams" denies no fine, "without a fine" does."""
    return " " if asked.isdisjoint(terms_of(without[1])) else without.group()


# "Services that are not in the register may be used": the rule denies nothing.
_WHICH_ARE_NOT = re.compile(
    r"(?i)\b(?:that|which|who) (?:cannot"
    r"|(?:is|are|was|were|do|does|did|has|have|had|can|may|must|shall|will|could|should) not)\b"
)


def denials_in(text: str) -> int:
    """How often a text denies; what is said once more counts where nothing else denies: "on A and not on B"."""
    return len(_DENIES_A_FACT.findall(_AGAIN.sub(" ", text))) or int(_AND_NOT.search(text) is not None)


_AND_NOT = re.compile(r"(?i)\b(?:and|or) not\b")
# What one has stopped doing one does no more; whether one did it once is another question.
_STOPPED = re.compile(r"(?i)\b(?:stopped|ceased|quit) (?P<deed>\w+ing)\b")
_STOPS = re.compile(r"(?i)\b(?:stop|cease|quit)")
_OF_NOW = re.compile(r"(?i)(?:do|does|is|are|can)\b")


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
    r"(?i)\b(?:(?P<more>more than|over|above|at least)"
    r"|(?P<less>fewer than|less than|under|below|at most|no more than|up to)) $"
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
