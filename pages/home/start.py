"""The first page: what this is, and three doors into it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import streamlit as st

from pages.shared import folders, making, servers, session
from pages.shared.file_types import FILE_TYPES, FILE_WORDS
from pages.shared.style import apply_style
from pages.shared.text import counted, plain

EVENTS_PAGE, RETRIEVE_PAGE = "pages/data/events.py", "pages/explore/retrieve.py"
RECENT = 6


def enter(slug: str, page: str) -> None:
    """Open a workspace on a page."""
    session.switch_workspace(slug)
    st.switch_page(page, query_params={session.WORKSPACE: slug})


def made(make: Callable[[], str]) -> str | None:
    """What the address calls a new workspace; None, and a sentence on the page, where it could not be made."""
    from affrag_core import AffragError

    try:
        return make()
    except AffragError as error:
        st.error(plain(error))
        return None


def show_continue() -> None:
    """Workspaces that are there already, the last used first."""
    saved, elsewhere = worth_showing(), known_servers()
    if not saved and not elsewhere:
        return
    st.subheader("Go on where you were", anchor=False)
    with st.container(horizontal=True, gap="small"):
        for one in saved[:RECENT]:
            when = datetime.fromtimestamp(one.changed, tz=UTC)
            help_text = f"Last changed {when.day} {when:%B %Y, %H:%M} UTC"
            if st.button(plain(one.name, most=40), key=f"open_{one.slug}", help=help_text, icon=":material/folder_open:"):
                enter(one.slug, RETRIEVE_PAGE)
        for server in elsewhere:
            if st.button(plain(server.name, most=40), key=f"open_{server.slug}", help=plain(server.address), icon=":material/database:"):
                enter(server.slug, RETRIEVE_PAGE)
    if len(saved) > RECENT:
        older = st.selectbox(
            "Older workspaces", saved[RECENT:], index=None, format_func=lambda one: one.name, key="open_older", placeholder="Choose one"
        )
        if older is not None:
            enter(older.slug, RETRIEVE_PAGE)


def worth_showing() -> list[folders.SavedWorkspace]:
    """The workspaces on disk, once those are gone that were made for a file which nobody brought in."""
    own = session.file_slug()
    # What this session still holds of its file is not lost by a look at this page.
    left = own if own is not None and not session.holds_file(own) else None
    a_day_ago = datetime.now(tz=UTC).timestamp() - 86_400
    stay = making.clear_waiting(folders.saved_workspaces(), own=left, before=a_day_ago)
    if left is not None and session.current_slug() == left and all(one.slug != left for one in stay):
        session.switch_workspace(None)
    return stay


def known_servers() -> list[servers.Server]:
    """Workspaces on database servers; a sentence where the setting that names one is no address."""
    from affrag_core import WorkspaceError

    try:
        return servers.known()
    except WorkspaceError as error:
        st.error(plain(f"{servers.SETTING}: {error}"))
        return []


def show_demos() -> None:
    """The first door."""
    from affrag_core import list_demos

    st.subheader("1 · Try a demo", anchor=False)
    st.write("Dated memories with questions to ask. You get a copy, so nothing can break.")
    for n, demo in enumerate(list_demos(folders.DEMO_FOLDER)):
        weight = "primary" if n == 0 else "secondary"
        opened = st.button(plain(demo.title), key=f"demo_{demo.name}", icon=":material/play_arrow:", width="stretch", type=weight)
        st.caption(f"{counted(demo.n_events, 'event')} · {plain(demo.sentence)}")
        if opened:
            with st.spinner("Copying the demo…"):
                slug = made(lambda folder=demo.folder: making.demo_workspace(folder))
            if slug is not None:
                enter(slug, RETRIEVE_PAGE)


def show_file_door() -> None:
    """The second door: a file becomes a workspace, looked through on the Events page before anything is kept."""
    st.subheader("2 · Bring your own file", anchor=False)
    st.write(FILE_WORDS)
    file = st.file_uploader("Your file", type=FILE_TYPES, key="start_file", label_visibility="collapsed")
    st.caption("You see what was understood of it, and what was not and why, before anything is kept. It stays on this machine.")
    if file is None:
        return
    from pages.shared.upload_view import take

    slug = made(lambda: making.file_workspace(file.name))
    if slug is not None:
        session.note_file_slug(slug)
        take(session.drafts(making.opened(slug), "upload"), file.name, file.getvalue())
        session.show_view("events_view", "file")
        enter(slug, EVENTS_PAGE)


def show_empty_door() -> None:
    """The third door."""
    st.subheader("3 · Begin with nothing", anchor=False)
    st.write("An empty workspace, to write your first memories by hand.")
    with st.form("empty_door", border=False):
        name = st.text_input("Its name", key="empty_name", placeholder="My memories", max_chars=80)
        if st.form_submit_button("Make it", key="make_empty"):
            slug = made(lambda: making.empty_workspace(name)) if name.strip() else None
            if slug is not None:
                enter(slug, EVENTS_PAGE)
            elif not name.strip():
                st.error("Please give it a name first, so that you find it again.")


def show_how() -> None:
    """What happens to a question, in three sentences."""
    st.subheader("What happens to a question", anchor=False)
    steps = (
        ("It finds a few memories", "that mean something like it, and weighs how fresh they are and whether they are still true."),
        ("From those it walks along links", "to the memories that are close in meaning, in feeling and in time."),
        ("You see every step:", "which memories it could go to, what each counted, and why one won. Move a slider and watch it change."),
    )
    for column, (begin, end) in zip(st.columns(3), steps, strict=True):
        column.markdown(f"**{begin}** {end}")


st.title("Memory explorer", anchor=False)
apply_style()
st.write("Keep dated memories, ask a question, and see step by step why each one was found: what it means, how it feels, and when it was.")
show_continue()
for column, show_door in zip(st.columns(3), (show_demos, show_file_door, show_empty_door), strict=True):
    with column.container(border=True, height="stretch"):
        show_door()
show_how()
