"""Keeps every test away from the person's own data folder."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import platformdirs
import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from collections.abc import Iterator

pytest_plugins = ["tests.postgres"]

APP_NAME = "affrag-explorer"
REAL_FOLDERS = tuple(
    os.path.abspath(folder(APP_NAME, appauthor=False))
    for folder in (platformdirs.user_data_dir, platformdirs.user_cache_dir, platformdirs.user_config_dir, platformdirs.user_state_dir)
)
TOUCHING = frozenset({"open", "os.listdir", "os.scandir", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "sqlite3.connect"})
touched: list[str] = []

# A shared, loaded machine makes single examples slow; wrong answers are what is looked for here.
settings.register_profile("steady", deadline=None, print_blob=True)
settings.load_profile("steady")


def _note_real_folder(event: str, args: tuple[Any, ...]) -> None:
    """Audit hook: remember each path below one of the person's own folders that this process reads, makes or changes."""
    if event not in TOUCHING or not args or not isinstance(args[0], str | bytes | os.PathLike):
        return
    path = os.path.abspath(os.fsdecode(args[0]))
    if path.startswith(REAL_FOLDERS):
        touched.append(f"{event} {path}")


sys.addaudithook(_note_real_folder)


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--update-golden`` writes golden files anew; look at what changed before it is committed."""
    parser.addoption("--update-golden", action="store_true", help="write the golden traces anew instead of comparing with them")


@pytest.fixture
def real_folders() -> tuple[str, ...]:
    """Where the app would keep its things for the person who runs the tests."""
    return REAL_FOLDERS


@pytest.fixture
def touches() -> list[str]:
    """What this test did to those folders so far; a test that means to empties it again."""
    return touched


@pytest.fixture(autouse=True)
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty data folder of the test's own; the test fails where the person's own folder was touched all the same."""
    folder = tmp_path / "affrag-data"
    monkeypatch.setenv("AFFRAG_DATA_DIR", str(folder))
    touched.clear()
    yield folder
    assert not touched, f"the test touched the person's own data folder: {touched[0]}"
