"""Parquet files."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

from affrag_core.errors import ReadError
from affrag_core.events.readers.json_files import add_row
from affrag_core.events.readers.rows import RawFile, shown
from affrag_core.events.report import Part
from affrag_core.events.times import iso_text

MOST_ROWS = 1_000_000
_BATCH = 10_000


class ParquetReader:
    """One row a row, columns by their names; read with pyarrow, batch by batch."""

    def recognises(self, content: bytes, name: str) -> bool:  # noqa: ARG002 - the content alone tells
        """Whether it begins and ends as Parquet does."""
        return content.startswith(b"PAR1")

    def read(self, content: bytes, part: Part) -> RawFile:
        """The rows; see `Reader.read`."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            table = pq.ParquetFile(io.BytesIO(content))
            if table.metadata.num_rows > MOST_ROWS:
                raise ReadError(f"The file holds {table.metadata.num_rows:,} rows, more than {MOST_ROWS:,}. Split it into parts.")
            file = RawFile("Parquet")
            for batch in table.iter_batches(_BATCH):
                for row in batch.to_pylist():
                    add_row(file, len(file.events) + len(file.edges) + 1, _plain(row), part)
        except (pa.ArrowException, OSError) as error:
            raise ReadError(f"The Parquet file is cut or damaged: {shown(str(error).splitlines()[0])}. Save it again.") from None
        return file


def _plain(value: Any) -> Any:
    """Dates as ISO text, bytes as text, the rest as JSON has it."""
    if isinstance(value, Mapping):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(part) for part in value]
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    return as_text(value)


def as_text(value: Any) -> str:
    """A date or time as ISO text, without an offset where it has none; bytes as text; anything else in words."""
    if isinstance(value, bytes):
        return value.decode("utf-8", errors="backslashreplace")
    if hasattr(value, "isoformat"):
        is_aware = getattr(value, "tzinfo", None) is not None and hasattr(value, "astimezone")
        return str(iso_text(value)) if is_aware else str(value.isoformat())
    return str(value)
