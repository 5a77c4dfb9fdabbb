/** The legend of the marks on a board. */
import { h } from "/page/dom.js";

/**
 * A list of the different labelled marks.
 * @param {Array<{shape: string, label?: string}>} marks
 * @returns {HTMLElement|null} null if no mark has a label
 */
export function legend(marks) {
  const seen = new Map();
  for (const mark of marks ?? []) {
    const key = `${mark.shape} ${mark.label}`;
    if (mark.label && !seen.has(key)) seen.set(key, mark);
  }
  if (!seen.size) return null;
  const [arrow] = marks.filter((mark) => mark.shape === "arrow");
  const shapeOf = (mark) => (mark.shape === "arrow" && mark !== arrow ? "other" : mark.shape);
  return h(
    "ul",
    { class: "legend", "aria-label": "Legend of the marks" },
    [...seen.values()].map((mark) => h("li", {}, swatch(shapeOf(mark)), mark.label)),
  );
}

function swatch(shape) {
  const inside = {
    ring: ["svg:circle", { cx: 8, cy: 8, r: 5.5, class: "key-ring" }],
    region: [
      "svg:rect",
      { x: 2, y: 2, width: 12, height: 12, class: "key-region", "stroke-dasharray": "3 2" },
    ],
    dot: ["svg:circle", { cx: 8, cy: 8, r: 3, class: "key-dot" }],
    cross: ["svg:path", { d: "M4 4l8 8M12 4l-8 8", class: "key-cross" }],
    number: ["svg:text", { x: 8, y: 12.5, class: "key-number" }, "3"],
    hatch: ["svg:path", { d: "M1 8l7-7M1 15L15 1M8 15l7-7", class: "key-hatch" }],
    arrow: ["svg:path", { d: "M2 14L13 3M6 3h7v7", class: "key-arrow" }],
    other: ["svg:path", { d: "M2 14L13 3M6 3h7v7", class: "key-arrow", "stroke-dasharray": "2.5 1.5" }],
  }[shape] ?? ["svg:circle", { cx: 8, cy: 8, r: 3, class: "key-dot" }];
  return h("svg:svg", { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" }, h(...inside));
}
