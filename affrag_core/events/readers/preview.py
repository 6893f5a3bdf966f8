"""A look at a file before it is read: its columns, its first rows, and which column is likely which field."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from affrag_core.errors import EventError
from affrag_core.events.readers.columns import EDGE_COLUMNS, EVENT_COLUMNS, assign_columns, plain_name
from affrag_core.events.readers.files import SIZE_LIMIT, raw_rows
from affrag_core.events.readers.rows import RawRow, shown
from affrag_core.events.readers.values import as_time, is_missing
from affrag_core.events.report import FAULT_COLUMNS, Part
from affrag_core.events.spreadsheet import WRITTEN_AS
from affrag_core.events.times import as_utc

LOOKED_AT = 200
"""Rows whose values are looked at to tell what a column holds."""
_TABLES = ("table", "JSON", "JSON lines", "Parquet", "Excel")
_MOSTLY = 0.75
"""At least this share of a column of times can be read; the rest is a matter for the report."""
_WORDS = 3
"""A text has at least this many words on average; names and codes have fewer."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What a file looks like.

    Parameters
    ----------
    form : str
        What the file is, in words.
    columns : tuple of str
        Its columns, in order.
    rows : tuple of dict
        The first rows, values as words.
    proposed : dict of str to str
        The likely column of each field, by name first and by content where names say nothing.
    by_content : frozenset of str
        The fields that were found by content.
    shape : str
        Equal for files with the same form and columns: what a mapping is remembered by.
    n_rows : int
    """

    form: str
    columns: tuple[str, ...]
    rows: tuple[dict[str, str], ...]
    proposed: dict[str, str]
    by_content: frozenset[str]
    shape: str
    n_rows: int

    @property
    def is_table(self) -> bool:
        """Whether its columns are the file's own, so that a person may say what each is; those of a chat or a calendar are ours."""
        return self.form.split(",", maxsplit=1)[0] in _TABLES


def preview_file(
    name: str, content: bytes, *, part: Part = "event", known_ids: Collection[str] = (), most: int = 5, limit: int = SIZE_LIMIT
) -> Preview:
    """Look at a file without reading it whole.

    Parameters
    ----------
    name : str
        The file's name.
    content : bytes
    part : {"event", "edge"}
        What its rows are.
    known_ids : collection of str
        Events that are there; columns of edges that hold their ids are taken for source and target.
    most : int
        How many rows to show.
    limit : int
        Largest size, in bytes.

    Raises
    ------
    ReadError
        If the file as a whole cannot be read.
    """
    file = raw_rows(name, content, part, limit=limit)
    rows = file.edges if part == "edge" else file.events
    columns = tuple(dict.fromkeys(column for row in rows for column in row.values if column not in (*FAULT_COLUMNS, WRITTEN_AS)))
    table = EDGE_COLUMNS if part == "edge" else EVENT_COLUMNS
    named = {field: found[0] for field, found in assign_columns(columns, table).fields.items() if field != WRITTEN_AS}
    first = rows[:LOOKED_AT]
    guessed = _ends_by_content(first, columns, named, known_ids) if part == "edge" else _by_content(first, columns, named)
    key = "\n".join([file.form.split(",", maxsplit=1)[0], part, *sorted(plain_name(column) for column in columns)])
    return Preview(
        form=file.form,
        columns=columns,
        rows=tuple({column: shown(row.values.get(column, "") or "") for column in columns} for row in rows[:most]),
        proposed=named | guessed,
        by_content=frozenset(guessed),
        shape=hashlib.sha256(key.encode()).hexdigest()[:16],
        n_rows=len(rows),
    )


def _ends_by_content(
    rows: Sequence[RawRow], columns: Sequence[str], named: Mapping[str, str], known_ids: Collection[str]
) -> dict[str, str]:
    """Columns for source and target, where no name tells: those that hold ids of events, in the file's order."""
    free = [column for column in columns if column not in named.values()]
    values = {column: [v for row in rows if not is_missing(v := row.values.get(column), "", words=True)] for column in free}
    ends = [column for column in free if values[column] and _share(values[column], lambda value: str(value) in known_ids) >= _MOSTLY]
    return dict(zip([field for field in ("source", "target") if field not in named], ends, strict=False))


def _by_content(rows: Sequence[RawRow], columns: Sequence[str], named: Mapping[str, str]) -> dict[str, str]:
    """Columns for the text, the time and the id, where no name tells: words for a text, readable times, values that never repeat."""
    values = {column: [v for row in rows if not is_missing(v := row.values.get(column), "", words=True)] for column in columns}
    free = [column for column in columns if column not in named.values() and values[column]]
    found: dict[str, str] = {}
    if "timestamp" not in named:
        times = [column for column in free if _share(values[column], _is_time) >= _MOSTLY]
        if times:
            found["timestamp"] = times[0]
    if "text" not in named:
        words = {column: _mean_words(values[column]) for column in free if column not in found.values()}
        best = max(words, key=lambda column: words[column], default=None)
        if best is not None and words[best] >= _WORDS:
            found["text"] = best
    if "id" not in named:
        rest = [column for column in free if column not in found.values()]
        keys = [column for column in rest if len(values[column]) == len(rows) and _is_key(values[column])]
        if keys and len(rows) > 1:
            found["id"] = keys[0]
    return found


def _share(values: Sequence[Any], holds: Callable[[Any], bool]) -> float:
    return sum(holds(value) for value in values) / len(values)


def _is_time(value: Any) -> bool:
    if isinstance(value, (list, dict, bool)):
        return False
    try:
        as_utc(as_time(value))
    except EventError:
        return False
    return True


def _mean_words(values: Sequence[Any]) -> float:
    return sum(len(value.split()) if isinstance(value, str) else 0 for value in values) / len(values)


def _is_key(values: Sequence[Any]) -> bool:
    is_short = all(isinstance(value, (str, int)) and not isinstance(value, bool) and len(str(value)) <= 60 for value in values)
    return is_short and len({str(value) for value in values}) == len(values)
