"""Where workspaces lie on disk. Names that people give are data: each maps to a safe file name and is never a path."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import unicodedata
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

DEMO_FOLDER = Path(__file__).resolve().parents[2] / "demo_data"
SUFFIX = ".sqlite"
FILE_SETTING = "made_for_file"
"""The setting of a workspace that was made for a file which a person meant to bring in."""
_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class SavedWorkspace:
    """A workspace on disk: its name in addresses and for people, its file, and when it last changed (seconds since 1970).

    `is_waiting` tells that it was made for a file of which nothing was brought in, and holds nothing else either.
    """

    slug: str
    name: str
    path: Path
    changed: float
    is_waiting: bool = False


def data_folder() -> Path:
    """The folder for everything the app keeps: `AFFRAG_DATA_DIR`, else the user's data folder. Made if missing."""
    given = os.environ.get("AFFRAG_DATA_DIR")
    if given:
        folder = Path(given).expanduser()
    else:
        from platformdirs import user_data_dir

        folder = Path(user_data_dir("affrag-explorer", appauthor=False))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def workspace_folder() -> Path:
    """The folder with one file a workspace."""
    folder = data_folder() / "workspaces"
    folder.mkdir(exist_ok=True)
    return folder


def vector_folder() -> Path:
    """The folder of the vectors that were made once and need not be made again."""
    return data_folder() / "vectors"


def may_preload() -> bool:
    """Whether text models may load before anyone asks for them; ``AFFRAG_PRELOAD=0`` says no."""
    return os.environ.get("AFFRAG_PRELOAD", "1") != "0"


def saved_workspaces() -> list[SavedWorkspace]:
    """All workspaces on disk, the last changed first."""
    found = [
        SavedWorkspace(path.stem, name, path, _changed(path), is_waiting)
        for path in workspace_folder().glob("*" + SUFFIX)
        if path.is_file() and _SLUG.fullmatch(path.stem)
        for name, is_waiting in [_told_by(path)]
    ]
    return sorted(found, key=lambda saved: saved.changed, reverse=True)


def _changed(path: Path) -> float:
    # What was written last may still lie in the log beside the file.
    log = path.with_name(path.name + "-wal")
    return max(one.stat().st_mtime for one in (path, log) if one.exists())


def _told_by(path: Path) -> tuple[str, bool]:
    """The name setting, and whether it waits for a file; read without opening the workspace, which would read all of its events."""
    name, is_waiting = None, False
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=1)) as connection:
            found = dict(connection.execute("SELECT key, value FROM settings WHERE key IN ('name', ?)", (FILE_SETTING,)))
            if FILE_SETTING in found:
                # Its first change, taken back or not, leaves a line in the journal.
                is_waiting = connection.execute("SELECT NOT EXISTS (SELECT 1 FROM journal)").fetchone() == (1,)
        name = json.loads(found["name"]) if "name" in found else None
    except (sqlite3.Error, ValueError):
        name = None
    return (name if isinstance(name, str) and name.strip() else path.stem), is_waiting


def workspace_path(slug: str) -> Path | None:
    """The file of a workspace that exists; None for any other text, so that an address can never name a path."""
    if not _SLUG.fullmatch(slug):
        return None
    path = workspace_folder() / (slug + SUFFIX)
    return path if path.is_file() else None


def slug_of(name: str) -> str:
    """A file name made of plain letters, digits and hyphens: ``Été 2024`` becomes ``ete-2024``; ``workspace`` where nothing is left."""
    flat = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", flat).strip("-")[:60].strip("-") or "workspace"


def free_path(name: str) -> Path:
    """A file for a new workspace of that name that no other workspace uses."""
    slug, n = slug_of(name), 1
    while (path := workspace_folder() / (f"{slug}-{n}" if n > 1 else slug)).with_suffix(SUFFIX).exists():
        n += 1
    return path.with_suffix(SUFFIX)
