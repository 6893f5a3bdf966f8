// Where one looks from: what is framed, how near, and how thin lines are there.

class Camera {
  constructor(view) {
    this.view = view;
    this.lastScale = 0;
    this.hasFramed = false;
  }

  get scale() {
    return this.view.network.getScale();
  }

  // Pixels from one event to the next at zoom 1, roughly.
  get apart() {
    return 800 / Math.sqrt(this.view.rows.size || 1);
  }

  begin() {
    this.hasFramed = false;
    this.resized();
  }

  resized() {
    const { network, stage } = this.view;
    if (!network || !stage.clientWidth) return;
    this.fitHeight();
    network.setSize("100%", "100%");
    if (!this.hasFramed) {
      this.hasFramed = true;
      this.all(false);
      const n = this.view.pathIds().length;
      if (n && n < this.view.rows.size / 4) this.path(false);
    }
    network.redraw();
  }

  // On a narrow screen a tall picture would be mostly empty.
  fitHeight() {
    const { stage, height } = this.view;
    stage.style.height = `${Math.min(height, Math.max(280, stage.clientWidth * 1.05))}px`;
  }

  all(animated) {
    this.frame([...this.view.rows.values()], animated);
  }

  path(animated) {
    const near = [...this.view.rows.values()].filter((node) => !node.quiet); // runners-up too
    this.frame(near, animated, Math.max(1.5, 70 / this.apart));
  }

  frame(nodes, animated, closest = 1.8) {
    this.view.card.hide();
    if (!nodes.length) return;
    const [left, right] = extent(nodes.map((node) => node.x));
    const [top, bottom] = extent(nodes.map((node) => node.y));
    const { clientWidth: width, clientHeight: height } = this.view.stage;
    // The bar with the search field covers the top of the picture; labels need room at the sides and below.
    const fit = Math.min((width - Math.min(110, width * 0.2)) / Math.max(right - left, 1), (height - 104) / Math.max(bottom - top, 1));
    const scale = Math.max(Math.min(fit, closest), 0.02);
    const position = { x: (left + right) / 2, y: (top + bottom) / 2 - 12 / scale };
    this.view.network.moveTo({ position, scale, animation: animated && GLIDE });
    if (!animated) this.rescale();
  }

  zoomBy(factor) {
    this.view.card.hide();
    this.view.network.moveTo({ scale: Math.min(Math.max(this.scale * factor, 0.02), 12), animation: GLIDE });
  }

  goTo({ x, y }, least = 0.9) {
    this.view.network.moveTo({ position: { x, y }, scale: Math.max(this.scale, least), animation: GLIDE });
  }

  bringIntoView(node) {
    if (!this.sees(node)) this.goTo(node);
  }

  // Whether a node is in the picture, and below it as many pixels as its label needs.
  sees(node, below = 10) {
    const { x, y } = this.view.network.canvasToDOM(node);
    const { clientWidth, clientHeight } = this.view.stage;
    return x > 10 && y > 10 && x < clientWidth - 10 && y < clientHeight - below;
  }

  // Lines keep their width on the screen; arrows of links show where there is room for them.
  rescale(always = false) {
    const scale = this.view.network?.getScale();
    if (!scale || (!always && Math.abs(scale / this.lastScale - 1) < 0.04)) return;
    this.lastScale = scale;
    const thin = Math.min(Math.max(scale, 0.2), 12);
    const to = { enabled: scale * this.apart > 26, scaleFactor: Math.min(0.6, 0.5 / thin) };
    this.view.network.setOptions({ edges: { width: 1.1 / thin, arrows: { to } } });
    const marked = [...this.view.links.values()].filter((edge) => edge.role !== "link");
    const dashes = (edge) => edge.dashes && (edge.role === "runner-up" ? [3 / thin, 6 / thin] : [12 / thin, 6 / thin]);
    if (marked.length) this.view.edges.update(marked.map((edge) => ({ id: edge.id, width: edge.width / thin, dashes: dashes(edge) })));
  }
}

const GLIDE = { duration: 220, easingFunction: "easeInOutQuad" };
const LABEL = 34; // pixels that a label takes below its node
