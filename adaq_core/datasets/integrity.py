"""Whether judgments and corpus belong together: what contradicts is an error, what is odd is a remark."""

from __future__ import annotations

from collections.abc import Iterable

from adaq_core.datasets.documents import read_texts
from adaq_core.datasets.judged import QuestionSet, Subtopic
from adaq_core.errors import DatasetError
from adaq_core.measures.quotes import Quotes

SHOWN = 3


def check_against_corpus(questions: QuestionSet) -> tuple[str, ...]:
    """Remarks about odd documents and quotes; nothing to say without a corpus.

    A judged document that the corpus lacks, or an id that two documents share, is a DatasetError: every measure would
    be wrong. A quote that does not occur only makes its subtopic impossible to find, and an empty document is never
    found: both are remarked, and shown wherever the results are.
    """
    if questions.corpus is None:
        return ()
    quoted: dict[str, list[Subtopic]] = {}
    for question in questions:
        for subtopic in question.subtopics:
            quoted.setdefault(subtopic.document_id, []).append(subtopic)
    empty, lost, seen = _walk(read_texts(questions.corpus), quoted)
    _all_there(questions, seen)
    lost = _lost_everywhere(questions, lost)
    remarks = [_remark(len(empty), "documents have no text and can never be found", empty)]
    cases = [f"{document}: {quote[:60]!r}" for document, quote in lost]
    remarks.append(
        _remark(len(cases), "quotes do not occur in their document, so their subtopics cannot be found", cases)
    )
    return tuple(remark for remark in remarks if remark)


def check_documents(questions: QuestionSet, documents: Iterable[str]) -> tuple[str, ...]:
    """Nothing to remark when all judged documents are there; what they hold is seen when they are indexed."""
    _all_there(questions, set(documents))
    return ()


def _lost_everywhere(questions: QuestionSet, lost: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Those of the quotes that none of the documents holds which are judged for the same part of a question."""
    gone = set(lost)
    alternatives: dict[tuple[str, str, str], set[str]] = {}
    for question in questions:
        for each in question.subtopics:
            key = (question.question_id, each.subtopic, each.quote)
            alternatives.setdefault(key, set()).add(each.document_id)
    nowhere = {
        (document, quote)
        for (_, _, quote), documents in alternatives.items()
        if all((document, quote) in gone for document in documents)
        for document in documents
    }
    return [pair for pair in lost if pair in nowhere]


def _walk(
    texts: Iterable[tuple[str, str]], quoted: dict[str, list[Subtopic]]
) -> tuple[list[str], list[tuple[str, str]], set[str]]:
    quotes = Quotes(remembered=2)
    seen: set[str] = set()
    empty: list[str] = []
    lost: list[tuple[str, str]] = []
    for document, text in texts:
        if document in seen:
            raise DatasetError(f"expected one document per id, but {document!r} comes twice in the corpus")
        seen.add(document)
        if not text.strip():
            empty.append(document)
        wanted = {each.quote for each in quoted.get(document, ()) if each.quote}
        lost += [(document, quote) for quote in sorted(wanted) if not quotes.held(quote, text)]
    return empty, lost, seen


def _all_there(questions: QuestionSet, seen: set[str]) -> None:
    judged = {document for question in questions for document in question.gold}
    judged |= {subtopic.document_id for question in questions for subtopic in question.subtopics}
    if missing := sorted(judged - seen):
        raise DatasetError(
            f"{len(missing)} judged documents of {questions.name} are not among the {len(seen)} documents of its "
            f"corpus ({', '.join(map(repr, missing[:SHOWN]))} …); judgments and corpus must be of the same version"
        )


def _remark(count: int, what: str, cases: list[str]) -> str:
    return f"{count} {what}: {'; '.join(cases[:SHOWN])}{' …' if count > SHOWN else ''}" if count else ""
