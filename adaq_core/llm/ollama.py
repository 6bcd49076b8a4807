"""OllamaClient: models on an Ollama server, through the official client."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any, cast

import httpx
import ollama

from adaq_core.errors import ModelError, ModelMissing
from adaq_core.llm import Fitted, Prompt, Reply, Schema, counted_tokens, fit
from adaq_core.llm.settings import ModelSettings, known_keys, reachable, read_settings
from adaq_core.llm.transport import OLLAMA, ModelClient, ModelTransport, Words, missing

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
        """Return the part that is done, in [0, 1]; None before it is known."""
        if not self.total or self.completed is None:
            return None
        return min(1.0, self.completed / self.total)


def installed(listed: ollama.ListResponse) -> tuple[InstalledModel, ...]:
    """Return the models of an answer to /api/tags."""
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
    """Read one line of an answer to /api/pull."""
    return PullProgress(line.status or "", line.completed, line.total)


@dataclass(frozen=True, slots=True)
class _Abilities:
    """What a model can do: its own longest context, if it says so, and whether it thinks before it answers."""

    context: int | None = None
    thinks: bool = False


@dataclass(slots=True)
class _Received:
    """A reply as it comes in."""

    text: str = ""
    thought: int = 0
    last: Any = None


class OllamaClient(ModelClient):
    """A model on an Ollama server, as a `Chat`; `generate_text` is the plain form.

    `cancelled` is asked between the pieces of a reply. The server is not spoken to before the first question.

    Raises:
        ModelServerDown: it cannot be reached, or is silent for too long.
        ModelMissing: it does not have the model; `pull` gets it.
        ModelError: any other fault; what the model had said is in its `raw`.
    """

    def __init__(
        self,
        model: str = "",
        host: str = "",
        *,
        settings: ModelSettings | None = None,
        cancelled: Callable[[], bool] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        chosen = settings or read_settings()
        self.host = reachable(host or chosen.ollama_host)
        keys = known_keys(chosen)
        words = Words(OLLAMA, self.host, model or chosen.model, keys=keys)
        super().__init__(words, chosen, cancelled, clock)
        self._known: _Abilities | None = None
        self._client = self._open()

    @property
    def options(self) -> dict[str, Any]:
        """What shapes a reply besides the prompt."""
        s = self._settings
        return {
            "num_ctx": s.num_ctx,
            "num_predict": s.max_reply_tokens,
            "seed": s.seed,
            "temperature": s.temperature,
            "think": s.think,
        }

    def ask(self, prompt: str | Prompt, *, system: str = "", schema: Schema | None = None, stage: str) -> Reply:
        """The reply to `prompt`, held to `schema` where one is given; a prompt too long loses its last passages."""
        able = self._abilities()
        num_ctx = min(self._settings.num_ctx, able.context or self._settings.num_ctx)
        reserve = min(self._settings.max_reply_tokens, num_ctx // 2)
        fitted = fit(prompt, system=system, num_ctx=num_ctx, reserve=reserve)
        reply = _Received()
        began = self._clock()
        with closing(self._parts(reply, fitted.text, system, schema, num_ctx=num_ctx, thinks=able.thinks)) as parts:
            for part in parts:
                self._take(part, reply)
                if reply.last is None:
                    self._check(reply.text, began)
        last = reply.last
        text = self._words.hidden(reply.text)
        return replace(
            fitted.answered(text, model=self._model, system=system, schema=schema),
            prompt_tokens=counted_tokens(last.prompt_eval_count),
            reply_tokens=counted_tokens(last.eval_count),
            num_ctx=num_ctx,
            notes=fitted.notes + _doubts(reply, fitted, num_ctx),
        )

    def most_usd(self, prompt_tokens: int, *, stage: str) -> float | None:
        """Return nothing: a model of Ollama is free."""
        return 0.0

    def models(self) -> tuple[InstalledModel, ...]:
        """The models on the server, as it lists them."""
        with self._words.around():
            there = installed(self._client.list())
        return tuple(replace(model, name=self._words.hidden(model.name)) for model in there)

    def digest(self) -> str | None:
        """Which build of the model the server has; None when it has none of that name."""
        called = (model for model in self.models() if model.is_called(self._model))
        return next((model.digest for model in called), None)

    def state(self) -> ServerState:
        """Whether the server is there, what it has, and what to do if something is missing; never raises."""
        try:
            there = self.models()
        except ModelError as error:
            return ServerState(self.host, ready=False, help=str(error))
        names = tuple(model.name for model in there)
        if not any(model.is_called(self._model) for model in there):
            return ServerState(
                self.host, ready=False, models=there, help=str(missing(self._model, host=self.host, installed=names))
            )
        return ServerState(self.host, ready=True, models=there)

    def pull(self, model: str = "") -> Generator[PullProgress, None, None]:
        """Download a model onto the server and yield the progress; close the iterator to stop."""
        name = model or self._model
        with (
            replace(self._words, model=name).around(),
            closing(cast("Any", self._client.pull(name, stream=True))) as lines,
        ):
            done = False
            for line in lines:
                status = progress(line)
                status = replace(status, status=self._words.hidden(status.status))
                done = status.status == "success"
                yield status
        if not done:
            raise ModelError(
                f"The download of {name} ended before it was complete. Pull it again: it goes on from there."
            )

    def close(self) -> None:
        """Let go of the connections."""
        self._client.close()  # type: ignore[no-untyped-call]

    def _open(self) -> ollama.Client:
        s = self._settings
        timeout = httpx.Timeout(s.silence_seconds, connect=s.connect_seconds)
        try:
            return ollama.Client(
                self.host,
                follow_redirects=False,
                timeout=timeout,
                trust_env=False,
                transport=ModelTransport(s, cancelled=self._cancelled),
            )
        except (ValueError, httpx.InvalidURL):
            raise self._words.error(httpx.InvalidURL(self.host)) from None

    def _abilities(self) -> _Abilities:
        if self._known is None:
            try:
                with self._words.around():
                    self._known = _abilities(self._client.show(self._model))
            except ModelMissing:
                there = self.models()
                if not any(model.is_called(self._model) for model in there):
                    raise missing(self._model, host=self.host, installed=tuple(m.name for m in there)) from None
                self._known = _Abilities()
        return self._known

    def _parts(
        self, reply: _Received, prompt: str, system: str, schema: Schema | None, *, num_ctx: int, thinks: bool
    ) -> Generator[ollama.ChatResponse]:
        """The pieces of a reply."""
        messages = [{"role": "system", "content": system}] if system else []
        options = {**self.options, "num_ctx": num_ctx}
        del options["think"]
        with self._words.around(lambda: reply.text):
            yield from self._client.chat(
                self._model,
                [*messages, {"role": "user", "content": prompt}],
                stream=True,
                format=None if schema is None else dict(schema),
                options=options,
                keep_alive=self._settings.keep_alive,
                think=_THINK[self._settings.think] if thinks else None,
            )
            if reply.last is None:
                raise httpx.RemoteProtocolError("the stream ended before the reply did")

    def _take(self, part: ollama.ChatResponse, reply: _Received) -> None:
        reply.text += part.message.content or ""
        reply.thought += len(part.message.thinking or "")
        reply.last = part if part.done else None


_THINK: Mapping[str, bool | None] = {"off": False, "on": True, "auto": None}


def _abilities(shown: ollama.ShowResponse) -> _Abilities:
    info = shown.modelinfo or {}
    stated = (value for key, value in info.items() if key.endswith(".context_length"))
    lengths = [value for value in stated if isinstance(value, int) and value > 0]
    return _Abilities(min(lengths, default=None), "thinking" in (shown.capabilities or ()))


def _doubts(reply: _Received, fitted: Fitted, num_ctx: int) -> tuple[str, ...]:
    """Return what the token counts reveal: a reply cut off, or a prompt that the server shortened silently.

    Ollama halves the context when a prompt is too long, throws the rest of the prompt away and reports what is left.
    """
    read, doubts = reply.last.prompt_eval_count, []
    is_half = read is not None and abs(read - num_ctx // 2) <= 8
    if is_half and fitted.tokens > 1.5 * read:
        doubts.append(
            f"The server seems to have cut the front of the prompt off: about {fitted.tokens:,} tokens were sent and "
            f"{read:,} read, with a context of {num_ctx:,}."
        )
    if reply.last.done_reason == "length":
        doubts.append("The reply was cut off at the most tokens that a reply may have (ADAQ_MAX_REPLY_TOKENS).")
    if not reply.text.strip() and reply.thought:
        doubts.append("The model thought, but said nothing: ADAQ_THINK=off or a higher ADAQ_MAX_REPLY_TOKENS may help.")
    return tuple(doubts)
