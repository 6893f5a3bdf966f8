"""A trace in words, formulas and rows ready to draw: everything that a view says about a score is said here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from affrag_core.config import ALSConfig, RetrievalConfig
from affrag_core.retrieval.als import TERMS, term_weights
from affrag_core.retrieval.trace import RetrievalTrace
from affrag_core.retrieval.wording import NOT_BEGUN, number

Row = dict[str, Any]
TERM_WORDS: dict[str, str] = {"query": "similarity", "semantic": "meaning", "emotional": "feeling", "temporal": "time", "bias": "bias"}
"""Plain words for the terms of a link score; a term without one goes by its name."""


def path_hops(trace: RetrievalTrace, path: Row) -> list[Row]:
    """The hops along one path, in order; one fewer than it has events."""
    ids = tuple(path["event_ids"])
    places = {at: place for place, at in reversed(list(enumerate(trace.hop_paths)))}
    return [trace.hops[places[ids[:size]]] for size in range(1, len(ids))]


def chosen_on(path: Row, hop: Row) -> Row:
    """The candidate of a hop that a path went on with."""
    following = path["event_ids"][hop["depth"] + 1]
    return next(row for row in hop["candidates"] if row["event_id"] == following and row["outcome"] == "chosen")


def contribution_rows(hop: Row, most: int = 8) -> list[Row]:
    """What each term adds to the scores of a hop's first candidates, the multiplier included: one row a candidate and term.

    Parameters
    ----------
    hop : dict
        A row of ``trace.hops``.
    most : int
        How many candidates, the chosen first, then by falling score.
    """
    return [
        {
            "event_id": candidate["event_id"],
            "via": candidate["via"],
            "outcome": candidate["outcome"],
            "term": term,
            "word": TERM_WORDS.get(term, term),
            "contribution": candidate["multiplier"] * value,
            "score": candidate["score"],
        }
        for candidate in hop["candidates"][:most]
        for term, value in candidate["contributions"].items()
    ]


def pool_contribution_rows(trace: RetrievalTrace, most: int = 8) -> list[Row]:
    """What similarity and time add to the scores of the best events of the first stage, in the form of `contribution_rows`.

    Events left out have no row; the seeds come first, then by falling score.
    """
    scored = [row for row in trace.pool if row["final_score"] is not None]
    best = sorted(scored, key=lambda row: (not row["is_seed"], -row["final_score"]))[:most]
    weight = trace.config.temporal.temporal_weight if trace.mode in ("temporal", "combined") else 0.0
    rows = []
    for row in best:
        time = row["semantic_penalty"] * weight * row["temporal_component"] if weight else 0.0
        parts = {"query": row["final_score"] - time} | ({"temporal": time} if weight else {})
        base = {"event_id": row["event_id"], "via": "first stage", "outcome": row["outcome"], "score": row["final_score"]}
        rows += [base | {"term": term, "word": TERM_WORDS.get(term, term), "contribution": value} for term, value in parts.items()]
    return rows


def path_sentence(trace: RetrievalTrace, path: Row) -> str:
    """How a path stands against the next one, in a few words."""
    what = "path" if trace.mode in ("cpt", "combined") else "result"
    if len(trace.paths) == 1:
        return f"the only {what}"
    if path["margin"] is None:
        return f"last of {len(trace.paths)}"
    if path["margin"] == 0:
        return f"tied with {what} {path['rank'] + 1}"
    return f"{number(path['margin'])} ahead of {what} {path['rank'] + 1}"


def candidate_table(hop: Row) -> list[Row]:
    """One flat row a candidate: its outcome, score, similarities, contributions and temporal fields."""
    return [
        {
            "event_id": row["event_id"],
            "outcome": row["outcome"],
            "score": row["score"],
            "via": row["via"],
            "relations": ", ".join(row["relations"]),
            **{f"{name} similarity": value for name, value in row["similarities"].items()},
            **{f"{name} part": value for name, value in row["contributions"].items()},
            "multiplier": row["multiplier"],
            "age_days": row["temporal"]["age_days"],
            "window": row["temporal"]["window"],
            "temporal_component": row["temporal"]["temporal_component"],
        }
        for row in hop["candidates"]
    ]


def link_formula(candidate: Row, config: RetrievalConfig) -> str:
    """A link score with its numbers in place: weight × similarity for each term, the bias, the multiplier, the sum."""
    weights = _weights_of(candidate, config)
    named = zip(TERMS, term_weights(weights).tolist(), strict=True)
    parts = [f"{number(weight)} × {number(candidate['similarities'][name])}" for name, weight in named]
    if weights.bias:
        parts.append(number(weights.bias))
    text = " + ".join(parts).replace("+ −", "− ")
    if candidate["multiplier"] != 1:
        text = f"{number(candidate['multiplier'])} × ({text})"
    return f"{text} = {number(candidate['score'])}"


def _weights_of(candidate: Row, config: RetrievalConfig) -> ALSConfig:
    own = config.cpt.activation_als_config
    apart = candidate["via"] == "activation" and not config.cpt.activation_as_neighbors
    return own if apart and own is not None else config.als


def temporal_formula(row: Row, config: RetrievalConfig) -> str:
    """A temporal component with its numbers in place: decay × recency × validity × relevance."""
    if row["age_days"] is None:
        return "no date: 0"
    decay = f"0.5^({number(row['age_days'])} / {number(config.temporal.decay_half_life_days)})"
    factors = (row["recency_score"], row["validity_multiplier"], row["event_relevance_multiplier"])
    return f"{decay} × {' × '.join(number(value) for value in factors)} = {number(row['temporal_component'])}"


def final_formula(row: Row, config: RetrievalConfig) -> str:
    """The final score of a pool event or of a path with its numbers in place, as the method in use makes it."""
    if row["final_score"] is None:
        return "left out"
    weight = config.temporal.temporal_weight
    time = f"{number(weight)} × {number(row['temporal_component'])}"
    if "event_ids" in row:
        if config.mode != "combined":
            steps = " + ".join(number(value) for value in (row["seed_score"], *row["hop_scores"])).replace("+ −", "− ")
            return f"{steps} = {number(row['final_score'])}"
        return f"{number(1 - weight)} × {number(row['normalised_score'])} + {time} = {number(row['final_score'])}"
    if config.mode not in ("temporal", "combined"):
        return f"similarity {number(row['final_score'])}"
    mix = f"{number(1 - weight)} × {number(row['vector_score'])} + {time}"
    mix = mix if row["semantic_penalty"] == 1 else f"{number(row['semantic_penalty'])} × ({mix})"
    return f"{mix} = {number(row['final_score'])}"


def temporal_parts(row: Row) -> list[Row]:
    """The temporal breakdown of an event, part by part, each with what it means."""
    age = row["age_days"]
    state = "not begun" if row["window"].startswith(NOT_BEGUN) else row["validity_state"].lower()
    parts: list[tuple[str, object, str]] = [
        ("Age", None if age is None else f"{number(age)} day{'' if age == 1 else 's'}", "from its date to the time asked about"),
        ("Decay", row["decay_score"], "halves with every half-life"),
        ("Recency in the pool", row["recency_score"], "1 for the youngest of the pool, 0 for the oldest"),
        ("State", state, row["window"]),
        ("Validity", row["validity_multiplier"], "0 outside its window, raised inside an EVENT's window, else 1"),
        ("Event relevance", row["event_relevance_multiplier"], "halved for an active EVENT unlike the question"),
        ("Time part", row["temporal_component"], "decay × recency × validity × event relevance"),
    ]
    return [
        {"part": part, "value": number(value) if isinstance(value, float) else (value or "–"), "meaning": meaning}
        for part, value, meaning in parts
    ]


OUTCOME_WORDS: Mapping[str, str] = {
    "chosen": "chosen",
    "below min_als_score": "below the minimum link score",
    "outside top_k": "outside the top k",
    "outside top_p": "outside the top share",
    "not sampled": "not drawn",
    "beyond max_neighbors": "beyond the candidates kept",
    "beyond branching_factor": "not the best",
    "already on path": "already on the path",
    "expired": "outside its validity window",
    "superseded": "superseded by a newer version",
    "after as_of": "after the time asked about",
}
"""Plain words for the outcomes of candidates."""
MOST_NAMED = 3
"""Events that a sentence names before it counts the rest."""


def hop_sentence(hop: Row) -> str:
    """What happened at a hop, in one sentence."""
    chosen = [row["event_id"] for row in hop["candidates"] if row["outcome"] == "chosen"]
    if not chosen:
        return _stop_sentence(hop)
    went, rival, margin = f"Went to {_listed(chosen)}", hop["runner_up"], hop["margin"]
    if rival is None:
        return f"{went}: nothing else was open."
    if margin > 0:
        return f"{went}: {rival} is behind by {number(margin)}."
    outcome = next(row["outcome"] for row in hop["candidates"] if row["event_id"] == rival)
    if outcome in ("outside top_p", "not sampled"):
        stands = f"scores higher by {number(-margin)}" if margin < 0 else "scores the same"
        return f"{went}: {rival} {stands} but was left out ({OUTCOME_WORDS[outcome]})."
    return f"{went}: tied with {rival}, the earlier link goes first."


def _listed(ids: list[str]) -> str:
    """Ids as a person would list them; of many the first three, and how many more."""
    if len(ids) > MOST_NAMED + 1:
        ids = [*ids[:MOST_NAMED], f"{len(ids) - MOST_NAMED} more"]
    return " and ".join(filter(None, [", ".join(ids[:-1]), ids[-1]]))


def _stop_sentence(hop: Row) -> str:
    if not hop["candidates"]:
        return "Stopped: no link leads on from here."
    counts: dict[str, int] = {}
    for row in hop["candidates"]:
        counts[row["outcome"]] = counts.get(row["outcome"], 0) + 1
    reasons = ", ".join(f"{count} {OUTCOME_WORDS.get(outcome, outcome)}" for outcome, count in counts.items())
    return f"Stopped: nothing to step onto ({reasons})."
