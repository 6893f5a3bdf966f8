"""Whole folders: a Slack export as its own program unpacks it, and notes."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest

from affrag_core import ReadError, pack_files, pack_folder, preview_file, read_events
from affrag_core.events.readers import folders

USERS = [
    {"id": "U1", "name": "ada", "profile": {"display_name": "Ada", "real_name": "Ada L"}},
    {"id": "U2", "name": "bo", "profile": {"display_name": "", "real_name": "Bo"}},
]
FIFTH = [
    {"type": "message", "subtype": "channel_join", "user": "U2", "text": "<@U2> has joined the channel", "ts": "1704412800.000100"},
    {
        "client_msg_id": "6f1c",
        "type": "message",
        "text": "Shall we ship on Monday? <https://example.org/plan|The plan>",
        "user": "U1",
        "ts": "1704413100.000200",
        "edited": {"user": "U1", "ts": "1704413160.000000"},
        "thread_ts": "1704413100.000200",
        "reply_count": 1,
        "reactions": [{"name": "eyes", "users": ["U2"], "count": 1}],
    },
    {
        "type": "message",
        "subtype": "bot_message",
        "bot_id": "B7",
        "username": "deploy",
        "text": "Build 12 is green",
        "ts": "1704413400.000300",
    },
    {"type": "message", "user": "U2", "text": "", "files": [{"name": "plan.pdf"}], "ts": "1704413500.000400"},
]
EIGHTH = [
    {
        "type": "message",
        "user": "U2",
        "text": "Monday it is, <@U1>",
        "ts": "1704700800.000500",
        "thread_ts": "1704413100.000200",
        "parent_user_id": "U1",
    }
]
EXPORT = {
    "users.json": USERS,
    "channels.json": [{"id": "C1", "name": "general", "members": ["U1", "U2"]}],
    "integration_logs.json": [],
    "general/2024-01-05.json": FIFTH,
    "general/2024-01-08.json": EIGHTH,
    "random/2024-01-05.json": [{"type": "message", "user": "U1", "text": "Lunch?", "ts": "1704450000.000600"}],
}


@pytest.fixture
def export(tmp_path: Path) -> Path:
    root = tmp_path / "acme Slack export Jan 1 2024"
    for name, value in EXPORT.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value), encoding="utf-8")
    return root


def test_a_slack_export_is_read_as_the_folder_that_it_is(export):
    reading = read_events(export.name, pack_folder(export))
    assert [(event.id, event.doc_type, event.text) for event in reading.events] == [
        ("general/1704412800.000100", "Bo", "@Bo has joined the channel"),
        ("general/1704413100.000200", "Ada", "Shall we ship on Monday? The plan"),
        ("general/1704413400.000300", "deploy", "Build 12 is green"),
        ("general/1704700800.000500", "Bo", "Monday it is, @Ada"),
        ("random/1704450000.000600", "Ada", "Lunch?"),
    ]
    assert ("general/1704700800.000500", "general/1704413100.000200", "replies to") in [edge.key for edge in reading.edges]
    assert [fault.event_id for fault in reading.faults] == ["general/1704413500.000400"]
    assert reading.form == "Slack export"
    assert reading.n_rows == len(FIFTH) + len(EIGHTH) + 1


def test_the_folder_and_its_zip_are_read_alike(export):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in export.rglob("*.json"):
            archive.write(path, path.relative_to(export))
    assert read_events("export.zip", out.getvalue()) == read_events("export", pack_folder(export))


def test_files_that_come_one_by_one_with_their_paths_are_read_alike(export):
    files = {f"acme/{path.relative_to(export).as_posix()}": path.read_bytes() for path in export.rglob("*.json")}
    assert read_events("acme", pack_files(files)).events == read_events("acme", pack_folder(export)).events
    assert preview_file("acme", pack_files(files)).form == "Slack export"


def test_a_folder_of_notes_is_read_with_the_folders_in_it(tmp_path):
    (tmp_path / "2024").mkdir()
    (tmp_path / "2024" / "2024-01-05.md").write_text("Tea with Ada.", encoding="utf-8")
    (tmp_path / "Ideas.MD").write_text("---\ndate: 2024-02-01\n---\nA boat.", encoding="utf-8")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    (tmp_path / ".obsidian").mkdir()
    (tmp_path / ".obsidian" / "app.json").write_text("{}", encoding="utf-8")
    reading = read_events("notes", pack_folder(tmp_path))
    assert sorted((str(event.timestamp.date()), event.text) for event in reading.events) == [
        ("2024-01-05", "Tea with Ada."),
        ("2024-02-01", "A boat."),
    ]


def test_links_that_lead_out_of_the_folder_are_not_followed(tmp_path):
    secret = tmp_path / "secret.md"
    secret.write_text("not yours", encoding="utf-8")
    inside = tmp_path / "notes"
    inside.mkdir()
    (inside / "2024-01-05.md").write_text("Tea.", encoding="utf-8")
    (inside / "2024-01-06.md").symlink_to(secret)
    assert [event.text for event in read_events("notes", pack_folder(inside)).events] == ["Tea."]


def test_names_that_climb_out_of_the_folder_stay_names():
    files = {"../../etc/2024-01-05.md": b"Tea.", "/root/2024-01-06.md": b"A walk."}
    assert [event.text for event in read_events("notes", pack_files(files)).events] == ["Tea.", "A walk."]


@pytest.mark.parametrize("files", [{}, {"a.png": b"x"}, {".hidden/a.md": b"x"}])
def test_a_folder_of_other_things_is_a_sentence(files):
    with pytest.raises(ReadError, match="holds no file that can be read"):
        pack_files(files)


def test_what_is_no_folder_is_a_sentence(tmp_path):
    with pytest.raises(ReadError, match="is no folder"):
        pack_folder(tmp_path / "missing")


def test_too_much_is_refused_before_it_is_read(tmp_path, monkeypatch):
    (tmp_path / "a.md").write_text("four", encoding="utf-8")
    (tmp_path / "b.md").write_text("more", encoding="utf-8")
    monkeypatch.setattr(folders, "MOST_BYTES", 7)
    with pytest.raises(ReadError, match="more than the limit"):
        pack_folder(tmp_path)
    monkeypatch.setattr(folders, "MOST_BYTES", 8)
    pack_folder(tmp_path)
    monkeypatch.setattr(folders, "MOST_MEMBERS", 1)
    with pytest.raises(ReadError, match="more than the limit"):
        pack_files({"a.md": b"", "b.md": b""})


def test_a_folder_of_texts_that_are_no_chat_says_so():
    with pytest.raises(ReadError, match="no chat, notes or export that is known"):
        read_events("texts", pack_files({"texts/a.txt": b"hello"}))
