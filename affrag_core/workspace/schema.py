"""Tables of a workspace, in types that SQLite and PostgreSQL share.

`place` is a row's key and its place in the order of insertion: it survives updates, and undoing a deletion brings it back. Links name
their events by place, which keeps a million of them small. Times are microseconds since 1970, vectors raw little-endian bytes beside
their dtype, metadata and attributes JSON text.

Whoever changes a table here adds a revision in `migrations/versions` that changes it in the workspaces that people have.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    UniqueConstraint,
    func,
)

SCHEMA_VERSION = 2
"""Grows with every change of these tables; a workspace with a larger one was made by a newer version of the app."""
DELETED = 0
"""The schema version of a workspace that was deleted while someone still had it open."""

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
    Column("id", Text, nullable=False),
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
    UniqueConstraint("id").ddl_if(dialect="sqlite"),
)

# PostgreSQL cannot index texts of more than some 2,700 bytes, and ids may be longer; their digests are as unique as they are.
Index("events_id_once", func.md5(events.c.id), unique=True).ddl_if(dialect="postgresql")

edges = Table(
    "edges",
    metadata,
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("source", Integer, ForeignKey("events.place"), nullable=False),
    Column("target", Integer, ForeignKey("events.place"), nullable=False, index=True),
    Column("relation", Text, nullable=False),
    Column("attributes", Text),
    UniqueConstraint("source", "target", "relation").ddl_if(dialect="sqlite"),
)

Index("edges_key_once", edges.c.source, edges.c.target, func.md5(edges.c.relation), unique=True).ddl_if(dialect="postgresql")

settings = Table("settings", metadata, Column("key", Text, primary_key=True), Column("value", Text, nullable=False))

configs = Table("configs", metadata, Column("key", Text, primary_key=True), Column("value", Text, nullable=False))

rules = Table("rules", metadata, Column("key", Text, primary_key=True), Column("value", Text, nullable=False))

mappings = Table("mappings", metadata, Column("key", Text, primary_key=True), Column("value", Text, nullable=False))

runs = Table(
    "runs",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False, comment="the revision that saved it, so that none is used twice"),
    Column("name", Text, nullable=False),
    Column("created", BigInteger),
    Column("query", Text, nullable=False),
    Column("mode", Text, nullable=False),
    Column("trace", LargeBinary, nullable=False, comment="compressed JSON"),
)

steps = Table(
    "steps",
    metadata,
    Column("version", BigInteger, primary_key=True, autoincrement=False),
    Column("touched", Text, comment="JSON: places of events and links that led to this version; NULL where they were too many"),
)

journal = Table(
    "journal",
    metadata,
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("label", Text, nullable=False),
    Column("size", Integer, nullable=False, comment="bytes of payload"),
    Column("payload", LargeBinary, nullable=False, comment="what to do to undo this change, or to redo it once it is undone"),
)

alembic_version = Table(
    "alembic_version",
    metadata,
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
"""Where Alembic keeps which revision these tables are; always the schema version as text."""
