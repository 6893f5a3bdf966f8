"""Where the workspaces of these tests lie: the same tests run on an SQLite file and on PostgreSQL."""

from __future__ import annotations

from itertools import count

import pytest


@pytest.fixture(params=["sqlite", "postgresql"])
def new_target(request, tmp_path):
    """Returns an address at which there is no workspace yet, another one at each call."""
    if request.param == "postgresql":
        return request.getfixturevalue("new_schema")
    numbers = count(1)
    return lambda: str(tmp_path / f"ws{next(numbers)}.sqlite")


@pytest.fixture
def target(new_target):
    """An address at which there is no workspace yet."""
    return new_target()
