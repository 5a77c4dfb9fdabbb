/** The room of a king: the squares that it could reach if the others stood still, drawn and counted. */
import { h } from "/page/dom.js";
import { count } from "/page/game.js";

/** The label of these squares in the marks of /api/stages and /api/measured. */
const LABEL = "what the king could reach if the others stood still";

/** The marks for a learner: what each square adds to a number is left out. @param {Object[]} marks */
export const learnersMarks = (marks) => marks.filter(({ shape }) => shape !== "number");

/** The mark of the room alone. @param {Object[]} marks */
export const roomMark = (marks) => marks.filter(({ label }) => label === LABEL);

/**
 * The room in words, for a paragraph; empty if no mark shows it.
 * @param {Object[]} marks
 * @param {{aim: number, first: number|null}} [goal] the number of squares that is the aim, and that at the start, if it
 *   is known: a bar shows how far it is
 */
export function roomWords(marks, goal) {
  const [room] = roomMark(marks);
  if (!room) return [];
  const left = room.squares.length;
  const words = [h("b", {}, count(left, "square")), " left for the king"];
  if (!goal) return [...words, "."];
  const way = goal.first - goal.aim;
  const bar =
    way > 0 &&
    h("progress", {
      class: "way",
      max: way,
      value: Math.max(0, goal.first - left),
      "aria-label": "The way to the aim",
    });
  return [...words, `. The aim is ${goal.aim} or fewer.`, bar];
}

/** The number of squares of the room; null if no mark shows it. @param {Object[]} marks */
export const roomSize = (marks) => roomMark(marks)[0]?.squares.length ?? null;
