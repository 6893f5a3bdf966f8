"""What the tests of pages share: no real model, and workspaces to look at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from affrag_core import Edge, Event, FloatArray, Workspace
from pages.shared import folders, resources
from pages.shared.encoder_shelf import EncoderShelf


class LetterEncoder:
    """Counts the letters a, b and c: quick, and the same every time."""

    dim = 3

    def __init__(self, name: str) -> None:
        self.name = self.cache_key = name

    def encode(self, texts: Sequence[str], *, progress: object = None, cancelled: Callable[[], bool] | None = None) -> FloatArray:
        rows = np.zeros((len(texts), 3), dtype=np.float32)
        for n, text in enumerate(texts):
            rows[n] = [1 + text.count(letter) for letter in "abc"]
        return rows


@pytest.fixture(autouse=True)
def shelf(monkeypatch: pytest.MonkeyPatch) -> Iterator[EncoderShelf]:
    """Models that are made at once and know nothing; no test loads a real one by looking at a page."""
    monkeypatch.setenv("AFFRAG_PRELOAD", "0")
    shared = resources.shared()
    small = EncoderShelf(LetterEncoder)
    monkeypatch.setattr(shared, "shelf", small)
    yield small
    for job in shared.jobs.values():
        job.cancel()
        job.join(10)
    shared.jobs.clear()


@pytest.fixture
def make_workspace(data_dir: Path) -> Callable[..., Workspace]:
    """A function that fills a workspace in the test's data folder; returns it as the app has it open."""

    def make(slug: str = "notes", events: Sequence[Event] = (), edges: Sequence[Edge] = (), **settings: object) -> Workspace:
        path = folders.workspace_folder() / (slug + folders.SUFFIX)
        path.touch(exist_ok=False)
        ws = resources.opened(str(path))
        for key, value in {"name": slug.title(), "encoder": "all-MiniLM-L6-v2", **settings}.items():
            ws.set_setting(key, value)
        if events:
            ws.add_events(events)
        if edges:
            ws.add_edges(edges)
        return ws

    return make
