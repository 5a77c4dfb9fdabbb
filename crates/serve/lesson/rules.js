// The rules of chess for boards with few men: legal moves, checks, ends of games, and names of moves. There
// is no castling, since kings and rooks of an endgame have moved.

import { fenOf, fileOf, menOf, rankOf, SQUARES, squareName, turnOf } from "lucena/fen.js";

/**
 * A position. Squares are numbers: a1 is 0, b1 is 1, h8 is 63.
 * @typedef {{board: string[], white: boolean, passant: number|null}} Position board: the letter of the man on
 *   each square, or ""; passant: the en passant square
 * @typedef {{uci: string, from: number, to: number, promotion: string|null}} Move
 */

const STRAIGHT = [[0, 1], [1, 0], [0, -1], [-1, 0]];
const SLANTED = [[1, 1], [1, -1], [-1, -1], [-1, 1]];
const WAYS = {
  k: [...STRAIGHT, ...SLANTED],
  q: [...STRAIGHT, ...SLANTED],
  r: STRAIGHT,
  b: SLANTED,
  n: [[1, 2], [2, 1], [2, -1], [1, -2], [-1, -2], [-2, -1], [-2, 1], [-1, 2]],
};

/** The number of a square. @param {string} square such as "c3" @returns {number} */
export const numberOf = (square) => 8 * rankOf(square) + fileOf(square);

/** @param {string} letter of a man @returns {boolean} */
export const isWhite = (letter) => letter !== "" && letter === letter.toUpperCase();

/** @param {string} fen @returns {Position} */
export function positionOf(fen) {
  const board = new Array(64).fill("");
  for (const [square, letter] of menOf(fen)) board[numberOf(square)] = letter;
  const passant = fen.trim().split(/\s+/)[3] ?? "-";
  return { board, white: turnOf(fen) === "white", passant: passant === "-" ? null : numberOf(passant) };
}

/** @param {Position} position @returns {string} */
export function fenFor({ board, white, passant }) {
  const men = new Map();
  board.forEach((letter, square) => letter && men.set(SQUARES[square], letter));
  const fen = fenOf(men, white ? "white" : "black");
  return passant === null ? fen : fen.replace("- - ", `- ${SQUARES[passant]} `);
}

/** The square this many files and ranks away, or null beyond the edge. */
function away(square, [files, ranks]) {
  const [file, rank] = [(square & 7) + files, (square >> 3) + ranks];
  return file < 0 || file > 7 || rank < 0 || rank > 7 ? null : 8 * rank + file;
}

/** The squares that the man on a square attacks, including those of men of its own side. */
function attacksFrom(board, from) {
  const role = board[from].toLowerCase();
  if (role === "p") {
    const up = isWhite(board[from]) ? 1 : -1;
    return [away(from, [-1, up]), away(from, [1, up])].filter((to) => to !== null);
  }
  const slides = "qrb".includes(role);
  const squares = [];
  for (const way of WAYS[role]) {
    let to = away(from, way);
    while (to !== null) {
      squares.push(to);
      to = slides && !board[to] ? away(to, way) : null;
    }
  }
  return squares;
}

function isAttacked(board, square, byWhite) {
  return board.some((letter, from) =>
    letter && isWhite(letter) === byWhite && attacksFrom(board, from).includes(square));
}

const isInCheck = (board, white) => isAttacked(board, board.indexOf(white ? "K" : "k"), !white);

/** True if the side that has moved is not in check. @param {Position} position @returns {boolean} */
export const isLegal = ({ board, white }) => !isInCheck(board, !white);

/** The square of the king in check. @param {Position} position @returns {string|null} its square */
export function checkOf({ board, white }) {
  return isInCheck(board, white) ? SQUARES[board.indexOf(white ? "K" : "k")] : null;
}

/** The squares that a man may move to, ignoring checks. */
function goals({ board, white, passant }, from) {
  const isFree = (to) => !board[to] || isWhite(board[to]) !== white;
  if (board[from].toLowerCase() !== "p") return attacksFrom(board, from).filter(isFree);
  const takes = attacksFrom(board, from).filter((to) => (board[to] ? isFree(to) : to === passant));
  const up = white ? 8 : -8;
  if (board[from + up]) return takes;
  const isHome = from >> 3 === (white ? 1 : 6);
  return [...takes, from + up, ...(isHome && !board[from + 2 * up] ? [from + 2 * up] : [])];
}

/**
 * The position after a move.
 * @param {Position} position
 * @param {Move} move
 * @returns {Position}
 */
export function play({ board, white, passant }, { from, to, promotion }) {
  const next = board.slice();
  const letter = board[from];
  const isPawn = letter.toLowerCase() === "p";
  next[from] = "";
  next[to] = promotion ? (white ? promotion.toUpperCase() : promotion) : letter;
  // The pawn taken en passant stands beside the target square.
  if (isPawn && to === passant) next[to + (white ? -8 : 8)] = "";
  const isDouble = isPawn && Math.abs(to - from) === 16;
  return { board: next, white: !white, passant: isDouble ? (from + to) / 2 : null };
}

/** @param {Position} position @returns {Move[]} */
export function legalMoves(position) {
  const { board, white } = position;
  const moves = [];
  board.forEach((letter, from) => {
    if (!letter || isWhite(letter) !== white) return;
    for (const to of goals(position, from)) {
      if (board[to].toLowerCase() === "k") continue;
      const promotes = letter.toLowerCase() === "p" && (to >> 3 === 0 || to >> 3 === 7);
      if (!isLegal(play(position, { from, to, promotion: null }))) continue;
      for (const promotion of promotes ? "qrbn" : [null]) {
        moves.push({ uci: SQUARES[from] + SQUARES[to] + (promotion ?? ""), from, to, promotion });
      }
    }
  });
  return moves;
}

/** The end of the game in a position. @param {Position} position @returns {"checkmate"|"stalemate"|null} */
export function endOf(position) {
  if (legalMoves(position).length) return null;
  return checkOf(position) ? "checkmate" : "stalemate";
}

/** True if a move takes a man. @param {Position} position @param {Move} move @returns {boolean} */
export const takes = ({ board, passant }, { from, to }) =>
  board[to] !== "" || (to === passant && board[from].toLowerCase() === "p");

/**
 * A legal move in standard algebraic notation.
 * @param {Position} position before it
 * @param {Move} move
 * @returns {string} such as "Rxd4+"
 */
export function sanOf(position, move) {
  const { board } = position;
  const { from, to, promotion } = move;
  const role = board[from].toUpperCase();
  const cross = takes(position, move) ? "x" : "";
  let name;
  if (role === "P") {
    name = (cross && `${SQUARES[from][0]}x`) + SQUARES[to] + (promotion ? `=${promotion.toUpperCase()}` : "");
  } else {
    const rivals = legalMoves(position).filter((other) =>
      other.to === to && other.from !== from && board[other.from] === board[from]);
    const sharesFile = rivals.some((other) => (other.from & 7) === (from & 7));
    const sharesRank = rivals.some((other) => other.from >> 3 === from >> 3);
    const [file, rank] = squareName(from & 7, from >> 3);
    let origin = "";
    if (rivals.length) origin = !sharesFile ? file : !sharesRank ? rank : file + rank;
    name = role + origin + cross + SQUARES[to];
  }
  const after = play(position, move);
  const end = endOf(after);
  return name + (end === "checkmate" ? "#" : checkOf(after) ? "+" : "");
}
