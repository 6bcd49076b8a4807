"""The model server: its state, and models that are fetched to it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import streamlit as st

from adaq_core.errors import AdaqError, ModelMissing, ModelRefused, ModelServerDown
from adaq_core.runs.jobs import Cancelled, Job, Progress
from pages._shared.common.text import coded, literal, short
from pages._shared.common.words import size
from pages._shared.settings.choice import chosen, keep

if TYPE_CHECKING:
    from adaq_core.llm.ollama import InstalledModel
    from adaq_core.llm.settings import ModelSettings

FRESH_SECONDS = 5.0
Problem = Literal["", "down", "refused", "empty", "unlisted", "other"]
_LONGEST_WAIT = 2.0


@dataclass(frozen=True, slots=True)
class ServerModels:
    """What a look at a server found: its models to talk to, and the `problem`, if any, with `help` in words.

    `down`: nobody answers. `refused`: it wants another key. `empty`: it has no model to talk to. `unlisted`: it does
    not tell which models it has, so their names have to be known.
    """

    provider: Literal["ollama", "openai"]
    address: str
    models: tuple[InstalledModel, ...] = ()
    problem: Problem = ""
    help: str = ""

    def model(self, name: str) -> InstalledModel | None:
        """The model that `name` means; None when it is not there."""
        return next((model for model in self.models if model.is_called(name)), None)


def look(settings: ModelSettings, *, longest_wait: float = _LONGEST_WAIT) -> ServerModels:
    """Ask the server for its models, `longest_wait` seconds at most; a fault is part of the result."""
    waits = {"connect_seconds": longest_wait, "silence_seconds": longest_wait}
    shorter = {name: min(getattr(settings, name), most) for name, most in waits.items()}
    quick = settings.model_copy(update=shorter)
    return _openai(quick) if settings.provider == "openai" else _ollama(quick)


def _ollama(settings: ModelSettings) -> ServerModels:
    from adaq_core.llm.ollama import OllamaClient

    address = settings.ollama_host
    try:
        client = OllamaClient(settings=settings)
        address = client.host
        try:
            there = client.models()
        finally:
            client.close()
    except AdaqError as error:
        return ServerModels("ollama", address, (), _problem(error), str(error))
    able = tuple(sorted((model for model in there if model.can_chat), key=lambda model: model.name))
    if not able:
        return ServerModels(
            "ollama", address, (), "empty", f"The Ollama server at {address} has no model to talk to yet."
        )
    return ServerModels("ollama", address, able)


def _openai(settings: ModelSettings) -> ServerModels:
    from adaq_core.llm.ollama import InstalledModel
    from adaq_core.llm.openai_compatible import OpenAICompatible

    address = settings.openai_base_url
    try:
        client = OpenAICompatible("its models", settings=settings)
        try:
            names = client.models()
        finally:
            client.close()
    except ModelMissing:
        words = f"The server at {address} does not list its models. Type the name of one."
        return ServerModels("openai", address, (), "unlisted", words)
    except AdaqError as error:
        return ServerModels("openai", address, (), _problem(error), str(error))
    models = tuple(model for model in (InstalledModel(name, "") for name in names) if model.can_chat)
    return ServerModels(
        "openai", address, models, "" if models else "empty", "" if models else f"{address} lists no model."
    )


def _problem(error: AdaqError) -> Problem:
    if isinstance(error, ModelServerDown):
        return "down"
    return "refused" if isinstance(error, ModelRefused) else "other"


def pull(
    model: str,
    settings: ModelSettings,
    *,
    progress: Callable[[int, int, str], None],
    cancelled: Callable[[], bool],
) -> None:
    """Have the server download `model`; `progress` gets bytes done, total bytes so far, and the server's words.

    Cancelled, the server hears of it with its next word and keeps what came: a new pull goes on there.

    Raises:
        ModelError: what the server, or the way to it, says is wrong.
    """
    from adaq_core.llm.ollama import OllamaClient

    parts: dict[str, tuple[int, int]] = {}
    client = OllamaClient(model, settings=settings)
    try:
        with closing(client.pull()) as lines:
            for line in lines:
                if cancelled():
                    return
                if line.total:
                    parts[line.status] = (line.completed or 0, line.total)
                done = sum(part for part, _ in parts.values())
                total = sum(size for _, size in parts.values())
                progress(done, total, line.status)
    finally:
        client.close()


@dataclass(slots=True)
class _Known:
    """What was seen last, when, and whether somebody is looking again."""

    seen: ServerModels | None = None
    at: float = 0.0
    asking: bool = False
    news: threading.Event = field(default_factory=threading.Event)


class ServerWatch:
    """Looks at model servers in threads of its own, one look at a time for each server."""

    def __init__(
        self, *, looks: Callable[[ModelSettings], ServerModels] = look, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._looks = looks
        self._clock = clock
        self._lock = threading.Lock()
        self._known: dict[tuple[object, ...], _Known] = {}

    def seen(self, settings: ModelSettings, *, wait: float = 0.0) -> ServerModels | None:
        """Return the last look and start a new one if it is old; None if nothing came within `wait` seconds."""
        key = _key(settings)
        with self._lock:
            known = self._known.setdefault(key, _Known())
            if not known.asking and (known.seen is None or self._clock() - known.at > FRESH_SECONDS):
                known.asking = True
                known.news.clear()
                threading.Thread(target=self._look, args=(settings, known), daemon=True).start()
        if known.seen is None and wait:
            known.news.wait(wait)
        return known.seen

    def forget(self, settings: ModelSettings) -> None:
        """Look again at the next request: something changed on the server, or the user wants to know."""
        with self._lock:
            self._known.pop(_key(settings), None)

    def _look(self, settings: ModelSettings, known: _Known) -> None:
        try:
            result = self._looks(settings)
        except Exception as error:  # else the page would say for ever that it is asking
            result = ServerModels(settings.provider, "", (), "other", f"{type(error).__name__}: {error}")
        with self._lock:
            known.seen, known.at, known.asking = result, self._clock(), False
        known.news.set()


def _key(settings: ModelSettings) -> tuple[object, ...]:
    key = hash(settings.openai_api_key.get_secret_value())
    return settings.provider, settings.ollama_host, settings.openai_base_url, key


watch = ServerWatch()

LONGEST_NAME = 200


class PullJob(Job[None]):
    """A model being downloaded to the server."""

    def __init__(self, model: str, settings: ModelSettings) -> None:
        def work(progress: Progress, cancelled: Cancelled) -> None:
            pull(model, settings, progress=progress, cancelled=cancelled)

        super().__init__(f"adaq-pull-{model}", work)
        self.model = model

    @property
    def going_on(self) -> bool:
        """Whether it still runs; a stopped one is over for the page before the server has noticed."""
        return not self.over and not self.cancelled


# One for the whole program, as the server has one disk: whoever opens the settings sees the same.
_jobs: list[PullJob] = []
_taken_over: list[PullJob] = []


def current() -> PullJob | None:
    """Return the download that goes on, or the last one until its end was seen."""
    return _jobs[-1] if _jobs else None


def begin(model: str, settings: ModelSettings) -> None:
    """Start to download a model, unless one is being downloaded."""
    job = current()
    if model.strip() and (job is None or not job.going_on):
        _jobs[:] = [PullJob(model.strip(), settings)]
        _jobs[0].start()


def dismiss() -> None:
    """Forget a download whose end was seen."""
    if _jobs and _jobs[0] in _taken_over:
        _jobs.clear()


def progress_line(job: Job[None], model: str) -> str:
    """Return `1.2 GB of 2.0 GB (61%) · 34 MB a second · about 23 s left`, as far as known."""
    if not job.total:
        return f"Downloading {model}: {job.what or 'asking the server'}"
    parts = [f"Downloading {model}: {size(job.done)} of {size(job.total)} ({job.share:.0%})"]
    if job.done >= job.total and job.what:
        parts.append(job.what)
    elif job.rate:
        parts.append(f"{size(job.rate)} a second")
        parts += [f"about {_left(job.seconds_left)} left"] if job.seconds_left else []
    return " · ".join(parts)


def _left(value: float) -> str:
    return f"{value:.0f} s" if value < 60 else f"{value / 60:.0f} min"


def show_job(job: PullJob, settings: ModelSettings) -> None:
    """Draw the download that goes on, or how it ended."""
    if job.going_on:
        st.progress(job.share, text=literal(progress_line(job, job.model)))
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button("Cancel", icon=":material/stop_circle:", key="pull_cancel", on_click=job.cancel)
            st.caption("It continues when you close this.", width="content")
        return
    if job.error:
        st.error(
            coded(short(job.error, 400)), title=f"{literal(job.model)} could not be downloaded", icon=":material/error:"
        )
    elif job.cancelled:
        st.info(
            "Stopped. The server keeps what has arrived; downloading it again continues from there.",
            icon=":material/info:",
        )
    else:
        st.info(f"{literal(job.model)} is on the server now.", icon=":material/download_done:")
        return
    st.button("Try again", icon=":material/download:", key="pull_again", on_click=begin, args=(job.model, settings))


def take_over(settings: ModelSettings) -> None:
    """After a download, read the list of models anew; the first model ever is chosen at once."""
    job = current()
    if job is None or job.going_on or job in _taken_over:
        return
    _taken_over[:] = [job]
    watch.forget(settings)
    if job.state == "done" and not job.cancelled and not chosen().model:
        keep(model=job.model)


def show_offer(settings: ModelSettings, *, name: str, key: str) -> None:
    """Draw a field for the name of a model to download, and the button."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        typed = st.text_input(
            "Model to download",
            value=name,
            key=f"pull_name_{key}",
            max_chars=LONGEST_NAME,
            width=260,
            help="A name from the library at ollama.com, such as llama3.2 (2 GB) or qwen3:8b (5 GB).",
        )
        st.button(
            "Download",
            icon=":material/download:",
            key=f"pull_{key}",
            on_click=_begin_typed,
            args=(f"pull_name_{key}", settings),
        )
    if not (typed or "").strip():
        st.caption("Type the name of a model first.")


def _begin_typed(key: str, settings: ModelSettings) -> None:
    begin(str(st.session_state.get(key) or ""), settings)
