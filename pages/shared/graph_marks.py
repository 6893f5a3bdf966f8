"""What colours and shapes mean on the memory graph; the same as in every other view, and safe for colour-blind eyes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from affrag_core import EMOTION_LABELS_SPACE, EMOTION_SPACE, EncoderError, EventError, ValidityState, emotion_vector, top_emotions

if TYPE_CHECKING:
    from affrag_core import Event, FloatArray

ColourBy = Literal["kind", "validity", "valence", "doc_type"]
COLOUR_BY: dict[ColourBy, str] = {"kind": "Kind", "validity": "Validity", "valence": "Feeling", "doc_type": "Document type"}
"""What the nodes may be coloured by, in plain words."""

SHAPES = {"STATIC": "dot", "VERSIONED": "diamond", "EVENT": "star"}
KIND_COLOURS = {"STATIC": "#56B4E9", "VERSIONED": "#009E73", "EVENT": "#E69F00"}
STATE_COLOURS = {ValidityState.VALID: "#009E73", ValidityState.TEMPORAL: "#E69F00", ValidityState.EXPIRED: "#999999"}
STATE_WORDS = {ValidityState.VALID: "valid", ValidityState.TEMPORAL: "active window", ValidityState.EXPIRED: "outside its window"}
TYPE_COLOURS = ("#56B4E9", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#0072B2", "#F0E442")
OTHER_COLOUR = "#8C8C8C"
VALENCE_STEPS = (
    (-0.5, "#D55E00", "unpleasant"),
    (-0.1, "#EBA36A", "somewhat unpleasant"),
    (0.1, "#BFC4C9", "neither"),
    (0.5, "#7DB9DE", "somewhat pleasant"),
    (float("inf"), "#0072B2", "pleasant"),
)
"""Up to which valence, its colour, its words; from orange over grey to blue."""


PLAIN = frozenset({str, int, float, bool, type(None)})


class Mark(NamedTuple):
    """A colour, what it means, and its place in the legend."""

    colour: str
    meaning: str
    order: int


def marks(
    events: Sequence[Event], states: Sequence[ValidityState] | None, colour_by: ColourBy, *, emotional_space: str | None = None
) -> list[Mark]:
    """A colour and its meaning for each event.

    Parameters
    ----------
    events : sequence of Event
    states : sequence of ValidityState, optional
        One an event; without a time there are none.
    colour_by : ColourBy
    emotional_space : str, optional
        Of the workspace; tells whether an emotional vector begins with valence.
    """
    if colour_by == "validity":
        return [_of_state(state) for state in states] if states is not None else [Mark(OTHER_COLOUR, "no time is set", 0)] * len(events)
    if colour_by == "valence":
        return [_of_valence(valence_of(event, emotional_space)) for event in events]
    if colour_by == "doc_type":
        return _of_types([event.doc_type for event in events])
    return [_of_kind(event.kind.value) for event in events]


def valence_of(event: Event, emotional_space: str | None = None) -> float | None:
    """How pleasant an event felt, in [-1, 1]; None where no known feeling was given.

    Where feelings are read from the texts it is the place of the likeliest one, and None where none is clear.
    """
    if event.emotional_vec is not None and emotional_space == EMOTION_LABELS_SPACE:
        return _valence_of_label(event.emotional_vec)
    if event.emotion is not None:
        try:
            return float(emotion_vector(event.emotion)[0])
        except EventError:
            pass  # a word without a place on the plane; its vector may still have one
    if event.emotional_vec is not None and emotional_space == EMOTION_SPACE:
        return float(event.emotional_vec[0])
    return None


def _valence_of_label(probabilities: FloatArray) -> float | None:
    try:
        best = top_emotions(probabilities, 1)[0][0]
    except EncoderError:
        return None  # A file may give vectors of any length under that name.
    return float(emotion_vector(best.label)[0]) if best.likely else None


def feeling_words(event: Event) -> str:
    """The feeling as it was given; empty where none was."""
    if event.emotion is None or isinstance(event.emotion, str):
        return event.emotion or ""
    return f"valence {event.emotion.valence:+.2g}, arousal {event.emotion.arousal:+.2g}".replace("-", "−")


def _of_kind(kind: str) -> Mark:
    return Mark(KIND_COLOURS.get(kind, OTHER_COLOUR), kind, list(SHAPES).index(kind) if kind in SHAPES else len(SHAPES))


def _of_state(state: ValidityState) -> Mark:
    return Mark(STATE_COLOURS[state], STATE_WORDS[state], list(STATE_COLOURS).index(state))


def _of_valence(valence: float | None) -> Mark:
    if valence is None:
        return Mark("#767676", "no known feeling", len(VALENCE_STEPS))
    order, (_, colour, words) = next((i, step) for i, step in enumerate(VALENCE_STEPS) if valence <= step[0])
    return Mark(colour, words, order)


def _of_types(types: Sequence[str]) -> list[Mark]:
    """The most frequent types have colours of their own, the rest one together."""
    common = [name for name, _ in sorted(Counter(types).items(), key=lambda item: (-item[1], item[0]))]
    own = {name: Mark(TYPE_COLOURS[i], name, i) for i, name in enumerate(common[: len(TYPE_COLOURS)])}
    others = Mark(OTHER_COLOUR, "other types" if len(common) - len(own) > 1 else (common or [""])[-1], len(own))
    return [own.get(name, others) for name in types]


def plain_attributes(values: dict[str, Any]) -> dict[str, Any]:
    """The same attributes, after making sure that each is of a plain JSON type; PyVis itself does not look.

    Raises
    ------
    TypeError
        Naming the attribute.
    """
    for name, value in values.items():
        inner = value.values() if type(value) is dict else (value,)
        if not PLAIN.issuperset(map(type, inner)) or (type(value) is float and not isfinite(value)):
            raise TypeError(f"{name} must be plain text or a finite number to be drawn, got {value!r}")
    return values
