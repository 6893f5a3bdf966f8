"""Reads a whole workspace from one file, part by part, trusting nothing in it."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from pydantic import ValidationError

from affrag_core.errors import ReadError, shortened
from affrag_core.events.vectors import FloatArray
from affrag_core.workspace import archive_format as form

_STREAMS = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, RuntimeError, ValueError)
"""What the standard library raises for streams that are not what they say."""
_CUT = "is not an exported workspace, or is damaged: export it again, or choose another file"


class Archive:
    """An exported workspace whose table of contents was checked; `opened_archive` makes one.

    Parameters
    ----------
    manifest : Manifest
        What the file says of itself.
    """

    def __init__(self, source: zipfile.ZipFile, manifest: form.Manifest) -> None:
        self._source, self.manifest = source, manifest
        self._parts = {part.name: part for part in manifest.parts}

    def names(self, start: str) -> list[str]:
        """The parts whose names begin so, in order."""
        return [name for name in self._parts if name.startswith(start)]

    def content(self, name: str) -> bytes:
        """A part, held against its checksum.

        Raises
        ------
        ReadError
            If it is missing, or not what was exported.
        """
        part = self._parts.get(name)
        if part is None:
            raise ReadError(f"the file is damaged: {name} is missing; export the workspace again")
        content = _read(self._source, name, part.bytes)
        if len(content) != part.bytes or hashlib.sha256(content).hexdigest() != part.sha256:
            raise ReadError(f"the file is damaged: {name} is not what was exported; export the workspace again")
        return content

    def json(self, name: str) -> dict[str, Any]:
        """A part that is one JSON object."""
        return _object(self.content(name), name)

    def rows(self, name: str) -> Iterator[dict[str, Any]]:
        """The JSON objects of a part, one a line; an error names the line."""
        for number, line in enumerate(io.BytesIO(self.content(name)), 1):
            yield _object(line, f"{name}, line {number:,}")

    def vectors(self, name: str) -> FloatArray:
        """The vectors of a part, as rows.

        Raises
        ------
        ReadError
            If it is not an array of the precision and length that its name says, or is pickled.
        """
        content = io.BytesIO(self.content(name))
        size, length = form.VECTOR_KIND.search(name).groups()  # type: ignore[union-attr]
        try:
            version = np.lib.format.read_magic(content)
            if version != (1, 0):
                raise ValueError(version)
            shape, in_columns, dtype = np.lib.format.read_array_header_1_0(content)
        except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError) as error:
            raise ReadError(f"{name} is not an array of numbers") from error
        if dtype.hasobject:
            raise ReadError(f"{name} holds a pickled array, which could run a program; it was not opened")
        if in_columns or dtype != np.dtype(f"<{size}") or len(shape) != 2 or shape[1] != int(length):
            raise ReadError(f"{name} must hold rows of {length} numbers of type {size}, got {dtype} and shape {shape}")
        rest = content.read()
        if len(rest) != shape[0] * shape[1] * dtype.itemsize:
            raise ReadError(f"{name} must hold {shape[0]:,} rows, got {len(rest):,} bytes")
        return np.frombuffer(rest, dtype=dtype).reshape(shape)


@contextmanager
def opened_archive(file: str | Path | BinaryIO, *, most_bytes: int = form.MOST_BYTES) -> Iterator[Archive]:
    """An exported workspace, its table of contents checked before anything is unpacked.

    Parameters
    ----------
    file : path or seekable binary file
    most_bytes : int
        Files that unpack to more are refused.

    Raises
    ------
    ReadError
        If it is no exported workspace, is damaged, too large, or holds what does not belong there.
    """
    try:
        source = zipfile.ZipFile(file)
    except FileNotFoundError:
        raise ReadError(f"there is no file {file}") from None
    except _STREAMS as error:
        raise ReadError(f"the file {_CUT}") from error
    with source:
        yield Archive(source, _checked(source, _size(source), most_bytes))


def _size(source: zipfile.ZipFile) -> int:
    handle = source.fp
    return 0 if handle is None else handle.seek(0, io.SEEK_END)


def _checked(source: zipfile.ZipFile, size: int, most_bytes: int) -> form.Manifest:
    infos = {info.filename: info for info in source.infolist()}
    if form.MANIFEST not in infos:
        raise ReadError(f"the file {_CUT}")
    if len(infos) != len(source.infolist()):
        raise ReadError("the file holds a part twice, which no export does; it was not opened")
    for name, info in infos.items():
        if name != form.MANIFEST and not form.PART.fullmatch(name):
            raise ReadError(f"the file holds {shortened(name)}, which is no part of a workspace; it was not opened")
        _check_part(info)
    unpacked = sum(info.file_size for info in infos.values())
    if unpacked > most_bytes:
        raise ReadError(f"the file would unpack to {unpacked:,} bytes, more than the {most_bytes:,} allowed")
    if sum(info.compress_size for info in infos.values()) > size:
        raise ReadError("the file's parts overlap, which no export does; it was not opened")
    manifest = _manifest(_read(source, form.MANIFEST, form.MOST_BYTES_MANIFEST))
    said = {part.name: part.bytes for part in manifest.parts}
    found = {name: info.file_size for name, info in infos.items() if name != form.MANIFEST}
    if said != found or len(said) != len(manifest.parts):
        name = next(iter(sorted(said.items() ^ found.items())))[0] if said != found else form.MANIFEST
        raise ReadError(f"the file is damaged: {name} is missing or not as the manifest says; export the workspace again")
    return manifest


def _check_part(info: zipfile.ZipInfo) -> None:
    if info.flag_bits & 0x1:
        raise ReadError("the file is protected by a password; export it without one")
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ReadError(f"{info.filename} is compressed in a way that no export uses; it was not opened")
    most = form.MOST_BYTES_MANIFEST if info.filename == form.MANIFEST else form.MOST_BYTES_A_PART
    if info.file_size > most or info.file_size > form.MOST_EXPANSION * info.compress_size + 1_000:
        raise ReadError(f"{info.filename} would unpack to {info.file_size:,} bytes, far more than it takes up; it was not opened")


def _read(source: zipfile.ZipFile, name: str, most: int) -> bytes:
    try:
        with source.open(name) as stream:
            content = stream.read(most + 1)
    except (*_STREAMS, KeyError) as error:
        raise ReadError(f"the file is damaged: {name} cannot be unpacked; export the workspace again") from error
    if len(content) > most:
        raise ReadError(f"{name} unpacks to more than it says; it was not opened")
    return content


def _manifest(content: bytes) -> form.Manifest:
    given = _object(content, form.MANIFEST)
    if given.get("format") != form.FORMAT:
        raise ReadError(f"the file {_CUT}")
    version = given.get("format_version")
    if isinstance(version, int) and version > form.FORMAT_VERSION:
        raise ReadError(f"the file was exported by a newer version of this app (its format is {version}); update the app to import it")
    try:
        return form.Manifest.model_validate(given)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise ReadError(f"{form.MANIFEST}: {place}: {first['msg'].lower()}; export the workspace again") from None


def _object(text: bytes, place: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ReadError(f"{place}: this is not JSON; export the workspace again") from error
    if not isinstance(found, dict):
        raise ReadError(f"{place}: an object was expected, got {shortened(found)}")
    return found
