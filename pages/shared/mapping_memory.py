"""How files were read, by their shape: kept with the workspace, and beside all workspaces for the next one that a file is dropped into."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any

from pages.shared import folders

if TYPE_CHECKING:
    from affrag_core import Workspace

MOST = 500
"""So many shapes are kept beside the workspaces, the last used; each workspace keeps all of its own."""
_LOCK = RLock()


def remembered(ws: Workspace, shape: str) -> dict[str, Any]:
    """How a file of this shape was read the last time, in this workspace or else in any; empty where none was."""
    own = ws.mapping(shape)
    kept = own if own is not None else _all().get(shape)
    return dict(kept) if isinstance(kept, Mapping) else {}


def remember(ws: Workspace, shape: str, mapping: Mapping[str, Any]) -> None:
    """Keep how a file was read.

    Raises
    ------
    AffragError
        If the workspace can only be read.
    """
    ws.save_mapping(shape, dict(mapping))
    with _LOCK:
        others = {key: value for key, value in _all().items() if key != shape}
        newest = [*others.items(), (shape, dict(mapping))][-MOST:]
        unfinished = _file().with_suffix(".unfinished")
        try:
            unfinished.write_text(json.dumps(dict(newest)), encoding="utf-8")
            unfinished.replace(_file())
        except OSError:
            return  # The workspace has it; here it is only a help for others.


def _file() -> Path:
    return folders.data_folder() / "mappings.json"


def _all() -> dict[str, Any]:
    try:
        found = json.loads(_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
