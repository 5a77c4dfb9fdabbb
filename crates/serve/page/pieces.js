// Our own drawings of the men, each in a box of 48 by 48 with its foot on the lower edge.

const SVG = "http://www.w3.org/2000/svg";

// The collar and the foot of king, queen and bishop.
const STAND = "Q32.2 28 32.2 29.6T30.6 31.2H29C29.6 34.6 31.6 36.2 34 37.6C36.4 38.6 37.2 39.8 37.2 41.4"
  + "V43.4H10.8V41.4C10.8 39.8 11.6 38.6 14 37.6C16.4 36.2 18.4 34.6 19 31.2H17.4"
  + "Q15.8 31.2 15.8 29.6T17.4 28";

// body: filled and outlined; lines: drawn on top of it; spots: filled in the colour of the lines.
const DRAWINGS = {
  k: {
    body: "M22.5 3.5h3v2.7h2.7v3h-2.7v3.2C29 12.6 31.6 13.6 32.6 15.4L34.4 15.8L29.4 28H30.6"
      + STAND + "H18.6L13.6 15.8L15.4 15.4C16.4 13.6 19 12.6 22.5 12.4V9.2H19.8V6.2H22.5Z",
    lines: "M16.6 17.6Q24 15.6 31.4 17.6M19 28H29M19 31.2H29M14 38.2H34",
  },
  q: {
    body: "M18.6 28L10.4 14.8L16.4 20.8L16.7 11L21.2 19.8L24 9.6L26.8 19.8L31.3 11L31.6 20.8L37.6 14.8"
      + "L29.4 28H30.6" + STAND
      + "ZM7.6 13a2 2 0 1 1 4 0a2 2 0 1 1 -4 0ZM14.6 9a2 2 0 1 1 4 0a2 2 0 1 1 -4 0ZM22 7.4"
      + "a2 2 0 1 1 4 0a2 2 0 1 1 -4 0ZM29.4 9a2 2 0 1 1 4 0a2 2 0 1 1 -4 0ZM36.4 13a2 2 0 1 1 4 0"
      + "a2 2 0 1 1 -4 0Z",
    lines: "M17.2 24.8Q24 23 30.8 24.8M19 28H29M19 31.2H29M14 38.2H34",
  },
  r: {
    body: "M12.8 9H18.4V12.8H21.2V9H26.8V12.8H29.6V9H35.2V16.6L31 20.8L32 33.4"
      + "C32.4 36 33.4 37 34.6 37.8C36.6 38.8 37.2 39.8 37.2 41.4V43.4H10.8V41.4"
      + "C10.8 39.8 11.4 38.8 13.4 37.8C14.6 37 15.6 36 16 33.4L17 20.8L12.8 16.6Z",
    lines: "M13.4 16.8H34.6M17 20.8H31M16 33.6H32M14 38.2H34",
  },
  b: {
    body: "M24 8.6C30.6 12.6 33.8 17.4 33.6 22C33.4 25 31.8 27 29.6 28H30.6" + STAND
      + "H18.4C16.2 27 14.6 25 14.4 22C14.2 17.4 17.4 12.6 24 8.6ZM21.6 6.4a2.4 2.4 0 1 1 4.8 0"
      + "a2.4 2.4 0 1 1 -4.8 0Z",
    lines: "M30 13.8L25 20.8M19 28H29M19 31.2H29M14 38.2H34",
  },
  n: {
    body: "M33.8 37.6C36.2 29 36.6 20 31.6 13.6C29.6 11 27 9.6 25 9.2L24.2 5.2L20.8 9.4"
      + "C18.4 10.6 17 12.6 16 15L10.4 22.4C9 24.4 9.6 26.6 11.2 27.6C12.8 28.6 14.6 28 15.8 26.8"
      + "C17.4 25.6 19.6 25.4 22 24.2C21.6 28 15.4 31.2 14.2 37.6C11.6 38.6 10.8 39.8 10.8 41.4V43.4"
      + "H37.2V41.4C37.2 39.8 36.4 38.6 33.8 37.6Z",
    lines: "M26.4 12.6C31 17.4 31.8 26 30 34M14 38.2H34",
    spots: "M18.2 15.6a1.3 1.3 0 1 0 2.6 0a1.3 1.3 0 1 0 -2.6 0Z",
  },
  p: {
    body: "M24 10.4A6 6 0 0 1 28.4 20.6H30Q31.6 20.6 31.6 22.2T30 23.8H27.6C28 31 30.2 35 33 37.6"
      + "C34.8 38.6 35.2 39.8 35.2 41.4V43.4H12.8V41.4C12.8 39.8 13.2 38.6 15 37.6"
      + "C17.8 35 20 31 20.4 23.8H18Q16.4 23.8 16.4 22.2T18 20.6H19.6A6 6 0 0 1 24 10.4Z",
    lines: "M20 20.6H28M20.4 23.8H27.6M15.4 38.2H32.6",
  },
};

/**
 * A man for a picture. Its classes set its colours.
 * @param {string} letter K Q R B N P for White's, k q r b n p for Black's
 * @returns {SVGGElement} in a box of 48 by 48
 */
export function drawMan(letter) {
  const group = document.createElementNS(SVG, "g");
  group.setAttribute("class", `man ${letter === letter.toLowerCase() ? "black" : "white"}`);
  group.dataset.man = letter;
  for (const [part, d] of Object.entries(DRAWINGS[letter.toLowerCase()])) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("class", part);
    path.setAttribute("d", d);
    group.append(path);
  }
  return group;
}

/**
 * A man as a separate picture, for buttons and lists.
 * @param {string} letter
 * @returns {SVGSVGElement}
 */
export function manPicture(letter) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 48 48");
  svg.setAttribute("class", "man-picture");
  svg.setAttribute("aria-hidden", "true");
  svg.append(drawMan(letter));
  return svg;
}
