"""Two answers sentence by sentence: what both say, and what only one says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from adaq_core.model import Answer
from pages._shared.common.text import literal
from pages._shared.common.words import count
from pages._shared.run.answer_data import sentences
from pages._shared.run.comparison import Column

_NOT_WORDS = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Difference:
    """Sentences of an answer against those of the reference, each in the order of its own answer."""

    both: tuple[str, ...]
    only_here: tuple[str, ...]
    only_there: tuple[str, ...]


def difference(here: Answer | None, there: Answer | None) -> Difference:
    """The answers' sentences compared by their words; case, marks and spaces do not count."""
    own, others = _by_words(here), _by_words(there)
    return Difference(
        tuple(text for key, text in own.items() if key in others),
        tuple(text for key, text in own.items() if key not in others),
        tuple(text for key, text in others.items() if key not in own),
    )


def show_difference(column: Column, reference: Column) -> None:
    """The answer of `column` as a difference to that of the reference."""
    found = difference(column.view.answer, reference.view.answer)
    st.caption(
        f"{count(len(found.both), 'sentence')} as in {reference.label}, {len(found.only_here)} only here, "
        f"{len(found.only_there)} only there"
    )
    for mark, texts in (("+", found.only_here), ("−", found.only_there), ("=", found.both)):
        _lines(mark, texts)


def _lines(mark: str, texts: Sequence[str]) -> None:
    colour = {"+": "blue", "−": "orange", "=": "gray"}[mark]
    for text in texts:
        st.markdown(f":{colour}-badge[{mark}] {literal(text)}")


def _by_words(answer: Answer | None) -> dict[str, str]:
    texts = sentences(answer) if answer else ()
    return {key: text for text in texts if (key := _NOT_WORDS.sub(" ", text).strip().casefold())}
