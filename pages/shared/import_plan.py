"""What a person decided about a file, and what it will bring in; one step that one undo takes back. No Streamlit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pages.shared.text import counted

if TYPE_CHECKING:
    from affrag_core import Comparison, Edge, Event, Reading, Workspace

UPDATE = "update"
"""The choice beside `DUPLICATE_CHOICES`: events that are there already are changed to what the file says, the others stay."""


@dataclass(frozen=True, slots=True)
class Choices:
    """What a person decided about a file.

    Parameters
    ----------
    duplicates : str
        One of `DUPLICATE_CHOICES`, or `UPDATE`.
    link_next : bool
        Link each event to the next in time.
    within : str, optional
        Only among events with the same value of this field or column.
    keep_semantic, keep_emotional : bool
        Keep the file's own vectors; else they are made from the texts and the feelings.
    semantic_space : str, optional
        What made the file's semantic vectors, where the workspace does not say it.
    delete_missing : bool
        In an update, delete the events that the file does not have.
    """

    duplicates: str = "refuse"
    link_next: bool = False
    within: str | None = None
    keep_semantic: bool = True
    keep_emotional: bool = True
    semantic_space: str | None = None
    delete_missing: bool = False


@dataclass(frozen=True, slots=True)
class ReadyImport:
    """What a file will bring in, and what was said about it; for an update also the comparison, what is only here, and what is deleted."""

    reading: Reading
    events: Sequence[Event]
    edges: Sequence[Edge]
    n_proposed: int
    replaces: frozenset[str]
    notes: tuple[str, ...]
    label: str
    spaces: dict[str, str] = field(default_factory=dict)
    comparison: Comparison | None = None
    only_here: tuple[str, ...] = ()
    deletes: tuple[str, ...] = ()

    @property
    def changes_anything(self) -> bool:
        """Whether there is anything to write."""
        return bool(self.events or self.edges or self.deletes)

    @property
    def button(self) -> str:
        """What the button that writes it says."""
        if self.comparison is None:
            return f"Bring in {counted(len(self.events), 'event')} and {counted(len(self.edges), 'link')}"
        return f"Update: {self._counts(self.comparison)}"

    @property
    def done(self) -> str:
        """What is said once it is written."""
        if self.comparison is None:
            return f"Brought in {counted(len(self.events), 'event')} and {counted(len(self.edges), 'link')}. Undo takes them out again."
        return f"Updated: {self._counts(self.comparison)}. Undo takes all of it back."

    def _counts(self, found: Comparison) -> str:
        parts = [f"{len(found.added):,} new", f"{len(found.changed):,} changed", f"{len(self.deletes):,} deleted"]
        return ", ".join([*parts, counted(len(self.edges), "new link")])

    def write(self, ws: Workspace) -> None:
        """Write all of it in one transaction.

        Raises
        ------
        AffragError
            If something does not fit the workspace; nothing is written then.
        """
        with ws.change(self.label) as draft:
            spaces: dict[str, Any] = self.spaces
            draft.delete_events(self.deletes)
            draft.add_events(self.events, update=bool(self.replaces))
            draft.add_edges(self.edges)
            draft.set_spaces(**spaces)
