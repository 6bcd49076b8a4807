"""Things of one kind that the documents of a corpus are about, each asked the same: "which companies had strikes?".

A thing is what titles are, or begin with before a colon ("Tesla: regulatory risk"); its kind is what its documents say
that it is ("Tesla is an American maker of electric cars"). The documents of each thing are read by themselves, so that
one that says much does not hide the others, and what is told of each is a sentence.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

import numpy as np

from adaq_core.answers.aspect_scores import says_little
from adaq_core.answers.evidence_sentences import sentences_of
from adaq_core.answers.polarity import stance_of
from adaq_core.filings.statement_figures import EACH, Figure, Operand
from adaq_core.matching.answer_shapes import SUPERLATIVE
from adaq_core.model import Finding, Passage, QueryAspect
from adaq_core.question.answer_kinds import IMPERATIVES
from adaq_core.question.aspect_patterns import content
from adaq_core.question.aspects import Plan
from adaq_core.retrieval import Corpus
from adaq_core.stages.read import read, says_otherwise
from adaq_core.text.entities import terms_of_names
from adaq_core.text.passages import subject_of
from adaq_core.text.tokens import Weigh, stem, terms_of

_MOST_DOCUMENTS = 5_000
_FEWEST, _MOST = 3, 25  # things of a kind
_FEWEST_TOLD = 2  # of them, where the question may mean others
_DEEP = 30  # passages that the search for a thing brings, of all things
_CERTAIN = 0.8  # the score of a sentence that says so: those that say half of it have .6
_ASKS = re.compile(
    r"(?:which|what) (?P<of>(?:ones )?of (?:all )?(?:the|these|those|our|my) )?(?:\w{1,9} )??"
    r"(?P<kind>[a-z]{2,20}(?:ies|[^s\s]s)) (?P<deed>\w.{2,200})$",
    re.IGNORECASE,
)
_CHOOSES = re.compile(
    rf"\b(?:most|least|best|worst|first|last|more|less|never|not|no|only|both|neither|{SUPERLATIVE})\b", re.IGNORECASE
)
_FIRMS = frozenset(map(stem, ("company", "firm", "business", "corporation", "maker", "manufacturer", "bank")))
_SAYS_WHAT = r"(?:is|was|are|were) (?:an?|the|one of) (?P<what>[^.,;:\n]{3,80})"


@dataclass(frozen=True, slots=True)
class AskedOfEach:
    """What a question asks of each thing of a kind: "had strikes", of the eight companies.

    `is_chosen` where it asks which of them do so, `of_all` where it means no others than these.
    """

    kind: str
    things: tuple[str, ...]
    deed: str
    aspect: QueryAspect
    of_all: bool
    is_chosen: bool = False

    def told(self, corpus: Corpus, weigh: Weigh, *, most: int) -> Figure | None:
        """The things of which it is said, each with its sentence, of up to `most` passages; None of too few.

        Where some are said to do it in the question's own word, those said to do the like are others; of "a single
        person" nothing is said by what is like one of the two words.
        """
        telling, words = self._telling(corpus), self._words
        found = [(thing, best) for thing in self.things if (best := self._best(thing, corpus, weigh, telling))]
        literal = [(thing, best) for thing, best in found if not telling.isdisjoint(terms_of(best.quote))]
        found = literal[:most] if literal or max(map(len, words)) > 1 else found[:most]
        if len(found) < (1 if self.of_all else _FEWEST_TOLD):
            return None
        operands = tuple(
            Operand(self.deed, 0, thing, best.score, "text", "", best.passage_id, best.quote) for thing, best in found
        )
        names = ", ".join(thing for thing, _ in found)
        return Figure(names, float(len(found)), EACH, f"the {len(self.things)} {self.kind} of the corpus", operands)

    @property
    def _deeds(self) -> list[str]:
        """What is asked, by alternatives: "invest in A" and "invest in B" for "invest in A or B"."""
        first, *others = self.deed.split(" or ")
        shared = first[: first.rfind(" ") + 1]
        return [first, *(f"{shared}{each}" for each in others)]

    @property
    def _words(self) -> list[frozenset[str]]:
        """What is asked by alternatives, but the verb and the kind itself: "tariff" of "suffered from tariffs"."""
        said = (content(deed) for deed in self._deeds)
        return [terms_of(" ".join(each[1:])) - {stem(self.kind)} or terms_of(" ".join(each)) for each in said]

    def _telling(self, corpus: Corpus) -> frozenset[str]:
        """The rarest term of each alternative."""
        rare = (max(words, key=lambda term: corpus.term_idf(term) or np.inf, default="") for words in self._words)
        return frozenset(rare)

    def _best(self, thing: str, corpus: Corpus, weigh: Weigh, telling: frozenset[str]) -> Finding | None:
        """The sentence of the documents of a thing that says for certain what is asked; None without one."""
        aspects = [self._of_thing(thing, deed) for deed in self._deeds]
        hits = corpus.search(f"{thing} {self.deed}", top_k=_DEEP)
        own = [hit.passage for hit in hits if _thing_of(hit.passage) == thing]
        sentences = [sentence for passage in own for sentence in sentences_of(passage, 0)]
        left = {sentence.text for sentence in sentences if sentence.hangs or says_little(sentence)}
        alone = [replace(each.passage, text=each.text) for each in sentences if not telling.isdisjoint(each.terms)]
        found = read(aspects, [(one, 1.0) for one in (*alone, *own)], weigh=weigh)
        found = [each for each in found if each.score >= _CERTAIN and each.quote not in left]
        told = filter(self._is_said, found)
        words = terms_of(self.deed)

        def literally(finding: Finding) -> tuple[bool, int, float]:
            terms = terms_of(finding.quote)
            return not telling.isdisjoint(terms), len(words & terms), finding.score

        return max(told, key=literally, default=None)

    def _of_thing(self, thing: str, deed: str) -> QueryAspect:
        """Whether one thing does it, as an aspect."""
        keywords = (*content(thing), *content(deed))
        asked = f"{thing}: {deed}"
        kind = "yes_no" if self.is_chosen else self.aspect.answer_kind
        return replace(self.aspect, aspect=asked, keywords=keywords, subject="", answer_kind=kind)

    def _is_said(self, finding: Finding) -> bool:
        """Whether a sentence says so with the names and at the times that are asked for, and does not deny it."""
        deed = finding.aspect.partition(": ")[2]
        is_named = terms_of_names(f"Is {deed}") <= terms_of(finding.quote)
        stance = stance_of(finding.aspect, finding.quote, terms_of(deed))
        denied = stance is not None and not stance.yes
        return is_named and not denied and not says_otherwise(finding.aspect, finding.quote)


_OF_EACH = re.compile(
    r"(?:(?:for|to|of|on|at|in|against|facing) )?(?:(?:each|every one|all) of (?:the|these|those|our) (?:\w{1,9} )??"
    r"|all (?:(?:the|these|those|our) )?(?:\w{1,9} )??|the (?:two|three|four|five|six|seven|eight|nine|ten|\d{1,2}) "
    r"|(?:each|every) )"
    r"(?P<kind>[a-z]{3,20})\b",
    re.IGNORECASE,
)


def asked_of_each(aspects: Sequence[QueryAspect], corpus: Corpus) -> AskedOfEach | None:
    """What a question of one aspect asks of each thing of a kind; None where it asks no such thing.

    Who names one of the things asks for others ("which companies compete with Pfizer?"), as does who chooses one.
    """
    if len(aspects) != 1 or corpus.documents > _MOST_DOCUMENTS:
        return None
    text = aspects[0].aspect.strip(" ?.")
    which, each = _ASKS.match(text), _OF_EACH.search(text)
    if which and not _CHOOSES.search(which["deed"]):
        kind, deed, of_all = which["kind"], which["deed"], which["of"] is not None
    elif each:
        rest = content(f"{text[: each.start()]} {text[each.end() :]}")
        kind, deed, of_all = each["kind"], " ".join(word for word in rest if word not in IMPERATIVES), True
    else:
        return None
    things = _of_kind(kind, corpus)
    if not deed or not things or any(terms_of(name) <= terms_of(deed) for name in things):
        return None
    return AskedOfEach(kind.lower(), things, deed, aspects[0], of_all, which is not None)


def one_of_each(made: Plan, question: str, corpus: Corpus) -> Plan:
    """A plan whose subject is "each of the eight companies", as one aspect; any other as it is."""
    subjects = {aspect.subject for aspect in made.aspects}
    each = _OF_EACH.fullmatch(subjects.pop()) if len(subjects) == 1 else None
    if each is None or not _of_kind(each["kind"], corpus):
        return made
    whole = QueryAspect(question.strip(" ?."), "entity", 1.0, content(question), (0, len(question)), answer_kind="list")
    return Plan((whole,), notes=made.notes)


def _of_kind(kind: str, corpus: Corpus) -> tuple[str, ...]:
    """The things of a kind that the documents are about; empty where they are too few or too many to be asked each."""
    one = stem(kind.lower())
    kinds = _FIRMS if one in _FIRMS else {one}
    things = tuple(name for name, own in _things_of(corpus).items() if not own.isdisjoint(kinds))
    return things if _FEWEST <= len(things) <= _MOST else ()


def _thing_of(passage: Passage) -> str:
    return subject_of(passage) or passage.title


def _things_of(corpus: Corpus) -> dict[str, frozenset[str]]:
    """The things that documents are about and the terms of what they are said to be, read once."""
    if corpus not in _THINGS:
        _THINGS[corpus] = _things(corpus.fetch(corpus.firsts_of(np.arange(corpus.documents))))
    return _THINGS[corpus]


_THINGS: WeakKeyDictionary[object, dict[str, frozenset[str]]] = WeakKeyDictionary()


def _things(firsts: Sequence[Passage]) -> dict[str, frozenset[str]]:
    """Of things that several documents each are about, all are firms where half are said to be."""
    told = dict.fromkeys(map(_thing_of, firsts), frozenset[str]())
    for passage in firsts:
        told[_thing_of(passage)] |= terms_of(" ".join(_said_to_be(_thing_of(passage), passage.text)))
    count = Counter(map(subject_of, firsts))
    alike = [name for name in told if count[name] >= _FEWEST]
    if sum(not told[name].isdisjoint(_FIRMS) for name in alike) * 2 >= len(alike):
        told |= {name: told[name] | _FIRMS for name in alike}
    return told


def _said_to_be(name: str, text: str) -> Iterator[str]:
    """What a sentence that begins with a name says that it is: "an American maker of electric cars"."""
    for match in re.finditer(rf"(?:^|[.\n]\s|\bThe ){re.escape(name)} {_SAYS_WHAT}", text):
        yield match["what"]
