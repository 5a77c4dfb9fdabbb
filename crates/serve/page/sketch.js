// Arrows and circles that a person draws on a board with the right button.

import { corner, make, SIZE, arrowShape } from "./drawing.js";

/** The colours, by the keys that are held: none, Shift, Alt, both. */
const COLOURS = ["green", "red", "blue", "yellow"];

/** The colour for a click with these keys. @param {{shiftKey: boolean, ctrlKey: boolean, altKey: boolean}} event */
export const colourFor = ({ shiftKey, ctrlKey, altKey }) =>
  COLOURS[Number(shiftKey || ctrlKey) + 2 * Number(altKey)];

/** The drawings on one board. */
export class Sketch {
  /** @type {Array<{from: string, to: string, colour: string}>} a circle ends where it begins */
  #shapes = [];

  get isEmpty() {
    return this.#shapes.length === 0;
  }

  clear() {
    this.#shapes = [];
  }

  /**
   * Adds a drawing. The same again removes it; in another colour it is drawn anew.
   * @returns {string} what has been done, for screen readers
   */
  toggle(from, to, colour) {
    const words = from === to ? `circle on ${from}` : `arrow from ${from} to ${to}`;
    const old = this.#shapes.find((shape) => shape.from === from && shape.to === to);
    this.#shapes = this.#shapes.filter((shape) => shape !== old);
    if (old?.colour === colour) return `The ${words} is removed.`;
    this.#shapes.push({ from, to, colour });
    return `A ${colour} ${words}.`;
  }

  /** @param {boolean} flipped @param {SVGGElement} layer @param {Object} [pending] a drawing still under the pointer */
  draw(flipped, layer, pending = null) {
    const shapes = pending ? [...this.#shapes, pending] : this.#shapes;
    layer.replaceChildren(...shapes.map((shape) => picture(shape, flipped, shape === pending)));
  }
}

function picture({ from, to, colour }, flipped, isPending) {
  const kind = `sketch ${colour}${isPending ? " pending" : ""}`;
  if (from !== to) return make("path", { class: `${kind} sketch-arrow`, d: arrowShape(from, to, flipped) });
  const [x, y] = corner(from, flipped);
  return make("circle", { class: `${kind} sketch-circle`, cx: x + SIZE / 2, cy: y + SIZE / 2, r: SIZE / 2 - 3 });
}
