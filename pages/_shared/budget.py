"""What bounds a run, as a popover: hops, evidence size, time, method; kept while the session lasts."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from adaq_core.model import Budget, Settings
from pages._shared.words import count, method_label

MOST_HOPS, LARGEST_K, LONGEST_SECONDS = 20, 20, 600
_DEFAULTS = Settings()


@dataclass(frozen=True, slots=True)
class Bounds:
    """What the user allows one run."""

    max_hops: int = _DEFAULTS.max_hops
    k: int = _DEFAULTS.k
    max_seconds: int = 0
    method: str = "adaptive"
    use_dense: bool = True

    def settings(self, *, facet_profile: str | None = None) -> Settings:
        """The settings of the run; never more hops demanded than allowed."""
        return Settings(
            k=self.k,
            max_hops=self.max_hops,
            min_hops=min(_DEFAULTS.min_hops, self.max_hops),
            facet_profile=facet_profile,
            use_dense=self.use_dense,
        )

    def budget(self) -> Budget:
        """The budget of the run; no time limit when `max_seconds` is 0."""
        return Budget(max_seconds=float(self.max_seconds) if self.max_seconds else None)

    def summary(self) -> str:
        """In a few words: `10 hops · 5 passages as evidence · 60 s`."""
        parts = [count(self.max_hops, "hop"), f"k = {self.k}"]
        parts += [f"{self.max_seconds} s"] if self.max_seconds else []
        return " · ".join(parts)


def chosen(prefix: str = "ask") -> Bounds:
    """What the controls hold, or the defaults before they were shown."""
    get = st.session_state.get
    return Bounds(
        max_hops=int(get(f"{prefix}_hops", _DEFAULTS.max_hops)),
        k=int(get(f"{prefix}_k", _DEFAULTS.k)),
        max_seconds=int(get(f"{prefix}_seconds", 0)),
        method=str(get(f"{prefix}_method", "adaptive")),
        use_dense=bool(get(f"{prefix}_dense", True)),
    )


def budget_popover(methods: tuple[str, ...], *, prefix: str = "ask", with_method: bool = True) -> Bounds:
    """The controls behind one button whose label says what is set."""
    bounds = chosen(prefix)
    with st.popover(f"Budget: {bounds.summary()}", icon=":material/tune:"):
        _number("Most hops", f"{prefix}_hops", 1, MOST_HOPS, _DEFAULTS.max_hops, "A run stops here at the latest.")
        _number("Evidence size (k)", f"{prefix}_k", 1, LARGEST_K, _DEFAULTS.k, "Passages that the answer may cite.")
        _number("Time limit in seconds", f"{prefix}_seconds", 0, LONGEST_SECONDS, 0, "0 means no limit.")
        st.toggle(
            "Search by meaning too",
            value=True,
            key=f"{prefix}_dense",
            persist_state="session",
            help="Uses the vectors of the corpus when they are ready; without them the run searches by words.",
        )
        if with_method:
            st.selectbox(
                "Method",
                methods,
                index=methods.index("adaptive") if "adaptive" in methods else 0,
                format_func=method_label,
                key=f"{prefix}_method",
                persist_state="session",
            )
    return chosen(prefix)


def _number(label: str, key: str, low: int, high: int, default: int, help_text: str) -> None:
    st.number_input(
        label, min_value=low, max_value=high, value=default, step=1, key=key, persist_state="session", help=help_text
    )
