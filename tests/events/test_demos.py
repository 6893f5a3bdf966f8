"""The demo sets: they read, they are what their tables say, and the stories they tell come true in a retrieval."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from affrag_core.config import PRESETS, TemporalConfig
from affrag_core.encoders.emotions import EMOTION_SPACE, emotion_vector
from affrag_core.errors import ReadError
from affrag_core.events.demos import list_demos, read_demo
from affrag_core.retrieval.retriever import Retriever

FOLDER = Path(__file__).resolve().parents[2] / "demo_data"
SIZES = {"four-stories": (19, 45, 5), "diary": (58, 230, 6), "madial": (160, 566, 6)}
NAMES = list(SIZES)


@pytest.fixture(scope="module", params=NAMES)
def demo(request):
    return read_demo(FOLDER / request.param)


def test_the_smallest_set_comes_first():
    cards = list_demos(FOLDER)
    assert [card.name for card in cards] == NAMES
    assert [card.n_events for card in cards] == [size[0] for size in SIZES.values()]
    assert all(card.title and card.sentence.endswith(".") for card in cards)


def test_a_folder_that_is_not_there_has_no_sets(tmp_path):
    assert list_demos(tmp_path / "none") == []


def test_every_set_has_the_size_that_the_table_of_sets_states(demo):
    n_events, n_edges, n_questions = SIZES[demo.name]
    assert (len(demo.events), len(demo.edges), len(demo.questions)) == (n_events, n_edges, n_questions)
    table = (FOLDER / "README.md").read_text("utf-8")
    assert f"| `{demo.name}` | {n_events} | {n_edges} | {n_questions} |" in table


def test_ids_and_links_are_unique_and_links_lead_to_other_events_of_the_set(demo):
    ids = {event.id for event in demo.events}
    assert len(ids) == len(demo.events)
    assert len({edge.key for edge in demo.edges}) == len(demo.edges)
    assert {end for edge in demo.edges for end in (edge.source, edge.target)} == ids
    assert all(edge.source != edge.target for edge in demo.edges)
    assert {event.supersedes_id for event in demo.events} <= ids | {None}


def test_nothing_is_dated_after_the_time_that_is_asked_about(demo):
    assert max(event.timestamp for event in demo.events) < demo.as_of


def test_semantic_vectors_are_of_length_one_and_questions_fit_them(demo):
    assert demo.semantic_space == "all-MiniLM-L6-v2"
    vectors = [event.semantic_vec for event in demo.events] + [question.vector for question in demo.questions]
    assert {(vector.shape, vector.dtype.name) for vector in vectors} == {((384,), "float32")}
    assert np.linalg.norm(np.array(vectors), axis=1) == pytest.approx(1, abs=1e-5)


def test_emotional_vectors_are_those_of_the_feelings(demo):
    assert demo.emotional_space == EMOTION_SPACE
    for event in demo.events:
        if event.emotion is None:
            assert event.emotional_vec is None
        else:
            assert event.emotional_vec.tolist() == emotion_vector(event.emotion).tolist()


def test_every_set_says_where_it_comes_from_and_what_to_look_for(demo):
    assert (FOLDER / demo.name / "PROVENANCE.md").is_file()
    assert demo.licence
    assert demo.source
    assert all(question.text and question.note.endswith((".", ")")) for question in demo.questions)


def test_every_story_event_has_one_to_four_neighbours():
    demo = read_demo(FOLDER / "four-stories")
    counts = [len({edge.target for edge in demo.edges if edge.source == event.id}) for event in demo.events]
    assert min(counts) >= 1
    assert max(counts) <= 4


def test_madial_keeps_scene_feeling_person_and_number():
    demo = read_demo(FOLDER / "madial")
    assert sorted(event.metadata["madial_id"] for event in demo.events) == list(range(1, 161))
    for event in demo.events:
        assert event.metadata["scene"] == event.doc_type
        assert event.metadata["feeling"] == event.emotion
        assert event.metadata["person"] in event.text
    assert "MIT License" in (FOLDER / "madial" / "LICENSE").read_text("utf-8")


def test_madial_links_each_memory_to_the_next_of_the_same_person_and_keeps_scenes_and_feelings():
    demo = read_demo(FOLDER / "madial")
    by_id = {event.id: event for event in demo.events}
    for person in ("Bart", "Lisa"):
        own = [event.id for event in demo.events if event.metadata["person"] == person]
        followed = [edge.target for edge in demo.edges if edge.relation == "next" and edge.source in own]
        assert followed == own[1:]
    for edge in demo.edges:
        source, target = by_id[edge.source], by_id[edge.target]
        assert source.metadata["person"] == target.metadata["person"]
        if edge.relation == "same_scene":
            assert source.doc_type == target.doc_type
            assert 0 <= (target.timestamp - source.timestamp).days <= 56
        if edge.relation == "same_feeling":
            assert emotion_vector(source.emotion).tolist() == emotion_vector(target.emotion).tolist()


@pytest.mark.model
def test_the_vectors_are_those_of_the_bundled_model(demo):
    from affrag_core.encoders.sentence import SentenceEncoder

    encoder = SentenceEncoder(n_threads=1)
    rows = encoder.encode([event.text for event in demo.events] + [question.text for question in demo.questions])
    kept = [event.semantic_vec for event in demo.events] + [question.vector for question in demo.questions]
    np.testing.assert_allclose(rows, np.array(kept), atol=1e-4)


# What the stories promise, in retrievals.


class DemoSource:
    """A demo read as a workspace."""

    version = 1

    def __init__(self, demo):
        self.demo, self.semantic_space, self.emotional_space = demo, demo.semantic_space, demo.emotional_space

    def events(self):
        return self.demo.events

    def edges(self):
        return self.demo.edges

    def changes_since(self, version):
        return None


@pytest.fixture(scope="module")
def stories():
    demo = read_demo(FOLDER / "four-stories")
    return demo, Retriever(DemoSource(demo))


def first_events(asked, number, config, **changes):
    demo, retriever = asked
    question = demo.questions[number]
    trace = retriever.retrieve(question.text, config.with_changes(**changes), demo.as_of, query_vec=question.vector)
    return [path["event_ids"][0] for path in trace.paths]


@pytest.mark.parametrize(("number", "naive"), [*enumerate(["policy_v1", "finding_old", "news_layoffs", "policy_v2", "fact_429"])])
def test_plain_similarity_falls_for_the_text_that_sounds_right(stories, number, naive):
    assert first_events(stories, number, PRESETS["Balanced"], mode="vector")[0] == naive


@pytest.mark.parametrize("preset", list(PRESETS))
@pytest.mark.parametrize("mode", ["temporal", "combined"])
def test_an_expired_policy_is_left_out_and_the_live_announcement_comes_first(stories, preset, mode):
    for number in (0, 3):
        found = first_events(stories, number, PRESETS[preset], mode=mode)
        assert found[0] == "announcement_live"
        assert not {"policy_v1", "announcement_past", "announcement_next"} & set(found)


@pytest.mark.parametrize("preset", list(PRESETS))
def test_an_overturned_finding_loses_to_what_overturned_it(stories, preset):
    for mode in ("temporal", "combined"):
        found = first_events(stories, 1, PRESETS[preset], mode=mode)
        assert found[0] in {"finding_new", "column_correction"}
        assert "finding_old" not in found[: found.index("finding_new")]


@pytest.mark.parametrize("preset", list(PRESETS))
def test_stale_news_loses_to_fresh_news(stories, preset):
    for mode in ("temporal", "combined"):
        found = first_events(stories, 2, PRESETS[preset], mode=mode)
        assert found[0] in {"news_hiring", "news_leipzig", "news_funding"}
        assert "news_layoffs" not in found[: found.index("news_hiring")]


def test_a_timeless_fact_is_buried_by_time_and_found_without_it(stories):
    balanced = PRESETS["Balanced"]
    assert first_events(stories, 4, balanced, mode="temporal").index("fact_429") == 2
    assert first_events(stories, 4, balanced, mode="temporal", temporal=TemporalConfig(temporal_weight=0))[0] == "fact_429"


@pytest.mark.parametrize("preset", list(PRESETS))
def test_every_sample_question_is_answered_with_paths_that_go_somewhere(demo, preset):
    retriever = Retriever(DemoSource(demo))
    for question in demo.questions:
        paths = retriever.retrieve(question.text, PRESETS[preset], demo.as_of, query_vec=question.vector).paths
        assert len(paths) == 3
        assert max(len(path["event_ids"]) for path in paths) >= 3


def test_feeling_changes_the_best_path_of_most_questions_to_the_diary():
    demo = read_demo(FOLDER / "diary")
    retriever, plain = Retriever(DemoSource(demo)), PRESETS["Semantic only"]
    felt = plain.with_changes(als=plain.als.with_changes(emotional_weight=1.5))
    changed = 0
    for question in demo.questions:
        best = [retriever.retrieve(question.text, c, demo.as_of, query_vec=question.vector).paths[0]["event_ids"] for c in (plain, felt)]
        changed += best[0] != best[1]
    assert changed >= 5


# A set that is not what it claims to be.


@pytest.fixture
def copy(tmp_path):
    return Path(shutil.copytree(FOLDER / "four-stories", tmp_path / "copy"))


def rewrite(path, **changes):
    path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | changes), "utf-8")


def test_a_bad_line_is_named(copy):
    lines = (copy / "events.jsonl").read_text("utf-8").split("\n")
    (copy / "events.jsonl").write_text("\n".join([lines[0], '{"id": "x", "text": " "}', *lines[2:]]), "utf-8")
    with pytest.raises(ReadError, match=r"events\.jsonl, line 2: text must not be blank.*event x"):
        read_demo(copy)


@pytest.mark.parametrize("line", ["{", "[1]", '{"source": "a"}', '{"source": "a", "target": "b", "colour": 1}'])
def test_a_link_that_cannot_be_read_is_named(copy, line):
    (copy / "edges.jsonl").write_text(line, "utf-8")
    with pytest.raises(ReadError, match=r"edges\.jsonl, line 1"):
        read_demo(copy)


@pytest.mark.parametrize("name", ["demo.json", "events.jsonl", "edges.jsonl", "vectors.npz"])
def test_a_missing_or_damaged_file_is_named(copy, name):
    (copy / name).write_bytes(b"\xff\xfe rubbish")
    with pytest.raises(ReadError, match=name.replace(".", r"\.")):
        read_demo(copy)
    (copy / name).unlink()
    with pytest.raises(ReadError, match=name.replace(".", r"\.")):
        read_demo(copy)


@pytest.mark.parametrize(("name", "value"), [("title", " "), ("as_of", "yesterday"), ("questions", [{"note": "x"}]), ("questions", [])])
def test_a_field_of_the_description_that_is_wrong_is_named(copy, name, value):
    rewrite(copy / "demo.json", **{name: value})
    with pytest.raises(ReadError, match=name):
        read_demo(copy)


def test_vectors_that_do_not_fit_the_events_are_refused(copy):
    with np.load(copy / "vectors.npz") as file:
        vectors = dict(file)
    np.savez(copy / "vectors.npz", **(vectors | {"semantic": vectors["semantic"][:-1]}))
    with pytest.raises(ReadError, match="semantic must have a row for each of 19 events, got 18"):
        read_demo(copy)


def test_vectors_are_never_unpickled(copy):
    np.savez(copy / "vectors.npz", semantic=np.array([{}]), emotional=np.zeros((19, 2)), questions=np.zeros((5, 384)))
    with pytest.raises(ReadError, match=r"vectors\.npz cannot be read"):
        read_demo(copy)
