"""The rules of the design that a reader relies on, held by reading the source: who imports whom, and what the core never does."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
CORE = ROOT / "affrag_core"
MODULES = sorted(CORE.rglob("*.py"))
PAGES = sorted([ROOT / "app.py", *(ROOT / "pages").rglob("*.py")])

BASE = {"errors", "config", "events"}
MAY_IMPORT = {
    "errors": set(),
    "config": {"errors"},
    "events": {"errors", "config"},
    "encoders": BASE,
    "graph": BASE | {"encoders"},
    "index": BASE | {"encoders"},
    "workspace": BASE | {"graph"},
    "retrieval": BASE | {"encoders", "graph", "index"},
    "reference": BASE | {"encoders", "graph", "index", "retrieval"},
    "evaluation": BASE | {"encoders", "graph", "index", "retrieval"},
    "export": BASE | {"encoders", "graph", "index", "retrieval"},
}
STAGES = {"als", "sampling", "traversal", "temporal"}
VIEWS = {"streamlit", "pyvis", "plotly", "pandas"}
CLOCK_ATTRIBUTES = {"now", "utcnow", "today"}
CLOCK_FUNCTIONS = {"time", "time_ns", "localtime", "gmtime", "ctime", "asctime"}
OWN_RANDOM = {"default_rng", "Generator", "SeedSequence", "BitGenerator", "PCG64"}
LONGEST_FUNCTION = 50
LONGEST_MODULE = 260


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def where(path: Path, node: ast.AST) -> str:
    return f"{path.relative_to(ROOT)}:{node.lineno}"


def room(path: Path) -> str:
    return path.relative_to(CORE).parts[0].removesuffix(".py")


def imported(path: Path) -> list[tuple[ast.AST, str]]:
    """Every dotted name that a module imports, those inside functions too; relative ones made absolute."""
    names = []
    package = path.relative_to(ROOT).parent.parts
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            names += [(node, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*start, *([node.module] if node.module else [])])
            names += [(node, f"{module}.{alias.name}") for alias in node.names]
    return names


def named(path: Path) -> list[tuple[ast.AST, str]]:
    """Every dotted name that a module reads, such as ``np.random.seed``."""
    found = []
    for node in ast.walk(tree(path)):
        parts: list[str] = []
        inner: ast.AST = node
        while isinstance(inner, ast.Attribute):
            parts.append(inner.attr)
            inner = inner.value
        if parts:
            found.append((node, ".".join([inner.id if isinstance(inner, ast.Name) else "", *reversed(parts)])))
    return found


def short(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_every_room_is_in_the_design():
    rooms = {room(path) for path in MODULES} - {"__init__", "__main__"}
    assert rooms <= MAY_IMPORT.keys()


@pytest.mark.parametrize("path", [path for path in MODULES if path.parent != CORE or path.stem != "__init__"], ids=short)
def test_a_room_imports_only_rooms_to_its_right(path):
    wrong = [
        f"{where(path, node)} imports {name}"
        for node, name in imported(path)
        if name.startswith("affrag_core.") and name.split(".")[1] not in MAY_IMPORT[room(path)] | {room(path)}
    ]
    assert not wrong


def test_stages_of_a_retrieval_do_not_import_each_other():
    wrong = [
        f"{where(path, node)} imports {name}"
        for path in MODULES
        if room(path) == "retrieval" and path.stem in STAGES
        for node, name in imported(path)
        if name.startswith("affrag_core.retrieval.") and name.split(".")[2] in STAGES - {path.stem}
    ]
    assert not wrong


@pytest.mark.parametrize("path", MODULES, ids=short)
def test_the_core_knows_nothing_of_the_app(path):
    wrong = [f"{where(path, node)} imports {name}" for node, name in imported(path) if name.split(".")[0] in VIEWS | {"pages", "app"}]
    assert not wrong


@pytest.mark.parametrize("path", [path for path in MODULES if room(path) != "reference"], ids=short)
def test_the_core_reads_no_clock_and_prints_nothing(path):
    wrong = [
        f"{where(path, node)} reads {name}"
        for node, name in named(path)
        if name.rpartition(".")[2] in CLOCK_ATTRIBUTES or (name.startswith("time.") and name.split(".")[1] in CLOCK_FUNCTIONS)
    ]
    wrong += [f"{where(path, node)} imports {name}" for node, name in imported(path) if name in {f"time.{f}" for f in CLOCK_FUNCTIONS}]
    wrong += [
        f"{where(path, node)} calls {node.func.id}"
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"print", "input", "eval", "exec"}
    ]
    assert not wrong


@pytest.mark.parametrize("path", MODULES, ids=short)
def test_the_core_uses_no_global_random_state_and_loads_no_pickles(path):
    wrong = [
        f"{where(path, node)} uses {name}"
        for node, name in named(path)
        if (name.startswith(("np.random.", "numpy.random.")) and name.split(".")[2] not in OWN_RANDOM)
        or (name.startswith("random.") and name != "random.Random")
    ]
    wrong += [
        f"{where(path, node)} imports {name}"
        for node, name in imported(path)
        if name.split(".")[0] in {"pickle", "marshal", "shelve", "joblib", "dill", "cloudpickle"}
        or (name.startswith("random.") and name != "random.Random")
    ]
    wrong += [
        f"{where(path, node)} allows pickles"
        for node in ast.walk(tree(path))
        if isinstance(node, ast.keyword) and node.arg == "allow_pickle" and getattr(node.value, "value", True) is not False
    ]
    assert not wrong


@pytest.mark.parametrize("path", PAGES, ids=short)
def test_pages_use_only_the_public_names_of_the_core(path):
    import affrag_core

    allowed = {f"affrag_core.{name}" for name in affrag_core.__all__}
    wrong = [
        f"{where(path, node)} imports {name}"
        for node, name in imported(path)
        if name.split(".")[0] == "affrag_core" and name not in allowed | {"affrag_core"}
    ]
    assert not wrong


LOADED = """
import json, sys
import affrag_core
from affrag_core import {names}
print(json.dumps(sorted({{name.split(".")[0] for name in sys.modules}})))
"""
HEAVY = {"sqlalchemy", "torch", "streamlit", "pandas", "plotly", "igraph", "pyvis", "sentence_transformers", "platformdirs", "scipy"}
FIRST_REFERENCE = ["MemoryGraph", "CPTConfig", "CPTResult", "ContextPath", "ALSConfig", "DEFAULT_ALS_CONFIG", "calculate_als_score"]
FIRST_REFERENCE += ["execute_context_path_traversal", "MemoryStore"]
SECOND_REFERENCE = ["Document", "DocumentKind", "ValidityState", "TemporalConfig", "TemporalLayer", "ScoredDocument", "EmbeddingModel"]
SECOND_REFERENCE += ["VectorStore", "TemporalRAG", "NaiveRAG"]
OURS = ["Event", "Edge", "Workspace", "Retriever", "RetrievalConfig", "RetrievalTrace"]


@pytest.mark.parametrize("names", [["__all__"], FIRST_REFERENCE, SECOND_REFERENCE], ids=["core", "first reference", "second reference"])
def test_importing_the_core_loads_numpy_networkx_and_pydantic_at_most(names):
    done = subprocess.run(
        [sys.executable, "-c", LOADED.format(names=", ".join(names))], cwd=ROOT, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert HEAVY.isdisjoint(json.loads(done.stdout))


def test_every_name_of_the_design_is_public():
    import affrag_core

    assert {*FIRST_REFERENCE, *SECOND_REFERENCE, *OURS} <= set(affrag_core.__all__)
    assert all(hasattr(affrag_core, name) for name in affrag_core.__all__)


@pytest.mark.parametrize("path", [*MODULES, *PAGES], ids=short)
def test_modules_and_functions_stay_short_enough_to_read(path):
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= LONGEST_MODULE
    long = []
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.FunctionDef):
            body = node.body[1:] if ast.get_docstring(node) is not None and len(node.body) > 1 else node.body
            if body[-1].end_lineno - body[0].lineno + 1 > LONGEST_FUNCTION:
                long.append(f"{where(path, node)} {node.name}")
    assert not long
