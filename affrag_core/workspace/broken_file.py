"""Rows of an SQLite file that has holes or was cut short."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import Table

from affrag_core.workspace.file_access import connect_for_reading

_FARTHEST = 32
"""A gap is looked over to 2 to this power."""
_MOST_GAPS = 10_000
_HEADER = b"SQLite format 3\0"
_BLOCK = 2**20


@contextmanager
def readable_file(path: Path | None) -> Iterator[Path | None]:
    """The file itself, or, where it was cut short, a copy for the time being that SQLite does not refuse as a whole."""
    n_missing = 0 if path is None else _n_missing(path)
    if path is None or n_missing == 0:
        yield path
        return
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "cut.sqlite"
        shutil.copyfile(path, copy)
        with copy.open("ab") as file:
            while n_missing > 0:
                # Not zeros, which a vector or a number could be: these bytes are no text, no finite number and no page.
                n_missing -= file.write(b"\xff" * min(n_missing, _BLOCK))
        yield copy


def _n_missing(path: Path) -> int:
    """How many bytes a file has less than its own first page says."""
    with path.open("rb") as file:
        head = file.read(100)
    if len(head) < 100 or not head.startswith(_HEADER):
        return 0
    page_size = int.from_bytes(head[16:18], "big")
    said = int.from_bytes(head[28:32], "big") * (65_536 if page_size == 1 else page_size)
    # Both numbers of the last change agree where the size is to be believed.
    return max(0, said - path.stat().st_size) if head[24:28] == head[92:96] else 0


def file_rows(path: Path, table: Table, gap: Callable[[], None]) -> Iterator[tuple[Any, ...]]:
    """Rows of a table of a broken file, in order, stepping over what cannot be read; `gap` is called at each step."""
    columns = ", ".join(f'"{column.name}"' for column in table.c)
    query = f'SELECT rowid, {columns} FROM "{table.name}" WHERE rowid > ? ORDER BY rowid'
    with closing(connect_for_reading(path)) as connection:
        connection.text_factory = lambda content: content.decode(errors="surrogateescape")
        after = -1
        for _ in range(_MOST_GAPS):
            try:
                for position, *row in connection.execute(query, (after,)):
                    yield tuple(row)
                    after = position
                return
            except sqlite3.Error:
                gap()
            beyond = _beyond_gap(connection, query, after)
            if beyond is None:
                return
            after = beyond


def _beyond_gap(connection: sqlite3.Connection, query: str, after: int) -> int | None:
    """The first position after which a row can be read again; None if there is none."""

    def can_read(width: int) -> bool:
        try:
            connection.execute(f"{query} LIMIT 1", (after + width,)).fetchone()
        except sqlite3.Error:
            return False
        return True

    widths = [1 << power for power in range(_FARTHEST)]
    high = next((width for width in widths if can_read(width)), None)
    if high is None:
        return None
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if can_read(middle) else (middle, high)
    return after + high
