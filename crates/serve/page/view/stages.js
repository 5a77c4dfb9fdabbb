/** A lesson in stages: for each its aim, a board, what is proved and what is advice, an exercise and a game. */
import { href } from "/page/address.js";
import { latest } from "/page/api.js";
import { Board } from "/page/board.js";
import { button, fill, h } from "/page/dom.js";
import { sideToMove, turnOf } from "/page/game.js";
import { legend } from "/page/legend.js";
import { progressOf } from "/page/mastery.js";
import { remembered } from "/page/memory.js";
import { moveList } from "/page/moves.js";
import { notices } from "/page/notice.js";
import { learnersMarks, roomWords } from "/page/room.js";

const KINDS = { proved: "Proved", advice: "Advice" };

/**
 * @param {HTMLElement} place @param {Object} first @param {function} go @param {AbortSignal} signal
 * @param {{staged: Object}} context staged: the answer of /api/stages
 */
export function open(place, first, go, signal, { staged }) {
  const { material, stages } = staged;
  let state = first;
  let counts = null; // the answer of /api/stages/answers
  let drawn = "";
  const ask = { answers: latest(signal), game: latest(signal), measured: latest(signal) };
  const answersNotice = notices({ again: () => count() });
  const notice = notices({ again: () => draw(true) });

  const boardPlace = h("div", { class: "board-place" });
  const keys = h("div");
  const head = h("h2", { class: "outcome" });
  const aim = h("p", { class: "stage-aim" });
  const room = h("p", { class: "room", "aria-live": "polite" });
  const claims = h("ul", { class: "claims", "aria-label": "What is proved, and what is advice" });
  const shows = h("div", { class: "stack small" });
  const numbers = h("div");
  const where = h("div", { class: "row" });
  const doors = h("div", { class: "row" });
  fill(
    place,
    h(
      "div",
      { class: "columns fits" },
      h("div", { class: "side" }, boardPlace, keys),
      h(
        "div",
        {},
        h(
          "section",
          { class: "panel", "aria-label": "Stage" },
          head,
          aim,
          room,
          doors,
          claims,
          answersNotice.element,
          notice.element,
          where,
          h(
            "details",
            {},
            h("summary", {}, "How the computer measures this"),
            h("div", { class: "stack" }, shows, numbers),
          ),
        ),
      ),
    ),
  );
  const board = new Board(boardPlace, {
    fen: stages[0].board.fen,
    label: "Board of the stage",
    mode: "play",
    moves: [],
    onMove: (uci) => go({ tried: [...tried(), uci].join(",") }),
  });

  const at = () => Math.max(1, Math.min(Number(state.stage) || 1, stages.length)) - 1;
  const tried = () => (state.tried ? state.tried.split(",") : []);

  async function count() {
    if (counts) return;
    const found = await answersNotice.run((options) =>
      ask.answers("/api/stages/answers", { material }, options),
    );
    if (!found) return;
    counts = found.stages;
    drawClaims();
  }

  function drawClaims() {
    const stage = stages[at()];
    fill(
      claims,
      stage.claims.map(({ kind, says }, i) =>
        h(
          "li",
          { class: `claim ${kind}` },
          h("b", { class: "chip" }, KINDS[kind]),
          h("span", {}, kind === "advice" ? says : [`${says}: `, counted(counts?.[at()].counts[i])]),
        ),
      ),
    );
  }

  const counted = (words) =>
    words
      ? h("strong", {}, `${words}.`)
      : h("span", { class: "small" }, "the positions are being counted...");

  async function draw(force = false) {
    const question = JSON.stringify([at(), state.tried]);
    if (!force && drawn === question) return;
    const isOther = !drawn || JSON.parse(drawn)[0] !== at();
    drawn = question;
    const stage = stages[at()];
    if (isOther) {
      head.textContent = `${at() + 1}. ${stage.title}`;
      aim.textContent = stage.aim;
      drawClaims();
      drawDoors(stage);
      fill(numbers);
    }
    const { fen } = stage.board;
    if (!tried().length) drawStart(stage);
    const moved = await notice.run(async (options) => {
      const game = await ask.game("/api/game", { fen, moves: tried().join(",") }, options);
      const measured =
        game.endgame && !game.over ? await ask.measured("/api/measured", { fen: game.fen }, options) : null;
      return { game, measured };
    });
    if (!moved) return;
    drawPosition(stage, moved);
  }

  // The room of the black king is drawn and counted; what each square adds is the computer's business.
  function showMarks(marks) {
    const shown = learnersMarks(marks);
    board.mark(shown);
    fill(keys, legend(shown));
    fill(room, roomWords(marks));
  }

  // What is known without any answer of the server.
  function drawStart({ board: { fen, marks, says } }) {
    showMarks(marks);
    board.show({ fen, lastMove: null, check: null, animate: false });
    fill(
      shows,
      says.map((words) => h("p", {}, words)),
    );
  }

  function drawPosition(stage, { game, measured }) {
    board.show({
      fen: game.fen,
      moves: game.moves,
      lastMove: game.played.at(-1)?.uci ?? null,
      check: game.check,
    });
    const isStart = !tried().length;
    if (!isStart) {
      const marks = measured?.marks ?? [];
      showMarks(marks);
      fill(
        shows,
        measured && measured.number !== null
          ? [h("p", {}, `The number is ${measured.sum}.`), measured.terms.map((words) => h("p", {}, words))]
          : h("p", {}, game.over ? game.status : "This endgame has no measure."),
      );
    }
    const known = (measured?.moves ?? []).filter(({ number }) => number !== null);
    const isWhite = turnOf(game.fen) === "white";
    // White looks for small numbers, Black for great ones.
    known.sort((one, other) => (isWhite ? one.number - other.number : other.number - one.number));
    fill(
      numbers,
      known.length > 0 &&
        moveList({
          label: "Moves, with the number after each",
          groups: [
            {
              heading: `${sideToMove(game.fen)}: the number after each move`,
              moves: known.map(({ uci, san, number }) => ({ uci, san, says: String(number) })),
            },
          ],
          onChoose: ({ uci }) => go({ tried: [...tried(), uci].join(",") }),
        }),
    );
    const back = (n) => go({ tried: tried().slice(0, n).join(",") || null });
    fill(
      where,
      !isStart && button("Take back", () => back(tried().length - 1)),
      !isStart && button("Back to the stage's board", () => back(0)),
      h(
        "a",
        { class: "button", href: href({ view: "explore", fen: game.fen, moves: null, at: null }, state) },
        "Explore",
      ),
    );
  }

  // The next step is the exercise; who has solved it plays.
  function drawDoors(stage) {
    const number = at() + 1;
    const isSolved = stage.exercise.fen in remembered(material, "exercises").mastered;
    const door = (words, keys, isNext) =>
      h(
        "a",
        {
          class: isNext ? "button primary" : "button",
          href: href({ tried: null, of: null, ...keys }, state),
        },
        words,
      );
    fill(
      doors,
      door("Try it", { tab: "exercises", n: number > 1 ? number : null, stage: null }, !isSolved),
      door("Play it", { tab: "practice", stage: number, n: null }, isSolved),
      h("span", { class: "small" }, progressOf(material, number)),
      h("p", { class: "small" }, `The game ends when ${stage.game.done}.`),
    );
  }

  count();
  return {
    update(to) {
      state = to;
      return draw();
    },
    leave() {
      board.destroy();
    },
  };
}
