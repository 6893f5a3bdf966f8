"""The database behind a workspace: connecting, transactions, and its faults as sentences."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from weakref import finalize

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.pool import StaticPool

from affrag_core.errors import WorkspaceError
from affrag_core.workspace import faults
from affrag_core.workspace.address import engine_url, schema_of, shown_target, stem_of
from affrag_core.workspace.file_access import can_write, read_options

BUSY_TIMEOUT_MS = 5_000
"""How long a write waits for another program's write before it gives up."""


class Database:
    """One database, reached through short transactions.

    Parameters
    ----------
    target : str or Path
        ``":memory:"``, a path to an SQLite file, or a SQLAlchemy URL. ``postgresql://`` means the driver psycopg.

    Raises
    ------
    WorkspaceError
        If the URL cannot be read or its driver is not installed.
    """

    def __init__(self, target: str | Path) -> None:
        text = str(target)
        if not text.strip():
            raise WorkspaceError("the workspace to open must not be blank; give a file, a database address or :memory:")
        try:
            url = engine_url(text)
            self.target = shown_target(text)
            in_memory = url.get_backend_name() == "sqlite" and url.database in (None, "", ":memory:")
            is_file = url.get_backend_name() == "sqlite" and not in_memory and not str(url.database).startswith("file:")
            self.path = Path(str(url.database)) if is_file else None
            self.schema = schema_of(url)
            self.stem = "memory" if in_memory else stem_of(url, text)
            if self.path is not None and self.path.is_file() and not can_write(self.path):
                url = url.set(database=self.path.absolute().as_uri(), query={**read_options(self.path), "uri": "true"})
            if url.get_backend_name() not in ("sqlite", "postgresql"):
                raise ArgumentError("workspaces lie in SQLite files or PostgreSQL databases")
            self._engine = create_engine(url, **_options(url, in_memory))
        except (ArgumentError, ImportError) as error:
            raise WorkspaceError(f"the database address {text.partition('://')[0]}://... cannot be used: {error}") from error
        self.has_one_connection = in_memory
        self.only_reads = url.get_backend_name() == "sqlite" and url.query.get("mode") == "ro"
        self._expected: set[Path] = set()
        self._closed = False
        self._let_go = finalize(self, self._engine.dispose)
        self.is_sqlite = self._engine.dialect.name == "sqlite"
        if self.is_sqlite:
            _tune_sqlite(self._engine)
        else:
            _tune_server(self._engine)
        _refuse_missing(self._engine, self.target, self._expected)

    def expect_file(self) -> None:
        """From now on refuse to connect where the file is no longer there: SQLite would make an empty one in its place."""
        if self.path is not None:
            self._expected.add(self.path)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A transaction that sees one state of the database throughout."""
        with self._transaction({} if self.is_sqlite else {"isolation_level": "REPEATABLE READ"}) as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that is on disk when the block ends, or leaves no trace if the block raises."""
        with self._transaction({"writing": True}) as connection:
            yield connection

    @contextmanager
    def _transaction(self, options: dict[str, Any]) -> Iterator[Connection]:
        if self._closed:
            raise WorkspaceError(f"the workspace {self.target} is closed; open it again")
        with self.faults(), self._engine.connect() as connection, connection.execution_options(**options).begin():
            yield connection

    @contextmanager
    def faults(self) -> Iterator[None]:
        """Turn what the database raises into a sentence."""
        try:
            yield
        except (SQLAlchemyError, self._engine.dialect.loaded_dbapi.Error) as error:
            raise faults.workspace_error(self.target, error) from error

    def why_not_written(self) -> str | None:
        """Why the database as a whole can only be read; None where nothing speaks against writing."""
        if self.is_sqlite:
            return faults.READ_ONLY_FILE if self.only_reads else None
        with self.reading() as connection:
            only_reads = connection.exec_driver_sql("SHOW transaction_read_only").scalar() == "on"
        return faults.READ_ONLY_SERVER if only_reads else None

    def keep_log_beside(self) -> None:
        """Let readers go on while one writes (SQLite's write-ahead log); the file remembers it."""
        if not self.is_sqlite or self._closed:
            return
        with self._engine.connect() as connection:
            raw = connection.connection.dbapi_connection
            try:
                raw.execute("PRAGMA journal_mode=WAL")  # type: ignore[union-attr]
            except sqlite3.OperationalError:
                # Read-only or busy: everything works without it, only more slowly.
                return

    def close(self) -> None:
        """Let go of the database; calling it again does nothing."""
        self._closed = True
        self._let_go()


def _options(url: URL, in_memory: bool) -> dict[str, Any]:
    if in_memory:
        # Without one shared connection every thread would find an empty database of its own.
        return {"poolclass": StaticPool, "connect_args": {"check_same_thread": False}}
    if url.get_backend_name() != "postgresql":
        return {}
    # A connection that the server dropped while nobody used it is replaced before it is used.
    # Servers count connections, and an app may have many workspaces open that nobody looks at.
    few = {"pool_size": 1, "max_overflow": 4}
    return few | {"pool_pre_ping": True, "connect_args": {"connect_timeout": 10} if "connect_timeout" not in url.query else {}}


def _refuse_missing(engine: Engine, target: str, expected: set[Path]) -> None:
    @event.listens_for(engine, "do_connect")
    def _on_do_connect(*_: object) -> None:
        if not all(path.exists() for path in expected):
            raise WorkspaceError(f"the workspace {target} {faults.GONE}")


def _tune_sqlite(engine: Engine) -> None:
    """Make SQLite keep what it confirms, wait its turn, and begin transactions when told."""

    @event.listens_for(engine, "connect")
    def _on_connect(connection: Any, _record: object) -> None:
        # The driver's own transactions begin late and end early; with None every BEGIN is ours.
        connection.isolation_level = None
        connection.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
        connection.execute("PRAGMA foreign_keys=ON")
        # FULL waits for the disk at every commit, so that what a page called saved survives a power cut; NORMAL could lose the last ones.
        connection.execute("PRAGMA synchronous=FULL")
        # The index over a million links does not fit the 2 MB that are usual.
        connection.execute("PRAGMA cache_size=-65536")

    @event.listens_for(engine, "begin")
    def _on_begin(connection: Connection) -> None:
        # A writer takes its turn before it reads, else two could read the same state and the second would fail half-way.
        connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.get_execution_options().get("writing") else "BEGIN")


def _tune_server(engine: Engine) -> None:
    """Make a writer that waits for another give up in time."""

    @event.listens_for(engine, "begin")
    def _on_begin(connection: Connection) -> None:
        if connection.get_execution_options().get("writing"):
            connection.exec_driver_sql(f"SET LOCAL lock_timeout = {BUSY_TIMEOUT_MS}")
