"""Models behind the chat-completions interface that OpenAI documents and many servers speak."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any

import httpx

from adaq_core.errors import InputError, ModelError
from adaq_core.llm import Fitted, Prompt, Reply, Schema, counted_tokens, estimate_tokens, fit
from adaq_core.llm.settings import ModelSettings, is_loopback, known_keys, read_settings
from adaq_core.llm.transport import BUSY, OPENAI, ModelClient, ModelTransport, Words, stopped

_MAX_ERROR_BYTES = 20_000


@dataclass(slots=True)
class Received:
    """A reply as it comes in, and what had to be done for it."""

    pieces: list[str] = field(default_factory=list)
    usage: Mapping[str, Any] = field(default_factory=dict)
    finish: str | None = None
    notes: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(self.pieces)


def events(response: httpx.Response, reply: Received, words: Words) -> Generator[str]:
    """Yield the pieces of a 200 answer: a stream of events or, from servers that do not stream, one object."""
    if "text/event-stream" not in response.headers.get("Content-Type", ""):
        response.read()
        yield _take(response.json(), reply, words)
        reply.finish = reply.finish or "stop"
        return
    for line in response.iter_lines():
        if line.startswith("data:"):
            data = line[5:].strip()
        else:
            data = ""
        if data == "[DONE]":
            reply.finish = reply.finish or "stop"
            return
        if data:
            yield _take(json.loads(data), reply, words)
    if reply.finish is None and not reply.text:
        raise ModelError(
            f"{words.model} ended its reply before the first word. The server may have been started with a smaller "
            "context than ADAQ_NUM_CTX: make them the same."
        )
    if reply.finish is None:
        raise httpx.RemoteProtocolError("the stream ended before the reply did")


def _take(part: Any, reply: Received, words: Words) -> str:
    """Return the text in one event and note the rest of it in `reply`."""
    if not isinstance(part, dict):
        raise ValueError(f"expected an object, but a {type(part).__name__} came")
    if part.get("error"):
        raise ModelError(
            f"{words.model} reported an error: {words.clean(_message(part))}", raw=words.hidden(reply.text)
        )
    if isinstance(part.get("usage"), dict):
        reply.usage = part["usage"]
    choices = part.get("choices") or ()
    if not choices:
        return ""
    first = choices[0]
    message = first.get("delta") or first.get("message") or {}
    reply.pieces.append(str(message.get("content") or ""))
    reply.finish = first.get("finish_reason") or reply.finish
    return reply.pieces[-1]


def error_text(response: httpx.Response) -> str:
    """Return the message of an error answer, from its first 20 kB."""
    body = b""
    for block in response.iter_bytes():
        body += block
        if len(body) > _MAX_ERROR_BYTES:
            break
    text = body.decode(errors="replace")
    try:
        return _message(json.loads(text))
    except (ValueError, RecursionError):
        return text


def _message(body: Any) -> str:
    error = body.get("error", body) if isinstance(body, dict) else body
    message = error.get("message", error) if isinstance(error, dict) else error
    return message if isinstance(message, str) else json.dumps(message)


def waiting(response: httpx.Response, tries: int) -> float:
    """Return the seconds to wait: what the server asks for, else 1, 2, 4 and so on."""
    asked = response.headers.get("Retry-After", "")
    if re.fullmatch(r"\d{1,6}(?:\.\d+)?", asked):
        return max(0.1, float(asked))
    return float(2**tries)


def cut_off(reply: Received) -> tuple[str, ...]:
    """Return a note if the reply is not whole."""
    if reply.finish == "length":
        return ("The reply was cut off at the most tokens that a reply may have (ADAQ_MAX_REPLY_TOKENS).",)
    if reply.finish == "content_filter":
        return ("The server's content filter cut the reply off.",)
    return ()


_RETRIES = 2
_LONGEST_WAIT = 20.0
_LOOK_SECONDS = 0.2


class OpenAICompatible(ModelClient):
    """A model of a server that speaks OpenAI's chat completions, as a `Chat`. The key is never shown anywhere.

    What a server does not know (a schema, `max_tokens`, usage in a stream) is left out when it says so, and noted.
    `cancelled` is as for `OllamaClient`.

    Raises:
        ModelServerDown, ModelMissing, ModelError: as `OllamaClient` does.
        InputError: the settings cannot be used.
    """

    def __init__(
        self,
        model: str = "",
        *,
        settings: ModelSettings | None = None,
        cancelled: Callable[[], bool] | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        s = settings or read_settings()
        self._base = _checked(s.openai_base_url)
        key = s.openai_api_key.get_secret_value().strip()
        words = Words(OPENAI, self._base, model or s.model, key, known_keys(s))
        super().__init__(words, s, cancelled, clock)
        self._sleep = sleep
        self._unknown: set[str] = set()
        self._client = httpx.Client(
            follow_redirects=False,
            timeout=httpx.Timeout(s.silence_seconds, connect=s.connect_seconds),
            trust_env=False,
            transport=ModelTransport(s, cancelled=cancelled),
        )

    @property
    def options(self) -> dict[str, Any]:
        """What shapes a reply besides the prompt."""
        s = self._settings
        return {
            "num_ctx": s.num_ctx,
            "max_tokens": s.max_reply_tokens,
            "seed": s.seed,
            "temperature": s.temperature,
        }

    def digest(self) -> str:
        """Return where the model is: such servers do not say which build they have."""
        return f"{self._base}#{self._model}"

    def ask(self, prompt: str | Prompt, *, system: str = "", schema: Schema | None = None, stage: str) -> Reply:
        """The reply to `prompt`, held to `schema` where the server can do that."""
        s = self._settings
        reserve = min(s.max_reply_tokens, s.num_ctx // 2)
        fitted = fit(prompt, system=system, num_ctx=s.num_ctx, reserve=reserve)
        reply, began = Received(), self._clock()
        with closing(self._pieces(reply, fitted.text, system, schema)) as pieces:
            for _ in pieces:
                if reply.finish is None:
                    self._check(reply.text, began)
        text = self._words.hidden(reply.text)
        usage = reply.usage
        read = counted_tokens(usage.get("prompt_tokens"))
        wrote = counted_tokens(usage.get("completion_tokens"))
        usd, doubt = self._price(fitted, text, read, wrote)
        return replace(
            fitted.answered(text, model=self._model, system=system, schema=schema),
            prompt_tokens=read,
            reply_tokens=wrote,
            num_ctx=s.num_ctx,
            usd=usd,
            notes=(*fitted.notes, *reply.notes, *doubt, *cut_off(reply)),
        )

    def most_usd(self, prompt_tokens: int, *, stage: str) -> float | None:
        """Return the price of a prompt and the longest reply; None when no price is set for a server elsewhere."""
        price = self._settings.prices.get(self._model)
        if price is None:
            return 0.0 if is_loopback(self._base) else None
        return _usd(price, prompt_tokens, self._settings.max_reply_tokens)

    def models(self) -> tuple[str, ...]:
        """The names of the models that the server lists."""
        with self._words.around():
            response = self._client.get(f"{self._base}/models", headers=self._headers())
            if response.status_code != 200:
                raise self._words.refused(response.status_code, error_text(response))
            names = [str(model["id"]) for model in response.json()["data"]]
            return tuple(sorted(map(self._words.hidden, names)))

    def close(self) -> None:
        """Let go of the connections."""
        self._client.close()

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._words.key}"} if self._words.key else {}

    def _pieces(self, reply: Received, prompt: str, system: str, schema: Schema | None) -> Generator[str]:
        """The pieces of a reply, asked for again when the server is busy or does not know a field."""
        tries = 0
        with self._words.around(lambda: reply.text):
            while True:
                wait = yield from self._attempt(reply, self._body(prompt, system, schema), tries)
                if wait is None:
                    return
                if wait > 0:
                    tries += 1
                    reply.notes.append(f"The server was busy and was asked again after {wait:g} s.")
                    self._pause(wait)

    def _pause(self, seconds: float) -> None:
        """Wait before the next try, but no longer than anybody waits for the reply."""
        if self._cancelled is None:
            self._sleep(seconds)
            return
        until = self._clock() + seconds
        while (left := until - self._clock()) > 0:
            if self._cancelled():
                raise stopped(self._model)
            self._sleep(min(left, _LOOK_SECONDS))

    def _attempt(self, reply: Received, body: dict[str, Any], tries: int) -> Generator[str, None, float | None]:
        """One request; None when it was answered, else how many seconds to wait before the next."""
        url = f"{self._base}/chat/completions"
        with self._client.stream("POST", url, json=body, headers=self._headers()) as response:
            if response.status_code == 200:
                yield from events(response, reply, self._words)
                return None
            message = error_text(response)
            if _is_about_fields(response.status_code, message) and self._do_without(message, body, reply):
                return 0.0
            wait = waiting(response, tries)
            if response.status_code not in BUSY or tries == _RETRIES or wait > _LONGEST_WAIT:
                raise self._words.refused(response.status_code, message)
            return wait

    def _body(self, prompt: str, system: str, schema: Schema | None) -> dict[str, Any]:
        messages = [{"role": "system", "content": system}] if system else []
        body: dict[str, Any] = {
            "model": self._model,
            "messages": [*messages, {"role": "user", "content": prompt}],
            "stream": True,
            "stream_options": {"include_usage": True},
            "temperature": self._settings.temperature,
            "seed": self._settings.seed,
            "max_tokens": self._settings.max_reply_tokens,
        }
        if schema is not None:
            body["response_format"] = self._shape(schema)
        if "max_tokens" in self._unknown:
            body["max_completion_tokens"] = body["max_tokens"]
        return {name: value for name, value in body.items() if name not in self._unknown}

    def _shape(self, schema: Schema) -> dict[str, Any]:
        """How the schema is asked for: as OpenAI does, or as servers want it that know JSON objects only."""
        if _BY_NAME in self._unknown:
            return {"type": "json_object", "schema": dict(schema)}
        return {"type": _BY_NAME, _BY_NAME: {"name": "reply", "schema": dict(schema)}}

    def _do_without(self, message: str, body: Mapping[str, Any], reply: Received) -> bool:
        """Leave out, from now on, the field that the server complains about; False when it names none of them."""
        named = [name for name in _OPTIONAL if name in body and re.search(rf"\b{name}\b", message)]
        if not named and "response_format" in body and re.search(r"json_schema|schema|grammar", message):
            named = ["response_format"]
        if not named:
            return False
        if named[0] == "response_format" and _BY_NAME not in self._unknown and "json_object" in message:
            self._unknown.add(_BY_NAME)
            reply.notes.append(f"The server does not take {_BY_NAME}; it was asked for a JSON object with the schema.")
            return True
        self._unknown.add(named[0])
        reply.notes.append(f"The server does not take {named[0]}; it was asked without it.")
        return True

    def _price(self, fitted: Fitted, text: str, read: int | None, wrote: int | None) -> tuple[float, tuple[str, ...]]:
        """Return the call's cost in US dollars, estimating tokens the server did not count, and notes on it."""
        price = self._settings.prices.get(self._model)
        if price is None:
            local = is_loopback(self._base)
            note = f"The price of {self._model} is not known, so it counts as 0: set ADAQ_PRICES."
            return 0.0, () if local else (note,)
        counted = read is not None and wrote is not None
        prompt_tokens = fitted.tokens if read is None else read
        reply_tokens = estimate_tokens(text) if wrote is None else wrote
        usd = _usd(price, prompt_tokens, reply_tokens)
        return usd, () if counted else ("The server counted no tokens, so the cost is an estimate.",)


def _usd(price: tuple[float, float], prompt_tokens: int, reply_tokens: int) -> float:
    """Return what a call costs at a price, in US dollars per million tokens of prompt and of reply."""
    of_prompt, of_reply = price
    return (prompt_tokens * of_prompt + reply_tokens * of_reply) / 1_000_000


_BY_NAME = "json_schema"
_OPTIONAL = ("max_tokens", "temperature", "seed", "stream_options", "response_format")


def _is_about_fields(status: int, message: str) -> bool:
    """Whether a refusal is about a request's fields; llama-cpp-python answers 500 to one it does not know."""
    return status in (400, 422) or (status == 500 and "validation error" in message)


def _checked(base: str) -> str:
    """Return the address without a slash at its end; refuse one with a password, which would be shown."""
    try:
        url = httpx.URL(base.rstrip("/"))
    except httpx.InvalidURL:
        url = httpx.URL("")
    if url.scheme not in ("http", "https") or not url.host or url.userinfo or url.query:
        raise InputError(
            "ADAQ_OPENAI_BASE_URL: expected an address like https://api.openai.com/v1, without a user, password or "
            "question mark in it. The key belongs into ADAQ_OPENAI_API_KEY."
        )
    return str(url)
