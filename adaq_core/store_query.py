"""Which runs a list shows, as SQL: closed sets of columns, and every value given as a parameter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypedDict

from adaq_core.errors import InputError

_ORDERS = {
    "created_at": "created_at",
    "question": "lower(question)",
    "method": "method",
    "status": "status",
    "corpus": "corpus",
    "hops": "hops",
    "elapsed": "elapsed",
    "percentage": "percentage",
    "weighted": "weighted",
    "sufficiency": "sufficiency",
    "passages_read": "passages_read",
    "tokens": "prompt_tokens + reply_tokens",
    "usd": "usd",
    "rating": "rating",
}
ORDERS: tuple[str, ...] = tuple(_ORDERS)


class Criteria(TypedDict, total=False):
    """What runs have to meet, all of it; an empty value asks for nothing.

    `text` is looked for, case aside, in question, id, note and tags. `tags` wants any of them. `question` is the whole
    question. `coverage_below_one` keeps only runs that left an aspect open.
    """

    text: str
    question: str
    methods: Sequence[str]
    statuses: Sequence[str]
    stop_reasons: Sequence[str]
    corpus: str
    corpus_version: str
    tags: Sequence[str]
    min_hops: int | None
    max_hops: int | None
    min_rating: int | None
    coverage_below_one: bool
    group: str
    question_id: str
    parent: str
    imported: bool | None


_TEXT = (
    "(contains(lower(question), lower(?)) OR contains(run_id, lower(?)) OR contains(lower(note), lower(?))"
    " OR len(list_filter(tags, lambda tag: contains(lower(tag), lower(?)))) > 0)"
)
# The condition of each criterion; one value serves every question mark in it.
_CONDITIONS = {
    "text": _TEXT,
    "question": "question = ?",
    "methods": "list_contains(?::VARCHAR[], method)",
    "statuses": "list_contains(?::VARCHAR[], status)",
    "stop_reasons": "list_contains(?::VARCHAR[], stop_reason)",
    "corpus": "corpus = ?",
    "corpus_version": "corpus_version = ?",
    "tags": "list_has_any(tags, ?::VARCHAR[])",
    "min_hops": "hops >= ?",
    "max_hops": "hops <= ?",
    "min_rating": "rating >= ?",
    "coverage_below_one": "percentage < 1 AND ?",
    "group": "group_id = ?",
    "question_id": "question_id = ?",
    "parent": "parent_id = ?",
    "imported": "imported = ?",
}
_NOTHING: tuple[Any, ...] = (None, "", (), [])


def where(criteria: Criteria) -> tuple[str, list[Any]]:
    """The WHERE clause (empty when nothing is asked) and its values."""
    conditions: list[str] = []
    values: list[Any] = []
    for name, value in criteria.items():
        condition = _CONDITIONS.get(name)
        if condition is None:
            raise InputError(f"Expected a criterion out of {', '.join(_CONDITIONS)}, not {name!r}.")
        if value in _NOTHING or (name == "coverage_below_one" and not value):
            continue
        conditions.append(condition)
        given = value if isinstance(value, str | int) else list(value)  # type: ignore[call-overload]
        values += [given] * condition.count("?")
    return (f" WHERE {' AND '.join(conditions)}" if conditions else ""), values


def order_by(order: str) -> str:
    """The ORDER BY clause for a column of `ORDERS`, downwards when a minus is before it; ties by age, then id."""
    name = order.removeprefix("-")
    if name not in _ORDERS:
        raise InputError(f"Expected an order out of {', '.join(ORDERS)} (with - before it to go down), not {order!r}.")
    direction = "DESC" if order.startswith("-") else "ASC"
    return f" ORDER BY {_ORDERS[name]} {direction} NULLS LAST, created_at DESC, run_id"
