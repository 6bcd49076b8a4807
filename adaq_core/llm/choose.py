"""From settings to a chat: which server, which models for which stages, with what is kept of their replies."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any, cast

from adaq_core.errors import InputError, ModelError
from adaq_core.llm import Chat, Prompt, Reply, Schema, most_usd, prompt_hash
from adaq_core.llm.cached import Cached, Keyed, Shelf
from adaq_core.llm.prompt import fit

if TYPE_CHECKING:
    from adaq_core.llm.settings import ModelSettings


_UNKNOWN_CONTEXT = 8192
_RESERVE = 1024


def as_chat(client: Any) -> Chat:
    """`client` itself when it is a chat already, else one over its `generate_text`.

    Raises:
        InputError: it has neither.
    """
    if callable(getattr(client, "ask", None)) and hasattr(client, "model"):
        return cast(Chat, client)
    if callable(getattr(client, "generate_text", None)):
        return TextChat(client)
    raise InputError(
        "Expected a language model with ask(…) or generate_text(prompt, system_prompt), not a "
        f"{type(client).__name__}. OllamaClient() is one."
    )


class TextChat:
    """A chat over an object that only turns text into text; tokens and cost are not known."""

    def __init__(self, client: Any, *, num_ctx: int = _UNKNOWN_CONTEXT) -> None:
        self._client = client
        self._num_ctx = num_ctx

    @property
    def model(self) -> str:
        """The model's name if the client has one, else its class."""
        named = getattr(self._client, "model", None) or getattr(self._client, "model_name", None)
        return named if isinstance(named, str) else type(self._client).__name__

    def ask(self, prompt: str | Prompt, *, system: str = "", schema: Schema | None = None, stage: str) -> Reply:
        """What the client says; any error of it becomes a ModelError, because it is not ours."""
        fitted = fit(prompt, system=system, num_ctx=self._num_ctx, reserve=_RESERVE)
        try:
            text = self._client.generate_text(fitted.text, system)
        except Exception as error:
            raise ModelError(f"{self.model} failed in generate_text: {type(error).__name__}: {error}") from error
        if not isinstance(text, str):
            raise ModelError(f"Expected text from {self.model}.generate_text, but a {type(text).__name__} came.")
        return Reply(
            text=text,
            model=self.model,
            prompt=fitted.text,
            prompt_hash=prompt_hash(fitted.text, system=system, schema=schema),
            system=system,
            cut=fitted.cut,
            notes=fitted.notes,
        )


WRITING_STAGES = frozenset({"synthesise"})


class Tiered:
    """`writer` answers the writing stages, `planner` all others; each reply names the model that gave it."""

    def __init__(self, planner: Chat, writer: Chat, *, writing: Collection[str] = WRITING_STAGES) -> None:
        self._planner = planner
        self._writer = writer
        self._writing = frozenset(writing)

    @property
    def model(self) -> str:
        """Both names, one when they are the same."""
        names = dict.fromkeys((self._planner.model, self._writer.model))
        return " + ".join(names)

    def ask(self, prompt: str | Prompt, *, system: str = "", schema: Schema | None = None, stage: str) -> Reply:
        """The reply of the model that `stage` belongs to."""
        return self._chat(stage).ask(prompt, system=system, schema=schema, stage=stage)

    def most_usd(self, prompt_tokens: int, *, stage: str) -> float | None:
        """Return what the model that `stage` belongs to costs at most."""
        return most_usd(self._chat(stage), prompt_tokens, stage=stage)

    def generate_text(self, prompt: str, system_prompt: str = "") -> str:
        """The text that the writer says."""
        return self._writer.ask(prompt, system=system_prompt, stage="text").text

    def _chat(self, stage: str) -> Chat:
        return self._writer if stage in self._writing else self._planner


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
