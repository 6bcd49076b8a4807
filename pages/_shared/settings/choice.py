"""What the user set for all runs to come: model, its stages, live sources, limits. Kept by the session and the store.

No key is ever part of it. A run keeps what it began with.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

import streamlit as st

from adaq_core.errors import InputError
from adaq_core.llm.chats import BOTH
from adaq_core.model import Budget, Settings
from pages._shared.common import backend
from pages._shared.common.words import count

STAGES = {
    "plan": "find the aspects",
    "refine": "word the queries",
    "read": "read the passages",
    "critique": "score the coverage",
    "synthesise": "write the answer",
}
SECOND_LOOK = "entail"
MOST_HOPS, MOST_SECONDS, MOST_TOKENS, MOST_CALLS, MOST_USD = 20, 36_000, 100_000_000, 10_000, 1_000.0
_KEY = "app_choice"
_DEFAULTS = Settings()


@dataclass(frozen=True, slots=True)
class Choice:
    """The settings of the runs to come; an empty `model` and a limit of 0 mean without.

    `off` are stages kept to rules. With `second_look` the model is asked again whether its answer follows from what it
    cites.
    """

    model: str = ""
    writer: str = ""
    off: tuple[str, ...] = ()
    second_look: bool = False
    sources: tuple[str, ...] = ()
    hops: int = _DEFAULTS.max_hops
    tokens: int = 0
    seconds: int = 0
    calls: int = 0
    usd: float = 0.0

    @property
    def run_model(self) -> str | None:
        """Return the model as a run takes it: one name, two if another writes the answer, None for no model."""
        names = dict.fromkeys(name for name in (self.model, self.writer) if name)
        return BOTH.join(names) if self.model else None

    @property
    def ablate(self) -> tuple[str, ...]:
        """Return the stages kept to rules, as a run's settings name them; none without a model."""
        if self.model:
            return tuple(f"model_{stage}" for stage in STAGES if stage in self.off)
        return ()

    def budget(self) -> Budget:
        """Return the limits besides the number of hops."""
        return Budget(
            max_tokens=self.tokens or None,
            max_seconds=float(self.seconds) or None,
            max_usd=self.usd or None,
            max_calls=self.calls or None,
        )

    def summary(self) -> str:
        """Return a summary such as `llama3.2 · 3 sources · up to 10 hops · 20,000 tokens`; not escaped."""
        names = [short_name(name) for name in dict.fromkeys((self.model, self.writer)) if name]
        parts = [" + ".join(names) or "No model"]
        parts += [count(len(self.sources), "source")] if self.sources else []
        parts += [f"up to {count(self.hops, 'hop')}"]
        parts += [count(self.tokens, "token")] if self.tokens else []
        parts += [f"{self.seconds} s"] if self.seconds else []
        parts += [count(self.calls, "call")] if self.calls else []
        parts += [f"${self.usd:g}"] if self.usd else []
        return " · ".join(parts)


def short_name(model: str) -> str:
    """Return the display name of a model, without the tag for the newest build."""
    return model.removesuffix(":latest")


def chosen() -> Choice:
    """Return the settings in force: the session's, else those chosen last, else the defaults."""
    known = st.session_state.get(_KEY)
    if isinstance(known, Choice):
        return known
    kept = backend.store().setting(_KEY)
    st.session_state[_KEY] = from_json(kept) if isinstance(kept, Mapping) else usual()
    return st.session_state[_KEY]  # type: ignore[no-any-return]


def keep(**changed: Any) -> None:
    """Store a change for this session and the next ones."""
    choice = replace(chosen(), **changed)
    st.session_state[_KEY] = choice
    backend.store().set_setting(_KEY, asdict(choice))


def usual() -> Choice:
    """Return the defaults: no model, and the limits of the machine's settings."""
    from adaq_core.llm.settings import read_settings

    try:
        limits = read_settings().budget
    except InputError:  # said in the dialog, where it can be mended
        return Choice()
    return Choice(
        tokens=limits.max_tokens or 0,
        seconds=round(limits.max_seconds or 0),
        calls=limits.max_calls or 0,
        usd=limits.max_usd or 0.0,
    )


def from_json(kept: Mapping[str, Any]) -> Choice:
    """Read the stored settings; a value that this version cannot use gets its default."""
    start, usable = Choice(), dict[str, Any]()
    for field in fields(Choice):
        value = kept.get(field.name)
        usual_value = getattr(start, field.name)
        if isinstance(usual_value, tuple) and isinstance(value, list):
            usable[field.name] = tuple(part for part in value if part in _known(field.name))
        elif field.name in _RANGES and isinstance(value, int | float) and not isinstance(value, bool):
            low, high = _RANGES[field.name]
            usable |= {field.name: type(usual_value)(value)} if low <= value <= high else {}
        elif isinstance(value, str | bool) and type(value) is type(usual_value):
            usable[field.name] = value
    return replace(start, **usable)


_RANGES = {
    "hops": (1, MOST_HOPS),
    "tokens": (0, MOST_TOKENS),
    "seconds": (0, MOST_SECONDS),
    "calls": (0, MOST_CALLS),
    "usd": (0, MOST_USD),
}


def _known(name: str) -> Collection[str]:
    """Return the values allowed in a list field: the stages, or the sources."""
    if name == "off":
        return STAGES
    from adaq_core.sources import names

    return names()
