"""What is chosen on the Retrieve page: a path, a hop on it, or an event. A card, a table row and a node all end in the same choice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pages.shared import session

if TYPE_CHECKING:
    from affrag_core import RetrievalTrace, Workspace

PLACE = "retrieve-choice"
IN_ADDRESS = ("path", "hop", "event")


@dataclass(frozen=True, slots=True)
class Choice:
    """The chosen path (None where there is none), the place on it (0 is its seed), and the event that is looked at."""

    path: Mapping[str, Any] | None
    place: int
    event_id: str | None


def choice(ws: Workspace, trace: RetrievalTrace) -> Choice:
    """The choice as it fits this trace: the same rank and place, or the nearest there is."""
    kept = session.drafts(ws, PLACE)
    event_id = kept.get("event")
    event_id = event_id if event_id is not None and ws.has_event(event_id) else None
    if not len(trace.paths):
        return Choice(None, 0, event_id)
    path = trace.paths[min(kept.get("rank", 1), len(trace.paths)) - 1]
    place = min(kept.get("place", 1), len(path["event_ids"]) - 1)
    return Choice(path, place, event_id or path["event_ids"][place])


def choose_path(ws: Workspace, rank: int) -> None:
    """Look at the path of that rank, at its first hop."""
    session.drafts(ws, PLACE).update(rank=rank, place=1, event=None)


def choose_place(ws: Workspace, place: int) -> None:
    """Look at a place on the chosen path; 0 is its seed."""
    session.drafts(ws, PLACE).update(place=place, event=None)


def choose_event(ws: Workspace, trace: RetrievalTrace, event_id: str) -> None:
    """Look at an event: on the chosen path if it is there, else on the best path with it, else by itself."""
    kept = session.drafts(ws, PLACE)
    now = choice(ws, trace)
    on = [path for path in ([now.path] if now.path else []) + list(trace.paths) if event_id in path["event_ids"]]
    if on:
        kept.update(rank=on[0]["rank"], place=list(on[0]["event_ids"]).index(event_id), event=None)
    elif ws.has_event(event_id):
        kept.update(event=event_id)


def forget(ws: Workspace) -> None:
    """Begin again at the first path, as for a new question."""
    session.drafts(ws, PLACE).clear()


def to_address(ws: Workspace) -> dict[str, str]:
    """The choice as query parameters; what is usual is left out."""
    kept = session.drafts(ws, PLACE)
    found = {"path": kept.get("rank", 1), "hop": kept.get("place", 1)}
    shown = {name: str(value) for name, value in found.items() if value != 1}
    return shown | ({"event": kept["event"]} if kept.get("event") else {})


def from_address(ws: Workspace, given: Mapping[str, str]) -> None:
    """Take over what `to_address` wrote; what is no number counts as 1."""
    numbers = {name: int(given[name]) if given.get(name, "").isdecimal() else 1 for name in ("path", "hop")}
    session.drafts(ws, PLACE).update(rank=max(1, numbers["path"]), place=numbers["hop"], event=given.get("event"))
