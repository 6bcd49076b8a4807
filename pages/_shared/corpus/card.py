"""What a file says of itself (issuer, form, period …): shown with where it was read, and corrected by a person."""

from __future__ import annotations

import streamlit as st

from adaq_core.corpus.cards import FIELDS
from adaq_core.corpus.holdings import DocumentRow
from adaq_core.model import CorpusCard
from pages._shared.common import backend
from pages._shared.common.text import literal

_LABELS = {
    "issuer": "Issuer",
    "issuer_in_name": "Issuer in the file name",
    "ticker": "Ticker",
    "form": "Form",
    "period": "Period",
    "period_end": "Period ends",
    "fiscal_year": "Fiscal year",
    "fiscal_quarter": "Fiscal quarter",
}


def show_card(card: CorpusCard, row: DocumentRow) -> None:
    """The fields of the card with their origins; a corpus of one's own has a form to set them."""
    lines = [
        f"{_LABELS.get(name, name)}: **{literal(value)}** (:gray[{literal(origin)}])"
        for name, value, origin in row.card
        if value
    ]
    if lines:
        st.markdown("  \n".join(lines))
    if card.name != backend.SAMPLE_CORPUS:
        _edit(card, row)


def _edit(card: CorpusCard, row: DocumentRow) -> None:
    known = {name: value for name, value, _ in row.card}
    with st.expander("Set what the file is", icon=":material/edit:"):
        with st.form(f"corpus_card_{card.name}_{row.document_id}", border=False):
            typed = {name: st.text_input(_LABELS[name], value=known.get(name, "")) for name in FIELDS}
            saved = st.form_submit_button("Save", icon=":material/save:")
        st.caption("Questions that name the company, the form or the period go by these.")
    changed = {name: text.strip() for name, text in typed.items() if text.strip() != known.get(name, "")}
    if saved and changed:
        backend.library().edit_card(card.name, row.document_id, changed)
        st.rerun()
