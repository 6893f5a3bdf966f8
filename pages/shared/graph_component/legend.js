// What the marks in the picture mean: only those that are in it.

class Legend {
  constructor(view, box) {
    this.view = view;
    this.box = box;
  }

  show() {
    const nodes = [...this.view.rows.values()];
    const edges = [...this.view.links.values()];
    const items = [...this.colours(nodes), ...this.nodeMarks(nodes), ...this.edgeMarks(edges)];
    this.box.replaceChildren(...items.map(([words, mark]) => this.item(words, mark)));
  }

  // Where a colour says the kind, which the shape says too, one mark stands for both.
  colours(nodes) {
    const kinds = new Map(nodes.map((node) => [node.shape, node.card.kind]));
    const meanings = new Map();
    for (const node of nodes) {
      const known = meanings.get(node.meaning) ?? { ...node, shapes: new Set() };
      known.shapes.add(node.shape);
      meanings.set(node.meaning, known);
    }
    const inOrder = [...meanings.values()].sort((a, b) => a.order - b.order);
    const byKind = inOrder.every((known) => known.shapes.size === 1 && known.meaning === known.card.kind);
    const items = inOrder.map((known) => [known.meaning, this.node({ shape: byKind ? known.shape : "dot", fill: known.color })]);
    if (byKind) return items;
    const shapes = ["dot", "diamond", "star"].filter((shape) => kinds.has(shape));
    return [...items, ...shapes.map((shape) => [kinds.get(shape), this.node({ shape, hollow: true })])];
  }

  nodeMarks(nodes) {
    const items = [];
    if (nodes.some((node) => node.hollow)) items.push(["hollow, struck through: outside its window", this.node({ hollow: true, strike: true })]);
    if (nodes.some((node) => node.ring)) items.push(["ring: active window", this.node({ small: true, ring: true })]);
    if (nodes.some((node) => node.seed)) items.push(["seed", this.node({ small: true, frame: true })]);
    return items;
  }

  edgeMarks(edges) {
    const { path, text } = this.view.theme;
    const has = (role, test = () => true) => edges.some((edge) => edge.role === role && test(edge));
    const items = [];
    if (has("path")) items.push(["chosen path, hops numbered", this.line({ stroke: path, "stroke-width": 4 })]);
    if (has("path", (edge) => edge.dashes))
      items.push(["hop by likeness, without a link", this.line({ stroke: path, "stroke-width": 4, "stroke-dasharray": "7 4" })]);
    const dots = { stroke: text, "stroke-width": 2.5, "stroke-dasharray": "1.5 4.5", "stroke-linecap": "round" };
    if (has("runner-up")) items.push(["runner-up", this.line(dots)]);
    if (has("other path")) items.push(["other paths", this.line({ stroke: path, "stroke-width": 2, opacity: 0.5 })]);
    if (edges.length) items.push(["larger: more links", null]);
    return items;
  }

  item(words, mark) {
    const item = element("span", "");
    if (mark) item.append(mark);
    item.append(document.createTextNode(words));
    return item;
  }

  line(look) {
    const mark = svg("svg", { width: 26, height: 12 });
    mark.append(svg("line", { x1: 2, y1: 6, x2: 24, y2: 6, ...look }));
    return mark;
  }

  node({ shape = "dot", fill, hollow, small, strike, ring, frame }) {
    const { text } = this.view.theme;
    const mark = svg("svg", { width: 18, height: 18 });
    const points = corners(shape, 9, 9, small ? 4 : 6).map((point) => point.join(",")).join(" ");
    const look = hollow ? { fill: "none", stroke: text, "stroke-width": 1.5 } : { fill: fill ?? text };
    mark.append(svg("polygon", { points, ...look }));
    if (strike) mark.append(svg("line", { x1: 1, y1: 9, x2: 17, y2: 9, stroke: text, "stroke-width": 1.5 }));
    if (ring) mark.append(svg("circle", { cx: 9, cy: 9, r: 7.5, fill: "none", stroke: RING, "stroke-width": 2 }));
    if (frame) mark.append(svg("rect", { x: 1.5, y: 1.5, width: 15, height: 15, fill: "none", stroke: text, "stroke-width": 1.5 }));
    return mark;
  }
}
