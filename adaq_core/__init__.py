"""ADAQ: retrieval in hops, each aimed at what the evidence does not cover yet, with a trace that says why."""

from __future__ import annotations

import importlib
from typing import Any

_HOMES = {
    "AspectCoverage": "adaq_core.model",
    "CoverageContext": "adaq_core.coverage",
    "CoverageState": "adaq_core.coverage",
    "CorpusLibrary": "adaq_core.corpus.library",
    "EntityFirstRanker": "adaq_core.ranking.rerankers",
    "DocumentRetriever": "adaq_core.retrieval.index",
    "OllamaClient": "adaq_core.llm.ollama",
    "PassageIndex": "adaq_core.retrieval.index",
    "QueryAspect": "adaq_core.model",
    "QueryPlanner": "adaq_core.planner",
    "ResearchAgent": "adaq_core.agent",
    "ResearchResult": "adaq_core.agent",
    "Settings": "adaq_core.model",
    "coverage_node": "adaq_core.coverage",
}
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that importing the package costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module 'adaq_core' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """The public names."""
    return list(__all__)
