/** An endgame in stages; the lesson of a theory, a strategy or a measure; exercises, and practice. */
import { href } from "/page/address.js";
import { about, latest } from "/page/api.js";
import { Board, smallBoard } from "/page/board.js";
import { endgameChooser, endgameWords, playerChooser } from "/page/choosers.js";
import { tabLinks } from "/page/controls.js";
import { fill, h } from "/page/dom.js";
import { capital, count } from "/page/game.js";
import { legend } from "/page/legend.js";
import { masteredStages } from "/page/mastery.js";
import { moveLine } from "/page/moves.js";
import { notices } from "/page/notice.js";
import { showTeacherWords } from "/page/share.js";

// Keys of its own: tab (stages, exercises, practice, lesson), stage (the number of the stage that is shown or
// practised, from 1), tried (the moves tried on its board), n (the number of the exercise or position, from 1), of
// (lesson: the exercises of the player's lesson), side (weak: practise the weak side), game (the moves of the
// practice), hints (the number of hints shown), hinted (a move has been shown).

const STAGES = ["stages", "Stages"];
const TABS = [
  ["exercises", "Exercises"],
  ["practice", "Practice"],
  ["lesson", "Method"],
];
/** The keys that are cleared for another position or endgame. */
const FRESH = { n: null, game: null, hints: null, hinted: null, stage: null, tried: null, of: null };

export async function show(main, first, go, signal) {
  let state = first;
  let lesson = null;
  let lessonOf = "";
  let staged = null; // the answer of /api/stages; null if the endgame has no stages
  let stagedOf = "";
  let part = null; // what stands under a tab: { name, view }
  let boards = [];
  const ask = latest(signal);
  const askStages = latest(signal);
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
  const elementary = h("nav", { class: "endgames", "aria-label": "Elementary endgames" });
  const tabs = [[STAGES, ...TABS], TABS].map((list) => tabLinks("Parts of the lesson", list));
  const tabPlace = h("div");
  const place = h("div", { class: "stack" });
  fill(
    main,
    h("div", { class: "lesson-head" }, h("h1", {}, "Lesson"), endgame.element, player.element),
    h("div", { class: "lesson-head parts" }, tabPlace, elementary),
    notice.element,
    place,
  );

  let known = null;

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
    // Exercises and practice fit the window.
    const hasPanel = !["exercises", "practice"].includes(state.tab);
    showTeacherWords(main, state, signal, { hasPanel });
    known ??= await notice.run((options) => about(options));
    if (!known) return;
    const material = state.material ?? "KRvK";
    const name = teacher(material);
    endgame.set(material);
    player.set(name, material);
    drawElementary(known.elementary ?? [], material);
    if (stagedOf !== material) {
      staged = null;
      stagedOf = "";
      if (known.elementary?.some((one) => one.material === material && one.stages)) {
        staged = await notice.run((options) => askStages("/api/stages", { material }, options));
        if (!staged) return;
      }
      stagedOf = material;
      closePart();
    }
    const list = staged ? [STAGES, ...TABS] : TABS;
    const usual = staged ? "stages" : "lesson";
    const tab = list.some(([key]) => key === state.tab) ? state.tab : usual;
    const chosen = tabs[staged ? 0 : 1];
    if (tabPlace.firstChild !== chosen.element) fill(tabPlace, chosen.element);
    chosen.set(tab, (key) =>
      href({ ...FRESH, tab: key === usual ? null : key, material, player: name }, state),
    );
    // Only what a player teaches, or plays, has a teacher.
    player.element.hidden =
      staged &&
      (tab === "stages" ||
        (tab === "exercises" && state.of !== "lesson") ||
        (tab === "practice" && Boolean(state.stage)));
    const settled = { ...state, tab, material, player: name };
    if (tab === "stages") return drawPart("stages", settled);
    if (tab === "exercises" && staged && state.of !== "lesson") return drawPart("exercises", settled);
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
    const question = [settled.material, settled.player, settled.side, settled.of]
      .concat(name === "practice" ? settled.stage : [])
      .join();
    const isOfLesson = name === "exercises" && (!staged || settled.of === "lesson");
    if (!isOfLesson) {
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
      staged,
      lesson: isOfLesson ? lesson : null,
      onMastered: () => drawElementary(known.elementary ?? [], settled.material),
    });
    return mine.view.update(settled);
  }

  function drawElementary(list, material) {
    elementary.hidden = list.length === 0;
    const done = ({ material: of, stages }) => {
      const n = masteredStages(of, stages);
      return [
        h("span", { class: "small", "aria-hidden": "true" }, n === stages ? " \u2713" : ` ${n}/${stages}`),
        h("span", { class: "unseen" }, `, ${n} of ${stages} stages mastered`),
      ];
    };
    const active = document.activeElement;
    const focused = elementary.contains(active) ? active.dataset.of : null;
    const addressOf = (entry) =>
      href({ view: "lesson", material: entry.material, player: null, tab: state.tab, side: null, ...FRESH }, state);
    fill(
      elementary,
      list.map((entry) =>
        h(
          "a",
          {
            href: addressOf(entry),
            "aria-current": entry.material === material ? "true" : null,
            "data-of": entry.material,
            title: `${entry.material}: ${entry.goal}`,
          },
          h("b", {}, capital(endgameWords(entry.material).replace(" against the bare king", ""))),
          done(entry),
        ),
      ),
    );
    if (focused) elementary.querySelector(`[data-of="${focused}"]`)?.focus({ preventScroll: true });
  }

  function drawLesson() {
    const { title, sections, exercises, player, material } = lesson;
    const wholePlace = h("p", { hidden: true });
    offerWhole(wholePlace, material, player);
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
        wholePlace,
        sections.map(drawSection),
        exercises?.length > 0 &&
          h(
            "p",
            {},
            h(
              "a",
              { href: href({ tab: "exercises", of: staged ? "lesson" : null, n: null }, state) },
              `To the ${count(exercises.length, "exercise")}`,
            ),
            ".",
          ),
      ),
    );
  }

  // The stages and the usual teacher's lesson make one file, once the stages are counted.
  async function offerWhole(whole, material, player) {
    const own = known.elementary?.find((entry) => entry.material === material)?.player;
    if (!staged || player !== own) return;
    const counted = await latest(signal)("/api/stages/answers", { material }).catch(() => null);
    if (!counted) return;
    whole.hidden = false;
    fill(
      whole,
      h(
        "a",
        { href: `/api/lesson.html?${new URLSearchParams({ material })}`, download: `${material}-stages.html` },
        "Save the stages and this lesson as one file",
      ),
      ".",
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
