"""ZIP archives, opened with care: nothing is written to disk, and nothing grows beyond a bound."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

from affrag_core.errors import ReadError
from affrag_core.events.readers.decoding import decode

MOST_BYTES = 200 * 2**20
"""Largest archive once unpacked, in bytes, over the members that are read."""
MOST_MEMBERS = 100_000
MOST_TIMES = 200
"""An archive that unpacks to more times its size is taken for a trap."""
_SMALL = 2**20


def checked_archive(content: bytes, wanted: Callable[[str], bool] = lambda _: True) -> zipfile.ZipFile:
    """An archive whose directory is sound.

    Parameters
    ----------
    content : bytes
    wanted : callable
        Which members are going to be read.

    Raises
    ------
    ReadError
        If it is damaged, encrypted, or would unpack to more than `MOST_BYTES` or `MOST_TIMES` its size.
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
    except (zipfile.BadZipFile, ValueError, OSError):
        raise ReadError("The archive is cut or damaged. Make or download it again.") from None
    members = [member for member in archive.infolist() if wanted(member.filename)]
    size = sum(member.file_size for member in members)
    if len(archive.infolist()) > MOST_MEMBERS or size > MOST_BYTES or size > max(_SMALL, MOST_TIMES * len(content)):
        raise ReadError(f"The archive would unpack to {size / 2**20:,.0f} MB, which is too much. Unpack it and upload a part.")
    if any(member.flag_bits & 1 for member in members):
        raise ReadError("The archive is protected by a password. Unpack it and pack it again without one.")
    return archive


def texts_in(content: bytes, wanted: Callable[[str], bool]) -> dict[str, str]:
    """The texts of some members by name; names are only names, no file is made of them."""
    found: dict[str, str] = {}
    left = MOST_BYTES
    with checked_archive(content, wanted) as archive:
        for member in archive.infolist():
            if member.is_dir() or not wanted(member.filename) or member.filename.startswith("__MACOSX/"):
                continue
            found[member.filename] = decode(_unpacked(archive, member, left))[0]
            left -= member.file_size
    return found


def _unpacked(archive: zipfile.ZipFile, member: zipfile.ZipInfo, most: int) -> bytes:
    """A member's bytes; the directory may lie about its size, so no more than `most` are unpacked."""
    try:
        with archive.open(member) as stream:
            data = stream.read(most + 1)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError):
        raise ReadError(f"{member.filename[:60]} in the archive is damaged. Make or download it again.") from None
    if len(data) > most:
        raise ReadError("The archive unpacks to more than it says, which is too much. Unpack it and upload a part.")
    return data
