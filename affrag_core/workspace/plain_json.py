"""Plain JSON and storable text at the door: what goes in is exactly what comes back out."""

from __future__ import annotations

import json
import math
from typing import Any

from affrag_core.errors import ConfigError, EventError, shortened

MAX_DEPTH = 100
"""Lists and objects nested deeper than this are refused, long before any reader of JSON gives up."""
MAX_NAME = 500
"""Characters of a name or key; PostgreSQL keeps them in an index, which takes no more than some 2,700 bytes."""
_MAX_BITS = 13_000  # Python refuses to read whole numbers of more than 4,300 digits back from text.


def json_text(value: object, *, field: str, event_id: str | None = None) -> str:
    """JSON text of a value that JSON can hold without changing it.

    Parameters
    ----------
    value : dict, list, str, int, float, bool or None
        Keys are texts, floats finite. Tuples, numpy numbers, dates and the like are refused, as they would come back as something else.
    field, event_id : str
        Named in the error.

    Returns
    -------
    str
        ASCII only.

    Raises
    ------
    EventError
        Naming the event, and the place within the field that is not plain JSON.
    """
    fault = _fault(value, field, 0)
    if fault is not None:
        place, wrong = fault
        message = f"{place} must be plain JSON (text, finite number, true, false, null, list or object of these), got {shortened(wrong)}"
        raise EventError(message, field=field, event_id=event_id)
    return json.dumps(value, allow_nan=False, separators=(",", ":"))


def _fault(value: object, place: str, depth: int) -> tuple[str, object] | None:
    if value is None or isinstance(value, (str, bool)):
        return None
    if isinstance(value, float):
        return None if math.isfinite(value) else (place, value)
    if isinstance(value, int):
        return None if value.bit_length() <= _MAX_BITS else (place, f"a number of {value.bit_length()} bits")
    if depth == MAX_DEPTH:
        return place, f"something nested more than {MAX_DEPTH} deep"
    parts: list[tuple[str, Any]]
    if isinstance(value, dict):
        for key in value:
            if not isinstance(key, str):
                return f"a key of {place}", key
        parts = [(f"{place}.{key}", part) for key, part in value.items()]
    elif isinstance(value, list):
        parts = [(f"{place}[{i}]", part) for i, part in enumerate(value)]
    else:
        return place, value
    return next((fault for name, part in parts if (fault := _fault(part, name, depth + 1))), None)


def storable_text(value: str, *, field: str, event_id: str | None = None) -> str:
    """The text itself, unless a database cannot keep it: NUL characters (PostgreSQL) and lone surrogates (any)."""
    position = value.find("\0")
    fault = "the character NUL"
    if position < 0:
        try:
            value.encode()
        except UnicodeEncodeError as error:
            position, fault = error.start, f"half a character, {value[error.start]!r},"
    if position >= 0:
        raise EventError(f"{field} must be text that can be stored, got {fault} at position {position}", field=field, event_id=event_id)
    return value


def storable_name(name: str, *, field: str = "name") -> str:
    """The name itself, unless it is blank, too long for an index, or not storable.

    Raises
    ------
    ConfigError
        Saying which.
    """
    if not name.strip():
        raise ConfigError(f"{field} must not be blank, got {name!r}")
    if len(name) > MAX_NAME:
        raise ConfigError(f"{field} must have at most {MAX_NAME} characters, got {len(name):,}")
    try:
        return storable_text(name, field=field)
    except EventError as error:
        raise ConfigError(error.message) from None
