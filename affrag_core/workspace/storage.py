"""Statements over the tables of a workspace; each runs inside a transaction that its caller opened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from operator import itemgetter
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Table, bindparam, delete, insert, inspect, select, update

from affrag_core.errors import WorkspaceError
from affrag_core.workspace import schema
from affrag_core.workspace.change import Change, Ranges, Spaces, ranges
from affrag_core.workspace.faults import DamagedError

_BATCH = 20_000
_READ_BATCH = 2_000
_LONG_RUN = 64
_PARAMETERS = 5_000


class Header(NamedTuple):
    """The one row of the `workspace` table."""

    version: int
    revision: int
    cursor: int
    semantic_space: str | None
    emotional_space: str | None

    @property
    def spaces(self) -> Spaces:
        """Names of the semantic and the emotional space."""
        return self.semantic_space, self.emotional_space

    def after(self, *, cursor: int, spaces: Spaces | None) -> Header:
        """The row after a change of events, links or spaces."""
        semantic, emotional = self.spaces if spaces is None else spaces
        return Header(self.version + 1, self.revision + 1, cursor, semantic, emotional)


def schema_version(connection: Connection, target: str) -> int | None:
    """The schema that the tables there are of; None for an empty database.

    Raises
    ------
    WorkspaceError
        If the database belongs to something else.
    DamagedError
        If parts are missing.
    """
    there = inspect(connection)
    names = there.get_table_names()
    if not names:
        return None
    ours = {schema.header.name, schema.events.name, schema.journal.name}.issubset(names)
    # Only where in doubt: PostgreSQL takes long to tell the columns of a table.
    if not ours and (schema.header.name not in names or "schema_version" not in _columns(connection, schema.header)):
        raise WorkspaceError(f"the workspace {target} is a database of another program; choose another")
    found = connection.execute(select(schema.header.c.schema_version)).scalar_one_or_none()
    if found is None or (found == schema.SCHEMA_VERSION and not set(schema.metadata.tables).issubset(names)):
        raise DamagedError(f"the workspace {target} is damaged: parts of it are missing; put a backup in its place")
    return int(found)


def _columns(connection: Connection, table: Table) -> set[str]:
    return {column["name"] for column in inspect(connection).get_columns(table.name)}


def prepare(connection: Connection) -> None:
    """Make the tables of an empty workspace."""
    schema.metadata.create_all(connection, checkfirst=False)
    connection.execute(insert(schema.header).values(id=1, schema_version=schema.SCHEMA_VERSION, version=0, revision=0, cursor=0))
    connection.execute(insert(schema.alembic_version).values(version_num=str(schema.SCHEMA_VERSION)))


def lock_header(connection: Connection) -> None:
    """Keep others from changing the workspace until this transaction ends, whatever its schema."""
    connection.execute(select(schema.header.c.id).with_for_update())


def read_header(connection: Connection, *, for_change: bool = False) -> Header:
    """The header; with `for_change` nobody else changes the workspace until this transaction ends.

    Raises
    ------
    WorkspaceError
        If the workspace was deleted, or, with `for_change`, is no longer of this schema.
    """
    table = schema.header.c
    query = select(table.schema_version, table.version, table.revision, table.cursor, table.semantic_space, table.emotional_space)
    found = connection.execute(query.with_for_update() if for_change else query).one_or_none()
    if found is None:
        raise DamagedError("the workspace is damaged: its first row is missing; put a backup in its place")
    if found.schema_version == schema.DELETED:
        raise WorkspaceError("the workspace was deleted elsewhere; open another, or bring back its backup")
    if for_change and found.schema_version != schema.SCHEMA_VERSION:
        raise WorkspaceError("the workspace was taken over by a newer version of this app meanwhile; update this one, then open it again")
    return Header(*found[1:])


def write_header(connection: Connection, header: Header) -> None:
    """Replace the header."""
    connection.execute(update(schema.header).values(header._asdict()))


@contextmanager
def all_rows(connection: Connection, table: Table) -> Iterator[Iterator[tuple[Any, ...]]]:
    """All rows of events or edges in order of insertion, never all at once in memory; closed at the end also where not all were read."""
    query = select(table).order_by(table.c.place)
    if connection.dialect.driver == "psycopg":
        # Vectors as they are instead of as text: a workspace opens in half the time.
        driver: Any = connection.connection.driver_connection
        with driver.cursor(name=f"all_{table.name}", binary=True) as cursor:
            cursor.itersize = _READ_BATCH
            cursor.execute(str(query.compile(dialect=connection.dialect)))
            yield iter(cursor)
        return
    with connection.execute(query.execution_options(yield_per=_READ_BATCH)) as result:
        yield (tuple(row) for row in result)


def rows_at(connection: Connection, table: Table, runs: Ranges) -> list[tuple[Any, ...]]:
    """The rows of events or edges that are at some places, in order of insertion."""
    found = [tuple(row) for condition in _conditions(table.c.place, runs) for row in connection.execute(select(table).where(condition))]
    return sorted(found, key=itemgetter(0))


def texts(connection: Connection, table: Table) -> dict[str, str]:
    """All of settings, configs, rules or mappings."""
    return {row.key: row.value for row in connection.execute(select(table).order_by(table.c.key))}


def write_text(connection: Connection, table: Table, key: str, value: str | None) -> None:
    """Put a setting, config, rule or mapping in the place of what was there; None removes it."""
    connection.execute(delete(table).where(table.c.key == key))
    if value is not None:
        connection.execute(insert(table).values(key=key, value=value))


def apply_change(connection: Connection, change: Change, spaces: Spaces) -> Change:
    """Carry out a change; returns its inverse, which a later call carries out to take it back.

    Parameters
    ----------
    spaces : pair of str or None
        The names of the vector spaces before the change.
    """
    old_edges = _taken(connection, schema.edges, change.drop_edges)
    old_events = _taken(connection, schema.events, change.drop_events)
    inverse = Change(
        drop_events=ranges(row[0] for row in change.new_events),
        drop_edges=ranges(row[0] for row in change.new_edges),
        new_events=old_events,
        new_edges=old_edges,
        changed_events=_replaced(connection, schema.events, change.changed_events),
        changed_edges=_replaced(connection, schema.edges, change.changed_edges),
        spaces=None if change.spaces is None else spaces,
    )
    insert_rows(connection, schema.events, change.new_events)
    insert_rows(connection, schema.edges, change.new_edges)
    return inverse


def _taken(connection: Connection, table: Table, runs: Ranges) -> list[tuple[Any, ...]]:
    found = rows_at(connection, table, runs)
    for condition in _conditions(table.c.place, runs):
        connection.execute(delete(table).where(condition))
    return found


def _replaced(connection: Connection, table: Table, new: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    if not new:
        return []
    old = {row[0]: row for row in rows_at(connection, table, ranges(row[0] for row in new))}
    names = ["at_place", *table.c.keys()[1:]]
    statement = update(table).where(table.c.place == bindparam("at_place")).values({name: bindparam(name) for name in names[1:]})
    for batch in _batches(new):
        connection.execute(statement, [dict(zip(names, row, strict=True)) for row in batch])
    # Taken back last first: a link may have taken the ends and relation that another just gave up.
    return [old[row[0]] for row in reversed(new)]


def insert_rows(connection: Connection, table: Table, new: Sequence[tuple[Any, ...]]) -> None:
    """Add rows whose places are free."""
    names = table.c.keys()
    for batch in _batches(new):
        connection.execute(insert(table), [dict(zip(names, row, strict=True)) for row in batch])


def _batches(items: Sequence[Any], size: int = _BATCH) -> Iterator[Sequence[Any]]:
    return (items[start : start + size] for start in range(0, len(items), size))


def _conditions(place: ColumnElement[int], runs: Ranges) -> Iterator[ColumnElement[bool]]:
    """Conditions that together cover the runs: a range for a long one, lists for all short ones."""
    scattered: list[int] = []
    for first, last in runs:
        if last - first >= _LONG_RUN:
            yield place.between(first, last)
        else:
            scattered.extend(range(first, last + 1))
    for batch in _batches(scattered, _PARAMETERS):
        yield place.in_(batch)
