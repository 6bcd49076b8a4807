"""A look at the model server of the settings: is it there, what has it, and what to do if something is wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from adaq_core.errors import AdaqError, ModelMissing, ModelRefused, ModelServerDown
from adaq_core.llm.ollama_server import InstalledModel

if TYPE_CHECKING:
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
    quick = settings.model_copy(update={n: min(getattr(settings, n), most) for n, most in waits.items()})
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
