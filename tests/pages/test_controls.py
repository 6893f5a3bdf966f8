"""Config fields as widgets, on a page of their own."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from affrag_core import PRESETS, RetrievalConfig
from pages.shared.settings import STAGES, settings

FIRST = PRESETS["Reference defaults"]


def page() -> None:
    import streamlit as st

    from pages.shared.controls import draw_stages
    from pages.shared.presets import draw_presets
    from pages.shared.settings_state import current_config

    class Saved:
        """Stands for a workspace: it keeps configs."""

        def __init__(self) -> None:
            self.kept = st.session_state.setdefault("kept", {})

        def config_names(self) -> list:
            return list(self.kept)

        def config(self, name: str) -> object:
            return self.kept[name]

        def save_config(self, name: str, config: object) -> None:
            self.kept[name] = config

        def delete_config(self, name: str) -> None:
            del self.kept[name]

    if st.toggle("elsewhere", key="elsewhere"):
        st.write("another page")
    else:
        base = draw_presets(Saved())
        draw_stages(current_config(), base)


@pytest.fixture
def at() -> AppTest:
    app = AppTest.from_function(page, default_timeout=30)
    for stage in STAGES:
        app.session_state[f"settings-more-{stage}"] = True
    app.run()
    assert not app.exception
    return app


def config_of(at: AppTest) -> RetrievalConfig:
    assert not at.exception
    return at.session_state["settings.config"]


def texts(at: AppTest) -> str:
    return "\n".join(str(one.value) for kind in ("markdown", "caption") for one in at.get(kind))


def test_every_setting_is_drawn(at: AppTest):
    keys = {widget.key for kind in ("slider", "toggle", "segmented_control") for widget in at.get(kind)}
    for one in settings():
        assert keys & {f"slide-{one.name}", f"switch-{one.name}", f"flag-{one.name}", f"choice-{one.name}"}, one.name


def test_a_slider_changes_the_config_and_its_typed_number(at: AppTest):
    at.slider(key="slide-als.semantic_weight").set_value(-0.7).run()
    assert config_of(at).als.semantic_weight == -0.7
    assert at.number_input(key="type-als.semantic_weight").value == -0.7


def test_a_number_outside_the_sliders_range_can_be_typed_and_widens_it(at: AppTest):
    at.number_input(key="type-als.temporal_weight").set_value(25.0).run()
    assert config_of(at).als.temporal_weight == 25.0
    slider = at.slider(key="slide-als.temporal_weight")
    assert (slider.value, slider.max) == (25.0, 25.0)


def test_what_differs_from_the_preset_has_a_dot_and_goes_back(at: AppTest):
    assert "●" not in texts(at)
    at.slider(key="slide-cpt.seed_nodes").set_value(5).run()
    assert ":primary[●] Seeds" in texts(at)
    assert "**Paths (CPT)** :primary[●]" in texts(at)
    at.button(key="reset-cpt.seed_nodes").click().run()
    assert config_of(at) == FIRST
    assert "●" not in texts(at)


def test_a_control_resets_to_its_preset_and_not_to_the_fields_default(at: AppTest):
    at.selectbox(key="preset-select").set_value("Recency first").run()
    at.slider(key="slide-temporal.decay_half_life_days").set_value(100.0).run()
    at.button(key="reset-temporal.decay_half_life_days").click().run()
    assert config_of(at).temporal.decay_half_life_days == 7.0


def test_folded_controls_are_not_drawn_but_what_differs_in_them_has_a_dot(at: AppTest):
    at.slider(key="slide-als.bias").set_value(1.0).run()
    at.session_state["settings-more-Link score"] = False
    at.run()
    assert not any(slider.key == "slide-als.bias" for slider in at.slider)
    assert "More :primary[●]" in [fold.label for fold in at.expander]
    assert config_of(at).als.bias == 1.0


def test_an_optional_number_is_a_switch_and_a_value(at: AppTest):
    at.toggle(key="switch-cpt.min_als_score").set_value(True).run()
    assert config_of(at).cpt.min_als_score == 0.5
    at.slider(key="slide-cpt.min_als_score").set_value(-1.5).run()
    assert config_of(at).cpt.min_als_score == -1.5
    at.toggle(key="switch-cpt.min_als_score").set_value(False).run()
    assert config_of(at).cpt.min_als_score is None


def test_an_optional_flag_has_three_values(at: AppTest):
    at.toggle(key="flag-cpt.spreading_activation").set_value(True).run()
    for word, value in (("Yes", True), ("No", False), ("As above", None)):
        at.segmented_control(key="choice-cpt.activation_random").set_value(word).run()
        assert config_of(at).cpt.activation_random is value


def test_own_weights_for_activation_start_at_the_link_scores_and_go_back_to_none(at: AppTest):
    at.toggle(key="flag-cpt.spreading_activation").set_value(True).run()
    at.toggle(key="switch-cpt.activation_als_config").set_value(True).run()
    assert config_of(at).cpt.activation_als_config == FIRST.als
    at.slider(key="slide-cpt.activation_als_config.bias").set_value(1.0).run()
    assert config_of(at).cpt.activation_als_config.bias == 1.0
    at.button(key="reset-cpt.activation_als_config.bias").click().run()
    assert config_of(at).cpt.activation_als_config.bias == 0.0
    at.toggle(key="switch-cpt.activation_als_config").set_value(False).run()
    assert config_of(at).cpt.activation_als_config is None


def test_a_refused_value_leaves_the_last_one_and_says_why(at: AppTest):
    at.number_input(key="type-temporal.decay_half_life_days").set_value(0.0).run()
    assert config_of(at) == FIRST
    assert "greater than 0" in texts(at)
    assert at.number_input(key="type-temporal.decay_half_life_days").value == 30.0
    at.slider(key="slide-cpt.seed_nodes").set_value(5).run()
    assert "greater than 0" not in texts(at)


def test_a_control_without_effect_is_disabled_and_says_why(at: AppTest):
    multiplier = at.slider(key="slide-cpt.activation_score_multiplier")
    assert multiplier.disabled
    assert at.slider(key="slide-mood_weight").disabled
    at.toggle(key="flag-cpt.spreading_activation").set_value(True).run()
    assert not at.slider(key="slide-cpt.activation_score_multiplier").disabled


def test_a_random_draw_says_that_it_needs_a_temperature(at: AppTest):
    assert at.toggle(key="switch-cpt.sampling_temperature").disabled
    at.toggle(key="flag-cpt.random_sampling").set_value(True).run()
    assert "Nothing is drawn until" in texts(at)
    at.toggle(key="switch-cpt.sampling_temperature").set_value(True).run()
    assert config_of(at).cpt.sampling_temperature == 1.0
    assert "Nothing is drawn until" not in texts(at)


def test_values_survive_leaving_the_page(at: AppTest):
    at.slider(key="slide-cpt.max_depth").set_value(6).run()
    at.toggle(key="elsewhere").set_value(True).run()
    assert not at.slider
    at.toggle(key="elsewhere").set_value(False).run()
    assert at.slider(key="slide-cpt.max_depth").value == 6


def test_a_built_in_preset_keeps_the_method_and_sets_the_rest(at: AppTest):
    at.segmented_control(key="choice-mode").set_value("cpt").run()
    at.selectbox(key="preset-select").set_value("Semantic only").run()
    assert config_of(at) == PRESETS["Semantic only"].with_changes(mode="cpt")
    at.button(key="preset-reset").click().run()
    assert config_of(at).mode == "cpt"


def test_settings_are_saved_chosen_again_and_deleted(at: AppTest):
    at.slider(key="slide-als.bias").set_value(1.5).run()
    at.text_input(key="preset-new-name").set_value("  my *own*  one ").run()
    at.button(key="preset-save").click().run()
    assert list(at.session_state["kept"]) == ["my *own* one"]
    assert "●" not in texts(at)
    at.selectbox(key="preset-select").set_value("Balanced").run()
    at.selectbox(key="preset-select").set_value("my *own* one").run()
    assert config_of(at).als.bias == 1.5
    at.button(key="preset-delete").click().run()
    assert at.session_state["kept"] == {}
    assert at.selectbox(key="preset-select").value == "Reference defaults"


@pytest.mark.parametrize(("name", "sentence"), [("", "Give the settings a name"), ("Balanced", "built-in preset")])
def test_a_name_that_will_not_do_is_refused_with_a_sentence(at: AppTest, name: str, sentence: str):
    at.text_input(key="preset-new-name").set_value(name).run()
    at.button(key="preset-save").click().run()
    assert at.session_state["kept"] == {}
    assert sentence in texts(at)
