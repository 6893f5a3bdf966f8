"""What a browser session holds, and everything that is cached. The only place that names session keys.

Shared by all sessions: open workspaces (by file), their retrievers, recent traces. Of one session: which workspace is open, kept in
the address as ``?workspace=`` so that reload, back and deep links return to it, and the time that is looked at.
"""

from __future__ import annotations

import hashlib
import threading
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from pages.shared import folders

if TYPE_CHECKING:
    from affrag_core.config import RetrievalConfig
    from affrag_core.retrieval.retriever import Retriever
    from affrag_core.retrieval.trace import RetrievalTrace
    from affrag_core.workspace import Workspace

WORKSPACE = "workspace"


@st.cache_resource(show_spinner=False)
def opened(path: str) -> Workspace:
    """The workspace of a file, one object for all sessions."""
    from affrag_core.workspace import Workspace

    return Workspace.open(path)


def current_slug() -> str | None:
    """Which workspace the address names; else the session's own, which is then put back into the address."""
    asked = st.query_params.get(WORKSPACE)
    if asked is not None:
        st.session_state[WORKSPACE] = asked
    elif (kept := st.session_state.get(WORKSPACE)) is not None:
        st.query_params[WORKSPACE] = kept
    return st.session_state.get(WORKSPACE)


def current_workspace() -> Workspace | None:
    """The open workspace of this session; None where none is chosen, or the one named does not exist."""
    slug = current_slug()
    path = folders.workspace_path(slug) if slug else None
    return None if path is None else opened(str(path))


def switch_workspace(slug: str | None) -> None:
    """Make another workspace (or none) the current one."""
    st.session_state[WORKSPACE] = slug
    if slug is None:
        st.query_params.pop(WORKSPACE, None)
    else:
        st.query_params[WORKSPACE] = slug


def default_as_of(ws: Workspace) -> datetime | None:
    """The workspace's pinned time, else its newest event's; None where no event has a time."""
    from affrag_core.events.times import as_utc

    pinned = ws.setting("as_of")
    if pinned is not None:
        return as_utc(pinned, field="as_of")
    return max((event.timestamp for event in ws.events() if event.timestamp), default=None)


def as_of(ws: Workspace) -> datetime | None:
    """The time this session looks at the workspace: what was chosen, else `default_as_of`."""
    return st.session_state.get(f"as_of:{ws.target}") or default_as_of(ws)


def set_as_of(ws: Workspace, moment: datetime | None) -> None:
    """Look at the workspace as of that time from now on; None returns to the default."""
    st.session_state[f"as_of:{ws.target}"] = moment


@st.cache_resource(show_spinner=False, max_entries=8)
def _retriever(target: str, _ws: Workspace) -> tuple[Retriever, threading.Lock]:
    from affrag_core.retrieval.retriever import Retriever

    return Retriever(_ws), threading.Lock()


def retriever(ws: Workspace) -> Retriever:
    """The workspace's retriever, one for all sessions; it follows the workspace's changes by itself."""
    return _retriever(str(ws.target), ws)[0]


def trace(ws: Workspace, query: str, query_vec: Any, config: RetrievalConfig, moment: datetime) -> RetrievalTrace:
    """One retrieval, kept for a while: the same question to the same data costs nothing again."""
    digest = hashlib.sha256(query_vec.tobytes()).hexdigest() if query_vec is not None else ""
    return _trace(str(ws.target), ws.version, query, digest, config.model_dump_json(), moment, ws, query_vec, config)


@st.cache_resource(show_spinner=False, max_entries=32)
def _trace(
    target: str, version: int, query: str, digest: str, settings: str, moment: datetime, _ws: Workspace, _vec: Any, _config: RetrievalConfig
) -> RetrievalTrace:
    one, lock = _retriever(target, _ws)
    with lock:
        return one.retrieve(query, _config, moment, query_vec=_vec)


def encode_query(ws: Workspace, text: str) -> Any:
    """The question's vector in the workspace's semantic space; None while no encoder for it is ready."""
    return None


def path_of(ws: Workspace) -> Path:
    """The file a workspace lies in."""
    return Path(str(ws.target))
