"""design.md read line by line, in plain Python and without sampling: what every retrieval is held against."""

from __future__ import annotations

import math
from typing import Any

Row = dict[str, Any]


def cosine(a: Any, b: Any) -> float:
    if a is None or b is None:
        return 0.0
    a, b = [float(x) for x in a], [float(x) for x in b]
    lengths = math.sqrt(sum(x * x for x in a)) * math.sqrt(sum(x * x for x in b))
    return sum(x * y for x, y in zip(a, b, strict=True)) / lengths if lengths else 0.0


def days_between(a: Any, b: Any) -> float | None:
    return None if a is None or b is None else (a - b).total_seconds() / 86400


def scaled(value: float, values: list[float]) -> float:
    low, high = min(values), max(values)
    return (value - low) / (high - low) if high > low else 1.0


def cut(scored: list[tuple[Any, float]], top_k: int | None, top_p: float | None) -> tuple[list[Any], list[Any]]:
    """What top-p leaves, and what top-k leaves of it, best first."""
    inside = list(scored)
    if top_p is not None and scored:
        total = sum(score for _, score in scored)
        shares = [score / total if total > 0 else 1 / len(scored) for _, score in scored]
        inside, reached = [], 0.0
        for place in sorted(range(len(scored)), key=lambda place: shares[place])[::-1]:
            inside.append(scored[place])
            reached += shares[place]
            if reached >= top_p:
                break
    best = sorted(inside, key=lambda pair: -pair[1])
    return [key for key, _ in inside], [key for key, _ in best][:top_k]


class SlowReading:
    """One retrieval: `pool`, `hops` and `paths` as lists of rows with the fields of the trace that can be told from outside."""

    def __init__(self, events, edges, query, config, as_of) -> None:
        self.events = {event.id: event for event in events}
        self.config, self.now, self.query = config, as_of, query
        self.around: dict[str, dict[str, list[str]]] = {event.id: {} for event in events}
        for edge in edges:
            self.around[edge.source].setdefault(edge.target, []).append(edge.relation)
        self.raw = {key: self.similarity(event) for key, event in self.events.items()}
        self.uses_time = config.mode in ("temporal", "combined")
        self.hops: list[Row] = []
        self.pool = self.read_pool()
        self.paths = self.ranked(self.walked([row for row in self.pool if row["is_seed"]]))

    # What each event is at this time

    def similarity(self, event) -> float:
        config = self.config
        mood = config.mood_weight * cosine(config.mood, event.emotional_vec) if config.mood and config.mood_weight else 0.0
        return cosine(self.query, event.semantic_vec) + mood

    def exists(self, key: str) -> bool:
        made = self.events[key].timestamp
        return self.config.include_future or made is None or made <= self.now

    def state(self, key: str) -> str:
        event = self.events[key]
        if (event.valid_from and self.now < event.valid_from) or (event.valid_until and self.now > event.valid_until):
            return "EXPIRED"
        return "TEMPORAL" if event.kind.value == "EVENT" and (event.valid_from or event.valid_until) else "VALID"

    def superseded_by(self, key: str) -> str | None:
        if self.events[key].kind.value != "VERSIONED":
            return None
        newer = [other for other, event in self.events.items() if event.supersedes_id == key != other]
        newer = [other for other in newer if self.exists(other) and self.state(other) != "EXPIRED"]
        made = {other: self.events[other].timestamp for other in newer}
        return max(reversed(newer), key=lambda other: made[other].timestamp() if made[other] else -math.inf, default=None)

    def age(self, key: str) -> float | None:
        days = days_between(self.now, self.events[key].timestamp)
        return None if days is None else max(0.0, days)

    def component(self, key: str) -> float:
        time, age = self.config.temporal, self.age(key)
        if age is None:
            return 0.0
        youngest, oldest = (min(self.ages), max(self.ages)) if self.ages else (0.0, 0.0)
        recency = min(1.0, max(0.0, 1 - (age - youngest) / (oldest - youngest))) if oldest > youngest else 1.0
        state, floor = self.state(key), time.event_min_raw_vector_score
        validity = {"EXPIRED": 0.0, "VALID": 1.0, "TEMPORAL": time.validity_boost}[state]
        relevance = 0.5 if state == "TEMPORAL" and floor > 0 and self.raw[key] < floor else 1.0
        return 0.5 ** (age / time.decay_half_life_days) * recency * validity * relevance

    # The first stage

    def nearest(self, vector, k: int | None) -> list[tuple[str, float]]:
        found = [(key, cosine(vector, e.semantic_vec)) for key, e in self.events.items() if e.semantic_vec is not None and self.exists(key)]
        return sorted(found, key=lambda hit: -hit[1])[:k]

    def left_out(self, key: str) -> str | None:
        time, age = self.config.temporal, self.age(key)
        if time.enforce_validity and self.state(key) == "EXPIRED":
            return "expired"
        if self.config.drop_superseded and self.superseded_by(key):
            return "superseded"
        return "too old" if time.max_age_days is not None and age is not None and age > time.max_age_days else None

    def read_pool(self) -> list[Row]:
        config, time = self.config, self.config.temporal
        found = [key for key, event in self.events.items() if event.semantic_vec is not None and self.exists(key)]
        pool = sorted(found, key=lambda key: -self.raw[key])[: config.candidate_pool_size]
        kept = [key for key in pool if self.left_out(key) is None]
        self.ages = [self.age(key) for key in kept if self.age(key) is not None]
        rows = []
        for key in pool:
            row: Row = {"event_id": key, "raw_similarity": self.raw[key], "temporal_component": self.component(key)}
            row |= {"validity_state": self.state(key), "superseded_by": self.superseded_by(key), "final_score": self.raw[key]}
            if self.uses_time:
                row["final_score"] = None
            if self.uses_time and key in kept:
                like = scaled(self.raw[key], [self.raw[other] for other in kept])
                penalty = 0.3 if like < time.min_vector_score else 1.0
                mixed = (1 - time.temporal_weight) * like + time.temporal_weight * row["temporal_component"]
                row["final_score"] = penalty * mixed
            rows.append(row)
        wanted = config.max_results if config.mode in ("vector", "temporal") else config.cpt.seed_nodes
        self.seeds = sorted((r for r in rows if r["final_score"] is not None), key=lambda r: -r["final_score"])[:wanted]
        for row in rows:
            row["is_seed"] = row in self.seeds
            why = self.left_out(row["event_id"]) if self.uses_time else None
            row["outcome"] = "seed" if row["is_seed"] else why or "not a seed"
        return rows

    # The traversal

    def link(self, a: str, b: str, weights) -> float:
        one, other = self.events[a], self.events[b]
        days = days_between(one.timestamp, other.timestamp)
        score = weights.semantic_weight * cosine(one.semantic_vec, other.semantic_vec)
        score += weights.emotional_weight * cosine(one.emotional_vec, other.emotional_vec)
        return score + weights.temporal_weight * (0.0 if days is None else 1 / (1 + abs(days))) + weights.bias

    def closed(self, key: str, path: list[str]) -> str | None:
        if key in path:
            return "already on path"
        if not self.exists(key):
            return "after as_of"
        if self.config.mode != "combined":
            return None
        if self.state(key) == "EXPIRED" and not self.config.walk_expired:
            return "expired"
        return "superseded" if self.config.drop_superseded and self.superseded_by(key) else None

    def activated(self, path: list[str]) -> tuple[list[str], list[str]]:
        """What the activation brings up, and what it would bring up were it not on the path already."""
        cpt, here = self.config.cpt, self.events[path[-1]]
        if not cpt.spreading_activation or here.semantic_vec is None:
            return [], []
        hits = [hit for hit in self.nearest(here.semantic_vec, cpt.activation_top_k) if hit[0] != path[-1]]
        if cpt.activation_min_score is not None:
            hits = [hit for hit in hits if hit[1] >= cpt.activation_min_score]
        top_k = cpt.top_k if cpt.activation_top_k is None else cpt.activation_top_k
        top_p = cpt.top_p if cpt.activation_top_p is None else cpt.activation_top_p
        return cut([hit for hit in hits if hit[0] not in path], top_k, top_p)[1], [key for key, _ in hits if key in path]

    def candidates(self, path: list[str]) -> list[Row]:
        cpt, here = self.config.cpt, path[-1]
        fresh, walked = self.activated(path)
        together, rows = cpt.activation_as_neighbors, []
        for key, relations in self.around[here].items():
            lift = cpt.activation_score_multiplier if key in fresh else 1.0
            via = "both" if key in fresh and together else "edge"
            score = self.link(here, key, self.config.als) * lift
            rows.append({"event_id": key, "via": via, "relations": relations, "multiplier": lift, "score": score})
        for key in fresh + walked:
            if not together or key not in self.around[here]:
                weights = self.config.als if together else cpt.activation_als_config or self.config.als
                score = self.link(here, key, weights) * cpt.activation_score_multiplier
                lift = cpt.activation_score_multiplier
                rows.append({"event_id": key, "via": "activation", "relations": [], "multiplier": lift, "score": score})
        return rows

    def hop(self, path: list[str]) -> list[Row]:
        cpt, rows = self.config.cpt, self.candidates(path)
        for row in rows:
            low = cpt.min_als_score is not None and row["score"] < cpt.min_als_score
            row["outcome"] = self.closed(row["event_id"], path) or ("below min_als_score" if low else None)
        play = [place for place, row in enumerate(rows) if row["outcome"] is None]
        inside, best = cut([(place, rows[place]["score"]) for place in play], cpt.top_k, cpt.top_p)
        for place in play:
            rows[place]["outcome"] = "outside top_k" if place in inside else "outside top_p"
        for rank, place in enumerate(best):
            rows[place]["outcome"] = "chosen" if rank < max(1, cpt.branching_factor) else "beyond branching_factor"
            if rank >= max(1, cpt.max_neighbors):
                rows[place]["outcome"] = "beyond max_neighbors"
        if (path, rows) not in [(hop["path"], hop["candidates"]) for hop in self.hops]:
            self.hops.append({"path": path, "candidates": rows})
        return [rows[place] for place in best if rows[place]["outcome"] == "chosen"]

    def walked(self, seeds: list[Row]) -> list[Row]:
        depth = self.config.cpt.max_depth if self.config.mode in ("cpt", "combined") else 0
        paths = []
        for seed in sorted(seeds, key=lambda row: -row["final_score"]):
            open_paths = [{"event_ids": [seed["event_id"]], "seed_score": seed["final_score"], "hop_scores": []}]
            for _ in range(depth):
                longer = []
                for path in open_paths:
                    steps = self.hop(path["event_ids"])
                    longer += [] if steps else [path]
                    for to in steps:
                        ids, scores = [*path["event_ids"], to["event_id"]], [*path["hop_scores"], to["score"]]
                        longer.append(path | {"event_ids": ids, "hop_scores": scores})
                open_paths = longer
            paths += open_paths
        return paths

    def ranked(self, paths: list[Row]) -> list[Row]:
        weight = self.config.temporal.temporal_weight
        scores = [path["seed_score"] + sum(path["hop_scores"]) for path in paths]
        for path, score in zip(paths, scores, strict=True):
            path["path_score"] = path["final_score"] = score
            path["temporal_component"] = sum(self.component(key) for key in path["event_ids"]) / len(path["event_ids"])
            if self.config.mode == "combined":
                path["final_score"] = (1 - weight) * scaled(score, scores) + weight * path["temporal_component"]
        return sorted(paths, key=lambda path: (-path["final_score"], -path["path_score"]))
