"""What decides a retrieval, and how far a weight can move before it changes."""

from __future__ import annotations

import math
from typing import Any

from affrag_core.config import BALANCED
from affrag_core.retrieval.explain import OUTCOME_WORDS
from affrag_core.retrieval.trace import RetrievalTrace
from affrag_core.retrieval.wording import number

Row = dict[str, Any]
DECIDES_NEARLY_ALL = 0.75
"""From this share of the chosen links' scores on, one term is said to decide nearly everything."""
TIME_TERM = "temporal"
LOOKED_AT = 50
"""Paths whose hops the warning about time looks at."""
_CLOSED = ("already on path", "expired", "superseded", "after as_of")


def hops_of_best(trace: RetrievalTrace, most_paths: int | None) -> list[Row]:
    """The hops of the best paths, each once, dead ends left out; every hop of the trace for None."""
    if most_paths is None:
        return list(trace.hops)
    wanted = {tuple(path["event_ids"][:size]) for path in trace.paths[:most_paths] for size in range(1, len(path["event_ids"]))}
    return [trace.hops[place] for place, at in enumerate(trace.hop_paths) if at in wanted]


def term_shares(trace: RetrievalTrace, *, most_paths: int | None = None) -> dict[str, float]:
    r"""How much of the chosen links' scores each term makes up, by size.

    .. math:: \frac{\sum_i |m_i c_{it}|}{\sum_i \sum_u |m_i c_{iu}|}

    over all chosen candidates i with multiplier m and contributions c. Ours. Empty without a chosen link.

    Parameters
    ----------
    trace : RetrievalTrace
    most_paths : int, optional
        Look at the hops of the best paths only, so that a large trace need not be built whole.
    """
    sums: dict[str, float] = {}
    for hop in hops_of_best(trace, most_paths):
        for row in hop["candidates"]:
            if row["outcome"] == "chosen":
                for term, value in row["contributions"].items():
                    sums[term] = sums.get(term, 0.0) + abs(row["multiplier"] * value)
    total = sum(sums.values())
    return {term: value / total for term, value in sums.items()} if total > 0 else {}


def weight_interval(trace: RetrievalTrace, term: str, *, most_paths: int | None = None) -> tuple[float, float]:
    """Between which values of one weight every hop of a trace keeps its winner, all else as it is.

    A link score is linear in each weight, so each rival of each winner gives one bound. The winner is the best-scoring candidate that may
    be stepped onto. Activated events with weights of their own do not move. Ours.

    Parameters
    ----------
    trace : RetrievalTrace
    term : str
        Name of a term.
    most_paths : int, optional
        Look at the hops of the best paths only.

    Returns
    -------
    (float, float)
        Low and high end, infinite where nothing bounds them.
    """
    weight = getattr(trace.config.als, f"{term}_weight")
    low, high = -math.inf, math.inf
    for hop in hops_of_best(trace, most_paths):
        rows = [row for row in hop["candidates"] if row["outcome"] not in _CLOSED]
        if not rows:
            continue
        winner = max(rows, key=lambda row: row["score"])
        for rival in rows:
            slope = _slope(winner, term, trace) - _slope(rival, term, trace)
            if rival is winner or slope == 0:
                continue
            bound = weight - (winner["score"] - rival["score"]) / slope
            low, high = (max(low, bound), high) if slope > 0 else (low, min(high, bound))
    return low, high


def _slope(row: Row, term: str, trace: RetrievalTrace) -> float:
    """How much a candidate's score grows with the weight."""
    own = trace.config.cpt.activation_als_config
    if own is not None and row["via"] == "activation" and not trace.config.cpt.activation_as_neighbors:
        return 0.0
    return float(row["multiplier"] * row["similarities"][term])


def time_dominance(trace: RetrievalTrace) -> str | None:
    """A plain warning where time decides nearly every link, with what to change; None elsewhere."""
    share = term_shares(trace, most_paths=LOOKED_AT).get(TIME_TERM, 0.0)
    decided = trace.term_influence.get(TIME_TERM, 0.0)
    if max(share, decided) < DECIDES_NEARLY_ALL:
        return None
    weight = trace.config.als.temporal_weight
    text = (
        f"Time makes up {share:.0%} of the chosen link scores. With these weights two events of the same moment score {number(weight)} for "
        f"that alone, while a perfect match of meaning adds {number(trace.config.als.semantic_weight)}."
    )
    low, _ = weight_interval(trace, TIME_TERM, most_paths=LOOKED_AT)
    first = f" The first hop changes once the temporal weight falls below {number(low)}." if math.isfinite(low) else ""
    change = "lower the temporal weight" if trace.config.als == BALANCED.als else "try the Balanced preset"
    return f"{text}{first} To hear more of meaning and feeling, {change}."


def why_not(trace: RetrievalTrace, event_id: str) -> str:
    """Why an event is in no path, or in which it is, in a sentence or two."""
    ranks = [path["rank"] for path in trace.paths if event_id in path["event_ids"]]
    if ranks:
        return f"It is in path {ranks[0]}." if len(ranks) == 1 else f"It is in paths {', '.join(map(str, ranks))}."
    place = next((i for i, row in enumerate(trace.pool) if row["event_id"] == event_id), None)
    return " ".join(filter(None, (_pool_sentence(trace, place), _candidate_sentence(trace, event_id))))


def _pool_sentence(trace: RetrievalTrace, place: int | None) -> str:
    if place is None:
        return f"It is not among the {len(trace.pool)} events most like the question."
    row = trace.pool[place]
    if row["final_score"] is None:
        return str(row["reason"])
    last = min((seed["final_score"] for seed in trace.pool if seed["is_seed"]), default=None)
    against = "" if last is None else f", the last seed has {number(last)}"
    return f"Number {place + 1} of the first stage but not a seed: it scores {number(row['final_score'])}{against}."


def _candidate_sentence(trace: RetrievalTrace, event_id: str) -> str:
    met = [(hop, row) for hop in trace.hops for row in hop["candidates"] if row["event_id"] == event_id]
    if not met:
        return "No link from a path leads to it." if trace.hops else ""
    hop, row = max(met, key=lambda pair: pair[1]["score"])
    winner = next((other for other in hop["candidates"] if other["outcome"] == "chosen"), None)
    beaten = f", {winner['event_id']} has {number(winner['score'])}" if winner else ""
    outcome = OUTCOME_WORDS.get(row["outcome"], row["outcome"])
    hops = f"{len(met)} hop{'s' if len(met) > 1 else ''}"
    return f"Met at {hops}; from {hop['path'][-1]} it scores {number(row['score'])}{beaten}: {outcome}."
