"""The header of every page: what is open, how large it is, the time it is seen at, and whether text can be encoded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from affrag_core import AffragError
from pages.shared import model_view, servers, session
from pages.shared.style import apply_style
from pages.shared.text import counted, plain

if TYPE_CHECKING:
    from affrag_core import Workspace


def page_header(title: str, *, toast: bool = True) -> Workspace:
    """Draw a page's heading and the state of its workspace, which is returned.

    The sentence that was kept for this page is shown in passing; a page that shows it in its own place says `toast` false.
    Where no workspace is open it says so, offers the way to the Start page, and ends the page.
    """
    apply_style()
    with st.container(horizontal=True, vertical_alignment="center", key="header"):
        st.title(title, anchor=False, width="content")
        ws = _workspace()
        if ws is not None:
            show_state(ws)
    if ws is None:
        _nothing_open()
    if ws.read_only:
        st.warning(plain(ws.read_only))
    sentence = session.said() if toast else None
    if sentence:
        st.toast(plain(sentence), icon="✅")
    return ws


def _workspace() -> Workspace | None:
    """The workspace, as others left it; a sentence where its file cannot be read."""
    try:
        with st.spinner("Opening the workspace…"):
            ws = session.current_workspace()
        if ws is not None:
            ws.refresh()
    except AffragError as error:
        st.error(plain(error))
        if servers.is_server(session.current_slug() or ""):
            st.page_link("pages/data/workspaces.py", label="Try again or give its password on Workspaces", icon=":material/database:")
        st.page_link("pages/home/start.py", label="Go to Start", icon=":material/home:")
        st.stop()
    return ws


def show_state(ws: Workspace) -> None:
    """The workspace's name, its size, the time it is seen at, and its text model."""
    moment = session.as_of(ws)
    seen = f"seen as of {moment.day} {moment:%B %Y, %H:%M} UTC" if moment else "no event has a time yet"
    if moment and moment == session.default_as_of(ws) and session.has_later_events(ws, moment):
        seen += "; later events do not count yet"
    st.markdown(f"**{plain(ws.name, most=60)}** · {counted(len(ws), 'event')}, {counted(ws.n_edges, 'link')} · {seen}", width="stretch")
    with st.container(width="content"):
        model_view.model_state(ws)


def _nothing_open() -> None:
    asked = session.current_slug()
    if asked:
        st.warning(f"There is no workspace called “{plain(asked, most=60)}” here. It may have been kept on another machine.")
    else:
        st.info("No workspace is open. Choose a demo, bring your own file, or begin with an empty one.")
    st.page_link("pages/home/start.py", label="Go to Start", icon=":material/home:")
    st.stop()
