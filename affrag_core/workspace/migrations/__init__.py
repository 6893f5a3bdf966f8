"""Brings the tables of older workspaces up to date, one revision for each schema version; run by `workspace.migration`."""
