/** The reasons for a player's move, step by step, and the cost of other moves. */
import { href } from "/page/address.js";
import { about, isAbort, latest } from "/page/api.js";
import { Board } from "/page/board.js";
import { playerChooser } from "/page/choosers.js";
import { iconButton, viewHead } from "/page/controls.js";
import { button, fill, h } from "/page/dom.js";
import { START, allMoves, capital, playedMoves, playerFor, position } from "/page/game.js";
import { boardKeys } from "/page/keys.js";
import { legend } from "/page/legend.js";
import { moveList } from "/page/moves.js";
import { attributeName, namesSwitch } from "/page/names.js";
import { notices } from "/page/notice.js";
import { groupsByWinner, winnerLegend } from "/page/winner.js";

/** What the steps are, by the kind of player. */
const DECIDED = {
  tree: "How the tree decided",
  strategy: "How the rules decided",
  measure: "How the measure decided",
  search: "What the search counted",
  trained: "What the weights counted",
  table: "What the table says",
};
/** Players that give reasons. */
const KINDS = ["tree", "strategy", "measure", "table", "search", "trained"];

// Keys of its own: instead (moves to compare with the player's), step (the highlighted step, from 1), show
// (the content of the board: nothing for the position after the move, "before", a move of instead, or such
// a move with "-reply").

export async function show(main, first, go, signal) {
  let state = first;
  let game = null;
  let solved = null;
  let why = null;
  let isOpen = false; // whether the steps are shown
  let dropped = null; // a move that was let go: the focus goes to it
  let failed = false; // whether the player has nothing to say here; then moves are played
  let refocus = false; // whether the focus was in the path when it was drawn again
  let drawn = { game: "", why: "" };
  const ask = { game: latest(signal), solve: latest(signal), why: latest(signal) };
  const all = notices({ again: () => draw(true) });
  const whyNotice = notices({ again: () => draw(true) });

  const boardPlace = h("div", { class: "board-place" });
  const before = button("Before", () => go({ show: "before" }, { replace: true }));
  const after = button("After", () => go({ show: null }, { replace: true }));
  const sides = h(
    "div",
    { class: "row", role: "group", "aria-label": "Position on the board" },
    before,
    after,
  );
  const keys = h("div");
  const undo = iconButton("undo", "Undo", () => step(-1));
  const redo = iconButton("redo", "Redo", () => step(1));
  const explore = h("a", { class: "button" }, "Explore this position");
  const flip = () => go({ flip: state.flip ? null : 1 }, { replace: true });
  const tools = h(
    "div",
    { class: "row tools" },
    undo,
    redo,
    iconButton("flip", "Flip the board", flip),
    explore,
  );
  const side = h("div", { class: "side" }, boardPlace, sides, tools, keys);

  const player = playerChooser({
    filter: (one) => KINDS.includes(one.kind),
    onChange: (name) => go({ player: name, ...FRESH }),
  });
  const path = h("div", { class: "stack" });
  const others = h("div", { class: "stack" });
  const held = h("div", { class: "stack" });
  const othersHead = h("h2", {}, "Another move instead");
  const othersHelp = h("p", { class: "small" });
  const othersBox = h("section", { class: "panel" }, othersHead, othersHelp, held, others);
  fill(
    main,
    viewHead("Why", "See why a player chooses its move, and what another move would cost."),
    h(
      "div",
      { class: "columns" },
      side,
      h(
        "div",
        {},
        h(
          "section",
          { class: "panel", "aria-label": "The player's move" },
          player.element,
          all.element,
          whyNotice.element,
          path,
        ),
        othersBox,
      ),
    ),
  );

  const board = new Board(boardPlace, {
    fen: state.fen ?? START,
    flipped: Boolean(state.flip),
    label: "Position",
    mode: "look",
    onMove: (uci) => (failed ? play(uci) : hold(uci)),
  });
  tools.append(boardKeys({ board, track, flip, signal }));

  const instead = () => (state.instead ? state.instead.split(",") : []);

  function step(by) {
    const to = playedMoves(state).length + by;
    const length = allMoves(state).length;
    if (to >= 0 && to <= length) go({ ...FRESH, at: to === length ? null : to });
  }

  /** Two steps for each position: before the player's move and after it. */
  function track() {
    if (!game) return null;
    const played = playedMoves(state).length;
    const all_ = allMoves(state).length;
    return {
      at: 2 * played + (why && state.show !== "before" ? 1 : 0),
      length: 2 * all_ + (why ? 1 : 0),
      go(to) {
        const n = Math.floor(to / 2);
        const show = why && to % 2 === 0 ? "before" : null;
        if (n === played) go({ show, step: null }, { replace: true });
        else go({ ...FRESH, at: n === all_ ? null : n, show }, { replace: true });
      },
    };
  }

  function play(uci) {
    go({ ...FRESH, fen: game.start, moves: [...playedMoves(state), uci].join(","), at: null });
  }

  function hold(uci) {
    if (uci === why?.move.uci) return go({ show: null });
    if (instead().includes(uci)) return go({ show: uci, step: null }, { replace: true });
    go({ instead: [...instead(), uci].join(","), show: uci, step: null });
  }

  function letGo(uci) {
    dropped = uci;
    const rest = instead().filter((one) => one !== uci);
    go({ instead: rest.join(","), show: state.show?.startsWith(uci) ? null : state.show });
  }

  async function draw(again = false) {
    if (board.flipped !== Boolean(state.flip)) board.setFlipped(Boolean(state.flip));
    explore.href = href({ view: "explore" }, state);
    undo.disabled = playedMoves(state).length === 0;
    redo.disabled = playedMoves(state).length >= allMoves(state).length;
    const question = JSON.stringify([state.fen, playedMoves(state)]);
    if (again || drawn.game !== question) {
      drawn = { game: "", why: "" };
      ask.solve.stop();
      ask.why.stop();
      const answer = await all.run((options) => position(state, options, ask.game));
      if (!answer) return;
      game = answer;
      solved = null;
      why = null;
      drawn.game = question;
      refocus ||= path.contains(document.activeElement);
      fill(path);
      fill(held);
      fill(others);
      whyNotice.clear();
      keys.style.minHeight = "";
      drawBoard();
      // The page can do without the moves and their outcomes.
      ask.solve("/api/position", { fen: game.fen }).then(
        (found) => {
          solved = found;
          drawOthers();
        },
        (error) => isAbort(error) || drawOthers(),
      );
    }
    await drawWhy();
  }

  async function drawWhy() {
    const known = await about().catch(() => null);
    if (signal.aborted) return;
    const name = playerFor(state, game.endgame, known);
    player.set(name, game.endgame);
    othersBox.hidden = game.over;
    if (game.over) return fill(path, h("p", {}, `${capital(game.status)}. There is nothing to explain.`));
    const question = JSON.stringify([drawn.game, name, state.instead]);
    if (drawn.why !== question) {
      path.inert = true;
      held.inert = true;
      failed = false;
      const fen = game.fen;
      const query = { fen, player: name, instead: state.instead };
      const found = await whyNotice.run((options) => ask.why("/api/why", query, options));
      path.inert = false;
      held.inert = false;
      if (signal.aborted || game.fen !== fen) return;
      if (!found) {
        if (whyNotice.failed) drawNoReasons();
        return;
      }
      why = found;
      drawn.why = question;
      drawPath();
      if (refocus) path.querySelector("button")?.focus();
      refocus = false;
      drawHeld();
      drawOthers();
      board.say(`${why.player} plays ${why.move.san}.`);
    }
    drawBoard();
  }

  // Without reasons, the moves can still be played.
  function drawNoReasons() {
    why = null;
    failed = true;
    fill(path);
    fill(held);
    drawBoard();
    drawOthers();
  }

  function drawPath() {
    const {
      kind,
      move,
      reason,
      known_rules: rules,
      better,
      passed,
      passed_rules,
      heading,
      steps,
      verdict,
      tied,
      legend: grade,
      others: rest,
      forced,
    } = why;
    const isSearch = kind === "search";
    const same = (tied ?? []).filter((uci) => uci !== move.uci).map(sanOf);
    fill(
      path,
      h(
        "div",
        { class: "heading" },
        h(
          "h2",
          { class: "outcome" },
          `${kind === "table" ? "The table" : "It"} plays ${move.san}`,
          move.says && h("small", { class: "small" }, ` ${move.says}`),
        ),
        button(`Play ${move.san}`, () => play(move.uci)),
      ),
      better && h("p", { class: "reason" }, better),
      reason && h("p", { class: "reason" }, reason),
      rules.map((rule) => h("p", { class: "reason" }, rule)),
      passed_rules &&
        h(
          "details",
          {},
          h("summary", {}, passed_rules),
          h(
            "ul",
            {},
            passed.map((rule) => h("li", {}, rule)),
          ),
        ),
      h(
        "details",
        {
          class: "decided stack",
          open: isOpen || Boolean(state.step),
          ontoggle: ({ target }) => (isOpen = target.open),
        },
        h("summary", {}, DECIDED[kind] ?? "How the player decided"),
        heading && h("p", {}, heading),
        h(
          "ol",
          { class: "step-list" },
          steps.map((one, i) => {
            const item = button(
              "",
              () => go({ step: state.step === String(i + 1) ? null : i + 1, show: null }, { replace: true }),
              { class: "step", "data-step": i + 1 },
            );
            // The figures of a search are points, which everybody reads.
            const figures = isSearch ? one.figures && h("code", {}, one.figures) : attributeName(one.figures);
            fill(item, h("span", {}, capital(one.sentence)), figures);
            const light = () => point(one);
            item.addEventListener("pointerenter", light);
            item.addEventListener("focus", light);
            item.addEventListener("pointerleave", () => point(null));
            item.addEventListener("blur", () => point(null));
            return h("li", {}, item);
          }),
        ),
        verdict && kind !== "tree" && h("p", {}, h("b", {}, capital(verdict))),
        same.length > 0 && h("p", {}, `Equally good for this player: ${same.join(", ")}.`),
        forced?.length > 0 && [
          h("h3", {}, "What the other moves force"),
          h(
            "ul",
            {},
            forced.map((line) => h("li", {}, line)),
          ),
        ],
        rest && h("p", {}, rest),
        grade && h("p", { class: "small" }, grade),
        !isSearch && steps.some((one) => one.figures) && namesSwitch(),
      ),
    );
  }

  const sanOf = (uci) => game.moves.find((move) => move.uci === uci)?.san ?? uci;

  function drawHeld() {
    fill(
      held,
      instead().length > why.instead.length &&
        h("p", { class: "notice" }, "This player cannot compare single moves. Choose another player."),
      why.instead.map((one) =>
        h(
          "article",
          { class: "held", "data-uci": one.uci, "aria-label": `${one.san} instead` },
          h("p", {}, h("b", {}, one.verdict)),
          one.parts && h("p", { class: "lines" }, one.parts),
          one.reply && h("p", {}, `The reply: ${one.reply.san}.`),
          h(
            "div",
            { class: "row" },
            button(`After ${one.san}`, () => go({ show: one.uci, step: null }, { replace: true }), {
              "data-show": one.uci,
            }),
            one.reply &&
              button(
                `The reply ${one.reply.san}`,
                () => go({ show: `${one.uci}-reply`, step: null }, { replace: true }),
                { "data-show": `${one.uci}-reply` },
              ),
            button("Remove", () => letGo(one.uci), { class: "quiet", "aria-label": `Remove ${one.san}` }),
          ),
        ),
      ),
    );
  }

  function drawOthers() {
    const hadFocus = document.activeElement?.closest?.(".move")?.dataset.uci ?? dropped;
    dropped = null;
    othersHead.textContent = failed ? "Moves" : "Another move instead";
    othersHelp.textContent = failed
      ? "Choose a move to play it."
      : "Choose a move to compare it with the player's.";
    const says = new Map(solved?.moves.map((move) => [move.uci, move]) ?? []);
    const of = (kind) =>
      game.moves
        .filter((move) => kind(move.uci) && move.uci !== why?.move.uci)
        .map((move) => ({ ...move, ...says.get(move.uci) }));
    const inOrder = (ucis) => (ucis ?? []).map((uci) => of((one) => one === uci)[0]).filter(Boolean);
    const groups = solved
      ? groupsByWinner(solved.groups, solved.turn).map(({ ucis, ...group }) => ({
          ...group,
          moves: inOrder(ucis),
        }))
      : [{ heading: "Legal moves", kind: "draw", moves: of(() => true) }];
    fill(
      others,
      moveList({
        label: "Other moves, best first",
        groups,
        chosen: failed ? undefined : instead(),
        onPoint: (move) => (move ? pointMove(move) : drawBoard()),
        onChoose: (move) => (failed ? play(move.uci) : hold(move.uci)),
      }),
      solved && winnerLegend(),
    );
    if (hadFocus) others.querySelector(`[data-uci="${hadFocus}"]`)?.focus();
  }

  const arrow = (uci, label) => ({ shape: "arrow", from: uci.slice(0, 2), to: uci.slice(2, 4), label });

  // The content of the board when nothing is pointed at.
  function scene() {
    if (!game) return null;
    const [uci, reply] = (state.show ?? "").split("-");
    const one = why?.instead.find((held_) => held_.uci === uci);
    if (one && reply && one.reply) {
      return {
        fen: one.reply.fen,
        last: one.reply.uci,
        marks: [arrow(one.reply.uci, `the reply ${one.reply.san}`)],
      };
    }
    if (one) return { fen: one.fen_after, last: one.uci, marks: withArrow(one.marks, one.uci, one.san) };
    if (!why || state.show === "before") {
      const last = game.played.at(-1)?.uci ?? null;
      return {
        fen: game.fen,
        last,
        check: game.check,
        moves: game.moves,
        marks: why ? [arrow(why.move.uci, why.move.san)] : [],
      };
    }
    const lit = why.steps[Number(state.step) - 1];
    return {
      fen: why.fen_after,
      last: why.move.uci,
      // All marks at once would hide the move: those of a sentence are shown when it is pointed at.
      marks: withArrow(lit ? lit.marks : why.kind === "tree" ? [] : why.marks, why.move.uci, why.move.san),
    };
  }

  const withArrow = (marks, uci, san) =>
    marks.some((mark) => mark.shape === "arrow") ? marks : [arrow(uci, san), ...marks];

  function drawBoard() {
    const now = scene();
    if (!now) return;
    setScene(now);
    const at = state.show ?? "";
    sides.hidden = !why;
    after.textContent = why ? `After ${why.move.san}` : "After";
    before.setAttribute("aria-pressed", String(at === "before"));
    after.setAttribute("aria-pressed", String(at === ""));
    for (const item of path.querySelectorAll(".step")) {
      item.setAttribute("aria-pressed", String(item.dataset.step === state.step && !state.show));
    }
    for (const item of held.querySelectorAll("[data-show]")) {
      item.setAttribute("aria-pressed", String(item.dataset.show === at));
    }
    for (const item of held.querySelectorAll(".held"))
      item.classList.toggle("shown", at.startsWith(item.dataset.uci));
  }

  function setScene({ fen, last, check = null, moves = [], marks }) {
    const mode = moves.length ? "play" : "look";
    if (board.mode !== mode) board.setMode(mode);
    board.show({ fen, moves, lastMove: last, check, animate: true });
    setMarks(marks);
  }

  function setMarks(marks) {
    board.mark(marks);
    fill(keys, legend(marks.filter((mark) => mark.shape !== "arrow")));
    // A legend that shrank would slide the step that is pointed at away from the pointer.
    keys.style.minHeight = `${keys.offsetHeight}px`;
  }

  // Pointing at a step highlights it on the position after the player's move, which the step is about.
  function point(one) {
    if (!one || !why) return drawBoard();
    setScene({
      fen: why.fen_after,
      last: why.move.uci,
      marks: withArrow(one.marks, why.move.uci, why.move.san),
    });
  }

  function pointMove(move) {
    const last = game.played.at(-1)?.uci ?? null;
    setScene({
      fen: game.fen,
      last,
      check: game.check,
      moves: game.moves,
      marks: [arrow(move.uci, move.says ?? move.san)],
    });
  }

  return {
    ready: draw(),
    update(next) {
      state = next;
      return draw();
    },
    leave() {
      board.destroy();
    },
  };
}

const FRESH = { instead: null, step: null, show: null };
