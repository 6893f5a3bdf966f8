// The card beside the pointer. Every text is set with textContent.

class Card {
  constructor(view, box) {
    this.view = view;
    this.box = box;
  }

  ofNode(node, at) {
    const lines = { Date: node.card.date || "none", Kind: node.card.kind, Type: node.card.type, State: node.card.state, Feeling: node.card.feeling };
    if (node.seed) lines.Seed = "a path may start here";
    const facts = element("dl", "");
    for (const [name, value] of Object.entries(lines)) if (value) facts.append(element("dt", name), element("dd", value));
    this.box.replaceChildren(element("b", node.id), element("p", node.card.text), facts);
    this.place(at);
  }

  ofEdge(edge, at) {
    const roles = { path: `Hop ${edge.hop} of the path`, "runner-up": `Runner-up of hop ${edge.hop}`, "other path": "On another path" };
    const parts = [element("b", `${edge.from} → ${edge.to}`), element("p", edge.relations)];
    if (roles[edge.role]) parts.push(element("p", roles[edge.role]));
    this.box.replaceChildren(...parts);
    this.place(at);
  }

  place({ x, y }) {
    this.box.hidden = false;
    const { offsetWidth: width, offsetHeight: height } = this.box;
    const { clientWidth, clientHeight } = this.view.stage;
    const left = x + 16 + width < clientWidth ? x + 16 : Math.max(4, x - 16 - width);
    const top = y + 16 + height < clientHeight ? y + 16 : Math.max(4, y - 16 - height);
    this.box.style.left = `${Math.min(left, Math.max(4, clientWidth - width - 4))}px`;
    this.box.style.top = `${top}px`;
  }

  hide() {
    this.box.hidden = true;
  }
}
