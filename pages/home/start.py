"""The first page: what this is, and three doors into it."""

from __future__ import annotations

from datetime import UTC, datetime

import streamlit as st

from pages.shared import folders, making, session
from pages.shared.text import plain

EVENTS_PAGE, RETRIEVE_PAGE = "pages/data/events.py", "pages/explore/retrieve.py"
UPLOAD_TYPES = ["csv", "tsv", "txt", "json", "jsonl", "ndjson"]


def enter(slug: str, page: str, **view: str) -> None:
    """Open a workspace on a page."""
    session.switch_workspace(slug)
    st.switch_page(page, query_params={session.WORKSPACE: slug, **view})


def show_continue() -> None:
    """Workspaces that are there already, the last used first."""
    saved = folders.saved_workspaces()
    if not saved:
        return
    with st.container(key="continue"):
        st.subheader("Go on where you were", anchor=False)
        with st.container(horizontal=True, gap="small"):
            for one in saved[:8]:
                when = datetime.fromtimestamp(one.changed, tz=UTC)
                if st.button(plain(one.name, most=40), key=f"open_{one.slug}", help=f"Last changed {when.day} {when:%B %Y, %H:%M} UTC"):
                    enter(one.slug, RETRIEVE_PAGE)
        if len(saved) > 8:
            older = st.selectbox(
                "Older workspaces", saved[8:], index=None, format_func=lambda one: one.name, key="open_older", placeholder="Choose one"
            )
            if older is not None:
                enter(older.slug, RETRIEVE_PAGE)


def show_demos() -> None:
    """The first door."""
    from affrag_core import list_demos

    st.subheader("1 · Try a demo", anchor=False)
    st.write("Small sets of dated memories with questions to ask. Each opens in a copy of its own, so you cannot break anything.")
    left, right = st.columns(2)
    for n, demo in enumerate(list_demos(folders.DEMO_FOLDER)):
        with (left if n % 2 == 0 else right).container(border=True):
            st.markdown(f"**{plain(demo.title)}**")
            st.caption(plain(demo.sentence))
            if st.button("Open", key=f"demo_{demo.name}", help=f"Open the demo {demo.title}"):
                with st.spinner("Copying the demo…"):
                    slug = making.demo_workspace(demo.folder)
                enter(slug, RETRIEVE_PAGE)


def show_file_door() -> None:
    """The second door: a file becomes a workspace, looked through on the Events page before anything is kept."""
    st.subheader("2 · Bring your own file", anchor=False)
    st.write("A table (CSV, TSV), JSON, JSON lines, or a LoCoMo conversation. You see what was understood before anything is kept.")
    file = st.file_uploader("Your file", type=UPLOAD_TYPES, key="start_file", label_visibility="collapsed")
    if file is not None:
        from pages.shared.upload_view import take

        slug = making.empty_workspace(file.name.rsplit(".", 1)[0])
        take(session.drafts(making.opened(slug), "upload"), file.name, file.getvalue())
        enter(slug, EVENTS_PAGE, view="file")


def show_empty_door() -> None:
    """The third door."""
    st.subheader("3 · Begin with nothing", anchor=False)
    st.write("Write your first memories by hand.")
    with st.form("empty_door", border=False):
        name = st.text_input("Name of the workspace", key="empty_name", placeholder="My memories", max_chars=80)
        if st.form_submit_button("Make an empty workspace", key="make_empty"):
            if name.strip():
                enter(making.empty_workspace(name), EVENTS_PAGE)
            else:
                st.error("Please give it a name first, so that you find it again.")


st.title("Memory explorer", anchor=False)
st.write(
    "Keep dated memories, ask a question, and see step by step why each one was found: what it means, how it feels, and when it happened."
)
show_continue()
demos, own = st.columns([3, 2], gap="large")
with demos:
    show_demos()
with own:
    with st.container(border=True):
        show_file_door()
    with st.container(border=True):
        show_empty_door()
