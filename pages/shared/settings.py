"""Every field of a retrieval config as a setting that a page can draw: read from the pydantic field itself, nothing repeated here."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from affrag_core import ConfigError, Control, RetrievalConfig, Stage

STAGES: tuple[str, ...] = get_args(Stage)
LARGEST = 2**53 - 1
"""The largest whole number that a browser's numbers hold exactly."""
Kind = Literal["flag", "choice", "whole", "number", "weights"]


@dataclass(frozen=True, slots=True)
class Setting:
    """One field of a config: where it lies, how a person meets it, and what values it takes.

    Parameters
    ----------
    path : tuple of str
        Field names from the config down: ``("cpt", "top_k")``.
    kind : str
        "flag" (yes or no), "choice" (one of `options`), "whole", "number", or "weights" (a config of its own, its fields in `parts`).
    optional : bool
        Whether None is a value.
    minimum, maximum : float or None
        The field's own bounds, beyond which no value is accepted.
    """

    path: tuple[str, ...]
    control: Control
    kind: Kind
    optional: bool
    minimum: float | None
    maximum: float | None
    help: str
    options: tuple[str, ...] = ()
    parts: tuple[Setting, ...] = ()

    @property
    def name(self) -> str:
        """The path with dots, as in addresses: ``cpt.top_k``."""
        return ".".join(self.path)

    def value(self, config: RetrievalConfig) -> Any:
        """Its value in a config; None where the config that would hold it is not there."""
        found: Any = config
        for step in self.path:
            found = None if found is None else getattr(found, step)
        return found

    def changed(self, config: RetrievalConfig, value: Any) -> RetrievalConfig:
        """The config with this value, checked; raises `ConfigError`."""
        return _changed(config, self.path, value)


def _changed(config: Any, path: tuple[str, ...], value: Any) -> Any:
    name, *rest = path
    inner = _changed(getattr(config, name), tuple(rest), value) if rest else value
    return config.with_changes(**{name: inner})


@cache
def settings() -> tuple[Setting, ...]:
    """All settings of `RetrievalConfig`, those of its stages' configs among them, by stage, else in the order of the fields."""
    return tuple(sorted(_settings_of(RetrievalConfig, ()), key=lambda setting: STAGES.index(setting.control.stage)))


def setting(name: str) -> Setting:
    """The setting of that dotted name, a part of nested weights too."""
    every = [one for whole in settings() for one in (whole, *whole.parts)]
    return next(one for one in every if one.name == name)


def _settings_of(model: type[BaseModel], path: tuple[str, ...]) -> Iterator[Setting]:
    for name, field in model.model_fields.items():
        control = next((mark for mark in field.metadata if isinstance(mark, Control)), None)
        inner, optional = unwrapped(field.annotation)
        if control is not None:
            yield _setting((*path, name), field, control, inner, optional)
        elif isinstance(inner, type) and issubclass(inner, BaseModel):
            yield from _settings_of(inner, (*path, name))


def _setting(path: tuple[str, ...], field: FieldInfo, control: Control, inner: Any, optional: bool) -> Setting:
    nested = isinstance(inner, type) and issubclass(inner, BaseModel)
    return Setting(
        path=path,
        control=control,
        kind=_kind(inner),
        optional=optional,
        minimum=bound(field, "ge", "gt"),
        maximum=bound(field, "le", "lt"),
        help=field.description or "",
        options=get_args(inner) if get_origin(inner) is Literal else (),
        parts=tuple(_settings_of(inner, path)) if nested else (),
    )


def unwrapped(annotation: Any) -> tuple[Any, bool]:
    """The type without ``| None``, and whether None was in it."""
    if get_origin(annotation) not in (Union, UnionType):
        return annotation, False
    rest = [part for part in get_args(annotation) if part is not type(None)]
    return (rest[0] if len(rest) == 1 else annotation), len(rest) < len(get_args(annotation))


def _kind(inner: Any) -> Kind:
    if get_origin(inner) is Literal:
        return "choice"
    kinds: dict[Any, Kind] = {bool: "flag", int: "whole", float: "number"}
    return kinds.get(inner, "weights")


def bound(field: FieldInfo, *names: str) -> float | None:
    """The first of these bounds that a field has: ``bound(field, "ge", "gt")``."""
    return next((getattr(mark, name) for mark in field.metadata for name in names if hasattr(mark, name)), None)


def value_words(value: Any) -> str:
    """A value as a person would write it: ``0.0791``, ``on``, ``off``, ``none``."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if value is None:
        return "none"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def slider_range(one: Setting, value: float) -> tuple[Any, Any, Any]:
    """Low, high and step of a slider: the usual range, widened so that the value is in it."""
    low, high = one.control.low, one.control.high
    low = (one.minimum if one.minimum is not None else value - 1) if low is None else low
    high = (one.maximum if one.maximum is not None else value + 1) if high is None else high
    low, high = min(low, value), max(high, value)
    if one.kind == "whole":
        return int(low), int(high), int(one.control.step or 1)
    return float(low), float(high), float(one.control.step or 0.01)


def differences(config: RetrievalConfig, base: RetrievalConfig) -> dict[str, str]:
    """What a config sets unlike its base, by dotted name, each value in words fit for an address: a choice as it is, else JSON."""
    return {one.name: _written(one, one.value(config)) for one in settings() if one.value(config) != one.value(base)}


def _written(one: Setting, value: Any) -> str:
    if one.kind == "choice":
        return str(value)
    return value.model_dump_json() if isinstance(value, BaseModel) else json.dumps(value)


def with_differences(base: RetrievalConfig, given: Mapping[str, str]) -> RetrievalConfig:
    """The base with `differences` applied; a name or value that does not fit is passed over, as an address may be old or mistyped."""
    config = base
    for one in settings():
        try:
            if one.name in given:
                config = one.changed(config, _read(one, given[one.name]))
        except (ConfigError, ValueError):
            continue
    return config


def _read(one: Setting, text: str) -> Any:
    value = text if one.kind == "choice" else json.loads(text)
    if isinstance(value, (int, float)) and abs(value) > LARGEST:
        raise ValueError(f"{one.name} is larger than a browser can show")
    return value
