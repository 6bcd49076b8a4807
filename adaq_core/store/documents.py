"""What live sources brought to a run, to keep in a corpus or to go on from."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from adaq_core.model import Document
from adaq_core.store.database import Database
from adaq_core.store.rows import as_json

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


MOST_CHARACTERS = 4_000_000
_INSERT = "INSERT INTO fetched_documents VALUES (?, ?, ?, ?, ?, ?)"
_KNOWN = "SELECT document_id FROM fetched_documents WHERE run_id = ? AND body IS NOT NULL"


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
        """What is kept of this run, in the order it came."""
        results = ", ".join(f"json_extract_string(body, '$.{name}')" for name in ("title", "source", "date", "url"))
        sql = (
            f"SELECT document_id, {results}, length FROM fetched_documents "
            "WHERE run_id = ? AND body IS NOT NULL ORDER BY rowid"
        )
        return [FetchedRow(*row) for row in self._store.query(sql, [self._run_id])]

    def documents(self) -> list[Document]:
        """The documents that are kept of this run, in the order they came."""
        return list(self._bodies(self._run_id).values())

    def _bodies(self, run_id: str) -> dict[str, Document]:
        sql = "SELECT document_id, body FROM fetched_documents WHERE run_id = ? AND body IS NOT NULL ORDER BY rowid"
        return {key: _document(json.loads(body)) for key, body in self._store.query(sql, [run_id])}

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


def _document(fields: dict[str, Any]) -> Document:
    """Return the document of a stored JSON object; documents stored before pages were kept have none."""
    fields = {**fields, "pages": tuple(fields.get("pages", ()))}
    for name in ("metadata", "outline"):
        fields[name] = tuple(tuple(pair) for pair in fields.get(name, ()))
    return Document(**fields)
