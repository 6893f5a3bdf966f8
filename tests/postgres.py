"""A PostgreSQL server to test on.

``AFFRAG_TEST_POSTGRES`` is the address of one whose user may make schemas, such as ``postgresql://postgres@127.0.0.1:5432/postgres``;
each test gets a schema of its own and drops it. Without the variable those tests are skipped.
"""

from __future__ import annotations

import os
from uuid import uuid4

import pytest

SERVER = os.environ.get("AFFRAG_TEST_POSTGRES", "")
NO_SERVER = "AFFRAG_TEST_POSTGRES names no PostgreSQL server"


@pytest.fixture(scope="session")
def server():
    """A connection to the server that makes and drops schemas."""
    if not SERVER:
        pytest.skip(NO_SERVER)
    import psycopg

    with psycopg.connect(SERVER, autocommit=True) as connection:
        connection.execute("SET lock_timeout = '10s'")
        connection.execute("SET client_min_messages = error")
        yield connection


@pytest.fixture
def new_schema(server):
    """Makes an empty schema on the server and returns its address; all of them are dropped after the test."""
    names = []

    def make():
        names.append(f"test_{uuid4().hex}")
        server.execute(f"CREATE SCHEMA {names[-1]}")
        return f"{SERVER}{'&' if '?' in SERVER else '?'}options=-csearch_path%3D{names[-1]}"

    yield make
    for name in names:
        server.execute(f"DROP SCHEMA {name} CASCADE")
