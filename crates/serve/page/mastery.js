/** What "mastered" means, and how far the learner is. */
import { count } from "/page/game.js";
import { h } from "/page/dom.js";
import { remember, remembered } from "/page/memory.js";

/** The most moves over the best of a game that counts. */
export const MAY_WASTE = 2;
/** The number of games that master a stage. */
const GAMES = 3;

/** The meaning of "mastered" for single positions, in a sentence. */
export const POSITION_RULE = `A position is mastered when you play it to its end with at most ${count(MAY_WASTE, "move")} over the best, and no move was shown.`;
/** The meaning for stages. */
export const STAGE_RULE = `A stage is mastered when its last three games ended well: with at most ${count(MAY_WASTE, "move")} over the best, and no move was shown.`;

const kindOf = (stage) => `stage ${stage}`;

/**
 * The last games of a stage, the oldest first: true if it ended well.
 * @param {string} material @param {number} stage from 1
 * @returns {boolean[]} at most three
 */
export const lastGames = (material, stage) =>
  remembered(material, kindOf(stage)).games.map(({ good }) => good);

/** True if a stage is mastered. @param {string} material @param {number} stage from 1 */
export function isMastered(material, stage) {
  const games = lastGames(material, stage);
  return games.length === GAMES && games.every(Boolean);
}

/** The number of stages that are mastered. @param {string} material @param {number} all */
export const masteredStages = (material, all) =>
  Array.from({ length: all }, (_, i) => i + 1).filter((stage) => isMastered(material, stage)).length;

/**
 * Records a game that has reached its end. The same game counts once.
 * @param {string} material @param {number} stage from 1
 * @param {{id: string, good: boolean}} game
 */
export const recordGame = (material, stage, game) =>
  remember(material, kindOf(stage), { game, keep: GAMES });

/** The last games as signs and words. @param {string} material @param {number} stage from 1 */
export function progressOf(material, stage) {
  const games = lastGames(material, stage);
  const signs = Array.from({ length: GAMES }, (_, i) => games[i]);
  const good = games.filter(Boolean).length;
  const words = isMastered(material, stage)
    ? "Mastered"
    : `${good} of the last ${GAMES} games ended well`;
  return h(
    "span",
    { class: "mastery" },
    h(
      "span",
      { class: "mastery-signs", "aria-hidden": "true" },
      signs.map((one) => h("i", { class: one === undefined ? "none" : one ? "good" : "bad" })),
    ),
    words,
  );
}
