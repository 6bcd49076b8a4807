"""Which of two answers is better: the reviewer's verdict, with the names shown or hidden."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from adaq_core.model import Answer
from adaq_core.store.history import PairVerdict, Verdicts, VerdictTally
from pages._shared.common import backend
from pages._shared.common.text import literal
from pages._shared.common.words import count
from pages._shared.components.answer.view import sentences, show_answer
from pages._shared.components.marked_text.passage_view import question_heading
from pages._shared.run.comparison import Column

_NOT_WORDS = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Difference:
    """Sentences of an answer against those of the reference, each in the order of its own answer."""

    both: tuple[str, ...]
    only_here: tuple[str, ...]
    only_there: tuple[str, ...]


def difference(here: Answer | None, there: Answer | None) -> Difference:
    """Compare two answers sentence by sentence by their words; case, marks and spaces do not count."""
    own, others = _by_words(here), _by_words(there)
    return Difference(
        tuple(text for key, text in own.items() if key in others),
        tuple(text for key, text in own.items() if key not in others),
        tuple(text for key, text in others.items() if key not in own),
    )


def difference_words(result: Difference, other: str) -> str:
    """Return how many sentences two answers share and how many only one has; zeros are left out."""
    parts = [f"{count(len(result.both), 'sentence')} as in {other}"] if result.both else []
    parts += [f"{len(result.only_here)} only here"] if result.only_here else []
    parts += [f"{len(result.only_there)} only in {other}"] if result.only_there else []
    return ", ".join(parts) or "No sentence in either"


def show_difference(column: Column, reference: Column) -> None:
    """Draw the answer of `column` as a difference to the reference's."""
    result = difference(column.view.answer, reference.view.answer)
    st.caption(difference_words(result, reference.label))
    for mark, texts in (("+", result.only_here), ("−", result.only_there), ("=", result.both)):
        _lines(mark, texts)


def _lines(mark: str, texts: Sequence[str]) -> None:
    colour = {"+": "blue", "−": "orange", "=": "gray"}[mark]
    for text in texts:
        st.markdown(f":{colour}-badge[{mark}] {literal(text)}")


def _by_words(answer: Answer | None) -> dict[str, str]:
    texts = sentences(answer) if answer else ()
    return {key: text for text in texts if (key := _NOT_WORDS.sub(" ", text).strip().casefold())}


REVIEW = "review"


def pair_of(columns: Sequence[Column], reference: str | None) -> tuple[Column, Column] | None:
    """Return the first method with an answer and the reference; None if either is missing or neither says anything."""
    answered = [column for column in columns if column.view.answer and not column.running]
    base = next((column for column in answered if column.name == reference), None)
    first = next((column for column in answered if column is not base), None)
    if first is None or base is None or (_says_nothing(first) and _says_nothing(base)):
        return None
    return (first, base)


def _says_nothing(column: Column) -> bool:
    return column.view.answer is None or column.view.answer.abstained


def in_blind_order(pair: tuple[Column, Column]) -> tuple[Column, Column]:
    """Return the two in an order that does not tell which is which, and never changes."""
    one, other = sorted(pair, key=lambda column: column.run_id)
    turned = hashlib.sha256(f"{one.run_id} {other.run_id}".encode()).digest()[0] % 2
    return (other, one) if turned else (one, other)


def in_words(verdict: PairVerdict, pair: tuple[Column, Column]) -> str:
    """Return the verdict in words."""
    names = {column.run_id: column.label for column in pair}
    what = f"{names[verdict.better]} is better" if verdict.better else "as good as each other"
    return f"{what}, {'names hidden' if verdict.blind else 'names shown'}"


def tally_line(tally: VerdictTally, first: str, second: str) -> str:
    """Return all verdicts on two methods in one line; "" without one."""
    if not tally.total:
        return ""
    parts = f"{first} better {tally.first} · tie {tally.ties} · {second} better {tally.second}"
    names = f"{tally.blind} with the names hidden"
    return f"{count(tally.total, 'review')} of these two methods so far: {parts} ({names})"


def show_verdict(columns: Sequence[Column], reference: str | None) -> None:
    """Ask which answer is better, say what was said, and offer to review with the names hidden."""
    pair = pair_of(columns, reference)
    if pair is None:
        return
    verdicts = Verdicts(backend.store())
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("**Which answer is better?**", width="content")
        one, other = pair = _chosen(columns, pair)
        given = verdicts.of(one.run_id, other.run_id)
        if given:
            st.markdown(literal(f"You said: {in_words(given, pair)}."), width="content")
            st.button("Take back", icon=":material/undo:", type="tertiary", on_click=_take_back, args=(pair,))
        else:
            _buttons(pair, (one.label, other.label), blind=False)
            st.button(
                "Hide the names first",
                icon=":material/visibility_off:",
                type="tertiary",
                on_click=_hide,
                args=(pair,),
                key="c_hide",
            )
    line = tally_line(verdicts.tally(one.method, other.method), one.label, other.label)
    if line:
        st.caption(line)


def review_of(columns: Sequence[Column]) -> tuple[Column, Column] | None:
    """Return the two columns that the address asks to review with hidden names."""
    ids = st.query_params.get(REVIEW, "").split(",")
    chosen = [column for column in columns if column.run_id in ids and column.view.answer]
    if len(chosen) == 2:
        return (chosen[0], chosen[1])
    return None


def show_review(question: str, pair: tuple[Column, Column]) -> None:
    """Draw two answers without names; the names appear with the verdict."""
    question_heading(question, level=3, key="compare_asked")
    st.caption("Two methods answered. Their names, hops and times are hidden until you have decided.")
    shown = in_blind_order(pair)
    for place, letter, column in zip(st.columns(2, gap="medium"), "AB", shown, strict=True):
        with place, st.container(border=True, height="stretch"):
            st.markdown(f"**Answer {letter}**")
            show_answer(column.view, key=f"review_{letter}", sources=False, blind=True)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("**Which answer is better?**", width="content")
        _buttons(shown, ("A", "B"), blind=True)
        st.button("Back without a verdict", type="tertiary", on_click=_show_names, key="c_back")


def _chosen(columns: Sequence[Column], pair: tuple[Column, Column]) -> tuple[Column, Column]:
    """Let the user choose which method is reviewed against the reference."""
    others = {c.name: c for c in columns if c.view.answer and not c.running and c is not pair[1]}
    if len(others) == 1:
        return pair
    name = st.selectbox(
        "Method to review",
        list(others),
        format_func=lambda name: f"{others[name].label} or {pair[1].label}",
        key="c_review",
        label_visibility="collapsed",
        width=230,
    )
    return (others.get(name, pair[0]), pair[1])


def _buttons(pair: tuple[Column, Column], names: tuple[str, str], *, blind: bool) -> None:
    first, second = names
    choices = ((first, pair[0].run_id), ("Tie", None), (second, pair[1].run_id))
    for name, better in choices:
        label = "Tie" if better is None else f"{name} is better"
        given = (pair, better, blind)
        st.button(label, key=f"c_verdict_{name}", on_click=_give, args=given)


def _give(pair: tuple[Column, Column], better: str | None, blind: bool) -> None:
    Verdicts(backend.store()).give(pair[0].run_id, pair[1].run_id, better=better, blind=blind)
    _show_names()


def _take_back(pair: tuple[Column, Column]) -> None:
    Verdicts(backend.store()).take_back(pair[0].run_id, pair[1].run_id)


def _hide(pair: tuple[Column, Column]) -> None:
    st.query_params[REVIEW] = ",".join(column.run_id for column in pair)


def _show_names() -> None:
    st.query_params.pop(REVIEW, None)
