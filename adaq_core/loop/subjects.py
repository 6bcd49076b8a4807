"""Which passages are about another subject than the question's, where titles say it: “Tesla: litigation”."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from adaq_core.model import Passage
from adaq_core.text.tokens import tokens

_SHARED = 3
_OTHER = 0.5


def subject_of(passage: Passage) -> str:
    """What stands before a colon in the title; empty without one."""
    head, colon, _ = passage.title.partition(": ")
    return head if colon else ""


def held_subjects(passages: Sequence[Passage], question: str) -> NDArray[np.float64]:
    """1.0 for a passage, 0.5 where its title opens with a subject that the question does not name.

    A subject is what stands before a colon in the titles of three documents among `passages`; as long as the question
    names none of them, nothing is held against any.
    """
    documents: dict[str, set[str]] = defaultdict(set)
    heads = [subject_of(passage) for passage in passages]
    for head, passage in zip(heads, passages, strict=True):
        documents[head].add(passage.document_id)
    asked = set(tokens(question))
    subjects = {head for head, held in documents.items() if head and len(held) >= _SHARED}
    named = {head for head in subjects if asked & set(tokens(head))}
    others = subjects - named if named else set[str]()
    return np.array([_OTHER if head in others else 1.0 for head in heads])
