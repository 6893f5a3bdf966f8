"""Write what is shipped: the array file, its figures as JSON, and the card that people read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from affrag_core.encoders.quantised import LinearTextModel
from affrag_core.encoders.weight_files import model_bytes

MOST_BYTES = 100_000
"""An array file above this is not written."""


def write_shipped(folder: Path, name: str, model: LinearTextModel, card: dict[str, Any], text: Callable[[dict[str, Any]], str]) -> int:
    """Write ``name.npz``, ``name.json`` and ``name.md``; how many bytes the first has.

    Parameters
    ----------
    folder : Path
    name : str
    model : LinearTextModel
    card : dict
        The figures; size and checksum are added here.
    text : callable
        Makes the card that people read from the full figures.

    Raises
    ------
    ValueError
        If the array file has more than `MOST_BYTES`.
    """
    content = model_bytes(model)
    if len(content) > MOST_BYTES:
        raise ValueError(f"{name}.npz must have at most {MOST_BYTES:,} bytes, got {len(content):,}")
    full = card | {"n_bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.npz").write_bytes(content)
    (folder / f"{name}.json").write_text(json.dumps(full, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    (folder / f"{name}.md").write_text(text(full), encoding="utf-8")
    return len(content)


def table(header: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A Markdown table."""
    names = list(header)
    lines = [names, ["---"] * len(names), *([str(cell) for cell in row] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
