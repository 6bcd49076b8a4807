"""A small web at the loopback server, and what a run reaches it with."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from adaq_core.sources import SourceSettings
from adaq_core.sources.gather import Access, query_cache
from adaq_core.sources.http import Web
from tests.sources.loopback import Asked, Reply, Server, article, of_json

QUESTION = "Compare the brake recall of Zorvia Motors and the battery plant of Zorvia Motors"
LONGER = "Compare the brake recall, the battery plant and the pension fund of Zorvia Motors"  # nothing tells the last
BRAKES = (
    "Zorvia Motors recalled 48,000 vans in March 2026 because their brake hose could crack in the cold. The brake "
    "recall of Zorvia Motors cost 31 million euros, and the regulator asked for a second look at the supplier."
)
PLANT = (
    "The battery plant of Zorvia Motors in Lublin began to make cells in May 2026. The battery plant employs 900 "
    "people, and Zorvia Motors wants it to supply every van that it builds from 2027 on."
)


def news(server: Server, *, snippet: int = 60, **pages: str) -> None:
    """SearXNG at the server, which finds every page for every query and shows its first `snippet` characters."""
    for name, text in pages.items():
        server.routes[f"/news/{name}"] = article(f"Zorvia: {name}", text, date="2026-06-02")

    def found(asked: Asked) -> Reply:
        results = [
            {"url": f"{server.url}/news/{name}", "title": f"Zorvia: {name}", "content": text[:snippet]}
            for name, text in pages.items()
        ]
        return of_json({"query": asked.query["q"], "results": results})

    server.routes["/search"] = found


def reach(
    server: Server, make_web: Callable[..., Web], *, folder: Path | None = None, web: Web | None = None, **more: str
) -> Access:
    """The sources as the settings have them when all of them are at the loopback server."""
    values: dict[str, Any] = {
        "SEARXNG_URL": server.url,
        "WIKIPEDIA_URL": server.url,
        "GDELT_URL": server.url,
        "NEWS_API_URL": server.url,
        "NEWS_API_KEY": "newskey0123456789abcdef",
        "FEED_URLS": f"{server.url}/feed.xml",
        "ADAQ_PRIVATE_HOSTS": server.place,
    }
    settings = SourceSettings({**values, **more})
    queries = None if folder is None else query_cache(settings, folder=folder)
    return Access(settings, web or make_web(hide=settings.hidden), queries)
