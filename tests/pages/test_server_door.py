"""Workspaces on a database server, through the app."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from affrag_core import Edge, Event, Workspace, server_address
from pages.shared import folders, resources, servers
from tests.pages.driving import checked, opened, press, said, the

PAGE = "pages/data/workspaces.py"
EVENTS = [Event(id=f"e{n}", text=f"number {n}", timestamp=f"2024-01-0{n}") for n in (1, 2, 3)]


@pytest.fixture(autouse=True)
def fresh(data_dir, monkeypatch):
    monkeypatch.setattr(servers, "_PASSWORDS", {})


@pytest.fixture
def address(new_schema):
    """The address of an empty schema, its password apart; what the app keeps open of it is closed afterwards."""
    whole = new_schema()
    yield server_address(whole)
    ws = resources._opened(whole, 0)
    ws.close()
    resources.forget(whole)


def connect(at: AppTest, address: str, *, password: str = "", make: str | None = None) -> AppTest:
    the(at, "text_input", "ws_server_address").set_value(address)
    the(at, "text_input", "ws_server_password").set_value(password)
    if make is not None:
        the(at, "selectbox", "ws_server_make").set_value(make)
    return press(at, "ws_server_go")


def row_of(at: AppTest, name: str) -> dict[str, object]:
    table = at.dataframe[0].value
    return table[table.name == name].iloc[0].to_dict()


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        ("", "must begin with postgresql://"),
        ("mysql://me:geheim@h/d", "must begin with postgresql://"),
        ("postgresql://me:geheim@h", "names no database"),
        ("postgresql://me:geheim@127.0.0.1:1/d?connect_timeout=2", "cannot be reached"),
    ],
)
def test_an_address_that_leads_nowhere_is_a_sentence_and_nothing_is_kept(written, sentence):
    at = connect(opened(PAGE), written)
    assert sentence in said(at)
    assert "geheim" not in said(at)
    assert servers.known() == []


def test_where_there_is_no_workspace_yet_one_is_made_only_if_asked_for(address):
    at = connect(opened(PAGE), address.address, password=address.password)
    assert "is empty; choose another, or create it" in said(at)
    at = connect(at, address.address, password=address.password, make="An empty workspace")
    assert at.title[0].value == "Events"
    assert at.query_params["workspace"] in (f"server.{address.stem.replace('_', '-')}", [f"server.{address.stem.replace('_', '-')}"])
    assert "0 events, 0 links" in said(at)
    again = connect(opened(PAGE), address.address, password=address.password, make="An empty workspace")
    assert again.title[0].value == "Events"
    assert "It was there already, so nothing was made." in said(again)


def test_a_copy_of_the_open_workspace_goes_to_the_server_and_is_worked_in_there(address, make_workspace: Callable[..., Workspace]):
    make_workspace("a", EVENTS, [Edge(source="e1", target="e2")], name="My year")
    at = connect(opened(PAGE, "a"), address.address, password=address.password, make="A copy of the one that is open")
    assert at.title[0].value == "Retrieve"
    assert "My year · 3 events, 1 link" in said(at).replace("**", "")
    with Workspace.open(address.with_password(), create=False) as other:
        other.add_events([Event(id="e4", text="from elsewhere")])
    assert "My year · 4 events, 1 link" in said(checked(at.run())).replace("**", "")
    at = opened(PAGE, "server.my-year")
    assert row_of(at, "My year")["size"] in ("on a server", at.dataframe[0].value.iloc[0]["size"])
    the(at, "text_input", "ws_name_server.my-year").set_value("Our year")
    press(at, "ws_rename_go_server.my-year")
    assert [one.name for one in servers.known()] == ["Our year"]
    press(at, "ws_copy_go_server.my-year")
    assert (folders.workspace_folder() / "copy-of-our-year.sqlite").is_file()


def test_after_a_restart_the_password_is_asked_for_again(address, monkeypatch):
    Workspace.open(address.with_password()).close()
    connect(opened(PAGE), address.address, password=address.password)
    slug = servers.known()[0].slug
    monkeypatch.setattr(servers, "_PASSWORDS", {})
    at = opened("pages/data/events.py", slug)
    if at.title[0].value == "Events" and not at.error:
        pytest.skip("this server asks for no password")
    assert "check the user's name and password" in said(at)
    at = opened(PAGE)
    the(at, "text_input", f"ws_password_{slug}").set_value("wrong")
    assert "check the user's name and password" in said(press(at, f"ws_open_{slug}"))
    the(at, "text_input", f"ws_password_{slug}").set_value(address.password)
    assert press(at, f"ws_open_{slug}").title[0].value == "Events"


def test_an_address_is_forgotten_and_the_workspace_stays(address):
    Workspace.open(address.with_password()).close()
    connect(opened(PAGE), address.address, password=address.password)
    slug = servers.known()[0].slug
    at = press(opened(PAGE, slug), f"ws_forget_{slug}")
    assert "The workspace is still on its server." in said(at)
    assert servers.known() == []
    Workspace.open(address.with_password(), create=False).close()


def test_deleting_keeps_a_copy_that_comes_back_as_a_file(address, make_workspace: Callable[..., Workspace]):
    make_workspace("a", EVENTS, name="My year")
    connect(opened(PAGE, "a"), address.address, password=address.password, make="A copy of the one that is open")
    at = opened(PAGE, "server.my-year")
    the(at, "text_input", "ws_delete_name_server.my-year").set_value("My year")
    press(at, "ws_delete_go_server.my-year")
    assert "Deleted “My year”" in said(at)
    assert servers.known() == []
    press(at, "ws_restore")
    assert (folders.workspace_folder() / "my-year.sqlite").is_file()
    Workspace.open(address.with_password()).close()


def test_the_first_page_offers_them_too(address):
    Workspace.open(address.with_password()).close()
    connect(opened(PAGE), address.address, password=address.password)
    slug = servers.known()[0].slug
    assert press(opened(), f"open_{slug}").title[0].value == "Retrieve"


def test_a_setting_that_is_no_address_leaves_the_other_workspaces_usable(make_workspace: Callable[..., Workspace], monkeypatch):
    make_workspace("a", EVENTS)
    monkeypatch.setenv(servers.SETTING, "diary")
    for page in (None, PAGE):
        at = opened(page, "a")
        assert "AFFRAG_DATABASE_URL: the address must begin with postgresql://" in said(at)
        assert "A" in [one.label for one in at.button] or at.dataframe
