"""One app and one Chromium for each file of tests here; skipped with a reason where there is no browser to drive."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from running_app import CHROMIUM_ARGS, Watch, chromium, running_app

if TYPE_CHECKING:
    from collections.abc import Iterator


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.timeout(600))


@pytest.fixture(scope="module")
def app_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The running app's data folder."""
    return tmp_path_factory.mktemp("app")


@pytest.fixture(scope="module")
def app_url(app_dir: Path) -> Iterator[str]:
    """Where the app answers."""
    if importlib.util.find_spec("playwright") is None:
        pytest.skip("needs playwright: pip install -c constraints.txt -e '.[app,dev]'")
    if chromium() is None:
        pytest.skip("needs Chromium: apt-get install chromium")
    with running_app(app_dir) as url:
        yield url


@pytest.fixture(scope="module")
def browser(app_url: str) -> Iterator[Any]:
    """A headless Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium(), headless=True, args=CHROMIUM_ARGS)
        yield started
        started.close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Any:
    """After a failed test, say what the page showed and what the app said."""
    report = yield
    if report.when == "call" and report.failed and "page" in item.funcargs:
        shot = item.funcargs["tmp_path"] / "failed.png"
        item.funcargs["page"].screenshot(path=shot)
        report.sections.append(("The page", f"{item.funcargs['page'].url}\n{shot}"))
        report.sections.append(("What the app said", (item.funcargs["app_dir"] / "app.log").read_text()[-3000:]))
    return report


@pytest.fixture
def page(browser: Any, app_dir: Path, tmp_path: Path) -> Iterator[Any]:
    """A page with nothing remembered, as large as a laptop's screen."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    context.set_default_timeout(60_000)
    yield context.new_page()
    context.close()


@pytest.fixture
def watch(page: Any, app_url: str) -> Watch:
    """What that page asks for and complains about."""
    return Watch(page, app_url)
