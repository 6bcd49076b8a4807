"""How the next run will search: what is chosen for it, what it will take, and whether the model server is there."""

from __future__ import annotations

from dataclasses import dataclass, field

import streamlit as st

from adaq_core.errors import InputError
from adaq_core.llm.settings import read_settings
from adaq_core.model import Budget, Settings
from adaq_core.runs.forecast import forecast
from pages._shared.common import backend
from pages._shared.common.text import literal
from pages._shared.common.words import count, method_label, methods_help
from pages._shared.settings import choice as settings_choice
from pages._shared.settings.choice import Choice, short_name
from pages._shared.settings.pull import watch

LARGEST_K = 20
_DEFAULTS = Settings()


@dataclass(frozen=True, slots=True)
class NextRun:
    """What the controls and the settings ask of one run."""

    k: int = _DEFAULTS.k
    k_auto: bool = False
    method: str = "adaptive"
    use_dense: bool = True
    learn: bool = False
    choice: Choice = field(default_factory=Choice)

    def settings(self, *, facet_profile: str | None = None) -> Settings:
        """The settings of the run; never more hops demanded than allowed."""
        return Settings(
            k=self.k,
            k_auto=self.k_auto,
            max_hops=self.choice.hops,
            min_hops=min(_DEFAULTS.min_hops, self.choice.hops),
            facet_profile=facet_profile,
            use_dense=self.use_dense,
            ablate=self.choice.ablate,
            sources=self.choice.sources,
            learn=self.learn,
            entailment=self.choice.second_look and bool(self.choice.model),
        )

    def budget(self) -> Budget:
        """What the run may spend."""
        return self.choice.budget()

    @property
    def model(self) -> str | None:
        """The language model of the run; None for none."""
        return self.choice.run_model


def _grows(prefix: str) -> bool:
    """Whether the evidence size follows the aspects by default: on Ask it does, on Compare it does not."""
    return prefix == "ask"


def chosen(prefix: str = "ask") -> NextRun:
    """Return what the controls of the page hold, or the defaults before they were drawn."""
    get = st.session_state.get
    return NextRun(
        k=int(get(f"{prefix}_k", _DEFAULTS.k)),
        k_auto=bool(get(f"{prefix}_k_auto", _grows(prefix))),
        method=str(get(f"{prefix}_method", "adaptive")),
        use_dense=bool(get(f"{prefix}_dense", True)),
        learn=bool(get(f"{prefix}_learn", False)),
        choice=settings_choice.chosen(),
    )


def search_popover(methods: tuple[str, ...], *, prefix: str = "ask", with_method: bool = True) -> NextRun:
    """Draw the run's controls behind one button, whose label says what is set."""
    wanted = chosen(prefix)
    method = f"Method: {method_label(wanted.method)} · " if with_method else ""
    kept = f"{wanted.k}+ passages" if wanted.k_auto else count(wanted.k, "passage")
    with st.popover(f"{method}{kept}", icon=":material/manage_search:"):
        if with_method:
            st.selectbox(
                "Method",
                methods,
                index=methods.index("adaptive") if "adaptive" in methods else 0,
                format_func=method_label,
                key=f"{prefix}_method",
                persist_state="session",
                help=methods_help(methods),
            )
        st.number_input(
            "Evidence size (k)",
            min_value=1,
            max_value=LARGEST_K,
            value=_DEFAULTS.k,
            step=1,
            key=f"{prefix}_k",
            persist_state="session",
            help="Passages that the answer may cite.",
        )
        st.toggle(
            "More passages for more aspects",
            value=_grows(prefix),
            key=f"{prefix}_k_auto",
            persist_state="session",
            help="One passage for each aspect of the question: at least k, at most 25.",
        )
        st.toggle(
            "Search by meaning too",
            value=True,
            key=f"{prefix}_dense",
            persist_state="session",
            help="Where search by meaning has been prepared for the corpus; else the run searches by words.",
        )
        st.toggle(
            "Learn from earlier runs",
            key=f"{prefix}_learn",
            persist_state="session",
            help="ADAQ words its queries in the ways that gained coverage in earlier runs on the same corpus.",
        )
        if prefix == "ask":
            st.toggle(
                "Show the hops one by one",
                value=True,
                key="ask_paced",
                persist_state="session",
                help="A quick run is shown at a pace that can be followed, before its answer. Off: the answer at once.",
            )
    return chosen(prefix)


_SERVER_TROUBLE = {"down": "The model server does not answer", "refused": "The model server rejected the key"}


def show_forecast(wanted: NextRun, *, corpus: str, facet_profile: str | None, by_rules: bool) -> None:
    """Say in one line what the run is likely to take; draw nothing while no similar runs are stored.

    `by_rules` where its model cannot be used: it takes what a run without one takes.
    """
    result = forecast(
        backend.store(),
        corpus=corpus,
        method=wanted.method,
        model=None if by_rules else wanted.model,
        settings=wanted.settings(facet_profile=facet_profile),
    )
    if result is None:
        return
    quick = result.seconds is not None and result.seconds.high < 1
    words = literal(result.words)
    st.caption(f":material/timer: Likely {'under a second' if quick else words}", help=words if quick else None)


_A_MOMENT = 0.3  # seconds: a server on this computer has answered by then, or there is none


def server_trouble(choice: Choice) -> str:
    """Return why the chosen model cannot be used now, as Markdown; "" if it can, or nobody knows after a short wait."""
    if choice.run_model is None:
        return ""
    try:
        settings = read_settings()
    except InputError as error:
        return f"{literal(str(error))} The run would use rules."
    seen = watch.seen(settings, wait=_A_MOMENT)
    if seen is None:
        return ""
    if seen.problem in ("down", "refused", "other"):
        words = _SERVER_TROUBLE.get(seen.problem, "The model server cannot be used")
        return f"{words}: the run would use rules. The settings say what to do."
    lacks = [name for name in (choice.model, choice.writer) if name and seen.model(name) is None]
    if not lacks or seen.problem == "unlisted":
        return ""
    what = "download it in the settings" if seen.provider == "ollama" else "choose another in the settings"
    return f"{literal(short_name(lacks[0]))} is not on the model server; {what}."
