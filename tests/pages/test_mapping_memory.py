"""How files were read is taken up again in the same workspace, and in the next one too."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from affrag_core import Workspace
from pages.shared import folders, mapping_memory
from pages.shared.mapping_memory import remember, remembered


def test_a_new_workspace_takes_up_how_another_read_the_shape(make_workspace: Callable[..., Workspace]):
    old, new = make_workspace("old"), make_workspace("new")
    assert remembered(new, "s1") == {}
    remember(old, "s1", {"columns": {"text": "was"}, "time_zone": "UTC"})
    assert remembered(new, "s1") == {"columns": {"text": "was"}, "time_zone": "UTC"}
    assert new.mapping("s1") is None


def test_the_workspaces_own_wins(make_workspace: Callable[..., Workspace]):
    one, other = make_workspace("one"), make_workspace("other")
    remember(one, "s1", {"columns": {"text": "a"}})
    remember(other, "s1", {"columns": {"text": "b"}})
    assert remembered(one, "s1") == {"columns": {"text": "a"}}
    assert remembered(make_workspace("third"), "s1") == {"columns": {"text": "b"}}


def test_only_the_last_used_shapes_are_kept_beside_the_workspaces(make_workspace: Callable[..., Workspace], monkeypatch):
    monkeypatch.setattr(mapping_memory, "MOST", 2)
    ws, new = make_workspace("a"), make_workspace("new")
    for shape in ("s1", "s2", "s1", "s3"):
        remember(ws, shape, {"columns": {"text": shape}})
    assert [bool(remembered(new, shape)) for shape in ("s1", "s2", "s3")] == [True, False, True]
    assert all(remembered(ws, shape) for shape in ("s1", "s2", "s3"))


@pytest.mark.parametrize("content", ["{", "[1]", '{"s1": 3}', '{"s1": null}'])
def test_a_file_that_was_broken_by_hand_remembers_nothing_and_is_written_anew(content: str, make_workspace: Callable[..., Workspace]):
    ws, new = make_workspace("a"), make_workspace("new")
    (folders.data_folder() / "mappings.json").write_text(content, encoding="utf-8")
    assert remembered(new, "s1") == {}
    remember(ws, "s1", {"columns": None})
    assert json.loads((folders.data_folder() / "mappings.json").read_text(encoding="utf-8")) == {"s1": {"columns": None}}
