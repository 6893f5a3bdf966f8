"""The mood of a question, in the words of the workspace's own feelings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affrag_core import EMOTION_WORDS, EventError, chosen_emotions_vector, emotion_labels
from pages.shared.feelings_work import reads_texts

if TYPE_CHECKING:
    from affrag_core import RetrievalConfig, Workspace


def mood_words(ws: Workspace) -> list[str]:
    """The words that can be a mood: the 28 kinds where feelings are read from texts, else those with a place on the plane."""
    return list(emotion_labels()) if reads_texts(ws) else sorted(EMOTION_WORDS)


def with_mood_vector(ws: Workspace, config: RetrievalConfig) -> RetrievalConfig:
    """The config with its mood as a vector of the 28 kinds, where those are the workspace's feelings; else as it is.

    Raises
    ------
    EventError
        If the mood is a word that is none of them.
    """
    if not reads_texts(ws) or not isinstance(config.mood, str) or config.mood_weight == 0:
        return config
    if config.mood not in emotion_labels():
        message = f"the mood “{config.mood}” is none of the 28 feelings of this workspace; choose one of those, or none"
        raise EventError(message, field="mood")
    return config.with_changes(mood=tuple(chosen_emotions_vector([config.mood]).tolist()))
