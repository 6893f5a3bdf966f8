"""Runs, rules and mappings of a workspace; they are stored at once and not undone."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from affrag_core.errors import ConfigError, EventError, WorkspaceError, shortened
from affrag_core.events.times import as_utc
from affrag_core.workspace.plain_json import json_text, storable_name
from affrag_core.workspace.run_card import RunCard

if TYPE_CHECKING:
    from affrag_core.workspace.state import DurableState


class StoredRuns:
    """The part of `Workspace` that keeps traces of retrievals, rules that propose links, and how files were read."""

    _state: DurableState

    def runs(self) -> tuple[RunCard, ...]:
        """The saved runs, the first saved first."""
        return self._state.kept.runs

    def save_run(self, name: str, trace: Mapping[str, Any], *, created: datetime | None = None) -> int:
        """Keep a trace.

        Parameters
        ----------
        name : str
            Not blank; several runs may have one.
        trace : mapping
            ``RetrievalTrace.to_dict()``; its `query` and `mode` stand on the card.
        created : datetime, optional
            When, as the caller's clock says.

        Returns
        -------
        int
            The run's id.

        Raises
        ------
        ConfigError
            If the name is blank, or the trace is not plain JSON.
        """
        from affrag_core.workspace import run_store

        card = RunCard(0, storable_name(name), None if created is None else as_utc(created, field="created"), *_question(trace))
        content = _packed(trace)
        return self._state.write_beside(lambda connection, revision: run_store.write(connection, revision, card, content))

    def run(self, run_id: int) -> dict[str, Any]:
        """The trace of a run, as it was given.

        Raises
        ------
        WorkspaceError
            If there is none of this id, or it is damaged.
        """
        from affrag_core.workspace import run_store

        with self._state.looking() as connection:
            content = run_store.read(connection, run_id)
        if content is None:
            raise WorkspaceError(f"there is no saved run {run_id} in the workspace")
        try:
            found: dict[str, Any] = json.loads(zlib.decompress(content))
        except (zlib.error, ValueError) as error:
            raise WorkspaceError(f"the saved run {run_id} is damaged; the others are not") from error
        return found

    def delete_run(self, run_id: int) -> None:
        """Forget a run; `WorkspaceError` where there is none of this id."""
        from affrag_core.workspace import run_store

        self._state.write_beside(lambda connection, _: run_store.delete_run(connection, run_id))

    def rules(self) -> dict[str, Any]:
        """The descriptions of rules that propose links, by name in alphabetical order."""
        rules = self._state.kept.rules
        return {name: json.loads(rules[name]) for name in sorted(rules)}

    def save_rule(self, name: str, description: Any) -> None:
        """Keep a rule's description, plain JSON, in place of one that has the name.

        Raises
        ------
        ConfigError
            If the name is blank, or the description is not plain JSON.
        """
        from affrag_core.workspace import schema

        self._state.write_text(schema.rules, storable_name(name), _plain(description, f"rule {shortened(name)}"))

    def delete_rule(self, name: str) -> None:
        """Forget a rule; `ConfigError` where there is none of this name."""
        from affrag_core.workspace import schema

        if name not in self._state.kept.rules:
            raise ConfigError(f"there is no rule {shortened(name)} in the workspace")
        self._state.write_text(schema.rules, name, None)

    def mapping(self, shape_key: str) -> Any:
        """How a file of this shape was read the last time; None where none was."""
        text = self._state.kept.mappings.get(shape_key)
        return None if text is None else json.loads(text)

    def save_mapping(self, shape_key: str, mapping: Any) -> None:
        """Keep how a file of a shape was read, plain JSON; None forgets it.

        Raises
        ------
        ConfigError
            If the key is blank or longer than a name may be, or the mapping is not plain JSON.
        """
        from affrag_core.workspace import schema

        text = None if mapping is None else _plain(mapping, f"mapping {shortened(shape_key)}")
        self._state.write_text(schema.mappings, storable_name(shape_key), text)


def _plain(value: Any, field: str) -> str:
    try:
        return json_text(value, field=field)
    except EventError as error:
        raise ConfigError(error.message) from None


def _question(trace: Mapping[str, Any]) -> tuple[str, str]:
    query, mode = trace.get("query", ""), trace.get("mode", "")
    if not isinstance(query, str) or not isinstance(mode, str):
        raise ConfigError(f"query and mode of a run must be text, got {shortened(query)} and {shortened(mode)}")
    return query.replace("\\0", "").encode(errors="replace").decode(), mode


def _packed(trace: Mapping[str, Any]) -> bytes:
    try:
        # Traces have millions of numbers; `json_text` would look at each in Python.
        text = json.dumps(dict(trace), allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise ConfigError(f"a run must be plain JSON, as RetrievalTrace.to_dict() gives it: {error}") from None
    return zlib.compress(text.encode(), level=1)
