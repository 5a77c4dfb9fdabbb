/** The classes of positions: distances from mate, a draw, a loss, and the ranks that a tree gives. */
import { capital, count } from "/page/game.js";

const ONES =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");

/** The moves to mate that a class stands for: "nine", "mated in 9", "mate in 9" or "100". @returns {number|null} */
export function movesOfClass(name) {
  const digits = /^(?:mated? in )?(\d+)$/.exec(name);
  if (digits) return Number(digits[1]);
  const [first, second] = name.split("-");
  if (second === undefined && ONES.includes(first)) return ONES.indexOf(first);
  if (!TENS.includes(first)) return null;
  const ones = second === undefined ? 0 : ONES.indexOf(second);
  return ones < 0 ? null : 20 + 10 * TENS.indexOf(first) + ones;
}

/** The rank of a numbered grade: 41 for "grade 41". @returns {number|null} */
export function rankOf(name) {
  const found = /^grade (\d+)$/.exec(name);
  return found ? Number(found[1]) : null;
}

/** The last rank among classes. @param {string[]} names */
export const lastRank = (names) => Math.max(1, ...names.map(rankOf).filter(Number.isFinite));

/** @returns {boolean} */
export const isLoss = (name) => name === "lost" || name === "loss";

/** A true class in words: "mated in 3 moves". */
export function distanceWords(name) {
  const moves = movesOfClass(name);
  if (moves === 0) return "checkmate";
  if (moves !== null) return `mated in ${count(moves, "move")}`;
  return isLoss(name) ? "White loses" : name;
}

/** An answer of a tree in a few words: "Mated in 3 moves", "Rank 41 of 54". */
export function answerWords(name, names) {
  const rank = rankOf(name);
  if (rank !== null) return `Rank ${rank} of ${lastRank(names)}`;
  return capital(distanceWords(name));
}
