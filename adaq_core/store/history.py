"""Past runs that are like one that is about to begin, the most alike first: what a forecast is made of."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from adaq_core.model import Settings
from adaq_core.store.codec import as_json
from adaq_core.store.database import Database

AT_MOST = 300
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
    """At most `AT_MOST` finished runs of `method`, with a model or live sources if and only if there are such now.

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
