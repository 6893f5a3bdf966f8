"""Conversations in dated sessions become dated events, linked turn by turn."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from affrag_core.errors import ReadError
from affrag_core.events.readers import list_conversations, read_edges, read_events

SMALL = Path(__file__).with_name("small_conversations.json")
REAL = Path(__file__).resolve().parents[3] / "shared" / "data" / "locomo" / "locomo_dev.json"


def turn(dia_id, speaker, text, **more):
    return {"speaker": speaker, "dia_id": dia_id, "text": text, **more}


def talk():
    return {
        "speaker_a": "Mia",
        "speaker_b": "Tom",
        "session_10_date_time": "12:05 am on 1 March, 2024",
        "session_10": [turn("D10:1", "Tom", "Still awake?")],
        "session_2_date_time": "1:56 pm on 8 May, 2023",
        "session_2": [
            turn("D2:1", "Mia", "I finally repotted the fern."),
            turn("D2:2", "Tom", "Show me!"),
            turn("D2:3", "Mia", "Here it is.", blip_caption="a fern on a windowsill", img_url=["https://example.org/fern.jpg"]),
        ],
        "session_3_date_time": "9:00 am on 9 May, 2023",
    }


def read(value, **options):
    reading = read_events("talk.json", json.dumps(value).encode(), **options)
    assert reading.is_complete
    return reading


SAMPLE = {"sample_id": "t1", "conversation": talk(), "qa": []}
FORMS = {"bare": talk(), "sample": SAMPLE, "list": [SAMPLE]}


@pytest.mark.parametrize("value", FORMS.values(), ids=FORMS.keys())
def test_turns_become_events_one_minute_apart_in_the_order_of_sessions(value):
    reading = read(value)
    start = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    minute = timedelta(minutes=1)
    expected = [("D2:1", start), ("D2:2", start + minute), ("D2:3", start + 2 * minute), ("D10:1", datetime(2024, 3, 1, 0, 5, tzinfo=UTC))]
    assert [(event.id, event.timestamp) for event in reading.events] == expected
    assert reading.form == "LoCoMo conversation"


def test_turns_are_linked_each_to_the_next_across_sessions():
    assert [edge.key for edge in read(talk()).edges] == [
        ("D2:1", "D2:2", "next turn"),
        ("D2:2", "D2:3", "next turn"),
        ("D2:3", "D10:1", "next turn"),
    ]


def test_the_assumed_times_are_noted():
    assert "plus one minute for every turn before it" in read(talk()).notes[0]


def test_speaker_session_and_caption_are_kept():
    event = read(FORMS["sample"]).events[2]
    assert event.doc_type == "Mia"
    assert event.metadata == {
        "speaker": "Mia",
        "dia_id": "D2:3",
        "conversation": "t1",
        "session": 2,
        "session_time": "1:56 pm on 8 May, 2023",
        "blip_caption": "a fern on a windowsill",
        "img_url": ["https://example.org/fern.jpg"],
    }


SEVERAL = [{"sample_id": "t1", "conversation": talk()}, {"sample_id": "t1", "conversation": talk()}, {"conversation": talk()}]
NAMES = ["t1", "t1 (2)", "conversation 3"]


def test_conversations_are_listed_with_their_size():
    listed = list_conversations("talk.json", json.dumps(SEVERAL).encode())
    found = [(item.name, item.speakers, item.n_sessions, item.n_turns) for item in listed]
    assert found == [(name, ("Mia", "Tom"), 2, 4) for name in NAMES]


def test_other_files_hold_no_conversations():
    assert list_conversations("a.csv", b"id,text\n1,a\n") == []
    assert list_conversations("a.json", b'[{"id": 1, "text": "a \\"session_1\\": x"}]') == []


def test_one_of_several_is_chosen():
    assert read(SEVERAL, conversation="t1 (2)").events[0].id == "D2:1"
    assert read(SEVERAL, conversation="t1 (2)").events[0].metadata["conversation"] == "t1 (2)"


@pytest.mark.parametrize("name", [None, "t9"])
def test_without_a_choice_the_names_are_given(name):
    with pytest.raises(ReadError, match=r"holds 3 conversations. Choose one, or all: t1, t1 \(2\), conversation 3"):
        read(SEVERAL, conversation=name)


def test_all_conversations_have_prefixed_ids_and_no_links_between_them():
    reading = read(SEVERAL, conversation="all")
    assert len({event.id for event in reading.events}) == 12
    assert reading.events[0].id == "t1/D2:1"
    assert len(reading.edges) == 3 * 3
    assert all(edge.source.split("/")[0] == edge.target.split("/")[0] for edge in reading.edges)


@pytest.mark.parametrize("given", ["some day", None, "25:00 pm on 8 May, 2023", "1:00 pm on 31 June, 2023", 5, "1:00 pm on 3 Foo, 2023"])
def test_a_session_without_a_readable_date_leaves_its_turns_undated_and_says_so(given):
    reading = read(talk() | {"session_2_date_time": given})
    assert [event.timestamp is None for event in reading.events] == [True, True, True, False]
    assert any(note.startswith("Session 2 of conversation 1 has no readable date") for note in reading.notes)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("12:00 pm on 1 January, 2023", datetime(2023, 1, 1, 12, tzinfo=UTC)),
        ("12:00 AM on 1 Sept 2023", datetime(2023, 9, 1, 0, tzinfo=UTC)),
        ("2023-01-01T10:00:00+02:00", datetime(2023, 1, 1, 8, tzinfo=UTC)),
    ],
)
def test_session_times_are_read(given, expected):
    assert read(talk() | {"session_2_date_time": given}).events[0].timestamp == expected


def test_turns_without_a_text_are_faults_and_the_others_stay_linked():
    value = talk()
    value["session_2"][1] = {"speaker": "Tom", "dia_id": "D2:2", "text": ""}
    value["session_2"].insert(0, "hello")
    reading = read(value)
    assert [(fault.row, fault.reason) for fault in reading.faults] == [(1, "the turn has no text"), (3, "the turn has no text")]
    assert [edge.key[:2] for edge in reading.edges] == [("D2:1", "D2:3"), ("D2:3", "D10:1")]


def test_turns_without_an_id_are_named_by_place():
    value = talk()
    del value["session_2"][1]["dia_id"]
    assert read(value).events[1].id == "D2:2"


def test_a_conversation_is_no_file_of_edges():
    with pytest.raises(ReadError):
        read_edges("talk.json", json.dumps(FORMS["bare"]).encode(), {"D2:1"})


def test_a_small_file_of_two_conversations_is_read():
    content = SMALL.read_bytes()
    assert [(item.name, item.n_turns) for item in list_conversations(SMALL.name, content)] == [("garden", 7), ("boat", 3)]
    reading = read_events(SMALL.name, content, conversation="garden")
    assert (len(reading.events), len(reading.edges), reading.faults) == (7, 6, ())
    assert reading.events[3].timestamp == datetime(2023, 6, 3, 0, 20, tzinfo=UTC)


@pytest.mark.skipif(not REAL.exists(), reason="the LoCoMo files lie beside the project, not in it")
def test_the_real_conversations_are_read_whole():
    content = REAL.read_bytes()
    listed = list_conversations(REAL.name, content)
    assert [(item.name, item.n_turns) for item in listed] == [
        ("conv-26", 419),
        ("conv-30", 369),
        ("conv-41", 663),
        ("conv-42", 629),
        ("conv-43", 680),
    ]
    for item in listed:
        reading = read_events(REAL.name, content, conversation=item.name)
        assert (len(reading.events), len(reading.edges), reading.faults) == (item.n_turns, item.n_turns - 1, ())
        times = [event.timestamp for event in reading.events]
        assert times == sorted(times)
    everything = read_events(REAL.name, content, conversation="all")
    assert len({event.id for event in everything.events}) == 2760
