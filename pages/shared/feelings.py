"""What a person said an event felt like, beside what is read from its text, and both in words. No Streamlit here."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from pages.shared.encoder_shelf import BUNDLED

if TYPE_CHECKING:
    from affrag_core import Event

AS_SAID = "feelings_as_said"
"""Key in an event's metadata for the labels that a person chose; so they are exported with it, and outlive every new reading."""


def said_feelings(event: Event) -> tuple[str, ...]:
    """The labels that a person said of an event: those they chose, else the one that its word for the feeling is."""
    from affrag_core import emotion_labels

    word = event.emotion.strip().lower() if isinstance(event.emotion, str) else None
    return chosen_feelings(event) or ((word,) if word in emotion_labels() else ())


def chosen_feelings(event: Event) -> tuple[str, ...]:
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


def estimate_line(event: Event, semantic_space: str | None) -> str:
    """What the text sounds like: ``pleasant +0.45, excited +0.40``; empty where it has no vector that this can be read from."""
    from affrag_core import EncoderError, affect_estimate, affect_words

    if semantic_space != BUNDLED or event.semantic_vec is None or not event.text.strip():
        return ""
    try:
        return affect_words(affect_estimate(event.text, event.semantic_vec))
    except EncoderError:
        return ""  # A file may give any vectors under the model's name.


def unweighed_word(word: str, space: str | None) -> str:
    """What to know of a word for a feeling that links cannot weigh in this workspace; empty where they can, or there is none."""
    from affrag_core import EMOTION_LABELS_SPACE, EMOTION_SPACE, EMOTION_WORDS, emotion_labels

    word = word.strip().lower()
    if space == EMOTION_LABELS_SPACE:
        known: Collection[str] = emotion_labels()
        instead = "the feelings are read from the text instead"
    else:
        known, instead = EMOTION_WORDS, "links cannot weigh it"
    if not word or word in known or space not in (None, EMOTION_SPACE, EMOTION_LABELS_SPACE):
        return ""
    near = get_close_matches(word, known, n=3, cutoff=0.6)
    advice = f" Close to it: {', '.join(near)}." if near else ""
    return f"“{word}” is kept, but its place among the feelings is not known: {instead}.{advice}"


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
