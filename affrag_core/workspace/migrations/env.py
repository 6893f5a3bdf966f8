"""Runs revisions within the transaction that `workspace.migration` opened."""

from __future__ import annotations

from alembic import context

from affrag_core.workspace.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
