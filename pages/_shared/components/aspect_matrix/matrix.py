"""The aspect × method matrix, and the evidence of each method for the aspect that was picked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypedDict

import streamlit as st

from pages._shared.common.text import literal, quoted, short, visible
from pages._shared.common.words import percent
from pages._shared.components.component_files import component
from pages._shared.components.marked_text.passage_view import show_passage
from pages._shared.run.comparison import Column, Evidenced, MatrixCell, MatrixRow, matrix, proofs

_MATRIX = component("aspect_matrix")
_WORDS = {
    "aspect": "Aspect",
    "optional": "optional",
    "caption": "Aspects by methods: the hop that covered each, or that it was missed",
}


class CellValue(TypedDict):
    """One cell as the component draws it."""

    kind: str
    text: str


class RowValue(TypedDict):
    """One row as the component draws it."""

    aspect: str
    core: bool
    cells: list[CellValue]


def row_values(rows: Sequence[MatrixRow]) -> list[RowValue]:
    """The rows as plain values, words included."""
    return [
        RowValue(
            aspect=visible(row.aspect.aspect),
            core=row.aspect.is_core,
            cells=[CellValue(kind=cell.kind, text=cell_text(cell)) for cell in row.cells],
        )
        for row in rows
    ]


def cell_text(cell: MatrixCell) -> str:
    """What a cell says, so that nothing depends on its colour."""
    if cell.kind == "covered":
        return f"✓ hop {cell.hop}"
    return {"missed": "✗ missed", "waiting": "… running", "unknown": "– not known"}[cell.kind]


def show_matrix(columns: Sequence[Column], *, only_differences: bool, selected: str | None) -> None:
    """The matrix; a click puts the aspect into the address."""
    rows = matrix(columns, only_differences=only_differences)
    if not rows:
        st.caption("No aspect on which these methods differ." if only_differences else "No aspects yet.")
        return

    def picked() -> None:
        aspect = st.session_state["compare_matrix"].get("pick")
        if aspect:
            st.query_params["aspect"] = aspect

    data = {"columns": [c.label for c in columns], "rows": row_values(rows), "selected": selected, "words": _WORDS}
    _MATRIX(key="compare_matrix", data=data, on_pick_change=picked)


def show_proofs(columns: Sequence[Column], aspect: str, *, on_close: Callable[[], None]) -> None:
    """What each method has on one aspect, side by side."""
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"**{literal(aspect)}**: what each method has", width="stretch")
            st.button("Close", icon=":material/close:", type="tertiary", on_click=on_close, key="compare_close")
        for place, proof in zip(st.columns(len(columns)), proofs(columns, aspect), strict=True):
            with place:
                _proof(proof)


def _proof(has: Evidenced) -> None:
    score = f" · coverage {percent(has.score)}" if has.score is not None else ""
    st.markdown(f"**{has.column.label}**{score}")
    if has.proof is None or has.finding is None:
        st.caption("Nothing that it read speaks to this aspect.")
    else:
        lead = f"Covered in hop {has.proof.hop} by" if has.proof.covers else "Not covered. The nearest passage:"
        st.caption(f"{lead} “{literal(short(has.proof.quote, 260))}”")
        if has.proof.came:
            st.caption(literal(has.proof.came[:1].upper() + has.proof.came[1:]))
        passage = has.column.view.passages.get(has.proof.passage_id)
        if passage and st.button(
            literal(short(has.proof.title, 46)),
            icon=":material/article:",
            key=f"proof_{has.column.run_id}",
            type="tertiary",
        ):
            show_passage(passage, spans=[(has.finding.start, has.finding.end)])
    for query in has.queries[:3]:
        st.caption(f"asked {quoted(short(query, 80))}")
