"""What an Ollama server says about itself: its models, its state, how far a download is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import ollama

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
