"""Cells that a spreadsheet shows as text and never runs as a formula."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np

WRITTEN_AS = "written_as"
"""Column or key of our own exports: which vectors are float32, which scale an emotion has; in a CSV also that cells are guarded."""
_FORMULA = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")


def guarded(cell: str) -> str:
    """The cell with an apostrophe before it where a spreadsheet could take it for a formula; plain numbers stay.

    An apostrophe that is there already gets a second one, so that `unguarded` gives every text back exactly.
    """
    return "'" + cell if _FORMULA.match(cell) and not _NUMBER.fullmatch(cell) else cell


def unguarded(cell: str) -> str:
    """The cell as it was before `guarded`."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def cell_text(value: Any) -> str:
    """A value as the text of one cell: words as they are, nothing for None, JSON for everything else."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value.tolist() if isinstance(value, np.ndarray) else value, ensure_ascii=False, default=str)
    except (RecursionError, ValueError):
        return "(too deeply nested to be written)"
