/**
 * The one scale of colours for grades, distances and classes. Its lightness falls from the best to the last, it can be
 * told apart with any kind of colour vision, and a text on it has a contrast of at least 4.5 in light and dark mode.
 * A draw and a loss have fixed colours apart from it. A colour follows from a class's name alone, or for a grade from
 * the number of grades, so it is the same in every view and after every reload.
 */
import { isLoss, lastRank, movesOfClass, rankOf } from "/page/classes.js";
import { h } from "/page/dom.js";

/** From the best to the last. */
const STOPS = ["fde725", "addc30", "5ec962", "28ae80", "21918c", "2c728e", "3b528b", "472d7b", "440154"].map(
  (text) => [0, 2, 4].map((at) => parseInt(text.slice(at, at + 2), 16)),
);
const DRAW = [214, 209, 196];
const LOSS = [150, 41, 31];
/** The moves to mate at the end of the scale; more have the same colour. */
const FURTHEST = 36;

/**
 * The colour of a class, and that of a text on it.
 * @param {string} name @param {string[]} [names] all classes, the best first: for grades and for other classes
 * @returns {{fill: string, ink: string}|null} null if the name is not a class
 */
export function colorOf(name, names = []) {
  if (name === "draw") return colors(DRAW);
  if (isLoss(name)) return colors(LOSS);
  const moves = movesOfClass(name);
  if (moves !== null) return colors(at(Math.sqrt(Math.min(1, moves / FURTHEST))));
  const rank = rankOf(name);
  if (rank !== null) return colors(at((rank - 1) / Math.max(1, lastRank(names) - 1)));
  const place = names.indexOf(name);
  return place < 0 ? null : colors(at(place / Math.max(1, names.length - 1)));
}

/** Colours an element, which must have a text with the same meaning. @returns {Element} */
export function tint(element, name, names) {
  const color = colorOf(name, names);
  if (color) {
    element.style.setProperty("--scale", color.fill);
    element.style.setProperty("--scale-ink", color.ink);
  }
  return element;
}

/** A coloured square, beside a text with the same meaning. */
export const swatch = (name, names) =>
  tint(h("span", { class: "swatch", "aria-hidden": "true" }), name, names);

/** At most this many classes are named in a key. */
const NAMED = 8;

/** The classes to name in a key: some of the ordered ones, then a draw and a loss. @param {string[]} names */
export function namedOf(names) {
  const apart = names.filter((name) => name === "draw" || isLoss(name));
  const ordered = names.filter((name) => !apart.includes(name));
  const steps = Math.min(NAMED, ordered.length);
  const some = Array.from(
    { length: steps },
    (_, i) => ordered[Math.round((i * (ordered.length - 1)) / Math.max(1, steps - 1))],
  );
  return [...some, ...apart];
}

/**
 * A key to the colours of classes.
 * @param {string[]} names the best first @param {function(string): string} words
 */
export function scaleKey(names, words, label = "Key to the colours") {
  return h(
    "ul",
    { class: "scale-key", "aria-label": label },
    namedOf(names).map((name) => h("li", {}, swatch(name, names), words(name))),
  );
}

function at(place) {
  const step = place * (STOPS.length - 1);
  const below = Math.min(STOPS.length - 2, Math.floor(step));
  const [one, other] = [STOPS[below], STOPS[below + 1]];
  return one.map((part, i) => Math.round(part + (step - below) * (other[i] - part)));
}

function colors(rgb) {
  const [red, green, blue] = rgb.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  // One of black and white has a contrast of at least 4.58 to any colour.
  const ink = (light + 0.05) / 0.05 >= 1.05 / (light + 0.05) ? "#000000" : "#ffffff";
  return { fill: `#${rgb.map((part) => part.toString(16).padStart(2, "0")).join("")}`, ink };
}
