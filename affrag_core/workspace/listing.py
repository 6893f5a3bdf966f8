"""Which workspaces lie in a folder, told without opening them."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from affrag_core.errors import ReadError
from affrag_core.workspace import archive_format, schema
from affrag_core.workspace.archive_read import opened_archive
from affrag_core.workspace.faults import newer_sentence, workspace_error
from affrag_core.workspace.file_access import connect_for_reading

FILE_SUFFIX = ".sqlite"
_WAIT_S = 1.0


@dataclass(frozen=True, slots=True)
class WorkspaceCard:
    """A workspace as a list shows it.

    Parameters
    ----------
    slug : str
        Its file's name without ending.
    name : str
        The name that a person gave it; the slug where that cannot be read.
    path : Path
    size : int
        Bytes on disk, what SQLite keeps beside the file among them.
    changed : datetime
        When the file last changed.
    n_events, n_edges : int or None
        None where they cannot be read.
    fault : str or None
        What is wrong with it, as a sentence; it may still open for reading. A newer version's workspace has counts and a fault.
    """

    slug: str
    name: str
    path: Path
    size: int
    changed: datetime
    n_events: int | None = None
    n_edges: int | None = None
    fault: str | None = None


def list_workspaces(folder: str | Path) -> list[WorkspaceCard]:
    """The workspaces of a folder, the last changed first; damaged ones say so, files in the making are left out."""
    return _listed(folder, (FILE_SUFFIX,))


def list_backups(folder: str | Path) -> list[WorkspaceCard]:
    """The copies of workspaces in a folder: SQLite files and exported ones, the last changed first."""
    return _listed(folder, (FILE_SUFFIX, archive_format.SUFFIX))


def _listed(folder: str | Path, suffixes: tuple[str, ...]) -> list[WorkspaceCard]:
    cards = [_card(path, suffix) for suffix in suffixes for path in Path(folder).glob("*" + suffix) if path.is_file()]
    return sorted((card for card in cards if card is not None), key=lambda card: card.changed, reverse=True)


def _card(path: Path, suffix: str) -> WorkspaceCard | None:
    slug = path.name.removesuffix(suffix)
    try:
        # What was written last may still lie in the log beside the file.
        beside = [path, *(log for log in (path.with_name(path.name + "-wal"),) if log.exists())]
        stats = [one.stat() for one in beside]
    except OSError:
        return None  # It went while the list was made.
    if stats[0].st_size == 0:
        return None  # One that is being made.
    size, changed = sum(stat.st_size for stat in stats), datetime.fromtimestamp(max(stat.st_mtime for stat in stats), UTC)
    n_events = n_edges = None
    name, fault = slug, None
    try:
        name, n_events, n_edges, fault = _of_file(path) if suffix == FILE_SUFFIX else _of_archive(path)
    except ReadError as error:
        fault = str(error)
    except (sqlite3.Error, OSError) as error:
        fault = str(workspace_error(str(path), error))
    return WorkspaceCard(slug, name if name.strip() else slug, path, size, changed, n_events, n_edges, fault)


def _of_file(path: Path) -> tuple[str, int, int, str | None]:
    with closing(connect_for_reading(path, timeout_s=_WAIT_S)) as connection:
        found = connection.execute("SELECT schema_version FROM workspace").fetchone()
        if found is None:
            raise ReadError(f"the workspace {path} is damaged: its first row is missing; put a backup in its place")
        if found[0] == schema.DELETED:
            raise ReadError(f"the workspace {path} was deleted, and its file remained; delete it again")
        counts = [connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("events", "edges")]
        stored = connection.execute("SELECT value FROM settings WHERE key = 'name'").fetchone()
    try:
        name = json.loads(stored[0]) if stored else ""
    except ValueError:
        name = ""
    return name if isinstance(name, str) else "", counts[0], counts[1], _why_only_read(path, found[0])


def _why_only_read(path: Path, version: int) -> str | None:
    return newer_sentence(str(path), version) if version > schema.SCHEMA_VERSION else None


def _of_archive(path: Path) -> tuple[str, int, int, str | None]:
    with opened_archive(path) as archive:
        return archive.manifest.name, archive.manifest.n_events, archive.manifest.n_edges, None
