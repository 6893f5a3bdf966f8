"""A page of the app, opened on a workspace and driven."""

from __future__ import annotations

from pathlib import Path

from streamlit.testing.v1 import AppTest

ROOT = Path(__file__).resolve().parents[2]


def opened(page: str | None = None, slug: str | None = None) -> AppTest:
    """The page of a file below ``pages/``, the first page by default."""
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    if slug is not None:
        at.query_params["workspace"] = slug
    at.run()
    if page is not None:
        at.switch_page(page)
        if slug is not None:
            at.query_params["workspace"] = slug
        at.run()
    return checked(at)


def checked(at: AppTest) -> AppTest:
    """The same, after a look for anything that went wrong."""
    assert not at.exception, at.exception[0].stack_trace
    return at


def said(at: AppTest) -> str:
    """Every sentence on the page."""
    kinds = ("title", "subheader", "markdown", "caption", "info", "warning", "error", "success", "toast")
    return "\n".join(str(one.value) for kind in kinds for one in at.get(kind)).replace("\\", "").replace("\u2060", "")


def press(at: AppTest, key: str) -> AppTest:
    """Press the button of that key, or whose key begins with it."""
    return checked(the(at, "button", key).click().run())


def the(at: AppTest, kind: str, key: str) -> object:
    """The one element of a kind whose key is, begins with or ends with the text."""
    found = [one for one in at.get(kind) if one.key == key] or [one for one in at.get(kind) if one.key and (key in one.key)]
    assert found, f"no {kind} {key}; there are {[one.key for one in at.get(kind)]}"
    return found[0]
