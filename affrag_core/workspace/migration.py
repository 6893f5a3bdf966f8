"""Brings a workspace that an older version of the app made up to the present tables, keeping all that is in it."""

from __future__ import annotations

from pathlib import Path
from threading import Lock

from sqlalchemy import Connection

from affrag_core.workspace import backup, schema, storage
from affrag_core.workspace.database import Database

# Alembic's `context` and `op` are one for the whole process.
_running = Lock()


def bring_up_to_date(database: Database) -> Path | None:
    """Change the tables of an older workspace, in one transaction.

    Returns
    -------
    Path or None
        The copy of the SQLite file as it was before, in the folder `backups` beside it; None where nothing was to be done, or where
        the database is not a file.

    Raises
    ------
    WorkspaceError
        If the copy cannot be written, or the tables cannot be changed; the workspace is as it was then.
    """
    with _running, database.writing() as connection:
        storage.lock_header(connection)
        found = storage.schema_version(connection, database.target)
        if found is None or not schema.DELETED < found < schema.SCHEMA_VERSION:
            return None  # Someone else was quicker.
        copy = None
        if database.path is not None:
            folder = database.path.absolute().parent / backup.FOLDER
            to = backup.free_name(folder, f"{database.path.stem}.schema-{found}", database.path.suffix)
            copy = backup.copy_file(database.path, to)
        upgrade(connection, found)
    return copy


def upgrade(connection: Connection, found: int | None, *, to: str = "head") -> None:
    """Run the revisions after a schema version, within the connection's transaction.

    Parameters
    ----------
    found : int or None
        The schema version that is there; None for an empty database.
    to : str
        The revision to stop at.
    """
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.attributes["connection"] = connection
    if found is not None:
        # Schema 1 was made before there were revisions; to say again what is said already does no harm.
        command.stamp(config, str(found))
    command.upgrade(config, to)
