"""Both references run where nothing but numpy, networkx and pydantic can be imported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

BLOCK = """
import sys
ALLOWED = {"numpy", "networkx", "pydantic", "affrag_core"}
NEEDED_BY_PYDANTIC = {"pydantic_core", "annotated_types", "typing_extensions", "typing_inspection"}

class Blocker:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        own = top in sys.stdlib_module_names or top.startswith("_sysconfigdata")
        if not own and top not in ALLOWED | NEEDED_BY_PYDANTIC:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

before = set(sys.modules)
sys.meta_path.insert(0, Blocker())
"""
SEEN = """
for name in ("sqlalchemy", "torch", "pandas", "streamlit", "igraph", "scipy", "sentence_transformers", "platformdirs"):
    try:
        __import__(name)
    except ModuleNotFoundError:
        continue
    raise SystemExit(f"{name} was not blocked")
"""
FIRST = """
from affrag_core import ALSConfig, CPTConfig, CPTResult, ContextPath, DEFAULT_ALS_CONFIG, MemoryGraph, MemoryStore, calculate_als_score
from affrag_core import execute_context_path_traversal
graph = MemoryGraph()
for name, day in (("a", 1), ("b", 2), ("c", 4)):
    graph.add_event(name, {"text": name, "timestamp": f"2024-01-0{day}", "semantic_vec": [1.0, day], "emotional_vec": [day, 1.0]})
graph.add_edge("a", "b")
lookup = lambda query, top_k=5: [("a", 0.9), ("c", 0.8)][:top_k]
config = CPTConfig(spreading_activation=True, random_sampling=True, sampling_temperature=1.0, sampling_seed=0, top_p=0.9)
records = []
graph.set_logging(True, records.append)
for extra in ({}, {"score_fn": lambda a, b: 1.0}, {"event_data_provider": graph.get_event}):
    result = graph.retrieve("q", vector_lookup=lookup, cpt_config=config, **extra)
    assert result.paths and all(len(path.nodes) > 1 for path in result.paths), result
assert execute_context_path_traversal(graph, "q", lookup).paths and records
assert graph.subgraph(["a", "b"]).number_of_edges() == 1
assert calculate_als_score(graph.get_event("a"), graph.get_event("b")) != 0
assert CPTResult.model_validate_json(result.model_dump_json()).paths
"""
SECOND = """
from datetime import datetime, timedelta
from affrag_core import Document, DocumentKind, EmbeddingModel, NaiveRAG, ScoredDocument, TemporalConfig, TemporalLayer, TemporalRAG
from affrag_core import ValidityState, VectorStore
now = datetime(2025, 6, 1)
documents = [Document(str(i), f"word{i} limit", created_at=now - timedelta(days=i), kind=kind) for i, kind in enumerate(DocumentKind)]
documents[2].valid_until = now + timedelta(days=1)
rag, naive = TemporalRAG(EmbeddingModel(), TemporalConfig()), NaiveRAG()
for system in (rag, naive):
    system.index(documents)
results = rag.retrieve("limit", query_time=now)
assert len(results) == 3 and all(isinstance(item, ScoredDocument) and item.explain() for item in results)
assert {item.validity_state for item in results} == {ValidityState.VALID, ValidityState.TEMPORAL}
assert rag.build_context(results) and naive.build_context(naive.retrieve("limit"), now)
"""


def run(*parts: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", "".join(parts)], cwd=ROOT, capture_output=True, text=True, check=False, timeout=120)


@pytest.mark.parametrize("program", [FIRST, SECOND], ids=["first reference", "second reference"])
def test_a_reference_runs_with_numpy_networkx_and_pydantic_alone(program):
    done = run(BLOCK, SEEN, program)
    assert done.returncode == 0, done.stderr


def test_importing_the_package_loads_none_of_its_parts():
    done = run(BLOCK, "import affrag_core\nprint(sorted(name for name in set(sys.modules) - before if name.startswith('affrag_core.')))")
    assert (done.stdout, done.stderr) == ("[]\n", "")
