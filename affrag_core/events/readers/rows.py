"""What every reader hands on: rows by column name, not yet checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from affrag_core.errors import EventError
from affrag_core.events.report import Fault, Part

SHOWN = 60
"""Longest value shown in a message."""


@dataclass(frozen=True, slots=True)
class RawRow:
    """One row of a file: its number, its values (None where missing), and the row as it was."""

    number: int
    values: Mapping[str, Any]
    raw: Mapping[str, Any]


@dataclass(slots=True)
class RawFile:
    """Rows of events and of edges, and what was already found out about them.

    Parameters
    ----------
    form : str
        What the file is, in words.
    events, edges : list of RawRow
    faults : list of Fault
        Rows that are not rows at all.
    notes : list of str
    words_for_missing : bool
        Whether cells such as ``NaN`` or ``null`` mean that there is nothing.
    decimal_commas : bool
        Whether ``0,5`` may be a number.
    half_letters : bool
        Whether texts may hold lone surrogates.
    """

    form: str
    events: list[RawRow] = field(default_factory=list)
    edges: list[RawRow] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    words_for_missing: bool = False
    decimal_commas: bool = False
    half_letters: bool = False


class Reader(Protocol):
    """One file format."""

    def recognises(self, text: str, extension: str) -> bool:
        """Whether the content is of this format; the extension (``csv``) only decides where the content leaves it open."""

    def read(self, text: str, part: Part) -> RawFile:
        """The rows; those that could be either are taken for `part`. Raises ReadError where the file as a whole cannot be read."""


class BytesReader(Protocol):
    """One file format that is no plain text."""

    def recognises(self, content: bytes, name: str) -> bool:
        """Whether the content is of this format; the file's name only decides where the content leaves it open."""

    def read(self, content: bytes, part: Part) -> RawFile:
        """The rows, as `Reader.read` gives them."""


def shown(value: object) -> str:
    """A value as words, cut to `SHOWN` letters."""
    try:
        text = value if isinstance(value, str) else repr(value)
    except (RecursionError, ValueError):
        text = "(too deeply nested to be shown)"
    text = text.encode("utf-8", errors="backslashreplace").decode()
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."


def refused(message: str, name: str) -> EventError:
    """An error about one field of a row; who catches it adds the row."""
    return EventError(message, field=name)
