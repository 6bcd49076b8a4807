"""Which yes or no may be stated of what sentences say (`polarity`): by which of them, and what speaks against it.

What the words measure is weighed in `short.py`, where what was learned may be used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from adaq_core.answers.choose import CERTAINTY, Proposal, Rated, Wanted, telling
from adaq_core.answers.doers import is_passive
from adaq_core.answers.evidence_sentences import (
    BARE_ANSWER,
    EvidenceSentence,
    last_reversal,
    reversals_of,
    stands_after,
    with_antecedents,
)
from adaq_core.answers.polarity import (
    CLAUSES,
    GOES_ON,
    Stance,
    asks_for_a_rule,
    asks_for_most,
    clause_on,
    denials_in,
    holds_count,
    is_denied,
    is_opposed,
    part_on,
    stance_of,
    terms_alike,
    terms_alone,
)
from adaq_core.matching.answer_shapes import lacks_order
from adaq_core.matching.lexicon import contrary, forms_of, is_said, opposite, other_way
from adaq_core.matching.naming import issuer_terms, opening_name
from adaq_core.matching.statements import said_outright, told_of_another_year
from adaq_core.question.answer_kinds import PREPOSITIONS, without_asking
from adaq_core.text.entities import Name, countries_in, names, terms_of_names
from adaq_core.text.tokens import Word, spans, stem, terms_of, words
from adaq_core.text.values import SPELLED_NUMBER, dates

# A question for all of several, or for the most of something, has no yes in a sentence that says its other words.
_COMPARES = frozenset(("or", "than", "all", "every", "only", "always", "most", "both", "same"))
_COMPARISON = re.compile(
    r"(?i)\b(?P<how>more|less|fewer|[a-z]{2,10}er)\b[^.;,?]{0,60}?\bthan "
    r"(?P<other>(?:the )?\w[\w.-]{0,30}(?: [A-Z]\w{0,30}){0,3})"
)
_AS_MUCH = re.compile(r"(?i)\bas \w{2,20} as\b")
_ALL = frozenset(("all", "every"))
_NARROWS = frozenset(("all", "every", "only", "both", "same"))
_ONE_IN = 5
_ENDING = 3
_STANDS = re.compile(r"(?i)\b(?:in force|in effect|still|valid|active|pending|standing)\b")
Siblings = Sequence[Sequence[EvidenceSentence]]


def verdict(wanted: Wanted, rated: Sequence[Rated], siblings: Siblings) -> Proposal:
    """By the last of the dated events that took back what was asked about, else by the sentence that says it."""
    below = next((r for r in rated if BARE_ANSWER.match(r.sentence.text) and _is_asked_above(wanted, r)), None)
    if below is not None:
        return _stated(below.sentence.text.startswith("Y"), below.sentence)
    for each in rated:
        chain = reversals_of(each.sentence, siblings[each.sentence.rank])
        stands = stands_after(chain[-1].text) if chain and each.match >= CERTAINTY.sentence else None
        if stands is not None:
            step = f"the last of {len(chain) + 1} dated statements: {last_reversal(chain[-1].text)}"
            return _stated(stands, chain[-1], step)
    best = next((r for r in rated if not r.sentence.empty), None)
    stood = stands_after(best.sentence.text) if best else None
    if best and stood is not None and best.match >= CERTAINTY.sentence and _STANDS.search(wanted.question):
        told = last_reversal(best.sentence.text)
        step = "" if told == best.sentence.text.rstrip(".") else f"what happened: {told}"  # it is quoted below anyway
        return _stated(stood, best.sentence, step)
    plain = outright(wanted, rated)
    if plain.text:
        return plain
    telling_ones = (each for each in rated if each.sentence.listed or not each.sentence.empty)
    heard = [_heard(wanted, each, siblings) for each in telling_ones]
    for each, said in heard:
        sure = _if_sure(wanted, each, said)
        if sure:
            return Proposal(sure.text, "yes_no", each.sentence)
    for each, said in heard[:1]:
        if said and _is_denial(wanted, each, said):
            return Proposal(said.text, "yes_no", each.sentence)
    return Proposal(kind="yes_no")


def outright(wanted: Wanted, rated: Iterable[Rated]) -> Proposal:
    """By the first sentence that says just what is asked, or denies it, or says it of another year; else none."""
    sentences = [each.sentence for each in rated]
    for sentence in sentences:
        passage = sentence.passage
        said = said_outright(wanted.question, sentence.text, passage.title, issuer_terms(passage))
        if said is not None:
            return _stated(said, sentence)
    otherwise = (s for s in sentences if told_of_another_year(wanted.question, s.text, s.passage.title))
    first = next(otherwise, None)
    return Proposal(kind=wanted.kind) if first is None else _stated(False, first)


# "Should I still use A?" is answered by what recommends it or warns of it.
_ASKS_ADVICE = re.compile(r"(?i)should (?:I|we|you|one|people|anybody|anyone) ")
_ADVISES = re.compile(
    r"(?i)\b(?:should|must|recommend|advis|discourag|prefer|avoid|deprecat|obsolete|suitable|unsafe|safe"
    r"|no longer|do not|don['’]t)"
)


def without_mere_facts(wanted: Wanted, rated: Sequence[Rated]) -> Sequence[Rated]:
    """The sentences that may say yes or no: of a question for advice those that advise, of one for an order such."""
    if wanted.kind == "yes_no":
        rated = [each for each in rated if not lacks_order(wanted.question, each.sentence.text)]
    if _ASKS_ADVICE.match(wanted.question) is None:
        return rated
    return [each for each in rated if _ADVISES.search(each.sentence.text)]


_ASKS_STILL = re.compile(r"(?i)(?:is|are|do|does|has|have|can) [^?]{1,80}? still ")
_GOES_ON = re.compile(
    r"(?i)\b(?:still|remain|continu|today|now\b|current|since|to this day|every (?:day|month|year)"
    r"|for (?:about |over |more than |nearly )?[\w-]{1,12} (?:years|decades))"
)


_ENDED_IN = re.compile(
    r"\b(?:stop|ceas|end|halt|drop)\w{0,4} [^,.;]{2,80}? in (?P<where>(?:the )?[A-Z]\w{2,20}(?: [A-Z]\w{2,20})?)"
)


def tells_of_now(question: str, told: str, text: str) -> bool:
    """Whether a sentence may tell yes or no of what is still so: yes if it goes on, no if it ended everywhere."""
    if _ASKS_STILL.match(question) is None:
        return True
    if told.startswith("Yes"):
        return _GOES_ON.search(text) is not None
    asked = {country for country, *_ in countries_in(question)}
    ended = _ENDED_IN.search(text)
    return ended is None or asked.issuperset(country for country, *_ in countries_in(ended["where"]))


def _is_asked_above(wanted: Wanted, rated: Rated) -> bool:
    """Whether "Yes." stands below a question that asks the same."""
    return rated.match >= CERTAINTY.sentence and rated.asked(wanted) >= CERTAINTY.case


def _stated(yes: bool, sentence: EvidenceSentence, step: str = "") -> Proposal:
    return Proposal(Stance(yes).text, "yes_no", sentence, step)


def _is_denial(wanted: Wanted, rated: Rated, stance: Stance) -> bool:
    """Whether the surest sentence denies what is asked; it need not say each word, for few deny by chance."""
    least = CERTAINTY.rule if asks_for_a_rule(wanted.question) else CERTAINTY.denied
    return not stance.yes and "than" not in wanted.words and rated.strength(wanted) >= least


def _heard(wanted: Wanted, rated: Rated, siblings: Siblings) -> tuple[Rated, Stance | None]:
    """A sentence, and what it says to the question; an item of a list with the line that announces it."""
    sentence = rated.sentence
    above = with_antecedents(sentence, siblings[sentence.rank]) if sentence.listed else None
    if above is None:
        return rated, _told(wanted, rated, sentence.text)
    terms = (each.terms for each in above)
    whole = replace(sentence, terms=frozenset[str]().union(*terms))
    text = " ".join(each.text.rstrip(":") for each in above)
    read = Rated(whole, rated.match)
    return read, _told(wanted, read, text)


_OF_SUCH = re.compile(r"(?i)(?:No |Any |Every |Each )?such ")  # such as what, the sentence before tells


def _told(wanted: Wanted, rated: Rated, text: str) -> Stance | None:
    """What a sentence says to the question, by the words that its title does not say already.

    Where they affirm and what is done is denied, it is denied: "are not controlled" below "export control policy".
    """
    if _is_of_another(wanted, rated) or _OF_SUCH.match(text):
        return None
    own = wanted.beside_title(rated.sentence)
    stance = stance_of(wanted.question, text, own)
    done = wanted.deeds & rated.sentence.terms
    if stance is None or not stance.yes or done <= own:
        return stance
    whole = stance_of(wanted.question, text, own | done)
    return stance if whole is None else whole


def _if_sure(wanted: Wanted, rated: Rated, told: Stance | None) -> Stance | None:
    """What a sentence says, where it is sure to answer; a rule need not repeat every word of the case."""
    text = rated.sentence.text
    if asks_for_a_rule(wanted.question):
        repeated = set(words(text)) & _NARROWS
    else:
        if asks_for_most(wanted.question):
            repeated = {"most"}
        else:
            repeated = set(words(text)) & _ALL
    compares = wanted.words & _COMPARES - repeated or _AS_MUCH.search(wanted.question)
    if rated.strength(wanted) < CERTAINTY.rule or compares:
        return None
    counted = None if asks_for_a_rule(wanted.question) else holds_count(wanted.question, text)
    stance = Stance(counted == told.yes) if told is not None and counted is not None else told
    if stance is None or (stance.yes and not may_be_yes(wanted, rated)):
        return None
    if stance.rule and rated.asked(wanted) >= CERTAINTY.case:
        return stance
    if says_both(wanted, rated.sentence.terms):
        return None
    sure = rated.is_sure(wanted, strength=CERTAINTY.strength)
    plainly = _says_each_word(wanted, rated) or _is_done_by_the_one(wanted.question, text)
    return stance if sure and plainly and rated.sentence.terms & wanted.terms else None


def _is_of_another(wanted: Wanted, rated: Rated) -> bool:
    """Whether a sentence opens with another name and leaves that of the question to its title: "CRAG uses …"."""
    sentence = rated.sentence
    opener = opening_name(sentence.text, sentence.passage)
    if not opener or not opener.isdisjoint(wanted.terms):
        return False
    named = (name for name in names(wanted.question) if name.start > 0)
    own = [terms_of(name.text) for name in named]
    return bool(own) and not any(map(sentence.terms.issuperset, own))


def compared(wanted: Wanted, rated: Sequence[Rated]) -> Proposal:
    """By a sentence that compares the same two: "A sold more cars than B" is a yes to that, and a no to the reverse."""
    for each in rated:
        text = each.sentence.text
        counted = holds_count(wanted.question, text)
        if counted is not None and each.is_sure(wanted, strength=CERTAINTY.strength):
            return _stated(counted, each.sentence)
        order = _same_order(wanted.question, text)
        stance = stance_of(wanted.question, text, wanted.terms) if order is not None else None
        if stance and each.is_sure(wanted, strength=CERTAINTY.strength):
            return _stated(stance.yes == order, each.sentence)
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
    if _lacks_own(question, text) or terms_alone(question, text) or _is_only_for_others(question, text):
        return False
    if _is_numbered_otherwise(wanted, rated):
        return False
    if asks_for_most(question):
        return True
    asked, said = _words_said(wanted, rated, _is_said_in_sense)
    of_whom = _first_of(asked, question)
    if asks_for_a_rule(question):
        return of_whom in said and 2 * len(said) >= len(asked) and not _is_done_by_another(question, text)
    another = (
        _is_not_told_its_state,
        _is_not_told_its_kind,
        _is_not_told_its_quality,
        _goes_back,
        _counts_another,
        _leaves_out,
        _is_done_by_another,
        _is_done_by_others,
        _gives_no_reason,
        _says_less,
    )
    if any(is_another(question, text) for is_another in another) or _is_of_another_time(wanted, text):
        return False
    tells_all = asked == said
    tells_of_it = _TAKES_UP.match(text) or any(_is_said_in_sense(of_whom, word) for word in words(text))
    title = words(rated.sentence.passage.title)
    subject = _subject_words(question, asked)
    in_short = subject != [of_whom] and set(subject) <= {*title} and not set(subject).isdisjoint(words(text))
    by_itself = of_whom in title and (_WE.search(text) or in_short)
    return tells_all and bool(tells_of_it or by_itself)


_NUMBER_OF_NAME = re.compile(r"(?<=\w )(?:[A-Z]|[IVX]{1,5}|\d{1,4})$")


def _is_numbered_otherwise(wanted: Wanted, rated: Rated) -> bool:
    """Whether a name of the question ends in a number or letter, "Nova I", that a sentence and its title do not say."""
    said, titled = {*words(rated.sentence.text)}, {*words(rated.sentence.passage.title)}
    for name in names(wanted.question):
        *series, number = words(name.text) or [""]
        is_said = number in said or (number in titled and said.isdisjoint(series))  # "it", below the title
        if _NUMBER_OF_NAME.search(name.text) and not is_said:
            return True
    return False


# "Is the strike over?": what is asked is one small word, that no other stands for.
_STATE = re.compile(r"(?i)^(?:is|are|was|were)\b.{3,160}\b(?P<state>over|through|off|on|up|out|underway)\W*$")


def _is_not_told_its_state(question: str, text: str) -> bool:
    """Whether it is asked if something is over, or on, and a text does not say so."""
    asks = _STATE.match(question)
    return asks is not None and not re.search(rf"\b(?:is|are|was|were) {asks['state']}\b", text, re.IGNORECASE)


_UP_OR_DOWN = re.compile(r"(?i)\b(?:go|goes|gone|going|went|move[sd]?) (up|down)\b")


def _goes_back(question: str, text: str) -> bool:
    """Whether a text tells of the opposite way: from A to B, where it is asked of from B to A; "fell" of "go up"."""
    if other_way(question, text):
        return True
    way = _UP_OR_DOWN.search(question)
    return way is not None and not contrary("rise" if way[1].lower() == "up" else "fall").isdisjoint(terms_of(text))


_COUNTED = re.compile(rf"(?<![\w-])(?P<count>\d{{1,4}}|{SPELLED_NUMBER}) (?P<what>[a-z]{{3,24}})\b")
_NEAR_COUNT = 3  # words


def _counts_another(question: str, text: str) -> bool:
    """Whether a text does not say a count of the question of the same: "three quarters" are no three gates."""
    asked = _COUNTED.search(question.lower())
    if asked is None or any(name.start < asked.start() < name.end for name in names(question)):
        return False
    written, what = words(text), terms_of(asked["what"])
    behind = (
        written[place + 1 : place + 1 + _NEAR_COUNT] for place, word in enumerate(written) if word == asked["count"]
    )
    return bool(what) and all(terms_of(" ".join(each)).isdisjoint(what) for each in behind)


_LESS = re.compile(r"\b(?:less|least|hardly|barely|scarcely) (?P<what>[a-z]{3,24})\b")


def _says_less(question: str, text: str) -> bool:
    """Whether a text says of what is asked that it is so less or hardly: "less trustworthy" is not "trustworthy"."""
    asked = terms_of(question)
    told = (terms_of(match["what"]) for match in _LESS.finditer(text))
    return _LESS.search(question) is None and any(not each.isdisjoint(asked) for each in told)


_REASON = re.compile(r"(?i)\b(?:because|due to|owing to|as a result of|thanks to)\b")


def _gives_no_reason(question: str, text: str) -> bool:
    """Whether it is asked if something is so because of another, and a text says of neither that it is the cause."""
    return _REASON.search(question) is not None and _REASON.search(text) is None


_LEFT_OUT = re.compile(r"(?i)\b(?:and|but|or) not (?P<what>[^,;.]{3,80})")


def _leaves_out(question: str, text: str) -> bool:
    """Whether a text says of what is asked that it is not so after all: "by the new list and not by the old one".

    Or does so in another clause: "an update of B failed; the error was not made by A".
    """
    asked = terms_of(question)
    out = _LEFT_OUT.search(text)
    if out and not (terms_of(out["what"]) - terms_of(text[: out.start()])).isdisjoint(asked):
        return True
    clause = clause_on(text, asked)
    others = (part for part in CLAUSES.split(text) if part is not clause and not terms_of(part).isdisjoint(asked))
    return not is_denied(question, clause) and any(is_denied(question, part) for part in others)


_WE = re.compile(r"\b(?:[Ww]e|[Oo]ur|us)\b")
_TAKES_UP = re.compile(r"(?:It|They|He|She|This|These|Its|Their|The)\b")
_IS_A = re.compile(
    r"(?i)(?:is|are|was|were) (?P<thing>[^?]{1,80}?) (?:still )?(?:an?|the) "
    r"(?P<how>(?:[\w-]{2,24} ){0,3}?)(?P<head>[\w-]{3,24})(?: (?:of|for|in|on|by|to|that|which)\b|\?|$)"
)
_AT_ENDS = frozenset(("in", "of", "on", "at", "by", "for", "with", "from", "under", "to"))
_IS = frozenset(("is", "are", "was", "were", "as", "becomes", "became", "remains", "remained"))
_SUCH = frozenset(("such", "like", "including", "called", "named"))
_BETWEEN = 10  # words between a thing and its kind
_AHEAD_OF_HEAD = 3


def _is_not_told_its_kind(question: str, text: str) -> bool:
    """Whether a text does not say of a thing that it is of the kind asked for: "a sparse method such as A", "B is one".

    It says so by "A is a dense method", "A, a dense method", "dense methods such as A".
    """
    asks = _IS_A.match(question)
    if asks is None or asks["thing"].split()[-1] in _AT_ENDS:
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


# "Is Pfizer German?" is not told by "its German partner".
_IS_SO = re.compile(
    r"(?i:is|are|was|were) (?P<thing>(?:[Tt]he )?[A-Z][\w’'&.-]*(?: [A-Z\d][\w’'&.-]*){0,3}) "
    r"(?:(?:still|now|already) )?"
    r"(?P<how>(?![\w-]{1,20}(?:ing|ed)\b)[\w-]{3,24})\W*$"
)
_IS_OR_HAS_BEEN = _IS | {"been", "be", "become", "stays", "stayed", "remain"}


def _is_not_told_its_quality(question: str, text: str) -> bool:
    """Whether it is asked if a thing is so, in one word, and a text says the word of something else."""
    asks = _IS_SO.match(question)
    if asks is None:
        return False
    thing, how = terms_of(asks["thing"]), terms_of(asks["how"])
    written = words(text)
    terms = [terms_of(word) for word in written]
    things = [place for place, each in enumerate(terms) if each & thing]
    said = [place for place, each in enumerate(terms) if each & how]
    if not things or not said:
        return False  # said in other words, or of what the title names
    between = (written[of + 1 : place] for of in things for place in said if of < place <= of + _BETWEEN)
    return not any(not words_between or not _IS_OR_HAS_BEEN.isdisjoint(words_between) for words_between in between)


def _links(written: Sequence[str], thing: int, kind: int) -> bool:
    """Whether the words between a thing and a kind say that it is one."""
    between = written[min(thing, kind) + 1 : max(thing, kind)]
    verb = next((place for place, word in enumerate(between) if word in _IS), 0)
    if len(between) - verb > _BETWEEN or verb > _BETWEEN or "than" in between:
        return False
    if thing < kind:
        return not _IS.isdisjoint(between) or between[:1] in (["a"], ["an"], ["the"])
    return not _SUCH.isdisjoint(between)


# Example: "Only IT-approved software may be installed" of "May I install my own software?"
# Counter-example: "Only employees may enter" of "May employees enter?"
_ONLY = re.compile(r"^Only (?P<who>[\w-]{2,24}(?: [\w-]{2,24}){0,5}?) (?:may|can|must|should|is|are)\b")


def _is_only_for_others(question: str, text: str) -> bool:
    """Whether a text allows something to some alone, whom the question does not name."""
    only = _ONLY.match(text)
    return only is not None and not terms_of(only["who"]) <= terms_of(question)


def _lacks_own(question: str, text: str) -> bool:
    """Whether it is asked if one does something oneself, and a text does not say that: who sells chips may buy them."""
    asks_own, says_own = map(_OF_ITS_OWN.search, (question, text))
    return bool(asks_own and not says_own)


_OF_ITS_OWN = re.compile(r"(?i)\b(?:its|their|his|her) own\b|\b(?:it|them|him|her)sel(?:f|ves)\b|\bin-house\b")


def _says_each_word(wanted: Wanted, rated: Rated) -> bool:
    """Whether one clause says each word of the question in a form of that word, but for one of five.

    "Profit margins" do not make a firm profitable, and who buys from a plant does not own factories.
    """
    asked, said = _words_said(wanted, rated, _is_form)
    told = [word for word in asked if any(telling(term) == 1.0 for term in terms_of(word) & wanted.terms)]
    return len([word for word in told if word not in said]) <= len(told) // _ONE_IN


def _is_said_in_sense(word: str, other: str) -> bool:
    """Whether a word says another in any of its forms, or in the same sense."""
    if _is_doer_of(word, other) or _is_doer_of(other, word):
        return False
    return _is_form(word, other) or any(is_said(term, terms_of(other)) for term in terms_of(word))


def _words_said(
    wanted: Wanted, rated: Rated, says: Callable[[str, str], bool]
) -> tuple[frozenset[str], frozenset[str]]:
    """The words of the question that tell, and those of them that one clause says, or the contrary of.

    Of "banned A, but allowed B" no clause says that B was banned. Whom it tells of may stand ahead, or in the title.
    """
    text = _SPELLED.sub("", rated.sentence.text)
    clause = clause_on(text, wanted.terms.union(*map(contrary, wanted.terms)))
    before, _, after = text.partition(clause)
    ahead = " ".join(name.text for name in names(before))
    clauses = CLAUSES.split(after)
    goes_on = next(filter(GOES_ON.match, clauses), "")
    if goes_on and terms_of(goes_on) & wanted.terms - terms_of(clause):
        clause = f"{clause} {goes_on}"
    if _TAKES_UP_EARLIER.search(clause):
        ahead = before
    if _TAKES_UP_EARLIER.search(after):
        clause += after
    told = f"{ahead} {clause}"
    terms, written, title = terms_of(told), words(told), words(rated.sentence.passage.title)
    asked = frozenset(word for word in words(without_asking(wanted.question)) if terms_of(word)) - _SAY_NOTHING
    subject = set(_subject_words(wanted.question, asked))

    def is_said_by(word: str) -> bool:
        near = [*written, *title] if word in subject else written
        return any(says(word, each) for each in near) or is_opposed(terms_of(word) & wanted.terms, terms)

    return asked, frozenset(filter(is_said_by, asked))


_SPELLED = re.compile(r" ?\([^():;]{0,80}[:;][^()]{0,120}\)")  # "(Russian: …)", in which no clause begins
# "Texas sued A; a judge dismissed that lawsuit": both are told of it.
_TAKES_UP_EARLIER = re.compile(
    r"\A(?:; |, (?:and |but )?)?(?:it|he|she|they)\b|\bcourt there\b|\b[a-z]+s both\b"
    r"|\b(?:that|those) (?:case|lawsuit|suit|fine|deal|plan|rule|order)s?\b"
)


def _subject_words(question: str, asked: frozenset[str]) -> list[str]:
    """The words of whom or what a question asks about: of its first name, or the first that tells."""
    first = _first_of(asked, question)
    named = next((words(name.text) for name in names(question) if first in words(name.text)), [])
    return [first, *named]


def _first_of(asked: frozenset[str], question: str) -> str:
    return next((word for word in words(question) if word in asked), "")


_ANY_VERB = frozenset(words("get gets got happen happened have has had make made take took"))
_SAY_NOTHING = (
    _ANY_VERB
    | frozenset(PREPOSITIONS)
    | frozenset(words("someone somebody anyone anybody everyone everybody people person"))
)


_DOERS = ("er", "ers", "or", "ors")
_DOING = ("ing", "ings", "ion", "ions")


def _is_doer_of(word: str, other: str) -> bool:
    return word.endswith(_DOERS) and other.endswith(_DOING)


def _is_form(word: str, other: str) -> bool:
    """Whether two words differ by an ending of at most three letters, or are irregular forms of one verb.

    What does something is not that it is done: an encoder, encoding.
    """
    if _is_doer_of(word, other) or _is_doer_of(other, word):
        return False
    near = bool(terms_of(word) & terms_of(other)) and abs(len(word) - len(other)) <= _ENDING
    return word == other or near or any((forms_of(term) - {term}) & terms_of(other) for term in terms_of(word))


# What of a sentence tells for yes or for no, each as a number.
OF_VERDICTS = (
    "strength", "lead", "denied", "turned", "taken_back", "still", "narrow", "by_subject", "other_time",
    "says_yes", "says_no", "sure_yes", "sure_no",
)  # fmt: skip
# "Apple ended its car project": words by which a sentence says no without denying.
_TURNS = re.compile(
    r"(?i)\b(?:refus|declin|fail|reject|drop|cancel|withdr|abandon|end(?:ed|s|ing)|stopp|ceas|g[ai]ven? up|left"
    r"|lost|repeal"
    r"|block|dismiss|revok|postpon|delay|instead|rather|but|only|less|fewer|fell|limit)\w{0,8}"
)
_STILL = re.compile(r"(?i)\b(?:still|yet|already|now|currently|again)\b")
_NARROW = re.compile(
    r"(?i)\b(?:all|every|always|only|any|ever|never|entirely|completely|whole|itself|alone|for good|majority|most|first"
    r"|still|yet|already)\b"
)
_ASKS_IF = re.compile(
    r"(?i)(?:so |and |but |is it (?:true|the case) that )?"
    r"(?:is|are|was|were|do|does|did|has|have|had|can|could|may|will|would|should|must)\b"
)
_OF_WHOM = re.compile(r" of (?:the )?(?=[A-Z])")
_DOER = re.compile(r"\bby (?:the )?")


def tells_verdict(wanted: Wanted, rated: Rated, among: Sequence[Rated]) -> dict[str, float]:
    """What a sentence tells for yes or for no, by the names OF_VERDICTS."""
    question, text = wanted.question, rated.sentence.text
    terms = wanted.beside_title(rated.sentence)
    stance = _told(wanted, rated, rated.sentence.text)
    sure = _if_sure(wanted, rated, stance)
    clause = clause_on(text, terms)
    return {
        "strength": rated.strength(wanted),
        "lead": rated.lead(wanted, among),
        "denied": float(denials_in(clause) % 2 != denials_in(question) % 2),
        "turned": float(_TURNS.search(part_on(clause, terms)) is not None and _TURNS.search(question) is None),
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


def _is_done_by_another(question: str, text: str) -> bool:
    """Whether it is asked if one does something, and a text says it of another: "GPT uses masks, while BERT …".

    Of two names who did it to whom has to be said by the verb: "the case of A against B" sues nobody.
    """
    done = _IS_DONE_BY.match(question)
    if done:
        question = f"Did {done['who']} {done['did']} {done['what']}?"
    if _ASKS_OF_DOER.match(question) is None:
        return False
    doer, subject = _doer_and_subject(question, text)
    named = [name for name in names(question) if name.kind in _NAMES]
    of_two = len(named) > 1 and terms_of(named[0].text) == subject
    others = [other for other in names(text) if terms_of(other.text) == subject]
    if any(_ALLOWED.search(text, 0, other.start) for other in others):
        return False
    behind = any(other.start > 0 for other in others)
    return bool(subject) and (bool(doer) or of_two or behind) and doer.isdisjoint(subject)


_OTHERS = re.compile(r"\bother (?P<such>[a-z-]{2,20}(?: [a-z-]{2,20}){0,2})")


def _is_done_by_others(question: str, text: str) -> bool:
    """Whether a text says what is asked only of others of a kind: "after two other oaks, A and B, collapsed"."""
    named = terms_of_names(question)
    deeds = terms_of(without_asking(question)) - named
    told = (each.start() for each in _OTHERS.finditer(text) if not named.isdisjoint(terms_of(each["such"])))
    others = next(told, None)
    if others is None or named <= terms_of(text):
        return False
    return deeds.isdisjoint(terms_of(text[:others]))


_ALLOWED = re.compile(r"\b(?:allow(?:s|ed)?|permit(?:s|ted)?|lets?|enabled?) (?:the )?$")  # "it allowed A to do so"
_BESIDE_SUBJECT = re.compile(r"(?i)\b(?:in|with|for|of|to|by|from|after|against|at|on|than|like|as|and) (?:the )?$")


_IS_DONE_BY = re.compile(
    r"(?:[Ww]as|[Ww]ere|[Ii]s|[Aa]re) (?P<what>.{2,80}?) (?P<did>[a-z]{3,20}) by (?P<who>(?:the )?[A-Z][^?]{1,60}?)\W*$"
)
# Not "Was A sued?", of which A does nothing.
_ASKS_OF_DOER = re.compile(r"(?i)(?:do|does|did|has|have|had|can|could|will|would)\b(?!.{1,160}?\bbe(?:en)? )")


def _is_done_by_the_one(question: str, text: str) -> bool:
    """Whether a question names one only, who does in the text what is asked: then its other words may be others."""
    named = [name for name in names(question) if name.kind in _NAMES]
    return len(named) == 1 and _is_done_by_subject(question, text)


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
    said = _verb_among(word.word for word in behind if question[word.start].islower())
    alike = terms_alike(said) if said else frozenset[str]()
    if subject is None:
        return nobody, nobody
    verbs = [word for word in spans(text) if stem(word.word) in alike and _may_be_verb(text, word)]
    verb = min(verbs, key=lambda word: stem(word.word) != said, default=None)  # itself before one like it
    things = frozenset[str]().union(*(terms_of(name.text) for name in named if name is not subject))
    doer = _doer(text, verb, things) if verb else None
    return (terms_of(doer.text) if doer else nobody), terms_of(subject.text)


def _verb_among(written: Iterable[str]) -> str:
    """The stem of the first word that tells."""
    for word in written:
        if word in _OWN:
            return word
        if stem(word):
            return stem(word)
    return ""


def _may_be_verb(text: str, word: Word) -> bool:
    """Whether a word of a text may be a verb, or an act like one: not "the payments", but "the purchase of A"."""
    is_act = _OF_WHOM.match(text, word.end) is not None
    return text[word.start].islower() and (is_act or _ARTICLE.search(text[: word.start]) is None)


_ARTICLE = re.compile(r"(?i)\b(?:the|an?|its|their|his|her|this|that|these|those|of) $")


_NAMES = frozenset(("name", "acronym", "quoted"))
_OWN = frozenset(("own", "owns", "owned"))  # no index terms, but verbs


_DONE_TOO = re.compile(r"\b[a-z-]{3,20}(?:ed|en),? (?:and )?$")  # "a song written, sung and sold by A"


def _doer(text: str, verb: Word, things: frozenset[str]) -> Name | None:
    """The name ahead of a verb, or behind "by" where the verb is passive; of "the failure of A" it is A.

    Not where A, or who stands ahead, is among the other `things` of the question: "B completed the purchase of A".
    """
    named = [name for name in names(text) if name.kind in _NAMES]
    of = _OF_WHOM.match(text, verb.end)
    whose = next((name for name in named if of and name.start >= of.end()), None)
    ahead = _ahead_of(text, verb, named)
    does_it = ahead is not None and not things.isdisjoint(terms_of(ahead.text))
    if whose is not None and not does_it and things.isdisjoint(terms_of(whose.text)):
        return whose
    is_done = is_passive(text, verb.start, verb.end) or _DONE_TOO.search(text[: verb.start]) is not None
    by = _DOER.search(text, verb.end) if is_done else None
    behind = next((name for name in named if by and name.start >= by.end()), None)
    return behind or ahead


def _ahead_of(text: str, verb: Word, named: Sequence[Name]) -> Name | None:
    """The name ahead of a verb; of "A agreed to buy B and completed it" A, who opens the clause."""
    ahead = [name for name in named if name.end <= verb.start]
    if _COORDINATED.search(text, 0, verb.start) is None:
        subjects = [name for name in ahead if not _BY.search(text, 0, name.start)]
        return next(reversed(subjects or ahead), None)  # "A, led by B, played"
    joints = [joint.end() for joint in CLAUSES.finditer(text, 0, verb.start)]
    begin = joints[-1] if joints else 0
    for name in ahead:
        if name.start >= begin and not _BESIDE_SUBJECT.search(text, 0, name.start):
            return name
    return ahead[-1] if ahead else None


_BY = re.compile(r"\bby (?:the )?$")
_COORDINATED = re.compile(r"\band (?:(?:then|also|later|has|had|have) ){0,2}$")


def _is_of_another_time(wanted: Wanted, text: str) -> bool:
    """Whether the date of a text nearest to what is asked, with those beside it, is of another year than the question.

    "In 2022 and 2023" speaks of both.
    """
    asked = {date.year for date in dates(wanted.question)}
    told = [date for date in dates(text) if not _DUE.search(text, 0, date.span[0])]
    places = [word.start for word in spans(text) if word.word.isalpha() and stem(word.word) in wanted.terms]
    if not asked or not told or not places:
        return False
    start, end = min(told, key=lambda date: min(abs(date.span[0] - place) for place in places)).span
    beside = (date for date in told if date.span[0] - end <= _BESIDE and start - date.span[1] <= _BESIDE)
    return asked.isdisjoint(date.year for date in beside)


# Of "bonds due 2030, sold in 2002" only the second is when something was done.
_DUE = re.compile(r"\b(?:due|through|until|matur(?:ing|es?)|expir(?:ing|es?)) (?:(?:in|on) )?$")
_BESIDE = len(" and ")  # characters between dates that are said together
