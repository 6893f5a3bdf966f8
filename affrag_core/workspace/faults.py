"""What databases say when something goes wrong, and what a person is told."""

from __future__ import annotations

from affrag_core.errors import WorkspaceError
from affrag_core.workspace.schema import SCHEMA_VERSION


class DamagedError(WorkspaceError):
    """Something is there and cannot be read as it was written."""


class UnwritableError(WorkspaceError):
    """It can be read and not written."""


IN_USE = "is being written by another program; wait a moment and try again"
READ_ONLY_FILE = "cannot be written: the file or its folder is read-only"
READ_ONLY_SERVER = "cannot be written: the database server accepts only reading, or this user may not write"
GONE = "was deleted elsewhere, or is damaged; open another, or bring back a backup"
TWICE = "would hold one event or link twice; nothing was written"
FULL = "cannot grow: the disk is full; free some space and try again"
UNREACHED = "cannot be reached: check that the database server runs and that the address is right"
LOST = "lost its connection to the database server; try again"

_STATES: dict[str, tuple[type[WorkspaceError], str]] = {
    "28P01": (WorkspaceError, "was refused by the database server: check the user's name and password"),
    "28000": (WorkspaceError, "was refused by the database server: check the user's name and password"),
    "3D000": (WorkspaceError, "is not there: the server has no database of this name; make it first, or choose another"),
    "3F000": (WorkspaceError, "is not there: its schema is missing; make it first, or choose another"),
    "42501": (UnwritableError, READ_ONLY_SERVER),
    "25006": (UnwritableError, READ_ONLY_SERVER),
    "42P01": (WorkspaceError, GONE),
    "55P03": (WorkspaceError, IN_USE),
    "40P01": (WorkspaceError, IN_USE),
    "40001": (WorkspaceError, IN_USE),
    "23505": (WorkspaceError, TWICE),
    "53100": (WorkspaceError, FULL),
    "57P01": (WorkspaceError, LOST),
    "57P03": (WorkspaceError, UNREACHED),
    "53300": (WorkspaceError, "cannot be reached: the database server has too many connections; try again later"),
    "XX001": (DamagedError, "is damaged; put a backup in its place, or start a new workspace"),
    "XX002": (DamagedError, "is damaged; put a backup in its place, or start a new workspace"),
}
"""PostgreSQL's codes, which do not depend on the server's language."""

_SIGNS: tuple[tuple[str, type[WorkspaceError], str], ...] = (
    ("locked", WorkspaceError, IN_USE),
    ("readonly", UnwritableError, READ_ONLY_FILE),
    ("not a database", DamagedError, "is not a workspace file, or is damaged; choose another file, or put a backup in its place"),
    ("malformed", DamagedError, "is damaged; put a backup in its place, or start a new workspace"),
    ("could not decode", DamagedError, "is damaged; put a backup in its place, or start a new workspace"),
    ("disk i/o error", DamagedError, "is damaged, or its disk fails; put a backup in its place"),
    ("unable to open", WorkspaceError, "cannot be opened: check that its folder exists and that you may write there"),
    ("no such table", WorkspaceError, GONE),
    ("is full", WorkspaceError, FULL),
    ("unique constraint failed", WorkspaceError, TWICE),
    ("password authentication failed", *_STATES["28P01"]),
    ("no password supplied", *_STATES["28P01"]),
    ("does not exist", WorkspaceError, "is not there: the database server has no such database or user; check the address"),
    ("invalid connection option", WorkspaceError, "cannot be used: its address has an option that the database does not know"),
    ("connection refused", WorkspaceError, UNREACHED),
    ("resolve host", WorkspaceError, UNREACHED),
    ("timeout expired", WorkspaceError, UNREACHED),
    ("timed out", WorkspaceError, UNREACHED),
    ("closed the connection", WorkspaceError, LOST),
    ("connection is lost", WorkspaceError, LOST),
)
"""What SQLite and the drivers say."""


def newer_sentence(target: str, version: int) -> str:
    """Why a workspace of a later schema can only be read."""
    versions = f"its schema is {version}, this version knows up to {SCHEMA_VERSION}"
    return f"the workspace {target} was made by a newer version of this app ({versions}); update the app to change it"


def workspace_error(target: str, error: Exception) -> WorkspaceError:
    """What a database raised, as a sentence about the workspace.

    Parameters
    ----------
    target : str
        The workspace, without its password.
    error : Exception
        From SQLAlchemy or a driver.
    """
    cause = getattr(error, "orig", None) or error
    said = str(cause).strip()
    found = _STATES.get(getattr(cause, "sqlstate", None) or "")
    if found is None:
        signs = ((kind, sentence) for sign, kind, sentence in _SIGNS if sign in said.lower())
        found = next(signs, (WorkspaceError, f"could not be read or written: {said.splitlines()[0] if said else type(cause).__name__}"))
    kind, sentence = found
    return kind(f"the workspace {target} {sentence}")
