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
 * The mastered positions, with the number of wasted moves, and the last games.
 * @param {string} material @param {string} side "strong", "weak", "exercises", or a stage such as "stage 2"
 * @returns {{all: number|null, mastered: Object<string, number>, games: Object[]}} all: the
 *   number of positions, once they have been listed; games: the oldest first
 */
export function remembered(material, side) {
  const { all = null, mastered = {}, games = [] } = recall()[place(material, side)] ?? {};
  return { all, mastered, games };
}

/**
 * @param {string} material
 * @param {string} side
 * @param {{all?: number, key?: string, wasted?: number, game?: {id: string}, keep?: number}} what
 *   keep: the number of games that are kept; the same game is kept once
 */
export function remember(material, side, { all, key, wasted, game, keep }) {
  const memory = recall();
  const entry = (memory[place(material, side)] ??= { mastered: {} });
  if (all !== undefined) entry.all = all;
  const games = entry.games ?? [];
  const same = games.find(({ id }) => id === game?.id);
  // The same moves count once, and for good if they were once played without help.
  if (game && (!same || (game.good && !same.good)))
    entry.games = [...games.filter((one) => one !== same), game].slice(-keep);
  if (key !== undefined) entry.mastered[key] = Math.min(wasted, entry.mastered[key] ?? Infinity);
  try {
    localStorage.setItem(KEY, JSON.stringify(memory));
  } catch {
    // Storage may be forbidden in a private window.
  }
}

/** Forgets the practice of an endgame. @param {string} material */
export function forget(material) {
  const rest = Object.entries(recall()).filter(([key]) => !key.startsWith(`${material} `));
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(rest)));
  } catch {
    // As in remember().
  }
}
