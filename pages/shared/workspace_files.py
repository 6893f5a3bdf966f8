"""Whole workspaces made, copied, deleted and brought back, one at a time for all sessions, each returning what the address calls it."""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, BinaryIO

from pages.shared import folders, resources, session
from pages.shared.workspace_rows import backup_folder

if TYPE_CHECKING:
    from affrag_core import WorkspaceCard

EXPORT_SUFFIX = ".workspace.zip"


def renamed(card: WorkspaceCard, name: str) -> None:
    """Give a workspace another name; its address stays.

    Raises
    ------
    AffragError
        If the name is blank, or the workspace can only be read.
    """
    from affrag_core import rename_workspace

    rename_workspace(resources.opened(str(card.path)), name)


def duplicated(card: WorkspaceCard, name: str) -> str:
    """Copy a workspace under another name; errors as in `renamed`."""
    from affrag_core import duplicate_workspace

    source = resources.opened(str(card.path))
    return _put(lambda folder: duplicate_workspace(source, folder, name))


def _put(make: Callable[[Path], Path]) -> str:
    """Make a file in a folder of its own, as that may take long, and move it to a place that nobody else has."""
    with TemporaryDirectory(dir=folders.workspace_folder()) as folder:
        made = make(Path(folder))
        with resources.shared().lock:
            path = folders.free_path(made.stem)
            made.replace(path)
    return path.stem


def deleted(card: WorkspaceCard) -> Path:
    """Delete a workspace once its copy is on disk; returns the copy.

    Raises
    ------
    WorkspaceError
        If it is gone, or no copy of it can be written.
    """
    from affrag_core import delete_workspace

    path = str(card.path)
    with suppress(FileNotFoundError):
        resources.forget(path)
    with resources.shared().lock:
        copy = delete_workspace(card.path, backup_folder())
    session.forget(path)
    if session.current_slug() == card.slug:
        session.switch_workspace(None)
    return copy


def restored(copy: Path) -> str:
    """Bring a copy back as a workspace; the copy stays.

    Raises
    ------
    AffragError
        If the copy cannot be read.
    """
    from affrag_core import restore_workspace

    return _put(lambda folder: restore_workspace(copy, folder))


def imported(name: str, file: BinaryIO, progress: Callable[[int, int], None]) -> str:
    """Make a workspace from an exported file; it appears whole or not at all.

    Raises
    ------
    AffragError
        If the file is no exported workspace, or is damaged.
    """
    from affrag_core import import_workspace

    def make(folder: Path) -> Path:
        path = folder / (folders.slug_of(name.removesuffix(".zip").partition(".workspace")[0]) + folders.SUFFIX)
        import_workspace(file, path, progress=progress).close()
        return path

    file.seek(0)
    return _put(make)


def exported(card: WorkspaceCard) -> bytes:
    """A whole workspace as one file."""
    from affrag_core import Workspace, export_workspace

    content = io.BytesIO()
    # An object of its own: downloads are made outside the page's run, and what is read may be large.
    with Workspace.open(card.path, create=False) as ws:
        export_workspace(ws, content)
    return content.getvalue()
