"""Which hop comes next, if any.

Names that lead out of the set, or a query for an aspect that the set leaves open; with the candidates of each.

In a corpus at hand it costs little to see what a query or a name would bring. So a hop is made only where that would
enter the set; what would not is said to have been tried.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from types import MappingProxyType

from adaq_core.filings.search import FilingSearch, search_of
from adaq_core.matching.sentences import looked_up
from adaq_core.model import Branch, Link, QueryAspect, RankedPassage, ScoredPassage, Subquery, as_tuple
from adaq_core.ranking import CandidatePool, FilingPool, RowsPool
from adaq_core.ranking.linked_pool import LinkedPool
from adaq_core.ranking.topic_pool import TopicPool, is_topical
from adaq_core.retrieval.index import fuse
from adaq_core.stages.assemble import reserved, top_ranked
from adaq_core.stages.refine import refine
from adaq_core.stages.state import State
from adaq_core.text.entities import names

# `QueryPlanner.next_subqueries`: the queries of a hop for the open aspects, and the wordings passed over.
PlanQueries = Callable[..., tuple[list[Subquery], list[str]]]

_Tried = tuple[Subquery, bool]  # a query, and whether it brought something
_NONE: Mapping[str, int] = MappingProxyType({})
_MOST_FORESEEN = 12  # searches of one round trip


@dataclass(frozen=True, slots=True)
class NextHop:
    """What a hop will do, and why; `passed` are wordings that were passed over. It does nothing where all is empty."""

    queries: tuple[Subquery, ...] = ()
    links: tuple[Link, ...] = ()
    why: str = ""
    passed: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Whether there is anything to do."""
        return bool(self.queries or self.links)


def first_hop(state: State) -> NextHop:
    """Return the first hop: the search for the question itself."""
    return NextHop((Subquery(state.question, "", "the question itself"),), why="The question itself is searched first")


def next_hop(state: State, pool: CandidatePool, plan_queries: PlanQueries, *, hop: int) -> NextHop:
    """Return what to do in `hop`; empty where nothing would bring anything, or nothing may be done any more."""
    if state.services.meter.limit() or hop > state.services.settings.max_hops or state.unclear:
        return NextHop()
    if _says_it_all(pool):
        return NextHop()
    if state.looks_ahead:
        state.services.retriever.index.expect(_foreseen(state, plan_queries, hop))
    return _by_names(state, pool, hop) or _by_queries(state, pool, plan_queries, hop)


def _foreseen(state: State, plan_queries: PlanQueries, hop: int) -> Iterator[str]:
    """The queries that may be tried one after another, whichever of them bring something; mostly none does.

    An engine elsewhere searches for them at once. Nothing is planned where nobody draws from it.
    """
    waiting: list[tuple[int, int, tuple[_Tried, ...]]] = [(0, 0, ())]
    begun, words = {frozenset[_Tried]()}, set[str]()
    while waiting and len(words) < _MOST_FORESEEN:
        successes, _, ahead = heappop(waiting)
        failed = Counter(query.aspect for query, brought in ahead if not brought)
        besides = [query for query, _ in ahead]
        coming, _ = _planned(state, plan_queries, hop, limit=1, besides=besides, failed=failed)
        if not coming:
            continue
        if coming[0].text not in words:
            words.add(coming[0].text)
            yield coming[0].text
        for brought in (False, True):
            later = (*ahead, (coming[0], brought))
            if len(ahead) < len(state.open_aspects()) and frozenset(later) not in begun:
                begun.add(frozenset(later))
                heappush(waiting, (successes + brought, len(begun), later))


def by_hand(state: State, branches: Sequence[Branch]) -> NextHop:
    """Return the hop that a person asked for, the last of several; empty where none was."""
    wanted = next((branch for branch in reversed(branches) if branch.query or branch.target), None)
    if wanted is None:
        return NextHop()
    if not wanted.query:
        return once_more(state, wanted.target)
    query = Subquery(wanted.query, wanted.target, "asked in these words by a person")
    return NextHop((query,), why="A person asked this query")


def once_more(state: State, name: str) -> NextHop:
    """Return a hop for the aspect of that name, in words not used yet: the user asked for it."""
    aspects = [aspect for aspect in state.coverage.aspects if aspect.aspect == name]
    asked = [query.text for query in state.asked]
    queries, passed = refine(state.question, aspects, asked=asked, findings=state.best, limit=1, insist=True)
    return NextHop(tuple(queries), why=f"Asked to search “{name}” once more", passed=tuple(passed))


def worded(state: State, coming: NextHop) -> NextHop:
    """Return the hop with its queries as a model words them, for the same aspects first."""
    if not coming.queries:
        return coming
    still = {aspect.aspect: aspect for aspect in state.coverage.get_uncovered_aspects(state.threshold)}
    order = as_tuple([query.aspect for query in coming.queries if query.aspect in still] + list(state.open_aspects()))
    queries = state.worded([still[name] for name in order], limit=len(coming.queries))
    if queries:
        return replace(coming, queries=tuple(queries), why=_why(state, queries))
    return coming


def _says_it_all(pool: CandidatePool) -> bool:
    """Whether the text is longer than any that the ranking of facts was learned from.

    It names its things itself and the first hop has searched each of its clauses; of 65 hops along names after that
    41 lost passages and 4 won some.
    """
    return pool.weighs_facts and pool.signals.reading.is_beyond


def _by_names(state: State, pool: CandidatePool, hop: int) -> NextHop:
    """Follow the names in the set, once, where it may not be enough and they lead to a passage that enters it."""
    if state.has_followed or _is_enough(state):
        return NextHop()
    state.has_followed = True
    links = pool.expand(hop=hop)
    new = {each.passage.passage_id for each in _newcomers(state, pool)}
    if not new:
        return NextHop()
    ordered = sorted(links, key=lambda link: link.target_id not in new)
    return NextHop(links=tuple(ordered), why=_why_follow(state, ordered, new))


def _is_enough(state: State) -> bool:
    """Whether the set is likely whole: every aspect is covered, or it is all but certain and no chain is open."""
    still = state.coverage.get_uncovered_aspects(state.threshold)
    if not still:
        return state.sufficiency >= _SURE
    return state.sufficiency >= _ALL_BUT_CERTAIN and not any(aspect.aspect_type == "relation" for aspect in still)


def _why_follow(state: State, links: Sequence[Link], new: set[str]) -> str:
    if not links or links[0].target_id not in new:
        return "A name in the evidence leads to a passage that is not in it"
    corpus, first = state.services.retriever.index, links[0]
    parent = corpus.passage(first.parent_id)
    target = corpus.passage(first.target_id)
    leads = f"“{parent.title or parent.document_id}” names “{first.entity}”"
    return f"{leads}, which leads to “{target.title or target.document_id}”, not in the evidence yet"


def _by_queries(state: State, pool: CandidatePool, plan_queries: PlanQueries, hop: int) -> NextHop:
    """Ask for the most important open aspect that a query brings something for."""
    queries: list[Subquery] = []
    passed: list[str] = []
    most = state.services.settings.max_subqueries
    for _ in range(len(state.open_aspects()) + 1):
        coming, over = _planned(state, plan_queries, hop, limit=1 if state.looks_ahead else most, besides=queries)
        passed += over
        if not coming or not state.looks_ahead:
            queries += coming
            break
        if _brings(state, pool, coming[0], hop):
            queries.append(coming[0])
        else:
            state.ask(coming[0])
            passed.append(coming[0].text)
        if len(queries) == most:
            break
    if not queries and state.open_aspects():
        still = state.coverage.get_uncovered_aspects(state.threshold)
        queries = state.worded(sorted(still, key=lambda a: -a.importance), limit=1)
    return NextHop(tuple(queries), why=_why(state, queries), passed=as_tuple(passed))


def _planned(
    state: State,
    plan_queries: PlanQueries,
    hop: int,
    *,
    limit: int,
    besides: Sequence[Subquery],
    failed: Mapping[str, int] = _NONE,
) -> tuple[list[Subquery], list[str]]:
    """The next queries and those passed over, after some `besides`; `failed` of them, by aspect, brought nothing."""
    return plan_queries(
        state.question,
        state.coverage_as_worded,
        hop=hop,
        asked=[query.text for query in (*state.asked, *besides)],
        tried=state.tried + Counter(failed),
        findings=state.best,
        threshold=state.threshold,
        limit=limit,
    )


def _brings(state: State, pool: CandidatePool, query: Subquery, hop: int) -> bool:
    """Whether the query brings a passage that enters the set, by its worth or because it answers the aspect."""
    hits = state.services.retriever.retrieve(query.text, top_k=state.services.settings.pool)
    pool.add(hits, hop=hop, query=query)
    brought = [ranked for ranked in _newcomers(state, pool) if ranked.provenance.hop == hop]
    return bool(brought) or _answers(state, query, hits[: state.services.settings.top_k])


def _answers(state: State, query: Subquery, hits: Sequence[ScoredPassage]) -> bool:
    """Whether one of the passages answers the query's aspect, of a kind that keeps a place in the set."""
    kept = reserved(state.coverage.aspects)
    aspect = next((a for a in state.coverage.aspects if a.aspect == query.aspect and a.aspect in kept), None)
    if aspect is None:
        return False
    unread = [hit.passage for hit in hits if hit.passage.passage_id not in state.read]
    may_answer = [passage for passage in unread if state.most_found(passage, aspect) >= state.threshold]
    scores = (state.score_of(passage, aspect) for passage in may_answer)
    return any(score >= state.threshold for score in scores)


def _newcomers(state: State, pool: CandidatePool) -> list[RankedPassage]:
    """The passages that would enter the set and are worth a hop."""
    k = state.services.settings.k
    chosen = pool.select(k).ranked[:k]
    return [r for r in chosen if r.passage.passage_id not in state.offered and r.score >= pool.least_score]


def _why(state: State, queries: Sequence[Subquery]) -> str:
    if not queries:
        return ""
    aspect = next((a for a in state.coverage.aspects if a.aspect == queries[0].aspect), None)
    if aspect is None:
        return f"“{queries[0].text}” is searched next"
    return f"“{aspect.aspect}” is the most important open aspect ({_standing(state, aspect, queries[0])})"


def _standing(state: State, aspect: QueryAspect, query: Subquery) -> str:
    tries = state.tried[aspect.aspect]
    rank = "core" if aspect.is_core else "optional"
    again = f", try {tries + 1}, another angle: {query.why}" if tries else ""
    return f"{rank}, importance {aspect.importance:.1f}{again}"


_HOLDABLE = 60  # candidates that may be held for an aspect or an entity
# Where every aspect is covered, names are followed only below this chance that all of the evidence is there.
_SURE = 0.8
_ALL_BUT_CERTAIN = 0.95  # the same where an aspect is open that is no link of a chain


def pool_for(state: State) -> CandidatePool:
    """Where candidates are ranked: filings, facts where names or values lead to them, aspects by their own words.

    What live sources bring has no links and no place in the corpus, so with them all questions go the second way.
    """
    services = state.services
    for aspect in state.coverage.aspects:
        services.retriever.index.note(" ".join((aspect.aspect, *aspect.keywords)))
        services.retriever.index.note_terms(looked_up(aspect))
    if (search := _filings(state)) is not None:
        return FilingPool(
            services.retriever.index,
            search,
            aspects=state.coverage.aspects,
            figure=state.stated,
            measured=state.reader().measured,
        )
    if state.rows is not None:
        return RowsPool(services.retriever.index, state.question, state.rows)
    by_words = not services.retriever.index.is_stored or is_topical(services.retriever.index, state.question)
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
        state.reader,
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
    ranked = _ranked(state, pool, deep=deep)
    reranker = state.services.reranker
    return ranked if reranker is None else reranker.rerank(state.question, ranked)


def _ranked(state: State, pool: CandidatePool, *, deep: bool) -> list[RankedPassage]:
    k = state.services.settings.k
    if state.services.ablated("reranking"):
        return top_ranked(fuse(state.rankings, top_k=_HOLDABLE), hop=1, query="fusion of all queries")
    needed = state.read if state.services.reranker is None else None
    return list(pool.select(k, depth=max(k, _HOLDABLE if deep else pool.depth), needed=needed).ranked)


def entities_of(state: State) -> tuple[str, ...]:
    """The names of the question, where a fact is looked up among passages that are about named things."""
    if not state.is_lookup or state.services.ablated("entity_first") or not state.services.retriever.index.is_linked:
        return ()
    return as_tuple(name.text for name in names(state.question) if name.kind in ("name", "acronym", "quoted"))
