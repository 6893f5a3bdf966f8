"""What is left when the process ends without warning in the middle of something: what was confirmed, and nothing of the rest."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parent / "kill_rounds.py"

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")


def rounds(what, folder, target, n):
    command = [sys.executable, str(PROGRAM), what, str(folder), str(target), str(n)]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2]), "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=environment, timeout=280)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


def test_fifty_kills_in_the_middle_of_imports_and_edits_lose_nothing_that_was_confirmed(target, tmp_path):
    found = rounds("edits", tmp_path, target, 50)
    assert found["killed"] == 50
    assert found["in the middle"] >= 25
    assert found["edits"] >= 50


def test_a_change_of_tables_that_is_killed_is_done_anew(tmp_path):
    assert rounds("migration", tmp_path, "", 14)["killed before the change of tables"] >= 3


def test_an_import_of_a_whole_workspace_that_is_killed_leaves_no_half_of_one(tmp_path):
    assert rounds("import", tmp_path, "", 12)["absent"] >= 6


def test_a_deletion_that_is_killed_leaves_the_workspace_or_its_copy(tmp_path):
    assert 1 <= rounds("deletion", tmp_path, "", 10)["kept"] < 10
