"""What a person does in the app, a step each: shared by the browser tests."""

from __future__ import annotations

import json
import shutil
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from running_app import settle

from affrag_core import RetrievalTrace, Workspace

if TYPE_CHECKING:
    from collections.abc import Iterator

JOINER = "\u2060"
PATIENT_MS = 120_000


def open_start(page: Any, url: str) -> None:
    """The first page, drawn."""
    page.goto(url)
    page.wait_for_selector("h1")
    settle(page)


def open_page(page: Any, title: str) -> None:
    """Another page, by its link beside the page."""
    page.get_by_test_id("stSidebarNavLink").filter(has_text=title).click()
    page.get_by_role("heading", name=title, exact=True).wait_for()
    settle(page)


def open_demo(page: Any, url: str, name: str) -> None:
    """A demo, by its door on the first page; the answer to its first question is drawn."""
    open_start(page, url)
    page.locator(f".st-key-demo_{name}").get_by_role("button").click()
    page.get_by_role("heading", name="Retrieve", exact=True).wait_for()
    page.locator(".js-plotly-plot").first.wait_for(state="attached")
    settle(page)


def bring_file(page: Any, url: str, path: Path) -> None:
    """A file, by the door for files; what was understood of it is drawn."""
    open_start(page, url)
    page.locator(".st-key-start_file input[type=file]").set_input_files(path)
    page.get_by_role("heading", name="Events", exact=True).wait_for()
    page.get_by_text(path.name).wait_for()
    settle(page)


def import_file(page: Any) -> None:
    """Press the import's button, and wait until every event has its vector."""
    page.locator(".st-key-upload_import").get_by_role("button").click()
    page.get_by_text("Brought in").wait_for()
    page.locator(".st-key-model").filter(has_text="Text model ready").wait_for(timeout=PATIENT_MS)
    settle(page)


def ask(page: Any, question: str) -> None:
    """Type a question and press Enter; its paths are drawn."""
    field = page.get_by_label("Question", exact=True)
    field.fill(question)
    field.press("Enter")
    page.locator(".st-key-look-path-1").wait_for(state="attached")
    settle(page)


def text_of(page: Any) -> str:
    """All that the page says, without the marks that keep a person's text from being read as markup."""
    return page.get_by_test_id("stMain").inner_text().replace(JOINER, "")


CHART_TEXTS = "() => [...document.querySelectorAll('.js-plotly-plot text')].map(one => one.textContent)"


def chart_texts(page: Any) -> list[str]:
    """What stands written in the charts."""
    return page.evaluate(CHART_TEXTS)


def look_at_hop(page: Any, place: int) -> None:
    """Choose a hop of the path that is looked at."""
    page.locator(".st-key-hop").get_by_role("radio").nth(place).click()
    settle(page)


def press_key_on_slider(page: Any, setting: str, key: str) -> None:
    """One step of a setting's slider by the keyboard; the charts have changed after it."""
    before = chart_texts(page)
    page.locator(f".st-key-slide-{setting} input[type=range]").press(key)
    page.wait_for_function(f"before => ({CHART_TEXTS})().join() !== before", arg=",".join(before))
    settle(page)


def shown_trace(page: Any) -> RetrievalTrace:
    """The trace behind what is shown, by the page's own download."""
    page.get_by_role("tab", name="Timings and download").click()
    button = page.locator(".st-key-download-trace").get_by_role("button")
    button.wait_for()
    settle(page)
    with page.expect_download() as download:
        button.click()
    return RetrievalTrace.from_dict(json.loads(Path(download.value.path()).read_text(encoding="utf-8")))


@contextmanager
def stored(app_dir: Path, slug: str, tmp_path: Path) -> Iterator[Workspace]:
    """A copy of the workspace that the running app has written."""
    for file in (app_dir / "workspaces").glob(f"{slug}.sqlite*"):
        shutil.copy(file, tmp_path / file.name)
    with Workspace.open(tmp_path / f"{slug}.sqlite", create=False) as workspace:
        yield workspace
