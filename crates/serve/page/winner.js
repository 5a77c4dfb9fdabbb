/**
 * Who wins: the colours of a won game and of a draw, the same in every view. The custom properties are in
 * palette.css. A move that wins for White has White's colour whoever is to move, before it and after it.
 */
import { h } from "/page/dom.js";
import { capital, other } from "/page/game.js";

/** @typedef {"white"|"black"|"draw"} Winner */

/**
 * @param {"win"|"draw"|"loss"|string|null} outcome for the side `turn` @param {"white"|"black"} turn
 * @returns {Winner|null} null if the outcome is unknown
 */
export function winnerOf(outcome, turn) {
  if (outcome === "draw") return "draw";
  if (outcome === "win") return turn;
  return outcome === "loss" ? other(turn) : null;
}

/** The class that colours an element. @param {Winner|null} winner */
export const winnerClass = (winner) =>
  ({ white: "white-wins", black: "black-wins", draw: "drawn" })[winner] ?? "";

/** "White wins", "Draw". @param {Winner} winner */
export const winnerWords = (winner) => (winner === "draw" ? "Draw" : `${capital(winner)} wins`);

/** The winner of a result such as "1-0"; null while the game goes on. @param {string|null} result */
export const winnerOfResult = (result) =>
  ({ "1-0": "white", "0-1": "black", "1/2-1/2": "draw" })[result] ?? null;

/**
 * The groups of an answer of /api/position, by who wins.
 * @param {{winning: string[], drawing: string[], losing: string[]}} groups @param {"white"|"black"} turn
 * @returns {Array<{outcome: string, winner: Winner, heading: string, kind: string, ucis: string[]}>} for
 *   moveList, the best for the side to move first
 */
export function groupsByWinner({ winning, drawing, losing }, turn) {
  return [
    ["win", winning],
    ["draw", drawing],
    ["loss", losing],
  ].map(([outcome, ucis]) => {
    const winner = winnerOf(outcome, turn);
    return { outcome, winner, heading: winnerWords(winner), kind: winnerClass(winner), ucis };
  });
}

/** The legend of the colours and, if `targets`, of the signs on the squares that a man can go to. */
export function winnerLegend({ targets = false } = {}) {
  return h(
    "div",
    { class: "winner-legend small" },
    ["white", "draw", "black"].map((winner) =>
      h(
        "span",
        {},
        h("i", { class: `winner-swatch ${winnerClass(winner)}`, "aria-hidden": "true" }),
        winnerWords(winner),
      ),
    ),
    targets && h("span", {}, "On the board, for the side to move: \u2713 wins, = draws, \u00d7 loses."),
  );
}
