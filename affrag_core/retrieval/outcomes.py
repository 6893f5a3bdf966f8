"""What became of each candidate of a hop, in the words of the trace."""

from __future__ import annotations

from collections.abc import Callable

from affrag_core.retrieval.candidates import Hop, Key, WalkRules
from affrag_core.retrieval.sampling import nucleus


def outcomes(hop: Hop[Key], rules: WalkRules[Key], why_blocked: Callable[[Key], str]) -> list[str]:
    """One outcome a candidate, in the row's order.

    Parameters
    ----------
    hop : Hop
    rules : WalkRules
        Those the hop was taken under.
    why_blocked : callable
        The outcome of a blocked key.

    Returns
    -------
    list of str
        chosen, below min_als_score, outside top_k, outside top_p, not sampled, beyond max_neighbors, beyond branching_factor, already on
        path, or what `why_blocked` says.
    """
    row, minimum = hop.candidates.row, rules.config.min_als_score
    found = [""] * len(row.targets)
    for i, (key, score) in enumerate(zip(row.targets, row.scores, strict=True)):
        if key in hop.path:
            found[i] = "already on path"
        elif key in rules.blocked:
            found[i] = why_blocked(key)
        elif minimum is not None and score < minimum:
            found[i] = "below min_als_score"
    open_positions = [i for i, outcome in enumerate(found) if not outcome]
    _mark_cut(hop, rules, open_positions, found)
    return found


def _mark_cut(hop: Hop[Key], rules: WalkRules[Key], open_positions: list[int], found: list[str]) -> None:
    scores, cut = hop.candidates.row.scores, rules.hop_cut
    inside = open_positions
    if cut.top_p is not None:
        inside = [open_positions[i] for i in nucleus([scores[i] for i in open_positions], cut.top_p)]
    best = sorted(inside, key=lambda i: -scores[i])
    kept = list(hop.kept) if hop.kept is not None else best[: cut.top_k]
    for i in open_positions:
        found[i] = "outside top_p"
    for i in inside:
        found[i] = "outside top_k" if cut.temperature is None else "not sampled"
    for rank, i in enumerate(sorted(kept, key=lambda i: -scores[i])):
        found[i] = "beyond max_neighbors" if rank >= max(1, rules.config.max_neighbors) else "beyond branching_factor"
    for i in hop.chosen:
        found[i] = "chosen"
