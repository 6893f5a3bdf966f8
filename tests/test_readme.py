"""What the README shows works as it stands there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

README = (Path(__file__).resolve().parent.parent / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("code", re.findall(r"```python\n(.*?)```", README, re.DOTALL))
def test_its_python_runs(code, capsys):
    exec(code, {})
    assert capsys.readouterr().out.startswith("['talk', 'call'] {'semantic': ")


def test_both_commands_stand_on_its_first_screen():
    first_screen = "\n".join(README.splitlines()[:25])
    pip_lines = ('pip install -c constraints.txt -e ".[app]"', 'pip install -c constraints.txt -e ".[app,dev]"')
    assert all(command in first_screen for command in ("make run", "make test", *pip_lines))
