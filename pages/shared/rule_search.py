"""What rules would add to a workspace, looked for at once or in a thread. No Streamlit here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from affrag_core import Nearest, RuleView, proposed_links

if TYPE_CHECKING:
    from affrag_core import Edge, LinkRule, Workspace
    from pages.shared.jobs import Job

LONG_NEAREST, LONG = 2_000, 30_000
"""From how many events on a rule takes longer than a person waits for a page: the nearest compare each with each."""
Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """A rule to run; `touching` keeps links only that have one of these events at an end."""

    rule: LinkRule
    touching: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """What one rule would add: new links, how many more are there already, and how many events it left out, by reason."""

    new: list[Edge]
    n_there: int = 0
    left_out: dict[str, int] = field(default_factory=dict)


def key_of(ws: Workspace, asked: Sequence[Asked]) -> Key:
    """What a search depends on: the same key, the same result."""
    return (ws.version, *((one.rule.model_dump_json(), one.touching) for one in asked))


def is_long(asked: Sequence[Asked], n_events: int) -> bool:
    """Whether the search is one to show progress for, and to offer a stop."""
    return n_events > (LONG_NEAREST if any(isinstance(one.rule, Nearest) for one in asked) else LONG)


def search(ws: Workspace, asked: Sequence[Asked], job: Job | None = None) -> list[Found]:
    """Run the rules; a link that an earlier rule adds is not counted again.

    Raises
    ------
    AffragError
        If a rule lacks a setting, or `job` was cancelled.
    """
    events, n_before = ws.events(), 0
    total = len(events) * len(asked)

    def progress(n_done: int, _: int) -> None:
        if job is not None:
            job.advance(n_before + n_done, total)

    view = RuleView(events, progress, None if job is None else job.cancelled)
    taken: set[tuple[str, str, str]] = set()
    results = []
    for one in asked:
        proposal = proposed_links(one.rule, view, touching=one.touching)
        new = [edge for edge in proposal.edges if edge.key not in taken and not ws.has_edge(edge.key)]
        taken |= {edge.key for edge in new}
        results.append(Found(new, len(proposal.edges) - len(new), proposal.left_out))
        n_before += len(events)
    return results
