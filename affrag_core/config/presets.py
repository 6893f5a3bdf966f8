"""Named settings to start from."""

from __future__ import annotations

from affrag_core.config.stages import DEFAULT_ALS_CONFIG, ALSConfig, CPTConfig, RetrievalConfig, TemporalConfig


def _preset(als: ALSConfig, temporal: TemporalConfig | None = None) -> RetrievalConfig:
    return RetrievalConfig(als=als, cpt=CPTConfig(sampling_seed=0), temporal=temporal or TemporalConfig())


REFERENCE_DEFAULTS = _preset(DEFAULT_ALS_CONFIG)
BALANCED = _preset(ALSConfig(semantic_weight=1.0, emotional_weight=0.3, temporal_weight=0.5))
SEMANTIC_ONLY = _preset(ALSConfig(semantic_weight=1.0))
RECENCY_FIRST = _preset(
    ALSConfig(semantic_weight=0.3, emotional_weight=0.0, temporal_weight=1.0), TemporalConfig(decay_half_life_days=7.0, temporal_weight=0.7)
)
PRESETS: dict[str, RetrievalConfig] = {
    "Reference defaults": REFERENCE_DEFAULTS,
    "Balanced": BALANCED,
    "Semantic only": SEMANTIC_ONLY,
    "Recency first": RECENCY_FIRST,
}
"""Named settings to start from, in the order in which they are offered; each draws with seed 0."""
