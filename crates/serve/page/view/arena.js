/** The arena: games between any two players, human or not. */
import { linkTo } from "/page/address.js";
import { about, get, isAbort, latest } from "/page/api.js";
import { Board, smallBoard } from "/page/board.js";
import { endgameChooser, field, playerChooser, select } from "/page/choosers.js";
import { iconButton, check, copyButton, viewHead } from "/page/controls.js";
import { button, fill, h } from "/page/dom.js";
import { allMoves, capital, INITIAL, moveNumber, nameOf, sideToMove, START, turnOf } from "/page/game.js";
import { boardKeys } from "/page/keys.js";
import { moveLine } from "/page/moves.js";
import { notices } from "/page/notice.js";
import { wait } from "/page/timing.js";
import { searchSwitches } from "/page/view/arena/search.js";
import { winnerClass, winnerOfResult } from "/page/winner.js";

const HUMAN = { name: "human", title: "A human, on the board" };
const SIDES = ["white", "black"];
/** The default of the shortest time for a move, in seconds. */
const LEAST = 0.6;
/** The number of small boards on a page of the history. */
const STRIP = 8;
/** Milliseconds between changes of the address: browsers allow about a hundred in half a minute. */
const WRITE_EVERY = 500;

/** Players that give a reason without searching. */
const REASONS = /^(theory|strategy|measure|exact|learned|tablebase|stubborn|tree:|strategy:|measure:)/;

export async function show(main, first, go, signal) {
  let state = withDefaults(first);
  let game = null; // the whole game, as /api/game has it
  let here = null; // the same up to the move that is on the board
  let line = { fen: null, moves: [], at: null };
  let playing = null; // an AbortController while a game is on
  let because = "";
  let isHeld = false; // whether the address lags behind
  let timer = 0;
  const ask = latest(signal);
  const askAgain = latest(signal);

  const place = h("div", { class: "board-place" });
  const board = new Board(place, {
    fen: state.fen,
    label: "The game",
    flipped: state.flip === "1",
    onMove: humanMove,
  });
  const notice = notices({ again: () => (game ? start() : load()) });
  const status = h("p", { class: "outcome", role: "status" });
  const startButton = button(
    "Start",
    () => {
      if (startButton.getAttribute("aria-disabled") === "true") return;
      if (playing) pause();
      else start();
    },
    { class: "primary" },
  );
  const stopButton = button("Stop", stop, {
    title: "Ends the game and returns to its start. The browser's Back brings the game back.",
  });
  const flip = () => go({ flip: state.flip === "1" ? null : "1" }, { replace: true });
  // A human sits at the bottom of the board.
  const changeSides = () => {
    const [white, black] = [state.black, state.white];
    const humans = [white, black].filter((one) => one === "human").length;
    const flipped = humans === 1 ? (black === "human" ? "1" : null) : state.flip;
    go({ white, black, flip: flipped });
  };
  const flipButton = iconButton("flip", "Flip the board", flip, { "aria-pressed": "false" });
  const track = () => game && { at: onBoard(), length: line.moves.length, go: goTo };
  const keysButton = boardKeys({ board, track, flip, signal });
  const pace = h("input", {
    type: "number",
    min: 0,
    max: 60,
    step: 0.1,
    value: state.pause,
    onchange: () =>
      go({ pause: pace.value === "" ? null : Math.max(0, Number(pace.value) || 0) }, { replace: true }),
  });
  const facts = h("dl", { class: "facts" });
  const lineBox = h("div");
  const strip = h("div", { class: "stack" });
  const pgnBox = h("div", { class: "stack" });
  const sides = Object.fromEntries(SIDES.map((side) => [side, sidePart(side)]));
  const setup = startPart();

  fill(
    main,
    viewHead("Play", "Against a player, or let two of them play. Move a piece to begin."),
    h(
      "div",
      { class: "columns" },
      h(
        "div",
        { class: "side" },
        place,
        h("div", { class: "row tools" }, flipButton, keysButton),
      ),
      h(
        "div",
        {},
        h(
          "section",
          { class: "panel", "aria-label": "The game" },
          h("div", { class: "heading" }, status, h("div", { class: "row" }, startButton, stopButton)),
          notice.element,
          facts,
        ),
        h(
          "section",
          { class: "panel" },
          h("h2", {}, "Players"),
          h(
            "div",
            { class: "row even" },
            SIDES.map((side) => sides[side].chooser.element),
          ),
          SIDES.map((side) => sides[side].switches),
          h(
            "div",
            { class: "row" },
            button("Change sides", changeSides),
            h("div", { class: "pace" }, field("Seconds for a move, at least", pace)),
          ),
        ),
        setup.element,
        h("section", { class: "panel" }, h("h2", {}, "Moves"), lineBox, pgnBox),
        h("section", { class: "panel" }, h("h2", {}, "History"), strip),
      ),
    ),
  );
  drawControls();
  return { ready: begin(), update, leave };

  /** Starts from a random position if the link to a player only gives its endgame. */
  async function begin() {
    if (state.start !== "random") return load();
    const query = {
      material: state.material ?? "KRvK",
      turn: "white",
      by: "any",
      seed: Math.floor(Math.random() * 2 ** 31),
    };
    const found = await notice.run((options) => get("/api/random", query, { ...options, signal }));
    if (!found) return;
    go({ fen: found.fen, moves: null, at: null, start: null }, { replace: true });
  }

  // The address and the game

  async function update(next) {
    const changed = withDefaults(next);
    const players = SIDES.some((side) => changed[side] !== state[side]);
    state = changed;
    board.setFlipped(state.flip === "1");
    flipButton.setAttribute("aria-pressed", String(state.flip === "1"));
    if (document.activeElement !== pace) pace.value = state.pause;
    for (const side of SIDES) sides[side].draw();
    setup.draw();
    if (isSame(state)) {
      if (players) {
        notice.clear();
        drawControls();
        drawPgn();
      }
      return;
    }
    pause();
    isHeld = false;
    clearTimeout(timer);
    await load();
  }

  function leave() {
    pause();
    clearTimeout(timer);
    board.destroy();
  }

  function isSame(other) {
    return (
      game !== null &&
      other.fen === line.fen &&
      (other.moves ?? "") === line.moves.join(",") &&
      asked(other) === onBoard()
    );
  }

  /** The number of moves on the board. */
  function onBoard() {
    return line.at ?? line.moves.length;
  }

  function asked(other) {
    const moves = allMoves(other);
    const at = Number(other.at ?? moves.length);
    return Number.isInteger(at) && at >= 0 && at <= moves.length ? at : moves.length;
  }

  /** Shows the state in the address. */
  async function load() {
    const moves = allMoves(state);
    const at = asked(state);
    const loaded = { fen: state.fen, moves, at: at === moves.length ? null : at };
    const isNew = loaded.fen !== line.fen || loaded.moves.join(",") !== line.moves.join(",") || !game;
    line = loaded;
    because = "";
    const answer = await notice.run(async (options) => {
      const whole = isNew ? await ask("/api/game", { fen: line.fen, moves: moves.join(",") }, options) : game;
      return [
        whole,
        line.at === null
          ? whole
          : await ask("/api/game", { fen: line.fen, moves: moves.slice(0, at).join(",") }, options),
      ];
    });
    if (!answer) {
      if (!signal.aborted && notice.failed) drawControls();
      return;
    }
    [game, here] = answer;
    draw();
    await recall();
  }

  /** Writes the game to the address, no more often than browsers allow. */
  function write(now = false) {
    isHeld = true;
    const put = () => {
      timer = 0;
      if (!isHeld || signal.aborted) return;
      isHeld = false;
      go({ fen: line.fen, moves: line.moves.join(","), at: line.at }, { replace: true });
    };
    if (now) {
      clearTimeout(timer);
      put();
    } else if (!timer) timer = setTimeout(put, WRITE_EVERY);
  }
  addEventListener("pagehide", () => isHeld && write(true), { signal });

  // Playing

  function start() {
    if (playing || !game) return;
    notice.clear();
    if (game.over && line.at === null) {
      go({ moves: null, at: null });
      return void again();
    }
    branch();
    playing = new AbortController();
    drawControls();
    loop(playing.signal);
  }

  /** Starts again, after go() has restored the start. */
  async function again() {
    for (let i = 0; i < 100 && (line.moves.length || game?.over) && !signal.aborted; i += 1)
      await wait(30, signal).catch(() => {});
    if (game && !game.over && !signal.aborted) start();
  }

  /** Drops the moves after the position on the board; the browser's Back restores them. */
  function branch() {
    if (line.at === null) return;
    const moves = line.moves.slice(0, line.at);
    line = { fen: line.fen, moves, at: null };
    game = here;
    isHeld = false;
    clearTimeout(timer);
    timer = 0;
    go({ moves: moves.join(","), at: null });
    draw();
  }

  function pause() {
    if (!playing) return;
    playing.abort();
    playing = null;
    if (isHeld && !signal.aborted) write(true);
    if (!signal.aborted) drawControls();
  }

  function stop() {
    pause();
    go({ moves: null, at: null });
  }

  async function loop(control) {
    const both = AbortSignal.any([control, signal]);
    try {
      while (!game.over) {
        const name = state[game.turn];
        if (name === "human") return drawControls();
        drawControls();
        const since = performance.now();
        const query = { fen: line.fen, moves: line.moves.join(","), player: name, seed: state.seed };
        const answer = await get("/api/answer", query, {
          signal: both,
          onProgress: (progress) =>
            progress && drawControls(`${progress.what}: ${progress.done} of ${progress.total ?? "?"}`),
        });
        const least = Math.max(0.05, Number(state.pause) || 0) * 1000;
        await wait(Math.max(0, least - (performance.now() - since)), both);
        await make(answer.uci, both, answer.because);
      }
    } catch (error) {
      if (isAbort(error)) return;
      notice.show(error);
    }
    if (playing?.signal === control) pause();
  }

  async function make(uci, asked, reason = "") {
    const moves = [...line.moves, uci];
    const next = await get("/api/game", { fen: line.fen, moves: moves.join(",") }, { signal: asked });
    line = { fen: line.fen, moves, at: null };
    game = next;
    here = next;
    because = reason ?? "";
    draw();
    write();
  }

  async function humanMove(uci) {
    if (!playing) start();
    branch();
    if (!playing) return;
    const control = playing.signal;
    try {
      await make(uci, AbortSignal.any([control, signal]));
    } catch (error) {
      if (isAbort(error)) return;
      notice.show(error);
      return draw();
    }
    if (playing?.signal === control) loop(control);
  }

  // Drawing

  function draw() {
    const shown = here;
    const last = shown.played.at(-1);
    board.show({ fen: shown.fen, moves: shown.moves, lastMove: last?.uci ?? null, check: shown.check });
    drawControls();
    drawFacts();
    drawLine();
    drawStrip();
    drawPgn();
  }

  function drawFacts() {
    const shown = here;
    const last = shown.played.at(-1);
    const since = shown.clock;
    facts.hidden = !last;
    fill(
      facts,
      fact("Moves", `${Math.ceil(shown.played.length / 2)}`),
      fact("Since the last capture or pawn move", `${Math.ceil(since / 2)}`),
      last && fact("Last move", last.san, because),
      shown.over ? fact("Result", shown.result, shown.status) : fact("Result", "none yet"),
    );
  }

  /** Gets the reason of the last move by asking its player again, which gives the same answer. */
  async function recall() {
    const moves = line.moves.slice(0, onBoard());
    const last = moves.pop();
    const before = last && (here.played.at(-2)?.fen ?? here.start);
    const player = last && state[turnOf(before)];
    if (!last || !REASONS.test(player)) return;
    const query = { fen: line.fen, moves: moves.join(","), player, seed: state.seed };
    const answer = await askAgain("/api/answer", query).catch(() => null);
    if (answer?.uci !== last || playing || onBoard() !== moves.length + 1) return;
    because = answer.because ?? "";
    drawFacts();
  }

  function fact(term, value, small) {
    return h(
      "div",
      {},
      h("dt", {}, term),
      h("dd", {}, value, small && h("span", { class: "small" }, ` ${small}`)),
    );
  }

  function drawControls(words) {
    const over = game?.over && line.at === null;
    const isPaused = !playing;
    const isHuman = Boolean(here) && state[here.turn] === "human" && !here.over;
    const isBegun = line.moves.length > 0 || line.at !== null;
    // A human starts with a move, and there is nothing to pause while the page waits for it.
    startButton.textContent = over
      ? "Play again"
      : playing || (isHuman && isBegun)
        ? "Pause"
        : isBegun
          ? "Continue"
          : "Start";
    startButton.setAttribute("aria-disabled", String(isHuman));
    stopButton.setAttribute("aria-disabled", String(!line.moves.length));
    if (!here) return;
    const mover = state[here.turn];
    const mode = isHuman ? "play" : "look";
    if (board.mode !== mode) board.setMode(mode);
    const text = here.over
      ? capital(here.status)
      : line.at !== null
        ? `${plain(here.status)} (move ${Math.ceil(line.at / 2)} of ${Math.ceil(line.moves.length / 2)})`
        : isHuman
          ? `${nameOf(here.turn)} to move on the board`
          : isPaused
            ? `${plain(here.status)}${line.moves.length ? ", paused" : ""}`
            : (words ?? `${nameOf(here.turn)} thinks: ${shortName(mover)}`);
    if (status.textContent !== text) status.textContent = text;
    status.className = `outcome ${winnerClass(winnerOfResult(here.over ? here.result : null))}`;
  }

  function drawLine() {
    const hadFocus = lineBox.contains(document.activeElement);
    const key = line.moves.join(",") + line.fen;
    if (lineBox.dataset.key === key) {
      lineBox.line?.set(onBoard());
    } else {
      lineBox.dataset.key = key;
      lineBox.line = line.moves.length
        ? moveLine({
            label: "Moves of the game",
            fen: game.start,
            line: game.played,
            at: onBoard(),
            onStep: goTo,
          })
        : null;
      fill(lineBox, lineBox.line?.element ?? h("p", { class: "small" }, "No move has been made."));
      if (hadFocus) lineBox.querySelector("[aria-current], button")?.focus({ preventScroll: true });
    }
    const words = lineBox.querySelector(".line-moves");
    const chosen = words?.querySelector("[aria-current]");
    if (chosen) words.scrollTop = chosen.offsetTop - words.offsetTop - words.clientHeight / 2;
  }

  function goTo(at) {
    pause();
    go(
      { moves: line.moves.join(","), fen: line.fen, at: at === line.moves.length ? null : at },
      { replace: true },
    );
  }

  /** Draws boards of the game to go back to: only a few, around the current one. */
  function drawStrip(page = Math.floor(Math.max(0, onBoard() - 1) / STRIP)) {
    const focused = document.activeElement?.dataset?.at;
    const hadFocus = strip.contains(document.activeElement);
    const positions = game.played;
    if (!positions.length)
      return fill(strip, h("p", { class: "small" }, "The positions of the game appear here."));
    const pages = Math.ceil(positions.length / STRIP);
    const from = Math.max(0, Math.min(page * STRIP, positions.length - STRIP));
    const shown = [
      ...(from === 0 ? [{ at: 0, fen: game.start, words: "Start" }] : []),
      ...positions.slice(from, from + STRIP).map((move, i) => ({
        at: from + i + 1,
        fen: move.fen,
        uci: move.uci,
        words: `${moveNumber(game.start, from + i)} ${move.san}`,
      })),
    ];
    const step = (text, label, to) =>
      button(text, () => to >= 0 && to < pages && drawStrip(to), {
        "aria-label": label,
        "aria-disabled": String(to < 0 || to >= pages),
        "data-at": label,
      });
    fill(
      strip,
      h(
        "p",
        { class: "small" },
        "Choose a position to show it. Playing on from there starts another branch; ",
        "the browser's Back returns to this one.",
      ),
      h(
        "ul",
        { class: "strip" },
        shown.map(({ at, fen, uci, words }) => {
          const one = button("", () => goTo(at), {
            class: "strip-board",
            "data-at": at,
            "aria-current": at === onBoard() ? "step" : null,
            "aria-label": `${words}, ${sideToMove(fen)}`,
          });
          const picture = smallBoard(fen, { lastMove: uci, flipped: state.flip === "1", label: words });
          picture.setAttribute("aria-hidden", "true");
          fill(one, picture, h("span", {}, words));
          return h("li", {}, one);
        }),
      ),
      pages > 1 &&
        h(
          "div",
          { class: "row pager" },
          step("\u00ab", "The first moves", page === 0 ? -1 : 0),
          step("\u2039", "Earlier moves", page - 1),
          h(
            "span",
            { class: "small" },
            `Moves ${Math.floor(from / 2) + 1} to ${Math.ceil(
              Math.min(positions.length, from + STRIP) / 2,
            )} of ${Math.ceil(positions.length / 2)}`,
          ),
          step("\u203a", "Later moves", page + 1),
          step("\u00bb", "The last moves", page === pages - 1 ? -1 : pages - 1),
        ),
    );
    if (hadFocus && focused)
      strip.querySelector(`[data-at="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  function drawPgn() {
    if (!game) return;
    if (!pgnBox.firstChild) {
      const text = h("pre", { class: "code pgn", tabindex: "0", "aria-label": "The game as PGN" });
      fill(
        pgnBox,
        h(
          "div",
          { class: "row" },
          button("Save as PGN", save),
          copyButton(pgn, "Copy PGN"),
          h("a", { class: "button explore-link" }, "Explore this position"),
        ),
        h("details", {}, h("summary", {}, "PGN"), text),
      );
    }
    pgnBox.querySelector("pre").textContent = pgn();
    pgnBox.querySelector(".explore-link").href = linkTo({
      view: "explore",
      fen: line.fen,
      moves: line.moves.join(",") || null,
      at: line.at,
    });
  }

  function pgn() {
    return withTags(game.pgn, { White: titleOf(state.white), Black: titleOf(state.black) });
  }

  function save() {
    const address = URL.createObjectURL(new Blob([pgn()], { type: "application/x-chess-pgn" }));
    const link = h("a", { href: address, download: "lucena.pgn" });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  }

  // The settings

  function sidePart(side) {
    const chooser = playerChooser({
      label: nameOf(side),
      value: state[side],
      extra: () => [HUMAN],
      onChange: (name) => go({ [side]: name }),
    });
    const switches = h("div");
    let shown = null;
    function draw() {
      chooser.set(state[side]);
      const name = state[side];
      if (shown === name) return;
      const focus = switches.contains(document.activeElement) ? document.activeElement.dataset.switch : null;
      const open = switches.querySelector("details")?.open ?? false;
      shown = name;
      if (!name.startsWith("search:")) return fill(switches);
      fill(
        switches,
        searchSwitches(`${nameOf(side)}: switches of the search`, name, (changed) =>
          go({ [side]: changed }, { replace: true }),
        ),
      );
      switches.querySelector("details").open = open;
      if (focus) switches.querySelector(`[data-switch="${focus}"]`)?.focus();
    }
    draw();
    return { chooser, switches, draw };
  }

  function startPart() {
    const endgames = endgameChooser({ value: state.material ?? "KRvK", onChange: () => {} });
    const turn = select(
      [
        ["white", "White"],
        ["black", "Black"],
      ],
      "white",
      () => {},
    );
    const fen = h("input", {
      type: "text",
      class: "fen",
      spellcheck: "false",
      autocomplete: "off",
      value: state.fen,
      onchange: () => fen.value.trim() && go({ fen: fen.value.trim(), moves: null, at: null }),
    });
    const wrong = notices();
    const seed = h("input", {
      type: "number",
      min: 0,
      step: 1,
      value: state.seed,
      onchange: () =>
        go(
          { seed: seed.value === "" ? null : Math.max(0, Math.floor(Number(seed.value) || 0)) },
          { replace: true },
        ),
    });
    async function random() {
      const material = endgames.value;
      const found = await wrong.run((options) =>
        get(
          "/api/random",
          { material, turn: turn.value, by: "any", seed: Math.floor(Math.random() * 2 ** 31) },
          { ...options, signal },
        ),
      );
      if (found) go({ fen: found.fen, moves: null, at: null, material });
    }
    const element = h(
      "details",
      { class: "panel" },
      h("summary", {}, "Start position"),
      h(
        "div",
        { class: "row" },
        button("Start of a whole game", () => go({ fen: INITIAL, moves: null, at: null })),
        button("Position on the board", () => here && go({ fen: here.fen, moves: null, at: null }), {
          title: "The position that is shown becomes the start of a new game.",
        }),
      ),
      h("div", { class: "row" }, endgames.element, field("To move", turn), button("Random position", random)),
      wrong.element,
      field("FEN", fen, "Any position, then Enter."),
      field("Seed", seed, "Players that move at random repeat their choices with the same seed."),
    );
    return {
      element,
      draw() {
        if (document.activeElement !== fen) fen.value = state.fen;
        if (document.activeElement !== seed) seed.value = state.seed;
      },
    };
  }
}

function withDefaults(state) {
  return {
    ...state,
    fen: state.fen ?? START,
    white: state.white ?? "human",
    black: state.black ?? "tablebase",
    pause: state.pause ?? String(LEAST),
    seed: state.seed ?? "1",
  };
}

/** A sentence without its full stop. */
const plain = (sentence) => sentence.replace(/\.$/, "");

/** A player's name without the folders of its file. */
function shortName(name) {
  return name.replace(/:(?:[^,]*\/)?([^/,]+)/, ": $1");
}

const titleOf = (name) => (name === "human" ? "Human" : `lucena ${name}`);

/** Replaces tags of a PGN; new ones come first. */
function withTags(text, tags) {
  const missing = [];
  for (const [tag, value] of Object.entries(tags)) {
    const written = `[${tag} "${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"]`;
    const pattern = new RegExp(`^\\[${tag} ".*"\\]$`, "m");
    if (pattern.test(text)) text = text.replace(pattern, () => written);
    else missing.push(`${written}\n`);
  }
  return missing.join("") + text;
}
