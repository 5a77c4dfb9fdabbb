/** The position in the address, and descriptions of outcomes. */
import { get } from "/page/api.js";

/** The position in which a game of chess begins. */
export const INITIAL = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/** The position that the page starts with. */
export const START = "8/8/8/3k4/8/8/8/K6R w - - 0 1";

/**
 * All moves of a state, including those taken back.
 * @param {Object<string, string>} state
 * @returns {string[]}
 */
export function allMoves(state) {
  return state.moves ? state.moves.split(",") : [];
}

/** The moves of a state that are on the board. @param {Object<string, string>} state @returns {string[]} */
export function playedMoves(state) {
  const moves = allMoves(state);
  const at = state.at === undefined ? moves.length : Number(state.at);
  return moves.slice(0, Number.isInteger(at) && at >= 0 ? at : moves.length);
}

/**
 * The answer of /api/game for the position on the board.
 * @param {Object<string, string>} state
 * @param {Object} [options] those of get
 * @param {function} [ask] get, or a function made by latest()
 */
export function position(state, options, ask = get) {
  return ask("/api/game", { fen: state.fen ?? START, moves: playedMoves(state).join(",") }, options);
}

/** "3 moves", "1 move". @param {number} n @param {string} word @param {string} [many] */
export function count(n, word, many = `${word}s`) {
  return `${n.toLocaleString("en")} ${n === 1 ? word : many}`;
}

/** The number of the winner's moves in this many plies. @param {number} plies */
export function movesOf(plies) {
  return Math.ceil(Math.abs(plies) / 2);
}

/** Plies to mate after a move; null if unknown. @param {{checkmate?: boolean, dtm: number|null}} move */
export function distanceOf(move) {
  return move.checkmate ? 0 : (move.dtm ?? null);
}

/**
 * The outcome for the side to move under the fifty-move rule: "win", "draw" or "loss"; null if unknown.
 * @param {string} category a category of the Lichess tablebase
 */
export function sideOf(category) {
  if (category === "win" || category === "maybe-win") return "win";
  if (category === "loss" || category === "maybe-loss") return "loss";
  return ["draw", "cursed-win", "blessed-loss"].includes(category) ? "draw" : null;
}

export const WHITE = "white";

/** The other side. @param {"white"|"black"} side */
export const other = (side) => (side === WHITE ? "black" : WHITE);

/** "White" for "white". @param {string} side */
export const nameOf = (side) => capital(side);

/** The side to move in a FEN. @param {string} fen @returns {"white"|"black"} */
export const turnOf = (fen) => (fen.split(" ")[1] === "b" ? "black" : WHITE);

/** "White to move". @param {string} fen */
export const sideToMove = (fen) => (fen.split(" ")[1] === "b" ? "Black to move" : "White to move");

/**
 * The player to ask: the chosen one, else the first that knows the endgame.
 * @param {Object<string, string>} state @param {string|null} material @param {Object} [known] the answer of
 * /api/about
 */
export function playerFor(state, material, known) {
  if (state.player) return state.player;
  const has = known?.endgames.find((endgame) => endgame.material === material)?.players ?? [];
  return ["theory", "strategy", "exact", "measure"].find((name) => has.includes(name)) ?? "tablebase";
}

/**
 * The outcome of a position, in words.
 * @param {{category: string, dtm: number|null, turn: string}} position an answer of /api/position
 * @param {{over?: boolean, status?: string}} [game] an answer of /api/game
 * @returns {{words: string, plies: string, kind: "win"|"draw"|"loss"|""}} kind: for the side to move
 */
export function worth({ category, dtm, turn }, game) {
  if (game?.over && game.status)
    return { words: capital(game.status), plies: "", kind: sideOf(category) ?? "" };
  const kind = sideOf(category) ?? "";
  if (kind === "draw" && category !== "draw")
    return { words: `Draw by the fifty-move rule: mate in ${movesOf(dtm ?? 0)} comes too late`, plies: "", kind };
  if (kind === "draw") return { words: "Draw with best play", plies: "", kind };
  const winner = nameOf(kind === "win" ? turn : other(turn));
  if (!kind) return { words: "The outcome of this position is unknown", plies: "", kind };
  if (dtm === null || dtm === undefined) return { words: `${winner} wins`, plies: "", kind };
  const late = category.startsWith("maybe-") ? ", perhaps too late under the fifty-move rule" : "";
  return { words: `${winner} mates in ${movesOf(dtm)}${late}`, plies: count(Math.abs(dtm), "ply", "plies"), kind };
}

/** Capitalizes a text, unless it begins with a square, a name such as id3, or a Greek letter. @param {string} text */
export const capital = (text) =>
  /^(?:[a-z]+\d|[α-ω])/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);

/** Makes a sentence, with a capital letter and a full stop. @param {string} text */
export const sentence = (text) => capital(text) + (/[.!?:]$/.test(text) ? "" : ".");

/**
 * "12." or "12..." for the move after this many moves of both sides.
 * @param {string} fen the position before them @param {number} made
 */
export function moveNumber(fen, made) {
  const first = Number(fen.split(" ")[5]) || 1;
  const half = made + (turnOf(fen) === "black" ? 1 : 0);
  return `${first + Math.floor(half / 2)}${half % 2 ? "..." : "."}`;
}
