"""The Retrieve page, driven: what is asked changes what is found, and what stands there is what the trace says."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from affrag_core import (
    PRESETS,
    Edge,
    Event,
    RetrievalTrace,
    Retriever,
    Workspace,
    chosen_on,
    hop_sentence,
    link_formula,
    number,
    path_hops,
    temporal_formula,
)
from pages.shared import settings_state

ROOT = Path(__file__).resolve().parents[2]
NOW = datetime(2025, 6, 1, 12, tzinfo=UTC)
HOSTILE = "<!-- <script> </script><img src=x onerror=alert(1)> **bold** :red[x] $x^2$ [a](javascript:alert(1)) `code`"
QUESTION = {"text": "What are the limits?", "note": "The old rule is over.", "vector": [1.0, 0.1, 0.0], "space": "toy"}


def events() -> list[Event]:
    def made(id: str, text: str, vector: list[float], day: int, feeling: list[float], **more: object) -> Event:
        return Event(id=id, text=text, semantic_vec=vector, timestamp=datetime(2025, 5, day, tzinfo=UTC), emotional_vec=feeling, **more)

    return [
        made("old_rule", "The old rule says one hundred", [1.0, 0.0, 0.0], 2, [0.1, 0.2], valid_until="2025-05-10T00:00:00Z"),
        made("new_rule", "The new rule says one thousand", [0.9, 0.3, 0.0], 20, [0.5, 0.2], kind="VERSIONED"),
        made("ticket", "A ticket about the rule", [0.7, 0.5, 0.2], 21, [-0.5, 0.6]),
        made("answer", "The ticket was answered", [0.4, 0.8, 0.1], 25, [0.6, 0.1]),
        made("party", "A party in the garden", [0.0, 0.2, 1.0], 26, [0.9, 0.8]),
        made("hostile", HOSTILE, [0.1, 0.9, 0.4], 27, [-0.9, 0.8]),
    ]


EDGES = [
    ("new_rule", "ticket", "leads to"),
    ("new_rule", "old_rule", "replaces"),
    ("ticket", "answer", "next"),
    ("ticket", "party", "same week"),
    ("answer", "hostile", "next"),
    ("party", "hostile", "next"),
    ("old_rule", "ticket", "leads to"),
]


@pytest.fixture
def folder(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("AFFRAG_PRELOAD", "0")
    place = data_dir / "workspaces"
    place.mkdir(parents=True)
    return place


def filled(folder: Path, *, name: str = "rules", rows: list[Event] | None = None, questions: list[dict] | None = None) -> Path:
    path = folder / f"{name}.sqlite"
    with Workspace.open(path) as ws:
        ws.set_spaces(semantic="toy", emotional="valence-arousal")
        rows = events() if rows is None else rows
        ws.add_events(rows)
        ids = {event.id for event in rows}
        ws.add_edges([Edge(source=a, target=b, relation=word) for a, b, word in EDGES if {a, b} <= ids])
        ws.set_setting("as_of", "2025-06-01T12:00:00Z")
        ws.set_setting("questions", [QUESTION] if questions is None else questions)
    return path


def opened(name: str = "rules", **parameters: str) -> AppTest:
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    at.query_params["workspace"] = name
    at.run()
    for key, value in parameters.items():
        at.query_params[key.replace("__", ".")] = value
    for stage in ("First stage", "Link score"):
        at.session_state[f"settings-more-{stage}"] = True
    at.switch_page("pages/explore/retrieve.py").run()
    assert not at.exception
    return at


def again(at: AppTest) -> AppTest:
    at.run()
    assert not at.exception
    return at


def words(at: AppTest) -> str:
    kinds = ("markdown", "caption", "info", "warning", "error", "title")
    return "\n".join(str(one.value) for kind in kinds for one in at.get(kind))


def trace_of(path: Path, config: object, vector: list[float] | None = None) -> RetrievalTrace:
    with Workspace.open(path) as ws:
        import numpy as np

        vec = np.asarray(vector or QUESTION["vector"], dtype=np.float32)
        return Retriever(ws).retrieve(QUESTION["text"], config, NOW, query_vec=vec)


def config_of(at: AppTest) -> object:
    return at.session_state["settings.config"]


def test_the_first_sample_question_is_answered_at_once(folder: Path):
    path = filled(folder)
    at = opened()
    assert at.text_input(key="question").value == QUESTION["text"]
    trace = trace_of(path, config_of(at))
    for row in trace.paths:
        assert f"**{number(row['final_score'])}**" in words(at)
    assert "Plain cosine" in words(at)


def test_an_opened_hop_shows_the_numbers_of_the_trace(folder: Path):
    path = filled(folder)
    at = opened()
    trace = trace_of(path, config_of(at))
    first = trace.paths[0]
    for place, hop in enumerate(path_hops(trace, first), start=1):
        at.segmented_control(key="hop").set_value(place).run()
        assert not at.exception
        assert link_formula(chosen_on(first, hop), trace.config) in words(at)
        assert hop_sentence(hop).split(":")[0].replace("_", "\\_") in words(at)
    at.segmented_control(key="hop").set_value(0).run()
    seed = next(row for row in trace.pool if row["event_id"] == first["event_ids"][0])
    assert temporal_formula(seed, trace.config) in words(at)


def test_the_drawn_bars_are_the_contributions_of_the_trace(folder: Path):
    path = filled(folder)
    at = opened()
    trace = trace_of(path, config_of(at))
    hop = path_hops(trace, trace.paths[0])[0]
    drawn = json.loads(at.get("plotly_chart")[0].proto.spec)
    parts = {bar["name"]: bar["x"] for bar in drawn["data"]}
    for term, values in parts.items():
        expected = [row["contributions"][term] * row["multiplier"] for row in hop["candidates"][: len(values)]]
        assert values == pytest.approx(expected, abs=1e-12)


def test_a_slider_changes_the_result(folder: Path):
    filled(folder)
    at = opened()
    before = words(at)
    at.slider(key="slide-als.semantic_weight").set_value(3.0).run()
    assert not at.exception
    assert words(at) != before
    assert "3 × 0." in words(at)


@pytest.mark.parametrize("method", ["vector", "temporal", "cpt", "combined"])
def test_every_method_has_an_answer_beside_plain_cosine(folder: Path, method: str):
    path = filled(folder)
    at = opened()
    at.segmented_control(key="method").set_value(method).run()
    assert not at.exception
    assert config_of(at).mode == method
    trace = trace_of(path, config_of(at))
    assert f"**{number(trace.paths[0]['final_score'])}**" in words(at)
    assert "Plain cosine" in words(at)


def test_a_card_a_baseline_row_and_a_step_all_end_in_the_same_choice(folder: Path):
    filled(folder)
    at = opened()
    at.button(key="look-path-2").click().run()
    assert at.query_params["path"] == "2"
    at.button(key="look-path-1").click().run()
    assert "path" not in at.query_params
    at.button(key="look-baseline-1").click().run()
    assert not at.exception
    assert "old\\_rule" in words(at)


def test_an_expired_event_says_why_it_is_in_no_path(folder: Path):
    filled(folder)
    at = opened(event="old_rule", q=QUESTION["text"])
    assert "expired 22 days ago" in words(at)
    assert "Left out: expired 22 days ago" in words(at).replace("\\", "")


def test_an_empty_question_is_a_sentence_and_no_error(folder: Path):
    filled(folder)
    at = opened()
    at.text_input(key="question").set_value("   ").run()
    assert not at.exception
    assert "Type a question and press Enter" in words(at)


def test_an_empty_workspace_says_what_to_do(folder: Path):
    filled(folder, rows=[], questions=[])
    assert "no events yet" in words(opened())


def test_events_without_vectors_say_what_to_do(folder: Path):
    filled(folder, rows=[Event(id="a", text="alone")], questions=[])
    assert "No event has a vector yet" in words(opened())


def test_a_typed_question_without_a_model_says_what_else_there_is(folder: Path):
    filled(folder)
    at = opened()
    at.text_input(key="question").set_value("Something else entirely").run()
    assert not at.exception
    assert "need a text model" in words(at)
    assert "sample question" in words(at)


def test_an_event_can_be_the_question(folder: Path):
    filled(folder)
    at = opened(**{"from": "ticket"})
    assert at.text_input(key="question").placeholder == "Starting from “A ticket about the rule”"
    assert "**Paths" in words(at) or "Paths" in words(at)
    assert at.query_params["from"] == "ticket"


def test_an_event_that_is_gone_is_a_sentence(folder: Path):
    filled(folder)
    assert "no event “nowhere” in this workspace" in words(opened(**{"from": "nowhere"})).replace("\\", "")


def test_filters_that_remove_everything_say_what_to_change(folder: Path):
    filled(folder)
    at = opened()
    at.toggle(key="switch-temporal.max_age_days").set_value(True).run()
    at.number_input(key="type-temporal.max_age_days").set_value(0.5).run()
    assert not at.exception
    assert "raise “Oldest age, days”" in words(at)


def test_a_time_before_all_events_says_so(folder: Path):
    filled(folder)
    at = opened(at="2001-01-01T00:00:00Z")
    assert "all are dated later" in words(at)


def test_the_time_can_be_now_and_the_datas_own(folder: Path):
    filled(folder)
    at = opened()
    at.button(key="as-of-now").click().run()
    assert not at.exception
    assert at.query_params["at"]
    at.button(key="as-of-own").click().run()
    assert "at" not in at.query_params


def test_an_address_brings_the_whole_view_back(folder: Path):
    filled(folder)
    at = opened()
    at.slider(key="slide-cpt.seed_nodes").set_value(2).run()
    at.selectbox(key="preset-select").set_value("Balanced").run()
    at.slider(key="slide-als.bias").set_value(0.5).run()
    at.segmented_control(key="method").set_value("cpt").run()
    at.button(key="look-path-2").click().run()
    address = dict(at.query_params.items())
    assert address["als.bias"] == "0.5"
    other = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    other.query_params["workspace"] = "rules"
    other.run()
    for name, value in address.items():
        other.query_params[name] = value
    other.switch_page("pages/explore/retrieve.py").run()
    assert not other.exception
    assert config_of(other) == config_of(at)
    assert dict(other.query_params.items()) == address


def test_a_question_in_hostile_letters_is_only_text(folder: Path):
    filled(folder, questions=[QUESTION | {"text": HOSTILE, "note": HOSTILE}])
    at = opened()
    assert at.text_input(key="question").value == HOSTILE
    # Each mark of markup stands behind a backslash; a colour's name is kept from its colon by a joiner.
    assert not re.search(r"(?<!\\)<|(?<!\\)\$x|:red\[|(?<!\\)\]\(java", words(at))
    at.button(key="look-baseline-1").click().run()
    assert not at.exception


def test_a_mood_given_as_a_word_gets_weight_and_can_be_taken_back(folder: Path):
    filled(folder)
    at = opened()
    at.selectbox(key="mood").set_value("happy").run()
    assert not at.exception
    assert (config_of(at).mood, config_of(at).mood_weight) == ("happy", 0.5)
    at.selectbox(key="mood").set_value(None).run()
    assert (config_of(at).mood, config_of(at).mood_weight) == (None, 0.0)


@pytest.mark.parametrize("tab", ["Candidates of this hop", "First stage", "All paths", "Timings and download"])
def test_every_table_can_be_opened(folder: Path, tab: str):
    filled(folder)
    at = opened()
    at.session_state["retrieve-tab"] = tab
    assert again(at).dataframe


def test_a_moved_slider_wins_over_an_old_address(folder: Path):
    """Two quick moves: the second arrives with the address from before the first."""
    filled(folder)
    at = opened()
    old = dict(at.query_params.items())
    at.slider(key="slide-cpt.seed_nodes").set_value(2).run()
    for name in list(at.query_params):
        if name not in old:
            del at.query_params[name]
    at.slider(key="slide-cpt.max_depth").set_value(1).run()
    assert (config_of(at).cpt.seed_nodes, config_of(at).cpt.max_depth) == (2, 1)


def test_going_back_in_the_browser_returns_to_the_earlier_settings(folder: Path):
    filled(folder)
    at = opened()
    at.slider(key="slide-cpt.seed_nodes").set_value(2).run()
    del at.query_params["cpt.seed_nodes"]
    again(at)
    assert config_of(at).cpt.seed_nodes == 3


def test_a_link_with_one_setting_leaves_the_others_as_they_are_in_the_preset(folder: Path):
    filled(folder)
    at = opened(mode="cpt", cpt__seed_nodes="1")
    assert (config_of(at).mode, config_of(at).cpt.seed_nodes, config_of(at).cpt.max_depth) == ("cpt", 1, 3)


def test_a_link_to_start_from_an_event_keeps_the_settings(folder: Path):
    filled(folder)
    at = opened()
    at.slider(key="slide-cpt.seed_nodes").set_value(2).run()
    for name in [name for name in at.query_params if name != "workspace"]:
        del at.query_params[name]
    at.query_params["from"] = "ticket"
    again(at)
    assert config_of(at).cpt.seed_nodes == 2
    assert at.query_params["from"] == "ticket"


def test_events_without_a_date_are_answered_too(folder: Path):
    filled(folder, rows=[event.replace(timestamp=None, valid_until=None) for event in events()])
    for method in ("vector", "temporal", "cpt", "combined"):
        at = opened(mode=method)
        assert "Plain cosine" in words(at)
        assert "no date" in words(at)


def test_a_saved_config_is_kept_in_the_workspace(folder: Path):
    path = filled(folder)
    at = opened()
    at.slider(key="slide-cpt.seed_nodes").set_value(2).run()
    at.text_input(key="preset-new-name").set_value("two seeds").run()
    at.button(key="preset-save").click().run()
    assert not at.exception
    with Workspace.open(path) as ws:
        assert ws.config("two seeds").cpt.seed_nodes == 2


def test_a_walk_with_too_many_paths_is_stopped_with_what_to_lower(folder: Path, monkeypatch: pytest.MonkeyPatch):
    filled(folder)
    few = {name: config.with_changes(max_paths=1) for name, config in PRESETS.items()}
    monkeypatch.setattr(settings_state, "PRESETS", few)
    at = opened()
    assert "The walk was stopped: there are more than 1 paths with" in words(at).replace("\\", "")
    assert "lower one of them" in words(at)
    assert not at.error


def test_a_question_that_the_address_cannot_hold_says_so(folder: Path):
    filled(folder, questions=[QUESTION | {"text": "long " * 101}])
    at = opened()
    assert "does not fit into the address" in words(at)
    assert "q" not in at.query_params
