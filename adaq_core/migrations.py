"""The store's tables, as numbered steps that are applied once each, in order.

Add a step: write `m0NN_what_it_does(connection)` and put it at the end of `MIGRATIONS`. Never change or remove one that
was published. `events` and `runs` have no primary key on purpose: the one writer thread numbers the events itself, and
an index would double the time of a commit. `passages` has one because a passage may be written again by any run.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Migration = Callable[["DuckDBPyConnection"], None]


def m001_runs_and_events(connection: DuckDBPyConnection) -> None:
    """Runs with what lists filter and sort by, their events, and the passages that events refer to."""
    connection.execute("""
        CREATE TABLE runs (
            run_id VARCHAR NOT NULL, question VARCHAR NOT NULL, method VARCHAR NOT NULL,
            corpus VARCHAR NOT NULL, corpus_version VARCHAR NOT NULL,
            corpus_documents BIGINT NOT NULL, corpus_passages BIGINT NOT NULL,
            k INTEGER NOT NULL, settings JSON NOT NULL, budget JSON NOT NULL, model VARCHAR,
            status VARCHAR NOT NULL, stop_reason VARCHAR, reason VARCHAR NOT NULL,
            created_at TIMESTAMP NOT NULL, elapsed DOUBLE NOT NULL,
            hops INTEGER NOT NULL, aspects_total INTEGER NOT NULL, aspects_covered INTEGER NOT NULL,
            percentage DOUBLE, weighted DOUBLE, sufficiency DOUBLE, coverage_by_hop DOUBLE[] NOT NULL,
            queries INTEGER NOT NULL, passages_read INTEGER NOT NULL,
            model_calls INTEGER NOT NULL, fell_back INTEGER NOT NULL,
            prompt_tokens BIGINT NOT NULL, reply_tokens BIGINT NOT NULL, usd DOUBLE NOT NULL, abstained BOOLEAN,
            group_id VARCHAR, question_id VARCHAR, parent_id VARCHAR, imported BOOLEAN NOT NULL,
            note VARCHAR NOT NULL, tags VARCHAR[] NOT NULL, rating INTEGER,
            last_seq INTEGER NOT NULL, owner VARCHAR NOT NULL
        )""")
    connection.execute("""
        CREATE TABLE events (
            run_id VARCHAR NOT NULL, seq INTEGER NOT NULL, kind VARCHAR NOT NULL, hop INTEGER,
            recorded_at TIMESTAMP NOT NULL, elapsed DOUBLE NOT NULL, payload JSON NOT NULL
        )""")
    connection.execute("CREATE TABLE passages (hash VARCHAR PRIMARY KEY, body JSON NOT NULL)")


def m002_views_and_settings(connection: DuckDBPyConnection) -> None:
    """Saved views of the run list (a name for a URL query) and a small key/value table."""
    connection.execute("CREATE TABLE saved_views (name VARCHAR PRIMARY KEY, query VARCHAR NOT NULL)")
    connection.execute('CREATE TABLE settings ("key" VARCHAR PRIMARY KEY, "value" JSON NOT NULL)')


def m003_model_replies(connection: DuckDBPyConnection) -> None:
    """Replies of language models by request and build of the model, so that a stored run replays without a server."""
    connection.execute("""
        CREATE TABLE model_replies (
            request VARCHAR NOT NULL, digest VARCHAR NOT NULL, model VARCHAR NOT NULL,
            body JSON NOT NULL, kept_at TIMESTAMP NOT NULL, PRIMARY KEY (request, digest)
        )""")


def m004_given_aspects(connection: DuckDBPyConnection) -> None:
    """The aspects that the user chose for a run, which has to know them before its first event."""
    connection.execute("ALTER TABLE runs ADD COLUMN given_aspects JSON")


def m005_verdicts(connection: DuckDBPyConnection) -> None:
    """What reviewers said of two runs side by side; `better` is one of them, or nothing for a tie."""
    connection.execute("""
        CREATE TABLE verdicts (
            run_a VARCHAR NOT NULL, run_b VARCHAR NOT NULL, better VARCHAR, blind BOOLEAN NOT NULL,
            made_at TIMESTAMP NOT NULL, PRIMARY KEY (run_a, run_b)
        )""")


def m006_fetched_documents(connection: DuckDBPyConnection) -> None:
    """What live sources brought to a run, by query: to be kept in a corpus later, and to go on from."""
    connection.execute("""
        CREATE TABLE fetched_documents (
            run_id VARCHAR NOT NULL, query VARCHAR NOT NULL, place INTEGER NOT NULL,
            document_id VARCHAR NOT NULL, length BIGINT NOT NULL, body JSON
        )""")


MIGRATIONS: tuple[Migration, ...] = (
    m001_runs_and_events,
    m002_views_and_settings,
    m003_model_replies,
    m004_given_aspects,
    m005_verdicts,
    m006_fetched_documents,
)


def applied(connection: DuckDBPyConnection) -> tuple[str, ...] | None:
    """Names of the steps that were applied, oldest first; None when this is not a store of ADAQ. Reads only."""
    tables = {name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
    if "adaq_migrations" not in tables:
        return None if tables else ()
    rows = connection.execute("SELECT name FROM adaq_migrations ORDER BY name").fetchall()
    return tuple(name for (name,) in rows)


def unknown(names: tuple[str, ...]) -> tuple[str, ...]:
    """The steps among `names` that this version of ADAQ does not have, so a later one wrote them."""
    known = {step.__name__ for step in MIGRATIONS}
    return tuple(name for name in names if name not in known)


def migrate(connection: DuckDBPyConnection) -> tuple[str, ...]:
    """Apply the steps that are missing, each in a transaction with its own record; return their names."""
    connection.execute(
        "CREATE TABLE IF NOT EXISTS adaq_migrations (name VARCHAR NOT NULL, applied_at TIMESTAMP NOT NULL)"
    )
    done = set(applied(connection) or ())
    missing = [step for step in MIGRATIONS if step.__name__ not in done]
    for step in missing:
        _apply(connection, step)
    return tuple(step.__name__ for step in missing)


def _apply(connection: DuckDBPyConnection, step: Migration) -> None:
    now = datetime.now(UTC).replace(tzinfo=None)
    connection.begin()
    try:
        step(connection)
        connection.execute("INSERT INTO adaq_migrations VALUES (?, ?)", [step.__name__, now])
    except BaseException:
        connection.rollback()
        raise
    connection.commit()
