"""Whole workspaces made, copied, deleted and brought back, one at a time for all sessions, each returning what the address calls it."""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, BinaryIO

from pages.shared import folders, resources, servers, session
from pages.shared.workspace_rows import backup_folder

if TYPE_CHECKING:
    from pages.shared.places import Place

EXPORT_SUFFIX = ".workspace.zip"


def renamed(place: Place, name: str) -> None:
    """Give a workspace another name; its address stays.

    Raises
    ------
    AffragError
        If the name is blank, or the workspace can only be read.
    """
    from affrag_core import rename_workspace

    ws = resources.opened(target(place))
    rename_workspace(ws, name)
    servers.note_name(place.slug, ws.name)


def duplicated(place: Place, name: str) -> str:
    """Copy a workspace under another name; errors as in `renamed`."""
    from affrag_core import duplicate_workspace

    source = resources.opened(target(place))
    return _put(lambda folder: duplicate_workspace(source, folder, name))


def _put(make: Callable[[Path], Path]) -> str:
    """Make a file in a folder of its own, as that may take long, and move it to a place that nobody else has."""
    with TemporaryDirectory(dir=folders.workspace_folder()) as folder:
        made = make(Path(folder))
        with resources.shared().lock:
            path = folders.free_path(made.stem)
            made.replace(path)
    return path.stem


def deleted(place: Place) -> Path:
    """Delete a workspace once its copy is on disk; returns the copy.

    Raises
    ------
    WorkspaceError
        If it is gone, or no copy of it can be written.
    """
    from affrag_core import delete_workspace, shown_target

    at = target(place)
    with suppress(FileNotFoundError):
        resources.forget(at)
    with resources.shared().lock:
        copy = delete_workspace(at, backup_folder())
    session.forget(shown_target(at))
    put_away(place)
    return copy


def put_away(place: Place) -> None:
    """Leave a workspace, and forget its address where it lies on a server."""
    if session.current_slug() == place.slug:
        session.switch_workspace(None)
    if place.path is None:
        servers.forget(place.slug)


def target(place: Place) -> str:
    """What the core opens.

    Raises
    ------
    WorkspaceError
        If its address was forgotten meanwhile.
    """
    from affrag_core import WorkspaceError

    found = place.target
    if found is None:
        raise WorkspaceError(f"the address {place.shown} is known no more; give it again")
    return found


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


def exported(place: Place) -> bytes:
    """A whole workspace as one file."""
    from affrag_core import Workspace, export_workspace

    content = io.BytesIO()
    # An object of its own: downloads are made outside the page's run, and what is read may be large.
    with Workspace.open(target(place), create=False) as ws:
        export_workspace(ws, content)
    return content.getvalue()
