"""What bringing a file in again would change."""

from affrag_core.events.event import Event
from affrag_core.events.reimport import compare_events


def test_events_are_new_changed_unchanged_or_only_here():
    here = [Event(id=name, text=f"about {name}") for name in "abc"]
    found = compare_events(here, [here[0], Event(id="b", text="else", doc_type="note"), Event(id="d", text="new")])
    assert [event.id for event in found.added] == ["d"]
    assert [(old.id, new.text, names) for old, new, names in found.changed] == [("b", "else", ("text", "doc_type"))]
    assert [event.id for event in found.unchanged] == ["a"]
    assert [event.id for event in found.missing] == ["c"]
    assert found.sentence == "1 new, 1 changed, 1 unchanged, 1 only here"


def test_vectors_that_the_file_does_not_bring_are_kept_while_the_text_is_the_same():
    here = Event(id="a", text="tea", emotion="happy", semantic_vec=[1.0, 0.0], emotional_vec=[0.8, 0.5])
    assert compare_events([here], [Event(id="a", text="tea", emotion="happy")]).unchanged == (here,)
    ((_, new, names),) = compare_events([here], [Event(id="a", text="coffee", emotion="happy")]).changed
    assert names == ("text", "semantic_vec")
    assert new.semantic_vec is None
    assert new.emotional_vec.tolist() == [0.8, 0.5]


def test_vectors_that_differ_are_a_change():
    here = Event(id="a", text="tea", semantic_vec=[1.0, 0.0])
    assert compare_events([here], [Event(id="a", text="tea", semantic_vec=[0.0, 1.0])]).changed[0][2] == ("semantic_vec",)
