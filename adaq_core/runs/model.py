"""The language model of one run: from a name to a chat that keeps replies, ends with the run and never stops it."""

from __future__ import annotations

import time
from collections.abc import Callable

from adaq_core.errors import AdaqError, InputError, ModelError
from adaq_core.llm import Chat, Prompt, Reply, Schema
from adaq_core.llm.choose import BOTH
from adaq_core.model import Budget
from adaq_core.store.store import Store


def chat_of_run(model: str, *, store: Store, budget: Budget, cancelled: Callable[[], bool]) -> Chat:
    """The chat that `model` names; a wait for it is never longer than the time that the run has.

    `model` is one for all stages, two as a run records them ("small + large", the second writes the answer), or empty
    for those of the settings. What is wrong with the settings is said by every reply, so that the run goes on by rules.
    """
    from adaq_core.llm.choose import chat_for
    from adaq_core.llm.settings import read_settings
    from adaq_core.store.verdicts import KeptReplies

    try:
        settings = read_settings()
        if (most := budget.max_seconds) is not None:
            waits = {
                name: min(getattr(settings, name), max(1.0, most)) for name in ("silence_seconds", "reply_seconds")
            }
            settings = settings.model_copy(update=waits)
        over = _over(budget, cancelled)
        return chat_for(settings, model=model, shelf=KeptReplies(store), cancelled=over)
    except AdaqError as error:
        return Unusable(model, error)


def checked_model(model: str) -> str:
    """The name as a run records it: "small,large" becomes "small + large"; InputError when it is none."""
    names = [name.strip() for name in model.split(",")]
    if not all(names) or len(names) > 2:
        raise InputError(f"Expected a model's name, or two with a comma (one plans, one writes), not {model!r}.")
    return BOTH.join(dict.fromkeys(names))


class Unusable:
    """Stands where a chat could not be made: every question to it is answered with why."""

    def __init__(self, model: str, error: Exception) -> None:
        self._model = model
        self._error = error

    @property
    def model(self) -> str:
        """The name that was asked for."""
        return self._model or "not chosen"

    def ask(self, prompt: str | Prompt, *, system: str = "", schema: Schema | None = None, stage: str) -> Reply:
        """No reply."""
        raise self._error if isinstance(self._error, ModelError) else ModelError(str(self._error))


def _over(budget: Budget, cancelled: Callable[[], bool]) -> Callable[[], bool]:
    """Whether the run was cancelled or its time is over, so that a reply in the making is not waited for."""
    began = time.monotonic()

    def over() -> bool:
        late = budget.max_seconds is not None and time.monotonic() - began >= budget.max_seconds
        return late or cancelled()

    return over
