"""Folders of files, packed as the archives that their readers take: a Slack export, notes."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

from affrag_core.errors import ReadError
from affrag_core.events.readers.archives import MOST_BYTES, MOST_MEMBERS

FOLDER_ENDINGS = (".json", ".md", ".markdown", ".txt")
"""Files of other kinds in a folder are left out."""


def pack_files(files: Mapping[str, bytes]) -> bytes:
    """Files of one folder as an archive for `read_events` and `preview_file`.

    Parameters
    ----------
    files : mapping of str to bytes
        Contents by name within the folder, parts joined by ``/``; names stay names, and no file is made of them.

    Raises
    ------
    ReadError
        If none of them is of a kind that is read from folders, or they are too many or too large together.
    """
    wanted = {name: content for name, content in files.items() if _is_read(name)}
    if not wanted:
        raise ReadError(f"The folder holds no file that can be read: none ends in {', '.join(FOLDER_ENDINGS)}.")
    _check_bounds(len(wanted), sum(map(len, wanted.values())))
    packed = io.BytesIO()
    # Not compressed: what repeats a lot would look like a trap to whoever opens it, and it stays in memory.
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(wanted):
            archive.writestr(zipfile.ZipInfo(name), wanted[name])
    return packed.getvalue()


def pack_folder(folder: str | Path) -> bytes:
    """A folder on disk, with the folders in it, as an archive for `read_events` and `preview_file`.

    Hidden files, and links that lead elsewhere, are left out.

    Raises
    ------
    ReadError
        As `pack_files`, and if it is no folder or a file in it cannot be read.
    """
    root = Path(folder)
    if not root.is_dir():
        raise ReadError(f"{root} is no folder. Give the folder that holds the files.")
    paths = [path for path in sorted(root.rglob("*")) if _is_read(path.relative_to(root).as_posix()) and _lies_in(path, root)]
    try:
        _check_bounds(len(paths), sum(path.stat().st_size for path in paths))
        return pack_files({path.relative_to(root).as_posix(): path.read_bytes() for path in paths})
    except OSError as error:
        raise ReadError(f"{error.filename} cannot be read: {error.strerror}.") from error


def _is_read(name: str) -> bool:
    return name.lower().endswith(FOLDER_ENDINGS) and not any(part.strip(".") and part.startswith(".") for part in name.split("/"))


def _lies_in(path: Path, root: Path) -> bool:
    return path.is_file() and path.resolve().is_relative_to(root.resolve())


def _check_bounds(n_files: int, n_bytes: int) -> None:
    if n_files > MOST_MEMBERS or n_bytes > MOST_BYTES:
        size = f"{n_files:,} files with {n_bytes / 2**20:,.0f} MB"
        raise ReadError(f"The folder holds {size}, more than the limit of {MOST_BYTES / 2**20:,.0f} MB. Choose a folder in it.")
