"""The question as it was read: spans coloured by aspect, conditions and instructions marked, words without a fate."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from adaq_core.model import QueryAspect
from adaq_core.question.parse import parse
from pages._shared.common.parts import Part, Span
from pages._shared.components.marked_text.passage_view import marked_heading

COLOURS = 6
LEGEND = (
    ("condition", "condition on the evidence"),
    ("instruction", "how to answer"),
    ("unused", "not used"),
)


def show_question(question: str, aspects: Sequence[QueryAspect], lost: Iterable[str] = (), *, key: str) -> None:
    """Draw the question as a heading with its marks, and a legend of the marks that occur."""
    parts = question_parts(question, aspects, lost)
    kinds = {kind for _, marks in parts for kind in marks.split()}
    marked_heading(parts, legend=[(kind, words) for kind, words in LEGEND if kind in kinds], key=key)


def aspect_numbers(aspects: Sequence[QueryAspect]) -> dict[Span, int]:
    """Return a number from 1 for each span of the question that aspects come from, in the order of the text.

    Aspects of the same span share its number. One span for all says nothing, and then there is none.
    """
    spans = sorted({aspect.span for aspect in aspects if aspect.span})
    return {span: number for number, span in enumerate(spans, 1)} if len(spans) > 1 else {}


def question_parts(question: str, aspects: Sequence[QueryAspect], lost: Iterable[str] = ()) -> list[Part]:
    """Return the question as (piece, marks) pairs; the pieces joined give the question back."""
    parsed = parse(question)
    marks: list[list[str]] = [[] for _ in question]
    for span, number in aspect_numbers(aspects).items():
        _mark(marks, span, f"a{(number - 1) % COLOURS + 1}")
    for span in (condition.span for condition in parsed.conditions if condition.span):
        _mark(marks, span, "condition")
    for _, span in parsed.instructions:
        _mark(marks, span, "instruction")
    for word in {*lost, *parsed.unused}:
        for match in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", question):
            _mark(marks, match.span(), "unused")
    return _pieces(question, [" ".join(kinds) for kinds in marks])


def _mark(marks: Sequence[list[str]], span: Span, kind: str) -> None:
    for place in range(max(0, span[0]), min(len(marks), span[1])):
        if kind not in marks[place]:
            marks[place].append(kind)


def _pieces(text: str, kinds: Sequence[str]) -> list[Part]:
    starts = [i for i in range(len(text)) if i == 0 or kinds[i] != kinds[i - 1]]
    ends = [*starts[1:], len(text)]
    return [(text[start:end], kinds[start]) for start, end in zip(starts, ends, strict=True)]
