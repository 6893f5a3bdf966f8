// Shapes, colours and small elements.

const RING = "#E69F00";

function corners(shape, x, y, r) {
  if (shape === "diamond") return [[x, y - 1.25 * r], [x + 1.25 * r, y], [x, y + 1.25 * r], [x - 1.25 * r, y]];
  const n = shape === "star" ? 10 : 32;
  return Array.from({ length: n }, (_, i) => {
    const far = shape === "star" ? (i % 2 ? 0.62 * r : 1.4 * r) : r;
    const angle = (2 * Math.PI * i) / n - Math.PI / 2;
    return [x + far * Math.cos(angle), y + far * Math.sin(angle)];
  });
}

function outline(ctx, shape, x, y, r) {
  if (shape === "dot") return circle(ctx, x, y, r);
  ctx.beginPath();
  for (const [left, top] of corners(shape, x, y, r)) ctx.lineTo(left, top);
  ctx.closePath();
}

function circle(ctx, x, y, r) {
  ctx.beginPath();
  ctx.arc(x, y, r, 0, 2 * Math.PI);
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

// Which parts of the picture are taken, looked up by cell. Asked thousands of times for each frame.
class Boxes {
  constructor(cell = 40) {
    this.cell = cell;
    this.cells = new Map();
  }

  add(...box) {
    for (const key of this.keys(box)) {
      if (!this.cells.has(key)) this.cells.set(key, []);
      this.cells.get(key).push(box);
    }
  }

  isFree(...box) {
    return this.keys(box).every((key) => !this.cells.get(key)?.some((other) => overlap(box, other)));
  }

  // How many of the boxes lie over a part of the picture; one that reaches over several cells may count more than once.
  count(...box) {
    return this.keys(box).reduce((n, key) => n + (this.cells.get(key) ?? []).filter((other) => overlap(box, other)).length, 0);
  }

  keys([left, top, right, bottom]) {
    const found = [];
    for (let i = Math.floor(left / this.cell); i <= right / this.cell; i++)
      for (let j = Math.floor(top / this.cell); j <= bottom / this.cell; j++) found.push(i * 4096 + j);
    return found;
  }
}

function overlap(one, other) {
  return one[0] < other[2] && one[2] > other[0] && one[1] < other[3] && one[3] > other[1];
}
