// Mouse, touch and keys.

function listen(view) {
  const { network, stage, camera, card } = view;
  const doings = { in: () => camera.zoomBy(1.4), out: () => camera.zoomBy(1 / 1.4), fit: () => camera.all(true), path: () => camera.path(true) };
  let active = false;
  let hintTimer;
  network.on("click", ({ nodes }) => {
    stage.focus({ preventScroll: true });
    view.focused = null;
    if (nodes.length) view.select(nodes[0]);
    network.unselectAll();
  });
  network.on("hoverNode", ({ node, event }) => {
    view.hovered = node;
    view.canvas.classList.add("over");
    card.ofNode(view.rows.get(node), place(stage, event));
    network.redraw();
  });
  network.on("hoverEdge", ({ edge, event }) => {
    if (!view.hovered && view.links.has(edge)) card.ofEdge(view.links.get(edge), place(stage, event));
  });
  const left = () => {
    card.hide();
    view.canvas.classList.remove("over");
    if (view.hovered === null) return;
    view.hovered = null;
    network.redraw();
  };
  for (const name of ["blurNode", "blurEdge", "dragStart"]) network.on(name, left);
  network.on("zoom", () => {
    left();
    camera.rescale();
  });
  network.on("animationFinished", () => camera.rescale());
  network.on("beforeDrawing", () => view.painter.resizeShapes());
  network.on("afterDrawing", (ctx) => view.painter.over(ctx));
  view.on(stage, "pointerleave", left);
  view.on(stage, "focusin", () => (active = true));
  view.on(stage, "focusout", () => {
    active = false;
    view.focused = null;
    left();
  });
  view.on(stage, "keydown", (event) => pressed(view, doings, event));
  view.on(view.buttons, "click", ({ target }) => doings[target.closest("button")?.dataset.do]?.());
  // Until the graph has been clicked, scrolling over it scrolls the page.
  const wheeled = (event) => {
    if (active || event.ctrlKey) return;
    event.stopImmediatePropagation();
    view.hint.hidden = false;
    clearTimeout(hintTimer);
    hintTimer = setTimeout(() => (view.hint.hidden = true), 1500);
  };
  view.on(view.canvas, "wheel", wheeled, { capture: true, passive: true });
}

function place(stage, event) {
  const frame = stage.getBoundingClientRect();
  return { x: event.clientX - frame.left, y: event.clientY - frame.top };
}

function pressed(view, doings, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  const doing = { "+": "in", "=": "in", "-": "out", 0: "fit" }[event.key];
  if (way) step(view, way);
  else if (doing) doings[doing]();
  else if (event.key === "Enter" && view.focused) view.select(view.focused);
  else if (event.key === "Escape") {
    view.focused = null;
    view.card.hide();
  } else return;
  event.preventDefault();
  view.network.redraw();
}

// To the nearest event in a direction, those straight ahead first; without a start, to the one nearest to the middle.
function step(view, [dx, dy]) {
  const start = view.rows.get(view.focused ?? view.selected);
  const from = start ?? view.network.getViewPosition();
  const cost = (node) => {
    const [x, y] = [node.x - from.x, node.y - from.y];
    if (!start) return Math.hypot(x, y);
    const [along, aside] = [x * dx + y * dy, Math.abs(x * dy - y * dx)];
    return along <= 0 || aside > 2 * along ? Infinity : along + 2 * aside;
  };
  const costs = [...view.rows.values()].filter((node) => node !== start).map((node) => [cost(node), node]);
  const [least, node] = costs.reduce((best, one) => (one[0] < best[0] ? one : best), [Infinity, null]);
  if (least === Infinity) return;
  view.focused = node.id;
  view.camera.bringIntoView(node);
  view.said.textContent = `${node.id}: ${node.card.text}`;
  view.card.ofNode(node, view.network.canvasToDOM(node));
}
