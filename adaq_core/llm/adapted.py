"""Clients of other programs as a chat: whatever has `generate_text(prompt, system_prompt)`."""

from __future__ import annotations

from typing import Any

from adaq_core.errors import InputError, ModelError
from adaq_core.llm import Chat, Prompt, Reply, Schema, prompt_hash
from adaq_core.llm.prompt import fit

_UNKNOWN_CONTEXT = 8192
_RESERVE = 1024


def as_chat(client: Any) -> Chat:
    """`client` itself when it is a chat already, else one over its `generate_text`.

    Raises:
        InputError: it has neither.
    """
    if callable(getattr(client, "ask", None)) and hasattr(client, "model"):
        return client  # type: ignore[no-any-return]
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
