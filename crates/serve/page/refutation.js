/** Why a move is wrong: the line that punishes it, played on the board. */
import { latest } from "/page/api.js";
import { button, fill, h } from "/page/dom.js";
import { moveLine } from "/page/moves.js";
import { notices } from "/page/notice.js";

/** The time before the first reply is played by itself, in milliseconds. */
const PAUSE = 900;

/**
 * A place that refutes moves.
 * @param {{board: import("/page/board.js").Board, signal: AbortSignal, onBack: function(), back?: string}} options
 *   onBack: the reader takes the move back; back: the words of that button
 * @returns {{element: HTMLElement, show: function({fen: string, uci: string, player?: string, better?: boolean,
 *   unknown?: string}), clear: function()}} show: `fen` is the position before the move; `player` judges by a measure
 *   too; `better` names the better move; `unknown` is said in place of an error if there is no table
 */
export function refutation({ board, signal, onBack, back = "Take back" }) {
  const ask = latest(signal);
  const notice = notices();
  const place = h("div", { class: "stack", role: "status" });
  const element = h("div", { class: "refutation stack", hidden: true }, notice.element, place);
  let timer = null;
  let run = 0;

  function clear() {
    run += 1;
    clearTimeout(timer);
    ask.stop();
    notice.clear();
    element.hidden = true;
    fill(place);
  }

  async function show({ fen, uci, player, better = true, unknown }) {
    clear();
    const mine = run;
    element.hidden = false;
    const query = { fen, move: uci, player };
    const found = await notice.run((options) =>
      ask("/api/refutation", query, options).catch((error) => {
        if (unknown && error.status === 400) return { says: unknown, better: "", line: [] };
        throw error;
      }),
    );
    if (!found || mine !== run) return;
    const step = (at, move) => {
      clearTimeout(timer);
      board.mark([]);
      board.show({ fen: move?.fen ?? fen, moves: [], lastMove: move?.uci ?? null, check: null });
    };
    const goesOn = found.line.length > 1;
    const line = goesOn && moveLine({ label: "What follows", fen, line: found.line, at: 1, onStep: step });
    fill(
      place,
      h("p", { class: "error" }, found.says, better && found.better && ` ${found.better}`),
      goesOn && line.element,
      h("div", { class: "row" }, button(back, onBack, { class: "primary" })),
    );
    if (found.line.length > 0) step(1, found.line[0]);
    if (!goesOn) return;
    timer = setTimeout(() => {
      line.set(2);
      step(2, found.line[1]);
    }, PAUSE);
  }

  signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  return { element, show, clear };
}
