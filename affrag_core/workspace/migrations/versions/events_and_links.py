"""Schema 1: events, links, settings, configs and the journal behind undo.

A copy of the tables as they were then; `schema` goes on, this stays.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "1"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables of an empty database."""
    op.create_table(
        "workspace",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("schema_version", sa.Integer, nullable=False),
        sa.Column("version", sa.BigInteger, nullable=False),
        sa.Column("revision", sa.BigInteger, nullable=False),
        sa.Column("cursor", sa.Integer, nullable=False),
        sa.Column("semantic_space", sa.Text),
        sa.Column("emotional_space", sa.Text),
    )
    op.create_table(
        "events",
        sa.Column("place", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("id", sa.Text, nullable=False, unique=True),
        sa.Column("text", sa.Text, nullable=False),
        *(sa.Column(name, sa.BigInteger) for name in ("timestamp", "valid_from", "valid_until")),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("doc_type", sa.Text, nullable=False),
        *(sa.Column(name, sa.Text) for name in ("supersedes_id", "emotion")),
        *(sa.Column(name, sa.Double) for name in ("valence", "arousal")),
        sa.Column("semantic_dtype", sa.Text),
        sa.Column("semantic_vec", sa.LargeBinary),
        sa.Column("emotional_dtype", sa.Text),
        sa.Column("emotional_vec", sa.LargeBinary),
        sa.Column("metadata", sa.Text),
    )
    op.create_table(
        "edges",
        sa.Column("place", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("source", sa.Integer, sa.ForeignKey("events.place"), nullable=False),
        sa.Column("target", sa.Integer, sa.ForeignKey("events.place"), nullable=False, index=True),
        sa.Column("relation", sa.Text, nullable=False),
        sa.Column("attributes", sa.Text),
        sa.UniqueConstraint("source", "target", "relation"),
    )
    for name in ("settings", "configs"):
        op.create_table(name, sa.Column("key", sa.Text, primary_key=True), sa.Column("value", sa.Text, nullable=False))
    op.create_table(
        "journal",
        sa.Column("position", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("label", sa.Text, nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("payload", sa.LargeBinary, nullable=False),
    )
    op.execute("INSERT INTO workspace (id, schema_version, version, revision, cursor) VALUES (1, 1, 0, 0, 0)")
