// One graph on a page: takes the data in, hands it to vis-network, and tells the page what was clicked.

class View {
  constructor(vis, root) {
    const one = (selector) => root.querySelector(selector);
    this.vis = vis;
    this.gone = new AbortController();
    this.stage = one(".stage");
    this.canvas = one(".canvas");
    this.hint = one(".hint");
    this.said = one(".said");
    this.buttons = one(".buttons");
    this.nodes = new vis.DataSet();
    this.edges = new vis.DataSet();
    this.rows = new Map(); // nodes as they came, by id
    this.links = new Map(); // edges as they came, by id
    this.given = new Map(); // what vis-network was last given of each
    this.selected = this.focused = this.hovered = null;
    this.camera = new Camera(this);
    this.painter = new Painter(this);
    this.card = new Card(this, one(".card"));
    this.legend = new Legend(this, one(".legend"));
    this.search = new Search(this, one(".search"), one(".found"));
  }

  get isAlive() {
    return !this.gone.signal.aborted && this.stage.isConnected;
  }

  destroy() {
    this.gone.abort();
    this.watcher?.disconnect();
    this.network?.destroy();
    this.network = undefined;
  }

  on(element, name, act, options) {
    element.addEventListener(name, act, { signal: this.gone.signal, ...options });
  }

  update(data) {
    const [before, pathBefore] = [this.rows, this.pathIds().join("\n")];
    this.rows = new Map(data.nodes.map((node) => [node.id, node]));
    this.links = new Map(data.edges.map((edge) => [edge.id, edge]));
    this.byRank = [...data.nodes].sort((a, b) => rank(b) - rank(a));
    this.labels = data.labels;
    this.height = data.height;
    this.readTheme();
    this.camera.fitHeight();
    if (!this.network) this.start(data.options);
    this.write();
    this.legend.show();
    const keys = "Arrow keys go to the nearest event, Enter opens it, plus, minus and 0 zoom.";
    this.stage.setAttribute("aria-label", `Memory graph, ${data.nodes.length} events. ${keys}`);
    this.buttons.querySelector('[data-do="path"]').hidden = !this.pathIds().length;
    const framed = this.look(before, pathBefore);
    if (data.selected !== this.selected) this.select(data.selected, true, framed);
    this.camera.rescale(true);
    this.network.redraw();
  }

  // The camera stays, unless other events came or the new path is not wholly in the picture.
  look(before, pathBefore) {
    const kept = [...this.rows.keys()].filter((id) => before.has(id)).length;
    const path = this.pathIds();
    const isOther = path.length && path.join("\n") !== pathBefore;
    const comesAnew = !kept || kept < this.rows.size / 2;
    const isCut = isOther && !path.every((id) => this.camera.sees(this.rows.get(id), LABEL));
    if (comesAnew) this.camera.begin();
    else if (isCut) this.camera.path(true);
    for (const name of ["focused", "hovered"]) if (!this.rows.has(this[name])) this[name] = null;
    return comesAnew || isCut;
  }

  start(options) {
    this.network = new this.vis.Network(this.canvas, { nodes: this.nodes, edges: this.edges }, options);
    listen(this);
    this.watcher = new ResizeObserver(() => this.camera.resized());
    this.watcher.observe(this.stage.parentElement);
  }

  write() {
    const ctxRenderer = (given) => this.painter.node(given);
    const nodes = [...this.rows.values()].map(({ id, x, y, size }) => ({ id, x, y, size, shape: "custom", ctxRenderer }));
    this.exchange(this.nodes, nodes, "n");
    this.exchange(this.edges, [...this.links.values()].map((edge) => this.edgeStyle(edge)), "e");
  }

  exchange(set, rows, letter) {
    const ids = new Set(rows.map((row) => row.id));
    const old = set.getIds().filter((id) => !ids.has(id));
    old.forEach((id) => this.given.delete(letter + id));
    set.remove(old);
    const news = rows.filter((row) => {
      const [key, text] = [letter + row.id, JSON.stringify(row)];
      const isNews = this.given.get(key) !== text;
      this.given.set(key, text);
      return isNews;
    });
    if (news.length) set.update(news);
  }

  edgeStyle({ id, from, to, role, arrows }) {
    const { theme } = this;
    const color = { path: theme.path, "runner-up": theme.text, "other path": theme.path }[role] ?? theme.link;
    const opacity = { link: this.pathIds().length ? 0.35 : 0.75, "other path": 0.5 }[role] ?? 1;
    const isLink = role === "link"; // its width and arrow come from the options that all share, see Camera.rescale
    return {
      id,
      from,
      to,
      color: { color, hover: color, highlight: color, opacity },
      arrows: isLink ? null : arrows,
      ...(isLink && { width: null, dashes: false }),
    };
  }

  pathIds() {
    if (this.pathFor !== this.rows) {
      this.pathFor = this.rows;
      this.pathNow = [...this.rows.values()].filter((node) => node.on_path).map((node) => node.id);
    }
    return this.pathNow;
  }

  select(id, quietly = false, framed = false) {
    this.selected = id ?? null;
    this.card.hide();
    if (!framed && this.rows.has(this.selected)) this.camera.bringIntoView(this.rows.get(this.selected));
    if (!quietly && id) this.send("clicked", id);
    this.network?.redraw();
  }

  readTheme() {
    const style = getComputedStyle(this.stage);
    const read = (name, otherwise) => style.getPropertyValue(name).trim() || otherwise;
    const paper = read("--st-background-color", "#ffffff");
    const dark = brightness(paper) < 0.5;
    if (this.theme?.paper !== paper) this.painter.newTheme();
    this.theme = {
      paper,
      text: read("--st-text-color", dark ? "#e6eaee" : "#1f2933"),
      accent: read("--st-primary-color", "#0072B2"),
      path: dark ? "#4DB2F0" : "#0072B2",
      onPath: dark ? "#10151a" : "#ffffff",
      link: dark ? "#7d8a97" : "#9aa5b1",
      font: `${FONT}px ${read("--st-font", "sans-serif")}`,
    };
  }
}

function rank(node) {
  return (node.on_path ? 1e6 : 0) + (node.seed ? 1e5 : 0) + (node.quiet ? 0 : 1e4) + node.size;
}
