"""Tables of a workspace, in types that SQLite and PostgreSQL share.

`place` is a row's key and its place in the order of insertion: it survives updates, and undoing a deletion brings it back. Links name
their events by place, which keeps a million of them small. Times are microseconds since 1970, vectors raw little-endian bytes beside
their dtype, metadata and attributes JSON text.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Double, ForeignKey, Integer, LargeBinary, MetaData, Table, Text, UniqueConstraint

SCHEMA_VERSION = 1
"""Grows with every change of these tables; a workspace with a larger one was made by a newer version of the app."""

metadata = MetaData()

header = Table(
    "workspace",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("schema_version", Integer, nullable=False),
    Column("version", BigInteger, nullable=False, comment="+1 with every change of events, links or spaces"),
    Column("revision", BigInteger, nullable=False, comment="+1 with every commit, settings and configs among them"),
    Column("cursor", Integer, nullable=False, comment="position in the journal of the newest change that is not undone"),
    Column("semantic_space", Text),
    Column("emotional_space", Text),
)

events = Table(
    "events",
    metadata,
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("id", Text, nullable=False, unique=True),
    Column("text", Text, nullable=False),
    Column("timestamp", BigInteger),
    Column("valid_from", BigInteger),
    Column("valid_until", BigInteger),
    Column("kind", Text, nullable=False),
    Column("doc_type", Text, nullable=False),
    Column("supersedes_id", Text),
    Column("emotion", Text, comment="a word; a point stands in valence and arousal"),
    Column("valence", Double),
    Column("arousal", Double),
    Column("semantic_dtype", Text),
    Column("semantic_vec", LargeBinary),
    Column("emotional_dtype", Text),
    Column("emotional_vec", LargeBinary),
    Column("metadata", Text),
)

edges = Table(
    "edges",
    metadata,
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("source", Integer, ForeignKey("events.place"), nullable=False),
    Column("target", Integer, ForeignKey("events.place"), nullable=False, index=True),
    Column("relation", Text, nullable=False),
    Column("attributes", Text),
    UniqueConstraint("source", "target", "relation"),
)

settings = Table("settings", metadata, Column("key", Text, primary_key=True), Column("value", Text, nullable=False))

configs = Table("configs", metadata, Column("key", Text, primary_key=True), Column("value", Text, nullable=False))

journal = Table(
    "journal",
    metadata,
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("label", Text, nullable=False),
    Column("size", Integer, nullable=False, comment="bytes of payload"),
    Column("payload", LargeBinary, nullable=False, comment="what to do to undo this change, or to redo it once it is undone"),
)
