"""One reading of time for the whole project: aware UTC datetimes, and seconds since 1970 inside arrays."""

from __future__ import annotations

import math
import re
from datetime import UTC, date, datetime, timedelta

from affrag_core.errors import EventError, shortened

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECONDS_FROM = 1e11
"""Numbers at least this large (the year 5138 in seconds) are milliseconds."""
_NUMBER = re.compile(r"[+-]?\d+(\.\d*)?([eE][+-]?\d+)?")


def as_utc(value: object, *, field: str = "timestamp", event_id: str | None = None) -> datetime:
    """Read a time as an aware UTC datetime.

    Parameters
    ----------
    value : datetime, date, str, int or float
        ISO 8601 text (``Z``, offsets, any number of fractional digits, which are cut to microseconds), a date alone (midnight UTC),
        seconds since 1970, or milliseconds from `MILLISECONDS_FROM` on. Without an offset it means UTC.
    field, event_id : str
        Named in the error.

    Returns
    -------
    datetime
        With ``tzinfo`` UTC.

    Raises
    ------
    EventError
        If the value cannot be read, or lies outside the years 1 to 9999.
    """
    try:
        return _read(value)
    except (ValueError, OverflowError, TypeError, OSError):
        message = f"{field} must be a date or time such as 2024-01-31T18:00:00Z, got {shortened(value)}"
        raise EventError(message, field=field, event_id=event_id) from None


def _read(value: object) -> datetime:
    if isinstance(value, str):
        text = value.strip()
        # Four digits are a year, eight a date without hyphens; both are refused as numbers so that 2024 is not 33 minutes past 1970.
        if _NUMBER.fullmatch(text) and len(text.lstrip("+-").split(".")[0]) >= 9:
            return _read(float(text))
        return _aware(datetime.fromisoformat(text.replace("z", "Z")))
    if isinstance(value, datetime):
        return _aware(value)
    if isinstance(value, date):
        return datetime(value.year, value.month, value.day, tzinfo=UTC)
    if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value):
        seconds = value / 1000 if abs(value) >= MILLISECONDS_FROM else value
        return EPOCH + timedelta(seconds=seconds)
    raise TypeError


def _aware(value: datetime) -> datetime:
    return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def seconds_since_epoch(value: datetime | None) -> float:
    """Seconds from 1970 to an aware time, float64; NaN for None."""
    return math.nan if value is None else (value - EPOCH) / timedelta(seconds=1)


def iso_text(value: datetime | None) -> str | None:
    """ISO 8601 text in UTC ending in ``Z``; None for None."""
    return None if value is None else value.astimezone(UTC).isoformat().replace("+00:00", "Z")
