"""An event that a person wrote is kept."""

from __future__ import annotations

import steps
from running_app import settle

TEXT = "We missed the last ferry and slept on the quay"


def cells(page) -> list[str]:
    """What the table of events holds, as it is told to a screen reader."""
    found = page.locator("[data-testid=stDataFrame] [role=gridcell]")
    found.first.wait_for(state="attached")
    return found.all_text_contents()


def test_an_event_that_was_written_is_there_after_a_reload_and_in_a_new_session(page, browser, app_url, app_dir, tmp_path, watch):
    steps.open_start(page, app_url)
    page.locator(".st-key-empty_name input").fill("Sea diary")
    page.locator(".st-key-make_empty").get_by_role("button").click()
    page.get_by_role("heading", name="Events", exact=True).wait_for()
    settle(page)
    page.get_by_label("What happened", exact=True).fill(TEXT)
    page.get_by_label("When it happened (UTC)", exact=True).fill("2024-06-01 23:10")
    page.get_by_role("button", name="Add the event").click()
    page.get_by_text("Saved ").wait_for()
    # "Saved" is said only after it is on disk.
    with steps.stored(app_dir, "sea-diary", tmp_path) as workspace:
        (event,) = workspace.events()
        assert event.text == TEXT
        assert event.timestamp.isoformat() == "2024-06-01T23:10:00+00:00"
    settle(page)
    assert TEXT in cells(page)

    page.reload()
    page.get_by_role("heading", name="Events", exact=True).wait_for()
    settle(page)
    assert TEXT in cells(page)

    other = browser.new_context().new_page()
    steps.open_start(other, app_url)
    other.locator(".st-key-open_sea-diary").get_by_role("button").click()
    other.get_by_role("heading", name="Retrieve", exact=True).wait_for()
    steps.open_page(other, "Events")
    assert TEXT in cells(other)
    other.context.close()
    assert watch.errors == []
    assert watch.away == []
