"""How the next run searches: the popover with method and evidence size, joined with what the settings hold."""

from __future__ import annotations

from dataclasses import dataclass, field

import streamlit as st

from adaq_core.model import Budget, Settings
from pages._shared.common.words import method_label
from pages._shared.settings import choice as settings_choice
from pages._shared.settings.choice import Choice

LARGEST_K = 20
_DEFAULTS = Settings()


@dataclass(frozen=True, slots=True)
class NextRun:
    """What the controls and the settings ask of one run."""

    k: int = _DEFAULTS.k
    method: str = "adaptive"
    use_dense: bool = True
    learn: bool = False
    choice: Choice = field(default_factory=Choice)

    def settings(self, *, facet_profile: str | None = None) -> Settings:
        """The settings of the run; never more hops demanded than allowed."""
        return Settings(
            k=self.k,
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


def chosen(prefix: str = "ask") -> NextRun:
    """What the controls hold, or the defaults before they were shown."""
    get = st.session_state.get
    return NextRun(
        k=int(get(f"{prefix}_k", _DEFAULTS.k)),
        method=str(get(f"{prefix}_method", "adaptive")),
        use_dense=bool(get(f"{prefix}_dense", True)),
        learn=bool(get(f"{prefix}_learn", False)),
        choice=settings_choice.chosen(),
    )


def search_popover(methods: tuple[str, ...], *, prefix: str = "ask", with_method: bool = True) -> NextRun:
    """The controls behind one button whose label says what is set."""
    wanted = chosen(prefix)
    method = f"Method: {method_label(wanted.method)} · " if with_method else ""
    with st.popover(f"{method}k = {wanted.k}", icon=":material/manage_search:"):
        if with_method:
            st.selectbox(
                "Method",
                methods,
                index=methods.index("adaptive") if "adaptive" in methods else 0,
                format_func=method_label,
                key=f"{prefix}_method",
                persist_state="session",
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
            "Search by meaning too",
            value=True,
            key=f"{prefix}_dense",
            persist_state="session",
            help="Uses the vectors of the corpus when they are ready; without them the run searches by words.",
        )
        st.toggle(
            "Learn from earlier runs",
            key=f"{prefix}_learn",
            persist_state="session",
            help="ADAQ words its queries by what gained coverage in earlier runs on the same corpus.",
        )
    return chosen(prefix)
