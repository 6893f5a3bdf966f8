"""The kinds of events and the states of their validity."""

from __future__ import annotations

from enum import Enum


class DocumentKind(Enum):
    """How the truth of an event changes: never, by newer versions, or within a window.

    References
    ----------
    seeds/temporal_rag.py, section 1.
    """

    STATIC = "STATIC"
    VERSIONED = "VERSIONED"
    EVENT = "EVENT"


class ValidityState(Enum):
    """What an event's window says at the query time.

    ``VALID``: no window, or inside the window of a kind other than EVENT; ``TEMPORAL``: an EVENT inside its window;
    ``EXPIRED``: outside its window, past or not begun.

    References
    ----------
    seeds/temporal_rag.py, section 1.
    """

    VALID = "VALID"
    TEMPORAL = "TEMPORAL"
    EXPIRED = "EXPIRED"
