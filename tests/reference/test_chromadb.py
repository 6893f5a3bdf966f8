"""The vector-store example of the first reference document, over a real ChromaDB collection with an embedding of our own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from affrag_core import CPTConfig, EmbeddingModel, MemoryGraph

chromadb = pytest.importorskip("chromadb", reason="chromadb, a test dependency, is not installed")

DOCUMENT = Path(__file__).resolve().parents[3] / "shared" / "seeds" / "affective_rag.md"
TEXTS = {"e1": "the plan was discussed at length", "e2": "lunch by the river", "e3": "the plan was dropped"}


class TermCounts(chromadb.EmbeddingFunction):
    """Term counts over the texts above: nothing to download, and the same on every machine."""

    def __init__(self) -> None:
        self._model = EmbeddingModel()
        self._model.encode_corpus(list(TEXTS.values()))

    def __call__(self, input):
        return [self._model.encode(text) for text in input]

    @staticmethod
    def name() -> str:
        return "term-counts"

    def get_config(self) -> dict:
        return {}

    @staticmethod
    def build_from_config(config: dict) -> TermCounts:
        return TermCounts()


@pytest.fixture
def client():
    """A client in memory that sends nothing anywhere."""
    return chromadb.Client(chromadb.config.Settings(anonymized_telemetry=False))


@pytest.fixture
def collection(client):
    """The three texts, under a name that is free again afterwards: clients in memory share their collections."""
    yield client.get_or_create_collection("memories", embedding_function=TermCounts())
    client.delete_collection("memories")


@pytest.fixture
def lookup(collection):
    """The collection as a lookup of ids and scores."""
    collection.add(ids=list(TEXTS), documents=list(TEXTS.values()))

    def chroma_lookup(query, top_k=5):
        found = collection.query(query_texts=[query], n_results=top_k)
        return [(key, 1 / (1 + distance)) for key, distance in zip(found["ids"][0], found["distances"][0], strict=True)]

    return chroma_lookup


@pytest.fixture
def graph():
    graph = MemoryGraph()
    for event_id, text in TEXTS.items():
        graph.add_event(event_id, {"text": text, "timestamp": "2024-01-01T12:00:00Z"})
    graph.add_edge("e1", "e2")
    return graph


def test_paths_start_from_what_the_collection_finds(graph, lookup):
    result = graph.retrieve(query="the plan was dropped", vector_lookup=lookup, cpt_config=CPTConfig(max_depth=3, seed_nodes=2))
    assert [[node["id"] for node in path.nodes] for path in result.paths] == [["e1", "e2"], ["e3"]]
    # The query's own text lies at distance 0; the squared distance of unit vectors is 2 - 2 cos, and 3 of 4 and 6 terms are shared.
    seed = 1 / (1 + 2 - 2 * 3 / (4 * 6) ** 0.5)
    assert [path.score for path in result.paths] == pytest.approx([seed + 3.1470, 1.0], abs=1e-6)


def test_spreading_activation_asks_the_collection_for_as_many_as_it_needs(graph, lookup):
    asked = []

    def counted(query, top_k=5):
        asked.append((query, top_k))
        return lookup(query, top_k)

    config = CPTConfig(seed_nodes=1, max_depth=1, spreading_activation=True, activation_top_k=2)
    result = graph.retrieve("the plan was dropped", vector_lookup=counted, cpt_config=config)
    assert [[node["id"] for node in path.nodes] for path in result.paths] == [["e3", "e1"]]
    assert asked == [("the plan was dropped", 5), (TEXTS["e3"], 2)]


@pytest.mark.skipif(not DOCUMENT.is_file(), reason="the first reference document is not beside this tree")
def test_the_documents_own_example_runs(client, monkeypatch):
    text = DOCUMENT.read_text(encoding="utf-8")
    code = re.search(r"from affective_rag import [\w, ]+\nimport chromadb\n.*?\n\)\n(?=\nConfiguration\n)", text, re.DOTALL)[0]
    code = code.replace("affective_rag", "affrag_core")
    code = code.replace("# ... add events and edges ...", 'for id in ("e1", "e2", "e3"): graph.add_event(id, {"text": id})')
    create = client.get_or_create_collection
    monkeypatch.setattr(client, "get_or_create_collection", lambda name: create(name, embedding_function=TermCounts()))
    monkeypatch.setattr(chromadb, "Client", lambda: client)
    names: dict = {}
    exec(code, names)
    client.delete_collection("memories")
    assert sorted(path.nodes[0]["id"] for path in names["result"].paths) == ["e1", "e2", "e3"]
