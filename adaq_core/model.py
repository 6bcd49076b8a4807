"""The nouns: what a question, a passage, an aspect and an answer are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, TypeVar, get_args

T = TypeVar("T")
AspectType = Literal[
    "definition",
    "comparison",
    "process",
    "causal",
    "evaluation",
    "application",
    "facet",
    "entity",
    "relation",
]
ASPECT_TYPES: tuple[AspectType, ...] = get_args(AspectType)

StopReason = Literal[
    "core_covered",
    "all_covered",
    "no_gain",
    "max_hops",
    "budget_tokens",
    "budget_time",
    "budget_cost",
    "user_stop",
    "no_evidence",
    "error",
]

AnswerKind = Literal[
    "person",
    "place",
    "organisation",
    "date",
    "number",
    "amount",
    "yes_no",
    "choice",
    "reason",
    "way",
    "list",
    "definition",
    "comparison",
    "report",
    "fact",
]

AnswerStatus = Literal["answered", "partly", "not_covered", "not_in_corpus", "unclear"]
ConditionKind = Literal[
    "source",
    "date",
    "period",
    "place",
    "company",
    "form",
    "statement",
    "number",
    "quoted",
    "negation",
    "scope",
]

CORE_IMPORTANCE = 0.8
COVERAGE_THRESHOLD = 0.5


@dataclass(frozen=True, slots=True)
class Constraint:
    """A condition that the question puts on the evidence: a source, a date, a company, a form of filing ….

    A `date` is of the calendar, a `period` a fiscal year or a quarter; a `statement` is a part of a report ("balance
    sheet"); a `negation` excludes; a `scope` is another phrase in front that confines the question ("Under the GDPR").
    `value` is what it stands for in a form that compares: "2018", "2023-Q3", "2023-10-06", "2016/2018" for a range,
    "2020/.." since, "../2023" before; "10-K"; ">20%"; the name without its preposition. Empty where the text itself is
    compared.
    """

    kind: ConditionKind
    text: str
    span: tuple[int, int] | None = None
    value: str = ""


@dataclass(frozen=True, slots=True)
class QueryAspect:
    """One part of the question that the evidence has to cover.

    `importance` lies in [0, 1]; from 0.8 the aspect is core. `span` is the half-open character range of the question
    that the aspect came from. `subject` is what query templates speak of, `aliases` are other names of it. `depends_on`
    names the aspect whose finding has to be known first (relation chains). `answer_kind` is what an answer to it has
    to hold: a person, a date, a yes or no ….
    """

    aspect: str
    aspect_type: AspectType
    importance: float = 1.0
    keywords: tuple[str, ...] = ()
    span: tuple[int, int] | None = None
    subject: str = ""
    constraints: tuple[Constraint, ...] = ()
    depends_on: str | None = None
    aliases: tuple[str, ...] = ()
    answer_kind: AnswerKind = "fact"

    def __hash__(self) -> int:
        """By what it asks of what: those of a run differ in it, and what is known of each is kept by them."""
        return hash((self.aspect, self.subject))

    def __post_init__(self) -> None:
        """Accept any iterable of keywords; refuse an unknown type or an importance outside [0, 1]."""
        object.__setattr__(self, "keywords", tuple(self.keywords))
        if self.aspect_type not in ASPECT_TYPES:
            raise ValueError(f"aspect_type must be one of {', '.join(ASPECT_TYPES)}, not {self.aspect_type!r}")
        if not 0.0 <= self.importance <= 1.0:
            raise ValueError(f"importance must lie in [0, 1], not {self.importance}")

    @property
    def is_core(self) -> bool:
        """Whether the run may not stop, as successful, without it."""
        return self.importance >= CORE_IMPORTANCE

    @property
    def is_fact(self) -> bool:
        """Whether it asks for a fact about something named, or for a link that leads to one."""
        return self.aspect_type in ("entity", "relation")


def _name(aspect: QueryAspect | str) -> str:
    return aspect if isinstance(aspect, str) else aspect.aspect


@dataclass(slots=True)
class AspectCoverage:
    """How well each aspect is covered: a score in [0, 1] and the hop that first covered it.

    The one mutable noun. `raise_score` keeps the best of all that was read; a run sets its own scores to
    what the set held shows (`set_score`): they fall when a passage leaves it.
    """

    aspects: list[QueryAspect]
    coverage_scores: dict[str, float] = field(default_factory=dict)
    covered_by_hop: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Every aspect has a score from the start: 0.0."""
        for aspect in self.aspects:
            self.coverage_scores.setdefault(aspect.aspect, 0.0)

    def score(self, aspect: QueryAspect | str) -> float:
        """Return the coverage of `aspect`; 0.0 if no passage has matched it."""
        return self.coverage_scores.get(_name(aspect), 0.0)

    def is_aspect_covered(self, aspect: QueryAspect | str, threshold: float = COVERAGE_THRESHOLD) -> bool:
        """Whether the score of `aspect` reaches `threshold`."""
        return self.score(aspect) >= threshold

    def get_uncovered_aspects(self, threshold: float = COVERAGE_THRESHOLD) -> list[QueryAspect]:
        """Return the aspects below `threshold`, in planning order."""
        return [aspect for aspect in self.aspects if not self.is_aspect_covered(aspect, threshold)]

    def get_coverage_percentage(self, threshold: float = COVERAGE_THRESHOLD) -> float:
        """Return the share of aspects covered, in [0, 1]; 1.0 if there are none."""
        if not self.aspects:
            return 1.0
        return 1.0 - len(self.get_uncovered_aspects(threshold)) / len(self.aspects)

    def get_weighted_coverage(self) -> float:
        """Return the mean score weighted by importance, in [0, 1]; 1.0 if there are no aspects."""
        weight = sum(aspect.importance for aspect in self.aspects)
        if weight == 0:
            return 1.0
        return sum(aspect.importance * self.score(aspect) for aspect in self.aspects) / weight

    def raise_score(self, aspect: QueryAspect | str, score: float, *, hop: int, threshold: float) -> bool:
        """Raise (never lower) the score of `aspect`; return True if this hop covers it for the first time."""
        return self.set_score(aspect, max(self.score(aspect), score), hop=hop, threshold=threshold)

    def set_score(self, aspect: QueryAspect | str, score: float, *, hop: int, threshold: float) -> bool:
        """Set the score of `aspect`, up or down; return True if this hop covers it for the first time."""
        name = _name(aspect)
        self.coverage_scores[name] = min(1.0, score)
        newly = name not in self.covered_by_hop and self.coverage_scores[name] >= threshold
        if newly:
            self.covered_by_hop[name] = hop
        return newly


@dataclass(frozen=True, slots=True)
class Branch:
    """What a person changes in a run at the end of `hop`; what is empty or None stays as it was.

    `aspects` are all aspects from then on, `settings` all settings. The next hop sends `query`, for the aspect
    `target`; with a target alone, words for it that were not used yet.
    """

    hop: int
    aspects: tuple[QueryAspect, ...] | None = None
    query: str = ""
    target: str = ""
    settings: Settings | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """What is ingested: one file, article or record. `metadata` holds what else is known, as text pairs.

    `pages` are the characters at which its pages begin, `outline` those at which sections do, each with its path of
    headings ("Results › Europe"); empty where the file has none.
    """

    document_id: str
    title: str
    text: str
    source: str = ""
    date: str = ""
    url: str = ""
    metadata: tuple[tuple[str, str], ...] = ()
    pages: tuple[int, ...] = ()
    outline: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """The unit that is retrieved and cited.

    `start` and `end` are its character range in the document's text, `position` its number in the document, from 0.
    """

    passage_id: str
    document_id: str
    title: str
    text: str
    source: str = ""
    date: str = ""
    url: str = ""
    position: int = 0
    start: int = 0
    end: int = 0
    metadata: tuple[tuple[str, str], ...] = ()

    def __hash__(self) -> int:
        """By its id alone: what a run knows of passages is kept by them, and asked for ten thousand times."""
        return hash(self.passage_id)

    @property
    def place(self) -> str:
        """Page and section in its file, as far as they are known: "page 12, Item 7 › Results"."""
        known = dict(self.metadata)
        page = f"page {known['page']}" if known.get("page") else ""
        return ", ".join(part for part in (page, known.get("section", "")) if part)


@dataclass(frozen=True, slots=True)
class ScoredPassage:
    """A passage as a retriever returned it: `rank` from 1, `score` in the retriever's own unit."""

    passage: Passage
    score: float
    rank: int


@dataclass(frozen=True, slots=True)
class Subquery:
    """What is sent to the retriever, the aspect it is for (and those it serves `also`), and why it was worded so.

    `template` names the wording among those for its type of aspect; empty where it was worded in another way.
    """

    text: str
    aspect: str
    why: str = ""
    also: tuple[str, ...] = ()
    template: str = ""


@dataclass(frozen=True, slots=True)
class WordingGain:
    """What a wording has done in earlier runs: how often it was used, and how far coverage of its aspect then rose.

    `again` tells tries after the first one for the same aspect, which are for the harder aspects. `gain` is a mean.
    """

    aspect_type: AspectType
    again: bool
    template: str
    uses: int
    gain: float


@dataclass(frozen=True, slots=True)
class Link:
    """A step from one passage to another: `sentence` of the parent names `entity`, which the target is about."""

    parent_id: str
    sentence: str
    entity: str
    target_id: str
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class Provenance:
    """How a passage came into the run: the hop and either the query or the link that brought it first."""

    hop: int
    query: str = ""
    aspect: str = ""
    link: Link | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """A quoted span of a passage, tied to an aspect: `quote == passage.text[start:end]`; `score` in [0, 1]."""

    aspect: str
    passage_id: str
    quote: str
    start: int
    end: int
    score: float
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AspectScore:
    """Coverage of one aspect after a hop, with the finding that earned it and the parts of the score.

    `unchecked` are conditions of the question, in its words, that nobody could check on what covers the aspect.
    """

    aspect: str
    score: float
    finding: Finding | None = None
    parts: tuple[tuple[str, float], ...] = ()
    unchecked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RankedPassage:
    """A passage as evidence: its estimated worth in [0, 1], the parts of that, where it came from, one line why."""

    passage: Passage
    rank: int
    score: float
    provenance: Provenance
    covers: tuple[str, ...] = ()
    parts: tuple[tuple[str, float], ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Replacement:
    """One change of the evidence: `taken` came in, `dropped` went out (empty when a slot was free)."""

    taken: str
    dropped: str
    reason: str


@dataclass(frozen=True, slots=True)
class Decision:
    """Go on or stop after a hop. `reason` is one sentence; `stop_reason` is set exactly when `stop` is."""

    stop: bool
    reason: str
    stop_reason: StopReason | None = None
    next_aspect: str | None = None
    next_query: str | None = None


@dataclass(frozen=True, slots=True)
class Citation:
    """A numbered reference of the answer: `quote` occurs in the passage at [start, end)."""

    n: int
    passage_id: str
    document_id: str
    title: str
    quote: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence of the answer with the numbers of the citations that carry it.

    `supported` is what the citation guard found, in code. `entailed` is what a model says that was asked whether the
    sentence follows from what it cites; None when none was asked or it did not say.
    """

    text: str
    aspect: str
    citations: tuple[int, ...] = ()
    supported: bool = True
    entailed: bool | None = None


@dataclass(frozen=True, slots=True)
class Conflict:
    """Statements whose numbers or dates disagree, to be shown side by side."""

    aspect: str
    about: str
    values: tuple[str, ...]
    citations: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NotCovered:
    """An aspect that the answer does not speak to, why, and the queries that were tried for it."""

    aspect: str
    queries: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ShortAnswer:
    """What the first line of an answer states: a name, a date, a number with its unit and period, yes or no, a list.

    `derivation` says in one sentence how it was computed from what is cited; empty where it is quoted as it stands.
    """

    text: str
    kind: AnswerKind
    citations: tuple[int, ...] = ()
    derivation: str = ""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of an answer's table: per column the places of the statements that fill its cell, from 0."""

    label: str
    cells: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class AnswerTable:
    """Statements as a table: a column for each thing compared, a row for each aspect of it."""

    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]


@dataclass(frozen=True, slots=True)
class UnusedPassage:
    """A passage of the evidence that the answer does not quote, and why."""

    passage_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The written answer: `text` is Markdown with [n] marks; it begins with the short answer where there is one.

    A passage has one number, and a citation for each of its quotes. `likely` are up to three candidates for a short
    answer that is not sure enough to be stated; they stand in the statements. `status` says how much of the question it
    answers; runs stored before it was kept have none. `abstained` when there is no answer, because nothing was found
    or not enough; what `statements` there are then are the nearest passages, and do not answer the question.
    """

    text: str
    statements: tuple[Statement, ...] = ()
    citations: tuple[Citation, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    not_covered: tuple[NotCovered, ...] = ()
    abstained: bool = False
    short: ShortAnswer | None = None
    status: AnswerStatus | None = None
    likely: tuple[str, ...] = ()
    table: AnswerTable | None = None
    unused: tuple[UnusedPassage, ...] = ()


@dataclass(frozen=True, slots=True)
class CitationsCheck:
    """What the citation guard did: citations `checked`, `repaired`, `dropped`, statements left `unsupported`, why.

    Of `judged` statements a model said whether what they cite entails them, and it `doubted` so many.
    """

    checked: int = 0
    repaired: int = 0
    dropped: int = 0
    unsupported: int = 0
    notes: tuple[str, ...] = ()
    judged: int = 0
    doubted: int = 0


@dataclass(frozen=True, slots=True)
class SourceReport:
    """What one live source did: requests really sent, documents and passages it brought, what went wrong, in how long.

    `error` is why it brought nothing; `notes` are what was left out though the source worked. `cached` means that its
    search was answered from an earlier one. `passages` is set when the documents go into a collection.
    """

    name: str
    requests: int = 0
    documents: int = 0
    passages: int = 0
    error: str | None = None
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
    cached: bool = False


@dataclass(frozen=True, slots=True)
class Budget:
    """What bounds a run besides its hops; None means unbounded."""

    max_tokens: int | None = None
    max_seconds: float | None = None
    max_usd: float | None = None
    max_calls: int | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that shapes a run apart from the question and the corpus.

    `k` is the size of the evidence, which with `k_auto` grows to one passage for each aspect, four for a list among
    several, at most 25; `top_k` how many passages one query reads; `pool` how many candidates one query adds for the
    evidence to be chosen from. `learned` picks the ranker: None lets the corpus decide. `sources` names the live
    sources that are asked besides the corpus, each turned on by the user. With `learn`, ADAQ chooses wordings by what
    they gained in earlier runs on the same corpus. With `entailment` a model is asked of its own answer whether what a
    sentence cites entails it. `cross_encoder` names one, by folder or name, that ranks ADAQ's candidates again.
    """

    k: int = 5
    top_k: int = 3
    pool: int = 30
    min_hops: int = 3
    max_hops: int = 10
    max_subqueries: int = 1
    coverage_threshold: float = COVERAGE_THRESHOLD
    weighted_threshold: float = 0.7
    min_gain: float = 0.02
    patience: int = 2
    facet_profile: str | None = None
    use_dense: bool = True
    learned: bool | None = None
    ablate: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    learn: bool = False
    entailment: bool = False
    cross_encoder: str = ""
    k_auto: bool = False

    def __post_init__(self) -> None:
        """Refuse values with which no run can work."""
        if not 1 <= self.min_hops <= self.max_hops:
            raise ValueError(f"need 1 <= min_hops <= max_hops, not min_hops={self.min_hops}, max_hops={self.max_hops}")
        if self.k < 1 or self.top_k < 1 or self.max_subqueries < 1:
            raise ValueError(
                f"k, top_k and max_subqueries must be at least 1, not {self.k}, {self.top_k}, {self.max_subqueries}"
            )
        if isinstance(self.sources, str):
            raise ValueError(f"sources must be names such as ('wikipedia',), not the text {self.sources!r}")
        object.__setattr__(self, "ablate", tuple(self.ablate))
        object.__setattr__(self, "sources", as_tuple(self.sources))


@dataclass(frozen=True, slots=True)
class CorpusCard:
    """Which corpus a run searched: enough to tell whether two runs are comparable."""

    name: str
    version: str
    documents: int
    passages: int


def as_tuple(values: Iterable[str]) -> tuple[str, ...]:
    """Return the values in order, without repeats."""
    return tuple(dict.fromkeys(values))


def fields_of(value: Any) -> dict[str, Any]:
    """Return a dataclass's fields without copying them: for `json.dumps(…, default=fields_of)`.

    The JSON is that of `dataclasses.asdict`, which copies every string and takes several times as long.
    """
    return {each.name: getattr(value, each.name) for each in fields(value)}


def of_fields(kind: Callable[..., T], known: Mapping[str, Any]) -> T:
    """Build the dataclass from fields read from JSON, whose lists become tuples again."""
    return kind(**{name: _as_tuple(value) if isinstance(value, list) else value for name, value in known.items()})


def _as_tuple(values: list[Any]) -> tuple[Any, ...]:
    return tuple([_as_tuple(each) if isinstance(each, list) else each for each in values])
