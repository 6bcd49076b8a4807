"""What runs reach the live sources with: the user's settings, the web and the caches, shared by a whole process."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path

from adaq_core.home import home
from adaq_core.sources.cache import FileCache
from adaq_core.sources.gather import query_cache, web_for
from adaq_core.sources.http import Web
from adaq_core.sources.settings import SourceSettings, read_settings


@dataclass(frozen=True, slots=True)
class Access:
    """The settings that sources are made from, the web they ask through, and the cache of searches."""

    settings: SourceSettings
    web: Web
    queries: FileCache | None = None


_shared: dict[tuple[Path, frozenset[tuple[str, str]]], Access] = {}
_lock = threading.Lock()


def shared_access() -> Access:
    """The access by the settings as they are now; runs at the same time share the pace of each host.

    Raises:
        InputError: a setting is not written as it should be.
    """
    settings = read_settings()
    key = home(), frozenset(settings.values.items())
    with _lock:
        if key not in _shared:
            _shared.clear()
            _shared[key] = Access(settings, web_for(settings), query_cache(settings))
        return _shared[key]
