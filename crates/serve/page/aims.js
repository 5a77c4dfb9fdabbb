// The signs on the squares that a man can go to. Where the outcome of the move is known, the sign says it by
// its colour and by its shape.

import { corner, make, SIZE } from "./drawing.js";

/** Within a circle of radius 1. */
const SIGNS = {
  win: "M-0.5 0.05L-0.15 0.4L0.5 -0.4",
  draw: "M-0.5 -0.22H0.5M-0.5 0.22H0.5",
  loss: "M-0.4 -0.4L0.4 0.4M-0.4 0.4L0.4 -0.4",
};
const WORDS = { win: "wins", draw: "draws", loss: "loses" };

/** "legal move", and its outcome if it is known. @param {import("./board.js").Move} move */
export function aimWords({ outcome, says } = {}) {
  const words = WORDS[outcome];
  if (!words) return "legal move";
  return `legal move, ${words}${says && says !== outcome ? `, ${says}` : ""}`;
}

/**
 * @param {import("./board.js").Move} move @param {string} square @param {boolean} takes a man stands there
 * @param {boolean} flipped @returns {SVGElement}
 */
export function drawAim({ outcome, colour = "" } = {}, square, takes, flipped) {
  const [x, y] = corner(square, flipped);
  const [middleX, middleY] = [x + SIZE / 2, y + SIZE / 2];
  const corners = `M${x} ${y}h13l-13 13zM${x + SIZE} ${y}v13l-13 -13z`
    + `M${x + SIZE} ${y + SIZE}h-13l13 -13zM${x} ${y + SIZE}v-13l13 13z`;
  if (!SIGNS[outcome]) {
    return takes ? make("path", { class: "aim", d: corners })
      : make("circle", { class: "aim", cx: middleX, cy: middleY, r: 7 });
  }
  // Beside a man, the sign stands in a corner.
  const [signX, signY, radius] = takes ? [x + SIZE - 10, y + 10, 9] : [middleX, middleY, 11];
  const disc = outcome === "draw"
    ? make("rect", { x: signX - radius, y: signY - radius, width: 2 * radius, height: 2 * radius, rx: 3 })
    : make("circle", { cx: signX, cy: signY, r: radius });
  disc.setAttribute("class", "aim-ground");
  const sign = make("path", { class: "aim-sign", d: SIGNS[outcome], "stroke-width": 2.4 / radius,
    transform: `translate(${signX} ${signY}) scale(${radius})` });
  return make("g", { class: `aim known ${colour}`, "data-outcome": outcome }, disc, sign);
}
