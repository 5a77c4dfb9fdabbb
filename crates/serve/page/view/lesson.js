/** An endgame in stages; the lesson of a theory, a strategy, a measure or rules; exercises, and practice. */
import { href } from "/page/address.js";
import { about, latest } from "/page/api.js";
import { Board, smallBoard } from "/page/board.js";
import { endgameChooser, endgameLinks, playerChooser } from "/page/choosers.js";
import { tabLinks } from "/page/controls.js";
import { fill, h } from "/page/dom.js";
import { count } from "/page/game.js";
import { legend } from "/page/legend.js";
import { masteredStages } from "/page/mastery.js";
import { moveLine } from "/page/moves.js";
import { notices } from "/page/notice.js";
import { showTeacherWords } from "/page/share.js";

// Keys of its own: tab (stages, exercises, practice, lesson), stage (the number of the stage that is shown or
// practised, from 1), tried (the moves tried on its board), n (the number of the exercise or position, from 1), of
// (lesson: the exercises of the player's lesson), side (weak: practise the weak side), game (the moves of the
// practice), hints (the number of hints shown), hinted (a move has been shown), by (rules: they teach, and no player).

const STAGES = ["stages", "Stages"];
const TABS = [
  ["exercises", "Exercises"],
  ["practice", "Practice"],
  ["lesson", "Method"],
];
/** The teacher of a lesson that is made from rules about who wins. */
const RULES = {
  name: "rules",
  title: "Rules about who wins",
  about: "what is won, what is drawn and how it is held, without an exception",
};
/** The keys of a teacher. Other views know players, so rules are not named as one. @param {string} name */
const taughtBy = (name) => (name === RULES.name ? { player: null, by: name } : { player: name, by: null });
/** The keys that are cleared for another position or endgame. */
const FRESH = { n: null, game: null, hints: null, hinted: null, stage: null, tried: null, of: null };

export async function show(main, first, go, signal) {
  let state = first;
  let known = null; // the answer of /api/about
  let lesson = null;
  let lessonOf = "";
  let staged = null; // the answer of /api/stages; null if the endgame has no stages
  let stagedOf = "";
  let part = null; // what stands under a tab: { name, view }
  let boards = [];
  const ask = latest(signal);
  const askStages = latest(signal);
  const notice = notices({ again: () => draw() });
  const hasRules = (material) => Boolean(known?.rule_lessons.includes(material));

  const endgame = endgameChooser({
    also: (about) => about.rule_lessons,
    onChange: (material) => go({ ...FRESH, material }),
  });
  const player = playerChooser({
    label: "Taught by",
    filter: (one) => one.tree || one.strategy || one.measure,
    extra: (material) => (hasRules(material) ? [RULES] : []),
    other: false,
    onChange: (name) => go({ ...FRESH, ...taughtBy(name) }),
  });
  const choice = endgameLinks("Endgames with a lesson");
  const tabs = [[STAGES, ...TABS], TABS].map((list) => tabLinks("Parts of the lesson", list));
  const tabPlace = h("div");
  const place = h("div", { class: "stack" });
  fill(
    main,
    h("div", { class: "lesson-head" }, h("h1", {}, "Lesson"), endgame.element, player.element),
    h("div", { class: "lesson-head parts" }, tabPlace, choice.element),
    notice.element,
    place,
  );

  // The teacher of an endgame: the chosen one if it can, else the endgame's own, else rules about who wins, else the
  // first that can, else the table.
  function teacher(material) {
    const names = known.endgames.find((one) => one.material === material)?.players ?? [];
    const own = known.elementary.find((one) => one.material === material)?.player;
    const teaches = ({ name, endgame: only, tree, strategy, measure }) =>
      (tree || strategy || measure) && (only ? only === material : names.includes(name));
    const teachers = known.players.filter(teaches).map((one) => one.name);
    if (hasRules(material)) teachers.push(RULES.name);
    if (state.by === RULES.name && hasRules(material)) return RULES.name;
    if (teachers.includes(state.player)) return state.player;
    return [own, RULES.name, "strategy", "theory", "measure"].find((name) => teachers.includes(name)) ?? teachers[0] ?? "tablebase";
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
    drawChoice(material);
    if (stagedOf !== material) {
      staged = null;
      stagedOf = "";
      if (known.elementary.some((one) => one.material === material && one.stages)) {
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
      href({ ...FRESH, tab: key === usual ? null : key, material, ...taughtBy(name) }, state),
    );
    // Only what a player teaches, or plays, has a teacher.
    player.element.hidden =
      staged &&
      (tab === "stages" ||
        (tab === "exercises" && state.of !== "lesson") ||
        (tab === "practice" && Boolean(state.stage)));
    // Rules say who wins, and play no game.
    const plays = tab === "practice" && name === RULES.name ? "tablebase" : name;
    const settled = { ...state, tab, material, player: plays };
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
          `No theory, strategy, measure or rules here teach ${material}. `,
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
      const found = await notice.run((options) =>
        name === RULES.name
          ? ask("/api/lesson/rules", { material }, options)
          : ask("/api/lesson", { material, player: name }, options),
      );
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
      onMastered: () => drawChoice(settled.material),
    });
    return mine.view.update(settled);
  }

  // The endgames that have a lesson of their own: those in stages with what is mastered, then those that rules teach.
  function drawChoice(material) {
    const { elementary, rule_lessons: others } = known;
    const done = ({ material: of, stages }) => {
      const n = masteredStages(of, stages);
      return [
        h("span", { class: "small", "aria-hidden": "true" }, n === stages ? " \u2713" : ` ${n}/${stages}`),
        h("span", { class: "unseen" }, `, ${n} of ${stages} stages mastered`),
      ];
    };
    const staged = elementary.map((one) => [one.material, one.goal, done(one)]);
    const ruled = others.filter((of) => !elementary.some((one) => one.material === of));
    const entries = staged.concat(ruled.map((of) => [of, "who wins, and who holds the draw", null]));
    const addressOf = (of) =>
      href({ view: "lesson", material: of, player: null, by: null, tab: state.tab, side: null, ...FRESH }, state);
    choice.set(
      entries.map(([of, goal, says]) => ({ material: of, href: addressOf(of), about: goal, says })),
      material,
    );
  }

  function drawLesson() {
    const { title, sections, exercises, player, material } = lesson;
    const wholePlace = h("p", { hidden: true });
    offerWhole(wholePlace, material, player);
    // Without a player, the file has what the rules teach.
    const file = `/api/lesson.html?${new URLSearchParams(player ? { player, material } : { material })}`;
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
    const own = known.elementary.find((entry) => entry.material === material)?.player;
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
