"""Where a run of ADAQ ranks its candidates, and which of them are offered for the evidence."""

from __future__ import annotations

from adaq_core.filings.search import FilingSearch, search_of
from adaq_core.model import RankedPassage, as_tuple
from adaq_core.ranking.filing_pool import FilingPool
from adaq_core.ranking.linked_pool import LinkedPool
from adaq_core.ranking.pools import CandidatePool
from adaq_core.ranking.topic_pool import TopicPool, is_topical_corpus
from adaq_core.retrieval.retriever import fuse
from adaq_core.stages.assemble import top_ranked
from adaq_core.stages.state import State
from adaq_core.text.entities import names

_HOLDABLE = 60


def pool_for(state: State) -> CandidatePool:
    """Where candidates are ranked: filings, facts where names or values lead to them, aspects by their own words.

    What live sources bring has no links and no place in the corpus, so with them all questions go the second way.
    """
    services = state.services
    if (search := _filings(state)) is not None:
        return FilingPool(services.retriever.index, search, aspects=state.coverage.aspects)
    by_words = not services.retriever.index.is_stored or is_topical_corpus(services.retriever.index)
    if not by_words and state.is_lookup:
        return LinkedPool(
            services.retriever.index,
            state.question,
            state.coverage.aspects,
            services.settings,
            vectors=services.vectors,
        )
    return TopicPool(
        services.retriever.index,
        state.question,
        state.findings_of,
        aspects=state.coverage.aspects,
        vectors=services.vectors,
    )


def _filings(state: State) -> FilingSearch | None:
    """The question as a search in the filings of the corpus, where it names a company of theirs."""
    index = state.services.retriever.index
    if not index.is_stored or state.services.ablated("constraints"):
        return None
    return search_of(state.question, index)


def ordered(state: State, pool: CandidatePool, *, deep: bool) -> list[RankedPassage]:
    """The candidates in the order of their worth; for `deep`, further ones after those that the pool chose."""
    ranked, reranker = _ranked(state, pool, deep=deep), state.services.reranker
    return ranked if reranker is None else reranker.rerank(state.question, ranked)


def _ranked(state: State, pool: CandidatePool, *, deep: bool) -> list[RankedPassage]:
    k = state.services.settings.k
    if state.services.ablated("reranking"):
        return top_ranked(fuse(state.rankings, top_k=_HOLDABLE), hop=1, query="fusion of all queries")
    return list(pool.select(k, depth=max(k, _HOLDABLE if deep else pool.depth)).ranked)


def entities_of(state: State) -> tuple[str, ...]:
    """The names of the question, where a fact is looked up among passages that are about named things."""
    if (
        not state.is_lookup
        or state.services.ablated("entity_first")
        or not state.services.retriever.index.graph.is_dense
    ):
        return ()
    return as_tuple(name.text for name in names(state.question) if name.kind in ("name", "acronym", "quoted"))
