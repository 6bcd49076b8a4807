"""Settings of the language models, from ADAQ_ variables or a `.env` file, and which chat they choose for each stage."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Annotated, Any, Literal, cast
from urllib.parse import urlsplit

from pydantic import AliasChoices, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from adaq_core.errors import InputError, ModelError
from adaq_core.home import ENV_FILE, setting
from adaq_core.llm import Chat, Prompt, Reply, Schema, most_usd, prompt_hash
from adaq_core.llm.cached import Cached, Keyed, ReplyCache
from adaq_core.llm.prompt import fit
from adaq_core.model import Budget
from adaq_core.sources import read_settings as read_source_settings

# Shorter words are no keys, and would be found inside others.
_SHORTEST = 8
_OTHERS = ("OLLAMA_API_KEY", "OPENAI_API_KEY", "ADAQ_OPENAI_API_KEY")


def known_keys(settings: ModelSettings) -> tuple[str, ...]:
    """Return every key that this machine's settings hold, of models and of live sources."""
    keys = [settings.openai_api_key.get_secret_value(), *(setting(name) for name in _OTHERS)]
    stripped = [key.strip() for key in (*keys, *read_source_settings().hidden)]
    return tuple(sorted({key for key in stripped if len(key) >= _SHORTEST}, key=len, reverse=True))


def hidden(text: str, keys: Collection[str]) -> str:
    """Return `text` with *** in place of every key."""
    for key in keys:
        if len(key) >= _SHORTEST:
            text = text.replace(key, "***")
    return text


DEFAULT_HOST = "127.0.0.1:11434"


def reachable(host: str) -> str:
    """The address to connect to: OLLAMA_HOST is often set to 0.0.0.0, where a server listens but nobody can call."""
    return re.sub(r"^((?:https?://)?)(?:0\.0\.0\.0|\[::\])(?=:|/|$)", r"\g<1>127.0.0.1", host.strip()) or DEFAULT_HOST


def is_loopback(address: str) -> bool:
    """Whether `address` (with or without scheme and port) is this machine, so that no proxy may stand between."""
    try:
        name = urlsplit(address if "//" in address else f"//{address}").hostname or ""
    except ValueError:
        return False
    if name == "localhost" or not name:
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


DEFAULT_MODEL = "llama3.2"

Price = tuple[Annotated[float, Field(ge=0)], Annotated[float, Field(ge=0)]]


class ModelSettings(BaseSettings):
    """Which models answer, with what options, and what a run may spend.

    `prices` are US dollars per million prompt and reply tokens by model; a model of Ollama costs nothing.
    """

    model_config = SettingsConfigDict(
        env_prefix="ADAQ_",
        env_file_encoding="utf-8",
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        hide_input_in_errors=True,
        populate_by_name=True,
    )

    provider: Literal["ollama", "openai"] = "ollama"
    model: str = DEFAULT_MODEL
    synthesis_model: str = ""
    ollama_host: str = Field(default="", validation_alias=AliasChoices("ADAQ_OLLAMA_HOST", "OLLAMA_HOST"))
    openai_base_url: str = "https://api.openai.com/v1"
    openai_api_key: SecretStr = Field(
        default=SecretStr(""), validation_alias=AliasChoices("ADAQ_OPENAI_API_KEY", "OPENAI_API_KEY")
    )

    num_ctx: int = Field(default=8192, ge=512, le=4_000_000)
    max_reply_tokens: int = Field(default=1024, ge=16)
    temperature: float = Field(default=0.0, ge=0.0, le=2.0)
    seed: int = 7
    keep_alive: str = "10m"
    think: Literal["off", "on", "auto"] = "off"

    connect_seconds: float = Field(default=3.0, gt=0)
    silence_seconds: float = Field(default=120.0, gt=0)
    reply_seconds: float = Field(default=300.0, gt=0)
    reply_cache: bool = True
    prices: dict[str, Price] = Field(default_factory=dict)

    budget_tokens: int | None = Field(default=None, ge=1)
    budget_seconds: float | None = Field(default=None, gt=0, allow_inf_nan=False)
    budget_usd: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    budget_calls: int | None = Field(default=None, ge=1)

    @field_validator("model", "synthesis_model", "ollama_host", "openai_base_url")
    @classmethod
    def _without_blanks(cls, value: str) -> str:
        return value.strip()

    @property
    def writer(self) -> str:
        """The model that writes the answer: `synthesis_model`, or `model` when that is not set."""
        return self.synthesis_model or self.model

    @property
    def budget(self) -> Budget:
        """What a run may spend unless it says otherwise."""
        return Budget(
            max_tokens=self.budget_tokens,
            max_seconds=self.budget_seconds,
            max_usd=self.budget_usd,
            max_calls=self.budget_calls,
        )


def read_settings(*, env_file: Path | None = ENV_FILE, **given: Any) -> ModelSettings:
    """The settings of this machine; `given` ones go before the environment, that before the file.

    Raises:
        InputError: one of them has a value that cannot be used; keys are never part of the message.
    """
    try:
        return ModelSettings(_env_file=env_file, **given)  # type: ignore[call-arg]
    except ValidationError as error:
        wrong = "; ".join(f"{_variable(e['loc'])}: {e['msg']}" for e in error.errors(include_input=False))
    except ValueError as error:
        wrong = str(error)
    raise InputError(f"A setting cannot be used. {wrong}. Correct it in the environment or in the .env file.")


def _variable(where: tuple[int | str, ...]) -> str:
    name = str(where[0]) if where else "settings"
    return name if name.isupper() else f"ADAQ_{name.upper()}"


_UNKNOWN_CONTEXT = 8192
_RESERVE = 1024


def as_chat(client: Any) -> Chat:
    """`client` itself when it is a chat already, else one over its `generate_text`.

    Raises:
        InputError: it has neither.
    """
    if callable(getattr(client, "ask", None)) and hasattr(client, "model"):
        return cast("Chat", client)
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
    reply_cache: ReplyCache | None = None,
    listen: Listen | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Chat:
    """The chat of one run: `model` when given, else the two models of the settings.

    `model` is one for all stages, or two as a run records them: "small + large", the second writes the answer.
    `reply_cache` keeps replies unless the settings switch that off. Nothing is sent before the first question.

    Raises:
        InputError: the settings cannot be used.
        ModelServerDown: the address of the server is none.
    """
    chosen = settings or _settings()

    def one(name: str) -> Chat:
        client = _client(chosen, name, listen, cancelled)
        return Cached(client, reply_cache) if reply_cache is not None and chosen.reply_cache else client

    small, _, large = model.partition(BOTH)
    planner, writer = (small.strip(), (large or small).strip()) if model else (chosen.model, chosen.writer)
    if planner == writer:
        return one(planner)
    return Tiered(one(planner), one(writer))


def _client(settings: ModelSettings, name: str, listen: Listen | None, cancelled: Callable[[], bool] | None) -> Keyed:
    if settings.provider == "openai":
        from adaq_core.llm.openai_compatible import OpenAICompatible

        return OpenAICompatible(name, settings=settings, listen=listen, cancelled=cancelled)
    from adaq_core.llm.ollama import OllamaClient

    return OllamaClient(name, settings=settings, listen=listen, cancelled=cancelled)


def _settings() -> ModelSettings:

    return read_settings()


def checked_model(model: str) -> str:
    """Return the name as a run records it: "small,large" becomes "small + large"; InputError for no name."""
    names = [name.strip() for name in model.split(",")]
    if not all(names) or len(names) > 2:
        raise InputError(f"Expected a model's name, or two with a comma (one plans, one writes), not {model!r}.")
    return BOTH.join(dict.fromkeys(names))
