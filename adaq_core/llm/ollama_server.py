"""An Ollama server besides its chat: its models, its state, and downloads with their progress."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from adaq_core.errors import AdaqError, ModelMissing, ModelRefused, ModelServerDown

if TYPE_CHECKING:
    import ollama

    from adaq_core.llm.settings import ModelSettings


_EMBEDDERS = ("bert", "nomic-bert")


@dataclass(frozen=True, slots=True)
class InstalledModel:
    """A model on the server: `size` in bytes, `parameters` as it says ("3.2B"); None or empty where it says nothing."""

    name: str
    digest: str
    size: int | None = None
    parameters: str = ""
    family: str = ""

    @property
    def can_chat(self) -> bool:
        """Whether it is likely a model to talk to: not one that only embeds."""
        return self.family not in _EMBEDDERS and "embed" not in self.name.lower()

    def is_called(self, name: str) -> bool:
        """Whether `name` means this model: "llama3.2" means "llama3.2:latest"."""
        return self.name == name or self.name == f"{name}:latest"


@dataclass(frozen=True, slots=True)
class ServerState:
    """Whether a server is there and has the model asked for; if not, `help` says what to do."""

    host: str
    ready: bool
    models: tuple[InstalledModel, ...] = ()
    help: str = ""


@dataclass(frozen=True, slots=True)
class PullProgress:
    """How far a download is: bytes `completed` of `total`, None before they are known."""

    status: str
    completed: int | None = None
    total: int | None = None

    @property
    def share(self) -> float | None:
        """The part that is done, in [0, 1]; None before it is known."""
        if not self.total or self.completed is None:
            return None
        return min(1.0, self.completed / self.total)


def installed(listed: ollama.ListResponse) -> tuple[InstalledModel, ...]:
    """The models of an answer to /api/tags."""
    return tuple(
        InstalledModel(
            name=model.model,
            digest=model.digest or "",
            size=None if model.size is None else int(model.size),
            parameters=(model.details.parameter_size or "") if model.details else "",
            family=(model.details.family or "") if model.details else "",
        )
        for model in listed.models
        if model.model
    )


def progress(line: ollama.ProgressResponse) -> PullProgress:
    """One line of an answer to /api/pull."""
    return PullProgress(line.status or "", line.completed, line.total)


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
