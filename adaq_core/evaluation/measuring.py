"""One finished run and its judgments → its outcome: every measure that one question can give.

A run that came from elsewhere is measured again here where its corpus is there and its question is judged.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import astuple, dataclass, field, replace
from hashlib import blake2b
from pathlib import Path, PurePosixPath

from adaq_core.corpus.library import CorpusLibrary
from adaq_core.datasets import document_ids, either, read_objects, text_of
from adaq_core.datasets.beir import corpus_of, known_sets, read_question_set, splits
from adaq_core.datasets.judged import QUESTIONS, JudgedQuestion, QuestionSet
from adaq_core.errors import CorpusError, DatasetError
from adaq_core.evaluation import HopOutcome, Outcome
from adaq_core.evaluation.answered import (
    Measures,
    StatedAnswer,
    answer_measures,
    exam_measures,
    judge_answer,
    mean_grades,
    stated_by,
)
from adaq_core.events import EvidenceAssembled, Record, WordingsLearned, of_kind
from adaq_core.llm import Chat
from adaq_core.measures import (
    Carrier,
    JudgedUnit,
    Quotes,
    all_gold,
    all_subtopics,
    diversity_measures,
    document_measures,
    place_recall,
    set_measures,
    slot_precision,
    subtopics_carried,
)
from adaq_core.model import Passage
from adaq_core.retrieval.index import PassageIndex
from adaq_core.runs.forecast import Use, summed, uses_of
from adaq_core.trace import HopView, RunView, view

DOCUMENT_MEASURES = ("Recall@2", "Recall@5", "P@5", "nDCG@5")
DIVERSITY_MEASURES = ("StRecall@5", "StRecall@10", "alpha_nDCG@5", "alpha_nDCG@10")
CUTOFF = 5
FILE = "doc"
MOST_PASSAGES = 20  # of a document that one passage can stand for
DEEPEST = 10

Carried = dict[str, frozenset[str]]
Ranking = tuple[tuple[str, str], ...]


class Judge:
    """Holds judgments against the passages of a corpus; remembers what it looked up."""

    def __init__(self, index: PassageIndex) -> None:
        self._index = index
        self._quotes = Quotes()
        self._by_document: dict[str, list[int]] = {}

    def carried(self, question: JudgedQuestion) -> Carried:
        """Return the passages of the corpus that carry a subtopic of the question, with those subtopics."""
        documents = {each.document_id for each in question.subtopics}
        carriers = [Carrier(each.subtopic, each.document_id, each.quote) for each in question.subtopics]
        passages = (passage for name in sorted(documents) for passage in self._passages(name))
        units = [JudgedUnit(each.passage_id, each.document_id, each.text) for each in passages]
        return subtopics_carried(carriers, units, quotes=self._quotes)

    def places(self, question: JudgedQuestion) -> tuple[frozenset[str], ...]:
        """Return what the judges pointed to: the passages that hold each quote, and each gold document without a quote.

        A quote that is judged in several documents for one part of the question is one place.
        """
        quoted: dict[tuple[str, str], list[str]] = {}
        for each in question.subtopics:
            if each.quote:
                quoted.setdefault((each.subtopic, each.quote), []).append(each.document_id)
        held = [[self._holding(name, quote) for name in names] for (_, quote), names in quoted.items()]
        quotes = [frozenset[str]().union(*each) for each in held]
        documents = dict.fromkeys((*question.gold_documents, *(each.document_id for each in question.subtopics)))
        pointed = {name for names in quoted.values() for name in names}
        return (*quotes, *(self._holding(name, "") for name in documents if name not in pointed))

    def has_all(self, question: JudgedQuestion, passages: Sequence[tuple[str, str]]) -> bool | None:
        """Whether the passages hold all that judges marked; None without a judgment.

        Facts, where they wrote any down, stand in the texts; else each quote is reached by a passage of a document it
        is judged in, and of a document without a quote any passage will do.
        """
        known = [self._index.passage(name) for name, _ in passages]
        facts = question.facts.must if question.facts else ()
        if facts:
            told = "\n".join(f"{each.title}\n{each.text}" for each in known)
            return all(any(_says(told, way) for way in fact) for fact in facts)
        quoted: dict[tuple[str, str], set[str]] = defaultdict(set)
        for each in question.subtopics:
            if each.quote:
                quoted[each.subtopic, each.quote].add(each.document_id)
        pointed = {name for names in quoted.values() for name in names}
        marked = {*question.gold_documents, *(each.document_id for each in question.subtopics)}
        if not marked:
            return None
        for (_, quote), names in quoted.items():
            judged = (each for each in known if each.document_id in names)
            if not any(self._quotes.reaches(quote, each.text) for each in judged):
                return False
        held = {document for _, document in passages}
        return marked - pointed <= held

    def is_marked(self, question: JudgedQuestion) -> bool:
        """Whether it is known what has to be found: not where judges only named a document of a hundred pages."""
        if question.facts and question.facts.must:
            return True
        pointed = {each.document_id for each in question.subtopics if each.quote}
        whole = set(question.gold_documents) - pointed
        sizes = map(len, map(self._passages, whole))
        return max(sizes, default=0) <= MOST_PASSAGES

    def file_of(self, document_id: str) -> str:
        """Return the file that a document is a page of; the document itself if the corpus names none."""
        passages = self._passages(document_id)
        if passages:
            return dict(passages[0].metadata).get(FILE, document_id)
        return document_id

    def _holding(self, document: str, quote: str) -> frozenset[str]:
        passages = self._passages(document)
        return frozenset(p.passage_id for p in passages if not quote or self._quotes.contains(quote, p.text))

    def document_of(self, passage_id: str) -> str:
        """Return the document that a passage of the corpus is part of."""
        return self._index.passage(passage_id).document_id

    def _passages(self, document: str) -> list[Passage]:
        if not self._by_document:
            for place, passage in enumerate(self._index.passages):
                self._by_document.setdefault(passage.document_id, []).append(place)
        return [self._index.passages[place] for place in self._by_document.get(document, ())]


def outcome_of(
    records: Sequence[Record],
    question: JudgedQuestion,
    *,
    judge: Judge,
    method: str,
    configuration: str,
    chats: Sequence[Chat] = (),
) -> Outcome:
    """Measure a run; `chats` grade its answer. A failed run keeps its error and gets no measures."""
    run = view(records)
    carried = judge.carried(question)
    assembled = list(of_kind((record.event for record in records), EvidenceAssembled))
    rankings = {event.hop: _ranking(event, run, judge) for event in assembled}
    ranking = rankings[assembled[-1].hop] if assembled else ()
    k = run.started.settings.k if run.started else CUTOFF
    last = run.last_assessed
    failed = run.status == "failed"
    grades = {} if failed else judge_answer(run, answers=question.answers, judges=chats)
    hops = _hops(run, question, carried, {hop: each[:k] for hop, each in rankings.items()})
    answer = stated_by(run)
    return Outcome(
        method,
        question.question_id,
        question.text,
        configuration,
        kind=question.kind,
        unanswerable=None if question.is_answerable is None else question.is_unanswerable,
        gold=len(question.gold_documents),
        subtopics=len(question.subtopic_names),
        aspects=len(run.aspects),
        complete=is_complete(question, ranking[:k], carried),
        reached=None if failed else judge.has_all(question, ranking[:k]),
        sufficiency=last.sufficiency if last else None,
        coverage=last.weighted if last else None,
        strength=None if failed else sum(each.score for each in run.evidence),
        answerable=last.answerable if last else None,
        stop_reason=run.stop_reason,
        error=f"{run.error}: {run.reason}" if failed else "",
        evidence=tuple((each.passage.passage_id, each.passage.document_id) for each in run.evidence),
        ranking=ranking,
        hops=hops,
        measures={}
        if failed
        else {
            **_measures(run, question, carried, ranking),
            **_place_measures(question, judge, ranking),
            **_gain_measures(question, carried, [rankings[event.hop] for event in assembled]),
            **_answer_measures(run, answer, question),
            **stop_measures(hops),
            **mean_grades(grades),
        },
        grades=grades,
        status=run.answer.status if run.answer else None,
        short=answer.short,
        said=answer.text,
        wordings=tuple(astuple(use) for use in uses_of(record.event for record in records)),
    )


def _says(text: str, pattern: str) -> bool:
    return re.search(pattern, text, re.IGNORECASE | re.DOTALL) is not None


def is_complete(question: JudgedQuestion, passages: Sequence[tuple[str, str]], carried: Carried) -> bool | None:
    """Whether the passages hold every gold document, or every subtopic if no document is judged; None without gold.

    It is asked of the first k passages of the ranking, which is what sufficiency speaks of: the set that is returned
    may be smaller.
    """
    value = all_gold(question.gold, [document for _, document in passages], k=len(passages))
    if value is None:
        value = all_subtopics(question.subtopic_names, carried, [passage for passage, _ in passages], k=len(passages))
    return None if value is None else bool(value)


def _ranking(event: EvidenceAssembled, run: RunView, judge: Judge) -> Ranking:
    """Return the ranking that goes on past the evidence; the evidence comes first if the ranking lacks it."""
    evidence = [each.passage.passage_id for each in event.evidence]
    holds_evidence = set(evidence) <= set(event.ranking)
    ids = event.ranking if holds_evidence else dict.fromkeys((*evidence, *event.ranking))

    def document_of(passage_id: str) -> str:
        passage = run.passages.get(passage_id)
        return passage.document_id if passage else judge.document_of(passage_id)

    return tuple((name, document_of(name)) for name in ids)


def _measures(run: RunView, question: JudgedQuestion, carried: Carried, ranking: Ranking) -> Measures:
    documents = [document for _, document in ranking]
    passages = [passage for passage, _ in ranking[:DEEPEST]]
    subtopics = question.subtopic_names
    return {
        **document_measures(question.gold, documents, DOCUMENT_MEASURES),
        f"AllGold@{CUTOFF}": all_gold(question.gold, documents, k=CUTOFF),
        **diversity_measures(subtopics, carried, passages, DIVERSITY_MEASURES),
        "StRecall@n": _subtopic_recall(subtopics, carried, ranking[: len(subtopics)]),
        f"AllSubtopics@{CUTOFF}": all_subtopics(subtopics, carried, passages, k=CUTOFF),
        **set_measures(question.gold, [each.passage.document_id for each in run.evidence]),
        **_cost(run),
    }


def _subtopic_recall(subtopics: Sequence[str], carried: Carried, passages: Ranking) -> float | None:
    """Return the share of subtopics that the passages carry; None without subtopics."""
    covered = {name for passage, _ in passages for name in carried.get(passage, ())}
    return len(covered & set(subtopics)) / len(subtopics) if subtopics else None


def _answer_measures(run: RunView, answer: StatedAnswer, question: JudgedQuestion) -> Measures:
    """Return the measures of the answer; none for a run that wrote none."""
    if run.answer is None:
        return {}
    return {**answer_measures(answer, question, run.evidence), **exam_measures(answer, question)}


def _place_measures(question: JudgedQuestion, judge: Judge, ranking: Ranking) -> Measures:
    """Return passage-level measures: judged quotes found, precision of the slots, recall of whole files."""
    documents = [document for _, document in ranking]
    files = {judge.file_of(document): 1 for document in question.gold_documents}
    paged = files and not files.keys() & set(question.gold_documents)
    of_files = [judge.file_of(document) for document in documents[:CUTOFF]]
    return {
        f"passage_Recall@{CUTOFF}": place_recall(judge.places(question), [name for name, _ in ranking], k=CUTOFF),
        f"passage_P@{CUTOFF}": slot_precision(question.gold, documents, k=CUTOFF),
        f"file_Recall@{CUTOFF}": document_measures(files, of_files, [f"Recall@{CUTOFF}"])[f"Recall@{CUTOFF}"]
        if paged
        else None,
    }


def _gain_measures(question: JudgedQuestion, carried: Carried, rankings: Sequence[Ranking]) -> Measures:
    """Return Recall@5 after the first hop and what later hops added; None if nothing is judged or retrieved."""
    recalls = [_recall(question, ranking[:CUTOFF], carried) for ranking in rankings]
    first, last = (recalls[0], recalls[-1]) if recalls else (None, None)
    gain = None if first is None or last is None else last - first
    return {f"Recall@{CUTOFF}_hop1": first, "recall_gain": gain}


def stop_measures(hops: Sequence[HopOutcome]) -> Measures:
    """Return the hops after an oracle would have stopped, and those without new gold; None if nothing is judged.

    An oracle stops at the first hop after which the evidence is complete, and at the last one when it never is.
    """
    judged = [hop for hop in hops if hop.recall is not None]
    if not judged:
        return {"stop_gap": None, "wasted_hops": None}
    oracle = next((hop.hop for hop in judged if hop.complete), judged[-1].hop)
    best, wasted = 0.0, 0
    for hop in judged:
        recall = hop.recall or 0.0
        wasted += recall <= best
        best = max(best, recall)
    return {"stop_gap": float(judged[-1].hop - oracle), "wasted_hops": float(wasted)}


def _cost(run: RunView) -> Measures:
    cost = run.cost
    return {
        "hops": float(cost.hops),
        "queries": float(cost.queries),
        "passages_read": float(cost.passages_read),
        "ms": cost.seconds * 1000,
        "model_calls": float(cost.model_calls),
        "tokens": float(cost.prompt_tokens + cost.reply_tokens),
        "usd": cost.usd,
    }


def _hops(
    run: RunView, question: JudgedQuestion, carried: Carried, rankings: dict[int, Ranking]
) -> tuple[HopOutcome, ...]:
    results: list[HopOutcome] = []
    queries = read = 0
    for hop in run.hops:
        queries += len(hop.retrieved)
        read += hop.passages_read
        results.append(_hop(hop, question, carried, rankings.get(hop.hop), queries=queries, read=read))
    return tuple(results)


def _hop(
    hop: HopView, question: JudgedQuestion, carried: Carried, passages: Ranking | None, *, queries: int, read: int
) -> HopOutcome:
    return HopOutcome(
        hop.hop,
        queries,
        read,
        round(hop.ended, 6),
        coverage=hop.percentage,
        sufficiency=hop.sufficiency,
        recall=None if passages is None else _recall(question, passages, carried),
        complete=None if passages is None else is_complete(question, passages, carried),
    )


def _recall(question: JudgedQuestion, passages: Ranking, carried: Carried) -> float | None:
    """Return the share of gold documents, or of subtopics if no document is judged, that the passages hold."""
    if question.gold_documents:
        return set_measures(question.gold, [document for _, document in passages])["set_recall"]
    return _subtopic_recall(question.subtopic_names, carried, passages)


def half(question_id: str) -> int:
    """Return 0 or 1 for a question, whatever other questions there are."""
    return blake2b(question_id.encode(), digest_size=1).digest()[0] % 2


def taught(outcomes: Iterable[Outcome]) -> tuple[WordingsLearned, WordingsLearned]:
    """Give each half of the questions the template uses of the other half's runs."""
    runs: tuple[list[list[Use]], list[list[Use]]] = ([], [])
    for outcome in outcomes:
        runs[1 - half(outcome.question_id)].append([Use(*use) for use in outcome.wordings])
    return summed(runs[0]), summed(runs[1])


@dataclass(frozen=True, slots=True)
class MeasuredAgain:
    """The measures of a stored run, recomputed from its events; `why_not` says why there are none.

    `judged_by` names the question set whose judgments were used.
    """

    judged_by: str = ""
    measures: Mapping[str, float] = field(default_factory=dict)
    why_not: str = ""


def measured_again(records: Sequence[Record], library: CorpusLibrary) -> MeasuredAgain:
    """Measure a run by the judgments on this computer; nothing that it states of itself is used."""
    run = view(records)
    if run.started is None or run.status != "finished":
        return MeasuredAgain(why_not="The run did not finish, so there is nothing to measure.")
    card = run.started.corpus
    index = _same_corpus(card.version, library)
    if index is None:
        there = f"The corpus “{card.name}” as the run searched it (version {card.version})"
        return MeasuredAgain(
            why_not=f"{there} is not on this computer, so judgments cannot be held against its passages."
        )
    judged = next(_judgments(run.question, index), None)
    if judged is None:
        return MeasuredAgain(why_not="No question set on this computer judges this question over these documents.")
    questions, question = judged
    configuration = f"again-{card.version}"
    outcome = outcome_of(records, question, judge=Judge(index), method=run.started.method, configuration=configuration)
    known = {name: value for name, value in outcome.measures.items() if value is not None}
    return MeasuredAgain(questions.name, known)


def _same_corpus(version: str, library: CorpusLibrary) -> PassageIndex | None:
    """Return the corpus of that version, whatever its name is here."""
    for name in library.names():
        try:
            if library.card(name).version == version:
                return library.open(name)
        except CorpusError:
            continue  # one that is damaged is not the one
    return None


def _judgments(text: str, index: PassageIndex) -> Iterator[tuple[QuestionSet, JudgedQuestion]]:
    """Return the question as judged by the sets over exactly these documents; bundled sets come first."""
    here = {_named(passage.document_id): passage.document_id for passage in index.passages}
    for folder in known_sets().values():
        if not _asks(folder, text) or not _is_over(folder, here.keys()):
            continue
        for split in splits(folder):
            questions = read_question_set(folder, split)
            yield from ((questions, _over(each, here)) for each in questions if _same_question(each.text, text))


def _over(question: JudgedQuestion, here: Mapping[str, str]) -> JudgedQuestion:
    """Return the question with its documents named as this corpus names them."""
    gold = {here.get(_named(name), name): grade for name, grade in question.gold.items()}
    parts = tuple(
        replace(each, document_id=here.get(_named(each.document_id), each.document_id)) for each in question.subtopics
    )
    return replace(question, gold=gold, subtopics=parts)


def _named(document_id: str) -> str:
    """Drop the file ending of a document's name, which not every set states."""
    return str(PurePosixPath(document_id).with_suffix(""))


def _asks(folder: Path, text: str) -> bool:
    """Whether the set holds the question, found without reading its documents and judgments."""
    for name, key in (("queries.jsonl", "text"), (QUESTIONS, "question")):
        if path := either(folder / name):
            return any(_same_question(text_of(line, key), text) for _, line in read_objects(path, required=()))
    return False


def _is_over(folder: Path, documents: Set[str]) -> bool:
    try:
        corpus = corpus_of(folder)
    except DatasetError:
        return False
    return corpus is not None and {_named(each) for each in document_ids(corpus)} == documents


def _same_question(one: str, other: str) -> bool:
    return one.split() == other.split()
