"""What all sessions of this process share: open workspaces, their retrievers, recent traces, loaded models, running work.

Every cache of the app is here. Its keys are small (a file, a version, a digest); arguments with an underscore are not hashed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from pages.shared.encoder_shelf import EncoderShelf
from pages.shared.jobs import Job

if TYPE_CHECKING:
    from affrag_core import Encoder, FloatArray, RetrievalConfig, RetrievalTrace, Retriever, VectorCache, Workspace

FORGET_WAIT_S = 5.0
"""How long a deletion waits for work on the workspace to stop; whatever is written later is refused."""


@dataclass(slots=True)
class Shared:
    """Loaded models, and the long action of each workspace file."""

    shelf: EncoderShelf = field(default_factory=EncoderShelf)
    jobs: dict[str, Job] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def start(self, target: str, job: Job, work: Callable[[Job], str]) -> Job:
        """Run `work(job)` in a thread unless something runs on that workspace already; returns what runs."""
        with self.lock:
            running = self.jobs.get(target)
            if running is not None and running.phase == "running":
                return running
            self.jobs[target] = job
            return job.start(work)


@st.cache_resource(show_spinner=False)
def shared() -> Shared:
    """The one object that all sessions share."""
    return Shared()


def opened(target: str) -> Workspace:
    """The workspace of a file that is there, or of a database address; one object for all sessions.

    Raises
    ------
    WorkspaceError
        If it cannot be opened.
    """
    return _opened(target, _number(target))


def _number(target: str) -> int:
    """A file's number, part of its key: a file that takes the place of a deleted one is another workspace."""
    return 0 if "://" in target else Path(target).stat().st_ino


@st.cache_resource(show_spinner=False, max_entries=16)
def _opened(target: str, number: int) -> Workspace:  # noqa: ARG001 - the key is what is hashed
    from affrag_core import Workspace

    # A file is there, perhaps still empty; what lies on a server is made only by who asks for it.
    return Workspace.open(target, create="://" not in target)


def forget(target: str) -> None:
    """Let go of a workspace before it is deleted: another may be made in its place, with the same versions.

    Its work is asked to stop. Other workspaces lose only what can be made again.
    """
    from affrag_core import shown_target

    shown = shown_target(target)
    job = shared().jobs.pop(shown, None)
    if job is not None:
        job.cancel()
        job.join(FORGET_WAIT_S)
    _opened.clear(target, _number(target))
    retriever.clear(shown, None)
    for cache in (_summary, _event_ids, trace):
        cache.clear()


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts over all events and links of one version of a workspace."""

    oldest: datetime | None
    newest: datetime | None
    n_dated: int
    n_without_vector: int
    n_without_feeling: int
    doc_types: tuple[str, ...]
    relations: tuple[str, ...]


def summary(ws: Workspace) -> Summary:
    """Counts over all events and links, made once a version."""
    return _summary((str(ws.target), ws.version), ws)


@st.cache_resource(show_spinner=False, max_entries=16)
def _summary(key: tuple[str, int], _ws: Workspace) -> Summary:  # noqa: ARG001 - as above
    times = [event.timestamp for event in _ws.events() if event.timestamp]
    return Summary(
        oldest=min(times, default=None),
        newest=max(times, default=None),
        n_dated=len(times),
        n_without_vector=sum(event.semantic_vec is None for event in _ws.events()),
        n_without_feeling=sum(event.emotional_vec is None for event in _ws.events()),
        doc_types=tuple(sorted({event.doc_type for event in _ws.events()})),
        relations=tuple(sorted({edge.relation for edge in _ws.edges()})),
    )


def event_ids(ws: Workspace) -> frozenset[str]:
    """The ids of all events, made once a version."""
    return _event_ids((str(ws.target), ws.version), ws)


@st.cache_resource(show_spinner=False, max_entries=4)
def _event_ids(key: tuple[str, int], _ws: Workspace) -> frozenset[str]:  # noqa: ARG001 - as above
    return frozenset(event.id for event in _ws.events())


@st.cache_resource(show_spinner=False, max_entries=8)
def retriever(target: str, _ws: Workspace) -> tuple[Retriever, threading.Lock]:  # noqa: ARG001 - as above
    """A workspace's retriever, which follows its changes by itself, and the lock to hold while it works."""
    from affrag_core import Retriever

    return Retriever(_ws), threading.Lock()


TraceKey = tuple[str, int, str, str, str, str]
"""Workspace file and version, question, digest of its vector, settings as JSON, time."""


@st.cache_resource(show_spinner=False, max_entries=32)
def trace(key: TraceKey, _ws: Workspace, _query_vec: FloatArray, _config: RetrievalConfig, _moment: datetime) -> RetrievalTrace:
    """One retrieval."""
    one, lock = retriever(key[0], _ws)
    with lock:
        return one.retrieve(key[2], _config, _moment, query_vec=_query_vec)


@st.cache_resource(show_spinner=False, max_entries=8)
def term_count_encoder(space: str, _words: Sequence[str]) -> Encoder:  # noqa: ARG001 - as above
    """The reference's encoder over the words that a space is named after."""
    from affrag_core import TermCountEncoder

    return TermCountEncoder(_words)


@st.cache_resource(show_spinner=False)
def vector_cache(folder: str) -> VectorCache:
    """The vectors on disk, by encoder and text."""
    from affrag_core import VectorCache

    return VectorCache(folder)
