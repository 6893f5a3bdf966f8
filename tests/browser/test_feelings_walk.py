"""Feelings read from the texts: changed over to, seen on an event, corrected by a person for good, and taken back."""

from __future__ import annotations

import steps
from running_app import settle

SLUG, LABEL = "demo-four-stories", "grief"


def first_card(page) -> None:
    """The card of the event with the most links, on the Memory graph."""
    hub = page.locator("[class*=st-key-graph-go-hub-]").first.get_by_role("button")
    if page.locator(".st-key-graph-close").count() == 0:
        hub.click()
    page.locator(".st-key-graph-edit").wait_for()
    settle(page)


def card_text(page) -> str:
    return page.locator(".st-key-graph-card").inner_text().replace(steps.JOINER, "")


def test_feelings_are_read_seen_corrected_for_good_and_taken_back(page, app_url, app_dir, tmp_path, watch):
    steps.open_demo(page, app_url, "four-stories")
    page.locator(".st-key-model").get_by_role("button").first.click()
    page.locator("label").filter(has_text="Feelings read from the texts").click()
    change = page.locator(".st-key-feelings_apply").get_by_role("button")
    change.wait_for()
    settle(page)
    change.click()
    page.locator(".st-key-model").filter(has_text="Text model ready · feelings estimated").wait_for(timeout=steps.PATIENT_MS)
    settle(page)

    page.keyboard.press("Escape")
    steps.open_page(page, "Memory graph")
    first_card(page)
    assert "read from the text" in card_text(page)
    assert "The text sounds" in card_text(page)

    page.locator(".st-key-graph-edit").get_by_role("button").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("combobox", name="Feelings, as you say").fill(LABEL)
    page.get_by_role("option", name=LABEL, exact=True).click()
    page.keyboard.press("Tab")  # the list stays open for more, and hides the form
    page.get_by_role("option").first.wait_for(state="detached")
    settle(page)
    dialog.get_by_role("button", name="Save", exact=True).click()
    dialog.wait_for(state="detached")
    page.locator(".st-key-graph-card").get_by_text(f"{LABEL} · as you said").wait_for()

    page.reload()
    page.locator(".st-key-graph-card").wait_for()
    settle(page)
    first_card(page)
    assert f"{LABEL} · as you said" in card_text(page)
    with steps.stored(app_dir, SLUG, tmp_path) as workspace:
        said = [event for event in workspace.events() if event.metadata.get("feelings_as_said") == [LABEL]]
        assert [float(event.emotional_vec.max()) for event in said] == [1.0]

    steps.open_page(page, "Events")
    page.locator(".st-key-events_undo").get_by_role("button").click()
    page.get_by_text("Undone: ").wait_for()
    settle(page)
    with steps.stored(app_dir, SLUG, tmp_path) as workspace:
        assert not any("feelings_as_said" in event.metadata for event in workspace.events())
        assert workspace.emotional_space == "goemotions-28/1"
    assert (watch.errors, watch.away) == ([], [])
