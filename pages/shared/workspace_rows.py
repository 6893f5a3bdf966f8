"""Workspaces as rows of a table, and what may be done with each. No Streamlit here."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pages.shared import folders
from pages.shared.places import Place, of_card
from pages.shared.text import counted, size

if TYPE_CHECKING:
    from affrag_core import Workspace, WorkspaceCard

LABELS = {"name": "Name", "n_events": "Events", "n_edges": "Links", "size": "Size", "changed": "Last changed (UTC)", "state": "State"}
"""What a person calls each column."""
BACKUPS = "backups"
"""The folder beside the workspaces that the core puts copies into, by itself where it brings an older one up to date."""
BAD_NAME = "its file name cannot stand in an address: give the file a name of small letters, digits and hyphens, ending in .sqlite"
LOCKED = "the file or its folder is read-only on this machine"


def backup_folder() -> Path:
    """Where copies of deleted workspaces lie."""
    return folders.workspace_folder() / BACKUPS


def cells(place: Place, ws: Workspace | None) -> dict[str, Any]:
    """A workspace as one row; `ws` is the same workspace where it is open, which tells more than its file."""
    return {
        "name": ws.name if ws is not None else place.name,
        "n_events": len(ws) if ws is not None else place.n_events,
        "n_edges": ws.n_edges if ws is not None else place.n_edges,
        "size": size(place.size) if place.size is not None else "on a server",
        "changed": when(place.changed) if place.changed is not None else None,
        "state": state(place, ws),
    }


def state(place: Place, ws: Workspace | None) -> str:
    """What is to be known before it is opened: ``open now``, ``read-only: …``, ``cannot be read: …``."""
    reason = why_not_changed(place, ws)
    words = ["open now"] if ws is not None else []
    if reason is not None:
        words.append(f"{'cannot be read' if is_unread(place, ws) else 'read-only'}: {reason}")
    return "; ".join(words)


def is_unread(place: Place, ws: Workspace | None) -> bool:
    """Whether something is wrong with its file, and it was not opened to see what can be read all the same."""
    return ws is None and place.fault is not None and place.n_events is None


def why_not_opened(place: Place) -> str | None:
    """Why the app cannot open it by its address; None where it can be tried."""
    return BAD_NAME if place.path is not None and folders.workspace_path(place.slug) is None else None


def why_not_changed(place: Place, ws: Workspace | None) -> str | None:
    """Why nothing in it can be changed; None where it can, or where that is not known before it is open."""
    reason = (ws.read_only if ws is not None else place.fault) or why_not_opened(place)
    if reason:
        return reason.replace(f"the workspace {ws.target if ws is not None else place.shown}", "it")
    if place.path is None:
        return None
    return None if os.access(place.path, os.W_OK) and os.access(place.path.parent, os.W_OK) else LOCKED


def why_not_copied(place: Place, ws: Workspace | None) -> str | None:
    """Why it cannot be saved as one file or copied yet."""
    if is_unread(place, ws):
        return "Open it first, to see what of it can be read."
    return "Open it first." if place.path is None and ws is None else None


def why_not_deleted(place: Place, ws: Workspace | None) -> str | None:
    """Why it cannot be removed; a damaged file can."""
    if place.path is None:
        return why_not_changed(place, ws) if ws is not None else "Open it first."
    return None if os.access(place.path.parent, os.W_OK) else LOCKED


def why_nothing_made() -> str | None:
    """Why no workspace can be made here; None where one can."""
    return None if os.access(folders.workspace_folder(), os.W_OK) else f"The folder {folders.workspace_folder()} is read-only."


def counts(place: Place, ws: Workspace | None) -> str:
    """``17 events, 22 links``, or that they are not known."""
    row = cells(place, ws)
    if row["n_events"] is not None and row["n_edges"] is not None:
        return f"{counted(row['n_events'], 'event')}, {counted(row['n_edges'], 'link')}"
    return "events and links cannot be counted" if place.path is not None else "on a database server, not open"


def facts(place: Place, ws: Workspace | None) -> list[str]:
    """What is known of it in a few words each: what it holds, its size, when it changed."""
    size_words = [size(place.size)] if place.size is not None else []
    change_words = [f"last changed {when(place.changed)} UTC"] if place.changed is not None else []
    return [counts(place, ws), *size_words, *change_words]


def backup_words(card: WorkspaceCard) -> str:
    """A copy as a line of a list."""
    held = "damaged" if card.fault else counts(of_card(card), None)
    return f"{card.name}, {when(card.changed)} UTC, {held}, {size(card.size)}"


def when(moment: datetime) -> str:
    """``2024-03-07 18:40``: it sorts as it reads."""
    return f"{moment:%Y-%m-%d %H:%M}"
