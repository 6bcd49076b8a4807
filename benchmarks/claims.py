"""Is what a text says affirmed, and what it does not say left open? `python -m benchmarks.claims [SET ...]`.

Of sentences of a corpus questions are made whose answer is known: what is said ("Was A sold to B?": Yes), what is
denied (No), and what nobody says, where a year, a name, the one it is told of, the deed or a word for the other end is
another, or a year or a place is added. A yes to these is wrong, but for the few that are true by chance. A second table
asks plain facts in other words than their sentence has: a life in brackets, who did what was done, the last of places.
Needs no judgments and no reading; words only, no model. `--most N` sentences of a set (60), the same in each run.
"""

from __future__ import annotations

import argparse
import logging
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from adaq_core.datasets.beir import load_set
from adaq_core.evaluation.variants import ensure_index
from adaq_core.matching.lexicon import extremes
from adaq_core.model import Passage
from adaq_core.retrieval.index import DocumentRetriever, PassageIndex
from adaq_core.text.passages import sentence_texts
from adaq_core.text.tokens import words
from benchmarks.cloze import BASE, Cloze, made_from
from benchmarks.exams import stated

SETS = (
    "hotpotqa-300",
    "2wiki-union",
    "musique-499",
    "multihop-rag",
    "mrag-aspects",
    "mtrag",
    "chunkeval",
    "qmsum",
    "exam",
)
_NAME = r"(?:The )?[A-Z][\w’'&.-]{1,30}(?: (?:of |the |de |van )?[A-Z\d][\w’'&.-]{0,30}){0,5}"
_PLAIN = r"[a-z][^.;:?!\"“”()]{12,220}"
_IS = re.compile(
    rf"(?P<who>{_NAME}(?: [a-z]{{2,20}}){{0,3}}) (?P<how>is|was|were|are|will|can)(?P<no> not)? (?P<rest>{_PLAIN})\.?$"
)
_DID = re.compile(
    rf"(?P<who>{_NAME}) (?P<how>[a-z]{{3,12}}ed|bought|sold|built|won|lost|wrote|took|led) (?P<rest>{_PLAIN})\.?$"
)
_CUT = re.compile(r",| (?:which|who|that|but|while|when|where|although|because|after|before|whose) ")
_LEANS = re.compile(
    r"(?i)\b(?:its?|his|her|their|they|he|she|we|our|this|these|those|such|there|also|never|no|however|now|latter)\b"
)
_DANGLES = re.compile(r"\b(?:and|or|of|the|an?|in|on|to|by|for|with|from|at|is|was|as)$")
_OPENERS = re.compile(
    r"(?:In|On|At|By|For|From|After|Before|While|When|If|As|It|Each|All|Some|Many|Most|Only|One|Both|Because|Although|To"
    r"|With|Today|What|How|You|I|No)\b"
)
_YEAR = re.compile(r"\b(?:1[89]\d\d|20[0-2]\d)\b")
_NAMED = re.compile(rf"(?<=\bin ){_NAME}|(?<=\bby ){_NAME}|(?<=\bfrom ){_NAME}|(?<=\bwith ){_NAME}")
LEAST, MOST = 4, 16  # words of what is asked


class Claim(NamedTuple):
    """What a sentence says: of `who`, by `verb`, the `rest`; `how` is the word that asks for it."""

    passage: Passage
    who: str
    how: str
    verb: str
    rest: str
    denied: bool

    def asked(self, *, who: str = "", verb: str = "", rest: str = "") -> str:
        """The question whether it is so, with other words for some of it."""
        who = who or self.who
        who = who[0].lower() + who[1:] if who.startswith("The ") else who
        return " ".join(filter(None, (self.how, who, verb or self.verb, rest or self.rest))) + "?"


def claims(passages: Sequence[Passage]) -> Iterator[Claim]:
    """What the plain sentences of passages say."""
    known = Counter(word for passage in passages for word in words(passage.text))
    for passage in passages:
        for text in sentence_texts(passage.text):
            said = _IS.match(text) or _DID.match(text)
            if said is None or _OPENERS.match(text) or _LEANS.search(said["who"]):
                continue
            rest = _first_part(said["rest"])
            if _LEANS.search(rest) or _DANGLES.search(rest) or not LEAST <= len(rest.split()) <= MOST:
                continue
            if said.re is _IS:
                yield Claim(passage, said["who"], said["how"].capitalize(), "", rest, said["no"] is not None)
            else:
                yield Claim(passage, said["who"], "Did", _base(said["how"], known), rest, denied=False)


def _first_part(rest: str) -> str:
    cuts = (cut.start() for cut in _CUT.finditer(rest) if len(rest[: cut.start()].split()) >= LEAST)
    return rest[: next(cuts, len(rest))].strip()


def _base(verb: str, known: Counter[str]) -> str:
    """The form of a verb that the texts say most often."""
    doubled = [verb[:-3]] if len(verb) > LEAST and verb[-3] == verb[-4] else []
    forms = [verb[:-3] + "y"] if verb.endswith("ied") else [verb[:-1], verb[:-2], *doubled]
    return BASE.get(verb) or max(forms, key=lambda form: known[form])


def turned(claim: Claim, others: Sequence[Claim], chance: random.Random) -> Iterator[tuple[str, str]]:
    """Questions for what the sentence does not say, with what they differ in."""
    text = claim.passage.text
    ends = {word: min(other) for word, (_, other) in extremes().items()}
    strange = [each for each in chance.sample(others, min(len(others), 40)) if each.who not in text]
    alike = [each for each in strange if each.how == claim.how and bool(each.verb) == bool(claim.verb)]
    places = [name for each in strange for name in _NAMED.findall(each.rest) if name not in text]
    if year := _YEAR.search(claim.rest):
        yield "another year", claim.asked(rest=claim.rest.replace(year[0], str(int(year[0]) - 3)))
    elif not re.search(r"\d", claim.rest):
        yield "a year more", claim.asked(rest=f"{claim.rest} in {chance.randint(1950, 2020)}")
    if places and (named := _NAMED.search(claim.rest)):
        yield "another name", claim.asked(rest=claim.rest.replace(named[0], places[0]))
    elif places:
        yield "a place more", claim.asked(rest=f"{claim.rest} in {places[0]}")
    if alike:
        yield "of another", claim.asked(who=alike[0].who)
    verbs = [each.verb for each in alike if each.verb and each.verb not in text]
    if verbs:
        yield "another deed", claim.asked(verb=verbs[0])
    if word := next((word for word in words(claim.rest) if word in ends), ""):
        yield "the other end", claim.asked(rest=re.sub(rf"\b{word}\b", ends[word], claim.rest, count=1))
    if re.match(r"an? ", claim.rest):
        yield "the only one", claim.asked(rest=re.sub(r"an? ", "the only ", claim.rest, count=1))


_TURNED_YEARS = 3
_FACTS_OF_A_FORM = 12


def in_other_words(fact: Cloze, chance: random.Random) -> Iterator[tuple[str, str]]:
    """Questions for yes or no that a plain fact answers, with what it says: "Yes", "No", or "–" where nothing."""
    asks = _ASKS_FOR.sub("", fact.first).rstrip("?")
    asks = asks[0].upper() + asks[1:]
    who = re.split(r",? and |, ", fact.gold)[0]
    place = fact.gold.split(", ")[-1]
    if year := _YEAR.search(fact.gold):
        asks = f"Did {fact.subject} die" if fact.form == "when died" else asks
        yield "Yes", f"{asks} in {year[0]}?"
        yield "No", f"{asks} in {int(year[0]) - _TURNED_YEARS}?"
    elif fact.form in ("by whom", "a thing by whom"):
        yield "Yes", f"Did {who} {BASE.get(fact.deed, fact.deed)} {fact.subject}?"
        yield "Yes", f"Was {fact.subject} {fact.deed} by {who}?"
    elif fact.form in ("where is", "where done"):
        yield "Yes", f"{asks} in {place}?"
        yield "–", f"{asks} in {chance.choice(('Portugal', 'Chile', 'Norway', 'Kenya'))}?"


_ASKS_FOR = re.compile(r"^(?:When|Where) ")


def facts_of(passages: Sequence[Passage], chance: random.Random) -> list[Cloze]:
    """So many plain facts of each form, one of each passage."""
    by_form: dict[str, dict[str, Cloze]] = {}
    for passage in passages:
        for made in made_from(passage):
            by_form.setdefault(made.form, {}).setdefault(made.passage, made)
    asked = {form: list(by_form.get(form, {}).values()) for form in _FORMS_ASKED}
    return [each for made in asked.values() for each in chance.sample(made, min(_FACTS_OF_A_FORM, len(made)))]


_FORMS_ASKED = ("when born", "when died", "when done", "by whom", "a thing by whom", "where is", "where done")


def main() -> None:
    """Print the table: for each kind how many were asked, and how often yes, no and nothing was stated."""
    logging.disable(logging.CRITICAL)
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("sets", nargs="*", default=SETS)
    options.add_argument("--most", type=int, default=60)
    chosen = options.parse_args()
    given: dict[str, Counter[str]] = {}
    facts: dict[str, Counter[str]] = {}
    for name in chosen.sets:
        index = PassageIndex.load(ensure_index(load_set(name, "dev")))
        retriever = DocumentRetriever(index)
        chance = random.Random(7)
        made = list(claims(index.passages))
        chance.shuffle(made)
        for claim in list({claim.who: claim for claim in made}.values())[: chosen.most]:
            asked = [("denied" if claim.denied else "said", claim.asked())]
            for kind, question in asked + ([] if claim.denied else list(turned(claim, made, chance))):
                given.setdefault(kind, Counter())[_first(question, retriever)] += 1
        for fact in facts_of(index.passages, chance):
            for told, question in in_other_words(fact, chance):
                facts.setdefault(f"{fact.form}: {told}", Counter())[_first(question, retriever)] += 1
    _print("the sentence says", given)
    _print("the fact says", facts)


def _first(question: str, retriever: DocumentRetriever) -> str:
    """The first word that is stated."""
    return (stated(question, retriever).short.split() or ["–"])[0].strip(",.")


def _print(head: str, counted: dict[str, Counter[str]]) -> None:
    print(f"\n| {head} | asked | Yes | No |\n|---|--:|--:|--:|")
    for kind, firsts in counted.items():
        print(f"| {kind} | {firsts.total()} | {firsts['Yes']} | {firsts['No']} |")


if __name__ == "__main__":
    main()
