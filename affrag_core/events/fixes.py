"""What can be done about rows that were not taken, one choice for all of a kind: take them without what cannot be read."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from affrag_core.events.report import Fault, Part, Reading

if TYPE_CHECKING:
    from affrag_core.events.readers.sorting import Sorted

_WITHOUT_POINT = "Take without valence and arousal"
_WITHOUT_VECTOR = "Take without the vector"
_WORDS = {
    "id": "Give it an id by its row",
    "text": "Take it as text",
    "timestamp": "Take without a time",
    "valid_from": "Take without its beginning",
    "valid_until": "Take without its end",
    "kind": "Take as STATIC",
    "doc_type": "Take without a type",
    "supersedes_id": "Take without what it replaces",
    "emotion": "Take without a feeling",
    "valence": _WITHOUT_POINT,
    "arousal": _WITHOUT_POINT,
    "semantic_vec": _WITHOUT_VECTOR,
    "emotional_vec": _WITHOUT_VECTOR,
    "metadata": "Take without this part",
}
_DROPPED = {"valence": ("valence", "arousal"), "arousal": ("valence", "arousal")}
_NOT_KEPT = ("semantic_vec", "emotional_vec")
_VALUE = re.compile(r", got .*", re.DOTALL)
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_ROWS = re.compile(r"\brow \d+(, \d+)*")
_COLUMN = re.compile(r" \(column \".*\"\)$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class FaultGroup:
    """Faults of one kind: the same field, and the same rule broken.

    Parameters
    ----------
    key : str
        Names the group; the same for the same kind in any file.
    part : {"event", "edge"}
    field : str
        What is at fault.
    kind : str
        The rule that is broken, without the values of any one row.
    n_rows : int
        How many faults there are.
    example : str
        The first value, shortened.
    fix : str or None
        What can be done instead of leaving them out, in words; None where nothing can.
    """

    key: str
    part: Part
    field: str
    kind: str
    n_rows: int
    example: str
    fix: str | None


def fault_groups(reading: Reading) -> tuple[FaultGroup, ...]:
    """The kinds of faults of a reading, those that were mended too, in the order of the file."""
    found: dict[str, list[Fault]] = {}
    for fault in sorted((*reading.faults, *reading.mended), key=lambda fault: fault.row):
        found.setdefault(group_key(fault), []).append(fault)
    return tuple(
        FaultGroup(key, faults[0].part, faults[0].field, fault_kind(faults[0]), len(faults), faults[0].value, _fix_of(faults))
        for key, faults in found.items()
    )


def fault_kind(fault: Fault) -> str:
    """The rule that a fault breaks, without its own values: ``timestamp must be a date or time such as 2024-01-31T18:00:00Z``."""
    reason = _VALUE.sub("", _COLUMN.sub("", fault.reason))
    return _ROWS.sub("another row", _QUOTED.sub("…", reason))


def group_key(fault: Fault) -> str:
    """Names the group of a fault, short and safe to stand in an address."""
    return hashlib.sha256("\n".join((fault.part, fault.field, fault_kind(fault))).encode()).hexdigest()[:12]


def mend(fault: Fault, found: Sorted) -> bool:
    """Take what is at fault out of a row's values, or put what can stand there; what was written is kept as metadata where it is short.

    Parameters
    ----------
    fault : Fault
        Of an event.
    found : Sorted
        The row's values; changed in place.

    Returns
    -------
    bool
        False where nothing could be done.
    """
    name = fault.field
    if name == "id":
        return _replace(found, "id", f"row-{fault.row}")
    if name == "text":
        return "text" in found.fields and _replace(found, "text", as_plain_text(found.fields["text"]))
    names = [one for one in _DROPPED.get(name, (name,)) if one in found.fields]
    if not names and name in _DROPPED and "emotion" in found.fields:
        names = ["emotion"]
    for one in names:
        value, column = found.fields.pop(one), found.columns.get(one, one)
        if one not in _NOT_KEPT and isinstance(value, (str, int, float)):
            found.others[f"{column} (as written)"] = value
    return bool(names) or found.others.pop(name, None) is not None


def as_plain_text(value: Any) -> str | None:
    """A number or truth value as text; None for what is no single value."""
    return str(value) if isinstance(value, (int, float)) else None


def _replace(found: Sorted, name: str, value: str | None) -> bool:
    if value is None or found.fields.get(name) == value:
        return False
    found.fields[name] = value
    found.columns.setdefault(name, name)
    return True


def _fix_of(faults: Iterable[Fault]) -> str | None:
    first = next(iter(faults))
    if first.part == "edge" or first.field == "row" or (first.field == "text" and not _is_number_text(first)):
        return None
    if first.field == "id" and "also stands" in first.reason:
        return None
    return _WORDS.get(first.field, "Take without this part")


def _is_number_text(fault: Fault) -> bool:
    return fault.reason.startswith("text must be text") and fault.value[:1] not in ("[", "{")
