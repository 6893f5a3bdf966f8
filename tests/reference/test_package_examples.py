"""The five example scripts of the published package: each prints the same with only the name of the package changed."""

from __future__ import annotations

import re
from importlib.resources import files

import numpy as np
import pytest
from reference_cases import steady_numpy

pytest.importorskip("affective_rag", reason="affective-rag 0.1.0, the published first reference, is not installed")
from affective_rag.core import context_path_traversal as published_traversal

DETERMINISTIC = ["logging_example", "no_spread_demo", "spreading_demo", "topk_demo"]
SAMPLING = "unified_sampling_demo"


def source(script: str) -> str:
    return files("affective_rag.examples").joinpath(f"{script}.py").read_text(encoding="utf-8")


def printed(code: str, capsys) -> str:
    exec(compile(code, "example", "exec"), {"__name__": "__main__"})
    return capsys.readouterr().out


def rounded(text: str) -> str:
    """Numbers to nine places: the last digits of a sum depend on its order."""
    return re.sub(r"\d+\.\d{10,}", lambda number: f"{float(number[0]):.9f}", text)


@pytest.mark.parametrize("script", DETERMINISTIC)
def test_an_example_prints_what_the_package_prints(script, capsys):
    code = source(script)
    ours = printed(code.replace("from affective_rag import", "from affrag_core import"), capsys)
    assert rounded(ours) == rounded(printed(code, capsys))
    assert "e1" in ours


def test_the_sampling_example_prints_the_same_for_the_same_draws(capsys, monkeypatch):
    code = source(SAMPLING)
    # The package draws afresh each time; both are given the generator of seed 3 here.
    monkeypatch.setattr(published_traversal, "_np", steady_numpy(np.random.default_rng(3)))
    theirs = printed(code, capsys)
    ours_code = code.replace("from affective_rag import", "from affrag_core import")
    seeded = re.subn(r"random_sampling=True,", "random_sampling=True, sampling_seed=3,", ours_code)
    assert seeded[1] == 1
    assert printed(seeded[0], capsys) == theirs
    assert theirs.count("Paths found: 1") == 5


def test_the_sampling_example_runs_unseeded(capsys):
    assert "Demo 5" in printed(source(SAMPLING).replace("from affective_rag import", "from affrag_core import"), capsys)
