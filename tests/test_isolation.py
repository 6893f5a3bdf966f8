"""The guard in conftest.py, seen working."""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress
from pathlib import Path

import pytest


def test_looking_into_the_persons_own_folders_is_noticed(real_folders, touches):
    for folder in real_folders:
        with suppress(OSError):
            os.listdir(folder)
    assert touches == [f"os.listdir {folder}" for folder in real_folders]
    touches.clear()


def test_opening_a_database_in_the_persons_own_folder_is_noticed(real_folders, touches):
    path = Path(real_folders[0]) / "no-such-folder" / "x.sqlite"
    with pytest.raises(sqlite3.OperationalError):
        sqlite3.connect(path)
    assert touches == [f"sqlite3.connect {path}"]
    touches.clear()


def test_the_app_keeps_its_things_in_the_tests_folder(data_dir):
    from pages.shared import folders

    assert folders.data_folder() == data_dir
    assert data_dir.is_dir()
