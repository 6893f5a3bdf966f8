"""Exports of chats, in the shapes in which they come."""

import io
import json
import zipfile

import pytest

from affrag_core.errors import ReadError
from affrag_core.events.readers import read_edges, read_events
from affrag_core.events.times import iso_text


def packed(members: dict[str, str | bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return out.getvalue()


def told(reading) -> list[tuple[str, str | None, str, str]]:
    return [(event.id, iso_text(event.timestamp), event.doc_type, event.text) for event in reading.events]


def links(reading) -> list[tuple[str, str, str]]:
    return [edge.key for edge in reading.edges]


ANDROID = """12/31/23, 9:15 PM - Messages and calls are end-to-end encrypted.
12/31/23, 9:15 PM - Ada: Happy new year!
see you at eight
12/31/23, 9:16\u202fPM - Bo: <Media omitted>
1/1/24, 12:01 AM - Bo: Same to you: all the best
"""


def test_an_android_chat_in_american_style_keeps_speakers_lines_and_notices():
    reading = read_events("WhatsApp Chat with Bo.txt", ANDROID.encode())
    assert told(reading) == [
        ("m1", "2023-12-31T21:15:00Z", "general", "Messages and calls are end-to-end encrypted."),
        ("m2", "2023-12-31T21:15:00Z", "Ada", "Happy new year!\nsee you at eight"),
        ("m4", "2024-01-01T00:01:00Z", "Bo", "Same to you: all the best"),
    ]
    assert links(reading) == [("m1", "m2", "next message"), ("m2", "m4", "next message")]
    assert [(fault.event_id, fault.reason) for fault in reading.faults] == [("m3", "the message has no text")]
    assert reading.is_complete
    assert any("time zone" in note for note in reading.notes)


@pytest.mark.parametrize(
    ("line", "time"),
    [
        ("[31/12/2023, 21:15:30] Ada: hi", "2023-12-31T21:15:30Z"),
        ("\u200e[31.12.23, 21:15:30] Ada: hi", "2023-12-31T21:15:30Z"),
        ("31.12.23, 21:15 - Ada: hi", "2023-12-31T21:15:00Z"),
        ("2023-12-31, 21:15 - Ada: hi", "2023-12-31T21:15:00Z"),
        ("[12/31/23, 9:15:30\u202fPM] Ada: hi", "2023-12-31T21:15:30Z"),
        ("12/31/23, 12:05 AM - Ada: hi", "2023-12-31T00:05:00Z"),
        ("31/12/2023, 9:15 p. m. - Ada: hi", "2023-12-31T21:15:00Z"),
    ],
)
def test_the_common_date_styles_of_whatsapp(line, time):
    assert told(read_events("chat.txt", line.encode()))[0][1:3] == (time, "Ada")


def test_dates_that_could_be_read_two_ways_are_noted():
    reading = read_events("chat.txt", b"01/02/24, 10:00 - Ada: hi\n03/02/24, 10:00 - Bo: ho")
    assert told(reading)[0][1] == "2024-02-01T10:00:00Z"
    assert any("two ways" in note for note in reading.notes)


def test_a_stated_zone_places_times_without_an_offset():
    reading = read_events("chat.txt", b"31.12.23, 21:15 - Ada: hi", time_zone="Europe/Berlin")
    assert told(reading)[0][1] == "2023-12-31T20:15:00Z"
    with pytest.raises(ReadError, match="no time zone 'Mars/Base'"):
        read_events("chat.txt", b"31.12.23, 21:15 - Ada: hi", time_zone="Mars/Base")


def test_a_date_that_is_none_is_a_fault_and_the_rest_is_read():
    reading = read_events("chat.txt", b"31.12.23, 21:15 - Ada: hi\n31.02.24, 10:00 - Bo: ho")
    assert [event.id for event in reading.events] == ["m1"]
    assert [fault.field for fault in reading.event_faults] == ["timestamp"]


SLACK_USERS = [
    {"id": "U1", "name": "ada", "profile": {"display_name": "Ada L", "real_name": "Ada Lovelace"}},
    {"id": "U2", "name": "bo", "profile": {}},
]
SLACK_DAY = [
    {"type": "message", "user": "U1", "text": "Ship it <@U2>? See <https://example.org|the plan> &amp; reply", "ts": "1704067200.000100"},
    {
        "type": "message",
        "user": "U2",
        "text": "Yes",
        "ts": "1704067260.000200",
        "thread_ts": "1704067200.000100",
        "reactions": [{"name": "tada", "count": 2}],
    },
    {"type": "message", "subtype": "channel_join", "user": "U3", "text": "<@U3> has joined the channel", "ts": "1704067300.000300"},
    {"type": "message", "user": "U1", "text": "", "ts": "1704067400.000400", "files": [{"id": "F1"}]},
]


def test_a_slack_export_names_people_links_threads_and_reads_its_markup():
    content = packed({"users.json": json.dumps(SLACK_USERS), "channels.json": "[]", "general/2024-01-01.json": json.dumps(SLACK_DAY)})
    reading = read_events("export.zip", content)
    assert told(reading)[:2] == [
        ("general/1704067200.000100", "2024-01-01T00:00:00.000100Z", "Ada L", "Ship it @bo? See the plan & reply"),
        ("general/1704067260.000200", "2024-01-01T00:01:00.000200Z", "bo", "Yes"),
    ]
    assert ("general/1704067260.000200", "general/1704067200.000100", "replies to") in links(reading)
    assert reading.events[1].metadata["reactions"] == ["tada × 2"]
    assert [fault.event_id for fault in reading.faults] == ["general/1704067400.000400"]


def test_two_slack_channels_are_not_linked_to_each_other():
    content = packed({"a/2024-01-01.json": json.dumps(SLACK_DAY[:1]), "b/2024-01-01.json": json.dumps(SLACK_DAY[:1])})
    assert links(read_events("export.zip", content)) == []


def test_one_day_of_a_slack_channel_is_read_alone():
    reading = read_events("2024-01-01.json", json.dumps(SLACK_DAY).encode())
    assert [event.doc_type for event in reading.events] == ["U1", "U2", "U3"]


def said(key: str, time: str, text: str, author: dict, **more) -> dict:
    return {"id": key, "type": "Reply" if "reference" in more else "Default", "timestamp": time, "content": text, "author": author, **more}


DISCORD = {
    "guild": {"id": "1", "name": "Garden"},
    "channel": {"id": "2", "name": "general"},
    "messages": [
        said("11", "2024-01-01T10:00:00.5+00:00", "Tomatoes?", {"name": "ada", "nickname": "Ada"}),
        said("12", "2024-01-01T11:00:00+02:00", "In May", {"name": "bo"}, reference={"messageId": "11"}),
        said("13", "2024-01-01T12:00:00+00:00", "", {"name": "bo"}, attachments=[{"fileName": "a.png"}]),
        said("14", "2024-01-02T12:00:00+00:00", "Thanks", {"name": "ada"}, reference={"messageId": "9"}),
    ],
}


def test_a_discord_channel_links_answers_and_says_what_they_answer_is_missing():
    reading = read_events("general.json", json.dumps(DISCORD).encode())
    assert told(reading)[:2] == [
        ("11", "2024-01-01T10:00:00.500000Z", "Ada", "Tomatoes?"),
        ("12", "2024-01-01T09:00:00Z", "bo", "In May"),
    ]
    assert links(reading) == [("11", "12", "next message"), ("12", "11", "replies to"), ("12", "14", "next message")]
    assert [fault.event_id for fault in reading.faults] == ["13"]
    assert any("1 answers are to messages that are not in this file" in note for note in reading.notes)


def chatgpt() -> list[dict]:
    def node(key, parent, role, text, time):
        message = {"id": key, "author": {"role": role}, "create_time": time, "content": {"content_type": "text", "parts": [text]}}
        return {"id": key, "message": message, "parent": parent, "children": []}

    mapping = {
        "root": {"id": "root", "message": None, "parent": None, "children": ["s"]},
        "s": node("s", "root", "system", "", None),
        "q": node("q", "s", "user", "Why is the sky blue?", 1704067200.5),
        "a": node("a", "q", "assistant", "Because of scattering.", 1704067201.0),
        "b": node("b", "q", "assistant", "Rayleigh.", 1704067300.0),
    }
    return [{"title": "Sky", "create_time": 1704067200.0, "mapping": mapping}]


@pytest.mark.parametrize("name", ["conversations.json", "export.zip"])
def test_chatgpt_conversations_link_each_message_to_what_it_answers(name):
    text = json.dumps(chatgpt())
    content = packed({"conversations.json": text, "chat.html": "<html>"}) if name.endswith("zip") else text.encode()
    reading = read_events(name, content)
    assert [(event.id, event.doc_type, event.metadata["conversation"]) for event in reading.events] == [
        ("q", "user", "Sky"),
        ("a", "assistant", "Sky"),
        ("b", "assistant", "Sky"),
    ]
    assert links(reading) == [("a", "q", "replies to"), ("b", "q", "replies to")]


def test_a_packed_whatsapp_chat_is_found_beside_its_pictures():
    content = packed({"_chat.txt": "[31/12/2023, 21:15:30] Ada: hi", "IMG-1.jpg": b"\xff\xd8\xff"})
    assert told(read_events("WhatsApp Chat.zip", content))[0][3] == "hi"


def test_an_archive_of_unknown_texts_says_so():
    with pytest.raises(ReadError, match="no chat, notes or export that is known"):
        read_events("a.zip", packed({"a.txt": "hello"}))


def test_a_chat_is_no_file_of_links():
    with pytest.raises(ReadError, match="Read it as events"):
        read_edges("general.zip", packed({"a/2024-01-01.json": json.dumps(SLACK_DAY)}), ())
