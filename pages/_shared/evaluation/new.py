"""A new experiment: which questions, which methods, under which conditions, how long it will take; and its start."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from pathlib import Path

import streamlit as st

from adaq_core.datasets import VARIABLE
from adaq_core.datasets.beir import NO_JUDGMENT, bundled_names, splits, where_to_get_sets
from adaq_core.datasets.judged import JudgedQuestion
from adaq_core.errors import AdaqError, DatasetError, InputError
from adaq_core.evaluation.request import Request, default_reference, estimate, start
from adaq_core.evaluation.sets_from_runs import MadeSet, corpora_of_runs, make_set
from adaq_core.evaluation.variants import OTHERS, SWEEPS, WITHOUT
from adaq_core.llm.chats import checked_model
from pages._shared.common import backend
from pages._shared.common.chrome import objecting
from pages._shared.common.text import literal, sentence
from pages._shared.common.words import count, methods_help
from pages._shared.common.words import listed as listed_words
from pages._shared.compare.start import FIRST_CHOICE
from pages._shared.evaluation.cells import estimate_line, variant_label
from pages._shared.evaluation.page import open_experiment
from pages._shared.evaluation.read import has_datasets_folder, key_of, listed, question_set, sets_at_hand
from pages._shared.run.model_calls import name_of
from pages._shared.settings.choice import chosen

_MADE = "e_made_set"


def show_make_set(known: Collection[str]) -> None:
    """Draw a popover that makes a question set of stored runs; nothing while there is no finished run."""
    corpora = corpora_of_runs(backend.store(), backend.library())
    if not corpora:
        return
    with st.popover(
        "Make a set from my runs", icon=":material/playlist_add_check:", type="tertiary", key="n_from_runs"
    ):
        st.markdown(
            "The questions of your finished runs become a question set. Passages cited by a run that you rated useful "
            "are gold; other questions have no judgments. That favours the method of those runs: what others find "
            "elsewhere is not judged. The documents are copied into the set."
        )
        names = ["my runs", *(f"my runs {number}" for number in range(2, len(known) + 3))]
        free = next(name for name in names if name not in known)
        name = st.text_input("Name", value=free, key=f"n_set_name_{free}")
        corpus = st.selectbox("Runs on the corpus", corpora, key="n_set_corpus")
        st.button("Make the set", icon=":material/add:", key="n_make_set", on_click=_make, args=(name.strip(), corpus))
        made: MadeSet | None = st.session_state.get(_MADE)
        if made is not None:
            judged = f"{made.judged:,} with a judgment" if made.judged else "none with a judgment: rate a run as useful"
            st.caption(
                f":material/check: {literal(made.folder.name)}, chosen above: "
                f"{count(made.questions, 'question')}, {judged}."
            )


def _make(name: str, corpus: str) -> None:
    """Make the question set and say so, or what is wrong with it."""
    with objecting():
        st.session_state[_MADE] = make_set(backend.store(), backend.library(), name, corpus=corpus)


SMOKE = Request("general", methods=("adaptive", "bm25", "static"), limit=10, dense=False)
_MOST = 10_000
_BEGIN = "n_begin"


def show_new() -> None:
    """Draw the form for a new experiment; the estimate follows every change."""
    sets, without_documents, wrong = sets_at_hand()
    if wrong:
        st.warning(literal(wrong), title=f"{VARIABLE} cannot be used", icon=":material/folder_off:")
    if not sets:
        st.error("No question set was found, not even the bundled ones. Reinstall ADAQ.", icon=":material/error:")
        return
    request = _asked(sets)
    with st.container(horizontal=True):
        show_make_set(sets)
        _more_sets(without_documents)
    _go(request, sets)


def begin(request: Request) -> None:
    """Have the page start this experiment when it is drawn next."""
    st.session_state[_BEGIN] = request


def start_asked_for() -> None:
    """Start the experiment that was asked for and show it, or say what is wrong with it.

    A callback would read the questions before anything on the page moves.
    """
    if request := st.session_state.pop(_BEGIN, None):
        st.progress(0.0, text="Starting")
        with objecting():
            open_experiment(key_of(start(request, store=backend.store()).folder))
        st.rerun()


def set_label(name: str, *, bundled: Collection[str]) -> str:
    """Return the name of a question set, and whether it came with ADAQ."""
    return f"{name} (bundled)" if name in bundled else name


def _asked(sets: Mapping[str, Path]) -> Request:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        made: MadeSet | None = st.session_state.get(_MADE)
        first = made.folder.name if made else SMOKE.dataset
        at = list(sets).index(first) if first in sets else 0
        label = partial(set_label, bundled=bundled_names())
        # A set that was made a moment ago is chosen: under another key, the choice before it does not stay.
        name = st.selectbox("Question set", list(sets), at, format_func=label, key=f"n_set_{first}", width=240)
        folder = sets[name]
        known = _splits(folder)
        split = st.selectbox("Split", known, key="n_split", width=110) if len(known) > 1 else known[0]
        every = st.session_state.get("n_all", False)
        drawn = st.number_input(
            "Questions", 1, _MOST, 10, key="n_limit", width=120, disabled=every, help="Drawn at random with the seed."
        )
        limit = None if st.toggle("All", key="n_all", help="All questions of the set.") else drawn
        k = st.number_input("k", 1, 100, 5, key="n_k", width=110, help="How many passages the evidence may hold.")
        seed = st.number_input(
            "Seed", 0, None, 0, key="n_seed", width=110, help="Used to draw the questions and to compute the intervals."
        )
    _about(folder)
    methods = _methods()
    with st.expander("More: ablations, language model, reference"):
        ablate, model, reference, dense = _more(methods)
    return Request(
        name,
        split,
        tuple(methods),
        tuple(ablate),
        k=k,
        limit=limit,
        seed=seed,
        model=_model_named(model),
        reference=reference if reference in methods else None,
        dense=dense,
    )


def _splits(folder: Path) -> tuple[str, ...]:
    try:
        return splits(folder) or ("dev",)
    except DatasetError:
        return ("dev",)  # what is wrong with the set is said where its questions are read


def _model_named(text: str) -> str | None:
    """Return the model as a run records it; None for no model, or a bad name, which is said."""
    if not text.strip():
        return None
    try:
        return checked_model(text)
    except InputError as error:
        st.warning(f"{literal(str(error))} Without a name the experiment has no model.", icon=":material/edit_note:")
        return None


def _about(folder: Path) -> None:
    """Return what the set's makers say of it."""
    card = folder / "dataset.json"
    try:
        words = str(json.loads(card.read_text(encoding="utf-8")).get("description", ""))
    except (OSError, ValueError, AttributeError):
        words = ""  # BEIR folders have no such card, and it is checked when the set is loaded
    if words:
        st.caption(literal(words))


def _methods() -> list[str]:
    names = backend.method_names()
    picked = st.pills(
        "Methods",
        names,
        selection_mode="multi",
        default=[name for name in FIRST_CHOICE if name in names],
        format_func=variant_label,
        key="n_methods",
        wrap=True,
        help=methods_help(names),
    )
    return [name for name in names if name in picked]


def _more(methods: list[str]) -> tuple[list[str], str, str, bool]:
    meanings = {**WITHOUT, **OTHERS, **{name: f"sweep: {', '.join(each)}" for name, each in SWEEPS.items()}}
    ablate = st.multiselect(
        "Ablations of ADAQ",
        list(meanings),
        format_func=lambda name: f"{name.replace('_', ' ')}: {meanings[name]}",
        key="n_ablate",
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        reference = st.selectbox(
            "Reference",
            methods or [""],
            index=methods.index(default_reference(methods)) if methods else 0,
            format_func=variant_label,
            key=f"n_reference_{'-'.join(methods)}",
            width=200,
        )
        model = st.text_input(
            "Language model",
            value=chosen().run_model or "",
            key=f"n_model_{chosen().run_model}",  # what is chosen in the settings meanwhile goes before what was typed
            placeholder="none",
            width=260,
            help="One name, or two with a comma between: the second writes the answer. Leave empty for none.",
        )
        dense = st.toggle("Search by meaning for the methods that need it", value=True, key="n_dense")
    return ablate, model, reference, dense


def judged_words(questions: Sequence[JudgedQuestion]) -> str:
    """Return how many questions have judgments; "" if all have."""
    judged = sum(bool(q.gold or q.subtopics or q.facts or q.answers or q.is_unanswerable) for q in questions)
    if judged >= len(questions):
        return ""
    if not judged:
        return "None of these questions has judgments, so what is found is not measured."
    have = f"{judged:,} of these {count(len(questions), 'question')} {'has' if judged == 1 else 'have'} judgments"
    return f"{have}; for the others what is found is not measured."


def _more_sets(without_documents: Sequence[str]) -> None:
    """Draw a popover that says where more sets come from, and which are here without their documents."""
    if has_datasets_folder() and not without_documents:
        return
    with st.popover("More question sets", icon=":material/library_add:", type="tertiary"):
        if without_documents:
            names = literal(listed_words(without_documents))
            st.markdown(f"Without their documents on this computer, so they cannot be chosen: {names}.")
        if has_datasets_folder():
            return
        st.markdown(
            f"Start ADAQ with `{VARIABLE}` set to a folder of question sets, and they can be chosen here. Nothing is "
            "downloaded by itself."
        )
        st.code(where_to_get_sets(), language=None, wrap_lines=True)


def _go(request: Request, sets: Mapping[str, Path]) -> None:
    """Draw the estimate, the start button, and whether the same experiment was run before."""
    if not request.methods:
        st.caption("Choose at least one method.")
        return
    try:
        loaded = question_set(str(sets[request.dataset]), request.split)
        plan = request.plan(loaded)
        model = name_of(request.model) if request.model else ""
        cost = estimate(request, plan, listed().values())
        line = estimate_line(cost, questions=len(plan.chosen), model=model)
    except AdaqError as error:
        st.error(sentence(error), icon=":material/error:")
        return
    sampled = f"{len(plan.chosen):,} of " if len(plan.chosen) < len(loaded) else ""
    if words := judged_words(plan.chosen):
        st.caption(f":orange[:material/info:] {words}")
    for remark in loaded.remarks:
        if remark != NO_JUDGMENT:  # said above
            st.caption(f":orange[:material/info:] {sentence(remark)}")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            f"Run {sampled}{count(len(loaded), 'question')} × {count(len(plan.variants), 'method')}",
            type="primary",
            icon=":material/play_arrow:",
            on_click=begin,
            args=(request,),
            key="n_run",
        )
        asked = f"Asks {model}. " if model else ""
        st.caption(literal(asked + line), width="stretch")
    if request.folder().is_dir():
        st.caption(
            "This was run before. It opens, and only what is missing or was made by another version is run again."
        )
