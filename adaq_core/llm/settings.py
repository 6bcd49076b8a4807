"""Settings of the language models, from ADAQ_ variables or a `.env` file: addresses, options, limits, keys."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Collection
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AliasChoices, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from adaq_core.errors import InputError
from adaq_core.home import ENV_FILE, setting
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
    """Return the address to connect to: OLLAMA_HOST is often 0.0.0.0, where a server listens but nobody can call."""
    return re.sub(r"^((?:https?://)?)(?:0\.0\.0\.0|\[::\])(?=:|/|$)", r"\g<1>127.0.0.1", host.strip()) or DEFAULT_HOST


def is_loopback(address: str) -> bool:
    """Whether `address` is this machine, so that no proxy may stand between; scheme and port do not matter."""
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

_Dollars = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Price = tuple[_Dollars, _Dollars]


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

    connect_seconds: float = Field(default=3.0, gt=0, allow_inf_nan=False)
    silence_seconds: float = Field(default=120.0, gt=0, allow_inf_nan=False)
    reply_seconds: float = Field(default=300.0, gt=0, allow_inf_nan=False)
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
        """Return the model that writes the answer: `synthesis_model`, or `model` if that is not set."""
        return self.synthesis_model or self.model

    @property
    def budget(self) -> Budget:
        """Return what a run may spend unless it says otherwise."""
        return Budget(
            max_tokens=self.budget_tokens,
            max_seconds=self.budget_seconds,
            max_usd=self.budget_usd,
            max_calls=self.budget_calls,
        )


def read_settings(*, env_file: Path | None = ENV_FILE, **given: Any) -> ModelSettings:
    """Return this machine's settings: `given` ones override the environment, which overrides the file.

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
