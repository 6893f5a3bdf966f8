"""How soon the app shows its first page, and how soon a slider on a demo changes the picture, in Chromium.

    python tests/bench/bench_app.py [--starts 3] [--moves 12]

Prints seconds; asserts nothing. The first is to be under 3 s, the second under 0.5 s. Needs Chromium and playwright.
"""

from __future__ import annotations

import argparse
import socket
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "browser"))

from playwright.sync_api import sync_playwright
from running_app import CHROMIUM_ARGS, chromium, free_port, running_app, settle, start_app, stop_app

PICTURE = "() => [...document.querySelectorAll('.js-plotly-plot text')].map(one => one.textContent).join('|')"
SLIDERS = {"semantic weight": "als-semantic_weight", "emotional weight": "als-emotional_weight", "temporal weight": "als-temporal_weight"}


def wait_for_port(port: int) -> None:
    """Return as soon as something listens there."""
    for _ in range(6000):
        with socket.socket() as one:
            if one.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.01)
    raise TimeoutError("the app did not start within a minute")


def first_heading(browser, folder: Path) -> float:
    """Seconds from starting the process to the first page's heading in an open browser."""
    page, port = browser.new_page(), free_port()
    start = time.perf_counter()
    process = start_app(folder, port)
    try:
        wait_for_port(port)
        page.goto(f"http://127.0.0.1:{port}", wait_until="commit")
        page.wait_for_selector("h1")
        return time.perf_counter() - start
    finally:
        page.close()
        stop_app(process)


def slider_moves(browser, url: str, n_moves: int) -> dict[str, list[float]]:
    """Seconds from a key on a slider to another picture, for each slider."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(url)
    page.wait_for_selector("h1")
    settle(page)
    page.locator(".st-key-demo_madial").get_by_role("button").click()
    page.wait_for_function(f"({PICTURE})() !== ''")
    page.locator(".st-key-model", has_text="ready").wait_for(timeout=180_000)
    settle(page)
    found: dict[str, list[float]] = {}
    for words, name in SLIDERS.items():
        slider = page.locator(f".st-key-slide-{name} input[type=range]")
        for _ in range(n_moves):
            slider.focus()
            before = page.evaluate(PICTURE)
            start = time.perf_counter()
            page.keyboard.press("ArrowRight")
            page.wait_for_function(f"before => ({PICTURE})() !== before", arg=before)
            found.setdefault(words, []).append(time.perf_counter() - start)
            settle(page)
    page.close()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--starts", type=int, default=3)
    parser.add_argument("--moves", type=int, default=12)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), headless=True, args=CHROMIUM_ARGS)
        starts = [first_heading(browser, Path(folder) / f"start{n}") for n in range(options.starts)]
        print(f"process start to first heading  median {statistics.median(starts):.2f} s, worst {max(starts):.2f} s  (under 3)")
        with running_app(Path(folder) / "moves") as url:
            for words, seconds in slider_moves(browser, url, options.moves).items():
                print(f"{words:<17}to another picture  median {statistics.median(seconds):.2f} s, worst {max(seconds):.2f} s  (under 0.5)")
        browser.close()


if __name__ == "__main__":
    main()
