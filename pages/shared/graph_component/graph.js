// Draws a PyVis network with vis-network, which the component beside this one hands over once. Positions come with the data and
// nothing moves by itself. Every text of a person goes through textContent or the canvas, so it can never act as markup.

const slot = (globalThis[Symbol.for("memory-graph.vis")] ??= (() => {
  let ready;
  const promise = new Promise((resolve) => (ready = resolve));
  return { promise, ready };
})());
const views = new WeakMap();

export default async function (component) {
  const { parentElement, data } = component;
  const vis = await slot.promise;
  let view = views.get(parentElement);
  if (!view || !view.isAlive()) {
    view = new GraphView(vis, parentElement);
    views.set(parentElement, view);
  }
  view.send = component.setTriggerValue;
  view.update(data);
  return () => {
    if (views.get(parentElement) === view) views.delete(parentElement);
    view.destroy();
  };
}

const SMALLEST = 4; // pixels; a node never looks smaller, however far away
const LARGEST = 26;
const FONT = 12;
const MOST_LABELS = 160;
const RING = "#E69F00";

class GraphView {
  constructor(vis, root) {
    this.vis = vis;
    this.root = root;
    const one = (selector) => root.querySelector(selector);
    this.stage = one(".stage");
    this.canvas = one(".canvas");
    this.card = one(".card");
    this.hint = one(".hint");
    this.input = one(".search");
    this.list = one(".found");
    this.said = one(".said");
    this.legend = one(".legend");
    this.pathButton = one('[data-do="path"]');
    this.nodes = new vis.DataSet();
    this.edges = new vis.DataSet();
    this.rows = new Map(); // id -> node as it came
    this.links = new Map(); // id -> edge as it came
    this.sent = new Map(); // id -> JSON last given to vis
    this.widths = new Map(); // measured labels
    this.selected = null;
    this.focused = null;
    this.hovered = null;
    this.active = false;
    this.lastScale = 0;
    this.gone = new AbortController();
  }

  isAlive() {
    return !this.gone.signal.aborted && this.stage.isConnected;
  }

  destroy() {
    this.gone.abort();
    this.watcher?.disconnect();
    this.network?.destroy();
    this.network = undefined;
  }

  // --- data ------------------------------------------------------------------------------------------------------------------------

  update(data) {
    this.readTheme();
    this.stage.style.height = `${data.height}px`;
    const before = this.rows;
    this.rows = new Map(data.nodes.map((node) => [node.id, node]));
    this.links = new Map(data.edges.map((edge) => [edge.id, edge]));
    this.labels = data.labels;
    this.byRank = [...data.nodes].sort((a, b) => rank(b) - rank(a));
    if (!this.network) this.start(data.options);
    this.write();
    this.showLegend();
    this.stage.setAttribute(
      "aria-label",
      `Memory graph, ${data.nodes.length} events. Arrow keys go to the nearest event, Enter opens it, plus, minus and 0 zoom.`,
    );
    const path = this.pathIds();
    this.hasPath = path.length > 0;
    this.pathButton.hidden = path.length === 0;
    const kept = data.nodes.filter((node) => before.has(node.id)).length;
    if (kept < data.nodes.length / 2 || kept === 0) this.frameFirst(path);
    else if (path.join("\n") !== this.lastPath && path.length && !path.some((id) => this.isInView(id))) this.framePath(true);
    this.lastPath = path.join("\n");
    if (data.selected !== this.selected) this.select(data.selected, true);
    if (this.focused && !this.rows.has(this.focused)) this.focused = null;
    this.lastScale = 0;
    this.rescale();
    this.network.redraw();
  }

  start(options) {
    this.network = new this.vis.Network(this.canvas, { nodes: this.nodes, edges: this.edges }, options);
    this.listen();
    this.watcher = new ResizeObserver(() => this.resized());
    this.watcher.observe(this.stage);
  }

  write() {
    const scale = this.network.getScale() || 1;
    const renderer = (given) => this.drawNode(given);
    const nodes = [];
    const edges = [];
    for (const { id, x, y, size } of this.rows.values()) {
      const row = { id, x, y, size, shape: "custom", ctxRenderer: renderer, label: undefined };
      if (this.isNews(`n${id}`, [x, y, size])) nodes.push(row);
    }
    for (const edge of this.links.values()) {
      const row = this.edgeStyle(edge, scale);
      if (this.isNews(`e${edge.id}`, [edge.role, row.dashes, row.color])) edges.push(row);
    }
    const forget = (set, have, letter) => {
      const old = set.getIds().filter((id) => !have.has(id));
      old.forEach((id) => this.sent.delete(letter + id));
      if (old.length) set.remove(old);
    };
    forget(this.edges, this.links, "e");
    forget(this.nodes, this.rows, "n");
    if (nodes.length) this.nodes.update(nodes);
    if (edges.length) this.edges.update(edges);
  }

  isNews(key, value) {
    const text = JSON.stringify(value);
    if (this.sent.get(key) === text) return false;
    this.sent.set(key, text);
    return true;
  }

  edgeStyle(edge, scale) {
    const role = edge.role;
    const quiet = role === "link" && this.pathIds().length > 0;
    const color = { path: this.theme.path, "runner-up": this.theme.text, "other path": this.theme.path }[role] ?? this.theme.link;
    const row = {
      id: edge.id,
      from: edge.from,
      to: edge.to,
      arrows: role === "link" ? null : edge.arrows, // those of links come and go with the zoom, see rescale
      color: { color, hover: color, highlight: color, opacity: { link: quiet ? 0.35 : 0.75, "other path": 0.5 }[role] ?? 1 },
      dashes: edge.dashes ? (role === "runner-up" ? [2, 6] : [12, 6]) : false,
    };
    if (role !== "link") row.width = edge.width / Math.max(scale, 0.2);
    else row.width = null; // back to the width that all links share
    return row;
  }

  pathIds() {
    if (this.pathFor !== this.rows) {
      this.pathFor = this.rows;
      this.pathNow = [...this.rows.values()].filter((node) => node.on_path).map((node) => node.id);
    }
    return this.pathNow;
  }

  // --- camera ----------------------------------------------------------------------------------------------------------------------

  frameFirst(path) {
    this.hasFramed = false;
    this.resized(path);
  }

  resized() {
    if (!this.network || !this.stage.clientWidth) return;
    this.network.setSize("100%", "100%");
    if (!this.hasFramed) {
      this.hasFramed = true;
      this.frame(this.nodes.getIds(), false);
      const path = this.pathIds();
      if (path.length && path.length < this.nodes.length / 4) this.framePath(false);
    }
    this.network.redraw();
  }

  frame(ids, animated, closest = 1.8) {
    if (!ids.length) return;
    const places = ids.map((id) => this.rows.get(id)).filter(Boolean);
    const [left, right] = extent(places.map((node) => node.x));
    const [top, bottom] = extent(places.map((node) => node.y));
    const width = this.stage.clientWidth;
    const height = this.stage.clientHeight;
    // The bar with the search field covers the top of the picture, labels need room at the sides and below.
    const scale = Math.min((width - 110) / Math.max(right - left, 1), (height - 104) / Math.max(bottom - top, 1), closest);
    const position = { x: (left + right) / 2, y: (top + bottom) / 2 - 12 / scale };
    this.network.moveTo({ position, scale: Math.max(scale, 0.02), animation: animated ? { duration: 250, easingFunction: "easeInOutQuad" } : false });
    if (!animated) this.rescale();
  }

  framePath(animated) {
    const near = [...this.rows.values()].filter((node) => !node.quiet).map((node) => node.id); // runners-up too
    this.frame(near, animated, Math.max(1.5, 70 / this.apart()));
  }

  apart() {
    return 800 / Math.sqrt(this.rows.size || 1); // pixels from one event to the next at zoom 1, roughly
  }

  zoomBy(factor) {
    const scale = Math.min(Math.max(this.network.getScale() * factor, 0.02), 12);
    this.network.moveTo({ scale, animation: { duration: 150, easingFunction: "easeInOutQuad" } });
  }

  rescale() {
    const scale = this.network?.getScale();
    if (!scale || Math.abs(scale / this.lastScale - 1) < 0.04) return;
    this.lastScale = scale;
    const thin = Math.min(Math.max(scale, 0.2), 12);
    const room = scale * this.apart();
    this.network.setOptions({ edges: { width: 1.1 / thin, arrows: { to: { enabled: room > 26, scaleFactor: Math.min(0.6, 0.5 / thin) } } } });
    const marked = [...this.links.values()].filter((edge) => edge.role !== "link");
    if (marked.length) this.edges.update(marked.map((edge) => ({ id: edge.id, width: edge.width / thin })));
  }

  at(id) {
    const node = this.rows.get(id);
    return this.network.canvasToDOM({ x: node.x, y: node.y });
  }

  isInView(id) {
    if (!this.rows.has(id)) return false;
    const { x, y } = this.at(id);
    return x > 10 && y > 10 && x < this.stage.clientWidth - 10 && y < this.stage.clientHeight - 10;
  }

  bringIntoView(id) {
    if (this.isInView(id)) return;
    const { x, y } = this.rows.get(id);
    const scale = Math.max(this.network.getScale(), 0.9);
    this.network.moveTo({ position: { x, y }, scale, animation: { duration: 250, easingFunction: "easeInOutQuad" } });
  }

  // --- choosing --------------------------------------------------------------------------------------------------------------------

  select(id, quietly) {
    this.selected = id ?? null;
    if (this.selected && this.rows.has(this.selected)) this.bringIntoView(this.selected);
    if (!quietly && id) this.send("clicked", id);
    this.network?.redraw();
  }

  listen() {
    const { signal } = this.gone;
    const on = (element, name, act, options) => element.addEventListener(name, act, { signal, ...options });
    const network = this.network;
    network.on("click", ({ nodes }) => {
      this.stage.focus({ preventScroll: true });
      this.focused = null;
      if (nodes.length) this.select(nodes[0]);
      network.unselectAll();
    });
    network.on("hoverNode", ({ node, event }) => this.showCard(node, event));
    network.on("blurNode", () => this.hideCard());
    network.on("hoverEdge", ({ edge, event }) => this.showLink(edge, event));
    network.on("blurEdge", () => this.hideCard());
    network.on("dragStart", () => this.hideCard());
    network.on("zoom", () => {
      this.hideCard();
      this.rescale();
    });
    network.on("animationFinished", () => this.rescale());
    network.on("beforeDrawing", () => this.resizeShapes());
    network.on("afterDrawing", (context) => this.drawOver(context));
    on(this.stage, "focusin", () => (this.active = true));
    on(this.stage, "focusout", () => {
      this.active = false;
      this.focused = null;
      this.hideCard();
    });
    on(this.stage, "pointerleave", () => this.hideCard());
    on(this.stage, "keydown", (event) => this.pressed(event));
    // Until the graph has been clicked, scrolling over it scrolls the page.
    on(this.canvas, "wheel", (event) => this.wheeled(event), { capture: true, passive: true });
    on(this.root.querySelector(".buttons"), "click", ({ target }) => this.pushed(target.closest("button")?.dataset.do));
    on(this.input, "input", () => this.search());
    on(this.input, "focus", () => this.input.value && this.search());
    on(this.input, "keydown", (event) => this.searchKey(event));
    on(this.input, "blur", () => setTimeout(() => this.closeList(), 150));
  }

  wheeled(event) {
    if (this.active || event.ctrlKey) return;
    event.stopImmediatePropagation();
    this.hint.hidden = false;
    clearTimeout(this.hintTimer);
    this.hintTimer = setTimeout(() => (this.hint.hidden = true), 1500);
  }

  pushed(what) {
    if (what === "in") this.zoomBy(1.4);
    if (what === "out") this.zoomBy(1 / 1.4);
    if (what === "fit") this.frame(this.nodes.getIds(), true);
    if (what === "path") this.framePath(true);
  }

  pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    const act = { "+": "in", "=": "in", "-": "out", 0: "fit" }[event.key];
    if (way) this.step(way);
    else if (act) this.pushed(act);
    else if (event.key === "Enter" && this.focused) this.select(this.focused);
    else if (event.key === "Escape") this.hideCard((this.focused = null));
    else return;
    event.preventDefault();
    this.network.redraw();
  }

  step([dx, dy]) {
    const start = this.focused ?? this.selected;
    const from = this.rows.get(start) ?? { ...this.network.getViewPosition(), id: null };
    let best = null;
    let least = Infinity;
    for (const node of this.rows.values()) {
      const [x, y] = [node.x - from.x, node.y - from.y];
      const along = x * dx + y * dy;
      const aside = Math.abs(x * dy - y * dx);
      if (node.id === start || (start && along <= 0) || aside > along * 2 + (start ? 0 : Infinity)) continue;
      const cost = start ? along + 2 * aside : Math.hypot(x, y);
      if (cost < least) [best, least] = [node, cost];
    }
    if (!best) return;
    this.focused = best.id;
    this.bringIntoView(best.id);
    this.said.textContent = `${best.id}: ${best.card.text}`;
    const { x, y } = this.at(best.id);
    this.fillCard(best);
    this.placeCard(x, y);
  }

  // --- search ----------------------------------------------------------------------------------------------------------------------

  search() {
    const words = this.input.value.trim().toLocaleLowerCase();
    this.hits = [];
    if (!words) return this.closeList();
    const inId = [];
    const inText = [];
    for (const node of this.rows.values()) {
      if (node.id.toLocaleLowerCase().includes(words)) inId.push(node);
      else if (node.card.text.toLocaleLowerCase().includes(words)) inText.push(node);
    }
    inId.sort((a, b) => a.id.length - b.id.length);
    this.hits = [...inId, ...inText].slice(0, 8);
    this.place = this.hits.length ? 0 : -1;
    this.list.replaceChildren(...this.hits.map((node, place) => this.hitElement(node, place)));
    const note = element("li", "", this.hits.length ? "none" : "none");
    note.textContent = this.hits.length ? "Enter shows it." : "Not among the events shown. Press Enter to look in all.";
    if (!this.hits.length) this.list.append(note);
    this.list.hidden = false;
    this.input.setAttribute("aria-expanded", "true");
    this.markHit();
  }

  hitElement(node, place) {
    const item = element("li", "");
    item.setAttribute("role", "option");
    item.append(element("b", node.id), element("span", node.card.text));
    item.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      this.take(place);
    });
    return item;
  }

  markHit() {
    [...this.list.children].forEach((item, place) => item.setAttribute("aria-selected", String(place === this.place)));
    this.list.children[this.place]?.scrollIntoView({ block: "nearest" });
  }

  searchKey(event) {
    event.stopPropagation();
    if (event.key === "Escape") {
      this.input.value = "";
      this.closeList();
    } else if (event.key === "Enter") {
      if (this.hits?.length) this.take(this.place);
      else if (this.input.value.trim()) this.send("wanted", this.input.value.trim());
      this.closeList();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const n = this.hits?.length ?? 0;
      if (n) this.place = (this.place + (event.key === "ArrowDown" ? 1 : n - 1)) % n;
      this.markHit();
      event.preventDefault();
    }
  }

  take(place) {
    const node = this.hits[place];
    this.closeList();
    const scale = Math.max(this.network.getScale(), 1.2);
    this.network.moveTo({ position: { x: node.x, y: node.y }, scale, animation: { duration: 250, easingFunction: "easeInOutQuad" } });
    this.select(node.id);
  }

  closeList() {
    this.list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
  }

  // --- cards and legend ------------------------------------------------------------------------------------------------------------

  showCard(id, event) {
    this.hovered = id;
    this.canvas.classList.add("over");
    this.fillCard(this.rows.get(id));
    this.placeAtPointer(event);
    this.network.redraw();
  }

  fillCard(node) {
    const facts = element("dl", "");
    const lines = { Date: node.card.date || "none", Kind: node.card.kind, Type: node.card.type, State: node.card.state, Feeling: node.card.feeling };
    for (const [name, value] of Object.entries(lines)) if (value) facts.append(element("dt", name), element("dd", value));
    if (node.seed) facts.append(element("dt", "Seed"), element("dd", "a path may start here"));
    this.card.replaceChildren(element("b", node.id), element("p", node.card.text), facts);
  }

  showLink(id, event) {
    const edge = this.links.get(id);
    if (!edge || this.hovered) return;
    const what = { path: `Hop ${edge.hop} of the path`, "runner-up": `Runner-up of hop ${edge.hop}`, "other path": "On another path" }[edge.role];
    const facts = [element("b", `${edge.from} → ${edge.to}`), element("p", edge.relations)];
    if (what) facts.push(element("p", what));
    this.card.replaceChildren(...facts);
    this.placeAtPointer(event);
  }

  placeAtPointer(event) {
    const frame = this.stage.getBoundingClientRect();
    this.placeCard(event.clientX - frame.left, event.clientY - frame.top);
  }

  placeCard(x, y) {
    this.card.hidden = false;
    const { offsetWidth: width, offsetHeight: height } = this.card;
    const [w, h] = [this.stage.clientWidth, this.stage.clientHeight];
    const left = x + 16 + width < w ? x + 16 : Math.max(4, x - 16 - width);
    const top = y + 16 + height < h ? y + 16 : Math.max(4, y - 16 - height);
    this.card.style.left = `${Math.min(left, Math.max(4, w - width - 4))}px`;
    this.card.style.top = `${top}px`;
  }

  hideCard() {
    this.card.hidden = true;
    this.canvas.classList.remove("over");
    if (this.hovered === null) return;
    this.hovered = null;
    this.network?.redraw();
  }

  showLegend() {
    const nodes = [...this.rows.values()];
    const edges = [...this.links.values()];
    const items = [];
    const byMeaning = new Map();
    for (const node of nodes) {
      const known = byMeaning.get(node.meaning) ?? { ...node, shapes: new Set() };
      known.shapes.add(node.shape);
      byMeaning.set(node.meaning, known);
    }
    const kinds = new Map(nodes.map((node) => [node.shape, node.card.kind]));
    const sameThing = [...byMeaning.values()].every((known) => known.meaning === kinds.get([...known.shapes][0]) && known.shapes.size === 1);
    for (const known of [...byMeaning.values()].sort((a, b) => a.order - b.order)) {
      items.push([known.meaning, { shape: sameThing ? known.shape : "dot", fill: known.color }]);
    }
    if (!sameThing) for (const shape of ["dot", "diamond", "star"]) if (kinds.has(shape)) items.push([kinds.get(shape), { shape, line: true }]);
    if (nodes.some((node) => node.hollow)) items.push(["hollow, struck through: outside its window", { shape: "dot", line: true, strike: true }]);
    if (nodes.some((node) => node.ring)) items.push(["ring: active window", { shape: "dot", small: true, ring: true }]);
    if (nodes.some((node) => node.seed)) items.push(["seed", { shape: "dot", small: true, frame: true }]);
    if (edges.some((edge) => edge.role === "path")) items.push(["chosen path, hops numbered", { edge: 4 }]);
    if (edges.some((edge) => edge.role === "path" && edge.dashes)) items.push(["hop by likeness, without a link", { edge: 4, dashes: "7 4" }]);
    if (edges.some((edge) => edge.role === "runner-up")) items.push(["runner-up", { edge: 2.5, dashes: "1.5 4.5", plain: true }]);
    if (edges.some((edge) => edge.role === "other path")) items.push(["other paths", { edge: 2, faint: true }]);
    if (edges.length) items.push(["larger: more links", null]);
    this.legend.replaceChildren(...items.map(([words, how]) => this.legendItem(words, how)));
  }

  legendItem(words, how) {
    const item = element("span", "");
    if (how) item.append(this.legendMark(how));
    item.append(document.createTextNode(words));
    return item;
  }

  legendMark(how) {
    const { theme } = this;
    if (how.edge) {
      const mark = svg("svg", { width: 26, height: 12 });
      const stroke = how.plain ? theme.text : theme.path;
      const line = { x1: 2, y1: 6, x2: 24, y2: 6, stroke, "stroke-width": how.edge, "stroke-linecap": how.plain ? "round" : "butt" };
      mark.append(svg("line", { ...line, "stroke-dasharray": how.dashes ?? "none", opacity: how.faint ? 0.5 : 1 }));
      return mark;
    }
    const mark = svg("svg", { width: 18, height: 18 });
    const size = how.small ? 4 : 6;
    const look = { fill: how.line ? "none" : how.small ? theme.text : how.fill, stroke: how.line ? theme.text : "none", "stroke-width": 1.5 };
    mark.append(svg("polygon", { points: corners(how.shape, 9, 9, size).map((point) => point.join(",")).join(" "), ...look }));
    if (how.strike) mark.append(svg("line", { x1: 1, y1: 9, x2: 17, y2: 9, stroke: theme.text, "stroke-width": 1.5 }));
    if (how.ring) mark.append(svg("circle", { cx: 9, cy: 9, r: 7.5, fill: "none", stroke: RING, "stroke-width": 2 }));
    if (how.frame) mark.append(svg("rect", { x: 1.5, y: 1.5, width: 15, height: 15, fill: "none", stroke: theme.text, "stroke-width": 1.5 }));
    return mark;
  }

  // --- drawing ---------------------------------------------------------------------------------------------------------------------

  readTheme() {
    const style = getComputedStyle(this.stage);
    const read = (name, otherwise) => style.getPropertyValue(name).trim() || otherwise;
    const paper = read("--st-background-color", "#ffffff");
    const dark = brightness(paper) < 0.5;
    this.theme = {
      paper,
      text: read("--st-text-color", dark ? "#e6eaee" : "#1f2933"),
      accent: read("--st-primary-color", "#0072B2"),
      path: dark ? "#4DB2F0" : "#0072B2",
      link: dark ? "#7d8a97" : "#9aa5b1",
      font: `${FONT}px ${read("--st-font", "sans-serif")}`,
    };
    this.fadedColours = new Map();
    this.sent = this.themeWas === paper ? this.sent : new Map();
    if (this.themeWas !== paper) this.widths.clear();
    this.themeWas = paper;
  }

  faded(colour) {
    if (!this.fadedColours.has(colour)) this.fadedColours.set(colour, mixed(colour, this.theme.paper, 0.5));
    return this.fadedColours.get(colour);
  }

  radius(node, scale) {
    // Closer up, nodes grow less than the space between them, so that crowds come apart.
    const pixels = node.size * (scale > 1 ? Math.sqrt(scale) : scale);
    return Math.min(Math.max(pixels, SMALLEST), LARGEST) / scale;
  }

  resizeShapes() {
    // vis-network measures a drawn shape once, but ours keep their size on the screen; clicks and arrows go by these.
    const scale = this.network.getScale();
    for (const node of this.rows.values()) {
      const shape = this.network.body.nodes[node.id]?.shape;
      if (shape) shape.width = shape.height = 2 * this.radius(node, scale);
    }
  }

  drawNode({ ctx, id, x, y }) {
    const node = this.rows.get(id);
    const scale = this.network.getScale();
    const r = node ? this.radius(node, scale) : 1;
    // What matters most is painted at the end, over everything that lies in front of it here.
    const now = node && !this.matters(node);
    return { drawNode: () => now && this.paintNode(ctx, node, x, y, r, 1 / scale), nodeDimensions: { width: 2 * r, height: 2 * r } };
  }

  matters(node) {
    const { id } = node;
    return node.on_path || node.seed || id === this.selected || id === this.focused || id === this.hovered || (this.hasPath && !node.quiet);
  }

  paintNode(ctx, node, x, y, r, px) {
    const { theme } = this;
    if (node.id === this.selected || node.id === this.focused || node.id === this.hovered) {
      ctx.beginPath();
      ctx.arc(x, y, r + (node.id === this.hovered ? 5 : 8) * px, 0, 2 * Math.PI);
      ctx.fillStyle = theme.accent;
      ctx.globalAlpha = 0.3;
      ctx.fill();
    }
    ctx.globalAlpha = 1;
    const colour = node.quiet && !this.matters(node) ? this.faded(node.color) : node.color;
    outline(ctx, corners(node.shape, x, y, r));
    ctx.lineWidth = (node.hollow ? 2 : 1.2) * px;
    ctx.fillStyle = node.hollow ? theme.paper : colour;
    ctx.strokeStyle = node.hollow ? colour : theme.paper;
    if (node.on_path) {
      ctx.lineWidth = 2.5 * px;
      ctx.strokeStyle = node.hollow ? colour : theme.text;
    }
    ctx.fill();
    ctx.stroke();
    if (node.ring) {
      ctx.beginPath();
      ctx.arc(x, y, r + 3.5 * px, 0, 2 * Math.PI);
      ctx.lineWidth = 2 * px;
      ctx.strokeStyle = node.quiet && !this.matters(node) ? this.faded(RING) : RING;
      ctx.stroke();
    }
    if (node.seed) {
      const half = r + (node.ring ? 6.5 : 4) * px;
      ctx.lineWidth = 1.6 * px;
      ctx.strokeStyle = theme.text;
      ctx.globalAlpha = 1;
      ctx.strokeRect(x - half, y - half, 2 * half, 2 * half);
    }
    if (node.id === this.selected || node.id === this.focused) {
      ctx.beginPath();
      ctx.arc(x, y, r + 8 * px, 0, 2 * Math.PI);
      ctx.lineWidth = 2 * px;
      ctx.strokeStyle = theme.accent;
      ctx.globalAlpha = 1;
      ctx.stroke();
    }
    ctx.globalAlpha = 1;
  }

  drawOver(ctx) {
    const ratio = this.network.canvas.pixelRatio;
    const scale = this.network.getScale();
    for (const node of [...this.byRank].reverse()) {
      if (this.matters(node)) this.paintNode(ctx, node, node.x, node.y, this.radius(node, scale), 1 / scale);
    }
    ctx.save();
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.font = this.theme.font;
    ctx.textBaseline = "middle";
    ctx.textAlign = "center";
    const taken = new Boxes();
    this.drawHopNumbers(ctx, taken);
    this.drawLabels(ctx, taken);
    ctx.restore();
  }

  drawHopNumbers(ctx, taken) {
    for (const edge of this.links.values()) {
      if (!edge.hop || !this.rows.has(edge.from) || !this.rows.has(edge.to) || edge.from === edge.to) continue;
      const [a, b] = [this.at(edge.from), this.at(edge.to)];
      const chosen = edge.role === "path";
      if (Math.hypot(a.x - b.x, a.y - b.y) < (chosen ? 26 : 60)) continue;
      const [x, y, r] = [(a.x + b.x) / 2, (a.y + b.y) / 2, chosen ? 9 : 7];
      ctx.beginPath();
      ctx.arc(x, y, r, 0, 2 * Math.PI);
      ctx.fillStyle = chosen ? this.theme.path : this.theme.paper;
      ctx.strokeStyle = chosen ? this.theme.paper : this.theme.text;
      ctx.lineWidth = 1.2;
      ctx.fill();
      ctx.stroke();
      ctx.fillStyle = chosen ? (brightness(this.theme.path) > 0.5 ? "#10151a" : "#ffffff") : this.theme.text;
      ctx.fillText(String(edge.hop), x, y + 0.5);
      taken.add(x - r, y - r, x + r, y + r);
    }
  }

  drawLabels(ctx, taken) {
    const [width, height] = [this.stage.clientWidth, this.stage.clientHeight];
    const scale = this.network.getScale();
    const seen = [];
    for (const node of this.byRank) {
      const { x, y } = this.network.canvasToDOM(node);
      if (x < -60 || y < -20 || x > width + 60 || y > height + 20) continue;
      const r = this.radius(node, scale) * scale;
      seen.push([node, x, y, r]);
      if (seen.length < 1500) taken.add(x - r, y - r, x + r, y + r);
    }
    const must = ([node]) => node.id === this.selected || node.id === this.hovered || node.id === this.focused;
    const order = [...seen.filter(must), ...seen.filter((one) => !must(one) && one[0].on_path), ...seen.filter((one) => !must(one) && !one[0].on_path)];
    let left = MOST_LABELS;
    for (const one of order) {
      const always = must(one) || one[0].on_path;
      if (!always && (!this.labels || left <= 0)) break;
      if (this.drawLabel(ctx, taken, one, always)) left -= 1;
    }
  }

  drawLabel(ctx, taken, [node, x, y, r], always) {
    const words = node.label;
    let width = this.widths.get(words);
    if (width === undefined) this.widths.set(words, (width = ctx.measureText(words).width));
    const gap = r + (node.ring || node.seed ? 8 : 3);
    const places = [[x, y + gap + 8], [x, y - gap - 8], [x + gap + width / 2 + 2, y], [x - gap - width / 2 - 2, y]];
    const box = ([cx, cy]) => [cx - width / 2 - 2, cy - 7, cx + width / 2 + 2, cy + 7];
    const free = places.find((place) => taken.isFree(...box(place)));
    if (!free && !always) return false;
    const [cx, cy] = free ?? places[0];
    taken.add(...box([cx, cy]));
    ctx.globalAlpha = node.quiet && !always ? 0.65 : 1;
    ctx.lineWidth = 3.5;
    ctx.lineJoin = "round";
    ctx.strokeStyle = this.theme.paper;
    ctx.strokeText(words, cx, cy);
    ctx.fillStyle = this.theme.text;
    ctx.fillText(words, cx, cy);
    if (node.hollow) {
      ctx.beginPath();
      ctx.moveTo(cx - width / 2, cy);
      ctx.lineTo(cx + width / 2, cy);
      ctx.lineWidth = 1.2;
      ctx.strokeStyle = this.theme.text;
      ctx.stroke();
    }
    ctx.globalAlpha = 1;
    return true;
  }
}

class Boxes {
  // Which parts of the picture are taken, looked up by cell.
  constructor(cell = 40) {
    this.cell = cell;
    this.cells = new Map();
  }

  *keys(left, top, right, bottom) {
    for (let i = Math.floor(left / this.cell); i <= right / this.cell; i++)
      for (let j = Math.floor(top / this.cell); j <= bottom / this.cell; j++) yield i * 4096 + j;
  }

  add(...box) {
    for (const key of this.keys(...box)) {
      if (!this.cells.has(key)) this.cells.set(key, []);
      this.cells.get(key).push(box);
    }
  }

  isFree(left, top, right, bottom) {
    for (const key of this.keys(left, top, right, bottom))
      for (const [l, t, r, b] of this.cells.get(key) ?? []) if (l < right && r > left && t < bottom && b > top) return false;
    return true;
  }
}

function rank(node) {
  return (node.on_path ? 1e6 : 0) + (node.seed ? 1e5 : 0) + (node.quiet ? 0 : 1e4) + node.size;
}

function corners(shape, x, y, r) {
  if (shape === "diamond") return [[x, y - 1.25 * r], [x + 1.25 * r, y], [x, y + 1.25 * r], [x - 1.25 * r, y]];
  const n = shape === "star" ? 10 : 32;
  return Array.from({ length: n }, (_, i) => {
    const far = shape === "star" ? (i % 2 ? 0.62 * r : 1.4 * r) : r;
    const angle = (2 * Math.PI * i) / n - Math.PI / 2;
    return [x + far * Math.cos(angle), y + far * Math.sin(angle)];
  });
}

function outline(ctx, points) {
  ctx.beginPath();
  points.forEach(([x, y], i) => (i ? ctx.lineTo(x, y) : ctx.moveTo(x, y)));
  ctx.closePath();
}

function extent(values) {
  return values.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [Infinity, -Infinity]);
}

function channels(colour) {
  const probe = document.createElement("canvas").getContext("2d");
  probe.fillStyle = colour;
  probe.fillRect(0, 0, 1, 1);
  return [...probe.getImageData(0, 0, 1, 1).data].slice(0, 3);
}

function brightness(colour) {
  const [r, g, b] = channels(colour);
  return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
}

function mixed(colour, other, share) {
  const [a, b] = [channels(colour), channels(other)];
  return `rgb(${a.map((value, i) => Math.round(value * (1 - share) + b[i] * share)).join(" ")})`;
}

function element(name, words, className = "") {
  const made = document.createElement(name);
  made.textContent = words;
  made.className = className;
  return made;
}

function svg(name, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}
