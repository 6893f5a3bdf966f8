"""Settings of each stage: what they mean, their bounds and their defaults.

The same field makes the validation message, the control, its range and its help text: `Control` beside each field says how a
person would meet it. Defaults are those of the two references, except where a docstring says otherwise.
"""

from affrag_core.config.base import Control, FrozenConfig, Stage
from affrag_core.config.presets import BALANCED, PRESETS, RECENCY_FIRST, REFERENCE_DEFAULTS, SEMANTIC_ONLY
from affrag_core.config.stages import DEFAULT_ALS_CONFIG, ALSConfig, CPTConfig, Mode, RetrievalConfig, TemporalConfig

__all__ = [
    "BALANCED",
    "DEFAULT_ALS_CONFIG",
    "PRESETS",
    "RECENCY_FIRST",
    "REFERENCE_DEFAULTS",
    "SEMANTIC_ONLY",
    "ALSConfig",
    "CPTConfig",
    "Control",
    "FrozenConfig",
    "Mode",
    "RetrievalConfig",
    "Stage",
    "TemporalConfig",
]
