"""The aspect × method matrix, and the evidence of each method for the aspect that was picked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypedDict

import streamlit as st

from adaq_core.export.verdict import LOST
from pages._shared.common.text import literal, quoted, short, visible
from pages._shared.components.component_files import component
from pages._shared.components.marked_text.passage_view import passage_body
from pages._shared.run.comparison import AspectEvidence, Column, MatrixCell, MatrixRow, matrix, proofs

_MATRIX = component("aspect_matrix")
_CELLS = {"missed": "✗ not found", "waiting": "… running", "unknown": "– not known", "unjudged": "– not judged"}
_WORDS = {
    "aspect": "Aspect",
    "optional": "optional",
    "caption": "Aspects by methods: the hop that covered each, or that it was not found",
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
    """Return the rows as plain values for the component, words included."""
    return [
        RowValue(
            aspect=visible(row.aspect.aspect),
            core=row.aspect.is_core,
            cells=[CellValue(kind=cell.kind, text=cell_text(cell)) for cell in row.cells],
        )
        for row in rows
    ]


def cell_text(cell: MatrixCell) -> str:
    """Return what a cell says in words, so that nothing depends on its colour."""
    if cell.kind == "missed" and cell.hop:
        return f"✗ {LOST}"
    return f"✓ hop {cell.hop}" if cell.kind == "covered" else _CELLS[cell.kind]


def show_matrix(columns: Sequence[Column], *, only_differences: bool, selected: str | None) -> None:
    """Draw the matrix; a click puts the aspect into the address."""
    rows = matrix(columns, only_differences=only_differences)
    if not rows:
        st.caption("No aspect on which these methods differ." if only_differences else "No aspects yet.")
        return

    def picked() -> None:
        aspect = st.session_state["compare_matrix"].get("pick")
        if aspect:
            st.query_params["aspect"] = aspect

    # It keeps its place while its script is loaded.
    st.html(f"<style>.st-key-compare_matrix {{min-height: {30 + 35 * len(rows)}px}}</style>")
    data = {"columns": [c.label for c in columns], "rows": row_values(rows), "selected": selected, "words": _WORDS}
    _MATRIX(key="compare_matrix", data=data, on_pick_change=picked)


def show_proofs(columns: Sequence[Column], aspect: str, *, on_close: Callable[[], None]) -> None:
    """Open the drawer with each method's evidence for one aspect, one below the other."""

    @st.dialog("What each method has", width="medium", position="right", on_dismiss=on_close)
    def drawer() -> None:
        st.markdown(f"**{literal(aspect)}**")
        read: set[str] = set()
        for has in proofs(columns, aspect):
            with st.container(border=True, gap="xsmall"):
                _proof(has, read)

    drawer()


def _proof(has: AspectEvidence, read: set[str]) -> None:
    """Draw one method's evidence for the aspect; a passage that methods share can be opened once."""
    score = f" · coverage {has.score:.2f}" if has.score is not None else ""
    st.markdown(f"**{has.column.label}**{score}")
    if has.proof is None or has.finding is None:
        so_far = " so far" if has.column.running else ""
        st.caption(f"Nothing that it read{so_far} speaks to this aspect.")
    else:
        lead = f"Covered in hop {has.proof.hop} by" if has.proof.covers else "Not found. The nearest passage:"
        st.markdown(f":small[{lead} “{literal(short(has.proof.quote, 400))}”]")
        came = f". {has.proof.came[:1].upper()}{has.proof.came[1:]}" if has.proof.came else ""
        st.caption(literal(f"{has.proof.title}{came}."))
        passage = has.column.view.passages.get(has.proof.passage_id)
        if passage and passage.passage_id not in read:
            read.add(passage.passage_id)
            with st.expander("Read the passage", icon=":material/article:"):
                passage_body(passage, spans=[(has.finding.start, has.finding.end)])
    for query in has.queries[:3]:
        st.caption(f"asked {quoted(short(query, 80))}")
