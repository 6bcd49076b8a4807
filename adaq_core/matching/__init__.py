"""How well a passage speaks to an aspect, and which sentence and words say so.

A match is `gate · (0.4 + 0.6 · topic)`: the gate is the share of the aspect's subject that the passage names, weighted
by rarity, so that a common word opens nothing; the topic is how much of what is asked of the subject it says. Nothing
is matched below a gate of 0.6. Facts and relations are matched sentence by sentence instead.
"""

from __future__ import annotations

import re
from bisect import insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import islice

from adaq_core.matching.asked import OtherForm, asked_by
from adaq_core.matching.conditions import left
from adaq_core.matching.lexicon import CUES, PLAIN, cues_of, is_said, spelled_out, stated
from adaq_core.matching.naming import TITLE_PARTS, is_heading, issuer_terms
from adaq_core.matching.sentences import answering_outright, asks_more_than_a_subject, most_said, read_against
from adaq_core.matching.shown import may_say, read_for, told_in_form
from adaq_core.model import Passage, QueryAspect
from adaq_core.question.answer_kinds import PREPOSITIONS
from adaq_core.text.entities import names
from adaq_core.text.tokens import (
    STOP_WORDS,
    Sentence,
    Weigh,
    fold,
    items_of,
    read_sentences,
    share,
    terms_of,
    tokens,
    words,
)

Rated = tuple[float, Sentence]

_ENOUGH_CUES = 2
_KIND_OF_IT = 0.16
_SAID_TO_BE_ONE = 0.25
_ENTRY_ELSEWHERE, _ASIDE_TELLS, _DEED_TELLS, _MENTIONS = 0.9, 0.6, 0.3, 0.15
_PURPOSE = "Purpose of "
_HEADS_OF_CAUSES = terms_of("cause factor reason")
_UNDER_ITS_HEADING = 4.0  # cues that what stands below "Advantages of A" is worth
_UNDER_TITLE = 0.1  # what a sentence is worth that leaves the facet's word to the title
_ASIDE, _MOSTLY = 0.25, 0.5
# A passage that is titled by the subject itself need not say the facet's words in every other sentence.
_ASIDE_OF_ITS_OWN, _MOSTLY_OF_ITS_OWN = 0.15, 0.3
# Between subject and verb only another name of the subject may stand: ", short for low-rank adaptation,", "at k".
_ASIDE_BETWEEN = re.compile(r"e?s?(?: at \w{1,3})?\s*(?:,[^.;]{1,90},|\([^.;]{1,60}\)|or [^.;,]{1,40},?)?\s*")
_NO_DEFINITION = re.compile(
    r"\s{1,3}not (?!(?:an?|the)\b)|"
    r"\s{1,3}(?:also |often |usually |therefore |not |very |more |most |so )?(?:important|useful|popular|fast|simple"
    r"|used|expensive|cheap|good|common|strong|weak|better|worse|available|published|introduced|released|applied|stored|built"
    r"|tested|supported|maintained|developed|started|hosted|distributed|suitable|versatile|(?:\w+ )?licen[cs]ed)\b"
)
_OPENING = re.compile(r"(?:in [^,]{1,40}, )?(?:the |an? )?")
# "The last part is called the endgame in America" tells what the endgame is, and nothing of an endgame table.
_CALLED_SO = re.compile(
    r"(?:\b(?:is|are|was|were) (?:also |often |usually |sometimes |commonly )?"
    r"(?:called|named|known as|termed|referred to as)"
    r"|\b(?:under the|by the|whose) (?:code ?)?name(?: is)?) (?:the |an? )?[\"“'‘]?$"
    r"|, (?:once |first )?called [^,.;]{2,60} and $"
)
_THING = (
    r"(?:unit|company|firm|maker|bank|agency|system|service|network|database|library|method|model|processor|chip|project"
    r"|programme|program|plan|drug|medicine|vaccine|device|product|feature|function|standard|format|framework|tool"
    r"|platform|law|fund|subsidiary|business|brand|app|language|algorithm|data set|dataset|benchmark|capsule|aircraft"
    r"|airliner|rocket|robot|token|measure|technique|protocol|investor|executive|engineer|researcher|developer|rival"
    r"|supplier)"
)
_BEHIND_NAME = re.compile(r"s?[\"”'’]?(?:$|[,.;:)]|\s(?:and|or|in|by|because|since|where|when|which|if|as)\b)")
_FIELD = re.compile(r" (?:in|under) ")  # "regret in bandits", "a Work under the Apache licence"
_A_WORD = re.compile(r"^(?:[\w-]{2,20} ){0,2}(?:word|term|expression|abbreviation|acronym) (?=\S)")
# "A star called X, which means the champion", "the word X means writing".
_MEANS = re.compile(
    r"[\"”'’)]{0,2}(?: in [\w-]{2,20})?(?:,? (?:which|that|a name that|a (?:word|term) that))? (?:literally |simply )?"
    r"(?:means?(?! (?:to|that|of|by)\b)|meaning|meant|translates? (?:as|to|into)|stands for)\b"
)
_DEFINES = re.compile(
    r"\b(?:is|are|was|were|refers? to|means|denotes?|describes?|consists? of|stands for|computes?|known as)\b"
)


def topic_of(aspect: QueryAspect, passage: Passage, weigh: Weigh) -> tuple[float, tuple[Rated, ...]]:
    """How much of what is asked of the subject a passage says, in [0, 1], and the sentences that do, best first."""
    match aspect.aspect_type:
        case "definition":
            return _definition(aspect, passage)
        case "facet":
            return _facet(aspect, passage)
        case "comparison":
            return _comparison(aspect, passage, weigh)
        case _:
            return _cued(aspect, passage)


def _definition(aspect: QueryAspect, passage: Passage) -> tuple[float, tuple[Rated, ...]]:
    # "Regret in bandits" is regret, which a passage on bandits tells of; "the Aztec word tlacuiloa" is tlacuiloa.
    name, *field = _FIELD.split(_A_WORD.sub("", aspect.subject), maxsplit=1)
    subject = terms_of(name)
    titled = any(terms_of(part) == subject for part in (passage.title, *TITLE_PARTS.findall(passage.title)))
    rated = _kind_of_it(name, passage)
    if titled and _OPENS_WITH_DEED.match(passage.text):
        opening = read_sentences(passage.text)[:1]
        rated += [(1.0, sentence) for sentence in opening]
    rated += [(1.0, sentence) for sentence in _opens_with_kind(subject, passage)]
    of_field = terms_of(" ".join(field))
    if not of_field.isdisjoint(terms_of(passage.title) | issuer_terms(passage)):
        of_field = frozenset()  # "… in the Apache License" is what the document "Apache 2.0" says
    listed = sum(1 for _ in _TERM_OF_A_LIST.finditer(passage.text)) >= _FEWEST_TERMS
    for order, sentence in enumerate(read_sentences(passage.text)):
        if subject <= sentence.terms and of_field <= sentence.terms:
            told = passage.text[sentence.start : sentence.end]
            if repeats_title(told, passage.title):
                continue
            if lays_down(name, told):
                worth = 1.0
            else:
                is_defined = listed and _is_entry(name, fold(told), of_purpose=True)
                worth = 1.0 if is_defined else _told_late(_worth_as_definition(aspect, name, told), order)
                is_of_another = not titled and (is_defined or _is_entry(name, fold(told)))
                if is_of_another:  # a list of what that is made of
                    worth = min(worth, _ENTRY_ELSEWHERE)
            rated.append((worth, sentence))
    best = _best(rated if titled else _by_what_it_does(name, passage, rated))
    if not best:
        return 0.0, ()
    return min(1.0, best[0][0] + (0.75 if titled else 0.0)), best


def _told_late(worth: float, order: int) -> float:
    """What a sentence is worth by how many stand before it; what tells it in passing loses by the first few alone."""
    before = min(order, _FEW) if worth == _ASIDE_TELLS else order
    return worth / (1 + 0.1 * before)


_FEW = 6  # sentences
_AT_THE_FRONT = 3  # sentences
# What opens a page says what it is of in a sentence of its own, which need not say the name: "A web server for Python."
_KIND_AHEAD = re.compile(
    r"(?:This (?:\w{1,20} )?(?:is|provides|contains|implements|supplies)|Summary:|An?) "
    r"(?:[\w’'\"./+-]{1,30},? ){2}.{0,160}[.!]$"
    r"|Summary: .{12,200}$"
    r"|(?!(?:He|I|It|Its|See|She|They|We|You)\b)[A-Z][\w-]{1,30},? "
    r"(?!.{0,160}\b(?:is|are|was|were|has|have|can|may|must|should|will|you|we|I|see|click|check)\b)"
    r"(?:[\w’'\"./+-]{1,30},? ){3}.{0,160}[.!]$"
)


def _opens_with_kind(subject: frozenset[str], passage: Passage) -> list[Sentence]:
    """The sentence at the front of the document that is titled by the subject, which says what kind of thing it is."""
    titles = (passage.title, *TITLE_PARTS.findall(passage.title))
    if passage.start > _NEAR_FRONT or not any(terms_of(part) == subject for part in titles):
        return []
    opening = read_sentences(passage.text)[:_AT_THE_FRONT]
    unnamed = (each for each in opening if not subject <= each.terms)  # "Acme reads logs" says what it does
    told = (each for each in unnamed if _KIND_AHEAD.match(passage.text[each.start : each.end]))
    return list(islice(told, 1))


_NEAR_FRONT = 40  # characters that a document may have ahead


def says_what_it_is(aspect: QueryAspect, passage: Passage) -> bool:
    """Whether a sentence of a passage defines the subject of an aspect, or tells beside its name what it is."""
    subject = terms_of(aspect.subject)
    if _opens_with_kind(subject, passage):
        return True
    named = (passage.text[s.start : s.end] for s in read_sentences(passage.text) if subject <= s.terms)
    told = (text for text in named if not repeats_title(text, passage.title))
    return any(_worth_as_definition(aspect, aspect.subject, text) >= _ASIDE_TELLS for text in told)


_WORDS_OF_TITLE = 3


def repeats_title(sentence: str, title: str) -> bool:
    """Whether a sentence is the title that a document prints, with who wrote it behind: no word on its subject."""
    is_long = len(title.split()) >= _WORDS_OF_TITLE
    return is_long and words(sentence)[: len(words(title))] == words(title) and "," in sentence


# A line of a glossary: "Stock split: Occurs when a company …", "Cash Budget - A budget planning for …".
_TERM_OF_A_LIST = re.compile(r"(?m)^(?:[-•*] )?\w[^\n:.;]{1,40}(?:: | [-–—] )\w\S{0,20}(?: \S{1,20}){3}")
_FEWEST_TERMS = 3  # such lines in a passage
_ABBREVIATION = re.compile(r"[A-Z][A-Za-z]{0,6}[A-Z]s?")


def _worth_as_definition(aspect: QueryAspect, subject: str, sentence: str) -> float:
    """How well a sentence that names the subject tells what it is, or what it does where its purpose is asked for."""
    if _defines(subject, sentence) or _defines_short_form(subject, sentence) or _introduces(subject, sentence):
        return 1.0
    if _ABBREVIATION.fullmatch(subject) and spelled_out(subject, sentence):
        return 1.0
    is_purpose = aspect.aspect.startswith(_PURPOSE)
    if is_purpose and (_does(subject, sentence) or _is_entry(subject, fold(sentence), of_purpose=True)):
        return 1.0
    first, *others = subject.split()
    is_spelled_out = others and _ABBREVIATION.fullmatch(first) and spelled_out(first, sentence)
    told = is_spelled_out or _told_aside(subject, sentence) or _told_ahead(subject, sentence)
    told = told or _does_as_a_kind(subject, sentence)
    return _ASIDE_TELLS if told else _MENTIONS


def _introduces(subject: str, sentence: str) -> bool:
    """Whether a text says what it presents by that name: "We present Kiln, a store for …"."""
    named = rf"(?:[\w ]{{1,40}} of )?{re.escape(fold(subject))}(?:,|:| \() ?(?:an?|the|our|which) "
    return re.search(_PRESENTED_THERE + named, fold(sentence)) is not None


_PRESENTED_THERE = (
    r"\b(?:we|paper|article|report) (?:\w{2,12} )?(?:(?:present|introduce|propose|describe|develop)(?:s|ed)?|built) "
)
_SHORT_FORM = re.compile(
    r"(?a)(?:The |An? )?(?P<short>[\w.&-]{2,20}(?<=[A-Z0-9]))(?:,? \(|, short for |, or )(?:the )?"
)


def _defines_short_form(subject: str, sentence: str) -> bool:
    """Whether a sentence says what a short form of the subject is: "RRF, short for …, is a …"."""
    short = _SHORT_FORM.match(sentence)
    rest = fold(sentence[short.end() :]) if short else ""
    return short is not None and rest.startswith(fold(subject)) and _defines(short["short"], sentence)


# A page of a reference that is titled by its subject opens with what that does: "Returns the …", "Marks the start of".
_OPENS_WITH_DEED = re.compile(
    r"[A-Z][a-z]{2,14}(?<!s)s (?:the|an?|all|one|its|any|each|every|whether|how|information|new|several|multiple)\b"
)


_QUOTATION_OPENS = re.compile("[“\"‘']")


def lays_down(subject: str, sentence: str) -> bool:
    """Whether a contract or a rule says there what it means by a term: 'A "User Product" is …', '(the "Affirmer")'."""
    if _QUOTATION_OPENS.search(sentence) is None:
        return False
    name = re.escape(_FIELD.split(subject, maxsplit=1)[0]).removesuffix("s")
    term = rf"[“\"‘'](?i:{name})s?,?[”\"’']"
    if re.search(rf"\((?:[a-z]{{1,12}},? ){{0,3}}{term}\)", sentence):
        return True
    numbered = r"(?:\(?\w{1,4}[.)] |[\d.]{1,8} )?(?:(?:An?|The) )?"
    means = r"(?:,? [^,.;]{1,40},?)? (?:shall )?(?:means?|is|are|refers? to|has the meaning)\b"
    return re.match(numbered + term + means, sentence) is not None


def _does(subject: str, sentence: str) -> bool:
    """Whether a clause opens with what the subject does: "The Act protects …", "In banking, the unit A of B runs …"."""
    named = rf"(?:^|, )(?:the (?:[a-z]{{2,20}} )?)?{re.escape(fold(subject))}(?: of (?:[\w.&’-]+ ){{0,2}}[\w.&’-]+)?,?"
    return re.search(rf"{named} [a-z]{{2,20}}s\b", fold(sentence)) is not None


def _told_aside(subject: str, sentence: str) -> bool:
    """Whether a sentence tells what the subject is beside its name: "conjugates, which carry …", "Maia, a chip".

    Not beside a longer name ("multi-head attention, which …" is no word on attention), and not where the comma ends
    an opening phrase ("Before attention, a model …").
    """
    named = re.escape(fold(subject).removesuffix("s"))
    presented = rf"{re.escape(subject)}, the [a-z]"
    if subject != subject.lower() and re.match(presented, sentence):
        return True
    opens = r"an?" if subject != subject.lower() else r"which|an?"
    told = fold(sentence)
    aside = re.search(rf"\b{named}s?(?:, | \()(?:{opens}) (?:[a-z]{{3}}|(?:is|are) (?:the|an?)\b)", told)
    if aside is None:
        return False
    ahead = words(told[: aside.start()])
    if not ahead:
        return True
    if subject == subject.lower() and ahead[-1] not in STOP_WORDS:
        return False
    return ahead[0] not in PREPOSITIONS or "," in told[: aside.start()] or "," in told[aside.end() :]


_CALLED = (
    r"\w(?:,|\)| \()? (?:(?:also|often|commonly) )?(?:called|termed|dubbed|known as|referred to as) (?:(?:an?|the) )?"
    r"|\b(?:calls?|called|dub|dubbed) (?:such|these|this) [a-z]{3,20} "
)


def _told_ahead(subject: str, sentence: str) -> bool:
    """Whether the kind of a named thing stands beside its name: "the unit A", "its A chip", "cars such as the B".

    Of a word that is no name only what is called so tells what it is: "the loss of skills, known as fading,".
    """
    named = re.escape(subject)
    if subject == subject.lower():
        return re.search(rf"(?:{_CALLED})[\"“]?{named}(?:[\"”]?[,.;:)]|[\"”]?$| because\b)", sentence) is not None
    is_one = rf"\b{_THING} {named}\b(?!-| [A-Z])"
    is_among = rf"\b[a-z]{{4,20}}s,? (?:including|such as|like) (?:the )?(?:[\w-]{{2,20}} ){{0,2}}{named}\b"
    is_owned = rf"\b(?:its|their) {named} (?:[a-z-]{{3,20}} ){{0,2}}[a-z]{{4,20}}\b"
    is_the_one = rf"\bthe {named} {_THING} (?:that|which)\b"
    is_called = rf"[a-z]{{4}}\w*,? (?:called|named|known as|codenamed) (?:the )?[\"“]?{named}(?!\w|-| [A-Z]| an?\b)"
    return re.search(f"{is_one}|{is_among}|{is_owned}|{is_the_one}|{is_called}", sentence) is not None


def _does_as_a_kind(subject: str, sentence: str) -> bool:
    """Whether a sentence opens with what any such thing does: "A bi-encoder encodes query and passage"."""
    does = rf"An? {re.escape(subject)} {_WHAT_IT_DOES}"
    return subject == subject.lower() and re.match(does, sentence) is not None


def _by_what_it_does(subject: str, passage: Passage, rated: list[Rated]) -> list[Rated]:
    """The sentences that tell what a named thing does, where none says what it is."""
    if any(worth >= _ASIDE_TELLS for worth, _ in rated):
        return rated
    told = (s for _, s in rated if _does_by_name(subject, passage.text[s.start : s.end]))
    return [*rated, *((_DEED_TELLS, sentence) for sentence in told)]


def _does_by_name(subject: str, sentence: str) -> bool:
    """Whether a sentence opens with what a named thing does at any time: "QLoRA, from 2023, combines …".

    Of one word that is no name it may be the beginning of another: "Attention heads show …".
    """
    if subject == subject.lower() and " " not in subject:
        return False
    aside = r"(?:, (?:from|of|since|built on|based on|released in|published in|which) [^,.;]{2,60},)?"
    opened = subject[:1].upper() + subject[1:]
    does = re.match(rf"(?:The )?{re.escape(opened)}(?: [a-z]{{3,16}})?{aside} {_WHAT_IT_DOES}", sentence)
    if does is None:
        return False
    return _IN_A_YEAR.search(sentence, does.end()) is None


_CUSTOM = r"(?!(?:is|has|was|does|needs|wants|costs|gets|says|remains)\b)[a-z]{3,14}(?<!s)s"
_WHAT_IT_DOES = rf"{_CUSTOM} (?!(?:are|were|can|may|have|had|and|or|of|in|that|which)\b)(?:[a-z\d]|[A-Z]\w+ [a-z])"
_IN_A_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


def _kind_of_it(subject: str, passage: Passage) -> list[Rated]:
    """The sentence that defines a kind of the subject, which its passage is titled by: self-attention is attention."""
    if not is_title_of_a_kind(passage.title, subject):
        return []
    opening = read_sentences(passage.text)[:1]
    is_one = bool(opening) and _is_said_to_be_one(subject, passage.text[: opening[0].end])
    score = 1.0 if _belongs_to_a_name(passage) else _SAID_TO_BE_ONE if is_one else _KIND_OF_IT
    return [(score, s) for s in opening if _defines(passage.title, passage.text[: s.end])]


def _belongs_to_a_name(passage: Passage) -> bool:
    """Whether a title begins with a name that the text says too: "Redis pipelining" is no kind, it is that of Redis."""
    first = passage.title.split(" ", maxsplit=1)[0]
    return re.search(rf"[a-z,] {re.escape(first)}\b", passage.text) is not None


def is_title_of_a_kind(title: str, subject: str) -> bool:
    """Whether a title names a kind of the subject: "Self-attention" one of attention."""
    return re.fullmatch(rf"[\w -]{{2,40}}[ -]{re.escape(fold(subject))}", fold(title)) is not None


def _is_said_to_be_one(subject: str, sentence: str) -> bool:
    """Whether it says in words that it is one: "cross-attention is a form of attention in which …"."""
    one = rf"\b(?:form|kind|type|sort|variety) of (?:\w{{2,20}} )?{re.escape(fold(subject))}\b"
    return re.search(one, fold(sentence)) is not None


def _defines(subject: str, sentence: str) -> bool:
    """Whether the subject opens the sentence and a defining verb follows it closely, or something is called so."""
    head = fold(sentence)
    if _is_entry(subject, head) or re.match(rf"in an? {re.escape(fold(subject).removesuffix('s'))}, ", head):
        return True
    at = head.find(fold(subject).removesuffix("s"))
    if at >= 0 and _MEANS.match(head, at + len(subject)):
        return True
    if at > 0 and _CALLED_SO.search(head[:at]) and _BEHIND_NAME.match(head, at + len(subject.removesuffix("s"))):
        return True
    if at < 0 or _OPENING.fullmatch(head[:at]) is None:
        return False
    verb = _DEFINES.search(head, at + len(subject) - 1)
    if verb is None or _NO_DEFINITION.match(head, verb.end()) is not None:
        return False
    return _ASIDE_BETWEEN.fullmatch(head[at + len(subject) : verb.start()]) is not None


# An entry of a list of terms: "Trivet (Pirustija): The trivet is a device", "dbmnz: This is the same as dbm, except …".
_ENTRY = re.compile(
    r"(?:the |an? )?(?P<name>[^\s:()\[\]][^:()\[\]]{0,40}?)(?: (?:\([^()]{1,60}\)|\[[^\[\]]{1,60}\])){0,2}"
    r"(?:: | [—–] | --? )"
)
_SAID_OF_AN_OPTION = 3  # words
_SAYS_WHAT = re.compile(r"(?:this|it|these) (?:is|are|means|was|were)\b|an? (?:[a-z-]{2,20} ){2}")
_SAYS_WHAT_OF_A_TERM = re.compile(r"(?:the|any|one|used|means|part|all|when|where|how|whether) (?:[a-z-]{1,20} ){2}")


def _is_entry(subject: str, head: str, *, of_purpose: bool = False) -> bool:
    """Whether a folded sentence is the entry of a term, and says what it is; "Acme: The chairman said …" does not.

    What a thing does, an option of a command, may be said in any words: "NX -- Only set the key if …".
    """
    entry, term = _ENTRY.match(head), fold(subject)
    if entry is None or term not in (entry["name"], f"{entry['name']}s"):
        return False
    said = head[entry.end() :]
    if of_purpose:
        return len(said.split()) >= _SAID_OF_AN_OPTION
    if _SAYS_WHAT.match(said) or said.startswith(f"the {term} is "):
        return True
    return subject == subject.lower() and _SAYS_WHAT_OF_A_TERM.match(said) is not None


def _facet(aspect: QueryAspect, passage: Passage) -> tuple[float, tuple[Rated, ...]]:
    """A passage is about a facet when its title says so, or when well over a quarter of its sentences speak of it."""
    keywords = [terms for keyword in aspect.keywords if (terms := terms_of(keyword))]
    subject, title = terms_of(aspect.subject), terms_of(passage.title)
    named = subject <= title | issuer_terms(passage)
    titled = named and any(terms <= title for terms in keywords)
    said = may_say(asked_by(aspect), passage.text)
    if not titled and not any(terms <= said for terms in keywords):
        return 0.0, ()
    rated = []
    read = read_for(asked_by(aspect), passage.text)
    for sentence, there in zip(read_sentences(passage.text), read, strict=True):
        is_about_it = named or subject <= sentence.terms
        rated.append((float(sum(terms <= there.terms for terms in keywords)) * is_about_it, sentence))
    if titled and not any(worth for worth, _ in rated):
        return 1.0, _best((_UNDER_TITLE, sentence) for _, sentence in rated)
    speaking = sum(worth > 0 for worth, _ in rated)
    aside, mostly = (_ASIDE_OF_ITS_OWN, _MOSTLY_OF_ITS_OWN) if named and speaking > 1 else (_ASIDE, _MOSTLY)
    if titled:
        topic = 1.0
    else:
        topic = max(0.0, min(1.0, (speaking / max(1, len(rated)) - aside) / mostly))
    return (topic, _best(rated)) if speaking else (0.0, ())


def _comparison(aspect: QueryAspect, passage: Passage, weigh: Weigh) -> tuple[float, tuple[Rated, ...]]:
    items, title = items_of(aspect), terms_of(passage.title)
    scope = terms_of(" ".join(aspect.keywords)).difference(*items)
    rated, says = [], False
    for sentence in read_sentences(passage.text):
        named = sum(item <= sentence.terms for item in items)
        cued = min(2, len(CUES["comparison"] & sentence.terms))
        says = says or (named >= 2 and cued > 0)
        rated.append(((named + 0.4 * cued) * (named > 0), sentence))
    titled = bool(items) and all(item <= title for item in items)
    topic = 1.0 if titled and says else 0.8 if titled or says else 0.1
    if scope:
        best = _best(rated, keep=1)
        topic *= share(scope, title.union(*(sentence.terms for _, sentence in best)), weigh)
    return topic, _best(rated)


def _cued(aspect: QueryAspect, passage: Passage) -> tuple[float, tuple[Rated, ...]]:
    cues = cues_of(aspect)
    subject = terms_of(aspect.subject)
    titled = subject <= terms_of(passage.title)
    rated, is_under = [], False
    plain = terms_of(" ".join(aspect.keywords)) - subject
    if aspect.aspect_type == "causal":
        plain |= _HEADS_OF_CAUSES
    section = dict(passage.metadata).get("section", "")
    heading = terms_of(section.rpartition(" › ")[2])
    for sentence in read_sentences(passage.text):
        text = passage.text[sentence.start : sentence.end]
        heading = sentence.terms if is_heading(text) else heading
        under = heading | terms_of(passage.title)
        if subject <= under and not plain.isdisjoint(heading):
            is_under = True
            rated.append((0.0 if is_heading(text) else _UNDER_ITS_HEADING, sentence))
            continue
        about = 1.0 if subject <= sentence.terms else 0.6 if titled else 0.0
        opens = fold(text).startswith(fold(aspect.subject).removesuffix("s"))
        cue_words = len(cues & sentence.terms) + len(PLAIN & sentence.terms & (cues | plain))
        rated.append(((cue_words + 0.5 * opens) * about * (cue_words > 0), sentence))
    best = _best(rated)
    if is_under:
        return 1.0, best
    if best:
        cued = len(cues & frozenset().union(*(s.terms for _, s in best)))
    else:
        cued = 0
    return min(1.0, cued / _ENOUGH_CUES) * (1.0 if titled else 0.7), best


def _best(rated: Iterable[Rated], keep: int = 3) -> tuple[Rated, ...]:
    """Return the best `keep` sentences with a score above 0, ties in reading order."""
    telling = [each for each in rated if each[0] > 0]
    return tuple(sorted(telling, key=_by_worth)[:keep])


def _by_worth(rated: Rated) -> tuple[float, int]:
    worth, sentence = rated
    return -worth, sentence.start


_GATE = 0.6
_BASE, _TOPIC = 0.4, 0.6
_SENTENCES = 2
_STATED = 0.9
_OTHER = 0.7


@dataclass(frozen=True, slots=True)
class Match:
    """How a passage speaks to an aspect: `score` in [0, 1], its parts, and the sentences that say it.

    The sentences come best first, each with its worth against the best one, in (0, 1].
    """

    score: float
    parts: tuple[tuple[str, float], ...]
    sentences: tuple[Rated, ...]
    words: tuple[str, ...]


def match(
    aspect: QueryAspect, passage: Passage, *, weigh: Weigh, constrain: bool = True, least: float = 0.0
) -> Match | None:
    """How `passage` speaks to `aspect` under any of its names; None when it does not.

    `weigh` gives the rarity of an index term, ≥ 0. A passage whose sentences cannot score `least` need not be read.
    """
    reading = partial(_match, passage=passage, weigh=weigh, constrain=constrain, least=least)
    made = [_match_stated(aspect, passage, constrain=constrain), *map(reading, _named(aspect, passage))]
    best = max((m for m in made if m is not None), key=lambda m: m.score, default=None)
    if not _is_facet_in_a_word(aspect) or (best and most_said(aspect, passage, weigh=weigh) < best.score - _ROUNDING):
        return best
    of_sentence = _match_sentence(aspect, passage, weigh, constrain=constrain)
    return of_sentence if of_sentence and (best is None or of_sentence.score > best.score) else best


_ROUNDING = 1e-9


def at_most(aspect: QueryAspect, passage: Passage, *, weigh: Weigh, constrain: bool = True) -> float:
    """The most that `match` may score, in [0, 1], without a look at what each sentence says."""
    named = _named(aspect, passage)
    if not all(asks_more_than_a_subject(each, passage.title) for each in named):
        return 1.0
    stated = _match_stated(aspect, passage, constrain=constrain)
    said = max(most_said(each, passage, weigh=weigh) for each in named)
    return said if stated is None else max(said, stated.score)


def _is_facet_in_a_word(aspect: QueryAspect) -> bool:
    """Whether the question itself names the facet in one word: then a single sentence may answer it.

    "Antitrust of Apple" is answered by one sentence on the lawsuit; a profile's facet, with its dozen of keywords, by
    passages that are about it.
    """
    return aspect.aspect_type == "facet" and len(aspect.keywords) == 1


def _named(aspect: QueryAspect, passage: Passage) -> list[QueryAspect]:
    """The aspect, the same under each other name of its subject, and with the passage's title as its subject."""
    others = [replace(aspect, subject=alias, aliases=()) for alias in aspect.aliases]
    if _is_meant_by(aspect.subject, passage.title):
        others.append(replace(aspect, subject=passage.title, aliases=()))
    return [aspect, *others, *(cut for named in (aspect, *others) if (cut := _cut_at_title(named, passage.title)))]


_SHORTENED = 4  # letters


@lru_cache(maxsize=1 << 12)
def _is_meant_by(subject: str, title: str) -> bool:
    """Whether a subject is a title said otherwise: "layer norm" for "Layer normalisation", "hybrid search"."""
    said, written = words(subject), words(title)
    if len(said) != len(written) or len(said) == 1 or said == written:
        return False
    return not set(said).isdisjoint(written) and all(map(_says_the_same, said, written))


def _says_the_same(said: str, written: str) -> bool:
    """Whether a word is another's beginning or of its sense."""
    if said == written or (len(said) >= _SHORTENED and written.startswith(said)):
        return True
    terms = terms_of(written)
    return any(is_said(term, terms) for term in terms_of(said))


def _cut_at_title(aspect: QueryAspect, title: str) -> QueryAspect | None:
    """The aspect with its subject cut where the title ends, as "rank fusion" of "rank fusion merge lists".

    The rest is what is asked. A question's words do not show where its subject ends and its verb begins; a title does.
    """
    if aspect.aspect_type not in CUES or aspect.aspect_type == "comparison":
        return None
    words = aspect.subject.split()
    for name in TITLE_PARTS.findall(title):
        length = len(name.split())
        if 0 < length < len(words) and tokens(name) == tokens(" ".join(words[:length])):
            rest = " ".join(words[length:])
            return replace(aspect, subject=" ".join(words[:length]), keywords=(*aspect.keywords, rest))
    return None


def _match(aspect: QueryAspect, passage: Passage, weigh: Weigh, *, constrain: bool, least: float) -> Match | None:
    if asks_more_than_a_subject(aspect, passage.title):
        if least and most_said(aspect, passage, weigh=weigh) < least:
            return None
        return _match_asked(aspect, passage, weigh, constrain=constrain)
    gate = _gate(aspect, passage, weigh)
    if gate < _GATE:
        return None
    topic, rated = topic_of(aspect, passage, weigh)
    rated, kept = _under_conditions(aspect, passage, rated, constrain=constrain)
    if not rated:
        return None
    score = min(1.0, gate * kept * (_BASE + _TOPIC * topic))
    parts = (("subject", gate), ("topic", topic), ("constraints", kept))
    return Match(score, parts, _against_best(rated), _words(aspect, passage, rated[0][1]))


def _match_stated(aspect: QueryAspect, passage: Passage, *, constrain: bool) -> Match | None:
    """What a passage states in a fixed form: word for word, dates in brackets, below the question, behind a label.

    What is said word for word keeps the conditions that the question words.
    """
    sentences, worth = answering_outright(aspect, passage), 1.0
    if sentences:
        others = (condition for condition in aspect.constraints if condition.text not in aspect.aspect)
        aspect = replace(aspect, constraints=tuple(others))
    else:
        sentences, worth = stated(aspect, passage) or told_in_form(aspect, passage), _STATED
    rated, kept = _under_conditions(aspect, passage, tuple((1.0, s) for s in sentences), constrain=constrain)
    if not rated:
        return None
    parts = (("subject", 1.0), ("stated", worth), ("constraints", kept))
    return Match(worth * kept, parts, _against_best(rated), _words(aspect, passage, rated[0][1]))


def _match_asked(aspect: QueryAspect, passage: Passage, weigh: Weigh, *, constrain: bool) -> Match | None:
    """What the best sentences of the passage, each in its context, say of what is asked."""
    read = list(read_against(aspect, passage, weigh=weigh))
    if acronyms := [name.text for name in names(aspect.aspect) if name.kind == "acronym"]:
        in_full = asked_by(aspect).other_forms
        read = [each for each in read if not _is_of_longer(acronyms, in_full, passage, each.sentence)]
    plain = tuple((each.score, each.sentence) for each in read if each.score > 0)
    rated, kept = _under_conditions(aspect, passage, plain, constrain=constrain, most=_SENTENCES)
    if not rated:
        return None
    best = next(each for each in read if each.sentence == rated[0][1])
    parts = (("subject", best.names), ("topic", best.said), ("kind", best.kind), ("constraints", kept))
    return Match(best.score * kept, parts, _against_best(rated), _words(aspect, passage, rated[0][1]))


def _is_of_longer(acronyms: Sequence[str], in_full: Iterable[OtherForm], passage: Passage, sentence: Sentence) -> bool:
    """Whether a sentence and its title only speak of longer names than one of these: "SEAL-RAG" for "RAG".

    What is written out in full is meant itself, also below "TF-IDF".
    """
    said = passage.text[sentence.start : sentence.end]
    written = [form.terms for form in in_full if form.is_in(said, passage.text)]
    short = (name for name in acronyms if terms_of(name) not in written)
    return any(is_of_another(name, f"{passage.title}\n{said}") for name in short)


def _match_sentence(aspect: QueryAspect, passage: Passage, weigh: Weigh, *, constrain: bool) -> Match | None:
    """What a sentence says of the subject by name; one that names others only speaks of them, whatever its title.

    Under the title of another ("NVIDIA: outlook") the sentence itself has to say the facet: "Amazon raised its plans"
    does not tell the outlook of Amazon.
    """
    made = _match_asked(aspect, passage, weigh, constrain=constrain)
    if made is None:
        return None
    best = made.sentences[0][1]
    if _is_titled_by_another(aspect, passage) and not any(terms_of(word) <= best.terms for word in aspect.keywords):
        return None
    others = names(passage.text[best.start : best.end])
    if terms_of(aspect.subject) <= best.terms or not others:
        return made
    return None


def _is_titled_by_another(aspect: QueryAspect, passage: Passage) -> bool:
    """Whether a title names in front of a colon whose facet it tells, and that is not the aspect's subject."""
    owner, colon, told = passage.title.partition(":")
    is_said = any(terms_of(word) <= terms_of(told) for word in aspect.keywords)
    return bool(colon) and is_said and terms_of(owner).isdisjoint(terms_of(aspect.subject))


def _under_conditions(
    aspect: QueryAspect, passage: Passage, rated: tuple[Rated, ...], *, constrain: bool, most: int | None = None
) -> tuple[tuple[Rated, ...], float]:
    """The `most` best sentences weighed by the conditions that each keeps, and what the best of them has left.

    Conditions take from what a sentence is worth: one that is worth less than the best have left is not looked at.
    """
    if not constrain or not aspect.constraints or not rated:
        return rated[:most], 1.0
    kept: dict[int, float] = {}
    weighed: list[Rated] = []
    for worth, sentence in sorted(rated, key=_by_worth):
        if most is not None and len(weighed) >= most and worth < weighed[most - 1][0]:
            break
        own = kept[sentence.start] = left(aspect, passage, passage.text[sentence.start : sentence.end])
        insort(weighed, (worth * own, sentence), key=_by_worth)
    return tuple(weighed[:most]), kept[weighed[0][1].start]


def _against_best(rated: tuple[Rated, ...]) -> tuple[Rated, ...]:
    return tuple((worth / rated[0][0], sentence) for worth, sentence in rated)


def _gate(aspect: QueryAspect, passage: Passage, weigh: Weigh) -> float:
    there = terms_of(passage.title) | terms_of(passage.text) | issuer_terms(passage)
    if aspect.aspect_type == "comparison":
        return min((share(item, there, weigh) for item in items_of(aspect)), default=1.0)
    if not aspect.subject:
        return 1.0
    gate = share(terms_of(aspect.subject), there, weigh)
    multi_word = len(terms_of(aspect.subject)) > 1
    phrase = aspect.subject
    if aspect.aspect_type == "definition":
        phrase = _FIELD.split(phrase)[0]
    if multi_word and aspect.aspect_type != "entity" and not _has_phrase(phrase, passage):
        gate *= 0.7
    return gate * (_OTHER if is_of_another(aspect.subject, passage.title) else 1.0)


@lru_cache(maxsize=1 << 13)
def is_of_another(subject: str, text: str) -> bool:
    """Whether a title or a sentence speaks only of what ends in the subject: "Adaptive-RAG" is not RAG."""
    named = rf"{re.escape(fold(subject))}\b"
    folded = fold(text)
    if not subject or re.search(rf"\w-{named}", folded) is None:
        return False
    return re.search(rf"(?<![\w-]){named}", folded) is None


def _has_phrase(subject: str, passage: Passage) -> bool:
    """Whether the subject's words stand side by side somewhere, in order, in any inflection."""
    wanted = tuple(tokens(subject))
    for text in (passage.title, passage.text):
        terms = _token_list(text)
        starts = (at for at, term in enumerate(terms) if term == wanted[0]) if wanted else ()
        if any(terms[at : at + len(wanted)] == wanted for at in starts):
            return True
    return False


@lru_cache(maxsize=1 << 14)
def _token_list(text: str) -> tuple[str, ...]:
    return tuple(tokens(text))


def _words(aspect: QueryAspect, passage: Passage, sentence: Sentence) -> tuple[str, ...]:
    """The words of the sentence that made the match, as they stand."""
    wanted = terms_of(" ".join((*aspect.keywords, aspect.subject))) | cues_of(aspect)
    text = passage.text[sentence.start : sentence.end]
    results = (word.strip(".,;:()\"'“”’") for word in text.split())
    return tuple(dict.fromkeys(w for w in results if not wanted.isdisjoint(terms_of(w))))
