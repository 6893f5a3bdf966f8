"""Workspace files that appear whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from affrag_core.errors import WorkspaceError
from affrag_core.workspace.backup import remove_file, sync_folder

if TYPE_CHECKING:
    from affrag_core.workspace.workspace import Workspace


def build_file(path: Path, fill: Callable[[Workspace], None]) -> None:
    """Make a workspace beside its place and move it there when it is whole, so that a stop half-way leaves no half of one."""
    from affrag_core.workspace.workspace import Workspace

    unfinished = path.with_name(path.name + ".unfinished")
    remove_file(unfinished)
    try:
        with Workspace.open(unfinished) as new:
            fill(new)
        os.replace(unfinished, path)
        sync_folder(path.parent)
    except OSError as error:
        raise WorkspaceError(f"the workspace {path} cannot be made: {error.strerror}") from error
    finally:
        remove_file(unfinished)
