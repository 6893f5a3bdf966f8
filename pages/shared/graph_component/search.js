// Finds an event by its id or words among those drawn; words that none of them has are sent to the page.

const MOST_FOUND = 8;

class Search {
  constructor(view, input, list) {
    this.view = view;
    this.input = input;
    this.list = list;
    this.hits = [];
    this.place = 0;
    view.on(input, "input", () => this.look());
    view.on(input, "focus", () => this.look());
    view.on(input, "keydown", (event) => this.pressed(event));
    view.on(input, "blur", () => this.close());
  }

  look() {
    const words = this.input.value.trim().toLocaleLowerCase();
    if (!words) return this.close();
    this.hits = this.matches(words).slice(0, MOST_FOUND);
    this.place = 0;
    const items = this.hits.map((node, place) => this.item(node, place));
    if (!items.length) items.push(element("li", "Not among the events shown. Press Enter to look in all.", "none"));
    this.list.replaceChildren(...items);
    this.list.hidden = false;
    this.input.setAttribute("aria-expanded", "true");
    this.mark();
  }

  matches(words) {
    const [inId, inText] = [[], []];
    for (const node of this.view.rows.values()) {
      if (node.id.toLocaleLowerCase().includes(words)) inId.push(node);
      else if (node.card.text.toLocaleLowerCase().includes(words)) inText.push(node);
    }
    return [...inId.sort((a, b) => a.id.length - b.id.length), ...inText];
  }

  item(node, place) {
    const item = element("li", "");
    item.setAttribute("role", "option");
    item.append(element("b", node.id), element("span", node.card.text));
    item.addEventListener("pointerdown", (event) => {
      event.preventDefault(); // the field keeps the focus
      this.take(place);
    });
    return item;
  }

  mark() {
    [...this.list.children].forEach((item, place) => item.setAttribute("aria-selected", String(place === this.place)));
    this.list.children[this.place]?.scrollIntoView({ block: "nearest" });
  }

  pressed(event) {
    event.stopPropagation();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && this.hits.length) {
      this.place = (this.place + step + this.hits.length) % this.hits.length;
      this.mark();
      event.preventDefault();
    } else if (event.key === "Escape") {
      this.input.value = "";
      this.close();
    } else if (event.key === "Enter" && this.input.value.trim()) {
      if (this.hits.length) this.take(this.place);
      else this.view.send("wanted", this.input.value.trim());
      this.close();
    }
  }

  take(place) {
    const node = this.hits[place];
    this.close();
    this.view.camera.goTo(node, 1.2);
    this.view.select(node.id);
  }

  close() {
    this.list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
  }
}
