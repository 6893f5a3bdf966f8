"""Fields of a config as settings: read from the field, changed through the config, written into an address."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from affrag_core import PRESETS, ALSConfig, ConfigError, RetrievalConfig
from pages.shared.settings import STAGES, differences, setting, settings, slider_range, value_words, with_differences


def test_every_field_of_every_stage_is_a_setting():
    names = {one.name for one in settings()}
    for stage in ("als", "cpt", "temporal"):
        model = type(getattr(RetrievalConfig(), stage))
        assert {f"{stage}.{field}" for field in model.model_fields} <= names
    assert {"candidate_pool_size", "max_results", "walk_expired", "drop_superseded", "include_future", "mood_weight", "mode"} <= names


def test_settings_come_in_the_order_of_the_pipeline():
    stages = [one.control.stage for one in settings()]
    assert stages == sorted(stages, key=STAGES.index)
    assert set(stages) == set(STAGES)


def test_bounds_and_help_are_the_fields_own():
    depth = setting("cpt.max_depth")
    assert (depth.minimum, depth.maximum, depth.kind, depth.optional) == (0, 50, "whole", False)
    assert depth.help == type(RetrievalConfig().cpt).model_fields["max_depth"].description
    assert (setting("cpt.top_p").kind, setting("cpt.top_p").optional) == ("number", True)
    assert (setting("cpt.activation_random").kind, setting("cpt.activation_random").optional) == ("flag", True)
    assert setting("cpt.activation_als_config").parts[0].name == "cpt.activation_als_config.semantic_weight"
    assert setting("mode").options == ("vector", "temporal", "cpt", "combined")


def test_a_setting_is_read_and_changed_where_it_lies():
    config = setting("cpt.top_k").changed(RetrievalConfig(), 7)
    assert config.cpt.top_k == 7
    assert setting("cpt.top_k").value(config) == 7
    assert RetrievalConfig().cpt.top_k is None
    assert setting("cpt.activation_als_config.bias").value(config) is None


def test_a_value_out_of_bounds_is_refused_by_the_core():
    with pytest.raises(ConfigError, match="decay_half_life_days"):
        setting("temporal.decay_half_life_days").changed(RetrievalConfig(), 0.0)


@given(value=some.floats(-1e6, 1e6))
def test_a_sliders_range_holds_its_value(value: float):
    low, high, step = slider_range(setting("als.semantic_weight"), value)
    assert low <= value <= high
    assert low <= -2
    assert high >= 4
    assert step == 0.01


def test_whole_numbers_slide_over_whole_numbers():
    assert slider_range(setting("cpt.seed_nodes"), 12) == (1, 12, 1)


def test_an_address_brings_back_every_setting():
    base = PRESETS["Balanced"]
    config = base.with_changes(
        mode="cpt",
        als=ALSConfig(semantic_weight=-0.3),
        cpt=base.cpt.with_changes(top_p=0.5, activation_als_config=ALSConfig(bias=1.0), activation_random=False, sampling_seed=None),
        temporal=base.temporal.with_changes(max_age_days=90.0),
        walk_expired=True,
    )
    written = differences(config, base)
    assert written["mode"] == "cpt"
    assert with_differences(base, written) == config
    assert differences(base, base) == {}


@given(text=some.text(max_size=40) | some.sampled_from(["1e999", "NaN", "-1", "[]", "{}", "null", '"x"', "9" * 40]))
def test_an_address_that_was_mistyped_changes_nothing_or_fits(text: str):
    for one in settings():
        config = with_differences(RetrievalConfig(), {one.name: text})
        value = one.value(config)
        assert value is None or not isinstance(value, (int, float)) or abs(value) < 2**53


@pytest.mark.parametrize(("value", "words"), [(True, "on"), (False, "off"), (None, "none"), (0.0791, "0.0791"), (3, "3"), (30.0, "30")])
def test_values_are_said_as_a_person_writes_them(value: object, words: str):
    assert value_words(value) == words
