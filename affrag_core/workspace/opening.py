"""What a target holds, and whether it may be written, before it is read."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection, text
from sqlalchemy.schema import CreateSchema

from affrag_core.errors import WorkspaceError
from affrag_core.workspace import faults, schema, storage
from affrag_core.workspace.database import Database
from affrag_core.workspace.faults import UnwritableError


class Access(NamedTuple):
    """Why a workspace can only be read, None where it may be changed; and whether that is because a newer version made it."""

    reason: str | None = None
    is_newer: bool = False


def make_ready(database: Database, *, create: bool) -> Access:
    """Make a new workspace, or bring an older one up to date.

    Parameters
    ----------
    create : bool
        Make the workspace if it is not there.

    Raises
    ------
    WorkspaceError
        If it is not there, in use, of another program, or was deleted.
    DamagedError
        If parts of it are missing.
    """
    path, target = database.path, database.target
    if path is not None:
        _look_at_file(path, target, create=create)
    with database.reading() as connection:
        found = storage.schema_version(connection, target)
    if found == schema.DELETED:
        raise WorkspaceError(f"the workspace {target} was deleted; open another, or bring back its backup")
    if found is None:
        if not create:
            raise WorkspaceError(f"the workspace {target} is empty; choose another, or create it")
        with database.writing() as connection:
            _make_tables(connection, database)
    elif found > schema.SCHEMA_VERSION:
        return Access(faults.newer_sentence(target, found), is_newer=True)
    database.expect_file()
    reason = database.why_not_written()
    if found is not None and found < schema.SCHEMA_VERSION:
        reason = _why_not_brought_up_to_date(database, reason)
    if reason is not None:
        return Access(f"the workspace {target} {reason}")
    database.keep_log_beside()
    return Access()


def _look_at_file(path: Path, target: str, *, create: bool) -> None:
    if path.is_dir():
        raise WorkspaceError(f"the workspace {target} is a folder; choose a file in it")
    if path.exists():
        return
    if not create:
        raise WorkspaceError(f"there is no workspace {target}; choose another, or create it")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WorkspaceError(f"the folder of the workspace {path} cannot be made: {error.strerror}") from error


def _make_tables(connection: Connection, database: Database) -> None:
    if not database.is_sqlite:
        # Two programs that begin one workspace at the same moment: the second waits, then finds it made. The number is arbitrary.
        connection.exec_driver_sql("SELECT pg_advisory_xact_lock(7265836)")
        _make_schema(connection, database.schema)
    if storage.schema_version(connection, database.target) is None:
        storage.prepare(connection)


def _make_schema(connection: Connection, name: str | None) -> None:
    """The schema that the address names, as the folder of a file is made; the server folds its letters, so we do."""
    if name is None:
        return
    known = {"name": name.lower()}
    if connection.execute(text("SELECT 1 FROM pg_namespace WHERE nspname = :name"), known).first() is None:
        connection.execute(CreateSchema(name.lower()))


def _why_not_brought_up_to_date(database: Database, reason: str | None) -> str | None:
    from affrag_core.workspace.migration import bring_up_to_date

    if reason is None:
        try:
            bring_up_to_date(database)
        except UnwritableError:
            reason = faults.READ_ONLY_FILE if database.is_sqlite else faults.READ_ONLY_SERVER
        else:
            return None
    return f"was made by an older version of this app and {reason}; copy it elsewhere to change it"
