"""Reads what is left of a damaged workspace, and never writes to it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Table, select

from affrag_core.errors import WorkspaceError
from affrag_core.workspace import schema
from affrag_core.workspace.broken_file import file_rows, readable_file
from affrag_core.workspace.database import Database
from affrag_core.workspace.faults import DamagedError
from affrag_core.workspace.kept import TEXTS, Kept, is_json
from affrag_core.workspace.memory import Memory
from affrag_core.workspace.records import EdgeRow, EventRow, event_from_row, event_row, time_from_microseconds
from affrag_core.workspace.run_card import RunCard
from affrag_core.workspace.storage import Header

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Recovered:
    """What could be read, and the sentence that says what could not."""

    memory: Memory
    header: Header
    kept: Kept
    reason: str


def recovered(database: Database, error: DamagedError) -> Recovered:
    """Whatever of a damaged workspace can be read.

    Parameters
    ----------
    error : DamagedError
        What reading it as usual raised.

    Raises
    ------
    DamagedError
        The same, where nothing can be read.
    """
    lost: Counter[str] = Counter()
    with readable_file(database.path) as file:
        read = partial(_readable, database, file, lost=lost)
        events = _events(read(schema.events), lost)
        edges = _edges(read(schema.edges), {row[0] for row in events}, lost)
        texts = {table.name: _texts(read(table), lost) for table in TEXTS}
        cards = _cards(read(schema.runs))
        header = next((Header(*row[2:]) for row in read(schema.header)), Header(0, 0, 0, None, None))
    if not (events or any(texts.values()) or cards or header.version):
        raise error
    reason = (
        f"the workspace {database.target} is damaged: {_losses(lost)} could not be read; it is open for reading only. "
        "Export what is left, or put a backup in its place"
    )
    return Recovered(Memory(header.version, events, edges), header, Kept(**texts, runs=cards), reason)


def _events(rows: Iterator[Row], lost: Counter[str]) -> list[EventRow]:
    found: dict[str, EventRow] = {}
    for row in rows:
        try:
            # Both ways, so that everything is checked that the door and the database check.
            whole = event_row(row[0], event_from_row(row).replace())
        except (ValueError, TypeError, KeyError, OverflowError):
            lost["events"] += 1
            continue
        if whole[1] in found:
            lost["events"] += 1
        else:
            found[whole[1]] = whole
    return list(found.values())


def _edges(rows: Iterator[Row], places: set[int], lost: Counter[str]) -> list[EdgeRow]:
    found: dict[Row, EdgeRow] = {}
    for place, source, target, relation, attributes in rows:
        whole = isinstance(relation, str) and relation.strip() and source in places and target in places
        if whole and (source, target, relation) not in found and (attributes is None or _is_mapping(attributes)):
            found[source, target, relation] = (place, source, target, relation, attributes)
        else:
            lost["links"] += 1
    return list(found.values())


def _is_mapping(text: object) -> bool:
    return isinstance(text, str) and is_json(text) and isinstance(json.loads(text), dict)


def _texts(rows: Iterator[Row], lost: Counter[str]) -> dict[str, str]:
    found = {}
    for key, value in rows:
        if isinstance(key, str) and isinstance(value, str) and is_json(value):
            found[key] = value
        else:
            lost["settings"] += 1
    return found


def _cards(rows: Iterator[Row]) -> tuple[RunCard, ...]:
    return tuple(RunCard(row[0], row[1], time_from_microseconds(row[2]), row[3], row[4]) for row in rows if isinstance(row[1], str))


def _losses(lost: Counter[str]) -> str:
    said = [f"{'some' if lost[f'gaps in {name}'] else f'{lost[name]:,}'} of its {name}" for name in ("events", "links") if _n(lost, name)]
    others = [name for name in lost if name not in ("events", "links", "gaps in events", "gaps in links") and lost[name]]
    return " and ".join(said + (["some of its settings and other parts"] if others or not said else []))


def _n(lost: Counter[str], name: str) -> int:
    return lost[name] + lost[f"gaps in {name}"]


def _readable(database: Database, file: Path | None, table: Table, lost: Counter[str]) -> Iterator[Row]:
    """The rows of a table that the database still gives, in order; gaps are counted."""
    name = {"events": "events", "edges": "links"}.get(table.name, table.name)

    def gap() -> None:
        lost[f"gaps in {name}"] += 1

    return _rows(database, table, gap) if file is None else file_rows(file, table, gap)


def _rows(database: Database, table: Table, gap: Callable[[], None]) -> Iterator[Row]:
    try:
        with database.reading() as connection:
            found = [tuple(row) for row in connection.execute(select(table).order_by(*table.primary_key))]
        yield from found
    except WorkspaceError:
        gap()
