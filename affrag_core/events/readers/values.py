"""Single values of a row, brought to what an event takes. Each raises EventError naming the field and the value."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from affrag_core.events.readers.json_text import DEPTH, is_too_deep
from affrag_core.events.readers.rows import refused, shown
from affrag_core.events.vectors import FloatArray

_WORDS_FOR_MISSING = frozenset(("nan", "null", "none", "na", "n/a", "nat", "<na>"))
_DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+")


def is_missing(value: Any, name: str, *, words: bool) -> bool:
    """Whether there is nothing: None, NaN, an empty text; with `words` also ``null`` and the like.

    A text or an id may well be ``None`` or ``NA``; of such words only ``NaN`` counts as missing there.
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return True
    if not isinstance(value, str):
        return False
    word = value.strip()
    if not word:
        return name not in ("text", "doc_type") or words
    if not words:
        return False
    return word in ("NaN", "nan") or (name not in ("text", "id", "supersedes_id") and word.casefold() in _WORDS_FOR_MISSING)


def as_id(value: Any, name: str) -> str:
    """An id as text: 7 becomes ``"7"``, and so does 7.0."""
    if isinstance(value, str):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return str(int(value)) if value.is_integer() else repr(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise refused(f"{name} must be text or a number, got {shown(value)}", name)


def as_word(value: Any, name: str) -> Any:
    """Numbers as text; everything else as it is, for the event to judge."""
    return as_id(value, name) if isinstance(value, (int, float)) and not isinstance(value, bool) else value


def as_time(value: Any) -> Any:
    """A time for `times.as_utc`: numbers as text, so that a year or a date without hyphens is never taken for seconds."""
    return repr(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else value


def as_number(value: Any, name: str, *, decimal_commas: bool) -> float:
    """A finite number, also from text; ``0,5`` where the file's columns are apart by semicolons."""
    text = value.strip() if isinstance(value, str) else value
    if decimal_commas and isinstance(text, str) and _DECIMAL_COMMA.fullmatch(text):
        text = text.replace(",", ".")
    try:
        number = math.nan if isinstance(text, bool) else float(text)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise refused(f"{name} must be a number, got {shown(value)}", name)
    return number


def as_array(value: Any, name: str, *, is_single: bool) -> FloatArray | None:
    """A vector from a list or from text that is a JSON list; None if it is empty."""
    given = _from_json(value, name, "a JSON list of numbers such as [0.1, 0.2]") if isinstance(value, str) else value
    if not isinstance(given, list):
        raise refused(f"{name} must be a list of numbers, got {shown(value)}", name)
    if any(isinstance(part, (str, bool)) for part in given):
        raise refused(f"{name} must be a list of numbers, got {shown(value)}", name)
    try:
        with np.errstate(over="ignore"):
            array: FloatArray = np.array(given, dtype=np.float32 if is_single else np.float64)
    except (TypeError, ValueError, OverflowError):
        raise refused(f"{name} must be a list of numbers, got {shown(value)}", name) from None
    return array if array.size else None


def as_mapping(value: Any, name: str) -> dict[str, Any]:
    """An object, also from JSON text, not nested too deeply to be stored."""
    given = _from_json(value, name, 'a JSON object such as {"place": "home"}') if isinstance(value, str) else value
    if not isinstance(given, Mapping):
        raise refused(f"{name} must be an object, got {shown(value)}", name)
    check_depth({name: given})
    return dict(given)


def check_depth(values: Mapping[str, Any]) -> None:
    """Refuse values nested too deeply to be shown or stored."""
    for name, value in values.items():
        if isinstance(value, (list, dict)) and is_too_deep(value):
            raise refused(f"{shown(name)} must not be nested deeper than {DEPTH} levels", shown(name))


def check_letters(values: Mapping[str, Any]) -> None:
    """Refuse half letters (lone surrogates), which JSON can spell and no file or database can hold."""
    for name, value in values.items():
        try:
            json.dumps([name, value], ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise refused(f"{shown(name)} must be readable text, got {shown(value)}, which holds half a letter", shown(name)) from None


def _from_json(value: str, name: str, wanted: str) -> Any:
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        raise refused(f"{name} must be {wanted}, got {shown(value)}", name) from None
