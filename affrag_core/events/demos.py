"""Read the small data sets that come with the project: events, links, their vectors and sample questions.

A set is a folder with ``demo.json``, ``events.jsonl``, ``edges.jsonl`` and ``vectors.npz``; ``demo_data/README.md`` states the format.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from affrag_core.errors import AffragError, ReadError
from affrag_core.events.edge import Edge
from affrag_core.events.event import Event
from affrag_core.events.times import as_utc
from affrag_core.events.vectors import FloatArray, as_vector

_T = TypeVar("_T")
_VECTORS = ("semantic", "emotional", "questions")


@dataclass(frozen=True, slots=True)
class DemoCard:
    """What a first page says about a set, read without its events."""

    name: str
    title: str
    sentence: str
    folder: Path
    n_events: int


@dataclass(frozen=True, slots=True, eq=False)
class DemoQuestion:
    """A question that comes with its vector, and what to look for in the answer."""

    text: str
    note: str
    vector: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Demo:
    """One set, ready for a workspace; `as_of` is the time that its questions ask about."""

    name: str
    title: str
    sentence: str
    as_of: datetime
    events: tuple[Event, ...]
    edges: tuple[Edge, ...]
    questions: tuple[DemoQuestion, ...]
    semantic_space: str
    emotional_space: str
    licence: str
    source: str


def list_demos(folder: str | Path) -> list[DemoCard]:
    """The sets below a folder, the smallest first; none where there is no such folder.

    Raises
    ------
    ReadError
        Naming the file that cannot be read.
    """
    found = sorted(Path(folder).glob("*/demo.json"))
    return sorted((_card(path.parent) for path in found), key=lambda card: (card.n_events, card.name))


def _card(folder: Path) -> DemoCard:
    about = _about(folder)
    n_events = len(_lines(folder / "events.jsonl"))
    return DemoCard(folder.name, _text(folder, about, "title"), _text(folder, about, "sentence"), folder, n_events)


def read_demo(folder: str | Path) -> Demo:
    """One set with all its vectors.

    Parameters
    ----------
    folder : str or Path

    Raises
    ------
    ReadError
        Naming the file and, where it has lines, the line.
    """
    folder = Path(folder)
    about = _about(folder)
    vectors = _read_vectors(folder / "vectors.npz")
    events = _read_lines(folder / "events.jsonl", lambda row: Event(**row))
    edges = _read_lines(folder / "edges.jsonl", lambda row: Edge(**row))
    questions = _read_questions(folder, about, vectors["questions"])
    for name in ("semantic", "emotional"):
        if len(vectors[name]) != len(events):
            raise ReadError(f"{folder / 'vectors.npz'}: {name} must have a row for each of {len(events)} events, got {len(vectors[name])}")
    try:
        as_of = as_utc(about.get("as_of"), field="as_of")
    except AffragError as error:
        raise ReadError(f"{folder / 'demo.json'}: {error}") from error
    rows = zip(events, vectors["semantic"], vectors["emotional"], strict=True)
    words = {name: _text(folder, about, name) for name in ("title", "sentence", "semantic_space", "emotional_space", "licence", "source")}
    return Demo(
        name=folder.name, as_of=as_of, events=tuple(_with_vectors(*row) for row in rows), edges=tuple(edges), questions=questions, **words
    )


def _with_vectors(event: Event, semantic: FloatArray, emotional: FloatArray) -> Event:
    # A row of NaN stands for an event without a feeling: an array has no empty rows.
    return event.replace(semantic_vec=semantic, emotional_vec=None if np.isnan(emotional).all() else emotional)


def _read_questions(folder: Path, about: Mapping[str, Any], vectors: FloatArray) -> tuple[DemoQuestion, ...]:
    rows = about.get("questions")
    if not isinstance(rows, list) or not all(isinstance(row, dict) and isinstance(row.get("text"), str) for row in rows):
        raise ReadError(f"{folder / 'demo.json'}: questions must be a list of objects with text and note")
    if len(rows) != len(vectors):
        raise ReadError(f"{folder / 'vectors.npz'}: questions must have a row for each of {len(rows)} questions, got {len(vectors)}")
    questions = []
    for row, given in zip(rows, vectors, strict=True):
        vector = as_vector(given, field="vector")
        if vector is not None:
            questions.append(DemoQuestion(row["text"], str(row.get("note", "")), vector))
    return tuple(questions)


def _about(folder: Path) -> dict[str, Any]:
    path = folder / "demo.json"
    try:
        about = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ReadError(f"{path} cannot be read: {error}") from error
    if not isinstance(about, dict):
        raise ReadError(f"{path} must hold one object")
    return about


def _text(folder: Path, about: Mapping[str, Any], name: str) -> str:
    value = about.get(name)
    if not isinstance(value, str) or not value.strip():
        raise ReadError(f"{folder / 'demo.json'}: {name} must be a text that is not blank, got {value!r}")
    return value


def _lines(path: Path) -> list[tuple[int, str]]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise ReadError(f"{path} cannot be read: {error}") from error
    # Not splitlines(): JSON may hold other line separators inside a text.
    return [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]


def _read_lines(path: Path, make: Callable[[dict[str, Any]], _T]) -> list[_T]:
    made = []
    for number, line in _lines(path):
        try:
            made.append(make(json.loads(line)))
        except (ValueError, TypeError) as error:
            raise ReadError(f"{path}, line {number}: {error}") from error
    return made


def _read_vectors(path: Path) -> dict[str, FloatArray]:
    try:
        with np.load(path, allow_pickle=False) as file:
            vectors = {name: file[name] for name in _VECTORS}
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        raise ReadError(f"{path} cannot be read: {error}") from error
    for name, array in vectors.items():
        if array.ndim != 2 or not np.issubdtype(array.dtype, np.floating):
            raise ReadError(f"{path}: {name} must be a table of numbers, got {array.dtype} of shape {array.shape}")
    return vectors
