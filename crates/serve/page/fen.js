// Conversion between FENs and men. It does not know the rules of chess: any man may stand anywhere.

/** A position without men, White to move. */
export const EMPTY = "8/8/8/8/8/8/8/8 w - - 0 1";

const FILES = "abcdefgh";
const ROLES = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };

/**
 * The name of a square.
 * @param {number} file 0 to 7 for a to h
 * @param {number} rank 0 to 7 for 1 to 8
 * @returns {string} such as "c3"
 */
export const squareName = (file, rank) => FILES[file] + (rank + 1);

/** @param {string} square @returns {number} 0 to 7 */
export const fileOf = (square) => FILES.indexOf(square[0]);

/** @param {string} square @returns {number} 0 to 7 */
export const rankOf = (square) => Number(square[1]) - 1;

/** All squares, a1, b1, ... h8. */
export const SQUARES = Array.from({ length: 64 }, (_, index) => squareName(index % 8, index >> 3));

/** @param {unknown} text @returns {boolean} true if it names a square */
export const isSquare = (text) => typeof text === "string" && /^[a-h][1-8]$/.test(text);

/** @param {string} square @returns {boolean} */
export const isDark = (square) => (fileOf(square) + rankOf(square)) % 2 === 0;

/** @param {string} letter of a man @returns {"white"|"black"} */
export const colourOf = (letter) => (letter === letter.toUpperCase() ? "white" : "black");

/** @param {string} letter of a man @returns {string} such as "rook" */
export const roleName = (letter) => ROLES[letter.toLowerCase()];

/** @param {string} letter of a man @returns {string} such as "white rook" */
export const manName = (letter) => `${colourOf(letter)} ${roleName(letter)}`;

/**
 * The men of a FEN. Missing parts are empty, and invalid ones are ignored.
 * @param {string} fen
 * @returns {Map<string, string>} the letter of the man on each square
 */
export function menOf(fen) {
  const men = new Map();
  const rows = (String(fen ?? "").trim().split(/[\s_]+/)[0] || "").split("/");
  rows.slice(0, 8).forEach((row, down) => {
    let file = 0;
    for (const sign of row) {
      if (/[1-8]/.test(sign)) {
        file += Number(sign);
      } else if (/[kqrbnp]/i.test(sign)) {
        if (file < 8) men.set(squareName(file, 7 - down), sign);
        file += 1;
      }
    }
  });
  return men;
}

/** @param {string} fen @returns {"white"|"black"} the side to move */
export const turnOf = (fen) =>
  /^b/i.test(String(fen ?? "").trim().split(/[\s_]+/)[1] ?? "") ? "black" : "white";

/**
 * The first field of a FEN.
 * @param {Map<string, string>} men
 * @returns {string}
 */
export function placementOf(men) {
  const rows = [];
  for (let rank = 7; rank >= 0; rank -= 1) {
    let row = "";
    for (let file = 0; file < 8; file += 1) row += men.get(squareName(file, rank)) ?? "1";
    rows.push(row.replace(/1+/g, (ones) => String(ones.length)));
  }
  return rows.join("/");
}

/**
 * A FEN without castling and en passant.
 * @param {Map<string, string>} men
 * @param {"white"|"black"} [turn]
 * @returns {string}
 */
export const fenOf = (men, turn = "white") => `${placementOf(men)} ${turn === "black" ? "b" : "w"} - - 0 1`;

/**
 * A FEN of the same men with another side to move, without castling and en passant.
 * @param {string} fen
 * @param {"white"|"black"} turn
 * @returns {string}
 */
export const withTurn = (fen, turn) => fenOf(menOf(fen), turn);

/**
 * A description of a position for screen readers.
 * @param {string} fen
 * @returns {string} such as "White: king a1, rook h1. Black: king d5. White to move."
 */
export function describe(fen) {
  const men = [...menOf(fen)].sort(([, a], [, b]) => order(a) - order(b));
  const side = (colour) => {
    const own = men.filter(([, letter]) => colourOf(letter) === colour);
    return own.map(([square, letter]) => `${roleName(letter)} ${square}`).join(", ") || "nothing";
  };
  const turn = turnOf(fen) === "white" ? "White" : "Black";
  return `White: ${side("white")}. Black: ${side("black")}. ${turn} to move.`;
}

const order = (letter) => "kqrbnp".indexOf(letter.toLowerCase());
