"""Every error the core raises on purpose.

::

    AffragError
    ├── EventError (ValueError)          an event or edge breaks a rule of its own
    ├── ConfigError (ValueError)         a setting is out of range or unknown
    │   └── PathLimitError               settings that lead to more paths than are allowed
    ├── ReadError (ValueError)           a file cannot be read as what it claims to be
    ├── UnknownEventError (KeyError)     an id that is not there
    ├── DuplicateError (ValueError)      an id or link that is there already
    ├── EncoderError (RuntimeError)      a model that cannot be loaded or does not fit
    ├── WorkspaceError (RuntimeError)    storage that cannot be opened or written
    │   └── StaleError                   someone else changed it since it was last seen
    └── CancelledError (RuntimeError)    a long action was stopped on request
"""

from __future__ import annotations


class AffragError(Exception):
    """Base of all errors raised here on purpose; its text may be shown to a person."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class EventError(AffragError, ValueError):
    """An event or edge breaks a rule; says field, rule, value and event.

    Parameters
    ----------
    message : str
        Field, rule and value: ``valence must be in [-1, 1], got 1.7``.
    field : str
        The field at fault.
    event_id : str, optional
        The event at fault, added to the message in brackets.
    """

    def __init__(self, message: str, *, field: str, event_id: str | None = None) -> None:
        super().__init__(message if event_id is None else f"{message} (event {event_id})")
        self.message = message
        self.field = field
        self.event_id = event_id


class ConfigError(AffragError, ValueError):
    """A setting is out of range or unknown."""


class PathLimitError(ConfigError):
    """A traversal came to more paths than are allowed; nothing of it is kept, as part of the paths would be ranked wrongly.

    Parameters
    ----------
    most : int
        How many are allowed.
    branching_factor, max_depth, n_seeds : int
        What they come from.
    """

    def __init__(self, most: int, *, branching_factor: int, max_depth: int, n_seeds: int) -> None:
        counts = f"{branching_factor} branches a hop, {max_depth} hops and {n_seeds} seeds"
        super().__init__(f"there are more than {most:,} paths with {counts}: lower one of them, or raise the minimum link score")
        self.most = most


class ReadError(AffragError, ValueError):
    """A file cannot be read as what it claims to be."""


class UnknownEventError(AffragError, KeyError):
    """An id that is not there."""


class DuplicateError(AffragError, ValueError):
    """An id or link that is there already."""


class EncoderError(AffragError, RuntimeError):
    """A model that cannot be loaded, or whose vectors do not fit."""


class WorkspaceError(AffragError, RuntimeError):
    """Storage that cannot be opened or written."""


class StaleError(WorkspaceError):
    """Someone else changed an event or link since it was last seen; nothing was written.

    Parameters
    ----------
    message : str
        What changed.
    stored : Event, optional
        What the workspace holds now; None where it was deleted.
    given : Event, optional
        What was to be written.
    """

    def __init__(self, message: str, *, stored: object = None, given: object = None) -> None:
        super().__init__(message)
        self.stored = stored
        self.given = given


class CancelledError(AffragError, RuntimeError):
    """A long action was stopped on request."""


def shortened(value: object, most: int = 60) -> str:
    """`repr` of a value for a message, cut to `most` characters; says so where it is nested too deeply to be shown."""
    try:
        text = repr(value)
    except (RecursionError, ValueError):
        return f"(a {type(value).__name__} too deep or too large to be shown)"
    return text if len(text) <= most else text[: most - 3] + "..."
