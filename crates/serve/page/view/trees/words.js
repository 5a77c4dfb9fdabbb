/** What a tree says of its positions, in words. */
import { distanceWords, isLoss, movesOfClass } from "/page/classes.js";
import { capital, count } from "/page/game.js";

/** The kinds of knowledge, in words. */
export const KIND_WORDS = { tree: "a tree", strategy: "a strategy", measure: "a measure" };

/** The test of a node in words. */
export function testWords({ meaning, asks }) {
  const whether = /^whether (.*)$/.exec(meaning ?? "");
  return capital(whether ? `${whether[1]}?` : (meaning ?? asks));
}

/** A share in per cent; what is more than nothing is not written as nothing. */
export function percent(part, all) {
  if (!part || !all) return "0 %";
  const share = (100 * part) / all;
  return share < 0.1 ? "under 0.1 %" : `${share.toFixed(share < 99.95 ? 1 : 0)} %`;
}

/** The errors of a node in a few words; empty if they are not known. */
export function shortError(node) {
  if (node.wrong === null || node.wrong === undefined) return "";
  return node.wrong ? `${percent(node.wrong, node.positions)} wrong` : "none wrong";
}

/** The errors of a node in a sentence. @param {boolean} judged true if answers can be right or wrong */
export function errorWords(node, judged) {
  if (!node.mix) return "The table of this endgame is not at hand, so distances and errors are not known.";
  if (!judged)
    return "This tree only ranks positions. It names no distance, so no answer is right or wrong; the bar shows the true distances.";
  const all = count(node.positions, "position");
  if (!node.wrong)
    return node.positions ? `None of its ${all} is answered wrongly.` : "No position reaches it.";
  const are = node.wrong === 1 ? "is" : "are";
  return `${node.wrong.toLocaleString("en")} of its ${all} ${are} answered wrongly: ${percent(node.wrong, node.positions)}.`;
}

/** The distances of a mix in a few words: "mated in 2 to 14 moves, draws 5.2 %". */
export function mixWords({ mix, positions }) {
  if (!mix?.length) return "";
  const moves = mix.map((one) => movesOfClass(one.class)).filter((one) => one !== null);
  const [least, most] = [Math.min(...moves), Math.max(...moves)];
  const parts = [];
  if (moves.length) parts.push(least === most ? distanceWords(String(least)) : `mate in ${least} to ${most}`);
  for (const one of mix) {
    if (movesOfClass(one.class) !== null) continue;
    const share = one.positions === positions ? "" : ` ${percent(one.positions, positions)}`;
    parts.push(`${isLoss(one.class) ? "losses" : "draws"}${share}`);
  }
  return parts.join(", ");
}
