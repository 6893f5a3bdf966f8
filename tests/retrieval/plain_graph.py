"""A neighbourhood written down by hand: links with their scores, and what an event activates."""

from __future__ import annotations

from affrag_core.config import CPTConfig
from affrag_core.retrieval.candidates import ScoredRow, WalkRules, scored_row
from affrag_core.retrieval.sampling import Cut, generator


class PlainGraph:
    """Links as ``{"ab": 0.5}``, from the first letter to the second; activated events by letter; single scores by pair where no link is."""

    def __init__(
        self, links: dict[str, float], activated: dict[str, dict[str, float]] | None = None, others: dict[str, float] | None = None
    ) -> None:
        self._links, self._activated, self._others = links, activated or {}, others or {}
        self.asked: list[str] = []

    def row(self, current: str) -> ScoredRow[str] | None:
        self.asked.append(current)
        if current == "?":
            return None
        found = {pair[1]: score for pair, score in self._links.items() if pair[0] == current}
        return scored_row(list(found), list(found.values()))

    def activated(self, current: str) -> list[tuple[str, float]]:
        return list(self._activated.get(current, {}).items())

    def scores(self, current: str, targets: list[str], *, apart: bool) -> list[float | None]:
        """``ab`` for a candidate among the neighbours, ``ab!`` for one that stands apart."""
        return [self._others.get(current + target + ("!" if apart else "")) for target in targets]


def rules(blocked: str = "", **settings) -> WalkRules[str]:
    config = CPTConfig(**settings)
    return WalkRules(config, Cut.of_hop(config), Cut.of_activation(config), generator(config), frozenset(blocked))
