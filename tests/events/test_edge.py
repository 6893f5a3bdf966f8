"""Edges: what makes one, and what does not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affrag_core.errors import EventError
from affrag_core.events.edge import Edge

WORDS = st.text(min_size=1).filter(str.strip)


def test_a_relation_need_not_be_named():
    assert Edge(source="a", target="b").key == ("a", "b", "related")


def test_a_self_loop_and_several_relations_of_a_pair_are_edges():
    assert Edge(source="a", target="a").source == "a"
    assert Edge(source="a", target="b", relation="next").key != Edge(source="a", target="b", relation="cause").key


@pytest.mark.parametrize("name", ["source", "target", "relation"])
@pytest.mark.parametrize("value", ["", "  ", None, 7])
def test_ends_and_relation_are_text_that_is_not_blank(name, value):
    with pytest.raises(EventError, match=f"{name} must be a text that is not blank, got {value!r}") as caught:
        Edge(**({"source": "a", "target": "b", "relation": "r"} | {name: value}))
    assert caught.value.field == name


def test_attributes_are_a_mapping_that_cannot_be_written():
    with pytest.raises(EventError, match="attributes must be a mapping"):
        Edge(source="a", target="b", attributes=[("weight", 1)])
    edge = Edge(source="a", target="b", attributes={"weight": 1})
    with pytest.raises(TypeError):
        edge.attributes["weight"] = 2


@given(WORDS, WORDS, WORDS, st.dictionaries(st.text(), st.integers() | st.text() | st.none()))
def test_a_dict_gives_the_edge_back(source, target, relation, attributes):
    edge = Edge(source=source, target=target, relation=relation, attributes=attributes)
    assert Edge(**edge.to_dict()) == edge
