"""Text that looks like markup, code or a path is shown letter by letter and does nothing."""

from __future__ import annotations

import json

import pytest
import steps

TEXTS = {
    "comment": "<!-- <script>window.hurt = 1</script>",
    "image": '</script><img src=x onerror="window.hurt = 2">',
    "link": "[click](javascript:window.hurt=3) <a href='javascript:window.hurt=4'>href</a>",
    "formula": "$\\href{javascript:window.hurt=5}{x}$ :red[red] **bold** `code` ![](http://127.0.0.2/x.png)",
    "right to left": "שלום \u202eevil\u202c مرحبا",
    "long": "word " * 2000,
    "<img src=x onerror='window.hurt=6'>": "an id that is markup",
    "../../etc/passwd": "an id that is a path",
    "🙂": "an id that is an emoji",
}


@pytest.fixture
def hostile_file(tmp_path):
    """Events that are all markup, linked in a ring, with vectors of their own so that no model is needed."""
    ids = list(TEXTS)
    path = tmp_path / "hostile <b>name<b>.jsonl"
    rows = [
        {
            "id": event_id,
            "text": TEXTS[event_id],
            "timestamp": f"2024-01-{place + 1:02}T00:00:00Z",
            "doc_type": "<b>type</b>",
            "semantic_vec": [1.0, place / 10, 0.0],
            "emotional_vec": [0.5, 0.1],
            "edges": [{"source": event_id, "target": ids[(place + 1) % len(ids)], "relation": "<i>next</i>"}],
            "metadata": {"<u>who</u>": "<script>window.hurt = 7</script>"},
        }
        for place, event_id in enumerate(ids)
    ]
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


def check_unhurt(page, watch) -> None:
    assert page.evaluate("window.hurt") is None
    assert page.locator("img[src=x], [data-testid=stMain] script, [data-testid=stMain] a[href^=javascript]").count() == 0
    assert page.get_by_test_id("stException").count() == 0
    assert (watch.errors, watch.away) == ([], [])


def test_hostile_text_is_shown_as_text_on_every_page(page, app_url, watch, hostile_file):
    page.on("dialog", lambda dialog: watch.errors.append(f"dialog: {dialog.message}"))
    steps.bring_file(page, app_url, hostile_file)
    check_unhurt(page, watch)
    page.locator(".st-key-upload_import").get_by_role("button").click()
    page.get_by_text("Brought in").wait_for()
    steps.settle(page)
    for title in ("Events", "Links", "Memory graph"):
        steps.open_page(page, title)
        page.wait_for_timeout(1000)
        check_unhurt(page, watch)
    steps.open_page(page, "Retrieve")
    workspace = page.url.split("workspace=")[1].split("&")[0]
    for start in ("comment", "image", "link", "formula", "long", "🙂"):
        page.goto(f"{app_url}/retrieve?workspace={workspace}&from={start}")
        page.locator(".st-key-look-path-1").wait_for(state="attached")
        steps.settle(page)
        check_unhurt(page, watch)
        assert TEXTS[start][:15] in steps.text_of(page)
