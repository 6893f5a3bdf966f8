"""The memory graph under a mouse and a keyboard: search, click, hover, keys, and nothing fetched."""

from __future__ import annotations

import re

import pytest
import steps

ANIMATION_MS = 600


@pytest.fixture
def graph(page, app_url, watch):
    """The Memory graph page of the demo with the four stories."""
    steps.open_demo(page, app_url, "four-stories")
    page.goto(f"{app_url}/graph?workspace=demo-four-stories")
    page.locator(".st-key-graph-card").wait_for()
    page.locator(".stage canvas").wait_for()
    steps.settle(page)
    page.wait_for_timeout(ANIMATION_MS)
    yield page
    assert (watch.errors, watch.away) == ([], [])


def wait_for_card(page, event_id: str) -> None:
    """Wait until the card beside the graph is that of an event; a server that is loading its model answers late."""
    card = page.locator(".st-key-graph-card").filter(has=page.locator(".st-key-graph-retrieve"))
    card.filter(has_text=re.compile(rf"^\s*{event_id}")).wait_for()
    steps.settle(page)


def find(page, words: str) -> None:
    page.locator(".search").fill(words)
    page.locator(".search").press("Enter")
    page.wait_for_timeout(ANIMATION_MS)


def middle(page) -> tuple[float, float]:
    box = page.locator(".stage").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def look_at_nothing(page) -> None:
    page.locator(".st-key-graph-close").get_by_role("button").first.click()
    page.get_by_text("Click an event").wait_for()
    steps.settle(page)


def test_search_centres_an_event_and_a_click_on_it_opens_it(graph):
    find(graph, "policy_v2")
    wait_for_card(graph, "policy_v2")
    look_at_nothing(graph)
    graph.mouse.click(*middle(graph))
    wait_for_card(graph, "policy_v2")
    graph.reload()
    graph.locator(".stage canvas").wait_for()
    wait_for_card(graph, "policy_v2")


def test_words_of_a_text_find_its_event_too_and_unknown_words_are_said_to_be_unknown(graph):
    find(graph, "support ticket closed")
    wait_for_card(graph, "ticket_solved")
    find(graph, "zebra")
    graph.get_by_test_id("stToast").get_by_text("No event has “zebra”").wait_for()


def test_the_pointer_over_an_event_shows_its_card(graph):
    find(graph, "announcement_live")
    x, y = middle(graph)
    graph.mouse.move(x + 80, y + 80)
    graph.mouse.move(x, y)
    graph.wait_for_timeout(300)
    shown = graph.locator(".stage .card").inner_text()
    assert all(words in shown for words in ("announcement_live", "EVENT", "1 June 2025", "42 hours left"))


def test_the_keyboard_alone_reaches_an_event(graph):
    graph.locator(".stage").focus()
    graph.keyboard.press("ArrowDown")
    graph.keyboard.press("ArrowLeft")
    said = graph.locator(".said").inner_text()
    graph.keyboard.press("Enter")
    assert said
    wait_for_card(graph, said.split(":")[0])


def test_scrolling_over_the_graph_scrolls_the_page_until_it_is_clicked(graph):
    graph.mouse.move(*middle(graph))
    graph.mouse.wheel(0, 100)
    graph.wait_for_timeout(300)
    assert graph.get_by_text("Click the graph first").is_visible()


def test_the_legend_says_what_is_in_the_picture_and_only_that(graph):
    legend = graph.locator(".legend").inner_text()
    assert all(words in legend for words in ("STATIC", "VERSIONED", "EVENT", "outside its window", "active window"))
    assert "runner-up" not in legend
