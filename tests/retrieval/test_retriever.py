"""Whole retrievals: what is refused, what a change does, and the degenerate cases."""

from __future__ import annotations

import json
import time
from collections import Counter
from datetime import datetime
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from memory_source import MemorySource
from retrieval_cases import MODES, NOW, cases, event, links, settings_for

from affrag_core import Edge, Workspace
from affrag_core.config import ALSConfig, CPTConfig, RetrievalConfig
from affrag_core.errors import ConfigError, EncoderError, EventError, PathLimitError
from affrag_core.graph import structure
from affrag_core.retrieval.retriever import Retriever

EAST = [1.0, 0.0]
STORY = [event("a", [1.0, 0.0], day=-9), event("b", [1.0, 1.0], day=-5), event("c", [0.0, 1.0], day=-1)]


def ids(trace) -> list[str]:
    return ["".join(path["event_ids"]) for path in trace.paths]


def retrieved(events, edges=(), query=EAST, mode="combined", **options):
    return Retriever(MemorySource(events, edges)).retrieve(query, settings_for(mode, **options), NOW)


def told(trace) -> dict:
    """A trace without its timings."""
    return trace.to_dict() | {"timings_ms": None}


# What is asked


@pytest.mark.parametrize("blank", ["", "  ", "\n\t"])
def test_a_blank_question_is_refused_also_with_a_vector(blank):
    with pytest.raises(ConfigError, match="query must not be blank"):
        Retriever(MemorySource(STORY)).retrieve(blank, as_of=NOW, query_vec=EAST)


def test_the_present_is_never_assumed():
    with pytest.raises(ConfigError, match="as_of must say the time"):
        Retriever(MemorySource(STORY)).retrieve(EAST)


def test_a_time_that_cannot_be_read_is_refused_by_its_name():
    with pytest.raises(EventError, match="as_of must be a date or time .* got 'yesterday'"):
        Retriever(MemorySource(STORY)).retrieve(EAST, as_of="yesterday")


def test_a_time_without_an_offset_means_utc():
    source = MemorySource([event("now", day=0), event("later", day=1e-9)])
    naive = datetime(2025, 6, 1, 12)  # noqa: DTZ001
    for moment in (NOW, naive, "2025-06-01T12:00:00", "2025-06-01T14:00:00+02:00"):
        trace = Retriever(source).retrieve(EAST, as_of=moment)
        assert trace.as_of == NOW
        assert [row["event_id"] for row in trace.pool] == ["now"]


@pytest.mark.parametrize("wrong", [[1.0], [1.0, 2.0, 3.0], []])
def test_a_vector_of_another_length_is_refused_with_both_sizes(wrong):
    with pytest.raises(EncoderError, match=f"the question's vector has {len(wrong)} numbers, the events' vectors have 2"):
        Retriever(MemorySource(STORY)).retrieve(wrong, as_of=NOW)


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_a_vector_that_is_not_finite_is_refused(number):
    with pytest.raises(EventError, match="query must be finite, got (nan|inf) at position 1"):
        Retriever(MemorySource(STORY)).retrieve([0.0, number], as_of=NOW)


def test_a_text_without_a_vector_needs_an_encoder():
    with pytest.raises(EncoderError, match="no encoder is at hand"):
        Retriever(MemorySource(STORY)).retrieve("what happened?", as_of=NOW)


def test_a_text_is_encoded_unless_its_vector_is_given():
    asked = []

    def encode(text: str) -> list[float]:
        asked.append(text)
        return [0.0, 1.0]

    retriever = Retriever(MemorySource(STORY), encode=encode)
    trace = retriever.retrieve("what happened?", settings_for("vector", max_results=1), NOW)
    assert (trace.query, ids(trace), asked) == ("what happened?", ["c"], ["what happened?"])
    trace = retriever.retrieve("what happened?", settings_for("vector", max_results=1), NOW, query_vec=EAST)
    assert (trace.query, ids(trace), len(asked)) == ("what happened?", ["a"], 1)


def test_a_vector_may_stand_for_the_question():
    for vector in (EAST, (1, 0), np.array(EAST), np.array(EAST, dtype=np.float32), np.array([1, 0])):
        trace = Retriever(MemorySource(STORY)).retrieve(vector, settings_for("vector", max_results=1), NOW)
        assert (trace.query, ids(trace)) == ("", ["a"])


def test_a_mood_word_that_is_not_known_is_refused():
    with pytest.raises(EventError, match="emotion must be a word that is known, got 'hapy'; did you mean happy"):
        retrieved(STORY, mood="hapy", mood_weight=1.0)


def test_without_settings_the_defaults_apply():
    assert Retriever(MemorySource(STORY)).retrieve(EAST, as_of=NOW).config == RetrievalConfig()


# Degenerate workspaces


@pytest.mark.parametrize("mode", MODES)
class TestEveryMethod:
    def test_answers_from_an_empty_workspace(self, mode):
        trace = retrieved([], mode=mode)
        assert (list(trace.pool), list(trace.hops), list(trace.paths)) == ([], [], [])
        assert set(trace.term_influence.values()) == {0.0}

    def test_answers_from_one_event(self, mode):
        assert ids(retrieved([event("a")], mode=mode)) == ["a"]

    def test_answers_from_events_without_links(self, mode):
        assert sorted(ids(retrieved(STORY, mode=mode))) == ["a", "b", "c"]

    def test_answers_from_events_without_vectors(self, mode):
        trace = retrieved([event("a", None, day=-1), event("b", None)], links("ab"), mode=mode)
        assert (list(trace.pool), list(trace.paths)) == ([], [])

    def test_answers_from_events_without_dates(self, mode):
        trace = retrieved([event("a"), event("b", [1.0, 1.0])], links("ab"), mode=mode)
        assert {row["temporal_component"] for row in trace.pool} == {0.0}
        assert {row["age_days"] for row in trace.pool} == {None}
        assert ids(trace)[0] in ("a", "ab")

    def test_answers_from_events_in_the_future_alone(self, mode):
        later = [event("a", day=1), event("b", day=2)]
        assert ids(retrieved(later, links("ab"), mode=mode)) == []
        assert sorted(ids(retrieved(later, mode=mode, include_future=True))) == ["a", "b"]

    def test_answers_where_everything_has_expired(self, mode):
        gone = [event(key, day=-9, window=(None, -1)) for key in "ab"]
        assert len(retrieved(gone, links("ab"), mode=mode).paths) == (0 if mode in ("temporal", "combined") else 2)

    def test_answers_where_everything_is_tied(self, mode):
        twins = [event(key, day=-9) for key in "abc"]
        assert ids(retrieved(twins, mode=mode)) == ["a", "b", "c"]

    def test_answers_a_question_of_zeros_in_the_order_of_insertion(self, mode):
        trace = retrieved([event(key, [1.0, n], day=-9) for n, key in enumerate("abc")], query=[0.0, 0.0], mode=mode)
        assert [(row["event_id"], row["raw_similarity"]) for row in trace.pool] == [("a", 0), ("b", 0), ("c", 0)]
        assert ids(trace) == ["a", "b", "c"]

    @pytest.mark.parametrize("scale", [1e200, 1e-200, 1e308, 5e-324])
    def test_answers_by_direction_however_long_the_vectors(self, mode, scale):
        events = [event("a", [scale, 0.0], day=-1), event("b", [0.0, 1.0], day=-1), event("c", [0.0, 0.0], day=-1)]
        for query in (EAST, [scale, 0.0]):
            trace = retrieved(events, links("ab", "ac"), query=query, mode=mode)
            assert trace.pool[0]["event_id"] == "a"
            assert trace.pool[0]["raw_similarity"] == 1
            json.dumps(trace.to_dict(), allow_nan=False)

    def test_answers_in_an_instant_on_a_complete_graph_of_thirty_with_eight_hops(self, mode):
        rng = np.random.default_rng(0)
        events = [event(f"e{i}", rng.normal(size=4), day=-i) for i in range(30)]
        edges = [Edge(source=f"e{i}", target=f"e{j}") for i in range(30) for j in range(30) if i != j]
        start = time.process_time()
        trace = retrieved(events, edges, query=np.ones(4), mode=mode, max_depth=8, branching_factor=2, spreading_activation=True)
        assert time.process_time() - start < 3
        assert len(trace.paths) == (3 * 2**8 if mode in ("cpt", "combined") else 5)


# Walking


def test_events_after_the_time_asked_about_are_met_and_not_walked():
    story = [event("a", day=-9), event("b", day=1), event("c", [0.0, 1.0], day=-1)]
    for mode in ("cpt", "combined"):
        trace = retrieved(story, links("ab", "ac"), mode=mode, seed_nodes=1)
        assert ids(trace) == ["ac"]
        assert {row["event_id"]: row["outcome"] for row in trace.hops[0]["candidates"]} == {"c": "chosen", "b": "after as_of"}
        options = {"include_future": True, "max_depth": 1, "temporal_weight": 0.0}
        assert ids(retrieved(story, links("ab", "ac"), mode=mode, seed_nodes=1, **options)) == ["ab"]


def test_expired_events_are_walked_only_where_that_is_asked_for():
    story = [event("a", day=-9), event("b", day=-9, window=(None, -1)), event("c", [0.0, 1.0], day=-1)]
    options = {"edges": links("ab", "ac"), "seed_nodes": 1, "max_depth": 1}
    assert ids(retrieved(story, **options)) == ["ac"]
    assert ids(retrieved(story, **options, walk_expired=True)) == ["ab"]
    assert ids(retrieved(story, **options, mode="cpt")) == ["ab"]


def test_a_superseded_version_is_marked_and_left_out_only_where_that_is_asked_for():
    story = [event("a", day=-9), event("v", day=-60, kind="VERSIONED"), event("w", [1.0, 1.0], day=-5, supersedes_id="v")]
    options = {"edges": links("av", "aw"), "max_depth": 1, "seed_nodes": 1, "temporal_weight": 0.0}
    kept, dropped = retrieved(story, **options), retrieved(story, **options, drop_superseded=True)
    assert (ids(kept), ids(dropped)) == (["av"], ["aw"])
    for trace in (kept, dropped):
        marks = {row["event_id"]: row["superseded_by"] for row in trace.pool}
        assert marks == {"a": None, "v": "w", "w": None}
        assert {row["event_id"]: row["temporal"]["superseded_by"] for row in trace.hops[0]["candidates"]} == {"v": "w", "w": None}
    assert [row["final_score"] for row in dropped.pool if row["event_id"] == "v"] == [None]


def test_several_relations_between_a_pair_are_one_candidate_that_lists_them_all():
    trace = retrieved(STORY, links("abX", "abY", "aa"), seed_nodes=1)
    rows = {row["event_id"]: row for row in trace.hops[0]["candidates"]}
    assert rows["b"]["relations"] == ["X", "Y"]
    assert rows["a"]["outcome"] == "already on path"
    assert len(rows) == 2


def test_activation_reaches_what_no_link_leads_to():
    story = [event("a", day=-9), event("b", [1.0, 0.2], day=-5), event("c", [0.0, 1.0], day=-1)]
    options = {"seed_nodes": 1, "max_depth": 1, "temporal_weight": 0.0}
    assert ids(retrieved(story, links("ac"), **options)) == ["ac"]
    trace = retrieved(story, links("ac"), **options, spreading_activation=True, activation_min_score=0.5)
    assert ids(trace) == ["ab"]
    assert {row["event_id"]: row["via"] for row in trace.hops[0]["candidates"]} == {"b": "activation", "c": "edge"}


def test_random_draws_repeat_with_a_seed_and_are_fresh_without():
    events = [event(f"e{i}", [1.0, i / 9], day=-i) for i in range(20)]
    edges = [Edge(source=f"e{i}", target=f"e{j}") for i in range(20) for j in range(20)]
    retriever = Retriever(MemorySource(events, edges))

    def drawn(seed: int | None) -> tuple:
        cpt = CPTConfig(random_sampling=True, sampling_temperature=5.0, top_k=1, sampling_seed=seed)
        trace = retriever.retrieve(EAST, RetrievalConfig(cpt=cpt), NOW)
        return tuple(tuple(path["event_ids"]) for path in trace.paths)

    assert drawn(7) == drawn(7)
    assert len({drawn(None) for _ in range(6)}) > 1
    assert len({drawn(seed) for seed in range(6)}) > 1


@pytest.mark.parametrize("extreme", [{"sampling_temperature": 0.0, "random_sampling": True}, {"top_p": 0.0}, {"top_p": 1e-9}])
def test_no_temperature_and_no_share_take_the_best(extreme):
    assert ids(retrieved(STORY, links("ab", "ac"), mode="cpt", seed_nodes=1, max_depth=1, **extreme)) == ["ab"]


def test_where_all_scores_are_negative_the_least_bad_is_walked():
    trace = retrieved(STORY, links("ab", "ac"), mode="cpt", seed_nodes=1, max_depth=1, bias=-5.0)
    assert ids(trace) == ["ab"]
    assert trace.paths[0]["path_score"] < 0


# Changes


@pytest.fixture
def computed(monkeypatch) -> Counter:
    """How often the features of each event's links were computed, by position."""
    calls: Counter = Counter()
    original = structure.link_features

    def counted(arrays, a, b):
        calls.update(a[:1].tolist())
        return original(arrays, a, b)

    monkeypatch.setattr(structure, "link_features", counted)
    return calls


def test_a_moved_weight_computes_no_link_feature_again(computed):
    retriever = Retriever(MemorySource(STORY, links("ab", "bc", "ca")))
    retriever.retrieve(EAST, settings_for(), NOW)
    assert set(computed) == {0, 1, 2}
    computed.clear()
    for weight in (0.5, -1.0):
        retriever.retrieve(EAST, settings_for(semantic=weight), NOW).to_dict()
    assert not computed


def test_a_change_is_seen_by_the_next_retrieval_and_keeps_the_features_it_did_not_touch(computed):
    source = MemorySource(STORY, links("ab", "bc", "ca"))
    retriever = Retriever(source)
    config = settings_for("cpt", seed_nodes=3, max_depth=2)
    retriever.retrieve(EAST, config, NOW)
    computed.clear()
    source.change(put=[event("c", [1.0, 5.0], day=-1)], link=links("cb"))
    trace = retriever.retrieve(EAST, config, NOW)
    assert dict(computed) == {1: 1, 2: 1}  # b leads to c, and c is c
    assert told(trace) == told(Retriever(source).retrieve(EAST, config, NOW))


def test_a_change_of_text_alone_leaves_the_vectors_index_and_an_edge_change_too(monkeypatch):
    source = MemorySource(STORY, links("ab"))
    retriever = Retriever(source)
    retriever.retrieve(EAST, as_of=NOW)
    monkeypatch.setattr("affrag_core.retrieval.retriever.ExactIndex", None)
    source.change(link=links("bc"))
    assert ids(retriever.retrieve(EAST, settings_for(max_depth=9, seed_nodes=1, temporal_weight=0.0), NOW)) == ["abc"]


def test_the_graph_is_that_of_the_workspace_as_it_is_now():
    source = MemorySource(STORY)
    retriever = Retriever(source)
    assert retriever.graph.ids == ["a", "b", "c"]
    source.change(delete=["b"], put=[event("d")])
    assert retriever.graph.ids == ["a", "c", "d"]


class BusySource(MemorySource):
    """A source that somebody else changes while it is being read, just before or just after each part."""

    changes_to_come, early = 0, False

    def events(self):
        return self._interrupted(super().events)

    def edges(self):
        return self._interrupted(super().edges)

    def changes_since(self, version):
        return self._interrupted(partial(super().changes_since, version))

    def _interrupted(self, read):
        found = None if self.early else read()
        if self.changes_to_come:
            self.changes_to_come -= 1
            n = self.version
            self.change(put=[event(f"new {n}", [1.0, n / 9], day=-1)], link=[Edge(source="a", target=f"new {n}")])
        return read() if self.early else found


@pytest.mark.parametrize("remembers", [True, False])
@pytest.mark.parametrize("early", [True, False])
@pytest.mark.parametrize("interruptions", [1, 2, 3, 5])
def test_a_change_in_the_middle_of_reading_is_neither_lost_nor_counted_twice(interruptions, early, remembers):
    source = BusySource(STORY, links("ab"), remembers=remembers)
    source.early = early
    retriever = Retriever(source)
    for _ in range(2):
        source.change()
        source.changes_to_come = interruptions
        trace = retriever.retrieve(EAST, settings_for(), NOW)
        assert source.changes_to_come == 0
        assert trace.versions["data"] == source.version
        assert told(trace) == told(Retriever(source).retrieve(EAST, settings_for(), NOW))


CHANGES = st.tuples(st.sampled_from(["put", "delete", "link", "unlink", "nothing"]), st.integers(0, 8), st.integers(0, 8))


@settings(max_examples=60)
@given(cases(smallest=1), st.lists(CHANGES, max_size=6), st.booleans())
def test_after_any_changes_a_retriever_answers_as_a_new_one(case, changes, remembers):
    events, edges, query, config = case
    source = MemorySource(events, edges, remembers=remembers)
    retriever = Retriever(source)
    retriever.retrieve(query, config, NOW)
    for what, i, j in changes:
        there = [e.id for e in source.events()]
        keys = [edge.key for edge in source.edges()]
        if what == "put":
            source.change(put=[events[i % len(events)].replace(id=f"e{j}")])
        elif what == "delete" and there:
            source.change(delete=[there[i % len(there)]])
        elif what == "link" and there:
            source.change(link=[Edge(source=there[i % len(there)], target=there[j % len(there)], relation="because")])
        elif what == "unlink" and keys:
            source.change(unlink=[keys[i % len(keys)]])
        if j % 3:
            assert told(retriever.retrieve(query, config, NOW)) == told(Retriever(source).retrieve(query, config, NOW))


# Order


def unordered(trace) -> dict:
    """A trace with everything that follows the order of insertion put into one of its own."""
    rows = told(trace)
    for hop in rows["hops"]:
        for row in hop["candidates"]:
            row["relations"] = sorted(row["relations"])
    rows["hops"].sort(key=lambda hop: hop["path"])
    return rows


def telling_apart(case):
    """The case with nothing tied: vectors, feelings and dates of their own, no weight of zero, no top-p (which shares alike below zero)."""
    events, edges, _, config = case
    rng = np.random.default_rng(5)
    apart = [
        e.replace(
            semantic_vec=rng.normal(size=4),
            emotional_vec=rng.normal(size=2),
            timestamp=f"2025-05-{10 + i}T0{i}:00:00Z",
            supersedes_id=e.supersedes_id if e.supersedes_id in {"e0", "e1"} else None,
        )
        for i, e in enumerate(events)
    ]
    weights = {name: 0.3 + value for name, value in config.als.model_dump().items()}
    own = config.cpt.activation_als_config and ALSConfig(semantic_weight=-1.0, temporal_weight=0.4)
    multiplier = config.cpt.activation_score_multiplier or 0.9
    cpt = config.cpt.with_changes(top_p=None, activation_top_p=None, activation_als_config=own, activation_score_multiplier=multiplier)
    time = config.temporal.with_changes(temporal_weight=min(config.temporal.temporal_weight, 0.8))
    return apart, edges, rng.normal(size=4), config.with_changes(als=config.als.with_changes(**weights), cpt=cpt, temporal=time)


@settings(max_examples=80)
@given(cases().map(telling_apart), st.randoms(use_true_random=False))
def test_the_order_of_events_and_edges_changes_nothing(case, random):
    events, edges, query, config = case
    before = Retriever(MemorySource(events, edges)).retrieve(query, config, NOW)
    shuffled_events, shuffled_edges = random.sample(events, len(events)), random.sample(edges, len(edges))
    after = Retriever(MemorySource(shuffled_events, shuffled_edges)).retrieve(query, config, NOW)
    assert unordered(after) == unordered(before)


@given(st.permutations(range(5)))
def test_the_order_of_insertion_decides_exact_ties_and_nothing_else(order):
    twins = [event(f"t{i}", [1.0, 0.5], day=-3) for i in range(5)]
    hub = event("hub", [1.0, 0.0], day=-3)
    edges = [Edge(source="hub", target=f"t{i}") for i in order]
    trace = retrieved([hub, *(twins[i] for i in order)], edges, seed_nodes=1, max_depth=1, temporal_weight=0.0)
    assert [row["event_id"] for row in trace.pool] == ["hub", *(f"t{i}" for i in order)]
    assert trace.paths[0]["event_ids"] == ["hub", f"t{order[0]}"]


# A workspace


def test_a_workspace_answers_as_its_events_and_edges_do_and_follows_edits_and_undo():
    with Workspace.open(":memory:") as workspace:
        workspace.add_events(STORY)
        workspace.add_edges(links("ab", "bc"))
        workspace.set_spaces(semantic="made up")
        retriever, config = Retriever(workspace), settings_for(seed_nodes=1, temporal_weight=0.0)
        first = retriever.retrieve(EAST, config, NOW)
        assert ids(first) == ["abc"]
        assert first.versions == {"data": workspace.version, "semantic_encoder": "made up", "emotional_encoder": None}
        workspace.delete_events(["b"])
        assert ids(retriever.retrieve(EAST, config, NOW)) == ["a"]
        workspace.undo()
        assert told(retriever.retrieve(EAST, config, NOW)) | {"versions": None} == told(first) | {"versions": None}


def test_a_workspace_that_is_changed_edit_by_edit_answers_as_one_read_anew():
    with Workspace.open(":memory:") as workspace:
        retriever = Retriever(workspace)
        steps = [
            lambda: workspace.add_events(STORY),
            lambda: workspace.add_edges(links("abX", "abY", "bc", "ca", "cc")),
            lambda: workspace.update_events([STORY[1].replace(semantic_vec=[0.2, 1.0])]),
            lambda: workspace.update_edge(("a", "b", "X"), links("acX")[0]),
            lambda: workspace.delete_edges([("b", "c", "next")]),
            lambda: workspace.delete_events(["c"]),
            workspace.undo,
            workspace.undo,
            workspace.redo,
        ]
        for step in steps:
            step()
            assert told(retriever.retrieve(EAST, settings_for(), NOW)) == told(Retriever(workspace).retrieve(EAST, settings_for(), NOW))


def test_the_number_of_paths_is_bounded_by_the_config_and_never_cut():
    edges = [Edge(source=a, target=b) for a in "abc" for b in "abc" if a != b]
    settings = settings_for("cpt", branching_factor=2, max_depth=1, seed_nodes=2)
    source = Retriever(MemorySource(STORY, edges))
    assert len(source.retrieve(EAST, settings.with_changes(max_paths=4), NOW).paths) == 2 * 2
    with pytest.raises(PathLimitError, match="more than 3 paths with 2 branches a hop, 1 hops and 2 seeds: lower one of them"):
        source.retrieve(EAST, settings.with_changes(max_paths=3), NOW)


def test_a_config_within_a_config_says_what_is_wrong_once():
    for made in (RetrievalConfig, RetrievalConfig.model_validate):
        with pytest.raises(ConfigError) as caught:
            made(cpt={"max_depth": -1}) if made is RetrievalConfig else made({"cpt": {"max_depth": -1}})
        assert str(caught.value) == "CPTConfig.max_depth: input should be greater than or equal to 0, got -1"
    with pytest.raises(ConfigError, match="RetrievalConfig.max_paths: input should be greater than or equal to 1, got 0"):
        RetrievalConfig.model_validate_json('{"max_paths": 0}')
