"""Where a run of ADAQ ranks its candidates, and which of them are offered for the evidence."""

from __future__ import annotations

from adaq_core.loop.aspect_pool import AspectPool, suits
from adaq_core.loop.assemble import top_ranked
from adaq_core.loop.state import DEPTH, State
from adaq_core.model import RankedPassage, as_tuple
from adaq_core.ranking.pool import EvidencePool
from adaq_core.retrieval.fusion import fuse
from adaq_core.sources.joined import JoinedIndex
from adaq_core.text.entities import names

Pool = AspectPool | EvidencePool

_HOLDABLE = 60


def pool_for(state: State) -> Pool:
    """Where candidates are ranked: facts where names, sources or values lead to them, aspects by their own words.

    What live sources bring has no links and no place in the corpus, so with them all questions go the second way.
    """
    tools = state.tools
    by_words = isinstance(tools.retriever.index, JoinedIndex) or suits(tools.retriever.index)
    if not by_words and state.looks_up:
        return EvidencePool(
            tools.retriever.index, state.question, state.coverage.aspects, tools.settings, vectors=tools.vectors
        )
    return AspectPool(
        tools.retriever.index,
        state.question,
        state.findings_of,
        aspects=state.coverage.aspects,
        vectors=tools.vectors,
    )


def ordered(state: State, pool: Pool, *, deep: bool) -> list[RankedPassage]:
    """The candidates in the order of their worth; for `deep`, further ones after those that the pool chose."""
    ranked, reranker = _ranked(state, pool, deep=deep), state.tools.reranker
    return ranked if reranker is None else reranker.rerank(state.question, ranked)


def _ranked(state: State, pool: Pool, *, deep: bool) -> list[RankedPassage]:
    k = state.tools.settings.k
    if state.tools.without("reranking"):
        return top_ranked(fuse(state.rankings, top_k=_HOLDABLE), hop=1, query="fusion of all queries")
    if isinstance(pool, AspectPool):
        return pool.select(max(k, _HOLDABLE))
    chosen = pool.select(max(k, DEPTH))
    if not deep:
        return chosen
    ids = {each.passage.passage_id for each in chosen}
    return [*chosen, *(each for each in pool.ranked(_HOLDABLE) if each.passage.passage_id not in ids)]


def entities_of(state: State) -> tuple[str, ...]:
    """The names of the question, where a fact is looked up among passages that are about named things."""
    if not state.looks_up or state.tools.without("entity_first") or not state.tools.retriever.index.graph.is_dense:
        return ()
    return as_tuple(name.text for name in names(state.question) if name.kind in ("name", "acronym", "quoted"))
