"""A table from its columns to the graph: mapped, reported on, mended, brought in, linked and drawn."""

from __future__ import annotations

import steps
from running_app import settle

ROWS = """wann;was;nummer;laune;vektor
2024-01-01 10:00;Tea with Ada in the garden;n1;calm;[1, 0, 0]
neulich;We missed the last ferry home;n2;worried;[0, 1, 0]
2024-01-03 10:00;Rain on the roof all night;n3;calm;[0, 0, 1]
2024-01-04 10:00;;n4;calm;[1, 1, 0]
2024-01-05 10:00;A long walk along the quay;n5;happy;[0, 1, 1]
2024-01-06 10:00;Soup and old photographs;n6;happy;[1, 0, 1]
"""


def choose_column(page, field: str, column: str) -> None:
    page.get_by_role("combobox", name=field, exact=True).click()
    page.get_by_role("option", name=column, exact=True).click()
    settle(page)


def press(page, key: str) -> None:
    page.locator(f".st-key-{key}").get_by_role("button").click()


def test_a_table_is_mapped_mended_brought_in_linked_and_drawn(page, app_url, app_dir, tmp_path, watch):
    path = tmp_path / "tagebuch.csv"
    path.write_text(ROWS, encoding="utf-8")
    steps.bring_file(page, app_url, path)
    assert "found by its content" in steps.text_of(page)
    choose_column(page, "Feeling", "laune")
    choose_column(page, "Semantic vector", "vektor")
    page.get_by_text("as you choose now").wait_for()

    button = page.locator(".st-key-upload_import")
    button.get_by_text("Bring in 4 events").wait_for()
    page.locator("label").filter(has_text="Take without a time").click()
    button.get_by_text("Bring in 5 events").wait_for()
    settle(page)
    page.locator("label").filter(has_text="Link each event to the next in time").click()
    button.get_by_text("Bring in 5 events and 0 links").wait_for()
    settle(page)
    press(page, "upload_import")
    page.get_by_text("Brought in 5 events").wait_for()
    settle(page)

    steps.open_page(page, "Links")
    page.locator(".st-key-links_view").get_by_role("radio", name="Propose links").click()
    page.locator(".st-key-propose_make").wait_for()
    settle(page)
    press(page, "propose_make")
    page.locator(".st-key-propose_make").wait_for(state="detached")
    settle(page)

    with steps.stored(app_dir, "tagebuch", tmp_path) as workspace:
        assert [event.id for event in workspace.events()] == ["n1", "n2", "n3", "n5", "n6"]
        assert workspace.event("n2").timestamp is None
        assert workspace.event("n2").metadata["wann (as written)"] == "neulich"
        assert workspace.event("n5").emotion == "happy"
        assert [(edge.source, edge.target) for edge in workspace.edges()] == [("n1", "n3"), ("n3", "n5"), ("n5", "n6")]

    steps.open_page(page, "Memory graph")
    page.locator(".stage canvas").wait_for()
    page.get_by_text("All 5 events shown.").wait_for()
    assert (watch.errors, watch.away) == ([], [])
