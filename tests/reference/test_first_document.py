"""The examples of the first reference document, with our own events: each runs with only the name of the package changed."""

from __future__ import annotations

import json
import re
from math import sqrt
from pathlib import Path

import pytest

from affrag_core import CPTConfig, CPTResult, MemoryGraph

DOCUMENT = Path(__file__).resolve().parents[3] / "shared" / "seeds" / "affective_rag.md"

TALK = {
    "id": "talk",
    "text": "The talk went badly",
    "timestamp": "2024-01-01T18:00:00Z",
    "emotion": {"valence": -0.6, "arousal": 0.7},
    "semantic_vec": [1.0, 0.0],
    "emotional_vec": [0.0, 1.0],
}
CALL = {
    "id": "call",
    "text": "A friend called",
    "timestamp": "2024-01-02T18:00:00Z",
    "emotion": {"valence": 0.5, "arousal": -0.1},
    "semantic_vec": [1.0, 1.0],
    "emotional_vec": [0.6, 0.8],
}
WALK = {"id": "walk", "text": "We walked by the river", "timestamp": "2024-01-05T18:00:00Z"}
TALK_TO_CALL = 0.0791 / sqrt(2) - 0.5179 * 0.8 + 3.1470 / (1 + 1)
CALL_TO_WALK = 3.1470 / (1 + 3)


def lookup(query):
    """Hits of a vector store, best first."""
    return [("talk", 0.95), ("call", 0.75)]


@pytest.fixture
def graph():
    """Three events in a row."""
    graph = MemoryGraph()
    for event in (TALK, CALL, WALK):
        graph.add_event(event["id"], event)
    graph.add_edge("talk", "call")
    graph.add_edge("call", "walk")
    return graph


def ids(result):
    return [[node["id"] for node in path.nodes] for path in result.paths]


def test_the_quick_start_gives_paths_by_falling_score(graph):
    result = graph.retrieve(query="What went wrong?", vector_lookup=lookup, cpt_config=CPTConfig(max_depth=3, seed_nodes=3))
    assert isinstance(result, CPTResult)
    assert ids(result) == [["talk", "call", "walk"], ["call", "walk"]]
    scores = [0.95 + TALK_TO_CALL + CALL_TO_WALK, 0.75 + CALL_TO_WALK]
    assert [path.score for path in result.paths] == pytest.approx(scores, abs=1e-12)
    assert result.paths[0].nodes == [TALK, CALL, WALK]


def test_settings_may_be_left_out(graph):
    assert graph.retrieve("anything", vector_lookup=lookup) == graph.retrieve("anything", vector_lookup=lookup, cpt_config=CPTConfig())


def test_a_result_becomes_json_and_comes_back(graph):
    result = graph.retrieve("anything", vector_lookup=lookup)
    assert CPTResult.model_validate_json(result.model_dump_json()).model_dump() == result.model_dump()


def test_events_may_lie_in_another_store():
    graph = MemoryGraph()
    graph.add_event("talk", {})
    graph.add_event("call", {})
    graph.add_edge("talk", "call")
    store = {"talk": TALK, "call": CALL}

    def event_of(event_id: str) -> dict:
        return store[event_id]

    result = graph.retrieve(query="What went wrong?", vector_lookup=lookup, event_data_provider=event_of)
    assert ids(result) == [["talk", "call"], ["call"]]
    assert [path.score for path in result.paths] == pytest.approx([0.95 + TALK_TO_CALL, 0.75], abs=1e-12)
    assert graph.get_event("talk") == {"id": "talk"}


def test_what_is_done_to_a_result_does_not_change_the_other_store():
    graph, store = MemoryGraph(), {"talk": dict(TALK)}
    graph.add_event("talk", {})
    for cached in (True, False):
        config = CPTConfig(cache_event_data=cached)
        node = graph.retrieve("?", vector_lookup=lookup, cpt_config=config, event_data_provider=store.__getitem__).paths[0].nodes[0]
        node["text"] = "edited"
        assert store == {"talk": TALK}


@pytest.mark.parametrize(("cached", "times"), [(True, 1), (False, 3)])
def test_a_cached_store_is_asked_once_for_each_event(graph, cached, times):
    asked = []

    def event_of(event_id: str) -> dict:
        asked.append(event_id)
        return {"talk": TALK, "call": CALL, "walk": WALK}[event_id]

    graph.retrieve("?", vector_lookup=lookup, cpt_config=CPTConfig(cache_event_data=cached), event_data_provider=event_of)
    assert all(asked.count(event_id) == 1 if cached else asked.count(event_id) >= times for event_id in ("talk", "call", "walk"))


def test_every_setting_of_the_configuration_example_acts(graph):
    config = CPTConfig(seed_nodes=3, max_depth=3, max_neighbors=10, min_als_score=0.8, cache_event_data=True)
    assert CALL_TO_WALK < 0.8 < TALK_TO_CALL
    assert ids(graph.retrieve("?", vector_lookup=lookup, cpt_config=config)) == [["talk", "call"], ["call"]]
    assert ids(graph.retrieve("?", vector_lookup=lookup, cpt_config=config.with_changes(max_depth=0))) == [["talk"], ["call"]]
    assert ids(graph.retrieve("?", vector_lookup=lookup, cpt_config=config.with_changes(seed_nodes=1))) == [["talk", "call"]]


def test_a_score_function_of_ones_own_replaces_als(graph):
    def by_length(event_a: dict, event_b: dict) -> float:
        return len(event_a["text"]) + len(event_b["text"])

    result = graph.retrieve(query="?", vector_lookup=lookup, score_fn=by_length)
    lengths = [len(event["text"]) for event in (TALK, CALL, WALK)]
    assert result.paths[0].score == pytest.approx(0.95 + (lengths[0] + lengths[1]) + (lengths[1] + lengths[2]), abs=1e-12)


def test_the_log_tells_the_seeds_and_every_path(graph):
    records = []
    graph.set_logging(enabled=True, logger_provider=records.append)
    result = graph.retrieve("What went wrong?", vector_lookup=lookup, cpt_config=CPTConfig(min_als_score=0.8))
    settings = {"max_depth": 3, "seed_nodes": 3, "max_neighbors": 10, "min_als_score": 0.8, "cache_event_data": True}
    hits = [("talk", 0.95), ("call", 0.75)]
    assert records == [
        {"event": "Context Path Retrieval", "type": "synchronous", "query": "What went wrong?", "config": settings, "seed_nodes": hits},
        {"event": "Building Context Path", "path_number": 1, "seed_node": "talk", "seed_score": 0.95},
        {
            "event": "Full Context Path",
            "path_number": 1,
            "node_ids": ["talk", "call"],
            "score": result.paths[0].score,
            "context_contributed": [TALK["text"], CALL["text"]],
        },
        {"event": "Building Context Path", "path_number": 2, "seed_node": "call", "seed_score": 0.75},
        {"event": "Full Context Path", "path_number": 2, "node_ids": ["call"], "score": 0.75, "context_contributed": [CALL["text"]]},
    ]
    assert json.loads(json.dumps(records, indent=2))[0]["seed_nodes"] == [["talk", 0.95], ["call", 0.75]]


def test_hits_given_as_lists_are_logged_as_pairs(graph):
    records = []
    graph.set_logging(True, records.append)
    graph.retrieve("?", vector_lookup=lambda query: [["talk", 0.95]])
    assert records[0]["seed_nodes"] == [("talk", 0.95)]


def test_the_log_is_printed_where_no_function_is_given(graph, capsys):
    graph.set_logging(enabled=True)
    graph.retrieve("What went wrong?", vector_lookup=lookup)
    lines = capsys.readouterr().out.splitlines()
    assert [re.search(r"'event': '([\w ]+)'", line)[1] for line in lines[:3]] == [
        "Context Path Retrieval",
        "Building Context Path",
        "Full Context Path",
    ]


def test_a_log_that_is_switched_off_says_nothing(graph, capsys):
    graph.set_logging(True)
    graph.set_logging(False)
    graph.retrieve("?", vector_lookup=lookup)
    assert capsys.readouterr().out == ""


def test_a_logger_that_is_itself_an_empty_list_is_used(graph, capsys):
    class Records(list):
        def __call__(self, record):
            self.append(record)

    records = Records()
    graph.set_logging(True, records)
    graph.retrieve("?", vector_lookup=lookup)
    assert len(records) == 1 + 2 * 2
    assert capsys.readouterr().out == ""


needs_document = pytest.mark.skipif(not DOCUMENT.is_file(), reason="the first reference document is not beside this tree")


def example(first_line: str, last_line: str) -> str:
    """A complete example out of the document, with only the name of the package changed."""
    text = DOCUMENT.read_text(encoding="utf-8")
    start = text.index(f"\n{first_line}\n") + 1
    code = text[start : text.index(last_line, start) + len(last_line)]
    assert "affective_rag" in code
    return code.replace("affective_rag", "affrag_core")


@needs_document
def test_the_documents_own_quick_start_runs(capsys):
    names: dict = {}
    exec(example("from affective_rag import MemoryGraph, CPTConfig", "print(f\"  - {node['text']}\")"), names)
    assert ids(names["result"]) == [["e1", "e2"], ["e2"]]
    lines = [line.split(":")[0] for line in capsys.readouterr().out.splitlines()]
    first, second = "  - Alice arrives at the party", "  - Alice argues with Bob"
    assert lines == ["Path score", first, second, "Path score", second]


@needs_document
def test_the_documents_own_defaults_are_ours():
    text = DOCUMENT.read_text(encoding="utf-8")
    block = text[text.index("class CPTConfig:") : text.index("class CPTResult:")]
    stated = re.findall(r"^    (\w+): \w+ = (\w+)", block, re.MULTILINE)
    assert len(stated) == 5
    assert {name: str(CPTConfig.model_fields[name].default) for name, _ in stated} == dict(stated)
