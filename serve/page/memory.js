/**
 * What this browser remembers of practice. Without localStorage nothing is remembered, and all else works.
 */

const KEY = "lucena.practice";

/** @returns {Object<string, {all?: number, mastered: Object<string, number>}>} by endgame and side */
function recall() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

const place = (material, side) => `${material} ${side}`;

/**
 * The positions that have been mastered, with the moves that were wasted.
 * @param {string} material @param {"strong"|"weak"|"exercises"} side
 * @returns {{all: number|null, mastered: Object<string, number>}} all: how many there are, once they have
 *   been listed
 */
export function remembered(material, side) {
  const { all = null, mastered = {} } = recall()[place(material, side)] ?? {};
  return { all, mastered };
}

/**
 * @param {string} material
 * @param {string} side
 * @param {{all?: number, key?: string, wasted?: number}} what
 */
export function remember(material, side, { all, key, wasted }) {
  const memory = recall();
  const entry = (memory[place(material, side)] ??= { mastered: {} });
  if (all !== undefined) entry.all = all;
  if (key !== undefined) entry.mastered[key] = Math.min(wasted, entry.mastered[key] ?? Infinity);
  try {
    localStorage.setItem(KEY, JSON.stringify(memory));
  } catch {
    // A private window may refuse.
  }
}

/** Forgets all practice. */
export function forget() {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // As above.
  }
}
