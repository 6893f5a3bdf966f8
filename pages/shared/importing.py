"""From a reading of a file and a person's choices to what goes into the workspace. No Streamlit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from affrag_core import EMOTION_SPACE, EventError, compare_events, next_in_time, resolve_duplicates
from pages.shared.feelings_work import reads_texts, with_feeling_vector, without_stale_feeling
from pages.shared.import_plan import UPDATE, Choices, ReadyImport
from pages.shared.text import counted

if TYPE_CHECKING:
    from affrag_core import Event, Reading, Workspace

UNKNOWN_SPACE = "given with the file"
"""Name of a space whose vectors came with a file, and nobody knows what made them."""


def ready_import(ws: Workspace, name: str, reading: Reading, choices: Choices, absent: frozenset[str] = frozenset()) -> ReadyImport:
    """What the file brings in under these choices.

    Parameters
    ----------
    absent : frozenset of str
        Fields for which the file has no column: an update leaves them as they are.

    Raises
    ------
    EventError
        If the file's vectors do not fit the workspace's.
    """
    is_update = choices.duplicates == UPDATE
    known_edges = {edge.key for edge in ws.edges()}
    resolution = resolve_duplicates(
        reading,
        {event.id for event in ws.events()},
        "keep last" if is_update else choices.duplicates,  # type: ignore[arg-type]
        existing_edges=() if is_update else known_edges,
    )
    given = [_with_absent(ws, event, absent) for event in resolution.reading.events] if is_update else resolution.reading.events
    events, warnings = _with_vectors(ws, given, choices)
    edges = [edge for edge in resolution.reading.edges if edge.key not in known_edges]
    proposed = []
    if choices.link_next:
        taken = known_edges | {edge.key for edge in edges}
        proposed = [edge for edge in next_in_time(events, within=choices.within) if edge.key not in taken]
    sentences = (resolution.sentence,) if resolution.sentence and not is_update else ()
    ready = ReadyImport(
        reading=resolution.reading,
        events=events,
        edges=(*edges, *proposed),
        n_proposed=len(proposed),
        replaces=resolution.replaces,
        notes=(*reading.notes, *sentences, *warnings),
        label=f"Bring in {counted(len(events), 'event')} from {name[:40]}",
        spaces=_spaces(ws, events, choices),
    )
    return _as_update(ws, name, reading, ready, delete_missing=choices.delete_missing) if is_update else ready


def only_here(ws: Workspace, reading: Reading) -> tuple[str, ...]:
    """Ids of the events that the file does not have; a row that could not be read counts as being there."""
    in_file = {event.id for event in reading.events} | {fault.event_id for fault in reading.event_faults}
    return tuple(event.id for event in ws.events() if event.id not in in_file)


def _as_update(ws: Workspace, name: str, reading: Reading, ready: ReadyImport, *, delete_missing: bool) -> ReadyImport:
    found = compare_events(ws.events(), ready.events)
    missing = only_here(ws, reading)
    deletes = missing if delete_missing else ()
    gone = set(deletes)
    edges = [edge for edge in ready.edges if not gone & {edge.source, edge.target}]
    lost = len(ready.edges) - len(edges)
    notes = (f"Left out: {counted(lost, 'link')} to events that are deleted.",) if lost else ()
    n_touched = len(found.added) + len(found.changed) + len(deletes)
    return replace(
        ready,
        events=[*found.added, *(_with_fresh_feeling(ws, old, new) for old, new, _ in found.changed)],
        edges=edges,
        notes=(*ready.notes, *notes),
        label=f"Update {counted(n_touched, 'event')} from {name[:40]}",
        comparison=found,
        only_here=missing,
        deletes=deletes,
    )


def _with_absent(ws: Workspace, event: Event, absent: frozenset[str]) -> Event:
    """The event with what is known of it in fields that the file does not have."""
    if not absent or not ws.has_event(event.id):
        return event
    old = ws.event(event.id)
    return event.replace(**{name: getattr(old, name) for name in absent})


def _with_fresh_feeling(ws: Workspace, old: Event, new: Event) -> Event:
    """The changed event; feelings that are read from texts do not outlive the text they were read from."""
    space = ws.emotional_space
    return with_feeling_vector(without_stale_feeling(old, new, space), space)[0] if reads_texts(ws) else new


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
