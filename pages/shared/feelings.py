"""What a person said an event felt like, beside what is read from its text, and both in words. No Streamlit here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from affrag_core import Event

AS_SAID = "feelings_as_said"
"""Key in an event's metadata for the labels that a person chose; so they are exported with it, and outlive every new reading."""


def said_feelings(event: Event) -> tuple[str, ...]:
    """The labels that a person chose for an event, in the order of the labels; none where a file put anything else there."""
    from affrag_core import emotion_labels

    said = event.metadata.get(AS_SAID)
    if not isinstance(said, list | tuple):
        return ()
    return tuple(label for label in emotion_labels() if label in said)


def with_said_feelings(metadata: Mapping[str, Any], chosen: Sequence[str]) -> dict[str, Any]:
    """Metadata that keeps the labels a person chose; no label takes the key away, so that the text is read again."""
    kept = {name: value for name, value in metadata.items() if name != AS_SAID}
    return kept | ({AS_SAID: list(chosen)} if chosen else {})


def feelings_line(event: Event, space: str | None) -> str:
    """The feelings of an event where the workspace's are the 28 kinds: ``joy 0.71, love 0.22 · read from the text``; else empty."""
    from affrag_core import EMOTION_LABELS_SPACE, emotion_labels, emotion_words

    if space != EMOTION_LABELS_SPACE:
        return ""
    said = said_feelings(event)
    if said:
        return f"{', '.join(said)} · as you said"
    if event.emotional_vec is None:
        return "not read from the text yet"
    if len(event.emotional_vec) != len(emotion_labels()):
        return ""
    return f"{emotion_words(event.emotional_vec)} · read from the text"
