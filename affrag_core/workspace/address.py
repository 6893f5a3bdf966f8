"""Where a workspace lies, as an address: what the database driver is given, and what a person may be shown of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from affrag_core.errors import WorkspaceError

_SCHEMA = re.compile(r"search_path=(\w+)")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,62}")


def engine_url(text: str) -> URL:
    """The address for SQLAlchemy; a path is an SQLite file. Raises `ArgumentError` where it cannot be read."""
    if "://" not in text:
        return make_url("sqlite://").set(database=None if text == ":memory:" else text)
    url = make_url(text)
    # Without a driver older versions of SQLAlchemy would look for another; hosts hand out both spellings.
    return url.set(drivername="postgresql+psycopg") if url.drivername in ("postgresql", "postgres") else url


def schema_of(url: URL) -> str | None:
    """The schema that an address of a server names; None where it leaves the choice to the server."""
    found = _SCHEMA.search(str(url.query.get("options", "")))
    return found.group(1) if found else None


def stem_of(url: URL, text: str) -> str:
    """What a workspace is called that nobody named: its file, or its schema where the address gives one, or its database."""
    return schema_of(url) or Path(url.database or text).stem


def shown_target(target: str | Path) -> str:
    """What `Workspace.target` says of a workspace at that place: the same, but for a password."""
    text = str(target)
    if "://" not in text:
        return text
    url = make_url(text)
    hidden = url.update_query_dict({"password": "***"}) if "password" in url.query else url
    return hidden.render_as_string(hide_password=True)


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """The address of a workspace on a database server, and apart from it the password, so that each can be kept where it may be.

    Parameters
    ----------
    address : str
        ``postgresql://user@host:5432/database``, with the schema where one is named; never with a password.
    password : str or None
    stem : str
        What the workspace is called until someone names it: its schema, else its database.
    """

    address: str
    password: str | None
    stem: str

    def with_password(self, password: str | None = None) -> str:
        """What `Workspace.open` takes: with that password, else the address's own; without either the server or its client finds one."""
        word = password or self.password
        return make_url(self.address).set(password=word).render_as_string(hide_password=False) if word else self.address


def server_address(text: str, schema: str = "") -> ServerAddress:
    """Read an address of a PostgreSQL database as people write or copy it.

    Parameters
    ----------
    text : str
        ``postgresql://user:password@host:port/database``; the password, the port and options may be missing.
    schema : str
        The schema that holds the workspace, so that one database may hold many; blank for the server's own choice.

    Raises
    ------
    WorkspaceError
        If it is not the address of a PostgreSQL database, or the schema has a name that would need quoting; without the password.
    """
    kind = text.strip().partition("://")[0] if "://" in text else ""
    try:
        url = make_url(text.strip()) if kind else None
    except (ArgumentError, ValueError) as error:
        raise WorkspaceError("the address cannot be read; write it as postgresql://user@host:5432/database") from error
    if url is None or url.get_backend_name() not in ("postgresql", "postgres"):
        raise WorkspaceError("the address must begin with postgresql://, as in postgresql://user@host:5432/database")
    if not url.database:
        raise WorkspaceError("the address names no database; write it as postgresql://user@host:5432/database")
    written = url.query.get("password")
    password = str(url.password or written or "") or None
    plain = url.set(drivername="postgresql")._replace(password=None).difference_update_query(["password"])
    if schema.strip():
        plain = _with_schema(plain, schema.strip())
    return ServerAddress(plain.render_as_string(hide_password=False), password, stem_of(plain, plain.database or ""))


def _with_schema(url: URL, schema: str) -> URL:
    if not _NAME.fullmatch(schema):
        raise WorkspaceError(f"the schema must be made of letters, digits and underscores, got {schema[:80]!r}")
    if "options" in url.query and schema_of(url) != schema:
        raise WorkspaceError("the address has options of its own; put the schema there, or leave the options out")
    return url.update_query_dict({"options": f"-csearch_path={schema}"})
