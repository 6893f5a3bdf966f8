"""SQLite files as wholes: copied, also while they are written, and removed."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from affrag_core.errors import WorkspaceError
from affrag_core.workspace.faults import workspace_error
from affrag_core.workspace.file_access import connect_for_reading

FOLDER = "backups"
"""The folder beside the workspaces that copies go to."""


def free_name(folder: Path, stem: str, suffix: str) -> Path:
    """A file in a folder that is not there yet: ``diary.sqlite``, then ``diary-2.sqlite`` and so on."""
    path, n = folder / f"{stem}{suffix}", 1
    while path.exists():
        n += 1
        path = folder / f"{stem}-{n}{suffix}"
    return path


def copy_file(path: Path, to: Path) -> Path:
    """Copy an SQLite file as it was last committed; the copy appears whole or not at all.

    Parameters
    ----------
    path, to : Path
        `to` must not be there; its folder is made.

    Returns
    -------
    Path
        `to`.

    Raises
    ------
    WorkspaceError
        If the file cannot be read, or the copy not be written.
    """
    unfinished = to.with_name(to.name + ".unfinished")
    try:
        to.parent.mkdir(parents=True, exist_ok=True)
        unfinished.unlink(missing_ok=True)
        with (
            closing(connect_for_reading(path)) as source,
            closing(sqlite3.connect(unfinished)) as target,
        ):
            source.backup(target)
        os.replace(unfinished, to)
    except sqlite3.Error as error:
        unfinished.unlink(missing_ok=True)
        raise workspace_error(str(path), error) from error
    except OSError as error:
        raise WorkspaceError(f"a copy of the workspace {path} cannot be written to {to}: {error.strerror}") from error
    sync_folder(to.parent)
    return to


def copy_bytes(path: Path, to: Path) -> Path:
    """Copy a file that SQLite cannot read any more, and what it kept beside it."""
    try:
        to.parent.mkdir(parents=True, exist_ok=True)
        for ending in ("-wal", ""):
            if path.with_name(path.name + ending).exists():
                shutil.copyfile(path.with_name(path.name + ending), to.with_name(to.name + ending))
    except OSError as error:
        raise WorkspaceError(f"a copy of the workspace {path} cannot be written to {to}: {error.strerror}") from error
    sync_folder(to.parent)
    return to


def sync_folder(folder: Path) -> None:
    """Wait until new names in a folder are on disk, where the system can do that."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def remove_file(path: Path) -> None:
    """Delete an SQLite file and what SQLite keeps beside it."""
    for ending in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
