"""JSON text: one document, with the place of an error, and with names that repeat made known."""

from __future__ import annotations

import json
from typing import Any

from affrag_core.errors import ReadError

DEPTH = 50
"""Deepest nesting that a row may have."""


def parse_json(text: str) -> tuple[Any, list[str]]:
    """The value, and the names that stand twice in one of its objects (the last value counts).

    Raises
    ------
    ReadError
        With line and column, saying so where the text breaks off.
    """
    repeated: list[str] = []

    def object_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        row = dict(pairs)
        if len(row) != len(pairs):
            names = [name for name, _ in pairs]
            repeated.extend(name for name in row if names.count(name) > 1)
        return row

    try:
        return json.loads(text, object_pairs_hook=object_of), list(dict.fromkeys(repeated))
    except json.JSONDecodeError as error:
        raise ReadError(_sentence(text, error)) from None
    except RecursionError:
        raise ReadError("The JSON is nested too deeply to be read.") from None
    except ValueError as error:  # a number of thousands of digits
        raise ReadError(f"The JSON holds a number that cannot be read: {error}.") from None


def _sentence(text: str, error: json.JSONDecodeError) -> str:
    place = f"line {error.lineno}, column {error.colno}"
    left_open = error.msg.startswith("Unterminated string") and '"' not in text[error.pos + 1 :]
    if error.pos >= len(text.rstrip()) or left_open:
        return f"The JSON breaks off at {place}: the file was probably cut. Save or download it again."
    return f"This is not JSON at {place}: {error.msg.lower()}. Mend it there."


def may_hold_half_letters(text: str) -> bool:
    """Whether the text spells surrogates (``\\ud83d``), of which one may stand alone."""
    return "\\ud" in text or "\\uD" in text


def is_too_deep(value: Any, depth: int = DEPTH) -> bool:
    """Whether lists and objects are nested deeper than `depth`."""
    if isinstance(value, dict):
        return depth == 0 or any(is_too_deep(part, depth - 1) for part in value.values())
    return isinstance(value, list) and (depth == 0 or any(is_too_deep(part, depth - 1) for part in value))
