"""What a workspace keeps beside events and links, read together: settings, configs, rules, mappings and the cards of runs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlalchemy import Connection, Table, inspect, select

from affrag_core.workspace import schema, storage
from affrag_core.workspace.faults import DamagedError
from affrag_core.workspace.records import time_from_microseconds
from affrag_core.workspace.run_card import RunCard

TEXTS: tuple[Table, ...] = (schema.settings, schema.configs, schema.rules, schema.mappings)
"""The tables of one JSON text to each key."""


@dataclass(frozen=True, slots=True)
class Kept:
    """JSON texts by key, and the cards of runs, the first saved first."""

    settings: Mapping[str, str] = field(default_factory=dict)
    configs: Mapping[str, str] = field(default_factory=dict)
    rules: Mapping[str, str] = field(default_factory=dict)
    mappings: Mapping[str, str] = field(default_factory=dict)
    runs: tuple[RunCard, ...] = ()


def read_kept(connection: Connection, *, complete: bool = True) -> Kept:
    """Read all of it.

    Parameters
    ----------
    complete : bool
        False reads as nothing what an older version had no table for.

    Raises
    ------
    DamagedError
        If a text is not JSON.
    """
    there = None if complete else set(inspect(connection).get_table_names())
    texts = {table.name: storage.texts(connection, table) if there is None or table.name in there else {} for table in TEXTS}
    for name, found in texts.items():
        for key, text in found.items():
            if not is_json(text):
                what = f"what it keeps as {key!r} in its {name} cannot be read"
                raise DamagedError(f"the workspace is damaged: {what}; put a backup in its place")
    return Kept(**texts, runs=_cards(connection) if there is None or schema.runs.name in there else ())


def is_json(text: str) -> bool:
    """Whether a text can be read as JSON."""
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _cards(connection: Connection) -> tuple[RunCard, ...]:
    table = schema.runs.c
    query = select(table.id, table.name, table.created, table.query, table.mode).order_by(table.id)
    return tuple(RunCard(row.id, row.name, time_from_microseconds(row.created), row.query, row.mode) for row in connection.execute(query))
