"""A fresh app that is first opened at the address of one of its pages."""

from __future__ import annotations

from running_app import running_app, settle


def test_the_first_visit_at_the_address_of_a_page_finds_that_page(browser, tmp_path):
    with running_app(tmp_path / "data") as url:
        page = browser.new_context().new_page()
        page.goto(f"{url}/links?workspace=none")
        page.get_by_role("heading", name="Links", exact=True).wait_for()
        settle(page)
        assert page.get_by_role("dialog").count() == 0
        assert page.get_by_text("There is no workspace called").count() == 1
        names = page.locator('[data-testid="stSidebarNavLink"]').all_inner_texts()
        assert [name.split("\n")[-1] for name in names][:3] == ["Start", "Events", "Links"]
        page.context.close()
