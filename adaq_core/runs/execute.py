"""Run: a method wrapped from RunStarted to RunFinished or RunFailed, with its budget, and resumable by replay."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, Self

from adaq_core.errors import AdaqError
from adaq_core.events import (
    AspectsPlanned,
    Decided,
    Event,
    FellBack,
    HopStarted,
    ModelCalled,
    Noticed,
    RunFailed,
    RunFinished,
    RunStarted,
    SourcesSearched,
    WordingsLearned,
)
from adaq_core.home import home
from adaq_core.llm import Chat
from adaq_core.llm.chats import as_chat
from adaq_core.matching.lexicon import is_common_word
from adaq_core.methods import method as find_method
from adaq_core.model import Branch, Budget, Passage, QueryAspect, Settings
from adaq_core.question.aspects import checked
from adaq_core.question.query_templates import profiles
from adaq_core.ranking.rerankers import Reranker, shared_scorer
from adaq_core.retrieval import Corpus
from adaq_core.retrieval.index import DocumentRetriever
from adaq_core.retrieval.lexical import Correction, corrected
from adaq_core.sources import checked as checked_sources
from adaq_core.sources.gather import Access, shared_access
from adaq_core.sources.live import DocumentSink, JoinedVectors, Live, TextSimilarity, joined
from adaq_core.stages.plan import passages_needed
from adaq_core.stages.services import BudgetMeter, ModelGateway, Services, Similar, never
from adaq_core.text.tokens import Weigh

log = logging.getLogger(__name__)
ABLATED = "model_"
MOST_AUTO = 25  # aspects that a long brief may have
# What a run may well tell otherwise when it is made again with kept replies.
_OF_MODELS = (ModelCalled, FellBack, Noticed)


@dataclass(frozen=True, slots=True)
class RunSpec:
    """What one run is asked. With a corpus, a model and live sources it says all that the run does.

    `aspects` are used in place of those that would be planned; `branches` are what a person changes on the way, in
    order, in a run of ADAQ. `past` are the events of another run that this one is to make again first. `learned` is
    what query templates gained in earlier runs, for settings that `learn`.
    """

    method: str
    question: str
    settings: Settings = field(default_factory=Settings)
    budget: Budget = field(default_factory=Budget)
    aspects: tuple[QueryAspect, ...] | None = None
    branches: tuple[Branch, ...] = ()
    past: tuple[Event, ...] = ()
    learned: WordingsLearned | None = None

    def checked(self) -> Self:
        """Return the spec with its question trimmed; InputError if it cannot be run.

        Raises:
            InputError: the question, the method or a live source cannot be used.
        """
        question = checked(self.question)
        find_method(self.method)
        checked_sources(self.settings.sources)
        return replace(self, question=question)


def execute(
    spec: RunSpec,
    *,
    retriever: DocumentRetriever,
    chat: Any = None,
    cancelled: Callable[[], bool] = never,
    access: Access | None = None,
    document_sink: DocumentSink | None = None,
) -> Generator[Event, None, None]:
    """Yield the events of one run. Bad input is raised before the first event; a later failure becomes RunFailed.

    With a `past` the run is made again from the start (it is deterministic; the replies of a model are kept), and a
    difference from it is noticed. `chat` is a language model, or any client with `generate_text(prompt,
    system_prompt)`; without one every stage goes by its rules. The live sources that the settings name are reached by
    `access`, by default that of the process; `document_sink` keeps what they find.
    """
    spec, usual = _sized(spec.checked(), retriever.index), spec.settings.k
    controller, settings = find_method(spec.method), spec.settings
    chat = None if chat is None else as_chat(chat)
    meter = BudgetMeter(spec.budget, cancelled)
    live = _live(spec, meter, vectors=retriever.vectors, access=access, document_sink=document_sink)
    services = _services(spec, retriever, meter, chat, live)
    yield RunStarted(
        question=spec.question,
        method=spec.method,
        corpus=retriever.index.card,
        settings=settings,
        budget=spec.budget,
        model=chat.model if chat is not None else None,
    )
    last: Decided | None = None
    replay = _Replay(spec.past, models=chat is not None, live=live is not None)
    try:
        spelling = _spelling(spec, retriever.index)
        yield from (Noticed("spelling", each.notice) for each in spelling if each.notice)
        question = corrected(spec.question, spelling)
        if settings.k > usual:
            yield Noticed("plan", f"The question asks for several parts or lists: {settings.k} passages may be cited")
        stream = controller(question, services, aspects=spec.aspects)
        with closing(_announced(stream, services, live)) as events:
            for event in (_as_asked(each, spelling) for each in events):
                if replay.differs(event):
                    yield Noticed("resume", replay.message)
                last = event if isinstance(event, Decided) else last
                yield event
    except Exception as error:
        log.exception("run failed")
        yield from services.gateway.drain() if services.gateway is not None else ()
        yield RunFailed(type(error).__name__, _message(error))
        return
    yield _finished(last)


class _Replay:
    """The events of an earlier run, held against those of this one; the first difference is told once."""

    def __init__(self, past: Sequence[Event], *, models: bool, live: bool) -> None:
        self._skip = (*(_OF_MODELS if models else ()), *((SourcesSearched,) if live else ()))
        self._left = [event for event in past if not isinstance(event, (RunStarted, *self._skip))]
        what = ["The corpus", "the settings"]
        what += ["the replies of the model"] if models else []
        what += ["what the live sources answer"] if live else []
        self.message = f"{', '.join(what[:-1])} or {what[-1]} changed: the run was made again from the start"

    def differs(self, event: Event) -> bool:
        """Whether `event` differs from the one that came here in the run before."""
        if not self._left or isinstance(event, self._skip):
            return False
        if event == self._left.pop(0):
            return False
        self._left = []
        return True


def _announced(
    events: Generator[Event, None, None], services: Services, live: Live | None
) -> Generator[Event, None, None]:
    """Yield the method's events, each after what a model and live sources did for it; first how passages are ranked."""
    if services.vectors is not None:
        yield Noticed("retrieve", f"The corpus has vectors for search by meaning ({services.vectors.embedder.key})")
    elif live is not None:
        yield Noticed(
            "sources", "What the live sources find is ranked by words: the corpus has no vectors to compare with"
        )
    hop = 1
    with closing(events):
        for event in events:
            if services.gateway is not None:
                yield from services.gateway.drain()
            yield from services.reranker.drain() if services.reranker is not None else ()
            yield from live.drain(hop) if live is not None else ()
            hop = event.hop if isinstance(event, HopStarted) else hop
            yield event


def _sized(spec: RunSpec, index: Corpus) -> RunSpec:
    """Return the spec with a `k` that follows the question's aspects, if its settings ask for that."""
    settings = spec.settings
    if not settings.k_auto:
        return spec
    needed = passages_needed(
        spec.question,
        index,
        given=spec.aspects,
        profile=settings.facet_profile,
        profiles=profiles(home=home()),
        most=MOST_AUTO,
    )
    return replace(spec, settings=replace(settings, k=max(settings.k, min(needed, MOST_AUTO))))


def _spelling(spec: RunSpec, index: Corpus) -> Sequence[Correction]:
    """Return the corrections for every method; none if live sources are asked, which may know the words.

    A common English word is what the user meant, though no passage says it: "charge" is no slip of "change".
    """
    if spec.settings.sources or "spelling" in spec.settings.ablate:
        return ()
    return [each for each in index.corrections(spec.question) if each.is_sure or not is_common_word(each.word)]


def _as_asked(event: Event, spelling: Sequence[Correction]) -> Event:
    """Return the plan with the spans of its aspects in the question as asked; it was made of the corrected one."""
    if not spelling or not isinstance(event, AspectsPlanned) or event.by == "user":
        return event
    return replace(event, aspects=tuple(replace(a, span=_asked_span(a.span, spelling)) for a in event.aspects))


def _asked_span(span: tuple[int, int] | None, spelling: Sequence[Correction]) -> tuple[int, int] | None:
    """Return the words' span in the question as asked; a span that ends within a corrected word covers all of it."""
    if span is None:
        return None
    start, end = span
    for each in spelling:
        longer = len(each.meant) - (each.end - each.start)
        start = max(each.start, start - longer) if start > each.start else start
        end = max(each.end, end - longer) if end > each.start else end
    return start, end


def _message(error: Exception) -> str:
    if isinstance(error, AdaqError):
        return str(error)
    return f"An unexpected error ended the run ({type(error).__name__}: {error}). What was found before it is kept."


def _finished(last: Decided | None) -> RunFinished:
    if last is None or last.decision.stop_reason is None:
        return RunFinished("no_evidence", "The method ended without a decision")
    return RunFinished(last.decision.stop_reason, last.decision.reason)


def _live(
    spec: RunSpec, meter: BudgetMeter, *, vectors: Any, access: Access | None, document_sink: DocumentSink | None
) -> Live | None:
    """Return the live sources of the run; None if it asks none."""
    settings = spec.settings
    if not settings.sources:
        return None
    return Live(
        settings.sources,
        access or _shared_access(),
        seconds_left=meter.seconds_left,
        cancelled=meter.cancelled,
        similarity=TextSimilarity(vectors) if vectors is not None and settings.use_dense else None,
        document_sink=document_sink,
        past=spec.past,
    )


def _shared_access() -> Access | AdaqError:
    """Return the process's access to live sources; or what is wrong with their settings, which the run says."""
    try:
        return shared_access()
    except AdaqError as error:
        return error


def _services(
    spec: RunSpec, retriever: DocumentRetriever, meter: BudgetMeter, chat: Chat | None, live: Live | None
) -> Services:
    settings = spec.settings
    vectors: Any = retriever.vectors if settings.use_dense else None
    if live is not None:
        vectors = None if live.similarity is None else JoinedVectors(vectors, live, live.similarity)
        retriever = DocumentRetriever(joined(retriever.index, live), retriever.mode, vectors=vectors)
    return Services(
        retriever=retriever,
        settings=settings,
        meter=meter,
        profiles=profiles(home=home()),
        weigh=rarity(retriever.index),
        long_form=retriever.index.long_form,
        similar=_similar(vectors) if vectors is not None else None,
        vectors=vectors,
        gateway=_gateway(chat, settings, meter),
        reranker=Reranker(shared_scorer(settings.cross_encoder)) if settings.cross_encoder else None,
        branches=spec.branches,
        learned=(spec.learned or WordingsLearned()) if settings.learn else None,
    )


def _gateway(chat: Chat | None, settings: Settings, meter: BudgetMeter) -> ModelGateway | None:
    """Return who asks the model; an ablation `model_plan`, `model_read` … keeps one stage to its rules."""
    off = [name.removeprefix(ABLATED) for name in settings.ablate if name.startswith(ABLATED)]
    if chat is None:
        return None
    return ModelGateway(chat, meter, k=settings.k, off=off)


def _similar(vectors: Any) -> Similar:
    """Return the cosine of an aspect and a passage, by the corpus's own vectors."""

    def similar(aspect: QueryAspect, passage: Passage) -> float | None:
        return float(vectors.similarity(aspect.aspect, [passage.passage_id])[0])

    return similar


def rarity(index: Corpus) -> Weigh:
    """Return how rare an index term is in the corpus: its BM25 idf, at least 0.05; an absent term is the rarest."""
    most = math.log1p((index.size + 0.5) / 0.5)

    @cache
    def weigh(term: str) -> float:
        idf = index.term_idf(term)
        return max(0.05, idf if idf > 0 else most)

    return weigh
