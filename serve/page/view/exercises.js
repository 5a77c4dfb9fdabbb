/** The exercises of a lesson: the reader makes a move, and it is judged. */
import { get, latest } from "/page/api.js";
import { Board } from "/page/board.js";
import { button, fill, h } from "/page/dom.js";
import { remember, remembered } from "/page/memory.js";
import { notices } from "/page/notice.js";

/** The key of the stored progress, beside the endgame. */
const KIND = "exercises";

/**
 * @param {HTMLElement} place @param {Object} first @param {function} go @param {AbortSignal} signal
 * @param {{lesson: Object}} context
 */
export function open(place, first, go, signal, { lesson }) {
  const exercises = lesson.exercises ?? [];
  if (!exercises.length) {
    fill(place, h("p", { class: "notice" }, "This lesson has no exercises."));
    return { update() {} };
  }
  let at = -1;
  let game = null;
  const ask = latest(signal);
  const keyOf = ({ fen, solutions }) => `${fen} ${solutions[0]}`;
  const isSolved = (exercise) => keyOf(exercise) in remembered(lesson.material, KIND).mastered;
  const notice = notices({ again: () => draw(true) });
  const boardPlace = h("div", { class: "board-place" });
  const where = h("h2", {});
  const task = h("p", {});
  const verdict = h("div", { role: "status" });
  const back = button("Previous exercise", () => to(at - 1));
  const on = button("Next exercise", () => to(at + 1));
  const list = h("ol", { class: "numbers", "aria-label": "Exercises" });
  fill(
    place,
    h(
      "div",
      { class: "columns" },
      h("div", { class: "side" }, boardPlace),
      h(
        "div",
        {},
        h(
          "section",
          { class: "panel" },
          where,
          task,
          notice.element,
          verdict,
          h(
            "div",
            { class: "row" },
            button("Show the answer", answer),
            button("Once more", () => draw(true)),
            back,
            on,
          ),
          list,
        ),
      ),
    ),
  );
  const board = new Board(boardPlace, {
    fen: exercises[0].fen,
    label: "Exercise",
    mode: "play",
    moves: [],
    onMove: judge,
  });

  const to = (n) => n >= 0 && n < exercises.length && go({ n: n ? n + 1 : null });

  async function draw(again = false) {
    if (!again && game?.at === at) return;
    const exercise = exercises[at];
    game = null;
    where.textContent = `Exercise ${at + 1} of ${exercises.length}`;
    task.textContent = exercise.task;
    fill(verdict);
    back.disabled = at === 0;
    on.disabled = at === exercises.length - 1;
    drawList();
    board.setMode("play");
    board.mark([]);
    board.show({ fen: exercise.fen, moves: [], lastMove: null, check: null, animate: false });
    const mine = at;
    const found = await notice.run((options) => ask("/api/game", { fen: exercise.fen }, options));
    if (!found || mine !== at) return;
    game = { ...found, at };
    board.show({ fen: game.fen, moves: game.moves, lastMove: null, check: game.check });
  }

  const sanOf = (uci) => game?.moves.find((move) => move.uci === uci)?.san ?? uci;

  async function judge(uci) {
    const exercise = exercises[at];
    const right = exercise.solutions.includes(uci);
    const { fen } = exercise;
    const san = sanOf(uci);
    if (right) remember(lesson.material, KIND, { key: keyOf(exercise), wasted: 0 });
    const others = exercise.solutions.filter((one) => one !== uci).map(sanOf);
    fill(
      verdict,
      right
        ? h(
            "div",
            { class: "notice stack" },
            h("p", { class: "win" }, h("b", {}, `${san} is right.`)),
            h("p", {}, exercise.explanation),
            others.length > 0 && h("p", {}, `Equally good: ${others.join(", ")}.`),
          )
        : h("p", { class: "error" }, `${san} is not the right move. Try another one.`),
    );
    drawList();
    try {
      const after = await get("/api/game", { fen, moves: uci }, { signal });
      if (exercises[at].fen !== fen) return;
      board.show({ fen: after.fen, moves: [], lastMove: uci, check: after.check });
      if (right) return;
      await new Promise((resolve) => setTimeout(resolve, 900));
    } catch {
      // The verdict stays; the board goes back.
    }
    if (!signal.aborted && exercises[at].fen === fen && game) {
      board.show({ fen, moves: game.moves, lastMove: null, check: game.check });
    }
  }

  function answer() {
    const { solutions, explanation, fen } = exercises[at];
    fill(
      verdict,
      h(
        "div",
        { class: "notice stack" },
        h("p", {}, h("b", {}, `${solutions.map(sanOf).join(" or ")}.`)),
        h("p", {}, explanation),
      ),
    );
    if (game) board.show({ fen, moves: game.moves, lastMove: null, check: game.check });
    board.mark(
      solutions.map((uci) => ({
        shape: "arrow",
        from: uci.slice(0, 2),
        to: uci.slice(2, 4),
        label: sanOf(uci),
      })),
    );
  }

  function drawList() {
    fill(
      list,
      exercises.map((exercise, i) => {
        const done = isSolved(exercise);
        const one = button(done ? `${i + 1} \u2713` : String(i + 1), () => to(i), {
          "aria-current": i === at ? "true" : null,
          "aria-label": `Exercise ${i + 1}${done ? ", solved" : ""}`,
          class: done ? "done" : null,
        });
        return h("li", {}, one);
      }),
    );
  }

  return {
    update(state) {
      const hadFocus = list.contains(document.activeElement);
      const n = Math.max(1, Math.min(Number(state.n) || 1, exercises.length)) - 1;
      if (n !== at) game = null;
      at = n;
      const drawing = draw();
      drawList();
      if (hadFocus) list.querySelector("[aria-current]")?.focus();
      return drawing;
    },
    leave() {
      board.destroy();
    },
  };
}
