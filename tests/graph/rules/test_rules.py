"""Link rules: what each proposes, leaves out and refuses."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affrag_core.config import ALSConfig
from affrag_core.errors import CancelledError, ConfigError
from affrag_core.events.edge import Edge
from affrag_core.events.event import Event
from affrag_core.graph.rules.names import SharedName
from affrag_core.graph.rules.nearest import Nearest
from affrag_core.graph.rules.references import ByReference
from affrag_core.graph.rules.registry import RULES, all_proposed_links, proposed_links, read_rule
from affrag_core.graph.rules.sequence import NextInTime
from affrag_core.graph.rules.view import RuleView
from affrag_core.retrieval.als import link_scores

START = datetime(2024, 1, 1, tzinfo=UTC)


def event(name: str, day: float | None = 0.0, **fields) -> Event:
    time = None if day is None else START + timedelta(days=day)
    return Event(id=name, text=fields.pop("text", f"about {name}"), timestamp=time, **fields)


def ends(edges: list[Edge]) -> list[tuple[str, str]]:
    return [(edge.source, edge.target) for edge in edges]


def test_next_in_time_stays_within_a_day():
    events = [event("a", 0.1), event("b", 1.2), event("c", 0.4), event("d", 1.1)]
    proposal = NextInTime(within="day").propose(RuleView(events))
    assert ends(proposal.edges) == [("a", "c"), ("d", "b")]


def test_a_reply_is_linked_to_what_it_answers_and_the_other_way_round():
    events = [event("q"), event("r", metadata={"reply_to": "q"}), event("s", metadata={"reply_to": ["q", "r", "gone", "s"]})]
    rule = ByReference(column="reply_to", relation="replies to")
    proposal = rule.propose(RuleView(events))
    assert ends(proposal.edges) == [("r", "q"), ("s", "q"), ("s", "r")]
    assert proposal.left_out == {"naming an event that is not there": 1}
    assert ends(rule.with_changes(backwards=True).propose(RuleView(events)).edges) == [("q", "r"), ("q", "s"), ("r", "s")]


def test_numbers_in_a_column_name_the_events_that_import_made_of_them():
    events = [event("7"), event("b", metadata={"parent": 7})]
    assert ends(ByReference(column="parent").propose(RuleView(events)).edges) == [("b", "7")]


def test_a_newer_version_is_linked_to_the_one_it_supersedes():
    events = [event("v1", kind="VERSIONED"), event("v2", 9, kind="VERSIONED", supersedes_id="v1")]
    assert ends(ByReference(relation="supersedes").propose(RuleView(events)).edges) == [("v2", "v1")]


def test_a_shared_name_makes_a_chain_in_time_and_keeps_the_name():
    events = [event("late", 5, text="Ada came back"), event("early", 1, text="I met ada."), event("other", 2, text="Adamant weather")]
    proposal = SharedName(names=("Ada",)).propose(RuleView(events))
    assert ends(proposal.edges) == [("early", "late"), ("late", "early")]
    assert proposal.edges[0].attributes["name"] == "ada"


def test_a_shared_name_is_read_from_columns_and_undated_events_are_counted():
    who = [["Bo", "Cy"], "bo", "Cy"]
    events = [event(name, day, metadata={"who": who[i]}) for i, (name, day) in enumerate([("a", 1), ("b", 2), ("c", None)])]
    proposal = SharedName(columns=("who",), both_ways=False).propose(RuleView(events))
    assert ends(proposal.edges) == [("a", "b")]
    assert proposal.left_out == {"without a time": 1}


def test_names_are_text_and_never_a_pattern():
    events = [event("a", 1, text="costs (100%)"), event("b", 2, text="again (100%) of it")]
    assert len(SharedName(names=("(100%)",)).propose(RuleView(events)).edges) == 2


def vectors(n: int, seed: int) -> list[Event]:
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n, 3))
    rows[n // 2 :] = rows[: n - n // 2]  # equal rows, so that there are exact ties
    return [
        event(
            f"e{i}",
            float(rng.uniform(0, 20)) if rng.random() < 0.9 else None,
            semantic_vec=rows[i] if rng.random() < 0.9 else None,
            emotional_vec=rng.random(2),
        )
        for i in range(n)
    ]


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 40), st.integers(0, 10_000), st.integers(1, 4), st.sampled_from([None, 3.0]), st.sampled_from([None, 0.5]))
def test_nearest_by_meaning_equals_looking_at_every_pair(n, seed, k, within, minimum):
    events = vectors(n, seed)
    found = Nearest(k=k, within_days=within, minimum=minimum).propose(RuleView(events)).edges
    expected = []
    for a in events:
        rivals = []
        for place, b in enumerate(events):
            if a is b or a.semantic_vec is None or b.semantic_vec is None or not a.semantic_vec.any() or not b.semantic_vec.any():
                continue
            near = within is None or (a.timestamp and b.timestamp and abs((a.timestamp - b.timestamp) / timedelta(days=1)) <= within)
            cosine = float(a.semantic_vec @ b.semantic_vec / (np.linalg.norm(a.semantic_vec) * np.linalg.norm(b.semantic_vec)))
            if near and (minimum is None or cosine >= minimum - 1e-12):
                rivals.append((-round(cosine, 9), place, b.id))
        expected += [(a.id, b) for _, _, b in sorted(rivals)[:k]]
    assert ends(found) == expected


def test_nearest_by_link_score_ranks_as_the_retrieval_scores():
    events = [event("a", 0, semantic_vec=[1, 0]), event("b", 1, semantic_vec=[1, 0]), event("c", 0, semantic_vec=[0, 1])]
    weights = ALSConfig(semantic_weight=1.0, temporal_weight=0.5)
    view = RuleView(events)
    edges = Nearest(by="link score", k=1, within_days=2, als=weights).propose(view).edges
    scores = link_scores(view.graph.features(0, np.array([1, 2])), weights)
    assert scores.tolist() == pytest.approx([1 + 0.5 / 2, 0.5])
    assert ends(edges)[0] == ("a", "b")


def test_links_by_link_score_need_a_window():
    with pytest.raises(ConfigError, match="within_days must be set"):
        Nearest(by="link score").propose(RuleView([event("a")]))


def test_events_without_vector_or_time_are_counted_as_left_out():
    events = [event("a", None, semantic_vec=[1, 0]), event("b"), event("c", semantic_vec=[0, 0])]
    assert Nearest(within_days=1).propose(RuleView(events)).left_out == {"without a vector": 2, "without a time": 1}


def test_a_rule_stops_on_request():
    with pytest.raises(CancelledError, match="no link was added"):
        Nearest().propose(RuleView(vectors(5, 1), cancelled=lambda: True))


def test_what_is_there_already_is_not_proposed_again():
    events = [event("a", 1), event("b", 2), event("c", 3)]
    rule = NextInTime()
    assert ends(proposed_links(rule, RuleView(events), {("a", "b", "next in time")}).edges) == [("b", "c")]
    assert ends(proposed_links(rule, RuleView(events), touching={"a"}).edges) == [("a", "b")]
    assert len(all_proposed_links([rule, rule], RuleView(events))) == 2


@pytest.mark.parametrize("rule", [kind() for kind in RULES], ids=lambda rule: rule.rule)
def test_every_rule_is_stored_and_read_back_and_proposes_nothing_for_nothing(rule):
    assert read_rule(rule.model_dump(mode="json")) == rule
    assert rule.propose(RuleView([])).edges == []


@pytest.mark.parametrize("stored", [{}, {"rule": "magic"}, {"rule": "nearest", "k": 0}, {"rule": "nearest", "unknown": 1}])
def test_what_is_not_a_rule_is_refused_in_a_sentence(stored):
    with pytest.raises(ConfigError, match="link rule"):
        read_rule(stored)
