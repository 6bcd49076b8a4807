"""Events as rows: the text of a passage is kept once, whatever number of events and runs refer to it.

In a stored payload every passage is replaced by `{"$passage": "<hash of its content>"}`. Inside a JSON string a quote
is always escaped, so these characters cannot come from a document's own text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import fields
from hashlib import blake2b
from typing import Any

from adaq_core.errors import StoreError
from adaq_core.events import Event, Noticed, dump, loads
from adaq_core.model import Passage

_FIELDS = frozenset(field.name for field in fields(Passage))
_REFERENCE = re.compile(r'\{"\$passage":"([0-9a-f]{32})"\}')


def encode(event: Event) -> tuple[str, dict[str, str]]:
    """The payload with references, and the bodies it refers to by hash.

    Half of a surrogate pair is not text and cannot be stored: it becomes U+FFFD.
    """
    bodies: dict[str, str] = {}
    return as_json(_strip(dump(event), bodies)), bodies


def notice_instead(event_kind: str, error: Exception) -> Noticed:
    """Return the notice that stands for an event that cannot be written: the run goes on, and says what it lacks."""
    return Noticed("store", f"What happened here ({event_kind}) could not be stored: {str(error)[:200]}")


def references(payload: str) -> set[str]:
    """Hashes of the passages that a payload refers to."""
    return set(_REFERENCE.findall(payload))


def decode(payload: str, bodies: Mapping[str, str]) -> Event:
    """The event that `encode` took apart.

    Raises:
        StoreError: a body is missing.
    """

    def body(found: re.Match[str]) -> str:
        try:
            return bodies[found[1]]
        except KeyError:
            raise StoreError(
                f"The run store has lost the text of passage {found[1]}; export or delete this run."
            ) from None

    return loads(_REFERENCE.sub(body, payload))


def as_json(value: object) -> str:
    """`value` as compact JSON that holds valid Unicode only."""
    return clean(json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")))


def clean(text: str) -> str:
    """`text` with every lone surrogate replaced by U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return re.sub("[\ud800-\udfff]", "\ufffd", text)
    return text


def _strip(value: Any, bodies: dict[str, str]) -> Any:
    if isinstance(value, dict):
        if value.keys() == _FIELDS:
            return {"$passage": _keep(value, bodies)}
        return {key: _strip(item, bodies) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_strip(item, bodies) for item in value]
    return value


def _keep(passage: dict[str, Any], bodies: dict[str, str]) -> str:
    body = as_json(passage)
    digest = blake2b(body.encode(), digest_size=16).hexdigest()
    bodies[digest] = body
    return digest
