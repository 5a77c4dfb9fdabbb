// Our own drawings of the men, each in a box of 48 by 48 with its foot on the lower edge.

const SVG = "http://www.w3.org/2000/svg";

// The collar and the foot of king, queen and bishop.
const STAND =
  "Q33.6 28.1 33.6 29.8T31.7 31.5H29.9C30.6 35.2 32.9 36.9 35.7 38.4C38.5 39.5 39.4 40.7 39.4 42.5" +
  "V44.6H8.6V42.5C8.6 40.7 9.5 39.5 12.3 38.4C15.1 36.9 17.4 35.2 18.1 31.5H16.3" +
  "Q14.4 31.5 14.4 29.8T16.3 28.1";

// body: filled and outlined; lines: drawn on top of it; spots: filled in the colour of the lines.
const DRAWINGS = {
  k: {
    body:
      "M21.9 1.6h4.2v3h4.1v3.6h-4.1v3C30.6 11.6 34.8 12.5 36.4 14.4L39.2 14.9L31.5 28.1H31.7" +
      STAND +
      "H16.5L8.8 14.9L11.6 14.4C13.2 12.5 17.4 11.6 21.9 11.2V8.2H17.8V4.6H21.9Z",
    lines: "M13 17Q24 14.4 35 17M17.4 28.1H30.6M18.1 31.5H29.9M12.3 39H35.7",
  },
  q: {
    body:
      "M17.7 28.1L8.1 14L15.1 20.4L15.5 9.9L20.7 19.3L24 8.4L27.3 19.3L32.5 9.9L32.9 20.4L39.9 14" +
      "L30.3 28.1H31.7" +
      STAND +
      "ZM4.8 12.1a2.3 2.1 0 1 1 4.7 0a2.3 2.1 0 1 1 -4.7 0ZM13 7.8a2.3 2.1 0 1 1 4.7 0a2.3 2.1 0 1 1 -4.7 0ZM21.7 6.1" +
      "a2.3 2.1 0 1 1 4.7 0a2.3 2.1 0 1 1 -4.7 0ZM30.3 7.8a2.3 2.1 0 1 1 4.7 0a2.3 2.1 0 1 1 -4.7 0ZM38.5 12.1a2.3 2.1 0 1 1 4.7 0" +
      "a2.3 2.1 0 1 1 -4.7 0Z",
    lines: "M16 24.7Q24 22.8 32 24.7M18.1 28.1H29.9M18.1 31.5H29.9M12.3 39H35.7",
  },
  r: {
    body:
      "M10.9 7.8H17.4V11.9H20.7V7.8H27.3V11.9H30.6V7.8H37.1V15.9L32.2 20.4L33.4 33.9" +
      "C33.8 36.7 35 37.8 36.4 38.6C38.7 39.7 39.4 40.7 39.4 42.5V44.6H8.6V42.5" +
      "C8.6 40.7 9.3 39.7 11.6 38.6C13 37.8 14.2 36.7 14.6 33.9L15.8 20.4L10.9 15.9Z",
    lines: "M11.6 16.1H36.4M15.8 20.4H32.2M14.6 34.1H33.4M12.3 39H35.7",
  },
  b: {
    body:
      "M24 6.9C32.7 11.4 37.6 16.6 37.3 21.7C37.1 24.9 34.5 27.1 31.7 28.1" +
      STAND +
      "H16.3C13.5 27.1 10.9 24.9 10.7 21.7C10.4 16.6 15.3 11.4 24 6.9ZM21 4.4a3 2.8 0 1 1 6.1 0" +
      "a3 2.8 0 1 1 -6.1 0Z",
    lines: "M32.7 12.5L25.6 20.6M18.1 28.1H29.9M18.1 31.5H29.9M12.3 39H35.7",
  },
  n: {
    body:
      "M35.5 38.4C38.3 29.2 38.7 19.6 32.9 12.7C30.6 9.9 27.5 8.4 25.2 8L24.2 3.7L20.3 8.2" +
      "C17.4 9.5 15.8 11.6 14.6 14.2L8.1 22.1C6.5 24.3 7.2 26.6 9 27.7C10.9 28.8 13 28.1 14.4 26.8" +
      "C16.3 25.6 18.9 25.3 21.7 24.1C21.2 28.1 13.9 31.5 12.5 38.4C9.5 39.5 8.6 40.7 8.6 42.5V44.6" +
      "H39.4V42.5C39.4 40.7 38.5 39.5 35.5 38.4Z",
    lines: "M26.8 11.6C32.2 16.8 33.1 26 31 34.5M12.3 39H35.7",
    spots: "M17.2 14.9a1.5 1.4 0 1 0 3 0a1.5 1.4 0 1 0 -3 0Z",
  },
  p: {
    body:
      "M24 9.3A7 6.4 0 0 1 29.1 20.2H31Q32.9 20.2 32.9 21.9T31 23.6H28.2C28.7 31.3 31.3 35.6 34.5 38.4" +
      "C36.6 39.5 37.1 40.7 37.1 42.5V44.6H10.9V42.5C10.9 40.7 11.4 39.5 13.5 38.4" +
      "C16.7 35.6 19.3 31.3 19.8 23.6H17Q15.1 23.6 15.1 21.9T17 20.2H18.9A7 6.4 0 0 1 24 9.3Z",
    lines: "M19.3 20.2H28.7M19.8 23.6H28.2M13.9 39H34.1",
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
