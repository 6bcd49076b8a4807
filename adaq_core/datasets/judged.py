"""The nouns: a question, what its judges said, and a set of them over one corpus."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from adaq_core.model import Document

UNANSWERABLE = frozenset({"null", "null_query", "unanswerable"})


@dataclass(frozen=True, slots=True)
class Subtopic:
    """A part of the question as its judges defined it, and a document that answers it.

    With a `quote`, only a passage that holds it does. `text` is the judges' wording of the part, often a sub-question.
    A subtopic answered by several documents comes several times.
    """

    subtopic: str
    document_id: str
    quote: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Facts:
    """What an answer has to state: each fact of `must` by one of its patterns, and nothing of `must_not`.

    `short` are acceptable short answers; `corrects` matches what says that the question assumes something false.
    """

    must: tuple[tuple[str, ...], ...] = ()
    must_not: tuple[str, ...] = ()
    short: tuple[str, ...] = ()
    corrects: tuple[str, ...] = ()

    @property
    def patterns(self) -> tuple[str, ...]:
        """All patterns, in order."""
        return (*(pattern for fact in self.must for pattern in fact), *self.must_not, *self.corrects)


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """A question with its judgments: `gold` maps documents to relevance, 0 being judged and not relevant.

    `facts` is set where an exam says what an answer has to state.
    """

    question_id: str
    text: str
    metadata: Mapping[str, Any] = field(default_factory=dict)
    gold: Mapping[str, int] = field(default_factory=dict)
    subtopics: tuple[Subtopic, ...] = ()
    facts: Facts | None = None

    def without_gold(self) -> JudgedQuestion:
        """The question as its judges would have it were the gold documents not in the corpus: unanswerable."""
        metadata = {**self.metadata, "answerable": False}
        return replace(self, metadata=metadata, gold={}, subtopics=(), facts=None)

    @property
    def kind(self) -> str:
        """The question type that the set's makers gave; empty when they gave none."""
        return str(self.metadata.get("type") or "")

    @property
    def is_unanswerable(self) -> bool:
        """Whether its judges say that the corpus holds no answer."""
        return self.kind in UNANSWERABLE or self.metadata.get("answerable") is False

    @property
    def answers(self) -> tuple[str, ...]:
        """The gold answers that are plain text; none for an unanswerable question."""
        given = self.metadata.get("answers", self.metadata.get("answer"))
        several = given if isinstance(given, list) else [given]
        return () if self.is_unanswerable else tuple(each for each in several if isinstance(each, str) and each.strip())

    @property
    def subtopic_names(self) -> tuple[str, ...]:
        """The judges' parts, each once, in order."""
        return tuple(dict.fromkeys(each.subtopic for each in self.subtopics))

    @property
    def gold_documents(self) -> tuple[str, ...]:
        """The documents judged relevant."""
        return tuple(document for document, grade in self.gold.items() if grade > 0)

    @property
    def subquestions(self) -> tuple[str, ...]:
        """The judges' wording of the parts, each once, in order; empty when they worded none."""
        worded = {each.subtopic: each.text for each in reversed(self.subtopics) if each.text.strip()}
        return tuple(dict.fromkeys(worded[name] for name in self.subtopic_names if name in worded))


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """One split of a question set. `corpus` is where its documents lie, None for questions without a corpus.

    `remarks` say what is odd about the data without making it useless.
    """

    name: str
    split: str
    folder: Path
    questions: tuple[JudgedQuestion, ...]
    corpus: Path | None = None
    remarks: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.questions)

    def __iter__(self) -> Iterator[JudgedQuestion]:
        return iter(self.questions)

    def documents(self) -> Iterator[Document]:
        """The documents of its corpus, one after the other; none without a corpus."""
        from adaq_core.datasets.documents import read_documents

        return read_documents(self.corpus) if self.corpus else iter(())
