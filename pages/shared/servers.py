"""Workspaces on database servers: the addresses that the app knows. Passwords stay in memory and are never written down. No Streamlit.

Each has a slug of its own for the app's address, ``server.notes``; the dot keeps it apart from the slug of any file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from itertools import count
from pathlib import Path
from threading import RLock

from pages.shared import folders

SETTING = "AFFRAG_DATABASE_URL"
"""One more address, from whoever runs the app; it may hold a password."""
PREFIX = "server."
_PASSWORDS: dict[str, str] = {}
_LOCK = RLock()


@dataclass(frozen=True, slots=True)
class Server:
    """A workspace on a server: its slug, its address without a password, and what it was called when it was last open."""

    slug: str
    address: str
    name: str


def is_server(slug: str) -> bool:
    """Whether a slug is one of a workspace on a server."""
    return slug.startswith(PREFIX)


def known() -> list[Server]:
    """All of them, the setting's first.

    Raises
    ------
    WorkspaceError
        If the setting holds no address of a server.
    """
    given = _from_setting()
    return [*([given] if given else []), *_written()]


def is_from_setting(slug: str) -> bool:
    """Whether it is the one that the setting names, which the app cannot forget."""
    return slug == PREFIX + "setting"


def target_of(slug: str) -> str | None:
    """The whole address, with the password where one is known; None where no server of that slug is."""
    from affrag_core import server_address

    if is_from_setting(slug):
        given = os.environ.get(SETTING, "")
        return server_address(given).with_password(_PASSWORDS.get(slug)) if given.strip() else None
    found = next((one for one in _written() if one.slug == slug), None)
    return None if found is None else server_address(found.address).with_password(_PASSWORDS.get(slug))


def remember(address: str, name: str, password: str | None) -> Server:
    """Keep an address (without password) from now on, and its password until the app ends; an address that is known keeps its slug."""
    with _LOCK:
        written = _written()
        old = next((one for one in written if one.address == address), None)
        server = replace(old, name=name) if old else Server(_free_slug(name, written), address, name)
        _write([server if one is old else one for one in written] if old else [*written, server])
    keep_password(server.slug, password)
    return server


def keep_password(slug: str, password: str | None) -> None:
    """Hold a password in memory; none leaves what is held."""
    if password:
        _PASSWORDS[slug] = password


def note_name(slug: str, name: str) -> None:
    """Keep what a workspace is called now, for lists."""
    with _LOCK:
        written = _written()
        if any(one.slug == slug and one.name != name for one in written):
            _write([replace(one, name=name) if one.slug == slug else one for one in written])


def forget(slug: str) -> None:
    """Drop an address and its password; the workspace stays where it is."""
    _PASSWORDS.pop(slug, None)
    with _LOCK:
        _write([one for one in _written() if one.slug != slug])


def _from_setting() -> Server | None:
    from affrag_core import server_address

    given = os.environ.get(SETTING, "")
    if not given.strip():
        return None
    found = server_address(given)
    return Server(PREFIX + "setting", found.address, found.stem)


def _file() -> Path:
    return folders.data_folder() / "servers.json"


def _written() -> list[Server]:
    try:
        rows = json.loads(_file().read_text(encoding="utf-8"))
        return [Server(str(row["slug"]), str(row["address"]), str(row["name"])) for row in rows]
    except OSError:
        return []
    except (ValueError, TypeError, KeyError):
        _file().replace(_file().with_suffix(".broken"))  # Edited by hand, and kept: the addresses can be read from it.
        return []


def _write(rows: Sequence[Server]) -> None:
    unfinished = _file().with_suffix(".unfinished")
    unfinished.write_text(json.dumps([asdict(row) for row in rows], indent=1), encoding="utf-8")
    unfinished.replace(_file())


def _free_slug(name: str, written: Sequence[Server]) -> str:
    taken = {one.slug for one in written} | {PREFIX + "setting"}
    start = PREFIX + folders.slug_of(name)
    numbered = (start if n == 1 else f"{start}-{n}" for n in count(1))
    return next(slug for slug in numbered if slug not in taken)
