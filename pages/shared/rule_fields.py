"""The fields of a rule as widgets need them, read from pydantic, and the columns of a workspace that can fill them. No Streamlit here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_origin

from pydantic import BaseModel

from affrag_core import Control, link_columns
from pages.shared.settings import bound, unwrapped

if TYPE_CHECKING:
    from affrag_core import Event

Kind = Literal["text", "flag", "whole", "number", "texts", "choice", "weights"]
LABELS = {
    "relation": "Relation of the new links",
    "within": "Only among events with the same",
    "column": "Column that holds the ids",
    "columns": "Columns that hold names",
    "names": "Names to look for in the texts",
    "k": "Links from each event, at most",
    "minimum": "Least likeness",
    "within_days": "Days apart, at most",
    "both_ways": "Link back as well",
    "backwards": "Link the other way round",
    "als": "Weights of the link score",
}


@dataclass(frozen=True, slots=True)
class RuleField:
    """One setting of a rule."""

    name: str
    label: str
    kind: Kind
    optional: bool
    minimum: float | None
    maximum: float | None
    help: str


def fields_of(model: type[BaseModel]) -> list[RuleField]:
    """The settings of a rule, or of the weights in it, in order; a field of one value only is none."""
    found = []
    for name, field in model.model_fields.items():
        inner, optional = unwrapped(field.annotation)
        control = next((mark for mark in field.metadata if isinstance(mark, Control)), None)
        label = control.label if control is not None else LABELS.get(name, name.replace("_", " ").capitalize())
        bounds = bound(field, "ge", "gt"), bound(field, "le", "lt")
        found.append(RuleField(name, label, _kind(inner), optional, *bounds, field.description or ""))
    return [field for field in found if field.name != "rule"]


def _kind(inner: Any) -> Kind:
    if get_origin(inner) is Literal:
        return "choice"
    if get_origin(inner) is tuple:
        return "texts"
    if isinstance(inner, type) and issubclass(inner, BaseModel):
        return "weights"
    kinds: dict[Any, Kind] = {bool: "flag", int: "whole", float: "number"}
    return kinds.get(inner, "text")


@dataclass(frozen=True, slots=True)
class Columns:
    """What events can be grouped by, refer with, and hold names in."""

    within: list[str]
    references: list[str]
    names: list[str]


def columns_of(events: Sequence[Event], ids: frozenset[str]) -> Columns:
    """The columns of these events; those that name an event of theirs come first among references."""
    references: dict[str, bool] = {}
    names: dict[str, None] = {}
    for event in events:
        for key, value in event.metadata.items():
            values = value if isinstance(value, (list, tuple)) else [value]
            texts = [one for one in values if isinstance(one, str) and one.strip()]
            if texts:
                names[key] = None
            if texts or any(isinstance(one, int) and not isinstance(one, bool) for one in values):
                references[key] = references.get(key, False) or _names_one(values, ids)
    return Columns(link_columns(events), sorted(references, key=lambda key: not references[key]), list(names))


def _names_one(values: Iterable[Any], ids: frozenset[str]) -> bool:
    return any(str(value).strip() in ids for value in values if isinstance(value, (str, int)))
