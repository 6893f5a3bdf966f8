"""Excel workbooks."""

from __future__ import annotations

import io
import zipfile
from typing import Any

from affrag_core.errors import ReadError
from affrag_core.events.readers.archives import checked_archive
from affrag_core.events.readers.json_files import add_row
from affrag_core.events.readers.rows import RawFile, shown
from affrag_core.events.readers.tables.parquet import as_text
from affrag_core.events.report import Part


class ExcelReader:
    """One row a row of the first sheet that has any, its first row the names of the columns; read with openpyxl."""

    def recognises(self, content: bytes, name: str) -> bool:  # noqa: ARG002 - the content alone tells
        """Whether it is a ZIP archive with a workbook in it."""
        if not content.startswith(b"PK"):
            return False
        try:
            with zipfile.ZipFile(io.BytesIO(content)) as archive:
                return "xl/workbook.xml" in archive.namelist()
        except zipfile.BadZipFile:
            return False

    def read(self, content: bytes, part: Part) -> RawFile:
        """The rows; see `Reader.read`."""
        from openpyxl import load_workbook

        checked_archive(content)
        try:
            book = load_workbook(io.BytesIO(content), read_only=True, data_only=True)
        except Exception as error:
            raise ReadError(f"The workbook is damaged or protected: {shown(str(error))}. Save it again without a password.") from None
        with_rows = [sheet for sheet in book.worksheets if (sheet.max_row or 0) > 1] or book.worksheets[:1]
        if not with_rows:
            raise ReadError("The workbook has no sheet with rows.")
        file = RawFile(f"Excel, sheet {with_rows[0].title}", words_for_missing=True)
        if len(with_rows) > 1:
            others = ", ".join(sheet.title for sheet in with_rows[1:])
            file.notes.append(f"Only the sheet {with_rows[0].title} was read; the workbook also has {others}.")
        _add_rows(file, with_rows[0], part)
        book.close()
        return file


def _add_rows(file: RawFile, sheet: Any, part: Part) -> None:
    rows = sheet.iter_rows(values_only=True)
    header = [str(name) if name is not None else f"column {i}" for i, name in enumerate(next(rows, ()), start=1)]
    for number, cells in enumerate(rows, start=2):
        if all(cell is None for cell in cells):
            continue
        add_row(file, number, {name: _cell(cell) for name, cell in zip(header, cells, strict=False)}, part)


def _cell(value: Any) -> Any:
    return value if value is None or isinstance(value, (str, int, float, bool)) else as_text(value)
