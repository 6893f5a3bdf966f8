"""The durable list of changes behind undo and redo; each statement runs inside a transaction that its caller opened.

Entries up to the header's cursor are done and hold what undoes them; entries after it are undone and hold what does them again.
"""

from __future__ import annotations

import zlib

from sqlalchemy import Connection, delete, insert, select, update

from affrag_core.errors import WorkspaceError
from affrag_core.workspace.change import Change
from affrag_core.workspace.schema import journal

MAX_CHANGES = 200
"""How many changes can be undone."""
MAX_BYTES = 256 * 2**20
"""How much room they may take together; the newest change is kept however large it is."""


def push(connection: Connection, cursor: int, label: str, inverse: Change) -> int:
    """Write down a new change after the cursor, forget what was undone before it, and return the new cursor."""
    connection.execute(delete(journal).where(journal.c.position > cursor))
    payload = inverse.to_bytes()
    connection.execute(insert(journal).values(position=cursor + 1, label=label, size=len(payload), payload=payload))
    _forget_oldest(connection)
    return cursor + 1


def entry(connection: Connection, position: int) -> tuple[str, Change] | None:
    """Label and content of an entry; None where there is none."""
    found = connection.execute(select(journal.c.label, journal.c.payload).where(journal.c.position == position)).one_or_none()
    if found is None:
        return None
    try:
        return found.label, Change.from_bytes(found.payload)
    except (zlib.error, ValueError, KeyError, TypeError) as error:
        raise WorkspaceError(f"what undoes {found.label!r} is damaged; the events and links themselves are not") from error


def turn(connection: Connection, position: int, inverse: Change) -> None:
    """Replace what an entry holds, once it was undone or done again."""
    payload = inverse.to_bytes()
    connection.execute(update(journal).where(journal.c.position == position).values(size=len(payload), payload=payload))


def labels(connection: Connection, cursor: int) -> tuple[str | None, str | None]:
    """What undo and redo would do next."""
    near = select(journal.c.position, journal.c.label).where(journal.c.position.between(cursor, cursor + 1))
    found = {row.position: row.label for row in connection.execute(near)}
    return found.get(cursor), found.get(cursor + 1)


def forget(connection: Connection) -> None:
    """Forget everything."""
    connection.execute(delete(journal))


def _forget_oldest(connection: Connection) -> None:
    total = 0
    newest_first = connection.execute(select(journal.c.position, journal.c.size).order_by(journal.c.position.desc())).all()
    for n_kept, row in enumerate(newest_first):
        total += row.size
        if n_kept >= MAX_CHANGES or (n_kept > 0 and total > MAX_BYTES):
            connection.execute(delete(journal).where(journal.c.position <= row.position))
            return
