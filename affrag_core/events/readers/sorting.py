"""The values of one row, by field."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from affrag_core.events.readers.columns import Columns
from affrag_core.events.readers.rows import RawFile, RawRow
from affrag_core.events.readers.values import is_missing
from affrag_core.events.spreadsheet import WRITTEN_AS

_IDS = frozenset(("id", "supersedes_id", "source", "target"))


@dataclass(slots=True)
class Sorted:
    """What is given in a row: values by field, the columns they came from, and by column what is no field's."""

    fields: dict[str, Any] = field(default_factory=dict)
    columns: dict[str, str] = field(default_factory=dict)
    others: dict[str, Any] = field(default_factory=dict)


def sort_out(row: RawRow, columns: Columns, file: RawFile) -> Sorted:
    """The row's values by field. What is missing is nowhere; a second column for the same field counts as other."""
    found = Sorted()
    # Blanks around an id are an accident in a table typed by hand; our own exports and JSON mean what they say.
    words = file.words_for_missing and not row.values.get(WRITTEN_AS)
    for name, candidates in columns.fields.items():
        for column in candidates:
            value = row.values.get(column)
            if is_missing(value, name, words=words):
                continue
            if name in found.fields:
                found.others[column] = value
            elif words and name in _IDS and isinstance(value, str):
                found.fields[name], found.columns[name] = value.strip(), column
            else:
                found.fields[name] = value
                found.columns[name] = column
    for column in columns.others:
        value = row.values.get(column)
        if value is not None and value == value:  # noqa: PLR0124 - NaN is nothing
            found.others[column] = value
    return found
