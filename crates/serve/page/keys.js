/**
 * The keys and the wheel for a board with a line or a game: one listener for a view, so that the keys work
 * wherever the focus is, except where a control uses the key itself.
 */
import { iconButton } from "/page/controls.js";
import { button, fill, h } from "/page/dom.js";

/**
 * @typedef {{at: number, length: number, start?: number, go: function(number)}} Track
 *   at: the number of moves on the board; length: the number of all moves; start: the number of moves before
 *   the line on the board, where Home goes first
 */

/** Milliseconds between two steps by the wheel. */
const WHEEL_PAUSE = 90;

/** Places where the arrow keys, Home and End have another meaning. */
const OWN_STEPS =
  "select, textarea, pre, [data-square], [role=toolbar], [role=slider], [role=tablist], .table-scroll, " +
  "input:not([type=checkbox], [type=button])";
/** Places where letters are typed or choose something. */
const OWN_LETTERS =
  "select, textarea, [contenteditable], input:not([type=checkbox], [type=radio], [type=range])";

const HELP = [
  ["\u2190 \u2192", "One move back, one move on"],
  ["Home End", "To the first position, to the last"],
  ["f", "Flip the board"],
  ["Esc", "Put the piece down, remove drawn arrows and circles"],
];
const POINTER = [
  ["Wheel over the board", "Step through the moves"],
  ["Right button, drag", "Draw an arrow; the same again removes it"],
  ["Right click", "Draw a circle"],
  ["Shift, Alt, both", "Draw in red, in blue, in yellow"],
];
const SQUARES = [
  ["Tab to the board, arrow keys", "Go from square to square"],
  ["Enter", "Pick a piece up, put it down"],
];

/**
 * Listens until `signal` fires.
 * @param {{board: import("/page/board.js").Board, track: function(): Track|null, flip: function(),
 *   more?: Array<{key: string, says: string, act: function()}>, signal: AbortSignal}} options
 * @returns {HTMLButtonElement} the button that explains the keys
 */
export function boardKeys({ board, track, flip, more = [], signal }) {
  const dialog = helpDialog(more);
  const opener = iconButton("keys", "Keys of the board", () => open(), {
    "aria-haspopup": "dialog",
    title: "Keys of the board (?)",
  });

  function open() {
    if (dialog.open) return;
    document.body.append(dialog);
    dialog.showModal();
  }

  function step(key) {
    const { at, length, start = 0, go } = track() ?? { at: 0, length: 0 };
    const to = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      Home: at > start ? start : 0,
      End: length,
    }[key];
    if (to < 0 || to > length || to === at) return false;
    go(to);
    return true;
  }

  function act(event) {
    if (event.key === "Escape") return board.cancel();
    if (event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End")
      return !event.target.closest?.(OWN_STEPS) && step(event.key);
    if (event.target.closest?.(OWN_LETTERS)) return false;
    const does = { f: flip, "?": open }[event.key] ?? more.find(({ key }) => key === event.key)?.act;
    does?.();
    return Boolean(does);
  }

  addEventListener(
    "keydown",
    (event) => {
      if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.isComposing)
        return;
      if (document.querySelector("dialog[open]")) return;
      if (act(event)) event.preventDefault();
    },
    { signal },
  );

  let last = 0;
  board.element.addEventListener(
    "wheel",
    (event) => {
      const now = track();
      const by = Math.sign(event.deltaY);
      // At the ends of the line, and to zoom, the wheel belongs to the browser.
      if (event.ctrlKey || !now || !by || now.at + by < 0 || now.at + by > now.length) return;
      event.preventDefault();
      if (event.timeStamp - last < WHEEL_PAUSE) return;
      last = event.timeStamp;
      now.go(now.at + by);
    },
    { signal, passive: false },
  );
  signal.addEventListener("abort", () => dialog.remove());
  return opener;
}

function helpDialog(more) {
  const rows = (list) => list.map(([keys, says]) => h("div", {}, h("dt", {}, keys), h("dd", {}, says)));
  const dialog = h("dialog", { class: "keys-help", "aria-labelledby": "keys-heading" });
  fill(
    dialog,
    h("h2", { id: "keys-heading" }, "Keys and mouse"),
    h("h3", {}, "Anywhere but in a field"),
    h("dl", {}, rows([...HELP, ...more.map(({ key, says }) => [key, says]), ["?", "Show this list"]])),
    h("h3", {}, "On the board"),
    h("dl", {}, rows([...SQUARES, ...POINTER])),
    h(
      "div",
      { class: "row" },
      button("Close", () => dialog.close(), { class: "primary" }),
    ),
  );
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  return dialog;
}
