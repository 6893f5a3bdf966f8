"""A whole workspace goes into one file and comes back as it was, between SQLite and PostgreSQL too; files of others are refused."""

from __future__ import annotations

import hashlib
import io
import json
import pickle
import tracemalloc
import zipfile
from contextlib import contextmanager

import numpy as np
import pytest

from affrag_core.config import RetrievalConfig
from affrag_core.errors import CancelledError, ReadError, WorkspaceError
from affrag_core.events.edge import Edge
from affrag_core.events.event import Event
from affrag_core.workspace import Workspace, archive_load
from affrag_core.workspace import archive_format as form
from affrag_core.workspace.archive_load import import_workspace
from affrag_core.workspace.archive_read import opened_archive
from affrag_core.workspace.archive_write import export_workspace

EVENTS = [
    Event(
        id="e1",
        text="Tea with Ada.\nAnd <b>cake</b>, l'été 🙂",
        timestamp="2024-01-31T18:00:00.123456Z",
        valid_from="0001-01-01T00:00:00Z",
        valid_until="9999-12-31T23:59:59.999999Z",
        kind="EVENT",
        doc_type="diary",
        supersedes_id="e0",
        emotion={"valence": 0.1, "arousal": -1.0},
        semantic_vec=np.array([0.1, -2.5, 0.0], dtype=np.float32),
        emotional_vec=[0.1, 1e-300],
        metadata={"who": ["Ada", None, True, 1, 0.1], "nested": {"": "\ud800 \0"}, "large": 10**400},
    ),
    Event(id=" padded ", text="bare"),
    Event(id="007", text="float64 beside float32", semantic_vec=[1.0, 2.0, 1 / 3], emotion="joy"),
    Event(id="last", text="t", doc_type="", semantic_vec=np.array([4, 5, 6], dtype=np.float32)),
]
EDGES = [
    Edge(source="e1", target="007", relation="next", attributes={"w": [0.1, None]}),
    Edge(source="e1", target="e1", relation="self"),
    Edge(source="007", target=" padded "),
]
TRACE = {"query": "where?", "mode": "cpt", "hops": [{"score": 0.1}]}


def fill(ws):
    ws.add_events([*EVENTS, Event(id="secret", text="deleted before")])
    ws.add_edges(EDGES)
    ws.delete_events(["secret"])
    ws.set_spaces(semantic="s", emotional="e")
    ws.set_setting("name", "My year")
    ws.set_setting("questions", [{"text": "\ud800"}])
    ws.save_config("mine", RetrievalConfig(mode="cpt"))
    ws.save_rule("r", {"kind": "next"})
    ws.save_mapping("m", {"a": "text"})
    ws.save_run("gone", TRACE)
    ws.delete_run(ws.runs()[0].id)
    ws.save_run("kept", TRACE, created=EVENTS[0].timestamp)


def contents(ws):
    runs = [(card.name, card.created, card.query, card.mode, ws.run(card.id)) for card in ws.runs()]
    kept = (ws.name, ws.setting("questions"), {name: ws.config(name) for name in ws.config_names()}, ws.rules(), ws.mapping("m"))
    return ws.events(), ws.edges(), ws.version, ws.semantic_space, ws.emotional_space, kept, runs


@pytest.fixture
def exported(tmp_path):
    file = tmp_path / "out.workspace.zip"
    with Workspace.open(":memory:") as ws:
        fill(ws)
        export_workspace(ws, file)
    return file


def test_everything_comes_back_in_another_database(new_target, tmp_path):
    file = tmp_path / "out.workspace.zip"
    with Workspace.open(new_target()) as ws:
        fill(ws)
        export_workspace(ws, file)
        before = contents(ws)
    with import_workspace(file, new_target()) as copy:
        assert contents(copy) == before
        assert [event.semantic_vec.dtype for event in copy.events() if event.semantic_vec is not None] == ["f4", "f8", "f4"]
        assert (copy.undo_label, copy.redo_label) == (None, None)
        copy.add_events([Event(id="new", text="t")])
        assert copy.save_run("next", TRACE) not in [card.id for card in copy.runs()[:-1]]
        target = copy._state.database._engine.url.render_as_string(hide_password=False)
    with Workspace.open(target) as again:
        assert len(again) == 5
    assert b"deleted before" not in b"".join(zipfile.ZipFile(file).read(name) for name in zipfile.ZipFile(file).namelist())


def test_a_file_moves_from_one_kind_of_database_to_the_other(tmp_path, new_schema):
    with Workspace.open(tmp_path / "a.sqlite") as ws:
        fill(ws)
        before = contents(ws)
        export_workspace(ws, tmp_path / "a.zip")
    with import_workspace(tmp_path / "a.zip", new_schema()) as server:
        assert contents(server) == before
        export_workspace(server, tmp_path / "b.zip")
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes(), "equal workspaces give equal files"
    with import_workspace(tmp_path / "b.zip", tmp_path / "b.sqlite") as back:
        assert contents(back) == before


def test_an_empty_workspace_goes_there_and_back(tmp_path):
    with Workspace.open(":memory:") as ws:
        export_workspace(ws, tmp_path / "empty.zip")
    with import_workspace(tmp_path / "empty.zip", tmp_path / "new.sqlite") as copy:
        assert (len(copy), copy.n_edges, copy.name) == (0, 0, "memory")


def test_many_events_go_in_parts(tmp_path, monkeypatch):
    monkeypatch.setattr(form, "EVENTS_A_PART", 7)
    monkeypatch.setattr(form, "EDGES_A_PART", 5)
    monkeypatch.setattr(form, "BYTES_A_PART", 900)
    rng = np.random.default_rng(0)
    events = [Event(id=f"e{i}", text="x" * (i * 5), semantic_vec=rng.random(3) if i % 3 else None) for i in range(1, 100)]
    edges = [Edge(source=f"e{i}", target=f"e{i + 1}") for i in range(1, 99)]
    done = []
    with Workspace.open(":memory:") as ws:
        ws.add_events(events)
        ws.add_edges(edges)
        file = io.BytesIO()
        export_workspace(ws, file, progress=lambda *told: done.append(told))
    assert done[-1] == (197, 197)
    assert len(zipfile.ZipFile(file).namelist()) > 40
    done.clear()
    with import_workspace(file, tmp_path / "new.sqlite", progress=lambda *told: done.append(told)) as copy:
        assert (list(copy.events()), list(copy.edges())) == (events, edges)
    assert done[-1] == (197, 197)


def test_a_large_file_is_read_and_written_part_by_part(tmp_path, monkeypatch):
    monkeypatch.setattr(form, "BYTES_A_PART", 100_000)
    rng = np.random.default_rng(0)
    file = tmp_path / "large.zip"
    with Workspace.open(":memory:") as ws:
        ws.add_events([Event(id=f"e{i}", text=rng.bytes(1_000).hex(), semantic_vec=rng.random(250)) for i in range(3_000)])
        with at_most(2_000_000):
            export_workspace(ws, file)
    assert file.stat().st_size > 9_000_000
    with Workspace.open(tmp_path / "large.sqlite") as new, opened_archive(file) as archive, at_most(3_000_000):
        new._state.fill(archive_load._Loader(archive, None, None).write, read=False)


@contextmanager
def at_most(n_bytes):
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < n_bytes
    finally:
        tracemalloc.stop()


def test_both_ways_can_be_stopped_and_leave_nothing(exported, tmp_path):
    with Workspace.open(":memory:") as ws:
        fill(ws)
        with pytest.raises(CancelledError, match="export was stopped"):
            export_workspace(ws, tmp_path / "new.zip", cancelled=lambda: True)
    with pytest.raises(CancelledError, match="import was stopped"):
        import_workspace(exported, tmp_path / "new.sqlite", cancelled=lambda: True)
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == ["out.workspace.zip"]


def test_a_workspace_that_can_only_be_read_is_exported(tmp_path):
    path = tmp_path / "ws.sqlite"
    with Workspace.open(path) as ws:
        fill(ws)
        with ws._state.database.writing() as connection:
            connection.exec_driver_sql("UPDATE events SET kind = '' WHERE id = '007'")
            connection.exec_driver_sql("UPDATE runs SET trace = x'00'")
    with Workspace.open(path) as damaged:
        assert damaged.read_only
        export_workspace(damaged, tmp_path / "rest.zip")
    with import_workspace(tmp_path / "rest.zip", tmp_path / "rest.sqlite") as rest:
        assert rest.read_only is None
        assert ([event.id for event in rest.events()], rest.name, rest.runs()) == (["e1", " padded ", "last"], "My year", ())


def test_nothing_is_overwritten(exported, tmp_path, target):
    with Workspace.open(target) as ws:
        ws.add_events([Event(id="mine", text="t")])
    with pytest.raises(WorkspaceError, match=r"there is a file|holds something already"):
        import_workspace(exported, target)
    with Workspace.open(target) as ws:
        assert [event.id for event in ws.events()] == ["mine"]


def test_an_empty_workspace_in_a_database_is_filled(exported, new_schema):
    address = new_schema()
    Workspace.open(address).close()
    with import_workspace(exported, address) as ws:
        assert len(ws) == 4


def test_a_file_that_cannot_be_written_is_a_sentence(tmp_path):
    with Workspace.open(":memory:") as ws, pytest.raises(WorkspaceError, match="cannot be exported to"):
        export_workspace(ws, tmp_path / "missing" / "out.zip")


# What others may hand in instead.


def refusal(file, tmp_path, **options):
    target = tmp_path / "refused" / "ws.sqlite"
    with pytest.raises(ReadError) as caught:
        import_workspace(file, target, **options)
    assert not target.exists()
    assert not target.parent.exists() or list(target.parent.iterdir()) == []
    return str(caught.value)


def forged(exported, changes=(), *, drop=(), manifest=None, honest=True, compress=zipfile.ZIP_DEFLATED):
    """The exported file with parts changed or added; with `honest`, the manifest says so."""
    with zipfile.ZipFile(exported) as source:
        parts = {name: source.read(name) for name in source.namelist()}
    said = json.loads(parts.pop(form.MANIFEST)) | (manifest or {})
    parts.update(changes)
    for name in drop:
        del parts[name]
    if honest:
        said["parts"] = [{"name": n, "bytes": len(c), "sha256": hashlib.sha256(c).hexdigest()} for n, c in parts.items()]
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compress) as target:
        for name, content in (parts | {form.MANIFEST: json.dumps(said).encode()}).items():
            target.writestr(name, content)
    return file


def test_a_forged_file_that_is_right_is_read(exported, tmp_path):
    with import_workspace(forged(exported), tmp_path / "ws.sqlite") as ws:
        assert len(ws) == 4


@pytest.mark.parametrize("content", [b"", b"not a zip", b"PK\x05\x06" + b"\0" * 18, b"PK\x03\x04 cut"])
def test_what_is_no_export_is_refused(tmp_path, content):
    assert "is not an exported workspace, or is damaged" in refusal(io.BytesIO(content), tmp_path)


def test_a_file_that_is_not_there_is_refused(tmp_path):
    assert "there is no file" in refusal(tmp_path / "none.zip", tmp_path)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.999])
def test_a_file_cut_short_is_refused(exported, tmp_path, share):
    content = exported.read_bytes()
    assert "damaged" in refusal(io.BytesIO(content[: int(len(content) * share)]), tmp_path)


def test_a_file_changed_anywhere_is_refused_or_right(exported, tmp_path):
    """Any one byte changed is noticed, where it changes anything that is read."""
    content = exported.read_bytes()
    with Workspace.open(":memory:") as ws:
        fill(ws)
        before = contents(ws)
    n_refused = 0
    for position in range(0, len(content), 37):
        changed = bytearray(content)
        changed[position] ^= 0x41
        target = tmp_path / f"{position}.sqlite"
        try:
            with import_workspace(io.BytesIO(changed), target) as ws:
                assert contents(ws) == before
        except ReadError:
            n_refused += 1
            assert not target.exists()
    assert n_refused > 20


@pytest.mark.parametrize("name", ["../evil.sqlite", "/etc/evil", "events-00000.jsonl/../../x", "C:\\evil", "events-0.jsonl", "a\nb"])
def test_members_that_do_not_belong_there_are_refused(exported, tmp_path, name):
    assert "which is no part of a workspace" in refusal(forged(exported, {name: b"x"}), tmp_path)


def test_a_member_that_is_there_twice_is_refused(exported, tmp_path):
    content = io.BytesIO(exported.read_bytes())
    with zipfile.ZipFile(content, "a") as target, pytest.warns(UserWarning, match="Duplicate name"):
        target.writestr("kept.json", b"{}")
    assert "holds a part twice" in refusal(content, tmp_path)


@pytest.mark.parametrize(("changes", "drop"), [({"events-00001.jsonl": b""}, ()), ({}, ["kept.json"]), ({"kept.json": b"{}"}, ())])
def test_parts_that_the_manifest_does_not_know_are_refused(exported, tmp_path, changes, drop):
    assert "missing or not as the manifest says" in refusal(forged(exported, changes, drop=drop, honest=False), tmp_path)


def test_a_part_of_the_right_size_and_wrong_content_is_refused(exported, tmp_path):
    with zipfile.ZipFile(exported) as source:
        content = source.read("events-00000.jsonl").replace(b"Ada", b"Eve")
    sentence = refusal(forged(exported, {"events-00000.jsonl": content}, honest=False), tmp_path)
    assert "events-00000.jsonl is not what was exported" in sentence


def test_a_zip_bomb_is_refused_before_it_is_unpacked(exported, tmp_path):
    bomb = forged(exported, {"events-00000.jsonl": b" " * 50_000_000})
    assert bomb.getbuffer().nbytes < 500_000
    assert "would unpack to 50,000,000 bytes, far more than it takes up" in refusal(bomb, tmp_path)


def test_a_bomb_that_lies_about_its_size_is_refused(exported, tmp_path):
    bomb = bytearray(forged(exported, {"events-00000.jsonl": b" " * 5_000_000}).getvalue())
    size = (5_000_000).to_bytes(4, "little")
    while (position := bomb.find(size)) >= 0:
        bomb[position : position + 4] = (100).to_bytes(4, "little")
    assert "damaged" in refusal(io.BytesIO(bomb), tmp_path)


def test_a_file_that_unpacks_to_too_much_in_all_is_refused(exported, tmp_path):
    assert "more than the 1,000 allowed" in refusal(exported, tmp_path, most_bytes=1_000)


def test_what_shrinks_too_well_is_exported_uncompressed_and_read(tmp_path):
    with Workspace.open(":memory:") as ws:
        ws.add_events([Event(id="a", text="a" * 2_000_000)])
        export_workspace(ws, tmp_path / "out.zip")
    with import_workspace(tmp_path / "out.zip", tmp_path / "ws.sqlite") as copy:
        assert len(copy.event("a").text) == 2_000_000


def test_a_password_is_refused(exported, tmp_path):
    content = bytearray(exported.read_bytes())
    position = content.find(b"PK\x01\x02")
    content[position + 8] |= 1
    assert "protected by a password" in refusal(io.BytesIO(content), tmp_path)


def test_another_compression_is_refused(exported, tmp_path):
    assert "compressed in a way that no export uses" in refusal(forged(exported, compress=zipfile.ZIP_LZMA), tmp_path)


class Evil:
    """Marks that it was unpickled."""

    ran = False

    def __reduce__(self):
        return (setattr, (Evil, "ran", True))


def npy(array, **options):
    content = io.BytesIO()
    np.save(content, array, **options)
    return content.getvalue()


SEMANTIC = "vectors-00000-semantic-f4-3.npy"


def test_a_pickled_array_is_refused_and_not_run(exported, tmp_path):
    array = np.empty((2, 3), dtype=object)
    array[:] = Evil()
    sentence = refusal(forged(exported, {SEMANTIC: npy(array, allow_pickle=True)}), tmp_path)
    assert "holds a pickled array, which could run a program" in sentence
    assert "is not an array of numbers" in refusal(forged(exported, {SEMANTIC: pickle.dumps(Evil())}), tmp_path)
    assert not Evil.ran


@pytest.mark.parametrize(
    ("array", "sentence"),
    [
        (np.zeros((2, 4), dtype="<f4"), "must hold rows of 3 numbers of type f4"),
        (np.zeros((2, 3), dtype="<f8"), "must hold rows of 3 numbers of type f4"),
        (np.zeros((2, 3), dtype=">f4"), "must hold rows of 3 numbers of type f4"),
        (np.asfortranarray(np.zeros((2, 3), dtype="<f4")), "must hold rows of 3 numbers"),
        (np.zeros(6, dtype="<f4"), "must hold rows of 3 numbers"),
        (np.zeros((1, 3), dtype="<f4"), "has no vector left for this event"),
        (np.zeros((3, 3), dtype="<f4"), "there are more vectors than events"),
        (np.full((2, 3), np.nan, dtype="<f4"), "semantic_vec must be finite"),
    ],
)
def test_vectors_that_do_not_fit_are_refused(exported, tmp_path, array, sentence):
    assert sentence in refusal(forged(exported, {SEMANTIC: npy(array)}), tmp_path)


def test_vectors_cut_short_are_refused(exported, tmp_path):
    content = npy(np.zeros((2, 3), dtype="<f4"))
    assert "must hold 2 rows, got 23 bytes" in refusal(forged(exported, {SEMANTIC: content[:-1]}), tmp_path)


GOOD = b'{"id":"a","text":"t"}\n'


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (GOOD + b"{", "events-00000.jsonl, line 2: this is not JSON"),
        (GOOD + b"[" * 100_000, "line 2: this is not JSON"),
        (GOOD + b"[]", "line 2: an object was expected"),
        (GOOD + GOOD, "line 2: the event 'a' is there twice"),
        (GOOD + b'{"id":"b"}', "line 2: this is no event"),
        (GOOD + b'{"id":"b","text":"t","colour":1}', "line 2: this is no event"),
        (GOOD + b'{"id":7,"text":"t"}', "line 2: id must be a text"),
        (GOOD + b'{"id":"b","text":"\\u0000"}', "line 2: text must be text that can be stored"),
        (GOOD + b'{"id":"b","text":"t","metadata":{"a":NaN}}', "line 2: metadata.a must be plain JSON"),
        (GOOD + b'{"id":"b","text":"t","semantic_vec":[1]}', "line 2: vectors stand in parts of their own"),
        (GOOD + b'{"id":"b","text":"t","vectors":{"smell":"f4-3"}}', "line 2: vectors must name the kinds"),
        (GOOD + b'{"id":"b","text":"t","vectors":{"semantic":"../x"}}', "line 2: the kind of a vector must be"),
        (GOOD + b'{"id":"b","text":"t","vectors":{"semantic":"f4-9"}}', "vectors-00000-semantic-f4-9.npy is missing"),
    ],
)
def test_lines_that_are_no_events_are_refused_by_number(exported, tmp_path, lines, sentence):
    assert sentence in refusal(forged(exported, {"events-00000.jsonl": lines}, compress=zipfile.ZIP_STORED), tmp_path)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (b'{"source":"e1","target":"nowhere"}', "line 1: the link leads to 'nowhere', which is no event of the file"),
        (b'{"source":"e1"}', "line 1: this is no link"),
        (b'{"source":"e1","target":"007","relation":"\\ud800"}', "line 1: relation must be text that can be stored"),
        (b'{"source":"e1","target":"007","attributes":{"a":NaN}}', "line 1: attributes.a must be plain JSON"),
        (b'{"source":["e1"],"target":"007"}', "line 1: source must be a text"),
    ],
)
def test_lines_that_are_no_links_are_refused_by_number(exported, tmp_path, line, sentence):
    assert f"edges-00000.jsonl, {sentence}" in refusal(forged(exported, {"edges-00000.jsonl": line}), tmp_path)


def test_a_link_that_is_there_twice_is_refused(exported, target):
    lines = b'{"source":"e1","target":"007"}\n' * 2
    with pytest.raises(WorkspaceError, match="would hold one event or link twice; nothing was written"):
        import_workspace(forged(exported, {"edges-00000.jsonl": lines}), target)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"kept.json": b'{"settings":{}}'}, "kept.json must hold settings, configs, rules and mappings"),
        ({"kept.json": b'{"settings":{" ":1},"configs":{},"rules":{},"mappings":{}}'}, "kept.json, settings: name must not be blank"),
        ({"kept.json": b'{"settings":{"a":NaN},"configs":{},"rules":{},"mappings":{}}'}, "kept.json, settings: 'a' must be plain JSON"),
        ({"run-00000.json": b"{}"}, "run-00000.json must hold name, created"),
        ({"run-00000.json": b'{"name":"","created":null,"query":"","mode":"","trace":{}}'}, "run-00000.json: name must not be blank"),
        ({"run-00000.json": b'{"name":"r","created":"never","query":"","mode":"","trace":{}}'}, "run-00000.json: created must be a date"),
        ({"run-00000.json": b'{"name":"r","created":null,"query":"","mode":"","trace":{"a":NaN}}'}, "run-00000.json: "),
        ({"run-00001.json": b'{"name":"r","created":null,"query":"","mode":"","trace":{}}'}, "another number of runs than it says"),
    ],
)
def test_settings_and_runs_that_cannot_be_are_refused(exported, tmp_path, changes, sentence):
    assert sentence in refusal(forged(exported, changes), tmp_path)


@pytest.mark.parametrize(
    ("manifest", "sentence"),
    [
        ({"format": "photo-album"}, "is not an exported workspace"),
        ({"format_version": 2}, "was exported by a newer version of this app (its format is 2)"),
        ({"version": -1}, "manifest.json: version"),
        ({"version": "7"}, "manifest.json: version"),
        ({"n_events": 3}, "other numbers of events and links than it says"),
        ({"n_edges": None}, "manifest.json: n_edges"),
        ({"extra": 1}, "manifest.json: extra"),
        ({"semantic_space": "\0"}, "manifest.json: the name of a space must be text that can be stored"),
    ],
)
def test_a_manifest_that_cannot_be_is_refused(exported, tmp_path, manifest, sentence):
    assert sentence in refusal(forged(exported, manifest=manifest), tmp_path)
