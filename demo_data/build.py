"""Make what can be computed in demo_data: the vectors of every set, and MADial's events and links from its own file.

Run from the project's root::

    python demo_data/build.py                                        vectors.npz of every set, with the bundled sentence model
    python demo_data/build.py --only diary                           of one set
    python demo_data/build.py --madial MADial-Bench-en-memory.json   first events.jsonl and edges.jsonl of madial
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from affrag_core.encoders.emotions import emotion_vector  # noqa: E402
from affrag_core.encoders.sentence import SentenceEncoder  # noqa: E402
from affrag_core.events.event import Event  # noqa: E402

SAME_SCENE_WITHIN = timedelta(weeks=8)


def madial_events(path: Path) -> list[dict[str, Any]]:
    """MADial-Bench's memories as events in order of time; the feeling's word and the scene are kept as given.

    Parameters
    ----------
    path : Path
        ``MADial-Bench-en-memory.json``: one object a line, ``{"12": {"time": ..., "scene": ..., "emotion": ..., "event": ...}}``.
    """
    memories = {number: memory for line in path.read_text(encoding="utf-8").splitlines() for number, memory in json.loads(line).items()}
    return [
        {
            "id": f"m{number}",
            "text": memory["event"],
            "kind": "STATIC",
            "timestamp": f"{memory['time']}T00:00:00Z",
            "doc_type": memory["scene"],
            "emotion": memory["emotion"],
            "metadata": {
                "person": _person(memory["event"]),
                "scene": memory["scene"],
                "feeling": memory["emotion"],
                "madial_id": int(number),
            },
        }
        for number, memory in sorted(memories.items(), key=lambda item: (item[1]["time"], int(item[0])))
    ]


def _person(text: str) -> str:
    people = [name for name in ("Bart", "Lisa") if name in text]
    if len(people) != 1:
        raise SystemExit(f"a memory must name Bart or Lisa, got {text!r}")
    return people[0]


def madial_edges(events: list[dict[str, Any]]) -> list[dict[str, str]]:
    """Three rules, each within one person's memories.

    ``next``: to the next in time. ``same_scene``: to the next with the same scene, if it is at most eight weeks later.
    ``same_feeling``: to the next with the same feeling and back, however far apart.
    """
    edges = []
    for person in ("Bart", "Lisa"):
        own = [event for event in events if event["metadata"]["person"] == person]
        for position, event in enumerate(own):
            later = own[position + 1 :]
            for relation, found in (
                ("next", later[:1]),
                ("same_scene", [e for e in later if e["doc_type"] == event["doc_type"] and _day(e) - _day(event) <= SAME_SCENE_WITHIN][:1]),
                ("same_feeling", [e for e in later if _feeling(e) == _feeling(event)][:1]),
            ):
                edges += [(event["id"], other["id"], relation) for other in found]
                edges += [(other["id"], event["id"], relation) for other in found if relation == "same_feeling"]
    return [dict(zip(("source", "target", "relation"), edge, strict=True)) for edge in edges]


def _day(event: dict[str, Any]) -> date:
    return date.fromisoformat(event["timestamp"][:10])


def _feeling(event: dict[str, Any]) -> str:
    return str(emotion_vector(event["emotion"]))  # so that Anxiety and Anxious are one


def write_rows(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    """One JSON object a line."""
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def write_vectors(folder: Path, encoder: SentenceEncoder) -> None:
    """``vectors.npz`` of one set, in the order of its rows; an event without a feeling gets a row of NaN."""
    lines = (folder / "events.jsonl").read_text(encoding="utf-8").split("\n")
    events = [Event(**json.loads(line)) for line in lines if line.strip()]
    questions = [question["text"] for question in json.loads((folder / "demo.json").read_text(encoding="utf-8"))["questions"]]
    feelings = [np.full(2, np.nan) if event.emotion is None else emotion_vector(event.emotion, event_id=event.id) for event in events]
    semantic = encoder.encode([event.text for event in events])
    np.savez(folder / "vectors.npz", semantic=semantic, emotional=np.array(feelings), questions=encoder.encode(questions))
    sys.stdout.write(f"{folder.name}: {len(events)} events, {len(questions)} questions\n")


def main() -> None:
    """Read the arguments and write the files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--madial", type=Path, help="MADial-Bench-en-memory.json, to make madial's events and links again")
    parser.add_argument("--only", help="the name of one set")
    arguments = parser.parse_args()
    if arguments.madial:
        events = madial_events(arguments.madial)
        write_rows(HERE / "madial" / "events.jsonl", events)
        write_rows(HERE / "madial" / "edges.jsonl", madial_edges(events))
    encoder = SentenceEncoder(n_threads=1)
    for path in sorted(HERE.glob("*/demo.json")):
        if arguments.only in (None, path.parent.name):
            write_vectors(path.parent, encoder)


if __name__ == "__main__":
    main()
