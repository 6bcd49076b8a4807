"""Which runs the list shows: search, filters and order in the URL, and saved views, a name for what they say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs, urlencode

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from adaq_core.store import Criteria
from pages._shared.common import backend
from pages._shared.common.text import literal
from pages._shared.common.words import count, method_label
from pages._shared.run.verdict import NOT_CLEAR, NOT_JUDGED, OUTCOMES, SHOWN_OUTCOMES, unanswered_words

PAGE_SIZE = 25
_KEYS = ("t_q", "t_sort", "t_outcome", "t_method", "t_corpus", "t_rated", "t_age", "t_all")
RATINGS = {"useful": 1, "not useful": -1}
AGES = {"last hour": timedelta(hours=1), "last day": timedelta(days=1), "last week": timedelta(weeks=1)}
ORDERS = {
    "Newest": "-created_at",
    "Oldest": "created_at",
    "Question": "question",
    "Least covered": "percentage",
    "Most covered": "-percentage",
    "Most hops": "-hops",
    "Slowest": "-elapsed",
    "Best rated": "-rating",
}


_NAMES = {
    "t_sort": "order",
    "t_outcome": "outcome",
    "t_method": "method",
    "t_corpus": "corpus",
    "t_rated": "rating",
    "t_age": "time",
}


def named() -> dict[str, dict[str, str]]:
    """Return the choices of each filter by their words in the address."""
    store = backend.store()
    return {
        "t_sort": {name: name for name in ORDERS},
        "t_outcome": {words.capitalize(): name for name, words in SHOWN_OUTCOMES.items()},
        "t_method": {method_label(name): name for name in store.choices("method")},
        "t_corpus": {name: name for name in store.choices("corpus")},
        "t_rated": {name.capitalize(): name for name in RATINGS},
        "t_age": {name.capitalize(): name for name in AGES},
    }


def respelled(value: str, choices: Mapping[str, str]) -> str:
    """Return today's word for a choice that a link names in other letters or by its inner name."""
    word = value.strip().casefold()
    return next((words for words, name in choices.items() if word in (words.casefold(), name.casefold())), value)


def take_linked() -> list[str]:
    """Put a link's choices into today's words before the filters read them; return those no filter knows.

    That must be said, because nothing is filtered by it.
    """
    linked = {key: st.query_params.get_all(key) for key in _NAMES if key not in st.session_state}
    known = named() if any(linked.values()) else {}
    today = {key: [respelled(value, known[key]) for value in values] for key, values in linked.items() if values}
    if changed := {key: values for key, values in today.items() if values != linked[key]}:
        st.query_params.update(changed)
        st.rerun()
    return [f"{_NAMES[key]} “{value}”" for key, values in today.items() for value in values if value not in known[key]]


def filters(search: DeltaGenerator, bar: DeltaGenerator) -> tuple[Criteria, str]:
    """Draw the filters; return the store's criteria and the order."""
    text = search.text_input(
        "Search",
        key="t_q",
        bind="query-params",
        type="search",
        placeholder="Question, id, note or tag",
        width=230,
        live="300ms",
    )
    order = search.selectbox("Order", list(ORDERS), key="t_sort", bind="query-params", width=140)
    outcomes = search.pills(
        "Outcome",
        list(SHOWN_OUTCOMES),
        selection_mode="multi",
        key="t_outcome",
        bind="query-params",
        format_func=lambda name: SHOWN_OUTCOMES[name].capitalize(),
    )
    with bar.popover(_more_label(), icon=":material/filter_list:", key="trace_more"):
        methods, corpus, rated, age = _more()
    asked = Criteria() if _takes_experiments(bar) else Criteria(in_experiment=False)
    criteria = Criteria(
        text=text or "",
        methods=methods,
        **_with_outcomes(outcomes),
        corpus=corpus or "",
        rating=RATINGS.get(rated or ""),
        since=datetime.now(UTC) - AGES[age] if age else None,
        **asked,
    )
    return criteria, ORDERS[order or "Newest"]


# What the pages call runs that found nothing, by their questions.
_WITHOUT_ANSWER = (OUTCOMES["nothing"], NOT_JUDGED, NOT_CLEAR)


def _with_outcomes(chosen: Sequence[str]) -> Criteria:
    """Restrict the criteria to the chosen outcomes; runs without an answer are told apart by their questions."""
    wanted = {SHOWN_OUTCOMES[name] for name in chosen} & set(_WITHOUT_ANSWER)
    if not wanted:
        return Criteria(outcomes=chosen)
    asked = [each for each in backend.store().choices("unanswered") if unanswered_words(each) in wanted]
    known = [name for name in chosen if name in SHOWN_OUTCOMES]
    return Criteria(outcomes=[*known, "nothing"], unanswered=asked or [_NO_QUESTION])


_NO_QUESTION = ""


def _takes_experiments(bar: DeltaGenerator) -> bool:
    """Whether runs of experiments are listed: among hundreds of them nobody finds what was asked by hand."""
    made = backend.store().count(in_experiment=True)
    if made in (0, backend.store().count()):
        return True
    label = f"Show {count(made, 'run')} of experiments"
    return bool(bar.toggle(label, key="t_all", bind="query-params"))


def _more_label() -> str:
    keys = ("t_method", "t_corpus", "t_rated", "t_age")
    # At first what a link says has not come to the filters yet.
    chosen = sum(
        bool(st.session_state.get(key) or (key in st.query_params and key not in st.session_state)) for key in keys
    )
    return f"Filters: {chosen}" if chosen else "Filters"


def _more() -> tuple[list[str], str | None, str | None, str | None]:
    store = backend.store()
    methods = st.pills(
        "Method",
        store.choices("method"),
        selection_mode="multi",
        key="t_method",
        bind="query-params",
        format_func=method_label,
    )
    corpora = store.choices("corpus")
    corpus = st.selectbox("Corpus", corpora, index=None, key="t_corpus", bind="query-params", placeholder="Any")
    rated = st.pills("Rated", list(RATINGS), key="t_rated", bind="query-params", format_func=str.capitalize)
    age = st.pills("Started in the", list(AGES), key="t_age", bind="query-params", format_func=str.capitalize)
    return methods, corpus, rated, age


def clear() -> None:
    """Take every filter off."""
    empty: dict[str, object] = {"t_method": [], "t_outcome": [], "t_corpus": None, "t_rated": None, "t_age": None}
    st.session_state.update({"t_q": "", **empty})


def views_popover() -> None:
    """Let the user choose, save or delete a saved view."""
    views = backend.store().views()
    with st.popover("Views", icon=":material/bookmark:"):
        for name in views:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.button(literal(name), key=f"view_{name}", type="tertiary", on_click=_choose, args=(views[name],))
                st.space("stretch")
                st.button("Delete", key=f"view_delete_{name}", on_click=backend.store().delete_view, args=(name,))
        if not views:
            st.caption("A saved view keeps search, filters and order under a name.")
        name = st.text_input("Name of this view", key="trace_view_name", placeholder="e.g. failed this week")
        st.button("Save this view", disabled=not name, on_click=_save, args=(name or "",))


def take_chosen() -> None:
    """Put a chosen view into the filters, before they are drawn."""
    chosen = st.session_state.pop("trace_view_chosen", None)
    if chosen is None:
        return
    values = parse_qs(chosen)
    st.session_state["t_q"] = "".join(values.get("t_q", [""]))
    st.session_state["t_sort"] = "".join(values.get("t_sort", ["Newest"]))
    st.session_state["t_method"] = values.get("t_method", [])
    st.session_state["t_outcome"] = [name for name in values.get("t_outcome", []) if name in SHOWN_OUTCOMES]
    st.session_state["t_all"] = "t_all" in values
    for key, choices in (("t_corpus", None), ("t_rated", RATINGS), ("t_age", AGES)):
        named = "".join(values.get(key, []))
        st.session_state[key] = named if named and (choices is None or named in choices) else None


def _choose(query: str) -> None:
    st.session_state["trace_view_chosen"] = query


def _save(name: str) -> None:
    values = {key: st.session_state.get(key) for key in _KEYS}
    backend.store().save_view(name, urlencode({k: v for k, v in values.items() if v}, doseq=True))
    st.session_state["trace_view_name"] = ""
