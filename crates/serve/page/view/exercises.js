/** Exercises of stages, or of a lesson: the reader makes a move, and it is judged. */
import { href } from "/page/address.js";
import { get, latest } from "/page/api.js";
import { Board } from "/page/board.js";
import { button, fill, h } from "/page/dom.js";
import { sideToMove } from "/page/game.js";
import { legend } from "/page/legend.js";
import { remember, remembered } from "/page/memory.js";
import { notices } from "/page/notice.js";
import { refutation } from "/page/refutation.js";

/** The key of the stored progress, beside the endgame. */
const KIND = "exercises";

/** The exercises of a lesson in stages. Their solutions arrive with the table. */
const ofStages = ({ stages }) =>
  stages.map(({ title, exercise: { fen, question, hint } }) => ({
    fen,
    stage: title,
    hint,
    task: `${sideToMove(fen)}. ${question}`,
    key: fen,
  }));

/** Those of a player's lesson. */
const ofLesson = ({ exercises = [] }) =>
  exercises.map((one) => ({ ...one, key: `${one.fen} ${one.solutions[0]}` }));

/**
 * @param {HTMLElement} place @param {Object} first @param {function} go @param {AbortSignal} signal
 * @param {{lesson: Object|null, staged: Object|null, onMastered: function()}} context lesson: the exercises of a
 *   player's lesson; otherwise those of the stages; onMastered is called when one is solved
 */
export function open(place, first, go, signal, { lesson, staged, onMastered }) {
  const { material } = lesson ?? staged;
  const exercises = lesson ? ofLesson(lesson) : ofStages(staged);
  if (!exercises.length) {
    fill(place, h("p", { class: "notice" }, "This lesson has no exercises."));
    return { update() {} };
  }
  let state = first;
  let at = -1;
  let game = null;
  let hints = 0;
  const ask = latest(signal);
  const askAnswers = latest(signal);
  const isSolved = ({ key }) => key in remembered(material, KIND).mastered;
  const notice = notices({ again: () => draw(true) });
  const boardPlace = h("div", { class: "board-place" });
  const keys = h("div");
  const where = h("h2", {});
  const task = h("p", { class: "stage-aim" });
  const verdict = h("div", { role: "status" });
  const hint = button("", moreHint, { class: "primary" });
  const goOn = h("a", { class: "button primary", hidden: true }, "Go on: play it");
  const show = button("Show the answer", answer);
  const back = button("Previous", () => to(at - 1), { "aria-label": "Previous exercise" });
  const on = button("Next", () => to(at + 1), { "aria-label": "Next exercise" });
  const list = h("ol", { class: "numbers", "aria-label": "Exercises" });
  const others = h("p", { class: "small" });
  const boardKeys = h("div", { class: "side" }, boardPlace, keys);
  const panel = h("section", { class: "panel", "aria-label": "Exercise" });
  fill(place, h("div", { class: "columns fits whole" }, boardKeys, h("div", {}, panel)));
  const board = new Board(boardPlace, {
    fen: exercises[0].fen,
    label: "Exercise",
    mode: "play",
    moves: [],
    onMove: judge,
  });
  const refuted = refutation({ board, signal, onBack: () => draw(true) });
  fill(
    panel,
    where,
    task,
    notice.element,
    verdict,
    refuted.element,
    h("div", { class: "row" }, goOn, hint, show, back, on),
    list,
    others,
  );

  const to = (n) => n >= 0 && n < exercises.length && go({ n: n ? n + 1 : null });

  /** The solution of an exercise; undefined if it cannot be had. */
  async function solved(exercise) {
    if (exercise.solutions) return exercise;
    const found = await notice.run((options) => askAnswers("/api/stages/answers", { material }, options));
    found?.stages.forEach(({ right, reason }, i) =>
      Object.assign(exercises[i], { solutions: right, explanation: reason }),
    );
    return exercise.solutions ? exercise : undefined;
  }

  async function draw(again = false) {
    if (!again && game?.at === at) return;
    const exercise = exercises[at];
    game = null;
    hints = 0;
    where.textContent = exercise.stage
      ? `Exercise ${at + 1} of ${exercises.length}: ${exercise.stage}`
      : `Exercise ${at + 1} of ${exercises.length}`;
    task.textContent = exercise.task;
    fill(verdict);
    fill(keys);
    refuted.clear();
    back.disabled = at === 0;
    on.disabled = at === exercises.length - 1;
    drawHint();
    drawNext(isSolved(exercise));
    drawList();
    drawOthers();
    board.setMode("play");
    board.mark([]);
    board.show({ fen: exercise.fen, moves: [], lastMove: null, check: null, animate: false });
    const mine = at;
    const found = await notice.run((options) => ask("/api/game", { fen: exercise.fen }, options));
    if (!found || mine !== at) return;
    game = { ...found, at };
    board.show({ fen: game.fen, moves: game.moves, lastMove: null, check: game.check });
    // The table may have to be solved first: the sooner that begins, the better.
    await solved(exercise);
  }

  const sanOf = (uci) => game?.moves.find((move) => move.uci === uci)?.san ?? uci;

  async function judge(uci) {
    const exercise = await solved(exercises[at]);
    if (!exercise || exercise !== exercises[at]) return;
    const right = exercise.solutions.includes(uci);
    const { fen } = exercise;
    const san = sanOf(uci);
    fill(keys);
    board.mark([]);
    if (!right) {
      fill(verdict, h("p", {}, h("b", {}, `${san} is not the right move.`)));
      const unknown = `The table of ${material} is not here, so the line that punishes it cannot be shown.`;
      return refuted.show({ fen, uci, player: staged ? "measure" : null, better: false, unknown });
    }
    remember(material, KIND, { key: exercise.key, wasted: 0 });
    onMastered();
    const also = exercise.solutions.filter((one) => one !== uci).map(sanOf);
    refuted.clear();
    fill(
      verdict,
      h(
        "div",
        { class: "notice stack" },
        h("p", { class: "win" }, h("b", {}, `${san} is right.`)),
        h("p", {}, exercise.explanation),
        also.length > 0 && h("p", {}, `Equally good: ${also.join(", ")}.`),
      ),
    );
    drawList();
    drawNext(true);
    try {
      const after = await get("/api/game", { fen, moves: uci }, { signal });
      if (exercises[at].fen === fen) board.show({ fen: after.fen, moves: [], lastMove: uci, check: after.check });
    } catch {
      // The verdict stays.
    }
  }

  async function answer() {
    const exercise = await solved(exercises[at]);
    if (!exercise || exercise !== exercises[at]) return;
    const { solutions, explanation, fen } = exercise;
    refuted.clear();
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
    mark(solutions.map((uci) => ({ shape: "arrow", from: uci.slice(0, 2), to: uci.slice(2, 4), label: sanOf(uci) })));
  }

  function mark(marks) {
    board.mark(marks);
    fill(keys, legend(marks.filter(({ shape }) => shape !== "arrow")));
  }

  // The hints are the aim of the move, the piece, and the move. Only the exercises of stages have an aim.
  const hintsOf = ({ hint: aim }) => (aim ? ["aim", "piece", "move"] : ["piece", "move"]);

  function drawHint() {
    const kinds = hintsOf(exercises[at]);
    hint.textContent = `Hint: the ${kinds[Math.min(hints, kinds.length - 1)]}`;
    hint.disabled = hints >= kinds.length;
  }

  async function moreHint() {
    const exercise = await solved(exercises[at]);
    if (!exercise || exercise !== exercises[at]) return;
    const kind = hintsOf(exercise)[hints];
    hints += 1;
    drawHint();
    if (kind === "move") return answer();
    refuted.clear();
    if (game) board.show({ fen: exercise.fen, moves: game.moves, lastMove: null, check: game.check });
    const from = exercise.solutions[0].slice(0, 2);
    const words = kind === "aim" ? exercise.hint : `Move the piece on ${from}.`;
    fill(verdict, h("p", { class: "notice" }, words));
    mark(kind === "piece" ? [{ shape: "ring", squares: [from], label: "the piece that moves" }] : []);
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

  // One filled button at a time: a hint until the exercise is solved, then the next step.
  function drawNext(solved) {
    const plays = solved && !lesson;
    goOn.hidden = !plays;
    if (plays) goOn.href = href({ tab: "practice", stage: at + 1, n: null, of: null }, state);
    hint.classList.toggle("primary", !solved);
    on.classList.toggle("primary", solved && !plays && !on.disabled);
  }

  function drawOthers() {
    if (!staged) return;
    const [words, of] = lesson ? ["Exercises of the stages", null] : ["More exercises, of the method", "lesson"];
    fill(others, h("a", { href: href({ of, n: null }, state) }, words));
  }

  return {
    update(next) {
      state = next;
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
      refuted.clear();
      board.destroy();
    },
  };
}
