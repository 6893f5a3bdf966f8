"""A conversation from its file to the numbers behind a hop, as a person goes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import steps

from affrag_core import Retriever, chosen_on, hop_sentence, link_formula, number, path_hops

ROOT = Path(__file__).resolve().parents[2]
REAL = ROOT.parent / "shared" / "data" / "locomo" / "locomo_dev.json"
SPEAKERS = ("Ines", "Tom")
TURNS = [
    ["I signed up for the pottery class!", "Great! When does it begin?", "On Monday. I am a little nervous.", "You will love the clay."],
    ["The pottery class was wonderful.", "What did you make?", "A blue bowl, and it survived the kiln.", "Bring it when we have soup."],
    ["My grandmother broke her hip.", "Oh no. Is she in hospital?", "Yes, they operate tomorrow.", "I will water your plants meanwhile."],
]
DATES = ["1:56 pm on 8 May, 2023", "10:02 am on 20 May, 2023", "8:30 pm on 2 July, 2023"]
HOP_TOLERANCE = 1e-9


def small_conversation() -> dict:
    conversation: dict = {"speaker_a": SPEAKERS[0], "speaker_b": SPEAKERS[1]}
    for session, (date, turns) in enumerate(zip(DATES, TURNS, strict=True), 1):
        conversation[f"session_{session}_date_time"] = date
        conversation[f"session_{session}"] = [
            {"speaker": SPEAKERS[turn % 2], "dia_id": f"D{session}:{turn + 1}", "text": text} for turn, text in enumerate(turns)
        ]
    return {"sample_id": "conv-small", "conversation": conversation, "qa": []}


def check_hops(page, trace) -> None:
    """Open each hop of the best path; its numbers stand on the page and add up."""
    path = trace.paths[0]
    hops = path_hops(trace, path)
    assert len(hops) == len(path["event_ids"]) - 1 > 0
    for place, hop in enumerate(hops, 1):
        steps.look_at_hop(page, place)
        shown = steps.text_of(page)
        chosen = chosen_on(path, hop)
        assert link_formula(chosen, trace.config) in shown
        assert hop_sentence(hop) in shown
        assert number(chosen["score"]) in steps.chart_texts(page)
    for hop in trace.hops:
        for candidate in hop["candidates"]:
            total = candidate["multiplier"] * sum(candidate["contributions"].values())
            assert total == pytest.approx(candidate["score"], abs=HOP_TOLERANCE)


def check_ranked(page, trace) -> None:
    """Every path stands with its final score."""
    for path in trace.paths:
        card = page.locator(f"[class*=st-key-card-]:has(.st-key-look-path-{path['rank']})").first.inner_text()
        assert number(path["final_score"]) in card.split()


def walk(page, question: str):
    """Ask, read every hop, move a slider, read every hop again; returns the last trace."""
    steps.open_page(page, "Retrieve")
    steps.ask(page, question)
    before = steps.shown_trace(page)
    assert before.query == question
    check_ranked(page, before)
    check_hops(page, before)
    steps.press_key_on_slider(page, "als-semantic_weight", "PageUp")
    after = steps.shown_trace(page)
    assert after.config.als.semantic_weight > before.config.als.semantic_weight
    assert after.config.als.temporal_weight == before.config.als.temporal_weight
    check_ranked(page, after)
    check_hops(page, after)
    return after


def test_a_small_conversation_is_uploaded_asked_and_explained_hop_by_hop(page, app_url, app_dir, tmp_path, watch):
    path = tmp_path / "small talk.json"
    path.write_text(json.dumps([small_conversation()]), encoding="utf-8")
    steps.bring_file(page, app_url, path)
    assert "plus one minute for every turn before it" in steps.text_of(page)
    steps.import_file(page)
    trace = walk(page, "How did the pottery class go?")
    with steps.stored(app_dir, "small-talk", tmp_path) as workspace:
        assert [event.id for event in workspace.events()] == [f"D{session}:{turn}" for session in (1, 2, 3) for turn in (1, 2, 3, 4)]
        assert workspace.n_edges == 11
        start = workspace.event("D2:3")
        steps.open_page(page, "Retrieve")
        page.goto(f"{app_url}/retrieve?workspace=small-talk&from=D2:3")
        page.locator(".st-key-look-path-1").wait_for(state="attached")
        steps.settle(page)
        shown = steps.shown_trace(page)
        own = Retriever(workspace).retrieve(start.semantic_vec, shown.config, shown.as_of)
        assert [row["event_ids"] for row in shown.paths] == [row["event_ids"] for row in own.paths]
        assert [row["final_score"] for row in shown.paths] == pytest.approx([row["final_score"] for row in own.paths], abs=HOP_TOLERANCE)
    assert trace.paths[0]["event_ids"] != []
    assert watch.errors == []
    assert watch.away == []


@pytest.mark.skipif(not REAL.is_file(), reason="the LoCoMo conversations (CC BY-NC 4.0) do not come with this repository")
def test_a_real_conversation_is_uploaded_asked_and_explained_hop_by_hop(page, app_url, app_dir, tmp_path, watch):
    steps.bring_file(page, app_url, REAL)
    page.locator("[class*=st-key-upload_conversation] input").click()
    options = page.get_by_role("option")
    options.first.wait_for()
    sizes = [int(found[1]) for words in options.all_inner_texts() if (found := re.search(r"(\d+) turns", words))]
    assert len(sizes) == 5
    assert all(369 <= size <= 690 for size in sizes)
    options.nth(sizes.index(min(sizes))).click()
    page.locator(".st-key-upload_import").get_by_text(f"{min(sizes)} events").wait_for()
    steps.settle(page)
    steps.import_file(page)
    trace = walk(page, "What happened with the dance studio?")
    with steps.stored(app_dir, "locomo-dev", tmp_path) as workspace:
        assert len(workspace) == min(sizes)
        assert all(event.timestamp is not None and event.semantic_vec is not None for event in workspace.events())
        assert all(workspace.has_event(event_id) for path in trace.paths for event_id in path["event_ids"])
    assert watch.errors == []
    assert watch.away == []
