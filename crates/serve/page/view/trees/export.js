/** A picture of what is open of a tree as a file that needs nothing else: SVG or PNG, on a light ground. */
import { h } from "/page/dom.js";
import { extent } from "./layout.js";
import { heightOf, keyShapes, knobShapes, linkShape, nodeShapes } from "./shapes.js";

const FONT = "system-ui, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif";
const MARGIN = 24;
const HEAD = 72;
/** The most pixels of a side of a PNG, and of all of it: browsers draw no larger ones. */
const MOST = { side: 32_000, all: 100_000_000 };

/** How a shape looks by its role: fill, stroke, width of the stroke, size and weight of a text. */
const LOOK = {
  ground: { fill: "#ffffff" },
  test: { fill: "#ffffff", stroke: "#8b877c" },
  leaf: { fill: "#f7f5ef", stroke: "#8b877c" },
  answer: { fill: "#ffffff", stroke: "#55524a" },
  bar: { fill: "#ffffff" },
  part: { fill: "#ffffff" },
  edge: { stroke: "#55524a" },
  link: { stroke: "#8b877c", width: 1.5 },
  knob: { fill: "#ffffff", stroke: "#1d6653", width: 1.5 },
  sign: { stroke: "#1d6653", width: 2 },
  title: { fill: "#23272c", size: 17, weight: 700 },
  when: { fill: "#5a6068", size: 12 },
  asks: { fill: "#23272c", size: 13, weight: 600 },
  said: { fill: "#23272c", size: 13, weight: 700 },
  name: { fill: "#5a6068", size: 11 },
  number: { fill: "#23272c", size: 12 },
  mixed: { fill: "#5a6068", size: 12 },
  more: { fill: "#5a6068", size: 12 },
};

/**
 * All shapes of a file, each with the place that it is moved to.
 * @param {{places: Object[], isOpen: function, names: boolean, classes: string[], distances: string[]|null,
 *   title: string}} picture
 */
function drawn({ places, isOpen, names, classes, distances, title }) {
  const high = heightOf(names);
  const box = extent(places, high);
  const key = keyShapes(distances ?? [], 0, 0);
  // The knob of the last column and its words stick out.
  const wide = Math.max(box.width + 120, key.width, 9 * title.length) + 2 * MARGIN;
  const tall = box.height + HEAD + 2 * MARGIN;
  const [left, top] = [MARGIN, MARGIN + HEAD];
  const all = [[0, 0, { tag: "rect", role: "ground", x: 0, y: 0, width: wide, height: tall }]];
  all.push([MARGIN, MARGIN, { tag: "text", role: "title", text: title, x: 0, y: 14 }]);
  for (const shape of key.shapes) all.push([MARGIN, MARGIN + 30, shape]);
  for (const place of places) {
    for (const below of place.below) all.push([left, top, linkShape(place, below, high)]);
  }
  for (const place of places) {
    const shapes = nodeShapes(place, { names, classes });
    if (place.node.asks) shapes.push(...knobShapes(place, isOpen(place.node), high));
    for (const shape of shapes) all.push([left + place.x, top + place.y, shape]);
  }
  return { wide, tall, all };
}

const escaped = (text) =>
  text.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]);

/** The picture as the text of an SVG file. */
export function svgText(picture) {
  const { wide, tall, all } = drawn(picture);
  const lines = all.map(([left, top, { tag, role, text, middle, end, fill, ...more }]) => {
    const look = LOOK[role];
    const attributes = {
      ...more,
      fill: fill ?? look.fill ?? "none",
      stroke: look.stroke,
      "stroke-width": look.width,
      "font-size": look.size,
      "font-weight": look.weight,
      "text-anchor": middle ? "middle" : end ? "end" : undefined,
      transform: `translate(${left} ${top})`,
    };
    const written = Object.entries(attributes)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
      .join("");
    return text === undefined ? `<${tag}${written}/>` : `<${tag}${written}>${escaped(text)}</${tag}>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${wide}" height="${tall}" viewBox="0 0 ${wide} ${tall}" font-family="${FONT}">`,
    `<title>${escaped(picture.title)}</title>`,
    ...lines,
    "</svg>\n",
  ].join("\n");
}

/** The picture as a PNG. @returns {Blob} */
export function pngBlob(picture) {
  const { wide, tall, all } = drawn(picture);
  const scale = Math.min(2, MOST.side / wide, MOST.side / tall, Math.sqrt(MOST.all / wide / tall));
  const canvas = h("canvas", { width: Math.ceil(wide * scale), height: Math.ceil(tall * scale) });
  const ink = canvas.getContext("2d");
  ink.scale(scale, scale);
  for (const [left, top, shape] of all) {
    const look = LOOK[shape.role];
    const fill = shape.fill ?? look.fill;
    if (shape.tag === "text") {
      ink.font = `${look.weight ?? 400} ${look.size}px ${FONT}`;
      ink.textAlign = shape.middle ? "center" : shape.end ? "right" : "left";
      ink.fillStyle = fill;
      ink.fillText(shape.text, left + shape.x, top + shape.y);
      continue;
    }
    const path = pathOf(shape);
    ink.save();
    ink.translate(left, top);
    if (fill) {
      ink.fillStyle = fill;
      ink.fill(path);
    }
    if (look.stroke) {
      ink.strokeStyle = look.stroke;
      ink.lineWidth = look.width ?? 1;
      ink.stroke(path);
    }
    ink.restore();
  }
  // Browsers make a blob of a canvas only when they are idle, which can take seconds; a text is made at once.
  const [, text] = canvas.toDataURL("image/png").split(",");
  if (!text) throw new Error("The picture is too large for a PNG. Close some nodes, or save it as SVG.");
  return new Blob([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], { type: "image/png" });
}

function pathOf({ tag, d, x, y, width, height, rx, cx, cy, r }) {
  if (tag === "path") return new Path2D(d);
  const path = new Path2D();
  if (tag === "circle") path.arc(cx, cy, r, 0, 2 * Math.PI);
  else path.roundRect(x, y, width, height, rx ?? 0);
  return path;
}

/** Lets the browser save a file. @param {Blob} blob @param {string} name */
export function save(blob, name) {
  const url = URL.createObjectURL(blob);
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
