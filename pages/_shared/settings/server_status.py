"""The server of the models besides its chat: what it has, what is wrong with it, and a model fetched by Ollama."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from adaq_core.errors import AdaqError, ModelMissing, ModelRefused, ModelServerDown

if TYPE_CHECKING:
    from adaq_core.llm.ollama import InstalledModel
    from adaq_core.llm.settings import ModelSettings

Problem = Literal["", "down", "refused", "empty", "unlisted", "other"]
_LONGEST_WAIT = 2.0


@dataclass(frozen=True, slots=True)
class Look:
    """What was seen: the models to talk to, and the `problem`, if any, with `help` in words.

    `down`: nobody answers. `refused`: it wants another key. `empty`: it has no model to talk to. `unlisted`: it does
    not tell which models it has, so their names have to be known.
    """

    provider: Literal["ollama", "openai"]
    address: str
    models: tuple[InstalledModel, ...] = ()
    problem: Problem = ""
    help: str = ""

    def model(self, name: str) -> InstalledModel | None:
        """The model that `name` means; None when it is not there."""
        return next((model for model in self.models if model.is_called(name)), None)


def look(settings: ModelSettings, *, longest_wait: float = _LONGEST_WAIT) -> Look:
    """Ask the server for its models, for about `longest_wait` seconds at most; faults are part of the answer."""
    waits = {"connect_seconds": longest_wait, "silence_seconds": longest_wait}
    shorter = {name: min(getattr(settings, name), most) for name, most in waits.items()}
    quick = settings.model_copy(update=shorter)
    return _openai(quick) if settings.provider == "openai" else _ollama(quick)


def _ollama(settings: ModelSettings) -> Look:
    from adaq_core.llm.ollama import OllamaClient

    address = settings.ollama_host
    try:
        client = OllamaClient(settings=settings)
        address = client.host
        try:
            there = client.models()
        finally:
            client.close()
    except AdaqError as error:
        return Look("ollama", address, (), _problem(error), str(error))
    able = tuple(sorted((model for model in there if model.can_chat), key=lambda model: model.name))
    if not able:
        return Look("ollama", address, (), "empty", f"The Ollama server at {address} has no model to talk to yet.")
    return Look("ollama", address, able)


def _openai(settings: ModelSettings) -> Look:
    from adaq_core.llm.ollama import InstalledModel
    from adaq_core.llm.openai_compatible import OpenAICompatible

    address = settings.openai_base_url
    try:
        client = OpenAICompatible("its models", settings=settings)
        try:
            names = client.models()
        finally:
            client.close()
    except ModelMissing:
        words = f"The server at {address} does not list its models. Type the name of one."
        return Look("openai", address, (), "unlisted", words)
    except AdaqError as error:
        return Look("openai", address, (), _problem(error), str(error))
    models = tuple(model for model in (InstalledModel(name, "") for name in names) if model.can_chat)
    return Look("openai", address, models, "" if models else "empty", "" if models else f"{address} lists no model.")


def _problem(error: AdaqError) -> Problem:
    if isinstance(error, ModelServerDown):
        return "down"
    return "refused" if isinstance(error, ModelRefused) else "other"


def pull(
    model: str,
    settings: ModelSettings,
    *,
    progress: Callable[[int, int, str], None],
    cancelled: Callable[[], bool],
) -> None:
    """Have the server fetch `model`; `progress` hears bytes done, bytes of all parts named so far, and its words.

    Cancelled, the server hears of it with its next word and keeps what came: a new pull goes on there.

    Raises:
        ModelError: what the server, or the way to it, says is wrong.
    """
    from adaq_core.llm.ollama import OllamaClient

    parts: dict[str, tuple[int, int]] = {}
    client = OllamaClient(model, settings=settings)
    try:
        with closing(client.pull()) as lines:
            for line in lines:
                if cancelled():
                    return
                if line.total:
                    parts[line.status] = (line.completed or 0, line.total)
                done = sum(part for part, _ in parts.values())
                total = sum(size for _, size in parts.values())
                progress(done, total, line.status)
    finally:
        client.close()
