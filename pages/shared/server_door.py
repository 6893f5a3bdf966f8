"""Workspaces on a database server: a way to one by its address, and what can be done before its password is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from affrag_core import AffragError, Workspace, server_address
from pages.shared import making, resources, servers, session, workspace_files
from pages.shared.text import plain

if TYPE_CHECKING:
    from pages.shared.places import Place

EMPTY, COPY = "An empty workspace", "A copy of the one that is open"
SCHEMA_HELP = "One database can hold many workspaces, each in a schema of its own. A schema that is not there is made with the workspace."
PASSWORD_HELP = (
    "Blank where the server asks for none, or where its client finds one by itself (PGPASSWORD or a pgpass file). It is held in memory "
    "until the app ends and is written nowhere."
)


def show_server() -> None:
    """Connect to a workspace on a PostgreSQL server, or make one there."""
    st.subheader("On a database server", anchor=False)
    ws = _open_now()
    st.caption(
        "A workspace in PostgreSQL, where several people can work at the same time. Give its address, and make one if there is none."
    )
    with st.form("ws_server", border=False):
        wide, *narrow = st.columns([3, 2, 2, 3], vertical_alignment="bottom")
        address = wide.text_input(
            "Address", key="ws_server_address", placeholder="postgresql://user@host:5432/database", autocomplete="off"
        )
        password = narrow[0].text_input("Password", key="ws_server_password", type="password", autocomplete="off", help=PASSWORD_HELP)
        schema = narrow[1].text_input("Schema, if any", key="ws_server_schema", help=SCHEMA_HELP)
        kinds = [EMPTY, *([COPY] if ws is not None else [])]
        what = narrow[2].selectbox("If there is none yet, make", kinds, index=None, key="ws_server_make", placeholder="Nothing")
        pressed = st.form_submit_button("Connect", key="ws_server_go", icon=":material/database:")
    if not pressed:
        return
    try:
        with st.spinner("Connecting…"):
            slug, found, was_made = _connected(address, password, schema, what, ws)
    except (AffragError, OSError) as error:
        st.error(plain(error))
        return
    already = "" if what is None or was_made else " It was there already, so nothing was made."
    session.say(f"{'Made and opened' if was_made else 'Opened'} “{found.name}”.{already}")
    session.enter(slug, found)


def show_closed(place: Place) -> None:
    """What can be done with a workspace on a server that this session has not open."""
    with st.form(f"ws_server_{place.slug}", border=False):
        password = st.text_input("Password", key=f"ws_password_{place.slug}", type="password", autocomplete="off", help=PASSWORD_HELP)
        pressed = st.form_submit_button("Open", key=f"ws_open_{place.slug}", type="primary", icon=":material/folder_open:")
    forget_button(place)
    if not pressed:
        return
    servers.keep_password(place.slug, password)
    try:
        with st.spinner("Opening the workspace…"):
            ws = resources.opened(workspace_files.target(place))
    except (AffragError, OSError) as error:
        st.error(plain(error))
        return
    servers.note_name(place.slug, ws.name)
    session.enter(place.slug, ws)


def forget_button(place: Place) -> None:
    """Drop an address from the list."""
    is_given = servers.is_from_setting(place.slug)
    why = f"It comes from the setting {servers.SETTING}." if is_given else "The workspace stays; only its address is dropped here."
    if st.button("Forget this address", key=f"ws_forget_{place.slug}", icon=":material/link_off:", disabled=is_given, help=why):
        workspace_files.put_away(place)
        session.say(f"Forgot the address of “{place.name}”. The workspace is still on its server.")
        st.rerun()


def _open_now() -> Workspace | None:
    try:
        return session.current_workspace()
    except (AffragError, OSError):
        return None  # The page has said so.


def _connected(address: str, password: str, schema: str, what: str | None, ws: Workspace | None) -> tuple[str, Workspace, bool]:
    """The workspace at an address, made where there is none and that was asked for; the address is known from then on."""
    at = server_address(address, schema)
    word = password or at.password
    target = at.with_password(password)
    was_made = what is not None and making.server_workspace(target, ws if what == COPY else None)
    found = resources.opened(target)
    return servers.remember(at.address, found.name, word).slug, found, was_made
