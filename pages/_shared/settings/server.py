"""The model server as the pages know it: asked in the background, remembered for some seconds, never waited for."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adaq_core.llm.ollama_server import Look, look

if TYPE_CHECKING:
    from adaq_core.llm.settings import ModelSettings

FRESH_SECONDS = 5.0


@dataclass(slots=True)
class _Known:
    """What was seen last, when, and whether somebody is looking again."""

    seen: Look | None = None
    at: float = 0.0
    asking: bool = False
    told: threading.Event = field(default_factory=threading.Event)


class Watch:
    """Looks at model servers in threads of its own; one look at a time for each server."""

    def __init__(
        self, *, looks: Callable[[ModelSettings], Look] = look, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._looks = looks
        self._clock = clock
        self._lock = threading.Lock()
        self._known: dict[tuple[object, ...], _Known] = {}

    def seen(self, settings: ModelSettings, *, wait: float = 0.0) -> Look | None:
        """What was seen last, while a new look is begun when that is old; None when nothing came within `wait` s."""
        key = _key(settings)
        with self._lock:
            known = self._known.setdefault(key, _Known())
            if not known.asking and (known.seen is None or self._clock() - known.at > FRESH_SECONDS):
                known.asking = True
                known.told.clear()
                threading.Thread(target=self._look, args=(settings, known), daemon=True).start()
        if known.seen is None and wait:
            known.told.wait(wait)
        return known.seen

    def forget(self, settings: ModelSettings) -> None:
        """Look anew when asked next: something changed on the server, or the user wants to know."""
        with self._lock:
            self._known.pop(_key(settings), None)

    def _look(self, settings: ModelSettings, known: _Known) -> None:
        try:
            found = self._looks(settings)
        except Exception as error:  # else the page would say for ever that it is asking
            found = Look(settings.provider, "", (), "other", f"{type(error).__name__}: {error}")
        with self._lock:
            known.seen, known.at, known.asking = found, self._clock(), False
        known.told.set()


def _key(settings: ModelSettings) -> tuple[object, ...]:
    key = hash(settings.openai_api_key.get_secret_value())
    return settings.provider, settings.ollama_host, settings.openai_base_url, key


watch = Watch()
