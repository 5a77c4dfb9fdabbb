/**
 * Progress in practice, stored in the browser. Without localStorage nothing is stored, and everything else
 * works.
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
 * The mastered positions, with the number of wasted moves.
 * @param {string} material @param {"strong"|"weak"|"exercises"} side
 * @returns {{all: number|null, mastered: Object<string, number>}} all: the number of positions,
 *   once they have been listed
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
    // Storage may be forbidden in a private window.
  }
}

/** Forgets all practice. */
export function forget() {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // As in remember().
  }
}
