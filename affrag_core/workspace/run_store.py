"""Statements over the table of runs; each runs inside a transaction that its caller opened."""

from __future__ import annotations

from sqlalchemy import Connection, delete, insert, select

from affrag_core.errors import WorkspaceError
from affrag_core.workspace.records import microseconds
from affrag_core.workspace.run_card import RunCard
from affrag_core.workspace.schema import runs


def write(connection: Connection, run_id: int, card: RunCard, trace: bytes) -> None:
    """Add a run under a new id; the card's own does not count."""
    row = {"id": run_id, "name": card.name, "created": microseconds(card.created), "query": card.query, "mode": card.mode, "trace": trace}
    connection.execute(insert(runs).values(row))


def read(connection: Connection, run_id: int) -> bytes | None:
    """The compressed trace of a run; None where there is none."""
    return connection.execute(select(runs.c.trace).where(runs.c.id == run_id)).scalar_one_or_none()


def delete_run(connection: Connection, run_id: int) -> None:
    """Delete a run that is there."""
    if connection.execute(delete(runs).where(runs.c.id == run_id)).rowcount == 0:
        raise WorkspaceError(f"there is no saved run {run_id} in the workspace")
