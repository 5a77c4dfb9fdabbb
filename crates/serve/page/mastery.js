/** What "mastered" means, and how far the learner is. */
import { count } from "/page/game.js";
import { h } from "/page/dom.js";
import { remember, remembered } from "/page/memory.js";

/** The most moves over the best of a whole game that counts. */
export const MAY_WASTE = 2;
/** The number of games that master a stage. */
const GAMES = 3;
/** The games that are kept: more than count, since several may be from one position. */
const KEPT = 12;
/** The moves that a method takes at most from a position that is hard: fewer are no plan. */
const HARD_MOVES = 4;

/** The meaning of "mastered" for single positions, in a sentence. */
export const POSITION_RULE = `A position is mastered when you play it to its end with at most ${count(MAY_WASTE, "move")} over the best, and no move was shown.`;
/** The meaning for stages. */
export const STAGE_RULE =
  "A stage is mastered by three good games in a row, from three positions, of which one is hard. A game is good if you reach the aim in the moves that the method needs at most, and no move was shown.";

const kindOf = (stage) => `stage ${stage}`;

/**
 * @typedef {{id: string, good: boolean, position: string, hard: boolean}} StageGame
 *   id: the position and the moves; position: the key of the position
 */

/** @returns {StageGame[]} the last games of a stage, the oldest first */
const lastGames = (material, stage) => remembered(material, kindOf(stage)).games;

/** The good games at the end, one of each position. */
function goodRow(material, stage) {
  const row = [];
  for (const game of lastGames(material, stage).toReversed()) {
    if (!game.good) break;
    if (!row.some(({ position }) => position === game.position)) row.unshift(game);
  }
  return row;
}

/** True if a stage is mastered. @param {string} material @param {number} stage from 1 */
export function isMastered(material, stage) {
  const row = goodRow(material, stage);
  return row.length >= GAMES && row.some(({ hard }) => hard);
}

/** The number of stages that are mastered. @param {string} material @param {number} all */
export const masteredStages = (material, all) =>
  Array.from({ length: all }, (_, i) => i + 1).filter((stage) => isMastered(material, stage)).length;

/**
 * True if a position of a stage is hard: a method may take four moves from it, or as many as from any position of the
 * stage.
 * @param {{most: number}} position @param {Array<{most: number}>} all the positions of the stage
 */
export const isHard = ({ most }, all) =>
  most >= Math.min(HARD_MOVES, Math.max(...all.map((one) => one.most)));

/**
 * Records a game that has reached its end. The same game counts once.
 * @param {string} material @param {number} stage from 1 @param {StageGame} game
 */
export const recordGame = (material, stage, game) => remember(material, kindOf(stage), { game, keep: KEPT });

/** What is missing for mastery, in words. */
function missing(row) {
  const more = Math.max(1, GAMES - row.length);
  const hard = row.some((game) => game.hard)
    ? ""
    : more === 1
      ? ", from a hard position"
      : ", one from a hard position";
  return `${row.length ? `${count(more, "more good game")}` : "Three good games"} to master it${hard}`;
}

/** The last games as signs and words. @param {string} material @param {number} stage from 1 */
export function progressOf(material, stage) {
  const games = lastGames(material, stage).slice(-GAMES);
  const signs = Array.from({ length: GAMES }, (_, i) => games[i]?.good);
  return h(
    "span",
    { class: "mastery" },
    h(
      "span",
      { class: "mastery-signs", "aria-hidden": "true" },
      signs.map((one) => h("i", { class: one === undefined ? "none" : one ? "good" : "bad" })),
    ),
    isMastered(material, stage) ? "Mastered" : missing(goodRow(material, stage)),
  );
}
