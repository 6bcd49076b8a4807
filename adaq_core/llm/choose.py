"""From settings to a chat: which server, which models for which stages, with what is kept of their replies."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from adaq_core.llm import Chat
from adaq_core.llm.cached import Cached, Keyed, Shelf
from adaq_core.llm.tiered import Tiered

if TYPE_CHECKING:
    from adaq_core.llm.settings import ModelSettings

Listen = Callable[[str, str], None]
BOTH = " + "


def chat_for(
    settings: ModelSettings | None = None,
    *,
    model: str = "",
    shelf: Shelf | None = None,
    listen: Listen | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Chat:
    """The chat of one run: `model` when given, else the two models of the settings.

    `model` is one for all stages, or two as a run records them: "small + large", the second writes the answer.
    `shelf` keeps replies unless the settings switch that off. Nothing is sent before the first question.

    Raises:
        InputError: the settings cannot be used.
        ModelServerDown: the address of the server is none.
    """
    chosen = settings or _settings()

    def one(name: str) -> Chat:
        client = _client(chosen, name, listen, cancelled)
        return Cached(client, shelf) if shelf is not None and chosen.reply_cache else client

    small, _, large = model.partition(BOTH)
    planner, writer = (small.strip(), (large or small).strip()) if model else (chosen.model, chosen.writer)
    return one(planner) if planner == writer else Tiered(one(planner), one(writer))


def _client(settings: ModelSettings, name: str, listen: Listen | None, cancelled: Callable[[], bool] | None) -> Keyed:
    if settings.provider == "openai":
        from adaq_core.llm.openai_compatible import OpenAICompatible

        return OpenAICompatible(name, settings=settings, listen=listen, cancelled=cancelled)
    from adaq_core.llm.ollama import OllamaClient

    return OllamaClient(name, settings=settings, listen=listen, cancelled=cancelled)


def _settings() -> ModelSettings:
    from adaq_core.llm.settings import read_settings

    return read_settings()
