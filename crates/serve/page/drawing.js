// Shared parts of boards: the squares, the marks, and static boards for lists. The marks are those of
// src/diagram.rs.

import { describe, fileOf, isDark, isSquare, menOf, rankOf, SQUARES, squareName } from "./fen.js";
import { drawMan } from "./pieces.js";

const SVG = "http://www.w3.org/2000/svg";

/** The width of a square. */
export const SIZE = 48;
/** The width of all squares. */
export const SIDE = 8 * SIZE;

/**
 * @typedef {{shape: "ring"|"region"|"dot"|"cross"|"hatch", squares: string[], label?: string}
 *   | {shape: "number", squares: string[], numbers: number[], label?: string}
 *   | {shape: "arrow", from: string, to: string, label?: string}} Mark
 */

/** Creates an SVG element. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** The upper left corner of a square. */
export const corner = (square, flipped) => {
  const [file, rank] = [fileOf(square), rankOf(square)];
  return flipped ? [SIZE * (7 - file), SIZE * rank] : [SIZE * file, SIZE * (7 - rank)];
};

const middle = (square, flipped) => corner(square, flipped).map((edge) => edge + SIZE / 2);

/** A rectangle over a square. */
export const tile = (square, flipped, kind) => {
  const [x, y] = corner(square, flipped);
  return make("rect", { class: kind, x, y, width: SIZE, height: SIZE });
};

/** The squares, optionally with the coordinates in the squares of the left and the lower edge. */
export function ground(flipped, coordinates) {
  const dark = SQUARES.filter(isDark).map((square) => {
    const [x, y] = corner(square, flipped);
    return `M${x} ${y}h${SIZE}v${SIZE}h-${SIZE}z`;
  });
  const group = make("g", { class: "ground" },
    make("rect", { class: "light", width: SIDE, height: SIDE }),
    make("path", { class: "dark", d: dark.join("") }));
  if (!coordinates) return group;
  const [left, bottom] = flipped ? [7, 7] : [0, 0];
  const write = (square, text, x, y) =>
    group.append(make("text", { class: `coordinate on-${isDark(square) ? "dark" : "light"}`, x, y }, text));
  for (let index = 0; index < 8; index += 1) {
    const [file, rank] = [squareName(index, bottom), squareName(left, index)];
    const [x] = corner(file, flipped);
    const [, y] = corner(rank, flipped);
    write(file, file[0], x + SIZE - 5, SIDE - 4);
    write(rank, rank[1], 5, y + 11);
  }
  return group;
}

/** The outline of some squares: the sides without a neighbour among them. */
function border(squares, flipped) {
  const places = squares.map((square) => corner(square, flipped));
  const has = (x, y) => places.some(([otherX, otherY]) => otherX === x && otherY === y);
  return places.map(([x, y]) =>
    (has(x, y - SIZE) ? "" : `M${x} ${y}h${SIZE}`)
    + (has(x, y + SIZE) ? "" : `M${x} ${y + SIZE}h${SIZE}`)
    + (has(x - SIZE, y) ? "" : `M${x} ${y}v${SIZE}`)
    + (has(x + SIZE, y) ? "" : `M${x + SIZE} ${y}v${SIZE}`)).join("");
}

/** Slanted lines that continue those of the adjacent squares. */
function hatching(square, flipped) {
  const [x, y] = corner(square, flipped);
  let path = "";
  for (let sum = 8; sum < 2 * SIZE; sum += 8) {
    const [low, high] = [Math.max(0, sum - SIZE), Math.min(sum, SIZE)];
    path += `M${x + low} ${y + high}L${x + high} ${y + low}`;
  }
  return path;
}

/** The outline of an arrow from the middle of a square to just before the middle of another. */
export function arrowShape(from, to, flipped) {
  const [x, y] = middle(from, flipped);
  const [toX, toY] = middle(to, flipped);
  const length = Math.hypot(toX - x, toY - y);
  const [dx, dy] = [(toX - x) / length, (toY - y) / length];
  const at = ([along, aside]) =>
    `${(x + along * dx - aside * dy).toFixed(1)} ${(y + along * dy + aside * dx).toFixed(1)}`;
  const [tip, neck] = [length - 16, length - 30];
  const corners = [[0, 3.5], [neck, 3.5], [neck, 10], [tip, 0], [neck, -10], [neck, -3.5], [0, -3.5]];
  return `M${corners.map(at).join("L")}Z`;
}

/** The squares that a mark is about. */
export const squaresOf = (mark) =>
  (mark.shape === "arrow" ? [mark.from, mark.to] : mark.squares ?? []).filter(isSquare);

function drawMark(mark, flipped) {
  const squares = squaresOf(mark);
  const group = make("g", { class: `mark ${mark.shape}-mark`, "data-shape": mark.shape });
  const each = (draw) => group.append(...squares.map((square) => draw(corner(square, flipped), square)));
  if (mark.shape === "region") {
    each((_, square) => tile(square, flipped, "region"));
    group.append(make("path", { class: "border", d: border(squares, flipped) }));
  } else if (mark.shape === "hatch") {
    each((_, square) => make("path", { class: "hatch", d: hatching(square, flipped) }));
  } else if (mark.shape === "dot") {
    each((_, square) => tile(square, flipped, "shade"));
    each(([x, y]) => make("circle", { class: "dot", cx: x + SIZE - 8, cy: y + 8, r: 4 }));
  } else if (mark.shape === "cross") {
    each(([x, y]) => make("path", { class: "cross", d: `M${x + 18} ${y + 18}l12 12m0 -12l-12 12` }));
  } else if (mark.shape === "ring") {
    each(([x, y]) => make("circle", { class: "ring", cx: x + SIZE / 2, cy: y + SIZE / 2, r: 22.5 }));
  } else if (mark.shape === "number") {
    each(([x, y], square) => make("text", { class: "number-mark", x: x + 4, y: y + SIZE - 4 },
      String(mark.numbers[mark.squares.indexOf(square)])));
  } else if (mark.shape === "arrow" && squares.length === 2 && mark.from !== mark.to) {
    group.append(make("path", { class: "arrow", d: arrowShape(mark.from, mark.to, flipped) }));
  }
  return group;
}

/** Replaces the marks, in a layer under the men. */
export function drawMarks(marks, flipped, layer) {
  layer.replaceChildren();
  const rank = (mark) => ["region", "hatch", "arrow", "dot", "cross", "number", "ring"].indexOf(mark.shape);
  const known = marks.filter((mark) => rank(mark) >= 0).sort((a, b) => rank(a) - rank(b));
  for (const mark of known) {
    const drawn = drawMark(mark, flipped);
    // The first arrow is the main one.
    if (mark.shape === "arrow" && layer.querySelector(".arrow-mark")) drawn.classList.add("other");
    layer.append(drawn);
  }
}

/** Draws the last move and the check. */
export function drawState({ lastMove, check }, flipped, layer) {
  layer.replaceChildren();
  const ends = lastMove ? [lastMove.slice(0, 2), lastMove.slice(2, 4)].filter(isSquare) : [];
  for (const square of ends) layer.append(tile(square, flipped, "last"));
  if (isSquare(check)) {
    const [x, y] = corner(check, flipped);
    layer.append(tile(check, flipped, "check"),
      make("rect", { class: "check-edge", x: x + 2, y: y + 2, width: SIZE - 4, height: SIZE - 4 }));
  }
}

/** Puts a man on a square. */
export const place = (man, square, flipped) =>
  man.setAttribute("transform", `translate(${corner(square, flipped).join(" ")})`);

/**
 * A static board for lists.
 * @param {string} fen
 * @param {{marks?: Mark[], flipped?: boolean, label?: string, lastMove?: string|null,
 *   check?: string|null}} [options]
 * @returns {SVGSVGElement}
 */
export function smallBoard(fen, { marks = [], flipped = false, label, lastMove, check } = {}) {
  const words = label ?? describe(fen);
  const [state, under] = [0, 0].map(() => make("g"));
  drawState({ lastMove, check }, flipped, state);
  drawMarks(marks, flipped, under);
  const men = make("g", { class: "men" });
  for (const [square, letter] of menOf(fen)) {
    const man = drawMan(letter);
    place(man, square, flipped);
    men.append(man);
  }
  return make("svg", { class: "small-board", viewBox: `0 0 ${SIDE} ${SIDE}`, role: "img",
    "aria-label": words }, make("title", {}, words), ground(flipped, false), state, under, men);
}
