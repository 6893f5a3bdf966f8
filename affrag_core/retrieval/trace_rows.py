"""From arrays to the rows of a trace."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from affrag_core.events.kinds import ValidityState
from affrag_core.retrieval.als import TERMS
from affrag_core.retrieval.candidates import Candidates, Hop
from affrag_core.retrieval.outcomes import outcomes
from affrag_core.retrieval.run import Run
from affrag_core.retrieval.temporal_layer import TimeScores
from affrag_core.retrieval.traversal import eligible
from affrag_core.retrieval.wording import Standing, reason_words, time_words, window_words

Row = dict[str, Any]
PARTS: tuple[str, ...] = (*TERMS, "bias")


def pool_rows(run: Run) -> list[Row]:
    """One row an event of the pool, best similarity first."""
    scores, positions = run.pool.scores, run.pool.positions.tolist()
    seeds = set(run.pool.seeds)
    rows = []
    for place, (position, time) in enumerate(zip(positions, _time_fields(run, positions, scores.time), strict=True)):
        row = {
            "event_id": run.scene.snapshot.graph.ids[position],
            "raw_similarity": float(run.pool.raw[place]),
            "vector_score": _known(scores.vector_score[place]),
            **time,
            "semantic_penalty": _known(scores.penalty[place]),
            "final_score": _known(run.pool.final[place]),
            "is_seed": place in seeds,
            "outcome": "seed" if place in seeds else _pool_outcome(run, place),
        }
        rows.append(row | {"reason": reason_words(_standing(run, position, row), run.scene.config.temporal)})
    return rows


def _pool_outcome(run: Run, place: int) -> str:
    scene, position = run.scene, int(run.pool.positions[place])
    if not scene.uses_time or run.pool.scores.kept[place]:
        return "not a seed"
    if scene.config.temporal.enforce_validity and scene.expired[position]:
        return "expired"
    return "superseded" if scene.config.drop_superseded and position in scene.superseded_by else "too old"


def _standing(run: Run, position: int, row: Row) -> Standing:
    return Standing(
        event=run.scene.snapshot.events[position],
        state=ValidityState(row["validity_state"]),
        window=row["window"],
        age_days=row["age_days"],
        decay_score=row["decay_score"],
        raw_similarity=row["raw_similarity"],
        vector_score=row["vector_score"] if run.scene.uses_time else None,
        superseded_by=row["superseded_by"],
        outcome=row["outcome"],
    )


def _time_fields(run: Run, positions: Sequence[int], parts: TimeScores) -> list[Row]:
    """The temporal fields of some events."""
    scene, ids = run.scene, run.scene.snapshot.graph.ids
    columns = (parts.ages, parts.decay, parts.recency, parts.validity_multiplier, parts.event_relevance, parts.component)
    rows = []
    for position, state, *values in zip(positions, parts.validity.states(), *(c.tolist() for c in columns), strict=True):
        age, decay, recency, multiplier, relevance, component = values
        successor = scene.superseded_by.get(position)
        rows.append(
            {
                "age_days": _known(age),
                "decay_score": decay,
                "recency_score": recency,
                "validity_state": state.value,
                "window": window_words(scene.snapshot.events[position], state, scene.now_s),
                "validity_multiplier": multiplier,
                "event_relevance_multiplier": relevance,
                "temporal_component": component,
                "superseded_by": None if successor is None else ids[successor],
            }
        )
    return rows


def hop_row(run: Run, hop: Hop[int]) -> Row:
    """One hop with every candidate: the chosen first, then by falling score."""
    ids, row = run.scene.snapshot.graph.ids, hop.candidates.row
    found = outcomes(hop, run.rules, run.scene.why_blocked)
    went = {row.targets[i] for i in hop.chosen}  # an activated event that stands apart is no rival to itself
    rivals = [i for i in eligible(row, hop.path, run.rules) if row.targets[i] not in went]
    runner_up = max(rivals, key=lambda i: row.scores[i], default=None)
    margin = None
    if runner_up is not None and hop.chosen:
        margin = min(row.scores[i] for i in hop.chosen) - row.scores[runner_up]
    candidates = _candidate_rows(run, hop, found)
    order = sorted(range(len(found)), key=lambda i: (found[i] != "chosen", -row.scores[i]))
    return {
        "seed": ids[hop.path[0]],
        "path": [ids[i] for i in hop.path],
        "depth": hop.depth,
        "runner_up": None if runner_up is None else ids[row.targets[runner_up]],
        "margin": margin,
        "candidates": [candidates[i] for i in order],
    }


def _candidate_rows(run: Run, hop: Hop[int], found: list[str]) -> list[Row]:
    scene, terms, row = run.scene, run.hop_terms(hop), hop.candidates.row
    relations = scene.snapshot.graph.relations_from(hop.path[-1])
    times = _time_fields(run, row.targets, scene.time_scores(row.targets, run.pool.scores.span))
    similar = scene.similarity.of(np.asarray(row.targets, dtype=np.intp)).tolist()
    rows: list[Row] = []
    for i, position in enumerate(row.targets):
        time = {"raw_similarity": similar[i], **times[i]}
        standing = _standing(run, position, time | {"vector_score": None, "outcome": found[i]})
        rows.append(
            {
                "event_id": scene.snapshot.graph.ids[position],
                "via": _via(hop.candidates, i),
                "relations": relations.get(position, []) if i < hop.candidates.n_neighbours else [],
                "similarities": dict(zip(TERMS, terms.similarities[i].tolist(), strict=True)),
                "contributions": dict(zip(PARTS, terms.contributions[i].tolist(), strict=True)),
                "multiplier": float(terms.multipliers[i]),
                "score": row.scores[i],
                "temporal": time | {"reason": time_words(standing, scene.config.temporal)},
                "outcome": found[i],
            }
        )
    return rows


def _via(candidates: Candidates[int], i: int) -> str:
    if i >= candidates.n_neighbours:
        return "activation"
    return "both" if not candidates.apart and candidates.row.targets[i] in candidates.activated else "edge"


def path_rows(run: Run) -> list[Row]:
    """One row a path, in the final order; the margin is over the next path."""
    ids, paths = run.scene.snapshot.graph.ids, run.paths
    final = paths.final.tolist()
    return [
        {
            "event_ids": [ids[i] for i in walk.path],
            "seed_score": walk.seed_score,
            "hop_scores": list(walk.hop_scores),
            "path_score": walk.score,
            "normalised_score": float(paths.normalised[place]),
            "temporal_component": float(paths.component[place]),
            "final_score": final[place],
            "rank": place + 1,
            "margin": final[place] - final[place + 1] if place + 1 < len(final) else None,
        }
        for place, walk in enumerate(paths.walks)
    ]


def term_influence(run: Run) -> dict[str, float]:
    """For each term, the share of hops whose winner would differ if the term were zero.

    The winner is the best-scoring candidate that may be stepped onto, whatever was sampled; hops without one do not count.
    """
    changed, counted = dict.fromkeys(PARTS, 0), 0
    for hop in run.traversal.hops:
        row = hop.candidates.row
        open_rows = [i for i, key in enumerate(row.targets) if key not in hop.path and key not in run.rules.blocked]
        if not open_rows:
            continue
        counted += 1
        terms = run.hop_terms(hop)
        parts = terms.contributions[open_rows] * terms.multipliers[open_rows, None]
        keys = [row.targets[i] for i in open_rows]
        winner = keys[int(np.argmax([row.scores[i] for i in open_rows]))]
        for column, name in enumerate(PARTS):
            without = np.delete(parts, column, axis=1).sum(axis=1)
            changed[name] += keys[int(np.argmax(without))] != winner
    return {name: changed[name] / counted if counted else 0.0 for name in PARTS}


def _known(value: float) -> float | None:
    return None if math.isnan(value) else float(value)
