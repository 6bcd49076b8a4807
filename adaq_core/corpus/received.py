"""Documents, and results of tools, as other programs hand them over, read as passages."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from adaq_core.errors import InputError
from adaq_core.model import Passage, ScoredPassage

_TEXTS = ("content", "text", "page_content", "snippet")
_LONGEST_RESULT = 20_000
_MOST_LINES = 400
_VERBS = re.compile(r"^(?:get|fetch|list|search|find|load|query|lookup|read|check|retrieve)\s+(?:user\s+)?")


def received_passages(documents: Sequence[Any]) -> list[tuple[Passage, float]]:
    """Passages with their relevance in [0, 1]; InputError for what is no document."""
    passages = [_passage(document, number) for number, document in enumerate(documents)]
    return list(zip(passages, received_quality(documents), strict=True))


def received_quality(documents: Sequence[Any]) -> list[float]:
    """The relevance of each document in [0, 1]: scores above 1 are taken relative to the best; none counts as 1."""
    scores = [_score(document) for document in documents]
    top = max((score for score in scores if score is not None), default=1.0)
    scale = top if top > 1 else 1.0
    return [1.0 if score is None else max(0.0, score / scale) for score in scores]


def _passage(document: Any, number: int) -> Passage:
    if isinstance(document, ScoredPassage):
        return document.passage
    if isinstance(document, Passage):
        return document
    text = _field(document, *_TEXTS)
    if text is None:
        raise InputError(
            f"document {number} is a {type(document).__name__}: expected a Passage, a ScoredPassage, or a mapping with "
            "'content' (or 'text'), 'title' and 'score'"
        )
    key = str(_field(document, "id", "passage_id", "doc_id") or number)
    return Passage(key, key, str(_field(document, "title") or ""), str(text))


def _score(document: Any) -> float | None:
    if isinstance(document, ScoredPassage):
        return document.score
    value = _field(document, "relevance_score", "score", "relevance", "similarity")
    return float(value) if isinstance(value, int | float) else None


def _field(document: Any, *names: str) -> Any:
    for name in names:
        value = document.get(name) if isinstance(document, Mapping) else getattr(document, name, None)
        if value is not None:
            return value
    return None


def received_results(results: Any) -> tuple[list[Passage], list[str]]:
    """What tools brought, as passages whose documents are named after the tools, and what is wrong with it.

    `results` maps tools to what they returned, or lists such results with their tool's name. A text or a document is
    taken as it is, a record as lines of "field: value".
    """
    found: list[Passage] = []
    problems: list[str] = []
    for tool, result in _by_tool(results):
        error = _field(result, "error") if isinstance(result, Mapping) else None
        pieces = [] if error else [one for one in _as_list(result) if _text_of(one).strip()]
        if not pieces:
            problems.append(f"{tool} brought nothing{f': {str(error)[:200]}' if error else ''}")
        for number, piece in enumerate(pieces):
            text = _text_of(piece)
            if len(text) > _LONGEST_RESULT:
                problems.append(f"a result of {tool} was cut to {_LONGEST_RESULT:,} characters")
            text, title = text[:_LONGEST_RESULT], _field(piece, "title")
            named = title if isinstance(title, str) and title else data_of(tool)
            found.append(Passage(f"{tool}#{number}", tool, named, text, end=len(text)))
    return found, problems


def data_of(tool: str) -> str:
    """What a tool brings, by its name: "background status" of `get_user_background_status`."""
    words = _spaced(tool)
    return _VERBS.sub("", words) or words


def _spaced(name: str) -> str:
    return re.sub(r"(?<=[a-z\d])(?=[A-Z])|[_\W]+", " ", name).strip().lower()


def _by_tool(results: Any) -> list[tuple[str, Any]]:
    """Results with the tools that brought them, from a mapping, a list of records, or messages."""
    if isinstance(results, Mapping):
        return [(str(name), result) for name, result in results.items()]
    return [_named(result, n) for n, result in enumerate(results or (), start=1)]


def _named(result: Any, n: int) -> tuple[str, Any]:
    name = _field(result, "tool", "tool_name", "name")
    if not isinstance(name, str) or not name:
        return f"result {n}", result
    brought = _field(result, "result", "output", "data", "content")
    failed = isinstance(result, Mapping) and result.get("error")
    return name, result if brought is None or failed else brought


def _as_list(result: Any) -> Sequence[Any]:
    return result if isinstance(result, list | tuple) else (result,)


def _text_of(piece: Any) -> str:
    if piece is None or isinstance(piece, str):
        return piece or ""
    is_document = isinstance(piece, Passage | ScoredPassage) or isinstance(_field(piece, *_TEXTS), str)
    return _passage(piece, 0).text if is_document else "\n".join(_lines(piece))


def _lines(value: Any, path: str = "") -> list[str]:
    if isinstance(value, Mapping):
        inner = [(f"{path} {_spaced(str(key))}".strip(), one) for key, one in value.items()]
    elif isinstance(value, list | tuple):
        inner = [(path, one) for one in value]
    else:
        return [] if value in (None, "") else [f"{path}: {value}." if path else str(value)]
    return [line for name, one in inner for line in _lines(one, name)][:_MOST_LINES]
