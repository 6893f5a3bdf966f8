"""iCalendar files."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from affrag_core.errors import ReadError
from affrag_core.events.readers.rows import RawFile, RawRow, shown
from affrag_core.events.report import Fault, Part
from affrag_core.events.times import as_utc, iso_text


class CalendarReader:
    """One event an entry (VEVENT); a repeated one counts once, with a note. Read with the `icalendar` package."""

    def recognises(self, text: str, extension: str) -> bool:  # noqa: ARG002 - the content alone tells
        """Whether it begins as a calendar does."""
        return text.lstrip()[:15].upper() == "BEGIN:VCALENDAR"

    def read(self, text: str, part: Part) -> RawFile:
        """One row an entry; see `Reader.read`."""
        if part == "edge":
            raise ReadError("This is a calendar. Read it as events.")
        from icalendar import Calendar

        try:
            calendars = Calendar.from_ical(text, multiple=True)
        except (ValueError, IndexError, KeyError) as error:
            raise ReadError(f"The calendar cannot be read: {shown(str(error))}. Export it again.") from None
        file = RawFile("iCalendar")
        entries = [entry for calendar in calendars for entry in calendar.walk("VEVENT")]
        if not entries:
            raise ReadError("The calendar holds no entry that can be read. Export it again, with at least one event.")
        for number, entry in enumerate(entries, start=1):
            _add(file, number, entry)
        n_repeated = sum("RRULE" in entry for entry in entries)
        if n_repeated:
            file.notes.append(f"{n_repeated:,} entries repeat; each was taken once, at its first time.")
        return file


def _add(file: RawFile, number: int, entry: Any) -> None:
    title, more = _text(entry, "SUMMARY"), _text(entry, "DESCRIPTION")
    text = "\n".join(part for part in (title, more) if part)
    uid = _text(entry, "UID") or f"entry-{number}"
    if "RECURRENCE-ID" in entry:
        uid = f"{uid} {_time(entry, 'RECURRENCE-ID')}"
    raw = {name: str(value)[:200] for name, value in entry.items()}
    if not text:
        advice = "Give the entry a title, or leave it out."
        file.faults.append(Fault(number, uid, "text", "", "the entry has neither title nor description", advice, raw))
        return
    metadata = {"location": _text(entry, "LOCATION"), "ends": _time(entry, "DTEND"), "status": _text(entry, "STATUS")}
    categories = entry.get("CATEGORIES")
    found = [str(cat) for cat in getattr(categories, "cats", [])] if not isinstance(categories, list) else []
    row = {
        "id": uid,
        "text": text,
        "timestamp": _time(entry, "DTSTART"),
        "doc_type": found[0] if found else "calendar",
        "metadata": {name: value for name, value in (metadata | {"categories": found}).items() if value},
    }
    file.events.append(RawRow(number, row, raw))


def _text(entry: Any, name: str) -> str | None:
    value = entry.get(name)
    return str(value).strip() or None if value is not None else None


def _time(entry: Any, name: str) -> str | None:
    value = getattr(entry.get(name), "dt", None)
    if not isinstance(value, (date, datetime)):
        return None
    if isinstance(value, datetime) and value.tzinfo is None:
        return value.isoformat()  # a floating time: the person says which zone it is in
    return iso_text(as_utc(value))
