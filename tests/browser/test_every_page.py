"""Every page, with nothing open and with a demo: it asks no other machine for anything and complains of nothing."""

from __future__ import annotations

import pytest
import steps

TITLES = ["Start", "Events", "Links", "Workspaces", "Retrieve", "Memory graph"]


def visit_all(page) -> None:
    found = page.get_by_test_id("stSidebarNavLink").all_inner_texts()
    assert [words.strip().splitlines()[-1] for words in found] == TITLES
    for title in TITLES[1:]:
        steps.open_page(page, title)
        assert page.get_by_test_id("stException").count() == 0


def test_pages_without_a_workspace_say_where_to_begin(page, app_url, watch):
    steps.open_start(page, app_url)
    visit_all(page)
    assert "No workspace is open" in steps.text_of(page)
    assert (watch.errors, watch.away) == ([], [])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_of_a_demo_ask_nothing_of_other_machines(page, app_url, watch, scheme):
    page.emulate_media(color_scheme=scheme)
    steps.open_demo(page, app_url, "four-stories")
    visit_all(page)
    assert (watch.errors, watch.away) == ([], [])


@pytest.mark.parametrize("path", ["events", "links", "retrieve", "graph"])
def test_a_link_from_elsewhere_opens_its_page_at_once(page, app_url, watch, path):
    page.goto(f"{app_url}/{path}?workspace=there-is-none")
    page.get_by_text("There is no workspace called").wait_for()
    steps.settle(page)
    assert page.get_by_test_id("stSidebarNavLink").count() == len(TITLES)
    assert (watch.errors, watch.away) == ([], [])
