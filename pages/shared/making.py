"""New workspaces: empty, or a copy of a demo."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from pages.shared import folders, resources
from pages.shared.encoder_shelf import BUNDLED

if TYPE_CHECKING:
    from affrag_core import Demo, Workspace
    from pages.shared.folders import SavedWorkspace

LOAD_LABEL = "Load the demo"
"""Begins the label of the change that made a demo's copy."""


def empty_workspace(name: str) -> str:
    """Make a workspace with that name and nothing in it; returns what the address calls it.

    Raises
    ------
    WorkspaceError
        If its file cannot be made.
    """
    with resources.shared().lock:
        path = folders.free_path(name)
        path.touch(exist_ok=False)
        ws = resources.opened(str(path))
        ws.set_setting("name", " ".join(name.split()))
        ws.set_setting("encoder", BUNDLED)
    return path.stem


def file_workspace(file_name: str) -> str:
    """Make a workspace for a file that is looked through next; `clear_waiting` removes it where nothing is brought in."""
    slug = empty_workspace(file_name.rsplit(".", 1)[0].strip() or file_name)
    opened(slug).set_setting(folders.FILE_SETTING, file_name)
    return slug


def clear_waiting(saved: Sequence[SavedWorkspace], *, own: str | None, before: float) -> list[SavedWorkspace]:
    """Remove workspaces that were made for a file and hold nothing; returns those that stay.

    Parameters
    ----------
    saved : sequence of SavedWorkspace
    own : str or None
        Slug of the one that this session made and whose file it no longer has.
    before : float
        Others, perhaps of another session, go if they last changed before that time, in seconds since 1970.
    """
    from affrag_core import AffragError, delete_workspace

    stay = []
    for one in saved:
        if not one.is_waiting or (one.slug != own and one.changed >= before):
            stay.append(one)
            continue
        with suppress(AffragError, OSError), resources.shared().lock, TemporaryDirectory() as copies:
            resources.forget(str(one.path))
            delete_workspace(one.path, copies)
    return stay


def server_workspace(target: str, source: Workspace | None) -> bool:
    """Make a workspace at a database address, empty or a copy of another; one that is there already is left as it is.

    Returns
    -------
    bool
        Whether one was made.

    Raises
    ------
    WorkspaceError
        If the server cannot be reached, or nothing can be made there.
    """
    from affrag_core import Workspace, export_workspace, import_workspace

    with Workspace.open(target) as new:
        if new.read_only or new.version or new.setting("encoder") is not None:
            return False
        if source is None:
            new.set_setting("encoder", BUNDLED)
            return True
    with TemporaryDirectory() as folder:
        file = Path(folder) / "copy.zip"
        export_workspace(source, file)
        import_workspace(file, target).close()
    return True


def demo_workspace(folder: Path) -> str:
    """Copy a demo into a workspace of its own, once; returns what the address calls it. Later calls return the same copy.

    Raises
    ------
    ReadError, WorkspaceError
        If the demo cannot be read, or the copy not be written.
    """
    path = folders.workspace_folder() / f"demo-{folders.slug_of(folder.name)}{folders.SUFFIX}"
    with resources.shared().lock:
        if not path.is_file():
            from affrag_core import read_demo

            _write_demo(read_demo(folder), path)
    return path.stem


def _write_demo(demo: Demo, path: Path) -> None:
    from affrag_core import Workspace, iso_text

    # Built beside its place and moved there when whole, so that a stop half-way leaves no half demo.
    unfinished = path.with_suffix(".unfinished")
    for left in unfinished.parent.glob(unfinished.name + "*"):
        left.unlink()
    questions = [
        {"text": q.text, "note": q.note, "space": demo.semantic_space, "vector": list(map(float, q.vector))} for q in demo.questions
    ]
    with Workspace.open(unfinished) as ws:
        with ws.change(f"{LOAD_LABEL} {demo.title}") as draft:
            draft.add_events(demo.events)
            draft.add_edges(demo.edges)
            draft.set_spaces(semantic=demo.semantic_space, emotional=demo.emotional_space)
        for key, value in (
            ("name", demo.title),
            ("about", demo.sentence),
            ("as_of", iso_text(demo.as_of)),
            ("questions", questions),
            ("source", demo.source),
            ("licence", demo.licence),
            ("encoder", BUNDLED),
        ):
            ws.set_setting(key, value)
    unfinished.replace(path)


def opened(slug: str) -> Workspace:
    """The workspace that was just made."""
    return resources.opened(str(folders.workspace_folder() / (slug + folders.SUFFIX)))
