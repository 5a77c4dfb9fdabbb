/** Lists of moves, and lines of moves to step through. */
import { button, fill, h } from "/page/dom.js";
import { turnOf } from "/page/game.js";

/** Moves that the same is said of stand in one row. @param {Object[]} moves @returns {Array<[string, Object[]]>} */
function rowsOf(moves) {
  const rows = new Map();
  for (const move of moves) rows.set(move.says ?? "", [...(rows.get(move.says ?? "") ?? []), move]);
  return [...rows];
}

/**
 * A list of moves in groups, and in rows of those of which the same is said. The arrow keys, Home and End move through it; Enter chooses.
 * @param {{label: string, groups: Array<{heading: string, kind?: string, moves: Array<{uci: string, san:
 *   string,
 *   says?: string, title?: string}>}>, chosen?: string[], onPoint?: function(Object|null), onChoose:
 *   function(Object)}}
 *   options chosen: the moves that are shown as pressed; onPoint is called with the move that is pointed at
 *   or focused
 * @returns {HTMLElement}
 */
export function moveList({ label, groups, chosen, onPoint, onChoose }) {
  const buttons = [];
  let pointed = null;

  function item(move) {
    const choose = (event) => {
      clicked = placeOf(event);
      onChoose(move);
    };
    const one = button(move.san, choose, {
      class: "move",
      title: move.title,
      "data-uci": move.uci,
      "aria-label": move.says ? `${move.san}, ${move.says}` : null,
      "aria-pressed": chosen && String(chosen.includes(move.uci)),
    });
    // A move that slides under a resting pointer does not count as pointed at.
    one.addEventListener("pointermove", (event) => {
      if (pointed === move || placeOf(event) === clicked) return;
      pointed = move;
      onPoint?.(move);
    });
    one.addEventListener("focus", () => {
      for (const other of buttons) other.tabIndex = other === one ? 0 : -1;
      onPoint?.(move);
    });
    one.addEventListener("blur", () => onPoint?.(null));
    one.tabIndex = buttons.length ? -1 : 0;
    buttons.push(one);
    return h("li", {}, one);
  }

  const sections = groups
    .filter((group) => group.moves.length)
    .map((group) =>
      h(
        "section",
        { class: `move-group ${group.kind ?? ""}` },
        h("h3", {}, group.heading, " ", h("span", { class: "count" }, String(group.moves.length))),
        rowsOf(group.moves).map(([says, moves]) =>
          h(
            "div",
            { class: "move-row" },
            says && h("span", { class: "move-says" }, says),
            h("ul", {}, moves.map(item)),
          ),
        ),
      ),
    );
  const element = h("div", { class: "move-list", role: "group", "aria-label": label }, sections);
  element.addEventListener("pointerleave", () => {
    pointed = null;
    const focused = buttons.findIndex((one) => one === document.activeElement);
    if (focused < 0) onPoint?.(null);
  });
  element.addEventListener("keydown", (event) => {
    const to = step(event.key, buttons.indexOf(document.activeElement), buttons.length - 1);
    if (to === null || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    buttons[to]?.focus();
  });
  return element;
}

/** The place of the pointer when a move was last chosen. */
let clicked = "";
const placeOf = ({ screenX, screenY }) => `${screenX},${screenY}`;

function step(key, at, last) {
  if (key === "ArrowDown" || key === "ArrowRight") return Math.min(at + 1, last);
  if (key === "ArrowUp" || key === "ArrowLeft") return Math.max(at - 1, 0);
  if (key === "Home") return 0;
  if (key === "End") return last;
  return null;
}

/**
 * A line of moves to step through. `at` is the number of moves on the board: 0 is the position before the
 * line.
 * @param {{label: string, fen: string, line: Array<{uci: string, san: string, fen?: string, says?: string,
 *   number?: number}>, at?: number, short?: number, onStep: function(number, Object|null)}} options
 *   fen: the position before the line; number: the number of a measure after the move; short: the number of moves shown until "All" is pressed
 * @returns {{element: HTMLElement, at: number, set: function(number)}} set does not call onStep
 */
export function moveLine({ label, fen, line, at = 0, short = 0, onStep }) {
  const items = [];
  const words = h("div", { class: "line-moves", role: "group", "aria-label": label });
  let number = Number(fen.split(" ")[5]) || 1;
  let turn = turnOf(fen);
  line.forEach((move, i) => {
    const before = turn === "white" ? `${number}. ` : i === 0 ? `${number}... ` : "";
    const item = button(move.san, () => go(i + 1), { class: "line-move", title: move.says, tabindex: "-1" });
    items.push(item);
    const after = move.number ?? null;
    words.append(
      h(
        "span",
        { class: "ply" },
        before && h("span", { class: "number" }, before),
        item,
        after !== null && h("span", { class: "number measured" }, String(after)),
      ),
      " ",
    );
    if (turn === "black") number += 1;
    turn = turn === "white" ? "black" : "white";
  });
  const first = button("\u00ab", () => go(0), { "aria-label": "To the start of the line" });
  const back = button("\u2039", () => go(at - 1), { "aria-label": "Previous move" });
  const on = button("\u203a", () => go(at + 1), { "aria-label": "Next move" });
  const last = button("\u00bb", () => go(line.length), { "aria-label": "To the end of the line" });
  const where = h("span", { class: "small", role: "status" });
  const all =
    short && line.length > short + 4
      ? button(
          "The whole line",
          () => {
            words.classList.remove("cut");
            all.remove();
            draw();
          },
          { class: "quiet" },
        )
      : null;
  if (all) words.classList.add("cut");
  const element = h(
    "div",
    { class: "line" },
    words,
    h("div", { class: "row steps" }, first, back, on, last, where, all),
  );
  element.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const to = step(event.key, at, line.length);
    if (to === null) return;
    event.preventDefault();
    go(to);
    if (words.contains(document.activeElement)) items[at - 1]?.focus();
  });

  function go(to) {
    const bounded = Math.max(0, Math.min(to, line.length));
    if (bounded === at) return;
    at = bounded;
    draw();
    onStep(at, at ? line[at - 1] : null);
  }

  function draw() {
    const cut = words.classList.contains("cut");
    items.forEach((item, i) => {
      if (i + 1 === at) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
      item.tabIndex = i + 1 === Math.max(at, 1) ? 0 : -1;
      item.parentElement.hidden = cut && i >= Math.max(short, at);
    });
    // Disabling a button that has the focus would lose the focus.
    for (const [one, off] of [
      [first, at === 0],
      [back, at === 0],
      [on, at === line.length],
      [last, at === line.length],
    ]) {
      one.setAttribute("aria-disabled", String(off));
    }
    const move = line[at - 1];
    where.textContent = at ? `${at} of ${line.length}${move.says ? `: ${move.says}` : ""}` : "";
  }

  draw();
  return {
    element,
    get at() {
      return at;
    },
    set(to) {
      at = Math.max(0, Math.min(to, line.length));
      draw();
    },
  };
}
