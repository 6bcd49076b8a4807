"""What earlier runs tell and keep: those like one to begin, verdicts, remarks, what was fetched, gains of wordings."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import groupby
from typing import TYPE_CHECKING, Any, Literal, get_args

from adaq_core.errors import InputError
from adaq_core.model import Document, Settings, of_fields
from adaq_core.store.database import Database
from adaq_core.store.rows import as_json, clean, in_utc

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

AT_MOST = 300
MOST_CHARACTERS = 4_000_000
_INSERT = "INSERT INTO fetched_documents VALUES (?, ?, ?, ?, ?, ?)"
_KNOWN = "SELECT document_id FROM fetched_documents WHERE run_id = ? AND body IS NOT NULL"
_SAME_CORPUS, _OTHER_CORPUS, _OTHER_MODEL = 0, 1, 2


@dataclass(frozen=True, slots=True)
class PastRun:
    """What a finished run used. `seconds` and `tokens` are None where they would mislead.

    `same_corpus` and `same_model` say how it is like the one to come, `differing` how many of its settings are others;
    `limited` whether its budget ended it.
    """

    same_corpus: bool
    same_model: bool
    differing: int
    seconds: float | None
    hops: int
    model_calls: int
    tokens: int | None
    usd: float
    limited: bool


def past_runs(store: Database, *, corpus: str, method: str, model: str | None, settings: Settings) -> list[PastRun]:
    """Return at most `AT_MOST` finished runs of `method` that, like the new one, used a model and live sources or not.

    Ordered by: this corpus and model, this model, other models; then by how few settings differ, the newest first. Left
    out are runs that go on from another one, that came from another machine, or whose model never answered. Where
    replies were kept ones the time says nothing, and where a server counted no tokens their number says nothing.
    """
    wanted = asdict(settings)
    differs = " + ".join(f"(coalesce(settings->'{name}', ?::JSON) <> ?::JSON)::INTEGER" for name in wanted)
    values = [as_json(value) for name in wanted for value in (_USUAL[name], wanted[name])]
    sql = _SQL.format(differs=differs)
    live = bool(settings.sources)
    rows = store.query(sql, [*values, method, live, corpus, model, model, method, model is None, AT_MOST])
    return [_past_run(row) for row in rows]


_USUAL: dict[str, Any] = asdict(Settings())
_SQL = f"""
    WITH shapes AS MATERIALIZED (
        SELECT settings::VARCHAR AS shape, {{differs}} AS differing
        FROM (SELECT DISTINCT settings FROM runs WHERE method = ?)
        WHERE (coalesce(json_array_length(settings, 'sources'), 0) > 0) = ?
    ), near AS MATERIALIZED (
        SELECT
            CASE
                WHEN corpus = ? AND model IS NOT DISTINCT FROM ? THEN {_SAME_CORPUS}
                WHEN model IS NOT DISTINCT FROM ? THEN {_OTHER_CORPUS}
                ELSE {_OTHER_MODEL}
            END AS level,
            differing, run_id, created_at, elapsed, hops, model_calls, prompt_tokens + reply_tokens AS tokens, usd,
            stop_reason
        FROM runs JOIN shapes ON settings::VARCHAR = shape
        WHERE method = ? AND (model IS NULL) = ? AND status = 'finished' AND NOT imported AND parent_id IS NULL
        ORDER BY level, differing, created_at DESC, run_id
        LIMIT ?
    ), asked AS (
        SELECT
            near.run_id,
            bool_or(events.payload->>'cached' = 'true') AS any_kept,
            bool_or(events.payload->>'reply' <> '') AS answered
        FROM near JOIN events ON events.run_id = near.run_id AND events.kind = 'model_called'
        GROUP BY near.run_id
    )
    SELECT level, differing, any_kept, elapsed, hops, model_calls, tokens, usd, stop_reason
    FROM near LEFT JOIN asked USING (run_id)
    WHERE model_calls = 0 OR answered
    ORDER BY level, differing, created_at DESC, run_id"""


def _past_run(row: tuple[Any, ...]) -> PastRun:
    level, differing, any_kept, seconds, hops, model_calls, tokens, usd, stop_reason = row
    return PastRun(
        same_corpus=level == _SAME_CORPUS,
        same_model=level != _OTHER_MODEL,
        differing=differing,
        seconds=None if any_kept else seconds,
        hops=hops,
        model_calls=model_calls,
        tokens=None if model_calls and not tokens else tokens,
        usd=usd,
        limited=stop_reason.startswith("budget_"),
    )


class KeptReplies:
    """The replies that a store keeps; a reply that comes again for the same request replaces the older one."""

    def __init__(self, store: Database) -> None:
        self._store = store

    def find(self, request: str, *, digest: str) -> dict[str, Any] | None:
        """Return the stored reply of this very build of a model to `request`."""
        sql = "SELECT body FROM model_replies WHERE request = ? AND digest = ?"
        return _body(self._store.query(sql, [request, digest]))

    def newest(self, request: str, *, model: str) -> dict[str, Any] | None:
        """Return the last reply to `request` of any build called `model`."""
        sql = "SELECT body FROM model_replies WHERE request = ? AND model = ? ORDER BY kept_at DESC, digest LIMIT 1"
        return _body(self._store.query(sql, [request, clean(model)]))

    def keep(self, request: str, body: Mapping[str, Any], *, digest: str, model: str) -> None:
        """Keep a reply; it is on the disk when this returns."""
        now = in_utc(datetime.now(UTC))
        sql = "INSERT OR REPLACE INTO model_replies VALUES (?, ?, ?, ?, ?)"
        self._store.execute(sql, [request, digest, clean(model), as_json(body), now])

    def count(self) -> int:
        """How many replies are kept."""
        return int(self._store.query("SELECT count(*) FROM model_replies")[0][0])

    def clear(self) -> None:
        """Forget all replies: models are asked again."""
        self._store.execute("DELETE FROM model_replies")


def _body(rows: list[tuple[Any, ...]]) -> dict[str, Any] | None:
    return json.loads(rows[0][0]) if rows else None


@dataclass(frozen=True, slots=True)
class FetchedRow:
    """A document that a run fetched, without its text."""

    document_id: str
    title: str
    source: str
    date: str
    url: str
    characters: int

    @property
    def found_by(self) -> str:
        """The live source, which begins the id."""
        return self.document_id.partition(":")[0]


class FetchedDocuments:
    """The documents of one run, by the query that brought them; at most four million characters of text.

    Row 0 of a query says that all it brought is there; a document that several queries brought is stored once.
    `parent` is the run that this one goes on from.
    """

    def __init__(self, store: Database, run_id: str, *, parent: str | None = None) -> None:
        self._store = store
        self._run_id = run_id
        self._parent = parent

    def keep(self, query: str, documents: Sequence[Document]) -> str:
        """Keep what `query` brought; why not all of it was kept, empty when it was."""
        return self._store.write(lambda connection: self._write(connection, query, documents))

    def before(self, query: str) -> Sequence[Document] | None:
        """What `query` brought in the run that this one goes on from; None when that is not known in whole."""
        if self._parent is None:
            return None
        sql = "SELECT place, document_id FROM fetched_documents WHERE run_id = ? AND query = ? ORDER BY place"
        rows = self._store.query(sql, [self._parent, query])
        if not rows or rows[0][0] != 0:
            return None
        bodies = self._bodies(self._parent)
        return [bodies[document_id] for place, document_id in rows if place]

    def count(self) -> int:
        """How many documents are kept of this run."""
        sql = "SELECT count(*) FROM fetched_documents WHERE run_id = ? AND body IS NOT NULL"
        return int(self._store.query(sql, [self._run_id])[0][0])

    def rows(self) -> list[FetchedRow]:
        """Return what is stored of this run's fetched documents, in the order they came."""
        results = ", ".join(f"json_extract_string(body, '$.{name}')" for name in ("title", "source", "date", "url"))
        sql = (
            f"SELECT document_id, {results}, length FROM fetched_documents "
            "WHERE run_id = ? AND body IS NOT NULL ORDER BY rowid"
        )
        return [FetchedRow(*row) for row in self._store.query(sql, [self._run_id])]

    def documents(self) -> list[Document]:
        """Return the fetched documents stored for this run, in the order they came."""
        return list(self._bodies(self._run_id).values())

    def _bodies(self, run_id: str) -> dict[str, Document]:
        sql = "SELECT document_id, body FROM fetched_documents WHERE run_id = ? AND body IS NOT NULL ORDER BY rowid"
        return {key: of_fields(Document, json.loads(body)) for key, body in self._store.query(sql, [run_id])}

    def _write(self, connection: DuckDBPyConnection, query: str, documents: Sequence[Document]) -> str:
        sizes = "SELECT coalesce(sum(length), 0) FROM fetched_documents WHERE run_id = ?"
        total = int((connection.execute(sizes, [self._run_id]).fetchone() or (0,))[0])
        known = {key for (key,) in connection.execute(_KNOWN, [self._run_id]).fetchall()}
        rows: list[list[Any]] = []
        left_out = 0
        for place, document in enumerate(documents, start=1):
            new = document.document_id not in known
            if new and total + len(document.text) > MOST_CHARACTERS:
                left_out += 1
                continue
            total += len(document.text) if new else 0
            known.add(document.document_id)
            body, length = (as_json(asdict(document)), len(document.text)) if new else (None, 0)
            rows.append([self._run_id, query, place, document.document_id, length, body])
        for row in rows if left_out else [[self._run_id, query, 0, "", 0, None], *rows]:
            connection.execute(_INSERT, row)
        return _too_much(left_out)


def _too_much(count: int) -> str:
    if not count:
        return ""
    return f"{count} document{' was' if count == 1 else 's were'} too much to be kept with the run"


@dataclass(frozen=True, slots=True)
class PairVerdict:
    """Which of two runs has the better answer: its id, or None for a tie; `blind` when the names were hidden."""

    better: str | None
    blind: bool


@dataclass(frozen=True, slots=True)
class VerdictTally:
    """How often the answer of one method was found better than that of another, over all pairs of runs."""

    first: int = 0
    ties: int = 0
    second: int = 0
    blind: int = 0

    @property
    def total(self) -> int:
        """Return how many verdicts there are."""
        return self.first + self.ties + self.second


class Verdicts:
    """The verdicts that a store keeps; the order of the two runs does not matter."""

    def __init__(self, store: Database) -> None:
        self._store = store

    def give(self, one: str, other: str, *, better: str | None, blind: bool) -> None:
        """Save a verdict, in place of an earlier one on the same two runs.

        Raises:
            InputError: it is one run twice, or `better` is neither of them.
        """
        if one == other or better not in (one, other, None):
            raise InputError(f"Expected a verdict on two runs, got {better!r} as the better of {one!r} and {other!r}.")
        now = in_utc(datetime.now(UTC))
        sql = "INSERT OR REPLACE INTO verdicts VALUES (?, ?, ?, ?, ?)"
        self._store.execute(sql, [*sorted((one, other)), better, blind, now])

    def take_back(self, one: str, other: str) -> None:
        """Delete the verdict on two runs."""
        self._store.execute("DELETE FROM verdicts WHERE run_a = ? AND run_b = ?", sorted((one, other)))

    def of(self, one: str, other: str) -> PairVerdict | None:
        """What was said of two runs; None when nothing was."""
        sql = "SELECT better, blind FROM verdicts WHERE run_a = ? AND run_b = ?"
        rows = self._store.query(sql, sorted((one, other)))
        return PairVerdict(*rows[0]) if rows else None

    def tally(self, first: str, second: str) -> VerdictTally:
        """Return all verdicts between runs of the method `first` and runs of the method `second`."""
        counts = dict.fromkeys((first, second, None), 0)
        blind = 0
        for method, hidden in self._store.query(_TALLY, [first, second, second, first]):
            counts[method] += 1
            blind += hidden
        return VerdictTally(counts[first], counts[None], counts[second], blind)


_TALLY = """
    SELECT CASE WHEN better = run_a THEN a.method WHEN better = run_b THEN b.method END, blind
    FROM verdicts JOIN runs a ON a.run_id = run_a JOIN runs b ON b.run_id = run_b
    WHERE (a.method = ? AND b.method = ?) OR (a.method = ? AND b.method = ?)"""


RunPart = Literal["hop", "passage", "sentence"]
RUN_PARTS: tuple[RunPart, ...] = get_args(RunPart)


@dataclass(frozen=True, slots=True)
class Remark:
    """What a person noted of a part of a run; `rating` is 1, -1 or None.

    `target` names the part: the number of a hop, the id of a passage, the number of a sentence of the answer from 1.
    """

    part: RunPart
    target: str
    note: str = ""
    rating: int | None = None


class Remarks:
    """The remarks that a store keeps on parts of runs; what is noted of a whole run is in its row."""

    def __init__(self, store: Database) -> None:
        self._store = store

    def keep(self, run_id: str, remark: Remark) -> None:
        """Keep a remark in place of an earlier one on the same part; an empty one takes that away.

        Nothing is kept for a run that is not there.
        """
        key = [run_id, remark.part, clean(remark.target)]
        if not remark.note.strip() and not remark.rating:
            self._store.execute("DELETE FROM remarks WHERE run_id = ? AND part = ? AND target = ?", key)
            return
        now = in_utc(datetime.now(UTC))
        self._store.execute(_REMARK, [*key, clean(remark.note), remark.rating or None, now, run_id])

    def of(self, run_id: str) -> tuple[Remark, ...]:
        """All remarks on a run, hops first, then passages, then sentences."""
        sql = "SELECT part, target, note, rating FROM remarks WHERE run_id = ? ORDER BY part, length(target), target"
        return tuple(Remark(*row) for row in self._store.query(sql, [run_id]))


_REMARK = """
    INSERT OR REPLACE INTO remarks
    SELECT ?, ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM runs WHERE run_id = ?)"""


def begun_at(store: Database, at: str) -> list[str]:
    """Return the ids of runs whose first event has this time (ISO 8601), those of this machine first."""
    return [run_id for (run_id,) in store.query(_BEGUN_SQL, [in_utc(datetime.fromisoformat(at))])]


_BEGUN_SQL = """
    SELECT run_id FROM events JOIN runs USING (run_id)
    WHERE seq = 1 AND recorded_at = ?
    ORDER BY imported, run_id"""

MOST_RUNS = 500


def judged_runs(store: Database, *, corpus: str) -> list[tuple[float, bool]]:
    """Return, for the newest rated runs over the corpus, the estimate in [0, 1] and whether it was rated useful.

    The estimate is that all the evidence needed is there; runs of methods that make none are left out.
    """
    rows = store.query(_JUDGED_SQL, [corpus, _MOST_JUDGED])
    return [(float(sufficiency), rating > 0) for sufficiency, rating in rows]


_MOST_JUDGED = 200
_JUDGED_SQL = """
    SELECT sufficiency, rating FROM runs
    WHERE corpus = ? AND rating IS NOT NULL AND rating <> 0 AND sufficiency IS NOT NULL AND NOT imported
    ORDER BY created_at DESC, run_id
    LIMIT ?"""

Line = tuple[str, list[str], list[str]]


def wording_lines(
    store: Database, *, corpus: str, model: str | None, sources: Sequence[str] = ()
) -> Iterator[list[Line]]:
    """Return, for the newest runs that people asked of the corpus, aspects, queries and coverage in order.

    A line is the kind of an event and two lists: aspects with their types, queries' aspects with their templates, or
    aspects with their scores; `decided` has empty ones. Left out are runs of experiments, runs that go on from another
    one, imported and unfinished ones, and those with another model or other live sources (or none where there are now).
    """
    rows = store.query(_GAINS_SQL, [corpus, model, as_json(list(sources)), MOST_RUNS])
    for _, lines in groupby(rows, key=lambda row: row[0]):
        yield [(kind, first or [], second or []) for _, kind, first, second in lines]


_FIRST = {"aspects_planned": "aspects[*].aspect", "hop_started": "queries[*].aspect"}
_FIRST |= {"coverage_assessed": "scores[*].aspect"}
_SECOND = {"aspects_planned": "aspects[*].aspect_type", "hop_started": "queries[*].template"}
_SECOND |= {"coverage_assessed": "scores[*].score"}


def _of(paths: dict[str, str]) -> str:
    cases = (f"WHEN '{kind}' THEN payload->>'$.{path}'" for kind, path in paths.items())
    return f"CASE kind {' '.join(cases)} END"


_GAINS_SQL = f"""
    WITH near AS MATERIALIZED (
        SELECT run_id, created_at FROM runs
        WHERE corpus = ? AND method = 'adaptive' AND model IS NOT DISTINCT FROM ? AND status = 'finished'
            AND coalesce(settings->'sources', '[]'::JSON) = ?::JSON
            AND question_id IS NULL AND parent_id IS NULL AND NOT imported
        ORDER BY created_at DESC, run_id
        LIMIT ?
    )
    SELECT run_id, kind, {_of(_FIRST)}, {_of(_SECOND)}
    FROM near JOIN events USING (run_id)
    WHERE kind IN ('aspects_planned', 'hop_started', 'coverage_assessed', 'decided')
    ORDER BY created_at DESC, run_id, seq"""
