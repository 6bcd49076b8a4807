"""Multi-query RAG: the question and rewrites of it are searched at once, their rankings are fused; nothing adapts.

The multi-query retriever of common RAG frameworks with the fusion of RAG-Fusion (Rackauckas, 2024), that is
reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009). Changed: without a language model the rewrites come from
templates (key words only, each aspect's first wording).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from adaq_core.events import Event, HopStarted, PassagesRetrieved
from adaq_core.model import QueryAspect, Subquery
from adaq_core.question.aspect_patterns import content
from adaq_core.question.query_templates import template
from adaq_core.retrieval.index import fuse
from adaq_core.stages.assemble import top_ranked
from adaq_core.stages.plan import plan_aspects
from adaq_core.stages.refine import normal
from adaq_core.stages.services import Services
from adaq_core.stages.state import DEPTH, begin
from adaq_core.stages.stop_policy import conclude

_REWRITES = 4  # of the question, besides the question itself


def run(question: str, services: Services, *, aspects: Sequence[QueryAspect] | None = None) -> Iterator[Event]:
    """Search with every rewrite, fuse, read, write."""
    planned = plan_aspects(question, services, aspects)
    yield planned
    state = begin(question, services, planned)
    queries = rewrites(question, planned.aspects, worded=state.worded(planned.aspects, limit=_REWRITES))
    yield HopStarted(1, tuple(queries), f"{len(queries)} rewrites of the question, all at once", state.open_aspects())
    rankings = []
    for query in queries:
        state.ask(query)
        hits = services.retriever.retrieve(query.text, top_k=services.settings.pool)
        rankings.append(hits)
        yield PassagesRetrieved(1, query, services.retriever.name, tuple(hits[:DEPTH]), read=0)
    fused = fuse(rankings, top_k=max(services.settings.k, DEPTH))
    yield from conclude(state, top_ranked(fused, hop=1, query="fusion of all rewrites"), fused)


def rewrites(question: str, aspects: Sequence[QueryAspect], *, worded: Sequence[Subquery] = ()) -> list[Subquery]:
    """The question, the model's queries or its key words and the first wordings of its aspects: up to five."""
    made = [Subquery(question, "", "the question itself"), *worded]
    made += [Subquery(" ".join(content(question)), "", "key words")]
    made += [Subquery(template(aspect, question), aspect.aspect, "aspect") for aspect in aspects]
    different = {normal(query.text): query for query in reversed(made) if query.text}
    ordered = [query for query in made if different.get(normal(query.text)) is query]
    return ordered[: _REWRITES + 1]
