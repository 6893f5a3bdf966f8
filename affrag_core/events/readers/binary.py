"""Files that are no text: say what they are and what to do, and never open them."""

from __future__ import annotations

from affrag_core.errors import ReadError

_SAVE = "Open it where it was made and save it as CSV (UTF-8) or JSON."
_UNPACK = "Unpack it and upload the CSV or JSON file inside."
_PICKLE = "Pickles can run code when they are opened, so they are never read. Save the data as CSV or JSON."

_MAGIC: tuple[tuple[bytes, str, str], ...] = (
    (b"\xd0\xcf\x11\xe0", "an old Excel or Word file", _SAVE),
    (b"PAR1", "a Parquet file", "Save it as CSV or JSON, for example with pandas: read_parquet(...).to_csv(...)."),
    (b"ARROW1", "an Arrow file", "Save it as CSV or JSON."),
    (b"\x93NUMPY", "a NumPy array file", "Put the vectors into a column of the events, as JSON lists."),
    (b"\x89HDF", "an HDF5 file", "Save it as CSV or JSON."),
    (b"SQLite format 3\x00", "an SQLite database", "Export its table as CSV, or open it on the Workspaces page if it is a workspace."),
    (b"%PDF", "a PDF document", "Copy its text into a CSV or JSON file."),
    (b"\x1f\x8b", "a gzip archive", _UNPACK),
    (b"BZh", "a bzip2 archive", _UNPACK),
    (b"\xfd7zXZ", "an xz archive", _UNPACK),
    (b"7z\xbc\xaf", "a 7-Zip archive", _UNPACK),
    (b"(\xb5/\xfd", "a zstd archive", _UNPACK),
    (b"Rar!", "a RAR archive", _UNPACK),
    (b"\x89PNG", "a picture", "Upload a CSV or JSON file instead."),
    (b"\xff\xd8\xff", "a picture", "Upload a CSV or JSON file instead."),
    (b"GIF8", "a picture", "Upload a CSV or JSON file instead."),
)
_ZIPPED = ((b"xl/", "an Excel workbook", _SAVE), (b"word/", "a Word document", _SAVE), (b".npy", "a NumPy archive", _UNPACK))


def refuse_binary(content: bytes) -> None:
    """Raise ReadError, naming the kind of file, if the content is a known one that is not text."""
    if content.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        start = content[:200_000]
        kind, advice = next(((kind, advice) for mark, kind, advice in _ZIPPED if mark in start), ("a ZIP archive", _UNPACK))
    elif content[:1] == b"\x80" and content[1:2] in (b"\x02", b"\x03", b"\x04", b"\x05"):
        kind, advice = "a Python pickle", _PICKLE
    else:
        found = next(((kind, advice) for mark, kind, advice in _MAGIC if content.startswith(mark)), None)
        if found is None:
            return
        kind, advice = found
    raise ReadError(f"This is {kind}, not a text file. {advice}")
