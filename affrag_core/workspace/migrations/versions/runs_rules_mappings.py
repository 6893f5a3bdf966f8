"""Schema 2: saved runs, rules that propose links, mappings of files, and what each version touched."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2"
down_revision = "1"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables; events and links stay as they are."""
    for name in ("rules", "mappings"):
        op.create_table(name, sa.Column("key", sa.Text, primary_key=True), sa.Column("value", sa.Text, nullable=False))
    op.create_table(
        "runs",
        sa.Column("id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger),
        sa.Column("query", sa.Text, nullable=False),
        sa.Column("mode", sa.Text, nullable=False),
        sa.Column("trace", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "steps",
        sa.Column("version", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("touched", sa.Text),
    )
    if op.get_bind().dialect.name == "postgresql":
        _allow_long_ids()
    op.execute("UPDATE workspace SET schema_version = 2")


def _allow_long_ids() -> None:
    op.drop_constraint("events_id_key", "events", type_="unique")
    op.drop_constraint("edges_source_target_relation_key", "edges", type_="unique")
    op.create_index("events_id_once", "events", [sa.text("md5(id)")], unique=True)
    op.create_index("edges_key_once", "edges", ["source", "target", sa.text("md5(relation)")], unique=True)
