"""Which chat answers: a model of the settings, one for each stage, one that keeps replies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, fields, replace
from typing import TYPE_CHECKING, Any, Protocol, cast

from adaq_core.errors import InputError, ModelError, ModelServerDown, StoreError
from adaq_core.llm import Chat, Prompt, Reply, Schema, as_prompt, digest_of, fit, most_usd

if TYPE_CHECKING:
    from adaq_core.llm.settings import ModelSettings


class Keyed(Chat, Protocol):
    """A chat that says what its replies depend on besides the prompt."""

    @property
    def options(self) -> Mapping[str, Any]:
        """Seed, temperature, context and the like."""
        ...

    def digest(self) -> str | None:
        """Which build of the model answers; None when there is none. ModelError when nobody can say."""
        ...


class ReplyCache(Protocol):
    """Where replies are kept: `store.KeptReplies`."""

    def find(self, request: str, *, digest: str) -> dict[str, Any] | None:
        """The reply of one build."""
        ...

    def newest(self, request: str, *, model: str) -> dict[str, Any] | None:
        """The last reply of any build of that name."""
        ...

    def keep(self, request: str, body: Mapping[str, Any], *, digest: str, model: str) -> None:
        """Keep a reply."""
        ...


class Remembered:
    """The replies of this process alone, for work that writes no store: methods that ask the same are answered once."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], dict[str, Any]] = {}

    def find(self, request: str, *, digest: str) -> dict[str, Any] | None:
        """The reply of one build."""
        return self._kept.get((request, digest))

    def newest(self, request: str, *, model: str) -> dict[str, Any] | None:
        """Nothing: what is kept here is not older than the server."""
        return None

    def keep(self, request: str, body: Mapping[str, Any], *, digest: str, model: str) -> None:
        """Keep a reply."""
        self._kept[(request, digest)] = dict(body)


class Cached:
    """`chat` behind a cache. When the server cannot say which build it has, the newest kept reply of that name serves.

    A kept reply costs nothing and says that it is one; errors are never kept. A cache that cannot be used is noted on
    the reply and does not stop a run.
    """

    def __init__(self, chat: Keyed, reply_cache: ReplyCache) -> None:
        self._chat = chat
        self._reply_cache = reply_cache
        self._digest: str | None = None

    @property
    def model(self) -> str:
        """The name of the model."""
        return self._chat.model

    def ask(self, prompt: str | Prompt, *, system: str = "", schema: Schema | None = None, stage: str) -> Reply:
        """The kept reply, or a new one that is kept from then on."""
        request = request_hash(as_prompt(prompt), system=system, schema=schema, options=self._chat.options)
        digest, down = self._build()
        try:
            kept = self._find(request, digest)
        except StoreError as error:
            reply = self._chat.ask(prompt, system=system, schema=schema, stage=stage)
            return replace(reply, notes=(*reply.notes, f"Kept replies could not be looked up: {error}"))
        if kept is not None:
            return kept
        if down is not None:
            raise down  # a server that hung a moment ago would only hang again
        reply = self._chat.ask(prompt, system=system, schema=schema, stage=stage)
        return self._keep(request, digest or self._build()[0], reply)

    def most_usd(self, prompt_tokens: int, *, stage: str) -> float | None:
        """Return what the chat behind it would cost: whether a reply is kept shows only when it is asked."""
        return most_usd(self._chat, prompt_tokens, stage=stage)

    def generate_text(self, prompt: str, system_prompt: str = "") -> str:
        """The text of the reply to `prompt`."""
        return self.ask(prompt, system=system_prompt, stage="text").text

    def _build(self) -> tuple[str | None, ModelServerDown | None]:
        """Return the build that answers, None if nobody can say; and the error if the model is missing."""
        if self._digest is None:
            try:
                self._digest = self._chat.digest()
            except ModelServerDown as error:
                return None, error
            except ModelError:
                return None, None
        return self._digest, None

    def _find(self, request: str, digest: str | None) -> Reply | None:
        if digest is not None:
            return _reply(self._reply_cache.find(request, digest=digest), note="")
        note = f"{self.model} could not be reached: this is the reply that was kept when it was asked the same before."
        return _reply(self._reply_cache.newest(request, model=self.model), note=note)

    def _keep(self, request: str, digest: str | None, reply: Reply) -> Reply:
        if digest is None:
            return reply
        try:
            self._reply_cache.keep(request, asdict(reply), digest=digest, model=self.model)
        except StoreError as error:
            return replace(reply, notes=(*reply.notes, f"The reply could not be kept: {error}"))
        return reply


def request_hash(prompt: Prompt, *, system: str, schema: Schema | None, options: Mapping[str, Any]) -> str:
    """Return a hash of the request and options, before passages are left out to make it fit."""
    return digest_of([system, prompt.head, list(prompt.passages), prompt.tail, schema, dict(options)])


_FIELDS = frozenset(field.name for field in fields(Reply))


def _reply(body: dict[str, Any] | None, *, note: str) -> Reply | None:
    """Read the reply in `body`; None if a version of ADAQ with other fields stored it."""
    if body is None or set(body) != _FIELDS:
        return None
    notes = tuple(body["notes"]) + ((note,) if note else ())
    return replace(Reply(**body), cached=True, usd=0.0, cut=tuple(body["cut"]), notes=notes)


_UNKNOWN_CONTEXT, _RESERVE = 8192, 1024  # tokens of a client that says nothing of its own


def as_chat(client: Any) -> Chat:
    """Return `client` if it is a chat, else one over its `generate_text`.

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

    def __init__(self, client: Any) -> None:
        self._client = client

    @property
    def model(self) -> str:
        """The model's name if the client has one, else its class."""
        named = getattr(self._client, "model", None) or getattr(self._client, "model_name", None)
        return named if isinstance(named, str) else type(self._client).__name__

    def ask(self, prompt: str | Prompt, *, system: str = "", schema: Schema | None = None, stage: str) -> Reply:
        """What the client says; any error of it becomes a ModelError, because it is not ours."""
        fitted = fit(prompt, system=system, num_ctx=_UNKNOWN_CONTEXT, reserve=_RESERVE)
        try:
            text = self._client.generate_text(fitted.text, system)
        except Exception as error:
            raise ModelError(f"{self.model} failed in generate_text: {type(error).__name__}: {error}") from error
        if not isinstance(text, str):
            raise ModelError(f"Expected text from {self.model}.generate_text, but a {type(text).__name__} came.")
        return fitted.answered(text, model=self.model, system=system, schema=schema)


WRITING_STAGES = frozenset({"synthesise"})


class Tiered:
    """`writer` answers the writing stages, `planner` all others; each reply names the model that gave it."""

    def __init__(self, planner: Chat, writer: Chat) -> None:
        self._planner = planner
        self._writer = writer

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
        return self._writer if stage in WRITING_STAGES else self._planner


BOTH = " + "


def chat_for(
    settings: ModelSettings | None = None,
    *,
    model: str = "",
    reply_cache: ReplyCache | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Chat:
    """Return the chat of one run: `model` if given, else the two models of the settings.

    `model` is one for all stages, or two as a run records them: "small + large", the second writes the answer.
    `reply_cache` keeps replies unless the settings switch that off. Nothing is sent before the first question.

    Raises:
        InputError: the settings cannot be used.
        ModelServerDown: the address of the server is none.
    """
    from adaq_core.llm.settings import read_settings

    chosen = settings or read_settings()

    def one(name: str) -> Chat:
        client = _client(chosen, name, cancelled)
        return Cached(client, reply_cache) if reply_cache is not None and chosen.reply_cache else client

    small, _, large = model.partition(BOTH)
    planner, writer = (small.strip(), (large or small).strip()) if model else (chosen.model, chosen.writer)
    if planner == writer:
        return one(planner)
    return Tiered(one(planner), one(writer))


def _client(settings: ModelSettings, name: str, cancelled: Callable[[], bool] | None) -> Keyed:
    if settings.provider == "openai":
        from adaq_core.llm.openai_compatible import OpenAICompatible

        return OpenAICompatible(name, settings=settings, cancelled=cancelled)
    from adaq_core.llm.ollama import OllamaClient

    return OllamaClient(name, settings=settings, cancelled=cancelled)


def checked_model(model: str) -> str:
    """Return the name as a run records it: "small,large" becomes "small + large"; InputError for no name."""
    names = [name.strip() for name in model.split(",")]
    if not all(names) or len(names) > 2:
        raise InputError(f"Expected a model's name, or two with a comma (one plans, one writes), not {model!r}.")
    return BOTH.join(dict.fromkeys(names))
