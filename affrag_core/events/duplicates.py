"""Ids that repeat, within a file or beside events that are there: a choice, never a silent one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal, get_args

from affrag_core.errors import ConfigError
from affrag_core.events.edge import Edge, EdgeKey
from affrag_core.events.edge_checks import checked_edges, edge_fault
from affrag_core.events.event import Event
from affrag_core.events.report import Fault, Reading, SourceRow, by_row

DuplicateChoice = Literal["refuse", "keep first", "keep last", "rename"]
DUPLICATE_CHOICES: tuple[str, ...] = get_args(DuplicateChoice)
_ADVICE = "Choose keep first, keep last or rename; or give the row another id."


@dataclass(frozen=True, slots=True)
class Renamed:
    """An event that got another id."""

    row: int
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Resolution:
    """A reading whose ids are unique, and what was done to get there.

    Parameters
    ----------
    reading : Reading
        Its events may be added; those in `replaces` as updates.
    renamed : tuple of Renamed
    dropped : tuple of (int, str)
        Row and id of events left out by keep first or keep last.
    refused : tuple of (int, str)
        Row and id of events that are now faults.
    replaces : frozenset of str
        Ids of events that are there and that the file's events replace (keep last).
    sentence : str
        All this in words; empty if nothing repeated.
    """

    reading: Reading
    renamed: tuple[Renamed, ...] = ()
    dropped: tuple[tuple[int, str], ...] = ()
    refused: tuple[tuple[int, str], ...] = ()
    replaces: frozenset[str] = frozenset()
    sentence: str = ""


def duplicate_ids(reading: Reading, existing_ids: Collection[str] = ()) -> dict[str, list[int]]:
    """Ids that several rows have or that are there already, and the rows that have them."""
    rows: dict[str, list[int]] = defaultdict(list)
    for event, row in zip(reading.events, reading.event_rows, strict=True):
        rows[event.id].append(row.number)
    existing = frozenset(existing_ids)
    return {event_id: numbers for event_id, numbers in rows.items() if len(numbers) > 1 or event_id in existing}


def resolve_duplicates(
    reading: Reading,
    existing_ids: Collection[str],
    choice: DuplicateChoice = "refuse",
    *,
    existing_edges: Collection[EdgeKey] = (),
) -> Resolution:
    """Make ids unique, then check the edges once more.

    - ``refuse``: every row of a repeated id is a fault, and so is every edge that names it.
    - ``keep first``: an event that is there stays, else the first row; the other rows are dropped with the edges in them.
    - ``keep last``: the last row stays, in its place, and replaces an event that is there.
    - ``rename``: an event that is there, else the first row, keeps the id; the others become ``id-2``, ``id-3`` and so on.

    An edge in its event's own row goes with that row. Any other mention of an id (the other end of an edge, a list of edges,
    `supersedes_id`) means the first row of the file that has it, under its new name; where that row is dropped, the event that stays.

    Parameters
    ----------
    reading : Reading
    existing_ids : collection of str
        Ids of the events that are there.
    choice : {"refuse", "keep first", "keep last", "rename"}
    existing_edges : collection of (source, target, relation)
        Edges that are there; the same in the file is a fault.

    Returns
    -------
    Resolution
    """
    if choice not in DUPLICATE_CHOICES:
        raise ConfigError(f"The choice about duplicates must be one of {', '.join(DUPLICATE_CHOICES)}, got {choice!r}")
    existing = frozenset(existing_ids)
    repeated = duplicate_ids(reading, existing)
    new_ids = _new_ids(reading, existing, repeated, choice)
    rows = list(zip(reading.events, reading.event_rows, strict=True))
    gone = tuple((row.number, event.id) for event, row in rows if new_ids[row.number] is None)
    kept = [(event, row, new_id) for event, row in rows if (new_id := new_ids[row.number]) is not None]
    names = {event_id: new_ids[numbers[0]] or event_id for event_id, numbers in repeated.items()}
    edges, faults, n_lost = _edges(reading, new_ids, names, repeated if choice == "refuse" else {})
    events = tuple(_named(event, new_id, names) for event, _, new_id in kept)
    checked = checked_edges(edges, ids={event.id for event in events} | existing, known=frozenset(existing_edges))
    refused = gone if choice == "refuse" else ()
    faults += [_refusal(event, row, repeated, existing) for event, row in rows if choice == "refuse" and event.id in repeated]
    result = replace(
        reading,
        events=events,
        event_rows=tuple(row for _, row, _ in kept),
        edges=checked.edges,
        edge_rows=checked.rows,
        faults=by_row([*reading.faults, *faults, *checked.faults]),
        n_dropped=reading.n_dropped + len(gone) - len(refused),
        n_links_dropped=reading.n_links_dropped + n_lost,
    )
    renamed = tuple(Renamed(row.number, event.id, new_id) for event, row, new_id in kept if new_id != event.id)
    replaces = frozenset(event.id for event in events) & existing
    resolution = Resolution(result, renamed, gone if choice != "refuse" else (), refused, replaces)
    return replace(resolution, sentence=_sentence(resolution, n_lost))


def _new_ids(
    reading: Reading, existing: frozenset[str], repeated: Mapping[str, list[int]], choice: DuplicateChoice
) -> dict[int, str | None]:
    """The id of each row's event; None where it does not stay."""
    new_ids: dict[int, str | None] = {
        row.number: None if event.id in repeated else event.id for event, row in zip(reading.events, reading.event_rows, strict=True)
    }
    taken = {event.id for event in reading.events} | existing
    for event_id, numbers in repeated.items():
        is_there = event_id in existing
        if choice == "keep first" and not is_there:
            new_ids[numbers[0]] = event_id
        elif choice == "keep last":
            new_ids[numbers[-1]] = event_id
        elif choice == "rename":
            free = _free_names(event_id, taken)
            for position, number in enumerate(numbers):
                new_ids[number] = event_id if position == 0 and not is_there else next(free)
    return new_ids


def _free_names(event_id: str, taken: set[str]) -> Iterator[str]:
    copy = 2
    while True:
        name = f"{event_id}-{copy}"
        if name not in taken:
            taken.add(name)
            yield name
        copy += 1


def _named(event: Event, new_id: str, names: Mapping[str, str]) -> Event:
    """The event under its id; what it supersedes is followed, except that an event never supersedes itself through a new name."""
    superseded = event.supersedes_id
    if superseded is not None and superseded != event.id:
        superseded = names.get(superseded, superseded)
    if (new_id, superseded) == (event.id, event.supersedes_id):
        return event
    return event.replace(id=new_id, supersedes_id=superseded)


def _edges(
    reading: Reading, new_ids: Mapping[int, str | None], names: Mapping[str, str], refused: Collection[str]
) -> tuple[list[tuple[Edge, SourceRow]], list[Fault], int]:
    """Edges under the new ids, those whose ends were refused, and how many were dropped with their rows."""
    edges: list[tuple[Edge, SourceRow]] = []
    faults: list[Fault] = []
    n_dropped = 0
    for edge, row in zip(reading.edges, reading.edge_rows, strict=True):
        end = "source" if edge.source in refused else "target" if edge.target in refused else None
        source = new_ids[row.number] if row.own else names.get(edge.source, edge.source)
        if end is not None:
            faults.append(edge_fault(edge, row, end, "its event was refused, as the id repeats", _ADVICE))
        elif source is None:
            n_dropped += 1
        else:
            is_loop = row.own and edge.target == edge.source
            target = source if is_loop else names.get(edge.target, edge.target)
            edges.append((_between(edge, source, target), row))
    return edges, faults, n_dropped


def _between(edge: Edge, source: str, target: str) -> Edge:
    if (source, target) == (edge.source, edge.target):
        return edge
    return Edge(source=source, target=target, relation=edge.relation, attributes=edge.attributes)


def _refusal(event: Event, row: SourceRow, repeated: Mapping[str, list[int]], existing: Collection[str]) -> Fault:
    others = [str(number) for number in repeated[event.id] if number != row.number]
    places = (["among the events that are there"] if event.id in existing else []) + ([f"in row {', '.join(others)}"] if others else [])
    return Fault(row.number, event.id, "id", event.id, f"the id {event.id!r} also stands {' and '.join(places)}", _ADVICE, row.raw)


def _sentence(resolution: Resolution, n_lost: int) -> str:
    done = {"renamed": resolution.renamed, "dropped": resolution.dropped, "refused": resolution.refused}
    counts = [(what, len(items)) for what, items in done.items()] + [("replacing one that is there", len(resolution.replaces))]
    parts = [f"{count} {what}" for what, count in counts if count]
    if not parts:
        return ""
    lost = f"; {n_lost} edges were dropped with their rows" if n_lost else ""
    return f"Of the events whose ids repeat, {', '.join(parts)}{lost}."
