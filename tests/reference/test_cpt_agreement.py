"""Context Path Traversal held against the published package, `affective-rag` 0.1.0, over all of its options."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, reject, settings
from reference_cases import Case, alike, cases, found, run, steady_numpy

import affrag_core

published = pytest.importorskip("affective_rag", reason="affective-rag 0.1.0, the published first reference, is not installed")
from affective_rag.core import context_path_traversal as published_traversal  # noqa: E402


def outcome(case: Case, library):
    """Paths, their events and the log, or the class of the error."""
    try:
        result, records = run(case, library)
    except KeyError:
        return KeyError
    except nx.NetworkXError:  # the package cannot walk on from an event that only the provider knows
        return nx.NetworkXError
    return found(result), [path.nodes for path in result.paths], records


def assert_agrees(case: Case) -> None:
    """With the package's draws from the generator that our `sampling_seed` names, every draw is the same one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(published_traversal, "_np", steady_numpy(np.random.default_rng(case.seed)))
        expected = outcome(case, published)
    if expected is nx.NetworkXError:
        reject()
    got = outcome(Case(**{**vars(case), "config": case.config | {"sampling_seed": case.seed}}), affrag_core)
    assert alike(got, expected), f"{got} is not {expected}"


@given(cases())
@settings(max_examples=200)
def test_paths_scores_events_and_log_records_equal_those_of_the_package(case):
    assert_agrees(case)


@given(cases(drawing=True))
@settings(max_examples=200)
def test_random_sampling_draws_what_the_package_draws_from_the_same_generator(case):
    assert_agrees(case)
