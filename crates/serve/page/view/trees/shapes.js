/**
 * The parts of a picture of a tree, as simple shapes: the page makes elements of them, an export a file. A shape is
 * { tag, role, text?, ...attributes }; its role says how it looks, unless it has a fill of its own.
 */
import { answerWords, distanceWords } from "/page/classes.js";
import { capital, count } from "/page/game.js";
import { colorOf, namedOf } from "/page/scale.js";
import { WIDE } from "./layout.js";
import { mixWords, shortError, testWords } from "./words.js";

const EDGE = 12;
const LINE = 16;
/** The letters of a line: of small print, and of the test. */
const LETTERS = { small: 38, test: 30 };
const BAR = 10;

/** The height of a node. @param {boolean} names true if the names of attributes are shown */
export const heightOf = (names) => (names ? 152 : 136);

/** The shapes of a node, from its upper left corner. @param {{names: boolean, classes: string[]}} options */
export function nodeShapes({ node, branch }, { names, classes }) {
  const high = heightOf(names);
  const isLeaf = !node.asks;
  const shapes = [
    { tag: "rect", role: isLeaf ? "leaf" : "test", x: 0, y: 0, width: WIDE, height: high, rx: 8 },
  ];
  const write = (role, text, x, y, more) => shapes.push({ tag: "text", role, text, x, y, ...more });
  const when = wrap(branch ? capital(branch.sentence) : "All positions", LETTERS.small, 2);
  when.forEach((line, i) => write("when", line, EDGE, 20 + i * LINE));
  if (isLeaf) {
    const color = colorOf(node.class, classes);
    shapes.push({
      tag: "rect",
      role: "answer",
      fill: color?.fill,
      x: EDGE,
      y: 44,
      width: WIDE - 2 * EDGE,
      height: 26,
      rx: 5,
    });
    write("said", answerWords(node.class, classes), WIDE / 2, 62, { fill: color?.ink, middle: true });
  } else {
    const lines = 4 - when.length;
    const test = wrap(testWords(node), LETTERS.test, lines);
    test.forEach((line, i) => write("asks", line, EDGE, 71 + (i + 1 - Math.max(2, test.length)) * LINE));
  }
  const bar = high - 58;
  if (names) write("name", isLeaf ? node.class : node.asks, EDGE, bar - 8);
  shapes.push(...barShapes(node, EDGE, bar, WIDE - 2 * EDGE));
  const number = node.positions ?? null;
  write(
    "number",
    number === null ? count(node.leaves, "leaf", "leaves") : count(number, "position"),
    EDGE,
    high - 30,
  );
  write("number", shortError(node), WIDE - EDGE, high - 30, { end: true });
  write("mixed", mixWords(node), EDGE, high - 13);
  return shapes;
}

/** The true classes of the positions of a node, side by side. */
function barShapes(node, x, y, width) {
  const shapes = [{ tag: "rect", role: "bar", x, y, width, height: BAR }];
  let left = x;
  for (const one of node.mix ?? []) {
    const part = (width * one.positions) / node.positions;
    const { fill } = colorOf(one.class) ?? {};
    shapes.push({ tag: "rect", role: "part", fill, x: left, y, width: part, height: BAR });
    left += part;
  }
  shapes.push({ tag: "rect", role: "edge", x, y, width, height: BAR });
  return shapes;
}

/** The link from a node to one below it. */
export function linkShape(from, to, high) {
  const [x, y, toX, toY] = [from.x + WIDE, from.y + high / 2, to.x, to.y + high / 2];
  const half = (x + toX) / 2;
  return { tag: "path", role: "link", d: `M${x} ${y}C${half} ${y} ${half} ${toY} ${toX} ${toY}` };
}

/** The knob that opens and closes a node, and the number of leaves below. */
export function knobShapes({ node }, isOpen, high) {
  const [x, y] = [WIDE, high / 2];
  return [
    { tag: "circle", role: "knob", cx: x, cy: y, r: 13 },
    { tag: "path", role: "sign", d: isOpen ? `M${x - 6} ${y}h12` : `M${x - 6} ${y}h12M${x} ${y - 6}v12` },
    ...(isOpen
      ? []
      : [{ tag: "text", role: "more", text: count(node.leaves, "leaf", "leaves"), x: x + 18, y: y + 4 }]),
  ];
}

/** A key to the colours, from its upper left corner; for a file. */
export function keyShapes(distances, x, y) {
  const shapes = [];
  let left = x;
  for (const name of namedOf(distances)) {
    const words = distanceWords(name);
    shapes.push({
      tag: "rect",
      role: "answer",
      fill: colorOf(name)?.fill,
      x: left,
      y,
      width: 14,
      height: 14,
      rx: 2,
    });
    shapes.push({ tag: "text", role: "when", text: words, x: left + 20, y: y + 12 });
    left += 38 + words.length * 6.6;
  }
  return { shapes, width: left - x };
}

/** Lines of at most so many letters; what does not fit is left out. */
export function wrap(text, letters, most) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (!line) lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= letters) lines[lines.length - 1] += ` ${word}`;
    else if (lines.length < most) lines.push(word);
    else {
      lines[lines.length - 1] = `${line.slice(0, letters - 1)}\u2026`;
      break;
    }
  }
  return lines;
}
