/** A position: its outcome, every move, the best line and that of a player. */
import { about, get, latest } from "/page/api.js";
import { href } from "/page/address.js";
import { Board } from "/page/board.js";
import { endgameChooser, endgameWords, field, playerChooser, select } from "/page/choosers.js";
import { iconButton } from "/page/controls.js";
import { button, fill, h } from "/page/dom.js";
import {
  START,
  allMoves,
  capital,
  count,
  moveNumber,
  nameOf,
  playedMoves,
  playerFor,
  position,
  sideOf,
  worth,
} from "/page/game.js";
import { boardKeys } from "/page/keys.js";
import { moveLine, moveList } from "/page/moves.js";
import { notices } from "/page/notice.js";
import { sharePanel } from "/page/share.js";
import { hidesAnswers, NO_TASK, taskPanel } from "/page/task.js";
import { groupsByWinner, winnerClass, winnerLegend, winnerOf } from "/page/winner.js";

const EMPTY = "8/8/8/8/8/8/8/8";

export async function show(main, first, go, signal) {
  let state = first;
  let game = null; // what /api/game says of the position
  let shown = null; // the position whose answers stand on the page, and the player
  let solved = null; // what /api/position says
  let lines = {}; // the lines on the page: best, theirs
  let theirLine = null;
  let known = null; // what /api/about says
  let beforeSetup = null;
  const ask = { game: latest(signal), solve: latest(signal), theirs: latest(signal), setup: latest(signal) };
  const all = notices({ again: () => draw(true) });
  const theirNotice = notices({ again: () => draw(true) });

  // The board and the controls below it.
  const boardPlace = h("div", { class: "board-place" });
  const undo = iconButton("undo", "Undo", () => step(-1));
  const redo = iconButton("redo", "Redo", () => step(1));
  const setUp = iconButton("edit", "Set up", () => (state.setup ? leaveSetup() : enterSetup()), {
    "aria-pressed": "false",
  });
  const lineNote = h("div", { class: "notice row", hidden: true });
  const finder = makeFinder();
  const lookup = makeLookup();
  const flip = () => go({ flip: state.flip ? null : 1 }, { replace: true });
  const tools = h(
    "div",
    { class: "row tools" },
    undo,
    redo,
    iconButton("flip", "Flip the board", flip),
    setUp,
  );
  const side = h("div", { class: "side" }, boardPlace, tools, lineNote);

  // The outcome and the moves.
  const heading = h("p", { class: "small" });
  const outcome = h("h2", { class: "outcome", "aria-live": "polite" });
  const moves = h("div");
  const whyLink = h("a", { href: "/?view=why" }, "Why this move?");
  const toggleBest = () => go({ best: state.best ? null : 1 }, { replace: true });
  const bestButton = button("Best move", toggleBest, {
    class: "primary",
    "aria-pressed": "false",
    title: "Draws the best move on the board, until it is pressed again (b)",
  });
  const links = h("div", { class: "row heading-links" }, bestButton, whyLink);
  const answers = h("div", { class: "heading" }, outcome, links);
  const facts = h(
    "section",
    { class: "panel", "aria-label": "Outcome and moves" },
    answers,
    heading,
    all.element,
    moves,
  );

  // Lines.
  const best = h("div");
  const theirs = h("div", { class: "stack" });
  const player = playerChooser({
    label: "The line of",
    onChange: (name) => go({ player: name, line: null, ply: null }),
  });
  const lineBox = h(
    "section",
    { class: "panel" },
    h("h2", {}, "Lines of play"),
    h("h3", {}, "Best play of both sides"),
    best,
    player.element,
    theirNotice.element,
    theirs,
  );

  const setupBox = makeSetup();
  const exchange = makeExchange();
  const addressOf = ({ task, hide, set, fen: first_ }) =>
    href({ view: "explore", task, hide, set, fen: first_ ?? board.fen }, {});
  const share = sharePanel({ heading: "Hand it to a pupil", addressOf, positions: true, signal });
  const task = taskPanel({ go });
  const hidden = h("p", { hidden: true }, "The answers are hidden. Try the position on the board first.");
  facts.append(hidden);
  const right = h("div", {}, facts, lineBox, setupBox.element, finder.element, share, exchange.element);
  const title = h("h1", {}, "Position");
  fill(
    main,
    h("div", { class: "explore-head" }, title, lookup.element),
    task.element,
    h("div", { class: "columns" }, side, right),
  );

  const board = new Board(boardPlace, {
    fen: state.fen ?? START,
    flipped: Boolean(state.flip),
    label: "Position",
    mode: "play",
    moves: [],
    onMove: (uci) => playMove(uci),
    onSetup: (fen) => changeSetup(fen),
  });
  const bestKey = {
    key: "b",
    says: "Draw the best move, or take it away",
    act: () => !links.hidden && !hidesAnswers(state) && toggleBest(),
  };
  tools.append(boardKeys({ board, track, flip, more: [bestKey], signal }));

  function clean(changes) {
    return { at: null, line: null, ply: null, setup: null, ...changes };
  }

  function playMove(uci) {
    // Replaying a move that was taken back keeps the moves after it.
    const played = playedMoves(state);
    const before = allMoves(state);
    if (before[played.length] === uci) step(1);
    else go(clean({ fen: game?.start ?? state.fen, moves: [...played, uci].join(",") }));
  }

  function step(by) {
    const to = playedMoves(state).length + by;
    const length = allMoves(state).length;
    if (to < 0 || to > length) return;
    go(clean({ at: to === length ? null : to }));
  }

  /** The moves to step through: those played, and then the line on the board or the best one. */
  function track() {
    if (state.setup || !game) return null;
    const played = playedMoves(state).length;
    const all_ = allMoves(state).length;
    const name = state.line ?? (played === all_ && !hidesAnswers(state) ? "best" : null);
    const length = name ? played + (lineOf(name)?.length ?? 0) : all_;
    return {
      at: played + (state.line ? Number(state.ply) || 0 : 0),
      start: played,
      length,
      go(to) {
        if (name && to >= played)
          go({ line: to > played ? name : null, ply: to - played || null }, { replace: true });
        else go(clean({ at: to === all_ ? null : to }), { replace: true });
      },
    };
  }

  function toPosition(fen, changes, replace = false) {
    go(clean({ fen, moves: null, ...NO_TASK, ...changes }), { replace });
  }

  async function draw(again = false) {
    if (board.flipped !== Boolean(state.flip)) board.setFlipped(Boolean(state.flip));
    whyLink.href = href({ view: "why" }, state);
    for (const box of [facts, lineBox, lookup.element, finder.element, share, exchange.element])
      box.hidden = Boolean(state.setup);
    task.draw(state.setup ? {} : state);
    drawHidden();
    setupBox.element.hidden = !state.setup;
    setUp.setAttribute("aria-pressed", String(Boolean(state.setup)));
    if (state.setup) return drawSetup();
    const question = JSON.stringify([state.fen, playedMoves(state)]);
    drawButtons();
    if (again || shown?.question !== question) {
      shown = null;
      await drawPosition(question);
    } else if (shown.player !== state.player) {
      showBoard(false);
      await drawTheirs();
    } else {
      drawLineStep();
    }
  }

  /** What would tell the answers of a task waits until they are wanted. */
  function drawHidden() {
    const hides = hidesAnswers(state);
    hidden.hidden = !hides;
    for (const one of [answers, moves, lineBox, finder.element]) one.classList.toggle("withheld", hides);
  }

  async function drawPosition(question) {
    const hadFocus = moves.contains(document.activeElement);
    moves.inert = true;
    ask.solve.stop();
    ask.theirs.stop();
    const answer = await all.run((options) => position(state, options, ask.game));
    if (!answer) {
      if (!signal.aborted && all.failed) drawNothing();
      return;
    }
    game = answer;
    solved = null;
    theirLine = null;
    lines = {};
    fill(best);
    fill(theirs);
    theirNotice.clear();
    shown = { question, player: state.player };
    showBoard(true);
    drawButtons();
    finder.set(game.endgame);
    lookup.set();
    exchange.set();
    title.textContent = game.endgame ? capital(endgameWords(game.endgame)) : "Position";
    heading.textContent = game.over ? "" : `${nameOf(game.turn)} to move.`;
    links.hidden = !game.endgame || game.over;
    lineBox.hidden = !game.endgame || game.over;
    if (!game.endgame) {
      drawUnsolved();
      if (hadFocus) moves.querySelector("button")?.focus();
      return;
    }
    if (!moves.firstChild) fill(outcome, "One moment...");
    about().then(
      (all_) => player.set(playerFor(state, game.endgame, all_), game.endgame),
      () => {},
    );
    const found = await all.run((options) => ask.solve("/api/position", { fen: game.fen }, options));
    if (!found) {
      if (!signal.aborted && all.failed) drawUnsolved(true);
      return;
    }
    solved = found;
    drawMoves();
    if (hadFocus) moves.querySelector("button")?.focus();
    lines.best = line("best", "Best play", solved.line);
    fill(best, lines.best?.element ?? h("p", { class: "small" }, noLine()));
    drawLineStep();
    await drawTheirs();
  }

  function noLine() {
    if (game.over) return "The game is over.";
    return sideOf(solved.category) === "draw" ? "Best play holds the draw." : "There is no line.";
  }

  async function drawTheirs() {
    if (!game?.endgame || game.over || !solved) return;
    known ??= await about().catch(() => null);
    if (signal.aborted) return;
    const name = playerFor(state, game.endgame, known);
    player.set(name, game.endgame);
    if (shown) shown.player = state.player;
    theirs.inert = true;
    const fen = game.fen;
    const found = await theirNotice.run((options) =>
      ask.theirs("/api/position", { fen, player: name }, options),
    );
    theirs.inert = false;
    if (game.fen !== fen) return;
    const answer = found?.theirs;
    lines.theirs = null;
    theirLine = null;
    if (!found) return fill(theirs);
    if (!answer) return fill(theirs, h("p", { class: "small" }, "This player has no line here."));
    theirLine = answer.line ?? [];
    lines.theirs = line("theirs", `The line of ${answer.player}`, theirLine);
    const says = answer.error ?? (answer.mates_in ? mates(answer.mates_in) : null);
    fill(theirs, says && h("p", { class: answer.error ? "notice" : "small" }, says), lines.theirs?.element);
    drawLineStep();
  }

  function mates(n) {
    const optimum = solved.dtm ? Math.ceil(Math.abs(solved.dtm) / 2) : null;
    const more = optimum ? n - optimum : 0;
    const cost =
      more > 0
        ? `, ${count(more, "move")} later than the quickest mate`
        : more === 0
          ? ", which is the quickest mate"
          : "";
    return `It mates in ${count(n, "move")} against the longest resistance${cost}.`;
  }

  function line(name, label, found) {
    if (!found.length) return null;
    return moveLine({
      label,
      fen: game.fen,
      line: found,
      short: 16,
      at: state.line === name ? Number(state.ply) || 0 : 0,
      onStep: (ply) => go({ line: ply ? name : null, ply: ply || null }, { replace: true }),
    });
  }

  // Shows the position of the current step of a line.
  function drawLineStep() {
    for (const name of ["best", "theirs"]) lines[name]?.set(state.line === name ? Number(state.ply) || 0 : 0);
    showBoard(true);
  }

  function showBoard(animate) {
    if (!game) return;
    const stepped = lineOf(state.line);
    const ply = Number(state.ply) || 0;
    const at = stepped?.[ply - 1];
    setMode(at ? "look" : "play");
    board.mark([]);
    bestButton.setAttribute("aria-pressed", String(Boolean(state.best)));
    if (at) {
      board.show({ fen: at.fen, moves: [], lastMove: at.uci, check: null, animate });
    } else {
      const last = game.played.at(-1);
      board.show({
        fen: game.fen,
        moves: movesWithOutcomes(),
        lastMove: last?.uci ?? null,
        check: game.check,
        animate,
      });
      drawBest();
    }
    lineNote.hidden = !at;
    if (at) {
      const ucis = stepped.slice(0, ply).map((move) => move.uci);
      const words = `${moveNumber(game.fen, ply - 1)} ${at.san}`;
      fill(
        lineNote,
        h("span", {}, `The board shows the line after ${words}.`),
        button("Continue from here", () => go(clean({ moves: [...playedMoves(state), ...ucis].join(",") }))),
        button("Back to the position", () => go({ line: null, ply: null }, { replace: true })),
      );
    }
  }

  // Changing the mode cancels the selection, so the same mode is not set again.
  function setMode(mode) {
    if (board.mode !== mode) board.setMode(mode);
  }

  function lineOf(name) {
    return { best: solved?.line, theirs: theirLine }[name];
  }

  function drawButtons() {
    const at = playedMoves(state).length;
    undo.disabled = Boolean(state.setup) || at === 0;
    redo.disabled = Boolean(state.setup) || at >= allMoves(state).length;
  }

  /** The legal moves for the board, with what is known of them. */
  function movesWithOutcomes() {
    if (!solved || hidesAnswers(state)) return game.moves;
    const known_ = new Map();
    for (const { outcome: result, kind, ucis } of groupsByWinner(solved.groups, solved.turn))
      for (const uci of ucis) known_.set(uci, { outcome: result, colour: kind });
    const says = new Map(solved.moves.map((move) => [move.uci, move.says]));
    return game.moves.map((move) => ({ ...move, ...known_.get(move.uci), says: says.get(move.uci) }));
  }

  /** Draws the best move if it is wanted. */
  function drawBest() {
    const move = state.best && !state.line && !hidesAnswers(state) ? solved?.moves[0] : null;
    board.mark(move ? [arrowOf(move, `the best move, ${move.san}, ${move.says}`)] : []);
  }

  const arrowOf = ({ uci }, label) => ({ shape: "arrow", from: uci.slice(0, 2), to: uci.slice(2, 4), label });

  function point(move) {
    if (state.line || !move) return drawBest();
    board.mark([arrowOf(move, move.says ?? move.san)]);
  }

  function drawMoves() {
    moves.inert = false;
    const { words, kind } = worth(solved, game);
    outcome.className = `outcome ${winnerClass(winnerOf(kind, solved.turn))}`;
    fill(outcome, words);
    const find = (uci) => solved.moves.find((move) => move.uci === uci);
    if (game.over) return fill(moves);
    const groups = groupsByWinner(solved.groups, solved.turn).map(({ ucis, ...group }) => ({
      ...group,
      moves: ucis.map(find).filter(Boolean),
    }));
    fill(
      moves,
      moveList({
        label: "Legal moves, best first",
        groups,
        onPoint: point,
        onChoose: (move) => playMove(move.uci),
      }),
      winnerLegend({ targets: true }),
    );
  }

  // The address has no position.
  function drawNothing() {
    moves.inert = false;
    for (const place of [moves, best, theirs, heading]) fill(place);
    fill(outcome, "No position");
    outcome.className = "outcome";
    // What cannot be played may be mended by hand.
    lookup.set(state.fen);
    fill(
      heading,
      button("Set it up", () => go({ setup: 1 })),
    );
    links.hidden = true;
    lineBox.hidden = true;
  }

  // Without a table, the legal moves are still shown.
  function drawUnsolved(failed = false) {
    moves.inert = false;
    links.hidden = lineBox.hidden = true;
    const men = game.fen.split(" ")[0].replace(/[^a-z]/gi, "").length;
    outcome.className = "outcome";
    if (game.over) fill(outcome, capital(game.status));
    else if (failed) fill(outcome, "Not known yet");
    else if (men > 4)
      fill(
        outcome,
        `${men} pieces: not solved`,
        h("small", {}, " Positions of up to five pieces can be solved."),
      );
    else fill(outcome, "No endgame to solve");
    const list = game.moves.map((move) => ({ ...move, says: move.takes ? "takes" : undefined }));
    fill(
      moves,
      moveList({
        label: "Legal moves",
        groups: [{ heading: "Legal moves", kind: "draw", moves: list }],
        onPoint: point,
        onChoose: (move) => playMove(move.uci),
      }),
    );
  }

  // Setting up.
  function enterSetup() {
    beforeSetup = { fen: state.fen, moves: state.moves, at: state.at };
    go({
      setup: 1,
      fen: board.fen.includes(" ") ? board.fen : game?.fen,
      moves: null,
      at: null,
      line: null,
      ply: null,
    });
  }

  function leaveSetup() {
    go({ setup: null, ...(beforeSetup ?? { fen: START }) });
  }

  function changeSetup(fen) {
    const [men] = fen.split(" ");
    const turn = setupBox.turn();
    go({ fen: `${men} ${turn} - - 0 1` }, { replace: true });
  }

  function makeSetup() {
    const problems = h("div", { "aria-live": "polite" });
    const notice = notices();
    const turn = select(
      [
        ["w", "White"],
        ["b", "Black"],
      ],
      "w",
      (to) => {
        const [men] = (state.fen ?? START).split(" ");
        go({ fen: `${men} ${to} - - 0 1` }, { replace: true });
      },
    );
    const done = button("Done", () => go({ setup: null }), { class: "primary" });
    const element = h(
      "section",
      { class: "panel", hidden: true },
      h("h2", {}, "Set up a position"),
      h("p", { class: "small" }, "Choose a piece beside the board, then click the squares where it stands."),
      h("div", { class: "row" }, field("To move", turn)),
      problems,
      notice.element,
      h(
        "div",
        { class: "row" },
        done,
        button("Clear the board", () => go({ fen: `${EMPTY} ${turn.value} - - 0 1` }, { replace: true })),
        button("Cancel", leaveSetup),
      ),
    );
    return {
      element,
      notice,
      turn: () => turn.value,
      set(fen, answer) {
        turn.value = fen.split(" ")[1] === "b" ? "b" : "w";
        done.disabled = !answer?.legal;
        if (!answer) return;
        const says =
          answer.endgame && answer.solvable
            ? `The position is legal: ${answer.endgame}, ${endgameWords(answer.endgame)}.`
            : "The position is legal. It is not an endgame that lucena can solve.";
        fill(
          problems,
          answer.legal
            ? h("p", { class: "notice" }, says)
            : h(
                "ul",
                { class: "error" },
                answer.problems.map((problem) => h("li", {}, problem)),
              ),
        );
      },
    };
  }

  async function drawSetup() {
    shown = null;
    title.textContent = "Position";
    const fen = state.fen ?? START;
    for (const one of [ask.game, ask.solve, ask.theirs]) one.stop();
    all.clear();
    lineNote.hidden = true;
    undo.disabled = true;
    redo.disabled = true;
    board.mark([]);
    setMode("setup");
    board.show({ moves: [], lastMove: null, check: null, animate: false });
    if (board.fen.split(" ")[0] !== fen.split(" ")[0] || board.fen.split(" ")[1] !== fen.split(" ")[1]) {
      board.show({ fen, moves: [], lastMove: null, check: null, animate: false });
    }
    setupBox.set(fen, null);
    const answer = await setupBox.notice.run((options) => ask.setup("/api/setup", { fen }, options));
    if (answer) setupBox.set(fen, answer);
  }

  // Other positions.
  function makeFinder() {
    const notice = notices();
    const endgame = endgameChooser({
      value: state.material ?? "KRvK",
      also: (about) => about.rule_lessons,
      onChange: () => random(lookup.notice),
    });
    const by = select(
      [
        ["any", "Any position"],
        ["distance", "A given number of moves to mate"],
        ["zugzwang", "Zugzwang: who moves does worse"],
        ["leaf", "A leaf of the player's tree"],
        ["rule", "A rule of the player's strategy"],
      ],
      state.by ?? "any",
      (to) => go({ by: to === "any" ? null : to }, { replace: true }),
    );
    const value = h("input", {
      type: "number",
      min: 1,
      max: 9999,
      value: state.value ?? "",
      inputmode: "numeric",
    });
    const valueField = field("Moves", value);
    const turn = select(
      [
        ["", "Either"],
        ["white", "White"],
        ["black", "Black"],
      ],
      state.turn ?? "",
      (to) => go({ turn: to }, { replace: true }),
    );
    value.addEventListener("change", () => go({ value: value.value }, { replace: true }));
    value.addEventListener("keydown", (event) => event.key === "Enter" && random());
    const says = h("p", { class: "small", role: "status" });

    async function random(told = notice) {
      const material = endgame.value;
      const seed = crypto.getRandomValues(new Uint32Array(1))[0] % 1000000;
      const side_ = turn.value || (seed % 2 ? "white" : "black");
      const named = by.value === "leaf" || by.value === "rule";
      const query = {
        material,
        turn: side_,
        by: by.value,
        seed,
        value: hasValue() ? value.value : null,
        player: named ? playerFor(state, material, known) : null,
      };
      says.textContent = "";
      const answer = await told.run((options) => get("/api/random", query, { ...options, signal }));
      if (!answer) return;
      says.textContent = answer.says ? `Found: ${answer.says}.` : "";
      toPosition(answer.fen, { material, value: hasValue() ? value.value : null });
    }

    async function turned(how) {
      if (!game) return;
      const answer = await notice.run((options) =>
        get("/api/turned", { fen: board.fen, how }, { ...options, signal }),
      );
      if (answer) toPosition(answer.fen);
    }

    const hasValue = () => ["distance", "leaf", "rule"].includes(by.value);
    const element = h(
      "section",
      { class: "panel" },
      h("h2", {}, "Other positions"),
      h(
        "div",
        { class: "row" },
        field("Find", by),
        valueField,
        field("To move", turn),
        button("Find one", () => random()),
      ),
      notice.element,
      says,
      h(
        "div",
        { class: "row", role: "group", "aria-label": "Change this position" },
        button("Mirror left and right", () => turned("mirror")),
        button("Flip up and down", () => turned("flip")),
        button("Other side to move", () => turned("turn")),
      ),
    );
    function drawFields() {
      by.value = state.by ?? "any";
      turn.value = state.turn ?? "";
      valueField.hidden = !hasValue();
      valueField.firstChild.textContent = { leaf: "Leaf", rule: "Rule" }[by.value] ?? "Moves";
      if (document.activeElement !== value) value.value = state.value ?? "";
    }
    drawFields();
    return {
      element,
      endgame,
      drawFields,
      random,
      set(material) {
        if (material) endgame.set(material);
      },
    };
  }

  // The position: read, copied, or drawn by lot.
  function makeLookup() {
    const notice = notices();
    const said = h("span", { class: "small", role: "status" });
    const fen = h("input", {
      type: "text",
      class: "fen",
      spellcheck: "false",
      autocomplete: "off",
      onkeydown: (event) => event.key === "Enter" && read(),
    });

    async function read() {
      const text = fen.value.trim();
      if (!text) return;
      const answer = await notice.run((options) => get("/api/game", { fen: text }, { ...options, signal }));
      if (!answer) return;
      fen.blur();
      fen.value = answer.fen;
      toPosition(answer.fen);
    }

    const element = h(
      "div",
      { class: "stack" },
      h(
        "div",
        { class: "lookup" },
        finder.endgame.element,
        button("Random", () => finder.random(notice), { title: "A random position of the endgame" }),
        field("Position (FEN)", fen),
        button("Show", read),
        iconButton("copy", "Copy the FEN", () => copy(fen.value, "The FEN", said)),
      ),
      said,
      notice.element,
    );
    return {
      element,
      notice,
      set(text = game.fen) {
        said.textContent = "";
        if (document.activeElement !== fen) fen.value = text ?? "";
      },
    };
  }

  async function copy(text, what, said) {
    try {
      await navigator.clipboard.writeText(text);
      said.textContent = `${what} has been copied.`;
    } catch {
      said.textContent = `The browser does not allow copying. ${what} can be selected and copied by hand.`;
    }
  }

  // PGN, in and out.
  function makeExchange() {
    const notice = notices();
    const said = h("p", { class: "small", role: "status" });
    const pgnIn = h("textarea", { rows: 3, spellcheck: "false" });
    const pgnOut = h("textarea", { rows: 3, readonly: true, spellcheck: "false" });

    async function readPgn() {
      notice.clear();
      if (!pgnIn.value.trim()) {
        said.textContent = "Paste a game first.";
        return;
      }
      const answer = await notice.run((options) =>
        get("/api/game", { pgn: pgnIn.value }, { ...options, signal }),
      );
      said.textContent = answer?.warnings.join(" ") ?? "";
      if (answer) toPosition(answer.start, { moves: answer.played.map((move) => move.uci).join(",") });
    }

    const element = h(
      "details",
      { class: "panel" },
      h("summary", {}, "PGN"),
      h(
        "div",
        { class: "stack" },
        field("A game to read (PGN)", pgnIn, "Opens the first game's last position."),
        h("div", { class: "row" }, button("Read", readPgn)),
        field("The moves played here (PGN)", pgnOut),
        h(
          "div",
          { class: "row" },
          button("Copy", () => copy(pgnOut.value, "The PGN", said)),
          button("Save", () => save(pgnOut.value)),
        ),
        notice.element,
        said,
      ),
    );
    return {
      element,
      set() {
        pgnOut.value = game.pgn;
      },
    };
  }

  function save(text) {
    const url = URL.createObjectURL(new Blob([text], { type: "application/x-chess-pgn" }));
    h("a", { href: url, download: "lucena.pgn" }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  }

  // If the address has an endgame and no position, a random one is shown.
  async function begin() {
    const { material } = state;
    if (state.fen || !material || material === "KRvK") return draw();
    const query = { material, turn: "white", by: "any", seed: 1 };
    const answer = await all.run((options) => get("/api/random", query, { ...options, signal }));
    return answer ? toPosition(answer.fen, {}, true) : undefined;
  }

  return {
    ready: begin(),
    update(next) {
      state = next;
      finder.drawFields();
      return draw();
    },
    leave() {
      board.destroy();
    },
  };
}
