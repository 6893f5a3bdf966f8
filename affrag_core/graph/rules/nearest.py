"""Each event to those most like it: in meaning, in feeling, or by link score."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np
import numpy.typing as npt
from pydantic import Field

from affrag_core.config import DEFAULT_ALS_CONFIG, ALSConfig, FrozenConfig
from affrag_core.errors import ConfigError
from affrag_core.events.edge import Edge
from affrag_core.graph.features import FEATURES, SECONDS_PER_DAY, EventArrays, weighted_sum
from affrag_core.graph.rules.view import Proposal, RuleView
from affrag_core.graph.vector_table import VectorTable

Float64Array = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.intp]
_BLOCK = 256
_ROUNDING = 1e-3
"""More than a float32 product of unit vectors can be off by."""
_TERM_OF = {"meaning": "semantic", "feeling": "emotional"}


class Nearest(FrozenConfig):
    """Link each event to the `k` most like it, at least `minimum` alike, no further apart in time than `within_days`."""

    rule: Literal["nearest"] = "nearest"
    relation: str = Field("like", min_length=1, description="What the new links mean.")
    by: Literal["meaning", "feeling", "link score"] = Field("meaning", description="What is compared.")
    k: int = Field(3, ge=1, le=100, description="How many links leave each event at most.")
    minimum: float | None = Field(None, description="Pairs less alike than this are not linked.")
    within_days: float | None = Field(None, gt=0, description="Only pairs at most this many days apart; needed for the link score.")
    als: ALSConfig = Field(DEFAULT_ALS_CONFIG, description="Weights of the link score.")

    def propose(self, view: RuleView) -> Proposal:
        """The links, event by event, the most alike first, ties in order of events.

        Raises
        ------
        ConfigError
            If the link score is asked for without `within_days`.
        """
        if self.by == "link score" and self.within_days is None:
            raise ConfigError("within_days must be set for links by link score: every pair of events would have to be scored")
        ids, arrays = view.graph.ids, view.graph.arrays
        edges: list[Edge] = []
        for i, candidates in self._candidates(view, arrays):
            scores = self._scores(arrays, i, candidates)
            usable = np.arange(len(candidates)) if self.minimum is None else np.flatnonzero(scores >= self.minimum)
            best = usable[np.argsort(-scores[usable], kind="stable")[: self.k]]
            edges += [Edge(source=ids[i], target=ids[j], relation=self.relation) for j in candidates[best].tolist()]
        return Proposal(edges, self._left_out(arrays))

    def _scores(self, arrays: EventArrays, i: int, candidates: IntArray) -> Float64Array:
        here = np.full(len(candidates), i, dtype=np.intp)
        if self.by != "link score":
            return FEATURES[_TERM_OF[self.by]](arrays, here, candidates)
        columns = np.column_stack([feature(arrays, here, candidates) for feature in FEATURES.values()])
        return weighted_sum(columns, np.array([getattr(self.als, f"{name}_weight") for name in FEATURES]), self.als.bias)

    def _candidates(self, view: RuleView, arrays: EventArrays) -> Iterator[tuple[int, IntArray]]:
        usable = np.arange(len(view.events)) if self.by == "link score" else np.flatnonzero(self._table(arrays).norms > 0)
        if self.within_days is not None:
            return _in_window(view, usable, arrays.time_s, self.within_days * SECONDS_PER_DAY)
        return _most_alike(view, usable, self._table(arrays), self.k)

    def _table(self, arrays: EventArrays) -> VectorTable:
        return arrays.emotional if self.by == "feeling" else arrays.semantic

    def _left_out(self, arrays: EventArrays) -> dict[str, int]:
        counts: dict[str, int] = {}
        if self.by != "link score":
            counts["without a vector"] = int(np.count_nonzero(self._table(arrays).norms == 0))
        if self.within_days is not None:
            counts["without a time"] = int(np.count_nonzero(np.isnan(arrays.time_s)))
        return {reason: count for reason, count in counts.items() if count}


def _in_window(view: RuleView, usable: IntArray, time_s: Float64Array, reach_s: float) -> Iterator[tuple[int, IntArray]]:
    """Each usable event with the usable ones no further away in time, in order of events."""
    dated = usable[~np.isnan(time_s[usable])]
    by_time = dated[np.argsort(time_s[dated], kind="stable")]
    times = time_s[by_time]
    first = np.searchsorted(times, time_s[dated] - reach_s, side="left")
    last = np.searchsorted(times, time_s[dated] + reach_s, side="right")
    for n_done, (i, low, high) in enumerate(zip(dated.tolist(), first.tolist(), last.tolist(), strict=True)):
        if n_done % _BLOCK == 0:
            view.step(n_done)
        around = np.sort(by_time[low:high])
        yield i, around[around != i]


def _most_alike(view: RuleView, usable: IntArray, table: VectorTable, k: int) -> Iterator[tuple[int, IntArray]]:
    """Each usable event with those that could be among its `k` most alike, by a float32 product; in order of events."""
    unit = (table.matrix[usable] / table.norms[usable, None]).astype(np.float32)
    wanted = min(k + 1, len(usable))  # itself among them
    for start in range(0, len(usable), _BLOCK):
        view.step(start)
        rough = unit[start : start + _BLOCK] @ unit.T
        bars = np.partition(rough, len(usable) - wanted, axis=1)[:, len(usable) - wanted] - _ROUNDING
        for row, i in enumerate(usable[start : start + _BLOCK].tolist()):
            near = usable[rough[row] >= bars[row]]
            yield i, near[near != i]
