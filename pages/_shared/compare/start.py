"""Choosing what to compare: a question, the corpus, the methods; and running them as one group."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import streamlit as st

from adaq_core.methods import needs_vectors
from adaq_core.model import QueryAspect
from adaq_core.runs.execute import RunSpec
from pages._shared.ask.empty import corpus_picker, no_corpus, show_empty
from pages._shared.ask.next_run import chosen, search_popover
from pages._shared.ask.start import is_searchable, objection
from pages._shared.common import backend
from pages._shared.common.chrome import level_row, object_to, objecting, show_objection
from pages._shared.common.text import literal, short
from pages._shared.common.words import ago, count, method_label, methods_help
from pages._shared.settings.dialog import summary_button

if TYPE_CHECKING:
    from adaq_core.store.rows import RunRow
    from pages._shared.run.comparison import Column

PREFERRED_REFERENCES = ("static", "bm25", "dense", "iterative", "multi_query", "adaptive")
# None of these waits for vectors of the corpus, which take a minute to make the first time.
FIRST_CHOICE = ("adaptive", "bm25", "iterative")


FORM = "compare_form"


def show_start() -> None:
    """Draw the page without a comparison: a question to compare on, and earlier comparisons."""
    with st.container(key=FORM):
        _form()


def _form() -> None:
    st.title("Compare ADAQ with other methods", anchor=False)
    st.caption("One question, the same corpus, evidence size and budget for every method; each is a run of its own.")
    cards = backend.corpora()
    _question()
    with st.container(horizontal=True, vertical_alignment="center"):
        card = corpus_picker(cards) if cards else None
        search_popover(backend.method_names(), prefix="compare", with_method=False)
        summary_button("compare_settings")
    if card:
        show_empty(card)
    methods = method_pills("compare_methods")
    show_objection()
    st.button(
        f"Run {count(len(methods), 'method')}",
        icon=":material/play_arrow:",
        type="primary",
        disabled=len(methods) < 2 or not is_searchable(card),
        on_click=_run_new,
        key="compare_run",
    )
    if not cards:
        no_corpus()
    elif len(methods) < 2:
        st.caption("Choose at least two methods.")
    _earlier()


def _question() -> None:
    """Draw a field for the question, which keeps what is typed, and questions to take over into it."""
    past = [row.question for row in backend.store().runs(limit=100, in_experiment=False)]
    samples = [sample.question for sample in backend.sample_questions()]
    with level_row("compare_question"):
        st.text_input(
            "Question",
            key=_QUESTION,
            placeholder="What do you want to compare the methods on?",
            persist_state="session",
        )
        st.selectbox(
            "Or choose one",
            list(dict.fromkeys([*past, *samples])),
            index=None,
            key=_TAKEN,
            placeholder="Earlier questions and samples",
            width=300,
            on_change=_take,
        )


def _take() -> None:
    """Put the chosen question into the field and clear the choice."""
    st.session_state[_QUESTION] = st.session_state[_TAKEN] or st.session_state[_QUESTION]
    st.session_state[_TAKEN] = None


_QUESTION, _TAKEN = "compare_question", "compare_taken"


def method_pills(key: str, *, leave_out: Collection[str] = (), first: Sequence[str] = FIRST_CHOICE) -> list[str]:
    """Draw the methods to choose from, in their fixed order; `first` are preselected."""
    names = [name for name in backend.method_names() if name not in leave_out]
    default = [name for name in first if name in names]
    picked = st.pills(
        "Methods",
        names,
        selection_mode="multi",
        default=default,
        format_func=method_label,
        key=key,
        wrap=True,
        help=methods_help(names),
    )
    return [name for name in names if name in picked]


def _run_new() -> None:
    question = str(st.session_state.get(_QUESTION) or "")
    wrong = objection(question)
    if wrong:
        object_to(wrong)
        return
    wanted = chosen("compare")
    group = f"g-{secrets.token_hex(3)}"
    corpus = st.session_state.get("ask_corpus") or backend.SAMPLE_CORPUS
    picked = st.session_state.get("compare_methods") or []
    with_meaning = any(map(needs_vectors, picked))  # then for all: with some it would be no fair comparison
    with objecting():
        for method in [name for name in backend.method_names() if name in picked]:
            backend.runner().submit(
                RunSpec(method, question, settings=wanted.settings(), budget=wanted.budget()),
                corpus=corpus,
                model=wanted.model,
                group=group,
                waits_for_vectors=with_meaning,
            )
        open_group(group)


def best_reference(columns: Sequence[Column]) -> str:
    """Return the default reference: a baseline, so that ADAQ's differences have a plus where it is better.

    One that failed measures nothing, as long as there is another.
    """
    names = [column.name for column in columns if not column.failed] or [column.name for column in columns]
    return next((name for name in PREFERRED_REFERENCES if name in names), names[0])


def add_methods(group: str, first: RunRow, methods: Sequence[str], aspects: Sequence[QueryAspect]) -> None:
    """Run more methods on the question of `first`, under the same conditions and for the same aspects; show all."""
    st.session_state.c_sys = []
    with objecting():
        for method in methods:
            backend.runner().submit(
                RunSpec(method, first.question, first.settings, first.budget, tuple(aspects) or None),
                corpus=first.corpus,
                model=first.model,
                group=group,
            )


def open_group(group: str | None) -> None:
    """Show this comparison; None returns to the start page."""
    # Not cleared: that is an error while a control is in the address.
    st.query_params.from_dict({"group": group} if group else {})
    object_to(None)


# A comparison is called by `begin` or by the run that it began with; any other group is an experiment.
_OURS = ("g-", "r-")
_NAMED = 4


def _earlier() -> None:
    groups = [group for group in backend.store().choices("group") if group.startswith(_OURS)][:6]
    if not groups:
        return
    st.markdown("**Earlier comparisons**")
    for group in groups:
        rows = backend.group_rows(group)
        names = list(dict.fromkeys(method_label(row.method) for row in rows))
        labels = ", ".join(names) if len(names) <= _NAMED else count(len(names), "method")  # one line for each
        st.button(
            f"{literal(short(rows[0].question, 90))} :gray[:small[{labels} · {ago(rows[0].created_at)}]]",
            key=f"compare_open_{group}",
            type="tertiary",
            icon=":material/compare:",
            on_click=open_group,
            args=(group,),
        )
