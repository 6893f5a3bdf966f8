"""Times without an offset: read in the zone that a person names."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from affrag_core.errors import ReadError


def named_zone(name: str | None) -> ZoneInfo | None:
    """A time zone by its name; None for None.

    Raises
    ------
    ReadError
        If there is no such zone.
    """
    if name is None:
        return None
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ReadError(f"There is no time zone {name!r}. Name one such as UTC, Europe/Berlin or America/New_York.") from None


def in_zone(value: Any, zone: ZoneInfo | None) -> Any:
    """A time with the zone's offset where it has none; what is no ISO text is left for `times.as_utc` to judge.

    A time that clocks showed twice is taken as the first of the two.
    """
    if zone is None or not isinstance(value, (str, datetime)):
        return value
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value.strip().replace("z", "Z"))
        except ValueError:
            return value
    return value.replace(tzinfo=zone) if value.tzinfo is None else value
