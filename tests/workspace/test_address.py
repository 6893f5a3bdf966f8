"""Addresses of workspaces on a server: read as people write them, and shown without a password."""

from __future__ import annotations

import pytest

from affrag_core import WorkspaceError, server_address, shown_target


@pytest.mark.parametrize(
    ("written", "address"),
    [
        ("postgresql://me@h:5432/diary", "postgresql://me@h:5432/diary"),
        ("  postgres://me@h/diary ", "postgresql://me@h/diary"),
        ("postgresql+psycopg://me@h/diary?sslmode=require", "postgresql://me@h/diary?sslmode=require"),
    ],
)
def test_the_spellings_of_an_address_become_one(written, address):
    found = server_address(written)
    assert (found.address, found.password, found.stem) == (address, None, "diary")
    assert found.with_password() == address


@pytest.mark.parametrize("written", ["postgresql://me:p%40ss@h/diary", "postgresql://me@h/diary?password=p%40ss"])
def test_the_password_is_kept_apart_and_put_back_only_where_asked(written):
    found = server_address(written)
    assert found.address == "postgresql://me@h/diary"
    assert found.password == "p@ss"
    assert found.with_password() == "postgresql://me:p%40ss@h/diary"
    assert found.with_password("other") == "postgresql://me:other@h/diary"
    assert "p%40ss" not in shown_target(written)
    assert "p@ss" not in shown_target(written)


def test_a_schema_joins_the_address_and_names_the_workspace():
    found = server_address("postgresql://me@h/diary", "notes_2024")
    assert found.address == "postgresql://me@h/diary?options=-csearch_path%3Dnotes_2024"
    assert found.stem == "notes_2024"
    assert server_address(found.address, "notes_2024") == found


@pytest.mark.parametrize("schema", ["a b", "x;drop table events", "1st", "a-b", "é", "x" * 64])
def test_a_schema_that_would_need_quoting_is_refused(schema):
    with pytest.raises(WorkspaceError, match="letters, digits and underscores"):
        server_address("postgresql://me@h/diary", schema)


def test_options_of_its_own_are_not_written_over():
    with pytest.raises(WorkspaceError, match="options of its own"):
        server_address("postgresql://me@h/diary?options=-cwork_mem%3D1MB", "notes")


@pytest.mark.parametrize(
    ("written", "part"),
    [
        ("", "must begin with postgresql://"),
        ("diary.sqlite", "must begin with postgresql://"),
        ("https://me:secret@h/diary", "must begin with postgresql://"),
        ("sqlite:///diary", "must begin with postgresql://"),
        ("postgresql://me:secret@h", "names no database"),
        ("postgresql://me:secret@h:port/diary", "cannot be read"),
    ],
)
def test_what_is_no_address_of_a_server_is_a_sentence_without_the_password(written, part):
    with pytest.raises(WorkspaceError, match=part) as caught:
        server_address(written)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("target", [":memory:", "/a/b.sqlite", "postgresql://me@h/d"])
def test_what_has_no_password_is_shown_as_it_is(target):
    assert shown_target(target) == target
