"""Durable storage."""

from affrag_core.workspace.workspace import Workspace

__all__ = ["Workspace"]
