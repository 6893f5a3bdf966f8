"""What all settings share: how a person meets a field, and one sentence for what is wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from affrag_core.errors import ConfigError

Stage = Literal["First stage", "Time", "Link score", "Traversal", "Sampling", "Activation"]


@dataclass(frozen=True, slots=True)
class Control:
    """How a person meets a field.

    Parameters
    ----------
    label : str
        Plain words, the unit among them.
    stage : str
        Where in the pipeline it acts.
    low, high, step : float, optional
        A usual range for a slider, within the field's bounds; a value outside it is still accepted.
    main : bool
        Shown open, the rest folded.
    start : float, optional
        Where an optional number starts when it is switched on.
    """

    label: str
    stage: Stage
    low: float | None = None
    high: float | None = None
    step: float | None = None
    main: bool = False
    start: float | None = None


class FrozenConfig(BaseModel):
    """Frozen, keywords only, refuses unknown fields, and says what is wrong in one sentence."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    def __init__(self, **values: Any) -> None:
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise ConfigError(_sentence(type(self).__name__, error)) from None

    @classmethod
    def model_validate(cls, obj: Any, **options: Any) -> Self:
        """As of pydantic, with one sentence where something is wrong: a `ConfigError`."""
        try:
            return super().model_validate(obj, **options)
        except ValidationError as error:
            raise ConfigError(_sentence(cls.__name__, error)) from None

    @classmethod
    def model_validate_json(cls, json_data: str | bytes | bytearray, **options: Any) -> Self:
        """As `model_validate`, from JSON."""
        try:
            return super().model_validate_json(json_data, **options)
        except ValidationError as error:
            raise ConfigError(_sentence(cls.__name__, error)) from None

    def with_changes(self, **changes: Any) -> Self:
        """The same settings with some changed, checked again."""
        return type(self)(**({name: getattr(self, name) for name in type(self).model_fields} | changes))


def _sentence(name: str, error: ValidationError) -> str:
    first = error.errors()[0]
    inner = first.get("ctx", {}).get("error")
    if isinstance(inner, ConfigError):
        return str(inner)  # A config within the config has said it already.
    place = ".".join(str(part) for part in first["loc"])
    return f"{name}.{place}: {first['msg'].lower()}, got {first['input']!r}"
