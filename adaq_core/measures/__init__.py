"""Measures against gold: of rankings as ir_measures computes them, of sets, and of an answer's text and citations.

A ranking is a list of passages, one slot each. Document measures are taken over the documents of the first k
*passages* in order, repeats dropped, so a slot spent on a document that is already there costs. Those of an answer read
what it *states*: neither headings nor what it says of itself are part of that.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ir_measures import Qrel, ScoredDoc

ARTICLES = frozenset({"a", "an", "the"})
VERDICTS = frozenset({"yes", "no"})
_NUMBER = re.compile(r"(?i)\(?-?\s?[$€£]?\s?(\d[\d,]*(?:\.\d+)?)\)?\s*(%|percent\b)?")
_YEAR = re.compile(r"[12]\d{3}")
_SCALES = (1.0, 1e3, 1e6, 1e9)


@dataclass(frozen=True, slots=True)
class GoldLimits:
    """Which gold a measure of text can be held against; chosen by reading the gold of nine public sets."""

    short_words: int = 10  # a longer gold answer is free text, which no quotation repeats word for word
    quote_words: int = 60  # a longer judged quote is a page, not a fact
    tolerance: float = 0.01  # relative; FinanceBench rounds its gold to two figures after the point


LIMITS = GoldLimits()


def answer_tokens(text: str) -> tuple[str, ...]:
    """Words in lower case without punctuation or articles; a mark separates two words ("Bankman-Fried")."""
    return _words("".join(" " if _is_mark(character) else character for character in _folded(text)))


def squad_tokens(text: str) -> tuple[str, ...]:
    """Words as SQuAD's evaluation compares them: as `answer_tokens`, but marks vanish ("U.S." is "us").

    Rajpurkar et al., 2016.
    """
    return _words("".join(character for character in _folded(text) if not _is_mark(character)))


def exact_match(answer: str, gold: Iterable[str]) -> float:
    """1.0 when the answer has the same words in the same order as one of the gold answers."""
    return float(squad_tokens(answer) in {squad_tokens(each) for each in gold})


def token_f1(answer: str, gold: Iterable[str]) -> float:
    """The best token F1 against one of the gold answers; 0.0 without a common word."""
    return max((_overlap_f1(squad_tokens(answer), squad_tokens(each)) for each in gold), default=0.0)


def contains_answer(answer: str, gold: Iterable[str]) -> float:
    """1.0 when the answer holds the words of one of the gold answers as a run: what an extractive answer can do."""
    words = f" {' '.join(answer_tokens(answer))} "
    runs = (" ".join(answer_tokens(each)) for each in gold)
    return float(any(run and f" {run} " in words for run in runs))


def verdict_of(text: str) -> str | None:
    """Return "yes" or "no" where the text is that word and nothing else; None otherwise."""
    words = answer_tokens(text)
    if len(words) == 1 and words[0] in VERDICTS:
        return words[0]
    return None


def is_short(gold: str) -> bool:
    """Whether a gold answer is a name, a date or a number, and not a text of its own."""
    return 0 < len(answer_tokens(gold)) <= LIMITS.short_words


def gold_number(gold: str) -> float | None:
    """The number that a gold answer consists of; None when it says more, or when it may be a year."""
    match = _NUMBER.fullmatch(gold.strip())
    if match is None or _YEAR.fullmatch(gold.strip()):
        return None
    return float(match[1].replace(",", ""))


def states_number(answer: str, gold: float) -> bool:
    """Whether the first number of the answer is the gold one, in thousands, millions or billions, or as a share.

    Signs are left out: an outflow is written with a minus, in brackets or in words.
    """
    match = _NUMBER.search(answer)
    if match is None:
        return False
    stated = float(match[1].replace(",", ""))
    scales = (*_SCALES, 100)
    forms = (*(stated * scale for scale in scales), *(stated / scale for scale in scales))
    return any(abs(form - gold) <= LIMITS.tolerance * abs(gold) for form in forms)


def nugget_recall(answer: str, nuggets: Mapping[str, Sequence[str]]) -> float | None:
    """The share of judged facts with one of their quotes in the answer, word for word; None without a quote.

    Quotes longer than a few sentences are left out, and so is a fact that has no other.
    """
    short = {name: [each for each in quotes if is_fact(each)] for name, quotes in nuggets.items()}
    judged = [quotes for quotes in short.values() if quotes]
    if not judged:
        return None
    return sum(contains_answer(answer, quotes) for quotes in judged) / len(judged)


def is_fact(quote: str) -> bool:
    """Whether a judged quote is short enough for an answer to repeat."""
    return 0 < len(answer_tokens(quote)) <= LIMITS.quote_words


def without_marks(answer: str) -> str:
    """The answer without citation marks and Markdown signs, as text to be compared; `queue_run_max` stays whole."""
    return re.sub(r"[*#>`]+|(?<!\w)_+|_+(?!\w)", " ", re.sub(r"\[\d+\]", " ", answer))


def citation_measures(cited: Iterable[str], gold: Iterable[str]) -> dict[str, float | None]:
    """`citation_precision`: cited documents that are gold; `citation_recall`: gold documents that are cited.

    Precision is None when nothing is cited, both are None when there is no gold document.
    """
    named, wanted = set(cited), set(gold)
    hits = len(named & wanted)
    return {
        "citation_precision": hits / len(named) if named and wanted else None,
        "citation_recall": hits / len(wanted) if wanted else None,
    }


def _overlap_f1(stated: tuple[str, ...], wanted: tuple[str, ...]) -> float:
    common = sum((Counter(stated) & Counter(wanted)).values())
    if not common:
        return 0.0
    return f1(common / len(stated), common / len(wanted))


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _words(text: str) -> tuple[str, ...]:
    return tuple(word for word in text.split() if word not in ARTICLES)


def _is_mark(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"


INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
REMEMBERED = 20_000
RUN = 6  # words


def plain(text: str) -> str:
    """The text in NFKC, invisible characters dropped, runs of white space as one space."""
    return " ".join(INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).split())


class Quotes:
    """Looks quotes up in texts and remembers their normalised forms: the same passages come up again and again."""

    def __init__(self, *, remembered: int = REMEMBERED) -> None:
        self._plain = lru_cache(maxsize=remembered)(plain)
        self._runs = lru_cache(maxsize=remembered)(self._runs_of)

    def contains(self, quote: str, text: str) -> bool:
        """Whether `text` holds `quote`; an empty quote is held by nothing."""
        wanted = self._plain(quote)
        return bool(wanted) and wanted in self._plain(text)

    def reaches(self, quote: str, text: str) -> bool:
        """Whether `text` and `quote` lie in each other, or half of the shorter one's runs of six words in both.

        Judges quote whole pages where a line answers, and passages end within what was quoted.
        """
        wanted, told = self._plain(quote), self._plain(text)
        if not wanted or not told:
            return False
        if wanted in told or told in wanted:
            return True
        runs, others = self._runs(wanted), self._runs(told)
        least = min(len(runs), len(others)) / 2
        return len(runs & others) >= least

    def _runs_of(self, text: str) -> frozenset[str]:
        words = text.split()
        last = max(len(words) - RUN, 0)
        runs = (words[start : start + RUN] for start in range(last + 1))
        return frozenset(map(" ".join, runs))


def f1(precision: float, recall: float) -> float:
    """The harmonic mean of precision and recall; 0.0 when both are 0."""
    if precision + recall:
        return 2 * precision * recall / (precision + recall)
    return 0.0


def set_measures(gold: Mapping[str, int], passage_documents: Sequence[str]) -> dict[str, float | None]:
    """The four measures of one question; `set_size` counts passages, the others the distinct documents returned.

    Without gold only the size can be told. Nothing returned is precision 0, because something was to be found.
    """
    size = float(len(passage_documents))
    wanted = _relevant(gold)
    if not wanted:
        return {"set_precision": None, "set_recall": None, "set_F1": None, "set_size": size}
    returned = set(passage_documents)
    hits = len(wanted & returned)
    precision = hits / len(returned) if returned else 0.0
    recall = hits / len(wanted)
    return {"set_precision": precision, "set_recall": recall, "set_F1": f1(precision, recall), "set_size": size}


QUESTION = "q"


def documents_within(passage_documents: Sequence[str], *, k: int) -> tuple[str, ...]:
    """The documents of the first `k` passages in order, repeats dropped."""
    return tuple(dict.fromkeys(passage_documents[:k]))


def document_measures(
    gold: Mapping[str, int], passage_documents: Sequence[str], names: Sequence[str]
) -> dict[str, float | None]:
    """The measures `names` ("Recall@5", "nDCG@5" …) of one question; all None when it has no gold document.

    `gold` maps document ids to relevance (0 is judged and not relevant); `passage_documents` names the document of each
    passage of the ranking. nDCG's gain is linear.
    """
    import ir_measures

    if not _relevant(gold):
        return dict.fromkeys(names)
    qrels = [ir_measures.Qrel(QUESTION, document, grade) for document, grade in gold.items()]
    by_cutoff: dict[int, list[str]] = {}
    for name in names:
        by_cutoff.setdefault(int(name.rpartition("@")[2]), []).append(name)
    results: dict[str, float | None] = {}
    for k, group in by_cutoff.items():
        results |= _calculated(qrels, documents_within(passage_documents, k=k), group)
    return {name: results[name] for name in names}


def all_gold(gold: Mapping[str, int], passage_documents: Sequence[str], *, k: int) -> float | None:
    """AllGold@k: 1.0 when every gold document is among the first `k` passages, else 0.0; None without gold."""
    wanted = _relevant(gold)
    if not wanted:
        return None
    return float(wanted <= set(passage_documents[:k]))


def place_recall(places: Sequence[frozenset[str]], passages: Sequence[str], *, k: int) -> float | None:
    """The share of judged places that the first `k` passages hold; None without a place.

    A place is what a judge pointed to, as the passages that hold it: any one of them is enough. A place that no passage
    holds is missed.
    """
    if not places:
        return None
    first = set(passages[:k])
    return sum(bool(place & first) for place in places) / len(places)


def slot_precision(gold: Mapping[str, int], passage_documents: Sequence[str], *, k: int) -> float | None:
    """The share of the first `k` passages that come from a gold document; None without gold.

    P@k counts a document once, this counts slots: it shows how much of the evidence is spent beside the point.
    """
    wanted = _relevant(gold)
    if not wanted:
        return None
    first = passage_documents[:k]
    if first:
        return sum(document in wanted for document in first) / len(first)
    return 0.0


def _relevant(gold: Mapping[str, int]) -> set[str]:
    return {document for document, grade in gold.items() if grade > 0}


def _calculated(qrels: list[Qrel], ids: Sequence[str], names: Sequence[str]) -> dict[str, float]:
    """The measures `names` of one ranking, in one call of ir_measures; `ids` are ranked as they come."""
    import ir_measures

    measures = {name: ir_measures.parse_measure(name) for name in names}
    values = {
        value.measure: value.value
        for value in ir_measures.iter_calc([*measures.values()], qrels, scored(ids))
        if value.query_id == QUESTION
    }
    return {name: float(values[measure]) for name, measure in measures.items()}


def scored(ids: Sequence[str]) -> list[ScoredDoc]:
    """The ids as ir_measures reads a run: strictly falling scores, because it breaks ties by id and not by order."""
    import ir_measures

    return [ir_measures.ScoredDoc(QUESTION, each, float(len(ids) - at)) for at, each in enumerate(ids)]


FILLER = "two subtopics, so that pyndeval does not warn of a single one"
UNREACHABLE = "no passage carries it: "


@dataclass(frozen=True, slots=True)
class JudgedUnit:
    """A passage as the judges see it."""

    passage_id: str
    document_id: str
    text: str


@dataclass(frozen=True, slots=True)
class Carrier:
    """A document judged to answer a subtopic; with a quote, only its passages that hold the quote do."""

    subtopic: str
    document_id: str
    quote: str = ""


def subtopics_carried(
    carriers: Iterable[Carrier], units: Iterable[JudgedUnit], *, quotes: Quotes
) -> dict[str, frozenset[str]]:
    """Passage id → the subtopics that it carries; passages that carry none are left out."""
    by_document: dict[str, list[Carrier]] = {}
    for carrier in carriers:
        by_document.setdefault(carrier.document_id, []).append(carrier)
    carried = {
        unit.passage_id: frozenset(
            carrier.subtopic
            for carrier in by_document.get(unit.document_id, ())
            if not carrier.quote or quotes.contains(carrier.quote, unit.text)
        )
        for unit in units
    }
    return {passage_id: result for passage_id, result in carried.items() if result}


def diversity_measures(
    subtopics: Iterable[str],
    carried: Mapping[str, frozenset[str]],
    ranking: Sequence[str],
    names: Sequence[str],
) -> dict[str, float | None]:
    """The measures `names` ("StRecall@5", "alpha_nDCG@10" …) of one question; all None when it has no subtopic.

    `carried` is the judged set, `ranking` holds passage ids without repeats. A subtopic that no passage carries counts
    as missed. alpha is 0.5. One call per measure family: pyndeval's parameters must not mix.
    """
    wanted = tuple(dict.fromkeys(subtopics))
    if not wanted:
        return dict.fromkeys(names)
    results: dict[str, float | None] = {}
    families: dict[str, list[str]] = {}
    for name in names:
        families.setdefault(name.partition("@")[0], []).append(name)
    for group in families.values():
        results |= _calculated(_qrels(wanted, carried), ranking, group)
    return {name: results[name] for name in names}


def all_subtopics(
    subtopics: Iterable[str], carried: Mapping[str, frozenset[str]], ranking: Sequence[str], *, k: int
) -> float | None:
    """AllSubtopics@k: 1.0 when the first `k` passages carry every subtopic, else 0.0; None without subtopics."""
    wanted = set(subtopics)
    if not wanted:
        return None
    covered: set[str] = set().union(*(carried.get(passage_id, frozenset()) for passage_id in ranking[:k]))
    return float(wanted <= covered)


def _qrels(wanted: Sequence[str], carried: Mapping[str, frozenset[str]]) -> list[Qrel]:
    import ir_measures

    numbers = {subtopic: str(number) for number, subtopic in enumerate(wanted, start=1)}
    pairs = [
        (passage_id, subtopic) for passage_id, result in carried.items() for subtopic in sorted(result & set(wanted))
    ]
    reached = {subtopic for _, subtopic in pairs}
    pairs += [(UNREACHABLE + subtopic, subtopic) for subtopic in wanted if subtopic not in reached]
    qrels = [ir_measures.Qrel(QUESTION, passage_id, 1, numbers[subtopic]) for passage_id, subtopic in pairs]
    return [*qrels, *(ir_measures.Qrel(FILLER, number, 1, number) for number in ("1", "2"))]
