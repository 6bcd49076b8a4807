"""Models behind the chat-completions interface that OpenAI documents and many servers speak."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import closing
from typing import TYPE_CHECKING, Any

import httpx

from adaq_core.errors import InputError, ModelError
from adaq_core.llm import Prompt, Reply, Schema, prompt_hash
from adaq_core.llm.hosts import is_loopback
from adaq_core.llm.openai_errors import BUSY, Words
from adaq_core.llm.openai_stream import Heard, count, cut_off, error_text, events, waiting
from adaq_core.llm.prompt import Fitted, estimate_tokens, fit

if TYPE_CHECKING:
    from adaq_core.llm.settings import ModelSettings

Listen = Callable[[str, str], None]

_RETRIES = 2
_LONGEST_WAIT = 20.0


class OpenAICompatible:
    """A model of a server that speaks OpenAI's chat completions, as a `Chat`. The key is never shown anywhere.

    What a server does not know (a schema, `max_tokens`, usage in a stream) is left out when it says so, and noted.
    `listen` and `cancelled` are as for `OllamaClient`.

    Raises:
        ModelServerDown, ModelMissing, ModelError: as `OllamaClient` does.
        InputError: the settings cannot be used.
    """

    def __init__(
        self,
        model: str = "",
        *,
        settings: ModelSettings | None = None,
        listen: Listen | None = None,
        cancelled: Callable[[], bool] | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._settings = settings or _settings()
        self._model = model or self._settings.model
        self._base = _checked(self._settings.openai_base_url)
        self._listen = listen
        self._cancelled = cancelled
        self._clock = clock
        self._sleep = sleep
        self._unknown: set[str] = set()
        s = self._settings
        self._words = Words(self._base, self._model, s.openai_api_key.get_secret_value().strip())
        timeout = httpx.Timeout(s.silence_seconds, connect=s.connect_seconds)
        self._client = httpx.Client(timeout=timeout, trust_env=not is_loopback(self._base))

    def __repr__(self) -> str:
        return f"OpenAICompatible({self._model!r}, {self._base!r})"

    @property
    def model(self) -> str:
        """The name of the model."""
        return self._model

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
        """Where the model is: such servers do not say which build they have."""
        return f"{self._base}#{self._model}"

    def generate_text(self, prompt: str, system_prompt: str = "") -> str:
        """The text that the model says to `prompt`."""
        return self.ask(prompt, system=system_prompt, stage="text").text

    def ask(self, prompt: str | Prompt, *, system: str = "", schema: Schema | None = None, stage: str) -> Reply:
        """The reply to `prompt`, held to `schema` where the server can do that."""
        s = self._settings
        fitted = fit(prompt, system=system, num_ctx=s.num_ctx, reserve=min(s.max_reply_tokens, s.num_ctx // 2))
        heard, began = Heard(), self._clock()
        with closing(self._pieces(heard, fitted.text, system, schema)) as pieces:
            for piece in pieces:
                if piece and self._listen is not None:
                    self._listen(stage, piece)
                self._check_time(began, heard)
        read, wrote = count(heard.usage.get("prompt_tokens")), count(heard.usage.get("completion_tokens"))
        usd, doubt = self._price(fitted, heard.text, read, wrote)
        return Reply(
            text=heard.text,
            model=self._model,
            prompt=fitted.text,
            prompt_hash=prompt_hash(fitted.text, system=system, schema=schema),
            system=system,
            prompt_tokens=read,
            reply_tokens=wrote,
            num_ctx=s.num_ctx,
            usd=usd,
            cut=fitted.cut,
            notes=(*fitted.notes, *heard.notes, *doubt, *cut_off(heard)),
        )

    def models(self) -> tuple[str, ...]:
        """The names of the models that the server lists."""
        with self._words.around([]):
            response = self._client.get(f"{self._base}/models", headers=self._headers())
            if response.status_code != 200:
                raise self._words.refused(response.status_code, error_text(response))
            return tuple(sorted(str(model["id"]) for model in response.json()["data"]))

    def close(self) -> None:
        """Let go of the connections."""
        self._client.close()

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self._words.key}"} if self._words.key else {}

    def _pieces(self, heard: Heard, prompt: str, system: str, schema: Schema | None) -> Generator[str]:
        """The pieces of a reply, asked for again when the server is busy or does not know a field."""
        tries = 0
        with self._words.around(heard.said):
            while True:
                wait = yield from self._attempt(heard, self._body(prompt, system, schema), tries)
                if wait is None:
                    return
                if wait > 0:
                    tries += 1
                    heard.notes.append(f"The server was busy and was asked again after {wait:g} s.")
                    self._sleep(wait)

    def _attempt(self, heard: Heard, body: dict[str, Any], tries: int) -> Generator[str, None, float | None]:
        """One request; None when it was answered, else how many seconds to wait before the next."""
        url = f"{self._base}/chat/completions"
        with self._client.stream("POST", url, json=body, headers=self._headers()) as response:
            if response.status_code == 200:
                yield from events(response, heard, self._words)
                return None
            said = error_text(response)
            if response.status_code in (400, 422) and self._do_without(said, body, heard):
                return 0.0
            wait = waiting(response, tries)
            if response.status_code not in BUSY or tries == _RETRIES or wait > _LONGEST_WAIT:
                raise self._words.refused(response.status_code, said)
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
            shape = {"name": "reply", "schema": dict(schema)}
            body["response_format"] = {"type": "json_schema", "json_schema": shape}
        if "max_tokens" in self._unknown:
            body["max_completion_tokens"] = body["max_tokens"]
        return {name: value for name, value in body.items() if name not in self._unknown}

    def _do_without(self, said: str, body: Mapping[str, Any], heard: Heard) -> bool:
        """Leave out, from now on, the field that the server complains about; False when it names none of them."""
        named = [name for name in _OPTIONAL if name in body and re.search(rf"\b{name}\b", said)]
        if not named and "response_format" in body and re.search(r"json_schema|schema|grammar", said):
            named = ["response_format"]
        if not named:
            return False
        self._unknown.add(named[0])
        heard.notes.append(f"The server does not take {named[0]}; it was asked without it.")
        return True

    def _check_time(self, began: float, heard: Heard) -> None:
        if heard.finish is not None:
            return
        if self._cancelled is not None and self._cancelled():
            raise ModelError(f"{self._model} was stopped in mid-reply, as asked.", raw=heard.text)
        if self._clock() - began > self._settings.reply_seconds:
            raise ModelError(
                f"Expected {self._model} to finish within {self._settings.reply_seconds:g} seconds, but it was still "
                "writing. Lower ADAQ_MAX_REPLY_TOKENS, or raise ADAQ_REPLY_SECONDS.",
                raw=heard.text,
            )

    def _price(self, fitted: Fitted, text: str, read: int | None, wrote: int | None) -> tuple[float, tuple[str, ...]]:
        """What the call cost in US dollars, by our own estimate of the tokens where the server counted none."""
        price = self._settings.prices.get(self._model)
        if price is None:
            local = is_loopback(self._base)
            note = f"The price of {self._model} is not known, so it counts as 0: set ADAQ_PRICES."
            return 0.0, () if local else (note,)
        counted = read is not None and wrote is not None
        prompt_tokens = fitted.tokens if read is None else read
        reply_tokens = estimate_tokens(text) if wrote is None else wrote
        usd = (prompt_tokens * price[0] + reply_tokens * price[1]) / 1_000_000
        return usd, () if counted else ("The server counted no tokens, so the cost is an estimate.",)


_OPTIONAL = ("max_tokens", "temperature", "seed", "stream_options", "response_format")


def _settings() -> ModelSettings:
    from adaq_core.llm.settings import read_settings

    return read_settings()


def _checked(base: str) -> str:
    """The address without a slash at its end; one that holds a password would be shown, so it is refused."""
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
