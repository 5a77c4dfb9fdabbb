// A lesson in one file: its texts and boards, a game to step through, exercises, and practice against the
// longest resistance. The file contains everything it needs.

import { Board, smallBoard } from "lucena/board.js";
import { checkOf, endOf, fenFor, legalMoves, play, positionOf, sanOf, takes } from "lucena/rules.js";
import { movesIn, Tables } from "lucena/table.js";

/** @typedef {import("lucena/rules.js").Position} Position */

// A position is mastered when it is won with at most this many moves wasted, without a hint that shows a
// move.
const MAY_WASTE = 2;
/** Milliseconds for which a reply or a wrong move is delayed, so that the reader can follow. */
const PAUSE = { reply: 250, wrong: 900 };
const COMING = "The answer is coming...";
const KEY = "lucena.practice";
const SVG = "http://www.w3.org/2000/svg";
const NAMES = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };

// Creating elements

/** Creates an element. `on...` attributes are listeners; false attributes and children are left out. */
function h(tag, attributes, ...children) {
  const element = tag.startsWith("svg:")
    ? document.createElementNS(SVG, tag.slice(4))
    : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  return fill(element, ...children);
}

function fill(element, ...children) {
  element.replaceChildren(
    ...children.flat(9).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** A button that keeps the focus while it is disabled. */
function button(text, act, attributes) {
  const onclick = () => element.getAttribute("aria-disabled") !== "true" && act();
  const element = h("button", { type: "button", onclick, ...attributes }, text);
  return element;
}

const setOff = (element, isOff) => element.setAttribute("aria-disabled", String(isOff));

function setCurrent(element, isCurrent, kind = "true") {
  if (isCurrent) element.setAttribute("aria-current", kind);
  else element.removeAttribute("aria-current");
}

// Texts

const count = (n, word) => `${n} ${n === 1 ? word : `${word}s`}`;
const sideOf = ({ white }) => (white ? "white" : "black");
const nameOf = (side) => side[0].toUpperCase() + side.slice(1);
const numbered = (fen, at) => {
  const ply = at + (positionOf(fen).white ? 0 : 1);
  return ply % 2 === 0 ? `${ply / 2 + 1}. ` : at === 0 ? "1... " : "";
};

function worthWords({ winner, plies }) {
  if (!winner) return "Draw with best play";
  return plies ? `${nameOf(winner)} mates in ${movesIn(plies)}` : `${nameOf(winner)} has won`;
}

/** Describes the kind of a move without naming it. */
function kindOf(position, move) {
  const after = play(position, move);
  if (endOf(after) === "checkmate") return "The move is mate.";
  const deeds = [
    move.promotion && "promotes the pawn",
    takes(position, move) && "takes a man",
    checkOf(after) && "gives check",
  ].filter(Boolean);
  return deeds.length > 0
    ? `The move ${deeds.join(" and ")}.`
    : "It is a quiet move: no check, and nothing is taken.";
}

// Boards and marks

const named = (position) => legalMoves(position).map((move) => ({ ...move, san: sanOf(position, move) }));

/** The options of a board that shows a position. */
const shown = (position, { uci = null, moves = [], animate = true } = {}) =>
  ({ fen: fenFor(position), check: checkOf(position), lastMove: uci, moves, animate });

const arrow = ({ uci, san }) =>
  ({ shape: "arrow", from: uci.slice(0, 2), to: uci.slice(2, 4), label: san });

const SWATCHES = {
  ring: ["circle", { cx: 8, cy: 8, r: 5.5, class: "ring" }],
  region: ["path", { d: "M2 2h12v12H2z", class: "region border" }],
  dot: ["circle", { cx: 8, cy: 8, r: 3, class: "dot" }],
  cross: ["path", { d: "M4 4l8 8M12 4l-8 8", class: "cross" }],
  hatch: ["path", { d: "M1 8l7-7M1 15L15 1M8 15l7-7", class: "hatch" }],
  number: ["text", { x: 4, y: 13, class: "number-mark" }, "3"],
  arrow: ["path", { d: "M1 13L9 5L7 3H14V10L12 8L4 16Z", class: "arrow" }],
};

/** The text for an arrow: the move in SAN, or its squares. */
function moveOf(fen, { from, to }) {
  const position = positionOf(fen);
  const move = legalMoves(position).find(({ uci }) => uci.startsWith(from + to));
  return move ? sanOf(position, move) : `${from} to ${to}`;
}

/** The legend of the marks, each once. Arrows look alike, so their moves are named. */
function legend(fen, marks = []) {
  const seen = new Map();
  for (const mark of marks.filter(({ label, shape }) => label && SWATCHES[shape])) {
    const key = `${mark.shape} ${mark.label}`;
    if (!seen.has(key)) seen.set(key, { ...mark, moves: new Set() });
    if (mark.shape === "arrow") seen.get(key).moves.add(moveOf(fen, mark));
  }
  return seen.size > 0 && h("ul", { class: "legend", "aria-label": "Legend of the marks" },
    [...seen.values()].map(({ shape, label, moves }) => {
      const [tag, attributes, text] = SWATCHES[shape];
      const sign = h("svg:svg", { viewBox: "0 0 16 16", class: "small-board swatch", "aria-hidden": "true" },
        h(`svg:${tag}`, attributes, text));
      return h("li", {}, sign, moves.size ? `${[...moves].join(", ")}: ${label}` : label);
    }));
}

const figure = ({ fen, marks }, ...caption) =>
  h("figure", {}, smallBoard(fen, { marks }), h("figcaption", {}, ...caption));

// The lesson

function drawSection(section, at) {
  const { heading, level, paragraphs = [], items = [], first, boards = [], game } = section;
  const list = (lines) => h(first ? "ol" : "ul", { class: "list", start: first > 1 && first },
    lines.map((line) => h("li", {}, line)));
  const texts = [paragraphs.map((words) => h("p", {}, words)), items.map(list)];
  return h("section", { id: `section-${at}` },
    heading && h(level > 2 ? "h3" : "h2", {}, heading),
    boards.length > 0
      ? h("div", { class: "beside" },
        h("div", { class: "stack" }, texts),
        h("div", { class: "boards" }, boards.map((board) =>
          figure(board, board.caption, legend(board.fen, board.marks)))))
      : texts,
    game && drawGame(heading ?? "The game", game));
}

/** The moves of a game, each with the position after it, up to the first illegal one. */
function lineOf({ fen, moves, sans = [], why = [], numbers = [] }) {
  const line = [];
  let position = positionOf(fen);
  for (const [i, uci] of moves.entries()) {
    const move = legalMoves(position).find((one) => one.uci === uci);
    if (!move) break;
    const san = sans[i] ?? sanOf(position, move);
    position = play(position, move);
    line.push({ uci, san, why: why[i], number: numbers[i] ?? null, position });
  }
  return line;
}

function drawGame(heading, game) {
  const line = lineOf(game);
  const start = positionOf(game.fen);
  const place = h("div", { class: "board-place" });
  const where = h("p", { class: "small", role: "status" });
  let at = 0;
  const numberAfter = ({ number }) => number !== null && h("span", { class: "small" }, ` ${number}`);
  const items = line.map(({ san }, i) =>
    button(san, () => go(i + 1), { class: "line-move", "aria-label": `${numbered(game.fen, i)}${san}` }));
  const words = h("div", { class: "line-moves", role: "group", "aria-label": `${heading}: the moves` },
    items.map((item, i) => [h("span", { class: "ply" },
      h("span", { class: "small", "aria-hidden": "true" }, numbered(game.fen, i)), item,
      numberAfter(line[i])), " "]));
  const [first, back, on, last] = [["\u00ab", "To the start", () => go(0)],
    ["\u2039", "Previous move", () => go(at - 1)],
    ["\u203a", "Next move", () => go(at + 1)],
    ["\u00bb", "To the end", () => go(line.length)]]
    .map(([sign, label, act]) => button(sign, act, { "aria-label": label, title: label }));
  const lines = h("div", { class: "stack" }, h("div", { class: "row steps" }, first, back, on, last),
    where, words);
  lines.addEventListener("keydown", (event) => {
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: line.length }[event.key];
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    go(to);
    if (words.contains(document.activeElement)) items[Math.max(at - 1, 0)].focus();
  });
  const element = h("div", { class: "game" }, h("div", { class: "columns on-screen" }, place, lines),
    gameOnPaper(game, line));
  const board = new Board(place, { fen: game.fen, check: checkOf(start), label: `${heading}: the board` });

  function go(to) {
    const next = Math.max(0, Math.min(to, line.length));
    if (next === at) return;
    at = next;
    draw();
    board.show(at ? shown(line[at - 1].position, line[at - 1]) : shown(start));
  }

  function draw() {
    items.forEach((item, i) => {
      setCurrent(item, i + 1 === at, "step");
      item.tabIndex = i + 1 === Math.max(at, 1) ? 0 : -1;
    });
    for (const one of [first, back]) setOff(one, at === 0);
    for (const one of [on, last]) setOff(one, at === line.length);
    const { san, why } = line[at - 1] ?? {};
    fill(where, at === 0 ? "The start." : `Ply ${at} of ${line.length}: ${san}${why ? `, ${why}` : ""}.`);
  }

  draw();
  return element;
}

function gameOnPaper({ fen }, line) {
  const moves = [];
  line.forEach(({ san, why, number: after }, i) => {
    const number = numbered(fen, i);
    if (number) moves.push({ words: `${number}${san}${after === null ? "" : ` (${after})`}`, why });
    else moves.at(-1).words += ` ${san}`;
  });
  const told = moves.map(({ words, why }) => h("p", {}, h("b", {}, words), why && ` ${why}`));
  return h("div", { class: "on-paper" }, figure({ fen }, "The start"), h("div", { class: "moves" }, told));
}

// Exercises

function drawExercises(exercises) {
  const place = h("div", { class: "board-place" });
  const where = h("h3", {});
  const task = h("p", {});
  const choices = h("div", { class: "row", role: "group", "aria-label": "Answers" });
  const verdict = h("div", { role: "status" });
  const hint = button("Hint", () => fill(verdict, h("p", { class: "notice" }, exercises[at].hint)));
  const back = button("Previous exercise", () => to(at - 1));
  const on = button("Next exercise", () => to(at + 1));
  const solved = new Set();
  const numbers = exercises.map((_, i) => button("", () => to(i)));
  const element = h("section", { id: "exercises" }, h("h2", {}, "Exercises"),
    h("div", { class: "columns on-screen" }, place,
      h("div", { class: "stack" }, where, task, choices, verdict,
        h("div", { class: "row" },
          hint, button("Show the answer", answer), button("Once more", () => to(at)), back, on),
        h("ol", { class: "numbers", "aria-label": "Exercises" }, numbers.map((one) => h("li", {}, one))))),
    exercisesOnPaper(exercises));
  const board = new Board(place, { label: "Exercise", mode: "play", onMove: judge });
  let at = 0;
  let moves = [];
  let position = null;

  const sanFor = (uci) => moves.find((move) => move.uci === uci)?.san ?? uci;

  function to(n) {
    if (n < 0 || n >= exercises.length) return;
    at = n;
    const { fen, answers } = exercises[at];
    position = positionOf(fen);
    // No move is asked for if the answer is one in words.
    moves = answers.length > 0 ? [] : named(position);
    fill(where, `Exercise ${at + 1} of ${exercises.length}`);
    fill(task, exercises[at].task);
    fill(choices, answers.map((one) => button(one.text, () => choose(one))));
    fill(verdict);
    hint.hidden = !exercises[at].hint;
    setOff(back, at === 0);
    setOff(on, at === exercises.length - 1);
    drawNumbers();
    board.mark([]);
    if (board.flipped === position.white) board.flip();
    board.show(shown(position, { moves, animate: false }));
  }

  function drawNumbers() {
    numbers.forEach((one, i) => {
      fill(one, solved.has(i) ? `${i + 1} \u2713` : String(i + 1));
      one.setAttribute("aria-label", `Exercise ${i + 1}${solved.has(i) ? ", solved" : ""}`);
      one.classList.toggle("done", solved.has(i));
      setCurrent(one, i === at);
    });
  }

  function judge(uci) {
    const { solutions, explanation } = exercises[at];
    const before = position;
    const isRight = solutions.includes(uci);
    if (isRight) solved.add(at);
    const others = solutions.filter((one) => one !== uci).map(sanFor);
    board.mark([]);
    fill(verdict, isRight
      ? h("div", { class: "notice stack" },
        h("p", { class: "good" }, h("b", {}, `${sanFor(uci)} is right.`)),
        h("p", {}, explanation),
        others.length > 0 && h("p", {}, `Equally good: ${others.join(", ")}.`))
      : h("p", { class: "error" }, `${sanFor(uci)} is not the right move. Try another one.`));
    drawNumbers();
    const after = play(position, moves.find((move) => move.uci === uci));
    board.show(shown(after, { uci }));
    if (isRight) return;
    setTimeout(() => {
      // Another exercise may be shown by now.
      if (position === before) board.show(shown(before, { moves }));
    }, PAUSE.wrong);
  }

  function choose({ text, right }) {
    if (right) solved.add(at);
    fill(verdict, right
      ? h("div", { class: "notice stack" },
        h("p", { class: "good" }, h("b", {}, "That is right.")),
        h("p", {}, exercises[at].explanation))
      : h("p", { class: "error" }, `"${text}" is not the right answer. Look again.`));
    drawNumbers();
  }

  function answer() {
    const { solutions, answers, explanation } = exercises[at];
    if (answers.length > 0) {
      fill(verdict, h("p", { class: "notice" }, explanation));
      return;
    }
    fill(verdict, h("div", { class: "notice stack" },
      h("p", {}, h("b", {}, `${solutions.map(sanFor).join(" or ")}.`)), h("p", {}, explanation)));
    board.show(shown(position, { moves }));
    board.mark(solutions.map((uci) => arrow({ uci, san: sanFor(uci) })));
  }

  to(0);
  return element;
}

function exercisesOnPaper(exercises) {
  const boards = exercises.map(({ fen, task }, i) =>
    figure({ fen }, h("b", {}, `Exercise ${i + 1}. `), task));
  return h("div", { class: "on-paper" }, h("div", { class: "boards" }, boards), h("h3", {}, "Solutions"),
    h("ol", { class: "list" }, exercises.map(({ explanation }) => h("li", {}, explanation))));
}

// Practice

const keyFor = (fen) => fen.split(" ").slice(0, 2).join(" ");

/** The stored progress by endgame and side, in the format of the page. Storage may be refused. */
function recall() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

/** The mastered positions, with the number of wasted moves. */
function mastery(material) {
  const place = `${material} strong`;
  const mastered = { ...recall()[place]?.mastered };
  return {
    has: (key) => key in mastered,
    add(key, wasted) {
      mastered[key] = Math.min(wasted, mastered[key] ?? Infinity);
      const memory = recall();
      memory[place] = { ...memory[place], mastered };
      try {
        localStorage.setItem(KEY, JSON.stringify(memory));
      } catch {
        // Then the progress is only kept until the file is closed.
      }
    },
  };
}

/** A function that returns the strategy's move, or null if it has none. */
function strategyOf({ hasStrategy, strategyMen }) {
  const loading = hasStrategy ? import("lucena/strategy.js") : null;
  return async (position) => {
    const { board, white } = position;
    const letters = board.filter(Boolean).sort().join("");
    if (!loading || !white || letters !== [...strategyMen].sort().join("")) return null;
    const squares = [];
    for (const letter of strategyMen) {
      squares.push(board.findIndex((one, square) => one === letter && !squares.includes(square)));
    }
    const [from, to, promotion] = (await loading).choose(squares) ?? [];
    return legalMoves(position).find((move) => move.from === from && move.to === to
      && move.promotion === (promotion?.toLowerCase() ?? null)) ?? null;
  };
}

/** The section of the rules: the first one with a numbered list. */
function rulesOf(sections) {
  const at = sections.findIndex(({ first, items }) => first && items?.length);
  if (at < 0) return null;
  // Several lists are too long to repeat.
  const isOne = !sections.slice(at + 1).some(({ first, items }) => first && items?.length);
  return { at, items: isOne ? sections[at].items.flat() : null };
}

function drawPractice({ practice, material, lesson, tables: packed, ...data }) {
  const tables = new Tables(packed);
  const strategy = strategyOf(data);
  const rules = data.hasStrategy ? rulesOf(lesson.sections) : null;
  const memory = mastery(material);
  const place = h("div", { class: "board-place" });
  const head = h("h3", { class: "outcome" });
  const aim = h("p", { class: "small" });
  const told = h("div", { class: "stack", role: "status" });
  const score = h("p", { class: "small" });
  const hintPlace = h("div", { class: "stack" });
  const hint = button("", () => act(moreHint));
  const undo = button("Take back", takeBack);
  const again = button("From the beginning", () => choose(at));
  const next = button("A new position", () => choose(another()));
  const entries = practice.map((_, i) => button("", () => choose(i)));
  const element = h("section", { id: "practice", class: "on-screen" }, h("h2", {}, "Practice"),
    h("p", {}, "Win against the longest resistance. A position is mastered when it is won without a move ",
      `that was shown and with at most ${count(MAY_WASTE, "move")} wasted.`,
      data.hasStrategy && " A move of the rules is never counted as wasted."),
    h("div", { class: "columns" },
      h("div", { class: "stack" }, place,
        h("div", { class: "row" }, undo, again, button("Flip", () => board.flip()))),
      h("div", { class: "stack" }, head, aim, told, score, h("div", { class: "row" }, hint, next), hintPlace,
        h("h3", {}, "Positions, easiest first"),
        h("ol", { class: "numbers" }, entries.map((one) => h("li", {}, one))))));
  const board = new Board(place, { label: "Practice", mode: "play", onMove: (uci) => act(() => move(uci)) });
  let at = 0;
  let start = null;
  let steps = []; // moves of both sides: { uci, san, position } with what is said of the learner's own
  let hints = 0;
  let wasHinted = false;
  let run = 0; // what is under way when this has changed comes to nothing

  const side = () => sideOf(start);
  const now = () => steps.at(-1)?.position ?? start;
  const spoilt = () => steps.find(({ cost }) => cost === null);
  const isOver = () => Boolean(spoilt()) || endOf(now()) !== null;
  const wasted = () => steps.reduce((sum, { cost }) => sum + (cost ?? 0), 0);

  /** The next position that is not mastered, or else simply the next one. */
  function another() {
    const after = practice.map((_, i) => (at + 1 + i) % practice.length);
    return after.find((i) => !memory.has(keyFor(practice[i].fen))) ?? after[0];
  }

  async function act(what) {
    try {
      await what();
    } catch (error) {
      console.error(error);
      fill(told, h("p", { class: "error" }, "The table in this file cannot be read, so there is no answer. ",
        "A newer browser may read it. If it cannot, the file is damaged: create it again."));
    }
  }

  function choose(n) {
    at = n;
    start = positionOf(practice[at].fen);
    steps = [];
    wasHinted = false;
    if (board.flipped === start.white) board.flip();
    draw(false);
  }

  async function move(uci) {
    const before = now();
    const mine = run += 1;
    fill(head, COMING);
    const { cost, best } = await tables.judge(before, uci);
    const byRules = cost !== null && (await strategy(before))?.uci === uci;
    if (mine !== run) return;
    step(before, uci, { cost: byRules ? 0 : cost, over: cost, byRules, best: sanOf(before, best) });
    if (!isOver()) await reply();
  }

  async function reply() {
    const mine = run;
    const before = now();
    const [[best]] = await Promise.all([tables.moves(before), wait(PAUSE.reply)]);
    if (mine === run) step(before, best.uci, {});
  }

  function step(before, uci, judged) {
    const played = legalMoves(before).find((one) => one.uci === uci);
    steps.push({ uci, san: sanOf(before, played), position: play(before, played), ...judged });
    draw();
  }

  // Goes back to the last position with the learner to move.
  function takeBack() {
    if (steps.length) steps.pop();
    while (steps.length && sideOf(now()) !== side()) steps.pop();
    draw();
  }

  function draw(animate = true) {
    run += 1;
    hints = 0;
    const position = now();
    const isMine = sideOf(position) === side() && !isOver();
    board.mark([]);
    board.show(shown(position, { uci: steps.at(-1)?.uci, moves: isMine ? named(position) : [], animate }));
    fill(aim, `You play ${nameOf(side())}. From the start: ${practice[at].says} with best play.`);
    tell(isMine);
    const own = steps.filter((one) => "cost" in one);
    fill(score, `Moves played: ${own.length}. Moves wasted: ${wasted()}.`);
    fill(hintPlace);
    drawHint(isMine);
    setOff(undo, !own.length);
    setOff(again, !own.length);
    drawEntries();
  }

  function tell(isMine) {
    const last = steps.findLast((one) => "cost" in one);
    const lost = spoilt();
    const end = endOf(now());
    if (lost) {
      fill(head, "Not this time");
      fill(told, h("p", { class: "error" }, `${lost.san} gives the win away. ${lost.best} was the right move. `,
        "Take the move back and try again."));
    } else if (end) {
      fill(head, `Checkmate: ${nameOf(side())} wins`);
      const isGood = !wasHinted && wasted() <= MAY_WASTE;
      if (isGood) memory.add(keyFor(practice[at].fen), wasted());
      fill(told, h("p", { class: isGood ? "notice good" : "notice" }, isGood
        ? "This position is mastered."
        : wasHinted
          ? "A move was shown, so the position does not count as mastered."
          : `More than ${count(MAY_WASTE, "move")} were wasted: the position does not count as mastered.`));
    } else {
      fill(head, isMine ? `${nameOf(side())} to move` : COMING);
      const { san, over, byRules, best } = last ?? {};
      const much = count(over ?? 0, "move");
      fill(told, last && (over === 0
        ? h("p", { class: "small" }, `${san} is as good as any move.`)
        : byRules
          ? h("p", { class: "small" }, `${san} is the move of the rules. ${best} mates ${much} sooner.`)
          : h("p", { class: "notice" }, `${san} wastes ${much}: ${best} was better.`)));
      if (isMine) act(addWorth);
    }
  }

  /** Adds the outcome of the position to the heading. */
  async function addWorth() {
    const mine = run;
    const worth = await tables.worth(now());
    if (mine === run) head.append(h("small", {}, ` ${worthWords(worth)}`));
  }

  function drawHint(isMine) {
    const first = rules ? "Hint: which rule" : "Hint: what kind of move";
    fill(hint, [first, "Hint: which man", "Hint: which move", "Hint"][hints]);
    setOff(hint, !isMine || hints === 3);
  }

  // The three hints are the rule, the man, and the move.
  async function moreHint() {
    const mine = run;
    const position = now();
    const ruled = await strategy(position);
    const chosen = ruled ?? (await tables.moves(position))[0];
    if (mine !== run) return;
    hints += 1;
    if (hints === 3) wasHinted = true;
    const from = chosen.uci.slice(0, 2);
    const san = sanOf(position, chosen);
    const says = [
      kindOf(position, chosen),
      `It moves the ${NAMES[position.board[chosen.from].toLowerCase()]} on ${from}.`,
      `It plays ${san}.`,
    ].slice(0, hints);
    fill(hintPlace, ruled && rules && ruleHint(), says.map((words) => h("p", { class: "notice" }, words)));
    board.mark([[], [{ shape: "ring", squares: [from], label: "the man that moves" }],
      [arrow({ uci: chosen.uci, san })]][hints - 1]);
    board.say(says.at(-1));
    drawHint(true);
  }

  function ruleHint() {
    if (rules.items) {
      return h("div", { class: "notice" }, h("p", {}, "The rules, from the top:"),
        h("ol", { class: "list" }, rules.items.map((item) => h("li", {}, item))));
    }
    return h("p", { class: "notice" }, "Go through ",
      h("a", { href: `#section-${rules.at}` }, "the rules"), " from the top.");
  }

  function drawEntries() {
    entries.forEach((one, i) => {
      const isDone = memory.has(keyFor(practice[i].fen));
      fill(one, h("b", {}, String(i + 1)), ` ${practice[i].says}`,
        isDone && h("span", {}, " \u2713", h("span", { class: "visually-hidden" }, " mastered")));
      one.classList.toggle("done", isDone);
      setCurrent(one, i === at);
    });
  }

  choose(0);
  return element;
}

const wait = (milliseconds) => new Promise((done) => {
  setTimeout(done, milliseconds);
});

/**
 * Draws the lesson in the file.
 * @param {HTMLElement} main
 * @param {Object} data the content of the element with the id "data"
 */
export function drawLesson(main, data) {
  const { lesson, practice } = data;
  const { sections, exercises } = lesson;
  const parts = [
    exercises?.length && ["exercises", count(exercises.length, "exercise")],
    practice?.length && ["practice", "Practice"],
  ].filter(Boolean);
  fill(main,
    h("h1", {}, data.title ?? lesson.title),
    parts.length > 0 && h("nav", { class: "row on-screen", "aria-label": "Parts of the lesson" },
      parts.map(([id, words]) => h("a", { href: `#${id}` }, words))),
    sections.map(drawSection),
    exercises?.length > 0 && drawExercises(exercises),
    practice?.length > 0 && drawPractice(data));
}

drawLesson(document.getElementById("lesson"), JSON.parse(document.getElementById("data").textContent));
