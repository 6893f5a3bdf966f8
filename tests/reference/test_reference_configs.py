"""The settings of both references: their names and defaults, and what ours refuse."""

from __future__ import annotations

import inspect

import pytest
from pydantic import ValidationError

from affrag_core import DEFAULT_ALS_CONFIG, ALSConfig, ConfigError, CPTConfig, RetrievalConfig, TemporalConfig

CPT_DEFAULTS = {
    "seed_nodes": 3,
    "max_depth": 3,
    "spreading_activation": False,
    "max_neighbors": 10,
    "branching_factor": 1,
    "min_als_score": None,
    "top_k": None,
    "top_p": None,
    "random_sampling": False,
    "sampling_temperature": None,
    "cache_event_data": True,
    "activation_top_k": 5,
    "activation_top_p": None,
    "activation_random": None,
    "activation_sampling_temperature": None,
    "activation_als_config": None,
    "activation_min_score": None,
    "activation_as_neighbors": True,
    "activation_score_multiplier": 1.0,
}
TEMPORAL_DEFAULTS = {
    "decay_half_life_days": 30.0,
    "temporal_weight": 0.35,
    "max_age_days": None,
    "enforce_validity": True,
    "validity_boost": 1.2,
    "min_vector_score": 0.15,
    "event_min_raw_vector_score": 0.20,
}
CONFIGS = [ALSConfig, CPTConfig, TemporalConfig, RetrievalConfig]


def test_defaults_are_those_of_the_references():
    assert CPTConfig().model_dump() == CPT_DEFAULTS | {"sampling_seed": None}
    assert TemporalConfig().model_dump() == TEMPORAL_DEFAULTS
    assert set(ALSConfig().model_dump().values()) == {0.0}
    weights = {"semantic_weight": 0.0791, "emotional_weight": -0.5179, "temporal_weight": 3.1470, "bias": 0.0}
    assert DEFAULT_ALS_CONFIG.model_dump() == weights


def test_defaults_are_those_of_the_published_package():
    published = pytest.importorskip("affective_rag", reason="affective-rag 0.1.0, the published first reference, is not installed")
    assert published.CPTConfig().model_dump() == CPT_DEFAULTS
    assert published.ALSConfig().model_dump() == ALSConfig().model_dump()
    assert published.DEFAULT_ALS_CONFIG.model_dump() == DEFAULT_ALS_CONFIG.model_dump()


def test_defaults_are_those_of_the_second_document(second_reference):
    signature = inspect.signature(second_reference.TemporalConfig)
    assert {name: parameter.default for name, parameter in signature.parameters.items()} == TEMPORAL_DEFAULTS


@pytest.mark.parametrize("config", CONFIGS)
def test_settings_take_keywords_only(config):
    with pytest.raises(TypeError):
        config(1)


@pytest.mark.parametrize("config", CONFIGS)
def test_unknown_settings_are_refused_by_name(config):
    with pytest.raises(ConfigError, match=rf"{config.__name__}\.max_dept: extra inputs are not permitted, got 2"):
        config(max_dept=2)


@pytest.mark.parametrize("config", CONFIGS)
def test_settings_are_frozen(config):
    made = config()
    name = next(iter(config.model_fields))
    with pytest.raises(ValidationError, match="frozen"):
        setattr(made, name, 1)
    assert made == config()


@pytest.mark.parametrize(
    ("config", "name", "value"),
    [
        (ALSConfig, "bias", float("nan")),
        (ALSConfig, "semantic_weight", float("inf")),
        (ALSConfig, "temporal_weight", "much"),
        (CPTConfig, "max_depth", -1),
        (CPTConfig, "seed_nodes", 2.5),
        (CPTConfig, "top_p", 1.5),
        (CPTConfig, "sampling_temperature", -0.1),
        (TemporalConfig, "decay_half_life_days", 0),
        (TemporalConfig, "temporal_weight", 1.1),
    ],
)
def test_a_setting_out_of_range_is_refused_with_its_name_and_value(config, name, value):
    with pytest.raises(ConfigError, match=rf"^{config.__name__}\.{name}: .*got {value!r}$"):
        config(**{name: value})
