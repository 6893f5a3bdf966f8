"""What a retrieval sees as of its time: what exists, what has expired, what is superseded, what is closed to a path."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from retrieval_cases import NOW, event, links, settings_for

from affrag_core.graph.structure import EventGraph
from affrag_core.index.exact import ExactIndex
from affrag_core.retrieval.scene import Scene, Snapshot
from affrag_core.retrieval.similarity import QuerySimilarity


def scene_of(events, config=None) -> Scene:
    graph = EventGraph.build(events, links())
    semantic = graph.arrays.semantic
    similarity = QuerySimilarity(
        np.array([1.0, 0.0]), ExactIndex(semantic.matrix, norms=semantic.norms), semantic=semantic, emotional=graph.arrays.emotional
    )
    return Scene.of(Snapshot.of(1, events, graph), config or settings_for(), NOW.timestamp(), similarity)


def superseded(events) -> dict[str, str]:
    return {events[older].id: events[newer].id for older, newer in scene_of(events).superseded_by.items()}


OLD = {"kind": "VERSIONED", "day": -90}


def test_events_dated_after_the_time_asked_about_do_not_exist_yet():
    events = [event("past", day=-1), event("now", day=0), event("later", day=1e-9), event("undated")]
    assert scene_of(events).exists.tolist() == [True, True, False, True]
    assert scene_of(events, settings_for(include_future=True)).exists.all()


def test_a_versioned_event_is_superseded_by_a_valid_one_that_says_so():
    assert superseded([event("v1", **OLD), event("v2", day=-5, supersedes_id="v1")]) == {"v1": "v2"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (OLD | {"kind": "STATIC"}, {"day": -5}),  # only versions are superseded
        (OLD, {"day": 5}),  # not there yet
        (OLD, {"day": -5, "window": (None, -1)}),  # no longer valid
        (OLD, {"day": -5, "window": (1, None)}),  # not valid yet
    ],
)
def test_nothing_else_supersedes(old, new):
    assert superseded([event("v1", **old), event("v2", supersedes_id="v1", **new)]) == {}


def test_an_event_does_not_supersede_itself_nor_one_that_is_not_there():
    assert superseded([event("v1", supersedes_id="v1", **OLD), event("v2", supersedes_id="gone", day=-1)]) == {}


def test_a_chain_of_versions_names_each_next_one():
    chain = [event("v1", **OLD), event("v2", supersedes_id="v1", **OLD), event("v3", supersedes_id="v2", **OLD)]
    assert superseded(chain) == {"v1": "v2", "v2": "v3"}


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_of_several_the_newest_supersedes_and_one_without_a_date_counts_as_the_oldest(order):
    rivals = [event("newest", day=-1, supersedes_id="v1"), event("undated", supersedes_id="v1"), event("older", day=-9, supersedes_id="v1")]
    assert superseded([event("v1", **OLD), *(rivals[i] for i in order)]) == {"v1": "newest"}


def test_of_equally_new_ones_the_last_inserted_supersedes():
    rivals = [event(name, day=-1, supersedes_id="v1") for name in ("one", "two")]
    assert superseded([event("v1", **OLD), *rivals]) == {"v1": "two"}
    assert superseded([event("v1", **OLD), *rivals[::-1]]) == {"v1": "one"}


MIXED = [
    event("open", day=-1),
    event("later", day=1),
    event("expired", day=-9, window=(None, -1)),
    event("v1", **OLD),
    event("v2", day=-1, supersedes_id="v1"),
]


@pytest.mark.parametrize(
    ("options", "closed"),
    [
        ({}, {"later": "after as_of", "expired": "expired"}),
        ({"walk_expired": True}, {"later": "after as_of"}),
        ({"include_future": True}, {"expired": "expired"}),
        ({"drop_superseded": True}, {"later": "after as_of", "expired": "expired", "v1": "superseded"}),
        ({"mode": "cpt", "drop_superseded": True}, {"later": "after as_of"}),
        ({"mode": "cpt", "include_future": True}, {}),
    ],
)
def test_a_path_is_kept_from_what_is_closed_and_told_why(options, closed):
    scene = scene_of(MIXED, settings_for(**options))
    assert {MIXED[i].id: scene.why_blocked(i) for i in scene.blocked()} == closed


def test_an_event_that_is_expired_and_superseded_says_what_keeps_it_closed():
    events = [event("v1", **OLD, window=(None, -1)), event("v2", day=-1, supersedes_id="v1")]
    assert scene_of(events, settings_for(drop_superseded=True)).why_blocked(0) == "expired"
    assert scene_of(events, settings_for(drop_superseded=True, walk_expired=True)).why_blocked(0) == "superseded"


def test_only_the_methods_that_weigh_time_use_the_filters():
    assert {mode: scene_of(MIXED, settings_for(mode)).uses_time for mode in ("vector", "temporal", "cpt", "combined")} == {
        "vector": False,
        "temporal": True,
        "cpt": False,
        "combined": True,
    }


def test_no_events_make_an_empty_scene():
    scene = scene_of([])
    assert scene.blocked() == frozenset()
    assert scene.time_scores([], None).component.shape == (0,)
