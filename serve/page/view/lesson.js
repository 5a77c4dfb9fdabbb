/** The lesson of a theory, a strategy or a measure, its exercises, and practice. */
import { href } from "/page/address.js";
import { about, latest } from "/page/api.js";
import { Board, smallBoard } from "/page/board.js";
import { endgameChooser, endgameWords, playerChooser } from "/page/choosers.js";
import { tabLinks } from "/page/controls.js";
import { button, fill, h } from "/page/dom.js";
import { capital, count } from "/page/game.js";
import { legend } from "/page/legend.js";
import { forget, remembered } from "/page/memory.js";
import { moveLine } from "/page/moves.js";
import { notices } from "/page/notice.js";
import { showTeacherWords } from "/page/share.js";

// Keys of its own: tab (lesson, exercises, practice), n (the number of the exercise or position, from 1),
// side (weak: practise the weak side), game (the moves of the practice), hints (the number of hints shown),
// hinted (a move has been shown).

const TABS = [
  ["lesson", "The lesson"],
  ["exercises", "Exercises"],
  ["practice", "Practice"],
];
/** The keys that are cleared for another position or endgame. */
const FRESH = { n: null, game: null, hints: null, hinted: null };

export async function show(main, first, go, signal) {
  let state = first;
  let lesson = null;
  let lessonOf = "";
  let part = null; // what stands under a tab: { name, view }
  let boards = [];
  const ask = latest(signal);
  const notice = notices({ again: () => draw() });

  const endgame = endgameChooser({
    onChange: (material) => go({ ...FRESH, material }),
  });
  const player = playerChooser({
    label: "Taught by",
    filter: (one) => one.tree || one.strategy || one.measure,
    other: false,
    onChange: (name) => go({ ...FRESH, player: name }),
  });
  const elementaryList = h("div", { class: "stack" });
  const elementary = h(
    "details",
    { class: "panel" },
    h("summary", {}, "Elementary endgames"),
    elementaryList,
  );
  const tabs = tabLinks("Parts of the lesson", TABS);
  const place = h("div", { class: "stack" });
  const choosers = h("div", { class: "row even" }, endgame.element, player.element);
  fill(main, h("h1", {}, "Lesson"), elementary, choosers, tabs.element, notice.element, place);

  let known = null;
  let tabDrawn = "";

  // The teacher of an endgame: the chosen player if it can, else the endgame's own, else the first that can, else the
  // table.
  function teacher(material) {
    const names = known.endgames.find((one) => one.material === material)?.players ?? [];
    const own = known.elementary?.find((one) => one.material === material)?.player;
    const teaches = ({ name, endgame: only, tree, strategy, measure }) =>
      (tree || strategy || measure) && (only ? only === material : names.includes(name));
    const teachers = known.players.filter(teaches).map((one) => one.name);
    if (teachers.includes(state.player)) return state.player;
    return [own, "strategy", "theory", "measure"].find((name) => teachers.includes(name)) ?? teachers[0] ?? "tablebase";
  }

  async function draw() {
    showTeacherWords(main, state, signal);
    known ??= await notice.run((options) => about(options));
    if (!known) return;
    const material = state.material ?? "KRvK";
    const name = teacher(material);
    endgame.set(material);
    player.set(name, material);
    drawElementary(known.elementary ?? [], material);
    const tab = TABS.some(([key]) => key === state.tab) ? state.tab : "lesson";
    if (tabDrawn !== tab) elementary.open = tab === "lesson";
    tabDrawn = tab;
    tabs.set(tab, (key) =>
      href({ ...FRESH, tab: key === "lesson" ? null : key, material, player: name }, state),
    );
    const settled = { ...state, tab, material, player: name };
    if (tab === "practice") return drawPart("practice", settled);
    const question = `${material} ${name}`;
    if (name === "tablebase") {
      ask.stop();
      closePart();
      return fill(
        place,
        h(
          "p",
          { class: "notice" },
          `No theory, strategy or measure here teaches ${material}. `,
          h("a", { href: href({ tab: "practice", n: null, material }, state) }, "Practice"),
          " uses the table instead.",
        ),
      );
    }
    if (lessonOf !== question) {
      lessonOf = "";
      lesson = null;
      closePart();
      fill(place);
      const found = await notice.run((options) => ask("/api/lesson", { material, player: name }, options));
      if (!found) return;
      lesson = found;
      lessonOf = question;
    } else notice.clear();
    if (tab === "exercises") return drawPart("exercises", settled);
    if (part?.name === "lesson" && part.question === question) return;
    closePart();
    part = { name: "lesson", question };
    drawLesson();
  }

  function closePart() {
    part?.view?.leave?.();
    part = null;
    for (const board of boards) board.destroy();
    boards = [];
  }

  async function drawPart(name, settled) {
    const question = `${settled.material} ${settled.player} ${settled.side}`;
    if (name === "practice") {
      ask.stop();
      notice.clear();
    }
    if (part?.name === name && part.question === question) return part.view?.update(settled);
    closePart();
    const mine = { name, question, view: null };
    part = mine;
    fill(place, h("p", { class: "small" }, "Loading..."));
    const module = await import(`/page/view/${name}.js`);
    if (part !== mine || signal.aborted) return undefined;
    fill(place);
    mine.view = module.open(place, settled, go, signal, {
      lesson,
      onMastered: () => drawElementary(known.elementary ?? [], settled.material),
    });
    return mine.view.update(settled);
  }

  function drawElementary(list, material) {
    elementary.hidden = list.length === 0;
    const done = (entry) => {
      const { all, mastered } = remembered(entry.material, "strong");
      const n = Object.keys(mastered).length;
      if (!n) return "";
      return all && n >= all ? "all mastered" : all ? `${n} of ${all} mastered` : `${n} mastered`;
    };
    const active = document.activeElement;
    const focused = elementaryList.contains(active) ? active.dataset.of : null;
    fill(
      elementaryList,
      h(
        "ul",
        { class: "endgames" },
        list.map((entry) =>
          h(
            "li",
            {},
            h(
              "a",
              {
                href: href(
                  {
                    view: "lesson",
                    material: entry.material,
                    player: entry.player,
                    tab: entry.player === "tablebase" ? "practice" : state.tab,
                    side: null,
                    ...FRESH,
                  },
                  state,
                ),
                "aria-current": entry.material === material ? "true" : null,
                "data-of": entry.material,
              },
              h("b", {}, entry.material),
              h("span", {}, capital(endgameWords(entry.material))),
              h(
                "span",
                { class: "small" },
                [entry.goal && `Goal: ${entry.goal}`, done(entry)].filter(Boolean).join(". "),
              ),
            ),
          ),
        ),
      ),
      list.some(done) &&
        h(
          "p",
          {},
          button(
            "Forget my progress",
            () => {
              forget();
              drawElementary(list, material);
              part?.view?.update?.({ ...state, material, player: player.value });
            },
            { class: "quiet" },
          ),
        ),
    );
    if (focused) elementaryList.querySelector(`[data-of="${focused}"]`)?.focus({ preventScroll: true });
  }

  function drawLesson() {
    const { title, sections, exercises, player, material } = lesson;
    const file = `/api/lesson.html?${new URLSearchParams({ player, material })}`;
    fill(
      place,
      h(
        "article",
        { class: "lesson stack" },
        h("h2", { class: "outcome" }, title),
        h(
          "p",
          {},
          h("a", { href: file, download: `${material}.html` }, "Save this lesson as one file"),
          " with boards to play on. It needs no server.",
        ),
        sections.map(drawSection),
        exercises?.length > 0 &&
          h(
            "p",
            {},
            h(
              "a",
              { href: href({ tab: "exercises", n: null }, state) },
              `To the ${count(exercises.length, "exercise")}`,
            ),
            ".",
          ),
      ),
    );
  }

  function drawSection({ heading, paragraphs, items, first, boards: still, game }) {
    const title = heading && h("h3", { class: "as-h2" }, heading);
    const isBare = ![paragraphs, items, still].some((list) => list?.length) && !game;
    if (isBare) return title;
    return h(
      "section",
      { class: "panel" },
      title,
      (paragraphs ?? []).map((words) => h("p", {}, words)),
      (items ?? [])
        .filter((list) => list.length)
        .map((list) =>
          h(
            first ? "ol" : "ul",
            { class: first ? "numbered" : "numbered plain", start: first > 1 ? first : null },
            list.map((item) => h("li", {}, item)),
          ),
        ),
      still?.length > 0 &&
        h(
          "div",
          { class: "boards" },
          still.map(({ fen, marks, caption }) =>
            h(
              "figure",
              {},
              smallBoard(fen, { marks }),
              h("figcaption", {}, caption, legend(marks)),
              h(
                "a",
                { class: "small", href: href({ view: "why", fen, moves: null, at: null }, state) },
                "Why, on a board",
              ),
            ),
          ),
        ),
      game && drawGame(heading, game),
    );
  }

  // A game of the lesson, on its own board.
  function drawGame(heading, { fen, moves, sans, why, numbers, fens }) {
    const boardPlace = h("div", { class: "board-place" });
    const lines = h("div");
    const element = h("div", { class: "lesson-game" }, boardPlace, lines);
    const board = new Board(boardPlace, { fen, label: heading, mode: "look" });
    boards.push(board);
    const openGame = (found) =>
      fill(
        lines,
        moveLine({
          label: heading,
          fen,
          line: moves.map((uci, i) => ({
            uci,
            san: sans[i],
            fen: found[i],
            says: why[i],
            number: numbers[i],
          })),
          onStep: (at, move) =>
            board.show({ fen: move?.fen ?? fen, lastMove: move?.uci ?? null, check: null }),
        }).element,
      );
    if (fens) openGame(fens);
    else {
      const gameNotice = notices();
      fill(lines, gameNotice.element);
      gameNotice
        .run((options) => latest(signal)("/api/game", { fen, moves: moves.join(",") }, options))
        .then((found) => found && openGame(found.played.map((move) => move.fen)));
    }
    return element;
  }

  return {
    ready: draw(),
    update(next) {
      state = next;
      return draw();
    },
    leave: closePart,
  };
}
