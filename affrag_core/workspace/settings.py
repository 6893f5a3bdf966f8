"""Settings and named configs of a workspace; they are stored at once and not undone."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from affrag_core.config import RetrievalConfig
from affrag_core.errors import ConfigError, EventError, shortened
from affrag_core.workspace.plain_json import json_text, storable_name

if TYPE_CHECKING:
    from affrag_core.workspace.state import DurableState


class StoredSettings:
    """The part of `Workspace` that keeps settings and configs."""

    _state: DurableState

    @property
    def name(self) -> str:
        """The setting ``name``; the file's name without its ending where that is not set."""
        name = self.setting("name")
        return name if isinstance(name, str) and name.strip() else self._state.database.stem

    def setting(self, key: str, default: Any = None) -> Any:
        """A setting's value; `default` where it was never set."""
        text = self._state.kept.settings.get(key)
        return default if text is None else json.loads(text)

    def set_setting(self, key: str, value: Any) -> None:
        """Keep a value of plain JSON types under a key.

        Raises
        ------
        ConfigError
            If the value is not plain JSON; it names where.
        """
        from affrag_core.workspace.schema import settings

        try:
            text = json_text(value, field=f"setting {storable_name(key, field='key')}")
        except EventError as error:
            raise ConfigError(error.message) from None
        self._state.write_text(settings, key, text)

    def config_names(self) -> list[str]:
        """Names of the saved configs, in alphabetical order."""
        return sorted(self._state.kept.configs)

    def config(self, name: str) -> RetrievalConfig:
        """A saved config.

        Raises
        ------
        ConfigError
            If there is none of this name, or its fields are not those of this version.
        """
        text = self._state.kept.configs.get(name)
        if text is None:
            raise ConfigError(f"there is no saved config {shortened(name)} in the workspace")
        return RetrievalConfig(**json.loads(text))

    def save_config(self, name: str, config: RetrievalConfig) -> None:
        """Save a config under a name, in place of one that has it."""
        from affrag_core.workspace.schema import configs

        self._state.write_text(configs, storable_name(name), json.dumps(config.model_dump(mode="json")))

    def delete_config(self, name: str) -> None:
        """Delete a saved config.

        Raises
        ------
        ConfigError
            If there is none of this name.
        """
        from affrag_core.workspace.schema import configs

        if name not in self._state.kept.configs:
            raise ConfigError(f"there is no saved config {shortened(name)} in the workspace")
        self._state.write_text(configs, name, None)
