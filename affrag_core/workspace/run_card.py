"""What is shown of a saved run without reading its trace."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class RunCard:
    """A saved run, without its trace.

    Parameters
    ----------
    id : int
        Never used again, also after the run is deleted.
    name : str
    created : datetime or None
        As given when it was saved.
    query : str
        The question; empty where a vector was asked.
    mode : str
        The mode of the retrieval.
    """

    id: int
    name: str
    created: datetime | None
    query: str
    mode: str
