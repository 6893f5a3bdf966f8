"""The app as a process of its own, and a Chromium that watches what a page asks for. Used by the browser tests and by bench_app.py."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CHROMIUM_ARGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
CHROMIUM_ARGS += ["--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"]
AT_REST = '[data-testid="stApp"][data-test-script-state="notRunning"]'


def chromium() -> str | None:
    """Where Chromium is; None where it is not installed."""
    return next((found for name in CHROMIUM_NAMES if (found := shutil.which(name))), None)


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def start_app(data_dir: Path, port: int) -> subprocess.Popen[bytes]:
    """The app's process, its things kept in `data_dir`; what it says goes to ``app.log`` there."""
    data_dir.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port), "--server.headless", "true"]
    environment = os.environ | {"AFFRAG_DATA_DIR": str(data_dir), "HF_HUB_OFFLINE": "1"}
    with (data_dir / "app.log").open("ab") as log:
        return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)


def stop_app(process: subprocess.Popen[bytes]) -> None:
    """End the app's process, at once where it does not end by itself."""
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(10)


@contextmanager
def running_app(data_dir: Path) -> Iterator[str]:
    """The address of an app that answers; the process ends with the block."""
    port = free_port()
    process = start_app(data_dir, port)
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(600):
            try:
                with urllib.request.urlopen(url + "/_stcore/health", timeout=1) as answer:
                    if answer.read() == b"ok":
                        break
            except OSError:
                if process.poll() is not None:
                    break
                time.sleep(0.1)
        else:
            raise TimeoutError((data_dir / "app.log").read_text()[-2000:])
        if process.poll() is not None:
            raise RuntimeError((data_dir / "app.log").read_text()[-2000:])
        yield url
    finally:
        stop_app(process)


class Watch:
    """What a page asked for and complained about.

    Parameters
    ----------
    page : playwright.sync_api.Page
        Watched from now on.
    url : str
        The app's own address; every other one is away.
    """

    def __init__(self, page: Any, url: str) -> None:
        self.own = (url, url.replace("http", "ws", 1), "data:", "blob:")
        self.errors: list[str] = []
        self.away: list[str] = []
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.errors.append(str(error)[:300]))
        page.on("request", lambda request: self._asked(request.url))
        page.on("websocket", lambda socket: self._asked(socket.url))

    def _asked(self, address: str) -> None:
        if not address.startswith(self.own):
            self.away.append(address[:200])

    def _console(self, message: Any) -> None:
        # A deep link first looks for Streamlit's own two files below the page's address; it finds them at the root a moment later.
        known = "404" in message.text and "_stcore" in message.location.get("url", "")
        if message.type == "error" and not known:
            self.errors.append(f"{message.text[:200]} {message.location.get('url', '')}")


def settle(page: Any, *, timeout_ms: int = 60_000) -> None:
    """Wait until the script has run and has not started again a moment later."""
    page.wait_for_selector(AT_REST, timeout=timeout_ms)
    page.wait_for_timeout(250)
    page.wait_for_selector(AT_REST, timeout=timeout_ms)
