"""The trace of one retrieval: the only thing that views read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Self, overload

from affrag_core.config import Mode, RetrievalConfig
from affrag_core.errors import ReadError
from affrag_core.events.times import as_utc, iso_text
from affrag_core.retrieval.run import Run
from affrag_core.retrieval.trace_rows import hop_row, path_rows, pool_rows, term_influence

Row = dict[str, Any]


class LazyRows(Sequence[Row]):
    """Rows that are built when they are read, once.

    Parameters
    ----------
    size : int
    build : callable
        Place to row.
    """

    def __init__(self, size: int, build: Callable[[int], Row]) -> None:
        self._size, self._build = size, build
        self._rows: dict[int, Row] = {}

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, place: int) -> Row: ...
    @overload
    def __getitem__(self, place: slice) -> list[Row]: ...
    def __getitem__(self, place: int | slice) -> Row | list[Row]:
        if isinstance(place, slice):
            return [self[i] for i in range(*place.indices(self._size))]
        at = range(self._size)[place]
        if at not in self._rows:
            self._rows[at] = self._build(at)
        return self._rows[at]


class RetrievalTrace:
    """What a retrieval looked at, what it chose and why, as rows of plain JSON types.

    Parameters
    ----------
    query : str
        The question; empty where a vector stood for it.
    as_of : datetime
    config : RetrievalConfig
    versions : dict
        ``data``, ``semantic_encoder``, ``emotional_encoder``.
    timings_ms : dict of str to float
        Milliseconds by stage.
    pool, hops, paths : sequence of dict
        Rows; hops are built when read. `hop_paths` tells their places without building them.
    """

    def __init__(
        self,
        *,
        query: str,
        as_of: datetime,
        config: RetrievalConfig,
        versions: Mapping[str, Any],
        timings_ms: Mapping[str, float],
        pool: Sequence[Row],
        hops: Sequence[Row],
        paths: Sequence[Row],
        hop_paths: Sequence[tuple[str, ...]],
        influence: Callable[[], dict[str, float]],
    ) -> None:
        self.query, self.as_of, self.config = query, as_of, config
        self.versions, self.timings_ms = dict(versions), dict(timings_ms)
        self.pool, self.hops, self.paths = pool, hops, paths
        self.hop_paths = hop_paths
        self._influence = influence
        self._influence_found: dict[str, float] | None = None

    @property
    def mode(self) -> Mode:
        """The method that was used."""
        return self.config.mode

    @property
    def term_influence(self) -> dict[str, float]:
        """For each term, the share of hops whose winner would differ if the term were zero."""
        if self._influence_found is None:
            self._influence_found = self._influence()
        return self._influence_found

    @classmethod
    def of(cls, run: Run, *, query: str, as_of: datetime, versions: Mapping[str, Any], timings_ms: Mapping[str, float]) -> Self:
        """Wrap what a retrieval found."""
        ids, hops = run.scene.snapshot.graph.ids, run.traversal.hops
        return cls(
            query=query,
            as_of=as_of,
            config=run.scene.config,
            versions=versions,
            timings_ms=timings_ms,
            pool=pool_rows(run),
            hops=LazyRows(len(hops), lambda place: hop_row(run, hops[place])),
            paths=path_rows(run),
            hop_paths=[tuple(ids[i] for i in hop.path) for hop in hops],
            influence=lambda: term_influence(run),
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON types, every row built."""
        return {
            "query": self.query,
            "as_of": iso_text(self.as_of),
            "mode": self.mode,
            "config": self.config.model_dump(mode="json"),
            "versions": dict(self.versions),
            "timings_ms": dict(self.timings_ms),
            "pool": list(self.pool),
            "hops": list(self.hops),
            "paths": list(self.paths),
            "term_influence": dict(self.term_influence),
        }

    @classmethod
    def from_dict(cls, row: Mapping[str, Any]) -> Self:
        """Read a trace back.

        Raises
        ------
        ReadError
            If a part is missing.
        """
        try:
            return cls(
                query=row["query"],
                as_of=as_utc(row["as_of"], field="as_of"),
                config=RetrievalConfig(**row["config"]),
                versions=row["versions"],
                timings_ms=row["timings_ms"],
                pool=list(row["pool"]),
                hops=list(row["hops"]),
                paths=list(row["paths"]),
                hop_paths=[tuple(hop["path"]) for hop in row["hops"]],
                influence=lambda: dict(row["term_influence"]),
            )
        except (KeyError, TypeError) as missing:
            raise ReadError(f"this is not a whole trace: {missing} is missing or of another form") from None
