"""What a page calls an event: short names, and chips for its state. All of it safe to stand in markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from pages.shared.text import plain, shortened

if TYPE_CHECKING:
    from affrag_core import Workspace

STATE_COLOURS = {"VALID": "green", "TEMPORAL": "orange", "EXPIRED": "gray"}
PLAIN_WINDOW = {"open-ended": "valid"}


def title(ws: Workspace, event_id: str, most: int = 60) -> str:
    """The start of an event's text, as markdown; its id where it is gone."""
    return plain(ws.event(event_id).text if ws.has_event(event_id) else event_id, most=most)


def axis_names(ws: Workspace, event_ids: Iterable[str], *, most: int = 34) -> dict[str, str]:
    """For charts: an id, and as much of its text as there is room for. Not markdown."""
    names = {}
    for event_id in event_ids:
        short = shortened(event_id, 18)
        text = ws.event(event_id).text if ws.has_event(event_id) else ""
        names[event_id] = short if text in ("", event_id) else shortened(f"{short} · {text}", most)
    return names


def id_chip(event_id: str, *, chosen: bool = False, most: int = 22) -> str:
    """An event's id as a chip, a chosen one marked."""
    shown = plain(event_id, most=most)
    return f":blue-badge[**{shown}**]" if chosen else f":gray-badge[{shown}]"


def state_chip(row: Mapping[str, Any]) -> str:
    """An event's validity at the query time as a chip: ``expired 180 days ago``, ``42 hours left``, ``valid``."""
    window = str(row.get("window") or "")
    words = PLAIN_WINDOW.get(window, window)
    if row.get("superseded_by"):
        words = f"{words}, superseded by {row['superseded_by']}"
    colour = STATE_COLOURS.get(str(row.get("validity_state")), "gray")
    return f":{colour}-badge[{plain(words, most=60)}]" if words else ""
