"""CSV and TSV: commas, semicolons or tabs, found by looking at the content."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator

from affrag_core.errors import ReadError
from affrag_core.events.readers.columns import n_recognised
from affrag_core.events.readers.rows import RawFile, RawRow, shown
from affrag_core.events.report import Fault, Part
from affrag_core.events.spreadsheet import WRITTEN_AS, unguarded

CELL_LIMIT = 10 * 2**20
"""Longest cell, in letters."""
_NAMES = {",": "commas", ";": "semicolons", "\t": "tabs", "\x1f": "no sign (one column)"}
_END = "\ue000end of file\ue000"
_LOOK_AHEAD = 20_000
_LINE = re.compile(r"[^\r\n]*(?:\r\n|[\r\n])|[^\r\n]+")
_STATED = re.compile(r"sep=([,;\t])[\r\n]", re.IGNORECASE)
"""A first line with which Excel is told the separating sign."""


class DelimitedReader:
    """Rows of text whose first line names the columns."""

    def recognises(self, text: str, extension: str) -> bool:  # noqa: ARG002 - every text may be one
        """Always: what is nothing else is read as a table."""
        return True

    def read(self, text: str, part: Part) -> RawFile:
        """One row a record; see `Reader.read`."""
        delimiter = find_delimiter(text)
        records = _records(text, delimiter)
        _, header, _ = next(records, (0, [], True))
        if _STATED.match(text):
            _, header, _ = next(records, (0, [], True))
        columns, notes = _unique(header)
        is_guarded = WRITTEN_AS in columns
        file = RawFile(
            form=f"table, columns apart by {_NAMES[delimiter]}", notes=notes, words_for_missing=True, decimal_commas=delimiter == ";"
        )
        rows = file.events if part == "event" else file.edges
        for number, cells, is_closed in records:
            if not any(cell.strip() for cell in cells):
                continue
            raw = _by_name(columns, [unguarded(cell) for cell in cells] if is_guarded else cells)
            reason = _broken(cells, columns, is_closed=is_closed)
            if reason:
                file.faults.append(_fault(number, raw, cells, reason, part))
            else:
                rows.append(RawRow(number, {name: cell if cell.strip() else None for name, cell in raw.items()}, raw))
        return file


def find_delimiter(text: str) -> str:
    """The sign between columns: the one whose header has most known names, then the one that gives most rows of equal length.

    A header of one column has none: each record is one cell, and commas in it are text.
    """
    stated = _STATED.match(text)
    if stated:
        return stated[1]
    start = text[:_LOOK_AHEAD]
    best, best_score = "\x1f", (0, 0, 0)
    for delimiter in (",", ";", "\t"):
        records = [cells for _, cells, _ in _records(start, delimiter)][:50]
        width = len(records[0]) if records else 0
        if width > 1:
            score = (n_recognised(records[0]), sum(len(cells) == width for cells in records), width)
            if score > best_score:
                best, best_score = delimiter, score
    return best


def _records(text: str, delimiter: str) -> Iterator[tuple[int, list[str], bool]]:
    """First line, cells, and whether every quotation mark is closed, of each record that is not blank."""
    csv.field_size_limit(max(csv.field_size_limit(), CELL_LIMIT))
    reader = csv.reader(_lines(text), delimiter=delimiter)
    first_line = 1
    try:
        for cells in reader:
            if cells == [_END]:
                return
            is_closed = not (cells and cells[-1].endswith(_END))
            if not is_closed:
                cells[-1] = cells[-1].removesuffix(_END)
            if cells:
                yield first_line, cells, is_closed
            first_line = reader.line_num + 1
    except csv.Error as error:
        raise ReadError(f"The table cannot be read at line {reader.line_num}: {error}.") from None


def _lines(text: str) -> Iterator[str]:
    """The lines with their ends, one at a time: a file object over the text would copy a large file at four bytes a letter.

    A line of our own at the end shows whether an open quotation mark has taken in the rest of the file.
    """
    for match in _LINE.finditer(text):
        line = match[0]
        yield line if line.endswith(("\n", "\r")) else line + "\n"
    yield _END


def _unique(header: list[str]) -> tuple[list[str], list[str]]:
    """Column names without blanks and repeats, and notes on those that were renamed."""
    names: list[str] = []
    notes: list[str] = []
    for position, cell in enumerate(header, start=1):
        given = unguarded(cell).strip().removeprefix("\ufeff")
        name = wanted = given or f"column {position}"
        copy = 2
        while name in names:
            name, copy = f"{wanted} ({copy})", copy + 1
        if given and name != given:
            notes.append(f'Two columns are named "{shown(given)}"; the later one was read as "{shown(name)}".')
        names.append(name)
    return names, notes


def _by_name(columns: list[str], cells: list[str]) -> dict[str, str]:
    row = dict(zip(columns, cells, strict=False))
    return row | {f"column {position}": cell for position, cell in enumerate(cells[len(columns) :], start=len(columns) + 1)}


def _broken(cells: list[str], columns: list[str], *, is_closed: bool) -> str:
    if not is_closed:
        return "a quotation mark that opens in this row is never closed, so the rest of the file was taken into it"
    if any(cell.strip() for cell in cells[len(columns) :]):
        return f"the row has {len(cells)} cells, the header has {len(columns)}"
    return ""


def _fault(number: int, raw: dict[str, str], cells: list[str], reason: str, part: Part) -> Fault:
    advice = "Put texts that hold the separating sign or a line break into quotation marks, and close them."
    return Fault(number, None, "row", shown(cells[-1]), reason, advice, raw, part)
