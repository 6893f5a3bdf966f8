"""The second reference as a module, where its document lies beside this tree."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

SECOND_DOCUMENT = Path(__file__).resolve().parents[3] / "shared" / "seeds" / "temporal_rag.py"


@pytest.fixture(scope="session")
def second_reference() -> ModuleType:
    """The second reference document, which is itself a program."""
    if not SECOND_DOCUMENT.is_file():
        pytest.skip("the second reference document is not beside this tree")
    module = ModuleType("second_reference_document")
    sys.modules[module.__name__] = module  # its dataclasses look there for their annotations
    exec(compile(SECOND_DOCUMENT.read_text(encoding="utf-8"), SECOND_DOCUMENT.name, "exec"), vars(module))
    return module
