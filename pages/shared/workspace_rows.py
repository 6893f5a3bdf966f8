"""Workspaces as rows of a table, and what may be done with each. No Streamlit here."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pages.shared import folders
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


def cells(card: WorkspaceCard, ws: Workspace | None) -> dict[str, Any]:
    """A workspace as one row; `ws` is the same workspace where it is open, which tells more than its file."""
    return {
        "name": card.name,
        "n_events": len(ws) if ws is not None else card.n_events,
        "n_edges": ws.n_edges if ws is not None else card.n_edges,
        "size": size(card.size),
        "changed": when(card.changed),
        "state": state(card, ws),
    }


def state(card: WorkspaceCard, ws: Workspace | None) -> str:
    """What is to be known before it is opened: ``open now``, ``read-only: …``, ``cannot be read: …``."""
    reason = why_not_changed(card, ws)
    words = ["open now"] if ws is not None else []
    if reason is not None:
        words.append(f"{'cannot be read' if is_unread(card, ws) else 'read-only'}: {reason}")
    return "; ".join(words)


def is_unread(card: WorkspaceCard, ws: Workspace | None) -> bool:
    """Whether something is wrong with its file, and it was not opened to see what can be read all the same."""
    return ws is None and card.fault is not None


def why_not_opened(card: WorkspaceCard) -> str | None:
    """Why the app cannot open it by its address; None where it can be tried."""
    return BAD_NAME if folders.workspace_path(card.slug) is None else None


def why_not_changed(card: WorkspaceCard, ws: Workspace | None) -> str | None:
    """Why nothing in it can be changed; None where it can."""
    reason = (ws.read_only if ws is not None else card.fault) or why_not_opened(card)
    if reason:
        return reason.replace(f"the workspace {card.path}", "it")
    return None if os.access(card.path, os.W_OK) and os.access(card.path.parent, os.W_OK) else LOCKED


def why_not_deleted(card: WorkspaceCard) -> str | None:
    """Why its file cannot be removed; a damaged one can."""
    return None if os.access(card.path.parent, os.W_OK) else LOCKED


def why_nothing_made() -> str | None:
    """Why no workspace can be made here; None where one can."""
    return None if os.access(folders.workspace_folder(), os.W_OK) else f"The folder {folders.workspace_folder()} is read-only."


def counts(card: WorkspaceCard, ws: Workspace | None) -> str:
    """``17 events, 22 links``, or that they are not known."""
    row = cells(card, ws)
    if row["n_events"] is None or row["n_edges"] is None:
        return "events and links cannot be counted"
    return f"{counted(row['n_events'], 'event')}, {counted(row['n_edges'], 'link')}"


def backup_words(card: WorkspaceCard) -> str:
    """A copy as a line of a list."""
    held = "damaged" if card.fault else counts(card, None)
    return f"{card.name}, {when(card.changed)} UTC, {held}, {size(card.size)}"


def when(moment: datetime) -> str:
    """``2024-03-07 18:40``: it sorts as it reads."""
    return f"{moment:%Y-%m-%d %H:%M}"
