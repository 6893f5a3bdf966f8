// Nodes, labels and hop numbers. Sizes are those on the screen, so that nothing gets too small to see or too large to tell apart.

const SMALLEST = 4;
const LARGEST = 26;
const FONT = 12;
const MOST_LABELS = 160;
const MOST_TRIED = 500; // the largest in view; looking for room for thousands of labels would slow each frame

class Painter {
  constructor(view) {
    this.view = view;
    this.widths = new Map();
    this.fadedColours = new Map();
  }

  newTheme() {
    this.widths.clear();
    this.fadedColours.clear();
  }

  faded(colour) {
    if (!this.fadedColours.has(colour)) this.fadedColours.set(colour, mixed(colour, this.view.theme.paper, 0.5));
    return this.fadedColours.get(colour);
  }

  // Closer up, nodes grow less than the space between them, so that crowds come apart.
  radius(node, scale) {
    const pixels = node.size * (scale > 1 ? Math.sqrt(scale) : scale);
    const least = Math.min(7, Math.max(SMALLEST, 0.14 * this.view.camera.apart * scale));
    return Math.min(Math.max(pixels, least), LARGEST) / scale;
  }

  // vis-network measures a drawn shape once, but ours keep their size on the screen; clicks and arrows go by these.
  resizeShapes() {
    const { network, rows, camera } = this.view;
    for (const node of rows.values()) {
      const shape = network.body.nodes[node.id]?.shape;
      if (shape) shape.width = shape.height = 2 * this.radius(node, camera.scale);
    }
  }

  // vis-network asks for each node in turn. What matters most waits until the end, to lie over all that would cover it.
  node({ ctx, id, x, y }) {
    const node = this.view.rows.get(id);
    if (!node) return {};
    const scale = this.view.camera.scale;
    const r = this.radius(node, scale);
    return { drawNode: () => this.matters(node) || this.paint(ctx, node, x, y, r, 1 / scale), nodeDimensions: { width: 2 * r, height: 2 * r } };
  }

  isMarked({ id }) {
    return id === this.view.selected || id === this.view.focused || id === this.view.hovered;
  }

  matters(node) {
    return node.on_path || node.seed || this.isMarked(node) || (this.view.pathIds().length > 0 && !node.quiet);
  }

  paint(ctx, node, x, y, r, px) {
    const { theme, hovered } = this.view;
    const quiet = node.quiet && !this.matters(node);
    const colour = quiet ? this.faded(node.color) : node.color;
    if (this.isMarked(node)) this.halo(ctx, x, y, r + (node.id === hovered ? 5 : 8) * px, node.id === hovered ? 0 : 2 * px);
    outline(ctx, node.shape, x, y, r);
    ctx.fillStyle = node.hollow ? theme.paper : colour;
    ctx.fill();
    ctx.lineWidth = (node.on_path ? 2.5 : node.hollow ? 2 : 1.2) * px;
    ctx.strokeStyle = node.hollow ? colour : node.on_path ? theme.text : theme.paper;
    ctx.stroke();
    if (node.ring) {
      circle(ctx, x, y, r + 3.5 * px);
      ctx.lineWidth = 2 * px;
      ctx.strokeStyle = quiet ? this.faded(RING) : RING;
      ctx.stroke();
    }
    if (node.seed) {
      const half = r + (node.ring ? 6.5 : 4) * px;
      ctx.lineWidth = 1.6 * px;
      ctx.strokeStyle = theme.text;
      ctx.strokeRect(x - half, y - half, 2 * half, 2 * half);
    }
  }

  halo(ctx, x, y, r, line) {
    circle(ctx, x, y, r);
    ctx.globalAlpha = 0.3;
    ctx.fillStyle = ctx.strokeStyle = this.view.theme.accent;
    ctx.fill();
    ctx.globalAlpha = 1;
    ctx.lineWidth = line;
    if (line) ctx.stroke();
  }

  over(ctx) {
    const { network, byRank, camera, theme } = this.view;
    for (const node of [...byRank].reverse())
      if (this.matters(node)) this.paint(ctx, node, node.x, node.y, this.radius(node, camera.scale), 1 / camera.scale);
    const ratio = network.canvas.pixelRatio;
    ctx.save();
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.font = theme.font;
    ctx.textBaseline = "middle";
    ctx.textAlign = "center";
    const taken = new Boxes();
    const numbers = this.hopNumbers();
    for (const { x, y, r } of numbers) taken.add(x - r, y - r, x + r, y + r);
    this.labels(ctx, taken);
    numbers.forEach((number) => this.hopNumber(ctx, number));
    ctx.restore();
  }

  // Where the number of each hop stands, and of its runner-up, unless both ends are too close for it.
  hopNumbers() {
    const { network, rows, links } = this.view;
    const ends = [...links.values()].filter((edge) => edge.hop && edge.from !== edge.to);
    const numbers = ends.map(({ from, to, hop, role }) => {
      const [a, b] = [from, to].map((id) => network.canvasToDOM(rows.get(id)));
      const chosen = role === "path";
      return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, r: chosen ? 9 : 7, hop, chosen, apart: Math.hypot(a.x - b.x, a.y - b.y) };
    });
    return numbers.filter(({ chosen, apart }) => apart > (chosen ? 26 : 60));
  }

  hopNumber(ctx, { x, y, r, hop, chosen }) {
    const { theme } = this.view;
    circle(ctx, x, y, r);
    ctx.fillStyle = chosen ? theme.path : theme.paper;
    ctx.fill();
    ctx.lineWidth = 1.2;
    ctx.strokeStyle = chosen ? theme.paper : theme.text;
    ctx.stroke();
    ctx.fillStyle = chosen ? theme.onPath : theme.text;
    ctx.fillText(String(hop), x, y + 0.5);
  }

  labels(ctx, taken) {
    const { network, byRank, camera, stage } = this.view;
    const [width, height, scale] = [stage.clientWidth, stage.clientHeight, camera.scale];
    this.width = width;
    const [first, second, third] = [[], [], []];
    for (const node of byRank) {
      const { x, y } = network.canvasToDOM(node);
      if (x < -60 || y < -20 || x > width + 60 || y > height + 20) continue;
      const r = this.radius(node, scale) * scale;
      taken.add(x - r, y - r, x + r, y + r);
      (this.isMarked(node) ? first : node.on_path ? second : third).push([node, x, y, r]);
    }
    for (const one of [...first, ...second]) this.label(ctx, taken, one, true);
    let room = this.view.labels ? MOST_LABELS : 0;
    for (const one of third.slice(0, MOST_TRIED)) if (room > 0 && this.label(ctx, taken, one, false)) room -= 1;
  }

  // Below, above, right or left of its node, wherever nothing is yet; else not at all, unless it must.
  label(ctx, taken, [node, x, y, r], must) {
    const words = node.label;
    if (!this.widths.has(words)) this.widths.set(words, ctx.measureText(words).width);
    const half = this.widths.get(words) / 2;
    const gap = r + (node.ring || node.seed ? 8 : 3);
    const [down, up, right, left] = [y + gap + 8, y - gap - 8, x + gap + half + 2, x - gap - half - 2];
    const places = [[x, down], [x, up], [right, y], [left, y]];
    if (must) places.push([right, down - 6], [right, up + 6], [left, down - 6], [left, up + 6]);
    const box = ([cx, cy]) => [cx - half - 2, cy - 7, cx + half + 2, cy + 7];
    const isInside = ([left, , right]) => left > 0 && right < this.width;
    const free = places.find((place) => isInside(box(place)) && taken.isFree(...box(place)));
    if (!free && !must) return false;
    const covered = (one) => taken.count(...box(one)) + (isInside(box(one)) ? 0 : 9);
    const place = free ?? places.reduce((best, one) => (covered(one) < covered(best) ? one : best));
    taken.add(...box(place));
    this.write(ctx, words, place, half, node.hollow, node.quiet && !must);
    return true;
  }

  write(ctx, words, [x, y], half, struck, quiet) {
    const { theme } = this.view;
    ctx.lineWidth = 3.5;
    ctx.lineJoin = "round";
    ctx.strokeStyle = theme.paper;
    ctx.strokeText(words, x, y);
    ctx.fillStyle = ctx.strokeStyle = quiet ? this.faded(theme.text) : theme.text;
    ctx.fillText(words, x, y);
    if (!struck) return;
    ctx.lineWidth = 1.2;
    ctx.beginPath();
    ctx.moveTo(x - half, y);
    ctx.lineTo(x + half, y);
    ctx.stroke();
  }
}
