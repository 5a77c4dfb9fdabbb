// Looks positions up in the tables of the file, which hold the plies to mate of each placement. A table is
// unpacked on its first use.

import { legalMoves, play, takes } from "lucena/rules.js";

/**
 * @typedef {import("lucena/rules.js").Position} Position
 * @typedef {import("lucena/rules.js").Move} Move
 * @typedef {{men: string[], pawns: boolean, strong: string, weak: string}} Packed
 * @typedef {{winner: "white"|"black"|null, plies: number|null}} Worth nobody wins a draw
 */

/** The squares of the strong king after the board is turned, without pawns. */
const CORNER = [0, 1, 2, 3, 9, 10, 11, 18, 19, 27];
const DRAW = { winner: null, plies: null };
/** The greatest distance; greater values have other meanings. */
const MOST_PLIES = 253;

const swapCase = (letter) => (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase());
const nameFor = (letters) => [...letters].sort().join("");

/** The position with colours swapped. */
function exchanged({ board, white }) {
  const men = board.map((_, square) => board[square ^ 56] && swapCase(board[square ^ 56]));
  return { board: men, white: !white };
}

/** The index of a placement in a table. */
function indexOf({ men, pawns }, board) {
  const king = board.indexOf("K");
  let turned = (square) => square;
  const then = (turn) => {
    const before = turned;
    turned = (square) => turn(before(square));
  };
  if ((king & 7) > 3) then((square) => square ^ 7);
  if (!pawns) {
    if (king >> 3 > 3) then((square) => square ^ 56);
    if (turned(king) >> 3 > (turned(king) & 7)) then((square) => ((square & 7) << 3) | (square >> 3));
  }
  const corner = turned(king);
  let index = pawns ? 4 * (corner >> 3) + (corner & 7) : CORNER.indexOf(corner);
  const found = new Map();
  for (const letter of men.slice(1)) {
    // The second of two equal men stands on a later square.
    const square = board.indexOf(letter, (found.get(letter) ?? -1) + 1);
    found.set(letter, square);
    index = 64 * index + turned(square);
  }
  return index;
}

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The number of the winner's moves in this many plies. @param {number} plies @returns {number} */
export const movesIn = (plies) => Math.ceil(plies / 2);

/** All tables of a file. */
export class Tables {
  #packed = new Map();
  #bytes = new Map();

  /** @param {Object<string, Packed>} tables by material */
  constructor(tables) {
    for (const table of Object.values(tables)) this.#packed.set(nameFor(table.men), table);
  }

  /** The plies to mate by the men in capitals, or null. */
  async #plies({ board, white }) {
    const table = this.#packed.get(nameFor(board.join("")));
    if (!table) return null;
    const text = white ? table.strong : table.weak;
    if (!this.#bytes.has(text)) this.#bytes.set(text, unpack(text));
    const value = (await this.#bytes.get(text))[indexOf(table, board)];
    return value <= MOST_PLIES ? value : null;
  }

  /**
   * The outcome of a position with best play.
   * @param {Position} position
   * @returns {Promise<Worth>} a draw unless a table has another outcome
   */
  async worth(position) {
    // The tables do not include en passant.
    const { board, passant } = position;
    if (passant !== null && legalMoves(position).some((move) => move.to === passant && takes(position, move)
      && board[move.to] === "")) {
      const [{ winner, plies }] = await this.moves(position);
      return { winner, plies: winner && plies + 1 };
    }
    const white = await this.#plies(position);
    if (white !== null) return { winner: "white", plies: white };
    const black = await this.#plies(exchanged(position));
    return black === null ? DRAW : { winner: "black", plies: black };
  }

  /**
   * The legal moves, best first, each with its outcome. The losing side resists as long as possible.
   * @param {Position} position
   * @returns {Promise<Array<Move & Worth>>}
   */
  async moves(position) {
    const side = position.white ? "white" : "black";
    const moves = [];
    for (const move of legalMoves(position)) {
      moves.push({ ...move, ...await this.worth(play(position, move)) });
    }
    const good = ({ winner, plies }) => (winner === null ? 0 : winner === side ? 999 - plies : plies - 999);
    return moves.sort((one, other) => good(other) - good(one));
  }

  /**
   * Compares a move with the best one.
   * @param {Position} position before it
   * @param {string} uci
   * @returns {Promise<{cost: number|null, best: Move & Worth}>} cost: the number of moves that
   *   it wastes; null if it gives the result away
   */
  async judge(position, uci) {
    const moves = await this.moves(position);
    const [best, chosen] = [moves[0], moves.find((move) => move.uci === uci)];
    if (best.winner !== chosen.winner) return { cost: null, best };
    return { cost: best.winner ? Math.abs(movesIn(chosen.plies) - movesIn(best.plies)) : 0, best };
  }
}
