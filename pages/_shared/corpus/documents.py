"""The documents of a corpus: the table, one document in full, and a search tried on its passages."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import streamlit as st

from adaq_core.corpus.cards import FIELDS
from adaq_core.corpus.changed import CorpusChange, changed_apart
from adaq_core.corpus.holdings import DocumentRow
from adaq_core.errors import AdaqError
from adaq_core.model import CorpusCard, Passage, ScoredPassage
from adaq_core.retrieval.index import DocumentRetriever, Mode
from adaq_core.text.tokens import spans, stem, tokens, upper_first
from pages._shared.common import backend
from pages._shared.common.chrome import level_row
from pages._shared.common.meaning import show_meaning, whole_vectors
from pages._shared.common.text import emphasized, full_stop, literal, short, snippet_parts, visible
from pages._shared.common.words import count
from pages._shared.components.marked_text.passage_view import in_rows, marked_text, show_passage
from pages._shared.corpus.data import DocumentValue, column_widths, document_values, matching, overlaps
from pages._shared.corpus.head import LONGEST_TITLE, ask_remove_document

_LABELS = {
    "issuer": "Company",
    "issuer_in_name": "Company in the file name",
    "ticker": "Ticker symbol",
    "form": "Kind of report",
    "period": "Period",
    "period_end": "Last day of the period",
    "fiscal_year": "Fiscal year",
    "fiscal_quarter": "Fiscal quarter",
    "fiscal_period": "Period in the company's own calendar",
}


def show_card(card: CorpusCard, row: DocumentRow) -> None:
    """Draw the fields of a filing's card with where each was read; of a corpus of one's own they can be edited."""
    lines = [
        f"{_LABELS.get(name, name)}: **{literal(value)}** (:gray[{literal(origin)}])"
        for name, value, origin in row.card
        if value
    ]
    with st.container():  # always there: the form below closes when something comes to stand above it
        if lines:
            st.markdown("  \n".join(lines))
    if card.name != backend.SAMPLE_CORPUS:
        _edit(card, row)


def _edit(card: CorpusCard, row: DocumentRow) -> None:
    known = {name: value for name, value, _ in row.card}
    with st.expander("Correct the details of this file", icon=":material/edit:"):
        with st.form(f"corpus_card_{card.name}_{row.document_id}", border=False):
            st.caption(
                "For company reports: questions that name the company, kind of report or period rely on these details."
            )
            halves = st.columns(2)
            typed = {
                name: halves[place % 2].text_input(_LABELS[name], value=known.get(name, ""))
                for place, name in enumerate(FIELDS)
            }
            saved = st.form_submit_button("Save", icon=":material/save:")
        _saved(card, row)
    if not saved:
        return
    changed = {name: text.strip() for name, text in typed.items() if text.strip() != known.get(name, "")}
    st.session_state[_SAVED] = (card.name, row.document_id, _save(card, row, changed))
    st.rerun()


def _save(card: CorpusCard, row: DocumentRow, changed: Mapping[str, str]) -> tuple[bool, str]:
    """Store the changed fields; return whether that worked, and the message."""
    if not changed:
        return True, "Nothing was changed."
    change = CorpusChange("edit_card", card.name, {"document_id": row.document_id, "fields": dict(changed)})
    with st.spinner("Saving"):
        try:
            changed_apart(change, lambda *_: None, lambda: False)
        except AdaqError as error:
            return False, f"Not saved. {upper_first(full_stop(str(error)))}"
    names = ", ".join(_LABELS[name] for name in changed)
    return True, f"Saved: {names}. Questions use it from now on."


def _saved(card: CorpusCard, row: DocumentRow) -> None:
    """Draw the message of the last Save, until something else is done."""
    name, document_id, (worked, words) = st.session_state.pop(_SAVED, ("", "", (True, "")))
    if (name, document_id) != (card.name, row.document_id):
        return
    if worked:
        st.info(literal(words), icon=":material/check:")
    else:
        st.error(literal(words), icon=":material/error:")


_SAVED = "corpus_card_saved"


_MOST_PASSAGES = 40
# More documents scroll.
_ROWS = 11


def show(card: CorpusCard) -> None:
    """Draw the table of documents, and beside it the chosen document."""
    rows = backend.library().documents(card.name)
    if not rows:
        _nothing_yet()
        return
    text = st.text_input(
        "Find documents",
        key="corpus_find",
        placeholder="Find documents by title, source, file or date",
        label_visibility="collapsed",
        icon=":material/search:",
        live="300ms",
    )
    result = matching(rows, text or "")
    if not result:
        st.info("No document matches. Try fewer words.", icon=":material/search_off:")
        return
    left, right = st.columns([3, 2], gap="medium")
    with left, st.container(key="corpus_side"):
        chosen = _table(card, result, of=len(rows))
    with right:
        _document(card, chosen)


def _nothing_yet() -> None:
    st.info("This corpus has no documents yet. Add some under “Add documents”.", icon=":material/library_books:")


def _table(card: CorpusCard, documents: list[DocumentRow], *, of: int) -> DocumentRow | None:
    values = document_values(documents)
    widths = column_widths(values)
    picked = st.dataframe(
        values,
        hide_index=True,
        key=f"corpus_table_{card.name}",
        on_select="rerun",
        selection_mode="single-row",
        selection_default={"selection": {"rows": [0]}},
        height="content" if len(documents) <= _ROWS else 440,
        column_config={
            name: st.column_config.Column(width=widths[name]) if name in widths else None
            for name in DocumentValue.__annotations__
        }
        | {"Words": st.column_config.NumberColumn(width=widths["Words"], format="localized")},
        alt="Documents of the corpus",
    )
    st.caption(f"{len(documents):,} of {count(of, 'document')}")
    rows = picked.selection.rows
    if rows and rows[0] < len(documents):
        return documents[rows[0]]
    return None


def _document(card: CorpusCard, row: DocumentRow | None) -> None:
    if row is None:
        st.caption(":material/arrow_back: Choose a document to see its passages.")
        return
    st.markdown(f"**{literal(short(row.title or row.document_id, LONGEST_TITLE))}**")
    st.caption(" · ".join(literal(part) for part in (row.source, row.date, row.file) if part))
    if row.duplicate_of:
        st.caption(f"The same text as {literal(row.duplicate_of)}, which is searched instead.")
    show_card(card, row)
    if card.name != backend.SAMPLE_CORPUS:
        ask_remove_document(card, row)
    with st.container(border=True):
        _passages(_passages_of(card, row))
    if row.passages > _MOST_PASSAGES:
        st.caption(f"The first {_MOST_PASSAGES} of {row.passages:,} passages are shown. All of them are searched.")


def _passages_of(card: CorpusCard, row: DocumentRow) -> list[Passage]:
    index = backend.library().open(card.name)
    return [index.passage(f"{row.document_id}#{number}") for number in range(min(row.passages, _MOST_PASSAGES))]


def _passages(passages: list[Passage]) -> None:
    if any(overlaps(passages)):
        st.caption("Highlighted: words that the previous passage contains too.")
    for passage, shared in zip(passages, overlaps(passages), strict=True):
        place = f" · {literal(passage.place)}" if passage.place else ""
        st.caption(f"Passage {passage.position + 1}{place} · characters {passage.start:,} to {passage.end:,}")
        text, key = in_rows(passage.text), f"corpus_passage_{passage.passage_id}"
        marked_text(text, quotes=[(0, shared)] if shared else [], key=key)


MODES: dict[Mode, str] = {"lexical": "By words", "dense": "By meaning", "hybrid": "Both"}
_HOW: dict[Mode, str] = {"lexical": "by words", "dense": "by meaning", "hybrid": "by words and by meaning"}
_SHOWN = 10
_LONGEST_QUERY = 400  # characters; a field with a limit takes nothing at all of a longer paste


def show_search(card: CorpusCard) -> None:
    """Draw a form to try a search, and its results."""
    if not card.passages:
        _nothing_yet()
        return
    with level_row("search"):
        query = st.text_input("Query", key="try_query", bind="query-params", placeholder="Words to search for")
        mode = st.segmented_control(
            "Search",
            list(MODES),
            default="lexical",
            required=True,
            format_func=lambda name: MODES[name],
            key="try_mode",
        )
    if mode != "lexical":
        show_meaning(backend.library(), card)
    if not query or not query.strip():
        st.caption("Type a query to see which passages it finds. No run is started.")
        return
    if len(query) > _LONGEST_QUERY:
        st.caption(f":orange[Only the first {_LONGEST_QUERY} of its {len(query):,} characters are searched for.]")
        query = query[:_LONGEST_QUERY]
    retriever = _retriever(card, mode or "lexical")
    result = retriever.retrieve(visible(query), top_k=_SHOWN)
    how = "by words, until search by meaning is prepared" if retriever.degraded else _HOW[mode or "lexical"]
    st.caption(f"{count(len(result), 'passage')} {how}")
    if not result:
        st.info("No passage matches. Try other words.", icon=":material/search_off:")
    terms = set(tokens(query)) if mode != "dense" or retriever.degraded else set[str]()
    for scored in result:
        _result(scored, terms)


def _retriever(card: CorpusCard, mode: Mode) -> DocumentRetriever:
    library = backend.library()
    vectors = whole_vectors(library, card.name) if mode != "lexical" else None
    return DocumentRetriever(library.open(card.name), mode, vectors=vectors)


def _result(scored: ScoredPassage, terms: Collection[str]) -> None:
    """Draw a passage, starting at the first word by which it was found."""
    passage = scored.passage
    matched = [(word.start, word.end) for word in spans(passage.text) if stem(word.word) in terms]
    with st.container(border=True, gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(
                f"**{scored.rank}. {literal(short(passage.title or passage.document_id, 90))}**", width="stretch"
            )
            st.caption(f"score {scored.score:.3g}", width="content")
            opened = st.button("Read", icon=":material/article:", type="tertiary", key=f"try_{passage.passage_id}")
        st.caption(emphasized(snippet_parts(passage.text, quotes=matched, width=260)))
    if opened:
        show_passage(passage, words={passage.text[start:end] for start, end in matched})
