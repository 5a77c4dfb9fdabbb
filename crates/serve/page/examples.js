/** Lists of example boards. */
import { linkTo } from "/page/address.js";
import { smallBoard } from "/page/board.js";
import { h } from "/page/dom.js";
import { sideToMove } from "/page/game.js";

/**
 * A list of boards, each with links that continue from its position.
 * @param {Array<{fen: string, says?: string, marks?: Array}>} boards
 * @param {{player?: string, material?: string, label?: string}} [options]
 */
export function boardList(boards, { player, material, label = "Examples" } = {}) {
  return h(
    "ul",
    { class: "boards examples", "aria-label": label },
    boards.map(({ fen, says, marks }, i) => {
      const shared = { fen, player, material };
      const which = boards.length > 1 ? h("span", { class: "unseen" }, ` (board ${i + 1})`) : null;
      return h(
        "li",
        {},
        smallBoard(fen, { marks }),
        h("p", { class: "example-words" }, sideToMove(fen), says ? `, ${says}` : ""),
        h(
          "p",
          { class: "example-links" },
          h("a", { href: linkTo({ view: "explore", ...shared }) }, "Explore", which?.cloneNode(true)),
          h("a", { href: linkTo({ view: "arena", ...shared, ...opponents(fen) }) }, "Play from here", which),
        ),
      );
    }),
  );
}

/** A human plays the side named first in the endgame, which is White in all examples. */
const opponents = () => ({ white: "human", black: "tablebase" });
