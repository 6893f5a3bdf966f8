"""What a whole workspace looks like as one file: a zip of plain parts and a manifest that lists each with its checksum.

=================================  ============================================================================
``manifest.json``                  name, version, spaces, counts, and the size and SHA-256 of every other part
``kept.json``                      settings, configs, rules, mappings
``events-00000.jsonl``             some thousand events, one a line, without their vectors
``vectors-00000-semantic-f4-384.npy``  their vectors of one field, precision and length, in the order of the events that have one
``edges-00000.jsonl``              links, one a line
``run-00000.json``                 a saved run with its trace
=================================  ============================================================================

The history behind undo is left out: it holds what was deleted.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

FORMAT: Literal["affrag-workspace"] = "affrag-workspace"
FORMAT_VERSION = 1
SUFFIX = ".workspace.zip"

MANIFEST = "manifest.json"
KEPT = "kept.json"
PART = re.compile(r"kept\.json|(events|edges)-\d{5,8}\.jsonl|run-\d{5,8}\.json|vectors-\d{5,8}-(semantic|emotional)-f[48]-\d{1,7}\.npy")
"""Names that parts may have; nothing else is looked at, and nothing is ever written to a path that a file names."""
VECTOR_KIND = re.compile(r"(f4|f8)-(\d{1,7})")

EVENTS_A_PART = 4_096
EDGES_A_PART = 50_000
BYTES_A_PART = 16 * 2**20
"""A part is closed once it holds this much, so that one part at a time is all that must fit into memory."""
MOST_BYTES_A_PART = 512 * 2**20
MOST_BYTES_MANIFEST = 64 * 2**20
MOST_BYTES = 64 * 2**30
MOST_PARTS = 500_000
MOST_EXPANSION = 200
"""A compressed part grows at most this many times; what would grow more is exported uncompressed."""


class Part(BaseModel):
    """One part of the file."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    name: Annotated[str, Field(max_length=80)]
    bytes: Annotated[int, Field(ge=0, le=MOST_BYTES_A_PART)]
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class Manifest(BaseModel):
    """What the file says of itself."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    format: Literal["affrag-workspace"] = FORMAT
    format_version: int = FORMAT_VERSION
    name: str
    version: Annotated[int, Field(ge=0, lt=2**62)]
    semantic_space: str | None
    emotional_space: str | None
    n_events: Annotated[int, Field(ge=0)]
    n_edges: Annotated[int, Field(ge=0)]
    n_runs: Annotated[int, Field(ge=0)]
    parts: Annotated[list[Part], Field(max_length=MOST_PARTS)]


def vector_part(number: int, field: str, kind: str) -> str:
    """Name of a part that holds vectors, such as ``vectors-00000-semantic-f4-384.npy``."""
    return f"vectors-{number:05}-{field}-{kind}.npy"
