/** Where the nodes of a picture stand: the root on the left, and each node beside the middle of those below it. */

/** The width of a node. */
export const WIDE = 272;
/** The space between levels, and between nodes of a level. */
const GAP = { across: 48, down: 14 };

/**
 * @typedef {{node: Object, branch: Object|null, above: Place|null, below: Place[], level: number, x: number,
 *   y: number}} Place
 */

/**
 * The places of all nodes that are shown, each node before those below it.
 * @param {Object} root @param {function(Object): boolean} isOpen @param {number} high the height of a node
 * @returns {Place[]}
 */
export function layout(root, isOpen, high) {
  const places = [];
  let rows = 0;
  (function put(node, branch, above, level) {
    const place = { node, branch, above, below: [], level, x: level * (WIDE + GAP.across), y: 0 };
    places.push(place);
    if (node.branches && isOpen(node)) {
      place.below = node.branches.map((one) => put(one.to, one, place, level + 1));
      place.y = (place.below[0].y + place.below.at(-1).y) / 2;
    } else {
      place.y = rows * (high + GAP.down);
      rows += 1;
    }
    return place;
  })(root, null, null, 0);
  return places;
}

/** The rectangle around all places. */
export function extent(places, high) {
  const width = Math.max(...places.map((place) => place.x)) + WIDE;
  const height = Math.max(...places.map((place) => place.y)) + high;
  return { x: 0, y: 0, width, height };
}
