"""How an SQLite file is connected to when it is only read: nothing is left beside it, and a read-only folder is no hindrance."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path


def can_write(path: Path) -> bool:
    """Whether a file and its folder may be written, which SQLite needs for more than reading."""
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


def read_options(path: Path) -> dict[str, str]:
    """What SQLite is told about a file that is only read."""
    if can_write(path):
        # With "ro" the last reader of a file with a write-ahead log could not clear the log away again.
        return {"mode": "rw"}
    # Nobody can change it, so there is nothing to wait for; a log that is left over must be read all the same.
    return {"mode": "ro"} if path.with_name(path.name + "-wal").exists() else {"mode": "ro", "immutable": "1"}


def connect_for_reading(path: Path, *, timeout_s: float = 5.0) -> sqlite3.Connection:
    """A connection on which every statement that writes is refused."""
    options = "&".join(f"{key}={value}" for key, value in read_options(path).items())
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?{options}", uri=True, timeout=timeout_s)
    connection.execute("PRAGMA query_only=ON")
    return connection
