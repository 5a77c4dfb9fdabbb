/** Practice: the learner plays a stage or a whole endgame against the program, and moves over the best are counted. */
import { href } from "/page/address.js";
import { latest } from "/page/api.js";
import { Board } from "/page/board.js";
import { button, fill, h } from "/page/dom.js";
import { capital, distanceOf, movesOf, nameOf, other, sideOf, turnOf, worth } from "/page/game.js";
import { legend } from "/page/legend.js";
import {
  isHard,
  isMastered,
  MAY_WASTE,
  POSITION_RULE,
  progressOf,
  recordGame,
  STAGE_RULE,
} from "/page/mastery.js";
import { forget, remember, remembered } from "/page/memory.js";
import { notices } from "/page/notice.js";
import { roomMark, roomSize, roomWords } from "/page/room.js";
import { refutation } from "/page/refutation.js";

/**
 * @param {HTMLElement} place @param {Object} first @param {function} go @param {AbortSignal} signal
 * @param {{staged: Object|null, onMastered: function()}} context
 */
export function open(place, first, go, signal, { staged, onMastered }) {
  let state = first;
  let positions = null;
  let game = null;
  let drawn = "";
  let why = null;
  let roomMarks = [];
  const firstRooms = new Map(); // the number of squares of the room at the start of a game, by its FEN
  const { material } = first;
  const weak = first.side === "weak";
  // The number of the stage that is practised, from 1; null for whole games.
  const stageNumber = !weak && staged?.stages[Number(first.stage) - 1] ? Number(first.stage) : null;
  const stage = stageNumber && staged.stages[stageNumber - 1];
  const sideName = weak ? "weak" : "strong";
  const facts = new Map(); // what /api/position says, by FEN
  const ask = {
    list: latest(signal),
    game: latest(signal),
    solve: latest(signal),
    answer: latest(signal),
    why: latest(signal),
    goal: latest(signal),
  };
  const notice = notices({ again: () => draw(true) });
  const hintNotice = notices();

  const boardPlace = h("div", { class: "board-place" });
  const keys = h("div");
  const head = h("h2", { class: "outcome", "aria-live": "polite" });
  const aim = h("p", { class: "stage-aim" });
  const room = h("p", { class: "room", "aria-live": "polite" });
  const told = h("div", { class: "stack", role: "status" });
  const score = h("p", { class: "small" });
  const hint = button("Hint", moreHint);
  const undo = button("Take back", takeBack);
  const again = button("From the beginning", () => go({ game: null, hints: null, hinted: null }), {
    class: "quiet",
  });
  const next = button("The next position", () => choose(number() + 1));
  const goOn = h("a", { class: "button primary", hidden: true });
  const hintPlace = h("div", { class: "stack" });
  const list = h("ol", { class: "practice-list" });
  const progress = h("span");
  const explore = h("a", { class: "button quiet" }, "Explore");
  const refutePlace = h("div");
  const forgetPlace = h("span");
  offerForgetting();
  fill(
    place,
    h(
      "div",
      { class: "columns fits whole" },
      h("div", { class: "side" }, boardPlace, keys),
      h(
        "div",
        {},
        h(
          "section",
          { class: "panel", "aria-label": "Practice" },
          aim,
          room,
          head,
          notice.element,
          told,
          refutePlace,
          hintNotice.element,
          hintPlace,
          h("div", { class: "row" }, goOn, hint, undo, again, next, explore),
          score,
        ),
        h(
          "section",
          { class: "panel", "aria-label": "What is practised" },
          list,
          stage &&
            h(
              "p",
              { class: "small" },
              h("i", { class: "hard", "aria-hidden": "true" }),
              " marks a hard position.",
            ),
          h("p", { class: "small" }, progress),
          h(
            "details",
            { class: "small" },
            h("summary", {}, "What \u201cmastered\u201d means"),
            h("p", {}, stage ? STAGE_RULE : POSITION_RULE),
            forgetPlace,
          ),
        ),
      ),
    ),
  );
  const board = new Board(boardPlace, {
    fen: "8/8/8/8/8/8/8/8 w - - 0 1",
    label: "Practice",
    mode: "play",
    moves: [],
    onMove: play,
  });

  const refuted = refutation({ board, signal, onBack: takeBack, back: "Take it back and try again" });
  fill(refutePlace, refuted.element);

  function offerForgetting() {
    fill(forgetPlace, button("Forget my progress", askForgetting, { class: "quiet" }));
  }

  function askForgetting() {
    const keep = button("Keep it", offerForgetting, { class: "quiet" });
    const forgetNow = button("Forget it", () => {
      forget(material);
      offerForgetting();
      onMastered();
      drawList();
    });
    fill(
      forgetPlace,
      h("span", { role: "status" }, `Forget all that you have mastered in ${material}? `),
      forgetNow,
      " ",
      keep,
    );
    keep.focus();
  }

  const number = () => Math.max(1, Math.min(Number(state.n) || 1, positions?.length ?? 1)) - 1;
  const moves = () => (state.game ? state.game.split(",") : []);
  const choose = (n) =>
    n < positions.length && go({ n: n ? n + 1 : null, game: null, hints: null, hinted: null });

  function play(uci) {
    go({ game: [...moves(), uci].join(","), hints: null });
  }

  // Goes back to the last position with the learner to move.
  function takeBack() {
    const played = moves();
    const mine = game?.turn === side() && !game.over ? 2 : 1;
    const rest = played.slice(0, Math.max(0, played.length - mine));
    go({ game: rest.join(","), hints: null });
  }

  // The side that the learner plays.
  function side() {
    return weak ? other(strong()) : strong();
  }

  function strong() {
    const fact = facts.get(positions[number()].fen);
    return fact?.strong ?? "white";
  }

  async function fact(fen, options) {
    if (!facts.has(fen)) facts.set(fen, await ask.solve("/api/position", { fen }, options));
    return facts.get(fen);
  }

  async function draw(force = false) {
    if (!positions) {
      const query = { material, player: state.player, stage: stageNumber };
      const found = await notice.run((options) => ask.list("/api/practice", query, options));
      if (!found) return;
      // A defence that ends at once is no practice.
      positions = weak ? found.positions.filter((one) => one.moves > 2) : found.positions;
      if (!stage) remember(material, sideName, { all: positions.length });
      onMastered();
    }
    drawList();
    if (!positions.length) return fill(head, "There is nothing to practise here.");
    const question = JSON.stringify([number(), state.game, state.player]);
    if (!force && drawn === question) return drawHints();
    drawn = "";
    why = null;
    ask.answer.stop();
    ask.why.stop();
    ask.solve.stop();
    hintNotice.clear();
    refuted.clear();
    const start = positions[number()].fen;
    const judged = await notice.run(async (options) => {
      game = await ask.game("/api/game", { fen: start, moves: moves().join(",") }, options);
      await fact(start, options);
      const mine = side() === game.turn && !game.over;
      if (board.flipped !== (side() === "black")) board.setFlipped(side() === "black");
      drawRoom([]);
      board.show({
        fen: game.fen,
        moves: mine ? game.moves : [],
        lastMove: game.played.at(-1)?.uci ?? null,
        check: game.check,
      });
      explore.href = href({ view: "explore", fen: start, moves: moves().join(","), at: null }, state);
      return judge(options);
    });
    if (!judged) return;
    drawn = question;
    drawState(judged);
    drawHints();
    if (!judged.over && game.turn !== side()) await reply();
  }

  // Compares every move of the learner with the best one.
  async function judge(options) {
    const result = { wasted: 0, slips: [], spoilt: null, over: game.over, won: false };
    let before = game.start;
    for (const [i, move] of game.played.entries()) {
      if (turnOf(before) === side()) {
        const here = await fact(before, options);
        const best = here.moves[0];
        const chosen = here.moves.find((one) => one.uci === move.uci);
        const cost = costOf(best, chosen);
        if (cost === null) result.spoilt = { move, before };
        else result.wasted += cost;
        result.last = { move, cost, best, before };
      }
      before = move.fen;
    }
    const last = game.played.at(-1);
    if (stage && game.endgame) {
      const { goal, marks } = await ask.goal(
        "/api/measured",
        { fen: game.fen, material, stage: stageNumber },
        options,
      );
      drawRoom(marks);
      result.reached = Boolean(last) && turnOf(last.fen) !== side() && !result.spoilt && goal.reached;
      if (result.reached) result.over = true;
    }
    result.now = game.endgame && !game.over ? await fact(game.fen, options).catch(giveUp) : null;
    // After a capture, the endgame may be one that nobody can win.
    if (result.spoilt) result.over = true;
    result.won = (game.over || result.reached) && !result.spoilt;
    return result;
  }

  // The aim of most stages is a smaller room: it stays on the board, below what a hint marks.
  function drawRoom(marks) {
    roomMarks = roomMark(marks);
    board.mark(roomMarks);
    if (game.start === game.fen) firstRooms.set(game.start, roomSize(marks));
    const aim = stage?.game.room;
    fill(room, roomWords(marks, aim && { aim, first: firstRooms.get(game.start) ?? null }));
  }

  function giveUp(error) {
    if (error.name === "AbortError") throw error;
    return null;
  }

  // The number of moves that a move wastes; null if it gives the result away.
  function costOf(best, chosen) {
    if (!chosen || !best) return 0;
    if (sideOf(best.category) !== sideOf(chosen.category)) return null;
    const [least, most] = [distanceOf(best), distanceOf(chosen)];
    return least === null || most === null ? 0 : Math.abs(movesOf(most) - movesOf(least));
  }

  function drawState({ wasted, spoilt, over, won, reached, now, last }) {
    const mine = game.turn === side();
    const start = facts.get(game.start);
    const begins = turnOf(game.start) === side() ? 0 : 1;
    const mineSoFar = game.played.filter((_, i) => i % 2 === begins).length;
    const best =
      start.category === "draw" ? "It is a draw with best play." : `${worth(start).words} with best play.`;
    aim.textContent = stage
      ? `Play until ${stage.game.done}.`
      : `You play ${nameOf(side())}. From the start: ${best}`;
    const lines = [];
    const whyNot = (before, move) =>
      button("Why?", () => refuted.show({ fen: before, uci: move.uci }), { class: "quiet" });
    if (last && last.cost > 0 && !spoilt) {
      lines.push(
        h(
          "p",
          { class: "notice" },
          `${last.move.san} takes ${movesWords(last.cost)} more: ${last.best.san} was better. `,
          whyNot(last.before, last.move),
        ),
      );
    } else if (last && last.cost === 0 && !over) {
      lines.push(h("p", { class: "small" }, `${last.move.san} is as good as any move.`));
    }
    if (spoilt) {
      fill(head, "Not this time");
      if (stage) record(false, wasted);
      refuted.show({ fen: spoilt.before, uci: spoilt.move.uci });
    } else if (won) {
      const shown = Number(state.hinted) > 0;
      const good = (stage ? mineSoFar <= positions[number()].most : wasted <= MAY_WASTE) && !shown;
      fill(head, reached && !game.over ? "The aim is reached" : capital(game.status));
      record(good, wasted);
      lines.push(h("p", { class: "notice" }, outcomeWords(good, shown)));
    } else {
      fill(
        head,
        mine ? `${nameOf(game.turn)} to move` : "The answer is coming...",
        now && mine && h("small", { class: "small" }, ` ${worth(now).words}`),
      );
    }
    fill(told, lines);
    const most = stage && positions[number()].most;
    const played = most
      ? `Moves played: ${mineSoFar} of at most ${most}, which the method needs.`
      : `Moves played: ${mineSoFar}.`;
    score.textContent = `${played}${spoilt ? "" : ` Moves over the best: ${wasted}.`}`;
    undo.hidden = Boolean(spoilt);
    hint.disabled = over || !mine;
    undo.disabled = moves().length === 0 || (moves().length === 1 && turnOf(game.start) !== side());
    again.hidden = moves().length === 0;
    next.disabled = number() + 1 >= positions.length;
    drawNext(won);
  }

  // One filled button at a time: a hint while the game goes on; then the next game, or the next stage.
  function drawNext(isWon) {
    const isDone = Boolean(stage) && isMastered(material, stageNumber);
    const last = stageNumber === staged?.stages.length;
    goOn.hidden = !(isWon && isDone);
    if (isDone && last) {
      goOn.textContent = "Go on: whole games";
      goOn.href = href({ stage: null, n: null, game: null, hints: null, hinted: null }, state);
    } else if (isDone) {
      goOn.textContent = `Go on: stage ${stageNumber + 1}`;
      goOn.href = href(
        { tab: null, stage: stageNumber + 1, n: null, game: null, hints: null, hinted: null },
        state,
      );
    }
    hint.classList.toggle("primary", !isWon && !hint.disabled);
    next.classList.toggle("primary", isWon && goOn.hidden && !next.disabled);
  }

  function record(good, wasted) {
    const { key } = positions[number()];
    const hard = Boolean(stage) && isHard(positions[number()], positions);
    if (stage) recordGame(material, stageNumber, { id: `${key} ${state.game}`, good, position: key, hard });
    else if (good) remember(material, sideName, { key, wasted });
    onMastered();
    drawList();
  }

  function outcomeWords(good, shown) {
    const what = stage ? "game" : "position";
    if (good) return stage ? "This game counts towards mastering the stage." : "This position is mastered.";
    if (shown) return `A move was shown, so the ${what} does not count.`;
    return stage
      ? `The method needs ${movesWords(positions[number()].most)} at most, so the game does not count.`
      : `More than ${movesWords(MAY_WASTE)} over the best: the position does not count.`;
  }

  async function reply() {
    const query = {
      fen: positions[number()].fen,
      moves: moves().join(","),
      player: weak ? state.player : "tablebase",
      seed: number() + 1,
    };
    const found = await notice.run((options) => ask.answer("/api/answer", query, options));
    // The history steps through the learner's own moves.
    if (found) go({ game: [...moves(), found.uci].join(",") }, { replace: true });
  }

  // The three hints are the aim, the piece, and the move.
  async function moreHint() {
    const n = Math.min(3, (Number(state.hints) || 0) + 1);
    go({ hints: n, hinted: n === 3 ? 1 : state.hinted }, { replace: true });
  }

  async function drawHints() {
    const n = Number(state.hints) || 0;
    hint.textContent = ["Hint: the aim", "Hint: the piece", "Hint: the move", "Hint"][Math.min(n, 3)];
    if (n >= 3) hint.disabled = true;
    fill(keys);
    fill(hintPlace);
    if (!n || !game || game.over || game.turn !== side()) return;
    const fen = game.fen;
    if (why?.fen !== fen) {
      const query = { fen, player: weak ? "tablebase" : stage ? "measure" : state.player };
      const found = await hintNotice.run((options) => ask.why("/api/why", query, options));
      if (!found || game.fen !== fen) return;
      why = { ...found, fen };
    }
    const { move, hint: words } = why;
    const from = move.uci.slice(0, 2);
    const man = MEN[move.san[0]] ?? "pawn";
    const marks = [
      n === 2 && { shape: "ring", squares: [from], label: "the piece that moves" },
      n >= 3 && { shape: "arrow", from, to: move.uci.slice(2, 4), label: move.san },
    ].filter(Boolean);
    fill(
      hintPlace,
      stage && h("p", { class: "notice" }, stage.aim),
      words && h("p", { class: "notice" }, words),
      n >= 2 && h("p", { class: "notice" }, `It moves the ${man} on ${from}.`),
      n >= 3 && h("p", { class: "notice" }, `It plays ${move.san}.`),
    );
    board.mark([...roomMarks, ...marks]);
    fill(keys, legend(marks.filter((mark) => mark.shape !== "arrow")));
    board.say(hintPlace.lastElementChild.textContent);
  }

  function drawList() {
    const hadFocus = list.contains(document.activeElement);
    const { mastered } = remembered(material, sideName);
    fill(
      list,
      (positions ?? []).map(({ key }, i) =>
        h(
          "li",
          {},
          button("", () => choose(i), {
            "aria-current": i === number() ? "true" : null,
            class: key in mastered ? "done" : null,
          }),
        ),
      ),
    );
    for (const [i, item] of [...list.children].entries()) {
      const { says, key } = positions[i];
      fill(
        item.firstChild,
        h("b", {}, String(i + 1)),
        stage ? hardMark(isHard(positions[i], positions)) : ` ${says}`,
        key in mastered && h("span", {}, " \u2713", h("span", { class: "unseen" }, " mastered")),
      );
    }
    if (hadFocus) list.querySelector("[aria-current]")?.focus();
    if (stage) fill(progress, progressOf(material, stageNumber));
    else fill(progress, `${Object.keys(mastered).length} of ${positions?.length ?? 0} positions mastered.`);
  }

  return {
    update(to) {
      state = to;
      return draw();
    },
    leave() {
      refuted.clear();
      board.destroy();
    },
  };
}

const hardMark = (hard) =>
  hard && [h("i", { class: "hard", "aria-hidden": "true" }), h("span", { class: "unseen" }, " hard")];
const movesWords = (n) => `${n} ${n === 1 ? "move" : "moves"}`;
const MEN = { K: "king", Q: "queen", R: "rook", B: "bishop", N: "knight", O: "king" };
