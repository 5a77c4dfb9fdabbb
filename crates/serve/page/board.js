// A board that shows, plays and sets up positions, with mouse, touch and keyboard. It knows no rules: the
// page gives it the legal moves.

import { aimWords, drawAim } from "./aims.js";
import { corner, drawMarks, drawState, ground, make, place, SIDE, SIZE, squaresOf, tile } from "./drawing.js";
import {
  colourOf, EMPTY, fenOf, manName, menOf, placementOf, roleName, SQUARES, squareName, turnOf,
} from "./fen.js";
import { drawMan, manPicture } from "./pieces.js";
import { colourFor, Sketch } from "./sketch.js";

export { smallBoard } from "./drawing.js";

const MILLISECONDS = 180;
const BIN = "bin";

const HELP = {
  look: "Arrow keys go from square to square.",
  play: "Arrow keys go from square to square. Enter picks up a piece and puts it down. Escape cancels.",
  setup: "Arrow keys go from square to square. Enter picks up a piece and puts it down. Delete removes it. "
    + "Letters place a piece: K, Q, R, B, N, P, in capitals for White, in small letters for Black.",
};

/**
 * @typedef {import("./drawing.js").Mark} Mark
 * @typedef {{uci: string, san?: string, outcome?: "win"|"draw"|"loss", colour?: string, says?: string}} Move
 *   outcome: for the side that plays it; colour: the class of its colour; says: the outcome in words
 * @typedef {"look"|"play"|"setup"} Mode
 */

function html(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);
let boards = 0;

export class Board {
  #fen = EMPTY;
  /** The man on each square: {letter, node}. */
  #men = new Map();
  #mode = "look";
  #flipped = false;
  #moves = [];
  #marks = [];
  #state = { lastMove: null, check: null };
  /** The selection: {square} or {tray}. */
  #chosen = null;
  /** The square with the keyboard focus. */
  #cursor = "a1";
  #press = null;
  #hasDragged = false;
  #asking = null;
  #justPlayed = null;
  #cells = [];
  #trays = [];
  #sketch = new Sketch();

  /**
   * @param {HTMLElement} container
   * @param {{fen?: string, flipped?: boolean, label?: string, mode?: Mode, moves?: Move[],
   *   marks?: Mark[], lastMove?: string|null, check?: string|null, onMove?: (uci: string) => void,
   *   onSetup?: (fen: string) => void, onSquare?: (square: string) => void}} [options]
   */
  constructor(container, options = {}) {
    this.onMove = options.onMove ?? (() => {});
    this.onSetup = options.onSetup ?? (() => {});
    this.onSquare = options.onSquare ?? (() => {});
    this.#flipped = Boolean(options.flipped);
    this.#build(options.label ?? "Board");
    container.append(this.element);
    this.show({ ...options, fen: options.fen ?? EMPTY, animate: false });
    this.#cursor = this.#firstSquare();
    this.#marks = options.marks ?? [];
    this.setMode(options.mode ?? "look");
    this.#redraw();
  }

  /** The position on the board, also while it is being set up. */
  get fen() {
    return this.#fen;
  }

  get flipped() {
    return this.#flipped;
  }

  get mode() {
    return this.#mode;
  }

  /**
   * Shows another position, other legal moves, or both. Values left out stay, except that a new position
   * clears the moves, the last move and the check.
   * @param {{fen?: string, moves?: Move[], lastMove?: string|null, check?: string|null,
   *   animate?: boolean}} what
   */
  show({ fen = this.#fen, moves, lastMove, check, animate = true }) {
    const men = menOf(fen);
    const old = new Map([...this.#men].map(([square, man]) => [square, man.letter]));
    const isOther = placementOf(men) !== placementOf(old) || turnOf(fen) !== turnOf(this.#fen);
    const names = (list) => list.map((move) => move.uci).join();
    if (isOther || (moves && names(moves) !== names(this.#moves))) this.#letGo();
    if (isOther) this.#sketch.clear();
    this.#moves = moves ?? (isOther ? [] : this.#moves);
    this.#state = {
      lastMove: lastMove === undefined ? (isOther ? null : this.#state.lastMove) : lastMove,
      check: check === undefined ? (isOther ? null : this.#state.check) : check,
    };
    const isNews = isOther && animate && lastMove && lastMove !== this.#justPlayed;
    if (isNews) this.#sayMove(lastMove, old, men);
    this.#justPlayed = null;
    this.#fen = fen;
    this.#change(men, animate);
    this.#redraw();
  }

  /** @param {Mode} mode */
  setMode(mode) {
    this.#letGo();
    this.#mode = mode;
    this.element.dataset.mode = mode;
    for (const tray of this.#trays) tray.hidden = mode !== "setup";
    this.#help.textContent = HELP[mode];
    this.#redraw();
  }

  flip() {
    this.setFlipped(!this.#flipped);
  }

  /** @param {boolean} flipped true with Black at the bottom */
  setFlipped(flipped) {
    this.#letGo();
    const hasFocus = this.#grid.contains(document.activeElement);
    this.#flipped = Boolean(flipped);
    for (const [square, { node }] of this.#men) {
      for (const animation of node.getAnimations()) animation.cancel();
      place(node, square, this.#flipped);
    }
    this.#redraw();
    if (hasFocus) this.focus();
  }

  /** @param {Mark[]} marks replace all marks */
  mark(marks) {
    this.#marks = marks ?? [];
    this.#drawMarks();
    this.#label();
  }

  /** @param {string} text for screen readers */
  say(text) {
    // Screen readers would not read the same text again.
    this.#live.textContent = text === this.#live.textContent ? `${text}\u00a0` : text;
  }

  /** Moves the keyboard focus to a square. @param {string} [square] */
  focus(square = this.#cursor) {
    this.#cellOf(square).focus();
  }

  /**
   * Puts the man that is picked up down again, or else removes what was drawn.
   * @returns {boolean} true if there was something
   */
  cancel() {
    if (this.#asking) this.#cancelPromotion();
    else if (this.#chosen || this.#press) {
      this.#letGo();
      this.say("Cancelled.");
    } else return this.#eraseSketch();
    return true;
  }

  #eraseSketch() {
    if (this.#sketch.isEmpty) return false;
    this.#sketch.clear();
    this.#drawSketch();
    this.say("The drawings are removed.");
    return true;
  }

  destroy() {
    this.#letGo();
    this.element.remove();
  }

  // Building and drawing

  #layer = Object.fromEntries(
    ["ground", "state", "under", "aims", "leaving", "men", "sketches", "drag"].map((name) =>
      [name, make("g", { class: name })]));
  #help = html("p", { class: "board-help visually-hidden", id: `board-help-${boards += 1}` });
  #live = html("div", { class: "board-live visually-hidden", role: "status", "aria-live": "polite" });
  #grid = html("div", { class: "board-grid", role: "grid", "aria-describedby": this.#help.id });
  #face = html("div", { class: "board-face" },
    make("svg", { class: "board-picture", viewBox: `0 0 ${SIDE} ${SIDE}`,
      "aria-hidden": "true" }, ...Object.values(this.#layer)),
    this.#grid);

  #build(label) {
    this.#grid.setAttribute("aria-label", label);
    for (let row = 0; row < 8; row += 1) {
      const cells = Array.from({ length: 8 }, () => html("div", { class: "board-cell", role: "gridcell" }));
      this.#cells.push(...cells);
      this.#grid.append(html("div", { class: "board-row", role: "row" }, ...cells));
    }
    this.#trays = ["black", "white"].map((colour) => this.#tray(colour));
    this.element = html("div", { class: "board" }, this.#trays[0], this.#face, this.#trays[1],
      this.#help, this.#live);
    this.element.addEventListener("pointerdown", (event) => this.#down(event));
    this.element.addEventListener("click", (event) => this.#click(event));
    this.element.addEventListener("focusin", (event) => {
      const square = event.target.dataset?.square;
      if (square && square !== this.#cursor) {
        this.#cellOf(this.#cursor).setAttribute("tabindex", "-1");
        event.target.setAttribute("tabindex", "0");
        this.#cursor = square;
      }
    });
    this.element.addEventListener("keydown", (event) => this.#key(event));
    this.element.addEventListener("contextmenu", (event) => {
      // The right button draws on the squares; a long touch must not end a drag.
      if (this.#press || this.#grid.contains(event.target)) event.preventDefault();
    });
  }

  #tray(colour) {
    const letters = colour === "white" ? "KQRBNP" : "kqrbnp";
    const buttons = [...letters].map((letter) => html("button",
      { type: "button", class: "tray-man", "data-tray": letter, "aria-label": manName(letter),
        title: capital(manName(letter)) }, manPicture(letter)));
    if (colour === "white") {
      const bin = make("svg", { class: "man-picture", viewBox: "0 0 48 48", "aria-hidden": "true" },
        make("path", { d: "M12 15h24M19 15v-4h10v4M15 15l2 25h14l2 -25M21 21v13M27 21v13" }));
      buttons.push(html("button", { type: "button", class: "tray-man tray-bin", "data-tray": BIN,
        "aria-label": "take pieces off", title: "Take pieces off" }, bin));
    }
    const tray = html("div", { class: "board-tray", role: "toolbar",
      "aria-label": `${capital(colour)}'s pieces to put on the board` }, ...buttons);
    roving(tray, buttons);
    return tray;
  }

  #cellOf(square) {
    const [x, y] = corner(square, this.#flipped);
    return this.#cells[(8 * y + x) / SIZE];
  }

  #redraw() {
    this.#layer.ground.replaceChildren(ground(this.#flipped, true));
    drawState(this.#state, this.#flipped, this.#layer.state);
    this.#drawMarks();
    this.#drawAims();
    this.#drawSketch();
    const [black, white] = this.#trays;
    const [above, below] = this.#flipped ? [white, black] : [black, white];
    if (this.element.firstChild !== above) {
      this.#face.before(above);
      this.#face.after(below);
    }
    this.#label();
  }

  #drawMarks() {
    drawMarks(this.#marks, this.#flipped, this.#layer.under);
  }

  #drawSketch(pending) {
    this.#sketch.draw(this.#flipped, this.#layer.sketches, pending);
  }

  /** Draws the selected man and its targets. */
  #drawAims() {
    const layer = this.#layer.aims;
    layer.replaceChildren();
    if (this.#chosen?.square) layer.append(tile(this.#chosen.square, this.#flipped, "chosen"));
    for (const square of this.#aims()) {
      layer.append(drawAim(this.#bestTo(square), square, this.#men.has(square), this.#flipped));
    }
  }

  /** The best of the selected man's moves to a square. */
  #bestTo(square) {
    const rank = ({ outcome }) => ["win", "draw", "loss", undefined].indexOf(outcome);
    return this.#movesFrom(this.#chosen?.square).filter((move) => move.uci.slice(2, 4) === square)
      .sort((one, other) => rank(one) - rank(other))[0];
  }

  #label() {
    const aims = this.#aims();
    for (const square of SQUARES) {
      const cell = this.#cellOf(square);
      const letter = this.#men.get(square)?.letter;
      const notes = [square, letter ? manName(letter) : "empty"];
      if (square === this.#state.check) notes.push("in check");
      if (aims.has(square)) notes.push(aimWords(this.#bestTo(square)));
      const labels = this.#marks.filter((mark) => mark.label && squaresOf(mark).includes(square));
      cell.dataset.square = square;
      cell.setAttribute("aria-label", notes.join(", "));
      cell.setAttribute("tabindex", square === this.#cursor ? "0" : "-1");
      const isMovable = this.#canMove(square);
      if (isMovable) cell.setAttribute("aria-selected", String(square === this.#chosen?.square));
      else cell.removeAttribute("aria-selected");
      cell.classList.toggle("movable", isMovable);
      cell.classList.toggle("aimed", aims.has(square));
      const title = [...new Set(labels.map((mark) => mark.label))].join("; ");
      if (title) cell.title = title;
      else cell.removeAttribute("title");
    }
    for (const button of this.element.querySelectorAll("[data-tray]")) {
      button.setAttribute("aria-pressed", String(button.dataset.tray === this.#chosen?.tray));
    }
  }

  /** Replaces the men. If the difference is one move, the man slides. */
  #change(men, animate) {
    const gone = [...this.#men].filter(([square, man]) => men.get(square) !== man.letter);
    const come = [...men].filter(([square, letter]) => this.#men.get(square)?.letter !== letter);
    const isMove = gone.length > 0 && come.length > 0 && gone.length <= 2 && come.length <= 2;
    const slides = animate && isMove && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    for (const [square] of gone) this.#men.delete(square);
    const paired = new Set();
    for (const [square, letter] of come) {
      const node = drawMan(letter);
      place(node, square, this.#flipped);
      node.dataset.on = square;
      this.#layer.men.append(node);
      this.#men.set(square, { letter, node });
      const origin = gone.find((one) => !paired.has(one) && one[1].letter === letter)
        ?? gone.find((one) => !paired.has(one) && isPromotion(one[1].letter, letter));
      if (!origin) continue;
      paired.add(origin);
      if (slides) this.#slide(node, origin[0], square);
    }
    for (const one of gone) {
      const { node } = one[1];
      node.remove();
      if (!slides || paired.has(one)) continue;
      this.#layer.leaving.append(node);
      node.animate({ opacity: [1, 0] }, { duration: MILLISECONDS }).finished
        .catch(() => {}).then(() => node.remove());
    }
  }

  #slide(node, from, to) {
    const at = (square) => {
      const [x, y] = corner(square, this.#flipped);
      return { transform: `translate(${x}px, ${y}px)` };
    };
    node.animate([at(from), at(to)], { duration: MILLISECONDS, easing: "ease-out" });
  }

  #sayMove(uci, before, after) {
    const [from, to] = [uci.slice(0, 2), uci.slice(2, 4)];
    const letter = before.get(from);
    if (!letter) return;
    const taken = before.get(to);
    const takes = taken && colourOf(taken) !== colourOf(letter) ? `, takes the ${manName(taken)}` : "";
    const now = after.get(to);
    const becomes = now && isPromotion(letter, now) && letter !== now ? `, becomes a ${roleName(now)}` : "";
    this.say(`${capital(manName(letter))} from ${from} to ${to}${takes}${becomes}.`);
  }

  #firstSquare() {
    const king = turnOf(this.#fen) === "white" ? "K" : "k";
    return [...this.#men].find(([, man]) => man.letter === king)?.[0] ?? "a1";
  }

  // Selecting and moving

  #movesFrom(square) {
    return this.#moves.filter((move) => move.uci.slice(0, 2) === square);
  }

  #canMove(square) {
    if (this.#mode === "setup") return this.#men.has(square);
    return this.#mode === "play" && this.#movesFrom(square).length > 0;
  }

  #aims() {
    const from = this.#mode === "play" && this.#chosen?.square;
    return new Set(from ? this.#movesFrom(from).map((move) => move.uci.slice(2, 4)) : []);
  }

  #choose(chosen) {
    this.#chosen = chosen;
    this.#drawAims();
    this.#label();
  }

  #letGo() {
    this.#endPress();
    this.#closePromotion();
    if (this.#chosen) this.#choose(null);
  }

  #pick(square) {
    this.#choose({ square });
    const count = this.#aims().size;
    const aims = this.#mode === "play" ? `: ${count} ${count === 1 ? "square" : "squares"} to go to` : "";
    this.say(`${capital(manName(this.#men.get(square).letter))} on ${square} picked${aims}.`);
  }

  /** Handles a tap, a click, or Enter. */
  #activate(square) {
    this.#cursor = square;
    const { square: from, tray } = this.#chosen ?? {};
    if (this.#mode === "setup" && tray) {
      this.#putFromTray(tray, square);
    } else if (from === square) {
      this.#letGo();
      this.say("Cancelled.");
    } else if (from && this.#mode === "setup") {
      this.#carry(from, square);
    } else if (from && this.#aims().has(square)) {
      this.#go(from, square, true);
    } else if (this.#canMove(square)) {
      this.#pick(square);
    } else if (from) {
      this.#letGo();
      this.say(`No move to ${square}.`);
    } else if (this.#mode === "play" && this.#men.has(square)) {
      this.say(`The ${manName(this.#men.get(square).letter)} on ${square} has no move now.`);
    }
    this.#label();
    this.onSquare(square);
  }

  // Play

  #go(from, to, animate) {
    const moves = this.#movesFrom(from).filter((move) => move.uci.slice(2, 4) === to);
    if (moves.length > 1 || moves[0].uci.length > 4) this.#ask(from, to, moves, animate);
    else this.#playMove(moves[0], animate);
  }

  #playMove(move, animate) {
    const [from, to, promotion] = [move.uci.slice(0, 2), move.uci.slice(2, 4), move.uci[4]];
    const before = new Map([...this.#men].map(([square, man]) => [square, man.letter]));
    const after = new Map(before);
    const letter = before.get(from);
    after.delete(from);
    after.set(to, promotion ? (colourOf(letter) === "white" ? promotion.toUpperCase() : promotion) : letter);
    this.#letGo();
    // No second move before the page answers: the position it shows next is the true one.
    this.#moves = [];
    this.#change(after, animate);
    this.#state = { lastMove: move.uci, check: null };
    this.#sayMove(move.uci, before, after);
    this.#justPlayed = move.uci;
    this.#redraw();
    this.onMove(move.uci);
  }

  #ask(from, to, moves, animate) {
    const letter = this.#men.get(from).letter;
    const colour = colourOf(letter);
    const buttons = [..."qrbn"].flatMap((role) => {
      const move = moves.find((one) => one.uci[4] === role);
      if (!move) return [];
      const man = colour === "white" ? role.toUpperCase() : role;
      const button = html("button", { type: "button", class: "promotion-man", "data-role": role,
        "aria-label": roleName(role), title: capital(roleName(role)) }, manPicture(man));
      button.addEventListener("click", () => {
        this.#closePromotion();
        this.#playMove(move, animate);
        this.focus(to);
      });
      return [button];
    });
    const chooser = html("div", { class: "promotion", role: "dialog", "aria-modal": "true",
      "aria-label": "The pawn becomes a" }, ...buttons);
    const [x, y] = corner(to, this.#flipped);
    chooser.classList.add(y < SIDE / 2 ? "from-above" : "from-below");
    const isLeft = x < SIDE / 2;
    chooser.style[isLeft ? "left" : "right"] = `${(100 * (isLeft ? x : SIDE - SIZE - x)) / SIDE}%`;
    const veil = html("div", { class: "promotion-veil" }, chooser);
    veil.addEventListener("click", (event) => event.target === veil && this.#cancelPromotion());
    roving(chooser, buttons);
    this.#asking = { veil, from };
    place(this.#men.get(from).node, to, this.#flipped);
    this.#face.append(veil);
    this.say("Queen, rook, bishop or knight?");
    buttons[0].focus();
  }

  #cancelPromotion() {
    const from = this.#asking.from;
    this.#letGo();
    this.focus(from);
    this.say("Cancelled.");
  }

  #closePromotion() {
    if (!this.#asking) return;
    const { veil, from } = this.#asking;
    this.#asking = null;
    veil.remove();
    const man = this.#men.get(from);
    if (man) place(man.node, from, this.#flipped);
  }

  // Setting up

  #setUp(change, words) {
    const men = new Map([...this.#men].map(([square, man]) => [square, man.letter]));
    change(men);
    this.#change(men, false);
    this.#state = { lastMove: null, check: null };
    this.#fen = fenOf(men, turnOf(this.#fen));
    this.#redraw();
    this.say(words);
    this.onSetup(this.#fen);
  }

  #put(letter, square) {
    this.#setUp((men) => men.set(square, letter), `${capital(manName(letter))} put on ${square}.`);
  }

  #takeOff(square) {
    const man = this.#men.get(square);
    if (!man) return;
    if (this.#chosen?.square) this.#letGo();
    this.#setUp((men) => men.delete(square), `${capital(manName(man.letter))} taken off ${square}.`);
  }

  #carry(from, to) {
    const { letter } = this.#men.get(from);
    this.#letGo();
    if (from === to) return;
    this.#setUp((men) => men.delete(from) && men.set(to, letter),
      `${capital(manName(letter))} from ${from} to ${to}.`);
  }

  #putFromTray(letter, square) {
    // A second click with the same man removes it.
    if (letter === BIN || this.#men.get(square)?.letter === letter) this.#takeOff(square);
    else this.#put(letter, square);
  }

  #pickFromTray(letter, withKeyboard) {
    const { square, tray } = this.#chosen ?? {};
    if (letter === BIN && square) {
      this.#takeOff(square);
    } else if (tray === letter) {
      this.#letGo();
      this.say("Cancelled.");
    } else {
      this.#choose({ tray: letter });
      this.say(letter === BIN ? "Pick the pieces to take off." : `${capital(manName(letter))} picked.`);
      if (withKeyboard) this.focus();
    }
  }

  // Pointer and keyboard events

  #click(event) {
    const isDragEnd = this.#hasDragged && event.detail > 0;
    this.#hasDragged = false;
    const square = event.target.closest("[data-square]")?.dataset.square;
    const letter = event.target.closest("[data-tray]")?.dataset.tray;
    if (isDragEnd) return;
    if (square) this.#activate(square);
    else if (letter) this.#pickFromTray(letter, event.detail === 0);
  }

  #down(event) {
    this.#hasDragged = false;
    if (event.button === 2 && event.pointerType === "mouse") return this.#startSketch(event);
    if (event.button !== 0 || !event.isPrimary || this.#asking) return;
    // Ends an earlier press whose end was not reported.
    this.#endPress();
    this.#eraseSketch();
    const square = event.target.closest("[data-square]")?.dataset.square;
    const tray = event.target.closest("[data-tray]")?.dataset.tray;
    if (!(square ? this.#canMove(square) : tray && tray !== BIN)) return;
    const listening = new AbortController();
    const listen = (name, hear) => window.addEventListener(name, (later) => {
      if (later.pointerId === event.pointerId) hear(later);
    }, { signal: listening.signal });
    this.#press = { square, tray, x: event.clientX, y: event.clientY, listening, node: null };
    listen("pointermove", (later) => this.#drag(later));
    listen("pointerup", (later) => this.#drop(later));
    listen("pointercancel", () => this.#letGo());
  }

  /** Draws with the right button from this square to the one where it is released. */
  #startSketch(event) {
    const from = event.target.closest("[data-square]")?.dataset.square;
    if (!from || this.#asking) return;
    if (this.#chosen || this.#press) this.#letGo();
    const listening = new AbortController();
    const listen = (name, hear) => window.addEventListener(name, hear, { signal: listening.signal });
    const end = () => {
      listening.abort();
      this.#drawSketch();
    };
    const colour = colourFor(event);
    this.#drawSketch({ from, to: from, colour });
    listen("pointermove", (later) => {
      const to = this.#under(later).square;
      this.#drawSketch(to && { from, to, colour });
    });
    listen("pointerup", (later) => {
      const to = this.#under(later).square;
      if (to) this.say(this.#sketch.toggle(from, to, colour));
      end();
    });
    listen("pointercancel", end);
    listen("blur", end);
  }

  #drag(event) {
    const press = this.#press;
    const isTouch = event.pointerType === "touch";
    if (!press.node) {
      if (Math.hypot(event.clientX - press.x, event.clientY - press.y) < (isTouch ? 8 : 4)) return;
      this.#choose(press.square ? { square: press.square } : { tray: press.tray });
      if (press.square) this.#men.get(press.square).node.classList.add("lifted");
      press.node = drawMan(press.tray ?? this.#men.get(press.square).letter);
      press.aim = make("rect", { class: "hover", width: SIZE, height: SIZE });
      this.#layer.drag.replaceChildren(press.aim, press.node);
      this.element.classList.add("dragging");
    }
    const { x, y, square } = this.#under(event);
    // A finger hides the man that it drags.
    const scale = isTouch ? 1.6 : 1.1;
    press.node.setAttribute("transform",
      `translate(${x - (SIZE / 2) * scale} ${y - (SIZE / 2) * scale}) scale(${scale})`);
    press.aim.classList.toggle("off", !square);
    if (square) place(press.aim, square, this.#flipped);
  }

  #drop(event) {
    const { node, square: from, tray } = this.#press;
    const { square: to } = this.#under(event);
    if (!node) {
      this.#endPress();
      return;
    }
    this.#hasDragged = true;
    const mayGo = to && to !== from && this.#aims().has(to);
    this.#endPress();
    if (this.#mode === "play") {
      if (mayGo) this.#go(from, to, false);
      else this.#letGo();
    } else {
      this.#letGo();
      if (!tray && !to) this.#takeOff(from);
      else if (!tray) this.#carry(from, to);
      else if (to) this.#put(tray, to);
    }
  }

  #endPress() {
    if (!this.#press) return;
    this.#press.listening.abort();
    this.#press = null;
    this.#layer.drag.replaceChildren();
    this.element.classList.remove("dragging");
    for (const { node } of this.#men.values()) node.classList.remove("lifted");
  }

  /** The place of a pointer on the picture, and its square. */
  #under(event) {
    const box = this.#grid.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * SIDE;
    const y = ((event.clientY - box.top) / box.height) * SIDE;
    const isOn = x >= 0 && x < SIDE && y >= 0 && y < SIDE;
    const [file, down] = [Math.floor(x / SIZE), Math.floor(y / SIZE)];
    const square = isOn && (this.#flipped ? squareName(7 - file, down) : squareName(file, 7 - down));
    return { x, y, square: square || null };
  }

  #key(event) {
    if (event.key === "Escape" && this.cancel()) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    if (event.altKey || event.metaKey) return;
    if (this.#asking) {
      if (event.ctrlKey) return;
      this.#asking.veil.querySelector(`[data-role="${CSS.escape(event.key.toLowerCase())}"]`)?.click();
      return;
    }
    const square = event.target.dataset?.square;
    if (!square) return;
    const next = this.#nextCell(event, this.#cells.indexOf(event.target));
    if (next !== null) {
      this.focus(this.#cells[next].dataset.square);
    } else if (event.key === "Enter" || event.key === " ") {
      this.#activate(square);
    } else if (this.#mode === "setup" && (event.key === "Delete" || event.key === "Backspace")) {
      this.#takeOff(square);
    } else if (this.#mode === "setup" && !event.ctrlKey && /^[kqrbnp]$/i.test(event.key)) {
      this.#put(event.key, square);
    } else {
      return;
    }
    event.preventDefault();
  }

  #nextCell(event, index) {
    const [column, row] = [index % 8, index >> 3];
    const to = (x, y) => 8 * Math.min(7, Math.max(0, y)) + Math.min(7, Math.max(0, x));
    switch (event.key) {
      case "ArrowLeft": return to(column - 1, row);
      case "ArrowRight": return to(column + 1, row);
      case "ArrowUp": return to(column, row - 1);
      case "ArrowDown": return to(column, row + 1);
      case "Home": return event.ctrlKey ? 0 : to(0, row);
      case "End": return event.ctrlKey ? 63 : to(7, row);
      case "PageUp": return to(column, 0);
      case "PageDown": return to(column, 7);
      default: return null;
    }
  }
}

const isPromotion = (one, other) =>
  colourOf(one) === colourOf(other) && /p/i.test(one) !== /p/i.test(other);

/** Makes a row of buttons a single stop for Tab; arrow keys move along it. */
function roving(row, buttons) {
  buttons.forEach((button, index) => button.setAttribute("tabindex", index === 0 ? "0" : "-1"));
  row.addEventListener("keydown", (event) => {
    const index = buttons.indexOf(event.target);
    const last = buttons.length - 1;
    const isTrap = event.key === "Tab" && row.getAttribute("aria-modal");
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key]
      ?? (isTrap ? (event.shiftKey ? -1 : 1) : 0);
    const ends = { Home: 0, End: last };
    if (index < 0 || (step === 0 && !(event.key in ends))) return;
    event.preventDefault();
    const next = ends[event.key] ?? (index + step + buttons.length) % buttons.length;
    buttons.forEach((button, other) => button.setAttribute("tabindex", other === next ? "0" : "-1"));
    buttons[next].focus();
  });
}
