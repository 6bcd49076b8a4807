"""Which wordings were used in stored runs, and the coverage that followed: parts of events, not whole ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from adaq_core.store.codec import as_json
from adaq_core.store.database import Database

AT_MOST = 500

Line = tuple[str, list[str], list[str]]


def wording_lines(
    store: Database, *, corpus: str, model: str | None, sources: Sequence[str] = ()
) -> Iterator[list[Line]]:
    """For each of the newest runs of ADAQ that people asked of the corpus, its aspects, queries and coverage in order.

    A line is the kind of an event and two lists: aspects with their types, queries' aspects with their templates, or
    aspects with their scores; `decided` has empty ones. Left out are runs of experiments, runs that go on from another
    one, imported and unfinished ones, and those with another model or other live sources (or none where there are now).
    """
    rows = store.query(_SQL, [corpus, model, as_json(list(sources)), AT_MOST])
    for _, lines in groupby(rows, key=lambda row: row[0]):
        yield [(kind, first or [], second or []) for _, kind, first, second in lines]


_FIRST = {"aspects_planned": "aspects[*].aspect", "hop_started": "queries[*].aspect"}
_FIRST |= {"coverage_assessed": "scores[*].aspect"}
_SECOND = {"aspects_planned": "aspects[*].aspect_type", "hop_started": "queries[*].template"}
_SECOND |= {"coverage_assessed": "scores[*].score"}


def _of(paths: dict[str, str]) -> str:
    cases = (f"WHEN '{kind}' THEN payload->>'$.{path}'" for kind, path in paths.items())
    return f"CASE kind {' '.join(cases)} END"


_SQL = f"""
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
