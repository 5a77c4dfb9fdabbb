/** The board of a series: the game at hand, on which a human plays. */
import { isAbort, latest, post } from "/page/api.js";
import { Board } from "/page/board.js";
import { check } from "/page/controls.js";
import { button, fill, h } from "/page/dom.js";
import { capital, INITIAL, nameOf, turnOf } from "/page/game.js";
import { boardKeys } from "/page/keys.js";
import { notices } from "/page/notice.js";

/** Milliseconds between two positions of a series that nobody plays along with. */
const BETWEEN = 400;

/** A FEN whose count to the fifty-move rule begins anew: the study's rules go on where that rule would end the game. */
const withoutClock = (fen) => fen.split(" ").with(4, "0").join(" ");

/**
 * @param {{go: function, signal: AbortSignal, job: function(): Object|null}} options job: the series that is shown
 * @returns {{element: HTMLElement, show: function(Object|null), update: function(Object), leave: function()}}
 */
export function gamePart({ go, signal, job }) {
  let state = {};
  let shown = null; // the position on the board, as text
  let told = null; // the position about which something was sent, as text
  let drawnAt = 0;
  let waiting = 0;
  const ask = latest(signal);
  const notice = notices();
  const boardPlace = h("div", { class: "board-place" });
  const board = new Board(boardPlace, { fen: INITIAL, label: "The game at hand", onMove: (uci) => tell(uci) });
  const status = h("p", { class: "outcome", role: "status" });
  const before = h("p", { class: "small", role: "status" });
  const flip = () => go({ flip: state.flip ? null : "1" }, { replace: true });
  const flipButton = button("Flip the board", flip, { "aria-pressed": "false" });
  const resign = button("Resign", () => tell("resign"));
  const watch = check("Show the games", true, (yes) => go({ watch: yes ? null : "0" }, { replace: true }));
  const keys = boardKeys({ board, track: () => null, flip, signal });
  const element = h(
    "div",
    { class: "stack" },
    boardPlace,
    status,
    before,
    notice.element,
    h("div", { class: "row" }, resign, flipButton, keys, watch),
  );
  return { element, show, update, leave };

  function update(next) {
    state = next;
    flipButton.setAttribute("aria-pressed", String(Boolean(state.flip)));
    watch.querySelector("input").checked = state.watch !== "0";
    show(job());
  }

  function leave() {
    clearTimeout(waiting);
    board.destroy();
  }

  /** Sends a move, or resigns. */
  async function tell(line) {
    const { id, live } = job();
    const place = placeOf(live);
    told = `${id} ${place}`;
    show(job());
    const body = { line: `${place} ${line}` };
    const answer = await notice.run(() => post(`/api/jobs/${id}/input`, body, { signal }));
    if (answer) return;
    told = null;
    show(job());
  }

  function placeOf({ game, plies }) {
    return `${game}/${plies}`;
  }

  function show(series) {
    const live = series?.live;
    const isRunning = series?.state === "running";
    const isHuman = series?.fields?.opponent === "human";
    // What was sent may not have been read yet.
    const waits = isRunning && Boolean(live?.waits) && told !== `${series.id} ${placeOf(live)}`;
    watch.hidden = isHuman || !isRunning;
    resign.hidden = !isHuman || !isRunning;
    resign.disabled = !waits;
    clearTimeout(waiting);
    if (!live) {
      fill(status, isRunning ? "The series begins." : "");
      fill(before);
      return put({ fen: series?.fields?.start || INITIAL, last: null, isMine: false, isFlipped: Boolean(state.flip) });
    }
    fill(before, live.before ?? "");
    fill(status, sentenceOf({ ...live, waits }, { isRunning, isHuman }));
    // A human sits at the bottom.
    const own = isHuman && live.color === "white";
    const isFlipped = own !== Boolean(state.flip);
    if (!isHuman && isRunning && state.watch === "0") return undefined;
    const left = isHuman || !isRunning ? 0 : BETWEEN - (performance.now() - drawnAt);
    if (left > 0) {
      waiting = setTimeout(() => show(job()), left);
      return undefined;
    }
    return put({ fen: live.fen, last: live.last, isMine: waits, isFlipped });
  }

  function sentenceOf({ game, color, fen, waits, over }, { isRunning, isHuman }) {
    const number = `Game ${game.toLocaleString("en")}`;
    if (over) return `${number}: ${capital(over)}`;
    if (!isRunning) return `${number} was stopped.`;
    const learner = `the learner has ${nameOf(color)}`;
    if (!isHuman) return `${number}: ${learner}.`;
    return waits ? `${number}: your move, with ${nameOf(turnOf(fen))}.` : `${number}: the learner thinks.`;
  }

  async function put({ fen, last, isMine, isFlipped }) {
    const text = JSON.stringify([fen, last, isMine, isFlipped]);
    if (text === shown) return;
    shown = text;
    drawnAt = performance.now();
    if (board.flipped !== isFlipped) board.setFlipped(isFlipped);
    board.show({ fen, lastMove: last, animate: isMine });
    if (board.mode !== (isMine ? "play" : "look")) board.setMode(isMine ? "play" : "look");
    if (!isMine) return;
    try {
      const { moves, check: inCheck } = await ask("/api/game", { fen: withoutClock(fen) });
      if (shown === text) board.show({ fen, moves, lastMove: last, check: inCheck });
    } catch (error) {
      if (!isAbort(error)) notice.show(error);
    }
  }
}
