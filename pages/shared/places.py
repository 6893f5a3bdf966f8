"""Where each workspace lies, and what the app's address calls it: a file of the data folder, or a database on a server."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from pages.shared import folders, servers

if TYPE_CHECKING:
    from affrag_core import WorkspaceCard
    from pages.shared.servers import Server


@dataclass(frozen=True, slots=True)
class Place:
    """A workspace as a list shows it, without opening it.

    Parameters
    ----------
    slug : str
        What the app's address calls it.
    name : str
        What a person called it.
    shown : str
        Its path or address as a person may see it; `Workspace.target` says the same once it is open, but for a password's stars.
    path : Path or None
        None on a server, as are the next four: a list asks no server.
    size : int or None
        Bytes on disk.
    changed : datetime or None
    n_events, n_edges : int or None
    fault : str or None
        What is wrong with its file.
    """

    slug: str
    name: str
    shown: str
    path: Path | None = None
    size: int | None = None
    changed: datetime | None = None
    n_events: int | None = None
    n_edges: int | None = None
    fault: str | None = None

    @property
    def target(self) -> str | None:
        """What the core opens, a password among it; None for an address that is known no more."""
        return str(self.path) if self.path is not None else servers.target_of(self.slug)


def target_of(slug: str) -> str | None:
    """What the core opens; None for a slug of no workspace, so that an address can never name a path or a server of its own.

    Raises
    ------
    WorkspaceError
        If the app's own setting holds an address that cannot be read.
    """
    if servers.is_server(slug):
        return servers.target_of(slug)
    path = folders.workspace_path(slug)
    return None if path is None else str(path)


def of_card(card: WorkspaceCard) -> Place:
    """A file."""
    return Place(card.slug, card.name, str(card.path), card.path, card.size, card.changed, card.n_events, card.n_edges, card.fault)


def of_server(server: Server) -> Place:
    """A database address."""
    return Place(server.slug, server.name, server.address)


def all_places() -> list[Place]:
    """Every workspace that the app knows: the files, the last changed first, then those on servers; errors as in `target_of`."""
    from affrag_core import list_workspaces

    files = [of_card(card) for card in list_workspaces(folders.workspace_folder())]
    return [*files, *(of_server(server) for server in servers.known())]
