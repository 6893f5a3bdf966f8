"""From a reading of a file and a person's choices to what goes into the workspace, in one step that one undo takes back. No Streamlit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from affrag_core import EMOTION_SPACE, EventError, next_in_time, resolve_duplicates
from pages.shared.text import counted
from pages.shared.vectors_work import with_feeling_vector

if TYPE_CHECKING:
    from affrag_core import Edge, Event, Reading, Workspace

UNKNOWN_SPACE = "given with the file"
"""Name of a space whose vectors came with a file, and nobody knows what made them."""


@dataclass(frozen=True, slots=True)
class Choices:
    """What a person decided about a file.

    Parameters
    ----------
    duplicates : str
        One of `DUPLICATE_CHOICES`.
    link_next : bool
        Link each event to the next in time.
    within : str, optional
        Only among events with the same value of this field or column.
    keep_semantic, keep_emotional : bool
        Keep the file's own vectors; else they are made from the texts and the feelings.
    semantic_space : str, optional
        What made the file's semantic vectors, where the workspace does not say it.
    """

    duplicates: str = "refuse"
    link_next: bool = False
    within: str | None = None
    keep_semantic: bool = True
    keep_emotional: bool = True
    semantic_space: str | None = None


@dataclass(frozen=True, slots=True)
class ReadyImport:
    """What a file will bring in, and what was said about it."""

    reading: Reading
    events: Sequence[Event]
    edges: Sequence[Edge]
    n_proposed: int
    replaces: frozenset[str]
    notes: tuple[str, ...]
    label: str
    spaces: dict[str, str] = field(default_factory=dict)

    def write(self, ws: Workspace) -> None:
        """Write all of it in one transaction.

        Raises
        ------
        AffragError
            If something does not fit the workspace; nothing is written then.
        """
        with ws.change(self.label) as draft:
            spaces: dict[str, Any] = self.spaces
            draft.add_events(self.events, update=bool(self.replaces))
            draft.add_edges(self.edges)
            draft.set_spaces(**spaces)


def ready_import(ws: Workspace, name: str, reading: Reading, choices: Choices) -> ReadyImport:
    """What the file brings in under these choices.

    Raises
    ------
    EventError
        If the file's vectors do not fit the workspace's.
    """
    existing = {event.id for event in ws.events()}
    known_edges = {edge.key for edge in ws.edges()}
    resolution = resolve_duplicates(reading, existing, choices.duplicates, existing_edges=known_edges)  # type: ignore[arg-type]
    events, warnings = _with_vectors(ws, resolution.reading.events, choices)
    proposed = []
    if choices.link_next:
        taken = known_edges | {edge.key for edge in resolution.reading.edges}
        proposed = [edge for edge in next_in_time(events, within=choices.within) if edge.key not in taken]
    sentences = (resolution.sentence,) if resolution.sentence else ()
    return ReadyImport(
        reading=resolution.reading,
        events=events,
        edges=(*resolution.reading.edges, *proposed),
        n_proposed=len(proposed),
        replaces=resolution.replaces,
        notes=(*reading.notes, *sentences, *warnings),
        label=f"Bring in {counted(len(events), 'event')} from {name[:40]}",
        spaces=_spaces(ws, events, choices),
    )


def _with_vectors(ws: Workspace, events: Sequence[Event], choices: Choices) -> tuple[list[Event], list[str]]:
    made, unknown = [], []
    for event in events:
        dropped = {"semantic_vec": None} if not choices.keep_semantic and event.semantic_vec is not None else {}
        if not choices.keep_emotional and event.emotional_vec is not None:
            dropped["emotional_vec"] = None
        new, warning = with_feeling_vector(event.replace(**dropped) if dropped else event, ws.emotional_space)
        made.append(new)
        if warning:
            unknown.append(str(event.emotion))
    if not unknown:
        return made, []
    words, many = ", ".join(dict.fromkeys(unknown[:20])), counted(len(unknown), "feeling")
    return made, [f"{many} not in the table of words: {words}. The events keep the word, but links cannot weigh it."]


def _spaces(ws: Workspace, events: Sequence[Event], choices: Choices) -> dict[str, str]:
    """Names for the spaces that the workspace has none for yet."""
    spaces = {}
    if ws.semantic_space is None and any(event.semantic_vec is not None for event in events):
        spaces["semantic"] = choices.semantic_space or UNKNOWN_SPACE
    if ws.emotional_space is None:
        lengths = {len(event.emotional_vec) for event in events if event.emotional_vec is not None}
        if lengths:
            spaces["emotional"] = EMOTION_SPACE if lengths == {2} else UNKNOWN_SPACE
    return spaces


def lengths_differ(ws: Workspace, events: Sequence[Event], name: str) -> str | None:
    """A sentence where the file's vectors have another length than the workspace's."""
    new = next((len(vector) for event in events if (vector := getattr(event, name)) is not None), None)
    old = next((len(vector) for event in ws.events() if (vector := getattr(event, name)) is not None), None)
    if new is None or old is None or new == old:
        return None
    return f"The file's vectors have {new:,} numbers, those of the workspace {old:,}; they cannot be compared, so new ones are made."


def checked_space(space: str | None, events: Sequence[Event], dims: dict[str, int]) -> str | None:
    """The space's name, refused where its vectors are known to have another length."""
    length = next((len(event.semantic_vec) for event in events if event.semantic_vec is not None), None)
    if space in dims and length is not None and length != dims[space]:
        raise EventError(f"vectors of {space} have {dims[space]} numbers, those of the file {length}", field="semantic_vec")
    return space
