"""Which workspaces on database servers the app knows, and what it keeps of their addresses."""

from __future__ import annotations

import json

import pytest

from affrag_core import WorkspaceError
from pages.shared import places, servers

ADDRESS = "postgresql://me@127.0.0.1:1/diary"


@pytest.fixture(autouse=True)
def no_passwords(data_dir, monkeypatch):
    monkeypatch.setattr(servers, "_PASSWORDS", {})


def test_an_address_is_remembered_without_its_password():
    server = servers.remember(ADDRESS, "My diary", "geheim")
    assert servers.known() == [server]
    assert server == servers.Server("server.my-diary", ADDRESS, "My diary")
    assert servers.target_of(server.slug) == "postgresql://me:geheim@127.0.0.1:1/diary"
    assert "geheim" not in servers._file().read_text(encoding="utf-8")


def test_without_a_password_the_address_is_opened_as_it_is():
    server = servers.remember(ADDRESS, "My diary", None)
    assert places.target_of(server.slug) == ADDRESS


def test_the_same_address_given_again_keeps_its_slug_and_takes_the_new_name():
    first = servers.remember(ADDRESS, "Diary", "old")
    second = servers.remember(ADDRESS, "Notes", None)
    assert second.slug == first.slug
    assert [one.name for one in servers.known()] == ["Notes"]
    assert servers.target_of(first.slug) == "postgresql://me:old@127.0.0.1:1/diary"


def test_two_workspaces_of_one_name_have_two_slugs():
    slugs = [servers.remember(f"{ADDRESS}{n}", "Diary", None).slug for n in range(3)]
    assert slugs == ["server.diary", "server.diary-2", "server.diary-3"]


def test_a_new_name_is_noted_for_lists():
    server = servers.remember(ADDRESS, "Diary", None)
    servers.note_name(server.slug, "Notes")
    servers.note_name("server.other", "Other")
    assert [one.name for one in servers.known()] == ["Notes"]


def test_what_is_forgotten_is_gone_with_its_password():
    server = servers.remember(ADDRESS, "Diary", "geheim")
    servers.forget(server.slug)
    assert servers.known() == []
    assert servers.target_of(server.slug) is None
    assert servers.target_of(servers.remember(ADDRESS, "Diary", None).slug) == ADDRESS


@pytest.mark.parametrize("slug", ["server.", "server.unknown", "server.postgresql://me@h/d", "server.setting"])
def test_a_slug_can_not_name_a_server_of_its_own(slug):
    servers.remember(ADDRESS, "Diary", None)
    assert places.target_of(slug) is None


def test_a_setting_names_one_more_that_the_app_cannot_forget(monkeypatch):
    monkeypatch.setenv(servers.SETTING, "postgres://me:geheim@h/team?options=-csearch_path%3Dnotes")
    only = servers.known()[0]
    assert (only.slug, only.name) == ("server.setting", "notes")
    assert "geheim" not in only.address
    assert servers.is_from_setting(only.slug)
    assert servers.target_of(only.slug) == "postgresql://me:geheim@h/team?options=-csearch_path%3Dnotes"
    servers.forget(only.slug)
    assert servers.known() == [only]


def test_a_setting_that_is_no_address_is_a_sentence(monkeypatch):
    monkeypatch.setenv(servers.SETTING, "diary.sqlite")
    with pytest.raises(WorkspaceError, match="must begin with postgresql://"):
        servers.known()


@pytest.mark.parametrize("content", ["{", "[1]", '[{"slug": "server.a"}]'])
def test_a_list_that_was_broken_by_hand_is_put_aside_and_not_lost(content):
    servers._file().write_text(content, encoding="utf-8")
    assert servers.known() == []
    servers.remember(ADDRESS, "Diary", None)
    assert json.loads(servers._file().read_text(encoding="utf-8"))[0]["address"] == ADDRESS
    assert servers._file().with_suffix(".broken").read_text(encoding="utf-8") == content
