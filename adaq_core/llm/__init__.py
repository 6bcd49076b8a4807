"""Language models behind one small port: ask one thing, get one reply with what it cost and what was cut for it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Protocol

from adaq_core.events import ModelCalled
from adaq_core.llm.prompt import Prompt

Schema = Mapping[str, Any]

__all__ = ["Chat", "Prompt", "Reply", "Schema", "model_called", "most_usd", "prompt_hash"]

# What a reply may be made of, as a JSON schema says it.
JSON_TEXT: Schema = {"type": "string"}
JSON_NUMBER: Schema = {"type": "number"}
JSON_INTEGER: Schema = {"type": "integer"}
JSON_BOOLEAN: Schema = {"type": "boolean"}


def json_object(**fields: Schema) -> Schema:
    """Return the schema of an object with these fields, none of them left out."""
    return {"type": "object", "properties": fields, "required": list(fields)}


def json_list(items: Schema) -> Schema:
    """Return the schema of a list of `items`."""
    return {"type": "array", "items": items}


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said, to what, and at what cost.

    `prompt` is what was sent, `system` before it. Tokens are the server's own count, None when it gave none. `usd` is
    what this call cost: nothing when the reply was `cached`. `cut` are the numbers (from 0) of the passages of the
    prompt that were left out because it was too long; `notes` say that, and whatever else should be known, in words.
    """

    text: str
    model: str
    prompt: str
    prompt_hash: str
    system: str = ""
    prompt_tokens: int | None = None
    reply_tokens: int | None = None
    num_ctx: int | None = None
    cached: bool = False
    usd: float = 0.0
    cut: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()


class Chat(Protocol):
    """A language model; `stage` says who asks: plan, refine, read, critique, synthesise, entail."""

    @property
    def model(self) -> str:
        """Its name, for the trace."""
        ...

    def ask(self, prompt: str | Prompt, *, system: str = "", schema: Schema | None = None, stage: str) -> Reply:
        """The reply to `prompt`, as JSON of `schema` where one is given and the model can do that.

        Raises:
            ModelError: there is no reply that could be used at all.
        """
        ...


def most_usd(chat: Chat, prompt_tokens: int, *, stage: str) -> float | None:
    """Return what a call for `stage` costs at most in US dollars; None when nobody knows.

    A chat may say so itself, in a method of this name without the chat.
    """
    priced = getattr(chat, "most_usd", None)
    return priced(prompt_tokens, stage=stage) if callable(priced) else None


def prompt_hash(prompt: str, *, system: str = "", schema: Schema | None = None) -> str:
    """The same text for the same request, whichever model it goes to."""
    shape = json.dumps(schema, sort_keys=True) if schema is not None else ""
    body = json.dumps([system, prompt, shape], ensure_ascii=False)
    return blake2b(body.encode(errors="replace"), digest_size=16).hexdigest()


def model_called(reply: Reply, *, stage: str) -> ModelCalled:
    """The fact that `stage` asked; the trace shows the system text before the prompt."""
    return ModelCalled(
        stage=stage,
        model=reply.model,
        prompt_hash=reply.prompt_hash,
        prompt=f"{reply.system}\n\n{reply.prompt}" if reply.system else reply.prompt,
        reply=reply.text,
        prompt_tokens=reply.prompt_tokens,
        reply_tokens=reply.reply_tokens,
        num_ctx=reply.num_ctx,
        cached=reply.cached,
        usd=reply.usd,
        notes=reply.notes,
    )
