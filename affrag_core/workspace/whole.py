"""Whole workspaces: made, named, copied, deleted and brought back."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from sqlalchemy import delete, update

from affrag_core.errors import WorkspaceError
from affrag_core.workspace import archive_format, backup, schema, storage
from affrag_core.workspace.archive_load import import_workspace
from affrag_core.workspace.archive_write import export_workspace
from affrag_core.workspace.building import build_file
from affrag_core.workspace.database import Database
from affrag_core.workspace.faults import DamagedError
from affrag_core.workspace.listing import FILE_SUFFIX
from affrag_core.workspace.plain_json import storable_name
from affrag_core.workspace.workspace import Workspace

if TYPE_CHECKING:
    from sqlalchemy import Connection

_TRIES = 5


def workspace_slug(name: str) -> str:
    """A file name of plain letters, digits and hyphens: ``Été 2024`` becomes ``ete-2024``; ``workspace`` where nothing is left."""
    flat = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", flat).strip("-")[:60].strip("-") or "workspace"


def create_workspace(folder: str | Path, name: str) -> Path:
    """Make an empty workspace of that name.

    Returns
    -------
    Path
        Its file, which no other workspace had.

    Raises
    ------
    ConfigError
        If the name is blank or cannot be kept.
    WorkspaceError
        If the file cannot be made.
    """
    wanted = _clean(name)
    path = _free(folder, wanted)
    build_file(path, lambda new: new.set_setting("name", wanted))
    return path


def rename_workspace(workspace: Workspace, name: str) -> None:
    """Give a workspace another name; its file and address stay, so that links to it keep working."""
    workspace.set_setting("name", _clean(name))


def duplicate_workspace(source: Workspace, folder: str | Path, name: str) -> Path:
    """Copy a workspace, also one on a server or one that can only be read, into a new file under another name.

    Returns
    -------
    Path
        The copy, whole and without the history behind undo.
    """
    wanted = _clean(name)
    path = _free(folder, wanted)
    origin = source._state.database.path
    if origin is None or source.read_only is not None:
        with TemporaryDirectory() as place:
            file = Path(place) / "copy.zip"
            export_workspace(source, file)
            import_workspace(file, path).close()
        with Workspace.open(path) as copy:
            copy.set_setting("name", wanted)
        return path
    unfinished = path.with_name(path.name + ".copying")
    backup.remove_file(unfinished)
    try:
        backup.copy_file(origin, unfinished)
        with Workspace.open(unfinished) as copy:
            copy.set_setting("name", wanted)
            copy._state.forget_history()
        unfinished.replace(path)
    finally:
        backup.remove_file(unfinished)
    backup.sync_folder(path.parent)
    return path


def delete_workspace(target: str | Path, backups: str | Path) -> Path:
    """Delete a workspace, after a copy of it is on disk. Whoever still has it open is told at their next change.

    Parameters
    ----------
    target : str or Path
        A file or a database address.
    backups : str or Path
        The folder for the copy; made if missing.

    Returns
    -------
    Path
        The copy: an SQLite file for a file, damaged or not, an exported workspace for a database.

    Raises
    ------
    WorkspaceError
        If there is no workspace, or the copy cannot be written; nothing is deleted then.
    """
    database = Database(target)
    try:
        if database.path is None:
            return _delete_from_server(str(target), database, Path(backups))
        if not database.path.is_file():
            raise WorkspaceError(f"there is no workspace {target}; it may have been deleted already")
        return _delete_file(database, database.path, Path(backups))
    finally:
        database.close()


def restore_workspace(copy: str | Path, folder: str | Path) -> Path:
    """Bring back a copy that `delete_workspace` or an update of the app made; the copy stays.

    Returns
    -------
    Path
        The new file.
    """
    source = Path(copy)
    if source.name.endswith(archive_format.SUFFIX):
        path = _free(folder, source.name.removesuffix(archive_format.SUFFIX))
        import_workspace(source, path).close()
        return path
    if not source.is_file():
        raise WorkspaceError(f"there is no backup {source}")
    to = _free(folder, source.stem.partition(".schema-")[0])
    try:
        return backup.copy_file(source, to)
    except DamagedError:
        return backup.copy_bytes(source, to)  # As it was: what can be read of it is read when it is opened.


def _clean(name: str) -> str:
    return storable_name(" ".join(name.split()))


def _free(folder: str | Path, name: str) -> Path:
    return backup.free_name(Path(folder), workspace_slug(name), FILE_SUFFIX)


def _delete_file(database: Database, path: Path, backups: Path) -> Path:
    to = backup.free_name(backups, path.stem, path.suffix)
    try:
        with database.writing() as connection:
            # Nobody writes from here on; whoever waits for a turn finds the mark.
            backup.copy_file(path, to)
            connection.execute(update(schema.header).values(schema_version=schema.DELETED))
    except DamagedError:
        backup.copy_bytes(path, to)
    except WorkspaceError:
        if _has_tables(database):
            raise
        backup.copy_bytes(path, to)
    database.close()
    backup.remove_file(path)
    backup.sync_folder(path.parent)
    return to


def _has_tables(database: Database) -> bool:
    try:
        with database.reading() as connection:
            return storage.schema_version(connection, database.target) is not None
    except WorkspaceError:
        return False


def _delete_from_server(target: str, database: Database, backups: Path) -> Path:
    for _ in range(_TRIES):
        with Workspace.open(target, create=False) as workspace:
            to = backup.free_name(backups, workspace_slug(workspace.name), archive_format.SUFFIX)
            to.parent.mkdir(parents=True, exist_ok=True)
            revision = workspace._state.header.revision
            export_workspace(workspace, to)
        with database.writing() as connection:
            if storage.read_header(connection, for_change=True).revision == revision:
                _drop(connection)
                return to
        to.unlink()  # Someone wrote meanwhile: the copy would lack it.
    raise WorkspaceError(f"the workspace {database.target} is being changed all the time; try again when nobody writes to it")


def _drop(connection: Connection) -> None:
    for table in reversed(schema.metadata.sorted_tables):
        connection.execute(delete(table))
        table.drop(connection)
