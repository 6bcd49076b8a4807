"""What a set of passages looks like as evidence: shares and counts that mean the same in every corpus.

Nothing here is learned, and nothing depends on which ranker is at work but the shape of its scores.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from adaq_core.matching.answer_shapes import SUPERLATIVE
from adaq_core.matching.lexicon import is_common_word, same_sense
from adaq_core.model import AspectCoverage, Passage, RankedPassage
from adaq_core.question.parse import parse
from adaq_core.ranking.features import Candidates
from adaq_core.ranking.learned import family_for
from adaq_core.ranking.scoring import CLAUSE_POWER
from adaq_core.ranking.signals import Signals
from adaq_core.retrieval import DAY, Floats
from adaq_core.retrieval.lexical import K1, idf
from adaq_core.text.entities import COUNTRY_OF, Name, countries_in, names, without_country
from adaq_core.text.tokens import terms_of, tokens
from adaq_core.text.values import MONTH_NAMES

Bools = NDArray[np.bool_]

SCORES = 10  # of the first passages
MOST_SOURCES = 2  # that count as absent
MOST_NAMES = 2  # that count as unheard
# "On the moon", "of ethanol"; a verb or what only describes a thing may be said otherwise.
_THING = re.compile(r"\b(?:the|an?|of|on|in|at|for) ([a-z]{4,30})(?=\W*$| (?:of|in|on|at|for|and|or|that|which)\b)")
_MOST = re.compile(SUPERLATIVE)
_NAMED = ("name", "acronym", "quoted")
_ORDERS = frozenset(("analyse", "analyze", "compare", "contrast", "define", "describe", "discuss", "explain", "give"))
_ORDERS |= {"list", "name", "outline", "show", "summarise", "summarize", "tell"}
_FULL = 0.99  # of the weight of the terms asked for
_TAIL = 30  # rank whose score is held against the first one's
_CROWDED = 1.5  # documents that a passage names, on average: an encyclopedia
_FIRST_PERSON = re.compile(r"\b(?:[Ww]e|[Oo]ur|us|I|[Mm]y|me|[Tt]he (?:[Cc]ompany|[Ff]irm))\b")
# What somebody is quoted to say: "we" there is not the voice of the passage.
_SPOKEN = re.compile(r"“[^”]{1,1200}(?:”|$)|(?<!\w)\"[^\"]{1,1200}(?:\"|$)|(?<!\w)‘[^’]{1,400}’(?!\w)")


@lru_cache(maxsize=1 << 10)
def _speaks_itself(text: str) -> bool:
    """Whether a passage speaks in the first person outside of quotes."""
    return _FIRST_PERSON.search(_SPOKEN.sub(" ", text)) is not None


_OFFICE = re.compile(r"(?:[Cc]hief \w+(?: [Oo]fficer)?|C[A-Z]O|[Pp]resident|[Cc]hair(?:man)?) (?:of|at) ")
_HEAD = re.compile(r"([A-Z][a-z]+) of (?:the )?(?=[A-Z0-9])")
_INITIALS = re.compile(r"\b(?:[A-Z]\.){2,}")
_OWNER = re.compile(r"['’]s (?=[A-Z0-9])")
_NO_NAME = re.compile(
    rf"(?i)(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|{MONTH_NAMES}|(?:FY|CY|Q[1-4]|H[12])\s?\d*|USD|EUR|GBP|USA?|U\.S\.A?\.?|UK|U\.K\.|EU|(?:CEO|CFO|COO|CTO)s?|P&L|M&A"
)


class EvidenceFeatures:
    """The question's side, worked out once in a run; `of_set` holds a set of passages against it.

    `facts` says that the passages' scores are those of the pool for looked-up facts, `filing` that they are chosen
    from the reports of a company that the question names.
    """

    def __init__(self, signals: Signals, *, facts: bool, filing: bool = False) -> None:
        self._signals = signals
        self._facts = facts
        self._filing = filing
        self._reading = signals.reading
        self._known: Bools = self._reading.idf > 0
        rarest = idf(signals.index.size, 0)
        self._weights: Floats = np.where(self._known, self._reading.idf, rarest).astype(np.float32)
        self._place = {term: number for number, term in enumerate(self._reading.terms)}
        self._held: dict[int, Bools] = {}

    def of_set(self, ranked: Sequence[RankedPassage], coverage: AspectCoverage, *, k: int) -> dict[str, float]:
        """The features of the first `k` of `ranked` by name; the scores of the first ten show where the set ends."""
        positions = self._positions(ranked[:k])
        covered: Bools = np.any(self._terms_held(positions), axis=0)
        core = [coverage.score(a) for a in coverage.aspects if a.is_core]
        return {
            **self._of_question,
            **self._shape(ranked),
            "met_known": _share(self._weights * self._known, covered),
            "core_weakest": min(core, default=1.0),
            **(voices := self._voices(positions)),
            **self._names_met(positions, voices["bound"]),
            **self._demands_met(positions),
            "rest_best": self._rest_best(positions),
            "walk_mean": self._walk_mean(positions),
            "agreed": self._agreed(positions),
        }

    def missing(self, ranked: Sequence[RankedPassage], *, k: int) -> tuple[str, ...]:
        """What the question names and the first `k` of `ranked` do not have, in words."""
        positions = self._positions(ranked[:k])
        reasons = [f"the corpus has nothing from “{name.text}”" for name in self._absent]
        sources = {name.text for name in self._absent}
        unheard = [name.text for (name, _), nowhere in zip(self._named, self._unheard, strict=True) if nowhere]
        for (name, mask), nowhere in zip(self._named, self._unheard, strict=True):
            if nowhere and any(name.text != other and name.text in other for other in unheard):
                continue  # the longer name says it
            if name.text not in sources and nowhere:
                reasons.append(f"no passage of the corpus names “{name.text}”")
            elif name.text not in sources and not self._is_named(name, mask, positions):
                reasons.append(f"no passage found names “{name.text}”")
        reasons = reasons or self._untitled([each.passage for each in ranked[:k]])
        facets = self._signals.index.facets
        reasons += [f"nothing was found for “{facets.values[facet][code]}”" for facet, code in self._unmet(positions)]
        return tuple(dict.fromkeys(reasons))

    def unsaid(self) -> tuple[str, ...]:
        """What a question without names is about, and no passage of the corpus says in any word of that sense."""
        holds = self._signals.index.any_holds
        things = _THING.findall(self._reading.text) if not self._named else []
        reasons = []
        for thing in things:
            forms = [form for term in terms_of(thing) for form in same_sense(term)]
            if _MOST.fullmatch(thing):
                continue  # which is the oldest is found by comparing
            if forms and not any(map(holds, map(sorted, forms))):
                reasons.append(f"no passage of the corpus says “{thing}”")
        return tuple(reasons)

    def _untitled(self, passages: Sequence[Passage]) -> list[str]:
        """The names that passages hold and no title is, nor a part of one, where titles are names."""
        if not self._is_titled:
            return []
        titled = [link.span for link in self._signals.reading.links]
        heads = [terms_of(passage.title) for passage in passages]
        named = [name for name, _ in self._named if not any(terms_of(name.text) <= head for head in heads)]
        bare = [name for name in named if not any(s < name.end and name.start < e for s, e in titled)]
        text = self._reading.text  # "(film)" behind a name says which of that name, and names nothing
        return [f"no document is about “{name.text}”" for name in bare if text[name.start - 1 : name.start] != "("]

    @cached_property
    def _of_question(self) -> dict[str, float]:
        """What does not change during a run."""
        signals, reading = self._signals, self._reading
        top = signals.bm25.of(signals.bm25.best(_TAIL))
        return {
            "terms": float(len(reading.terms)),
            "unheard": float(sum(self._unheard)),
            "named_titles": min(sum({link.key: link.weight for link in reading.links}.values()), 1.0),
            "asks_values": float(any(facet != "source" for facet, _ in reading.demands)),
            "sources_absent": float(min(len(self._absent), MOST_SOURCES)),
            "clause_peak": self._clause_peak(),
            "tail": float(top[_TAIL - 1] / top[0]) if len(top) == _TAIL else 0.0,
            "titled": float(self._is_titled),
            "filing": float(self._filing),
            "name_weight": self._name_weight(),
        }

    @cached_property
    def _is_titled(self) -> bool:
        """Whether documents are short and titled by the things that others name: an encyclopedia."""
        return family_for(self._signals.index, self._reading.text) == "linked"

    def _name_weight(self) -> float:
        """The share of the question, by rarity, that is names: the more, the less is said in other words."""
        named = np.zeros(len(self._weights), dtype=np.bool_)
        for _, mask in self._named:
            named |= mask
        return _share(self._weights, named)

    def _agreed(self, positions: Sequence[int]) -> float:
        """The share of the set that stands as high in a search by nothing but the question's words."""
        if not positions:
            return 0.0
        first = self._signals.bm25.best(len(positions))
        both = set(first.tolist()).intersection(positions)
        return len(both) / len(positions)

    def _walk_mean(self, positions: Sequence[int]) -> float:
        """The mean PageRank of the set as a share of its highest: low where one passage is what the question means."""
        if not self._is_titled or not positions:
            return 1.0
        ranks = self._signals.page_rank.of(np.array(positions, dtype=np.int64))
        return float(ranks.mean() / max(float(ranks.max()), 1e-9))

    def _clause_peak(self) -> float:
        """BM25 of each clause's best passage against what the clause's words can bring at most; the mean."""
        peaks = [
            scores.top / max((K1 + 1) * float(self._weights @ self._mask(clause.terms)), 1e-9)
            for clause, scores in zip(self._reading.clauses, self._signals.clause_bm25, strict=True)
        ]
        return sum(peaks) / max(len(peaks), 1)

    def _shape(self, ranked: Sequence[RankedPassage]) -> dict[str, float]:
        """How the scores fall off; clause scores lie close together and are spread out as selection spreads them."""
        index = self._signals.index
        scores = np.zeros(SCORES)
        scores[: min(SCORES, len(ranked))] = [each.score for each in ranked[:SCORES]]
        plain = scores / max(float(scores[0]), 1e-9)
        sharpened = plain ** (CLAUSE_POWER if self._facts and not index.is_linked else 1)
        inside = float(sharpened[:3].sum() + 2 * sharpened[4])
        beyond = 2.5 * float(sharpened[5] + sharpened[9])
        return {
            "inside": inside / max(inside + beyond, 1e-9),
            "second": float(plain[1]),
            "fifth": float(sharpened[4]),
            "tenth": float(sharpened[9]),
            "crowded": float(index.link_density > _CROWDED),
            "facts": float(self._facts),
        }

    def _voices(self, positions: Sequence[int]) -> dict[str, float]:
        """How far the passages name what they speak of: an untitled file or a speech need not name its subject.

        `entitled` is the share of passages that say a word of their title, `bound` that times the share that speaks
        in the third person.
        """
        passages = self._signals.index.fetch(positions)
        count = max(len(passages), 1)
        entitled = sum(not terms_of(p.title).isdisjoint(terms_of(p.text)) for p in passages) / count
        # Of a corpus whose documents say where they were published, it is known who says "we".
        judged = () if self._signals.index.of_dated_sources else passages
        speaking = sum(_speaks_itself(p.text) for p in judged) / count
        return {"entitled": entitled, "bound": entitled * (1 - speaking)}

    def _names_met(self, positions: Sequence[int], bound: float) -> dict[str, float]:
        """Which names the set holds; a missing one counts as far as the passages are bound to name things."""
        met = [self._is_named(name, mask, positions) for name, mask in self._named]
        share = sum(met) / len(met) if met else 1.0
        return {
            "names_met": share,
            "unheard_bound": min(sum(self._unheard), MOST_NAMES) * bound,
            "names_bound": 1 - (1 - share) * bound,
        }

    def _rest_best(self, positions: Sequence[int]) -> float:
        """How much of the question beside the names that are nowhere one passage of the set holds."""
        nowhere = np.zeros(len(self._weights), dtype=np.bool_)
        for (_, mask), unheard in zip(self._named, self._unheard, strict=True):
            nowhere |= mask if unheard else False
        rest = self._weights * ~nowhere
        return max((_share(rest, row) for row in self._terms_held(positions)), default=0.0)

    def _is_named(self, name: Name, mask: Bools, positions: Sequence[int]) -> bool:
        """Whether one passage holds a whole name, or a country in another form: “US” for the United States."""
        if self._in_one(mask, positions):
            return True
        asked = COUNTRY_OF.get(name.text)
        if asked is None:
            return False
        told = " ".join(passage.text for passage in self._signals.index.fetch(positions))
        return any(country == asked for country, _, _ in countries_in(told))

    def _in_one(self, mask: Bools, positions: Sequence[int]) -> bool:
        """Whether one passage holds a whole name."""
        return any(_share(self._weights * mask, row) > _FULL for row in self._terms_held(positions))

    def _demands_met(self, positions: Sequence[int]) -> dict[str, float]:
        index, documents = self._signals.index, self._signals.documents(positions)
        source = index.codes_of("source", documents)
        day = index.codes_of(DAY, documents)
        pairs = [pair for clause in self._reading.clauses for pair in clause.pairs]
        met = []
        for wanted_source, wanted_day in pairs:
            fits = (source == wanted_source) | (wanted_source < 0)
            fits &= (day == wanted_day) | (wanted_day < 0)
            met.append(bool(fits.any()))
        return {
            "demands_unmet": float(len(self._unmet(positions))),
            "reports_met": sum(met) / len(met) if met else 1.0,
        }

    def _unmet(self, positions: Sequence[int]) -> list[tuple[str, int]]:
        index, documents = self._signals.index, self._signals.documents(positions)
        demands = self._reading.demands
        return [(facet, code) for facet, code in demands if code not in index.codes_of(facet, documents)]

    @cached_property
    def _named(self) -> list[tuple[Name, Bools]]:
        """The names in the question with their terms."""
        said = [part for name in names(self._reading.text) for part in _as_called(name)]
        named = [name for name in said if name.kind in _NAMED]
        pieces = [self._without_head(_bare(part)) for name in named for part in _owner_and_owned(name)]
        masked = []
        for name in pieces:
            if name is None or _NO_NAME.fullmatch(name.text) or self._is_said_in_words(name):
                continue
            mask = self._mask(self._terms_of(name.text))
            if mask.any():
                masked.append((name, mask))
        return masked

    def _without_head(self, name: Name | None) -> Name | None:
        """BM25 of "Inventor of BM25" in front of a question; the whole where a passage holds it: "Bank of America"."""
        if name is None or name.start > 0 or name.kind == "quoted":
            return name
        head = _HEAD.match(name.text)
        if head is None or not is_common_word(head[1]) or self._is_written(self._terms_of(name.text)):
            return name
        return replace(name, text=name.text[head.end() :], start=head.end())

    def _terms_of(self, name: str) -> list[str]:
        """The terms of a name; those without its initials where the corpus has these apart: "D. P." for "D.P."."""
        own, apart = tokens(name), tokens(_INITIALS.sub(lambda letters: " ".join(letters[0]), name))
        is_apart = own != apart and not self._signals.index.any_holds(own) and self._signals.index.any_holds(apart)
        return tokens(_INITIALS.sub("", name)) if is_apart else own

    def _is_said_in_words(self, name: Name) -> bool:
        """Whether capitals stand for common words that passages say instead: an IPO, "first shares"."""
        index, own = self._signals.index, tokens(name.text)
        if not name.text.isupper() or len(own) != 1 or index.any_holds(own):
            return False
        return any(index.any_holds(sorted(form)) for form in same_sense(own[0]) if len(form) > 1)

    @cached_property
    def _unheard(self) -> list[bool]:
        """Which names no passage of the corpus holds in full."""
        terms = self._reading.terms
        terms_of_names = [[terms[number] for number in np.flatnonzero(mask)] for _, mask in self._named]
        self._signals.index.expect_together(terms_of_names)
        nowhere = []
        for of_name, (name, _) in zip(terms_of_names, self._named, strict=True):
            is_there = self._is_written(of_name) or self._is_country(name)
            nowhere.append(not is_there)
        return nowhere

    def _is_country(self, name: Name) -> bool:
        """Whether a name is a country that the corpus writes in another form."""
        asked, holds = COUNTRY_OF.get(name.text), self._signals.index.any_holds
        forms = [form for form, country in COUNTRY_OF.items() if country == asked]
        return any(map(holds, map(tokens, forms)))

    def _is_written(self, terms: list[str]) -> bool:
        """Whether a passage holds all terms of a name, or another form of a name of one term: American for US."""
        index = self._signals.index
        forms = same_sense(terms[0]) if len(terms) == 1 else ()
        return index.any_holds(terms) or any(index.any_holds(sorted(form)) for form in forms)

    @cached_property
    def _absent(self) -> list[Name]:
        """The publications that the question asks for and a corpus of dated sources does not have."""
        index = self._signals.index
        if not index.of_dated_sources:
            return []
        known = [frozenset(tokens(value)) for value in index.facets.values["source"]]
        asked = [c for c in parse(self._reading.text).conditions if c.kind == "source"]
        named = [Name(c.text, *c.span) for c in asked if c.span]
        return [name for name in named if _is_none(frozenset(tokens(name.text)), known)]

    def _mask(self, terms: Sequence[str]) -> Bools:
        results = np.zeros(len(self._weights), dtype=np.bool_)
        results[[self._place[term] for term in terms if term in self._place]] = True
        return results

    def _positions(self, ranked: Sequence[RankedPassage]) -> list[int]:
        return [self._signals.index.position(each.passage.passage_id) for each in ranked]

    def _terms_held(self, positions: Sequence[int]) -> Bools:
        """[passages x terms]: which terms of the question, or words kin to them, each passage holds."""
        new = [position for position in positions if position not in self._held]
        if new:
            pool = Candidates(self._signals, new)
            self._held.update(zip(new, pool.unit | pool.kin_unit, strict=True))
        rows = [self._held[position] for position in positions]
        if rows:
            return np.stack(rows)
        return np.zeros((0, len(self._weights)), dtype=np.bool_)


def _as_called(name: Name) -> list[Name]:
    """What a name calls something by; of words in quotes that are no title the names among them.

    “India national cricket team” is of India; “recent developments” and a time of publication name nothing.
    """
    words = _QUOTED_WORD.findall(name.text)
    if name.kind != "quoted" or all(map(_is_large, words)):
        return [name]
    inside = []
    for each in names(name.text):
        start = name.start + each.start
        inside.append(replace(each, start=start, end=start + len(each.text)))
    return inside


def _is_large(word: str) -> bool:
    return word[:1].isupper()


_QUOTED_WORD = re.compile(r"[^\W_][\w’'-]{3,}")


def _owner_and_owned(name: Name) -> list[Name]:
    """The two names of "Intel's Tower", which no passage need say in one place."""
    joint = _OWNER.search(name.text)
    if joint is None:
        return [name]
    owner = replace(name, text=name.text[: joint.start()], end=name.start + joint.start())
    return [owner, replace(name, text=name.text[joint.end() :], start=name.start + joint.end())]


def _bare(name: Name) -> Name | None:
    """A name without the order or the office in front of it: "Compare", "CFO of"; None where that is all of it."""
    name = replace(name, text=without_country(name.text))
    office = _OFFICE.match(name.text)
    if office is not None:
        name = replace(name, text=name.text[office.end() :], start=name.start + office.end())
    first, _, rest = name.text.partition(" ")
    if name.start > 0 or name.kind == "quoted" or (rest and first.lower() not in _ORDERS):
        return name
    if rest:
        return replace(name, text=rest, start=len(first) + 1)
    return None


def _share(weights: Floats, mask: Bools) -> float:
    return float(weights[mask].sum() / max(float(weights.sum()), 1e-9))


def _is_none(name: frozenset[str], known: Sequence[frozenset[str]]) -> bool:
    return bool(name) and not any(name <= each or each <= name for each in known if each)
