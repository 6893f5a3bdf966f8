"""The settings of each stage: what they mean, their bounds and their defaults, which are the references' except where it is said."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from affrag_core.config.base import Control, FrozenConfig


class ALSConfig(FrozenConfig):
    """Weights of a link score: semantic, emotional and temporal similarity, and a bias.

    All zeros, as in the reference; `DEFAULT_ALS_CONFIG` holds its trained weights.

    References
    ----------
    seeds/affective_rag.md, "Affective Link Scoring (ALS)".
    """

    semantic_weight: Annotated[float, Control("Semantic weight", "Link score", -2, 4, 0.01, main=True)] = Field(
        0.0, description="How much likeness of meaning (semantic cosine) counts in a link score; negative prefers unlike events."
    )
    emotional_weight: Annotated[float, Control("Emotional weight", "Link score", -2, 4, 0.01, main=True)] = Field(
        0.0, description="How much likeness of feeling (emotional cosine) counts in a link score; negative prefers a change of feeling."
    )
    temporal_weight: Annotated[float, Control("Temporal weight", "Link score", -2, 4, 0.01, main=True)] = Field(
        0.0, description="How much closeness in time, 1 / (1 + days apart), counts in a link score."
    )
    bias: Annotated[float, Control("Bias", "Link score", -2, 2, 0.01)] = Field(
        0.0, description="Added to every link score; it moves scores against the minimum but not against each other."
    )


DEFAULT_ALS_CONFIG = ALSConfig(semantic_weight=0.0791, emotional_weight=-0.5179, temporal_weight=3.1470, bias=0.0)
"""The trained weights that the first reference publishes."""


class CPTConfig(FrozenConfig):
    """How a traversal walks: where it starts, how far, over which links.

    References
    ----------
    seeds/affective_rag.md, "Configuration"; `affective-rag` 0.1.0, ``context_path_traversal.py``. `sampling_seed` is ours: random
    sampling that can be repeated.
    """

    seed_nodes: Annotated[int, Control("Seeds", "Traversal", 1, 10, 1, main=True)] = Field(
        3, ge=0, description="How many events of the first stage a path may start from."
    )
    max_depth: Annotated[int, Control("Hops at most", "Traversal", 0, 8, 1, main=True)] = Field(
        3, ge=0, le=50, description="How many links a path may walk from its seed."
    )
    max_neighbors: Annotated[int, Control("Candidates kept a hop", "Traversal", 1, 50, 1)] = Field(
        10, ge=0, description="How many of the best candidates stay in play at each hop; 0 counts as 1."
    )
    branching_factor: Annotated[int, Control("Branches a hop", "Traversal", 1, 5, 1, main=True)] = Field(
        1, ge=0, description="How many candidates each path goes on with at each hop; 1 follows only the best, 0 counts as 1."
    )
    min_als_score: Annotated[float | None, Control("Minimum link score", "Traversal", -2, 4, 0.01, main=True, start=0.5)] = Field(
        None, description="Links that score below this are not walked."
    )
    cache_event_data: Annotated[bool, Control("Fetch each event once", "Traversal")] = Field(
        True, description="Ask an external event store once per event and retrieval; without effect on a workspace."
    )
    top_k: Annotated[int | None, Control("Top-k", "Sampling", 1, 50, 1, start=5)] = Field(
        None, ge=0, description="Only this many of the best candidates stay at each hop."
    )
    top_p: Annotated[float | None, Control("Top-p", "Sampling", 0, 1, 0.01, start=0.9)] = Field(
        None, ge=0, le=1, description="Only the best candidates that together hold this share of all scores stay at each hop."
    )
    random_sampling: Annotated[bool, Control("Draw at random", "Sampling")] = Field(
        False, description="Draw the candidates that stay at random, better scores more often; needs a temperature above 0."
    )
    sampling_temperature: Annotated[float | None, Control("Temperature", "Sampling", 0, 5, 0.05, start=1.0)] = Field(
        None, ge=0, description="How even the draw is: near 0 takes the best, large values take any; 0 or none means no draw."
    )
    sampling_seed: Annotated[int | None, Control("Random seed", "Sampling", 0, 100, 1, start=0)] = Field(
        None, ge=0, description="The same seed repeats the same draw; none draws afresh each time."
    )
    spreading_activation: Annotated[bool, Control("Spreading activation", "Activation", main=True)] = Field(
        False, description="At each hop also consider events of like meaning that no link leads to."
    )
    activation_top_k: Annotated[int | None, Control("Activation: events a hop", "Activation", 1, 20, 1, start=5)] = Field(
        5, ge=0, description="How many events of like meaning each hop looks up; none uses top-k, or all."
    )
    activation_top_p: Annotated[float | None, Control("Activation: top-p", "Activation", 0, 1, 0.01, start=0.9)] = Field(
        None, ge=0, le=1, description="Only the most alike that together hold this share stay; none uses top-p."
    )
    activation_random: Annotated[bool | None, Control("Activation: draw at random", "Activation")] = Field(
        None, description="Draw the activated events at random; none does as the hop's own sampling does."
    )
    activation_sampling_temperature: Annotated[float | None, Control("Activation: temperature", "Activation", 0, 5, 0.05, start=1)] = Field(
        None, ge=0, description="How even that draw is; none uses the temperature above."
    )
    activation_als_config: Annotated[ALSConfig | None, Control("Activation: own weights", "Activation")] = Field(
        None, description="Link weights for activated events that stand apart from the neighbours; none uses the link score's."
    )
    activation_min_score: Annotated[float | None, Control("Activation: minimum likeness", "Activation", -1, 1, 0.01, start=0.3)] = Field(
        None, description="Events less alike than this (cosine) are not activated."
    )
    activation_as_neighbors: Annotated[bool, Control("Activated events join the neighbours", "Activation")] = Field(
        True, description="Count an activated event as one more neighbour; off keeps it apart, so an event that is both stands twice."
    )
    activation_score_multiplier: Annotated[float, Control("Activation: score multiplier", "Activation", 0, 2, 0.01)] = Field(
        1.0, description="Multiplies the link score of activated events; below 1 they need to be better to win."
    )


class TemporalConfig(FrozenConfig):
    """How time weighs against similarity.

    References
    ----------
    seeds/temporal_rag.py, section 4.
    """

    decay_half_life_days: Annotated[float, Control("Half-life, days", "Time", 1, 730, 1, main=True)] = Field(
        30.0, gt=0, description="After this many days an event's freshness has halved. News 7, research 180, policy 365."
    )
    temporal_weight: Annotated[float, Control("Weight of time", "Time", 0, 1, 0.01, main=True)] = Field(
        0.35, ge=0, le=1, description="0 ranks by similarity alone, 1 by time alone."
    )
    max_age_days: Annotated[float | None, Control("Oldest age, days", "Time", 1, 1000, 1, main=True, start=365)] = Field(
        None, ge=0, description="Older events are left out of the first stage; paths may still walk through them."
    )
    enforce_validity: Annotated[bool, Control("Leave out expired events", "Time", main=True)] = Field(
        True, description="Events outside their validity window are left out of the first stage."
    )
    validity_boost: Annotated[float, Control("Boost inside a window", "Time", 0, 3, 0.05)] = Field(
        1.2, ge=0, description="Multiplies the time part of an EVENT inside its window."
    )
    min_vector_score: Annotated[float, Control("Relevance gate (within the pool)", "Time", 0, 1, 0.01)] = Field(
        0.15, ge=0, le=1, description="An event whose similarity, scaled to 0 to 1 within the pool, is lower keeps 0.3 of its score; 0 off."
    )
    event_min_raw_vector_score: Annotated[float, Control("Relevance gate for active EVENTs", "Time", 0, 1, 0.01)] = Field(
        0.20, ge=-1, le=1, description="An EVENT inside its window but less similar to the question keeps half its time part; 0: off."
    )


Mode = Literal["vector", "temporal", "cpt", "combined"]


class RetrievalConfig(FrozenConfig):
    """One retrieval: which stages run, how wide the first stage is, and the settings of each.

    `als` defaults to the first reference's trained weights.
    """

    mode: Annotated[Mode, Control("Method", "First stage", main=True)] = Field(
        "combined", description="vector: similarity alone; temporal: also time; cpt: paths; combined: time picks the seeds, paths follow."
    )
    candidate_pool_size: Annotated[int, Control("Pool size", "First stage", 1, 200, 1, main=True)] = Field(
        20, ge=1, description="How many events the first stage looks up by similarity; nothing beyond them can be ranked or start a path."
    )
    max_results: Annotated[int, Control("Results shown", "First stage", 1, 20, 1, main=True)] = Field(
        5, ge=1, description="How many events the methods without paths return; paths are all returned."
    )
    als: ALSConfig = Field(DEFAULT_ALS_CONFIG, description="Weights of a link score.")
    cpt: CPTConfig = Field(default_factory=CPTConfig, description="How a traversal walks.")
    temporal: TemporalConfig = Field(default_factory=TemporalConfig, description="How time weighs.")
    walk_expired: Annotated[bool, Control("Walk through expired events", "Time")] = Field(
        False, description="Let paths of the combined method step onto events outside their validity window."
    )
    drop_superseded: Annotated[bool, Control("Leave out superseded versions", "Time")] = Field(
        False, description="In the methods that use time, leave out a VERSIONED event that a valid newer one supersedes."
    )
    include_future: Annotated[bool, Control("Include events after this time", "Time")] = Field(
        False, description="Also see events dated after the time that is asked about."
    )
    max_paths: int = Field(
        100_000, ge=1, description="A traversal that would come to more paths than this is refused: all are scaled and ranked together."
    )
    mood: str | tuple[float, ...] | None = Field(None, description="A feeling to look for: an emotional vector, or a word for one.")
    mood_weight: Annotated[float, Control("Weight of the mood", "First stage", -2, 2, 0.05)] = Field(
        0.0, description="How much likeness of feeling to the mood adds to similarity in the first stage."
    )
