"""Calendars, Markdown notes and mail, in the shapes in which they come."""

import io
import zipfile

import pytest

from affrag_core.errors import ReadError
from affrag_core.events.event import Emotion
from affrag_core.events.readers import read_events
from affrag_core.events.times import iso_text

CALENDAR = """BEGIN:VCALENDAR\r
VERSION:2.0\r
PRODID:-//Example//EN\r
BEGIN:VEVENT\r
UID:1@example.org\r
DTSTART;TZID=Europe/Berlin:20240105T180000\r
DTEND;TZID=Europe/Berlin:20240105T190000\r
SUMMARY:Dinner with Ada\\, at last\r
DESCRIPTION:Bring the book that she lent me a\r
  year ago\r
LOCATION:Home\r
CATEGORIES:FRIENDS,FOOD\r
END:VEVENT\r
BEGIN:VEVENT\r
UID:2@example.org\r
DTSTART;VALUE=DATE:20240110\r
SUMMARY:Rent\r
RRULE:FREQ=MONTHLY\r
END:VEVENT\r
BEGIN:VEVENT\r
UID:3@example.org\r
DTSTART:20240111T120000Z\r
END:VEVENT\r
END:VCALENDAR\r
"""


def test_a_calendar_gives_titles_times_in_their_zone_and_notes_repeats():
    reading = read_events("home.ics", CALENDAR.encode())
    dinner, rent = reading.events
    assert dinner.text == "Dinner with Ada, at last\nBring the book that she lent me a year ago"
    assert (iso_text(dinner.timestamp), dinner.doc_type) == ("2024-01-05T17:00:00Z", "FRIENDS")
    assert dinner.metadata["location"] == "Home"
    assert iso_text(rent.timestamp) == "2024-01-10T00:00:00Z"
    assert any("1 entries repeat" in note for note in reading.notes)
    assert [(fault.event_id, fault.field) for fault in reading.faults] == [("3@example.org", "text")]
    assert reading.is_complete


def test_a_broken_calendar_is_refused_in_a_sentence():
    with pytest.raises(ReadError, match="calendar"):
        read_events("home.ics", b"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART:whenever\r\nnot a line\r\n")


NOTE = """---
date: 2024-03-01 18:30:00
tags: [garden, spring]
mood: happy
weather:
  sky: clear
---
Planted [[Tomatoes]] with [[2024-02-28|yesterday's]] seeds. ![[picture.png]]
"""


def packed(members: dict[str, str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return out.getvalue()


def test_a_folder_of_notes_reads_front_matter_daily_names_and_links():
    daily = {"daily/2024-02-28.md": "Bought seeds.", "daily/First.md": NOTE}
    reading = read_events("vault.zip", packed(daily | {"Tomatoes.md": "They like sun. See [[Nowhere]].", "empty.md": ""}))
    notes = {event.id: event for event in reading.events}
    assert iso_text(notes["2024-02-28"].timestamp) == "2024-02-28T00:00:00Z"
    first = notes["First"]
    assert (iso_text(first.timestamp), first.emotion) == ("2024-03-01T18:30:00Z", "happy")
    assert dict(first.metadata) == {"tags": ["garden", "spring"], "weather": {"sky": "clear"}, "folder": "daily"}
    assert [edge.key for edge in reading.edges] == [("First", "Tomatoes", "links to"), ("First", "2024-02-28", "links to")]
    assert any("1 links name notes that are not here" in note for note in reading.notes)
    assert [(fault.event_id, fault.field) for fault in reading.faults] == [("empty", "text")]


def test_one_note_is_read_alone_and_valence_stays_a_number():
    reading = read_events("2024-05-06.md", b"---\nvalence: -0.5\narousal: 0.25\n---\nRain.")
    assert reading.events[0].emotion == Emotion(-0.5, 0.25)


def test_front_matter_that_is_no_yaml_is_a_fault_of_that_note():
    reading = read_events("vault.zip", packed({"a.md": "---\n: : [\n---\nx", "b.md": "fine"}))
    assert [event.id for event in reading.events] == ["b"]
    assert "not YAML" in reading.faults[0].reason


def test_yaml_never_builds_objects():
    reading = read_events("vault.zip", packed({"a.md": "---\nx: !!python/object/apply:os.system ['true']\n---\ntext", "b.md": "fine"}))
    assert [event.id for event in reading.events] == ["b"]


MAIL = b"""From ada@example.org Mon Jan  1 10:00:00 2024
From: =?utf-8?q?Ad=C3=A8le?= <ada@example.org>
To: bo@example.org
Subject: Tea
Date: Mon, 1 Jan 2024 10:00:00 +0100
Message-ID: <1@example.org>
Content-Type: text/plain; charset="iso-8859-1"
Content-Transfer-Encoding: quoted-printable

On Sunday at the caf=E9?

From bo@example.org Mon Jan  1 11:00:00 2024
From: bo@example.org
Subject: Re: Tea
Date: Mon, 1 Jan 2024 11:00:00 +0000
Message-ID: <2@example.org>
In-Reply-To: <1@example.org>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="x"

--x
Content-Type: text/plain; charset=utf-8

Yes!
--x
Content-Type: application/octet-stream; name="a.bin"
Content-Disposition: attachment; filename="a.bin"
Content-Transfer-Encoding: base64

gASVAA==
--x--

"""


def test_mail_is_decoded_and_answers_are_linked():
    reading = read_events("inbox.mbox", MAIL)
    assert [(event.id, event.doc_type, event.text) for event in reading.events] == [
        ("1@example.org", "Adèle", "Tea\nOn Sunday at the café?"),
        ("2@example.org", "bo@example.org", "Re: Tea\nYes!"),
    ]
    assert iso_text(reading.events[0].timestamp) == "2024-01-01T09:00:00Z"
    assert [edge.key for edge in reading.edges] == [("2@example.org", "1@example.org", "replies to")]
