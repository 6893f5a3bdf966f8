"""The memory graph as a two-way component: PyVis holds the network, the vis-network that PyVis carries draws it.

Nothing is fetched. The library goes to the browser once a session, as a component of its own whose message never changes; after that
Streamlit sends a reference to it. The graph's own messages hold the data only.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import streamlit as st

from affrag_core import Drawn, drawn_events, layout
from pages.shared import resources
from pages.shared.graph_rows import draw, link_pairs, links_left_out, paths_to_draw

if TYPE_CHECKING:
    from datetime import datetime

    from affrag_core import EventGraph, FloatArray, RetrievalTrace, Workspace
    from pages.shared.graph_marks import ColourBy

HERE = Path(__file__).resolve().parent / "graph_component"
BUDGET = 300
"""How many events are drawn unless a person asks for more."""


def _asset(*names: str) -> str:
    return "\n".join((HERE / name).read_text(encoding="utf-8") for name in names)


def _library() -> str:
    """PyVis's own copy of vis-network as a module that hands it to the graph's script; its map, a file not there, is not asked for."""
    spec = find_spec("pyvis")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("pyvis is not installed: pip install pyvis==0.3.2")
    source = (Path(spec.origin).parent / "lib" / "vis-9.1.2" / "vis-network.min.js").read_text(encoding="utf-8")
    bundle = source.rpartition("//# sourceMappingURL=")[0] or source
    # The bundle looks for CommonJS first, so it is given an `exports` of its own and leaves nothing on the page.
    wrapped = f"const vis = {{}};\n(function (exports, module, define) {{\n{bundle}\n}}).call(globalThis, vis, {{}}, undefined);"
    return "\n".join([_asset("handover.js"), wrapped, "visNetwork().give(vis);", "export default function () {}"])


SCRIPTS = ("handover", "shapes", "camera", "card", "search", "legend", "painter", "hands", "view", "component")
"""The graph's script in parts, which share one scope."""

_library_component = st.components.v2.component("memory_graph_library", js=_library())
_graph_component = st.components.v2.component(
    "memory_graph", html=_asset("component.html"), css=_asset("component.css"), js=_asset(*(f"{name}.js" for name in SCRIPTS))
)


@cache
def network_options() -> dict[str, Any]:
    """PyVis's options for a still picture: no physics, straight links, positions as given, nodes that stay where they are."""
    from pyvis.network import Network

    network = Network(directed=True)
    network.set_options(
        json.dumps(
            {
                "autoResize": False,
                "physics": {"enabled": False},
                "layout": {"improvedLayout": False, "randomSeed": 1},
                "edges": {"smooth": False, "width": 1, "selectionWidth": 0, "hoverWidth": 0, "arrows": {"to": {"scaleFactor": 0.5}}},
                "nodes": {"shape": "dot"},
                "interaction": {"hover": True, "dragNodes": False, "keyboard": False, "selectConnectedEdges": False, "tooltipDelay": 100},
            }
        )
    )
    return dict(network.options)


def memory_graph(
    nodes: Sequence[Mapping[str, Any]],
    edges: Sequence[Mapping[str, Any]],
    *,
    key: str,
    height: int = 520,
    selected: str | None = None,
    labels: bool = True,
    on_click: Callable[[str], object] | None = None,
    on_search: Callable[[str], object] | None = None,
) -> str | None:
    """Draw a graph; returns the id of the event that was clicked just now, None in every other run.

    Parameters
    ----------
    nodes, edges : sequences of mappings
        From `graph_rows.draw`.
    key : str
        Of the component; the same key keeps the camera.
    height : int
        Of the picture, in pixels; the legend comes below it.
    selected : str, optional
        Id of the event to mark, and to bring into view if it is not.
    labels : bool
        Off leaves labels to the path and the event that is pointed at.
    on_click : callable, optional
        Called with the id of a clicked event before the page is drawn again, so that what stands above the graph knows of it.
    on_search : callable, optional
        Called with words that no drawn event has.
    """
    acts = {"clicked": on_click or _ignore, "wanted": on_search or _ignore}
    with st.container(gap=None):
        _library_component(key=f"{key}-library")
        result = _graph_component(
            key=key,
            data={
                "nodes": nodes,
                "edges": edges,
                "options": network_options(),
                "selected": selected,
                "labels": labels,
                "height": height,
            },
            on_clicked_change=lambda: _act_early(key, "clicked", acts),
            on_wanted_change=lambda: _act_early(key, "wanted", acts),
        )
    _act_late(key, result, acts)
    return result.clicked


def _ignore(_: str) -> None:
    return None


def _act_early(key: str, name: str, acts: Mapping[str, Callable[[str], object]]) -> None:
    """Do what a click asks for before the page is drawn again."""
    value = (st.session_state.get(key) or {}).get(name)
    if isinstance(value, str):
        st.session_state[f"{key}-done"] = (name, value)
        acts[name](value)


def _act_late(key: str, result: Mapping[str, Any], acts: Mapping[str, Callable[[str], object]]) -> None:
    """The same for a click whose value was not there yet: a run that ends early, as by a rerun, forgets what it had not drawn."""
    done = st.session_state.pop(f"{key}-done", None)
    for name, act in acts.items():
        value = result.get(name)
        if isinstance(value, str) and done != (name, value):
            act(value)
            st.rerun()


class Shown(NamedTuple):
    """What `draw_memory_graph` drew: the id clicked just now, which events, and sentences that say so."""

    clicked: str | None
    drawn: Drawn
    sentences: list[str]


def draw_memory_graph(
    ws: Workspace,
    *,
    key: str,
    budget: int = BUDGET,
    colour_by: ColourBy = "kind",
    trace: RetrievalTrace | None = None,
    path: Mapping[str, Any] | None = None,
    as_of: datetime | None = None,
    selected: str | None = None,
    focus: Iterable[str] = (),
    labels: str = "id",
    height: int = 520,
    on_click: Callable[[str], object] | None = None,
    on_search: Callable[[str], object] | None = None,
) -> Shown:
    """Choose, place and draw the events of a workspace.

    Parameters are those of `graph_rows.draw`, `drawn_events` and `memory_graph`; `labels` is ``id``, ``text`` or ``none``. Events in
    `focus` and the selected one are drawn whatever the budget leaves out, as far as the paths leave room.
    """
    graph = graph_of(ws)
    paths, rivals = paths_to_draw(trace, path) if trace is not None else ([], [])
    looked_at = [] if selected is None else [selected]
    drawn = drawn_events(graph, budget=budget, paths=paths, focus=[*looked_at, *rivals, *focus])
    nodes, edges = draw(
        ws.events(),
        graph,
        positions(graph),
        drawn,
        colour_by=colour_by,
        trace=trace,
        path=path,
        as_of=as_of,
        labels=labels,
        emotional_space=ws.emotional_space,
    )
    clicked = memory_graph(
        nodes, edges, key=key, height=height, selected=selected, labels=labels != "none", on_click=on_click, on_search=on_search
    )
    return Shown(clicked, drawn, [drawn.sentence, *filter(None, [links_left_out(graph, drawn)])])


def graph_of(ws: Workspace) -> EventGraph:
    """The compiled graph of a workspace as it is now, one for all sessions."""
    retriever, lock = resources.retriever(str(ws.target), ws)
    with lock:
        return retriever.graph


def positions(graph: EventGraph) -> FloatArray:
    """Where each event is drawn; made once for the same links and the same on every run."""
    links = hashlib.blake2b(graph.indptr.tobytes())
    links.update(graph.targets.tobytes())
    return _positions(links.hexdigest(), graph)


@st.cache_data(show_spinner="Placing the events…", max_entries=8)
def _positions(links: str, _graph: EventGraph) -> FloatArray:  # noqa: ARG001 - the digest is what is hashed
    return layout(len(_graph), np.column_stack(link_pairs(_graph)))
